"""From the effective model to a Program: every declaration with typed nodes and its place."""

from meldc.lower.assemble import lower

__all__ = ["lower"]
