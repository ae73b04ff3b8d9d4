"""The players of the grid games, by the entry point group `shutoko.players`.

    random      any legal move
    greedy      the move that leads to the position with the best evaluation
    mcts        Monte-Carlo tree search with the settings that are strongest for the game
    alphabeta   alpha-beta search with the fitted evaluation
    best        whichever is strongest, with an opening book for the usual sizes; weaker at a lower
                level

Each is called with the game and says how long it thinks: `seconds` for a move by the `clock` (wall,
or cpu, which the load of a machine does not change), or a fixed number of `simulations` or `depth`,
with which only the random generator decides the choice.
"""

from __future__ import annotations

import atexit
import math
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from rules.arena.players import Level, RandomPlayer, level_name
from rules.errors import InputError
from rules.game import Game, game as game_of
from rules.grid.base import GridGame, GridMove, GridPosition
from rules.grid.kernels import compiling, jit
from rules.grid.search.adapters import (
    Book,
    Clock,
    SearchAdapter,
    Sight,
    Timer,
    adapter_for,
    searched,
)
from rules.grid.search.alphabeta import PROVEN, WIN, AlphaBeta, ScoredMove
from rules.grid.search.mcts import Mcts, RootMove
from rules.grid.search.tree import Settings

# --- compiling beside the game --------------------------------------------------------------------
# While a person looks at the board and thinks, a process of its own compiles the searches of a grid
# game, if this machine has not compiled them yet. Players made from then on load their code when
# they are first asked for a move, and wait until it is compiled. The process passes its code on
# through the cache on disk. If this program ends first, the process still finishes, so that the
# next game finds the code in the cache.

Stage = Literal["alphabeta", "mcts", "rules"]

STAGES: tuple[Stage, ...] = ("alphabeta", "mcts", "rules")
"""The stages of compiling, in the order in which a game needs them. A game compiles its rules
itself when it starts.
"""

COMMAND = (
    sys.executable,
    "-P",  # never a folder `rules` in the current directory
    "-c",
    "import sys; from rules.grid.search.players import compile_ahead; compile_ahead(sys.argv[1])",
)
"""The command that compiles all that a game needs, with the game's name behind it."""

_ABOUT = 15  # seconds of work for all stages of a game
_GLANCE = 0.05  # seconds between two looks
_PATIENCE = 0.5  # seconds of waiting before a line says why

_RUNNING: dict[str, subprocess.Popen[bytes]] = {}


def start_compiling(game: Game[Any]) -> None:
    """Starts compiling, and says so on standard error. Does nothing if all is compiled, or if
    compiled code is not kept.
    """
    name = game.name
    if name not in searched() or name in _RUNNING or not jit.is_kept() or is_compiled(name):
        return
    _say(f"compiling the search of {name} for this machine beside the game, about {_ABOUT} s, once")
    _RUNNING[name] = subprocess.Popen(  # noqa: S603 - this program
        [*COMMAND, name],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C at the terminal must not stop it
    )


def is_compiled(name: str) -> bool:
    """Whether this machine has compiled all that a game needs."""
    return all(jit.is_marked(name, stage) for stage in STAGES)


def is_compiling(name: str) -> bool:
    """Whether the searches of a game are being compiled."""
    return name in _RUNNING and _RUNNING[name].poll() is None


def wait_for(name: str, stage: Stage) -> None:
    """Waits until the background process has compiled that stage or has ended. What it did not
    compile, the caller compiles.
    """
    begin, is_told = time.monotonic(), False
    while is_compiling(name) and not jit.is_marked(name, stage):
        if not is_told and time.monotonic() - begin > _PATIENCE:
            _say(f"waiting for the search of {name} to be compiled; this happens once")
            is_told = True
        time.sleep(_GLANCE)


def _say(what: str) -> None:
    if sys.stderr is not None:
        sys.stderr.write(f"shutoko: {what} ...\n")


@atexit.register
def _let_go() -> None:
    """Lets the processes go on without Python's warning that they still run."""
    for process in _RUNNING.values():
        if process.poll() is None:
            process.returncode = 0


# --- searching ------------------------------------------------------------------------------------

