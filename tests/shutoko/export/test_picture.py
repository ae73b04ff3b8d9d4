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
from PIL import Image

from rules.errors import InputError, UnavailableError
from rules.record import read
from rules.record.replay import begin, replay as replay_any
from shutoko.cli.common.workers import workers
from shutoko.export import clip as clips
from shutoko.export.clip import clip, legible, score
from shutoko.export.film import film, in_sight, turn_frames
from shutoko.export.picture import Studio, picture
from shutoko.export.rendering.camera import Camera
from shutoko.export.rendering.scene import PLAYER_COLOURS
from shutoko.export.rendering.shapes import mesh_of
from shutoko.export.share import Filming, pieces
from sim.assets import asset
from sim.bodies import Body, Box, Pose, from_axes, turn_between
from sim.game import replay
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


def pixel(image: Image.Image, camera: Camera, at: tuple[float, float, float]) -> np.ndarray:
    """The mean colour of 3 x 3 pixels around a point of the table."""
    x, y = camera.project(at, image.size).astype(int)
    return np.asarray(image, dtype=float)[y - 1 : y + 2, x - 1 : x + 2].mean((0, 1))


def test_a_picture_has_the_size_asked_for_and_is_written_where_asked(tmp_path: Path) -> None:
    path = tmp_path / "table.png"
    image = picture(table(), path, SIZE, samples=1)
    assert (image.size, image.mode) == (SIZE, "RGB")
    with Image.open(path) as written:
        assert written.tobytes() == image.tobytes()


def test_the_same_table_gives_the_same_bytes_and_another_seed_does_not(tmp_path: Path) -> None:
    first, again = tmp_path / "1.png", tmp_path / "2.png"
    picture(table(), first, SIZE)
    picture(table(), again, SIZE)
    assert first.read_bytes() == again.read_bytes()
    assert picture(table(), size=SIZE, seed=2) != picture(table(), size=SIZE)


@pytest.mark.parametrize(("seat", "channel"), [(0, 0), (1, 2), (2, 1)])
def test_a_car_has_its_owners_colour_where_the_camera_projects_it(seat: int, channel: int) -> None:
    car = BOX.body("C1", "car", Pose((30, -20, BOX.car_height / 2), from_axes(40, 0)), seat)
    bodies = [car, disc("D1", -30, 20, 0)]
    camera = Camera.fitting(bodies, SIZE)
    roof = pixel(picture(bodies, size=SIZE, camera=camera), camera, (29.3, -20.6, BOX.car_height))
    others = np.delete(roof, channel)
    assert roof[channel] > 1.4 * others.max()
    assert PLAYER_COLOURS[seat][channel] == max(PLAYER_COLOURS[seat])


def test_a_road_carries_its_owners_stripe_between_grey_lanes() -> None:
    road = BOX.body("R1", "road", Pose((0, 0, 1)), 1)
    camera = Camera.fitting([road], (640, 430))
    image = picture([road], size=(640, 430), camera=camera, samples=1)
    red, _, blue = pixel(image, camera, (20, 0, 2))
    assert blue > 1.5 * red
    lane = pixel(image, camera, (20, -3, 2))
    assert np.ptp(lane) < 40


def test_a_shadow_darkens_the_table_on_the_far_side_of_the_lamp() -> None:
    tower = BOX.building_body("B1", "tower", Pose((0, 0, BOX.buildings["tower"].height / 2)))
    camera = Camera.fitting([tower], SIZE)
    image = picture([tower], size=SIZE, camera=camera)
    lit, shaded = pixel(image, camera, (-26, -16, 0)), pixel(image, camera, (32, 19, 0))
    assert shaded.sum() < 0.7 * lit.sum()


def test_colours_given_by_id_replace_a_pieces_own() -> None:
    bodies = table()
    camera = Camera.fitting(bodies, SIZE)
    image = picture(bodies, size=SIZE, camera=camera, colours={"D1": (20, 200, 20)})
    red, green, blue = pixel(image, camera, (-56, -4, BOX.disc_height))
    assert green > 1.5 * max(red, blue)


