"""What a game record is made of: a header, one entry a ply, notes and an end, and the order in
which they may follow.

`Record` grows by `plus`, `with_note` and `with_end`, each of which refuses what cannot follow.
`rules.record.reading` and `rules.record.writing` turn records into lines of a file and back.

The values of `do`, `got` and the other keys are plain JSON values, never copied: treat them as
frozen.

Two `x-` keys of a ply are written and read here, those of clocks: `x-clock` and `x-time`. Other
programs may write them, too. A value that makes no sense is kept and ignored, and reading the
record gives a warning. This package interprets no other key that starts with `x-`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rules.errors import RecordError
from rules.record.jsonl import short
from rules.record.schema import (
    ENTRY_KEYS,
    HEADER_KEYS,
    USUAL_TOLERANCE,
    USUAL_VERSION,
    VERSION,
    format_of,
    reasons_of,
)
from rules.record.shapes import is_number
from rules.view import tabled

DEFAULTS: Mapping[str, Any] = {"ruleset": "standard", "options": {}, "observed": False}
"""What a header means if it leaves these keys out."""

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Header:
    """Line 1: everything needed to rebuild ply 0.

    None means that the key is left out; without `components` the rule set says which. `observed`
    marks a game noted by hand, and `tolerance` is by how many mm its numbers may be off. `spelled`
    names the keys that are written although they have their default value; it is not compared.
    `extra` holds `x-` keys, and unknown keys of a newer minor version.
    """

    game: str
    players: tuple[str, ...]
    ruleset: str = "standard"
    options: Json = field(default_factory=dict)
    components: str | None = None
    version: tuple[int, int] = USUAL_VERSION
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
        """By how many mm the numbers of the game may be off; 0 unless people noted it by hand."""
        if not self.observed:
            return 0.0
        return USUAL_TOLERANCE if self.tolerance is None else float(self.tolerance)

    @property
    def is_newer(self) -> bool:
        """Whether a newer minor version of the format may have keys and words that are not known
        here.
        """
        return self.version[1] > VERSION[1]

    def for_entries(self, entries: Iterable[Entry]) -> Header:
        """The header with a version that knows every key of these plies; it never gets older."""
        form = format_of(self.game)
        minor = max((form.newest(entry.to_json())[0] for entry in entries), default=0)
        if minor <= self.version[1]:
            return self
        return replace(self, version=(self.version[0], minor))

    def to_json(self) -> dict[str, Any]:
        """The line as a plain object."""
        given = {name: getattr(self, name) for name in HEADER_KEYS}
        kept = {
            name: value
            for name, value in given.items()
            if value is not None
            and (name not in DEFAULTS or name in self.spelled or value != DEFAULTS[name])
        }
        return {
            "record": "shutoko",
            "version": list(self.version),
            **kept,
            "players": list(self.players),
            **self.extra,
        }


@dataclass(frozen=True, slots=True)
class Entry:
    """One ply: the move `do` of seat `by`, what came of it (`got`), and what was drawn, claimed,
    seen and paid.

    `accepted` means: people noted an illegal ply by hand and let it stand, because nobody noticed
    in time. None means that the key is left out. `line` counts from 1 in the file that the entry
    was read from; it is not compared.
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
        """Whether this is an illegal move that was taken back; the next entry then repeats the ply
        number.
        """
        return self.got is not None and self.got.get("legal") is False

    def to_json(self) -> dict[str, Any]:
        """The line as a plain object."""
        given = {name: getattr(self, name) for name in ENTRY_KEYS}
        return {name: value for name, value in given.items() if value is not None} | dict(
            self.extra
        )


@dataclass(frozen=True, slots=True)
class Note:
    """A line with only a note or `x-` keys. `after` is the number of entries before it."""

    note: str | None = None
    after: int = 0
    extra: Json = field(default_factory=dict)
    line: int | None = field(default=None, compare=False)

    def to_json(self) -> dict[str, Any]:
        """The line as a plain object."""
        return ({} if self.note is None else {"note": self.note}) | dict(self.extra)


