"""Which format a record has: the one its game registers, the plain one, or none that is known."""

from __future__ import annotations

import re
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

import rules
from rules.errors import InputError, RecordError, UnavailableError
from rules.game import Reason
from rules.record import End, Entry, Header, Record, dumps, loads, schema
from rules.record.schema import FREE, PLAIN, RecordFormat, format_of, reasons_of
from rules.record.shapes import flag, list_of, map_of, name, object_of, whole

DICE = RecordFormat(
    entry={
        "do": object_of({"dice": whole, "keep": whole}, ("dice",)),
        "got": object_of({"legal": flag, "eyes": whole}),
        "tries": list_of(map_of(whole)),
    },
    header={"start": map_of(name)},
    reasons=("out-of-dice",),
)


PLY_0 = "g.jsonl:2: ply 0: "


def load(point: EntryPoint) -> RecordFormat:
    if point.value.startswith("no_such_module"):
        raise ModuleNotFoundError("No module named 'no_such_module'")
    return DICE


@pytest.fixture(autouse=True)
def installed(monkeypatch):
    """A game that registers a format, one that registers none, one whose format is missing; `chess`
    is not installed.
    """
    points = [
        EntryPoint("dice", "dice.records:FORMAT", "shutoko.records"),
        EntryPoint("dice", "no_such_module:game", "shutoko.games"),
        EntryPoint("nim", "no_such_module:game", "shutoko.games"),
        EntryPoint("broken", "no_such_module:FORMAT", "shutoko.records"),
    ]
    monkeypatch.setattr(schema, "entry_points", lambda: EntryPoints(points))
    monkeypatch.setattr(EntryPoint, "load", load)
    schema._registered.cache_clear()
    yield
    schema._registered.cache_clear()


def raw(game: str, *lines: str, more: str = "") -> bytes:
    header = f'{{"record":"shutoko","version":[1,0],"game":"{game}","players":["a","b"]{more}}}'
    return "".join(f"{line}\n" for line in (header, *lines)).encode()


def message(data: bytes) -> str:
    with pytest.raises(RecordError) as caught:
        loads(data, "g.jsonl")
    return str(caught.value)


def test_a_game_has_the_format_that_it_registers_and_is_not_imported_to_read_its_records():
    """Dice itself cannot be imported at all."""
    assert format_of("dice") is DICE
    move = '{"ply":0,"by":0,"do":{"dice":3,"keep":1}'
    lines = raw(
        "dice",
        move + ',"got":{"legal":true,"eyes":3},"tries":[{"eyes":6}]}',
        more=',"start":{"cup":"red"}',
    )
    assert dumps(loads(lines)) == lines
    backwards = lines.replace(b'"dice":3,"keep":1', b'"keep":1,"dice":3')
    assert dumps(loads(backwards)) == lines
    for line, told in (
        ('{"ply":0,"by":0,"do":"d4"}', "do must be an object, not 'd4'"),
        (move + ',"got":{"cars":1}}', "the key got.cars is not known in version 1.0"),
    ):
        assert message(raw("dice", line)).startswith(f"{PLY_0}{told}")


@pytest.mark.parametrize(
    ("header", "entry", "given"),
    [
        ({}, {"do": whole, "got": whole, "dice": whole}, "do, got, dice"),
        ({"note": name}, {"do": whole, "got": whole}, "note, do, got"),
        ({}, {"do": whole}, "do"),
    ],
)
def test_a_format_with_keys_that_no_line_has_is_refused(header, entry, given):
    with pytest.raises(
        InputError,
        match=(
            "a record format may have components, physics, start in its header.* this one has "
            f"{given}"
        ),
    ):
        RecordFormat(entry, header)


def test_a_registered_format_that_cannot_be_loaded_is_unavailable():
    with pytest.raises(
        UnavailableError,
        match=r"record format of 'broken' is registered but cannot be loaded \(no_such_module",
    ):
        loads(raw("broken"))


