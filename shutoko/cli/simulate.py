"""`shutoko simulate`: players play each other, game after game, into a folder of records."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rules.errors import InputError
from shutoko.cli.common import SEED, Commands, Options, add_command, emit, is_watched, option
from shutoko.cli.common.records import SETTINGS, settings_of, warn
from shutoko.cli.common.workers import workers
from shutoko.export.charts.tables import check_parquet

if TYPE_CHECKING:
    from rules.arena import Match, Tournament
    from rules.arena.rating import Result
    from rules.record import Record

_OFTEN = 4.0  # times per second that the live table is drawn
_MOST_PLIES = 2000


_OPTIONS: Sequence[Options] = [
    option(
        "game", metavar="GAME", help="tokyo-highway, meridians, thruway or another installed game"
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
        help="stop a game as undecided after this many plies (default: %(default)s); Thruway, for "
        "one, can repeat for ever",
    ),
    option("--code", type=Path, metavar="FILE", help="a Python file with your own players"),
    option(
        "--many",
        action="store_true",
        help="keep no records: write a data set, tables as Parquet with a card that explains them",
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
            "--dask", metavar="ADDRESS", help="play on this Dask cluster, such as tcp://HOST:PORT"
        ),
    ],
]


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    add_command(
        commands,
        "simulate",
        run,
        _OPTIONS,
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
    with closing(_played(args, tournament, missing, results, len(matches))) as played:
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
    from rules.arena.rating import result
    from shutoko.export.charts.dataset import Dataset

    dataset = Dataset(args.out, tournament, matches)
    results: dict[Match, Result] = {}
    missing = dataset.missing()
    _tell_there(args, len(matches) - len(missing), len(matches))
    with closing(_played(args, tournament, missing, results, len(missing))) as played:
        for match, record in played:
            dataset.add(match, record)
            results[match] = result(record)
    digest = dataset.close()
    if args.json:
        emit({"games": len(matches), "folder": str(args.out), "digest": digest})
    else:
        print(
            f"{_games(len(matches))} in {args.out}, told in {args.out / 'README.md'}; rows {digest}"
        )
    return 0


def _games(count: int) -> str:
    return f"{count} game{'' if count == 1 else 's'}"


def _tell_there(args: argparse.Namespace, there: int, total: int) -> None:
    if there and not args.json:
        print(f"{args.out}: {there} of {total} games are in the folder already", file=sys.stderr)


def _played(
    args: argparse.Namespace,
    tournament: Tournament,
    missing: Sequence[Match],
    results: Mapping[Match, Result],
    total: int,
) -> Generator[tuple[Match, Record]]:
    """Plays the games that are missing, and shows how it goes."""
    from rules import arena

    with (
        workers(min(args.workers, max(len(missing), 1)), args.dask) as executor,
        closing(arena.play(tournament, missing, executor)) as played,
        closing(_live(played, results, tournament, total, quiet=args.json)) as shown,
    ):
        yield from shown


class _Watch:
    """Watches, round by round in the order of the schedule, whether the tests are decided; `last`
    is the game that decided.
    """

    def __init__(self, matches: Sequence[Match], results: Mapping[Match, Result]) -> None:
        self._matches, self._results = matches, results
        self._seen = 0
        self.last: int | None = None

    def decided(self) -> bool:
        """Whether the test of every pair that meets is decided, by the games before the first
        missing one.
        """
        from rules.arena.rating import duels

        while (
            self.last is None
            and self._seen < len(self._matches)
            and self._matches[self._seen] in self._results
        ):
            self._seen += 1
            whole = (
                self._seen == len(self._matches)
                or self._matches[self._seen].round != self._matches[self._seen - 1].round
            )
            found = (
                duels([self._results[match] for match in self._matches[: self._seen]])
                if whole
                else ()
            )
            pairs = {
                frozenset(two)
                for match in self._matches
                for two in combinations(match.lineup, 2)
                if len({*two}) > 1
            }
            if found and len(found) == len(pairs) and all(duel.verdict != "open" for duel in found):
                self.last = self._matches[self._seen - 1].number
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


def _live(
    played: Iterator[tuple[Match, Record]],
    results: Mapping[Match, Result],
    tournament: Tournament,
    total: int,
    *,
    quiet: bool,
) -> Generator[tuple[Match, Record]]:
    """Yields the games, and shows a table of the players' scores if standard error is a terminal,
    unless `quiet`.
    """
    if quiet or not is_watched():
        yield from played
        return
    from rich.console import Console
    from rich.live import Live

    begun, before = time.monotonic(), len(results)
    with Live(
        get_renderable=lambda: _table(results, tournament, total, before, time.monotonic() - begun),
        console=Console(stderr=True),
        refresh_per_second=_OFTEN,
        transient=True,
        redirect_stdout=sys.stdout is not None and sys.stdout.isatty(),
    ):
        yield from played


def _table(
    results: Mapping[Match, Result], tournament: Tournament, total: int, before: int, seconds: float
) -> Any:
    from rich.table import Table

    from rules.arena.rating import ratings

    # games arrive meanwhile
    some = [found for _, found in sorted(dict(results).items(), key=lambda one: one[0].number)]
    done = len(some)
    pace = seconds / (done - before) if done > before else None
    left = "" if pace is None else f", {_clock(pace * (total - done))} left"
    table = Table(title=f"{tournament.game}: {done} of {total} games{left}", title_justify="left")
    for name in ("player", "games", "score", "Elo"):
        table.add_column(name, justify="left" if name == "player" else "right")
    rated = {one.player: one for one in ratings(some)}
    for name in dict.fromkeys(tournament.players):
        one = rated.get(name)
        if one is None:
            table.add_row(name, "0", "", "")
        else:
            elo = f"{one.elo.value:+.0f} ± {one.elo.high - one.elo.value:.0f}"
            table.add_row(name, str(one.games), f"{one.score:.1%}", elo)
    return table


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
