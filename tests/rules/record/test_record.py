"""Reading, writing and appending records."""

from __future__ import annotations

import json
import math
import os
import stat
import struct
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from rules.errors import InputError, RecordError
from rules.record import (
    End,
    Entry,
    Header,
    Note,
    Record,
    append,
    canonical_json,
    dumps,
    loads,
    read,
    write,
)
from rules.record.jsonl import MAX_DEPTH, LineError, parse
from rules.record.model import clock_of, ran_out_of_time
from rules.record.reading import MAX_LINES, MAX_WARNINGS, check_amounts

HEADER = '{"record":"shutoko","version":[1,0],"game":"thruway","players":["north","south"]}'
FULL_HEADER = (
    '{"record":"shutoko","version":[1,0],"game":"tokyo-highway","players":["north","south"],"ruleset":"standard","options":{},'
    '"components":"estimate-2018","physics":{"engine":"bullet","version":"3.2.7","params":"ab12","platform":"linux-x86_64"},'
    '"seed":7,"date":"2026-11-21","source":"a '
    'table","start":{"to_move":1,"pillars":[{"id":"A-P1","at":[0,-55.0],"discs":2,'
    '"junction":false},{"id":"A-P2","at":[0,55],"discs":1}],"roads":[{"id":"A-R1","from":"A-P1","to":"A-P2"},{"id":"A-R2",'
    '"from":"A-P2","to":{"table":[0,160.5]}}],"cars":[{"id":"A-C1","on":"A-R1","along":0.5}],"buildings":[{"id":"X0","kind":'
    '"tower","at":[90,90],"turn":45}],"stocks":[{"cars":9,"grey":20,"yellow":2,"roads":10}]},"observed":false,"note":"ü",'
    '"x-table":{"b":1,"a":[null,true]}}'
)
FULL_PLY = (
    '{"ply":0,"by":0,"do":{"build":{"from":"A-P1","pillar":[10.5,20],"discs":2,"junction":false,"road":{"start":[0.1,0],"end":'
    '[0,0.2],"slide":0.5}},"cars":[0.4,{"along":0.7,"side":1.5}]},"hand":[{"piece":"A-P2.1","shift":[0.1,-0.0,1e-07],"turn":[0,0,'
    '0.25]},{"path":{"points":[[0,0,3.5]],"speed":150}}],"got":{"legal":true,"built":true,"cars":2,"placed":1,"crossings":'
    '[{"road":"B-R3","side":"over","scores":true}],"fallen":["C-P2.3"],"paid":[{"to":1,"grey":2,"yellow":0,"roads":0,"cars":0}],"moved":{"B":[0.1,0.2,'
    '0.30000000000000004,0,0,0,1],"A":[1,2,3,0,0,0,1]},"out":[1],"digest":"0123456789abcdef"},"claim":{"cars":2},"observed":'
    '{"fallen":[]},"tries":[{"hand":[],"got":{"built":false,"fallen":[]}}],"pay":[{"to":1,"grey":1,"yellow":1}],"note":"n","x-t":1}'
)
PLY = '{"ply":%d,"by":%d,"do":"a1-b1"}'
WON = End(((1,), (0,)), "connected", "well played")
END = '{"end":{"ranks":[[1],[0]],"reason":"connected"},"note":"well played"}'
NEWER = HEADER.replace("[1,0]", "[1,3]")


def ply(number: int, by: int | None = None) -> str:
    return PLY % (number, number % 2 if by is None else by)


def data(*lines: str) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def message(raw: bytes) -> str:
    with pytest.raises(RecordError) as caught:
        loads(raw, "g.jsonl")
    return str(caught.value)


# --- reading and canonical bytes ------------------------------------------------------------------


