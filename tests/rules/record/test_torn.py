"""Power cuts: every state in which one may leave the last write of a game is read up to the last
confirmed ply, or told.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from rules.errors import RecordError
from rules.record import End, Entry, Header, Record, append, dumps, loads, read

HEADER = Header("meridians", ("Ann", "Bö"), version=(1, 0))
PLIES = tuple(
    Entry(n, n % 2, do, extra={"x-said": "é" * (7 * n)})
    for n, do in enumerate(("b2", "c3", "d4", "c4"))
)
END = End(((0,), (1,)), "resigned")
SIZES = (16, 64, 512, 4096)


def writes() -> Iterator[tuple[Record, Record, bytes, bytes]]:
    """Each write of a game that adds lines: the record before and after it, and the bytes before
    and after it.
    """
    for n, ply in enumerate(PLIES):
        before = Record(HEADER, PLIES[:n])
        after = Record(HEADER, (*PLIES[:n], ply), END if n == len(PLIES) - 1 else None)
        yield before, after, dumps(before), dumps(after)


def torn(old: bytes, new: bytes, size: int) -> Iterator[bytes]:
    """The states of a write of the bytes of `new` behind `old`: cut anywhere; and with any of its
    blocks zeroed, at full length and with the last blocks missing.
    """
    for cut in range(len(old), len(new) + 1):
        yield new[:cut]
    first = len(old) // size * size
    starts = [max(at, len(old)) for at in range(first, len(new), size)]
    ends = [*starts[1:], len(new)]
    if len(starts) > 9:
        return
    for there in itertools.product((False, True), repeat=len(starts)):
        parts = [
            new[a:b] if is_there else bytes(b - a)
            for a, b, is_there in zip(starts, ends, there, strict=True)
        ]
        for count in range(len(parts) + 1):
            yield old + b"".join(parts[:count])


def states() -> list[tuple[Record, Record, bytes]]:
    found = {}
    for before, after, old, new in writes():
        found |= {(old, state): (before, after) for size in SIZES for state in torn(old, new, size)}
    return [(before, after, state) for (_, state), (before, after) in found.items()]


def test_a_write_broken_off_by_a_power_cut_is_read_up_to_the_last_confirmed_ply(tmp_path):
    """A ply of the broken write may be there whole; nothing that was confirmed is gone, and the
    next ply is kept.
    """
    tried, path, next_one = states(), tmp_path / "g.jsonl", Entry(4, 0, "b4")
    assert len(tried) > 1000
    for before, after, state in tried:
        found = loads(state, "g.jsonl")
        assert found.entries in (before.entries, after.entries)
        assert found.end in (before.end, after.end)
        assert (state in (dumps(before), dumps(after), dumps(after)[:-1])) <= (found.warnings == ())
        if b"\0" in state:
            assert any("NUL bytes, as a power cut leaves them" in told for told in found.warnings)
        if found.end is not None:
            continue
        path.write_bytes(state)
        follows = Entry(next_ply := found.next_ply, next_ply % 2, next_one.do)
        append(path, follows)
        assert (read(path), read(path).warnings) == (Record(HEADER, (*found.entries, follows)), ())


def test_a_block_that_holds_what_lay_on_the_disk_before_is_told_with_its_line_and_how_to_go_on():
    """Some file systems show old blocks instead of zeros: no rule tells them from a game, so the
    file is left to its owner.
    """
    before, after = dumps(Record(HEADER, PLIES[:3])), dumps(Record(HEADER, PLIES))
    for stale in (b"\xa5" * 16, b"\x7fELF\x02\x01" * 4, b"\xff\xfe" * 8):
        for at in range(len(before), len(after) - 1, 5):
            data = after[:at] + stale + after[at + len(stale) :]
            if at + len(stale) > len(after) - 2:  # nothing tells it from a line that is cut off
                continue
            with pytest.raises(
                RecordError, match=r"g\.jsonl:5: ply 3: .* keep the lines before it: head -n 4"
            ):
                loads(data, "g.jsonl")
            assert loads(b"".join(data.splitlines(keepends=True)[:4])).entries == PLIES[:3]


LINES = dumps(Record(HEADER, PLIES)).splitlines(keepends=True)
MIDDLE = [*LINES[:2], LINES[2][:5] + bytes(8) + LINES[2][13:], *LINES[3:]]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (
            b"".join(MIDDLE),
            r"g\.jsonl:3: ply 1: .*NUL bytes.*in line 4; lines 1 to 2 are whole.*head -n 2",
        ),
        (bytes(200), r"g\.jsonl:1: "),
        (LINES[0][:20] + bytes(200), r"g\.jsonl:1: "),
    ],
    ids=["before more of the game", "for a header", "in the header"],
)
def test_nul_bytes_are_an_error_that_says_what_is_whole_and_how_to_go_on(data, told):
    with pytest.raises(RecordError, match=told):
        loads(data, "g.jsonl")
