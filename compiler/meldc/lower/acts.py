"""Actions and moments: what happens, by whom and when."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from meldc.check import effects, expressions, types
from meldc.check.elaborator import Elaborator
from meldc.check.scope import Binding, Scope, Typed, player_scope, table_scope
from meldc.check.types import outward
from meldc.check.walk import zone_of
from meldc.diagnostics import did_you_mean
from meldc.lower.places import origin, tags
from meldc.source import Span
from meldc.syntax import tree
from meldc_runtime.light import dataclass
from meldc_runtime.program.declarations import Action, Moment, Param, Trigger
from meldc_runtime.program.expressions import Expr, ListOf, Var

Names = Mapping[str, Binding]


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a moment stands: its trigger, the names that it sees, whether a player acts."""

    trigger: Trigger
    names: Names
    has_player: bool
    period: str = ""

    def scope(self) -> Scope:
        if self.has_player:
            return player_scope({k: v for k, v in self.names.items() if k != "player"})
        reason = f"nobody acts at the {self.trigger.kind} of a {self.period}"
        scope = table_scope(reason if self.period else "nobody acts here")
        return Scope(dict(self.names), nobody=scope.nobody)


class Acts:
    """All actions and moments; a moment's scope comes from what it hangs on."""

    def __init__(self, el: Elaborator) -> None:
        self.el = el
        self.action_scopes: dict[str, Scope] = {}
        self.actions: dict[str, Action] = {}
        self.settings: dict[str, Standing] = {}
        self.moments: dict[str, Moment] = {}
        self.behind: dict[str, Scope] = {}
        self._placing: list[str] = []

    # ---- actions -------------------------------------------------------------------------

    def lower_actions(self) -> Iterator[Action]:
        for name, entry in self.el.model.declarations.actions.items():
            found = self._action(entry.declaration)
            self.actions[name] = found
            yield found

    def _action(self, declaration: tree.ActionDecl) -> Action:
        el = self.el
        scope = player_scope()
        params: list[Param] = []
        for parameter in declaration.parameters:
            effects.refuse_hidden_name(el, parameter.name, scope)
            param, scope = self._parameter(parameter, scope)
            params.append(param)
        text = self._text(declaration, scope, params)
        name = declaration.name.text
        self.action_scopes[name] = scope
        done = effects.elaborate(el, declaration.effects, scope)
        self.behind[name] = done.scope
        phases = tuple(self._phase(word) for word in declaration.phases)
        return Action(
            name,
            tuple(params),
            text,
            phases,
            done.effects,
            tags(declaration),
            origin(declaration.name.span),
        )

    def _parameter(self, parameter: tree.Parameter, scope: Scope) -> tuple[Param, Scope]:
        domain, element = self._domain(parameter.domain, scope)
        source = zone_of(domain.expr, effects.sources(scope))
        if parameter.mode == "some" and element not in (types.CARD, types.UNKNOWN):
            self.el.error(
                "MC0501",
                f"`from` chooses some cards, not {types.describe(domain.type)}",
                parameter.domain.span,
                help=(f"`{parameter.name.text} in …` chooses one",),
            )
        type_ = element if parameter.mode == "one" else types.list_of(element)
        name = parameter.name.text
        thing = Typed(Var(name), type_)
        param = Param(name, parameter.mode, domain.expr, outward(type_), source)
        return param, scope.naming(name, thing, source)

    def _domain(self, node: tree.Expression, scope: Scope) -> tuple[Typed, str]:
        """What can be chosen; a thing alone is the only choice."""
        found = expressions.elaborate(self.el, node, scope)
        if found.type in (types.CARD, types.MELD, types.PLAYER, types.SIDE):
            return Typed(ListOf((found.expr,)), types.list_of(found.type)), found.type
        return expressions.collection(self.el, node, scope)

    def _text(self, declaration: tree.ActionDecl, scope: Scope, params: list[Param]) -> str:
        """The template; a value in it becomes a parameter with nothing to choose."""
        pieces: list[str] = []
        named = {param.name for param in params}
        for part in declaration.text.parts:
            if isinstance(part, tree.Text):
                pieces.append(part.text)
            elif isinstance(part, tree.Name) and part.name in named:
                pieces.append(f"{{{part.name}}}")
            else:
                value = expressions.elaborate(self.el, part, scope)
                name = f"shown_{len(params) + 1}"
                source = zone_of(value.expr, effects.sources(scope))
                domain = ListOf((value.expr,))
                params.append(Param(name, "one", domain, outward(value.type), source))
                pieces.append(f"{{{name}}}")
        text = "".join(pieces)
        for parameter in declaration.parameters:
            if f"{{{parameter.name.text}}}" not in text:
                self.el.error(
                    "MC0709",
                    f"the text of `{declaration.name.text}` does not name `{parameter.name.text}`",
                    declaration.text.span,
                    help=("what a player types must say everything chosen",),
                )
        return text

    def _phase(self, word: tree.Word) -> str:
        return phase_named(self.el, word)

    # ---- moments -------------------------------------------------------------------------

    def lower_moments(self) -> Iterator[Moment]:
        for name in self.el.model.declarations.moments:
            yield self.moment(name)

    def moment(self, name: str) -> Moment:
        """The moment of this name; the one it hangs on is lowered first."""
        if name in self.moments:
            return self.moments[name]
        declaration = self.el.model.declarations.moments[name].declaration
        setting = self.setting(name)
        scope = setting.scope()
        when: Expr | None = None
        if declaration.condition is not None:
            when = expressions.condition(self.el, declaration.condition, scope)
        done = effects.elaborate(self.el, declaration.effects, scope)
        self.behind[name] = done.scope
        found = Moment(
            name,
            setting.trigger,
            when,
            done.effects,
            tags(declaration),
            origin(declaration.name.span),
        )
        return self.moments.setdefault(name, found)

    def setting(self, name: str) -> Standing:
        """Where a moment stands."""
        if name in self.settings:
            return self.settings[name]
        declaration = self.el.model.declarations.moments[name].declaration
        if name in self._placing:
            self.el.error(
                "MC0705",
                f"`{name}` hangs on itself",
                declaration.name.span,
                " → ".join([*self._placing[self._placing.index(name) :], name]),
            )
            return Standing(Trigger("state"), {}, True)
        self._placing.append(name)
        try:
            found = self._setting(declaration)
        finally:
            self._placing.pop()
        return self.settings.setdefault(name, found)

    def _setting(self, declaration: tree.MomentDecl) -> Standing:
        match declaration.trigger:
            case None:
                return Standing(Trigger("state"), {}, True)
            case tree.AtBoundary(span, boundary, period):
                return self._at(span, boundary, period)
            case tree.After(span, words):
                return self._after(span, words)
            case tree.Before(span, words):
                return self._before(span, words)

    def _at(self, span: Span, boundary: str, period: str) -> Standing:
        if period == "game":
            self.el.error(
                "MC0706",
                f"no moment is at the {boundary} of a game",
                span,
                help=("`at start of deal` when `deal_number = 1`, or `at end of deal`",),
            )
            period = "deal"
        return Standing(Trigger(boundary, period), {}, period == "turn", period)

    def _after(self, span: Span, words: tuple[tree.Word, ...]) -> Standing:
        targets = [word.text for word in words if self._is_target(word)]
        seen = [self._seen_behind(target) for target in targets]
        scopes = [names_ for names_, _ in seen]
        has_player = all(player for _, player in seen)
        trigger = Trigger("after", "", tuple(targets))
        return Standing(trigger, common(scopes), has_player)

    def _seen_behind(self, target: str) -> tuple[Names, bool]:
        if target in self.el.model.declarations.actions:
            return self.behind[target].names, True
        if target not in self._placing:
            self.moment(target)
        scope = self.behind.get(target)
        return (scope.names if scope is not None else {}), self.setting(target).has_player

    def _before(self, span: Span, words: tuple[tree.Word, ...]) -> Standing:
        """`before` an action, or the trigger of the moment that it stands before."""
        targets = [word.text for word in words if self._is_target(word)]
        actions = [name for name in targets if name in self.el.model.declarations.actions]
        moments = [name for name in targets if name not in actions]
        if not moments:
            scopes: list[Names] = [self.action_scopes[name].names for name in actions]
            return Standing(Trigger("before", "", tuple(actions)), common(scopes), True)
        places = [self.setting(name) for name in moments]
        if actions or any(each.trigger != places[0].trigger for each in places):
            self.el.error(
                "MC0705",
                "these do not happen at the same time",
                span,
                help=("write a moment for each of them",),
            )
        return places[0]

    def _is_target(self, word: tree.Word) -> bool:
        declarations = self.el.model.declarations
        if word.text in declarations.actions or word.text in declarations.moments:
            return True
        self.el.error(
            "MC0451",
            f"there is no action and no moment `{word.text}`",
            word.span,
            help=did_you_mean(word.text, [*declarations.actions, *declarations.moments]),
        )
        return False


def common(scopes: Iterable[Names]) -> dict[str, Binding]:
    """The names that all of these see, with the same type."""
    found: dict[str, Binding] | None = None
    for names_ in scopes:
        if found is None:
            found = dict(names_)
            continue
        found = {
            name: binding if names_[name].source == binding.source else Binding(binding.value)
            for name, binding in found.items()
            if name in names_ and names_[name].value.type == binding.value.type
        }
    return {name: each for name, each in (found or {}).items() if name != "player"}


def phase_named(el: Elaborator, word: tree.Word) -> str:
    """The phase an author named."""
    return effects.phase(el, word)
