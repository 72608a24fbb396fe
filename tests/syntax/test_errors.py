"""Malformed texts: the code, the exact place, and a piece of the message or help.

In a text of the table `«` and `»` stand around the place that is reported, or `¦` where it is an
empty one.
"""

from __future__ import annotations

import re

import pytest

from meldc.diagnostics import Diagnostic
from meldc.diagnostics.pages import syntax as pages
from meldc.diagnostics.pages.page import CodePage, Example
from meldc.source import Rebase, SourceFile, Span
from meldc.syntax import parse_cards, parse_cell, parse_file, parse_rules
from meldc.syntax.parse import LONGEST_TEXT, MOST_PROBLEMS


def origin(text: str) -> Rebase:
    return Rebase.whole(SourceFile("x.rules", text))


def unmark(marked: str) -> tuple[str, Span]:
    """The text without the marks, and the place between them."""
    marked = marked.replace("¦", "«»")
    start = marked.index("«")
    text = marked.replace("«", "").replace("»", "")
    return text, Span("x.rules", *_at(text, start), *_at(text, marked.index("»") - 1))


def _at(text: str, offset: int) -> tuple[int, int]:
    before = text[:offset]
    return before.count("\n") + 1, offset - before.rfind("\n")


def said(problem: Diagnostic) -> str:
    return " ".join([problem.message, problem.primary.text, *problem.help])


