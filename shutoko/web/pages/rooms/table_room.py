"""The page of a room whose pieces lie in space: the table in three dimensions, and the controls
that place the next piece.

One module: aiming, dragging, typing and showing a placement change the same few fields.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from nicegui import background_tasks, ui

from rules.errors import ShutokoError
from rules.record.model import ran_out_of_time
from shutoko.export.film import MENDING
from shutoko.web.pages.frame import Visitor, frame, tell
from shutoko.web.pages.rooms.panel import RoomPanel
from shutoko.web.pages.rooms.placing import HEARD, ByHand, Chance, Choices
from shutoko.web.pages.rooms.result import won_by
from shutoko.web.rooms.chat import Aim
from shutoko.web.rooms.room import Change, Room
from shutoko.web.site import Site
from shutoko.web.views import aiming
from shutoko.web.views.aiming import Aimed, AimRequest, aim, request_for
from shutoko.web.views.stage import Stage
from shutoko.web.views.table import (
    ADVISED,
    advised_pieces,
    colour_of,
    piles,
    reasons,
    stock_table,
    told_change,
    told_placement,
)
from shutoko.web.views.telling import aimed_in_short, guide, how_to, in_short, spots_of, told
from shutoko.web.work.by_hand import skill_of
from shutoko.web.work.players import Rated
from shutoko.web.work.tables import table_of
from sim.game.attempts.posing import bodies
from sim.game.highway import JudgedStep
from sim.referee.adjusting import resolved
from sim.referee.explain import gifts_of
from sim.referee.placement import Adjust, Placement
from sim.referee.table import Table

if TYPE_CHECKING:
    from shutoko.export.packed import Film


_LEGAL, _ILLEGAL = "#2fae66", "#d8432b"


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
        self.panel = RoomPanel(site, who, room, colour_of, self._lines, self.show)
        self.hints: Sequence[Placement] = ()
        self.panel.told_move, self.panel.on_hints = (
            lambda move: told_placement(move, self.text),
            self._hinted,
        )
        self.panel.play = self._play

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
    def adjusts(self) -> int | None:
        """The seat that may still put its last build right, None if nobody may."""
        return self.table.lasts[-1].seat if self.table.lasts and not self.room.over else None

    @property
    def may_adjust(self) -> bool:
        """Whether the visitor built last and nobody has moved since."""
        return self.adjusts is not None and self.adjusts in self.panel.mine

    def build(self) -> None:
        """The page."""
        text = self.text
        with (
            frame(self.who, self.guide.title, wide=True, sounds=True),
            ui.element("div").classes("split"),
        ):
            with ui.element("div").classes("stage"):
                self.stage = Stage(self._shown(), self._hand, plain=self.who.plain)
                with ui.element("div").classes("badges"):
                    with ui.element("div").classes("badge").props("data-badge") as self.badge:
                        self.said = ui.label().props('role="status" aria-live="off" data-said')
                        with (
                            ui.element("details").props("data-why") as self.why,
                            ui.element("summary"),
                        ):
                            ui.label(text("why"))
                        with self.why:
                            self.reasons = ui.label()
                    self.takes = (
                        ui.label()
                        .classes("badge side")
                        .style(f"border-color: {aiming.TAKES}")
                        .props("data-takes")
                    )
                    self.opens = (
                        ui.label()
                        .classes("badge side")
                        .style(f"border-color: {aiming.OPENS}")
                        .props("data-opens")
                    )
            with ui.element("div").classes("panel"):
                self.panel.begin()
                self._controls()
                with ui.element("div").classes("line"):
                    self.slots = ui.switch(text("slots"), on_change=self._show_slots).props(
                        "dense data-slots"
                    )
                    ui.button(
                        text("look_all"), icon="center_focus_strong", on_click=self.stage.look
                    ).props("flat dense no-caps")
                    ui.button(
                        text("look_above"),
                        icon="vertical_align_bottom",
                        on_click=lambda: self.stage.look(86.0),
                    ).props("flat dense no-caps")
                self.stocks = ui.element("div").style("width: 100%")
                self.panel.end()
                with ui.expansion(text("how_to")).props("dense"):
                    ui.label(how_to(self.room.made, text)).classes("soft").style(
                        "white-space: pre-line"
                    )
        ui.keyboard(on_key=self._key, ignore=["input", "select", "textarea", "button"])
        ui.context.client.on_delete(self.room.live.hear(self._seen))

    # --- showing ----------------------------------------------------------------------------------

    def show(self, change: Change | None) -> None:
        """Shows the table; after the film of a ply, what came of it."""
        if change == "ply" and self.room.steps:
            self._tell_outcome()
        elif change in (None, "undo"):
            self.stage.show(self._shown())
        if change == "names":
            self._show_stocks()
        if change in ("ply", "undo", None):
            self.by_hand.stop()
            self.pinned, self.request, self.putting_right = False, None, False
            if self.panel.my_turn and self.table.phase == "entrances":
                usual = self.table.default_entrance(self.table.to_move)
                self.request, self.pinned = AimRequest(usual.pillar, turn=usual.toward), True
            self._fill_controls()
            self._show_stocks()
            self._show_slots()
        self._aim()

    def _play(self, n: int, film: Film | None) -> float:
        """Shows the film of ply n, in which what fell is striped until it is put back; returns its
        seconds.
        """
        step = self.room.steps[n]
        shown = bodies(table_of(step.after))
        self.stage.pulse(())
        if not isinstance(step, JudgedStep) or film is None:
            self.stage.show(shown)
            return 0.0
        self.stage.ghost((), _LEGAL)
        seconds = self.stage.play(film, shown)
        self.stage.hatch(step.verdict.fallen, seconds - MENDING, seconds)
        return seconds

    def _tell_outcome(self) -> None:
        """Lights up the crossings that earned cars with the last ply, and says who pays."""
        step = self.room.steps[-1]
        if not isinstance(step, JudgedStep):
            return
        colour = colour_of(step.entry.by)
        places = [(*place, colour) for place in aiming.scoring(self.table, step.verdict)]
        self.stage.pulse(places, None if self.room.over else 4.0)
        for payment in step.verdict.paid:
            self._tell_payment(step.entry.by, payment)

    def _tell_payment(self, payer: int, payment: Any) -> None:
        names = self.room.names
        tell(
            self.text("pays", payer=names[payer], to=names[payment.to], gifts=gifts_of(payment)),
            "warning",
        )

    def _show_stocks(self) -> None:
        self.stage.supplies(*piles(self.table))
        self.stocks.clear()
        before = table_of(self.room.steps[-1].before) if self.room.steps else None
        with self.stocks:
            stock_table(self.table, self.room.names, self.text, before)

    def _show_slots(self) -> None:
        seat = self.panel.mine[0] if self.panel.mine else None
        self.marked = self.aimed.placement if self.aimed is not None else None
        self.stage.mark(aiming.slot_bars(self.ground, seat, self.aimed) if self.slots.value else [])

    def _shown(self) -> Sequence[Any]:
        return bodies(self.ground)

    def _lines(self, n: int) -> Sequence[str]:
        step = self.room.steps[n]
        if ran_out_of_time(step.entry.extra) or not isinstance(step, JudgedStep):
            return [f"{step.player}: {self.text('time_over')}"]
        you = self.panel.mine[0] if len(self.panel.mine) == 1 else None
        return [in_short(step, self.text, you), *told(self.text.language, reasons(step))]

    # --- controls ---------------------------------------------------------------------------------

    def _controls(self) -> None:
        text = self.text
        self.box = ui.element("div").classes("card").props("data-controls")
        with self.box:
            self.choices = Choices(text, self._chose, self._typed, self._place)
            with ui.element("div").classes("line acts") as self.bar:
                self.choices.discs.move(self.bar)
                self.confirm = ui.button(text("place"), icon="check", on_click=self._place).props(
                    "unelevated no-caps data-place"
                )
                self.by_hand = ByHand(
                    self.stage, self.room, self.who, self.panel.attempt, self._held
                )
                self.drawn = ui.button(text("place_drawn"), on_click=self._build).props(
                    "flat no-caps dense data-drawn"
                )
                self.loose = ui.button(text("let_go"), on_click=self._let_go).props(
                    "flat no-caps dense"
                )
                skips = "pass_turn" if self.table.ruleset.may_pass else "no_room_left"
                self.skip = ui.button(text(skips), on_click=self._pass).props(
                    "flat no-caps dense data-pass"
                )
            with ui.element("div").classes("line"):
                self.right = ui.button(text("adjust"), icon="tune", on_click=self._adjust)
                self.right.props("flat no-caps dense data-adjust")
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
        table, mine = self.table, self.panel.my_turn
        builds = table.phase == "play" and mine and not self.putting_right
        self.choices.fill(table, acts=self.acts, builds=builds)
        self.box.set_visibility((mine or self.may_adjust) and not self.room.over)
        self.right.set_visibility(self.may_adjust and not self.putting_right)
        self.skip.set_visibility(builds)
        for control in (self.confirm, self.bar):
            control.set_visibility(self.acts)
        self.chance.fill(acts=self.acts)

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
            self.stage.show(self._shown())
            self.panel.skip()
            return
        if not self.acts or not all(abs(value) < 1000 for value in at):
            return
        if what == "aim":
            if self.pinned:
                return
        elif what == "tap":
            if isinstance(detail.get("advised"), int):
                self.panel.hints.pick(detail["advised"] - 1)
                return
            base = str(detail.get("piece") or "").partition(".")[0]
            table, chooses = self.table, self.table.phase == "play" and not self.putting_right
            if chooses and base in {point.pillar.id for point in table.base_points(table.to_move)}:
                self.choices.base.set_value(base)  # a tapped base pillar is chosen, not built upon
                return
            self.pinned = True
        elif what in ("drag", "drop"):
            self.pinned = True
        self._request_at(at)
        self._aim()
        if what in ("tap", "drop"):
            self._weigh()

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
        self.loose.set_visibility(self.pinned)
        by_hand = (
            aimed is not None
            and aimed.legal
            and not self.putting_right
            and self.by_hand.places(aimed.placement)
        )
        self.confirm.set_text(self.text("take_in_hand" if by_hand else "place"))
        self.drawn.set_visibility(by_hand)
        if aimed is None:
            self._show_other(self.room.live.now)
            return
        self.stage.ghost(aimed.pieces, _LEGAL if aimed.legal else _ILLEGAL)
        self._say(aimed_in_short(aimed, self.ground, self.text, self.room.names), aimed)
        if aimed.legal:
            colour = colour_of(self.ground.to_move)
            self.stage.pulse([(*place, colour) for place in aimed.scoring], None)
        else:
            self.stage.pulse(
                [
                    (*spot, _ILLEGAL)
                    for spot in spots_of(aimed.faults, self.ground, aimed.placement)
                ],
                None,
            )

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
            self.stage.ghost((), _LEGAL)
            self._say(
                self.text("point_table")
                if self.acts
                else ""
                if self.panel.filming
                else won_by(self.room, self.text)
            )
            return
        self.stage.ghost(aim.aimed.pieces, colour_of(aim.seat))
        self._say(
            f"{self.room.names[aim.seat]}: "
            f"{aimed_in_short(aim.aimed, self.ground, self.text, self.room.names)}"
        )

    def _say(self, said: str, aimed: Aimed | None = None) -> None:
        """Says something on the table, and of an aimed placement also why."""
        self.badge.set_visibility(bool(said))
        self.said.set_text(said)
        self.why.set_visibility(aimed is not None)
        self.badge.classes(remove="bad good")
        if aimed is not None:
            self.badge.classes(add="good" if aimed.legal else "bad")
            self.reasons.set_text("\n".join(told(self.text.language, aimed.lines)))
        else:
            self.stage.pulse(())

    def _show_sides(self) -> None:
        """Says which sides of roads the aimed placement would take and open, and marks them on the
        table if marks are shown.
        """
        change = (
            aiming.changed(self.ground, self.aimed) if self.aimed is not None else aiming.Change()
        )
        takes, opens = told_change(change, self.text)
        for label, said in ((self.takes, takes), (self.opens, opens)):
            label.set_text("\n".join(said))
            label.set_visibility(bool(said))
        if (
            self.slots.value
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
        if self.by_hand.places(aimed.placement) and not self.putting_right:
            self.pinned = True
            self.by_hand.take(aimed.placement)
            return
        await self._build()

    async def _build(self) -> None:
        """Builds what is aimed at; where the visitor does not lead it, the hand is drawn."""
        aimed = self.aimed
        if aimed is None or not aimed.legal or self.room.busy:
            return
        self.stage.ghost((), _LEGAL)
        self.confirm.set_enabled(False)
        move = aiming.adjusting(aimed.placement) if self.putting_right else aimed.placement
        await self.panel.attempt(
            self.room.play(self.who.holder, str(move), self.room.record.next_ply)
        )

    def _held(self) -> None:
        """Shows that the visitor has pieces in the hand, or no longer has."""
        holding = self.by_hand.holding
        for control in (self.confirm, self.choices.discs, self.skip, self.loose, self.drawn):
            control.set_visibility(not holding)
        if holding:
            self._say(self.by_hand.said)
            self.stage.pulse(())
        else:
            self._fill_controls()
            self._aim()

    async def _pass(self) -> None:
        await self.panel.attempt(
            self.room.play(
                self.who.holder, str(aiming.passing(self.table)), self.room.record.next_ply
            )
        )

    def _adjust(self) -> None:
        """Picks the last build up again to adjust it; letting go leaves it as it was."""
        if not self.may_adjust or self.room.busy:
            return
        last = self.table.lasts[-1]
        self.request, self.pinned, self.putting_right = aiming.adjustment(last), True, True
        self.stage.show(self._shown())
        self._fill_controls()
        self._aim()

    def _let_go(self) -> None:
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
        elif event.key == "Escape":
            self._let_go()
        elif (
            event.key.is_cursorkey
            and self.request is not None
            and self.aimed is not None
            and self.pinned
        ):
            far = 1.0 if event.modifiers.shift else 5.0
            dx = {"ArrowLeft": -far, "ArrowRight": far}.get(event.key.name, 0.0)
            dy = {"ArrowDown": -far, "ArrowUp": far}.get(event.key.name, 0.0)
            self.request = aiming.moved(self.ground, self.aimed.placement, self.request, (dx, dy))
            self._aim()

    # --- hints ------------------------------------------------------------------------------------

    def _hinted(self, found: Sequence[Rated], picked: int | None) -> None:
        """Shows the moves of a hint see-through on the table, and pins the picked one as a click
        does.
        """
        self.hints = [self.table.parse(one.move) for one in found]
        request = None if picked is None else request_for(self.hints[picked])
        if request is not None:
            self._take(request)
            self._to_place()
        elif self.request is not None and self.request.exact is not None:
            self._let_go()
        self.stage.advise(advised_pieces(self.table, self.hints, picked), ADVISED)

    def _take(self, request: AimRequest) -> None:
        """Takes a whole request and sets the controls to match it."""
        self.choices.show(request)
        self.request, self.pinned = request, True
        self._aim()
        self._weigh()
