"""The layers of a game, in the order in which they are laid on each other."""

from __future__ import annotations

from enum import StrEnum

from meldc.load.nodes import YamlMap, YamlText
from meldc.source import Span
from meldc.syntax import tree
from meldc_runtime.light import dataclass


class Kind(StrEnum):
    """What a layer is; the value is its word in the history of a value."""

    PART = "part"
    MACHINE = "machine"
    VARIANT = "variant"
    HOUSE = "house"
    COMMAND_LINE = "command line"


@dataclass(frozen=True)
class Choice:
    """The choice made for a house rule that has `choices:`."""

    name: str
    value: YamlText


@dataclass(frozen=True)
class Layer:
    """A file (or the command line) as it is laid: its tables and its declarations.

    span: where it names itself. body: of YAML files and the command line.
    """

    kind: Kind
    name: str
    span: Span | None
    body: YamlMap | None
    declarations: tuple[tree.Declaration, ...]
    choice: Choice | None = None

    @property
    def title(self) -> str:
        """Its name for people: `house fewer`, `house size=15`, `command line`."""
        if self.kind is Kind.COMMAND_LINE:
            return self.kind.value
        return f"{self.kind.value} {self.label}"

    @property
    def label(self) -> str:
        """The name, and the choice made: `size=15`."""
        return f"{self.name}={self.choice.name}" if self.choice else self.name

    @property
    def is_house(self) -> bool:
        return self.kind is Kind.HOUSE
