"""What happened beside a move, as people say it: `fell B-C1 B-P3.2`, `stayed B-R2`, `off B-C1`,
`B-P3 at 30,-12`, `B-C1 on B-R2 at 0.4 turned 180`, `gone B-C1`, `touched X0`, `under A-R3`,
`paid B 2 1`, `note ...`; and what of it is worth a remark.

What lay on a piece that fell went down with it and fell, too (rules 8a), unless people say that it
stayed.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

from rules.near import meant
from rules.record import Entry
from shutoko.diary.places import PlaceError, discs_of, piece_of, place_of, turned
from sim.game.replay import Step
from sim.languages import Sentence
from sim.referee import Table, resolved
from sim.referee.checks import lying_faults
from sim.referee.measuring import end_error

WORDS = {
    "fell": ("fell", "fallen", "fall", "tombé", "tombée", "tombés", "tombées", "무너짐", "떨어짐"),
    "stayed": ("stayed", "stay", "resté", "restée", "restés", "restées", "남음"),
    "off": ("off", "retirée", "retirées", "내림"),
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


def happened(move: Step, entry: Entry, text: str) -> Entry:
    """The entry with one more happening. `move` is the ply as it was judged before anything
    happened, with all of its new pieces.

    Raises PlaceError that says what would have been understood.
    """
    first, _, rest = text.strip().partition(" ")
    kind = next((kind for kind, words in WORDS.items() if first.lower() in words), None)
    if kind is None:
        return _with_put(entry, _put(move.after, text.strip()))
    if not rest.strip(" ,;"):
        raise PlaceError("note-happening-what", kind=kind, word=first)
    return _READERS[kind](move, entry, rest.strip())


def remarks(was: Step, now: Step, said: str = "") -> tuple[Sentence, ...]:
    """What `now` says that it did not say before and that is worth a second look: what counts as
    fallen with other pieces and is not `said` by name, pieces that fell and count as put back where
    they were, and roads that lie badly where they were put.
    """
    known, fell = _seen(was.entry).get("fallen", ()), _seen(now.entry).get("fallen", ())
    new = [piece for piece in fell if piece not in known]
    named = {word.upper().replace("-", "") for word in _SPLIT.split(said)}
    lay = [
        piece
        for piece in new
        if piece in _carried(now, {*new} - {piece})
        and not named & {piece.replace("-", ""), _whole(piece).replace("-", "")}
    ]
    found = [Sentence("note-fell-with", {"pieces": lay, "every": " ".join(lay)})] if lay else []
    # a new pillar or road that fell comes off the table
    back = put_back(was.entry, now.entry, now.before.piece_ids.union(now.verdict.cars))
    if back:
        car = next((piece for piece in back if piece in now.verdict.cars), "none")
        found.append(Sentence("note-fell-back", {"pieces": back, "piece": back[0], "car": car}))
    return (*found, *_lying_badly(was.after, now.after))


def put_back(was: Entry, now: Entry, there: Collection[str]) -> list[str]:
    """The pieces of those `there` that fell in `now` but not yet in `was`, and count as put back
    where they were: `now` gives no new place for them and does not say that they are gone. A
    fallen disc counts as its whole pillar.
    """
    known, seen = _seen(was).get("fallen", ()), _seen(now)
    put = {_named(one) for one in seen.get("put", ())}
    fell = [one for one in seen.get("fallen", ()) if one in there and one not in known]
    left = [one for one in fell if put.isdisjoint((one, _whole(one)))]
    return list(dict.fromkeys(map(_whole, left)))


def _whole(piece: str) -> str:
    """The pillar of a disc; any other piece itself."""
    return piece.partition(".")[0]


def _carried(move: Step, pieces: Collection[str]) -> list[str]:
    """What lay on these pieces before the ply, without them: discs, roads and cars."""
    table, _ = resolved(move.before, move.placement)
    down, tops = dict.fromkeys(pieces), set[str]()
    for pillar in table.pillars:
        first = next((n for n, disc in enumerate(pillar.disc_ids) if disc in down), pillar.discs)
        down.update(dict.fromkeys(pillar.disc_ids[first:]))
        tops.update([pillar.id] * (first < pillar.discs))
    down.update((road.id, None) for road in table.roads if tops.intersection(road.pillars))
    down.update((car.id, None) for car in table.cars if car.road in down)
    return [piece for piece in down if piece not in pieces]


# --- one kind each --------------------------------------------------------------------------------


def _names(move: Step, rest: str) -> list[str]:
    """The pieces that a text names, discs for a pillar."""
    words = [word for word in _SPLIT.split(rest) if word]
    return [disc for word in words for disc in discs_of(move.after, piece_of(move.after, word))]


def _fell(move: Step, entry: Entry, rest: str) -> Entry:
    pieces = _names(move, rest)
    known = {_named(put) for put in _seen(entry).get("put", ())}
    lay = [piece for piece in _carried(move, pieces) if piece not in known]
    fell = [*_seen(entry).get("fallen", ()), *pieces, *lay]
    return _with_seen(entry, fallen=list(dict.fromkeys(fell)))


def _stayed(move: Step, entry: Entry, rest: str) -> Entry:
    pieces = _names(move, rest)
    stood = {*pieces, *_carried(move, pieces)}
    fallen = [piece for piece in _seen(entry).get("fallen", ()) if piece not in stood]
    return _with_seen(entry, fallen=fallen)


def _off(move: Step, entry: Entry, rest: str) -> Entry:
    """New cars that fell and did not go back on the road."""
    new = move.verdict.cars
    for piece in _names(move, rest):
        if piece not in new:
            raise PlaceError("note-off", piece=piece)
        entry = _fell(move, entry, piece)
        claim = entry.claim or {}
        stood = len(set(new).difference(_seen(entry)["fallen"]))
        placed = max(claim.get("placed", len(new)) - 1, stood)
        entry = replace(entry, claim={**claim, "placed": placed})
    return entry


def _gone(move: Step, entry: Entry, rest: str) -> Entry:
    for word in filter(None, _SPLIT.split(rest)):
        entry = _with_put(entry, {"gone": piece_of(move.after, word)})
    return entry


def _touched(move: Step, entry: Entry, rest: str) -> Entry:
    pieces = _names(move, rest)
    strange = next((piece for piece in pieces if not piece.startswith("X")), None)
    if strange is not None:
        raise PlaceError("note-touched", piece=strange)
    return _with_seen(entry, touched=[*dict.fromkeys([*_seen(entry).get("touched", ()), *pieces])])


def _under(move: Step, entry: Entry, rest: str) -> Entry:
    kind = next((key for key in ("build", "exit") if key in entry.do), None)
    if kind is None or isinstance(entry.do, str):
        raise PlaceError("note-under")
    inner = dict(entry.do[kind])
    road = dict(inner.get("road", {}))
    road["under"] = list(dict.fromkeys([*road.get("under", ()), *_names(move, rest)]))
    inner["road"] = road
    return replace(entry, do={**entry.do, kind: inner})


def _noted(move: Step, entry: Entry, rest: str) -> Entry:  # noqa: ARG001 - as its peers
    return replace(entry, note=rest if entry.note is None else f"{entry.note}; {rest}")


_PAID = re.compile(r"^(.+?)\s+(\d+)(?:\s+(\d+))?$")


def _paid(move: Step, entry: Entry, rest: str) -> Entry:
    found = _PAID.match(rest)
    if found is None:
        raise PlaceError("note-paid", text=rest)
    name = found[1].casefold()
    named = [seat for seat, player in enumerate(move.players) if player.casefold() == name]
    seats = named or [seat for seat, letter in enumerate("abcd") if letter == name]
    if len(seats) != 1:
        raise PlaceError("note-paid", text=rest)
    to = seats[0]
    item = {"to": to, "grey": int(found[2]), "yellow": int(found[3] or 0)}
    return replace(entry, pay=[*(one for one in entry.pay or () if one["to"] != to), item])


_READERS: Mapping[str, Callable[[Step, Entry, str], Entry]] = {
    "fell": _fell,
    "stayed": _stayed,
    "off": _off,
    "gone": _gone,
    "touched": _touched,
    "under": _under,
    "note": _noted,
    "paid": _paid,
}


# --- pieces put elsewhere -------------------------------------------------------------------------


def _put(table: Table, text: str) -> dict[str, Any]:
    stands, turn = turned(text)
    if found := _CAR.match(stands):
        return _car(table, found, turn)
    if found := _LINE.match(text):
        road = piece_of(table, found[1])
        if "-R" in road:
            start, end = (place_of(table, found[n]) for n in (2, 3))
            return {"road": road, "start": list(start), "end": list(end)}
    found = _AT.match(text)
    if found is None:
        raise PlaceError("note-happening-unknown", text=text, near=_near(text))
    piece = piece_of(table, found[1])
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


def _car(table: Table, found: re.Match[str], turn: float | None) -> dict[str, Any]:
    car, road = piece_of(table, found[1]), piece_of(table, found[2])
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


# --- roads that lie badly -------------------------------------------------------------------------


def _lying_badly(before: Table, after: Table) -> Iterator[Sentence]:
    """The faults (rules 4a, 4i, 4j) of each road that has moved, as the referee names those of a
    build.

    People saw it, so no rule forbids it; but such a place is often misread.
    """
    known = {road.id: (road.start, road.end) for road in before.roads}
    for road in after.roads:
        if known.get(road.id, (road.start, road.end)) == (road.start, road.end):
            continue
        on = [(name, after.top(after.pillar_by_id[name])) for name in road.pillars]
        for fault in lying_faults(after.components, road, on):
            why, most = fault.sentence, end_error(after, road.kind == "exit")
            if fault.numbers.get("mm", most + 1.0) > most:
                yield Sentence("note-lies-badly", {"why": why})
            else:
                yield Sentence("reason-remark", {"why": why, "within": after.tolerance})
