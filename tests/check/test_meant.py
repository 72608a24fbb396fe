"""What is written after another manner is answered with how it is written here."""

from __future__ import annotations

from pathlib import Path

import pytest
from check.support import compiled, in_rules, underlined

from meldc.compilation import compile_spec
from meldc.fixing import repair

RULE = 'rule odd\n  {}\n  because "odd"'

MEANT: dict[str, tuple[str, str, str]] = {  # what is written: its code, what help says
    "a rank in quotes": (
        in_rules(RULE.format('discard forbidden when card.rank > "K"')),
        "MC0301",
        "without quotes: `K`",
    ),
    "a suit held against a rank": (
        in_rules(RULE.format("discard forbidden when card.suit = Q")),
        "MC0502",
        "`rank` is compared with a rank",
    ),
    "`is` for `=`": (
        in_rules(RULE.format("discard forbidden when card.rank is K")),
        "MC0307",
        "`= K`",
    ),
    "a word before what is counted": (
        in_rules(RULE.format("going_out requires count(natural canastas) > 2")),
        "MC0301",
        "`where` picks some",
    ),
    "the article": (in_rules("moment odd after draw\n  then shuffle the stock"), "MC0301", "`the`"),
    "one word more": (in_rules("remove moment freezing_pile"), "MC0406", "`freezing`"),
    "a number in words": ("target: five thousand", "MC0301", "in figures"),
    "a stretch for a bound": ("opening_points: {0-1495: 50}", "MC0202", "`0: …`"),
    "a stretch for a number": ("bonus_worth: {1-3: 100}", "MC0202", "a row of its own"),
    "a rank in words": ("values: {ace: 25}", "MC0608", "`A`"),
    "a joker in short": ("values: {JK: 50}", "MC0307", "`Jkr`"),
    "cards without a comma": ("cards: {wild: Jkr 2}", "MC0301", "comma"),
    "cards with `and`": ("cards: {wild: 2 and Jkr}", "MC0301", "comma"),
    "players with a dash": ("players: 2-4", "MC0202", "`players: 2..4`"),
    "players in a row": ("players: 2, 3, 4", "MC0202", "`players: 2..4`"),
    "players apart": ("players: 2, 4", "MC0202", "`players: 2 or 4`"),
    "sides that do not come out even": ("players: 4\nside_size: 3", "MC0610", "`side_size: 2`"),
}


@pytest.mark.parametrize("name", MEANT)
def test_help__says_how_it_is_written(name: str, tmp_path: Path) -> None:
    text, code, said = MEANT[name]
    found = compiled(tmp_path, "classic", text).diagnostics[0]
    assert found.code == code
    assert said in " ".join(found.help), found.help


def test_removal__of_what_the_base_has_removed_is_told_so(tmp_path: Path) -> None:
    found = compiled(tmp_path, "american", "remove: [rule black_threes_last]").diagnostics[0]
    assert (found.code, found.help) == ("MC0406", ("leave it out",))


def test_setting_of_a_part__is_told_with_the_part(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    (tmp_path / "bare.rules").write_text('machine bare "Nothing much"\n', encoding="utf-8")
    path.write_text("variant: mine\ntitle: M\nmachine: bare\nplayers: 2\ntarget: 9\n", "utf-8")
    found = next(each for each in compile_spec(path).diagnostics if each.code == "MC0401")
    assert "`use: game`" in " ".join(found.help)


FORMS: dict[str, tuple[str, tuple[str, str]]] = {
    "a line that ends with `and`": (
        in_rules(RULE.format("discard forbidden when card.rank = A and")),
        ("MC0301", "and"),
    ),
    "a text key among the rows of a map": (
        'melds:\n  set: {size: 3..8}\n  rules: |\n  rule odd\n    because "odd"',
        ("MC0122", "rules"),
    ),
}


@pytest.mark.parametrize("name", FORMS)
def test_form__is_told_where_it_goes_wrong(name: str, tmp_path: Path) -> None:
    text, expected = FORMS[name]
    assert underlined(compiled(tmp_path, "classic", text))[0] == expected


def test_circle__is_told_in_the_file_that_is_read_first(tmp_path: Path) -> None:
    for one, other in (("one", "two"), ("two", "one")):
        text = f"variant: {one}\ntitle: T\nextends: {other}.yaml\n"
        (tmp_path / f"{one}.yaml").write_text(text, encoding="utf-8")
    (found,) = compile_spec(tmp_path / "one.yaml").diagnostics
    assert found.primary.span and found.primary.span.file.endswith("one.yaml")


UNKNOWN = in_rules(RULE.format("discrd forbidden when card.rank = A"))


def test_unknown_action__is_told_without_what_follows(tmp_path: Path) -> None:
    assert underlined(compiled(tmp_path, "classic", UNKNOWN)) == [("MC0451", "discrd")]


FIXES: dict[str, tuple[str, str]] = {
    "a slip": (UNKNOWN, "discard forbidden"),
    "a verb for an effect": (
        in_rules("moment odd after draw\n  then frozen become yes"),
        "becomes",
    ),
    "`is` for `=`": (MEANT["`is` for `=`"][0], "card.rank = K"),
}


def _mended(tmp_path: Path, text: str) -> str:
    compiled(tmp_path, "classic", text)
    path = str(tmp_path / "mine.yaml")
    return repair(path, ()).after.get(path, "")


@pytest.mark.parametrize("name", FIXES)
def test_fix__is_made_where_one_thing_alone_can_be_meant(name: str, tmp_path: Path) -> None:
    text, wanted = FIXES[name]
    assert wanted in _mended(tmp_path, text)


UNCERTAIN = {
    "a form of a word": in_rules("moment odd after melding\n  then frozen becomes yes"),
    "a short word": in_rules(RULE.format("discard forbidden when gp = 3")),
}


@pytest.mark.parametrize("name", UNCERTAIN)
def test_fix__is_not_made_where_others_may_be_meant(name: str, tmp_path: Path) -> None:
    assert not _mended(tmp_path, UNCERTAIN[name])


def test_fix_given_up__is_not_promised(tmp_path: Path) -> None:
    """The mended line would have another error in its place."""
    text = in_rules(RULE.format("discard forbidden when discrd"))
    compiled(tmp_path, "classic", text)
    state = repair(str(tmp_path / "mine.yaml"), ())
    assert not state.after
    assert all(each.fix is None for each in state.found())
