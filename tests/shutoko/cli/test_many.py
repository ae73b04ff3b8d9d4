"""`shutoko simulate --many`: a data set of games, in parts, with a card."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import rules
from shutoko.export.charts import dataset
from shutoko.export.charts.tables import COLUMNS, MEANING, from_parquet, tables
from sim.installing import install

pytest.importorskip("pyarrow")

GAMES = "simulate meridians --size 4 --players greedy,random --seed 1"
DATE = list(COLUMNS["records"]).index("date")


@pytest.fixture
def made(run, monkeypatch):
    """Plays games into a folder by parts of five, and gives their digest."""
    monkeypatch.setattr(dataset, "PART", 5)

    def digest(folder: str, games: int = 12) -> str:
        told = json.loads(run(f"{GAMES} --games {games} --out {folder} --many --json").out)
        assert told["games"] == games
        return str(told["digest"])

    return digest


def rows(name: str, folder: str = "many") -> list[tuple]:
    parts = sorted(Path(folder, name).glob("*.parquet"))
    return [row for path in parts for row in from_parquet(path)]


def test_the_rows_are_those_of_the_records_of_the_same_games_in_one_table(run, made):
    pyarrow = pytest.importorskip("pyarrow.dataset")
    made("many")
    run(f"{GAMES} --games 12 --out one")
    paths = sorted(Path("one").glob("*.jsonl"))
    for name, expected in tables(rules.record.read(path) for path in paths).items():
        assert rows(name) == expected
        assert len(list(Path("many", name).iterdir())) == 3
        table = pyarrow.dataset(f"many/{name}").to_table()
        assert table.column_names == list(COLUMNS[name])
        assert [tuple(row.values()) for row in table.to_pylist()] == expected
    assert not list(Path("many").glob("*.jsonl"))


def test_the_card_tells_how_the_games_were_made_each_column_and_the_digest(made):
    digest = made("many")
    card = Path("many", "README.md").read_text(encoding="utf-8")
    assert card.startswith("# 12 games of meridians")
    plies = f"| `plies` | {len(rows('plies'))} |"
    said = (f"`{digest}`", '- players: `["greedy", "random"]`', plies)
    assert [text for text in said if text not in card] == []
    for name, columns in COLUMNS.items():
        assert list(MEANING[name]) == list(columns)
        for column in columns:
            assert f"| `{column}` | {columns[column].__name__} | {MEANING[name][column]} |" in card


def test_what_was_interrupted_goes_on_and_ends_alike(made, monkeypatch):
    digest = made("whole")
    assert made("cut", games=10) != digest
    Path("cut/records/part-00001.parquet").unlink()  # as a kill leaves it: records come last
    played: list[int] = []
    add = dataset.Dataset.add
    monkeypatch.setattr(
        dataset.Dataset,
        "add",
        lambda self, match, record: (played.append(match.number), add(self, match, record)),
    )
    assert made("cut") == made("cut") == digest
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
def test_what_a_data_set_cannot_be_is_refused_and_none_of_its_games_goes(run, made, more, message):
    digest = made("many", games=2)
    assert message in run(f"{GAMES} --out many {more}", code=2).err
    assert made("many", games=2) == digest


def test_the_date_is_no_part_of_the_digest(made, monkeypatch):
    digest = made("today", games=2)
    read = dataset.from_parquet
    monkeypatch.setattr(
        dataset,
        "from_parquet",
        lambda path: [
            (*row[:DATE], "1999-12-31", *row[DATE + 1 :]) if "records" in path.parts else row
            for row in read(path)
        ],
    )
    assert made("today", games=2) == digest


def test_a_folder_of_records_and_a_broken_part_are_told(run, made):
    run(f"{GAMES} --games 2 --out records")
    err = run(f"{GAMES} --games 2 --out records --many", code=2).err
    assert "holds records of games" in err
    made("many", games=2)
    part = Path("many/records/part-00000.parquet")
    part.write_bytes(b"nothing")
    err = run(f"{GAMES} --games 2 --out many --many", code=2).err
    assert f"{part}: cannot be read as Parquet" in err


def test_without_pyarrow_nothing_is_played(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    err = run(f"{GAMES} --games 2 --out none --many", code=2).err
    assert err == f"shutoko: Parquet needs pyarrow: {install('data')}\n"
    assert not Path("none").exists()
