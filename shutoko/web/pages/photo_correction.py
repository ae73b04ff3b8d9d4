"""What a photo changes in a game that was noted: by how much each place, and which verdicts; asked
once before anything is kept.
"""

from __future__ import annotations

from collections.abc import Callable

from nicegui import ui

from rules.errors import ShutokoError
from rules.record import dumps
from shutoko.diary import sketch
from shutoko.diary.correcting import Correction, corrected
from shutoko.web.library import Noted
from shutoko.web.pages.controls import folded, text_button
from shutoko.web.pages.frame import Visitor, refusals, while_there
from shutoko.web.photos import HeldPhoto
from shutoko.web.site import Site
from shutoko.web.views.table import colour_of
from shutoko.web.work.kinds import SETTLE
from shutoko.web.work.photos import found_noted
from sim.referee.standing import Names


class PhotoCorrection:
    """Create it where it belongs on the page; it is hidden until a photo was compared. `back` leads
    back to the marks.
    """

    def __init__(self, site: Site, who: Visitor, held: HeldPhoto, back: Callable[[], None]) -> None:
        self._site, self._who, self._held, self._back, self._text = site, who, held, back, who.text
        self._panel = ui.element("div").classes("panel").props("data-correction")
        self._panel.set_visibility(False)

    def hide(self) -> None:
        """Hides it."""
        self._panel.set_visibility(False)

    def drawn(self, road: str) -> str:
        """The table as it was noted, with one road that stands out, as SVG."""
        noted = self._noted()
        if noted is None:
            return ""
        seats = range(len(noted.diary.players))
        return sketch.svg(
            noted.diary.table,
            self._text("note_table"),
            lit=road,
            inks=tuple(colour_of(seat) for seat in seats),
        )

    async def read(self, marks: bytes, jpeg: bytes | None) -> str:
        """Compares the marks on the photo with the game, shows what that changes, and returns its
        headline. Raises ShutokoError if they cannot be used.
        """
        noted = self._noted()
        if noted is None:
            return str(self._text("no_noted"))
        run = self._site.workers.run(
            found_noted,
            marks,
            dumps(noted.diary.record),
            jpeg,
            kind=SETTLE,
            who=self._who.counted,
        )
        correction = corrected(noted.diary, await while_there(run))
        self._show(noted, correction)
        return str(self._text("photo_take_asked"))

    def _noted(self) -> Noted | None:
        try:
            return self._site.diaries.of(self._held.noted)
        except ShutokoError:
            return None

    def _show(self, noted: Noted, correction: Correction) -> None:
        text, names = self._text, Names(noted.diary.players)
        self._panel.clear()
        with self._panel:
            with ui.element("div").classes("pair"):
                text_button(
                    text("photo_to_marks"), self._back, "outline data-to-marks", icon="edit"
                )
                text_button(
                    text("photo_take"),
                    lambda: self._take(noted, correction),
                    "unelevated data-take",
                    icon="check",
                )
            with ui.element("div").classes("list"):
                for sentence in correction.said():
                    ui.label(sentence.told(text.language, names)).props("data-changes")
            places = text("photo_places", n=len(correction.moved))
            with folded(places, "told_road", "data-places"):
                for sentence in correction.places():
                    ui.label(sentence.told(text.language, names)).classes("soft")
        self._panel.set_visibility(True)

    def _take(self, noted: Noted, correction: Correction) -> None:
        """Keeps the places, and goes back to the game."""
        with refusals(self._text):
            noted.diary.correct(correction.of, correction.record)
            noted.changed()
            self._site.photos.forget(self._held.id)
            ui.navigate.to(f"/note/{noted.id}")
