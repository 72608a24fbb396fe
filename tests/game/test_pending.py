"""What a turn still needs."""

from __future__ import annotations

import meldc
from meldc_runtime.pending import pending


def test_opening_that_is_short__says_by_how_much() -> None:
    position = meldc.load("classic").position(
        {
            "turn": "P1",
            "phase": "play",
            "hands": {"P1": "4C 4D 4H KC KD KH KS 9C 9D"},
            "stock": 10,
        }
    )
    assert pending(position.state) == ()
    position.apply("meld 4C 4D 4H")
    assert [reason.rule for reason in pending(position.state)] == ["opening_minimum"]
    assert "50" in pending(position.state)[0].text
    position.apply("meld KC KD KH KS")
    assert pending(position.state) == ()
