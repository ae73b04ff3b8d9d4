"""Judgement of a placement once everything lies still: which pieces fell and by which test, who is
paid what, the verdict from the attempts, and the next table with the seat to move.

Pure functions of poses, never of an engine. Rules: FR sections 2, 8, 9, 10 and KR sections 3, 8, 9,
10.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules.errors import InputError
from sim.bodies import Pose, rotate, shift_between, tilt_between
from sim.pieces import Components, Supply
from sim.referee.crossings import EXIT_BONUS, Crossing, Network, judge
from sim.referee.faults import Fault
from sim.referee.placement import Build, Exit, Pass, Placement, Resign
from sim.referee.standing import Car, LaidRoad, buildings_among, seat_of
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
    """The crossings of a new road lying at `pose` (None: nominal) with the other roads of
    `table`.
    """
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
    counts = dict.fromkeys(_clockwise(table, payer), 0)
    for attempt in fallen:
        units: dict[str, int] = {}
        for piece in sorted(attempt):
            owner = seat_of(piece)
            if owner is not None and owner != payer:
                stack = table.ruleset.resolved.stacks and "-P" in piece
                units[piece.partition(".")[0] if stack else piece] = owner
        for owner in units.values():
            counts[owner] += 1
    return tuple((seat, count) for seat, count in counts.items() if count)


def _clockwise(table: Table, payer: int) -> list[int]:
    seats = table.turns.seats
    return [(payer + step) % seats for step in range(1, seats)]


# --- falls ----------------------------------------------------------------------------------------


def _without_fallen(change: PoseChange, fallen: Sequence[Fall]) -> PoseChange:
    gone = {fall.piece for fall in fallen}
    return PoseChange(
        change.before,
        {piece: pose for piece, pose in change.after.items() if piece not in gone},
    )


def _moved_falls(table: Table, change: PoseChange) -> tuple[Fall, ...]:
    limit, found = table.ruleset.fall_distance, []
    for piece in sorted(change.after):
        if piece in table.piece_ids:
            moved = shift_between(change.before[piece], change.after[piece])
            if moved > limit:
                found.append(Fall(piece, "moved", moved, limit))
    return tuple(found)


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


def with_pay(
    checked: Checked,
    attempts: Sequence[AttemptResult],
    pay: Sequence[Mapping[str, Any]] | None,
) -> Checked:
    """The checked placement with what is wrong with the way in which people paid for its attempts:
    another total than is due, pieces that the payer lacks, roads in place of discs, nobody to pay.

    Raises InputError for a `pay` that cannot be read (record format 6c).
    """
    if pay is None:
        return checked
    seat, wishes, found = checked.table.to_move, _wishes(pay), list[Fault]()
    table, debts = _stocked(checked, attempts), _debts(checked, attempts)
    for payment, stock, due in _handed(table, seat, debts, wishes):
        if payment.to in wishes:
            found += _payment_faults(table, seat, payment, stock, due)
    others = wishes.keys() - set(_clockwise(table, seat))
    found += [_payment_fault("to", seat, wishes[other]) for other in sorted(others)]
    return replace(checked, faults=(*checked.faults, *found))


def _handed(
    table: Table, payer: int, debts: Sequence[tuple[int, int]], wishes: Mapping[int, Payment]
) -> Iterator[tuple[Payment, Supply, int]]:
    """What the payer gives to each victim, clockwise, with what the payer has by then and what of
    it is due: grey first, or as people paid (`wishes`, by seat).
    """
    stock, owing = table.stocks[payer], dict(debts)
    kinds = _PIECES if table.ruleset.resolved.pays_roads else _PIECES[:2]
    for seat in _clockwise(table, payer):
        due = min(owing.get(seat, 0), sum(getattr(stock, kind) for kind in kinds))
        payment = wishes.get(seat) or _usual(stock, seat, due, kinds)
        yield payment, stock, due
        stock = replace(
            stock,
            grey=stock.grey - payment.grey,
            yellow=stock.yellow - payment.yellow,
            roads=stock.roads - payment.roads,
        )


def _payment_faults(
    table: Table, payer: int, wish: Payment, stock: Supply, due: int
) -> Iterator[Fault]:
    if wish.total != due:
        yield _payment_fault("total", payer, wish, pays=wish.total, due=due)
    for kind, count in wish.gifts.items():
        if count > (has := getattr(stock, kind)):
            yield _payment_fault("stock", payer, wish, kind, pays=count, has=has)
    discs = min(due, stock.grey + stock.yellow)
    if wish.roads and (not table.ruleset.resolved.pays_roads or wish.grey + wish.yellow < discs):
        yield _payment_fault("roads", payer, wish, pays=wish.roads)


def _payment_fault(form: str, payer: int, wish: Payment, kind: str = "", **numbers: int) -> Fault:
    return Fault("payment", (), numbers, form, {"seat": payer, "to": wish.to, "kind": kind})


def _wishes(pay: Sequence[Mapping[str, Any]] | None) -> dict[int, Payment]:
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
    seat = checked.table.to_move
    *failed, last = (attempt.bare() for attempt in attempts)
    debts = _debts(checked, attempts)
    returned = returns_last_car(checked, attempts)
    if returned:
        settled = last.settled.without(last.cars[-1]) if last.settled is not None else None
        last = replace(last, spots=last.spots[:-1], cars=last.cars[:-1], settled=settled)
    handed = _handed(_stocked(checked, attempts), seat, debts, _wishes(pay))
    paid = tuple(payment for payment, _, _ in handed if payment.total)
    return replace(
        verdict, last=last, failed=tuple(failed), owed=debts, paid=paid, returned=returned
    )


def _debts(checked: Checked, attempts: Sequence[AttemptResult]) -> tuple[tuple[int, int], ...]:
    fallen = [attempt.fallen for attempt in attempts]
    return owed(checked.table, checked.table.to_move, fallen)


def _stocked(checked: Checked, attempts: Sequence[AttemptResult]) -> Table:
    """The table with the stocks from which is paid: what was built is spent."""
    built = bool(attempts) and bool(attempts[-1].built)
    return checked.grown if built and checked.grown is not None else checked.table


def returns_last_car(checked: Checked, attempts: Sequence[AttemptResult]) -> bool:
    """Whether `clean_win` sends the last car of these attempts back to the stock: it does not count
    in a turn that knocked something over.
    """
    table, seat, last = checked.table, checked.table.to_move, attempts[-1]
    if not (table.ruleset.clean_win and last.built and last.spots):
        return False
    if table.stocks[seat].cars > len(last.spots):
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
    a, b = table.stocks[payer], table.stocks[payment.to]
    grey, yellow, roads = payment.grey, payment.yellow, payment.roads
    given = replace(a, grey=a.grey - grey, yellow=a.yellow - yellow, roads=a.roads - roads)
    got = replace(b, grey=b.grey + grey, yellow=b.yellow + yellow, roads=b.roads + roads)
    table = replace(table, stocks=table.stocks_with(payer, given))
    return replace(table, stocks=table.stocks_with(payment.to, got))


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
    table = _eliminated_fr(table, seat, goes_on) if table.ruleset.resolved.fr else table
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


def _eliminated_fr(table: Table, seat: int, goes_on: bool) -> Table:
    """FR 10.2: after the turn in which a seat ran out of material, all others have one more turn;
    then that seat is out.
    """
    if goes_on:
        return table
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
