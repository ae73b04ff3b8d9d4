"""What every test shares: one way to run the command, and property tests that look at the same cases each time."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("suite", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("suite")

Run = Callable[..., subprocess.CompletedProcess[str]]

CHECKOUT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def checkout() -> Path:
    return CHECKOUT


@pytest.fixture
def shutoko(tmp_path: Path) -> Run:
    """Runs `shutoko ARGS...` as a process of its own, from an empty folder, with warnings as errors."""

    def run(*args: object, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-W", "error", "-m", "shutoko", *map(str, args)],
            cwd=cwd or tmp_path,
            env={**os.environ, "PYTHONPATH": str(CHECKOUT), **environment},
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )

    return run
