"""Functions of a kernel: their first lines fetch what the body uses."""

from __future__ import annotations

import re
from collections import Counter

from meldc_runtime.writing.writer import Writer

READ = re.compile(r"len\(s\.lists\[\d+\]\)|\b[hmgwrc]\[\d+\]")
OFTEN = 8


class Function:
    """A function whose first lines fetch what its body uses."""

    def __init__(self, writer: Writer, head: str, sides: int, only_reads: bool = False) -> None:
        self.only_reads = only_reads
        self.writer = writer
        self.head = head
        self.sides = sides

    def __enter__(self) -> None:
        self.writer.line()
        self.writer.line()
        self.writer.line(f"def {self.head}:")
        self.writer.depth += 1
        self.start = len(self.writer.lines)

    def __exit__(self, *error: object) -> None:
        often = self._keep_what_is_often_read() if self.only_reads else []
        body = "\n".join([*often, *self.writer.lines[self.start :]])
        first = []
        if re.search(r"\b[mrc]\[|\bq\b", body):
            body += " q"
            first.append(f"q = p % {self.sides}")
        first += [f"{name} = s.{name}[q]" for name in "mrc" if re.search(rf"\b{name}\[", body)]
        first += [f"{name} = s.{name}[p]" for name in "hw" if re.search(rf"\b{name}\[", body)]
        if re.search(r"\bg\[", body):
            first.append("g = s.g")
        if (first[:1] != ["g = s.g"] and first) or re.search(r"\bp\b", body):
            first.insert(0, "p = s.p")
        lines = [f"    {line}" for line in first] or ([] if body else ["    pass"])
        self.writer.lines[self.start : self.start] = [*lines, *often]
        self.writer.depth -= 1

    def _keep_what_is_often_read(self) -> list[str]:
        """Gives names to places that are read again and again; lines that say so."""
        body = self.writer.lines[self.start :]
        counts = Counter(READ.findall("\n".join(body)))
        often = sorted(place for place, count in counts.items() if count >= OFTEN)
        names = {place: "n_" + "_".join(re.findall(r"\w+", place)) for place in often}
        for number, line in enumerate(body):
            body[number] = READ.sub(lambda match: names.get(match[0], match[0]), line)
        self.writer.lines[self.start :] = body
        return [f"    {name} = {place}" for place, name in names.items()]
