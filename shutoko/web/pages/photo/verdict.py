"""What comes of a photo, in the place of its marks: the verdict with the cars of every road and
why, what to look at again, and how to play on; or what the photo changes in a game that was noted,
asked once before anything is kept.
"""

from collections.abc import Callable, Sequence
from typing import ClassVar

from nicegui import ui

from rules.errors import ShutokoError
from rules.record import dumps, loads
from shutoko.diary import sketch
from shutoko.diary.correcting import Correction, corrected
from shutoko.web.library import Noted
from shutoko.web.pages.controls import Select, folded, loading, text_button
from shutoko.web.pages.frame import Visitor, refusals, while_there
from shutoko.web.pages.new_game import open_room
from shutoko.web.photos import HeldPhoto
from shutoko.web.rooms.store import Setup
from shutoko.web.site import Site
from shutoko.web.views import (
    colour_name,
    colour_of,
)
from shutoko.web.work import (
    SETTLE,
    SettledPhoto,
    SettledRoad,
    found_noted,
    levels,
    usual_level,
)
from sim.referee.standing import Names


class _InPlaceOfMarks:
    """Create it where it belongs on the page; it is hidden until it is shown. `back` leads back to
    the marks.
    """

    mark: ClassVar[str]

    def __init__(self, site: Site, who: Visitor, held: HeldPhoto, back: Callable[[], None]) -> None:
        self._site, self._who, self._held, self._back, self._text = site, who, held, back, who.text
        self._panel = ui.element("div").classes("panel").props(self.mark)
        self.hide()

    def hide(self) -> None:
        """Hides it."""
        self._panel.set_visibility(False)


class PhotoVerdict(_InPlaceOfMarks):
    """The verdict."""

    mark = "data-verdict"

    def show(self, found: SettledPhoto) -> str:
        """Shows a verdict, and returns its headline."""
        text = self._text
        self._panel.clear()
        with self._panel:
            ui.label(text("photo_how_sure", mm=round(found.off, 1))).classes("soft")
            if found.drawn is not None:
                drawn, taps = found.drawn
                ui.label(text("photo_compared", n=drawn, taps=taps)).classes("soft").props(
                    "data-compared"
                )
            for name, said in (*found.suspects, *found.doubts):
                ui.label(said if said.startswith(name) else f"{name}: {said}").classes(
                    "trouble"
                ).props(f'data-check="{name}"')
            text_button(text("photo_to_marks"), self._back, "outline data-to-marks", icon="edit")
            if not found.unplayable:
                self._play(found)
                text_button(
                    text("photo_next_photo"),
                    lambda: ui.navigate.to(f"/photo?after={self._held.id}"),
                    "flat data-next-photo",
                    icon="photo_camera",
                )
            else:
                ui.label(text("photo_play_not", why=found.unplayable)).classes("trouble").props(
                    "data-unplayable"
                )
            with ui.element("div").classes("list"):
                for ply in found.plies:
                    self._ply(ply)
                for road in () if found.plies else found.roads:
                    self._road(road)
            if found.unchecked:
                ui.label(text("photo_unchecked", roads=", ".join(found.unchecked))).classes(
                    "soft"
                ).props("data-unchecked")
        self._panel.set_visibility(True)
        if found.suspects or found.doubts:
            return str(text("photo_look_again", n=len(found.suspects) + len(found.doubts)))
        return str(text("photo_all_sure"))

    def _road(self, road: SettledRoad) -> None:
        text = self._text
        share = f"{min(road.sure * 100, 99.5 if road.sure < 1.0 else 100.0):.0f} %"
        with folded(
            text("photo_cars", road=road.id, n=road.cars, share=share),
            "told_road" + " doubtful" * road.doubtful,
            f'data-told="{road.id}"',
        ):
            for reason in road.reasons or (text("photo_crosses_nothing"),):
                ui.label(reason).classes("soft")

    def _ply(self, told: Sequence[str]) -> None:
        """A ply that this photo adds to the one before."""
        with folded(told[0], "told_road", "data-ply"):
            for reason in told[1:]:
                ui.label(reason).classes("soft")

    def _play(self, found: SettledPhoto) -> None:
        text, players = self._text, self._held.draft.players
        begun = loads(found.on)
        offered = levels(begun.header.game)
        kinds = {
            "all": text("photo_play_all"),
            **({"computer": text("photo_play_computer")} if offered else {}),
        }

        async def play() -> None:
            others = kind.value == "computer"
            spec = offered[usual_level(offered)] if others else None
            setup = Setup(
                game=begun.header.game,
                names=[colour_name(seat, text) for seat in range(players)],
                computers=[None, *([spec] * (players - 1))],
                listed=not self._site.public,
                held=range(players),
                record=begun,
            )
            with refusals(text), loading(button):
                await open_room(self._site, self._who, setup)
                self._site.photos.forget(self._held.id)

        with ui.element("div").classes("line").style("flex-wrap: nowrap"):
            kind = (
                Select(kinds, value="all", label=text("photo_who_plays"))
                .style("flex: 1 1 8rem; min-width: 0")
                .props("data-who-plays")
            )
            button = text_button(
                text("photo_play_on"), play, "unelevated data-play-on", icon="play_arrow"
            ).style("flex: none")
        ui.label(text("photo_play_about")).classes("soft")
        if found.fallen:
            ui.label(text("photo_play_bare", pieces=", ".join(found.fallen))).classes("soft").props(
                "data-bare"
            )


def tones(verdict: SettledPhoto | None) -> dict[str, str]:
    """How the wire model of each piece is coloured."""
    if verdict is None:
        return {}
    doubtful = {road.id: "doubtful" for road in verdict.roads if road.doubtful}
    return doubtful | {name: "wrong" for name, _ in verdict.suspects}


# --- of a game that was noted ---------------------------------------------------------------------


class PhotoCorrection(_InPlaceOfMarks):
    """What the photo changes."""

    mark = "data-correction"

    def drawn(self, road: str) -> str:
        """The table as it was noted, with one road that stands out, as SVG."""
        noted = self._noted()
        if noted is None:
            return ""
        inks = tuple(colour_of(seat) for seat in range(len(noted.diary.players)))
        return sketch.svg(noted.diary.table, self._text("note_table"), lit=road, inks=inks)

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
        self._show(noted, corrected(noted.diary, await while_there(run)))
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
