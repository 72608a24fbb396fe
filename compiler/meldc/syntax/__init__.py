"""The syntax of the rule language: from text to the surface tree (`tree`)."""

from meldc.syntax.parse import RulesText, parse_cards, parse_cell, parse_file, parse_rules

__all__ = ["RulesText", "parse_cards", "parse_cell", "parse_file", "parse_rules"]
