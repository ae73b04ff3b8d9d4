"""Where the shipped data is: `sim/_assets` in an installed wheel, `assets/` beside the packages in a checkout."""

from __future__ import annotations

from pathlib import Path

from rules.errors import InputError

__all__ = ["asset", "names"]

_HERE = Path(__file__).resolve().parent
_ROOTS = (_HERE / "_assets", _HERE.parent / "assets")


def asset(*parts: str) -> Path:
    """The path of a shipped file or folder, for example `asset("rulesets", "fr.toml")`.

    Raises InputError, which lists the valid names, if nothing of that name is shipped.
    """
    for root in _ROOTS:
        path = root.joinpath(*parts)
        if path.exists():
            return path
    *folder, name = parts
    known = ", ".join(names(*folder)) if folder else "components, records, rulesets, schema"
    raise InputError(f"nothing named {name!r} is shipped under {'/'.join(folder) or 'assets'}; available: {known}")


def names(folder: str, *more: str) -> tuple[str, ...]:
    """The names, without suffix and sorted, of the files shipped in a folder."""
    return tuple(sorted(path.stem for path in asset(folder, *more).iterdir() if path.is_file()))
