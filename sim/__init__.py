"""Tokyo Highway: its pieces, its referee, and the physics that says what stands and what falls.

The names in `__all__` are loaded when they are first asked for, so that `import sim` needs neither geometry nor an engine.

Raises ImportError if another distribution's `rules` package hides this project's.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import rules

if getattr(rules, "__project__", None) != "shutoko":
    _other = getattr(rules, "__file__", None) or list(rules.__path__)
    raise ImportError(
        f"another package named 'rules' hides the one that Shutoko installs: {_other};"
        " install Shutoko into a fresh virtual environment: python3.11 -m venv .venv && .venv/bin/pip install shutoko"
    )

if TYPE_CHECKING:
    from sim import crossings, referee, replay
    from sim.crossings import Road
    from sim.pieces import Components
    from sim.placement import Placement
    from sim.ruleset import Ruleset
    from sim.table import Table

__all__ = ["Components", "Placement", "Road", "Ruleset", "Table", "crossings", "referee", "replay"]

_HOMES = {
    "Components": "sim.pieces",
    "Placement": "sim.placement",
    "Road": "sim.crossings",
    "Ruleset": "sim.ruleset",
    "Table": "sim.table",
}
_MODULES = ("crossings", "referee", "replay")


def __getattr__(name: str) -> object:
    if name in _MODULES:
        return import_module(f"sim.{name}")
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'sim' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
