"""What a batch does with all its tables, compiled: one call from Python for a step, a list of
candidates or an observation of every game.
"""

from typing import Any

from rules.grid.kernels.jit import njit_entry, njit_inline
from sim.batch.arrays import CARS, MOVER, NR, OWNER, Arrays
from sim.batch.judging import add_car, g, is_returned, judge_road, lay, take_sides_of
from sim.batch.listing import (
    BASE,
    COUNT,
    EARNED,
    GOLD,
    MISS,
    NO_ROOM,
    NOT,
    TO,
    X,
    Y,
    enter,
    features,
    frame,
    house,
    listed,
    pieces,
    stocks,
)
from sim.batch.turns import (
    BUILDINGS,
    ENTRANCES,
    PLAY,
    after_ply,
    after_setup,
    is_over,
    phase,
    winners,
)

# columns of what a step did, and the values of the first
WHAT, WANTED = range(2)
SET_UP, BUILT, MISSED_TURN = range(3)


@njit_inline
def one_of(b: Any, i: int) -> Any:
    """Table i of a batch, as views."""
    return Arrays(
        b.roads[i], b.lines[i], b.of[i], b.places[i], b.pillars[i], b.discs[i], b.under[i],
        b.cars[i], b.on[i], b.spots[i], b.blocks[i], b.sites[i], b.built[i], b.seats[i],
        b.counts[i], b.sizes, b.rules,
    )  # fmt: skip


@njit_entry
def list_all(
    b: Any, first: int, last: int, fan: Any, blocks: Any, raw: Any, rows: Any, told: Any,
    masks: Any,
) -> None:  # fmt: skip
    """Lists and masks of the games from `first` to `last`."""
    for i in range(first, last):
        t = one_of(b, i)
        listed(t, fan, blocks, raw, rows[i], told[i])
        most, play = rows.shape[1], phase(t) > BUILDINGS
        for k in range(most):
            offered = k < told[i, COUNT]
            masks[i, k] = offered
            masks[i, most + k] = offered and play and rows[i, k, EARNED] > 0
        masks[i, 2 * most] = told[i, MISS] != NOT


@njit_entry
def lay_all(b: Any, actions: Any, rows: Any, blocks: Any, found: Any, done: Any) -> None:
    """Lays the pieces of each action; `done` (n, 2) says what it was, and how many cars the referee
    is to place.
    """
    most = rows.shape[1]
    for i in range(len(actions)):
        action = actions[i]
        done[i, WHAT], done[i, WANTED] = SET_UP, 0
        if action == 2 * most:
            done[i, WHAT] = MISSED_TURN
            continue
        t, row = one_of(b, i), rows[i, action % most]
        now = phase(t)
        if now == ENTRANCES:
            enter(t, row[X], row[Y], row[TO])
        elif now == BUILDINGS:
            house(t, blocks, row)
        else:
            done[i, WHAT] = BUILT
            count = int(row[EARNED]) if action < most else 0
            count = min(count, t.seats[t.counts[MOVER], CARS])
            base, to, gold = int(row[BASE]), int(row[TO]), int(row[GOLD])
            if lay(t, base, row[X], row[Y], to, gold, count, found) < count:
                done[i, WANTED] = count


@njit_entry
def put_cars(b: Any, i: int, where: Any) -> None:
    """Cars on the road of table i that was laid last."""
    t = one_of(b, i)
    n = t.counts[NR] - 1
    seat = t.of[n, OWNER]
    for k in range(len(where) - is_returned(t, seat, len(where))):
        add_car(t, n, where[k, 0], where[k, 1])


@njit_entry
def finish_all(
    b: Any, done: Any, told: Any, had: Any, cap: int, plies: Any, rewards: Any, ended: Any,
    truncated: Any,
) -> None:  # fmt: skip
    """What follows each action: whose turn it is, and whether the game is over."""
    for i in range(len(rewards)):
        t = one_of(b, i)
        seat = t.counts[MOVER]
        if done[i, WHAT] == SET_UP:
            after_setup(t)
        else:
            placed, built = had[i, seat] - t.seats[seat, CARS], done[i, WHAT] == BUILT
            after_ply(t, built, placed, told[i, MISS] == NO_ROOM)
        plies[i] += 1
        over = is_over(t)
        ended[i] = over
        truncated[i] = not over and 0 < cap <= plies[i]
        best = winners(t) if over else 0
        for k in range(rewards.shape[1]):
            rewards[i, k] = (1.0 if best >> k & 1 else -1.0) if over else 0.0


@njit_entry
def see_all(
    b: Any,
    seat: int,
    rows: Any,
    told: Any,
    supply: Any,
    facts: Any,
    lists: Any,
    shown: Any,
    at: Any,
) -> None:
    """Fills the parts of an observation."""
    for i in range(len(facts)):
        t = one_of(b, i)
        who = t.counts[MOVER] if seat < 0 else seat
        frame(t, who, at)
        stocks(t, who, supply, facts[i])
        pieces(t, who, at, shown[i])
        if who == t.counts[MOVER]:
            features(t, rows[i], told[i], at, lists[i])
        else:
            lists[i] = 0.0


@njit_entry
def see_pieces(b: Any, i: int, out: Any, at: Any) -> None:
    """The pieces of table i as the seat to move sees them."""
    t = one_of(b, i)
    frame(t, t.counts[MOVER], at)
    pieces(t, t.counts[MOVER], at, out)


@njit_entry
def phase_of(b: Any, i: int) -> int:
    """The phase of table i."""
    return phase(one_of(b, i))


@njit_entry
def judge_many(t: Any, base: int, at: Any, discs: Any, yellow: Any, out: Any) -> None:
    """The cars of places of a table, not limited by the stock; -1 where one is illegal."""
    playing = phase(t) == PLAY
    for k in range(len(out)):
        out[k] = -1
        if playing:
            out[k] = judge_road(t, base, at[k, 0], at[k, 1], discs[k], yellow[k])


@njit_entry
def take_sides(t: Any) -> None:
    """Notes which roads run above and below which."""
    for n in range(t.counts[NR]):
        take_sides_of(t, n)


@njit_entry
def meet_all(z: Any, outlines: bool, new: Any, old: Any, meet: Any, level: Any, other: Any) -> None:
    """Which lines cross which, and the levels of both there."""
    for i in range(len(new)):
        for k in range(len(old)):
            met, _, _, one, two = g.meeting(z, outlines, new[i], old[k])
            meet[i, k], level[i, k], other[i, k] = met, one, two
