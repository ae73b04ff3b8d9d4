"""Two thousand random games without physics: whatever is tried, pieces are conserved, roads stand, and the record says it all.

Each game is drawn from a seed: players, options, a small stock, then legal and illegal moves, knocks, undone builds, passes and
resignations. A tenth of the games begin with the entrances, the others from a layout with all highways begun.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np
import pytest

import sim.replay
from rules.record import Entry, Header, Record
from sim import legality, referee
from sim.highway import Nominal, Observed, Try, judge
from sim.pieces import Components, Supply
from sim.placement import Build, Exit, Pass, Placement, Resign, SetBuilding
from sim.ruleset import OPTIONS
from sim.table import Table, letter, seat_of
from sim.verdict import Verdict

GAMES, SHARDS = 2_000, 4
KINDS = ("cars", "grey", "yellow", "roads")
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
    "freeze",
)


@dataclass
class Game:
    """One random game as it goes: the table, the ledger of payments, the lines of its record, the digests."""

    rng: np.random.Generator
    table: Table
    header: Header
    supply: Supply
    balance: dict[int, dict[str, int]] = field(default_factory=dict)
    entries: list[Entry] = field(default_factory=list)
    digests: list[str] = field(default_factory=list)
    plies: int = 0

    def chance(self, probability: float) -> bool:
        return bool(self.rng.random() < probability)


@cache
def begun(players: int) -> dict[str, Any]:
    """A layout with an entrance, a low pillar and a road for everyone, close enough for crossings."""
    table = Table.start(players)
    pillars, roads = [], []
    for seat in range(players):
        entrance, who = table.default_entrance(seat), letter(seat)
        x, y = entrance.pillar
        pillars.append({"id": f"{who}-P0", "at": [x, y], "discs": 1, "junction": False})
        pillars.append({"id": f"{who}-P1", "at": [round(y - 0.3 * x, 2), round(-x - 0.3 * y, 2)], "discs": 2, "junction": True})
        roads.append({"id": f"{who}-R0", "from": {"table": [round(2.9 * x, 2), round(2.9 * y, 2)]}, "to": f"{who}-P0"})
    return {"pillars": pillars, "roads": roads}


def new_game(seed: int) -> Game:
    rng = np.random.default_rng(seed)
    players = int(rng.choice([2, 2, 3, 4]))
    names = [name for name in CHANGING if rng.random() < 0.3]
    options = {name: OPTIONS[name].values[1] for name in names}
    if rng.random() < 0.1:
        header = Header("tokyo-highway", tuple("abcd"[:players]), options=options)
        return Game(rng, sim.replay.begin(Record(header)), header, Components.named("estimate-2018").supplies[players])
    supply = Supply(int(rng.integers(1, 4)), int(rng.integers(3, 9)), int(rng.integers(0, 2)), int(rng.integers(1, 4)))
    start = {**begun(players), "to_move": int(rng.integers(players)), "stocks": [asdict(supply)] * players}
    header = Header("tokyo-highway", tuple("abcd"[:players]), options=options, start=start)
    return Game(rng, sim.replay.begin(Record(header)), header, supply)


# --- what is tried -----------------------------------------------------------------------------------------------------------


def legal_move(game: Game) -> Placement:
    table, rng = game.table, game.rng
    if table.phase == "entrances":
        return table.default_entrance(table.to_move)
    if table.phase == "buildings":
        kinds = list(table.components.buildings)
        return SetBuilding(kinds[len(table.buildings)], (260.0 * len(table.buildings) - 300.0, 400.0))
    if table.unable(table.to_move) or (table.ruleset.may_pass and game.chance(0.1)):
        return Pass()
    points = table.base_points(table.to_move)
    base = points[rng.integers(len(points))].pillar
    axis, n = np.asarray(table.top(base)), 40
    heights = legality.allowed_discs(table, base)
    angle, distance = rng.uniform(0.0, 2 * np.pi, n), rng.uniform(95.0, 120.0, n)
    spots = np.round(axis + distance[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1), 2)
    if table.exit_allowed(base) and (game.chance(0.2) or not heights):
        (legal,) = np.nonzero(referee.screen_exits(table, base.id, spots).legal)
        if len(legal):
            return Exit(base.id, tuple(spots[legal[0]].tolist()))
    if heights:
        discs, junction = heights[rng.integers(min(len(heights), 5))]
        screened = referee.screen(table, base.id, spots, np.full(n, discs), np.full(n, junction))
        if screened.legal.any():
            best = int(np.argmax(np.where(screened.legal, screened.cars, -1)))
            return Build(base.id, tuple(spots[best].tolist()), discs, junction)
    return legality.find_build(table) or Pass("no room")


def wild_move(game: Game) -> Placement:
    """A move of any kind with little sense; now and then it is legal."""
    rng, table = game.rng, game.table
    base = f"{letter(int(rng.integers(table.turns.seats)))}-P{rng.integers(4)}"
    spot = (round(float(rng.uniform(-200, 200)), 2), round(float(rng.uniform(-200, 200)), 2))
    kind = int(rng.integers(5))
    if kind == 0:
        return Exit(base, spot)
    if kind == 1:
        return Pass("no room" if game.chance(0.5) and table.unable(table.to_move) else None)
    if kind == 2:
        return SetBuilding("tower", spot)
    return Build(base, spot, int(rng.integers(1, 5)), game.chance(0.3))


def knocked(game: Game, move: Placement) -> tuple[str, ...]:
    """Pieces that fall in this ply: standing ones, rarely a new one, so that the build is undone."""
    if not isinstance(move, (Build, Exit)) or not game.table.pillars or not game.chance(0.3):
        return ()
    standing = sorted(piece for piece in game.table.piece_ids if not piece.startswith("X"))
    fallen = {standing[game.rng.integers(len(standing))] for _ in range(int(game.rng.integers(1, 5)))}
    new = game.table.next_id(game.table.to_move, "R")
    return (*sorted(fallen), new) if game.chance(0.15) else tuple(sorted(fallen))


# --- what must hold ----------------------------------------------------------------------------------------------------------


def on_table(table: Table, seat: int) -> dict[str, int]:
    pillars = [pillar for pillar in table.pillars if pillar.owner == seat]
    yellow = sum(pillar.junction for pillar in pillars)
    return {
        "cars": sum(car.owner == seat for car in table.cars),
        "grey": sum(pillar.discs for pillar in pillars) - yellow,
        "yellow": yellow,
        "roads": sum(road.owner == seat for road in table.roads),
    }


def check_pieces(game: Game, begun_with: dict[int, dict[str, int]]) -> None:
    """Stock and table together are the supply, plus what was received, less what was paid."""
    for seat, stock in enumerate(game.table.stocks):
        there = on_table(game.table, seat)
        for kind in KINDS:
            have = getattr(stock, kind) + there[kind] - begun_with[seat][kind]
            assert getattr(stock, kind) >= 0
            assert have == getattr(game.supply, kind) + game.balance[seat][kind], (seat, kind)


def check_table(table: Table) -> None:
    pillars, roads = table.pillar_by_id, table.road_by_id
    assert len(pillars) == len(table.pillars)
    assert len(roads) == len(table.roads)
    for road in table.roads:
        assert all(name in pillars and pillars[name].owner == road.owner for name in road.pillars)
    for pillar in table.pillars:
        arriving = sum(road.target == pillar.id for road in table.roads)
        assert arriving <= 1
        assert table.leaving(pillar) <= 1 + pillar.junction
        assert pillar.discs >= 1 + pillar.junction
    for car in table.cars:
        assert roads[car.road].owner == car.owner
        assert 0.0 <= car.along <= 1.0
    if table.outcome() is None:
        assert table.to_move in table.turns.active


def check_verdict(before: Table, after: Table, verdict: Verdict) -> None:
    if not verdict.legal:
        assert after is before
        assert all(fault.text and fault.code for fault in verdict.faults)
        return
    assert len(verdict.spots) <= max(verdict.earned, 0)
    owed = dict(verdict.owed)
    assert before.to_move not in owed
    for payment in verdict.paid:
        assert payment.total <= owed[payment.to]
    fallen = {piece for piece in verdict.fallen if seat_of(piece) not in (None, before.to_move)}
    assert sum(owed.values()) <= len(fallen)
    assert set(before.piece_ids) <= set(after.piece_ids)


def step(game: Game) -> None:
    table = game.table
    move = wild_move(game) if game.chance(0.25) else Resign() if game.chance(0.02) else legal_move(game)
    fallen = knocked(game, move)
    seat = table.to_move
    ground = Observed(fallen) if fallen else Nominal()
    verdict, after, _ = judge(table, move, [Try(ground)])
    check_verdict(table, after, verdict)
    observed = {"fallen": list(fallen)} if fallen and verdict.legal else None
    got = verdict.got() if verdict.legal else {"legal": False}
    game.entries.append(Entry(game.plies, seat, move.to_json(), got=got, observed=observed))
    game.plies += verdict.legal
    for payment in verdict.paid:
        for kind in KINDS:
            game.balance[seat][kind] -= getattr(payment, kind)
            game.balance[payment.to][kind] += getattr(payment, kind)
    game.table = after
    game.digests.append(after.digest())


def play_out(seed: int) -> Game:
    game = new_game(seed)
    game.balance = {seat: dict.fromkeys(KINDS, 0) for seat in range(game.table.turns.seats)}
    begun_with = {seat: on_table(game.table, seat) for seat in range(game.table.turns.seats)}
    longest = game.table.turns.seats + 2 + 4 * (not game.table.scenario)
    while game.table.outcome() is None and len(game.entries) < longest:
        step(game)
        check_pieces(game, begun_with)
        check_table(game.table)
    return game


@pytest.mark.parametrize("shard", range(SHARDS))
def test_random_games_keep_every_piece_and_replay_to_the_same_digests(shard: int) -> None:
    ended, illegal, payments, players = 0, 0, 0, set()
    for seed in range(shard, GAMES, SHARDS):
        game = play_out(seed)
        record = Record(game.header, tuple(game.entries))
        replayed = [step.after.digest() for step in sim.replay.steps(record, "none")]
        assert replayed == game.digests, seed
        ended += game.table.outcome() is not None
        illegal += any(entry.taken_back for entry in game.entries)
        payments += any(any(seat.values()) for seat in game.balance.values())
        players.add(game.table.turns.seats)
    assert min(ended, illegal, payments) > GAMES // SHARDS // 20
    assert players == {2, 3, 4}


def test_a_table_that_lost_a_piece_would_be_noticed() -> None:
    game = play_out(1)
    begun_with = {seat: on_table(game.table, seat) for seat in range(game.table.turns.seats)}
    game.table = replace(game.table, cars=(), pillars=game.table.pillars[:-1])
    with pytest.raises(AssertionError):
        check_pieces(game, {seat: dict.fromkeys(KINDS, 0) for seat in begun_with})
