"""Rules against each other: what is always refused, never decides, or cannot hold together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from meldc.check.inspection import Inspection, labels
from meldc.check.packs import span_of
from meldc.check.possible.judge import Judge
from meldc.check.possible.proof import never_together
from meldc.check.unchanging import never_changed
from meldc.check.walk import walk
from meldc.resolve.model import Cell
from meldc.source import Span
from meldc.syntax import tree
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Moment, Rule

Subject = tuple[str, str]


def check_deciding(inspection: Inspection) -> None:
    """Reports rules that refuse always, or never, and rules at odds."""
    _check_choices(inspection)
    settled: set[str] = set()
    for rule in inspection.program.rules:
        if rule.name in inspection.at_odds or _check_alone(inspection, rule):
            settled.add(rule.name)
    rules = [rule for rule in inspection.program.rules if rule.name not in settled]
    told: set[frozenset[str]] = set()
    about = {rule.name: topics(inspection, [rule]) for rule in rules}
    for rule in rules:
        if not _is_own(inspection, rule):
            continue
        for other in rules:
            pair = frozenset((rule.name, other.name))
            if other is rule or pair in told or not subjects(rule) & subjects(other):
                continue
            if not about[rule.name] & about[other.name]:
                continue
            if _check_pair(inspection, rule, other):
                told.add(pair)


def _check_choices(inspection: Inspection) -> None:
    """Actions of the game's own for which no card, or no meld, can ever be chosen."""
    declared = inspection.model.declarations.actions
    for action in inspection.program.actions:
        entry = declared[action.name]
        if not inspection.is_own(entry.steps) or action.name in inspection.refused:
            continue
        for param in action.params:
            found = [judge.elements(param.domain, {}) for judge in inspection.judges]
            if any(each is None or each for each in found):
                continue
            inspection.refused.add(action.name)
            inspection.error(
                "MC0720",
                f"`{action.name}` is never legal: there is never a `{param.name}` to choose",
                span_of(action.origin),
                "nothing fits what it chooses from",
                help=(f"correct what stands behind `{param.name} in` or `from`",),
            )
            break


def subjects(rule: Rule) -> set[Subject]:
    """What a rule speaks of."""
    found = {("action", name) for name in rule.actions}
    found |= {("moment", name) for name in rule.moments}
    found |= {("kind", name) for name in rule.kinds}
    return found | ({("end", "of turn")} if rule.end_of_turn else set())


def applies(rule: Rule) -> x.Expr:
    """When a rule speaks at all."""
    parts = [rule.when] if rule.when is not None else []
    if rule.unless is not None:
        parts.append(x.Not(rule.unless))
    return x.And(tuple(parts))


def refuses(rule: Rule) -> x.Expr:
    """When a rule refuses."""
    if rule.requires is None:
        return applies(rule)
    return x.And((applies(rule), x.Not(rule.requires)))


def _is_own(inspection: Inspection, rule: Rule) -> bool:
    return inspection.is_own(inspection.model.declarations.rules[rule.name].steps)


def cards_chosen(inspection: Inspection, names: Iterable[str]) -> tuple[str, ...]:
    """The parameter that is one card, where all these actions have it."""
    found = [
        {param.name for param in action.params if param.mode == "one" and param.type == "card"}
        for action in inspection.program.actions
        if action.name in set(names)
    ]
    common = set.intersection(*found) if found else set()
    return tuple(sorted(common))[:1]


# ---- a rule alone ------------------------------------------------------------------------------


def _check_alone(inspection: Inspection, rule: Rule) -> bool:
    """Reports a rule that decides nothing, or everything; True where there is no more to say."""
    own = _is_own(inspection, rule)
    judges = inspection.judges
    cards = cards_chosen(inspection, rule.actions)
    if own and rule.kinds and not (rule.actions or rule.moments or rule.end_of_turn):
        return _check_about_kinds(inspection, rule)
    if all(judge.truth(applies(rule)) is False for judge in judges) or (
        own and all(never_together(judge, (applies(rule),), cards) for judge in judges)
    ):
        if own:
            _report_idle(inspection, rule)
        return True
    if rule.requires is not None and all(judge.truth(rule.requires) for judge in judges):
        if own:
            _report_idle(inspection, rule)
        return True
    at = next((j for j in judges if _always_refuses(j, rule, cards)), None)
    if rule.soft or at is None:
        return False
    must_be = rule.moments or rule.end_of_turn
    follows = inspection.short_of_melds or inspection.without_score
    authored = inspection.is_authored(inspection.model.declarations.rules[rule.name].steps)
    if own or authored or (must_be and rule.requires is not None and not follows):
        _report_always(inspection, rule, at)
        return True
    return False


