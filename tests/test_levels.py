"""Levels by name, the hands of computer players, and what players say of a position: what pages show of them."""

from __future__ import annotations

import pytest

import rules
from rules.players import known_players, player
from rules.record import read
from shutoko.web import plies
from shutoko.web.analysis import adviser, advised, question
from shutoko.web.levels import hand_of, levels, usual_level, with_hand
from sim.assets import asset


@pytest.mark.parametrize("game", ["meridians", "thruway", "tokyo-highway"])
def test_every_level_is_a_player_of_the_game_the_weakest_first(game):
    offered = levels(game, known_players(game))
    if game == "tokyo-highway":
        assert list(offered) == ["random", "greedy", "planner"]
        specs = [with_hand(spec, "clumsy") for spec in offered.values()]
        made = rules.game(game)
        assert [player(spec, made).skill.name for spec in specs] == ["clumsy"] * 3
    else:
        assert list(offered) == ["beginner", "easy", "medium", "hard", "full"]
        assert offered["easy"] == "best:level=easy"
    assert usual_level(offered) in offered


def test_players_of_others_are_levels_by_their_own_names_and_keep_their_options():
    offered = levels("meridians", ("best", "mcts", "zen"))
    assert list(offered)[-2:] == ["full", "zen"]
    assert levels("go", ("zen", "random")) == {"random": "random", "zen": "zen"}
    assert with_hand("zen", "clumsy") == "zen"
    assert usual_level({}) == ""


def test_a_computer_has_the_hand_that_its_spec_names_and_else_that_of_the_room():
    assert hand_of("planner:hand=clumsy", "normal") == "clumsy"
    assert hand_of("planner:hand=none", "normal") is None
    assert hand_of("planner:trials=2", "normal") == "normal"
    assert hand_of(None, None) is None
