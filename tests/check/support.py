"""Compiling a small variant, and the words that its diagnostics underline."""

from __future__ import annotations

from pathlib import Path

from meldc.compilation import Compilation, compile_spec


def compiled(folder: Path, base: str, text: str) -> Compilation:
    """A variant `mine` of a base, with a text below its head."""
    path = folder / "mine.yaml"
    path.write_text(f"variant: mine\ntitle: Mine\nextends: {base}\n{text}\n", encoding="utf-8")
    return compile_spec(path)


def in_rules(rules: str) -> str:
    """The `rules:` of a YAML file."""
    lines = (f"  {line}\n" if line else "\n" for line in rules.split("\n"))
    return f"rules: |\n{''.join(lines)}"


def underlined(compilation: Compilation) -> list[tuple[str, str]]:
    """Code and underlined words of every diagnostic; of several lines the first."""
    found = []
    for each in compilation.diagnostics:
        span = each.primary.span
        assert span is not None
        source = compilation.sources.get(span.file)
        assert source is not None
        end = span.end_column - 1 if span.line == span.end_line else None
        found.append((each.code, source.line(span.line)[span.column - 1 : end]))
    return found
