"""One attempt at a placement: lay the pieces, let them come to rest, judge them where they lie, put cars on the road.

Pillar and road come first, then the cars that they earn; each comes to rest before it is judged. A piece that breaks a rule
where it lies did not stand (rules 4h). A car that does not stay is put back elsewhere, as often as `redo` allows (rules 7n).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from rules.errors import InputError
from sim import referee
from sim.bodies import Body
from sim.game.attempts.car_places import places_that_stand
from sim.game.attempts.lying import as_it_lies
from sim.game.attempts.posing import Jitter, Laid, bodies, jitters, lay, lay_cars
from sim.game.attempts.touching import breaches
from sim.game.sources import Nominal, Observed, PoseSource, Recorded, Simulated
from sim.physics.engine import HandPath
from sim.poses import Pose
from sim.records import USUAL_SPEED, checked_hand
from sim.referee.checked import Checked
from sim.referee.measured.close_calls import tally
from sim.referee.placement import CarSpot, Entrance, Placement
from sim.referee.scoring.crossings import Crossing
from sim.referee.scoring.judgement import PoseChange, crossings_of, falls
from sim.referee.standing import buildings_among
from sim.referee.table import Table
from sim.referee.verdict import AttemptResult, Breach, Fall, PutBack
from sim.settling import SettleResult
from sim.trajectory import SettlingTake

__all__ = ["Hand", "Attempt", "attempt", "standing_poses"]

Hand = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt at a ply: where the poses come from (`ground`), and how the hand erred (a record's `hand`).

    `attempt` raises InputError for a hand beyond the limits of `sim.records`.
    """

    ground: PoseSource
    hand: Hand = ()


def attempt(checked: Checked, one: Attempt) -> AttemptResult:
    """The result of an attempt at a legal placement. A replay of its record gives the same result."""
    made = _made(checked, one)
    if isinstance(one.ground, Recorded):
        return replace(made.result, chosen=one.ground.chosen)
    final = made.told or not isinstance(one.ground, Simulated) or one.ground.brief
    if final or _hand_redo(checked.table, made.result.touched):
        return replace(made.result, chosen=None)
    # The cars nudged something as they came to rest. A record holds only the poses at the end, so judge those: then a replay on
    # recorded poses leads to the same table. The result also holds the places of the cars if the referee would choose others
    # on those poses.
    settled, put = made.result.settled, made.result.chosen
    assert settled is not None
    told = _made(checked, Attempt(Recorded(settled.moved), one.hand)).result
    chosen = put if told.chosen != put else None
    if chosen is not None:
        told = _made(checked, Attempt(Recorded(settled.moved, chosen), one.hand)).result
    assert told.settled is not None
    as_seen = replace(told.settled, touched=settled.touched, restless=settled.restless)
    return replace(told, settled=as_seen, chosen=chosen, put_back=made.result.put_back, takes=made.result.takes)


def standing_poses(table: Table, moved: Mapping[str, Pose], fallen: Collection[str]) -> dict[str, Pose]:
    """The poses of a table once everything that fell is put back where it was."""
    return dict(table.poses) | {piece: pose for piece, pose in moved.items() if piece not in fallen}


# --- pillar and road ---------------------------------------------------------------------------------------------------------


class _Made(NamedTuple):
    """The result of an attempt, and whether its poses at the end lead to the same judgement: nothing that was judged moved
    afterwards.
    """

    result: AttemptResult
    told: bool = True


def _made(checked: Checked, one: Attempt) -> _Made:
    table, grown = checked.table, checked.grown
    assert grown is not None, "only a placement that lays a road is attempted"
    if isinstance(one.ground, Observed):
        grown = as_it_lies(grown)
        return _Made(_observed(replace(checked, grown=grown), grown, one.ground))
    if isinstance(one.ground, Nominal):
        due = _cars_due(checked, grown, one.ground)
        cars = table.next_cars(table.to_move, len(due.spots))
        laid = checked.with_cars(due.spots, cars)
        return _Made(AttemptResult(True, (), None, due.crossings, due.earned, due.spots, cars, laid=laid))
    hand = checked_hand(one.hand)
    jitter = jitters(hand)
    pieces = lay(table, grown, jitter)
    path = _path(hand)
    came = one.ground.settle(bodies(table), pieces, path)
    assert came is not None
    fell = falls(grown, _standing(bodies(table), pieces, came.moved))
    new = {piece.rest.id for piece in pieces}
    first = AttemptResult(True, fell, came, takes=_takes(came, pieces, path))
    if first.fallen & new or _hand_redo(grown, came.touched):
        return _Made(replace(first, built=False))
    lying = replace(grown, poses=standing_poses(table, came.moved, first.fallen))
    if broken := breaches(lying, new):
        return _Made(replace(first, built=False, breaches=broken))
    return _with_cars(checked, lying, one, jitter, first)


