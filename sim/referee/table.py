"""Table: what stands where, whose it is, what is still in stock, whose turn it is. Frozen; the
State of the game.

A table holds intents (where pillars were meant to stand, which pillar a road leaves) and, for
pieces that physics has judged, their settled poses. What follows from these is worked out once and
kept with the table. Geometry is in `sim.referee.obstacles`; what comes after a ply, and whose turn
it is then, in `sim.referee.judgement`.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, Literal, TypeVar

from rules.errors import InputError
from rules.game import Outcome, Reason
from rules.record import canonical_json
from rules.turns import TurnManager
from rules.view import picture
from sim.bodies import Pose, rotate
from sim.languages import Sentence
from sim.pieces import Components, Supply
from sim.records import EndReason
from sim.referee.crossings import Network, Road, Slot, slots_of
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
    known,
)
from sim.referee.ruleset import Preset, Ruleset
from sim.referee.standing import (
    SEAT_LETTERS,
    Car,
    LaidRoad,
    Names,
    Pillar,
    PlacedBuilding,
    Point,
    exit_start,
    letter,
    plus,
    ramp_reach,
    read_layout,
)

Phase = Literal["entrances", "buildings", "play", "over"]

# mm: where a pillar's top disc settled further off than this, roads start from the disc itself
_NUDGED = 0.05


@dataclass(frozen=True, slots=True)
class BasePoint:
    """A pillar that its owner may build from; `branch` if it is a junction that already has a road
    leaving it.
    """

    pillar: Pillar
    branch: bool


@dataclass(frozen=True, slots=True)
class LastBuild:
    """A build that its player may still adjust: the seat, the placement, its pillar, road and cars
    by id, and its turn.

    `before` is the table before that ply, with the payments made since; None once other plies
    followed, which stay.
    """

    seat: int
    placement: Build | Exit
    pieces: tuple[str, ...]
    turn: int
    before: Table | None = field(default=None, repr=False)


@dataclass(frozen=True, repr=False)
class Table:
    """The state of a game of Tokyo Highway. Pieces stand in building order; `poses` holds settled
    poses by piece id.

    `scenario` marks a table that began from a layout (no set-up phases). `turn` counts turns, which
    under `turn_end = until_car` may take several plies. `watch[seat]` (elimination = fr) are the
    seats that still have a turn before that seat is out. `lasts` are the builds that are not frozen
    yet, the newest one last; `knock` is the turn in which others' pieces were last knocked over.
    `tolerance` says by how many mm the numbers of a game noted by hand may be off (see
    `sim.referee.measuring`); `guessed` are the cars of such a game whose places nobody
    noted; `gone` are pieces that left such a game for good, each with the seat that set it. `lies`
    are the poses in which geometry rests the roads of such a game, and `lay` adds those of new
    roads: who knows physics provides it (`sim.game.attempts.posing`). Both follow from the other
    fields, so digests and comparisons leave them out.
    """

    ruleset: Ruleset
    components: Components
    turns: TurnManager
    stocks: tuple[Supply, ...]
    pillars: tuple[Pillar, ...] = ()
    roads: tuple[LaidRoad, ...] = ()
    cars: tuple[Car, ...] = ()
    buildings: tuple[PlacedBuilding, ...] = ()
    poses: Mapping[str, Pose] = field(default_factory=dict)
    scenario: bool = False
    turn: int = 0
    resigned: tuple[int, ...] = ()
    watch: tuple[tuple[int, ...] | None, ...] = ()
    lasts: tuple[LastBuild, ...] = ()
    knock: int = -1
    tolerance: float = 0.0
    guessed: tuple[str, ...] = ()
    gone: tuple[tuple[str, int | None], ...] = ()
    lies: Mapping[str, Pose] = field(default_factory=dict, compare=False, repr=False)
    lay: Callable[[Table], Table] | None = field(default=None, compare=False, repr=False)

    def __repr__(self) -> str:
        pieces = f"{len(self.pillars)} pillars, {len(self.roads)} roads, {len(self.cars)} cars"
        return (
            f"<Table of {self.turns.seats} players, {self.phase}, seat {self.to_move} to move, "
            f"{pieces}, {self.digest()}>"
        )

    def __getstate__(self) -> dict[str, Any]:
        """What is sent to other processes: the fields, without values derived from them."""
        return {part.name: getattr(self, part.name) for part in fields(self)}

    def __str__(self) -> str:
        """Whose turn it is, the stocks, the pillars, and the roads with their free sides; a line
        each.
        """
        return "\n".join(map(str, [*_lines(self), *(slot.text for slot in self.slots())]))

    @property
    def buildings_left(self) -> tuple[str, ...]:
        """The kinds of buildings that stand nowhere yet; each is there once."""
        there = {building.kind for building in self.buildings}
        return tuple(kind for kind in self.components.buildings if kind not in there)

    def inventory(self) -> Iterator[Sentence]:
        """What `print` shows, and every car with its place."""
        yield from _lines(self)
        yield from (slot.sentence for slot in self.slots())
        for car in self.cars:
            values = {"piece": car.id, "road": car.road, "along": car.along, "turn": car.turn}
            yield Sentence("table-car", values)

    def _repr_png_(self) -> bytes | None:
        found: bytes | None = picture("table", self)
        return found

    # --- beginnings -------------------------------------------------------------------------------

    @classmethod
    def start(
        cls,
        /,
        players: int = 2,
        ruleset: str | Ruleset = "standard",
        components: str | Components | None = None,
        **changes: Any,
    ) -> Table:
        """The empty table before the entrances, with the supplies of FR section 2.1.

        `changes` are single rule options; the components are the preset's own unless they are
        named. Raises InputError for a number of players that the game or the preset does not allow,
        and for an unknown name.
        """
        preset = (
            Preset.named(ruleset)
            if isinstance(ruleset, str)
            else replace(Preset.named("standard"), rules=ruleset)
        )
        rules = preset.rules.changed(**changes)
        chosen = preset.components if components is None else components
        box = Components.named(chosen) if isinstance(chosen, str) else chosen
        is_known = type(players) is int and players in box.supplies
        if not is_known or not 2 <= players <= len(SEAT_LETTERS):
            raise InputError(f"Tokyo Highway has 2, 3 or 4 players, not {players}")
        preset.check_players(players)
        stocks, watch = (box.supplies[players],) * players, (None,) * players
        return cls(rules, box, TurnManager(players), stocks, watch=watch)

    @classmethod
    def from_layout(
        cls,
        /,
        layout: Mapping[str, Any],
        players: int = 2,
        ruleset: str | Ruleset = "standard",
        components: str | Components | None = None,
        **changes: Any,
    ) -> Table:
        """The table that a record's `start` object describes; it is not checked against supplies
        and has no set-up phases.

        Raises InputError that names the piece and what is wrong with it.
        """
        empty = cls.start(players, ruleset, components, **changes)
        to_move, read = read_layout(layout, empty.components, empty.stocks)
        return replace(empty, turns=replace(empty.turns, to_move=to_move), scenario=True, **read)

    def default_entrance(self, seat: int) -> Entrance:
        """The usual entrance of a seat: discs one road length apart on a circle, ramps radial; seat
        0 at -y, then clockwise.
        """
        seats = self.turns.seats
        radius = self.components.road_length / 2 / math.sin(math.pi / seats)
        angle = -90.0 - 360.0 / seats * seat
        x, y = radius * math.cos(math.radians(angle)), radius * math.sin(math.radians(angle))
        at = round(x, 2) + 0.0, round(y, 2) + 0.0
        return Entrance(at, round(angle % 360.0, 2), CarSpot(0.5))

    # --- questions --------------------------------------------------------------------------------

    @property
    def to_move(self) -> int:
        """The seat whose ply is next."""
        return self.turns.to_move

    @property
    def phase(self) -> Phase:
        """Set-up of the entrances, of the buildings, the play itself, or over."""
        if self.outcome() is not None:
            return "over"
        if not self.scenario and self.without_entrance():
            return "entrances"
        if not self.scenario and self.turns.seats > 2 and self.without_building():
            return "buildings"
        return "play"

    def without_entrance(self) -> tuple[int, ...]:
        """The seats that have no entrance yet."""
        have: set[int | None] = {road.owner for road in self.roads if road.kind == "entrance"}
        have |= {seat for piece, seat in self.gone if piece.endswith("-R0")}
        return tuple(seat for seat in self.turns.active if seat not in have)

    def without_building(self) -> tuple[int, ...]:
        """The seats that have set no building yet."""
        have = {building.by for building in self.buildings}
        have |= {seat for piece, seat in self.gone if piece.startswith("X")}
        return tuple(seat for seat in self.turns.active if seat not in have)

    @cached_property
    def pillar_by_id(self) -> Mapping[str, Pillar]:
        """The pillars by id."""
        return {pillar.id: pillar for pillar in self.pillars}

    @cached_property
    def road_by_id(self) -> Mapping[str, LaidRoad]:
        """The roads by id."""
        return {road.id: road for road in self.roads}

    @cached_property
    def lines(self) -> tuple[Road, ...]:
        """Every road in building order as the crossing rule sees it: in its settled pose, or in its
        nominal one if it has none.
        """
        return tuple(self.line(road) for road in self.roads)

    @cached_property
    def network(self) -> Network:
        """Every road as the crossing rule sees it, with everything that it asks of them."""
        return Network(self.lines, self.ruleset, self.components, self.inactive)

    def slots(self, names: Sequence[str] = ()) -> tuple[Slot, ...]:
        """The over and under side of every road, in building order: free, for which seats, or taken
        by what; `names` are the players by seat, for the texts.
        """
        return slots_of(self.network, self.turns.active, Names(tuple(names)))

    def pose_of(self, road: LaidRoad) -> Pose | None:
        """Where a road lies: its settled pose, on a measured table the one in which geometry rests
        it; None: nominal.
        """
        return self.poses.get(road.id) or self.lies.get(road.id)

    def line(self, road: LaidRoad, pose: Pose | None = None) -> Road:
        """One road as the crossing rule sees it: at `pose` if given, else where it lies, else at
        its nominal pose.
        """
        carriers = (road.base, road.target)
        at = pose or self.pose_of(road)
        if at is None:
            return Road(road.owner, road.start, road.end, road.levels, road.id, pillars=carriers)
        box, (x, y, z) = self.components, at.at
        half, below = box.road_length / 2, -box.road_thickness / 2
        (ax, ay, az), (bx, by, bz) = (rotate(at.quat, (s * half, 0.0, below)) for s in (-1.0, 1.0))
        levels = ((z + az) / box.disc_height, (z + bz) / box.disc_height)
        ends = ((x + ax, y + ay), (x + bx, y + by))
        return Road(road.owner, *ends, levels, road.id, pillars=carriers)

    def relaid(self) -> Table:
        """The table with every road where geometry rests it, if somebody lays its roads (`lay`)."""
        return self if self.lay is None else self.lay(self)

    @property
    def inactive(self) -> frozenset[int]:
        """The seats that are out or have finished."""
        return frozenset(range(self.turns.seats)) - frozenset(self.turns.active)

    def top(self, pillar: Pillar) -> Point:
        """Where the top disc of a pillar is in plan (mm): where it was meant to be, unless it
        settled further off than that.
        """
        pose = self.poses.get(f"{pillar.id}.{pillar.discs}")
        (x, y), at = pillar.at, pillar.at if pose is None else pose.at
        return (at[0], at[1]) if max(abs(at[0] - x), abs(at[1] - y)) > _NUDGED else pillar.at

    def leaving(self, pillar: Pillar) -> int:
        """How many roads leave a pillar, exits included and entrance ramps not."""
        return self._leaving[pillar.id]

    @cached_property
    def _leaving(self) -> Counter[str]:
        return Counter(road.base for road in self.roads if road.kind != "entrance")

    def base_points(self, seat: int) -> tuple[BasePoint, ...]:
        """The pillars from which a seat may build now, in building order (FR 4.1 and 7.2, KR 4.1;
        option base_point).
        """
        own = [pillar for pillar in self.pillars if pillar.owner == seat]
        last_only, found = self.ruleset.resolved.last_built, []
        for pillar in own:
            leaving = self.leaving(pillar)
            open_end = leaving == 0 and (not last_only or pillar.junction or pillar is own[-1])
            branch = pillar.junction and leaving == 1 and pillar.turn < self.turn
            if open_end or branch:
                found.append(BasePoint(pillar, branch))
        return tuple(found)

    def exit_allowed(self, pillar: Pillar) -> bool:
        """Whether the height of a base pillar allows an exit (FR 8, KR 8; option exit_height)."""
        return self.ruleset.resolved.exit_height in (-1, pillar.discs)

    def unable(self, seat: int) -> bool:
        """Whether a seat cannot build, judged by its stock and its base points alone (FR 10.2, KR
        10.2).
        """
        stock = self.stocks[seat]
        if stock.roads == 0:
            return True
        for base in self.base_points(seat):
            # The cheapest pillar is one disc lower than the base, all grey. From a base of one disc
            # it would have none; there an exit is allowed, which costs no disc.
            cheapest = base.pillar.discs - 1
            pays = cheapest <= stock.grey or (stock.yellow and stock.grey)
            if pays or self.exit_allowed(base.pillar):
                return False
        return True

    def adjustable(self) -> tuple[str, ...]:
        """The pieces that whoever built them may still adjust (FR 4.3, KR 4.3; option freeze)."""
        return tuple(piece for last in self.lasts for piece in last.pieces)

    @property
    def knocked(self) -> bool:
        """Whether others' pieces were knocked over earlier in this turn."""
        return self.knock == self.turn

    def outcome(self) -> Outcome | None:
        """None, or who won, why, and the ranks; derived, never stored."""
        turns = self.turns
        over = len(turns.active) <= 1 or (turns.finished and not self.ruleset.continue_after_win)
        if not over:
            return None
        gone = {seat for group in turns.out for seat in group}
        if turns.finished:
            reason: StrEnum = EndReason.ALL_CARS_PLACED
        elif gone and gone <= set(self.resigned):
            reason = Reason.RESIGNED
        else:
            reason = EndReason.LAST_STANDING
        return Outcome(turns.ranks()[0], reason, turns.ranks())

    def parse(self, text: str) -> Placement:
        """Reads a move's text; see Placement.parse. Whether it is legal here, `sim.referee.before`
        says.
        """
        return Placement.parse(text)

    def digest(self) -> str:
        """16 hex digits, equal for two tables iff everything needed to go on is equal, settled
        poses to the last bit.

        Builds that may still be adjusted count only if they may outlive the next ply (freeze =
        next_pillar).
        """
        data = {
            "ruleset": self.ruleset.identity(),
            "components": self.components.name,
            "turns": {k: v for k, v in self.turns.to_json().items() if k not in ("ply", "sides")},
            "stocks": [_plain(stock) for stock in self.stocks],
            "pillars": [
                {**_plain(pillar), "turn": pillar.turn == self.turn} for pillar in self.pillars
            ],
            "roads": [_plain(road) for road in self.roads],
            "cars": [_plain(car) for car in self.cars],
            "buildings": [_plain(building) for building in self.buildings],
            "poses": {piece: self.poses[piece].to_list() for piece in sorted(self.poses)},
            "scenario": self.scenario,
            "resigned": self.resigned,
            "watch": self.watch,
            "adjustable": self.adjustable() if self.ruleset.resolved.until_next_pillar else (),
            # what came later, so that digests of tables that do not use it stay as they were
            "tolerance": self.tolerance or None,
            "guessed": self.guessed if self.tolerance else None,
            "gone": [list(pair) for pair in self.gone] or None,
            "knocked": self.knocked or None,  # only in the middle of a turn of several plies
        }
        return hashlib.blake2b(canonical_json(known(data)).encode(), digest_size=8).hexdigest()

    # --- one ply on -------------------------------------------------------------------------------

    def next_id(self, seat: int, kind: Literal["P", "R", "C"]) -> str:
        """The id of a seat's next pillar, road or car: one above the highest number so far."""
        return self._next(f"{letter(seat)}-{kind}")

    def _next(self, start: str) -> str:
        return f"{start}{self._highest.get(start, -1) + 1}"

    @cached_property
    def _highest(self) -> Mapping[str, int]:
        """The highest number so far by what ids begin with: a table is asked often."""
        highest: dict[str, int] = {}
        for piece in (*(one.id for one in self._pieces), *(piece for piece, _ in self.gone)):
            start = piece.rstrip("0123456789")
            highest[start] = max(highest.get(start, -1), int(piece[len(start) :]))
        return highest

    def next_cars(self, seat: int, count: int) -> tuple[str, ...]:
        """The ids of a seat's next cars."""
        first = int(self.next_id(seat, "C")[3:])
        return tuple(f"{letter(seat)}-C{first + n}" for n in range(count))

    def with_pieces(
        self, placement: Placement, spots: Sequence[CarSpot] = (), cars: Sequence[str] = ()
    ) -> Table:
        """The table with the new pieces at their nominal poses, not judged, and without them in the
        stock; the turn order is unchanged.

        `spots` are the places of cars on the new road, `cars` their ids (left out: the next ones).
        A pass or a resignation adds nothing. Raises InputError for an adjustment.
        """
        seat = self.to_move
        if isinstance(placement, SetBuilding):
            where = placement.at, placement.turn, seat
            standing = PlacedBuilding(self._next("X"), placement.building, *where)
            return replace(self, buildings=(*self.buildings, standing))
        if isinstance(placement, (Pass, Resign)):
            return self
        if isinstance(placement, Adjust):
            raise InputError(
                "an adjustment is judged as the build that it makes; see sim.referee.resolved"
            )
        pillar, road = new_pillar(self, placement), new_road(self, placement)
        stock, junction = self.stocks[seat], bool(pillar and pillar.junction)
        grey = stock.grey - (pillar.discs - junction if pillar else 0)
        spent = replace(stock, grey=grey, yellow=stock.yellow - junction, roads=stock.roads - 1)
        pillars = (*self.pillars, pillar) if pillar else self.pillars
        grown = replace(
            self, pillars=pillars, roads=(*self.roads, road), stocks=self.stocks_with(seat, spent)
        )
        return grown.with_cars(placement, spots, cars) if spots else grown

    def with_cars(
        self, placement: Placement, spots: Sequence[CarSpot], cars: Sequence[str] = ()
    ) -> Table:
        """The table with cars of the seat to move on the road laid last, which is that of the
        placement; see `with_pieces`.
        """
        seat, road = self.to_move, self.roads[-1]
        ids = cars or self.next_cars(seat, len(spots))
        new = tuple(
            Car(name, seat, road.id, spot.along, spot.side)
            for name, spot in zip(ids, spots, strict=True)
        )
        # at a real table people may have put down more than were left
        spent = replace(self.stocks[seat], cars=max(self.stocks[seat].cars - len(new), 0))
        unseen = isinstance(placement, (Build, Exit)) and placement.cars is None
        guessed = (*self.guessed, *(car.id for car in new if self.tolerance and unseen))
        return replace(
            self, cars=(*self.cars, *new), stocks=self.stocks_with(seat, spent), guessed=guessed
        )

    @cached_property
    def piece_ids(self) -> frozenset[str]:
        """The ids of all discs, roads, cars and buildings on the table."""
        discs = [disc for pillar in self.pillars for disc in pillar.disc_ids]
        return frozenset([*discs, *(piece.id for piece in self._pieces[len(self.pillars) :])])

    @property
    def _pieces(self) -> tuple[Pillar | LaidRoad | Car | PlacedBuilding, ...]:
        return (*self.pillars, *self.roads, *self.cars, *self.buildings)

    def stocks_with(self, seat: int, stock: Supply) -> tuple[Supply, ...]:
        """The stocks of all seats, with another one for that seat."""
        return (*self.stocks[:seat], stock, *self.stocks[seat + 1 :])


