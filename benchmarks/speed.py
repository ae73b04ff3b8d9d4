"""How fast rules, searches, the referee and environments are, beside other libraries.

    python benchmarks/speed.py rollouts [ARGUMENT ...]
    python benchmarks/speed.py simulations [ARGUMENT ...]
    python benchmarks/speed.py referee [ARGUMENT ...]
    python benchmarks/speed.py environments [ARGUMENT ...]

Each part says in its own words what it measures.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import rules
from benchmarks import parts
from rules.arena.players import player
from rules.grid import Batch
from sim import referee
from sim.installing import install
from sim.referee.placement import Build, Placement, SetBuilding
from sim.referee.room import allowed_discs
from sim.referee.table import Table

# --- rollouts -------------------------------------------------------------------------------------

SIZES = {"meridians": (6, 7, 8), "thruway": (7, 9, 11)}
WANTED = (("thruway 11", "hex(board_size=11)", 1.2), ("meridians 7", "go(board_size=9)", 1.8))
_CAP = 100_000  # plies: Thruway can be played for ever


class Contest(NamedTuple):
    """One line of the table: a name, and `run(games, seed)`, which plays that many and returns the
    plies of all.
    """

    name: str
    games: int
    run: Callable[[int, int], float]


def ours(name: str, size: int) -> Contest:
    """Random games of one of our own games, from the empty board; compiles whatever it needs
    first.
    """
    from rules import game
    from rules.grid.kernels import games as random_games

    made: Any = game(name, size=size)
    kernel = import_module(f"rules.grid.kernels.{name}")
    board, info, work = kernel.blank(made.tables)

    def run(games: int, seed: int) -> float:
        return float(random_games.rollouts(made.tables, board, info, work, games, seed, _CAP).plies)

    run(1, 0)  # compiles, or reads what was compiled
    return Contest(f"{name} {size}", 3000, run)


def _openspiel(text: str) -> Contest | None:
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game(text)
    length = _mean_length(game)

    def run(games: int, seed: int) -> float:
        # a search of one simulation evaluates the first position by this many rollouts, all in C++
        evaluator = pyspiel.RandomRolloutEvaluator(games, seed + 1)
        pyspiel.MCTSBot(game, evaluator, 1.0, 1, 100, False, seed + 1, False).step(
            game.new_initial_state()
        )
        return games * length

    return Contest(text, 1500, run)


def _mean_length(game: Any, games: int = 200) -> float:
    """Plies of a random game: the rollouts in C++ do not say."""
    rng, plies = np.random.default_rng(1), 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.integers(len(legal)))])
            plies += 1
    return plies / games


def rollouts_main() -> None:
    """Random games and moves per second, on one core: Meridians and Thruway beside OpenSpiel's C++
    rollouts of Hex and Go.

    `python benchmarks/speed.py rollouts` prints the median over the repeats in CPU time. It runs
    all contestants in turn, so that other work of the machine slows all of them alike; compilation
    does not count. OpenSpiel takes part if it is installed (the extra `openspiel`). Targets:
    Thruway 11 plays at least 1.2 times as many games per second as hex(11), Meridians 7 at least
    1.8 times as many as go(9).
    """
    parser = argparse.ArgumentParser(description=parts.first_line(rollouts_main))
    parser.add_argument("--repeats", type=int, default=7, metavar="N", help="default: 7")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="default: 0")
    args = parser.parse_args()
    makers = [partial(ours, name, size) for name, sizes in SIZES.items() for size in sizes]
    contests = [
        c
        for c in (*(make() for make in makers), *(_openspiel(text) for _, text, _ in WANTED))
        if c is not None
    ]
    games: dict[str, list[float]] = {c.name: [] for c in contests}
    plies: dict[str, list[float]] = {c.name: [] for c in contests}
    for repeat in range(args.repeats):
        for contest in contests:
            begin = time.process_time()
            played = contest.run(contest.games, args.seed + repeat)
            seconds = time.process_time() - begin
            games[contest.name].append(contest.games / seconds)
            plies[contest.name].append(played / seconds)
    print(f"{'':<20} games a second   moves a second   plies a game")
    for c in contests:
        rate, moves = statistics.median(games[c.name]), statistics.median(plies[c.name])
        print(f"{c.name:<20} {rate:>14,.0f} {moves:>16,.0f} {moves / rate:>14.1f}")
    for one, other, factor in WANTED:
        if one in games and other in games:
            ratio = statistics.median(a / b for a, b in zip(games[one], games[other], strict=True))
            print(f"{one} : {other} = {ratio:.2f} in games a second (wanted: at least {factor})")
        else:
            print(f"{other} is not there to compare with: {install('openspiel')}", file=sys.stderr)


# --- simulations ----------------------------------------------------------------------------------

OURS = (
    ("thruway", 11, "mcts"),
    ("meridians", 7, "mcts"),
)
HEX = "hex(board_size=11)"


def simulations_main() -> None:
    """Simulations of the tree search per second, on one core: Thruway and Meridians beside
    OpenSpiel's MCTS in C++ on Hex.

    `python benchmarks/speed.py simulations` prints the median over the repeats in CPU time for the
    empty board. It runs all contestants in turn; compilation does not count. A simulation of
    Meridians plays a random game, as OpenSpiel's does; one of Thruway evaluates a position.
    OpenSpiel takes part if it is installed (the extra `openspiel`).
    """
    parser = argparse.ArgumentParser(
        description=simulations_main.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--simulations", type=int, default=4000)
    asked = parser.parse_args()
    contests = {
        f"{name} {size} {spec}": ours_simulations(name, size, spec, asked.simulations)
        for name, size, spec in OURS
    }
    other = _openspiel_simulations(asked.simulations)
    if other is not None:
        contests[f"OpenSpiel {HEX}"] = other
    rates: dict[str, list[float]] = {name: [] for name in contests}
    for seed in range(asked.repeats):
        for name, run in contests.items():
            begin = time.thread_time()
            run(seed)
            rates[name].append(asked.simulations / (time.thread_time() - begin))
    for name, found in rates.items():
        print(f"{name:32} {statistics.median(found):10,.0f} simulations/s")


def ours_simulations(name: str, size: int, spec: str, simulations: int) -> Callable[[int], object]:
    """A search of the empty board by one of our own players, as a function of the seed; compiles
    whatever it needs first.
    """
    options = {"trade": False} if name == "thruway" else {"pie": False}
    game = rules.game(name, size=size, **options)
    made, start = player(f"{spec}:simulations={simulations}", game), game.start()
    made.choose(start, np.random.default_rng(0))
    return lambda seed: made.choose(start, np.random.default_rng(seed))


def _openspiel_simulations(simulations: int) -> Callable[[int], object] | None:
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game(HEX)

    def run(seed: int) -> object:
        bot = pyspiel.MCTSBot(
            game,
            pyspiel.RandomRolloutEvaluator(1, seed + 1),
            1.0,
            simulations,
            500,
            False,
            seed + 1,
            False,
        )
        return bot.step(game.new_initial_state())

    return run


# --- referee --------------------------------------------------------------------------------------

TARGET_MS, TARGET_RATE = 2.0, 20_000.0
_BUILDINGS = (("tower", -90.0), ("slab", 0.0), ("cylinder", 90.0), ("block", 180.0))


def _after(table: Table, placement: Placement) -> Table:
    from sim.game.ply import play

    verdict, after = play(table, placement, "none")
    if not verdict.legal:
        raise SystemExit("; ".join(fault.text for fault in verdict.faults))
    return after


def _best_build(table: Table, rng: np.random.Generator) -> Build | None:
    """A random legal build among those that earn most, near the middle of the table."""
    found: list[tuple[float, Build]] = []
    for point in table.base_points(table.to_move):
        axis = np.asarray(table.top(point.pillar))
        for discs, junction in allowed_discs(table, point.pillar)[:5]:
            n = 120
            angle, distance = rng.uniform(0.0, 2 * math.pi, n), rng.uniform(93.0, 122.0, n)
            spots = np.round(
                axis + distance[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1), 2
            )
            screened = referee.screen(
                table, point.pillar.id, spots, np.full(n, discs), np.full(n, junction)
            )
            for row in np.flatnonzero(screened.legal).tolist():
                x, y = spots[row].tolist()
                worth = float(screened.cars[row]) - math.hypot(x, y) / 1000 - discs / 50
                found.append((worth, Build(point.pillar.id, (x, y), discs, junction)))
    return max(found, key=lambda item: item[0])[1] if found else None


def finished(seed: int = 1) -> Table:
    """A four-player table, played without physics until nobody has a road left; then the stock is
    filled up again.
    """
    table, rng = Table.start(4, may_pass=True), np.random.default_rng(seed)
    for seat in range(4):
        table = _after(table, table.default_entrance(seat))
    for kind, angle in _BUILDINGS:
        x, y = 200 * math.cos(math.radians(angle + 45)), 200 * math.sin(math.radians(angle + 45))
        table = _after(table, SetBuilding(kind, (round(x, 2), round(y, 2)), 0.0))
    supply = table.stocks[0]
    for _ in range(4 * 8):
        if table.outcome() is not None:
            break
        # players get new cars, so that nobody finishes before all roads are laid
        stocks = tuple(replace(stock, cars=supply.cars) for stock in table.stocks)
        build = _best_build(replace(table, stocks=stocks), rng)
        table = _after(
            replace(table, stocks=stocks), build if build is not None else table.parse("pass")
        )
    return replace(table, stocks=(supply,) * 4)


def placements(table: Table, rng: np.random.Generator, count: int) -> list[Build]:
    """Random builds of the seat to move at about the right distance, legal or not."""
    points, found = table.base_points(table.to_move), []
    for _ in range(count):
        base = points[rng.integers(len(points))].pillar
        x, y = table.top(base)
        angle, distance = rng.uniform(0.0, 2 * math.pi), rng.uniform(93.0, 122.0)
        spot = (round(x + distance * math.cos(angle), 2), round(y + distance * math.sin(angle), 2))
        found.append(Build(base.id, spot, max(base.discs + int(rng.choice([-1, 1])), 1)))
    return found


def referee_main() -> None:
    """How fast the referee is on a finished four-player table: one placement judged, and thousands
    screened.

    `python benchmarks/speed.py referee` prints the median time that `before`, with its judgement of
    crossings, takes for one placement (target: 2 ms), and how many placements per second `screen`
    and `screen_exits` judge on one core (target: 20,000).
    """
    parser = argparse.ArgumentParser(description=referee_main.__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=300, help="placements judged one by one")
    parser.add_argument("--batch", type=int, default=20_000, help="placements screened in all")
    args = parser.parse_args()
    table, rng = finished(args.seed), np.random.default_rng(args.seed)
    what = (
        (table.roads, "roads"),
        (table.pillars, "pillars"),
        (table.cars, "cars"),
        (table.buildings, "buildings"),
    )
    print("table:", ", ".join(f"{len(pieces)} {name}" for pieces, name in what))
    times = []
    for placement in placements(table, rng, args.rounds):
        begun = time.process_time()
        referee.before(table, placement)
        times.append((time.process_time() - begun) * 1e3)
    median = statistics.median(times)
    print(
        f"before, one placement: median {median:.2f} ms; {TARGET_MS / median:.1f} times the target"
    )
    table = replace(table, ruleset=table.ruleset.changed(exit_height="any"))
    base = table.base_points(table.to_move)[0].pillar
    n = args.batch
    angle = rng.uniform(0.0, 2 * math.pi, n)
    for name, low, high in (("from 80 to 130 mm", 80.0, 130.0), ("in reach only", 95.0, 122.0)):
        distance = rng.uniform(low, high, n)
        spots = np.round(
            np.asarray(table.top(base))
            + distance[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1),
            2,
        )
        discs = np.full(n, base.discs + 1)
        for kind in ("builds", "exits"):
            begun = time.process_time()
            for start in range(0, n, 1000):
                part = slice(start, start + 1000)
                if kind == "builds":
                    screened = referee.screen(table, base.id, spots[part], discs[part])
                else:
                    screened = referee.screen_exits(table, base.id, spots[part])
            rate = n / (time.process_time() - begun)
            legal = int(screened.legal.sum())
            ratio = f"{rate / TARGET_RATE:.1f} times the target"
            print(
                f"screen, {kind} {name}: {rate:,.0f} a second, {legal} of the last 1,000 legal; "
                f"{ratio}"
            )


# --- environments ---------------------------------------------------------------------------------

_BATCH = 1024


def batch(name: str, **options: Any) -> Iterator[int]:
    """Steps of `rules.grid.Batch`, one batch after another."""
    games = Batch(rules.game(name, **options), _BATCH)
    while True:
        games.step(games.sample())
        yield _BATCH


def batch_seen(name: str, **options: Any) -> Iterator[int]:
    """The same with an observation for each step."""
    games = Batch(rules.game(name, **options), _BATCH)
    while True:
        games.observe()
        games.step(games.sample())
        yield _BATCH


def given(name: str, **options: Any) -> Iterator[int]:
    """Steps and masks alone: the actions are drawn in advance, in a game that goes on as long as
    they are legal.
    """
    games = Batch(rules.game(name, **options), _BATCH)
    script: list[Any] = []
    for _ in range(40):
        script.append(games.sample())
        games.step(script[-1])
    while True:
        games.reset()
        for actions in script:
            games.step(actions)
        yield _BATCH * len(script)


def aec(make: Callable[[], Any]) -> Iterator[int]:
    """Steps of a PettingZoo environment."""
    env, rng = make(), np.random.default_rng(0)
    while True:
        env.reset()
        steps = 0
        for _ in env.agent_iter():
            seen, _, ended, cut, _ = env.last()
            done = ended or cut
            env.step(None if done else int(rng.choice(np.flatnonzero(seen["action_mask"]))))
            steps += not done
        yield steps


def spiel(game: Any) -> Iterator[int]:
    """Steps of an OpenSpiel game, called from Python."""
    rng = np.random.default_rng(0)
    while True:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[rng.integers(len(legal))])
            steps += 1
        yield steps


def pgx(name: str) -> Iterator[int]:
    """Steps of a pgx game, compiled as a whole: mask, draw, step with automatic reset."""
    jax: Any = import_module("jax")
    act_randomly = import_module("pgx.experimental.utils").act_randomly
    auto_reset = import_module("pgx.experimental.wrappers").auto_reset
    env = import_module("pgx").make(name)
    step, begin = auto_reset(env.step, env.init), jax.vmap(env.init)

    def several(state: Any, key: Any) -> Any:
        def once(carry: Any, _: Any) -> Any:
            now, at = carry
            at, one, two = jax.random.split(at, 3)
            actions = act_randomly(one, now.legal_action_mask)
            return (jax.vmap(step)(now, actions, jax.random.split(two, _BATCH)), at), None

        return jax.lax.scan(once, (state, key), None, length=8)[0]

    play, key = jax.jit(several), jax.random.PRNGKey(0)
    state = begin(jax.random.split(key, _BATCH))
    while True:
        state, key = play(state, key)
        jax.block_until_ready(state.legal_action_mask)
        yield 8 * _BATCH


def beside(opponent: str) -> Iterator[int]:
    """Actions of one seat of Tokyo Highway; an opponent plays the other one in the same step. The
    first game, in which everything is compiled, does not count.
    """
    import gymnasium

    import shutoko.envs  # noqa: F401 - registers the environments

    env: Any = gymnasium.make("shutoko/TokyoHighway-v0", opponent=opponent, candidates=32)
    rng = np.random.default_rng(1)
    for game in count():
        env.reset(seed=game)
        ended = False
        while not ended:
            mask = env.unwrapped.action_masks()
            _, _, ended, truncated, _ = env.step(int(rng.choice(np.flatnonzero(mask))))
            ended = ended or truncated
            if game:
                yield 1


def contestants() -> Iterator[tuple[str, Iterator[int]]]:
    """What is measured, with its name."""
    for name, options in (
        ("meridians", {"size": 7}),
        ("meridians", {"size": 5}),
        ("thruway", {"size": 11}),
        ("thruway", {"size": 7}),
    ):
        label = f"{name} {options['size']}"
        yield f"Batch, {label}, steps and masks", given(name, **options)
        yield f"Batch, {label}, and random actions", batch(name, **options)
        yield f"Batch, {label}, and observations", batch_seen(name, **options)
    if find_spec("pettingzoo") is None:
        print(f"PettingZoo is left out: {install('rl')}")
    else:
        from shutoko.envs import (
            meridians_v0,
            thruway_v0,
            tokyo_highway_v0,
        )

        yield "PettingZoo, our meridians_v0, 7", aec(lambda: meridians_v0.raw_env(size=7))
        yield "PettingZoo, our thruway_v0, 11", aec(lambda: thruway_v0.raw_env(size=11))
        yield "PettingZoo, our tokyo_highway_v0", aec(tokyo_highway_v0.raw_env)
        for opponent in ("greedy", "random", "policy"):
            yield f"Gymnasium, our TokyoHighway-v0, {opponent}", beside(opponent)
    if find_spec("pygame") is None:
        print("PettingZoo's connect_four is left out: pip install 'pettingzoo[classic]'")
    else:
        from pettingzoo.classic import connect_four_v3

        yield "PettingZoo, its connect_four_v3", aec(connect_four_v3.raw_env)
    if find_spec("pyspiel") is None:
        print(f"OpenSpiel is left out: {install('openspiel')}")
    else:
        import pyspiel

        from shutoko.envs import openspiel

        yield "OpenSpiel from Python, our meridians 7", spiel(openspiel.load("meridians", size=7))
        yield "OpenSpiel from Python, its hex 11 (C++)", spiel(pyspiel.load_game("hex"))
        yield "OpenSpiel from Python, its go 9 (C++)", spiel(pyspiel.load_game("go(board_size=9)"))
    if find_spec("pgx") is None:
        print("pgx is left out: pip install pgx")
    else:
        for name in ("connect_four", "hex", "go_9x9"):
            yield f"pgx, {name}, batch {_BATCH}", pgx(name)


def environments_main() -> None:
    """Steps per second of our environments and those of other libraries: `python
    benchmarks/speed.py environments [--seconds 3]`.

    Everything plays uniformly random legal actions, with masks, and starts a new game after each
    end. Figures are steps per second of CPU time of the process, all its threads together, so they
    hold for one core whatever else the machine does. Libraries that are not installed are named and
    left out: PettingZoo (extra `rl`), OpenSpiel (extra `openspiel`), pgx (`pip install pgx`).
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=3.0, help="CPU seconds for each")
    args = parser.parse_args()
    for name, steps in contestants():
        next(steps)  # compiles
        done, begin = 0, time.process_time()
        while (spent := time.process_time() - begin) < args.seconds:
            done += next(steps)
        print(f"{name:<45} {done / spent:>12,.0f} steps a second", flush=True)


PARTS: dict[str, parts.Part] = {
    "rollouts": rollouts_main,
    "simulations": simulations_main,
    "referee": referee_main,
    "environments": environments_main,
}

if __name__ == "__main__":
    sys.exit(parts.run(PARTS))
