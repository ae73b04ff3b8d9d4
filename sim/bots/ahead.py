"""What comes after a move: playouts from a table, and from what it is after its next ply, on the
kernels of `sim.batch`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sim.batch import fans
from sim.batch.arrays import INSET, STUCK, Arrays
from sim.batch.listing import COLUMNS
from sim.batch.tables import check_exact, of_table
from sim.bots.playouts import (
    BUILT,
    ENTERED,
    HOUSED,
    MISSED_TURN,
    SAMPLED,
    Desk,
    playouts,
)
from sim.referee import room
from sim.referee.obstacles import block_of
from sim.referee.placement import Build, Entrance, Exit, Pass, Placement, SetBuilding
from sim.referee.table import Table

MOST = 100
"""Plies of a playout."""

_RAW = 4096  # places that the policy samples in a turn
_LIST = 64  # entrances or buildings
_SPOTS = 256  # cars that may stand on one road


class Policy(NamedTuple):
    """What things are worth to the policy of playouts, in cars: all grey discs left, a yellow disc,
    being 100 mm closer to the open ends of others; how much chance adds; and the chances to pass
    where no car can be earned and a turn may be passed, and to decline the cars of a turn.

    The defaults are those that won most games of playouts against others (`Ahead.of_table` takes
    one for each side); they began with the learnt weights of the player `policy`, which say the
    same of discs, distances and passes. Less chance would win a few more of them, but playouts are
    to differ.
    """

    discs: float = 2.8
    yellow: float = -0.3
    near: float = 0.4
    noise: float = 0.3
    waits: float = 1.0
    declines: float = 0.01


POLICY = Policy()


def may_wait(table: Table) -> bool:
    """Whether a player passes at all, where it could build.

    The French rules let a turn be passed (FR 4), and know two ends of a game only: a player has
    placed all cars (FR 10.1), or all others are out of material (FR 10.2). If all pass for ever,
    neither comes, and nobody wins. So no player waits once every player has had a turn without a
    new pillar: who began to wait builds.
    """
    if not table.ruleset.may_pass or table.phase != "play" or table.unable(table.to_move):
        return False
    last = max((pillar.turn for pillar in table.pillars), default=0)
    if len(table.pillars) == table.turns.seats:  # those of the entrances
        last = -1
    return table.turn - 1 - last < len(table.turns.active)


class Ahead(NamedTuple):
    """A table as arrays, and the ply that playouts begin with. `room` and `desk` are the workspace,
    which all that come of one table share; `rank` are the rows of pillars, `kinds` of buildings.
    """

    start: Arrays
    room: Arrays
    desk: Desk
    first: npt.NDArray[np.float64]
    rank: dict[str, int]
    kinds: tuple[str, ...]

    @classmethod
    def of_table(cls, table: Table, policy: Policy = POLICY, *others: Policy) -> Ahead:
        """A table, without a ply to begin with. The seats play by the policies in turn. Raises
        InputError for a table noted by hand.
        """
        seats = [(policy, *others)[k % (1 + len(others))] for k in range(len(table.stocks))]
        check_exact(table)
        start, kinds = of_table(table), tuple(sorted(table.components.buildings))
        every: dict[str, Any] = start._asdict()
        space = Arrays(**{name: array.copy() for name, array in every.items()})
        blocks = [block_of(table.components, kind, (0.0, 0.0), 0.0) for kind in kinds]
        finely = room.BEARINGS, room.DISTANCES, room.INSET, INSET, STUCK
        desk = Desk(
            np.array(seats, dtype=np.float64),
            np.array(finely, dtype=np.float64),
            np.zeros(1, dtype=np.uint64),
            np.zeros(1 + SAMPLED),
            np.array(blocks, dtype=np.float64).reshape(-1, 9),
            np.zeros((_RAW, SAMPLED)),
            np.zeros((_LIST, COLUMNS)),
            np.zeros((len(start.roads), 8)),
            np.zeros(_SPOTS),
        )
        rank = {pillar.id: row for row, pillar in enumerate(table.pillars)}
        return cls(start, space, desk, desk.first.copy(), rank, kinds)

    def after(self, move: Placement, cars: int = 0) -> Ahead:
        """The same table after a legal move, which places so many cars. Raises TypeError for a
        resignation or an adjustment.
        """
        first = np.zeros(1 + SAMPLED)
        match move:
            case Pass(reason):
                first[:2] = MISSED_TURN, reason is not None
            case Entrance(at, toward):
                first[:5] = ENTERED, 0, *at, toward
            case SetBuilding(kind, at, turn):
                first[:5] = HOUSED, self.kinds.index(kind), *at, turn
            case Build(base, at, discs, junction):
                first[:7] = BUILT, self.rank[base], *at, discs, junction, cars
            case Exit(base, at):
                first[:7] = BUILT, self.rank[base], *at, 0, 0, cars
            case _:
                raise TypeError(f"playouts do not go on from {move.kind}")
        return self._replace(first=first)

    def play(self, seat: int, times: int, seed: int, most: int = MOST) -> float:
        """The sum of what `seat` gets in so many playouts of at most `most` plies after the first:
        1 for a win.
        """
        self.desk.chance[0], self.desk.first[:] = np.uint64(seed), self.first
        return float(playouts(seat, times, most, self.start, self.room, self.desk))

    def then(self) -> Arrays:
        """The table after the first ply, in the workspace."""
        self.play(0, times=1, seed=0, most=0)
        return self.room


def compile_ahead() -> None:
    """Compiles the playouts and what proposes placements, or loads them if this machine has kept
    them, so that no first turn waits for it.
    """
    fans.prepare()
    Ahead.of_table(Table.start(2)).play(0, times=1, seed=0, most=1)
