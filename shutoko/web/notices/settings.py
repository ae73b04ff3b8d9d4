"""The settings of notices: a file of TOML that `shutoko serve --notices FILE` names. Without a
table `[push]` they are off.
"""

from __future__ import annotations

import re
import tomllib
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rules.errors import InputError, UnavailableError
from rules.files import read_regular
from sim.installing import install

_MOST = 2**16  # bytes
_AFTER = 30.0  # seconds
_DAY = 86400.0
_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")
_GONE = ("mail", "webhook")  # tables of ways to tell somebody that there are no more


@dataclass(frozen=True, slots=True)
class Push:
    """Web Push. `contact` is where the services of browsers find whoever runs the server. With
    `private`, endpoints may lie in the server's own network.
    """

    contact: str
    private: bool = False


@dataclass(frozen=True, slots=True)
class Settings:
    """How notices are sent; without `push` none are. They go out `after` so many seconds, if it is
    still the same turn.
    """

    push: Push | None = None
    after: float = _AFTER


def read(path: Path) -> Settings:
    """The settings in a file. Warns of a table for mail or webhooks, which are sent no more. Raises
    InputError, with file and key, for what is none, and UnavailableError for push without its
    package.
    """
    try:
        data = tomllib.loads(read_regular(path, _MOST).decode())
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: no settings of notices: {error}") from error
    for key in _GONE:
        if data.pop(key, None) is not None:
            warnings.warn(
                f"{path}: [{key}]: notices go out by push only; this table is not used: delete it, "
                "and set up [push] to tell players of their turns",
                stacklevel=2,
            )
    found = _Table(path, "", data)
    push = found.table("push")
    made = Settings(None if push is None else _push(push), found.number("after", _AFTER, 0.0, _DAY))
    for table in (found, push):
        if table is not None:
            table.end()
    return made


def _push(table: _Table) -> Push:
    contact = table.string("contact")
    if not contact.startswith("https://") and not (
        contact.startswith("mailto:") and _ADDRESS.fullmatch(contact.removeprefix("mailto:"))
    ):
        raise table.wrong("contact", "give mailto:YOU@EXAMPLE.ORG or an https address")
    if find_spec("pywebpush") is None:
        raise UnavailableError(f"notices by push need pywebpush: {install('push')}")
    return Push(contact, private=table.truth("private"))


class _Table:
    """A table of the file, from which each key is taken once; what is left is unknown."""

    def __init__(self, path: Path, name: str, data: Mapping[str, Any]) -> None:
        self._path, self._name, self._data, self._known = path, name, data, list[str]()

    def wrong(self, key: str, why: str) -> InputError:
        where = f"{self._name}.{key}" if self._name else key
        return InputError(f"{self._path}: {where}: {why}")

    def table(self, key: str) -> _Table | None:
        self._known.append(key)
        found = self._data.get(key)
        if found is None:
            return None
        if not isinstance(found, dict):
            raise self.wrong(key, f"must be a table: [{key}]")
        return _Table(self._path, key, found)

    def string(self, key: str) -> str:
        self._known.append(key)
        found = self._data.get(key)
        if found is None:
            raise self.wrong(key, "is missing")
        if not isinstance(found, str) or not found.isprintable():
            raise self.wrong(key, "must be a text")
        return found

    def number(self, key: str, otherwise: float, least: float, most: float) -> float:
        self._known.append(key)
        found = self._data.get(key, otherwise)
        if isinstance(found, bool) or not isinstance(found, int | float):
            raise self.wrong(key, "must be a number")
        if not least <= found <= most:
            raise self.wrong(key, f"must be from {least:g} to {most:g}")
        return float(found)

    def truth(self, key: str) -> bool:
        self._known.append(key)
        found = self._data.get(key, False)
        if not isinstance(found, bool):
            raise self.wrong(key, "must be true or false")
        return found

    def end(self) -> None:
        for key in self._data:
            if key not in self._known:
                raise self.wrong(key, f"is unknown; known are {', '.join(self._known)}")