CANONICAL = {
    "header alone": data(HEADER),
    "everything": data(
        FULL_HEADER, '{"note":"first"}', FULL_PLY, '{"note":"b","x-at":3}', '{"x-at":4}', END
    ),
    "notes in between": data(
        HEADER, ply(0), '{"note":"1"}', '{"note":"2"}', ply(1), '{"note":"3"}', END
    ),
    "taken back": data(
        HEADER, ply(0)[:-1] + ',"got":{"legal":false,"faults":["no"]}}', ply(0), ply(1)
    ),
    "fault": data(
        HEADER,
        ply(0)[:-1]
        + ',"got":{"legal":false,"faults":[{"code":"overlap","text":"t","pieces":["A-P1"],'
        '"numbers":{"mm":2.1}}]}}',
    ),
    "noted": data(
        HEADER.replace("thruway", "tokyo-highway")[:-1] + ',"observed":true,"tolerance":0.5}',
        '{"ply":0,"by":0,"do":"pass","accepted":true}',
    ),
    "newer": data(
        NEWER[:-1] + ',"clock":5}', ply(0)[:-1] + ',"mood":"good"}', '{"chat":"hello"}', END
    ),
    "newer reason": data(NEWER, '{"end":{"ranks":[[0,1]],"reason":"rain"}}'),
    "moves of every kind": data(
        FULL_HEADER,
        '{"ply":0,"by":0,"do":{"entrance":{"pillar":[0,-55],"toward":270.5},"car":0.5}}',
        '{"ply":1,"by":1,"do":{"building":{"kind":"slab","at":[1.5,2],"turn":30}}}',
        '{"ply":2,"by":0,"do":{"exit":{"from":"A-P3","to":[1,2]},"cars":[]}}',
        '{"ply":3,"by":1,"do":{"pass":"no room"}}',
        '{"ply":4,"by":0,"do":"resign"}',
    ),
}


@pytest.mark.parametrize("name", CANONICAL)
def test_canonical_bytes_are_read_and_written_without_a_change(name):
    assert dumps(loads(CANONICAL[name])) == CANONICAL[name]


def test_every_part_of_a_line_is_kept():
    record = loads(CANONICAL["everything"])
    header, (entry,) = record.header, record.entries
    assert (header.seed, header.extra) == (7, {"x-table": {"b": 1, "a": [None, True]}})
    assert (entry.ply, entry.by, entry.line, entry.note) == (0, 0, 3, "n")
    pay = [{"to": 1, "grey": 1, "yellow": 1}]
    assert (entry.pay, entry.observed) == (pay, {"fallen": []})
    assert [note.after for note in record.notes] == [0, 1, 1]
    assert record.notes[0] == Note("first"), "where a line was read does not count"
    assert (record.end, record.warnings) == (WON, ())


def test_keys_are_written_in_the_order_of_the_format_whatever_order_they_came_in():
    def backwards(value):
        if isinstance(value, dict):
            return {key: backwards(value[key]) for key in reversed(value)}
        return [backwards(one) for one in value] if isinstance(value, list) else value

    free = ("x-table", "moved")  # maps with free names keep their order
    for line, head in ((FULL_HEADER, ()), (FULL_PLY, (FULL_HEADER,))):
        plain = json.loads(line)
        turned = backwards(plain)
        for name in free:
            if name in turned:
                turned[name] = plain[name]
            if name in turned.get("got", {}):
                turned["got"][name] = plain["got"][name]
        assert dumps(loads(data(*head, json.dumps(turned)))) == data(*head, line)


def test_defaults_are_filled_in_and_only_written_if_they_were_spelled_out():
    header = loads(data(HEADER)).header
    left_out = header.ruleset, header.options, header.components, header.observed
    assert left_out == ("standard", {}, None, False)
    spelled = loads(raw := data(HEADER[:-1] + ',"ruleset":"standard"}'))
    assert (spelled.header, dumps(spelled)) == (header, raw)
    assert dumps(Record(Header("thruway", ("north", "south")))) == data(HEADER)


def test_the_numbers_of_a_game_are_exact_unless_people_noted_it():
    noted = HEADER[:-1] + ',"observed":true'
    headers = (HEADER, noted + "}", noted + ',"tolerance":1.5}', noted + ',"tolerance":0}')
    assert [loads(data(header)).header.off_by for header in headers] == [0.0, 3.0, 1.5, 0.0]


def test_numbers_survive_bit_for_bit():
    values = [0.1 + 0.2, -0.0, 5e-324, 1.7976931348623157e308, 55, 55.0, 2**70]
    text = canonical_json(values)
    assert text == (
        "[0.30000000000000004,-0.0,5e-324,1.7976931348623157e+308,55,55.0,1180591620717411303424]"
    )
    back = json.loads(text)
    assert [struct.pack("d", v) for v in back] == [struct.pack("d", v) for v in values]
    assert [type(v) for v in back] == [type(v) for v in values]