def _always_refuses(judge: Judge, rule: Rule, cards: tuple[str, ...]) -> bool:
    """Whether what it asks for can never be, while it speaks; without a demand, whether always."""
    if judge.truth(refuses(rule)) is True:
        return True
    if rule.requires is None or judge.truth(applies(rule)) is False:
        return False
    moments = [each for each in judge.program.moments if each.name in rule.moments]
    if moments and not (rule.actions or rule.kinds or rule.end_of_turn):
        return all(
            never_together(judge, (_due(moment), rule.requires), cards) for moment in moments
        )
    return never_together(judge, (rule.requires,), cards)


def _due(moment: Moment) -> x.Expr:
    return moment.when if moment.when is not None else x.And(())


def _check_about_kinds(inspection: Inspection, rule: Rule) -> bool:
    """The same for a rule about kinds of meld, which every meld that can lie is held against."""
    names = [kind.name for kind in inspection.program.kinds]
    truths = {
        judge.truth(refuses(rule), {"meld": form})
        for judge in inspection.judges
        for form in judge.forms
        if names[form.kind] in rule.kinds
    }
    if truths == {False}:
        _report_idle(inspection, rule, "no meld that can lie is like that")
        return True
    if truths == {True} and not rule.soft:
        _report_always(inspection, rule, inspection.judges[0])
        return True
    return False


def _report_idle(inspection: Inspection, rule: Rule, why: str = "") -> None:
    given = inspection.model.declarations.rules[rule.name].declaration
    judge = inspection.judges[0]
    never = never_together(judge, (applies(rule),), cards_chosen(inspection, rule.actions))
    if rule.when is not None and (judge.truth(rule.when) is False or never):
        what, span = "its condition never holds", given.when
    elif rule.unless is not None and judge.truth(rule.unless) is True:
        what, span = "what it excepts is always so", given.unless
    elif isinstance(given.verdict, tree.Requires):
        what, span = "what it asks for is always so", given.verdict.condition
    else:
        what, span = "what it forbids never comes up", given.when or given.unless
    if never_changed(inspection, (rule.when, rule.unless, rule.requires)) is not None:
        return  # that it is never changed is said at the memory
    what = why or what
    reason = _settled_by(inspection, (rule.when, rule.unless, rule.requires))
    inspection.warn(
        "MC0722",
        f"`{rule.name}` never decides anything: {what}",
        span.span if span is not None else given.name.span,
        "",
        secondary=labels(*((cell.span, f"`{name}` is `{cell.text}`") for name, cell in reason)),
        help=("correct the condition, or leave the rule out",),
    )


