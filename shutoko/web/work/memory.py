"""A limit on the memory that a piece of work takes in its process, where the system has one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rules.errors import InputError

__all__ = ["at_most"]

_SIZE = Path("/proc/self/statm")


@contextmanager
def at_most(taken: int, told: str) -> Iterator[None]:
    """Lets the block take so many more bytes of memory than the process has; raises InputError with `told` if it wants more.

    Only Linux tells how many the process has; elsewhere there is no limit.
    """
    if not _SIZE.exists():
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = int(_SIZE.read_text(encoding="ascii").split()[0]) * resource.getpagesize() + taken
    if soft != resource.RLIM_INFINITY:
        limit = min(limit, soft)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    try:
        yield
    except MemoryError as error:
        raise InputError(told) from error
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
