"""How strong players are: two against each other, the levels, and positions with known best moves.

    python benchmarks/strength.py pairs [ARGUMENT ...]
    python benchmarks/strength.py ladder [ARGUMENT ...]
    python benchmarks/strength.py positions [ARGUMENT ...]

Each part says in its own words what it measures.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import pairwise, product
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import rules
from benchmarks import parts
from rules import arena
from rules.arena.players import LEVELS, player
from rules.arena.rating import Result, evidence, ratings, result, wilson
from rules.game import Game, GridState, game
from sim.bots.outlook import look_ahead
from sim.bots.proposals import Proposals, stuck
from sim.game.highway import Highway, Position
from sim.game.ply import play
from sim.problems.judging import every, threat
from sim.referee.placement import Placement
from sim.referee.table import Table

# --- pairs ----------------------------------------------------------------------------------------

ALPHA = 0.05
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


def pairs_main() -> None:
    """Which of two players of a grid game is stronger? Plays pairs of games from random openings
    with seats exchanged, and tests.

        python benchmarks/strength.py pairs meridians --size 6 alphabeta:seconds=0.1,clock=cpu
        alphabeta:seconds=0.03,clock=cpu python benchmarks/strength.py pairs meridians --suite

    The test is the sequential test of `shutoko rate`: it stops as soon as one player is better at
    an error rate of 5 %, or after `--pairs` pairs. It bets on pairs, not on games: of the two games
    from one opening, who won the first says something about the second, and a bet on each would
    count that as evidence. So 10 - 0 may be open, and 14 - 0 decides. With `--apart` every game has
    an opening of its own, and a coin decides who begins. Then each game is a fair bet, and 7 - 0
    decides; but lopsided openings add chance.

    With `clock=cpu` other work of the machine does not influence games. The score goes to standard
    error after each pair. With `--even` it plays only openings that a search of four plies finds
    even: from a lopsided one each player wins one game.
    """
    parser = argparse.ArgumentParser(
        description=pairs_main.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game")
    parser.add_argument("players", nargs="*", help="two specs")
    parser.add_argument("--size", type=int, default=7)
    parser.add_argument("--suite", action="store_true", help="the whole ladder")
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument(
        "--all", action="store_true", help="play all pairs, even when the test is decided"
    )
    parser.add_argument("--opening", type=int, default=4, help="random plies at the beginning")
    parser.add_argument("--even", action="store_true", help="even openings only")
    parser.add_argument(
        "--apart", action="store_true", help="an opening for each game, seats by lot"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1, help="processes, each playing pairs")
    asked = parser.parse_intermixed_args()
    if not asked.suite and len(asked.players) != 2:
        parser.error("two players are needed")
    tests = SUITES[asked.game] if asked.suite else ((asked.size, *asked.players, asked.pairs),)
    for size, first, second, pairs in tests:
        every = asked.all or second in ("random", "greedy")
        told = Match(
            asked.game, size, (first, second), asked.opening, asked.even, asked.apart, asked.seed
        )
        match(told, pairs, every, asked.workers)


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


def match(told: Match, pairs: int, every: bool, workers: int) -> None:
    """Plays pairs until the test is decided, or all of them, and prints the result."""
    done: list[Pair] = []
    decided, verdict = False, "undecided"
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        for pair in pool.map(play_pair, [told] * pairs, range(pairs)):
            done.append(pair)
            scores = [pair.score / pair.games for pair in done]
            better, worse = evidence(scores, 0.5), evidence([1 - s for s in scores], 0.5)
            won, lost = (
                sum(pair.score for pair in done),
                sum(pair.games - pair.score for pair in done),
            )
            known = f"evidence {max(better, worse):.1f} of {math.log(1 / ALPHA):.1f}"
            print(
                f"  {won + lost:g} games: {won:g} - {lost:g}, {known}", file=sys.stderr, flush=True
            )
            decided = max(better, worse) >= math.log(1 / ALPHA)
            if decided:
                verdict = ("first" if better > worse else "second") + " is stronger"
            if decided and not every:
                pool.shutdown(wait=False, cancel_futures=True)
                break
    print(
        f"{told.game} {told.size}: {told.specs[0]} {won:g} - {lost:g} {told.specs[1]}: {verdict} "
        f"({known})"
    )
    for who, spec in enumerate(told.specs):
        if moves := sum(pair.moves[who] for pair in done):
            spent, worst = (
                sum(pair.spent[who] for pair in done),
                max(pair.worst[who] for pair in done),
            )
            print(f"  {spec}: {spent / moves:.4f} s CPU a move, {worst:.4f} at most", flush=True)


def play_pair(told: Match, pair: int) -> Pair:
    """The games from one opening: two with seats exchanged, or one with seats by lot."""
    made, *players = seated(told.game, told.size, *told.specs)
    judge = seated(made.name, told.size, "alphabeta:depth=4")[1] if told.even else None
    rng = np.random.default_rng([told.seed, pair])
    start = opened(made, told.opening, rng, judge)
    seats = (int(rng.integers(2)),) if told.apart else (0, 1)
    played = Pair(0.0, len(seats), [0.0, 0.0], [0, 0], [0.0, 0.0])
    score = 0.0
    for first in seats:
        state, ply = start, 0
        while (outcome := state.outcome()) is None and ply < MOST_PLIES:
            who = state.to_move ^ first
            begin = time.thread_time()
            move = players[who].choose(state, np.random.default_rng([told.seed, pair, first, ply]))
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
    return made, *(player(spec, made) for spec in specs)


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


def ladder_main(argv: Sequence[str] | None = None) -> None:
    """How strong the levels of a game are: neighbours play each other, and the weakest meets a
    player that sees one move.

        python benchmarks/strength.py ladder meridians [--games 60] [--full 6] [--seed 0]
            [--out DIR]

    Prints a table: each level's rating in Elo points with its 95 % interval, counted from the
    weakest, and what it won against the level below. With `--out DIR` the records are kept, and the
    same command goes on where it was stopped. Tokyo Highway is played on geometry alone. The last
    line tells how often the player `greedy`, which sees one move, beats the weakest level.
    """
    parser = argparse.ArgumentParser(
        description=ladder_main.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=tuple(GAMES))
    parser.add_argument("--games", type=int, default=60, help="games of each two neighbours")
    parser.add_argument(
        "--full", type=int, help=f"games with `full`, which take long (1 in {_LONG} of the others)"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--out", type=Path, help="keep the records in this folder, and go on with those in it"
    )
    given = parser.parse_args(argv)
    long = max(given.games // _LONG, 2) if given.full is None else given.full
    level, full, _ = GAMES[given.game]
    specs = [*(level.format(name) for name in LEVELS[:-1]), full]
    with TemporaryDirectory() as scratch:
        folder = given.out or Path(scratch)
        steps = []
        for n, pair in enumerate(pairwise(specs), 1):
            games = given.games if n < len(specs) - 1 else long
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


# --- positions ------------------------------------------------------------------------------------

FILE = Path(__file__).resolve().parents[1] / "tests" / "data" / "positions.json"
KINDS = ("win", "exit", "most", "junction", "deny")
_PLAYED = (
    *(("planner:level=hard", "planner:level=hard", seed) for seed in range(300, 307)),
    *(("planner:level=hard", "greedy", seed) for seed in range(320, 323)),
    *(("greedy", "planner:level=hard", seed) for seed in range(340, 343)),
)
_FEW = 0.06  # of all legal places; more of them are no test
_EACH = 3  # positions of a kind from a game at most
_TURNED = (0, 52, 141)  # degrees: no player should depend on how its fan of bearings lies
_COMPOSED: dict[
    str, tuple[dict[str, tuple[float, float, int]], tuple[tuple[str, str], ...], int]
] = {
    "out with the last car": ({"A-P0": (0, 0, 1), "B-P0": (300, 0, 1)}, (), 1),
    "out with the last two cars": (
        {"A-P0": (0, 0, 1), "B-P0": (55, -45, 3), "B-P1": (55, 45, 3)},
        (("B-P0", "B-P1"),),
        2,
    ),
    "under two roads": (
        {
            "A-P0": (0, 0, 1),
            "B-P0": (40, -55, 3),
            "B-P1": (40, 45, 4),
            "B-P2": (68, -55, 4),
            "B-P3": (68, 45, 3),
        },
        (("B-P0", "B-P1"), ("B-P2", "B-P3")),
        6,
    ),
    "over two roads": (
        {
            "A-P0": (0, 0, 4),
            "B-P0": (40, -55, 2),
            "B-P1": (40, 45, 1),
            "B-P2": (68, -55, 1),
            "B-P3": (68, 45, 2),
        },
        (("B-P0", "B-P1"), ("B-P2", "B-P3")),
        6,
    ),
    "the last two cars under two roads": (
        {
            "A-P0": (0, 0, 1),
            "B-P0": (40, -55, 3),
            "B-P1": (40, 45, 4),
            "B-P2": (68, -55, 4),
            "B-P3": (68, 45, 3),
        },
        (("B-P0", "B-P1"), ("B-P2", "B-P3")),
        2,
    ),
    "out under two roads with the last three cars": (
        {
            "A-P0": (0, 0, 1),
            "B-P0": (40, -55, 3),
            "B-P1": (40, 45, 4),
            "B-P2": (68, -55, 4),
            "B-P3": (68, 45, 3),
        },
        (("B-P0", "B-P1"), ("B-P2", "B-P3")),
        3,
    ),
    "over one and under one": (
        {
            "A-P0": (0, 0, 3),
            "B-P0": (40, -55, 1),
            "B-P1": (40, 45, 1),
            "B-P2": (68, -55, 5),
            "B-P3": (68, 45, 5),
        },
        (("B-P0", "B-P1"), ("B-P2", "B-P3")),
        6,
    ),
    "a jump over two roads": (
        {
            "A-P0": (0, 0, 1),
            "B-P0": (58, -55, 1),
            "B-P1": (58, 45, 2),
            "B-P2": (72, -55, 2),
            "B-P3": (72, 45, 1),
        },
        (("B-P0", "B-P1"), ("B-P2", "B-P3")),
        6,
    ),
}
"""Pillars, roads of B and cars of A, who is to move."""


def positions_main(argv: Sequence[str] | None = None) -> None:
    """Positions of Tokyo Highway with known best moves: how many does a player get right?

        python benchmarks/strength.py positions ["planner:seconds=3,clock=cpu"] [--seed 1]
        python benchmarks/strength.py positions --make tests/data/positions.json

    Positions are taken from games of other players and composed. What is right was proved by the
    referee, on geometry, among 240 bearings and 5 distances around every base point, for every
    height (`sim.problems.judging.every`):

        win       a move that places the last car; few of the legal places do
        exit      the same, and only exits do
        most      a build that earns as many cars as any can, two or more; few places do. An exit
                  that earns as much is no position: whether to keep the base point instead cannot
                  be proved
        junction  the same, and only junctions do
        deny      the next player could win by force of one move; after a right move no place is
                  left that does

    A position is a game with a number of plies, or a layout as in a record's `start`. `--make`
    plays the games anew and writes the file; the composed positions are in this module.
    """
    parser = argparse.ArgumentParser(
        description=positions_main.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("player", nargs="?", default="planner:seconds=3,clock=cpu")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--make", type=Path, metavar="FILE", help="write the positions instead")
    given = parser.parse_args(argv)
    if given.make is not None:
        given.make.write_text(
            json.dumps(made(), separators=(",", ":")).replace("}},{", "}},\n{") + "\n",
            encoding="utf-8",
        )
        return
    asked = player(given.player, game("tokyo-highway", engine="none"))
    right, of = Counter[str](), Counter[str]()
    for number, one in enumerate(positions()):
        table = begun(one)
        move = asked.choose(Position(table, "none"), np.random.default_rng([given.seed, number]))
        assert isinstance(move, Placement)
        good = is_right(one, table, move)
        right[one["kind"]] += good
        of[one["kind"]] += 1
        if not good:
            print(f"  wrong: {one['kind']}, {one['name']}: {move}", flush=True)
    for kind in KINDS:
        print(f"{kind:<9} {right[kind]} of {of[kind]}")
    print(
        f"{given.player}: {right.total()} of {of.total()} right, {right.total() / of.total():.0%}"
    )


# --- what is right --------------------------------------------------------------------------------


def is_right(position: Mapping[str, Any], table: Table, move: Placement) -> bool:
    """Whether a move does what the position asks for, by the referee's verdict."""
    verdict, after = play(table, move, "none")
    if not verdict.legal:
        return False
    outcome, kind = after.outcome(), position["kind"]
    if kind in ("win", "exit"):
        return outcome is not None and outcome.winners == (table.to_move,)
    if kind == "deny":
        return outcome is None and threat(after, after.to_move) is None
    return verdict.earned >= int(position["cars"])


