"""How fast the referee is on a finished four-player table: one placement judged, and thousands
screened.

`python benchmarks/referee.py` prints the median time that `before`, with its judgement of
crossings, takes for one placement (target: 2 ms), and how many placements per second `screen` and
`screen_exits` judge on one core (target: 20,000).
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from dataclasses import replace

import numpy as np

from sim import referee
from sim.referee.placement import Build, Placement, SetBuilding
from sim.referee.screening import allowed_discs
from sim.referee.table import Table

__all__ = ["finished", "main", "placements"]

TARGET_MS, TARGET_RATE = 2.0, 20_000.0
_BUILDINGS = (("tower", -90.0), ("slab", 0.0), ("cylinder", 90.0), ("block", 180.0))


def _after(table: Table, placement: Placement) -> Table:
    from sim.game.ply import play

    verdict, after = play(table, placement, "none")
    if not verdict.legal:
        raise SystemExit("; ".join(fault.text for fault in verdict.faults))
    return after


def _best_build(table: Table, rng: np.random.Generator) -> Build | None:
    """A random legal build among those that earn most, near the middle of the table."""
    found: list[tuple[float, Build]] = []
    for point in table.base_points(table.to_move):
        axis = np.asarray(table.top(point.pillar))
        for discs, junction in allowed_discs(table, point.pillar)[:5]:
            n = 120
            angle, distance = rng.uniform(0.0, 2 * math.pi, n), rng.uniform(93.0, 122.0, n)
            spots = np.round(
                axis + distance[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1), 2
            )
            screened = referee.screen(
                table, point.pillar.id, spots, np.full(n, discs), np.full(n, junction)
            )
            for row in np.flatnonzero(screened.legal).tolist():
                x, y = spots[row].tolist()
                worth = float(screened.cars[row]) - math.hypot(x, y) / 1000 - discs / 50
                found.append((worth, Build(point.pillar.id, (x, y), discs, junction)))
    return max(found, key=lambda item: item[0])[1] if found else None


def finished(seed: int = 1) -> Table:
    """A four-player table, played without physics until nobody has a road left; then the stock is
    filled up again.
    """
    table, rng = Table.start(4, may_pass=True), np.random.default_rng(seed)
    for seat in range(4):
        table = _after(table, table.default_entrance(seat))
    for kind, angle in _BUILDINGS:
        x, y = 200 * math.cos(math.radians(angle + 45)), 200 * math.sin(math.radians(angle + 45))
        table = _after(table, SetBuilding(kind, (round(x, 2), round(y, 2)), 0.0))
    supply = table.stocks[0]
    for _ in range(4 * 8):
        if table.outcome() is not None:
            break
        # players get new cars, so that nobody finishes before all roads are laid
        stocks = tuple(replace(stock, cars=supply.cars) for stock in table.stocks)
        build = _best_build(replace(table, stocks=stocks), rng)
        table = _after(
            replace(table, stocks=stocks), build if build is not None else table.parse("pass")
        )
    return replace(table, stocks=(supply,) * 4)


def placements(table: Table, rng: np.random.Generator, count: int) -> list[Build]:
    """Random builds of the seat to move at about the right distance, legal or not."""
    points, found = table.base_points(table.to_move), []
    for _ in range(count):
        base = points[rng.integers(len(points))].pillar
        x, y = table.top(base)
        angle, distance = rng.uniform(0.0, 2 * math.pi), rng.uniform(93.0, 122.0)
        spot = (round(x + distance * math.cos(angle), 2), round(y + distance * math.sin(angle), 2))
        found.append(Build(base.id, spot, max(base.discs + int(rng.choice([-1, 1])), 1)))
    return found


def main() -> None:
    """Prints the two figures with their ratio to the target (above 1 is better than the target)."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=300, help="placements judged one by one")
    parser.add_argument("--batch", type=int, default=20_000, help="placements screened in all")
    args = parser.parse_args()
    table, rng = finished(args.seed), np.random.default_rng(args.seed)
    what = (
        (table.roads, "roads"),
        (table.pillars, "pillars"),
        (table.cars, "cars"),
        (table.buildings, "buildings"),
    )
    print("table:", ", ".join(f"{len(pieces)} {name}" for pieces, name in what))
    times = []
    for placement in placements(table, rng, args.rounds):
        begun = time.process_time()
        referee.before(table, placement)
        times.append((time.process_time() - begun) * 1e3)
    median = statistics.median(times)
    print(
        f"before, one placement: median {median:.2f} ms; {TARGET_MS / median:.1f} times the target"
    )
    table = replace(table, ruleset=table.ruleset.changed(exit_height="any"))
    base = table.base_points(table.to_move)[0].pillar
    n = args.batch
    angle = rng.uniform(0.0, 2 * math.pi, n)
    for name, low, high in (("from 80 to 130 mm", 80.0, 130.0), ("in reach only", 95.0, 122.0)):
        distance = rng.uniform(low, high, n)
        spots = np.round(
            np.asarray(table.top(base))
            + distance[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1),
            2,
        )
        discs = np.full(n, base.discs + 1)
        for kind in ("builds", "exits"):
            begun = time.process_time()
            for start in range(0, n, 1000):
                part = slice(start, start + 1000)
                if kind == "builds":
                    screened = referee.screen(table, base.id, spots[part], discs[part])
                else:
                    screened = referee.screen_exits(table, base.id, spots[part])
            rate = n / (time.process_time() - begun)
            legal = int(screened.legal.sum())
            ratio = f"{rate / TARGET_RATE:.1f} times the target"
            print(
                f"screen, {kind} {name}: {rate:,.0f} a second, {legal} of the last 1,000 legal; "
                f"{ratio}"
            )


if __name__ == "__main__":
    main()
