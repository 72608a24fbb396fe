"""What a difference between two games means, in a sentence for players."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import floor, log10

from meldc_runtime.program.declarations import Program
from meldc_runtime.simulation import Difference, Key
from meldc_runtime.simulation.measuring import (
    DEALS,
    DECISIONS,
    FIRST,
    FORCED,
    MARGIN,
    OPTIONS,
    SCORE,
    TURNS,
)

WEIGHTS = {
    "deal": 1.0, "game": 1.0, "end": 1.0, "sort": 1.0, "score": 1.0, "line": 0.7, "memory": 0.7,
    "moment": 0.6, "meld": 0.6, "decision": 0.6, "action": 0.5, "band": 0.5, "left": 0.4,
    "rule": 0.4, "win": 0.4, "place": 0.2,
}  # fmt: skip
"""How much a player wants to know of a section, at the same size of a difference."""

MEASURES = {
    "action": ("per deal",), "moment": ("per deal", "first turn"), "meld": ("per deal",),
    "sort": ("per deal",), "line": ("per side",), "rule": ("decisions",), "band": ("share",),
    "place": ("best",),
}  # fmt: skip
"""Of sections with several measures, those that say something new when games are compared."""


def compared(program: Program, keys: Iterable[Key]) -> list[Key]:
    """The figures to compare, each once: not how deals are set up and put away, nor sides."""
    aside = routine(program)
    keys = list(keys)
    endings = {key.name for key in keys if key.section == "end"}
    found = {
        key
        for key in keys
        if key.measure in MEASURES.get(key.section, (key.measure,))
        and not (key.section == "moment" and key.name in aside)
        and not (key.measure == "per deal" and key.name in endings)
        and (key.section != "score" or key in (SCORE, MARGIN, FIRST))
        and key.section != "lead"
    }
    return sorted(found)


def routine(program: Program) -> frozenset[str]:
    """Moments that come with every deal or turn: nobody wants to hear of them."""
    return frozenset(
        moment.name
        for moment in program.moments
        if moment.trigger.kind in ("start", "end") and moment.when is None
    )


def interest(difference: Difference) -> tuple[bool, float]:
    """What players want to hear first: what is shown, then by size and section; what can be seldom
    seen counts for less. Of the rest what is least likely chance.
    """
    if not difference.shown:
        return (True, difference.chance)
    weight = WEIGHTS.get(difference.key.section, 0.3)
    seen = min(1.0, difference.first.n / difference.change.n)
    return (False, -weight * difference.size * seen)


def digits(half: float) -> int:
    """Decimals with which a number makes sense whose interval is so wide."""
    if half <= 0:
        return 1
    return 0 if half >= 10 else max(1, min(3, -floor(log10(half))))


class Wording:
    """Sentences about the differences that a game makes. program: of the game that is changed."""

    def __init__(self, program: Program) -> None:
        self.lines = {
            line.name: "".join(part for part in line.sentence if isinstance(part, str))
            for line in program.scores
            if all(isinstance(part, str) for part in line.sentence)
        }
        self.words = {table.name: table.word for table in program.tables}

    def sentence(self, each: Difference) -> str:
        """What changes, without the name of what changes it."""
        return SENTENCES.get(each.key.section, _other)(self, each)

    def title(self, key: Key) -> str:
        """A figure by itself."""
        known = TITLES.get(key)
        if known is not None:
            return known
        return HEADS.get(key.section, "{}").format(self.subject(key)).replace("`", "") + (
            ", first turn" if key.measure == "first turn" else ""
        )

    def subject(self, key: Key) -> str:
        """What a figure is about, in a few words."""
        name = plain_name(key.name)
        match key.section:
            case "sort":
                table, _, row = key.name.partition(".")
                return f"{plain_name(row)} {self.words.get(table) or table}s"
            case "line":
                return self.lines.get(key.name, name)
            case "meld":
                return f"melds `{name}`"
            case "left":
                return f"cards in `{name}` at the end"
        return f"`{name}`"


def plain_name(name: str) -> str:
    return name.replace("_", " ")


def _numbers(each: Difference, scale: float = 1.0) -> tuple[str, str, str, str]:
    """The change without its sign, half its interval, and both values."""
    half = each.change.half * scale
    decimals = digits(half)
    numbers = (abs(each.change.value) * scale, half)
    values = (each.first.value * scale, each.second.value * scale)
    change, spread, first, second = (f"{number:.{decimals}f}" for number in (*numbers, *values))
    return change, spread, first, second


def _deal(wording: Wording, each: Difference) -> str:
    change, half, first, second = _numbers(each)
    up = each.change.value > 0
    if each.key == TURNS:
        way = "longer" if up else "shorter"
        return f"deals last {change} ± {half} turns {way} ({first} → {second})"
    assert each.key == DECISIONS
    way = "more" if up else "fewer"
    return f"a deal takes {change} ± {half} {way} decisions ({first} → {second})"


def _game(wording: Wording, each: Difference) -> str:
    assert each.key == DEALS
    change, half, first, second = _numbers(each)
    way = "longer" if each.change.value > 0 else "shorter"
    return f"games last {change} ± {half} deals {way} ({first} → {second})"


def _decision(wording: Wording, each: Difference) -> str:
    if each.key == FORCED:
        return "decisions without a choice " + _moves(each, 100, " %")
    assert each.key == OPTIONS
    change, half, first, second = _numbers(each)
    way = "more" if each.change.value > 0 else "fewer"
    return f"a player chooses among {change} ± {half} {way} actions ({first} → {second})"


def _score(wording: Wording, each: Difference) -> str:
    change, half, first, second = _numbers(each)
    up = each.change.value > 0
    if each.key == SCORE:
        way = "more" if up else "less"
        return f"a side scores {change} ± {half} points {way} a deal ({first} → {second})"
    if each.key == MARGIN:
        way = "wider" if up else "narrower"
        return f"deals are won by a margin {change} ± {half} points {way} ({first} → {second})"
    way = "more" if up else "less"
    return (
        f"the side that begins is ahead by {change} ± {half} points {way} a deal "
        f"({first} → {second})"
    )


def _line(wording: Wording, each: Difference) -> str:
    change, half, first, second = _numbers(each)
    way = "more" if each.change.value > 0 else "less"
    subject = wording.subject(each.key)
    return f"“{subject}” gives a side {change} ± {half} points {way} a deal ({first} → {second})"


def _end(wording: Wording, each: Difference) -> str:
    return f"deals that end by {wording.subject(each.key)} " + _moves(each, 100, " %")


def _moment(wording: Wording, each: Difference) -> str:
    subject = wording.subject(each.key)
    if each.key.measure == "first turn":
        change, half, first, second = _numbers(each)
        way = "later" if each.change.value > 0 else "earlier"
        return f"{subject} comes {change} ± {half} turns {way} for a side (turn {first} → {second})"
    return f"{subject} {_moves(each, 1, ' times a deal', one=True)}"


def _action(wording: Wording, each: Difference) -> str:
    return f"{wording.subject(each.key)} {_moves(each, 1, ' times a deal', one=True)}"


def _per_deal(wording: Wording, each: Difference) -> str:
    return f"{wording.subject(each.key)} {_moves(each, 1, ' a deal')}"


def _left(wording: Wording, each: Difference) -> str:
    return f"{wording.subject(each.key)} {_moves(each, 1, '')}"


def _rule(wording: Wording, each: Difference) -> str:
    _, half, first, second = _numbers(each, 100)
    return (
        f"{wording.subject(each.key)} refuses something in {second} % of decisions "
        f"instead of {first} % (± {half})"
    )


def _memory(wording: Wording, each: Difference) -> str:
    if each.key.share:
        whose = each.key.base if each.key.base in ("deals", "sides") else "players"
        return f"{whose} with {wording.subject(each.key)} at the end {_moves(each, 100, ' %')}"
    return f"{wording.subject(each.key)} at the end {_moves(each, 1, '', one=True)}"


def _other(wording: Wording, each: Difference) -> str:
    scale, unit = (100, " %") if each.key.share else (1, "")
    what = plain_name(f"{each.key.section} {each.key.name}, {each.key.measure}:")
    return f"{what} {_moves(each, scale, unit, one=True)}"


def _moves(each: Difference, scale: float, unit: str, *, one: bool = False) -> str:
    """`rise from 1.7 to 2.9 a deal (± 0.1)`; one: `rises`."""
    _, half, first, second = _numbers(each, scale)
    verb = "rise" if each.change.value > 0 else "fall"
    return f"{verb}{'s' if one else ''} from {first} to {second}{unit} (± {half})"


TITLES = {
    TURNS: "turns per deal",
    DECISIONS: "decisions per deal",
    DEALS: "deals per game",
    OPTIONS: "actions to choose from",
    FORCED: "decisions without a choice",
    SCORE: "score of a side",
    MARGIN: "margin of the best",
    FIRST: "lead of the side that begins",
}

HEADS = {
    "line": "points for “{}”",
    "end": "deals that end by {}",
    "rule": "refused by {}",
    "memory": "{} at the end",
    "win": "games won by {}",
    "place": "best in place {}",
}

SENTENCES: dict[str, Callable[[Wording, Difference], str]] = {
    "deal": _deal,
    "game": _game,
    "decision": _decision,
    "score": _score,
    "line": _line,
    "end": _end,
    "moment": _moment,
    "action": _action,
    "sort": _per_deal,
    "meld": _per_deal,
    "left": _left,
    "rule": _rule,
    "memory": _memory,
}
