"""Judgement of a placement once everything lies still: which pieces fell and by which test, who is
paid what, the verdict from the attempts, the next table with the seat to move, and what adjusting
the last build does to it.

Pure functions of poses, never of an engine. Rules: FR sections 2, 4, 8 to 10, KR 3, 4, 8 to 10.
"""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules.errors import InputError
from sim.bodies import Pose, rotate, shift_between, tilt_between
from sim.pieces import Components, Supply
from sim.referee.crossings import EXIT_BONUS, Crossing, Network, judge
from sim.referee.placement import Adjust, Build, Exit, Pass, Placement, Resign, known
from sim.referee.standing import Car, Fault, LaidRoad, buildings_among, seat_of
from sim.referee.table import LastBuild, Table
from sim.referee.verdict import AttemptResult, Checked, Fall, Payment, Verdict

_TIPPED = 10.0  # degrees: rules 8a, fall_mode = structural


@dataclass(frozen=True, slots=True)
class PoseChange:
    """Where pieces stood (`before`, by id; new ones where they were put) and where they lie now
    (`after`, those that moved).
    """

    before: Mapping[str, Pose]
    after: Mapping[str, Pose]

    def now(self, piece: str) -> Pose:
        """Where a piece is now."""
        return self.after.get(piece) or self.before[piece]


def falls(table: Table, change: PoseChange) -> tuple[Fall, ...]:
    """Every piece of `table` (the new ones included) that fell, with the test of rules 8a or 8b
    that says so, sorted by id.
    """
    if not change.after:
        return ()
    if table.ruleset.resolved.moved:
        return _moved_falls(table, change)
    box, moved, pillars = table.components, change.after, table.pillar_by_id
    discs = (disc for pillar in table.pillars for disc in pillar.disc_ids if disc in moved)
    found = [fall for disc in discs if (fall := _disc_fall(box, disc, change)) is not None]
    # a road is judged against its discs, a car against its road, as they will stand once the fallen
    # ones are put back
    change = _without_fallen(change, found)
    for road in table.roads:
        if road.id in moved or any(f"{p}.{pillars[p].discs}" in moved for p in road.pillars):
            found += filter(None, [_road_fall(table, road, change)])
    change = _without_fallen(change, found)
    for car in table.cars:
        if car.id in moved or car.road in moved:
            found += filter(None, [_car_fall(box, car, change)])
    return tuple(sorted(found, key=lambda fall: fall.piece))


def crossings_of(table: Table, road: LaidRoad, pose: Pose | None) -> tuple[Crossing, ...]:
    """The crossings of a new road lying at `pose` (None: nominal) with the others of a table."""
    others = tuple(line for line in table.lines if line.id != road.id)
    return judge(
        table.line(road, pose), Network(others, table.ruleset, table.components, table.inactive)
    )


def hand_undoes(table: Table, touched: Sequence[str]) -> list[str]:
    """The buildings among what a hand touched, if that undoes the build (KR 3.3, option
    `hand_on_building`).
    """
    return buildings_among(touched) if table.ruleset.resolved.redo_on_building else []


def earned(table: Table, placement: Placement, crossings: Sequence[Crossing]) -> int:
    """The cars of a new road's crossings, an exit's bonus included (FR 8, KR 8); own_cross_voids
    takes the bonus too.
    """
    voided = table.ruleset.own_cross_voids and any(
        crossing.road.owner == table.to_move for crossing in crossings
    )
    bonus = EXIT_BONUS if isinstance(placement, Exit) and not voided else 0
    return sum(crossing.scores for crossing in crossings) + bonus


def owed(
    table: Table, payer: int, fallen: Sequence[Collection[str]]
) -> tuple[tuple[int, int], ...]:
    """(seat, pieces) that the payer owes for what fell in each attempt of a turn, clockwise from
    the payer (FR 9, KR 9).
    """
    counts = dict.fromkeys(others_of(table, payer), 0)
    for attempt in fallen:
        stacks = {one.partition(".")[0] if "-P" in one else one for one in attempt}
        for piece in stacks if table.ruleset.resolved.stacks else attempt:
            if (owner := seat_of(piece)) is not None and owner in counts:
                counts[owner] += 1
    return tuple((seat, count) for seat, count in counts.items() if count)


