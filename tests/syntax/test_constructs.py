"""Every construct of the language, and the tree it gives.

Trees are shown without places: `Class(field, field)`, a word or text as it is written, nothing
as `-`.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass

import pytest

from meldc.source import Rebase, SourceFile
from meldc.syntax import parse_cards, parse_cell, parse_file, parse_rules, tree


def show(node: object) -> str:
    if node is None:
        return "-"
    if isinstance(node, tree.Word | tree.Name):
        return node.text if isinstance(node, tree.Word) else node.name
    if isinstance(node, tree.Text):
        return repr(node.text)
    if isinstance(node, tuple):
        return "[" + " ".join(map(show, node)) + "]"
    if is_dataclass(node):
        values = [getattr(node, field.name) for field in fields(node) if field.name != "span"]
        return f"{type(node).__name__}({', '.join(map(show, values))})"
    return str(node)


def origin(text: str) -> Rebase:
    return Rebase.whole(SourceFile("x.rules", text))


EXPRESSIONS = {
    "12": "Number(12)",
    "yes": "Truth(True)",
    "no": "Truth(False)",
    "none": "Nothing()",
    "Jkr": "RankLiteral(Jkr)",
    "A": "RankLiteral(A)",
    "T": "Number(10)",
    "7S": "CardLiteral(7, S)",
    "10H": "CardLiteral(10, H)",
    "TD": "CardLiteral(10, D)",
    "Q♣": "CardLiteral(Q, C)",
    "it": "it",
    "yes_no": "yes_no",
    "hand(dealer)": "Call(hand, [dealer])",
    "f()": "Call(f, [])",
    "min(a, 2, c)": "Call(min, [a Number(2) c])",
    "max(a,\n  b)": "Call(max, [a b])",
    "top(pile).rank": "Field(Call(top, [pile]), rank)",
    "card.not": "Field(card, not)",
    "points[total + 1]": "Lookup(points, Arithmetic(+, total, Number(1)))",
    "(A, 7)": "Listing([RankLiteral(A) Number(7)])",
    "(a)": "a",
    "7..Q": "Range(Number(7), RankLiteral(Q))",
    "- 3": "Negative(Number(3))",
    "a - -3": "Arithmetic(-, a, Negative(Number(3)))",
    "a - b - c": "Arithmetic(-, Arithmetic(-, a, b), c)",
    "a + b * c": "Arithmetic(+, a, Arithmetic(*, b, c))",
    "(a + b) * c": "Arithmetic(*, Arithmetic(+, a, b), c)",
    "a >= b": "Comparison(>=, a, b)",
    "a != b": "Comparison(!=, a, b)",
    "(a = b) = (c = d)": "Comparison(=, Comparison(=, a, b), Comparison(=, c, d))",
    "a in (b, c)": "Within(a, Listing([b c]))",
    "rank in 7..Q": "Within(rank, Range(Number(7), RankLiteral(Q)))",
    "leader exists": "Exists(leader)",
    "hand is empty": "Is(hand, empty, False)",
    "owed is not none": "Is(owed, Nothing(), True)",
    "card is (a and b)": "Is(card, And([a b]), False)",
    "not a = b": "Not(Comparison(=, a, b))",
    "not not a": "Not(Not(a))",
    "a and b and c": "And([a b c])",
    "a and b or c": "Or([And([a b]) c])",
    "a and # why\n  b": "And([a b])",
    "hand where a or b": "Where(hand, Or([a b]))",
    "a otherwise b otherwise 0": "Otherwise([a b Number(0)])",
    "t[x] otherwise y where z": "Otherwise([Lookup(t, x) Where(y, z)])",
    "if a then b else if c then d else e": "Choice(a, b, Choice(c, d, e))",
    "count(hand where not wild)": "Call(count, [Where(hand, Not(wild))])",
    "all(hand are wild)": "Call(all, [Are(hand, wild)])",
    "all(cards are rank = 2)": "Call(all, [Are(cards, Comparison(=, rank, Number(2)))])",
    "sum(a + b by value)": "Call(sum, [By(Arithmetic(+, a, b), value)])",
    "sum(a where b by c)": "Call(sum, [By(Where(a, b), c)])",
    "can(end of turn)": "Call(can, [EndOfTurn()])",
    "can(out without leave)": "Call(can, [Without(out, leave)])",
    "can(end of turn without leave)": "Call(can, [Without(EndOfTurn(), leave)])",
    "chance(1, 9)": "Call(chance, [Number(1) Number(9)])",
}


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_expression__gives_its_tree(text: str) -> None:
    value, problems = parse_cell(text, origin(text))
    assert not problems
    assert show(value) == EXPRESSIONS[text]


PATTERNS = {
    "2, Jkr": "[CardAlternative(False, [], 2, -, -) CardAlternative(False, [], Jkr, -, -)]",
    "red 3": "[CardAlternative(False, [red], 3, -, -)]",
    "4..A": "[CardAlternative(False, [], 4, A, -)]",
    "T..K": "[CardAlternative(False, [], 10, K, -)]",
    "not wild": "[CardAlternative(True, [wild], -, -, -)]",
    "natural, stop_card": (
        "[CardAlternative(False, [natural], -, -, -) CardAlternative(False, [stop_card], -, -, -)]"
    ),
    "KH": "[CardAlternative(False, [], -, -, CardLiteral(K, H))]",
    "wild A": "[CardAlternative(False, [wild], A, -, -)]",
    "not red natural 3..7": "[CardAlternative(True, [red natural], 3, 7, -)]",
    "none": "[CardAlternative(False, [none], -, -, -)]",
    "10": "[CardAlternative(False, [], 10, -, -)]",
}


@pytest.mark.parametrize("text", PATTERNS)
def test_card_pattern__gives_its_tree(text: str) -> None:
    pattern, problems = parse_cards(text, origin(text))
    assert not problems
    assert pattern is not None
    assert show(pattern.alternatives) == PATTERNS[text]


DECLARATIONS = {
    "use a, b": "Use([a b])",
    "remove rule a, moment b": "Removal(rule, a) Removal(moment, b)",
    "remove phase a, remember b": "Removal(phase, a) Removal(remember, b)",
    'setting a = 3 "x"': "SettingDecl(False, a, [], [], Number(3), 'x')",
    'setting a = b "x"': "SettingDecl(False, a, [], [], b, 'x')",
    'setting a [AB-1] = b | c "x"': "SettingDecl(False, a, [AB-1], [b c], -, 'x')",
    "table a by band": "TableDecl(False, a, [], Keyed(band), -)",
    'replace table a by number "x"': "TableDecl(True, a, [], Keyed(number), 'x')",
    "table a by card": "TableDecl(False, a, [], Keyed(card), -)",
    "table a sorts melds as b with c = 0, d: suit": (
        "TableDecl(False, a, [], Sorts(b, [Column(c, Number(0), -) Column(d, -, suit)]), -)"
    ),
    "table a sorts melds as b": "TableDecl(False, a, [], Sorts(b, []), -)",
    "table a lists b with c = 1": (
        "TableDecl(False, a, [], Lists(b, [Column(c, Number(1), -)]), -)"
    ),
    "zone a hidden": "ZoneDecl(False, a, [], -, hidden, False, -)",
    "zone a top shown": "ZoneDecl(False, a, [], -, top shown, False, -)",
    "zone a hidden, holds the pack": "ZoneDecl(False, a, [], -, hidden, True, -)",
    "zone a of side shown": "ZoneDecl(False, a, [], side, shown, False, -)",
    'zone a of player shown to owner "x"': (
        "ZoneDecl(False, a, [], player, shown to owner, False, 'x')"
    ),
    'phase a begins turn "x"': "PhaseDecl(False, a, [], True, 'x')",
    'replace phase a "x"': "PhaseDecl(True, a, [], False, 'x')",
    "remember a = no each turn": "MemoryDecl(False, a, [], -, -, Truth(False), turn, -)",
    "remember a of side: player each deal": "MemoryDecl(False, a, [], side, player, -, deal, -)",
    'remember a = 0 each game "b"': "MemoryDecl(False, a, [], -, -, Number(0), game, 'b')",
    "define a of card [AB-1 CD-2a] = b": "Definition(False, a, [AB-1 CD-2a], card, b)",
    "define a = b and\n  c": "Definition(False, a, [], -, And([b c]))",
    "define a = (\n  b\n)": "Definition(False, a, [], -, b)",
    'action a "x"\n  during b, c\n  then end turn': (
        "ActionDecl(False, a, [], [], Sentence(['x']), [b c], [EndTurn()])"
    ),
    'action a(b in c, d from e) "x {b} (as {d})" [AB-1]\n  during f\n  then\n    go back': (
        "ActionDecl(False, a, [AB-1], [Parameter(b, one, c) Parameter(d, some, e)], "
        "Sentence(['x ' b ' (as ' d ')']), [f], [GoBack()])"
    ),
    "moment a\n  when b\n  then redeal": "MomentDecl(False, a, [], -, b, [Redeal()])",
    "moment a [AB-1] at end of turn\n  then redeal": (
        "MomentDecl(False, a, [AB-1], AtBoundary(end, turn), -, [Redeal()])"
    ),
    "moment a at start of game\n  then redeal": (
        "MomentDecl(False, a, [], AtBoundary(start, game), -, [Redeal()])"
    ),
    "moment a after b, c\n  then redeal": ("MomentDecl(False, a, [], After([b c]), -, [Redeal()])"),
    "moment a before b\n  when c\n  then redeal": (
        "MomentDecl(False, a, [], Before([b]), c, [Redeal()])"
    ),
    'rule a [AB-1]\n  b, c requires d\n  because "x"': (
        "RuleDecl(False, a, [AB-1], [b c], Requires(d), -, -, -, Sentence(['x']))"
    ),
    'rule a\n  b,\n    c requires d\n  because "x"': (
        "RuleDecl(False, a, [], [b c], Requires(d), -, -, -, Sentence(['x']))"
    ),
    'rule a\n  b forbidden when c\n  because "{d}"': (
        "RuleDecl(False, a, [], [b], Forbidden(), c, -, -, Sentence([d]))"
    ),
    'rule a\n  end of turn requires b\n  unless c\n  when d\n  because "x"': (
        "RuleDecl(False, a, [], [EndOfTurn()], Requires(b), d, c, -, Sentence(['x']))"
    ),
    'rule a\n  b allowed during c, d\n  because "x"': (
        "RuleDecl(False, a, [], [b], AllowedDuring([c d]), -, -, -, Sentence(['x']))"
    ),
    'replace rule a\n  b forbidden\n  while another will do\n  because ""': (
        "RuleDecl(True, a, [], [b], Forbidden(), -, -, Soft(another), Sentence([]))"
    ),
    'rule a\n  b forbidden\n  while the turn can end otherwise\n  because "x"': (
        "RuleDecl(False, a, [], [b], Forbidden(), -, -, Soft(otherwise), Sentence(['x']))"
    ),
    'score a\n  gives 5\n  because "x"': (
        "ScoreDecl(False, a, [], False, -, Number(5), -, -, Sentence(['x']))"
    ),
    'score only a of player [AB-1]\n  gives b\n  when c\n  unless d\n  because "x"': (
        "ScoreDecl(False, a, [AB-1], True, player, b, c, d, Sentence(['x']))"
    ),
}


@pytest.mark.parametrize("text", DECLARATIONS)
def test_declaration__gives_its_tree(text: str) -> None:
    declarations, problems = parse_rules(text, origin(text))
    assert not problems
    assert " ".join(map(show, declarations)) == DECLARATIONS[text]


EFFECTS = {
    "let a = b": "Let(a, b)",
    "move 1 from a to b": "Move(Number(1), a, b, [])",
    "move a where b to c": "Move(Where(a, b), -, c, [])",
    "move 2 from a to b, but c to d, but e to f": (
        "Move(Number(2), a, b, [Diversion(c, d) Diversion(e, f)])"
    ),
    "move from a to b until top(b) is c": "MoveUntil(a, b, Is(Call(top, [b]), c, False), [])",
    "move from a to b until c, but d to e": "MoveUntil(a, b, c, [Diversion(d, e)])",
    "move a under b": "MoveUnder(a, -, b)",
    "move 3 from a under b": "MoveUnder(Number(3), a, b)",
    "exchange a with b to c": "Exchange(a, b, c)",
    "exchange top(a) with b(c) to d(e)": "Exchange(Call(top, [a]), Call(b, [c]), Call(d, [e]))",
    "meld a": "LayMeld(a, -, -)",
    "meld a as b": "LayMeld(a, b, -)",
    "meld top(a) + b onto c": "LayMeld(Arithmetic(+, Call(top, [a]), b), -, c)",
    "a becomes none": "Becomes(Target(a, -), Nothing())",
    "a(b) gains 1": "Gains(Target(a, b), Number(1))",
    "go to a": "GoTo(a, -)",
    "go to a for next(b)": "GoTo(a, Call(next, [b]))",
    "go back": "GoBack()",
    "end turn": "EndTurn()",
    "end deal": "EndDeal()",
    "end game": "EndGame(-)",
    "end game for a": "EndGame(a)",
    "shuffle a": "Shuffle(a)",
    "redeal": "Redeal()",
    "if a\n      redeal": "If(a, [Redeal()], [])",
    "if a\n      redeal\n    else\n      go back": "If(a, [Redeal()], [GoBack()])",
    "if a\n      redeal\n    else if b\n      go back\n    else\n      end deal": (
        "If(a, [Redeal()], [If(b, [GoBack()], [EndDeal()])])"
    ),
    "for each player\n      redeal": "ForEach(player, -, -, [Redeal()])",
    "for each round in 1..4\n      redeal": (
        "ForEach(round, Range(Number(1), Number(4)), -, [Redeal()])"
    ),
    "for each player from left(dealer)\n      go back\n      redeal": (
        "ForEach(player, -, Call(left, [dealer]), [GoBack() Redeal()])"
    ),
}


@pytest.mark.parametrize("text", EFFECTS)
def test_effect__gives_its_tree(text: str) -> None:
    whole = f"moment m\n  then\n    {text}\n"
    (moment,), problems = parse_rules(whole, origin(whole))
    assert not problems
    assert isinstance(moment, tree.MomentDecl)
    assert show(moment.effects) == f"[{EFFECTS[text]}]"


def test_file__has_a_header() -> None:
    text = '# what it is\n\npart a "b c"\nuse d\n'
    found, problems = parse_file(text, origin(text))
    assert not problems
    assert show(found.header) == "Header(part, a, 'b c')"
    assert show(found.declarations) == "[Use([d])]"


def test_layout__comments_and_blank_lines_do_not_count() -> None:
    text = (
        "# first\nmoment a # at the head\n\n# at the edge\n  when b   # why\n\n"
        "      # deep\n  then\n    redeal\n  # shallow\n    go back\n# last"
    )
    (moment,), problems = parse_rules(text, origin(text))
    assert not problems
    assert show(moment) == "MomentDecl(False, a, [], -, b, [Redeal() GoBack()])"
