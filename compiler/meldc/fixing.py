"""Applies the certain fixes of a game's files, one round after the other, each checked again.

A fix can bring to light what could not be seen before; so the game is compiled anew after each
round. A fix is given up where the problem is still there, or another one stands in its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from meldc.assets import data_root
from meldc.compilation import Compilation, compile_spec
from meldc.diagnostics import Diagnostic
from meldc.diagnostics.fixes import edited, with_fix, without_overlaps
from meldc.load.text_reader import unsaved

MOST_ROUNDS = 20
_LEXICAL = frozenset({"MC0306", "MC0310"})
"""Codes whose fix is right whatever stands around it."""


@dataclass
class Repair:
    """A game while its files are mended, in memory.

    before, after: the texts of changed files by the name they are shown under. done: the
    problems cured; given_up: those whose fix did not hold. left: what compiling the mended files
    finds.
    """

    left: Compilation
    before: dict[str, str] = field(default_factory=dict)
    after: dict[str, str] = field(default_factory=dict)
    done: list[Diagnostic] = field(default_factory=list)
    given_up: set[tuple[str, str]] = field(default_factory=set)

    def found(self) -> tuple[Diagnostic, ...]:
        """What is left, each with its fix where one is certain and was not given up."""
        return tuple(
            replace(each, fix=None) if _name(each) in self.given_up else each
            for each in fixable(self.left)
        )


def fixable(compilation: Compilation) -> tuple[Diagnostic, ...]:
    """The diagnostics, each with its fix where one is certain; errors before warnings."""
    found = [with_fix(each, compilation.sources) for each in compilation.diagnostics]
    return tuple(sorted(found, key=lambda each: not each.is_error))


def repair(spec: str, houses: Sequence[str]) -> Repair:
    """Mends what is certain, without writing a file."""
    state = Repair(compile_spec(spec, houses))
    for _ in range(MOST_ROUNDS):
        chosen = [
            each
            for each in fixable(state.left)
            if each.fix is not None and _name(each) not in state.given_up and _is_own(each)
        ]
        fixes = without_overlaps(each.fix for each in chosen if each.fix is not None)
        chosen = [each for each in chosen if each.fix in fixes]
        if not chosen:
            break
        failed = _try(state, spec, houses, chosen)
        if failed and len(chosen) > 1:
            failed = [each for each in chosen if _try(state, spec, houses, [each])]
        state.given_up |= {_name(each) for each in failed}
    return state


def _name(diagnostic: Diagnostic) -> tuple[str, str]:
    return diagnostic.code, diagnostic.message


def _is_own(diagnostic: Diagnostic) -> bool:
    """Whether all edits are in files of the user, not in what is shipped."""
    assert diagnostic.fix is not None
    shipped = data_root("specs")
    for edit in diagnostic.fix.edits:
        path = Path(edit.span.file)
        if not path.is_file():
            return False
        if isinstance(shipped, Path) and path.resolve().is_relative_to(shipped.resolve()):
            return False
    return True


def _try(
    state: Repair, spec: str, houses: Sequence[str], chosen: Sequence[Diagnostic]
) -> list[Diagnostic]:
    """Applies fixes if all hold; else leaves everything as it is and gives those that do not."""
    sources = state.left.sources
    texts = dict(state.after)
    edits = [edit for each in chosen if each.fix is not None for edit in each.fix.edits]
    for file in {edit.span.file for edit in edits}:
        source = sources.get(file)
        assert source is not None
        here = [edit for edit in edits if edit.span.file == file]
        texts[file] = edited(source, here)
    with unsaved(texts):
        result = compile_spec(spec, houses)
    known = {_name(each) for each in state.left.diagnostics}
    failed = [each for each in chosen if not _holds(each, result.diagnostics, known)]
    if failed:
        return failed
    for file in texts:
        source = sources.get(file)
        if source is not None:
            state.before.setdefault(file, source.text)
    state.after = texts
    state.done += chosen
    state.left = result
    return []


def _holds(cured: Diagnostic, now: Sequence[Diagnostic], known: set[tuple[str, str]]) -> bool:
    """Whether a problem is gone, and none of its kind or an earlier pass has taken its place."""
    if any(_name(each) == _name(cured) for each in now):
        return False
    if cured.code in _LEXICAL:
        return True
    span = cured.primary.span
    assert span is not None
    return not any(
        each.is_error
        and _name(each) not in known
        and each.code[:4] <= cured.code[:4]
        and each.primary.span is not None
        and each.primary.span.file == span.file
        and span.line <= each.primary.span.line <= span.end_line + 1
        for each in now
    )
