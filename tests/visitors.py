"""A simulated visitor of the pages, without a browser, and a site to visit."""

from __future__ import annotations

import pickle
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from nicegui.testing import User
from nicegui.testing.user_simulation import user_simulation

from shutoko.web.pages.routes import register
from shutoko.web.site import Site


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


class AtOnce:
    """Does jobs in this process, on copies, as workers would."""

    async def run(self, work: Callable[..., Any], *arguments: Any, **_: Any) -> Any:
        return pickle.loads(pickle.dumps(work(*pickle.loads(pickle.dumps(arguments)))))  # noqa: S301 - made here

    def close(self) -> None:
        """Nothing runs on."""


@contextmanager
def registered(folder: Path, **how: Any) -> Iterator[Site]:
    """A site whose jobs are done at once."""
    site = Site("127.0.0.1", 8000, folder, 1, **how)
    site.workers = AtOnce()  # type: ignore[assignment]
    register(site)
    yield site
    site.close()
