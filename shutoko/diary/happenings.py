"""What happened beside a move, as people say it: `fell B-C1 B-P3.2`, `B-P3 at 30,-12`,
`B-C1 on B-R2 at 0.4 turned 180`, `gone B-C1`, `touched X0`, `under A-R3`, `note ...`; and what of
it is worth a remark.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from rules.near import meant
from rules.record import Entry
from shutoko.diary.places import PlaceError, discs_of, piece_of, place_of, turned
from sim.game.replay import Step
from sim.languages import Sentence
from sim.referee.footprints import nominal_strip
from sim.referee.reach import ends_of, sizes_of
from sim.referee.table import Table

WORDS = {
    "fell": ("fell", "fallen", "fall", "tombé", "tombée", "tombés", "tombées", "무너짐", "떨어짐"),
    "gone": ("gone", "lost", "parti", "partie", "perdu", "perdue", "빠짐", "잃음"),
    "touched": ("touched", "touch", "touché", "touchée", "건드림"),
    "under": ("under", "sous", "밑"),
    "note": ("note", "메모"),
    "paid": ("paid", "pay", "payé", "냄"),
}
"""What a happening may begin with, in the languages of the catalogues; anything else begins with
the piece that was put elsewhere.
"""

_AT = re.compile(r"^(\S+?)\s*(?::|=|\bat\b|\bà\b|\ben\b|\bnow\b|에)\s*(.+)$", re.IGNORECASE)
_LINE = re.compile(r"^(\S+)\s+(?:from|de|:)\s+(.+?)\s+(?:to|à|->|에서)\s+(.+)$", re.IGNORECASE)
_CAR = re.compile(
    r"^(\S*C\d+)\s+(?:on|sur|:)\s+(\S+)(?:\s+(?:at|à)?\s*([01]?[.,]?\d+))?$",
    re.IGNORECASE,
)
_SPLIT = re.compile(r"[\s,;]+|\band\b|\bet\b")


def happened(
    table: Table,
    entry: Entry,
    text: str,
    cars: tuple[str, ...] = (),
    players: Sequence[str] = (),
) -> Entry:
    """The entry with one more happening. `table` is the table with the new pieces of the ply,
    `cars` are the ids of its new cars, `players` the names in the order of seats.

    Raises PlaceError that says what would have been understood.
    """
    first, _, rest = text.strip().partition(" ")
    kind = next((kind for kind, words in WORDS.items() if first.lower() in words), None)
    if kind is not None and not rest.strip(" ,;"):
        raise PlaceError("note-happening-what", kind=kind, word=first)
    if kind == "paid":
        return _paid(entry, rest.strip(), players)
    if kind is not None:
        return _READERS[kind](table, entry, rest.strip(), cars)
    return _with_put(entry, _put(table, text.strip(), cars))


def remarks(was: Step, now: Step) -> tuple[Sentence, ...]:
    """What `now` says that it did not say before and that is worth a second look: pieces that fell
    and count as put back where they were, what must have fallen with them, and roads that stick out
    where they were put.
    """
    # a new piece that fell comes off the table
    back = put_back(was.entry, now.entry, now.before.piece_ids)
    found = [Sentence("note-fell-back", {"pieces": back, "piece": back[0]})] if back else []
    if lay := carried(was, now):
        found.append(Sentence("note-fell-with", {"pieces": list(lay), "every": " ".join(lay)}))
    for one in hanging(was.after, now.after):
        told = {"piece": one.road, "pillars": list(one.pillars), "mm": one.mm}
        found.append(Sentence("note-hanging", told))
    return tuple(found)


def put_back(was: Entry, now: Entry, there: Collection[str]) -> list[str]:
    """The pieces of those `there` that fell in `now` but not yet in `was`, and count as put back
    where they were: `now` gives no new place for them and does not say that they are gone. A disc
    is told with its pillar.
    """
    known, seen = _seen(was).get("fallen", ()), _seen(now)
    put = {_named(one) for one in seen.get("put", ())}
    fell = [one for one in seen.get("fallen", ()) if one in there and one not in known]
    left = [one for one in fell if put.isdisjoint((one, one.partition(".")[0]))]
    return list(dict.fromkeys(one.partition(".")[0] for one in left))


def carried(was: Step, now: Step) -> tuple[str, ...]:
    """The roads and cars that lay on what fell in `now` but not yet in `was`, and of which nobody
    says anything: a car that went down with its road fell, too (8a), and so did a road.
    """
    table, told = now.before, _seen(now.entry)
    fell = {*told.get("fallen", ())}
    known = fell | {_named(one) for one in told.get("put", ())}
    new = fell.difference(_seen(was.entry).get("fallen", ()))
    discs = {pillar.id: pillar.disc_ids[-1] for pillar in table.pillars}
    roads = [one.id for one in table.roads if new.intersection(map(discs.get, one.pillars))]
    cars = [one.id for one in table.cars if one.road in new or one.road in roads]
    return tuple(one for one in (*roads, *cars) if one not in known)


# --- one kind each --------------------------------------------------------------------------------


def _names(table: Table, rest: str, cars: tuple[str, ...]) -> list[str]:
    return [piece_of(table, word, cars) for word in _SPLIT.split(rest) if word]


def _fell(table: Table, entry: Entry, rest: str, cars: tuple[str, ...]) -> Entry:
    pieces = [disc for piece in _names(table, rest, cars) for disc in discs_of(table, piece)]
    fallen = list(dict.fromkeys([*_seen(entry).get("fallen", ()), *pieces]))
    return _with_seen(entry, fallen=fallen)


def _gone(table: Table, entry: Entry, rest: str, cars: tuple[str, ...]) -> Entry:
    for piece in _names(table, rest, cars):
        entry = _with_put(entry, {"gone": piece})
    return entry


def _touched(table: Table, entry: Entry, rest: str, cars: tuple[str, ...]) -> Entry:
    pieces = _names(table, rest, cars)
    strange = next((piece for piece in pieces if not piece.startswith("X")), None)
    if strange is not None:
        raise PlaceError("note-touched", piece=strange)
    touched = list(dict.fromkeys([*_seen(entry).get("touched", ()), *pieces]))
    return _with_seen(entry, touched=touched)


def _under(table: Table, entry: Entry, rest: str, cars: tuple[str, ...]) -> Entry:
    kind = next((key for key in ("build", "exit") if key in entry.do), None)
    if kind is None or isinstance(entry.do, str):
        raise PlaceError("note-under")
    inner = dict(entry.do[kind])
    road = dict(inner.get("road", {}))
    road["under"] = list(dict.fromkeys([*road.get("under", ()), *_names(table, rest, cars)]))
    inner["road"] = road
    return replace(entry, do={**entry.do, kind: inner})


def _noted(table: Table, entry: Entry, rest: str, cars: tuple[str, ...]) -> Entry:  # noqa: ARG001
    return replace(entry, note=rest if entry.note is None else f"{entry.note}; {rest}")


_PAID = re.compile(r"^(.+?)\s+(\d+)(?:\s+(\d+))?$")


def _paid(entry: Entry, rest: str, players: Sequence[str]) -> Entry:
    found = _PAID.match(rest)
    if found is None:
        raise PlaceError("note-paid", text=rest)
    name = found[1].casefold()
    named = [seat for seat, player in enumerate(players) if player.casefold() == name]
    seats = named or [seat for seat, letter in enumerate("abcd") if letter == name]
    if len(seats) != 1:
        raise PlaceError("note-paid", text=rest)
    to = seats[0]
    item = {"to": to, "grey": int(found[2]), "yellow": int(found[3] or 0)}
    others = [one for one in entry.pay or () if one["to"] != to]
    return replace(entry, pay=[*others, item])


_READERS: Mapping[str, Callable[[Table, Entry, str, tuple[str, ...]], Entry]] = {
    "fell": _fell,
    "gone": _gone,
    "touched": _touched,
    "under": _under,
    "note": _noted,
}


# --- pieces put elsewhere -------------------------------------------------------------------------


def _put(table: Table, text: str, cars: tuple[str, ...]) -> dict[str, Any]:
    stands, turn = turned(text)
    if found := _CAR.match(stands):
        return _car(table, found, cars, turn)
    if found := _LINE.match(text):
        road = piece_of(table, found[1], cars)
        if "-R" in road:
            start, end = (place_of(table, found[n]) for n in (2, 3))
            return {"road": road, "start": list(start), "end": list(end)}
    found = _AT.match(text)
    if found is None:
        raise PlaceError("note-happening-unknown", text=text, near=_near(text))
    piece = piece_of(table, found[1], cars)
    if "-R" in piece:
        raise PlaceError("note-put-road", piece=piece)
    if "-C" in piece:
        raise PlaceError("note-put-car", piece=piece)
    if "." in piece:
        piece = piece.partition(".")[0]
    base = piece if piece in table.pillar_by_id else None
    if base is not None:
        return {"pillar": piece, "at": list(place_of(table, found[2], base))}
    where, turn = turned(found[2])
    put = {"building": piece, "at": list(place_of(table, where))}
    return put if turn is None else {**put, "turn": turn}


def _car(
    table: Table, found: re.Match[str], cars: tuple[str, ...], turn: float | None
) -> dict[str, Any]:
    car, road = piece_of(table, found[1], cars), piece_of(table, found[2])
    if "-R" not in road:
        raise PlaceError("note-put-car", piece=car)
    along = float((found[3] or "0.5").replace(",", "."))
    if not 0.0 <= along <= 1.0:
        raise PlaceError("note-put-along", piece=car, text=found[3])
    put = {"car": car, "on": road, "along": along}
    return put if turn is None else {**put, "turn": turn}


def _near(text: str) -> str:
    return meant(text.partition(" ")[0].lower(), list(WORDS))


def _with_put(entry: Entry, put: dict[str, Any]) -> Entry:
    others = [one for one in _seen(entry).get("put", ()) if _named(one) != _named(put)]
    return _with_seen(entry, put=[*others, put])


def _named(put: Mapping[str, Any]) -> Any:
    return next(put[key] for key in ("pillar", "road", "car", "building", "gone") if key in put)


def _with_seen(entry: Entry, **keys: Any) -> Entry:
    return replace(entry, observed={**_seen(entry), **keys})


def _seen(entry: Entry) -> Mapping[str, Any]:
    return entry.observed or {}


# --- remarks --------------------------------------------------------------------------------------


class Hanging(NamedTuple):
    """A road that sticks out past the rims of these pillars, by at most so many mm."""

    road: str
    pillars: tuple[str, ...]
    mm: float


def hanging(before: Table, after: Table) -> tuple[Hanging, ...]:
    """The roads that lie elsewhere than before and stick out, by more than errors of the ruler.

    People saw it, so no rule forbids it (only a build may not stick out, rules 4a); but such a
    place is often misread.
    """
    box, found = after.components, []
    slack = 2 * math.sqrt(2) * after.tolerance
    known = {road.id: (road.start, road.end) for road in before.roads}
    for road in after.roads:
        if known.get(road.id) == (road.start, road.end):
            continue
        axes = [after.top(after.pillar_by_id[name]) for name in road.pillars]
        levels = np.array([road.levels], dtype=np.float64)
        ends = ends_of(sizes_of(box), nominal_strip(box, road), np.array([axes]), levels)
        out = dict(zip(road.pillars, ends.out[0].tolist(), strict=True))
        beyond = tuple(name for name, mm in out.items() if mm > slack)
        if beyond:
            found.append(Hanging(road.id, beyond, max(out[name] for name in beyond)))
    return tuple(found)
