"""Reads what stands in cells: numbers, bounds, words, patterns of cards, expressions.

Each method gives the value, or None where the cell cannot be read; the reason is reported. The
word `choice` of a house rule stands for the choice that was made.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, TypeVar

from meldc.diagnostics import Collector, did_you_mean, error
from meldc.load.nodes import YamlList, YamlNode, YamlText, key_name, kind_of
from meldc.resolve.compare import put
from meldc.resolve.layer import Choice
from meldc.resolve.model import Bounds, Shape
from meldc.source import Rebase
from meldc.syntax import tree
from meldc.syntax.kept import parse_cards, parse_cell

CHOICE = re.compile(r"\bchoice\b")
_BOUNDS = re.compile(r"(\d*)\s*\.\.\s*(\d*)")
_GROUPS = re.compile(r"\d+(?:\s+\d+)+")
_CHOICE_TORD = re.compile(r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*")

_T = TypeVar("_T")

SHAPES: dict[str, Literal["same_rank", "run", "any", "all_different"]] = {
    "same rank": "same_rank",
    "run": "run",
    "any": "any",
    "all different ranks": "all_different",
}
ACES: dict[str, Literal["high", "low", "both"]] = {
    "high": "high",
    "low": "low",
    "high or low": "both",
}
WILDS_GO: dict[str, Literal["stay", "high", "low"]] = {
    "stay": "stay",
    "high": "high",
    "low": "low",
}
HOW_MANY: dict[str, Literal["many", "one", "one_unfinished"]] = {
    "many": "many",
    "one": "one",
    "one unfinished": "one_unfinished",
}


def words_in(text: str, rebase: Rebase) -> Iterator[tree.Word]:
    """What stands in a text with commas between, as written."""
    for match in re.finditer(r"[^,\s](?:[^,]*[^,\s])?", text):
        line = text.count("\n", 0, match.start()) + 1
        column = match.start() - (text.rfind("\n", 0, match.start()) + 1) + 1
        span = rebase.span(line, column, line, column + len(match.group()))
        yield tree.Word(match.group(), span)


class Reader:
    """Reads the cells of one layer."""

    def __init__(self, found: Collector, choice: Choice | None = None) -> None:
        self._found = found
        self._choice = choice

    def written(self, node: YamlNode) -> str:
        """The cell as one text, the choice put in."""
        if isinstance(node, YamlText):
            return self._chosen(node).value
        if isinstance(node, YamlList):
            return ", ".join(self.written(item) for item in node)
        return "{…}"

    # ---- the rule language ------------------------------------------------------------

    def expression(self, node: YamlNode) -> tree.Expression | None:
        text = self._text(node)
        if text is None:
            return None
        parsed = self._parse_cell(self._chosen(text))
        if parsed is None or self._choice is None or text.value.strip() == "choice":
            return parsed
        chosen = self._parse_cell(self._choice.value)
        if chosen is None:
            return None
        replaced: tree.Expression = put(parsed, "choice", chosen)
        return replaced

    def word_or_expression(self, node: YamlNode, words: Iterable[str]) -> tree.Expression | None:
        """A setting with choices: one of them, hyphens or underscores, or an expression."""
        text = self._text(node)
        if text is None:
            return None
        text = self._chosen(text)
        word = text.value.strip().replace("-", "_")
        if _CHOICE_TORD.fullmatch(text.value.strip()) and word in words:
            return tree.Name(text.span, word)
        return self._parse_cell(text)

    def cards(self, node: YamlNode) -> tree.CardPattern | None:
        """A pattern; several in a list are joined to one."""
        if not isinstance(node, YamlList):
            text = self._text(node)
            return None if text is None else self._parse_cards(self._chosen(text))
        parts = [self.cards(item) for item in node]
        if None in parts or not parts:
            return None
        alternatives = tuple(one for part in parts if part for one in part.alternatives)
        return tree.CardPattern(node.span, alternatives)

    def cards_each(self, node: YamlNode) -> tuple[tree.CardPattern, ...] | None:
        """Several patterns, each of which is to be met."""
        parts = (
            [self.cards(item) for item in node]
            if isinstance(node, YamlList)
            else [self.cards(node)]
        )
        return None if None in parts else tuple(part for part in parts if part)

    def pattern_key(self, key: YamlText) -> tree.CardPattern | None:
        return self._parse_cards(key)

    def choice_value(self) -> tree.Expression | None:
        """What the word `choice` stands for in the rules of this layer."""
        return self._parse_cell(self._choice.value) if self._choice else None

    def _parse_cell(self, text: YamlText) -> tree.Expression | None:
        value, problems = parse_cell(text.value, text.rebase)
        self._found.extend(problems)
        return None if problems else value

    def _parse_cards(self, text: YamlText) -> tree.CardPattern | None:
        pattern, problems = parse_cards(text.value, text.rebase)
        self._found.extend(problems)
        return None if problems else pattern

    # ---- cells of a fixed form ------------------------------------------------------------

    def bounds(self, node: YamlNode) -> Bounds | None:
        text = self._text(node)
        if text is None:
            return None
        value = self._with_choice(text)
        if value == "any":
            return Bounds(None, None)
        if value.isdecimal():
            return Bounds(int(value), int(value))
        match = _BOUNDS.fullmatch(value)
        low, high = match.groups() if match else ("", "")
        if not (low or high):
            self._misfit(text, "a number, a range such as `3..7`, `3..` or `..2`, or `any`")
            return None
        bounds = Bounds(int(low) if low else None, int(high) if high else None)
        if bounds.low is not None and bounds.high is not None and bounds.low > bounds.high:
            self._misfit(text, "a range with the lower number first")
            return None
        return bounds

    def numbers(self, node: YamlNode) -> tuple[int, ...] | None:
        """`4`, `2..8`, `2 or 1`, `[2, 4]`: numbers in the order of preference."""
        if isinstance(node, YamlList):
            parts = [self.numbers(item) for item in node]
            if None in parts:
                return None
            return tuple(dict.fromkeys(number for part in parts if part for number in part))
        text = self._text(node)
        if text is None:
            return None
        numbers: list[int] = []
        for part in re.split(r"\s+or\s+|\s*,\s*", self._with_choice(text)):
            low, dots, high = part.partition("..")
            if not low.isdecimal() or (dots and not high.isdecimal()) or len(low + high) > 4:
                self._misfit(text, "a number, a range such as `2..8`, or a list of them")
                return None
            numbers.extend(range(int(low), int(high if dots else low) + 1))
        if not numbers or 0 in numbers:
            self._misfit(text, "a number from 1 on, or a range with the lower one first")
            return None
        return tuple(dict.fromkeys(numbers))

    def shape(self, node: YamlNode) -> Shape | None:
        text = self._text(node)
        if text is None:
            return None
        value = " ".join(self._with_choice(text).split())
        if value in SHAPES:
            return Shape(SHAPES[value])
        if _GROUPS.fullmatch(value):
            return Shape("groups", tuple(int(size) for size in value.split()))
        self._not_among(text, value, SHAPES, "or the sizes of groups such as `4 4 3 3`")
        return None

    def ace(self, node: YamlNode) -> Literal["high", "low", "both"] | None:
        return self._one_of(node, ACES)

    def how_many(self, node: YamlNode) -> Literal["many", "one", "one_unfinished"] | None:
        return self._one_of(node, HOW_MANY)

    def wilds_go(self, node: YamlNode) -> Literal["stay", "high", "low"] | None:
        return self._one_of(node, WILDS_GO)

    def plain(self, node: YamlNode) -> str | None:
        """A text as it is."""
        text = self._text(node)
        return None if text is None else self._with_choice(text)

    def names(self, node: YamlNode) -> tuple[tree.Word, ...] | None:
        """A name, or several with commas or as a list."""
        if isinstance(node, YamlList):
            parts = [self.names(item) for item in node]
            return None if None in parts else tuple(w for part in parts if part for w in part)
        text = self._text(node)
        if text is None:
            return None
        chosen = self._chosen(text)
        return tuple(
            tree.Word(key_name(word.text), word.span)
            for word in words_in(chosen.value, chosen.rebase)
        )

    def _one_of(self, node: YamlNode, words: Mapping[str, _T]) -> _T | None:
        text = self._text(node)
        if text is None:
            return None
        value = " ".join(self._with_choice(text).replace("_", " ").replace("-", " ").split())
        if value not in words:
            self._not_among(text, value, words)
        return words.get(value)

    # ---- what goes wrong ------------------------------------------------------------

    def _text(self, node: YamlNode) -> YamlText | None:
        if isinstance(node, YamlText) and not node.is_missing:
            return node
        self._found.add(
            error(
                "MC0201",
                f"a number or a text belongs here, and this is {kind_of(node)}",
                node.span,
                "not one value",
            )
        )
        return None

    def _chosen(self, text: YamlText) -> YamlText:
        """The choice itself, where the cell is the word `choice` and nothing else."""
        return self._choice.value if self._choice and text.value.strip() == "choice" else text

    def _with_choice(self, text: YamlText) -> str:
        if self._choice is None:
            return text.value.strip()
        return CHOICE.sub(lambda _: self._choice_text(), text.value).strip()

    def _choice_text(self) -> str:
        return self._choice.value.value if self._choice else ""

    def _misfit(self, text: YamlText, wanted: str) -> None:
        self._found.add(
            error(
                "MC0202",
                f"`{self._with_choice(text)}` does not fit here",
                text.span,
                f"{wanted} belongs here",
            )
        )

    def _not_among(
        self, text: YamlText, value: str, words: Iterable[str], further: str = ""
    ) -> None:
        known = ", ".join(f"`{word}`" for word in words) + (f" {further}" if further else "")
        self._found.add(
            error(
                "MC0202",
                f"`{value}` does not fit here",
                text.span,
                "not one of the words for this",
                help=(*did_you_mean(value, words), f"it is one of {known}"),
            )
        )
