"""A plugin for pytest that runs the kernels of the grid games as plain Python: `python -m pytest -p
tests.pure_python ...`.

Coverage and mutation testing see no line of compiled code, so they use this. Numbers behave as in
compiled code: words of fewer than 64 bits count as int64, and what does not fit wraps around. It is
two hundred times slower than compiled code.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
import pytest

from rules.grid.kernels import jit

Function = Callable[..., Any]

_TOO_LONG = re.compile(r"rollouts_repeat|perft_gives")
"""The tests of kernels that count or play millions of moves."""


class _Words(np.ndarray):
    """An array whose short words are read as int64."""

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        return np.int64(found) if isinstance(found, np.integer) and found.itemsize < 8 else found


def _seen(value: Any) -> Any:
    """An argument as a kernel sees it."""
    if isinstance(value, np.ndarray):
        return value if isinstance(value, _Words) else value.view(_Words)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return _tables(_ById(value)).value
    return value


class _ById:
    """Geometry is made once per game, so it is told by its identity."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ById) and other.value is self.value


@functools.lru_cache(maxsize=256)
def _tables(given: _ById) -> _ById:
    return _ById(type(given.value)(*map(_seen, given.value)))


def _plain(function: Function | None = None, **_: object) -> Any:
    """Stands in for the three decorators of rules/grid/kernels/jit.py."""
    if function is None:
        return _plain

    @functools.wraps(function)
    def call(*args: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*map(_seen, args))

    return call


def _chosen(name: str) -> Function:
    """Stands in for a function of rules/grid/kernels/dispatch.py: the type of the first argument
    decides.
    """

    def call(tables: Any, *args: Any) -> Any:
        return dispatch._KERNELS[type(tables)][name](tables, *args)

    return call


jit.njit_entry = jit.njit_linked = jit.njit_inline = _plain

from rules.grid.kernels import dispatch  # noqa: E402 - whatever imports the decorators comes after they are replaced

dispatch.lowest = lambda word: (int(word) & -int(word)).bit_length() - 1
dispatch.highest = lambda word: 63 if word < 0 else int(word).bit_length() - 1
dispatch.copy = lambda source, target: np.copyto(target, source)
dispatch.count = lambda word: (int(word) & (2**64 - 1)).bit_count()
for _name, _function in [*vars(dispatch).items()]:
    if isinstance(_function, FunctionType) and _function.__code__.co_name == "compiled_only":
        setattr(dispatch, _name, _chosen(_name))

from rules.grid.search import players  # noqa: E402

players.is_compiled = lambda *_: True


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what takes minutes uncompiled."""
    config.hook.pytest_deselected(items=[item for item in items if _TOO_LONG.search(item.name)])
    items[:] = [item for item in items if not _TOO_LONG.search(item.name)]
