"""Two small games, of melds and of tricks, with every construct that the machine knows."""

from __future__ import annotations

from runtime.building import (
    AT_START,
    CARD,
    MELD,
    MY_SIDE,
    NO,
    PLAYER,
    SIDE,
    STATE,
    YES,
    action,
    apply,
    become,
    define,
    eq,
    hook,
    kind,
    left,
    memory,
    moment,
    num,
    rank,
    rank_is,
    ref,
    remember,
    rule,
    score,
    table,
    zone,
)

from meldc_runtime.program import declarations as d
from meldc_runtime.program import effects as f
from meldc_runtime.program import expressions as x


def melding() -> d.Program:
    """Draw one, lay sets of a rank, runs and twos, discard one. A side opens with ten points; a
    pile is taken whole by melding its top card; who runs out after two melds goes out. Twos and
    jokers are wild, red threes are laid at once.
    """
    my_melds, hand = x.MeldsOf(MY_SIDE), zone("hand", PLAYER)
    bonus = f.Exception_("card", apply("bonus", CARD), ref("bonus", MY_SIDE))
    of_hand = d.Param("cards", "some", hand, "cards", ref("hand", PLAYER))
    part = f.MeldPart(x.Var("cards"), ref("hand", PLAYER))
    points = x.Sum(x.MeldCards(x.MeldsOf(SIDE)), "card", x.CardAttr(CARD, "value"))
    return d.Program(
        name="tiny_melds",
        title="Tiny melds",
        machine="melding",
        house=(),
        players=(2, 3, 4),
        side_sizes=(2, 1),
        pack=d.Pack(num(2), num(1), (2, 9)),
        settings=(
            d.Setting("hand_size", num(7), "number", (), "", None),
            d.Setting("minimum", num(10), "number", (), "", None),
            d.Setting("frozen", x.Const("never", "word"), "word", ("never", "always"), "", None),
            d.Setting(
                "half", x.Arith("+", x.Count(x.AllPlayers()), num(1)), "number", (), "", None
            ),
        ),
        tables=(
            table(
                "values",
                "card",
                [
                    ("all", None, num(5)),
                    ("8..9", x.Member(rank(CARD), x.Range(num(8), num(9))), num(10)),
                    ("wild", apply("wild", CARD), num(20)),
                ],
            ),
            table("left_values", "card", [("9", rank_is(CARD, 9), num(50))]),
            table(
                "tiers",
                "band",
                [(None, None, num(0)), (0, None, x.SettingValue("minimum")), (100, None, num(25))],
            ),
            table("worth", "number", [(1, None, num(10)), (2, None, num(30))], each_more=num(5)),
            table(
                "big",
                "sorts",
                [
                    ("any", x.Compare(">=", x.MeldAttr(MELD, "size"), num(4)), {"bonus": num(50)}),
                    (
                        "clean",
                        x.And(
                            (
                                x.Compare(">=", x.MeldAttr(MELD, "size"), num(4)),
                                eq(x.MeldAttr(MELD, "wilds"), num(0)),
                            )
                        ),
                        {"bonus": num(100)},
                    ),
                ],
                word="big",
            ),
        ),
        zones=(
            d.Zone("stock", "none", "hidden", True, "", None),
            d.Zone("pile", "none", "top", False, "", None),
            d.Zone("hand", "player", "owner", False, "", None),
            d.Zone("bonus", "side", "shown", False, "", None),
            d.Zone("aside", "none", "hidden", False, "", None),
        ),
        memories=(
            remember("opened", "yes_no", x.Exists(x.MeldsOf(SIDE)), owner="side"),
            remember("out", "player", None),
            remember("laid", "number", num(0), "turn"),
            remember("asked", "player", None, "turn"),
            remember("leave", "yes_no", None, "turn"),
            remember("taken", "card", None, "turn"),
            remember("begun", "number", num(0), "game", "player"),
        ),
        phases=(
            d.Phase("draw", True, "draw a card", None),
            d.Phase("play", False, "lay melds, discard", None),
            d.Phase("answer", False, "answer", None),
        ),
        definitions=(
            define("wild", x.Or((rank_is(CARD, 2), rank_is(CARD, 15))), "yes_no", ("card", "card")),
            define(
                "bonus",
                x.And((rank_is(CARD, 3), x.CardAttr(CARD, "red"))),
                "yes_no",
                ("card", "card"),
            ),
            define(
                "natural",
                x.Not(x.Or((apply("wild", CARD), rank_is(CARD, 3)))),
                "yes_no",
                ("card", "card"),
            ),
            define(
                "unfinished",
                x.Not(x.IsSomething(x.SortedAs(MELD, "big"))),
                "yes_no",
                ("meld", "meld"),
            ),
            define("points", points, "number", ("side", "side")),
            define(
                "left_value",
                x.Otherwise((x.Lookup("left_values", CARD), x.CardAttr(CARD, "value"))),
                "number",
                ("card", "card"),
            ),
            define(
                "needed",
                x.Lookup("tiers", memory("total", MY_SIDE)),
                "number",
                ("player", "player"),
            ),
            define(
                "matching",
                x.And((apply("natural", CARD), eq(rank(CARD), rank(x.Top(zone("pile")))))),
                "yes_no",
                ("card", "card"),
            ),
            define("leader", x.Best(x.AllSides(), "side", memory("total", SIDE)), "side"),
            define(
                "holder",
                x.First(
                    x.Filter(x.AllPlayers(), "p", x.Member(CARD, zone("hand", x.Var("p")), True))
                ),
                "player",
                ("card", "card"),
            ),
            define(
                "rich",
                x.Exists(x.MeldCards(my_melds), "card", rank_is(CARD, 9)),
                "yes_no",
                ("player", "player"),
            ),
        ),
        kinds=(
            kind(
                "set",
                "same_rank",
                apply("natural", CARD),
                naturals=(2, None),
                wilds=(0, 2),
                how_many="one",
            ),
            kind("run", "run", apply("natural", CARD), size=(3, 5), wilds=(0, 1)),
            kind("twos", "any", apply("wild", CARD), size=(3, 4), how_many="one_unfinished"),
        ),
        actions=(
            action(
                "draw",
                (),
                ("draw",),
                f.Let("held", x.Count(hand)),
                f.MoveCount(num(1), ref("stock"), ref("hand", PLAYER), exceptions=(bonus,)),
                f.GoTo("play", None),
            ),
            action(
                "take_pile",
                (of_hand,),
                ("draw",),
                f.LayMeld((f.MeldPart(x.Top(zone("pile")), ref("pile")), part), None, None),
                become("taken", x.Top(zone("pile"))),
                f.GoTo("play", None),
            ),
            action(
                "meld",
                (of_hand, d.Param("kind", "one", x.AllKinds(), "kind", None)),
                ("play",),
                f.LayMeld((part,), x.Var("kind"), None),
                f.Gain("laid", None, num(1)),
            ),
            action(
                "add",
                (of_hand, d.Param("home", "one", my_melds, "meld", None)),
                ("play",),
                f.LayMeld((part,), None, x.Var("home")),
                f.Gain("laid", None, x.MeldAttr(x.Var("home"), "size")),
            ),
            action(
                "discard",
                (d.Param("card", "one", hand, "card", ref("hand", PLAYER)),),
                ("play",),
                f.MoveCards(CARD, ref("hand", PLAYER), ref("pile")),
                f.EndTurn(),
            ),
            action(
                "ask",
                (d.Param("mate", "one", x.Partners(PLAYER), "player", None),),
                ("draw", "play"),
                become("asked", PLAYER),
                f.GoTo("answer", x.Var("mate")),
            ),
            action(
                "answer",
                (d.Param("reply", "one", x.ListOf((YES, NO)), "yes_no", None),),
                ("answer",),
                become("leave", x.Var("reply")),
                f.GoBack(),
            ),
            action("stop", (), ("play",), f.EndDeal()),
        ),
        moments=(
            moment(
                "dealt",
                AT_START,
                None,
                f.Shuffle(ref("stock")),
                f.ForEach(
                    "player",
                    x.StartingAt(x.AllPlayers(), left(memory("dealer"))),
                    (
                        f.MoveCount(
                            x.SettingValue("hand_size"),
                            ref("stock"),
                            ref("hand", PLAYER),
                            exceptions=(bonus,),
                        ),
                    ),
                ),
            ),
            moment(
                "pile_started",
                AT_START,
                None,
                f.MoveUntil(ref("stock"), ref("pile"), apply("natural", x.Top(zone("pile")))),
                f.GoTo("draw", left(memory("dealer"))),
            ),
            moment(
                "pile_taken",
                hook("after", "take_pile"),
                None,
                f.MoveCards(zone("pile"), ref("pile"), ref("aside")),
            ),
            moment(
                "turn_counted", d.Trigger("start", "turn"), None, f.Gain("begun", PLAYER, num(1))
            ),
            moment(
                "opening",
                STATE,
                x.And((x.Exists(my_melds), x.Not(memory("opened", MY_SIDE)))),
                become("opened", YES, MY_SIDE),
            ),
            moment(
                "rest_taken",
                STATE,
                x.And((memory("opened", MY_SIDE), x.Exists(zone("aside")))),
                f.MoveCards(zone("aside"), ref("aside"), ref("hand", PLAYER), exceptions=(bonus,)),
            ),
            moment("going_out", STATE, x.Not(x.Exists(hand)), become("out", PLAYER), f.EndDeal()),
            moment(
                "stock_gone",
                hook("before", "going_out"),
                x.Not(x.Exists(zone("stock"))),
                f.EndDeal(),
            ),
            moment("turn_passes", d.Trigger("end", "turn"), None, f.GoTo("draw", left(PLAYER))),
            moment(
                "deal_passes",
                d.Trigger("end", "deal"),
                None,
                become("dealer", left(memory("dealer"))),
            ),
            moment(
                "game_over",
                d.Trigger("end", "deal"),
                x.Exists(x.AllSides(), "side", x.Compare(">=", memory("total", SIDE), num(100))),
                f.EndGame(),
            ),
        ),
        rules=(
            rule("stock_left", actions=("draw",), requires=x.Exists(zone("stock"))),
            rule(
                "natural_top",
                actions=("take_pile",),
                requires=x.Exists(x.Var("cards"), "card", apply("matching", CARD)),
                sentence=("one card must be a ", d.Value(rank(x.Top(zone("pile"))), "rank")),
            ),
            rule(
                "never_frozen",
                actions=("take_pile",),
                when=eq(x.SettingValue("frozen"), x.Const("always", "word")),
            ),
            rule(
                "ten_to_open",
                moments=("opening",),
                requires=x.Compare(">=", apply("points", MY_SIDE), apply("needed", PLAYER)),
                sentence=(
                    "needs ",
                    d.Value(apply("needed", PLAYER), "number"),
                    " for ",
                    d.Value(PLAYER, "player"),
                ),
            ),
            rule(
                "two_melds",
                moments=("going_out",),
                requires=x.Compare(">=", x.Count(my_melds), num(2)),
            ),
            rule(
                "no_nines_run",
                kinds=("run",),
                when=x.Exists(x.Var("new"), "card", rank_is(CARD, 9)),
                unless=x.Compare(">", x.MeldAttr(MELD, "size"), num(3)),
            ),
            rule("no_binds", end_of_turn=True, when=eq(memory("leave"), YES)),
            rule("one_question", actions=("ask",), requires=x.Not(x.IsSomething(memory("asked")))),
            rule("keep_jokers", actions=("discard",), when=rank_is(CARD, 15), soft="another"),
            rule("not_aimed_for", actions=("stop",), soft="otherwise"),
            rule("foreseen", actions=("stop",), when=x.Can("end_of_turn", "", PLAYER)),
        ),
        allowances=(
            d.Allowance(
                "early",
                ("meld",),
                ("draw",),
                x.Not(memory("opened", MY_SIDE)),
                None,
                ("",),
                (),
                None,
            ),
        ),
        scores=(
            score("melded", "side", apply("points", SIDE)),
            score(
                "left",
                "player",
                x.Arith(
                    "-", num(0), x.Sum(zone("hand", PLAYER), "card", apply("left_value", CARD))
                ),
            ),
            score(
                "big",
                "side",
                x.Sum(x.MeldsOf(SIDE), "meld", x.RowAttr(x.SortedAs(MELD, "big"), "big", "bonus")),
            ),
            score("bonus", "side", x.Lookup("worth", x.Count(zone("bonus", SIDE)))),
            score("out", "side", num(20), when=x.Member(memory("out"), x.PlayersOf(SIDE))),
            score(
                "many",
                "side",
                num(500),
                when=x.Compare(">=", x.Count(x.MeldsOf(SIDE)), num(6)),
                only=True,
            ),
        ),
    )


