"""Solves Thruway on small boards: who can force a win from each reachable position, and in how many
plies.

One module: the parts of one algorithm, in the order of its steps.

A game need not end, as swaps can go on for ever. A position is won for a side that can force its
win in finitely many plies, whatever the other does; if neither side can, it is drawn by endless
play. Wins are found from the ends backwards: a position is won in n plies if some action leads to
one that the other side has lost in n - 1 or less, and lost in n plies if every action leads to one
that the other side has won, the longest in n - 1. Paving is never undone, so positions with more
paved cells come first. Those with equally many are connected in circles by swaps and passes; for
them n rises from 1 until nothing more follows. In what is left then either side has, at every turn,
an action that keeps it from losing, so neither can force anything.

A shortest forced win passes through no position twice. So the verdict on the start is the same with
`repetition="draw3"`, which needs no solution of its own: whoever could not force a win without that
rule meets a defence that holds for ever.

Positions that a mirror, or an exchange of rows and columns together with the colours, takes into
each other are one, with concrete to move. A position is a key of 64 bits: two for each cell, from
bit 32 one for each barred edge, bit 60 for a pass.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from typing import NamedTuple
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt
from platformdirs import user_cache_path

from rules.errors import InputError
from rules.grid.base import GridMove
from rules.grid.boards import SquareBoard
from rules.grid.kernels import compiling, patience
from rules.grid.kernels import thruway as kernel
from rules.grid.kernels.jit import digest, njit_entry, njit_inline
from rules.grid.kernels.primitives import count
from rules.grid.thruway import ThruwayGame, ThruwayPosition
from rules.record import disk
from rules.record.holding import sweep

LARGEST = 4
"""The largest board that is solved: its 16 cells and 24 edges are what a key can hold."""

_BARRED, _PASSED = 32, 60  # where the bits of barred edges and of a pass begin
_VACANT = -1  # the key of no position
# of a value: whether the side to move wins, and in how many plies; 0 is a draw
_WON, _PLIES = (
    128,
    127,
)
_BLOCK = 1 << 15  # positions looked at before memory is asked for
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)

Words = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
Indices = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The seat that wins with best play and in how many plies; None and None if neither seat can
    force a win.
    """

    winner: int | None
    plies: int | None


_DRAW = Verdict(None, None)


class _Maps(NamedTuple):
    """What the eight symmetries make of four cells in a byte, int64[8, 4, 256], and of an edge,
    int64[8, E].
    """

    cells: Words
    edges: Words


class _Room(NamedTuple):
    """Scratch of one search: a position, one after it, `work`, and legal actions."""

    board: npt.NDArray[np.int8]
    info: Words
    next_board: npt.NDArray[np.int8]
    next_info: Words
    work: Words
    actions: Words


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """The value of every reachable position of a game: `values` uint8[N] for the rising `keys`
    int64[N].

    A value is 0 for a draw, else the plies to the end, plus 128 if the side to move wins.
    """

    game: ThruwayGame
    keys: Words
    values: Bytes

    def verdict(self, state: ThruwayPosition) -> Verdict:
        """The result of best play: the winner wins as fast as possible, the loser loses as slowly
        as possible.

        Raises InputError for a position of another game, or one that cannot be reached from the
        start.
        """
        if state.game != self.game:
            raise InputError(f"the solution of {self.game} does not cover {state.game}")
        outcome = state.outcome()
        if outcome is not None:
            return Verdict(outcome.winners[0], 0) if outcome.winners else _DRAW
        if self.game.trade and state.turns.ply < 2:
            choices = self.moves(state).values()
            return max(
                (_later(verdict) for verdict in choices),
                key=lambda verdict: _liking(verdict, state.to_move),
            )
        tables, maps = _tables(self.game), _maps(self.game.size)
        key = _key(tables, maps, *state.arrays())
        place = int(np.searchsorted(self.keys, key))
        if place == len(self.keys) or self.keys[place] != key:
            raise InputError(f"no game of {self.game} from the start leads to {state.board_text()}")
        value = int(self.values[place])
        if value == 0:
            return _DRAW
        return Verdict(state.to_move if value & _WON else 1 - state.to_move, value & _PLIES)

    def moves(self, state: ThruwayPosition) -> dict[GridMove, Verdict]:
        """The verdict on the position after every legal move."""
        return {move: self.verdict(state.after(move)) for move in state.legal_moves()}

    def best(self, state: ThruwayPosition) -> tuple[GridMove, ...]:
        """The legal moves that keep the verdict: shortest wins, draws, or longest losses."""
        moves = self.moves(state)
        likings = {move: _liking(verdict, state.to_move) for move, verdict in moves.items()}
        return tuple(move for move in moves if likings[move] == max(likings.values()))


