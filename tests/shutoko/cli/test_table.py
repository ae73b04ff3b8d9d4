"""`shutoko table`: tidy tables of records, as CSV and Parquet."""

from __future__ import annotations

import csv
import json
import shutil
import sys
from pathlib import Path

import pytest

import rules
from shutoko.export.charts.tables import COLUMNS, tables
from sim.assets import asset
from sim.installing import install


@pytest.fixture
def folder(run, tmp_path) -> Path:
    for name in ("knock", "two-cars", "boards/thruway-opening"):
        shutil.copy(asset("records", f"{name}.jsonl"), tmp_path)
    return tmp_path


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_ply_crossing_fall_and_payment_has_its_row(folder, run):
    told = json.loads(run("table . --to games.csv --json").out)
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


def test_parquet_has_the_same_rows_with_their_types(folder, run):
    parquet = pytest.importorskip("pyarrow.parquet")
    run("table . --to games.parquet")
    found = tables([rules.record.read(path) for path in sorted(folder.glob("*.jsonl"))])
    for name, rows in found.items():
        table = parquet.read_table(f"games-{name}.parquet")
        assert [tuple(row.values()) for row in table.to_pylist()] == rows
        assert table.column_names == list(COLUMNS[name])
        kinds = COLUMNS[name].values()
        assert {type(cell) for row in rows for cell in row} <= {*kinds, type(None)}


def test_tries_of_one_ply_are_counted():
    head = rules.record.Header("meridians", ("a", "b"), options={"size": 3})
    entries = (
        rules.record.Entry(0, 0, "c9", got={"legal": False, "faults": []}),
        rules.record.Entry(0, 0, "c2", got={"legal": True}),
    )
    found = tables([rules.record.Record(head, entries)])
    assert [row[1:3] for row in found["plies"]] == [(0, 0), (0, 1)]


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@a", "='\n'"])
def test_a_text_is_no_formula_for_a_spreadsheet_and_a_number_stays_one(run, name):
    parquet = pytest.importorskip("pyarrow.parquet")
    head = rules.record.Header("meridians", (name, "b=1"), options={"size": 3}, seed=5)
    rules.record.write(rules.record.Record(head), "g.jsonl")
    run("table g.jsonl --to games.csv")
    shown = [row["player"] for row in read_csv(Path("games-seats.csv"))]
    assert shown == ["'" + name.replace("\n", "\u240a"), "b=1"]
    assert read_csv(Path("games-records.csv"))[0]["seed"] == "5"
    run("table g.jsonl --to games.parquet")
    assert parquet.read_table("games-seats.parquet")["player"].to_pylist() == [name, "b=1"]


def test_without_pyarrow_one_line_says_how_to_install_it(folder, monkeypatch, run):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    told = f"Parquet needs pyarrow: {install('data')}; .csv needs nothing"
    assert run("table . --to games.parquet", code=2).err == f"shutoko: {told}\n"
