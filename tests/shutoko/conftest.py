from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

import pytest

from shutoko.cli import main

if TYPE_CHECKING:
    from sim.photo.finding.finder import Found


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Runs a command in an empty folder: `line` has its words, `more` what is no word, `typed` its
    input, `code` its exit code (None: any). What it says, but for what compiling says.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))

    def command(line: str, *more: object, typed: str | bytes = "", code: int | None = 0):
        data = typed if isinstance(typed, bytes) else typed.encode()
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))
        try:
            ended = main([*line.split(), *map(str, more)])
        except SystemExit as end:
            ended = end.code
        said = capsys.readouterr()
        assert code in (None, ended), said
        return said._replace(err=re.sub(r"(?m)^shutoko: compiling .*\n", "", said.err))

    return command


@pytest.fixture
def note(run):
    """Notes a game with these answers: what is said."""

    def answered(answers: list[str], *options: str, file: str = "g.jsonl") -> str:
        return run(f"record {file}", *options, typed="\n".join([*answers, ""])).out

    return answered


@pytest.fixture(scope="session")
def shipped_photo() -> Found:
    """What is found in the shipped photo."""
    pytest.importorskip("cv2", reason="needs shutoko[photo]")
    import numpy as np

    from shutoko.export.photograph import open_photo
    from sim.assets import asset
    from sim.photo.finding.finder import find

    photo = open_photo(asset("photos", "table.jpg"))
    return find(np.asarray(photo.image), photo.focal)


@pytest.fixture
def found_once(monkeypatch: pytest.MonkeyPatch, shipped_photo: Found) -> None:
    """Looking for roads takes seconds: every photo as large as the shipped one shows what was found
    there, by its own size and focal length.
    """
    from sim.photo.finding import together

    size, find = shipped_photo.marks.image, together.find

    def found(pixels, focal, components):
        if pixels.shape[:2] == (size.height, size.width):
            return shipped_photo
        return find(pixels, focal, components=components)

    monkeypatch.setattr(together, "find", found)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """What runs the tests that are coroutines, those with the mark `anyio`."""
    return "asyncio"
