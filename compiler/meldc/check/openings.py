"""Numbers that nobody can reach: the points of an opening, the target of the game."""

from __future__ import annotations

from collections.abc import Iterator

from meldc.check.deciding import applies, condition_span
from meldc.check.hands import largest_hand, takes_at_once
from meldc.check.inspection import Inspection, labels
from meldc.check.measuring import Measure, measured, most_points
from meldc.check.naming import counted
from meldc.check.packs import span_of
from meldc.check.possible.domain import union
from meldc.check.possible.judge import Judge
from meldc.check.possible.melds import Form
from meldc.check.possible.memories import score_line
from meldc.check.walk import walk
from meldc.resolve.model import Cell
from meldc.source import Span
from meldc.syntax import tree
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Moment, Rule
from meldc_runtime.program.effects import Become, EndGame


def check_openings(inspection: Inspection) -> None:
    """Reports points to be laid in one turn that no hand has."""
    if inspection.without_score:
        return
    for rule in inspection.program.rules:
        if not rule.moments or rule.requires is None or rule.soft:
            continue
        for part in _demands(inspection.judges[0], rule.requires):
            match part:
                case x.Compare(">=" | ">", left, right) if measure := measured(
                    inspection.judges[-1], left
                ):
                    _check_demand(inspection, rule, measure, right)
                case x.Compare(">=", x.Count(source, var, where), right):
                    least = inspection.judges[-1].of(right).least or 0
                    _check_melds(inspection, rule, (source, var, where), least)
                case x.Exists(source, var, where):
                    _check_melds(inspection, rule, (source, var, where), 1)
                case _:
                    pass
    for moment in inspection.program.moments:
        if _is_first_meld(moment):
            _check_together(inspection, moment)


def _demands(judge: Judge, condition: x.Expr) -> Iterator[x.Expr]:
    """All that must hold together, definitions written out."""
    match condition:
        case x.And(operands):
            for each in operands:
                yield from _demands(judge, each)
        case x.Apply(name, _):
            yield from _demands(judge, judge.definitions[name].body)
        case _:
            yield condition


def _check_demand(inspection: Inspection, rule: Rule, measure: Measure, wanted: x.Expr) -> None:
    judge = inspection.judges[-1]
    if judge.truth(applies(rule)) is False or takes_at_once(inspection.program):
        return
    hand = largest_hand(inspection, judge)
    if hand is None or hand.drawn > 1:
        return  # a hand that grows from turn to turn may come to any number of cards
    cards = hand.held + max(hand.drawn, 1)
    if hand.held < 1:
        return  # that nothing is dealt is said elsewhere
    if inspection.short_of_melds:
        return  # that melds cannot be formed is said elsewhere
    most = most_points(judge, cards, measure)
    if most is None:
        return
    held = f"{cards} cards are worth {most} at most in {measure.words}"
    defined: Span | None = None
    while isinstance(wanted, x.Apply):
        defined = _own_definition(inspection, wanted.definition) or defined
        wanted = judge.definitions[wanted.definition].body
    if isinstance(wanted, x.Lookup):
        _check_rows(inspection, wanted.table, most, held)
        return
    least = judge.of(wanted).least
    if least is not None and least > most:
        cells = [
            inspection.model.settings[node.name]
            for node in walk(wanted)
            if isinstance(node, x.SettingValue)
        ]
        inspection.at_odds.add(rule.name)
        place = defined or inspection.blame(*cells) or condition_span(inspection, rule)
        _report(inspection, least, most, held, place)


