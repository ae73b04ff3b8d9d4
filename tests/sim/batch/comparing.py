"""The compiled table against the referee.

`compare` plays games of random actions, with their buildings. At each ply random placements, good
and bad ones, are judged by `sim.Batch` and by the referee's quick look in plain Python, and one in
twenty by the referee's check and count, too, which every ply goes through. The list of the seat to
move is judged; the action is played by both, and the two tables must be equal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

import sim
from sim import referee
from sim.referee.room import cars_of
from sim.referee.ruleset import OPTIONS, PRESETS, Preset
from sim.referee.table import Table

_AT_ONCE = 40  # random placements from each base point
_SINGLY = 20  # of so many, one is also judged alone


@dataclass(slots=True)
class Told:
    """What a comparison found: placements judged by batch and plainly, legal ones among them,
    those judged alone as well, plies, games that ended, cars that the referee had to place, and
    every difference.
    """

    placements: int = 0
    legal: int = 0
    alone: int = 0
    plies: int = 0
    ended: int = 0
    parked: int = 0
    differences: list[str] = field(default_factory=list)


def option_sets(rng: np.random.Generator, count: int) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every preset for each number of players that it allows, then random options."""
    for name in PRESETS:
        for players in Preset.named(name).players:
            yield players, {"ruleset": name}
    for _ in range(count):
        options = {}
        for name, option in OPTIONS.items():
            known = option.values if option.number is None else (*option.values, 2)
            options[name] = known[int(rng.integers(len(known)))]
        options["entrance_reach"] = float(rng.choice([0.6, 1.0, 2.0]))
        yield int(rng.integers(2, 5)), options


def compare(
    players: int, options: Mapping[str, Any], rng: np.random.Generator, placements: int, told: Told
) -> None:
    """Plays games by these options until so many more placements were judged by both."""
    batch = sim.Batch("tokyo-highway", 1, players=players, **options)
    table, most = batch.state(0), told.placements + placements
    lively = 0.0
    while told.placements < most and not told.differences:
        if table.phase == "play":
            _judged(batch, table, rng, told)
        if batch.plies[0] % 5 == 0:
            _listed(batch, table, told)
        legal = np.flatnonzero(batch.masks()[0])
        if not len(legal):
            told.differences.append(f"{options} {table.digest()}: no action is legal")
            return
        first = legal[: 1 + int(len(legal) * lively)]
        action = int(rng.choice(first if rng.random() < 0.9 else legal))
        move = batch.move(0, action)
        verdict, after = sim.play(table, move, "none")
        if not verdict.legal:
            told.differences.append(f"{options} {table.digest()}: {move}: {verdict}")
            return
        batch.step([action])
        told.plies += 1
        told.parked += int(batch.parked[0])
        _same(batch, table, move, after, told, options)
        if batch.ended[0]:
            told.ended += 1
            lively = float(rng.random())
        table = batch.state(0)


def _judged(batch: Any, table: Table, rng: np.random.Generator, told: Told) -> None:
    """Random placements from each base point of the seat to move, and one other pillar."""
    box, names = table.components, [pillar.id for pillar in table.pillars]
    bases = [point.pillar.id for point in table.base_points(table.to_move)]
    for name in {*bases, names[int(rng.integers(len(names)))]}:
        pillar, n = table.pillar_by_id[name], _AT_ONCE
        x, y = table.top(pillar)
        angle, away = rng.uniform(0, 2 * np.pi, n), box.road_length * rng.uniform(0.5, 1.2, n)
        at: Any = np.stack([x + away * np.cos(angle), y + away * np.sin(angle)], -1)
        at = np.round(at, 2) + 0.0
        yellow = rng.random(n) < 0.3
        step = rng.choice([-1, 1, 1, -1, 2, 0], n)
        discs = np.where(yellow, rng.integers(1, 8, n), np.maximum(pillar.discs + step, 1))
        _check(batch, table, name, at, discs, yellow, told)
        height = pillar.discs * box.disc_height
        if height < box.road_length:
            run = np.sqrt(box.road_length**2 - height**2) + rng.choice(
                [0.0, 0.0, 1.5, -6.0, 9.0], n
            )
            at = np.stack([x + run * np.cos(angle), y + run * np.sin(angle)], -1)
            at, none = np.round(at, 2) + 0.0, np.zeros(n, np.int64)
            _check(batch, table, name, at, none, none, told)


def _check(
    batch: Any, table: Table, name: str, at: Any, discs: Any, yellow: Any, told: Told
) -> None:
    moves = [
        sim.Build(name, (x, y), count, bool(gold)) if count else sim.Exit(name, (x, y))
        for (x, y), count, gold in zip(at.tolist(), discs.tolist(), yellow.tolist(), strict=True)
    ]
    row = [pillar.id for pillar in table.pillars].index(name)
    mine = batch.judge(0, row, at, discs, yellow)
    theirs = np.array([cars_of(table, move) for move in moves])
    told.placements += len(at)
    told.legal += int((theirs >= 0).sum())
    where = f"{table.ruleset} {table.digest()}"
    for k in np.flatnonzero(mine != theirs):
        told.differences.append(f"{where}: {moves[k]}: batch {mine[k]}, plainly {theirs[k]}")
    # Legal ones are rare, and say more: one of them comes first.
    for k in np.argsort(theirs < 0, kind="stable")[: len(at) // _SINGLY].tolist():
        move = moves[k]
        cars = -1 if referee.before(table, move) else sim.play(table, move, "none")[0].earned
        told.alone += 1
        if cars != theirs[k]:
            told.differences.append(f"{where}: {move}: quickly {theirs[k]}, alone {cars}")


def _listed(batch: Any, table: Table, told: Told) -> None:
    """Some of the actions on the list, judged by the referee one by one."""
    legal = np.flatnonzero(batch.masks()[0])
    for action in legal[:: max(len(legal) // 8, 1)].tolist():
        move = batch.move(0, action)
        told.placements += 1
        told.legal += 1
        if faults := referee.before(table, move):
            told.differences.append(f"{table.ruleset} {table.digest()}: {move}: {faults[0].text}")
    passes = not referee.before(table, sim.Pass())
    if table.phase == "play" and passes and not batch.masks()[0, -1]:
        told.differences.append(f"{table.ruleset} {table.digest()}: a pass is legal")


def _same(
    batch: Any, before: Table, move: Any, after: Table, told: Told, options: Mapping[str, Any]
) -> None:
    """The table after a ply is the referee's, and so is the end of the game."""
    outcome = after.outcome()
    if bool(batch.ended[0]) != (outcome is not None):
        told.differences.append(f"{options} {before.digest()}: {move}: ended {outcome}")
        return
    if outcome is None:
        want, have = replace(after, lasts=()), batch.state(0)
        if want.digest() != have.digest() or want.turns != have.turns or want.turn != have.turn:
            told.differences.append(f"{options} {before.digest()}: {move}: {_apart(want, have)}")
        return
    rewards = [1.0 if seat in outcome.winners else -1.0 for seat in range(batch.seats)]
    if batch.rewards[0].tolist() != rewards:
        told.differences.append(f"{options} {before.digest()}: {move}: {outcome}, {batch.rewards}")


def _apart(want: Table, have: Table) -> str:
    parts = ("turns", "stocks", "pillars", "roads", "cars", "buildings", "watch", "turn")
    return "; ".join(
        f"{part}: referee {getattr(want, part)}, batch {getattr(have, part)}"
        for part in parts
        if getattr(want, part) != getattr(have, part)
    )
