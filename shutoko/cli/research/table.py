"""`shutoko table`: a folder of records as tidy tables for pandas, R or a spreadsheet."""

import argparse
from pathlib import Path

from rules.errors import InputError
from shutoko.cli.common import answer, check_place, command, option, progress
from shutoko.cli.common.records import read_record


@command(
    "table",
    [
        option(
            "source", metavar="DIR", type=Path, help="a folder of records, or one record (.jsonl)"
        ),
        option(
            "--to",
            required=True,
            metavar="FILE",
            type=Path,
            help="where to: NAME.csv or NAME.parquet",
        ),
    ],
    help="turn records into tables for pandas, R or a spreadsheet",
    description="Turn a folder of records, or one record, into tidy tables: records, seats, "
    "plies, crossings, falls and "
    "payments, each in a file of its own. With --to games.csv they are games-records.csv, "
    "games-seats.csv and so on.",
)
def run(args: argparse.Namespace) -> int:
    """Writes the tables; raises InputError, RecordError and UnavailableError before the first file
    is written.
    """
    from shutoko.export.charts.tables import check_installed, tables, write

    check_installed(args.to)
    check_place(args.to)
    paths = progress(folder_of(args.source), "reading", quiet=args.json)
    found = tables([*map(read_record, paths)])
    written = write(found, args.to)
    rows = {name: {"file": str(path), "rows": len(found[name])} for name, path in written.items()}
    answer(args, rows, *(f"wrote {one['file']}: {one['rows']} rows" for one in rows.values()))
    return 0


def folder_of(source: Path) -> list[Path]:
    """The records that a folder holds, by name, or the one record. Raises InputError if there is
    none.
    """
    if source.is_file():
        return [source]
    paths = sorted(source.glob("*.jsonl"))
    if not paths:
        raise InputError(f"{source}: no record and no folder with records (*.jsonl)")
    return paths
