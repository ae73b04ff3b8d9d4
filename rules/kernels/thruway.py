"""The rules of Thruway, compiled: legal moves, play, the end, random games, perft and keys, over two small arrays.

Colours are 1 concrete, which moves first and joins west and east, and 2 asphalt, which joins north and south. Every turn but a
pass concerns one edge of the board, a pair of adjacent cells: if both are paved it is a swap, otherwise a paving. Actions are
the edges as `rules.boards.SquareBoard` numbers them, then `trade`, then `pass`.

`board`, int8[(size + 2) ** 2], is the board with a border, row by row: 0 empty, 1, 2, and 3 on the border.

`info`, int64, begins with the fields that the constants below name. From ROWS on it repeats the board as rows of bits (column x
of 1 to size is bit x; row y of 1 to size is word y of `height` = size + 4), because whole rows are what disputes,
indestructible tiles and connections are found by: empty cells, concrete, asphalt, disputes (the bit of their north-western
cell), and indestructible tiles of either colour. Behind those, for games with a rule on repetition, come the keys of all
positions since the last paving; before that no position can return. If they do not fit, the oldest are forgotten:
`position(tables, room)` makes room.

A tile stays indestructible until it gets into a dispute, which the swap or the paving of a diagonal neighbour can bring about at
any time: no union of groups lasts. A path is looked for only if a tile became indestructible and its colour has such tiles side
by side across every line between the two own borders, and then by flooding rows.

`work`, int64, is scratch: one for each thread. What it holds matters inside one call only.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numba as nb
import numpy as np
import numpy.typing as npt

from rules.boards import SquareBoard
from rules.kernels.bits import lowest_bit, popcount
from rules.kernels.chance import below

__all__ = [
    "ANY",
    "BARRED",
    "DRAWN",
    "NONE",
    "PASSED",
    "PLY",
    "RESULT",
    "SAME",
    "SIDE",
    "TRADED",
    "UNDO",
    "Tables",
    "is_legal",
    "key",
    "keys",
    "legal",
    "load",
    "perft",
    "pick",
    "play",
    "position",
    "prepare",
    "ready",
    "reset",
    "rollout",
    "rollouts",
    "scratch",
    "tables",
]

Cells = npt.NDArray[np.int8]
Ints = npt.NDArray[np.int64]
Chance = npt.NDArray[np.uint64]

SIDE = 0
"""The colour to move, 1 or 2."""
PLY = 1
"""Decisions made so far: turns, passes and the trade."""
TRADED = 2
"""1 after a trade: who began plays asphalt."""
PASSED = 3
"""How many passes in a row came last."""
RESULT = 4
"""0 the game goes on, 1 or 2 that colour has won, 3 drawn."""
DISPUTES = 5
"""How many disputes there are."""
BARRED = 6
"""How many actions the ko rule bars from this turn, which it would otherwise be; they follow, rising."""
_MOST_BARRED = 12  # two tiles that turned can turn back through seven edges, and a ninth way through the far side of the square
_KEYS = BARRED + 1 + _MOST_BARRED  # how many keys of positions are kept, 0 unless repetition counts
ROWS = _KEYS + 1
"""Where the rows of bits begin."""

DRAWN = 3
UNDO, SAME, ANY, NONE = 0, 1, 2, 3
"""The ko rules in the order of their names: see `Tables.ko`."""

_TRIES = 48  # draws that may hit an illegal action before all legal ones are listed
_MIX_1, _MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S29, _S32 = np.uint64(29), np.uint64(32)


class Tables(NamedTuple):
    """A board's geometry and a game's options, as the kernels read them.

    `edges[edge]` are the two cells in `board`, the row of the first, and the bits of both cells in that row and in the next.
    `east[cell]` and `south[cell]` are the edges to those neighbours. `trade` is 0 or 1, `ko` one of UNDO, SAME, ANY, NONE,
    `repetition` 0 or the occurrence that is a draw, `reserve` the tiles of each colour, 0 for no limit.
    """

    size: int
    edges: Ints
    east: Ints
    south: Ints
    trade: int
    ko: int
    repetition: int
    reserve: int


@lru_cache(maxsize=64)
def tables(size: int, trade: bool, ko: int, repetition: int, reserve: int) -> Tables:
    """The tables of a game with these options, which are taken to be valid."""
    width = size + 2
    cells = SquareBoard.of(size).edges
    row, column = np.divmod(cells, size)
    padded = (row + 1) * width + column + 1
    flat = row[:, 0] == row[:, 1]
    first, second = 1 << (column[:, 0] + 1), 1 << (column[:, 1] + 1)
    edges = np.stack([*padded.T, row[:, 0] + 1, np.where(flat, first | second, first), np.where(flat, 0, second)], 1)
    east, south = np.full((2, width * width), -1, np.int64)
    east[padded[flat, 0]], south[padded[~flat, 0]] = np.flatnonzero(flat), np.flatnonzero(~flat)
    for array in (edges := np.ascontiguousarray(edges), east, south):
        array.setflags(write=False)
    return Tables(size, edges, east, south, int(trade), ko, repetition, reserve)


def position(tables: Tables, room: int = 0) -> tuple[Cells, Ints]:
    """`board` and `info` of the right sizes with the start in them, with room for `room` keys of earlier positions."""
    width = tables.size + 2
    board, info = np.zeros(width * width, np.int8), np.zeros(ROWS + 5 * (tables.size + 4) + room, np.int64)
    reset(tables, board, info)
    return board, info


def scratch(tables: Tables) -> Ints:
    """A `work` array: the number of edges worth drawing and those edges, a list of actions, and rows that were reached."""
    return np.zeros(_scratch(tables), np.int64)


@nb.njit(cache=True)
def _scratch(tables: Tables) -> int:
    return 2 * len(tables.edges) + 3 + tables.size + 4


def keys(tables: Tables, info: Ints) -> Ints:
    """The keys of the positions since the last paving, this one's last; none if repetition does not count."""
    begin = ROWS + 5 * (tables.size + 4)
    return info[begin : begin + info[_KEYS]]


