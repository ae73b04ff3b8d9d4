"""A box of one's own in games and records: the file with its sizes lies beside the record that
names it.

So a record and its box travel together in one folder, and reading a record never opens a file
elsewhere.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

from rules.errors import InputError
from rules.files import os_reason, read_regular
from rules.game import Game
from rules.record import Record, disk
from rules.record.schema import format_of
from sim.pieces import MAX_FILE

SUFFIX = ".toml"
"""What the name of a box of one's own ends in; a name without it is that of a shipped one."""


def keep_beside(made: Game[Any], folder: Path) -> None:
    """Copies the box of a game, if it is one of somebody's own, into the folder in which its record
    will be.

    Raises InputError if another file of that name is there, or if it cannot be copied.
    """
    named = made.options.get("components")
    if isinstance(named, str) and named.endswith(SUFFIX):
        _copy(Path(named), folder)


def keep_beside_record(record: Record, folder: Path) -> Record:
    """The record as it can be written into a folder: its box is copied there and named without its
    folder; see `keep_beside`.
    """
    named = record.header.components
    if named is None or not named.endswith(SUFFIX):
        return record
    source = Path(record.path or "").parent / named
    _copy(source, folder)
    return replace(record, header=replace(record.header, components=source.name))


def with_box(record: Record, components: str | None) -> Record:
    """The record with the box of an option `--components`, which is for records that name none.

    Raises InputError if the record names its own, or is of a game that has no such thing.
    """
    if components is None:
        return record
    header = record.header
    if "components" not in format_of(header.game).header:
        raise InputError(f"{record.path}: {header.game} has no components; leave --components out")
    if header.components is not None:
        raise InputError(
            f"{record.path}: the record names its own components, {header.components}; leave "
            "--components out, or take "
            "them out of its first line"
        )
    named = str(Path(components).resolve()) if components.endswith(SUFFIX) else components
    return replace(record, header=replace(header, components=named))


def _copy(source: Path, folder: Path) -> None:
    target = folder / source.name
    try:
        if target.exists() and target.samefile(source):
            return
        data = read_regular(source, MAX_FILE)
        if not target.exists():
            disk.put(target, data, fresh=True)
        elif target.read_bytes() != data:
            raise InputError(
                f"{target}: another file of this name is beside the record, and the record names "
                "its components by this name; "
                f"give {source} another name"
            )
    except OSError as error:
        raise InputError(f"{source}: cannot be copied to {folder}: {os_reason(error)}") from error