_MARGIN = 0.02  # the share of the time that is kept for the work around the search
_POINTS = 1000.0  # units of an evaluation for one unit of the logarithm of the odds


Known = Literal["simulations", "depth", "end", "pie"]
"""How a chance is known: from simulations, from a search to a depth, proven to the end, or from the
decision of a pie rule.
"""


@dataclass(frozen=True, slots=True)
class Choice:
    """A move with the chance that whoever makes it wins: a `rules.game.Advice`.

    `weight` is the number of its simulations, or the depth of its search, or, if the end is known,
    the plies to the end (0: not known).
    """

    move: GridMove
    chance: float
    weight: int
    known: Known

    @property
    def proven(self) -> bool:
        """Whether the chance is exact."""
        return self.known == "end"

    @property
    def why(self) -> str:
        """As `62 % to win after 12,345 simulations` or `wins by force in 5 plies`."""
        percent = f"{100 * self.chance:.0f} % to win"
        match self.known:
            case "simulations":
                return f"{percent} after {_count(self.weight, 'simulation')}"
            case "depth":
                return f"{percent}, looking {_count(self.weight, 'ply', 'plies')} ahead"
            case "pie":
                return (
                    "as even as it finds" if self.chance == 0.5 else f"the better colour, {percent}"
                )
        if self.chance == 0.5:
            return "drawn with best play"
        what = "wins by force" if self.chance == 1.0 else "loses against best play"
        return what if not self.weight else f"{what} in {_count(self.weight, 'ply', 'plies')}"


Found = list[tuple[int, float, int, Known]]
"""Actions, best first, each with the fields of `Choice` after the move."""


class _Searcher:
    """A player that searches. Keeps what it knows from move to move; one object for each seat."""

    def __init__(
        self,
        name: str,
        game: GridGame,
        adapter: SearchAdapter,
        engine: _Tree | _Depth,
        book: Book | None = None,
    ) -> None:
        self.name = name
        self._book = book
        self._game = game
        self._adapter = adapter
        self._engine = engine
        self._is_warm = False
        if not is_compiling(game.name):
            self._warm_up()

    def _warm_up(self) -> None:
        """Compiles or loads everything now, so that it takes no time from a move."""
        if self._is_warm:
            return
        wait_for(self._game.name, self._engine.stage)
        what = {"alphabeta": "alpha-beta", "mcts": "the tree search", "rules": "the rules"}[
            self._engine.stage
        ]
        with compiling(f"{what} for {self._game.name}"):
            self._engine.warm_up(self._adapter)
        self._is_warm = True

    def choose(self, state: GridPosition, rng: np.random.Generator) -> GridMove:
        """The move of the opening book, or the best one that the search finds."""
        known = self._book.choose(state, rng) if self._book is not None else None
        return known or self.analyse(state, rng, 1)[0].move

    def analyse(self, state: GridPosition, rng: np.random.Generator, most: int = 5) -> list[Choice]:
        """The best moves, best first, `most` at most; only one if the pie rule asks for a
        decision.
        """
        self._warm_up()
        decision = self._pie(state, rng)
        if decision is not None:
            return [decision]
        found = self._engine.choices(*self._adapter.arrays(state), 1.0, rng, most)
        return [
            Choice(state.move_of(action), chance, weight, known)
            for action, chance, weight, known in found[:most]
        ]

    def _pie(self, state: GridPosition, rng: np.random.Generator) -> Choice | None:
        """What the pie rule asks for; None where it asks for nothing."""
        asked: list[float] = []

        def value(board: Any, info: Any, share: float) -> float:
            asked.append(self._engine.choices(board, info, share, rng, 1)[0][1])
            return asked[-1]

        move = self._adapter.pie(state, value, rng)
        if move is None:
            return None
        # to choose a colour takes one value; to find an opening takes many
        return Choice(move, max(asked[0], 1 - asked[0]) if len(asked) == 1 else 0.5, 0, "pie")


