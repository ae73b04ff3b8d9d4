"""Tokyo Highway for learners: lists of candidates on the compiled table. Needs the
extra `rl`.
"""

from __future__ import annotations

import numpy as np
import pytest

from rules.errors import InputError

gymnasium = pytest.importorskip(
    "gymnasium", reason="THE ENVIRONMENTS ARE NOT TESTED: the extra rl is missing"
)
from shutoko.envs.candidates import CAR, CandidateTable  # noqa: E402


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
        from shutoko.envs import tokyo_highway_v1  # noqa: F401


def test_a_game_ends_with_the_reward_of_the_agent_and_shows_the_last_table():
    env = gymnasium.make("shutoko/TokyoHighway-v0", candidates=16, seat=0)
    rewards, table = played(env, 3)
    outcome = table.outcome()
    assert outcome is not None
    assert rewards[-1] == (1.0 if 0 in outcome.winners else -1.0)
    assert set(rewards[:-1]) == {0.0}


def test_cars_are_the_reward_if_asked_for_and_count_against_each_other():
    env = gymnasium.make("shutoko/TokyoHighway-v0", candidates=16, seat=1, reward="cars")
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
def test_the_short_way_of_an_opponent_is_that_by_the_referee(opponent, options, monkeypatch):
    def game():
        env = gymnasium.make("shutoko/TokyoHighway-v0", candidates=16, opponent=opponent, **options)
        rng, (seen, _), ended, shown = np.random.default_rng(4), env.reset(seed=4), False, []
        while not ended:
            legal = np.flatnonzero(seen["action_mask"])
            action = legal[0] if rng.random() < 0.5 else rng.choice(legal)
            seen, reward, ended, _, _ = env.step(action)
            shown.append((reward, *seen["observation"].tolist(), *seen["action_mask"].tolist()))
        return shown, env.unwrapped._table.state.table.digest()

    short = game()
    monkeypatch.setattr(CandidateTable, "_number", lambda *_: None)
    monkeypatch.setattr(CandidateTable, "choice", None)
    assert game() == short


def test_physics_settles_the_pieces_of_an_engine_and_lists_follow_where_they_lie():
    env = gymnasium.make("shutoko/TokyoHighway-v0", engine="mujoco", candidates=8, seat=0)
    env.reset(seed=1)
    for _ in range(4):
        env.step(int(np.flatnonzero(env.unwrapped.action_masks())[0]))
    table = env.unwrapped._table.state.table
    assert table.poses
    assert len(table.roads) >= 5


def test_many_games_are_played_by_the_compiled_table():
    envs = gymnasium.make_vec("shutoko/TokyoHighwaySelfPlay-v0", num_envs=8, candidates=16)
    seen, info = envs.reset(seed=3)
    assert seen["observation"].dtype == np.float32
    for _ in range(30):
        actions = np.array([int(np.flatnonzero(mask)[0]) for mask in seen["action_mask"]])
        acted = info["to_move"].copy()
        seen, reward, _, _, info = envs.step(actions)
        assert (reward == info["rewards"][np.arange(8), acted]).all()
        assert envs.single_observation_space["observation"].contains(seen["observation"][0])


def test_a_wrong_option_is_told():
    for options, told in (
        ({"view": "image"}, "view = 'image' is not valid"),
        ({"reward": "fame"}, "reward = 'fame' is not valid"),
        ({"hand": "none"}, "hand = 'none' is not valid"),
    ):
        with pytest.raises(InputError, match=told):
            gymnasium.make("shutoko/TokyoHighway-v0", **options)
    with pytest.raises(InputError, match="engine = none"):
        gymnasium.make_vec("shutoko/TokyoHighwaySelfPlay-v0", num_envs=2, engine="mujoco")
