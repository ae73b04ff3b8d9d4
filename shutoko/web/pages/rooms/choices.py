"""The controls that say what to place on a table: kind, base, height, building, direction, and the place in millimetres."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import ui

from shutoko.web.views.aiming import AimRequest
from shutoko.web.views.choosing import Select, Toggle
from sim.referee.legality.search import allowed_discs
from sim.referee.table import Table

__all__ = ["Choices"]

_FAR = 1000.0  # mm: nobody builds farther out
_TYPED = 0.006  # mm: places are shown rounded, so a smaller difference must not overwrite what somebody is typing


class Choices:
    """Create it where the controls belong. `on_choose` is called when the visitor changes one, `on_type` with a typed place
    (mm), `on_enter` for Enter in it; none is called when the page itself fills the controls in.
    """

    def __init__(
        self,
        text: Any,
        on_choose: Callable[[], None],
        on_type: Callable[[tuple[float, float]], None],
        on_enter: Callable[[], Any],
    ) -> None:
        self._text, self._on_choose, self._on_type, self._on_enter = text, on_choose, on_type, on_enter
        self._filling = False
        self._place: tuple[float, float] | None = None  # the place that was shown or typed last
        with ui.element("div").classes("line"):
            self.kind = Toggle({"build": text("build"), "exit": text("exit")}, value="build", on_change=self._chose)
            self.kind.props("dense no-caps unelevated data-kind")
            self.junction = ui.switch(text("junction"), on_change=self._chose).props("dense data-junction")
        with ui.element("div").classes("line"):
            self.base = Select({"": text("nearest")}, value="", label=text("base"), on_change=self._chose)
            self.base.style("flex: 1 1 7rem").props("dense data-base")
            self.discs = Select({0: text("auto")}, value=0, label=text("height"), on_change=self._chose)
            self.discs.style("flex: 1 1 6rem").props("dense data-height")
            self.house = Select([""], value="", label=text("building"), on_change=self._chose).style("flex: 1 1 7rem")
            self.house.props("dense")
            self.turn = ui.number(text("turn"), value=0, step=15, format="%.0f", on_change=self._chose)
            self.turn.style("flex: 1 1 5rem").props("dense")
        with ui.element("div").classes("line"):
            self.at = [ui.number(f"{name} (mm)", step=1, on_change=self._typed).props(f"dense data-{name}") for name in "xy"]
            for field in self.at:
                field.style("flex: 1 1 5rem").on("keydown.enter", self._entered).on("blur", self._left)

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
        self.house.set_visibility(phase == "buildings")
        self.turn.set_visibility(phase in ("buildings", "entrances"))
        if builds:
            points = table.base_points(seat)
            names = {"": self._text("nearest")}
            names |= {point.pillar.id: f"{point.pillar.id} ({point.pillar.discs})" for point in points}
            self.base.set_options(names, value="")
            heights = sorted({discs for point in points for discs, _ in allowed_discs(table, point.pillar)})
            self.discs.set_options({0: self._text("auto")} | {discs: str(discs) for discs in heights}, value=0)
            self.junction.set_value(False)
            self.junction.set_enabled(table.stocks[seat].yellow > 0)
            self.kind.set_value("build")
        if acts and phase == "buildings":
            kinds = list(table.components.buildings)
            self.house.set_options(kinds, value=kinds[0])
        if acts and phase == "entrances":
            self.turn.set_value(round(table.default_entrance(seat).toward))
        self._filling = False

    def request(self, at: tuple[float, float], phase: str) -> AimRequest:
        """What the controls say, at a place (mm)."""
        return AimRequest(
            at,
            kind="exit" if self.kind.value == "exit" else "build",
            base=self.base.value or None,
            discs=int(self.discs.value or 0) or None,
            junction=bool(self.junction.value),
            building=str(self.house.value or ""),
            turn=float(self.turn.value or 0.0) if phase in ("buildings", "entrances") else None,
        )

    def show(self, request: AimRequest) -> None:
        """Sets the controls to match a request."""
        self._filling = True
        self.kind.set_value(request.kind)
        self.base.set_value(request.base or "")
        self.discs.set_value(request.discs or 0)
        self.junction.set_value(request.junction)
        if request.building:
            self.house.set_value(request.building)
        if request.turn is not None:
            self.turn.set_value(round(request.turn))
        self._filling = False

    def show_place(self, at: tuple[float, float] | None) -> None:
        """Shows where the pinned placement is in millimetres, for those who prefer to type; None: nothing is pinned.

        The same place again changes nothing: what is half typed stays while others move or the pointer passes the table.
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

    def _given(self) -> tuple[float, float] | None:
        """The place in the fields; None while it is half typed, or out of this world."""
        x, y = (field.value for field in self.at)
        return None if x is None or y is None or max(abs(x), abs(y)) > _FAR else (float(x), float(y))

    def _typed(self) -> None:
        if not self._filling and (given := self._given()) is not None:
            self._place = given
            self._on_type(given)

    def _entered(self) -> Any:
        """Takes Enter where a whole place stands; half of one must not build where the pointer happened to be."""
        return None if self._given() is None else self._on_enter()

    def _left(self) -> None:
        """Writes the place that still counts into fields that were left without one."""
        if self._place is not None and self._given() is None:
            place, self._place = self._place, None
            self.show_place(place)
