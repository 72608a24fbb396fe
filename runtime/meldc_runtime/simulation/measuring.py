"""What is counted in a row: for every figure how much (y) of how many cases (x)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import field
from typing import Any, NamedTuple

from meldc_runtime.light import dataclass
from meldc_runtime.names import parse_player
from meldc_runtime.program.declarations import Program
from meldc_runtime.simulation.rows import Row

DEAL, SIDE, GAME, DECISION, WATCHED, WATCHED_SIDE, ASKED = (
    "deals", "sides", "games", "decisions", "watched deals", "watched sides", "asked decisions",
)  # fmt: skip
"""What figures are counted by. A side is one in one deal."""


class Key(NamedTuple):
    """A figure. section, name: what it is about. measure: what is counted of it. base: the cases
    that it is counted by. share: whether it is a share of them, else a mean.
    """

    section: str
    name: str
    measure: str
    base: str
    share: bool = False


@dataclass(slots=True)
class Cluster:
    """What was counted of games that hang together. x: by base. y: by figure. counts, values,
    stuck: as in `Figures`.
    """

    x: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    y: defaultdict[Key, int] = field(default_factory=lambda: defaultdict(int))
    counts: Counter[str] = field(default_factory=Counter)
    values: dict[str, Counter[int]] = field(default_factory=dict)
    stuck: list[tuple[int, int]] = field(default_factory=list)

    def value(self, name: str, value: int) -> None:
        self.values.setdefault(name, Counter())[value] += 1


TURNS = Key("deal", "turns", "mean", DEAL)
DECISIONS = Key("deal", "decisions", "mean", DEAL)
DEALS = Key("game", "deals", "mean", GAME)
OPTIONS = Key("decision", "options", "mean", DECISION)
FORCED = Key("decision", "forced", "share", DECISION, True)
SCORE = Key("score", "side", "points", SIDE)
MARGIN = Key("score", "margin", "points", DEAL)
FIRST = Key("score", "first", "points", "others")


class Measuring:
    """Counts the rows of a game. compared: the bots, where several play."""

    def __init__(self, program: Program, compared: Sequence[str] = ()) -> None:
        self.types = {memory.name: memory.type for memory in program.memories}
        self.compared = tuple(dict.fromkeys(compared)) if len(set(compared)) > 1 else ()

    def count(self, row: Row, cluster: Cluster) -> None:
        """Adds a deal to the cluster that its game is in."""
        counts = cluster.counts
        if row["deal"] == 1:
            counts["games"] += 1
        counts["decisions"] += row["decisions"]
        counts["solver cut offs"] += row["cut_offs"]
        if row["end"] != "over":
            stuck = row["end"] == "stuck"
            counts["dead ends" if stuck else "unfinished deals"] += 1
            cluster.stuck.append((row["seed"], row["deal"]))
            return
        counts["deals"] += 1
        cluster.x[DEAL] += 1
        cluster.x[SIDE] += len(row["scores"])
        cluster.x[DECISION] += row["decisions"]
        self._length(row, cluster)
        self._ending(row, cluster)
        self._scores(row, cluster)
        self._laid(row, cluster)
        if "moments" in row:
            self._watched(row, cluster)
        if self.compared:
            self._leads(row, cluster)

    def _length(self, row: Row, cluster: Cluster) -> None:
        y, turns = cluster.y, row["turns"]
        y[TURNS] += turns
        y[DECISIONS] += row["decisions"]
        y[OPTIONS] += row["options"]
        y[FORCED] += row["forced"]
        cluster.value("turns", turns)
        cluster.value("decisions", row["decisions"])
        for name, times in row["actions"].items():
            y[Key("action", name, "per deal", DEAL)] += times
            y[Key("action", name, "share", DECISION, True)] += times
        if row["game_over"]:
            cluster.counts["finished games"] += 1
            cluster.x[GAME] += 1
            y[DEALS] += row["deal"]
            cluster.value("deals", row["deal"])
            for side in row["won"]:
                y[Key("win", side, "share", GAME, True)] += 1

    def _ending(self, row: Row, cluster: Cluster) -> None:
        for name, value in row["memory"].items():
            values, base = (value, name) if isinstance(value, list) else ([value], DEAL)
            if isinstance(value, list):
                base = SIDE if len(value) == len(row["scores"]) else f"owners of {name}"
                if base != SIDE:
                    cluster.x[base] += len(value)
            self._remembered(name, values, base, cluster)
        for zone, number in row["left"].items():
            cards = sum(number) if isinstance(number, list) else number
            cluster.y[Key("left", zone, "cards", DEAL)] += cards

    def _remembered(self, name: str, values: list[Any], base: str, cluster: Cluster) -> None:
        kind, y = self.types.get(name), cluster.y
        for value in values:
            if kind == "number":
                y[Key("memory", name, "mean", base)] += value or 0
            elif kind == "yes_no":
                y[Key("memory", name, "share", base, True)] += bool(value)
            elif kind in ("player", "side"):
                y[Key("memory", name, "share", base, True)] += value is not None
            elif value is not None:
                y[Key("memory", f"{name} {value}", "share", base, True)] += 1

    def _scores(self, row: Row, cluster: Cluster) -> None:
        y, scores = cluster.y, row["scores"]
        y[SCORE] += sum(scores)
        best, second = sorted(scores, reverse=True)[:2]
        y[MARGIN] += best - second
        cluster.value("margin", best - second)
        begins = (parse_player(row["first"], 99) or 0) % len(scores)
        others = sum(scores) - scores[begins]
        lead = scores[begins] * (len(scores) - 1) - others
        y[FIRST] += lead
        cluster.x["others"] += len(scores) - 1
        for side, points in enumerate(scores):
            cluster.value("score", points)
            y[Key("score", chr(ord("A") + side), "points", DEAL)] += points
            place = str((side - begins) % len(scores) + 1)
            y[Key("place", place, "points", DEAL)] += points
            if points == best and best != second:
                y[Key("place", place, "best", DEAL, True)] += 1
        for line, by_side in row["lines"].items():
            given = [points for points in by_side if points is not None]
            base = f"sides with {line}"
            cluster.x[base] += len(given)
            y[Key("line", line, "points", base)] += sum(given)
            y[Key("line", line, "deals", SIDE, True)] += len(given)
            y[Key("line", line, "per side", SIDE)] += sum(given)

    def _laid(self, row: Row, cluster: Cluster) -> None:
        y = cluster.y
        for kind, by_side in row["melds"].items():
            y[Key("meld", kind, "per deal", DEAL)] += sum(by_side)
            y[Key("meld", kind, "sides", SIDE, True)] += sum(n > 0 for n in by_side)
        for table, rows in row["sorts"].items():
            for name, by_side in rows.items():
                name = f"{table}.{name}"
                y[Key("sort", name, "per deal", DEAL)] += sum(by_side)
                y[Key("sort", name, "sides", SIDE, True)] += sum(n > 0 for n in by_side)

    def _watched(self, row: Row, cluster: Cluster) -> None:
        x, y, sides = cluster.x, cluster.y, len(row["scores"])
        cluster.counts["watched deals"] += 1
        x[WATCHED] += 1
        x[WATCHED_SIDE] += sides
        y[Key("end", row["ended_by"] or "nothing", "deals", WATCHED, True)] += 1
        for name, happened in row["moments"].items():
            turns = [turn for turn in happened["first"] if turn is not None]
            y[Key("moment", name, "per deal", WATCHED)] += sum(happened["times"])
            y[Key("moment", name, "deals", WATCHED, True)] += 1
            y[Key("moment", name, "sides", WATCHED_SIDE, True)] += len(turns)
            x[f"sides with {name}"] += len(turns)
            y[Key("moment", name, "first turn", f"sides with {name}")] += sum(turns)
            for turn in turns:
                cluster.value(f"first turn {name}", turn)
        self._bands(row, cluster)
        asked = row["asked"]
        if asked["decisions"]:
            cluster.counts["asked decisions"] += asked["decisions"]
            x[ASKED] += asked["decisions"]
        for name, (refused, alone) in asked["rules"].items():
            y[Key("rule", name, "decisions", ASKED, True)] += refused
            y[Key("rule", name, "alone", ASKED, True)] += alone

    def _bands(self, row: Row, cluster: Cluster) -> None:
        """What tables said when something happened, and in which turn of its side it did."""
        for moment, tables in row["bands"].items():
            turns = row["moments"][moment]["first"]
            for table, by_side in tables.items():
                for value, turn in zip(by_side, turns, strict=True):
                    if value is not None and turn is not None:
                        name, base = f"{moment} at {table} {value}", f"{moment} by {table}"
                        cluster.x[base] += 1
                        cluster.x[name] += 1
                        cluster.y[Key("band", name, "share", base, True)] += 1
                        cluster.y[Key("band", name, "first turn", name)] += turn

    def _leads(self, row: Row, cluster: Cluster) -> None:
        """By how much the sides of a bot alone were ahead of the other sides."""
        scores, bots = row["scores"], row["bots"]
        sides = len(scores)
        for name in self.compared:
            own = [side for side in range(sides) if all(bot == name for bot in bots[side::sides])]
            others = [side for side in range(sides) if side not in own]
            if own and others:
                ahead = sum(scores[side] for side in own) * len(others)
                behind = sum(scores[side] for side in others) * len(own)
                base = f"deals of {name}"
                cluster.x[base] += len(own) * len(others)
                cluster.y[Key("lead", name, "points", base)] += ahead - behind
