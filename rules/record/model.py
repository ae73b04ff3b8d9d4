"""Game records: JSON Lines with a header, one line a ply and an end. Knows no game.

Reading checks the shape of every line (`rules.record.schema`), the order of plies and the seats; what a move means is for its
game.

- A file cut off in its last line, as a crash leaves it, is read up to its last whole line, with a warning; a last line that is
  whole but lacks its line feed is fine. A header that is cut off is an error.
- CRLF line ends and blank lines are read with a warning each; writing gives LF and no blank lines.
- A line may hold 1 MiB (a ply that moves everything on a full table takes a twentieth). Files are read line by line.
- Canonical bytes: `dumps(loads(data)) == data` for every file this module wrote. Keys have the order of `rules.record.schema`,
  `x-` keys come last in the order they were written in; keys spelled out with their default value stay spelled out.

The values of `do`, `got` and the other parts are plain JSON values, never copied: treat them as frozen.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from rules.errors import InputError, RecordError, located
from rules.game import Reason
from rules.record.jsonl import LineError, cut_off, dump, parse, short
from rules.record.schema import END, ENTRY, HEADER, KINDS, NOTE, Check, ShapeError

__all__ = [
    "MAX_LINE",
    "USUAL_TOLERANCE",
    "VERSION",
    "End",
    "Entry",
    "Header",
    "Note",
    "Record",
    "append",
    "canonical_json",
    "dumps",
    "loads",
    "read",
    "write",
]

VERSION = (1, 0)
"""The version of the format that is written: (major, minor)."""

USUAL_TOLERANCE = 3.0
"""mm that the numbers of an observed game may be off if its header does not say."""

MAX_LINE = 2**20
"""Bytes of one line, at most."""

_DEFAULTS: Mapping[str, Any] = {"ruleset": "standard", "options": {}, "observed": False}
_REASONS = tuple(reason.value for reason in Reason)

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Header:
    """Line 1: everything needed to rebuild ply 0.

    A None is a key that is left out; `components` that are left out are those of the rule set. `tolerance` is by how many mm
    the numbers of an observed game may be off. `spelled` names keys that are written although they have their default value;
    it takes no part in comparisons. `extra` holds `x-` keys, and unknown keys of a newer minor version.
    """

    game: str
    players: tuple[str, ...]
    ruleset: str = "standard"
    options: Json = field(default_factory=dict)
    components: str | None = None
    version: tuple[int, int] = VERSION
    physics: Json | None = None
    seed: int | None = None
    date: str | None = None
    source: str | None = None
    start: Json | None = None
    observed: bool = False
    tolerance: float | None = None
    note: str | None = None
    extra: Json = field(default_factory=dict)
    spelled: tuple[str, ...] = field(default=(), compare=False, repr=False)

    @property
    def off_by(self) -> float:
        """By how many mm the numbers of the game may be off: nothing, unless people noted it by hand."""
        if not self.observed:
            return 0.0
        return USUAL_TOLERANCE if self.tolerance is None else float(self.tolerance)

    def to_json(self) -> dict[str, Any]:
        """The line as a plain object."""
        given = {name: getattr(self, name) for name in _HEADER_KEYS}
        kept = {
            name: value
            for name, value in given.items()
            if value is not None and (name not in _DEFAULTS or name in self.spelled or value != _DEFAULTS[name])
        }
        return {"record": "shutoko", "version": list(self.version), **kept, "players": list(self.players), **self.extra}


@dataclass(frozen=True, slots=True)
class Entry:
    """One ply: the move `do` of seat `by`, what came of it (`got`), and what was drawn, claimed, seen and paid.

    `accepted`: in a game noted by hand the ply stands though it is against the rules, as nobody noticed in time.
    A None is a key that is left out. `line` is the 1-based line in the file it was read from.
    """

    ply: int
    by: int
    do: str | Json
    hand: Sequence[Json] | None = None
    got: Json | None = None
    claim: Json | None = None
    observed: Json | None = None
    tries: Sequence[Json] | None = None
    pay: Sequence[Json] | None = None
    accepted: bool | None = None
    note: str | None = None
    extra: Json = field(default_factory=dict)
    line: int | None = field(default=None, compare=False)

    @property
    def taken_back(self) -> bool:
        """Whether this is an illegal move that was taken back: the next entry repeats the ply number."""
        return self.got is not None and self.got.get("legal") is False

    def to_json(self) -> dict[str, Any]:
        """The line as a plain object."""
        given = {name: getattr(self, name) for name in _ENTRY_KEYS}
        return {name: value for name, value in given.items() if value is not None} | dict(self.extra)


@dataclass(frozen=True, slots=True)
class Note:
    """A line of its own with a note, or with `x-` keys only; it stands behind the first `after` entries."""

    note: str | None = None
    after: int = 0
    extra: Json = field(default_factory=dict)
    line: int | None = field(default=None, compare=False)

    def to_json(self) -> dict[str, Any]:
        """The line as a plain object."""
        return ({} if self.note is None else {"note": self.note}) | dict(self.extra)


@dataclass(frozen=True, slots=True)
class End:
    """The last line: seats by rank, best first, ties together, and the reason (a value of `rules.game.Reason`)."""

    ranks: tuple[tuple[int, ...], ...]
    reason: str
    note: str | None = None
    extra: Json = field(default_factory=dict)
    line: int | None = field(default=None, compare=False)

    def to_json(self) -> dict[str, Any]:
        """The line as a plain object."""
        end = {"ranks": [list(group) for group in self.ranks], "reason": str(self.reason)}
        return {"end": end} | ({} if self.note is None else {"note": self.note}) | dict(self.extra)


@dataclass(frozen=True, slots=True, repr=False)
class Record:
    """A whole game, or as much of it as has been played; iterating gives its lines in file order.

    `notes` are in file order. `path` and `warnings` (what reading had to overlook, with file and line) are not compared.
    """

    header: Header
    entries: tuple[Entry, ...] = ()
    end: End | None = None
    notes: tuple[Note, ...] = ()
    path: Path | None = field(default=None, compare=False)
    warnings: tuple[str, ...] = field(default=(), compare=False)

    def __repr__(self) -> str:
        ended = "" if self.end is None else f", {self.end.reason}"
        where = "" if self.path is None else f", {self.path}"
        return f"<Record {self.header.game}, {' against '.join(self.header.players)}, {self.next_ply} plies{ended}{where}>"

    @property
    def next_ply(self) -> int:
        """The ply number that the next entry has."""
        if not self.entries:
            return 0
        last = self.entries[-1]
        return last.ply if last.taken_back else last.ply + 1

    def plus(self, entry: Entry) -> Record:
        """The record with one more entry. Raises RecordError if it is not the next ply, or the game has ended."""
        _check_entry(self, entry)
        return replace(self, entries=(*self.entries, entry))

    def with_note(self, note: Note) -> Record:
        """The record with a note behind its last entry. Raises RecordError if the game has ended."""
        _check_open(self)
        return replace(self, notes=(*self.notes, replace(note, after=len(self.entries))))

    def with_end(self, end: End) -> Record:
        """The record with its end. Raises RecordError if it has one, or if a seat or the reason cannot be."""
        _check_end(self, end)
        return replace(self, end=end)

    def __iter__(self) -> Iterator[Header | Entry | Note | End]:
        """The lines in file order."""
        yield self.header
        notes = list(self.notes)
        for index, entry in enumerate(self.entries):
            while notes and notes[0].after <= index:
                yield notes.pop(0)
            yield entry
        yield from notes
        if self.end is not None:
            yield self.end


_HEADER_KEYS = (
    "game",
    "players",
    "ruleset",
    "options",
    "components",
    "physics",
    "seed",
    "date",
    "source",
    "start",
    "observed",
    "tolerance",
    "note",
)
_ENTRY_KEYS = ("ply", "by", "do", "hand", "got", "claim", "observed", "tries", "pay", "accepted", "note")


def read(path: Path | str) -> Record:
    """The record in that file. Raises RecordError: one message that says which file, line and ply, what is wrong and why."""
    path = Path(path)
    try:
        with path.open("rb") as stream:
            return _read(stream, path)
    except OSError as error:
        raise RecordError(f"cannot be read: {_os_reason(error)}", path) from error


def loads(data: bytes, path: Path | str | None = None) -> Record:
    """The record in these bytes; `path` is only for messages. Raises RecordError."""
    return _read(BytesIO(data), None if path is None else Path(path))


def dumps(record: Record) -> bytes:
    """The canonical bytes of a record. Raises RecordError for a record that could not be read back."""
    lines = []
    so_far = Record(record.header, path=record.path)
    for item in record:
        lines.append(_line(record.header, item, record.path))
        if isinstance(item, Entry):
            _check_entry(so_far, item)
            so_far = replace(so_far, entries=(item,))  # the last one is enough to know the next ply
        elif isinstance(item, End):
            _check_end(so_far, item)
    return "".join(lines).encode("utf-8")


def write(record: Record, path: Path | str) -> None:
    """Writes the whole record, all or nothing: a file of that name is replaced at once and stays as it was if anything fails.

    Raises RecordError if the record cannot be written as canonical bytes, InputError if the file cannot be written.
    """
    data = dumps(record)
    target = Path(path).resolve()
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    try:
        try:
            with temporary.open("xb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {_os_reason(error)}") from error


def append(path: Path | str, item: Entry | Note | End) -> None:
    """Adds one line at the end of an existing record, and waits until it is on the disk. (The `after` of a note is not used.)

    The file is read first, so a wrong ply, a seat that is not there or a game that has ended is refused and the file stays as
    it was. After a crash the last line may be cut off: it was never a ply, so it is dropped, as `read` drops it, before the new
    line is written; a last whole line that lacks its line feed gets one. The new line is written in one go, so a crash here
    leaves at most one line that is cut off. Raises RecordError.
    """
    path = Path(path)
    record = read(path)
    if isinstance(item, Entry):
        _check_entry(record, item)
    elif isinstance(item, End):
        _check_end(record, item)
    else:
        _check_open(record)
    line = _line(record.header, item, path).encode("utf-8")
    try:
        with path.open("r+b") as stream:
            stream.seek(_whole_length(stream))
            stream.truncate()
            if stream.tell() and not _ends_with_line_feed(stream):
                line = b"\n" + line
            stream.write(line)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        raise RecordError(f"cannot be written: {_os_reason(error)}", path) from error


def canonical_json(value: Any, kind: str | None = None) -> str:
    """The canonical text of a value: no blanks, whole numbers whole, others as the shortest text of the float64, -0.0 kept.

    `kind` is a named part of a record (`do`, `got`, `hand`, `start`, ..., see `rules.record.schema.KINDS`): its keys are then
    checked and put in the order of the format. Without it keys keep the order they have. Raises InputError for what no record
    can hold.
    """
    try:
        return dump(value if kind is None else KINDS[kind](value, kind, _refuse_key))
    except (ShapeError, LineError) as error:
        raise InputError(str(error)) from error
    except RecursionError as error:
        raise InputError(f"{kind} contains itself, or is nested too deeply") from error


def _read(stream: BinaryIO, path: Path | None) -> Record:
    reading = _Reading(path)
    # no further into a line than it takes to see that it is too long
    for number, raw in enumerate(iter(lambda: stream.readline(MAX_LINE + 1), b""), 1):
        reading.take(number, raw)
    return reading.done()


class _Reading:
    """What has been read so far; it knows which line may come next."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.header: Header | None = None
        self.entries: list[Entry] = []
        self.notes: list[Note] = []
        self.end: End | None = None
        self.warnings: list[str] = []
        self.seen_crlf = False
        self.seen_unknown: set[str] = set()

    def take(self, number: int, raw: bytes) -> None:
        """One line of the file, with its line feed if it has one."""
        if len(raw) > MAX_LINE:
            raise self.error(f"the line is longer than {MAX_LINE // 2**20} MiB; no ply needs a tenth of that", number)
        if raw.endswith(b"\r\n") and not self.seen_crlf:
            self.seen_crlf = True
            self.warn("lines end in CRLF; read as if in LF", number)
        if not raw.strip():
            if self.header is None:
                raise RecordError("the line is blank; the header must be line 1", self.path, number)
            self.warn("the line is blank; skipped", number)
            return
        value = self.value(number, raw)
        if value is None:
            return
        if not isinstance(value, dict):
            raise self.error('a line must be an object, like {"ply":0,...}', number)
        if self.header is None:
            self.header = self.take_header(value, number)
        else:
            self.take_line(self.header, value, number)

    def value(self, number: int, raw: bytes) -> Any:
        """The JSON of one line; None, with a warning, if it is the last and cut off."""
        last = not raw.endswith(b"\n")
        if number == 1 and raw.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
            raise RecordError("the file begins with a byte order mark; save it as UTF-8 without one", self.path, 1)
        try:
            text = raw.decode("utf-8").rstrip("\r\n")
        except UnicodeDecodeError as error:
            if not (last and error.reason == "unexpected end of data"):
                raise self.error(
                    f"not UTF-8: byte 0x{raw[error.start]:02x} at byte {error.start + 1} of the line", number
                ) from None
            text = raw[: error.start].decode("utf-8")
        try:
            return parse(text)
        except LineError as error:
            if not (last and cut_off(text)):
                raise self.error(str(error), number) from None
        if self.header is None:
            raise RecordError("the header is cut off, so there is no game to read", self.path, number)
        self.warn("the last line is cut off and was dropped", number)
        return None

    def take_header(self, value: dict[str, Any], number: int) -> Header:
        """Line 1. The version is looked at before anything else, as another one may have other keys."""
        if value.get("record") != "shutoko":
            raise RecordError('the first line is no header: it must hold "record":"shutoko"', self.path, number)
        match value.get("version"):
            case [int(major), *rest] if major != VERSION[0] and not isinstance(major, bool):
                found = ".".join(short(str(part))[1:-1] for part in (major, *rest[:1]))
                raise RecordError(
                    f"version {found} of the format cannot be read; this program reads version {VERSION[0]}.{VERSION[1]} and "
                    f"later ones of {VERSION[0]}",
                    self.path,
                    number,
                )
            case [_, int(minor)]:
                lenient = minor > VERSION[1]
            case _:
                lenient = False
        header = _header(self.shaped(HEADER, value, number, lenient))
        _check_header(header, self.path, number)
        return header

    def take_line(self, header: Header, value: dict[str, Any], number: int) -> None:
        """Any line but the first."""
        if self.end is not None:
            raise RecordError(f"a line after the end of the game, which is line {self.end.line}", self.path, number)
        if not value:
            raise self.error("the line is an empty object", number)
        if "record" in value and "ply" not in value:
            raise self.error("a second header; one file holds one game", number)
        lenient = _is_newer(header)
        so_far = Record(header, tuple(self.entries[-1:]), path=self.path)
        if "end" in value:
            self.end = _end(self.shaped(END, value, number, lenient), number)
            _check_end(so_far, self.end)
        elif _is_note(value, lenient):
            self.notes.append(_note(self.shaped(NOTE, value, number, lenient), len(self.entries), number))
        else:
            entry = _entry(self.shaped(ENTRY, value, number, lenient), number)
            _check_entry(so_far, entry)
            self.entries.append(entry)

    def shaped(self, check: Check, value: dict[str, Any], number: int, lenient: bool) -> dict[str, Any]:
        """The line with its keys checked and in order."""

        def unknown(place: str) -> None:
            if not lenient:
                _refuse_key(place)
            if place not in self.seen_unknown:
                self.seen_unknown.add(place)
                self.warn(f"the key {place} is not known to version {VERSION[0]}.{VERSION[1]}; kept, not interpreted", number)

        try:
            shaped: dict[str, Any] = check(value, "", unknown)
        except ShapeError as error:
            raise self.error(str(error), number) from None
        return shaped

    def done(self) -> Record:
        """The record, when all lines were taken."""
        if self.header is None:
            raise RecordError("the file is empty; a record begins with a header line", self.path)
        return Record(self.header, tuple(self.entries), self.end, tuple(self.notes), self.path, tuple(self.warnings))

    def error(self, reason: str, number: int) -> RecordError:
        """The error at that line; past the header it names the ply that is due."""
        if self.header is None:
            return RecordError(reason, self.path, number)
        return RecordError(reason, self.path, number, Record(self.header, tuple(self.entries[-1:])).next_ply)

    def warn(self, reason: str, number: int) -> None:
        """Notes what is overlooked at that line."""
        self.warnings.append(located(reason, self.path, number))


