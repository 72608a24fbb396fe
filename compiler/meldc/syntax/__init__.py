"""The syntax of the rule language: from text to the surface tree (`tree`)."""

from meldc.syntax.kept import parse_cards, parse_cell, parse_file, parse_rules
from meldc.syntax.rules_text import RulesText

__all__ = ["RulesText", "parse_cards", "parse_cell", "parse_file", "parse_rules"]
