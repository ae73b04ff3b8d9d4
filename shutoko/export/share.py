"""A record as something to send to others: itself, a picture, an animation, a page that plays offline, a model.

The command `shutoko export` and the buttons of the replay page call the same function.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from rules.errors import InputError, UnavailableError
from rules.record import Entry, Record, dumps
from sim.languages import Sentence

if TYPE_CHECKING:
    from shutoko.export.film import Frame
    from sim.game.replay import Step

__all__ = ["KINDS", "MEDIA", "Way", "share"]

Way = Literal["physics", "blend"]
"""How pieces come to rest in a film."""

KINDS: Mapping[str, str] = {
    "jsonl": "the record itself",
    "png": "a picture of the last ply",
    "svg": "a drawing of the last ply (Thruway, Meridians)",
    "gif": "the whole game, a picture a ply; of one ply of Tokyo Highway a film",
    "html": "one page that plays the game without a network",
    "glb": "an animated model (Tokyo Highway)",
}
"""What a record can be made into, by the suffix of the file."""

MEDIA: Mapping[str, str] = {
    "jsonl": "application/jsonl",
    "png": "image/png",
    "svg": "image/svg+xml",
    "gif": "image/gif",
    "html": "text/html",
    "glb": "model/gltf-binary",
}
"""The media types."""

_TABLE = "tokyo-highway"
_SIZE = (960, 640)
_FRAME_MS, _HOLD_MS = 700, 2500
_FPS = 20.0


def share(
    record: Record,
    kind: str,
    ply: int | None = None,
    film: Way | None = None,
    tell: Callable[[str], None] | None = None,
    language: str = "en",
) -> bytes:
    """The file of that kind (a key of KINDS) as bytes; `ply` is the last one shown, or for a film the one filmed.

    In films of Tokyo Highway pieces come to rest as physics moved them, where the record's engine is here and comes to the very
    poses of the record again, and else by a blend of the poses; `tell` hears in a line which plies those are. `film` asks for
    one of the two throughout. A page that plays offline speaks the `language`.

    Raises InputError for a kind that there is not for this game, a ply that the record has not, and a film of `physics` where
    that cannot be had; what replaying raises; UnavailableError if a package is missing, with the command that installs it.
    """
    if kind not in KINDS:
        raise InputError(f"a record cannot be made into {kind!r}; choose from {', '.join(KINDS)}")
    if ply is not None and not 0 <= ply < record.next_ply:
        raise InputError(f"the record has no ply {ply}; it has {record.next_ply}")
    if kind == "jsonl":
        return dumps(record)
    if record.header.game != _TABLE:
        return _of_board(record, kind, ply, language)
    filming = _Filming(record, film)
    made = _of_table(record, kind, ply, filming, language)
    if tell is not None and filming.blended:
        tell(filming.told())
    return made


# --- Tokyo Highway -----------------------------------------------------------------------------------------------------------


class _Filming:
    """Makes the films of plies, and remembers those that had to be blended."""

    def __init__(self, record: Record, way: Way | None) -> None:
        self._record, self._way = record, way
        self.blended: list[int] = []

    def frames(self, step: Step) -> Sequence[Frame]:
        """The frames of a ply. Raises InputError if it has to be what physics did and cannot."""
        from shutoko.export.film import ply_frames
        from sim.game import replay

        again = None
        if self._way != "blend" and step.verdict.built is not None:
            again = replay.watched(self._record, step.entry, step.before)
            if again is None:
                self.blended.append(step.entry.ply)
                if self._way == "physics":
                    raise InputError(f"{self._where()}, so no film can show what physics did; --film blend blends the poses")
        attempts = () if again is None else again.attempts
        return ply_frames(step.before, step.placement, step.verdict, step.after, attempts, _FPS)

    def told(self) -> str:
        """Which plies do not show what physics did, and why."""
        return f"{self._where()}: the film blends the poses before and after"

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


def _of_table(record: Record, kind: str, ply: int | None, filming: _Filming, language: str) -> bytes:
    from shutoko.export.film import film
    from shutoko.export.picture import picture
    from sim.game import replay
    from sim.game.posing import bodies
    from sim.referee.explain import explain

    if kind == "svg":
        raise InputError("a drawing is made of the grid games; take png for Tokyo Highway")
    steps = [step for step in replay.trusted(record) if not step.entry.taken_back and (ply is None or step.entry.ply <= ply)]
    start = bodies(replay.begin(record))
    tables = [start, *(bodies(step.after) for step in steps)]
    if kind == "png":
        return _png(picture(tables[-1], size=_SIZE))

    if kind == "gif":
        frames, fps = (tables, 1000 / _FRAME_MS) if ply is None else (filming.frames(steps[-1]), _FPS)
        with tempfile.TemporaryDirectory() as folder:
            return film(frames, Path(folder) / "film.gif", fps=fps, hold=_HOLD_MS / 1000).read_bytes()
    if kind == "glb":
        from shutoko.export.gltf import glb

        still = [[table] * round(_FPS) for table in tables]
        moving = [(), *(filming.frames(step) for step in steps)]
        return glb([frame for way, table in zip(moving, still, strict=True) for frame in (*way, *table)], _FPS)
    from shutoko.export.page import table_page

    leaves = []
    for step in steps:
        lines = explain(step.before, step.placement, step.verdict, record.header.players)
        first, *others = (line.told(language) for line in lines)
        first = first if step.verdict.legal else f"{record.header.players[step.entry.by]}: {first}"
        leaves.append(_leaf(step.entry, [first, *others], language))
    return table_page(_title(record), leaves, [filming.frames(step) for step in steps], start, language).encode()


# --- the grid games ----------------------------------------------------------------------------------------------------------


def _of_board(record: Record, kind: str, ply: int | None, language: str) -> bytes:
    from shutoko.export.page import board_page

    if kind == "glb":
        raise InputError(f"a model is made of Tokyo Highway; {record.header.game} has png, svg, gif and html")
    pictures, entries = zip(*_drawings(record, ply), strict=True)
    if kind == "svg":
        return str(pictures[-1]).encode()
    if kind == "png":
        return _raster(pictures[-1])
    if kind == "gif":
        return _gif([_raster(drawn) for drawn in pictures])
    players = record.header.players
    leaves = [_leaf(entry, [f"{players[entry.by]}: {entry.do}"], language) for entry in entries[1:]]
    return board_page(_title(record), leaves, pictures, language).encode()


def _drawings(record: Record, ply: int | None) -> Iterator[tuple[str, Any]]:
    from rules.record.replay import begin, steps
    from shutoko.export.board import named, svg

    state: Any = begin(record)[1]
    yield svg(state.board_text(), title=record.header.game), None
    for step in steps(record):
        if ply is not None and step.entry.ply > ply:
            return
        if step.entry.taken_back:
            continue
        title = f"{record.header.game}, ply {step.entry.ply}: {step.entry.do}"
        after: Any = step.after
        yield svg(after.board_text(), named(str(step.entry.do)), title), step.entry


def _raster(drawing: str) -> bytes:
    try:
        resvg = import_module("resvg_py")
    except ImportError as error:
        raise UnavailableError("pictures of boards need the package resvg-py: pip install 'shutoko[web]'") from error
    render: Callable[..., bytes] = resvg.svg_to_bytes
    return bytes(render(svg_string=drawing))


def _gif(pictures: Sequence[bytes]) -> bytes:
    image = import_module("PIL.Image")
    frames = [image.open(BytesIO(data)).convert("RGB").quantize(64) for data in pictures]
    times = [_FRAME_MS] * (len(frames) - 1) + [_HOLD_MS]
    out = BytesIO()
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:], duration=times, loop=0)
    return out.getvalue()


# --- both --------------------------------------------------------------------------------------------------------------------


def _png(image: Any) -> bytes:
    out = BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


def _title(record: Record) -> str:
    return f"{record.header.game}: {' - '.join(record.header.players)}"


def _leaf(entry: Entry, lines: Sequence[str], language: str) -> tuple[str, Sequence[str]]:
    first, *rest = lines
    notes = [f"{Sentence('note').told(language)}: {entry.note}"] if entry.note else []
    return f"{entry.ply}. {first}", [*rest, *notes]
