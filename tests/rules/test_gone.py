"""Whoever names something that is gone is told what serves instead."""

from __future__ import annotations

import pytest

import rules
from rules.arena.players import known_players, player
from rules.errors import InputError


@pytest.mark.parametrize(
    ("game", "name"),
    [
        ("meridians", "net"),
        ("meridians", "rave"),
        ("meridians", "uct"),
        ("thruway", "rave"),
        ("thruway", "uct"),
    ],
)
def test_a_player_that_is_gone_is_named_with_the_one_that_serves_instead(game, name):
    with pytest.raises(InputError, match=rf"unknown player {name!r} .*; {name} is gone: use mcts"):
        player(f"{name}:seconds=1", rules.game(game))
    assert "mcts" in known_players(game)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("planner:version=1", "version is gone: planner always searches"),
        ("policy:playouts=100", "playouts is gone: policy looks once; planner searches"),
        ("policy:seconds=1", "seconds is gone: policy looks once; planner searches"),
        ("policy:clock=cpu", "clock is gone: policy looks once; planner searches"),
    ],
)
def test_an_option_of_a_player_of_tokyo_highway_that_is_gone_says_what_serves(spec, said):
    with pytest.raises(InputError, match=f"; {said}"):
        player(spec, rules.game("tokyo-highway"))


def test_an_option_of_a_player_that_is_gone_says_so():
    with pytest.raises(InputError, match=r"no option 'rave'; .*; rave is gone: mcts alone"):
        player("mcts:rave=true", rules.game("thruway"))
