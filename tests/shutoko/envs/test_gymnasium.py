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
from shutoko.envs.candidates import CAR, CandidateTable  # noqa: E402

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


@pytest.mark.parametrize(
    ("name", "games", "options"),
    [
        ("shutoko/ThruwaySelfPlay-v0", 16, {"size": 4}),
        ("shutoko/TokyoHighwaySelfPlay-v0", 8, {"candidates": 16}),
    ],
)
def test_many_games_at_once_reward_the_seat_that_acted(name, games, options):
    envs = gymnasium.make_vec(name, num_envs=games, **options)
    seen, info = envs.reset(seed=3)
    ended = 0
    for _ in range(60):
        acted = info["to_move"].astype(int)
        assert (seen["action_mask"] == info["action_mask"]).all()
        seen, rewards, over, cut, info = envs.step(envs.unwrapped.batch.sample())
        assert seen in envs.observation_space
        assert (rewards == info["rewards"][np.arange(games), acted]).all()
        assert (np.abs(rewards) == 1)[over].all()
        assert not cut.any()
        ended += int(over.sum())
    assert ended > 0
    with pytest.raises(IllegalMoveError, match="game 0 of the batch"):
        envs.step(np.full(games, 99))


TABLE = "shutoko/TokyoHighway-v0"
REFUSED = [
    ("shutoko/Meridians-v0", {"seat": 2}, "choose random or 0 to 1"),
    ("shutoko/Meridians-v0", {"opponent": "nobody"}, "unknown player 'nobody'"),
    ("shutoko/Meridians-v0", {"size": 99}, "size = 99 is not valid"),
    (TABLE, {"view": "image"}, "view = 'image' is not valid"),
    (TABLE, {"reward": "fame"}, "reward = 'fame' is not valid"),
    (TABLE, {"hand": "none"}, "hand = 'none' is not valid"),
]


@pytest.mark.parametrize(("name", "options", "message"), REFUSED)
def test_wrong_options_are_refused(name, options, message):
    with pytest.raises(InputError, match=message):
        gymnasium.make(name, **options)


def test_many_games_at_once_know_no_physics():
    with pytest.raises(InputError, match="engine = none"):
        gymnasium.make_vec("shutoko/TokyoHighwaySelfPlay-v0", num_envs=2, engine="mujoco")


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


# --- Tokyo Highway: lists of candidates on the compiled table -------------------------------------


def played(env, seed):
    """A random game: the rewards of the agent, and the last state."""
    rng, rewards = np.random.default_rng(seed), []
    env.reset(seed=seed)
    ended = truncated = False
    while not (ended or truncated):
        action = rng.choice(np.flatnonzero(env.unwrapped.action_masks()))
        _, reward, ended, truncated, _ = env.step(action)
        rewards.append(reward)
    return rewards, env.unwrapped._table.state.table


def test_the_name_of_another_version_is_answered_with_the_one_that_is_there():
    with pytest.raises(gymnasium.error.VersionNotFound, match=r"TokyoHighway.*v0"):
        gymnasium.make("shutoko/TokyoHighway-v1")
    with pytest.raises(InputError, match=r"has no tokyo_highway_v1; did you mean tokyo_highway_v0"):
        _ = shutoko.envs.tokyo_highway_v1


def test_a_game_ends_with_the_reward_of_the_agent_and_shows_the_last_table():
    env = gymnasium.make(TABLE, candidates=16, seat=0)
    rewards, table = played(env, 3)
    assert rewards[-1] == (1.0 if 0 in table.outcome().winners else -1.0)
    assert set(rewards[:-1]) == {0.0}


def test_cars_are_the_reward_if_asked_for_and_count_against_each_other():
    env = gymnasium.make(TABLE, candidates=16, seat=1, reward="cars")
    rewards, table = played(env, 5)
    cars = [10 - stock.cars for stock in table.stocks]
    won = 1.0 if 1 in table.outcome().winners else -1.0
    assert sum(rewards) == pytest.approx(won + CAR * (cars[1] - cars[0] + 1), abs=1e-5)


@pytest.mark.parametrize(
    ("opponent", "options"),
    [
        ("greedy", {}),
        ("greedy", {"ruleset": "kr"}),
        ("random", {"players": 3}),
        ("policy", {}),
        ("policy", {"ruleset": "fr"}),
    ],
)
def test_a_move_of_an_opponent_by_its_number_is_that_by_the_referee(opponent, options, monkeypatch):
    def game():
        env = gymnasium.make(TABLE, candidates=16, opponent=opponent, **options)
        rng, (seen, _), ended, shown = np.random.default_rng(4), env.reset(seed=4), False, []
        while not ended:
            legal = np.flatnonzero(seen["action_mask"])
            action = legal[0] if rng.random() < 0.5 else rng.choice(legal)
            seen, reward, ended, _, _ = env.step(action)
            shown.append((reward, *seen["observation"].tolist(), *seen["action_mask"].tolist()))
        return shown, env.unwrapped._table.state.table.digest()

    short = game()
    monkeypatch.setattr(CandidateTable, "_number", lambda *_: None)
    assert game() == short


def test_physics_settles_the_pieces_of_an_engine_and_lists_follow_where_they_lie():
    env = gymnasium.make(TABLE, engine="mujoco", candidates=8, seat=0)
    env.reset(seed=1)
    for _ in range(4):
        env.step(int(np.flatnonzero(env.unwrapped.action_masks())[0]))
    table = env.unwrapped._table.state.table
    assert (bool(table.poses), len(table.roads) >= 5) == (True, True)
