"""The errors of the project, each with one message that says what, where, why and what to do.

ShutokoError                  anything this project raises on purpose
+-- InputError                unusable input: a file, an option, a name (also a ValueError); exit code 2
|   +-- RecordError           a record that cannot be read: path, line and ply
|   +-- NotationError         a move's text that cannot be read
+-- IllegalMoveError          a readable move that the rules refuse (also a ValueError); exit code 1
+-- UnavailableError          something optional is not installed here, with the command that installs it; exit code 2
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

__all__ = ["IllegalMoveError", "InputError", "NotationError", "RecordError", "ShutokoError", "UnavailableError"]


class ShutokoError(Exception):
    """Anything this project raises on purpose."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self.args, dict(vars(self)))  # errors come back from worker processes as they were


class InputError(ShutokoError, ValueError):
    """Unusable input; the message says what is wrong with it and what would do."""


class RecordError(InputError):
    """A record that cannot be used: `FILE:LINE: ply N: what and why`.

    `path`, `line` (1-based) and `ply` are None where they are not known.
    """

    def __init__(self, reason: str, path: Path | str | None = None, line: int | None = None, ply: int | None = None) -> None:
        self.reason, self.path, self.line, self.ply = reason, path, line, ply
        super().__init__(located(reason, path, line, ply))


class NotationError(InputError):
    """A move's text that cannot be read: the text, the position it was meant for, and the reason."""

    def __init__(self, text: str, position: str, reason: str) -> None:
        self.text, self.position, self.reason = text, position, reason
        super().__init__(f"{text!r} is not a move ({reason}); position: {position}")


class IllegalMoveError(ShutokoError, ValueError):
    """A readable move that the rules refuse: the text, the position it was meant for, and the reason.

    `faults` are all reasons where there are several; `reason` and the message name the first and how many more there are.
    """

    def __init__(self, text: str, position: str, reason: str, faults: Sequence[str] = ()) -> None:
        self.text, self.position, self.reason = text, position, reason
        self.faults = tuple(faults) or (reason,)
        super().__init__(f"{text!r} is illegal: {reason}; position: {position}")


class UnavailableError(ShutokoError):
    """Something optional is not installed; the message names the command that installs it."""


def _again(kind: type[ShutokoError], args: tuple[Any, ...], state: dict[str, Any]) -> ShutokoError:
    error = kind.__new__(kind)
    error.args = args
    vars(error).update(state)
    return error


def located(reason: str, path: Path | str | None = None, line: int | None = None, ply: int | None = None) -> str:
    """The one form of a message about a place in a file: `FILE:LINE: ply N: reason`."""
    where = "" if path is None else f"{path}:" if line is None else f"{path}:{line}:"
    at = "" if ply is None else f"ply {ply}:"
    return " ".join(part for part in (where, at, reason) if part)
