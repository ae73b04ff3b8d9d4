"""The speed figures of the documentation, in one table, each with a signature of its results.

    python benchmarks/run.py [--quick] [--only TEXT] [--write]
    python benchmarks/run.py NAME [ARGUMENT ...]     another benchmark of this folder

Each figure comes from a fixed piece of work, done five times, in turn with all others, so that
other work of the machine slows all of them alike. Times are CPU seconds. The yardstick is work
without any code of ours (Python and NumPy). The table also gives each cost in yardsticks of the
same run; compare two runs by these. `--quick` does each work twice and compares with
`benchmarks/results.json`: a changed signature is an error (exit code 1), a cost of more than twice
the old one a warning. `--write` writes that file and the table in `docs/performance.md`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import platform
import runpy
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import settling, speed
from rules.record import read
from sim import referee
from sim.assets import asset
from sim.game.attempts.attempt import Attempt
from sim.game.attempts.hand import SKILLS
from sim.game.ply import judge
from sim.game.replay import branch, steps, trusted
from sim.game.risk import risk
from sim.game.sources import pose_source
from sim.physics import engines
from sim.physics.contacts import contacts
from sim.physics.statics import equilibrium, loaded
from sim.referee.placement import Placement
from tests.golden.make import here
from tools.scenes import scene

CHECKOUT = Path(__file__).resolve().parents[1]
RESULTS = CHECKOUT / "benchmarks" / "results.json"
PAGE = CHECKOUT / "docs" / "performance.md"
SLOW = 2.0
"""By how much a figure's cost in yardsticks may grow before it is a warning."""

Work = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Figure:
    """A piece of work: `make` prepares it and returns a function that does it; its result is
    signed. It does `count` of `unit`.

    `exact` results are the same on every machine. The others depend on how the machine rounds, so
    their signatures are compared only on the machine that wrote them.
    """

    name: str
    command: str
    unit: str
    count: int
    make: Callable[[], Work]
    exact: bool = True


def _rollouts(name: str, size: int) -> Callable[[], Work]:
    def make() -> Work:
        contest = speed.ours(name, size)
        return lambda: contest.run(3000, 1)

    return make


def _search(name: str, size: int, spec: str) -> Callable[[], Work]:
    def make() -> Work:
        choose = speed.ours_simulations(name, size, spec, 4000)
        return lambda: choose(1)

    return make


def _judged_one_by_one() -> Work:
    placed = speed.finished()
    asked = speed.placements(placed, np.random.default_rng(1), 100)
    return lambda: [[fault.code for fault in referee.before(placed, one)] for one in asked]


def _screened() -> Work:
    placed = speed.finished()
    base = placed.base_points(placed.to_move)[0].pillar
    rng = np.random.default_rng(1)
    angle, distance = rng.uniform(0.0, 2 * np.pi, 4000), rng.uniform(80.0, 130.0, 4000)
    spots = np.asarray(placed.top(base)) + distance[:, None] * np.stack(
        [np.cos(angle), np.sin(angle)], axis=1
    )
    spots, discs = np.round(spots, 2), np.full(4000, base.discs + 1)

    def work() -> object:
        parts = [slice(start, start + 1000) for start in range(0, 4000, 1000)]
        return [
            referee.screen(placed, base.id, spots[part], discs[part]).legal.tolist()
            for part in parts
        ]

    return work


def _statics(name: str) -> Callable[[], Work]:
    def make() -> Work:
        bodies = scene(name).bodies
        newest = [body.id for body in bodies if body.kind == "road"][-1]

        def work() -> object:
            touching = contacts(bodies)
            margin = equilibrium(bodies, loaded(bodies, [newest], touching), touching).margin(
                newest
            )
            return len(touching), repr(margin)[:40]

        return work

    return make


def _late_plies(engine: str) -> Callable[[], Work]:
    def make() -> Work:
        late = settling.late_builds(asset("records", "two-cars.jsonl"))[:3]
        source = pose_source(engine)
        return lambda: [
            judge(step.before, step.placement, [Attempt(source)])[1].digest() for step in late
        ]

    return make


