"""Room for cars: where on its road a car can stand, and places that are free on a new road (rules
7a).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from sim.pieces import Components
from sim.poses import Pose
from sim.referee.legality.conflicts import car_hits
from sim.referee.legality.footprints import TOUCH, Strips
from sim.referee.legality.obstacles import road_strip
from sim.referee.placement import CarSpot
from sim.referee.standing import LaidRoad
from sim.referee.table import Table

_STANDS = 0.5  # mm: how far inside the edges of its road a car's centre of mass must be at least
_AT_ONCE = 24  # places that are checked together: most often one of the first is free
_COMFORT = 2.0  # mm between two cars on the middle line, as long as there is room
_FINE = 0.004  # of a road's length, between places that are tried where room is scarce
_ASIDE = 1.0  # mm between two lines of such places


def car_range(box: Components, slope: float) -> tuple[float, float]:
    """The least and the greatest place along a road of that slope at which a car can stand: its
    centre of mass is above the road.

    A car's centre of mass is half its height above the road. On a slope it is further down, by that
    height times the slope.
    """
    down = box.car_height / 2 * abs(slope)
    start, end = _STANDS + down * (slope > 0), _STANDS + down * (slope < 0)
    return math.ceil(1000 * start / box.road_length) / 1000, 1 - math.ceil(
        1000 * end / box.road_length
    ) / 1000


def widest_side(box: Components) -> float:
    """How many mm off the middle line of its road a car can stand at most."""
    return box.road_width / 2 - _STANDS


def free_spots(
    table: Table,
    road: LaidRoad,
    pose: Pose | None,
    count: int,
    *,
    taken: Sequence[CarSpot] = (),
    steepest: float | None = None,
) -> tuple[CarSpot, ...]:
    """Up to `count` places for cars on a new road, clear of standing pieces and of each other.

    They lie on the middle line, from the middle outward and 2 mm apart; only if these are too few,
    anywhere on the road's face, as close together as the rules allow (7a). `taken` are places that
    are used or were tried: the search proposes none that overlaps one. A road that rises by more
    than `steepest` (rise over run) has no place.
    """
    face = _Face(table, road, road_strip(table, road, pose), tuple(taken))
    if not count or (steepest is not None and abs(face.strip.slope[0]) > steepest):
        return ()
    found = face.along_the_middle(count)
    if len(found) < count:
        found = max((one[:count] for one in face.fillings(found, count)), key=len)
    return tuple(sorted(found, key=lambda spot: (spot.along, spot.side)))


def _from_start(spot: CarSpot) -> tuple[float, float]:
    return (spot.along, abs(spot.side))


@dataclass(frozen=True)
class _Face:
    """The upper face of a new road, on which cars look for a place beside those `taken`."""

    table: Table
    road: LaidRoad
    strip: Strips
    taken: tuple[CarSpot, ...]

    def along_the_middle(self, count: int) -> list[CarSpot]:
        """Up to `count` places on the middle line, each with its full length on the road."""
        box = self.table.components
        margin = box.car_length / 2 / box.road_length
        steps = [
            0.5 + sign * step * 0.005
            for step in range(100)
            for sign in ((1,) if step == 0 else (1, -1))
        ]
        wanted = [CarSpot(round(along, 3)) for along in steps if margin <= along <= 1 - margin]
        found: list[CarSpot] = []
        for first in range(0, len(wanted), _AT_ONCE):
            for spot in self._free(wanted[first : first + _AT_ONCE]):
                if self._clear(spot, [*self.taken, *found], _COMFORT):
                    found.append(spot)
                if len(found) == count:
                    return found
        return found

    def fillings(self, middle: Sequence[CarSpot], count: int) -> Iterator[list[CarSpot]]:
        """Ways to fill the face, the nearest to the `middle` places first; none after the first
        that holds `count` cars.
        """
        free = [spot for spot in self._free(self._grid()) if self._clear(spot, self.taken)]
        from_middle = sorted(free, key=lambda spot: (abs(spot.side), abs(spot.along - 0.5)))
        ways: list[Callable[[], list[CarSpot]]] = [
            lambda: self._filled(from_middle, middle),
            *(partial(self._in_lanes, free, lanes) for lanes in self._lanes()),
            lambda: self._filled(sorted(free, key=_from_start)),
        ]
        for way in ways:
            spots = way()
            yield spots
            if len(spots) >= count:
                return

    def _in_lanes(self, free: Sequence[CarSpot], lanes: Sequence[float]) -> list[CarSpot]:
        """The lanes filled side by side, so that a few cars do not weigh down one edge."""
        return sorted(
            (spot for lane in lanes for spot in self._filled([s for s in free if s.side == lane])),
            key=_from_start,
        )

    def _grid(self) -> list[CarSpot]:
        """Places all over the face, along each lane from the start to the end."""
        box = self.table.components
        widest = widest_side(box)
        least, most = car_range(box, float(self.strip.slope[0]))
        if self.road.target is None:  # at the table end a car must not stand in the table
            most = min(most, 1 - box.car_length / 2 / box.road_length)
        along = np.round(np.arange(least, most + 1e-9, _FINE), 3).tolist()
        sides = {
            round(side, 2) + 0.0 for side in np.arange(-widest, widest + 1e-9, _ASIDE).tolist()
        }
        every = sorted(sides | {0.0} | {side for lanes in self._lanes() for side in lanes})
        return [CarSpot(place, side) for side in every for place in along]

    def _lanes(self) -> list[tuple[float, ...]]:
        """The sides (mm) of as many cars abreast as fit, then of fewer; each set in the middle,
        then to either edge.
        """
        box = self.table.components
        high = math.floor((widest_side(box) + 1e-9) * 100) / 100
        pitch = math.ceil((box.car_width + TOUCH) * 100) / 100
        sets: dict[tuple[float, ...], None] = {}
        for lanes in range(int(2 * high / pitch + 1e-9) + 1, 0, -1):
            left = 2 * high - (lanes - 1) * pitch
            for first in (round(left / 2, 2), 0.0, left):
                sets[
                    tuple(round(first - high + lane * pitch, 2) + 0.0 for lane in range(lanes))
                ] = None
        return list(sets)

    def _filled(self, order: Sequence[CarSpot], first: Sequence[CarSpot] = ()) -> list[CarSpot]:
        """The places in this order that are clear of each other, after those in `first`."""
        found = list(first)
        for spot in order:
            if self._clear(spot, found):
                found.append(spot)
        return found

    def _free(self, spots: Sequence[CarSpot]) -> list[CarSpot]:
        """Those of the places that touch no standing piece."""
        blocked = {row for row, _, _ in car_hits(self.table, self.road, self.strip, spots)}
        return [spot for row, spot in enumerate(spots) if row not in blocked]

    def _clear(self, spot: CarSpot, others: Sequence[CarSpot], gap: float = TOUCH) -> bool:
        """Whether a car there is clear of cars at other places, by a gap (mm) along the road or
        beside each other.
        """
        box = self.table.components
        apart, aside = (box.car_length + gap) / box.road_length, box.car_width + TOUCH
        return all(
            abs(spot.along - one.along) >= apart or abs(spot.side - one.side) >= aside
            for one in others
        )
