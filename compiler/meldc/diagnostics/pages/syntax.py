"""MC03xx: syntax of the rule language."""

from __future__ import annotations

from meldc.diagnostics.pages.page import CodePage, Example


def _page(code: str, title: str, explanation: str, example: str, cure: str) -> CodePage:
    return CodePage(code, title, explanation, example, cure, kind=Example.RULES)


PAGES: tuple[CodePage, ...] = (
    _page(
        "MC0301",
        "something else is expected here",
        "The text follows the language up to this place; what stands here cannot follow. The "
        "message names what can.",
        'rule stock_left\n  draw forbids stock is empty\n  because "the stock is used up"\n',
        "Write one of the words the message names: here `draw forbidden when stock is empty`.",
    ),
    _page(
        "MC0302",
        "indented with a tab",
        "How far a line is indented has a meaning, and a tab looks different in each editor.",
        "moment begun at start of deal\n\tthen shuffle stock\n",
        "Indent with blanks, two for each step.",
    ),
    _page(
        "MC0303",
        "wrong indentation",
        "A declaration begins at the left edge, the lines that belong to it are indented, and "
        "the lines of one body begin at the same column. A line goes on to the next inside "
        "brackets and after a closing `and`, `or`, `+` or `,`.",
        "moment begun at start of deal\n  then\n    shuffle stock\n   go to draw\n",
        "Let the line begin where the other lines of its body begin.",
    ),
    _page(
        "MC0304",
        "text in quotes not closed",
        "A text in quotes ends on the line on which it begins.",
        'setting draws = 1 "cards drawn in a turn\n',
        'Close it with `"`.',
    ),
    _page(
        "MC0305",
        "bracket not closed, or never opened",
        "Each `(` is closed by a `)` and each `[` by a `]`, in the declaration that opens it.",
        "define held = count(hand where (wild or red)\n",
        "Close the bracket, or take the one away that closes nothing.",
    ),
    _page(
        "MC0306",
        "character without a meaning",
        "The language does not use this character outside of texts in quotes and comments.",
        "define half = count(hand) / 2\n",
        "Say it in the words of the language; a comment begins with `#`.",
    ),
    _page(
        "MC0307",
        "not a name",
        "A name consists of small letters, digits and `_`, and does not begin with a digit. "
        "Capital letters stand in ranks (`A`, `Jkr`), cards (`7S`) and tags.",
        "define handSize = count(hand)\n",
        "Write the name in small letters: `hand_size`.",
    ),
    _page(
        "MC0308",
        "no declaration",
        "What stands at the left edge begins a declaration, and its first word says which.",
        'ruel stock_left\n  draw requires stock is not empty\n  because "it is used up"\n',
        "Begin with a word of the language, or indent the line if it belongs to the one above.",
    ),
    _page(
        "MC0309",
        "declaration ends too early",
        "A part of the declaration is missing: the effects of an action or a moment, the "
        "verdict of a rule, or the sentence that gives the reason to the players.",
        "rule stock_left\n  draw requires stock is not empty\n",
        'Add what the message names: here `because "the stock is used up"`.',
    ),
    _page(
        "MC0310",
        "sign or word of another language",
        "Truth is `yes` and `no`, nothing is `none`; conditions are joined by `and`, `or` and "
        "`not`, and things are compared by `=`, `!=`, `<`, `<=`, `>` and `>=`.",
        "define late = deal_number == 3 && true\n",
        "Write it as the message says.",
    ),
    _page(
        "MC0311",
        "chained comparison",
        "A comparison stands between two things, and what it gives is not compared further.",
        "define middle = 1 < deal_number < 5\n",
        "Write `1 < deal_number and deal_number < 5`; to compare truths use parentheses.",
    ),
    _page(
        "MC0312",
        "said twice",
        "A rule or a score has at most one `when`, one `unless` and one `while`.",
        "rule stock_left\n  draw forbidden when stock is empty\n  when deal_number = 1\n"
        '  because "the stock is used up"\n',
        "Join the conditions with `and` or `or`.",
    ),
    _page(
        "MC0313",
        "brace in a sentence",
        "A value in a sentence stands between `{` and `}`, on the same line.",
        "rule stock_left\n  draw requires stock is not empty\n"
        '  because "only {count(stock) cards are left"\n',
        "Close the brace behind the expression.",
    ),
    CodePage(
        "MC0314",
        "text too long",
        "A text of rules has at most 256 KiB; no game needs nearly as much.",
        "meldc check huge.rules",
        "Spread it over several files.",
        kind=Example.COMMAND,
    ),
    _page(
        "MC0315",
        "nested too deeply",
        "Brackets stand at most 60 deep in each other, and parts of any kind at most 100 deep.",
        f"define deep = {'(' * 61}1{')' * 61}\n",
        "Give a part of it a name with `define`.",
    ),
    _page(
        "MC0316",
        "number too long",
        "A number has at most nine digits.",
        'setting target = 5000000000 "points that end the game"\n',
        "Take a smaller number.",
    ),
    CodePage(
        "MC0317",
        "no such rank",
        "The ranks of cards are 2 to 10, J, Q, K, A and Jkr, the joker.",
        "variant: mine\ntitle: Mine\nextends: classic\ncards: {stop_card: 11}\n",
        "Take one of these.",
    ),
    _page(
        "MC0318",
        "head of a file missing or misplaced",
        'A `.rules` file begins with `machine NAME "…"` or `part NAME "…"`, once; the rules in '
        "a YAML file have no such line.",
        'setting draws = 1 "cards drawn in a turn"\nmachine mine "Mine"\n',
        "Put it into the first line of the `.rules` file.",
    ),
    CodePage(
        "MC0319",
        "too many problems",
        "After two hundred problems a text is not read further.",
        "meldc check not-rules-at-all.rules",
        "Mend those that are reported, and check again.",
        kind=Example.COMMAND,
    ),
    _page(
        "MC0320",
        "word of the language as a name",
        "The words that hold expressions and effects together cannot name anything, because "
        "a reader, and meldc, would take them for what they are.",
        "define where = count(hand)\n",
        "Choose another name.",
    ),
    _page(
        "MC0321",
        "a number in groups of digits",
        "A number is written as its digits, without commas, points, blanks or other signs between "
        "groups of them. In a list within brackets a comma parts numbers: `(1,200)` are two.",
        'setting goal = 5,000 "points that end the game"\n',
        "Write the digits alone: `5000`.",
    ),
)
