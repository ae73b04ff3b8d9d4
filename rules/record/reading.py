"""Reading records: each line is checked on its own, then against the lines before it.

- A file cut off in its last line, as a crash leaves it, is read up to its last whole line, with a
  warning. A last line that is whole but lacks its line feed is fine. A header that is cut off is an
  error.
- A power cut may leave NUL bytes where a block of the last write should be. The lines that hold
  them are dropped with a warning, and so is the end of the game after them: a ply and the end are
  one write. Before anything else they are an error.
- CRLF line ends and blank lines are read with one warning each.
- Files are read line by line, and not beyond the limits below: reading takes time and memory in
  proportion to the file, and no file can make it take long.
"""

import re
from codecs import BOM_UTF8
from collections.abc import Callable, Mapping
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from rules.errors import RecordError, Refusal, located
from rules.files import open_regular, os_reason
from rules.record.jsonl import LineError, cut_off, parse, short
from rules.record.model import (
    DEFAULTS,
    End,
    Entry,
    Header,
    Note,
    Record,
    check_end,
    check_entry,
    check_header,
    nonsense,
)
from rules.record.schema import (
    ENTRY_KEYS,
    HEADER_KEYS,
    USUAL_VERSION,
    VERSION,
    format_of,
    refuse_key,
)
from rules.record.shapes import Check, ShapeError

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")

MAX_LINE = 2**20
"""Bytes of one line, at most; a ply that moves everything on a full table takes a twentieth of
that.
"""

MAX_FILE = 16 * 2**20
"""Bytes of a record, at most; the games that are shipped have 30 kB."""

MAX_LINES = 100_000
"""Lines of a record, at most, blank ones counted; the games that are shipped have 40."""

MAX_PARTS = 500_000
"""Lists and objects in a record, at most: an empty one takes thirty times as much memory as it
takes room in the file.
"""

MAX_WARNINGS = 10
"""The warnings of a record that are reported one by one; one more gives the number of the others.
"""


def read(path: Path | str) -> Record:
    """The record in that file.

    Raises RecordError; its message names file, line and ply, and says what is wrong. Raises
    UnavailableError if the game of the record registers a format that cannot be loaded.
    """
    path = Path(path)
    try:
        with open_regular(path) as stream:
            return _read(stream, path)
    except OSError as error:
        why = os_reason(error)
        raise RecordError(Refusal(f"cannot be read: {why}", "not-read", why=why), path) from error


def loads(data: bytes, path: Path | str | None = None) -> Record:
    """The record in these bytes. Messages name `path`, but nothing is read from it. Raises what
    `read` raises.
    """
    return _read(BytesIO(data), None if path is None else Path(path))


def check_amounts(lines: int, size: int, parts: int, refuse: Callable[[str], RecordError]) -> None:
    """Raises what `refuse` makes of the reason, if a record of so many lines, bytes, lists and
    objects is not read.
    """
    for amount, most, held in (
        (lines, MAX_LINES, f"{MAX_LINES} lines"),
        (size, MAX_FILE, f"{MAX_FILE // 2**20} MiB"),
        (parts, MAX_PARTS, f"{MAX_PARTS} lists and objects"),
    ):
        if amount > most:
            raise refuse(f"the record holds more than {held}; no game needs a tenth of that")


def parts_in(raw: bytes) -> int:
    """How many lists and objects begin in these bytes; brackets within texts are counted, too."""
    return raw.count(b"{") + raw.count(b"[")


def _read(stream: BinaryIO, path: Path | None) -> Record:
    reading = _Reading(path)
    # one byte beyond the limit shows that a line is too long; the rest of it is never read
    for number, raw in enumerate(iter(lambda: stream.readline(MAX_LINE + 1), b""), 1):
        reading.take(number, raw)
    return reading.done()


