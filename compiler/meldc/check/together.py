"""Rules that cannot all be kept together, though any two of them can."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from meldc.check.deciding import applies, cards_chosen, condition_span, refuses, topics
from meldc.check.inspection import Inspection, labels, listed
from meldc.check.packs import span_of
from meldc.check.possible.domain import exactly
from meldc.check.possible.judge import Judge
from meldc.check.possible.narrowed import Narrowed
from meldc.check.possible.proof import never_together
from meldc.check.walk import walk
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Action, Moment, Rule

FEW_TRIES = 150
"""What contradicts itself shows so soon; where nothing does, all of many values would be tried."""


def check_together(inspection: Inspection) -> None:
    """Reports what several rules together make impossible: always, or with some totals."""
    parts: list[Action | Moment] = [*inspection.program.actions, *inspection.program.moments]
    for part in parts:
        rules = list(_about(inspection, part))
        own = [rule for rule in rules if _is_own(inspection, rule)]
        if not own:
            continue
        what = topics(inspection, own)
        rules = [*own, *(r for r in rules if r not in own and topics(inspection, [r]) & what)]
        cards = cards_chosen(inspection, (part.name,)) if isinstance(part, Action) else ()
        if len(rules) > 2 and _is_never(inspection.judges, part, rules, cards):
            _report(inspection, part, _fewest(inspection.judges, part, rules, cards))
        elif isinstance(part, Moment) and _is_about_sums(inspection, rules):
            _check_totals(inspection, part, rules)


def _about(inspection: Inspection, part: Action | Moment) -> Iterator[Rule]:
    """The hard rules about an action or moment that do not refuse it by themselves."""
    for rule in inspection.program.rules:
        names = rule.actions if isinstance(part, Action) else rule.moments
        if part.name not in names or rule.soft or rule.name in inspection.at_odds:
            continue
        truths = [judge.truth(refuses(rule)) for judge in inspection.judges]
        if all(truth is None for truth in truths):
            yield rule


def _is_own(inspection: Inspection, rule: Rule) -> bool:
    return inspection.is_own(inspection.model.declarations.rules[rule.name].steps)


def _is_never(
    judges: Iterable[Judge], part: Action | Moment, rules: list[Rule], cards: tuple[str, ...]
) -> bool:
    """Whether all these rules are never kept, where a moment is due."""
    kept: list[x.Expr] = [x.Not(refuses(rule)) for rule in rules]
    if isinstance(part, Moment) and part.when is not None:
        kept.append(part.when)
    return all(never_together(judge, tuple(kept), cards, FEW_TRIES) for judge in judges)


def _fewest(
    judges: Iterable[Judge], part: Action | Moment, rules: list[Rule], cards: tuple[str, ...]
) -> list[Rule]:
    """Those without which it would be possible."""
    needed = list(rules)
    for rule in reversed(rules):
        others = [each for each in needed if each is not rule]
        if others and _is_never(judges, part, others, cards):
            needed = others
    return needed


def _check_totals(inspection: Inspection, moment: Moment, rules: list[Rule]) -> None:
    """The same for a side with a total from which a row of a table holds."""
    judge = inspection.judges[0]
    for total in _totals(inspection):
        narrowed = (Narrowed(judge, memories={"total": exactly(total)}),)
        if _is_never(narrowed, moment, rules, ()):
            found = _fewest(narrowed, moment, rules, ())
            # A rule that speaks of the total by itself means some totals, and not others.
            if any(_is_own(inspection, rule) and _asks_total(rule) for rule in found):
                return
            _report(inspection, moment, found, f" with a total of {total}")
            return


def _totals(inspection: Inspection) -> list[int]:
    """The bounds of bands that are asked for totals, those of all sides at the start first."""
    names = {
        node.table
        for node in walk((inspection.program.definitions, inspection.program.rules))
        if isinstance(node, x.Lookup) and _is_total(node.key)
    }
    bounds = [
        row.key
        for table in inspection.program.tables
        if table.form == "band" and table.name in names
        for row in table.rows
        if isinstance(row.key, int)
    ]
    return sorted(set(bounds), key=lambda bound: (bound != 0, bound))


def _is_total(key: object) -> bool:
    return isinstance(key, x.Remembered) and key.memory == "total"


def _is_about_sums(inspection: Inspection, rules: list[Rule]) -> bool:
    """Whether one rule is about a sum, and another about what a table gives for a total."""
    sums, tables = set[str](), set[str]()
    for rule in rules:
        for node in _written_out(inspection.judges[0], rule):
            if isinstance(node, x.Lookup) and _is_total(node.key):
                tables.add(rule.name)
            elif isinstance(node, x.Sum) and _is_own(inspection, rule):
                sums.add(rule.name)
    return any(one != other for one in sums for other in tables)


def _written_out(judge: Judge, rule: Rule) -> Iterator[object]:
    """All that a rule is made of, that of definitions too."""
    seen: set[str] = set()
    waiting: list[object] = [(rule.requires, rule.when, rule.unless)]
    while waiting:
        for node in walk(waiting.pop()):
            yield node
            if isinstance(node, x.Apply) and node.definition not in seen:
                seen.add(node.definition)
                waiting.append(judge.definitions[node.definition].body)


def _asks_total(rule: Rule) -> bool:
    return any(_is_total(node) for node in walk((applies(rule), rule.requires)))


def _report(
    inspection: Inspection, part: Action | Moment, rules: list[Rule], where: str = ""
) -> None:
    own = next(rule for rule in rules if _is_own(inspection, rule))
    others = [rule for rule in rules if rule is not own]
    inspection.at_odds |= {rule.name for rule in rules}
    names = listed(f"`{rule.name}`" for rule in (own, *others))
    what = "never happens" if isinstance(part, Moment) else "is never legal"
    together = "contradict each other together" if others else "never holds then"
    inspection.error(
        "MC0721",
        f"`{part.name}` {what}{where}: {names} {together}",
        condition_span(inspection, own),
        "this",
        secondary=labels(
            *((condition_span(inspection, rule), f"and this, of `{rule.name}`") for rule in others),
            *([] if others else [(span_of(part.origin), f"`{part.name}`")]),
        ),
        help=("replace one of the rules, or say in `when` which of them holds",),
    )
