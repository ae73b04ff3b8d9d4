"""Records on a disk that fails: the order of syncs, what is left after each failure, and that all
goes on afterwards.
"""

from __future__ import annotations

import errno
from contextlib import nullcontext

import pytest

from rules.errors import InputError
from rules.game import game
from rules.record import End, Entry, Header, Record, append, read, write
from rules.record.writing import Kept
from shutoko.terminal.session import Seat, Session, begun
from tests.faults import CALLS, Disk, names

HEADER = Header("meridians", ("a", "b"), version=(1, 0))
FIRST, SECOND = Entry(0, 0, "b2"), Entry(1, 1, "c3")
END = End(((0,), (1,)), "resigned")


@pytest.fixture
def disk(monkeypatch, tmp_path):
    return Disk(monkeypatch, tmp_path)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "g.jsonl"
    write(Record(HEADER, (FIRST,)), path)
    return path


# --- the order of writes and syncs ----------------------------------------------------------------


ORDER = {
    "a ply and the end are one write and one sync": (
        lambda path: append(path, SECOND, END),
        ["ftruncate", "write", "fsync"],
    ),
    "a replaced file is synced before its name and its folder after": (
        lambda path: write(Record(HEADER), path),
        ["write", "fsync", "link", "replace", "folder"],
    ),
    "a new file is synced before its name and its folder after": (
        lambda path: write(Record(HEADER), path.with_name("new.jsonl"), fresh=True),
        ["write", "fsync", "link", "folder"],
    ),
}


@pytest.mark.parametrize(("deed", "calls"), ORDER.values(), ids=ORDER)
def test_all_is_on_the_disk_in_order_before_a_call_returns(path, disk, deed, calls):
    deed(path)
    assert disk.calls() == calls


def test_a_new_file_is_written_where_no_file_has_two_names(monkeypatch, tmp_path):
    disk, path = Disk(monkeypatch, tmp_path, errno.EPERM), tmp_path / "new.jsonl"
    for plies, again in ((), nullcontext()), ((FIRST,), pytest.raises(InputError, match="already")):
        disk.fail("link")
        with again:
            write(Record(HEADER, plies), path, fresh=True)
        assert disk.mend()
        assert (read(path), names(tmp_path)) == (Record(HEADER), ["new.jsonl"])


def test_a_torn_tail_that_is_longer_than_the_new_line_leaves_nothing_behind(path, disk):
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"ply":1,"by":1,"do":"' + b"x" * 5000)
    append(path, SECOND)
    assert (read(path), read(path).warnings) == (Record(HEADER, (FIRST, SECOND)), ())
    assert path.read_bytes().startswith(whole)
    assert disk.calls() == ["ftruncate", "fsync", "write", "fsync"], (
        "the rest is off the disk before anything is added"
    )


# --- one failure at each step ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("what", "takes"),
    [("open", -1), ("ftruncate", -1), ("write", -1), ("write", 30), ("fsync", -1)],
)
def test_an_append_that_fails_leaves_the_file_as_it_was(path, disk, what, takes):
    before = path.read_bytes()
    disk.fail(what, takes=takes)
    with pytest.raises(InputError, match=r"g\.jsonl: cannot be written: No space left"):
        append(path, SECOND, END)
    if what in ("write", "fsync"):  # else a power cut brings the refused line back
        assert disk.calls()[-2:] == ["ftruncate", "fsync"], "the cut is synced"
    assert disk.mend()
    assert path.read_bytes() == before
    append(path, SECOND, END)
    assert read(path) == Record(HEADER, (FIRST, SECOND), END)


@pytest.mark.parametrize(
    ("fresh", "what", "takes"),
    [
        *((False, what, -1) for what in ("open", "write", "fsync", "replace", "folder")),
        *((True, what, -1) for what in ("open", "write", "fsync", "link", "folder")),
        (False, "write", 30),
        (True, "write", 30),
    ],
)
def test_a_write_that_fails_leaves_the_old_file_and_no_scratch(path, disk, fresh, what, takes):
    before = path.read_bytes()
    target = path.with_name("new.jsonl") if fresh else path
    disk.fail(what, takes=takes)
    with pytest.raises(InputError, match="cannot be written: No space left"):
        write(Record(HEADER), target, fresh=fresh)
    assert disk.mend()
    assert (path.read_bytes(), names(path.parent)) == (before, ["g.jsonl"])
    write(Record(HEADER), target, fresh=fresh)
    assert read(target) == Record(HEADER)


