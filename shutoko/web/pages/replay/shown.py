"""How a replay shows a ply, by the kind of view: on a board of cells, or with pieces in space."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

from nicegui import ui

from rules import defaults
from rules.game import Game
from rules.record.replay import Step
from shutoko.export.film import MENDING
from shutoko.export.packed import Film
from shutoko.web.pages.rooms.floats import plates
from shutoko.web.views import (
    ADVISED,
    Drawing,
    Stage,
    advised_pieces,
    aiming,
    board_svg,
    bodies_of,
    colour_of,
    in_short,
    piles,
    plate_of,
    reasons,
    told,
    told_move,
    told_placement,
    told_ply,
)
from shutoko.web.work import (
    Rated,
    table_of,
)
from sim.bodies import Body, Pose, shift_between, turn_between
from sim.game.ply import JudgedStep
from sim.languages import reason_in

WRONG = "#d8432b"
"""The colour of a ply that is wrong in a record."""

_APART_MM, _APART_DEGREES = 0.5, 1.0  # between poses that look different; record format 9b


def state_after(step: Step) -> Any:
    """The position that the game went on from after a ply."""
    return step.before if step.entry.taken_back else step.after


class Shown(ABC):
    """What the page of a replay asks of the part that shows the position."""

    filmed: ClassVar[bool]
    """Whether plies are shown as films."""

    left_out: ClassVar[str]
    """The kind of file that this game cannot be shared as."""

    def __init__(self, made: Game[Any], start: Any, players: Sequence[str], text: Any) -> None:
        self._made, self._state, self._players, self._text = made, start, players, text

    @abstractmethod
    def build(self, last: Any, *, plain: bool | None) -> None:
        """The part of the page that shows positions; `last` is the position at the end of the
        record.
        """

    @abstractmethod
    def show(self, state: Any, step: Step | None, film: Film | None, wrong: Sequence[str]) -> float:
        """Shows a position and the ply that led to it; pieces in `wrong` lie elsewhere than the
        record says.

        Returns the seconds that its film takes.
        """

    def compare(self, pieces: Sequence[Body] | None) -> None:
        """Shows pieces in place of those of the record; of these, the ones that lie elsewhere are
        see-through. None: only the record. On a board nothing: what a move comes to follows from
        the rules.
        """
        del pieces

    @abstractmethod
    def advise(self, found: Sequence[Rated], picked: int | None) -> None:
        """Marks the best moves of the position that is shown, the one that is `picked` by
        itself.
        """

    def told(self, move: str) -> str:
        """A move for people: its text, or words for a move without a place on the board."""
        return told_move(move, self._text)

    def headline(self, step: Step) -> str:
        """What happened at a ply, in one sentence; quick enough for every ply of a log."""
        return self.lines(step)[0]

    def lines(self, step: Step) -> Sequence[str]:
        """What happened at a ply, a sentence each; the first is the headline: what the game says,
        or the player and the move.
        """
        first, *rest = told_ply(self._made, step, self._text)
        return [_marked(first, step, self._text, step.refusal), *rest]


class OnBoard(Shown):
    """A board of cells."""

    filmed, left_out = False, "glb"
    _step: Step | None = None

    def build(self, last: Any, *, plain: bool | None) -> None:
        """The board; nothing of it can be left out on a slow machine."""
        del last, plain
        self._board = Drawing().classes("board")

    def show(self, state: Any, step: Step | None, film: Film | None, wrong: Sequence[str]) -> float:
        """Shows a position at once: nothing on a board moves or falls."""
        del film, wrong
        self._state, self._step = state, step
        self.advise((), None)
        return 0.0

    def advise(self, found: Sequence[Rated], picked: int | None) -> None:
        """Marks all of them by their numbers, and shows the picked one as if it were pointed at."""
        state, step = self._state, self._step
        offer = None if picked is None else defaults.offer(self._made, state, found[picked].move)
        content = board_svg(
            self._made,
            state,
            self._text,
            last=None if step is None else str(step.entry.do),
            before=None if step is None else step.before,
            offers=() if offer is None else (replace(offer, chosen=True),),
            ranked=[one.move for one in found],
        )
        self._board.set_content(content)


class OnTable(Shown):
    """Pieces in space; of a table with a referee also what it says, what everybody has left and
    the advised placements.
    """

    filmed, left_out = True, "svg"

    @property
    def _table(self) -> Any:
        """The table that the referee judges, if the game has one."""
        return defaults.table(self._made, self._state)

    def build(self, last: Any, *, plain: bool | None) -> None:
        """The stage and the plates of the players; for `plain` see `Stage`."""
        with ui.element("div").classes("stage"):
            self._stage = Stage(bodies_of(self._made, last), plain=plain, fills=True)
        players = () if self._table is None else self._players
        self._plates = plates(
            self._text, [(name, colour_of(seat)) for seat, name in enumerate(players)]
        )

    def show(self, state: Any, step: Step | None, film: Film | None, wrong: Sequence[str]) -> float:
        """Shows the pieces, or the film of the ply; what scores pulses, what fell is striped until
        it is put back.
        """
        self._state = state
        self._stage.ghost((), WRONG)
        self._show_stocks()
        seconds, bodies = 0.0, bodies_of(self._made, state)
        if step is None or film is None:
            self._stage.show(bodies)
        else:
            self._stage.show(bodies_of(self._made, step.before), 0)
            seconds = self._stage.play(film, bodies)
        verdict = step.verdict if isinstance(step, JudgedStep) else None
        places = []
        if step is not None and verdict is not None:
            places = [
                (*place, colour_of(step.entry.by))
                for place in aiming.scoring(table_of(state), verdict)
            ]
        self._stage.pulse(places, seconds + 3.0)
        fallen = verdict.fallen if verdict is not None and film is not None else ()
        self._stage.hatch([*wrong, *fallen], seconds - MENDING, None if wrong else seconds)
        return seconds

    def compare(self, pieces: Sequence[Body] | None) -> None:
        """Shows the pieces; what the record has elsewhere is red and see-through."""
        recorded = bodies_of(self._made, self._state)
        lying = {body.id: body.pose for body in pieces or ()}
        apart = [
            body for body in recorded if pieces and not _together(lying.get(body.id), body.pose)
        ]
        self._stage.show(recorded if pieces is None else pieces)
        self._stage.ghost(apart, WRONG)

    def _show_stocks(self) -> None:
        if (table := self._table) is not None:
            self._stage.supplies(*piles(table))
            for seat, row in enumerate(self._plates):
                turns = seat == table.to_move and self._state.outcome() is None
                row.show(plate_of(table, seat), self._text, turn=turns)

    def advise(self, found: Sequence[Rated], picked: int | None) -> None:
        """Shows them see-through with their numbers; if one is picked, that one alone."""
        table = self._table
        if table is not None:
            every = advised_pieces(table, [table.parse(one.move) for one in found], None)
            self._stage.advise(
                [one for one in every if picked is None or one[0] == picked + 1], ADVISED
            )

    def told(self, move: str) -> str:
        """A placement in a few words, any other move as on a board."""
        return super().told(move) if self._table is None else told_placement(move, self._text)

    def headline(self, step: Step) -> str:
        """What it came to in short, without what the referee says, which takes far longer to put
        together.
        """
        return (
            _marked(in_short(step, self._text), step, self._text)
            if isinstance(step, JudgedStep)
            else super().headline(step)
        )

    def lines(self, step: Step) -> Sequence[str]:
        """What it came to in short and then what the referee says, or else what the game says."""
        if not isinstance(step, JudgedStep):
            return super().lines(step)
        return [self.headline(step), *told(self._text.language, reasons(step))]


def _together(one: Pose | None, other: Pose) -> bool:
    """Whether two poses look the same."""
    return (
        one is not None
        and shift_between(one, other) < _APART_MM
        and turn_between(one, other) < _APART_DEGREES
    )


def _marked(said: str, step: Step, text: Any, why: str | None = None) -> str:
    """The first sentence on a ply, marked if it was taken back."""
    if not step.entry.taken_back:
        return said
    more = f": {reason_in(text.language, why)}" if why else ""
    return f"{said} ({text('taken_back')}{more})"