def solve(game: ThruwayGame) -> Solution:
    """Every position of that game; InputError for a board that is too large, or a draw by
    repetition (see above).
    """
    if game.size > LARGEST:
        raise InputError(f"Thruway is solved up to size {LARGEST}, not {game.size}")
    if game.repetition is not None:
        raise InputError(
            "Thruway is solved without a rule on repetition; the verdict on the start is the same "
            "with it"
        )
    with compiling("the solver of Thruway"):
        tables, maps, room = _tables(game), _maps(game.size), _room(game)
        keys = _explored(tables, maps, room)
        values = _valued(tables, maps, room, keys)
    return Solution(game, keys, values)


@cache
def kept(game: ThruwayGame) -> Solution:
    """`solve` with its result kept in a file, as size 4 takes half a minute and half a gigabyte.

    The file lies in the user's cache folder, on Linux `shutoko` in XDG_CACHE_HOME or ~/.cache.
    Where that cannot be written to, the game is solved every time. Raises what `solve` raises.
    """
    if game.size < LARGEST:
        return solve(game)
    folder = user_cache_path("shutoko", appauthor=False)
    path = folder / f"thruway-{game.size}-{game.ko}-{game.reserve or 0}-{digest()[:16]}.npz"
    with (
        suppress(OSError, ValueError, KeyError, BadZipFile),
        path.open("rb") as file,
        np.load(file) as stored,
    ):
        return Solution(game, stored["keys"], stored["values"])
    with patience(f"solving Thruway on {game.size} x {game.size}; this happens once and is kept"):
        solution = solve(game)
    made = BytesIO()
    np.savez_compressed(made, keys=solution.keys, values=solution.values)
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        sweep(folder)
        disk.put(path, made.getvalue())
    return solution


def _liking(verdict: Verdict, seat: int) -> tuple[int, int]:
    """A sort key: the higher, the better for the seat."""
    if verdict.winner is None or verdict.plies is None:
        return 0, 0
    return (1, -verdict.plies) if verdict.winner == seat else (-1, verdict.plies)


def _later(verdict: Verdict) -> Verdict:
    return verdict if verdict.plies is None else Verdict(verdict.winner, verdict.plies + 1)


def _tables(game: ThruwayGame) -> kernel.Tables:
    """The rules without the trade, which `Solution.verdict` looks through."""
    return game.tables._replace(trade=0)


def _maps(size: int) -> _Maps:
    board = SquareBoard.of(size)
    edges = np.array(
        [[board.edge(*pair) for pair in image[board.edges]] for image in board.symmetries], np.int64
    )
    cells = np.zeros((8, 4, 256), np.int64)
    byte = np.arange(256)
    for cell in range(size * size):
        held = byte >> 2 * (cell & 3) & 3
        other = (held >> 1) | (held & 1) << 1
        for k, image in enumerate(board.symmetries):
            cells[k, cell >> 2] |= (other if k & 4 else held) << 2 * image[cell]
    return _Maps(cells, edges)


def _room(game: ThruwayGame) -> _Room:
    tables = _tables(game)
    board, info, work = kernel.blank(tables)
    return _Room(
        board, info, board.copy(), info.copy(), work, np.zeros(kernel.most_legal(tables), np.int64)
    )


def _explored(tables: kernel.Tables, maps: _Maps, room: _Room) -> Words:
    """The keys of all reachable positions that do not end the game, rising."""
    known = np.full(1 << 16, _VACANT, np.int64)
    queue = np.zeros(1 << 16, np.int64)
    queue[0] = _key(tables, maps, room.board, room.info)
    _add(known, queue[0])
    done, seen = 0, 1
    while done < seen:
        until = min(done + _BLOCK, seen)
        most = seen + (until - done) * len(room.actions)
        if most > len(queue):
            queue = np.concatenate([queue, np.zeros(most, np.int64)])
        if 2 * most > len(known):
            known = np.full(1 << (4 * most).bit_length(), _VACANT, np.int64)
            _add_all(known, queue, seen)
        seen = _explore(tables, maps, room, known, queue, done, until, seen)
        done = until
    return np.sort(queue[:seen])


