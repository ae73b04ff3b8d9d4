"""How strong players are: two against each other, the levels, and positions with known best moves.

python benchmarks/strength.py [PART] [ARGUMENT ...]
"""

from __future__ import annotations

import math
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import rules
from rules import arena
from rules.arena.players import LEVELS, player as made_player
from rules.arena.rating import Result, evidence, ratings, result
from rules.errors import InputError
from rules.game import Game, GridState, game as made_game
from sim.game.highway import Position
from sim.referee.placement import Placement
from tools.measuring import note, run, share, table
from tools.positions import KINDS, begun, is_right, positions

# --- pairs ----------------------------------------------------------------------------------------

_DECIDED = math.log(1 / 0.05)  # an error rate of 5 %
MOST_PLIES = 2000
"""A longer game counts as drawn."""
EVEN = 0.05
"""How far the chance of the side to move may be from one half in an even opening."""
SUITES: dict[str, tuple[tuple[int, str, str, int], ...]] = {
    "meridians": (
        (7, "best:seconds=0.1,clock=cpu", "random", 100),
        (7, "best:seconds=0.1,clock=cpu", "greedy", 100),
        (6, "best:seconds=0.1,clock=cpu", "best:seconds=0.03,clock=cpu", 300),
        (6, "best:seconds=0.3,clock=cpu", "best:seconds=0.1,clock=cpu", 300),
        (7, "best:seconds=0.1,clock=cpu", "mcts:seconds=0.1,clock=cpu", 50),
        (7, "best:seconds=1,clock=cpu", "best:seconds=0.3,clock=cpu", 100),
    ),
    "thruway": (
        (11, "best:seconds=0.1,clock=cpu", "random", 100),
        (11, "best:seconds=0.1,clock=cpu", "greedy", 100),
        (7, "best:seconds=0.1,clock=cpu", "best:seconds=0.03,clock=cpu", 300),
        (7, "best:seconds=0.3,clock=cpu", "best:seconds=0.1,clock=cpu", 300),
        (11, "best:seconds=0.1,clock=cpu", "alphabeta:seconds=0.1,clock=cpu", 50),
        (11, "best:seconds=1,clock=cpu", "best:seconds=0.3,clock=cpu", 100),
    ),
}
"""Size, first and second player, the greatest number of pairs."""


def pairs(
    game: str,
    first: str = "",
    second: str = "",
    *,
    size: int = 7,
    suite: bool = False,
    most: int = 200,
    opening: int = 4,
    even: bool = False,
    apart: bool = False,
    seed: int = 1,
    workers: int = 1,
) -> None:
    """Which of two players of a grid game is stronger? Plays pairs of games from random openings
    with seats exchanged, and tests.

        python benchmarks/strength.py pairs meridians alphabeta:seconds=0.1,clock=cpu
            alphabeta:seconds=0.03,clock=cpu --size 6
        python benchmarks/strength.py pairs meridians --suite

    The test is the sequential test of `shutoko rate`: it stops as soon as one player is better at
    an error rate of 5 %, or after `--most` pairs. It bets on pairs, not on games: of the two games
    from one opening, who won the first says something about the second, and a bet on each would
    count that as evidence. So 10 - 0 may be open, and 14 - 0 decides. With `--apart` every game has
    an opening of its own (of `--opening` plies), and a coin decides who begins. Then each game is a
    fair bet, and 7 - 0 decides; but lopsided openings add chance. With `clock=cpu` other work of
    the machine does not influence games. With `--even` it plays only openings that a search of four
    plies finds even: from a lopsided one each player wins one game.
    """
    if not suite and not second:
        raise InputError("two players are needed, or --suite")
    if suite and game not in SUITES:
        raise InputError(f"there is no suite of {game!r}; available: {', '.join(SUITES)}")
    row = table("game", "first", "second", "first won", "found", "CPU s a move: first", "second")
    for size_, one, other, count in SUITES[game] if suite else ((size, first, second, most),):
        asked = Match(game, size_, (one, other), opening, even, apart, seed)
        row(f"{game} {size_}", one, other, *match(asked, count, workers))


