"""`shutoko simulate --many`: a data set of games, in parts, with a card."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import rules
from shutoko.cli import main
from shutoko.export.charts import dataset
from shutoko.export.charts.tables import COLUMNS, MEANING, from_parquet, tables
from sim.installing import install

pytest.importorskip("pyarrow")

GAMES = ["simulate", "meridians", "--size", "4", "--players", "greedy,random", "--seed", "1"]
DATE = list(COLUMNS["records"]).index("date")


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataset, "PART", 5)


def made(folder: Path, capsys: pytest.CaptureFixture[str], *more: str, games: int = 12) -> str:
    arguments = [*GAMES, "--games", str(games), "--out", str(folder), "--many", "--json", *more]
    assert main(arguments) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["games"] == games
    return str(told["digest"])


def rows(folder: Path, name: str) -> list[tuple]:
    parts = sorted((folder / name).glob("*.parquet"))
    return [row for path in parts for row in from_parquet(path)]


def test_the_rows_are_those_of_the_records_of_the_same_games(tmp_path, capsys):
    made(tmp_path / "many", capsys)
    assert main([*GAMES, "--games", "12", "--out", str(tmp_path / "one")]) == 0
    paths = sorted((tmp_path / "one").glob("*.jsonl"))
    for name, expected in tables(rules.record.read(path) for path in paths).items():
        assert rows(tmp_path / "many", name) == expected
    assert [len(list((tmp_path / "many" / name).iterdir())) for name in COLUMNS] == [3] * 6
    assert not list((tmp_path / "many").glob("*.jsonl"))


def test_the_folder_of_a_table_opens_as_one_table(tmp_path, capsys):
    pyarrow = pytest.importorskip("pyarrow.dataset")
    made(tmp_path / "many", capsys)
    for name, columns in COLUMNS.items():
        table = pyarrow.dataset(tmp_path / "many" / name).to_table()
        assert table.column_names == list(columns)
        assert [tuple(row.values()) for row in table.to_pylist()] == rows(tmp_path / "many", name)


def test_the_card_tells_how_the_games_were_made_each_column_and_the_digest(tmp_path, capsys):
    digest = made(tmp_path / "many", capsys)
    card = (tmp_path / "many" / "README.md").read_text(encoding="utf-8")
    assert card.startswith("# 12 games of meridians")
    assert f"`{digest}`" in card
    assert '- players: `["greedy", "random"]`' in card
    assert f"| `plies` | {len(rows(tmp_path / 'many', 'plies'))} |" in card
    for name, columns in COLUMNS.items():
        assert list(MEANING[name]) == list(columns)
        for column in columns:
            assert f"| `{column}` | {columns[column].__name__} | {MEANING[name][column]} |" in card


def test_what_was_interrupted_goes_on_and_ends_alike(tmp_path, capsys, monkeypatch):
    digest = made(tmp_path / "whole", capsys)
    folder = tmp_path / "cut"
    assert made(folder, capsys, games=10) != digest
    (folder / "records" / "part-00001.parquet").unlink()  # as a kill leaves it: records come last
    played: list[int] = []
    add = dataset.Dataset.add
    monkeypatch.setattr(
        dataset.Dataset,
        "add",
        lambda self, match, record: (played.append(match.number), add(self, match, record)),
    )
    assert made(folder, capsys) == digest
    assert played == [*range(5, 12)]
    assert made(folder, capsys) == digest
    assert played == [*range(5, 12)]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("--games 1 --many", "holds 2 games, more than"),
        ("--games 2", "holds a data set"),
        ("--games 2 --many --until-decided", "--many plays all games that are asked for"),
        ("--games 2 --many --seed 2", "holds another tournament"),
    ],
)
def test_what_a_data_set_cannot_be_is_refused_and_none_of_its_games_goes(
    tmp_path, capsys, more, message
):
    digest = made(tmp_path / "many", capsys, games=2)
    assert main([*GAMES, "--out", str(tmp_path / "many"), *more.split()]) == 2
    assert message in capsys.readouterr().err
    assert made(tmp_path / "many", capsys, games=2) == digest


def test_the_date_is_no_part_of_the_digest(tmp_path, capsys, monkeypatch):
    digest = made(tmp_path / "today", capsys, games=2)
    read = dataset.from_parquet
    monkeypatch.setattr(
        dataset,
        "from_parquet",
        lambda path: [
            (*row[:DATE], "1999-12-31", *row[DATE + 1 :]) if "records" in path.parts else row
            for row in read(path)
        ],
    )
    assert made(tmp_path / "today", capsys, games=2) == digest


def test_a_folder_of_records_and_a_broken_part_are_told(tmp_path, capsys):
    folder = tmp_path / "records"
    assert main([*GAMES, "--games", "2", "--out", str(folder)]) == 0
    assert main([*GAMES, "--games", "2", "--out", str(folder), "--many"]) == 2
    assert "holds records of games" in capsys.readouterr().err
    folder = tmp_path / "many"
    made(folder, capsys, games=2)
    part = folder / "records" / "part-00000.parquet"
    part.write_bytes(b"nothing")
    assert main([*GAMES, "--games", "2", "--out", str(folder), "--many"]) == 2
    assert f"{part}: cannot be read as Parquet" in capsys.readouterr().err


def test_without_pyarrow_nothing_is_played(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert main([*GAMES, "--games", "2", "--out", str(tmp_path / "none"), "--many"]) == 2
    assert capsys.readouterr().err == f"shutoko: Parquet needs pyarrow: {install('data')}\n"
    assert not (tmp_path / "none").exists()
