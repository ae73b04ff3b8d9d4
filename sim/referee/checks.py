"""Legality: everything that is wrong with one placement, before anybody touches a piece; pure
geometry and stock.

Rules: FR sections 2, 4, 5, 7, 8 and KR sections 3 to 5, 7, 8. `check` begins every ply;
`every_fault` returns all faults at once, and `sim.referee.measuring` those that count on a table
measured by hand.
"""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sim.languages import Sentence
from sim.pieces import Components, Supply
from sim.referee import measuring
from sim.referee.crossings import Crossing, judge
from sim.referee.explain import Question
from sim.referee.geometry import BEARING, NEAR, SLACK, SLOPE
from sim.referee.judgement import (
    adjust_faults,
    crossings_of,
    earned,
    handed,
    others_of,
    resolved,
    wishes_of,
)
from sim.referee.measuring import tally
from sim.referee.obstacles import (
    NewPieces,
    block_of,
    building_fault,
    building_hits,
    car_hits,
    car_on_car,
    conflict_faults,
    contact_fault,
    obstacles_of,
)
from sim.referee.placement import (
    Adjust,
    Build,
    CarSpot,
    Entrance,
    Exit,
    Pass,
    Placement,
    Resign,
    SetBuilding,
)
from sim.referee.room import car_range, ends_of, find_build, room_for_errors, widest_side
from sim.referee.standing import Fault, FaultCode, LaidRoad, Pillar, Point, shared_pillars
from sim.referee.table import Table
from sim.referee.verdict import AttemptResult, Checked, Payment


def before(table: Table, placement: Placement) -> tuple[Fault, ...]:
    """Everything that is wrong with a placement by the seat to move beyond the table's tolerance;
    empty if it is legal.
    """
    return check(table, placement).faults


def check(table: Table, placement: Placement) -> Checked:
    """Checks a placement by the seat to move before anybody touches a piece; its ply goes on from
    the result.
    """
    question = Question(table, placement)
    if isinstance(placement, Adjust) and table.outcome() is None:
        if faults := adjust_faults(table, placement):
            return Checked(question, table, placement, faults=faults)
        return replace(check(*resolved(table, placement)), asked=question)
    new = NewPieces.of(table, placement)
    faults = every_fault(table, placement, new)
    grown = None if new is None else new.grown
    if not table.tolerance:
        return Checked(question, table, placement, grown, faults)
    within, beyond = measuring.divided(table, placement, new, faults)
    if beyond and table.lay is not None:
        # what is lawful from axis to axis may be tried, even if the road then touches something
        # where it lies (rules 4b, 4h)
        straight = {
            (fault.code, fault.pieces)
            for fault in check(replace(table, lay=None), placement).faults
        }
        within += tuple(fault for fault in beyond if (fault.code, fault.pieces) not in straight)
        beyond = tuple(fault for fault in beyond if (fault.code, fault.pieces) in straight)
    return Checked(question, table, placement, grown, beyond, within)


def with_cars_seen(checked: Checked, count: int) -> Checked:
    """The checked placement of people who put down that many cars: its only faults of counting are
    more cars than the road can earn, and more than were left.
    """
    table, placement = checked.table, checked.placement
    if checked.grown is None:
        return checked
    stock, form = table.stocks[table.to_move].cars, "put"
    if isinstance(placement, Entrance):
        most = 1
    elif table.tolerance:
        grown = checked.grown.relaid()
        counts = tally(grown, grown.roads[-1])
        most, form = counts.most, "open" if counts.least < counts.most else "put"
    else:
        crossings = crossings_of(checked.grown, checked.grown.roads[-1], None)
        most = earned(table, placement, crossings)
    numbers = {"wanted": count, "earned": most, "has": stock}
    details = {"player": table.to_move}
    limits: tuple[tuple[int, FaultCode, str], ...] = (
        (most, "cars-earned", form),
        (stock, "stock-cars", "put"),
    )
    found = [Fault(code, (), numbers, way, details) for n, code, way in limits if count > n]
    others = [
        fault
        for fault in checked.faults
        if fault.code != "cars-earned" and (fault.code, fault.form) != ("stock-cars", "left")
    ]
    return replace(checked, faults=(*others, *found))


