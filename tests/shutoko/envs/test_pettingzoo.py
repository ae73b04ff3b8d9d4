"""The environments pass PettingZoo's own tests, and what is refused says why. Needs the extra
`rl`.
"""

from __future__ import annotations

import contextlib
import io
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from rules.errors import IllegalMoveError, InputError

pytest.importorskip("pettingzoo", reason="THE ENVIRONMENTS ARE NOT TESTED: the extra rl is missing")
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test

# The checker expects arrays from every environment but PettingZoo's own games with masks, which it
# knows by name.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    # it looks at the masks of agents that are not to move where there is no key `observation`
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("meridians_v0", {"size": 4}),
    ("meridians_v0", {"size": 4, "pie": True}),
    ("thruway_v0", {"size": 4}),
    ("tokyo_highway_v0", {"ruleset": "fr"}),
    ("tokyo_highway_v0", {"players": 3, "view": "parts", "reward": "cars"}),
]
each_game = pytest.mark.parametrize(
    ("module", "options"), GAMES, ids=[f"{module}-{options}" for module, options in GAMES]
)


def made(module: str, form: str, **options: Any) -> Any:
    return getattr(import_module(f"shutoko.envs.{module}"), form)(**options)


@pytest.mark.slow
@each_game
def test_pettingzoo_finds_nothing_wrong_and_the_same_seed_gives_the_same_games(module, options):
    with contextlib.redirect_stdout(io.StringIO()):
        api_test(made(module, "env", cap=30, **options), num_cycles=60)
        parallel_api_test(made(module, "parallel_env", cap=8, **options), num_cycles=12)
    seed_test(partial(made, module, "env", **options), num_cycles=6)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "options"),
    [GAMES[0], GAMES[2], GAMES[3]],
    ids=["meridians", "thruway", "tokyo-highway"],
)
def test_every_mode_renders_what_pettingzoo_expects(module, options, capsys, monkeypatch):
    pytest.importorskip("resvg_py")
    monkeypatch.setattr("shutoko.envs.tables._SIZE", (64, 43))
    render_test(partial(made, module, "env", **options))
    assert "to watch" in capsys.readouterr().err


def test_a_random_game_ends_with_a_winner_and_shows_its_last_position():
    env = made("meridians_v0", "raw_env", size=4, render_mode="ansi")
    env.reset(seed=5)
    rng = np.random.default_rng(5)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, _, ended, truncated, _ = env.last()
        if ended or truncated:
            total[agent] = env.rewards[agent] or total[agent]
            text = env.render()
        action = None if ended else int(rng.choice(np.flatnonzero(seen["action_mask"])))
        for name, reward in env.rewards.items():
            total[name] = reward or total[name]
        env.step(action)
    assert sorted(total.values()) == [-1.0, 1.0]
    assert "wins" in text


def test_the_other_seat_sees_its_own_stones_first_and_no_mask():
    env = made("meridians_v0", "raw_env", size=4)
    env.reset()
    env.step(3)
    dark, light = env.observe("player_1"), env.observe("player_0")
    assert (dark["observation"][[1, 0]] == light["observation"][[0, 1]]).all()
    assert light["observation"][0].sum() == 1
    assert [one["action_mask"].sum() for one in (dark, light)] == [29, 0]


def test_an_illegal_action_is_refused_without_wrappers_and_loses_with_them():
    raw, wrapped = (made("meridians_v0", form, size=4) for form in ("raw_env", "env"))
    for env in (raw, wrapped):
        env.reset()
        env.step(3)
    with pytest.raises(IllegalMoveError, match="not legal here"):
        raw.step(3)
    wrapped.step(3)
    assert wrapped.rewards["player_1"] == -1
    assert all(wrapped.terminations.values())


def test_a_game_at_the_cap_is_truncated():
    env = made("thruway_v0", "raw_env", size=5, cap=2)
    env.reset()
    env.step(0)
    env.step(10)
    assert {*env.truncations.values()} == {True}
    assert {*env.terminations.values()} == {False}


@pytest.mark.parametrize(
    ("module", "options", "message"),
    [
        ("meridians_v0", {"size": 2}, "size = 2 is not valid"),
        (
            "meridians_v0",
            {"hand": "clumsy"},
            "there is no option 'hand'; options: size, pie",
        ),
        ("meridians_v0", {"render_mode": "loud"}, "render_mode = 'loud' is not valid"),
        ("tokyo_highway_v0", {"hand": "none"}, "hand = 'none' is not valid"),
    ],
)
def test_wrong_options_are_refused(module, options, message):
    with pytest.raises(InputError, match=message):
        made(module, "env", **options)
