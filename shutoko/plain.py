"""What strangers wrote, for people: control characters are shown and never obeyed.

A name in a record, a note, or what somebody types may hold the escape sequences of terminals, which
clear the screen, set its title or draw over what was printed. Bidirectional overrides turn the text
around them. Everything that commands print goes through here; colours of our own are added behind
it. A line end in a name would make a line that looks like ours, so whatever shows a name or a note,
on a terminal, a page or a picture, takes it from `plain_line` or `plain_record`.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TextIO, cast

if TYPE_CHECKING:
    from rules.record import Record

_KEPT = "\t\n"
_PICTURES = {n: chr(0x2400 + n) for n in range(32)}
# DEL and C1; line and paragraph separators and bidirectional overrides; bidirectional isolates
_OTHERS = (*range(0x7F, 0xA0), *range(0x2028, 0x202F), *range(0x2066, 0x206A))
# those that JSON leaves as they are, as it may write them: what programs read stays the same
_LINE = _PICTURES | {n: f"\\u{n:04x}" for n in _OTHERS}
_SHOWN = {n: shown for n, shown in _LINE.items() if chr(n) not in _KEPT}
_ONE_FOR_ONE = _SHOWN | dict.fromkeys(_OTHERS, "\ufffd")


def plain(text: str) -> str:
    """The text with its control characters made visible; tabs and line feeds stay."""
    return text.translate(_SHOWN)


def plain_line(text: str) -> str:
    """The text as one line: tabs and line ends are made visible as well."""
    return text.translate(_LINE)


def plain_record(record: Record) -> Record:
    """The record as people may see it: each name, each note and where it comes from in one line."""

    def noted(one: Any) -> Any:
        return one if one is None or one.note is None else replace(one, note=plain_line(one.note))

    header = record.header
    return replace(
        record,
        header=replace(
            noted(header),
            players=tuple(map(plain_line, header.players)),
            date=None if header.date is None else plain_line(header.date),
            source=None if header.source is None else plain_line(header.source),
        ),
        entries=tuple(map(noted, record.entries)),
        notes=tuple(map(noted, record.notes)),
        end=noted(record.end),
    )


def plain_rich(text: Any) -> Any:
    """The same for Rich's `Text`, sign for sign, so that nothing moves."""
    shown = text.plain.translate(_ONE_FOR_ONE)
    if shown == text.plain:
        return text
    found = text.copy()
    found.plain = shown
    return found


class PlainStream:
    """A stream for people that shows control characters. Its other properties are those of the
    stream behind it. Rich writes to that one: what it is given to print comes from `plain`.
    """

    def __init__(self, stream: TextIO) -> None:
        self.rich_proxied_file = stream

    def write(self, text: str) -> int:
        """Writes the text, and returns its length."""
        self.rich_proxied_file.write(plain(text))
        return len(text)

    def writelines(self, lines: Any) -> None:
        """Writes some texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.rich_proxied_file, name)


@contextmanager
def plain_streams() -> Iterator[None]:
    """Within the block, standard output and standard error show control characters."""
    before = sys.stdout, sys.stderr
    for name, stream in (("stdout", sys.stdout), ("stderr", sys.stderr)):
        if isinstance(stream, io.TextIOBase):
            setattr(sys, name, PlainStream(cast(TextIO, stream)))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
