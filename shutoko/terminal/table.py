"""Tokyo Highway at a terminal: the table from above, stocks and base points, and short forms of
placements.

Nobody likes to type millimetres. `build P3 2 90` builds a pillar of two discs, 90 degrees (north)
from your pillar P3, in the middle of a road's range. The JSON of a record's `do` works as well.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rich.text import Text

from rules.errors import NotationError
from rules.record import Entry, Record
from rules.record.replay import Step
from shutoko.terminal.board import Display
from shutoko.terminal.plan import INKS, plan
from sim import referee
from sim.bots.proposals import kinds
from sim.game import Position, play
from sim.game.replay import judged
from sim.game.stability import steep_cars
from sim.referee import (
    Adjust,
    Build,
    Entrance,
    Exit,
    IllegalPlacementError,
    Names,
    Pillar,
    Placement,
    Point,
    SetBuilding,
    Table,
    adjuster,
    counted,
    letter,
    reach,
    slots,
)
from sim.referee.explain import explain, steep_line

_NOTATION = """\
MOVE is the number of a move that ? has shown, or:
  build P3 2 90          a pillar of 2 discs, 90 degrees from your pillar P3 (east is 0, north 90)
  build P3 2 90 105      the same, 105 mm away from P3
  build P3 2 40.5,-12    the same at the point x,y (mm)
  build ... junction     with a yellow disc on top
  exit P3 90             a road from P3 down to the table; exit P3 40.5,-12 ends at that point
  ... without cars       a build or an exit that leaves the cars that it earns in your stock
  entrance               your first pillar and its ramp at the usual place, in the set-up
  entrance X,Y DEGREES   the same elsewhere: the pillar at X,Y, the ramp down in that direction
  building KIND X,Y 30   in the set-up with three or four players, turned by 30 degrees
  adjust 40.5,-12        moves the last pillar (or the lower end of the last exit) there, \