WHY = '\n  because "x"\n'
RULES = [
    # what may follow
    ("rule a\n  b «forbids» when c" + WHY, "MC0301", 'write "forbidden when …"'),
    ("rule a\n  b «likes» c" + WHY, "MC0301", 'expected "allowed", "forbidden", "requires" or ","'),
    ("rule a\n  b «require» c" + WHY, "MC0301", "did you mean `requires`?"),
    ("rule a\n  «requires» c" + WHY, "MC0301", "expected a name before `requires`"),
    ("rule a\n  b requires¦" + WHY, "MC0301", "expected a value, but the line ends here"),
    ("rule a\n  b requires c «and»\n  because 'x'".replace("'", '"'), "MC0301", "follow `and`"),
    ("rule a\n  b forbidden «c»" + WHY, "MC0301", '"when"'),
    ('rule a\n  b requires c\n  «becuase» "x"\n', "MC0301", "did you mean `because`?"),
    ("rule a\n  b requires c\n  because «x»\n", "MC0301", "a text in double quotes"),
    ('rule a\n  b requires c\n  because "x"\n  «when» d\n', "MC0301", "the end of the body"),
    ("rule a\n  b forbidden\n  while another «does»" + WHY, "MC0301", 'expected "will"'),
    ("action a¦\n  during b\n  then redeal\n", "MC0301", "a text in double quotes"),
    ('action a(b «c») "x"\n  during d\n  then redeal\n', "MC0301", '"from" or "in"'),
    ('action a "x"\n  «then» redeal\n', "MC0301", 'expected "during"'),
    ('action a "x"\n  during b\n  «move» c to d\n', "MC0301", "stands behind `then`"),
    ("moment a at start of «week»\n  then redeal\n", "MC0301", '"deal", "game" or "turn"'),
    ("moment a\n  then\n    b «=» 3\n", "MC0301", "`b becomes …`"),
    ("moment a\n  then\n    «shufle» b\n", "MC0301", "did you mean `shuffle`?"),
    ("moment a\n  then\n    «while» b\n      redeal\n", "MC0301", "begins no effect"),
    (
        "moment a\n  then\n    if b\n      redeal\n    «elif» c\n      redeal\n",
        "MC0301",
        "`else if`",
    ),
    ("moment a\n  then\n    for «player»\n      redeal\n", "MC0301", 'expected "each"'),
    ("setting a = 3¦\n", "MC0301", "a text in double quotes"),
    ('setting a = 3 «|» 4 "x"\n', "MC0301", "found `|`"),
    ("table a by «rank»\n", "MC0301", '"band", "card" or "number"'),
    ("zone a «visible»\n", "MC0301", '"hidden", "of", "shown" or "top"'),
    ("remember a = 3¦\n", "MC0301", 'expected "each"'),
    ("define a = hand «whre» b\n", "MC0301", "did you mean `where`?"),
    ("remove «a»\n", "MC0301", '"rule"'),
    # layout
    ("moment a\n«\t»then redeal\n", "MC0302", "with blanks"),
    ("rule a\n«b» requires c" + WHY, "MC0303", "`rule` is not indented"),
    ('rule a\n  b requires c\n«because» "x"\n', "MC0303", "`rule` is not indented"),
    ("rule a\n  b requires c\n    «when» d" + WHY, "MC0303", "indented deeper"),
    ("moment a\n  then\n    redeal\n   «redeal»\n", "MC0303", "neither like"),
    ("moment a\n  then\n    if b\n    «redeal»\n", "MC0303", "not indented deeper"),
    ("  «define» a = b\n", "MC0303", "left edge"),
    ("define a = b\n  «define» c = d\n", "MC0303", "indented deeper"),
    # quotes, brackets, characters
    ('setting a = 3 «"x»\n', "MC0304", 'close it with `"`'),
    ("define a = «(»b\n", "MC0305", "never closed"),
    ("define a = b«)»\n", "MC0305", "closes nothing"),
    ("define a = f(b[c«)»\n", "MC0305", "`[` is closed by `)`"),
    ("define a = b «/» 2\n", "MC0306", "quotient"),
    ("define a «:=» b\n", "MC0306", "an effect `becomes`"),
    ("moment a\n  then\n    b «+=» 1\n", "MC0306", "`X gains N`"),
    ("setting a = 3 «'x'»\n", "MC0306", "straight double quotes"),
    ("define a = b «?»\n", "MC0306", "`?` has no meaning"),
    ("define a = b «\x00»\n", "MC0306", "U+0000"),
    # names
    ("define «handSize» = b\n", "MC0307", "`hand_size`"),
    ("define «3a» = b\n", "MC0307", "begin with a digit"),
    ("define «größe» = b\n", "MC0307", "the letters a to z"),
    ("define a [«CC»] = b\n", "MC0307", "`CC-1`"),
    ("rule «A»\n  b requires c" + WHY, "MC0307", "small letters"),
    ("define «where» = b\n", "MC0320", "is a word of the language"),
    ("remember «move» = no each turn\n", "MC0320", "is a word of the language"),
    ('action a(«if» in b) "x"\n  during c\n  then redeal\n', "MC0320", "choose another"),
    # declarations
    ("«ruel» a\n  b requires c" + WHY, "MC0308", "did you mean `rule`?"),
    ("«draw» requires b\n", "MC0308", "begins no declaration"),
    ("rule a\n  b requires c¦\n", "MC0309", "this rule does not say why"),
    ("score a\n  gives 5¦\n", "MC0309", "this score does not say why"),
    ('action a "x"\n  during b\n  then¦\n', "MC0309", "an indented line"),
    ("define a = 3 +¦\n", "MC0309", "a value"),
    ("define b = c\n«machine» a 'x'\n".replace("'", '"'), "MC0318", "first line"),
    # other languages
    ("define a = b «==» c\n", "MC0310", "`==` is written `=`"),
    ("define a = b «&&» c\n", "MC0310", "`&&` is written `and`"),
    ("define a = b «||» c\n", "MC0310", "`||` is written `or`"),
    ("define a = «!»b\n", "MC0310", "`!` is written `not`"),
    ("define a = b «≤» c\n", "MC0310", "`≤` is written `<=`"),
    ("define a = «true»\n", "MC0310", "`true` is written `yes`"),
    ("define a = «null»\n", "MC0310", "`null` is written `none`"),
    ("define a = b < c «<» d\n", "MC0311", "not chained"),
    ("rule a\n  b forbidden when c\n  «when d»" + WHY, "MC0312", "`when` is said twice"),
    ("score a\n  gives 5\n  unless c\n  «unless d»" + WHY, "MC0312", "`unless` is said twice"),
    # sentences
    ('rule a\n  b requires c\n  because "x «{»d"\n', "MC0313", "is not closed"),
    ('rule a\n  b requires c\n  because "x «}»d"\n', "MC0313", "closes nothing"),
    ('rule a\n  b requires c\n  because "x {¦}"\n', "MC0309", "nothing stands here"),
    ('rule a\n  b requires c\n  because "x {d «e»}"\n', "MC0301", "an operator"),
    ('rule a\n  b requires c\n  because "x {«Dd»}"\n', "MC0307", "`dd`"),
    # numbers in groups of digits
    *(
        (f"define a = «{written}» + b\n", "MC0321", "is written `5000`")
        for written in ("5,000", "5.000", "5 000", "5_000", "5'000", "5’000")
    ),
    ("define a = max(«5,000», b)\n", "MC0321", "is written `5000`"),
    ("define a = «1,200,000»\n", "MC0321", "is written `1200000`"),
    # bounds
    (f"define a = {'(' * 60}«(»b{')' * 61}\n", "MC0315", "60 deep"),
    ('setting a = «1234567890» "x"\n', "MC0316", "9 digits"),
]


