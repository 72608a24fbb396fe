"""The shape of variants, house rules and scenarios."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from meldc.assets import data_root
from meldc.diagnostics import CompileError, Diagnostic, render_text
from meldc.load.catalogue import Kind, Place, shipped
from meldc.load.documents import (
    HOUSE_KEYS,
    VARIANT_KEYS,
    load_house,
    load_scenario,
    load_variant,
    read_house,
    read_scenario,
    read_variant,
)
from meldc.load.nodes import YamlMap, YamlText
from meldc.load.text_reader import decode_source
from meldc.source import SourceFile, Sources, Span

VARIANT = "variant: mine\ntitle: Mine\nextends: base.yaml\n"
HOUSE = "house: ours\ntitle: Ours\nmachine: sets\n"
TEST = "variant: mine.yaml\ntests:\n  - name: one\n"

# Words of the validator below us; none of them may reach a reader.
FOREIGN = re.compile(r"is not of type|does not match|valid under|schema|propert|\['|None|required")

Reader = Callable[[SourceFile], YamlMap]


def problems(reader: Reader, text: str) -> tuple[Diagnostic, ...]:
    source = decode_source(text.encode(), "mine.yaml")
    with pytest.raises(CompileError) as caught:
        reader(source)
    shown = render_text(caught.value.diagnostics, Sources([source]))
    assert not FOREIGN.search(shown), shown
    return caught.value.diagnostics


def accept(reader: Reader, text: str) -> YamlMap:
    return reader(decode_source(text.encode(), "mine.yaml"))


def underlined(text: str, span: Span | None) -> str:
    assert span is not None
    return text.split("\n")[span.line - 1][span.column - 1 : span.end_column - 1]


# -- what ships ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", shipped(Kind.VARIANT))
def test_variant__every_shipped_one_has_the_shape(name: str) -> None:
    root = load_variant(shipped(Kind.VARIANT)[name])
    value = root.get("variant")
    assert isinstance(value, YamlText)
    assert value.value == name


@pytest.mark.parametrize("name", shipped(Kind.HOUSE))
def test_house__every_shipped_one_has_the_shape(name: str) -> None:
    root = load_house(shipped(Kind.HOUSE)[name])
    value = root.get("house")
    assert isinstance(value, YamlText)
    assert value.value == name


SCENARIOS = sorted(
    (each.name, each)
    for each in (data_root("specs") / "tests").iterdir()
    if each.name.endswith(".yaml")
)


@pytest.mark.parametrize("name", [name for name, _ in SCENARIOS])
def test_scenario__every_shipped_one_has_the_shape(name: str) -> None:
    assert load_scenario(Place(f"specs/tests/{name}", dict(SCENARIOS)[name]))


@pytest.mark.parametrize("name", ["variant", "house-rule", "scenario"])
def test_schema__is_one(name: str) -> None:
    text = (data_root("schemas") / f"{name}.schema.json").read_text(encoding="utf-8")
    Draft202012Validator.check_schema(json.loads(text))


# -- variants -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "more",
    [
        "players: 2..8\nside_size: 2 or 1\n",
        "players: [2, 4, 6]\nside_size: [1, 2]\n",
        'pack: {packs: "min(count(players) + 1, 7)", jokers: 0, ranks: 7..A}\n',
        "pack:\n  packs: if count(players) <= 4 then 1 else 2\n",
        "use: feet, stuck\n",
        "use: [feet, stuck]\n",
        "values:\n  2, A: 20\n  8..K: 10\n  black 3: 5\n",
        "melds:\n  set: {size: 3.., wilds: ..2, naturals: 2..4, if: wilds < naturals}\n",
        "melds:\n  pairs: {cards: [2, 4..A], contains: [2, 7, A], my_column: 9}\n",
        "replace opening: {below 0: 15, 3000: 155}\n",
        "replace opening-points: {below 0: 15}\n",
        "calls:\n  low: {title: Low, suit: clubs, times: 2}\n",
        "hand-size: 11\n",
        "remove: [melds.pairs, rule one, moment two]\n",
        "rules: |\n  rule one\n    discard forbidden\n",
        "needs: {pile = any: no need of it}\nsources: [a book, https://example.org]\n",
    ],
)
def test_variant__accepted(more: str) -> None:
    assert accept(read_variant, VARIANT + more)


@pytest.mark.parametrize(
    ("more", "code", "place"),
    [
        ("players: 0\n", "MC0202", "0"),
        ("players: 21\n", "MC0202", "21"),
        ("players: 2-8\n", "MC0202", "2-8"),
        ("players: {a: 1}\n", "MC0201", "players"),
        ("players: [2, x]\n", "MC0201", "x"),
        ("players: [2, 2]\n", "MC0210", "2"),
        ("side_size: 11\n", "MC0202", "11"),
        ("pack: 2\n", "MC0201", "2"),
        ("pack: {}\n", "MC0206", "pack"),
        ("pack: {packs: 0}\n", "MC0202", "0"),
        ("pack: {packs: [2]}\n", "MC0201", "packs"),
        ("pack: {decks: 2}\n", "MC0203", "decks"),
        ("cards: natural\n", "MC0201", "natural"),
        ("cards: {Wild: 2}\n", "MC0205", "Wild"),
        ("values: {}\n", "MC0206", "values"),
        ("values: {2: [1]}\n", "MC0201", "2"),
        ("melds: {set: 3}\n", "MC0201", "3"),
        ("melds: {set: {size: 3-7}}\n", "MC0202", "3-7"),
        ("melds: {set: {size: 3...7}}\n", "MC0202", "3...7"),
        ("melds: {set: {size: ''}}\n", "MC0206", "size"),
        ("melds: {set: {How: 1}}\n", "MC0205", "How"),
        ("melds: {Set: {size: 3}}\n", "MC0205", "Set"),
        ("rules: [a]\n", "MC0201", "rules"),
        ("rules: ''\n", "MC0206", "rules"),
        ("rules:\n", "MC0206", "rules"),
        ("hand_size:\n", "MC0206", "hand_size"),
        ("opening: {3000: {a: {b: 1}}}\n", "MC0201", "a"),
        ("Hand_Size: 11\n", "MC0205", "Hand_Size"),
        ("replace: 11\nreplace Two: 1\n", "MC0205", "replace Two"),
        ("choices: {a: 1}\n", "MC0203", "choices"),
        ("machine: sets\n", "MC0208", "extends"),
        ("remove: []\n", "MC0206", "remove"),
        ("remove: [x]\n", "MC0202", "x"),
        ("remove: [rule a, rule a]\n", "MC0210", "rule a"),
        ("needs: [a]\n", "MC0201", "needs"),
        ("needs: {a: 1}\n", "MC0201", "1"),
    ],
)
def test_variant__refused(more: str, code: str, place: str) -> None:
    text = VARIANT + more
    (found,) = problems(read_variant, text)
    assert found.code == code
    assert underlined(text, found.primary.span) == place


@pytest.mark.parametrize("name", ["My Game", "mine!", "-mine", "x" * 61, "[a]", "ünder"])
def test_variant__name_is_a_word(name: str) -> None:
    (found,) = problems(read_variant, VARIANT.replace("variant: mine", f"variant: {name}"))
    assert found.code in ("MC0201", "MC0202")


def test_variant__neither_base_nor_machine() -> None:
    (found,) = problems(read_variant, "variant: mine\ntitle: Mine\n")
    assert found.code == "MC0208"
    assert found.primary.text == "here is none of them"


def test_variant__all_problems_in_one_run() -> None:
    text = VARIANT + "players: many\npack: {joker: 2}\nhand_size:\n"
    found = problems(read_variant, text)
    assert [each.code for each in found] == ["MC0202", "MC0203", "MC0206"]


def test_variant__unknown_key_names_the_near_one() -> None:
    (found,) = problems(read_variant, VARIANT + "pack: {packs: 2, joker: 2}\n")
    assert found.help == ("did you mean `jokers`?",)


def test_variant__a_miswritten_key_is_told_from_a_missing_one() -> None:
    (found,) = problems(read_variant, "variant: mine\ntitel: Mine\nmachine: sets\n")
    assert found.code == "MC0204"
    assert found.help == ("is `titel` meant to be `title`?",)


def test_variant__not_a_map() -> None:
    (found,) = problems(read_variant, "- a\n- b\n")
    assert found.code == "MC0201"


@pytest.mark.parametrize(
    ("reader", "text", "words"),
    [
        (read_variant, HOUSE, "this is a house rule, and a variant is needed"),
        (read_house, VARIANT, "this is a variant, and a house rule is needed"),
        (read_variant, "tests: []\n", "this is a scenario file, and a variant is needed"),
        (read_scenario, HOUSE, "this is a house rule, and a scenario file is needed"),
    ],
)
def test_other_kind__is_told_alone(reader: Reader, text: str, words: str) -> None:
    (found,) = problems(reader, text)
    assert (found.code, found.message) == ("MC0207", words)


def test_fixed_keys__are_those_of_the_schemas() -> None:
    assert {"variant", "extends", "melds", "rules"} <= set(VARIANT_KEYS)
    assert set(HOUSE_KEYS) - set(VARIANT_KEYS) == {"house", "choices"}
    assert set(VARIANT_KEYS) - set(HOUSE_KEYS) == {"variant", "extends"}


# -- house rules --------------------------------------------------------------------------------


def test_house__choices() -> None:
    text = HOUSE + "choices:\n  13: 13\n  by-players: if count(players) = 2 then 15 else 11\n"
    assert accept(read_house, text)
    assert [each.code for each in problems(read_house, HOUSE + "choices: {}\n")] == ["MC0206"]


def test_house__extends_nothing() -> None:
    (found,) = problems(read_house, HOUSE + "extends: base.yaml\n")
    assert found.code == "MC0203"


def test_house__names_its_machine() -> None:
    (found,) = problems(read_house, "house: ours\ntitle: Ours\n")
    assert (found.code, found.message) == ("MC0204", "the file has no `machine`")


# -- scenarios ----------------------------------------------------------------------------------


def test_scenario__all_of_the_form() -> None:
    text = """\
