"""What was noted before a photo corrected it, kept in the record itself: `x-noted` of a ply has its
move and what people saw as they noted it, `x-corrected` of the header a list of all photos.

So a correction can be taken back after the program was ended, and another photo may correct what
one has corrected already.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.errors import InputError, Refusal
from rules.record import Entry, Header, Record

NOTED, CORRECTED = "x-noted", "x-corrected"

_KEPT = ("do", "observed", "claim", "accepted")
"""What a correction may change in a ply."""

_LOST = (
    "somebody changed what the file keeps of the places before the photo, so the correction cannot "
    "be taken back"
)


def corrected_header(
    record: Record, start: Mapping[str, Any] | None, tolerance: float | None
) -> Header:
    """The header of a record that is being corrected, with another layout and tolerance, and what
    both were.
    """
    header = record.header
    was: dict[str, Any] = {"plies": len(record.entries), "tolerance": header.tolerance}
    if start != header.start:
        was["start"] = header.start
    extra = {**header.extra, CORRECTED: [*_corrections(header), was]}
    return replace(header, start=start, tolerance=tolerance, extra=extra)


def with_noted(was: Entry, now: Entry, pieces: Iterable[str], header: Header) -> Entry:
    """A ply of a record with that corrected header, and what was noted in it before if anything is
    another now; `pieces` are those of which a photo shows the place.
    """
    before = {key: getattr(was, key) for key in _KEPT if getattr(was, key) is not None}
    after = {key: getattr(now, key) for key in _KEPT if getattr(now, key) is not None}
    shown = sorted(pieces)
    if before == after and not shown:
        return now
    if NOTED in was.extra:
        before[NOTED] = was.extra[NOTED]
    noted = {"photo": len(header.extra[CORRECTED]) - 1, "pieces": shown, "was": before}
    return replace(now, extra={**now.extra, NOTED: noted})


def known_exactly(entry: Entry, piece: str) -> bool:
    """Whether an earlier photo showed the place of a piece that this ply tells."""
    noted = entry.extra.get(NOTED)
    while isinstance(noted, Mapping):
        if piece in noted.get("pieces", ()):
            return True
        was = noted.get("was")
        noted = was.get(NOTED) if isinstance(was, Mapping) else None
    return False


def is_corrected_last(record: Record) -> bool:
    """Whether the last thing that was done to a diary is a correction."""
    past = _corrections(record.header)
    last = past[-1] if past else None
    return isinstance(last, Mapping) and last.get("plies") == len(record.entries)


def as_noted(record: Record) -> Record:
    """The record as it was before its last correction, without its end. Raises InputError if
    somebody changed what the record keeps of that.
    """
    past = _corrections(record.header)
    try:
        was = past[-1]
        extra = {key: value for key, value in record.header.extra.items() if key != CORRECTED}
        if past[:-1]:
            extra[CORRECTED] = list(past[:-1])
        header = replace(
            record.header,
            start=was.get("start", record.header.start),
            tolerance=was["tolerance"],
            extra=extra,
        )
        entries = tuple(_as_noted(entry, len(past) - 1) for entry in record.entries)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise InputError(Refusal(_LOST, "note-correct-lost")) from error
    return replace(record, header=header, entries=entries, end=None)


def _as_noted(entry: Entry, photo: int) -> Entry:
    kept = entry.extra.get(NOTED)
    if kept is None or kept["photo"] != photo:
        return entry
    was = kept["was"]
    extra = {key: value for key, value in entry.extra.items() if key != NOTED}
    if NOTED in was:
        extra[NOTED] = was[NOTED]
    return replace(entry, **{key: was.get(key) for key in _KEPT}, extra=extra)


def _corrections(header: Header) -> Sequence[Any]:
    found = header.extra.get(CORRECTED, ())
    return found if isinstance(found, list) else ()
