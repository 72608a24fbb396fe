"""What layers did to a game: nothing at all, the same over again, or something about no card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from meldc.diagnostics import Label, error, warning
from meldc.load.nodes import YamlMap, YamlNode, YamlText
from meldc.resolve.compare import walk
from meldc.resolve.draft import CATEGORY_WORDS, Draft, Path, Repeat, spoken
from meldc.resolve.folding import same_at_all_tables
from meldc.resolve.layer import Kind, Layer
from meldc.resolve.laying import form_of
from meldc.resolve.reading import CHOICE
from meldc.syntax import tree

_JOKER = "Jkr"
_SINGLE = frozenset({"settings", "players", "side_size", "pack", "cards"})
"""Where what is written is one value and not one of many rows."""


def check_effects(draft: Draft, layers: Iterable[Layer]) -> None:
    """Report house rules without effect, and values that only repeat the inherited ones."""
    for layer in layers:
        _reckon(draft, layer)
        _check_choice(draft, layer)
        if layer.is_house and _speaks_of_absent_jokers(draft, layer):
            _report_no_jokers(draft, layer)
        elif layer.is_house and not (layer.title in draft.changed or draft.was_refused(layer)):
            _report_no_effect(draft, layer)
        elif layer.kind in (Kind.VARIANT, Kind.COMMAND_LINE):
            _report_repeats(draft, layer)


def _check_choice(draft: Draft, layer: Layer) -> None:
    """A choice that is to be made, and makes no difference."""
    choices = layer.body.entry("choices") if layer.body else None
    if layer.choice is None or choices is None or layer.body is None:
        return
    others = (entry.value for entry in layer.body if entry is not choices)
    if any(CHOICE.search(text) for value in others for text in _texts(value)):
        return
    draft.found.add(
        warning(
            "MC0433",
            f"nothing in the house rule `{layer.name}` depends on the choice",
            choices.key.span,
            "the word `choice` stands nowhere",
            help=["write `choice` where the value chosen belongs, or leave `choices` out"],
        )
    )


def _texts(node: YamlNode) -> Iterator[str]:
    if isinstance(node, YamlText):
        yield node.value
    elif isinstance(node, YamlMap):
        for entry in node:
            yield entry.key.value
            yield from _texts(entry.value)
    else:
        for item in node:
            yield from _texts(item)


# ---- house rules ------------------------------------------------------------


def _reckon(draft: Draft, layer: Layer) -> None:
    """Tell what an expression changes from what comes to the same for all numbers of players."""
    players = draft.cells.get(("players",))
    for change in draft.reckoned.get(layer.title, []):
        if players is not None and same_at_all_tables(change.earlier, change.value, players.value):
            draft.repeats.setdefault(layer.title, []).append(change.repeat)
        else:
            draft.changed.add(layer.title)


def _report_no_effect(draft: Draft, layer: Layer) -> None:
    repeats = draft.repeats.get(layer.title, [])
    labels = [
        Label(repeat.before.span, f"{spoken(repeat.path)} is so already: {repeat.before.source}")
        for repeat in repeats
        if repeat.before is not None
    ]
    unsaid = [spoken(repeat.path) for repeat in repeats if repeat.before is None]
    # What depends on the number of players is asked for without a look at this table: no error.
    reckoned = layer.title in draft.reckoned
    draft.found.add(
        (warning if reckoned else error)(
            "MC0409",
            f"the house rule `{layer.label}` changes nothing here",
            repeats[0].now.span if repeats else layer.span,
            "with this number of players it comes to the same" if reckoned else "already so",
            secondary=labels,
            help=["leave it out"],
            notes=[f"{what} is so where nothing is said" for what in unsaid],
        )
    )


def _speaks_of_absent_jokers(draft: Draft, layer: Layer) -> bool:
    jokers = draft.cells.get(("pack", "jokers"))
    if jokers is not None and not (
        isinstance(jokers.value, tree.Number) and jokers.value.value == 0
    ):
        return False
    cells = [cell.value for cell in draft.cells.values() if cell.steps[-1].source == layer.title]
    return any(_is_joker(node) for node in walk((layer.declarations, tuple(cells))))


def _is_joker(node: object) -> bool:
    if isinstance(node, tree.RankLiteral):
        return node.rank == _JOKER
    return isinstance(node, tree.CardAlternative) and any(
        word is not None and word.text == _JOKER for word in (node.low, node.high)
    )


def _report_no_jokers(draft: Draft, layer: Layer) -> None:
    jokers = draft.cells.get(("pack", "jokers"))
    labels = [Label(jokers.span, "no jokers here")] if jokers and jokers.span else []
    draft.found.add(
        error(
            "MC0417",
            f"the house rule `{layer.label}` is about jokers, and there are none",
            layer.span,
            "this house rule",
            secondary=labels,
            help=["leave it out, or give the pack jokers: `--house jokers=2`"],
        )
    )


# ---- values that repeat ------------------------------------------------------------


def _report_repeats(draft: Draft, layer: Layer) -> None:
    """A warning for each setting, row or table of which every value was so before."""
    repeats: dict[Path, list[Repeat]] = {}
    for repeat in draft.repeats.get(layer.title, []):
        repeats.setdefault(_group(draft, repeat.path), []).append(repeat)
    written = Counter(_group(draft, path) for path in draft.written.get(layer.title, []))
    for group, members in repeats.items():
        if len(members) < written[group] or _is_context(draft, layer, group):
            continue
        if _is_worth_saying(layer, members):
            _report_repeat(draft, layer, group, members[0])


def _is_context(draft: Draft, layer: Layer, group: Path) -> bool:
    """Whether it is one value of a variant that changes others: it is said along with them, so
    that the game can be read in one place.
    """
    changes = layer.title in draft.changed
    return layer.kind is Kind.VARIANT and changes and group[0] in _SINGLE


def _is_worth_saying(layer: Layer, members: list[Repeat]) -> bool:
    """A variant may well say what a machine or part only has as its default."""
    inherited = Kind.VARIANT.value + " "
    return layer.kind is not Kind.VARIANT or any(
        repeat.before is not None and repeat.before.source.startswith(inherited)
        for repeat in members
    )


def _group(draft: Draft, path: Path) -> Path:
    """What is written and read together: rows of a list of numbers, columns of a row."""
    table = path[0]
    if table == "pack":
        return (table,)
    if table in CATEGORY_WORDS and len(path) == 2:
        return path
    form = form_of(draft, table)
    if form in ("number", "band", "card"):
        return (table,)
    return path[:2]


def _report_repeat(draft: Draft, layer: Layer, group: Path, repeat: Repeat) -> None:
    before = repeat.before
    where = before.source if before else "where nothing is said"
    draft.found.add(
        warning(
            "MC0411",
            f"{spoken(group)} is so already",
            repeat.now.span,
            "this changes nothing",
            secondary=[Label(before.span, f"set here by {where}")] if before else [],
            help=["leave it out"],
        )
    )