def every_fault(table: Table, placement: Placement, new: NewPieces | None) -> tuple[Fault, ...]:
    """Everything that is wrong with a placement by the seat to move, all numbers taken as exact;
    empty if nothing is.

    `new` are its pieces, if any can be laid. A fault has a code and a sentence, and as data the
    pieces and numbers in it.
    """
    if table.outcome() is not None:
        return (Fault("game-over"),)
    if isinstance(placement, Resign):
        return ()
    phase = table.phase
    wanted = {"entrances": Entrance, "buildings": SetBuilding}.get(phase, (Build, Exit, Pass))
    if not isinstance(placement, wanted):
        details = {"player": table.to_move, "phase": phase, "move": placement.kind}
        return (Fault("phase", details=details),)
    match placement:
        case SetBuilding():
            return _before_building(table, placement)
        case Pass():
            return _before_pass(table, placement)
        case Entrance():
            assert new is not None, "an entrance always has its pieces"
            return _before_entrance(table, placement, new)
    return _before_road(table, placement, new)


def _before_entrance(table: Table, placement: Entrance, new: NewPieces) -> tuple[Fault, ...]:
    faults, far = list(_stock_faults(table, roads=1, grey=1, cars=1)), math.hypot(*placement.pillar)
    limit = table.ruleset.entrance_reach * table.components.road_length
    if far > limit + SLACK:
        numbers = {"mm": far, "limit": limit}
        faults.append(Fault("entrance-far", (), numbers, details={"at": placement.pillar}))
    return (*faults, *conflict_faults(table, new), *_car_faults(table, new, (placement.car,)))


def _before_building(table: Table, placement: SetBuilding) -> tuple[Fault, ...]:
    box = table.components
    if placement.building not in box.buildings:
        details = {"building": placement.building, "known": list(box.buildings)}
        return (Fault("building-kind", details=details),)
    block = block_of(box, placement.building, placement.at, placement.turn)
    details = {"building": placement.building, "left": list(table.buildings_left)}
    where = {"building": placement.building, "at": placement.at}
    return (
        *(
            Fault("building-taken", (building.id,), details=details)
            for building in table.buildings
            if building.kind == placement.building
        ),
        *(building_fault(piece, mm, where) for piece, mm in building_hits(table, block)),
    )


def _before_pass(table: Table, placement: Pass) -> tuple[Fault, ...]:
    seat = table.to_move
    if table.unable(seat) or (table.ruleset.may_pass and placement.reason is None):
        return ()
    if placement.reason is None:
        bases = [base.pillar.id for base in table.base_points(seat)]
        return (Fault("can-build", tuple(bases), details={"player": seat, "bases": bases}),)
    # on a measured table a place that has room whatever the errors, if there is one
    sure = find_build(table, room_for_errors(table)) if table.tolerance else None
    found = sure or find_build(table)
    if found is None:
        return ()
    (x, y), discs, junction = found.to if isinstance(found, Exit) else found.at, {}, {}
    if isinstance(found, Build):
        discs, junction = {"discs": found.discs}, {"junction": found.junction}
    numbers, details = {"x": x, "y": y, **discs}, {"player": seat, "at": (x, y), **junction}
    return (Fault("has-room", (found.base,), numbers, found.kind, details),)


