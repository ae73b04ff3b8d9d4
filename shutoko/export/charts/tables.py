"""Records as tidy tables, for pandas, R or a spreadsheet: a row for each record, seat, ply,
crossing, fall and payment.

`records`, `seats` and `plies` are there for every game; `crossings`, `falls` and `payments` have
rows where a record tells of them, as those of Tokyo Highway do. `record` names the file in all of
them; `attempt` counts the tries of a ply from 0.
"""

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from rules.errors import InputError, UnavailableError
from rules.record import Entry, Record
from shutoko.plain import plain_line
from sim.installing import install

Row = tuple[Any, ...]

_FORMULA = ("=", "+", "-", "@")
"""What a spreadsheet begins a formula with."""

SUFFIXES = (".csv", ".parquet")
"""What the tables can be written as."""

COLUMNS: Mapping[str, Mapping[str, type]] = {
    "records": {
        "record": str, "game": str, "ruleset": str, "options": str, "seats": int,
        "engine": str, "seed": int, "date": str, "plies": int, "finished": bool, "reason": str,
    },
    "seats": {"record": str, "seat": int, "player": str, "rank": int},
    "plies": {
        "record": str, "ply": int, "attempt": int, "seat": int, "player": str, "kind": str,
        "move": str, "legal": bool, "built": bool, "cars": int, "placed": int, "crossings": int,
        "fallen": int, "paid": int,
    },
    "crossings": {
        "record": str, "ply": int, "attempt": int, "seat": int, "road": str, "side": str,
        "scores": bool,
    },
    "falls": {"record": str, "ply": int, "attempt": int, "seat": int, "piece": str},
    "payments": {
        "record": str, "ply": int, "attempt": int, "seat": int, "to": int, "grey": int,
        "yellow": int, "roads": int,
    },
}  # fmt: skip
"""The columns of each table with their types; any but the first may be empty (None)."""

_PLY = {
    "record": "the name of the game's record",
    "ply": "the number of the ply, from 0",
    "attempt": "the number of the entry among those of this ply, from 0: a refused move and the "
    "next one share a ply",
    "seat": "who moved: 0 for the first seat",
}

MEANING: Mapping[str, Mapping[str, str]] = {
    "records": {
        "record": "the name of the game's record",
        "game": "the game",
        "ruleset": "the rule set, if the game has several",
        "options": "the game's options that differ from the defaults, as JSON",
        "seats": "the number of players",
        "engine": "the physics engine; empty without physics",
        "seed": "the seed of all chance in the game; games of one round share it",
        "date": "the day, YYYY-MM-DD",
        "plies": "the length of the game in plies",
        "finished": "whether the game is over",
        "reason": "why it ended",
    },
    "seats": {
        "record": "the name of the game's record",
        "seat": "0 for the first seat",
        "player": "who sat there, as a player's spec",
        "rank": "0 for the winners; seats that share a rank drew",
    },
    "plies": {
        **_PLY,
        "player": "who moved, as a player's spec",
        "kind": "the kind of move: `build`, `exit`, `pass`, ... in Tokyo Highway, else `move`",
        "move": "the move as in the record: JSON in Tokyo Highway (lengths in mm, angles in "
        "degrees), else the game's notation",
        "legal": "whether the rules allowed it",
        "built": "whether what was built stood",
        "cars": "cars that the ply earned",
        "placed": "cars that were put down",
        "crossings": "how many roads the new road crosses; each is a row of `crossings`",
        "fallen": "how many pieces fell; each is a row of `falls`",
        "paid": "how many pieces the mover paid; rows of `payments`",
    },
    "crossings": {
        **_PLY,
        "road": "the road that was crossed",
        "side": "where the new road runs: `over` or `under` it",
        "scores": "whether the crossing earned a car",
    },
    "falls": {**_PLY, "piece": "the piece that fell"},
    "payments": {
        **_PLY,
        "to": "the seat that was paid",
        "grey": "grey discs",
        "yellow": "yellow discs (junctions)",
        "roads": "roads",
    },
}
"""What each column means, with units."""


def tables(records: Iterable[Record]) -> dict[str, list[Row]]:
    """The rows of each table, in the order of the records."""
    found: dict[str, list[Row]] = {name: [] for name in COLUMNS}
    for record in records:
        name = "" if record.path is None else record.path.name
        _add_record(found, record, name)
        tries: dict[int, int] = {}
        for entry in record.entries:
            attempt = tries.get(entry.ply, -1) + 1
            tries[entry.ply] = attempt
            _add_ply(found, record, entry, (name, entry.ply, attempt, entry.by))
    return found


