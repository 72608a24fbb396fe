"""Names put in the place of others are not caught by what binds them."""

from __future__ import annotations

from meldc_runtime.program import expressions as x
from meldc_runtime.program.binding import free_names, substituted

HAND = x.ZoneCards("hand", x.Var("player"))


def higher_than(name: str, var: str) -> x.Expr:
    """That a card of the hand, called so, is higher than a number."""
    return x.Exists(HAND, var, x.Compare(">", x.CardAttr(x.Var(var), "rank"), x.Var(name)))


def test_substituted__replaces_what_is_free() -> None:
    assert substituted(higher_than("n", "c"), {"n": x.Const(3, "number")}) == x.Exists(
        HAND, "c", x.Compare(">", x.CardAttr(x.Var("c"), "rank"), x.Const(3, "number"))
    )


def test_substituted__leaves_what_is_bound() -> None:
    condition = higher_than("n", "c")
    assert substituted(condition, {"c": x.Const(3, "number")}) == condition


def test_substituted__renames_what_would_catch_a_name() -> None:
    rank_of_c = x.CardAttr(x.Var("c"), "rank")
    found = substituted(higher_than("n", "c"), {"n": rank_of_c})
    assert free_names(found) == {"player", "c"}
    assert found == x.Exists(
        HAND, "c__0", x.Compare(">", x.CardAttr(x.Var("c__0"), "rank"), rank_of_c)
    )


def test_substituted__finds_a_name_that_nothing_reads() -> None:
    both = x.Join(x.ListOf((x.Var("c"),)), x.ListOf((x.Var("c__0"),)))
    found = substituted(
        x.Filter(HAND, "c", x.Member(x.Var("c"), x.Var("some"), True)), {"some": both}
    )
    assert found.var == "c__1"


def test_substituted__keeps_the_source_outside_of_the_binding() -> None:
    found = substituted(x.Count(x.Var("c"), "c", x.Var("c")), {"c": HAND})
    assert found == x.Count(HAND, "c", x.Var("c"))
