"""The learnt policy of Tokyo Highway: what a move is worth is a weighted sum of what `sim.Batch`
shows of it. `shutoko learn tokyo-highway` finds the weights; the shipped ones are data.

The sum is over the features of a candidate (`sim.batch.listing.FEATURES`). Two weights more are for
what has no features: a pass, and a build that leaves its cars in the stock.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt

from rules.errors import InputError
from rules.files import os_reason, read_regular
from rules.record.shapes import is_number
from sim.assets import asset
from sim.batch.batch import Batch
from sim.batch.listing import EARNED, FEATURES
from sim.bodies import Bools, Floats
from sim.bots.playouts import may_wait
from sim.bots.proposals import set_up
from sim.bots.trials import Trial, Trials, first_that_stands, several
from sim.bots.weighing import Hint, hint_of, set_up_hint
from sim.game import Highway, Position, Skill
from sim.referee import Pass, Placement

NAMES = (*FEATURES, "pass", "declines")
"""The weights, in order."""

START: dict[str, float] = {
    "cars": 1.0,
    "wins": 100.0,
    "grey": -1.5,
    "junction": -0.2,
    "last exit": -3.0,
    "away from ends": -0.25,
    "exposed sides": -0.05,
    "open ends": 0.3,
    "pass": -1.0,
}
"""Where learning starts: what `sim.bots.weighing` says by hand, as far as it has a name here."""

_CARS, _PASS, _DECLINES = NAMES.index("cars"), NAMES.index("pass"), NAMES.index("declines")
_NOISE = 0.01  # in the value of a move: of two that are alike either may be taken
_ILLEGAL = -1e9
_TRIED = 12  # moves of a turn that physics may try, for each trial allowed
_GAME, _VERSION = "tokyo-highway", 1
_MOST_FILE = 2**20  # bytes


def vector(named: dict[str, float]) -> Floats:
    """The weights in order; 0 for names that are not given."""
    return np.array([named.get(name, 0.0) for name in NAMES], dtype=np.float64)


def worth(weights: Floats, shown: npt.NDArray[np.float32], masks: Bools) -> Floats:
    """What each action of n games is worth (n, 2 k + 1): `weights` (n, len(NAMES)), `shown` (n, k,
    features) and `masks` (n, 2 k + 1) as `sim.Batch` has them; -1e9 where one is not legal.
    """
    k = shown.shape[1]
    taken = np.einsum("nkf,nf->nk", shown, weights[:, :_PASS])
    found = np.empty(masks.shape)
    found[:, :k] = taken
    left = shown[:, :, _CARS] * weights[:, _CARS, None]
    found[:, k : 2 * k] = taken - left + weights[:, _DECLINES, None]
    found[:, 2 * k] = weights[:, _PASS]
    return np.where(masks, found, _ILLEGAL)


# --- weights as files -----------------------------------------------------------------------------


def save(path: Path, weights: Floats, how: dict[str, object]) -> None:
    """Writes weights, and a word on how they were found, as JSON. Raises OSError."""
    found = {name: round(float(w), 4) for name, w in zip(NAMES, weights, strict=True)}
    data = {"game": _GAME, "version": _VERSION, "how": how, "weights": found}
    path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def load(path: Path) -> Floats:
    """Reads weights. Raises InputError, which says what is wrong, for any other file."""
    other = f"{path}: is no policy of shutoko learn {_GAME}"
    try:
        data = json.loads(read_regular(path, _MOST_FILE))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {os_reason(error)}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{other}: not JSON; make one with that command") from error
    if isinstance(data, dict) and data.get("game", _GAME) != _GAME:
        raise InputError(f"{other}, but of {data['game']!r:.60}")
    named = data.get("weights") if isinstance(data, dict) else None
    if not isinstance(named, dict) or data.get("version") != _VERSION or "game" not in data:
        raise InputError(f"{other}, version {_VERSION}; make one with that command")
    for name in NAMES:
        value = named.get(name)
        if not is_number(value):
            raise InputError(f"{path}: the weight {name!r} is missing or no number")
    if unknown := sorted(set(named) - set(NAMES)):
        raise InputError(f"{path}: {unknown[0]!r} is no weight; they are {', '.join(NAMES)}")
    return vector(named)


@cache
def shipped() -> Floats:
    """The weights that come with the program."""
    return load(asset("policies", "tokyo-highway.json"))


# --- the player -----------------------------------------------------------------------------------

_TRIALS = Trials()


@dataclass(frozen=True, slots=True, eq=False)
class Learnt:
    """Takes the move that is worth most by the weights, in one look, and the usual set-up. Physics
    and its own hand try the best few, as they do for every player.
    """

    game: Highway
    weights: Floats
    trials: Trials = _TRIALS
    name: str = "policy"

    @property
    def skill(self) -> Skill | None:
        """The hand it plays with."""
        return self.trials.skill

    def choose(self, state: Position, rng: np.random.Generator) -> Placement:
        """A legal placement; all chance comes from `rng`."""
        if state.table.phase != "play":
            return set_up(state.table, rng)
        most = 1 if state.engine == "none" else _TRIED * self.trials.most
        first = list(islice(self._ranked(state, rng), most))
        return first_that_stands(state.table, first, state.engine, self.trials, rng)

    def analyse(self, state: Position, rng: np.random.Generator, most: int = 5) -> list[Hint]:
        """The best placements that do not resemble each other, at most `most`, each tried by
        physics.
        """
        table = state.table
        if table.phase != "play":
            return [set_up_hint(table, set_up(table, rng))]
        ranked = list(self._ranked(state, rng))
        if len(ranked) == 1 and isinstance(ranked[0].placement, Pass):
            return [Hint(ranked[0].placement, note="nothing else was found", reason="pass")]
        tried = several(table, ranked, state.engine, self.trials, rng, most)
        return [hint_of(state, one, self.skill) for one in tried]

    def _ranked(self, state: Position, rng: np.random.Generator) -> Iterator[Trial]:
        """Every legal action, best first."""
        batch, table = _batch(self.game), state.table
        batch.place(0, table)
        shown, masks = batch.parts(batch.observe())["candidates"], batch.masks().copy()
        if masks[0, :-1].any() and not may_wait(table):
            masks[0, -1] = False
        values = worth(self.weights[None], shown, masks)[0]
        values += _NOISE * rng.random(len(values)) * (values > _ILLEGAL)
        k, stock = batch.candidates, table.stocks[table.to_move].cars
        for action in np.argsort(-values, kind="stable").tolist():
            if not masks[0, action]:
                break
            cars = min(int(batch.rows[0, action, EARNED]), stock) if action < k else 0
            move = Pass() if action == 2 * k and masks[0, :-1].any() else batch.move(0, action)
            yield Trial(move, cars, float(values[action]))


@lru_cache(maxsize=4)
def _batch(game: Highway) -> Batch:
    """One table of a game on geometry alone, to be seen as learners see it."""
    return Batch(game, 1, renew=False)
