"""The arena: players play each other, game after game, at any game.

A tournament is a list of rounds. In a round the players of one line-up play one game for each way
of sitting (two players: two games, with seats exchanged), all with the same seed, so that neither
the seat nor luck favours anybody. All chance in a game comes from generators seeded by the game's
seed and the ply. So the same tournament gives the same games in one process, in many, or on a
cluster, whichever game ends first. Players that look at the clock are the exception.

Records are kept in a folder, one file per game, each written whole or not at all. A tournament that
was interrupted goes on in the same folder: it plays only the games that are missing.

`computed` does the work on an executor: in this process, in others, or on a cluster, with the same
results.
"""

import hashlib
import json
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from rules import defaults
from rules.arena.players import Code, player
from rules.errors import IllegalMoveError, InputError, ShutokoError
from rules.files import read_regular
from rules.game import Game, Player, Reason, game
from rules.record import End, Header, Record, disk, dumps, loads, read, write

# --- work on an executor --------------------------------------------------------------------------

_SENT = 3  # a task that failed this often is not sent again

A = TypeVar("A")
R = TypeVar("R")


def computed(
    call: Callable[[A], R], arguments: Sequence[A], executor: Executor | None
) -> Iterator[R]:
    """The results of `call` for all arguments, in any order.

    A ShutokoError of a task is raised at once. Any other error may be a lost worker or connection:
    the task is sent again, and its third error is raised. A pool that broke accepts no more tasks:
    this process computes those that are left.
    """
    if executor is None:
        yield from map(call, arguments)
        return
    broken: list[A] = []
    sent: dict[Future[R], tuple[A, int]] = {}

    def send(argument: A, times: int) -> None:
        try:
            sent[executor.submit(call, argument)] = (argument, times)
        except BrokenExecutor:
            broken.append(argument)

    try:
        for argument in arguments:
            send(argument, 1)
        while sent:
            done, _ = wait(sent, return_when=FIRST_COMPLETED)
            for future in done:
                argument, times = sent.pop(future)
                error = future.exception() if not future.cancelled() else BrokenExecutor()
                if error is None:
                    yield future.result()
                elif isinstance(error, ShutokoError) or times == _SENT:
                    raise error
                else:
                    send(argument, times + 1)
        yield from map(call, broken)
    finally:
        for future in sent:
            future.cancel()


# --- games ----------------------------------------------------------------------------------------

_MANIFEST = "tournament.json"
_MOST_MANIFEST = 2**24  # bytes

Lineup = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tournament:
    """What is played: the name of the game, its options, the specs of the players, and the seed.
    Plain data for any worker.

    `code` is a file with your own players, if any. With `max_plies`, a game that is not over after
    so many plies is undecided.
    """

    game: str
    players: tuple[str, ...]
    seed: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    code: Code | None = None
    max_plies: int | None = None

    def made(self) -> Game[Any]:
        """The game. Raises InputError if the game, a player, the seed or the limit of plies is not
        valid.
        """
        made = game(self.game, **self.options)
        if self.seed < 0:
            raise InputError(f"a seed is a whole number of 0 or more, not {self.seed}")
        if self.max_plies is not None and self.max_plies < 1:
            raise InputError(f"a game lasts at least one ply, not {self.max_plies}")
        for spec in self.players:
            player(spec, made, self.code)
        return made

    def to_json(self) -> dict[str, Any]:
        """The manifest of the tournament's folder."""
        code = (
            None
            if self.code is None
            else hashlib.blake2b(self.code.source.encode(), digest_size=8).hexdigest()
        )
        return {
            "game": self.game,
            "options": dict(self.options),
            "players": list(self.players),
            "seed": self.seed,
            "code": code,
            "max_plies": self.max_plies,
        }


@dataclass(frozen=True, slots=True)
class Match:
    """One game of a tournament: its number, its round, who sits where, and its seed."""

    number: int
    round: int
    lineup: Lineup
    seed: int

    @property
    def file(self) -> str:
        """The name of its record."""
        return f"game-{self.number:05d}.jsonl"


# --- who plays whom -------------------------------------------------------------------------------


def lineups(players: Sequence[str], seats: int) -> tuple[Lineup, ...]:
    """Who plays whom. As many players as seats: one line-up (a player may be named twice). More:
    every choice of that many. Fewer: every way to fill the seats so that no player sits more than
    once more often than another.
    """
    if len(players) == seats:
        return (tuple(players),)
    each = tuple(dict.fromkeys(players))
    if len(each) >= seats:
        return tuple(combinations(each, seats))
    often, more = divmod(seats, len(each))
    return tuple(
        tuple(name for k, name in enumerate(each) for _ in range(often + (k in extra)))
        for extra in combinations(range(len(each)), more)
    )


def rotations(lineup: Lineup) -> tuple[Lineup, ...]:
    """The different ways of sitting when everybody moves on by one seat, again and again."""
    return tuple(dict.fromkeys(lineup[k:] + lineup[:k] for k in range(len(lineup))))


