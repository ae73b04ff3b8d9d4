"""What came of an attempt, read from the poses in which its pieces lie: the same for an engine and
for a record.

What fell is put back where it stood; the new pieces that then stand are looked at where they lie. A
piece that breaks a rule there did not stand (rules 4h); a car that fell or breaks one has no place.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from sim import referee
from sim.bodies import Pose
from sim.game.attempts.posing import Jitter, Laid, bodies, jitters, lay, lay_cars, road_of
from sim.game.attempts.touching import breaches, places_that_stand
from sim.referee.crossings import Crossing
from sim.referee.judgement import PoseChange, crossings_of, falls, hand_undoes
from sim.referee.placement import CarSpot, Entrance
from sim.referee.table import Table, kept
from sim.referee.verdict import AttemptResult, Breach, Checked, Fall, PutBack
from sim.settling import SettleResult


@dataclass(frozen=True, slots=True)
class Scene:
    """What an attempt begins with: the checked placement, the table grown by pillar and road, how
    the hand errs by piece, the `new` pieces (ids) as it lays them, and the poses from which pieces
    fall, by id. `tables` are those that were made, with their bodies.
    """

    checked: Checked
    grown: Table
    jitter: Mapping[str, Jitter]
    laid: tuple[Laid, ...]
    new: frozenset[str]
    before: Mapping[str, Pose]
    tables: dict[object, Table] = field(default_factory=dict)

    @classmethod
    def of(cls, checked: Checked, hand: Sequence[Mapping[str, Any]]) -> Scene:
        """The scene of a legal placement that lays a road, and of a record's `hand`."""
        assert checked.grown is not None
        jitter = jitters(hand)
        laid = lay(checked.table, checked.grown, jitter)
        there = (*bodies(checked.table), *(piece.lying for piece in laid))
        new = frozenset(piece.lying.id for piece in laid)
        before = {body.id: body.pose for body in there}
        return cls(checked, checked.grown, jitter, laid, new, before)

    def standing(self, settled: SettleResult) -> tuple[tuple[Fall, ...], Table]:
        """What fell, and the table with pillar and road as it lies once that is put back."""
        there = self.grown.piece_ids
        moved = {piece: pose for piece, pose in settled.moved.items() if piece in there}
        fell = falls(self.grown, PoseChange(self.before, moved))
        poses = standing_poses(self.checked.table, settled, {fall.piece for fall in fell})
        known = {piece: pose for piece, pose in poses.items() if piece in there}
        return fell, self._with(self.grown, known)

    def with_cars(
        self, table: Table, settled: SettleResult, place: Mapping[str, CarSpot]
    ) -> tuple[tuple[Fall, ...], Table]:
        """What fell of the new cars at their places on the road as it lies, and the table with the
        others.
        """
        if not place:
            return (), table
        road, spots = table.roads[-1], list(place.values())
        cars = {car.lying.id: car.lying for car in self.cars(table, place, self.jitter)}
        before = {car: body.pose for car, body in cars.items()}
        on = road_of(table, road)
        moved = {car: settled.moved[car] for car in place if car in settled.moved}
        full = self.checked.with_cars(spots, list(place))
        fell = falls(full, PoseChange({**before, road.id: on.pose}, moved))
        stand = [car for car in place if car not in {fall.piece for fall in fell}]
        if len(stand) < len(place):
            full = self.checked.with_cars([place[car] for car in stand], stand)
        lie = {car: moved[car] for car in stand if car in moved}
        lying = self._with(full, {**table.poses, **lie})
        if lie.keys() == {*stand}:
            kept(lying, "bodies", lambda: (*bodies(table), *(cars[c].at(lie[c]) for c in stand)))
        return fell, lying

    def _with(self, table: Table, poses: Mapping[str, Pose]) -> Table:
        known = (frozenset(poses.items()), table.cars)
        return self.tables.setdefault(known, replace(table, poses=poses))

    def cars(
        self, table: Table, place: Mapping[str, CarSpot], jitter: Mapping[str, Jitter]
    ) -> tuple[Laid, ...]:
        """New cars at their places on the road as it lies."""
        return lay_cars(table, table.roads[-1], list(place.values()), list(place), jitter)


