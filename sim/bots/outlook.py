"""Outlook: what n proposals are worth beyond the cars of this turn, computed for all of them
together.

For every proposal: the best reply of each opponent, among the opponent's own proposals as they
would be with the new road and pillar in place; the seat's own best next turn, from its other base
points and from the new pillar; the free sides that the new road opens within the opponents' reach;
the room between the new pieces and what stands near.

Centre lines, level differences and distances decide whether a reply would still be legal. They miss
a touch along an edge, which now and then costs a wrong guess but never makes an illegal move.
Crossings follow the defaults of the options, except for the options that say whose roads count.
"""

from dataclasses import dataclass

import numpy as np

from sim.batch.fans import Lines, Meetings, free_sides, lines_of, meetings
from sim.bodies import Bools, Floats, Ints
from sim.bots.proposals import Proposals, Sampling, propose
from sim.referee import Table, as_seat, obstacles_of, reach
from sim.referee.geometry import DEEP, Strip

_REPLY = Sampling(36, 2)  # how finely a next turn is sampled
_LAST = Sampling(72, 3)  # the same for a seat that may be about to win
_NEARLY = 2  # cars left: with so few a seat may be about to win
_BEARINGS = 24  # of the roads that may leave a new pillar
_AMPLE = 20.0  # mm: more room than this is no better


@dataclass(frozen=True, slots=True)
class Outlook:
    """For n proposals: `replies` (n, opponents) and `mine` (n,) are cars that the next turn could
    earn, capped by the cars left; `opened` (n,) counts the free sides of the new road that an
    opponent can reach next turn; `room` (n,) is the least distance in mm to what is not meant to be
    touched.
    """

    replies: Ints
    mine: Ints
    opened: Ints
    room: Floats


def look_ahead(table: Table, new: Proposals) -> Outlook:
    """The outlook of proposals of the seat to move."""
    seat, lines = table.to_move, new.lines(table)
    crossed = meetings(table, lines, lines_of(table))
    free = _free_sides(table, crossed)
    replies, opened = [], np.zeros((len(new), 2), dtype=np.bool_)
    for other in table.turns.clockwise(seat):
        asked = as_seat(table, other)
        cars = table.stocks[other].cars
        options = propose(asked, _LAST if cars <= _NEARLY else _REPLY)
        best, reached = _best_after(asked, options, table, new, lines, crossed, free)
        replies.append(np.minimum(best, cars))
        opened |= reached
    mine = np.maximum(_from_others(table, new, lines, crossed), _from_new(table, new, crossed))
    left = np.maximum(table.stocks[seat].cars - new.cars, 0)
    return Outlook(
        np.stack(replies, axis=-1) if replies else np.zeros((len(new), 0), dtype=np.int64),
        np.minimum(mine, left),
        opened.sum(axis=1),
        _room(table, new, lines, crossed),
    )


def way_to_earn(table: Table, points: Floats) -> Floats | None:
    """The distance in mm, in plan, of each of n points (n, 2) from the nearest road that the seat
    to move could cross for a car.

    None if there is no such road.
    """
    wanted = np.flatnonzero(free_sides(table).any(axis=1))
    if not len(wanted):
        return None
    return np.asarray(_distances(points, lines_of(table).take(wanted)).min(axis=1))


# --- replies --------------------------------------------------------------------------------------


def _best_after(
    asked: Table,
    options: Proposals,
    table: Table,
    new: Proposals,
    lines: Lines,
    crossed: Meetings,
    free: Bools,
) -> tuple[Ints, Bools]:
    """The most cars that the seat to move of `asked` earns after each proposal (n,), and which
    sides of the new road it can reach (n, 2).
    """
    roads = options.lines(asked)
    # no player takes an exit that would use up the only base point without winning
    is_last = len(asked.base_points(asked.to_move)) == 1
    leaves = (options.discs == 0) & (options.cars < asked.stocks[asked.to_move].cars)
    lost = _lost(asked, roads, crossed)
    met = meetings(table, roads, lines)
    over = met.meet & (met.level > met.other) & free[None, :, 0]
    under = met.meet & (met.level < met.other) & free[None, :, 1]
    possible = _possible(table, new, lines, options, roads, met) & ~(leaves & is_last)[:, None]
    earned = options.cars[:, None] + over + under - lost
    best = np.where(possible, earned, 0).max(axis=0, initial=0)
    reached: Bools = np.stack(
        [(over & possible).any(axis=0), (under & possible).any(axis=0)], axis=-1
    )
    return best, reached


