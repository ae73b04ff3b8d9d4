"""What a page shows of a table beside the pieces that stand: colours, stocks as numbers and as
piles on a tray beside the table, the plates of players, moves in words, advised pieces.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from nicegui import ui

from rules import defaults
from rules.errors import InputError
from rules.game import Game
from rules.record.replay import Step
from rules.view import SceneView
from shutoko.export.rendering.scene import PLAYER_COLOURS
from shutoko.web.views.aiming import Change, RoadSide, aim, place_of, request_for
from sim.bodies import Body, Kind, Pose, from_axes
from sim.game import JudgedStep, bodies
from sim.pieces import Components
from sim.referee import (
    Adjust,
    Build,
    Entrance,
    Exit,
    Pass,
    Payment,
    Placement,
    Reason,
    SetBuilding,
    Table,
)

ADVISED = "#0b84a5"
"""The colour of moves that a computer player advises."""


def bodies_of(made: Game[Any], state: Any) -> tuple[Body, ...]:
    """The pieces of a position where they lie. Raises InputError for a game of another kind."""
    view = defaults.view(made, state)
    if not isinstance(view, SceneView):
        raise InputError(f"{made.name} has no pieces in space")
    return view.bodies


def advised_pieces(
    table: Table, placements: Sequence[Placement], left_out: int | None
) -> list[tuple[int, Sequence[Body]]]:
    """The pieces of each advised placement with its number, counted from 1; `left_out` is shown in
    another way.
    """
    found: list[tuple[int, Sequence[Body]]] = []
    for n, placement in enumerate(placements):
        request = request_for(placement)
        aimed = aim(table, request) if request is not None and n != left_out else None
        if aimed is not None and aimed.pieces:
            found.append((n + 1, aimed.pieces))
    return found


def reasons(step: Step) -> tuple[Reason, ...]:
    """What the referee says of a ply, a sentence each; nothing of a ply that no referee judged."""
    return step.reasons() if isinstance(step, JudgedStep) else ()


def told_placement(move: str, text: Any) -> str:
    """A placement in a few words."""
    placement = Placement.parse(move)
    if isinstance(placement, Pass):
        return str(text("pass_turn" if placement.reason is None else "no_room_left"))
    if (at := place_of(placement)) is None:
        return str(text("adjust" if isinstance(placement, Adjust) else "resign"))
    facts = ("base", "discs", "building")
    values = {name: getattr(placement, name) for name in facts if hasattr(placement, name)}
    kind = "junction" if getattr(placement, "junction", False) else placement.kind
    return str(text(f"told_{kind}", **values, x=f"{at[0]:.0f}", y=f"{at[1]:.0f}"))


def told_in_short(move: str, text: Any) -> str:
    """A placement in words without a number that a hand would not know."""
    placement = Placement.parse(move)
    if isinstance(placement, Build):
        kind = "junction" if placement.junction else "build"
        return str(text(f"short_{kind}", discs=placement.discs))
    key = _SHORT.get(type(placement))
    return told_placement(move, text) if key is None else str(text(key))


_SHORT = {Exit: "exit", Entrance: "what_entrance", SetBuilding: "what_building"}


def told_change(change: Change, text: Any) -> tuple[list[str], list[str]]:
    """Two lists of lines: the sides of roads that a placement would take or close, and those that
    it would open.
    """
    takes = [text("takes", sides=_sides(change.taken, text))] if change.taken else []
    takes += [text("closes", sides=_sides(change.own, text))] if change.own else []
    return takes, [text("opens", sides=_sides(change.opened, text))] if change.opened else []


def _sides(sides: Sequence[RoadSide], text: Any) -> str:
    return ", ".join(text(f"side_{one.side}", road=one.road) for one in sides)


def colour_of(seat: int) -> str:
    """A seat's colour for CSS."""
    return "#" + "".join(f"{part:02x}" for part in PLAYER_COLOURS[seat % len(PLAYER_COLOURS)])


