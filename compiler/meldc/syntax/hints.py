"""What to write instead, where people stumble: one row for each common slip."""

from __future__ import annotations

from collections.abc import Iterable

from meldc_runtime.light import dataclass


@dataclass(frozen=True, slots=True)
class Hint:
    """Where it applies, and what it says.

    found: the words stumbled over, any if empty; the empty word is the end of a line. accepts:
    names of the parser of which all could have followed; lacks: of which none could. first: the
    word that begins the declaration. before: the word before.
    """

    help: str
    found: frozenset[str] = frozenset()
    accepts: frozenset[str] = frozenset()
    first: str = ""
    before: str = ""
    lacks: frozenset[str] = frozenset()

    def fits(self, found: str, accepts: frozenset[str], first: str, before: str) -> bool:
        return (
            (not self.found or found in self.found)
            and self.accepts <= accepts
            and not self.lacks & accepts
            and self.first in ("", first)
            and self.before in ("", before)
        )


def _row(
    text: str,
    found: str = "",
    accepts: str = "",
    first: str = "",
    before: str = "",
    lacks: str = "",
) -> Hint:
    words = frozenset("" if word == "END" else word for word in found.split())
    return Hint(text, words, frozenset(accepts.split()), first, before, frozenset(lacks.split()))


_HINTS: tuple[Hint, ...] = (
    # how a declaration begins
    _row("nothing stands behind the name: what belongs to it is indented below", ":", "_NL"),
    _row(
        "what it is about stands in the next line, indented: `ACTION forbidden when …`",
        accepts="_NL LSQB",
        first="rule",
        lacks="DOT",
    ),
    _row("the value stands in the next line, indented: `gives …`", "=", "_NL", "score"),
    _row("say with what it starts, `= 0`, or of what type it is, `: number`", "each", "COLON"),
    _row(
        "say when it starts anew: `each turn`, `each deal` or `each game`",
        "END",
        "EACH",
        "remember",
    ),
    _row("`of player` and `of side` mean one for each", "player side", before="each"),
    _row("say what is asked of the player: `phase bid \"bid\"`", "END", "STRING", "phase"),
    _row(
        'choices stand in brackets: `action bid(number in 0..3) "bid {number}"`',
        accepts="STRING LPAR",
        first="action",
    ),
    _row("what it is about is said with `of`: `define twice of player = …`", "(", "OF", "define"),
    _row("who sees it is `hidden`, `top shown`, `shown` or `shown to owner`", "to", first="zone"),
    _row("parts and machines are named without quotes", accepts="NAME", first="use"),
    # conditions and effects
    _row("a rule says `X requires …`, `X forbidden when …` or `X allowed during PHASE`",
         "must may cannot can needs during is", "REQUIRES"),
    _row("what must all hold is joined by `and`", ",", "WHEN BECAUSE"),
    _row("say `when not …`", "unless", "THEN WHEN"),
    _row("`when` stands before `then`", "when", "_DEDENT", "moment"),
    _row("say when it can be played, `during PHASE`, before `then`", "then", "DURING"),
    _row(
        "a number needs no word: `move 1 from stock to hand`; all cards of a zone are "
        "`move trick to stock`",
        "card cards",
        "FROM TO UNDER",
    ),
    _row("it is written `for each player` or `for each NAME in …`", accepts="EACH", before="for"),
    _row("it is written `X gains - 3`", "loses", "GAINS"),
    _row("it is written `exchange CARD with MELD to ZONE`", "for", "WITH"),
    _row("`deal` is the word for it", "hand round game_round", "DEAL TURN"),
    _row(
        "a trick is no period: write `after` and the action or moment that ends it",
        "trick",
        "DEAL TURN",
    ),
    _row("`the` is left out", "the", "DEAL TURN"),
    # expressions
    _row("`the` is left out", before="the"),
    _row("numbers are written in figures: `5000`", "hundred thousand million"),
    _row("the remainder is `remainder(a, b)`", "mod", "STAR"),
    _row("it is `quotient(a, b)`, rounded down", "div", "STAR"),
    _row("a condition is written `when …`", "if", "WHEN", lacks="THEN"),
    _row("a condition goes first: `if … then … else …`", "if", "STAR"),
    _row("both are said, `if … then … else …`; nothing is `else none`", "END", "ELSE"),
    _row("it is written `x in …`, without `is`", before="in"),
    _row("`where` picks some: `count(hand where suit = hearts)`", "with", lacks="WITH"),
    _row("it is written with a sign: `>`, `<`, `>=`, `<=`",
         "greater more less fewer above below", "STAR"),
    _row("it is written with a sign: `=`", "equals equal", "STAR"),
    _row("from one to another it is written with two dots: `8..K`", "- to", "_TO", lacks="MINUS"),
    _row("numbers are whole; behind a `.` stands the name of a field", accepts="NAME", before=".",
         lacks="NUMBER"),
    _row("`where` picks some of many: `count(hand where suit = hearts)`", accepts="ARE BY AFTER"),
    _row("several are joined with a comma: `2, Jkr`", accepts="_COMMA _TO", lacks="DOT STAR"),
    _row("a list stands in round brackets: `(1, 2, 3)`", "[", "LPAR NUMBER"),
)  # fmt: skip

_NO_EFFECTS: dict[str, str] = {
    **dict.fromkeys(("set", "assign"), "what is remembered changes with `X becomes …`"),
    **dict.fromkeys(("add", "increase", "score"), "a number grows with `X gains N`"),
    **dict.fromkeys(
        ("discard", "draw", "give", "take", "put", "place", "deal", "return"),
        "cards go with `move CARDS to ZONE` or `move N from ZONE to ZONE`",
    ),
    **dict.fromkeys(("each", "foreach", "repeat", "while"), "it is written `for each player`"),
    **dict.fromkeys(("next", "goto", "pass"), "it goes on with `go to PHASE for PLAYER`"),
    **dict.fromkeys(("swap", "replace"), "it is written `exchange CARD with MELD to ZONE`"),
    **dict.fromkeys(
        ("else", "elif", "elsif"), "`else` stands at the column of its `if`, `else if` as well"
    ),
    "when": "within what happens a condition is `if …`, with its effects indented below",
}


def hint_of(found: str, accepts: Iterable[str], first_word: str, before: str) -> tuple[str, ...]:
    """What to write instead, of the first slip that fits."""
    could = frozenset(accepts)
    for hint in _HINTS:
        if hint.fits(found, could, first_word, before):
            return (hint.help,)
    return _hint_behind_number(found, before, could) if before.isdigit() else ()


def _hint_behind_number(found: str, number: str, could: frozenset[str]) -> tuple[str, ...]:
    if found.isalpha() and "DOT" in could:
        return (f"no word behind a number says of what it is: write `{number}`",)
    return ()


def hint_of_effect(word: str) -> tuple[str, ...]:
    """What to write instead of a word that begins no effect."""
    return (_NO_EFFECTS[word],) if word in _NO_EFFECTS else ()
