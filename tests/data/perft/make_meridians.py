"""Makes meridians.json anew: `python tests/data/perft/make_meridians.py`, some minutes of work.

Every number is counted twice, by the compiled kernels and by the slow engine of the tests, and
nothing is written unless all agree. Some tables begin late in a random game, so that removals,
forced passes and ends are counted too.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[2]), str(HERE.parents[1])]

from meridians_oracle import Oracle  # noqa: E402

import rules  # noqa: E402

_TABLES = (
    ({"size": 3}, 8),
    ({"size": 3, "pie": True}, 7),
    ({"size": 4}, 5),
    ({"size": 4, "pie": True}, 4),
    ({"size": 5}, 4),
    ({"size": 6}, 3),
    ({"size": 7}, 3),
    ({"size": 7, "pie": True}, 2),
)
_LATE = (
    ({"size": 3}, 6, 7),
    ({"size": 4}, 4, 5),
    ({"size": 5}, 3, 4),
    ({"size": 6}, 3, 4),
    ({"size": 7}, 3, 4),
)
"""Options, depth, and how many plies before the end of a game that ends with a forced pass the
table begins.
"""


def late(options: dict[str, Any], before: int) -> list[str]:
    """The moves of the first long random game that ends with a forced pass, up to `before` plies
    before its end.
    """
    import numpy as np

    rng = np.random.default_rng(options["size"])
    while True:
        state, played = rules.game("meridians", **options).start(), []
        while state.outcome() is None:
            moves = state.legal_moves()
            played.append(str(moves[int(rng.integers(len(moves)))]))
            state = state.after(state.parse(played[-1]))
        if played[-1] == "pass" and len(played) > before + 4:  # past the opening
            return played[:-before]


def table(options: dict[str, Any], moves: list[str], depth: int) -> dict[str, Any]:
    """The counts of depths 0 to `depth` behind those moves."""
    state, oracle = rules.game("meridians", **options).start(), Oracle(**options)
    for move in moves:
        state = state.after(state.parse(move))
        oracle.play(move)
    counts = [state.perft(d) for d in range(depth + 1)]
    again = [oracle.perft(d) for d in range(depth + 1)]
    if counts != again:
        raise SystemExit(f"{options} {moves}: the kernels count {counts}, the slow engine {again}")
    sys.stdout.write(f"{options} {len(moves)} {counts}\n")
    sys.stdout.flush()
    return {"options": options, "moves": " ".join(moves), "counts": counts}


def main() -> None:
    """Counts and writes all tables."""
    tables = [table(options, [], depth) for options, depth in _TABLES]
    tables += [table(options, late(options, before), depth) for options, depth, before in _LATE]
    lines = ",\n".join(json.dumps(one) for one in tables)
    (HERE / "meridians.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
