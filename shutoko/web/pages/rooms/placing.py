"""The panels of a placement at a table: what is to be built, *Exact*, the chance that it stands,
and pieces led by hand.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from nicegui import background_tasks, ui

from rules.defaults import hands
from rules.errors import ShutokoError
from shutoko.web.pages.controls import Select, Toggle, loading, text_button
from shutoko.web.pages.frame import Visitor, refusals, tell, while_there
from shutoko.web.pages.rooms.pieces import Kind, building_name
from shutoko.web.rooms.room import Room
from shutoko.web.site import Site
from shutoko.web.views import (
    Aimed,
    AimRequest,
    Stage,
    aiming,
    refused,
    stock_table,
    worded,
)
from shutoko.web.work import (
    HINT,
    Grip,
)
from sim.referee.room import allowed_discs
from sim.referee.table import Table

# --- what is to be built --------------------------------------------------------------------------

FAR = 1000.0
"""How far from the middle of the table (mm) somebody may aim: nobody builds farther out."""

# mm: places are shown rounded, so a smaller difference must not overwrite what somebody is typing
_TYPED = 0.006


class Choices:
    """Create it where the controls belong. `on_choose` is called when the visitor changes one,
    `on_type` with a typed place (mm), `on_enter` for Enter in it; none is called when the page
    itself fills the controls in.
    """

    def __init__(
        self,
        text: Any,
        on_choose: Callable[[], None],
        on_type: Callable[[tuple[float, float]], None],
        on_enter: Callable[[], Any],
    ) -> None:
        self._text, self._on_choose, self._on_type, self._on_enter = (
            text,
            on_choose,
            on_type,
            on_enter,
        )
        self._filling = False
        self._place: tuple[float, float] | None = None  # the place that was shown or typed last
        with ui.element("div").classes("line"):
            self.kind = Toggle(
                {"build": text("build"), "exit": text("exit")}, value="build", on_change=self._chose
            ).props("dense no-caps unelevated data-kind")
            self.junction = ui.switch(text("junction"), on_change=self._chose).props(
                "dense data-junction"
            )
        with ui.element("div").classes("line"):
            self.base = (
                Select({"": text("nearest")}, value="", label=text("base"), on_change=self._chose)
                .style("flex: 1 1 7rem")
                .props("dense data-base")
            )
            self.discs = (
                Select({0: text("auto")}, value=0, label=text("height"), on_change=self._chose)
                .style("flex: 1 1 6rem")
                .props("dense data-height")
            )
            self.house = (
                Select([""], value="", label=text("building"), on_change=self._chose)
                .style("flex: 1 1 7rem")
                .props("dense")
            )
            self.turn = (
                ui.number(text("turn"), value=0, step=15, format="%.0f", on_change=self._chose)
                .style("flex: 1 1 5rem")
                .props("dense")
            )
        with ui.element("div").classes("line"):
            self.at = [
                ui.number(
                    f"{name} (mm)", step=1, on_change=self._typed, validation=self._why_not
                ).props(f"dense data-{name}")
                for name in "xy"
            ]
            for field in self.at:
                field.style("flex: 1 1 5rem").on("keydown.enter", self._entered).on(
                    "blur", self._left
                )

    @property
    def piece(self) -> Kind:
        """The piece that the controls say."""
        if self.kind.value == "exit":
            return "exit"
        return "yellow" if self.junction.value else "pillar"

    @property
    def building(self) -> str:
        """The kind of building that the controls say, empty where none is to be set."""
        return str(self.house.value or "")

    def fill(self, table: Table, *, acts: bool, builds: bool) -> None:
        """Shows the controls that matter on a table with what they offer.

        `acts`: the visitor may place something; `builds`: a new pillar with its road, or an exit.
        """
        self._filling = True
        phase, seat = table.phase, table.to_move
        for field in self.at:
            field.set_visibility(acts)
        for control in (self.kind, self.junction, self.base, self.discs):
            control.set_visibility(builds)
        self.house.set_visibility(acts and phase == "buildings")
        self.turn.set_visibility(acts and phase in ("buildings", "entrances"))
        if builds:
            points = table.base_points(seat)
            names = {"": self._text("nearest")}
            names |= {
                point.pillar.id: f"{point.pillar.id} ({point.pillar.discs})" for point in points
            }
            self.base.set_options(names, value="")
            heights = sorted(
                {discs for point in points for discs, _ in allowed_discs(table, point.pillar)}
            )
            self.discs.set_options(
                {0: self._text("auto")} | {discs: str(discs) for discs in heights}, value=0
            )
            self.junction.set_value(False)
            self.junction.set_enabled(table.stocks[seat].yellow > 0)
            self.kind.set_value("build")
        if acts and phase == "buildings":
            kinds = {kind: building_name(kind, self._text) for kind in table.buildings_left}
            self.house.set_options(kinds, value=next(iter(kinds)))
            self.turn.set_value(0)
        if acts and phase == "entrances":
            self.turn.set_value(round(table.default_entrance(seat).toward))
        self._filling = False

    def turn_by(self, degrees: float) -> None:
        """Turns a building or an entrance; that is a choice of the visitor's."""
        self.turn.set_value((float(self.turn.value or 0.0) + degrees) % 360.0)

    def request(self, at: tuple[float, float], phase: str) -> AimRequest:
        """What the controls say, at a place (mm)."""
        return AimRequest(
            at,
            kind="exit" if self.kind.value == "exit" else "build",
            base=self.base.value or None,
            discs=int(self.discs.value or 0) or None,
            junction=bool(self.junction.value),
            building=self.building,
            turn=float(self.turn.value or 0.0) if phase in ("buildings", "entrances") else None,
        )

    def take(self, kind: str, *, junction: bool, discs: int = 0) -> None:
        """Sets what is to be built, and how many discs it has (0: as fits) without calling
        `on_choose`.
        """
        self._filling = True
        self.kind.set_value(kind)
        self.junction.set_value(junction)
        self.discs.set_value(discs if discs in self.discs.options else 0)
        self._filling = False

    def show(self, request: AimRequest) -> None:
        """Sets the controls to match a request."""
        self._filling = True
        self.kind.set_value(request.kind)
        self.base.set_value(request.base if request.base in self.base.options else "")
        self.discs.set_value(request.discs if request.discs in self.discs.options else 0)
        self.junction.set_value(request.junction)
        if request.building:
            self.house.set_value(request.building)
        if request.turn is not None:
            self.turn.set_value(round(request.turn))
        self._filling = False

    def show_place(self, at: tuple[float, float] | None) -> None:
        """Shows where the pinned placement is in millimetres, for those who prefer to type; None:
        nothing is pinned.

        The same place again changes nothing: what is half typed stays while others move or the
        pointer passes the table.
        """
        if at == self._place:
            return
        self._place, self._filling = at, True
        for field, value in zip(self.at, at or (None, None), strict=True):
            if value is None or field.value is None or abs(field.value - value) > _TYPED:
                field.set_value(None if value is None else round(value, 2))
        self._filling = False

    def _chose(self) -> None:
        if not self._filling:
            self._on_choose()

    def _why_not(self, value: float | None) -> str | None:
        far = value is not None and abs(value) > FAR
        return str(self._text("place_far", mm=FAR)) if far else None

    def _given(self) -> tuple[float, float] | None:
        """The place in the fields; None while it is half typed, or out of this world."""
        x, y = (field.value for field in self.at)
        return None if x is None or y is None or max(abs(x), abs(y)) > FAR else (float(x), float(y))

    def _typed(self) -> None:
        if not self._filling and (given := self._given()) is not None:
            self._place = given
            self._on_type(given)

    def _entered(self) -> Any:
        """Takes Enter where a whole place stands; half of one must not build where the pointer
        happened to be.
        """
        return None if self._given() is None else self._on_enter()

    def _left(self) -> None:
        """Writes the place that still counts into fields that were left without one."""
        if self._place is not None and self._given() is None:
            place, self._place = self._place, None
            self.show_place(place)


