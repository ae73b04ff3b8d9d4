"""Takes the example photo of docs/photo.md: our own picture of a shipped game, the marks on it, and
pictures of each step.

    python examples/photo.py FOLDER

Writes table.jpg, table.json, earlier.json, since.json and the steps into FOLDER.
The files in assets/photos and docs/pictures were made so.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from rules import record
from shutoko.export.overlay import overlay
from shutoko.export.picture import picture
from shutoko.export.rendering.camera import Camera as Eye
from sim.assets import asset
from sim.game import replay
from sim.game.attempts.posing import bodies
from sim.photo.camera import Camera
from sim.photo.marks import Marks
from sim.photo.reading import read_photo
from tools.staging import marked, to_json

SIZE = (1600, 1200)
EARLIER = 19  # roads on the table of the earlier photo
TILT, FOV, DISTANCE = 48.0, 40.0, 560.0  # degrees and mm


def cameras() -> tuple[Eye, Camera]:
    """The camera of the picture, and the same as the marks' camera."""
    back, up = DISTANCE * np.cos(np.radians(TILT)), DISTANCE * np.sin(np.radians(TILT))
    eye = Eye((5.0, 10.0 - back, up), (5.0, 10.0, 0.0), FOV)
    focal = SIZE[1] / 2 / np.tan(np.radians(FOV) / 2)
    return eye, Camera(
        focal,
        float(np.radians(TILT)),
        0.0,
        float(up),
        0.0,
        (SIZE[0] / 2, SIZE[1] / 2),
        0.0,
        (5.0, float(10.0 - back)),
    )


def steps(photo: Image.Image, marks: Marks, folder: Path) -> None:
    """One road tapped, all marks, the answer."""
    for name, count in (("one-road", 1), ("all-marks", len(marks.roads))):
        shown = photo.copy()
        draw, font = ImageDraw.Draw(shown), ImageFont.load_default(28)
        for road in marks.roads[-count:]:
            for (x, y), foot in zip(road.ends, (road.base, road.target), strict=True):
                draw.ellipse((x - 9, y - 9, x + 9, y + 9), outline=(255, 40, 60), width=4)
                if count == 1:
                    draw.text((x + 16, y - 34), foot or "table", font=font, fill=(255, 40, 60))
        small(shown, folder / f"{name}.jpg")
    small(overlay(read_photo(marks), photo), folder / "answer.jpg")


def small(image: Image.Image, path: Path) -> None:
    """Writes a picture for a page."""
    image.resize((1000, 750)).save(path, quality=80)


def main(folder: Path) -> None:
    """Takes the photo, marks it, and draws the steps."""
    folder.mkdir(parents=True, exist_ok=True)
    every = list(replay.trusted(record.read(asset("records", "two-cars.jsonl"))))
    last, earlier = every[-1], next(step for step in every if len(step.after.roads) == EARLIER)
    eye, camera = cameras()
    photo = picture(bodies(last.after), size=SIZE, camera=eye)
    photo.save(folder / "table.jpg", quality=82)
    marks = marked(last.after, camera, np.random.default_rng(19), 1.2, size=SIZE, cars=True)
    write(marks, camera, folder / "table.json")
    rng, new = np.random.default_rng(20), [road.id for road in last.after.roads[EARLIER:]]
    write(
        marked(earlier.after, camera, rng, 1.2, size=SIZE, tops=True),
        camera,
        folder / "earlier.json",
    )
    write(
        marked(last.after, camera, rng, 1.2, size=SIZE, roads=new, tops=True),
        camera,
        folder / "since.json",
    )
    steps(photo, marks, folder)
    print(f"wrote {folder}")


def write(marks: Marks, camera: Camera, path: Path) -> None:
    """Writes marks with one piece a line."""
    value: dict[str, Any] = to_json(marks)
    value["image"] |= {"focal": round(camera.focal, 1)}
    lines = [f"{json.dumps(key)}: {spread(part)}" for key, part in value.items()]
    path.write_text("{" + ",\n ".join(lines) + "}\n", encoding="utf-8")


def spread(part: Any) -> str:
    """A list of pieces with one a line."""
    if isinstance(part, list) and part and isinstance(part[0], dict):
        return "[\n  " + ",\n  ".join(json.dumps(item) for item in part) + "]"
    return json.dumps(part)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "photo"))
