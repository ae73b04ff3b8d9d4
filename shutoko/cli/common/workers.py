"""Where a command computes: in this process, in others, or on a Dask cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rules.errors import InputError, UnavailableError
from shutoko.lifeline import end_with_parent
from sim.installing import install

if TYPE_CHECKING:
    from concurrent.futures import Executor


@contextmanager
def workers(processes: int, dask: str | None = None) -> Iterator[Executor | None]:
    """An executor on the Dask cluster at that address, or else of that many processes. None for 1:
    this process does the work.

    Raises InputError if no scheduler answers, UnavailableError if Dask is not installed.
    """
    if dask is not None:
        with _cluster(dask) as executor:
            yield executor
        return
    if processes == 1:
        yield None
        return
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    # spawned, not forked: workers must not inherit an engine or a progress bar of this process
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(
        processes, mp_context=context, initializer=end_with_parent
    ) as executor:
        yield executor


@contextmanager
def _cluster(address: str) -> Iterator[Executor]:
    try:
        from distributed import Client
    except ImportError as error:
        raise UnavailableError(f"Dask is not installed: {install('dask')}") from error
    try:
        client = Client(address, timeout=5)
    except (OSError, ValueError) as error:
        raise InputError(
            f"no Dask scheduler answers at {address} ({error}); start one, or use --workers"
        ) from error
    # with pure=True Dask would answer a task that is sent again with its old error
    with client, client.get_executor(pure=False) as executor:
        yield executor
