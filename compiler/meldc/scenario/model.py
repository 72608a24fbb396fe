"""What a scenario file says, and what became of its tests."""

from __future__ import annotations

from typing import Any, TypeAlias

from meldc.diagnostics import Diagnostic
from meldc.source import Rebase, Span
from meldc_runtime.light import dataclass

Plain: TypeAlias = Any
"""Values without places: texts, whole numbers, lists and maps of them."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text of a step with its place, and the way from a place in it to the file."""

    value: str
    span: Span
    rebase: Rebase


@dataclass(frozen=True, slots=True)
class Step:
    """A line of `steps`: what is done or claimed.

    texts: the value where it is a text, or a list of them. because: the rule that must be among
    the reasons.
    """

    keyword: str
    value: Plain
    texts: tuple[Text, ...]
    because: str | None
    span: Span


@dataclass(frozen=True, slots=True)
class Case:
    """A test.

    given: the position. places: where its values stand, by their path (the places of a list by
    number, from 0). steps: what is tried;
    None where a finished deal is scored, then `scores` are expected.
    """

    name: str
    clause: str
    given: dict[str, Plain]
    places: dict[tuple[str, ...], Span]
    seed: int | None
    steps: tuple[Step, ...] | None
    scores: dict[str, int]
    span: Span


@dataclass(frozen=True, slots=True)
class Suite:
    """A scenario file: the game its tests are about, and the tests."""

    file: str
    variant: str
    variant_span: Span
    house: tuple[Text, ...]
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a test. reason: empty when it passed; diagnostics: what is wrong in it."""

    file: str
    name: str
    clause: str
    passed: bool
    reason: str
    diagnostics: tuple[Diagnostic, ...] = ()