def _before_road(table: Table, placement: Placement, new: NewPieces | None) -> tuple[Fault, ...]:
    assert isinstance(placement, (Build, Exit))
    seat = table.to_move
    if new is None or new.base is None:
        bases = [point.pillar.id for point in table.base_points(seat)]
        details = {"base": placement.base, "player": seat, "bases": bases}
        return (Fault("base-unknown", details=details),)
    base = new.base
    faults = [*_base_faults(table, base), *_under_faults(table, new)]
    if isinstance(placement, Build):
        faults += _height_faults(base, placement)
        grey = placement.discs - placement.junction
        faults += _stock_faults(table, roads=1, grey=grey, yellow=int(placement.junction))
    else:
        faults += _stock_faults(table, roads=1)
        if not table.exit_allowed(base):
            height = {"height": str(table.ruleset.exit_height)}
            faults.append(Fault("exit-height", (base.id,), {"discs": base.discs}, details=height))
        if base.discs * table.components.disc_height >= table.components.road_length:
            return (*faults, Fault("reach", (base.id,), {"discs": base.discs}, "down"))
    if math.dist(new.road.start, new.road.end) < table.components.disc_radius:
        end = {"end": "pillar" if isinstance(placement, Build) else "road"}
        return (*faults, Fault("reach", (base.id,), form="itself", details=end))
    on = [(base.id, table.top(base))]
    on += [(new.pillar.id, new.pillar.at)] if new.pillar is not None else []
    faults += lying_faults(table.components, new.road, on)
    faults += conflict_faults(table, new)
    crossings = judge(table.line(new.road), obstacles_of(table).network)
    if not table.ruleset.self_cross:
        own = [crossing.road.id for crossing in crossings if crossing.reason == "own"]
        loop = {"loop": table.ruleset.loop}
        faults += [Fault("own-crossing", (road,), details=loop) for road in own]
    if placement.cars is not None:
        faults += _car_count_faults(
            table, len(placement.cars), earned(table, placement, crossings), crossings
        )
        faults += _car_faults(table, new, placement.cars)
    return tuple(faults)


# ---  stock, base, height -------------------------------------------------------------------------


def _stock_faults(
    table: Table, roads: int = 0, grey: int = 0, yellow: int = 0, cars: int = 0
) -> tuple[Fault, ...]:
    stock = table.stocks[table.to_move]
    needed: tuple[tuple[FaultCode, int, int], ...] = (
        ("stock-roads", roads, stock.roads),
        ("stock-grey", grey, stock.grey),
        ("stock-yellow", yellow, stock.yellow),
        ("stock-cars", cars, stock.cars),
    )
    details = {"player": table.to_move}
    return tuple(
        Fault(code, (), {"needs": count, "has": have}, details=details)
        for code, count, have in needed
        if count > have
    )


def _base_faults(table: Table, base: Pillar) -> tuple[Fault, ...]:
    seat = table.to_move
    if base.owner != seat:
        return (Fault("base-foreign", (base.id,), details={"player": seat, "whose": base.owner}),)
    bases = [point.pillar.id for point in table.base_points(seat)]
    if base.id in bases:
        return ()
    leaving = [road.id for road in table.roads if road.base == base.id and road.kind != "entrance"]
    details: dict[str, object] = {"player": seat, "bases": bases}
    details |= {"leaving": leaving, "count": len(leaving)} if leaving else {}
    form = "new-junction" if base.junction and len(leaving) == 1 else "left"
    return (Fault("base-used", (base.id,), form=form if leaving else "not-last", details=details),)


def _under_faults(table: Table, new: NewPieces) -> tuple[Fault, ...]:
    """An end can be slid only under older ends on a pillar that both roads share."""
    own = [
        road.id
        for road in table.roads
        if road.owner == table.to_move and shared_pillars(road.pillars, new.road.pillars)
    ]
    details = {"base": new.road.base, "roads": own}
    return tuple(
        Fault("under-unknown", form="" if own else "none", details={**details, "under": name})
        for name in new.road.under
        if name not in own
    )


def _height_faults(base: Pillar, placement: Build) -> tuple[Fault, ...]:
    if placement.discs >= 2 if placement.junction else abs(placement.discs - base.discs) == 1:
        return ()
    if placement.junction:
        return (Fault("junction-height", (), {"discs": 1}),)
    numbers = {"base": base.discs, "discs": placement.discs}
    details = {"lower": base.discs - 1, "higher": base.discs + 1}
    return (Fault("height", (base.id,), numbers, details=details),)


# ---  reach, and what is in the way ---------------------------------------------------------------


