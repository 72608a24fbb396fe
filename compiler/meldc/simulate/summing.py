"""The figures of a simulation as plain data, in the order in which the Program declares things."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isfinite
from typing import Any

from meldc.simulate.wording import Wording, routine
from meldc_runtime.game import Game
from meldc_runtime.program.declarations import Program
from meldc_runtime.simulation import Difference, Figures, Key, Task
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
from meldc_runtime.simulation.refusals import names_of_rules
from meldc_runtime.statistics import Estimate

Data = dict[str, Any]

COUNTS = {
    "dead_ends": "dead ends",
    "solver_cut_offs": "solver cut offs",
    "unfinished_deals": "unfinished deals",
    "watched_deals": "watched deals",
    "asked_decisions": "asked decisions",
}


def summary(game: Game, task: Task, figures: Figures) -> Data:
    """What was counted, as plain data; shares and means with the ends of their intervals."""
    counts, program = figures.counts, game.program
    data: Data = {
        "game": program.name,
        "house": list(program.house),
        "seed": task.seed,
        "bots": list(task.seats or task.bots),
        "players": game.table.players,
        "games": counts["games"] if task.whole_games else 0,
        "deals": counts["deals"],
        "decisions": counts["decisions"],
        **{key: counts[name] for key, name in COUNTS.items()},
        "unfinished_games": _unfinished(figures, task),
        "stuck": [{"seed": seed, "deal": deal} for seed, deal in figures.stuck],
    }
    if task.whole_games:
        data["deals_per_game"] = plain(figures.estimate(DEALS))
        data["wins"] = {
            side: plain(figures.estimate(Key("win", side, "share", "games", True)))
            for side in game.sides
        }
    for name, key in {
        "turns_per_deal": TURNS,
        "decisions_per_deal": DECISIONS,
        "options_per_decision": OPTIONS,
        "forced_decisions": FORCED,
        "score": SCORE,
        "margin": MARGIN,
        "lead_of_first": FIRST,
    }.items():
        data[name] = plain(figures.estimate(key))
    data.update(_sections(game, figures))
    data["rules"] = _rules(game, figures)
    data["routine"] = sorted(routine(program))
    data["distributions"] = {
        name: {str(value): times for value, times in sorted(values.items())}
        for name, values in sorted(figures.values.items())
    }
    return data


def _unfinished(figures: Figures, task: Task) -> int:
    """Whole games that came to no end, without those in which a deal did not."""
    counts = figures.counts
    if not task.whole_games:
        return 0
    broken_off = counts["dead ends"] + counts["unfinished deals"]
    return counts["games"] - counts["finished games"] - broken_off


def _sections(game: Game, figures: Figures) -> Data:
    """The figures by what they are about, then by name, then by measure."""
    program = game.program
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for key in figures.known():
        by_name = found.setdefault(key.section, {}).setdefault(key.name, {})
        by_name[key.measure.replace(" ", "_")] = plain(figures.estimate(key))
    deals = figures.base("deals").x
    for action in program.actions if deals else ():
        found.setdefault("action", {}).setdefault(
            action.name,
            {
                "share": plain(
                    figures.estimate(Key("action", action.name, "share", "decisions", True))
                ),
                "per_deal": plain(
                    figures.estimate(Key("action", action.name, "per deal", "deals"))
                ),
            },
        )
    orders = {
        "action": names(program.actions),
        "moment": names(program.moments),
        "end": [*names(program.moments), *names(program.actions)],
        "memory": names(program.memories),
        "meld": names(program.kinds),
        "sort": [f"{t.name}.{row.key}" for t in program.tables for row in t.rows],
        "line": names(program.scores),
        "left": names(program.zones),
    }
    by_section = {
        section: in_order(found.get(section, {}), orders.get(section, ()))
        for section in (
            "end", "memory", "moment", "band", "action", "meld", "sort", "line", "left", "place",
            "lead",
        )
    }  # fmt: skip
    return {
        "ends": {name: each["deals"] for name, each in by_section["end"].items()},
        "memory": {
            name: {**next(iter(each.values())), "share": "share" in each}
            for name, each in by_section["memory"].items()
        },
        "moments": by_section["moment"],
        "bands": by_section["band"],
        "actions": {name: each["share"] for name, each in by_section["action"].items()},
        "actions_per_deal": {name: each["per_deal"] for name, each in by_section["action"].items()},
        "melds": by_section["meld"],
        "sorts": by_section["sort"],
        "lines": by_section["line"],
        "scores": {
            side: found["score"][side]["points"]
            for side in game.sides
            if side in found.get("score", {})
        },
        "places": by_section["place"],
        "leads": {name: each["points"] for name, each in by_section["lead"].items()},
        "left": {name: each["cards"] for name, each in by_section["left"].items()},
    }


def names(declarations: Iterable[Any]) -> list[str]:
    return [each.name for each in declarations]


def in_order(found: Mapping[str, Any], order: Iterable[str]) -> dict[str, Any]:
    """By the order of declarations; what is none of them after them, by name and number."""
    places = {name: place for place, name in enumerate(order)}
    return dict(
        sorted(found.items(), key=lambda each: (places.get(each[0], len(places)), natural(each[0])))
    )


def natural(name: str) -> tuple[tuple[int, str], ...]:
    """A key by which numbers in names are sorted as numbers."""
    return tuple(
        (int(word), "") if word.lstrip("-").isdecimal() else (0, word) for word in name.split()
    )


def _rules(game: Game, figures: Figures) -> Data:
    """How often each rule refused something, the busiest first; those that never did, and those
    that the settings switch off.
    """
    program, off = game.program, game.table.code.never_broken
    asked = figures.base("asked decisions").x
    decided = {}
    every = list(names_of_rules(program))
    for name in every:
        key = Key("rule", name, "decisions", "asked decisions", True)
        if figures.sums_of(key).y:
            alone = key._replace(measure="alone")
            decided[name] = {
                "decisions": plain(figures.estimate(key)),
                "alone": plain(figures.estimate(alone)),
            }
    busiest = sorted(decided.items(), key=lambda each: -each[1]["decisions"]["value"])
    never = [name for name in every if name not in decided and name not in off]
    return {
        "asked": asked,
        "decided": dict(busiest),
        "never": never if asked else [],
        "switched_off": [rule.name for rule in program.rules if rule.name in off],
    }


def plain(estimate: Estimate) -> Data:
    """An estimate as JSON has it: ends that are not known are null."""
    low, high = (round(end, 4) if isfinite(end) else None for end in (estimate.low, estimate.high))
    return {"value": round(estimate.value, 4), "low": low, "high": high, "n": estimate.n}


def difference_data(each: Difference, wording: Wording) -> Data:
    """A difference as plain data."""
    return {
        "subject": wording.title(each.key),
        "share": each.key.share,
        "section": each.key.section,
        "name": each.key.name,
        "measure": each.key.measure,
        "first": plain(each.first),
        "second": plain(each.second),
        "difference": plain(each.change),
        "chance": round(each.chance, 6),
        "size": round(each.size, 4),
        "shown": each.shown,
        "sentence": wording.sentence(each),
    }


def program_title(program: Program) -> str:
    """A game and the house rules that are laid over it."""
    return (
        " with ".join((program.name, ", ".join(program.house))) if program.house else program.name
    )