def write(found: Mapping[str, Sequence[Row]], path: Path) -> dict[str, Path]:
    """Writes each table beside `path`: `games.csv` becomes `games-records.csv`, `games-plies.csv`
    and so on.

    Returns the files. Raises InputError for another suffix or a file that cannot be written,
    UnavailableError without pyarrow.
    """
    kind = _suffix(path)
    check_installed(path)
    written = {}
    for name, rows in found.items():
        target = path.with_name(f"{path.stem}-{name}{kind}")
        try:
            if kind == ".csv":
                _write_csv(target, name, rows)
            else:
                target.write_bytes(to_parquet(name, rows))
        except OSError as error:
            raise InputError(f"{target}: cannot be written: {error.strerror or error}") from error
        written[name] = target
    return written


def to_parquet(name: str, rows: Sequence[Row]) -> bytes:
    """The table of that name as a file of Parquet. Raises UnavailableError without pyarrow."""
    pa, parquet = _arrow()
    kinds = {str: pa.string(), int: pa.int64(), bool: pa.bool_()}
    schema = pa.schema([(column, kinds[kind]) for column, kind in COLUMNS[name].items()])
    columns = [[row[place] for row in rows] for place in range(len(schema))]
    table = pa.table(
        [pa.array(c, f.type) for c, f in zip(columns, schema, strict=True)], schema=schema
    )
    file = io.BytesIO()
    parquet.write_table(table, file)
    return file.getvalue()


def from_parquet(path: Path) -> list[Row]:
    """The rows of a file that `to_parquet` made. Raises InputError for one that cannot be read."""
    table = _opened(path).read()
    return list(zip(*(column.to_pylist() for column in table.columns), strict=True))


def parquet_rows(path: Path) -> int:
    """How many rows a file of Parquet holds. Raises InputError for one that cannot be read."""
    return int(_opened(path).metadata.num_rows)


def _opened(path: Path) -> Any:
    pa, parquet = _arrow()
    try:
        return parquet.ParquetFile(path)
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"{path}: cannot be read as Parquet ({error}); delete it") from error


def check_installed(path: Path) -> None:
    """Raises InputError for another suffix, and UnavailableError if what writes it is missing."""
    if _suffix(path) == ".parquet":
        check_parquet("; .csv needs nothing")


def check_parquet(instead: str = "") -> None:
    """Raises UnavailableError without pyarrow, with a word on what to do `instead`."""
    try:
        _arrow()
    except UnavailableError as error:
        raise UnavailableError(f"{error}{instead}") from error.__cause__


def _suffix(path: Path) -> str:
    kind = path.suffix.lower()
    if kind not in SUFFIXES or not path.stem:
        raise InputError(f"{path}: unknown suffix; choose from {', '.join(SUFFIXES)}")
    return kind


def _add_record(found: dict[str, list[Row]], record: Record, name: str) -> None:
    header, end = record.header, record.end
    engine = (header.physics or {}).get("engine")
    options = json.dumps(dict(header.options), sort_keys=True)
    reason = None if end is None else str(end.reason)
    head = (
        name,
        header.game,
        header.ruleset,
        options,
        len(header.players),
        engine,
        header.seed,
        header.date,
    )
    found["records"].append((*head, record.next_ply, end is not None, reason))
    ranks = (
        {}
        if end is None
        else {seat: rank for rank, group in enumerate(end.ranks) for seat in group}
    )
    found["seats"] += [
        (name, seat, player, ranks.get(seat)) for seat, player in enumerate(header.players)
    ]


def _add_ply(
    found: dict[str, list[Row]], record: Record, entry: Entry, head: tuple[str, int, int, int]
) -> None:
    got = entry.got or {}
    crossings, fallen, paid = got.get("crossings"), got.get("fallen"), got.get("paid")
    if isinstance(entry.do, str):
        kind, move = "move", entry.do
    else:
        kind, move = next(iter(entry.do), ""), json.dumps(entry.do, ensure_ascii=False)
    built = got.get("built", True if "cars" in got else None)
    counts = (None if part is None else len(part) for part in (crossings, fallen))
    total = (
        None
        if paid is None
        else sum(count for one in paid for what, count in one.items() if what != "to")
    )
    told = (kind, move, got.get("legal"), built, got.get("cars"), got.get("placed"), *counts, total)
    found["plies"].append((*head, record.header.players[entry.by], *told))
    found["crossings"] += [
        (*head, one.get("road"), one.get("side"), one.get("scores")) for one in crossings or ()
    ]
    found["falls"] += [(*head, piece) for piece in fallen or ()]
    found["payments"] += [
        (*head, one.get("to"), one.get("grey", 0), one.get("yellow", 0), one.get("roads", 0))
        for one in paid or ()
    ]


def _write_csv(path: Path, name: str, rows: Sequence[Row]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS[name])
        writer.writerows(map(_cell, row) for row in rows)


def _cell(value: Any) -> Any:
    """What stands in a cell: a text in one line, and none that a spreadsheet takes for a formula;
    numbers as they are.
    """
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, str):
        return value
    line = plain_line(value)
    return f"'{line}" if line.startswith(_FORMULA) else line


def _arrow() -> tuple[ModuleType, ModuleType]:
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        raise UnavailableError(f"Parquet needs pyarrow: {install('data')}") from error
