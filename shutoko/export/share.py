"""A record as something to send to others: itself, a picture, an animation, a page that plays
offline, a model.

A page is one HTML file that needs no network: the scene's own script, three.js (which NiceGUI
brings), and the game as data. A game of pieces in space is a film for each ply in it, a game on a
board a picture for each.

The command `shutoko export` and the buttons of the replay page call the same function.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rules import defaults
from rules.errors import InputError, UnavailableError
from rules.game import Game
from rules.record import Record, dumps
from rules.record.replay import Step, begin, replay
from rules.view import BoardView, SceneView
from shutoko.plain import plain_record
from sim.installing import install
from sim.languages import Sentence

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from shutoko.export.film import Frame
    from shutoko.export.rendering.rays import Pixels
    from sim.bodies import Body

Way = Literal["physics", "blend"]
"""How pieces come to rest in a film."""

KINDS: Mapping[str, str] = {
    "jsonl": "the record itself",
    "png": "a picture of the last ply",
    "svg": "a drawing of the last ply (games on boards)",
    "gif": "the whole game, a picture a ply; of one ply of Tokyo Highway a film",
    "mp4": "the same as a film",
    "html": "one page that plays the game without a network",
    "glb": "an animated model (games of pieces, as Tokyo Highway)",
    "xml": "the last table as MJCF, for MuJoCo",
}
"""What a record can be made into, by the suffix of the file."""

MEDIA: Mapping[str, str] = {
    "jsonl": "application/jsonl",
    "png": "image/png",
    "svg": "image/svg+xml",
    "gif": "image/gif",
    "mp4": "video/mp4",
    "html": "text/html",
    "glb": "model/gltf-binary",
    "xml": "application/xml",
}
"""The media types."""

_SIZE = (960, 640)
_FRAME_MS, _HOLD_MS = 700, 2500
FPS = 20.0
"""Frames a second of films."""
_IN_VAIN = 3  # plies
_SPACE = ("glb", "xml")  # kinds of pieces in space
_STATIC = Path(__file__).parents[1] / "web" / "static"
_OFFLINE = Path(__file__).parent / "offline"

Leaf = tuple[str, Sequence[str]]
"""What is said of a ply: who did what, and the reasons."""


def share(
    record: Record,
    kind: str,
    ply: int | None = None,
    film: Way | None = None,
    tell: Callable[[str], None] | None = None,
    language: str = "en",
    on_frame: Callable[[int, int], None] | None = None,
    executor: Executor | None = None,
) -> bytes:
    """The file of that kind (a key of KINDS) as bytes; `ply` is the last one shown, or for a film
    the one filmed.

    In films of Tokyo Highway pieces come to rest as physics moved them, if the record's engine is
    installed and reproduces the poses of the record exactly, else by a blend of the poses; `tell`
    is called with a line that says for which plies. `film` asks for one of the two throughout. A
    page that plays offline is in the `language`. `on_frame(made, total)` is called as pictures or
    films are made; an `executor` draws films of pieces in space.

    Raises InputError for a kind that this game cannot have, a ply that the record lacks, and a film
    of `physics` that cannot be made; what replaying raises; UnavailableError if a package is
    missing, with the command that installs it.
    """
    check(record, kind, ply)
    if kind == "jsonl":
        return dumps(record)
    record = plain_record(record)
    if is_board(record):
        return _of_board(record, kind, ply, language, on_frame)
    filming = Filming(record, film)
    shared = _of_scene(record, kind, ply, filming, language, on_frame, executor)
    if tell is not None and filming.blended:
        tell(filming.told())
    return shared


def check(record: Record, kind: str, ply: int | None = None) -> None:
    """Raises what `share` would raise for this kind and ply, before any work: InputError and
    UnavailableError.
    """
    if kind not in KINDS:
        raise InputError(f"a record cannot be made into {kind!r}; choose from {', '.join(KINDS)}")
    if ply is not None and not 0 <= ply < record.next_ply:
        raise InputError(f"the record has no ply {ply}; it has {record.next_ply}")
    if kind == "jsonl":
        return
    game = record.header.game
    if is_board(record):
        if kind in _SPACE:
            raise InputError(
                f"a model is made of pieces in space; {game} has png, svg, gif, mp4 and html"
            )
        if kind in ("png", "gif", "mp4"):
            from shutoko.export.board import check_installed

            check_installed()
    elif kind == "svg":
        raise InputError(f"a drawing is made of a board; take png for {game}")
    elif kind in ("glb", "html"):
        from shutoko.export.gltf import check_installed

        (check_installed if kind == "glb" else _nicegui)()
    if kind == "mp4":
        from shutoko.export.video import ffmpeg

        ffmpeg()


def is_board(record: Record) -> bool:
    """Whether the game of a record is shown as a board of cells. Raises what its start raises."""
    made, start = begin(record)
    return isinstance(defaults.view(made, start), BoardView)


def plies(record: Record, ply: int | None) -> Iterator[Step]:
    """The plies up to that one that were not taken back."""
    for step in replay(record):
        if ply is not None and step.entry.ply > ply:
            return
        if not step.entry.taken_back:
            yield step


# --- pieces in space ------------------------------------------------------------------------------


class Filming:
    """Makes the films of plies, and remembers those that had to be blended.

    Physics takes a second for a ply of a full table, and longer where pieces fall. After `_IN_VAIN`
    plies in a row that the engine does not reproduce it is asked no more: the record comes from
    elsewhere, or somebody has changed it.
    """

    def __init__(self, record: Record, way: Way | None) -> None:
        self._record, self._way = record, way
        self.blended: list[int] = []
        self._in_vain = 0
        self._untried: list[int] = []

    def frames(self, step: Step, before: Sequence[Body], after: Sequence[Body]) -> Sequence[Frame]:
        """The frames of a ply. Raises InputError if it has to be what physics did and cannot."""
        from shutoko.export.film import ply_frames, turn_frames
        from sim.game import JudgedStep
        from sim.game.replay import watched

        if not isinstance(step, JudgedStep):  # pieces that no verdict tells of
            return turn_frames(before, after, fps=FPS)
        table = step.before.table
        again = None
        if self._way != "blend" and step.verdict.built is not None:
            gives_up = self._in_vain >= _IN_VAIN
            again = None if gives_up else watched(self._record, step.entry, table)
            self._in_vain = 0 if again is not None else self._in_vain + 1
            if again is None:
                (self._untried if gives_up else self.blended).append(step.entry.ply)
                if self._way == "physics":
                    raise InputError(
                        f"{self._where()}, so no film can show what physics did; --film blend "
                        "blends the poses"
                    )
        attempts = () if again is None else again.attempts
        return ply_frames(table, step.placement, step.verdict, step.after.table, attempts, FPS)

    def told(self) -> str:
        """Which plies do not show what physics did, and why."""
        told = f"{self._where()}: the film blends the poses before and after"
        if not self._untried:
            return told
        first, last = self._untried[0], self._untried[-1]
        return (
            f"{told}; so it does for ply {first} to {last}, for which the engine was not asked "
            "any more"
        )

    def _where(self) -> str:
        from sim.physics import engines

        record = self._record
        engine = (record.header.physics or {}).get("engine")
        why = f"{engine} comes to other poses here"
        if engine is None or record.header.observed:
            why = "no engine made the record"
        elif engine not in engines.available():
            why = f"the record's engine {engine} is not installed"
        return f"ply {', '.join(map(str, self.blended))}: {why}"


def _of_scene(
    record: Record,
    kind: str,
    ply: int | None,
    filming: Filming,
    language: str,
    on_frame: Callable[[int, int], None] | None,
    executor: Executor | None,
) -> bytes:
    from shutoko.export.film import film_data
    from shutoko.export.picture import picture

    made, start = begin(record)
    steps = list(plies(record, ply))
    tables = [pieces(made, state) for state in (start, *(step.after for step in steps))]
    if kind == "png":
        return _png(picture(tables[-1], size=_SIZE))
    if kind == "xml":
        from shutoko.export.mjcf import mjcf

        return mjcf(tables[-1], record.header.game).encode()

    def filmed(n: int) -> Sequence[Frame]:
        return filming.frames(steps[n], tables[n], tables[n + 1])

    if kind in ("gif", "mp4"):
        frames, fps = (tables, 1000 / _FRAME_MS) if ply is None else (filmed(len(steps) - 1), FPS)
        hold = _HOLD_MS / 1000
        return film_data(kind, frames, fps=fps, hold=hold, on_frame=on_frame, executor=executor)
    moving = []
    for n in range(len(steps)):
        if on_frame is not None:
            on_frame(n, len(steps))
        moving.append(filmed(n))
    if kind == "glb":
        from shutoko.export.gltf import glb

        still = [[table] * round(FPS) for table in tables]
        return glb(
            [
                frame
                for way, table in zip([(), *moving], still, strict=True)
                for frame in (*way, *table)
            ],
            FPS,
        )
    leaves = [_leaf(made, step, language) for step in steps]
    return _scene_page(_title(record), leaves, moving, tables[0], language).encode()


def pieces(made: Game[Any], state: Any) -> tuple[Body, ...]:
    """The pieces of a position of a game of pieces in space."""
    seen = defaults.view(made, state)
    assert isinstance(seen, SceneView), "a game shows all its positions in the same way"
    return seen.bodies


# --- boards ---------------------------------------------------------------------------------------


def _of_board(
    record: Record,
    kind: str,
    ply: int | None,
    language: str,
    on_frame: Callable[[int, int], None] | None,
) -> bytes:
    from shutoko.export.board import raster

    made, start = begin(record)
    game = record.header.game
    steps = list(plies(record, ply))
    after = [
        (step.after, f"{game}, ply {step.ply}: {step.entry.do}", str(step.entry.do))
        for step in steps
    ]
    pictures = [drawing(made, *one) for one in [(start, game, None), *after]]
    if kind == "svg":
        return pictures[-1].encode()
    if kind == "png":
        return raster(pictures[-1])
    if kind in ("gif", "mp4"):
        from shutoko.export.film import encoded

        shots: list[Pixels] = []
        for drawn in pictures:
            if on_frame is not None:
                on_frame(len(shots), len(pictures))
            shots.append(rastered(drawn))
        return encoded(f".{kind}", shots, [_FRAME_MS] * (len(shots) - 1) + [_HOLD_MS])
    leaves = [_leaf(made, step, language) for step in steps]
    return _board_page(_title(record), leaves, pictures, language).encode()


def drawing(made: Game[Any], state: Any, title: str, last: str | None) -> str:
    """A position on a board as SVG, with the text of the last move marked."""
    from shutoko.export.board import svg

    seen = defaults.view(made, state, last=last)
    assert isinstance(seen, BoardView), "a game shows all its positions in the same way"
    return svg(seen, title)


def rastered(drawn: str) -> Pixels:
    """The pixels of a drawing."""
    from shutoko.export.board import raster

    image = import_module("PIL.Image").open(BytesIO(raster(drawn))).convert("RGB")
    return np.asarray(image)


# --- both -----------------------------------------------------------------------------------------


def _png(image: Any) -> bytes:
    out = BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


def _title(record: Record) -> str:
    return f"{record.header.game}: {' - '.join(record.header.players)}"


def _leaf(made: Game[Any], step: Step, language: str) -> Leaf:
    """What is said of a ply: by the referee in the language, by any other game in its own words."""
    entry = step.entry
    # asked without its class, whose module needs what only tables need
    told = getattr(step, "told", None)
    first, *rest = told(language) if told is not None else defaults.describe(made, step)
    notes = [f"{Sentence('note').told(language)}: {entry.note}"] if entry.note else []
    return f"{entry.ply}. {first}", [*rest, *notes]


# --- pages that play offline ----------------------------------------------------------------------


def _scene_page(
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
    from shutoko.export import packed
    from shutoko.export.rendering.camera import Camera

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
    three = _nicegui() / "elements" / "scene" / "dist" / "index.js"
    imports = {"nicegui-scene": _module(three.read_bytes())} | {
        name: _module(path.read_bytes()) for name, path in ours.items()
    }
    return _page(title, data, "scene.js", imports, language)


def _board_page(
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


def _nicegui() -> Path:
    """The folder of NiceGUI. Raises UnavailableError, with the command that installs it, if it is
    missing.
    """
    found = find_spec("nicegui")
    if found is None or not found.submodule_search_locations:
        raise UnavailableError(
            f"pages of pieces in space take three.js from NiceGUI: {install('web')}"
        )
    return Path(found.submodule_search_locations[0])


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
        "style": _offline("page.css"),
        "imports": json.dumps({"imports": imports | {"player": player}}),
        "data": told,
        "script": _offline(script),
    }
    return _offline("page.html").format(**shown, **words, language=language)


def _offline(name: str) -> str:
    return (_OFFLINE / name).read_text(encoding="utf-8")
