"""What a record can be made into, and the command that does it."""

from __future__ import annotations

import base64
import json
import re
import sys
from dataclasses import replace
from io import BytesIO
from typing import Any
from unittest.mock import Mock
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PIL import Image

from sim.installing import install

pytest.importorskip("nicegui", reason="offline pages take three.js from shutoko[web]")

from rules import record
from rules.errors import InputError
from rules.record import Entry, Header, Record
from rules.record.replay import Step
from rules.view import SceneView
from shutoko.export import mjcf, packed, video
from shutoko.export.share import KINDS, share
from sim.assets import asset
from sim.bodies import Body, Box, Cylinder, Pose, turn_between
from sim.game import replay
from sim.game.attempts.posing import bodies
from sim.languages import Sentence

TABLE = replay.branch(record.read(asset("records", "two-cars.jsonl")), 3)
BODY = Body("A-P0.1", "disc", Cylinder(10.0, 10.0), Pose((0.0, 0.0, 5.0)), 1.0, 0.3, 0)
BOARD = record.read(asset("records", "boards", "thruway-opening.jsonl"))


def page_of(given: Record, **how: object) -> tuple[str, dict[str, Any]]:
    """The offline page of a record, and the data in it."""
    page = share(given, "html", **how).decode()
    data = re.search(r'type="application/json">(.*?)</script>', page)
    return page, json.loads(data[1])


def test_the_record_itself_is_shared_byte_by_byte():
    assert share(BOARD, "jsonl") == asset("records", "boards", "thruway-opening.jsonl").read_bytes()


@pytest.mark.slow
def test_a_board_is_shared_as_drawing_picture_animation_and_page():
    assert b"<svg" in share(BOARD, "svg")
    made = ("png", None), ("gif", None), ("gif", 2)
    still, film, part = (Image.open(BytesIO(share(BOARD, *how))) for how in made)
    assert (film.size, film.n_frames, part.n_frames) == (still.size, BOARD.next_ply + 1, 4)
    _, data = page_of(BOARD)
    assert len(data["pictures"]) == len(data["leaves"]) + 1 == BOARD.next_ply + 1


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "ann builds A-P0"), ("fr", "ann construit le pilier A-P0"), ("ko", "A-P0 기둥")],
)
def test_a_page_that_plays_offline_speaks_the_language_that_is_asked_for(language, said):
    given = replay.branch(TABLE, 1)
    given = replace(given, header=replace(given.header, players=("ann", "bo")))
    page, data = page_of(given, language=language)
    assert said in data["leaves"][0][0]
    assert f'<html lang="{language}">' in page
    assert f'aria-label="{Sentence("play").told(language)}"' in page


def test_a_page_asks_nothing_of_the_network_and_holds_no_tag_of_a_record():
    nasty = "</script><script>alert(1)</script>"
    given = replace(TABLE, header=replace(TABLE.header, players=(nasty, "b")))
    page = share(given, "html").decode()
    assert nasty not in page
    assert not re.search(r'(?:src|href)="(?!data:)', page)


def test_a_model_is_a_glb_file_with_a_node_for_every_piece_and_a_track_for_what_moves():
    data = share(TABLE, "glb")
    assert data[:4] == b"glTF"
    length = int.from_bytes(data[12:16], "little")
    model = json.loads(data[20 : 20 + length])
    *_, last = replay.trusted(TABLE)
    assert {body.id for body in bodies(last.after)} <= {node["name"] for node in model["nodes"]}
    moving = [channel["target"]["node"] for channel in model["animations"][0]["channels"]]
    assert {"A-R0", "B-R0", "A-R1"} <= {model["nodes"][node]["name"] for node in moving}
    for view in model["bufferViews"]:
        assert view["byteOffset"] + view["byteLength"] <= model["buffers"][0]["byteLength"]
    parts = [part["attributes"] for mesh in model["meshes"] for part in mesh["primitives"]]
    painted = [model["accessors"][part["COLOR_0"]] for part in parts if "COLOR_0" in part]
    assert painted
    for accessor in painted:  # trimesh cuts colours of three numbers in fours
        assert accessor["type"] == "VEC4"
        start = 28 + length + model["bufferViews"][accessor["bufferView"]]["byteOffset"]
        colours = np.frombuffer(data, "<f4", 4 * accessor["count"], start).reshape(-1, 4)
        assert (colours.min() >= 0, colours[:, 3].min(), colours.max()) == (True, 1, 1)
        assert len(np.unique(colours[:, :3])) > 1


def test_films_say_which_plies_physics_does_not_do_again_and_refuse_to_pass_a_blend_for_physics():
    header = replace(TABLE.header, physics={"engine": "havok"})
    foreign = replace(replay.branch(TABLE, 1), header=header)
    told = []
    blended = share(foreign, "glb", tell=told.append)
    assert share(foreign, "glb", film="blend", tell=told.append) == blended
    why = "ply 0: the record's engine havok is not installed"
    assert told == [f"{why}: the film blends the poses before and after"]
    with pytest.raises(InputError, match="ply 0: the record's engine havok"):
        share(foreign, "glb", film="physics")


