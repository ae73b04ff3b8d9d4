"""A table as the arrays of `sim.bots.playouts`: centre lines, heights, who runs above and below
whom, what is in stock.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sim.bots.playouts import CHOICE, State, build, earned, playouts, unable
from sim.referee.footprints import obstacles_of
from sim.referee.reach import reach
from sim.referee.table import Table

__all__ = ["POLICY", "Policy", "Sketch", "compile_ahead"]

_ROOM = 64  # roads and pillars that a playout may add
_RISES = 3


class Policy(NamedTuple):
    """What things are worth to the policy of playouts, in cars: all grey discs left, a yellow disc,
    being 100 mm closer to the open ends of others; and how much chance adds.
    """

    discs: float = 1.5
    yellow: float = 0.2
    near: float = 0.25
    noise: float = 0.3


POLICY = Policy()


class Sketch(NamedTuple):
    """The arrays of one table."""

    roads: npt.NDArray[np.float64]
    of: npt.NDArray[np.int64]
    places: npt.NDArray[np.float64]
    pillars: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]
    seats: npt.NDArray[np.int64]
    circles: npt.NDArray[np.float64]
    sizes: npt.NDArray[np.float64]
    rules: npt.NDArray[np.int64]

    @classmethod
    def of_table(cls, table: Table, policy: Policy = POLICY) -> Sketch:
        """The arrays of a table."""
        rank = {pillar.id: row for row, pillar in enumerate(table.pillars)}
        lines = obstacles_of(table).network.segments
        roads = (
            np.column_stack([lines.start, lines.end, lines.levels])
            .astype(np.float64)
            .reshape(-1, 6)
        )
        above, below = _takers(table)
        of = np.array(
            [
                (road.owner, line_ramp, *_ends(road.pillars, rank), up, down)
                for road, line_ramp, up, down in zip(
                    table.roads, lines.ramp.tolist(), above, below, strict=True
                )
            ],
            dtype=np.int64,
        ).reshape(-1, 6)
        pillars = np.array(
            [(p.owner, p.discs, p.junction, table.leaving(p), p.turn) for p in table.pillars],
            dtype=np.int64,
        ).reshape(-1, 5)
        places = np.array([table.top(p) for p in table.pillars], dtype=np.float64).reshape(-1, 2)
        turns, rules, box = table.turns, table.ruleset, table.components
        gone = [
            0 if seat in turns.active else 2 - any(seat in group for group in turns.finished)
            for seat in range(turns.seats)
        ]
        seats = np.array(
            [
                (
                    *(stock.cars, stock.grey, stock.yellow, stock.roads),
                    *(misses, away, waiting is not None),
                )
                for stock, misses, away, waiting in zip(
                    table.stocks, turns.misses, gone, table.watch, strict=True
                )
            ],
            dtype=np.int64,
        )
        reaches = [reach(box, rise) or (0.0, 0.0) for rise in range(_RISES + 1)]
        sizes = [
            box.road_length,
            box.disc_radius,
            box.disc_height,
            box.road_width,
            box.road_thickness,
            *policy,
        ]
        return cls(
            roads,
            of,
            places,
            pillars,
            np.array(
                [len(table.roads), len(table.pillars), table.to_move, table.turn], dtype=np.int64
            ),
            seats,
            _circles(table),
            np.array([*sizes, *(mm for pair in reaches for mm in pair)], dtype=np.float64),
            np.array(
                [
                    turns.seats,
                    0 if rules.exit_height == "any" else rules.exit_height,
                    rules.base_point != "any_open_end",
                    rules.turn_end == "until_car",
                    rules.own_roads_occlude,
                    rules.ramps_count,
                    rules.inactive_roads_count,
                    rules.crossing_memory == "history",
                    rules.self_cross,
                    rules.own_cross_voids,
                    rules.elimination == "fr",
                ],
                dtype=np.int64,
            ),
        )

    def play(self, seat: int, times: int, seed: int, most: int = 60) -> float:
        """The sum of what `seat` gets in so many playouts of at most `most` plies: 1 for a win."""
        start = self._state(seed)
        room = start._replace(
            roads=_grown(self.roads, _ROOM),
            of=_grown(self.of, _ROOM),
            places=_grown(self.places, _ROOM),
            pillars=_grown(self.pillars, _ROOM),
            counts=np.zeros_like(self.counts),
            seats=np.zeros_like(self.seats),
        )
        return float(playouts(seat, times, most, start, room))

    def earned(self, seat: int, base: int, at: Sequence[float], discs: int) -> int:
        """The cars that a road of a seat from the pillar in row `base` to `at` earns; -1 if it is
        in the way of something. `discs` is 0 for an exit, whose bonus is counted.
        """
        return int(earned(self._state(0), seat, base, float(discs), float(at[0]), float(at[1])))

    def unable(self, seat: int) -> bool:
        """Whether a seat cannot build, judged by its stock and its base points."""
        return bool(unable(self._state(0), seat))

    def after(
        self, base: int, at: Sequence[float], discs: int, junction: bool, cars: int
    ) -> Sketch:
        """The arrays once the seat to move has built from the pillar in row `base` to `at`, and
        placed so many cars.

        `discs` is 0 for an exit.
        """
        state = self._state(0)._replace(
            roads=_grown(self.roads, 1),
            of=_grown(self.of, 1),
            places=_grown(self.places, 1),
            pillars=_grown(self.pillars, 1),
            counts=self.counts.copy(),
            seats=self.seats.copy(),
        )
        state.choice[:] = (0.0, base, *at, discs, junction, cars)
        build(state)
        return self._replace(
            roads=state.roads,
            of=state.of,
            places=state.places,
            pillars=state.pillars,
            counts=state.counts,
            seats=state.seats,
        )

    def _state(self, seed: int) -> State:
        """These arrays with random numbers from a seed and the room that the policy needs."""
        near = np.zeros((2, 1 + max(len(self.roads), len(self.pillars)) + _ROOM), dtype=np.int64)
        return State(*self, np.array([seed], dtype=np.uint64), np.zeros(CHOICE), near)


def compile_ahead() -> None:
    """Compiles the playouts, or loads them if this machine has kept them, so that no first turn
    waits for it.
    """
    start = Sketch.of_table(Table.start(2))
    start.play(0, times=1, seed=0, most=1)
    start.after(0, (100.0, 0.0), 2, junction=False, cars=0)


def _grown(array: npt.NDArray[Any], more: int) -> npt.NDArray[Any]:
    """The rows of an array with room for more."""
    return np.concatenate([array, np.zeros((more, array.shape[1]), array.dtype)])


def _ends(names: Sequence[str], rank: Mapping[str, int]) -> tuple[int, int]:
    """The rows of the pillars that a road lies on; -1 for an end on the table."""
    one, other, *_ = (*(rank[name] for name in names if name in rank), -1, -1)
    return one, other


def _takers(table: Table) -> tuple[list[int], list[int]]:
    """For each road the seats that run above it, and below it, as bits."""
    network = obstacles_of(table).network
    takers = network.takers(None)
    bits = 1 << network.segments.owner.astype(np.int64)
    high = takers.level > takers.other
    above = [
        int(np.bitwise_or.reduce(bits[takers.meet[:, k] & high[:, k]], initial=0))
        for k in range(len(bits))
    ]
    below = [
        int(np.bitwise_or.reduce(bits[takers.meet[:, k] & ~high[:, k]], initial=0))
        for k in range(len(bits))
    ]
    return above, below


def _circles(table: Table) -> npt.NDArray[np.float64]:
    """Buildings as circles around them: x, y, radius in mm."""
    field = obstacles_of(table)
    boxes = np.column_stack(
        [field.boxes.centre, np.hypot(field.boxes.half[:, 0], field.boxes.half[:, 1])]
    )
    rounds = np.column_stack([field.cylinders.centre, field.cylinders.radius])
    return np.concatenate([boxes.reshape(-1, 3), rounds.reshape(-1, 3)]).astype(np.float64)
