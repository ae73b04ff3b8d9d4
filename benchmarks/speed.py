"""How fast rules, searches, the referee, physics and environments are, some beside other libraries.

    python benchmarks/speed.py [PART] [ARGUMENT ...]

All times are CPU seconds of one process. Contestants of one table take turns, so that other work of
the machine slows all of them alike; compilation does not count.
"""

from __future__ import annotations

import json
import math
import os
import statistics
import subprocess
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
import sim
from rules.arena.players import player
from rules.arena.rating import Z95
from rules.grid import Batch
from rules.record import read
from sim import referee
from sim.assets import asset
from sim.bodies import Body
from sim.game.attempts.hand import SKILLS, draw
from sim.game.ply import Attempt, judge, judge_checked
from sim.game.replay import Step, branch, trusted
from sim.game.risk import SETTLE, risk
from sim.game.sources import Simulated, pose_source
from sim.installing import install
from sim.physics import engines
from sim.physics.contacts import contacts
from sim.physics.engine import SettleParams
from sim.physics.statics import equilibrium, loaded
from sim.referee.placement import Build, Exit, Placement, SetBuilding
from sim.referee.room import allowed_discs
from sim.referee.table import Table
from tools.measuring import note, run, share, table
from tools.scenes import scene
from tools.situations import NAMES as SITUATIONS, situation

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


def rollouts(*, repeats: int = 7, seed: int = 0) -> None:
    """Random games and moves per second, on one core: Meridians and Thruway beside OpenSpiel's C++
    rollouts of Hex and Go.

    Prints the median over the repeats. OpenSpiel takes part if it is installed (the extra
    `openspiel`). Targets: Thruway 11 plays at least 1.2 times as many games per second as hex(11),
    Meridians 7 at least 1.8 times as many as go(9).
    """
    makers = [partial(ours, name, size) for name, sizes in SIZES.items() for size in sizes]
    others = (_openspiel(text) for _, text, _ in WANTED)
    contests = [one for one in (*(make() for make in makers), *others) if one is not None]
    games: dict[str, list[float]] = {one.name: [] for one in contests}
    plies: dict[str, list[float]] = {one.name: [] for one in contests}
    for repeat in range(repeats):
        for one in contests:
            begin = time.process_time()
            played = one.run(one.games, seed + repeat)
            seconds = time.process_time() - begin
            games[one.name].append(one.games / seconds)
            plies[one.name].append(played / seconds)
    row = table("game", "games a second", "moves a second", "plies a game", "target")
    targets = {one: (other, factor) for one, other, factor in WANTED}
    for name, played_by in games.items():
        rate, moves = statistics.median(played_by), statistics.median(plies[name])
        other, factor = targets.get(name, ("", 0.0))
        told = f"not compared with {other}: {install('openspiel')}" if other else ""
        if other in games:
            ratio = statistics.median(a / b for a, b in zip(played_by, games[other], strict=True))
            told = f"{ratio:.2f} times {other}, wanted {factor}"
        row(name, f"{rate:,.0f}", f"{moves:,.0f}", f"{moves / rate:.1f}", told)


# --- simulations ----------------------------------------------------------------------------------

OURS = (
    ("thruway", 11, "mcts"),
    ("meridians", 7, "mcts"),
)
HEX = "hex(board_size=11)"


def simulations(*, repeats: int = 5, count: int = 4000) -> None:
    """Simulations of the tree search per second, on one core: Thruway and Meridians beside
    OpenSpiel's MCTS in C++ on Hex.

    Prints the median over the repeats for the empty board, of searches with `--count` simulations.
    A simulation of Meridians plays a random game, as OpenSpiel's does; one of Thruway evaluates a
    position. OpenSpiel takes part if it is installed (the extra `openspiel`).
    """
    contests = {
        f"{name} {size} {spec}": ours_simulations(name, size, spec, count)
        for name, size, spec in OURS
    }
    other = _openspiel_simulations(count)
    if other is not None:
        contests[f"OpenSpiel {HEX}"] = other
    rates: dict[str, list[float]] = {name: [] for name in contests}
    for seed in range(repeats):
        for name, run_one in contests.items():
            begin = time.thread_time()
            run_one(seed)
            rates[name].append(count / (time.thread_time() - begin))
    row = table("search", "simulations a second")
    for name, found in rates.items():
        row(name, f"{statistics.median(found):,.0f}")


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


def _after(on: Table, placement: Placement) -> Table:
    from sim.game.ply import play

    verdict, after = play(on, placement, "none")
    if not verdict.legal:
        raise SystemExit("; ".join(fault.text for fault in verdict.faults))
    return after


