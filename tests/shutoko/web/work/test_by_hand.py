"""Pieces in the hand of a visitor, as the server sees it."""

from __future__ import annotations

import time

import pytest

pytest.importorskip("nicegui", reason="the pages need shutoko[web]")

from shutoko.web.work.by_hand import Grip


def traces(seconds: float) -> list[list[list[float]]]:
    return [[[0.0, 0.0, 0.0, 30.0, 0.0], [seconds, 0.0, 0.0, 0.0, 0.0]]]


@pytest.mark.parametrize(
    ("passed", "said", "fine"),
    [
        (3.0, 2.8, True),
        (20.0, 2.8, True),  # a slow network kept the message
        (3.0, 30.0, False),  # nobody has held them for so long yet
        (600.0, 2.8, False),
    ],
)
def test_a_slow_network_costs_nobody_a_try_and_nobody_claims_more_time_than_has_passed(
    passed: float, said: float, fine: bool
) -> None:
    assert Grip("x", (), time.monotonic() - passed).lasted(traces(said)) == fine