def test_a_game_of_pieces_without_a_referee_is_filmed_by_a_blend_and_told_move_by_move(monkeypatch):
    class Tower:
        """A disc more at each ply; a position is how many there are."""

        name, seats, options = "tower", 1, {}

        def view(self, state, before=None, last=None):
            return SceneView(
                tuple(
                    replace(BODY, id=f"A-P{n}.1", pose=Pose((0.0, 0.0, 5.0 + 10 * n)))
                    for n in range(state)
                )
            )

    given = Record(Header("tower", ("Ann",))).plus(Entry(0, 0, "up")).plus(Entry(1, 0, "up"))
    steps = [Step(entry, "up", n, n + 1, None, ("Ann",)) for n, entry in enumerate(given.entries)]
    monkeypatch.setattr("shutoko.export.share.begin", lambda record: (Tower(), 0))
    monkeypatch.setattr("shutoko.export.share.replay", lambda record: iter(steps))
    _, data = page_of(given)
    assert [leaf[0] for leaf in data["leaves"]] == ["0. Ann: up", "1. Ann: up"]
    assert [len(keys) for keys, _ in data["tables"]] == [0, 1, 2]
    assert all(keys for keys, *_ in data["films"])
    assert share(given, "glb")[:4] == b"glTF"
    with pytest.raises(InputError, match="take png for tower"):
        share(given, "svg")


@pytest.mark.parametrize(
    ("given", "kind", "ply", "why"),
    [
        (BOARD, "glb", None, "thruway has png, svg, gif, mp4 and html"),
        (TABLE, "svg", None, "take png for tokyo-highway"),
        (BOARD, "exe", None, "exe"),
        (BOARD, "png", 99, "no ply 99"),
    ],
)
def test_a_kind_of_file_or_a_ply_that_a_game_lacks_is_refused(given, kind, ply, why):
    assert set(KINDS) == {"jsonl", "png", "svg", "gif", "mp4", "html", "glb", "xml"}
    with pytest.raises(InputError, match=why):
        share(given, kind, ply)


def unpacked(poses: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(poses), "<i2").reshape(-1, 6)


def test_packed_poses_are_true_to_hundredths_of_a_millimetre_and_of_a_degree():
    *_, last = replay.trusted(TABLE)
    every = bodies(last.after)
    numbers = unpacked(packed.packed_poses([body.pose for body in every]))
    for body, row in zip(every, numbers.tolist(), strict=True):
        assert [value * packed.UNIT for value in row[:3]] == pytest.approx(
            body.pose.at, abs=packed.UNIT / 2 + 1e-9
        )
        i, j, k = (value / 32767 for value in row[3:])
        turned = body.pose._replace(quat=(i, j, k, max(0.0, 1 - i * i - j * j - k * k) ** 0.5))
        assert turn_between(turned, body.pose) < 0.05


def test_a_film_holds_only_what_moves_and_says_when_a_piece_is_not_there_yet():
    *_, last = replay.trusted(TABLE)
    before, after = bodies(last.before), bodies(last.after)
    made = packed.film([before, before, after])
    numbers = unpacked(made.poses).reshape(3, len(made.keys), 6)
    new = [n for n, name in enumerate(made.keys) if name not in {body.id for body in before}]
    assert len(new) == len(after) - len(before)
    assert (numbers[:2, new, 0] == packed.ABSENT).all()
    assert (numbers[2, :, 0] != packed.ABSENT).all()


def test_sixty_frames_of_a_full_table_in_motion_stay_under_two_hundred_kibibytes():
    poses = [BODY.pose._replace(at=(n * 0.5, 1.0, 5.0)) for n in range(60)]
    made = packed.film(
        [[replace(BODY, id=f"A-P{i}.1", pose=at) for i in range(168)] for at in poses]
    )
    assert (len(made.keys), made.count, made.seconds) == (168, 60, pytest.approx(3.0))
    assert len(made.poses) + len(json.dumps(made.keys)) < 200 * 1024


def test_a_long_film_keeps_its_length_and_loses_frames():
    frames = [[BODY.at(BODY.pose._replace(at=(float(n), 1.0, 5.0)))] for n in range(301)]
    made = packed.film(frames, fps=20)
    assert (made.count, made.dt * (made.count - 1)) == (90, pytest.approx(300 / 20))
    assert packed.film([frames[0]] * 5) is None