def _report_always(inspection: Inspection, rule: Rule, judge: Judge) -> None:
    given = inspection.model.declarations.rules[rule.name].declaration
    refused = _what_is_refused(rule)
    condition = given.verdict.condition if isinstance(given.verdict, tree.Requires) else given.when
    parts = (rule.requires, rule.when, rule.unless)
    settings = _settled_by(inspection, parts)
    # In a machine of the author's the numbers may be the game's, and are looked at first.
    own = _is_own(inspection, rule)
    span = condition.span if condition is not None else given.name.span
    why = bounds_in_words(judge, rule.requires) if rule.requires is not None else ""
    place = span
    if not own:
        pack = inspection.model.pack
        melds = [
            cell
            for row in inspection.model.melds.values()
            for _, cell in row.cells()
            if inspection.is_own(cell.steps)
        ]
        cells = [cell for _, cell in settings]
        authored = inspection.is_authored(inspection.model.declarations.rules[rule.name].steps)
        causes = cells if authored else [*cells, pack.packs, pack.jokers, *melds]
        own_cells = [cell for cell in causes if inspection.is_own(cell.steps)]
        place = next((cell.span for cell in own_cells if cell.span is not None), None) or span
    speaks = judge.truth(applies(rule))
    when = "" if speaks is True else " while it speaks"
    message = f"`{rule.name}` refuses always{when}: {refused}"
    if len(inspection.program.players) > 1:
        message += f" with {judge.seating.players} players"
    # A moment that never comes makes of every rule about it one that refuses always.
    spoken_of = [each.when for each in inspection.program.moments if each.name in rule.moments]
    unchanged = never_changed(inspection, (*parts, *spoken_of))
    defined = _defined(inspection, condition)
    if unchanged is not None:
        message = f"`{unchanged[0]}` is never changed: {refused}"
        place, why = unchanged[1], "it stays what it is at the start"
    elif own and defined is not None:
        place = defined
    report = inspection.error
    if rule.requires is None and given.when is None and given.unless is None:
        report = inspection.warn
    inspection.at_odds.add(rule.name)
    inspection.refused.update(rule.actions)
    report(
        "MC0720",
        message,
        place,
        why,
        secondary=labels((span if place != span else None, "the condition")),
        help=(
            *(
                (f"write `{unchanged[0]} becomes …` where it changes",)
                if unchanged is not None
                else ()
            ),
            "correct the condition or the numbers that it speaks of"
            + (f"; `remove action {rule.actions[0]}` takes it away" if rule.actions else ""),
        ),
    )


def _defined(inspection: Inspection, condition: tree.Expression | None) -> Span | None:
    """Where the game's own definition says it, when a condition is the name of one."""
    if not isinstance(condition, tree.Name):
        return None
    entry = inspection.model.declarations.definitions.get(condition.name)
    if entry is None or not inspection.is_own(entry.steps):
        return None
    return entry.declaration.value.span


def _what_is_refused(rule: Rule) -> str:
    if rule.end_of_turn:
        return "no turn can end"
    if rule.moments:
        return f"`{rule.moments[0]}` never happens"
    if rule.actions:
        return f"`{rule.actions[0]}` is never legal"
    return f"nobody may lay a meld of the kind `{rule.kinds[0]}`"


def _settled_by(
    inspection: Inspection, parts: tuple[x.Expr | None, ...]
) -> list[tuple[str, Cell[tree.Expression]]]:
    """The settings that conditions read, with their values."""
    judge = inspection.judges[0]
    names: dict[str, None] = {}
    seen: set[str] = set()
    waiting: list[object] = [part for part in parts if part is not None]
    while waiting:
        for node in walk(waiting.pop()):
            if isinstance(node, x.SettingValue):
                names[node.name] = None
            elif isinstance(node, x.Apply) and node.definition not in seen:
                seen.add(node.definition)
                waiting.append(judge.definitions[node.definition].body)
    return [(name, inspection.model.settings[name]) for name in names]


def bounds_in_words(judge: Judge, condition: x.Expr) -> str:
    """Of a comparison that never holds: how far the numbers are apart."""
    for node in _plain(judge, condition):
        if isinstance(node, x.Compare) and judge.truth(node) is False:
            left, right = judge.of(node.left), judge.of(node.right)
            if node.op in (">=", ">") and left.most is not None and right.least is not None:
                needed = right.least + (node.op == ">")
                return f"it needs {needed}, and there can be {left.most} at most"
            if node.op in ("<=", "<") and left.least is not None and right.most is not None:
                allowed = right.most - (node.op == "<")
                return f"it allows {allowed}, and there are always {left.least} at least"
        if isinstance(node, x.Exists) and judge.truth(node) is False:
            return "there can be none"
    return "it can never be so"


def _plain(judge: Judge, condition: x.Expr) -> Iterator[x.Expr]:
    yield condition
    if isinstance(condition, x.And):
        for each in condition.operands:
            yield from _plain(judge, each)
    if isinstance(condition, x.Apply):
        yield from _plain(judge, judge.definitions[condition.definition].body)


