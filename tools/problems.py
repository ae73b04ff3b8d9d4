"""Makes the shipped problems anew: positions from games of computer players in which one kind of
answer is right, proved.

    python tools/problems.py [GAME ...] [--seed 1] [--into assets/problems] [--rate]

On boards every move is tried (`rules.grid.search.forced`): exactly one first move wins within so
many moves, and no move wins sooner. At Tokyo Highway the referee looks at 240 bearings and 5
distances around every base point; few places are right, and all that are right cross the same roads
(`one_kind`). How hard a problem is follows from how many of the weaker players, `first` to `hard`,
each asked several times, miss it. `--rate` measures that anew for the problems that are there: the
levels have changed.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from rules import arena
from rules.arena.players import player
from rules.game import game
from rules.grid.search.forced import Forced
from sim.bots.outlook import look_ahead
from sim.bots.proposals import Proposals, Sampling, propose
from sim.bots.trials import alike
from sim.game.highway import Highway, Position
from sim.game.ply import play
from sim.problems import Goal, Problem, every, judge, read, threat
from sim.referee.placement import Exit, Placement
from sim.referee.table import Table

LEVELS = ("first", "beginner", "easy", "medium", "hard")
BOARDS = {"thruway": (5, 6, 7, 7, 8, 9), "meridians": (4, 5, 5, 6, 6, 7)}
"""Sizes, one after the other."""
WANTED = {"thruway": {1: 4, 2: 8, 3: 9, 4: 5}, "meridians": {2: 10, 3: 10, 4: 8}}
"""How many problems take so many moves."""
ON_TABLE: dict[str, int] = {"last": 4, "exit": 6, "cars": 14, "deny": 8}
"""How many problems of a goal, at most; one that an exit saves counts as one that denies."""
PAIRS = (("greedy", "planner:level=easy"), ("planner:level=easy", "greedy"), ("greedy", "greedy"))
_FEW = 0.06  # of all legal places; if more are right, there is nothing to find
_CHOICES = 6  # legal moves; with fewer there is nothing to find either
_ASKED = {"board": 8, "table": 3}  # times that each weaker player is asked
_LEVELS = (0.35, 0.7)  # shares of players that miss it, from which on a problem is medium and hard
_MOST_GAMES = 400
_APART = 15.0  # mm
_MOST_CARS = 3  # that a turn is looked at for: more are hardly ever earned
_TRIED = 900  # places; with more of them to try it takes too long


def main(argv: Sequence[str] | None = None) -> None:
    """Makes the files."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games_of", nargs="*", metavar="GAME")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--into", type=Path, default=Path(__file__).resolve().parents[1] / "assets" / "problems"
    )
    parser.add_argument(
        "--games",
        type=int,
        default=150,
        metavar="N",
        help="games of Tokyo Highway to look at, at most",
    )
    parser.add_argument(
        "--workers", type=int, default=2, metavar="N", help="the number of processes for these"
    )
    parser.add_argument(
        "--rate", action="store_true", help="only measure anew how hard the problems are"
    )
    given = parser.parse_args(argv)
    for name in given.games_of or (*BOARDS, "tokyo-highway"):
        begin, found = time.perf_counter(), list[Problem]()
        numbers = range(1000 * given.seed, 1000 * given.seed + given.games)
        file = given.into / f"{name}.jsonl"
        known = read(file) if given.rate else ()
        anew = (_rated(one, one.begin()[2]) for one in known)
        made = (
            on_board(name, given.seed) if name in BOARDS else on_table(name, numbers, given.workers)
        )
        for one in anew if given.rate else made:
            found.append(one)
            if len(found) >= len(known):
                _write(file, name, given.seed, found)
            told = f"{one.goal} {one.count}, {len(one.moves)} plies: {one.right} of {one.places}"
            print(f"  {told}, missed {one.missed:.0%}", flush=True)
        levels = Counter(one.level for one in found)
        goals = Counter(f"{one.goal} {one.count}" for one in found)
        print(
            f"{name}: {len(found)} problems, {time.perf_counter() - begin:.0f} s; by level "
            f"{dict(levels)}, {dict(goals)}"
        )


