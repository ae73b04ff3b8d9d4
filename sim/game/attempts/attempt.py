"""One attempt at a placement: lay the pieces, let them come to rest, judge them where they lie, put
cars on the road.

Pillar and road come first, then the cars that they earn; each comes to rest before it is judged. A
piece that breaks a rule where it lies did not stand (rules 4h). A car that does not stay is put
back elsewhere, as often as `redo` allows (rules 7n).

An attempt that an engine settles leaves a table at rest: what hangs together with anything that
moved is let go once more, all of it awake, until nothing moves. That also holds where pieces were
taken away again or put back.

One module: its parts hand each other what fell and where things lie, and are read together.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from rules.errors import InputError
from sim import referee
from sim.game.attempts.lying import as_it_lies
from sim.game.attempts.posing import Jitter, bodies, jitters, lay, lay_cars
from sim.game.attempts.resting import (
    Round,
    as_it_lies_now,
    brought_to_rest,
    let_go_once_more,
    poses_of,
    put_back_clear,
    standing_poses,
)
from sim.game.attempts.touching import breaches, places_that_stand
from sim.game.sources import Nominal, Observed, PoseSource, Recorded, Simulated, Told
from sim.physics.engine import HandPath
from sim.records import USUAL_SPEED, checked_hand
from sim.referee.crossings import Crossing
from sim.referee.judgement import PoseChange, crossings_of, falls, hand_undoes
from sim.referee.measuring import tally
from sim.referee.placement import CarSpot, Entrance, Placement
from sim.referee.standing import letter
from sim.referee.table import Table
from sim.referee.verdict import AttemptResult, Breach, Checked, Fall, PutBack
from sim.settling import SettleResult

Hand = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt at a ply: where the poses come from (`ground`), and how the hand erred (a
    record's `hand`).

    `attempt` raises InputError for a hand beyond the limits of `sim.records`.
    """

    ground: PoseSource
    hand: Hand = ()


def attempt(checked: Checked, one: Attempt) -> AttemptResult:
    """The result of an attempt at a legal placement. A replay of its record gives the same
    result.
    """
    made = _made(checked, one)
    if isinstance(one.ground, Recorded):
        return replace(made.result, chosen=one.ground.chosen)
    if made.final or not isinstance(one.ground, Simulated) or one.ground.brief:
        return replace(made.result, chosen=None)
    # Something moved after it was judged. A record holds only the poses at the end, so judge those:
    # then a replay on recorded poses leads to the same table. The result also holds the places of
    # the cars if the referee would choose others on those poses.
    seen = made.result
    again = _judged_again(checked, one, seen)
    # on the poses at the end a new piece breaks a rule, so all come off again
    if seen.built and not again.built:
        seen = _left(checked, replace(seen, built=False), one.ground)
        again = _judged_again(checked, one, seen)
    # all have come off again for a reason that the poses at the end no longer show
    if again.built and not seen.built and seen.breaches:
        again = _judged_again(checked, one, seen, seen.breaches)
    assert seen.settled is not None
    assert again.settled is not None
    as_seen = replace(
        again.settled,
        touched=seen.settled.touched,
        restless=seen.settled.restless,
        released=seen.settled.released,
    )
    return replace(again, settled=as_seen, put_back=seen.put_back, takes=seen.takes)


def _judged_again(
    checked: Checked, one: Attempt, seen: AttemptResult, breaches: tuple[Breach, ...] = ()
) -> AttemptResult:
    """The attempt judged anew on the poses at its end, as a replay of its record judges it."""
    settled, put = seen.settled, seen.chosen
    assert settled is not None
    end = Recorded(
        settled.moved,
        None,
        settled.touched,
        (),
        settled.restored,
        settled.mended,
        breaches=breaches,
    )
    again = _made(checked, Attempt(end, one.hand)).result
    if again.chosen == put:
        return replace(again, chosen=None)
    return replace(_made(checked, Attempt(replace(end, chosen=put), one.hand)).result, chosen=put)


