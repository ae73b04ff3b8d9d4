"""The risk of a move: tries the same placement many times with a hand of some skill, and counts how
often it goes wrong.

Each sample is one try: a hand drawn from the skill, one verdict with physics, no second try. Only
falls count, not where pieces come to rest. So pieces settle with coarser tolerances (`SETTLE`) than
for a record.

A sample's generator is seeded by (seed, sample number) alone, and results are merged by that
number. So the same seed gives the same result on one process, on many and on a cluster, whichever
worker answers first. A chunk whose worker was lost is computed again and counted once.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from rules.arena.match import computed
from rules.arena.rating import LOOK, Z95, Interval, fixed_width, is_narrow, wilson
from rules.errors import InputError
from rules.view import tabled
from sim import referee
from sim.bodies import Tool
from sim.game.attempts.hand import Skill, draw
from sim.game.ply import Attempt, judge_checked
from sim.game.sources import Simulated
from sim.game.stability import Failing, Why, by_count, failings, told
from sim.physics import engines
from sim.physics.engine import SettleParams
from sim.referee import (
    Adjust,
    Build,
    Checked,
    Entrance,
    Exit,
    IllegalPlacementError,
    Placement,
    Table,
    reach,
    seat_of,
)

# samples between looks: workers get this many at once, and those after the last look are thrown
# away
_AHEAD = 4
_CHUNK = 4  # samples per task: worth sending, and cheap enough to compute again if a worker is lost

SETTLE = SettleParams(
    quiet_speed=3.0,
    quiet_turn=3.0,
    quiet_time=0.1,
    time_limit=2.0,
    patience=0.0,
    border_shift=0.5,
    border_turn=0.5,
)
"""How a try settles. A fall is some millimetres or degrees, so the border of the awake set and the
state of rest need less care than for a record, and 2 s after the hand has left show what falls.
benchmarks/speed.py risk compares it with a record's tolerances.
"""


@dataclass(frozen=True, slots=True)
class Job:
    """What to sample: a legal placement on a table, a hand of that skill with that tool, and the
    name of the engine.
    """

    table: Table
    placement: Placement
    skill: Skill
    seed: int
    engine: str
    tool: Tool = "finger"


@dataclass(frozen=True, slots=True)
class Sample:
    """One try: its number, whether the new pieces stand, what fell and what the hand touched, the
    discs to pay for it; why they do not stand.
    """

    number: int
    stands: bool
    fallen: tuple[str, ...]
    touched: tuple[str, ...]
    penalty: int
    why: tuple[Failing, ...] = ()


Narrow = tuple[int, int]
"""Successes and tries at the look at which a rate was narrow enough."""


@dataclass(frozen=True, slots=True)
class Risk:
    """The risk of a move: exact counts over `samples` tries, and estimates from them.

    `stands` counts the tries after which the new pillar and road stand, `others_fall` those that
    felled a piece of another player. `penalty` sums up the discs paid, `penalty_squares` their
    squares. `fallen_counts[n]` are the tries in which n pieces fell, own pieces and cars included.
    `falls` and `touches` give by id the number of tries in which a piece fell or the hand touched
    it, most often first. `why` are the reasons why the new pieces did not stand, most often first.

    With a wanted `width`, `narrow` holds the successes and tries of stands and others_fall at the
    look at which each was narrow enough; None where it never was.
    """

    engine: str
    skill: str
    tool: str
    seed: int
    samples: int
    stands: int
    others_fall: int
    penalty: int
    penalty_squares: int
    fallen_counts: tuple[int, ...]
    falls: Mapping[str, int]
    touches: Mapping[str, int]
    width: float | None = None
    narrow: tuple[Narrow | None, Narrow | None] = (None, None)
    why: tuple[Why, ...] = ()

    @property
    def stands_rate(self) -> Interval:
        """The probability that the move stands, with the interval of the wanted width or
        Wilson's.
        """
        return self._rate(self.stands, self.narrow[0])

    @property
    def others_fall_rate(self) -> Interval:
        """The probability that a piece of another player falls, with the interval of the wanted
        width or Wilson's.
        """
        return self._rate(self.others_fall, self.narrow[1])

    def _rate(self, count: int, narrow: Narrow | None) -> Interval:
        if self.width is None or narrow is None:
            return wilson(count, self.samples)
        return fixed_width(*narrow, self.width)

    @property
    def expected_penalty(self) -> Interval:
        """The mean of the discs paid per try, with the normal interval of a mean."""
        mean = self.penalty / self.samples
        spread = max(self.penalty_squares - self.samples * mean * mean, 0.0) / max(
            self.samples - 1, 1
        )
        half = Z95 * math.sqrt(spread / self.samples)
        return Interval(mean, max(mean - half, 0.0), mean + half)

    def _repr_html_(self) -> str:
        shares = [
            ("the build stands", self.stands_rate),
            ("a piece of others falls", self.others_fall_rate),
        ]
        shares += [(str(one.what), wilson(one.count, one.tries)) for one in self.why]
        shares += [(f"{piece} falls", self.fall_rate(piece)) for piece in self.falls]
        rows = [(what, *(f"{part:.1%}" for part in share)) for what, share in shares]
        rows.append(("discs to pay", *(f"{part:.2f}" for part in self.expected_penalty)))
        title = f"{self.samples} tries with a {self.skill} hand in {self.engine}"
        return tabled(title, ("", "estimate", "95 % from", "to"), rows)

    def fall_rate(self, piece: str) -> Interval:
        """The probability that one piece falls, with Wilson's interval."""
        return wilson(self.falls.get(piece, 0), self.samples)

    def to_json(self) -> dict[str, object]:
        """As plain values: the counts and the estimates as [value, low, high]."""
        return {
            "engine": self.engine,
            "skill": self.skill,
            "tool": self.tool,
            "seed": self.seed,
            "samples": self.samples,
            "width": self.width,
            "counts": {
                "stands": self.stands,
                "others_fall": self.others_fall,
                "penalty": self.penalty,
            },
            "stands": list(self.stands_rate),
            "others_fall": list(self.others_fall_rate),
            "penalty": list(self.expected_penalty),
            "fallen_counts": list(self.fallen_counts),
            "falls": dict(self.falls),
            "touches": dict(self.touches),
            "why": [one.to_json() for one in self.why],
        }


