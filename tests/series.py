"""How much of a long series of cases is run: a part, or all of it where SHUTOKO_GAMES is "all", as
in .ci/run.
"""

import os

WHOLE = os.environ.get("SHUTOKO_GAMES") == "all"


def part(number: int, of: int) -> int:
    """One in `of` of that many cases, or each of them."""
    return number if WHOLE else number // of
