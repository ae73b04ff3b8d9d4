"""The page of a game that people play at a real table and note here: they set each piece on the
screen where they set it on the table, say how many cars went down, and tap what fell. Nothing falls
by itself, and every turn is on the disk before the next one is asked for.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal

from nicegui import ui

from rules.errors import ShutokoError
from shutoko.diary.happenings import remarks
from shutoko.diary.places import PlaceError
from shutoko.diary.turn import Turn, counts_cars
from shutoko.web.library import Noted
from shutoko.web.pages.controls import Select, icon_button, main_button, text_button
from shutoko.web.pages.frame import Visitor, bare_frame
from shutoko.web.pages.noting.pieces import Fates, called
from shutoko.web.pages.noting.words import Line, Log, read
from shutoko.web.pages.rooms.aimer import Aimer, pointed
from shutoko.web.pages.rooms.floats import (
    Saying,
    exact,
    heading,
    menu_head,
    plates,
    round_button,
    sheet,
    top,
)
from shutoko.web.pages.rooms.pieces import KINDS, Kind
from shutoko.web.views import (
    Aimed,
    AimRequest,
    aiming,
    colour_of,
    piles,
    plate_of,
    refused,
    request_for,
)
from sim.game.attempts.posing import bodies
from sim.languages import Sentence
from sim.referee.placement import Build, Placement
from sim.referee.standing import Names
from sim.referee.table import Table

_PICKED = "#0b84a5"
_HIGHEST = 20  # discs: higher than any pillar of a box
_MOST_CARS = 20  # of a turn

Asked = Literal["where", "refused", "cars", "else", "over"]
"""What the page asks now: where a piece stands, what the table made of a turn against the rules,
how many cars went down, what else happened.
"""


class Noting(Aimer):
    """One visitor's page of a diary. `turn` is the turn that is being told, None while its place is
    looked for; `asked` is the question that stands.
    """

    taps_take = False  # people tap until the piece stands as on their table

    def __init__(self, who: Visitor, noted: Noted) -> None:
        super().__init__(who.text)
        self.who, self.noted, self.diary = who, noted, noted.diary
        self.turn: Turn | None = None
        self.asked: Asked = "where"
        self._height: int | None = None  # a height that the rules do not allow

    @property
    def table(self) -> Table:
        """The table after the turns that are kept."""
        return self.diary.table

    @property
    def acts(self) -> bool:
        """Whether the page asks where a piece stands."""
        return self.asked == "where"

    @property
    def players(self) -> Sequence[str]:
        """The names of the players by seat."""
        return self.diary.players

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
            bare_frame(self.who, title, "sounds.js"),
            ui.element("div").classes("room mine noting").props(f'data-seats="{seats}"'),
        ):
            self.build_stage(self.who)
            heading(title, text)
            colours = map(colour_of, range(seats))
            self._plates = plates(text, zip(self.diary.players, colours, strict=True))
            with top():
                self._saying = Saying()
                self._trouble = self._saying.trouble
            with ui.element("div").classes("deeds").props("data-edge=bottom"):
                self._deeds()
            with ui.element("div").classes("rounds").props("data-edge=right"):
                round_button("center_focus_strong", text("look_all"), "fit", self.stage.look)
                self._undo = round_button("undo", text("undo"), "undo", self._back)
            with sheet("menu", text("menu"), text):
                self._menu()
        self._client = ui.context.client
        self._client.on_delete(self.noted.hear(self._heard))
        self._begin()

    def _deeds(self) -> None:
        text = self.text
        self.build_pieces()
        with ui.element("div").classes("in-hand counted") as self._counter:
            icon_button(
                "remove", text("note_fewer"), lambda: self._count(-1), "round flat data-fewer"
            )
            self._cars = ui.label().classes("status").props("data-counted")
            icon_button("add", text("note_more"), lambda: self._count(1), "round flat data-more")
        self._taken_back = text_button(
            text("note_taken_back"), self._keep, "outline data-taken-back"
        ).classes("float")
        self._fates = Fates(text, self._marked)
        self._act = main_button("", self.give)

    def _menu(self) -> None:
        text, name = self.text, self.noted.id
        menu_head(self.who, sounds=False)
        with exact(text):
            self.build_controls()
            self._pick = (
                Select({"": "-"}, value="", label=text("note_piece"), on_change=self._picked)
                .style("width: 100%")
                .props("dense data-pick")
            )
            self._line = Line(text, self._said)
        with ui.element("div").classes("line"):
            for key, what in (
                ("adjust", self._adjust),
                ("pass_turn", lambda: self._tell("pass")),
                ("no_room_left", lambda: self._tell({"pass": "no room"})),
                ("resign", lambda: self._tell("resign")),
            ):
                text_button(text(key), what, f'flat dense data-deed="{key}"')
        text_button(
            text("note_by_photo"),
            lambda: ui.navigate.to(f"/photo?noted={name}"),
            "flat dense data-by-photo",
            icon="photo_camera",
        )
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
        self.turn = self.aimed = self._height = None
        self.asked = "over" if table.outcome() is not None else "where"
        self.begin_anew()
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
        asked = self.asked
        self._trouble.set_text("")
        self._counter.set_visibility(asked == "cars")
        doubted = self.turn is not None and self.turn.doubted
        self._taken_back.set_visibility(asked == "refused" and not doubted)
        self._fates.set_visibility(asked == "else")
        self._act.set_visibility(asked != "over")
        self._undo.set_enabled(asked not in ("where", "over") or bool(self.diary.steps))
        self._pick.set_visibility(asked == "else")
        self._line.ask(asked if asked in ("where", "else") else None)
        self._log.show()
        if self.acts:
            self.fill()
            self.stage.hatch(())
            self.stage.show(bodies(self.before))
            self.aim()
            return
        self.rest()
        if self.turn is None:
            self.stage.show(bodies(self.before))
            self.say(self.text("over"))
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
                self.say(lines[0], "\n".join(lines[1:]), "bad")
                return
            case "cars":
                self._act.set_text(text("note_so_many"))
                self.say(text("note_cars_down", player=player), "\n".join(lines))
                self._count(0)
            case _:
                self._act.set_text(text("note_that_was_it" if turn.told else "note_nothing"))
                said = [
                    one.told(text.language) for one in remarks(turn.first, turn.step, turn.said)
                ]
                self.say(text("note_what_else"), "\n".join((*said, *lines)))
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

    def say(self, said: str, why: str = "", mood: str = "") -> None:
        """Says the one sentence that is true now."""
        self._saying.say(said, why, mood)

    @property
    def offered(self) -> Collection[Kind]:
        """All pieces: people may have built what the rules do not allow."""
        return KINDS

    @property
    def invites(self) -> Sequence[str]:
        """Whose piece is asked for."""
        asked = "note_where_building" if self.before.phase == "buildings" else "note_where"
        return (self.text(asked, player=self.player),)

    def worded(self, aimed: Aimed) -> tuple[str, str, str]:
        """What is said of the placement, why, and the mood."""
        said, why, mood = super().worded(aimed)
        if self.before.phase == "entrances" and aimed.legal:
            said = self.text("note_entrance", player=self.player)
        return said, why, mood

    def hand(self, detail: dict[str, Any]) -> None:
        """Aims; where it is asked what else happened, a tap picks a piece."""
        at = pointed(detail)
        if self.asked == "else" and detail.get("type") == "tap" and at is not None:
            with self._safely():
                self._fates.tapped(detail, at)
        super().hand(detail)

    @property
    def heights(self) -> Collection[int]:
        """Also what the rules do not allow: people may have built it."""
        return range(1, _HIGHEST + 1)

    def other_height(self, built: Build, step: int) -> AimRequest | None:
        """One disc more or less, which stays until something else is chosen."""
        if (discs := built.discs + step) not in self.heights:
            return None
        self._height = discs
        return request_for(built)

    def aim(self) -> None:
        """Finds the placement of the request, in the height that was chosen, and shows it."""
        if self._height is not None and self.built is not None and self.request is not None:
            self.request = aiming.of_height(self.before, self.built, self._height, self.request.at)
        super().aim()

    def chose(self) -> None:
        """The visitor has changed a control."""
        self._height = None
        super().chose()

    def loosen(self) -> None:
        """Lets go of what is aimed at."""
        self._height = None
        super().loosen()

    def show_aimed(self) -> None:
        """Shows where the piece would stand, and what the referee says of that."""
        self._act.set_text(self.text("note_stands_there"))
        self._act.set_enabled(self.aimed is not None)
        super().show_aimed()

    # --- from question to question ----------------------------------------------------------------

    async def take(self, placement: Placement) -> None:
        """Begins a turn with a placement."""
        self._tell(str(placement), self.table.lasts[-1].seat if self.putting_right else None)

    async def give(self) -> None:
        """What the main button says; the placement may be against the rules."""
        match self.asked:
            case "where" if self.move is not None:
                await self.take(self.move)
            case "refused":
                with self._safely():
                    self._accepted()
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

        with self._safely():
            self.turn = Turn(self.diary, self.diary.entry(do, by))
            self._judged()

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
            with self._safely():
                turn.count(cars)
        self._cars.set_text(str(turn.cars))

    def _marked(self, change: Callable[[Turn], None] | None) -> None:
        """Somebody has said what happened to a piece; None: another piece is meant."""
        turn = self.turn
        if turn is None:
            return
        if change is None:
            self.say(self._fates.asks or self.text("note_what_else"))
            self._mark_picked()
            return

        with self._safely():
            change(turn)
            self.asked = "refused" if turn.doubted else "else"
            self._show()

    def _picked(self) -> None:
        if self._pick.value and self.asked == "else":
            piece, self._pick.value = str(self._pick.value), ""
            with self._safely():
                self._fates.pick(piece)

    def _said(self, line: str) -> None:
        """A line as at the terminal: what happened, or a place, a note or a move of a record."""
        if self.asked == "where":
            with self._safely():
                self._said_where(line)
        elif self.asked == "else":
            self._marked(lambda turn: turn.tell(line, "more", line))
        if not self._trouble.text:
            self._line.clear()

    def _said_where(self, line: str) -> None:
        said = read(line, self.before, self.choices.base.value)
        if said.move:
            self._tell(said.move)
        if said.note:
            self.diary.note(said.note)
            self._log.show()
        if said.turn is not None:
            self.choices.turn.set_value(said.turn)
        if said.at is not None:
            self.typed(said.at)

    def _keep(self) -> None:
        """Keeps the turn and asks for the next one."""
        if self.turn is not None:
            with self._safely():
                self.turn.keep()
                self.noted.changed()  # this page hears it, too, and asks for the next turn

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

        with self._safely():
            self.diary.undo()
            self.noted.changed()

    def _adjust(self) -> None:
        """Takes the last build up again, which people moved before the next turn."""
        lasts = self.table.lasts
        if self.asked != "where" or not lasts:
            self._trouble.set_text(Sentence("note-adjust-nothing", {}).told(self.text.language))
            return
        self._height = None
        self.put_right()
        self._show()

    @contextmanager
    def _safely(self) -> Iterator[None]:
        """Says why what is done inside cannot be done."""
        self._trouble.set_text("")
        try:
            yield
        except PlaceError as error:
            self._trouble.set_text(
                error.sentence.told(self.text.language, Names(tuple(self.players)))
            )
        except ShutokoError as error:
            self._trouble.set_text(refused(self.text.language, error))

    async def key(self, event: Any) -> None:
        """As anywhere, for the question that stands; an arrow pins what is aimed at."""
        if not event.action.keydown:
            return
        if event.key == "Enter":
            await self.give()
        elif event.key == "Escape" and (not self.acts or self.putting_right):
            self._back()
        elif self.asked == "cars" and event.key in ("+", "-"):
            self._count(1 if event.key == "+" else -1)
        else:
            self.pinned = self.pinned or (event.key.is_cursorkey and self.aimed is not None)
            await super().key(event)