def test_canonical_json_orders_the_keys_of_a_named_part_and_else_leaves_them():
    got = {"digest": "ab", "legal": True}
    assert canonical_json(got, "got", "thruway") == '{"legal":true,"digest":"ab"}'
    assert canonical_json(got) == canonical_json(got, "got") == '{"digest":"ab","legal":true}'
    assert canonical_json({"é": (1, "日本")}) == '{"é":[1,"日本"]}'


def nested(depth):
    value = []
    for _ in range(depth - 1):
        value = [value]
    return value


LOOP: dict[str, object] = {}
LOOP["pass"] = LOOP
MOVES: list[object] = []
MOVES.append(MOVES)
DO = ("do", "tokyo-highway")
CANNOT = "cannot be written as JSON|half a character|nested"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        *(
            ((value,), CANNOT)
            for value in (math.nan, math.inf, {"a": {1}}, object(), "\ud800", LOOP)
        ),
        *(((value, *DO), CANNOT) for value in (LOOP, {"cars": [MOVES]}, {"cars": MOVES})),
        ((nested(5000),), "nested more than 64 deep"),
        (({"carz": 1}, "got", "thruway"), r"the key got\.carz is not known"),
    ],
)
def test_canonical_json_refuses_what_json_or_a_part_of_a_record_cannot_say(given, said):
    with pytest.raises(InputError, match=said):
        canonical_json(*given)


PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)
ENTRIES = st.builds(
    Entry,
    ply=st.just(0),
    by=st.integers(0, 1),
    do=st.text(min_size=1, max_size=9)
    | st.dictionaries(st.sampled_from(["build", "cars", "pass", "z"]), PLAIN, min_size=1),
    got=st.none()
    | st.fixed_dictionaries(
        {"legal": st.just(True)}, optional={"cars": st.integers(0, 9), "x-a": PLAIN}
    ),
    note=st.none() | st.text(max_size=9),
    extra=st.dictionaries(st.sampled_from(["x-a", "x-b"]), PLAIN),
)


@given(
    st.lists(ENTRIES, max_size=4),
    st.lists(st.tuples(st.integers(0, 4), st.text(max_size=5)), max_size=3),
)
def test_whatever_is_written_reads_back_equal_and_is_canonical(entries, notes):
    record = Record(Header("tokyo-highway", ("north", "south"), options={"redo": 1}))
    for number in range(len(entries) + 1):
        for after, text in notes:
            if after == number:
                record = record.with_note(Note(text))
        if number < len(entries):
            record = record.plus(replace(entries[number], ply=number))
    written = dumps(record)
    assert (loads(written), dumps(loads(written))) == (record, written)


# --- what is not a record -------------------------------------------------------------------------


DEEP = "[" * (MAX_DEPTH + 5) + "]" * (MAX_DEPTH + 5)

