"""Cards and their classes: cards without a value or a class, cards that are two things at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from meldc.check import ownership, patterns
from meldc.check.inspection import Inspection, labels
from meldc.check.naming import cards_named
from meldc.check.possible.domain import CARDS
from meldc.check.possible.judge import Judge
from meldc.check.walk import walk
from meldc.resolve import model
from meldc.resolve.model import Cell
from meldc.source import Span
from meldc.syntax import tree
from meldc_runtime.cards import SUIT_WORDS
from meldc_runtime.program import expressions as x
from meldc_runtime.program.effects import Exception_, MoveCards


def check_classes(inspection: Inspection) -> None:
    """Reports cards without a value, without a class, or listed twice."""
    _check_values(inspection)
    _check_wild(inspection)
    _check_apart(inspection)
    _check_classless(inspection)
    _check_patterns(inspection)
    for table in (inspection.model.values, *inspection.model.tables.values()):
        if table.form == "card":
            _check_rows(inspection, table)


# ---- cards without a value ---------------------------------------------------------------------


def _check_values(inspection: Inspection) -> None:
    if not _counts_values(inspection):
        return
    judges = inspection.judges
    without: set[int] = set()
    for judge in judges:
        table = judge.tables["values"]
        apart = _laid_apart(inspection, judge)
        without |= {
            face
            for face in judge.pack
            if face not in apart and judge.of_card(table, face).few == frozenset((None,))
        }
    if not without:
        return
    rows = inspection.model.values.rows
    own = [row for row in rows if inspection.is_own(row.steps)]
    pack, classes = inspection.model.pack, inspection.model.classes
    causes = [cell for cell in classes.values() if inspection.is_own(cell.steps)]
    removed = ownership.taken_away(inspection.model, "values.")
    given: Span | None
    if removed:
        given, said = removed[0], "rows of `values` are taken away here"
    elif own:
        given, said = own[-1].span, "the last row of `values`"
    else:
        given, said = inspection.blame(*causes, pack.jokers, pack.packs), ""
    names = cards_named(without, judges[0].pack)
    message = f"{names} have no value" if rows else "no card has a value, and the score counts them"
    inspection.warn(
        "MC0611",
        message,
        given,
        said,
        help=("add rows to `values:`; what has none counts 0",),
    )


def _counts_values(inspection: Inspection) -> bool:
    """Whether a line of the score counts the values of cards."""
    judge, seen = inspection.judges[0], set[str]()
    waiting: list[object] = [(line.gives, line.when) for line in inspection.program.scores]
    while waiting:
        for node in walk(waiting.pop()):
            if isinstance(node, x.CardAttr) and node.attr == "value":
                return True
            if isinstance(node, x.Apply) and node.definition not in seen:
                seen.add(node.definition)
                waiting.append(judge.definitions[node.definition].body)
    return False


def _laid_apart(inspection: Inspection, judge: Judge) -> set[int]:
    """Cards that are moved by their class to a place of their own, as bonus cards are."""
    found: set[int] = set()
    for action in inspection.program.actions:
        chosen = {param.name: param.domain for param in action.params}
        found |= _by_class(judge, action.effects, chosen)
    for moment in inspection.program.moments:
        found |= _by_class(judge, moment.effects, {})
    return found


def _by_class(judge: Judge, effects: object, chosen: dict[str, x.Expr]) -> set[int]:
    found: set[int] = set()
    for node in walk(effects):
        cards = node.cards if isinstance(node, MoveCards) else None
        if isinstance(cards, x.Var):
            cards = chosen.get(cards.name)
        match node, cards:
            case Exception_(var, where, _), _:
                found |= {f for f in judge.pack if judge.truth(where, {var: CARDS[f]})}
            case MoveCards(), x.Filter(_, var, where):
                found |= {f for f in judge.pack if judge.truth(where, {var: CARDS[f]})}
            case _:
                pass
    return found


# ---- classes -----------------------------------------------------------------------------------


def _check_wild(inspection: Inspection) -> None:
    """A class that lies as itself in a meld, of which some cards stand for others there."""
    judge = inspection.judges[0]
    wild_cell = inspection.model.classes.get("wild")
    if wild_cell is None:
        return
    wild = _class_faces(judge, "wild")
    done: set[str] = set()
    for kind in inspection.program.kinds:
        cards = inspection.model.melds[kind.name].cards
        if kind.wilds[1] == 0 or cards is None:
            continue
        for name in _classes_in(cards.value):
            cell = inspection.model.classes.get(name)
            if cell is None or name in done:
                continue
            faces = _class_faces(judge, name)
            if not faces & wild or faces <= wild:
                continue
            done.add(name)
            span = inspection.blame(cell, wild_cell)
            other = wild_cell if span == cell.span else cell
            inspection.warn(
                "MC0612",
                f"{cards_named(faces & wild, judge.pack)} are `{name}` and `wild` at once",
                span,
                f"in a meld of the kind `{kind.name}` they lie as themselves and for others",
                secondary=labels((other.span, "the other class")),
                help=("leave them out of one of the classes",),
            )


def _check_apart(inspection: Inspection) -> None:
    """Cards that are laid apart when they come, and that are also meant to be melded."""
    judge = inspection.judges[0]
    classes = inspection.model.classes
    apart: dict[str, set[int]] = {}
    for part in (inspection.program.actions, inspection.program.moments):
        for node in walk(part):
            match node:
                case Exception_(var, x.Apply(name, (x.Var(subject),))) if subject == var:
                    if name in classes:
                        apart[name] = _class_faces(judge, name)
                case _:
                    pass
    melded = {
        name: _class_faces(judge, name)
        for row in inspection.model.melds.values()
        if row.cards is not None
        for name in _classes_in(row.cards.value)
        if name in classes
    }
    if "wild" in classes and any(kind.wilds[1] != 0 for kind in inspection.program.kinds):
        melded["wild"] = _class_faces(judge, "wild")
    for first, faces in apart.items():
        for second, others in melded.items():
            if first != second and faces & others:
                span = inspection.blame(classes[first], classes[second])
                other = classes[second] if span == classes[first].span else classes[first]
                inspection.warn(
                    "MC0612",
                    f"{cards_named(faces & others, judge.pack)} are `{first}` and `{second}` at "
                    "once",
                    span,
                    f"as `{first}` they are laid apart, as `{second}` they lie in melds",
                    secondary=labels((other.span, "the other class")),
                    help=("leave them out of one of the classes",),
                )


def _classes_in(pattern: tree.CardPattern) -> Iterator[str]:
    """The classes of which every card is meant."""
    for part in pattern.alternatives:
        if len(part.classes) == 1 and not part.negated and part.card is None and part.low is None:
            yield part.classes[0].text


def _class_faces(judge: Judge, name: str) -> set[int]:
    body = judge.definitions[name].body
    return {face for face in judge.pack if judge.truth(body, {"card": CARDS[face]})}


def _check_classless(inspection: Inspection) -> None:
    """Cards of which the game says nothing: of no class, and in no meld."""
    if not inspection.program.kinds or not inspection.model.classes:
        return
    judge = inspection.judges[0]
    patterns_ = [judge.definitions[name].body for name in inspection.model.classes]
    patterns_ += [kind.cards for kind in inspection.program.kinds]
    left = {
        face for face in judge.pack if not any(judge.fits(pattern, face) for pattern in patterns_)
    }
    if not left:
        return
    own = [cell for cell in inspection.model.classes.values() if inspection.is_own(cell.steps)]
    natural = inspection.model.classes.get("natural")
    inspection.warn(
        "MC0613",
        f"{cards_named(left, judge.pack)} are of no class, and no kind of meld takes them",
        inspection.blame(natural, *own, *inspection.model.classes.values()),
        "they can only be discarded",
        help=("add them to a class of `cards:`, or leave their ranks out of the pack",),
    )


# ---- cards listed twice ------------------------------------------------------------------------


def _check_patterns(inspection: Inspection) -> None:
    """The same card twice in one pattern; a class may well cut through ranks that it names too."""
    given = inspection.model
    cells: list[Cell[tree.CardPattern]] = [*given.classes.values()]
    cells += [row.cards for row in given.melds.values() if row.cards is not None]
    for cell in cells:
        if inspection.is_own(cell.steps):
            _check_pattern(inspection, cell.value)
    for table in (given.values, *given.tables.values()):
        for row in table.rows:
            if row.cards is not None and inspection.is_own(row.steps):
                _check_pattern(inspection, row.cards)
                _check_fits(inspection, table, row, row.cards)


def _check_fits(
    inspection: Inspection, table: model.Table, row: model.Row, pattern: tree.CardPattern
) -> None:
    """A row of the game's own for cards that are not in the pack."""
    condition = patterns.condition(inspection.el, pattern)
    if any(judge.fits(condition, face) for judge in inspection.judges for face in judge.pack):
        return
    inspection.warn(
        "MC0622",
        f"the row `{row.key}` of `{table.name}` is never reached",
        row.span,
        "no card of the pack is like that",
        help=("leave it out, or correct the cards that it names",),
    )


