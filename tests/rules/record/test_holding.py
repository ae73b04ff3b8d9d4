"""One writer at a time: who is told what, and what is left after a clean end and after a kill."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager

import filelock
import pytest

from rules.errors import InputError
from rules.record import Entry, Header, Record, disk, read, write
from rules.record.disk import HeldError, hold, sweep
from tests.conftest import CHECKOUT
from tests.faults import names

RECORD = Record(Header("meridians", ("a", "b"), version=(1, 0)), (Entry(0, 0, "b2"),))


@contextmanager
def other(code, *args):
    """Another process that runs this code, says a word once it is there, and waits."""
    script = (
        f"import os, sys\nfrom pathlib import Path\n{code}\nprint('there', "
        "flush=True)\nsys.stdin.read()"
    )
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    command = [sys.executable, "-c", script, *map(str, args)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout.readline() == "there\n"
        try:
            yield process
        finally:
            process.kill()


HOLDS = "from rules.record.disk import hold\nheld = hold(Path(sys.argv[1]))"


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "g.jsonl"
    write(RECORD, path)
    return path


def test_the_second_writer_is_told_in_one_line_who_the_first_is(path):
    with other(HOLDS, path, "--resume") as process:
        with pytest.raises(
            HeldError,
            match=rf"g\.jsonl: -c {path} --resume \(process {process.pid} on .+, since 20",
        ) as told:
            hold(path)
        assert "\n" not in str(told.value)
        assert read(path) == RECORD  # reading needs no leave


def test_a_clean_end_leaves_nothing_and_lets_others_write(path):
    for _ in range(2):
        with hold(path) as held:
            assert len(names(path.parent)) == 2
        held.release()  # once more does nothing
        assert names(path.parent) == ["g.jsonl"]


def test_leftovers_of_killed_programs_are_swept(path):
    writes = """
from rules.record import disk
disk._write = lambda *_: os.kill(os.getpid(), 9)
from rules.record.disk import hold
held = hold(Path(sys.argv[1]).with_name("other.jsonl"))
disk.put(Path(sys.argv[1]), b"new")
"""
    with pytest.raises(AssertionError), other(writes, path):
        pass
    assert len(names(path.parent)) == 3
    with hold(path):
        pass
    assert (names(path.parent), read(path)) == (["g.jsonl"], RECORD)


def test_a_sweep_leaves_what_is_in_use_and_what_is_not_ours(path, monkeypatch):
    foreign = path.with_name(".editor.lock")
    foreign.write_text("x")
    write_all = disk._write

    def sweeping(handle, data):
        sweep(path.parent)
        write_all(handle, data)

    monkeypatch.setattr(disk, "_write", sweeping)
    with hold(path):
        write(RECORD, path)
        with pytest.raises(HeldError):
            hold(path)
    assert names(path.parent) == [".editor.lock", "g.jsonl"]


def test_who_holds_a_folder_or_another_name_of_a_record_holds_the_record(path):
    (link := path.with_name("link.jsonl")).symlink_to(path)
    for held, other, told in (
        (path.parent, path, r"g\.jsonl: "),
        (path, path.parent, "is writing here"),
        (path, link, r"link\.jsonl: "),
    ):
        with hold(held), pytest.raises(HeldError, match=told):
            hold(other)
    assert names(path.parent) == ["g.jsonl", "link.jsonl"]


def test_a_lock_file_with_nonsense_in_it_is_no_matter(path):
    lock = path.with_name(".g.jsonl.shutoko-lock")
    for nonsense in (
        b"",
        b"\xff\x00",
        b"[1]",
        b'{"pid":1}',
        b'{"command":"a\\nb","pid":1,"host":"h","since":"s"}',
    ):
        with hold(path):
            lock.write_bytes(nonsense)
            with pytest.raises(HeldError) as told:
                hold(path)
            assert "\n" not in str(told.value)


def test_where_nothing_can_be_written_nothing_can_be_held(tmp_path):
    with pytest.raises(InputError, match="cannot be written: No such file"):
        hold(tmp_path / "no" / "g.jsonl")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no FIFOs here")
def test_a_pipe_in_place_of_the_lock_holds_nobody_up(path):
    os.mkfifo(path.with_name(f".{path.name}.shutoko-lock"))
    with hold(path), pytest.raises(HeldError, match="another program is writing here"):
        hold(path)


@pytest.mark.skipif(sys.platform != "linux", reason="counts the open files in /proc")
def test_a_refused_or_late_writer_leaves_no_file_open(path, monkeypatch):
    def opened():
        return len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - a list of numbers

    before = opened()
    with hold(path):
        for _ in range(2):
            with pytest.raises(HeldError):
                hold(path)
            assert opened() == before + 1
    lock_descriptor, locks = filelock.lock_descriptor, iter((False, False))
    monkeypatch.setattr(
        filelock,
        "lock_descriptor",
        lambda *args, **how: next(locks, True) and lock_descriptor(*args, **how),
    )
    write(RECORD, path)  # twice somebody sweeps the scratch file away before it is locked
    assert next(locks, None) is None
    assert (opened(), read(path)) == (before, RECORD)


def test_a_lock_that_leads_elsewhere_is_no_lock_and_nothing_is_written_there(path, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(b"of somebody else")
    lock = path.with_name(f".{path.name}.shutoko-lock")
    lock.symlink_to(elsewhere)
    with pytest.raises(InputError, match="cannot be written"):
        hold(path)
    sweep(tmp_path)
    assert elsewhere.read_bytes() == b"of somebody else"
    assert lock.is_symlink()


def test_two_writers_of_whom_one_locks_a_file_that_the_other_has_just_removed_are_told_apart(
    path, monkeypatch
):
    """The first one leaves between the opening and the locking, and takes the name of the lock
    along.
    """

    first, real, left = hold(path), disk._locked, []

    def slow(handle):
        if not left:
            left.append(True)
            first.release()
        return real(handle)

    monkeypatch.setattr(disk, "_locked", slow)
    second = hold(path)
    monkeypatch.undo()
    lock = path.with_name(f".{path.name}.shutoko-lock")
    assert os.path.samestat(os.fstat(second._handle), lock.stat()), (
        "what is held has the name that others look for"
    )
    with pytest.raises(HeldError):
        hold(path)
    second.release()
