"""How much of a long random series is run: a part, or all of it where SHUTOKO_GAMES is "all", as in
.ci/run.
"""

import os

WHOLE = os.environ.get("SHUTOKO_GAMES") == "all"


def part(number: int, of: int) -> int:
    """One in `of` of that many random cases, or each of them."""
    return number if WHOLE else number // of
