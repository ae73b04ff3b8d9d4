"""What every test shares: one way to run the command, property tests that look at the same cases
each time, and the kernels of the grid games, compiled once before the first test.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("suite", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("suite")

# Several processes test at once. Threads of linear algebra would only wait for each other, and take
# the cores while they do.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

Run = Callable[..., subprocess.CompletedProcess[str]]

CHECKOUT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def checkout() -> Path:
    return CHECKOUT


@pytest.fixture
def shutoko(tmp_path: Path) -> Run:
    """Runs `shutoko ARGS...` as a process of its own, from an empty folder, with warnings as
    errors; `typed` is its input.
    """

    def run(
        *args: object, cwd: Path | None = None, typed: str | None = None, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-W", "error", "-m", "shutoko", *map(str, args)],
            cwd=cwd or tmp_path,
            env={**os.environ, "PYTHONPATH": str(CHECKOUT), **environment},
            input=typed,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=600,  # of a command that hangs; nothing here takes that long on a busy machine
            check=False,
        )

    return run


@pytest.hookimpl(optionalhook=True)  # runs without xdist have no such hook
def pytest_xdist_auto_num_workers() -> int:
    """One process more than there are cores: a test that waits for a browser or for a server leaves
    its core to another.
    """
    return (os.cpu_count() or 1) + 1


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skips the tests of pages, and says so loudly, where no browser is there."""
    if item.get_closest_marker("pages") is not None:
        from tests.browser import CHROMIUM, DRIVER, NO_BROWSER

        if CHROMIUM is None or DRIVER is None:
            pytest.skip(NO_BROWSER)


# --- kernels --------------------------------------------------------------------------------------


def pytest_collection_finish(session: pytest.Session) -> None:
    """Has the grid games compiled if a test file mentions them, by one of the workers, while the
    others wait.
    """
    if session.config.option.collectonly or not any(
        map(_mentions_a_grid_game, {item.path for item in session.items})
    ):
        return
    from rules.grid.search.adapters import searched
    from rules.grid.search.players import COMMAND, is_compiled

    if all(map(is_compiled, searched())):
        return
    with _one_at_a_time():
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(CHECKOUT), *filter(None, sys.path)]),
        }
        compiling = [
            subprocess.Popen([*COMMAND, name], env=environment)
            for name in searched()
            if not is_compiled(name)
        ]
        for process in compiling:
            process.wait()


def _mentions_a_grid_game(path: Path) -> bool:
    text = path.read_text(encoding="utf-8")
    return "meridians" in text or "thruway" in text


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Holds a lock that all workers, and all test runs on this machine, share."""
    try:
        import fcntl
    except ImportError:  # on Windows the workers may compile the same: slower, not wrong
        yield
        return
    with (Path(tempfile.gettempdir()) / "shutoko-tests-compile.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
