"""What the players of Tokyo Highway decide, on geometry alone: whether they pass, what the learnt
policy is worth, how like people the levels are, how fast playouts are.

    python benchmarks/decisions.py passing [ARGUMENT ...]
    python benchmarks/decisions.py learnt [ARGUMENT ...]
    python benchmarks/decisions.py levels [ARGUMENT ...]
    python benchmarks/decisions.py playouts

Each part says in its own words what it measures.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import parts
from rules import arena
from rules.arena.players import LEVELS, player
from rules.arena.rating import evidence, result, wilson
from rules.game import Player, game
from sim.bots.ahead import Ahead, compile_ahead
from sim.bots.proposals import Sampling, propose
from sim.game.highway import Highway, Position
from sim.game.ply import play
from sim.referee.placement import Pass, Placement
from sim.referee.table import Table

_ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class PassesFirst:
    """Another player, but it passes its first turn."""

    inner: Any
    name: str = "passes first"
    skill: None = None

    def choose(self, state: Position, rng: np.random.Generator) -> Placement:
        """A pass in the first turn, then what the other chooses."""
        table = state.table
        built = sum(road.owner == table.to_move for road in table.roads)
        if table.phase == "play" and table.ruleset.may_pass and built == 1 and table.turn < 2:
            return Pass()
        move: Placement = self.inner.choose(state, rng)
        return move


def met(
    made: Highway, one: Callable[[], Player[Any]], two: Callable[[], Player[Any]], games: int,
    seed: int, decided: bool,
) -> tuple[float, int, float]:  # fmt: skip
    """What the first won of so many games, seats exchanged after each, and the evidence of the
    sequential test (`rules.arena.rating.evidence`) over rounds of two; with `decided` the games end
    when the test is.
    """
    won, played, rounds = 0.0, 0, list[float]()
    for pair in range(math.ceil(games / 2)):
        score = 0.0
        for seat in (0, 1):
            players = [one(), two()] if seat == 0 else [two(), one()]
            names = ("one", "two") if seat == 0 else ("two", "one")
            header = made.header(names, seed=seed + pair)
            score += result(arena.play_game(made, players, header, 1000)).score(seat, 1 - seat)
            played += 1
        won += score
        rounds.append(score / 2.0)
        sure = max(evidence(rounds, 0.5), evidence([1.0 - s for s in rounds], 0.5))
        print(f"  {won:g} of {played}, evidence {sure:.1f}", file=sys.stderr, flush=True)
        if decided and sure >= math.log(1.0 / _ALPHA):
            break
    return won, played, sure


def _told(what: str, won: float, played: int, sure: float) -> None:
    share, limit = wilson(won, played), math.log(1.0 / _ALPHA)
    print(
        f"{what}: {won:g} of {played} ({100 * share.low:.0f} to {100 * share.high:.0f} %), "
        f"{'decided' if sure >= limit else 'not decided'} (evidence {sure:.1f} of {limit:.1f})"
    )


def _arguments(about: str | None, games: int) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=games)
    parser.add_argument("--seed", type=int, default=0)
    return parser


def _highway(ruleset: str) -> Highway:
    made = game("tokyo-highway", engine="none", ruleset=ruleset)
    assert isinstance(made, Highway)
    return made


# --- parts ----------------------------------------------------------------------------------------


def passing_main(argv: Sequence[str] | None = None) -> None:
    """A planner that passes its first turn against the planner, under the rule set `fr`.

        python benchmarks/decisions.py passing [--player SPEC] [--games 16] [--seed 0]

    If it won clearly more than half of its games, the planner would be blind to the pass.
    """
    parser = _arguments(passing_main.__doc__, 16)
    parser.add_argument("--player", default="planner:seconds=0.4,clock=cpu")
    given = parser.parse_args(argv)
    made = _highway("fr")
    told = met(
        made,
        lambda: PassesFirst(player(given.player, made)),
        lambda: player(given.player, made),
        given.games,
        given.seed,
        decided=False,
    )
    _told(f"passes its first turn, fr, {given.player}", *told)


def learnt_main(argv: Sequence[str] | None = None) -> None:
    """The learnt policy against another player, until the sequential test is decided.

    python benchmarks/decisions.py learnt [--against greedy] [--ruleset standard] [--file W.json]
    """
    parser = _arguments(learnt_main.__doc__, 100)
    parser.add_argument("--against", default="greedy")
    parser.add_argument("--ruleset", default="standard")
    parser.add_argument("--file", default="", help="weights instead of the shipped ones")
    given = parser.parse_args(argv)
    made = _highway(given.ruleset)
    spec = f"policy:file={given.file}" if given.file else "policy"
    told = met(
        made,
        lambda: player(spec, made),
        lambda: player(given.against, made),
        given.games,
        given.seed,
        decided=True,
    )
    _told(f"{spec} against {given.against}, {given.ruleset}", *told)


def levels_main(argv: Sequence[str] | None = None) -> None:
    """How many of the cars on offer each level takes, and how often it misses a win in one.

        python benchmarks/decisions.py levels [--games 6] [--seed 0]

    Each level plays itself. On offer is the most that any of 72 bearings and 3 distances around
    every base point earns. `benchmarks/strength.py ladder` measures how strong the levels are.
    """
    given = _arguments(levels_main.__doc__, 6).parse_args(argv)
    made = _highway("standard")
    print("| level | cars taken of those on offer | 95 % | wins in one missed | CPU s a move |")
    print("|---|---|---|---|---|")
    for level in LEVELS:
        taken, offered, wins, missed, moves, spent = 0, 0, 0, 0, 0, 0.0
        by = player(f"planner:level={level}" if level != "full" else "planner", made)
        for number in range(given.games):
            table, rng = Table.start(2), np.random.default_rng([given.seed, number])
            while table.outcome() is None:
                begin = time.process_time()
                move: Any = by.choose(Position(table, "none"), rng)
                spent, moves = spent + time.process_time() - begin, moves + 1
                _, after = play(table, move, "none")
                if table.phase == "play":
                    left = table.stocks[table.to_move].cars
                    best = int(propose(table, Sampling(72, 3)).cars.max(initial=0))
                    got = left - after.stocks[table.to_move].cars
                    taken, offered = taken + got, offered + max(min(best, left), got)
                    wins += best >= left
                    missed += best >= left > got
                table = after
        share = wilson(taken, max(offered, 1))
        print(
            f"| {level} | {taken} of {offered} ({100 * share.value:.0f} %) | "
            f"{100 * share.low:.0f} to {100 * share.high:.0f} % | {missed} of {wins} | "
            f"{spent / moves:.3f} |",
            flush=True,
        )


def playouts_main() -> None:
    """Playouts a second of CPU along a game, and how long compiling them takes (none if it is
    kept).
    """
    begin = time.process_time()
    compile_ahead()
    print(f"ready after {time.process_time() - begin:.1f} s of CPU")
    for ruleset in ("standard", "fr"):
        made = _highway(ruleset)
        table, rng = Table.start(2, ruleset), np.random.default_rng(1)
        greedy = player("greedy", made)
        for ply in range(15):
            if table.outcome() is None and ply in (0, 2, 6, 10, 14):
                ahead = Ahead.of_table(table)
                begin = time.process_time()
                ahead.play(0, 2000, seed=5)
                spent = time.process_time() - begin
                print(f"{ruleset}, {len(table.roads)} roads: {2000 / spent:.0f} playouts a second")
            if table.outcome() is None:
                move: Any = greedy.choose(Position(table, "none"), rng)
                _, table = play(table, move, "none")


PARTS: dict[str, parts.Part] = {
    "passing": passing_main,
    "learnt": learnt_main,
    "levels": levels_main,
    "playouts": playouts_main,
}

if __name__ == "__main__":
    sys.exit(parts.run(PARTS))
