"""Single values after `--house`, and house rules that the cards do not serve."""

from __future__ import annotations

import pytest

from meldc.compilation import compile_spec

REACHED = [  # the settings that the rule sheets name
    ("classic", "jokers=3"),
    ("chilean", "packs=4"),
    ("hand-and-foot", "packs=4"),
    ("classic", "forced-take=fits-meld"),
    ("rummy-5000", "winner-takes-hands=yes"),
    ("classic", "concealed-opens=yes"),
    ("classic", "target=7500"),
]


@pytest.mark.parametrize(("variant", "value"), REACHED)
def test_setting__is_reached(variant: str, value: str) -> None:
    compilation = compile_spec(variant, [value])
    assert compilation.program is not None
    assert not [each for each in compilation.diagnostics if each.is_error]
    assert compilation.program.house == (value,)
    assert any(
        steps[-1].source == "command line" for _, steps in compilation.program.provenance if steps
    )


def test_joker_count__changes_the_pack() -> None:
    from meldc_runtime.game import Game

    program = compile_spec("classic", ["jokers=3"]).program
    assert program is not None
    assert len(Game(program).table.pack) == 110


CANNOT = [  # (variant, house rules, code, files named)
    ("classic", ["deal-size=15", "packs=1"], "MC0603", {"deal-size.yaml", "command line"}),
    ("hand-and-foot", ["deal-size=15", "packs=2"], "MC0603",
     {"deal-size.yaml", "command line", "hand-and-foot.yaml"}),
    ("classic", ["hand_size=40"], "MC0603", {"command line", "classic.yaml"}),
    ("classic", ["jokers=-1"], "MC0202", {"command line"}),
    ("classic", ["jokers=21"], "MC0202", {"command line"}),
    ("classic", ["packs=0"], "MC0202", {"command line"}),
    ("classic", ["jokers=count(players) - 9"], "MC0202", {"command line"}),
    ("hand-and-foot", ["packs=20 * count(players)"], "MC0202", {"command line"}),
    ("classic", ["keep-jokers", "jokers=0"], "MC0417", {"keep-jokers.yaml", "command line"}),
    ("kanasta", ["fewer-wilds", "three-wilds-any"], "MC0410",
     {"fewer-wilds.yaml", "three-wilds-any.yaml"}),
    ("classic", ["recycle-pile", "natural-pair-pickup", "one-freeze"], "MC0410",
     {"natural-pair-pickup.yaml", "one-freeze.yaml"}),
]  # fmt: skip


@pytest.mark.parametrize(("variant", "houses", "code", "files"), CANNOT)
def test_senseless__is_refused_with_both_places(
    variant: str, houses: list[str], code: str, files: set[str]
) -> None:
    compilation = compile_spec(variant, houses)
    assert compilation.program is None
    found = next(each for each in compilation.diagnostics if each.is_error)
    assert found.code == code
    spans = [label.span for label in (found.primary, *found.secondary) if label.span is not None]
    assert {span.file.rpartition("/")[2] for span in spans} == files
    assert found.help


@pytest.mark.parametrize("number", range(1, 3))
def test_choice__of_the_command_line_decides(number: int) -> None:
    """A value settles what two house rules contradict each other about."""
    houses = ["open-before-pickup", "no-pickup-when-opening"]
    decided = "after" if number == 1 else "never"
    program = compile_spec("classic", [*houses, f"pile_in_opening={decided}"]).program
    assert program is not None
    steps = dict(program.provenance)["settings.pile_in_opening"]
    assert (steps[-1].source, steps[-1].text) == ("command line", decided)
