"""MC08xx: scenarios, records and compiled programs."""

from __future__ import annotations

from meldc.diagnostics.pages.page import CodePage, Example

_HEAD = "variant: classic\ntests:\n  - name: mine\n"

PAGES: tuple[CodePage, ...] = (
    CodePage(
        "MC0801",
        "seats that the game does not have",
        "A test says how many play, or in sides of which size, and the game is not played so.",
        _HEAD + "    given: {players: 9}\n    steps: [over: false]\n",
        "Give a number of players that the variant allows, or none: then its usual number plays.",
        kind=Example.SCENARIO,
    ),
    CodePage(
        "MC0802",
        "position that cannot be laid out",
        "Something in `given` or `score` is no card, names a zone, memory, player or side that "
        "the game does not have, makes no meld of the game, or uses a card more often than the "
        "pack holds it.",
        _HEAD + "    given: {hands: {P1: 9C 9X}}\n    steps: [over: false]\n",
        "Write cards as `9C`, `10H`, `Jkr`; name zones and memories as the machine does "
        "(`hands` for the zone `hand`), and say whose they are: `hands: {P1: 9C 2S}`.",
        kind=Example.SCENARIO,
    ),
    CodePage(
        "MC0803",
        "position besides a seed",
        "With `seed` the cards of a test are dealt as in a game with this seed. Then only what was "
        "so before the deal can be given: players, dealer, the number of the deal, scores, what "
        "the table remembers; no cards, no melds, not whose turn it is.",
        _HEAD + "    seed: 1\n    given: {pile: 4C}\n    steps: [over: false]\n",
        "Leave out `seed`, or leave the cards to it.",
        kind=Example.SCENARIO,
    ),
    CodePage(
        "MC0804",
        "expectation that is no condition",
        "What stands behind `expect` must hold: it is yes or no. A number or some cards alone "
        "say nothing that could fail.",
        _HEAD + "    steps: [expect: count(hand(P1))]\n",
        "Compare it: `count(hand(P1)) = 11`, or ask `any(…)`.",
        kind=Example.SCENARIO,
    ),
    CodePage(
        "MC0805",
        "player or side that does not play",
        "An expression behind `expect` names a player or a side that the table does not have. "
        "Players are P1, P2 and so on, as many as play; sides are A, B and so on.",
        _HEAD + "    steps: [expect: count(hand(P9)) = 11]\n",
        "Name one who plays, or give the number of `players` that the test needs.",
        kind=Example.SCENARIO,
    ),
    CodePage(
        "MC0811",
        "no record of a game",
        "A record is a text of lines, each a JSON object: the first says which game was played, "
        "the others hold one action each. A last line that was cut off is left out.",
        "discard 4C\n",
        "Give a file that `meldc play` has written.",
        kind=Example.RECORD,
        unreadable=True,
        in_the_file=True,
    ),
    CodePage(
        "MC0812",
        "record of a game with other rules",
        "A record holds the hash of the program that was played. The game as it is now has "
        "another one: its rules have changed since, or other house rules lie over it.",
        '{"record": 1, "game": "classic", "title": "Classic", "program": "0", "house": [], '
        '"players": 4, "side_size": 2, "seed": 1, "seats": {"P1": "human"}}\n',
        "Take the rules of that time: compile them to a file, and name it beside the record.",
        kind=Example.RECORD,
        unreadable=True,
        in_the_file=True,
    ),
    CodePage(
        "MC0813",
        "record that the game does not follow",
        "An action of the record is not legal where it stands, or it is not for this player to "
        "act, or another deal is on. The record was changed by hand.",
        "meldc replay changed.jsonl",
        "Mend the line, or play on from the lines before it: delete this one and all after it.",
        kind=Example.COMMAND,
        unreadable=True,
        in_the_file=True,
    ),
    CodePage(
        "MC0814",
        "no compiled program",
        "A file that ends in `.json` is read as a program that `meldc compile` has written. This "
        "one is none, is of another version, or was changed after it was compiled.",
        "meldc check changed.json",
        "Compile the game again.",
        kind=Example.COMMAND,
        unreadable=True,
        in_the_file=True,
    ),
)