BAD_LINES = {
    "not JSON": (
        "{ply: 0}",
        "not JSON: expecting property name enclosed in double quotes at column 2",
    ),
    "not an object": ("[1,2]", 'a line must be an object, like {"ply":0,...}'),
    "an empty object": ("{}", "the line is an empty object"),
    "NaN": (
        '{"ply":0,"by":0,"do":{"build":{"pillar":[NaN,0]}}}',
        "NaN is not a number that a record may hold",
    ),
    "Infinity": (
        '{"ply":0,"by":0,"do":{"build":{"pillar":[-Infinity,0]}}}',
        "-Infinity is not a number that a record may hold",
    ),
    "huge exponent": (
        '{"ply":0,"by":0,"do":{"build":{"pillar":[1e999,0]}}}',
        "the number '1e999' is too large for a float64",
    ),
    "huge integer": (
        '{"ply":0,"by":0,"do":{"a":' + "9" * 5000 + "}}",
        f"the number '{'9' * 40}...' is too large for a float64",
    ),
    "key twice": ('{"ply":0,"by":0,"by":1,"do":"a"}', "the key 'by' stands twice in one object"),
    "key twice inside": (
        '{"ply":0,"by":0,"do":{"a":1,"a":2}}',
        "the key 'a' stands twice in one object",
    ),
    "deep": (
        '{"ply":0,"by":0,"do":{"a":' + DEEP + "}}",
        "lists and objects are nested more than 64 deep",
    ),
    "very deep": ("[" * 200_000, "lists and objects are nested more than 64 deep"),
    "surrogate": (
        r'{"ply":0,"by":0,"do":"\ud800"}',
        r"a text holds '\ud800', half a character (a lone surrogate)",
    ),
    "no do": ('{"ply":0,"by":0}', "the key do is missing"),
    "no by": ('{"ply":0,"do":"a"}', "the key by is missing"),
    "no ply": ('{"by":0,"do":"a"}', "the key ply is missing"),
    "unknown key": (
        '{"ply":0,"by":0,"do":"a","gott":{}}',
        "the key gott is not known in version 1.0; keys of your own start with x-",
    ),
    "unknown key inside": (
        '{"ply":0,"by":0,"do":"a","got":{"car":1}}',
        "the key got.car is not known in version 1.0;",
    ),
    "unknown line": ('{"chat":"hello"}', "the key ply is missing"),
    "ply is true": (
        '{"ply":false,"by":0,"do":"a"}',
        "ply must be a whole number from 0 up, not false",
    ),
    "by is true": ('{"ply":0,"by":true,"do":"a"}', "by must be a whole number from 0 up, not true"),
    "ply is text": ('{"ply":"0","by":0,"do":"a"}', "ply must be a whole number from 0 up, not '0'"),
    "ply is a float": (
        '{"ply":0.0,"by":0,"do":"a"}',
        "ply must be a whole number from 0 up, not 0.0",
    ),
    "ply is negative": (
        '{"ply":-1,"by":0,"do":"a"}',
        "ply must be a whole number from 0 up, not -1",
    ),
    "by is null": ('{"ply":0,"by":null,"do":"a"}', "by must be a whole number from 0 up, not null"),
    "do is a list": (
        '{"ply":0,"by":0,"do":["a"]}',
        "do must be a move: text or an object that is not empty, not a list of 1",
    ),
    "do is empty": (
        '{"ply":0,"by":0,"do":""}',
        "do must be a move: text or an object that is not empty, not ''",
    ),
    "got is a list": (
        '{"ply":0,"by":0,"do":"a","got":[]}',
        "got must be an object, not a list of 0",
    ),
    "legal is 1": (
        '{"ply":0,"by":0,"do":"a","got":{"legal":1}}',
        "got.legal must be true or false, not 1",
    ),
    "note is a number": ('{"note":3}', "note must be text, not 3"),
    "a ply too far": (
        ply(1),
        (
            "the line says ply 1 where ply 0 is due; plies count from 0, and only the next try of "
            "a "
            "move taken back"
        ),
    ),
    "by out of range": (ply(0, by=2), "by is 2, but the seats are 0 to 1"),
    "a second header": (HEADER, "a second header; one file holds one game"),
}


@pytest.mark.parametrize("name", BAD_LINES)
@pytest.mark.parametrize(
    "after", ["", "\n", "\n" + ply(1)], ids=["no line feed", "line feed", "more lines"]
)
def test_a_bad_line_is_one_message_with_file_line_and_ply(name, after):
    line, reason = BAD_LINES[name]
    raw = f"{HEADER}\n{line}{after}".encode()
    assert message(raw).startswith(f"g.jsonl:2: ply 0: {reason}")


BAD_HEADERS = {
    "empty": ("", "g.jsonl: the file is empty"),
    "blank": ("\n" + HEADER + "\n", "g.jsonl:1: the line is blank; the header must be line 1"),
    "a ply first": (
        ply(0) + "\n",
        'g.jsonl:1: the first line is no header: it must hold "record":"shutoko"',
    ),
    "another record": (
        HEADER.replace("shutoko", "other"),
        "g.jsonl:1: the first line is no header",
    ),
    "garbage": ("garbage", "g.jsonl:1: not JSON: expecting value at column 1"),
    "cut off": (HEADER[:40], "g.jsonl:1: the header is cut off"),
    "major": (
        HEADER.replace("[1,0]", "[2,3]"),
        "g.jsonl:1: version 2.3 of the format cannot be read; this program reads version 1.0",
    ),
    "major 0": (
        HEADER.replace("[1,0]", "[0,9]"),
        "g.jsonl:1: version 0.9 of the format cannot be read; this program reads version 1.0",
    ),
    "version text": (
        HEADER.replace("[1,0]", '"1.0"'),
        "g.jsonl:1: version must be two whole numbers [major, minor], not '1.0'",
    ),
    "version true": (
        HEADER.replace("[1,0]", "[true,0]"),
        "g.jsonl:1: version[0] must be a whole number from 0 up, not true",
    ),
    "version short": (
        HEADER.replace("[1,0]", "[1]"),
        "g.jsonl:1: version must be two whole numbers [major, minor], not a list of 1",
    ),
    "no version": (HEADER.replace('"version":[1,0],', ""), "g.jsonl:1: the key version is missing"),
    "no game": (HEADER.replace('"game":"thruway",', ""), "g.jsonl:1: the key game is missing"),
    "no players": (
        HEADER.replace(',"players":["north","south"]', ""),
        "g.jsonl:1: the key players is missing",
    ),
    "nobody": (
        HEADER.replace('["north","south"]', "[]"),
        "g.jsonl:1: players must be a list of at least one name, not a list of 0",
    ),
    "unknown key": (
        HEADER[:-1] + ',"sede":7}',
        "g.jsonl:1: the key sede is not known in version 1.0",
    ),
    "seed null": (
        HEADER[:-1] + ',"seed":null}',
        "g.jsonl:1: seed must be a whole number from 0 up, not null",
    ),
    "options list": (
        HEADER[:-1] + ',"options":[]}',
        "g.jsonl:1: options must be an object, not a list of 0",
    ),
}