@dataclass(frozen=True, slots=True)
class End:
    """The last line: seats by rank, best first, ties together, and the reason.

    The reason is a word of `rules.game.Reason`, or one that the game registers with its record
    format.
    """

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
    """A game, finished or not. Iterating gives its lines in file order.

    `notes` are in file order. `warnings` are the flaws that reading passed over, with file and
    line. `path` and `warnings` are not compared.
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
        return (
            f"<Record {self.header.game}, {' against '.join(self.header.players)}, "
            f"{self.next_ply} plies{ended}{where}>"
        )

    def _repr_html_(self) -> str:
        rows = [(entry.ply, self.header.players[entry.by], _told(entry)) for entry in self.entries]
        end = "" if self.end is None else f": {self.end.reason}"
        return tabled(
            f"{self.header.game}, {' against '.join(self.header.players)}{end}",
            ("ply", "player", "move"),
            rows,
        )

    @property
    def next_ply(self) -> int:
        """The ply number that the next entry has."""
        if not self.entries:
            return 0
        last = self.entries[-1]
        return last.ply if last.taken_back else last.ply + 1

    def plus(self, entry: Entry) -> Record:
        """The record with one more entry. Raises RecordError if it cannot be the next ply, or if
        the game has ended.
        """
        check_entry(self, entry)
        return replace(self, entries=(*self.entries, entry))

    def with_note(self, note: Note) -> Record:
        """The record with a note after its last entry. Raises RecordError if the game has ended."""
        check_open(self)
        return replace(self, notes=(*self.notes, replace(note, after=len(self.entries))))

    def with_end(self, end: End) -> Record:
        """The record with its end. Raises RecordError if it already has one, or for an unknown seat
        or reason.
        """
        check_end(self, end)
        return replace(self, end=end)

    def __iter__(self) -> Iterator[Header | Entry | Note | End]:
        """The lines in file order."""
        yield self.header
        told = 0
        for index, entry in enumerate(self.entries):
            while told < len(self.notes) and self.notes[told].after <= index:
                yield self.notes[told]
                told += 1
            yield entry
        yield from self.notes[told:]
        if self.end is not None:
            yield self.end


def _told(entry: Entry) -> str:
    """A move in a word or two."""
    text = entry.do if isinstance(entry.do, str) else json.dumps(entry.do, ensure_ascii=False)
    return f"{text} (taken back)" if entry.taken_back else text


# --- what may follow what -------------------------------------------------------------------------


def check_open(record: Record) -> None:
    """Raises RecordError if the game has ended."""
    if record.end is not None:
        raise RecordError(
            "the game has ended; nothing can follow its end line", record.path, record.end.line
        )


def check_header(header: Header, path: Path | None, line: int | None = None) -> None:
    """Raises RecordError for a header with keys that contradict each other."""
    if header.tolerance is not None and not header.observed:
        raise RecordError(
            (
                "tolerance is for games noted by hand, the numbers of all others are exact: add "
                '"observed":true, or leave it out'
            ),
            path,
            line,
        )


def check_entry(record: Record, entry: Entry) -> None:
    """Raises RecordError for an entry that cannot come next in the record."""
    check_open(record)
    due, seats = record.next_ply, len(record.header.players)
    for is_wrong, reason in (
        (
            entry.ply != due,
            (
                f"the line says ply {short(str(entry.ply))[1:-1]} where ply {due} is due; plies "
                "count from 0, and only the next try of a move taken back (got.legal false) "
                "repeats its number"
            ),
        ),
        (
            entry.accepted and not record.header.observed,
            (
                'accepted is for games noted by hand ("observed":true in the header); here an '
                "illegal ply is taken back"
            ),
        ),
        (
            entry.accepted and entry.taken_back,
            (
                "accepted says that the ply stands, got.legal false that it was taken back; leave "
                "one of them out"
            ),
        ),
        (
            not 0 <= entry.by < seats,
            f"by is {entry.by}, but the seats are 0 to {seats - 1}",
        ),
    ):
        if is_wrong:
            raise RecordError(reason, record.path, entry.line, due)


def check_end(record: Record, end: End) -> None:
    """Raises RecordError for an end that the record cannot have."""
    check_open(record)
    seats = len(record.header.players)
    named = [seat for group in end.ranks for seat in group]
    if len(set(named)) != len(named) or not all(0 <= seat < seats for seat in named):
        raise RecordError(
            f"end.ranks must name the seats 0 to {seats - 1}, each once at most",
            record.path,
            end.line,
        )
    reasons = reasons_of(record.header.game)
    if reasons is not None and end.reason not in reasons and not record.header.is_newer:
        raise RecordError(
            f"end.reason {short(end.reason)} is none of {', '.join(reasons)}", record.path, end.line
        )


# --- clocks ---------------------------------------------------------------------------------------

_LONGEST = 1e6  # seconds of a clock: eleven days


def clock_of(extra: Mapping[str, Any], seats: int) -> list[float] | None:
    """The seconds that each seat had left after a ply, from its `x-clock`; None if there is none,
    or it is invalid.
    """
    clock: Any = extra.get("x-clock")
    is_clock = isinstance(clock, list | tuple) and len(clock) == seats
    if not is_clock or not all(is_number(left) and 0 <= left <= _LONGEST for left in clock):
        return None
    return [float(left) for left in clock]


def ran_out_of_time(extra: Mapping[str, Any]) -> bool:
    """Whether a resignation was made by the clock (`x-time`)."""
    return extra.get("x-time") is True


def nonsense(extra: Mapping[str, Any], seats: int) -> Iterator[str]:
    """One warning for each of these `x-` keys of a ply whose value makes no sense."""
    if "x-clock" in extra and clock_of(extra, seats) is None:
        yield (
            f"x-clock must be a list of {seats} numbers from 0 to {_LONGEST:g}, the seconds left "
            "by seat; ignored"
        )
    if not isinstance(extra.get("x-time", False), bool):
        yield "x-time must be true or false; ignored"