class _Tree:
    """Monte-Carlo tree search as an engine. `stage` is that of compiling it."""

    stage: Stage = "mcts"

    def __init__(self, search: Mcts, seconds: float, simulations: int, clock: Clock) -> None:
        self._search = search
        self._seconds, self._simulations, self._clock = seconds, simulations, clock

    def choices(
        self, board: Any, info: Any, share: float, rng: np.random.Generator, most: int
    ) -> Found:
        """The best actions, `most` at most, found in that share of the time for a move."""
        if self._simulations:
            self._search.forget()
            self._search.search(board, info, max(1, round(self._simulations * share)), rng)
        else:
            self._search.search(
                board, info, Timer(self._seconds * share * (1 - _MARGIN), self._clock), rng
            )
        return [_root_move(one) for one in self._search.moves()[:most]]

    def warm_up(self, adapter: SearchAdapter) -> None:
        """Loads everything compiled. A second search keeps the tree of the first, which is compiled
        code, too.
        """
        for _ in range(2):
            self._search.search(adapter.board, adapter.info, 4, np.random.default_rng(0))
        self._search.forget()


class _Depth:
    """Alpha-beta as an engine."""

    stage: Stage = "alphabeta"

    def __init__(self, adapter: SearchAdapter, seconds: float, depth: int, clock: Clock) -> None:
        position = adapter.tables, adapter.board, adapter.info, adapter.work
        self._search = AlphaBeta(
            *position,
            adapter.actions,
            *adapter.evaluation(),
            draw_on_repetition=adapter.draw_on_repetition,
        )
        self._seconds, self._depth, self._clock = seconds, depth, clock

    def choices(
        self,
        board: Any,
        info: Any,
        share: float,
        rng: np.random.Generator,  # noqa: ARG002
        most: int,
    ) -> Found:
        """See `_Tree`."""
        if self._depth:
            self._search.forget()
            best = self._search.search(board, info, self._depth)
        else:
            # Each further move is searched on its own, to the depth of the best one.
            best = self._search.search(
                board, info, timer=Timer(self._seconds * share * (1 - _MARGIN), self._clock)
            )
        found = [best] if most == 1 else self._search.scores(max(1, self._search.depth), most)
        return [_scored(one) for one in found]

    def warm_up(self, adapter: SearchAdapter) -> None:
        """Loads everything compiled."""
        self._search.search(adapter.board, adapter.info, 1)
        self._search.forget()


# --- below full strength --------------------------------------------------------------------------
# A person picks out a few moves that look good, looks a ply or two ahead, and misjudges results. So
# such a player searches the moves that look best at first sight to a small depth, adds a random
# error to each value, and plays the best one. A move that decides the game at once is worth so much
# that no error hides it; quiet mistakes are frequent. `benchmarks/strength.py ladder` measures the
# levels against each other.


_CERTAIN = 20.0  # the logarithm of the odds that a decided game counts as: more than any error


@dataclass(frozen=True, slots=True)
class Person:
    """Plays as a person of some strength; `mind` searches as deep as the person does."""

    name: str
    mind: _Searcher
    sight: Sight

    def choose(self, state: GridPosition, rng: np.random.Generator) -> GridMove:
        """The move that looks best to this person."""
        seen = self.mind.analyse(state, rng, self.sight.moves)
        errors = self.sight.error * rng.standard_normal(len(seen))
        return seen[int(np.argmax([_odds(one.chance) for one in seen] + errors))].move

    def analyse(self, state: GridPosition, rng: np.random.Generator, most: int = 5) -> list[Choice]:
        """What the person would find without errors."""
        return self.mind.analyse(state, rng, most)


def _odds(chance: float) -> float:
    """The logarithm of the odds of a chance."""
    if not 0.0 < chance < 1.0:
        return _CERTAIN if chance else -_CERTAIN
    return min(max(math.log(chance / (1.0 - chance)), -_CERTAIN), _CERTAIN)


# --- the players ----------------------------------------------------------------------------------


def random(game: GridGame) -> RandomPlayer:
    """Any legal move, each with the same chance."""
    return RandomPlayer(game)


def greedy(game: GridGame) -> _Searcher:
    """The move that leads to the position with the best evaluation."""
    return _depth_first("greedy", game, 0.0, 1, "wall")


