"""How well each side of Thruway is connected: the electrical resistance between its two borders.

This is Shannon's machine for Hex, extended to Thruway. For each colour the board is a net of
resistors. Every cell has a resistance that depends on what it holds, and the colour's two borders
are the poles. A tile that can no longer be lost conducts well, a tile of the other colour badly.
How many of a tile's neighbours are empty tells who will have it in the end (the designer's
approaches). The resistances of the kinds of cells are fitted to the results of games
(tools/thruway_weights.py).

Relaxation starts from the potentials of the previous position, which differ little, so a few sweeps
are enough. The conductance is computed from the power at the given potentials: its error is of
second order. The current through a cell shows how important the cell is.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rules.grid.kernels import thruway as kernel
from rules.grid.kernels.dispatch import SIDE
from rules.grid.kernels.jit import njit_entry, njit_inline, u64

_LOOSE, _OTHER, _EMPTY = 1, 11, 22
_OVER = 1.5  # successive overrelaxation
KINDS = 38
"""Kinds of cells to a colour: 0 an own tile that is indestructible; from 1 other own tiles, by
empty neighbours and + 5 in a dispute; 11 and from 12 the same of the other colour; from 22 empty
cells by own and 4 * the other's neighbours, 3 at most."""

Reals = npt.NDArray[np.float64]


class Flow(NamedTuple):
    """The two nets of resistors, one for each colour.

    `pairs` float64[KINDS, KINDS + 1]: the conductance between two kinds of cells; in the last
    column between a cell and a pole. `blend` float64[4]: the weights of `value`. `kinds` int64[2,
    cells]: the kinds of the cells.

    The other arrays have a number for each colour and cell. `potential`: 1 at the western or
    northern border, 0 at the other. `along`: the conductance to the next cell on the way to the
    other border. `aside`: that to the next cell beside it. `inverse`: 1 over the sum of the cell's
    conductances. `current`: the share of the whole current that flows through the cell.

    All arrays are laid out so that a colour goes from row to row: asphalt's board as it is,
    concrete's mirrored.
    """

    pairs: Reals
    blend: Reals
    potential: Reals
    along: Reals
    aside: Reals
    inverse: Reals
    current: Reals
    kinds: npt.NDArray[np.int64]


def flow(size: int, resistance: Reals, blend: Reals) -> Flow:
    """Room to work in; `resistance` float64[KINDS] are logarithms."""
    width = size + 2
    potential, along, aside, inverse, current = (np.zeros((2, width * width)) for _ in range(5))
    kinds = np.zeros((2, width * width), np.int64)
    ohms = np.exp(resistance)
    net = Flow(
        2 / (ohms[:, None] + np.append(ohms, 0.0)),
        blend,
        potential,
        along,
        aside,
        inverse,
        current,
        kinds,
    )
    restart(size, net)
    return net


