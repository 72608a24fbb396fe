"""MC02xx: the shape of a file."""

from __future__ import annotations

from meldc.diagnostics.pages.page import CodePage, Example

PAGES: tuple[CodePage, ...] = (
    CodePage(
        "MC0201",
        "value of the wrong kind",
        "A value is a text or number, a list, or a map, and this key takes another kind than the "
        "one that stands there.",
        "variant: mine\ntitle: Mine\nextends: base.yaml\npack: 2\n",
        "Write the kind the message names: `pack: {packs: 2}`.",
    ),
    CodePage(
        "MC0202",
        "value that does not fit its key",
        "The value has the right kind, but not a form or a size this key can take.",
        "variant: mine\ntitle: Mine\nextends: base.yaml\nplayers: many\n",
        "Write the form the message names: `players: 2..8`.",
    ),
    CodePage(
        "MC0203",
        "unknown key",
        "A map with fixed keys has one more. It would be read by nobody.",
        "variant: mine\ntitle: Mine\nextends: base.yaml\npack: {packs: 2, joker: 2}\n",
        "Correct the key, or delete it.",
    ),
    CodePage(
        "MC0204",
        "missing key",
        "A file or an entry lacks a key it cannot do without.",
        "variant: mine\nextends: base.yaml\n",
        "Add the key: `title: My game`.",
    ),
    CodePage(
        "MC0205",
        "key of the wrong form",
        "A key at the left edge of a variant or house rule is a fixed one or the name of a "
        "setting or table: small letters, digits, hyphens or underscores, also after `replace`.",
        "variant: mine\ntitle: Mine\nextends: base.yaml\nHand Size: 11\n",
        "Write it as one word in small letters: `hand_size`.",
    ),
    CodePage(
        "MC0206",
        "nothing where something is needed",
        "A key has no value, or a list or map that may not be empty is empty.",
        "variant: mine\ntitle: Mine\nextends: base.yaml\nhand_size:\n",
        "Give the value, or delete the key.",
    ),
    CodePage(
        "MC0207",
        "another kind of file",
        "A variant begins with `variant:`, a house rule with `house:`, a scenario file has "
        "`tests:`. This file is one of the others.",
        "house: mine\ntitle: Mine\nmachine: sets\n",
        "Give the file to the command that takes it, or a file of the right kind to this one.",
    ),
    CodePage(
        "MC0208",
        "entry that says not exactly one thing",
        "A step of a scenario is one action or one expectation; a test has either steps or a "
        "score; a variant extends another or names its machine. Here it is none or several.",
        "variant: mine.yaml\ntests:\n  - name: two at once\n    steps:\n"
        "      - {do: draw, turn: P1}\n",
        "Make it exactly one: two steps are two entries of the list.",
        kind=Example.SCENARIO,
    ),
    CodePage(
        "MC0209",
        "`because` without a refusal",
        "`because` names the rule that judges an action, so it stands beside `legal` or `illegal`.",
        "variant: mine.yaml\ntests:\n  - name: reasons\n    steps:\n"
        "      - {do: draw, because: some_rule}\n",
        "Delete it, or make the step an `illegal` one.",
        kind=Example.SCENARIO,
    ),
    CodePage(
        "MC0210",
        "entry given twice in a list",
        "A list in which every entry stands for something once has an entry twice.",
        "variant: mine\ntitle: Mine\nextends: base.yaml\nremove: [rule one, rule one]\n",
        "Delete one of them.",
    ),
)