@lru_cache(maxsize=1)
def ready() -> None:
    """Compiles what single moves need, or loads it from the cache, so that no later call waits."""
    small = tables(3, False, UNDO, 0, 0)
    board, info = position(small)
    work = scratch(small)
    action = int(work[legal(small, board, info, work) - 1])
    if is_legal(small, board, info, action):
        play(small, board, info, work, action)


@nb.njit(cache=True)
def reset(tables: Tables, board: Cells, info: Ints) -> None:
    """The empty board, concrete to move."""
    size = tables.size
    width = size + 2
    board[:] = 3
    info[:] = 0
    info[SIDE] = 1
    for y in range(1, size + 1):
        board[y * width + 1 : y * width + size + 1] = 0
        info[ROWS + y] = (2 << size) - 2
    if tables.repetition:
        _remember(tables, info, True)


@nb.njit(cache=True)
def load(tables: Tables, board: Cells, info: Ints, work: Ints, side: int, ply: int) -> None:
    """Makes `info` for the cells in `board` with `side` to move: nothing barred, nothing repeated, no pass before."""
    size = tables.size
    width, height = size + 2, size + 4
    info[:] = 0
    info[SIDE], info[PLY] = side, ply
    for y in range(1, size + 1):
        for x in range(1, size + 1):
            info[ROWS + board[y * width + x] * height + y] |= 1 << x
    for y in range(1, size):
        squares = _disputes(info, height, ROWS + y)
        info[ROWS + 3 * height + y] = squares
        info[DISPUTES] += popcount(squares)
    for y in range(1, size + 1):
        info[ROWS + 4 * height + y] = _indestructible(info, height, ROWS + y)
    for colour in (side, 3 - side):  # the last mover's path counts first
        if _connected(tables, info, work, colour):
            info[RESULT] = colour
    if tables.repetition:
        _remember(tables, info, True)


@nb.njit(cache=True)
def legal(tables: Tables, board: Cells, info: Ints, out: Ints) -> int:
    """Fills out[:count] with the legal actions, rising, and returns count; 0 after the end."""
    if info[RESULT] != 0:
        return 0
    count = 0
    edges = len(tables.edges)
    short = _short(tables, info)
    for action in range(edges):
        if _may_turn(tables, board, info, action, short):
            out[count] = action
            count += 1
    if tables.trade and info[PLY] == 1:
        out[count] = edges
        count += 1
    if count == 0:
        out[0] = edges + 1
        count = 1
    return count