BACK = ply(1)[:-1] + ',"got":{"legal":false}}'
TWO_SEATS = "end.ranks must name the seats 0 to 1, each once at most"
BAD = {
    **{name: (text.encode(), reason) for name, (text, reason) in BAD_HEADERS.items()},
    "a text without its end": (
        data(HEADER, '{"ply":0,"by":0,"do":"x}', ply(1)),
        "g.jsonl:2: ply 0: not JSON: unterminated string starting at column 22",
    ),
    "a byte that is not UTF-8": (
        data(HEADER) + b'{"note":"\xe9"}\n',
        "g.jsonl:2: ply 0: not UTF-8: byte 0xe9 at byte 10 of the line",
    ),
    "a byte that no cut leaves": (
        data(HEADER) + b'{"note":"\xff',
        "g.jsonl:2: ply 0: not UTF-8: byte 0xff",
    ),
    "a file in UTF-16": (
        HEADER.encode("utf-16"),
        "g.jsonl:1: the file is UTF-16; save it as UTF-8",
    ),
    "a ply left out after a move taken back": (
        data(HEADER, ply(0), BACK, ply(2)),
        "g.jsonl:4: ply 1: the line says ply 2 where ply 1 is due",
    ),
    "a ply repeated": (
        data(HEADER, ply(0), ply(0)),
        "g.jsonl:3: ply 1: the line says ply 0 where ply 1 is due",
    ),
    **{
        f"a bad end: {end}": (data(HEADER, f'{{"end":{{{end}}}}}'), f"g.jsonl:2: {reason}")
        for end, reason in (
            ('"ranks":[[0],[0]],"reason":"drawn"', TWO_SEATS),
            ('"ranks":[[2]],"reason":"drawn"', TWO_SEATS),
            ('"ranks":[0,1],"reason":"drawn"', "ply 0: end.ranks[0] must be a list, not 0"),
            (
                '"ranks":[[0,1]],"reason":"rain"',
                "end.reason 'rain' is none of resigned, connected, annihilated, drawn, ply-cap",
            ),
            ('"ranks":[[0,1]]', "ply 0: the key end.reason is missing"),
        )
    },
    "a key of a ply in the end": (
        data(HEADER, '{"end":{"ranks":[[0,1]],"reason":"drawn"},"ply":3}'),
        "g.jsonl:2: ply 0: the key ply is not known in version 1.0",
    ),
    **{
        f"after the end: {line}": (
            data(HEADER, END, line),
            "g.jsonl:3: a line after the end of the game, which is line 2",
        )
        for line in (ply(0), '{"note":"late"}', END)
    },
}


@pytest.mark.parametrize(("raw", "reason"), BAD.values(), ids=BAD)
def test_what_is_no_record_is_one_message_with_file_line_and_ply(raw, reason):
    assert message(raw).startswith(reason)


# --- files that were cut off, or saved by other programs ------------------------------------------


