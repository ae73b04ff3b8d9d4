"""What the players of Tokyo Highway decide, on geometry alone: what the learnt policy is worth, how
like people the levels are, which seat wins, how fast playouts are.

    python benchmarks/decisions.py [PART] [ARGUMENT ...]
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from rules import arena
from rules.arena.players import LEVELS, player as made_player
from rules.arena.rating import evidence, result, wilson
from rules.game import Player, game
from rules.record import read
from sim.batch.batch import Batch
from sim.batch.listing import FEATURES, TO, X, Y
from sim.bots.learnt import shipped, worth
from sim.bots.playouts import Ahead, compile_ahead
from sim.bots.proposals import Sampling, propose
from sim.game.highway import Highway, Position
from sim.game.ply import play
from sim.game.replay import trusted
from sim.referee.placement import Placement
from sim.referee.ruleset import PRESETS, Preset
from sim.referee.table import Table
from tools.measuring import note, run, share, table

_DECIDED = math.log(1 / 0.05)  # an error rate of 5 %
_TABLES = 50  # side by side
_CAP = 400  # plies of a game at most
_PLAYS: dict[str, Any] = {"candidates": 48, "bearings": 24, "distances": 2}  # as it has learnt
_ENTRANCE, _BUILDING = FEATURES.index("entrance"), FEATURES.index("building")


def met(
    made: Highway, one: Player[Any], two: Player[Any], games: int, seed: int
) -> tuple[float, int, float]:
    """What the first won, of how many games, seats exchanged after each, and the evidence of the
    sequential test (`rules.arena.rating.evidence`) over rounds of two. The games end when the test
    is decided, or after so many.
    """
    won, played, rounds, sure = 0.0, 0, list[float](), 0.0
    while played < games and sure < _DECIDED:
        score = 0.0
        for seat in (0, 1):
            players, names = (one, two), ("one", "two")
            header = made.header(names[:: 1 - 2 * seat], seed=seed + len(rounds))
            record = arena.play_game(made, players[:: 1 - 2 * seat], header, 1000)
            score += result(record).score(seat, 1 - seat)
        won, played = won + score, played + 2
        rounds.append(score / 2.0)
        sure = max(evidence(rounds, 0.5), evidence([1.0 - s for s in rounds], 0.5))
        note(f"  {won:g} of {played}, evidence {sure:.1f}")
    return won, played, sure


def _told(won: float, played: int, sure: float) -> tuple[str, str]:
    verdict = "decided" if sure >= _DECIDED else "not decided"
    return share(won, played), f"{verdict} (evidence {sure:.1f} of {_DECIDED:.1f})"


def _highway(ruleset: str) -> Highway:
    made = game("tokyo-highway", engine="none", ruleset=ruleset)
    assert isinstance(made, Highway)
    return made


# --- parts ----------------------------------------------------------------------------------------


@dataclass(slots=True)
class Timed:
    """Another player, and the CPU seconds of its turns after the set-up."""

    inner: Any
    turns: int = 0
    spent: float = 0.0
    skill: None = None  # nothing is built by hand

    @property
    def name(self) -> str:
        """As that of the other."""
        return str(self.inner.name)

    def choose(self, state: Position, rng: np.random.Generator) -> Placement:
        """What the other chooses."""
        begin = time.process_time()
        move: Placement = self.inner.choose(state, rng)
        if state.table.phase == "play":
            self.turns += 1
            self.spent += time.process_time() - begin
        return move


def learnt(
    *,
    player: str = "policy",
    against: str = "greedy",
    ruleset: str = "standard",
    games: int = 100,
    seed: int = 0,
) -> None:
    """The learnt policy, or `--player policy:file=W.json`, against another player,
    until the sequential test is decided, and the CPU that each takes for a move.
    """
    made = _highway(ruleset)
    one, two = (Timed(made_player(spec, made)) for spec in (player, against))
    row = table("player", "against", "rule set", "won", "found", "CPU ms a move", "of the other")
    told = _told(*met(made, one, two, games, seed))
    costs = (1000.0 * each.spent / max(each.turns, 1) for each in (one, two))
    row(player, against, ruleset, *told, *(f"{cost:.0f}" for cost in costs))


@dataclass(slots=True)
class Seen:
    """Of the turns of a player: cars that were on offer and that it took, turns in which it could
    win at once and in which it did not; of the moves that were timed, how many and their seconds.
    """

    offered: int = 0
    taken: int = 0
    wins: int = 0
    missed: int = 0
    moves: int = 0
    spent: float = 0.0

    def see(self, before: Table, after: Table, rng: np.random.Generator) -> None:
        """Counts a turn of the seat that was to move. `rng` is what it chose with: its first
        number turns the bearings.
        """
        left = before.stocks[before.to_move].cars
        best = int(propose(before, Sampling(72, 3, float(rng.random()))).cars.max(initial=0))
        got = left - after.stocks[before.to_move].cars
        self.offered, self.taken = self.offered + max(min(best, left), got), self.taken + got
        self.wins, self.missed = self.wins + (best >= left), self.missed + (best >= left > got)


def levels(*, games: int = 6, seed: int = 0, ladder: Path | None = None) -> None:
    """How many of the cars on offer each level takes, and how often it misses a win in one.

    Each level plays itself. With `--ladder DIR` the games are those that `benchmarks/strength.py
    ladder tokyo-highway --out DIR` has kept: each level against the one below and the one above. On
    offer is the most that any place earns that the player sampled: 72 bearings, turned by lot, and
    3 distances around every base point. CPU seconds a move are known of games played now.
    """
    specs = [*(f"planner:level={level}" for level in LEVELS[:-1]), "planner"]
    seen = {spec: Seen() for spec in (*specs, "greedy")}
    for path in sorted(ladder.glob("*/*.jsonl")) if ladder is not None else ():
        record = read(path)
        for step in trusted(record):
            if step.before.phase == "play":
                rng, _ = arena.generators(record.header.seed or 0, step.ply)
                seen[step.player].see(step.before, step.after, rng)
    row = table("player", "cars taken of those on offer", "wins in one missed", "CPU s a move")
    for spec in (*specs, "greedy"):
        one = seen[spec] if ladder is not None else _by_itself(spec, games, seed)
        if one.offered:
            cost = f"{one.spent / one.moves:.3f}" if one.moves else ""
            row(f"`{spec}`", share(one.taken, one.offered), f"{one.missed} of {one.wins}", cost)


def _by_itself(spec: str, games: int, seed: int) -> Seen:
    """Games of a player with itself."""
    seen, by = Seen(), made_player(spec, _highway("standard"))
    for number in range(games):
        table = Table.start(2)
        while table.outcome() is None:
            chance = [seed, number, table.turns.ply]
            begin = time.process_time()
            move: Any = by.choose(Position(table, "none"), np.random.default_rng(chance))
            seen.spent, seen.moves = seen.spent + time.process_time() - begin, seen.moves + 1
            _, after = play(table, move, "none")
            if table.phase == "play":
                seen.see(table, after, np.random.default_rng(chance))
            table = after
    return seen


@dataclass(frozen=True, slots=True)
class Match:
    """A rule set and seats, and one thing that is changed: rule options, the entrances (`turned`:
    the ramp of each seat by so many degrees; `anywhere`: each drawn from those that `sim.Batch`
    lists), that the first seat passes its first turn and nobody another one (`begins`), or how much
    chance adds to the value of a move at most (a car is worth about one). With little `noise` most
    games would be the same.
    """

    ruleset: str
    seats: int
    told: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    turned: tuple[float, ...] = ()
    anywhere: bool = False
    begins: bool = False
    noise: float = 0.5


CAUSES = (
    Match("standard", 2, "the 2nd begins", {"may_pass": True}, begins=True),
    Match("standard", 2, "`may_pass = true`", {"may_pass": True}),
    Match("standard", 2, "`turn_end = until_car`", {"turn_end": "until_car"}),
    Match("standard", 2, "entrances drawn", anywhere=True),
    Match("standard", 2, "`entrance_reach = 0.3`", {"entrance_reach": 0.3}),
    Match("standard", 2, "both ramps turned by 45 degrees", turned=(45.0, 45.0)),
    Match("standard", 2, "both ramps turned by 90 degrees", turned=(90.0, 90.0)),
    Match("standard", 2, "both ramps turned by 135 degrees", turned=(135.0, 135.0)),
    Match("standard", 2, "the 1st ramp turned by 90 degrees", turned=(90.0, 0.0)),
    Match("standard", 2, "the 2nd ramp turned by 90 degrees", turned=(0.0, 90.0)),
    Match("standard", 2, "noise 0.2", noise=0.2),
    Match("standard", 2, "noise 1", noise=1.0),
    Match("fr", 2, "`may_pass = false`", {"may_pass": False}),
    Match("fr", 2, "`turn_end = one_road`", {"turn_end": "one_road"}),
    Match("fr", 2, "`base_point = any_open_end`", {"base_point": "any_open_end"}),
    Match("fr", 2, "`own_cross_voids = false`", {"own_cross_voids": False}),
    Match("fr", 2, "both ramps turned by 90 degrees", turned=(90.0, 90.0)),
    Match("fr", 2, "the 2nd ramp turned by 90 degrees", turned=(0.0, 90.0)),
    Match("rainbow", 2, "both ramps turned by 90 degrees", turned=(90.0, 90.0)),
    Match("rainbow", 2, "the 2nd ramp turned by 90 degrees", turned=(0.0, 90.0)),
)
"""One thing changed, to see what makes a seat win."""


def _entrances(asked: Match, batch: Batch, rng: np.random.Generator) -> Any:
    """The entrance that each table would set: the usual one, one of all, or with its ramp turned;
    the usual one where that is not legal.
    """
    count = batch.masks()[:, : batch.candidates].sum(axis=1)
    if asked.anywhere:
        return (rng.random(batch.n) * count).astype(np.int64)
    rows = batch.rows
    at = np.abs(rows[:, :, [X, Y]] - rows[:, :1, [X, Y]]).max(axis=2) < 0.1
    turned = np.array(asked.turned or (0.0,) * asked.seats)[batch.to_move, None]
    off = (rows[:, :, TO] - rows[:, :1, TO] - turned + 180.0) % 360.0 - 180.0
    listed = np.arange(batch.candidates) < count[:, None]
    return (at & listed & (np.abs(off) < 0.1)).argmax(axis=1)


def finished(
    asked: Match, weights: Any, games: int, seed: int
) -> Iterator[tuple[Any, Any, int, int]]:
    """Games of the policy with itself: for each game, each seat's share of the first place (1, or
    less if it is shared) and the cars that it placed, the plies, and a digest of the actions.

    Each table plays as many games as every other, so that short games count no more than long ones.
    """
    made = game(
        "tokyo-highway",
        engine="none",
        ruleset=asked.ruleset,
        players=asked.seats,
        **asked.options,
    )
    assert isinstance(made, Highway)
    batch, rng = Batch(made, min(_TABLES, games), seed, _CAP, **_PLAYS), np.random.default_rng(seed)
    rows, miss = np.arange(batch.n), batch.actions - 1
    left = np.full(batch.n, games // batch.n) + (rows < games % batch.n)
    waited, turns = np.zeros(batch.n, np.int64), np.zeros(batch.n, np.int64)
    plies, cars = np.zeros(batch.n, np.int64), np.zeros((batch.n, asked.seats))
    digest = np.zeros(batch.n, np.int64)
    every = np.tile(weights, (batch.n, 1))
    while left.any():
        masks, shown = batch.masks().copy(), batch.parts(batch.observe())["candidates"]
        enters, houses = shown[:, 0, _ENTRANCE] > 0, shown[:, 0, _BUILDING] > 0
        masks[:, -1] &= (waited < asked.seats) | ~masks[:, :-1].any(axis=1)
        if asked.begins:
            masks[:, -1] = ~masks[:, :-1].any(axis=1)
        values = worth(every, shown, masks)
        actions = (values + asked.noise * rng.random(values.shape)).argmax(axis=1)
        actions = np.where(enters, _entrances(asked, batch, rng), actions)
        count = masks[:, : batch.candidates].sum(axis=1)
        actions = np.where(houses, (rng.random(batch.n) * count).astype(np.int64), actions)
        plays = ~enters & ~houses
        if asked.begins:
            actions = np.where(plays & (turns == 0), miss, actions)
        turns += plays
        waited = np.where(plays & (actions == miss), waited + 1, 0)
        digest = digest * 31 + actions + 1
        batch.step(actions)
        plies, cars = plies + 1, cars + batch.gained
        for i in np.flatnonzero(batch.ended | batch.truncated).tolist():
            if left[i]:
                first = batch.rewards[i] == batch.rewards[i].max()
                yield first / first.sum(), cars[i].copy(), int(plies[i]), int(digest[i])
                left[i] -= 1
            waited[i] = turns[i] = plies[i] = digest[i] = 0
            cars[i] = 0.0


def balance(*, games: int = 500, seed: int = 0, changed: str | None = None) -> None:
    """Which seat wins where the learnt policy plays itself, under every preset, and with one thing
    changed; `--changed` takes only the rows with this in the third column.

    On tables of `sim.Batch`; buildings are drawn. A shared first place counts as a part of a win;
    `different` says how many games were not the same, action by action.
    """
    usual = [Match(name, seats) for name in PRESETS for seats in Preset.named(name).players]
    row = table(
        "rule set", "seats", "changed", "games", "different", "1st", "2nd", "3rd", "4th",
        "cars placed", "plies",
    )  # fmt: skip
    for asked in (*usual, *CAUSES):
        if changed not in (None, asked.told):
            continue
        found = list(finished(asked, shipped(), games, seed))
        won = np.sum([one[0] for one in found], axis=0)
        shares = [wilson(float(some), len(found)) for some in won]
        row(
            f"`{asked.ruleset}`",
            asked.seats,
            asked.told,
            len(found),
            len({one[3] for one in found}),
            *(f"{100 * s.value:.0f} % ({100 * s.low:.0f} to {100 * s.high:.0f})" for s in shares),
            *[""] * (4 - asked.seats),
            ", ".join(f"{some:.1f}" for some in np.mean([one[1] for one in found], axis=0)),
            f"{np.median([one[2] for one in found]):.0f}",
        )


def playouts(*, times: int = 2000) -> None:
    """Playouts a second of CPU along a game, `--times` at each table."""
    compile_ahead()
    row = table("rule set", "roads", "playouts a second")
    for ruleset in ("standard", "fr"):
        made = _highway(ruleset)
        on, rng = Table.start(2, ruleset), np.random.default_rng(1)
        greedy = made_player("greedy", made)
        for ply in range(15):
            if on.outcome() is not None:
                break
            if ply in (0, 2, 6, 10, 14):
                ahead = Ahead.of_table(on)
                begin = time.process_time()
                ahead.play(0, times, seed=5)
                rate = times / (time.process_time() - begin)
                row(ruleset, len(on.roads), f"{rate:,.0f}")
            move: Any = greedy.choose(Position(on, "none"), rng)
            _, on = play(on, move, "none")


if __name__ == "__main__":
    run(learnt, levels, balance, playouts)