def tricks() -> d.Program:
    """Three players, one pack of 7 to ace; follow suit, the highest of the suit led takes the
    trick. The lead passes by turn.
    """
    hand, trick = zone("hand", PLAYER), zone("trick")
    led = x.CardAttr(x.Bottom(trick), "suit")
    suit = x.CardAttr(CARD, "suit")
    best = x.Best(x.Filter(trick, "card", eq(suit, led)), "card", rank(CARD))
    full = eq(x.Count(trick), x.Count(x.AllPlayers()))
    return d.Program(
        name="tiny_tricks",
        title="Tiny tricks",
        machine="tricks",
        house=(),
        players=(3,),
        side_sizes=(1,),
        pack=d.Pack(num(1), num(0), (7, 14)),
        settings=(),
        tables=(),
        zones=(
            d.Zone("stock", "none", "hidden", True, "", None),
            d.Zone("hand", "player", "owner", False, "", None),
            d.Zone("trick", "none", "shown", False, "", None),
            d.Zone("won", "player", "hidden", False, "", None),
        ),
        memories=(
            remember("tricks", "number", num(0), owner="player"),
            remember("lucky", "yes_no", NO),
        ),
        phases=(d.Phase("play", True, "play a card", None),),
        definitions=(define("best_card", best, "card"),),
        kinds=(),
        actions=(
            action(
                "play",
                (d.Param("card", "one", hand, "card", ref("hand", PLAYER)),),
                ("play",),
                f.MoveCards(CARD, ref("hand", PLAYER), ref("trick")),
            ),
        ),
        moments=(
            moment(
                "dealt",
                AT_START,
                None,
                f.Shuffle(ref("stock")),
                f.Branch(eq(rank(x.Bottom(zone("stock"))), num(14)), (f.Redeal(),)),
                f.ForEach(
                    "player",
                    x.AllPlayers(),
                    (f.MoveCount(num(8), ref("stock"), ref("hand", PLAYER)),),
                ),
                f.Chance("lucky", None, num(1), x.Count(zone("hand", num(0)))),
                f.GoTo("play", left(memory("dealer"))),
            ),
            moment(
                "next_to_play", hook("after", "play"), x.Not(full), f.GoTo("play", left(PLAYER))
            ),
            moment(
                "trick_taken",
                hook("after", "play"),
                full,
                f.Let("winner", x.CardAttr(apply("best_card"), "laid_by")),
                f.Gain("tricks", x.Var("winner"), num(1)),
                f.MoveCards(trick, ref("trick"), ref("won", x.Var("winner"))),
                f.GoTo("play", x.Var("winner")),
            ),
            moment("last_trick", hook("after", "trick_taken"), x.Not(x.Exists(hand)), f.EndDeal()),
            moment(
                "game_over",
                d.Trigger("end", "deal"),
                eq(memory("deal_number"), num(2)),
                f.EndGame(x.Const(1, "side")),
            ),
        ),
        rules=(
            rule(
                "follow_suit",
                actions=("play",),
                requires=eq(suit, led),
                when=x.Exists(hand, "held", eq(x.CardAttr(x.Var("held"), "suit"), led)),
                sentence=("you can follow ", d.Value(led, "suit")),
            ),
        ),
        allowances=(),
        scores=(score("tricks", "player", memory("tricks", PLAYER)),),
    )
