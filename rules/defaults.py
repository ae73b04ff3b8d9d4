"""What screens, exports and the arena ask of a game beyond its rules, and the usual answer if the
game gives none.

A game needs a name, seats, options and a start; everything else is optional. Each function here
asks the game itself first. No other module does: commands, pages, exports and the arena call these
functions and know no game by its name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rules.errors import InputError
from rules.game import Game, Guide, Setting, State
from rules.record import Entry, Header
from rules.record.replay import got_of
from rules.view import BoardView, Offer, View, board_view, cells_named

if TYPE_CHECKING:
    import numpy as np

    from rules.record.replay import Step


_COLOURS = ("first", "second")


# --- for people -----------------------------------------------------------------------------------


def settings(made: Game[Any]) -> tuple[Setting, ...]:
    """The choices before a game begins; the game's own `settings`, else none.

    They may depend on the options of `made`: ask again of `game(made.name, players=4)` what four
    players may choose.
    """
    return tuple(getattr(made, "settings", ()))


def guide(made: Game[Any]) -> Guide:
    """The words for people; the game's own `guide`, else its name and a note that its moves are
    listed.
    """
    own: Guide | None = getattr(made, "guide", None)
    if own is not None:
        return own
    title = made.name.replace("-", " ").capitalize()
    return Guide(
        title,
        "",
        "this game brings no text of its rules",
        "MOVE is one of the moves that are listed",
        _COLOURS,
    )


def asks(made: Game[Any], state: State[Any]) -> str:
    """A sentence on the decision that is due, empty for an ordinary move: the game's own
    `asks(state)`, else a sentence if the only legal move is a pass.
    """
    own: Callable[[State[Any]], str] | None = getattr(made, "asks", None)
    told = "" if own is None else own(state)
    return told or ("nothing is legal but pass" if _legal(state) == ("pass",) else "")


def describe(made: Game[Any], step: Step) -> tuple[str, ...]:
    """What happened at a ply, a sentence each; the game's own `describe(step)`, else `NAME:
    MOVE`.
    """
    own: Callable[[Step], tuple[str, ...]] | None = getattr(made, "describe", None)
    return (f"{step.player}: {step.entry.do}",) if own is None else own(step)


# --- for screens ----------------------------------------------------------------------------------


def view(
    made: Game[Any], state: State[Any], before: State[Any] | None = None, last: str | None = None
) -> View:
    """What a position looks like; the game's own `view(state, before, last)`, else the board of its
    `board_text()`.

    `last` is the text of the last move and `before` the position before it. Raises InputError for a
    game that has neither.
    """
    own: Callable[..., View] | None = getattr(made, "view", None)
    if own is not None:
        return own(state, before, last)
    board: Callable[[], str] | None = getattr(state, "board_text", None)
    if board is None:
        raise InputError(
            f"{made.name} cannot be shown: its positions have no board_text, and the game has no "
            "view of its own"
        )
    return board_view(board(), last=cells_of(made, last or ""))


def table(made: Game[Any], state: State[Any]) -> Any:
    """The table of pieces that `sim.referee` judges; the game's own `table(state)`, else None.

    Where there is one, pages and the terminal aim at it, tell what the referee says, and show the
    stocks.
    """
    own: Callable[[State[Any]], Any] | None = getattr(made, "table", None)
    return None if own is None else own(state)


def cells_of(made: Game[Any], move: str) -> tuple[str, ...]:
    """The cells that the text of a move names, in order; the game's own `cells_of(text)`, else its
    parts that have a digit.

    Not all of them need be on the board: `3` may be a number of things to take.
    """
    own: Callable[[str], Sequence[str]] | None = getattr(made, "cells_of", None)
    return cells_named(move) if own is None else tuple(own(move))


def actions(made: Game[Any]) -> tuple[str, ...]:
    """Every text that a move can have, resigning aside, in the order in which learners number them.

    That is the game's own `actions`, else the cells of the board and then `pass`. Raises InputError
    if the game has none and its first moves are not cells.
    """
    own: Sequence[str] | None = getattr(made, "actions", None)
    if own is not None:
        return tuple(own)
    start = made.start()
    seen = view(made, start)
    found = (*(cell.name for cell in seen.cells), "pass") if isinstance(seen, BoardView) else ()
    strange = next((move for move in _legal(start) if move not in found), None)
    if strange is not None:
        raise InputError(
            f"the moves of {made.name} cannot be numbered: {strange!r} is not a cell, and the game "
            "does not list its `actions`"
        )
    return found


def offer(made: Game[Any], state: State[Any], move: str) -> Offer | None:
    """A legal move as a place on the board; None if it has no place, such as `pass`. The game's own
    `offer(state, move)`, else the mover's colour on the cells that the move names.
    """
    return _offer(made, state, move, _board(made, state))


def offers(made: Game[Any], state: State[Any], picked: str | None = None) -> tuple[Offer, ...]:
    """The legal moves that are places on the board; the game's own `offers(state, picked)`, else
    `offer` of each.

    A game with too many moves to show at once may first offer the beginnings of moves
    (`Offer.part`), and then the moves that start with the beginning `picked`.
    """
    own: Callable[[State[Any], str | None], Sequence[Offer]] | None = getattr(made, "offers", None)
    if own is not None:
        return tuple(own(state, picked))
    board = _board(made, state)
    return tuple(
        found for move in _legal(state) if (found := _offer(made, state, move, board)) is not None
    )


def plain_moves(made: Game[Any], state: State[Any]) -> tuple[str, ...]:
    """The legal moves without a place on the board, such as `pass`; a page gives them buttons."""
    board = _board(made, state)
    return tuple(move for move in _legal(state) if not board.intersection(cells_of(made, move)))


def side_of(state: State[Any], seat: int) -> int:
    """The colour that a seat plays: from the state's `turns`, else from its `side` (of two
    colours), else the seat's number.
    """
    turns, side = getattr(state, "turns", None), getattr(state, "side", None)
    if turns is not None:
        return int(turns.sides[seat])
    if side is None:
        return seat
    return int(side if seat == state.to_move else 1 - side)


# --- for playing ----------------------------------------------------------------------------------


def header(made: Game[Any], players: Sequence[str], **given: Any) -> Header:
    """The header of a record of the game; the game's own `header(players, **given)`, else its name
    and options.

    `given` are further fields of it.
    """
    own: Callable[..., Header] | None = getattr(made, "header", None)
    return (
        own(players, **given)
        if own
        else Header(made.name, tuple(players), options=dict(made.options), **given)
    )


def perform(
    made: Game[Any],
    state: State[Any],
    move: Any,
    player: object,
    rng: np.random.Generator,
    ply: int,
) -> tuple[State[Any], Entry]:
    """Makes a move; returns the state after it, and its entry. Raises IllegalMoveError for a move
    that the rules refuse.

    A game with a method `perform(state, move, player, rng, ply) -> (state, Entry)` makes its moves
    itself (a hand errs, physics settles). For all other games the entry holds the text of the move
    and the digest after it, with what the state's own `got(move)` tells.
    """
    own: Callable[..., tuple[State[Any], Entry]] | None = getattr(made, "perform", None)
    if own is not None:
        return own(state, move, player, rng, ply)
    following = state.after(move)
    return following, Entry(ply, state.to_move, str(move), got=got_of(state, move, following))


def mover(made: Game[Any], state: State[Any], move: str) -> int:
    """The seat that makes the move of that text; the game's own `mover(state, move)`, else the seat
    to move.
    """
    own: Callable[[State[Any], str], int] | None = getattr(made, "mover", None)
    return state.to_move if own is None else own(state, move)


def is_slow(made: Game[Any]) -> bool:
    """Whether a move may take a second and so belongs in a worker process; the game's own
    `is_slow`, else whether it has a `perform` of its own.
    """
    return bool(getattr(made, "is_slow", hasattr(made, "perform")))


def hands(made: Game[Any]) -> Mapping[str, Any]:
    """The skills with which people may place pieces, by name; the game's own `hands`, else none, as
    nothing can fall.
    """
    return dict(getattr(made, "hands", {}))


def _board(made: Game[Any], state: State[Any]) -> frozenset[str]:
    """The names of the cells on the board."""
    seen = view(made, state)
    return (
        frozenset(cell.name for cell in seen.cells) if isinstance(seen, BoardView) else frozenset()
    )


def _offer(made: Game[Any], state: State[Any], move: str, board: frozenset[str]) -> Offer | None:
    own: Callable[[State[Any], str], Offer | None] | None = getattr(made, "offer", None)
    if own is not None:
        return own(state, move)
    cells = [cell for cell in cells_of(made, move) if cell in board]
    if not cells:
        return None
    colour = side_of(state, state.to_move)
    about = ("put", {"cell": cells[0], "colour": colour}) if len(cells) == 1 else (move, {})
    return Offer(move, about, dict.fromkeys(cells, colour))


def _legal(state: State[Any]) -> tuple[str, ...]:
    """The legal moves of a game whose moves can be listed, else none."""
    moves: Callable[[], Sequence[Any]] | None = getattr(state, "legal_moves", None)
    return () if moves is None else tuple(map(str, moves()))