@nb.njit(cache=True)
def is_legal(tables: Tables, board: Cells, info: Ints, action: int) -> bool:
    """Whether `legal` would list the action."""
    edges = len(tables.edges)
    if info[RESULT] != 0 or action < 0 or action > edges + 1:
        return False
    trade = tables.trade != 0 and info[PLY] == 1
    if action == edges:
        return trade
    short = _short(tables, info)
    if action < edges:
        return _may_turn(tables, board, info, action, short)
    for other in range(edges):
        if _may_turn(tables, board, info, other, short):
            return False
    return not trade


@nb.njit(cache=True)
def play(tables: Tables, board: Cells, info: Ints, work: Ints, action: int) -> int:
    """Makes a legal action with all that follows from it and returns info[RESULT]."""
    edges = len(tables.edges)
    height = tables.size + 4
    info[PLY] += 1
    if action == edges:
        info[TRADED] = 1
        return 0
    me = info[SIDE]
    info[SIDE] = 3 - me
    info[BARRED] = 0
    if action == edges + 1:
        info[PASSED] += 1
        if info[PASSED] == 2:
            info[RESULT] = DRAWN
        elif tables.repetition:
            _remember(tables, info, False)
        return info[RESULT]
    info[PASSED] = 0

    table = tables.edges
    first, second = table[action, 0], table[action, 1]
    row, near, far = ROWS + table[action, 2], table[action, 3], table[action, 4]
    concrete, asphalt = row + height, row + 2 * height
    was_near, was_far = info[concrete], info[concrete + 1]
    swap = board[first] != 0 and board[second] != 0
    if swap:
        board[first], board[second] = board[second], board[first]
        info[concrete] ^= near
        info[concrete + 1] ^= far
        info[asphalt] ^= near
        info[asphalt + 1] ^= far
    else:
        board[first] = me
        board[second] = me
        own, other = row + me * height, row + (3 - me) * height
        info[row] &= ~near
        info[row + 1] &= ~far
        info[own] |= near
        info[own + 1] |= far
        info[other] &= ~near
        info[other + 1] &= ~far

    # Squares with a cell of the edge lie in three rows of squares, cells of those squares and neighbours of the edge in four rows.
    squares = row + 3 * height
    old_0, old_1, old_2 = info[squares - 1], info[squares], info[squares + 1]
    new_0, new_1, new_2 = _disputes(info, height, row - 1), _disputes(info, height, row), _disputes(info, height, row + 1)
    info[squares - 1], info[squares], info[squares + 1] = new_0, new_1, new_2
    info[DISPUTES] += popcount(new_0) + popcount(new_1) + popcount(new_2) - popcount(old_0) - popcount(old_1) - popcount(old_2)
    if tables.ko == UNDO:
        # The pair is in a dispute again only if this swap made one of the square on the pair's other side.
        if swap and _in_dispute(tables, info, action):
            info[BARRED] = 1
            info[BARRED + 1] = action
    elif tables.ko != NONE and ((new_0 & ~old_0) | (new_1 & ~old_1) | (new_2 & ~old_2)) != 0:
        _bar(
            tables,
            board,
            info,
            row - ROWS - 1,
            (old_0 & ~new_0, old_1 & ~new_1, old_2 & ~new_2),
            (info[concrete - 1], was_near, was_far),
        )

    gained_1, gained_2 = np.int64(0), np.int64(0)
    for at in range(row - 1, row + 3):
        firm = _indestructible(info, height, at)
        gain = firm & ~info[at + 4 * height]
        info[at + 4 * height] = firm
        gained_1 |= gain & info[at + height]
        gained_2 |= gain & info[at + 2 * height]
    if gained_1 != 0 and _connected(tables, info, work, 1):
        info[RESULT] = 1
    if gained_2 != 0 and _connected(tables, info, work, 2) and (info[RESULT] == 0 or me == 2):
        info[RESULT] = 2
    if tables.repetition and info[RESULT] == 0:
        _remember(tables, info, not swap)
    return info[RESULT]


