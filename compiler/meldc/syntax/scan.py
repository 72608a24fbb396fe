"""A first look at a text: its tokens in a coarse sense, and all problems that need no grammar.

These are found here, and not by the parser, because they can be named exactly and all reported
together: strings and brackets left open, tabs, characters and words of other languages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from meldc.diagnostics import Diagnostic, Edit, Fix, Label, error
from meldc.digits import grouped_number
from meldc.source import Span
from meldc.syntax.groups import judge_groups
from meldc.syntax.token import PlaceOf, Token
from meldc.unseen import UNSEEN, named, plain
from meldc_runtime.cards import SUIT_WORDS

DEEPEST_BRACKETS = 60
MOST_DIGITS = 9

TOKEN = re.compile(
    r"""
      (?P<newline>\n)
    | (?P<blank>[ \t]+)
    | (?P<comment>\#[^\n]*)
    | (?P<string>"[^"\n]*")
    | (?P<unclosed>"[^"\n]*)
    | (?P<grouped>(?<![\w.])[0-9]{1,3}(?:[_'’][0-9]{3})+(?!\w))
    | (?P<tag>[A-Z][A-Z0-9]+-[0-9]+[a-z]?(?!\w))
    | (?P<card>(?:10|[2-9TJQKA])[SHDC♠♥♦♣](?!\w))
    | (?P<word>\w+)
    | (?P<open>[(\[])
    | (?P<close>[)\]])
    | (?P<foreign>==+|&&?|\|\||<>|=>|=<|≤|≥|≠|×|−|–|!(?!=))
    | (?P<assigning>:=|[+-]=|->)
    | (?P<sign>\.\.|[<>!]=|[=<>+\-*.,:|])
    | (?P<quoted>'[^'\n]*'|[“”„][^“”"\n]*[“”])
    | (?P<odd>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_READABLE_WORD = re.compile(r"[a-z_][a-z0-9_]*|[0-9]+|Jkr|[AKQJT]")
_NAME = re.compile(r"[a-z_][a-z0-9_]*")

FOREIGN_SIGNS = {
    "==": "=",
    "===": "=",
    "&": "and",
    "&&": "and",
    "||": "or",
    "!": "not",
    "<>": "!=",
    "=>": ">=",
    "=<": "<=",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "×": "*",
    "−": "-",
    "–": "-",
}
FOREIGN_WORDS = {
    "true": "yes",
    "True": "yes",
    "TRUE": "yes",
    "Yes": "yes",
    "false": "no",
    "False": "no",
    "FALSE": "no",
    "No": "no",
    "null": "none",
    "None": "none",
}
_ODD_HELP = {
    "{": 'values in braces stand only inside sentences: "… {count(hand)} …"',
    "}": 'values in braces stand only inside sentences: "… {count(hand)} …"',
    "'": 'text stands in double quotes: "…"',
    "/": "`quotient(a, b)` divides and rounds down",
    "%": "the remainder is `remainder(a, b)`",
    ";": "each effect and each clause has a line of its own",
    "\r": "lines end with a line feed alone",
}
_ODD_HELP |= dict.fromkeys("“”„«»", 'text stands in straight double quotes: "…"')
_ODD_HELP |= dict.fromkeys("‘’‚`´", 'text stands in straight double quotes: "…"')
_ODD_HELP |= dict.fromkeys("—―‒‐‑", "a minus is `-`; from one rank or number to another it is `..`")
_ODD_HELP |= dict.fromkeys((":=", "->"), "a definition has `=`, an effect `becomes`")
_ODD_HELP |= dict.fromkeys(("+=", "-="), "a number grows by the effect `X gains N`")
_SUIT_FIRST = re.compile(r"(?P<suit>[SHDC])(?P<rank>10|[2-9TJQKA])")
_NUMBERED = re.compile(r"(?P<number>1|11|12|13|14)(?P<suit>[SHDCshdc])")
_NUMBERED_RANKS = {"1": "A", "11": "J", "12": "Q", "13": "K", "14": "A"}
_RANKS_ARE = "ranks are `2` to `10`, `J`, `Q`, `K`, `A` and `Jkr`"
_CLOSES = {"(": ")", "[": "]"}


def tokens(text: str, start: int, end: int) -> Iterator[Token]:
    """All stretches from `start` to `end`, blanks and comments too, in order and without gaps."""
    for match in TOKEN.finditer(text, start, end):
        kind = match.lastgroup
        assert kind is not None
        yield Token(kind, match.group(), match.start())


def find_problems(
    found: list[Token], place: PlaceOf, *, with_layout: bool = True
) -> list[Diagnostic]:
    """What is wrong with these tokens whatever stands around them."""
    problems = [problem for token in found if (problem := _judge(token, place))]
    problems += judge_groups(found, place)
    if with_layout:
        problems += _judge_indents(found, place)
    if not any(token.kind == "unclosed" for token in found):
        problems += _judge_brackets(found, place)
    return problems


def _judge(token: Token, place: PlaceOf) -> Diagnostic | None:
    judge = _JUDGES.get(token.kind)
    return judge(token, place) if judge else None


def _judge_word(token: Token, place: PlaceOf) -> Diagnostic | None:
    word = token.text
    if word in FOREIGN_WORDS:
        return _foreign(word, FOREIGN_WORDS[word], place(token.start, token.end))
    if not _READABLE_WORD.fullmatch(word):
        return _unreadable(word, place(token.start, token.end))
    if word[0].isdigit() and len(word) > MOST_DIGITS:
        span = place(token.start, token.end)
        return error("MC0316", f"a number has at most {MOST_DIGITS} digits", span)
    return None


def _unreadable(word: str, span: Span) -> Diagnostic:
    small = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", word).lower()
    if said := _hint_of_card(word):
        hint = said
    elif word[0].isdigit():
        hint = "a name does not begin with a digit"
    elif word.isupper():
        hint = f"names are written in small letters: `{small}`; a tag has a number: `{word}-1`"
    elif _NAME.fullmatch(small):
        hint = f"names are written in small letters: `{small}`"
    else:
        hint = "a name consists of the letters a to z, digits and `_`"
    return error(
        "MC0307", f"`{word}` is neither a name nor a number nor a card", span, help=(hint,)
    )


def _hint_of_card(word: str) -> str:
    """What a word is where it is a card, a rank or a player after the manner of other games."""
    if turned := _SUIT_FIRST.fullmatch(word):
        return f"a card is written with its rank first: `{turned['rank']}{turned['suit']}`"
    if numbered := _NUMBERED.fullmatch(word):
        rank = _NUMBERED_RANKS.get(numbered["number"])
        which = f": `{rank}{numbered['suit'].upper()}`" if rank else ""
        return f"{_RANKS_ARE}{which}"
    if word.upper() in ("JK", "JKR", "JKRS", "JOK", "JOKER", "JOKERS"):
        return "the joker is `Jkr`"
    if len(word) == 1:
        return f"{_RANKS_ARE}; suits are {', '.join(f'`{suit}`' for suit in SUIT_WORDS)}"
    if re.fullmatch(r"P[0-9]+", word):
        return (
            "rules name no seat: a player is `player`, `dealer`, `left(dealer)` or what "
            "`remember … : player` keeps"
        )
    return ""


def _judge_foreign(token: Token, place: PlaceOf) -> Diagnostic:
    ours = FOREIGN_SIGNS.get(token.text, "=")
    return _foreign(token.text, ours, place(token.start, token.end))


def _foreign(written: str, ours: str, span: Span) -> Diagnostic:
    new_text = f" {ours} " if ours.isalpha() and not written.isalpha() else ours
    return error(
        "MC0310",
        f"`{written}` is written `{ours}` here",
        span,
        fix=Fix(f"write `{ours}`", (Edit(span, new_text),)),
    )


def _judge_unclosed(token: Token, place: PlaceOf) -> Diagnostic:
    return error(
        "MC0304",
        "this text in quotes is not closed on its line",
        place(token.start, token.start + len(token.text.rstrip())),
        "the quotes open here",
        help=('close it with `"`; a text in quotes has no line break',),
    )


def _judge_quoted(token: Token, place: PlaceOf) -> Diagnostic:
    span = place(token.start, token.end)
    return error(
        "MC0306",
        "text stands in straight double quotes",
        span,
        fix=Fix('write `"`', (Edit(span, f'"{token.text[1:-1]}"'),)),
    )


def _judge_odd(token: Token, place: PlaceOf) -> Diagnostic:
    if UNSEEN.fullmatch(token.text):
        return _unseen(token.text, place(token.start, token.end))
    hint = _ODD_HELP.get(token.text)
    return error(
        "MC0306",
        f"{_shown(token.text)} has no meaning here",
        place(token.start, token.end),
        help=(hint,) if hint else (),
    )


def _unseen(character: str, span: Span) -> Diagnostic:
    blank = plain(character)
    return error(
        "MC0306",
        f"{named(character)} has no meaning here",
        span,
        "it looks like a space, and is none" if blank else "it cannot be seen",
        fix=Fix("write a space" if blank else "delete it", (Edit(span, blank),)),
    )


def _judge_grouped(token: Token, place: PlaceOf) -> Diagnostic:
    return grouped_number(token.text, place(token.start, token.end))


_JUDGES: dict[str, Callable[[Token, PlaceOf], Diagnostic | None]] = {
    "word": _judge_word,
    "foreign": _judge_foreign,
    "unclosed": _judge_unclosed,
    "quoted": _judge_quoted,
    "grouped": _judge_grouped,
    "odd": _judge_odd,
    "assigning": _judge_odd,
}


def _shown(character: str) -> str:
    return f"`{character}`" if character.isprintable() else f"U+{ord(character):04X}"


def _judge_indents(found: list[Token], place: PlaceOf) -> Iterator[Diagnostic]:
    at_line_start = True
    for index, token in enumerate(found):
        if at_line_start and token.kind == "blank" and "\t" in token.text:
            blank_line = index + 1 == len(found) or found[index + 1].kind in ("newline", "comment")
            if not blank_line:
                yield error(
                    "MC0302",
                    "this line is indented with a tab",
                    place(token.start, token.end),
                    help=("lines are indented with blanks, two for each step",),
                )
        at_line_start = token.kind == "newline"


def _judge_brackets(found: list[Token], place: PlaceOf) -> Iterator[Diagnostic]:
    waiting: list[Token] = []
    too_deep = False
    for token in found:
        if token.kind == "open":
            waiting.append(token)
            if len(waiting) > DEEPEST_BRACKETS and not too_deep:
                too_deep = True
                yield error(
                    "MC0315",
                    f"brackets stand more than {DEEPEST_BRACKETS} deep in each other",
                    place(token.start, token.end),
                    help=("give a part of it a name with `define`",),
                )
        elif token.kind == "close":
            if not waiting:
                yield error(
                    "MC0305",
                    f"this `{token.text}` closes nothing",
                    place(token.start, token.end),
                    help=(f"no bracket is open here; take the `{token.text}` away",),
                )
                return
            opening = waiting.pop()
            if _CLOSES[opening.text] != token.text:
                yield error(
                    "MC0305",
                    f"`{opening.text}` is closed by `{token.text}`",
                    place(token.start, token.end),
                    f"expected `{_CLOSES[opening.text]}`",
                    secondary=(Label(place(opening.start, opening.end), "opened here"),),
                )
                return
    if waiting:
        opening = waiting[-1]
        yield error(
            "MC0305",
            f"this `{opening.text}` is never closed",
            place(opening.start, opening.end),
            help=(f"a `{_CLOSES[opening.text]}` is missing behind it",),
        )