def _check_pattern(inspection: Inspection, pattern: tree.CardPattern) -> None:
    if len(pattern.alternatives) < 2:
        return
    judge = inspection.judges[0]
    before: list[tuple[tree.CardAlternative, set[int]]] = []
    for part in pattern.alternatives:
        alone = tree.CardPattern(part.span, (part,))
        faces = _certain(judge, patterns.condition(inspection.el, alone))
        if faces is None:
            continue
        for other, others in before:
            shared = faces & others
            inside = faces <= others or others <= faces
            if shared and (inside or not (part.classes or other.classes)):
                inspection.warn(
                    "MC0614",
                    f"{cards_named(shared, judge.pack)} are listed twice",
                    part.span,
                    "again here",
                    secondary=labels((other.span, "first here")),
                    help=("leave out one of them",),
                )
                break
        before.append((part, faces))


def _certain(judge: Judge, condition: x.Expr) -> set[int] | None:
    """The cards that fit; None where only the deal tells for one of them."""
    found: set[int] = set()
    for face in judge.pack:
        truth = judge.truth(condition, {"card": CARDS[face]})
        if truth is None:
            return None
        if truth:
            found.add(face)
    return found


def _check_rows(inspection: Inspection, table: model.Table) -> None:
    """Two rows of a table by card, written in one place, that speak of the same cards."""
    judge = inspection.judges[0]
    lowered = judge.tables[table.name]
    seen: list[tuple[model.Row, set[int], object]] = []
    for row, written in zip(lowered.rows, table.rows, strict=True):
        cell = written.cells.get("")
        if cell is None or row.condition is None or not inspection.is_own(cell.steps):
            continue
        faces = _certain(judge, row.condition)
        if not faces:
            continue
        for before, others, worth in seen:
            shared = faces & others
            if _is_special(inspection, written, others):
                continue
            if shared and not faces < others and (others <= faces or _of_ranks(before, written)):
                same = worth == judge.cell(row)
                _report_rows(inspection, table, (before, written), shared, others <= faces, same)
        seen.append((written, faces, judge.cell(row)))


