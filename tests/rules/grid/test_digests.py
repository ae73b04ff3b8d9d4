"""Digests of positions are what they were: records and other programs hold them."""

from __future__ import annotations

import pytest

import rules


@pytest.mark.parametrize(
    ("name", "options", "moves", "digest"),
    [
        ("meridians", {"size": 5}, (), "2dc340dc4b900f28"),
        ("meridians", {"size": 7, "pie": False}, ("d4", "b2"), "bbbe788d9aba4882"),
        ("thruway", {"size": 5}, (), "91444851ec761c9c"),
        ("thruway", {"size": 11}, ("b9-b10", "b9-c9"), "3847c4ff2b3f81e2"),
    ],
)
def test_a_digest_is_the_same_to_its_last_digit(name, options, moves, digest):
    state = rules.game(name, **options).start()
    for move in moves:
        state = state.after(move)
    assert state.digest() == digest