def others_of(table: Table, payer: int) -> list[int]:
    """The other seats, clockwise."""
    return [(payer + step) % table.turns.seats for step in range(1, table.turns.seats)]


# --- falls ----------------------------------------------------------------------------------------


def _without_fallen(change: PoseChange, fallen: Sequence[Fall]) -> PoseChange:
    gone = {fall.piece for fall in fallen}
    return PoseChange(
        change.before,
        {piece: pose for piece, pose in change.after.items() if piece not in gone},
    )


def _moved_falls(table: Table, change: PoseChange) -> tuple[Fall, ...]:
    limit, before, after = table.ruleset.fall_distance, change.before, change.after
    pieces = sorted(table.piece_ids.intersection(after))
    moved = (Fall(one, "moved", shift_between(before[one], after[one]), limit) for one in pieces)
    return tuple(fall for fall in moved if fall.measured > limit)


def _disc_fall(box: Components, disc: str, change: PoseChange) -> Fall | None:
    """Moved more than half its radius sideways, more than half its height down, or tilted more than
    10 degrees.
    """
    before, after = change.before[disc], change.after[disc]
    sideways = math.hypot(after.at[0] - before.at[0], after.at[1] - before.at[1])
    sank, tilt = before.at[2] - after.at[2], tilt_between(before, after)
    far, deep = box.disc_radius / 2, box.disc_height / 2
    tests = (
        Fall(disc, "shifted", sideways, far),
        Fall(disc, "sank", sank, deep),
        Fall(disc, "tipped", tilt, _TIPPED),
    )
    return next((fall for fall in tests if fall.measured > fall.allowed), None)


def _road_fall(table: Table, road: LaidRoad, change: PoseChange) -> Fall | None:
    """An end off its disc: the stick no longer lies over the top disc, or lies below its top by
    more than its own thickness.
    """
    box, pose = table.components, change.now(road.id)
    for name in road.pillars:
        pillar = table.pillar_by_id[name]
        disc = change.now(f"{name}.{pillar.discs}")
        up = rotate(disc.quat, (0.0, 0.0, box.disc_height / 2))
        top = (disc.at[0] + up[0], disc.at[1] + up[1], disc.at[2] + up[2])
        away, height = _nearest_underside(box, pose, top)
        if away > box.disc_radius:
            return Fall(road.id, "off its disc", away - box.disc_radius, 0.0)
        if height < top[2] - box.road_thickness:
            return Fall(road.id, "off its disc", top[2] - height, box.road_thickness)
    return None


def _nearest_underside(
    box: Components, pose: Pose, point: tuple[float, float, float]
) -> tuple[float, float]:
    """How far in plan a point is from the stick, and the height of its lower middle line where that
    comes nearest.
    """
    half = box.road_length / 2
    ux, uy, uz = rotate(pose.quat, (1.0, 0.0, 0.0))
    dx, dy, dz = rotate(pose.quat, (0.0, 0.0, -box.road_thickness / 2))
    x, y = point[0] - pose.at[0] - dx, point[1] - pose.at[1] - dy
    flat = max(math.hypot(ux, uy), 1e-9)
    along, side = (x * ux + y * uy) / flat, (y * ux - x * uy) / flat
    nearest = min(max(along, -half * flat), half * flat)
    away = math.hypot(along - nearest, max(abs(side) - box.road_width / 2, 0.0))
    return away, pose.at[2] + dz + uz * nearest / flat


def _car_fall(box: Components, car: Car, change: PoseChange) -> Fall | None:
    """Off its road: its centre no longer above the road's top face, or no longer lying on it."""
    pose, road = change.now(car.id), change.now(car.road)
    offset = (pose.at[0] - road.at[0], pose.at[1] - road.at[1], pose.at[2] - road.at[2])
    x, y, z, w = road.quat
    along, side, up = rotate((-x, -y, -z, w), offset)
    over = max(abs(along) - box.road_length / 2, abs(side) - box.road_width / 2)
    if over > 0:
        return Fall(car.id, "off its road", over, 0.0)
    height = up - box.road_thickness / 2
    highest = max(box.car_length, box.car_width, box.car_height) / 2 + 1.0
    if not 0.0 < height < highest:
        return Fall(car.id, "off its road", height, highest)
    return None


# --- payments -------------------------------------------------------------------------------------


# what a penalty may be paid in, in the order in which it usually is
_PIECES = ("grey", "yellow", "roads")


