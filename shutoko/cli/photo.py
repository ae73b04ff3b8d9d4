"""`shutoko photo`: a table from one photo or a few, or from the marks on one, with the cars of
every road and how sure they are.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rules.errors import InputError, RecordError, ShutokoError, UnavailableError, why
from shutoko.cli.common import command, components, emit, option, same_file, waiting
from shutoko.cli.common.errors import tell
from shutoko.plain import plain_line

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from PIL.Image import Image

    from rules.record import Record
    from sim.photo.finding.finder import Found
    from sim.photo.finding.together import Together
    from sim.photo.following import Followed
    from sim.photo.marks import Marks
    from sim.photo.reading import Reading


@command(
    "photo",
    [
        option(
            "given",
            metavar="PICTURE|MARKS",
            type=Path,
            nargs="+",
            help="a photo (JPEG, PNG, WebP, HEIC, AVIF), two or more of the same table from "
            "different sides, or a file of marks (.json), see docs/photo.md",
        ),
        option(
            "--marks",
            type=Path,
            metavar="FILE",
            help="write the marks that were found in the photo, to correct them by hand",
        ),
        components(", on a photo; marks name their own"),
        option(
            "--image",
            type=Path,
            metavar="FILE",
            help="the photo: for its focal length, and to draw on",
        ),
        option(
            "--snap",
            action="store_true",
            help="draw each tap to the end of its road in the picture, and name taps that sit on "
            "no end; needs --image and OpenCV",
        ),
        option(
            "--after",
            type=Path,
            metavar="FILE",
            help="the marks of an earlier photo (.json), or a record; roads that are new become "
            "its next plies",
        ),
        option(
            "--out",
            type=Path,
            metavar="LAYOUT.jsonl",
            help="write a record that begins with this table",
        ),
        option(
            "--physics",
            action="store_true",
            help="play on with physics from that record, if the table stands there",
        ),
        option(
            "--png",
            type=Path,
            metavar="PATH",
            help="draw the table as it was found over the photo",
        ),
    ],
    help="settle an argument from one photo of a table, or marks on it (Tokyo Highway)",
    description="Read one photo of a table, or the marks that were set on it: both ends of every "
    "road, and how many discs each pillar has. Says what every road crosses, which cars it earned "
    "when it was built, and how sure that is. From a photo alone it finds the roads itself, and "
    "more of them from two or three photos from different sides; no photo shows their order.",
    epilog="Exit codes: 0 everything is sure; 1 something is doubtful or looks wrong; 2 no table "
    "is found, the marks cannot be used, or no record can be made of them.",
)
def run(args: argparse.Namespace) -> int:
    """Read the marks and answer: 0 if all is sure, 1 if not, 2 if they cannot be used. Raises
    InputError for options that do not go together; then nothing is written.
    """
    # more threads only wait for each other on matrices as small as these
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from shutoko.export.photograph import is_photo

    _check_paths(args)
    if args.physics and (args.out is None or args.after is not None):
        raise InputError(
            "--physics is for the record that --out writes from a first photo; leave it out"
        )
    photos = len(args.given) > 1 or is_photo(args.given[0])
    (_check_photos if photos else _check_marks)(args)
    try:
        return _find(args) if photos else _read(args)
    except ShutokoError as error:
        return tell(error, file=args.given[0])


def _check_marks(args: argparse.Namespace) -> None:
    """Raises InputError for options that do not go with a file of marks."""
    if args.marks is not None:
        raise InputError("--marks writes what is found in a photo; give a photo, or leave it out")
    if args.components is not None:
        raise InputError(
            '--components goes with a photo; marks name their pieces themselves, as "components"'
        )
    if args.snap and (args.image is None or args.after is not None):
        raise InputError(
            "--snap looks for the ends of roads in the picture of a first photo; give it with "
            "--image, without --after"
        )


def _read(args: argparse.Namespace) -> int:
    """Reads a file of marks and answers."""
    from sim.photo.marks import read_marks
    from sim.photo.reading import read_photo

    (path,) = args.given
    marks, photo = read_marks(path), None
    if args.image is not None:
        with _within(args.image):
            marks, photo = _with_photo(marks, args.image)
    with waiting("reading the photo", quiet=args.json), _within(path):
        if args.after is not None:
            return _go_on(args, _followed(args.after, marks), photo)
        reading = read_photo(marks, pixels=_pixels(photo) if args.snap else None)
    return _answer(args, reading, photo)


def _answer(
    args: argparse.Namespace,
    reading: Reading,
    photo: Image | None,
    together: Together | None = None,
) -> int:
    """Prints a reading and writes its files: 0 if all is sure. If no record can be made, or none
    with physics for lack of an engine, it prints the verdict and writes the other files, then the
    error.
    """
    found = None if together is None else together.found
    made = []
    if found is not None and args.marks is not None:
        made.append((args.marks, (json.dumps(found.json, indent=1) + "\n").encode()))
    unmade: ShutokoError | None = None
    on = None
    if args.out is not None:
        where = args.given[0] if found is None else args.marks
        unmade = _unmade(args.out, reading.record, where or "the marks that --marks FILE writes")
    if args.physics and unmade is None:
        from sim.photo.following import played_on

        try:
            on = played_on(reading.record)
        except UnavailableError as error:
            unmade = UnavailableError(
                f"{args.out}: no record with physics is made: {error}; or leave --physics out"
            )
    record = None if unmade is not None else reading.record if on is None else on.record
    made += _files(args, reading, record, photo)
    doubtful = () if found is None else found.doubtful
    left_out = together is not None and any(one.why for one in together.photos)
    if args.json:
        more = {} if found is None else {"marks": found.json, "found": found.counts()}
        value = reading.to_json() | more
        value["doubtful"] = list(dict.fromkeys([*value["doubtful"], *doubtful]))
        if together is not None and len(together.photos) > 1:
            value["photos"] = [
                {"photo": str(path), "marked": n == together.on, "unseen": list(one.unseen)}
                | ({"left_out": one.why} if one.why else {})
                for n, (path, one) in enumerate(zip(args.given, together.photos, strict=True))
            ]
        emit(value)
    else:
        path = args.given[0 if together is None else together.on]
        if together is not None:
            print(_found_line(path, together.found))
            for line in _photo_lines(args.given, together):
                print(line)
        for line in _told(path, reading):
            print(line)
        for name in doubtful:
            print(f"look at {name} in the photo: it was hard to see")
        if on is not None and on.fallen:
            print(
                f"the record stays without physics: {', '.join(on.fallen)} would not stand as "
                "photographed"
            )
    _write(made, quiet=args.json)
    if unmade is not None:
        return tell(unmade, file=args.given[0])
    return 0 if reading.is_clear and not doubtful and not left_out else 1


# --- photos alone ---------------------------------------------------------------------------------


def _check_photos(args: argparse.Namespace) -> None:
    """Raises InputError for files that are no photos, for options that do not go with them, and for
    pieces that are not known.
    """
    from shutoko.export.photograph import is_photo
    from sim.pieces import Components

    if args.components is not None:
        Components.named(args.components)

    for path in args.given:
        if not is_photo(path):
            raise _FileError(
                f"{path}: several files must all be photos of one table; read a file of marks "
                "alone",
                path,
            )
    for name, given in (("--image", args.image), ("--after", args.after)):
        if given is not None:
            raise InputError(
                f"{name} goes with a file of marks; first write the marks of this photo: "
                f"shutoko photo {args.given[0]} --marks FILE"
            )


def _find(args: argparse.Namespace) -> int:
    """Finds the table in a photo, or in some of them, and answers. They are one table, so one that
    cannot be opened stops all, before any is looked at.
    """
    import numpy as np

    from shutoko.export.photograph import open_photo
    from sim.photo.finding.looking import BOX
    from sim.photo.finding.together import find_together
    from sim.photo.reading import read_photo

    photos = []
    for path in args.given:
        with _within(path):
            photos.append(open_photo(path))
    with waiting("looking for roads", quiet=args.json):
        try:
            together = find_together(
                [(np.asarray(one.image), one.focal) for one in photos],
                components=args.components or BOX,
            )
        except InputError as error:  # of the first; no other shows a table
            raise _tableless(args.given, error) from None
        found, photo = together.found, photos[together.on].image
        with _within(args.given[together.on]):
            reading = read_photo(
                found.marks,
                begin=[found.solution.vector],
                pixels=np.asarray(photo) if args.snap else None,
            )
    return _answer(args, reading, photo, together)


def _tableless(paths: Sequence[Path], error: InputError) -> _FileError:
    """That none of these photos shows a table, with what is wrong with the first."""
    first, *others = map(str, paths)
    more = f"; {', '.join(others)} show{'' if others[1:] else 's'} no table either"
    return _FileError(f"{first}: {error}{more if others else ''}", paths[0])


def _photo_lines(paths: Sequence[Path], together: Together) -> Iterator[str]:
    """What each of several photos does not show."""
    if len(together.photos) == 1:
        return
    yield f"the marks are those on {paths[together.on]}, which shows most"
    for path, one in zip(paths, together.photos, strict=True):
        if one.why:
            yield f"{path}: left out: {one.why}"
        elif one.unseen:
            yield f"{path}: does not show {', '.join(one.unseen)}"
        else:
            yield f"{path}: shows every road"


def _found_line(path: Path, found: Found) -> str:
    count = found.counts()
    return (
        f"{path}: found {count['roads']} roads on {count['pillars']} pillars, {count['cars']} "
        f"cars; {count['doubtful']} pieces are doubtful; the order of building is a guess"
    )


def _pixels(photo: Image | None) -> npt.NDArray[np.uint8] | None:
    import numpy as np

    return None if photo is None else np.asarray(photo)


# --- a second photo -------------------------------------------------------------------------------


def _followed(before: Path, marks: Marks) -> Followed:
    """What the photo adds to an earlier one, or to a record."""
    from rules.record import read
    from sim.game import replay
    from sim.photo.following import follow, joined
    from sim.photo.marks import read_marks
    from sim.photo.reading import read_photo

    if before.suffix.lower() != ".json":
        return follow(read(before), marks)
    with _within(before):
        first = read_marks(before)
        record = read_photo(first).record
        replay.begin(record)
    return follow(record, joined(first, marks))


def _go_on(args: argparse.Namespace, found: Followed, photo: Image | None) -> int:
    """Tells and writes the new plies: 0 if they are sure."""
    # its table could be made: the plies were judged on it
    made = _files(args, found.reading, found.record, photo)
    if args.json:
        plies = [
            {"ply": step.entry.ply, "by": step.entry.by, "do": step.entry.do, "got": step.got()}
            for step in found.steps
        ]
        emit(found.reading.to_json() | {"plies": plies})
    else:
        for step in found.steps:
            first, *others = map(plain_line, step.told())
            print(f"ply {step.entry.ply:>2}  {first}")
            for line in others:
                print(f"        {line}")
        for suspect in found.reading.suspects:
            print(f"check {suspect.id}: {suspect.why}")
    _write(made, quiet=args.json)
    return 0 if found.is_clear else 1


# --- files ----------------------------------------------------------------------------------------


def _check_paths(args: argparse.Namespace) -> None:
    """Raises InputError, before any work, if files would overwrite each other or if a folder does
    not exist.
    """
    given = [path for path in (*args.given, args.image, args.after) if path is not None]
    outs = [path for path in (args.out, args.png, args.marks) if path is not None]
    for index, path in enumerate(outs):
        if any(same_file(path, other) for other in (*given, *outs[:index])):
            raise _FileError(
                f"{path}: this would overwrite a file that is read or written too; name another",
                path,
            )
        if not path.parent.is_dir():
            raise _FileError(f"{path}: there is no folder {path.parent}; make it first", path)
    if args.png is not None and args.png.suffix.lower() != ".png":
        raise _FileError(f"{args.png}: the picture is a PNG; name a file with .png", args.png)


class _FileError(InputError):
    """Unusable input with the path of the file that is wrong, which `tell` names to programs."""

    def __init__(self, message: str, path: Path) -> None:
        super().__init__(message)
        self.path = path


@contextmanager
def _within(path: Path) -> Iterator[None]:
    """Adds this file to an error of the input, for people and programs. An error that names its
    file already stays as it is.
    """
    try:
        yield
    except _FileError:
        raise
    except InputError as error:
        if isinstance(error, RecordError) and error.path is not None:
            raise
        told = str(error)
        if isinstance(error, RecordError):  # of a record that was made of marks
            told = why(error).removeprefix("start: ")
        if not told.startswith(f"{path}: "):
            told = f"{path}: {told}"
        raise _FileError(told, path) from error.__cause__


def _with_photo(marks: Marks, path: Path) -> tuple[Marks, Image]:
    """The marks with the focal length of the photo where they have none of their own, and the
    picture.
    """
    from shutoko.export.photograph import open_photo

    photo = open_photo(path)
    size = marks.image
    if photo.image.size != (size.width, size.height):
        raise InputError(
            f"{path}: the photo has {photo.image.width} x {photo.image.height} pixels, but the "
            "marks were set on"
            f" {size.width} x {size.height}; give the photo that was marked"
        )
    return replace(marks, image=replace(size, focal=size.focal or photo.focal)), photo.image


def _unmade(out: Path, record: Record, marks: Path | str) -> _FileError | None:
    """Why nobody could read this record, and in which marks to mend that; None if all is well."""
    from sim.game import replay

    try:
        replay.begin(record)
    except InputError as error:
        what = why(error).removeprefix("start: ")
        return _FileError(
            f"{out}: no record is made of these marks: {what}; if they are one pillar, join the "
            f"ends of its roads in {marks}",
            out,
        )
    return None


def _files(
    args: argparse.Namespace, reading: Reading, record: Record | None, photo: Image | None
) -> list[tuple[Path, bytes]]:
    """The files to write, whole, so that none is written if one cannot be made; none without a
    record where that would go.
    """
    import io

    from rules.record import dumps

    made = []
    if args.out is not None and record is not None:
        made.append((args.out, dumps(record)))
    if args.png is not None:
        from shutoko.export.overlay import overlay

        drawn = io.BytesIO()
        overlay(reading, photo).save(drawn, format="PNG")
        made.append((args.png, drawn.getvalue()))
    return made


def _write(made: list[tuple[Path, bytes]], *, quiet: bool) -> None:
    from rules.files import os_reason
    from rules.record import disk

    for path, data in made:
        try:
            disk.put(path, data)
        except OSError as error:
            raise _FileError(f"{path}: cannot be written: {os_reason(error)}", path) from error
        if not quiet:
            print(f"wrote {path}")


# --- words ----------------------------------------------------------------------------------------


def _told(path: Path, reading: Reading) -> Iterator[str]:
    import numpy as np

    from sim.photo.reading import settling

    camera, solution = reading.camera.to_json(), reading.solution
    yield (
        f"{path}: {len(reading.roads)} roads, taps are good to {solution.pixels:.1f} pixels, "
        f"pillars to {float(np.median(reading.off)) if len(reading.off) else 0.0:.1f} mm;"
        f" the camera looks {camera['tilt']:.0f} degrees down from {camera['height'] / 10:.0f} cm "
        "above the table"
    )
    if reading.moved is not None:
        yield _snapped(reading.moved)
    for index in range(len(reading.roads)):
        yield from _road(reading, index)
    for name, sentence in settling(reading):
        yield f"doubtful: {name}: {sentence.told().removeprefix(f'{name}: ')}"
    for suspect in reading.suspects:
        yield f"check {suspect.id}: {suspect.why}"
    if reading.unchecked:
        yield (
            f"a slipped tap would not show at {', '.join(reading.unchecked)}: nothing else is "
            "near their ends; look again"
        )
    if reading.is_clear:
        yield "nothing is doubtful, nothing looks wrong"


def _snapped(moved: npt.NDArray[np.float64]) -> str:
    import numpy as np

    by = moved[moved > 0.0]
    far = f", by {float(np.median(by)):.1f} pixels at the median" if len(by) else ""
    return (
        f"{len(by)} of {moved.size} taps were drawn to the ends of roads in the picture{far}; "
        "the others stay where they are"
    )


def _road(reading: Reading, index: int) -> Iterator[str]:
    from sim.photo.reading import reasons_of

    marks, verdict = reading.marks, reading.roads[index]
    road, (start, end) = marks.roads[index], reading.solution.tips[index]
    discs = {pillar.id: pillar.discs for pillar in marks.pillars}
    feet = [
        f"{foot or 'table'}{f' of {discs[foot]}' if foot else ''} ({tip[0]:.0f}, {tip[1]:.0f})"
        for foot, tip in zip((road.base, road.target), (start, end), strict=True)
    ]
    cars = f"{verdict.cars} car{'' if verdict.cars == 1 else 's'}"
    else_ = "" if verdict.other is None or not verdict.doubtful else f", else {verdict.other}"
    off = float(reading.solution.off[index].max())
    yield (
        f"{road.id}: {feet[0]} to {feet[1]}, off by {off:.0f} pixels: {cars}, "
        f"{_percent(verdict.sure)} sure{else_}"
    )
    for reason in reasons_of(reading, index):
        side = verdict.sides.get(str(reason.facts["road"]))
        share = 1.0 if side is None else getattr(side, str(reason.facts["side"]))
        yield f"        {reason.text}{'' if share > 0.999 else f' ({_percent(share)} sure)'}"
    yield (
        f"        its over side is {_free(verdict.free['over'])}, its under side "
        f"{_free(verdict.free['under'])}"
    )


def _free(share: float) -> str:
    if 0.001 < share < 0.999:
        return f"free with {_percent(share)}"
    return "free" if share > 0.5 else "taken"


def _percent(share: float) -> str:
    return f"{min(share * 100, 99.5 if share < 1.0 else 100.0):.0f} %"
