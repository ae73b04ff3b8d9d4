"""The physics engines by name; only this module knows which ones exist.

`bullet` is the default where PyBullet can be installed (Python 3.11 and older), `mujoco` elsewhere.
"""

import importlib
import importlib.util
import sys
from functools import cache
from typing import NamedTuple

from rules.errors import InputError, UnavailableError
from rules.near import meant
from sim.installing import install, install_package
from sim.physics.engine import Engine

__all__ = ["NAMES", "available", "default", "engine"]

_PYTHON = sys.version_info[:2]


class _Known(NamedTuple):
    """An engine that can be asked for: what people call its package, the module that must be there,
    our class, the extra that installs it (empty: it is needed anyway), and the first Python for
    which it has no wheels.
    """

    title: str
    package: str
    module: str
    attribute: str
    extra: str = ""
    until: tuple[int, int] | None = None

    @property
    def too_new(self) -> bool:
        """Whether this Python is one that it has no wheels for."""
        return self.until is not None and self.until <= _PYTHON


_KNOWN = {
    "bullet": _Known("PyBullet", "pybullet", "sim.physics.engines.bullet", "Bullet", until=(3, 12)),
    "mujoco": _Known("MuJoCo", "mujoco", "sim.physics.engines.mujoco", "MuJoCo", "mujoco"),
}
"""The first that is installed is the default."""

NAMES = tuple(_KNOWN)


def engine(name: str | None = None) -> Engine:
    """The engine of that name, or the default one, the same object each time.

    Raises InputError for an unknown name, and UnavailableError with the command that installs an
    engine that is missing.
    """
    name = name or default()
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
            f"no physics engine is installed: {_how_to_install(_first_with_wheels())}"
        )
    return names[0]


@cache
def _made(name: str) -> Engine:
    known = _KNOWN[name]
    made: Engine = getattr(importlib.import_module(known.module), known.attribute)()
    return made


def _installed(name: str) -> bool:
    return importlib.util.find_spec(_KNOWN[name].package) is not None


def _first_with_wheels() -> str:
    return next(name for name, known in _KNOWN.items() if not known.too_new)


def _how_to_install(name: str) -> str:
    known = _KNOWN[name]
    if known.too_new and known.until is not None:
        other = _first_with_wheels()
        major, minor = known.until
        return (
            f"{known.title} has no wheels for Python {major}.{minor} and newer; use "
            f"{_KNOWN[other].title}: {_command(_KNOWN[other])}, --engine {other}"
        )
    return f"{known.title} is not installed: {_command(known)}"


def _command(known: _Known) -> str:
    return install(known.extra) if known.extra else install_package(known.package)