def _observed(checked: Checked, grown: Table, ground: Observed) -> AttemptResult:
    """Falls as people saw them (record format 7b, rules 8). If new pieces are among the fallen, the build did not stand."""
    table, counted = checked.table, _counted(checked, grown, ground)
    spots = counted.spots
    cars = table.next_cars(table.to_move, len(spots))
    known = grown.piece_ids.union(cars)
    for piece in ground.fallen:
        if piece not in known:
            raise InputError(_no_such_piece(piece, known))
    fell = tuple(Fall(piece, "observed") for piece in sorted(set(ground.fallen)))
    new = grown.piece_ids - table.piece_ids
    if not ground.stands or any(fall.piece in new for fall in fell):
        return AttemptResult(False, fell)
    fallen = [n for n, car in enumerate(cars) if car in ground.fallen]
    # of the new cars that fell, people put back as many as they say stood in the end (rules 7n)
    back = fallen[: max(0, (ground.placed or 0) - len(cars) + len(fallen))]
    stand = [n for n in range(len(cars)) if n not in fallen or n in back]
    again = tuple(PutBack(cars[n], spots[n], spots[n], "fell") for n in back)
    spots, cars = tuple(spots[n] for n in stand), tuple(cars[n] for n in stand)
    return replace(counted, falls=fell, spots=spots, cars=cars, put_back=again, laid=checked.with_cars(spots, cars))


def _counted(checked: Checked, grown: Table, ground: Observed) -> AttemptResult:
    """The cars of a build that people saw: by the numbers, or as they claim if that is too close to tell (rules 7o)."""
    table, placement = checked.table, checked.placement
    crossings, earned, spots = _cars_due(checked, grown, ground)
    stock, put = table.stocks[table.to_move].cars, getattr(placement, "cars", None)
    if put is not None:  # people may have accepted more cars than were earned
        spots = put[:stock]
    if not table.tolerance or isinstance(placement, Entrance):
        return AttemptResult(True, crossings=crossings, earned=earned, spots=spots)
    counts = tally(grown, grown.roads[-1])
    said = ground.cars if ground.cars is not None else max(earned, len(put or ()))
    earned = said if counts.least <= said <= counts.most else earned
    most = min(earned, stock)
    if put is None and len(spots) != most:  # nobody noted where they stood
        spots = tuple(CarSpot(round((n + 1) / (most + 1), 3)) for n in range(most))
    between = (counts.least, counts.most) if counts.least < counts.most else None
    return AttemptResult(True, (), None, crossings, earned, spots, close_calls=counts.close_calls, between=between)


def _no_such_piece(piece: str, known: Collection[str]) -> str:
    """A pillar falls disc by disc, so the id of a pillar alone cannot be in a list of fallen pieces."""
    discs = sorted(other for other in known if other.startswith(f"{piece}."))
    if discs:
        return f"observed names the pillar {piece}; name the discs that fell: {', '.join(discs)}"
    return f"observed names {piece}, but there is no such piece on the table"


# --- cars --------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Round:
    """The result of putting some cars down: whether road and pillar still stand, what fell, which new cars have no place yet.

    `lying` is the table with the cars that stayed. `calm` says that nothing but new cars moved, and nothing fell.
    """

    falls: tuple[Fall, ...]
    settled: SettleResult
    lying: Table
    takes: tuple[SettlingTake, ...] = ()
    calm: bool = True
    built: bool = True
    breaches: tuple[Breach, ...] = ()
    homeless: tuple[str, ...] = ()


