"""Random games without physics, two thousand in all: whatever is tried, pieces stay, roads stand,
the record says all.

A Hypothesis state machine plays them: legal builds and exits with calm, costly and failing
outcomes, missed turns, resignations, and moves that the referee must refuse. Most games begin from
a layout with everybody's highway begun and a small stock, so that they end within a few turns; some
begin with the entrances. Each is written as a record, read and verified.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cache
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

import rules.record
import sim.game.replay
from rules.record import End, Entry, Header, Record
from sim import referee
from sim.bodies import Pose
from sim.game.attempts.attempt import Attempt
from sim.game.attempts.posing import bodies, lay
from sim.game.ply import judge
from sim.game.sources import Nominal, Observed, Recorded
from sim.game.verify import verify as verify_table
from sim.pieces import Supply
from sim.referee.placement import (
    Build,
    CarSpot,
    Entrance,
    Exit,
    Pass,
    Placement,
    Resign,
    SetBuilding,
)
from sim.referee.room import allowed_discs
from sim.referee.ruleset import OPTIONS, presets_for
from sim.referee.standing import Pillar, letter, seat_of
from sim.referee.table import Table
from sim.referee.verdict import Verdict

PAYABLE = ("grey", "yellow", "roads")
KINDS = ("cars", *PAYABLE)
CHANGING = (
    "base_point",
    "turn_end",
    "may_pass",
    "self_cross",
    "exit_height",
    "own_cross_voids",
    "penalty_unit",
    "penalty_currency",
    "clean_win",
    "elimination",
    "continue_after_win",
    "crossing_scope",
    "own_roads_occlude",
    "freeze",
)
BEARINGS, DISTANCES = 24, (112.0, 103.0)

Outcome = tuple[str, tuple[int, ...]]

picks = st.integers(0, 2**12)
# what comes of a build: mostly it stands and nothing else happens, which is also what a failure is
# shrunk to
outcomes = st.tuples(
    st.sampled_from(
        ("calm",) * 12 + ("seen",) * 6 + ("seen undone",) * 4 + ("moved", "again", "undone")
    ),
    st.lists(st.integers(0, 63), max_size=4).map(tuple),
)


@cache
def begun(players: int) -> dict[str, Any]:
    """A layout with an entrance and an open junction for everyone, close enough for crossings."""
    table = Table.start(players)
    pillars, roads = [], []
    for seat in range(players):
        entrance, who = table.default_entrance(seat), letter(seat)
        x, y = entrance.pillar
        out = 1.0 + math.sqrt(110.0**2 - 10.0**2) / math.hypot(x, y)
        pillars.append({"id": f"{who}-P0", "at": [x, y], "discs": 1, "junction": False})
        pillars.append(
            {
                "id": f"{who}-P1",
                "at": [round(y - 0.3 * x, 2), round(-x - 0.3 * y, 2)],
                "discs": 2,
                "junction": True,
            }
        )
        roads.append(
            {
                "id": f"{who}-R0",
                "from": {"table": [round(out * x, 2), round(out * y, 2)]},
                "to": f"{who}-P0",
            }
        )
    return {"pillars": pillars, "roads": roads}


def on_table(table: Table, seat: int) -> dict[str, int]:
    """What of a seat's supply lies on the table."""
    pillars = [pillar for pillar in table.pillars if pillar.owner == seat]
    yellow = sum(pillar.junction for pillar in pillars)
    return {
        "cars": sum(car.owner == seat for car in table.cars),
        "grey": sum(pillar.discs for pillar in pillars) - yellow,
        "yellow": yellow,
        "roads": sum(road.owner == seat for road in table.roads),
    }


Wrong = tuple[Any, ...] | None  # a move, and the codes of faults of which it has at least one


def off(table: Table, pick: int, distance: float, discs: int = 0, junction: bool = False) -> Build:
    """A build from a base point with one thing wrong; its own height unless `discs` says
    another.
    """
    points = table.base_points(table.to_move)
    base = points[pick % len(points)].pillar
    x, y = table.top(base)
    spot = (round(x + distance * math.cos(pick), 2), round(y + distance * math.sin(pick), 2))
    return Build(base.id, spot, discs or base.discs + 1, junction)