# --- the file -------------------------------------------------------------------------------------


def positions(path: Path = FILE) -> list[dict[str, Any]]:
    """The positions of the file, each with the plies before it."""
    whole = json.loads(path.read_text(encoding="utf-8"))
    games = whole["games"]
    return [
        one | ({"plies": games[one["game"]][: one["ply"]]} if "game" in one else {})
        for one in whole["positions"]
    ]


def begun(position: Mapping[str, Any]) -> Table:
    """The table of a position."""
    if "start" in position:
        return Table.from_layout(position["start"])
    table = Table.start(2)
    for text in position["plies"]:
        _, table = play(table, Placement.parse(text), "none")
    return table


def made() -> dict[str, Any]:
    """The file anew: positions from games, then composed ones."""
    games, found = dict[str, Any](), list[dict[str, Any]]()
    for first, second, seed in _PLAYED:
        name = f"{first} against {second}, seed {seed}"
        plies, here = list[Any](), list[dict[str, Any]]()
        for table, move in followed((first, second), seed):
            if table.phase == "play" and len(plies) > 5 and (asks := asked_by(table)) is not None:
                here.append(
                    {"game": name, "ply": len(plies), "name": f"{name}, ply {len(plies)}"} | asks
                )
            plies.append(move.to_json())
        kinds = Counter[str]()
        for one in reversed(here):  # the end of a game decides more
            kinds[one["kind"]] += 1
            if kinds[one["kind"]] <= _EACH:
                found.append(one)
                games[name] = plies
        print(f"{name}: {dict(kinds)}", file=sys.stderr, flush=True)
    return {"games": games, "positions": [*found, *composed()]}


