"""Pictures and films: what they show, where, and that the same table always gives the same
bytes.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from io import BytesIO
from math import dist
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageSequence

from rules.errors import InputError, UnavailableError
from rules.record import read
from rules.record.replay import begin, replay as replay_any
from shutoko.cli.common.workers import workers
from shutoko.export import clip as clips
from shutoko.export.clip import clip, legible, score
from shutoko.export.film import film, in_sight, turn_frames
from shutoko.export.picture import Studio, picture
from shutoko.export.rendering.camera import Camera
from shutoko.export.rendering.shapes import mesh_of
from shutoko.export.share import Filming, pieces
from sim.assets import asset
from sim.bodies import Body, Box, Pose, from_axes, turn_between
from sim.game import replay
from sim.game.highway import Position
from sim.pieces import Components

SIZE = (192, 128)
BOX = Components.named("estimate-2018")


def disc(name: str, x: float, y: float, level: int, *, junction: bool = False) -> Body:
    return BOX.body(name, "disc", Pose((x, y, BOX.disc_height * (level + 0.5))), 0, junction)


def table() -> list[Body]:
    """Two pillars of one disc, a road of seat 0 on them with a car of seat 0, and a building."""
    top = BOX.disc_height + BOX.road_thickness
    return [
        disc("D1", -50, 0, 0),
        disc("D2", 50, 0, 0, junction=True),
        BOX.body("R1", "road", Pose((0, 0, BOX.disc_height + BOX.road_thickness / 2)), 0),
        BOX.body("C1", "car", Pose((0, 0, top + BOX.car_height / 2)), 0),
        BOX.building_body("B1", "block", Pose((10, 90, BOX.buildings["block"].height / 2))),
    ]


TABLE = table()
CAMERA = Camera.fitting(TABLE, SIZE)


def pixel(image: Image.Image, camera: Camera, at: tuple[float, float, float]) -> np.ndarray:
    """The mean colour of 3 x 3 pixels around a point of the table."""
    x, y = camera.project(at, image.size).astype(int)
    return np.asarray(image, dtype=float)[y - 1 : y + 2, x - 1 : x + 2].mean((0, 1))


def test_a_picture_has_the_size_asked_for_and_is_written_where_asked(tmp_path: Path) -> None:
    path = tmp_path / "table.png"
    image = picture(TABLE, path, SIZE, samples=1)
    assert (image.size, image.mode) == (SIZE, "RGB")
    with Image.open(path) as written:
        assert written.tobytes() == image.tobytes()
    assert picture(TABLE, size=SIZE, samples=1, labels=True) != image
    assert np.ptp(np.asarray(picture([], size=(48, 32), samples=1)).mean(-1)) > 0


def test_the_same_table_gives_the_same_bytes_and_another_seed_does_not() -> None:
    one, again, other = (picture(TABLE, size=SIZE, seed=seed).tobytes() for seed in (1, 1, 2))
    assert one == again != other


def car(seat: int) -> Body:
    return BOX.body("C1", "car", Pose((30, -20, BOX.car_height / 2), from_axes(40, 0)), seat)


ROAD = BOX.body("R1", "road", Pose((0, 0, 1)), 1)


@pytest.mark.parametrize(
    ("bodies", "at", "channel", "size"),
    [
        *(
            ([car(seat), disc("D1", -30, 20, 0)], (29.3, -20.6, BOX.car_height), channel, SIZE)
            for seat, channel in ((0, 0), (1, 2), (2, 1))
        ),
        (TABLE, (-56, -4, BOX.disc_height), 1, SIZE),
        ([ROAD], (20, 0, 2), 2, (640, 430)),
        ([ROAD], (20, -3, 2), None, (640, 430)),
    ],
    ids=["car 0", "car 1", "car 2", "a colour given by id", "a road's stripe", "a road's lane"],
)
def test_a_piece_has_its_colour_where_the_camera_projects_it(
    bodies: list[Body], at: tuple[float, float, float], channel: int | None, size: Any
) -> None:
    camera = Camera.fitting(bodies, size)
    colours = {"D1": (20, 200, 20)} if bodies is TABLE else None
    seen = pixel(picture(bodies, size=size, camera=camera, colours=colours), camera, at)
    if channel is None:
        assert np.ptp(seen) < 40
    else:
        assert seen[channel] > 1.4 * np.delete(seen, channel).max()


def test_a_shadow_darkens_the_table_on_the_far_side_of_the_lamp() -> None:
    tower = BOX.building_body("B1", "tower", Pose((0, 0, BOX.buildings["tower"].height / 2)))
    camera = Camera.fitting([tower], SIZE)
    image = picture([tower], size=SIZE, camera=camera)
    lit, shaded = pixel(image, camera, (-26, -16, 0)), pixel(image, camera, (32, 19, 0))
    assert shaded.sum() < 0.7 * lit.sum()


def test_the_fitting_camera_sees_every_piece_whole_and_close() -> None:
    camera = Camera.fitting(TABLE, SIZE, margin=0.05)
    corners = [
        np.array(body.pose.at) + np.array(body.shape.size) / 2 * (sx, sy, sz)
        for body in TABLE
        if isinstance(body.shape, Box)
        for sx in (-1, 1)
        for sy in (-1, 1)
        for sz in (-1, 1)
    ]
    free = camera.project(corners, SIZE) / SIZE
    assert 0.049 < free.min() <= free.max() < 0.951
    assert min(free.min(), 1 - free.max()) < 0.06


def test_nothing_behind_the_camera_is_projected() -> None:
    camera = Camera((0, -100, 100), (0, 0, 0))
    assert np.isnan(camera.project((0, -300, 300))).all()
    assert camera.project((0, 0, 0), (200, 100)) == pytest.approx((100, 50))


@pytest.mark.parametrize("body", TABLE, ids=lambda body: body.id)
def test_a_mesh_fills_its_bodys_shape_and_never_leaves_it(body: Body) -> None:
    mesh = mesh_of(body.kind, body.shape)
    half = np.array(body.shape.size if isinstance(body.shape, Box) else (20, 20, 10)) / 2
    points = mesh.corners.reshape(-1, 3)
    assert np.allclose(points.max(0), half, atol=1e-3)
    assert np.allclose(points.min(0), -half, atol=1e-3)
    faces = np.cross(
        mesh.corners[:, 1] - mesh.corners[:, 0], mesh.corners[:, 2] - mesh.corners[:, 0]
    )
    assert (np.einsum("ij,ikj->ik", faces, mesh.normals) > 0).all()


@pytest.mark.parametrize("moves", [(), ("A0", "C1")])
def test_what_a_studio_draws_of_a_piece_does_not_depend_on_what_it_drew_before(
    moves: tuple[str, ...],
) -> None:
    """Textures lie on a piece by its id: by its number on the table, a film would jump where a
    piece is set down. What is known to move is drawn as if it was not.
    """
    moved = [
        body.at(Pose((15, -12, 40), from_axes(20, 30))) if body.id == "C1" else body
        for body in TABLE
    ]
    more = [BOX.body("A0", "disc", Pose((-50, 60, BOX.disc_height / 2)), 0), *TABLE]
    used = Studio(CAMERA, SIZE, moves=moves)
    for frame in (TABLE, moved, TABLE[:3], moved, more):
        assert np.array_equal(used.shoot(frame), Studio(CAMERA, SIZE, moves=moves).shoot(frame))
        assert (used.shoot(frame) != Studio(CAMERA, SIZE).shoot(frame)).any(-1).sum() <= 5


def test_a_turn_sets_discs_then_the_road_then_the_car_and_ends_on_the_table_after() -> None:
    frames = turn_frames([TABLE[4]], TABLE)
    assert frames[0] == (TABLE[4],)
    assert frames[-1] == tuple(sorted(TABLE, key=lambda body: body.id))
    first_seen = {body.id: i for i, frame in reversed(list(enumerate(frames))) for body in frame}
    assert sorted(first_seen, key=first_seen.__getitem__) == ["B1", "D1", "D2", "R1", "C1"]
    heights = [body.pose.at[2] for frame in frames for body in frame if body.id == "R1"]
    assert heights == sorted(heights, reverse=True)


def test_pieces_that_fell_blend_to_where_they_landed_and_paid_ones_are_lifted_off() -> None:
    lying = Pose((0, -30, 3.5), from_axes(90, 0))
    after = [body.at(lying) if body.id == "C1" else body for body in TABLE if body.id != "D2"]
    frames = turn_frames(TABLE, after)
    path = [body.pose for frame in frames for body in frame if body.id == "C1"]
    turned = [turn_between(TABLE[3].pose, pose) for pose in path]
    assert turned == sorted(turned)
    assert 0 < turned[len(turned) // 4] < turned[-1] == pytest.approx(90)
    paid = [body.pose.at[2] for frame in frames for body in frame if body.id == "D2"]
    assert paid[-1] > paid[0] + 50


def test_recorded_physics_is_shown_frame_by_frame_instead_of_a_blend() -> None:
    path = [{"C1": Pose((0, -10.0 * i, 15.5))} for i in range(1, 4)]
    after = [body.at(path[-1]["C1"]) if body.id == "C1" else body for body in TABLE]
    frames = turn_frames(TABLE, after, trajectory=path)
    shown = [body.pose for frame in frames for body in frame if body.id == "C1"]
    assert shown == [TABLE[3].pose, *(frame["C1"] for frame in path), path[-1]["C1"]]


def shots(data: bytes) -> list[np.ndarray]:
    """The pictures of a film."""
    image = Image.open(BytesIO(data))
    pictures = (frame.convert("RGB") for frame in ImageSequence.Iterator(image))
    return [np.asarray(one).astype(int) for one in pictures]


@pytest.mark.parametrize("suffix", [".gif", ".webp"])
def test_a_film_has_the_frames_and_the_length_asked_for(tmp_path: Path, suffix: str) -> None:
    frames = [[*TABLE[:3], TABLE[3].at(Pose((x, 0, 15.5)))] for x in (-20, 0, 0, 20)]
    path = film(frames, tmp_path / f"turn{suffix}", fps=10, size=(96, 64), hold=0.5)
    with Image.open(path) as shown:
        times = [(one.load(), one.info["duration"])[1] for one in ImageSequence.Iterator(shown)]
        # two equal frames are one that lasts as long
        assert (shown.size, times) == ((96, 64), [100, 200, 600])


def test_pixels_far_from_the_moving_piece_do_not_flicker_in_a_gif(tmp_path: Path) -> None:
    frames = [[*TABLE, BOX.body("C2", "car", Pose((x, -30, 3.5)), 1)] for x in (-40, -36, -32)]
    first, *others = shots(film(frames, tmp_path / "turn.gif", size=SIZE).read_bytes())
    assert [np.array_equal(one[:40, -60:], first[:40, -60:]) for one in others] == [True, True]


def test_a_missing_embreex_is_named_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "embreex.rtcore_scene", None)
    with pytest.raises(UnavailableError, match=r"pip install .*embreex"):
        picture(TABLE, size=(16, 16))


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda bodies, _: picture(bodies, samples=0), "samples"),
        (
            lambda bodies, _: picture(bodies, size=(16, 16), camera=Camera((0, 0, 300), (0, 0, 0))),
            "straight",
        ),
        (lambda bodies, folder: film([bodies], folder / "turn.mov"), r"\.gif, \.webp, \.mp4"),
        (lambda bodies, folder: film([], folder / "turn.gif"), "0 frames"),
        (lambda bodies, _: turn_frames([bodies[0], bodies[0]], bodies), "'D1'"),
    ],
)
def test_unusable_arguments_are_refused(tmp_path: Path, call: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        call(TABLE, tmp_path)


@pytest.mark.slow
def test_workers_draw_the_same_film(tmp_path: Path) -> None:
    frames = [[*TABLE[:3], TABLE[3].at(Pose((x - 10, 0, 15.5)))] for x in range(20)]
    alone = film(frames, tmp_path / "alone.gif", size=(96, 64))
    with workers(2) as executor:
        together = film(frames, tmp_path / "together.gif", size=(96, 64), executor=executor)
    assert alone.read_bytes() == together.read_bytes()


# --- clip ----------------------------------------------------------------------------------------


KNOCK = read(asset("records", "knock.jsonl"))
BOARD = read(asset("records", "boards", "thruway-opening.jsonl"))


@pytest.mark.slow
def test_a_clip_shows_one_ply_small_and_the_same_each_time_the_last_one_unasked():
    data = clip(KNOCK, "gif", 5)
    assert (data, data[:3]) == (clip(KNOCK, "gif", 5), b"GIF")
    assert len(data) < 3_000_000
    shown = shots(data)
    assert 5 < len(shown) <= 30
    # something happens on the table below the plates
    assert np.abs(shown[0][40:] - shown[len(shown) // 2][40:]).max() > 60
    last = max(entry.ply for entry in KNOCK.entries if not entry.taken_back)
    assert clip(KNOCK, "gif") == clip(KNOCK, "gif", last) != data


@pytest.mark.slow
def test_names_and_the_score_of_each_player_are_in_the_picture():
    header = replace(KNOCK.header, players=("Mia", KNOCK.header.players[1]))
    *_, plain = shots(clip(KNOCK, "gif", 5))
    *_, named = shots(clip(replace(KNOCK, header=header), "gif", 5))
    differs = np.argwhere(np.abs(plain - named).max(axis=2) > 40)
    assert tuple(differs.min(axis=0)) > (0, 0)
    bottom, right = differs.max(axis=0)
    assert (bottom < 44, right < plain.shape[1] / 2) == (True, True)


def test_letters_that_no_font_has_are_question_marks_and_never_empty_boxes(monkeypatch):
    monkeypatch.setattr(clips, "_system_fonts", lambda *_: iter(()))
    assert legible("민수 Ann Zoë") == "?? Ann Zoë"


def test_the_score_is_the_cars_that_are_left_on_a_table_and_the_pieces_on_a_board():
    made, _ = begin(KNOCK)
    *_, last = replay.trusted(KNOCK)
    scores = [score(made, Position(last.after, "none"), seat) for seat in (0, 1)]
    assert scores == [stock.cars for stock in last.after.stocks]
    game, state = begin(BOARD)
    assert score(game, state, 0) == 0
    for entry in BOARD.entries[:2]:
        state = state.after(str(entry.do))
    assert {score(game, state, seat) for seat in (0, 1)} != {0}


def test_a_clip_of_a_board_shows_it_before_and_after_the_move_and_none_without_plies():
    before, after = shots(clip(BOARD, "gif"))
    assert np.abs(before - after).max() > 60
    with pytest.raises(InputError, match="no ply"):
        clip(replace(KNOCK, entries=(), end=None), "gif")


@pytest.mark.parametrize(("ply", "longer"), [(3, 8), (10, 1)])
def test_a_clip_is_thinned_and_short_and_begins_near_and_slowly_where_pieces_fall(
    monkeypatch, ply, longer
):
    made, _ = begin(KNOCK)
    step = next(step for step in replay_any(KNOCK) if step.entry.ply == ply)
    shown = Filming(KNOCK, "blend").frames(
        step, pieces(made, step.before), pieces(made, step.after)
    )
    every = [frame for frame in shown for _ in range(longer)]
    drawn: list[Any] = []

    def blank(kind: str, frames: Any, **how: Any) -> bytes:
        ground = np.zeros((*reversed(how["size"]), 3), np.uint8)
        drawn.append((frames, how, how["over"]([ground] * 3)))
        return kind.encode()

    monkeypatch.setattr(clips, "film_data", blank)
    monkeypatch.setattr(Filming, "frames", lambda *_: every)
    assert clip(KNOCK, "gif", ply) == b"gif"
    ((some, how, signed),) = drawn
    assert (len(some), how["hold"], some[-1]) == (12, 1.6, every[-1])
    assert len(some) / how["fps"] == pytest.approx(3.6)
    falls = bool(step.verdict.fallen)
    assert (some[0] != every[0]) == falls
    assert signed[-1][600:].any() == falls, "a caption stands at the foot"
    far = Camera.fitting(in_sight(every), how["size"])
    assert (dist(how["camera"].eye, how["camera"].target) < dist(far.eye, far.target)) == falls
