"""Compiled playouts on the kernels of `sim.batch`: a quick policy plays a table on to its end, for
every seat, by the rules of the referee, on geometry alone.

Legal is what the referee says, under every option: places, crossings, cars and where they stand,
entrances, buildings, passes, who is out. Two things are a playout's own. Where the middle line of a
road has not room for all its cars, those without a place count as placed and stand nowhere. And
nobody passes for ever: see `may_wait`.

The policy samples places around every base point of the seat to move and values them at once, as
`sim.bots.weighing` does: cars, then discs and yellow discs saved, then the way to the open ends of
the others. It sees one ply. What a place earns is guessed by centre lines first, and only the best
are judged, best first: nearly all the time of a playout would go into judging the others.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rules.grid.kernels.dispatch import copy, draw
from rules.grid.kernels.jit import njit_entry, njit_inline, njit_linked
from sim.batch import fans
from sim.batch.arrays import (
    CARS,
    DISCS,
    GONE,
    GREY,
    INSET,
    JUNCTION,
    LEAVING,
    MOVER,
    ND,
    NOW,
    NP,
    NR,
    OWNER,
    SEAT,
    STUCK,
    TURN,
    Arrays,
    R,
)  # fmt: skip
from sim.batch.judging import (
    add_car,
    exit_span,
    g,
    gone_bits,
    is_base,
    is_returned,
    is_unable,
    judge_place,
    kinds_of,
    last_pillar,
    lay,
    road_of,
    rounded,
)  # fmt: skip
from sim.batch.listing import (
    BASE,
    COLUMNS,
    TO,
    X,
    Y,
    buildings,
    enter,
    entrances,
    free_sides,
    house,
    is_open,
)
from sim.batch.tables import check_exact, of_table
from sim.batch.turns import (
    BUILDINGS,
    ENTRANCES,
    after_ply,
    after_setup,
    is_over,
    phase,
    winners,
)
from sim.referee import (
    Build,
    CarSpot,
    Entrance,
    Exit,
    Pass,
    Placement,
    SetBuilding,
    Table,
    block_of,
    room,
)

# columns of a sampled place, the first ones as in a list of `sim.batch.listing`: base, x, y, discs
# (0: an exit), yellow discs; the cars that it earns, whether the rules judged it, what it is worth
GOLD, EARNED, JUDGED, WORTH = range(4, 8)
SAMPLED = 8
# what `Desk.first` says: the kind of the first ply, then the columns above down to EARNED
NOTHING, BUILT, MISSED_TURN, ENTERED, HOUSED = range(5)
# what things are worth to the policy (`Policy`)
W_DISCS, W_YELLOW, W_NEAR, W_NOISE, W_WAITS, W_DECLINES = range(6)
# how finely places are sampled when few samples find nothing: the referee's own search
ALL_BEARINGS, ALL_DISTANCES, ALL_INSET, FEW_INSET, W_STUCK = range(5)

BEARINGS = 16
_RARE = 4  # junctions are rare: one bearing in so many is enough to find their use
_WINS = 100.0
_NEVER = -1e9


class Desk(NamedTuple):
    """What playouts need beside a table: the policy of each seat (s, 6); how to sample (see above);
    the state of the random numbers; the first ply; buildings as in `sim.batch.listing.listed`; and
    room for samples (m, 8), for lists of the set-up (k, 7), and for roads with a free side (r, 8).
    """

    policy: npt.NDArray[np.float64]
    search: npt.NDArray[np.float64]
    chance: npt.NDArray[np.uint64]
    first: npt.NDArray[np.float64]
    blocks: npt.NDArray[np.float64]
    raw: npt.NDArray[np.float64]
    rows: npt.NDArray[np.float64]
    free: npt.NDArray[np.float64]
    found: npt.NDArray[np.float64]


@njit_inline
def _random(chance: Any) -> float:
    """A number of [0, 1)."""
    return float(draw(chance) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


# --- places ---------------------------------------------------------------------------------------


@njit_inline
def _free_roads(t: Any, seat: int, free: Any) -> int:
    """Leaves the lines of the roads on which a seat may earn a car in `free`; how many there are.

    With crossing_scope = point a side is taken in places only, so every road counts.
    """
    n, gone = 0, gone_bits(t)
    for k in range(t.counts[NR]):
        over, under = free_sides(t, k, seat, gone)
        if t.rules[R.nearby] and t.of[k, OWNER] != seat:
            over, under = 1, 1
        if over or under:
            row = free[n]
            for c in range(6):
                row[c] = t.lines[k, c]
            row[6], row[7] = over, under
            n += 1
    return n


@njit_inline
def _guessed(z: Any, free: Any, n: int, line: Any) -> int:
    """The cars of a road, by the centre lines of roads with a free side."""
    cars = 0
    for k in range(n):
        row = free[k]
        met, _, _, level, other = g.meeting(z, False, line, row)
        if met:
            cars += int(row[6] if level > other else row[7])
    return cars


@njit_inline
def _is_taken(t: Any, x: float, y: float) -> bool:
    """Whether a pillar at that place would stand in another."""
    least = 4.0 * t.sizes[g.RADIUS] ** 2
    for k in range(t.counts[ND]):
        dx, dy = t.discs[k, 0] - x, t.discs[k, 1] - y
        if dx * dx + dy * dy < least:
            return True
    return False


@njit_linked
def _sampled(t: Any, desk: Any, seat: int, nfree: int, whole: bool) -> int:
    """Samples places around every base point of the seat to move; how many there are. `whole`: all
    that the referee's own search looks at.
    """
    search, chance, raw, z = desk.search, desk.chance, desk.raw, t.sizes
    policy = desk.policy[seat]
    stock, last, n = t.seats[seat], last_pillar(t, seat), 0
    gx, gy, goals, bases = 0.0, 0.0, 0, 0
    for k in range(t.counts[NP]):
        if is_base(t, k, seat, last):
            bases += 1
        elif t.pillars[k, SEAT] != seat and is_open(t, k) and not t.seats[t.pillars[k, SEAT], GONE]:
            gx, gy, goals = gx + t.places[k, 0], gy + t.places[k, 1], goals + 1
    if goals:
        gx, gy = gx / goals, gy / goals
    bearings = int(search[ALL_BEARINGS]) if whole else BEARINGS
    inset = search[ALL_INSET] if whole else search[FEW_INSET]
    for base in range(t.counts[NP]):
        if not is_base(t, base, seat, last):
            continue
        discs, px, py = t.pillars[base, DISCS], t.places[base, 0], t.places[base, 1]
        both = t.pillars[base, JUNCTION] == 1 and t.pillars[base, LEAVING] == 0
        leaving = search[W_STUCK] if bases == 1 and not both else 0.0
        turn, (low, most) = 0.0 if whole else _random(chance), exit_span(t, discs)
        for kind in range(-1, kinds_of(t, base, not whole)):
            to, gold, near, far = road_of(t, base, kind, inset)
            if near > far:
                continue
            steps = int(search[ALL_DISTANCES]) if whole and to else 1
            spent = policy[W_DISCS] * (to - gold) / (stock[GREY] + 1.0) if to else 0.0
            spent += policy[W_YELLOW] * gold
            every = 1 if whole or not gold else _RARE
            for i in range(steps):
                for b in range(0, bearings, every):
                    away = near
                    if to:
                        share = i / (steps - 1.0) if whole else _random(chance)
                        away = near + (far - near) * share
                    angle = 2.0 * math.pi * (b + turn) / bearings
                    x = rounded(px + away * math.cos(angle))
                    y = rounded(py + away * math.sin(angle))
                    if n == len(raw) or (to and _is_taken(t, x, y)):
                        continue
                    if to == 0 and not low <= g.hypot(x - px, y - py) <= most:
                        continue
                    line = (px, py, x, y, float(discs), float(to))
                    cars = _guessed(z, desk.free, nfree, line)
                    cars = min(cars + int(to == 0), stock[CARS])
                    worth = cars - spent + policy[W_NOISE] * _random(chance)
                    if cars == stock[CARS]:
                        worth += _WINS
                    elif to == 0:
                        worth -= leaving
                    if goals:
                        worth -= policy[W_NEAR] * g.hypot(x - gx, y - gy) / 100.0
                    row = raw[n]
                    row[BASE], row[X], row[Y], row[TO], row[GOLD] = base, x, y, to, gold
                    row[EARNED], row[JUDGED], row[WORTH] = cars, 0.0, worth
                    n += 1
    return n


@njit_inline
def _best(t: Any, desk: Any, seat: int, n: int) -> int:
    """The row of the legal sample that is worth most, -1 if none is legal. Samples are judged as
    late as they can be.
    """
    raw, left = desk.raw, t.seats[seat, CARS]
    while True:
        best, worth = -1, _NEVER
        for i in range(n):
            if raw[i, WORTH] > worth:
                best, worth = i, raw[i, WORTH]
        if best < 0:
            return -1
        row = raw[best]
        if row[JUDGED]:
            return best
        cars = judge_place(t, int(row[BASE]), row[X], row[Y], int(row[TO]))
        if cars < 0:
            row[WORTH] = _NEVER
            continue
        cars = min(cars, left)
        if row[EARNED] == left and cars < left:
            row[WORTH] -= _WINS
        elif row[EARNED] < left and cars == left:
            row[WORTH] += _WINS
        row[WORTH] += cars - row[EARNED]
        row[EARNED], row[JUDGED] = cars, 1.0


# --- plies ----------------------------------------------------------------------------------------


@njit_inline
def _may_wait(t: Any) -> bool:
    """`may_wait`, without its question whether there is anything to build."""
    if not t.rules[R.may_pass]:
        return False
    last, active = 0, 0
    for k in range(t.counts[NP]):
        last = max(last, t.pillars[k, TURN])
    for seat in range(len(t.seats)):
        active += t.seats[seat, GONE] == 0
    if t.counts[NP] == len(t.seats):  # the pillars of the entrances
        last = -1
    return bool(t.counts[NOW] - 1 - last < active)


@njit_linked
def _built(t: Any, row: Any, cars: int, desk: Any) -> None:
    """Builds what a row says, with so many cars."""
    seat, base, to = t.counts[MOVER], int(row[BASE]), int(row[TO])
    count = min(cars, t.seats[seat, CARS])
    placed = lay(t, base, row[X], row[Y], to, int(row[GOLD]), count, desk.found)
    if placed < count:
        for k in range(placed):
            add_car(t, t.counts[NR] - 1, desk.found[k], 0.0)
        t.seats[seat, CARS] -= count - placed - is_returned(t, seat, count - placed)


@njit_linked
def _set_up(t: Any, desk: Any, now: int) -> bool:
    """A ply of the set-up: the usual entrance half the time, otherwise any; any building. False if
    there is no room for one.
    """
    if now == ENTRANCES:
        n = entrances(t, desk.rows)
        if n == 0:
            return False
        usual = _random(desk.chance) < 0.5
        row = desk.rows[0 if usual else int(n * _random(desk.chance))]
        enter(t, row[X], row[Y], row[TO])
    else:
        n = buildings(t, desk.blocks, desk.rows)
        house(t, desk.blocks, desk.rows[int(n * _random(desk.chance))])
    after_setup(t)
    return True


@njit_linked
def _ply(t: Any, desk: Any) -> bool:
    """The policy's ply for the seat to move; False if the game cannot go on."""
    now = phase(t)
    if now <= BUILDINGS:
        return _set_up(t, desk, now)
    seat, best, no_room = t.counts[MOVER], -1, False
    policy = desk.policy[seat]
    had = t.seats[seat, CARS]
    if not is_unable(t, seat):
        nfree = _free_roads(t, seat, desk.free)
        for whole in range(2):
            best = _best(t, desk, seat, _sampled(t, desk, seat, nfree, whole == 1))
            if best >= 0:
                break
        no_room = best < 0
    if best >= 0:
        cars = int(desk.raw[best, EARNED])
        if cars == 0 and _may_wait(t) and _random(desk.chance) < policy[W_WAITS]:
            best = -1
        elif cars > 0 and cars < had and _random(desk.chance) < policy[W_DECLINES]:
            cars = 0
        if best >= 0:
            _built(t, desk.raw[best], cars, desk)
    after_ply(t, best >= 0, had - t.seats[seat, CARS], no_room)
    return True