def schedule(tournament: Tournament, seats: int, games: int) -> tuple[Match, ...]:
    """The first `games` games: one round of each line-up in turn. Raises InputError if `games` is
    below 1.
    """
    if games < 1:
        raise InputError(f"a tournament has at least one game, not {games}")
    every = lineups(tournament.players, seats)
    found: list[Match] = []
    number = 0
    while len(found) < games:
        # 53 bits: every JSON reader keeps whole numbers of that size exactly
        word = _sequence(tournament.seed, number // len(every)).generate_state(1, np.uint64)[0]
        for seated in rotations(every[number % len(every)]):
            found.append(Match(len(found), number, seated, int(word) >> 11))
        number += 1
    return tuple(found[:games])


# --- playing --------------------------------------------------------------------------------------


def play(
    tournament: Tournament, matches: Sequence[Match], executor: Executor | None = None
) -> Generator[tuple[Match, Record]]:
    """Plays the matches, on the executor if there is one, and yields each with its record when it
    ends.

    Raises the ShutokoErrors of players and games, with the number of the game added.
    """
    jobs = [(tournament, match) for match in matches]
    for match, data in computed(_run, jobs, executor):
        yield match, loads(data, match.file)


def play_game(
    made: Game[Any], players: Sequence[Player[Any]], header: Header, max_plies: int | None = None
) -> Record:
    """Plays one game from start to end, and returns its record. `header.seed` (0 if it is None)
    seeds all chance in the game.

    Raises IllegalMoveError for an illegal move, naming the ply and the player.
    """
    state, record, ply = made.start(), Record(header), 0
    while (outcome := state.outcome()) is None:
        if ply == max_plies:
            return record.with_end(End((tuple(range(made.seats)),), Reason.PLY_CAP))
        seat = state.to_move
        choosing, doing = generators(header.seed or 0, ply)
        move = players[seat].choose(state, choosing)
        try:
            state, entry = defaults.perform(made, state, move, players[seat], doing, ply)
        except IllegalMoveError as error:
            reason = f"{error.reason} (ply {ply}, played by {header.players[seat]})"
            raise IllegalMoveError(error.text, error.position, reason) from error
        record, ply = record.plus(entry), ply + 1
    return record.with_end(End(outcome.ranks, outcome.reason))


def generators(seed: int, ply: int) -> tuple[np.random.Generator, np.random.Generator]:
    """The two generators of a ply: one for the player's choice, one for making the move (a hand
    that errs).
    """
    choosing, doing = (np.random.default_rng(_sequence(seed, ply, n)) for n in (0, 1))
    return choosing, doing


def _run(job: tuple[Tournament, Match]) -> tuple[Match, bytes]:
    """Plays one match; runs in any process."""
    tournament, match = job
    made = game(tournament.game, **tournament.options)
    # new players for each game: a player may remember what it searched at earlier plies
    players = [player(spec, made, tournament.code) for spec in match.lineup]
    header = defaults.header(made, match.lineup, seed=match.seed, source="shutoko simulate")
    try:
        return match, dumps(play_game(made, players, header, tournament.max_plies))
    except IllegalMoveError as error:
        raise IllegalMoveError(
            error.text, error.position, f"game {match.number}: {error.reason}"
        ) from error
    except ShutokoError as error:
        raise InputError(f"game {match.number}: {error}") from error


def _sequence(seed: int, *key: int) -> np.random.SeedSequence:
    return np.random.SeedSequence(seed, spawn_key=key)


# --- the folder -----------------------------------------------------------------------------------


def open_folder(folder: Path, tournament: Tournament) -> None:
    """Makes the folder of a tournament; a folder of the same tournament stays as it is.

    Raises InputError if a file is in its place, and if the folder holds another tournament, naming
    what differs, or records without a manifest.
    """
    manifest, said = folder / _MANIFEST, tournament.to_json()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise InputError(
            f"{folder}: a file of this name is in the way; name a folder for the records"
        ) from error
    disk.sweep(folder)
    if manifest.exists():
        try:
            found = json.loads(read_regular(manifest, _MOST_MANIFEST))
        except (OSError, ValueError) as error:
            raise InputError(
                f"{manifest}: cannot be read ({error}); mend it, or name another folder"
            ) from error
        differs = [
            key for key in said if not isinstance(found, dict) or found.get(key) != said[key]
        ]
        if differs:
            what = ", ".join(
                f"{key} {json.dumps(found.get(key) if isinstance(found, dict) else None)}"
                for key in differs
            )
            raise InputError(
                f"{folder} holds another tournament ({what}); name another folder, or give the "
                "same arguments"
            )
        return
    if any(folder.glob("*.jsonl")):
        raise InputError(f"{folder} holds records but no {_MANIFEST}; name another folder")
    disk.put(manifest, (json.dumps(said, indent=2) + "\n").encode("utf-8"))


def ended(folder: Path, matches: Sequence[Match]) -> dict[Match, Record]:
    """The matches that the folder holds complete records of. Raises RecordError for a file that is
    not a record.
    """
    found = {}
    for match in matches:
        path = folder / match.file
        if path.exists() and (record := read(path)).end is not None:
            found[match] = record
    return found


def drop(folder: Path, match: Match) -> None:
    """Deletes the record of a match, if the folder has it."""
    (folder / match.file).unlink(missing_ok=True)


def keep(folder: Path, match: Match, record: Record) -> None:
    """Writes the record of a match, whole or not at all."""
    write(record, folder / match.file)
