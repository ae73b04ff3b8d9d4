"""The settings of notices: a file of TOML that `shutoko serve --notices FILE` names. Without a
table `[push]` they are off.
"""

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
_CONTACT = re.compile(
    r"https://[^\x00-\x1f\x7f]*"
    r"|mailto:[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*"
)
_KEYS = {
    "push": ((dict,), "must be a table: [push]"),
    "after": ((int, float), "must be a number"),
}
_PUSH_KEYS = {
    "contact": ((str,), "must be a text"),
    "private": ((bool,), "must be true or false"),
}
_GONE = ("mail", "webhook")  # tables for what older versions sent


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
    _check(f"{path}: ", data, _KEYS)
    after, push = data.get("after", _AFTER), data.get("push")
    if not 0.0 <= after <= _DAY:
        raise InputError(f"{path}: after: must be from 0 to {_DAY:g}")
    if push is not None:
        _check(f"{path}: push.", push, _PUSH_KEYS)
        if not _CONTACT.fullmatch(push.get("contact", "")):
            why = (
                "give mailto:YOU@EXAMPLE.ORG or an https address"
                if "contact" in push
                else "is missing"
            )
            raise InputError(f"{path}: push.contact: {why}")
        if find_spec("pywebpush") is None:
            raise UnavailableError(f"notices by push need pywebpush: {install('push')}")
    return Settings(None if push is None else Push(**push), float(after))


def _check(where: str, given: Mapping[str, Any], known: Mapping[str, tuple[Any, str]]) -> None:
    """Raises InputError for a key that is not known, and for a value of another kind."""
    for key, value in given.items():
        if key not in known:
            raise InputError(f"{where}{key}: is unknown; known are {', '.join(known)}")
        kinds, must = known[key]
        if type(value) not in kinds:
            raise InputError(f"{where}{key}: {must}")
