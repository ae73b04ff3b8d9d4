"""A photographed table as a record: its `start` is the layout that the photo shows, its tolerance
what taps leave open.

Cars stand on the own road that they are marked nearest to. What is in stock follows from what
stands; no photo shows what penalties moved from one stock to another.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rules.record import Header, Record
from sim.bodies import Floats
from sim.photo.camera import Camera
from sim.photo.marks import MarkedBuilding, Marks
from sim.photo.suspects import entrances
from sim.pieces import Components
from sim.referee.ruleset import Preset
from sim.referee.standing import Point, letter

# mm: a car that is marked further than this from its player's roads is on none of them
_CAR_NEAR = 20.0
# mm of tolerance; an eye that looks for the middle of a disc is off by as much as a ruler
_LEAST, _MOST = (
    3.0,
    20.0,
)
_TWO_SIGMA = 2.5


@dataclass(frozen=True, slots=True)
class Parked:
    """A marked car, by its place in the list of marks: the road that it stands on and where along
    it, None if on none.
    """

    index: int
    owner: int
    road: str | None
    along: float
    off: float  # pixels from the middle line


def placed_buildings(marks: Marks, camera: Camera) -> tuple[tuple[str, Point, float], ...]:
    """Where each marked building stands: its kind, its place in mm and its turn in degrees."""
    found = [_building(marks.box, one, camera) for one in marks.buildings]
    return tuple((one["kind"], (one["at"][0], one["at"][1]), one["turn"]) for one in found)


def parked(marks: Marks, camera: Camera, tips: Floats) -> tuple[Parked, ...]:
    """Where each marked car stands."""
    return tuple(_park(marks, camera, tips, index) for index in range(len(marks.cars or ())))


def named_cars(cars: Sequence[Parked]) -> dict[str, Parked]:
    """The cars that stand on a road, by the ids that the record gives them."""
    numbers: Counter[int] = Counter()
    found = {}
    for car in cars:
        if car.road is not None:
            found[f"{letter(car.owner)}-C{numbers[car.owner]}"] = car
            numbers[car.owner] += 1
    return found


def record_of(
    marks: Marks,
    camera: Camera,
    pillars: Floats,
    tips: Floats,
    cars: Mapping[str, int],
    off: float,
    players: Sequence[str] = (),
) -> Record:
    """The record that begins with the photographed table; `cars` are those that each road earns,
    `off` how far off pillars may be along one axis (1 sigma in mm).
    """
    start = _start(marks, camera, pillars, tips, cars)
    preset = Preset.named(marks.ruleset)
    header = Header(
        game="tokyo-highway",
        players=tuple(players) or tuple(letter(seat) for seat in range(marks.players)),
        ruleset=marks.ruleset,
        options=dict(marks.options),
        components=None if marks.components == preset.components else marks.components,
        source="a photo",
        start=start,
        observed=True,
        tolerance=float(np.clip(math.ceil(2 * _TWO_SIGMA * off) / 2, _LEAST, _MOST)),
    )
    return Record(header)


# --- the layout -----------------------------------------------------------------------------------


def _start(
    marks: Marks, camera: Camera, pillars: Floats, tips: Floats, cars: Mapping[str, int]
) -> dict[str, Any]:
    ramps, standing = entrances(marks), named_cars(parked(marks, camera, tips))
    numbers = Counter(car.owner for car in standing.values())
    return {
        "to_move": (marks.roads[-1].owner + 1) % marks.players if marks.roads else 0,
        "pillars": [
            {"id": one.id, "at": rounded(at), "discs": one.discs, "junction": one.junction}
            for one, at in zip(marks.pillars, pillars.tolist(), strict=True)
        ],
        "roads": [_road(marks, index, tips[index], ramps) for index in range(len(marks.roads))],
        "cars": [
            {"id": name, "on": car.road, "along": round(car.along, 3)}
            for name, car in standing.items()
        ],
        "buildings": [
            {"id": f"X{n}", **_building(marks.box, one, camera)}
            for n, one in enumerate(marks.buildings)
        ],
        "stocks": _stocks(marks, cars, None if marks.cars is None else numbers),
    }


def _road(marks: Marks, index: int, tips: Floats, ramps: frozenset[str]) -> dict[str, Any]:
    road = marks.roads[index]
    feet: list[Any] = [
        {"table": rounded(tip[:2])} if foot is None else foot
        for foot, tip in zip((road.base, road.target), tips.tolist(), strict=True)
    ]
    if road.id in ramps and road.target is None:
        feet.reverse()  # a layout has an entrance from the table up, and an exit down to it
    return {"id": road.id, "from": feet[0], "to": feet[1]}


def _stocks(
    marks: Marks, cars: Mapping[str, int], counted: Counter[int] | None
) -> list[dict[str, int]]:
    """What each seat has left: its supply without what stands; cars that nobody marked are those
    that were earned.
    """
    supply, ramps = marks.box.supplies[marks.players], entrances(marks)
    found = []
    for seat in range(marks.players):
        own = [pillar for pillar in marks.pillars if pillar.owner == seat]
        roads = [road for road in marks.roads if road.owner == seat]
        # a ramp earns one car, be it an entrance or an exit
        earned = sum(
            cars.get(road.id, 0) + (road.id in ramps or None in (road.base, road.target))
            for road in roads
        )
        gone = earned if counted is None else counted[seat]
        yellow = sum(pillar.junction for pillar in own)
        left = {
            "cars": supply.cars - gone,
            "grey": supply.grey - sum(pillar.discs for pillar in own) + yellow,
            "yellow": supply.yellow - yellow,
            "roads": supply.roads - len(roads),
        }
        found.append({key: max(count, 0) for key, count in left.items()})
    return found


def _building(box: Components, marked: MarkedBuilding, camera: Camera) -> dict[str, Any]:
    """Where a building stands: a box by three corners of its base, a round one by three points of
    its rim.
    """
    from sim.bodies import Box

    a, b, c = camera.unproject(marked.corners, np.zeros(3))
    shape = box.buildings[marked.kind].shape
    if not isinstance(shape, Box):
        return {
            "kind": marked.kind,
            "at": rounded(_round_base(np.array([a, b, c]), shape.radius)),
            "turn": 0.0,
        }
    first, second = math.dist(a, b), math.dist(b, c)
    long_first = abs(first - shape.size[0]) + abs(second - shape.size[1]) <= abs(
        first - shape.size[1]
    ) + abs(second - shape.size[0])
    side = b - a if long_first else c - b
    turn = math.degrees(math.atan2(side[1], side[0])) % 180.0
    return {"kind": marked.kind, "at": rounded((a + c) / 2), "turn": round(turn, 1)}


def _round_base(rim: Floats, radius: float) -> Floats:
    """The centre of a circle of that radius through three points, as well as it can be."""
    centre = rim.mean(axis=0)
    for _ in range(20):
        away = centre - rim
        far = np.maximum(np.linalg.norm(away, axis=1), 1e-6)
        step, *_ = np.linalg.lstsq(away / far[:, None], radius - far, rcond=None)
        centre = centre + step
    return np.asarray(centre)


def _park(marks: Marks, camera: Camera, tips: Floats, index: int) -> Parked:
    car, box = (marks.cars or ())[index], marks.box
    steps = np.linspace(0.0, 1.0, 101)
    edge = box.car_length / 2 / box.road_length  # the whole car stands on the road
    best = Parked(index, car.owner, None, 0.5, math.inf)
    for road, ends in zip(marks.roads, tips, strict=True):
        if road.owner != car.owner:
            continue
        middle = ends[0] + steps[:, None] * (ends[1] - ends[0]) + (0.0, 0.0, box.car_height / 2)
        seen = camera.project(middle)
        away = np.hypot(*(seen - np.array(car.at)).T)
        nearest = int(np.nanargmin(away)) if np.isfinite(away).any() else 0
        scale = float(np.hypot(*(seen[-1] - seen[0]))) / box.road_length  # pixels a mm
        if away[nearest] < best.off and away[nearest] < _CAR_NEAR * scale:
            along = float(steps[nearest]) if road.base is not None else 1.0 - float(steps[nearest])
            along = min(max(along, edge), 1.0 - edge)
            best = replace(best, road=road.id, along=along, off=float(away[nearest]))
    return best


def rounded(point: Sequence[float] | Floats) -> list[float]:
    """A place as records and answers give it, to a hundredth of a mm."""
    return [round(float(point[0]), 2) + 0.0, round(float(point[1]), 2) + 0.0]
