"""Every verdict hands on a table at rest; pieces are let go one after the other; what cannot stand
is set right.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest

import sim
from rules import record as records
from rules.errors import RecordError
from sim import referee
from sim.assets import asset
from sim.game import replay
from sim.game.attempts.attempt import Attempt
from sim.game.attempts.hand import SKILLS, draw
from sim.game.attempts.posing import bodies
from sim.game.ply import judged, perform
from sim.game.sources import Simulated
from sim.game.verify import verify
from sim.physics import engines
from sim.physics.neighbours import overlaps, structures
from sim.poses import Pose
from sim.settling import SettleResult
from tests.tables import build, lay_out

HERE = engines.available()
GAME = records.read(asset("records", "two-cars.jsonl"))


def late(engine: str, ply: int = 12) -> replay.Step:
    """A ply of a shipped game, on a table that this engine has brought to rest."""
    step = next(one for one in replay.trusted(GAME) if one.entry.ply == ply)
    rested = Simulated(engines.engine(engine))
    table = step.before
    for _ in range(12):
        came = rested.let_go_again(bodies(table), table.piece_ids, set())
        if not came.moved:
            return replace(step, before=table)
        table = replace(table, poses={**table.poses, **came.moved})
    raise AssertionError("the shipped table does not come to rest")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("engine", HERE)
def test_whatever_a_clumsy_hand_does_the_table_is_at_rest(engine: str, seed: int) -> None:
    step = late(engine)
    made = perform(
        step.before, step.placement, 12, engine, SKILLS["clumsy"], np.random.default_rng(seed)
    )
    assert sim.at_rest(made.after, engine).holds
    again = replay.judged(GAME, made.entry, step.before)
    assert again.after.digest() == made.after.digest()  # also from the record alone


@pytest.mark.slow
@pytest.mark.parametrize("engine", HERE)
def test_a_failed_try_leaves_a_table_at_rest(engine: str) -> None:
    step = late(engine)
    checked = referee.check(step.before, step.placement)
    wild = replace(SKILLS["clumsy"], shift=9.0, tilt=6.0, jerk=12.0)
    failed = 0
    for seed in range(4):
        hand = draw(np.random.default_rng(seed), checked, wild)
        verdict, after, _ = judged(checked, [Attempt(Simulated(engines.engine(engine)), hand)])
        failed += verdict.built is False
        assert sim.at_rest(after, engine).holds
    assert failed


@dataclass(slots=True)
class Watched:
    """An engine that keeps the bodies with which each run began, and which of them could move."""

    inner: object
    begun: list[tuple[object, frozenset[str]]] = field(default_factory=list)

    def __getattr__(self, name: str) -> object:
        return getattr(self.inner, name)

    def run(self, bodies, free, settle, path=None, watch=None, speeds=None):
        self.begun.append((bodies, free))
        return self.inner.run(bodies, free, settle, path, watch, speeds)


@pytest.mark.slow
@pytest.mark.parametrize("engine", HERE)
def test_no_new_piece_begins_inside_another(engine: str) -> None:
    step = late(engine)
    checked, new = referee.check(step.before, step.placement), set[str]()
    for seed in range(4):
        hand = draw(np.random.default_rng(seed), checked, SKILLS["clumsy"])
        watched = Watched(engines.engine(engine))
        judged(checked, [Attempt(Simulated(watched, brief=True), hand)])
        new = {item["piece"] for item in hand if "piece" in item}
        for there, _ in watched.begun:
            assert [pair for pair in overlaps(there, 0.05) if new & set(pair[:2])] == []
        first, *_ = watched.begun
        assert len({body.id for body in first[0]} & new) == 1  # one piece after the other
    assert new


def test_structures_are_what_hangs_together_and_the_table_connects_nothing() -> None:
    table = lay_out(
        {"A-P0": (0, 0, 2), "A-P1": (100, 0, 1), "B-P0": (0, 60, 1)}, {"A-R0": ("A-P0", "A-P1")}
    )
    found = sorted(map(sorted, structures(bodies(table))))
    assert found == [["A-P0.1", "A-P0.2", "A-P1.1", "A-R0"], ["B-P0.1"]]


@pytest.mark.parametrize("engine", HERE)
def test_a_road_that_hangs_in_the_air_is_not_at_rest(engine: str) -> None:
    table = lay_out({"A-P0": (0, 0, 1), "A-P1": (100, 0, 1)}, {"A-R0": ("A-P0", "A-P1")})
    road = next(body for body in bodies(table) if body.id == "A-R0")
    x, y, z = road.pose.at
    rest = sim.at_rest(
        replace(table, poses={"A-R0": Pose((x, y, z + 5.9), road.pose.quat)}), engine
    )
    assert (rest.piece, rest.holds, bool(rest)) == ("A-R0", False, False)
    assert rest.mm == pytest.approx(5.9, abs=0.3)
    assert rest.to_json()["piece"] == "A-R0"
    assert "not at rest" in str(rest)
    assert sim.at_rest(table, engine).fell == ()


@pytest.mark.parametrize(
    ("cars", "said"),
    [
        ([{"id": "A-C1", "on": "A-R1", "along": 0.5, "side": 30}], "let go, A-C1 falls"),
        (
            [
                {"id": "A-C1", "on": "A-R1", "along": 0.5},
                {"id": "A-C2", "on": "A-R1", "along": 0.5, "side": 1},
            ],
            "A-C1 is 6.0 mm inside A-C2; give one of them another place",
        ),
    ],
)
@pytest.mark.parametrize("how", ["steps", "verify"])
def test_a_start_layout_that_cannot_stand_is_refused_with_file_and_line(
    tmp_path: Path, cars: list[dict[str, object]], said: str, how: str
) -> None:
    pillars = [{"id": f"A-P{n}", "at": [0, 110 * n - 165], "discs": 2} for n in (1, 2)]
    roads = [{"id": "A-R1", "from": "A-P1", "to": "A-P2"}]
    header = {
        "record": "shutoko",
        "version": [1, 0],
        "game": "tokyo-highway",
        "players": ["a", "b"],
        "start": {"to_move": 0, "pillars": pillars, "roads": roads, "cars": cars},
    }
    path = tmp_path / "layout.jsonl"
    path.write_text(json.dumps(header) + "\n")
    record = records.read(path)
    with pytest.raises(RecordError, match=re.escape(said)) as error:
        verify(record, "physics") if how == "verify" else list(replay.steps(record))
    assert str(error.value).startswith(f"{path}:1: start: ")
    assert list(replay.steps(record, "none")) == []  # geometry alone judges it all the same


# --- what does not stand once it is put back ------------------------------------------------------


class Stubborn(Simulated):
    """Physics in which a neighbour falls and, put back, falls again, until all stands where it
    stood before.
    """

    def __init__(self, table, falls):
        super().__init__(None)
        object.__setattr__(self, "left", {body.id: body.pose for body in bodies(table)})
        object.__setattr__(self, "falls", falls)

    def settle(self, standing, new, path):
        moved = {piece.lying.id: piece.lying.pose for piece in new}
        return SettleResult(
            moved | {"B-P0.1": Pose((300.0, 0.0, 5.0)), "B-P1.1": shifted(self.left["B-P1.1"], 2.0)}
        )

    def let_go_again(self, standing, seeds, known, *, patient=False):
        nudged = [
            body for body in standing if body.id == "B-P1.1" and body.pose != self.left["B-P1.1"]
        ]
        return SettleResult({"B-P0.1": Pose((300.0, 0.0, 5.0))} if nudged and self.falls else {})


def shifted(pose: Pose, mm: float) -> Pose:
    x, y, z = pose.at
    return Pose((x + mm, y, z), pose.quat)


@pytest.fixture
def unsure(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nobody asks equal starts: there is no engine."""
    monkeypatch.setattr("sim.game.ply.ask_equal_starts", lambda *_: None)
    return