# fields of roads and cars that came with version 1.1 of the record format. Digests of tables that
# do not use them stay as they were.
_LATER = ("under", "turn")


def _plain(data: Pillar | LaidRoad | Car | PlacedBuilding | Supply) -> dict[str, Any]:
    """The fields of flat data by name; `dataclasses.asdict` would copy every value."""
    later = _LATER if isinstance(data, (LaidRoad, Car)) else ()
    plain = {part.name: getattr(data, part.name) for part in fields(data)}
    return {key: value for key, value in plain.items() if value or key not in later}


# --- what follows from a table --------------------------------------------------------------------


T = TypeVar("T")


def kept(table: Table, name: str, make: Callable[[], T]) -> T:
    """The result of `make`, called once for each table and name. Tables are frozen, so a derived
    value stays true. It is dropped with the table, and never sent to other processes.
    """
    values: dict[str, Any] = table.__dict__.setdefault("_kept", {})
    if name not in values:
        values[name] = make()
    found: T = values[name]
    return found


# --- new pieces -----------------------------------------------------------------------------------


def new_pillar(table: Table, placement: Placement) -> Pillar | None:
    """The pillar that the seat to move adds; None for an exit, which has none."""
    if not isinstance(placement, (Entrance, Build)):
        return None
    seat = table.to_move
    at, discs, junction = (
        (placement.pillar, 1, False)
        if isinstance(placement, Entrance)
        else (placement.at, placement.discs, placement.junction)
    )
    return Pillar(table.next_id(seat, "P"), seat, at, discs, junction, table.turn)


