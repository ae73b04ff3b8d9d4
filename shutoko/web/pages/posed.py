"""A problem as it is posed: on a board of cells, where the answer is a move, or at a table, where
it is a placement.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Protocol

from nicegui import background_tasks, events, ui

from rules import defaults
from rules.errors import ShutokoError
from rules.view import Offer
from shutoko.web.pages.frame import Visitor, tell
from shutoko.web.pages.problems import Solving
from shutoko.web.pages.rooms.board_room import CLICK
from shutoko.web.pages.rooms.exact import Numbers
from shutoko.web.pages.rooms.floats import round_button
from shutoko.web.pages.rooms.ghost import (
    FAR,
    ILLEGAL,
    LEGAL,
    another_height,
    arrow,
    offered,
    show_choice,
    sign_of,
    tapped_base,
)
from shutoko.web.pages.rooms.pieces import Kind, Pieces
from shutoko.web.pages.rooms.placing import Choices
from shutoko.web.pages.window import Side, Window
from shutoko.web.views import aiming
from shutoko.web.views.aiming import Aimed, AimRequest, aim
from shutoko.web.views.boards import COLOURS, board_of, board_svg, told_move
from shutoko.web.views.drawing import Drawing
from shutoko.web.views.stage import Stage
from shutoko.web.views.table import ADVISED, advised_pieces, colour_of, piles, told_in_short
from shutoko.web.views.telling import aimed_in_short, colour_name, guide, spots_of, told
from shutoko.web.work.jobs import Posed
from shutoko.web.work.tables import table_of
from sim.game.attempts.posing import bodies
from sim.problems import Judgement
from sim.referee.placement import Build

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

_CLOSE = 22.0  # mm around a kept place within which a second tap answers


class Posing(Protocol):
    """What the table asks of the page around it."""

    text: Any
    who: Visitor
    posed: Posed
    window: Window

    @property
    def waits(self) -> bool:
        """Whether an answer would be taken now."""
        ...

    async def answer(self, move: str) -> None:
        """Takes a placement."""
        ...


class OnTable:
    """`request` is what is aimed at; `pinned`: it stays in its place until another is tapped.
    `deed` is the message of the button that takes what is aimed at.
    """

    deed = "problem_give"

    def __init__(self, page: Posing) -> None:
        self._page, self._text, self._table = page, page.text, table_of(page.posed.state)
        self._names = [side.name for side in self.sides()]
        self._request: AimRequest | None = None
        self._aimed: Aimed | None = None
        self._pinned = False

    def build(self) -> None:
        """The stage."""
        with ui.element("div").classes("stage"):
            self._stage = Stage(
                bodies(self._table), self._hand, plain=self._page.who.plain, fills=True
            )
        ui.keyboard(on_key=self._key, ignore=["input", "select", "textarea", "button"])

    def build_deeds(self) -> None:
        """The pieces to choose from."""
        self._pieces = Pieces(self._text, self._take_piece)

    def build_rounds(self) -> None:
        """The button that shows everything."""
        round_button("center_focus_strong", self._text("look_all"), "fit", self._stage.look)

    def build_exact(self) -> None:
        """What to place, by numbers, and what everybody has left."""
        self._choices = Choices(self._text, self._chose, self._typed, self.give)
        self._numbers = Numbers(self._text, self._show_slots, lambda: self._stage.look(_FROM_ABOVE))
        self._numbers.show_stocks(self._table, self._names)

    def pose(self) -> None:
        """The table, ready to be aimed at."""
        self._request, self._pinned = None, False
        self._stage.show(bodies(self._table))
        self._stage.hatch(())
        self._stage.supplies(*piles(self._table))
        self._stage.advise((), ADVISED)
        self._page.window.show(self._table)
        self.resume()

    def resume(self) -> None:
        """Goes on with what is aimed at."""
        self._choices.fill(self._table, acts=True, builds=True)
        if self._request is not None:
            self._choices.show(self._request)
        self._aim()

    def show(self, move: str, found: Judgement) -> None:
        """The table after the answer, and the road with which the other player wins after a wrong
        one.
        """
        self.rest()
        try:
            after = table_of(self._page.posed.state.after(move))
        except ShutokoError:
            return
        self._stage.show(bodies(after))
        self._stage.supplies(*piles(after))
        self._page.window.show(after)
        aimed = (
            aim(self._table, request)
            if (request := aiming.request_for(self._table.parse(move))) is not None
            else None
        )
        # what was answered stands in the colour of its verdict, and its crossings pulse in it
        colour = LEGAL if found.right else ILLEGAL
        self._stage.ghost(aimed.pieces if aimed is not None else (), colour)
        self._stage.pulse(
            [(*place, colour) for place in (aimed.scoring if aimed is not None else ())], None
        )
        reply = [after.parse(found.reply)] if found.reply else []
        self._stage.advise(advised_pieces(after, reply, None), ADVISED)

    def told(self, move: str) -> str:
        """A placement in words that name no piece: the table shows where it is."""
        return told_in_short(move, self._text)

    def sides(self) -> list[Side]:
        """The players' colours."""
        seats = range(len(self._table.stocks))
        return [Side(colour_name(seat, self._text), colour_of(seat)) for seat in seats]

    def colour(self, seat: int) -> str:
        """The name of a seat's colour."""
        return self.sides()[seat].name

    def rest(self) -> None:
        """Takes away what was aimed at and all that can be chosen."""
        self._pieces.set_visibility(False)
        self._choices.fill(self._table, acts=False, builds=False)
        self._stage.ghost((), LEGAL)
        self._stage.pulse((), None)
        self._stage.bases((), "")
        self._stage.mark(())
        self._stage.light(-1)

    # --- aiming -----------------------------------------------------------------------------------

    def _hand(self, detail: dict[str, Any]) -> None:
        try:
            what, x, y = str(detail["type"]), float(detail["x"]), float(detail["y"])
        except (KeyError, TypeError, ValueError):
            return
        if not self._page.waits or not math.hypot(x, y) < FAR:
            return
        if what in ("higher", "lower"):
            self._step_height(1 if what == "higher" else -1)
            return
        moves = what == "aim" and not self._pinned
        if not (moves or what in ("tap", "drag", "drop")):
            return
        if what == "tap" and (base := tapped_base(self._table, detail)):
            self._choices.base.set_value(base)  # a tapped base pillar is chosen, not built upon
            return
        if what == "tap" and self._pinned and (detail.get("ghost") is True or self._is_kept(x, y)):
            background_tasks.create_lazy(self._taken(), name=f"answering {id(self)}")
            return
        self._pinned = what != "aim"
        self._request = self._choices.request((x, y), "play")
        self._aim()

    def _is_kept(self, x: float, y: float) -> bool:
        """Whether a tap is at the foot of the pillar that is kept."""
        place = None if self._aimed is None else aiming.place_of(self._aimed.placement)
        return place is not None and math.dist(place, (x, y)) < _CLOSE

    async def _taken(self) -> None:
        """A second tap on what is kept does what the button does."""
        with self._stage.scene.client:
            await self.give()

    def _take_piece(self, kind: Kind) -> None:
        """Chooses a piece: what is aimed at becomes one of these."""
        if self._page.waits:
            self._choices.take("exit" if kind == "exit" else "build", junction=kind == "yellow")
            self._chose()
            self._show_pieces()

    def _step_height(self, step: int) -> None:
        """One disc more or less on what is aimed at, as far as the rules allow."""
        built = self._aimed.placement if self._aimed is not None else None
        if not isinstance(built, Build) or self._request is None:
            return
        discs = another_height(self._table, built, step)
        if discs is None:
            tell(self._text("height_ends"), "info")
            return
        self._choices.take("build", junction=built.junction, discs=discs)
        self._pinned = True
        self._request = replace(self._choices.request(self._request.at, "play"), base=built.base)
        self._aim()

    def _chose(self) -> None:
        if self._request is not None:
            self._request = self._choices.request(self._request.at, "play")
            self._aim()

    def _typed(self, at: tuple[float, float]) -> None:
        if self._page.waits and math.hypot(*at) < FAR:
            self._pinned = True
            self._request = replace(self._choices.request(at, "play"), fixed=True)
            self._aim()

    def _key(self, event: Any) -> Any:
        if not event.action.keydown or not self._page.waits:
            return None
        if event.key == "Enter":
            return self.give()
        if event.key == "Escape":
            self._request, self._pinned = None, False
            self._aim()
        elif event.key in ("+", "-"):
            self._step_height(1 if event.key == "+" else -1)
        elif event.key.is_cursorkey and self._pinned and self._request and self._aimed:
            self._request = aiming.moved(
                self._table, self._aimed.placement, self._request, arrow(event)
            )
            self._aim()
        return None

    def _aim(self) -> None:
        """Shows the aimed placement, and what the referee says of it."""
        try:
            self._aimed = (
                aim(self._table, self._request, self._names) if self._request is not None else None
            )
        except ShutokoError:
            self._aimed = None
        aimed, text, window = self._aimed, self._text, self._page.window
        self._choices.show_place(aiming.shown_place(self._request, aimed) if self._pinned else None)
        self._show_pieces()
        self._show_slots()
        window.offer(text(self.deed), may=bool(aimed and aimed.legal))
        if aimed is None:
            self._stage.ghost((), LEGAL)
            self._stage.pulse((), None)
            self._invite()
            return
        colour = LEGAL if aimed.legal else ILLEGAL
        self._stage.ghost(aimed.pieces, colour, sign_of(self._table, aimed))
        window.say(
            aimed_in_short(aimed, self._table, text, self._names),
            "\n".join(told(text.language, aimed.lines)),
            "good" if aimed.legal else "bad",
        )
        colour = colour_of(self._table.to_move) if aimed.legal else ILLEGAL
        faults = spots_of(aimed.faults, self._table, aimed.placement)
        spots = aimed.scoring if aimed.legal else faults
        self._stage.pulse([(*spot, colour) for spot in spots], None)

    def _invite(self) -> None:
        """Says what to do while nothing is aimed at."""
        self._page.window.say(self._text("point_table"))

    def _show_pieces(self) -> None:
        self._pieces.set_visibility(True)
        show_choice(
            self._stage,
            self._pieces,
            self._table,
            self._choices.piece,
            self._aimed,
            offered(self._table),
            builds=True,
        )

    def _show_slots(self) -> None:
        bars = (
            aiming.slot_bars(self._table, self._table.to_move, self._aimed)
            if self._numbers.slots.value
            else []
        )
        self._stage.mark(bars)

    async def give(self) -> None:
        """Answers with what is aimed at."""
        if self._page.waits and self._aimed is not None and self._aimed.legal:
            self._pinned = True
            await self._page.answer(str(self._aimed.placement))
