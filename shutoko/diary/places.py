"""Places as people say them at a table: `12 cm at 2 o'clock from B-P3`, `11 cm from A-P1 and 8.5 cm
from B-P2 at 2 o'clock`, or coordinates.

A clock lies on the table: 12 o'clock is away from the player who starts (+y), 3 o'clock to that
player's right (+x). Distances are in plan, from the middle of a pillar, in mm or cm.
"""

import math
import re

from rules.near import meant
from sim.bodies import Box
from sim.languages import Sentence
from sim.pieces import Building
from sim.referee import Pillar, Point, Table, letter, seat_of

_NUMBER = r"[-+]?\d+(?:[.,]\d+)?"
_POINT = re.compile(
    r"\(?\s*([-+]?\d+(?:\.\d+)?)\s*(?:mm)?\s*(?:[,;]\s*|\s+)([-+]?\d+(?:\.\d+)?)\s*(?:mm)?\s*\)?"
)
_AWAY = re.compile(rf"({_NUMBER})\s*(mm|cm)\b", re.IGNORECASE)
_CLOCK = re.compile(
    r"(?<![\d.])(\d{1,2})(?:(?::|h|시 ?)(\d{2})(?:분)?|\s*(?:o\W?\s?clock|heures?\b|h\b|시))",
    re.IGNORECASE,
)
_BARE = re.compile(r"(?<![\w.,:-])\d{1,3}(?![\w.,:])")
"""A direction of which nobody says whether it is one of the clock or in degrees."""
_DEGREES = re.compile(rf"({_NUMBER})\s*(?:°|degrees?\b|degrés?\b|deg\b|도)", re.IGNORECASE)
_PILLAR = re.compile(r"\b([A-D])-?P(\d+)", re.IGNORECASE)  # A-P1에서 is one word
_PIECE = re.compile(r"(?:([A-D])-?([PRC])|X)(\d+)(?:\.(\d+))?", re.IGNORECASE)

_TURNED = re.compile(
    rf",?\s*\b(?:turned|turn|tournée?|회전)\s*(?:by|de)?\s*({_NUMBER})\s*"
    r"(?:°|degrees?|degrés?|deg|도)?$",
    re.IGNORECASE,
)
_RANGE = re.compile(rf"({_NUMBER})\s*(mm|cm)\b(?:\s*(?:from|de)?\s*([A-D]-?P\d+))?", re.IGNORECASE)
_LEFT = re.compile(
    r"(?<![\w.-])(?:(?:from|de)\s+)?(?:([A-D])-?)?P(\d+)(?:\s*에서|(?!\w|\.\d))", re.IGNORECASE
)
"""A pillar with the word before it; without its letter it is one of the player who builds."""
_MISSED = 6.0  # mm by which two measured distances may miss each other

_ENGLISH = (
    "a about an and approximately at away ca cm direction from in is it its just middle mm of on "
    "roughly so the to toward towards way"
)
_FRENCH = "à au aux d de depuis des du en environ est et l la le les milieu sens vers"
_BETWEEN = frozenset(f"{_ENGLISH} {_FRENCH}".split())
"""Words that may stand between the numbers of a place; letters of Korean may, too."""

_FAR = 2000.0  # mm: no table of this game is wider, so a place beyond was mistyped


class PlaceError(ValueError):
    """What was typed is no place or piece; `sentence` says why, and what would be one."""

    def __init__(self, message: str, **values: object) -> None:
        self.sentence = Sentence(message, values)
        super().__init__(self.sentence.told())


def place_of(table: Table, text: str, base: str | None = None, away: float | None = None) -> Point:
    """The place in mm that a text names: coordinates `30,-12`; a distance and a direction from the
    middle of a pillar (left out: `base`); or the distances from two pillars, with a rough direction
    from the first.

    The direction is one of the clock or in degrees, counter-clockwise from +x. `away` is the
    distance in mm if the text has none. Raises PlaceError, also for a number or a word that is no
    part of a place.
    """
    if found := _POINT.fullmatch(text.strip()):
        return _checked((float(found[1]), float(found[2])))
    bare = _PILLAR.sub(" ", text)
    direction = direction_of(bare)
    ranges = list(_RANGE.finditer(text))
    if any(_number(found[1]) <= 0 for found in ranges):
        raise PlaceError("note-place-length", text=text)
    if len(ranges) == 2:
        at = _where_circles_meet(table, text, base, direction)
    elif direction is None:
        if ranges or away is not None:
            _check_no_bare(text)
        raise PlaceError("note-place-direction", text=text)
    else:
        at = _beside(table, text, base, direction, away)
    if rest := _unread(bare, len(ranges)):
        raise PlaceError("note-place-rest", text=text, rest=rest)
    return _checked(at)