def followed(names: tuple[str, str], seed: int) -> Iterator[tuple[Table, Placement]]:
    """A game on geometry, ply by ply: the table and the move made there."""
    made = game("tokyo-highway", engine="none")
    assert isinstance(made, Highway)
    players = [player(name, made) for name in names]
    record = arena.play_game(made, players, made.header(names, seed=seed))
    table = Table.start(2)
    for entry in record.entries:
        move = Placement.parse(entry.do)
        yield table, move
        _, table = play(table, move, "none")


def asked_by(table: Table, few: float = _FEW) -> dict[str, Any] | None:
    """What a table asks its player for, None if nothing that can be proved, or if more than a `few`
    of the places do it.
    """
    found, stock = every(table), table.stocks[table.to_move].cars
    if not len(found):
        return None
    wins = found.cars >= stock
    if wins.any():
        return (
            {"kind": "exit" if (found.discs[wins] == 0).all() else "win"}
            if wins.mean() < few
            else None
        )
    (other,) = table.turns.clockwise(table.to_move)
    if threat(table, other) is not None:
        return {"kind": "deny"} if _can_deny(table, found) else None
    builds = found.take(np.flatnonzero(found.discs > 0))
    best = int(builds.cars.max(initial=0))
    rows = builds.cars == best
    if best < 2 or rows.mean() >= few or (found.cars - stuck(table, found) > best).any():
        return None
    return {"kind": "junction" if builds.junction[rows].all() else "most", "cars": best}