def _is_special(inspection: Inspection, row: model.Row, others: set[int]) -> bool:
    """Whether each part of a row's pattern is a case of another row, or has nothing to do with it:
    `8, Jkr` behind `2..10`.
    """
    judge = inspection.judges[0]
    parts = row.cards.alternatives if row.cards is not None else ()
    inside = False
    for part in parts:
        alone = tree.CardPattern(part.span, (part,))
        faces = _certain(judge, patterns.condition(inspection.el, alone))
        if faces is None or (faces & others and not faces < others):
            return False
        inside = inside or bool(faces & others)
    return inside


def _of_ranks(*rows: model.Row) -> bool:
    """Whether rows speak of ranks and cards alone: a class may well cut through ranks."""
    fixed = ("red", "black", *SUIT_WORDS)
    return all(
        word.text in fixed
        for row in rows
        if row.cards is not None
        for part in row.cards.alternatives
        for word in part.classes
    )


def _report_rows(
    inspection: Inspection,
    table: model.Table,
    rows: tuple[model.Row, model.Row],
    shared: Iterable[int],
    swallowed: bool,
    same: bool,
) -> None:
    first, second = rows
    names = cards_named(shared, inspection.judges[0].pack)
    if swallowed and not same:
        inspection.error(
            "MC0614",
            f"the row `{first.key}` of `{table.name}` never counts: `{second.key}` behind it "
            "speaks of the same cards",
            first.span,
            "of the rows that fit a card the last counts",
            secondary=labels((second.span, "this counts")),
            help=(f"put `{first.key}` behind `{second.key}`",),
        )
        return
    inspection.warn(
        "MC0614",
        f"{names} stand in two rows of `{table.name}`: `{first.key}` and `{second.key}`",
        second.span,
        "this counts, as the later row",
        secondary=labels((first.span, "the other row")),
        help=("leave them out of one of the rows",),
    )
