"""A problem as it is posed: on a board of cells, where the answer is a move, or at a table, where
it is a placement.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Protocol

from nicegui import events, ui

from rules import defaults
from rules.errors import ShutokoError
from rules.view import Offer
from shutoko.web.pages.frame import Visitor
from shutoko.web.pages.problems import Solving
from shutoko.web.pages.rooms.aimer import ILLEGAL, LEGAL, Aimer
from shutoko.web.pages.rooms.board_room import CLICK
from shutoko.web.pages.rooms.exact import Numbers
from shutoko.web.pages.rooms.floats import round_button
from shutoko.web.pages.window import Side, Window
from shutoko.web.views import aiming
from shutoko.web.views.aiming import aim
from shutoko.web.views.boards import COLOURS, board_of, board_svg, told_move
from shutoko.web.views.drawing import Drawing
from shutoko.web.views.table import ADVISED, advised_pieces, colour_of, piles, told_in_short
from shutoko.web.views.telling import colour_name, guide
from shutoko.web.work.jobs import Posed
from shutoko.web.work.tables import table_of
from sim.game.attempts.posing import bodies
from sim.problems import Judgement
from sim.referee.placement import Placement
from sim.referee.table import Table

_FROM_ABOVE = 86.0  # degrees

# --- on a board -----------------------------------------------------------------------------------


class OnBoard:
    """`picked` is the first cell of a move that is not whole yet, `chosen` a move that waits for a
    second touch.
    """

    def __init__(self, page: Solving) -> None:
        self._page, self._made, self._text, self._state = (
            page,
            page.made,
            page.text,
            page.posed.state,
        )
        self._names = frozenset(cell.name for cell in board_of(page.made, self._state).cells)
        self._offers: tuple[Offer, ...] = ()
        self._picked: str | None = None
        self._chosen: str | None = None

    def build(self) -> None:
        """The board."""
        self._board = Drawing().classes("board")
        self._board.on("click", self._clicked, js_handler=CLICK)
        self._board.on("cellpick", self._cell_picked, js_handler="(e) => emit(e.detail)")

    def build_deeds(self) -> None:
        """Nothing: a move is made on the board."""

    def build_rounds(self) -> None:
        """Nothing: a board is seen whole."""

    def build_exact(self) -> None:
        """A field for those who type."""
        text = self._text
        with ui.element("form").classes("line").on("submit.prevent", self._typed) as self._form:
            self._field = ui.input(text("type_move")).props(
                'dense outlined autocomplete="off" maxlength=20 data-type'
            )
            self._field.classes("grow")
            ui.button(icon="send", on_click=self._typed).props(
                f'flat dense aria-label="{text("problem_give")}"'
            )

    def pose(self) -> None:
        """The position with the moves on offer."""
        self._picked = self._chosen = None
        self._offers = defaults.offers(self._made, self._state)
        self._form.set_visibility(True)
        self._draw()
        you = self.colour(self._state.to_move)
        self._page.window.say(self._text("problem_you", colour=you))

    async def give(self) -> None:
        """Answers with the move that waits for it."""
        if self._chosen is not None:
            await self._page.answer(self._chosen)

    def show(self, move: str, found: Judgement) -> None:
        """The board after the answer; the reply that refutes it has a number."""
        self._form.set_visibility(False)
        try:
            after = self._state.after(move)
        except ValueError:
            return
        ranked = [found.reply] if found.reply else []
        self._board.set_content(
            board_svg(self._made, after, self._text, last=move, before=self._state, ranked=ranked)
        )

    def told(self, move: str) -> str:
        """The text of a move, or words for a move without a place on the board."""
        return told_move(move, self._text)

    def sides(self) -> list[Side]:
        """The colours that the seats play."""
        shown = [defaults.side_of(self._state, seat) for seat in range(self._made.seats)]
        names = guide(self._made, self._text).sides
        return [Side(names[side], COLOURS[side % len(COLOURS)]) for side in shown]

    def colour(self, seat: int) -> str:
        """The name of the colour that the seat plays."""
        return self.sides()[seat].name

    def _draw(self) -> None:
        chosen = self._chosen
        self._page.window.offer("" if chosen is None else self._text("confirm", move=chosen))
        problem, posed = self._page.problem, self._page.posed
        content = board_svg(
            self._made,
            self._state,
            self._text,
            last=problem.moves[-1] if problem.moves else None,
            before=posed.before,
            offers=[
                replace(offer, chosen=True) if offer.move == self._chosen else offer
                for offer in self._offers
            ],
            picked=self._picked,
        )
        self._board.set_content(content)

    def _cells(self, move: str) -> frozenset[str]:
        return self._names.intersection(defaults.cells_of(self._made, move))

    async def _clicked(self, event: events.GenericEventArguments) -> None:
        given = event.args if isinstance(event.args, dict) else {}
        move, cell = given.get("move"), given.get("cell")
        if not self._page.waits:
            return
        if isinstance(move, str) and given.get("touch") and move != self._chosen:
            # a finger cannot hover to see the move first, so it confirms with a second touch
            self._chosen = move
            self._draw()
        elif isinstance(move, str):
            await self._page.answer(move)
        elif isinstance(cell, str):
            await self._pick(cell)

    async def _cell_picked(self, event: events.GenericEventArguments) -> None:
        if self._page.waits:
            await self._pick(str(event.args))

    async def _pick(self, cell: str) -> None:
        """A cell by a click or by Enter: the move of the cells picked so far, or the first cell of
        one.
        """
        whole = {cell, self._picked} - {None}
        move = next(
            (offer.move for offer in self._offers if self._cells(offer.move) == whole), None
        )
        if move is not None:
            await self._page.answer(move)
            return
        begins = any(cell in self._cells(offer.move) for offer in self._offers)
        self._picked = cell if begins and cell != self._picked else None
        self._draw()

    async def _typed(self) -> None:
        move: Any = str(self._field.value or "").strip()
        if move:
            self._field.set_value("")
            await self._page.answer(move)


# --- at a table -----------------------------------------------------------------------------------


class Posing(Protocol):
    """What the table asks of the page around it."""

    text: Any
    who: Visitor
    posed: Posed
    window: Window

    @property
    def waits(self) -> bool:
        """Whether an answer would be taken now."""

    async def answer(self, move: str) -> None:
        """Takes a placement."""


class OnTable(Aimer):
    """`deed` is the message of the button that takes what is aimed at."""

    deed = "problem_give"

    def __init__(self, page: Posing) -> None:
        super().__init__(page.text)
        self._page, self._table = page, table_of(page.posed.state)

    @property
    def acts(self) -> bool:
        """Whether an answer would be taken now."""
        return self._page.waits

    @property
    def table(self) -> Table:
        """The table as it is posed."""
        return self._table

    async def take(self, placement: Placement) -> None:
        """Answers with a placement."""
        self.pinned = True
        await self._page.answer(str(placement))

    def say(self, said: str, why: str = "", mood: str = "") -> None:
        """Says the one sentence that is true now."""
        self._page.window.say(said, why, mood)

    def build(self) -> None:
        """The stage."""
        self.build_stage(self._page.who)

    def build_deeds(self) -> None:
        """The pieces to choose from."""
        self.build_pieces()

    def build_rounds(self) -> None:
        """The button that shows everything."""
        round_button("center_focus_strong", self.text("look_all"), "fit", self.stage.look)

    def build_exact(self) -> None:
        """What to place, by numbers, and what everybody has left."""
        self.build_controls()
        self._numbers = Numbers(self.text, self._show_slots, lambda: self.stage.look(_FROM_ABOVE))
        self._numbers.show_stocks(self._table, self.players)

    def pose(self) -> None:
        """The table, ready to be aimed at."""
        self.begin_anew()
        self.stage.show(bodies(self._table))
        self.stage.hatch(())
        self.stage.supplies(*piles(self._table))
        self.stage.advise((), ADVISED)
        self._page.window.show(self._table)
        self.resume()

    def resume(self) -> None:
        """Goes on with what is aimed at."""
        self.fill()
        self.aim()

    def show(self, move: str, found: Judgement) -> None:
        """The table after the answer, and the road with which the other player wins after a wrong
        one.
        """
        self.rest()
        try:
            after = table_of(self._page.posed.state.after(move))
        except ShutokoError:
            return
        self.stage.show(bodies(after))
        self.stage.supplies(*piles(after))
        self._page.window.show(after)
        aimed = (
            aim(self._table, request)
            if (request := aiming.request_for(self._table.parse(move))) is not None
            else None
        )
        # what was answered stands in the colour of its verdict, and its crossings pulse in it
        colour = LEGAL if found.right else ILLEGAL
        self.stage.ghost(aimed.pieces if aimed is not None else (), colour)
        self.stage.pulse(
            [(*place, colour) for place in (aimed.scoring if aimed is not None else ())], None
        )
        reply = [after.parse(found.reply)] if found.reply else []
        self.stage.advise(advised_pieces(after, reply, None), ADVISED)

    def told(self, move: str) -> str:
        """A placement in words that name no piece: the table shows where it is."""
        return told_in_short(move, self.text)

    def sides(self) -> list[Side]:
        """The players' colours."""
        seats = range(len(self._table.stocks))
        return [Side(colour_name(seat, self.text), colour_of(seat)) for seat in seats]

    def colour(self, seat: int) -> str:
        """The name of a seat's colour."""
        return self.sides()[seat].name

    def show_aimed(self) -> None:
        """Shows the aimed placement, and what the referee says of it."""
        super().show_aimed()
        self._show_slots()
        may = self.aimed is not None and self.aimed.legal
        self._page.window.offer(self.text(self.deed), may=may)

    def _show_slots(self) -> None:
        bars = (
            aiming.slot_bars(self._table, self._table.to_move, self.aimed)
            if self._numbers.slots.value
            else []
        )
        self.stage.mark(bars)
