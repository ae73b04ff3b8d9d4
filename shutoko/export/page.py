"""A game as one HTML file that plays itself without a network: the scene's own script, three.js,
and the game as data.

three.js is taken from NiceGUI, which brings it along. A game of pieces in space is a film for each
ply, a game on a board a picture for each.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rules.errors import UnavailableError
from shutoko.export import packed
from shutoko.export.rendering.camera import Camera
from sim.bodies import Body
from sim.installing import install
from sim.languages import Sentence

_STATIC = Path(__file__).parents[1] / "web" / "static"
_OFFLINE = Path(__file__).parent / "offline"

Leaf = tuple[str, Sequence[str]]
"""What is said of a ply: who did what, and the reasons."""


def scene_page(
    title: str,
    leaves: Sequence[Leaf],
    films: Sequence[Sequence[Sequence[Body]]],
    start: Sequence[Body],
    language: str = "en",
) -> str:
    """The page of a game of pieces: for each ply the frames of its film, the last of which is the
    table after it.

    The leaves are in the `language`, and so are the page's own words.

    Raises UnavailableError if NiceGUI is not installed.
    """
    tables = [tuple(start), *(tuple(film[-1]) for film in films)]
    every = [body for film in films for frame in film for body in frame]
    camera = Camera.fitting(tables[-1] or every, (1200, 800), azimuth=-80.0)
    data = {
        "leaves": [list(leaf) for leaf in leaves],
        "shapes": packed.shapes([*start, *every]),
        "tables": [packed.shown(table) for table in tables],
        "films": [
            [made.keys, made.poses, made.dt] if made else [{}, "", 1]
            for made in map(packed.film, films)
        ],
        "unit": packed.UNIT,
        "eye": camera.eye,
        "target": camera.target,
        "fov": camera.fov,
    }
    ours = {"bodies": _STATIC / "bodies.js", "shutoko-look": _STATIC / "look" / "index.js"}
    imports = {"nicegui-scene": _module(_three())} | {
        name: _module(path.read_bytes()) for name, path in ours.items()
    }
    return _page(title, data, "scene.js", imports, language)


def board_page(
    title: str, leaves: Sequence[Leaf], pictures: Sequence[str], language: str = "en"
) -> str:
    """The page of a game on a board: a picture (SVG) before the first ply and one after each, with
    words of the `language`.
    """
    return _page(
        title,
        {"leaves": [list(leaf) for leaf in leaves], "pictures": list(pictures)},
        "board.js",
        {},
        language,
    )


def check_installed() -> Path:
    """The folder of NiceGUI. Raises UnavailableError, with the command that installs it, if it is
    missing.
    """
    found = find_spec("nicegui")
    if found is None or not found.submodule_search_locations:
        raise UnavailableError(
            f"pages of pieces in space take three.js from NiceGUI: {install('web')}"
        )
    return Path(found.submodule_search_locations[0])


def _three() -> bytes:
    return (check_installed() / "elements" / "scene" / "dist" / "index.js").read_bytes()


def _module(source: bytes) -> str:
    return "data:text/javascript;base64," + base64.b64encode(source).decode("ascii")


def _page(
    title: str, data: dict[str, Any], script: str, imports: dict[str, str], language: str
) -> str:
    words = {
        name: escape(Sentence(name).told(language))
        for name in ("timeline", "play", "back", "forward")
    }
    # inside a script element only `<` could end it, or begin a comment
    told = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    player = _module((_OFFLINE / "player.js").read_bytes())
    shown = {
        "title": escape(title),
        "style": _text("page.css"),
        "imports": json.dumps({"imports": imports | {"player": player}}),
        "data": told,
        "script": _text(script),
    }
    return _text("page.html").format(**shown, **words, language=language)


def _text(name: str) -> str:
    return (_OFFLINE / name).read_text(encoding="utf-8")
