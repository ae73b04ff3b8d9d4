"""How somebody aims at a table: pointer, keys, pieces and the fields of *Exact* choose a placement,
which stands see-through on the table with what the referee says of it.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from nicegui import background_tasks, ui

from rules.errors import ShutokoError
from shutoko.web.pages.frame import Visitor, tell
from shutoko.web.pages.rooms.pieces import Buildings, Kind, Pieces
from shutoko.web.pages.rooms.placing import FAR, Choices
from shutoko.web.views import (
    Aimed,
    AimRequest,
    Sign,
    Stage,
    aim,
    aimed_in_short,
    aiming,
    colour_name,
    colour_of,
    in_stock,
    mood_of,
    spots_of,
    told,
)
from sim.game.attempts.posing import bodies
from sim.referee import resolved
from sim.referee.placement import Adjust, Build, Exit, Placement
from sim.referee.standing import Point
from sim.referee.table import Table

LEGAL, DOUBTFUL, ILLEGAL = "#2fae66", "#e8951c", "#d8432b"
"""The colours of what the rules allow, of what they allow if measuring was off, and of what they
do not.
"""

GHOSTS = {"good": LEGAL, "doubtful": DOUBTFUL, "bad": ILLEGAL}
"""The colours of ghosts by the mood of what is said of them."""

_CLOSE = 22.0  # mm around a kept place within which a second tap takes what is aimed at
_STEP, _SMALL = 5.0, 1.0  # mm for an arrow key, and with shift


class Aimer(ABC):
    """One visitor's aiming at one table. `request` is what is aimed at, `aimed` the placement that
    fits it; `pinned`: it stays in its place until it is dragged or another place is tapped;
    `putting_right`: the last build is adjusted.

    Create the stage, the pieces and the controls where they belong on the page (`build_stage`,
    `build_pieces`, `build_controls`); then `begin_anew`, `fill` and `aim` begin.

    Pages differ in four answers: whether the visitor `acts`, the `table` that is aimed at, the
    `other_height` of a pillar, and what they do to `take` a placement. `say` shows the sentence.
    """

    taps_take = True
    """Whether a second tap on what is pinned, or at the foot of its pillar, takes it."""

    stage: Stage
    pieces: Pieces
    houses: Buildings
    choices: Choices

    def __init__(self, text: Any) -> None:
        self.text = text
        self.request: AimRequest | None = None
        self.aimed: Aimed | None = None
        self.pinned = self.putting_right = False

    # --- what pages differ in ---------------------------------------------------------------------

    @property
    @abstractmethod
    def acts(self) -> bool:
        """Whether the visitor may place something now."""

    @property
    @abstractmethod
    def table(self) -> Table:
        """The table as it stands."""

    def other_height(self, built: Build, step: int) -> AimRequest | None:
        """The request for the next number of discs that the rules allow, upwards or downwards
        (`step` 1 or -1); None where there is none.
        """
        fit = [n for n in self.heights if (n - built.discs) * step > 0]
        if not fit:
            tell(self.text("height_ends"), "info")
            return None
        self.choices.take("build", junction=built.junction, discs=min(fit, key=lambda n: n * step))
        at = built.at if self.request is None else self.request.at
        return replace(self.choices.request(at, self.before.phase), base=built.base)

    @abstractmethod
    async def take(self, placement: Placement) -> None:
        """Goes on with a placement that somebody has chosen; while the last build is put right,
        with its adjustment.
        """

    @abstractmethod
    def say(self, said: str, why: str = "", mood: str = "") -> None:
        """Says the one sentence that is true now, as `Saying` does."""

    # --- what a page may say in its own way -------------------------------------------------------

    @property
    def players(self) -> Sequence[str]:
        """The players by seat, for the sentences: the names of their colours."""
        return [colour_name(seat, self.text) for seat in range(len(self.table.stocks))]

    @property
    def invites(self) -> Sequence[str]:
        """What is said while nothing is aimed at, and perhaps why."""
        return (self.text("point_table"),)

    @property
    def chooses(self) -> bool:
        """Whether another piece may be chosen now."""
        return self.acts

    @property
    def offered(self) -> Collection[Kind]:
        """The pieces that the visitor may choose."""
        table = self.table
        points = table.base_points(table.to_move) if self.builds else ()
        found: list[Kind] = ["pillar"]
        if points and table.stocks[table.to_move].yellow:
            found.append("yellow")
        if any(table.exit_allowed(point.pillar) for point in points):
            found.append("exit")
        return found

    @property
    def heights(self) -> Collection[int]:
        """The numbers of discs that may be chosen: those that the rules allow."""
        return () if self.built is None else aiming.heights(self.before, self.built)

    @property
    def sign(self) -> Sign | None:
        """The height that stands on the ghost, and whether it may be one higher or lower."""
        built = self.built
        if built is None or self.putting_right:
            return None
        heights, top = self.heights, built.discs * self.before.components.disc_height
        more, less = any(n > built.discs for n in heights), any(n < built.discs for n in heights)
        return Sign(built.discs, (*built.at, top), more=more, less=less)

    def worded(self, aimed: Aimed) -> tuple[str, str, str]:
        """What is said of the placement, why, and the mood."""
        said = aimed_in_short(aimed, self.before, self.text, self.players)
        return said, "\n".join(told(self.text.language, aimed.lines)), mood_of(aimed)

    def kept(self) -> None:  # noqa: B027 - most pages say no more
        """A placement was pinned, or its height changed: a page may say more of it."""

    # --- its parts --------------------------------------------------------------------------------

    def build_stage(self, who: Visitor) -> None:
        """The table in the window, and the keys."""
        with ui.element("div").classes("stage"):
            self.stage = Stage(bodies(self.before), self.hand, plain=who.plain, fills=True)
        ui.keyboard(on_key=self.key, ignore=["input", "select", "textarea", "button"])

    def build_pieces(self) -> None:
        """The pieces and the buildings to choose from."""
        self.pieces = Pieces(self.text, self.take_piece)
        self.houses = Buildings(self.text, self._take_building, self._turn_by)

    def build_controls(self) -> None:
        """What to place, by numbers."""
        self.choices = Choices(self.text, self.chose, self.typed, self.give)

    # --- what is aimed at -------------------------------------------------------------------------

    @property
    def before(self) -> Table:
        """The table that is aimed at: that before the last build while it is put right."""
        if not self.putting_right:
            return self.table
        return resolved(self.table, Adjust(by=self.table.lasts[-1].seat))[0]

    @property
    def builds(self) -> bool:
        """Whether the visitor may build a pillar with its road, or an exit."""
        return self.acts and not self.putting_right and self.table.phase == "play"

    @property
    def built(self) -> Build | None:
        """The pillar and road that are aimed at."""
        placement = None if self.aimed is None else self.aimed.placement
        return placement if isinstance(placement, Build) else None

    @property
    def move(self) -> Placement | None:
        """What is aimed at as it would be played, legal or not."""
        if self.aimed is None:
            return None
        placement = self.aimed.placement
        return aiming.adjusting(placement) if self.putting_right else placement

    def begin_anew(self, *, proposes: bool = True) -> None:
        """Forgets what was aimed at; an entrance begins in its usual place if that is proposed."""
        self.request, self.pinned, self.putting_right = None, False, False
        table = self.table
        if proposes and self.acts and table.phase == "entrances":
            usual = table.default_entrance(table.to_move)
            self.request, self.pinned = AimRequest(usual.pillar, turn=usual.toward), True

    def put_right(self) -> None:
        """Aims at the last build as it stands, to adjust it."""
        self.request, self.pinned = aiming.adjustment(self.table.lasts[-1]), True
        self.putting_right = True

    def request_at(self, at: Point, *, fixed: bool = False) -> None:
        """Takes what the controls say, at a place (mm); an adjustment changes the place only."""
        if self.putting_right and self.request is not None:
            self.request = replace(self.request, at=at, fixed=fixed, exact=None)
        else:
            self.request = replace(self.choices.request(at, self.before.phase), fixed=fixed)

    def aim(self) -> None:
        """Finds the placement that fits the request, and shows it."""
        self.aimed = None
        if self.acts and self.request is not None:
            with suppress(ShutokoError):
                self.aimed = aim(self.before, self.request, self.players)
        self.show_aimed()

    def loosen(self) -> None:
        """Lets go of what is aimed at."""
        self.request, self.pinned, self.putting_right = None, False, False
        self.aim()

    async def give(self) -> None:
        """Takes what is aimed at if the rules allow it, as the main button does."""
        if self.acts and self.aimed is not None and self.aimed.legal and self.move is not None:
            await self.take(self.move)

    # --- what somebody does -----------------------------------------------------------------------

    def hand(self, detail: dict[str, Any]) -> None:
        """Moves, pins or drags what is aimed at with the pointer over the table."""
        what, at = detail.get("type"), pointed(detail)
        if at is None or not self.acts:
            return
        if what in ("higher", "lower"):
            self._step_height(1 if what == "higher" else -1)
            return
        if what == "tap":
            if base := self._tapped_base(detail):
                self.choices.base.set_value(base)  # it is chosen, not built upon
                return
            if self.taps_take and self.pinned and self._is_on(detail, at):
                background_tasks.create_lazy(self._taken(), name=f"taking {id(self)}")
                return
        elif what not in ("drag", "drop") and (what != "aim" or self.pinned):
            return
        self.pinned = what != "aim"
        self.request_at(at)
        self.aim()
        if what in ("tap", "drop"):
            self.kept()

    async def key(self, event: Any) -> None:
        """Enter takes what is aimed at and Escape lets go of it; + and - change its height, arrows
        move it.
        """
        if not event.action.keydown or not self.acts:
            return
        if event.key == "Enter":
            await self.give()
        elif event.key == "Escape":
            self.loosen()
        elif event.key in ("+", "-"):
            self._step_height(1 if event.key == "+" else -1)
        elif event.key.is_cursorkey and self.pinned and self.request and self.aimed:
            placement = self.aimed.placement
            self.request = aiming.moved(self.before, placement, self.request, _arrow(event))
            self.aim()

    def chose(self) -> None:
        """The visitor has changed a control."""
        if self.request is not None:
            self.request_at(self.request.at)
            if self.acts:
                self.aim()

    def typed(self, at: Point) -> None:
        """Pins a place given in millimetres as a tap does."""
        if self.acts and _is_near(at):
            self.pinned = True
            self.request_at(at, fixed=True)
            self.aim()

    def take_piece(self, kind: Kind) -> None:
        """Chooses a piece: what is aimed at becomes one of these."""
        if self.chooses:
            self.choices.take("exit" if kind == "exit" else "build", junction=kind == "yellow")
            self.chose()
            self.show_pieces()

    def _take_building(self, kind: str) -> None:
        if self.chooses:
            self.choices.house.set_value(kind)
            self.show_pieces()

    def _turn_by(self, degrees: float) -> None:
        if self.chooses:
            self.choices.turn_by(degrees)

    def _step_height(self, step: int) -> None:
        """One disc more or less on what is aimed at."""
        if self.built is None or self.request is None or self.putting_right:
            return
        request = self.other_height(self.built, step)
        if request is not None:
            self.request, self.pinned = request, True
            self.aim()
            self.kept()

    def _tapped_base(self, detail: dict[str, Any]) -> str:
        """The pillar that a tap hits, if a road of the seat to move may leave from it; else
        empty.
        """
        if not self.builds:
            return ""
        base = str(detail.get("piece") or "").partition(".")[0]
        bases = {point.pillar.id for point in self.table.base_points(self.table.to_move)}
        return base if base in bases else ""

    def _is_on(self, detail: dict[str, Any], at: Point) -> bool:
        """Whether a tap is on what is aimed at, or at the foot of its pillar."""
        place = None if self.aimed is None else aiming.place_of(self.aimed.placement)
        return detail.get("ghost") is True or (place is not None and math.dist(place, at) < _CLOSE)

    async def _taken(self) -> None:
        with self.stage.scene.client:
            await self.give()

    # --- showing ----------------------------------------------------------------------------------

    def fill(self) -> None:
        """Shows the controls that matter now, with what they offer."""
        self.choices.fill(self.before, acts=self.acts, builds=self.builds)
        if self.request is not None and not self.putting_right:
            self.choices.show(self.request)

    def show_aimed(self) -> None:
        """Shows what is aimed at, and what the referee says of it."""
        aimed, table = self.aimed, self.before
        self.choices.show_place(aiming.shown_place(self.request, aimed) if self.pinned else None)
        self.show_pieces()
        if aimed is None:
            self.show_none()
            return
        self.stage.ghost(aimed.pieces, GHOSTS[mood_of(aimed)], self.sign)
        self.say(*self.worded(aimed))
        colour = colour_of(table.to_move) if aimed.legal else ILLEGAL
        spots = aimed.scoring if aimed.legal else spots_of(aimed.faults, table, aimed.placement)
        self.stage.pulse([(*spot, colour) for spot in spots], None)

    def show_none(self) -> None:
        """Shows that nothing is aimed at, and says what to do."""
        self.stage.ghost((), LEGAL)
        self.stage.pulse((), None)
        self.say(*self.invites)

    def show_pieces(self) -> None:
        """The pieces that may be chosen now, and the pillars from which a road may leave."""
        self.pieces.set_visibility(self.builds)
        self.houses.show(
            self.before, self.choices.building, visible=self.acts and not self.putting_right
        )
        self.show_choice(self.before, self.offered, builds=self.builds)

    def show_choice(
        self, table: Table, kinds: Collection[Kind], *, builds: bool, lit: bool = True
    ) -> None:
        """Shows which of the offered pieces is chosen, the pillars that a road of it may leave
        from, and the tray of the seat to move. `builds`: a piece may be chosen now; `lit`: somebody
        is to move.
        """
        seat, chosen = table.to_move, self.choices.piece
        self.pieces.show(chosen, offered=kinds, yellow=table.stocks[seat].yellow)
        used = self.aimed.placement if self.aimed is not None else None
        base = used.base if isinstance(used, Build | Exit) else ""
        points = table.base_points(seat) if builds else ()
        self.stage.bases(aiming.tops(table, points), base, colour_of(seat))
        self.stage.light(seat if lit else -1, in_stock(table, chosen) if builds and lit else "")

    def rest(self) -> None:
        """Takes away what was aimed at and all that can be chosen."""
        self.pieces.set_visibility(False)
        self.houses.show(self.before, "", visible=False)
        self.choices.fill(self.before, acts=False, builds=False)
        self.stage.ghost((), LEGAL)
        self.stage.pulse((), None)
        self.stage.bases((), "")
        self.stage.mark(())
        self.stage.light(-1)


def pointed(detail: dict[str, Any]) -> Point | None:
    """Where on the table (mm) the pointer is; None farther out than anybody builds."""
    try:
        at = float(detail["x"]), float(detail["y"])
    except (KeyError, TypeError, ValueError):
        return None
    return at if _is_near(at) else None


def _is_near(at: Point) -> bool:
    return all(abs(value) <= FAR for value in at)


def _arrow(event: Any) -> Point:
    """How far an arrow key moves what is aimed at (mm)."""
    far, name = _SMALL if event.modifiers.shift else _STEP, event.key.name
    dx = {"ArrowLeft": -far, "ArrowRight": far}.get(name, 0.0)
    dy = {"ArrowDown": -far, "ArrowUp": far}.get(name, 0.0)
    return dx, dy
