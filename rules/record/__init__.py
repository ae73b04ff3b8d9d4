"""Game records: reading, writing, replaying and verifying them. See docs/record-format.md."""

from __future__ import annotations

from rules.record.model import (
    MAX_LINE,
    USUAL_TOLERANCE,
    VERSION,
    End,
    Entry,
    Header,
    Note,
    Record,
    append,
    canonical_json,
    dumps,
    loads,
    read,
    write,
)

__all__ = [
    "End",
    "Entry",
    "Header",
    "MAX_LINE",
    "Note",
    "Record",
    "USUAL_TOLERANCE",
    "VERSION",
    "append",
    "canonical_json",
    "dumps",
    "loads",
    "read",
    "write",
]
