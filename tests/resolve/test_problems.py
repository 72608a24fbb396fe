"""What does not go together is said, with both places and what was probably meant."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from meldc.diagnostics import Diagnostic
from meldc.diagnostics.pages import names
from meldc.diagnostics.pages.page import CodePage, Example
from meldc.resolve import Resolved, resolve

EXTENDS = "extends: base.yaml\n"
Refused = Callable[..., Diagnostic]
Lay = Callable[..., tuple[Resolved | None, list[Diagnostic]]]


def says(found: Diagnostic, code: str, message: str, line: int | None = None) -> None:
    assert (found.code, found.message) == (code, message)
    if line is not None:
        assert found.primary.span is not None
        assert found.primary.span.line == line


def label_files(found: Diagnostic) -> list[str]:
    return [label.span.file for label in found.secondary if label.span]


# ---- names that are not there


def test_unknown_game__is_said(tmp_path: Path) -> None:
    model, found, _ = resolve("sambo")
    assert model is None
    says(found[0], "MC0103", "no game is called `sambo`")
    assert found[0].help == ("did you mean `samba`?",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("extends: clasic\n", "no game is called `clasic`"),
        ("machine: melting\n", "no machine is called `melting`"),
        (EXTENDS + "use: stuk\n", "no part is called `stuk`"),
    ],
)
def test_unknown_file__has_a_place_and_a_suggestion(
    refused: Refused, text: str, message: str
) -> None:
    found = refused(text)
    says(found, "MC0103", message)
    assert found.primary.span is not None
    assert found.help[0].startswith("did you mean")


def test_unknown_house_rule__is_underlined_on_the_command_line(refused: Refused) -> None:
    found = refused(None, ["keep-jokrs"])
    says(found, "MC0103", "no house rule is called `keep-jokrs`", 1)
    assert found.help == ("did you mean `keep-jokers`?",)


def test_circle__shows_the_way(lay: Lay, tmp_path: Path) -> None:
    (tmp_path / "other.yaml").write_text("variant: other\ntitle: Other\nextends: mine.yaml\n")
    model, found = lay("extends: other.yaml\n")
    assert model is None
    says(found[0], "MC0403", "`extends` goes in a circle", 3)
    assert found[0].secondary[0].text == "leads to mine.yaml"


def test_circle_of_parts__is_refused(lay: Lay, tmp_path: Path) -> None:
    (tmp_path / "a.rules").write_text('part a "A"\nuse b\n')
    (tmp_path / "b.rules").write_text('part b "B"\nuse a\n')
    _, found = lay(EXTENDS + "use: a.rules\n")
    says(found[0], "MC0403", "`use` goes in a circle")


def test_unknown_key__offers_what_is_near(refused: Refused) -> None:
    found = refused(EXTENDS + "hand_sise: 9\n")
    says(found, "MC0401", "this game has no setting and no table `hand_sise`", 4)
    assert found.help == ("did you mean `hand_size`?",)


def test_unknown_key_of_a_definition__points_at_it(refused: Refused) -> None:
    found = refused(EXTENDS + "big: 9\n")
    assert found.code == "MC0401"
    assert label_files(found) == ["sets.rules"]


def test_unknown_choice__shows_the_setting(refused: Refused) -> None:
    found = refused(EXTENDS + "last: neded\n")
    says(found, "MC0402", "`neded` is no choice of `last`", 4)
    assert label_files(found) == ["sets.rules"]
    assert found.help == ("did you mean `needed`?", "the choices are `free`, `needed`")


def test_choice__is_looked_for_in_every_branch(lay: Lay) -> None:
    _, found = lay(EXTENDS + "last: if count(players) = 2 then fre else 3\n")
    assert [each.message for each in found] == [
        "`fre` is no choice of `last`",
        "`3` is no choice of `last`",
    ]


def test_unknown_column__is_refused(refused: Refused) -> None:
    found = refused(EXTENDS + "sorted: {clean: {bonnus: 3}}\n")
    says(found, "MC0414", "`bonnus` is no key of the rows of `sorted`")
    assert found.help == ("did you mean `bonus`?",)


def test_new_row__says_what_it_is_about(refused: Refused) -> None:
    found = refused(EXTENDS + "melds: {sett: {size: 4..}}\n")
    says(found, "MC0413", "there is no kind of meld `sett` in `melds` to change")
    assert found.help[0] == "did you mean `set`?"
    found = refused(EXTENDS + "sorted: {cleen: {bonus: 4}}\n")
    says(found, "MC0413", "there is no row `cleen` in `sorted` to change")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("tiers: {some: 3}\n", "MC0202"),
        ("steps: {below 0: 3}\n", "MC0202"),
        ("tiers: {below 100: 3}\n", "MC0202"),
        ("melds: {set: {shape: sam rank}}\n", "MC0202"),
        ("melds: {set: {size: 7..3}}\n", "MC0202"),
        ("melds: {set: {how_many: two}}\n", "MC0202"),
        ("pack: {packs: 1 +}\n", "MC0309"),
        ("values: {red: {x: 1}}\n", "MC0201"),
        ("tiers: 3\n", "MC0201"),
        ("hand_size: {3: 4}\n", "MC0201"),
    ],
)
def test_misfits__are_refused(lay: Lay, text: str, code: str) -> None:
    _, found = lay(EXTENDS + text)
    assert [each.code for each in found] == [code]


def test_missing_players__are_asked_for(lay: Lay) -> None:
    model, found = lay("machine: sets.rules\npack: {packs: 1}\n")
    assert model is None
    assert [each.code for each in found] == ["MC0204", "MC0204"]


# ---- declarations


def test_second_declaration__shows_both(refused: Refused) -> None:
    found = refused(EXTENDS + "rules: |\n  define big of card = rank = Q\n")
    says(found, "MC0404", "the definition `big` is declared a second time", 5)
    assert label_files(found) == ["sets.rules"]
    assert found.help[0].startswith("write `replace define big`")


def test_second_declaration__counts_across_categories(refused: Refused) -> None:
    found = refused(EXTENDS + "rules: |\n  zone big hidden\n")
    says(found, "MC0404", "the zone `big` is declared a second time")
    assert found.secondary[0].text == "the definition `big` of machine sets"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cards: {big: K}\n", "`big` is a class of cards and also the definition"),
        ("melds: {lay: {shape: run, cards: any}}\n", "`lay` is a kind of meld and also the action"),
    ],
)
def test_rows__share_names_with_declarations(refused: Refused, text: str, message: str) -> None:
    says(refused(EXTENDS + text), "MC0404", message)


@pytest.mark.parametrize(
    ("text", "code", "message", "help_"),
    [
        (
            "rules: |\n  replace define bigg of card = rank = Q\n",
            "MC0405",
            "there is no definition `bigg` to replace",
            "did you mean `big`?",
        ),
        (
            "rules: |\n  replace define few = 3\n",
            "MC0405",
            "there is no definition `few` to replace",
            "write `replace rule few`",
        ),
        (
            "rules: |\n  remove rule feww\n",
            "MC0406",
            "there is no rule `feww` to remove",
            "did you mean `few`?",
        ),
        (
            "remove: [score few]\n",
            "MC0406",
            "there is no score `few` to remove",
            "write `remove rule few`",
        ),
        (
            "remove: [melds.runs]\n",
            "MC0406",
            "`melds` has no row `runs`",
            "did you mean `run`?",
        ),
        ("remove: [meld.run]\n", "MC0406", "there is no table `meld`", "did you mean `melds`?"),
        (
            "replace tier: {0: 1}\n",
            "MC0405",
            "there is no table `tier` to replace",
            "did you mean `tiers`?",
        ),
        (
            "replace hand_size: {0: 1}\n",
            "MC0405",
            "there is no table `hand_size` to replace",
            "only tables are replaced as a whole; write `hand_size:`",
        ),
    ],
)
def test_absent__is_neither_replaced_nor_removed(
    refused: Refused, text: str, code: str, message: str, help_: str
) -> None:
    found = refused(EXTENDS + text)
    says(found, code, message)
    assert found.help[0] == help_


def test_repeated_value__is_a_warning(refused: Refused) -> None:
    found = refused(EXTENDS + "players: 2..4\n")
    says(found, "MC0411", "`players` is so already", 4)
    assert not found.is_error
    assert label_files(found) == ["base.yaml"]


def test_repeated_row__is_said_only_where_all_of_it_repeats(
    accepted: Callable[..., object],
) -> None:
    accepted(EXTENDS + "melds: {set: {size: 3.., wilds: ..1}}\nsteps: {1: 10, 2: 40}\n")


def test_all_problems__are_reported_in_one_run(lay: Lay) -> None:
    model, found = lay(
        EXTENDS + "hand_sise: 9\nlast: no\nremove: [rule nine]\n"
        "rules: |\n  define big of card = rank = Q\n",
        ["one.yaml"],
        one="target: 0 +\n",
    )
    assert model is not None
    codes = sorted(each.code for each in found)
    assert codes == ["MC0309", "MC0401", "MC0402", "MC0404", "MC0406"]


def test_unparsed_rules__make_no_further_noise(lay: Lay) -> None:
    model, found = lay(EXTENDS + 'new: 3\nrules: |\n  setting new == 2 "new"\n')
    assert model is None
    assert [each.code[:4] for each in found] == ["MC03"]


# ---- house rules


def test_house_rule__of_another_machine(refused: Refused) -> None:
    found = refused(None, ["keep-jokers"])
    says(found, "MC0407", "the house rule `keep-jokers` is for another kind of game")
    assert "this one is of `sets`" in found.primary.text


@pytest.mark.parametrize("named", ["sets", "other", "./other.rules"])
def test_house_rule__for_a_machine_by_its_name_or_its_file(
    named: str, lay: Lay, tmp_path: Path
) -> None:
    """A file of another name than the machine in it is found by either."""
    lay(None)
    (tmp_path / "sets.rules").rename(tmp_path / "other.rules")
    base = (tmp_path / "base.yaml").read_text().replace("sets.rules", "other.rules")
    text = f"house: one\ntitle: One\nmachine: {named}\nhand_size: 5\n"
    (tmp_path / "one.yaml").write_text(text)
    model, found = lay(base, ["one.yaml"])
    assert found == []
    assert model is not None


def test_game__of_the_name_that_it_extends(lay: Lay) -> None:
    model, (found,) = lay("variant: base\ntitle: Mine\nextends: base.yaml\n")
    assert model is not None
    assert (found.code, found.is_error) == ("MC0434", False)
    assert found.primary.span is not None
    assert found.primary.span.line == 1


def test_need__refuses_with_its_own_sentence(refused: Refused) -> None:
    text = 'needs: {last = needed: "the last card is kept here"}\ntarget: 100\n'
    found = refused(None, ["one.yaml"], one=text)
    says(found, "MC0408", "the house rule `one` does not fit here: the last card is kept here")
    assert found.secondary[0].text == "`last` is `free`, set by machine sets"


def test_need__holds(accepted: Callable[..., Resolved]) -> None:
    text = (
        'needs: {last = free and not doubled and (jokers > 1 or target < 3): "no"}\ntarget: 100\n'
    )
    model = accepted(None, ["one.yaml"], one=text)
    assert [(need.source, need.refusal) for need in model.needs] == [("house one", "no")]


@pytest.mark.parametrize(
    ("need", "code"),
    [("lost = free", "MC0401"), ("last = freee", "MC0402"), ("any(melds)", "MC0419")],
)
def test_need__that_makes_no_sense(refused: Refused, need: str, code: str) -> None:
    found = refused(None, ["one.yaml"], one=f'needs: {{{need}: "no"}}\ntarget: 100\n')
    assert found.code == code


def test_house_rule__that_changes_nothing(refused: Refused) -> None:
    found = refused(None, ["one.yaml"], one="target: 500\nmelds: {set: {if: yes}}\n")
    says(found, "MC0409", "the house rule `one` changes nothing here", 4)
    assert found.secondary[0].text == "`target` is so already: part piece"
    assert found.notes == ("`if` of `set` in `melds` is so where nothing is said",)


def test_house_rules__that_contradict_each_other(refused: Refused) -> None:
    found = refused(None, ["two.yaml", "one.yaml"], one="target: 100\n", two="target: 200\n")
    says(found, "MC0410", "the house rules `one` and `two` contradict each other about `target`")
    assert found.secondary[0].text == "`one` says `100`"
    assert "--house target=200" in found.help[0]


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("melds: {set: {if: size > 3}}\n", "melds: {set: {if: size > 4}}\n"),
        (
            "remove: [rule few]\n",
            'rules: |\n  replace rule few\n    lay forbidden\n    because "no"\n',
        ),
        ("remove: [melds.run]\n", "melds: {run: {size: 4..}}\n"),
        ("melds: {run: {size: 4..}}\n", "remove: [melds.run]\n"),
        ("replace tiers: {0: 1}\n", "tiers: {0: 2}\n"),
        ("tiers: {0: 2}\n", "replace tiers: {0: 1}\n"),
        ("remove: [action leave]\n", 'rules: |\n  rule x\n    leave forbidden\n    because "no"\n'),
        ('rules: |\n  rule x\n    leave forbidden\n    because "no"\n', "remove: [action leave]\n"),
    ],
)
def test_house_rules__contradict_in_many_ways(lay: Lay, one: str, two: str) -> None:
    _, found = lay(None, ["one.yaml", "two.yaml"], one=one, two=two)
    assert [each.code for each in found] == ["MC0410"]
    assert set(label_files(found[0])) <= {"one.yaml"}


def test_contradiction__is_settled_by_the_command_line(accepted: Callable[..., Resolved]) -> None:
    model = accepted(
        None, ["one.yaml", "two.yaml", "target=300"], one="target: 100\n", two="target: 200\n"
    )
    assert model.settings["target"].text == "300"


def test_house_rules__may_agree(accepted: Callable[..., Resolved]) -> None:
    texts = {"one": "target: 100\nremove: [rule few]\n", "two": "target: 100\nremove: [rule few]\n"}
    assert accepted(None, ["one.yaml", "two.yaml"], **texts).settings["target"].text == "100"


def test_house_rule__twice_is_once(accepted: Callable[..., Resolved]) -> None:
    assert accepted(None, ["one.yaml", "one.yaml"], one="target: 100\n").house == ("one",)


def test_house_rule__with_two_choices(refused: Refused) -> None:
    text = "choices: {a: 1, b: 2}\ntarget: choice\n"
    found = refused(None, ["one.yaml=a", "one.yaml=b"], one=text)
    says(found, "MC0410", "the house rule `one` is laid twice: as `one=a` and as `one=b`")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("choices: {few: 1, many: 2}\ntarget: choice\n", "`fw` is no choice of the house rule"),
        ("target: 3\n", "the house rule `one.yaml` has no choices"),
    ],
)
def test_house_rule__without_such_a_choice(refused: Refused, text: str, message: str) -> None:
    found = refused(None, ["one.yaml=fw"], one=text)
    assert found.code == "MC0412"
    assert found.message.startswith(message)


def test_house_rule__about_jokers_that_are_not_there(refused: Refused) -> None:
    text = 'rules: |\n  rule keep\n    leave forbidden when card.rank = Jkr\n    because "kept"\n'
    found = refused(None, ["one.yaml", "jokers=0"], one=text)
    says(found, "MC0417", "the house rule `one` is about jokers, and there are none")


def test_command_line__unknown_key(refused: Refused) -> None:
    found = refused(None, ["targett=3"])
    says(found, "MC0401", "this game has no setting and no table `targett`", 1)


def test_command_line__sets_nothing_about_files(refused: Refused) -> None:
    assert refused(None, ["rules=x"]).code == "MC0401"


def test_command_line__says_what_is_so_already(refused: Refused) -> None:
    found = refused(None, ["target=500"])
    says(found, "MC0411", "`target` is so already", 1)


def test_command_line__given_twice(refused: Refused) -> None:
    found = refused(None, ["target=400", "target=300"])
    says(found, "MC0410", "`target` is given twice: as `400` and as `300`", 2)


# ---- the pages

OWN = [page for page in names.PAGES if page.code < "MC0420" or page.code == "MC0434"]


def outcome(page: CodePage, lay: Lay, tmp_path: Path) -> list[Diagnostic]:
    if page.kind is Example.VARIANT:
        return lay(page.example)[1]
    house = tmp_path / "odd.yaml"
    text = "house: mine\ntitle: Mine\nmachine: sets\nchoices: {few: 3}\nhand_size: choice\n"
    house.write_text(page.example if page.kind is Example.HOUSE else text)
    if page.kind is Example.HOUSE:
        return lay(None, ["odd.yaml"])[1]
    words = page.example.replace("mine.yaml", "odd.yaml").split()
    return lay(None, [words[at + 1] for at, word in enumerate(words) if word == "--house"])[1]


@pytest.mark.parametrize("page", OWN, ids=lambda page: page.code)
def test_example__fails_with_its_code(page: CodePage, lay: Lay, tmp_path: Path) -> None:
    codes = {each.code for each in outcome(page, lay, tmp_path)}
    assert codes == {page.code}
