"""`shutoko table`: tidy tables of records, as CSV and Parquet."""

from __future__ import annotations

import csv
import json
import shutil
import sys
from pathlib import Path

import pytest

import rules
from shutoko.cli import main
from shutoko.export.charts.tables import COLUMNS, tables
from sim.installing import install

RECORDS = Path(__file__).resolve().parents[3] / "assets" / "records"


@pytest.fixture
def folder(tmp_path) -> Path:
    for name in ("knock", "two-cars"):
        shutil.copy(RECORDS / f"{name}.jsonl", tmp_path)
    shutil.copy(RECORDS / "boards" / "thruway-opening.jsonl", tmp_path)
    return tmp_path


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_ply_crossing_fall_and_payment_has_its_row(folder, capsys):
    assert main(["table", str(folder), "--to", str(folder / "games.csv"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    records = [rules.record.read(path) for path in sorted(folder.glob("*.jsonl"))]
    entries = [entry for record in records for entry in record.entries]
    counts = {
        "records": 3,
        "seats": 6,
        "plies": len(entries),
        "crossings": sum(len((entry.got or {}).get("crossings", ())) for entry in entries),
        "falls": sum(len((entry.got or {}).get("fallen", ())) for entry in entries),
        "payments": sum(len((entry.got or {}).get("paid", ())) for entry in entries),
    }
    assert min(counts.values()) > 0
    assert {name: value["rows"] for name, value in told.items()} == counts
    for name, count in counts.items():
        rows = read_csv(folder / f"games-{name}.csv")
        assert len(rows) == count
        assert list(rows[0]) == list(COLUMNS[name])
    plies = [row for row in read_csv(folder / "games-plies.csv") if row["record"] == "knock.jsonl"]
    falls = [row for row in read_csv(folder / "games-falls.csv") if row["record"] == "knock.jsonl"]
    assert sum(int(row["fallen"] or 0) for row in plies) == len(falls)
    assert {row["kind"] for row in plies} >= {"entrance", "build"}


def test_parquet_has_the_same_rows_with_their_types(folder):
    parquet = pytest.importorskip("pyarrow.parquet")
    assert main(["table", str(folder), "--to", str(folder / "games.parquet")]) == 0
    found = tables([rules.record.read(path) for path in sorted(folder.glob("*.jsonl"))])
    for name, rows in found.items():
        table = parquet.read_table(folder / f"games-{name}.parquet")
        assert [tuple(row.values()) for row in table.to_pylist()] == rows
        assert table.column_names == list(COLUMNS[name])


def test_parquet_keeps_a_name_as_it_is(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    head = rules.record.Header("meridians", ("=1\n", "b"), options={"size": 3})
    rules.record.write(rules.record.Record(head), tmp_path / "g.jsonl")
    assert main(["table", str(tmp_path), "--to", str(tmp_path / "games.parquet")]) == 0
    seats = parquet.read_table(tmp_path / "games-seats.parquet")
    assert seats["player"].to_pylist() == ["=1\n", "b"]


def test_every_cell_has_the_type_of_its_column_or_is_empty(folder):
    found = tables([rules.record.read(path) for path in sorted(folder.glob("*.jsonl"))])
    for name, rows in found.items():
        for row in rows:
            for cell, kind in zip(row, COLUMNS[name].values(), strict=True):
                assert cell is None or type(cell) is kind


def test_tries_of_one_ply_are_counted(tmp_path):
    head = rules.record.Header("meridians", ("a", "b"), options={"size": 3})
    entries = (
        rules.record.Entry(0, 0, "c9", got={"legal": False, "faults": []}),
        rules.record.Entry(0, 0, "c2", got={"legal": True}),
    )
    found = tables([rules.record.Record(head, entries)])
    assert [row[1:3] for row in found["plies"]] == [(0, 0), (0, 1)]


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@a", "='\n'"])
def test_a_text_is_no_formula_for_a_spreadsheet_and_a_number_stays_one(tmp_path, name):
    head = rules.record.Header("meridians", (name, "b=1"), options={"size": 3}, seed=5)
    rules.record.write(rules.record.Record(head), tmp_path / "g.jsonl")
    assert main(["table", str(tmp_path), "--to", str(tmp_path / "games.csv")]) == 0
    shown = name.replace("\n", "\u240a")
    assert [row["player"] for row in read_csv(tmp_path / "games-seats.csv")] == [
        f"'{shown}",
        "b=1",
    ]
    assert read_csv(tmp_path / "games-records.csv")[0]["seed"] == "5"


def test_without_pyarrow_one_line_says_how_to_install_it(folder, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert main(["table", str(folder), "--to", str(folder / "games.parquet")]) == 2
    assert (
        capsys.readouterr().err
        == f"shutoko: Parquet needs pyarrow: {install('data')}; .csv needs nothing\n"
    )
