"""Whose roads they are: by the paint of the roads where they have one, else by the cars on them;
and the cars themselves.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from sim.bodies import Bools, Floats
from sim.photo.camera import Camera
from sim.photo.finding.looking import Look
from sim.photo.finding.standing import Standing

AHEAD = 0.25
"""By how much the next owner of a road must be behind for its own to be sure."""

_GREY = (0.02, 0.015)  # the hue of wood and of grey
_ONE = 0.04  # how far colours of one seat are from its middle in hue
_WITHOUT = 0.08  # nearer to grey than this is white or black
_CAR_FULL, _PAINT_FULL = 0.4, 0.1  # of the colour of a seat that its cars, and paint, show at least
_PAINT_COUNTS = 2.0  # how much full paint counts
_FAINT, _FULL = 0.04, 0.15  # how far from grey paint is that begins to count, and how much further
_PAINTED = 0.12  # how far from grey paint is that shows a seat
_CAR_COUNTS = 0.6  # how much a car on a road counts
_BARE_COUNTS = 0.3  # how much it counts for a white or black seat that other roads are painted
_TOLD = 100.0  # how much it counts that a person says it
_COLOURED = 0.05  # how much the paint of roads must differ for it to tell owners apart
_CHAIN, _CROWDED = 0.8, 0.1  # how much a pillar ties two roads on it, and more of them
_LEAST, _SURE = 1e-3, 1.0  # votes for an owner, and of a seat that the picture tells
_CAR_SIZE = (0.25, 4.0)  # of the area that a car is expected to have, in the picture
_CAR = 14.0 * 7.0 * 1.3  # mm^2
_ON_ROAD = 7.0  # mm beside the middle line of a road
_MOST_SEATS = 4


@dataclass(frozen=True, slots=True)
class SeenCar:
    """A car: where it is in pixels, its colour, and the road that it stands on by number."""

    at: tuple[float, float]
    colour: Floats
    road: int | None


def hue(colours: Floats) -> Floats:
    """Colours (n, 3) of 0 to 255 as two numbers that do not depend on the light, and darkness."""
    value = colours + 8.0
    total = value.sum(axis=-1, keepdims=True)
    share = value / total
    light = np.log(total[..., 0] / 384.0)
    return np.stack(
        [share[..., 0] - share[..., 1], share[..., 1] - share[..., 2], 0.04 * light], -1
    )


def paint(look: Look, at: Floats) -> Floats:
    """The colour (3,) along the middle of a road from one place to another, (2, 2) in cells; nan if
    too little of it is seen.
    """
    steps, maps = np.linspace(0.12, 0.88, 60), look.maps
    line = at[0] + steps[:, None] * (at[1] - at[0])
    h, w = maps["top"].shape
    x, y = np.clip(np.round(line).astype(int), 0, (w - 1, h - 1)).T
    along = at[1] - at[0]
    angle = 2 * np.arctan2(along[1], along[0])
    same = np.cos(angle) * maps["turn_x"][y, x] + np.sin(angle) * maps["turn_y"][y, x]
    seen = (maps["top"][y, x] > 0.6) & (same > 0.8) & (maps["car"][y, x] < 0.2)
    if seen.sum() < 5:
        return np.full(3, np.nan)
    return np.asarray(np.median(look.colours[y, x][seen].astype(np.float64), axis=0))


def is_yellow(look: Look, at: Floats) -> bool:
    """Whether the uppermost disc of a pillar is yellow: by what is seen of it round its middle."""
    maps = look.maps
    h, w = maps["top"].shape
    x, y = round(float(at[0])), round(float(at[1]))
    reach = 7
    rows = slice(max(y - reach // 2, 0), min(y + reach + 3, h))
    columns = slice(max(x - reach, 0), min(x + reach + 1, w))
    disc = (maps["face"][rows, columns] + maps["side"][rows, columns]) > 0.6
    if disc.sum() < 4:
        return False
    r, g, b = look.colours[rows, columns][disc].astype(np.float64).T
    yellow = (np.minimum(r, g) > 1.5 * b + 12) & (r > 1.08 * g)
    return bool(yellow.mean() > 0.35)


def cars_in(look: Look, camera: Camera, tips: Floats) -> list[SeenCar]:
    """The cars in a photo; `tips` (n, 2, 3) are those of the roads, in mm."""
    from sim.photo.picture import opencv

    cv2 = opencv()
    spots, scale = (look.maps["car"] > 0.5).astype(np.uint8), look.step
    count, labels, stats, middles = cv2.connectedComponentsWithStats(spots, connectivity=8)
    found = []
    steps = np.linspace(0.06, 0.94, 45)[None, :, None]
    lines = tips[:, :1] + steps * (tips[:, 1:] - tips[:, :1]) + np.array([0.0, 0.0, 3.5])
    shown = camera.project(lines.reshape(-1, 3)).reshape(len(tips), 45, 2)
    for k in range(1, count):
        at = (middles[k] + 0.5) * scale
        area = stats[k, cv2.CC_STAT_AREA] * scale**2
        there = camera.unproject(at + scale * np.array([(0, 0), (1, 0), (0, 1)]), np.full(3, 30.0))
        a, b = there[1] - there[0], there[2] - there[0]
        mm2 = abs(float(a[0] * b[1] - a[1] * b[0])) / scale**2
        if not _CAR_SIZE[0] * _CAR < area * mm2 < _CAR_SIZE[1] * _CAR:
            continue
        values = look.colours[labels == k].astype(np.float64)
        bright = values.max(axis=1)
        colour = np.median(values[bright >= np.quantile(bright, 0.4)], axis=0)
        road = None
        if len(tips):
            away = np.hypot(*(shown - at).transpose(2, 0, 1))
            near = away.min(axis=1)
            best = int(np.nanargmin(np.where(np.isfinite(near), near, np.inf)))
            if near[best] * np.sqrt(mm2) < _ON_ROAD * 1.5:
                road = best
        found.append(SeenCar((float(at[0]), float(at[1])), colour, road))
    return found


def tied(found: Standing) -> Floats:
    """How strongly pillars tie roads to each other, (n, n): they are one player's. Without a
    junction there are two on a pillar, so one of more may be another player's.
    """
    ties = np.zeros((len(found.roads), len(found.roads)))
    for stand in found.stands:
        on = sorted({road for road, _ in stand.bears})
        weight = _CHAIN if stand.junction or len(on) < 3 else _CROWDED
        ties[np.ix_(on, on)] = np.maximum(ties[np.ix_(on, on)], weight)
    np.fill_diagonal(ties, 0.0)
    return ties


@dataclass(frozen=True)
class Owning:
    """Whose roads are: the owner of each, the one that comes next, and by how much that is behind
    (n,), from 0 to 1; the hues of the seats (k, 3); what pulls each road to others and to itself
    (n, n), and its votes (n, k).
    """

    owners: list[int]
    next: list[int]
    ahead: Floats
    seats: Floats
    pull: Floats
    votes: Floats

    def with_road(self, road: int, owner: int) -> list[int]:
        """The roads that change their owner if this one has that owner."""
        pull, votes = self.pull.copy(), self.votes.copy()
        pull[road, road] += _TOLD
        votes[road, owner] += _TOLD
        now = np.linalg.solve(pull, votes)
        return [
            n
            for n, mine in enumerate(now)
            if n == road or (mine.max() > _LEAST and mine.argmax() != self.owners[n])
        ]


def owned(
    ties: Floats,
    paints: Floats,
    cars: list[SeenCar],
    seats: Floats | None = None,
    said: Mapping[int, int] = MappingProxyType({}),
) -> Owning:
    """The owner of every road; `ties` are those of `tied`, `paints` (n, 3) colours, `said` the
    owners that a person told, among `seats` if these are known.

    The paint of a road and the cars on it vote for its owner, and the pillars carry that along its
    chain: what is nearer counts more (harmonic functions; Zhu, Ghahramani and Lafferty 2003). A
    chain that nothing tells goes to who has the fewest roads, as players take turns; of a seat of a
    single car, the picture does not tell that it is one.
    """
    cars = [car for car in cars if car.road is not None]
    known = seats is not None
    hues, shades = hue(paints), hue(np.array([car.colour for car in cars]).reshape(-1, 3))
    if seats is None:
        seats = _seats(hues, shades)
    many = max(len(seats), 2, *(seat + 1 for seat in said.values()), 0)
    votes = np.zeros((len(paints), many))
    votes[:, : len(seats)] = _votes(hues, shades, [car.road or 0 for car in cars], seats)
    clear = votes.sum(axis=0) >= _SURE
    for road, seat in said.items():
        votes[road], votes[road, seat], clear[seat] = 0.0, _TOLD, True
    pull = np.diag(ties.sum(axis=1) + votes.sum(axis=1) + 1e-9) - ties
    share = np.linalg.solve(pull, votes)
    if not known:
        first = [int(mine.argmax()) if mine.max() > _LEAST else -1 for mine in share]
        order = sorted(
            range(many), key=lambda seat: (-first.count(seat), [*first, seat].index(seat))
        )
        votes, share, clear = votes[:, order], share[:, order], clear[order]
        seats = seats[[seat for seat in order if seat < len(seats)]]
    ranked = np.argsort(-share, axis=1, kind="stable")
    owners = [seat if share[n, seat] > _LEAST else -1 for n, seat in enumerate(ranked[:, 0])]
    best, second = (np.take_along_axis(share, ranked[:, [k]], axis=1)[:, 0] for k in (0, 1))
    ahead = np.where(clear[ranked[:, 0]], best - second, 0.0)
    chains = np.linalg.matrix_power((ties > 0) + np.eye(len(ties)), len(ties)) > 0
    for road in range(len(owners)):
        if owners[road] < 0:
            owner = min(range(many), key=owners.count)
            owners = [
                owner if in_it else one for in_it, one in zip(chains[road], owners, strict=True)
            ]
    others = [int(two[int(two[0] == owner)]) for owner, two in zip(owners, ranked, strict=True)]
    return Owning([int(owner) for owner in owners], others, ahead, seats, pull, votes)


def _seats(hues: Floats, shades: Floats) -> Floats:
    """The hues of the seats (k, 3), from those of roads (n, 3) and of the cars on them (m, 3).

    Cars are painted all over, so those of a seat have one hue, also if that is none: white or
    black. Paint that no seat with cars explains shows another seat, if it is on two roads.
    """
    painted = hues[_striped(hues)]
    found = np.zeros((0, 3))
    for given, fewest in ((shades, 1), (painted[_full(painted) > _PAINTED], 2)):
        left = given[_off(given, found).min(axis=1, initial=np.inf) > _ONE]
        while len(left) and len(found) < _MOST_SEATS:
            near = _off(left, left) < _ONE
            best = near[:, near.sum(axis=0).argmax()]
            if best.sum() < fewest:
                break
            found = np.concatenate([found, np.median(left[best], axis=0)[None]])
            left = left[_off(left, found[-1:])[:, 0] > 1.3 * _ONE]
    return found


def _striped(hues: Floats) -> Bools:
    """Which roads have a paint that tells owners apart; none if all look alike."""
    known = np.asarray(np.isfinite(hues).all(axis=1))
    if known.sum() < 2 or hues[known, :2].std(axis=0).sum() <= _COLOURED:
        known[:] = False
    return known


def _full(hues: Floats) -> Floats:
    """How far from grey each hue is."""
    return np.asarray(np.hypot(*(hues[:, :2] - _GREY).T))


def _off(hues: Floats, seats: Floats, least: float = _CAR_FULL) -> Floats:
    """How far hues (n, 3) are from those that seats (k, 3) may show, (n, k): a colour mixes with
    what is beside it and with the light, so it may be less full, down to the share `least`. White
    and black are those that are as light.
    """
    grey = np.array([*_GREY, 0.0])
    ones, along = (hues - grey)[:, None], (seats - grey)[None]
    flat = along * (1.0, 1.0, 0.0)
    share = (ones * flat).sum(axis=2) / np.maximum((flat**2).sum(axis=2), 1e-9)
    aside = np.linalg.norm((ones - np.maximum(share, 0.0)[..., None] * flat)[..., :2], axis=2)
    without = _full(seats) < _WITHOUT
    aside = np.where(share < least, np.inf, aside)
    return np.where(without, np.linalg.norm(ones - along, axis=2), aside)


def _votes(hues: Floats, shades: Floats, roads: list[int], seats: Floats) -> Floats:
    """How much the paint of each road, and the cars on it, speak for each seat, (n, seats)."""
    found = np.zeros((len(hues), len(seats)))
    if not len(seats):
        return found
    painted, without = np.flatnonzero(_striped(hues)), np.flatnonzero(_full(seats) < _WITHOUT)
    much = np.clip((_full(hues) - _FAINT) / _FULL, 0.0, 1.0)
    off = _off(hues, seats, _PAINT_FULL)
    off[:, without] = np.inf
    for road in painted[off[painted].min(axis=1) < 2 * _ONE].tolist():
        found[road, off[road].argmin()] += _PAINT_COUNTS * much[road]
    if len(without) == 1:
        found[painted, without[0]] += _BARE_COUNTS * (1.0 - much[painted])
    off = _off(shades, seats)
    for road, each in zip(roads, off, strict=True):
        if each.min() < 2 * _ONE:
            found[road, each.argmin()] += _CAR_COUNTS
    return found
