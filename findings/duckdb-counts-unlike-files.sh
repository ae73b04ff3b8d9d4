#!/usr/bin/env bash
# Of a folder of Parquet files whose columns differ, DuckDB counts the rows of all without a word,
# and refuses to read the same rows: "schema mismatch". COUNT(*) compares no columns.
# It matters where the count is the check that a folder is one table: it says yes to a folder of
# several tables, and the first query that names a column fails.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check duckdb==2.0.1
cd "$folder"
mkdir tables
"$folder/venv/bin/python" - <<'PROGRAM'
import sys

import duckdb

print("duckdb", duckdb.__version__)
duckdb.sql("COPY (SELECT range AS game, 'a' AS player FROM range(3)) TO 'tables/one.parquet'")
duckdb.sql("COPY (SELECT range AS game, 7 AS cars FROM range(5)) TO 'tables/two.parquet'")
both = "FROM read_parquet('tables/*.parquet')"
count = duckdb.sql(f"SELECT COUNT(*) {both}").fetchall()
print("rows counted in both files:", count[0][0], "(expected 8)")
try:
    read = f"{len(duckdb.sql(f'SELECT * {both}').fetchall())} rows"
except duckdb.InvalidInputException as error:
    read = "schema mismatch" if "schema mismatch" in str(error) else str(error)
print("the same rows read:", read, "(expected schema mismatch)")
sys.exit(count != [(8,)] or read != "schema mismatch")
PROGRAM
