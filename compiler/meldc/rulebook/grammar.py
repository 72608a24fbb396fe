"""Words with their grammar: what is named, and what is said of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Noun:
    """What is named. article: `the`, `its`, or empty where the words stand by themselves."""

    words: str
    article: str = ""

    def __str__(self) -> str:
        return f"{self.article} {self.words}" if self.article else self.words

    @property
    def indefinite(self) -> str:
        """The words after a number, or after `a`: `the melds` as `melds`, but `its melds`."""
        return self.words if self.article == "the" else str(self)

    def of_it(self) -> Noun:
        """The same of the thing that is spoken of: `its rank`; a bare name stays as it is."""
        return Noun(self.words, "its") if self.article else self

    def of(self, owner: str) -> Noun:
        """The same of an owner that is named: `the rank of the card`."""
        return Noun(f"{self.words} of {owner}", self.article)


@dataclass(frozen=True, slots=True)
class Clause:
    """That a subject is something, or is not."""

    subject: str
    predicate: str
    denied: bool = False

    def __str__(self) -> str:
        return f"{self.subject} {'is not' if self.denied else 'is'} {self.predicate}"

    def denial(self) -> Clause:
        return Clause(self.subject, self.predicate, not self.denied)


def named(words: str, article: str) -> Noun:
    """Words with an article where they name a person or a card: `the dealer`, `a stop card`."""
    return Noun(words, article if words.endswith(("er", "card")) else "")
