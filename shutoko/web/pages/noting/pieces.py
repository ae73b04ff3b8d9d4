"""What happened to a piece of a real table: people tap it on the page of a game that they note, and
say whether it fell, stands elsewhere, was turned, or is gone.

Everything that they tap becomes a line as it may be typed at the terminal, so it is read in one
place (`shutoko.diary.happenings`).
"""

import math
import re
from collections.abc import Callable
from typing import Any

from nicegui import ui

from shutoko.diary.turn import Fate, Turn
from shutoko.web.pages.controls import text_button
from shutoko.web.views import (
    colour_name,
)
from sim.game.attempts.posing import bodies
from sim.referee.standing import LaidRoad, Point
from sim.referee.table import Table

_ABOVE = 4.0  # mm from a piece to the ring that marks it
Change = Callable[[Turn], None]


def called(name: str, table: Table, text: Any) -> str:
    """A piece in words: its kind, and the colour of its owner."""
    pillar = table.pillar_by_id.get(name.partition(".")[0])
    road = table.road_by_id.get(name)
    car = next((car for car in table.cars if car.id == name), None)
    owner = next((one.owner for one in (pillar, road, car) if one is not None), None)
    if owner is None:
        return str(text("note_piece_building"))
    kind = "pillar" if pillar is not None else "road" if road is not None else "car"
    return str(text(f"note_piece_{kind}", colour=colour_name(owner, text)))