def handed(
    checked: Checked, attempts: Sequence[AttemptResult], wishes: Mapping[int, Payment]
) -> Iterator[tuple[Payment, Supply, int]]:
    """What is given to each victim of these attempts, clockwise, with what the payer has by then
    and what of it is due: grey first, or as people paid (`wishes`, by seat). What was built is
    spent.
    """
    table, owing = checked.table, dict(_debts(checked, attempts))
    payer, built = table.to_move, bool(attempts) and attempts[-1].built
    stock = (checked.grown if built and checked.grown else table).stocks[payer]
    kinds = _PIECES if table.ruleset.resolved.pays_roads else _PIECES[:2]
    for seat in others_of(table, payer):
        due = min(owing.get(seat, 0), sum(getattr(stock, kind) for kind in kinds))
        payment = wishes.get(seat) or _usual(stock, seat, due, kinds)
        yield payment, stock, due
        stock = _moved(stock, payment, -1)


def wishes_of(pay: Sequence[Mapping[str, Any]] | None) -> dict[int, Payment]:
    """How people say that they paid, by seat. Raises InputError for what cannot be read."""
    wishes: dict[int, Payment] = {}
    for item in pay or ():
        wish = _wish(item)
        if wish.to in wishes:
            raise InputError(f"pay names seat {wish.to} twice; write one item for a seat")
        wishes[wish.to] = wish
    return wishes


def _wish(item: Any) -> Payment:
    if not isinstance(item, Mapping) or "to" not in item:
        raise InputError(f'pay has {item!r}, which does not say to whom; write {{"to":1,"grey":1}}')
    for key, count in item.items():
        if key == "cars":
            raise InputError(
                "pay gives cars, but a penalty is never paid in cars: that would help the payer; "
                "leave cars out"
            )
        if key not in ("to", *_PIECES) and not str(key).startswith("x-"):
            raise InputError(f"pay has the key {key!r}; the keys are to, {', '.join(_PIECES)}")
        if key in ("to", *_PIECES) and (type(count) is not int or count < 0):
            raise InputError(f"pay has {key} = {count!r}, but that is a whole number of 0 or more")
    return Payment(item["to"], *(item.get(kind, 0) for kind in _PIECES))


def _usual(stock: Supply, seat: int, due: int, kinds: Sequence[str]) -> Payment:
    given = {}
    for kind in kinds:
        given[kind] = min(due, getattr(stock, kind))
        due -= given[kind]
    return Payment(seat, **given)


# --- the verdict ----------------------------------------------------------------------------------


def after(
    checked: Checked,
    attempts: Sequence[AttemptResult],
    pay: Sequence[Mapping[str, Any]] | None = None,
) -> tuple[Verdict, Table]:
    """The verdict on a legal or accepted placement from its attempts, of which the last counts, and
    the next table.

    Knocks of every attempt are paid (rules 8h). A pass, a resignation or a building has an attempt
    only if people watched it. `pay` is how the payer pays (record format 6c); `with_pay` finds what
    is wrong with that. Raises InputError for a `pay` that cannot be read.
    """
    verdict, table, laid = _verdict(checked, attempts, pay), checked.table, None
    if attempts and not verdict.returned:
        laid = attempts[-1].laid
    following = next_table(table, checked.placement, verdict, laid)
    # those who are out because of this ply
    gone = {seat for group in table.turns.out for seat in group}
    out = tuple(seat for group in following.turns.out for seat in group if seat not in gone)
    return replace(verdict, out=out), following


def _verdict(
    checked: Checked, attempts: Sequence[AttemptResult], pay: Sequence[Mapping[str, Any]] | None
) -> Verdict:
    verdict = Verdict(
        legal=True, faults=checked.faults, remarks=checked.remarks, asked=checked.asked
    )
    if not attempts:
        return verdict
    *failed, last = (attempt.bare() for attempt in attempts)
    debts = _debts(checked, attempts)
    returned = returns_last_car(checked, attempts)
    if returned:
        settled = last.settled.without(last.cars[-1]) if last.settled is not None else None
        last = replace(last, spots=last.spots[:-1], cars=last.cars[:-1], settled=settled)
    given = handed(checked, attempts, wishes_of(pay))
    paid = tuple(payment for payment, _, _ in given if payment.total)
    return replace(
        verdict, last=last, failed=tuple(failed), owed=debts, paid=paid, returned=returned
    )