@njit_entry
def restart(size: int, net: Flow) -> None:
    """Sets the potentials of an empty board, so that results do not depend on earlier positions."""
    width = size + 2
    for colour in range(2):
        for cell in range(width * width):
            net.potential[colour, cell] = min(max(1.0 - (cell // width - 0.5) / size, 0.0), 1.0)


@njit_entry
def classify(tables: kernel.Tables, board: kernel.Cells, info: kernel.Words, kinds: Any) -> None:
    """The kinds of all cells to concrete (mirrored) and to asphalt."""
    size = tables.size & 31
    width = size + 2
    for y in range(1, size + 1):
        row = kernel.ROWS + 5 * y
        squares = info[u64(row + 3)] | info[u64(row - 5 + 3)]
        squares |= squares << 1
        firm = info[u64(row + 4)]
        for x in range(1, size + 1):
            cell = y * width + x
            mirrored = x * width + y
            a, b, c, d = (
                board[u64(cell - 1)],
                board[u64(cell + 1)],
                board[u64(cell - width)],
                board[u64(cell + width)],
            )
            tile = board[u64(cell)]
            if tile == 0:
                ones = int(a == 1) + int(b == 1) + int(c == 1) + int(d == 1)
                twos = int(a == 2) + int(b == 2) + int(c == 2) + int(d == 2)
                ones, twos = min(ones, 3), min(twos, 3)
                kinds[0, u64(mirrored)] = _EMPTY + ones + 4 * twos
                kinds[1, u64(cell)] = _EMPTY + twos + 4 * ones
                continue
            kind = 0
            if firm >> x & 1 == 0:
                kind = (
                    _LOOSE
                    + int(a == 0)
                    + int(b == 0)
                    + int(c == 0)
                    + int(d == 0)
                    + 5 * (squares >> x & 1)
                )
            kinds[0, u64(mirrored)] = kind if tile == 1 else kind + _OTHER
            kinds[1, u64(cell)] = kind if tile == 2 else kind + _OTHER


@njit_inline
def _conductances(size: int, net: Flow, colour: int) -> None:
    """From the kinds of cells; a resistor between two cells is half of each, one at a pole half of
    its cell.
    """
    width = size + 2
    kinds, along, aside, inverse = (
        net.kinds[colour],
        net.along[colour],
        net.aside[colour],
        net.inverse[colour],
    )
    for x in range(1, size + 1):
        along[u64(x)] = net.pairs[u64(kinds[u64(width + x)]), KINDS]
    for y in range(1, size + 1):
        before = 0.0
        for x in range(1, size + 1):
            cell = y * width + x
            pairs = net.pairs[u64(kinds[u64(cell)])]
            onward = pairs[u64(kinds[u64(cell + width)] if y < size else KINDS)]
            beside = pairs[u64(kinds[u64(cell + 1)])] if x < size else 0.0
            along[u64(cell)] = onward
            aside[u64(cell)] = beside
            inverse[u64(cell)] = 1.0 / (onward + along[u64(cell - width)] + beside + before)
            before = beside


@njit_inline
def _sweep(
    along: Reals, aside: Reals, inverse: Reals, potential: Reals, width: int, cell: int, step: int
) -> None:
    """Relaxes the potentials of a row from a cell on, to the east (`step` 1) or the west (-1)."""
    behind, ahead = (-1, 0) if step > 0 else (0, -1)
    before = 0.0
    # Everything that does not depend on the previous cell is computed first; then one product and
    # one sum are left.
    for _ in range(width - 2):
        rest = (
            along[u64(cell)] * potential[u64(cell + width)]
            + along[u64(cell - width)] * potential[u64(cell - width)]
        )
        rest += aside[u64(cell + ahead)] * potential[u64(cell + step)]
        over = _OVER * inverse[u64(cell)]
        before = (
            over * rest
            - (_OVER - 1.0) * potential[u64(cell)]
            + over * aside[u64(cell + behind)] * before
        )
        potential[u64(cell)] = before
        cell += step


@njit_entry
def relax(size: int, net: Flow, colour: int, sweeps: int) -> float:
    """Relaxes the potentials in `sweeps` sweeps there and back; returns the conductance between the
    poles.
    """
    width = size + 2
    _conductances(size, net, colour)
    along, aside, inverse, potential = (
        net.along[colour],
        net.aside[colour],
        net.inverse[colour],
        net.potential[colour],
    )
    for _ in range(sweeps):
        for y in range(1, size + 1):
            _sweep(along, aside, inverse, potential, width, y * width + 1, 1)
        for y in range(size, 0, -1):
            _sweep(along, aside, inverse, potential, width, y * width + size, -1)
    power = 0.0
    for y in range(size + 1):
        for x in range(1, size + 1):
            cell = y * width + x
            drop, slope = (
                potential[u64(cell)] - potential[u64(cell + width)],
                potential[u64(cell)] - potential[u64(cell + 1)],
            )
            power += along[u64(cell)] * drop * drop + aside[u64(cell)] * slope * slope
    return power


@njit_entry
def value(
    tables: kernel.Tables, board: kernel.Cells, info: kernel.Words, net: Flow, sweeps: int
) -> float:
    """The logarithm of the odds that concrete wins: the log ratio of the conductances plus the
    value of having the turn, each with a weight that changes from the empty to the full board.
    """
    size = tables.size & 31
    classify(tables, board, info, net.kinds)
    better = np.log(relax(size, net, 0, sweeps) / relax(size, net, 1, sweeps))
    empty = 0
    for cell in range(len(board)):
        empty += board[cell] == 0
    full = 1.0 - empty / (size * size)
    turn = 1.0 if info[SIDE] == 0 else -1.0
    blend = net.blend
    return float((blend[0] + blend[1] * full) * better + (blend[2] + blend[3] * full) * turn)


@njit_entry
def currents(size: int, net: Flow) -> None:
    """The share of each colour's current that flows through each cell, after `value`."""
    width = size + 2
    for colour in range(2):
        along, aside, potential, current = (
            net.along[colour],
            net.aside[colour],
            net.potential[colour],
            net.current[colour],
        )
        whole = 1e-9
        for x in range(1, size + 1):
            whole += along[u64(x)] * (1.0 - potential[u64(width + x)])
        for y in range(1, size + 1):
            for x in range(1, size + 1):
                cell = y * width + x
                here = potential[u64(cell)]
                through = (
                    abs(along[u64(cell)] * (here - potential[u64(cell + width)]))
                    + abs(along[u64(cell - width)] * (here - potential[u64(cell - width)]))
                    + abs(aside[u64(cell)] * (here - potential[u64(cell + 1)]))
                    + abs(aside[u64(cell - 1)] * (here - potential[u64(cell - 1)]))
                )
                current[u64(cell)] = 0.5 * through / whole
