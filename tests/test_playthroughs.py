"""Golden playthroughs: games kept as text are played again, and every board, list of moves and
digest is as it was.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.golden import playthroughs
from tests.golden.playthroughs import PLANS, Plan

CHECKOUT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.file)
def test_a_kept_game_is_played_as_it_was(plan: Plan):
    kept = plan.path.read_text(encoding="utf-8").splitlines()
    now = list(playthroughs.lines(plan, playthroughs.as_kept(kept)))
    assert now == kept, "if the change is meant, run: python tests/golden/playthroughs.py"


def test_every_kept_game_is_in_the_plan_and_every_shipped_game_is_kept():
    assert {path.name for path in playthroughs.FOLDER.iterdir()} == {
        plan.path.name for plan in PLANS
    }
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(project["entry-points"]["shutoko.games"]) == {plan.game for plan in PLANS}


def test_a_kept_game_runs_to_its_end_and_the_pie_is_swapped():
    texts = {plan.file: plan.path.read_text(encoding="utf-8") for plan in PLANS}
    assert all("\nend: " in text for text in texts.values())
    assert "\nmove: swap\n" in texts["meridians-pie"]
