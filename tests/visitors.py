"""A simulated visitor of the pages, without a browser."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from nicegui.testing import User
from nicegui.testing.user_simulation import user_simulation


@asynccontextmanager
async def visitor() -> AsyncIterator[User]:
    """NiceGUI's simulation of a visitor. At its end it forgets the modules of the pages, which
    later tests still need.
    """
    ours = {
        name: module
        for name, module in sys.modules.items()
        if name.partition(".")[0] in ("shutoko", "sim", "rules")
    }
    try:
        async with user_simulation() as user:
            yield user
    finally:
        sys.modules.update(ours)
