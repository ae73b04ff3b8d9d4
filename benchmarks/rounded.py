"""Does a lawful game still verify when people note it in whole millimetres? Plays games of bots and
rounds them.

    python benchmarks/rounded.py [--games 12] [--seed 0] [--engine NAME] [--keep DIR | --records
    DIR]

Greedy bots with normal and with clumsy hands play lawful games of two, three and four players to
the end, each engine its own. Each game is then noted as people would: positions in whole
millimetres and directions in whole degrees, the cars that were earned and put down, and what fell;
no poses. Its tolerance is the usual 3 mm. The script verifies these notes and prints each game that
is refused, and each count of cars that differs and is not told as too close. It exits with 1 if
there is one.

`--keep` saves the games that were played; `--records` rounds the games of such a folder instead of
playing.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from rules import record as records
from rules.arena.match import play_game
from rules.arena.players import player
from rules.errors import RecordError
from rules.game import game
from rules.record import Entry, Record
from rules.record.verify import Report
from sim.game.highway import Highway
from sim.game.replay import trusted
from sim.game.verify import verify
from sim.physics import engines

__all__ = ["noted", "played", "rounded"]

LINEUPS = (
    ("normal", "clumsy"),
    ("clumsy", "normal", "clumsy"),
    ("normal", "clumsy", "normal", "clumsy"),
)


def played(engine: str, number: int, seed: int) -> Record:
    """A whole game that this engine settles."""
    hands = LINEUPS[number % len(LINEUPS)]
    made = game("tokyo-highway", players=len(hands), engine=engine)
    assert isinstance(made, Highway)
    players = [player(f"greedy:hand={hand},samples=0", made) for hand in hands]
    return play_game(made, players, made.header(hands, seed=seed + number))


def rounded(do: str | Mapping[str, Any]) -> str | Mapping[str, Any]:
    """A move with its positions in whole millimetres and its directions in whole degrees; cars and
    offsets stay.
    """
    if not isinstance(do, Mapping):
        return do
    found: dict[str, Any] = json.loads(json.dumps(do))
    for part in found.values():
        for key in {"pillar", "to", "at"} & set(part) if isinstance(part, dict) else ():
            part[key] = [round(n) for n in part[key]]
        for key in {"toward", "turn"} & set(part) if isinstance(part, dict) else ():
            part[key] = round(part[key])
    return found


def noted(record: Record) -> Record:
    """A game as people note it. Of a build that was undone they write down that its road fell, and
    of a car that went back to the stock that it fell.
    """
    entries = []
    for step in trusted(record):
        entry, verdict = step.entry, step.verdict
        if entry.taken_back:
            continue
        fallen, claim = set(verdict.fallen), None
        if verdict.built is False:
            fallen.add(step.before.next_id(entry.by, "R"))
        elif verdict.built:
            claim = {"cars": verdict.earned, "placed": len(verdict.cars)}
            due = step.before.next_cars(
                entry.by, min(verdict.earned, step.before.stocks[entry.by].cars)
            )
            fallen |= set(due) - set(verdict.cars)
        tries = [
            {"got": {"legal": True, "built": False, "fallen": sorted(one.fallen)}}
            for one in step.attempts[:-1]
        ]
        entries.append(
            Entry(
                ply=entry.ply,
                by=entry.by,
                do=rounded(entry.do),
                claim=claim,
                observed={"fallen": sorted(fallen)} if fallen else None,
                tries=tries or None,
                pay=entry.pay,
            )
        )
    header = replace(record.header, observed=True, physics=None, seed=None)
    return replace(record, header=header, entries=tuple(entries), end=None, notes=())


def _games(given: argparse.Namespace) -> Iterator[tuple[str, Record]]:
    if given.records:
        for path in sorted(given.records.glob("*.jsonl")):
            yield path.stem, records.read(path)
        return
    for engine in given.engine or engines.available():
        for number in range(given.games):
            name, record = f"{engine}-{number:03}", played(engine, number, given.seed)
            if given.keep:
                given.keep.mkdir(parents=True, exist_ok=True)
                records.write(record, given.keep / f"{name}.jsonl")
            yield name, record


def _findings(record: Record, report: Report) -> list[str]:
    """What is wrong with a game in whole millimetres: refusals and counts that nobody called too
    close.
    """
    told = [f"ply {one.ply}: {one.text}" for one in (*report.mismatches, *report.claims)]
    if report.plies < len(record.entries):
        told.append(f"only {report.plies} of {len(record.entries)} plies were judged")
    return told


def main() -> int:
    """Print what differs; 1 if anything does."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=12, help="of each engine")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--engine",
        choices=engines.available(),
        action="append",
        help="only this engine (may be repeated)",
    )
    parser.add_argument("--keep", type=Path, metavar="DIR", help="save the games")
    parser.add_argument(
        "--records", type=Path, metavar="DIR", help="round the games of a folder instead"
    )
    given = parser.parse_args()
    games = wrong = plies = 0
    for name, record in _games(given):
        short = noted(record)
        try:
            told = _findings(short, verify(short, "rules"))
        except RecordError as error:
            told = [str(error)]
        games, wrong, plies = games + 1, wrong + bool(told), plies + len(short.entries)
        for line in told:
            print(f"{name}: {line}", flush=True)
    print(
        f"{games} games, {plies} plies in whole mm: {wrong} refused or counted otherwise without a "
        "word"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
