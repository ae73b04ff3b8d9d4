"""Clips: one ply as a short film, small and quick, with the names and the score in the picture."""

from __future__ import annotations

import resource
from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from rules.errors import InputError, UnavailableError
from rules.record import read
from rules.record.replay import begin
from shutoko.export import clip as clips
from shutoko.export import video
from shutoko.export.clip import clip, legible, score
from shutoko.export.rendering.camera import Camera
from shutoko.export.rendering.layers import Layers
from shutoko.export.share import FPS, Filming, pieces
from sim.assets import asset
from sim.game import replay
from sim.game.attempts.posing import bodies

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


@pytest.mark.slow
def test_a_clip_of_a_board_shows_it_before_and_after_the_move():
    shots = frames(clip(read(BOARD), "gif"))
    assert len(shots) == 2
    assert np.abs(shots[0] - shots[1]).max() > 60


@pytest.mark.slow
def test_a_clip_as_mp4_is_one():
    try:
        video.ffmpeg()
    except UnavailableError:
        pytest.skip("no ffmpeg")
    data = clip(read(KNOCK), "mp4", 5)
    assert data[4:8] == b"ftyp"
    assert len(data) < 3_000_000


@pytest.mark.slow
def test_the_command_makes_a_clip_within_seconds_of_a_processor(shutoko, tmp_path):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = shutoko("export", KNOCK, tmp_path / "fall.gif", "--clip", "--ply", 12)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "fall.gif").stat().st_size < 3_000_000
    taken = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    # 4 s on a machine with nothing else to do; a film of `export --ply` takes 20
    assert taken < 10


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("x.png", "--clip"), "x.png: unknown suffix; choose from .gif, .mp4"),
        (("x.gif", "--clip", "--ply", "999"), "the record has no ply 999"),
        (("x.gif", "--clip", "--format", "ludii"), "--clip does not go with --format"),
    ],
)
def test_a_clip_that_cannot_be_is_refused_in_one_line(shutoko, arguments, said):
    done = shutoko("export", KNOCK, *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_record_without_plies_has_no_clip():
    record = read(KNOCK)
    with pytest.raises(InputError, match="no ply"):
        clip(replace(record, entries=(), end=None), "gif")


@pytest.mark.slow
def test_layers_draw_a_moving_piece_about_as_the_full_picture_does():
    from shutoko.export.picture import Studio

    table = bodies(replay.begin(read(asset("records", "scenarios", "V4.jsonl"))))
    moving = [body for body in table if body.kind == "disc"][:1]
    still = [body for body in table if body not in moving]
    size = (240, 160)
    camera = Camera.fitting(table, size)
    quick = Layers(camera, size, still).shoot(moving).astype(int)
    whole = Studio(camera, size).shoot(table).astype(int)
    bare = Studio(camera, size).shoot(still).astype(int)
    changed = np.abs(whole - bare).max(axis=2) > 40
    assert changed.sum() > 30
    error = np.abs(quick - whole).mean(axis=2)
    assert error[changed].mean() < 0.5 * np.abs(whole - bare).mean(axis=2)[changed].mean()
    assert error[~changed].mean() < 4


def test_layers_hide_a_moving_piece_behind_one_that_stands_nearer():
    from sim.bodies import Body, Cylinder, Pose

    near = Body("A-D1", "disc", Cylinder(30.0, 60.0), Pose((0.0, 0.0, 30.0)), 0.1, 0.5)
    far = Body("B-D1", "disc", Cylinder(6.0, 6.0), Pose((-15.0, 38.0, 3.0)), 0.1, 0.5)
    size = (160, 120)
    camera = Camera((110.0, -280.0, 150.0), (0.0, 0.0, 20.0))
    layers = Layers(camera, size, [near])
    x, y = camera.project(far.pose.at, size).astype(int)
    alone = Layers(camera, size, [])
    assert np.abs(alone.shoot([far]).astype(int) - alone.shoot([]))[y, x].max() > 10
    assert np.abs(layers.shoot([far]).astype(int) - layers.shoot([]))[y, x].max() < 3


def test_a_clip_thins_a_long_ply_and_keeps_its_ends():
    from shutoko.export import clip as module

    record = read(KNOCK)
    step = next(step for step in module.replay(record) if step.entry.ply == 3)
    made, _ = begin(record)
    every = Filming(record, "blend").frames(
        step, pieces(made, step.before), pieces(made, step.after)
    )
    some, times = module._thinned([frame for frame in every for _ in range(8)])
    assert len(some) == len(times) <= 21
    assert some[0] == every[0]
    assert some[-1] == every[-1]
    assert sum(times[:-1]) < len(every) * 8 / FPS * 1000
