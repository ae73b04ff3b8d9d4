"""What worker processes do with a photo of a table: they decode it, lay a wire model over it, and
settle the argument.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rules.errors import InputError, why
from rules.record import dumps
from shutoko.web.limits import MAX_PHOTO_MEMORY
from shutoko.web.work.kinds import at_most

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from rules.record import Record
    from sim.photo.drafting import Draft
    from sim.photo.finding.facts import Fact, Known, Question
    from sim.photo.finding.looking import Look
    from sim.photo.finding.pooling import Elsewhere
    from sim.photo.following import PlayedOn
    from sim.photo.marks import Pixel
    from sim.photo.matching import Found
    from sim.photo.reading import Reading
    from sim.photo.solving import Solution


_LONGEST = 4096  # pixels of the longer side as it is shown
_QUALITY = 88
_CORNERS = 17  # of a disc's rim
_FAR_OFF = 6.0  # a tap that is so many times further off than usual stands out
_WRONG_START = 15.0  # pixels, root mean square: then the camera is looked for anew


@dataclass(frozen=True, slots=True)
class Developed:
    """A photo as pages show it: a JPEG that carries nothing but its picture; its size and focal
    length in pixels.
    """

    jpeg: bytes
    width: int
    height: int
    focal: float | None


@dataclass(frozen=True, slots=True)
class Wire:
    """A line of the wire model: the piece that it belongs to, and its corners in pixels,
    rounded.
    """

    id: str
    points: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Glimpse:
    """The table as it is found while marks are set: the camera's numbers, the wire model, the roads
    whose taps stand out, and how far taps are off (1 sigma in pixels).
    """

    camera: tuple[float, ...]
    wires: tuple[Wire, ...]
    far_off: tuple[str, ...]
    pixels: float


@dataclass(frozen=True, slots=True)
class SettledRoad:
    """What is said of a road: its cars, how sure that is, whether it is doubtful, and the reasons
    in words.
    """

    id: str
    cars: int
    sure: float
    doubtful: bool
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SettledPhoto:
    """The verdict on a photo in a language: each road in building order, what to look at again by
    piece, the wire model, the record of the table, how far pillars may be off in mm (1 sigma), and
    the ends that nothing else holds. `plies` are those that a second photo adds to the record of
    the one before, each as its sentences. `on` is the record to play on from; it has physics unless
    that would make `fallen` fall. `drawn` says how many taps the picture moved, of how many; None
    if they were not compared with it. `unplayable` says why no record can be made of the table, and
    is empty if one can.
    """

    roads: tuple[SettledRoad, ...]
    doubts: tuple[tuple[str, str], ...]
    suspects: tuple[tuple[str, str], ...]
    wires: tuple[Wire, ...]
    record: bytes
    off: float
    unchecked: tuple[str, ...]
    on: bytes
    fallen: tuple[str, ...]
    plies: tuple[tuple[str, ...], ...] = ()
    drawn: tuple[int, int] | None = None
    unplayable: str = ""


def developed(data: bytes) -> Developed:
    """A photo from outside, decoded, turned upright, made no larger than pages need, and written
    anew.

    Raises InputError for what is no picture, damaged, or too large.
    """
    from shutoko.export.photograph import photo_of

    mib = MAX_PHOTO_MEMORY // 2**20
    with at_most(
        MAX_PHOTO_MEMORY, f"decoding the photo takes more than {mib} MiB of memory; make it smaller"
    ):
        photo = photo_of(data)
        scale = min(_LONGEST / max(photo.image.size), 1.0)
        size = (max(round(photo.image.width * scale), 1), max(round(photo.image.height * scale), 1))
        if min(size) < 100:
            raise InputError(
                f"the photo has {photo.image.width} x {photo.image.height} pixels; "
                f"nothing can be tapped on it"
            )
        out = io.BytesIO()
        (photo.image if scale == 1.0 else photo.image.resize(size)).save(
            out, format="JPEG", quality=_QUALITY
        )
    return Developed(out.getvalue(), *size, None if photo.focal is None else photo.focal * scale)


@dataclass(frozen=True, slots=True)
class Proposal:
    """The table as it is found in a photo: the marks, and the ids of what was hard to see; what is
    known, what may be asked, and what it takes to find it again: what was seen in this photo and in
    others. Of the photos from other `sides`, so many helped, and so many were `left_out`.
    """

    draft: Draft
    doubtful: tuple[str, ...]
    known: Known
    questions: tuple[Question, ...]
    sight: tuple[Look, tuple[Elsewhere, ...]] | None
    sides: int = 0
    left_out: int = 0

    def hard(self) -> set[tuple[Pixel, Pixel]]:
        """The marks of the roads that were hard to see."""
        names, _ = self.draft.names()
        return {
            road.ends
            for name, road in zip(names, self.draft.roads, strict=True)
            if name in self.doubtful
        }

    def hard_pillars(self) -> int:
        """How many pillars were hard to see."""
        _, names = self.draft.names()
        return len(set(names.values()) & set(self.doubtful))

    def hard_feet(self) -> set[tuple[Pixel, int]]:
        """The ends of roads on pillars that were hard to see: each mark with the number of discs
        that was found there.
        """
        _, names = self.draft.names()
        return {
            (at, self.draft.pillars[foot].discs)
            for road in self.draft.roads
            for at, foot in zip(road.ends, road.feet, strict=True)
            if foot is not None and names.get(foot) in self.doubtful
        }


def proposed(
    jpeg: bytes,
    focal: float | None,
    sides: Sequence[tuple[bytes, float | None]] = (),
    components: str = "",
) -> Proposal:
    """The table in a photo that `developed` wrote, found without a tap; with those from other
    `sides`, if there are some, and the pieces of `components`, else the usual ones.

    Raises InputError if no table can be made out, with what to try; UnavailableError without
    OpenCV.
    """
    from sim.photo.finding.looking import BOX
    from sim.photo.finding.together import find_together

    photos = [(_pixels(one), length) for one, length in ((jpeg, focal), *sides)]
    together = find_together(photos, 0, components or BOX)
    left_out = sum(bool(one.why) for one in together.photos)
    found = together.found
    others = tuple(replace(other, look=other.look.thin()) for other in found.others)
    return Proposal(
        found.draft, found.doubtful, found.known, found.questions,
        (found.look.thin(), others), len(sides) - left_out, left_out,
    )  # fmt: skip


def proposed_again(proposal: Proposal, facts: Sequence[Fact]) -> Proposal:
    """The table as it must be by what a person said of it since; as it was if too little is left.
    The answer does not bring back what it takes to find it again.
    """
    from sim.photo.finding.finder import again

    assert proposal.sight is not None
    look, others = proposal.sight
    found = again(look, proposal.known.told(facts), others)
    new = proposal if found is None else found
    return replace(
        proposal,
        draft=new.draft,
        doubtful=new.doubtful,
        known=new.known,
        questions=new.questions,
        sight=None,
    )


def glimpsed(marks: bytes, camera: Sequence[float] | None) -> Glimpse:
    """The table as these marks show it, quickly: from the camera of the marks before, if there is
    one.

    Raises InputError if the marks leave the camera open, with what to add.
    """
    import numpy as np

    from sim.photo.marks import marks_of
    from sim.photo.scene import Scene
    from sim.photo.solving import carried_on, solve

    scene = Scene.of(marks_of(marks, outside=True))
    found = None if camera is None else carried_on(scene, np.array(camera))
    if found is None or found.rms > _WRONG_START:
        found = solve(scene)
    worst = found.off.max(axis=1)
    names = [road.id for road in scene.marks.roads]
    far_off = tuple(
        name for name, off in zip(names, worst, strict=True) if off > _FAR_OFF * found.pixels
    )
    return Glimpse(
        tuple(found.vector[: len(scene.camera)].tolist()), _wires(found), far_off, found.pixels
    )


def settled(
    marks: bytes, language: str, before: bytes | None = None, jpeg: bytes | None = None
) -> SettledPhoto:
    """The verdict on a photo; `before` is the record of the photo before, if there is one. Given
    the photo itself, `jpeg`, it compares the taps of a first photo with the picture, which needs
    OpenCV.

    Raises InputError if the marks leave the camera open, with what to add, or do not go on from the
    record.
    """
    from rules.record import loads
    from sim.languages import reason_in
    from sim.photo.following import PlayedOn, follow, played_on
    from sim.photo.marks import marks_of
    from sim.photo.reading import read_photo

    read = marks_of(marks, outside=True)
    if before is None:
        reading = read_photo(read, pixels=None if jpeg is None else _pixels(jpeg))
        try:
            on = played_on(reading.record)
        except InputError as error:  # two pillars in one place, for example
            verdict = _settled(reading, language, reading.record, PlayedOn(reading.record, ()))
            told = reason_in(language, why(error)).removeprefix("start: ")
            return replace(verdict, unplayable=told)
        return _settled(reading, language, reading.record, on)
    found = follow(loads(before), read)
    # else old roads are missing: the camera has moved
    whole = len(read.roads) == len(found.steps[-1].after.roads)
    on = played_on(found.reading.record) if whole else PlayedOn(found.record, ())
    verdict = _settled(found.reading, language, found.record, on)
    return replace(verdict, plies=tuple(step.told(language) for step in found.steps))


def found_noted(marks: bytes, record: bytes, jpeg: bytes | None = None) -> Found:
    """What the marks on a photo say of the table of a game that was noted; `jpeg` is the photo, if
    taps are to be compared with it.

    Raises InputError if they leave the camera open, or show another table.
    """
    from rules.record import loads
    from sim.game import replay
    from sim.photo.marks import marks_of
    from sim.photo.matching import found_on

    given = loads(record)
    table = replay.begin(given)
    for step in replay.trusted(given):
        table = step.before if step.entry.taken_back else step.after
    return found_on(table, marks_of(marks, outside=True), None if jpeg is None else _pixels(jpeg))


def _pixels(jpeg: bytes) -> npt.NDArray[np.uint8]:
    """A photo that `developed` wrote, (h, w, 3)."""
    import numpy as np
    from PIL import Image

    with Image.open(io.BytesIO(jpeg)) as image:
        return np.asarray(image.convert("RGB"))


def _settled(reading: Reading, language: str, record: Record, on: PlayedOn) -> SettledPhoto:
    import numpy as np

    from sim.photo.reading import settling

    return SettledPhoto(
        roads=tuple(_road(reading, index, language) for index in range(len(reading.roads))),
        doubts=tuple((name, sentence.told(language)) for name, sentence in settling(reading)),
        suspects=tuple((suspect.id, suspect.why.told(language)) for suspect in reading.suspects),
        wires=_wires(reading.solution),
        record=dumps(record),
        off=float(np.median(reading.off)) if len(reading.off) else 0.0,
        unchecked=reading.unchecked,
        on=dumps(on.record),
        fallen=on.fallen,
        drawn=None
        if reading.moved is None
        else (int(np.count_nonzero(reading.moved)), reading.moved.size),
    )


def _road(reading: Reading, index: int, language: str) -> SettledRoad:
    from sim.photo.reading import reasons_of

    verdict = reading.roads[index]
    reasons = tuple(reason.told(language) for reason in reasons_of(reading, index))
    return SettledRoad(verdict.id, verdict.cars, verdict.sure, verdict.doubtful, reasons)


def _wires(solution: Solution) -> tuple[Wire, ...]:
    """The rim of each road, and the lowest and the highest rim of each pillar."""
    import numpy as np

    from shutoko.export.overlay import pillar_wires, road_wires

    lines = [
        (name, line)
        for name, rings in pillar_wires(solution, _CORNERS).items()
        for line in (rings[0], rings[-1])
    ]
    lines += [(name, rim) for name, (rim, _) in road_wires(solution).items()]
    most = 4 * max(solution.scene.marks.image.width, solution.scene.marks.image.height)
    seen = [
        (name, line)
        for name, line in lines
        if np.isfinite(line).all() and np.abs(line).max() < most
    ]
    return tuple(
        Wire(name, tuple((round(x), round(y)) for x, y in line.tolist())) for name, line in seen
    )