def _debts(checked: Checked, attempts: Sequence[AttemptResult]) -> tuple[tuple[int, int], ...]:
    return owed(checked.table, checked.table.to_move, [one.fallen for one in attempts])


def returns_last_car(checked: Checked, attempts: Sequence[AttemptResult]) -> bool:
    """Whether `clean_win` sends the last car of these attempts back to the stock: it does not count
    in a turn that knocked something over.
    """
    table, seat, last = checked.table, checked.table.to_move, attempts[-1]
    is_last = last.built and last.spots and table.stocks[seat].cars <= len(last.spots)
    if not (table.ruleset.clean_win and is_last):
        return False
    return table.knocked or bool(_debts(checked, attempts))


# --- the next table -------------------------------------------------------------------------------


def next_table(
    table: Table, placement: Placement, verdict: Verdict, laid: Table | None = None
) -> Table:
    """The table after a legal ply: pieces, poses, payments, whose turn it is, who has finished or
    is out.

    `laid` is the table with all pieces of the placement that stand, at their poses, if somebody has
    made it already. Raises InputError if the verdict is not a legal one.
    """
    if not verdict.legal:
        raise InputError("an illegal ply changes nothing; take the faults from the verdict")
    seat = table.to_move
    after = _with_what_stands(table, placement, verdict) if laid is None else laid
    after = replace(after, knock=table.turn if verdict.owed else table.knock)
    if isinstance(placement, Resign):
        after = replace(after, turns=after.turns.put_out(seat), resigned=(*table.resigned, seat))
    elif verdict.built and after.stocks[seat].cars == 0 and verdict.spots:
        after = replace(after, turns=after.turns.finish(seat))
    for payment in verdict.paid:
        after = _paid(after, seat, payment)
    if table.phase in ("entrances", "buildings"):
        return _next_in_setup(after)
    lasts = _not_frozen(table, placement, verdict, after)
    return replace(_next_in_play(table, after, placement, verdict), lasts=lasts)


def _with_what_stands(table: Table, placement: Placement, verdict: Verdict) -> Table:
    """Fallen pieces go back to where they stood, or where they came to rest when put back;
    everything else that moved keeps its new pose.
    """
    built = verdict.built is not False
    after = table.with_pieces(placement, verdict.spots, verdict.cars) if built else table
    there, fallen, moved = after.piece_ids, set(verdict.fallen), verdict.moved or {}
    poses = {piece: pose for piece, pose in moved.items() if piece in there and piece not in fallen}
    return replace(after, poses={**table.poses, **poses, **verdict.restored})


def _paid(table: Table, payer: int, payment: Payment) -> Table:
    given, got = _moved(table.stocks[payer], payment, -1), _moved(table.stocks[payment.to], payment)
    table = replace(table, stocks=table.stocks_with(payer, given))
    return replace(table, stocks=table.stocks_with(payment.to, got))


def _moved(stock: Supply, payment: Payment, sign: int = 1) -> Supply:
    """A stock with what is paid added to it, or taken from it."""
    return replace(
        stock,
        grey=stock.grey + sign * payment.grey,
        yellow=stock.yellow + sign * payment.yellow,
        roads=stock.roads + sign * payment.roads,
    )


def _not_frozen(
    table: Table, placement: Placement, verdict: Verdict, after: Table
) -> tuple[LastBuild, ...]:
    """The builds that may still be adjusted after a ply: until the next one, or until another
    player's pillar (FR 4.3).
    """
    outlive = table.ruleset.resolved.until_next_pillar
    kept = tuple(replace(last, before=None) for last in table.lasts if outlive)
    if not (isinstance(placement, (Build, Exit)) and verdict.built):
        return kept
    seat, builds = table.to_move, isinstance(placement, Build)
    kept = () if builds else tuple(last for last in kept if last.seat != seat)
    pillar = (after.pillars[-1].id,) if builds else ()
    before = replace(table, lasts=(), knock=after.knock)
    for payment in verdict.paid:  # what was paid stays paid
        before = replace(_paid(before, seat, payment), watch=(None,) * table.turns.seats)
    pieces = (*pillar, after.roads[-1].id, *verdict.cars)
    return (*kept, LastBuild(seat, placement, pieces, table.turn, before))


# --- whose turn it is -----------------------------------------------------------------------------


