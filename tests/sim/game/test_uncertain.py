"""Does the outcome of a move depend on the box: a box for each try, the same on every executor, and
causes that are named.
"""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from rules.arena.rating import wilson
from rules.record import Entry, Header, Record, write
from shutoko.cli import main
from sim.game.attempts.hand import SKILLS
from sim.game.risk import Job
from sim.game.uncertain import (
    _MEASURED as MEASURED,
    _OTHERS as OTHERS,
    _SIZES as SIZES,
    Uncertain,
    _causes,
    _drawn,
    _Try,
    differ,
    uncertain,
)
from sim.referee.placement import Build
from sim.referee.table import Table

ENGINE = pytest.importorskip("mujoco", reason="the cheaper engine here") and "mujoco"
LAYOUT = {
    "to_move": 0,
    "pillars": [
        {"id": "A-P0", "at": [-55, 0], "discs": 1},
        {"id": "B-P0", "at": [300, 0], "discs": 1},
    ],
}


@pytest.fixture
def job() -> Job:
    return Job(
        Table.from_layout(LAYOUT), Build("A-P0", (55.0, 0.0), 2), SKILLS["expert"], 3, ENGINE
    )


def tries(calm) -> list[_Try]:
    """Two hundred tries with two quantities drawn, of which the outcome is a function."""
    rng = np.random.default_rng(1)
    drawn = [
        {"friction.car-road": float(a), "disc.height": float(b)}
        for a, b in rng.uniform(0, 1, (200, 2))
    ]
    return [_Try(k, bool(calm(one)), True, one, fixed=False) for k, one in enumerate(drawn)]


def test_a_drawn_box_is_plausible_and_its_weights_follow_its_sizes(job):
    box = job.table.components
    for number in range(5):
        checked, drawn, fixed = _drawn(np.random.default_rng(number), job, {**SIZES, **OTHERS})
        other = checked.table.components
        assert not checked.faults
        assert not fixed
        assert other.road_length == box.road_length
        for key in SIZES:
            low, high = SIZES[key]
            assert low <= drawn[key] / getattr(box, key.replace(".", "_")) <= high
        for pair, mu in other.pairs.items():
            assert 0.57 <= mu / box.pairs[pair] <= 1.43
        density = other.disc_mass / (other.disc_diameter**2 * other.disc_height)
        assert 0.65 <= density / (box.disc_mass / (box.disc_diameter**2 * box.disc_height)) <= 1.25


def test_a_measured_box_varies_less_than_an_estimate(job):
    mine = replace(
        job, table=replace(job.table, components=replace(job.table.components, name="mine"))
    )
    assert all(
        b[1] - b[0] < a[1] - a[0]
        for a, b in ((({**SIZES, **OTHERS})[key], MEASURED[key]) for key in MEASURED)
    )
    found = uncertain(mine, 2)
    assert (found.samples, found.calm, found.hangs) == (2, 2, False)


def test_what_the_outcome_hangs_on_is_named_and_nothing_else():
    (cause,) = _causes(tries(lambda one: one["friction.car-road"] > 0.4))
    assert cause.key == "friction.car-road"
    assert cause.above.value == 1.0
    assert cause.below.value < 0.4
    assert _causes(tries(lambda one: True)) == ()


def test_it_hangs_on_the_box_if_all_quantities_together_change_the_outcome():
    assert Uncertain(100, 80, 100, 0, ()).hangs
    assert not Uncertain(100, 99, 100, 0, ()).hangs
    assert Uncertain(100, 80, 100, 0, ()).rate == wilson(80, 100)


@pytest.mark.slow
def test_the_command_says_whether_it_hangs_on_the_box(tmp_path, capsys):
    path = tmp_path / "g.jsonl"
    entry = Entry(0, 0, Build("A-P0", (55.0, 0.0), 2).to_json())
    write(Record(Header("tokyo-highway", ("a", "b"), start=LAYOUT), (entry,)), path)
    asked = f"--ply 0 --samples 4 --workers 1 --engine {ENGINE} --uncertain"
    words = ["risk", str(path), *asked.split()]
    assert main(words) == 0
    assert "the tries do not show that the outcome depends on them" in capsys.readouterr().out
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["uncertain"]["samples"] == 4


@pytest.mark.parametrize(
    ("one", "of_one", "other", "of_other"),
    [(3, 20, 12, 20), (0, 10, 0, 10), (7, 7, 1, 9), (30, 60, 29, 61)],
)
def test_shares_are_compared_by_fishers_exact_test(one, of_one, other, of_other):
    from scipy.stats import fisher_exact  # loaded by this test alone: it takes a second

    expected = fisher_exact([[one, of_one - one], [other, of_other - other]]).pvalue
    assert differ(one, of_one, other, of_other) == pytest.approx(expected)
