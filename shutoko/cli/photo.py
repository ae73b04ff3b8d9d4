"""`shutoko photo`: a table from one photo or a few, or from the marks on one, with the cars of
every road and how sure they are.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rules.errors import InputError, RecordError, why
from shutoko.cli.common import Commands, add_json, emit, same_file, waiting

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from PIL.Image import Image

    from rules.record import Record
    from sim.photo.finding.finder import Found
    from sim.photo.finding.together import Together
    from sim.photo.following import Followed, PlayedOn
    from sim.photo.marks import Marks
    from sim.photo.reading import Reading


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "photo",
        help="settle an argument from one photo of a table, or marks on it (Tokyo Highway)",
        description="Read one photo of a table, or the marks that were set on it: both ends of "
        "every road, and how many discs each "
        "pillar has. Says what every road crosses, which cars it earned when it was built, and how "
        "sure that is. From a photo alone it finds the roads itself, and more of them from two or "
        "three photos from different sides; no photo shows their order.",
        epilog=(
            "Exit codes: 0 everything is sure; 1 something is doubtful or looks wrong; 2 no table "
            "is found, or the marks cannot be used."
        ),
    )
    parser.add_argument(
        "given",
        metavar="PICTURE|MARKS",
        type=Path,
        nargs="+",
        help="a photo (JPEG, PNG, WebP), two or more of the same table from different sides, or a "
        "file of marks (.json), see docs/photo.md",
    )
    parser.add_argument(
        "--marks",
        type=Path,
        metavar="FILE",
        help="write the marks that were found in the photo, to correct them by hand",
    )
    parser.add_argument(
        "--image", type=Path, metavar="FILE", help="the photo: for its focal length, and to draw on"
    )
    parser.add_argument(
        "--snap",
        action="store_true",
        help=(
            "draw each tap to the end of its road in the picture, and name taps that sit on no "
            "end; needs --image and OpenCV"
        ),
    )
    parser.add_argument(
        "--after",
        type=Path,
        metavar="FILE",
        help=(
            "the marks of an earlier photo (.json), or a record; roads that are new become its "
            "next plies"
        ),
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="LAYOUT.jsonl",
        help="write a record that begins with this table",
    )
    parser.add_argument(
        "--physics",
        action="store_true",
        help="play on with physics from that record, if the table stands there",
    )
    parser.add_argument(
        "--png", type=Path, metavar="PATH", help="draw the table as it was found over the photo"
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read the marks and answer: 0 if all is sure, 1 if not. Raises InputError; then nothing is
    written.
    """
    # more threads only wait for each other on matrices as small as these
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from shutoko.export.photograph import is_photo
    from sim.photo.marks import read_marks
    from sim.photo.reading import read_photo

    _check_paths(args)
    if args.physics and (args.out is None or args.after is not None):
        raise InputError(
            "--physics is for the record that --out writes from a first photo; leave it out"
        )
    if len(args.given) > 1 or is_photo(args.given[0]):
        return _find(args)
    (args.given,) = args.given
    if args.marks is not None:
        raise InputError("--marks writes what is found in a photo; give a photo, or leave it out")
    if args.snap and (args.image is None or args.after is not None):
        raise InputError(
            "--snap looks for the ends of roads in the picture of a first photo; give it with "
            "--image, without --after"
        )
    marks, photo = read_marks(args.given), None
    if args.image is not None:
        marks, photo = _with_photo(marks, args.image)
    with waiting("reading the photo", quiet=args.json):
        try:
            if args.after is not None:
                return _go_on(args, _followed(args.after, marks), photo)
            reading = read_photo(marks, pixels=_pixels(photo) if args.snap else None)
        except RecordError:
            raise
        except InputError as error:
            raise InputError(f"{args.given}: {error}") from None
    return _answer(args, reading, photo)


def _answer(
    args: argparse.Namespace,
    reading: Reading,
    photo: Image | None,
    together: Together | None = None,
) -> int:
    """Tells a reading and writes its files: 0 if all is sure."""
    on = _played_on(reading.record) if args.physics else None
    found = None if together is None else together.found
    made = _files(args, reading, reading.record if on is None else on.record, photo)
    if found is not None and args.marks is not None:
        made.append((args.marks, (json.dumps(found.json, indent=1) + "\n").encode()))
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
        path = args.given if together is None else args.given[together.on]
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
    return 0 if reading.is_clear and not doubtful and not left_out else 1