def _header(value: dict[str, Any]) -> Header:
    known = {name: value[name] for name in _HEADER_KEYS if name in value}
    known |= {"players": tuple(value["players"]), "version": (value["version"][0], value["version"][1])}
    spelled = tuple(name for name, default in _DEFAULTS.items() if name in value and value[name] == default)
    return Header(**known, extra=_extra(value, ("record", "version", *_HEADER_KEYS)), spelled=spelled)


def _entry(value: dict[str, Any], number: int) -> Entry:
    known = {name: value[name] for name in _ENTRY_KEYS if name in value}
    return Entry(**known, extra=_extra(value, _ENTRY_KEYS), line=number)


def _note(value: dict[str, Any], after: int, number: int) -> Note:
    return Note(value.get("note"), after, _extra(value, ("note",)), number)


def _end(value: dict[str, Any], number: int) -> End:
    ranks = tuple(tuple(group) for group in value["end"]["ranks"])
    return End(ranks, value["end"]["reason"], value.get("note"), _extra(value, ("end", "note")), number)


def _extra(value: dict[str, Any], known: tuple[str, ...]) -> dict[str, Any]:
    return {key: one for key, one in value.items() if key not in known}


def _is_note(value: dict[str, Any], lenient: bool) -> bool:
    """Notes and `x-` keys only; in a newer minor version also a line of a kind that is not known here."""
    if lenient and not {"ply", "by", "do"} & value.keys():
        return True
    return all(key == "note" or key.startswith("x-") for key in value)


