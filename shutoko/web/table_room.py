"""The page of a room of Tokyo Highway: the table in three dimensions, and the controls that place the next piece."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from nicegui import background_tasks, ui

from rules.errors import ShutokoError
from shutoko.export.film import MENDING
from shutoko.web import aiming
from shutoko.web.aiming import Aimed, AimRequest, aim, request_for
from shutoko.web.analysis import Rated
from shutoko.web.frame import Visitor, frame, tell
from shutoko.web.plies import bare
from shutoko.web.referee import refused, told
from shutoko.web.room import Change, Room
from shutoko.web.room_panel import RoomPanel
from shutoko.web.rooms import HANDS
from shutoko.web.scene import Stage
from shutoko.web.site import Site
from shutoko.web.table_view import ADVISED, advised_pieces, colour_of, stock_table, told_change, told_placement
from sim.game.posing import bodies
from sim.languages import Sentence
from sim.referee.adjusting import resolved
from sim.referee.explain import gifts_of
from sim.referee.placement import Adjust, Placement
from sim.referee.search import allowed_discs
from sim.referee.table import Table

__all__ = ["TableRoom"]

_LEGAL, _ILLEGAL, _FELL = "#2fae66", "#d8432b", "#ff5a3c"
_SAMPLES = 24  # tries for the risk of a move: some seconds


class TableRoom:
    """One visitor's page of one room. `pinned`: the ghost stays where it is until it is dragged, or another place is tapped."""

    def __init__(self, site: Site, who: Visitor, room: Room) -> None:
        self.site, self.who, self.room, self.text = site, who, room, who.text
        self.request: AimRequest | None = None
        self.aimed: Aimed | None = None
        self.marked: Placement | None = None  # the aimed one that the marks on the sides of roads are for
        self.pinned = False
        self.putting_right = False  # the last build is being adjusted
        self.quiet = False  # the controls are being filled in by the page, not by a person
        self.panel = RoomPanel(site, who, room, colour_of, self._lines, self.show)
        self.hints: Sequence[Placement] = ()
        self.panel.told_move, self.panel.on_hints = lambda move: told_placement(move, self.text), self._hinted

    @property
    def table(self) -> Table:
        """The table as it stands."""
        table: Table = self.room.position
        return table

    @property
    def ground(self) -> Table:
        """The table that a placement is aimed at: that before the last build while it is adjusted."""
        if not self.putting_right:
            return self.table
        return resolved(self.table, Adjust(by=self.room.adjusts))[0]

    @property
    def acts(self) -> bool:
        """Whether the visitor may place something now."""
        return (self.panel.my_turn or self.putting_right) and not self.room.over

    @property
    def may_adjust(self) -> bool:
        """Whether the visitor built last and nobody has moved since."""
        return self.room.adjusts is not None and self.room.adjusts in self.panel.mine

    def build(self) -> None:
        """The page."""
        text = self.text
        plain = "plain" in self.who.query
        with frame(self.who, text("tokyo-highway"), wide=True), ui.element("div").classes("split"):
            with ui.element("div").classes("stage"):
                self.stage = Stage(self._shown(), self._hand, plain=plain)
                with ui.element("div").classes("badges"):
                    self.badge = ui.label().classes("badge").props('role="status" aria-live="off" data-badge')
                    self.takes = ui.label().classes("badge side").style(f"border-color: {aiming.TAKES}").props("data-takes")
                    self.opens = ui.label().classes("badge side").style(f"border-color: {aiming.OPENS}").props("data-opens")
            with ui.element("div").classes("panel"):
                self.panel.begin()
                self._controls()
                with ui.element("div").classes("line"):
                    self.slots = ui.switch(text("slots"), on_change=self._show_slots).props("dense data-slots")
                    ui.button(text("look_all"), icon="center_focus_strong", on_click=self._look).props("flat dense no-caps")
                    ui.button(text("look_above"), icon="vertical_align_bottom", on_click=lambda: self._look(above=True)).props(
                        "flat dense no-caps"
                    )
                self.stocks = ui.element("div").style("width: 100%")
                self.panel.end()
                with ui.expansion(text("how_to")).props("dense"):
                    ui.label(text("tokyo-highway_how")).classes("soft").style("white-space: pre-line")
        ui.keyboard(on_key=self._key, ignore=["input", "select", "textarea", "button"])

    # --- showing -------------------------------------------------------------------------------------------------------------

    def show(self, change: Change | None) -> None:
        """Shows the table; a ply that has just been made as a film."""
        if change == "ply" and self.room.steps:
            self._film()
        elif change in (None, "undo"):
            self.stage.show(self._shown())
        if change in ("ply", "undo", None):
            self.pinned, self.request, self.putting_right = False, None, False
            if self.panel.my_turn and self.table.phase == "entrances":
                usual = self.table.default_entrance(self.table.to_move)
                self.request, self.pinned = AimRequest(usual.pillar, turn=usual.toward), True
            self._fill_controls()
            self._show_stocks()
            self._show_slots()
        self._aim()

    def _film(self) -> None:
        step = self.room.steps[-1]
        verdict = step.verdict
        if verdict is None or step.film is None:
            self.stage.show(self._shown())
            return
        seconds = self.stage.play(step.film, self._shown())
        colour = colour_of(step.entry.by)
        places = [(*place, colour) for place in aiming.scoring(self.table, verdict)]
        if places:
            ui.timer(max(seconds - 1.0, 0.05), lambda: self.stage.pulse(places), once=True)
        if verdict.fallen:
            self.stage.tint(verdict.fallen, _FELL, seconds - MENDING)
            ui.timer(seconds + 2.5, lambda: self.stage.tint((), _FELL), once=True)
        for payment in verdict.paid:
            self._tell_payment(step.entry.by, payment)

    def _tell_payment(self, payer: int, payment: Any) -> None:
        names = self.room.names
        tell(self.text("pays", payer=names[payer], to=names[payment.to], gifts=gifts_of(payment)), "warning")

    def _show_stocks(self) -> None:
        self.stocks.clear()
        before = self.room.steps[-1].before if self.room.steps else None
        with self.stocks:
            stock_table(self.table, self.room.names, self.text, before)

    def _show_slots(self) -> None:
        seat = self.panel.mine[0] if self.panel.mine else None
        self.marked = self.aimed.placement if self.aimed is not None else None
        self.stage.mark(aiming.slot_bars(self.ground, seat, self.aimed) if self.slots.value else [])

    def _shown(self) -> Sequence[Any]:
        return bodies(self.ground)

    def _look(self, *, above: bool = False) -> None:
        self.stage.look_at(self._shown(), above=above)

    def _lines(self, n: int) -> Sequence[str]:
        step = self.room.steps[n]
        lines = told(self.text.language, step.lines)
        name = self.room.names[step.entry.by]
        return [f"{name}: {self.text('time_over')}", *lines] if step.entry.extra.get("x-time") else lines

    # --- controls ------------------------------------------------------------------------------------------------------------

    def _controls(self) -> None:
        text = self.text
        self.box = ui.element("div").classes("card").props("data-controls")
        with self.box:
            with ui.element("div").classes("line"):
                self.kind = ui.toggle({"build": text("build"), "exit": text("exit")}, value="build", on_change=self._chose)
                self.kind.props("dense no-caps unelevated data-kind")
                self.junction = ui.switch(text("junction"), on_change=self._chose).props("dense data-junction")
            with ui.element("div").classes("line"):
                self.base = ui.select({"": text("nearest")}, value="", label=text("base"), on_change=self._chose)
                self.base.style("flex: 1 1 7rem").props("dense data-base")
                self.discs = ui.select({0: text("auto")}, value=0, label=text("height"), on_change=self._chose)
                self.discs.style("flex: 1 1 6rem").props("dense data-height")
                self.house = ui.select([""], value="", label=text("building"), on_change=self._chose).style("flex: 1 1 7rem")
                self.house.props("dense")
                self.turn = ui.number(text("turn"), value=0, step=15, format="%.0f", on_change=self._chose)
                self.turn.style("flex: 1 1 5rem").props("dense")
            with ui.element("div").classes("line"):
                self.at = [
                    ui.number(f"{name} (mm)", step=1, on_change=self._typed).props(f"dense data-{name}") for name in "xy"
                ]
                for field in self.at:
                    field.style("flex: 1 1 5rem")
            with ui.element("div").classes("line"):
                self.confirm = ui.button(text("place"), icon="check", on_click=self._place).props(
                    "unelevated no-caps data-place"
                )
                self.loose = ui.button(text("let_go"), on_click=self._let_go).props("flat no-caps dense")
                skips = "pass_turn" if self.table.ruleset.may_pass else "no_room_left"
                self.skip = ui.button(text(skips), on_click=self._pass).props("flat no-caps dense data-pass")
            with ui.element("div").classes("line"):
                self.right = ui.button(text("adjust"), icon="tune", on_click=self._adjust)
                self.right.props("flat no-caps dense data-adjust")
            with ui.element("div").classes("line"):
                skills = {name: text(f"hand_{name}") for name in HANDS}
                self.skill = ui.select(skills, value=self.room.hand or "normal", label=text("risk_for")).style("flex: 1 1 8rem")
                self.skill.props("dense")
                self.ask = ui.button(text("risk"), icon="casino", on_click=self._risk).props("flat no-caps dense data-risk")
            self.more = ui.label().classes("soft").props('role="status" data-more')

    def _fill_controls(self) -> None:
        """What there is to choose now."""
        self.quiet = True
        table, mine = self.table, self.panel.my_turn
        phase = table.phase
        self.box.set_visibility((mine or self.may_adjust) and not self.room.over)
        self.right.set_visibility(self.may_adjust and not self.putting_right)
        for control in (self.confirm, self.ask, self.skill, *self.at):
            control.set_visibility(self.acts)
        building = phase == "play" and mine and not self.putting_right
        for control in (self.kind, self.junction, self.base, self.discs, self.skip):
            control.set_visibility(building)
        self.house.set_visibility(phase == "buildings")
        self.turn.set_visibility(phase in ("buildings", "entrances"))
        if building:
            seat = table.to_move
            points = table.base_points(seat)
            names = {"": self.text("nearest")}
            names |= {point.pillar.id: f"{point.pillar.id} ({point.pillar.discs})" for point in points}
            self.base.set_options(names, value="")
            heights = sorted({discs for point in points for discs, _ in allowed_discs(table, point.pillar)})
            self.discs.set_options({0: self.text("auto")} | {discs: str(discs) for discs in heights}, value=0)
            self.junction.set_value(False)
            self.junction.set_enabled(table.stocks[seat].yellow > 0)
            self.kind.set_value("build")
        if mine and phase == "buildings":
            kinds = list(table.components.buildings)
            self.house.set_options(kinds, value=kinds[0])
        if mine and phase == "entrances":
            self.turn.set_value(round(table.default_entrance(table.to_move).toward))
        self.more.set_text("")
        self.quiet = False

    def _chose(self) -> None:
        if not self.quiet and self.request is not None:
            self._request_at(self.request.at)
            self._aim()

    def _typed(self) -> None:
        """A place given in millimetres is kept like one that was clicked."""
        x, y = (field.value for field in self.at)
        if not self.quiet and x is not None and y is not None and self.acts:
            self.pinned = True
            self._request_at((float(x), float(y)))
            self._aim()

    def _request_at(self, at: tuple[float, float]) -> None:
        """What the controls say, at a place; an adjustment keeps all but the place."""
        if self.putting_right and self.request is not None:
            self.request = replace(self.request, at=at)
            return
        phase = self.table.phase
        self.request = AimRequest(
            at,
            kind="exit" if self.kind.value == "exit" else "build",
            base=self.base.value or None,
            discs=int(self.discs.value or 0) or None,
            junction=bool(self.junction.value),
            building=str(self.house.value or ""),
            turn=float(self.turn.value or 0.0) if phase in ("buildings", "entrances") else None,
        )

    # --- the hand ------------------------------------------------------------------------------------------------------------

    def _hand(self, detail: dict[str, Any]) -> None:
        """The pointer over the table: it leads the ghost about, pins it, or drags it."""
        try:
            what, at = str(detail["type"]), (float(detail["x"]), float(detail["y"]))
        except (KeyError, TypeError, ValueError):
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
                self.base.set_value(base)  # a tapped base pillar is chosen, not built upon
                return
            self.pinned = True
        elif what in ("drag", "drop"):
            self.pinned = True
        self._request_at(at)
        self._aim()
        if what in ("tap", "drop") and self.aimed is not None and self.aimed.legal:
            background_tasks.create_lazy(self._statics(self.aimed.placement), name=f"statics {id(self)}")

    def _aim(self) -> None:
        """The ghost, and what the referee says of what is aimed at."""
        mine = self.acts and self.request is not None
        try:
            self.aimed = aim(self.ground, self.request, self.room.names) if mine and self.request is not None else None
        except ShutokoError:
            self.aimed = None
        aimed = self.aimed
        self._show_place()
        self._show_sides()
        self.stage.ghost(aimed.pieces if aimed else (), _LEGAL if aimed and aimed.legal else _ILLEGAL)
        self.confirm.set_enabled(bool(aimed and aimed.legal))
        self.ask.set_enabled(bool(aimed and aimed.legal and self.pinned))
        self.loose.set_visibility(self.pinned)
        if aimed is None:
            hint = self.text("point_table") if self.acts else ""
            self.badge.set_text(hint)
            self.badge.classes(remove="bad good")
            self.badge.set_visibility(bool(hint))
            return
        self.badge.set_visibility(True)
        self.badge.set_text("\n".join(told(self.text.language, aimed.lines)))
        self.badge.classes(add="good" if aimed.legal else "bad", remove="bad" if aimed.legal else "good")
        colour = colour_of(self.ground.to_move)
        self.stage.pulse([(*place, colour) for place in aimed.scoring], 1.5)

    def _show_sides(self) -> None:
        """Which sides of roads the aimed placement would take and open: in words, and on the table if they are shown there."""
        change = aiming.changed(self.ground, self.aimed) if self.aimed is not None else aiming.Change()
        takes, opens = told_change(change, self.text)
        for label, said in ((self.takes, takes), (self.opens, opens)):
            label.set_text("\n".join(said))
            label.set_visibility(bool(said))
        if self.slots.value and (self.aimed.placement if self.aimed is not None else None) != self.marked:
            self._show_slots()

    def _show_place(self) -> None:
        """The millimetres of what is kept, for those who would rather type."""
        self.quiet = True
        at = self.request.at if self.request is not None and self.pinned else (None, None)
        for field, value in zip(self.at, at, strict=True):
            if field.value != value:
                field.set_value(None if value is None else round(value, 2))
        self.quiet = False

    async def _statics(self, placement: Placement) -> None:
        with self._client():
            said = await self._asked(aiming.margin, bare(self.ground), str(placement), self._engine())
            if self.aimed is not None and self.aimed.placement == placement and said:
                self.more.set_text(self.text("statics", said=said))

    async def _risk(self) -> None:
        if self.aimed is None or not self.aimed.legal:
            return
        self.ask.props("loading")
        said = await self._asked(
            aiming.risk_of, bare(self.ground), str(self.aimed.placement), str(self.skill.value), _SAMPLES, self._engine()
        )
        self.ask.props(remove="loading")
        if said:
            self.more.set_text(said)

    def _engine(self) -> str:
        return str((self.room.record.header.physics or {}).get("engine", "bullet"))

    async def _asked(self, work: Any, *arguments: Any) -> str:
        try:
            said: Sentence = await self.site.workers.run(work, *arguments)
        except ShutokoError as error:
            return refused(self.text.language, error)
        return said.told(self.text.language)

    def _client(self) -> Any:
        return self.box.client

    # --- deeds ---------------------------------------------------------------------------------------------------------------

    async def _place(self) -> None:
        aimed = self.aimed
        if aimed is None or not aimed.legal or self.room.busy:
            return
        self.stage.ghost((), _LEGAL)
        self.confirm.set_enabled(False)
        move = aiming.adjusting(aimed.placement) if self.putting_right else aimed.placement
        await self.panel.attempt(self.room.play(self.who.holder, str(move), self.room.record.next_ply))

    async def _pass(self) -> None:
        await self.panel.attempt(self.room.play(self.who.holder, str(aiming.passing(self.table)), self.room.record.next_ply))

    def _adjust(self) -> None:
        """Takes the last build into the hand again; letting go leaves it as it was."""
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
        self.more.set_text("")
        self._aim()

    async def _key(self, event: Any) -> None:
        if not event.action.keydown or not self.acts:
            return
        if event.key == "Enter":
            await self._place()
        elif event.key == "Escape":
            self._let_go()
        elif event.key.is_cursorkey and self.request is not None and self.pinned:
            far = 1.0 if event.modifiers.shift else 5.0
            dx = {"ArrowLeft": -far, "ArrowRight": far}.get(event.key.name, 0.0)
            dy = {"ArrowDown": -far, "ArrowUp": far}.get(event.key.name, 0.0)
            self.request = replace(self.request, at=(self.request.at[0] + dx, self.request.at[1] + dy), exact=None)
            self._aim()

    # --- hints ---------------------------------------------------------------------------------------------------------------

    def _hinted(self, found: Sequence[Rated], picked: int | None) -> None:
        """The moves of a hint stand see-through on the table; the one that is picked is kept as if it had been clicked."""
        self.hints = [self.table.parse(one.move) for one in found]
        request = None if picked is None else request_for(self.hints[picked])
        if request is not None:
            self._take(request)
        elif self.request is not None and self.request.exact is not None:
            self._let_go()
        self.stage.advise(advised_pieces(self.table, self.hints, picked), ADVISED)

    def _take(self, request: AimRequest) -> None:
        """Takes a whole request over and sets the controls to match it."""
        self.quiet = True
        self.kind.set_value(request.kind)
        self.base.set_value(request.base or "")
        self.discs.set_value(request.discs or 0)
        self.junction.set_value(request.junction)
        if request.building:
            self.house.set_value(request.building)
        if request.turn is not None:
            self.turn.set_value(round(request.turn))
        self.quiet = False
        self.request, self.pinned = request, True
        self._aim()
        if self.aimed is not None and self.aimed.legal:
            background_tasks.create_lazy(self._statics(self.aimed.placement), name=f"statics {id(self)}")