def new_road(table: Table, placement: Placement) -> LaidRoad:
    """The road that the seat to move adds. Raises InputError for a placement that lays none."""
    seat, box = table.to_move, table.components
    name, target = table.next_id(seat, "R"), table.next_id(seat, "P")
    if isinstance(placement, Entrance):
        angle, reach = math.radians(placement.toward), ramp_reach(box, 1)
        end = plus(placement.pillar, (reach * math.cos(angle), reach * math.sin(angle)))
        return LaidRoad(name, seat, "entrance", target, None, placement.pillar, end, (1, 0))
    if not isinstance(placement, (Build, Exit)):
        raise InputError(f"a {placement.kind} lays no road")
    base, offset = table.pillar_by_id[placement.base], placement.road
    start, rest = plus(table.top(base), offset.start), (offset.slide, offset.under)
    if isinstance(placement, Build):
        end, levels = plus(placement.at, offset.end), (base.discs, placement.discs)
        return LaidRoad(name, seat, "road", base.id, target, start, end, levels, *rest)
    end = plus(placement.to, offset.end)
    top = exit_start(box, start, end, base.discs)
    return LaidRoad(name, seat, "exit", base.id, None, top, end, (base.discs, 0), *rest)


# --- what is printed ------------------------------------------------------------------------------


def _lines(table: Table) -> Iterator[Sentence]:
    """What `print` shows of a table, the roads left out."""
    outcome = table.outcome()
    if outcome is None:
        yield Sentence("table-to-move", {"phase": table.phase, "player": table.to_move})
    else:
        winners = list(outcome.winners)
        form = "table-won" if winners else "table-drawn"
        yield Sentence(form, {"reason": str(outcome.reason), "winners": winners})
    for seat, stock in enumerate(table.stocks):
        given = {"grey": stock.grey, "yellow": stock.yellow, "roads": stock.roads}
        yield Sentence("table-stock", {"player": seat, **given, "cars": stock.cars})
    for pillar in table.pillars:
        stack = {"discs": pillar.discs, "at": pillar.at, "junction": pillar.junction}
        yield Sentence("table-pillar", {"piece": pillar.id, **stack})
    for building in table.buildings:
        place = {"building": building.kind, "at": building.at, "turn": building.turn}
        yield Sentence("table-building", {"piece": building.id, **place})
