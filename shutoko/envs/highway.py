"""Tokyo Highway as a table for the environments: observations as arrays, and two kinds of actions.

Entrances and buildings are set up as usual before the first action. Places are in metres, (4, 4)
the middle of the table.

`actions="ranked"`: action k is the proposal of rank k (`sim.bots.proposals`): best first by the
cars that it earns and the discs that it spends, exits that leave no way to go on last. The mask
says how many there are; `proposals` in the observation says what each is.

`actions="continuous"`: four numbers from -1 to 1.

    0  which base point, in building order: the range is divided into equal parts, one for each
    1  the bearing from there, times pi: 0 is +x, counter-clockwise
    2  how far: -1 the nearest and 1 the farthest place that the road reaches
    3  what to build: equal parts again, for an exit if one is allowed, grey pillars, junctions;
       each with the lowest first

If the referee refuses the placement meant by these, the nearest ranked proposal from the same base
point is played, and if there is none, the nearest of all. So every action is legal, and close
actions mostly mean close placements.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Dict, Discrete, Space

from rules.errors import IllegalMoveError, InputError
from sim import referee
from sim.bots.proposals import Ranked, kinds, ranked, set_up
from sim.game.attempts.hand import SKILLS, Skill
from sim.game.highway import Highway, Position
from sim.referee.placement import Build, Exit, Placement
from sim.referee.reach import reach
from sim.referee.table import Table

ROWS, COLUMNS, FACTS = 160, 10, 8
"""Rows for pieces and their columns, and columns of a proposal."""

_METRE = 1000.0  # mm
_STOREY = 10.0  # discs: the unit of heights in observations
# m from the origin of observations to the table's middle, in x and in y; no piece lies farther from
# the middle
_CORNER = 4.0
_MOST = 16.0  # the bound of all numbers in an observation, except the stocks
_NOBODY = 4


@dataclass(frozen=True, slots=True)
class _Hand:
    """The player that a placement is made by: only the skill of its hand matters."""

    skill: Skill | None


class HighwayTable:
    """A `shutoko.envs.tables.EnvTable` of Tokyo Highway.

    An observation has `observation` float32[160, 10], a row for each pillar, road and building
    (zeros below the last), seen by a seat: 1 for a pillar, 2 a road, 3 a building; whose it is (0
    the seat itself, then clockwise, 4 nobody); x, y of the middle or of the start; x, y of the end;
    levels of start and end in tens of discs; for a pillar 1 if it is a junction, for a road the
    cars on it; 1 if the seat to move may build from it. `stocks` float32[4, 4] are cars, grey
    discs, yellow discs and roads left, the seat's own first; zeros for empty seats. With ranked
    actions there are also `proposals` float32[n, 8] (base x, y; end x, y; discs in tens; junction;
    exit; cars) and `action_mask` int8[n].

    `hand` is the name of a skill with which all pieces are placed, None for one that never errs.
    """

    def __init__(
        self,
        game: Highway,
        cap: int,
        actions: Literal["ranked", "continuous"] = "ranked",
        proposals: int = 64,
        hand: str | None = None,
    ) -> None:
        if actions not in ("ranked", "continuous"):
            raise InputError(
                f"tokyo-highway: actions = {actions!r} is not valid; choose ranked or continuous"
            )
        if type(proposals) is not int or not 1 <= proposals <= 1024:
            raise InputError(
                f"tokyo-highway: proposals = {proposals!r} is not valid; it is a whole number from "
                "1 to 1024"
            )
        if hand is not None and hand not in SKILLS:
            raise InputError(
                f"tokyo-highway: hand = {hand!r} is not valid; choose from {', '.join(SKILLS)}"
            )
        self.game, self.seats = game, game.seats
        self._cap, self._most, self._numbered = cap, proposals, actions == "ranked"
        self._hand = _Hand(None if hand is None else SKILLS[hand])
        self._ranked: Ranked | None = None
        self._state = game.start()
        self._rng = np.random.default_rng(0)
        self._plies = 0
        self.rewards: tuple[float, ...] = (0.0,) * self.seats
        self.ended = self.truncated = False
        seen: dict[str, Space[Any]] = {
            "observation": Box(0.0, _MOST, (ROWS, COLUMNS), np.float32),
            "stocks": Box(0.0, 100.0, (4, 4), np.float32),
        }
        self.actions: Space[Any]
        if self._numbered:
            seen["proposals"] = Box(0.0, _MOST, (proposals, FACTS), np.float32)
            seen["action_mask"] = Box(0, 1, (proposals,), np.int8)
            self.actions = Discrete(proposals)
        else:
            self.actions = Box(-1.0, 1.0, (4,), np.float32)
        self.observations: Space[Any] = Dict(seen)

    def begin(self, rng: np.random.Generator) -> None:
        """See `EnvTable`."""
        self._rng, self._state = rng, self.game.start()
        self._plies = 0
        self.rewards, self.ended, self.truncated = (0.0,) * self.seats, False, False
        while self._state.table.phase in ("entrances", "buildings"):
            self._make(set_up(self._state.table, rng))

    @property
    def state(self) -> Position:
        """See `EnvTable`."""
        return self._state

    @property
    def to_move(self) -> int:
        """See `EnvTable`."""
        return self._state.to_move

    def observe(self, seat: int) -> dict[str, npt.NDArray[Any]]:
        """See `EnvTable`."""
        table = self._state.table
        seen: dict[str, npt.NDArray[Any]] = {
            "observation": _pieces(table, seat),
            "stocks": _stocks(table, seat),
        }
        if self._numbered:
            due = seat == self.to_move and not self.ended
            seen["proposals"] = self._facts() if due else np.zeros((self._most, FACTS), np.float32)
            seen["action_mask"] = self.mask() if due else np.zeros(self._most, np.int8)
        return seen

    def mask(self) -> npt.NDArray[np.int8]:
        """See `EnvTable`."""
        return (
            np.arange(self._most) < (len(self._offered().moves) if self._numbered else self._most)
        ).astype(np.int8)

    def act(self, action: Any) -> None:
        """See `EnvTable`."""
        if not self._numbered:
            self.move(self._meant(np.asarray(action, np.float64)))
            return
        moves, number = self._offered().moves, int(action)
        if not 0 <= number < len(moves):
            why = f"there are {len(moves)} proposals here, numbered from 0"
            raise IllegalMoveError(str(number), self._state.table.digest(), why)
        self.move(moves[number])

    def move(self, move: Placement) -> None:
        """See `EnvTable`."""
        self._make(move)
        self._plies += 1
        outcome = self._state.outcome()
        self.ended = outcome is not None
        self.truncated = outcome is None and 0 < self._cap <= self._plies
        if outcome is not None and outcome.winners:
            self.rewards = tuple(
                1.0 if seat in outcome.winners else -1.0 for seat in range(self.seats)
            )

    def _make(self, move: Placement) -> None:
        self._state, _ = self.game.perform(
            self._state, move, self._hand, self._rng, self._state.table.turns.ply
        )
        self._ranked = None

    def _offered(self) -> Ranked:
        if self._ranked is None:
            self._ranked = ranked(self._state.table, self._most)
        return self._ranked

    def _facts(self) -> npt.NDArray[np.float32]:
        table, offered = self._state.table, self._offered()
        rows = np.zeros((self._most, FACTS), np.float32)
        for row, (move, cars) in enumerate(zip(offered.moves, offered.cars, strict=True)):
            if isinstance(move, (Build, Exit)):
                (x, y), leaves = table.top(table.pillar_by_id[move.base]), isinstance(move, Exit)
                to = move.to if isinstance(move, Exit) else move.at
                discs, junction = (
                    (0, False) if isinstance(move, Exit) else (move.discs, move.junction)
                )
                far = [part / _METRE + _CORNER for part in (x, y, *to)]
                rows[row] = [*far, discs / _STOREY, junction, leaves, cars]
        return np.clip(rows, 0.0, _MOST)

    def _meant(self, action: npt.NDArray[np.float64]) -> Placement:
        """The placement that a continuous action means."""
        if action.shape != (4,) or not np.isfinite(action).all() or np.abs(action).max() > 1.0:
            raise InputError(
                "tokyo-highway: an action is four numbers from -1 to 1, not "
                f"{action.tolist()!r:.80}"
            )
        table, box = self._state.table, self._state.table.components
        bases = [point.pillar for point in table.base_points(table.to_move)]
        every = kinds(table)
        if not bases or not every:
            return ranked(table, 1).moves[0]
        base = bases[_share(action[0], len(bases))]
        some = [kind for kind in every if kind.base == base.id]
        (x, y), wanted = table.top(base), np.zeros(2)
        if some:
            kind = some[_share(action[3], len(some))]
            between = reach(box, kind.discs - base.discs)
            low, high = between if between is not None and kind.discs else (0.0, 0.0)
            run = math.sqrt(max(box.road_length**2 - (base.discs * box.disc_height) ** 2, 0.0))
            far = run if kind.discs == 0 else low + (high - low) * (float(action[2]) + 1) / 2
            angle = math.pi * float(action[1])
            wanted = np.round((x + far * math.cos(angle), y + far * math.sin(angle)), 2) + 0.0
            spot = (float(wanted[0]), float(wanted[1]))
            move = (
                Exit(base.id, spot)
                if kind.discs == 0
                else Build(base.id, spot, kind.discs, kind.junction)
            )
            if not referee.before(table, move):
                return move
        return _nearest(ranked(table, self._most).moves, base.id, wanted)


def _share(value: float, count: int) -> int:
    return min(int((float(value) + 1) / 2 * count), count - 1)


def _nearest(moves: tuple[Placement, ...], base: str, wanted: npt.NDArray[np.float64]) -> Placement:
    """The nearest move of that base, or else of any; ties go to the better rank."""

    def far(move: Placement) -> tuple[bool, float]:
        if not isinstance(move, (Build, Exit)):
            return True, math.inf
        return move.base != base, math.dist(move.to if isinstance(move, Exit) else move.at, wanted)

    return min(moves, key=far)


def _pieces(table: Table, seat: int) -> npt.NDArray[np.float32]:
    rows = np.zeros((ROWS, COLUMNS), np.float32)
    starts = {point.pillar.id for point in table.base_points(table.to_move)}
    cars: dict[str, int] = {}
    for car in table.cars:
        cars[car.road] = cars.get(car.road, 0) + 1
    found: list[list[float]] = []
    for pillar in table.pillars:
        (x, y), high = table.top(pillar), pillar.discs / _STOREY
        x, y = x / _METRE + _CORNER, y / _METRE + _CORNER
        found.append(
            [
                1,
                _whose(table, pillar.owner, seat),
                x,
                y,
                x,
                y,
                high,
                high,
                pillar.junction,
                pillar.id in starts,
            ]
        )
    for road, line in zip(table.roads, table.lines, strict=True):
        ends = [part / _METRE + _CORNER for part in (*line.start, *line.end)]
        levels = [part / _STOREY for part in line.levels]
        found.append([2, _whose(table, road.owner, seat), *ends, *levels, cars.get(road.id, 0), 0])
    for building in table.buildings:
        x, y = (part / _METRE + _CORNER for part in building.at)
        found.append([3, _NOBODY, x, y, x, y, 0, 0, 0, 0])
    if found:
        rows[: len(found)] = found[:ROWS]
    return np.clip(rows, 0.0, _MOST)


def _stocks(table: Table, seat: int) -> npt.NDArray[np.float32]:
    rows = np.zeros((4, 4), np.float32)
    for owner, stock in enumerate(table.stocks):
        rows[_whose(table, owner, seat)] = [stock.cars, stock.grey, stock.yellow, stock.roads]
    return rows


def _whose(table: Table, owner: int, seat: int) -> int:
    return (owner - seat) % table.turns.seats