@dataclass(frozen=True, slots=True)
class Spot:
    """One place for the new pillar: in mm, the cars that it earns by geometry, and the risk of
    building there.
    """

    at: tuple[float, float]
    cars: int
    risk: Risk


@dataclass(frozen=True, slots=True)
class RiskMap:
    """The risk over the places, `step` mm apart, where the seat to move may set a pillar of `discs`
    from pillar `base`.
    """

    base: str
    discs: int
    junction: bool
    step: float
    spots: tuple[Spot, ...]


def risk(
    table: Table,
    placement: Placement,
    *,
    skill: Skill,
    samples: int,
    seed: int = 0,
    engine: str | None = None,
    tool: Tool = "finger",
    executor: Executor | None = None,
    width: float | None = None,
) -> Risk:
    """The risk of a placement by the seat to move, over `samples` tries. With a `width` it stops as
    soon as both rates are known to within +- `width`.

    `engine` None is the default one; `executor` None computes here, one sample after the other. The
    same arguments give the same result on every executor. Raises IllegalMoveError for an illegal
    placement, InputError for one that lays no road or for fewer than one sample, UnavailableError
    if the engine is not installed.
    """
    job = Job(table, placement, skill, seed, engine or engines.default(), tool)
    tries = (
        sample(job, samples, executor)
        if width is None
        else sample_until(job, width, samples, executor)
    )
    return summarise(job, tries, width)


def sample(job: Job, samples: int, executor: Executor | None = None) -> Iterator[Sample]:
    """The samples of a job as they come, each once, in any order; raises as `risk` does, at the
    first.
    """
    _check(job, samples)
    for found in computed(_run_chunk, chunked(job, range(samples)), executor):
        yield from found