def test_an_old_file_without_a_spare_name_is_replaced_all_the_same(path, disk):
    disk.fail("link")
    write(Record(HEADER), path)
    assert (disk.mend(), read(path)) == (True, Record(HEADER))


def test_a_scratch_file_of_that_name_is_neither_used_nor_written_into(path, monkeypatch):
    monkeypatch.setattr("rules.record.disk.secrets.token_hex", lambda _: "0badcafe")
    taken = path.with_name(f".{path.name}.0badcafe.shutoko-scratch")
    taken.write_bytes(b"of another program")
    before = path.read_bytes()
    with pytest.raises(InputError, match=r"File exists|exists already"):
        write(Record(HEADER), path)
    assert (taken.read_bytes(), path.read_bytes()) == (b"of another program", before)


# --- a game at the terminal -----------------------------------------------------------------------

MOVES = ("b2", "c3", "undo", "c4", "e5", "resign")


def moved(session: Session, text: str) -> None:
    if text == "undo":
        session.undo()
    else:
        session.play(session.state.parse(text))


def agreeing(session: Session) -> bool:
    """Whether the game that is shown is the one on disk: the same plies, the same end."""
    shown = session.record
    if not session.path.exists():
        return not shown.entries
    kept = read(session.path)
    return (
        kept.entries == shown.entries
        and kept.end == shown.end
        and len(session.positions) == len(shown.entries) + 1
    )


@pytest.mark.parametrize(
    "code", [errno.ENOSPC, errno.EIO, errno.EROFS], ids=["full", "broken", "read-only"]
)
@pytest.mark.parametrize(("what", "takes"), [*((call, -1) for call in CALLS), ("write", 20)])
@pytest.mark.parametrize("at", range(len(MOVES)))
def test_after_a_failure_at_any_move_the_game_shown_is_on_disk_and_goes_on(
    monkeypatch, tmp_path, what, takes, at, code
):
    disk = Disk(monkeypatch, tmp_path, code)
    session = begun(game("meridians", size=5), [Seat("a"), Seat("b")], tmp_path / "g.jsonl", 1)
    for move in MOVES[:at]:
        moved(session, move)
    before = session.record.next_ply
    disk.fail(what, takes=takes)
    try:
        moved(session, MOVES[at])
    except InputError:
        assert disk.mend()
        assert session.record.next_ply == before
        assert agreeing(session)
        moved(session, MOVES[at])
    disk.mend()
    assert agreeing(session)
    for move in MOVES[at + 1 :]:
        moved(session, move)
        assert agreeing(session)
    assert session.is_over
    assert [entry.do for entry in read(session.path).entries] == ["b2", "c4", "e5", "resign"]
    assert names(tmp_path) == ["g.jsonl"]


# --- keeping -------------------------------------------------------------------------------------


LINES = (FIRST, SECOND, Entry(2, 0, "d4"))
ADDED, WHOLE = ["ftruncate", "write", "fsync"], ["write", "fsync", "link", "replace", "folder"]


def grown(plies, end=None):
    return Record(HEADER, LINES[:plies], end)


@pytest.mark.parametrize("what", ["open", "ftruncate", "write", "fsync"])
def test_after_a_refused_line_the_whole_record_is_written_once_and_then_lines_are_added_again(
    tmp_path, disk, what
):
    write(grown(1), tmp_path / "g.jsonl")
    kept = Kept(tmp_path / "g.jsonl", is_ours=True, is_current=True)
    disk.fail(what)
    with pytest.raises(InputError, match="cannot be written"):
        kept.add(grown(2), LINES[1])
    assert disk.mend()
    assert read(kept.path) == grown(1)
    disk.log.clear()
    kept.add(grown(2), LINES[1])
    assert disk.calls() == WHOLE
    disk.log.clear()
    kept.add(grown(3, END), LINES[2], END)
    assert (disk.calls(), read(kept.path)) == (ADDED, grown(3, END))


def test_the_first_line_makes_the_file_unless_somebody_elses_is_there(tmp_path, disk):
    kept = Kept(tmp_path / "g.jsonl", is_ours=False, is_current=False)
    kept.add(grown(1), LINES[0])
    kept.put(grown(2))  # what was a new file is ours now
    assert read(kept.path) == grown(2)
    other = Kept(tmp_path / "g.jsonl", is_ours=False, is_current=False)
    with pytest.raises(InputError, match="exists already"):
        other.add(grown(1), LINES[0])
    assert read(kept.path) == grown(2)
