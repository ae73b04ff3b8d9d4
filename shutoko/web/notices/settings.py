"""The settings of notices: a file of TOML that `shutoko serve --notices FILE` names. A way to tell
somebody that the file does not mention is off.
"""

from __future__ import annotations

import re
import tomllib
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
ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")
"""What a mail address looks like; one that no server takes is found when mail is sent."""


@dataclass(frozen=True, slots=True)
class Push:
    """Web Push. `contact` is where the services of browsers find whoever runs the server. With
    `private`, endpoints may lie in the server's own network.
    """

    contact: str
    private: bool = False


@dataclass(frozen=True, slots=True)
class Mail:
    """The mail server that takes mail, and from whom it comes. `security` is how the connection is
    encrypted; `timeout` is in seconds.
    """

    host: str
    sender: str
    port: int = 587
    security: str = "starttls"
    user: str = ""
    password: str = ""
    timeout: float = 15.0


@dataclass(frozen=True, slots=True)
class Webhook:
    """Addresses of players' own programs. With `private`, they may lie in the server's own network,
    and need no TLS.
    """

    private: bool = False


@dataclass(frozen=True, slots=True)
class Settings:
    """The ways that are on; None is off. Notices go out `after` so many seconds, if it is still the
    same turn.
    """

    push: Push | None = None
    mail: Mail | None = None
    webhook: Webhook | None = None
    after: float = _AFTER

    @property
    def ways(self) -> tuple[str, ...]:
        """The names of the ways that are on."""
        return tuple(way for way in ("push", "mail", "webhook") if getattr(self, way) is not None)


def read(path: Path) -> Settings:
    """The settings in a file. Raises InputError, with file and key, for what is none, and
    UnavailableError for push without its package.
    """
    try:
        data = tomllib.loads(read_regular(path, _MOST).decode())
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: no settings of notices: {error}") from error
    found = _Table(path, "", data)
    push, mail, webhook = found.table("push"), found.table("mail"), found.table("webhook")
    after = found.number("after", _AFTER, 0.0, _DAY)
    made = Settings(
        None if push is None else _push(push),
        None if mail is None else _mail(mail),
        None if webhook is None else _webhook(webhook),
        after,
    )
    for table in (found, push, mail, webhook):
        if table is not None:
            table.end()
    return made


def _push(table: _Table) -> Push:
    contact = table.string("contact")
    if not contact.startswith("https://") and not (
        contact.startswith("mailto:") and ADDRESS.fullmatch(contact.removeprefix("mailto:"))
    ):
        raise table.wrong("contact", "give mailto:YOU@EXAMPLE.ORG or an https address")
    if find_spec("pywebpush") is None:
        raise UnavailableError(f"notices by push need pywebpush: {install('push')}")
    return Push(contact, private=table.truth("private"))


def _mail(table: _Table) -> Mail:
    sender, security = table.string("from"), table.string("security", "starttls")
    if not ADDRESS.fullmatch(sender):
        raise table.wrong("from", "give one mail address")
    if security not in ("starttls", "tls", "none"):
        raise table.wrong("security", "choose starttls, tls or none")
    user, password = table.string("user", ""), table.string("password", "")
    if bool(user) != bool(password):
        raise table.wrong("user", "user and password go together")
    usual = {"starttls": 587, "tls": 465, "none": 25}[security]
    return Mail(
        table.string("host"),
        sender,
        int(table.number("port", usual, 1, 65535)),
        security,
        user,
        password,
        table.number("timeout", 15.0, 0.1, 120.0),
    )


def _webhook(table: _Table) -> Webhook:
    return Webhook(private=table.truth("private"))


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

    def string(self, key: str, otherwise: str | None = None) -> str:
        self._known.append(key)
        found = self._data.get(key, otherwise)
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