def sample_until(
    job: Job, width: float, most: int, executor: Executor | None = None
) -> Iterator[Sample]:
    """The samples of a job in the order of their numbers, until both rates are known within +-
    `width`, or `most` are made.

    The numbers of samples at which it looks are the same on every executor, and so is the last
    sample. Raises as `sample` does.
    """
    _check(job, most)
    if not 0 < width < 0.5:
        raise InputError(f"a width is a share between 0 and 0.5, such as 0.02, not {width:g}")
    made = list[Sample]()
    batch = LOOK if executor is None else _AHEAD * LOOK
    for begin in range(0, most, batch):
        numbers = range(begin, min(begin + batch, most))
        chunks = computed(_run_chunk, chunked(job, numbers), executor)
        done = [one for chunk in chunks for one in chunk]
        for one in sorted(done, key=lambda one: one.number):
            yield one
            made.append(one)
            if len(made) % LOOK == 0 and all(_narrow(made, job.table.to_move, width)):
                return


def summarise(job: Job, samples: Iterable[Sample], width: float | None = None) -> Risk:
    """The risk that the samples of a job add up to, whatever their order; `width` is that of
    `sample_until`.
    """
    found = sorted(samples, key=lambda one: one.number)
    fallen = Counter(len(one.fallen) for one in found)
    seat = job.table.to_move
    return Risk(
        engine=job.engine,
        skill=job.skill.name,
        tool=job.tool,
        seed=job.seed,
        samples=len(found),
        stands=sum(one.stands for one in found),
        others_fall=sum(_fells_others(one, seat) for one in found),
        penalty=sum(one.penalty for one in found),
        penalty_squares=sum(one.penalty**2 for one in found),
        fallen_counts=tuple(fallen[n] for n in range(max(fallen, default=0) + 1)),
        falls=by_count(piece for one in found for piece in one.fallen),
        touches=by_count(piece for one in found for piece in one.touched),
        width=width,
        narrow=(None, None) if width is None else _narrow(found, seat, width),
        why=told([one.why for one in found], len(found)),
    )


def risk_map(
    table: Table,
    base: str,
    discs: int,
    *,
    junction: bool = False,
    skill: Skill,
    samples: int = 4,
    step: float = 10.0,
    seed: int = 0,
    engine: str | None = None,
    tool: Tool = "finger",
    executor: Executor | None = None,
    progress: Callable[[Iterable[Spot], int], Iterable[Spot]] = lambda spots, total: spots,  # noqa: ARG005
) -> RiskMap:
    """The risk of every legal build from a base pillar on a grid of places `step` mm apart, with a
    few samples each.

    The grid is aligned with the table's origin. Sample n is drawn from the same numbers at every
    place, so places differ by what stands there and not by luck. `progress` receives the places as
    they come, and their number. Raises InputError if there is no such base and for numbers that
    make no grid.
    """
    if base not in table.pillar_by_id:
        raise InputError(
            f"there is no pillar {base}; available: {', '.join(table.pillar_by_id) or 'none'}"
        )
    if not (math.isfinite(step) and step >= 1.0) or discs < 1 or samples < 1:
        raise InputError(
            f"a map needs a step of 1 mm at least, a disc and a sample, not {step}, {discs}, "
            f"{samples}"
        )
    places, cars = _places(table, base, discs, junction, step)
    engine = engine or engines.default()
    jobs = [
        Job(table, Build(base, place, discs, junction), skill, seed, engine, tool)
        for place in places
    ]
    chunks = [((job, range(samples)), earned) for job, earned in zip(jobs, cars, strict=True)]
    spots = {spot.at: spot for spot in progress(computed(_run_spot, chunks, executor), len(chunks))}
    return RiskMap(base, discs, junction, step, tuple(spots[place] for place in places))


# --- workers --------------------------------------------------------------------------------------


Chunk = tuple[Job, Sequence[int]]
"""Samples of a job, by their numbers."""


def chunked(job: Job, numbers: range) -> list[Chunk]:
    """The samples of these numbers in parts, a task for a worker each."""
    return [(job, numbers[k : k + _CHUNK]) for k in range(0, len(numbers), _CHUNK)]