def _with_cars(checked: Checked, lying: Table, one: Attempt, jitter: Mapping[str, Jitter], first: AttemptResult) -> _Made:
    """Counts the crossings of a settled road and puts its cars on it. A car that does not stay is put elsewhere on the road."""
    due, table, placement = _cars_due(checked, lying, one.ground), checked.table, checked.placement
    if not due.spots:
        return _Made(replace(first, crossings=due.crossings, earned=due.earned, laid=lying))
    assert first.settled is not None
    cars, used = table.next_cars(table.to_move, len(due.spots)), list(due.spots)
    place, put_back = dict(zip(cars, due.spots, strict=True)), _put_back_before(placement, cars, due.spots)
    now = _Round(first.falls, first.settled, lying, calm=not first.falls, homeless=cars)
    now = _put_down(checked, place, cars, one.ground, jitter, now)
    for _ in range(0 if isinstance(one.ground, Recorded) else table.ruleset.redo):
        if not now.built or not now.homeless:
            break
        others = replace(lying, roads=lying.roads[:-1])
        fresh = places_that_stand(others, lying, len(now.homeless), used, weighed=True)
        if not fresh:
            break
        again = now.homeless[: len(fresh)]
        put_back += [PutBack(car, place[car], spot, _why(now, car)) for car, spot in zip(again, fresh, strict=True)]
        place.update(zip(again, fresh, strict=True))
        used += fresh
        now = _put_down(checked, place, again, one.ground, {}, now)
    done = replace(first, falls=now.falls, settled=now.settled, takes=(*first.takes, *now.takes))
    if not now.built:
        return _Made(replace(done, built=False, breaches=now.breaches), told=False)
    stand = tuple(car for car in cars if car not in now.homeless)
    result = replace(
        done,
        crossings=due.crossings,
        earned=due.earned,
        spots=tuple(place[car] for car in stand),
        cars=stand,
        chosen=tuple(place.values()),
        put_back=(*put_back, *(PutBack(car, place[car], None, _why(now, car)) for car in now.homeless)),
        laid=_lying(checked, place, stand, now),
    )
    return _Made(result, now.calm)


def _why(now: _Round, car: str) -> Literal["fell", "touches"]:
    """Why a car has no place."""
    return "fell" if any(fall.piece == car for fall in now.falls) else "touches"


def _put_back_before(placement: Placement, cars: Sequence[str], spots: Sequence[CarSpot]) -> list[PutBack]:
    """The cars that stand elsewhere than the placement asks: a record says where they were finally put."""
    wanted = (placement.car,) if isinstance(placement, Entrance) else getattr(placement, "cars", None) or ()
    return [PutBack(car, was, now) for car, was, now in zip(cars, wanted, spots, strict=False) if was != now]


def _put_down(
    checked: Checked,
    place: Mapping[str, CarSpot],
    some: Sequence[str],
    ground: PoseSource,
    jitter: Mapping[str, Jitter],
    now: _Round,
) -> _Round:
    """Puts `some` of the new cars at their places; the others stand there already, unless they have no place. What fell is put
    back.
    """
    fallen = {fall.piece for fall in now.falls}
    there = tuple(car for car in place if car not in now.homeless)
    standing = _lying(checked, place, there, now)
    laid = lay_cars(standing, standing.roads[-1], [place[car] for car in some], some, jitter)
    came = ground.settle(bodies(standing), laid, None)
    assert came is not None
    on = tuple(car for car in place if car in there or car in some)
    full = checked.with_cars([place[car] for car in on], on)
    fell = falls(full, _standing(bodies(standing), laid, came.moved))
    again = {fall.piece for fall in fell}
    # the record keeps the pose in which a piece fell, even if the piece was nudged after it was put back; of a new car it keeps
    # the last place
    moved = dict(now.settled.moved)
    moved.update({p: pose for p, pose in came.moved.items() if p in again or p in place or p not in fallen})
    known = {fall.piece: fall for fall in now.falls if fall.piece not in some} | {fall.piece: fall for fall in fell}
    restless = tuple(sorted({*now.settled.restless, *came.restless}))
    result = replace(
        now,
        falls=tuple(known[piece] for piece in sorted(known)),
        settled=SettleResult(moved, now.settled.touched, restless),
        takes=(*now.takes, *_takes(came, laid, None)),
        calm=now.calm and not fell and place.keys() >= came.moved.keys(),
        homeless=tuple(car for car in place if car not in on or car in again),
    )
    if again & (full.piece_ids - checked.table.piece_ids - set(place)):
        return replace(result, built=False)
    stay = tuple(car for car in on if car not in again)
    lying = _lying(checked, place, stay, replace(result, lying=full))
    broken = breaches(lying, lying.piece_ids - checked.table.piece_ids)
    if any(breach.piece not in place for breach in broken):
        return replace(result, built=False, breaches=broken)
    astray = {breach.piece for breach in broken}
    homeless = tuple(car for car in place if car in result.homeless or car in astray)
    return replace(result, lying=lying, calm=result.calm and not homeless, homeless=homeless)


