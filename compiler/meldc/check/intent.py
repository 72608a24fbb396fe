"""Whether a variant means the game that it builds on."""

from __future__ import annotations

import re
from collections.abc import Iterator

from meldc.check.inspection import Inspection
from meldc.check.ownership import is_own
from meldc.diagnostics import Collector, Diagnostic, Label, error
from meldc.load.catalogue import Kind, shipped
from meldc.resolve.model import Resolved, Steps
from meldc.source import Span

MOST_REPLACED = 0.6
"""Of what a variant inherits so much may be replaced; more of it is another game."""

FEWEST = 12
"""With fewer inherited values nothing is said."""

MOST_UNDONE, FEWEST_ADDED = 0.75, 8
"""The same for the values by which the base differs from its own base."""

_UNKNOWN = ("MC0450", "MC0451", "MC0452", "MC0454", "MC0459", "MC0608")


def check_intent(inspection: Inspection) -> None:
    """Warns of a variant that replaces nearly all that it inherits, or all that its base adds."""
    model = inspection.model
    histories = [_variants(steps) for steps in _histories(model)]
    mine = f"variant {model.name}"
    inherited = [sources for sources in histories if any(each != mine for each in sources)]
    replaced = sum(sources[-1] == mine for sources in inherited)
    if len(inherited) >= FEWEST and replaced >= MOST_REPLACED * len(inherited):
        inspection.warn(
            "MC0431",
            f"`{model.name}` replaces {replaced} of the {len(inherited)} values it inherits",
            inspection.variant_span,
            "nearly another game",
            help=("extend a variant that is nearer, or name the machine and say all of it",),
        )
        return
    bases = [name for name in _line(histories) if name != mine]
    if len(bases) < 2:
        return
    base, before = bases[-1], bases[-2]
    added = [sources for sources in inherited if base in sources]
    replaced = sum(sources[-1] == mine for sources in added)
    if len(added) >= FEWEST_ADDED and replaced >= MOST_UNDONE * len(added):
        names = [each.partition(" ")[2] for each in (base, before)]
        inspection.warn(
            "MC0431",
            f"`{model.name}` replaces {replaced} of the {len(added)} values by which `{names[0]}` "
            f"differs from `{names[1]}`",
            inspection.variant_span,
            f"hardly anything of `{names[0]}` is left",
            help=(f"is `extends: {names[1]}` meant?",),
        )


def _histories(model: Resolved) -> Iterator[Steps]:
    """How every value came to be, and what was taken away."""
    yield from (steps for _, steps in model.provenance())
    yield from model.removed.values()


def _variants(steps: Steps) -> list[str]:
    return [step.source for step in steps if step.source.startswith("variant ")]


def _line(histories: list[list[str]]) -> list[str]:
    """The variants, each behind those that it builds on."""
    found: list[str] = []
    for sources in histories:
        for at, name in enumerate(sources):
            if name not in found:
                behind = [found.index(each) for each in sources[at + 1 :] if each in found]
                found.insert(min(behind, default=len(found)), name)
    return found


def lacking(found: Collector, model: Resolved) -> Collector:
    """What was found, with one problem in the place of many where the game lacks names.

    A machine takes for granted that the game declares some classes of cards. Where it does not,
    each use in the machine would be reported, in a file that its author has not written; so is
    each use of what the game removes.
    """
    files = {place.shown for kind in (Kind.MACHINE, Kind.PART) for place in shipped(kind).values()}
    found = _without_uses_of_removed(found, model)
    diagnostics = found.result()
    strange = [
        each
        for each in diagnostics
        if each.code in _UNKNOWN
        and each.primary.span is not None
        and each.primary.span.file in files
    ]
    if not strange or model.span is None or model.span.file in files:
        return found
    names = dict.fromkeys(name for each in strange if (name := _quoted(each.message)))
    kept = Collector(each for each in diagnostics if each not in strange)
    listed = ", ".join(f"`{name}`" for name in sorted(names))
    first = strange[0]
    kept.add(
        error(
            "MC0432",
            f"the game does not say what {listed} {'is' if len(names) == 1 else 'are'}",
            model.span,
            f"the machine `{model.machine}` asks for {'it' if len(names) == 1 else 'them'}",
            secondary=[Label(first.primary.span, "here, for instance")],
            help=_cures(model),
        )
    )
    return kept


def _without_uses_of_removed(found: Collector, model: Resolved) -> Collector:
    """Uses of what the game removes, in files that it builds on: one report, at the removal."""
    removed = {
        re.split(r"[ .]", what)[-1]: steps[-1].span
        for what, steps in model.removed.items()
        if is_own(model, steps)
    }
    kept, told = Collector(), set[Span]()
    for each in found.result():
        name = _quoted(each.message)
        place, use = removed.get(name), each.primary.span
        if each.code not in _UNKNOWN or place is None or use is None or use.file == place.file:
            kept.add(each)
        elif place not in told:
            told.add(place)
            kept.add(_removed_too_much(name, place, use))
    return kept


def _removed_too_much(name: str, place: Span, use: Span) -> Diagnostic:
    return error(
        "MC0432",
        f"`{name}` is removed, and what is left asks for it",
        place,
        "this takes it away",
        secondary=[Label(use, "asked for here")],
        help=("`replace` it in the place of removing it, or remove what asks for it, too",),
    )


def _quoted(message: str) -> str:
    parts = message.split("`")
    return parts[1] if len(parts) > 2 else ""


def _cures(model: Resolved) -> tuple[str, ...]:
    cures = ["declare classes of cards in `cards:`, other names in `rules:`"]
    builds_on = any(
        step.source.startswith("variant ") and step.source != f"variant {model.name}"
        for _, steps in model.provenance()
        for step in steps
    )
    if not builds_on:
        complete = _complete_games(model.machine)
        if complete:
            cures.insert(0, f"is `extends: {complete[0]}` meant, in the place of `machine:`?")
    return tuple(cures)


def _complete_games(machine: str) -> list[str]:
    """The shipped variants that say all that a machine asks for."""
    return [
        name
        for name, place in shipped(Kind.VARIANT).items()
        if f"machine: {machine}" in place.file.read_text(encoding="utf-8").splitlines()
    ]
