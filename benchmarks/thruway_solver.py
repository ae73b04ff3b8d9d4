"""Solves Thruway on small boards: who wins, and what the solution costs.

`python benchmarks/thruway_solver.py` solves size 3 with every ko rule; `--size 4 --ko undo` solves
one game in half a minute and half a gigabyte. `--write` keeps the results in
tests/data/thruway_solved.json, beside those of other games.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from rules.grid.search.thruway_solver import Solution, solve
from rules.grid.thruway import game

__all__ = ["main"]

KEPT = Path(__file__).resolve().parents[1] / "tests" / "data" / "thruway_solved.json"
_KO = ("undo", "same", "any", "none")


def _found(solution: Solution, seconds: float) -> dict[str, Any]:
    start = solution.game.start()
    verdict = solution.verdict(start)
    return {
        "options": {
            "size": solution.game.size,
            "trade": solution.game.trade,
            "ko": solution.game.ko,
        },
        "positions": len(solution.keys),
        "drawn": int((solution.values == 0).sum()),
        "longest": int((solution.values & 127).max()),
        "seconds": round(seconds, 3),
        "start": [verdict.winner, verdict.plies],
        "first": {
            str(move): [one.winner, one.plies] for move, one in solution.moves(start).items()
        },
    }


def _kept(found: list[dict[str, Any]]) -> None:
    known = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else []
    every = {json.dumps(case["options"]): case for case in (*known, *found)}
    lines = [json.dumps(every[options]) for options in sorted(every)]
    KEPT.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


def main() -> None:
    """Solve, print, and keep if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--size", type=int, default=3, choices=(3, 4), help="default: 3")
    parser.add_argument("--ko", choices=_KO, help="default: all")
    parser.add_argument("--write", action="store_true", help="keep the verdicts for the tests")
    args = parser.parse_args()
    solve(game(3, trade=False))  # compiles
    found = []
    for ko in (args.ko,) if args.ko else _KO:
        begin = time.process_time()
        plain = solve(game(args.size, trade=False, ko=ko))
        seconds = time.process_time() - begin
        # the trade is not part of the graph: the same values serve both games
        for solution in (
            plain,
            Solution(game(args.size, trade=True, ko=ko), plain.keys, plain.values),
        ):
            case = _found(solution, seconds)
            found.append(case)
            won = sum(winner == 0 for winner, _ in case["first"].values())
            print(
                f"{case['options']}: seat {case['start'][0]} wins in {case['start'][1]}; of "
                f"{len(case['first'])} first moves "
                f"{won} win; {case['positions']:,} positions, {case['drawn']:,} drawn, longest "
                f"{case['longest']} plies; "
                f"{case['seconds']} s CPU"
            )
    if args.write:
        _kept(found)


if __name__ == "__main__":
    main()
