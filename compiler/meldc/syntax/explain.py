"""What the parser met and did not expect, in the words of the language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from meldc.diagnostics import Diagnostic, Edit, Fix, did_you_mean, error
from meldc.source import Span
from meldc.syntax.grammar import keywords
from meldc.syntax.hints import hint_of, hint_of_effect
from meldc.syntax.layout import DECLARATION_WORDS, HEADER_WORDS
from meldc_runtime.light import dataclass

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
_EFFECT_WORDS = ("let", "move", "meld", "exchange", "go", "end", "shuffle", "redeal", "if", "for")
_GOES_ON = ("and", "or", "+", ",")
"""What at the end of a line makes it go on."""
_CHANGES = ("becomes", "gains")
_EXACTLY = {"forbids": "forbidden when", "require": "requires", "forbid": "forbidden when"}
"""Words with one only meaning where a verdict is expected."""
_INSTEAD = {
    "forbids": '"forbidden when …"',
    "while": '"when …"; "while" begins only "while another will do" and its like',
    "return": '"gives …"',
    "set": '"NAME becomes …"',
}


@dataclass(frozen=True, slots=True)
class Stumble:
    """Where the parser stopped: on what kind of token, what could have followed.

    `found` is the text it read, empty for layout, at `span`; `first_word` begins the whole
    stretch; `before` is the last word or sign that could be understood, at `before_span`, and
    `earlier` the one before that.
    """

    kind: str
    accepts: frozenset[str]
    found: str
    span: Span
    first_word: str
    before: str
    before_span: Span
    earlier: str = ""
    earlier_span: Span | None = None

    @property
    def keywords(self) -> list[str]:
        """The fixed words that could have followed."""
        known = keywords()
        return [known[each] for each in self.accepts if each in known and known[each].isalpha()]


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
        fix=_fix(stumble),
    )


def _fix(stumble: Stumble) -> Fix | None:
    """The word that must be meant, where only one can be."""
    meant = _EXACTLY.get(stumble.found)
    if stumble.found == "if" and {"WHEN", "UNLESS", "BECAUSE"} <= stumble.accepts:
        meant = "when"
    elif meant is None or not {"REQUIRES", "FORBIDDEN"} <= stumble.accepts:
        return None
    return Fix(f"write `{meant}`", (Edit(stumble.span, meant),))


def expected_words(accepts: frozenset[str]) -> str:
    """`"requires", "forbidden" or "allowed"`: what may follow, the likeliest first."""
    left = set(accepts)
    if len(left) > 1 and "DOT" not in left:
        left.discard("LSQB")  # tags can be left out
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
        (known[each] for each in left if each in known and each not in _SIGNS),
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
    if stumble.kind == "STRING" and "NUMBER" in stumble.accepts:
        inner = stumble.found.strip('"')
        return (f"without quotes: `{inner}`; in quotes stand sentences for people",)
    if hint := hint_of(stumble.found, stumble.accepts, stumble.first_word, stumble.before):
        return hint
    if stumble.kind != "NAME" or len(stumble.found) < 3:
        return ()
    return did_you_mean(stumble.found, stumble.keywords)


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
    if "THEN" not in stumble.accepts or stumble.kind in LAYOUT or stumble.found == "unless":
        return None
    return error(
        "MC0301",
        f'expected "then" before the effect, found `{stumble.found}`',
        stumble.span,
        help=(
            *(["a condition is a line `when …` before `then`"] if stumble.found == "if" else []),
            "what happens stands behind `then`, or indented in the lines below it",
        ),
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
    help_, fix = "names are written in small letters; `A`, `K` … are ranks, `7S` is a card", None
    if stumble.before == "is":
        help_ = f"`is` asks what something is like; equal is `=`: `= {stumble.found}`"
        fix = Fix("write `=`", (Edit(stumble.before_span, "="),))
    return error(
        "MC0307",
        f"`{stumble.found}` cannot be a name here",
        stumble.span,
        help=(help_,),
        fix=fix,
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
        "this line is not indented deeper than the one it belongs to",
        stumble.span,
        help=("what an `if`, a `for each`, a `then` holds is indented by two blanks more",),
    )


def _judge_keyword_as_name(stumble: Stumble) -> Diagnostic | None:
    if stumble.before not in stumble.keywords or "NUMBER" in stumble.accepts:
        return None
    if stumble.earlier in _GOES_ON and stumble.earlier_span is not None:
        return error(
            "MC0301",
            f"something is to follow `{stumble.earlier}`, and `{stumble.before}` begins anew",
            stumble.earlier_span,
            "a line that ends so goes on in the next",
            help=(f"leave `{stumble.earlier}` out, or say what follows it",),
        )
    return error(
        "MC0301",
        f"expected a name before `{stumble.before}`",
        stumble.before_span,
    )


def _judge_effect(stumble: Stumble) -> Diagnostic | None:
    if not {"BECOMES", "GAINS"} <= stumble.accepts:
        return None
    if stumble.found == "=":
        return error(
            "MC0301",
            'expected "becomes", found `=`',
            stumble.span,
            help=(f"an effect is written `{stumble.before} becomes …`",),
        )
    if "LPAR" not in stumble.accepts or not stumble.before.isidentifier():
        return None
    near = did_you_mean(stumble.found, _CHANGES) if stumble.before not in _EFFECT_WORDS else ()
    if near:
        return error(
            "MC0301",
            f"expected `becomes` or `gains`, found `{stumble.found}`",
            stumble.span,
            help=near,
        )
    hint = hint_of_effect(stumble.before) or did_you_mean(stumble.before, _EFFECT_WORDS)
    known = ", ".join(f"`{each}`" for each in _EFFECT_WORDS)
    return error(
        "MC0301",
        f"`{stumble.before}` begins no effect",
        stumble.before_span,
        help=(*hint, f"effects begin with {known}, or are `X becomes …` and `X gains …`"),
    )


def _judge_empty(stumble: Stumble) -> Diagnostic | None:
    if stumble.kind != "$END" or stumble.first_word:
        return None
    return error("MC0309", "nothing stands here, but a value is expected", stumble.span)


_JUDGES: tuple[Callable[[Stumble], Diagnostic | None], ...] = (
    _judge_empty,
    _judge_keyword_as_name,
    _judge_effect,
    _judge_missing_reason,
    _judge_missing_then,
    _judge_chained_comparison,
    _judge_capital_name,
    _judge_reserved_name,
    _judge_indent,
)


def explain_not_indented(word: str, span: Span) -> Diagnostic:
    """A line at the left edge that belongs to the declaration above it."""
    return error(
        "MC0303",
        f"what belongs to this `{word}` is not indented",
        span,
        help=("indent the lines of its body by two blanks",),
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
