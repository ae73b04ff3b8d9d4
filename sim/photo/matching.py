"""Which roads of a photo are which roads of a table that was noted by hand.

A photo has its own frame, and its marks may name roads in another order than they were built in. A
noted table has errors that grow from pillar to pillar, as each was measured from the one before.
So a road is looked for from a pillar that is known already, by how it leaves it; only where there
is no such pillar, by where it lies. Owners and discs help. A match begins from the pairs of roads
that bring most others together.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rules.errors import InputError, Refusal
from sim.bodies import Floats, Ints, Pixels
from sim.photo.camera import Frame
from sim.photo.layout import placed_buildings
from sim.photo.marks import MarkedCar, MarkedPillar, MarkedRoad, Marks
from sim.photo.reading import read_photo
from sim.photo.scene import Known, Scene
from sim.photo.solving import Solution, placed, solve
from sim.photo.suspects import Suspect
from sim.referee.standing import Point
from sim.referee.table import Table

# mm: two roads that differ by more are not one; what a place counts more than a direction from a
# known pillar, a disc more or less, and another owner
_MOST, _BY_PLACE, _A_DISC, _AN_OWNER = 75.0, 15.0, 20.0, 45.0
_SAME_NAME = 6.0  # mm less for roads of one name: it decides between two that fit as well
_TRIED = 16  # beginnings that are carried on to the end
_FEWEST = 3  # roads that must be found, and half of those in the photo
# mm, 1 sigma: how well noted places say where the table lies. They are much worse than a photo, so
# they only hold its frame, and what nothing else holds
_HELD = 15.0


@dataclass(frozen=True, slots=True)
class Match:
    """The roads of a photo that are on the table: for the id of each the place of its marks, and
    whether these begin at its other end. `pillars` gives the place in the marks for the ids of
    pillars.

    `unseen` are the roads of the table that the photo does not show, `extra` the ids in the marks
    of those that the table does not have.
    """

    roads: Mapping[str, tuple[int, bool]]
    pillars: Mapping[str, int]
    unseen: tuple[str, ...]
    extra: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """What a photo says of a table, in the frame of the table, by the ids of the table: where
    pillars and buildings (with their turn in degrees) stand, and where roads end, first at their
    base (mm).

    `off` is how far pillars may be off along one axis (1 sigma in mm), all but the worst tenth.
    `miscounted` are pillars that have another number of discs in the marks: id, noted, marked.
    """

    match: Match
    pillars: Mapping[str, Point]
    ends: Mapping[str, tuple[Point, Point]]
    buildings: Mapping[str, tuple[Point, float]]
    miscounted: tuple[tuple[str, int, int], ...]
    off: float
    suspects: tuple[Suspect, ...]


def found_on(table: Table, marks: Marks, pixels: Pixels | None = None) -> Found:
    """What a photo of a noted table says of its places. `pixels` (h, w, 3) is the photo itself, if
    taps are to be held against it.

    Raises InputError for marks that cannot be used, or show another table.
    """
    if marks.components != table.components.name:
        marks = replace(marks, components=table.components.name)
    begun = solve(Scene.of(marks))
    found = match(table, marks, begun)
    named = _named(table, marks, found)
    places = {one.id: table.pillar_by_id[one.id].at for one in named.pillars}
    known = Known(places, _HELD)
    scene = Scene.of(named, known)
    begin = placed(scene, begun.vector[: len(scene.camera)])
    reading = read_photo(named, known, [begin], pixels)
    solution, named = reading.solution, reading.marks
    kinds = {one.kind: one.id for one in table.buildings}
    standing = placed_buildings(named, reading.camera)
    return Found(
        match=found,
        pillars={
            one.id: _rounded(at) for one, at in zip(named.pillars, solution.pillars, strict=True)
        },
        ends={
            road.id: (_rounded(tips[0]), _rounded(tips[1]))
            for road, tips in zip(named.roads, solution.tips, strict=True)
        },
        buildings={kinds[kind]: (at, turn) for kind, at, turn in standing if kind in kinds},
        miscounted=tuple(
            (name, table.pillar_by_id[name].discs, marks.pillars[n].discs)
            for name, n in found.pillars.items()
            if table.pillar_by_id[name].discs != marks.pillars[n].discs
        ),
        off=float(np.quantile(reading.off, 0.9)) if len(reading.off) else 0.0,
        suspects=reading.suspects,
    )


def match(table: Table, marks: Marks, solution: Solution) -> Match:
    """Which road of the marks, solved in a frame of their own, is which one of the table.

    Raises InputError if too few of them fit the table.
    """
    pairs = _Pairs.of(table, marks, solution.tips[:, :, :2])
    grown = [_grow(pairs, frame) for frame in (Frame(), *_beginnings(pairs))]
    grown += [_grow(pairs, one.frame) for one in grown]
    best = max(grown, key=lambda one: one.score)
    seen, needed = len(best.pairs), max(_FEWEST, math.ceil(len(marks.roads) / 2))
    if seen < needed:
        told = (
            f"only {seen} of {len(marks.roads)} roads in the photo fit the table of this game;"
            " look at owners, discs and the ends of the roads, or at the photo: is it this table?"
        )
        raise InputError(Refusal(told, "photo-other-table", seen=seen, roads=len(marks.roads)))
    roads = {table.roads[noted].id: (n, flip) for n, flip, noted in sorted(best.pairs)}
    names = [pillar.id for pillar in table.pillars]
    pillars = {names[noted]: n for n, noted in enumerate(best.noted.tolist()) if noted >= 0}
    taken = {n for n, _ in roads.values()}
    return Match(
        {road.id: roads[road.id] for road in table.roads if road.id in roads},
        pillars,
        tuple(road.id for road in table.roads if road.id not in roads),
        tuple(road.id for n, road in enumerate(marks.roads) if n not in taken),
    )


def _named(table: Table, marks: Marks, found: Match) -> Marks:
    """The marks with the ids, owners, discs and building order of the table."""
    borne = {pillar for name in found.roads for pillar in table.road_by_id[name].pillars}
    pillars = []
    for pillar in table.pillars:
        if pillar.id in borne:
            n = found.pillars.get(pillar.id)
            top = None if n is None else marks.pillars[n].top
            pillars.append(
                MarkedPillar(pillar.id, pillar.owner, pillar.discs, pillar.junction, top)
            )
    roads = []
    for name, (n, flip) in found.roads.items():
        road, ends = table.road_by_id[name], marks.roads[n].ends
        ends = (ends[1], ends[0]) if flip else ends
        roads.append(MarkedRoad(name, road.owner, road.base, road.target, ends))
    seats = table.turns.seats
    cars = None if marks.cars is None else [car for car in marks.cars if car.owner < seats]
    return replace(
        marks,
        players=seats,
        ruleset="standard",
        options=table.ruleset.differing("standard"),
        pillars=tuple(pillars),
        roads=tuple(roads),
        cars=None if cars is None else tuple[MarkedCar, ...](cars),
    )


# --- pairs of roads -------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Pairs:
    """All pairs of a road in the photo (n, with either end first: 2) and a noted one (m)."""

    ends: Floats  # (n, 2, 2, 2) mm, of the photo
    feet: Ints  # (n, 2, 2) the place of the pillar, -1 on the table
    noted_ends: Floats  # (m, 2, 2) mm
    noted_feet: Ints  # (m, 2)
    unlike: Floats  # (n, 2, m) mm that owners and discs count; infinite where it cannot be
    pillars: int  # in the marks
    noted_pillars: int

    @classmethod
    def of(cls, table: Table, marks: Marks, tips: Floats) -> _Pairs:
        """The pairs of roads whose `tips` are (n, 2, 2) in the photo's frame."""
        here = {pillar.id: n for n, pillar in enumerate(marks.pillars)}
        there = {pillar.id: n for n, pillar in enumerate(table.pillars)}
        both = np.stack([tips, tips[:, ::-1]], axis=1)
        feet = _feet([(road.base, road.target) for road in marks.roads], here)
        noted = _feet([(road.base, road.target) for road in table.roads], there)
        discs = np.array([*(pillar.discs for pillar in marks.pillars), 0])[feet]
        noted_discs = np.array([*(pillar.discs for pillar in table.pillars), 0])[noted]
        owners = np.array([road.owner for road in marks.roads])
        noted_owners = np.array([road.owner for road in table.roads])
        names = np.array([road.id for road in marks.roads])
        noted_names = np.array([road.id for road in table.roads])
        feet = np.stack([feet, feet[:, ::-1]], axis=1)
        discs = np.stack([discs, discs[:, ::-1]], axis=1)
        unlike = _A_DISC * np.abs(discs[:, :, None] - noted_discs).sum(axis=-1, dtype=np.float64)
        unlike += _AN_OWNER * (owners[:, None] != noted_owners)[:, None]
        unlike -= _SAME_NAME * (names[:, None] == noted_names)[:, None]
        lies = ((feet < 0)[:, :, None] != (noted < 0)).any(axis=-1)
        return cls(
            both,
            feet,
            np.array([(road.start, road.end) for road in table.roads]).reshape(-1, 2, 2),
            noted,
            np.where(lies, np.inf, unlike),
            len(marks.pillars),
            len(table.pillars),
        )


