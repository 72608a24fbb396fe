"""How kernels are compiled to be kept."""

from __future__ import annotations

import traceback
from typing import Any

import pytest

from meldc_runtime.kernel.kept import PART, compiled, execute

SOURCE = "".join(f"def f_{n}(x):\n    return x // {n}\n\n\n" for n in range(PART))
"""Several parts of source, of which the first function fails."""


def test_compiled__parts_make_what_the_whole_makes() -> None:
    whole: dict[str, Any] = {}
    exec(SOURCE + "LAST = (f_1, f_9)\n", whole)
    parts: dict[str, Any] = {}
    execute(compiled(SOURCE + "LAST = (f_1, f_9)\n", "parts"), parts)
    assert parts.keys() == whole.keys()
    assert [f(90) for f in parts["LAST"]] == [90, 10]
    last = f"f_{PART - 1}"
    assert parts[last].__code__.co_firstlineno == whole[last].__code__.co_firstlineno > PART


def test_compiled__tracebacks_name_the_source_and_its_line() -> None:
    names: dict[str, Any] = {}
    execute(compiled("\n" * (3 * PART) + SOURCE, "parts"), names)
    with pytest.raises(ZeroDivisionError) as failed:
        names["f_0"](1)
    frame = traceback.extract_tb(failed.value.__traceback__)[-1]
    assert (frame.filename, frame.lineno) == ("parts", 3 * PART + 2)


def test_compiled__nothing_is_nothing() -> None:
    names: dict[str, Any] = {}
    execute(compiled("", "parts"), names)
    assert names == {}
