"""The file of a game in progress: lines are added as long as it is known what the disk holds, else
it is written anew.
"""

from __future__ import annotations

import pytest

from rules.errors import InputError
from rules.record import End, Entry, Header, Record, read, write
from rules.record.writing import Kept
from tests.faults import Disk

GAME = Record(Header("meridians", ("a", "b"), version=(1, 0)))
PLIES = [Entry(0, 0, "b2"), Entry(1, 1, "c3"), Entry(2, 0, "d4")]
END = End(((0,), (1,)), "resigned")
ADDED, WHOLE = ["ftruncate", "write", "fsync"], ["write", "fsync", "link", "replace", "folder"]


@pytest.fixture
def disk(monkeypatch, tmp_path):
    return Disk(monkeypatch, tmp_path)


def grown(plies, end=None):
    record = GAME
    for entry in PLIES[:plies]:
        record = record.plus(entry)
    return record if end is None else record.with_end(end)


@pytest.mark.parametrize("what", ["open", "ftruncate", "write", "fsync"])
def test_after_a_refused_line_the_whole_record_is_written_once_and_then_lines_are_added_again(
    tmp_path, disk, what
):
    write(grown(1), tmp_path / "g.jsonl")
    kept = Kept(tmp_path / "g.jsonl", is_ours=True, is_current=True)
    disk.fail(what)
    with pytest.raises(InputError, match="cannot be written"):
        kept.add(grown(2), PLIES[1])
    assert disk.mend()
    assert read(kept.path) == grown(1)
    disk.log.clear()
    kept.add(grown(2), PLIES[1])
    assert disk.calls() == WHOLE
    disk.log.clear()
    kept.add(grown(3, END), PLIES[2], END)
    assert disk.calls() == ADDED
    assert read(kept.path) == grown(3, END)


def test_the_first_line_makes_the_file_unless_somebody_elses_is_there(tmp_path, disk):
    kept = Kept(tmp_path / "g.jsonl", is_ours=False, is_current=False)
    kept.add(grown(1), PLIES[0])
    kept.put(grown(2))  # what was a new file is ours now
    assert read(kept.path) == grown(2)
    other = Kept(tmp_path / "g.jsonl", is_ours=False, is_current=False)
    with pytest.raises(InputError, match="exists already"):
        other.add(grown(1), PLIES[0])
    assert read(kept.path) == grown(2)