def test_a_game_without_a_format_has_text_moves_that_are_legal_or_not():
    assert format_of("nim") is PLAIN
    lines = raw(
        "nim",
        '{"ply":0,"by":0,"do":"3","got":{"legal":true,"faults":["no"],"digest":"ab"},"claim":{"legal":true}}',
    )
    assert dumps(loads(lines)) == lines
    for line, told in (
        ('"do":{"take":3}}', "do must be the text of a move in this game, not an object"),
        ('"do":"3","got":{"cars":1}}', "the key got.cars is not known in version 1.0"),
    ):
        assert message(raw("nim", f'{{"ply":0,"by":0,{line}')).startswith(f"{PLY_0}{told}")


@pytest.mark.parametrize(
    ("key", "line"),
    [
        *((key, 2) for key in ("hand", "observed", "tries", "pay")),
        *((key, 1) for key in ("components", "physics", "start")),
    ],
)
def test_a_key_that_the_game_does_not_use_is_refused(key, line):
    mine, header = f'{{"ply":0,"by":0,"do":"3","{key}":[]}}', f',"{key}":{{}}'
    told = message(raw("nim", more=header) if line == 1 else raw("nim", mine))
    place = "g.jsonl:1" if line == 1 else "g.jsonl:2: ply 0"
    assert told == f"{place}: the key {key} is not used in records of this game; leave it out"


def test_a_newer_minor_version_may_use_more_keys():
    lines = raw("nim", '{"ply":0,"by":0,"do":"3","hand":[1]}').replace(b"[1,0]", b"[1,2]")
    record = loads(lines, "g.jsonl")
    assert record.warnings == (
        "g.jsonl:2: the key hand is not known to version 1.1; kept, not interpreted",
    )
    assert dumps(record) == lines


def test_the_record_of_a_game_that_is_not_installed_is_kept_as_it_was_written():
    assert format_of("chess") is FREE
    lines = raw(
        "chess",
        '{"ply":0,"by":0,"do":{"to":"e4","from":"e2"},"hand":[{"b":1,"a":2}],"got":{"z":1,"legal":true},"pay":[{"q":1}],"x-t":1}',
        '{"end":{"ranks":[[0],[1]],"reason":"checkmate"}}',
        more=',"start":{"b":1,"a":[2]}',
    )
    assert dumps(loads(lines)) == lines


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"ply":0,"by":0,"do":"e4","gott":{}}', "the key gott is not known in version 1.0"),
        ('{"ply":1,"by":0,"do":"e4"}', "the line says ply 1 where ply 0 is due"),
        ('{"ply":0,"by":2,"do":"e4"}', "by is 2, but the seats are 0 to 1"),
        (
            '{"ply":0,"by":0,"do":[]}',
            "do must be a move: text or an object that is not empty, not a list of 0",
        ),
        ('{"ply":0,"by":0,"do":"e4","got":{"legal":0}}', "got.legal must be true or false, not 0"),
    ],
)
def test_keys_common_to_all_games_are_checked_for_games_that_are_not_installed_too(line, reason):
    assert message(raw("chess", line)).startswith(f"g.jsonl:2: ply 0: {reason}")


def test_the_reasons_of_an_end_are_those_of_the_game_and_the_common_ones():
    known = [("out-of-dice", *Reason), tuple(Reason), None]
    assert [*map(reasons_of, ("dice", "nim", "chess"))] == known
    record = Record(Header("dice", ("a", "b")), (Entry(0, 0, {"dice": 3}),))
    assert record.with_end(End(((0,), (1,)), "out-of-dice")).end is not None
    with pytest.raises(
        RecordError, match=r"end\.reason 'rain' is none of out-of-dice, resigned, connected,"
    ):
        record.with_end(End(((0,), (1,)), "rain"))
    with pytest.raises(RecordError, match=r"end\.reason 'out-of-dice' is none of resigned"):
        Record(Header("nim", ("a", "b"))).with_end(End(((0,), (1,)), "out-of-dice"))


NAMES = r"tokyo|highway|pillar|road|disc|\bcars?\b|\bramps?\b|junction|bullet|mujoco"
"""Words of one game that plugs in, which what every game speaks must not know."""


def test_no_line_of_rules_names_a_game_that_plugs_in():
    folder = Path(rules.__file__).parent
    lines = [
        f"{path.relative_to(folder)}:{number}: {line.strip()}"
        for path in sorted(folder.rglob("*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if re.search(NAMES, line, re.IGNORECASE)
    ]
    assert lines == []
