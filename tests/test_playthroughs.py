"""Golden playthroughs: games kept as text are played again, and every board, list of moves and
digest is as it was.
"""

from __future__ import annotations

import tomllib
from itertools import zip_longest
from pathlib import Path

import pytest

from tests.golden import playthroughs
from tests.golden.playthroughs import PLANS, Plan

CHECKOUT = Path(__file__).resolve().parents[1]


def first_difference(kept: list[str], found: list[str]) -> str | None:
    """The first line that differs, with the few before it; None if there is none."""
    for number, (was, now) in enumerate(zip_longest(kept, found, fillvalue="(the end)"), 1):
        if was != now:
            before = [f"  {number - k}: {kept[number - k - 1]}" for k in (3, 2, 1) if number > k]
            return "\n".join([*before, f"  {number}, kept: {was}", f"  {number}, now:  {now}"])
    return None


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.file)
def test_a_kept_game_is_played_as_it_was(plan: Plan):
    kept = plan.path.read_text(encoding="utf-8").splitlines()
    difference = first_difference(kept, list(playthroughs.lines(plan, playthroughs.as_kept(kept))))
    if difference:
        again = "if the change is meant, run: python tests/golden/playthroughs.py"
        pytest.fail(f"{plan.path.name} differs first here:\n{difference}\n{again}", pytrace=False)


def test_the_first_difference_is_shown_with_the_lines_before_it():
    assert first_difference(["a", "b"], ["a", "b"]) is None
    assert first_difference(["a", "b"], ["a", "c"]) == "  1: a\n  2, kept: b\n  2, now:  c"
    assert first_difference(["a"], ["a", "b"]) == "  1: a\n  2, kept: (the end)\n  2, now:  b"


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
