"""The speed figures of the documentation, in one table, each with a signature of its results.

    python benchmarks/run.py [--quick] [--only TEXT] [--write]

Each figure comes from a fixed piece of work, done five times, in turn with all others, so that
other work of the machine slows all of them alike. Times are CPU seconds. The yardstick is work
without any code of ours (Python and NumPy). The table also gives each cost in yardsticks of the
same run; compare two runs by these.
"""

from __future__ import annotations

import hashlib
import platform
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import speed
from rules.record import read
from sim import referee
from sim.assets import asset
from sim.game.attempts.hand import SKILLS
from sim.game.ply import Attempt, judge
from sim.game.replay import steps
from sim.game.risk import risk
from sim.game.sources import pose_source
from sim.physics import engines
from tools.golden import here
from tools.measuring import note, run

CHECKOUT = Path(__file__).resolve().parents[1]
PAGE = CHECKOUT / "docs" / "performance.md"
_HEAD = (
    "| work | command | least | median | a second, at the median | yardsticks | signature |\n"
    "|---|---|---|---|---|---|---|"
)
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
        bodies, newest = speed.laid(name)
        return lambda: speed.statics_of_a_turn(bodies, newest)

    return make


def _late_plies(engine: str) -> Callable[[], Work]:
    def make() -> Work:
        late = speed.late_builds(asset("records", "two-cars.jsonl"))[:3]
        source = pose_source(engine)
        return lambda: [
            judge(step.before, step.placement, [Attempt(source)])[1].digest() for step in late
        ]

    return make


def _replayed() -> Work:
    record = read(asset("records", "two-cars.jsonl"))
    return lambda: [step.after.digest() for step in steps(record, "none")]


def _risk() -> Work:
    move = speed.risky()
    return lambda: repr(risk(*move, skill=SKILLS["normal"], samples=4, engine="bullet"))


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
            "python benchmarks/speed.py statics",
            "turns",
            1,
            _statics(name),
            exact=False,
        )
    for engine in engines.available():
        yield Figure(
            f"a late ply, {engine}",
            "python benchmarks/speed.py verdicts",
            "plies",
            3,
            _late_plies(engine),
            exact=False,
        )
    if "bullet" in engines.available():
        yield Figure(
            "risk, bullet", "python benchmarks/speed.py risk", "tries", 4, _risk, exact=False
        )


FIGURES = tuple(_figures())


@dataclass(slots=True)
class Measured:
    """CPU seconds of each run, the same in yardsticks, and signatures."""

    seconds: list[float]
    yardsticks: list[float]
    signatures: set[str]


def measured(figures: tuple[Figure, ...], times: int) -> dict[str, Measured]:
    """Does every work so many times, in turn, each with a yardstick right before it."""
    works = {figure.name: figure.make() for figure in figures}
    found = {figure.name: Measured([], [], set()) for figure in figures}
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


def machine() -> str:
    """What decides the last bits, besides our own code: Python, NumPy, the system, the processor's
    extensions by which linear algebra chooses its code (on Linux only, else its name).
    """
    flags = {platform.processor()}
    with suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        found = " ".join(line for line in lines if line.startswith(("flags", "Features")))
        flags = {*found.split()} & {"asimd", "avx", "avx2", "avx512f", "fma", "sse4_2"}
    return " ".join(["Python", platform.python_version(), here(), *sorted(flags)])


def row(figure: Figure, found: Measured) -> str:
    """The row of a figure in the table."""
    middle = median(found.seconds)
    rate = figure.count / middle
    cells = (
        figure.name,
        f"`{figure.command}`",
        f"{1000 * min(found.seconds):.3g} ms",
        f"{1000 * middle:.3g} ms",
        f"{f'{rate:,.0f}' if rate >= 100 else f'{rate:.3g}'} {figure.unit}",
        f"{min(found.yardsticks):.3g}",
        f"`{' '.join(sorted(found.signatures))}`",
    )
    return f"| {' | '.join(cells)} |"


def changed(figure: Figure, now: str, before: str | None, *, same: bool) -> bool:
    """Whether a row has another signature than the one before it, though it should not. Notes that,
    and a cost of more than twice as much.
    """
    if before is None:
        note(f"NEW: {figure.name} is not in {PAGE.name}: run with --write")
        return True
    (old_cost, old), (cost, new) = (one.strip("| ").split(" | ")[-2:] for one in (before, now))
    wrong = old != new and (figure.exact or same)
    if old != new:
        note(f"{'CHANGED' if wrong else 'another machine'}: {figure.name}: {old}, now {new}")
    if float(cost) > SLOW * float(old_cost):
        note(f"WARNING: {figure.name} takes {cost} yardsticks, {old_cost} before")
    return wrong


def figures(*, quick: bool = False, only: str = "", write: bool = False) -> int:
    """Prints the table, and compares it with docs/performance.md: a changed signature is an error,
    a cost of more than twice the yardsticks a warning. Results of physics and statics depend on how
    a machine rounds, so their signatures are compared only on a machine like the one on the page.

    --quick does each work twice, not five times; --only takes the figures whose names have TEXT;
    --write puts the table into the page.
    """
    some = tuple(figure for figure in FIGURES if only in figure.name)
    found, page = measured(some, 2 if quick else 5), PAGE.read_text(encoding="utf-8")
    told = {figure.name: row(figure, found[figure.name]) for figure in some}
    print("\n".join([_HEAD, *told.values()]), flush=True)
    if unsteady := [name for name, one in found.items() if len(one.signatures) > 1]:
        note(f"another result when repeated: {', '.join(unsteady)}")
        return 1
    above, _, rest = page.partition("| work |")
    table, _, below = rest.partition("\n\n## ")
    before = {line.split(" | ")[0].strip("| "): line for line in table.splitlines()}
    if write:
        lines = [(before | told)[figure.name] for figure in FIGURES]
        told_all = "\n".join([_HEAD, *lines, "", f"Measured on {machine()}."])
        PAGE.write_text(f"{above}{told_all}\n\n## {below}", encoding="utf-8")
        return 0
    same = f"Measured on {machine()}." in table
    return max(
        changed(figure, told[figure.name], before.get(figure.name), same=same) for figure in some
    )


if __name__ == "__main__":
    run(figures)
