"""No key of a ply's line is ignored (record format 4l): it means something in a ply of that kind,
or it is refused.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from rules.errors import RecordError
from rules.record import dumps, loads
from rules.record.schema import ENTRY_KEYS
from shutoko.cli import main
from sim.game import replay
from sim.game.replay import Step
from sim.game.verify import verify
from sim.referee.placement import Placement
from sim.referee.table import Table

TABLE = """
key               entrance  building  build     exit      adjust    pass      resign
ply               means     means     means     means     means     means     means
by                means     means     means     means     means     means     means
do                means     means     means     means     means     means     means
hand              means     refused   means     means     means     refused   refused
hand_where_seen   refused   refused   refused   refused   refused   refused   refused
got               means     means     means     means     means     means     means
claim             means     means     means     means     means     means     means
observed.fallen   means     means     means     means     means     means     means
observed.put      means     means     means     means     means     means     means
observed.touched  refused   means     means     means     means     means     means
observed.cars     means     refused   means     means     means     refused   refused
tries             means     refused   means     means     means     refused   refused
pay               means     means     means     means     means     means     means
accepted          means     means     means     means     means     means     means
note              means     means     means     means     means     means     means
x-own             means     means     means     means     means     means     means
"""
KINDS, *ROWS = [line.split() for line in TABLE.strip().splitlines()]
CELLS = [
    pytest.param(key, kind, cell, id=f"{key}-{kind}")
    for key, *cells in ROWS
    for kind, cell in zip(KINDS[1:], cells, strict=True)
]


def test_the_table_has_every_kind_of_ply_every_key_of_a_line_and_no_empty_cell():
    assert set(KINDS[1:]) == {kind.kind for kind in Placement.__subclasses__()}
    assert {row[0].partition(".")[0].partition("_")[0] for row in ROWS} == {*ENTRY_KEYS, "x-own"}
    assert {cell for _, *cells in ROWS for cell in cells} == {"means", "refused"}


# --- a ply of each kind ---------------------------------------------------------------------------

STOCKS = [{"cars": 5, "grey": 9, "yellow": 1, "roads": roads} for roads in (3, 3)]
LAYOUT = {
    "to_move": 0,
    "pillars": [
        {"id": "A-P0", "at": [-55, 0], "discs": 3},
        {"id": "A-P1", "at": [0, 300], "discs": 1},
        {"id": "B-P0", "at": [0, -55], "discs": 2},
        {"id": "B-P1", "at": [0, 55], "discs": 1},
    ],
    "roads": [{"id": "B-R0", "from": "B-P0", "to": "B-P1"}],
    "buildings": [{"id": "X0", "kind": "tower", "at": [300, -200]}],
    "stocks": STOCKS,
}
NO_ROADS = {**LAYOUT, "stocks": [{**STOCKS[0], "roads": 0}, STOCKS[1]]}
BUILD = {"build": {"from": "A-P0", "pillar": [55, 0], "discs": 2, "junction": False}}
THREE = Table.start(3)
ENTRANCES = [(seat, THREE.default_entrance(seat).to_json()) for seat in range(3)]
SET = {"kind": "tower", "at": [200, 200], "turn": 0}
SCENES: dict[str, tuple[dict[str, Any] | None, list[tuple[int, Any]]]] = {
    "entrance": (None, ENTRANCES[:2]),
    "building": (
        None,
        [
            *ENTRANCES,
            (2, {"building": SET}),
            (1, {"building": {**SET, "kind": "slab", "at": [-200, 200]}}),
        ],
    ),
    "build": (LAYOUT, [(0, BUILD)]),
    "exit": (LAYOUT, [(0, {"exit": {"from": "A-P1", "to": [109, 300]}})]),
    "adjust": (LAYOUT, [(0, BUILD), (0, {"adjust": {"pillar": [55.5, 0]}})]),
    "pass": (NO_ROADS, [(0, "pass")]),
    "resign": (LAYOUT, [(0, "resign")]),
}
"""The layout and the plies (seat, move) of each kind; the last ply is the one in question."""


def lines(kind: str, *, seen: bool = True, **keys: Any) -> bytes:
    start, plies = SCENES[kind]
    players = ["Aiko", "Ben"] if start is not None else ["Aiko", "Ben", "Cleo"]
    header = {"record": "shutoko", "version": [1, 1], "game": "tokyo-highway", "players": players}
    header |= {} if start is None else {"start": start}
    header |= {"observed": True} if seen else {}
    told = [{"ply": n, "by": by, "do": do} for n, (by, do) in enumerate(plies)]
    told[-1] |= keys
    return b"".join(json.dumps(line).encode() + b"\n" for line in (header, *told))


def last(kind: str, engine: str = "none", *, seen: bool = True, **keys: Any) -> Step:
    *_, step = replay.steps(loads(lines(kind, seen=seen, **keys), "g.jsonl"), engine)
    return step


def outcome(step: Step) -> tuple[object, ...]:
    return step.got(), step.after.digest(), str(step)


def value(key: str, kind: str) -> dict[str, Any]:
    """The key with a value that means something, and what it needs beside it."""
    set_up = SCENES[kind][0] is None
    foreign = ["A-C0" if kind == "entrance" else "C-C0"] if set_up else ["B-R0"]
    to = (0 if kind == "entrance" else 2) if set_up else 1
    fell = {"observed": {"fallen": foreign}}
    last_do = SCENES[kind][1][-1][1]
    new = {"entrance": "B-P0.1", "build": "A-P2.1", "exit": "A-R0", "adjust": "A-P2.1"}
    hand = [{"piece": new.get(kind, "A-P0.1"), "shift": [0.5, 0, 0], "turn": [0, 0, 0]}]
    elsewhere = {"building": "X0", "at": [310, -200]}
    if set_up:
        elsewhere = {"car": "A-C0", "on": "A-R0", "along": 0.3}
    return {
        "ply": {"ply": 9},
        "by": {"by": 1 if SCENES[kind][1][-1][0] == 0 else 0},
        "do": {"do": {"castle": last_do}},
        "hand": {"hand": hand},
        "hand_where_seen": {"hand": hand},
        "got": {"got": {"digest": "0" * 16}},
        "claim": {"claim": {"fallen": ["B-P7.1"]}},
        "observed.fallen": fell,
        "observed.put": {"observed": {"put": [elsewhere]}},
        "observed.touched": {"observed": {"touched": ["X0"]}},
        "observed.cars": {"observed": {"cars": 0}},
        "tries": {"tries": [{"got": {"fallen": foreign}}]},
        "pay": {**fell, "pay": [{"to": to, "grey": 0, "yellow": 1}]},
        "accepted": {**fell, "pay": [{"to": to, "grey": 2, "yellow": 0}], "accepted": True},
        "note": {"note": "tea"},
        "x-own": {"x-own": {"any": ["thing"]}},
    }[key]


def without(key: str, keys: dict[str, Any]) -> dict[str, Any]:
    return {name: one for name, one in keys.items() if name != key.partition(".")[0]}


@pytest.mark.parametrize(("key", "kind", "cell"), CELLS)
def test_a_key_of_a_line_means_something_or_is_refused(key, kind, cell, tmp_path, capsys):
    keys = value(key, kind)
    if cell == "means":
        MEANS.get(key, changes)(key, kind, keys)
        return
    place, why = key.removesuffix("_where_seen"), "is not used: "
    if key == "observed.touched":
        why = "names X0, but the buildings on the table are: none"
    data = lines(kind, seen=key != "hand", **keys)
    path = tmp_path / "g.jsonl"
    path.write_bytes(data)
    number, ply = data.count(b"\n"), len(SCENES[kind][1]) - 1
    for command in (["verify", "--mode", "rules"], ["replay", "--engine", "none"]):
        assert main([*command, str(path)]) == 2
        err = capsys.readouterr().err
        assert err.startswith(f"shutoko: {path}:{number}: ply {ply}: {place} {why}")
        assert err.count("\n") == 1
    assert path.read_bytes() == data


@pytest.mark.parametrize(
    ("key", "kind"),
    [cell.values[:2] for cell in CELLS if cell.values[2] == "refused" and "touched" not in cell.id],
)
def test_beside_a_verdict_a_key_that_is_not_used_is_told_and_the_rest_is_read(
    key, kind, tmp_path, capsys
):
    data = lines(kind, seen=key != "hand", **value(key, kind), got={"legal": True})
    report = verify(loads(data), "rules")
    (found,) = report.mismatches
    assert found.what == key.removesuffix("_where_seen")
    assert report.plies == len(SCENES[kind][1])
    path = tmp_path / "g.jsonl"
    path.write_bytes(data)
    assert main(["replay", "--engine", "none", str(path)]) == 0
    assert f"        {found.text}\n" in capsys.readouterr().out


# --- how each key shows that it means something ---------------------------------------------------


def changes(key: str, kind: str, keys: dict[str, Any]) -> None:
    """What comes of the ply is another."""
    assert outcome(last(kind, **keys)) != outcome(last(kind, **without(key, keys)))


def refuses(key: str, kind: str, keys: dict[str, Any]) -> None:
    """The line cannot be read with another value, and not without it."""
    for data in (lines(kind, **keys), *_lacking(key, kind)):
        with pytest.raises(RecordError, match=r"^g\.jsonl:\d+: ply \d+: "):
            list(replay.steps(loads(data, "g.jsonl"), "none"))


def _lacking(key: str, kind: str) -> list[bytes]:
    *before, text = lines(kind).splitlines(keepends=True)
    line = json.loads(text)
    del line[key]
    return [b"".join([*before, json.dumps(line).encode() + b"\n"])]


def adjusts(key: str, kind: str, keys: dict[str, Any]) -> None:
    """Only the seat that built adjusts; every other ply is out of turn."""
    if kind != "adjust":
        refuses(key, kind, keys)
    else:
        report = verify(loads(lines(kind, **keys)), "rules")
        assert [found.what for found in report.mismatches] == ["legal"]


def is_compared(key: str, kind: str, keys: dict[str, Any]) -> None:
    report = verify(loads(lines(kind, **keys)), "rules")
    assert len(report.mismatches + report.claims) == 1
    assert verify(loads(lines(kind, **without(key, keys))), "rules").ok


def leads_the_hand(key: str, kind: str, keys: dict[str, Any]) -> None:
    made, plain = (last(kind, "bullet", seen=False, **how) for how in (keys, without(key, keys)))
    assert made.verdict.moved != plain.verdict.moved


def stands(key: str, kind: str, keys: dict[str, Any]) -> None:
    """The table let stand what is refused otherwise."""
    assert last(kind, **keys).verdict.legal
    assert not verify(loads(lines(kind, **without(key, keys))), "rules").ok


def is_kept(key: str, kind: str, keys: dict[str, Any]) -> None:
    record = loads(lines(kind, **keys))
    assert loads(dumps(record)) == record
    entry = record.entries[-1]
    assert {**entry.extra, "note": entry.note}[key] == keys[key]
    assert outcome(last(kind, **keys)) == outcome(last(kind))


MEANS = {
    "ply": refuses,
    "do": refuses,
    "by": adjusts,
    "got": is_compared,
    "claim": is_compared,
    "hand": leads_the_hand,
    "accepted": stands,
    "note": is_kept,
    "x-own": is_kept,
}


# --- what a verdict cannot say of a ply -----------------------------------------------------------

POSE = {"B-R0": [0.0, 0.0, 18.0, 0.0, 0.0, 0.7071067811865476, 0.7071067811865476]}


@pytest.mark.parametrize(("kind", "seen"), [("pass", False), ("resign", False), ("build", True)])
def test_where_nothing_settles_a_verdict_that_tells_poses_is_told(kind, seen):
    got = {"legal": True, "moved": POSE, "restless": ["B-R0"]}
    report = verify(loads(lines(kind, seen=seen, got=got)), "rules")
    assert [found.what for found in report.mismatches][-2:] == ["got.moved", "got.restless"]


def test_the_hands_and_poses_of_failed_tries_are_told_where_people_watched():
    tries = [{"hand": [], "got": {"fallen": ["B-R0"], "moved": POSE}}]
    report = verify(loads(lines("build", tries=tries, got={"legal": True})), "rules")
    told = [found.what for found in report.mismatches]
    assert told == ["tries[0].hand", "tries[0].got.moved"]


def test_a_ply_that_was_taken_back_keeps_all_that_was_said_of_it():
    taken_back = {"got": {"legal": False}, "hand": []}
    record = loads(lines("resign", seen=False, **taken_back))
    assert not [found for found in verify(record, "rules").mismatches if found.what == "hand"]


def test_a_game_that_nobody_watches_has_no_accepted_plies():
    header = b'{"record":"shutoko","version":[1,0],"game":"thruway","players":["a","b"]}\n'
    header = header.replace(b"}", b',"observed":true}')
    with pytest.raises(RecordError, match="the key accepted is not used in records of this game"):
        loads(header + b'{"ply":0,"by":0,"do":"d4","accepted":true}\n')