def foreign(play: Play, pick: int) -> Wrong:
    others = [pillar for pillar in play.table.pillars if pillar.owner != play.table.to_move]
    base = others[pick % len(others)]
    return Build(base.id, (base.at[0] + 105.0, base.at[1]), base.discs + 1), "base-foreign"


def used(play: Play, pick: int) -> Wrong:
    table = play.table
    bases = {point.pillar.id for point in table.base_points(table.to_move)}
    spent = [
        pillar
        for pillar in table.pillars
        if pillar.owner == table.to_move and pillar.id not in bases
    ]
    if not spent:
        return None
    base = spent[pick % len(spent)]
    return Build(base.id, (base.at[0], base.at[1] + 105.0), base.discs + 1), "base-used"


def on_a_pillar(play: Play, pick: int) -> Wrong:
    build = off(play.table, pick, 105.0)
    pillars = [pillar for pillar in play.table.pillars if pillar.id != build.base]
    x, y = pillars[pick % len(pillars)].at
    return replace(build, at=(x + 1.0, y)), "pillar-on-pillar"


def with_a_car_too_many(play: Play, pick: int) -> Wrong:
    build = play.some_build(pick)
    if build is None:
        return None
    earned = play.table.stocks[play.table.to_move].cars + 1
    return (
        replace(build, cars=tuple(CarSpot(round(0.05 + 0.07 * n, 3)) for n in range(earned))),
        "stock-cars",
        "cars-earned",
    )


def no_height(play: Play, pick: int) -> Wrong:
    build = off(play.table, pick, 105.0)
    return replace(build, discs=build.discs + 1 - pick % 2 * 2), "height"


def missed(play: Play, pick: int) -> Wrong:
    return None if play.table.ruleset.may_pass else (Pass(), "can-build")


# a name for a failure to be told by, and how such a move is made
WRONG: Mapping[str, Callable[[Play, int], Wrong]] = {
    "too far": lambda play, pick: (off(play.table, pick, 126.0 + pick % 300), "reach"),
    "too near": lambda play, pick: (off(play.table, pick, 30.0 + pick % 50), "sticks-out"),
    "at the base itself": lambda play, pick: (off(play.table, pick, 3.0), "reach"),
    "no such base": lambda play, pick: (
        Build(f"{letter(play.table.to_move)}-P77", (0.0, 0.0), 2),
        "base-unknown",
    ),
    "from another's pillar": foreign,
    "from a used pillar": used,
    "two discs higher, or level": no_height,
    "a yellow disc alone": lambda play, pick: (
        off(play.table, pick, 105.0, 1, True),
        "junction-height",
    ),
    "more discs than there are": lambda play, pick: (
        off(play.table, pick, 105.0, 90, True),
        "stock-grey",
    ),
    "on a pillar": on_a_pillar,
    "a car too many": with_a_car_too_many,
    "a missed turn": missed,
}  # fmt: skip


STEPS = (
    ("build",) * 30
    + ("exit",) * 5
    + ("pass", "resign", "anywhere", "anywhere", "anywhere")
    + tuple(WRONG)
)


