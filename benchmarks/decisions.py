"""What the players of Tokyo Highway decide, on geometry alone: whether they pass, what the learnt
policy is worth, how like people the levels are, which seat wins, how fast playouts are.

    python benchmarks/decisions.py passing [ARGUMENT ...]
    python benchmarks/decisions.py learnt [ARGUMENT ...]
    python benchmarks/decisions.py levels [ARGUMENT ...]
    python benchmarks/decisions.py balance [ARGUMENT ...]
    python benchmarks/decisions.py playouts
    python benchmarks/decisions.py policies [ARGUMENT ...]

Each part says in its own words what it measures.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import parts
from rules import arena
from rules.arena.players import LEVELS, player
from rules.arena.rating import evidence, result, wilson
from rules.game import Player, game
from rules.record import read
from sim.batch.batch import Batch
from sim.batch.listing import FEATURES, TO, X, Y
from sim.bots import learnt
from sim.bots.ahead import POLICY, Ahead, Policy, compile_ahead
from sim.bots.proposals import Sampling, propose
from sim.bots.searcher import Budget, Searcher
from sim.bots.weighing import Planner
from sim.game.highway import Highway, Position
from sim.game.ply import play
from sim.game.replay import trusted
from sim.referee.placement import Pass, Placement
from sim.referee.ruleset import PRESETS, Preset
from sim.referee.table import Table

_ALPHA = 0.05
_TABLES = 50  # side by side
_CAP = 400  # plies of a game at most
_PLAYS: dict[str, Any] = {"candidates": 48, "bearings": 24, "distances": 2}  # as it has learnt
_ENTRANCE, _BUILDING = FEATURES.index("entrance"), FEATURES.index("building")


@dataclass(frozen=True, slots=True)
class PassesFirst:
    """Another player, but it passes its first turn."""

    inner: Any
    name: str = "passes first"
    skill: None = None

    def choose(self, state: Position, rng: np.random.Generator) -> Placement:
        """A pass in the first turn, then what the other chooses."""
        table = state.table
        built = sum(road.owner == table.to_move for road in table.roads)
        if table.phase == "play" and table.ruleset.may_pass and built == 1 and table.turn < 2:
            return Pass()
        move: Placement = self.inner.choose(state, rng)
        return move


def met(
    made: Highway, one: Callable[[], Player[Any]], two: Callable[[], Player[Any]], games: int,
    seed: int, decided: bool,
) -> tuple[float, int, float]:  # fmt: skip
    """What the first won of so many games, seats exchanged after each, and the evidence of the
    sequential test (`rules.arena.rating.evidence`) over rounds of two; with `decided` the games end
    when the test is.
    """
    won, played, rounds = 0.0, 0, list[float]()
    for pair in range(math.ceil(games / 2)):
        score = 0.0
        for seat in (0, 1):
            players = [one(), two()] if seat == 0 else [two(), one()]
            names = ("one", "two") if seat == 0 else ("two", "one")
            header = made.header(names, seed=seed + pair)
            score += result(arena.play_game(made, players, header, 1000)).score(seat, 1 - seat)
            played += 1
        won += score
        rounds.append(score / 2.0)
        sure = max(evidence(rounds, 0.5), evidence([1.0 - s for s in rounds], 0.5))
        print(f"  {won:g} of {played}, evidence {sure:.1f}", file=sys.stderr, flush=True)
        if decided and sure >= math.log(1.0 / _ALPHA):
            break
    return won, played, sure


def _told(what: str, won: float, played: int, sure: float) -> None:
    share, limit = wilson(won, played), math.log(1.0 / _ALPHA)
    print(
        f"{what}: {won:g} of {played} ({100 * share.low:.0f} to {100 * share.high:.0f} %), "
        f"{'decided' if sure >= limit else 'not decided'} (evidence {sure:.1f} of {limit:.1f})"
    )


def _arguments(about: str | None, games: int) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=games)
    parser.add_argument("--seed", type=int, default=0)
    return parser


def _highway(ruleset: str) -> Highway:
    made = game("tokyo-highway", engine="none", ruleset=ruleset)
    assert isinstance(made, Highway)
    return made


# --- parts ----------------------------------------------------------------------------------------


def passing_main(argv: Sequence[str] | None = None) -> None:
    """A planner that passes its first turn against the planner, under the rule set `fr`.

        python benchmarks/decisions.py passing [--player SPEC] [--games 16] [--seed 0]

    If it won clearly more than half of its games, the planner would be blind to the pass.
    """
    parser = _arguments(passing_main.__doc__, 16)
    parser.add_argument("--player", default="planner:seconds=0.4,clock=cpu")
    given = parser.parse_args(argv)
    made = _highway("fr")
    told = met(
        made,
        lambda: PassesFirst(player(given.player, made)),
        lambda: player(given.player, made),
        given.games,
        given.seed,
        decided=False,
    )
    _told(f"passes its first turn, fr, {given.player}", *told)


@dataclass(slots=True)
class Timed:
    """Another player, and the CPU seconds of its turns after the set-up."""

    inner: Any
    turns: int = 0
    spent: float = 0.0

    @property
    def name(self) -> str:
        """As that of the other."""
        return str(self.inner.name)

    @property
    def skill(self) -> None:
        """Nothing is built by hand."""
        return

    def choose(self, state: Position, rng: np.random.Generator) -> Placement:
        """What the other chooses."""
        begin = time.process_time()
        move: Placement = self.inner.choose(state, rng)
        if state.table.phase == "play":
            self.turns += 1
            self.spent += time.process_time() - begin
        return move


def learnt_main(argv: Sequence[str] | None = None) -> None:
    """The learnt policy against another player, until the sequential test is decided, and the CPU
    that each takes for a move.

    python benchmarks/decisions.py learnt [--player policy] [--against greedy]
        [--ruleset standard] [--games 100] [--seed 0]
    """
    parser = _arguments(learnt_main.__doc__, 100)
    parser.add_argument("--player", default="policy", help="as policy:file=W.json")
    parser.add_argument("--against", default="greedy")
    parser.add_argument("--ruleset", default="standard")
    given = parser.parse_args(argv)
    made = _highway(given.ruleset)
    one, two = (Timed(player(spec, made)) for spec in (given.player, given.against))
    told = met(made, lambda: one, lambda: two, given.games, given.seed, decided=True)
    _told(f"{given.player} against {given.against}, {given.ruleset}", *told)
    costs = [1000.0 * each.spent / max(each.turns, 1) for each in (one, two)]
    print(f"{costs[0]:.0f} ms of CPU a move against {costs[1]:.0f}")


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

    def see(self, before: Table, after: Table) -> None:
        """Counts a turn of the seat that was to move."""
        left = before.stocks[before.to_move].cars
        best = int(propose(before, Sampling(72, 3)).cars.max(initial=0))
        got = left - after.stocks[before.to_move].cars
        self.offered, self.taken = self.offered + max(min(best, left), got), self.taken + got
        self.wins, self.missed = self.wins + (best >= left), self.missed + (best >= left > got)


def levels_main(argv: Sequence[str] | None = None) -> None:
    """How many of the cars on offer each level takes, and how often it misses a win in one.

        python benchmarks/decisions.py levels [--games 6] [--seed 0]
        python benchmarks/decisions.py levels --ladder DIR

    Each level plays itself. With `--ladder` the games are those that `benchmarks/strength.py ladder
    tokyo-highway --out DIR` has kept: each level against the one below and the one above. On offer
    is the most that any of 72 bearings and 3 distances around every base point earns. CPU seconds a
    move are known of games played now.
    """
    parser = _arguments(levels_main.__doc__, 6)
    parser.add_argument("--ladder", type=Path, metavar="DIR", help="look at these games instead")
    given = parser.parse_args(argv)
    specs = [*(f"planner:level={level}" for level in LEVELS[:-1]), "planner"]
    if given.ladder is not None:
        seen = {spec: Seen() for spec in (*specs, "greedy")}
        for path in sorted(given.ladder.glob("*/*.jsonl")):
            for step in trusted(read(path)):
                if step.before.phase == "play":
                    seen[step.player].see(step.before, step.after)
    else:
        seen = {spec: _by_itself(spec, given.games, given.seed) for spec in specs}
    print("| player | cars taken of those on offer | 95 % | wins in one missed | CPU s a move |")
    print("|---|---|---|---|---|")
    for spec, one in seen.items():
        if not one.offered:
            continue
        share = wilson(one.taken, one.offered)
        print(
            f"| `{spec}` | {one.taken} of {one.offered} ({100 * share.value:.0f} %) | "
            f"{100 * share.low:.0f} to {100 * share.high:.0f} % | {one.missed} of {one.wins} | "
            f"{f'{one.spent / one.moves:.3f}' if one.moves else ''} |",
            flush=True,
        )


def _by_itself(spec: str, games: int, seed: int) -> Seen:
    """Games of a player with itself."""
    seen, by = Seen(), player(spec, _highway("standard"))
    for number in range(games):
        table, rng = Table.start(2), np.random.default_rng([seed, number])
        while table.outcome() is None:
            begin = time.process_time()
            move: Any = by.choose(Position(table, "none"), rng)
            seen.spent, seen.moves = seen.spent + time.process_time() - begin, seen.moves + 1
            _, after = play(table, move, "none")
            if table.phase == "play":
                seen.see(table, after)
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
        values = learnt.worth(every, shown, masks)
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


def balance_main(argv: Sequence[str] | None = None) -> None:
    """Which seat wins where the learnt policy plays itself, under every preset, and with one thing
    changed.

        python benchmarks/decisions.py balance [--games 500] [--seed 0] [--changed TEXT]

    On geometry alone, on tables of `sim.Batch`; buildings are drawn. A shared first place counts
    as a part of a win; `different` says how many games were not the same, action by action.
    """
    parser = _arguments(balance_main.__doc__, 500)
    parser.add_argument("--changed", help="only the rows with this in the third column")
    given = parser.parse_args(argv)
    usual = [Match(name, seats) for name in PRESETS for seats in Preset.named(name).players]
    print(
        "| rule set | seats | changed | games | different | 1st | 2nd | 3rd | 4th | cars placed | "
        "plies |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|---|", flush=True)
    for asked in (*usual, *CAUSES):
        if given.changed not in (None, asked.told):
            continue
        found = list(finished(asked, learnt.shipped(), given.games, given.seed))
        won = np.sum([one[0] for one in found], axis=0)
        placed = np.mean([one[1] for one in found], axis=0)
        shares = [wilson(float(some), len(found)) for some in won]
        cells = [
            f"`{asked.ruleset}`",
            f"{asked.seats}",
            asked.told,
            f"{len(found)}",
            f"{len({one[3] for one in found})}",
            *(f"{100 * s.value:.0f} % ({100 * s.low:.0f} to {100 * s.high:.0f})" for s in shares),
            *[""] * (4 - asked.seats),
            ", ".join(f"{some:.1f}" for some in placed),
            f"{np.median([one[2] for one in found]):.0f}",
        ]
        print(f"| {' | '.join(cells)} |", flush=True)


def playouts_main() -> None:
    """Playouts a second of CPU along a game, and how long compiling them takes (none if it is
    kept).
    """
    begin = time.process_time()
    compile_ahead()
    print(f"ready after {time.process_time() - begin:.1f} s of CPU")
    for ruleset in ("standard", "fr"):
        made = _highway(ruleset)
        table, rng = Table.start(2, ruleset), np.random.default_rng(1)
        greedy = player("greedy", made)
        for ply in range(15):
            if table.outcome() is None and ply in (0, 2, 6, 10, 14):
                ahead = Ahead.of_table(table)
                begin = time.process_time()
                ahead.play(0, 2000, seed=5)
                spent = time.process_time() - begin
                print(f"{ruleset}, {len(table.roads)} roads: {2000 / spent:.0f} playouts a second")
            if table.outcome() is None:
                move: Any = greedy.choose(Position(table, "none"), rng)
                _, table = play(table, move, "none")


BEFORE = Policy(discs=1.5, yellow=0.2, near=0.25, noise=0.3, waits=0.5)
"""The policy of playouts until November 2026, set by hand."""


def policies_main(argv: Sequence[str] | None = None) -> None:
    """The policy of playouts against another one, by default the one before it was tuned.

        python benchmarks/decisions.py policies [--games 3000] [--ruleset NAME ...]
            [--against near=0.25,waits=0.5] [--planner] [--playouts 1000] [--width 400]

    The policies play each other in compiled games, half of them on each seat. With `--planner` two
    planners play, alike but for the policy in their playouts, until the sequential test is decided;
    a ply of both takes equally many playouts.
    """
    parser = _arguments(policies_main.__doc__, 3000)
    parser.add_argument("--ruleset", nargs="+", default=["standard", "fr", "rainbow", "kr"])
    parser.add_argument("--against", help="what is different from today's policy")
    parser.add_argument("--planner", action="store_true")
    parser.add_argument("--playouts", type=int, default=1000)
    parser.add_argument("--width", type=int, default=400)
    given = parser.parse_args(argv)
    other = BEFORE
    if given.against is not None:
        named = (one.split("=") for one in given.against.split(",") if one)
        other = POLICY._replace(**{name: float(value) for name, value in named})
    for ruleset in given.ruleset:
        what = f"{ruleset}, {'planners with ' if given.planner else ''}{POLICY} against {other}"
        if given.planner:
            first, budget = Planner(width=given.width), Budget(given.playouts)
            told = met(
                _highway(ruleset),
                lambda: Searcher(first=first, budget=budget),  # noqa: B023 - called at once
                lambda: Searcher(first=first, budget=budget, policy=other),  # noqa: B023
                given.games,
                given.seed,
                decided=True,
            )
            _told(what, *told)
            continue
        table, half = Table.start(2, ruleset), math.ceil(given.games / 2)
        won = Ahead.of_table(table, POLICY, other).play(0, half, given.seed, _CAP)
        won += Ahead.of_table(table, other, POLICY).play(1, half, given.seed + 1, _CAP)
        share = wilson(won, 2 * half)
        print(
            f"{what}: {won:.0f} of {2 * half} ({100 * share.low:.0f} to {100 * share.high:.0f} %)",
            flush=True,
        )


PARTS: dict[str, parts.Part] = {
    "passing": passing_main,
    "learnt": learnt_main,
    "levels": levels_main,
    "balance": balance_main,
    "playouts": playouts_main,
    "policies": policies_main,
}

if __name__ == "__main__":
    sys.exit(parts.run(PARTS))