@nb.njit(cache=True)
def prepare(tables: Tables, work: Ints) -> None:
    """Makes `work` ready for `pick` at the beginning of a game, wherever that begins."""
    edges = len(tables.edges)
    work[0] = edges
    for action in range(edges):
        work[1 + action] = action


@nb.njit(cache=True)
def pick(tables: Tables, board: Cells, info: Ints, work: Ints, chance: Chance) -> int:
    """A legal action of a game that goes on, each with equal probability; `prepare` was called earlier in the same game.

    Draws from a list that holds every legal action once until a legal one comes up: the edges that were not fully paved when
    they were last drawn, four swaps for each dispute, and the trade. An edge that is fully paved stays so, and leaves the list.
    """
    short = _short(tables, info)
    trade = tables.trade != 0 and info[PLY] == 1
    me = info[SIDE]
    for _ in range(_TRIES):
        open_edges = work[0]
        total = open_edges + 4 * info[DISPUTES] + trade
        if total == 0:
            break
        drawn = below(chance, total)
        if drawn < open_edges:
            action = work[1 + drawn]
            first, second = board[tables.edges[action, 0]], board[tables.edges[action, 1]]
            if first != 0 and second != 0:
                work[1 + drawn] = work[open_edges]
                work[0] = open_edges - 1
            elif first != me and second != me and not short:
                return action
        elif drawn < open_edges + 4 * info[DISPUTES]:
            action = _swap(tables, info, drawn - open_edges)
            if action >= 0 and not _is_barred(info, action):
                return action
        else:
            return len(tables.edges)
    listed = work[1 + len(tables.edges) :]
    return listed[below(chance, legal(tables, board, info, listed))]


@nb.njit(cache=True)
def rollout(tables: Tables, board: Cells, info: Ints, work: Ints, chance: Chance, cap: int) -> int:
    """Plays on at random, every legal action equally likely, to the end or for `cap` plies; returns info[RESULT]."""
    prepare(tables, work)
    for _ in range(cap):
        if info[RESULT] != 0:
            break
        play(tables, board, info, work, pick(tables, board, info, work, chance))
    return info[RESULT]


@nb.njit(cache=True)
def rollouts(tables: Tables, board: Cells, info: Ints, games: int, seed: int, cap: int) -> Ints:
    """Many random games from one position, which stays as it is: counts as int64[8].

    They are games that hit the cap, wins of concrete, wins of asphalt, draws, plies in all, the shortest and the longest game
    in plies, and games won on a move of the loser's.
    """
    chance = np.array([seed], np.uint64)
    cells, fields = board.copy(), info.copy()
    work = np.zeros(_scratch(tables), np.int64)
    counts = np.zeros(8, np.int64)
    counts[5] = cap
    for _ in range(games):
        cells[:] = board
        fields[:] = info
        result = rollout(tables, cells, fields, work, chance, cap)
        plies = fields[PLY] - info[PLY]
        counts[result] += 1
        counts[4] += plies
        counts[5] = min(counts[5], plies)
        counts[6] = max(counts[6], plies)
        counts[7] += result == fields[SIDE]
    return counts


@nb.njit(cache=True)
def perft(tables: Tables, board: Cells, info: Ints, work: Ints, depth: int) -> int:
    """How many sequences of `depth` legal actions there are from here, which stays as it is."""
    if depth == 0:
        return 1
    most = len(tables.edges) + 2
    actions = np.zeros((depth, most), np.int64)
    left = np.zeros(depth, np.int64)
    boards = np.zeros((depth, len(board)), np.int8)
    infos = np.zeros((depth, len(info)), np.int64)
    boards[0], infos[0] = board, info
    left[0] = legal(tables, board, info, actions[0])
    if depth == 1:
        return left[0]
    count, level = 0, 0
    while level >= 0:
        if left[level] == 0:
            level -= 1
            continue
        left[level] -= 1
        boards[level + 1] = boards[level]
        infos[level + 1] = infos[level]
        play(tables, boards[level + 1], infos[level + 1], work, actions[level, left[level]])
        following = legal(tables, boards[level + 1], infos[level + 1], actions[level + 1])
        if level + 2 == depth:
            count += following
        else:
            level += 1
            left[level] = following
    return count