def _feet(feet: Sequence[tuple[str | None, str | None]], number: Mapping[str, int]) -> Ints:
    found = [[-1 if foot is None else number[foot] for foot in both] for both in feet]
    return np.array(found, dtype=np.int64).reshape(-1, 2)


def _beginnings(pairs: _Pairs) -> list[Frame]:
    """The frames in which one pair of roads lies together, best first: those in which most other
    roads of the photo have one near to them.
    """
    tries = []
    for n, flip, noted in np.argwhere(pairs.unlike < _A_DISC / 2).tolist():
        frame = Frame.laying(pairs.ends[n, flip], pairs.noted_ends[noted])
        away = _away(pairs, frame) + pairs.unlike
        near = np.minimum(away.min(axis=(1, 2), initial=_MOST), _MOST)
        tries.append((float(near.sum()), n, flip, noted, frame))
    return [frame for *_, frame in sorted(tries)[:_TRIED]]


def _away(pairs: _Pairs, frame: Frame) -> Floats:
    """How far the ends of each pair are apart (n, 2, m), mean of both, in mm."""
    apart = frame.on(pairs.ends)[:, :, None] - pairs.noted_ends
    return np.asarray(np.hypot(apart[..., 0], apart[..., 1]).mean(axis=-1))


@dataclass(frozen=True)
class _Grown:
    """A match as it grows: the pairs (place, flip, noted place), the noted pillar for each pillar
    of the marks (-1: none), the frame, and how good all of it is.
    """

    all: _Pairs
    noted: Ints
    frame: Frame
    pairs: tuple[tuple[int, bool, int], ...] = ()
    score: float = 0.0


