"""One attempt at a placement: the pieces are laid, come to rest, are judged where they lie, and cars are put on the road.

Pillar and road first, then the cars that they earn; each comes to rest before it is judged. What breaks a rule where it lies
did not stand (rules 4h). A car that does not stay is put back elsewhere, as often as `redo` allows (rules 7n).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from rules.errors import InputError
from sim import referee
from sim.bodies import Body
from sim.game.car_places import places_that_stand
from sim.game.posing import Jitter, Laid, bodies, jitters, lay, lay_cars
from sim.game.sources import Nominal, Observed, PoseSource, Recorded, Simulated
from sim.game.touching import breaches
from sim.physics.engine import HandPath
from sim.poses import Pose
from sim.records import USUAL_SPEED, checked_hand
from sim.referee import AttemptResult
from sim.referee.close_calls import tally
from sim.referee.crossings import Crossing
from sim.referee.judgement import PoseChange, crossings_of, falls
from sim.referee.placement import CarSpot, Entrance, Placement
from sim.referee.standing import LaidRoad
from sim.referee.table import Table
from sim.referee.verdict import Breach, Fall, PutBack, buildings_among
from sim.trajectory import SettlingTake

__all__ = ["Hand", "Attempt", "attempt", "standing_poses"]

Hand = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt at a ply: who says what came of it, and what the hand added to the intention (a record's `hand`).

    `attempt` raises InputError for a hand beyond the limits of `sim.records`.
    """

    ground: PoseSource
    hand: Hand = ()


def attempt(table: Table, placement: Placement, one: Attempt) -> AttemptResult:
    """What came of a try; of a simulated one as its record will tell."""
    made = _made(table, placement, one)
    if isinstance(one.ground, Recorded):
        return replace(made, chosen=one.ground.chosen)
    if not isinstance(one.ground, Simulated) or _hand_redo(table, made.touched):
        return replace(made, chosen=None)
    # Pieces come to rest twice, before the cars and with them, and a record holds the poses at the end. What follows from
    # those counts, so that whoever trusts the record goes on from the same table; it also says where the cars were put if
    # others would be chosen on those poses.
    assert made.moved is not None
    told = _made(table, placement, Attempt(Recorded(made.moved), one.hand))
    chosen = made.chosen if told.chosen != made.chosen else None
    if chosen is not None:
        told = _made(table, placement, Attempt(Recorded(made.moved, chosen), one.hand))
    return replace(told, touched=made.touched, restless=made.restless, chosen=chosen, put_back=made.put_back, takes=made.takes)


def standing_poses(table: Table, moved: Mapping[str, Pose], fallen: Collection[str]) -> dict[str, Pose]:
    """The poses of a table once everything that fell is put back where it was."""
    return dict(table.poses) | {piece: pose for piece, pose in moved.items() if piece not in fallen}


# --- pillar and road ---------------------------------------------------------------------------------------------------------


def _made(table: Table, placement: Placement, one: Attempt) -> AttemptResult:
    grown = table.with_pieces(placement)
    road = grown.roads[-1]
    if isinstance(one.ground, Observed):
        return _observed(table, grown, placement, one.ground)
    if isinstance(one.ground, Nominal):
        crossings, earned, spots = _cars_due(table, grown, placement, road, one.ground)
        return AttemptResult(True, (), None, crossings, earned, spots, table.next_cars(table.to_move, len(spots)))
    hand = checked_hand(one.hand)
    jitter = jitters(hand)
    laid = lay(table, placement, jitter)
    came = one.ground.settle(bodies(table), laid, _path(hand))
    assert came is not None
    fell = falls(grown, _standing(bodies(table), laid, came.moved))
    new = {piece.rest.id for piece in laid}
    first = AttemptResult(True, fell, came.moved, touched=came.touched, restless=came.restless, takes=came.takes(laid))
    if first.fallen & new or _hand_redo(grown, came.touched):
        return replace(first, built=False)
    lying = replace(grown, poses=standing_poses(table, came.moved, first.fallen))
    if broken := breaches(lying, new):
        return replace(first, built=False, breaches=broken)
    return _with_cars(table, lying, placement, one, jitter, first)


def _observed(table: Table, grown: Table, placement: Placement, ground: Observed) -> AttemptResult:
    """Falls as people saw them (record format 7b, rules 8); new pieces among the fallen mean that the build did not stand."""
    counted = _counted(table, grown, placement, ground)
    spots = counted.spots
    cars = table.next_cars(table.to_move, len(spots))
    known = table.with_pieces(placement, spots, cars).piece_ids
    for piece in ground.fallen:
        if piece not in known:
            raise InputError(_no_such_piece(piece, known))
    fell = tuple(Fall(piece, "observed") for piece in sorted(set(ground.fallen)))
    new = grown.piece_ids - table.piece_ids
    if not ground.stands or any(fall.piece in new for fall in fell):
        return AttemptResult(False, fell)
    stand = [n for n, car in enumerate(cars) if car not in ground.fallen]
    return replace(counted, falls=fell, spots=tuple(spots[n] for n in stand), cars=tuple(cars[n] for n in stand))