def _lying(checked: Checked, place: Mapping[str, CarSpot], cars: Sequence[str], now: _Round) -> Table:
    """The table with some of the new cars and its pieces at their present poses, with everything that fell put back."""
    poses = standing_poses(checked.table, now.settled.moved, {fall.piece for fall in now.falls})
    same = tuple(car.id for car in now.lying.cars[len(checked.table.cars) :]) == tuple(cars)
    table = now.lying if same else checked.with_cars([place[car] for car in cars], cars)
    known = {piece: pose for piece, pose in poses.items() if piece in table.piece_ids}
    return table if known == table.poses else replace(table, poses=known)


class _Due(NamedTuple):
    """The crossings of a new road, the cars that they earn, and where the cars go."""

    crossings: tuple[Crossing, ...]
    earned: int
    spots: tuple[CarSpot, ...]


def _cars_due(checked: Checked, lying: Table, ground: PoseSource) -> _Due:
    """The places of the cars that are due on the settled road: those in the record or the placement, else where there is
    room.
    """
    table, placement = checked.table, checked.placement
    chosen = ground.chosen if isinstance(ground, Recorded) else None
    if isinstance(placement, Entrance):
        return _Due((), 1, chosen[:1] if chosen is not None else (placement.car,))
    crossings = crossings_of(lying, lying.roads[-1], None)
    earned = referee.earned(table, placement, crossings)
    count = min(earned, table.stocks[table.to_move].cars)
    wanted = chosen if chosen is not None else getattr(placement, "cars", None)
    if wanted is not None:
        return _Due(crossings, earned, tuple(wanted[:count]))
    if isinstance(ground, (Nominal, Observed)):
        return _Due(crossings, earned, places_that_stand(table, lying, count, weighed=False))
    others = replace(lying, roads=lying.roads[:-1])
    return _Due(crossings, earned, places_that_stand(others, lying, count, weighed=True))


# --- small things ------------------------------------------------------------------------------------------------------------


def _standing(standing: Sequence[Body], laid: Sequence[Laid], moved: Mapping[str, Pose]) -> PoseChange:
    before = {body.id: body.pose for body in standing} | {piece.rest.id: piece.rest.pose for piece in laid}
    return PoseChange(before, moved)


def _takes(came: SettleResult, laid: Sequence[Laid], path: HandPath | None) -> tuple[SettlingTake, ...]:
    """The trajectories for a film, if the settling was watched."""
    if came.track is None:
        return ()
    tool = path.tool if path is not None else None
    return (SettlingTake(tuple(piece.release for piece in laid), came.track, came.moved, tool),)


def _hand_redo(table: Table, touched: Sequence[str]) -> bool:
    """KR section 3.3 forbids a hand to touch a building. With hand_on_building = redo such a build does not count."""
    return table.ruleset.hand_on_building == "redo" and bool(buildings_among(touched))


def _path(hand: Hand) -> HandPath | None:
    for item in hand:
        if "path" in item:
            path = item["path"]
            points = tuple((float(x), float(y), float(z)) for x, y, z in path["points"])
            return HandPath(points, float(path.get("speed", USUAL_SPEED)), path.get("tool", "finger"))
    return None
