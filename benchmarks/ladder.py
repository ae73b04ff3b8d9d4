"""How strong the levels of a game are: neighbours play each other, and the weakest meets a player
that sees one move.

    python benchmarks/ladder.py meridians [--games 60] [--seed 0] [--out DIR]

Prints a table: each level's rating in Elo points with its 95 % interval, counted from the weakest,
and what it won against the level below. With `--out DIR` the records are kept, and the same command
goes on where it was stopped. Tokyo Highway is played on geometry alone. The last line tells how
often the player `greedy`, which sees one move, beats the weakest level.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from rules import arena
from rules.arena.players import LEVELS
from rules.arena.rating import Result, ratings, result, wilson

__all__ = ["GAMES", "main"]

GAMES: dict[str, tuple[str, str, dict[str, str]]] = {
    "meridians": ("best:level={}", "best:seconds=0.1,clock=cpu", {}),
    "thruway": ("best:level={}", "best:seconds=0.1,clock=cpu", {}),
    "tokyo-highway": ("planner:level={}", "planner", {"engine": "none"}),
}
"""The spec of a level, that of full strength as it is measured here, and the options of the
game.
"""
_LONG = 3  # full strength thinks long, so it plays this many times fewer games
_MOST_PLIES = 1000  # a longer game is undecided


def main(argv: Sequence[str] | None = None) -> None:
    """Plays the ladder of a game and prints it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=tuple(GAMES))
    parser.add_argument("--games", type=int, default=60, help="games of each two neighbours")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--out", type=Path, help="keep the records in this folder, and go on with those in it"
    )
    given = parser.parse_args(argv)
    level, full, _ = GAMES[given.game]
    specs = [*(level.format(name) for name in LEVELS[:-1]), full]
    with TemporaryDirectory() as scratch:
        folder = given.out or Path(scratch)
        steps = []
        for n, pair in enumerate(pairwise(specs), 1):
            games = given.games if n < len(specs) - 1 else max(given.games // _LONG, 2)
            steps.append(met(given.game, pair, games, given.seed, folder / LEVELS[n]))
        outside = met(given.game, ("greedy", specs[0]), given.games, given.seed, folder / LEVELS[0])
    show(specs, steps)
    print(f"\n`greedy` beats the level `{LEVELS[0]}` in {share(outside, 'greedy')}")


def met(name: str, players: tuple[str, str], games: int, seed: int, folder: Path) -> list[Result]:
    """The results of two players against each other; plays the games that the folder lacks."""
    tournament = arena.Tournament(name, players, seed, GAMES[name][2], max_plies=_MOST_PLIES)
    matches = arena.schedule(tournament, 2, games)
    arena.open_folder(folder, tournament)
    there = arena.ended(folder, matches)
    for match, record in arena.play(tournament, [match for match in matches if match not in there]):
        arena.keep(folder, match, record)
        there[match] = record
    print(f"  {players[1]} against {players[0]}: {len(matches)} games", file=sys.stderr, flush=True)
    return [result(there[match]) for match in matches]


def show(specs: Sequence[str], steps: Sequence[Sequence[Result]]) -> None:
    """Prints the table."""
    rated = {one.player: one.elo for one in ratings([one for step in steps for one in step])}
    least = rated[specs[0]].value
    print("| level | player | Elo | 95 % | against the level below |")
    print("|---|---|---|---|---|")
    for n, spec in enumerate(specs):
        elo, won = rated[spec], share(steps[n - 1], spec) if n else ""
        low, high = elo.low - least, elo.high - least
        print(
            f"| {n + 1} {LEVELS[n]} | `{spec}` | {elo.value - least:.0f} | {low:.0f} to {high:.0f} "
            f"| {won} |"
        )


def share(results: Sequence[Result], player: str) -> str:
    """As `31 of 40 (78 %, 62 to 88)`."""
    won = sum(
        one.score(one.players.index(player), 1 - one.players.index(player)) for one in results
    )
    between = wilson(won, len(results))
    return (
        f"{won:g} of {len(results)} ({100 * between.value:.0f} %, {100 * between.low:.0f} to "
        f"{100 * between.high:.0f})"
    )


if __name__ == "__main__":
    main()