@pytest.mark.parametrize(("marked", "code", "words"), RULES)
def test_rules__problem_has_code_and_place(marked: str, code: str, words: str) -> None:
    text, span = unmark(marked)
    _, problems = parse_rules(text, origin(text))
    assert [(each.code, each.primary.span) for each in problems] == [(code, span)]
    assert words in said(problems[0])


CELLS = [
    ("¦", "MC0309", "nothing stands here"),
    ("a «b»", "MC0301", "expected an operator or the end"),
    ("a +¦", "MC0309", "expected a value"),
    ("f(a, «)»", "MC0301", "expected a value"),
    ("f(a «b»)", "MC0301", '"are"'),
    ("if a then b¦", "MC0309", 'expected "else"'),
    ("a is «3»", "MC0301", '"none"'),
    ("a = b «=» c", "MC0311", "parentheses"),
    ("«Hand»", "MC0307", "`hand`"),
    ('«"x"»', "MC0301", "expected a value"),
    ("«{»a", "MC0306", "inside sentences"),
]


@pytest.mark.parametrize(("marked", "code", "words"), CELLS)
def test_cell__problem_has_code_and_place(marked: str, code: str, words: str) -> None:
    text, span = unmark(marked)
    value, problems = parse_cell(text, origin(text))
    assert value is None
    assert [(each.code, each.primary.span) for each in problems] == [(code, span)]
    assert words in said(problems[0])


CARDS = [
    ("¦", "MC0309", "nothing stands here"),
    ("red «11»", "MC0317", "no rank 11"),
    ("«1»..5", "MC0317", "no rank 1"),
    ("red 3 «wild»", "MC0301", 'expected ","'),
    ("4..¦", "MC0309", "a number or a rank"),
    ("KH «3»", "MC0301", 'expected ","'),
    ("a,¦", "MC0309", "a name"),
    ("not «not» a", "MC0320", "is a word of the language"),
    ("4 «+» 5", "MC0301", "found `+`"),
]


@pytest.mark.parametrize(("marked", "code", "words"), CARDS)
def test_cards__problem_has_code_and_place(marked: str, code: str, words: str) -> None:
    text, span = unmark(marked)
    _, problems = parse_cards(text, origin(text))
    assert [(each.code, each.primary.span) for each in problems] == [(code, span)]
    assert words in said(problems[0])


def test_file__without_a_header() -> None:
    _, (problem,) = parse_file("use a\n", origin("use a\n"))
    assert problem.code == "MC0318"
    assert problem.primary.span == Span("x.rules", 1, 1, 1, 1)
    assert [each.code for each in parse_file("", origin(""))[1]] == ["MC0318"]


def test_problems__of_all_declarations_are_reported_and_the_others_kept() -> None:
    text = (
        "use a\n"
        "define b = (c\n"
        "rule d\n  e requires f\n"
        'setting g = 1 "h"\n'
        "moment i\n  then\n    j becomes K K\n"
        "define l = m == n && true\n"
        "define o = p\n"
    )
    declarations, problems = parse_rules(text, origin(text))
    assert [type(each).__name__ for each in declarations] == ["Use", "SettingDecl", "Definition"]
    assert [(each.code, each.primary.span.line) for each in problems if each.primary.span] == [
        ("MC0305", 2),
        ("MC0309", 4),
        ("MC0301", 8),
        ("MC0310", 9),
        ("MC0310", 9),
        ("MC0310", 9),
    ]