def _grow(pairs: _Pairs, frame: Frame) -> _Grown:
    """The match that follows from a frame: always the pair that fits best is the next one."""
    grown = _Grown(pairs, np.full(pairs.pillars, -1, dtype=np.int64), frame)
    while len(grown.pairs) < min(len(pairs.ends), len(pairs.noted_ends)):
        cost = _cost(grown)
        n, flip, noted = np.unravel_index(int(cost.argmin()), cost.shape)
        least = max(float(cost[n, flip, noted]), 0.0)
        if not least < _MOST:
            break
        pillars = grown.noted.copy()
        for foot, there in zip(pairs.feet[n, flip], pairs.noted_feet[noted], strict=True):
            if foot >= 0:
                pillars[foot] = there
        found = (*grown.pairs, (int(n), bool(flip), int(noted)))
        here = np.concatenate([pairs.ends[a, int(b)] for a, b, _ in found])
        lie = np.concatenate([pairs.noted_ends[c] for *_, c in found])
        laid = Frame.laying(here, lie) if len(found) > 1 else frame
        grown = _Grown(pairs, pillars, laid, found, grown.score + 1.0 - least / _MOST)
    return grown


def _cost(grown: _Grown) -> Floats:
    """By how many mm each pair differs (n, 2, m); infinite where it contradicts the match."""
    pairs = grown.all
    moved = grown.frame.on(pairs.ends)
    runs = (moved[:, :, 1] - moved[:, :, 0])[:, :, None] - (
        pairs.noted_ends[:, 1] - pairs.noted_ends[:, 0]
    )
    by_way = np.hypot(runs[..., 0], runs[..., 1])
    by_place = _away(pairs, grown.frame) + _BY_PLACE
    # where each pillar of the marks is on the table, and the other way round; -2: not known yet
    to = np.append(np.where(grown.noted < 0, -2, grown.noted), -1)
    back = np.full(pairs.noted_pillars + 1, -2, dtype=np.int64)
    known = np.flatnonzero(grown.noted >= 0)
    back[grown.noted[known]] = known
    back[-1] = -1
    there, here = to[pairs.feet][:, :, None], back[pairs.noted_feet]
    known_end = (there >= 0) & (there == pairs.noted_feet)
    against = (there >= 0) & (there != pairs.noted_feet)
    against |= (here >= 0) & (here != pairs.feet[:, :, None])
    cost: Floats = np.where(known_end.any(axis=-1), by_way, by_place) + pairs.unlike
    cost[against.any(axis=-1)] = np.inf
    for n, _, noted in grown.pairs:
        cost[n] = np.inf
        cost[:, :, noted] = np.inf
    return cost


def _rounded(point: Sequence[float] | Floats) -> tuple[float, float]:
    return (round(float(point[0]), 1) + 0.0, round(float(point[1]), 1) + 0.0)