def _check_melds(
    inspection: Inspection, rule: Rule, melds: tuple[x.Expr, str, x.Expr | None], wanted: int
) -> None:
    """An opening of so many melds, each of them with as few cards as may be."""
    if not all(_is_first_meld(each) for each in _moments(inspection, rule)):
        return
    source, var, where = melds
    judge = inspection.judges[-1]
    hand = largest_hand(inspection, judge)
    if hand is None or hand.held < 1 or hand.drawn > 1 or takes_at_once(inspection.program):
        return
    found = judge.melds(source if where is None else x.Filter(source, var, where))
    cards = hand.held + max(hand.drawn, 1)
    if not found or wanted * min(form.size for form in found) <= cards:
        return
    given = inspection.model.declarations.rules[rule.name].declaration
    condition = given.verdict.condition if isinstance(given.verdict, tree.Requires) else None
    least = min(form.size for form in found)
    inspection.at_odds.add(rule.name)
    inspection.error(
        "MC0635",
        f"nobody can lay {counted(wanted, 'such meld')} in one turn",
        condition.span if condition is not None else span_of(rule.origin),
        f"{'each' if wanted > 1 else 'it'} has {least} cards at least, and a hand {cards}",
        help=("ask for fewer melds, or for smaller ones",),
    )


def _check_together(inspection: Inspection, moment: Moment) -> None:
    """An opening of melds that several rules ask for, none of which is one of the others."""
    judge = inspection.judges[-1]
    hand = largest_hand(inspection, judge)
    if hand is None or hand.held < 1 or hand.drawn > 1 or takes_at_once(inspection.program):
        return
    asked: list[tuple[int, frozenset[Form], Rule]] = []
    for rule in inspection.program.rules:
        hard = moment.name in rule.moments and not rule.soft and rule.requires is not None
        if not hard or rule.name in inspection.at_odds or judge.truth(applies(rule)) is not True:
            continue
        assert rule.requires is not None
        for part in _demands(judge, rule.requires):
            if isinstance(part, x.Exists):
                whole = part.source
                if part.where is not None:
                    whole = x.Filter(part.source, part.var, part.where)
                if found := judge.melds(whole):
                    asked.append((min(form.size for form in found), frozenset(found), rule))
    apart: list[tuple[int, frozenset[Form], Rule]] = []
    for each in sorted(asked, key=lambda demand: -demand[0]):
        if not any(each[1] & other[1] for other in apart):
            apart.append(each)
    cards, needed = hand.held + max(hand.drawn, 1), sum(size for size, _, _ in apart)
    rules = list({rule.name: rule for _, _, rule in apart}.values())
    own = [rule for rule in rules if _is_own(inspection, rule)]
    if len(apart) < 2 or needed <= cards or not own:
        return
    inspection.at_odds |= {rule.name for rule in rules}
    inspection.error(
        "MC0635",
        f"nobody can lay {counted(len(apart), 'such meld')} in one turn",
        condition_span(inspection, own[-1]),
        f"together they have {needed} cards at least, and a hand {cards}",
        secondary=labels(
            *((condition_span(inspection, r), "asked for too") for r in rules if r is not own[-1])
        ),
        help=("ask for fewer melds, or for smaller ones",),
    )


def _is_own(inspection: Inspection, rule: Rule) -> bool:
    return inspection.is_own(inspection.model.declarations.rules[rule.name].steps)


def _moments(inspection: Inspection, rule: Rule) -> list[Moment]:
    return [each for each in inspection.program.moments if each.name in rule.moments]


def _is_first_meld(moment: Moment) -> bool:
    """Whether a moment is due as soon as there is a meld, and only once."""
    parts = moment.when.operands if isinstance(moment.when, x.And) else ()
    noted = {effect.memory for effect in moment.effects if isinstance(effect, Become)}
    once = any(
        isinstance(part, x.Not)
        and isinstance(part.operand, x.Remembered)
        and part.operand.memory in noted
        for part in parts
    )
    melds = any(isinstance(part, x.Exists) and part.where is None for part in parts)
    return once and melds and len(parts) == 2


def _own_definition(inspection: Inspection, name: str) -> Span | None:
    entry = inspection.model.declarations.definitions.get(name)
    if entry is None or not inspection.is_own(entry.steps):
        return None
    return entry.declaration.value.span


