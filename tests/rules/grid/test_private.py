"""Compiled code is a pickle on disk: it is read only where nobody but this user can write."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import numba as nb
import pytest

from rules.grid.kernels import jit, private

KEY = (("int64",), "machine", "code")

pytestmark = pytest.mark.skipif(os.name == "nt", reason="permissions as POSIX has them")


class Trap:
    """A pickle that leaves a trace when it is read."""

    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self):
        return Path.touch, (self.trace,)


@pytest.fixture
def trap(tmp_path):
    """A folder of cached code with a trap in it, and the trace that the trap leaves."""
    folder, trace = tmp_path / "cache", tmp_path / "trace"
    folder.mkdir(mode=0o755)
    files = jit._Files(str(folder), "thruway.play")
    private.write(files._path(KEY), pickle.dumps(Trap(trace)))
    return files, trace


def test_the_trap_works(trap):
    files, trace = trap
    with pytest.raises(TypeError):
        files.load(KEY)
    assert trace.exists()


def folder(mode):
    return lambda path, _: path.parent.chmod(mode)


def file(mode):
    return lambda path, _: path.chmod(mode)


def of_another_user(_, monkeypatch):
    monkeypatch.setattr(private.os, "geteuid", lambda: os.getuid() + 1)


def outside_the_profile_of_windows(path, monkeypatch):
    monkeypatch.setattr(private, "_IS_WINDOWS", True)
    monkeypatch.setattr(private.Path, "home", lambda: path.parent / "profile")


@pytest.mark.parametrize(
    "spoil",
    [
        *map(folder, (0o775, 0o757, 0o777)),
        *map(file, (0o664, 0o646, 0o666)),
        of_another_user,
        outside_the_profile_of_windows,
    ],
    ids=[
        *(f"a folder of mode {mode}" for mode in (775, 757, 777)),
        *(f"a file of mode {mode}" for mode in (664, 646, 666)),
        "of another user",
        "on Windows outside the profile",
    ],
)
def test_nothing_is_read_that_others_can_write(trap, monkeypatch, spoil):
    files, trace = trap
    spoil(files._path(KEY), monkeypatch)
    assert files.load(KEY) is None
    assert not trace.exists()


def test_what_this_user_keeps_can_be_read_by_this_user_alone(tmp_path):
    files = jit._Files(str(tmp_path), "thruway.play")
    before = os.umask(0)
    try:
        files.save(KEY, "machine code")
    finally:
        os.umask(before)
    assert (files.load(KEY), files._path(KEY).stat().st_mode & 0o777) == ("machine code", 0o600)


# --- the folder -----------------------------------------------------------------------------------


@pytest.fixture
def place(monkeypatch, tmp_path):
    """A folder of sources, the user's cache folder, and `folder_for` without memory."""
    sources, caches = tmp_path / "sources", tmp_path / "caches"
    sources.mkdir()
    monkeypatch.setattr(nb.config, "CACHE_DIR", "")
    monkeypatch.setattr(private, "user_cache_path", lambda *_, **__: caches)
    private._warn.cache_clear()
    yield sources, caches
    private._warn.cache_clear()


def test_code_is_kept_beside_its_sources(place, capsys):
    sources, _ = place
    assert private.folder_for.__wrapped__(sources) == sources / "__pycache__"
    assert capsys.readouterr().err == ""


def test_sources_in_a_folder_that_others_can_write_keep_their_code_in_the_users_cache(
    place, capsys
):
    sources, caches = place
    (sources / "__pycache__").mkdir()
    (sources / "__pycache__").chmod(0o775)
    before = os.umask(0o002)
    try:
        found = private.folder_for.__wrapped__(sources)
    finally:
        os.umask(before)
    assert found.is_relative_to(caches)
    assert (found.stat().st_mode & 0o777, capsys.readouterr().err) == (0o755, "")


def test_a_named_folder_that_others_can_write_is_refused_in_one_line(
    place, monkeypatch, tmp_path, capsys
):
    sources, _ = place
    monkeypatch.setattr(nb.config, "CACHE_DIR", str(tmp_path / "named"))
    named = private.folder_for.__wrapped__(sources)
    assert named.parent == tmp_path / "named"
    named.chmod(0o777)
    assert private.folder_for.__wrapped__(sources) is None
    assert private.folder_for.__wrapped__(sources) is None
    assert capsys.readouterr().err == (
        f"shutoko: every start compiles anew: other users can write to {named} (chmod go-w "
        f"{named}); "
        "NUMBA_CACHE_DIR can name another folder\n"
    )


def test_two_folders_of_sources_share_no_folder(place, monkeypatch, tmp_path):
    sources, _ = place
    other = tmp_path / "other" / "sources"
    other.mkdir(parents=True)
    monkeypatch.setattr(nb.config, "CACHE_DIR", str(tmp_path / "named"))
    assert private.folder_for.__wrapped__(sources) != private.folder_for.__wrapped__(other)


def test_without_a_place_for_its_code_an_entry_is_compiled_all_the_same(monkeypatch):
    monkeypatch.setattr(private, "folder_for", lambda _: None)
    jit._marks.cache_clear()
    try:
        assert not jit.is_kept()
        jit.mark("thruway", "rules")
        assert not jit.is_marked("thruway", "rules")
    finally:
        jit._marks.cache_clear()

    @jit.njit_entry
    def double(number):
        return 2 * number

    assert double(4) == 8


def test_what_a_program_that_was_killed_left_beside_the_code_is_removed_by_the_next_one(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(nb.config, "CACHE_DIR", str(tmp_path))
    sources = tmp_path / "sources"
    folder = private.folder_for.__wrapped__(sources)
    left = folder / ".thruway.play.1.nbc.0a1b2c3d.shutoko-scratch"
    left.write_bytes(b"half of it")
    assert private.folder_for.__wrapped__(sources) == folder
    assert not left.exists()


def test_code_that_cannot_be_written_as_a_whole_leaves_the_old_code_and_nothing_else(
    tmp_path, monkeypatch
):
    path = tmp_path / "thruway.play.nbc"
    private.write(path, b"old")
    assert path.stat().st_mode & 0o777 == 0o600

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        private.write(path, b"new")
    assert [found.name for found in tmp_path.iterdir()] == [path.name]
    assert path.read_bytes() == b"old"
