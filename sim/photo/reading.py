"""A photo read: the marks solved, mended and judged; the answer as data, in words, and as a
record.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from rules.errors import InputError
from rules.record import Record
from sim.game import replay
from sim.game.rest import inside
from sim.languages import Sentence
from sim.photo.camera import Camera, Frame
from sim.photo.layout import named_cars, parked, record_of, rounded
from sim.photo.marks import Marks
from sim.photo.picture import Looked, looked
from sim.photo.scene import Known, Scene, moved
from sim.photo.solving import Solution, check_determined, improved, left_out, solve
from sim.photo.suspects import Judged, RoadVerdict, Suspect, judged, mended, sticks
from sim.referee.explain import Reason, crossing_reason

Floats = npt.NDArray[np.float64]

UNCHECKED = 20.0
"""A tap that may have slipped by more mm without a trace is one that nothing else checks."""

_SHOWN = 0.25  # of the roads: a picture that shows fewer is not the one that was marked


@dataclass(frozen=True)
class Reading:
    """What a photo says: the solution, the verdict on each road, what is suspect, and how far
    pillars and tips may be off.

    `off` is 1 sigma along one axis, in mm: of the pillars (p,), then of the roads' tips (2 n,).
    `unnoticed` is how far each tap (n, 2) may have slipped without a trace in all the others, in
    mm. `moved` is by how many pixels each tap (n, 2) was moved to the end of the road in the
    picture, None if nobody looked there.
    """

    solution: Solution
    judged: Judged = field(repr=False)
    suspects: tuple[Suspect, ...]
    off: Floats = field(repr=False)
    unnoticed: Floats = field(repr=False)
    moved: Floats | None = field(default=None, repr=False)

    @property
    def marks(self) -> Marks:
        """The marks, with the remedies for those that looked wrong."""
        return self.solution.scene.marks

    @property
    def camera(self) -> Camera:
        """The camera that took the photo."""
        return self.solution.camera

    @property
    def roads(self) -> tuple[RoadVerdict, ...]:
        """The verdict on each road in building order."""
        return self.judged.roads

    @property
    def doubtful(self) -> tuple[str, ...]:
        """The roads whose cars are not sure."""
        return tuple(road.id for road in self.roads if road.doubtful)

    @property
    def unchecked(self) -> tuple[str, ...]:
        """The roads with a tap that nothing else checks: a slip of more than UNCHECKED mm might not
        show.
        """
        slips = zip(self.marks.roads, self.unnoticed, strict=True)
        return tuple(road.id for road, slip in slips if float(slip.max()) > UNCHECKED)

    @property
    def is_clear(self) -> bool:
        """Whether nothing is doubtful or suspect."""
        return not self.doubtful and not self.suspects

    @cached_property
    def record(self) -> Record:
        """The record that begins with this table."""
        return self.record_by(())

    def record_by(self, players: Sequence[str]) -> Record:
        """The record that begins with this table, with the players' names."""
        cars = {road.id: road.cars for road in self.roads}
        off = float(np.quantile(self.off, 0.9)) if len(self.off) else 0.0
        return record_of(
            self.marks, self.camera, self.solution.pillars, self.solution.tips, cars, off, players
        )

    def to_json(self) -> dict[str, Any]:
        """As plain values; lengths in mm."""
        tips, pillars, off = (
            self.solution.tips.tolist(),
            self.solution.pillars.tolist(),
            self.solution.off,
        )
        discs = {pillar.id: pillar.discs for pillar in self.marks.pillars}
        roads: list[dict[str, Any]] = []
        for road, (start, end), away, unnoticed, verdict in zip(
            self.marks.roads, tips, off, self.unnoticed, self.roads, strict=True
        ):
            levels = [0 if foot is None else discs[foot] for foot in (road.base, road.target)]
            roads.append(
                {
                    "id": road.id,
                    "start": rounded(start[:2]),
                    "end": rounded(end[:2]),
                    "levels": levels,
                    "off_px": round(float(away.max()), 2),
                    "unnoticed_mm": [round(float(slip), 1) for slip in unnoticed],
                    "cars": verdict.cars,
                    "sure": round(verdict.sure, 3),
                    "over": _plain_sides(verdict, "over"),
                    "under": _plain_sides(verdict, "under"),
                    "free": {side: round(share, 3) for side, share in verdict.free.items()},
                }
                | (
                    {}
                    if self.moved is None
                    else {"snapped_px": [round(float(by), 1) for by in self.moved[len(roads)]]}
                )
            )
        return {
            "camera": self.camera.to_json(),
            "roads": roads,
            "pillars": [
                {"id": one.id, "at": rounded(at)}
                for one, at in zip(self.marks.pillars, pillars, strict=True)
            ],
            "rms_px": round(self.solution.rms, 2),
            "doubtful": list(self.doubtful),
            "suspects": [
                {"id": suspect.id, "why": suspect.why.told()} for suspect in self.suspects
            ],
        }


