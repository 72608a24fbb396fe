"""The tables of the parser, made beforehand and kept beside the grammar.

Lark needs a quarter of a second for them. They are plain data, and hold for one grammar and one
version of Lark: with another of either they are passed over, and made anew where needed.

`python3 -m meldc.syntax.tables` writes them, after each change of `grammar.lark`.
"""

from __future__ import annotations

import hashlib
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

FILE = "tables.json"


def read_tables(grammar: str) -> dict[str, Any] | None:
    """What `Lark` goes on from, for this grammar; None where none is kept for it."""
    try:
        found = json.loads(
            files(__package__).joinpath(FILE).read_text(encoding="utf-8"), object_hook=_numbered
        )
    except (OSError, ValueError):
        return None
    if not isinstance(found, dict) or found.get("made_from") != made_from(grammar):
        return None
    return found


def parser_of(tables: dict[str, Any], **options: Any) -> Lark:
    """The parser that such tables describe."""
    load: Any = Lark._load_from_dict
    found: Lark = load(tables["data"], tables["memo"], **options)
    return found


def made_from(grammar: str) -> str:
    """What tables hold for: the version of Lark, and the grammar in short."""
    return f"lark {lark.__version__} {hashlib.sha256(grammar.encode()).hexdigest()}"


def as_text(parser: Lark, grammar: str) -> str:
    """The tables of a parser as they are kept."""
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    data["options"].pop("postlex", None)
    data["options"].pop("cache", None)
    found = {"made_from": made_from(grammar), "data": data, "memo": memo}
    return json.dumps(found, separators=(",", ":")) + "\n"


def _numbered(given: dict[str, Any]) -> dict[Any, Any]:
    """JSON has words as keys; those of states and tokens are numbers."""
    if all(map(str.isdigit, given)):
        return {int(key): value for key, value in given.items()}
    return given


def main() -> None:
    """Writes the tables of the grammar as it is."""
    from meldc.syntax.grammar import build, read_grammar

    grammar = read_grammar()
    text = as_text(build(grammar), grammar)
    Path(__file__).with_name(FILE).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