def test_labels_are_written_over_the_picture() -> None:
    plain, labelled = (
        picture(table(), size=SIZE, samples=1),
        picture(table(), size=SIZE, samples=1, labels=True),
    )
    assert plain != labelled


def test_the_fitting_camera_sees_every_piece_whole_and_close() -> None:
    bodies = table()
    camera = Camera.fitting(bodies, SIZE, margin=0.05)
    corners = [
        np.array(body.pose.at) + np.array(body.shape.size) / 2 * (sx, sy, sz)
        for body in bodies
        if isinstance(body.shape, Box)
        for sx in (-1, 1)
        for sy in (-1, 1)
        for sz in (-1, 1)
    ]
    free = camera.project(corners, SIZE) / SIZE
    assert free.min() > 0.049
    assert free.max() < 0.951
    assert min(free.min(), 1 - free.max()) < 0.06


def test_nothing_behind_the_camera_is_projected() -> None:
    camera = Camera((0, -100, 100), (0, 0, 0))
    assert np.isnan(camera.project((0, -300, 300))).all()
    assert camera.project((0, 0, 0), (200, 100)) == pytest.approx((100, 50))


def test_an_empty_table_can_be_drawn() -> None:
    assert np.ptp(np.asarray(picture([], size=(48, 32), samples=1)).mean(-1)) > 0


@pytest.mark.parametrize("body", table(), ids=lambda body: body.id)
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


def test_what_a_studio_draws_does_not_depend_on_what_it_drew_before() -> None:
    bodies = table()
    camera = Camera.fitting(bodies, SIZE)
    moved = [
        body.at(Pose((15, -12, 40), from_axes(20, 30))) if body.id == "C1" else body
        for body in bodies
    ]
    used = Studio(camera, SIZE)
    for frame in (bodies, moved, bodies[:3], moved):
        assert np.array_equal(used.shoot(frame), Studio(camera, SIZE).shoot(frame))


def test_a_turn_sets_discs_then_the_road_then_the_car_and_ends_on_the_table_after() -> None:
    bodies = table()
    frames = turn_frames([bodies[4]], bodies)
    assert frames[0] == (bodies[4],)
    assert frames[-1] == tuple(sorted(bodies, key=lambda body: body.id))
    first_seen = {body.id: i for i, frame in reversed(list(enumerate(frames))) for body in frame}
    assert sorted(first_seen, key=first_seen.__getitem__) == ["B1", "D1", "D2", "R1", "C1"]
    heights = [body.pose.at[2] for frame in frames for body in frame if body.id == "R1"]
    assert heights == sorted(heights, reverse=True)