def read_photo(
    marks: Marks,
    known: Known | None = None,
    begin: Sequence[Floats] = (),
    pixels: npt.NDArray[np.uint8] | None = None,
) -> Reading:
    """Reads the marks of a photo; the same marks give the same answer, to the last bit.

    `known` are pillars of the same table from an earlier photo. `begin` are vectors of unknowns to
    start from, such as the solution before a mark was dragged. `pixels` (h, w, 3) is the photo
    itself, if taps are to be held against it. Raises InputError if the marks leave the camera open,
    with what to add; UnavailableError for pixels without OpenCV.
    """
    tapped = solve(Scene.of(marks, known), begin)
    look = None if pixels is None else looked(tapped, pixels)
    found = tapped if look is None else improved(tapped, tapped.scene.tapped(look.marks))
    best, suspects = mended(found, known, frozenset() if look is None else look.sure)
    if look is not None:
        suspects = _and_seen(look, suspects)
    # while a remedy is not confirmed, the marks as they are count as much
    as_marked = tapped if look is not None and look.astray else found
    readings = (
        [framed(best)] if best.scene is as_marked.scene else [framed(best), framed(as_marked)]
    )
    verdicts = judged(readings, np.random.default_rng(0))
    count = len(verdicts.tips) // len(readings)
    drawn = [verdicts.pillars[:count], verdicts.tips[:count, :, :, :2].reshape(count, -1, 2)]
    points = [readings[0].pillars, readings[0].tips[:, :, :2].reshape(-1, 2)]
    off = spread(np.concatenate(drawn, axis=1), np.concatenate(points))
    check_determined(best, off)
    unnoticed = left_out(readings[0]).unnoticed
    if look is not None:
        unnoticed = np.minimum(unnoticed, look.unnoticed)
    suspects = (*suspects, *_astray(marks, readings[0]))
    reading = Reading(
        readings[0], verdicts, suspects, off, unnoticed, None if look is None else look.moved
    )
    return replace(reading, suspects=(*suspects, *_inside(reading)))


def _and_seen(look: Looked, suspects: Sequence[Suspect]) -> tuple[Suspect, ...]:
    """What is suspect, with the taps that sit on no end in the picture; of their roads nothing else
    is said. A picture that shows almost none of the roads may be another one.
    """
    roads = look.marks.roads
    seen = [Suspect(roads[one.road].id, one.why(look.marks)) for one in look.astray]
    if look.shown < _SHOWN * len(roads):
        values = {"seen": look.shown, "roads": len(roads)}
        seen = [Suspect("image", Sentence("photo-suspect-image", values)), *seen]
    named = {suspect.id for suspect in seen}
    return (*seen, *(suspect for suspect in suspects if suspect.id not in named))


def _astray(marks: Marks, solution: Solution) -> list[Suspect]:
    """Cars that are marked on no road of their player."""
    cars = parked(marks, solution.camera, solution.tips)
    return [
        Suspect(f"cars[{car.index}]", Sentence("photo-suspect-car", {"owner": car.owner}))
        for car in cars
        if car.road is None
    ]


