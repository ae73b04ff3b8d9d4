"""Games as other programs keep them: reading them as records, and writing records for them.

A package offers a format by an entry point in the group `shutoko.importers`, named after the
format: `ludii = "rules.grid.ludii:FORMAT"`. The object is a `ForeignFormat`. `shutoko import` and
`shutoko export` find it there.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from rules.errors import IllegalMoveError, InputError, RecordError
from rules.game import loaded
from rules.near import gone
from rules.record.model import Record

GROUP = "shutoko.importers"
"""The entry point group in which formats are found."""


@dataclass(frozen=True, slots=True)
class ForeignFormat:
    """How another program keeps a game in a text.

    `title` is its name for people, `suffix` what the names of its files end in. `fits` tells at a
    glance whether a text may be such a game. `read` makes a record of a text; its keywords are the
    options of reading, for what the text does not tell. `write` makes a text of a record, None if
    nobody can. `split` takes a text of several games apart into texts of one each. All raise
    InputError, and `read` and `write` RecordError, which names the ply.
    """

    title: str
    suffix: str
    fits: Callable[[str], bool]
    read: Callable[..., Record]
    write: Callable[[Record], str] | None = None
    split: Callable[[str], Sequence[str]] = lambda text: (text,)


def known_formats() -> tuple[str, ...]:
    """The names of the formats that are installed, sorted."""
    return tuple(sorted(_points()))


def foreign(name: str) -> ForeignFormat:
    """The format of that name.

    Raises InputError for an unknown one; the message lists the known ones. Raises UnavailableError
    if it is installed but its module cannot be imported.
    """
    points = _points()
    if name not in points:
        raise InputError(
            f"{name!r} is not a format; known formats: {_listed()}{gone('format', name)}"
        )
    found: ForeignFormat = loaded(points[name], f"the format {name!r} is installed")
    return found


def recognised(text: str) -> str:
    """The name of the format that a text is in. Raises InputError if none fits, or more than
    one.
    """
    fitting = [name for name in known_formats() if foreign(name).fits(text)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise InputError(f"this may be a game of {' or '.join(fitting)}: say which it is")
    raise InputError(f"this is a game in no known format; known formats: {_listed()}")


def import_game(text: str, name: str, options: Mapping[str, Any] | None = None) -> Record:
    """The record of a game in a format. Raises InputError for an option that the format does not
    have as well.
    """
    read = foreign(name).read
    _, *known = inspect.signature(read).parameters
    given = dict(options or {})
    for option in given:
        if option not in known:
            there = ", ".join(known) or "none"
            raise InputError(f"the format {name} has no option {option!r}; options: {there}")
    try:
        return read(text, **given)
    except IllegalMoveError as error:
        raise RecordError(str(error)) from error


def export_game(record: Record, name: str) -> str:
    """The text of a record in a format. Raises InputError for a format that is only read as
    well.
    """
    write = foreign(name).write
    if write is None:
        raise InputError(f"games of the format {name} can be read, but not written")
    try:
        return write(record)
    except IllegalMoveError as error:
        raise RecordError(str(error)) from error


def format_of_suffix(suffix: str) -> str | None:
    """The name of the one format that can be written and whose files end in that; None if there is
    not one.
    """
    found = [
        name
        for name in known_formats()
        if foreign(name).suffix == suffix.lower() and foreign(name).write is not None
    ]
    return found[0] if len(found) == 1 else None


def _points() -> dict[str, EntryPoint]:
    return {point.name: point for point in reversed(tuple(entry_points(group=GROUP)))}


def _listed() -> str:
    return ", ".join(known_formats()) or "none"
