"""The challenge of the day at the terminal: the table, the hand and the score of the page."""

from __future__ import annotations

import io
import json
import sys
from datetime import UTC, date, datetime
from typing import Any

import pytest

from shutoko.cli import main
from shutoko.web.work.by_hand import BY_HAND, OWN
from sim.problems import daily
from sim.problems.daily import HAND, TRIES, Try, drawn, of_day
from sim.problems.judging import every

DAY = date(2026, 11, 29)  # its table stands early in its game, so it is quickly there


@pytest.fixture
def challenge(monkeypatch, capsys):
    """Runs the command with these lines typed: the exit code, and what it printed on both
    streams.
    """

    def run(lines: str, *args: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
        code = main(["challenge", *args])
        return code, *capsys.readouterr()

    return run


def placement() -> Any:
    return every(of_day(DAY).position.table).placement(0)


@pytest.mark.slow
def test_three_tries_are_made_by_the_seeds_of_the_day_and_the_best_one_counts(challenge):
    move = str(placement())
    code, out, err = challenge(f"{move}\n" * (TRIES + 1), "--day", str(DAY), "--json")
    said = [json.loads(line) for line in out.splitlines()]
    tries = [one for one in said if one["event"] == "try"]
    expected = [Try.of(drawn(of_day(DAY), placement(), n).verdict) for n in range(TRIES)]
    assert (code, err) == (0, "")
    assert [one["points"] for one in tries] == [one.points for one in expected]
    assert [(one["built"], one["earned"], one["fallen"]) for one in tries] == [
        (one.built, one.earned, one.fallen) for one in expected
    ]
    best = max(one.points for one in expected)
    assert said[-1] == {"event": "over", "day": str(DAY), "tries": TRIES, "best": best}


@pytest.mark.slow
def test_tries_differ_by_the_hand_alone_which_errs_as_that_of_the_page():
    hands = [drawn(of_day(DAY), placement(), n).entry.hand for n in range(TRIES)]
    assert all(hands)
    assert len({json.dumps(hand) for hand in hands}) == TRIES
    assert BY_HAND[OWN] == HAND
    again = drawn(of_day(DAY), placement(), 1)
    assert again.entry.hand == hands[1]
    assert again.entry.got == drawn(of_day(DAY), placement(), 1).entry.got


@pytest.mark.slow
def test_what_is_no_placement_costs_no_try(challenge):
    """Short forms, questions and slips are answered, and the count of tries stays."""
    move = str(placement())
    lines = (
        "", "help", "board", "sides", "pieces", "why " + move, "why", "build P9 2 90", "resign",
        "pass", '{"x":1}', "build P0 2 0 9000", "nonsense", "quit",
    )  # fmt: skip
    code, out, err = challenge("\n".join(lines), "--day", str(DAY))
    assert (code, err) == (0, "")
    assert out.count("try 1 of 3") == len(lines)
    assert "a placement is:" in out
    assert "? has shown" not in out
    assert "it is legal; if it stands:" in out
    assert "unknown pillar P9" in out
    assert "the challenge is a build or an exit" in out
    assert "nothing was tried" in out


@pytest.mark.slow
def test_a_game_of_text_tells_each_try_and_the_best(challenge):
    code, out, _ = challenge(f"{placement()}\n", "--day", str(DAY))
    points = Try.of(drawn(of_day(DAY), placement(), 0).verdict).points
    assert code == 0
    assert f"try 1   {points} point" in out
    assert f"your best try on {DAY}: {points} points" in out


def test_without_a_day_it_is_that_of_today(challenge, monkeypatch):
    asked: list[date] = []

    def of(day: date) -> Any:
        asked.append(day)
        return of_day(DAY)

    monkeypatch.setattr(daily, "of_day", of)
    before = datetime.now(UTC).date()
    assert challenge("quit\n")[0] == 0
    assert asked[0] in (before, datetime.now(UTC).date())


@pytest.mark.parametrize("day", ["today", "2026-13-01", "29.11.2026", "1999-01-01", ""])
def test_a_day_that_is_none_is_refused_in_one_line(challenge, day):
    code, out, err = challenge("", "--day", day)
    assert (code, out) == (2, "")
    assert err.startswith(f"shutoko: --day {day}: ")
    assert err.count("\n") == 1
