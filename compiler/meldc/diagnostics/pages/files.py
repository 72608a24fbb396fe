"""MC01xx: files and YAML."""

from __future__ import annotations

from meldc.diagnostics.pages.page import CodePage, Example

PAGES: tuple[CodePage, ...] = (
    CodePage(
        "MC0101",
        "file not found",
        "There is no file at the path that was given, or it is not a plain file.",
        "meldc check no-such-file.yaml",
        "Check the path; a path in a file is read from the folder of that file.",
        kind=Example.COMMAND,
        unreadable=True,
    ),
    CodePage(
        "MC0102",
        "file cannot be read",
        "The file is there, but the system does not let it be read.",
        "meldc check secret.yaml",
        "Look at the file's permissions.",
        kind=Example.COMMAND,
        unreadable=True,
    ),
    CodePage(
        "MC0103",
        "unknown game, house rule or machine",
        "A name without a folder or an ending is looked for among the files that come with "
        "meldc, and nothing there has this name.",
        "variant: mine\ntitle: Mine\nextends: no-such-game\n",
        "Take one of the names of `meldc list`, or write a path: `other.yaml`.",
        unreadable=True,
    ),
    CodePage(
        "MC0104",
        "path leads out of its folder",
        "A file may name files of its own folder and below it, and those shipped with meldc; "
        "so a folder from elsewhere can be checked without it reading anything else.",
        "variant: mine\ntitle: Mine\nextends: ../other/base.yaml\n",
        "Put the file into the same folder, and name it from there.",
    ),
    CodePage(
        "MC0105",
        "file too large",
        "A file of rules has at most one megabyte (1,048,576 bytes).",
        "meldc check huge.yaml",
        "Split it: a variant can extend another.",
        kind=Example.COMMAND,
        unreadable=True,
    ),
    CodePage(
        "MC0106",
        "not a text in UTF-8",
        "Files are text in the encoding UTF-8; this one has bytes that are no such text.",
        "meldc check picture.png",
        "Save the file as UTF-8 in your editor.",
        kind=Example.COMMAND,
        unreadable=True,
        in_the_file=True,
    ),
    CodePage(
        "MC0107",
        "character that has no place in a text",
        "Control characters, special line separators and marks that turn the direction of "
        "writing do not show, and a reader would see something else than the compiler. Nor may "
        "an escape in quotes stand for one.",
        'variant: mine\ntitle: "a bell \\a"\n',
        "Delete the character.",
    ),
    CodePage(
        "MC0108",
        "tab",
        "How far a tab reaches differs from editor to editor; indentation and spacing are made "
        "of spaces.",
        "variant: mine\ntitle: Mine\npack:\n\tpacks: 2\n",
        "Set your editor to indent with spaces, and replace the tabs.",
    ),
    CodePage(
        "MC0109",
        "empty file",
        "There is nothing in the file but blank lines and comments.",
        "# nothing yet\n",
        "Begin with `variant:` and a name, or let `meldc new` write the beginning.",
    ),
    CodePage(
        "MC0110",
        "several documents in a file",
        "A line `---` within a file begins a second document; a file holds one.",
        "variant: mine\ntitle: Mine\n---\nvariant: yours\ntitle: Yours\n",
        "Make two files.",
    ),
    CodePage(
        "MC0111",
        "key given twice",
        "A map has each key once; a hyphen and an underscore make no difference. Of two values "
        "one would be lost in silence.",
        "variant: mine\ntitle: Mine\nhand_size: 11\nhand-size: 13\n",
        "Delete one of them, or join the two.",
    ),
    CodePage(
        "MC0112",
        "anchor, alias or merge key",
        "`&name`, `*name` and `<<` make copies within a file. Here values come from one place "
        "only: the variant that is extended.",
        "variant: mine\ntitle: &name Mine\n",
        "Write the value out. A text that begins with `&` or `*` is put in quotes.",
    ),
    CodePage(
        "MC0113",
        "tag or directive",
        "`!name` before a value and `%NAME` at the head of a file tell YAML what a value is. "
        "Here every value is text, and its key says how it is read.",
        "variant: mine\ntitle: !!str Mine\n",
        "Delete it. A text that begins with `!` or `%` is put in quotes.",
    ),
    CodePage(
        "MC0114",
        "nested too deeply",
        "Maps and lists lie at most thirty deep within each other.",
        "variant: mine\ntitle: Mine\nx: " + "[" * 31 + "]" * 31 + "\n",
        "Look for a bracket too many.",
    ),
    CodePage(
        "MC0115",
        "too many values",
        "A file has at most 50,000 values; no game needs a hundredth of that.",
        "meldc check generated.yaml",
        "Split the file.",
        kind=Example.COMMAND,
    ),
    CodePage(
        "MC0116",
        "key that is no word",
        "A key is a plain text, not a list or a map, and it is not empty.",
        "variant: mine\ntitle: Mine\n? [a, b]\n: 3\n",
        "Write the key as text; a key with a comma stands in quotes within braces.",
    ),
    CodePage(
        "MC0117",
        "key without a value",
        "Within braces a word stands alone, without a colon and a value. Often its key has a "
        "comma, which ends an entry there.",
        "variant: mine\ntitle: Mine\nvalues: {2, A: 20}\n",
        'Put a key with a comma in quotes: `{"2, A": 20}`.',
    ),
    CodePage(
        "MC0120",
        "second colon in a line",
        "A colon and a space divide a key from its value, once in a line. A second one stands in "
        "a value that is not in quotes, or two entries stand in one line without braces.",
        "variant: mine\ntitle: Mine: the second\n",
        "Put the value in quotes.",
    ),
    CodePage(
        "MC0121",
        "indentation that fits nothing",
        "The entries of a map and of a list stand exactly below each other. This line is further "
        "left or right than what it belongs to.",
        "variant: mine\ntitle: Mine\npack:\n    packs: 2\n  jokers: 2\n",
        "Line the entry up with its neighbours.",
    ),
    CodePage(
        "MC0122",
        "no colon after a key",
        "A line stands among the entries of a map, but has no colon followed by a space.",
        "variant: mine\ntitle Mine\nmachine: sets\n",
        "Write `key: value`, with a space behind the colon.",
    ),
    CodePage(
        "MC0123",
        "bracket not closed",
        "A list in `[ ]` or a map in `{ }` is not closed, is closed by the other bracket, or "
        "lacks a comma between two entries.",
        "variant: mine\ntitle: Mine\npack: {packs: 2, jokers: 2\n",
        "Close it, or add the comma.",
    ),
    CodePage(
        "MC0124",
        "quote not closed",
        "A text begins with a quotation mark and does not end with one.",
        'variant: mine\ntitle: "Mine\n',
        "Close the quotes.",
    ),
    CodePage(
        "MC0125",
        "unknown escape",
        "In double quotes a backslash begins an escape such as `\\n`; this one does not exist.",
        'variant: mine\ntitle: "C:\\games"\n',
        "Use single quotes, in which a backslash is a backslash, or write `\\\\`.",
    ),
    CodePage(
        "MC0126",
        "character that cannot begin a value",
        "A value cannot begin with this character unless it stands in quotes.",
        "variant: mine\ntitle: @home\n",
        "Put the value in quotes.",
    ),
    CodePage(
        "MC0127",
        "bad head of a text block",
        "Behind `|` or `>` only a digit, `+` or `-` may stand, and a comment after a space; the "
        "text begins on the next line.",
        "variant: mine\ntitle: Mine\nrules: | rule one\n",
        "Begin the text on the next line, further right than its key.",
    ),
    CodePage(
        "MC0128",
        "rules without a bar",
        "Behind `rules:` stands a `|`: it keeps the lines below as they are. Without it YAML makes "
        "one line of them, or takes a colon in them for a key.",
        "variant: mine\ntitle: Mine\nmachine: sets\nrules:\n  rule a\n    draw forbidden when yes\n"
        '    because "a: b"\n',
        "Write `rules: |`, and the rules indented in the lines below it.",
    ),
    CodePage(
        "MC0129",
        "not readable as YAML",
        "At this place the file stops being YAML.",
        'variant: mine\ntitle: "Mine" and yours\n',
        "Compare the line with the ones around it: dashes, colons, quotes and brackets.",
    ),
)