# --- photos alone ---------------------------------------------------------------------------------


def _find(args: argparse.Namespace) -> int:
    """Finds the table in a photo, or in some of them, and answers."""
    import numpy as np

    from shutoko.export.photograph import is_photo, open_photo
    from sim.photo.finding.together import find_together
    from sim.photo.reading import read_photo

    for path in args.given:
        if not is_photo(path):
            raise InputError(
                f"{path}: several files must all be photos of one table; read a file of marks alone"
            )
    for option, given in (("--image", args.image), ("--after", args.after)):
        if given is not None:
            raise InputError(
                f"{option} goes with a file of marks; first write the marks of this photo: "
                f"shutoko photo {args.given[0]} --marks FILE"
            )
    photos = [open_photo(path) for path in args.given]
    with waiting("looking for roads", quiet=args.json):
        try:
            together = find_together([(np.asarray(one.image), one.focal) for one in photos])
            found, photo = together.found, photos[together.on].image
            reading = read_photo(
                found.marks,
                begin=[found.solution.vector],
                pixels=np.asarray(photo) if args.snap else None,
            )
        except InputError as error:
            raise InputError(f"{', '.join(map(str, args.given))}: {error}") from None
    return _answer(args, reading, photo, together)


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


def _played_on(record: Record) -> PlayedOn:
    from sim.photo.following import played_on

    return played_on(record)


# --- a second photo -------------------------------------------------------------------------------


def _followed(before: Path, marks: Marks) -> Followed:
    """What the photo adds to an earlier one, or to a record."""
    from rules.record import read
    from sim.photo.following import follow, joined
    from sim.photo.marks import read_marks
    from sim.photo.reading import read_photo

    if before.suffix.lower() != ".json":
        return follow(read(before), marks)
    first = read_marks(before)
    return follow(read_photo(first).record, joined(first, marks))


def _go_on(args: argparse.Namespace, found: Followed, photo: Image | None) -> int:
    """Tells and writes the new plies: 0 if they are sure."""
    made = _files(args, found.reading, found.record, photo)
    if args.json:
        plies = [
            {"ply": step.entry.ply, "by": step.entry.by, "do": step.entry.do, "got": step.got()}
            for step in found.steps
        ]
        emit(found.reading.to_json() | {"plies": plies})
    else:
        for step in found.steps:
            print(f"ply {step.entry.ply:>2}  {(lines := step.told())[0]}")
            for line in lines[1:]:
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
            raise InputError(
                f"{path}: this would overwrite a file that is read or written too; name another"
            )
        if not path.parent.is_dir():
            raise InputError(f"{path}: there is no folder {path.parent}; make it first")
    if args.png is not None and args.png.suffix.lower() != ".png":
        raise InputError(f"{args.png}: the picture is a PNG; name a file with .png")


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


def _files(
    args: argparse.Namespace, reading: Reading, record: Record, photo: Image | None
) -> list[tuple[Path, bytes]]:
    """The files to write, whole, so that none is written if one cannot be made."""
    import io

    from rules.record import dumps
    from sim.game import replay

    made = []
    if args.out is not None:
        try:
            replay.begin(record)
        except InputError as error:
            what = why(error).removeprefix("start: ")
            raise InputError(
                f"{args.out}: no record is made of these marks: {what}; if they are one pillar, "
                "join the ends of its roads in the marks"
            ) from error
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
            raise InputError(f"{path}: cannot be written: {os_reason(error)}") from error
        if not quiet:
            print(f"wrote {path}")


# --- words ----------------------------------------------------------------------------------------


def _told(path: Path, reading: Reading) -> Iterator[str]:
    from sim.photo.reading import settling

    camera, solution = reading.camera.to_json(), reading.solution
    yield (
        f"{path}: {len(reading.roads)} roads, taps are good to {solution.pixels:.1f} pixels, "
        f"pillars to {_off(reading):.1f} mm;"
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


def _off(reading: Reading) -> float:
    import numpy as np

    return float(np.median(reading.off)) if len(reading.off) else 0.0


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
