"""Reads and writes games of Meridians as trials of Ludii (`.trl`, text).

What a trial holds, by Ludii's public sources (`Trial.java`, `MatchRecord.java`, `Meridians.lud`
1.3.10): the game's file, the options that differ from the usual ones, the state of the random
generator, one line for each move with the stone that it sets and the stones that it takes off, and
who has won.

- Ludii's board is this one, on its side: sites count along the shorter straight lines, upwards,
  from the left. Reading turns it back by a quarter. Which of the board's four symmetries is taken
  changes nothing in the game.
- Ludii knows sizes 6, 7 and 8, and no pie: the pair of a pie is written as the two first moves.
- Ludii takes off a player's dead stones after that player's own move, Shutoko at the beginning of
  the other's turn. That is the same game (rules 2 of Meridians), and reading compares what is taken
  off.
- A trial has neither names nor resignation: a game that was resigned is written as unfinished.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import numpy.typing as npt

from rules.errors import IllegalMoveError, InputError, NotationError, RecordError
from rules.grid.boards import HexBoard
from rules.grid.meridians import Meridians, MeridiansPosition
from rules.record import End, Entry, Header, Note, Record
from rules.record.foreign import ForeignFormat
from rules.record.jsonl import short
from rules.record.replay import begin, steps

_FILE = "/lud/board/space/group/Meridians.lud"
_SIZES = {6: "5 6", 7: "6 7", 8: "7 8"}  # as Ludii's option "Board Size" names them
_USUAL = 7
_LIMIT = 1 << 20  # characters; the longest game of size 8 has under 30,000
_MOVE = re.compile(r"Move=\[Move:mover=(?P<mover>[12])[^\[\]]*,actions=(?P<actions>\[.*\])\]")
_ACTION = re.compile(r"\[(?P<kind>\w+):(?P<data>[^\[\]]*)\]")
_TO = re.compile(r"(?:^|,)to=(\d{1,4})(?:,|$)")


@dataclass(frozen=True, slots=True)
class _Move:
    """A line of moves: who moves (0 or 1), the site of the new stone (None for a pass), and the
    sites that become empty.
    """

    side: int
    site: int | None
    gone: frozenset[int]


def loads(text: str) -> Record:
    """The game in the text of a trial.

    The record warns where Ludii took off other stones than the rulebook, went on after the end, or
    names another winner. Raises InputError for anything but a trial of Meridians, and RecordError,
    which names the ply, for a move that cannot be read or is illegal.
    """
    if len(text) > _LIMIT:
        raise InputError(
            f"not a trial of Meridians: {len(text)} characters, and a trial has at most {_LIMIT}"
        )
    lines = [line.strip() for line in text.splitlines()]
    name = lines[0].removeprefix("game=") if lines and lines[0].startswith("game=") else None
    if name is None:
        raise InputError("not a trial of Ludii: its first line must begin with game=")
    if re.split(r"[/\\]", name)[-1].removesuffix(".lud").lower() != Meridians.name:
        raise InputError(
            f"this trial of Ludii is of the game {short(name)}; only Meridians can be read"
        )
    game = Meridians(_size(lines))
    record = Record(Header(game.name, ("light", "dark"), options=game.options, source="Ludii"))
    record, state = _played(
        record, game, [_move(line, ply) for ply, line in enumerate(_moves(lines))]
    )
    outcome, told = state.outcome(), _winner(lines)
    won = None if outcome is None else state.turns.sides[outcome.winners[0]]
    if told is not None and told != won and (told >= 0 or won is not None):
        names = record.header.players
        who = names[told] if told >= 0 else "nobody"
        by_rule = "by the rulebook it goes on" if won is None else f"the rulebook to {names[won]}"
        record = replace(
            record, warnings=(*record.warnings, f"Ludii gives this game to {who}, {by_rule}")
        )
    return record if outcome is None else record.with_end(End(outcome.ranks, outcome.reason))


def dumps(record: Record) -> str:
    """The text of the trial of a record.

    Raises InputError for another game and for sizes that Ludii does not have, RecordError, which
    names the ply, for a move that cannot be read, and IllegalPlyError for one that is illegal.
    """
    if record.header.game != Meridians.name:
        raise InputError(f"Ludii's Meridians cannot hold a game of {record.header.game!r}")
    state: MeridiansPosition = begin(record)[1]  # type: ignore[assignment]  # by the game's name
    size = state.game.size
    if size not in _SIZES:
        raise InputError(f"Ludii's Meridians has boards of size 6, 7 and 8, not {size}")
    lines = [f"game={_FILE}", "START GAME OPTIONS"]
    lines += [] if size == _USUAL else [f"Board Size/{_SIZES[size]}"]
    lines += ["END GAME OPTIONS", "RNG internal state=0,0,0,0,0,0,0,0"]
    for step in steps(record):
        if not step.entry.taken_back:
            after: MeridiansPosition = step.after  # type: ignore[assignment]  # of the same game
            lines += _written(state, str(step.move), after)
            state = after
    lines.append("numInitialPlacementMoves=0")
    outcome = state.outcome()
    if outcome is not None and outcome.reason == "annihilated":
        won = state.turns.sides[outcome.winners[0]]
        lines += [
            f"winner={won + 1}",
            "endtype=NaturalEnd",
            f"rankings=0.0,{'2.0,1.0' if won else '1.0,2.0'}",
        ]
    return "\n".join([*lines, "SANDBOX=false", "LUDII_VERSION=1.3.10"]) + "\n"


@cache
def _sites(size: int) -> npt.NDArray[np.int64]:
    """The point of each site, int64[N]: sites are sorted by height, then from the left, on the
    board turned by a quarter.
    """
    x, y = np.round(HexBoard.of(size).places, 6).T
    return np.lexsort((-y, x))


def _size(lines: list[str]) -> int:
    """The size that the options name."""
    try:
        first, last = lines.index("START GAME OPTIONS"), lines.index("END GAME OPTIONS")
    except ValueError:
        return _USUAL
    size = _USUAL
    for line in lines[first + 1 : last]:
        found = [one for one, said in _SIZES.items() if line == f"Board Size/{said}"]
        if not found:
            ways = ", ".join(f"Board Size/{said}" for said in _SIZES.values())
            raise InputError(
                f"the option {short(line)} of Ludii's Meridians is not known; options: {ways}"
            )
        size = found[0]
    return size


def _moves(lines: list[str]) -> Iterator[str]:
    return (line for line in lines if line.startswith("Move="))


def _winner(lines: list[str]) -> int | None:
    """The side that the trial says has won, -1 for nobody; None if it does not say."""
    for line in lines:
        if line.startswith("winner="):
            said = line.removeprefix("winner=")
            return int(said) - 1 if said in ("0", "1", "2") else None
    return None


def _move(line: str, ply: int) -> _Move:
    """A line of moves, read. Raises RecordError."""
    found = _MOVE.fullmatch(line)
    added: list[int] = []
    gone: list[int] = []
    passed = False
    for action in _ACTION.finditer(found["actions"]) if found else ():
        to = _TO.search(action["data"])
        if action["kind"] in ("Add", "Remove") and to is not None:
            (added if action["kind"] == "Add" else gone).append(int(to[1]))
        elif action["kind"] == "Pass":
            passed = True
        else:
            raise RecordError(f"Ludii's Meridians has no action {short(action[0])}", ply=ply)
    if found is None or len(added) + passed != 1:
        raise RecordError(
            f"not a move of Ludii's Meridians, which adds one stone or passes: {short(line)}",
            ply=ply,
        )
    return _Move(int(found["mover"]) - 1, added[0] if added else None, frozenset(gone))


def _played(
    record: Record, game: Meridians, moves: list[_Move]
) -> tuple[Record, MeridiansPosition]:
    """The record with the moves until the end, what Ludii did otherwise, and the position after
    them.
    """
    state, sites, names = game.start(), _sites(game.size), game.board.names
    for ply, move in enumerate(moves):
        if state.outcome() is not None:
            told = (
                f"by the rulebook the game ends after ply {ply - 1}; Ludii went on for "
                f"{len(moves) - ply} plies"
            )
            return replace(
                record.with_note(Note(told)), warnings=(*record.warnings, f"ply {ply}: {told}")
            ), state
        if move.side != state.side:
            raise RecordError(f"Ludii's player {move.side + 1} moves out of turn", ply=ply)
        for site in ({move.site} if move.site is not None else set()) | move.gone:
            if site >= len(sites):
                raise RecordError(
                    f"site {site} is not on Ludii's board of {len(sites)} points", ply=ply
                )
        try:
            read = state.parse("pass" if move.site is None else names[sites[move.site]])
        except (NotationError, IllegalMoveError) as error:
            raise RecordError(f"{error} (site {move.site} of Ludii)", ply=ply) from error
        after = state.after(read)
        gone = _gone(state, str(read), after)
        if gone != move.gone:
            here, there = (
                " ".join(sorted(names[sites[site]] for site in those)) or "none"
                for those in (gone, move.gone)
            )
            told = (
                f"ply {ply}: by the rulebook these stones come off: {here}; in the trial: {there}"
            )
            record = replace(record, warnings=(*record.warnings, told))
        record = record.plus(Entry(ply, state.to_move, str(read)))
        state = after
    return record, state


def _gone(before: MeridiansPosition, move: str, after: MeridiansPosition) -> frozenset[int]:
    """The sites that a move empties: of stones that stood there, and of its own if that dies at
    once.
    """
    board = before.game.board
    stood = np.array([cell != "." for cell in before.board_text().replace("/", "")])
    if move in board.index:
        stood[board.index[move]] = True
    stands = np.array([cell != "." for cell in after.board_text().replace("/", "")])
    return frozenset(np.flatnonzero((stood & ~stands)[_sites(before.game.size)]).tolist())


def _written(before: MeridiansPosition, move: str, after: MeridiansPosition) -> Iterator[str]:
    """The lines of a move: two for the pair of a pie, none for the choice of a colour and for a
    resignation.
    """
    if move in ("keep", "swap", "resign"):
        return
    removed = "".join(
        f",[Remove:type=Vertex,to={site}]" for site in sorted(_gone(before, move, after))
    )
    if move == "pass":
        yield f"Move=[Move:mover={before.side + 1},actions=[Pass:decision=true]{removed}]"
        return
    index = before.game.board.index
    for number, point in enumerate(move.split(",")):
        side = number if before.in_pie else before.side
        site = int(np.flatnonzero(_sites(before.game.size) == index[point])[0])
        added = f"[Add:type=Vertex,to={site},what={side + 1},decision=true]"
        yield f"Move=[Move:mover={side + 1},from={site},to={site},actions={added}{removed}]"


FORMAT = ForeignFormat(
    "Ludii", ".trl", lambda text: text.lstrip().startswith("game="), loads, dumps
)
"""See `rules.record.foreign`."""
