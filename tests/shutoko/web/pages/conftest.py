"""A server and a browser for the tests of a file; a simulated visitor and a site for a test."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser import Browser, Server, serving

if TYPE_CHECKING:
    from nicegui.testing import User

    from shutoko.web.site import Site

HOSTS = ("127.0.0.1", "localhost")
"""The server's names: a browser is another visitor under the second one."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("web")) as made:
        yield made


@pytest.fixture(scope="module")
def session() -> Iterator[Browser]:
    made = Browser()
    yield made
    made.driver.quit()


@pytest.fixture
def browser(session: Browser, server: Server) -> Iterator[Browser]:
    """One browser for all tests of a file; after each, its pages must have asked nobody but the
    server, and no script may have failed.
    """
    session.settle()
    session.asked.clear()
    session.errors()
    yield session
    while len(session.driver.window_handles) > 1:
        session.driver.switch_to.window(session.driver.window_handles[-1])
        session.driver.close()
    session.driver.switch_to.window(session.driver.window_handles[0])
    session.settle()
    home = (
        *(f"{way}://{host}:{server.port}" for way in ("http", "ws") for host in HOSTS),
        "data:",
        "blob:",
        "file:",
        "about:",
        "chrome",
    )
    assert [address for address in session.asked if not address.startswith(home)] == []
    assert session.errors() == []


@pytest.fixture
async def user() -> AsyncIterator[User]:
    from tests.visitors import visitor

    async with visitor() as made:
        yield made


@pytest.fixture
async def site(user: User, tmp_path: Path) -> AsyncIterator[Site]:
    from tests.visitors import registered

    del user  # is there first
    with registered(tmp_path) as made:
        yield made