@njit_inline
def _first_ply(t: Any, desk: Any) -> None:
    """The ply that `desk.first` says, by the seat to move."""
    first, seat = desk.first, t.counts[MOVER]
    kind, row, had = int(first[0]), first[1:], t.seats[seat, CARS]
    if kind == ENTERED:
        enter(t, row[X], row[Y], row[TO])
    elif kind == HOUSED:
        house(t, desk.blocks, row)
    elif kind == BUILT:
        _built(t, row, int(row[EARNED]), desk)
    if kind >= ENTERED:
        after_setup(t)
    elif kind:
        after_ply(t, kind == BUILT, had - t.seats[seat, CARS], row[0] > 0)


# --- games ----------------------------------------------------------------------------------------


@njit_inline
def _share(t: Any, seat: int) -> float:
    """What a seat gets of a game that was not played to its end, by the cars that all have left."""
    total, mine = 0.0, 0.0
    for k in range(len(t.seats)):
        if not t.seats[k, GONE]:
            share = math.exp(-0.8 * t.seats[k, CARS] + 0.4 * (k == t.counts[MOVER]))
            total += share
            if k == seat:
                mine = share
    return mine / total


@njit_inline
def _end(t: Any, seat: int) -> float:
    """What a seat gets if the table shows who wins: 1, 0, or its part of a shared first place; -1
    if it does not show yet.
    """
    finished = False
    for k in range(len(t.seats)):
        finished = finished or t.seats[k, GONE] == 1
    if not (finished or is_over(t)):
        return -1.0 if t.seats[seat, GONE] == 0 else 0.0
    best, many = winners(t), 0
    for k in range(len(t.seats)):
        many += best >> k & 1
    return (best >> seat & 1) / float(many)


