"""Plots as SVG, by matplotlib: small, without a script, text that stays text. Colours are names
that the page gives values to, so that one drawing serves light and dark.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from importlib.util import find_spec
from io import StringIO
from typing import Any, ParamSpec

from meldc.simulate.rows_file import MissingExtraError

INK, MUTED, GRID, FIRST, SECOND = "#010101", "#020202", "#030303", "#040404", "#050505"
"""Colours that stand for those of the page; FIRST is the reference, SECOND the game itself."""
NAMES = {INK: "--ink", MUTED: "--muted", GRID: "--grid", FIRST: "--first", SECOND: "--second"}

WIDTH = 6.0
BINS = 30

STYLE: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "meldc",
    "font.family": "sans-serif",
    "font.size": 9.5,
    "text.color": INK,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "text.parse_math": False,
}

P = ParamSpec("P")
Values = Mapping[str, int]
Estimate = Mapping[str, Any]


def check_plotting() -> None:
    """Raises MissingExtraError where nothing can be drawn."""
    if find_spec("matplotlib") is None:
        raise MissingExtraError("`--report`", "matplotlib", "report")


def in_style(draw: Callable[P, str]) -> Callable[P, str]:
    """Draws with the settings of the page; those of the library are afterwards as before."""

    @wraps(draw)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> str:
        import matplotlib

        with matplotlib.rc_context(STYLE):
            return draw(*args, **kwargs)

    return drawn


class Canvas:
    """A drawing in the style of the page. height: in inches."""

    def __init__(self, height: float) -> None:
        from matplotlib.figure import Figure

        self.figure = Figure(figsize=(WIDTH, height), layout="constrained")
        self.axes: Any = self.figure.add_subplot()
        self.axes.set_axisbelow(True)

    def svg(self, description: str) -> str:
        """The drawing as an element of a page."""
        out = StringIO()
        self.figure.savefig(out, format="svg", transparent=True, metadata={"Date": None})
        text = out.getvalue()
        text = text[text.index("<svg") :]
        text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
        for colour, name in NAMES.items():
            text = text.replace(colour, f"var({name})")
        text = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", text, count=1)
        text = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", text, count=1)
        return text.replace("<svg", f'<svg role="img" aria-label="{description}"', 1)


@in_style
def distribution(title: str, unit: str, named: Sequence[tuple[str, Values]]) -> str:
    """How often each value was met, of one game or two, as parts of all."""
    canvas = Canvas(2.6)
    axes = canvas.axes
    spread = [(int(value), times) for _, values in named for value, times in values.items()]
    low, high = min(value for value, _ in spread), max(value for value, _ in spread)
    step = max(1, -(-(high - low + 1) // BINS))
    edges = list(range(low, high + step + 1, step))
    for place, (name, values) in enumerate(named):
        total = sum(values.values())
        heights = [0.0] * (len(edges) - 1)
        for value, times in values.items():
            heights[(int(value) - low) // step] += 100 * times / total
        if place == len(named) - 1:
            axes.stairs(heights, edges, fill=True, color=SECOND, alpha=0.35)
            axes.stairs(heights, edges, color=SECOND, linewidth=1.6, label=name)
        else:
            axes.stairs(heights, edges, color=FIRST, linewidth=1.6, linestyle="--", label=name)
    if len(named) > 1:
        axes.legend()
    axes.set_xlabel(unit)
    axes.set_ylabel("% of all")
    axes.grid(axis="y")
    return canvas.svg(title)


@in_style
def intervals(
    title: str, unit: str, rows: Sequence[tuple[str, Sequence[Estimate]]], names: Sequence[str]
) -> str:
    """Estimates with their intervals below each other; of two games side by side."""
    canvas = Canvas(0.75 + 0.27 * len(rows) + (0.2 if len(names) > 1 else 0))
    axes = canvas.axes
    for game, name in enumerate(names):
        last = game == len(names) - 1
        offset = 0.0 if len(names) == 1 else (0.17 if last else -0.17)
        for place, (_, estimates) in enumerate(rows):
            each = estimates[game]
            if each is None:
                continue
            low, high = (
                each["value"] if each[end] is None else each[end] for end in ("low", "high")
            )
            axes.errorbar(
                each["value"],
                place + offset,
                xerr=[[max(0.0, each["value"] - low)], [max(0.0, high - each["value"])]],
                fmt="o" if last else "s",
                markersize=5,
                markerfacecolor=SECOND if last else "none",
                color=SECOND if last else FIRST,
                elinewidth=1.6,
                label=name if place == 0 else None,
            )
    _label_rows(axes, [name for name, _ in rows])
    if len(names) > 1:
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, borderaxespad=0.2)
    axes.set_xlabel(unit)
    axes.grid(axis="x")
    return canvas.svg(title)


@in_style
def forest(title: str, rows: Sequence[tuple[str, float, float, float, bool]]) -> str:
    """Differences with their intervals, in standard deviations of a deal; hollow: not shown."""
    canvas = Canvas(0.9 + 0.27 * len(rows))
    axes = canvas.axes
    axes.axvline(0, color=MUTED, linewidth=1)
    for place, (_, value, low, high, shown) in enumerate(rows):
        axes.errorbar(
            value,
            place,
            xerr=[[max(0.0, value - low)], [max(0.0, high - value)]],
            fmt="o",
            markersize=5.5,
            color=SECOND if shown else MUTED,
            markerfacecolor=SECOND if shown else "none",
            elinewidth=1.6,
        )
    _label_rows(axes, [name for name, *_ in rows])
    axes.set_xlabel("difference in standard deviations of a deal")
    axes.grid(axis="x")
    return canvas.svg(title)


@in_style
def arrivals(title: str, named: Sequence[tuple[str, Values]], sides: int) -> str:
    """By turn, the part of sides to which something has happened."""
    canvas = Canvas(3.0)
    axes = canvas.axes
    styles = ("-", "--", ":", "-.")
    for place, (name, values) in enumerate(named):
        turns, parts, seen = [0], [0.0], 0
        for turn, times in values.items():
            seen += times
            turns.append(int(turn))
            parts.append(100 * seen / sides)
        axes.step(
            turns,
            parts,
            where="post",
            color=SECOND if place % 2 == 0 else FIRST,
            linestyle=styles[place // 2 % len(styles)],
            linewidth=1.6,
            label=name,
        )
    axes.legend(fontsize=8.5, loc="lower left", bbox_to_anchor=(0, 1), ncols=3, borderaxespad=0.2)
    axes.set_xlabel("turn of the side")
    axes.set_ylabel("% of sides")
    axes.set_ylim(0, 102)
    axes.grid(axis="both")
    return canvas.svg(title)


def _label_rows(axes: Any, names: Sequence[str]) -> None:
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
