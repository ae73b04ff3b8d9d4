"""The page on which a photo is marked: the photo with its marks and wire model, what is being
marked, and then the verdict.

Each deed on the photo comes from `static/photo.js`, makes a new draft and is shown at once. The
wire model follows as soon as a worker has it, always for the newest marks.
"""

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from html import escape
from typing import Any

from nicegui import events, ui

from rules.errors import ShutokoError
from shutoko.extras import missing
from shutoko.web.pages.controls import Select, Toggle, icon_button, loading, text_button
from shutoko.web.pages.frame import Visitor, frame, refusals, while_there
from shutoko.web.pages.photo.finding import PhotoFinding
from shutoko.web.pages.photo.verdict import PhotoCorrection, PhotoVerdict, tones
from shutoko.web.photos import HeldPhoto
from shutoko.web.site import Site
from shutoko.web.views import (
    colour_name,
    colour_of,
)
from shutoko.web.work import (
    GLIMPSE,
    SETTLE,
    Glimpse,
    SettledPhoto,
    Wire,
    glimpsed,
    settled,
)
from sim.assets import names
from sim.photo.drafting import SHEETS, Draft, offered

# --- the page -------------------------------------------------------------------------------------

_MODES = ("mark", "move", "order", "sheet")
_FEW = 4  # roads; with fewer there is nothing to show yet


def to_noted(noted: str, text: Any) -> None:
    """The way back to the game whose table a photo shows."""
    ui.link(text("photo_to_noted"), f"/note/{noted}").classes("soft").props("data-to-noted")


