"""MC05xx: types."""

from __future__ import annotations

from meldc.diagnostics.pages.lookup import rules_text
from meldc.diagnostics.pages.page import CodePage

PAGES: tuple[CodePage, ...] = (
    CodePage(
        "MC0501",
        "a value of the wrong type",
        "Every place asks for a type: a condition for yes or no, a count for a number, an "
        "owner for a player or side. The message names what is there and what belongs there.",
        rules_text("define rich of side = if total then yes else no"),
        "Write something of the wanted type.",
    ),
    CodePage(
        "MC0502",
        "two things that are never equal",
        "A comparison needs two things of one type; `<` and its like compare numbers and ranks.",
        rules_text("define odd = top(pile) = 7"),
        "Compare things of one type: `top(pile).rank = 7`.",
    ),
    CodePage(
        "MC0503",
        "one thing where many belong",
        "`count`, `any`, `all`, `sum`, `best`, `first`, `where` and `for each` go through a "
        "collection.",
        rules_text("define odd = count(dealer)"),
        "Name a collection: `hand`, `players`, `melds`.",
    ),
    CodePage(
        "MC0504",
        "too many or too few arguments",
        "Most questions are about one thing; `min`, `max` compare two or more, `chance` takes "
        "two numbers.",
        rules_text("define odd = max(3)"),
        "Give what the question takes.",
    ),
    CodePage(
        "MC0505",
        "a question asked in the wrong form",
        "`all(x are p)`, `sum(x by y)`, `best(x by y)`, `can(action)`, `only(action, …)` have "
        "forms of their own.",
        rules_text("define odd = sum(pile)"),
        "Ask in the form that the message shows.",
    ),
    CodePage(
        "MC0507",
        "a value missing",
        "What is remembered needs a start or a type; a row of a table needs the columns that "
        "have no default.",
        rules_text("remember witness = none each deal"),
        "Write the type or the value.",
    ),
    CodePage(
        "MC0508",
        "a memory that becomes something else",
        "A memory keeps the type it is declared with or starts with.",
        rules_text("moment odd after discard\n  then out becomes 3"),
        "Write a value of its type.",
    ),
    CodePage(
        "MC0509",
        "not a zone",
        "Cards move from zone to zone; a zone is declared with `zone`.",
        rules_text("moment odd after discard\n  then move 1 from stock to total"),
        "Name a zone.",
    ),
    CodePage(
        "MC0510",
        "cards from nobody knows where",
        "When cards move or are melded, the zone they lie in must be seen from the words: a "
        "zone, some of its cards, a parameter taken from one.",
        rules_text(
            "define last = top(stock)\n\nmoment odd after discard\n  then move last to pile"
        ),
        "Say where from: `move … from ZONE to ZONE`.",
    ),
    CodePage(
        "MC0512",
        "chance out of place",
        "`chance(1, 4)` draws from the deal's random numbers. It is no number to reckon with: "
        "it stands alone as the value of `becomes`, for a memory that is yes or no.",
        rules_text("define odd = chance(1, 4)"),
        "Remember what chance said: `lucky becomes chance(1, 4)`.",
    ),
    CodePage(
        "MC0513",
        "a row asked for in the wrong way",
        "Brackets choose a row of a table by number, band or card, or a card by its place from "
        "the top. Rows with names are reached by comparing.",
        rules_text("define odd = values > 3"),
        "Write `table[key]`.",
    ),
    CodePage(
        "MC0514",
        "a property of many",
        "`is` says something of one thing; only `is empty` speaks of a collection.",
        rules_text("define odd of player = hand is wild"),
        "Use `all(x are p)` or `any(x where p)`.",
    ),
    CodePage(
        "MC0515",
        "several where one is needed",
        "What is remembered belongs to one owner, and cards move to one zone.",
        rules_text("moment odd after discard\n  then move 1 from stock to hand(players)"),
        "Name one owner, or go through them with `for each`.",
    ),
    CodePage(
        "MC0516",
        "a setting that reads the game",
        "Settings and the pack are settled when the table is laid, before a card is dealt, and "
        "hold for the whole game. They may reckon with other settings and with the number of "
        "players, but not with what is remembered, with scores, zones or melds.",
        "variant: mine\ntitle: Mine\nextends: classic\n"
        "hand_size: if deal_number <= 4 then 11 else 13\n",
        "Write a plain value. What changes from deal to deal is a `define`, used in a moment, an "
        "action or a line of the score that takes the place of the one that reads the setting.",
    ),
    CodePage(
        "MC0517",
        "a division by less than 1",
        "The divisor of `quotient` or `remainder` is 0 or below, whatever happens. The result is "
        "nothing.",
        "variant: mine\ntitle: Mine\nextends: classic\nhand_size: quotient(11, 0)\n",
        "Write a divisor from 1 on.",
    ),
)
