"""The Gymnasium environments pass its checker; opponents come by spec string. Needs the extra
`rl`.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from rules.errors import IllegalMoveError, InputError

gymnasium = pytest.importorskip(
    "gymnasium", reason="THE ENVIRONMENTS ARE NOT TESTED: the extra rl is missing"
)
import shutoko.envs  # noqa: E402 - registers the ids, and needs gymnasium

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("shutoko/Meridians-v0", {"size": 4}),
    ("shutoko/Meridians-v0", {"size": 4, "pie": True, "seat": 1}),
    ("shutoko/Thruway-v0", {"size": 4, "seat": 0}),
    ("shutoko/TokyoHighway-v0", {"opponent": "greedy"}),
    ("shutoko/TokyoHighway-v0", {"candidates": 32, "view": "graph"}),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options"), GAMES, ids=[f"{name}-{options}" for name, options in GAMES]
)
def test_gymnasium_finds_nothing_wrong(name, options):
    pytest.importorskip("resvg_py")
    from gymnasium.utils.env_checker import check_env

    check_env(gymnasium.make(name, **options).unwrapped)


def test_a_game_against_a_player_goes_to_its_end():
    env = gymnasium.make("shutoko/Meridians-v0", opponent="greedy", seat=1, size=4)
    seen, info = env.reset(seed=2)
    assert info["seat"] == info["to_move"] == 1
    ended, reward, rng = False, 0.0, np.random.default_rng(1)
    while not ended:
        assert (seen["action_mask"] == info["action_mask"]).all()
        action = int(rng.choice(np.flatnonzero(seen["action_mask"])))
        seen, reward, ended, truncated, info = env.step(action)
        assert not truncated
    assert reward in (-1.0, 1.0)


def test_an_illegal_action_loses_and_says_why():
    env = gymnasium.make("shutoko/Meridians-v0", seat=0, size=4)
    env.reset(seed=1)
    env.step(0)
    *_, reward, ended, _, info = env.step(0)
    assert (reward, ended) == (-1.0, True)
    assert "not legal here" in info["illegal"]
    with pytest.raises(InputError, match="the game is over"):
        env.unwrapped.step(1)


def test_the_seat_is_drawn_by_the_seed():
    env = gymnasium.make("shutoko/Thruway-v0", size=4)
    seats = {seed: env.reset(seed=seed)[1]["seat"] for seed in range(12)}
    assert set(seats.values()) == {0, 1}
    assert seats == {seed: env.reset(seed=seed)[1]["seat"] for seed in range(12)}


def test_many_games_at_once_reward_the_seat_that_acted():
    envs = gymnasium.make_vec("shutoko/ThruwaySelfPlay-v0", num_envs=16, size=4)
    seen, info = envs.reset(seed=3)
    ended = 0
    for _ in range(60):
        acted = info["to_move"].astype(int)
        assert (seen["action_mask"] == info["action_mask"]).all()
        seen, rewards, over, cut, info = envs.step(envs.unwrapped.batch.sample())
        assert seen in envs.observation_space
        assert (rewards == info["rewards"][np.arange(16), acted]).all()
        assert (np.abs(rewards) == 1)[over].all()
        assert not cut.any()
        ended += int(over.sum())
    assert ended > 0
    with pytest.raises(IllegalMoveError, match="game 0 of the batch"):
        envs.step(np.full(16, 99))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seat": 2}, "choose random or 0 to 1"),
        ({"opponent": "nobody"}, "unknown player 'nobody'"),
        ({"size": 99}, "size = 99 is not valid"),
    ],
)
def test_wrong_options_are_refused(options, message):
    with pytest.raises(InputError, match=message):
        gymnasium.make("shutoko/Meridians-v0", **options)


def test_without_gymnasium_the_package_is_imported_and_registers_nothing(monkeypatch):
    asked = []
    monkeypatch.setattr(
        "gymnasium.envs.registration.register", lambda *names, **_: asked.append(names)
    )
    shutoko.envs._register()
    every = len(shutoko.envs.GYMNASIUM_IDS) + len(shutoko.envs.SELF_PLAY_IDS)
    assert len(asked) == every
    monkeypatch.setitem(sys.modules, "gymnasium.envs.registration", None)
    shutoko.envs._register()
    assert len(asked) == every
