"""Opens the files that somebody names: regular ones only, so that neither a pipe nor a device can
hold a reader up for good.
"""

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, cast

from rules.errors import Refusal

STANDARD_INPUT = "-"
"""What stands for the standard input on a command line; a file of that name is `./-`."""


_MOST_INPUT = 64 * 2**20  # bytes
_standard_input: ContextVar[Callable[[], bytes] | None] = ContextVar("standard_input", default=None)


@contextmanager
def reading_standard_input(stream: BinaryIO) -> Iterator[None]:
    """Within the block the file `-` is the stream, which is read to its end when it is first asked
    for.
    """
    before = _standard_input.set(cache(lambda: stream.read(_MOST_INPUT + 1)))
    try:
        yield
    finally:
        _standard_input.reset(before)


def open_regular(path: Path | str) -> BinaryIO:
    """The file, opened for reading its bytes; `-` is what the command line was given to read, if it
    was.

    Raises OSError if it cannot be opened, if it is a FIFO, a device, a socket or a folder, and for
    a path that no system knows.
    """
    given = _standard_input.get()
    if given is not None and str(path) == STANDARD_INPUT:
        return BytesIO(given())
    try:
        stream = open(path, "rb", opener=_without_waiting)  # noqa: SIM115 - the caller closes it
    except ValueError as error:  # a NUL character
        raise OSError(errno.EINVAL, f"no path can hold this: {error}") from None
    if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
        stream.close()
        raise OSError(errno.EINVAL, "not a regular file; save its content to a file first")
    return cast(BinaryIO, stream)


def read_regular(path: Path | str, most: int) -> bytes:
    """All bytes of a file of at most `most`. Raises OSError as `open_regular` does, and for a file
    that is larger.
    """
    with open_regular(path) as stream:
        data = stream.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"larger than {most // 1024} KiB")
    return data


def os_reason(error: OSError) -> str:
    """Why the system could not read or write a file, for a message; a Refusal if the system says so
    by a number.
    """
    name = errno.errorcode.get(error.errno or 0)
    if name is None or not error.strerror or error.strerror != os.strerror(error.errno or 0):
        return error.strerror or str(error)
    return Refusal(error.strerror, f"os-{name.lower()}")


def _without_waiting(path: str, flags: int) -> int:
    # a FIFO that nobody writes to would block here; what is opened is looked at before anything is
    # read from it
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0))
