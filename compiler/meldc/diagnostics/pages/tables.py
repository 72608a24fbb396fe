"""MC061x to MC063x: cards, melds and tables that cannot be meant so. Part of the range of cards."""

from __future__ import annotations

from meldc.diagnostics.pages.lookup import rules_text
from meldc.diagnostics.pages.page import CodePage

_HEAD = "variant: mine\ntitle: Mine\nextends: classic\n"


def _prizes(rows: str) -> str:
    """A variant with a table that sorts melds, and a line of the score that pays it."""
    rules = (
        'rules: |\n  table prizes sorts melds as prize with bonus = 0 "prizes"\n\n  score prizes\n'
        '    gives sum(prizes by prize.bonus)\n    because "prizes"\n'
    )
    return f"{_HEAD}prizes:\n  {rows}\n{rules}"


PAGES: tuple[CodePage, ...] = (
    CodePage(
        "MC0611",
        "cards without a value",
        "The score counts the values of cards, and no row of `values` fits these. They count 0. "
        "Cards that are laid apart by their class, as bonus cards are, need no value.",
        _HEAD + "replace values: {Jkr: 50, '2, A': 20, 8..K: 10, 4..6: 5, black 3: 5}\n",
        "Add a row for them; `0` where that is meant.",
    ),
    CodePage(
        "MC0612",
        "cards that are two things at once",
        "A kind of meld takes a class of cards as themselves and wild cards for others, and some "
        "cards are both; or cards are laid apart when they come, and are to be melded, too.",
        _HEAD + "cards: {natural: 2..A}\n",
        "Leave the cards out of one of the classes.",
    ),
    CodePage(
        "MC0613",
        "cards of no class",
        "These cards are in the pack, but in no class of `cards:` and in no kind of meld.",
        _HEAD + "cards: {natural: 5..A}\n",
        "Add them to a class, or leave their ranks out of the pack.",
    ),
    CodePage(
        "MC0614",
        "cards listed twice",
        "One card stands twice in a pattern, or in two rows of a table. Of rows the last that fits "
        "counts: a special case stands behind the general row.",
        _HEAD + "values: {4..8: 5, 8..K: 10}\n",
        "Leave the cards out of one of the two.",
    ),
    CodePage(
        "MC0616",
        "a size that no meld reaches",
        "The upper end of `size` is where a meld is full. With the cards of this pack none comes "
        "so far, so that it is never finished.",
        _HEAD + "melds:\n  odd: {shape: same rank, cards: red 3, size: 3..7}\n",
        "Write a size that can be reached, or give the pack more such cards.",
    ),
    CodePage(
        "MC0617",
        "a hand larger than any hand",
        "A meld of this kind is a whole hand, laid at once. It has more cards than a player holds "
        "after the deal and a draw. Where a house rule deals fewer cards, it is a warning: such "
        "hands do not come up then, and the rest is played.",
        _HEAD + "melds:\n  pairs: {shape: 2 2 2 2 2 2 2, cards: natural}\n",
        "Deal more cards, or correct the shape.",
    ),
    CodePage(
        "MC0618",
        "a kind of meld that one card makes",
        "The row says neither how many cards a meld has, nor how many naturals or wild cards it "
        "needs. So any single card that may lie in it can be melded.",
        _HEAD + "melds:\n  row: {shape: run, cards: natural}\n",
        "Say the `size`: `3..` are three cards or more.",
    ),
    CodePage(
        "MC0619",
        "a word about runs that says nothing",
        "`wilds_go` says where the wild cards of a run go when it grows, `ace` at which end of it "
        "an ace lies. This kind is no run, or takes no wild cards.",
        _HEAD + "melds:\n  row: {shape: run, cards: natural, size: 3.., wilds_go: high}\n",
        "Leave it out, or let the kind be a run, with wild cards.",
    ),
    CodePage(
        "MC0620",
        "a gap in a table",
        "The row `below N` ends where the row with the lowest bound begins. Between the two lie "
        "numbers that can come up and stand in neither. Scores go in steps: where all of them "
        "are multiples of five, nothing lies between 1495 and 1500.",
        _HEAD + "replace opening_points: {below 0: 15, 50: 50, 1500: 90}\n",
        "Write the lowest bound behind `below`.",
    ),
    CodePage(
        "MC0621",
        "numbers below every row",
        "What no row covers counts 0. A total can be negative, so a table of totals needs a row "
        "for that.",
        _HEAD + "replace opening_points: {0: 50, 1500: 90, 3000: 120}\n",
        "Add a row `below 0`.",
    ),
    CodePage(
        "MC0622",
        "a row that is never reached",
        "No number that can come up falls into the row: the next row begins before one does, the "
        "pack has not so many cards, or the game has been won by then.",
        _HEAD + "opening_points: {2001: 100, 2005: 110}\n",
        "Correct the number of the row, or leave it out.",
    ),
    CodePage(
        "MC0623",
        "values that rise and then fall",
        "The values of the table rise from row to row, but for this one. A value of 0 is taken "
        "for an exception that is meant.",
        _HEAD + "opening_points: {3000: 60}\n",
        "Exchange the values, or correct the wrong one.",
    ),
    CodePage(
        "MC0624",
        "a row that changes nothing",
        "The row gives what the row before it gives.",
        _HEAD + "opening_points: {3000: 120, 4000: 120}\n",
        "Leave it out, or correct its value.",
    ),
    CodePage(
        "MC0625",
        "numbers without a row",
        "A table by number has rows for single numbers, and gives 0 for all others. One that can "
        "come up is missing between the rows, or behind the last.",
        _HEAD + "pack: {packs: 3}\n",
        "Add the missing rows, or `each more`.",
    ),
    CodePage(
        "MC0626",
        "a bound that is off by one",
        "All totals are multiples of a number, and the bound of this row is none; or it stands "
        "one step beside a row that the game builds on, which then holds for a single total.",
        "variant: mine\ntitle: Mine\nextends: classic\nremove: [opening_points.1500]\n"
        "opening_points: {1501: 90}\n",
        "Write the total from which the row holds; `remove` the row that it is to replace.",
    ),
    CodePage(
        "MC0627",
        "cards in no row of a table by card",
        "A table by card gives nothing for a card that fits no row. These cards can come up where "
        "it is asked for. Where nothing does no harm, it is told only if more than half of the "
        "cards have a row.",
        "variant: mine\ntitle: Mine\nextends: italian\nremove: [start_cards.J]\n",
        "Add rows for them, `any: 0` before the others, or say `otherwise 0` where it is asked "
        "for.",
    ),
    CodePage(
        "MC0630",
        "a row that others swallow",
        "Of the rows of a table that sorts melds the last that fits counts. Later rows fit "
        "everything that this one fits, so no meld ever belongs to it.",
        _prizes(
            "clean: {meld: set, size: 7, wilds: 0, bonus: 500}\n"
            "  all: {meld: set, size: 7, bonus: 300}"
        ),
        "Say in the later rows what they are not, remove one, or change their order.",
    ),
    CodePage(
        "MC0631",
        "two rows for the same meld",
        "A meld belongs to two rows, and neither is a special case of what stands before it. The "
        "later one counts; that is probably not what decides.",
        _prizes(
            "few: {meld: set, wilds: ..1, bonus: 500}\n  some: {meld: set, wilds: 1..2, bonus: 300}"
        ),
        "Let the rows differ in `wilds`, `naturals`, `size` or `rank`.",
    ),
    CodePage(
        "MC0632",
        "a row that no meld fits",
        "No meld that can be formed has the size, the cards or the rank that the row asks for, or "
        "a rule refuses all that have, so that its bonus is never paid. Of a row that the game "
        "builds on it is a warning, if other rows can still be reached.",
        _prizes("odd: {meld: set, wilds: 4.., bonus: 900}"),
        "Correct the row or the kind of meld, or leave the row out.",
    ),
    CodePage(
        "MC0633",
        "a row without its bonus",
        "All other rows of the table have a number in this column, this one counts 0.",
        _prizes("short: {meld: set, size: 7, bonus: 500}\n  long: {meld: set, size: 8}"),
        "Write the number, or remove the row.",
    ),
    CodePage(
        "MC0634",
        "something counted twice",
        "Two lines of the score count the same. A rule with a new name adds to those that are "
        "there; `replace` takes the place of one.",
        rules_text(
            'score out_again\n  gives out_bonus\n  when out in players(side)\n  because "going out"'
        ),
        "Replace the first line, or remove one of the two.",
    ),
    CodePage(
        "MC0635",
        "points that nobody can lay",
        "The opening asks for more points than the cards of a hand can be worth in melds, with "
        "the card drawn or the top card of the pile, and as many wild cards as may lie; or for "
        "more melds than a hand has cards for.",
        _HEAD + "opening_points: {3000: 500}\n",
        "Ask for fewer points.",
    ),
    CodePage(
        "MC0636",
        "an end that no score reaches",
        "The game ends at a total; no line of the score gives a point, or the total is there at "
        "the start.",
        _HEAD + "target: 0\n",
        "Write a total that can be reached.",
    ),
    CodePage(
        "MC0637",
        "a kind of meld in no row",
        "Melds of this kind can be full, and no row of a table that sorts melds is for them. "
        "Melds of other kinds have rows, and a bonus.",
        _HEAD + "melds:\n  wild: {shape: any, cards: wild, size: 3..7}\n",
        "Add a row for it.",
    ),
    CodePage(
        "MC0638",
        "a gap between the rows of melds",
        "Melds with more, and with fewer, wild cards stand in rows of the table, or larger ones "
        "do; these stand in none, and count as no such meld.",
        _prizes(
            "pure: {meld: set, size: 7.., wilds: 0, bonus: 50}\n"
            "  other: {meld: set, size: 7.., wilds: 2.., bonus: 20}"
        ),
        "Let the rows meet: where one ends, the next begins.",
    ),
    CodePage(
        "MC0639",
        "a whole hand that leaves cards",
        "A meld of this kind is nearly a whole hand: it is laid at once, and a card or two are "
        "left. Where a whole hand is meant, its size is wrong.",
        "variant: mine\ntitle: Mine\nextends: american\nmelds:\n  garbage: {shape: 4 4 3 2}\n",
        "Correct its shape or size, or the number of cards dealt.",
    ),
    CodePage(
        "MC0640",
        "a kind of meld within another",
        "All that may be melded as this kind may be melded as another one, too, with the same "
        "shape and cards. What is asked of the one is evaded by the other. Of a kind for a few of "
        "the cards it is told where no row and no rule speaks of it.",
        _HEAD + "melds:\n  pure: {shape: same rank, cards: natural, size: 3..}\n",
        "Let the cards differ, or leave one of the two out.",
    ),
)
