"""The words on the page of a game that people note: the log of its turns, and the line in which
they type what they could tap as well.
"""

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import Any, Literal

from nicegui import ui

from shutoko.diary.diary import Diary
from shutoko.diary.happenings import WORDS
from shutoko.diary.places import place_of, turned
from shutoko.plain import plain_line
from sim.referee import Point, Table

_LONGEST = 300  # letters of a typed line


# --- the log --------------------------------------------------------------------------------------


class Log:
    """Create it where the log belongs."""

    def __init__(self, diary: Diary, text: Any) -> None:
        self._diary, self._text = diary, text
        self._shown = (-1, 0)  # turns and notes that it tells of
        ui.html(f"<h2>{escape(text('log'))}</h2>", sanitize=False)
        self._moves = (
            ui.element("div")
            .classes("moves")
            .props(f'data-empty="{escape(text("log_empty"))}"')
            .props(f'tabindex="0" role="group" aria-label="{escape(text("log"))}"')
        )

    def show(self) -> None:
        """Shows the turns so far, each with what the referee says of it, and the notes of
        people.
        """
        steps, notes = self._diary.steps, self._diary.record.notes
        if self._shown == (len(steps), len(notes)):
            return
        self._shown = len(steps), len(notes)
        self._moves.clear()
        with self._moves:
            self._show_notes(0)
            for count, step in enumerate(steps, 1):
                first, *rest = step.told(self._text.language)
                with ui.element("div").classes("ply"):
                    ui.label(f"{step.entry.ply}. {first}")
                    for line in rest:
                        ui.label(line).classes("why")
                    self._show_note(step.entry.note)
                self._show_notes(count)

    def _show_notes(self, after: int) -> None:
        for note in self._diary.record.notes:
            if note.after == after:
                self._show_note(note.note)

    def _show_note(self, said: str | None) -> None:
        if said:
            ui.label(self._text("note_said", said=plain_line(said))).classes("why")


# --- the line -------------------------------------------------------------------------------------


class Line:
    """Create it where the line belongs. `on_say` is called with what somebody has typed."""

    def __init__(self, text: Any, on_say: Callable[[str], None]) -> None:
        self._text, self._on_say = text, on_say
        self._field = (
            ui.input(text("note_line"))
            .style("width: 100%")
            .props(f"dense maxlength={_LONGEST} data-line")
            .on("keydown.enter", self._said)
        )

    def ask(self, what: Literal["where", "else"] | None) -> None:
        """Asks for a place, or what else happened; None hides the line."""
        self._field.set_visibility(what is not None)
        label = "note_line_where" if what == "where" else "note_line"
        self._field.props(f'label="{escape(self._text(label))}"')

    def clear(self) -> None:
        """Empties the line, as what it said was understood."""
        self._field.set_value("")

    def _said(self) -> None:
        line = str(self._field.value or "").strip()[:_LONGEST]
        if line:
            self._on_say(line)


@dataclass(frozen=True, slots=True)
class Said:
    """What a line at the first question says: a move of a record, a note, or else a place (mm) and
    the direction of a building there (degrees).
    """

    move: str = ""
    note: str = ""
    at: Point | None = None
    turn: float | None = None


def read(line: str, table: Table, base: str) -> Said:
    """Reads a line at the first question. A distance without a pillar is measured from `base`, or
    if that is empty, from the only pillar that a road may leave from.

    Raises PlaceError.
    """
    word, _, rest = line.partition(" ")
    if line.startswith("{") or line in ("pass", "resign"):
        return Said(move=line)
    if word.lower() in WORDS["note"] and rest.strip():
        return Said(note=rest.strip())
    place, degrees = turned(line)
    points = table.base_points(table.to_move) if table.phase == "play" else ()
    usual = points[0].pillar.id if len(points) == 1 else None
    turn = None if degrees is None else degrees % 360.0
    return Said(at=place_of(table, place, base or usual), turn=turn)
