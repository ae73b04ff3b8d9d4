"""The pieces of a box, from a file that is shipped or one of somebody's own; what a file must not
say is in tests/bad_input.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rules.errors import InputError
from sim.assets import names
from sim.pieces import Components, _load

SHIPPED = Path(__file__).resolve().parents[2] / "assets/components"


@pytest.mark.parametrize("name", names("components"))
def test_a_shipped_box_is_within_its_own_limits(name):
    assert Components.named(name).supplies.keys() == {2, 3, 4}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no FIFOs here")
def test_a_fifo_is_no_components_file(tmp_path):
    path = tmp_path / "box.toml"
    os.mkfifo(path)
    with pytest.raises(
        InputError, match=r"box\.toml: the components file cannot be read: not a regular file"
    ):
        _load.__wrapped__(str(path))


def test_a_file_that_was_changed_is_read_again(tmp_path, monkeypatch):
    text = (SHIPPED / "estimate-2018.toml").read_text(encoding="utf-8")
    path = tmp_path / "box.toml"
    monkeypatch.chdir(tmp_path)
    for length in ("110.0", "120.25"):
        path.write_text(text.replace("110.0", length, 1), encoding="utf-8")
        assert Components.named("box.toml").road_length == float(length)