def _is_newer(header: Header) -> bool:
    return header.version[1] > VERSION[1]


def _line(header: Header, item: Header | Entry | Note | End, path: Path | None) -> str:
    """One canonical line with its line feed; what could not be read back is refused."""
    check = {Header: HEADER, Entry: ENTRY, Note: NOTE, End: END}[type(item)]
    if isinstance(item, Header):
        _check_header(item, path)
    ply = item.ply if isinstance(item, Entry) else None
    value = item.to_json()
    if not value:
        raise RecordError("a note must have a text or x- keys", path)
    if header.version[0] != VERSION[0]:
        raise RecordError(f"version {header.version} cannot be written; this program writes {VERSION[0]}.x", path)
    try:
        return dump(check(value, "", _keep_key if _is_newer(header) else _refuse_key)) + "\n"
    except (ShapeError, LineError) as error:
        raise RecordError(str(error), path, ply=ply) from error
    except RecursionError as error:
        raise RecordError("a value contains itself, or is nested too deeply", path, ply=ply) from error


def _refuse_key(place: str) -> None:
    raise ShapeError(f"the key {place} is not known in version {VERSION[0]}.{VERSION[1]}; keys of your own start with x-")


def _keep_key(place: str) -> None:
    """Keys of a newer minor version are written back as they were read."""


