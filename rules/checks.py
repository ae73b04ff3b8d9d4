"""`check_game`: plays random games and checks that they keep the promises of `rules.game` and
`rules.defaults`.

For games whose moves can be listed (`rules.game.GridState`). Run it on a game of your own.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from rules import defaults
from rules.errors import InputError, ShutokoError
from rules.game import Game, GridState, Outcome
from rules.record import End, Entry, Record, dumps, loads
from rules.record.replay import Step
from rules.view import BoardView

if TYPE_CHECKING:
    import numpy as np


_DIGEST = re.compile(r"[0-9a-f]{16}")
_ROWS = re.compile(r"[.1-9]*(/[.1-9]*)*")
_SOMETIMES = 10  # slow checks run once in this many plies


class CheckError(ShutokoError, AssertionError):
    """A game breaks a promise. The message names the promise, the position, and the moves that led
    to it.
    """


def check_game(
    game: Game[GridState[Any]], rng: np.random.Generator, games: int = 20, plies: int = 10_000
) -> None:
    """Plays `games` random games to their end and raises CheckError at the first broken promise.

    A game longer than `plies` plies breaks a promise. The others:

    - Positions: a digest is 16 hexadecimal digits, always the same for a position, and different
      for different positions. The seat to move exists. Applying a move leaves the old state alone,
      and applying it again gives an equal state.
    - Moves: they are unique and sorted by their text, and each text reads back to an equal move.
      There is a legal move before the end, and none after it. Replaying the texts of all moves
      gives the same position.
    - Results: winners and ranks are seats, and the record of a game reads back equal.
    - People: the usual value of a setting is one of its values, and every ply is described in
      words. A game without a view of its own has a `board_text` that can be drawn: rows joined with
      `/`, `.` an empty cell, `1` a cell of the first colour, `2` of the second. If the game has a
      board, the names of its cells are unique, and the moves offered on it are legal and name cells
      of the board.
    """
    for setting in defaults.settings(game):
        _promise(
            setting.usual in setting.values,
            f"the usual value of the setting {setting.name} is one of its values",
            game.start(),
            [],
        )
    seen: dict[str, tuple[Any, ...]] = {}
    for _ in range(games):
        _check_one(game, rng, plies, seen)


def _check_one(
    game: Game[GridState[Any]],
    rng: np.random.Generator,
    plies: int,
    seen: dict[str, tuple[Any, ...]],
) -> None:
    state = game.start()
    record = Record(defaults.header(game, [f"seat {seat}" for seat in range(game.seats)]))
    played: list[str] = []
    while state.outcome() is None:
        _promise(len(played) < plies, f"a game ends within {plies} plies", state, played)
        moves = _checked_moves(game, state, played)
        move = moves[int(rng.integers(len(moves)))]
        before = _portrait(state)
        _promise(
            seen.setdefault(state.digest(), before) == before,
            "different positions have different digests",
            state,
            played,
        )
        following = state.after(move)
        _promise(
            _portrait(state) == before, f"applying {move} leaves the old state alone", state, played
        )
        _promise(
            _portrait(state.after(move)) == _portrait(following),
            f"applying {move} twice gives one state",
            state,
            played,
        )
        entry = Entry(
            len(played), state.to_move, str(move), got={"legal": True, "digest": following.digest()}
        )
        _check_screen(
            game, Step(entry, move, state, following, None, record.header.players), played
        )
        record = record.plus(entry)
        played.append(str(move))
        state = following
    outcome = state.outcome()
    assert outcome is not None, "the loop above ends with an outcome"
    _promise(state.legal_moves() == (), "nothing is legal after the end", state, played)
    _check_digest(state, played)
    _check_outcome(game, state, outcome, played)
    record = record.with_end(End(outcome.ranks, outcome.reason))
    _promise(loads(dumps(record)) == record, "the record of a game reads back equal", state, played)
    again = game.start()
    for text in played:
        again = again.after(text)
    _promise(
        _portrait(again) == _portrait(state),
        "replaying the texts of the moves gives the same position",
        state,
        played,
    )


def _checked_moves(
    game: Game[GridState[Any]], state: GridState[Any], played: list[str]
) -> tuple[Any, ...]:
    _promise(
        0 <= state.to_move < game.seats, f"the seat to move, {state.to_move}, exists", state, played
    )
    _check_digest(state, played)
    moves = state.legal_moves()
    texts = [str(move) for move in moves]
    _promise(len(moves) > 0, "there is a legal move before the end", state, played)
    _promise(texts == sorted(texts), "legal moves are sorted by their text", state, played)
    _promise(
        len(set(texts)) == len(texts) == len(set(moves)),
        "legal moves are unique, and so are their texts",
        state,
        played,
    )
    for move, text in zip(moves, texts, strict=True):
        try:
            same = state.parse(text) == move
        except ShutokoError as error:
            raise CheckError(
                f"broken promise: the text {text!r} of a legal move can be read; {error}"
            ) from error
        _promise(same, f"the text {text!r} reads back to an equal move", state, played)
    return moves


def _check_screen(game: Game[GridState[Any]], step: Step, played: list[str]) -> None:
    """What people see and read of a ply."""
    state: Any = step.before
    told = defaults.describe(game, step)
    _promise(bool(told) and all(told), f"the move {step.move} is described in words", state, played)
    after: Any = step.after
    if not hasattr(game, "view"):
        _promise(
            _ROWS.fullmatch(after.board_text()) is not None,
            f"the board_text {after.board_text()!r} is rows of ., 1 and 2 joined with /, as the "
            "game has no view of its own",
            state,
            played,
        )
    try:
        view = defaults.view(game, step.after, state, str(step.entry.do))
    except InputError:  # a game without a view
        return
    if not isinstance(view, BoardView):
        return
    names = {cell.name for cell in view.cells}
    _promise(len(names) == len(view.cells), "the names of the cells are unique", state, played)
    if len(played) % _SOMETIMES:
        return
    legal = {str(move) for move in state.legal_moves()}
    for offer in defaults.offers(game, state):
        _promise(
            offer.part or offer.move in legal,
            f"the offered move {offer.move} is legal",
            state,
            played,
        )
        _promise(
            names.issuperset(offer.holds),
            f"the cells of the offered move {offer.move} are on the board",
            state,
            played,
        )


def _check_digest(state: GridState[Any], played: list[str]) -> None:
    digest = state.digest()
    _promise(
        _DIGEST.fullmatch(digest) is not None,
        f"the digest {digest!r} is 16 hexadecimal digits",
        state,
        played,
    )
    _promise(state.digest() == digest, "the digest of one state repeats", state, played)


def _check_outcome(
    game: Game[GridState[Any]], state: GridState[Any], outcome: Outcome, played: list[str]
) -> None:
    seats = set(range(game.seats))
    ranked = [seat for group in outcome.ranks for seat in group]
    _promise(
        set(outcome.winners) <= seats, f"the winners {outcome.winners} are seats", state, played
    )
    _promise(
        sorted(ranked) == sorted(seats),
        f"the ranks {outcome.ranks} name every seat once",
        state,
        played,
    )
    winners_lead = not outcome.winners or set(outcome.winners) == set(outcome.ranks[0])
    _promise(
        winners_lead, f"the winners {outcome.winners} lead the ranks {outcome.ranks}", state, played
    )


def _portrait(state: GridState[Any]) -> tuple[Any, ...]:
    """Everything that a state shows."""
    moves = tuple(str(move) for move in state.legal_moves())
    return (state.to_move, state.side, state.board_text(), state.digest(), moves, state.outcome())


def _promise(kept: bool, promise: str, state: GridState[Any], played: list[str]) -> None:
    if not kept:
        moves = " ".join(played) or "none"
        raise CheckError(f"broken promise: {promise}; position {state.board_text()}, moves {moves}")
