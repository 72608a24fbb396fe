"""Data classes that cost little until they are used.

A program loads a hundred classes of nodes, and the standard decorator writes and compiles up to
eight methods for each of them. This one has the same meaning and makes real data classes (`fields`,
`replace`, patterns and pickling work), but a method is written when it is first called. Only what
is in use here is there.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

Written = tuple[str, dict[str, Any]]
"""The text of a method and the names it needs."""


def light(
    *, frozen: bool = False, slots: bool = False, eq: bool = True
) -> Callable[[type], type[Any]]:
    """As `dataclasses.dataclass`; imported by the name `dataclass`, so that type checkers take it
    for that one.
    """

    def decorate(plain: type) -> type[Any]:
        if plain.__doc__ is None:
            plain.__doc__ = ""  # or the standard decorator spells out the signature
        cls: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(plain)
        if hasattr(cls, "__post_init__") or not all(
            each.init and not each.kw_only for each in dataclasses.fields(cls)
        ):
            raise TypeError(f"{plain.__name__} needs `dataclasses.dataclass`: more than is here")
        cls.__init__ = _first(cls, "__init__", _init)
        cls.__repr__ = _repr
        if eq:
            cls.__eq__ = _first(cls, "__eq__", _eq)
            cls.__hash__ = None
        if frozen:
            if eq:
                cls.__hash__ = _first(cls, "__hash__", _hash)
            cls.__setattr__ = cls.__delattr__ = _refuse
            if slots:
                cls.__reduce__ = _reduce
        return cls  # type: ignore[no-any-return]

    return decorate


if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    dataclass = light


def _first(cls: Any, name: str, write: Callable[[Any], Written]) -> Callable[..., Any]:
    """A method that puts the real one in its place when it is called."""

    def first(self: Any, *args: Any, **named: Any) -> Any:
        text, names = write(cls)
        exec(text, names)
        method = names[name]
        method.__qualname__ = f"{cls.__qualname__}.{name}"
        setattr(cls, name, method)
        return method(self, *args, **named)

    first.__name__ = name
    return first


def _init(cls: Any) -> Written:
    names: dict[str, Any] = {}
    head, body = ["self"], []
    for field in dataclasses.fields(cls):
        name = value = field.name
        parameter = name
        if field.default is not dataclasses.MISSING:
            names[f"_default_{name}"] = field.default
            parameter = f"{name}=_default_{name}"
        elif field.default_factory is not dataclasses.MISSING:
            names[f"_make_{name}"] = field.default_factory
            parameter = f"{name}=_make_{name}"
            value = f"_make_{name}() if {name} is _make_{name} else {name}"
        head.append(parameter)
        slot: Any = getattr(cls, name, None)
        if hasattr(slot, "__set__"):  # quicker than `object.__setattr__`
            names[f"_set_{name}"] = slot.__set__
            body.append(f"    _set_{name}(self, {value})")
        else:
            body.append(f"    self.__dict__[{name!r}] = {value}")
    return "\n".join([f"def __init__({', '.join(head)}):", *(body or ["    pass"])]), names


def _eq(cls: Any) -> Written:
    return (
        "def __eq__(self, other):\n"
        "    if other.__class__ is not self.__class__:\n"
        "        return NotImplemented\n"
        f"    return {_contents(cls, 'self')} == {_contents(cls, 'other')}"
    ), {}


def _hash(cls: Any) -> Written:
    return f"def __hash__(self):\n    return hash({_contents(cls, 'self')})", {}


def _contents(cls: Any, owner: str) -> str:
    return "(" + "".join(f"{owner}.{field.name}, " for field in dataclasses.fields(cls)) + ")"


def _repr(self: Any) -> str:
    shown = (f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self))
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _reduce(self: Any) -> tuple[type, tuple[Any, ...]]:
    return type(self), tuple(getattr(self, field.name) for field in dataclasses.fields(self))


def _refuse(self: Any, name: str, value: Any = None) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot change field {name!r}")


__all__ = ["dataclass"]
