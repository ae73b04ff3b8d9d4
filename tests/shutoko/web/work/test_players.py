"""Levels by name, the hands of computer players, and what players say of a position: what pages
show of them.
"""

from __future__ import annotations

import pytest

import rules
from rules.arena.players import LEVELS, player
from rules.grid.base import GridMove
from rules.grid.search.players import Choice
from rules.record import read
from rules.record.replay import begin
from shutoko.web.wording import words
from shutoko.web.work import players
from shutoko.web.work.players import (
    Question,
    advised,
    adviser,
    hand_of,
    levels,
    question,
    quick_adviser,
    usual_level,
    with_hand,
)
from sim.assets import asset
from sim.game import replay


@pytest.mark.parametrize("game", ["meridians", "thruway", "tokyo-highway"])
def test_every_level_is_a_player_of_the_game_the_weakest_first(game):
    offered = levels(game)
    assert tuple(offered) == LEVELS
    made = rules.game(game)
    if game == "tokyo-highway":
        assert offered["easy"] == "planner:level=easy"
        specs = [with_hand(spec, "clumsy", game) for spec in offered.values()]
        assert [player(spec, made).skill.name for spec in specs] == ["clumsy"] * 6
        assert hand_of(specs[0], "normal") == "clumsy"
    else:
        assert offered["easy"] == "best:level=easy"
        assert {player(spec, made).name for spec in offered.values()} >= {
            "best:level=first",
            "best:level=hard",
        }
    assert usual_level(offered) in offered


def brought(folder, **groups):
    """A folder with an installed package that brings these entry points."""
    info = folder / "zen-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: zen\nVersion: 1.0\n")
    lines = [f"[shutoko.{group}]\n{points}\n" for group, points in groups.items()]
    (info / "entry_points.txt").write_text("".join(lines))
    return folder


def test_players_of_another_package_are_levels_by_their_own_names(tmp_path, monkeypatch):
    points = "meridians.zen = rules.grid.search.players:mcts"
    monkeypatch.syspath_prepend(brought(tmp_path, players=points))
    assert [*levels("meridians")] == [*LEVELS, "zen"]
    assert levels("meridians")["zen"] == "zen"
    assert [*levels("thruway")] == [*LEVELS]
    assert with_hand("zen", "clumsy", "meridians") == "zen"
    assert usual_level({}) == ""


def test_where_no_player_has_levels_each_is_one_and_the_strongest_adviser_is_last(
    tmp_path, monkeypatch
):
    games = "small = rules.grid.meridians:game"
    points = "small.mcts = rules.grid.search.players:mcts\nsmall.greedy = sim.bots:greedy"
    monkeypatch.syspath_prepend(brought(tmp_path, games=games, players=points))
    monkeypatch.setattr(players, "advisers", lambda _: ("greedy", "mcts"))
    assert [*levels("small")] == ["random", "mcts", "greedy"]


def test_a_game_that_goes_by_the_clock_needs_no_quick_adviser():
    on_board, on_table = rules.game("meridians"), rules.game("tokyo-highway")
    assert (adviser(on_board, 2.0), quick_adviser(on_board)) == ("best:seconds=2", None)
    assert (adviser(on_table, 2.0), quick_adviser(on_table)) == ("planner", "greedy")
    assert adviser(on_table, hand="clumsy") == "planner:hand=clumsy"


def test_a_computer_has_the_hand_that_its_spec_names_and_else_that_of_the_room():
    assert hand_of("planner:hand=clumsy", "normal") == "clumsy"
    assert hand_of("planner:hand=none", "normal") is None
    assert hand_of("planner:trials=2", "normal") == "normal"
    assert hand_of(None, None) is None


def test_the_reasons_of_a_placement_are_words_of_the_catalogue():
    game = read(asset("records", "two-cars.jsonl"))
    short = replay.branch(game, 6)
    made, _ = begin(short)
    *_, last = rules.replay(short)
    found = advised("greedy:trials=1", question(made, last.after), (1,), 2)
    assert all(one.cars is not None and one.chance is None for one in found)
    text = words("en")
    for one in found:
        told = [text(key, **values) for key, values in one.reasons]
        assert told[0].startswith("costs ")
        assert "why_" not in " ".join(told)


@pytest.mark.parametrize(
    ("choice", "reason"),
    [
        (Choice(GridMove("b2"), 0.6, 1200, "simulations"), ("why_simulations", {"n": 1200})),
        (Choice(GridMove("b2"), 0.6, 9, "depth"), ("why_depth", {"n": 9})),
        (Choice(GridMove("b2"), 1.0, 5, "end"), ("why_end", {"n": 5})),
        (Choice(GridMove("swap"), 0.6, 0, "pie"), ("why_colour", {})),
        (Choice(GridMove("b2,c3"), 0.5, 0, "pie"), ("why_even", {})),
    ],
)
def test_the_reasons_of_a_search_are_words_of_the_catalogue(monkeypatch, choice, reason):
    class Known:
        def analyse(self, _state, _rng, _most):
            return [choice]

    monkeypatch.setattr(players, "harmless", lambda _spec, _game: Known())
    (one,) = advised("any", Question("meridians", {}, None), (0,), 1)
    assert one.reasons == (reason,)
    assert (one.move, one.chance, one.proven) == (
        str(choice.move),
        choice.chance,
        choice.known == "end",
    )
    assert words("ko")(reason[0], **reason[1]) != reason[0]