def test_pieces_that_fell_blend_to_where_they_landed_and_paid_ones_are_lifted_off() -> None:
    before = table()
    lying = Pose((0, -30, 3.5), from_axes(90, 0))
    after = [body.at(lying) if body.id == "C1" else body for body in before if body.id != "D2"]
    frames = turn_frames(before, after)
    path = [body.pose for frame in frames for body in frame if body.id == "C1"]
    turned = [turn_between(before[3].pose, pose) for pose in path]
    assert turned == sorted(turned)
    assert 0 < turned[len(turned) // 4] < turned[-1] == pytest.approx(90)
    paid = [body.pose.at[2] for frame in frames for body in frame if body.id == "D2"]
    assert paid[-1] > paid[0] + 50


def test_recorded_physics_is_shown_frame_by_frame_instead_of_a_blend() -> None:
    before = table()
    path = [{"C1": Pose((0, -10.0 * i, 15.5))} for i in range(1, 4)]
    after = [body.at(path[-1]["C1"]) if body.id == "C1" else body for body in before]
    frames = turn_frames(before, after, trajectory=path)
    shown = [body.pose for frame in frames for body in frame if body.id == "C1"]
    assert shown == [before[3].pose, *(frame["C1"] for frame in path), path[-1]["C1"]]


@pytest.mark.parametrize("suffix", [".gif", ".webp"])
def test_a_film_has_the_frames_and_the_length_asked_for(tmp_path: Path, suffix: str) -> None:
    bodies = table()
    frames = [[*bodies[:3], bodies[3].at(Pose((x, 0, 15.5)))] for x in (-20, 0, 0, 20)]
    path = film(frames, tmp_path / f"turn{suffix}", fps=10, size=(96, 64), hold=0.5)
    with Image.open(path) as shown:
        times = []
        for i in range(shown.n_frames):
            shown.seek(i)
            shown.load()
            times.append(shown.info["duration"])
        assert shown.size == (96, 64)
        assert times == [100, 200, 600]  # two equal frames are one that lasts as long


def test_pixels_far_from_the_moving_piece_do_not_flicker_in_a_gif(tmp_path: Path) -> None:
    bodies = table()
    frames = [[*bodies, BOX.body("C2", "car", Pose((x, -30, 3.5)), 1)] for x in (-40, -36, -32)]
    path = film(frames, tmp_path / "turn.gif", size=SIZE)
    with Image.open(path) as shown:
        corners = []
        for i in range(shown.n_frames):
            shown.seek(i)
            corners.append(np.asarray(shown.convert("RGB"))[:40, -60:])
    assert len(corners) == 3
    assert all(np.array_equal(corner, corners[0]) for corner in corners)


def test_a_missing_embreex_is_named_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "embreex.rtcore_scene", None)
    with pytest.raises(UnavailableError, match=r"pip install .*embreex"):
        picture(table(), size=(16, 16))


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
        call(table(), tmp_path)


def test_a_piece_that_comes_does_not_change_how_others_look() -> None:
    """Textures lie on a piece by its id: by its number on the table, a film would jump where a
    piece is set down.
    """
    bodies = table()
    camera = Camera.fitting(bodies, SIZE)
    more = [BOX.body("A0", "disc", Pose((-50, 60, BOX.disc_height / 2)), 0), *bodies]
    used = Studio(camera, SIZE)
    used.shoot(bodies)
    assert np.array_equal(used.shoot(more), Studio(camera, SIZE).shoot(more))


@pytest.mark.slow
def test_workers_draw_the_same_film(tmp_path: Path) -> None:
    bodies = table()
    frames = [[*bodies[:3], bodies[3].at(Pose((x - 10, 0, 15.5)))] for x in range(20)]
    alone = film(frames, tmp_path / "alone.gif", size=(96, 64))
    with workers(2) as executor:
        together = film(frames, tmp_path / "together.gif", size=(96, 64), executor=executor)
    assert alone.read_bytes() == together.read_bytes()


# --- clip ----------------------------------------------------------------------------------------


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
    assert bottom < 44
    assert right < plain[-1].shape[1] / 2
    assert (top, left) > (0, 0)


def test_letters_that_no_font_has_are_question_marks_and_never_empty_boxes(monkeypatch):
    monkeypatch.setattr(clips, "_system_fonts", lambda *_: iter(()))
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


@pytest.mark.parametrize(("ply", "longer"), [(3, 8), (10, 1)])
def test_a_clip_is_thinned_and_short_and_begins_near_and_slowly_where_pieces_fall(
    monkeypatch, ply, longer
):
    record = read(KNOCK)
    made, _ = begin(record)
    step = next(step for step in replay_any(record) if step.entry.ply == ply)
    shown = Filming(record, "blend").frames(
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
    assert clip(record, "gif", ply) == b"gif"
    ((some, how, signed),) = drawn
    assert (len(some), how["hold"], some[-1]) == (12, 1.6, every[-1])
    assert len(some) / how["fps"] == pytest.approx(3.6)
    falls = bool(step.verdict.fallen)
    assert (some[0] != every[0]) == falls
    assert signed[-1][600:].any() == falls, "a caption stands at the foot"
    far = Camera.fitting(in_sight(every), how["size"])
    assert (dist(how["camera"].eye, how["camera"].target) < dist(far.eye, far.target)) == falls