def _replayed() -> Work:
    record = read(asset("records", "two-cars.jsonl"))
    return lambda: [step.after.digest() for step in steps(record, "none")]


def _risk() -> Work:
    record = read(asset("records", "two-cars.jsonl"))
    *_, last = trusted(branch(record, 14))
    move = Placement.parse(record.entries[14].do)
    return lambda: repr(risk(last.after, move, skill=SKILLS["normal"], samples=4, engine="bullet"))


def _yardstick() -> object:
    """Work that no change of our code makes quicker or slower: Python's loops and dictionaries,
    NumPy's sums and sorts.
    """
    seen: dict[int, int] = {}
    for number in range(60_000):
        seen[number * number % 9973] = seen.get(number % 9973, 0) + number
    values = np.sin(np.arange(200_000, dtype=np.float64))
    return sum(seen.values()), float(np.sort(values).sum())


def _figures() -> Iterator[Figure]:
    for name, sizes in speed.SIZES.items():
        for size in sizes:
            yield Figure(
                f"random games, {name} {size}",
                "python benchmarks/speed.py rollouts",
                "games",
                3000,
                _rollouts(name, size),
            )
    for name, size, spec in speed.OURS:
        search = _search(name, size, spec)
        told = f"search, {name} {size} {spec}"
        yield Figure(
            told, "python benchmarks/speed.py simulations", "simulations", 4000, search, exact=False
        )
    yield Figure(
        "a placement judged",
        "python benchmarks/speed.py referee",
        "placements",
        100,
        _judged_one_by_one,
    )
    yield Figure(
        "placements screened", "python benchmarks/speed.py referee", "placements", 4000, _screened
    )
    yield Figure(
        "a game replayed on geometry",
        "shutoko replay --engine none",
        "games",
        1,
        _replayed,
        exact=False,
    )
    for name in ("bridge", "junction", "four-player-table"):
        yield Figure(
            f"statics of a turn, {name}",
            "python benchmarks/settling.py statics",
            "turns",
            1,
            _statics(name),
            exact=False,
        )
    for engine in engines.available():
        yield Figure(
            f"a late ply, {engine}",
            "python benchmarks/settling.py verdicts",
            "plies",
            3,
            _late_plies(engine),
            exact=False,
        )
    if "bullet" in engines.available():
        yield Figure(
            "risk, bullet", "python benchmarks/risk.py seconds", "tries", 4, _risk, exact=False
        )


FIGURES = tuple(_figures())


@dataclass(slots=True)
class _Measured:
    seconds: list[float]
    yardsticks: list[float]
    signatures: set[str]


def measured(figures: tuple[Figure, ...], times: int) -> dict[str, _Measured]:
    """Does every work so many times, in turn, each with a yardstick right before it."""
    works = {figure.name: figure.make() for figure in figures}
    found = {figure.name: _Measured([], [], set()) for figure in figures}
    _yardstick()
    for work in works.values():
        work()  # compiles, and fills the caches
    for _ in range(times):
        for name, work in works.items():
            yardstick, _ = _timed(_yardstick)
            seconds, result = _timed(work)
            found[name].seconds.append(seconds)
            found[name].yardsticks.append(seconds / yardstick)
            found[name].signatures.add(
                hashlib.blake2b(repr(result).encode(), digest_size=6).hexdigest()
            )
    return found


def _timed(work: Work) -> tuple[float, object]:
    begin = time.process_time()
    result = work()
    return time.process_time() - begin, result


def as_results(figures: tuple[Figure, ...], found: dict[str, _Measured]) -> dict[str, Any]:
    """What the file of results holds."""
    lines = {}
    for figure in figures:
        each = found[figure.name]
        lines[figure.name] = {
            "command": figure.command,
            "unit": figure.unit,
            "count": figure.count,
            "least": float(f"{min(each.seconds):.4g}"),
            "median": float(f"{median(each.seconds):.4g}"),
            "yardsticks": float(f"{min(each.yardsticks):.3g}"),
            "exact": figure.exact,
            "signature": " ".join(sorted(each.signatures)),
        }
    system = " ".join([here(), *_extensions()])
    return {
        "machine": {"python": platform.python_version(), "system": system},
        "figures": lines,
    }


