"""The `x-` keys that programs here write into a ply and read again."""

from __future__ import annotations

import pytest

from rules.record import dumps, loads
from rules.record.model import clock_of, ran_out_of_time

HEADER = '{"record":"shutoko","version":[1,0],"game":"thruway","players":["north","south"]}'
NO_CLOCK = "x-clock must be a list of 2 numbers from 0 to 1e+06, the seconds left by seat; ignored"


def raw(key: str, value: str) -> bytes:
    return f'{HEADER}\n{{"ply":0,"by":0,"do":"a1-b1","{key}":{value}}}\n'.encode()


def test_a_clock_is_read_as_it_was_written():
    record = loads(raw("x-clock", "[300,12.5]"))
    assert record.warnings == ()
    assert clock_of(record.entries[0].extra, 2) == [300.0, 12.5]
    assert clock_of({}, 2) is None
    assert clock_of({"x-clock": [0, 1_000_000]}, 2) == [0.0, 1e6], (
        "the time may be up, and it may be eleven days"
    )
    assert clock_of({"x-clock": [0, 1_000_001]}, 2) is None


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


def test_only_true_says_that_the_time_was_up():
    assert ran_out_of_time(loads(raw("x-time", "true")).entries[0].extra)
    assert loads(raw("x-time", "false")).warnings == ()
    record = loads(raw("x-time", '"no"'), "g.jsonl")
    assert not ran_out_of_time(record.entries[0].extra)
    assert record.warnings == ("g.jsonl:2: x-time must be true or false; ignored",)


def test_other_keys_of_ones_own_may_hold_anything():
    assert loads(raw("x-mine", '{"x-clock":"soon"}')).warnings == ()