def _lost(asked: Table, roads: Lines, crossed: Meetings) -> Ints:
    """The cars that each of m roads no longer earns once each of n proposals has taken the sides of
    the roads it crosses; (m, n).
    """
    over, under = (hit.astype(np.int64) for hit in _hits(asked, roads))
    above = crossed.meet & (crossed.level > crossed.other)
    below = crossed.meet & (crossed.level < crossed.other)
    lost = over @ above.T.astype(np.int64) + under @ below.T.astype(np.int64)
    return np.asarray(lost, dtype=np.int64)


def _hits(asked: Table, roads: Lines) -> tuple[Bools, Bools]:
    """Which standing road each of m roads would score on, from above and from below; (m, roads)."""
    met, free = meetings(asked, roads, lines_of(asked)), free_sides(asked)
    over, under = met.level > met.other, met.level < met.other
    return met.meet & free[:, 0] & over, met.meet & free[:, 1] & under


def _free_sides(table: Table, crossed: Meetings) -> Bools:
    """Whether the over and the under side of each new road would be free; (n, 2)."""
    if table.ruleset.resolved.history:  # what stood before takes no side of a new road
        return np.ones((len(crossed.meet), 2), dtype=np.bool_)
    above = (crossed.meet & (crossed.level < crossed.other)).any(axis=1)
    below = (crossed.meet & (crossed.level > crossed.other)).any(axis=1)
    return ~np.stack([above, below], axis=-1)


def _possible(
    table: Table,
    new: Proposals,
    lines: Lines,
    options: Proposals,
    roads: Lines,
    met: Meetings,
) -> Bools:
    """Whether each of m replies would still be legal beside each of n proposals; (m, n)."""
    box = table.components
    apart = np.abs(met.level - met.other) * box.disc_height
    beside = box.disc_radius + box.road_width / 2
    pillar, other = new.discs > 0, options.discs > 0
    bad = met.meet & (apart <= box.road_thickness)
    bad |= (_distances(new.at, roads) < beside).T & pillar[None, :]
    bad |= (_distances(options.at, lines) < beside) & other[:, None]
    gap = np.hypot(*np.moveaxis(options.at[:, None, :] - new.at[None, :, :], -1, 0))
    bad |= (gap < box.disc_diameter) & other[:, None] & pillar[None, :]
    return ~bad


def _distances(points: Floats, roads: Lines) -> Floats:
    """The distance in plan of each of n points to the centre line of each of m roads; (n, m)."""
    start = roads.rows[:, :2]
    along = roads.rows[:, 2:4] - start
    squared = np.maximum((along**2).sum(axis=1), 1e-9)
    dx, dy = points[:, None, 0] - start[None, :, 0], points[:, None, 1] - start[None, :, 1]
    t = np.clip((dx * along[:, 0] + dy * along[:, 1]) / squared, 0.0, 1.0)
    return np.asarray(np.hypot(dx - t * along[:, 0], dy - t * along[:, 1]))


# --- the own next turn ----------------------------------------------------------------------------


def _from_others(table: Table, new: Proposals, lines: Lines, crossed: Meetings) -> Ints:
    """The most cars that the seat itself could earn next turn from a base point that the proposal
    leaves open; (n,).
    """
    best = np.zeros(len(new), dtype=np.int64)
    points = table.base_points(table.to_move)
    if len(points) < 2 or not len(new):
        return best
    options = propose(table, _REPLY)
    roads = options.lines(table)
    met = meetings(table, roads, lines)
    earned = options.cars[:, None] - _lost(table, roads, crossed)
    possible = _possible(table, new, lines, options, roads, met)
    # a base point is used up by its road, unless it is a junction that has both branches left
    both = {point.pillar.id for point in points if point.pillar.junction and not point.branch}
    base, of = (np.array([kind.base for kind in some.kinds])[some.kind] for some in (new, options))
    spent = (of[:, None] == base[None, :]) & ~np.isin(of, sorted(both))[:, None]
    return np.asarray(np.where(possible & ~spent, earned, 0).max(axis=0, initial=0), dtype=np.int64)