def without_last_car(checked: Checked, one: Attempt, seen: AttemptResult) -> AttemptResult:
    """The result of an attempt that stood, once its last car has gone back to the stock and the
    table lies at rest without it. The car is still among its cars: the verdict takes it off.
    """
    assert seen.settled is not None
    *cars, gone = seen.cars
    spots = dict(zip(seen.cars, seen.spots, strict=True))
    put = spots | {back.car: back.was for back in seen.put_back if back.now is None}
    place = {car: spots[car] for car in cars}
    settled = seen.settled.without(gone)
    poses = standing_poses(checked.table, settled, seen.fallen)
    lying = checked.with_cars(seen.spots[:-1], cars)
    known = {piece: pose for piece, pose in poses.items() if piece in lying.piece_ids}
    lying = replace(lying, poses=known)
    now = Round(seen.falls, replace(settled, takes=()), lying, poses_of(bodies(lying)))
    now = _checked_at_rest(checked, place, now, one.ground)
    if now.calm:
        return seen  # nothing stirs without it
    was = {piece: pose for piece, pose in seen.settled.moved.items() if piece == gone}
    moved = {**now.settled.moved, **was}
    done = replace(seen, falls=now.falls, settled=replace(now.settled, moved=moved))
    if not now.built:
        done = _failed(checked, replace(done, breaches=now.breaches), one.ground).result
    order = checked.table.next_cars(checked.table.to_move, len(put))
    chosen = tuple(put[car] for car in order)
    again = _judged_again(checked, one, replace(done, chosen=chosen), done.breaches)
    assert again.settled is not None
    as_seen = replace(again.settled, restless=now.settled.restless, released=now.settled.released)
    return replace(again, settled=as_seen, put_back=seen.put_back, takes=seen.takes)


# --- pillar and road ------------------------------------------------------------------------------


class _Made(NamedTuple):
    """The result of an attempt. It is `final` if nothing that was judged moved afterwards: the
    poses at the end then lead to the same judgement.
    """

    result: AttemptResult
    final: bool = True


def _made(checked: Checked, one: Attempt) -> _Made:
    table, grown = checked.table, checked.grown
    if isinstance(one.ground, Observed):
        return _Made(_observed(checked, one.ground))
    assert grown is not None, "an engine is asked only about a placement that lays a road"
    if grown.roads[-1].under and isinstance(one.ground, Simulated):
        raise InputError(
            "road.under is for games noted by hand: a hand that builds here lays its road on top"
        )
    if isinstance(one.ground, Recorded) and one.ground.told is not None:
        return _Made(_as_told(checked, grown, one.ground, one.ground.told))
    if isinstance(one.ground, Nominal):
        due = _cars_due(checked, grown, one.ground)
        cars = table.next_cars(table.to_move, len(due.spots))
        laid = checked.with_cars(due.spots, cars)
        return _Made(
            AttemptResult(True, (), None, due.crossings, due.earned, due.spots, cars, laid=laid)
        )
    hand = checked_hand(one.hand) if one.hand else ()
    jitter = jitters(hand)
    pieces = lay(table, grown, jitter)
    came = one.ground.settle(bodies(table), pieces, _path(hand))
    assert came is not None
    before = poses_of([*bodies(table), *(piece.lying for piece in pieces)])
    fell = falls(grown, PoseChange(before, came.moved))
    new = {piece.lying.id for piece in pieces}
    first = AttemptResult(True, fell, replace(came, takes=()), takes=came.takes)
    if first.fallen & new or hand_undoes(grown, came.touched):
        return _failed(checked, first, one.ground)
    if isinstance(one.ground, Recorded) and one.ground.breaches:
        told = replace(first, breaches=one.ground.breaches, told=True)
        return _failed(checked, told, one.ground)
    lying = replace(grown, poses=standing_poses(table, came, first.fallen))
    now = Round(fell, replace(came, takes=()), lying, before)
    if isinstance(one.ground, Simulated):
        now = put_back_clear(now, now.fallen)
    now, broken = _breaches(checked, {}, now, one.ground)
    first = replace(first, falls=now.falls, settled=now.settled, breaches=broken)
    if broken or not now.built:
        failed = _failed(checked, first, one.ground)
        return failed if now.calm else failed._replace(final=False)
    return _with_cars(checked, one, jitter, first, now)


def _failed(checked: Checked, result: AttemptResult, ground: PoseSource) -> _Made:
    """An attempt whose new pieces do not stand: they come off again, and the table comes to rest
    without them.
    """
    left = _left(checked, replace(result, built=False), ground)
    return _Made(left, left.settled == result.settled)