@nb.njit(cache=True)
def key(tables: Tables, info: Ints) -> int:
    """64 bits that equal positions share: board, side and barred actions; not who traded, passes, or what was before."""
    height = tables.size + 4
    mixed = np.uint64(info[SIDE])
    for place in range(ROWS + height + 1, ROWS + height + tables.size + 1):
        mixed = _mixed(mixed, info[place] | info[place + height] << 32)
    for place in range(BARRED + 1, BARRED + 1 + info[BARRED]):
        mixed = _mixed(mixed, info[place])
    return np.int64(mixed)


@nb.njit(cache=True, inline="always")
def _mixed(mixed: np.uint64, word: int) -> np.uint64:
    mixed = (mixed ^ np.uint64(word)) * _MIX_1
    mixed = (mixed ^ (mixed >> _S29)) * _MIX_2
    return mixed ^ (mixed >> _S32)


@nb.njit(cache=True)
def _remember(tables: Tables, info: Ints, paved: bool) -> None:
    """Appends the key of the position, behind which nothing before a paving can return, and draws by repetition."""
    begin = ROWS + 5 * (tables.size + 4)
    count = 0 if paved else info[_KEYS]
    if count == len(info) - begin:
        info[begin : begin + count - 1] = info[begin + 1 : begin + count].copy()
        count -= 1
    this = key(tables, info)
    seen = 1
    for place in range(begin, begin + count):
        seen += info[place] == this
    info[begin + count] = this
    info[_KEYS] = count + 1
    if seen >= tables.repetition:
        info[RESULT] = DRAWN


@nb.njit(cache=True)
def _short(tables: Tables, info: Ints) -> bool:
    """Whether the reserve of the side to move lacks the two tiles of a paving."""
    if tables.reserve == 0:
        return False
    height = tables.size + 4
    tiles = 0
    for place in range(ROWS + info[SIDE] * height + 1, ROWS + info[SIDE] * height + tables.size + 1):
        tiles += popcount(info[place])
    return tiles + 2 > tables.reserve


@nb.njit(cache=True)
def _may_turn(tables: Tables, board: Cells, info: Ints, edge: int, short: bool) -> bool:
    """Whether the side to move may pave or swap at that edge."""
    first, second = board[tables.edges[edge, 0]], board[tables.edges[edge, 1]]
    if first == 0 or second == 0:
        return first != info[SIDE] and second != info[SIDE] and not short
    return first != second and info[DISPUTES] != 0 and _in_dispute(tables, info, edge) and not _is_barred(info, edge)


@nb.njit(cache=True)
def _is_barred(info: Ints, edge: int) -> bool:
    for place in range(BARRED + 1, BARRED + 1 + info[BARRED]):
        if info[place] == edge:
            return True
    return False


@nb.njit(cache=True)
def _in_dispute(tables: Tables, info: Ints, edge: int) -> bool:
    """Whether a dispute holds both cells of the edge: the square to its south or east, or the one to its north or west."""
    row = ROWS + 3 * (tables.size + 4) + tables.edges[edge, 2]
    near, far = tables.edges[edge, 3], tables.edges[edge, 4]
    if far == 0:
        return (info[row] | info[row - 1]) & near & (near >> 1) != 0
    return info[row] & (near | near >> 1) != 0


@nb.njit(cache=True)
def _swap(tables: Tables, info: Ints, number: int) -> int:
    """The swap of that number, four for each dispute; -1 if the same swap has another number too, the one that counts."""
    squares = ROWS + 3 * (tables.size + 4) + 1
    dispute, side = number >> 2, number & 3
    while popcount(info[squares]) <= dispute:
        dispute -= popcount(info[squares])
        squares += 1
    bits = info[squares]
    for _ in range(dispute):
        bits &= bits - 1
    bit = bits & -bits
    y = squares - ROWS - 3 * (tables.size + 4)
    cell = y * (tables.size + 2) + lowest_bit(bits)
    if side == 0:
        return -1 if info[squares - 1] & bit != 0 else tables.east[cell]
    if side == 1:
        return tables.east[cell + tables.size + 2]
    if side == 2:
        return -1 if info[squares] & (bit >> 1) != 0 else tables.south[cell]
    return tables.south[cell + 1]


