"""Files of rows: written as deals are played, read again later."""

from __future__ import annotations

import json
import typing
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

from meldc_runtime.simulation.rows import OF_WATCHED, Row

PARQUET = ".parquet"

NESTED = (
    "actions", "won", "scores", "totals", "lines", "memory", "left", "melds", "sorts",
    "bots", "moments", "bands", "asked",
)  # fmt: skip
"""Columns that hold JSON in a Parquet file, since their shape differs from deal to deal."""
TEXT = ("set", "dealer", "first", "end", "ended_by")
TRUTHS = ("whole", "game_over")


class MissingExtraError(Exception):
    """A package is needed that is not installed."""

    def __init__(self, what: str, package: str, extra: str) -> None:
        super().__init__(
            f'{what} needs the package `{package}`: install it with `pip install "meldc[{extra}]"`'
        )


class RowsFile(Protocol):
    """Where rows go. Raises OSError from `write` where the system refuses; what was written before
    stays whole.
    """

    def write(self, rows: Sequence[str]) -> None:
        """Writes rows, each a line of JSON."""

    def close(self) -> None:
        """Writes what is left, and closes the file."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def rows_file(path: Path, *, append: bool = False) -> RowsFile:
    """A file of rows to write; its name says in which form. append: after the rows that it has;
    Parquet is always written anew.

    Raises OSError, MissingExtraError.
    """
    return ParquetFile(path) if path.suffix == PARQUET else LinesFile(path, append=append)


def file_of_the_rest(path: Path, start: int) -> Path:
    """The file for the rows from a game on, where those before it are in another: the same, if it
    can be added to.
    """
    return path.with_stem(f"{path.stem}-{start}") if path.suffix == PARQUET and start else path


class LinesFile(RowsFile):
    """JSON, a deal a line."""

    def __init__(self, path: Path, *, append: bool = False) -> None:
        self.path = path
        self.file = path.open("ab" if append else "wb", buffering=0)

    def write(self, rows: Sequence[str]) -> None:
        data = memoryview("".join(f"{row}\n" for row in rows).encode())
        before = self.file.tell() if self.file.seekable() else None
        try:
            while data:
                data = data[self.file.write(data) :]
        except OSError as problem:
            if before is not None:
                with suppress(OSError):  # no half a row is left behind in a file
                    self.file.truncate(before)
            problem.filename = problem.filename or str(self.path)
            raise

    def close(self) -> None:
        self.file.close()


class ParquetFile(RowsFile):
    """Parquet, written in groups of rows by pyarrow."""

    GROUP = 2000

    def __init__(self, path: Path) -> None:
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError:
            raise MissingExtraError("writing Parquet", "pyarrow", "parquet") from None
        self.arrow: Any = pyarrow
        self.path = path
        self.schema = pyarrow.schema([(name, _arrow_type(pyarrow, name)) for name in COLUMNS])
        self.writer: Any = pyarrow.parquet.ParquetWriter(str(path), self.schema)
        self.waiting: list[dict[str, Any]] = []

    def write(self, rows: Sequence[str]) -> None:
        self.waiting += [flat(json.loads(row)) for row in rows]
        if len(self.waiting) >= self.GROUP:
            self._flush()

    def _flush(self) -> None:
        waiting, self.waiting = self.waiting, []
        if waiting:
            self.writer.write_table(self.arrow.Table.from_pylist(waiting, schema=self.schema))

    def close(self) -> None:
        try:
            self._flush()
        finally:
            self.writer.close()


COLUMNS = tuple(Row.__annotations__)


def _arrow_type(pyarrow: Any, name: str) -> Any:
    if name in NESTED or name in TEXT:
        return pyarrow.string()
    return pyarrow.bool_() if name in TRUTHS else pyarrow.int64()


def flat(row: dict[str, Any]) -> dict[str, Any]:
    """A row with JSON in the place of what is nested."""
    return {
        name: json.dumps(value, ensure_ascii=False) if name in NESTED else value
        for name, value in row.items()
    }


def read_rows(path: Path) -> Iterator[Row]:
    """The rows of a file, one by one. Raises OSError, MissingExtraError, and ValueError for what
    is no row.
    """
    read = _read_parquet if path.suffix == PARQUET else _read_lines
    for number, row in enumerate(read(path), 1):
        if not (isinstance(row, dict) and row.keys() >= REQUIRED and _fits(row, Row)):
            raise _no_row(number)
        yield row  # type: ignore[misc]


REQUIRED = Row.__annotations__.keys() - OF_WATCHED


def _no_row(number: int) -> ValueError:
    return ValueError(f"line {number} is no row of `meldc simulate`")


def _read_lines(path: Path) -> Iterator[Any]:
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                row = json.loads(line)
            except (ValueError, RecursionError):
                raise _no_row(number) from None
            yield row


def _read_parquet(path: Path) -> Iterator[Any]:
    try:
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("reading Parquet", "pyarrow", "parquet") from None
    parquet: Any = pyarrow.parquet
    with parquet.ParquetFile(str(path)) as file:
        for batch in file.iter_batches(batch_size=ParquetFile.GROUP):
            for row in batch.to_pylist():
                yield {
                    name: json.loads(value) if name in NESTED else value
                    for name, value in row.items()
                    if value is not None
                }


@cache
def _hints(cls: Any) -> Mapping[str, Any]:
    """The types of what a dictionary of this class holds."""
    return typing.get_type_hints(cls)


def _fits(value: Any, hint: Any) -> bool:
    """Whether a value read from JSON has a type that is declared for rows."""
    if hint is Any:  # one value, or one for each owner
        parts = value if isinstance(value, list) else [value]
        return all(part is None or isinstance(part, int | str) for part in parts)
    if typing.is_typeddict(hint):
        hints = _hints(hint)
        return isinstance(value, dict) and all(
            name in hints and _fits(part, hints[name]) for name, part in value.items()
        )
    options = typing.get_args(hint)
    match typing.get_origin(hint):
        case typing.Literal:
            return value in options
        case origin if origin is list:
            return isinstance(value, list) and all(_fits(part, options[0]) for part in value)
        case origin if origin is dict:
            return isinstance(value, dict) and all(
                _fits(part, options[1]) for part in value.values()
            )
        case None:
            return type(value) is hint
    return any(_fits(value, option) for option in options)