def _check_rows(inspection: Inspection, name: str, most: int, held: str) -> None:
    given = inspection.model.tables.get(name)
    if given is None:
        return
    table = inspection.judges[-1].tables[name]
    if most == 0 and _is_worthless(inspection):
        _report_worthless(inspection)
        return
    high: list[tuple[int, Span | None, bool]] = []
    for row, written in zip(table.rows, given.rows, strict=True):
        value = union(judge.cell(row) for judge in inspection.judges)
        if value.least is not None and value.least > most:
            cell = written.cells.get("")
            span = cell.span if cell is not None else written.span
            own = inspection.is_own(written.steps if cell is None else cell.steps)
            high.append((value.least, span, own))
    values = [cell for row in inspection.model.values.rows for cell in row.cells.values()]
    causes = [each for each in values if inspection.is_own(each.steps)]
    if causes and high and not any(own for _, _, own in high):
        # The rows are as ever: it is the cards that are worth too little for them.
        inspection.error(
            "MC0635",
            f"nobody can lay {high[0][0]} points in one turn",
            causes[0].span,
            held,
            secondary=labels(*((span, f"{wanted} are asked for") for wanted, span, _ in high)),
            help=("give the cards higher values, or let an opening need fewer points",),
        )
        return
    for wanted, span, _ in high:
        _report(inspection, wanted, most, held, span)


def _is_worthless(inspection: Inspection) -> bool:
    judge = inspection.judges[-1]
    table = judge.tables["values"]
    return all(not judge.of_card(table, face).most for face in judge.pack)


def _report_worthless(inspection: Inspection) -> None:
    values = [cell for row in inspection.model.values.rows for cell in row.cells.values()]
    inspection.error(
        "MC0635",
        "nobody can lay the points of an opening: no card of a meld is worth one",
        inspection.blame(*values) or inspection.variant_span,
        help=("give the cards values in `values:`, or let an opening need 0 points",),
    )


def _report(inspection: Inspection, wanted: int, most: int, held: str, span: Span | None) -> None:
    cure = f"ask for {most} or less" if most else "count other melds, or ask for no points"
    inspection.error(
        "MC0635", f"nobody can lay {wanted} points in one turn", span, held, help=(cure,)
    )


# ---- the target --------------------------------------------------------------------------------


def check_target(inspection: Inspection) -> None:
    """Reports an end of the game that no score reaches, or that is reached from the start."""
    for moment in inspection.program.moments:
        if any(isinstance(node, EndGame) for node in walk(moment.effects)):
            for node in walk(moment.when):
                match node:
                    case x.Exists(
                        x.AllSides(), _, x.Compare(">=" | ">", x.Remembered("total"), wanted)
                    ):
                        _check_target(inspection, moment, wanted)
                    case _:
                        pass


def _check_target(inspection: Inspection, moment: Moment, wanted: x.Expr) -> None:
    needed = union(judge.of(wanted) for judge in inspection.judges).least
    if needed is None:
        return
    cell = _cell(inspection, wanted)
    span = cell.span if cell is not None else span_of(moment.origin)
    other = labels((span_of(moment.origin), "the end of the game"))
    if needed <= 0:
        inspection.warn(
            "MC0636",
            f"the game is over after one deal: {needed} points end it, and all begin with 0",
            span,
            "",
            secondary=other,
            help=("write the total that a side must reach",),
        )
    elif not any(_can_rise(inspection, judge) for judge in inspection.judges):
        inspection.without_score = True
        inspection.error(
            "MC0636",
            f"no side can ever have {needed} points: no line of the score gives more than 0",
            span,
            "",
            secondary=other,
            help=("give cards values, or the score a bonus",),
        )


def _can_rise(inspection: Inspection, judge: Judge) -> bool:
    if judge.written.effects.get("total"):
        return True
    most = [score_line(judge, line.name).most for line in inspection.program.scores]
    return any(each is None or each > 0 for each in most)


def _cell(inspection: Inspection, wanted: x.Expr) -> Cell[tree.Expression] | None:
    name = wanted.name if isinstance(wanted, x.SettingValue) else ""
    return inspection.model.settings.get(name)
