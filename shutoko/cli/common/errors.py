"""How commands report errors: one line on standard error for people, and with `--json` one object
on standard output as well.

docs/commands.md has the schema of the object; `KINDS` are the kinds in it.
"""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import islice
from pathlib import Path
from typing import Any

from rules.errors import (
    IllegalMoveError,
    InputError,
    NotationError,
    RecordError,
    ShutokoError,
    UnavailableError,
)
from rules.near import nearest
from shutoko.extras import remedy
from shutoko.plain import plain_line

NO, UNUSABLE, BUG, INTERRUPTED = 1, 2, 70, 130
"""Exit codes: the answer is no, the input cannot be used, a bug of ours, interrupted."""

KINDS = (
    "usage",
    "record",
    "notation",
    "input",
    "illegal-move",
    "unavailable",
    "system",
    "interrupted",
    "bug",
)
"""What an error can be, as programs read it."""

_MOST_FILES = 2000  # of a folder, compared with the name of a missing file

_as_json: ContextVar[bool] = ContextVar("as_json", default=False)


def asked_for_json() -> bool:
    """Whether the command line has `--json`."""
    return _as_json.get()


@contextmanager
def speaking_json(wanted: bool) -> Iterator[None]:
    """Within the block `tell` also prints JSON, if that is wanted."""
    before = _as_json.set(wanted)
    try:
        yield
    finally:
        _as_json.reset(before)


def tell(
    error: BaseException | str,
    *,
    message: str | None = None,
    kind: str | None = None,
    file: Path | None = None,
    printed: bool = False,
) -> int:
    """Report an error and return its exit code.

    `message` is what to say if that is not the error's own text, `kind` one of KINDS for a text
    that is no exception, `file` what was being read. `printed`: the command has already printed an
    object of its own that says the same.
    """
    found = kind or _kind(error)
    code = code_of(found)
    told = f"{message or _line(error)}{_near_file(error)}"
    sys.stdout.flush()
    if _as_json.get() and not printed:
        print(
            json.dumps(
                {"error": _object(error, found, code, told, file)},
                ensure_ascii=False,
                separators=(",", ":"),
            ),
            flush=True,
        )
    print(f"shutoko: {plain_line(told)}", file=sys.stderr)
    return code


def code_of(kind: str) -> int:
    """The exit code that goes with a kind of error."""
    return {"illegal-move": NO, "bug": BUG, "interrupted": INTERRUPTED}.get(kind, UNUSABLE)


def bug_line(error: BaseException) -> str:
    """What to tell people of an error that is a bug of ours."""
    what = " ".join(f"{type(error).__name__}: {error}".split())
    return (
        f"this is a bug, please report it ({what[:500]}); SHUTOKO_TRACEBACK=1 in the "
        "environment shows where"
    )


def _kind(error: BaseException | str) -> str:
    kinds = {
        RecordError: "record",
        NotationError: "notation",
        InputError: "input",
        IllegalMoveError: "illegal-move",
        UnavailableError: "unavailable",
        ShutokoError: "input",
        OSError: "system",
        KeyboardInterrupt: "interrupted",
    }
    found = next((kind for class_, kind in kinds.items() if isinstance(error, class_)), "bug")
    return "unavailable" if found == "bug" and _remedy(error) else found


def _line(error: BaseException | str) -> str:
    """What people read."""
    if isinstance(error, (ShutokoError, str)):
        cure = (
            isinstance(error, UnavailableError)
            and isinstance(error.__cause__, BaseException)
            and _remedy(error.__cause__)
        )
        return f"{error}; {cure}" if cure and "pip install" not in str(error) else str(error)
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}" if error.filename else str(error)
    if isinstance(error, KeyboardInterrupt):
        return "interrupted"
    cure = _remedy(error)
    return cure if cure and not os.environ.get("SHUTOKO_TRACEBACK") else bug_line(error)


def _near_file(error: BaseException | str) -> str:
    """The file whose name is nearest to that of a missing one."""
    missing = error if isinstance(error, (str, FileNotFoundError)) else error.__cause__
    if not isinstance(missing, FileNotFoundError) or not isinstance(missing.filename, (str, Path)):
        return ""
    path = Path(missing.filename)
    try:
        there = [one.name for one in islice(path.parent.iterdir(), _MOST_FILES)]
    except OSError:
        return ""
    found = nearest(path.name, there)
    return "" if found is None else f"; did you mean {path.parent / found}?"


def _remedy(error: BaseException | str) -> str | None:
    """How to install what is missing, if that is the error."""
    return remedy(error.name) if isinstance(error, ModuleNotFoundError) and error.name else None


def _object(
    error: BaseException | str, kind: str, code: int, told: str, file: Path | None
) -> dict[str, Any]:
    """The object of docs/commands.md: what is not known is left out."""
    where = getattr(error, "path", None) or getattr(error, "filename", None) or file
    known = {
        "file": None if where is None else str(where),
        "line": getattr(error, "line", None),
        "ply": getattr(error, "ply", None),
        "faults": [str(fault) for fault in getattr(error, "faults", ())] or None,
    }
    return {
        "kind": kind,
        "exit": code,
        "message": told,
        **{key: value for key, value in known.items() if value is not None},
    }
