"""A clip: one ply as a short film to send to friends, with the names and the score in the picture.

It is a film as `shutoko export --ply` makes it, with few small pictures: under 3 MB, and some
seconds of a processor. The score is what a player's plate shows: the cars that are left on a table,
the pieces that lie there on a board.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from io import BytesIO
from typing import Any

import numpy as np

from rules import defaults
from rules.errors import InputError
from rules.game import Game
from rules.record import Record
from rules.record.replay import Step, begin
from rules.view import BoardView
from shutoko.export.film import encoded, in_sight, shots
from shutoko.export.rendering.camera import Camera
from shutoko.export.rendering.rays import Pixels
from shutoko.export.rendering.scene import PLAYER_COLOURS, Colour, needed
from shutoko.export.share import FPS, Filming, Way, drawing, is_board, pieces, plies
from shutoko.plain import plain_record

KINDS = ("gif", "mp4")
"""What a clip can be written as, by the suffix of the file."""

_SIZE = (396, 264)  # px
_FRAMES = 20  # pictures at most
_LONGEST = 5.0  # seconds before the last picture: longer plies run faster
_HOLD = 1.6  # seconds of the last picture
_STILL = 0.9  # seconds of the position before a move on a board
_BOARD = 480  # px, the longer side of a board
_PLATE = 24  # px
# of seats on a board: the first colour is light, the second dark
_SIDES: tuple[Colour, ...] = ((252, 251, 247), (47, 52, 55), (168, 72, 58), (61, 111, 148))
_GROUND, _INK, _EDGE, _CHANGED = (28, 30, 33), (245, 243, 238), (140, 138, 132), (255, 214, 92)
_FONTS = (
    "NotoSansCJK-Regular.ttc",
    "NotoSansKR-Regular.otf",
    "NanumGothic.ttf",
    "AppleSDGothicNeo.ttc",
    "malgun.ttf",
    "DejaVuSans.ttf",
)  # the first that the system has, for names that are not Latin


@dataclass(frozen=True, slots=True)
class _Plate:
    """What the picture says of a seat; `changed`: by this ply. `score` is None if nothing counts
    it.
    """

    name: str
    colour: Colour
    score: int | None
    moves: bool
    changed: bool = False


def clip(record: Record, kind: str, ply: int | None = None, film: Way | None = None) -> bytes:
    """The clip of a ply as the bytes of a file of that kind: the one with that number, or the last
    one before it that was not taken back; by default the last of the game.

    Equal arguments give equal bytes. Raises what `check` raises, what replaying raises, and
    InputError for a film of `physics` that cannot be made.
    """
    check(record, kind, ply)
    record = plain_record(record)
    made, _ = begin(record)
    last = deque(plies(record, ply), 1)
    if not last:
        raise InputError(f"no ply up to {ply} was left standing, and a clip shows one")
    step = last.pop()
    if is_board(record):
        pictures, times = _of_board(made, step)
    else:
        pictures, times = _of_scene(record, made, step, film)
    before, after = _plates(made, step)
    signed = [_signed(shot, before) for shot in pictures[:-1]] + [_signed(pictures[-1], after)]
    return encoded(f".{kind}", signed, times)


def check(record: Record, kind: str, ply: int | None = None) -> None:
    """Raises InputError for a kind that no clip has and for a ply that is not there,
    UnavailableError if a package is missing.
    """
    from shutoko.export import share

    if kind not in KINDS:
        raise InputError(f"a clip is a film of one ply: take .gif or .mp4, not {kind!r}")
    share.check(record, kind, ply)
    if not any(not entry.taken_back for entry in record.entries):
        raise InputError("the record has no ply yet, and a clip shows one")


# --- pieces in space ------------------------------------------------------------------------------


def _of_scene(
    record: Record, made: Game[Any], step: Step, film: Way | None
) -> tuple[list[Pixels], list[int]]:
    every = Filming(record, film).frames(step, pieces(made, step.before), pieces(made, step.after))
    at = np.linspace(0, len(every) - 1, min(_FRAMES, len(every))).round().astype(int)
    some = [every[n] for n in at]
    camera = Camera.fitting(in_sight(some), _SIZE, margin=0.09)
    fps = len(some) / min(len(every) / FPS, _LONGEST)
    return shots(some, fps, _SIZE, _HOLD, camera)


# --- boards ---------------------------------------------------------------------------------------


def _of_board(made: Game[Any], step: Step) -> tuple[list[Pixels], list[int]]:
    from shutoko.export.board import raster

    with needed("pillow"):
        pil = import_module("PIL.Image")
    drawn = [
        drawing(made, step.before, "", None),
        drawing(made, step.after, "", str(step.entry.do)),
    ]
    pictures = []
    for picture in drawn:
        image = pil.open(BytesIO(raster(picture))).convert("RGB")
        image.thumbnail((_BOARD, _BOARD))
        high = pil.new("RGB", (image.width, image.height + _PLATE + 8), _GROUND)
        high.paste(image, (0, _PLATE + 8))
        pictures.append(np.asarray(high))
    return pictures, [round(1000 * _STILL), round(1000 * _HOLD)]


# --- names and score ------------------------------------------------------------------------------


def score(made: Game[Any], state: Any, seat: int) -> int | None:
    """What a seat's plate shows: the cars that it has left, or its pieces on the board; None for a
    game that has neither.
    """
    laid = defaults.table(made, state)
    if laid is not None:
        return int(laid.stocks[seat].cars)
    seen = defaults.view(made, state)
    if not isinstance(seen, BoardView):
        return None
    colour = defaults.side_of(state, seat)
    return sum(cell.holds == colour for cell in seen.cells)


def _plates(made: Game[Any], step: Step) -> tuple[list[_Plate], list[_Plate]]:
    """The plates before the ply and after it."""
    before, after = [], []
    board = defaults.table(made, step.after) is None
    for seat, name in enumerate(step.players):
        side = defaults.side_of(step.after, seat) if board else seat
        colour = (_SIDES if board else PLAYER_COLOURS)[side % 4]
        old, new = score(made, step.before, seat), score(made, step.after, seat)
        before.append(_Plate(name, colour, old, seat == step.entry.by))
        after.append(_Plate(name, colour, new, seat == step.entry.by, old != new))
    return before, after


def _signed(shot: Pixels, plates: Sequence[_Plate]) -> Pixels:
    """The picture with a plate for each seat at its top."""
    with needed("pillow"):
        pil, draws = import_module("PIL.Image"), import_module("PIL.ImageDraw")
    image = pil.fromarray(shot)
    draw = draws.Draw(image)
    wide = (image.width - 8) / len(plates)
    for n, plate in enumerate(plates):
        left = 4 + n * wide
        _draw_plate(draw, plate, (left + 2, 4, left + wide - 2, 4 + _PLATE))
    return np.asarray(image)


def _draw_plate(draw: Any, plate: _Plate, box: tuple[float, float, float, float]) -> None:
    left, top, right, bottom = box
    middle = (top + bottom) / 2
    draw.rounded_rectangle(box, 5, fill=_GROUND, outline=_CHANGED if plate.moves else _EDGE)
    draw.rounded_rectangle(
        (left + 5, middle - 6, left + 17, middle + 6), 3, fill=plate.colour, outline=_EDGE
    )
    end = right - 6
    if plate.score is not None:
        colour = _CHANGED if plate.changed else _INK
        said = str(plate.score)
        draw.text((end, middle), said, font=_font(said), anchor="rm", fill=colour)
        end -= draw.textlength(said, font=_font(said)) + 5
    name = legible(plate.name)
    draw.text(
        (left + 22, middle),
        _cut(draw, name, end - left - 22),
        font=_font(name),
        anchor="lm",
        fill=_INK,
    )


def _cut(draw: Any, name: str, wide: float) -> str:
    """As much of a name as there is room for."""
    font = _font(name)
    shorter = (name[:n].rstrip() + "…" for n in range(len(name) - 1, 0, -1))
    return next((one for one in (name, *shorter) if draw.textlength(one, font=font) <= wide), "")


def _font(text: str) -> Any:
    """The font for a text: the one that Pillow brings for Latin letters, else one of the system
    that has all its letters, if there is one.
    """
    with needed("pillow"):
        fonts = import_module("PIL.ImageFont")
    if any(ord(letter) > _LATIN for letter in text):
        for found in _system_fonts(fonts):
            if _has(found, text):
                return found
    return fonts.load_default(_PLATE // 2 + 2)


def legible(name: str) -> str:
    """A name as pictures have it: a question mark stands for each letter that no font here has,
    where a font without it would draw an empty box.
    """
    font = _font(name)
    return "".join(letter if _has(font, letter) else "?" for letter in name)


def _has(font: Any, text: str) -> bool:
    """Whether a font has all letters of a text: what it lacks, it draws as this, which is none."""
    missing = bytes(font.getmask("\uffff"))
    return all(
        letter.isspace() or ord(letter) <= _LATIN or bytes(font.getmask(letter)) != missing
        for letter in text
    )


_LATIN = 0x24F  # the last letter of Latin Extended-B


def _system_fonts(fonts: Any) -> Iterator[Any]:
    for name in _FONTS:
        try:
            yield fonts.truetype(name, _PLATE // 2 + 2)
        except OSError:
            continue
