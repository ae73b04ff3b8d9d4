"""The benchmarks: parts that are run by name, and the file of results."""

from __future__ import annotations

import io
import json
import sys
from dataclasses import replace

import pytest

from benchmarks import older, parts, results, run, strength
from benchmarks.decisions import Match, Seen, finished
from sim.bots import learnt


def measured() -> int:
    """Measures nothing.

    And says no more in the list.
    """
    sys.stdout.write(f"{sys.argv[1:]}\n")
    return 3


def test_a_part_gets_the_arguments_after_its_name_and_its_code_is_that_of_the_program(
    monkeypatch, capsys
):
    monkeypatch.setattr(sys, "argv", ["benchmarks/one.py", "first", "--seed", "1"])
    assert parts.run({"first": measured}) == 3
    assert capsys.readouterr().out == "['--seed', '1']\n"


@pytest.mark.parametrize("given", [[], ["second"]])
def test_without_a_part_that_there_is_they_are_listed_with_code_2(given, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["benchmarks/one.py", *given])
    assert parts.run({"first": measured}) == 2
    told = capsys.readouterr().err
    assert "first         Measures nothing." in told
    assert "no more" not in told


def test_a_benchmark_that_there_is_not_is_refused_with_the_names_of_all(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["benchmarks/run.py", "nothing"])
    with pytest.raises(SystemExit, match=r"no benchmark 'nothing'; there are: .*settling"):
        run.main()


def test_a_table_that_is_set_is_kept_with_its_commit_and_shown_on_the_page(tmp_path, monkeypatch):
    kept, page = tmp_path / "results.json", tmp_path / "results.md"
    kept.write_text('{"figures": {"a": 1}, "tables": {}}', encoding="utf-8")
    monkeypatch.setattr(results, "RESULTS", kept)
    monkeypatch.setattr(results, "PAGE", page)
    monkeypatch.setattr(results, "_commit", lambda: ("abc1234", "2026-11-24"))
    monkeypatch.setattr(
        sys, "argv", ["results.py", "--set", "speed", "--command", "python benchmarks/speed.py"]
    )
    monkeypatch.setattr("sys.stdin", io.StringIO("| what | ms |\n|---|---|\n| one | 2 |\n"))
    results.main()
    found = json.loads(kept.read_text(encoding="utf-8"))
    assert found["figures"] == {"a": 1}
    assert found["tables"]["speed"]["rows"] == [["one", "2"]]
    assert "`python benchmarks/speed.py`; written down at abc1234 of 2026-11-24" in page.read_text(
        encoding="utf-8"
    )
    assert "| one | 2 |" in page.read_text(encoding="utf-8")


def test_games_of_the_policy_with_itself_share_one_win_and_follow_from_the_seed():
    asked = Match("fr", 2, begins=True)
    first, again = (list(finished(asked, learnt.shipped(), 5, 3)) for _ in range(2))
    assert len(first) == 5
    for shares, cars, plies, _ in first:
        assert shares.sum() == 1.0
        assert cars.min() >= 1  # that of the entrance
        assert cars.max() <= 10  # as many as a player has
        assert plies > 10
    assert [one[2:] for one in first] == [one[2:] for one in again]
    other = finished(Match("fr", 2, anywhere=True), learnt.shipped(), 5, 3)
    assert [one[3] for one in other] != [one[3] for one in first]


def test_a_win_that_is_not_taken_is_missed_and_its_cars_were_on_offer():
    composed = (one for one in strength.positions() if "start" in one)  # wins of many places
    table = strength.begun(next(one for one in composed if one["kind"] == "win"))
    left, seen = table.stocks[table.to_move].cars, Seen()
    seen.see(table, table)
    assert (seen.offered, seen.taken, seen.wins, seen.missed) == (left, 0, 1, 1)
    stocks = tuple(
        replace(stock, cars=0) if seat == table.to_move else stock
        for seat, stock in enumerate(table.stocks)
    )
    seen.see(table, replace(table, stocks=stocks))
    assert (seen.offered, seen.taken, seen.wins, seen.missed) == (2 * left, left, 2, 1)


@pytest.mark.parametrize(("seats", "games"), [(2, 2), (3, 6), (4, 6)])
def test_in_a_round_against_an_older_checkout_both_play_each_seat_equally_often(seats, games):
    ways = older.shares(seats)
    assert len(ways) == games
    assert all(sum(way[seat] for way in ways) == games / 2 for seat in range(seats))
