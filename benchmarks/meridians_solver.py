"""Meridians of size 3, solved: `python benchmarks/meridians_solver.py` prints what perfect play
gives and what it took.

The first run on a machine compiles the solver; the time printed is that of a second search in the
same process.
"""

from __future__ import annotations

import time

import rules
from rules.grid.search.meridians_solver import SIZE, Solver, solution


def main() -> None:
    """Solves the board twice and prints the results."""
    solution()
    solution.cache_clear()
    began = time.process_time()
    solved = solution()
    took = time.process_time() - began
    firsts = Solver().moves(rules.game("meridians", size=SIZE).start())
    winning = [str(move) for move, value in firsts.items() if value > 0]
    print(f"Meridians {SIZE} solved in {took:.1f} s of CPU time, without a cycle")
    print(f"positions past the opening, up to exchanging colours: {solved.states:,}")
    print(f"longest game: {solved.longest} plies")
    print(f"first points that win for light: {len(winning)} of {len(firsts)} ({' '.join(winning)})")
    won, lost = max(firsts.values()), -min(firsts.values())
    print(f"plies with perfect play: {won} after a winning first point, {lost} after a losing one")


if __name__ == "__main__":
    main()
