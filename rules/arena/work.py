"""Work on an executor: in this process, in others, or on a cluster, with the same results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from typing import TypeVar

from rules.errors import ShutokoError

__all__ = ["computed"]

_SENT = 3  # a task that failed this often is not sent again

A = TypeVar("A")
R = TypeVar("R")


def computed(call: Callable[[A], R], arguments: Sequence[A], executor: Executor | None) -> Iterator[R]:
    """The results of `call` for all arguments, in any order.

    A ShutokoError of a task is raised at once. Any other error may be a lost worker or connection: the task is sent again, and
    its third error is raised. A pool that broke accepts no more tasks: this process computes those that are left.
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