def _next_in_setup(table: Table) -> Table:
    """Entrances in turn order, buildings from the last player back to the first, then the first
    player (FR 2, KR 3).
    """
    if table.outcome() is not None:
        return table
    entrances = table.without_entrance()
    buildings = table.without_building() if table.turns.seats > 2 else ()
    following = entrances[0] if entrances else buildings[-1] if buildings else table.turns.active[0]
    return replace(table, turns=replace(table.turns, to_move=following, ply=table.turns.ply + 1))


def _next_in_play(before: Table, table: Table, placement: Placement, verdict: Verdict) -> Table:
    """The table with the next seat to move after a ply in play, made on the table `before`: misses,
    whoever is out, and turns of several plies.
    """
    seat = table.to_move
    unable_now = table.unable(seat)
    if isinstance(placement, Pass):
        no_room = placement.reason is not None
        table = replace(table, turns=table.turns.missed(before.unable(seat) or no_room))
        if no_room and table.turns.misses[seat] > 1:
            table = replace(table, turns=table.turns.put_out(seat))
    elif verdict.built is not None:
        table = replace(table, turns=table.turns.able(seat))
    if verdict.owed:  # FR 10.2: a penalty rescues, paid or not
        table = replace(table, watch=(None,) * table.turns.seats)
    goes_on = (
        table.ruleset.resolved.until_car
        and verdict.built is True
        and not verdict.spots
        and not unable_now
        and seat in table.turns.active
    )
    if not goes_on:
        # from now on a second road may leave the junctions of the turn that ends
        table = replace(table, turn=table.turn + 1)
    if table.ruleset.resolved.fr and not goes_on:
        table = _eliminated_fr(table, seat)
    if table.outcome() is not None:
        return table
    table = replace(table, turns=table.turns.advance(again=goes_on))
    return table if table.ruleset.resolved.fr else _eliminated_kr(table)


def _eliminated_kr(table: Table) -> Table:
    """KR 10.2: a seat that missed a turn and is still unable at its next turn is out."""
    while table.outcome() is None:
        following = table.to_move
        if not (table.turns.misses[following] and table.unable(following)):
            break
        table = replace(table, turns=table.turns.put_out(following))
        if table.outcome() is None:
            table = replace(table, turns=replace(table.turns.advance(), ply=table.turns.ply))
    return table


def _eliminated_fr(table: Table, seat: int) -> Table:
    """FR 10.2: after the turn in which a seat ran out of material, all others have one more turn;
    then that seat is out.
    """
    active = table.turns.active
    watch = [
        waiting and tuple(other for other in waiting if other != seat) for waiting in table.watch
    ]
    if seat in active and watch[seat] is None and table.unable(seat):
        watch[seat] = tuple(other for other in active if other != seat)
    turns = table.turns
    while True:
        watch = [
            waiting and tuple(other for other in waiting if other in turns.active)
            for waiting in watch
        ]
        gone = [other for other in turns.active if watch[other] == ()]
        if not gone or len(turns.active) == 1:
            return replace(table, turns=turns, watch=tuple(watch))
        turns = turns.put_out(*gone)  # nobody waits for a turn of a seat that is out


# --- adjusting ------------------------------------------------------------------------------------
# The player who built last corrects pillar, road and cars, before the build is frozen (FR 4.2 and
# 4.3, KR the same). An adjustment makes the build anew. It is judged on the table before the ply
# that it replaces, with the payments made since. If other plies came in between (freeze =
# next_pillar), they stay: it is judged on the present table without that build.


def placement_of(do: str | Mapping[str, Any], by: int) -> Placement:
    """The placement of a record's `do`, made by that seat. Raises NotationError."""
    placement = Placement.parse(do)
    return replace(placement, by=by) if isinstance(placement, Adjust) else placement


def adjuster(table: Table, placement: Placement) -> int:
    """The seat that makes a placement: the seat to move, or for an adjustment the one that
    built.
    """
    if isinstance(placement, Adjust) and placement.by is not None:
        return placement.by
    adjusts = isinstance(placement, Adjust) and table.lasts
    return table.lasts[-1].seat if adjusts else table.to_move


