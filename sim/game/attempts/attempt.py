"""One attempt at a placement: the new pieces are laid, come to rest, and what came of it is read
from where they lie.

Where they lie is said by an engine, by a record, or by geometry alone. People say themselves what
came of what they saw.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules.errors import InputError
from sim.game.attempts.lying import as_it_lies
from sim.game.attempts.making import make
from sim.game.attempts.reading import Scene, cars_due, read, standing_poses
from sim.game.sources import Nominal, Observed, PoseSource, Recorded, Simulated, Told
from sim.physics.engine import HandPath
from sim.records import USUAL_SPEED, checked_hand
from sim.referee.judgement import hand_undoes
from sim.referee.measuring import tally
from sim.referee.placement import CarSpot, Entrance
from sim.referee.standing import letter
from sim.referee.table import Table
from sim.referee.verdict import AttemptResult, Checked, Fall, PutBack
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


def attempt(checked: Checked, one: Attempt, earlier: Sequence[AttemptResult] = ()) -> AttemptResult:
    """The result of an attempt at a legal placement after `earlier` ones of this ply. A replay of
    its record gives the same result.
    """
    ground, grown = one.ground, checked.grown
    if isinstance(ground, Observed):
        return _observed(checked, ground)
    assert grown is not None, "an engine is asked only about a placement that lays a road"
    if isinstance(ground, Nominal):
        return _nominal(checked, grown)
    if isinstance(ground, Recorded) and ground.told is not None:
        return _as_told(checked, grown, ground, ground.told)
    if grown.roads[-1].under and isinstance(ground, Simulated):
        raise InputError(
            "road.under is for games noted by hand: a hand that builds here lays its road on top"
        )
    hand = checked_hand(one.hand) if one.hand else ()
    scene = Scene.of(checked, hand)
    if isinstance(ground, Simulated):
        return make(scene, ground, _path(hand), earlier)
    settled = SettleResult(
        ground.moved, ground.touched, ground.restless, ground.restored, ground.mended
    )
    result, _ = read(scene, settled, ground.chosen, ground.breaches)
    return replace(result, chosen=ground.chosen)


def _nominal(checked: Checked, grown: Table) -> AttemptResult:
    """On geometry alone all stands where it is meant to."""
    due = cars_due(checked, grown, weighed=False)
    cars = checked.table.next_cars(checked.table.to_move, len(due.spots))
    laid = checked.with_cars(due.spots, cars)
    return AttemptResult(True, (), None, due.crossings, due.earned, due.spots, cars, laid=laid)


def _path(hand: Hand) -> HandPath | None:
    path = next((item["path"] for item in hand if "path" in item), None)
    if path is None:
        return None
    points = tuple((float(x), float(y), float(z)) for x, y, z in path["points"])
    return HandPath(points, float(path.get("speed", USUAL_SPEED)), path.get("tool", "finger"))


# --- what people say ------------------------------------------------------------------------------


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
    due = cars_due(checked, lying, ground.chosen)
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
    crossings, earned, _, spots = cars_due(checked, grown, weighed=False)
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