def _best_build(on: Table, rng: np.random.Generator) -> Build | None:
    """A random legal build among those that earn most, near the middle of the on."""
    found: list[tuple[float, Build]] = []
    for point in on.base_points(on.to_move):
        axis = np.asarray(on.top(point.pillar))
        for discs, junction in allowed_discs(on, point.pillar)[:5]:
            n = 120
            angle, distance = rng.uniform(0.0, 2 * math.pi, n), rng.uniform(93.0, 122.0, n)
            spots = np.round(
                axis + distance[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1), 2
            )
            screened = referee.screen(
                on, point.pillar.id, spots, np.full(n, discs), np.full(n, junction)
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
    on, rng = Table.start(4, may_pass=True), np.random.default_rng(seed)
    for seat in range(4):
        on = _after(on, on.default_entrance(seat))
    for kind, angle in _BUILDINGS:
        x, y = 200 * math.cos(math.radians(angle + 45)), 200 * math.sin(math.radians(angle + 45))
        on = _after(on, SetBuilding(kind, (round(x, 2), round(y, 2)), 0.0))
    supply = on.stocks[0]
    for _ in range(4 * 8):
        if on.outcome() is not None:
            break
        # players get new cars, so that nobody finishes before all roads are laid
        stocks = tuple(replace(stock, cars=supply.cars) for stock in on.stocks)
        build = _best_build(replace(on, stocks=stocks), rng)
        on = _after(replace(on, stocks=stocks), build if build is not None else on.parse("pass"))
    return replace(on, stocks=(supply,) * 4)


def placements(on: Table, rng: np.random.Generator, count: int) -> list[Build]:
    """Random builds of the seat to move at about the right distance, legal or not."""
    points, found = on.base_points(on.to_move), []
    for _ in range(count):
        base = points[rng.integers(len(points))].pillar
        x, y = on.top(base)
        angle, distance = rng.uniform(0.0, 2 * math.pi), rng.uniform(93.0, 122.0)
        spot = (round(x + distance * math.cos(angle), 2), round(y + distance * math.sin(angle), 2))
        found.append(Build(base.id, spot, max(base.discs + int(rng.choice([-1, 1])), 1)))
    return found


def referee_(*, seed: int = 1, rounds: int = 300, batch: int = 20_000) -> None:
    """How fast the referee is on a finished four-player table: `--rounds` placements judged one by
    one, and `--batch` screened.

    Prints the median time that `before`, with its judgement of crossings, takes for one placement
    (target: 2 ms), and how many placements per second `screen` judges on one core
    (target: 20,000).
    """
    on, rng = finished(seed), np.random.default_rng(seed)
    row = table("what", "measured", "wanted", "legal")
    times = []
    for placement in placements(on, rng, rounds):
        begun = time.process_time()
        referee.before(on, placement)
        times.append((time.process_time() - begun) * 1e3)
    row("`before`, one placement", f"{statistics.median(times):.2f} ms", f"{TARGET_MS:g} ms", "")
    on = replace(on, ruleset=on.ruleset.changed(exit_height="any"))
    base = on.base_points(on.to_move)[0].pillar
    angle, discs = rng.uniform(0.0, 2 * math.pi, batch), np.full(batch, base.discs + 1)
    for where, low, high in (("from 80 to 130 mm", 80.0, 130.0), ("in reach only", 95.0, 122.0)):
        distance = rng.uniform(low, high, batch)
        ways = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        spots = np.round(np.asarray(on.top(base)) + distance[:, None] * ways, 2)
        for kind in ("builds", "exits"):
            begun, legal = time.process_time(), 0
            for start in range(0, batch, 1000):
                part = slice(start, start + 1000)
                heights = discs[part] * (kind == "builds")
                legal += int(referee.screen(on, base.id, spots[part], heights).legal.sum())
            rate = batch / (time.process_time() - begun)
            told = f"`screen`, {kind} {where}"
            row(told, f"{rate:,.0f} a second", f"{TARGET_RATE:,.0f}", f"{legal} of {batch}")


def judging(against: Path, *, rounds: int = 3) -> None:
    """How long the referee takes on late tables of shipped games, for one placement and for a fan
    of 360, here and in another checkout, in turn.
    """
    here = Path(__file__).resolve().parents[1]
    script, found = here / "tools" / "late_tables.py", list[list[dict[str, float]]]()
    for _ in range(rounds):
        texts = [
            subprocess.run(  # noqa: S603 - a script of ours, with the interpreter of this process
                [sys.executable, script],
                env={**os.environ, "PYTHONPATH": str(checkout.resolve())},
                check=True,
                capture_output=True,
                text=True,
            ).stdout
            for checkout in (against, here)
        ]
        found.append([json.loads(text) for text in texts])
    row = table("what", "there", "here", "times as fast")
    for what in ("placement", "fan"):
        old, new = (statistics.median(two[k][what] for two in found) for k in (0, 1))
        row(what, f"{old:.2f} ms", f"{new:.2f} ms", f"{old / new:.1f}")


# --- physics --------------------------------------------------------------------------------------

SCENES = (
    "bridge",
    "sloping-road-car",
    "tall-stack",
    "junction",
    "chain-with-cars",
    "eight-stack",
    "four-player-table",
    "stress-table",
)
GAMES = ("two-cars", "junction-exit", "three-players", "four-players")


def laid(name: str) -> tuple[tuple[Body, ...], str]:
    """The bodies of a scene, and its last road; the last body where there is none."""
    bodies = scene(name).bodies
    return bodies, [*bodies, *(body for body in bodies if body.kind == "road")][-1].id


def statics_of_a_turn(bodies: tuple[Body, ...], newest: str) -> tuple[int, str]:
    """What a turn asks of statics: the number of contacts, and the margin of the newest road."""
    touching = contacts(bodies)
    answer = equilibrium(bodies, loaded(bodies, [newest], touching), touching)
    return len(touching), repr(answer.margin(newest))[:40]


def statics(*, repeats: int = 3) -> None:
    """How long contacts, equilibrium and margins take, scene by scene, in CPU milliseconds, the
    best of `--repeats`.

    `stands` and `margin` solve for every piece of the scene; `turn` is what a turn pays: contacts,
    and only the pieces that the last road loads, with margins of both kinds.
    """
    equilibrium(scene("bridge").bodies)  # imports do not count
    row = table("scene", "bodies", "points", "contacts", "stands", "margin", "loaded", "turn")
    for name in SCENES:
        bodies, newest = laid(name)
        found = contacts(bodies)
        whole = equilibrium(bodies, contacts=found)
        works: tuple[Callable[[], object], ...] = (
            partial(contacts, bodies),
            partial(equilibrium, bodies, contacts=found),
            whole.margin,
            partial(statics_of_a_turn, bodies, newest),
        )
        touching, stands, margin, turn = (
            f"{1000 * min(seconds(work) for _ in range(repeats)):.1f}" for work in works
        )
        some = len(loaded(bodies, [newest], found))
        row(name, len(bodies), len(found), touching, stands, margin, some, turn)


def seconds(work: Callable[[], object]) -> float:
    """CPU seconds of some work."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def late_builds(path: Path) -> list[Step]:
    """The builds and exits in the last third of a record, on its own settled poses."""
    every = list(trusted(read(path)))
    return [
        step
        for step in every[len(every) * 2 // 3 :]
        if isinstance(step.placement, (Build, Exit)) and step.verdict.legal
    ]


def verdicts(*records: Path, plies: int = 1000) -> None:
    """CPU time of whole verdicts (legality, laying, settling twice, crossings, falls) on crowded
    tables, for each engine; `none` is the referee without physics.

    Judges the builds and exits in the last third of the records (default: the shipped games), at
    most `--plies` of them, again from the recorded table. Then come the named situations
    (`tools/situations.py`), such as a finger through a full game.
    """
    paths = records or tuple(asset("records", f"{name}.jsonl") for name in GAMES)
    late = [step for path in paths for step in late_builds(path)][:plies]
    row = table("what", "engine", "median s", "95 % s", "worst s", "simulated s")

    def judged(step: Step, engine: str) -> None:
        judge(step.before, step.placement, [Attempt(pose_source(engine), step.entry.hand or ())])

    for name in ("none", *engines.available()):
        spent = list[float]()
        for step in late:
            judged(step, "none")  # what a table keeps (obstacles, bodies) does not count
            spent.append(seconds(partial(judged, step, name)))
        median, high, worst = (float(np.quantile(spent, part)) for part in (0.5, 0.95, 1.0))
        row(f"{len(late)} plies", name, median, high, worst, "")
    for what in SITUATIONS:
        for name in engines.available():
            world = situation(what).world(name)
            begin = time.process_time()
            settled = world.settle()
            row(what, name, time.process_time() - begin, "", "", settled.seconds)


def risky() -> tuple[Table, Placement]:
    """A table of a shipped game, and the move that is asked about."""
    record = read(asset("records", "two-cars.jsonl"))
    *_, last = trusted(branch(record, 14))
    return last.after, Placement.parse(record.entries[14].do)


def risk_(*, samples: int = 32, width: float = 0.02, engine: str = "bullet") -> None:
    """The risk of a move: CPU seconds a try, and what its shortcuts save and change.

    Each try, with normal and with clumsy hands in turn, is judged by the tolerances of a record, by
    those of the risk, and by these without the part of the hand's path that passes nothing. Last
    come the CPU seconds for an interval of +- `--width`: with as many whole tries as an even chance
    needs, and as it is done.
    """
    on, move = risky()
    checked, runner = referee.check(on, move), engines.engine(engine)
    ways = {
        "tolerances of a record": Simulated(runner, SettleParams()),
        "tolerances of the risk": Simulated(runner, SETTLE),
        "the same, without the way through the air": Simulated(runner, SETTLE, brief=True),
    }
    spent = dict.fromkeys(ways, 0.0)
    said: dict[str, list[object]] = {way: [] for way in ways}
    for number in range(samples):
        skill = SKILLS[("normal", "clumsy")[number % 2]]
        hand = draw(np.random.default_rng(number), checked, skill)
        for way, source in ways.items():
            begin = time.process_time()
            verdict, _, _ = judge_checked(checked, [Attempt(source, hand)])
            spent[way] += time.process_time() - begin
            said[way].append((verdict.built, verdict.fallen))
    row = table("tries", "CPU s a try", "the same pieces fell as in the first row")
    first = next(iter(said.values()))
    for way, told in said.items():
        same = sum(a == b for a, b in zip(first, told, strict=True))
        row(way, spent[way] / samples, f"{same} of {samples}")
    begin = time.process_time()
    found = risk(on, move, skill=SKILLS["normal"], samples=10_000, width=width, engine=engine)
    after = time.process_time() - begin
    needed = math.ceil((Z95 / (2 * width)) ** 2)
    whole = needed * spent["tolerances of the risk"] / samples
    print()
    row = table("stands", f"tries for +-{width:g}", "CPU s", f"CPU s of {needed} whole tries")
    row(share(found.stands, found.samples), found.samples, after, whole)


# --- environments ---------------------------------------------------------------------------------

_BATCH = 1024


def stepped(name: str, **options: Any) -> Iterator[int]:
    """Steps of `rules.grid.Batch`, one batch after another."""
    games = Batch(rules.game(name, **options), _BATCH)
    while True:
        games.step(games.sample())
        yield _BATCH


def stepped_seen(name: str, **options: Any) -> Iterator[int]:
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
        yield f"Batch, {label}, and random actions", stepped(name, **options)
        yield f"Batch, {label}, and observations", stepped_seen(name, **options)
    if find_spec("pettingzoo") is None:
        note(f"PettingZoo is left out: {install('rl')}")
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
    if find_spec("pyspiel") is None:
        note(f"OpenSpiel is left out: {install('openspiel')}")
    else:
        import pyspiel

        from shutoko.envs import openspiel

        yield "OpenSpiel from Python, our meridians 7", spiel(openspiel.load("meridians", size=7))
        yield "OpenSpiel from Python, its hex 11 (C++)", spiel(pyspiel.load_game("hex"))
        yield "OpenSpiel from Python, its go 9 (C++)", spiel(pyspiel.load_game("go(board_size=9)"))


def environments(*, seconds: float = 3.0) -> None:
    """Steps per second of our environments, one by one and in batches, and of OpenSpiel's.

    Everything plays uniformly random legal actions, with masks, and starts a new game after each
    end. Figures are steps per second of CPU time of the process, all its threads together, so they
    hold for one core whatever else the machine does; `--seconds` for each. Libraries that are not
    installed are named and left out: PettingZoo (extra `rl`), OpenSpiel (extra `openspiel`).
    """
    row = table("environment", "steps a second")
    for name, steps in contestants():
        next(steps)  # compiles
        done, begin = 0, time.process_time()
        while (spent := time.process_time() - begin) < seconds:
            done += next(steps)
        row(name, f"{done / spent:,.0f}")


def batch(*, games: int = 64, rounds: int = 60, seed: int = 0) -> None:
    """Plies a second of CPU of `sim.Batch`, tables of Tokyo Highway side by side, with masks and
    observations.
    """
    row = table("players", "plies a second")
    for players in (2, 3, 4):
        tables = sim.Batch("tokyo-highway", games, seed, players=players)
        for count_ in (20, rounds):  # the first ones compile
            begin = time.process_time()
            for _ in range(count_):
                tables.step(tables.sample())
                tables.observe()
        row(players, f"{games * rounds / (time.process_time() - begin):,.0f}")


if __name__ == "__main__":
    run(
        rollouts,
        simulations,
        referee_,
        judging,
        statics,
        verdicts,
        risk_,
        environments,
        batch,
    )