def _counted(table: Table, grown: Table, placement: Placement, ground: Observed) -> AttemptResult:
    """The cars of a build that people saw: by the numbers, or as they say where that is too close to tell (rules 7o)."""
    road = grown.roads[-1]
    crossings, earned, spots = _cars_due(table, grown, placement, road, ground)
    stock, put = table.stocks[table.to_move].cars, getattr(placement, "cars", None)
    if put is not None:  # what people accepted may be more than was earned
        spots = put[:stock]
    if not table.tolerance or isinstance(placement, Entrance):
        return AttemptResult(True, crossings=crossings, earned=earned, spots=spots)
    counts = tally(grown, road)
    said = ground.cars if ground.cars is not None else max(earned, len(put or ()))
    earned = said if counts.least <= said <= counts.most else earned
    most = min(earned, stock)
    if put is None and len(spots) != most:  # nobody noted where they stood
        spots = tuple(CarSpot(round((n + 1) / (most + 1), 3)) for n in range(most))
    between = (counts.least, counts.most) if counts.least < counts.most else None
    return AttemptResult(True, (), None, crossings, earned, spots, close_calls=counts.close_calls, between=between)


def _no_such_piece(piece: str, known: Collection[str]) -> str:
    """A pillar falls disc by disc, so its id alone names nothing that falls."""
    discs = sorted(other for other in known if other.startswith(f"{piece}."))
    if discs:
        return f"observed names the pillar {piece}; name the discs that fell: {', '.join(discs)}"
    return f"observed names {piece}, but there is no such piece on the table"


# --- cars --------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Round:
    """What came of putting some cars down: whether road and pillar still stand, what fell, which new cars have no place yet."""

    falls: tuple[Fall, ...]
    moved: Mapping[str, Pose]
    restless: tuple[str, ...] = ()
    takes: tuple[SettlingTake, ...] = ()
    built: bool = True
    breaches: tuple[Breach, ...] = ()
    homeless: tuple[str, ...] = ()


def _with_cars(
    table: Table, lying: Table, placement: Placement, one: Attempt, jitter: Mapping[str, Jitter], first: AttemptResult
) -> AttemptResult:
    """Counts the crossings of a road that lies, puts its cars on it, and those that do not stay elsewhere on it."""
    road = lying.roads[-1]
    crossings, earned, spots = _cars_due(table, lying, placement, road, one.ground)
    if not spots:
        return replace(first, crossings=crossings, earned=earned)
    assert first.moved is not None
    cars, others = table.next_cars(table.to_move, len(spots)), replace(lying, roads=lying.roads[:-1])
    place, used, put_back = dict(zip(cars, spots, strict=True)), list(spots), _put_back_before(placement, cars, spots)
    now = _put_down(table, placement, place, cars, one.ground, jitter, _Round(first.falls, first.moved, homeless=cars))
    for _ in range(0 if isinstance(one.ground, Recorded) else table.ruleset.redo):
        fresh = places_that_stand(others, lying, len(now.homeless), used, weighed=True) if now.built and now.homeless else ()
        if not fresh:
            break
        again = now.homeless[: len(fresh)]
        put_back += [PutBack(car, place[car], spot, _why(now, car)) for car, spot in zip(again, fresh, strict=True)]
        place.update(zip(again, fresh, strict=True))
        used += fresh
        now = _put_down(table, placement, place, again, one.ground, {}, now)
    done = replace(
        first,
        falls=now.falls,
        moved=now.moved,
        restless=tuple(sorted({*first.restless, *now.restless})),
        takes=(*first.takes, *now.takes),
    )
    if not now.built:
        return replace(done, built=False, breaches=now.breaches)
    stand = [car for car in cars if car not in now.homeless]
    return replace(
        done,
        crossings=crossings,
        earned=earned,
        spots=tuple(place[car] for car in stand),
        cars=tuple(stand),
        chosen=tuple(place.values()),
        put_back=(*put_back, *(PutBack(car, place[car], None, _why(now, car)) for car in now.homeless)),
    )


def _why(now: _Round, car: str) -> Literal["fell", "touches"]:
    """Why a car is homeless."""
    return "fell" if any(fall.piece == car for fall in now.falls) else "touches"


