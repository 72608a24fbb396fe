"""A simulation as text for people: tables of estimates, differences as sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from meldc.simulate.wording import digits, plain_name

Data = Mapping[str, Any]

MOST_SENTENCES = 12
COUNTS = ("dead_ends", "solver_cut_offs", "unfinished_deals", "unfinished_games")
LENGTH = {
    "deals_per_game": "deals per game",
    "turns_per_deal": "turns per deal",
    "decisions_per_deal": "decisions per deal",
    "options_per_decision": "actions to choose from",
}


def table(data: Data) -> list[str]:
    """The lines of the table of one game."""
    lines = [_head(data)]
    lines += [f"  {plain_name(key)}: {data[key]}" for key in COUNTS]
    if data["watched_deals"] < data["deals"]:
        lines.append(f"  watched deals: {data['watched_deals']} (moments, endings, rules)")
    lines += [f"    seed {each['seed']}, deal {each['deal']}" for each in data["stuck"]]
    if not data["deals"]:
        return lines
    for title, rows in parts(data):
        lines += _aligned(title, rows)
    return lines + _rules(data["rules"])


def _head(data: Data) -> str:
    house = f" with {', '.join(data['house'])}" if data["house"] else ""
    games = f"{data['games']} games, " if data["games"] else ""
    seconds = (
        f" in {data['seconds']:.1f} s ({data['decisions_per_second']} a second)"
        if "seconds" in data
        else ""
    )
    seed = "" if data["seed"] is None else f", seed {data['seed']}"
    return (
        f"{data['game']}{house}: {games}{data['deals']} deals, {data['decisions']} decisions"
        f"{seconds}{seed}"
    )


Rows = Iterable[Sequence[str]]


def parts(data: Data) -> Iterator[tuple[Sequence[str], Rows]]:
    """Each table: the heads of its columns, and its rows."""
    yield (
        ("length and choice", "mean", "95 % interval"),
        [
            *((name, *mean(data[key])) for key, name in LENGTH.items() if key in data),
            ("decisions without a choice", *percent(data["forced_decisions"])),
        ],
    )
    yield ("how deals end", "deals", "95 % interval"), _shares(data["ends"])
    if "wins" in data:
        yield ("games won", "games", "95 % interval"), _shares(data["wins"])
    yield (
        ("score of a deal", "points", "95 % interval"),
        [
            *((f"score {side}", *mean(each)) for side, each in data["scores"].items()),
            ("margin of the best", *mean(data["margin"])),
            ("lead of the side that begins", *mean(data["lead_of_first"])),
            *((f"lead of {bot}", *mean(each)) for bot, each in data["leads"].items()),
        ],
    )
    yield (
        ("line of the score", "per side", "95 % interval", "sides with it", "then points"),
        [
            (plain_name(name), *mean(each["per_side"]), percent(each["deals"])[0],
             mean(each["points"])[0])
            for name, each in data["lines"].items()
        ],
    )  # fmt: skip
    yield (
        ("melds at the end", "a deal", "95 % interval", "sides with one"),
        [
            (plain_name(name).replace(".", ": "), *mean(each["per_deal"]),
             percent(each["sides"])[0])
            for name, each in (*data["melds"].items(), *data["sorts"].items())
        ],
    )  # fmt: skip
    yield (
        ("what happens", "a deal", "95 % interval", "deals", "sides", "first in turn"),
        [
            (plain_name(name), *mean(each["per_deal"]), percent(each["deals"])[0],
             percent(each["sides"])[0], _turns(data, name, each))
            for name, each in data["moments"].items()
            if name not in data["routine"] and each["first_turn"]["value"] > 0
        ],
    )  # fmt: skip
    yield (
        ("by the value of a table", "share", "95 % interval", "first in turn", "cases"),
        [
            (plain_name(name), *percent(each["share"]), mean(each["first_turn"])[0],
             str(each["first_turn"]["n"]))
            for name, each in data["bands"].items()
        ],
    )  # fmt: skip
    yield (
        ("actions", "a deal", "95 % interval", "of all"),
        [
            (plain_name(name), *mean(data["actions_per_deal"][name]), percent(each)[0])
            for name, each in data["actions"].items()
        ],
    )
    yield (
        ("remembered at the end", "", "95 % interval"),
        [
            (plain_name(name), *(percent(each) if each["share"] else mean(each)))
            for name, each in data["memory"].items()
        ],
    )
    yield (
        ("cards left in", "cards", "95 % interval"),
        [(plain_name(name), *mean(each)) for name, each in data["left"].items()],
    )


def _turns(data: Data, name: str, each: Data) -> str:
    """The turn of a side in which something happens first: the mean, and where half have it."""
    values = data["distributions"].get(f"first turn {name}", {})
    half, most = (quantile(values, part) for part in (0.5, 0.9))
    return f"{each['first_turn']['value']:.1f} (half by {half}, 9 of 10 by {most})"


def quantile(values: Mapping[str, int], part: float) -> int:
    """The least value that so large a part of all does not exceed."""
    wanted = part * sum(values.values())
    seen = 0
    for value, times in values.items():
        seen += times
        if seen >= wanted:
            return int(value)
    return 0


def _shares(estimates: Mapping[str, Data]) -> Rows:
    return [(plain_name(name), *percent(each)) for name, each in estimates.items()]


def mean(each: Data) -> tuple[str, str]:
    """Value and interval of a mean as text."""
    return _texts(each, 1.0, "")


def percent(each: Data) -> tuple[str, str]:
    """Value and interval of a share as text."""
    return _texts(each, 100.0, " %")


def _texts(each: Data, scale: float, unit: str) -> tuple[str, str]:
    value = f"{each['value'] * scale:.{_decimals(each, scale)}f}{unit}"
    if each["low"] is None:
        return value, "one case only"
    low, high = (f"{each[end] * scale:.{_decimals(each, scale)}f}" for end in ("low", "high"))
    return value, f"{low} … {high}{unit}"


def _decimals(each: Data, scale: float) -> int:
    if each["low"] is None:
        return 1
    return max(1, digits((each["high"] - each["low"]) / 2 * scale))


def _aligned(head: Sequence[str], rows: Rows) -> list[str]:
    """Rows below their heads; numbers to the right but for intervals."""
    rows = list(rows)
    if not rows:
        return []
    grid = [head, *rows]
    widths = [max(len(row[place]) for row in grid) for place in range(len(head))]
    lines = [""]
    for row in grid:
        cells = [row[0].ljust(widths[0]), row[1].rjust(widths[1]), row[2].ljust(widths[2])]
        cells += [cell.rjust(width) for cell, width in zip(row[3:], widths[3:], strict=True)]
        lines.append("  " + "  ".join(cells).rstrip())
    return lines


def _rules(rules: Data) -> list[str]:
    if not rules["asked"]:
        return []
    lines = _aligned(
        ("rules that refused something", "decisions", "95 % interval", "alone"),
        [
            (plain_name(name), *percent(each["decisions"]), percent(each["alone"])[0])
            for name, each in rules["decided"].items()
        ],
    )
    lines.append(
        f"  from a sample of {rules['asked']} decisions; alone: no other rule spoke against a play"
    )
    if rules["never"]:
        lines.append(f"  never in this sample: {', '.join(map(plain_name, rules['never']))}")
    if rules["switched_off"]:
        switched_off = ", ".join(map(plain_name, rules["switched_off"]))
        lines.append(f"  switched off by the settings: {switched_off}")
    return lines


def comparison(data: Data) -> list[str]:
    """What a game does differently, as sentences, most interesting first."""
    differences = data["differences"]
    shown = [each for each in differences if each["shown"]]
    pairs = "one pair" if data["pairs"] == 1 else f"{data['pairs']} pairs"
    lines = ["", f"{data['subject']} compared with {data['reference']}, {pairs}:"]
    if not shown:
        lines.append("  no difference is shown; play more deals, or the rule changes nothing here")
    for each in shown[:MOST_SENTENCES]:
        lines.append(f"  with `{data['subject']}`, {each['sentence']}")
    if shown[MOST_SENTENCES:]:
        lines.append("  further:")
        lines += [f"    {each['sentence']}" for each in shown[MOST_SENTENCES:]]
    others = [each for each in differences if not each["shown"]]
    if others:
        lines.append(f"  no difference is shown in {len(others)} other figures:")
        lines += [f"    {_unclear(each)}" for each in others[:MOST_SENTENCES]]
        if len(others) > MOST_SENTENCES:
            lines.append(f"    and {len(others) - MOST_SENTENCES} more")
    lines.append(
        "  ±: 95 % of the difference, from the same deals in both; shown: of all that is said to"
        " differ at most 5 % is chance (Benjamini-Hochberg)"
    )
    return lines


def _unclear(each: Data) -> str:
    scale, unit = (100, " %") if each["share"] else (1, "")
    difference = each["difference"]
    low, high = (difference[end] * scale for end in ("low", "high"))
    decimals = digits((high - low) / 2) + 1
    return f"{each['subject']}: {low:+.{decimals}f} … {high:+.{decimals}f}{unit}"
