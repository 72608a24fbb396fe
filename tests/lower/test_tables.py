"""Settings, tables, kinds of meld and what is remembered."""

from __future__ import annotations

from pathlib import Path

from small_game import compile_small, show

from meldc_runtime.program import dump, load


def test_band__has_a_row_under_every_bound(tmp_path: Path) -> None:
    table = compile_small(tmp_path).named("tables", "tiers")
    assert [(row.key, show(row.cells)) for row in table.rows] == [
        (None, "[[, 15]]"),
        (0, "[[, 50]]"),
        (1500, "[[, 90]]"),
    ]


def test_number__goes_on_beyond_the_last_row(tmp_path: Path) -> None:
    table = compile_small(tmp_path).named("tables", "steps")
    assert [row.key for row in table.rows] == [1, 2]
    assert show(table.each_more) == "50"


def test_card__has_patterns_and_reads_the_card(tmp_path: Path) -> None:
    table = compile_small(tmp_path).named("tables", "costs")
    assert [(show(row.condition), show(row.cells[0][1])) for row in table.rows] == [
        ("(card.rank = 14:rank)", "20"),
        ("Member(card.rank, Range(2:rank, 10:rank))", "card.number"),
        ("wild(card)", "50"),
    ]


def test_values__are_a_table_of_cards(tmp_path: Path) -> None:
    table = compile_small(tmp_path).program.tables[0]
    assert (table.name, table.form) == ("values", "card")
    assert show(table.rows[1].condition) == "((card.rank = 2:rank) or (card.rank = 14:rank))"


def test_sorts__joins_what_a_row_says(tmp_path: Path) -> None:
    table = compile_small(tmp_path).named("tables", "sets")
    assert (table.word, table.columns) == ("sort", (("bonus", "number"), ("good", "yes_no")))
    pure, mixed, long = table.rows
    assert show(pure.condition) == (
        "((meld.kind = 0:kind) and (meld.size >= 7) and (meld.wilds = 0))"
    )
    assert show(mixed.cells) == "[[bonus, 300], [good, False:yes_no]]"
    assert show(long.condition) == "((meld.kind = 1:kind) and (meld.size = 7))"
    assert show(long.cells) == "[[bonus, 200], [good, True:yes_no]]"


def test_sorts__condition_is_of_the_side_that_owns_the_meld(tmp_path: Path) -> None:
    tables = "sets:\n  odd: {meld: set, rank: 7..9, if: opened and count(cards where red) > 2}\n"
    table = compile_small(tmp_path, tables=tables).named("tables", "sets")
    assert show(table.rows[0].condition) == (
        "((meld.kind = 0:kind) and Member(meld.rank, Range(7:rank, 9:rank)) and "
        "opened(meld.owner) and (Count(meld.cards, It1, It1.red) > 2))"
    )


def test_lists__has_rows_with_titles(tmp_path: Path) -> None:
    table = compile_small(tmp_path).named("tables", "bids")
    assert [(row.key, row.title, show(row.cells)) for row in table.rows] == [
        ("low", "", "[[suit, 0:suit], [times, 1]]"),
        ("high", "Highest", "[[suit, 3:suit], [times, 3]]"),
    ]


def test_kind__has_its_defaults(tmp_path: Path) -> None:
    small = compile_small(tmp_path)
    kind, run = small.named("kinds", "set"), small.named("kinds", "run")
    assert (kind.naturals, kind.wilds, kind.size) == ((2, None), (0, 3), (3, None))
    assert (run.naturals, run.wilds, run.size) == ((0, None), (0, 0), (3, 7))
    assert (kind.called, run.called, kind.how_many, run.how_many) == ("set", "row", "one", "many")
    assert (run.ace, run.condition, show(run.cards)) == ("high", None, "natural(card)")


def test_kind__of_groups_is_as_large_as_they_are(tmp_path: Path) -> None:
    row = "{shape: 4 4 3 3, cards: any, contains: [2, red 7], if: size > wilds}"
    tables = f"hand_size: 14\nmelds:\n  set: {row}\n"
    tables += "sets:\n  pure: {meld: set}\n"
    small = compile_small(tmp_path, tables=tables)
    kind = small.named("kinds", "set")
    assert (kind.groups, kind.size, show(kind.cards)) == ((4, 4, 3, 3), (14, 14), "True:yes_no")
    assert show(kind.contains) == "[(card.rank = 2:rank), (card.red and (card.rank = 7:rank))]"
    assert show(kind.condition) == "(meld.size > meld.wilds)"


def test_class__is_a_definition_about_a_card(tmp_path: Path) -> None:
    found = compile_small(tmp_path).named("definitions", "wild")
    assert (found.params, found.type) == ((("card", "card"),), "yes_no")
    assert show(found.body) == "((card.rank = 2:rank) or (card.rank = 15:rank))"


def test_setting__has_choices_or_a_type(tmp_path: Path) -> None:
    small = compile_small(
        tmp_path, tables="hand_size: if count(players) = 2 then 7 else 5\npace: quick\n"
    )
    pace, size = small.named("settings", "pace"), small.named("settings", "hand_size")
    assert (pace.type, pace.choices, show(pace.value)) == ("word", ("slow", "quick"), "quick:word")
    assert (size.type, size.choices) == ("number", ())
    assert show(size.value) == "If((Count(AllPlayers()) = 2), 7, 5)"


def test_memory__has_a_type_and_a_start(tmp_path: Path) -> None:
    rules = "remember had = any(melds) each turn\nremember ahead of side = total each deal"
    small = compile_small(tmp_path, rules)
    found = {each.name: each for each in small.program.memories}
    assert show(found["had"].initial) == "Exists(MeldsOf(SideOf(player)))"
    assert show(found["ahead"].initial) == "total(side)"
    assert (found["standing"].type, found["standing"].initial) == ("row:bids", None)
    built_in = [(each.name, each.owner, each.scope) for each in small.program.memories[:3]]
    assert built_in == [
        ("total", "side", "game"),
        ("dealer", "none", "game"),
        ("deal_number", "none", "game"),
    ]


def test_program__is_the_same_bytes_each_time(tmp_path: Path) -> None:
    first, second = (compile_small(tmp_path).program for _ in range(2))
    assert dump(first) == dump(second)
    assert load(dump(first)) == first


def test_program__says_where_everything_was_written(tmp_path: Path) -> None:
    small = compile_small(tmp_path, 'rule asked\n  leave forbidden when noted\n  because "no"')
    program = small.program
    for group in ("settings", "zones", "phases", "definitions", "kinds", "actions", "moments",
                  "rules", "scores"):  # fmt: skip
        for each in getattr(program, group):
            origin = each.origin
            source = small.compilation.sources.get(origin.file)
            line = source.line(origin.line)[origin.column - 1 : origin.end_column - 1]
            assert each.name in line or group in ("settings", "definitions")
    history = dict(program.provenance)
    assert [step.source for step in history["settings.hand_size"]] == ["machine small"]
    assert [step.source for step in history["rules.asked"]] == ["variant mine"]
