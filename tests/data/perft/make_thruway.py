"""Makes thruway.json, perft counts of Thruway: `python tests/data/perft/make_thruway.py`, some
minutes.

Every count is that of tests/thruway_oracle.py, the slow second statement of the rules; the script
stops where the compiled rules differ.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import rules

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[2]))

from tests.thruway_oracle import Oracle  # noqa: E402

FIGURES = "f6-g6 e5-f5 e6-e7 d4-d5 f5-g5 f6-f7"
CASES: list[tuple[dict[str, Any], str, int]] = [
    ({"size": 3}, "", 4),
    ({"size": 3, "trade": False}, "", 7),
    ({"size": 3, "trade": False, "reserve": 3}, "", 5),
    ({"size": 4, "trade": False}, "", 4),
    ({"size": 4}, "", 3),
    ({"size": 5, "trade": False}, "", 3),
    ({"size": 6, "trade": False}, "", 3),
    ({"size": 7, "trade": False}, "", 3),
    *(
        ({"trade": False, "ko": ko}, f"{FIGURES} e6/f6", 2)
        for ko in ("undo", "same", "any", "none")
    ),
    *(
        (
            {"size": 4, "trade": False, "ko": ko},
            "c1-c2 b1-b2 a3-b3 d1-d2 a1-a2 a4-b4 c3-c4 c3-d3",
            4,
        )
        for ko in ("undo", "same", "any", "none")
    ),
]


def main() -> None:
    """Count, compare, write."""
    lines = []
    for options, moves, deepest in CASES:
        fast, slow = rules.game("thruway", **options).start(), Oracle(**{"size": 11, **options})
        for text in moves.split():
            fast, slow = fast.after(fast.parse(text)), slow.after(text)
        counts = [slow.perft(depth) for depth in range(1, deepest + 1)]
        found = [fast.perft(depth) for depth in range(1, deepest + 1)]
        if counts != found:
            raise SystemExit(
                f"{options} after {moves or 'nothing'}: the oracle counts {counts}, the kernels "
                f"{found}"
            )
        lines.append(json.dumps({"options": options, "moves": moves, "counts": counts}))
        sys.stdout.write(lines[-1] + "\n")
    (HERE / "thruway.json").write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