def _left(checked: Checked, result: AttemptResult, ground: PoseSource) -> AttemptResult:
    """The result of a failed attempt with the table at rest that it leaves behind."""
    table, settled = checked.table, result.settled
    assert settled is not None
    old = replace(
        settled,
        moved={piece: pose for piece, pose in settled.moved.items() if piece in table.piece_ids},
    )
    lying = replace(table, poses=standing_poses(table, old, result.fallen))
    now = Round(result.falls, settled, lying, poses_of(bodies(table)), built=False)
    if isinstance(ground, Simulated):
        now = put_back_clear(now, result.fallen & table.piece_ids)
    now = brought_to_rest(checked, {}, now, ground)
    return replace(result, falls=now.falls, settled=now.settled, laid=None)


def _observed(checked: Checked, ground: Observed) -> AttemptResult:
    """What people saw in a ply of any kind (record format 7b, rules 8). If a new pillar or road is
    among the fallen, the build did not stand; a new car that fell was put back (rules 7n).
    """
    table, lays = checked.table, checked.grown is not None
    if checked.grown is not None:
        checked = replace(checked, grown=as_it_lies(checked.grown))
    grown = checked.grown or table.with_pieces(checked.placement)
    counted = _counted(checked, grown, ground) if lays else AttemptResult(None)
    cars = table.next_cars(table.to_move, len(counted.spots))
    _check_seen(grown, cars, ground)
    fell = tuple(Fall(piece, "observed") for piece in sorted(set(ground.fallen)))
    hand = tuple(dict.fromkeys(ground.touched))
    if not lays:
        return replace(counted, falls=fell, noted=hand)
    new = grown.piece_ids - table.piece_ids
    if not ground.stands or any(fall.piece in new for fall in fell) or hand_undoes(grown, hand):
        return AttemptResult(False, fell, noted=hand)
    spots = dict(zip(cars, counted.spots, strict=True))
    fallen = [car for car in cars if car in ground.fallen]
    fallen.sort(key=lambda car: car not in ground.kept)
    # unless people say that fewer stood in the end, all went back (rules 7n)
    less = 0 if ground.placed is None else max(0, len(cars) - ground.placed)
    back = fallen[: max(0, len(fallen) - less)]
    stand = {car: spot for car, spot in spots.items() if car not in fallen or car in back}
    return replace(
        counted,
        falls=fell,
        spots=tuple(stand.values()),
        cars=tuple(stand),
        put_back=tuple(PutBack(car, spots[car], spots[car], "fell") for car in sorted(back)),
        noted=hand,
        laid=checked.with_cars(tuple(stand.values()), tuple(stand)),
    )


def _check_seen(grown: Table, cars: Sequence[str], ground: Observed) -> None:
    """Raises InputError for a piece that people saw fall or touched and that is not there."""
    known = grown.piece_ids.union(cars)
    for piece in ground.fallen:
        if piece not in known:
            raise InputError(_no_such_piece(piece, known))
    there = {building.id for building in grown.buildings}
    for piece in ground.touched:
        if piece not in there:
            known_ones = ", ".join(sorted(there)) or "none"
            raise InputError(
                f"observed.touched names {piece}, but the buildings on the table are: {known_ones}"
            )


def _as_told(checked: Checked, grown: Table, ground: Recorded, told: Told) -> AttemptResult:
    """What the record says fell and stands, on its poses, whatever the referee would deduce from
    these.
    """
    table, seat = checked.table, checked.table.to_move
    new = {f for f in told.fallen if f.startswith(f"{letter(seat)}-C")} - table.piece_ids
    cars = table.next_cars(seat, told.placed + len(new))
    there = grown.piece_ids.union(cars)
    fell = tuple(Fall(piece, "observed") for piece in sorted(there.intersection(told.fallen)))
    moved = {piece: pose for piece, pose in ground.moved.items() if piece in there}
    restored = {piece: pose for piece, pose in ground.restored.items() if piece in there}
    settled = SettleResult(moved, ground.touched, ground.restless, restored, ground.mended)
    if not told.built:
        return AttemptResult(False, fell, settled)
    poses = standing_poses(table, settled, told.fallen)
    lying = replace(grown, poses={name: poses[name] for name in poses if name in grown.piece_ids})
    due = _cars_due(checked, lying, ground)
    spots = _as_many(due.spots, len(cars))
    stand = [n for n, car in enumerate(cars) if car not in told.fallen][: told.placed]
    return AttemptResult(
        True,
        fell,
        settled,
        due.crossings,
        due.earned,
        tuple(spots[n] for n in stand),
        tuple(cars[n] for n in stand),
    )