def adjust_faults(table: Table, placement: Adjust) -> tuple[Fault, ...]:
    """Why there is nothing to adjust; empty if there is. `resolved` gives the build whose legality
    is judged.
    """
    last = _last(table, placement)
    if last is None:
        return (_frozen(table, adjuster(table, placement)),)
    is_exit = isinstance(last.placement, Exit)
    if (placement.pillar if is_exit else placement.to) is None:
        return ()
    road = next(piece for piece in last.pieces if "-R" in piece)
    return (Fault("adjust-end", (road,), form=last.placement.kind),)


def resolved(table: Table, placement: Placement) -> tuple[Table, Placement]:
    """The table and the build that an adjustment is judged by; any other placement as it is.

    Raises InputError if there is nothing to adjust.
    """
    if not isinstance(placement, Adjust):
        return table, placement
    last = _last(table, placement)
    if last is None:
        raise InputError(adjust_faults(table, placement)[0].text)
    end = {"at": placement.pillar} if isinstance(last.placement, Build) else {"to": placement.to}
    changes = known({**end, "road": placement.road, "cars": placement.cars})
    before = last.before if last.before is not None else _without(table, last)
    return before, replace(last.placement, **changes)


def rejoined(
    table: Table, placement: Adjust, verdict: Verdict, after: Table
) -> tuple[Verdict, Table]:
    """The verdict and the table after an adjustment, from those after the build that was made
    anew.
    """
    last = _last(table, placement)
    assert last is not None
    lasts = tuple(other for other in table.lasts if other.seat != last.seat)
    mine = tuple(one for one in after.lasts if one.seat == last.seat)
    # nothing came in between: the turn order follows from the new build
    if last.before is not None:
        turns = replace(after.turns, ply=table.turns.ply + 1)
        return verdict, replace(after, turns=turns, lasts=(*lasts, *mine))
    turns = replace(table.turns, ply=table.turns.ply + 1)
    if last.seat in {seat for group in after.turns.finished for seat in group}:
        turns = turns.finish(last.seat)
        if turns.to_move == last.seat and turns.active:
            turns = replace(turns.advance(), ply=turns.ply)
    watch = (None,) * turns.seats if verdict.paid else table.watch
    lasts += tuple(replace(one, before=None) for one in mine)
    kept = replace(after, turns=turns, turn=table.turn, watch=watch, knock=table.knock, lasts=lasts)
    return replace(verdict, out=()), kept


def _last(table: Table, placement: Adjust) -> LastBuild | None:
    seat = adjuster(table, placement)
    last = next((last for last in reversed(table.lasts) if last.seat == seat), None)
    # a seat that has finished or is out since then has left the game, unless that very build was
    # the reason
    left = last is not None and last.before is None and seat not in table.turns.active
    return None if left else last


def _frozen(table: Table, seat: int) -> Fault:
    """The fault that a seat has nothing to adjust, with the reason."""
    roads = [road for road in table.roads if road.owner == seat and road.kind != "entrance"]
    if not roads:
        return Fault("frozen", form="nothing", details={"player": seat})
    built = roads[-1].target or roads[-1].id
    if table.ruleset.resolved.until_next_pillar:
        return Fault("frozen", form="pillar", details={"built": built})
    following = table.turns.clockwise(seat)
    details = {"built": built, "following": following[0] if following else None}
    return Fault("frozen", form="turn", details=details)


def _without(table: Table, last: LastBuild) -> Table:
    """The present table without a build: its pieces are back in the stock, and the seat that made
    it is to move.
    """
    stock, build = table.stocks[last.seat], last.placement
    discs, yellow = (build.discs, int(build.junction)) if isinstance(build, Build) else (0, 0)
    cars = sum("-C" in piece for piece in last.pieces)
    grey = stock.grey + discs - yellow
    back = Supply(stock.cars + cars, grey, stock.yellow + yellow, stock.roads + 1)
    left = replace(
        table,
        turns=replace(table.turns, to_move=last.seat),
        turn=last.turn,
        stocks=table.stocks_with(last.seat, back),
        pillars=tuple(pillar for pillar in table.pillars if pillar.id not in last.pieces),
        roads=tuple(road for road in table.roads if road.id not in last.pieces),
        cars=tuple(car for car in table.cars if car.id not in last.pieces),
        guessed=tuple(car for car in table.guessed if car not in last.pieces),
        lasts=(),
    )
    poses = {piece: pose for piece, pose in table.poses.items() if piece in left.piece_ids}
    return replace(left, poses=poses)