# --- *Exact*, the part of the menu for those who type and for screen readers ----------------------


class Numbers:
    """Create it where it belongs: marks for the free sides of roads, the table from above, and what
    everybody has left as numbers. `slots` and `above` are called when somebody asks for them.
    """

    def __init__(self, text: Any, slots: Callable[[], Any], above: Callable[[], Any]) -> None:
        self._text = text
        with ui.element("div").classes("line"):
            self.slots = ui.switch(text("slots"), on_change=slots).props("dense data-slots")
            text_button(text("look_above"), above, "flat dense")
        self._stocks = ui.element("div").style("width: 100%")

    def show_stocks(self, table: Table, names: Sequence[str], before: Table | None = None) -> None:
        """Shows the stocks as numbers, with what the last ply changed."""
        self._stocks.clear()
        with self._stocks:
            stock_table(table, names, self._text, before)


class Exact:
    """Create it where it belongs on the page. `fields` and `chance` are the places for what is to
    be built and for the chance that it stands; `deeds` are called by the names of the buttons and
    switches. `skips` is the message of the button that passes the turn.
    """

    def __init__(self, text: Any, skips: str, deeds: Mapping[str, Callable[[], Any]]) -> None:
        self.box = ui.element("div").classes("panel").props("data-controls")
        with self.box:
            self.fields = ui.element("div").classes("panel")
            with ui.element("div").classes("line"):
                self.drawn = text_button(
                    text("place_drawn"), deeds["drawn"], "outline dense data-drawn"
                )
                self.loose = text_button(
                    text("choose_again"), deeds["loose"], "flat dense data-choose-again"
                )
                self.skip = text_button(text(skips), deeds["skip"], "flat dense data-pass")
                self.right = text_button(
                    text("adjust"), deeds["right"], "flat dense data-adjust", icon="tune"
                )
            self.for_me = ui.switch(text("always_for_me"), on_change=deeds["for_me"]).props(
                "dense data-for-me"
            )
            self.chance = ui.element("div").classes("panel")
            self.in_full = (
                ui.label().classes("soft").style("white-space: pre-line").props("data-in-full")
            )
            self._takes, self._opens = (
                ui.label().classes("badge side").props(mark).style(f"border-color: {colour}")
                for mark, colour in (("data-takes", aiming.TAKES), ("data-opens", aiming.OPENS))
            )
        numbers = Numbers(text, deeds["slots"], deeds["above"])
        self.slots, self.show_stocks = numbers.slots, numbers.show_stocks

    def show_sides(self, takes: Sequence[str], opens: Sequence[str]) -> None:
        """Says which sides of roads the aimed placement would take, and which it would open."""
        for label, said in ((self._takes, takes), (self._opens, opens)):
            label.set_text("\n".join(said))
            label.set_visibility(bool(said))