def _valued(tables: kernel.Tables, maps: _Maps, room: _Room, keys: Words) -> Bytes:
    """The values of all positions, those with most paved cells first."""
    slots = np.full(1 << (2 * len(keys)).bit_length(), _VACANT, np.int64)
    indices = np.zeros(len(slots), np.int32)
    _index(keys, slots, indices)
    values = np.zeros(len(keys), np.uint8)
    paved = np.zeros(len(keys), np.int64)
    for cell in range(tables.size**2):
        paved += keys >> 2 * cell & 3 != 0
    for cells in range(tables.size**2, -1, -1):
        layer = np.flatnonzero(paved == cells).astype(np.int32)
        open_ends = []
        for begin in range(0, len(layer), _BLOCK):
            block = layer[begin : begin + _BLOCK]
            facts = np.zeros((len(block), 5), np.int32)
            children = np.zeros(len(block) * len(room.actions), np.int32)
            found, held = _value(
                tables, maps, room, keys, slots, indices, values, block, facts, children
            )
            open_ends.append((facts[:found], children[:held].copy()))
        if open_ends:
            facts, children = (np.concatenate(parts) for parts in zip(*open_ends, strict=True))
            _settle(values, facts, children)
    return values


@njit_entry
def _explore(
    tables: kernel.Tables,
    maps: _Maps,
    room: _Room,
    known: Words,
    queue: Words,
    begin: int,
    end: int,
    seen: int,
) -> int:
    """Appends to `queue` what follows from queue[begin:end] and is not among `known`; returns its
    length.
    """
    for place in range(begin, end):
        found = _unpack(tables, room, queue[place])
        for number in range(found):
            if _play_on(tables, room, number) == 0:
                key = _key(tables, maps, room.next_board, room.next_info)
                if _add(known, key):
                    queue[seen] = key
                    seen += 1
    return seen


@njit_entry
def _value(
    tables: kernel.Tables,
    maps: _Maps,
    room: _Room,
    keys: Words,
    slots: Words,
    indices: Indices,
    values: Bytes,
    block: Indices,
    facts: Indices,
    children: Indices,
) -> tuple[int, int]:
    """Values the positions in `block` from which no action leads to one with as many paved cells.

    For each other position it fills a row of `facts`: the position; how many `children` have as
    many paved cells; among the other positions that its actions lead to, the fewest plies of a lost
    one and the most plies of a won one (-1 for none), and 1 if one is a draw. Returns the number of
    rows and of children.
    """
    held, rows = 0, 0
    for index in block:
        key = keys[index]
        paved = _paved(key)
        soonest, latest, drawn, before = -1, -1, 0, held
        found = _unpack(tables, room, key)
        for number in range(found):
            won = _play_on(tables, room, number)
            # of the position after it, for its side to move; concrete is the mover
            value = _WON if won == 2 else 0
            if won == 0:
                child = _key(tables, maps, room.next_board, room.next_info)
                place = indices[_slot(slots, child)]
                if _paved(child) == paved:
                    children[held] = place
                    held += 1
                    continue
                value = values[place]
            if won == kernel.DRAWN or (won == 0 and value == 0):
                drawn = 1
            elif value & _WON:
                latest = max(latest, value & _PLIES)
            elif soonest < 0 or value < soonest:
                soonest = value
        if held > before:
            facts[rows, 0], facts[rows, 1] = index, held - before
            facts[rows, 2], facts[rows, 3], facts[rows, 4] = soonest, latest, drawn
            rows += 1
        elif soonest >= 0:
            values[index] = _WON | soonest + 1
        elif drawn == 0:
            values[index] = latest + 1
    return rows, held


