"""Positions of the grid games for tests: after some moves, and after random ones."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

import rules
from rules.grid import Batch
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


def followed(batch: Batch, steps: int) -> int:
    """Plays random actions, held to the plain states ply by ply; how many games ended. The two
    stones of Meridians' pie option are two actions, of which the first is no move yet.
    """
    start, n = batch.game.start(), batch.n
    states, halves, counts, ends = [start] * n, [""] * n, [0] * n, 0
    for _ in range(steps):
        masks, actions, seen = batch.masks().copy(), batch.sample(), batch.observe()
        for i, state in enumerate(states):
            in_pie = getattr(state, "in_pie", False) and state.turns.ply == 0
            if not in_pie:
                legal = {
                    action for move in state.legal_moves() for action in batch.actions_of(i, move)
                }
                assert set(np.flatnonzero(masks[i]).tolist()) == legal
                assert batch.state(i) == state
                flat, cells = seen[i].reshape(len(seen[i]), -1), state.board_text().replace("/", "")
                for plane, own in enumerate(("12", "21")):
                    held = [cell == own[state.side] for cell in cells]
                    assert flat[plane, batch.cells].tolist() == held
            assert (batch.to_move[i], batch.side[i]) == (state.to_move, state.side)
            assert batch.plies[i] == counts[i]
        texts = [batch.text(i, int(action)) for i, action in enumerate(actions)]
        batch.step(actions)
        for i, (state, text) in enumerate(zip(states, texts, strict=True)):
            counts[i] += 1
            if getattr(state, "in_pie", False) and state.turns.ply == 0 and not halves[i]:
                halves[i] = f"{text},"
                assert not batch.ended[i]
                continue
            states[i], halves[i] = state.after(halves[i] + text), ""
            outcome = states[i].outcome()
            won = outcome.winners if outcome is not None else ()
            got = [0.0 if not won else 1.0 if seat in won else -1.0 for seat in range(2)]
            assert (batch.ended[i], batch.rewards[i].tolist()) == (outcome is not None, got)
            if outcome is not None:
                states[i], counts[i], ends = start, 0, ends + 1
    assert not batch.truncated.any()
    return ends