def test_what_falls_again_when_put_back_is_set_right_and_the_verdict_says_so(unsure) -> None:
    table = lay_out({"A-P0": (0, 0, 1), "B-P0": (0, 200, 1), "B-P1": (0, 260, 1)})
    checked = referee.check(table, sim.Placement.parse(build("A-P0", 100, 0, 2).to_json()))
    verdict, after, _ = judged(checked, [Attempt(Stubborn(table, falls=True))])
    assert (verdict.built, verdict.fallen) == (True, ("B-P0.1",))
    assert verdict.mended == ("B-P0.1", "B-P1.1")
    assert "B-P0.1" not in after.poses
    assert "B-P1.1" not in after.poses  # both stand where they stood
    assert "set right" in str(verdict)
    got = verdict.got()
    assert got["x-mended"] == ["B-P0.1", "B-P1.1"]
    entry = records.Entry(0, 0, checked.placement.to_json(), got=json.loads(json.dumps(got)))
    header = records.Header("tokyo-highway", ("a", "b"))
    told = replay.judged(records.Record(header, (entry,)), entry, table)
    assert (told.verdict.mended, told.after.digest()) == (verdict.mended, after.digest())


def test_what_stands_when_put_back_keeps_where_the_others_were_nudged_to(unsure) -> None:
    table = lay_out({"A-P0": (0, 0, 1), "B-P0": (0, 200, 1), "B-P1": (0, 260, 1)})
    checked = referee.check(table, build("A-P0", 100, 0, 2))
    verdict, after, _ = judged(checked, [Attempt(Stubborn(table, falls=False))])
    assert (verdict.mended, verdict.fallen) == ((), ("B-P0.1",))
    assert after.poses["B-P1.1"].at[0] == pytest.approx(2.0)