class Due(NamedTuple):
    """The crossings of a new road, the cars that they earn, how many of them may be put on, and
    where they go.
    """

    crossings: tuple[Crossing, ...]
    earned: int
    most: int
    spots: tuple[CarSpot, ...]


def standing_poses(
    table: Table, settled: SettleResult | AttemptResult, fallen: Collection[str]
) -> dict[str, Pose]:
    """The poses of a table once everything that fell is put back where it was, or where it came to
    rest then.
    """
    kept = {piece: pose for piece, pose in (settled.moved or {}).items() if piece not in fallen}
    return dict(table.poses) | kept | dict(settled.restored)


def read(
    scene: Scene,
    settled: SettleResult,
    chosen: tuple[CarSpot, ...] | None = None,
    told: tuple[Breach, ...] = (),
) -> tuple[AttemptResult, Due | None]:
    """The outcome of an attempt whose pieces lie like that, and the cars that are due if it stands.

    `chosen` is where cars were put, where the poses alone do not tell; `told` are the rules that
    new pieces broke though the poses do not show it.
    """
    checked = scene.checked
    fell, table = scene.standing(settled)
    failed = AttemptResult(False, fell, _only(settled, table.piece_ids))
    if scene.new.intersection(failed.fallen) or hand_undoes(table, settled.touched):
        return failed, None
    if told:
        return replace(failed, breaches=told, told=True), None
    due = cars_due(checked, table, chosen)
    cars = checked.table.next_cars(checked.table.to_move, len(due.spots))
    place = dict(zip(cars, due.spots, strict=True))
    dropped, lying = scene.with_cars(table, settled, place)
    while True:
        broken = breaches(lying, lying.piece_ids - checked.table.piece_ids)
        if any(breach.piece in scene.new for breach in broken):
            return replace(failed, breaches=broken), None
        if not broken:
            break
        astray = {breach.piece for breach in broken}
        stay = {car: spot for car, spot in place.items() if car in lying.piece_ids - astray}
        lying = scene.with_cars(table, settled, stay)[1]
    stand = tuple(car for car in cars if car in lying.piece_ids)
    gone = {fall.piece for fall in dropped}
    # a record says where they were finally put
    move = checked.placement
    asked = (move.car,) if isinstance(move, Entrance) else getattr(move, "cars", None) or ()
    result = AttemptResult(
        True,
        tuple(sorted((*fell, *dropped), key=lambda fall: fall.piece)),
        _only(settled, table.piece_ids.union(cars)),
        due.crossings,
        due.earned,
        tuple(place[car] for car in stand),
        stand,
        chosen,
        put_back=(
            *(
                PutBack(car, was, now)
                for car, was, now in zip(cars, asked, due.spots, strict=False)
                if was != now
            ),
            *(
                PutBack(car, place[car], None, "fell" if car in gone else "touches")
                for car in cars
                if car not in stand
            ),
        ),
        laid=lying,
    )
    return result, due


def _only(settled: SettleResult, there: AbstractSet[str]) -> SettleResult:
    """What is said of the pieces that are there."""
    return replace(
        settled,
        moved={piece: pose for piece, pose in settled.moved.items() if piece in there},
        restless=tuple(piece for piece in settled.restless if piece in there),
    )


def cars_due(
    checked: Checked,
    lying: Table,
    chosen: tuple[CarSpot, ...] | None = None,
    *,
    weighed: bool = True,
) -> Due:
    """The places of the cars that are due on the settled road: those `chosen` or in the placement,
    else where there is room, and where cars stand if that is `weighed`.
    """
    table, placement = checked.table, checked.placement
    if isinstance(placement, Entrance):
        return Due((), 1, 1, chosen[:1] if chosen is not None else (placement.car,))
    crossings = crossings_of(lying, lying.roads[-1], None)
    earned = referee.earned(table, placement, crossings)
    count = min(earned, table.stocks[table.to_move].cars)
    named = getattr(placement, "cars", None)
    wanted = named if chosen is None else chosen
    if wanted is not None:
        most = count if named is None else min(count, len(named))
        return Due(crossings, earned, most, tuple(wanted[:count]))
    others = replace(lying, roads=lying.roads[:-1]) if weighed else table
    spots = places_that_stand(others, lying, count, weighed=weighed)
    return Due(crossings, earned, count, spots)