def mcts(
    game: GridGame, seconds: float = 1.0, simulations: int = 0, clock: Clock = "wall"
) -> _Searcher:
    """Monte-Carlo tree search as it is strongest for the game, with RAVE and random games for a
    game whose adapter has no settings. Raises InputError for an invalid time.
    """
    known = adapter_for(game)
    rave = Settings(0.1, 500.0, urgency=1.0, draw_on_repetition=known.draw_on_repetition)
    return _tree_search("mcts", game, known.settings() or rave, seconds, simulations, clock)


def alphabeta(
    game: GridGame, seconds: float = 1.0, depth: int = 0, clock: Clock = "wall"
) -> _Searcher:
    """Alpha-beta with the fitted evaluation. Raises InputError for an invalid time, and for a game
    without evaluation.
    """
    return _depth_first("alphabeta", game, seconds, depth, clock)


def best(
    game: GridGame,
    level: Level = "full",
    seconds: float = 1.0,
    clock: Clock = "wall",
    book: bool = True,
) -> _Searcher | Person:
    """The strongest player. Below the level `full` it sees no more than a person does.

    `book = false` has it search from the first move on. Raises InputError for an invalid level or
    time.
    """
    step = level_name(level)
    if step != "full":
        sight = adapter_for(game).sights[step]
        return Person(
            f"best:level={step}", _depth_first("best", game, 0.0, sight.depth, clock), sight
        )
    Timer(seconds, clock)  # says what is wrong with them
    known = adapter_for(game)
    settings, opening = known.settings(), known.book() if book else None
    if settings is None:
        return _depth_first("best", game, seconds, 0, clock, opening)
    return _tree_search("best", game, settings, seconds, 0, clock, opening)


def compile_ahead(name: str) -> None:
    """Compiles each stage of a game's searches that is not compiled yet, and marks it on disk.

    Raises InputError if no game has that name.
    """
    made: Any = game_of(name)
    stages: dict[Stage, Callable[[], object]] = {
        "alphabeta": lambda: alphabeta(made, depth=1),
        "mcts": lambda: mcts(made, simulations=1),
        "rules": lambda: (made.start().perft(1), made.start().after(made.start().legal_moves()[0])),
    }
    for stage in STAGES:
        stages[stage]()
        jit.mark(name, stage)


def _tree_search(
    name: str,
    game: GridGame,
    settings: Settings,
    seconds: float,
    simulations: int,
    clock: Clock,
    book: Book | None = None,
) -> _Searcher:
    _fixed("simulations", simulations)
    Timer(seconds, clock)
    known = adapter_for(game)
    search = Mcts(known.tables, known.board, known.info, known.work, known.actions, settings)
    engine = _Tree(search, seconds, simulations, clock)
    return _Searcher(_named(name, seconds, "simulations", simulations), game, known, engine, book)


def _depth_first(
    name: str, game: GridGame, seconds: float, depth: int, clock: Clock, book: Book | None = None
) -> _Searcher:
    _fixed("depth", depth)
    if not depth:
        Timer(seconds, clock)
    known = adapter_for(game)
    engine = _Depth(known, seconds, depth, clock)
    return _Searcher(_named(name, seconds, "depth", depth), game, known, engine, book)


def _fixed(what: str, number: int) -> None:
    if number < 0:
        raise InputError(
            f"{what} = {number} is not valid; give a number above 0, or 0 to go by the clock"
        )


def _named(name: str, seconds: float, what: str, fixed: int) -> str:
    return f"{name}:{what}={fixed}" if fixed else f"{name}:seconds={seconds:g}"


def _root_move(one: RootMove) -> tuple[int, float, int, Known]:
    """A move of the tree search as in `Found`. The tree search proves results, but not in how many
    plies.
    """
    return (
        one.action,
        one.value,
        0 if one.proven else one.visits,
        "end" if one.proven else "simulations",
    )


def _scored(one: ScoredMove) -> tuple[int, float, int, Known]:
    """A move of alpha-beta as in `Found`."""
    if abs(one.score) >= PROVEN:
        return one.action, float(one.score > 0), WIN - abs(one.score), "end"
    return one.action, 1.0 / (1.0 + math.exp(-one.score / _POINTS)), one.depth, "depth"


def _count(number: int, one: str, more: str = "") -> str:
    return f"{number:,} {one if number == 1 else more or f'{one}s'}"
