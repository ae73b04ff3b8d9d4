"""Is a player of Tokyo Highway better than the one of an older checkout, for as much CPU?

    git worktree add --detach ../older COMMIT
    python benchmarks/older.py ../older [--ruleset standard fr] [--seats 2]
        [--player planner:seconds=0.3,clock=cpu] [--games 100] [--seed 0]

The two play on geometry, without physics. Each answers from a process of its own, which imports its
own checkout; this one, the newer, judges every move. A round is one game for each way to share the
seats: one and one, two and two, or, with three seats, one against two, each seat and both ways. A
game scores the share of pairs, one seat of each, in which the newer player ranks before the older.
Who makes a move that this checkout finds illegal loses; it is said how often that happened.
Rounds end when the sequential test is decided (`rules.arena.rating.evidence`), or after `--games`.

With `--answer` it is the process that answers, so everything it imports exists in both checkouts.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

if __name__ == "__main__":  # a process that answers runs in the folder of its checkout
    sys.path.insert(
        0, str(Path.cwd() if "--answer" in sys.argv else Path(__file__).resolve().parents[1])
    )

from rules.arena.players import player
from rules.arena.rating import evidence, wilson
from rules.errors import IllegalMoveError
from rules.game import game

_HERE = Path(__file__).resolve().parents[1]
_DECIDED = math.log(20.0)  # a chance of one in twenty to be wrong
_CAP = 1000  # plies of a game at most


def _made(ruleset: str, seats: int) -> Any:
    return game("tokyo-highway", engine="none", ruleset=ruleset, players=seats)


def answer(ruleset: str, seats: int, spec: str) -> None:
    """Answers the driver: a line of JSON with the moves of a game so far and a seed in, a move out.
    The first line says where the code lies; before it the kernels are compiled.
    """
    made = _made(ruleset, seats)
    player(spec, made).choose(made.start(), np.random.default_rng(0))
    print(json.dumps(str(Path(sys.modules["rules"].__file__ or "").parents[1])), flush=True)
    state, plies, who = made.start(), list[str](), player(spec, made)
    for line in sys.stdin:
        asked = json.loads(line)
        moves = asked["moves"]
        if moves[: len(plies)] != plies or not moves:
            state, plies, who = made.start(), [], player(spec, made)
        for move in moves[len(plies) :]:
            state = state.after(move)
        plies = moves
        print(json.dumps(str(who.choose(state, np.random.default_rng(asked["seed"])))), flush=True)


class Answering:
    """A player in a process that imports a checkout (a folder)."""

    def __init__(self, checkout: Path, ruleset: str, seats: int, spec: str) -> None:
        whole = str(checkout.resolve())
        given = ["--answer", spec, "--ruleset", ruleset, "--seats", str(seats)]
        self.process = subprocess.Popen(  # noqa: S603 - this file, by this Python
            [sys.executable, "-P", __file__, *given],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=whole,
        )
        found = self._line()
        if found != whole:
            raise SystemExit(f"the process for {whole} imported {found}")

    def choose(self, moves: Sequence[str], seed: Sequence[int]) -> str:
        """Its move after these."""
        assert self.process.stdin is not None
        print(json.dumps({"moves": moves, "seed": seed}), file=self.process.stdin, flush=True)
        return self._line()

    def _line(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"a player's process ended, exit {self.process.wait()}")
        found: str = json.loads(line)
        return found


def scored(
    made: Any, players: Sequence[Answering], newer: Sequence[bool], seed: int
) -> tuple[float, bool]:
    """One game: the share of pairs of one newer and one older seat that the newer wins, and whether
    an illegal move ended it.
    """
    state, moves = made.start(), list[str]()
    seats = range(len(players))
    while (outcome := state.outcome()) is None and len(moves) < _CAP:
        mover = state.to_move
        move = players[mover].choose(moves, (seed, len(moves)))
        try:
            state = state.after(move)
        except IllegalMoveError as error:
            print(f"  {'newer' if newer[mover] else 'older'}: {error}", file=sys.stderr)
            return float(not newer[mover]), True
        moves.append(move)
    place = dict.fromkeys(seats, 0)
    if outcome is not None:
        place = {seat: rank for rank, group in enumerate(outcome.ranks) for seat in group}
    pairs = [(a, b) for a, b in product(seats, seats) if newer[a] and not newer[b]]
    wins = sum(0.5 + 0.5 * float(np.sign(place[b] - place[a])) for a, b in pairs)
    return wins / len(pairs), False


def shares(seats: int) -> list[tuple[bool, ...]]:
    """Who of the seats is the newer player, in each game of a round."""
    ways = [way for way in product((False, True), repeat=seats) if 0 < sum(way) < seats]
    return [way for way in ways if seats % 2 or 2 * sum(way) == seats]


def compared(given: argparse.Namespace, ruleset: str) -> None:
    """Plays until it is decided, and prints what was found."""
    made = _made(ruleset, given.seats)
    new, old = (
        Answering(checkout, ruleset, given.seats, given.player)
        for checkout in (_HERE, given.checkout)
    )
    rounds, games, illegal = list[float](), 0, 0
    while games < given.games:
        found = [
            scored(made, [new if mine else old for mine in way], way, given.seed + len(rounds))
            for way in shares(given.seats)
        ]
        rounds.append(sum(score for score, _ in found) / len(found))
        games, illegal = games + len(found), illegal + sum(lost for _, lost in found)
        sure = max(evidence(rounds, 0.5), evidence([1.0 - score for score in rounds], 0.5))
        print(f"  {np.mean(rounds):.3f} of {games}, evidence {sure:.1f}", file=sys.stderr)
        if sure >= _DECIDED:
            break
    share = wilson(float(np.sum(rounds)) * len(shares(given.seats)), games)
    decided = "decided" if sure >= _DECIDED else "not decided"
    print(
        f"{ruleset}, {given.seats} seats, {given.player}: the newer scores "
        f"{100 * share.value:.0f} % of {games} games ({100 * share.low:.0f} to "
        f"{100 * share.high:.0f} %), {decided} (evidence {sure:.1f} of {_DECIDED:.1f}); {illegal} "
        "ended by an illegal move",
        flush=True,
    )
    for one in (new, old):
        one.process.kill()
        one.process.wait()


def main() -> None:
    """Play, or answer."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkout", type=Path, nargs="?", help="a folder with an older checkout")
    parser.add_argument("--ruleset", nargs="+", default=["standard"])
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--player", default="planner:seconds=0.3,clock=cpu")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--answer", metavar="PLAYER", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.answer:
        answer(given.ruleset[0], given.seats, given.answer)
    elif given.checkout is None or not (given.checkout / "rules").is_dir():
        parser.error("name a folder with a checkout of Shutoko")
    elif given.games < 1 or given.seats not in (2, 3, 4):
        parser.error("--games is 1 or more, --seats 2, 3 or 4")
    else:
        for ruleset in given.ruleset:
            compared(given, ruleset)


if __name__ == "__main__":
    main()
