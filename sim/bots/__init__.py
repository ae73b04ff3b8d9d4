"""Players of Tokyo Highway, by the names in spec strings: `random`, `greedy`, `policy`, `planner`.

Each is a factory for `rules.arena.players`: it takes the game and options, and returns a
`rules.game.Player`. `hand` is the hand that the player plays with: `none` never errs, the others
are the skills of `sim.game.attempts.hand`.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Literal

from rules.arena.players import Level, level_name
from rules.errors import InputError
from rules.near import meant
from sim.game import SKILLS, Skill

if TYPE_CHECKING:
    from rules.game import Player
    from sim.bots.trials import Trials
    from sim.game import Highway, Position

__all__ = ["greedy", "planner", "policy", "random"]

_CLOCKS = {"wall": time.perf_counter, "cpu": time.process_time}

Clock = Literal["wall", "cpu"]
"""What `clock=` of a player may say: time as it passes, or of the processor."""


def random(game: Highway, hand: str = "none") -> Player[Position]:  # noqa: ARG001 - as every player
    """Any legal placement; see `sim.bots.players.Random`."""
    from sim.bots.players import Random

    return Random(skill=_hand(hand))


def greedy(
    game: Highway,  # noqa: ARG001 - as every player
    hand: str = "none",
    trials: int = 4,
    samples: int = 1,
    work: float = 20.0,
) -> Player[Position]:
    """Most cars now; see `sim.bots.players.Greedy`.

    Physics tries at most `trials` placements of a turn, each up to `samples` times with the
    player's hand, and none once `work` has been spent (`sim.bots.trials.Trials`).
    """
    from sim.bots.players import Greedy

    return Greedy(trials=_trials(hand, trials, samples, work))


def policy(
    game: Highway,
    hand: str = "none",
    trials: int = 4,
    samples: int = 1,
    work: float = 20.0,
    file: str = "",
) -> Player[Position]:
    """A learnt weighing of moves in one look; see `sim.bots.learnt.Learnt` and `greedy`.

    `file` are weights of `shutoko learn tokyo-highway`, in place of those that are shipped.
    """
    from pathlib import Path

    from sim.bots.learnt import Learnt, load, shipped

    weights = load(Path(file)) if file else shipped()
    return Learnt(game, weights, _trials(hand, trials, samples, work))


def planner(
    game: Highway,  # noqa: ARG001 - as every player
    hand: str = "none",
    trials: int = 4,
    samples: int = 1,
    work: float = 20.0,
    width: int = 400,
    playouts: int = 4000,
    seconds: float = 0.0,
    clock: Clock = "wall",
    level: Level = "full",
) -> Player[Position]:
    """Plays its best candidates on to the end of the game; see `sim.bots.searcher.Searcher` and
    `greedy`.

    It examines at most `width` placements. It plays `playouts` games in its head, or for so many
    `seconds` of the clock if that is above 0. Below the level `full` it sees no more than a person
    does (`sim.bots.players`).
    """
    from sim.bots.players import SIGHTS, Person
    from sim.bots.searcher import Budget, Searcher
    from sim.bots.weighing import Planner

    for wrong, said in (
        (width < 1, f"width is a whole number of 1 or more, not {width}"),
        (playouts < 1, f"playouts is a whole number of 1 or more, not {playouts}"),
        (not 0 <= seconds < math.inf, f"seconds is a number of 0 or more, not {seconds:g}"),
        (clock not in _CLOCKS, f"clock is {' or '.join(_CLOCKS)}, not {clock!r}"),
    ):
        if wrong:
            raise InputError(said)
    first = Planner(trials=_trials(hand, trials, samples, work), width=width)
    if (step := level_name(level)) != "full":
        return Person(f"planner:level={step}", first, SIGHTS[step])
    return Searcher(first=first, budget=Budget(playouts, seconds, _CLOCKS[clock]))


def _trials(hand: str, trials: int, samples: int, work: float) -> Trials:
    from sim.bots.trials import Trials

    if trials < 1 or samples < 0:
        raise InputError(f"trials is 1 or more and samples 0 or more, not {trials} and {samples}")
    if not work > 0:
        raise InputError(f"work is above 0, not {work}")
    return Trials(most=trials, samples=samples, work=work, skill=_hand(hand))


def _hand(name: str) -> Skill | None:
    if name not in ("none", *SKILLS):
        raise InputError(
            f"there is no hand {name!r}; available: none, {', '.join(SKILLS)}{meant(name, SKILLS)}"
        )
    return SKILLS.get(name)