# --- the chance -----------------------------------------------------------------------------------

_SAMPLES = 24  # tries for an answer: some seconds
_FEW = 8  # tries behind the ring
_AROUND, _ABOVE = 5.0, 0.8  # mm from the rim of a disc, and above the table
_SURE, _LIKELY = 0.9, 0.6
_GREEN, _AMBER, _RED = "#2fae66", "#e8951c", "#d8432b"


class Chance:
    """Create it where its controls belong. `skill` is how well the visitor's hand places, None for
    a steady one; `on_told` is called when an answer is there.
    """

    def __init__(
        self,
        site: Site,
        who: Visitor,
        room: Room,
        stage: Stage,
        skill: str | None,
        on_told: Callable[[], None],
    ) -> None:
        self._site, self._who, self._room, self._stage, self._skill = site, who, room, stage, skill
        self._on_told, self._text = on_told, who.text
        self._aimed: Aimed | None = None
        self._table: Table | None = None
        self._shown: Any = None
        self._said: Any = None  # the placement that the words are about
        # whether they are the longer answer, which a late answer of statics must not replace
        self._asked_for = False
        with ui.element("div").classes("line"):
            skills = {name: worded(self._text, f"hand_{name}", name) for name in hands(room.made)}
            self._asked = (
                Select(skills, value=skill or "normal", label=self._text("risk_for"))
                .style("flex: 1 1 8rem")
                .props("dense")
            )
            self._ask = text_button(
                self._text("risk"), self._told, "flat dense data-risk", icon="casino"
            )
        self._more = ui.label().classes("soft").props('role="status" data-more')

    def fill(self, *, acts: bool) -> None:
        """Shows the controls to whoever may place something."""
        self._asked.set_visibility(acts)
        self._ask.set_visibility(acts)
        self.clear()

    def clear(self) -> None:
        """Says nothing."""
        self._say("", None)
        self._ring(None)

    def about(self, aimed: Aimed | None, table: Table) -> None:
        """The placement that is kept on a table, None if none is. What was said of another one no
        longer counts.
        """
        self._aimed, self._table = aimed, table
        self._ask.set_enabled(aimed is not None and aimed.legal)
        if self._shown is not None and (aimed is None or self._shown != aimed.placement):
            self._ring(None)
        if self._said is not None and (aimed is None or self._said != aimed.placement):
            self._say("", None)

    async def weigh(self) -> None:
        """Shows the answer of statics, and draws a ring: empty at first, then filled by the share
        of tries that succeed.
        """
        aimed, table = self._aimed, self._table
        if aimed is None or not aimed.legal:
            return
        engine, move = self._room.position.engine, str(aimed.placement)
        with self._more.client:
            self._ring(aimed, 0.0, _AMBER)
            said = await self._run(aiming.margin, table, move, engine)
            if not self._is_of(aimed):
                return
            if said is not None and not (self._asked_for and self._said == aimed.placement):
                self._say(self._text("statics", said=said.told(self._text.language)), aimed)
            if self._skill is None:
                return
            share = await self._run(aiming.chance, table, move, self._skill, _FEW, engine)
            if share is not None and self._is_of(aimed):
                self._ring(
                    aimed, share, _GREEN if share >= _SURE else _AMBER if share >= _LIKELY else _RED
                )

    async def _told(self) -> None:
        aimed = self._aimed
        if aimed is None or not aimed.legal:
            return
        asked = (
            self._table,
            str(aimed.placement),
            str(self._asked.value),
            _SAMPLES,
            self._room.position.engine,
        )
        with loading(self._ask):
            said = await self._run(aiming.risk_of, *asked)
        if not self._is_of(aimed):
            return
        if said is not None:
            self._say(said.told(self._text.language), aimed, asked_for=True)
        self._on_told()

    async def _run(self, work: Any, *arguments: Any) -> Any:
        """What a worker answers; None if that was refused, and then the page says why."""
        try:
            return await while_there(
                self._site.workers.run(work, *arguments, kind=HINT, who=self._who.counted)
            )
        except ShutokoError as error:
            self._say(refused(self._text.language, error), self._aimed)
            return None

    def _say(self, words: str, about: Aimed | None, *, asked_for: bool = False) -> None:
        self._more.set_text(words)
        self._said, self._asked_for = (None if about is None else about.placement), asked_for

    def _is_of(self, aimed: Aimed) -> bool:
        return self._aimed is not None and self._aimed.placement == aimed.placement

    def _ring(self, aimed: Aimed | None, share: float = 0.0, colour: str = "") -> None:
        place = None if aimed is None or self._skill is None else aiming.place_of(aimed.placement)
        self._shown = None if place is None or aimed is None else aimed.placement
        if place is None or aimed is None:
            self._stage.ring(None)
        elif self._table is not None:
            self._stage.ring(
                (*place, _ABOVE, self._table.components.disc_radius + _AROUND),
                share,
                colour,
                self._word(share, colour),
            )

    def _word(self, share: float, colour: str) -> str:
        """What the ring says: nothing until the tries are made."""
        if colour == _AMBER and not share:
            return ""
        word = "safe" if colour == _GREEN else "shaky" if colour == _AMBER else "falls"
        return str(self._text(f"ring_{word}"))


