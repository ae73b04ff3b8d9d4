"""Makes meridians.json and thruway.json anew: `python tests/data/perft/make.py`, some minutes of
work for each.

Every number is counted twice, by the compiled kernels and by the slow engine of the tests, and
nothing is written unless all agree. Some tables of Meridians begin late in a random game, so that
removals, forced passes and ends are counted, too.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2]))

import numpy as np  # noqa: E402

import rules  # noqa: E402
from tests import meridians_oracle, thruway_oracle  # noqa: E402

FIGURES = "f6-g6 e5-f5 e6-e7 d4-d5 f5-g5 f6-f7 e6/f6"
DISPUTES = "c1-c2 b1-b2 a3-b3 d1-d2 a1-a2 a4-b4 c3-c4 c3-d3"
KO = ("undo", "same", "any", "none")
THRUWAY: list[tuple[dict[str, Any], str, int]] = [
    ({"size": 3}, "", 4),
    ({"size": 3, "trade": False}, "", 7),
    ({"size": 3, "trade": False, "reserve": 3}, "", 5),
    ({"size": 4, "trade": False}, "", 4),
    ({"size": 4}, "", 3),
    *(({"size": size, "trade": False}, "", 3) for size in (5, 6, 7)),
    *(({"trade": False, "ko": ko}, FIGURES, 2) for ko in KO),
    *(({"size": 4, "trade": False, "ko": ko}, DISPUTES, 4) for ko in KO),
]
"""Options, moves, depth."""
MERIDIANS: list[tuple[dict[str, Any], int, int]] = [
    ({"size": 3}, 0, 8),
    ({"size": 3, "pie": True}, 0, 7),
    ({"size": 4}, 0, 5),
    ({"size": 4, "pie": True}, 0, 4),
    ({"size": 5}, 0, 4),
    ({"size": 6}, 0, 3),
    ({"size": 7}, 0, 3),
    ({"size": 7, "pie": True}, 0, 2),
    ({"size": 3}, 7, 6),
    ({"size": 4}, 5, 4),
    *(({"size": size}, 4, 3) for size in (5, 6, 7)),
]
"""Options, how many plies before the end of a game that ends with a forced pass the table begins
(0: at the start), depth.
"""


def late(options: dict[str, Any], before: int) -> str:
    """The moves of the first long random game that ends with a forced pass, up to `before` plies
    before its end.
    """
    rng, moves = np.random.default_rng(options["size"]), list[str]()
    while not moves or moves[-1] != "pass" or len(moves) <= before + 4:  # past the opening
        state, moves = rules.game("meridians", **options).start(), []
        while state.outcome() is None:
            legal = state.legal_moves()
            moves.append(str(legal[int(rng.integers(len(legal)))]))
            state = state.after(moves[-1])
    return " ".join(moves[:-before])


def counted(name: str, slow: Any, cases: Any, least: int) -> Iterator[str]:
    """A line of JSON for each case, with the counts of the depths from `least` on."""
    for options, moves, depth in cases:
        fast, oracle = rules.game(name, **options).start(), slow(**{"size": 11} | options)
        for text in moves.split():
            fast, oracle = fast.after(text), oracle.after(text)
        counts, again = ([one.perft(n) for n in range(least, depth + 1)] for one in (fast, oracle))
        if counts != again:
            raise SystemExit(f"{name} {options} {moves}: the kernels {counts}, slowly {again}")
        yield json.dumps({"options": options, "moves": moves, "counts": counts})
        sys.stdout.write(f"{name} {options} {counts}\n")


def main() -> None:
    """Counts and writes all tables."""
    begun = [(options, late(options, n) if n else "", depth) for options, n, depth in MERIDIANS]
    for name, slow, cases, least in (
        ("meridians", meridians_oracle.Oracle, begun, 0),
        ("thruway", thruway_oracle.Oracle, THRUWAY, 1),
    ):
        lines = ",\n".join(counted(name, slow, cases, least))
        (HERE / f"{name}.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