@nb.njit(cache=True)
def _bar(
    tables: Tables, board: Cells, info: Ints, y: int, resolved: tuple[int, int, int], concrete: tuple[int, int, int]
) -> None:
    """Bars every turn that brings back a resolved dispute, given as squares in rows y to y + 2 and concrete's tiles then."""
    width = tables.size + 2
    short = _short(tables, info)
    for edge in range(len(tables.edges)):
        if not _may_turn(tables, board, info, edge, short):
            continue
        first, second = tables.edges[edge, 0], tables.edges[edge, 1]
        held = board[first], board[second]
        if held[0] != 0 and held[1] != 0:
            board[first], board[second] = held[1], held[0]
        else:
            board[first] = board[second] = info[SIDE]
        back = False
        for k in range(3):
            bits = resolved[k]
            while bits != 0:
                corner = (y + k) * width + lowest_bit(bits)
                colour = board[corner]
                if (
                    colour in (1, 2)
                    and board[corner + 1] == board[corner + width] == 3 - colour
                    and board[corner + width + 1] == colour
                    and (tables.ko == ANY or (concrete[k] & bits & -bits != 0) == (colour == 1))
                ):
                    back = True
                bits &= bits - 1
        board[first], board[second] = held
        if back:
            info[BARRED] += 1
            info[BARRED + info[BARRED]] = edge


@nb.njit(cache=True, inline="always")
def _disputes(info: Ints, height: int, row: int) -> int:
    """The disputes between a row, given as its place among the empty cells, and the next."""
    concrete, concrete_next = info[row + height], info[row + height + 1]
    asphalt, asphalt_next = info[row + 2 * height], info[row + 2 * height + 1]
    falling = concrete & (asphalt >> 1) & asphalt_next & (concrete_next >> 1)
    return falling | (asphalt & (concrete >> 1) & concrete_next & (asphalt_next >> 1))


@nb.njit(cache=True, inline="always")
def _indestructible(info: Ints, height: int, row: int) -> int:
    """The indestructible tiles of a row, given as its place among the empty cells."""
    empty = info[row]
    squares = info[row + 3 * height] | info[row + 3 * height - 1]
    bad = (empty << 1) | (empty >> 1) | info[row - 1] | info[row + 1] | squares | (squares << 1)
    return (info[row + height] | info[row + 2 * height]) & ~bad


@nb.njit(cache=True)
def _connected(tables: Tables, info: Ints, work: Ints, colour: int) -> bool:
    """Whether a path of indestructible tiles joins the two sides of the colour."""
    size = tables.size
    height = size + 4
    own, firm = ROWS + colour * height, ROWS + 4 * height
    # First what costs little: side by side over every line between two columns or two rows.
    if colour == 1:
        across = np.int64(0)
        for y in range(1, size + 1):
            tiles = info[own + y] & info[firm + y]
            across |= tiles & (tiles >> 1)
        if across != (1 << size) - 2:
            return False
    else:
        for y in range(1, size):
            if info[own + y] & info[firm + y] & info[own + y + 1] & info[firm + y + 1] == 0:
                return False
    reached = work[len(work) - height :]
    goal = np.int64(1) << size
    for y in range(1, size + 1):
        tiles = info[own + y] & info[firm + y]
        reached[y] = tiles & 2 if colour == 1 else (tiles if y == 1 else 0)
    grew, step = True, 1
    while grew:  # row by row to the south, back to the north, and so on
        grew = False
        for k in range(1, size + 1):
            y = k if step == 1 else size + 1 - k
            before = reached[y]
            tiles = info[own + y] & info[firm + y]
            now = _filled((before | reached[y - 1] | reached[y + 1]) & tiles, tiles, size)
            if now & goal if colour == 1 else (y == size and now != 0):
                return True
            grew = grew or now != before
            reached[y] = now
        step = -step
    return False


@nb.njit(cache=True, inline="always")
def _filled(seeds: int, tiles: int, size: int) -> int:
    """All tiles of a row in one run with a seed."""
    up = seeds | (tiles & (tiles ^ (tiles + seeds)))  # the sum carries through the run
    down = up
    run = tiles
    shift = 1
    while shift < size:
        down |= run & (down >> shift)
        run &= run >> shift
        shift *= 2
    return down