class Match(NamedTuple):
    """Who plays what: game and size, two specs, random plies at the beginning, whether these must
    lead to an even position, and whether every game has an opening of its own.
    """

    game: str
    size: int
    specs: tuple[str, str]
    opening: int
    even: bool
    apart: bool
    seed: int


class Pair(NamedTuple):
    """The games from one opening: wins of the first player, games, and for each player CPU seconds,
    moves, the longest one.
    """

    score: float
    games: int
    spent: list[float]
    moves: list[int]
    worst: list[float]


def match(asked: Match, pairs: int, workers: int) -> list[object]:
    """Plays pairs until the test is decided, or all of them: what the first won, the verdict, and
    what a move cost each.
    """
    done: list[Pair] = []
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        for pair in pool.map(play_pair, [asked] * pairs, range(pairs)):
            done.append(pair)
            scores = [pair.score / pair.games for pair in done]
            better, worse = evidence(scores, 0.5), evidence([1 - s for s in scores], 0.5)
            won, games = (sum(getattr(pair, what) for pair in done) for what in ("score", "games"))
            note(f"  {won:g} of {games}, evidence {max(better, worse):.1f} of {_DECIDED:.1f}")
            if max(better, worse) >= _DECIDED:
                pool.shutdown(wait=False, cancel_futures=True)
                break
    open_ = max(better, worse) < _DECIDED
    verdict = "undecided" if open_ else f"{'first' if better > worse else 'second'} is stronger"
    costs = (
        f"{sum(one.spent[k] for one in done) / max(sum(one.moves[k] for one in done), 1):.4f}, "
        f"at most {max(one.worst[k] for one in done):.4f}"
        for k in (0, 1)
    )
    return [f"{won:g} of {games}", verdict, *costs]


def play_pair(asked: Match, pair: int) -> Pair:
    """The games from one opening: two with seats exchanged, or one with seats by lot."""
    made, *players = seated(asked.game, asked.size, *asked.specs)
    judge = seated(made.name, asked.size, "alphabeta:depth=4")[1] if asked.even else None
    rng = np.random.default_rng([asked.seed, pair])
    start = opened(made, asked.opening, rng, judge)
    seats = (int(rng.integers(2)),) if asked.apart else (0, 1)
    played = Pair(0.0, len(seats), [0.0, 0.0], [0, 0], [0.0, 0.0])
    score = 0.0
    for first in seats:
        state, ply = start, 0
        while (outcome := state.outcome()) is None and ply < MOST_PLIES:
            who = state.to_move ^ first
            begin = time.thread_time()
            move = players[who].choose(state, np.random.default_rng([asked.seed, pair, first, ply]))
            took = time.thread_time() - begin
            played.spent[who] += took
            played.moves[who] += 1
            played.worst[who] = max(played.worst[who], took)
            state, ply = state.after(move), ply + 1
        score += (
            0.5 if outcome is None or not outcome.winners else float(outcome.winners[0] == first)
        )
    return played._replace(score=score)


@cache
def seated(name: str, size: int, *specs: str) -> tuple[Any, ...]:
    """The game and its players, made once per process, since they keep what they know."""
    made = rules.game(name, size=size)
    return made, *(made_player(spec, made) for spec in specs)


def opened(
    made: Game[GridState[Any]], plies: int, rng: np.random.Generator, judge: Any
) -> GridState[Any]:
    """A position after random moves in which the game is not over, and which the judge, if there is
    one, finds even.
    """
    while True:
        state = made.start()
        for _ in range(plies):
            if state.outcome() is None:
                moves = state.legal_moves()
                state = state.after(moves[int(rng.integers(len(moves)))])
        if state.outcome() is None and (
            judge is None or abs(judge.analyse(state, rng, 1)[0].chance - 0.5) <= EVEN
        ):
            return state


# --- ladder ---------------------------------------------------------------------------------------

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


