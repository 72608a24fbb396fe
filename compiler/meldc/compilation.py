"""The whole way from the name of a game to its Program."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from meldc.check.elaborator import Elaborator
from meldc.check.intent import lacking
from meldc.check.pointing import at_the_author
from meldc.check.program import check_program
from meldc.check.silencing import in_order, silenced
from meldc.diagnostics import Collector, Diagnostic
from meldc.lower import lower
from meldc.resolve.model import Resolved
from meldc.resolve.resolving import resolve
from meldc.source import Sources
from meldc.syntax.kept import keeping
from meldc_runtime.light import dataclass
from meldc_runtime.program import Program


@dataclass(frozen=True)
class Compilation:
    """What compiling gave. program: None where a diagnostic is an error.

    elaborator: names and types of the game, for expressions written elsewhere (scenarios); None
    where the files could not be put together.
    """

    program: Program | None
    diagnostics: tuple[Diagnostic, ...]
    sources: Sources
    model: Resolved | None = None
    elaborator: Elaborator | None = None


def compile_spec(spec: str | Path, houses: Sequence[str] = ()) -> Compilation:
    """The Program of a variant (a shipped name or a path) with house rules laid over it.

    Nothing a user wrote makes this raise; all problems of a run are in the diagnostics.
    """
    with keeping():
        model, problems, sources = resolve(spec, houses)
    found = Collector(problems)
    if model is None:
        return Compilation(None, in_order(found.result()), sources)
    elaborator = Elaborator(model, found)
    program = lower(elaborator)
    if found.has_errors:
        found = lacking(found, model)
    else:
        check_program(elaborator, program)
    finished = None if found.has_errors else program
    led = Collector(at_the_author(found.result(), model))
    return Compilation(finished, silenced(led, model), sources, model, elaborator)