def _beside(
    table: Table, text: str, base: str | None, direction: float, away: float | None
) -> Point:
    """The place in a direction from a pillar, at the distance that a text gives."""
    pillar = _from(table, text, base)
    told = _AWAY.search(_PILLAR.sub(" ", text))
    if told is not None:
        away = _number(told[1]) * (10.0 if told[2].lower() == "cm" else 1.0)
    if away is None:
        raise PlaceError("note-place-distance", text=text)
    x, y = table.top(pillar)
    turn = math.radians(direction)
    return (x + away * math.cos(turn), y + away * math.sin(turn))


def turned(text: str) -> tuple[str, float | None]:
    """A place without the turn at its end, and that turn in degrees, counter-clockwise; None if it
    has none: `30,-12 turned 45`.
    """
    found = _TURNED.search(text)
    return (text, None) if found is None else (text[: found.start()].strip(), _number(found[1]))


def _check_no_bare(text: str) -> None:
    """Raises PlaceError for a direction that says neither o'clock nor degrees."""
    number = _BARE.search(_AWAY.sub(" ", _PILLAR.sub(" ", text)))
    if number is not None:
        raise PlaceError("note-place-clockless", text=text, number=number[0])


def _unread(bare: str, ranges: int) -> str:
    """The first number in a place without pillars, or else the first word, that is neither one of
    its distances, one or two, nor its direction, nor a word between these.
    """
    rest = _AWAY.sub(" ", bare, count=min(ranges, 2))
    for pattern in (_DEGREES, _CLOCK):
        if pattern.search(rest):
            rest = pattern.sub(" ", rest, count=1)
            break
    words = [word.strip(",;.()\"'’") for word in rest.replace("'", " ").split()]
    odd = [word for word in words if any(map(str.isdigit, word))] or filter(_is_odd, words)
    return next(iter(odd), "")


def _is_odd(word: str) -> bool:
    """Whether a word is none that people put between the numbers of a place."""
    return any("a" <= one <= "ÿ" for one in word.lower()) and word.lower() not in _BETWEEN


def _where_circles_meet(
    table: Table, text: str, base: str | None, direction: float | None
) -> Point:
    """The place at the two distances that a text gives, on the side that it names."""
    circles = []
    for found in _RANGE.finditer(text):
        pillar = _from(table, found[3] or "", base)
        mm = _number(found[1]) * (10.0 if found[2].lower() == "cm" else 1.0)
        circles.append((table.top(pillar), mm, pillar.id))
    ((ax, ay), one, first), ((bx, by), two, second) = circles
    apart = math.dist((ax, ay), (bx, by))
    if first == second or not apart:
        raise PlaceError("note-place-two", text=text)
    along = (apart**2 + one**2 - two**2) / (2 * apart)
    aside = math.sqrt(max(one**2 - along**2, 0.0))
    # where the ruler was a little off, circles that should touch miss each other
    if max(abs(one - two) - apart, apart - one - two) > _MISSED:
        raise PlaceError("note-place-misses", first=first, second=second, mm=apart)
    ux, uy = (bx - ax) / apart, (by - ay) / apart
    there = [(ax + ux * along - uy * side, ay + uy * along + ux * side) for side in (aside, -aside)]
    if direction is None:
        _check_no_bare(text)
        if 2 * aside > _MISSED:
            raise PlaceError("note-place-side", first=first, second=second)
        return there[0]
    turn = math.radians(direction)
    cosine, sine = math.cos(turn), math.sin(turn)
    return max(there, key=lambda at: (at[0] - ax) * cosine + (at[1] - ay) * sine)


def direction_of(text: str) -> float | None:
    """The direction that a text names, in degrees counter-clockwise from +x; None if it names none.

    Raises PlaceError for a time that no clock shows.
    """
    if found := _DEGREES.search(text):
        return _number(found[1]) % 360.0
    if found := _CLOCK.search(text):
        hour, minute = int(found[1]), int(found[2] or 0)
        if hour > 12 or minute > 59:
            raise PlaceError("note-place-clock", text=found[0])
        return (90.0 - 30.0 * hour - minute / 2) % 360.0
    return None


