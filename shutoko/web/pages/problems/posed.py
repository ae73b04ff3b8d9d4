"""A problem as it is posed: on a board of cells, where the answer is a move, or at a table, where
it is a placement.
"""

from typing import Any, Protocol

from rules import defaults
from rules.errors import ShutokoError
from shutoko.web.pages.frame import Visitor
from shutoko.web.pages.problems.page import Side, Solving, Window
from shutoko.web.pages.rooms.aimer import ILLEGAL, LEGAL, Aimer
from shutoko.web.pages.rooms.board_room import CellPicker
from shutoko.web.pages.rooms.floats import round_button
from shutoko.web.pages.rooms.placing import Numbers
from shutoko.web.views import (
    ADVISED,
    COLOURS,
    advised_pieces,
    aim,
    aiming,
    board_svg,
    colour_name,
    colour_of,
    guide,
    piles,
    told_in_short,
    told_move,
)
from shutoko.web.work import (
    Posed,
    table_of,
)
from sim.game.attempts.posing import bodies
from sim.problems import Judgement
from sim.referee.placement import Placement
from sim.referee.table import Table

_FROM_ABOVE = 86.0  # degrees

# --- on a board -----------------------------------------------------------------------------------


class OnBoard(CellPicker):
    """A move waits for a second touch; the main button takes it, too."""

    def __init__(self, page: Solving) -> None:
        super().__init__(page.made, page.text)
        self._page = page

    @property
    def acts(self) -> bool:
        """Whether an answer would be taken now."""
        return self._page.waits

    @property
    def state(self) -> Any:
        """The position as it is posed."""
        return self._page.posed.state

    async def take(self, move: str) -> bool:
        """Answers with a move."""
        await self._page.answer(move)
        return True

    def build(self) -> None:
        """The board."""
        self.build_board()

    def build_deeds(self) -> None:
        """Nothing: a move is made on the board."""

    def build_rounds(self) -> None:
        """Nothing: a board is seen whole."""

    def build_exact(self) -> None:
        """A field for those who type."""
        self.build_form(self.text("problem_give"))

    def pose(self) -> None:
        """The position with the moves on offer."""
        self.forget()
        self.form.set_visibility(True)
        self.redraw()
        self._page.window.say(
            self.text("problem_you", colour=self.sides()[self.state.to_move].name)
        )

    async def give(self) -> None:
        """Answers with the move that waits for it."""
        if self.chosen is not None:
            await self.take(self.chosen)

    def show(self, move: str, found: Judgement) -> None:
        """The board after the answer; the reply that refutes it has a number."""
        self.form.set_visibility(False)
        try:
            after = self.state.after(move)
        except ValueError:
            return
        ranked = [found.reply] if found.reply else []
        self.board.set_content(
            board_svg(self.made, after, self.text, last=move, before=self.state, ranked=ranked)
        )

    def told(self, move: str) -> str:
        """The text of a move, or words for a move without a place on the board."""
        return told_move(move, self.text)

    def sides(self) -> list[Side]:
        """The colours that the seats play."""
        shown = [defaults.side_of(self.state, seat) for seat in range(self.made.seats)]
        names = guide(self.made, self.text).sides
        return [Side(names[side], COLOURS[side % len(COLOURS)]) for side in shown]

    def redraw(self) -> None:
        """Shows what is picked or chosen; what is chosen may be confirmed."""
        self.find_offers()
        confirms = "" if self.chosen is None else self.text("confirm", move=self.chosen)
        self._page.window.offer(confirms)
        last = self._page.problem.moves[-1] if self._page.problem.moves else None
        self.draw_board(last, self._page.posed.before)


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
        return [
            Side(colour_name(seat, self.text), colour_of(seat))
            for seat in range(len(self._table.stocks))
        ]

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