def _inside(reading: Reading) -> list[Suspect]:
    """Pieces inside each other where the marks have them: a record with physics that begins so is
    not replayed. Empty if no record can be made at all, which is said where one is asked for.
    """
    try:
        header = replace(reading.record.header, observed=False, tolerance=None)
        table = replay.begin(replace(reading.record, header=header))
    except InputError:
        return []
    marks, camera, tips = reading.marks, reading.camera, reading.solution.tips
    names = {
        car: f"cars[{one.index}]" for car, one in named_cars(parked(marks, camera, tips)).items()
    }
    names |= {one.id: f"buildings[{n}]" for n, one in enumerate(table.buildings)}
    names |= {disc: pillar.id for pillar in table.pillars for disc in pillar.disc_ids}
    found: dict[tuple[str, str], float] = {}
    for one, other, depth in inside(table):
        found.setdefault((names.get(one, one), names.get(other, other)), depth)
    return [
        Suspect(one, Sentence("photo-suspect-inside", {"other": other, "mm": depth}))
        for (one, other), depth in found.items()
    ]


def _plain_sides(verdict: RoadVerdict, side: str) -> dict[str, float]:
    shares = {road: getattr(sure, side) for road, sure in verdict.sides.items()}
    return {road: round(share, 3) for road, share in shares.items() if share > 0}


# --- the frame of the table -----------------------------------------------------------------------


def framed(solution: Solution) -> Solution:
    """The solution with the first pillar at the origin and the first road along +x; as it is if
    pillars are known.
    """
    scene = solution.scene
    if len(scene.known) or not scene.marks.pillars:
        return solution
    turn = -float(scene.roads_in(solution.vector)[0, 2]) if scene.roads else 0.0
    return replace(
        solution, vector=moved(scene, solution.vector, turn, solution.pillars[0], np.zeros(2))
    )


def spread(drawn: Floats, best: Floats) -> Floats:
    """How far drawn points (s, k, 2) are from the best ones (k, 2) along one axis, 1 sigma in mm
    (k,).

    Each drawn table is first laid on the best one as well as it can be: a photo does not say where
    the table lies.
    """
    laid = np.array([Frame.laying(one, best).on(one) for one in drawn])
    return np.asarray(np.sqrt(((laid - best) ** 2).mean(axis=(0, 2))))


# --- words ----------------------------------------------------------------------------------------


def reasons_of(reading: Reading, index: int) -> tuple[Reason, ...]:
    """Why a road, by its place in building order, earns its cars: a reason for every crossing."""
    marks, verdict = reading.marks, reading.roads[index]
    box, rules = marks.box, marks.rules
    new = sticks(marks, reading.solution.tips, box.road_thickness, box.disc_height)[index]
    own = [crossing.road.id for crossing in verdict.crossings if crossing.reason == "own"]
    return tuple(crossing_reason(new, crossing, rules, box, own) for crossing in verdict.crossings)


def settling(reading: Reading) -> Iterator[tuple[str, Sentence]]:
    """For each doubtful road, what to look at or to mark again."""
    for verdict in reading.roads:
        if verdict.doubtful:
            yield verdict.id, _settling(reading, verdict)


def _settling(reading: Reading, verdict: RoadVerdict) -> Sentence:
    open_pairs = [
        (
            max(share, 1.0 - share)
            if about == "meeting"
            else max(sure.over, sure.under) / sure.crosses,
            about,
            other,
        )
        for other, sure in verdict.sides.items()
        for about, share in (("meeting", sure.crosses), ("side", 0.0))
    ]
    surest, about, other = min(open_pairs, default=(1.0, "taken", ""))
    if surest > 1.0 - 1e-9:  # its own crossings are sure: an earlier road may have taken a side
        scoring = [
            crossing.road.id
            for crossing in verdict.crossings
            if crossing.reason in ("free", "taken")
        ]
        about, other = "taken", scoring[0] if scoring else reading.marks.roads[0].id
    return Sentence(f"photo-settle-{about}", {"road": verdict.id, "other": other})
