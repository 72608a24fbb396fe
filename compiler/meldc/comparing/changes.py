"""The differences of two games, and those that house rules make, each in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from meldc.comparing.classing import Class, Classes
from meldc.comparing.melds import pattern_in_words
from meldc.comparing.words import DECLARED, about, plain, said, value_in_words
from meldc_runtime.program.codec import to_plain
from meldc_runtime.program.declarations import Program, Step

SAYING = ("rules", "scores", "allowances")


@dataclass(frozen=True, slots=True)
class Change:
    """A key whose value differs.

    before, after: the values as written; None where a game does not have it. text: what it is
    about. steps: how the newer value came to be (the older, where there is no newer one).
    """

    key: str
    class_: Class
    text: str
    before: str | None
    after: str | None
    steps: tuple[Step, ...]

    def in_words(self) -> str:
        """One line for people."""
        match self.before, self.after:
            case None, text:
                return f"{self.text}: new: {self._said(text)}"
            case text, None:
                return f"{self.text}: gone: {self._said(text)}" if text else f"{self.text}: gone"
            case one, other if one == other:
                return f"{self.text}: otherwise: {self._said(other)}"
            case one, other:
                return f"{self.text}: {self._said(one)} -> {self._said(other)}"
        raise AssertionError("this is a bug in meldc")

    def _said(self, text: str | None) -> str:
        if self.key.partition(".")[0] in DECLARED:
            return text or ""
        return value_in_words(text or "")

    @property
    def source(self) -> str:
        """Who made it so: `variant mine`, `house rule 13`, `command line`."""
        return self.steps[-1].source if self.steps else ""


@dataclass(frozen=True, slots=True)
class _Value:
    text: str
    content: Any
    steps: tuple[Step, ...]


def differences(one: Program, other: Program) -> Iterator[Change]:
    """All keys whose values differ, those of the first game in its order, then new ones."""
    left, right = _values(one), _values(other)
    classes = (Classes(one), Classes(other))
    for key in dict.fromkeys([*left, *right]):
        a, b = left.get(key), right.get(key)
        if a is not None and b is not None and a.content == b.content:
            continue
        newest, program, of = (b, other, classes[1]) if b else (a, one, classes[0])
        assert newest is not None
        if b is None and _falls_with_its_row(key, left, right):
            continue
        yield Change(
            key,
            of.of(key),
            about(program, key),
            a.text if a else None,
            b.text if b else None,
            newest.steps,
        )


def _falls_with_its_row(key: str, left: dict[str, _Value], right: dict[str, _Value]) -> bool:
    """Whether the row of a cell, or its table, is gone as a whole: said once."""
    parent = key.rpartition(".")[0]
    return parent in left and parent not in right


def _values(program: Program) -> dict[str, _Value]:
    values: dict[str, _Value] = {}
    tables = {table.name for table in program.tables}
    steps_of = {key: steps for key, steps in program.provenance if steps and not is_gone(steps)}
    for key, steps in steps_of.items():
        head, dot, _ = key.partition(".")
        is_table = not dot and head in tables
        if head not in DECLARED and steps[-1].text != "{…}" and not is_table:
            values[key] = _Value(steps[-1].text, steps[-1].text, steps)
    # What is declared is compared by its nodes: a changed definition is a change where it stands.
    for group in (*DECLARED, "allowances"):
        for node in getattr(program, group):
            key = f"{'rules' if group == 'allowances' else group}.{node.name}"
            steps = steps_of.get(key, ())
            if not steps and group == "definitions":
                continue  # a class of cards, told by its pattern
            line = steps[-1].text if steps else ""
            text = said(program, node.sentence) if group in SAYING else line
            values[key] = _Value(text, to_plain(node, places=False), steps)
    return values


# ---- house rules -------------------------------------------------------------------------------


def house_changes(program: Program) -> list[Change]:
    """What house rules and values of the command line changed, from the program alone."""
    classes = Classes(program)
    values = _values(program)
    return [
        Change(
            key,
            classes.of(key),
            about(program, key),
            _what_was_there(steps) if is_gone(steps) else _before(steps),
            None if is_gone(steps) else values[key].text if key in values else steps[-1].text,
            steps,
        )
        for key, steps in program.provenance
        if steps and _is_house(steps[-1]) and steps[-1].text != "{…}"
        if _before(steps) != steps[-1].text
    ]


def _what_was_there(steps: tuple[Step, ...]) -> str:
    """Of what is gone: its sentence where it had one, its value where that says something."""
    text = steps[-2].text if len(steps) > 1 else ""
    _, because, sentence = text.rpartition(' because "')
    if because:
        return sentence.rstrip('"')
    return "" if text == "{…}" else text


def is_gone(steps: tuple[Step, ...]) -> bool:
    """Whether the last step took the value away."""
    return steps[-1].text.startswith("removed ")


def house_lines(program: Program) -> list[str]:
    """The rules in force that differ from the base, a line each; empty without house rules.

    What a rule only needs to be written (memories, definitions, moments) is left out where its
    house rule has a line besides.
    """
    changes = house_changes(program)
    told = {each.source for each in changes if _is_for_people(each)}
    return [
        f"{joined.in_words()} ({plain_source(joined)})"
        for joined in join_rows(changes)
        if _is_for_people(joined) or joined.source not in told
    ]


def _is_for_people(change: Change) -> bool:
    return change.key.partition(".")[0] not in ("memories", "definitions", "moments", "zones")


def join_rows(changes: Iterable[Change]) -> list[Change]:
    """The changes with rows that are new, or gone, as one each."""
    rows: dict[tuple[str, str], list[Change]] = {}
    for change in changes:
        row, dot, _ = change.key.rpartition(".")
        is_cell = "." in row and change.key.partition(".")[0] not in DECLARED
        kind = "new" if change.before is None else "gone" if change.after is None else ""
        key = (row, kind) if is_cell and kind and dot else (change.key, "alone")
        rows.setdefault(key, []).append(change)
    return [_joined(row, kind, cells) for (row, kind), cells in rows.items()]


def _joined(row: str, kind: str, cells: list[Change]) -> Change:
    first = cells[0]
    if kind == "alone" or len(cells) == 1:
        return first
    whole, _, column = first.text.rpartition(": ")
    text = _row_in_words(row, cells)
    before, after = (None, text) if kind == "new" else (text, None)
    return replace(first, key=row, text=whole or column, before=before, after=after)


def _row_in_words(row: str, cells: list[Change]) -> str:
    """What a row says: a kind of meld by its pattern, where the cells are all that it has."""
    written = {each.key.rpartition(".")[2]: each.after or each.before or "" for each in cells}
    if row.partition(".")[0] == "melds" and "shape" in written:
        return pattern_in_words(written)
    titles = [each.text.rpartition(": ")[2] for each in cells]
    values = map(value_in_words, written.values())
    return ", ".join(f"{name} {value}" for name, value in zip(titles, values, strict=True))


def plain_source(change: Change) -> str:
    """Who made a change, in words."""
    kind, _, name = change.source.partition(" ")
    return f"house rule {name}" if kind == "house" else plain(change.source)


def _is_house(step: Step) -> bool:
    return step.source.startswith("house ") or step.source == "command line"


def _before(steps: tuple[Step, ...]) -> str | None:
    earlier = [step for step in steps if not _is_house(step)]
    return earlier[-1].text if earlier else None