def _write(path: Path, name: str, seed: int, found: Sequence[Problem]) -> None:
    """The file with what is found so far, easy problems first."""
    ordered = sorted(found, key=lambda one: (one.level, one.count, one.missed))
    numbered = [replace(one, id=f"{name}-{number}") for number, one in enumerate(ordered, 1)]
    head = {
        "game": name,
        "made": f"found and proved by tools/problems.py {name} --seed {seed}",
    }
    lines = [json.dumps(head, separators=(",", ":")), *(one.to_json() for one in numbered)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


# --- boards ---------------------------------------------------------------------------------------


def on_board(name: str, seed: int) -> Iterator[Problem]:
    """Problems from games of a person of medium strength against itself; at most one of a number of
    moves from each game.
    """
    missing = Counter(WANTED[name])
    for number in range(_MOST_GAMES):
        if not missing.total():
            return
        size = BOARDS[name][number % len(BOARDS[name])]
        options = {"size": size} | ({"trade": False} if name == "thruway" else {})
        rules: Any = game(name, **options)
        moves, states = _game(rules, np.random.default_rng([seed, number]))
        for at, moves_needed in _unique(Forced(rules), states, max(missing)):
            if missing[moves_needed] > 0:
                missing[moves_needed] -= 1
                yield _of_board(name, options, tuple(moves[:at]), states[at], moves_needed)


def _game(rules: Any, rng: np.random.Generator) -> tuple[list[str], list[Any]]:
    """The moves of a game and the positions before each of them."""
    person, state = player("best:level=medium", rules), rules.start()
    moves, states = list[str](), [state]
    while state.outcome() is None and len(moves) < 40 * rules.size:
        moves.append(str(person.choose(state, rng)))
        state = state.after(moves[-1])
        states.append(state)
    return moves, states


def _unique(forced: Forced, states: Sequence[Any], most: int) -> Iterator[tuple[int, int]]:
    """Where exactly one move wins within how many moves, and none sooner: one position for each
    number of moves.
    """
    outcome, seen = states[-1].outcome(), set[int]()
    for at in range(len(states) - 2, -1, -1):
        state = states[at]
        if outcome is None or state.to_move not in outcome.winners:
            continue
        needed = next((n for n in range(1, most + 1) if forced.wins(state, 2 * n - 1)), None)
        if needed is None:
            return  # what comes before takes longer still
        if (
            needed not in seen
            and len(forced.wins(state, 2 * needed - 1)) == 1
            and len(state.legal_moves()) >= _CHOICES
        ):
            seen.add(needed)
            yield at, needed


def _of_board(
    name: str, options: dict[str, Any], moves: tuple[str, ...], state: Any, needed: int
) -> Problem:
    line = tuple(map(str, Forced(state.game).line(state, 2 * needed - 1)))
    places = len(state.legal_moves())
    return _rated(
        Problem("", name, options, moves, "win", needed, line[:1], line, places, 1, 0.0, 1), state
    )


# --- tables ---------------------------------------------------------------------------------------


def on_table(name: str, numbers: Iterable[int], workers: int) -> Iterator[Problem]:
    """Problems of Tokyo Highway from the games with these numbers; at most one of a kind from each
    game.
    """
    missing = Counter(ON_TABLE)
    with ProcessPoolExecutor(workers, get_context("spawn")) as executor:
        for one in chain.from_iterable(executor.map(partial(_of_game, name), numbers)):
            kind = "deny" if one.goal == "save" else one.goal
            if missing[kind] > 0:
                missing[kind] -= 1
                yield one
            if not missing.total():
                executor.shutdown(cancel_futures=True)
                return


def _of_game(name: str, number: int) -> list[Problem]:
    """The first problem of each kind in a game."""
    plies, found = list[str](), dict[str, Problem]()
    for table, move in followed(PAIRS[number % len(PAIRS)], number):
        if table.phase == "play" and len(plies) > 4 and (one := asked(table, found)) is not None:
            found["deny" if one.goal == "save" else one.goal] = _of_table(
                name, tuple(plies), table, one
            )
        plies.append(str(move))
    return list(found.values())


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


class Asked(NamedTuple):
    """What a table asks its player for: the goal, its number, what is right, out of how many
    places.
    """

    goal: Goal
    needed: int
    right: list[Placement]
    places: int


def asked(table: Table, known: Collection[str]) -> Asked | None:
    """What a table asks its player for, other than the goals that are known; None if nothing that
    can be proved.
    """
    stock, (other,) = table.stocks[table.to_move].cars, table.turns.clockwise(table.to_move)
    ends = min(stock, table.stocks[other].cars) <= _MOST_CARS
    if not ends and "cars" in known:
        return None
    rough = propose(table, Sampling(72, 3))
    if not len(rough):
        return None
    found = every(table) if rough.cars.max() >= min(2, stock) or stock == 1 else rough
    best = int(found.cars.max())
    if best >= stock:
        wins = found.cars >= stock
        goal: Goal = "exit" if (found.discs[wins] == 0).all() else "last"
        return _few(goal, stock, table, found, wins) if goal not in known else None
    if table.stocks[other].cars <= _MOST_CARS and threat(table, other) is not None:
        return _denied(table, rough) if "deny" not in known else None
    if best < 2 or "cars" in known:
        return None
    return _few("cars", best, table, found, found.cars == best)


def _few(goal: Goal, needed: int, table: Table, found: Proposals, rows: Any) -> Asked | None:
    if rows.mean() >= _FEW:
        return None
    right = [found.placement(int(row)) for row in np.flatnonzero(rows)]
    return Asked(goal, needed, right, len(found)) if one_kind(table, right) else None


def _denied(table: Table, found: Proposals) -> Asked | None:
    """Every placement of a coarser sample is tried with all replies, if a guess finds few of them
    good.
    """
    (other,) = table.turns.clockwise(table.to_move)
    guessed = look_ahead(table, found).replies[:, 0] < table.stocks[other].cars
    if not 0 < guessed.mean() < 2 * _FEW or len(found) > _TRIED:
        return None
    moves = [found.placement(row) for row in range(len(found))]
    right = [move for move in moves if _denies(table, move)]
    if not 0 < len(right) <= 2 * _FEW * len(moves) or not one_kind(table, right, scores=False):
        return None
    return Asked(
        "save" if all(isinstance(move, Exit) for move in right) else "deny", 0, right, len(moves)
    )


def _denies(table: Table, move: Placement) -> bool:
    """Whether the next player can no longer win after a move; most can be told by a rough look."""
    _, after = play(table, move, "none")
    if (outcome := after.outcome()) is not None:
        return table.to_move in outcome.winners
    rough = propose(after, Sampling(72, 3)).cars >= after.stocks[after.to_move].cars
    return not rough.any() and threat(after, after.to_move) is None


def one_kind(table: Table, right: Sequence[Placement], *, scores: bool = True) -> bool:
    """Whether all right placements are of one kind: they score on the same sides of the same roads;
    or, without `scores`, they all cross one road on the same side, or all are exits.
    """
    some = right[:: max(len(right) // 40, 1)]
    crossed = [
        frozenset(
            (one.side, one.road.id)
            for one in play(table, move, "none")[0].crossings
            if one.scores or not scores
        )
        for move in some
    ]
    if scores:
        return (
            len(
                {(isinstance(move, Exit), roads) for move, roads in zip(some, crossed, strict=True)}
            )
            == 1
        )
    return bool(frozenset.intersection(*crossed)) or all(isinstance(move, Exit) for move in some)


def _of_table(name: str, plies: tuple[str, ...], table: Table, found: Asked) -> Problem:
    middle = found.right[len(found.right) // 2]
    others = [middle]
    for move in found.right:
        if len(others) < 3 and not any(alike(move, other, _APART) for other in others):
            others.append(move)
    answers, right = tuple(map(str, others)), len(found.right)
    options = {"engine": "none"}
    problem = Problem(
        "",
        name,
        options,
        plies,
        found.goal,
        found.needed,
        answers,
        answers[:1],
        found.places,
        right,
        0.0,
        1,
    )
    return _rated(problem, Position(table, "none"))


# --- how hard -------------------------------------------------------------------------------------


def _rated(problem: Problem, state: Any) -> Problem:
    """The problem with the share of weaker players that miss it."""
    name, where = ("best", "board") if problem.game in BOARDS else ("planner", "table")
    rules, wrong, answers = problem.begin()[0], 0, 0
    known = dict[str, bool]()
    for level in LEVELS:
        person = player(f"{name}:level={level}", rules)
        for seed in range(_ASKED[where]):
            move = str(person.choose(state, np.random.default_rng([seed, len(problem.moves)])))
            if move not in known:
                known[move] = judge(problem, move).right
            wrong, answers = wrong + (not known[move]), answers + 1
    missed = wrong / answers
    return replace(problem, missed=missed, level=1 + sum(missed >= share for share in _LEVELS))


if __name__ == "__main__":
    main()
