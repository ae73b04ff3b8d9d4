"""A room under everything that may happen in it, in any order: pages, memory and disk agree after
each step.
"""

from __future__ import annotations

import pytest

from tests.shutoko.web.rooms.room_model import counts, run


@pytest.mark.slow
def test_pages_memory_and_disk_agree_after_every_step_of_a_room_in_any_order():
    run(1200, 40, at_random=False)
    assert counts["steps"] > 300
    assert counts["the computer answers"]
    assert counts["at once"]
    assert counts["the server is killed"]
    assert counts["yes"]
