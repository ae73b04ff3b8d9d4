"""A clip: one ply as a short film to send to friends, with the names and the score in the picture.

It is a film as `shutoko export --ply` makes it, with few pictures: under 3 MB, and some seconds of
a processor. Where pieces fall it is near and slow, and a caption says what that cost. The score is
what a player's plate shows: the cars that are left on a table, the pieces that lie there on a
board.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from rules import defaults
from rules.errors import InputError
from rules.game import Game
from rules.record import Record
from rules.record.replay import Step, begin
from rules.view import BoardView
from shutoko.export.film import Frame, encoded, film_data, in_sight
from shutoko.export.rendering.camera import Camera
from shutoko.export.rendering.rays import Pixels
from shutoko.export.rendering.scene import PLAYER_COLOURS, Colour, needed
from shutoko.export.share import FPS, Filming, Way, drawing, is_board, pieces, plies, rastered
from shutoko.plain import plain_record
from sim.bodies import Body, shift_between
from sim.game import JudgedStep
from sim.languages import Sentence

KINDS = ("gif", "mp4")
"""What a clip can be written as, by the suffix of the file."""

_SIZE = (600, 720)  # px
_FRAMES = 12  # pictures at most
_LONGEST = 3.6  # seconds before the last picture: longer plies run faster
_SLOWER = 3.0  # times slower while pieces fall
_BEFORE, _FALLING = 0.4, 1.0  # seconds of the film before the first piece falls, and while it does
_FELL = 3.0  # mm that a piece has moved when it falls
_NEAR = 70.0  # mm around what falls that the picture shows
_HOLD = 1.6  # seconds of the last picture
_STILL = 0.9  # seconds of the position before a move on a board
_BOARD = 480  # px, the longer side of a board
_PLATE = 24  # px, on a board; in other pictures in proportion to their height
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


def clip(
    record: Record,
    kind: str,
    ply: int | None = None,
    film: Way | None = None,
    language: str = "en",
) -> bytes:
    """The clip of a ply as the bytes of a file of that kind: the one with that number, or the last
    one before it that was not taken back; by default the last of the game. Its caption is in the
    `language`, in English where no font here has its letters.

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
    before, after = _plates(made, step)
    if is_board(record):
        pictures, times = _of_board(made, step)
        return encoded(f".{kind}", _signed(pictures, before, after, ""), times)
    every = Filming(record, film).frames(step, pieces(made, step.before), pieces(made, step.after))
    some, seconds = _chosen(every, _lost(step))
    return film_data(
        kind,
        some,
        fps=len(some) / seconds,
        size=_SIZE,
        hold=_HOLD,
        camera=Camera.fitting(_looked_at(some, _lost(step)), _SIZE, margin=0.09),
        over=lambda pictures: _signed(pictures, before, after, _caption(step, language)),
    )


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


def _lost(step: Step) -> tuple[str, ...]:
    """The pieces that a ply knocked down."""
    return tuple(step.verdict.fallen) if isinstance(step, JudgedStep) else ()


def _chosen(every: Sequence[Frame], lost: Sequence[str]) -> tuple[list[Frame], float]:
    """At most `_FRAMES` of the frames of a film, and for how many seconds they are shown in all:
    most of them of the moment when pieces fall.
    """
    lying = {body.id: body.pose for body in every[0] if body.id in lost}
    falls = next(
        (
            n
            for n, frame in enumerate(every)
            for body in frame
            if body.id in lying and shift_between(lying[body.id], body.pose) > _FELL
        ),
        None,
    )
    if falls is not None:  # the hand that built is no part of it
        every = every[max(falls - round(_BEFORE * FPS), 0) :]
    pace = np.ones(len(every))
    pace[: 0 if falls is None else round((_BEFORE + _FALLING) * FPS)] = _SLOWER
    clock = np.concatenate([[0.0], np.cumsum(pace[1:])])
    count = min(_FRAMES, len(every))
    at = np.interp(np.linspace(0.0, clock[-1], count), clock, np.arange(len(every)))
    return [every[n] for n in at.round().astype(int)], min(max(clock[-1], 1.0) / FPS, _LONGEST)


def _looked_at(frames: Sequence[Frame], lost: Sequence[str]) -> Sequence[Body]:
    """What the camera sees: of a fall what fell and what stands near, else all."""
    seen = in_sight(frames)
    places = np.array([body.pose.at[:2] for body in frames[0] if body.id in lost])
    if not len(places):
        return seen
    low, high = places.min(axis=0) - _NEAR, places.max(axis=0) + _NEAR
    return [
        body
        for body in seen
        if (low <= body.pose.at[:2]).all() and (body.pose.at[:2] <= high).all()
    ]


