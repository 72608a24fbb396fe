"""`allow:` in a file: warnings that are meant so, each by its code and with a reason."""

from __future__ import annotations

from collections.abc import Iterable

from meldc.diagnostics import CODES, Collector, Diagnostic, did_you_mean, warning
from meldc.resolve.model import Allowed, Resolved

_NO_NEWS = frozenset({"MC0411"})
"""Codes of what is merely not needed; the very line may be what an error is about."""


def in_order(found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Errors first, and beside them nothing of what is merely not needed."""
    told = tuple(found)
    failed = any(each.is_error for each in told)
    kept = (each for each in told if not (failed and each.code in _NO_NEWS))
    return tuple(sorted(kept, key=lambda each: not each.is_error))


def silenced(found: Collector, model: Resolved) -> tuple[Diagnostic, ...]:
    """What was found, errors first, without the warnings that a file of the game allows.

    An error cannot be allowed. A silencer of the game itself that silences nothing is told; with
    house rules laid on it, it may well have lost its sense.
    """
    diagnostics = found.result()
    codes = {each.code for each in model.allowed}
    heard = {each.code for each in diagnostics if not each.is_error}
    failed = {each.code for each in diagnostics if each.is_error}
    kept = [each for each in diagnostics if each.is_error or each.code not in codes]
    for each in model.allowed:
        if each.source != f"variant {model.name}":
            continue
        if each.code not in CODES or (each.code not in heard and not model.house and not failed):
            kept.append(_idle(each))
        elif each.code in failed and each.code not in heard:
            kept.append(_in_vain(each))
    return in_order(Collector(kept).result())


def _idle(allowed: Allowed) -> Diagnostic:
    if allowed.code not in CODES:
        return warning(
            "MC0430",
            f"there is no code `{allowed.code}`",
            allowed.span,
            "nothing has this code",
            help=did_you_mean(allowed.code, CODES) or ("every warning shows its code",),
        )
    return warning(
        "MC0430",
        f"nothing here is silenced by `{allowed.code}`",
        allowed.span,
        "this game has no such warning",
        help=("delete it",),
    )


def _in_vain(allowed: Allowed) -> Diagnostic:
    return warning(
        "MC0430",
        f"`{allowed.code}` is an error here, and errors are not silenced",
        allowed.span,
        "only warnings can be allowed",
        help=("cure the error",),
    )