variant: mine
house: [fewer, deal-size=15]
players: 4
side_size: 2
seed: 7
tests:
  - name: steps
    clause: CC-26
    given:
      players: 4
      scores: {A: 0, B: -15}
      deal: 1
      dealer: P4
      turn: P1
      phase: draw
      hands: {P1: 9C 2S 5H 6S, P2: ""}
      feet:  {P1: 4C 4D}
      melds: {A: [8H 8D 8S], B: []}
      opened: {A: true}
      bonus: {A: 3H}
      pile: 4C 9D
      stock: 10
      frozen: false
      wild_rank: 7
    steps:
      - legal: take pile with 9C 2S
      - illegal: take pile with 2S 5H
        because: natural_needed
      - do: take pile with 9C 2S
      - expect: count(hand(P1)) = 3
      - expect: [count(pile) = 0, opened(A)]
      - turn: P1
      - to_act: P1
      - over: false
      - scores: {A: 120, B: -35}
      - totals: {A: 1620, B: 465}
      - game: on
      - winner: A
      - winner: [A, B]
      - options: [discard 4C, discard 5H]
  - name: score
    score:
      out: P1
      concealed: false
      melds: {A: [8H 8D 8S], B: [9H 9D 9S]}
      hands: {P2: KH, P3: "", P4: 3S}
      expect: {A: 480, B: -15}
