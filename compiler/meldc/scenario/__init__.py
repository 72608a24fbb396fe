"""Scenario files: tests of a game written as positions and plays."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from meldc.compilation import compile_spec
from meldc.diagnostics import COMMAND_LINE, CompileError, Diagnostic, Label
from meldc.load.catalogue import is_path
from meldc.load.documents import load_scenario
from meldc.scenario.expressions import ExpressionChecker
from meldc.scenario.model import Outcome, Suite
from meldc.scenario.reading import read_suite
from meldc.scenario.running import run_suite
from meldc.source import Sources
from meldc_runtime.game import Game

__all__ = ["Outcome", "run_file"]


def run_file(path: Path, sources: Sources) -> tuple[Outcome, ...]:
    """Runs the tests of a file; the texts that diagnostics point into are added to `sources`.

    Raises CompileError where the file cannot be read, or its game cannot be compiled.
    """
    suite = read_suite(load_scenario(path, sources), str(path))
    compilation = compile_spec(
        _beside(path, suite.variant), [_beside(path, house.value) for house in suite.house]
    )
    for source in compilation.sources:
        sources.add(source)
    if compilation.program is None or compilation.elaborator is None:
        raise CompileError(_in_the_file(each, suite) for each in compilation.diagnostics)
    return run_suite(suite, Game(compilation.program), ExpressionChecker(compilation.elaborator))


def _in_the_file(diagnostic: Diagnostic, suite: Suite) -> Diagnostic:
    """The problem with the places of the file in which the variant and house rules are named."""

    def placed(label: Label) -> Label:
        span = label.span
        if span is None:
            return Label(suite.variant_span, label.text)
        if span.file != COMMAND_LINE or not 1 <= span.line <= len(suite.house):
            return label
        return Label(suite.house[span.line - 1].span, label.text)

    secondary = tuple(placed(label) for label in diagnostic.secondary)
    return replace(diagnostic, primary=placed(diagnostic.primary), secondary=secondary)


def _beside(scenario: Path, reference: str) -> str:
    """A path in a scenario file starts at the folder of that file; names stay names."""
    beside = scenario.parent / reference
    return str(beside) if is_path(reference) and beside.exists() else reference