def stock_table(table: Table, names: Sequence[str], text: Any, before: Table | None = None) -> None:
    """A table of what everybody has left, what the last ply changed in it, and the ranks."""
    columns = ("cars", "grey", "yellow", "roads")
    ranks = {seat: place for place, group in enumerate(table.turns.finished, 1) for seat in group}
    gone = {seat for group in table.turns.out for seat in group}
    with ui.element("table").classes("stock"):
        with ui.element("tr"):
            for head in ("", *(text(f"stock_{name}") for name in columns)):
                with ui.element("th").props('scope="col"'):
                    ui.label(head)
        for seat, stock in enumerate(table.stocks):
            with ui.element("tr"):
                mark = (
                    f" ({ranks[seat]}.)"
                    if seat in ranks
                    else f" ({text('out')})"
                    if seat in gone
                    else ""
                )
                with ui.element("td").style(
                    f"border-left: .3rem solid {colour_of(seat)}; padding-left: .4rem"
                ):
                    ui.label(names[seat] + mark)
                for name in columns:
                    now = getattr(stock, name)
                    change = now - getattr(before.stocks[seat], name) if before is not None else 0
                    with ui.element("td"):
                        ui.label(f"{now} ({change:+d})" if change else str(now))


# --- plates ---------------------------------------------------------------------------------------

_CAR = (
    '<svg class="car{}" viewBox="0 0 20 11" aria-hidden="true"><path d="M1 8V5.2L4 4.6 6.2 1.6h6.3'
    'l3 3 3.5.8V8z"/><circle cx="5.4" cy="8.4" r="2"/><circle cx="14.6" cy="8.4" r="2"/></svg>'
)


@dataclass(frozen=True, slots=True)
class Plate:
    """What a seat has left: cars (of `of`), discs, roads; `place` is its rank once it is done, 0
    until then; `out` says that it has dropped out.
    """

    cars: int
    of: int
    grey: int
    yellow: int
    roads: int
    place: int = 0
    out: bool = False

    def drawn(self, text: Any) -> str:
        """The plate as HTML."""
        left = escape(text("cars_left", n=self.cars))
        if self.place:
            left += f", {escape(text('in_place', n=self.place))}"
        cars = _CAR.format("") * self.cars + _CAR.format(" gone") * (self.of - self.cars)
        rest = " · ".join(
            f"{getattr(self, name)} {escape(text(f'stock_{name}'))}"
            for name in ("grey", "yellow", "roads")
        )
        count = f"{escape(text('out'))} {self.cars}" if self.out else str(self.cars)
        if self.place:  # nothing is left then: a number before a nought would look like one number
            count = f'<span class="medal" title="{escape(text("in_place", n=self.place))}">'
            count += f"{self.place}</span>"
        return (
            f'<span class="cars" role="img" aria-label="{left}">{cars}</span>'
            f'<b class="count" aria-hidden="true">{count}</b>'
            f'<span class="rest">{rest}</span>'
        )


def plate_of(table: Table, seat: int) -> Plate:
    """The plate of a seat on a table."""
    stock = table.stocks[seat]
    placed = sum(car.owner == seat for car in table.cars)
    place = next((place for place, group in enumerate(table.turns.finished, 1) if seat in group), 0)
    gone = any(seat in group for group in table.turns.out)
    return Plate(
        stock.cars, stock.cars + placed, stock.grey, stock.yellow, stock.roads, place, gone
    )


# --- piles on trays -------------------------------------------------------------------------------

Tray = tuple[float, float, float, float, str]
"""The middle of a tray (x, y in mm), its width and depth, and its colour."""

_HIGH = 8  # discs of a stack
_BESIDE = 5  # roads beside each other
_GAP, _RIM = 3.0, 9.0  # mm between pieces, and around them
_AWAY = 18.0  # mm from what stands on the table to a tray
_GRID = 40.0  # mm: trays make room in steps, so that they seldom move
_LEAST = 130.0  # mm from the middle of the table that are kept free