def test_a_file_cut_off_anywhere_is_read_up_to_its_last_whole_line():
    whole = CANONICAL["everything"]
    lines = whole.splitlines(keepends=True)
    ends = [sum(len(line) for line in lines[: n + 1]) for n in range(len(lines))]
    full = list(loads(whole))
    for cut in range(ends[0] - 1, len(whole), 7):
        record = loads(whole[:cut], "g.jsonl")
        kept = sum(1 for end in ends if end - 1 <= cut)  # the line feed may be missing
        assert list(record) == full[:kept]
        broken = cut not in ends and cut + 1 not in ends
        assert record.warnings == (
            (f"g.jsonl:{kept + 1}: the last line is cut off and was dropped",) if broken else ()
        )


BLANK = "g.jsonl:2: the line is blank; skipped"
WARNED = {
    "a last line without line feed": (data(HEADER, ply(0))[:-1], ()),
    "CRLF and blank lines": (
        data(HEADER, "", ply(0), "").replace(b"\n", b"\r\n"),
        ("g.jsonl:1: lines end in CRLF; read as if in LF", f"{BLANK}, and so is 1 more"),
    ),
    "a blank line": (data(HEADER, "", ply(0)), (BLANK,)),
    "however many blank lines": (
        data(HEADER, *[""] * 50_000, ply(0)),
        (f"{BLANK}, and so are 49999 more",),
    ),
}


@pytest.mark.parametrize(("raw", "warnings"), WARNED.values(), ids=WARNED)
def test_what_other_programs_save_is_read_with_one_warning_each(raw, warnings):
    record = loads(raw, "g.jsonl")
    assert (record.warnings, dumps(record)) == (warnings, data(HEADER, ply(0)))


def test_a_newer_minor_version_is_read_with_a_warning_for_each_unknown_key():
    record = loads(CANONICAL["newer"], "g.jsonl")
    assert record.warnings == tuple(
        f"g.jsonl:{line}: the key {key} is not known to version 1.1; kept, not interpreted"
        for line, key in enumerate(("clock", "mood", "chat"), 1)
    )
    assert (record.entries[0].extra, loads(data(NEWER, ply(0))).warnings) == ({"mood": "good"}, ())


@pytest.mark.parametrize(
    "garbage",
    [
        "x" * 1_000_000,
        "[" * 1_000_000,
        '{"' + "x" * 1_000_000 + '"}',
        '{"note":"a","note":"b"}' * 40_000,
    ],
)
def test_a_long_line_of_garbage_gives_one_short_message(garbage):
    (line,) = message(data(HEADER, garbage)).splitlines()
    assert line.startswith("g.jsonl:2: ply 0: ")
    assert len(line) < 250


# --- files ----------------------------------------------------------------------------------------


HAS_FIFOS = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no FIFOs here")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("missing.jsonl", "No such file"),
        (".", "Is a directory"),
        ("/dev/zero", "not a regular file"),
        ("a\0.jsonl", "no path can hold this"),
        pytest.param("fifo.jsonl", "not a regular file", marks=HAS_FIFOS),
    ],
)
def test_a_file_that_cannot_be_read_is_named_at_once(tmp_path, name, reason):
    if name.startswith("fifo"):
        os.mkfifo(tmp_path / name)  # nobody writes to it
    with pytest.raises(RecordError, match=f"cannot be read: {reason}"):
        read(tmp_path / name)


def test_writing_and_reading_a_file(tmp_path):
    path, record = tmp_path / "g.jsonl", loads(CANONICAL["everything"])
    write(record, path)
    assert (list(tmp_path.iterdir()), path.read_bytes()) == ([path], CANONICAL["everything"])
    assert (read(str(path)), read(path).path) == (record, path)
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~mask


def test_appending_adds_one_line_and_touches_nothing_else(tmp_path):
    path = tmp_path / "g.jsonl"
    write(loads(data(HEADER)), path)
    for item in (Entry(0, 0, "a1-b1"), Note("hm"), Entry(1, 1, "a1-b1"), WON):
        append(path, item)
    assert path.read_bytes() == data(HEADER, ply(0), '{"note":"hm"}', ply(1), END)


