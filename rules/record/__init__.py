"""Game records: reading, writing, replaying and verifying them. See docs/record-format.md."""

from rules.record.model import End, Entry, Header, Note, Record
from rules.record.reading import MAX_LINE, loads, read
from rules.record.schema import USUAL_TOLERANCE, USUAL_VERSION, VERSION
from rules.record.writing import append, canonical_json, dumps, write

__all__ = [
    "End",
    "Entry",
    "Header",
    "MAX_LINE",
    "Note",
    "Record",
    "USUAL_TOLERANCE",
    "USUAL_VERSION",
    "VERSION",
    "append",
    "canonical_json",
    "dumps",
    "loads",
    "read",
    "write",
]
