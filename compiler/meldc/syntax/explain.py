"""What the parser met and did not expect, in the words of the language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from meldc.diagnostics import Diagnostic, did_you_mean, error
from meldc.source import Span
from meldc.syntax.grammar import keywords
from meldc.syntax.layout import DECLARATION_WORDS, HEADER_WORDS

VALUE_STARTS = frozenset(
    ("NAME", "NUMBER", "RANK", "CARD", "TRUTH", "NONE", "LPAR", "MINUS", "NOT", "IF", "END")
)
OPERATORS = frozenset(
    ("DOT", "LSQB", "LPAR", "STAR", "_PLUS", "MINUS", "_TO", "_AND", "_OR", "COMPARE", "IN")
) | frozenset(("IS", "EXISTS", "WHERE", "OTHERWISE", "ARE", "BY", "WITHOUT"))
_KINDS = {
    "NAME": "a name",
    "NUMBER": "a number",
    "RANK": "a rank",
    "CARD": "a card",
    "TRUTH": '"yes" or "no"',
    "TAG": "a tag such as `AB-12`",
    "STRING": "a text in double quotes",
    "COMPARE": '"="',
    "_AND": '"and"',
    "_OR": '"or"',
}
_SIGNS = {"_COMMA": '","', "_PLUS": '"+"', "_TO": '".."'}
_ENDS = {
    "_NL": "the end of the line",
    "_INDENT": "an indented line",
    "_DEDENT": "the end of the body",
    "$END": "the end",
}
LAYOUT = frozenset(_ENDS)
_EFFECT_WORDS = frozenset(
    "let move meld go end shuffle redeal if for".split()  # noqa: SIM905 - read as a list
)
_INSTEAD = {
    "forbids": '"forbidden when …"',
    "elif": '"else if …"',
    "elsif": '"else if …"',
    "elseif": '"else if …"',
    "while": '"when …"; "while" begins only "while another will do" and its like',
    "return": '"gives …"',
    "set": '"NAME becomes …"',
}


@dataclass(frozen=True, slots=True)
class Stumble:
    """Where the parser stopped: on what kind of token, what could have followed.

    `found` is the text it read, empty for layout; `first_word` begins the whole stretch.
    """

    kind: str
    accepts: frozenset[str]
    found: str
    first_word: str
    span: Span


def explain(stumble: Stumble) -> Diagnostic:
    """The diagnostic of one stumble."""
    if special := next((said for judge in _JUDGES if (said := judge(stumble))), None):
        return special
    expected = expected_words(stumble.accepts)
    if stumble.kind in ("_DEDENT", "$END"):
        return error(
            "MC0309",
            f"{_thing(stumble)} ends too early: expected {expected}",
            stumble.span,
            "more is expected here",
            help=_help(stumble),
        )
    read = {
        "_NL": "the line ends here",
        "_INDENT": "this line is indented",
    }.get(stumble.kind, f"found `{stumble.found}`")
    return error(
        "MC0301",
        f"expected {expected}, {'but ' if stumble.kind in LAYOUT else ''}{read}",
        stumble.span,
        help=_help(stumble),
    )


def expected_words(accepts: frozenset[str]) -> str:
    """`"requires", "forbidden" or "allowed"`: what may follow, the likeliest first."""
    left = set(accepts)
    known = keywords()
    said: list[str] = []
    if {"NAME", "NUMBER", "LPAR"} <= left:
        said.append("a value")
        left -= VALUE_STARTS
    elif {"DOT", "LSQB"} <= left:
        left -= OPERATORS
        said += ['"are"', '"by"'] if "ARE" in accepts else []
        if not left - {"_NL", "$END"} and not said:
            said.append("an operator")
    fixed = sorted(
        (known[each] for each in left if each in known),
        key=lambda word: (not word.isalpha(), word),
    )
    words = [f'"{word}"' for word in fixed]
    kinds = [said for each, said in _KINDS.items() if each in left]
    signs = [said for each, said in _SIGNS.items() if each in left]
    ends = [said for each, said in _ENDS.items() if each in left]
    return _either([*said, *kinds, *words, *signs, *ends])


def _either(words: Iterable[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last


def _thing(stumble: Stumble) -> str:
    if stumble.first_word in DECLARATION_WORDS:
        return f"this `{stumble.first_word}`"
    return "the text"


def _help(stumble: Stumble) -> tuple[str, ...]:
    if instead := _INSTEAD.get(stumble.found):
        return (f"write {instead}",)
    if stumble.kind != "NAME" or len(stumble.found) < 3:
        return ()
    known = keywords()
    return did_you_mean(stumble.found, [known[each] for each in stumble.accepts if each in known])


# ---- the common mistakes ------------------------------------------------------------------------


def _judge_missing_reason(stumble: Stumble) -> Diagnostic | None:
    if "BECAUSE" not in stumble.accepts or stumble.kind not in ("_DEDENT", "$END"):
        return None
    return error(
        "MC0309",
        f"this {stumble.first_word if stumble.first_word != 'replace' else 'declaration'}"
        " does not say why",
        stumble.span,
        "a reason is expected here",
        help=('end it with a line `because "…"`, a sentence for the players',),
    )


def _judge_missing_then(stumble: Stumble) -> Diagnostic | None:
    if "THEN" not in stumble.accepts or stumble.found not in _EFFECT_WORDS:
        return None
    return error(
        "MC0301",
        f'expected "then" before the effect, found `{stumble.found}`',
        stumble.span,
        help=("what happens stands behind `then`, or indented in the lines below it",),
    )


def _judge_chained_comparison(stumble: Stumble) -> Diagnostic | None:
    if stumble.kind != "COMPARE" or "_AND" not in stumble.accepts:
        return None
    return error(
        "MC0311",
        "comparisons are not chained",
        stumble.span,
        "this is a second comparison",
        help=("join two of them with `and`, or put one in parentheses",),
    )


def _judge_capital_name(stumble: Stumble) -> Diagnostic | None:
    wants_name = "NAME" in stumble.accepts and "NUMBER" not in stumble.accepts
    if not wants_name or stumble.kind not in ("RANK", "CARD", "TAG"):
        return None
    return error(
        "MC0307",
        f"`{stumble.found}` cannot be a name here",
        stumble.span,
        help=("names are written in small letters; `A`, `K` … are ranks, `7S` is a card",),
    )


def _judge_reserved_name(stumble: Stumble) -> Diagnostic | None:
    wants_name = "NAME" in stumble.accepts and "NUMBER" not in stumble.accepts
    if not wants_name or not re.fullmatch(r"[a-z_]\w*", stumble.found):
        return None
    return error(
        "MC0320",
        f"expected a name, but `{stumble.found}` is a word of the language",
        stumble.span,
        help=("choose another name",),
    )


def _judge_indent(stumble: Stumble) -> Diagnostic | None:
    if stumble.kind == "_INDENT":
        return error(
            "MC0303",
            "this line is indented deeper than it can be",
            stumble.span,
            help=(
                "lines of one body begin at the same column; a line goes on to the next inside "
                "brackets and after a closing `and`, `or`, `+` or `,`",
            ),
        )
    if stumble.accepts != {"_INDENT"} or not stumble.found:
        return None
    return error(
        "MC0303",
        f"the body of {_thing(stumble)} is not indented",
        stumble.span,
        help=("indent the lines that belong to it by two blanks",),
    )


def _judge_empty(stumble: Stumble) -> Diagnostic | None:
    if stumble.kind != "$END" or stumble.first_word:
        return None
    return error("MC0309", "nothing stands here, but a value is expected", stumble.span)


_JUDGES: tuple[Callable[[Stumble], Diagnostic | None], ...] = (
    _judge_empty,
    _judge_missing_reason,
    _judge_missing_then,
    _judge_chained_comparison,
    _judge_capital_name,
    _judge_reserved_name,
    _judge_indent,
)


def explain_first_word(word: str, span: Span) -> Diagnostic:
    """A line at the left edge that begins no declaration."""
    if word in HEADER_WORDS:
        return error(
            "MC0318",
            f"`{word} …` is the first line of a `.rules` file and stands nowhere else",
            span,
        )
    near = did_you_mean(word, DECLARATION_WORDS)
    known = ", ".join(f"`{each}`" for each in DECLARATION_WORDS)
    return error(
        "MC0308",
        f"`{word}` begins no declaration",
        span,
        help=(*near, f"a declaration begins with one of {known}; its further lines are indented"),
    )