def _run_chunk(chunk: Chunk) -> list[Sample]:
    """Computes some samples of a job, in any process."""
    job, numbers = chunk
    checked = referee.check(job.table, job.placement)
    return [one_try(job, checked, number) for number in numbers]


def _run_spot(spot: tuple[Chunk, int]) -> Spot:
    """All samples of one place on a map, with the cars that it earns."""
    (job, numbers), cars = spot
    assert isinstance(job.placement, Build)
    return Spot(job.placement.at, cars, summarise(job, _run_chunk((job, numbers))))


def one_try(job: Job, checked: Checked, number: int) -> Sample:
    """One try of a job, by the hand of that number, at a checked placement."""
    # the same as the n-th child of SeedSequence(seed).spawn(...), without making the others
    rng = np.random.default_rng(np.random.SeedSequence(job.seed, spawn_key=(number,)))
    hand = draw(rng, checked, job.skill, job.tool)
    verdict, _, attempts = judge_checked(
        checked, [Attempt(Simulated(engines.engine(job.engine), SETTLE, brief=True), hand)]
    )
    paid = sum(payment.total for payment in verdict.paid)
    why = () if verdict.built else failings(checked, attempts[-1])
    return Sample(number, bool(verdict.built), verdict.fallen, verdict.touched, paid, why)


# --- helpers --------------------------------------------------------------------------------------


def _check(job: Job, samples: int) -> None:
    if samples < 1:
        raise InputError(f"the risk needs at least one sample, not {samples}")
    if job.seed < 0:
        raise InputError(f"a seed is a whole number of 0 or more, not {job.seed}")
    if not isinstance(job.placement, (Build, Entrance, Exit)):
        why = (
            "asks for the build that it makes"
            if isinstance(job.placement, Adjust)
            else "lays no road: there is nothing to fall"
        )
        raise InputError(f"a placement of kind {job.placement.kind} {why}")
    faults = referee.before(job.table, job.placement)
    if faults:
        raise IllegalPlacementError(job.placement, job.table.digest(), faults)
    engines.engine(job.engine)


def _places(
    table: Table, base: str, discs: int, junction: bool, step: float
) -> tuple[list[tuple[float, float]], list[int]]:
    """The legal places of the grid within reach of a base pillar, row by row, and the cars that
    each earns.
    """
    pillar = table.pillar_by_id[base]
    between = reach(table.components, discs - pillar.discs)
    if between is None:
        return [], []
    x, y = table.top(pillar)
    lines = [
        np.arange(math.ceil((c - between[1]) / step), math.floor((c + between[1]) / step) + 1)
        * step
        for c in (x, y)
    ]
    grid = np.stack(np.meshgrid(*lines), axis=-1).reshape(-1, 2).round(2)  # as a placement rounds
    away = np.hypot(*(grid - (x, y)).T)
    grid = grid[(away > between[0]) & (away < between[1])]
    found = referee.screen(
        table, base, grid, np.full(len(grid), discs), np.full(len(grid), junction)
    )
    keep = np.flatnonzero(found.legal)
    return [(float(px), float(py)) for px, py in grid[keep]], [int(n) for n in found.cars[keep]]


def _narrow(
    found: Sequence[Sample], seat: int, width: float
) -> tuple[Narrow | None, Narrow | None]:
    """The counts of both rates at the first look at which each was narrow enough."""
    return _first(width, (one.stands for one in found)), _first(
        width, (_fells_others(one, seat) for one in found)
    )


def _first(width: float, came: Iterable[bool]) -> Narrow | None:
    """The count of a rate at the first look at which it is narrow enough, try by try in the order
    of the numbers.
    """
    counts = enumerate(accumulate(came), 1)
    looks = ((successes, trials) for trials, successes in counts if trials % LOOK == 0)
    return next((look for look in looks if is_narrow(*look, width)), None)


def _fells_others(one: Sample, seat: int) -> bool:
    return any(seat_of(piece) not in (None, seat) for piece in one.fallen)