def ladder(
    game: str, *, games: int = 60, full: int | None = None, seed: int = 0, out: Path | None = None
) -> None:
    """How strong the levels of a game are: neighbours play each other, and the weakest meets a
    player that sees one move.

        python benchmarks/strength.py ladder meridians [--games 60] [--full 20] [--out DIR]

    Prints each level's rating in Elo points with its 95 % interval, counted from the weakest, and
    what it won against the level below: of `--games`, of `--full` with full strength, which takes
    long. With `--out DIR` the records are kept, and the same command goes on where it was stopped.
    Tokyo Highway is played on geometry alone. The last row is how often the player `greedy`, which
    sees one move, beats the weakest level.
    """
    if game not in GAMES:
        raise InputError(f"there is no ladder of {game!r}; available: {', '.join(GAMES)}")
    level, strongest, _ = GAMES[game]
    specs = [*(level.format(name) for name in LEVELS[:-1]), strongest]
    with TemporaryDirectory() as scratch:
        folder, steps = out or Path(scratch), list[list[Result]]()
        for n, pair in enumerate(pairwise(specs), 1):
            many = games if n < len(specs) - 1 else full or max(games // _LONG, 2)
            steps.append(met(game, pair, many, seed, folder / LEVELS[n]))
        outside = met(game, ("greedy", specs[0]), games, seed, folder / LEVELS[0])
    rated = {one.player: one.elo for one in ratings([one for step in steps for one in step])}
    least = rated[specs[0]].value
    row = table("level", "player", "Elo", "95 %", "against the level below")
    for n, spec in enumerate(specs):
        elo, won = rated[spec], won_by(steps[n - 1], spec) if n else ""
        between = f"{elo.low - least:.0f} to {elo.high - least:.0f}"
        row(f"{n + 1} {LEVELS[n]}", f"`{spec}`", f"{elo.value - least:.0f}", between, won)
    row("", "`greedy`", "", "", f"{won_by(outside, 'greedy')} against `{LEVELS[0]}`")


def met(name: str, players: tuple[str, str], games: int, seed: int, folder: Path) -> list[Result]:
    """The results of two players against each other; plays the games that the folder lacks."""
    tournament = arena.Tournament(name, players, seed, GAMES[name][2], max_plies=_MOST_PLIES)
    matches = arena.schedule(tournament, 2, games)
    arena.open_folder(folder, tournament)
    there = arena.ended(folder, matches)
    for match, record in arena.play(tournament, [match for match in matches if match not in there]):
        arena.keep(folder, match, record)
        there[match] = record
    note(f"  {players[1]} against {players[0]}: {len(matches)} games")
    return [result(there[match]) for match in matches]


def won_by(results: Sequence[Result], player: str) -> str:
    """What a player won, as `31 of 40 (78 %, 62 to 88)`."""
    seats = [one.players.index(player) for one in results]
    won = sum(one.score(seat, 1 - seat) for one, seat in zip(results, seats, strict=True))
    return share(won, len(results))


# --- positions ------------------------------------------------------------------------------------


def positions_(
    player: str = "planner:seconds=3,clock=cpu", *, seed: int = 1, first: int = 1000
) -> None:
    """Positions of Tokyo Highway with known best moves (`tools/positions.py`): how many does a
    player get right? `--first` asks it that many of them.
    """
    asked = made_player(player, made_game("tokyo-highway", engine="none"))
    right, of = Counter[str](), Counter[str]()
    for number, one in enumerate(positions()[:first]):
        on = begun(one)
        move = asked.choose(Position(on, "none"), np.random.default_rng([seed, number]))
        assert isinstance(move, Placement)
        good = is_right(one, on, move)
        right[one["kind"]] += good
        of[one["kind"]] += 1
        if not good:
            note(f"  wrong: {one['kind']}, {one['name']}: {move}")
    row = table("player", *KINDS, "all")
    row(player, *(f"{right[k]} of {of[k]}" for k in KINDS), f"{right.total()} of {of.total()}")


if __name__ == "__main__":
    run(pairs, ladder, positions_)
