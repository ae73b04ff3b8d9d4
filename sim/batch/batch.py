"""Many tables of Tokyo Highway at once, on geometry alone, over arrays: `Batch`, for learning and
for large experiments.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from rules.errors import InputError
from rules.game import game as game_of
from rules.grid.batch import Many, check_numbers, check_row
from rules.grid.kernels import compiling
from rules.grid.kernels.dispatch import stream
from sim.batch.arrays import (
    APART,
    CARS,
    GREY_DISC,
    INSET,
    MOVER,
    NC,
    ND,
    NP,
    NR,
    NX,
    ROADS,
    SHARED,
    STUCK,
    YELLOW_DISC,
    Arrays,
)  # fmt: skip
from sim.batch.games import (
    WANTED,
    finish_all,
    judge_many,
    lay_all,
    list_all,
    phase_of,
    put_cars,
    see_all,
    see_pieces,
)
from sim.batch.listing import (
    BASE,
    COLUMNS,
    FACTS,
    FEATURES,
    GOLD,
    MISS,
    NO_ROOM,
    NOT,
    PIECE,
    STOCK,
    TO,
    X,
    Y,
)  # fmt: skip
from sim.batch.tables import check_exact, of_table, table_of
from sim.batch.turns import (
    BUILDINGS,
    ENTRANCES,
)
from sim.game import Highway, Position
from sim.referee import (
    Build,
    CarSpot,
    Entrance,
    Exit,
    Offset,
    Pass,
    Placement,
    SetBuilding,
    Table,
    block_of,
    find_build,
    free_spots,
    room,
)
from sim.referee.crossings import line_of

Floats = npt.NDArray[np.float32]

_RAW = 8192  # legal places of one ply before the list is cut
_SPARE = 24  # roads and cars of a layout beyond those in the box
_SPOTS = 256  # cars that may stand on one road
# bearings and distances of the places that are tried for each height
_FAN = 36, 3


class Batch(Many):
    """`n` games of Tokyo Highway that go on side by side, on geometry alone; a game that is over
    begins anew within the same step, or with `renew=False` stays as it is, without a legal action.

        batch = sim.Batch("tokyo-highway", n=256, seed=0, players=2, ruleset="fr")
        while training:
            actions = choose(batch.observe(), batch.masks())
            batch.step(actions)
            learn(batch.rewards, batch.ended)

    `game` is the game or its name; with a name, `options` are its players, rule set, components and
    rule options. Geometry alone means the engine `none`: nothing falls, so nobody pays. `seed` (0
    <= seed < 2**64) decides what `sample` draws, and nothing else is left to chance: the same seed
    and actions give the same arrays. A game that has not ended after `cap` actions is stopped (0:
    never). Raises InputError for another game, and for numbers out of range.

    What is legal, what it earns, where cars stand, whose turn it is and who is out is what the
    referee says, for every rule option. Compiled code says it; in two rare cases it asks the
    referee: where cars find no place on the middle line of their road, and whether a seat that
    found no place really has no room.

    Actions. Each game has a list of at most `candidates` places, best first by the cars that they
    earn and the discs that they spend, without those that resemble an earlier one
    (`sim.bots.proposals`). Action k < candidates takes place k with all the cars that it earns;
    candidates + k takes the same place without a car; 2 candidates misses the turn, where that is
    legal. In the set-up the places are entrances (the default one first), then buildings. The list
    follows from the table alone. What it samples, `bearings` and `distances` decide.

    After each step, and at the start:

        to_move    int64[n]            the seat whose action is due
        plies      int64[n]            actions since the game began
        rewards    float32[n, seats]   of the last step: 1 and -1 if it ended a game, otherwise 0
        gained     float32[n, seats]   the cars that each seat placed in it
        ended      bool[n]             whether the last step ended the game by the rules
        truncated  bool[n]             whether it reached the cap instead
        masks()    bool[n, actions]
        observe()  float32[n, size]

    These are the batch's own arrays, and the next step writes into them: copy what you keep, and
    write into none.

    An observation is one row of numbers of about one in size, seen by the seat to move: places from
    the middle of its base points, turned so that its own default entrance lies at -y, in road
    lengths. `parts(seen)` cuts it into `stocks` (what `sim.batch.listing.FACTS` and STOCK name),
    `candidates` (n, candidates, FEATURES) and `pieces` (n, rows, PIECE). `graph(i)` shows a table
    as a graph.
    """

    def __init__(
        self,
        game: str | Highway,
        n: int,
        seed: int = 0,
        cap: int = 0,
        *,
        candidates: int = 64,
        bearings: int = _FAN[0],
        distances: int = _FAN[1],
        renew: bool = True,
        **options: Any,
    ) -> None:
        check_numbers(
            n=(n, 1, 2**20),
            seed=(seed, 0, 2**64 - 1),
            cap=(cap, 0, 2**31 - 1),
            candidates=(candidates, 1, 4096),
            bearings=(bearings, 1, 360),
            distances=(distances, 2, 60),
        )
        made = game_of(game, **{"engine": "none", **options}) if isinstance(game, str) else game
        if not isinstance(made, Highway):
            raise InputError(
                f"sim.Batch: plays tokyo-highway, not {made.name}; for games on boards there is "
                "rules.grid.Batch"
            )
        self.game, self.n, self.seats = made, n, made.seats
        self.candidates, self.actions, self._cap = candidates, 2 * candidates + 1, cap
        self._renew = renew
        start = made.start().table
        self._start, self._bases = start, [start] * n
        self._blank = of_table(start, _SPARE)
        self._kinds = sorted(start.components.buildings)
        if made.seats > 2 and len(self._kinds) < made.seats:
            raise InputError(
                f"Batch: {made.components} has {len(self._kinds)} buildings for {made.seats} seats"
            )
        whole = (bearings, distances, room.BEARINGS, room.DISTANCES)
        insets = (INSET, room.INSET, GREY_DISC, YELLOW_DISC, STUCK, APART)
        self._fan = np.array([*whole, *insets], dtype=np.float64)
        blocks = [block_of(start.components, kind, (0.0, 0.0), 0.0) for kind in self._kinds]
        self._blocks = np.array(blocks, dtype=np.float64).reshape(-1, 9)
        supply = start.stocks[0]
        self._supply = np.array([supply.cars, supply.grey, supply.yellow, supply.roads], np.float64)
        self._raw = np.zeros((_RAW, COLUMNS))
        self._found = np.zeros(_SPOTS)
        self._chance = stream(seed)
        facts, shown = len(FACTS) + made.seats * len(STOCK), 2 * supply.roads * made.seats
        self._sizes = {
            "stocks": (facts,),
            "candidates": (candidates, len(FEATURES)),
            "pieces": (shown + (made.seats if made.seats > 2 else 0), len(PIECE)),
        }
        self.shape = (sum(int(np.prod(size)) for size in self._sizes.values()),)
        self._at = np.zeros(4)
        self.reset()

    def __repr__(self) -> str:
        return f"<Batch of {self.n} games, {self.game!r}>"

    # --- what there is ----------------------------------------------------------------------------

    @property
    def to_move(self) -> npt.NDArray[np.int64]:
        """int64[n]: the seat whose action is due."""
        return self._tables.counts[:, MOVER]

    @property
    def rows(self) -> npt.NDArray[np.float64]:
        """float64[n, candidates, 7]: the lists as `sim.batch.listing` describes them, in mm."""
        return self._rows

    def masks(self) -> npt.NDArray[np.bool_]:
        """bool[n, actions]: which actions are legal; at least one in each row."""
        return self._masks.view(np.bool_)

    def observe(self, seat: int | None = None) -> Floats:
        """`float32[n, *shape]`: the tables as the seat to move sees them, or as that seat does;
        then no candidates are shown where it is not to move.
        """
        facts, lists, shown = self.parts(self._seen).values()
        see_all(
            self._tables, -1 if seat is None else seat, self._rows, self._told, self._supply,
            facts, lists, shown, self._at,
        )  # fmt: skip
        return self._seen

    def parts(self, seen: Floats) -> dict[str, Floats]:
        """An observation, or many, by part: views with the same leading dimensions."""
        first, found = 0, {}
        for name, size in self._sizes.items():
            count = int(np.prod(size))
            found[name] = seen[..., first : first + count].reshape(*seen.shape[:-1], *size)
            first += count
        return found

    def graph(self, i: int) -> dict[str, npt.NDArray[Any]]:
        """Table i as a graph, as the seat to move sees it: `nodes` float32[m, PIECE], pillars, then
        roads, then buildings; `edges` int64[2, e] from road to pillar, and from each road to those
        that it crosses; `kinds` int64[e]: 0 the road starts there, 1 it ends there, 2 it runs over
        the other, 3 under it.
        """
        check_row("graph", "game", i, self.n)
        table = self.state(i)
        count = len(table.pillars) + len(table.roads) + len(table.buildings)
        nodes = np.zeros((count, len(PIECE)), np.float32)
        see_pieces(self._tables, i, nodes, self._at)
        rank = {pillar.id: row for row, pillar in enumerate(table.pillars)}
        found = [
            (len(rank) + row, rank[end], which)
            for row, road in enumerate(table.roads)
            for which, end in enumerate((road.base, road.target))
            if end is not None
        ]
        network = table.network
        for one, line in enumerate(network.roads):
            for other in range(len(network.roads)):
                met = None if one == other else network.met(line, line_of(line), other)
                if met is not None:
                    found.append((len(rank) + one, len(rank) + other, 2 + (met.side == "under")))
        edges = np.array(found, dtype=np.int64).reshape(-1, 3)
        return {"nodes": nodes, "edges": edges[:, :2].T.copy(), "kinds": edges[:, 2].copy()}

    # --- playing ----------------------------------------------------------------------------------

    def reset(self) -> None:
        """All games begin anew. What `sample` draws goes on from where it was."""
        n, seats = self.n, self.seats
        one: dict[str, Any] = self._blank._asdict()
        many = {k: one[k] if k in SHARED else np.repeat(one[k][None], n, axis=0) for k in one}
        self._tables = Arrays(**many)
        self._bases = [self._start] * n
        self.plies = np.zeros(n, np.int64)
        self.rewards, self.gained = (
            np.zeros((n, seats), np.float32),
            np.zeros((n, seats), np.float32),
        )
        self.ended, self.truncated = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
        self._rows = np.zeros((n, self.candidates, COLUMNS))
        self._told = np.zeros((n, 2), np.int64)
        self._masks = np.zeros((n, self.actions), np.uint8)
        self._seen = np.zeros((n, *self.shape), np.float32)
        self._done = np.zeros((n, 2), np.int64)
        with compiling("the batch of tokyo-highway"):
            self._fill(0, n)

    def step(self, actions: npt.ArrayLike) -> None:
        """One action in each game: whole numbers, shape (n,).

        Raises InputError for another shape or kind of numbers, and IllegalMoveError, which names
        the first game with an illegal action; then no game has moved.
        """
        chosen = self._chosen(actions)
        had = self._tables.seats[:, :, CARS].copy()
        lay_all(
            self._tables, chosen, self._rows, self._blocks, self._found, self._done
        )  # fmt: skip
        for i in np.flatnonzero(self._done[:, WANTED]).tolist():
            self._park(i, int(self._done[i, WANTED]))
        self.gained[:] = had - self._tables.seats[:, :, CARS]
        finish_all(
            self._tables, self._done, self._told, had, self._cap, self.plies, self.rewards,
            self.ended, self.truncated,
        )  # fmt: skip
        over = self.ended | self.truncated if self._renew else np.zeros(self.n, np.bool_)
        for i in np.flatnonzero(over).tolist():
            self._put(i, self._blank, self._start)
            self.plies[i] = 0
        self._fill(0, self.n)

    def _park(self, i: int, count: int) -> None:
        """Puts cars on the road laid last where the middle line has not room for all."""
        table = self.state(i)
        before = replace(table, roads=table.roads[:-1])
        spots = free_spots(before, table.roads[-1], None, count)
        where = np.array([(spot.along, spot.side) for spot in spots]).reshape(-1, 2)
        put_cars(self._tables, i, where)

    def _fill(self, first: int, last: int) -> None:
        """Lists and masks of some games. Where nothing was found, the referee has the last word."""
        list_all(
            self._tables, first, last, self._fan, self._blocks, self._raw, self._rows, self._told,
            self._masks,
        )  # fmt: skip
        for i in np.flatnonzero(~self.masks()[first:last].any(axis=1)) + first:
            if phase_of(self._tables, int(i)) == ENTRANCES:
                raise InputError(
                    f"Batch: there is no room for the entrance of seat {self.to_move[i]} in game "
                    f"{i} by entrance_reach = {self._start.ruleset.entrance_reach:g}"
                )
        for i in np.flatnonzero(self._told[first:last, MISS] == NO_ROOM) + first:
            found = find_build(self.state(int(i)))
            if found is not None:
                self.offer(int(i), found)

    def judge(
        self,
        i: int,
        base: int,
        at: npt.ArrayLike,
        discs: npt.ArrayLike,
        junction: npt.ArrayLike,
    ) -> npt.NDArray[np.int64]:
        """int64[m]: the cars that the seat to move of game i earns by each of m builds or exits
        from the pillar in row `base` to `at` (m, 2) in mm, not limited by its stock; -1 where the
        referee refuses it. `discs` (m,) count the yellow one, 0 for an exit; `junction` (m,).
        """
        places = np.ascontiguousarray(at, np.float64).reshape(-1, 2)
        heights = np.ascontiguousarray(discs, np.int64)
        yellow = np.ascontiguousarray(junction, np.int64)
        out = np.zeros(len(places), np.int64)
        check_row("judge", "game", i, self.n)
        pillars = int(self._tables.counts[i, NP])
        check_row("judge", "pillar", base, pillars)
        if not (heights.shape == yellow.shape == out.shape and (heights >= 0).all()):
            raise InputError("judge: it takes as many discs and junctions as places")
        judge_many(self._one(i), base, places, heights, yellow, out)
        return out

    # --- tables and moves -------------------------------------------------------------------------

    def state(self, i: int) -> Table:
        """Game i as a table. Its builds are frozen: nothing on it can be adjusted. Raises
        InputError for a number of no game.
        """
        check_row("state", "game", i, self.n)
        return table_of(self._one(i), self._bases[i])

    def place(self, i: int, state: Table | Position) -> None:
        """Game i goes on from a table of the same game, where its pieces lie; rewards stay as they
        are. A table at its end can be observed, not played on.

        Raises InputError for a number of no game, for what is no table, for a table of another
        game, for one noted by hand, and for one with more pieces than a game has.
        """
        check_row("place", "game", i, self.n)
        table = state.table if isinstance(state, Position) else state
        if not isinstance(table, Table):
            raise InputError(
                f"place: a table or a position of {self.game.name} is needed, not a "
                f"{type(state).__name__}"
            )
        want, have = self._start, (table.ruleset, table.components, table.turns.seats)
        if have != (want.ruleset, want.components, want.turns.seats):
            raise InputError(f"place: this table is not of {self.game!r}")
        check_exact(table)
        self._put(i, of_table(table), table)
        self.plies[i] = 0
        self._fill(i, i + 1)

    def move(self, i: int, action: int) -> Placement:
        """An action of game i as a move; None stands for no place of it. Raises InputError for a
        number of no game or no action, and IllegalMoveError for an action that is not legal.
        """
        check_row("move", "game", i, self.n)
        if not 0 <= action < self.actions:
            raise InputError(f"{action} is no action; ids are 0 to {self.actions - 1}")
        if not self._masks[i, action]:
            raise self._refused(i, action)
        if action == 2 * self.candidates:
            return Pass("no room" if self._told[i, MISS] == NO_ROOM else None)
        row = self._rows[i, action % self.candidates]
        at, now = (float(row[X]), float(row[Y])), int(phase_of(self._tables, i))
        if now == ENTRANCES:
            return Entrance(at, float(row[TO]), CarSpot(0.5))
        if now == BUILDINGS:
            return SetBuilding(self._kinds[int(row[BASE])], at, float(row[TO]))
        base = self.state(i).pillars[int(row[BASE])].id
        cars = () if action >= self.candidates else None
        if row[TO] == 0:
            return Exit(base, at, cars)
        return Build(base, at, int(row[TO]), bool(row[GOLD]), cars)

    def offer(self, i: int, move: Build | Exit) -> int | None:
        """The action of game i that makes a build or an exit, which need not be on its list: until
        the next step that list has no other place. None for what the referee would refuse, for cars
        at places of their own and roads laid askew, which no action has, and when the game is over;
        then the list is as it was.

        Raises InputError for a number of no game.
        """
        check_row("offer", "game", i, self.n)
        ranks = {pillar.id: row for row, pillar in enumerate(self.state(i).pillars)}
        usual = not move.cars and move.road == Offset() and self._masks[i].any()
        if not (usual and move.base in ranks):
            return None
        at = move.at if isinstance(move, Build) else move.to
        discs, junction = (0, False) if isinstance(move, Exit) else (move.discs, move.junction)
        rank = ranks[move.base]
        earned = int(self.judge(i, rank, [at], [discs], [junction])[0])
        if earned < 0:
            return None
        self._rows[i, 0] = rank, *at, discs, junction, earned, 0
        self._told[i] = 1, NOT
        self._masks[i] = 0
        self._masks[i, 0] = 1
        self._masks[i, self.candidates] = earned > 0
        return self.candidates if move.cars == () and earned > 0 else 0

    def text(self, i: int, action: int) -> str:
        """A legal action as text in game i."""
        return str(self.move(i, action))

    def _one(self, i: int) -> Arrays:
        every: dict[str, Any] = self._tables._asdict()
        return Arrays(**{k: every[k] if k in SHARED else every[k][i] for k in every})

    def _put(self, i: int, one: Arrays, base: Table) -> None:
        """Game i takes the arrays of a table."""
        mine = self._one(i)
        roads, cars = (int(one.seats[:, kind].sum()) for kind in (ROADS, CARS))
        for count, name, more in ((NR, "roads", roads), (NP, "places", roads), (NC, "cars", cars)):
            need, room = int(one.counts[count]) + more, len(getattr(mine, name))
            if need > room:
                raise InputError(
                    f"place: the table and its stocks have {need} {name}; a game of this batch has "
                    f"{room} at most"
                )
        discs = int(one.counts[ND]) + roads
        if discs > len(mine.discs) or one.counts[NX] > len(mine.blocks):
            raise InputError("place: the table has more obstacles than a game of this batch")
        for name, array in mine._asdict().items():
            if name not in SHARED:
                given = getattr(one, name)[: len(array)]
                array[: len(given)] = given
        self._bases[i] = base

    def _described(self, i: int, action: int | None) -> tuple[str, str]:  # noqa: ARG002
        return "", self.state(i).digest()