def _extensions() -> list[str]:
    """Those of the processor's extensions by which the solver of statics and linear algebra choose
    their code, and with it the last bits; on Linux only, else the processor's name.
    """
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return [platform.processor()]
    flags = {
        flag for line in lines if line.startswith(("flags", "Features")) for flag in line.split()
    }
    return sorted(flags & {"asimd", "avx", "avx2", "avx512f", "fma", "sse4_2"})


def table(results: dict[str, Any]) -> str:
    """The results as a table of Markdown."""
    heads = (
        "work",
        "command",
        "least",
        "median",
        "a second, at the median",
        "yardsticks",
        "signature",
    )
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for name, one in results["figures"].items():
        rate = one["count"] / one["median"]
        told = f"{rate:,.0f}" if rate >= 100 else f"{rate:.3g}"
        times = (
            f"{1000 * one['least']:.3g} ms",
            f"{1000 * one['median']:.3g} ms",
            f"{told} {one['unit']}",
        )
        cells = (
            name,
            f"`{one['command']}`",
            *times,
            f"{one['yardsticks']:g}",
            f"`{one['signature']}`",
        )
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def compared(results: dict[str, Any], before: dict[str, Any]) -> list[str]:
    """The figures whose signature has changed. Prints these, and those that cost more than twice as
    much.
    """
    changed = []
    same_machine = results["machine"] == before["machine"]
    for name, one in results["figures"].items():
        old = before["figures"].get(name)
        if old is None:
            continue
        if one["signature"] != old["signature"]:
            if one["exact"] or same_machine:
                changed.append(name)
            print(
                f"{'CHANGED' if name in changed else 'another machine'}: {name}: "
                f"{old['signature']}, now {one['signature']}"
            )
        if one["yardsticks"] > SLOW * old["yardsticks"]:
            print(
                f"WARNING: {name} takes {one['yardsticks']:g} yardsticks, {old['yardsticks']:g} "
                "before"
            )
    return changed


def _another(name: str, *arguments: str) -> None:
    """Runs another benchmark of this folder as its own program."""
    names = sorted(path.stem for path in Path(__file__).parent.glob("*.py"))
    if name not in names:
        sys.exit(f"no benchmark {name!r}; there are: {', '.join(names)}")
    path = str(Path(__file__).with_name(f"{name}.py"))
    sys.argv = [path, *arguments]
    runpy.run_path(path, run_name="__main__")


def main() -> None:
    """Prints the table; with `--quick` only what has changed."""
    if sys.argv[1:] and not sys.argv[1].startswith("-"):
        _another(*sys.argv[1:])
        return
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--quick", action="store_true", help="twice each; compare with what was written"
    )
    parser.add_argument(
        "--only", default="", metavar="TEXT", help="the figures whose names hold this"
    )
    parser.add_argument(
        "--write", action="store_true", help="write results.json and docs/performance.md"
    )
    args = parser.parse_args()
    figures = tuple(figure for figure in FIGURES if args.only in figure.name)
    results = as_results(figures, measured(figures, 2 if args.quick else 5))
    print(table(results))
    unsteady = [name for name, one in results["figures"].items() if " " in one["signature"]]
    if unsteady:
        sys.exit(f"another result when repeated: {', '.join(unsteady)}")
    if args.write:
        kept = json.loads(RESULTS.read_text(encoding="utf-8"))["tables"]  # of results.py
        text = json.dumps({**results, "tables": kept}, indent=1, ensure_ascii=False) + "\n"
        RESULTS.write_text(text, encoding="utf-8")
        above, _, _ = PAGE.read_text(encoding="utf-8").partition("| work |")
        _, _, below = PAGE.read_text(encoding="utf-8").partition("\n\n<!-- end of the table -->")
        PAGE.write_text(
            f"{above}{table(results)}\n\n<!-- end of the table -->{below}", encoding="utf-8"
        )
    elif compared(results, json.loads(RESULTS.read_text(encoding="utf-8"))):
        sys.exit(1)


if __name__ == "__main__":
    main()
