"""The physics engines by name; only this module knows which ones exist.

`bullet` is the default where PyBullet can be installed (Python 3.11 and older), `mujoco` elsewhere.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from functools import cache

from rules.errors import InputError, UnavailableError
from rules.near import meant
from sim.installing import install, install_package
from sim.physics.engine import Engine

__all__ = ["NAMES", "available", "default", "engine"]

NAMES = ("bullet", "mujoco")

_CLASSES = {
    "bullet": ("sim.physics.engines.bullet", "Bullet"),
    "mujoco": ("sim.physics.engines.mujoco", "MuJoCo"),
}
_MODULES = {"bullet": "pybullet", "mujoco": "mujoco"}


def engine(name: str) -> Engine:
    """The engine of that name, the same object each time.

    Raises InputError for an unknown name, and UnavailableError with the command that installs an
    engine that is missing.
    """
    if name not in NAMES:
        raise InputError(
            f"there is no engine {name!r}; available: {', '.join(NAMES)}{meant(name, NAMES)}"
        )
    if not _installed(name):
        raise UnavailableError(_how_to_install(name))
    return _made(name)


def available() -> tuple[str, ...]:
    """The names of the engines that are installed here."""
    return tuple(name for name in NAMES if _installed(name))


def default() -> str:
    """The name of the engine that is used when none is named; raises UnavailableError if none is
    installed.
    """
    names = available()
    if not names:
        raise UnavailableError(
            "no physics engine is installed: "
            f"{_how_to_install('mujoco' if _too_new() else 'bullet')}"
        )
    return names[0]


@cache
def _made(name: str) -> Engine:
    module, attribute = _CLASSES[name]
    made: Engine = getattr(importlib.import_module(module), attribute)()
    return made


def _installed(name: str) -> bool:
    return importlib.util.find_spec(_MODULES[name]) is not None


def _too_new() -> bool:
    return sys.version_info >= (3, 12)


def _how_to_install(name: str) -> str:
    if name == "mujoco":
        return f"MuJoCo is not installed: {install('mujoco')}"
    if _too_new():
        return (
            "PyBullet has no wheels for Python 3.12 and newer; use MuJoCo: "
            f"{install('mujoco')}, --engine mujoco"
        )
    return f"PyBullet is not installed: {install_package('pybullet')}"