before the next move
  pass                   if you cannot build, or where a turn may be passed
  {"build":{...}}        as in a record, with offsets of roads and places of cars"""

_AT = re.compile(r"\(?(-?[0-9.]+),(-?[0-9.]+)\)?")


class TableDisplay(Display):
    """A table of pieces."""

    def __init__(self, names: Sequence[str] = ()) -> None:
        self._names, self.notation = Names(tuple(names)), _NOTATION
        self.commands: Mapping[str, tuple[str, Callable[[Any], str]]] = {
            "sides": ("the sides of each road that are still free, and for whom", self._sides),
            "pieces": ("every pillar and road", _pieces),
        }

    def who(self, state: Position, seat: int) -> str:  # noqa: ARG002 - as `Display` has it
        """See `Display`."""
        return letter(seat)

    def board(self, state: Position, last: Entry | None) -> Text:  # noqa: ARG002 - the newest road is marked
        """See `Display`."""
        table = state.table
        text = plan(table, _newest(table))
        for seat, stock in enumerate(table.stocks):
            text.append(f"\n{self._names(seat)}", f"bold {INKS[seat]}")
            has = self._names.verb(seat, "has")
            cars, roads = counted(stock.cars, "car"), counted(stock.roads, "road")
            text.append(
                f" {has} {cars}, {stock.grey} grey and {stock.yellow} yellow discs, {roads}"
            )
            ends = ", ".join(_described(point.pillar) for point in table.base_points(seat))
            text.append(f"; builds from {ends}" if ends else "")
        return text

    def sketch(self, state: Position, moves: Sequence[Any]) -> Text | None:
        """See `Display`."""
        places = list(_places(state.table, moves))
        return plan(state.table, _newest(state.table), places) if places else None

    def asks(self, state: Position) -> str:
        """See `Display`."""
        table = state.table
        if table.phase == "entrances":
            return "set-up: type entrance for the usual place"
        if table.phase == "buildings":
            left = ", ".join(table.buildings_left)
            return f"set-up: type building KIND X,Y with one of {left}, or ? for a place"
        return "you cannot build: pass" if table.unable(table.to_move) else ""

    def read(self, state: Position, text: str) -> Placement:
        """See `Display`."""
        placement = self._placement(state, text)
        if isinstance(placement, Adjust):
            placement = replace(placement, by=adjuster(state.table, placement))
        if (refused := referee.check(state.table, placement).refused()) is not None:
            raise IllegalPlacementError(text, state.digest(), refused.faults)
        return placement

    def why(self, state: Position, text: str) -> list[str]:
        """See `Display`."""
        placement, table = self.read(state, text), state.table
        verdict, _ = play(table, placement, "none")
        lines = explain(table, placement, verdict, self._names.players)
        told = [line.whole for line in lines if line.data["kind"] != "doubt"]
        return [
            "it is legal; if it stands:",
            *told,
            *(steep_line(car).text for car in steep_cars(table, placement)),
        ]

    def _placement(self, state: Position, text: str) -> Placement:
        if text.startswith("{") or text in ("pass", "resign"):
            return state.parse(text)
        words = text.split()
        reader = _READERS.get(words[0].lower())
        if reader is None:
            raise NotationError(
                text,
                "any",
                "write build, exit, entrance, building, adjust, pass or resign; `help` shows how",
            )
        try:
            return reader(state.table, words[1:])
        except ValueError as error:
            raise NotationError(text, "any", str(error)) from error

    def short(self, move: Placement) -> str:
        """See `Display`."""
        match move:
            case Build(base, at, discs, junction) if _is_plain(move):
                shown = f"build {base[2:]} {discs} {_place(at)}{' junction' * junction}"
                return shown + _WITHOUT * (move.cars == ())
            case Exit(base, at) if _is_plain(move):
                return f"exit {base[2:]} {_place(at)}" + _WITHOUT * (move.cars == ())
            case SetBuilding(kind, at, turn):
                return f"building {kind} {_place(at)} {turn:g}"
            case Entrance(at, toward) if move == Entrance(at, toward):
                return f"entrance {_place(at)} {toward:g}"
        return str(move)

    def told(self, step: Step, record: Record) -> list[str]:
        """See `Display`."""
        before: Any = step.before
        seen = judged(record, step.entry, before.table)
        return [
            line.text for line in explain(seen.before, seen.placement, seen.verdict, step.players)
        ]

    def moves(self, state: Position) -> str:
        """See `Display`."""
        table = state.table
        if table.phase != "play":
            return self.asks(state)
        ways: dict[str, list[str]] = {}
        for base, discs, junction in kinds(table):
            ways.setdefault(base, []).append(
                "an exit" if not discs else f"{discs}{' with a junction' * junction}"
            )
        lines = [
            f"from {_described(table.pillar_by_id[base])}: {', '.join(some)}"
            for base, some in ways.items()
        ]
        return (
            "\n".join(lines or ["nothing can be built: pass"])
            + "\nin any direction that has room; ? shows some"
        )

    def _sides(self, state: Position) -> str:
        return (
            "\n".join(slot.text for slot in slots(state.table, self._names.players))
            or "there is no road yet"
        )


_WITHOUT = " without cars"


# --- reading --------------------------------------------------------------------------------------


def _build(table: Table, words: list[str]) -> Build:
    if words[-2:] == _WITHOUT.split():
        return replace(_build(table, words[:-2]), cars=())
    junction = words[-1:] == ["junction"]
    words = words[: len(words) - junction]
    if len(words) not in (3, 4):
        raise ValueError(
            "write build FROM DISCS DEGREES [MM] [junction], or build FROM DISCS X,Y [junction]"
        )
    base, discs = _base(table, words[0]), _whole(words[1])
    at = _point(words[2])
    if at is None:
        between = reach(table.components, discs - base.discs)
        if between is None:
            raise ValueError(
                f"no road reaches from {base.id} with {base.discs} discs to a pillar of {discs}"
            )
        at = _beside(
            table,
            base,
            _number(words[2]),
            _number(words[3]) if len(words) == 4 else sum(between) / 2,
        )
    elif len(words) == 4:
        raise ValueError("a point X,Y needs no distance; leave the last number out")
    return Build(base.id, at, discs, junction)


def _exit(table: Table, words: list[str]) -> Exit:
    if words[-2:] == _WITHOUT.split():
        return replace(_exit(table, words[:-2]), cars=())
    if len(words) != 2:
        raise ValueError("write exit FROM DEGREES, or exit FROM X,Y")
    base, box = _base(table, words[0]), table.components
    at = _point(words[1])
    if at is None:
        run = math.sqrt(max(box.road_length**2 - (base.discs * box.disc_height) ** 2, 0.0))
        at = _beside(table, base, _number(words[1]), run)
    return Exit(base.id, at)


def _entrance(table: Table, words: list[str]) -> Entrance:
    if not words:
        return table.default_entrance(table.to_move)
    at = _point(words[0]) if len(words) == 2 else None
    if at is None:
        raise ValueError(
            "write entrance alone for the usual place, or entrance X,Y DEGREES for another"
        )
    return Entrance(at, round(_number(words[1]) % 360.0, 2) % 360.0)


def _building(table: Table, words: list[str]) -> SetBuilding:  # noqa: ARG001 - all readers take a table
    at = _point(words[1]) if len(words) in (2, 3) else None
    if at is None:
        raise ValueError("write building KIND X,Y [DEGREES]")
    return SetBuilding(words[0], at, _number(words[2]) if len(words) == 3 else 0.0)


def _adjust(table: Table, words: list[str]) -> Adjust:
    at = _point(words[0]) if len(words) == 1 else None
    if at is None:
        raise ValueError(
            "write adjust X,Y; to adjust the road or its cars, write JSON as in a record"
        )
    last = next(reversed(table.lasts), None)
    return (
        Adjust(to=at)
        if last is not None and isinstance(last.placement, Exit)
        else Adjust(pillar=at)
    )


def _base(table: Table, text: str) -> Pillar:
    """The pillar of that name; P3 is the player's own."""
    name = text.upper() if "-" in text else f"{letter(table.to_move)}-{text.upper()}"
    pillar = table.pillar_by_id.get(name)
    if pillar is None:
        own = ", ".join(point.pillar.id for point in table.base_points(table.to_move)) or "nowhere"
        raise ValueError(f"unknown pillar {text}; you can build from {own}")
    return pillar


