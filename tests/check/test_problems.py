"""One mistake, one message, at the words that are wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_game import compile_small

from meldc.compilation import compile_spec
from meldc.load.catalogue import shipped_variants

ROOT = Path(__file__).parents[2]

MISTAKES = {
    # names
    "define asked = cuont(hand)": ("MC0457", "cuont"),
    "define asked = totl > 3": ("MC0450", "totl"),
    "define asked = pace = quik": ("MC0450", "quik"),
    "define asked = standing = hihg": ("MC0450", "hihg"),
    "define asked of card = colour": ("MC0450", "colour"),
    "define asked = top(pile).colour": ("MC0456", "colour"),
    "define asked = wild": ("MC0454", "wild"),
    "define asked = any(melds where wild)": ("MC0454", "wild"),
    "define asked of side = count(hand)": ("MC0455", "hand"),
    "define asked = sides where any(hand)": ("MC0455", "hand"),
    "define asked = stock(dealer)": ("MC0457", "stock(dealer)"),
    "define asked = noted(dealer)": ("MC0457", "noted(dealer)"),
    "define asked of thing = 3": ("MC0458", "thing"),
    "remember asked: nothing_known each deal": ("MC0458", "nothing_known"),
    "define left = 3": ("MC0453", "left"),
    # types
    "define asked = not hand": ("MC0501", "hand"),
    "define asked = total + hand": ("MC0501", "hand"),
    "define asked = if held then 1 else 2": ("MC0501", "held"),
    "define asked = sum(hand by red)": ("MC0501", "red"),
    "define asked = count(dealer)": ("MC0503", "dealer"),
    "define asked = dealer where noted": ("MC0503", "dealer"),
    "define asked = top(pile) = 7": ("MC0502", "top(pile) = 7"),
    "define asked = dealer = winner": ("MC0502", "dealer = winner"),
    "define asked = dealer > out": ("MC0502", "dealer > out"),
    "define asked = pile = top(pile)": ("MC0502", "pile = top(pile)"),
    "define asked = dealer = none": ("MC0502", "dealer = none"),
    "define asked = 3 in dealer": ("MC0501", "dealer"),
    "define asked = max(3)": ("MC0504", "max(3)"),
    "define asked = count(hand, pile)": ("MC0504", "count(hand, pile)"),
    "define asked = sum(hand)": ("MC0505", "sum(hand)"),
    "define asked = hand is wild": ("MC0514", "hand"),
    "define asked = total is empty": ("MC0503", "total"),
    "define asked = opened(players)": ("MC0515", "players"),
    "define asked = tiers > 3": ("MC0513", "tiers"),
    "define asked = sets[3]": ("MC0513", "sets[3]"),
    "define asked = led[3]": ("MC0513", "led"),
    "define asked = (1, noted)": ("MC0501", "noted"),
    "define asked = pace > 3": ("MC0502", "pace > 3"),
    "remember asked = none each deal": ("MC0507", "none"),
    # effects
    "moment asked\n  then move 3 to pile": ("MC0501", "3"),
    "moment asked\n  then move hand to total": ("MC0509", "total"),
    "moment asked\n  then move hand(opponents) to pile": ("MC0510", "hand(opponents)"),
    "moment asked\n  then move 1 from stock to hand(players)": ("MC0515", "hand(players)"),
    "moment asked\n  then opened becomes 3": ("MC0508", "3"),
    "moment asked\n  then opened gains 3": ("MC0508", "opened"),
    "moment asked\n  then held becomes 3": ("MC0450", "held"),
    "moment asked\n  then turns becomes chance(1, 2)": ("MC0512", "chance(1, 2)"),
    "moment asked\n  then go to plya": ("MC0452", "plya"),
    "moment asked\n  then go to play for side": ("MC0501", "side"),
    "moment asked\n  then meld hand onto hand": ("MC0501", "hand"),
    "moment asked at end of deal\n  then move hand to pile": ("MC0455", "hand"),
    "moment asked\n  then\n    for each thing\n      end deal": ("MC0450", "thing"),
    # actions, moments, rules
    "moment asked after laeve\n  then end deal": ("MC0451", "laeve"),
    "moment asked after take, leave\n  when card is red\n  then end deal": ("MC0450", "card"),
    "moment asked before take, going_out\n  then end deal": ("MC0705", "before take, going_out"),
    'rule asked\n  laeve forbidden\n  because "no"': ("MC0451", "laeve"),
    'rule asked\n  set forbidden when sise > 3\n  because "no"': ("MC0450", "sise"),
    'rule asked\n  set allowed during play\n  because "no"': ("MC0451", "set"),
    'rule asked\n  take forbidden\n  because "no {crd}"': ("MC0450", "crd"),
    'score asked of card\n  gives 3\n  because "no"': ("MC0458", "card"),
    'action asked(card in 3) "ask {card}"\n  during play\n  then end turn': ("MC0503", "3"),
    'action asked(who from players) "ask {who}"\n  during play\n  then end turn': (
        "MC0501",
        "players",
    ),
    'action asked(pile in players) "ask {pile}"\n  during play\n  then end turn': (
        "MC0453",
        "pile",
    ),
    'action asked "ask"\n  during plya\n  then end turn': ("MC0452", "plya"),
}


@pytest.mark.parametrize("rules", MISTAKES)
def test_mistake__is_reported_once_where_it_is(rules: str, tmp_path: Path) -> None:
    assert compile_small(tmp_path, rules).underlined() == [MISTAKES[rules]]


@pytest.mark.parametrize(
    ("rules", "help_"),
    [
        ("define asked = totl", "did you mean `total`?"),
        ("define asked = high", "`high` is a row of `bids`: compare a row with it"),
        ("define asked = run", "`run` is a kind of meld: compare with it, as in `kind = run`"),
        (
            "define asked = quick",
            "compare with it, as `pace = quick`",
        ),
        ("define asked = not hand", "`any(…)` asks whether there are some"),
        ("define asked of side = hand", "`hand(players(side))` for all of the side's"),
        ("define asked = card", "`card` is a parameter of `leave`"),
    ],
)
def test_help__says_what_may_be_meant(rules: str, help_: str, tmp_path: Path) -> None:
    (found,) = compile_small(tmp_path, rules).compilation.diagnostics
    assert help_ in " ".join(found.help)


def test_mistakes__are_all_reported_in_one_run(tmp_path: Path) -> None:
    rules = "define one = totl\ndefine two = not hand\nmoment three\n  then go to plya"
    assert compile_small(tmp_path, rules).codes == ["MC0450", "MC0501", "MC0452"]


def test_circle__of_definitions_names_all_of_it(tmp_path: Path) -> None:
    rules = "define one = two\ndefine two = three\ndefine three = one"
    (found,) = compile_small(tmp_path, rules).compilation.diagnostics
    assert found.code == "MC0460"
    assert len(found.secondary) == 2


def test_look_ahead__in_a_circle_through_a_definition(tmp_path: Path) -> None:
    rules = "define able = can(going_out)\n"
    rules += 'rule one\n  take forbidden when able\n  because "no"\n'
    rules += 'rule two\n  going_out requires can(take)\n  because "no"\n'
    assert "MC0703" in compile_small(tmp_path, rules).codes
    cut = rules.replace("can(take)", "can(take without one)")
    assert compile_small(tmp_path, cut).codes == []


def test_secrets__numbers_are_public_and_cards_are_not(tmp_path: Path) -> None:
    asked = 'rule asked\n  leave forbidden when {}\n  because "no"'
    for condition in (
        "count(stock) > 3",
        "stock is empty",
        "top(pile) is red",
        "any(hand)",
    ):
        assert compile_small(tmp_path, asked.format(condition)).codes == []
    for condition in ("top(stock) is red", "any(hand(dealer) where red)", "bottom(pile) is red"):
        assert compile_small(tmp_path, asked.format(condition)).codes == ["MC0704"]


@pytest.mark.parametrize(
    ("tables", "codes"),
    [
        ("players: 4\nhand_size: 27", ["MC0603"]),
        ("players: 4\nhand_size: 26", []),
        ("players: 2..8\nside_size: 1\nhand_size: 14", ["MC0603"]),
        ("players: 5\nside_size: 2", ["MC0610"]),
        ("players: 3\nside_size: 3", ["MC0610"]),
        ("tiers: {below 100: 3, 0: 5}", ["MC0604"]),
        ("cards: {wild: '2, Jkr', natural: 3..A, threes: red clubs}", ["MC0601"]),
        (
            "pack: {packs: 2, ranks: 7..A, jokers: 0}\ncards: {wild: 7, natural: 8..A, threes: 7}",
            ["MC0622", "MC0612"],  # the values have a row for jokers; a 7 is of two classes
        ),
    ],
)
def test_cards__must_suffice(tables: str, codes: list[str], tmp_path: Path) -> None:
    assert compile_small(tmp_path, tables=tables + "\n").codes == codes


@pytest.mark.parametrize(
    ("row", "can_be"),
    [
        ("{shape: same rank, cards: natural, size: 8..}", True),
        ("{shape: same rank, cards: natural, size: 9..}", False),
        ("{shape: same rank, cards: natural, size: 9.., wilds: ..1}", True),
        ("{shape: same rank, cards: natural, size: 3.., naturals: 9..}", False),
        ("{shape: run, cards: natural, size: 11}", True),
        ("{shape: run, cards: natural, size: 12}", False),
        ("{shape: all different ranks, cards: any, size: 14}", True),
        ("{shape: all different ranks, cards: any, size: 15}", False),
        ("{shape: 8 8, cards: any}", True),
        ("{shape: 8 9, cards: any}", False),
        ("{shape: any, cards: wild, size: 10}", True),
        ("{shape: any, cards: wild, size: 11}", False),
    ],
)
def test_kind__can_be_formed_from_the_pack(row: str, can_be: bool, tmp_path: Path) -> None:
    tables = f"hand_size: 16\nmelds:\n  set: {row}\nsets:\n  pure: {{meld: set, bonus: 3}}\n"
    codes = compile_small(tmp_path, tables=tables).codes
    unused = {"MC0730", "MC0639"}  # classes that none of these rows takes, hands of other sizes
    assert [code for code in codes if code not in unused] == ([] if can_be else ["MC0606"])


@pytest.mark.parametrize("name", shipped_variants())
def test_shipped__has_no_problem(name: str) -> None:
    compilation = compile_spec(name)
    assert compilation.program is not None
    assert [each for each in compilation.diagnostics if not each.code.startswith("MC04")] == []


def test_program__does_not_hang_on_the_order_of_sets() -> None:
    script = (
        "import hashlib; from meldc.compilation import compile_spec;"
        "from meldc_runtime.program import dump;"
        "names = ['american-league', 'rummy-5000'];"
        "print([hashlib.sha256(dump(compile_spec(n).program).encode()).hexdigest() for n in names])"
    )
    path = os.pathsep.join(str(ROOT / each) for each in ("compiler", "runtime"))
    texts = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={"PYTHONPATH": path, "PYTHONHASHSEED": seed, "PATH": os.environ["PATH"]},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(texts) == 1


WORDS = (
    "hand pile stock melds sets total turns opened out standing led winner noted same held "
    "points complete wild natural threes players sides partners opponents player side card "
    "meld it rank suit value kind size cards laid_by high low quick pace run set spades "
    "dealer bids tiers costs 3 7 A yes none 7S "
)


def _wider(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    two = st.tuples(inner, inner)
    return st.one_of(
        st.tuples(
            st.sampled_from(["count", "any", "first", "top", "next", "left", "sum", "joined"]),
            inner,
        ).map(lambda t: f"{t[0]}({t[1]})"),
        two.map(lambda t: f"count({t[0]} where {t[1]})"),
        two.map(lambda t: f"all({t[0]} are {t[1]})"),
        two.map(lambda t: f"best({t[0]} by {t[1]})"),
        st.tuples(inner, st.sampled_from(["=", "<", "in", "+", "*"]), inner).map(
            lambda t: f"({t[0]} {t[1]} {t[2]})"
        ),
        two.map(lambda t: f"({t[0]} otherwise {t[1]})"),
        two.map(lambda t: f"({t[0]} is {t[1]})" if t[1].isalpha() else f"({t[0]} is ({t[1]}))"),
        two.map(lambda t: f"({t[0]}, {t[1]})"),
        st.tuples(inner, st.sampled_from(["rank", "cards", "owner", "suit", "place"])).map(
            lambda t: f"({t[0]}).{t[1]}"
        ),
    )


EXPRESSIONS = st.recursive(st.sampled_from(WORDS.split()), _wider, max_leaves=6)


@settings(max_examples=60)
@given(
    st.lists(
        st.recursive(st.sampled_from(sorted(WORDS.split())), _wider, max_leaves=6),
        min_size=5,
        max_size=5,
    )
)
def test_anything__gives_a_program_or_a_reason(
    tmp_path_factory: pytest.TempPathFactory, written: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("anything")
    owners = ("player", "side", "card", "meld", "")
    rules = "".join(
        f"define asked{at}{' of ' + owner if owner else ''} = {text}\n"
        for at, (owner, text) in enumerate(zip(owners, written, strict=True))
    )
    compilation = compile_small(folder, rules).compilation
    assert (compilation.program is None) == any(each.is_error for each in compilation.diagnostics)
