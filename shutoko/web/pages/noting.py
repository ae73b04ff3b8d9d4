"""The page of a game that people play at a real table and note here: they set each piece on the
screen where they set it on the table, say how many cars went down, and tap what fell. Nothing falls
by itself, and every turn is on the disk before the next one is asked for.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from html import escape
from typing import Any, Literal

from nicegui import ui

from rules.errors import ShutokoError
from rules.record import Entry
from shutoko.diary.happenings import remarks
from shutoko.diary.places import PlaceError
from shutoko.diary.turn import Turn, counts_cars
from shutoko.web.diaries import Noted
from shutoko.web.pages.frame import Select, Visitor, bare_frame
from shutoko.web.pages.noted_pieces import Fates, called
from shutoko.web.pages.noted_words import Line, Log, read
from shutoko.web.pages.rooms.floats import (
    Saying,
    exact,
    heading,
    menu_head,
    plate,
    plates,
    round_button,
    sheet,
    top,
)
from shutoko.web.pages.rooms.ghost import (
    DOUBTFUL,
    FAR,
    ILLEGAL,
    LEGAL,
    arrow,
    show_choice,
    tapped_base,
)
from shutoko.web.pages.rooms.pieces import KINDS, Buildings, Kind, Pieces
from shutoko.web.pages.rooms.placing import Choices
from shutoko.web.views import aiming
from shutoko.web.views.aiming import Aimed, AimRequest, aim, request_for
from shutoko.web.views.plates import plate_of
from shutoko.web.views.stage import Sign, Stage
from shutoko.web.views.table import colour_of, piles
from shutoko.web.views.telling import aimed_in_short, mood_of, refused, spots_of, told
from sim.game.attempts.posing import bodies
from sim.languages import Sentence
from sim.referee.adjusting import resolved
from sim.referee.faults import Names
from sim.referee.placement import Adjust, Build
from sim.referee.table import Table

_PICKED = "#0b84a5"
_GHOSTS = {"good": LEGAL, "doubtful": DOUBTFUL, "bad": ILLEGAL}
_HIGHEST = 20  # discs: higher than any pillar of a box
_MOST_CARS = 20  # of a turn

Asked = Literal["where", "refused", "cars", "else", "over"]
"""What the page asks now: where a piece stands, what the table made of a turn against the rules,
how many cars went down, what else happened.
"""


class Noting:
    """One visitor's page of a diary. `turn` is the turn that is being told, None while its place is
    looked for; `asked` is the question that stands.
    """

    def __init__(self, who: Visitor, noted: Noted) -> None:
        self.who, self.text, self.noted, self.diary = who, who.text, noted, noted.diary
        self.names = Names(self.diary.players)
        self.turn: Turn | None = None
        self.asked: Asked = "where"
        self.request: AimRequest | None = None
        self.aimed: Aimed | None = None
        self.pinned = self.putting_right = False
        self._height: int | None = None  # a height that the rules do not allow

    @property
    def table(self) -> Table:
        """The table after the turns that are kept."""
        return self.diary.table

    @property
    def ground(self) -> Table:
        """The table that a piece is set on: that before the last build while it is put right."""
        if not self.putting_right:
            return self.table
        return resolved(self.table, Adjust(by=self.table.lasts[-1].seat))[0]

    @property
    def player(self) -> str:
        """The name of whoever is to move, or whose build is put right."""
        seat = self.table.lasts[-1].seat if self.putting_right else self.table.to_move
        return self.diary.players[seat]

    # --- the page ---------------------------------------------------------------------------------

    def build(self) -> None:
        """The page."""
        text, seats = self.text, len(self.diary.players)
        title = text("note_game")
        with (
            bare_frame(self.who, title),
            ui.element("div").classes("room mine noting").props(f'data-seats="{seats}"'),
        ):
            with ui.element("div").classes("stage"):
                self.stage = Stage(bodies(self.table), self._hand, plain=self.who.plain, fills=True)
            heading(title, text)
            with plates(text):
                self._plates = [
                    plate(seat, name, colour_of(seat))
                    for seat, name in enumerate(self.diary.players)
                ]
            with top():
                saying = Saying()
                self._say, self._trouble = saying.say, saying.trouble
            with ui.element("div").classes("deeds").props("data-edge=bottom"):
                self._deeds()
            with ui.element("div").classes("rounds").props("data-edge=right"):
                round_button("center_focus_strong", text("look_all"), "fit", self.stage.look)
                self._undo = round_button("undo", text("undo"), "undo", self._back)
            with sheet("menu", text("menu"), text):
                self._menu()
        ui.keyboard(on_key=self._key, ignore=["input", "select", "textarea", "button"])
        self._client = ui.context.client
        self._client.on_delete(self.noted.hear(self._heard))
        self._begin()

    def _deeds(self) -> None:
        text = self.text
        self._pieces = Pieces(text, self._take_piece)
        self._houses = Buildings(text, self._take_building, self._turn_by)
        with ui.element("div").classes("in-hand counted") as self._counter:
            fewer = ui.button(icon="remove", on_click=lambda: self._count(-1))
            fewer.props(f'round flat aria-label="{escape(text("note_fewer"))}" data-fewer')
            self._cars = ui.label().classes("status").props("data-counted")
            more = ui.button(icon="add", on_click=lambda: self._count(1))
            more.props(f'round flat aria-label="{escape(text("note_more"))}" data-more')
        self._taken_back = ui.button(text("note_taken_back"), on_click=self._keep)
        self._taken_back.props("outline no-caps data-taken-back").classes("float")
        self._fates = Fates(text, self._marked)
        self._act = ui.button("", on_click=self._go_on).classes("act")
        self._act.props('unelevated no-caps data-part="act"')

    def _menu(self) -> None:
        text, name = self.text, self.noted.id
        menu_head(self.who, sounds=False)
        with exact(text):
            self._choices = Choices(text, self._chose, self._typed, self._go_on)
            self._pick = Select(
                {"": "-"}, value="", label=text("note_piece"), on_change=self._picked
            )
            self._pick.style("width: 100%").props("dense data-pick")
            self._line = Line(text, self._said)
        with ui.element("div").classes("line"):
            for key, what in (
                ("adjust", self._adjust),
                ("pass_turn", lambda: self._tell("pass")),
                ("no_room_left", lambda: self._tell({"pass": "no room"})),
                ("resign", lambda: self._tell("resign")),
            ):
                button = ui.button(text(key), on_click=what)
                button.props(f'flat dense no-caps data-deed="{key}"')
        photo = ui.button(
            text("note_by_photo"),
            icon="photo_camera",
            on_click=lambda: ui.navigate.to(f"/photo?noted={name}"),
        )
        photo.props("flat dense no-caps data-by-photo")
        with ui.element("div").classes("line"):
            ui.link(text("replay"), f"/replay/noted/{name}").classes("soft")
            ui.link(text("download"), f"/share/noted/{name}.jsonl").classes("soft")
            ui.link(text("note_all"), "/note").classes("soft")
        ui.label(text("note_kept_where")).classes("soft")
        self._log = Log(self.diary, text)

    # --- what is asked ----------------------------------------------------------------------------

    def _begin(self) -> None:
        """Asks for the next turn."""
        table = self.table
        self.turn, self.request, self.aimed = None, None, None
        self.pinned = self.putting_right = False
        self._height = None
        self.asked = "over" if table.outcome() is not None else "where"
        if self.asked == "where" and table.phase == "entrances":
            usual = table.default_entrance(table.to_move)
            self.request, self.pinned = AimRequest(usual.pillar, turn=usual.toward), True
        for seat, row in enumerate(self._plates):
            row.show(
                plate_of(table, seat),
                self.text,
                turn=self.asked == "where" and seat == table.to_move,
            )
        self.stage.supplies(*piles(table))
        self._show()

    def _show(self) -> None:
        """Shows the table and the controls of the question that stands."""
        asked, table = self.asked, self.ground
        where, builds = asked == "where", table.phase == "play" and not self.putting_right
        self._trouble.set_text("")
        self._pieces.set_visibility(where and builds)
        self._counter.set_visibility(asked == "cars")
        doubted = self.turn is not None and self.turn.doubted
        self._taken_back.set_visibility(asked == "refused" and not doubted)
        self._fates.set_visibility(asked == "else")
        self._act.set_visibility(asked != "over")
        self._undo.set_enabled(asked not in ("where", "over") or bool(self.diary.steps))
        self._pick.set_visibility(asked == "else")
        self._line.ask(asked if asked in ("where", "else") else None)
        self._choices.fill(table, acts=where, builds=where and builds)
        if where and self.request is not None and not self.putting_right:
            self._choices.show(self.request)
        self._log.show()
        if where:
            self.stage.hatch(())
            self.stage.show(bodies(table))
            self._aim()
            return
        self.stage.ghost((), LEGAL)
        self.stage.bases((), "")
        self.stage.light(-1)
        self.stage.pulse((), None)
        if self.turn is None:
            self.stage.show(bodies(table))
            self._say(self.text("over"))
        else:
            self._show_turn(self.turn)

    def _show_turn(self, turn: Turn) -> None:
        """Shows the turn that is being told, with what fell in stripes."""
        text, player = self.text, self.diary.players[turn.step.entry.by]
        lines = turn.step.told(text.language)
        self._act.set_enabled(True)
        match self.asked:
            case "refused":
                self._act.set_text(text("note_let_stand"))
                self._say(lines[0], "\n".join(lines[1:]), "bad")
                return
            case "cars":
                self._act.set_text(text("note_so_many"))
                self._say(text("note_cars_down", player=player), "\n".join(lines))
                self._count(0)
            case _:
                nothing = not turn.told
                self._act.set_text(text("note_nothing" if nothing else "note_that_was_it"))
                seen = remarks(turn.first, turn.step, turn.said)
                said = [one.told(text.language) for one in seen]
                self._say(text("note_what_else"), "\n".join((*said, *lines)))
        try:
            shown = turn.before_falling().after
        except ShutokoError:
            shown = turn.first.after
        self.stage.show(bodies(shown))
        self.stage.hatch(turn.missing())
        if self.asked == "else":
            self._fates.about(turn, shown)
            names = {"": "-"} | {
                body.id: f"{body.id}: {called(body.id, shown, text)}" for body in bodies(shown)
            }
            self._pick.set_options(names, value="")
        self._mark_picked()

    def _mark_picked(self) -> None:
        place = self._fates.place
        self._act.set_enabled(not self._fates.asks)  # else the turn would end before the answer
        self.stage.pulse([] if place is None else [(*place, _PICKED)], None)

    def _heard(self) -> None:
        """Another page of this diary has kept a turn, or taken one back."""
        with self._client:
            self._begin()

    # --- where a piece stands ---------------------------------------------------------------------

    def _hand(self, detail: dict[str, Any]) -> None:
        try:
            what, at = str(detail["type"]), (float(detail["x"]), float(detail["y"]))
        except (KeyError, TypeError, ValueError):
            return
        if not all(abs(value) < FAR for value in at):
            return
        if self.asked == "else" and what == "tap" and self.turn is not None:
            self._safely(lambda: self._fates.tapped(detail, at))
        if self.asked != "where":
            return
        if what in ("higher", "lower"):
            self._step_height(1 if what == "higher" else -1)
            return
        if what == "tap":
            if not self.putting_right and (base := tapped_base(self.table, detail)):
                self._choices.base.set_value(base)  # it is chosen, not built upon
                return
            self.pinned = True
        elif what in ("drag", "drop"):
            self.pinned = True
        elif what != "aim" or self.pinned:
            return
        self._request_at(at)
        self._aim()

    def _request_at(self, at: tuple[float, float], *, fixed: bool = False) -> None:
        if self.putting_right and self.request is not None:
            self.request = replace(self.request, at=at, fixed=fixed, exact=None)
            return
        built = self.aimed.placement if self.aimed is not None else None
        if self._height is not None and isinstance(built, Build):
            self.request = aiming.of_height(self.ground, built, self._height, at)
            return
        self.request = replace(self._choices.request(at, self.ground.phase), fixed=fixed)

    def _typed(self, at: tuple[float, float]) -> None:
        if self.asked == "where" and math.hypot(*at) < FAR:
            self.pinned = True
            self._request_at(at, fixed=True)
            self._aim()

    def _chose(self) -> None:
        self._height = None
        if self.asked == "where" and self.request is not None:
            self._request_at(self.request.at)
            self._aim()

    def _take_piece(self, kind: Kind) -> None:
        if self.asked == "where":
            self._choices.take("exit" if kind == "exit" else "build", junction=kind == "yellow")
            self._chose()
            self._aim()

    def _take_building(self, kind: str) -> None:
        if self.asked == "where":
            self._choices.house.set_value(kind)
            self._show_pieces()

    def _turn_by(self, degrees: float) -> None:
        if self.asked == "where":
            self._choices.turn_by(degrees)

    def _step_height(self, step: int) -> None:
        """One disc more or less. A height against the rules is shown, too: people may have built
        it.
        """
        built = self.aimed.placement if self.aimed is not None else None
        if not isinstance(built, Build) or self.putting_right or self.request is None:
            return
        discs = built.discs + step
        if 0 < discs <= _HIGHEST:
            self._height, self.pinned = discs, True
            self.request = aiming.of_height(self.ground, built, discs, built.at)
            self._aim()

    def _aim(self) -> None:
        """Shows where the piece would stand, and what the referee says of that."""
        table, text = self.ground, self.text
        try:
            self.aimed = aim(table, self.request, self.diary.players) if self.request else None
        except ShutokoError:
            self.aimed = None
        aimed = self.aimed
        self._choices.show_place(aiming.shown_place(self.request, aimed) if self.pinned else None)
        self._act.set_text(text("note_stands_there"))
        self._act.set_enabled(aimed is not None)
        self._show_pieces()
        if aimed is None:
            self.stage.ghost((), LEGAL)
            self.stage.pulse((), None)
            asked = "note_where_building" if table.phase == "buildings" else "note_where"
            self._say(text(asked, player=self.player))
            return
        mood = mood_of(aimed)
        self.stage.ghost(aimed.pieces, _GHOSTS[mood], self._sign(aimed.placement))
        said = aimed_in_short(aimed, table, text, self.diary.players)
        if table.phase == "entrances" and aimed.legal:
            said = text("note_entrance", player=self.player)
        why = "\n".join(told(text.language, aimed.lines))
        self._say(said, why, mood)
        colour = colour_of(table.to_move) if aimed.legal else ILLEGAL
        spots = aimed.scoring if aimed.legal else spots_of(aimed.faults, table, aimed.placement)
        self.stage.pulse([(*spot, colour) for spot in spots], None)

    def _sign(self, placement: Any) -> Sign | None:
        if not isinstance(placement, Build) or self.putting_right:
            return None
        top = placement.discs * self.ground.components.disc_height
        more, less = placement.discs < _HIGHEST, placement.discs > 1
        return Sign(placement.discs, (*placement.at, top), more=more, less=less)

    def _show_pieces(self) -> None:
        """The pieces to choose from, and the pillars from which a road may leave."""
        table = self.ground
        builds = table.phase == "play" and not self.putting_right
        chosen, where = self._choices.piece, self.asked == "where"
        self._houses.show(table, self._choices.building, visible=where and not self.putting_right)
        show_choice(self.stage, self._pieces, table, chosen, self.aimed, KINDS, builds=builds)

    # --- from question to question ----------------------------------------------------------------

    def _go_on(self) -> None:
        """What the main button says."""
        match self.asked:
            case "where" if self.aimed is not None:
                placement = self.aimed.placement
                if self.putting_right:
                    seat = self.table.lasts[-1].seat
                    self._tell(str(aiming.adjusting(placement)), seat)
                else:
                    self._tell(str(placement))
            case "refused":
                self._safely(self._accepted)
            case "cars" if self.turn is not None:
                self.asked = "refused" if self.turn.refusal is not None else "else"
                self._show()
            case "else":
                self._keep()

    def _tell(self, do: Any, by: int | None = None) -> None:
        """Begins a turn with its move."""
        if self.asked == "over":
            return
        if self.asked != "where":  # a turn is being told, which this would drop
            self._trouble.set_text(self.text("note_first_finish"))
            return

        def begun() -> None:
            entry: Entry = self.diary.entry(do, by)
            self.turn = Turn(self.diary, entry)
            self._judged()

        self._safely(begun)

    def _judged(self) -> None:
        """Goes on with a move that has just been judged."""
        turn = self.turn
        assert turn is not None
        if turn.refusal is not None:
            self.asked = "refused"
        elif counts_cars(turn.step) and turn.cars is None:
            turn.count(len(turn.step.verdict.spots))
            self.asked = "cars"
        else:
            self.asked = "else"
        self._show()

    def _accepted(self) -> None:
        turn = self.turn
        assert turn is not None
        if not turn.accept():
            self._trouble.set_text(Sentence("note-cannot-stand", {}).told(self.text.language))
            return
        self._judged()

    def _count(self, step: int) -> None:
        """More or fewer cars went down; the number is judged when somebody goes on."""
        turn = self.turn
        if turn is None or turn.cars is None:
            return
        cars = min(max(turn.cars + step, 0), _MOST_CARS)
        if step:
            self._safely(lambda: turn.count(cars))
        self._cars.set_text(str(turn.cars))

    def _marked(self, change: Callable[[Turn], None] | None) -> None:
        """Somebody has said what happened to a piece; None: another piece is meant."""
        turn = self.turn
        if turn is None:
            return
        if change is None:
            self._say(self._fates.asks or self.text("note_what_else"))
            self._mark_picked()
            return

        def changed() -> None:
            change(turn)
            self.asked = "refused" if turn.doubted else "else"
            self._show()

        self._safely(changed)

    def _picked(self) -> None:
        if self._pick.value and self.asked == "else":
            piece, self._pick.value = str(self._pick.value), ""
            self._safely(lambda: self._fates.pick(piece))

    def _said(self, line: str) -> None:
        """A line as at the terminal: what happened, or a place, a note or a move of a record."""
        if self.asked == "where":
            self._safely(lambda: self._said_where(line))
        elif self.asked == "else":
            self._marked(lambda turn: turn.tell(line, "more", line))
        if not self._trouble.text:
            self._line.clear()

    def _said_where(self, line: str) -> None:
        said = read(line, self.ground, self._choices.base.value)
        if said.move:
            self._tell(said.move)
        if said.note:
            self.diary.note(said.note)
            self._log.show()
        if said.turn is not None:
            self._choices.turn.set_value(said.turn)
        if said.at is not None:
            self._typed(said.at)

    def _keep(self) -> None:
        """Keeps the turn and asks for the next one."""
        turn = self.turn

        def kept() -> None:
            assert turn is not None
            turn.keep()
            self.noted.changed()  # this page hears it, too, and asks for the next turn

        if turn is not None:
            self._safely(kept)

    def _back(self) -> None:
        """Back to the question where the piece stands, or without what was told last if that is
        refused; at the first question, the last turn is taken back.
        """
        if self.turn is not None and self.turn.leave_out():
            self.asked = "else"
            self._show()
            return
        if self.asked in ("refused", "cars", "else"):
            aimed = self.aimed.placement if self.aimed is not None else None
            right = self.putting_right
            self.turn, self.asked = None, "where"
            if aimed is not None and not right:
                self.request, self.pinned = request_for(aimed), True
            self._fates.forget()
            self._show()
            return
        if self.putting_right:
            self._begin()
            return

        def undone() -> None:
            self.diary.undo()
            self.noted.changed()

        self._safely(undone)

    def _adjust(self) -> None:
        """Takes the last build up again, which people moved before the next turn."""
        lasts = self.table.lasts
        if self.asked != "where" or not lasts:
            self._trouble.set_text(Sentence("note-adjust-nothing", {}).told(self.text.language))
            return
        self.request, self.pinned = aiming.adjustment(lasts[-1]), True
        self.putting_right = True
        self._show()

    def _safely(self, what: Callable[[], None]) -> None:
        """Does something, and says why it cannot be done."""
        self._trouble.set_text("")
        try:
            what()
        except PlaceError as error:
            self._trouble.set_text(error.sentence.told(self.text.language, self.names))
        except ShutokoError as error:
            self._trouble.set_text(refused(self.text.language, error))

    def _key(self, event: Any) -> None:
        if not event.action.keydown:
            return
        if event.key == "Enter":
            self._go_on()
        elif event.key == "Escape":
            self._back() if self.asked != "where" or self.putting_right else self._loose()
        elif self.asked == "cars" and event.key in ("+", "-"):
            self._count(1 if event.key == "+" else -1)
        elif self.asked == "where" and event.key in ("+", "-"):
            self._step_height(1 if event.key == "+" else -1)
        elif self.asked == "where" and event.key.is_cursorkey and self.aimed and self.request:
            self.pinned = True
            built = self.aimed.placement
            self.request = aiming.moved(self.ground, built, self.request, arrow(event))
            if self._height is not None and isinstance(built, Build):
                at = self.request.at
                self.request = aiming.of_height(self.ground, built, self._height, at)
            self._aim()

    def _loose(self) -> None:
        self.pinned, self.request, self._height = False, None, None
        self._aim()