def _counted(checked: Checked, grown: Table, ground: Observed) -> AttemptResult:
    """The cars of a build that people saw: by the numbers, or as they claim if that is too close to
    tell (rules 7o).
    """
    table, placement = checked.table, checked.placement
    crossings, earned, spots = _cars_due(checked, grown, ground)
    stock, put = table.stocks[table.to_move].cars, getattr(placement, "cars", None)
    if put is not None:  # people may have accepted more cars than were earned
        spots = put[: stock if ground.put is None else ground.put]
    if not table.tolerance or isinstance(placement, Entrance):
        spots = spots if ground.put is None else _as_many(spots, ground.put)
        return AttemptResult(True, crossings=crossings, earned=earned, spots=spots)
    counts = tally(grown, grown.roads[-1])
    seen = len(put or ()) if ground.put is None else ground.put
    said = ground.cars if ground.cars is not None else max(earned, seen)
    earned = said if counts.least <= said <= counts.most else earned
    most = min(earned, stock)
    if ground.put is not None:
        spots = _as_many(spots, ground.put)
    elif put is None and len(spots) != most:  # nobody noted where they stood
        spots = _as_many((), most)
    between = (counts.least, counts.most) if counts.least < counts.most else None
    return AttemptResult(
        True, (), None, crossings, earned, spots, close_calls=counts.close_calls, between=between
    )


def _as_many(spots: tuple[CarSpot, ...], count: int) -> tuple[CarSpot, ...]:
    """Places for so many cars: those that are known, or all along the road at equal distances."""
    if len(spots) >= count:
        return spots[:count]
    return tuple(CarSpot(round((n + 1) / (count + 1), 3)) for n in range(count))


def _no_such_piece(piece: str, known: Collection[str]) -> str:
    """A pillar falls disc by disc, so the id of a pillar alone cannot be in a list of fallen
    pieces.
    """
    discs = sorted(other for other in known if other.startswith(f"{piece}."))
    if discs:
        return f"observed names the pillar {piece}; name the discs that fell: {', '.join(discs)}"
    return f"observed names {piece}, but there is no such piece on the table"


# --- cars -----------------------------------------------------------------------------------------


def _with_cars(
    checked: Checked, one: Attempt, jitter: Mapping[str, Jitter], first: AttemptResult, now: Round
) -> _Made:
    """Counts the crossings of a settled road and puts its cars on it. A car that does not stay is
    put elsewhere on the road.
    """
    due = _cars_due(checked, now.lying, one.ground)
    putting = _Putting(checked, one.ground, jitter, now.lying)
    count = putting.most(due.earned)
    now = replace(now, calm=not first.falls)
    now = (
        putting.put(due.spots, now) if due.spots else _checked_at_rest(checked, {}, now, one.ground)
    )
    if isinstance(one.ground, Simulated) and not one.ground.brief:
        now = putting.recounted(count, now)
    takes = (*first.takes, *now.settled.takes)
    done = replace(first, falls=now.falls, settled=replace(now.settled, takes=()), takes=takes)
    if not now.built:
        failed = _failed(checked, replace(done, breaches=now.breaches), one.ground)
        return failed._replace(final=False)
    place = putting.place
    stand = tuple(car for car in place if car not in now.homeless)
    result = replace(
        done,
        crossings=due.crossings,
        earned=due.earned,
        spots=tuple(place[car] for car in stand),
        cars=stand,
        chosen=tuple(place.values()) if place or count else None,
        put_back=(
            *_put_back_before(checked.placement, tuple(place), due.spots),
            *putting.put_back,
            *(PutBack(car, place[car], None, _why(now, car)) for car in now.homeless),
        ),
        laid=now.lying,
    )
    return _Made(result, now.calm)


