"""What the first answer on a new machine costs: CPU seconds of a process with an empty cache of
compiled code.

`python benchmarks/compile.py` starts a fresh process for each row, with NUMBA_CACHE_DIR in an empty
folder, and prints the CPU seconds from the start of that process to its answer. `opponent` is the
answer of the default opponent of `shutoko play` (`best:level=medium`); `both games` is one such
answer in each game, one process after the other; `hint` is the advice of the strongest player
(`best`) in a process of its own, `everything` is `shutoko doctor --compile`. The second column is
the same process once more, with the cache that the first one left.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

__all__ = ["main"]

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


def main() -> None:
    """Measures the rows that were asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
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


if __name__ == "__main__":
    main()
