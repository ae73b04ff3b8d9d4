"""Small boards solved, and what the first answer on a new machine costs.

    python benchmarks/solvers.py thruway [ARGUMENT ...]
    python benchmarks/solvers.py meridians [ARGUMENT ...]
    python benchmarks/solvers.py first-answer [ARGUMENT ...]

Each part says in its own words what it measures.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import rules
from benchmarks import parts
from rules.grid.search.meridians_solver import SIZE, Solver
from rules.grid.search.meridians_solver import solution as solved_meridians
from rules.grid.search.thruway_solver import Solution, solve
from rules.grid.thruway import game

# --- thruway --------------------------------------------------------------------------------------

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


def thruway_main() -> None:
    """Solves Thruway on small boards: who wins, and what the solution costs.

    `python benchmarks/solvers.py thruway` solves size 3 with every ko rule; `--size 4 --ko undo`
    solves one game in half a minute and half a gigabyte. `--write` keeps the results in
    tests/data/thruway_solved.json, beside those of other games.
    """
    parser = argparse.ArgumentParser(description=parts.first_line(thruway_main))
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


# --- meridians ------------------------------------------------------------------------------------


def meridians_main() -> None:
    """Meridians of size 3, solved: `python benchmarks/solvers.py meridians` prints what perfect
    play gives and what it took.

    The first run on a machine compiles the solver; the time printed is that of a second search in
    the same process.
    """
    solved_meridians()
    solved_meridians.cache_clear()
    began = time.process_time()
    solved = solved_meridians()
    took = time.process_time() - began
    firsts = Solver().moves(rules.game("meridians", size=SIZE).start())
    winning = [str(move) for move, value in firsts.items() if value > 0]
    print(f"Meridians {SIZE} solved in {took:.1f} s of CPU time, without a cycle")
    print(f"positions past the opening, up to exchanging colours: {solved.states:,}")
    print(f"longest game: {solved.longest} plies")
    print(f"first points that win for light: {len(winning)} of {len(firsts)} ({' '.join(winning)})")
    won, lost = max(firsts.values()), -min(firsts.values())
    print(f"plies with perfect play: {won} after a winning first point, {lost} after a losing one")


# --- first-answer ---------------------------------------------------------------------------------

_ANSWER = """
import sys
import numpy as np
import rules
from rules.arena.players import player
name, spec = sys.argv[1:]
game = rules.game(name)
state = game.start()
rng = np.random.default_rng(0)
for move in game.start().legal_moves()[:1]:
    state = state.after(move)
asked = player(spec, game)
asked.choose(state, rng)
"""


def _answer(game: str, spec: str) -> list[str]:
    return ["-c", _ANSWER, game, spec]


ROWS: dict[str, tuple[list[str], ...]] = {
    "thruway, opponent": (_answer("thruway", "best:level=medium"),),
    "meridians, opponent": (_answer("meridians", "best:level=medium"),),
    "both games, opponent": (
        _answer("thruway", "best:level=medium"),
        _answer("meridians", "best:level=medium"),
    ),
    "thruway, hint": (_answer("thruway", "best:seconds=0.1"),),
    "everything": (["-m", "shutoko", "doctor", "--compile"],),
}
"""The processes of each row of the table."""


def first_answer_main() -> None:
    """What the first answer on a new machine costs: CPU seconds of a process with an empty cache of
    compiled code.

    `python benchmarks/solvers.py first-answer` starts a fresh process for each row, with
    NUMBA_CACHE_DIR in an empty folder, and prints the CPU seconds from the start of that process to
    its answer. `opponent` is the answer of the default opponent of `shutoko play`
    (`best:level=medium`); `both games` is one such answer in each game, one process after the
    other; `hint` is the advice of the strongest player (`best`) in a process of its own,
    `everything` is `shutoko doctor --compile`. The second column is the same process once more,
    with the cache that the first one left.
    """
    parser = argparse.ArgumentParser(
        description=first_answer_main.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("rows", nargs="*", metavar="ROW", help=f"default: all of {', '.join(ROWS)}")
    asked = parser.parse_args().rows or list(ROWS)
    if unknown := set(asked) - set(ROWS):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; choose from: {', '.join(ROWS)}")
    print(f"{'CPU seconds':24} {'cold':>8} {'warm':>8}")
    for row in asked:
        with tempfile.TemporaryDirectory() as cache:
            cold, warm = _seconds(ROWS[row], Path(cache)), _seconds(ROWS[row], Path(cache))
        print(f"{row:24} {cold:8.1f} {warm:8.1f}", flush=True)


def _seconds(processes: tuple[list[str], ...], cache: Path) -> float:
    """CPU seconds of the processes and of what they start themselves, one after the other."""
    environment = {
        **os.environ,
        "NUMBA_CACHE_DIR": str(cache),
        "PYTHONPATH": os.pathsep.join(_import_path()),
    }
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for arguments in processes:
        subprocess.run(  # noqa: S603 - this program
            [sys.executable, *arguments], env=environment, check=True, stdout=subprocess.DEVNULL
        )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _import_path() -> list[str]:
    """The checkout that this process would import, then what was there already."""
    return [str(Path.cwd()), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]


PARTS: dict[str, parts.Part] = {
    "thruway": thruway_main,
    "meridians": meridians_main,
    "first-answer": first_answer_main,
}

if __name__ == "__main__":
    sys.exit(parts.run(PARTS))