@njit_entry
def _settle(values: Bytes, facts: Indices, children: Indices) -> None:
    """Values the positions that `_value` left open: those won or lost in n plies, for rising n."""
    last = 0  # the most plies of any value that can still decide a position
    for place in children:
        last = max(last, values[place] & _PLIES)
    for row in range(len(facts)):
        last = max(last, facts[row, 2], facts[row, 3])
    plies = 1
    while plies <= last + 1:
        end = 0
        for row in range(len(facts)):
            begin = end
            end = begin + facts[row, 1]
            index = facts[row, 0]
            if values[index] != 0:
                continue
            soonest, latest, lost = facts[row, 2], facts[row, 3], facts[row, 4] == 0
            for place in range(begin, end):
                value = values[children[place]]
                if value & _WON:
                    latest = max(latest, value & _PLIES)
                else:
                    lost = False
                    if value != 0 and (soonest < 0 or value < soonest):
                        soonest = value
            if 0 <= soonest < plies:
                values[index] = _WON | plies
                last = max(last, plies)
            elif lost and soonest < 0 and latest < plies:
                values[index] = plies
                last = max(last, plies)
        plies += 1


@njit_inline
def _unpack(tables: kernel.Tables, room: _Room, key: int) -> int:
    """Puts the position of a key into `room` with its legal actions; returns how many there are."""
    size = tables.size & 31
    cell = 0
    for y in range(1, size + 1):
        for x in range(1, size + 1):
            room.board[y * (size + 2) + x] = key >> 2 * cell & 3
            cell += 1
    kernel.load(tables, room.board, room.info, room.work, 0, 2)
    for edge in range(len(tables.edges)):
        if key >> _BARRED + edge & 1:
            room.info[kernel.BARRED] += 1
            room.info[kernel.BARRED + room.info[kernel.BARRED]] = edge
    room.info[kernel.PASSES] = key >> _PASSED & 1
    return kernel.legal(tables, room.board, room.info, room.actions)


@njit_inline
def _play_on(tables: kernel.Tables, room: _Room, number: int) -> int:
    """Plays the legal action of that number in the position after `room`'s; returns who has won."""
    for place in range(len(room.board)):
        room.next_board[place] = room.board[place]
    for place in range(len(room.info)):
        room.next_info[place] = room.info[place]
    return kernel.play(tables, room.next_board, room.next_info, room.work, room.actions[number])


@njit_entry
def _key(tables: kernel.Tables, maps: _Maps, board: npt.NDArray[np.int8], info: Words) -> int:
    """The least key among the symmetric positions with concrete to move."""
    size = tables.size & 31
    packed, cell = 0, 0
    for y in range(1, size + 1):
        for x in range(1, size + 1):
            packed |= board[y * (size + 2) + x] << 2 * cell
            cell += 1
    least = 0x7FFFFFFFFFFFFFFF
    first = 4 * info[kernel.SIDE]
    for k in range(first, first + 4):
        key = info[kernel.PASSES] << _PASSED if tables.reserve != 0 else 0
        for byte in range(4):
            key |= maps.cells[k, byte, packed >> 8 * byte & 255]
        for place in range(kernel.BARRED + 1, kernel.BARRED + 1 + (info[kernel.BARRED] & 15)):
            key |= 1 << _BARRED + maps.edges[k, info[place]]
        least = min(least, int(key))
    return least


@njit_inline
def _paved(key: int) -> int:
    """How many cells are paved."""
    return count((key | key >> 1) & 0x55555555)


@njit_inline
def _slot(slots: Words, key: int) -> int:
    """The place of the key, or a free place for it."""
    mask = len(slots) - 1
    place = int(np.int64(np.uint64(key) * _GOLDEN >> np.uint64(24))) & mask
    while slots[place] != key and slots[place] != _VACANT:
        place = place + 1 & mask
    return place


@njit_entry
def _add(known: Words, key: int) -> bool:
    """Adds a key; returns whether it is new."""
    place = _slot(known, key)
    if known[place] == key:
        return False
    known[place] = key
    return True


@njit_entry
def _add_all(known: Words, queue: Words, seen: int) -> None:
    for place in range(seen):
        _add(known, queue[place])


@njit_entry
def _index(keys: Words, slots: Words, indices: Indices) -> None:
    """Adds the keys and where each of them stands."""
    for index in range(len(keys)):
        place = _slot(slots, keys[index])
        slots[place] = keys[index]
        indices[place] = index
