"""Data classes whose methods are written on first use."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, field, fields, is_dataclass, replace

import pytest

from meldc_runtime.light import dataclass


@dataclass(frozen=True, slots=True)
class Thing:
    """Anything."""


@dataclass(frozen=True, slots=True)
class Pair(Thing):
    left: int
    right: int = 7


@dataclass(frozen=True, slots=True)
class Triple(Pair):
    third: str = ""


@dataclass(slots=True)
class Heap:
    cards: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True, eq=False)
class One:
    number: int


def test_light__is_a_data_class() -> None:
    assert is_dataclass(Pair)
    assert [each.name for each in fields(Triple)] == ["left", "right", "third"]
    assert replace(Pair(1), right=2) == Pair(1, 2)
    match Pair(3, 4):
        case Pair(left, right):
            assert (left, right) == (3, 4)
    assert not hasattr(Pair(1), "__dict__")


def test_light__takes_defaults_and_names() -> None:
    assert (Pair(1).right, Pair(right=3, left=2).left) == (7, 2)
    assert Triple(1, third="x") == Triple(1, 7, "x")
    with pytest.raises(TypeError, match="left"):
        Pair()  # type: ignore[call-arg]
    first, second = Heap(), Heap()
    first.cards.append(1)
    assert second.cards == []


def test_light__compares_contents_of_the_same_class() -> None:
    assert Pair(1, 2) == Pair(1, 2) != Pair(1, 3)
    assert hash(Pair(1, 2)) == hash(Pair(1, 2))
    assert Pair(1, 7) != Triple(1, 7)
    assert len({Pair(1), Pair(1), Thing(), Thing()}) == 2
    assert One(1) != One(1)
    assert Heap([1]) == Heap([1])
    with pytest.raises(TypeError):
        hash(Heap())


def test_light__frozen_ones_do_not_change() -> None:
    pair = Pair(1)
    with pytest.raises(FrozenInstanceError):
        pair.left = 2  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del pair.left
    assert pair == Pair(1)


def test_light__goes_through_pickle_and_copy() -> None:
    for thing in (Thing(), Pair(1, 2), Triple(1, 2, "c"), Heap([3])):
        assert pickle.loads(pickle.dumps(thing)) == thing
        assert copy.deepcopy(thing) == thing


def test_light__shows_its_fields() -> None:
    assert repr(Triple(1)) == "Triple(left=1, right=7, third='')"


def test_light__refuses_what_it_does_not_have() -> None:
    class Late:
        number: int = field(default=0, init=False)

    class Working:
        def __post_init__(self) -> None:
            """Never called."""

    for wanted in (Late, Working):
        with pytest.raises(TypeError, match=wanted.__name__):
            dataclass(frozen=True)(wanted)
