"""What strangers wrote, for a terminal: control characters are shown and never obeyed.

A name in a record, a note, or what somebody types may hold the escape sequences of terminals, which
clear the screen, set its title or draw over what was printed. Everything that commands print goes
through here; colours of our own are added behind it.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

_KEPT = "\t\n"
_PICTURES = {n: chr(0x2400 + n) for n in range(32) if chr(n) not in _KEPT}
# those that JSON leaves as they are, as it may write them: what programs read stays the same
_SHOWN = _PICTURES | {n: f"\\u{n:04x}" for n in range(0x7F, 0xA0)}
_ONE_FOR_ONE = _PICTURES | dict.fromkeys(range(0x7F, 0xA0), "\ufffd")


def plain(text: str) -> str:
    """The text with its control characters made visible; tabs and line feeds stay."""
    return text.translate(_SHOWN)


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
