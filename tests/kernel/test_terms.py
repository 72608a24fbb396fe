"""What is simplified means the same: random terms against their values at random places."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from meldc_runtime.kernel import terms as t
from meldc_runtime.kernel.text import number_text, truth_text

PLACES = [t.Place("h", i) for i in range(3)]
FLAGS = [t.Place("m", i) for i in range(2)]


def numbers(deep: bool = True) -> st.SearchStrategy[t.Number]:
    plain = st.one_of(st.integers(-3, 3).map(t.fixed), st.sampled_from(PLACES).map(t.at))
    if not deep:
        return plain
    picks = st.builds(t.pick, truths(0), plain, plain)
    return st.one_of(
        plain, st.builds(t.plus, plain, plain), st.builds(t.minus, plain, plain), picks
    )


def truths(depth: int = 2) -> st.SearchStrategy[t.Truth]:
    atoms = st.one_of(
        st.builds(t.at_least, numbers(depth > 0), numbers(depth > 0)),
        st.builds(t.equal, numbers(depth > 0), numbers(depth > 0)),
        st.sampled_from(FLAGS).map(t.Holds),
    )
    if not depth:
        return atoms
    inner = truths(depth - 1)
    parts = st.lists(inner, min_size=2, max_size=3)
    return st.one_of(
        atoms,
        inner.map(t.denied),
        parts.map(lambda some: t.all_of(*some)),
        parts.map(lambda some: t.any_of(*some)),
        st.builds(t.choose, inner, inner, inner),
    )


worlds = st.builds(
    lambda h, m: {"h": h, "m": m},
    st.tuples(*[st.integers(0, 4)] * 3),
    st.tuples(*[st.booleans()] * 2),
)


def holds(truth: t.Truth, world: dict[str, object]) -> bool:
    return bool(eval(truth_text(truth), {}, world))


@given(truths(), truths(), worlds)
def test_joins__mean_and_and_or(one: t.Truth, other: t.Truth, world: dict[str, object]) -> None:
    first, second = holds(one, world), holds(other, world)
    assert holds(t.all_of(one, other), world) == (first and second)
    assert holds(t.any_of(one, other), world) == (first or second)
    assert holds(t.denied(one), world) != first


@given(truths(), truths(1), truths(1), worlds)
def test_choices__take_the_right_side(
    condition: t.Truth, then: t.Truth, otherwise: t.Truth, world: dict[str, object]
) -> None:
    chosen = holds(then if holds(condition, world) else otherwise, world)
    assert holds(t.choose(condition, then, otherwise), world) == chosen


@given(truths(), truths(), worlds)
def test_assumed__is_the_same_where_the_assumption_holds(
    truth: t.Truth, known: t.Truth, world: dict[str, object]
) -> None:
    if holds(known, world):
        assert holds(t.assumed(truth, known), world) == holds(truth, world)


@given(truths(), truths(), worlds)
def test_implies__never_says_so_in_error(
    one: t.Truth, other: t.Truth, world: dict[str, object]
) -> None:
    if t.implies(one, other) and holds(one, world):
        assert holds(other, world)


@given(numbers(), truths(1), worlds)
def test_assumed_number__is_the_same_where_the_assumption_holds(
    number: t.Number, known: t.Truth, world: dict[str, object]
) -> None:
    if holds(known, world):
        found = eval(number_text(t.assumed_number(number, known)), {}, world)
        assert found == eval(number_text(number), {}, world)


@given(truths(), st.integers(0, 9), worlds)
def test_certain__holds_only_where_the_truth_does(
    truth: t.Truth, strange: int, world: dict[str, object]
) -> None:
    unknown = t.at(t.Place("?1", 0))

    def hidden(place: t.Place) -> t.Number:
        return unknown if place == PLACES[0] else t.at(place)

    sure = t.certain(t.substituted_truth(truth, hidden))
    hands = world["h"]
    assert isinstance(hands, tuple)
    if holds(sure, world):
        assert holds(truth, {**world, "h": (strange, *hands[1:])})
