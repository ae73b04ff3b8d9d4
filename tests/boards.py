"""Positions of the grid games for tests: after some moves, and after random ones."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

import rules
from rules.record import End, Entry, Header, Record


def played(name: str, moves: str = "", **options: Any) -> Any:
    """The position of a game with these options after these moves."""
    state: Any = rules.game(name, **options).start()
    for move in moves.split():
        state = state.after(move)
    return state


def random_game(name: str, seed: int, plies: int = 10_000, **options: Any) -> list[str]:
    """The moves of a random game, up to its end or to so many plies."""
    state, rng, moves = played(name, **options), np.random.default_rng(seed), list[str]()
    while state.outcome() is None and len(moves) < plies:
        legal = state.legal_moves()
        moves.append(str(legal[int(rng.integers(len(legal)))]))
        state = state.after(moves[-1])
    return moves


def recorded(name: str, moves: Iterable[str], **options: Any) -> Record:
    """The record of a game of these moves, with its end if it is over."""
    state: Any = rules.game(name, **options).start()
    record = Record(Header(name, ("ann", "bob"), options=state.game.options))
    for ply, text in enumerate(moves):
        by, state = state.to_move, state.after(text)
        record = record.plus(Entry(ply, by, text, got={"legal": True, "digest": state.digest()}))
    outcome = state.outcome()
    return record if outcome is None else record.with_end(End(outcome.ranks, outcome.reason))
