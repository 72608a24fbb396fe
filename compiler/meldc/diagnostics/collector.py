"""What a pass found, gathered so that all of it is reported in one run."""

from __future__ import annotations

from collections.abc import Iterable

from meldc.diagnostics.record import CompileError, Diagnostic


class Collector:
    """Diagnostics in the order found; equal ones are kept once."""

    def __init__(self, diagnostics: Iterable[Diagnostic] = ()) -> None:
        self._found: dict[Diagnostic, None] = {}
        self.extend(diagnostics)

    def add(self, diagnostic: Diagnostic) -> None:
        self._found.setdefault(diagnostic)

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        for diagnostic in diagnostics:
            self.add(diagnostic)

    def __len__(self) -> int:
        return len(self._found)

    @property
    def has_errors(self) -> bool:
        return any(diagnostic.is_error for diagnostic in self._found)

    def result(self) -> tuple[Diagnostic, ...]:
        """All of them by file and place; those without a place come first."""
        return tuple(sorted(self._found, key=_place))

    def stop_on_errors(self) -> None:
        """End the pass here when it found an error: raise `CompileError` with everything found."""
        if self.has_errors:
            raise CompileError(self.result())


def _place(diagnostic: Diagnostic) -> tuple[str, int, int, str, str]:
    span = diagnostic.primary.span
    file, line, column = (span.file, span.line, span.column) if span else ("", 0, 0)
    return file, line, column, diagnostic.code, diagnostic.message