@pytest.mark.parametrize(
    ("there", "item", "reason"),
    [
        (ply(0), Entry(3, 0, "a"), "the line says ply 3 where ply 1 is due"),
        (ply(0), Entry(1, 5, "a"), "by is 5, but the seats are 0 to 1"),
        (ply(0), Entry(1, 1, "a", got={"carz": 1}), r"the key got\.carz is not known"),
        (ply(0), Entry(1, 1, "a", extra={"x-mine": math.nan}), "cannot be written as JSON"),
        (ply(0), Note(), "a note must have a text or x- keys"),
        (ply(0), End(((7,),), "drawn"), r"end\.ranks must name the seats 0 to 1"),
        (END, Entry(0, 0, "a"), "the game has ended"),
        (END, Note("a"), "the game has ended"),
        (END, End((), "drawn"), "the game has ended"),
        ("garbage", Entry(0, 0, "a"), r"g\.jsonl:2: ply 0: not JSON"),
        (None, Note("a"), "cannot be read: No such file"),
    ],
)
def test_appending_what_does_not_fit_is_refused_and_changes_nothing(tmp_path, there, item, reason):
    path = tmp_path / "g.jsonl"
    if there is not None:
        path.write_bytes(data(HEADER, there))
    with pytest.raises(RecordError, match=reason):
        append(path, item)
    assert [one.read_bytes() for one in tmp_path.iterdir()] == (
        [] if there is None else [data(HEADER, there)]
    )


# --- building records -----------------------------------------------------------------------------


UNREADABLE = (
    math.inf,
    nested(64),
    (nested(63),),
    nested(5000),
    10**308,
    -(10**308),
    {1: 2, "1": 3},
    "\ud800",
)


@pytest.mark.parametrize(
    "record",
    [
        Record(Header("", ("a",))),
        Record(Header("thruway", ())),
        Record(Header("thruway", ("a",), version=(2, 0))),
        Record(Header("thruway", ("a",), extra={"mine": 1})),
        Record(Header("thruway", ("a",)), (Entry(0, 1, "a"),)),
        Record(Header("thruway", ("a",)), (Entry(0, 0, "a"), Entry(0, 0, "a"))),
        Record(Header("thruway", ("a",)), (Entry(0, 0, "a", accepted=True),)),
        *(
            Record(Header("thruway", ("a",)), (Entry(0, 0, "a", extra={"x-a": value}),))
            for value in UNREADABLE
        ),
        Record(Header("thruway", ("a",), options={"a": nested(64)})),
        Record(Header("thruway", ("a",)), notes=(Note("a", extra={"x-a": nested(64)}),)),
        Record(Header("thruway", ("a",)), end=End(((0,),), "rain")),
    ],
)
def test_what_could_not_be_read_back_is_not_written(record):
    with pytest.raises(RecordError):
        dumps(record)


@pytest.mark.parametrize("value", [nested(63), 10**307, 1.7976931348623157e308])
def test_what_can_just_be_read_back_is_written(value):
    record = Record(Header("thruway", ("a",)), (Entry(0, 0, "a", extra={"x-a": value}),))
    assert loads(dumps(record)) == record


# --- limits ---------------------------------------------------------------------------------------


def test_after_a_handful_of_warnings_only_their_number_is_told():
    keys = ",".join(f'"k{n}":{n}' for n in range(MAX_WARNINGS + 7))
    warnings = loads(data(NEWER, ply(0)[:-1] + f",{keys}}}"), "g.jsonl").warnings
    assert warnings[-2:] == (
        (
            f"g.jsonl:2: the key k{MAX_WARNINGS - 1} is not known to version 1.1; kept, not "
            "interpreted"
        ),
        "g.jsonl: and 7 more warnings like these",
    )
    assert len(warnings) == MAX_WARNINGS + 1


@pytest.mark.parametrize("feed", [b"", b"\n"])
def test_what_is_added_counts_with_what_is_there(tmp_path, monkeypatch, feed):
    path, counted = tmp_path / "g.jsonl", []
    path.write_bytes(data(FULL_HEADER, FULL_PLY).removesuffix(b"\n") + feed)
    monkeypatch.setattr(
        "rules.record.writing.check_amounts", lambda *amounts: counted.append(amounts[:3])
    )
    append(path, Note("a", extra={"x-a": [{}, []]}), Note("b"))
    whole = path.read_bytes()
    assert counted == [(4, len(whole), whole.count(b"{") + whole.count(b"["))]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "times", "refused", "what"),
    [
        ("", MAX_LINES, MAX_LINES + 1, "100000 lines"),
        ('{"note":""}', MAX_LINES, MAX_LINES + 1, "100000 lines"),
        ('{"note":"%s"}' % ("x" * 999_000), 17, 18, "16 MiB"),
        ('{"x-a":[' + ",".join(["[]"] * 199_998) + "]}", 3, 4, "500000 lists and objects"),
    ],
    ids=["blank lines", "empty notes", "bytes", "lists"],
)
def test_a_record_that_no_game_needs_is_refused_where_it_becomes_too_large(
    line, times, refused, what
):
    text = message(data(HEADER, *[line] * times))
    assert text == (
        f"g.jsonl:{refused}: ply 0: the record holds more than {what}; no game needs a tenth of "
        "that"
    )


