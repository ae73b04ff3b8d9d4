"""Work on an executor: in processes, on a cluster or here, so that the answer does not depend on which."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from typing import TypeVar

from rules.errors import ShutokoError

__all__ = ["computed"]

_SENT = 3  # times that a task is sent before its failure is believed

A = TypeVar("A")
R = TypeVar("R")


def computed(call: Callable[[A], R], arguments: Sequence[A], executor: Executor | None) -> Iterator[R]:
    """What `call` makes of each argument, each once, in any order.

    What this project raises on purpose comes through. Anything else may be a lost worker or connection: the argument is sent
    again, and what fails a third time comes through. A pool that broke takes nothing any more: what it owes is computed here.
    """
    if executor is None:
        yield from map(call, arguments)
        return
    broken: list[A] = []
    sent: dict[Future[R], tuple[A, int]] = {}

    def send(argument: A, times: int) -> None:
        try:
            sent[executor.submit(call, argument)] = (argument, times)
        except BrokenExecutor:
            broken.append(argument)

    try:
        for argument in arguments:
            send(argument, 1)
        while sent:
            done, _ = wait(sent, return_when=FIRST_COMPLETED)
            for future in done:
                argument, times = sent.pop(future)
                error = future.exception() if not future.cancelled() else BrokenExecutor()
                if error is None:
                    yield future.result()
                elif isinstance(error, ShutokoError) or times == _SENT:
                    raise error
                else:
                    send(argument, times + 1)
        yield from map(call, broken)
    finally:
        for future in sent:
            future.cancel()
