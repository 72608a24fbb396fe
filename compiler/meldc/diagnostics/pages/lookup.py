"""MC043x and MC045x: silencers, and names that are looked up. Part of the range of names."""

from __future__ import annotations

from meldc.diagnostics.pages.page import CodePage


def rules_text(text: str) -> str:
    """A variant that adds these rules."""
    lines = "".join(f"  {line}\n" if line else "\n" for line in text.strip("\n").split("\n"))
    return f"variant: mine\ntitle: Mine\nextends: classic\nrules: |\n{lines}"


PAGES: tuple[CodePage, ...] = (
    CodePage(
        "MC0430",
        "a silencer that silences nothing",
        "`allow:` names warnings that are meant so, each with a reason. This one is not there, or "
        "it is an error, and errors are never silenced.",
        'variant: mine\ntitle: Mine\nextends: classic\nallow: {MC0411: "as ever"}\n',
        "Delete it.",
    ),
    CodePage(
        "MC0431",
        "a variant that is another game",
        "The variant replaces nearly all of what it inherits, so that a change of the base would "
        "hardly reach it. Probably another base was meant.",
        "variant: mine\ntitle: Mine\nextends: classic\nplayers: 2\nside_size: 1\n"
        "pack: {packs: 3, jokers: 3}\ncards: {wild: [2, A, Jkr], natural: 4..K, starter: 4..K}\n"
        "hand_size: 15\ntarget: 7000\nout_bonus: 200\ndraws: 2\n"
        "values: {Jkr: 100, '2, A': 30, 8..K: 20, 4..7: 10, black 3: 20}\nlast_discard: needed\n"
        "melds:\n"
        "  set: {cards: 4..K, size: 4.., naturals: 3.., wilds: ..2, how_many: many}\n"
        "opening_points: {below 0: 30, 0: 100, 1500: 150, 3000: 200}\n"
        "bonus_worth: {1: 200, 2: 400, 3: 600, 4: 1000, 5: 1200, 6: 1500}\n",
        "Extend a variant that is nearer, or name the machine and say all of it.",
    ),
    CodePage(
        "MC0432",
        "a game that does not say all",
        "A machine leaves to the game what it does not know, such as the classes of its cards. A "
        "variant without `extends` must say all of that.",
        "variant: mine\ntitle: Mine\nextends: classic\nremove: [cards.starter]\n",
        "Write `extends: classic` in the place of `machine:`, or declare what is missing.",
    ),
    CodePage(
        "MC0450",
        "an unknown name",
        "A name in an expression or effect is that of a field of what is looked at, of a "
        "parameter or `let`, or of a setting, zone, memory, table or definition. Words such as "
        "choices of a setting, rows of a table and kinds of meld are understood only where "
        "they are compared with something of that type.",
        rules_text("define close of side = totl > 4000"),
        "Correct the name, or declare it.",
    ),
    CodePage(
        "MC0451",
        "an unknown action, moment or kind of meld",
        "Rules speak of actions, moments, kinds of meld and the end of the turn; moments hang "
        "on actions and moments. All of them are found by name.",
        rules_text('rule one\n  discrad forbidden\n  because "no"'),
        "Correct the name, or declare what it names.",
    ),
    CodePage(
        "MC0452",
        "an unknown phase",
        "`go to`, `during` and `allowed during` name a phase that is declared.",
        rules_text("moment back at end of turn\n  then go to drow for left(player)"),
        "Correct the name, or declare the phase.",
    ),
    CodePage(
        "MC0453",
        "a name that hides another",
        "A parameter or `let` cannot have the name of a setting, zone, memory, table or "
        "definition: nothing hides anything.",
        rules_text("moment noted after draw\n  then\n    let hand = 3\n    go to play"),
        "Choose another name.",
    ),
    CodePage(
        "MC0454",
        "a property without its thing",
        "A class of cards or a definition of card or meld is said of a card or meld. It stands "
        "alone only where one is looked at: within `where`, `are`, `by`, or in a definition "
        "about one.",
        rules_text('rule one\n  draw forbidden when wild\n  because "no"'),
        "Say of what: `top(pile) is wild`.",
    ),
    CodePage(
        "MC0455",
        "nobody in question",
        "What is kept for each player or side and named without its owner is that of the "
        "player or side in question. Where the table as a whole is spoken of, or a side only, "
        "there may be none.",
        rules_text('score held\n  gives count(hand)\n  because "cards held"'),
        "Name the owner: `hand(dealer)`, `hand(players(side))`.",
    ),
    CodePage(
        "MC0456",
        "an unknown field",
        "Behind a dot stands a field of a card, a meld, a row, a player or a side, or a "
        "definition about one.",
        rules_text('rule one\n  discard forbidden when card.colour = 3\n  because "no"'),
        "Use a field that there is.",
    ),
    CodePage(
        "MC0457",
        "something that is not asked about anything",
        "Before parentheses stands a built-in question, a definition about something, or "
        "something kept for each player or side.",
        rules_text("define odd = stock(dealer)"),
        "Leave the parentheses out, or correct the name.",
    ),
    CodePage(
        "MC0458",
        "an unknown type or owner",
        "What is remembered has a built-in type or is a row of a table; things are kept of a "
        "player or a side; definitions are about a player, side, card or meld.",
        rules_text("remember witness: person each deal"),
        "Use one of the types that the message names.",
    ),
    CodePage(
        "MC0459",
        "an unknown rule to leave aside",
        "`can(… without RULE)` asks as if a rule were not there; it names one that is.",
        rules_text('rule one\n  ask requires can(going_out without leave)\n  because "no"'),
        "Correct the name of the rule.",
    ),
    CodePage(
        "MC0460",
        "a definition by itself",
        "A definition cannot use itself, directly or through others: every expression ends.",
        rules_text("define one = two + 1\ndefine two = one - 1"),
        "Say what is meant without the circle.",
    ),
)
