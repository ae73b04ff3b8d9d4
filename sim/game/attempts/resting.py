"""The table in the course of an attempt, and how it comes to rest.

What hangs together with anything that a ply moved is let go once more, all of it awake, until
nothing moves. What does not come to rest like that is set right, as people would.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from sim.bodies import Body, Pose, shift_between, turn_between
from sim.game.attempts.posing import bodies
from sim.game.sources import Posed, PoseSource, Simulated
from sim.physics.drop import lifted_clear
from sim.physics.neighbours import structures
from sim.referee.judgement import PoseChange, falls
from sim.referee.placement import CarSpot
from sim.referee.table import Table, kept
from sim.referee.verdict import AttemptResult, Breach, BreachKind, Checked, Fall
from sim.settling import SettleResult

_ROUNDS = 8  # of letting go again; most tables lie still after the first or second
_PATIENT = 4  # rounds from one longer run to the next
_CREEPS = 0.1  # mm in one round: what goes further does not only rock


@dataclass(frozen=True, slots=True)
class Round:
    """The table in the course of an attempt: what fell, where pieces came to rest, which new cars
    have no place yet.

    `lying` is the table with the pieces that stand, `before` the poses from which pieces fall, by
    id. `calm` says that nothing but new cars moved since the crossings were counted, and nothing
    fell.
    """

    falls: tuple[Fall, ...]
    settled: SettleResult
    lying: Table
    before: Mapping[str, Pose]
    calm: bool = True
    built: bool = True
    breaches: tuple[Breach, ...] = ()
    homeless: tuple[str, ...] = ()

    @property
    def fallen(self) -> frozenset[str]:
        """The ids of what fell."""
        return frozenset(fall.piece for fall in self.falls)


def standing_poses(
    table: Table, settled: SettleResult | AttemptResult, fallen: Collection[str]
) -> dict[str, Pose]:
    """The poses of a table once everything that fell is put back where it was, or where it came to
    rest then.
    """
    kept = {piece: pose for piece, pose in (settled.moved or {}).items() if piece not in fallen}
    return dict(table.poses) | kept | dict(settled.restored)


def as_it_lies_now(
    checked: Checked, place: Mapping[str, CarSpot], cars: Sequence[str], now: Round
) -> Table:
    """The table with some of the new cars and its pieces at their present poses, with everything
    that fell put back.
    """
    poses = standing_poses(checked.table, now.settled, now.fallen)
    same = tuple(car.id for car in now.lying.cars[len(checked.table.cars) :]) == tuple(cars)
    table = now.lying if same else checked.with_cars([place[car] for car in cars], cars)
    known = {piece: pose for piece, pose in poses.items() if piece in table.piece_ids}
    return table if known == table.poses else replace(table, poses=known)


def put_back_clear(now: Round, back: Collection[str]) -> Round:
    """The round once a hand has put `back` pieces (ids) that stood before: those of them, and of
    the cars on them, that would be inside something that lies there by now, are lifted clear of it.
    """
    some = {*back, *(car.id for car in now.lying.cars if car.road in back)}
    there = {body.id: body for body in bodies(now.lying)} if back else {}
    free = [body for body in there.values() if body.id not in some]
    moved, restored = dict(now.settled.moved), dict(now.settled.restored)
    clear = dict[str, Pose]()
    for piece in sorted(some & there.keys(), key=lambda name: (there[name].pose.at[2], name)):
        free.append(lifted_clear(there[piece], free))
        if free[-1].pose != there[piece].pose:
            clear[piece] = free[-1].pose
            (restored if piece in now.fallen else moved)[piece] = free[-1].pose
    if not clear:
        return now
    settled = replace(now.settled, moved=moved, restored=restored)
    lying = replace(now.lying, poses={**now.lying.poses, **clear})
    return replace(now, settled=settled, lying=lying)


# --- letting go again -----------------------------------------------------------------------------


def brought_to_rest(
    checked: Checked, place: Mapping[str, CarSpot], now: Round, ground: PoseSource
) -> Round:
    """Lets go again of all that hangs together with anything this ply moved, until nothing moves.

    What falls meanwhile fell in this ply. If a piece that was put back falls again, or pieces move
    however often they are let go, people set right whatever this ply moved of what stood before.
    If even then something that was put back falls, or the runs of the engine end before all is
    quiet, the new pieces come off. A piece that still moves after that is named as restless: its
    place is not certain.

    Raises NotSettledError if no run is quiet at its end without new pieces either.
    """
    if not isinstance(ground, Simulated) or ground.brief:
        return now
    now, came = _until_still(checked, place, now, ground)
    if came is None:
        return now
    if not (now.settled.mended and now.lying.piece_ids - checked.table.piece_ids):
        now, came = _until_still(checked, place, _set_right(checked, place, now), ground)
        if came is None:
            return now
    moving = tuple(sorted({*came.moved, *came.restless}))
    if came.restless and came.moved and now.lying.piece_ids - checked.table.piece_ids:
        return _taken_off(now, sorted(came.moved), "never rests")
    if came.restless:
        why = (
            f"the table never comes to rest: {', '.join(moving)} move however often it is let "
            "go; the ply was not made"
        )
        raise ground.world(bodies(now.lying)).never_rests(why)
    return replace(now, settled=replace(now.settled, restless=moving))


def let_go_once_more(
    checked: Checked, place: Mapping[str, CarSpot], now: Round, ground: Simulated
) -> Round:
    """The round once the new pieces, and what hangs together with them, were let go again: all
    contacts are then found anew.
    """
    new = now.lying.piece_ids - checked.table.piece_ids
    came = ground.let_go_again(bodies(now.lying), new, set())
    return _moved_on(checked, place, now, came) if came.moved else now


def _until_still(
    checked: Checked, place: Mapping[str, CarSpot], now: Round, ground: Simulated
) -> tuple[Round, SettleResult | None]:
    """The table once a round of letting go moves nothing, or new pieces have fallen; else what
    moved in the last round by more than the tolerances.
    """
    creeps, known, came = False, set[Posed](), SettleResult({}, (), ())
    was = dict[str, Pose]()
    for n in range(1, _ROUNDS + 1):
        # what creeps on and on slides until it lies or falls
        patient = creeps and n % _PATIENT == 0
        there = bodies(now.lying)
        came = ground.let_go_again(
            there, _stirred(checked.table, now.lying), known, patient=patient
        )
        if not patient and not came.moved and not came.restless:
            return replace(now, settled=replace(now.settled, restless=())), None
        was = poses_of(there)
        creeps = any(
            shift_between(was[piece], pose) > _CREEPS for piece, pose in came.moved.items()
        )
        now = _moved_on(checked, place, now, came)
        if not now.built and now.lying.piece_ids - checked.table.piece_ids:
            return now, None
        if n % _PATIENT == _PATIENT - 1:
            # a car that a run left a tenth of a millimetre inside its road may creep for ever
            now = put_back_clear(now, _far(was, came, ground).keys())
    return now, replace(came, moved=_far(was, came, ground))


def _far(was: Mapping[str, Pose], came: SettleResult, ground: Simulated) -> dict[str, Pose]:
    """What went further from where it `was` than a piece of a table at rest may."""
    params = ground.params
    return {
        piece: pose
        for piece, pose in came.moved.items()
        if shift_between(was[piece], pose) > params.still_shift
        or turn_between(was[piece], pose) > params.still_turn
    }


def _stirred(before: Table, lying: Table) -> set[str]:
    """The pieces that are new, lie elsewhere than before, or were never settled; and what hung
    together with them before, since it may have lost its support.
    """
    was = {body.id: body.pose for body in bodies(before)}
    there = {
        body.id
        for body in bodies(lying)
        if body.mass > 0 and (was.get(body.id) != body.pose or body.id not in lying.poses)
    }
    parts = kept(before, "structures", lambda: structures(bodies(before)))
    return there.union(*(part for part in parts if not part.isdisjoint(there)))


def _moved_on(
    checked: Checked, place: Mapping[str, CarSpot], now: Round, came: SettleResult
) -> Round:
    """The table after it was let go again and something moved: what fell now, and where the others
    lie.
    """
    moved, restored = dict(now.settled.moved), dict(now.settled.restored)
    for piece, pose in came.moved.items():
        (restored if piece in now.fallen else moved)[piece] = pose
    change = {piece: pose for piece, pose in moved.items() if piece not in now.fallen} | restored
    there = {piece: pose for piece, pose in change.items() if piece in now.lying.piece_ids}
    fell = falls(now.lying, PoseChange(now.before, there))
    just_fell = {fall.piece for fall in fell}
    moved.update({piece: restored.pop(piece) for piece in just_fell & restored.keys()})
    known = {fall.piece: fall for fall in now.falls} | {fall.piece: fall for fall in fell}
    restless = tuple(sorted({*now.settled.restless, *came.restless}))
    result = replace(
        now,
        falls=tuple(known[piece] for piece in sorted(known)),
        settled=replace(now.settled, moved=moved, restored=restored, restless=restless),
        calm=False,
        homeless=tuple(car for car in place if car in now.homeless or car in just_fell),
    )
    new = now.lying.piece_ids - checked.table.piece_ids - set(place)
    if just_fell & new:
        return replace(result, built=False)
    if again := just_fell & now.fallen:  # put back as it was, it does not stand
        return _set_right(checked, place, result, again)
    return _shown(checked, place, result, just_fell)


def _set_right(
    checked: Checked,
    place: Mapping[str, CarSpot],
    now: Round,
    falling: Collection[str] = frozenset(),
) -> Round:
    """All that stood before and moved in this ply back where it was: the nearest pose in which it
    is known to stand.

    Done a second time, it takes the new pieces off as well: beside them, `falling` pieces do not
    stand.
    """
    old = checked.table.piece_ids
    moved = {
        piece: pose
        for piece, pose in now.settled.moved.items()
        if piece not in old or piece in now.fallen
    }
    mended = {
        *now.settled.mended,
        *now.settled.restored,
        *(now.fallen & old),
        *(now.settled.moved.keys() & old),
    }
    settled = replace(now.settled, moved=moved, restored={}, mended=tuple(sorted(mended)))
    right = replace(now, settled=settled, calm=False)
    if now.settled.mended and now.lying.piece_ids - checked.table.piece_ids:
        return _taken_off(right, sorted(falling), "falls again")
    return _shown(checked, place, right, mended)


def _taken_off(now: Round, pieces: Sequence[str], why: BreachKind) -> Round:
    """The round with the new pieces off the table again, since beside them these do not stand."""
    return replace(
        now, built=False, breaches=tuple(Breach(piece, why, None, 0.0) for piece in pieces)
    )


def _shown(
    checked: Checked, place: Mapping[str, CarSpot], now: Round, back: Collection[str]
) -> Round:
    """The table as it lies now, with the pieces that a hand puts `back` clear of all others."""
    return put_back_clear(
        _lies(checked, place, now), [piece for piece in back if piece not in place]
    )


def _lies(checked: Checked, place: Mapping[str, CarSpot], now: Round) -> Round:
    """The table with its pieces at their present poses."""
    if not now.lying.piece_ids - checked.table.piece_ids:  # the new pieces have come off
        old = {
            piece: pose
            for piece, pose in now.settled.moved.items()
            if piece in checked.table.piece_ids
        }
        poses = standing_poses(checked.table, replace(now.settled, moved=old), now.fallen)
        return replace(now, lying=replace(checked.table, poses=poses))
    stay = tuple(car for car in place if car not in now.homeless)
    return replace(now, lying=as_it_lies_now(checked, place, stay, now))


def poses_of(some: Iterable[Body]) -> dict[str, Pose]:
    """The poses of bodies by id."""
    return {body.id: body.pose for body in some}
