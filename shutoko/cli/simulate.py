"""`shutoko simulate`: players play each other, game after game, into a folder of records."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from itertools import combinations, groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rules.errors import InputError
from shutoko.cli.common import SEED, answer, command, emit, option, progress
from shutoko.cli.common.records import SETTINGS, settings_of, warn
from shutoko.cli.common.workers import workers
from shutoko.export.charts.tables import check_parquet

if TYPE_CHECKING:
    from rules.arena import Match, Tournament
    from rules.arena.rating import Result
    from rules.record import Record

_MOST_PLIES = 2000


@command(
    "simulate",
    [
        option(
            "game",
            metavar="GAME",
            help="tokyo-highway, meridians, thruway or another installed game",
        ),
        option(
            "--players",
            required=True,
            metavar="A,B,...",
            help="who plays, such as planner:hand=normal,greedy",
        ),
        option(
            "--games",
            type=int,
            default=20,
            metavar="N",
            help="the number of games, at most (default: 20)",
        ),
        option(
            "--until-decided",
            action="store_true",
            help="stop when the sequential tests have proved who is better",
        ),
        option("--out", type=Path, required=True, metavar="DIR", help="the folder for the records"),
        *SETTINGS,
        SEED,
        option(
            "--max-plies",
            type=int,
            metavar="N",
            default=_MOST_PLIES,
            help="stop a game as undecided after this many plies (default: %(default)s); "
            "Thruway, for one, can repeat for ever",
        ),
        option("--code", type=Path, metavar="FILE", help="a Python file with your own players"),
        option(
            "--many",
            action="store_true",
            help="keep no records: write a data set, tables as Parquet with a card that "
            "explains them",
        ),
        [
            option(
                "--workers",
                type=int,
                default=1,
                metavar="N",
                help="the number of processes (default: 1)",
            ),
            option(
                "--dask",
                metavar="ADDRESS",
                help="play on this Dask cluster, such as tcp://HOST:PORT",
            ),
        ],
    ],
    help="let players play each other, and keep the records",
    description="Play games between players and write a record of each into a folder. In each "
    "round, everybody sits on "
    "every seat once, with the same seed. If it is interrupted, run it again with the same "
    "folder: it goes on.",
    epilog="A player is NAME or NAME:OPTION=VALUE,OPTION=VALUE. The same seed gives the same "
    "games with any number of "
    "workers, unless a player looks at the clock. `shutoko rate DIR` says who is better.",
)
def run(args: argparse.Namespace) -> int:
    """Play the games that are missing in the folder, show how it goes, and sum up."""
    from rules import arena
    from shutoko.own_box import keep_beside

    if args.workers < 1:
        raise InputError(f"--workers {args.workers}: at least 1 worker is needed")
    if args.many and args.until_decided:
        raise InputError("--many plays all games that are asked for: leave --until-decided out")
    tournament = _tournament(args)
    made = tournament.made()
    matches = arena.schedule(tournament, made.seats, args.games)
    if args.many:
        check_parquet()
    arena.open_folder(args.out, tournament)
    keep_beside(made, args.out)
    return (_many if args.many else _records)(args, tournament, matches)


def _records(args: argparse.Namespace, tournament: Tournament, matches: Sequence[Match]) -> int:
    from rules import arena
    from rules.arena.rating import result
    from shutoko.cli.research.rate import tell

    if (args.out / "records").is_dir():
        raise InputError(
            f"{args.out} holds a data set; give --many, or name another folder for records"
        )
    there = arena.ended(args.out, matches)
    for record in there.values():
        warn(record.warnings)
    results = {match: result(record) for match, record in there.items()}
    _tell_there(args, len(there), len(matches))
    if args.json:
        for match, record in there.items():
            emit(_line(match, record, made_now=False))
    watch = _Watch(matches, results) if args.until_decided else None
    missing = (
        [match for match in matches if match not in results]
        if not (watch and watch.decided())
        else []
    )
    with closing(_played(args, tournament, missing)) as played:
        for match, record in played:
            arena.keep(args.out, match, record)
            results[match] = result(record)
            if args.json:
                emit(_line(match, record, made_now=True))
            if watch and watch.decided():
                break
    if watch and (last := watch.last) is not None:
        # other workers may have finished games of later rounds: without these the result is the
        # same for any number of workers
        for match in [match for match in results if match.number > last]:
            arena.drop(args.out, match)
            del results[match]
    if not args.json:
        tell([results[match] for match in sorted(results, key=lambda match: match.number)])
        print(f"{_games(len(results))} in {args.out}")
    return 0


def _many(args: argparse.Namespace, tournament: Tournament, matches: Sequence[Match]) -> int:
    from shutoko.export.charts.dataset import Dataset

    dataset = Dataset(args.out, tournament, matches)
    missing = dataset.missing()
    _tell_there(args, len(matches) - len(missing), len(matches))
    with closing(_played(args, tournament, missing)) as played:
        for match, record in played:
            dataset.add(match, record)
    digest = dataset.close()
    answer(
        args,
        {"games": len(matches), "folder": str(args.out), "digest": digest},
        f"{_games(len(matches))} in {args.out}, told in {args.out / 'README.md'}; rows {digest}",
    )
    return 0


def _games(count: int) -> str:
    return f"{count} game{'' if count == 1 else 's'}"


def _tell_there(args: argparse.Namespace, there: int, total: int) -> None:
    if there and not args.json:
        print(f"{args.out}: {there} of {total} games are in the folder already", file=sys.stderr)


def _played(
    args: argparse.Namespace, tournament: Tournament, missing: Sequence[Match]
) -> Generator[tuple[Match, Record]]:
    """Plays the games that are missing, and shows how far it is."""
    from rules import arena

    with (
        workers(min(args.workers, max(len(missing), 1)), args.dask) as executor,
        closing(arena.play(tournament, missing, executor)) as played,
    ):
        yield from progress(played, "games", len(missing), quiet=args.json)


class _Watch:
    """Watches, round by round in the order of the schedule, whether the tests are decided; `last`
    is the game that decided.
    """

    def __init__(self, matches: Sequence[Match], results: Mapping[Match, Result]) -> None:
        self._results = results
        self._rounds = [list(games) for _, games in groupby(matches, key=lambda match: match.round)]
        self._pairs = {
            frozenset(two)
            for match in matches
            for two in combinations(match.lineup, 2)
            if len({*two}) > 1
        }
        self._seen: list[Match] = []
        self.last: int | None = None

    def decided(self) -> bool:
        """Whether the test of every pair that meets is decided, by the whole rounds before the
        first missing game.
        """
        from rules.arena.rating import duels

        while self.last is None and self._rounds and {*self._rounds[0]} <= self._results.keys():
            self._seen += self._rounds.pop(0)
            found = duels([self._results[match] for match in self._seen])
            tested = found and len(found) == len(self._pairs)
            if tested and all(duel.verdict != "open" for duel in found):
                self.last = self._seen[-1].number
        return self.last is not None


def _tournament(args: argparse.Namespace) -> Tournament:
    from rules.arena import Tournament
    from rules.arena.players import read_code, split_specs

    return Tournament(
        game=args.game,
        players=tuple(str(spec) for spec in split_specs(args.players)),
        seed=args.seed,
        options=settings_of(args, args.game),
        code=None if args.code is None else read_code(args.code),
        max_plies=args.max_plies,
    )


def _line(match: Match, record: Record, *, made_now: bool) -> dict[str, Any]:
    assert record.end is not None
    end = record.end.to_json()["end"]
    plies = record.next_ply
    return {
        "game": match.number,
        "file": match.file,
        "players": list(match.lineup),
        "plies": plies,
        **end,
        "played": made_now,
    }
