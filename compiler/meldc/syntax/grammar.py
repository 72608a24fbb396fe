"""The parser made from `grammar.lark`, one for the process, made when first needed.

Making it takes a quarter of a second, so that its tables come with it (`tables.py`). Where those do
not fit, as with another version of Lark, they are kept between runs in a folder of `folder_of`.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from lark import Lark
from lark.lexer import PatternStr

from meldc.syntax.layout import Layout
from meldc.syntax.tables import parser_of, read_tables
from meldc_runtime.folder import folder_of

ENTRY_POINTS = ("header", "declaration", "cell", "cards")


@cache
def parser() -> Lark:
    """The parser; start it at one of `ENTRY_POINTS`. It holds no state between texts."""
    grammar = read_grammar()
    tables = read_tables(grammar)
    if tables is not None:
        return parser_of(tables, postlex=Layout())
    folder = folder_of("grammars")
    # Lark checks that a file was made from this grammar, by this Lark and Python.
    return build(grammar, str(folder / "lark") if folder else False)


def build(grammar: str, cache_file: str | bool = False) -> Lark:
    """The parser made from the text of the grammar."""
    return Lark(
        grammar,
        start=list(ENTRY_POINTS),
        parser="lalr",
        postlex=Layout(),
        propagate_positions=True,
        maybe_placeholders=True,
        cache=cache_file,
    )


def read_grammar() -> str:
    """The text of the grammar."""
    return files(__package__).joinpath("grammar.lark").read_text(encoding="utf-8")


@cache
def keywords() -> dict[str, str]:
    """From the parser's names of fixed words and signs to what an author writes."""
    return {
        terminal.name: terminal.pattern.value
        for terminal in parser().terminals
        if isinstance(terminal.pattern, PatternStr)
    }
