"""Finds files: those shipped with the compiler by name, others by path.

A path that a person gives leads anywhere. A path that stands in a file leads only into the folder
of that file and below, so that checking a stranger's file reads nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from importlib.resources.abc import Traversable
from pathlib import Path, PurePosixPath, PureWindowsPath

from meldc.assets import data_root
from meldc.diagnostics import CompileError, did_you_mean, error, suggest
from meldc.source import Span
from meldc_runtime.light import dataclass

MOST_NAMES_TOLD = 10
_ENDINGS = (".yaml", ".yml", ".rules", ".json")


class Kind(Enum):
    """What is looked for: the word for it, the folders of the shipped ones, their ending."""

    VARIANT = ("game", ("variants",), ".yaml")
    HOUSE = ("house rule", ("house-rules",), ".yaml")
    MACHINE = ("machine", ("machines",), ".rules")
    PART = ("part", ("parts", "machines"), ".rules")

    def __init__(self, noun: str, folders: tuple[str, ...], ending: str) -> None:
        self.noun = noun
        self.folders = folders
        self.ending = ending


@dataclass(frozen=True, slots=True)
class Place:
    """A file to read: what it is called in messages, and where it is."""

    shown: str
    file: Traversable


def shipped(kind: Kind) -> dict[str, Place]:
    """The shipped files of a kind by name, in alphabetical order."""
    return dict(sorted(_shipped_files(kind), key=lambda named: named[0]))


def shipped_variants() -> tuple[str, ...]:
    """The names of the shipped variants."""
    return tuple(shipped(Kind.VARIANT))


def shipped_houses() -> tuple[str, ...]:
    """The names of the shipped house rules."""
    return tuple(shipped(Kind.HOUSE))


def part_with(setting: str) -> str:
    """The shipped part that declares a setting; empty if there is none."""
    declared = re.compile(rf"^setting {re.escape(setting)}\b", re.MULTILINE)
    for name, place in shipped(Kind.PART).items():
        if declared.search(place.file.read_text(encoding="utf-8")):
            return name
    return ""


def is_path(reference: str) -> bool:
    """Whether a reference is a path rather than the name of something shipped."""
    return "/" in reference or "\\" in reference or reference.endswith(_ENDINGS)


def find(
    kind: Kind, reference: str, *, named_by: Place | None = None, span: Span | None = None
) -> Place:
    """The file a reference means; `CompileError` where there is none or it may not be read.

    `named_by` is the file in which the reference stands, at `span`; without it the reference
    comes from a person and its paths start at the current folder.
    """
    if is_path(reference):
        return _find_path(reference, named_by, span)
    place = shipped(kind).get(reference)
    if place is not None:
        return place
    neighbour = f"{reference}{kind.ending}"
    beside = _folder_of(named_by) if named_by else Path()
    if beside and _is_file(beside / neighbour):
        help_: tuple[str, ...] = (f"for the file beside this one write `{neighbour}`",)
    else:
        help_ = (
            _near_beside(kind, reference, beside)
            or _of_another_kind(kind, reference)
            or _near_names(kind, reference)
        )
    raise CompileError(
        [error("MC0103", f"no {kind.noun} is called `{reference}`", span, help=help_)]
    )


def _shipped_files(kind: Kind) -> Iterator[tuple[str, Place]]:
    specs = data_root("specs")
    for folder in reversed(kind.folders):  # the first folder wins
        directory = specs / folder
        if not directory.is_dir():
            continue
        for file in directory.iterdir():
            if file.name.endswith(kind.ending):
                name = file.name.removesuffix(kind.ending)
                yield name, Place(f"specs/{folder}/{file.name}", file)


def _of_another_kind(kind: Kind, reference: str) -> tuple[str, ...]:
    for other in Kind:
        if reference in shipped(other):
            return (f"`{reference}` is a {other.noun}, and a {kind.noun} is needed here",)
    return ()


def _near_beside(kind: Kind, reference: str, beside: Path | None) -> tuple[str, ...]:
    """A file beside the one that names it, of nearly this name and nearer than what ships."""
    if not beside or did_you_mean(reference, shipped(kind)):
        return ()
    files = _files_beside(beside / f"{reference}{kind.ending}")
    names = [each.name.removesuffix(kind.ending) for each in files if each.suffix == kind.ending]
    near = suggest(reference, names)
    return (f"for the file beside this one write `{near[0]}{kind.ending}`",) if near else ()


def _near_names(kind: Kind, reference: str) -> tuple[str, ...]:
    names = shipped(kind)
    near = did_you_mean(reference, names)
    if near or len(names) > MOST_NAMES_TOLD:
        return near or ("`meldc list` shows the names",)
    return (f"there are {', '.join(f'`{name}`' for name in names)}",) if names else ()


def _find_path(reference: str, named_by: Place | None, span: Span | None) -> Place:
    if named_by is None:
        path, shown = Path(reference), reference
    else:
        path, shown = _path_within(reference, named_by, span)
    if _is_file(path):
        return Place(shown, path)
    message = f"`{shown}` is a folder" if _is_folder(path) else f"there is no file `{shown}`"
    others = [each.name for each in _files_beside(path) if each.suffix == path.suffix]
    raise CompileError([error("MC0101", message, span, help=did_you_mean(path.name, others))])


def _path_within(reference: str, named_by: Place, span: Span | None) -> tuple[Path, str]:
    """The path a file names, and how it is shown; refused where it leads out of its folder."""
    folder = _folder_of(named_by)
    windows = PureWindowsPath(reference)
    why = ""
    if "\\" in reference or windows.drive:
        why = "paths are written with `/`, and start at the folder of the file that names them"
    elif PurePosixPath(reference).is_absolute():
        why = "a path in a file starts at the folder of that file"
    elif ".." in PurePosixPath(reference).parts:
        why = "`..` leads out of the folder of the file that names it"
    elif folder is None or not _stays_within(folder / reference, folder):
        why = "a link leads out of the folder of the file that names it"
    if why or folder is None:
        message = f"the path `{reference}` leads out of its folder"
        cure = "put the file into this folder or below it"
        raise CompileError([error("MC0104", message, span, why, help=[cure])])
    return folder / reference, str(PurePosixPath(named_by.shown).parent / reference)


def _folder_of(place: Place) -> Path | None:
    return place.file.parent if isinstance(place.file, Path) else None


def _stays_within(path: Path, folder: Path) -> bool:
    """Whether a path, its links followed, is in the folder or among the shipped files."""
    specs = data_root("specs")
    try:
        target = path.resolve()
        roots = [folder.resolve(), *([specs.resolve()] if isinstance(specs, Path) else [])]
    except (OSError, RuntimeError, ValueError):
        return False
    return any(target.is_relative_to(root) for root in roots)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def _files_beside(path: Path) -> list[Path]:
    try:
        return sorted(path.parent.iterdir())[:1000]
    except (OSError, ValueError):
        return []
