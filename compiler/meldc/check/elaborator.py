"""What elaboration knows and shares: the model, what was found out so far, the problems met."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from meldc.check import types
from meldc.check.scope import Typed
from meldc.check.types import UNKNOWN, describe
from meldc.check.vocabulary import Vocabulary
from meldc.diagnostics import Collector, Label, error, warning
from meldc_runtime.light import dataclass
from meldc_runtime.program.expressions import Const, Expr, ListOf, SideOf

if TYPE_CHECKING:
    from meldc.resolve.model import Resolved
    from meldc.source import Span

NOTHING = Const(None, "none")
BROKEN = Typed(NOTHING, UNKNOWN)
"""What a mistake gives: nothing, of a type that fits everywhere."""


@dataclass(frozen=True, slots=True)
class Signature:
    """A definition worked out. extra: `player` or `side` where that is filled at each use."""

    name: str
    params: tuple[tuple[str, str], ...]
    body: Expr
    type: str
    extra: str = ""

    @property
    def subject(self) -> str:
        """The type of what the definition is about; empty for nothing."""
        declared = self.params[: len(self.params) - bool(self.extra)]
        return declared[0][1] if declared else ""


class Elaborator:
    """The model, its vocabulary, and what has been worked out: every name once."""

    def __init__(self, model: Resolved, found: Collector) -> None:
        self.model = model
        self.vocabulary = Vocabulary(model)
        self.found = found
        self.signatures: dict[str, Signature | None] = {}
        self.being_defined: list[str] = []
        self.known_types: dict[str, str] = {}
        self.ranks_told: set[int] = set()
        """Ranks of which it is said already that the pack has none."""

    # ---- problems --------------------------------------------------------------------------

    def error(
        self,
        code: str,
        message: str,
        span: Span | None,
        label: str = "",
        *,
        help: Iterable[str] = (),  # noqa: A002 - as in diagnostics
        secondary: Iterable[Label] = (),
        notes: Iterable[str] = (),
    ) -> Typed:
        """Reports an error; gives what stands for the mistake, so that checking goes on."""
        self.found.add(
            error(code, message, span, label, help=help, secondary=secondary, notes=notes)
        )
        return BROKEN

    def warn(
        self,
        code: str,
        message: str,
        span: Span | None,
        label: str = "",
        *,
        help: Iterable[str] = (),  # noqa: A002
    ) -> None:
        self.found.add(warning(code, message, span, label, help=help))

    def attempt(self, elaborate: Callable[[], Typed]) -> Typed | None:
        """The result of an elaboration, or None where it met an error (which is forgotten)."""
        kept, self.found = self.found, Collector()
        told = set(self.ranks_told)
        try:
            result = elaborate()
            return None if self.found.has_errors else result
        finally:
            self.found, self.ranks_told = kept, told

    # ---- types -----------------------------------------------------------------------------

    def wrong_type(self, found: str, wanted: str, span: Span | None, role: str = "") -> Typed:
        """Reports that a value of one type stands where another belongs."""
        what = f"{role}: " if role else ""
        return self.error(
            "MC0501",
            f"{what}{describe(found)} where {describe(wanted)} belongs",
            span,
            f"this is {describe(found)}",
            help=_cure(found, wanted),
        )

    def coerce(self, value: Typed, wanted: str, span: Span | None, role: str = "") -> Expr:
        """The value as one of the wanted type: a player counts as his side, one as a list."""
        if types.fits(value.type, wanted):
            return value.expr
        if value.type == types.PLAYER and wanted == types.SIDE:
            return SideOf(value.expr)
        if types.element_of(wanted) == value.type:
            return ListOf((value.expr,))
        return self.wrong_type(value.type, wanted, span, role).expr

    def join_types(self, left: Typed, right: Typed) -> tuple[Typed, Typed] | None:
        """Both values as one type, or None where they have none in common."""
        if types.NOTHING in (left.type, right.type) or UNKNOWN in (left.type, right.type):
            return left, right
        if types.fits(left.type, right.type):
            return left, right
        for one, other, flip in ((left, right, False), (right, left, True)):
            if types.element_of(other.type) == one.type:
                listed = Typed(ListOf((one.expr,)), other.type)
                return (other, listed) if flip else (listed, other)
        return None


def _cure(found: str, wanted: str) -> tuple[str, ...]:
    many = types.element_of(found)
    if wanted == types.YES_NO and many is not None:
        return ("`any(…)` asks whether there are some, `all(… are …)` whether all of them are so",)
    if wanted == types.NUMBER and many is not None:
        return ("`count(…)` says how many they are, `sum(… by value)` what they are worth",)
    if wanted == types.NUMBER and found == types.CARD:
        return ("a card's `value` or `number` is a number",)
    if wanted == types.PLAYER and found == types.CARD:
        return ("`laid_by` of a card is the player who laid it: `x.laid_by`",)
    if wanted == types.NUMBER and found == types.RANK:
        return ("the `number` of a card is its rank as a number",)
    if wanted == types.YES_NO:
        return ("a condition is a comparison, `any(…)`, `x is y` or something that is yes or no",)
    return ()
