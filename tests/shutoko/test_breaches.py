"""A build that came off for the way it lies: its record is written, read, verified, told in every
language, exported and shown, whatever rule it broke.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from rules import record as records
from rules.record import Record
from shutoko.web.views.table import reasons
from shutoko.web.views.telling import told
from shutoko.web.wording import LANGUAGES
from sim.assets import asset
from sim.bodies import Pose, SettleResult
from sim.game import replay
from sim.game.ply import Attempt, judge
from sim.game.sources import Recorded
from sim.game.verify import verify
from sim.referee.placement import Build
from sim.referee.verdict import Breach, BreachKind

GAME = records.read(asset("records", "two-cars.jsonl"))
STEP = [step for step in replay.trusted(GAME) if isinstance(step.placement, Build)][5]
ROAD = STEP.after.roads[-1].id


def broken(kind: BreachKind) -> Recorded:
    """Poses that break this rule, or poses that do not show it and the word of the record."""
    moved = {piece: pose for piece, pose in (STEP.verdict.moved or {}).items() if "-C" not in piece}
    if kind != "not borne":
        other = "A-R0" if kind == "touches" else None
        return Recorded(SettleResult(moved), breaches=(Breach(ROAD, kind, other, 1.5),))
    x, y, z = moved[ROAD].at
    return Recorded(SettleResult({**moved, ROAD: Pose((x, y, z + 1.0), moved[ROAD].quat)}))


def game(kind: BreachKind, *, tried: bool) -> Record:
    """The game up to a build that broke this rule; with `tried` it was made again and stood."""
    before = tuple(entry for entry in GAME.entries if entry.ply < STEP.entry.ply)
    stands = Attempt(Recorded(SettleResult(STEP.verdict.moved or {}), STEP.verdict.chosen))
    tries = [Attempt(broken(kind)), *([stands] if tried else [])]
    verdict, after, made = judge(STEP.before, STEP.placement, tries)
    assert verdict.built is tried
    assert {breach.kind for breach in made[0].breaches} == {kind}
    failed = [{"hand": [], "got": made[0].got()}] if tried else None
    got = json.loads(json.dumps(verdict.got(after.digest())))
    entry = replace(STEP.entry, got=got, hand=None, tries=failed)
    return replace(GAME, entries=(*before, entry), end=None)


@pytest.mark.parametrize("tried", [False, True], ids=["undone", "tried"])
@pytest.mark.parametrize("kind", get_args(BreachKind))
def test_a_broken_rule_survives_its_record_and_is_told_at_the_terminal_and_on_the_pages(
    run, kind: BreachKind, tried: bool
) -> None:
    records.write(game(kind, tried=tried), "game.jsonl")
    record = records.read("game.jsonl")
    assert verify(record, "rules").ok
    *_, step = replay.trusted(record)
    first = (*step.verdict.failed, step.attempts[-1])[0]
    assert {breach.kind for breach in first.breaches} == {kind}
    assert step.after.digest() == record.entries[-1].got["digest"]
    if not tried:  # who says that it stood is found out
        *before, last = record.entries
        lie = replace(record, entries=(*before, replace(last, got={**last.got, "built": True})))
        assert not verify(lie, "rules").ok
    said = run("replay --recorded --explain game.jsonl").out
    lines = [one for one in reasons(step) if "breach" in one.facts]
    assert lines
    assert [one.text for one in lines if one.text.removeprefix("try 1: ") not in said] == []
    for language in LANGUAGES:
        assert any(ROAD in line for line in told(language, lines))


@pytest.mark.slow
def test_a_broken_rule_is_in_tables_and_offline_pages(run) -> None:
    records.write(game("not borne", tried=False), "game.jsonl")
    run("table game.jsonl --to plies.csv")
    run("export game.jsonl page.html")
    assert Path("page.html").stat().st_size > 10_000