@dataclass(slots=True)
class _Putting:
    """Cars put on a new road: the table on which places are looked for (`lying`), where each car
    stands by id (`place`), which places were tried (`used`), and which cars were put elsewhere.
    """

    checked: Checked
    ground: PoseSource
    jitter: Mapping[str, Jitter]
    lying: Table
    place: dict[str, CarSpot] = field(default_factory=dict)
    used: list[CarSpot] = field(default_factory=list)
    put_back: list[PutBack] = field(default_factory=list)

    def put(self, spots: Sequence[CarSpot], now: Round) -> Round:
        """Puts one more car on each of the spots. One that does not stay is put elsewhere."""
        table = self.checked.table
        cars = table.next_cars(table.to_move, len(self.place) + len(spots))[len(self.place) :]
        self._note(cars, spots)
        now = replace(now, homeless=(*now.homeless, *cars))
        now = _put_down(self.checked, self.place, cars, self.ground, self.jitter, now)
        for _ in range(0 if isinstance(self.ground, Recorded) else table.ruleset.redo):
            if not now.built or not now.homeless:
                break
            fresh = self._free(len(now.homeless))
            if not fresh:
                break
            moving = now.homeless[: len(fresh)]
            self.put_back += [
                PutBack(car, self.place[car], spot, _why(now, car))
                for car, spot in zip(moving, fresh, strict=True)
            ]
            self._note(moving, fresh)
            now = _put_down(self.checked, self.place, moving, self.ground, {}, now)
        return now

    def recounted(self, count: int, now: Round) -> Round:
        """The table with as many cars as the road earns where all lies at rest: if something moved
        after `count` cars were found to be due, more are put on or some come off.
        """
        table = self.checked.table
        for last in (False, False, True):
            if now.calm or not now.built or isinstance(self.checked.placement, Entrance):
                break
            self.lying = as_it_lies_now(self.checked, {}, (), now)
            crossings = crossings_of(self.lying, self.lying.roads[-1], None)
            due = self.most(referee.earned(table, self.checked.placement, crossings))
            if due < len(self.place):
                now = self._taken_off(due, now)
            elif due > count and not last:
                named = getattr(self.checked.placement, "cars", None)
                here = len(self.place)
                spots = self._free(due - count) if named is None else tuple(named[here:due])
                if not spots:
                    break
                now = self.put(spots, now)
            else:
                break
            count = due
        return now

    def most(self, earned: int) -> int:
        """How many cars may be put on a road that earns so many."""
        placement, table = self.checked.placement, self.checked.table
        named = None if isinstance(placement, Entrance) else getattr(placement, "cars", None)
        most = min(earned, table.stocks[table.to_move].cars)
        return most if named is None else min(most, len(named))

    def _taken_off(self, most: int, now: Round) -> Round:
        """All but the first `most` cars come off again, and the table comes to rest."""
        gone, settled = tuple(self.place)[most:], now.settled
        for car in gone:
            del self.place[car]
            settled = settled.without(car)
        now = replace(
            now,
            settled=settled,
            falls=tuple(fall for fall in now.falls if fall.piece not in gone),
            homeless=tuple(car for car in now.homeless if car not in gone),
        )
        self.put_back = [one for one in self.put_back if one.car not in gone]
        stay = tuple(car for car in self.place if car not in now.homeless)
        lying = as_it_lies_now(self.checked, self.place, stay, now)
        return _checked_at_rest(
            self.checked, self.place, replace(now, lying=lying, calm=False), self.ground
        )

    def _free(self, count: int) -> tuple[CarSpot, ...]:
        others = replace(self.lying, roads=self.lying.roads[:-1])
        return places_that_stand(others, self.lying, count, self.used, weighed=True)

    def _note(self, cars: Sequence[str], spots: Sequence[CarSpot]) -> None:
        self.place.update(zip(cars, spots, strict=True))
        self.used += spots


def _why(now: Round, car: str) -> Literal["fell", "touches"]:
    """Why a car has no place."""
    return "fell" if any(fall.piece == car for fall in now.falls) else "touches"


def _put_back_before(
    placement: Placement, cars: Sequence[str], spots: Sequence[CarSpot]
) -> list[PutBack]:
    """The cars that stand elsewhere than the placement asks: a record says where they were finally
    put.
    """
    wanted = (
        (placement.car,)
        if isinstance(placement, Entrance)
        else getattr(placement, "cars", None) or ()
    )
    return [
        PutBack(car, was, now)
        for car, was, now in zip(cars, wanted, spots, strict=False)
        if was != now
    ]