"""
    assert accept(read_scenario, text)


@pytest.mark.parametrize(
    ("more", "code", "place"),
    [
        ("    steps: []\n", "MC0206", "steps"),
        ("    steps: [draw]\n", "MC0201", "draw"),
        ("    steps: [{do: draw, turn: P1}]\n", "MC0208", "do"),
        ("    steps: [{because: x}]\n", "MC0208", "because"),
        ("    steps: [{do: draw, because: x}]\n", "MC0209", "because"),
        ("    steps: [{di: draw}]\n", "MC0203", "di"),
        ("    steps: [{do: ''}]\n", "MC0206", "do"),
        ("    steps: [{over: maybe}]\n", "MC0202", "maybe"),
        ("    steps: [{game: off}]\n", "MC0202", "off"),
        ("    steps: [{turn: p1}]\n", "MC0202", "p1"),
        ("    steps: [{scores: {A: ten}}]\n", "MC0201", "ten"),
        ("    steps: [{scores: {a: 10}}]\n", "MC0205", "a"),
        ("    steps: [{do: draw}]\n    given: {hands: {p1: 9C}}\n", "MC0205", "p1"),
        ("    steps: [{do: draw}]\n    given: {deal: 0}\n", "MC0202", "0"),
        ("    steps: [{do: draw}]\n    given: {opened: {A: maybe}}\n", "MC0202", "maybe"),
        ("    steps: [{do: draw}]\n    given: {melds: {A: 8}}\n", "MC0201", "8"),
        ("    steps: [{do: draw}]\n    given: {Frozen: no}\n", "MC0205", "Frozen"),
        ("    stepps: [{do: draw}]\n    steps: [{do: draw}]\n", "MC0203", "stepps"),
        ("    score: {out: P1}\n", "MC0204", "score"),
        ("    score: {expect: {}}\n", "MC0206", "expect"),
        ("    given: {deal: 1}\n", "MC0208", "name"),
        ("    score: {expect: {A: 1}}\n    steps: [{do: draw}]\n", "MC0208", "steps"),
    ],
)
def test_scenario__refused(more: str, code: str, place: str) -> None:
    text = TEST + more
    found = [each for each in problems(read_scenario, text) if each.code == code]
    assert underlined(text, found[0].primary.span) == place


def test_scenario__without_tests() -> None:
    codes = [each.code for each in problems(read_scenario, "variant: a\ntests: []\n")]
    assert codes == ["MC0206"]


# -- files --------------------------------------------------------------------------------------


def test_load__adds_the_text_also_when_it_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("house: ours\n")
    sources = Sources()
    with pytest.raises(CompileError) as caught:
        load_variant(path, sources)
    assert "1 | house: ours" in render_text(caught.value.diagnostics, sources)


def test_load__missing_file_and_folder(tmp_path: Path) -> None:
    for path in (tmp_path / "gone.yaml", tmp_path, tmp_path / ("x" * 5000), tmp_path / "a\0b"):
        with pytest.raises(CompileError) as caught:
            load_variant(path)
        (found,) = caught.value.diagnostics
        assert found.code in ("MC0101", "MC0102")
        assert found.is_unreadable


def test_load__file_the_system_does_not_give(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "secret.yaml"
    path.write_text(VARIANT)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(CompileError) as caught:
        load_variant(path)
    assert [each.code for each in caught.value.diagnostics] == ["MC0102"]


PIECES = st.sampled_from(
    ["variant: mine\n", "house: x\n", "title: T\n", "machine: m\n", "extends: y\n", "pack: ",
     "{packs: 2}\n", "melds:\n", "  set: {size: 3..}\n", "  - name: a\n", "tests:\n", "rules: |\n",
     "  x\n", "players: ", "2..8\n", "[]\n", "{}\n", "\n", "[[1]]\n", "    steps: [{do: draw}]\n",
     "given: {}\n", "needs: ", "values: ", "remove: ", "''\n", "cards: ", "9" * 400 + "\n"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=12).map("".join), st.sampled_from([0, 1, 2]))
def test_any_file__tree_or_diagnostics(text: str, which: int) -> None:
    reader = (read_variant, read_house, read_scenario)[which]
    source = decode_source(text.encode(), "mine.yaml")
    try:
        reader(source)
    except CompileError as problem:
        shown = render_text(problem.diagnostics, Sources([source]))
    else:
        shown = ""
    assert not FOREIGN.search(shown)


def test_empty_row__is_told_how_a_row_of_defaults_is_written() -> None:
    (found,) = problems(read_variant, "variant: a\ntitle: A\nmachine: b\nbids: {low: {}}\n")
    assert (found.code, "`{title: …}`" in found.help[0]) == ("MC0206", True)
