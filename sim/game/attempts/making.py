"""How an engine makes the poses of an attempt: pieces are let go, and all comes to rest.

The hand lets go of pillar and road, then goes its way. The cars that the road earns as it lies are
put on, and what hangs together with anything that moved is let go once more, all of it awake, until
nothing moves. New pieces that do not stand come off again; a car that does not stay is put
elsewhere, as often as `redo` allows (rules 7n). After each of these the table comes to rest. What
never does is set right, as people would.

All that is known at any time is what a record holds. So what came of it is read from the poses at
the end, as in a replay.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sim.bodies import Body, Pose, SettleResult
from sim.game.attempts.posing import Jitter, Laid, bodies, lay_cars
from sim.game.attempts.reading import Due, Scene, cars_due, places_that_stand, read
from sim.game.sources import Posed, Simulated
from sim.physics.drop import lifted_clear
from sim.physics.engine import HandPath
from sim.physics.neighbours import structures
from sim.physics.world import World, stays
from sim.referee import (
    AttemptResult,
    Breach,
    CarSpot,
    PoseChange,
    PutBack,
    Table,
    falls,
    hand_undoes,
    kept,
)
from sim.referee.judgement import returns_last_car
from sim.referee.verdict import BreachKind

_LOOKS = 16  # at the table in an attempt; most need two
_ROUNDS = 8  # of letting go again; most tables lie still after the first or second
_PATIENT = 4  # rounds from one longer run to the next
_CREEPS = 0.1  # mm in one round: what goes further does not only rock


def make(
    scene: Scene,
    source: Simulated,
    path: HandPath | None,
    earlier: Sequence[AttemptResult] = (),
) -> AttemptResult:
    """The result of an attempt that an engine settles after `earlier` ones of the same ply. It
    leaves a table at rest, unless the source is brief.

    Raises NotSettledError if no run is quiet at its end without new pieces either.
    """
    making = _Making(scene, source, scene.checked.table)
    making.let_go(scene.laid, path)
    for _ in range(_LOOKS):
        seen, due = making.look()
        if not making.goes_on(seen, due, earlier):
            break
    return making.result(seen)


@dataclass(slots=True)
class _Making:
    """An attempt under way: what a record would hold of it so far (`settled`), and the table as it
    lies (`lying`), with everything that fell (`fallen`) put back.

    `place` says where each new car was put, once they are `counted`, `astray` which of them break a
    rule there; `used` are the places that were tried. `gone` is the car that `clean_win` sends
    back. New pieces that are `off` the table again came off because of `why`, which is `told` if
    the poses do not show it. `known` are the structures that were let go and did not move.
    """

    scene: Scene
    source: Simulated
    lying: Table
    settled: SettleResult = field(default_factory=lambda: SettleResult({}))
    fallen: frozenset[str] = frozenset()
    rested: bool = False
    hangs: bool = False
    off: bool = False
    why: tuple[Breach, ...] = ()
    told: tuple[Breach, ...] = ()
    counted: bool = False
    place: dict[str, CarSpot] = field(default_factory=dict)
    astray: frozenset[str] = frozenset()
    gone: frozenset[str] = frozenset()
    used: list[CarSpot] = field(default_factory=list)
    put_back: list[PutBack] = field(default_factory=list)
    elsewhere: int = 0
    known: set[Posed] = field(default_factory=set)
    asked: tuple[object, ...] = ()
    seen: tuple[AttemptResult, Due | None] | None = None

    # --- look, and act ----------------------------------------------------------------------------

    def look(self) -> tuple[AttemptResult, Due | None]:
        """What came of it as it lies now, and the cars that are due."""
        chosen = tuple(self.place.values()) if self.counted else None
        asked = (self.settled, chosen, self.told)
        if self.seen is None or self.asked != asked:
            self.asked, self.seen = asked, read(self.scene, *asked)
        return self.seen

    def goes_on(
        self, seen: AttemptResult, due: Due | None, earlier: Sequence[AttemptResult]
    ) -> bool:
        """Does what is to be done next; whether there was anything."""
        if self.off is bool(seen.built):
            self._comes_off(seen)
        elif due is not None and not self.counted:
            self._put_on(due.spots)
        elif not self.rested:
            self._rest()
        elif due is None or self.gone:
            return False
        elif self.place.keys() & self.lying.piece_ids != {*seen.cars}:
            self._without(frozenset(self.place) - {*seen.cars})
        elif due.most < len(self.place):
            self._take_surplus(due.most)
        elif due.most > len(self.place) and (spots := self._more(due.most)):
            self._put_on(spots)
        elif len(seen.cars) < len(self.place) and self._put_elsewhere(seen):
            pass
        elif returns_last_car(self.scene.checked, [*earlier, seen]):
            self.gone = frozenset(seen.cars[-1:])
            self._without(self.astray)
        else:
            return False
        return True

    def result(self, seen: AttemptResult) -> AttemptResult:
        """The result with what its poses do not tell."""
        homeless = [one for one in seen.put_back if one.now is None]
        put = usual = tuple(self.place.values())
        if seen.built:
            usual = cars_due(self.scene.checked, self._without_cars()).spots
        assert seen.settled is not None
        return replace(
            seen,
            chosen=None if put == usual else put,
            settled=replace(seen.settled, takes=()),
            put_back=(*self.put_back, *homeless) if seen.built else (),
            takes=self.settled.takes,
        )

    # --- new pieces -------------------------------------------------------------------------------

    def let_go(self, laid: Sequence[Laid], path: HandPath | None = None) -> None:
        """A hand lets go of new pieces, and goes its way."""
        came = self.source.settle(bodies(self.lying), laid, path)
        self._notes(came)
        self.rested = False

    def _comes_off(self, seen: AttemptResult) -> None:
        """The new pieces come off again if they do not stand; a road that seems to hang is let go
        once more before: an engine may bear it for a while on a contact that is gone.
        """
        if self.off:
            # the poses do not show why they came off
            self.told, self.off = self.why, not self.why
            self._lies()
            self.rested = self.rested and not self.off
        elif not self.hangs and any(breach.hangs for breach in seen.breaches):
            self.hangs = True
            new = self.lying.piece_ids - self.scene.checked.table.piece_ids
            came = self.source.let_go_again(bodies(self.lying), new, set())
            if came.moved:
                self._notes(came)
        else:
            self._take_off(seen.breaches)

    def _take_off(self, why: tuple[Breach, ...]) -> None:
        self.off, self.why, self.rested = True, why, False
        self._lies()
        self._put_clear(self.fallen & self.scene.checked.table.piece_ids)

    def _put_on(self, spots: Sequence[CarSpot]) -> None:
        """Puts a car on each of the places."""
        self.counted = True
        table, here = self.scene.checked.table, len(self.place)
        cars = table.next_cars(table.to_move, here + len(spots))[here:]
        if cars:
            self._put_down(dict(zip(cars, spots, strict=True)), self.scene.jitter)

    def _put_down(self, place: Mapping[str, CarSpot], jitter: Mapping[str, Jitter]) -> None:
        laid = lay_cars(self.lying, place, jitter)
        self.place.update(place)
        self.used += place.values()
        self.astray -= place.keys()
        self.let_go(laid)

    def _put_elsewhere(self, seen: AttemptResult) -> bool:
        """Puts the cars that have no place elsewhere on the road; whether there is room."""
        table = self.scene.checked.table
        homeless = [one for one in seen.put_back if one.now is None]
        fresh = self._free(len(homeless))
        if self.elsewhere == table.ruleset.redo or not fresh:
            return False
        self.elsewhere += 1
        moving = list(zip(homeless, fresh, strict=False))
        self.put_back += [replace(one, now=spot) for one, spot in moving]
        self._put_down({one.car: spot for one, spot in moving}, {})
        return True

    def _more(self, count: int) -> tuple[CarSpot, ...]:
        """Places for the other cars, if `count` are due: what rests may have room that it had not
        while it rocked.
        """
        named = getattr(self.scene.checked.placement, "cars", None)
        if named is not None:
            return tuple(named[len(self.place) : count])
        return self._free(count - len(self.place))

    def _free(self, count: int) -> tuple[CarSpot, ...]:
        """Places for so many cars besides those that have been tried."""
        lying = self._without_cars()
        others = replace(lying, roads=lying.roads[:-1])
        return places_that_stand(others, lying, count, self.used, weighed=True)

    def _take_surplus(self, count: int) -> None:
        """All but the first cars come off again."""
        gone = tuple(self.place)[count:]
        for car in gone:
            del self.place[car]
            self.settled = self.settled.without(car)
        self.put_back = [one for one in self.put_back if one.car not in gone]
        self._without(self.astray)

    def _without(self, astray: frozenset[str]) -> None:
        """The table is let go again without these cars."""
        self.astray, self.rested = astray, False
        self._lies()

    def _without_cars(self) -> Table:
        return self.scene.standing(self.settled)[1]

    # --- where the pieces lie ---------------------------------------------------------------------

    def _notes(self, came: SettleResult) -> frozenset[str]:
        """Notes where a run left the pieces, and puts back what fell in it. Gives the ids of what
        had been put back before and fell again.
        """
        grown, before, was = self.scene.grown, self.fallen, self.settled
        moved, restored = dict(was.moved), dict(was.restored)
        for piece, pose in came.moved.items():
            back = piece in before and piece not in self.place
            (restored if back else moved)[piece] = pose
        again = frozenset[str]()
        if restored:
            stands = {piece: pose for piece, pose in moved.items() if piece not in before}
            there = {p: pose for p, pose in (stands | restored).items() if p in grown.piece_ids}
            fell = falls(grown, PoseChange(self.scene.before, there))
            again = before.intersection(came.moved, [fall.piece for fall in fell])
            moved.update({piece: restored.pop(piece) for piece in again if piece in restored})
        self.settled = replace(was.then(came), moved=moved, restored=restored)
        self._lies()
        new = self.scene.new.intersection(self.fallen)
        if not self.off and (new or hand_undoes(grown, self.settled.touched)):
            self._take_off(())
        else:
            self._put_clear(((self.fallen - before) | again) - self.place.keys())
        return again

    def _lies(self) -> None:
        """The table as its pieces lie now, with what fell put back."""
        fell, lying = self.scene.standing(self.settled)
        if self.off:
            table = self.scene.checked.table
            old = {piece: pose for piece, pose in lying.poses.items() if piece in table.piece_ids}
            lying = table if old == table.poses else replace(table, poses=old)
        else:
            out = self.astray | self.gone
            place = {car: spot for car, spot in self.place.items() if car not in out}
            dropped, lying = self.scene.with_cars(lying, self.settled, place)
            fell += dropped
        self.fallen = frozenset(fall.piece for fall in fell)
        self.lying = lying

    def _put_clear(self, back: Collection[str]) -> None:
        """A hand puts pieces `back`: those of them, and of the cars on them, that would be inside
        something that lies there by now, are lifted clear of it. Where that is so far that they do
        not stand, what is new comes off again.
        """
        some = {*back, *(car.id for car in self.lying.cars if car.road in back)}
        there = {body.id: body for body in bodies(self.lying)} if back else {}
        free = [body for body in there.values() if body.id not in some]
        moved, restored = dict(self.settled.moved), dict(self.settled.restored)
        for piece in sorted(some & there.keys(), key=lambda name: (there[name].pose.at[2], name)):
            free.append(lifted_clear(there[piece], free))
            if free[-1].pose != there[piece].pose:
                (restored if piece in self.fallen else moved)[piece] = free[-1].pose
        was, fell = self.settled, self.fallen
        if (moved, restored) != (was.moved, was.restored):
            self.settled = replace(was, moved=moved, restored=restored)
            self._lies()
            if not self.off and (falling := self.fallen - fell):
                self.settled = was
                self._take_off(_all(falling, "falls again"))

    # --- letting go again -------------------------------------------------------------------------

    def _rest(self) -> None:
        """Lets go again of all that hangs together with anything this ply moved, until nothing
        moves.

        What falls meanwhile fell in this ply. If a piece that was put back falls again, or pieces
        move however often they are let go, people set right whatever this ply moved of what stood
        before. If even then something that was put back falls, or the runs of the engine end before
        all is quiet, the new pieces come off. A piece that still moves after that is named as
        restless: its place is not certain.
        """
        self.rested = True
        if self.source.brief:
            return
        came = self._until_still()
        if came is not None and (self.off or not self.settled.mended):
            self._set_right()
            came = self._until_still()
        if came is None:
            return
        moving = tuple(sorted({*came.moved, *came.restless}))
        if came.restless and came.moved and not self.off:
            self._take_off(_all(came.moved, "never rests"))
        elif came.restless:
            why = (
                f"the table never comes to rest: {', '.join(moving)} move however often it is let "
                "go; the ply was not made"
            )
            raise World(bodies(self.lying), self.source.engine, self.source.params).never_rests(why)
        else:
            self.settled = replace(self.settled, restless=moving)

    def _until_still(self) -> SettleResult | None:
        """Lets go until a round moves nothing, or the new pieces have come off; else what moved in
        the last round by more than the tolerances.
        """
        creeps, off, came = False, self.off, SettleResult({})
        was = dict[str, Body]()
        for n in range(1, _ROUNDS + 1):
            # what creeps on and on slides until it lies or falls
            patient = creeps and n % _PATIENT == 0
            there = bodies(self.lying)
            stirred = _stirred(self.scene.checked.table, self.lying)
            came = self.source.let_go_again(there, stirred, self.known, patient=patient)
            if not patient and not came.moved and not came.restless:
                self.settled = replace(self.settled, restless=())
                return None
            was = {body.id: body for body in there}
            creeps = any(was[p].way_to(pose)[0] > _CREEPS for p, pose in came.moved.items())
            again = self._notes(came)
            if again and self.off is off:  # put back as it was, it does not stand
                self._set_right(again)
            if self.off is not off:
                return None
            if n % _PATIENT == _PATIENT - 1:
                # a car that a run left a tenth of a millimetre inside its road may creep for ever
                self._put_clear(self._far(was, came).keys())
        return replace(came, moved=self._far(was, came))

    def _far(self, was: Mapping[str, Body], came: SettleResult) -> dict[str, Pose]:
        """What went further from where it `was` than a piece of a table at rest may."""
        params = self.source.params
        return {p: pose for p, pose in came.moved.items() if not stays(params, was[p], pose)}

    def _set_right(self, falling: Collection[str] = ()) -> None:
        """All that stood before and moved in this ply back where it was: the nearest pose in which
        it is known to stand.

        Done a second time, it takes the new pieces off as well: beside them, `falling` pieces do
        not stand.
        """
        was, old = self.settled, self.scene.checked.table.piece_ids
        moved = {p: pose for p, pose in was.moved.items() if p not in old or p in self.fallen}
        mended = {*was.mended, *was.restored, *old.intersection([*self.fallen, *was.moved])}
        self.settled = replace(was, moved=moved, restored={}, mended=tuple(sorted(mended)))
        if was.mended and not self.off:
            self._take_off(_all(falling, "falls again"))
        else:
            self._lies()
            self._put_clear(mended)


def _stirred(before: Table, lying: Table) -> set[str]:
    """The pieces that are new, lie elsewhere than before, or were never settled; and what hung
    together with them before, since it may have lost its support.
    """
    there = bodies(before)
    was = {body.id: body.pose for body in there}
    stirred = {
        body.id
        for body in bodies(lying)
        if body.mass > 0 and (was.get(body.id) != body.pose or body.id not in lying.poses)
    }
    parts = kept(before, "structures", lambda: structures(there))
    return stirred.union(*(part for part in parts if not part.isdisjoint(stirred)))


def _all(pieces: Iterable[str], why: BreachKind) -> tuple[Breach, ...]:
    return tuple(Breach(piece, why, None, 0.0) for piece in sorted(pieces))
