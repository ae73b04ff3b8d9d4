from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from sim.photo.finding.finder import Found


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

    def found(pixels, focal):
        if pixels.shape[:2] == (size.height, size.width):
            return shipped_photo
        return find(pixels, focal)

    monkeypatch.setattr(together, "find", found)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """What runs the tests that are coroutines, those with the mark `anyio`."""
    return "asyncio"
