"""Rules, allowances and lines of the score."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from meldc.check import expressions, patterns
from meldc.check.elaborator import NOTHING, Elaborator
from meldc.check.scope import Binding, Scope, Typed, player_scope, side_scope
from meldc.check.types import CARDS, MELD, NUMBER, UNKNOWN, outward
from meldc.diagnostics import did_you_mean
from meldc.lower.acts import Acts, common, phase_named
from meldc.lower.places import origin, tags
from meldc.syntax import tree
from meldc_runtime.light import dataclass
from meldc_runtime.program.declarations import Allowance, Rule, ScoreLine, Sentence, Value
from meldc_runtime.program.expressions import Expr, Marker, Var


@dataclass(frozen=True, slots=True)
class Subjects:
    """What a rule speaks of, sorted; has_strange: something of it has an unknown name."""

    actions: tuple[str, ...]
    moments: tuple[str, ...]
    kinds: tuple[str, ...]
    end_of_turn: bool
    has_strange: bool = False


def rules(el: Elaborator, acts: Acts) -> Iterator[Rule]:
    """Every rule that refuses something."""
    for entry in el.model.declarations.rules.values():
        yield _rule(el, acts, entry.declaration)


def allowances(el: Elaborator, acts: Acts) -> Iterator[Allowance]:
    """Every rule that allows actions in further phases."""
    for entry in el.model.declarations.allowances.values():
        yield _allowance(el, acts, entry.declaration)


def _rule(el: Elaborator, acts: Acts, rule: tree.RuleDecl) -> Rule:
    subjects = _subjects(el, rule)
    scope = _scope(el, acts, subjects)
    requires: Expr | None = None
    if isinstance(rule.verdict, tree.Requires):
        requires = expressions.condition(el, rule.verdict.condition, scope)
    return Rule(
        rule.name.text,
        subjects.actions,
        subjects.moments,
        subjects.kinds,
        subjects.end_of_turn,
        requires,
        _optional(el, rule.when, scope),
        _optional(el, rule.unless, scope),
        rule.soft.form if rule.soft is not None else "",
        sentence(el, rule.because, scope),
        tags(rule),
        origin(rule.name.span),
    )


def _allowance(el: Elaborator, acts: Acts, rule: tree.RuleDecl) -> Allowance:
    subjects = _subjects(el, rule)
    scope = _scope(el, acts, subjects)
    assert isinstance(rule.verdict, tree.AllowedDuring)
    for word in rule.subjects:
        if not isinstance(word, tree.Word) or word.text not in subjects.actions:
            el.error(
                "MC0451",
                "only actions are allowed during a phase",
                word.span,
            )
    if rule.soft is not None:
        el.error("MC0505", "`while …` goes with what is refused", rule.soft.span)
    return Allowance(
        rule.name.text,
        subjects.actions,
        tuple(phase_named(el, word) for word in rule.verdict.phases),
        _optional(el, rule.when, scope),
        _optional(el, rule.unless, scope),
        sentence(el, rule.because, scope),
        tags(rule),
        origin(rule.name.span),
    )


def _optional(el: Elaborator, node: tree.Expression | None, scope: Scope) -> Expr | None:
    return None if node is None else expressions.condition(el, node, scope)


def _subjects(el: Elaborator, rule: tree.RuleDecl) -> Subjects:
    declarations, kinds = el.model.declarations, el.vocabulary.kinds
    found: dict[str, list[str]] = {"actions": [], "moments": [], "kinds": []}
    end_of_turn = has_strange = False
    for subject in rule.subjects:
        if isinstance(subject, tree.EndOfTurn):
            end_of_turn = True
            continue
        name = subject.text
        spaces = [
            space
            for space, names in (
                ("actions", declarations.actions),
                ("moments", declarations.moments),
                ("kinds", kinds),
            )
            if name in names
        ]
        if spaces:
            found[spaces[0]].append(name)
            continue
        near = [*declarations.actions, *declarations.moments, *kinds]
        has_strange = True
        el.error(
            "MC0451",
            f"there is no action, moment or kind of meld `{name}`",
            subject.span,
            help=did_you_mean(name, near),
        )
    return Subjects(
        tuple(found["actions"]),
        tuple(found["moments"]),
        tuple(found["kinds"]),
        end_of_turn,
        has_strange,
    )


def _scope(el: Elaborator, acts: Acts, subjects: Subjects) -> Scope:
    """The names that all subjects have in common, the player who acts, and the meld.

    Of a subject that nobody knows they may be the names of any action.
    """
    scope = _scope_of_known(acts, subjects)
    if subjects.has_strange:
        names = {name for each in acts.action_scopes.values() for name in each.names}
        for name in sorted(names - {*scope.names}):
            scope = scope.naming(name, Typed(NOTHING, UNKNOWN))
    return scope


def _scope_of_known(acts: Acts, subjects: Subjects) -> Scope:
    if subjects.kinds and not (subjects.actions or subjects.moments or subjects.end_of_turn):
        return kind_scope()
    places = [acts.settings[name] for name in subjects.moments if name in acts.settings]
    scopes = [dict(acts.action_scopes[name].names) for name in subjects.actions]
    scopes += [dict(place.names) for place in places]
    if subjects.end_of_turn or subjects.kinds:
        scopes.append({})
    if any(not place.has_player for place in places):
        return replace(places[0].scope(), names=common(scopes))
    return player_scope(common(scopes))


def kind_scope() -> Scope:
    """The scope of a rule about a kind of meld: the meld as it will lie, the cards now laid."""
    meld = Typed(Var(Marker.MELD), MELD)
    names = {"meld": Binding(meld), "new": Binding(Typed(Var(Marker.NEW), CARDS))}
    return replace(player_scope(names), looked_at=(meld,))


def sentence(el: Elaborator, written: tree.Sentence, scope: Scope) -> Sentence:
    """The parts of a sentence, its values typed."""
    parts: list[str | Value] = []
    for part in written.parts:
        if isinstance(part, tree.Text):
            parts.append(part.text)
        else:
            found = expressions.elaborate(el, part, scope)
            parts.append(Value(found.expr, outward(found.type)))
    return tuple(parts)


def scores(el: Elaborator) -> Iterator[ScoreLine]:
    """Every line of the score."""
    for entry in el.model.declarations.scores.values():
        yield _score(el, entry.declaration)


def _score(el: Elaborator, score: tree.ScoreDecl) -> ScoreLine:
    owner = score.owner.text if score.owner is not None else "side"
    if owner not in ("side", "player"):
        assert score.owner is not None
        el.error(
            "MC0458",
            f"a score cannot be of `{owner}`",
            score.owner.span,
            help=("a score is of each side, or `of player`",),
        )
        owner = "side"
    scope = player_scope() if owner == "player" else side_scope()
    when = _optional(el, score.when, scope)
    return ScoreLine(
        score.name.text,
        owner,
        expressions.typed(el, score.value, scope, NUMBER, "what a score gives"),
        None if when == patterns.YES else when,
        _optional(el, score.unless, scope),
        score.only,
        sentence(el, score.because, scope),
        tags(score),
        origin(score.name.span),
    )
