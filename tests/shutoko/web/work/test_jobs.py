"""What runs in worker processes, called here."""

from __future__ import annotations

import asyncio
import math

import pytest

import rules
from rules.arena.players import LEVELS, player
from rules.errors import IllegalMoveError, InputError
from rules.grid.base import GridMove
from rules.grid.search.players import Choice
from shutoko.web.wording import words
from shutoko.web.work import jobs, players, tables
from shutoko.web.work.jobs import MoveJob
from shutoko.web.work.players import (
    Question,
    advised,
    adviser,
    hand_of,
    levels,
    quick_adviser,
    usual_level,
    with_hand,
)
from shutoko.web.work.workers import Workers
from sim.assets import asset
from sim.bots.trials import Trial, Tried
from sim.bots.weighing import Hint
from sim.game import replay
from sim.referee.placement import Pass
from tests.shutoko.web.rooms.test_rooms import Here

NAMES = ("Ann", "Bo")


def test_a_move_on_a_board_is_made_with_its_entry_and_what_the_room_adds_to_it():
    made, extra = rules.game("meridians", size=3), {"x-clock": [1, 2]}
    job = MoveJob("meridians", made.options, made.start(), "b2", 0, NAMES, extra=extra)
    step = jobs.made_move(made, job)
    assert str(step) == "ply  0  Ann: b2"
    assert step.after == step.before.after("b2")
    assert (step.entry.got, step.entry.extra) == (step.got(), extra)


def test_a_placement_is_settled_by_the_engine_of_its_position_and_filmed():
    made, extra = rules.game("tokyo-highway", engine="none"), {"x-clock": [3]}
    state = made.start()
    text = str(state.table.default_entrance(0))
    job = MoveJob("tokyo-highway", made.options, state, text, 0, NAMES, extra=extra)
    step, film = jobs.performed(job)
    assert step.verdict.legal
    assert step.after.digest() == step.entry.got["digest"] == state.after(text).digest()
    assert step.entry.extra == extra
    assert film.seconds > 0
    assert "Ann" in str(step)


def test_an_illegal_placement_is_refused_with_its_faults():
    made = rules.game("tokyo-highway", engine="none")
    with pytest.raises(IllegalMoveError):
        jobs.performed(MoveJob("tokyo-highway", made.options, made.start(), "pass", 0, NAMES))


def test_a_player_of_a_visitor_reads_no_file_of_the_server(tmp_path):
    for path in (tmp_path / "none.npz", "/etc/hostname"):
        with pytest.raises(InputError, match="read no files; leave file out") as error:
            jobs.checked(f"policy:file={path}", "tokyo-highway", {})
        assert "policy:file=" in str(error.value)


# --- tables --------------------------------------------------------------------------------------


class Slow(Workers):
    """Begins what it is asked for, and is never ready."""

    begun = 0

    async def run(self, *_, **__):
        self.begun += 1
        await asyncio.sleep(3600)


@pytest.mark.anyio
async def test_a_film_is_made_ahead_by_a_worker_and_a_slow_one_is_not_waited_for(monkeypatch):
    record = replay.branch(rules.record.read(asset("records", "two-cars.jsonl")), 4)
    steps = [*rules.replay(record)]
    made = tables.Films(Here(), record, steps)
    made.soon(1)
    found = await made.of(1)
    assert found.seconds > 1
    assert {"B-P0.1", "B-R0", "B-C0"} <= found.keys.keys()
    assert await made.of(1) is found
    waiting = tables.Films(slow := Slow(), record, steps)
    monkeypatch.setattr(tables, "_PATIENCE", 0.01)
    assert await waiting.of(2) == tables.blended_film(record.header, steps[2])
    waiting.soon(0)
    waiting.stop()
    await asyncio.sleep(0)
    assert slow.begun == 1  # what was given up before it began is not begun


def test_a_ply_comes_out_here_as_its_record_says():
    record = replay.branch(rules.record.read(asset("records", "two-cars.jsonl")), 3)
    *_, step = rules.replay(record)
    lying = {
        body.id: body.pose.at for body in tables.as_here(record.header, step.entry, step.before)
    }
    for piece, numbers in step.entry.got["moved"].items():
        assert math.dist(lying[piece], numbers[:3]) < 0.5, piece


# --- players -------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["meridians", "thruway", "tokyo-highway"])
def test_every_level_is_a_player_of_the_game_the_weakest_first(game):
    offered, made = levels(game), rules.game(game)
    assert tuple(offered) == LEVELS
    name = "planner" if game == "tokyo-highway" else "best"
    assert offered["easy"] == f"{name}:level=easy"
    assert usual_level(offered) in offered
    specs = [with_hand(spec, "clumsy", game) for spec in offered.values()]
    players = [player(spec, made) for spec in specs]
    if game == "tokyo-highway":
        assert [one.skill.name for one in players] == ["clumsy"] * 6
    else:
        assert {one.name for one in players} >= {"best:level=first", "best:level=hard"}


def brought(folder, **groups):
    """A folder with an installed package that brings these entry points."""
    info = folder / "zen-1.0.dist-info"
    info.mkdir()
    lines = [f"[shutoko.{group}]\n{points}\n" for group, points in groups.items()]
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: zen\nVersion: 1.0\n")
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


@pytest.mark.parametrize(
    ("spec", "usual", "hand"),
    [
        ("planner:hand=clumsy", "normal", "clumsy"),
        ("planner:hand=none", "normal", None),
        ("planner:trials=2", "normal", "normal"),
        (None, None, None),
    ],
)
def test_a_computer_has_the_hand_that_its_spec_names_and_else_that_of_the_room(spec, usual, hand):
    assert hand_of(spec, usual) == hand


FELL, MISSED, STOOD = (
    Tried(Trial(Pass(), 0, 0.0), lost, fallen)
    for lost, fallen in ((1.0, ("A-R3",)), (0.5, ()), (0.0, ()))
)
HINTS = (
    (Hint(Pass(), cars=2, wins=True, mine=1), ["places the last car", "sets up 1"]),
    (Hint(Pass(), cars=1, tried=STOOD, room=20.0), ["earns 1", "safe, 2 cm to spare"]),
    (Hint(Pass(), cars=1, mine=2, replies=(0, 3)), ["earns 1", "sets up 2", "lets others earn 3"]),
    (Hint(Pass(), mine=2, blocks=(1,), tried=FELL), ["sets up 2", "blocks Blue", "will fall"]),
    (Hint(Pass(), mine=2, tried=MISSED, grey=3), ["sets up 2", "costs 3 grey", "shaky"]),
    (
        Hint(Pass(), mine=2, tried=STOOD, room=2.0, grey=1, yellow=1),
        ["sets up 2", "safe", "costs 1 grey, 1 yellow"],
    ),
    (Hint(Pass(), mine=2), ["sets up 2"]),
)
"""Hints, and what speaks for and against each."""


def test_each_hint_has_a_reason_of_its_own_in_words_of_the_catalogue():
    def told(found):
        return [[words("en")(key, **values) for key, values in one.reasons] for one in found]

    found = [players.rated(hint) for hint, _ in HINTS]
    assert told(found) == [said for _, said in HINTS]
    assert told(players.apart(found[1:])) == [
        ["earns 1"],
        ["earns 1", "sets up 2"],
        ["blocks Blue", "will fall"],
        ["costs 3 grey", "shaky"],
        ["safe"],  # and nothing of its own for the last
    ]


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
    known = (str(choice.move), choice.chance, choice.known == "end")
    assert (one.move, one.chance, one.proven) == known
    assert words("ko")(reason[0], **reason[1]) != reason[0]
