"""The learnt policy of Tokyo Highway: what a move is worth is a weighted sum of what `sim.Batch`
shows of it. `shutoko learn tokyo-highway` finds the weights; the shipped ones are data.

The sum is over the features of a candidate (`sim.batch.listing.FEATURES`). Two weights more are for
what has no features: a pass, and a build that leaves its cars in the stock.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rules.errors import InputError
from rules.files import os_reason, read_regular
from sim.assets import asset
from sim.batch.batch import Batch
from sim.batch.listing import COLUMNS, EARNED, FEATURES, GOLD, TO
from sim.bots.ahead import may_wait
from sim.bots.proposals import set_up
from sim.bots.trials import Trial, Trials, first_that_stands, several
from sim.bots.weighing import Hint, set_up_hints
from sim.game.attempts.hand import Skill
from sim.game.highway import Highway, Position
from sim.referee.placement import Build, Exit, Pass, Placement
from sim.referee.table import Table

Floats = npt.NDArray[np.float64]

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


def worth(weights: Floats, shown: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_]) -> Floats:
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
        if not isinstance(value, (int, float)) or not math.isfinite(value):
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


class _Move(NamedTuple):
    """A legal action, and its row in the list of `sim.Batch`."""

    trial: Trial
    row: Floats


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
        first = [one.trial for one in islice(self._ranked(state, rng), most)]
        return first_that_stands(state.table, first, state.engine, self.trials, rng)

    def analyse(self, state: Position, rng: np.random.Generator, most: int = 5) -> list[Hint]:
        """The best placements that do not resemble each other, at most `most`, each tried by
        physics.
        """
        table = state.table
        if table.phase != "play":
            return set_up_hints(table, rng)
        ranked, stock = list(self._ranked(state, rng)), table.stocks[table.to_move].cars
        known = {one.trial.placement: one for one in ranked}
        told = []
        for tried in several(
            table, [one.trial for one in ranked], state.engine, self.trials, rng, most
        ):
            move = tried.trial.placement
            one = known[move]
            if not isinstance(move, (Build, Exit)):
                forced = len(ranked) == 1
                note = "nothing else was found" if forced else "waits for others to build"
                reason = "pass" if forced else "waits"
                told.append(Hint(move, note=note, reason=reason))
                continue
            told.append(
                Hint(
                    move,
                    cars=tried.trial.cars,
                    wins=tried.trial.cars >= stock,
                    grey=int(max(one.row[TO] - one.row[GOLD], 0)),
                    yellow=int(one.row[GOLD]),
                    tried=None if state.engine == "none" else tried,
                    skill=self.skill,
                    declines=move.cars == () and one.row[EARNED] > 0,
                )
            )
        return told

    def choose_in(self, batch: Batch, rng: np.random.Generator) -> Placement:
        """What `choose` chooses in game 0 of a batch on geometry alone, without making it a table
        and the table a batch again.
        """
        table, own = batch.state(0), _batch(self.game)
        if table.phase != "play":
            return set_up(table, rng)
        own.put(0, batch, 0)
        return next(self._listed(own, table, rng)).trial.placement

    def _ranked(self, state: Position, rng: np.random.Generator) -> Iterator[_Move]:
        """Every legal action, best first."""
        batch = _batch(self.game)
        batch.place(0, state.table)
        return self._listed(batch, state.table, rng)

    def _listed(self, batch: Batch, table: Table, rng: np.random.Generator) -> Iterator[_Move]:
        """The same for game 0 of a batch, which is at that table."""
        shown, masks = batch.parts(batch.observe())["candidates"], batch.masks().copy()
        if masks[0, :-1].any() and not may_wait(table):
            masks[0, -1] = False
        values = worth(self.weights[None], shown, masks)[0]
        values += _NOISE * rng.random(len(values)) * (values > _ILLEGAL)
        k, stock = batch.candidates, table.stocks[table.to_move].cars
        for action in np.argsort(-values, kind="stable").tolist():
            if not masks[0, action]:
                break
            row = batch.rows[0, action % k] if action < 2 * k else np.zeros(COLUMNS)
            cars = min(int(row[EARNED]), stock) if action < k else 0
            move = Pass() if action == 2 * k and masks[0, :-1].any() else batch.move(0, action)
            yield _Move(Trial(move, cars, float(values[action])), row.copy())


@lru_cache(maxsize=4)
def _batch(game: Highway) -> Batch:
    """One table of a game on geometry alone, to be seen as learners see it."""
    return Batch(game, 1, renew=False)
