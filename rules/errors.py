"""The errors of the project. Each has one message that says what is wrong, where, why, and what to
do.

ShutokoError                  every error that this project raises on purpose
+-- InputError                unusable input: a file, an option, a name (also a ValueError); exit
                              code 2
|   +-- RecordError           a record that cannot be used, with path, line and ply
|   +-- NotationError         the text of a move that cannot be read
+-- IllegalMoveError          a move that can be read but is against the rules (also a ValueError);
                              exit code 1
+-- UnavailableError          an optional part is not installed; the message gives the command that
                              installs it; exit code 2
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

_QUOTED = 200  # characters of a move that a message quotes at most


class Refusal(str):
    """Why a move is refused: a text in English that also knows its `code`, and the `values` in it
    by name.

    A program that knows the code puts the reason into other languages, and values that are Refusals
    with it. An error may give any text as its reason; one that is no Refusal, or whose code is
    unknown, is shown in English.
    """

    __slots__ = ("code", "values")
    code: str
    values: Mapping[str, Any]

    def __new__(cls, text: str, code: str, /, **values: Any) -> Self:
        """The reason `text`; `code` says which sentence it is."""
        made = super().__new__(cls, text)
        made.code, made.values = code, values
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[str, str], dict[str, Any]]:
        # so that a reason survives the way back from a worker process
        return (str(self), self.code), dict(self.values)


GAME_OVER = Refusal("the game is over", "game-over")


def why(error: Exception) -> str:
    """Why, without the place and the position: a Refusal if the error has one, else its message."""
    reason = getattr(error, "reason", None)
    if isinstance(reason, str) and reason:
        return reason
    return error.args[0] if error.args and isinstance(error.args[0], Refusal) else str(error)


class ShutokoError(Exception):
    """Every error that this project raises on purpose."""

    def __reduce__(self) -> tuple[Any, ...]:
        # so that errors survive the way back from a worker process
        return _again, (
            type(self),
            self.args,
            dict(vars(self)),
        )


class InputError(ShutokoError, ValueError):
    """Unusable input. The message says what is wrong with it and what can be used instead."""


class RecordError(InputError):
    """A record that cannot be used: `FILE:LINE: ply N: what and why`.

    `path`, `line` (from 1) and `ply` (from 0) are None if they are unknown.
    """

    def __init__(
        self,
        reason: str,
        path: Path | str | None = None,
        line: int | None = None,
        ply: int | None = None,
    ) -> None:
        self.reason, self.path, self.line, self.ply = reason, path, line, ply
        super().__init__(located(reason, path, line, ply))


class NotationError(InputError):
    """The text of a move that cannot be read, with the position it was meant for and the reason.

    `reason` may be a Refusal. The message quotes only the beginning of a long text.
    """

    def __init__(self, text: str, position: str, reason: str) -> None:
        self.text, self.position, self.reason = text, position, reason
        super().__init__(f"{cut(text)!r} is not a move ({reason}); position: {position}")


class IllegalMoveError(ShutokoError, ValueError):
    """A move that can be read but is against the rules: its text, the position it was meant for,
    and the reason.

    `faults` are all reasons. If there are several, `reason` and the message give the first and the
    number of the others. A single reason may be a Refusal.
    """

    def __init__(self, text: str, position: str, reason: str, faults: Sequence[str] = ()) -> None:
        self.text, self.position, self.reason = text, position, reason
        self.faults = tuple(faults) or (reason,)
        super().__init__(f"{cut(text)!r} is illegal: {reason}; position: {position}")


class UnavailableError(ShutokoError):
    """An optional part is not installed. The message gives the command that installs it."""


def _again(kind: type[ShutokoError], args: tuple[Any, ...], state: dict[str, Any]) -> ShutokoError:
    error = kind.__new__(kind)
    error.args = args
    vars(error).update(state)
    return error


def cut(text: str) -> str:
    """The text as a message quotes it: only the beginning if it is long."""
    return text if len(text) <= _QUOTED else f"{text[:_QUOTED]}..."


def located(
    reason: str, path: Path | str | None = None, line: int | None = None, ply: int | None = None
) -> str:
    """A message about a place in a file, always in this form: `FILE:LINE: ply N: reason`."""
    where = "" if path is None else f"{path}:" if line is None else f"{path}:{line}:"
    at = "" if ply is None else f"ply {ply}:"
    return " ".join(part for part in (where, at, reason) if part)
