"""The grid games as OpenSpiel's: its own test, serialisation, and one of its algorithms. Needs the
extra `openspiel`.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import rules
from rules.errors import IllegalMoveError, InputError
from tests.conftest import CHECKOUT

pyspiel = pytest.importorskip(
    "pyspiel", reason="OPENSPIEL'S GAMES ARE NOT TESTED: the extra openspiel is missing"
)
from open_spiel.python.observation import make_observation  # noqa: E402
from open_spiel.python.tests.games_sim_test import GamesSimTest  # noqa: E402

from shutoko.envs.openspiel import load  # noqa: E402

FROM_THE_CHECKOUT = {"cwd": CHECKOUT, "env": {"PYTHONPATH": str(CHECKOUT)}}
GAMES: list[tuple[str, dict[str, Any]]] = [
    ("meridians", {"size": 3}),
    ("meridians", {"size": 4, "pie": True}),
    ("thruway", {"size": 3}),
    ("thruway", {"size": 4, "repetition": "draw3", "reserve": 6, "ko": "same"}),
]
each_game = pytest.mark.parametrize(
    ("name", "options"), GAMES, ids=[f"{name}-{options}" for name, options in GAMES]
)


@pytest.mark.slow
@each_game
def test_openspiel_finds_nothing_wrong_and_states_survive_serialisation(name, options):
    """Its test of games in Python pickles the game, its type and its states, clones states, and
    looks at the end.
    """
    pyspiel.random_sim_test(load(name, **options), num_sims=3, serialize=True, verbose=False)
    np.random.seed(0)  # noqa: NPY002 - OpenSpiel's test draws from NumPy's own generator
    GamesSimTest().sim_game(load(name, **options))


@pytest.mark.slow
def test_pickled_games_are_the_same_in_another_process():
    games = [load(name, **options) for name, options in GAMES]
    program = "import pickle, sys; print(pickle.load(sys.stdin.buffer))"
    words, data = [sys.executable, "-c", program], pickle.dumps(games)
    done = subprocess.check_output(words, input=data, **FROM_THE_CHECKOUT)
    assert done.decode().strip() == str(games)


@each_game
def test_random_games_end_as_by_the_rules_and_stay_finished(name, options):
    game, plain = load(name, **options), rules.game(name, **options).start()
    state, rng, half = game.new_initial_state(), np.random.default_rng(3), ""
    while not state.is_terminal():
        assert state.current_player() == plain.to_move
        action = int(rng.choice(state.legal_actions()))
        text = state.action_to_string(action)
        if plain.turns.ply == 0 and options.get("pie"):
            if not half:
                half = text
                state.apply_action(action)
                continue
            text = f"{half},{text}"
        state.apply_action(action)
        plain = plain.after(text)
    winners = plain.outcome().winners
    points = [0.0 if not winners else 1.0 if seat in winners else -1.0 for seat in range(2)]
    assert state.returns() == points
    for action in range(game.num_distinct_actions()):
        with pytest.raises(IllegalMoveError, match="the game is over"):
            state.apply_action(action)
    again = pickle.loads(pickle.dumps(state))  # noqa: S301 - made in the line itself
    assert (str(state), str(again)) == (str(plain), str(plain))
    assert (state.is_terminal(), state.legal_actions()) == (True, [])


def test_a_game_found_by_its_name_has_its_parameters():
    load("meridians")
    game = pyspiel.load_game("shutoko_meridians(size=4,pie=true)")
    assert game.num_distinct_actions() == 30 + 3
    assert game.get_parameters() == {"size": 4, "pie": True}


def test_each_seat_sees_its_own_stones_first():
    game = load("meridians", size=4)
    state = game.new_initial_state()
    state.apply_action(3)
    seen = []
    for seat in range(2):
        observation = make_observation(game)
        observation.set_from(state, seat)
        seen.append(observation.dict["observation"].copy())
    assert seen[0][0].sum() == seen[1][1].sum() == 1
    assert (seen[0][[0, 1]] == seen[1][[1, 0]]).all()


@pytest.mark.slow
def test_the_example_runs_an_algorithm_of_openspiel_unchanged():
    words = ["examples/openspiel_mcts.py", "--size", "3", "--simulations", "5"]
    done = subprocess.check_output([sys.executable, *words], **FROM_THE_CHECKOUT)
    assert "wins after" in done.decode()


@pytest.mark.parametrize(
    ("name", "options", "why"),
    [
        ("tokyo-highway", {}, "choose meridians or thruway"),
        ("thruway", {"size": 99}, "is not valid; it is a whole number from 3"),
    ],
)
def test_wrong_games_and_options_are_refused(name, options, why):
    with pytest.raises(InputError, match=why):
        load(name, **options)
