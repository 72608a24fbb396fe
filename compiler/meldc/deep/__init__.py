"""Plays a game at random and against itself, in search of what no look at the rules shows."""

from meldc.deep.findings import Budget, Finding, Tried
from meldc.deep.search import search
from meldc.deep.told import confidence, diagnose

__all__ = ["Budget", "Finding", "Tried", "confidence", "diagnose", "search"]
