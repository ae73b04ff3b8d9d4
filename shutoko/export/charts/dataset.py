"""Thousands of games as a data set: Parquet files in parts, and a card that says what they hold.

The folder has a folder for each table of `shutoko.export.charts.tables`, with a file for each part
of `PART` games in their order, so that any reader of Parquet takes `DIR/plies` as one table. A part
is written when all its games are over; what was interrupted goes on with the parts that are
missing. `README.md` says how the games were made, what each column means, and the digest of all
rows.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rules.arena.match import Match, Tournament
from rules.errors import InputError
from rules.record import Record, disk
from shutoko import __version__
from shutoko.export.charts.tables import (
    COLUMNS,
    MEANING,
    Row,
    from_parquet,
    parquet_rows,
    tables,
    to_parquet,
)

PART = 500  # games
_CARD = "README.md"
_DATE = list(COLUMNS["records"]).index("date")

_CHANCE = (
    "In each round everybody sits on every seat once, with the same seed, so games of a round are "
    "not independent of each other. All chance comes from the seed: the same command gives the "
    "same rows, but for their dates, unless a player looks at the clock."
)
_LAYOUT = (
    f"A folder for each table, with parts of up to {PART} games, in the order of the games: read "
    "`plies/*.parquet` as one table, and so on. The column `record` joins the tables."
)


class Dataset:
    """The data set of a tournament's `matches`, in a folder that `arena.open_folder` has made.

    Raises UnavailableError without pyarrow, InputError for a folder that holds records of games, or
    more games than `matches`.
    """

    def __init__(self, folder: Path, tournament: Tournament, matches: Sequence[Match]) -> None:
        if any(folder.glob("*.jsonl")):
            raise InputError(f"{folder} holds records of games; name another folder for a data set")
        self.folder, self.tournament = folder, tournament
        self._parts = [matches[k : k + PART] for k in range(0, len(matches), PART)]
        self._waiting: dict[int, dict[Match, Record]] = {}
        self._check_none_would_go()
        self._whole = {n for n, part in enumerate(self._parts) if self._games(n) == len(part)}

    def missing(self) -> list[Match]:
        """The matches of the parts that are not there, in their order."""
        return [
            match for n, part in enumerate(self._parts) if n not in self._whole for match in part
        ]

    def add(self, match: Match, record: Record) -> None:
        """Takes a game that is over; the last one of a part writes it."""
        n = match.number // PART
        waiting = self._waiting.setdefault(n, {})
        waiting[match] = replace(record, path=Path(match.file))
        if len(waiting) < len(self._parts[n]):
            return
        found = tables(waiting[match] for match in self._parts[n])
        # `records` comes last: a part is whole if its records are there
        for name in sorted(found, key=lambda name: name == "records"):
            path = self._path(name, n)
            path.parent.mkdir(exist_ok=True)
            disk.put(path, to_parquet(name, found[name]))
        self._whole.add(n)
        del self._waiting[n]

    def close(self) -> str:
        """Writes the card; returns the digest of all rows."""
        counts, digest = dict.fromkeys(COLUMNS, 0), hashlib.sha256()
        for name, row in self._rows():
            counts[name] += 1
            known = (*row[:_DATE], *row[_DATE + 1 :]) if name == "records" else row
            digest.update(json.dumps([name, *known]).encode() + b"\n")
        card = _card(self.tournament, counts, len(self._parts), digest.hexdigest())
        disk.put(self.folder / _CARD, card.encode("utf-8"))
        return digest.hexdigest()

    def _rows(self) -> Iterator[tuple[str, Row]]:
        """Every row with the name of its table, table by table."""
        for name in COLUMNS:
            for n in range(len(self._parts)):
                for row in from_parquet(self._path(name, n)):
                    yield name, row

    def _check_none_would_go(self) -> None:
        """Raises InputError if the folder holds games after the last match."""
        last = sorted((self.folder / "records").glob("part-*.parquet"))[-1:]
        for path in last:
            there = int(path.stem.removeprefix("part-")) * PART + parquet_rows(path)
            asked = sum(len(part) for part in self._parts)
            if there > asked:
                raise InputError(
                    f"{self.folder} holds {there:,} games, more than {asked:,}; ask for {there} or "
                    "more, or name another folder"
                )

    def _games(self, n: int) -> int:
        """How many games a part holds; 0 if it is not whole."""
        whole = all(self._path(name, n).exists() for name in COLUMNS)
        return parquet_rows(self._path("records", n)) if whole else 0

    def _path(self, name: str, n: int) -> Path:
        return self.folder / name / f"part-{n:05d}.parquet"


def _card(tournament: Tournament, counts: Mapping[str, int], parts: int, digest: str) -> str:
    said = tournament.to_json()
    lines = [
        f"# {counts['records']:,} games of {tournament.game}",
        "",
        "## How they were made",
        "",
        f"By `shutoko simulate --many`, Shutoko {__version__}:",
        "",
        *(f"- {key}: `{json.dumps(value)}`" for key, value in said.items() if value is not None),
        "",
        _CHANCE,
        "",
        "## What is there",
        "",
        f"{_LAYOUT} Parts: {parts}.",
        "",
        "| table | rows |",
        "|---|---|",
        *(f"| `{name}` | {count:,} |" for name, count in counts.items()),
        "",
        "## Columns",
        "",
        "A column may be empty where its game does not have it, such as crossings in Meridians.",
    ]
    for name, columns in COLUMNS.items():
        lines += ["", f"### {name}", "", "| column | type | meaning |", "|---|---|---|"]
        lines += [
            f"| `{column}` | {kind.__name__} | {MEANING[name][column]} |"
            for column, kind in columns.items()
        ]
    lines += [
        "",
        "## Digest",
        "",
        f"SHA-256 of all rows but their dates, as lines of JSON, table by table: `{digest}`",
        "",
    ]
    return "\n".join(lines)
