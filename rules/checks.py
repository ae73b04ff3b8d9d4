"""`check_game`: what every finite game must satisfy, found out by playing random games of it.

For games whose moves can be listed (`rules.game.GridState`). Anybody may run it on a game of their own.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from rules.errors import ShutokoError
from rules.game import Game, GridState, Outcome
from rules.record import End, Entry, Header, Record, dumps, loads

if TYPE_CHECKING:
    import numpy as np

__all__ = ["CheckError", "check_game"]

_DIGEST = re.compile(r"[0-9a-f]{16}")


class CheckError(ShutokoError, AssertionError):
    """A game breaks a promise; the message names the promise, the position and the moves that led there."""


def check_game(game: Game[GridState[Any]], rng: np.random.Generator, games: int = 20, plies: int = 10_000) -> None:
    """Plays `games` random games to their end and raises CheckError at the first broken promise.

    Promised are: digests of 16 hexadecimal digits that repeat, and differ where positions do; moves unique and sorted by their
    text, which reads back to an equal move; a seat to move that exists; a state that applying a move leaves alone; the same
    position again when the moves are replayed by their text; no legal move after the end, and at least one before it; winners
    and ranks that are seats; a record of the game that reads back equal. `plies` is how long a game may last.
    """
    seen: dict[str, tuple[Any, ...]] = {}
    for _ in range(games):
        _check_one(game, rng, plies, seen)


def _check_one(game: Game[GridState[Any]], rng: np.random.Generator, plies: int, seen: dict[str, tuple[Any, ...]]) -> None:
    state = game.start()
    record = Record(Header(game.name, tuple(f"seat {seat}" for seat in range(game.seats)), options=dict(game.options)))
    played: list[str] = []
    while state.outcome() is None:
        _promise(len(played) < plies, f"a game ends within {plies} plies", state, played)
        moves = _checked_moves(game, state, played)
        move = moves[int(rng.integers(len(moves)))]
        before = _portrait(state)
        _promise(seen.setdefault(state.digest(), before) == before, "positions that differ have digests that do", state, played)
        following = state.after(move)
        _promise(_portrait(state) == before, f"applying {move} leaves the old state alone", state, played)
        _promise(_portrait(state.after(move)) == _portrait(following), f"applying {move} twice gives one state", state, played)
        record = record.plus(Entry(len(played), state.to_move, str(move), got={"legal": True, "digest": following.digest()}))
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
    _promise(_portrait(again) == _portrait(state), "replaying the texts of the moves gives the same position", state, played)


def _checked_moves(game: Game[GridState[Any]], state: GridState[Any], played: list[str]) -> tuple[Any, ...]:
    _promise(0 <= state.to_move < game.seats, f"the seat to move, {state.to_move}, exists", state, played)
    _check_digest(state, played)
    moves = state.legal_moves()
    texts = [str(move) for move in moves]
    _promise(len(moves) > 0, "there is a legal move before the end", state, played)
    _promise(texts == sorted(texts), "legal moves are sorted by their text", state, played)
    _promise(len(set(texts)) == len(texts) == len(set(moves)), "legal moves are unique, and so are their texts", state, played)
    for move, text in zip(moves, texts, strict=True):
        try:
            same = state.parse(text) == move
        except ShutokoError as error:
            raise CheckError(f"broken promise: the text {text!r} of a legal move can be read; {error}") from error
        _promise(same, f"the text {text!r} reads back to an equal move", state, played)
    return moves


def _check_digest(state: GridState[Any], played: list[str]) -> None:
    digest = state.digest()
    _promise(_DIGEST.fullmatch(digest) is not None, f"the digest {digest!r} is 16 hexadecimal digits", state, played)
    _promise(state.digest() == digest, "the digest of one state repeats", state, played)


def _check_outcome(game: Game[GridState[Any]], state: GridState[Any], outcome: Outcome, played: list[str]) -> None:
    seats = set(range(game.seats))
    ranked = [seat for group in outcome.ranks for seat in group]
    _promise(set(outcome.winners) <= seats, f"the winners {outcome.winners} are seats", state, played)
    _promise(sorted(ranked) == sorted(seats), f"the ranks {outcome.ranks} name every seat once", state, played)
    winners_lead = not outcome.winners or set(outcome.winners) == set(outcome.ranks[0])
    _promise(winners_lead, f"the winners {outcome.winners} lead the ranks {outcome.ranks}", state, played)


def _portrait(state: GridState[Any]) -> tuple[Any, ...]:
    """Everything a state shows."""
    moves = tuple(str(move) for move in state.legal_moves())
    return (state.to_move, state.side, state.board_text(), state.digest(), moves, state.outcome())


def _promise(kept: bool, promise: str, state: GridState[Any], played: list[str]) -> None:
    if not kept:
        moves = " ".join(played) or "none"
        raise CheckError(f"broken promise: {promise}; position {state.board_text()}, moves {moves}")
