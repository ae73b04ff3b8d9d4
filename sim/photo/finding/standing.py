"""Which pillars stand under the roads that were found, and how many discs each has.

A count must agree with what the net reads off the pillar, with the height of the roads on it, with
the foot that is seen under it, and with the length of its roads; and a road between two pillars
without a junction goes one disc up or down.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import NamedTuple, Self

import numpy as np

from sim.bodies import Floats, Ints
from sim.photo.camera import FOCAL, HEIGHT, ROLL, SIZE, TILT, Camera
from sim.photo.finding.roads import LIFT, Road, Scale, alike, feet_away, ground_of
from sim.photo.finding.sticks import Pillars

_REACH, _ASIDE = 12.0, 6.0  # mm: how far a tip may lie from the middle of its pillar
_HIDDEN = 1.5  # how many times farther a hidden end may lie
_LEVEL = 1.6  # discs by which a tip and its pillar may seem to differ
# discs: a tip lower than this lies on the table; and how probable that must be for an end that is
# seen to be on no pillar that is seen
_ON_TABLE, _LIES = 0.5, 0.35
_READ, _LEVELS = 0.8, 0.8  # how much what the net reads off a pillar, and under ends, counts
# how common pillars of 1, 2, ... discs are on the tables of photos to learn from, and how much that
# counts: the net was trained as if they were more alike
_COMMONNESS = np.array([0.336, 0.378, 0.181, 0.074, 0.023, 0.006, 0.001, 0.0005, 0.0005])
_COMMON = 0.5
# how common the table is under the only end on a pillar that nobody saw; how probable if the end is
# hidden, of which the picture says little
_LYING, _HIDDEN_LIES = 0.3, 0.5
_LEAST = 0.02  # how probable any number of discs is at least
_FOOT_OFF = 4.5  # mm, 1 sigma
_LONG_OFF = {2: 2.5, 1: 8.0, 0: 9.0}  # mm, 1 sigma of the length by ends that are seen
_MOST = 8.0  # what one sign may cost
_NO_STEP = 10.0  # what a road costs that does not go one disc up or down
_ONE_PILLAR, _STAYS = 1.0, 1.0  # cells between what is one; what another number than before costs
_KNOT = 4  # neighbours of a stand whose numbers are sought together at most


@dataclass
class Stand:
    """A pillar: its middle in cells if that is seen, what the net reads as its discs, how probable
    each number is (8,), the ends on it as (road, end), and how many discs it has: what a person
    `said`, else what agrees best. `doubt` is how much more the next best numbers of all pillars
    cost in which this one has another; `next` is that, and how many pillars change. Of a pillar
    that nobody saw, `near` is where an end lies on it, in cells. `before` is how many discs it had
    when the table was last found.
    """

    at: Floats | None
    read: float | None
    odds: Floats | None = None
    near: Floats | None = None
    bears: list[tuple[int, int]] = field(default_factory=list)
    discs: int = 1
    doubt: float = 0.0
    next: tuple[int, int] = (1, 0)
    junction: bool = False
    said: int | None = None
    before: int | None = None


@dataclass
class Standing:
    """Roads with their stands: `feet` are the numbers of the pillars under both ends, None on the
    table.
    """

    roads: list[Road]
    feet: list[list[int | None]]
    stands: list[Stand]

    def levels(self, road: int) -> tuple[int, int]:
        """How many discs are under both ends of a road."""
        a, b = (0 if foot is None else self.stands[foot].discs for foot in self.feet[road])
        return a, b

    def only(self, kept: Sequence[int]) -> Self:
        """Some of the roads, in this order, on the same pillars; what these bear is left open."""
        return replace(
            self,
            roads=[self.roads[k] for k in kept],
            feet=[self.feet[k] for k in kept],
            stands=[replace(stand, bears=[]) for stand in self.stands],
        )


def stood(
    roads: list[Road],
    pillars: Pillars,
    camera: Camera,
    scale: Scale,
    said: Mapping[tuple[int, int], int] = MappingProxyType({}),
    before: Standing | None = None,
) -> Standing:
    """The pillars under the ends of these roads; `said` is how many discs a person counts under an
    end of a road. Ends that had a pillar `before` stay on it.
    """
    stands = [
        replace(stand, bears=[], said=None, before=stand.discs)
        for stand in (() if before is None else before.stands)
    ]
    old = np.array([stand.at for stand in stands if stand.at is not None]).reshape(-1, 2)
    stands += [
        Stand(at, float(read), odds)
        for at, read, odds in zip(pillars.at, pillars.discs, pillars.odds, strict=True)
        if not (np.hypot(*(old - at).T) < _ONE_PILLAR).any()
    ]
    feet: list[list[int | None]] = []
    stay = {
        (n, end): foot
        for n, road in enumerate(roads)
        for end, foot in enumerate(_feet_before(road, before))
        if (told := said.get((n, end))) is None or (foot is None) == (told == 0)
    }
    for n, road in enumerate(roads):
        under = list[tuple[int, float] | None]()
        for end, lies in enumerate(road.seen & (road.levels[:, 0] > _LIES)):
            if (foot := stay.get((n, end))) is not None:
                under.append((foot, 0.0))
            elif (n, end) in stay or said.get((n, end), 0 if lies else None) == 0:
                under.append(None)
            else:
                under.append(_nearest(road, end, stands, camera, scale))
        one, other = under
        if one is not None and other is not None and one[0] == other[0]:
            under[int(one[1] < other[1])] = None
        feet.append([None if one is None else one[0] for one in under])
    found = Standing(roads, feet, stands)
    for number, under_both in enumerate(feet):
        for end in (0, 1):
            known = (number, end) in stay or said.get((number, end)) == 0
            if under_both[end] is None and not known:
                under_both[end] = _unseen(found, number, end, camera, scale)
    for number, under_both in enumerate(feet):
        if under_both[0] is None and under_both[1] is None:
            higher = int(np.nan_to_num(roads[number].heights).argmax())
            under_both[higher] = len(stands)
            stands.append(Stand(None, None))
        for end in (0, 1):
            if (stand := under_both[end]) is not None:
                discs = said.get((number, end))
                if discs is not None and stands[stand].said not in (None, discs):
                    stand = under_both[end] = len(stands)  # it looks like one pillar, and is two
                    stands.append(Stand(None, discs, near=roads[number].at[end]))
                stands[stand].bears.append((number, end))
                stands[stand].said = discs or stands[stand].said
    _sweep(found)
    return found


def _feet_before(road: Road, before: Standing | None) -> Sequence[int | None]:
    """The pillars under both ends of a road that was found before; none if it is another one."""
    return next(
        (
            feet[::way]
            for old, feet in (() if before is None else zip(before.roads, before.feet, strict=True))
            for way in (1, -1)
            if alike(old.at[::way], road.at)
        ),
        (),
    )


def made_one(found: Standing, tips: Floats, apart: float) -> None:
    """Makes pillars one that are less than `apart` mm from each other in plan, where two have no
    room: one that nobody saw, or that bears less, goes into the other. `tips` (n, 2, 2) are the
    ends of the roads in mm.
    """
    places = [np.mean([tips[bears] for bears in stand.bears], axis=0) for stand in found.stands]
    order = sorted(
        range(len(places)),
        key=lambda k: (found.stands[k].at is not None, len(found.stands[k].bears)),
    )
    for k in order:
        stand = found.stands[k]
        roads = {road for road, _ in stand.bears}
        near = [
            (float(np.linalg.norm(places[k] - places[other])), other)
            for other, there in enumerate(found.stands)
            if other != k
            and there.bears
            and 0 not in (stand.discs, there.discs)
            and None in (stand.before, there.before)
            and not roads & {road for road, _ in there.bears}
        ]
        away, other = min(near, default=(np.inf, -1))
        if away < apart and None in (stand.said, found.stands[other].said):
            for road, end in stand.bears:
                found.feet[road][end] = other
            found.stands[other].bears += stand.bears
            found.stands[other].said = found.stands[other].said or stand.said
            stand.bears = []
    _sweep(found)


def lying(found: Standing) -> None:
    """Takes pillars of no disc away: what lies on them lies on the table, but no road with both
    ends.
    """
    for stand in found.stands:
        if stand.discs == 0:
            ((road, end),) = stand.bears
            if found.feet[road][1 - end] is None:
                stand.discs = 1
            else:
                found.feet[road][end] = None
                stand.bears = []
    _sweep(found)


def _sweep(found: Standing) -> None:
    """Leaves out pillars that bear nothing."""
    used = [k for k, stand in enumerate(found.stands) if stand.bears]
    number = {old: new for new, old in enumerate(used)}
    found.stands[:] = [found.stands[k] for k in used]
    for under in found.feet:
        under[:] = [None if k is None else number[k] for k in under]


def _nearest(
    road: Road, end: int, stands: list[Stand], camera: Camera, scale: Scale, seen: bool = True
) -> tuple[int, float] | None:
    """The pillar under an end, among those that are seen or the others, and how badly it fits; None
    if there is none.
    """
    height, more = float(road.heights[end]), 1.0 if road.seen[end] and seen else _HIDDEN
    places = [stand.at if seen else stand.near for stand in stands]
    reads = np.array([np.nan if stand.read is None else stand.read for stand in stands])
    apart = np.abs(reads - height)
    some = [k for k, place in enumerate(places) if place is not None and apart[k] <= _LEVEL]
    if not some:
        return None
    cells = np.array([(road.at[end], road.at[1 - end], places[k]) for k in some])
    level = np.repeat((height + reads[some, None]) / 2, 3, axis=1)
    level[:, : 2 if seen else 3] += LIFT
    spots = ground_of(camera, cells.reshape(-1, 2), np.maximum(level, 0.0).ravel(), scale)
    tip, other, middle = spots.reshape(-1, 3, 2).transpose(1, 0, 2)
    unit = (other - tip) / np.maximum(np.linalg.norm(other - tip, axis=1, keepdims=True), 1e-6)
    off = middle - tip
    along = np.abs((off * unit).sum(axis=1) - 1.0) / more
    aside = np.abs(off[:, 0] * unit[:, 1] - off[:, 1] * unit[:, 0]) / more
    near = (along < _REACH) & (aside < (_ASIDE if seen else _REACH))
    cost = np.where(near, 2 * aside + along + 2.0 * apart[some], np.inf)
    best = int(cost.argmin())
    return (some[best], float(cost[best])) if near[best] else None


def _unseen(found: Standing, road: int, end: int, camera: Camera, scale: Scale) -> int | None:
    """The table, or a pillar that nobody saw: two ends that lie together lie on one pillar, as
    pillars are wider than that.
    """
    height = float(found.roads[road].heights[end])
    if height < _ON_TABLE:
        return None
    shared = _nearest(found.roads[road], end, found.stands, camera, scale, seen=False)
    if shared is not None and shared[0] not in found.feet[road]:
        return shared[0]
    found.stands.append(Stand(None, max(height, 1.0), near=found.roads[road].at[end]))
    return len(found.stands) - 1


# --- counts ---------------------------------------------------------------------------------------

_HIGHEST = 9
_IMPOSSIBLE = 1e6  # discs under an end on the table, or none in a pillar
_FOCAL_OFF = 0.03  # share of the focal length that is believed, 1 sigma
# Steps of the search for the camera. Focal length and height, and height and tilt, also change
# together: what a camera shows hardly changes with them, and one at a time would get stuck.
_WAYS = (
    {FOCAL: 0.03, HEIGHT: 0.03},
    {TILT: 0.06},
    {ROLL: 0.02},
    {HEIGHT: 0.06},
    {HEIGHT: 0.03, TILT: 0.03},
)
_HALVED, _TURNS = 4, 6  # how often these steps are halved, and how often each is tried at most
_ENOUGH = 0.1  # a cost that is less by so much is worth another camera


def counted(
    found: Standing, feet: Floats, camera: Camera, scale: Scale, doubts: bool = False
) -> None:
    """Gives every pillar the number of discs that agrees best with everything else, and with
    `doubts` says how much worse the next number is; `feet` are the places of feet in cells.
    """
    counting = Counting(found, feet, scale)
    costs = counting.by(camera)
    least, discs = counting.best(costs)
    for k, stand in enumerate(found.stands, 1):
        stand.discs = stand.said or int(discs[k])
        if doubts:
            cost, other = counting.next_best(costs, k, stand.discs)
            stand.doubt, stand.next = cost - least, (int(other[k]), int((other != discs).sum()))


def agreeing_camera(
    found: Standing, feet: Floats, camera: Camera, scale: Scale, focal: float | None
) -> Camera:
    """The camera near this one with which the best numbers of discs cost least.

    A camera that is too low and numbers that are all too high agree with the lengths of roads as
    well as the truth does: what is seen of pillars and their feet tells them apart. So numbers and
    camera are sought together, by a pattern search (Hooke and Jeeves 1961). `focal` is the focal
    length in pixels, if it is known.
    """
    counting = Counting(found, feet, scale)

    def cost(vector: Floats) -> float:
        off = 0.0 if focal is None else (vector[FOCAL] - np.log(focal)) / _FOCAL_OFF
        return counting.best(counting.by(Camera.of(vector)))[0] + off * off

    here, ways = camera.vector, np.zeros((len(_WAYS), SIZE))
    for way, steps in zip(ways, _WAYS, strict=True):
        way[list(steps)] = list(steps.values())
    least = cost(here)
    for _ in range(_HALVED):
        for _ in range(_TURNS):
            before = least
            for way in (*ways, *-ways):
                if (tried := cost(here + way)) < least - _ENOUGH:
                    here, least = here + way, tried
            if least == before:
                break
        ways /= 2
    return Camera.of(here)


class Counting:
    """What numbers of discs cost under roads whose pillars are known. Number 0 is the table, the
    stands come after it.
    """

    def __init__(self, found: Standing, feet: Floats, scale: Scale) -> None:
        self._found, self._feet, self._scale = found, feet, scale
        self._seen = np.zeros((len(found.stands) + 1, _HIGHEST + 1))
        self._seen[0, 1:] = self._seen[1:, 0] = _IMPOSSIBLE
        for k in range(len(found.stands)):
            self._seen[k + 1, 1:] = _seen_costs(found, k)
            self._seen[k + 1, 0] = _table_cost(found, k)
            if (said := found.stands[k].said) is not None:
                self._seen[k + 1, np.arange(_HIGHEST + 1) != min(said, _HIGHEST)] = _IMPOSSIBLE
        self._feet_of = [[0 if foot is None else foot + 1 for foot in both] for both in found.feet]
        self._order, self._given = self._simplest()
        levels = np.arange(_HIGHEST + 1)
        off = np.where(np.abs(levels[:, None] - levels) != 1, _NO_STEP, 0.0)
        self._uneven = np.zeros((len(found.roads), 1, 1)) + off
        for road, feet_of in enumerate(found.feet):
            if any(foot is not None and found.stands[foot].junction for foot in feet_of):
                self._uneven[road] = 0.0

    def by(self, camera: Camera) -> tuple[Floats, Floats]:
        """With this camera: the costs of each number for each stand, (stands + 1, 10), and of both
        numbers for each road, (roads, 10, 10).
        """
        own, stands = self._seen.copy(), self._found.stands
        shown = [k for k, stand in enumerate(stands, 1) if stand.at is not None]
        at = np.array([stands[k - 1].at for k in shown]).reshape(-1, 2)
        own[shown, 1:] += feet_costs(at, self._feet, camera, self._scale)
        return own, self._uneven + _lengths_off(self._found, camera, self._scale)

    def best(self, costs: tuple[Floats, Floats]) -> tuple[float, Ints]:
        """The least cost, and the number for each stand, that of the table first: one stand after
        the other is left out, and what it costs at least becomes a cost of its neighbours
        (nonserial dynamic programming, Bertele and Brioschi 1972).
        """
        own, roads = costs
        discs = np.zeros(len(own), dtype=np.int64)
        discs[self._given] = own[self._given].argmin(axis=1)
        tables = [_Table((k,), own[k]) for k in self._order]
        tables += [_Table((), own[k, discs[k]]) for k in self._given]
        for feet, table in zip(self._feet_of, roads, strict=True):
            known = tuple(discs[k] if k in self._given else slice(None) for k in feet)
            tables.append(_Table(tuple(k for k in feet if k not in self._given), table[known]))
        left: list[_Table] = []
        for stand in self._order:
            every = _added([table for table in tables if stand in table.of], stand)
            left.append(every)
            tables = [table for table in tables if stand not in table.of]
            tables.append(_Table(every.of[1:], every.costs.min(axis=0)))
        for every in reversed(left):
            others = tuple(discs[k] for k in every.of[1:])
            discs[every.of[0]] = int(every.costs[(slice(None), *others)].argmin())
        return float(np.sum([table.costs for table in tables])), discs

    def next_best(self, costs: tuple[Floats, Floats], stand: int, discs: int) -> tuple[float, Ints]:
        """The least cost if a stand has not this number, and the numbers then."""
        own = costs[0].copy()
        own[stand, discs] = _IMPOSSIBLE
        return self.best((own, costs[1]))

    def _simplest(self) -> tuple[list[int], list[int]]:
        """The stands in the order in which they are left out, the one with the fewest neighbours
        first; and the table and those with too many, which get the number that is best by itself.
        """
        near: dict[int, set[int]] = {k: set() for k in range(1, len(self._seen))}
        for one, other in self._feet_of:
            if one and other:
                near[one].add(other)
                near[other].add(one)
        order, given = list[int](), [0]
        while near:
            stand = min(near, key=lambda k: len(near[k]))
            if knot := len(near[stand]) > _KNOT:
                stand = max(near, key=lambda k: len(near[k]))
            (given if knot else order).append(stand)
            around = near.pop(stand)
            for one in around:
                near[one] = (near[one] | (set() if knot else around)) - {one, stand}
        return order, given


class _Table(NamedTuple):
    """What numbers of discs cost: the stands, and for each an axis with what its numbers cost."""

    of: tuple[int, ...]
    costs: Floats


def _added(tables: Sequence[_Table], first: int) -> _Table:
    """All these costs together, the stand `first` on the first axis."""
    of = (first, *sorted({k for table in tables for k in table.of} - {first}))
    total = np.zeros((_HIGHEST + 1,) * len(of))
    for one in tables:
        places = [of.index(k) for k in one.of]
        sides = [_HIGHEST + 1 if k in places else 1 for k in range(len(of))]
        total += one.costs.transpose(np.argsort(places)).reshape(sides)
    return _Table(of, total)


def _seen_costs(found: Standing, k: int) -> Floats:
    """What each number of discs costs (9,) by what the net reads of the pillar."""
    stand, costs = found.stands[k], np.asarray(-2 * _COMMON * np.log(_COMMONNESS))
    if stand.odds is not None:
        costs[: len(stand.odds)] -= 2 * _READ * np.log(stand.odds + _LEAST)
        costs[len(stand.odds) :] -= 2 * _READ * np.log(_LEAST)
    for road, end in stand.bears:
        levels = found.roads[road].levels[end]
        share = _LEVELS / len(stand.bears) ** 0.5
        costs[: len(levels) - 1] -= 2 * share * np.log(levels[1:] + _LEAST)
        costs[len(levels) - 1 :] -= 2 * share * np.log(_LEAST)
    if stand.before is not None:
        costs[min(stand.before, _HIGHEST) - 1] -= _STAYS
    return costs


def _table_cost(found: Standing, k: int) -> float:
    """The cost of no disc: the only end on a pillar that nobody saw lies on the table instead."""
    stand = found.stands[k]
    if stand.at is not None or len(stand.bears) != 1:
        return _IMPOSSIBLE
    ((road, end),) = stand.bears
    if found.feet[road][1 - end] is None:
        return _IMPOSSIBLE
    one = found.roads[road]
    likely = float(one.levels[end][0]) + _LEAST if one.seen[end] else _HIDDEN_LIES
    return float(-2 * (_COMMON * np.log(_LYING) + _LEVELS * np.log(likely)))


def feet_costs(at: Floats, feet: Floats, camera: Camera, scale: Scale) -> Floats:
    """What each number of discs costs (n, 9) by how far the nearest foot, of those at `feet` (m,
    2), is from where it would be under pillars whose upper faces are at `at` (n, 2), all in cells.
    """
    if not len(feet):
        return np.zeros((len(at), _HIGHEST))
    away = feet_away(at, feet, camera, scale, _HIGHEST)
    return np.asarray(np.minimum((away / _FOOT_OFF) ** 2, _MOST))


def _lengths_off(found: Standing, camera: Camera, scale: Scale) -> Floats:
    """What the length of each road costs for each number of discs under its ends, (n, 10, 10)."""
    at = np.array([road.at for road in found.roads]).reshape(-1, 2)
    levels = np.arange(_HIGHEST + 1, dtype=np.float64)
    many = len(levels)
    places = ground_of(
        camera, np.repeat(at, many, axis=0), np.tile(levels + LIFT, len(at)), scale
    ).reshape(-1, 2, many, 2)
    plan = ((places[:, 0, :, None] - places[:, 1, None, :]) ** 2).sum(axis=-1)
    long = np.sqrt(plan + (scale.box.disc_height * (levels[:, None] - levels)) ** 2)
    sigma = np.array([_LONG_OFF[int(road.seen.sum())] for road in found.roads])[:, None, None]
    return np.asarray(np.minimum(((long - scale.box.road_length) / sigma) ** 2, _MOST))
