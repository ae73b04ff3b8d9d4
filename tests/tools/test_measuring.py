"""How the parts of a benchmark are named on the command line, and what they print."""

from __future__ import annotations

import sys

import pytest

from rules.errors import InputError
from tools.measuring import run, share, table


def first(
    game: str = "all", *, seed: int = 0, names: tuple[str, ...] = (), deep: bool = False
) -> int:
    """Measures nothing.

    And says no more in the list.
    """
    table("what", "figure")(f"{game} {seed} {' '.join(names)} {deep}", 1 / 3)
    return 3


def second_(*files: str) -> None:
    """Refuses."""
    raise InputError(f"no file of {', '.join(files)}")


def ended(monkeypatch: pytest.MonkeyPatch, *given: str) -> object:
    monkeypatch.setattr(sys, "argv", ["benchmarks/one.py", *given])
    with pytest.raises(SystemExit) as end:
        run(first, second_)
    return end.value.code


def test_a_part_gets_its_arguments_and_prints_a_table_below_its_command(monkeypatch, capsys):
    assert ended(monkeypatch, "first", "go", "--seed", "1", "--names", "a b", "c", "--deep") == 3
    told = capsys.readouterr().out
    assert "## `python benchmarks/one.py first go --seed 1 --names 'a b' c --deep`\n\n" in told
    assert "| what | figure |\n|---|---|\n| go 1 a b c True | 0.3333 |\n" in told


def test_without_a_name_the_first_part_runs(monkeypatch, capsys):
    assert ended(monkeypatch, "--seed", "2") == 3
    assert "| all 2  False | 0.3333 |" in capsys.readouterr().out


@pytest.mark.parametrize(("given", "code"), [("third", 2), ("--help", 0), ("-h", 0)])
def test_a_part_that_there_is_not_is_answered_with_the_list(given, code, monkeypatch, capsys):
    assert ended(monkeypatch, given) == code
    told = capsys.readouterr()
    assert "first         Measures nothing." in told.out + told.err
    assert "no more" not in told.out + told.err
    assert bool(told.out) is (code == 0)


def test_an_error_of_ours_is_one_line_and_code_2(monkeypatch, capsys):
    assert ended(monkeypatch, "second", "a", "b") == 2
    assert capsys.readouterr().err == "no file of a, b\n"


def test_a_share_has_its_interval():
    assert share(31, 40) == "31 of 40 (78 %, 62 to 88)"