class Fates:
    """Create it where its buttons belong. `on_change` is called with what a visitor has said of the
    picked piece, or with None when another piece is picked or a place is asked for (`asks`).
    """

    def __init__(self, text: Any, on_change: Callable[[Change | None], None]) -> None:
        self._text, self._on_change = text, on_change
        self._turn: Turn | None = None
        self._table: Table | None = None
        self._piece = self._body = ""
        self._waits = self._rest = False
        with ui.element("div").classes("in-hand fates") as self._box:
            self._name = ui.label().classes("status").props("data-picked")
            deeds: dict[str, Callable[[], None]] = {
                "fell": self._fell,
                "put": self._elsewhere,
                "off": self._off,
                "more": self._more,
                "turned": self._turned,
                "gone": self._gone,
                "touched": self._touched,
                "under": self._under,
                "none": self._nothing,
            }
            self._buttons = {}
            for fate, deed in deeds.items():
                button = text_button(
                    text("note_else" if fate == "more" else f"note_{fate}"),
                    deed,
                    f'flat dense data-fate="{fate}"',
                )
                self._buttons[fate] = button
        self._shown = True
        self._show()

    @property
    def asks(self) -> str:
        """What is asked about the picked piece, empty for nothing."""
        if not self._waits:
            return ""
        road = self._table is not None and self._piece in self._table.road_by_id
        return str(self._text("note_tap_end" if road else "note_tap_place"))

    @property
    def place(self) -> tuple[float, float, float] | None:
        """Where the picked piece is (mm), None if none is picked."""
        found = [] if self._table is None else bodies(self._table)
        at = next((body.pose.at for body in found if body.id == self._body), None)
        return None if at is None else (at[0], at[1], at[2] + _ABOVE)

    def set_visibility(self, visible: bool) -> None:
        """Whether pieces may be tapped now."""
        self._shown = visible
        if not visible:
            self.forget()
        self._show()

    def about(self, turn: Turn, table: Table) -> None:
        """The turn that is being noted, and the table on which its pieces are shown."""
        self._turn, self._table = turn, table
        if self._body and self._body not in {body.id for body in bodies(table)}:
            self.forget()
        self._show()

    def forget(self) -> None:
        """No piece is picked."""
        self._piece = self._body = ""
        self._waits = self._rest = False

    def tapped(self, detail: dict[str, Any], at: Point) -> None:
        """A tap on the table: on a piece, or where the picked one stands now. `at` is the place on
        the table (mm) that lies beneath it.
        """
        name, point = str(detail.get("piece") or ""), detail.get("point")
        if self._waits:
            # a pillar or a building stands on the table, whatever hides that place
            down = not re.match(r".-[RC]", self._piece) and name.partition(".")[0] != self._piece
            there = at if down or not isinstance(point, list) else (point[0], point[1])
            self._stands_at(name, (float(there[0]), float(there[1])))
        elif name:
            self.pick(name)

    def pick(self, name: str) -> None:
        """Picks a piece, which fell (a building was touched) unless something else is said; a
        second time it takes back all that was said of it. `name` is that of its body: a disc stands
        for those above it, too.
        """
        table, turn = self._table, self._turn
        if table is None or turn is None or name not in {body.id for body in bodies(table)}:
            return
        piece = name.partition(".")[0]
        if piece == self._piece and not self._waits:
            self._nothing()
            return
        self._piece, self._body, self._waits, self._rest = piece, name, False, False
        self._show()
        if not self._told() and not turn.fell(piece):
            self._touched() if piece in {one.id for one in table.buildings} else self._fell()
        else:
            self._on_change(None)

    # --- what is said of it -----------------------------------------------------------------------

    def _told(self, fate: Fate | None = None) -> bool:
        told = () if self._turn is None else self._turn.told
        return any(piece == self._piece and fate in (None, kind) for piece, kind in told)

    def _say(self, fate: Fate, line: str) -> None:
        """Says something of the picked piece, or takes it back if it was said."""
        piece, known = self._piece, self._told(fate)
        if known:
            self._on_change(lambda turn: turn.forget(piece, fate))
        else:
            self._on_change(lambda turn: turn.tell(piece, fate, line))

    def _fell(self) -> None:
        assert self._table is not None
        assert self._turn is not None
        piece, pillar = self._piece, self._table.pillar_by_id.get(self._piece)
        names = [piece]
        if pillar is not None:
            discs = list(pillar.disc_ids)
            names = discs[discs.index(self._body) if self._body in discs else 0 :]
        if self._turn.fell(piece):
            self._on_change(lambda turn: turn.deny(piece))
        else:
            self._on_change(lambda turn: turn.tell(piece, "fell", f"fell {' '.join(names)}"))

    def _off(self) -> None:
        piece, off = self._piece, self._turn is not None and self._turn.is_off(self._piece)

        def change(turn: Turn) -> None:
            turn.forget(piece, "put")
            turn.tell(piece, "fell", f"{'fell' if off else 'off'} {piece}")

        self._on_change(change)

    def _elsewhere(self) -> None:
        piece = self._piece
        gone = self._turn is not None and self._turn.is_gone(piece)
        if self._told("put") and not self._waits and not gone:
            self._on_change(lambda turn: turn.forget(piece, "put"))
            return
        self._waits = not self._waits
        self._show()
        self._on_change(None)

    def _more(self) -> None:
        """Shows what is seldom said in place of the rest."""
        self._rest = True
        self._show()

    def _instead(self, fate: Fate, line: str) -> None:
        """Says something of the picked piece that did not fall then."""
        piece = self._piece

        def change(turn: Turn) -> None:
            turn.forget(piece, "fell")
            turn.tell(piece, fate, line)

        self._on_change(change)

    def _gone(self) -> None:
        piece = self._piece
        if self._turn is not None and self._turn.is_gone(piece):
            self._on_change(lambda turn: turn.forget(piece, "put"))
        else:
            self._on_change(lambda turn: turn.tell(piece, "put", f"gone {piece}"))

    def _touched(self) -> None:
        self._say("touched", f"touched {self._piece}")

    def _under(self) -> None:
        if self._told("under"):
            self._say("under", "")
        else:
            self._instead("under", f"under {self._piece}")

    def _nothing(self) -> None:
        piece = self._piece
        self.forget()
        self._show()

        def change(turn: Turn) -> None:
            turn.forget(piece)
            turn.deny(piece)

        self._on_change(change)

    def _turned(self) -> None:
        assert self._table is not None
        piece = self._piece
        car = next(car for car in self._table.cars if car.id == piece)
        turn = (car.turn + 180.0) % 360.0
        self._instead("put", f"{piece} on {car.road} at {car.along:.2f} turned {turn:.0f}")

    def _stands_at(self, name: str, at: Point) -> None:
        """The picked piece stands at a place (mm) now, or on the piece `name`."""
        table, piece = self._table, self._piece
        assert table is not None
        x, y = f"{at[0]:.1f}", f"{at[1]:.1f}"
        line = f"{piece} at {x},{y}"
        if piece in table.road_by_id:
            lies = next(one for one in table.roads if one.id == piece)
            ends = [lies.start, lies.end]
            ends[min((0, 1), key=lambda n: math.dist(ends[n], at))] = at
            (ax, ay), (bx, by) = ends
            line = f"{piece} from {ax:.1f},{ay:.1f} to {bx:.1f},{by:.1f}"
        elif (car := next((one for one in table.cars if one.id == piece), None)) is not None:
            road, along = _nearest(table, name, at)
            line = f"{piece} on {road.id} at {along:.2f} turned {car.turn:.0f}"
        self._waits = False
        self._on_change(lambda turn: turn.tell(piece, "put", line))

    # --- showing ----------------------------------------------------------------------------------

    def _show(self) -> None:
        """Shows what may be said of the picked piece, and what was."""
        table, piece, turn = self._table, self._piece, self._turn
        self._box.set_visibility(self._shown and bool(piece) and table is not None)
        if table is None or turn is None or not piece:
            return
        self._name.set_text(called(self._body, table, self._text))
        car = piece in {one.id for one in table.cars}
        building = piece in {one.id for one in table.buildings}
        often, rest = not self._rest, self._rest
        offered = {
            # a building is touched more often than knocked over
            "fell": rest if building else often,
            "put": often,
            "off": often and piece in turn.first.verdict.cars,
            "more": often,
            "turned": rest and car,
            "gone": rest,
            "touched": often and building,
            "under": rest and piece in self._older(),
            "none": rest,
        }
        gone = turn.is_gone(piece)
        said = {
            "fell": turn.fell(piece),
            "put": self._waits or (self._told("put") and not gone),
            "off": turn.is_off(piece),
            "gone": gone,
            "more": gone or self._told("under"),
            "touched": self._told("touched"),
            "under": self._told("under"),
        }
        for fate, button in self._buttons.items():
            button.set_visibility(offered.get(fate, True))
            on = said.get(fate, False)
            button.props(f'aria-pressed="{str(on).lower()}"').classes(
                add="on" if on else "", remove="" if on else "on"
            )

    def _older(self) -> frozenset[str]:
        """The roads under whose end on a shared pillar the new road may have been slid."""
        turn = self._turn
        if turn is None or self._table is None or not turn.first.verdict.built:
            return frozenset()
        before = {road.id for road in turn.first.before.roads}
        new = [road for road in turn.first.after.roads if road.id not in before]
        shared = {end for road in new for end in road.pillars}
        return frozenset(road.id for road in turn.first.before.roads if shared & set(road.pillars))


def _nearest(table: Table, name: str, at: Point) -> tuple[LaidRoad, float]:
    """The road that was tapped, else the nearest one, and how far along it a place is (0 to 1)."""
    found = []
    for road in table.roads:
        (ax, ay), (bx, by) = road.start, road.end
        dx, dy = bx - ax, by - ay
        along = ((at[0] - ax) * dx + (at[1] - ay) * dy) / (dx * dx + dy * dy)
        along = min(max(along, 0.0), 1.0)
        away = math.dist(at, (ax + along * dx, ay + along * dy))
        found.append((road.id != name, away, road.id, along, road))
    *_, along, road = min(found)
    return road, along
