"""The known name that is nearest to an unknown one."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_LIKENESS = 0.7  # of difflib: one slip in a short name, two in a long one


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that is most like this one; None if none is, and for a number. Capitals do not
    count.
    """
    if name.lstrip("-").isdigit():  # 0 is not a slip for 10
        return None
    names = {one.lower(): one for one in known}
    found = difflib.get_close_matches(name[:100].lower(), names, n=1, cutoff=_LIKENESS)
    return names[found[0]] if found else None


def meant(name: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: `; did you mean NAME?`, or nothing if no known
    name is near.
    """
    found = nearest(name, known)
    return "" if found is None else f"; did you mean {found}?"