def _point(text: str) -> Point | None:
    match = _AT.fullmatch(text)
    return (round(_number(match[1]), 2) + 0.0, round(_number(match[2]), 2) + 0.0) if match else None


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not abs(number) < 1e5:
        raise ValueError(f"{text} is not a number of degrees or millimetres")
    return number


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= len(text) <= 3):
        raise ValueError(f"{text} is not a number of discs")
    return int(text)


def _beside(table: Table, base: Pillar, degrees: float, away: float) -> Point:
    x, y = table.top(base)
    turn = math.radians(degrees)
    return (round(x + away * math.cos(turn), 2) + 0.0, round(y + away * math.sin(turn), 2) + 0.0)


_READERS: Mapping[str, Callable[[Table, list[str]], Placement]] = {
    "build": _build,
    "exit": _exit,
    "entrance": _entrance,
    "building": _building,
    "adjust": _adjust,
}


# --- showing --------------------------------------------------------------------------------------


def _newest(table: Table) -> str | None:
    return table.roads[-1].id if table.roads else None


def _places(table: Table, moves: Sequence[Any]) -> Iterator[tuple[str, Point, Point]]:
    for number, move in enumerate(moves, 1):
        if isinstance(move, (Build, Exit)):
            yield (
                str(number),
                table.top(table.pillar_by_id[move.base]),
                move.at if isinstance(move, Build) else move.to,
            )


def _is_plain(move: Build | Exit) -> bool:
    """Whether the short form says all of a build or an exit."""
    return replace(move, cars=None) == (
        Build(move.base, move.at, move.discs, move.junction)
        if isinstance(move, Build)
        else Exit(move.base, move.to)
    ) and move.cars in (None, ())


def _place(at: Point) -> str:
    return f"{at[0]:g},{at[1]:g}"


def _described(pillar: Pillar) -> str:
    discs = f"{pillar.discs} disc{'s' * (pillar.discs > 1)}"
    return f"{pillar.id[2:]} ({discs}{', junction' * pillar.junction}, at {_place(pillar.at)})"


def _pieces(state: Position) -> str:
    table = state.table
    lines = [f"{letter(pillar.owner)}-{_described(pillar)}" for pillar in table.pillars]
    for road in table.roads:
        line = table.line(road)
        cars = ", ".join(car.id for car in table.cars if car.road == road.id)
        low, high = (round(level, 1) + 0.0 for level in line.levels)  # never -0
        levels = f"{low:.1f} to {high:.1f} discs high"
        lines.append(
            f"{road.id} from {road.base} to {road.target or 'the table'}, "
            f"{levels}{f', {cars} on it' if cars else ''}"
        )
    return "\n".join(lines) or "the table is empty"