@njit_inline
def _playout(seat: int, most: int, t: Any, desk: Any) -> float:
    """Plays on until it shows who wins, or for `most` plies."""
    for _ in range(most):
        got = _end(t, seat)
        if got >= 0.0:
            return got
        if not _ply(t, desk):
            break
    got = _end(t, seat)
    return got if got >= 0.0 else _share(t, seat)


@njit_linked
def _copied(start: Any, t: Any) -> None:
    """Copies the table that playouts start from into the workspace."""
    copy(start.roads, t.roads)
    copy(start.lines, t.lines)
    copy(start.of, t.of)
    copy(start.places, t.places)
    copy(start.pillars, t.pillars)
    copy(start.discs, t.discs)
    copy(start.under, t.under)
    copy(start.cars, t.cars)
    copy(start.on, t.on)
    copy(start.spots, t.spots)
    copy(start.blocks, t.blocks)
    copy(start.sites, t.sites)
    copy(start.built, t.built)
    copy(start.seats, t.seats)
    copy(start.counts, t.counts)


@njit_entry
def playouts(seat: int, times: int, most: int, start: Any, t: Any, desk: Any) -> float:
    """The sum of what `seat` gets in that many playouts from `start`, each the first ply of the
    desk and at most `most` more.

    `t` is the workspace: its arrays have room for what is built. The playouts advance the random
    numbers of the desk.
    """
    total = 0.0
    for _ in range(times):
        _copied(start, t)
        _first_ply(t, desk)
        total += _playout(seat, most, t, desk)
    return total


# --- from Python: a table, and what it is after its next ply --------------------------------------

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

    def entrances(self) -> list[Entrance]:
        """The legal entrances of the seat to move, as `sim.Batch` lists them: the usual one, its
        place turned about the middle of the table by eighths of a circle, and its ramp by eighths;
        on smaller circles as long as there is none.
        """
        self.play(0, times=1, seed=0, most=1)  # a playout's set-up leaves the list on the desk
        rows = self.desk.rows[self.desk.rows[:, EARNED] > 0].tolist()
        return [Entrance((x, y), toward, CarSpot(0.5)) for _, x, y, toward, *_ in rows]


def compile_ahead() -> None:
    """Compiles the playouts and what proposes placements, or loads them if this machine has kept
    them, so that no first turn waits for it.
    """
    fans.prepare()
    Ahead.of_table(Table.start(2)).play(0, times=1, seed=0, most=1)