class Play(RuleBasedStateMachine):
    """One game: the table, the ledger of payments, and the lines of its record."""

    players: ClassVar[int]
    with_entrances: ClassVar[bool] = False
    with_poses: ClassVar[bool] = False
    tally: ClassVar[Counter[str]]

    @initialize(
        preset=picks,
        changes=st.lists(st.sampled_from(CHANGING), max_size=3, unique=True),
        supply=st.builds(
            Supply, st.integers(1, 3), st.integers(3, 8), st.integers(0, 1), st.integers(1, 3)
        ),
        first=st.integers(0, 3),
    )
    def begin(self, preset: int, changes: Sequence[str], supply: Supply, first: int) -> None:
        """Options may repeat what the preset says already; a small stock brings a game to its
        end.
        """
        start = None
        if not self.with_entrances:
            stocks = [asdict(supply)] * self.players
            start = {**begun(self.players), "to_move": first % self.players, "stocks": stocks}
        options = {name: OPTIONS[name].values[1] for name in changes}
        names = tuple("abcd"[: self.players])
        known = presets_for(self.players)
        self.header = Header(
            "tokyo-highway", names, ruleset=known[preset % len(known)], options=options, start=start
        )
        self.table = sim.replay.begin(Record(self.header))
        self.supply = [
            {kind: getattr(stock, kind) + on_table(self.table, seat)[kind] for kind in KINDS}
            for seat, stock in enumerate(self.table.stocks)
        ]
        self.entries: list[Entry] = []
        self.plies = 0

    # One rule for every step: of several, Hypothesis would switch some off for whole games, and
    # building with them.
    @rule(what=st.sampled_from(STEPS), pick=picks, outcome=outcomes)
    def step(self, what: str, pick: int, outcome: Outcome) -> None:
        table = self.table
        if table.phase == "over":
            self.refused((Pass(), Resign(), Build("A-P0", (0.0, 0.0), 2))[pick % 3], "game-over")
        elif what == "resign" and self.plies > self.players:
            self.played(Resign())
        elif table.phase != "play" and what in WRONG:
            self.refused(Build("A-P0", (0.0, 0.0), 2), "phase")
        elif table.phase == "entrances":
            self.played(table.default_entrance(table.to_move), outcome)
        elif table.phase == "buildings":
            kind = list(table.components.buildings)[len(table.buildings)]
            self.played(SetBuilding(kind, (260.0 * len(table.buildings) - 300.0, 400.0)))
        elif table.unable(table.to_move):
            self.played(Pass("no room" if pick % 2 else None))
        elif what in WRONG:
            found = WRONG[what](self, pick)
            if found is not None:
                self.refused(*found)
        elif what == "anywhere":
            self.anywhere(pick)
        elif what == "pass" and table.ruleset.may_pass:
            self.played(Pass())
        else:
            move = self.some_exit(pick) if what == "exit" else self.some_build(pick)
            if move is not None:
                self.played(move, outcome)

    def anywhere(self, pick: int) -> None:
        """One question asked in two ways; what `before` and `screen` agree on is then played or
        refused.
        """
        table = self.table
        own = [pillar for pillar in table.pillars if pillar.owner == table.to_move]
        base, discs, junction = own[pick % len(own)], 1 + pick // 4 % 4, pick % 3 == 0
        x, y = (
            round(base.at[0] + pick % 229 - 114.0, 2),
            round(base.at[1] + pick // 16 % 227 - 113.0, 2),
        )
        move = Build(base.id, (x, y), discs, junction)
        screened = referee.screen(
            table, base.id, np.array([(x, y)]), np.array([discs]), np.array([junction])
        )
        assert bool(screened.legal[0]) == (not referee.before(table, move))
        if screened.legal[0]:
            assert self.played(move).earned == screened.cars[0]
        else:
            self.refused(move)

    # --- what must hold ---------------------------------------------------------------------------

    @invariant()
    def pieces_are_conserved(self) -> None:
        """Stock and table together are the supply, plus what was received, less what was paid."""
        for seat, stock in enumerate(self.table.stocks):
            there = on_table(self.table, seat)
            for kind in KINDS:
                assert getattr(stock, kind) >= 0, (seat, kind)
                assert getattr(stock, kind) + there[kind] == self.supply[seat][kind], (seat, kind)

    @invariant()
    def every_road_has_its_supports(self) -> None:
        table, box = self.table, self.table.components
        pillars, roads = table.pillar_by_id, table.road_by_id
        assert (len(pillars), len(roads)) == (len(table.pillars), len(table.roads))
        for road in table.roads:
            assert len(road.pillars) == 1 + (road.target is not None)
            assert all(
                name in pillars and pillars[name].owner == road.owner for name in road.pillars
            )
            ends = (road.start, road.end)
            for name, end in zip(road.pillars, ends, strict=False):
                assert math.dist(pillars[name].at, end) < box.disc_radius + 0.1
            rise = (road.levels[1] - road.levels[0]) * box.disc_height
            surplus = (box.road_length - math.hypot(math.dist(*ends), rise)) / 2
            assert -box.disc_radius < surplus < box.disc_radius
        arriving = Counter(road.target for road in table.roads)
        for pillar in table.pillars:
            assert arriving[pillar.id] <= 1
            assert table.leaving(pillar) <= 1 + pillar.junction
            assert pillar.discs >= 1 + pillar.junction
        assert len({car.id for car in table.cars}) == len(table.cars)
        for car in table.cars:
            assert roads[car.road].owner == car.owner
            assert 0.0 <= car.along <= 1.0
        assert set(table.poses) <= table.piece_ids

    @invariant()
    def somebody_in_the_game_is_to_move(self) -> None:
        turns = self.table.turns
        everyone = [
            *turns.active,
            *(seat for group in (*turns.finished, *turns.out) for seat in group),
        ]
        assert sorted(everyone) == [*range(self.players)]
        if self.table.outcome() is None:
            assert self.table.to_move in turns.active
            assert self.table.stocks[self.table.to_move] is not None

    def teardown(self) -> None:
        """The game as a record, written, read and verified: the same verdicts and the same
        digests.
        """
        outcome = self.table.outcome()
        end = End(outcome.ranks, str(outcome.reason)) if outcome is not None else None
        record = Record(self.header, tuple(self.entries), end=end)
        report = verify_table(rules.record.loads(rules.record.dumps(record)), "rules")
        assert report.plies + report.taken_back == len(self.entries)
        assert not report.mismatches, [mismatch.text for mismatch in report.mismatches]
        self.tally["games"] += self.plies > 0
        if outcome is not None:
            self.tally["ended"] += 1
            self.tally[outcome.reason] += 1

    # --- how a move is made -----------------------------------------------------------------------

    def some_exit(self, pick: int) -> Exit | None:
        table = self.table
        bases = [
            point.pillar
            for point in table.base_points(table.to_move)
            if table.exit_allowed(point.pillar)
        ]
        if not bases:
            return None
        base = bases[pick % len(bases)]
        spots = around(table, base)
        (legal,) = np.nonzero(referee.screen_exits(table, base.id, spots).legal)
        if not len(legal):
            return None
        x, y = spots[legal[pick // 4 % len(legal)]].tolist()
        return Exit(base.id, (x, y))

    def some_build(self, pick: int) -> Build | None:
        """A legal build by a few numbers: base, height, and a place among those that are free, the
        best paid first.
        """
        table = self.table
        points = table.base_points(table.to_move)
        base = points[pick % len(points)].pillar
        heights = allowed_discs(table, base)[:5]
        if not heights or not table.stocks[table.to_move].roads:
            return None
        discs, junction = heights[pick // 4 % len(heights)]
        spots = around(table, base)
        n = len(spots)
        screened = referee.screen(table, base.id, spots, np.full(n, discs), np.full(n, junction))
        order = np.lexsort((np.arange(n), -screened.cars))
        free = order[screened.legal[order]]
        if not len(free):
            return None
        x, y = spots[free[pick // 16 % len(free)]].tolist()
        return Build(base.id, (x, y), discs, junction)

    def played(self, move: Placement, outcome: Outcome = ("calm", ())) -> Verdict:
        """Judges a legal move with some outcome, checks the verdict and goes on."""
        before, seat = self.table, self.table.to_move
        how, numbers = outcome
        standing = sorted(piece for piece in before.piece_ids if not piece.startswith("X"))
        knocked = (
            sorted({standing[number % len(standing)] for number in numbers}) if standing else []
        )
        tries = self.grounds(move, how, knocked)
        verdict, after, attempts = judge(before, move, tries)
        assert verdict.legal, verdict.faults
        pay = None
        if verdict.owed and sum(numbers) % 2:
            pay = yellow_first(verdict)
            stock = before.stocks[seat]
            given = sum(item["yellow"] for item in pay)
            pay = (
                pay
                if given
                <= stock.yellow
                - (isinstance(move, Build) and move.junction and verdict.built is True)
                else None
            )
            verdict, after, attempts = judge(before, move, tries, pay)
        check(before, after, move, verdict, [attempt.fallen for attempt in attempts])
        last = tries[-1].ground
        observed = (
            {"fallen": list(last.fallen)} if isinstance(last, Observed) and attempts else None
        )
        failed = [
            {
                "got": {
                    "legal": True,
                    "built": False,
                    "fallen": sorted(attempt.fallen),
                    "moved": poses(attempt.moved),
                }
            }
            for attempt in attempts[:-1]
        ]
        entry = Entry(
            self.plies,
            seat,
            move.to_json(),
            got=verdict.got(after.digest()),
            observed=observed,
            pay=pay,
        )
        self.entries.append(replace(entry, tries=failed or None))
        self.plies += 1
        for payment in verdict.paid:
            for kind in PAYABLE:
                self.supply[seat][kind] -= getattr(payment, kind)
                self.supply[payment.to][kind] += getattr(payment, kind)
        self.table = after
        self.tally.update(
            ["plies", move.kind, *(["paid"] * bool(verdict.paid)), *(["out"] * bool(verdict.out))]
        )
        self.tally.update(
            ["undone"] * (verdict.built is False)
            + ["again"] * (len(attempts) > 1 and verdict.built is True)
        )
        self.tally["cars"] += len(verdict.spots)
        return verdict

    def grounds(self, move: Placement, how: str, knocked: Sequence[str]) -> list[Attempt]:
        """What comes of a build: seen by people, or as poses that an engine would tell; `knocked`
        are the pieces that fall.
        """
        if not isinstance(move, (Entrance, Build, Exit)) or how == "calm":
            return [Attempt(Nominal())]
        road = self.table.next_id(self.table.to_move, "R")
        if how.startswith("seen") or not self.with_poses:
            return [Attempt(Observed((*knocked, road) if how == "seen undone" else tuple(knocked)))]
        there = {body.id: body.pose for body in bodies(self.table)}
        new = {
            laid.lying.id: laid.lying.pose
            for laid in lay(self.table, self.table.with_pieces(move), {})
        }
        # every second piece is only nudged: it keeps its new pose, while what fell goes back
        pushed = {
            piece: aside(there[piece], 25.0 if n % 2 == 0 else 0.2)
            for n, piece in enumerate(knocked)
        }
        failing = Attempt(Recorded({**new, **pushed, road: aside(new[road], 80.0)}))
        if how == "undone":
            return [failing]
        return (
            [failing, Attempt(Nominal())]
            if how == "again"
            else [Attempt(Recorded({**new, **pushed}))]
        )

    def refused(self, move: Placement, *codes: str) -> None:
        """An illegal move is told why, changes nothing, and stays in the record as taken back."""
        table = self.table
        verdict, after, attempts = judge(
            table, move, [Attempt(Observed(tuple(sorted(table.piece_ids)[:2])))]
        )
        assert not verdict.legal, (move, codes)
        assert not codes or {fault.code for fault in verdict.faults} & set(codes), (
            move,
            verdict.faults,
        )
        assert all(fault.text and fault.code for fault in verdict.faults)
        assert (after, attempts, verdict.paid, verdict.owed) == (table, (), (), ())
        if table.outcome() is None:  # a record says nothing after the end
            self.entries.append(
                Entry(self.plies, table.to_move, move.to_json(), got={"legal": False})
            )
        self.tally["refused"] += 1


# --- how a place is found, an outcome told, a verdict checked -------------------------------------


def around(table: Table, base: Pillar) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Places that a road from `base` may reach, in two rings."""
    angle = np.repeat(np.arange(BEARINGS) * (2 * np.pi / BEARINGS), len(DISTANCES))
    ray = np.stack([np.cos(angle), np.sin(angle)], axis=1) * np.tile(DISTANCES, BEARINGS)[:, None]
    # never -0
    spots: np.ndarray[Any, np.dtype[np.float64]] = (
        np.round(np.asarray(table.top(base)) + ray, 2) + 0.0
    )
    return spots


def aside(pose: Pose, mm: float) -> Pose:
    x, y, z = pose.at
    return Pose((x + mm, y, z), pose.quat)


def poses(moved: Mapping[str, Pose] | None) -> dict[str, list[float]]:
    return {piece: list(pose.to_list()) for piece, pose in (moved or {}).items()}


def yellow_first(verdict: Verdict) -> list[dict[str, int]]:
    """The same payment with a yellow disc in place of a grey one, for the first who gets a grey
    one.
    """
    pay = [{kind: getattr(payment, kind) for kind in ("to", *PAYABLE)} for payment in verdict.paid]
    for item in pay:
        if item["grey"]:
            item["grey"], item["yellow"] = item["grey"] - 1, item["yellow"] + 1
            break
    return pay


def check(
    before: Table, after: Table, move: Placement, verdict: Verdict, fallen: Sequence[frozenset[str]]
) -> None:
    """Cars within what is earned and there; debts and payments by the book; what fell is back where
    it was.
    """
    seat, rules = before.to_move, before.ruleset
    assert len(verdict.spots) == len(verdict.cars) <= min(verdict.earned, before.stocks[seat].cars)
    owed: Counter[int] = Counter()
    for attempt in fallen:
        stack = rules.penalty_unit == "stack"
        units = {piece.partition(".")[0] if stack and "-P" in piece else piece for piece in attempt}
        owed.update(
            owner for unit in units if (owner := seat_of(unit)) is not None and owner != seat
        )
    assert dict(verdict.owed) == dict(owed)
    around_table = [(seat + n) % before.turns.seats for n in range(1, before.turns.seats)]
    assert [to for to, _ in verdict.owed] == [other for other in around_table if other in owed]
    paid = {payment.to: payment.total for payment in verdict.paid}
    short = [to for to, due in verdict.owed if paid.get(to, 0) < due]
    if short:  # the payer has nothing left, and nobody after the first who went short got anything
        left = after.stocks[seat]
        assert left.grey + left.yellow + (left.roads if rules.penalty_currency == "any" else 0) == 0
        behind = around_table[around_table.index(short[0]) + 1 :]
        assert not any(paid.get(to) for to in behind)
    assert all(paid[to] <= owed[to] for to in paid)
    assert before.piece_ids <= after.piece_ids
    gone = frozenset().union(*fallen)
    assert all(
        after.poses.get(piece) == before.poses.get(piece) for piece in gone & before.piece_ids
    )
    if isinstance(move, (Build, Exit)) and verdict.built is False:
        assert after.piece_ids == before.piece_ids


class Two(Play):
    players = 2


class Three(Play):
    players = 3


class Four(Play):
    players = 4


class TwoWithPoses(Two):
    # where everything comes to rest takes ten times as long to work out as all that the referee
    # does
    with_poses = True


class TwoFromTheStart(Two):
    with_entrances = True


class ThreeFromTheStart(Three):
    with_entrances = with_poses = True


class FourFromTheStart(Four):
    with_entrances = True


# How many games, of how many steps: two plies each, so that many come to their end; more where the
# set-up is played too. A sample of them is one in 25.
GAMES = {
    Two: (850, 5),
    Three: (800, 8),
    Four: (260, 8),
    TwoWithPoses: (40, 6),
    TwoFromTheStart: (20, 8),
    ThreeFromTheStart: (20, 12),
    FourFromTheStart: (10, 15),
}


@pytest.mark.parametrize("share", [25, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("machine", GAMES, ids=lambda machine: machine.__name__)
def test_random_games_keep_every_piece_and_replay_to_the_same_digests(
    machine: type[Play], share: int
) -> None:
    machine.tally = Counter()
    games, steps = GAMES[machine]
    games = max(games // share, 2)
    suite = settings.get_profile("suite")
    phases = (Phase.generate, Phase.shrink)
    run_state_machine_as_test(
        machine,
        settings=settings(suite, max_examples=games, stateful_step_count=steps, phases=phases),
    )
    # what Hypothesis draws depends on what else the process has imported, so few games promise
    # little (and a few of so few may be none at all)
    tally, least = machine.tally, {"games": 0.5}
    if games >= 200:
        least = {"games": 1.0, "build": 0.5, "refused": 0.5}
        least |= {
            "paid": 0.1,
            "undone": 0.1,
            "cars": 0.1,
            "ended": 0.05,
            "exit": 0.1,
            "pass": 0.1,
            "out": 0.01,
        }
    seldom = {what: tally[what] for what, share in least.items() if tally[what] < share * games}
    assert not seldom, tally


def test_two_thousand_games_are_played_with_two_three_and_four_players() -> None:
    assert sum(games for games, _ in GAMES.values()) >= 2_000
    assert {machine.players for machine in GAMES} == {2, 3, 4}