def test_problem__two_places_are_shown_where_two_matter() -> None:
    text = "define a = f(b]\n"
    _, (problem,) = parse_rules(text, origin(text))
    assert [each.span for each in problem.secondary] == [Span("x.rules", 1, 13, 1, 14)]


@pytest.mark.parametrize("text", ["define a = b == c\n", "define a = b&&c\n", "define a = !true\n"])
def test_fix__cures(text: str) -> None:
    while problems := parse_rules(text, origin(text))[1]:
        fix = problems[-1].fix
        assert fix is not None
        (edit,) = fix.edits
        start, end = edit.span.column - 1, edit.span.end_column - 1
        assert len(text) < 40
        text = text[:start] + edit.text + text[end:]


def test_bound__length() -> None:
    text = "#" * (LONGEST_TEXT + 1)
    assert [each.code for each in parse_rules(text, origin(text))[1]] == ["MC0314"]
    assert [each.code for each in parse_file(text, origin(text))[1]] == ["MC0314"]
    assert [each.code for each in parse_cell(text, origin(text))[1]] == ["MC0314"]
    assert not parse_rules(text[1:], origin(text[1:]))[1]


def test_bound__number_of_problems() -> None:
    text = "rule\n" * 300
    problems = parse_rules(text, origin(text))[1]
    assert len(problems) == MOST_PROBLEMS + 1
    assert problems[-1].code == "MC0319"
    assert problems[-1].primary.span == Span("x.rules", 201, 5, 201, 5)


DEEP = {
    "not": "not " * 400 + "a",
    "minus": "- " * 400 + "a",
    "sum": "a" + " + a" * 400,
    "fields": "a" + ".a" * 400,
    "lookups": "a" + "[a]" * 400,
    "choices": "if a then b else " * 400 + "c",
}


@pytest.mark.parametrize("name", DEEP)
def test_bound__depth(name: str) -> None:
    text = DEEP[name]
    assert [each.code for each in parse_cell(text, origin(text))[1]] == ["MC0315"]


def test_bound__depth_of_effects() -> None:
    steps = "".join(f"{' ' * (depth + 4)}if a\n" for depth in range(400))
    text = f"moment m\n  then\n{steps}{' ' * 405}redeal\n"
    assert [each.code for each in parse_rules(text, origin(text))[1]] == ["MC0315"]


def test_bound__long_but_flat_is_read() -> None:
    text = " and ".join(["a"] * 2000)
    assert not parse_cell(text, origin(text))[1]


@pytest.mark.parametrize(
    "page", [each for each in pages.PAGES if each.kind is Example.RULES], ids=lambda page: page.code
)
def test_page__its_example_fails_with_its_code(page: CodePage) -> None:
    found = parse_rules(page.example, origin(page.example))[1]
    assert page.code in {each.code for each in found}


PLAIN = re.compile(r"[_$][A-Z]|__|\b[A-Z]{3,}\b")


def test_messages__name_no_terminal() -> None:
    for marked, _, _ in RULES:
        text, _ = unmark(marked)
        for problem in parse_rules(text, origin(text))[1]:
            words = re.sub(r"`[^`]*`", "", said(problem))
            assert not PLAIN.search(words), words


@pytest.mark.parametrize("text", ["a in (100,200)", "max(5,100)", "[3..5] = b", "min(1,2)"])
def test_list_of_numbers__is_no_number_in_groups(text: str) -> None:
    _, problems = parse_rules(f"define c = {text}\n", origin(text))
    assert "MC0321" not in [each.code for each in problems]


def test_number_in_groups__is_put_together_by_the_fix() -> None:
    text = "define a = 12,500 + b\n"
    (found,) = parse_rules(text, origin(text))[1]
    assert found.fix is not None
    assert [edit.text for edit in found.fix.edits] == ["12500"]
