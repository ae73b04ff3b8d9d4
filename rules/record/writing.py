"""Writing records: canonical bytes, whole files, and more lines at the end of a file.

`Kept` is the file of a game in progress, for its one writer: what is shown, what is on disk and
what is accepted next agree.
"""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from rules.errors import InputError, RecordError, Refusal
from rules.files import os_reason
from rules.record import disk
from rules.record.jsonl import LineError, dump, parse
from rules.record.model import (
    End,
    Entry,
    Header,
    Note,
    Record,
    check_end,
    check_entry,
    check_header,
)
from rules.record.reading import MAX_LINE, check_amounts, parts_in, read
from rules.record.schema import FREE, VERSION, format_of, keep_key, refuse_key
from rules.record.shapes import ShapeError

_KINDS = {Header: "header", Entry: "entry", Note: "note", End: "end"}


def dumps(record: Record) -> bytes:
    """The canonical bytes of a record. Raises RecordError for a record that could not be read
    again.
    """
    lines = []
    record = replace(record, header=record.header.for_entries(record.entries))
    so_far = Record(record.header, path=record.path)
    for item in record:
        lines.append(_line(record.header, item, record.path))
        if isinstance(item, Entry):
            check_entry(so_far, item)
            # the last entry is enough to tell which ply comes next
            so_far = replace(so_far, entries=(item,))
        elif isinstance(item, End):
            check_end(so_far, item)
    data = "".join(lines).encode("utf-8")
    refuse = partial(RecordError, path=record.path)
    check_amounts(len(lines), len(data), parts_in(data), refuse)
    return data


def write(record: Record, path: Path | str, *, fresh: bool = False) -> None:
    """Writes the whole record. An existing file is replaced in one step; if anything fails, it
    stays as it was.

    Raises RecordError if the record has no canonical bytes, InputError if the file cannot be
    written, or must be `fresh` and is there already.
    """
    data = dumps(record)
    try:
        disk.put(Path(path), data, fresh=fresh)
    except FileExistsError as error:
        raise InputError(f"{path} exists already; name another file") from error
    except OSError as error:
        raise RecordError(_not_written(error), path) from error


def append(path: Path | str, *items: Entry | Note | End) -> None:
    """Adds lines at the end of an existing record, and waits until they are on the disk. The
    `after` of a note is ignored.

    The file is read first. A wrong ply, an unknown seat or a game that has ended raises
    RecordError, and the file stays as it was. A last line that a crash cut off is removed, as
    `read` ignores it; a whole last line without a line feed gets one. The new lines are written in
    one go, so a crash here leaves at most one line that is cut off. A disk that takes a part of
    them only, or cannot sync them, raises RecordError, and none of them is left. A ply with a key
    of a newer minor version than the header's has the whole file written again, with a new header.
    """
    path = Path(path)
    record = read(path)
    header = record.header.for_entries(item for item in items if isinstance(item, Entry))
    is_newer = header != record.header
    lines = []
    for item in items:
        if isinstance(item, Entry):
            record = record.plus(item)
        elif isinstance(item, End):
            record = record.with_end(item)
        else:
            record = record.with_note(item)
        lines.append(_line(header, item, path))
    if is_newer:
        write(replace(record, header=header), path)
        return
    try:
        old = path.read_bytes()
        kept = _kept(old)
        feed = "" if not kept or kept.endswith(b"\n") else "\n"
        new = (feed + "".join(lines)).encode("utf-8")
        check_amounts(
            kept.count(b"\n") + new.count(b"\n"),
            len(kept) + len(new),
            parts_in(kept) + parts_in(new),
            partial(RecordError, path=path),
        )
        disk.extend(path, len(kept), new)
    except OSError as error:
        raise RecordError(_not_written(error), path) from error


def _not_written(error: OSError) -> Refusal:
    why = os_reason(error)
    return Refusal(f"cannot be written: {why}", "not-written", why=why)


def canonical_json(value: Any, kind: str | None = None, game: str | None = None) -> str:
    """The canonical text of a value: no blanks, whole numbers whole, others as the shortest text of
    the float64, -0.0 kept.

    `kind` names a line (`header`, `entry`, `end`, `note`) or a key of a ply or header (`do`, `got`,
    `start`, ...): its keys are then checked and ordered as in the records of `game`. Without
    `game`, or without `kind`, the keys that are a game's own keep their order. Raises InputError
    for a value that JSON cannot hold.
    """
    kinds = (FREE if game is None else format_of(game)).kinds
    try:
        return dump(value if kind is None else kinds[kind](value, kind, refuse_key))
    except (ShapeError, LineError) as error:
        raise InputError(str(error)) from error
    except RecursionError as error:
        raise InputError(f"{kind} contains itself, or is nested too deeply") from error


def _line(header: Header, item: Header | Entry | Note | End, path: Path | None) -> str:
    """One canonical line with its line feed. Raises RecordError for a line that could not be read
    again.
    """
    check = format_of(header.game).kinds[_KINDS[type(item)]]
    if isinstance(item, Header):
        check_header(item, path)
    ply = item.ply if isinstance(item, Entry) else None
    value = item.to_json()
    if not value:
        raise RecordError("a note must have a text or x- keys", path)
    if header.version[0] != VERSION[0]:
        raise RecordError(
            f"version {header.version} cannot be written; this program writes {VERSION[0]}.x", path
        )
    try:
        line = dump(check(value, "", keep_key if header.is_newer else refuse_key)) + "\n"
        # JSON can hold more than is read: deeper lists, longer numbers, a key twice as 1 and "1"
        parse(line)
    except (ShapeError, LineError) as error:
        raise RecordError(str(error), path, ply=ply) from error
    except RecursionError as error:
        raise RecordError(
            "a value contains itself, or is nested too deeply", path, ply=ply
        ) from error
    if len(line.encode("utf-8")) > MAX_LINE:
        raise RecordError(
            f"the line would be longer than {MAX_LINE // 2**20} MiB and could not be read again",
            path,
            ply=ply,
        )
    return line


def _kept(data: bytes) -> bytes:
    """What stays of a file that `read` has read: all, or all up to the last line feed before what
    it dropped.
    """
    if b"\0" in data:
        data = data[: data.rfind(b"\n", 0, data.index(b"\0")) + 1]
    kept = data.rfind(b"\n") + 1
    try:
        parse(data[kept:].decode("utf-8"))
    except (LineError, UnicodeDecodeError):
        return data[:kept]
    return data


# --- the file of a game in progress ---------------------------------------------------------------


class Kept:
    """The file at `path`. `is_ours` says that it holds an earlier state of this game, which may be
    replaced.

    `is_current` says that it holds the game as it is, to which lines can be added. After a line was
    refused it counts as not current: what a disk makes of a file that it could not sync is unknown,
    so a whole new file is written next.
    """

    def __init__(self, path: Path, *, is_ours: bool, is_current: bool) -> None:
        self.path, self.is_ours, self._is_current = path, is_ours, is_current

    def add(self, record: Record, *items: Entry | End) -> None:
        """Keeps `record`, which is what was kept before and these last lines. When it returns, they
        are on the disk.

        Raises InputError if they cannot be written. Then the file is put back as it was, if the
        disk still allows it.
        """
        if not self._is_current:
            self.put(record)
            return
        self._is_current = False
        append(self.path, *items)
        self._is_current = True

    def put(self, record: Record) -> None:
        """Keeps `record` in place of whatever was kept before. Raises InputError, also if the file
        is not ours.

        A failure leaves the old file, so lines can be added to it as before.
        """
        write(record, self.path, fresh=not self.is_ours)
        self.is_ours = self._is_current = True
