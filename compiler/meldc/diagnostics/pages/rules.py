"""MC07xx: rules and the machine."""

from __future__ import annotations

from itertools import pairwise

from meldc.diagnostics.pages import sense
from meldc.diagnostics.pages.lookup import rules_text
from meldc.diagnostics.pages.page import CodePage

PAGES: tuple[CodePage, ...] = (
    CodePage(
        "MC0701",
        "no phase begins a turn",
        "Somebody must be on turn: one phase at least is declared with `begins turn`.",
        rules_text('replace phase draw "draw a card"'),
        "Write `begins turn` behind the name of the phase.",
    ),
    CodePage(
        "MC0702",
        "cards that cannot be listed",
        "An action that takes some cards of a zone could be played in more ways than can be "
        "listed. It must meld them, or a rule must fix how many they are: `requires "
        "count(cards) = 2`.",
        rules_text(
            'action shed(cards from hand) "shed {cards}"\n  during play\n'
            "  then move cards to pile\n\n"
            'rule five\n  shed requires count(cards) >= 5\n  because "five or more"'
        ),
        "Take one card (`card in hand`), meld the cards, or fix their number by a rule.",
    ),
    CodePage(
        "MC0703",
        "a look ahead in a circle",
        "`can(…)` in a rule asks what is legal; that must not depend on the rule itself.",
        rules_text('rule one\n  discard forbidden when can(discard)\n  because "no"'),
        "Leave a rule aside with `without`, or say it without looking ahead.",
    ),
    CodePage(
        "MC0704",
        "a rule that reads hidden cards",
        "What is legal must not tell a player about cards that he does not see.",
        rules_text('rule one\n  discard forbidden when top(stock) is wild\n  because "no"'),
        "Read only what the player sees.",
    ),
    CodePage(
        "MC0705",
        "moments that cannot be put in order",
        "A moment hangs on actions or moments; `before` takes the place of what it names, so "
        "all of it must happen at the same time, and never on itself.",
        rules_text(
            "moment one after two\n  then end deal\n\nmoment two after one\n  then end deal"
        ),
        "Hang the moment on something that happens by itself.",
    ),
    CodePage(
        "MC0706",
        "a moment of the game as a whole",
        "Moments are at the start or end of a turn or deal.",
        rules_text("moment one at start of game\n  then end deal"),
        "Use `at start of deal` when `deal_number = 1`.",
    ),
    CodePage(
        "MC0707",
        "no zone holds the pack",
        "Before a deal all cards lie in one zone, declared with `holds the pack`.",
        rules_text("replace zone stock hidden"),
        "Write `, holds the pack` behind one zone, and only one.",
    ),
    CodePage(
        "MC0708",
        "a phase in which nothing can be done",
        "A phase that is gone to must have an action.",
        rules_text('phase odd "wait"\n\nmoment one after draw\n  then go to odd'),
        "Add an action `during` the phase, or go to another.",
    ),
    CodePage(
        "MC0709",
        "a text that does not say the choice",
        "The text of an action names every parameter: it is what a player types.",
        rules_text('action shed(card in hand) "shed"\n  during play\n  then move card to pile'),
        "Put the parameter in braces into the text.",
    ),
    CodePage(
        "MC0711",
        "melds that do not belong to sides",
        "The zone `melds` holds what is laid; each side has one.",
        rules_text("replace zone melds of player shown"),
        "Write `zone melds of side`.",
    ),
    CodePage(
        "MC0712",
        "a deal that begins with nobody's move",
        "When the cards are dealt somebody must act: a moment at the start of the deal goes to a "
        "phase for a player.",
        rules_text("replace moment first_turn at start of deal\n  then shuffle stock"),
        "Add `go to PHASE for PLAYER`.",
    ),
    CodePage(
        "MC0713",
        "a turn that ends with nobody's move",
        "When a turn has ended somebody must act, or the deal must end.",
        rules_text("replace moment turn_passes at end of turn\n  then shuffle stock"),
        "Add `go to PHASE for PLAYER` to a moment `at end of turn`.",
    ),
    CodePage(
        "MC0714",
        "no way back",
        "`go back` leads out of a phase in which another player answers, back to the player whose "
        "turn it is. A phase that begins a turn has no way back.",
        rules_text('action odd "odd"\n  during draw\n  then go back'),
        "Write `go to`, or take `begins turn` from the phase.",
    ),
    CodePage(
        "MC0715",
        "an expression that grows too large",
        "What a name stands for is judged wherever it is read. Names that read others twice, which "
        "read others twice, soon ask for more than any machine can do; so does a row of a table "
        "that looks up its own table.",
        rules_text(
            "define one = count(stock) + count(stock)\n"
            + "".join(
                f"define {after} = {before} * {before} * {before} * {before} * {before}\n"
                for before, after in pairwise(
                    ("one", "two", "three", "four", "five", "six", "last")
                )
            )
        ),
        "Remember a value (`remember`, `let`) instead of working it out again and again.",
    ),
    CodePage(
        "MC0716",
        "an ending that asks whether the turn can end",
        "Whether an action is possible hangs on whether the turn can still be completed after it. "
        "The rule is about an ending, and asks for something that may be completed by that same "
        "ending: the question leads back to the rule. What it asks again of the same position is "
        "answered no. So it is with a rule about any play that asks for `end of turn`, where the "
        "way to the end may begin with that play.",
        rules_text(
            'action give_up "give up"\n  during play\n  then end deal\n\n'
            'rule late\n  give_up forbidden when can(meld)\n  because "melds can be laid"'
        ),
        "Leave the rule aside, `can(meld without late)`; mark the ending, `while the turn can end "
        "otherwise`, so that nothing is completed by it; "
        "ask for an action that itself ends the turn; or say it without looking ahead.",
    ),
    CodePage(
        "MC0717",
        "melds that never grow",
        "Melds are begun with the fewest cards that their kind allows, and grow card by card. In "
        "a phase without an action that lays cards on melds of the own no larger one can be laid.",
        "variant: mine\ntitle: Mine\nextends: classic\nmelds:\n"
        "  row: {shape: run, cards: natural, size: 3..}\nrules: |\n"
        '  replace action add(cards from hand, home in melds(opponents)) "add {cards} to {home}"\n'
        "    during play\n    then meld cards onto home\n",
        "Declare an action that adds a card to a meld, `during` the same phase.",
    ),
    CodePage(
        "MC0718",
        "the score of a deal, before it is counted",
        "`deal_score` is what a deal has brought a side. A deal is counted when it has ended, so "
        "while it is played, and in the lines that count it, it is nothing.",
        rules_text('rule late\n  discard forbidden when deal_score > 100\n  because "enough"'),
        "Ask for it in a moment `at end of deal`.",
    ),
    CodePage(
        "MC0719",
        "cards from where there are none",
        "An action takes a card from a place to which no card ever comes: neither at the start of "
        "a deal nor by an action or a moment. It is never legal.",
        rules_text(
            'zone kitty shown\n\naction lift(card in kitty) "lift {card}"\n'
            "  during play\n  then move card to hand"
        ),
        "Move cards there at the start of a deal, or take them from a place that has some.",
    ),
    *sense.PAGES,
)
