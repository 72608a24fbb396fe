"""A simulation as a page of HTML that stands alone: sentences, plots, tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from meldc.simulate import plots
from meldc.simulate.table import MOST_SENTENCES, mean, parts
from meldc.simulate.wording import plain_name

Data = Mapping[str, Any]

MOST_ROWS = 24
"""Rows of a plot of intervals or differences."""
MOST_CURVES = 6

DISTRIBUTIONS = {
    "turns": ("Turns of a deal", "turns"),
    "deals": ("Deals of a game", "deals"),
    "decisions": ("Decisions of a deal", "decisions"),
    "score": ("Score of a side in a deal", "points"),
    "margin": ("Margin of the best side of a deal", "points"),
}


def page(data: Data) -> str:
    """The whole page. Raises MissingExtraError where nothing can be drawn."""
    plots.check_plotting()
    games = [data["reference_data"], data] if "reference_data" in data else [data]
    names = [data["reference"], data["subject"]] if len(games) > 1 else [_title(data)]
    title = " and ".join(map(_title, reversed(games)))
    body = [
        f"<h1>{escape(title)}</h1>",
        _head(data, games),
        *(_findings(data) if len(games) > 1 else ()),
        _tiles(data),
        f'<section class="plots">{"".join(_figures(data, games, names))}</section>',
        *(_tables(game, name) for game, name in zip(games, names, strict=True)),
        f'<p class="note">{METHOD}</p>',
    ]
    return PAGE.format(title=escape(title), style=STYLE, body="\n".join(body))


METHOD = (
    "Intervals hold 95 %: of means by Student's t, of shares by Wilson, each with the deals of a"
    " game, and the sides of a deal, taken as dependent. Figures about moments, endings and rules"
    " come from watched deals, those about rules from a sample of their decisions."
)


def _title(data: Data) -> str:
    house = f" with {', '.join(data['house'])}" if data["house"] else ""
    return f"{data['game']}{house}"


def _head(data: Data, games: Sequence[Data]) -> str:
    played = " + ".join(f"{game['deals']:,}" for game in games).replace(",", " ")
    seed = "" if data["seed"] is None else f", seed {data['seed']}"
    bots = ", ".join(dict.fromkeys(data["bots"]))
    return (
        f'<p class="note">{played} deals by bots ({escape(bots)}) at a table of {data["players"]}'
        f"{seed}; simulated by meldc.</p>"
    )


def _findings(data: Data) -> Iterator[str]:
    shown = [each["sentence"] for each in data["differences"] if each["shown"]]
    items = "".join(f"<li>{escape(_plain(each))}</li>" for each in shown[:MOST_SENTENCES])
    subject = escape(data["subject"])
    if not items:
        yield f"<p>No difference is shown between {subject} and {escape(data['reference'])}.</p>"
        return
    yield f"<h2>With {subject}</h2><ol class=findings>{items}</ol>"
    others = sum(not each["shown"] for each in data["differences"])
    yield f'<p class="note">In {others} other figures no difference is shown.</p>'


def _plain(sentence: str) -> str:
    return sentence.replace("`", "")


def _tiles(data: Data) -> str:
    tiles = [
        ("turns a deal", mean(data["turns_per_deal"])),
        ("decisions a deal", mean(data["decisions_per_deal"])),
        ("actions to choose from", mean(data["options_per_decision"])),
        ("points of a side a deal", mean(data["score"])),
    ]
    if "deals_per_game" in data:
        tiles.insert(0, ("deals a game", mean(data["deals_per_game"])))
    cells = "".join(
        f"<div><b>{value}</b><span>{escape(name)}</span><small>{interval}</small></div>"
        for name, (value, interval) in tiles
    )
    return f'<section class="tiles">{cells}</section>'


def _figures(data: Data, games: Sequence[Data], names: Sequence[str]) -> Iterator[str]:
    if len(games) > 1:
        changes = [_forest_row(each) for each in data["differences"][:MOST_ROWS] if each["size"]]
        if changes:
            yield _figure("Differences, the most interesting first", plots.forest(
                "Differences with intervals", changes
            ), "Filled: shown. Hollow: could be chance.")  # fmt: skip
    for name, (title, unit) in DISTRIBUTIONS.items():
        named = [
            (label, values)
            for label, game in zip(names, games, strict=True)
            if (values := game["distributions"].get(name))
        ]
        if named and any(len(values) > 1 for _, values in named):
            yield _figure(title, plots.distribution(title, unit, named))
    for title, unit, rows in _interval_rows(games):
        if len(rows) > 1:
            yield _figure(title, plots.intervals(title, unit, rows[:MOST_ROWS], names))
    yield from _first_turns(data)


def _forest_row(each: Data) -> tuple[str, float, float, float, bool]:
    """A difference in standard deviations."""
    change = each["difference"]
    scale = each["size"] / abs(change["value"]) if change["value"] else 0.0
    low, value, high = (change[end] * scale for end in ("low", "value", "high"))
    return each["subject"], value, low, high, each["shown"]


Rows = list[tuple[str, list[Any]]]


def _interval_rows(games: Sequence[Data]) -> Iterator[tuple[str, str, Rows]]:
    """Each plot of intervals: its title, its unit, its rows with an estimate for each game."""

    def rows(
        section: str, measure: str | None, scale: float = 1, games: Sequence[Data] = games
    ) -> Rows:
        known = dict.fromkeys(name for game in games for name in game[section])
        found = []
        for name in known:
            estimates = []
            for game in games:
                each = game[section].get(name)
                each = each.get(measure) if each and measure else each
                estimates.append(_scaled(each, scale))
            found.append((plain_name(name).replace(".", ": "), estimates))
        return found

    yield "How deals end", "% of deals", rows("ends", None, 100)
    yield "Score of a deal by its lines", "points a side", rows("lines", "per_side")
    yield "Melds by how they are sorted", "a deal", rows("sorts", "per_deal")
    yield "Melds by kind", "a deal", rows("melds", "per_deal")
    yield "Actions", "times a deal", rows("actions_per_deal", None)
    yield "By the value of a table", "% of cases", rows("bands", "share", 100)
    rules = [game["rules"] for game in games]
    yield (
        "Rules that refused something",
        "% of sampled decisions",
        rows("decided", "decisions", 100, rules),
    )


def _scaled(each: Data | None, scale: float) -> Data | None:
    if each is None:
        return None
    return {
        end: None if each[end] is None else each[end] * scale for end in ("low", "value", "high")
    }


def _first_turns(data: Data) -> Iterator[str]:
    """When things happen to a side first: those that happen to most, but not at once."""
    moments = {
        name: each
        for name, each in data["moments"].items()
        if name not in data["routine"]
        and each["first_turn"]["value"] > 1
        and each["sides"]["value"] > 0.02
    }
    chosen = sorted(moments, key=lambda name: -moments[name]["sides"]["value"])[:MOST_CURVES]
    named = [
        (plain_name(name), data["distributions"][f"first turn {name}"])
        for name in sorted(chosen, key=lambda name: moments[name]["first_turn"]["value"])
    ]
    if named:
        title = "When things happen to a side first"
        sides = next(
            round(each["first_turn"]["n"] / each["sides"]["value"]) for each in moments.values()
        )
        yield _figure(title, plots.arrivals(title, named, sides))


def _figure(title: str, drawing: str, note: str = "") -> str:
    small = f"<small>{escape(note)}</small>" if note else ""
    return f"<figure><figcaption>{escape(title)}{small}</figcaption>{drawing}</figure>"


def _tables(data: Data, name: str) -> str:
    tables = []
    for head, rows in parts(data):
        body = "".join(
            f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows
        )
        if body:
            heads = "".join(f"<th>{escape(cell)}</th>" for cell in head)
            tables.append(f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>")
    rules = data["rules"]
    notes = [f"Rules from a sample of {rules['asked']} decisions."]
    if rules["never"]:
        notes.append("Never in it: " + ", ".join(map(plain_name, rules["never"])) + ".")
    note = f'<p class="note">{escape(" ".join(notes))}</p>'
    return (
        f"<details><summary>All figures of {escape(name)}</summary>"
        f'<div class="tables">{"".join(tables)}</div>{note}</details>'
    )


STYLE = """
:root { --paper:#fcfcfb; --card:#ffffff; --ink:#1c1f23; --muted:#6a7178; --grid:#e3e5e8;
  --first:#b3541e; --second:#1f5fbf; color-scheme: light dark }
@media (prefers-color-scheme: dark) { :root { --paper:#15181c; --card:#1d2126; --ink:#e8eaed;
  --muted:#9aa2ab; --grid:#33393f; --first:#f0a35e; --second:#7fb0ff } }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 1.5rem clamp(.75rem, 3vw, 2.5rem); max-width: 78rem;
  background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
h1 { font-size: 1.6rem; line-height: 1.2; margin: .2rem 0 } h2 { font-size: 1.15rem }
.note { color: var(--muted); font-size: .9rem }
.findings li { margin: .25rem 0 }
.tiles { display: grid; gap: .75rem; margin: 1.25rem 0;
  grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)) }
.tiles div { background: var(--card); border: 1px solid var(--grid); border-radius: .5rem;
  padding: .6rem .8rem; display: flex; flex-direction: column }
.tiles b { font-size: 1.5rem; line-height: 1.2 } .tiles span { font-size: .9rem }
.tiles small { color: var(--muted) }
.plots { columns: 29rem; column-gap: .75rem }
figure { margin: 0 0 .75rem; break-inside: avoid; padding: .75rem; background: var(--card);
  border: 1px solid var(--grid); border-radius: .5rem; min-width: 0 }
figcaption { font-weight: 600; margin-bottom: .4rem }
figcaption small { display: block; font-weight: 400; color: var(--muted) }
figure svg { width: 100%; height: auto; display: block }
details { margin: 1rem 0 } summary { cursor: pointer; font-weight: 600 }
.tables { display: grid; gap: 1rem; overflow-x: auto }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums }
th, td { padding: .15rem .9rem .15rem 0; text-align: right; white-space: nowrap;
  border-bottom: 1px solid var(--grid) }
th:first-child, td:first-child { text-align: left }
th { color: var(--muted); font-weight: 600 }
"""

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
<body>
{body}
</body>
</html>
"""