def _check_open(record: Record) -> None:
    if record.end is not None:
        raise RecordError("the game has ended; nothing can follow its end line", record.path, record.end.line)


def _check_header(header: Header, path: Path | None, line: int | None = None) -> None:
    if header.tolerance is not None and not header.observed:
        raise RecordError(
            'tolerance is for games noted by hand, the numbers of all others are exact: add "observed":true, or leave it out',
            path,
            line,
        )


def _check_entry(record: Record, entry: Entry) -> None:
    _check_open(record)
    due, seats = record.next_ply, len(record.header.players)
    if entry.ply != due:
        raise RecordError(
            f"the line says ply {short(str(entry.ply))[1:-1]} where ply {due} is due; plies count from 0, and only the next "
            "try of a move taken back (got.legal false) repeats its number",
            record.path,
            entry.line,
            due,
        )
    if entry.accepted and not record.header.observed:
        reason = 'accepted is for games noted by hand ("observed":true in the header); here an illegal ply is taken back'
        raise RecordError(reason, record.path, entry.line, due)
    if entry.accepted and entry.taken_back:
        reason = "accepted says that the ply stands, got.legal false that it was taken back; leave one of them out"
        raise RecordError(reason, record.path, entry.line, due)
    if not 0 <= entry.by < seats:
        raise RecordError(f"by is {entry.by}, but the seats are 0 to {seats - 1}", record.path, entry.line, due)


def _check_end(record: Record, end: End) -> None:
    _check_open(record)
    seats = len(record.header.players)
    named = [seat for group in end.ranks for seat in group]
    if len(set(named)) != len(named) or not all(0 <= seat < seats for seat in named):
        raise RecordError(f"end.ranks must name the seats 0 to {seats - 1}, each once at most", record.path, end.line)
    if end.reason not in _REASONS and not _is_newer(record.header):
        raise RecordError(f"end.reason {short(end.reason)} is none of {', '.join(_REASONS)}", record.path, end.line)


def _whole_length(stream: BinaryIO) -> int:
    """How many bytes of the file to keep: all of it, or up to the last line feed if what follows is cut off."""
    stream.seek(0)
    data = stream.read()
    kept = data.rfind(b"\n") + 1
    try:
        parse(data[kept:].decode("utf-8"))
    except (LineError, UnicodeDecodeError):
        return kept
    return len(data)


def _ends_with_line_feed(stream: BinaryIO) -> bool:
    stream.seek(-1, os.SEEK_CUR)
    return stream.read(1) == b"\n"


def _os_reason(error: OSError) -> str:
    return error.strerror or str(error)
