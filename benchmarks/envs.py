"""Steps per second of our environments and those of other libraries: `python benchmarks/envs.py
[--seconds 3]`.

Everything plays uniformly random legal actions, with masks, and starts a new game after each end.
Figures are steps per second of CPU time of the process, all its threads together, so they hold for
one core whatever else the machine does. Libraries that are not installed are named and left out:
PettingZoo (extra `rl`), OpenSpiel (extra `openspiel`), pgx (`pip install pgx`).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

import rules
from rules.grid import Batch
from sim.installing import install

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
        from shutoko.envs import meridians_v0, thruway_v0

        yield "PettingZoo, our meridians_v0, 7", aec(lambda: meridians_v0.raw_env(size=7))
        yield "PettingZoo, our thruway_v0, 11", aec(lambda: thruway_v0.raw_env(size=11))
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


def main() -> None:
    """Prints a line for each."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=3.0, help="CPU seconds for each")
    args = parser.parse_args()
    for name, steps in contestants():
        next(steps)  # compiles
        done, begin = 0, time.process_time()
        while (spent := time.process_time() - begin) < args.seconds:
            done += next(steps)
        print(f"{name:<45} {done / spent:>12,.0f} steps a second", flush=True)


if __name__ == "__main__":
    main()
