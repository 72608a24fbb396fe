"""The rules of a game as text for people, from the compiled program and nothing else."""

from meldc.rulebook.book import Line, Section, write_rulebook

__all__ = ["Line", "Section", "write_rulebook"]