def _put_back_before(placement: Placement, cars: Sequence[str], spots: Sequence[CarSpot]) -> list[PutBack]:
    """The cars that stand elsewhere than the placement wants them: a record tells where they were put at last."""
    wanted = (placement.car,) if isinstance(placement, Entrance) else getattr(placement, "cars", None) or ()
    return [PutBack(car, was, now) for car, was, now in zip(cars, wanted, spots, strict=False) if was != now]


def _put_down(
    table: Table,
    placement: Placement,
    place: Mapping[str, CarSpot],
    some: Sequence[str],
    ground: PoseSource,
    jitter: Mapping[str, Jitter],
    now: _Round,
) -> _Round:
    """Puts `some` of the new cars at their places; those that are not homeless stand there already. What fell is put back."""
    fallen = {fall.piece for fall in now.falls}
    there = [car for car in place if car not in now.homeless]
    standing = table.with_pieces(placement, [place[car] for car in there], there)
    standing = replace(standing, poses=_of(standing, standing_poses(table, now.moved, fallen)))
    laid = lay_cars(standing, standing.roads[-1], [place[car] for car in some], some, jitter)
    came = ground.settle(bodies(standing), laid, None)
    assert came is not None
    on = [car for car in place if car in there or car in some]
    full = table.with_pieces(placement, [place[car] for car in on], on)
    fell = falls(full, _standing(bodies(standing), laid, came.moved))
    again = {fall.piece for fall in fell}
    # the pose in which a piece fell stays in the record, wherever it was nudged to after it was put back; a new car counts by
    # where it is put at last
    moved = dict(now.moved)
    moved.update({p: pose for p, pose in came.moved.items() if p in again or p in place or p not in fallen})
    known = {fall.piece: fall for fall in now.falls if fall.piece not in some} | {fall.piece: fall for fall in fell}
    result = _Round(
        tuple(known[piece] for piece in sorted(known)),
        moved,
        tuple(sorted({*now.restless, *came.restless})),
        (*now.takes, *came.takes(laid)),
        homeless=tuple(car for car in place if car not in on or car in again),
    )
    if again & (full.piece_ids - table.piece_ids - set(place)):
        return replace(result, built=False)
    stay = [car for car in on if car not in again]
    lying = table.with_pieces(placement, [place[car] for car in stay], stay)
    lying = replace(lying, poses=_of(lying, standing_poses(table, moved, set(known))))
    broken = breaches(lying, lying.piece_ids - table.piece_ids)
    if any(breach.piece not in place for breach in broken):
        return replace(result, built=False, breaches=broken)
    astray = {breach.piece for breach in broken}
    return replace(result, homeless=tuple(car for car in place if car in result.homeless or car in astray))


def _of(table: Table, poses: Mapping[str, Pose]) -> dict[str, Pose]:
    """The poses of the pieces that are on a table."""
    return {piece: pose for piece, pose in poses.items() if piece in table.piece_ids}


def _cars_due(
    table: Table, grown: Table, placement: Placement, road: LaidRoad, ground: PoseSource
) -> tuple[tuple[Crossing, ...], int, tuple[CarSpot, ...]]:
    """The crossings, the cars they earn, and where the cars go: as record or placement say, else automatically."""
    if isinstance(placement, Entrance):
        chosen = ground.chosen if isinstance(ground, Recorded) else None
        return (), 1, chosen[:1] if chosen is not None else (placement.car,)
    crossings = crossings_of(grown, road, None)
    earned = referee.earned(table, placement, crossings)
    count = min(earned, table.stocks[table.to_move].cars)
    if isinstance(ground, Recorded) and ground.chosen is not None:
        return crossings, earned, ground.chosen[:count]
    wanted = getattr(placement, "cars", None)
    if wanted is not None:
        return crossings, earned, tuple(wanted[:count])
    if isinstance(ground, (Nominal, Observed)):
        return crossings, earned, places_that_stand(table, grown, count, weighed=False)
    return crossings, earned, places_that_stand(replace(grown, roads=grown.roads[:-1]), grown, count, weighed=True)


# --- small things ------------------------------------------------------------------------------------------------------------


def _standing(standing: Sequence[Body], laid: Sequence[Laid], moved: Mapping[str, Pose]) -> PoseChange:
    before = {body.id: body.pose for body in standing} | {piece.rest.id: piece.rest.pose for piece in laid}
    return PoseChange(before, moved)


def _hand_redo(table: Table, touched: Sequence[str]) -> bool:
    """KR section 3.3 forbids that the hand touches a building; with hand_on_building = redo the build does not count."""
    return table.ruleset.hand_on_building == "redo" and bool(buildings_among(touched))


def _path(hand: Hand) -> HandPath | None:
    for item in hand:
        if "path" in item:
            path = item["path"]
            points = tuple((float(x), float(y), float(z)) for x, y, z in path["points"])
            return HandPath(points, float(path.get("speed", USUAL_SPEED)), path.get("tool", "finger"))
    return None
