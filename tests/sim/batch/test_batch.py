"""`sim.Batch`: the referee's answers for many tables at once, and what learners see of them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

import sim
from rules.errors import IllegalMoveError, InputError
from rules.game import game
from sim import referee
from sim.batch.listing import FEATURES, PIECE
from sim.referee.placement import CarSpot
from tests.sim.batch.comparing import Told, compare, option_sets


def played(batch: sim.Batch, plies: int) -> None:
    for _ in range(plies):
        batch.step(batch.sample())


@pytest.mark.parametrize(
    ("sets", "placements"), [(4, 60), pytest.param(200, 500, marks=pytest.mark.slow)]
)
def test_batch_and_referee_agree_by_every_preset_and_by_random_options(sets: int, placements: int):
    rng, told = np.random.default_rng(7), Told()
    for players, options in option_sets(rng, sets):
        compare(players, options, rng, placements, told)
        assert told.differences == []
    assert told.legal > 200
    assert told.plies > 60


def test_games_go_to_their_end_as_the_referee_ends_them():
    for players, rules in ((2, "standard"), (2, "fr"), (3, "fr"), (4, "kr")):
        rng, batch = (
            np.random.default_rng(players),
            sim.Batch("tokyo-highway", 1, players=players, ruleset=rules, candidates=16),
        )
        for _ in range(400):
            table = batch.state(0)
            legal = np.flatnonzero(batch.masks()[0])
            action = int(legal[0] if rng.random() < 0.7 else rng.choice(legal))
            verdict, after = sim.play(table, batch.move(0, action), "none")
            assert verdict.legal
            batch.step([action])
            outcome = after.outcome()
            assert bool(batch.ended[0]) == (outcome is not None)
            if outcome is not None:
                won = [1.0 if seat in outcome.winners else -1.0 for seat in range(players)]
                assert batch.rewards[0].tolist() == won
                break
            assert batch.state(0).digest() == replace(after, lasts=()).digest()
        else:
            pytest.fail("no end in 400 plies")


def test_the_same_seed_and_actions_give_the_same_arrays():
    one, other = (sim.Batch("tokyo-highway", 4, seed=3) for _ in range(2))
    for _ in range(12):
        actions = one.sample()
        assert (actions == other.sample()).all()
        one.step(actions)
        other.step(actions)
        assert (one.observe() == other.observe()).all()
        assert (one.masks() == other.masks()).all()


def test_a_table_put_into_a_game_goes_on_as_it_does_by_the_referee():
    batch, twin = (sim.Batch("tokyo-highway", 2, seed=5, players=3) for _ in range(2))
    played(batch, 14)
    twin.place(0, batch.state(1))
    assert twin.state(0).digest() == batch.state(1).digest()
    assert (twin.masks()[0] == batch.masks()[1]).all()
    assert twin.observe()[0] == pytest.approx(batch.observe()[1], abs=1e-5)


def test_a_game_of_another_batch_goes_on_where_it_was():
    batch, twin = (sim.Batch("tokyo-highway", 2, seed=5, players=3) for _ in range(2))
    played(batch, 14)
    twin.put(1, batch, 0)
    assert twin.state(1).digest() == batch.state(0).digest()
    assert (twin.masks()[1] == batch.masks()[0]).all()
    assert (twin.observe()[1] == batch.observe()[0]).all()
    with pytest.raises(InputError, match="put: "):
        twin.put(0, sim.Batch("tokyo-highway", 1), 0)


def test_a_place_off_the_list_is_an_action_once_it_is_offered():
    batch, wide = (sim.Batch("tokyo-highway", 1, seed=1, candidates=k) for k in (2, 64))
    played(batch, 9)
    wide.put(0, batch, 0)
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
    assert batch.offer(0, move) == 0
    assert batch.move(0, 0) == move
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
    batch = sim.Batch("tokyo-highway", 1, players=4)
    seen = []
    for _ in range(4):
        batch.step([0])
    for _ in range(4):
        batch.step([0])
    for seat in range(4):
        pieces = batch.parts(batch.observe(seat))["pieces"][0]
        seen.append(pieces[pieces[:, PIECE.index("road")] == 1])
    for other in seen[1:]:
        assert np.sort(other[:, 5:9], axis=0) == pytest.approx(
            np.sort(seen[0][:, 5:9], axis=0), abs=1e-3
        )


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
    assert {(b, a) for a, b in over} == under
    assert (graph["kinds"] == 0).sum() == len(table.roads)


def test_what_is_wrong_is_told_and_moves_no_game():
    batch = sim.Batch("tokyo-highway", 2)
    with pytest.raises(IllegalMoveError, match="game 1 of the batch, action 128"):
        batch.step([0, 128])
    assert batch.plies.tolist() == [0, 0]
    with pytest.raises(InputError, match="2 whole numbers"):
        batch.step([0.5, 1.5])
    with pytest.raises(InputError, match=r"rules\.grid\.Batch"):
        sim.Batch(game("meridians"), 2)
    with pytest.raises(InputError, match="not of"):
        batch.place(0, sim.Table.start(players=3))
    with pytest.raises(InputError, match="place: a table or a position of tokyo-highway is needed"):
        batch.place(0, "x")
    with pytest.raises(InputError, match="n = 0"):
        sim.Batch("tokyo-highway", 0)
    for i in (-1, 2, "A"):
        with pytest.raises(InputError, match=r"graph: there is no game .*; the games are 0 to 1"):
            batch.graph(i)
        with pytest.raises(InputError, match=r"judge: there is no game .*; the games are 0 to 1"):
            batch.judge(i, 0, [(1, 2)], [2], [False])
        for asked in (batch.state, partial(batch.move, action=0), partial(batch.text, action=0)):
            with pytest.raises(InputError, match=r"there is no game .*; the games are 0 to 1"):
                asked(i)
        with pytest.raises(InputError, match=r"place: there is no game .*; the games are 0 to 1"):
            batch.place(i, batch.state(0))
    played(batch, 2)  # the entrances
    for base in ("A-P0", -1, 9):
        with pytest.raises(InputError, match=r"judge: there is no pillar .*; the pillars are 0 to"):
            batch.judge(0, base, [(1, 2)], [2], [False])
    with pytest.raises(InputError, match="judge: it takes as many discs and junctions as places"):
        batch.judge(0, 0, (1, 2), 2, [False, True])


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