class Marking:
    """One visitor's page of one photo. `mode` says what a tap does: it marks ends, moves marks,
    puts roads in order, or marks the corners of a sheet. `glimpse` is the wire model of the marks,
    `settled` the verdict that is shown; None without one.
    """

    def __init__(self, site: Site, who: Visitor, held: HeldPhoto) -> None:
        self.site, self.who, self.held, self.text = site, who, held, who.text
        self.mode = "mark"
        self.end = 1  # of the picked road, the one that arrow keys move
        self.next_place = 0  # in the building order, while roads are tapped in turn
        self.whole = True  # another colour is for the whole chain of a road
        self.glimpse: Glimpse | None = None
        self.settled: SettledPhoto | None = None
        self.finding = PhotoFinding(self)
        self._stale = False
        self._drawn: tuple[Draft, str] | None = None  # of what the colours and the road were made
        self._task: asyncio.Task[None] | None = None

    @property
    def draft(self) -> Draft:
        """The marks so far."""
        return self.held.draft

    def build(self) -> None:
        """The page."""
        text, image = self.text, self.draft.image
        with frame(self.who, text("photo"), wide=True), ui.element("div").classes("split"):
            with ui.element("div").classes("snapped"):
                called = text("photo_view")
                self.view = (
                    ui.element("div")
                    .classes("snap")
                    .props(f'tabindex="0" role="application" aria-label="{called}" data-snap')
                    .on("deed", self._deed, js_handler="(e) => emit(e.detail)")
                )
                with ui.element("div").classes("zooms"):
                    for icon, key, script in (
                        ("zoom_in", "photo_nearer", "zoom(1.6)"),
                        ("zoom_out", "photo_further", "zoom(1 / 1.6)"),
                        ("fit_screen", "photo_whole", "fit()"),
                    ):
                        icon_button(icon, text(key), None).on(
                            "click",
                            js_handler=f"() => getHtmlElement({self.view.id}).snap.{script}",
                        )
            with ui.element("div").classes("panel"):
                self.status = (
                    ui.label()
                    .classes("status")
                    .props('role="status" aria-live="polite" data-status')
                )
                if self.held.noted:
                    to_noted(self.held.noted, text)
                self.panel = ui.element("div").classes("panel")
                with self.panel:
                    self._tools()
                self.verdict = PhotoVerdict(self.site, self.who, self.held, self.show)
                self.correction = PhotoCorrection(self.site, self.who, self.held, self.show)
        self.view.client.on_connect(lambda: self._connected(image.width, image.height))

    def _tools(self) -> None:
        text = self.text
        self.said = ui.label().props('role="status" data-proposed')
        self.said.set_visibility(False)
        self.finding.build()
        self.hidden = text_button(
            text("photo_hidden"),
            lambda: self.change(lambda draft: draft.skipped()),
            "flat dense data-hidden",
            icon="visibility_off",
        )
        self.drawing = ui.html("", sanitize=False).classes("noted_table").props("data-noted-table")
        self.colours = (
            ui.element("div")
            .classes("line")
            .props(f'role="group" aria-label="{text("photo_colour")}"')
        )
        self.road = ui.element("div").classes("card").props("data-road")
        modes = {mode: text(f"photo_mode_{mode}") for mode in _MODES}
        self.modes = (
            Toggle(
                modes, value=self.mode, on_change=lambda event: self._choose_mode(str(event.value))
            )
            .props("no-caps unelevated dense data-modes")
            .style("flex-wrap: wrap")
        )
        self.gauge = Select(
            {name: text(f"photo_sheet_{name}") for name in SHEETS},
            value=self.draft.gauge,
            label=text("photo_mode_sheet"),
        ).on_value_change(lambda event: self.change(lambda draft: draft.on_gauge(str(event.value))))
        usual, *others = names("components")
        boxes = {one: text(f"tokyo-highway_value_{one}") for one in (usual, *others)}
        self.box = (
            Select(boxes, value=self.draft.components or usual, label=text("components"))
            .props("dense data-box")
            .on_value_change(
                lambda event: self.change(lambda draft: replace(draft, components=str(event.value)))
            )
        )
        self.box.set_visibility(self.held.before is None and not self.held.noted)
        self.found = ui.label().classes("soft").props('data-found role="status"')
        self.compares = ui.checkbox(text("photo_compare"), value=True).props("dense data-compare")
        self.compares.set_visibility(self.held.before is None and not missing("photo"))
        with ui.element("div").classes("pair acts"):
            settle = text("photo_compare_noted" if self.held.noted else "photo_settle")
            self.settle = text_button(settle, self._settle, "unelevated data-settle", icon="gavel")
            self.back = text_button(text("photo_undo"), self._undo, "flat data-undo", icon="undo")
        with ui.element("div").classes("line"):
            text_button(text("photo_marks_file"), self._download, "flat dense", icon="download")
            text_button(text("photo_delete"), self._delete, "flat dense data-delete", icon="delete")
        ui.label(text("photo_private")).classes("soft")

    def _connected(self, width: int, height: int) -> None:
        self._run(
            f"shutoko_photo({self.view.id}, '/photo/{self.held.id}/picture.jpg', {width}, {height})"
        )
        if self.settled is not None:  # the browser was away for a moment
            self._send()
            return
        self.show()
        self.wake()

    def _run(self, script: str) -> None:
        """Runs a script in the browser, whatever element the handler belonged to: it may be gone by
        now.
        """
        _ = self.view.client.run_javascript(script)

    # --- deeds ------------------------------------------------------------------------------------

    def _deed(self, event: events.GenericEventArguments) -> None:
        given = event.args if isinstance(event.args, dict) else {}
        if self.settled is not None:
            return
        try:
            at = tuple(float(number) for number in given.get("at", ()))
            kind, slack = given.get("kind"), float(given.get("slack", 0.0))
            road, end = int(given.get("road", -1)), int(given.get("end", 0))
        except (TypeError, ValueError):
            return
        known = 0 <= road < len(self.draft.roads) and end in (0, 1)
        if kind == "tap" and len(at) == 2:
            self._tap((at[0], at[1]), slack)
        elif kind == "move" and known and len(at) == 2:
            self.end = end
            self.change(lambda draft: draft.moved(road, end, (at[0], at[1])))
        elif kind == "pick" and known:
            self.end = end
            self.change(lambda draft: draft.looking_at(road))

    def _tap(self, at: tuple[float, float], slack: float) -> None:
        if self.mode == "mark":
            self.end = 1
            self.change(lambda draft: draft.tapped(at))
        elif self.mode == "sheet":
            self.change(lambda draft: draft.cornered(at))
        else:
            road = self.draft.nearest(at, slack)
            if road is None and self.mode == "move":
                self.finding.missing(at)
            elif road is None:
                return
            elif self.mode == "move":
                self.change(lambda draft: draft.looking_at(road))
            elif road >= self.next_place:
                self.finding.proposal = None  # who tells the order has the roads
                place, self.next_place = self.next_place, self.next_place + 1
                self.change(lambda draft: draft.placed(road, place))

    def change(self, deed: Callable[[Draft], Draft]) -> None:
        """Goes on with what a deed makes of the draft, or says why it cannot be done."""
        with refusals(self.text, self.refuse):
            before = self.draft
            self.held.change(deed(before))
            self.finding.remember(before)
            self.tell("")
        self.show()
        self.wake()

    def tell(self, said: str) -> None:
        """Says something beside the photo: a notice would lie on what it speaks of."""
        self.said.set_text(said)
        self.said.set_visibility(bool(said))
        self.said.classes(add="soft", remove="trouble")

    def refuse(self, why: str) -> None:
        """Says why something cannot be done; what was asked for is drawn as it is."""
        self.tell(why)
        self._drawn = None
        self.said.classes(add="trouble", remove="soft")

    def _undo(self) -> None:
        self.next_place = max(self.next_place - (self.mode == "order"), 0)
        self.held.undo()
        self.finding.recall()
        self.show()
        self.wake()

    def _choose_mode(self, mode: str) -> None:
        self.mode, self.next_place = mode, 0
        self.show()

    def _download(self) -> None:
        ui.download(json.dumps(self.draft.to_json(), indent=1).encode(), "marks.json")

    def _delete(self) -> None:
        self.site.photos.forget(self.held.id)
        ui.navigate.to("/photo")

    # --- the wire model ---------------------------------------------------------------------------

    def wake(self) -> None:
        """Has the wire model made anew, now or when the one that is being made is done."""
        self._stale = True
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._follow())

    async def _follow(self) -> None:
        with self.view.client:
            while self._stale:
                self._stale = False
                await self.finding.again()
                draft, said = self.draft, ""
                if len(draft.roads) < _FEW:
                    self.glimpse, said = None, self.text("photo_more_roads", n=len(draft.roads))
                else:
                    said = await self._glimpsed(draft)
                if self.view.is_deleted:
                    return
                self.found.set_text(said)
                if not self._stale and self.settled is None:
                    self._send()

    async def _glimpsed(self, draft: Draft) -> str:
        camera = None if self.glimpse is None else self.glimpse.camera
        try:
            draft.marks()
            data = json.dumps(draft.to_json()).encode()
            run = self.site.workers.run(glimpsed, data, camera, kind=GLIMPSE, who=self.who.counted)
            self.glimpse = await while_there(run)
        except ShutokoError as error:
            self.glimpse = None
            return str(error)
        return self.text("photo_found", pixels=round(self.glimpse.pixels, 1))

    async def _settle(self) -> None:
        """The verdict, or what the photo changes in a game that was noted, takes the place of the
        tools.
        """
        with refusals(self.text, self.refuse):
            with loading(self.settle):
                said = await (self._compared if self.held.noted else self._judged)()
            self.panel.set_visibility(False)
            self.status.set_text(said)
            self._run("document.querySelector('.snapped + .panel').scrollTo(0, 0)")

    def _marked(self) -> tuple[bytes, bytes | None]:
        """The marks, and the photo if they are to be compared with it. Raises InputError."""
        self.draft.marks()
        data = json.dumps(self.draft.to_json()).encode()
        return data, self.held.jpeg if self.compares.visible and self.compares.value else None

    async def _judged(self) -> str:
        """Shows the verdict; returns its headline."""
        data, jpeg = self._marked()
        asked = (settled, data, self.text.language, self.held.before, jpeg)
        run = self.site.workers.run(*asked, kind=SETTLE, who=self.who.counted)
        self.settled = found = await while_there(run)
        self.held.record = None if found.unplayable else found.record
        self._send()
        return self.verdict.show(found)

    async def _compared(self) -> str:
        """Shows what the photo changes in the game that was noted; returns its headline."""
        return await self.correction.read(*self._marked())

    # --- what is shown ----------------------------------------------------------------------------

    def show(self) -> None:
        """The marks and what can be done with them; a verdict is gone, as the marks may have
        changed.
        """
        draft, self.settled = self.draft, None
        self.verdict.hide()
        self.correction.hide()
        self._show_plan()
        self.panel.set_visibility(True)
        self.status.set_text(self._what_next())
        self.back.set_enabled(bool(self.held.past))
        self.settle.set_enabled(len(draft.roads) > 0)
        self.gauge.set_visibility(self.mode == "sheet")
        if self._drawn != (draft, self.mode):  # a button that is drawn anew loses a click
            self._drawn = draft, self.mode
            self._show_colours()
            self._show_road()
        self.finding.ask()
        self._send()

    def _what_next(self) -> str:
        draft, text = self.draft, self.text
        if self.mode == "mark" and draft.plan:
            road = draft.plan[0]
            foot = road.feet[0 if draft.first is None else 1]
            where = text("photo_plan_table") if foot is None else text("photo_plan", n=foot.discs)
            step = "photo_plan_first" if draft.first is None else "photo_plan_second"
            colour = colour_name(road.owner, text)
            return str(text(step, colour=colour, road=road.name, where=where))
        if self.mode == "mark":
            if draft.first is not None:
                return str(text("photo_next_second"))
            if draft.old and draft.old == len(draft.roads) and not draft.again:
                return str(text("photo_next_since", colour=colour_name(draft.owner, text)))
            fresh = not any(road.owner == draft.owner for road in draft.roads)
            return str(
                text(
                    "photo_next_ramp" if fresh else "photo_next_first",
                    colour=colour_name(draft.owner, text),
                )
            )
        if self.mode == "order":
            return str(text("photo_next_order", n=self.next_place + 1))
        found = self.mode == "move" and self.finding.proposal is not None
        return str(text(f"photo_next_{'found' if found else self.mode}", n=len(draft.sheet)))

    def _show_plan(self) -> None:
        """The table as it was noted, with the road that is to be tapped."""
        plan = self.draft.plan if self.mode == "mark" else ()
        self.hidden.set_visibility(bool(plan))
        self.drawing.set_visibility(bool(plan))
        self.drawing.set_content(self.correction.drawn(plan[0].name) if plan else "")

    def _show_colours(self) -> None:
        draft, text = self.draft, self.text
        looked_at = draft.picked if self.mode == "move" else None
        owner = draft.owner if looked_at is None else draft.roads[looked_at].owner
        self.colours.clear()
        self.colours.set_visibility(not draft.plan or self.mode != "mark")
        with self.colours:
            for seat in range(draft.players):
                picked = seat == owner
                (
                    ui.element("button")
                    .classes("swatch" + " picked" * picked)
                    .style(f"background: {colour_of(seat)}")
                    .props(
                        f'type="button" aria-label="{colour_name(seat, text)}" '
                        f'aria-pressed="{str(picked).lower()}"'
                    )
                    .props(f'data-colour="{seat}"')
                    .on("click", lambda seat=seat: self._colour(seat))
                )
            Select({n: text("photo_players", n=n) for n in (2, 3, 4)}, value=draft.players).props(
                f'dense borderless aria-label="{text("players")}"'
            ).on_value_change(
                lambda event: self.change(lambda draft: draft.seated(int(event.value)))
            )

    def _colour(self, seat: int) -> None:
        """The colour of the roads that come next; where marks are moved, also that of the road that
        is looked at, with its chain if that is asked for.
        """
        picked = self.draft.picked
        if self.mode == "move" and picked is not None:
            deed = Draft.recoloured if self.whole else Draft.coloured
            self.change(lambda draft: deed(draft, picked, seat).of_colour(seat))
        else:
            self.change(lambda draft: draft.of_colour(seat))

    def _show_road(self) -> None:
        """The road that is looked at: the discs under its two ends."""
        draft, text, index = self.draft, self.text, self.draft.picked
        self.road.set_visibility(index is not None)
        self.road.clear()
        if index is None:
            return
        with self.road:
            with ui.element("div").classes("line"):
                ui.label(text("photo_road", road=draft.names()[0][index], n=index + 1)).classes(
                    "grow"
                )
                icon_button(
                    "delete",
                    text("photo_remove"),
                    lambda: self.change(lambda draft: draft.without(index)),
                    "flat round dense data-remove",
                )
            if self.mode == "move" and (chain := len(draft.chain(index))) > 1:
                ui.checkbox(text("photo_chain", n=chain), value=self.whole).props(
                    "dense data-chain"
                ).bind_value_to(self, "whole")
            for end in (0, 1):
                self._show_foot(index, end)

    def _show_foot(self, road: int, end: int) -> None:
        draft, text, discs = self.draft, self.text, self.draft.discs(road, end)
        foot = draft.roads[road].feet[end]
        with ui.element("div").classes("foot").props(f'data-foot="{end}"'):
            ui.label("①②"[end])
            with ui.element("div").classes("counts").props(f'data-discs="{discs}"'):
                for count in offered(discs):
                    ui.button(
                        str(count),
                        on_click=lambda count=count: self.change(
                            lambda d: d.counted(road, end, count)
                        ),
                    ).props(
                        f"{'unelevated' if count == discs else 'flat'} round dense "
                        f'aria-label="{escape(text("photo_count", n=count))}" '
                        f'aria-pressed="{str(count == discs).lower()}" data-count="{count}"'
                    )
            called = (
                text("photo_on_table")
                if foot is None
                else text("photo_discs", n=discs, pillar=draft.names()[1][foot])
            )
            ui.label(called).classes("of soft")
            if foot is not None:
                ui.checkbox(text("photo_yellow"), value=draft.pillars[foot].junction).props(
                    "dense data-yellow"
                ).on_value_change(
                    lambda event: self.change(
                        lambda d: d.yellowed(road, end, junction=bool(event.value))
                    )
                )
                icon, key = (
                    ("call_split", "photo_part")
                    if draft.shared(road, end)
                    else ("call_merge", "photo_join")
                )
                icon_button(
                    icon, text(key), lambda: self.change(lambda d: d.parted(road, end))
                ).tooltip(text(key))

    def _send(self) -> None:
        """Has the photo show the marks and the wire model, coloured by the verdict if there is
        one.
        """
        verdict = self.settled
        draft, names = self.draft, self.draft.names()[0]
        shades, cars = (
            tones(verdict),
            {} if verdict is None else {road.id: road.cars for road in verdict.roads},
        )
        wires: tuple[Wire, ...] = () if self.glimpse is None else self.glimpse.wires
        wires = wires if verdict is None else verdict.wires
        far = () if self.glimpse is None or verdict is not None else self.glimpse.far_off
        proposal = self.finding.proposal if verdict is None else None
        hard = set() if proposal is None else proposal.hard()
        feet = set() if proposal is None else proposal.hard_feet()
        roads = []
        for index, (road, name) in enumerate(zip(draft.roads, names, strict=True)):
            number = str(index + 1) if self.mode == "order" and verdict is None else ""
            picked = index == draft.picked and verdict is None
            shown = {
                "ends": road.ends,
                "colour": colour_of(road.owner),
                "picked": picked,
                "far": name in far,
                "hard": [(at, draft.discs(index, end)) in feet for end, at in enumerate(road.ends)],
            }
            earned = str(cars[name]) if cars.get(name) else ""
            shown |= {
                "name": f"{name}: {earned}" if earned else number or name,
                "short": earned or number,
            }
            shown |= {"tone": "doubtful" if road.ends in hard else shades.get(name, "")}
            roads.append(shown)
        lines = [
            (
                [list(point) for point in wire.points],
                shades.get(wire.id, "wrong" if wire.id in far else ""),
            )
            for wire in wires
        ]
        mode = "look" if verdict is not None else self.mode
        state: dict[str, Any] = {
            "mode": mode,
            "roads": roads,
            "wires": lines,
            "sheet": draft.sheet,
            "first": draft.first,
        }
        state |= {"colour": colour_of(draft.owner), "end": self.end, "lit": self.finding.lit()}
        self._run(f"shutoko_marks({self.view.id}, {json.dumps(state)})")
