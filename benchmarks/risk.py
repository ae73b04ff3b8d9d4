"""The risk of a move: seconds per sample with one process and on all cores, and what the coarser
tolerances of `sim.game.risk` change.

    python benchmarks/risk.py [--record FILE] [--ply 14] [--samples 32] [--engine bullet] [--width
    0.02]

First it prints the wall-clock time of the same job with one process and with one process per core,
which must give the same result. Then it judges every try twice, with the tolerances of the risk and
with those of a record, for the normal and the clumsy hand in turn: mean CPU seconds of each, and in
how many tries the same pieces fell. Last it prints the CPU seconds for an interval of +- `--width`:
"before" with as many whole tries as an even chance needs, "after" with as many as this move needs,
without the part of the hand's path that passes nothing.
"""

from __future__ import annotations

import argparse
import math
import os
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

from rules.arena.rating import Z95
from rules.record import read
from sim import referee
from sim.assets import asset
from sim.game.attempts.attempt import Attempt
from sim.game.attempts.hand import SKILLS, draw
from sim.game.ply import judged
from sim.game.replay import branch, trusted
from sim.game.risk import SETTLE, risk
from sim.game.sources import Simulated
from sim.physics import engines
from sim.physics.engine import SettleParams
from sim.referee.placement import Placement
from sim.referee.table import Table


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", type=Path, default=asset("records", "two-cars.jsonl"))
    parser.add_argument("--ply", type=int, default=14)
    parser.add_argument("--samples", type=int, default=32)
    parser.add_argument("--width", type=float, default=0.02)
    parser.add_argument("--engine", default="bullet", choices=engines.NAMES)
    arguments = parser.parse_args()
    record = read(arguments.record)
    *_, last = trusted(branch(record, arguments.ply))
    placement = Placement.parse(record.entries[arguments.ply].do)
    print(
        f"{arguments.record.name} ply {arguments.ply}: {len(last.after.piece_ids)} pieces, engine "
        f"{arguments.engine}"
    )
    _processes(last.after, placement, arguments)
    _tolerances(last.after, placement, arguments)
    _width(last.after, placement, arguments)


def _processes(table: Table, placement: Placement, arguments: argparse.Namespace) -> None:
    what = {"skill": SKILLS["normal"], "samples": arguments.samples, "engine": arguments.engine}
    begin = time.perf_counter()
    alone = risk(table, placement, **what)
    one = (time.perf_counter() - begin) / arguments.samples
    with ProcessPoolExecutor() as executor:
        list(executor.map(int, range(64)))  # the workers are up
        begin = time.perf_counter()
        together = risk(table, placement, **what, executor=executor)
        many = (time.perf_counter() - begin) / arguments.samples
    same = "the same result" if alone == together else "ANOTHER RESULT"
    print(
        f"one process {one:.3f} s a sample, {os.cpu_count()} processes {many:.3f} s, ratio "
        f"{one / many:.2f}, {same}"
    )


def _width(table: Table, placement: Placement, arguments: argparse.Namespace) -> None:
    begin = time.process_time()
    found = risk(
        table,
        placement,
        skill=SKILLS["normal"],
        samples=10_000,
        engine=arguments.engine,
        width=arguments.width,
    )
    after = time.process_time() - begin
    checked, engine = referee.check(table, placement), engines.engine(arguments.engine)
    spent = [0.0, 0.0]
    said: tuple[list[tuple[bool, tuple[str, ...]]], ...] = ([], [])
    for number in range(arguments.samples):
        hand = draw(
            np.random.default_rng(np.random.SeedSequence(0, spawn_key=(number,))),
            checked,
            SKILLS["normal"],
        )
        for brief in (0, 1):
            begin = time.process_time()
            verdict, _, _ = judged(
                checked, [Attempt(Simulated(engine, SETTLE, brief=bool(brief)), hand)]
            )
            spent[brief] += time.process_time() - begin
            said[brief].append((bool(verdict.built), verdict.fallen))
    whole, brief = (seconds / arguments.samples for seconds in spent)
    needed = math.ceil((Z95 / (2 * arguments.width)) ** 2)
    same = sum(a == b for a, b in zip(*said, strict=True))
    stands = [sum(built for built, _ in tries) / arguments.samples for tries in said]
    print(
        f"whole tries {whole:.3f} s CPU each, without the way through the air {brief:.3f} s; the "
        f"same pieces fell in {same} of"
    )
    print(f"  {arguments.samples}, and {stands[0]:.1%} and {stands[1]:.1%} stood")
    print(f"+-{arguments.width:g}: before {needed} whole tries, {needed * whole:.0f} s CPU;")
    print(f"  after {found.samples} tries, {after:.0f} s CPU, ratio {needed * whole / after:.1f}")
    print(f"  stands {found.stands_rate}, others fall {found.others_fall_rate}")


def _tolerances(table: Table, placement: Placement, arguments: argparse.Namespace) -> None:
    spent, agreed, felled, checked = [0.0, 0.0], 0, 0, referee.check(table, placement)
    for number in range(arguments.samples):
        skill = SKILLS[("normal", "clumsy")[number % 2]]
        hand = draw(np.random.default_rng(number), checked, skill)
        said = []
        for k, params in enumerate((SETTLE, SettleParams())):
            begin = time.process_time()
            verdict, _, _ = judged(
                checked, [Attempt(Simulated(engines.engine(arguments.engine), params), hand)]
            )
            spent[k] += time.process_time() - begin
            said.append((verdict.built, verdict.fallen))
        agreed += said[0] == said[1]
        felled += bool(said[1][1])
    coarse, fine = (seconds / arguments.samples for seconds in spent)
    print(
        f"tolerances of the risk {coarse:.3f} s CPU a sample, of a record {fine:.3f} s, ratio "
        f"{fine / coarse:.1f}"
    )
    print(
        f"the same pieces fell in {agreed} of {arguments.samples} tries; something fell in {felled}"
    )


if __name__ == "__main__":
    main()