def _can_deny(table: Table, found: Proposals) -> bool:
    """Whether some moves prevent the next player's win and most do not."""
    some = found.take(np.arange(0, len(found), max(len(found) // 300, 1)))
    replies = look_ahead(table, some).replies[:, 0]
    (other,) = table.turns.clockwise(table.to_move)
    safe = np.flatnonzero(replies < table.stocks[other].cars)
    if not 0 < len(safe) < len(some) / 3:
        return False
    return any(
        is_right({"kind": "deny"}, table, some.placement(int(row)))
        for row in safe[:: max(len(safe) // 8, 1)]
    )


def composed() -> list[dict[str, Any]]:
    """Positions laid out by hand, by what they ask for."""
    found = []
    for (name, (pillars, roads, cars)), degrees in product(_COMPOSED.items(), _TURNED):
        start = {
            "pillars": [
                {"id": pillar, "at": turned(x, y, degrees), "discs": discs}
                for pillar, (x, y, discs) in pillars.items()
            ],
            "roads": [
                {"id": f"B-R{n}", "from": one, "to": two} for n, (one, two) in enumerate(roads, 1)
            ],
            "stocks": [
                {"cars": cars, "grey": 12, "yellow": 2, "roads": 6},
                {"cars": 5, "grey": 12, "yellow": 2, "roads": 6},
            ],
        }
        asks = asked_by(Table.from_layout(start), few=0.3)
        assert asks is not None, name
        found.append({"start": start, "name": f"{name}, turned by {degrees} degrees"} | asks)
    return found


def turned(x: float, y: float, degrees: float) -> list[float]:
    """A point of the table turned about the middle, to 0.01 mm."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return [round(x * cos - y * sin, 2) + 0.0, round(x * sin + y * cos, 2) + 0.0]


PARTS: dict[str, parts.Part] = {
    "pairs": pairs_main,
    "ladder": ladder_main,
    "positions": positions_main,
}

if __name__ == "__main__":
    sys.exit(parts.run(PARTS))
