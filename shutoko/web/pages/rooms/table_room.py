"""The page of a room whose pieces lie in space: the table fills the window, and what is needed for
the step at hand floats over it: choose a piece, aim, place it, see what came of it.

One module: aiming, dragging, typing and showing a placement change the same few fields.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from nicegui import background_tasks, ui

from rules.errors import ShutokoError
from shutoko.web.pages.analysis import AdviceList
from shutoko.web.pages.frame import Visitor, bare_frame, tell
from shutoko.web.pages.rooms.exact import Exact
from shutoko.web.pages.rooms.ghost import (
    FAR,
    ILLEGAL,
    LEGAL,
    another_height,
    arrow,
    offered,
    show_choice,
    sign_of,
    tapped_base,
)
from shutoko.web.pages.rooms.lessons import (
    HEIGHT,
    PLAINLY,
    TABLE_DEEDS,
    TABLE_SHOWN,
    Lessons,
    sifted,
)
from shutoko.web.pages.rooms.outcome import Outcome, plate_after
from shutoko.web.pages.rooms.panel import RoomPanel
from shutoko.web.pages.rooms.pieces import Buildings, Kind, Pieces
from shutoko.web.pages.rooms.placing import HEARD, ByHand, Chance, Choices
from shutoko.web.rooms.chat import Aim
from shutoko.web.rooms.room import Change, Room
from shutoko.web.site import Site
from shutoko.web.views import aiming
from shutoko.web.views.aiming import Aimed, AimRequest, aim, request_for
from shutoko.web.views.plates import Plate
from shutoko.web.views.stage import Sign, Stage
from shutoko.web.views.table import (
    ADVISED,
    advised_pieces,
    colour_of,
    piles,
    told_change,
    told_in_short,
    tray_of_mover,
)
from shutoko.web.views.telling import (
    aimed_in_short,
    guide,
    spots_of,
    told,
)
from shutoko.web.work.by_hand import BY_HAND, Grip, skill_of
from shutoko.web.work.players import Rated
from shutoko.web.work.tables import table_of
from sim.game.attempts.posing import bodies
from sim.referee.adjusting import resolved
from sim.referee.placement import Adjust, Build, Entrance, Exit, Placement
from sim.referee.table import Table

if TYPE_CHECKING:
    from shutoko.export.packed import Film

_CLOSE = 22.0  # mm around a kept place within which a second tap takes the pieces in hand


class TableRoom:
    """One visitor's page of one room. `pinned`: the ghost stays in its place until it is dragged or
    another place is tapped.
    """

    def __init__(self, site: Site, who: Visitor, room: Room) -> None:
        self.site, self.who, self.room, self.text = site, who, room, who.text
        self.guide = guide(room.made, who.text)
        self.request: AimRequest | None = None
        self.aimed: Aimed | None = None
        self.marked: Placement | None = (
            None  # the aimed placement for which the sides of roads are marked
        )
        self.pinned = False
        self.putting_right = False  # the last build is being adjusted
        self.held_for = 0  # the ply that the pieces in the hand are for
        self.panel = RoomPanel(site, who, room, self)
        self.hints: Sequence[Placement] = ()

    @property
    def table(self) -> Table:
        """The table as it stands."""
        return table_of(self.room.position)

    @property
    def ground(self) -> Table:
        """The table that a placement is aimed at: that before the last build while it is
        adjusted.
        """
        if not self.putting_right:
            return self.table
        return resolved(self.table, Adjust(by=self.adjusts))[0]

    @property
    def acts(self) -> bool:
        """Whether the visitor may place something now."""
        return (self.panel.my_turn or self.putting_right) and not self.room.over

    @property
    def tries(self) -> bool:
        """Whether the visitor's last try has failed, and others are left."""
        return self.room.tried is not None and self.panel.my_turn

    @property
    def adjusts(self) -> int | None:
        """The seat that may still put its last build right, None if nobody may."""
        return self.table.lasts[-1].seat if self.table.lasts and not self.room.over else None

    @property
    def may_adjust(self) -> bool:
        """Whether the visitor built last and nobody has moved since."""
        return self.adjusts is not None and self.adjusts in self.panel.mine

    def build(self) -> None:
        """The page."""
        text, panel = self.text, self.panel
        with bare_frame(self.who, self.guide.title), panel.room_page():
            with ui.element("div").classes("stage"):
                self.stage = Stage(self._shown(), self._hand, plain=self.who.plain, fills=True)
            panel.begin(self.guide.title)
            with panel.below:
                self.outcome = Outcome(
                    self.room, panel, self.stage, text, self._again_as_it_is, self._let_be
                )
            with ui.element("div").classes("deeds").props("data-edge=bottom"):
                self.pieces = Pieces(text, self._take_piece)
                self.houses = Buildings(text, self._take_building, self._turn_by)
                self.confirm = ui.button(text("place"), on_click=self._place).classes("act")
                self.confirm.props('unelevated no-caps data-place data-part="act"')
                self.confirm.on("longpress", self._build)
                self.by_hand = ByHand(self.stage, text, self._grip, self._led, self._held)
            with panel.round():
                fit = ui.button(icon="center_focus_strong", on_click=self.stage.look)
                fit.classes("float")
                fit.props(f'round flat aria-label="{text("look_all")}" data-part="fit" data-fit')
            with panel.menu():
                self._controls()
        ui.keyboard(on_key=self._key, ignore=["input", "select", "textarea", "button"])
        ui.context.client.on_delete(self.room.live.hear(self._seen))

    # --- showing ----------------------------------------------------------------------------------

    def show(self, change: Change | None) -> None:
        """Shows the table; after the film of a ply, what came of it."""
        if change in (None, "undo", "try"):
            self.stage.show(self._shown())
            self.outcome.show_verdict()
        if change == "names":
            self._show_stocks()
        if change == "busy" and self.room.busy:
            self.outcome.begin()
        if change in ("ply", "undo", "try", None):
            self.by_hand.stop()
            self.pinned, self.request, self.putting_right = False, None, False
            if (
                self.panel.my_turn
                and self.table.phase == "entrances"
                and (self.panel.lessons is None or self.panel.lessons.at is None)
            ):
                usual = self.table.default_entrance(self.table.to_move)
                self.request, self.pinned = AimRequest(usual.pillar, turn=usual.toward), True
            if self.tries and self.room.tried is not None:
                self.request = request_for(self.table.parse(self.room.tried.text))
                self.pinned = True
                self.outcome.show_tried()
            self._fill_controls()
            self._show_stocks()
            self._show_slots()
        self._aim()
        if self.room.over and not self.panel.filming:
            self.stage.orbit()

    def _again_as_it_is(self) -> None:
        """Shows the table as it is, after a film that was shown once more."""
        self.stage.show(self._shown())
        self._aim()

    def _show_stocks(self) -> None:
        self.stage.supplies(*piles(self.table))
        before = table_of(self.room.steps[-1].before) if self.room.steps else None
        self.exact.show_stocks(self.table, self.room.names, before)

    def _show_slots(self) -> None:
        seat = self.panel.mine[0] if self.panel.mine else None
        self.marked = self.aimed.placement if self.aimed is not None else None
        self.stage.mark(
            aiming.slot_bars(self.ground, seat, self.aimed) if self.exact.slots.value else []
        )

    def _shown(self) -> Sequence[Any]:
        return bodies(self.ground)

    # --- controls ---------------------------------------------------------------------------------

    def _controls(self) -> None:
        """What stands in *Exact*."""
        skips = "pass_turn" if self.table.ruleset.may_pass else "no_room_left"
        self.exact = Exact(
            self.text,
            skips,
            {
                "drawn": self._build,
                "loose": self._choose_again,
                "skip": self._pass,
                "right": self._adjust,
                "for_me": self._aim,
                "slots": self._show_slots,
                "above": lambda: self.stage.look(86.0),
            },
        )
        with self.exact.fields:
            self.choices = Choices(self.text, self._chose, self._typed, self._place)
        with self.exact.chance:
            seat = self.panel.mine[0] if self.panel.mine else 0
            self.chance = Chance(
                self.site,
                self.who,
                self.room,
                self.stage,
                skill_of(self.room.hand(seat)),
                self._to_place,
            )

    def _fill_controls(self) -> None:
        """Shows the controls that matter now, with what they offer."""
        if not self.putting_right:
            self.panel.root.classes(remove="adjusting")
        table, mine = self.table, self.panel.my_turn
        builds = table.phase == "play" and mine and not self.putting_right
        self.choices.fill(table, acts=self.acts, builds=builds)
        if self.pinned and self.request is not None and builds:
            self.choices.show(self.request)
        self.exact.box.set_visibility((mine or self.may_adjust) and not self.room.over)
        self.exact.right.set_visibility(self.may_adjust and not self.putting_right)
        self.exact.skip.set_visibility(builds)
        self.confirm.set_visibility(self.acts)
        self.chance.fill(acts=self.acts)
        self._show_pieces()

    def _show_pieces(self) -> None:
        """The pieces that may be chosen now, and the pillars from which a road may leave."""
        table, mine = self.table, self.panel.my_turn and not self.room.over
        builds = table.phase == "play" and not self.putting_right
        free = mine and not self.by_hand.holding and not self.tries
        sets = table.phase == "buildings"
        self.pieces.set_visibility(free and not sets)
        self.houses.show(table, self.choices.building, visible=free and sets)
        show_choice(
            self.stage,
            self.pieces,
            table,
            self.choices.piece,
            self.aimed,
            offered(table) if mine and builds else ("pillar",),
            builds=mine and builds and not self.by_hand.holding,
            lit=not self.room.over,
        )

    def _take_piece(self, kind: Kind) -> None:
        """Chooses a piece: what is aimed at becomes one of these."""
        if not self.panel.my_turn or self.by_hand.holding or self.tries:
            return
        self.choices.take("exit" if kind == "exit" else "build", junction=kind == "yellow")
        if kind != "pillar" and self.panel.lessons is not None:
            self.panel.lessons.did("other")
        self._chose()
        self._show_pieces()

    def _take_building(self, kind: str) -> None:
        if self.acts and not self.tries:
            self.choices.house.set_value(kind)
            self._show_pieces()

    def _turn_by(self, degrees: float) -> None:
        if self.acts and not self.tries:
            self.choices.turn_by(degrees)

    def _step_height(self, step: int) -> None:
        """One disc more or less on what is aimed at, as far as the rules allow."""
        aimed = self.aimed
        if aimed is None or not isinstance(aimed.placement, Build) or self.putting_right:
            return
        placement = aimed.placement
        discs = another_height(self.ground, placement, step)
        if self.panel.lessons is not None:
            self.panel.lessons.did(HEIGHT)
        if discs is None:
            tell(self.text("height_ends"), "info")
            return
        self.choices.take("build", junction=placement.junction, discs=discs)
        self.pinned = True
        assert self.request is not None
        self.request = replace(
            self.choices.request(self.request.at, self.table.phase), base=placement.base
        )
        self._aim()
        self._weigh()

    def _chose(self) -> None:
        if self.request is not None:
            self._request_at(self.request.at)
            self._aim()

    def _typed(self, at: tuple[float, float]) -> None:
        """Pins a place given in millimetres as a click does."""
        if self.acts:
            self.pinned = True
            self._request_at(at, fixed=True)
            self._aim()

    def _request_at(self, at: tuple[float, float], *, fixed: bool = False) -> None:
        """Takes what the controls say, at a place; an adjustment changes the place only."""
        if self.putting_right and self.request is not None:
            self.request = replace(self.request, at=at, fixed=fixed)
        else:
            self.request = replace(self.choices.request(at, self.table.phase), fixed=fixed)

    # --- the hand ---------------------------------------------------------------------------------

    def _hand(self, detail: dict[str, Any]) -> None:
        """Moves, pins or drags the ghost with the pointer over the table."""
        try:
            what, at = str(detail["type"]), (float(detail["x"]), float(detail["y"]))
        except (KeyError, TypeError, ValueError):
            return
        if what in HEARD:
            self.by_hand.heard(detail)
            return
        if what == "tap" and self.panel.filming:
            if (n := self.panel.skip()) is not None:
                self.stage.show(bodies(table_of(self.room.steps[n].after)))
            return
        if self.tries and detail.get("ghost") is not True:
            return
        if self.acts and what in ("higher", "lower"):
            self._step_height(1 if what == "higher" else -1)
            return
        if not self.acts or not all(abs(value) < FAR for value in at):
            return
        if what == "aim":
            if self.pinned:
                return
        elif what == "tap":
            if isinstance(detail.get("advised"), int):
                self.panel.hints.pick(detail["advised"] - 1)
                return
            if not self.putting_right and (base := tapped_base(self.table, detail)):
                self.choices.base.set_value(base)  # a tapped base pillar is chosen, not built upon
                return
            if self.pinned and (detail.get("ghost") is True or self._is_kept(at)):
                background_tasks.create_lazy(self._taken(), name=f"taking {id(self)}")
                return
            self.pinned = True
        elif what in ("drag", "drop"):
            self.pinned = True
        self._request_at(at)
        self._aim()
        if self.pinned and self.aimed is not None and self.panel.lessons is not None:
            self.panel.lessons.did("aim")
        if what in ("tap", "drop"):
            self._weigh()

    def _is_kept(self, at: tuple[float, float]) -> bool:
        """Whether a tap is at the foot of the pillar that is kept."""
        place = None if self.aimed is None else aiming.place_of(self.aimed.placement)
        return place is not None and math.dist(place, at) < _CLOSE

    async def _taken(self) -> None:
        """A second tap on what is kept does what the button does."""
        with self.stage.scene.client:
            await self._place()

    def _aim(self) -> None:
        """Shows the ghost, and what the referee says of it."""
        mine = self.acts and self.request is not None
        try:
            self.aimed = (
                aim(self.ground, self.request, self.room.names)
                if mine and self.request is not None
                else None
            )
        except ShutokoError:
            self.aimed = None
        aimed = self.aimed
        if self.acts:
            self.room.live.show(
                self._seen, None if aimed is None else Aim(self.ground.to_move, aimed=aimed)
            )
        self.choices.show_place(aiming.shown_place(self.request, aimed) if self.pinned else None)
        self._show_sides()
        self.confirm.set_enabled(bool(aimed and aimed.legal))
        self.chance.about(aimed if self.pinned else None, self.ground)
        self.exact.loose.set_visibility(self.pinned)
        by_hand = (
            aimed is not None
            and aimed.legal
            and not self.putting_right
            and self._is_led(aimed.placement)
        )
        takes = by_hand or (aimed is None and self._places_by_hand)
        hands = "pick_up" if takes and not self.exact.for_me.value else "place"
        self.confirm.set_text(self.text("try_again" if self.tries else hands))
        self.exact.drawn.set_visibility(by_hand)
        self.exact.in_full.set_text("")
        self._show_pieces()
        if aimed is None:
            self._show_other(self.room.live.now)
            return
        self.stage.ghost(aimed.pieces, LEGAL if aimed.legal else ILLEGAL, self._sign(aimed))
        why = "\n".join(told(self.text.language, aimed.lines))
        said = aimed_in_short(aimed, self.ground, self.text, self.room.names)
        if aimed.legal and self.pinned and isinstance(aimed.placement, Entrance):
            said = f"{self.panel.state()} {self.text('say_entrance')}"
        if self.tries:
            self.panel.say(self.text("say_tried"), "", "bad")
        else:
            self.panel.say(said, why, "good" if aimed.legal else "bad")
        self.exact.in_full.set_text(why)
        if aimed.legal:
            colour = colour_of(self.ground.to_move)
            self.stage.pulse([(*place, colour) for place in aimed.scoring], None)
        else:
            self.stage.pulse(
                [(*spot, ILLEGAL) for spot in spots_of(aimed.faults, self.ground, aimed.placement)],
                None,
            )

    @property
    def _places_by_hand(self) -> bool:
        seat = self.room.to_move
        return seat is not None and self.room.hand(seat) in BY_HAND

    def _is_led(self, placement: Placement) -> bool:
        """Whether the seat to move places this by hand."""
        return self._places_by_hand and isinstance(placement, Build | Exit | Entrance)

    def _sign(self, aimed: Aimed) -> Sign | None:
        """The height that stands on the ghost, and whether it may be one higher or lower."""
        return None if self.putting_right or self.tries else sign_of(self.ground, aimed)

    def _seen(self, aim: Aim | None) -> None:
        """Somebody else aims at something; whoever aims here looks at the own aim."""
        if self.aimed is None:
            with self.stage.scene.client:
                self._show_other(aim)

    def _show_other(self, aim: Aim | None) -> None:
        """Shows what somebody else aims at in the colour of the seat, once no film runs; else says
        what to do now.
        """
        if aim is None or self.panel.filming:
            self.stage.ghost((), LEGAL)
            if not self.panel.filming:
                self.stage.pulse(self._first_spot(), None)
                self.panel.say(self.panel.state())
            return
        mine = aim.seat in self.panel.mine
        self.stage.ghost(aim.aimed.pieces, LEGAL if mine else colour_of(aim.seat))
        self.stage.pulse(())
        if mine:  # it is let go, and nobody knows yet what comes of it
            self.panel.say(self.panel.state())
            return
        self.panel.say(
            f"{self.room.names[aim.seat]}: "
            f"{aimed_in_short(aim.aimed, self.ground, self.text, self.room.names)}"
        )

    def _first_spot(self) -> list[tuple[float, float, float, str]]:
        """The spot that glows in the first lesson of the guide: the usual entrance."""
        lessons = self.panel.lessons
        if lessons is None or lessons.at != 1 or not self.panel.my_turn:
            return []
        if self.table.phase != "entrances":
            return []
        seat = self.table.to_move
        return [(*self.table.default_entrance(seat).pillar, 2.0, colour_of(seat))]

    def _show_sides(self) -> None:
        """Says which sides of roads the aimed placement would take and open, and marks them on the
        table if marks are shown.
        """
        change = (
            aiming.changed(self.ground, self.aimed) if self.aimed is not None else aiming.Change()
        )
        self.exact.show_sides(*told_change(change, self.text))
        if (
            self.exact.slots.value
            and (self.aimed.placement if self.aimed is not None else None) != self.marked
        ):
            self._show_slots()

    def _weigh(self) -> None:
        """Says how much the pinned placement bears, and shows how likely it is to stand."""
        background_tasks.create_lazy(self.chance.weigh(), name=f"weighing {id(self)}")

    def _to_place(self) -> None:
        """Leads the keyboard to the button that builds, so that Enter builds."""
        _ = ui.run_javascript(f"getHtmlElement({self.confirm.id})?.focus()")

    # --- actions ----------------------------------------------------------------------------------

    async def _place(self) -> None:
        aimed = self.aimed
        if aimed is None or not aimed.legal or self.room.busy or self.by_hand.holding:
            return
        hands = self._is_led(aimed.placement) and not self.exact.for_me.value
        if hands and not self.putting_right:
            self.pinned = True
            self.by_hand.take(str(aimed.placement), tray_of_mover(self.table))
            return
        await self._build()

    def _grip(self, move: str) -> Grip:
        self.held_for = self.room.record.next_ply
        return self.room.grip(self.who.holder, move)

    async def _led(self, move: str, traces: list[Any]) -> None:
        """Plays a move whose pieces the visitor has led."""
        await self.panel.attempt(self.room.play(self.who.holder, move, self.held_for, traces))

    async def _build(self) -> None:
        """Builds what is aimed at; where the visitor does not lead it, the hand is drawn."""
        aimed = self.aimed
        if aimed is None or not aimed.legal or self.room.busy:
            return
        self.stage.ghost((), LEGAL)
        self.confirm.set_enabled(False)
        move = aiming.adjusting(aimed.placement) if self.putting_right else aimed.placement
        await self.panel.attempt(
            self.room.play(self.who.holder, str(move), self.room.record.next_ply)
        )

    def _held(self) -> None:
        """Shows that the visitor has pieces in the hand, or no longer has."""
        holding = self.by_hand.holding
        self.panel.root.classes(
            add="holding" if holding else "", remove="" if holding else "holding"
        )
        for control in (self.confirm, self.exact.skip, self.exact.loose, self.exact.drawn):
            control.set_visibility(not holding)
        if holding:
            self.panel.say(self.by_hand.said)
            self.stage.pulse(())
            self.stage.ghost((), LEGAL)
            self.stage.advise((), ADVISED)
            self.chance.clear()
            self._show_pieces()
            if self.panel.lessons is not None:
                self.panel.lessons.did("hold")
        else:
            self._fill_controls()
            self._aim()

    async def _let_be(self) -> None:
        """Leaves it at the tries that have failed; once, however often the button was pressed."""
        if self.room.tried is None:
            return
        await self.panel.attempt(self.room.let_be(self.who.holder))

    async def _pass(self) -> None:
        await self.panel.attempt(
            self.room.play(
                self.who.holder, str(aiming.passing(self.table)), self.room.record.next_ply
            )
        )

    def _adjust(self) -> None:
        """Picks the last build up again to adjust it; to choose again leaves it as it was."""
        if not self.may_adjust or self.room.busy:
            return
        last = self.table.lasts[-1]
        self.request, self.pinned, self.putting_right = aiming.adjustment(last), True, True
        self.panel.root.classes(add="adjusting")
        self.stage.show(self._shown())
        self._fill_controls()
        self._aim()

    def _choose_again(self) -> None:
        if self.putting_right:
            self.putting_right = False
            self.stage.show(self._shown())
            self._fill_controls()
        self.pinned, self.request = False, None
        self.chance.clear()
        self._aim()

    async def _key(self, event: Any) -> None:
        if not event.action.keydown or not self.acts:
            return
        if event.key == "Enter":
            await self._place()
        elif self.tries:
            return
        elif event.key == "Escape":
            self._choose_again()
        elif event.key in ("+", "-"):
            self._step_height(1 if event.key == "+" else -1)
        elif (
            event.key.is_cursorkey
            and self.request is not None
            and self.aimed is not None
            and self.pinned
        ):
            self.request = aiming.moved(
                self.ground, self.aimed.placement, self.request, arrow(event)
            )
            self._aim()

    # --- hints ------------------------------------------------------------------------------------

    def hinted(self, found: Sequence[Rated], picked: int | None) -> None:
        """Shows the moves of a hint see-through on the table, and pins the picked one as a click
        does.
        """
        self.hints = [self.table.parse(one.move) for one in found]
        if self.by_hand.holding or self.tries:
            return
        request = None if picked is None else request_for(self.hints[picked])
        if request is not None:
            self._take(request)
            self._to_place()
        elif self.request is not None and self.request.exact is not None:
            self._choose_again()
        self.stage.advise(advised_pieces(self.table, self.hints, picked), ADVISED)

    def _take(self, request: AimRequest) -> None:
        """Takes a whole request and sets the controls to match it."""
        self.choices.show(request)
        self.request, self.pinned = request, True
        self._aim()
        self._weigh()

    # --- what the panel asks ----------------------------------------------------------------------

    @property
    def has_verdict(self) -> bool:
        """Whether the outcome says what came of the visitor's own plies."""
        return len(self.panel.mine) == 1

    def colour(self, seat: int) -> str:
        """The CSS colour of a seat."""
        return colour_of(seat)

    def plate(self, seat: int, plies: int) -> Plate:
        """What the plate of a seat shows after so many plies."""
        return plate_after(self.room, seat, plies)

    def lines(self, n: int) -> Sequence[str]:
        """What the log says of ply n: in short, then every reason."""
        return self.outcome.lines(n)

    def headline(self, n: int) -> str:
        """What happened at ply n, in short."""
        return next(iter(self.lines(n)), "")

    def asks(self) -> str:
        """What the visitor is to do in the own turn."""
        return str(self.text("your_turn_build" if self.table.phase == "play" else "your_turn"))

    def play(self, n: int, film: Film | None) -> float:
        """Shows the film of ply n; returns the seconds that it takes."""
        return self.outcome.play(n, film)

    def play_tried(self) -> float:
        """Shows the try that has just failed; returns the seconds that it takes."""
        return self.outcome.play_tried()

    def told(self, n: int) -> None:
        """Shows what came of ply n."""
        self.outcome.tell(n)

    def lessons(self, show_me: Callable[[], Awaitable[None]]) -> Lessons:
        """The card of the guide; each lesson asks for a deed of its own."""
        return Lessons(self.room.game, self.text, show_me, TABLE_DEEDS, TABLE_SHOWN)

    def advices(self, pick: Callable[[int | None], None]) -> AdviceList:
        """The list of the moves of a hint, with reasons in plain words."""
        return AdviceList(self.text, lambda move: told_in_short(move, self.text), pick, PLAINLY)

    def sifted(self, found: Sequence[Rated]) -> Sequence[Rated]:
        """Those of some moves that the lesson is about; all without a lesson."""
        return sifted(self.panel.lessons, found, self.table)
