"""MC061x to MC063x: cards, melds and tables that cannot be meant so. Part of the range of cards."""

from __future__ import annotations

from meldc.diagnostics.pages.page import CodePage

_HEAD = "variant: mine\ntitle: Mine\nextends: classic\n"

PAGES: tuple[CodePage, ...] = (
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
        _HEAD + "opening_points: {1501: 100, 1504: 110}\n",
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
)
