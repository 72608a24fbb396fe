"""The form of a page."""

from __future__ import annotations

from enum import StrEnum

from meldc_runtime.light import dataclass


class Example(StrEnum):
    """What the failing example of a page is, so that a test can feed it to the compiler."""

    VARIANT = "variant"
    HOUSE = "house rule"
    SCENARIO = "scenario"
    RULES = "rules"
    RECORD = "record"
    COMMAND = "command"


@dataclass(frozen=True, slots=True)
class CodePage:
    """A code: what it is called, one paragraph about it, an example that fails, the cure.

    `unreadable` marks what makes an input unreadable as a whole (exit 2, not 1); `in_the_file`
    says that the place reported is in that input, not in another file that names it.
    """

    code: str
    title: str
    explanation: str
    example: str
    cure: str
    kind: Example = Example.VARIANT
    unreadable: bool = False
    in_the_file: bool = False
