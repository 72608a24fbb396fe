"""Whether a variant means the game that it builds on."""

from __future__ import annotations

from meldc.check.inspection import Inspection
from meldc.diagnostics import Collector, Label, error
from meldc.load.catalogue import Kind, shipped
from meldc.resolve.model import Resolved

MOST_REPLACED = 0.6
"""Of what a variant inherits so much may be replaced; more of it is another game."""

FEWEST = 12
"""With fewer inherited values nothing is said."""

_UNKNOWN = ("MC0450", "MC0451", "MC0452", "MC0454", "MC0459", "MC0608")


def check_intent(inspection: Inspection) -> None:
    """Warns of a variant that replaces nearly all that it inherits."""
    mine = f"variant {inspection.model.name}"
    inherited = replaced = 0
    for _, steps in inspection.model.provenance():
        variants = [step.source for step in steps if step.source.startswith("variant ")]
        if any(source != mine for source in variants):
            inherited += 1
            replaced += variants[-1] == mine
    if inherited < FEWEST or replaced < MOST_REPLACED * inherited:
        return
    inspection.warn(
        "MC0431",
        f"`{inspection.model.name}` replaces {replaced} of the {inherited} values it inherits",
        inspection.variant_span,
        "nearly another game",
        help=("extend a variant that is nearer, or name the machine and say all of it",),
    )


def lacking(found: Collector, model: Resolved) -> Collector:
    """What was found, with one problem in the place of many where the game lacks names.

    A machine takes for granted that the game declares some classes of cards. Where it does not,
    each use in the machine would be reported, in a file that its author has not written.
    """
    diagnostics = found.result()
    files = {place.shown for kind in (Kind.MACHINE, Kind.PART) for place in shipped(kind).values()}
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
    listed = ", ".join(f"`{name}`" for name in sorted(names))
    first = strange[0]
    kept = Collector(each for each in diagnostics if each not in strange)
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
