"""Does an outcome depend on sizes, weights and friction that nobody knows exactly? Draws a box for
each try of a move.

The sizes of a shipped box are estimates, and those of a measured one are as good as ruler and
scale. Every try draws a box from the plausible ranges, lays the table anew with its sizes, and then
uses the same errors of the hand as the try of that number in the risk. To find the quantities on
which the outcome depends, the tries are split at the median of each quantity and compared by exact
tests, corrected for their number.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace

import numpy as np

from rules.arena.match import computed
from rules.arena.rating import Interval, wilson
from sim import referee
from sim.assets import names
from sim.game.attempts.posing import bodies
from sim.game.risk import Chunk, Job, Sample, chunked, one_try
from sim.physics.neighbours import overlaps
from sim.pieces import Components
from sim.referee import Checked

_Spread = Mapping[str, tuple[float, float]]

# shares of an estimate: the plausible ranges that the shipped files name. The length of roads is
# not drawn, since the record set its pillars for them.
_SIZES: _Spread = {
    "road.width": (0.89, 1.11),
    "road.thickness": (0.8, 1.25),
    "disc.diameter": (0.9, 1.05),
    "disc.height": (0.8, 1.2),
    "car.length": (0.86, 1.43),
    "car.width": (0.86, 1.29),
    "car.height": (0.86, 1.43),
}
_RULER = 0.02
_OTHERS: _Spread = {
    **dict.fromkeys(("road.weight", "disc.weight", "car.weight"), (0.65, 1.25)),
    **dict.fromkeys(
        ("friction.disc-disc", "friction.road-disc", "friction.car-road", "friction.disc-table"),
        (0.57, 1.43),
    ),
}
_MEASURED: _Spread = {
    **dict.fromkeys(_SIZES, (1 - _RULER, 1 + _RULER)),
    **dict.fromkeys(("road.weight", "disc.weight", "car.weight"), (0.9, 1.1)),
    **dict.fromkeys((key for key in _OTHERS if key.startswith("friction")), (0.85, 1.15)),
}
_DRAWS = 20  # of sizes, until the table can stand with them
_INSIDE = 0.3  # mm that pieces may be inside each other on a table laid anew
_SURE = 0.05  # the chance of finding a cause where there is none, over all quantities together


@dataclass(frozen=True, slots=True)
class Cause:
    """A quantity on which the outcome depends: its median over the tries, and how often all stood
    below and above it.
    """

    key: str
    median: float
    below: Interval
    above: Interval


@dataclass(frozen=True, slots=True)
class Uncertain:
    """The outcome with a box drawn for each try. `calm` counts the tries after which the build
    stood and nothing had fallen, out of `samples`; `calm_as_is` counts those of the same hands with
    the box of the file. `fixed` counts the tries that use the sizes of the file, because the table
    did not stand with any drawn sizes.
    """

    samples: int
    calm: int
    calm_as_is: int
    fixed: int
    causes: tuple[Cause, ...]

    @property
    def rate(self) -> Interval:
        """The probability that all stands, with Wilson's interval."""
        return wilson(self.calm, self.samples)

    @property
    def rate_as_is(self) -> Interval:
        """The same with the box as it is."""
        return wilson(self.calm_as_is, self.samples)

    @property
    def hangs(self) -> bool:
        """Whether the outcome depends on what was drawn: on one quantity by itself, or on all of
        them together.
        """
        apart = differ(self.calm, self.samples, self.calm_as_is, self.samples) < _SURE
        return bool(self.causes) or apart

    def to_json(self) -> dict[str, object]:
        """As plain values."""
        causes = [
            {"key": c.key, "median": c.median, "below": list(c.below), "above": list(c.above)}
            for c in self.causes
        ]
        rates = {"calm": list(self.rate), "calm_as_is": list(self.rate_as_is)}
        return {
            "samples": self.samples,
            **rates,
            "fixed_sizes": self.fixed,
            "hangs": self.hangs,
            "causes": causes,
        }


@dataclass(frozen=True, slots=True)
class _Try:
    """One try: its number, whether all stood, with the box as it is too, the quantities drawn, and
    whether sizes were kept.
    """

    number: int
    calm: bool
    calm_as_is: bool
    drawn: Mapping[str, float]
    fixed: bool


def uncertain(
    job: Job,
    samples: int,
    executor: Executor | None = None,
    progress: Callable[[Iterable[list[_Try]]], Iterable[list[_Try]]] = lambda found: found,
) -> Uncertain:
    """The outcome of a job with a box drawn for each try. Raises what `sim.game.risk.risk` raises;
    a box whose file is not shipped counts as measured. `progress` receives the results as they
    come.
    """
    parts = progress(computed(_run, chunked(job, range(samples)), executor))
    found = sorted((one for part in parts for one in part), key=lambda one: one.number)
    return Uncertain(
        samples=len(found),
        calm=sum(one.calm for one in found),
        calm_as_is=sum(one.calm_as_is for one in found),
        fixed=sum(one.fixed for one in found),
        causes=_causes(found),
    )


