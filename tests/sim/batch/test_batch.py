"""`sim.Batch`: the referee's answers for many tables at once, and what learners see of them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

import sim
from rules.errors import IllegalMoveError, InputError
from rules.game import game
from sim import referee
from sim.batch.listing import FEATURES, PIECE
from sim.referee.placement import CarSpot
from tests.tables import option_sets


def played(batch: sim.Batch, plies: int) -> None:
    for _ in range(plies):
        batch.step(batch.sample())


def followed(players: int, options: dict[str, Any], rng: np.random.Generator) -> int:
    """Plays a game of random actions to its end, held to the referee ply by ply; how many plies."""
    batch, lively = sim.Batch("tokyo-highway", 1, players=players, **options), float(rng.random())
    for plies in range(1, 300):
        table, masks = batch.state(0), batch.masks()[0]
        legal = np.flatnonzero(masks)
        for action in legal[:: len(legal) // 4 + 1].tolist():
            assert referee.before(table, batch.move(0, action)) == ()
        passes = table.phase == "play" and not referee.before(table, sim.Pass())
        assert masks[-1] or not passes, "a pass is legal"
        action = int(rng.choice(legal[: 1 + int(len(legal) * lively)]))
        move = batch.move(0, action)
        _, after = sim.play(table, move, "none")
        batch.step([action])
        outcome, why = after.outcome(), (options, table.digest(), str(move))
        assert batch.ended[0] == (outcome is not None), why
        if outcome is not None:
            won = [1.0 if seat in outcome.winners else -1.0 for seat in range(players)]
            assert batch.rewards[0].tolist() == won, why
            return plies
        want, have = replace(after, lasts=()), batch.state(0)
        assert (have.digest(), have.turns, have.turn) == (want.digest(), want.turns, want.turn), why
    pytest.fail(f"{options}: no end in 300 plies")


@pytest.mark.parametrize("sets", [6, pytest.param(200, marks=pytest.mark.slow)])
def test_games_go_as_by_the_referee_by_every_preset_and_by_random_options(sets: int):
    """What a placement is worth is held to slow rules of its own in referee/test_oracle.py."""
    rng = np.random.default_rng(7)
    plies = [followed(players, options, rng) for players, options in option_sets(rng, sets)]
    assert sum(plies) > 300


def test_the_same_seed_and_actions_give_the_same_arrays():
    one, other = (sim.Batch("tokyo-highway", 4, seed=3) for _ in range(2))
    for _ in range(12):
        actions = one.sample()
        assert (actions == other.sample()).all()
        one.step(actions)
        other.step(actions)
        assert (one.observe() == other.observe()).all()
        assert (one.masks() == other.masks()).all()


def test_a_table_of_another_batch_goes_on_where_it_was():
    batch, twin = (sim.Batch("tokyo-highway", 2, seed=5, players=3) for _ in range(2))
    played(batch, 14)
    twin.place(1, batch.state(0))
    assert twin.state(1).digest() == batch.state(0).digest()
    assert (twin.masks()[1] == batch.masks()[0]).all()
    assert twin.observe()[1] == pytest.approx(batch.observe()[0], abs=1e-5)


def test_a_place_off_the_list_is_an_action_once_it_is_offered():
    batch, wide = (sim.Batch("tokyo-highway", 1, seed=1, candidates=k) for k in (2, 64))
    played(batch, 9)
    wide.place(0, batch.state(0))
    move = wide.move(0, int(np.flatnonzero(wide.masks()[0, :64])[-1]))
    assert isinstance(move, sim.Build)
    masks = batch.masks().copy()
    for other in (
        replace(move, base="A-P77"),
        replace(move, at=(5000.0, 0.0)),
        replace(move, cars=(CarSpot(0.5),)),
    ):
        assert batch.offer(0, other) is None
        assert (batch.masks() == masks).all()
    assert (batch.offer(0, move), batch.move(0, 0)) == (0, move)
    after = sim.play(batch.state(0), move, "none")[1]
    batch.step([0])
    assert batch.state(0).digest() == replace(after, lasts=()).digest()


def test_a_table_with_settled_poses_is_judged_where_its_pieces_lie():
    table = sim.Table.start(players=2)
    for move in (table.default_entrance(0), table.default_entrance(1)):
        table = sim.play(table, move)[1]
    batch = sim.Batch("tokyo-highway", 1)
    for _ in range(6):
        batch.place(0, table)
        legal = np.flatnonzero(batch.masks()[0, : batch.candidates])
        move = batch.move(0, int(legal[0]))
        assert referee.before(table, move) == ()
        verdict, table = sim.play(table, move)
        assert verdict.legal
    assert table.poses


def test_a_scenario_has_no_set_up():
    layout = {
        "pillars": [{"id": "A-P0", "at": [0, 0], "discs": 1}],
        "roads": [{"id": "A-R0", "from": {"table": [0, -109.5]}, "to": "A-P0"}],
    }
    batch = sim.Batch("tokyo-highway", 1)
    batch.place(0, sim.Table.from_layout(layout))
    assert batch.state(0).phase == "play"
    assert isinstance(batch.move(0, int(np.flatnonzero(batch.masks()[0])[0])), sim.Build | sim.Exit)


def test_a_place_may_be_taken_without_its_cars():
    batch = sim.Batch("tokyo-highway", 64, seed=2, ruleset="fr")
    played(batch, 30)
    declines = batch.masks()[:, batch.candidates : 2 * batch.candidates]
    i, row = np.argwhere(declines)[0].tolist()
    table, move = batch.state(i), batch.move(i, batch.candidates + row)
    assert getattr(move, "cars", None) == ()
    actions = batch.sample()
    actions[i] = batch.candidates + row
    mover = table.to_move
    batch.step(actions)
    assert batch.gained[i, mover] == 0
    assert batch.to_move[i] == mover, "a turn goes on until a car is placed"


def test_a_pass_is_offered_where_the_rule_set_has_it():
    for rules, offered in (("fr", True), ("standard", False)):
        batch = sim.Batch("tokyo-highway", 1, ruleset=rules)
        assert not batch.masks()[0, -1], "an entrance is no turn to miss"
        batch.step([0])
        batch.step([0])
        assert bool(batch.masks()[0, -1]) is offered


def test_the_first_entrance_offered_is_the_usual_one():
    for players in (2, 3, 4):
        batch = sim.Batch("tokyo-highway", 1, players=players)
        for seat in range(players):
            assert batch.move(0, 0) == batch.state(0).default_entrance(seat)
            batch.step([0])


def test_what_a_seat_sees_does_not_depend_on_where_it_sits():
    batch, seen = sim.Batch("tokyo-highway", 1, players=4), []
    for _ in range(8):  # entrances and buildings
        batch.step([0])
    for seat in range(4):
        pieces = batch.parts(batch.observe(seat))["pieces"][0]
        seen.append(np.sort(pieces[pieces[:, PIECE.index("road")] == 1][:, 5:9], axis=0))
    assert all(other == pytest.approx(seen[0], abs=1e-3) for other in seen)


def test_features_are_about_one_in_size():
    batch = sim.Batch("tokyo-highway", 32, seed=1)
    most = np.zeros(len(FEATURES))
    for _ in range(40):
        batch.step(batch.sample())
        lists = batch.parts(batch.observe())["candidates"]
        assert np.isfinite(batch.observe()).all()
        most = np.maximum(most, np.abs(lists).max(axis=(0, 1)))
    assert (most < 16).all()
    assert (most > 0.1).sum() >= len(FEATURES) - 2


def test_a_table_as_a_graph_has_every_crossing_from_both_sides():
    batch = sim.Batch("tokyo-highway", 1, seed=4)
    played(batch, 16)
    table, graph = batch.state(0), batch.graph(0)
    assert len(graph["nodes"]) == len(table.pillars) + len(table.roads)
    over, under = (set(map(tuple, graph["edges"][:, graph["kinds"] == k].T)) for k in (2, 3))
    assert ({(b, a) for a, b in over}, (graph["kinds"] == 0).sum()) == (under, len(table.roads))


WRONG_GAME = "there is no game .*; the games are 0 to 1"
WRONG = [
    # why, what is asked, the message
    ("an action off the list", lambda batch: batch.step([0, 128]), "game 1 of the batch, action"),
    ("no whole numbers", lambda batch: batch.step([0.5, 1.5]), "2 whole numbers"),
    ("another game", lambda _: sim.Batch(game("meridians"), 2), r"rules\.grid\.Batch"),
    ("other seats", lambda batch: batch.place(0, sim.Table.start(players=3)), "not of"),
    ("no table", lambda batch: batch.place(0, "x"), "place: a table or a position of tokyo-highw"),
    ("no games", lambda _: sim.Batch("tokyo-highway", 0), "n = 0"),
    *(
        (f"game {i} of {name}", partial(ask, i=i), WRONG_GAME)
        for i in (-1, 2, "A")
        for name, ask in {
            "graph": lambda batch, i: batch.graph(i),
            "judge": lambda batch, i: batch.judge(i, 0, [(1, 2)], [2], [False]),
            "state": lambda batch, i: batch.state(i),
            "move": lambda batch, i: batch.move(i, 0),
            "text": lambda batch, i: batch.text(i, 0),
            "place": lambda batch, i: batch.place(i, batch.state(0)),
        }.items()
    ),
    *(
        (f"pillar {base}", lambda batch, base=base: batch.judge(0, base, [(1, 2)], [2], [False]),
         r"judge: there is no pillar .*; the pillars are 0 to")
        for base in ("A-P0", -1, 9)
    ),
    ("fewer discs than places", lambda batch: batch.judge(0, 0, (1, 2), 2, [False, True]),
     "judge: it takes as many discs and junctions as places"),
]  # fmt: skip


@pytest.mark.parametrize(("ask", "says"), [pytest.param(*rest, id=why) for why, *rest in WRONG])
def test_what_is_wrong_is_told_and_moves_no_game(ask, says):
    batch = sim.Batch("tokyo-highway", 2)
    played(batch, 2)  # the entrances
    with pytest.raises((InputError, IllegalMoveError), match=says):
        ask(batch)
    assert batch.plies.tolist() == [2, 2]


def test_a_game_is_stopped_at_the_cap():
    batch = sim.Batch("tokyo-highway", 3, cap=5)
    played(batch, 5)
    assert batch.truncated.all()
    assert (batch.plies == 0).all()
    assert {batch.state(i).phase for i in range(3)} == {"entrances"}


def test_a_copy_goes_its_own_way():
    batch = sim.Batch("tokyo-highway", 2, seed=9)
    played(batch, 6)
    twin, before = batch.copy(), batch.state(0).digest()
    played(twin, 1)
    assert batch.state(0).digest() == before != twin.state(0).digest()