def lying_faults(
    box: Components, road: LaidRoad, on: Sequence[tuple[str, Point]]
) -> tuple[Fault, ...]:
    """What is wrong with the way in which a road lies on its pillars, `on` their names and the
    middles of their tops in plan (mm): it is too short or too long, lies aside, or is too steep
    (rules 4a, 4i).
    """
    faults = []
    names = [name for name, _ in on]
    steep, ends = ends_of(box, road, [axis for _, axis in on])
    apart = math.dist(on[0][1], on[-1][1] if len(on) > 1 else road.end)
    if steep:
        numbers = {"rise": abs(road.levels[1] - road.levels[0]), "distance": apart}
        return (Fault("too-steep", (road.id, *names), numbers, details={"on": names}),)
    for name, (out, bears, aside) in zip(names, ends, strict=True):
        pieces = (road.id, name)
        if out > SLACK:
            faults.append(Fault("sticks-out", pieces, {"mm": out, "distance": apart}))
        if bears < -SLACK:
            faults.append(
                Fault(
                    "reach",
                    pieces,
                    {"mm": BEARING - bears, "distance": apart, "short": -bears},
                    "short",
                )
            )
        elif bears < BEARING - SLACK:
            numbers = {
                "mm": BEARING - bears,
                "distance": apart,
                "bears": max(bears, 0.0),
                "least": BEARING,
            }
            faults.append(Fault("reach", pieces, numbers, "bears"))
        elif aside > SLACK:
            most = box.disc_radius - BEARING
            faults.append(
                Fault("reach", pieces, {"mm": aside, "aside": most + aside, "most": most}, "aside")
            )
    return tuple(faults)


# ---  cars ----------------------------------------------------------------------------------------


def _car_count_faults(
    table: Table, wanted: int, earned: int, crossings: Sequence[Crossing]
) -> tuple[Fault, ...]:
    have = table.stocks[table.to_move].cars
    numbers = {"wanted": wanted, "earned": earned, "has": have}
    taken = [crossing for crossing in crossings if crossing.reason == "taken"]
    if wanted > earned and taken:  # older roads lie there: name them
        takers = [[blocker.road.id for blocker in crossing.blockers] for crossing in taken]
        told = [
            Sentence("side-taken-before", {"road": one.road.id, "side": one.side, "takers": by})
            for one, by in zip(taken, takers, strict=True)
        ]
        pieces = tuple(dict.fromkeys(itertools.chain(*takers)))
        return (Fault("cars-earned", pieces, numbers, "taken", {"taken": told}),)
    if wanted > earned:
        return (Fault("cars-earned", (), numbers),)
    if wanted > have:
        return (Fault("stock-cars", (), numbers, "left", {"player": table.to_move}),)
    return ()


def _car_faults(table: Table, new: NewPieces, spots: tuple[CarSpot, ...]) -> tuple[Fault, ...]:
    box, road, faults = table.components, new.road, []
    least, most = car_range(box, new.strip[SLOPE])
    widest = widest_side(box)
    for n, spot in enumerate(spots):
        if not least <= spot.along <= most:
            faults.append(
                Fault(
                    "car-off-road",
                    (road.id,),
                    {"along": spot.along, "least": least, "most": most},
                    "end",
                )
            )
        if abs(spot.side) > widest + SLACK:
            numbers = {"mm": abs(spot.side), "widest": widest}
            faults.append(Fault("car-off-road", (road.id,), numbers, "side", {"along": spot.along}))
        for other in spots[:n]:
            overlap = box.car_length - abs(spot.along - other.along) * box.road_length
            if overlap > -NEAR and abs(spot.side - other.side) < box.car_width + NEAR:
                faults.append(car_on_car(road.id, other, spot, overlap))
    faults += [
        contact_fault("car-touches", (road.id, piece), mm, {"along": spots[row].along})
        for row, piece, mm in car_hits(table, road, new.strip, spots)
    ]
    return tuple(faults)


# --- payments -------------------------------------------------------------------------------------


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
    table, wishes, found = checked.table, wishes_of(pay), list[Fault]()
    seat = table.to_move
    for payment, stock, due in handed(checked, attempts, wishes):
        if payment.to in wishes:
            found += _payment_faults(table, seat, payment, stock, due)
    others = wishes.keys() - set(others_of(table, seat))
    found += [_payment_fault("to", seat, wishes[other]) for other in sorted(others)]
    return replace(checked, faults=(*checked.faults, *found))


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