# --- films as .mp4, tables for simulators -------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "more"),
    [("export RECORD", ["a.png", "a.mp4"]), ("replay RECORD", ["--film", "a.mp4"])],
)
def test_a_film_that_needs_ffmpeg_is_refused_before_the_work_where_there_is_none(
    run, monkeypatch, words, more
):
    monkeypatch.setattr("shutoko.export.video.shutil.which", lambda name: None)
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    monkeypatch.setattr("shutoko.export.share.share", NO_WORK)
    monkeypatch.setattr("sim.game.replay.steps", NO_WORK)
    given = words.replace("RECORD", str(asset("records", "two-cars.jsonl")))
    told = f"films as .mp4 need ffmpeg: install it, or {install('video')}"
    assert run(given, *more, code=2) == ("", f"shutoko: {told}\n")


NO_WORK = Mock(side_effect=AssertionError("the work has begun"))


def test_a_film_as_mp4_lasts_as_long_as_its_pictures_are_shown(tmp_path):
    imageio_ffmpeg = pytest.importorskip(
        "imageio_ffmpeg", reason="NO FILM IS TESTED: the extra video is missing"
    )
    pictures = [np.full((31, 45, 3), shade, np.uint8) for shade in (0, 120, 240)]
    path = tmp_path / "film.mp4"
    path.write_bytes(video.mp4(pictures, [400, 400, 1200]))
    _, seconds = imageio_ffmpeg.count_frames_and_secs(str(path))
    assert seconds == pytest.approx(2.0, abs=0.05)
    assert video.mp4(pictures, [400, 400, 1200]) == path.read_bytes()
    drawn = Mock()
    short = replace(BOARD, entries=BOARD.entries[:2], end=None)
    assert share(short, "mp4", on_frame=drawn)[4:8] == b"ftyp"
    assert [done.args for done in drawn.call_args_list] == [(0, 3), (1, 3), (2, 3)]


def test_surfaces_that_differ_have_their_own_friction_in_mjcf():
    pieces = (
        replace(BODY, table_friction=0.2),
        replace(BODY, id="A-C0", kind="car", friction=0.6, pose=Pose((0.0, 0.0, 15.0))),
    )
    model = ET.fromstring(mjcf.mjcf(pieces))  # noqa: S314 - our own
    found = {
        frozenset((pair.get("geom1"), pair.get("geom2"))): float(pair.get("friction").split()[0])
        for pair in model.iter("pair")
        if pair.get("geom1")
    }
    assert found[frozenset(("A-P0.1", "A-C0"))] == pytest.approx((0.3 * 0.6) ** 0.5)
    assert found[frozenset(("A-P0.1", "table"))] == pytest.approx((0.3 * 0.2) ** 0.5)


@pytest.mark.parametrize("car", [0.3, 0.6])
def test_pieces_in_mjcf_rest_at_their_true_heights_whether_their_surfaces_differ_or_not(car):
    mujoco = pytest.importorskip("mujoco")
    heights = {"A-P0.1": 5.0, "A-P0.2": 15.0, "A-R0": 21.0, "A-C0": 25.5}
    road, wagon = Box((110.0, 9.0, 2.0)), Box((14.0, 7.0, 7.0))
    pieces = (
        BODY,
        replace(BODY, id="A-P0.2", friction=car),
        Body("A-R0", "road", road, BODY.pose, 1.0, 0.3, 0),
        Body("A-C0", "car", wagon, BODY.pose, 1.0, car, 0),
    )
    pieces = [piece.at(Pose((0.0, 0.0, heights[piece.id]))) for piece in pieces]
    model = mujoco.MjModel.from_xml_string(mjcf.mjcf(pieces))
    assert model.nbody == 1 + len(pieces)
    assert sum(model.body_mass) == pytest.approx(sum(piece.mass for piece in pieces) / 1000)
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 1000)  # 2 s
    for piece, height in heights.items():
        assert 1000 * data.body(piece).xpos[2] == pytest.approx(height, abs=0.02), piece


def test_a_record_that_the_engine_does_not_reproduce_is_filmed_without_asking_it_about_every_ply(
    monkeypatch,
):
    """A changed record of 25 plies took physics for each of them; a ply that is right begins the
    count anew.
    """
    asked, right = [], set()

    def watched(record, entry, table):
        asked.append(entry.ply)
        return replay.judged(record, entry, table) if entry.ply in right else None

    monkeypatch.setattr("sim.game.replay.watched", watched)
    whole = record.read(asset("records", "knock.jsonl"))
    told = []
    share(whole, "glb", tell=told.append)
    assert asked == [0, 1, 2]
    rest = f"ply 3 to {whole.next_ply - 1}, for which the engine was not asked any more"
    assert re.fullmatch(f"ply 0, 1, 2: .*so it does for {rest}", *told)
    asked.clear()
    right.update((2, 5))
    share(whole, "glb", tell=told.append)
    assert asked == [0, 1, 2, 3, 4, 5, 6, 7, 8]
