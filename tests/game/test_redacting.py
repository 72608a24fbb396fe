"""Records for one player's eyes: they tell what that player saw, and nothing else."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from properties.hiding import exchanged

import meldc
from meldc_runtime.game import Game, Position
from meldc_runtime.program import content_hash
from meldc_runtime.randomness import Random
from meldc_runtime.records import (
    Entry,
    Header,
    Record,
    RecordError,
    Undo,
    UnfollowableError,
    header_data,
    parse,
    step_data,
)
from meldc_runtime.redacting import read_sight, redacted, show_redacted, sight_data
from meldc_runtime.replaying import replay
from meldc_runtime.sight import blank

VARIANTS = ("classic", "hand-and-foot", "rummy-5000", "paston")


@cache
def game(variant: str) -> Game:
    return meldc.load(variant)


def written(header: Header, steps: Any) -> bytes:
    lines = [header_data(header), *map(step_data, steps)]
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


@cache
def played(variant: str, actions: int = 60) -> Record:
    """A game among players who do something or other."""
    of = game(variant)
    position, random, steps = of.deal(3), Random.of(5), []
    while len(steps) < actions and not position.game_over:
        if position.is_over:
            position.next_deal()
        listed = position.legal_actions()
        action = listed[random.below(len(listed))]
        steps.append(Entry(position.deal_number, position.to_act, str(action)))
        position.apply(action)
    seats = tuple((player, "random") for player in of.players)
    header = Header(
        variant, of.title, content_hash(of.program), (), of.table.players, of.table.side_size, 3,
        seats,
    )  # fmt: skip
    return parse(written(header, steps))


@pytest.mark.parametrize("variant", VARIANTS)
def test_redacted_record__shows_what_the_player_saw_at_every_point(variant: str) -> None:
    record = played(variant)
    for player in game(variant).players[:2]:
        told = parse(written(*redacted(game(variant), record, player)))
        for most in range(0, len(record.entries), 7):
            shown = show_redacted(game(variant), told, most=most)
            real = replay(game(variant), record, most=most)
            if not real.is_over:
                assert shown.view(player) == real.view(player)


@pytest.mark.parametrize("variant", VARIANTS)
def test_redacted_record__holds_no_seed_and_no_hidden_card(variant: str) -> None:
    record = played(variant)
    header, steps = redacted(game(variant), record, "P2")
    assert b'"seed"' not in written(header, steps)
    sight: dict[str, Any] = {}
    for step in steps:
        sight.update(step.sight or {})
        for zone in game(variant).program.zones:
            for owner in game(variant).players:
                cards = sight.get(f"zone {zone.name} {owner}", "")
                if zone.visibility == "owner" and owner != "P2":
                    assert set(cards.split()) <= {"??"}


@pytest.mark.parametrize("variant", VARIANTS)
def test_sight__is_read_as_written_and_does_not_depend_on_hidden_cards(variant: str) -> None:
    def check(position: Position, entry: Entry) -> None:
        for player in range(2):
            seen = blank(position.state, player)
            data = json.loads(json.dumps(sight_data(seen)))
            again = read_sight(position.game.table, data)
            assert sight_data(again) == sight_data(seen)
            other = exchanged(position.state, player, seed=1)
            assert sight_data(blank(other, player)) == sight_data(seen)

    replay(game(variant), played(variant), check)


def edited(variant: str, number: int, **new: Any) -> Record:
    lines = written(*redacted(game(variant), played(variant), "P2")).splitlines(keepends=True)
    lines[number] = json.dumps({**json.loads(lines[number]), **new}).encode() + b"\n"
    return parse(b"".join(lines))


@pytest.mark.parametrize(
    "new",
    [
        {"player": "P4"},
        {"action": "discard 4C", "player": "P2"},
        {"action": "nonsense"},
        {"sight": {"zone hand P2": "4C"}},
        {"sight": {"phase": "nowhere"}},
        {"sight": {"player": 7}},
        {"sight": {"melds 0": [[1]]}},
    ],
)
def test_edited_line__is_refused(new: dict[str, Any]) -> None:
    with pytest.raises(UnfollowableError) as caught:
        show_redacted(game("classic"), edited("classic", 2, **new))
    assert caught.value.line == 3


def test_redacted_record__is_not_played_on() -> None:
    told = parse(written(*redacted(game("classic"), played("classic"), "P2")))
    with pytest.raises(RecordError):
        replay(game("classic"), told)


# -- actions taken back


def test_undone_actions__are_checked_and_left_out() -> None:
    record = played("classic", 6)
    first, *others = record.entries
    steps = [first, others[0], Undo(1), others[0], *others[1:]]
    again = parse(written(record.header, steps))
    assert again.entries == record.entries
    assert replay(game("classic"), again).view("P1") == replay(game("classic"), record).view("P1")
    wrong = [first, Entry(1, others[0].player, "discard 3H"), Undo(1), *others]
    with pytest.raises(UnfollowableError) as caught:
        replay(game("classic"), parse(written(record.header, wrong)))
    assert caught.value.line == 3


def test_more_undone_than_made__is_refused() -> None:
    record = played("classic", 6)
    with pytest.raises(RecordError) as caught:
        parse(written(record.header, [record.entries[0], Undo(2)]))
    assert caught.value.line == 3