def piles(table: Table) -> tuple[tuple[Body, ...], tuple[Tray, ...]]:
    """The pieces in stock, lying on trays to the left and to the right of what stands, and the
    trays; by seat.
    """
    box, found, trays = table.components, list[Body](), list[Tray]()
    left, right = _reach(bodies(table))
    rows = math.ceil(len(table.stocks) / 2)
    for seat, stock in enumerate(table.stocks):
        pieces = [*_stock(box, seat, stock.grey, stock.yellow, stock.roads, stock.cars)]
        wide, deep = _size(box)
        x = left - _AWAY - wide / 2 if seat % 2 == 0 else right + _AWAY + wide / 2
        y = (seat // 2 - (rows - 1) / 2) * (deep + 2 * _AWAY)
        trays.append((x, y, wide, deep, colour_of(seat)))
        for body in pieces:
            px, py, pz = body.pose.at
            found.append(body.at(Pose((px + x, py + y, pz), body.pose.quat)))
    return tuple(found), tuple(trays)


def tray_of_mover(table: Table) -> tuple[float, float]:
    """Where the stock of the seat to move lies (mm)."""
    x, y, *_ = piles(table)[1][table.to_move]
    return x, y


def in_stock(table: Table, kind: str) -> str:
    """The name of the piece on the tray of the seat to move that `pillar`, `yellow` or `exit` takes
    first; empty if none is left.
    """
    stock = table.stocks[table.to_move]
    what, left, n = {
        "pillar": ("disc", stock.grey, stock.grey - 1),
        "yellow": ("disc", stock.yellow, stock.grey + stock.yellow - 1),
        "exit": ("road", stock.roads, stock.roads - 1),
    }[kind]
    return f"stock {table.to_move} {what} {n}" if left else ""


def gifts_flying(
    table: Table, payer: int, payment: Payment
) -> tuple[tuple[Body, ...], tuple[float, float], tuple[float, float]]:
    """The discs and roads of a payment as they lie in the stock of the payer, and where the trays
    of both are (mm).
    """
    _, trays = piles(table)
    box = table.components
    kinds: list[tuple[Kind, bool]] = [("disc", False)] * payment.grey
    kinds += [("disc", True)] * payment.yellow
    kinds += [("road", False)] * payment.roads
    found = tuple(
        box.body(f"gift {n}", kind, Pose((0.0, 0.0, 20.0 + 12 * n)), payer, yellow)
        for n, (kind, yellow) in enumerate(kinds)
    )
    return found, trays[payer][:2], trays[payment.to][:2]


def _reach(standing: Sequence[Body]) -> tuple[float, float]:
    """How far the table reaches to the left and to the right."""
    places = [body.pose.at[0] for body in standing if abs(body.pose.at[0]) < 700]
    low, high = min([-_LEAST, *places]), max([_LEAST, *places])
    return _GRID * math.floor(low / _GRID), _GRID * math.ceil(high / _GRID)


def _size(box: Components) -> tuple[float, float]:
    wide = max(2 * (2 * box.disc_radius + _GAP), _BESIDE * (box.road_width + _GAP))
    deep = 3 * (2 * box.disc_radius + _GAP) + box.road_length + _GAP + 5 * (box.car_width + _GAP)
    return wide + 2 * _RIM, deep + 2 * _RIM


def _stock(
    box: Components, seat: int, grey: int, yellow: int, roads: int, cars: int
) -> Iterator[Body]:
    """The pieces around the middle of a tray: discs at the back, then roads, cars in front."""
    wide, deep = _size(box)
    pitch, back, half = 2 * box.disc_radius + _GAP, deep / 2 - _RIM, (wide - 2 * _RIM) / 2
    columns = 2 * math.ceil(grey / _HIGH / 2)  # the yellow ones begin a row
    for n in range(grey + yellow):
        junction = n >= grey
        column, level = (
            (columns + (n - grey) // _HIGH, (n - grey) % _HIGH)
            if junction
            else (n // _HIGH, n % _HIGH)
        )
        at = (
            -half + box.disc_radius + pitch * (column % 2),
            back - box.disc_radius - pitch * (column // 2),
        )
        yield box.body(
            f"stock {seat} disc {n}",
            "disc",
            Pose((*at, (level + 0.5) * box.disc_height)),
            seat,
            junction,
        )
    front = back - 3 * pitch
    for n in range(roads):
        x = -half + (n % _BESIDE + 0.5) * 2 * half / _BESIDE
        at = (x, front - box.road_length / 2)
        z = (n // _BESIDE + 0.5) * box.road_thickness
        yield box.body(f"stock {seat} road {n}", "road", Pose((*at, z), from_axes(90.0, 0.0)), seat)
    front -= box.road_length + _GAP
    for n in range(cars):
        x = -half + (n % 2 + 0.5) * half
        at = (x, front - (n // 2 + 0.5) * (box.car_width + _GAP))
        yield box.body(
            f"stock {seat} car {n}",
            "car",
            Pose((*at, box.car_height / 2), from_axes(0.0, 0.0)),
            seat,
        )
