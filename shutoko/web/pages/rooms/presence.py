"""What is done for whoever looks at a page, and given up when the page is left."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from nicegui import Client, ui

__all__ = ["loading", "while_there"]

T = TypeVar("T")

_TASKS: WeakKeyDictionary[Client, set[asyncio.Task[Any]]] = WeakKeyDictionary()


@contextmanager
def loading(button: ui.button) -> Iterator[None]:
    """Shows on a button that something is being done, until it is done or the page has gone."""
    button.props("loading")
    try:
        yield
    finally:
        if not button.client.is_deleted:
            button.props(remove="loading")


async def while_there(work: Coroutine[Any, Any, T]) -> T:
    """Waits for work as long as the page is there; call it where the page's slot is open.

    If the page is left for longer than a reconnection takes, the work is cancelled, and so is the caller: nobody is to be told.
    """
    client = ui.context.client
    if client not in _TASKS:
        _TASKS[client] = tasks = set[asyncio.Task[Any]]()
        client.on_delete(lambda: [task.cancel() for task in tasks])
    task = asyncio.get_running_loop().create_task(work)
    _TASKS[client].add(task)
    try:
        return await task
    finally:
        _TASKS[client].discard(task)
