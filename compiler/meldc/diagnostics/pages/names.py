"""MC04xx: names and inheritance."""

from __future__ import annotations

from meldc.diagnostics.pages import lookup
from meldc.diagnostics.pages.page import CodePage, Example

PAGES: tuple[CodePage, ...] = (
    CodePage(
        "MC0401",
        "no such setting or table",
        "A key at the left edge of a variant or house rule is a fixed one (`players`, `pack`, "
        "`melds` …) or the name of a setting or table that the machine, a part or the file "
        "itself declares. This one is neither, so nothing would read it.",
        "variant: mine\ntitle: Mine\nextends: base.yaml\nhand_sise: 13\n",
        "Correct the key; a new table or setting is declared in `rules:` first.",
    ),
    CodePage(
        "MC0402",
        "no choice of a setting",
        "A setting declared with choices, `setting last = free | needed`, takes one of them.",
        "variant: mine\ntitle: Mine\nextends: base.yaml\nending: neded\n"
        'rules: |\n  setting ending = free | needed "the last discard"\n',
        "Write one of the choices the message names.",
    ),
    CodePage(
        "MC0403",
        "circle of files",
        "A variant extends another, or a part uses another, that in the end extends or uses the "
        "first. There is no beginning to start from.",
        "variant: mine\ntitle: Mine\nextends: mine.yaml\n",
        "Let one of the files stand on something else.",
    ),
    CodePage(
        "MC0404",
        "second declaration",
        "Every name is declared once. Settings, tables, zones, memories, definitions and classes "
        "of cards share their names, and so do actions, moments and kinds of meld; phases, rules "
        "and scores have names of their own. Nothing hides anything, so a second declaration is "
        "refused unless it says `replace`.",
        "variant: mine\ntitle: Mine\nextends: base.yaml\n"
        "rules: |\n  define twice = 2\n  define twice = 3\n",
        "Write `replace` before it to put it in the place of the first, or choose another name.",
    ),
    CodePage(
        "MC0405",
        "nothing to replace",
        "`replace` puts a declaration, or a table as a whole, into the place of one that was "
        "there before. Here is none of that kind and name.",
        "variant: mine\ntitle: Mine\nextends: base.yaml\nrules: |\n  replace define twice = 2\n",
        "Correct the name or the word before it, or leave `replace` out to add something new.",
    ),
    CodePage(
        "MC0406",
        "nothing to remove",
        "`remove` names a row (`melds.runs`), a cell of a row (`melds.runs.if`) or a declaration "
        "(`rule runs_last`) that this game has from the files below. Here is none of that name.",
        "variant: mine\ntitle: Mine\nextends: base.yaml\nremove: [rule runs_last]\n",
        "Correct the name, or delete the entry.",
    ),
    CodePage(
        "MC0407",
        "house rule for another kind of game",
        "A house rule says with `machine:` for which family of games it is made. The game it is "
        "laid over is of another one, where its words mean nothing.",
        "house: mine\ntitle: Mine\nmachine: others\n",
        "Leave it out, or write one for this family.",
        kind=Example.HOUSE,
    ),
    CodePage(
        "MC0408",
        "something needed is not so",
        "A file says with `needs:` what must be so in a game, and what to say where it is not.",
        "house: mine\ntitle: Mine\nmachine: sets\n"
        'needs: {hand_size = 99: "hands are small here"}\nhand_size: 98\n',
        "Leave the house rule out of this game.",
        kind=Example.HOUSE,
    ),
    CodePage(
        "MC0409",
        "house rule that changes nothing",
        "All that the house rule sets is so already in this game. Whoever lays it expects "
        "something else to happen.",
        "house: mine\ntitle: Mine\nmachine: sets\nhand_size: 7\n",
        "Leave it out.",
        kind=Example.HOUSE,
    ),
    CodePage(
        "MC0410",
        "house rules that contradict each other",
        "Two house rules set the same value, or replace or remove the same declaration, and not "
        "in the same way. Which holds must not depend on the order in which they are given.",
        "meldc check base.yaml --house hand_size=7 --house hand_size=8",
        "Leave one of them out; a value can also be decided with `--house KEY=VALUE`.",
        kind=Example.COMMAND,
    ),
    CodePage(
        "MC0411",
        "value that is inherited anyway",
        "The variant sets what the one it extends has set to the same. Should the base change "
        "one day, this would hide it. Of single values (a setting, `players`, a class of cards) "
        "it is said where the variant changes nothing else: with others they are named so that "
        "a game can be read in one place.",
        "variant: mine\ntitle: Mine\nextends: base.yaml\nplayers: 2..4\n",
        "Delete it.",
    ),
    CodePage(
        "MC0412",
        "no such choice of a house rule",
        "A house rule with `choices:` is laid as `NAME=CHOICE`; without one the first choice "
        "holds. Other house rules are laid by their name alone.",
        "meldc check base.yaml --house mine.yaml=fifteen",
        "Write one of the choices the message names.",
        kind=Example.COMMAND,
    ),
    CodePage(
        "MC0413",
        "row that is not there",
        "A row of `melds` or of a table that sorts melds changes one that is there, or begins a "
        "new one: a new kind of meld says its `shape`, a new row its `meld`. This one does "
        "neither, so its name is probably a wrong one.",
        "variant: mine\ntitle: Mine\nextends: base.yaml\nmelds:\n  sett: {size: 3..7}\n",
        "Correct the name, or complete the row.",
    ),
    CodePage(
        "MC0414",
        "no such column",
        "The rows of a table have the columns it was declared with; tables that sort melds have "
        "also `meld`, `rank`, `size`, `naturals`, `wilds`, `if` and `title`. Kinds of meld have "
        "fixed ones.",
        "variant: mine\ntitle: Mine\nextends: base.yaml\n"
        "melds:\n  pairs: {shape: same rank, cards: any, sise: 2..}\n",
        "Correct the key, or declare the column: `table calls lists call with times = 1`.",
    ),
    CodePage(
        "MC0415",
        "moments before each other",
        "`before M` puts a moment just before another. Here they stand before each other in a "
        "circle.",
        "variant: mine\ntitle: Mine\nextends: base.yaml\n"
        "rules: |\n"
        "  moment first before second\n    then end deal\n\n"
        "  moment second before first\n    then end deal\n",
        "Let one of them have no `before`.",
    ),
    CodePage(
        "MC0416",
        "part where a machine is needed",
        "`machine:` names a file that begins with `machine`: a whole family of games. A part is "
        "a piece of one and is added with `use:`.",
        "variant: mine\ntitle: Mine\nmachine: piece.rules\n",
        "Name a machine, and the part under `use:`.",
    ),
    CodePage(
        "MC0417",
        "house rule about cards that are not there",
        "The house rule is about jokers, and this game is played without them.",
        "house: mine\ntitle: Mine\nmachine: sets\ncards: {odd: Jkr}\npack: {jokers: 0}\n",
        "Leave it out, or give the pack jokers.",
        kind=Example.HOUSE,
    ),
    CodePage(
        "MC0419",
        "need that cannot be judged beforehand",
        "`needs:` is judged before any card is dealt. It compares settings and fixed keys "
        "(`players`, `side_size`, `packs`, `jokers`) with values; `and`, `or` and `not` join "
        "such comparisons.",
        'variant: mine\ntitle: Mine\nextends: base.yaml\nneeds: {any(melds): "melds are needed"}\n',
        "Compare a setting with a value: `draws = 1`.",
    ),
    *lookup.PAGES,
    CodePage(
        "MC0433",
        "choices without a difference",
        "The house rule has `choices:`, and the word `choice`, which stands for the value chosen, "
        "is nowhere in it.",
        "house: mine\ntitle: Mine\nmachine: sets\nchoices: {few: 5, many: 8}\nhand_size: 5\n",
        "Write `choice` where the value belongs, or leave `choices` out.",
        kind=Example.HOUSE,
    ),
    CodePage(
        "MC0434",
        "the name of the game below",
        "The game has the name of one that it extends. It is played all the same, but what is told "
        "of where values come from, and records of play, cannot tell the two apart.",
        "variant: base\ntitle: Mine\nextends: base.yaml\n",
        "Give the game a name of its own.",
    ),
)
