"""Work that must not stop half-way."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

from rules.errors import ShutokoError

__all__ = ["whole"]


async def whole(work: Coroutine[Any, Any, None]) -> None:
    """Waits for work; if the caller is cancelled meanwhile, it ends when the work is done."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        with suppress(ShutokoError):
            await task
        raise