class _Reading:
    """What has been read so far, and which line may come next."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.header: Header | None = None
        self.kinds: Mapping[str, Check] = {}
        self.entries: list[Entry] = []
        self.notes: list[Note] = []
        self.end: End | None = None
        self.warnings: list[str] = []
        self.untold = 0  # warnings beyond the limit
        self.first_blank = self.blanks = 0
        self.bytes = self.parts = 0
        self.torn = 0  # the first line with NUL bytes
        self.seen_crlf = False
        self.seen_unknown: set[str] = set()

    def take(self, number: int, raw: bytes) -> None:
        """Takes in one line of the file, with its line feed if it has one."""
        self.check_limits(number, raw)
        if raw.endswith(b"\r\n") and not self.seen_crlf:
            self.seen_crlf = True
            self.warn("lines end in CRLF; read as if in LF", number)
        if not raw.strip():
            if self.header is None:
                raise RecordError("the line is blank; the header must be line 1", self.path, number)
            self.first_blank = self.first_blank or number
            self.blanks += 1
            return
        if b"\0" in raw and self.header is not None:  # JSON has none
            self.torn = self.torn or number
            return
        value = self.value(number, raw)
        if value is None:
            return
        if self.torn and not (isinstance(value, dict) and "end" in value):
            self.refuse_torn(number)
        if self.torn:
            return
        if not isinstance(value, dict):
            raise self.error('a line must be an object, like {"ply":0,...}', number)
        if self.header is None:
            self.header = self.take_header(value, number)
        else:
            self.take_line(self.header, value, number)

    def check_limits(self, number: int, raw: bytes) -> None:
        """Raises RecordError if the line is too long, or if the record becomes too long with it."""
        self.bytes += len(raw)
        self.parts += parts_in(raw)
        if len(raw) > MAX_LINE:
            raise self.error(
                f"the line is longer than {MAX_LINE // 2**20} MiB; no ply needs a tenth of that",
                number,
            )
        check_amounts(number, self.bytes, self.parts, partial(self.error, number=number))

    def refuse_torn(self, number: int) -> NoReturn:
        """Refuses NUL bytes with more of the game after them: that is no write that broke off, and
        plies would be lost.
        """
        last = self.torn - 1
        raise self.error(
            "the line holds NUL bytes, as a damaged disk leaves them, and the game goes on in "
            f"line {number}; lines 1 to "
            f"{last} are whole: put the file back from a copy, or keep these lines (head -n "
            f"{last}) and play on from there",
            self.torn,
        )

    def value(self, number: int, raw: bytes) -> Any:
        """The value of one line. The last line may be cut off: it then gives None and a warning."""
        last = not raw.endswith(b"\n")
        if number == 1 and raw.startswith((b"\xff\xfe", b"\xfe\xff")):
            reason = Refusal("the file is UTF-16; save it as UTF-8", "not-utf8")
            raise RecordError(reason, self.path, 1)
        if number == 1 and raw.startswith(BOM_UTF8):
            raw = raw.removeprefix(BOM_UTF8)
            self.warn("the file begins with a byte order mark, which was skipped", 1)
        try:
            text = raw.decode("utf-8").rstrip("\r\n")
        except UnicodeDecodeError as error:
            if not (last and error.reason == "unexpected end of data"):
                told = (
                    f"not UTF-8: byte 0x{raw[error.start]:02x} at byte {error.start + 1} of the "
                    "line"
                )
                raise self.error(told + self.way_on(number), number) from None
            text = raw[: error.start].decode("utf-8")
        try:
            return parse(text)
        except LineError as error:
            if not (last and cut_off(text)):
                way_on = self.way_on(number) if _CONTROL.search(text) else ""
                reason = error.args[0]  # a Refusal stays one where nothing is added to it
                raise self.error(reason + way_on if way_on else reason, number) from None
        if self.header is None:
            told = "the header is cut off, so there is no game to read"
            raise RecordError(Refusal(told, "header-cut-off"), self.path, number)
        self.warn("the last line is cut off and was dropped", number)
        return None

    def way_on(self, number: int) -> str:
        """What to do about a line that no program wrote so."""
        return (
            ""
            if number == 1
            else f"; if a crash left this, keep the lines before it: head -n {number - 1}"
        )

    def take_header(self, value: dict[str, Any], number: int) -> Header:
        """The header in line 1. Its version is checked first, because another version may have
        other keys.
        """
        if value.get("record") != "shutoko":
            raise RecordError(
                'the first line is no header: it must hold "record":"shutoko"', self.path, number
            )
        match value.get("version"):
            case [int(major), *rest] if major != VERSION[0] and not isinstance(major, bool):
                found = ".".join(short(str(part))[1:-1] for part in (major, *rest[:1]))
                raise RecordError(
                    f"version {found} of the format cannot be read; this program reads version "
                    f"{USUAL_VERSION[0]}.{USUAL_VERSION[1]} and "
                    f"later ones of {VERSION[0]}",
                    self.path,
                    number,
                )
            case [_, int(minor)]:
                lenient = minor > VERSION[1]
            case _:
                lenient = False
        game = value.get("game")
        self.kinds = format_of(game if isinstance(game, str) else "").kinds
        header = _header(self.shaped("header", value, number, lenient))
        check_header(header, self.path, number)
        return header

    def take_line(self, header: Header, value: dict[str, Any], number: int) -> None:
        """Takes in any line after the header."""
        if self.end is not None:
            raise RecordError(
                f"a line after the end of the game, which is line {self.end.line}",
                self.path,
                number,
            )
        if not value:
            raise self.error("the line is an empty object", number)
        if "record" in value and "ply" not in value:
            raise self.error("a second header; one file holds one game", number)
        lenient = header.is_newer
        if "end" in value:
            self.end = _end(self.shaped("end", value, number, lenient), number)
            check_end(self.so_far(header), self.end)
        elif _is_note(value, lenient):
            shaped = self.shaped("note", value, number, lenient)
            extra = _extra(shaped, ("note",))
            self.notes.append(Note(shaped.get("note"), len(self.entries), extra, number))
        else:
            shaped = self.shaped("entry", value, number, lenient)
            minor, key = format_of(header.game).newest(shaped)
            if minor > header.version[1]:
                major, had = header.version
                raise self.error(
                    f"the key {key} is one of version {major}.{minor}, but the header says "
                    f'{major}.{had}: write "version":[{major},{minor}] there',
                    number,
                )
            entry = _entry(shaped, number)
            check_entry(self.so_far(header), entry)
            self.entries.append(entry)
            for reason in nonsense(entry.extra, len(header.players)):
                self.warn(reason, number)

    def so_far(self, header: Header) -> Record:
        """The record up to here; its last entry is enough to tell what may follow."""
        return Record(header, tuple(self.entries[-1:]), path=self.path)

    def shaped(
        self, kind: str, value: dict[str, Any], number: int, lenient: bool
    ) -> dict[str, Any]:
        """A line of that kind with its keys checked and in order."""
        header = self.header

        def unknown(place: str) -> None:
            if not lenient:
                refuse_key(place, USUAL_VERSION if header is None else header.version)
            if place not in self.seen_unknown:
                self.seen_unknown.add(place)
                self.warn(
                    (
                        f"the key {place} is not known to version {VERSION[0]}.{VERSION[1]}; kept, "
                        "not "
                        "interpreted"
                    ),
                    number,
                )

        try:
            shaped: dict[str, Any] = self.kinds[kind](value, "", unknown)
        except ShapeError as error:
            raise self.error(str(error), number) from None
        return shaped

    def done(self) -> Record:
        """The record, after the last line."""
        if self.header is None:
            raise RecordError("the file is empty; a record begins with a header line", self.path)
        if self.torn:
            self.warn(
                "the rest of the file holds NUL bytes, as a power cut leaves them, and was dropped",
                self.torn,
            )
        return Record(
            self.header, tuple(self.entries), self.end, tuple(self.notes), self.path, self.told()
        )

    def told(self) -> tuple[str, ...]:
        """The warnings: all blank lines share one, and so do all warnings beyond MAX_WARNINGS."""
        told = list(self.warnings)
        if self.blanks:
            others = (
                f", and so {'is' if self.blanks == 2 else 'are'} {self.blanks - 1} more"
                if self.blanks > 1
                else ""
            )
            told.append(located(f"the line is blank; skipped{others}", self.path, self.first_blank))
        if self.untold:
            told.append(
                located(
                    f"and {self.untold} more warning{'s' * (self.untold > 1)} like these", self.path
                )
            )
        return tuple(told)

    def error(self, reason: str, number: int) -> RecordError:
        """The error at that line; after the header it also names the ply that is due."""
        if self.header is None:
            return RecordError(reason, self.path, number)
        return RecordError(reason, self.path, number, self.so_far(self.header).next_ply)

    def warn(self, reason: str, number: int) -> None:
        """Notes a flaw of that line that reading passes over."""
        if len(self.warnings) < MAX_WARNINGS:
            self.warnings.append(located(reason, self.path, number))
        else:
            self.untold += 1


def _header(value: dict[str, Any]) -> Header:
    known = {name: value[name] for name in HEADER_KEYS if name in value}
    known |= {
        "players": tuple(value["players"]),
        "version": (value["version"][0], value["version"][1]),
    }
    spelled = tuple(
        name for name, default in DEFAULTS.items() if name in value and value[name] == default
    )
    return Header(
        **known, extra=_extra(value, ("record", "version", *HEADER_KEYS)), spelled=spelled
    )


def _entry(value: dict[str, Any], number: int) -> Entry:
    known = {name: value[name] for name in ENTRY_KEYS if name in value}
    return Entry(**known, extra=_extra(value, ENTRY_KEYS), line=number)


def _end(value: dict[str, Any], number: int) -> End:
    ranks = tuple(tuple(group) for group in value["end"]["ranks"])
    return End(
        ranks, value["end"]["reason"], value.get("note"), _extra(value, ("end", "note")), number
    )


def _extra(value: dict[str, Any], known: tuple[str, ...]) -> dict[str, Any]:
    return {key: one for key, one in value.items() if key not in known}


def _is_note(value: dict[str, Any], lenient: bool) -> bool:
    """Whether the line holds only a note or `x-` keys. A newer minor version may have other lines;
    they count as notes.
    """
    if lenient and not {"ply", "by", "do"} & value.keys():
        return True
    return all(key == "note" or key.startswith("x-") for key in value)
