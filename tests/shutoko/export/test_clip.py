"""Clips: one ply as a short film, small and quick, with the names and the score in the picture."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from PIL import Image

from rules.errors import InputError
from rules.record import read
from rules.record.replay import begin, replay as replay_any
from shutoko.export import clip as clips
from shutoko.export.clip import clip, legible, score
from shutoko.export.rendering.camera import Camera
from shutoko.export.share import Filming, pieces
from sim.assets import asset
from sim.game import replay

KNOCK = asset("records", "knock.jsonl")
BOARD = asset("records", "boards", "thruway-opening.jsonl")


def frames(data: bytes) -> list[np.ndarray]:
    image = Image.open(BytesIO(data))
    found = []
    for n in range(image.n_frames):
        image.seek(n)
        found.append(np.asarray(image.convert("RGB")).astype(int))
    return found


@pytest.mark.slow
def test_a_clip_shows_one_ply_small_and_the_same_each_time():
    record = read(KNOCK)
    data = clip(record, "gif", 5)
    assert data == clip(record, "gif", 5)
    assert data[:6] in (b"GIF87a", b"GIF89a")
    assert len(data) < 3_000_000
    shots = frames(data)
    assert 5 < len(shots) <= 30
    # something happens on the table below the plates
    assert np.abs(shots[0][40:] - shots[len(shots) // 2][40:]).max() > 60
    assert data != clip(record, "gif", 6)


@pytest.mark.slow
def test_a_clip_ends_with_the_table_of_its_own_ply_and_the_last_one_is_chosen_unasked():
    record = read(KNOCK)
    last = max(entry.ply for entry in record.entries if not entry.taken_back)
    assert clip(record, "gif") == clip(record, "gif", last)


@pytest.mark.slow
def test_names_and_the_score_of_each_player_are_in_the_picture():
    record = read(KNOCK)
    plain = frames(clip(record, "gif", 5))
    other = replace(
        record, header=replace(record.header, players=("Mia", record.header.players[1]))
    )
    named = frames(clip(other, "gif", 5))
    differs = np.argwhere(np.abs(plain[-1] - named[-1]).max(axis=2) > 40)
    assert len(differs)
    top, left = differs.min(axis=0)
    bottom, right = differs.max(axis=0)
    assert bottom < 32
    assert right < plain[-1].shape[1] / 2
    assert (top, left) > (0, 0)


def test_letters_that_no_font_has_are_question_marks_and_never_empty_boxes(monkeypatch):
    monkeypatch.setattr(clips, "_system_fonts", lambda _fonts: iter(()))
    assert legible("민수 Ann Zoë") == "?? Ann Zoë"


def test_the_score_is_the_cars_that_are_left_on_a_table_and_the_pieces_on_a_board():
    record = read(KNOCK)
    made, _ = begin(record)
    table = list(replay.trusted(record))[-1].after
    from sim.game.highway import Position

    assert [score(made, Position(table, "none"), seat) for seat in (0, 1)] == [
        stock.cars for stock in table.stocks
    ]
    board = read(BOARD)
    game, state = begin(board)
    assert score(game, state, 0) == 0
    for entry in board.entries[:2]:
        state = state.after(str(entry.do))
    assert sorted(score(game, state, seat) for seat in (0, 1)) != [0, 0]


def test_a_clip_of_a_board_shows_it_before_and_after_the_move():
    shots = frames(clip(read(BOARD), "gif"))
    assert len(shots) == 2
    assert np.abs(shots[0] - shots[1]).max() > 60


def test_a_record_without_plies_has_no_clip():
    record = read(KNOCK)
    with pytest.raises(InputError, match="no ply"):
        clip(replace(record, entries=(), end=None), "gif")


def test_a_clip_thins_a_long_ply_to_twenty_pictures_in_five_seconds_and_keeps_its_ends(monkeypatch):
    record = read(KNOCK)
    made, _ = begin(record)
    step = next(step for step in replay_any(record) if step.entry.ply == 3)
    every = Filming(record, "blend").frames(
        step, pieces(made, step.before), pieces(made, step.after)
    )
    drawn: list[list[Any]] = []

    def blank(frames: Any, fps: float, size: tuple[int, int], hold: float, camera: Camera) -> Any:
        drawn.append([frames, fps, hold])
        return [np.zeros((*reversed(size), 3), np.uint8)], [1000]

    monkeypatch.setattr(clips, "shots", blank)
    monkeypatch.setattr(Filming, "frames", lambda *_: [frame for frame in every for _ in range(8)])
    clip(record, "gif", 3)
    ((some, fps, hold),) = drawn
    assert len(some) == 20
    assert (some[0], some[-1]) == (every[0], every[-1])
    assert (len(some) / fps, hold) == (5.0, 1.6)