# ---- two rules ---------------------------------------------------------------------------------


def topics(inspection: Inspection, rules: Iterable[Rule]) -> set[str]:
    """What rules look at, by name: rules with nothing in common cannot decide each other."""
    judge, seen, found = inspection.judges[0], set[str](), set[str]()
    waiting: list[object] = [(rule.requires, rule.when, rule.unless) for rule in rules]
    while waiting:
        for node in walk(waiting.pop()):
            match node:
                case x.Apply(name) if name not in seen:
                    seen.add(name)
                    waiting.append(judge.definitions[name].body)
                case x.Remembered(name) | x.ZoneCards(name):
                    found.add(name)
                case x.CardAttr() | x.MeldAttr() | x.MeldsOf() | x.Can() | x.Only() | x.Var():
                    found.add(type(node).__name__)
                case _:
                    pass
    return found


def _check_pair(inspection: Inspection, rule: Rule, other: Rule) -> bool:
    cards = cards_chosen(inspection, (*rule.actions, *other.actions))
    judges = inspection.judges
    for weak, strong in ((rule, other), (other, rule)):
        if strong.soft or not subjects(weak) <= subjects(strong):
            continue
        if weak is other and not _is_own(inspection, weak):
            continue
        if all(
            never_together(judge, (refuses(weak), x.Not(refuses(strong))), cards)
            for judge in judges
        ):
            _report_weaker(inspection, weak, strong)
            return True
    if rule.soft or other.soft or _is_house_choice(inspection, rule, other):
        return False
    for asking, against in ((rule, other), (other, rule)):
        if asking.requires is None:
            continue
        if not _is_own(inspection, asking) and all(
            never_together(judge, (refuses(asking), x.Not(refuses(against))), cards)
            for judge in judges
        ):
            continue  # the game's own rule goes further than the one that it builds on
        together = (applies(asking), asking.requires, x.Not(refuses(against)))
        if all(never_together(judge, together, cards) for judge in judges):
            _report_contradiction(inspection, asking, against)
            return True
    return False


def _is_house_choice(inspection: Inspection, *rules: Rule) -> bool:
    """Whether a house rule set what lets a rule of the game speak: it means to shut something."""
    parts = tuple(part for rule in rules for part in (rule.requires, rule.when, rule.unless))
    return any(
        cell.steps and cell.steps[-1].source.startswith("house ")
        for _, cell in _settled_by(inspection, parts)
    )


def condition_span(inspection: Inspection, rule: Rule) -> Span | None:
    """The words of a rule that decide."""
    given = inspection.model.declarations.rules[rule.name].declaration
    if isinstance(given.verdict, tree.Requires):
        return given.verdict.condition.span
    if given.when is not None:
        return given.when.span
    return span_of(rule.origin)


def _report_weaker(inspection: Inspection, weak: Rule, strong: Rule) -> None:
    inspection.at_odds.add(weak.name)  # what more could be said of it is said of the stronger
    inspection.warn(
        "MC0723",
        f"`{weak.name}` never decides anything: `{strong.name}` refuses all that it refuses",
        span_of(weak.origin),
        "this rule makes no difference",
        secondary=labels((condition_span(inspection, strong), f"`{strong.name}` is stronger")),
        help=(f"leave it out, or write `replace rule {strong.name}` to put it in that place",),
    )


def _report_contradiction(inspection: Inspection, asking: Rule, against: Rule) -> None:
    mine, other = asking, against
    if not _is_own(inspection, mine):
        mine, other = against, asking
    inspection.at_odds |= {mine.name, other.name}
    shared = sorted(subjects(mine) & subjects(other))
    category, name = shared[0]
    what = "the end of a turn" if category == "end" else f"`{name}`"
    inspection.error(
        "MC0721",
        f"`{mine.name}` and `{other.name}` contradict each other: together they refuse {what}",
        condition_span(inspection, mine),
        "this",
        secondary=labels((condition_span(inspection, other), f"and this, of `{other.name}`")),
        help=(
            f"`replace rule {other.name}` puts the new rule in its place, or say in `when` which "
            "of them holds",
        ),
    )
