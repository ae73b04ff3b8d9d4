"""The hand's figures: how often it touches and fells things, by skill and by how near a foreign road is to its path.

    python benchmarks/hand.py [--samples 200] [--free 1000] [--engine bullet] [--tool finger]

The table is a base pillar of A and, across the way to the new pillar, a road of B with a car on it: `distance` is the air
between its edge and the finger as it is meant to go. `free` leaves B out. Prints for each skill and distance the share of
tries in which the hand touched B's road or car, and in which something fell, with 95 % intervals, and whether both shares fall
with skill and with distance, two tries in a hundred aside. The last line is the clumsy hand beside the same road without a car.
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import Executor, ProcessPoolExecutor
from itertools import pairwise
from typing import Any

from sim.hand import SKILLS
from sim.placement import Build
from sim.risk import Interval, Risk, risk, wilson
from sim.table import Table
from sim.world import TOOL_RADIUS

BUILD = Build("A-P0", (55.0, 0.0), 3)
DISTANCES = (3.0, 5.0, 8.0)
SLACK = 0.02


def table(distance: float | None, tool: str, car: bool = True) -> Table:
    """The base of A at (-55, 0), and B's road across at that distance beside the tool over the new pillar at (55, 0)."""
    layout: dict[str, Any] = {"to_move": 0, "pillars": [{"id": "A-P0", "at": [-55, 0], "discs": 2}]}
    if distance is not None:
        x = 55 + TOOL_RADIUS[tool] + distance + 4.5
        layout["pillars"] += [{"id": "B-P0", "at": [x, -55], "discs": 5}, {"id": "B-P1", "at": [x, 55], "discs": 4}]
        layout["roads"] = [{"id": "B-R0", "from": "B-P0", "to": "B-P1"}]
        layout["cars"] = [{"id": "B-C0", "on": "B-R0", "along": 0.5}] if car else []
    return Table.from_layout(layout)


def fell(found: Risk) -> Interval:
    """The share of tries in which anything fell."""
    return wilson(found.samples - found.fallen_counts[0], found.samples)


def touched(found: Risk) -> Interval:
    """The share of tries in which the hand touched B's road, the piece beside its path."""
    return wilson(found.touches.get("B-R0", 0), found.samples)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=200, help="tries for each skill and distance (default: 200)")
    parser.add_argument("--free", type=int, default=1000, help="tries of the expert in a free place (default: 1000)")
    parser.add_argument("--engine", default="bullet")
    parser.add_argument("--tool", default="finger", choices=tuple(TOOL_RADIUS))
    arguments = parser.parse_args()
    with ProcessPoolExecutor() as executor:
        _free(arguments, executor)
        _beside(arguments, executor)


def _free(arguments: argparse.Namespace, executor: Executor) -> None:
    begin = time.perf_counter()
    found = _risk(table(None, arguments.tool), "expert", arguments.free, arguments, executor)
    print(
        f"free place, expert: something fell in {found.samples - found.fallen_counts[0]} of {found.samples} placements, "
        f"stood in {found.stands}; {time.perf_counter() - begin:.0f} s",
        flush=True,
    )


def _beside(arguments: argparse.Namespace, executor: Executor) -> None:
    rates: dict[tuple[str, float], tuple[float, float]] = {}
    print(f"{'skill':<8} {'distance':>8}  {'touched':<24} {'fell':<24}")
    for name in SKILLS:
        for distance in DISTANCES:
            found = _risk(table(distance, arguments.tool), name, arguments.samples, arguments, executor)
            rates[name, distance] = touched(found).value, fell(found).value
            print(f"{name:<8} {distance:>5} mm  {_percent(touched(found)):<24} {_percent(fell(found)):<24}", flush=True)
    for k, what in enumerate(("touched", "fell")):
        by_distance = all(
            rates[name, near][k] >= rates[name, far][k] - SLACK for name in SKILLS for near, far in pairwise(DISTANCES)
        )
        by_skill = all(rates[one, d][k] <= rates[other, d][k] + SLACK for one, other in pairwise(SKILLS) for d in DISTANCES)
        print(f"{what}: less with distance: {_yes(by_distance)}; less with skill: {_yes(by_skill)}", flush=True)
    bare = _risk(table(DISTANCES[0], arguments.tool, car=False), "clumsy", arguments.samples, arguments, executor)
    print(f"clumsy   {DISTANCES[0]:>5} mm  {_percent(touched(bare)):<24} {_percent(fell(bare)):<24} (no car)")


def _risk(on: Table, skill: str, samples: int, arguments: argparse.Namespace, executor: Executor) -> Risk:
    return risk(
        on,
        BUILD,
        skill=SKILLS[skill],
        samples=samples,
        seed=1,
        engine=arguments.engine,
        tool=arguments.tool,
        executor=executor,
    )


def _percent(share: Interval) -> str:
    return f"{share.value:.1%} ({share.low:.1%} to {share.high:.1%})"


def _yes(holds: bool) -> str:
    return "yes" if holds else "NO"


if __name__ == "__main__":
    main()