def _caption(step: Step, language: str) -> str:
    """How many pieces fell, and who pays for them; empty where none did."""
    if not isinstance(step, JudgedStep) or not step.verdict.fallen:
        return ""
    paid = sum(payment.total for payment in step.verdict.paid)
    values = {"n": len(step.verdict.fallen), "who": step.players[step.entry.by], "paid": paid}
    said = Sentence("clip-fell", values)
    told = said.told(language)
    return told if legible(told) == told else said.told("en")


# --- boards ---------------------------------------------------------------------------------------


def _of_board(made: Game[Any], step: Step) -> tuple[list[Pixels], list[int]]:
    with needed("pillow"):
        pil = import_module("PIL.Image")
    drawn = [(step.before, "", None), (step.after, "", str(step.entry.do))]
    pictures = []
    for shown in drawn:
        image = pil.fromarray(rastered(drawing(made, *shown)))
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


def _signed(
    pictures: Sequence[Pixels], before: Sequence[_Plate], after: Sequence[_Plate], caption: str
) -> list[Pixels]:
    """The pictures with a plate for each seat at the top, and a caption at the foot of those in
    which pieces have fallen; the last one with the plates after the ply.
    """
    shown = [before] * (len(pictures) - 1) + [after]
    return [
        _written(shot, plates, caption if n > len(pictures) // 3 else "")
        for n, (shot, plates) in enumerate(zip(pictures, shown, strict=True))
    ]


def _written(shot: Pixels, plates: Sequence[_Plate], caption: str) -> Pixels:
    with needed("pillow"):
        pil, draws = import_module("PIL.Image"), import_module("PIL.ImageDraw")
    image = pil.fromarray(shot)
    high = max(_PLATE, image.height // 20)
    draw = draws.Draw(image)
    wide = (image.width - 8) / len(plates)
    for n, plate in enumerate(plates):
        left = 4 + n * wide
        _draw_plate(draw, plate, (left + 2, 4, left + wide - 2, 4 + high))
    if caption:
        font, middle = _font(legible(caption), high), image.width / 2
        half, low = draw.textlength(legible(caption), font=font) / 2 + high / 2, image.height - 8
        draw.rounded_rectangle((middle - half, low - 1.5 * high, middle + half, low), 9, _GROUND)
        at = (middle, low - 0.75 * high)
        draw.text(at, legible(caption), font=font, anchor="mm", fill=_CHANGED)
    return np.asarray(image)


def _draw_plate(draw: Any, plate: _Plate, box: tuple[float, float, float, float]) -> None:
    left, top, right, bottom = box
    middle, high = (top + bottom) / 2, bottom - top
    draw.rounded_rectangle(box, 5, fill=_GROUND, outline=_CHANGED if plate.moves else _EDGE)
    chip = (left + 5, middle - high / 4, left + 5 + high / 2, middle + high / 4)
    draw.rounded_rectangle(chip, 3, fill=plate.colour, outline=_EDGE)
    end, begin = right - 6, left + 10 + high / 2
    if plate.score is not None:
        colour = _CHANGED if plate.changed else _INK
        said = str(plate.score)
        draw.text((end, middle), said, font=_font(said, high), anchor="rm", fill=colour)
        end -= draw.textlength(said, font=_font(said, high)) + 5
    name = legible(plate.name)
    font = _font(name, high)
    draw.text(
        (begin, middle), _cut(draw, name, font, end - begin), font=font, anchor="lm", fill=_INK
    )


def _cut(draw: Any, name: str, font: Any, wide: float) -> str:
    """As much of a name as there is room for."""
    shorter = (name[:n].rstrip() + "…" for n in range(len(name) - 1, 0, -1))
    return next((one for one in (name, *shorter) if draw.textlength(one, font=font) <= wide), "")


def _font(text: str, high: float = _PLATE) -> Any:
    """The font for a text on a plate of so many pixels: the one that Pillow brings for Latin
    letters, else one of the system that has all its letters, if there is one.
    """
    with needed("pillow"):
        fonts = import_module("PIL.ImageFont")
    if any(ord(letter) > _LATIN for letter in text):
        for found in _system_fonts(fonts, high):
            if _has(found, text):
                return found
    return fonts.load_default(round(high) // 2 + 2)


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


def _system_fonts(fonts: Any, high: float) -> Iterator[Any]:
    for name in _FONTS:
        try:
            yield fonts.truetype(name, round(high) // 2 + 2)
        except OSError:
            continue
