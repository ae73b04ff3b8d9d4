"""The learnt policy: what its weights mean, which moves it takes, and its files."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rules.arena.players import player
from rules.errors import InputError
from rules.game import game
from sim import referee
from sim.batch.listing import FEATURES
from sim.bots.learnt import NAMES, START, Learnt, load, save, shipped, vector, worth
from sim.game.attempts.hand import SKILLS
from sim.game.highway import Highway, Position
from sim.game.ply import play
from sim.pieces import Supply
from sim.referee.placement import Build, Exit, Pass
from tests.tables import entrances, lay_out


def made(ruleset: str = "standard") -> Highway:
    found = game("tokyo-highway", engine="none", ruleset=ruleset)
    assert isinstance(found, Highway)
    return found


def test_an_action_is_worth_the_weighted_sum_of_what_is_shown() -> None:
    rng = np.random.default_rng(1)
    weights = rng.standard_normal((2, len(NAMES)))
    shown = rng.standard_normal((2, 3, len(FEATURES))).astype(np.float32)
    masks = np.ones((2, 7), np.bool_)
    masks[1, 2] = False
    found = worth(weights, shown, masks)
    by_name = dict(zip(NAMES, weights[0], strict=True))
    features = dict(zip(FEATURES, shown[0, 1].tolist(), strict=True))
    total = sum(by_name[name] * features[name] for name in FEATURES)
    assert found[0, 1] == pytest.approx(total)
    left = total - by_name["cars"] * features["cars"] + by_name["declines"]
    assert (found[0, 4], found[0, 6]) == (pytest.approx(left), pytest.approx(by_name["pass"]))
    assert found[1, 2] == -1e9


def test_advice_tells_a_win() -> None:
    table = lay_out({"A-P0": (0, 0, 1), "B-P0": (300, 0, 1)}, {})
    last = Position(replace(table, stocks=(Supply(1, 20, 2, 10), table.stocks[1])), "none")
    hint = player("policy", made()).analyse(last, np.random.default_rng(1))[0]
    assert (hint.wins, hint.why[:11]) == (True, "wins: 1 car")


def test_weights_decide_whether_it_passes_and_declines_where_that_is_legal() -> None:
    table = entrances(2, "fr")
    waits = Learnt(made("fr"), vector({**START, "pass": 50.0}))
    position = Position(table, "none")
    assert waits.choose(position, np.random.default_rng(1)) == Pass()
    assert waits.analyse(position, np.random.default_rng(1))[0].why == "waits for others to build"
    twice = play(play(table, Pass(), "none")[1], Pass(), "none")[1]
    assert isinstance(waits.choose(Position(twice, "none"), np.random.default_rng(1)), Build)
    never = Learnt(made(), vector({**START, "pass": 50.0, "declines": 50.0}))
    crossed = lay_out(
        {"A-P0": (0, 0, 1), "B-P0": (60, -40, 3), "B-P1": (60, 50, 3)}, {"B-R1": ("B-P0", "B-P1")}
    )
    move = never.choose(Position(crossed, "none"), np.random.default_rng(1))
    assert isinstance(move, (Build, Exit))
    assert (move.cars, referee.before(crossed, move)) == ((), ())


def test_physics_tries_what_it_likes() -> None:
    """Advice tells what physics said of the move, made by its own hand."""
    found = game("tokyo-highway")
    one = player("policy:hand=clumsy,trials=1", found)
    assert one.skill == SKILLS["clumsy"]
    hint = one.analyse(
        Position(lay_out({"A-P0": (0, 0, 1)}, {}), "bullet"), np.random.default_rng(1)
    )
    assert hint[0].tried is not None


def test_weights_are_kept_to_four_places_and_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "w.json"
    save(path, vector(START), {"seed": 1})
    assert (load(path).tolist(), len(shipped())) == (vector(START).tolist(), len(NAMES))
    whole = json.loads(path.read_text())
    for change, told in (
        ({"version": 9}, "is no policy of shutoko learn"),
        ({"game": "thruway"}, "is no policy of shutoko learn tokyo-highway, but of 'thruway'"),
        ({"weights": {**whole["weights"], "cars": "many"}}, "the weight 'cars' is missing or no"),
        ({"weights": {**whole["weights"], "cars": 10**400}}, "the weight 'cars' is missing or no"),
        ({"weights": {**whole["weights"], "cars": True}}, "the weight 'cars' is missing or no"),
        ({"weights": {**whole["weights"], "luck": 1}}, "'luck' is no weight"),
    ):
        path.write_text(json.dumps({**whole, **change}))
        with pytest.raises(InputError, match=told):
            load(path)
    for text in (b"no", b"", b"\xff", b"[]", b"[" * 100_000):
        path.write_bytes(text)
        with pytest.raises(InputError, match=r"w\.json: is no policy of shutoko learn") as caught:
            load(path)
        assert "line 1" not in str(caught.value)
    with pytest.raises(InputError, match=r"gone\.json: cannot be read: No such file or directory$"):
        load(tmp_path / "gone.json")
