"""Where the shipped data is: `sim/_assets` in an installed wheel, `assets/` beside the packages in
a checkout.
"""

import os
from pathlib import Path

from rules.errors import InputError

_HERE = Path(__file__).resolve().parent
_ROOTS = (_HERE / "_assets", _HERE.parent / "assets")


def asset(*parts: str) -> Path:
    """The path of a shipped file or folder, for example `asset("rulesets", "fr.toml")`.

    Raises InputError, which lists the valid names, if nothing of that name is shipped.
    """
    for root in _ROOTS:
        path = root.joinpath(*parts)
        # not `Path.exists`: that raises an error for a name that is too long or holds a NUL
        if os.path.exists(path):  # noqa: PTH110
            return path
    *folder, name = parts
    shipped = "components, languages, policies, records, rulesets, schema"
    known = ", ".join(names(*folder)) if folder else shipped
    raise InputError(
        f"nothing named {name[:80]!r} is shipped under {'/'.join(folder) or 'assets'}; available: "
        f"{known}"
    )


def names(folder: str, *more: str) -> tuple[str, ...]:
    """The names, without suffix and sorted, of the files shipped in a folder."""
    return tuple(sorted(path.stem for path in asset(folder, *more).iterdir() if path.is_file()))
