"""The page of a room whose game is played on a board of cells: moves are made by pointing, by
touch, by keys or by typing.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

from nicegui import events, ui

from rules import defaults
from rules.game import Game
from rules.record.model import ran_out_of_time
from rules.view import Offer
from shutoko.web.pages.controls import icon_button, text_button
from shutoko.web.pages.frame import Visitor, bare_frame
from shutoko.web.pages.replay.analysis import AdviceList
from shutoko.web.pages.rooms.lessons import Lessons
from shutoko.web.pages.rooms.panel import RoomPage, RoomPanel
from shutoko.web.rooms.chat import Aim, Change
from shutoko.web.rooms.room import Room
from shutoko.web.site import Site
from shutoko.web.views import (
    COLOURS,
    Drawing,
    Stage,
    board_of,
    board_svg,
    bodies_of,
    guide,
    told_move,
    told_ply,
    worded,
)
from shutoko.web.work import (
    Rated,
)

CLICK = """(e) => {
  const move = e.target.closest('[data-move]'), cell = e.target.closest('[data-cell]');
  if (move) emit({move: move.dataset.move, touch: e.pointerType === 'touch'});
  else if (cell) emit({cell: cell.dataset.cell, touch: e.pointerType === 'touch'});
}"""
"""What a click on a board sends: the move or the cell that it hits, and whether a finger made it.
"""

_HOVER = """(e) => {
  const move = e.target.closest('[data-move]')?.dataset.move ?? '';
  if (move !== (e.currentTarget.shutokoOver ?? '')) emit(e.currentTarget.shutokoOver = move);
}"""


class CellPicker(ABC):
    """How somebody chooses a move on a board of cells. `picked` are the cells of a move that is not
    whole yet, `begun` is its text where the game offers such a beginning, and `chosen` is a move
    that waits to be confirmed; `offers` are the moves on offer.

    Pages differ in whether the visitor `acts`, the `state` that is shown, how they `take` a move,
    and in what they `redraw`.
    """

    form: ui.element
    field: ui.input

    def __init__(self, made: Game[Any], text: Any) -> None:
        self.made, self.text = made, text
        self.picked: tuple[str, ...] = ()
        self.begun: str | None = None
        self.chosen: str | None = None
        self.offers: tuple[Offer, ...] = ()
        self.names = frozenset[str]()

    # --- what pages differ in ---------------------------------------------------------------------

    @property
    @abstractmethod
    def acts(self) -> bool:
        """Whether the visitor may move now."""

    @property
    @abstractmethod
    def state(self) -> Any:
        """The position."""

    @abstractmethod
    async def take(self, move: str) -> bool:
        """Goes on with a move; returns whether it was one."""

    @abstractmethod
    def redraw(self) -> None:
        """Shows what is picked or chosen now."""

    def missed(self, cell: str) -> None:
        """Somebody has pointed at a cell that no move names."""
        del cell
        self.forget()
        self.redraw()

    # --- its parts --------------------------------------------------------------------------------

    def build_board(self) -> None:
        """The board."""
        self.names = frozenset(cell.name for cell in board_of(self.made, self.state).cells)
        self.board = (
            Drawing()
            .classes("board")
            .on("click", self._clicked, js_handler=CLICK)
            .on("cellpick", self._cell_picked, js_handler="(e) => emit(e.detail)")
        )

    def build_form(self, called: str) -> None:
        """A field for those who type, with a button that is `called` so."""
        with ui.element("form").classes("line").on("submit.prevent", self._typed) as self.form:
            self.field = (
                ui.input(self.text("type_move"))
                .props('dense outlined autocomplete="off" maxlength=20 data-type')
                .classes("grow")
            )
            icon_button("send", called, self._typed, "flat dense")

    # --- showing ----------------------------------------------------------------------------------

    def find_offers(self) -> None:
        """Looks up the moves on offer, where a move has begun those that go on with it."""
        self.offers = defaults.offers(self.made, self.state, self.begun) if self.acts else ()

    def draw_board(self, last: str | None, before: Any, ranked: Sequence[str] = ()) -> None:
        """Draws the position after a move, with the moves on offer; `ranked` have numbers."""
        content = board_svg(
            self.made,
            self.state,
            self.text,
            last=last,
            before=before,
            offers=self._shown_offers(),
            picked=self.picked[-1] if self.picked else None,
            ranked=ranked,
        )
        if content != self.board.content:
            self.board.set_content(content)

    def _shown_offers(self) -> list[Offer]:
        """The moves on offer, the one that waits to be confirmed marked."""
        shown = [replace(offer, chosen=offer.move == self.chosen) for offer in self.offers]
        if self.chosen is not None and not any(offer.chosen for offer in shown):
            # of a move that is offered in parts
            whole = defaults.offer(self.made, self.state, self.chosen)
            shown += [] if whole is None else [replace(whole, chosen=True)]
        return shown

    # --- what somebody does -----------------------------------------------------------------------

    async def _clicked(self, event: events.GenericEventArguments) -> None:
        given = event.args if isinstance(event.args, dict) else {}
        move, cell = given.get("move"), given.get("cell")
        if not self.acts:
            return
        if isinstance(move, str):
            if any(offer.part and offer.move == move for offer in self.offers):
                self.pick(self.cells(move), move)
            elif given.get("touch") and move != self.chosen:
                # a finger cannot hover to see the move first, so it confirms with a second touch
                self.chosen = move
                self.redraw()
            else:
                await self.take(move)
        elif isinstance(cell, str) and any(cell in self.cells(offer.move) for offer in self.offers):
            self.pick((cell,))
        elif isinstance(cell, str) and cell in self.names:
            self.missed(cell)

    async def _cell_picked(self, event: events.GenericEventArguments) -> None:
        """Enter on a cell: a move of these cells is made, or the cells that are picked so far are
        marked.
        """
        cell = str(event.args)
        if not self.acts:
            return
        if cell in self.picked:
            self.pick(())
            return
        for picked in ((*self.picked, cell), (cell,)):
            fitting = [offer for offer in self.offers if set(picked) <= set(self.cells(offer.move))]
            whole = next(
                (offer for offer in fitting if set(self.cells(offer.move)) == set(picked)), None
            )
            if whole is not None and not whole.part:
                await self.take(whole.move)
                return
            if fitting:
                self.pick(picked, None if whole is None else whole.move)
                return

    async def _typed(self) -> None:
        move = str(self.field.value or "").strip()
        if move and await self.take(move):
            self.field.set_value("")

    def pick(self, cells: tuple[str, ...], begun: str | None = None) -> None:
        """Marks the cells of a move that is not whole yet; picked once more, it is forgotten."""
        self.picked, self.begun = ((), None) if cells == self.picked else (cells, begun)
        self.redraw()

    def forget(self) -> None:
        """Nothing is picked or chosen."""
        self.picked, self.begun, self.chosen = (), None, None

    def cells(self, move: str) -> tuple[str, ...]:
        """The cells of the board that a move names."""
        return tuple(cell for cell in defaults.cells_of(self.made, move) if cell in self.names)


class BoardRoom(CellPicker, RoomPage):
    """One visitor's page of one room. `pointing` is the message that says how to point at such a
    game.
    """

    pointing = "how_board"

    def __init__(self, site: Site, who: Visitor, room: Room) -> None:
        super().__init__(room.made, who.text)
        self.site, self.who, self.room = site, who, room
        self.guide = guide(room.made, who.text)
        self.panel = RoomPanel(site, who, room, self)
        self.hints: Sequence[str] = ()
        self.advised: str | None = None

    def build(self) -> None:
        """The page."""
        text, panel = self.text, self.panel
        with (
            bare_frame(self.who, self.guide.title, "sounds.js", "playing.js", "board.js"),
            panel.room_page(),
        ):
            self._picture()
            panel.begin(self.guide.title)
            self.choices = ui.element("div").classes("line choices")
            with panel.round():
                pass
            with panel.menu(self.pointing):
                self.build_form(text("play_typed"))

    @property
    def acts(self) -> bool:
        """Whether the visitor is to move."""
        return self.panel.my_turn

    @property
    def state(self) -> Any:
        """The position of the room."""
        return self.room.position

    def _picture(self) -> None:
        """Makes the part of the page that shows the position."""
        self.build_board()
        self.board.on("pointerover", self._hovered, js_handler=_HOVER, throttle=0.12)
        ui.context.client.on_delete(self.room.live.hear(self._seen))

    def show(self, change: Change | None) -> None:
        """Draws the position; a move that is not whole yet is forgotten when the position
        changes.
        """
        if change in ("ply", "undo", "end"):
            self.forget()
        self.find_offers()
        self._draw()
        if self.picked or self.chosen is not None:
            self._aim_at(self.chosen)
        self.form.set_visibility(self.acts)
        begins = not self.acts or any(offer.part for offer in self.offers)
        self._show_choices(() if begins else defaults.plain_moves(self.made, self.state))

    def _aim_at(self, move: str | None) -> None:
        """Lets the others see the cells of a move that is pointed at or picked."""
        cells = self.picked if move is None else self.cells(move)
        seat = self.room.to_move
        if self.panel.my_turn and seat is not None:
            self.room.live.show(self._seen, Aim(seat, cells=cells) if cells else None)

    def _seen(self, aim: Aim | None) -> None:
        """Marks the cells that somebody else aims at."""
        cells = json.dumps([] if aim is None else list(aim.cells))
        with self.board.client:
            _ = ui.run_javascript(f"shutokoFriends.aim({self.board.id}, {cells})")

    def _draw(self) -> None:
        """Shows the position in the picture."""
        last = self.room.steps[-1] if self.room.steps else None
        self.draw_board(
            None if last is None else str(last.entry.do),
            None if last is None else last.before,
            self.hints,
        )

    def redraw(self) -> None:
        """Shows what is picked or chosen now."""
        self.show(None)

    def _show_choices(self, plain: Sequence[str]) -> None:
        self.choices.clear()
        with self.choices:
            if plain:
                ui.label(self._question(plain[0])).classes("soft")
            for move in plain:
                text_button(
                    told_move(move, self.text),
                    lambda move=move: self.take(move),
                    f'unelevated dense data-plain="{move}"',
                )
            if self.chosen is not None and self.chosen not in plain:
                text_button(
                    self.text("confirm", move=self.chosen),
                    lambda: self.take(str(self.chosen)),
                    'unelevated data-confirm data-part="act"',
                )
                text_button(self.text("cancel"), self._cancel, "flat")

    def _question(self, move: str) -> str:
        """What is asked of whoever may make a move that is no place on the board: in the visitor's
        words, or the game's.
        """
        return worded(self.text, f"ask_{move}", defaults.asks(self.made, self.state))

    # --- what somebody does -----------------------------------------------------------------------

    def _hovered(self, event: events.GenericEventArguments) -> None:
        """The pointer is over a move, or has left it."""
        if not self.picked and self.chosen is None:
            known = (offer.move for offer in self.offers)
            self._aim_at(next((move for move in known if move == event.args), None))

    async def take(self, move: str) -> bool:
        """Plays a move."""
        self.forget()
        done = await self.panel.attempt(
            self.room.play(self.who.holder, move, self.room.record.next_ply)
        )
        if not done:
            self.show(None)
        return done

    def pick(self, cells: tuple[str, ...], begun: str | None = None) -> None:
        """Marks the cells of a move that is not whole yet, and says which one was picked last."""
        super().pick(cells, begun)
        if self.picked:
            self.panel.say(self._worded("picked", cell=self.picked[-1]))

    def missed(self, cell: str) -> None:
        """Says that no move names the cell."""
        super().missed(cell)
        self.panel.say(self._no_move_at(cell))

    def _cancel(self) -> None:
        self.forget()
        self.panel.hints.choose(None)
        self.hinted(self.panel.hints.found, None)

    def hinted(self, found: Sequence[Rated], picked: int | None) -> None:
        """The moves of a hint carry their numbers; the one that is picked waits to be confirmed. If
        it was picked before, or none is picked now, what the visitor has begun since stays.
        """
        self.hints = [one.move for one in found]
        chosen = None if picked is None else self.hints[picked]
        before, self.advised = self.advised, chosen
        if chosen is None and self.chosen == before:
            self.chosen = None
        elif chosen not in (None, before):
            self.picked, self.begun, self.chosen = (), None, chosen
            self.panel.say(self.text("hinted", move=told_move(str(chosen), self.text)))
        self.show(None)

    # --- what the panel asks ----------------------------------------------------------------------

    def colour(self, seat: int) -> str:
        """The CSS colour of a seat now."""
        return COLOURS[defaults.side_of(self.state, seat) % len(COLOURS)]

    def lines(self, n: int) -> Sequence[str]:
        """What the log says of ply n."""
        step = self.room.steps[n]
        if ran_out_of_time(step.entry.extra):
            return [f"{step.player}: {self.text('time_over')}"]
        return told_ply(self.made, step, self.text)

    def headline(self, n: int) -> str:
        """All that is said of ply n."""
        return ". ".join(self.lines(n))

    def told(self, n: int) -> None:
        """Nothing: the board shows what came of it."""

    def asks(self) -> str:
        """What wins, and what to do; whose turn it is in a game that nobody wrote that for."""
        side = defaults.side_of(self.state, int(self.room.to_move or 0)) + 1
        return worded(self.text, f"{self.room.game}_your_turn_{side}", self.text("your_turn"))

    def lessons(self, show_me: Callable[[], Awaitable[None]]) -> Lessons:
        """The card of the guide; a ply ends each lesson."""
        return Lessons(self.room.game, self.text, show_me)

    def advices(self, pick: Callable[[int | None], None]) -> AdviceList:
        """The list of the moves of a hint."""
        return AdviceList(self.text, lambda move: told_move(move, self.text), pick)

    # --- small things -----------------------------------------------------------------------------

    def _worded(self, key: str, **values: object) -> str:
        """The game's own words for a message where the catalogues have them, else those for all
        games.
        """
        return worded(self.text, f"{self.room.game}_{key}", self.text(key, **values), **values)

    def _no_move_at(self, cell: str) -> str:
        """What is said of a cell that no move names."""
        held = next(one.holds for one in board_of(self.made, self.state).cells if one.name == cell)
        return self._worded("no_move_free" if held is None else "no_move_taken", cell=cell)


# --- pieces in space without a referee of tables --------------------------------------------------


class SceneRoom(BoardRoom):
    """One visitor's page of one room: as on a board, but the position is a scene, and each move a
    button.
    """

    pointing = "how_scene"

    def _picture(self) -> None:
        with ui.element("div").classes("stage"):
            self.stage = Stage(bodies_of(self.made, self.state), plain=self.who.plain, fills=True)

    def _draw(self) -> None:
        self.stage.show(bodies_of(self.made, self.state))