def _put_down(
    checked: Checked,
    place: Mapping[str, CarSpot],
    some: Sequence[str],
    ground: PoseSource,
    jitter: Mapping[str, Jitter],
    now: Round,
) -> Round:
    """Puts `some` of the new cars at their places; the others stand there already, unless they have
    no place. What fell is put back.
    """
    there = tuple(car for car in place if car not in now.homeless)
    standing = as_it_lies_now(checked, place, there, now)
    laid = lay_cars(standing, standing.roads[-1], [place[car] for car in some], some, jitter)
    came = ground.settle(bodies(standing), laid, None)
    assert came is not None
    on = tuple(car for car in place if car in there or car in some)
    full = checked.with_cars([place[car] for car in on], on)
    fell = falls(
        full,
        PoseChange(poses_of([*bodies(standing), *(piece.lying for piece in laid)]), came.moved),
    )
    just_fell = {fall.piece for fall in fell}
    # the record keeps the pose in which a piece fell, even if the piece was nudged after it was put
    # back; of a new car it keeps the last place
    moved, restored = dict(now.settled.moved), dict(now.settled.restored)
    for piece, pose in came.moved.items():
        if not isinstance(ground, Simulated):
            moved[piece] = pose  # a record says itself where pieces lie that were put back
        elif piece in just_fell or piece in place or piece not in now.fallen:
            moved[piece] = pose
            restored.pop(piece, None)
        else:
            restored[piece] = pose
    known = {fall.piece: fall for fall in now.falls if fall.piece not in some} | {
        fall.piece: fall for fall in fell
    }
    settled = SettleResult(
        moved,
        now.settled.touched,
        tuple(sorted({*now.settled.restless, *came.restless})),
        restored,
        now.settled.mended,
        now.settled.released,
        (*now.settled.takes, *came.takes),
    )
    result = replace(
        now,
        falls=tuple(known[piece] for piece in sorted(known)),
        settled=settled,
        before={**now.before, **poses_of([piece.lying for piece in laid])},
        calm=now.calm and not fell and place.keys() >= came.moved.keys(),
        homeless=tuple(car for car in place if car not in on or car in just_fell),
    )
    if just_fell & (full.piece_ids - checked.table.piece_ids - set(place)):
        return replace(result, built=False)
    stay = tuple(car for car in on if car not in just_fell)
    lying = as_it_lies_now(checked, place, stay, replace(result, lying=full))
    result = replace(result, lying=lying)
    if isinstance(ground, Simulated):
        result = put_back_clear(result, just_fell - place.keys())
    return _checked_at_rest(checked, place, result, ground)


def _checked_at_rest(
    checked: Checked, place: Mapping[str, CarSpot], now: Round, ground: PoseSource
) -> Round:
    """Brings the table to rest and looks whether new pieces break a rule there; a car that does is
    taken off again.
    """
    while True:
        now = brought_to_rest(checked, place, now, ground)
        if not now.built:
            return now
        now, broken = _breaches(checked, place, now, ground)
        if not now.built:
            return now
        if any(breach.piece not in place for breach in broken):
            return replace(now, built=False, breaches=broken)
        astray = {breach.piece for breach in broken}
        if not astray:
            return now
        homeless = tuple(car for car in place if car in now.homeless or car in astray)
        stay = tuple(car for car in place if car not in homeless)
        now = replace(
            now, lying=as_it_lies_now(checked, place, stay, now), calm=False, homeless=homeless
        )


def _breaches(
    checked: Checked, place: Mapping[str, CarSpot], now: Round, ground: PoseSource
) -> tuple[Round, tuple[Breach, ...]]:
    """The breaches by new pieces where they lie.

    A road that seems to hang is let go once more before: an engine may bear it for a while on a
    contact that is gone.
    """
    old = checked.table.piece_ids
    broken = breaches(now.lying, now.lying.piece_ids - old)
    if not isinstance(ground, Simulated) or not any(breach.hangs for breach in broken):
        return now, broken
    now = let_go_once_more(checked, place, now, ground)
    return now, breaches(now.lying, now.lying.piece_ids - old) if now.built else ()


class _Due(NamedTuple):
    """The crossings of a new road, the cars that they earn, and where the cars go."""

    crossings: tuple[Crossing, ...]
    earned: int
    spots: tuple[CarSpot, ...]


def _cars_due(checked: Checked, lying: Table, ground: PoseSource) -> _Due:
    """The places of the cars that are due on the settled road: those in the record or the
    placement, else where there is room.
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


# --- small things ---------------------------------------------------------------------------------


def _path(hand: Hand) -> HandPath | None:
    for item in hand:
        if "path" in item:
            path = item["path"]
            points = tuple((float(x), float(y), float(z)) for x, y, z in path["points"])
            return HandPath(
                points, float(path.get("speed", USUAL_SPEED)), path.get("tool", "finger")
            )
    return None
