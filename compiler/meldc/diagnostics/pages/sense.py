"""MC072x and MC073x: rules that cannot be meant so. Part of the range of rules."""

from __future__ import annotations

from meldc.diagnostics.pages.lookup import rules_text
from meldc.diagnostics.pages.page import CodePage

PAGES: tuple[CodePage, ...] = (
    CodePage(
        "MC0720",
        "a rule that always refuses",
        "What the rule asks for can never be, with these cards and settings. So the action is "
        "never legal, or the moment never happens: nobody can ever go out, say.",
        rules_text('rule forty\n  going_out requires count(melds) >= 40\n  because "forty melds"'),
        "Correct the number or the condition; `remove action` takes an action away.",
    ),
    CodePage(
        "MC0721",
        "rules that contradict each other",
        "Two rules about the same can never both be kept: what one asks for the other refuses.",
        rules_text(
            'rule late_question\n  ask requires melded\n  because "first a meld, then the question"'
        ),
        "Replace the first rule, or say in `when` which of them holds.",
    ),
    CodePage(
        "MC0722",
        "a rule that never decides",
        "The condition of the rule never holds, or what it asks for is always so; or it asks for a "
        "phase in which nothing that it speaks of is ever played. Nothing changes without it.",
        rules_text('rule odd\n  discard requires count(hand) >= 0\n  because "no"'),
        "Correct the condition, or leave the rule out.",
    ),
    CodePage(
        "MC0723",
        "a rule that a stronger one covers",
        "Another rule refuses everything that this rule refuses, so this one never decides.",
        rules_text(
            "rule no_two\n  take_onto forbidden when top(pile) is wild and count(hand) > 3\n"
            '  because "no"'
        ),
        "Leave it out, or replace the stronger rule.",
    ),
    CodePage(
        "MC0724",
        "a phase that is never entered",
        "No effect goes to the phase, so what can be done in it is never done.",
        rules_text(
            'phase swap "give a card away"\n\naction give(card in hand) "give {card}"\n'
            "  during swap, play\n  then\n    move card to pile\n    end turn"
        ),
        "Let an effect `go to` the phase, or delete it.",
    ),
    CodePage(
        "MC0725",
        "a phase that is never left",
        "Nothing that can be done in the phase leads on: no `go to`, `go back`, `end turn` or "
        "`end deal`, in the actions or in the moments that hang on them. Or all that leads on "
        "hangs on one condition, and no action of the phase changes what that looks at.",
        "variant: mine\ntitle: Mine\nextends: classic\nremove: [action discard]\n",
        "Let an action of the phase lead on.",
    ),
    CodePage(
        "MC0726",
        "an action in a phase nobody enters",
        "All phases of the action are never entered, so it can never be played.",
        rules_text('remove action ask\n\naction nod "nod"\n  during answer\n  then go back'),
        "Name a phase that is entered.",
    ),
    CodePage(
        "MC0727",
        "a moment that never comes",
        "The condition of the moment never holds, with these cards and settings, or in the phases "
        "in which the actions are played that it comes with.",
        rules_text("moment odd after discard\n  when count(hand) > 200\n  then end deal"),
        "Correct the condition, or leave the moment out.",
    ),
    CodePage(
        "MC0728",
        "a deal or a game without end",
        "Nothing that can happen ends the deal, or the game; or the pack is filled again and "
        "again, and nothing keeps it from being filled once more. Or an action uses nothing up and "
        "leads nowhere, so that it can be played for ever.",
        "variant: mine\ntitle: Mine\nextends: classic\nremove: [moment game_over]\n",
        "Let a moment or an action end it; let an action that can be repeated lead on, or forbid "
        "it by what it has changed.",
    ),
    CodePage(
        "MC0729",
        "a move of no card",
        "The number of cards that are dealt or drawn is never above 0.",
        "variant: mine\ntitle: Mine\nextends: classic\ndraws: 0\n",
        "Write a number from 1 on.",
    ),
    CodePage(
        "MC0730",
        "something declared that nothing uses",
        "A definition, setting, table, zone or class of cards that this file declares, and that "
        "no rule, action, moment or line of the score uses.",
        rules_text("define odd = count(pile) > 3"),
        "Delete it, or use it.",
    ),
    CodePage(
        "MC0731",
        "a memory without use",
        "What is remembered must change somewhere, and be asked for somewhere.",
        rules_text(
            "remember odd = no each deal\n\nmoment noted after draw\n  then odd becomes yes"
        ),
        "Ask for it in a rule, or delete it.",
    ),
    CodePage(
        "MC0732",
        "a value that nothing reads",
        "The file sets a setting or the rows of a table, but all that read it has been replaced "
        "or removed.",
        "variant: mine\ntitle: Mine\nextends: classic\nconcealed_bonus: 200\n"
        "remove: [score for_concealment]\n",
        "Delete it.",
    ),
    CodePage(
        "MC0733",
        "a rule that can leave a player without a play",
        "Every play must leave one for the next decision. This rule binds even where nothing else "
        "is possible: with some hand, or without melds, the player can do nothing.",
        rules_text(
            'rule no_aces\n  discard forbidden when card.rank = A\n  because "aces are kept"'
        ),
        "Write `while another will do` (another choice of the same action), or an `unless`.",
    ),
    CodePage(
        "MC0734",
        "a line of the score that never counts",
        "Its condition never holds, or what it gives is 0 always.",
        rules_text(
            'score odd\n  gives 100\n  when deal_number < 1\n  because "before the first deal"'
        ),
        "Correct the condition, or leave the line out.",
    ),
    CodePage(
        "MC0735",
        "points that nothing counts",
        "A column of a table that sorts melds holds points, and no line of the score adds them "
        "up: the line that did has been removed or replaced.",
        "variant: mine\ntitle: Mine\nextends: classic\nprizes:\n"
        "  large: {meld: set, size: 9.., bonus: 100}\n"
        'rules: |\n  table prizes sorts melds as prize with bonus = 0 "prizes"\n\n'
        '  score prizes\n    gives 100 * count(prizes)\n    because "prizes"\n',
        "Write a line of the score that counts them, or leave the column out.",
    ),
    CodePage(
        "MC0736",
        "a move that never stops before the end",
        "Cards are moved one by one until one fits, and no card of the pack does: all cards of "
        "the place are moved.",
        "variant: mine\ntitle: Mine\nextends: classic\ncards: {starter: none}\n",
        "Name cards that there are; `any` where every card will do.",
    ),
    CodePage(
        "MC0737",
        "rules that wait for each other",
        "What a rule asks for is noted by an action or moment that another rule holds back until "
        "the first has happened. So neither ever happens: nobody can open, or go out.",
        "variant: mine\ntitle: Mine\nextends: classic\npile_in_opening: after\nrules: |\n"
        "  rule pile_first\n    opening requires took_pile\n"
        '    because "the opening needs a pile"\n',
        "Let one of the rules except the first time, in `unless` or `when`.",
    ),
    CodePage(
        "MC0738",
        "a branch that is never taken",
        "The condition of an `if`, among the effects or in the value of a setting, never holds, or "
        "always: what stands below it, or below its `else`, is never done, or never counts. "
        "Conditions that ask for a setting are not told, nor those of house rules.",
        rules_text(
            "moment odd after discard\n  then\n    if remainder(deal_number, 4) = 4\n"
            "      concealed becomes yes"
        ),
        "Correct the condition, or leave the branch out.",
    ),
    CodePage(
        "MC0739",
        "a pack that is never shuffled",
        "The cards lie in the order of the pack until something shuffles them. Nothing does, so "
        "that every deal gives everybody the same cards.",
        rules_text(
            "replace moment hands_dealt at start of deal\n  then\n"
            "    for each player from left(dealer)\n      move hand_size from stock to hand"
        ),
        "Let a moment `at start of deal` do `shuffle stock`.",
    ),
    CodePage(
        "MC0740",
        "a line that is always the whole score",
        "A line with `only` is, where it applies, all of the score of a side. This one applies "
        "always, so that no other line ever counts.",
        rules_text('score only whole\n  gives 100\n  because "a deal was played"'),
        "Say in `when` where it applies, or leave `only` out.",
    ),
    CodePage(
        "MC0741",
        "a memory of a turn in the score",
        "What is remembered `each turn` starts anew when the next turn begins. The score is "
        "counted after the last turn, so that what was noted in others is lost.",
        rules_text(
            "remember fines of player = 0 each turn\n\nmoment fined after discard\n"
            "  when card.rank = A\n  then fines gains 10\n\n"
            'score fines of player\n  gives - fines\n  because "fines"'
        ),
        "Remember it `each deal`.",
    ),
)