def _from_new(table: Table, new: Proposals, crossed: Meetings) -> Ints:
    """The most cars that a road or an exit from the new pillar could earn next turn, by centre
    lines alone; (n,).
    """
    best = np.zeros(len(new), dtype=np.int64)
    for rise in (-1, 1):
        rows = np.flatnonzero((new.discs > 0) & (new.discs + rise >= 1))
        between = reach(table.components, rise)
        assert between is not None, "one disc is no height for a road"
        _try_from(
            table, new, crossed, rows, np.full(len(rows), float(np.mean(between))), rise, best
        )
    # an exit that would use up the only base point is not taken
    points = table.base_points(table.to_move)
    both = {point.pillar.id for point in points if point.pillar.junction and not point.branch}
    others = (
        len(points)
        - 1
        + np.array([kind.base in both for kind in new.kinds], dtype=np.int64)[new.kind]
        + new.junction
    )
    height, rules = new.discs * table.components.disc_height, table.ruleset.resolved
    leaves = (new.discs > 0) & (others > 0) & (height < table.components.road_length)
    rows = np.flatnonzero(
        leaves if rules.exit_height < 0 else leaves & (new.discs == rules.exit_height)
    )
    _try_from(
        table,
        new,
        crossed,
        rows,
        np.sqrt(table.components.road_length**2 - height[rows] ** 2),
        None,
        best,
    )
    return best


def _try_from(
    table: Table,
    new: Proposals,
    crossed: Meetings,
    rows: Ints,
    span: Floats,
    rise: int | None,
    best: Ints,
) -> None:
    """Raises `best` (n,) to what roads of that span and rise in all bearings earn from the pillars
    of `rows`; None means exits.
    """
    if not len(rows):
        return
    box, standing = table.components, obstacles_of(table)
    angles = np.arange(_BEARINGS) * (2 * np.pi / _BEARINGS)
    rays = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    of = np.repeat(rows, _BEARINGS)
    start = new.at[of]
    end = start + (span[:, None, None] * rays[None, :, :]).reshape(-1, 2)
    level = new.discs[of].astype(np.float64)
    low = np.zeros(len(of)) if rise is None else level + rise
    alone = np.full((len(of), 2), -2)
    roads = Lines(np.column_stack([start, end, level, low]), np.full(len(of), table.to_move), alone)
    over, under = _hits(table, roads)
    above = (crossed.meet & (crossed.level > crossed.other))[of]
    below = (crossed.meet & (crossed.level < crossed.other))[of]
    earned = (over & ~above).sum(axis=1) + (under & ~below).sum(axis=1) + (rise is None)
    met = meetings(table, roads, lines_of(table))
    blocked = (
        met.meet & (np.abs(met.level - met.other) * box.disc_height <= box.road_thickness)
    ).any(axis=1)
    beside = box.disc_radius + box.road_width / 2
    discs = np.array(standing.discs)[:, :2]
    blocked |= (_distances(discs, roads) < beside).any(axis=0)
    if rise is not None:
        blocked |= (_distances(end, lines_of(table)) < beside).any(axis=1)
    np.maximum.at(best, of, np.where(blocked, 0, earned))


# --- room -----------------------------------------------------------------------------------------


def _room(table: Table, new: Proposals, lines: Lines, crossed: Meetings) -> Floats:
    """The least distance in mm of the new pieces to others: roads crossed, by height; pillars,
    roads, cars beside, in plan.
    """
    box, field = table.components, obstacles_of(table)
    room = np.full(len(new), _AMPLE)
    apart = np.abs(crossed.level - crossed.other) * box.disc_height - box.road_thickness
    # a car on the lower road stands in the gap; whether it is just there does not matter for a hand
    np.minimum(room, np.where(crossed.meet, apart, _AMPLE).min(axis=1, initial=_AMPLE), out=room)
    pillar, none = new.discs > 0, np.full(len(new), np.inf)
    if len(field.discs):
        discs = np.array(field.discs)[:, :2]
        to_pillars = np.hypot(*np.moveaxis(new.at[:, None, :] - discs[None, :, :], -1, 0)).min(
            axis=1
        )
        np.minimum(room, np.where(pillar, to_pillars - box.disc_diameter, none), out=room)
        base = np.array([kind.base for kind in new.kinds])[new.kind]
        past = _distances(discs, lines).T - box.disc_radius - box.road_width / 2
        others = base[:, None] != np.array(field.disc_pillars)[None, :]
        np.minimum(room, np.where(others, past, _AMPLE).min(axis=1), out=room)
    sticks = [*field.roads, *field.cars, *(block for block in field.blocks if block[DEEP])]
    if sticks:
        away = _to_strips(new.at, sticks).min(axis=1) - box.disc_radius
        np.minimum(room, np.where(pillar, away, none), out=room)
    return room


def _to_strips(points: Floats, strips: list[Strip]) -> Floats:
    """The distance in plan of each of n points to each of m rectangles; (n, m)."""
    x, y, ux, uy, long, wide = np.array(strips).T[:6]
    dx, dy = points[:, :1] - x, points[:, 1:] - y
    along, across = np.abs(dx * ux + dy * uy) - long, np.abs(dy * ux - dx * uy) - wide
    return np.asarray(np.hypot(np.maximum(along, 0.0), np.maximum(across, 0.0)))
