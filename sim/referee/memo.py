"""Values derived from a frozen table: made once, and kept as long as the table lives."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from sim.referee.table import Table

__all__ = ["kept"]

T = TypeVar("T")

# by identity: a hash would look at every piece
_kept: dict[int, tuple[weakref.ref[Table], dict[str, Any]]] = {}


def kept(table: Table, name: str, make: Callable[[], T]) -> T:
    """The result of `make`, called once for each table and name. Tables are frozen, so a derived
    value stays true. It is dropped with the table, and so must not refer to it.
    """
    entry = _kept.get(id(table))
    if entry is None:
        key = id(table)
        entry = _kept[key] = (weakref.ref(table, lambda _: _kept.pop(key, None)), {})
    values = entry[1]
    if name not in values:
        values[name] = make()
    found: T = values[name]
    return found
