"""The page of a room of Thruway or Meridians: a board on which moves are made by pointing, by touch, by keys or by typing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nicegui import events, ui

from shutoko.export.board import cells, named, svg
from shutoko.web.pages.frame import Visitor, frame
from shutoko.web.pages.panel import RoomPanel
from shutoko.web.rooms.room import Change, Room
from shutoko.web.site import Site
from shutoko.web.views import boards
from shutoko.web.work.advisers import Rated

__all__ = ["CLICK", "COLOURS", "BoardRoom", "board_svg", "told_move"]

COLOURS = ("#fcfbf7", "#2f3437")

CLICK = """(e) => {
  const move = e.target.closest('[data-move]'), cell = e.target.closest('[data-cell]');
  if (move) emit({move: move.dataset.move, touch: e.pointerType === 'touch'});
  else if (cell) emit({cell: cell.dataset.cell, touch: e.pointerType === 'touch'});
}"""


class BoardRoom:
    """One visitor's page of one room. `picked` is the first half of a pair, `chosen` a move that waits to be confirmed."""

    def __init__(self, site: Site, who: Visitor, room: Room) -> None:
        self.site, self.who, self.room, self.text = site, who, room, who.text
        self.picked: str | None = None
        self.chosen: str | None = None
        self.panel = RoomPanel(site, who, room, self._colour, self._lines, self.show)
        self.hints: Sequence[str] = ()
        self.panel.told_move, self.panel.on_hints = lambda move: told_move(move, self.text), self._hinted

    def build(self) -> None:
        """The page."""
        text = self.text
        with frame(self.who, text(self.room.game)), ui.element("div").classes("split"):
            self.board = ui.html("", sanitize=False).classes("board")
            self.board.on("click", self._clicked, js_handler=CLICK)
            self.board.on("cellpick", self._cell_picked, js_handler="(e) => emit(e.detail)")
            with ui.element("div").classes("panel"):
                self.panel.begin()
                self.choices = ui.element("div").classes("line")
                with ui.element("form").classes("line").on("submit.prevent", self._typed) as self.form:
                    self.field = ui.input(text("type_move")).props('dense outlined autocomplete="off" maxlength=20 data-type')
                    self.field.classes("grow")
                    ui.button(icon="send", on_click=self._typed).props(f'flat dense aria-label="{text("play_typed")}"')
                self.panel.end()
                with ui.expansion(text("how_to")).props("dense"):
                    ui.label(text(f"{self.room.game}_how")).classes("soft").style("white-space: pre-line")

    def show(self, change: Change | None) -> None:
        """Draws the position; a half of a move that was picked is forgotten when the position changes."""
        if change in ("ply", "undo"):
            self.picked = self.chosen = None
        state, room = self.room.position, self.room
        mine = self.panel.my_turn
        moves = boards.offers(state, self.text, self.picked, self.chosen) if mine else []
        before = room.steps[-1].before if room.steps else None
        last = str(room.steps[-1].entry.do) if room.steps else ""
        content = board_svg(state, self.text, last, before, moves, self.picked, self.hints)
        if content != self.board.content:
            self.board.set_content(content)
        self.form.set_visibility(mine)
        self._show_choices(boards.plain_moves(state) if mine else [])

    def _show_choices(self, plain: Sequence[str]) -> None:
        self.choices.clear()
        with self.choices:
            if plain and self.text(f"ask_{plain[0]}") != f"ask_{plain[0]}":
                ui.label(self.text(f"ask_{plain[0]}")).classes("soft")
            for move in plain:
                button = ui.button(self.text(f"move_{move}"), on_click=lambda move=move: self._play(move))
                button.props(f'unelevated no-caps dense data-plain="{move}"')
            if self.chosen is not None and self.chosen not in plain:
                button = ui.button(self.text("confirm", move=self.chosen), on_click=lambda: self._play(str(self.chosen)))
                button.props("unelevated no-caps data-confirm")
                ui.button(self.text("cancel"), on_click=self._forget).props("flat no-caps")

    # --- what somebody does --------------------------------------------------------------------------------------------------

    async def _clicked(self, event: events.GenericEventArguments) -> None:
        given = event.args if isinstance(event.args, dict) else {}
        move, cell = given.get("move"), given.get("cell")
        if not self.panel.my_turn:
            return
        if isinstance(move, str):
            if self._is_half(move):
                self._pick(move)
            elif given.get("touch") and move != self.chosen:
                self.chosen = move  # a finger shows nothing before it touches: it is asked once more
                self.show(None)
            else:
                await self._play(move)
        elif isinstance(cell, str):
            self._pick(cell)

    async def _cell_picked(self, event: events.GenericEventArguments) -> None:
        """Enter on a cell: a point is played; a pair is two cells, one after the other."""
        cell = str(event.args)
        state = self.room.position
        if not self.panel.my_turn or cell not in {c.name for c in cells(state.board_text())}:
            return
        if self._pairing():
            if self.picked in (None, cell):
                self._pick(cell)
            else:
                await self._play(f"{self.picked},{cell}")  # light's point first
            return
        moves = boards.partners(state, cell)
        if self.picked is not None and self.picked != cell:
            pair = [move for move in moves if self.picked in named(move)]
            if pair:
                await self._play(pair[0])
            else:
                self._pick(cell)
        elif [cell] in [named(move) for move in moves]:
            await self._play(cell)
        else:
            self._pick(cell)

    async def _typed(self) -> None:
        move = str(self.field.value or "").strip()
        if move and await self._play(move):
            self.field.set_value("")

    async def _play(self, move: str) -> bool:
        self.picked = self.chosen = None
        done = await self.panel.attempt(self.room.play(self.who.holder, move, self.room.record.next_ply))
        if not done:
            self.show(None)
        return done

    def _pick(self, cell: str) -> None:
        self.picked = None if self.picked == cell else cell
        self.show(None)
        if self.picked:
            self.panel.status.set_text(self.text("picked", cell=cell))

    def _forget(self) -> None:
        self.picked = self.chosen = None
        self.panel.hints.choose(None)
        self.show(None)

    def _hinted(self, found: Sequence[Rated], picked: int | None) -> None:
        """The moves of a hint carry their numbers; the one that is picked waits to be confirmed."""
        self.hints = [one.move for one in found]
        self.picked = None
        self.chosen = None if picked is None else found[picked].move
        self.show(None)
        if self.chosen is not None:
            self.panel.status.set_text(self.text("hinted", move=told_move(self.chosen, self.text)))

    # --- small things --------------------------------------------------------------------------------------------------------

    def _pairing(self) -> bool:
        state = self.room.position
        return self.room.game == "meridians" and bool(state.game.pie) and state.turns.ply == 0

    def _is_half(self, move: str) -> bool:
        return self._pairing() and self.picked is None and "," not in move

    def _colour(self, seat: int) -> str:
        return COLOURS[self.room.position.turns.sides[seat]]

    def _lines(self, n: int) -> Sequence[str]:
        entry = self.room.steps[n].entry
        key = f"move_{entry.do}"
        told = self.text(key)
        said = self.text("time_over") if entry.extra.get("x-time") else str(entry.do) if told == key else told
        return [f"{self.room.names[entry.by]}: {said}"]


def told_move(move: str, text: Any) -> str:
    """A move for people: its text, or the words for what is no place on the board."""
    return str(text(f"move_{move}")) if move in boards.PLAIN else move


def board_svg(
    state: Any,
    text: Any,
    last: str,
    before: Any = None,
    moves: Sequence[Any] = (),
    picked: str | None = None,
    ranked: Sequence[str] = (),
) -> str:
    """The picture of a position: the last move, the marks of the rules, the moves on offer and those that a hint names."""
    found = boards.signs(state, before)
    labels = {
        cell.name: boards.label_of(cell.name, cell.holds, found.get(cell.name), state.game.name, text)
        for cell in cells(state.board_text())
    }
    if picked is not None:
        found = {**found, picked: "picked"}
    title = text(state.game.name)
    return svg(state.board_text(), named(last), title, signs=found, offers=moves, labels=labels, ranked=ranked)