@pytest.mark.parametrize(
    ("most", "what"),
    [
        ((100_000, 0, 0), "100000 lines"),
        ((0, 2**24, 0), "16 MiB"),
        ((0, 0, 500_000), "500000 lists and objects"),
    ],
)
def test_a_record_may_reach_each_limit_and_not_pass_it(most, what):
    check_amounts(*most, RecordError)
    with pytest.raises(RecordError, match=f"more than {what};"):
        check_amounts(*(limit and limit + 1 for limit in most), RecordError)


@pytest.mark.parametrize(("begin", "end"), [("[", "]"), ('{"x-a":', "}")])
def test_lists_and_objects_are_read_up_to_the_depth_that_the_message_names(begin, end):
    assert parse(begin * 63 + "[]" + end * 63)
    with pytest.raises(LineError, match="nested more than 64 deep"):
        parse(begin * 64 + "[]" + end * 64)


@pytest.mark.parametrize("feed", [b"", b"\n"])
def test_a_line_of_a_mebibyte_is_read_and_one_of_a_byte_more_is_not(feed):
    longest, *longer = (
        data(HEADER) + b'{"note":"' + b"x" * (length - len(b'{"note":""}' + feed)) + b'"}' + feed
        for length in (2**20, 2**20 + 1, 2**20 + 2)
    )
    assert len(loads(longest).notes) == 1
    assert all("the line is longer than 1 MiB" in message(one) for one in longer)


def test_a_line_is_written_only_if_it_can_be_read_again(tmp_path):
    path, longest = tmp_path / "g.jsonl", "x" * (2**20 - len('{"note":""}\n'))
    path.write_bytes(data(HEADER))
    append(path, Note(longest))
    assert read(path).notes[0].note == longest
    with pytest.raises(RecordError, match="longer than 1 MiB and could not be read again"):
        append(path, Note(f"{longest}x"))


# --- extras --------------------------------------------------------------------------------------


NO_CLOCK = "x-clock must be a list of 2 numbers from 0 to 1e+06, the seconds left by seat; ignored"


def raw(key: str, value: str) -> bytes:
    return f'{HEADER}\n{{"ply":0,"by":0,"do":"a1-b1","{key}":{value}}}\n'.encode()


def test_a_clock_is_read_as_it_was_written():
    record = loads(raw("x-clock", "[300,12.5]"))
    assert record.warnings == ()
    # the time may be up, and it may be eleven days
    extras = (record.entries[0].extra, {}, {"x-clock": [0, 10**6]}, {"x-clock": [0, 10**6 + 1]})
    assert [clock_of(extra, 2) for extra in extras] == [[300.0, 12.5], None, [0.0, 1e6], None]


@pytest.mark.parametrize(
    "value",
    [
        '"soon"',
        "[300]",
        "[300,-1]",
        "[300,true]",
        "[300,1e+300]",
        '[300,"12"]',
        "null",
        '{"0":300}',
    ],
)
def test_a_clock_without_sense_is_kept_and_ignored_with_a_warning(value):
    record = loads(raw("x-clock", value), "g.jsonl")
    assert record.warnings == (f"g.jsonl:2: {NO_CLOCK}",)
    assert clock_of(record.entries[0].extra, 2) is None
    assert dumps(record) == raw("x-clock", value)


@pytest.mark.parametrize(
    ("value", "warnings"),
    [
        ("true", ()),
        ("false", ()),
        ('"no"', ("g.jsonl:2: x-time must be true or false; ignored",)),
    ],
)
def test_only_true_says_that_the_time_was_up(value, warnings):
    record = loads(raw("x-time", value), "g.jsonl")
    assert (ran_out_of_time(record.entries[0].extra), record.warnings) == (
        value == "true",
        warnings,
    )


def test_other_keys_of_ones_own_may_hold_anything():
    assert loads(raw("x-mine", '{"x-clock":"soon"}')).warnings == ()