# --- a try ----------------------------------------------------------------------------------------


def _run(chunk: Chunk) -> list[_Try]:
    job, numbers = chunk
    as_is = referee.check(job.table, job.placement)
    return [_one(job, as_is, number) for number in numbers]


def _one(job: Job, as_is: Checked, number: int) -> _Try:
    rng = np.random.default_rng(np.random.SeedSequence(job.seed, spawn_key=(number, 1)))
    spread = (
        {**_SIZES, **_OTHERS} if job.table.components.name in names("components") else _MEASURED
    )
    checked, drawn, fixed = _drawn(rng, job, spread)
    return _Try(
        number,
        _calm(one_try(job, checked, number)),
        _calm(one_try(job, as_is, number)),
        drawn,
        fixed,
    )


def _calm(one: Sample) -> bool:
    return one.stands and not one.fallen


def _drawn(
    rng: np.random.Generator, job: Job, spread: _Spread
) -> tuple[Checked, dict[str, float], bool]:
    """The placement on a table laid anew with a drawn box, what was drawn, and whether no drawn
    sizes would do.
    """
    box = job.table.components
    others = {key: float(rng.uniform(*spread[key])) for key in _OTHERS}
    for _ in range(_DRAWS):
        sizes = {key: float(rng.uniform(*spread[key])) for key in _SIZES}
        other = _box(box, {**sizes, **others})
        table = replace(job.table, components=other, poses={})
        checked = referee.check(table, job.placement)
        if not checked.faults and not overlaps(bodies(table), _INSIDE):
            return checked, _values(other), False
    other = _box(box, {**dict.fromkeys(_SIZES, 1.0), **others})
    return referee.check(replace(job.table, components=other), job.placement), _values(other), True


def _box(box: Components, share: Mapping[str, float]) -> Components:
    """The box with each quantity at that share of its own; a weight at that share of its own
    density.
    """
    sizes = {
        key.replace(".", "_"): getattr(box, key.replace(".", "_")) * share[key] for key in _SIZES
    }
    wider = share["disc.diameter"] ** 2 * share["disc.height"]
    larger = {
        "road": share["road.width"] * share["road.thickness"],
        "disc": wider,
        "car": share["car.length"] * share["car.width"] * share["car.height"],
    }
    masses = {
        f"{p}_mass": getattr(box, f"{p}_mass") * larger[p] * share[f"{p}.weight"] for p in larger
    }
    pairs = {pair: mu * share[f"friction.{pair}"] for pair, mu in box.pairs.items()}
    return replace(box, **sizes, **masses).with_pairs(pairs)


def _values(box: Components) -> dict[str, float]:
    """What was drawn, by key, in mm, g and as coefficients."""
    sizes = {key: float(getattr(box, key.replace(".", "_"))) for key in _SIZES}
    masses = {
        f"{piece}.weight": float(getattr(box, f"{piece}_mass")) for piece in ("road", "disc", "car")
    }
    return sizes | masses | {f"friction.{pair}": mu for pair, mu in box.pairs.items()}


# --- causes ---------------------------------------------------------------------------------------


def _causes(found: Sequence[_Try]) -> tuple[Cause, ...]:
    """The quantities on which the outcome depends, the surest first."""
    if not found:
        return ()
    every = []
    for key in found[0].drawn:
        median = float(np.median([one.drawn[key] for one in found]))
        halves = [
            [one.calm for one in found if (one.drawn[key] > median) is upper]
            for upper in (False, True)
        ]
        if all(halves):
            (below, n), (above, m) = ((sum(half), len(half)) for half in halves)
            every.append(
                (differ(below, n, above, m), Cause(key, median, wilson(below, n), wilson(above, m)))
            )
    sure = [one for one in every if one[0] < _SURE / len(every)]
    return tuple(cause for _, cause in sorted(sure, key=lambda one: one[0]))


def differ(one: int, of_one: int, other: int, of_other: int) -> float:
    """The p value of Fisher's exact test (two-sided) that two shares are equal: `one` of `of_one`,
    `other` of `of_other`.
    """
    both, every = one + other, of_one + of_other

    def weight(first: int) -> int:
        """In how many ways `first` of the `both` fall to the first lot."""
        return math.comb(of_one, first) * math.comb(of_other, both - first)

    seen = weight(one)
    ways = [weight(first) for first in range(max(0, both - of_other), min(both, of_one) + 1)]
    return sum(way for way in ways if way <= seen) / math.comb(every, both)
