"""One ply, one pass: legality is asked once, new pieces are set on the table once, and nothing is
judged twice without need.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from rules.record import read
from sim.assets import asset
from sim.game import ply, replay
from sim.game.attempts.hand import SKILLS
from sim.game.ply import perform
from sim.game.verify import verify
from sim.physics import engines
from sim.referee import checks, judgement as judge
from sim.referee.placement import Placement
from sim.referee.table import Table

GAME = read(asset("records", "junction-exit.jsonl"))
KNOCK = read(asset("records", "knock.jsonl"))


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often legality, new pieces and verdicts are asked for."""
    counted: Counter[str] = Counter()

    def count(owner: Any, name: str) -> None:
        asked: Callable[..., Any] = getattr(owner, name)

        def counting(*given: Any, **named: Any) -> Any:
            counted[name] += 1
            return asked(*given, **named)

        monkeypatch.setattr(owner, name, counting)

    count(checks, "every_fault")
    count(judge, "_verdict")
    for name in ("with_pieces", "with_cars"):
        count(Table, name)
    return counted


@pytest.mark.parametrize("engine", [None, "none"])
def test_a_replayed_ply_is_checked_once_and_sets_its_pieces_once(
    calls: Counter[str], engine: str | None
):
    steps = list(replay.trusted(GAME) if engine is None else replay.steps(GAME, engine))
    plies = len(steps)
    assert (calls["every_fault"], calls["_verdict"], calls["with_pieces"]) == (plies, plies, plies)
    assert calls["with_cars"] == sum(bool(step.verdict.cars) for step in steps)


def test_a_failed_try_sets_the_pieces_once_more(calls: Counter[str]):
    steps = list(replay.trusted(KNOCK))
    assert calls["every_fault"] == len(steps)
    assert calls["with_pieces"] == sum(max(len(step.attempts), 1) for step in steps)


def test_verify_checks_a_ply_once_whatever_it_is_held_against(calls: Counter[str]):
    assert verify(GAME, "physics", "none").plies == calls["every_fault"] == len(GAME.entries)


def test_a_placement_that_is_made_is_checked_once_and_recorded_as_it_was_meant(calls: Counter[str]):
    for step in list(replay.trusted(GAME))[:6]:
        calls.clear()
        made = perform(step.before, step.placement, step.entry.ply, "none")
        assert (calls["every_fault"], calls["with_pieces"]) == (1, 1)
        assert made.entry.do == step.entry.do
        assert Placement.parse(made.entry.do) == step.placement


def test_a_try_that_is_not_needed_is_not_drawn(monkeypatch: pytest.MonkeyPatch):
    drawn: list[int] = []
    monkeypatch.setattr(ply, "draw", lambda *_, **__: drawn.append(1) or [])
    step = next(step for step in replay.trusted(GAME) if step.verdict.built)
    made = perform(step.before, step.placement, step.entry.ply, engines.default(), SKILLS["expert"])
    assert len(drawn) == len(made.attempts) == 1