def piece_of(table: Table, text: str) -> str:
    """The id of the piece that a text names, as `b-p3.2` or `BP3.2`; the id of a pillar stays that
    of the pillar.

    Raises PlaceError if there is no such piece.
    """
    found = _PIECE.fullmatch(text.strip())
    known = [*sorted(table.piece_ids), *table.pillar_by_id]
    name = "" if found is None else _id(found)
    if name not in known:
        near = meant(name or text.strip().upper(), known)
        raise PlaceError("note-no-piece", text=text.strip(), near=near)
    return name


def base_of(table: Table, text: str) -> Pillar:
    """The pillar that a new road leaves, as an answer names it: `B-P2`, or `from P2`.

    Raises PlaceError if there is no such pillar.
    """
    found = _LEFT.fullmatch(text.strip())
    piece = piece_of(table, text if found is None else _left(table, found))
    if piece not in table.pillar_by_id:
        raise PlaceError("note-from-pillar", text=text)
    return table.pillar_by_id[piece]


def base_in(table: Table, text: str) -> tuple[str | None, str]:
    """The id of the pillar that a new road leaves, and what a line says beside it, as
    `1 11 cm at 2 o'clock from B-P2`. A line that does not say it means the only one there is, or,
    if there are several, None.

    The name may stand anywhere in the line. A line with a distance may also name pillars from which
    it is measured: there one that nobody may build from is not meant, nor is the second of two
    names, nor one of two measured distances.
    """
    own = [point.pillar.id for point in table.base_points(table.to_move)]
    names = [(found, _left(table, found)) for found in _LEFT.finditer(text)]
    ranges = list(_RANGE.finditer(text))
    if ranges and not (names and names[0][0].start() == 0):
        if len(ranges) > 1:
            spans = [range(*found.span()) for found in ranges]
            names = [one for one in names if not any(one[0].start() in span for span in spans)]
        names = [one for one in names if len(own) > 1 and one[1] in own]
        several = len({name for _, name in names}) > 1
        if several and names[0][0].start() > ranges[0].start():
            names = []
    if not names:
        return own[0] if len(own) == 1 else None, text
    found, name = names[0]
    return name, f"{text[: found.start()].rstrip()} {text[found.end() :].lstrip()}".strip()


def discs_of(table: Table, piece: str) -> tuple[str, ...]:
    """The pieces that a fallen `piece` stands for: a pillar falls with all its discs."""
    pillar = table.pillar_by_id.get(piece)
    return (piece,) if pillar is None else pillar.disc_ids


def told(table: Table, at: Point, base: str) -> tuple[float, str]:
    """How a place lies from a pillar: the distance in mm, and the direction of the clock as
    `2:30`.
    """
    x, y = table.top(table.pillar_by_id[base])
    degrees = math.degrees(math.atan2(at[1] - y, at[0] - x))
    hour, minute = divmod(round((90.0 - degrees) % 360.0 * 2) % 720, 60)
    return math.dist(at, (x, y)), f"{hour or 12}:{minute:02d}"


def sized(building: Building) -> Sentence:
    """A building with its sizes in mm, as a question offers it."""
    shape = building.shape
    if isinstance(shape, Box):
        long, wide, high = shape.size
        told = {"kind": building.kind, "a": long, "b": wide, "high": high}
        return Sentence("note-building-box", told)
    told = {"kind": building.kind, "across": 2 * shape.radius, "high": shape.height}
    return Sentence("note-building-round", told)


def _id(found: re.Match[str]) -> str:
    disc = f".{found[4]}" if found[4] else ""
    if found[1] is None:
        return f"X{found[3]}{disc}"
    return f"{found[1].upper()}-{found[2].upper()}{found[3]}{disc}"


def _left(table: Table, found: re.Match[str]) -> str:
    return f"{(found[1] or letter(table.to_move)).upper()}-P{found[2]}"


def _from(table: Table, text: str, base: str | None) -> Pillar:
    found = _PILLAR.search(text)
    name = base if found is None else f"{found[1].upper()}-P{found[2]}"
    if name is None:
        raise PlaceError("note-place-from", text=text)
    if name not in table.pillar_by_id:
        there = [pillar.id for pillar in table.pillars if pillar.owner == seat_of(name)] or list(
            table.pillar_by_id
        )
        raise PlaceError("note-no-pillar", pillar=name, known=there)
    return table.pillar_by_id[name]


def _number(text: str) -> float:
    return float(text.replace(",", "."))


def _checked(at: Point) -> Point:
    if max(map(abs, at)) > _FAR:
        raise PlaceError("note-place-far", at=list(at))
    return (round(at[0], 2) + 0.0, round(at[1], 2) + 0.0)