# --- by hand --------------------------------------------------------------------------------------

HEARD = ("next", "placed", "put-back")
"""The types of what the stage tells about pieces in the hand."""

_TURN = 2  # degrees for a press of a button


class ByHand:
    """Create it where its buttons belong. `grip` takes the pieces of a move, by its text, and may
    refuse to; `on_placed` goes on with the move and with how its pieces were led. `on_change` is
    called when pieces are taken into the hand and when they have left it.
    """

    def __init__(
        self,
        stage: Stage,
        text: Any,
        grip: Callable[[str], Grip],
        on_placed: Callable[[str, list[Any]], Awaitable[None]],
        on_change: Callable[[], None],
    ) -> None:
        self._stage, self._text, self._grip, self._on_placed, self._on_change = (
            stage,
            text,
            grip,
            on_placed,
            on_change,
        )
        self._move: str | None = None  # what is in the hand
        self._part, self._parts = 0, 0
        with ui.element("div").classes("in-hand") as self._bar:
            ui.label(text("hand_yours")).classes("trembles").props('aria-hidden="true"')
            ui.element("div").classes("tremble").props(
                f'role="meter" aria-label="{text("tremble")}" aria-valuemin="0" '
                'aria-valuemax="100" aria-valuenow="0" data-tremble'
            )
            for name, icon, way in (
                ("hand_left", "rotate_left", _TURN),
                ("hand_right", "rotate_right", -_TURN),
            ):
                ui.button(icon=icon).classes("float").props(
                    f'flat round aria-label="{text(name)}" data-turn="{way}"'
                ).on("click", js_handler=f"() => shutokoHand.twist({way})")
            lower = text_button(text("hand_lower"), None, "unelevated data-lower", icon="south").on(
                "pointerdown", js_handler="() => shutokoHand.lower(true)"
            )
            for over in ("pointerup", "pointerleave", "pointercancel"):
                lower.on(over, js_handler="() => shutokoHand.lower(false)")
            for name, mark, deed in (
                ("hand_let_go", "data-drop", "letGo"),
                ("hand_put_back", "data-put-back", "putBack"),
            ):
                text_button(text(name), None, f"flat dense {mark}").classes("float").on(
                    "click", js_handler=f"() => shutokoHand.{deed}()"
                )
        self._bar.set_visibility(False)

    @property
    def holding(self) -> bool:
        """Whether the visitor has pieces in the hand."""
        return self._move is not None

    @property
    def said(self) -> str:
        """What to do with the piece in the hand."""
        return str(self._text("hand_road" if self._part == self._parts - 1 else "hand_pillar"))

    def take(self, move: str, tray: tuple[float, float]) -> None:
        """Takes the pieces of a move off a tray (mm) into the hand, or says why not."""
        with refusals(self._text):
            grip = self._grip(move)
            self._move, self._part, self._parts = grip.text, 0, len(grip.held)
            self._stage.hold([(held.pieces, held.tremble.to_json()) for held in grip.held], tray)
            self._changed()

    def put_down(self) -> None:
        """Puts back what is in the hand, as the table has changed meanwhile, and says so."""
        if self._move is not None:
            self._move = None
            self._stage.put_back()
            tell(self._text("hand_ended"), "info")
            self._changed()

    def heard(self, detail: dict[str, Any]) -> None:
        """Goes on with what the stage tells."""
        if self._move is None:
            return
        if detail["type"] == "next":
            self._part = min(self._part + 1, self._parts - 1)
        else:
            move, self._move = self._move, None
            traces = detail.get("traces")
            if detail["type"] == "placed" and isinstance(traces, list):
                background_tasks.create_lazy(self._placed(move, traces), name=f"by hand {id(self)}")
        self._changed()

    async def _placed(self, move: str, traces: list[Any]) -> None:
        with self._bar.client:
            await self._on_placed(move, traces)

    def _changed(self) -> None:
        self._bar.set_visibility(self.holding)
        self._on_change()
