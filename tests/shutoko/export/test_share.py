"""What a record can be made into, and the command that does it."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

pytest.importorskip("nicegui", reason="offline pages take three.js from shutoko[web]")

from rules import record
from rules.errors import InputError
from rules.record import Entry, Header, Record
from rules.record.replay import Step
from rules.view import SceneView
from shutoko.export import packed
from shutoko.export.share import KINDS, share
from sim.assets import asset
from sim.bodies import Body, Cylinder
from sim.game import replay
from sim.game.attempts.posing import bodies
from sim.languages import Sentence
from sim.poses import Pose, turn_between

TABLE = replay.branch(record.read(asset("records", "two-cars.jsonl")), 3)
BODY = Body("A-P0.1", "disc", Cylinder(10.0, 10.0), Pose((0.0, 0.0, 5.0)), 1.0, 0.3, 0)
BOARD = record.read(asset("records", "boards", "thruway-opening.jsonl"))


def test_the_record_itself_is_shared_byte_by_byte():
    assert share(BOARD, "jsonl") == asset("records", "boards", "thruway-opening.jsonl").read_bytes()


@pytest.mark.slow
def test_a_board_is_shared_as_drawing_picture_animation_and_page():
    assert b"<svg" in share(BOARD, "svg")
    assert Image.open(BytesIO(share(BOARD, "png"))).size == Image.open(BytesIO(share(BOARD, "gif"))).size
    assert Image.open(BytesIO(share(BOARD, "gif"))).n_frames == BOARD.next_ply + 1
    assert Image.open(BytesIO(share(BOARD, "gif", 2))).n_frames == 4
    page = share(BOARD, "html").decode()
    data = json.loads(re.search(r'type="application/json">(.*?)</script>', page)[1])
    assert len(data["pictures"]) == len(data["leaves"]) + 1 == BOARD.next_ply + 1


@pytest.mark.parametrize(
    ("language", "said"), [("en", "ann builds A-P0"), ("fr", "ann construit le pilier A-P0"), ("ko", "A-P0 기둥")]
)
def test_a_page_that_plays_offline_speaks_the_language_that_is_asked_for(language, said):
    given = replay.branch(TABLE, 1)
    given = replace(given, header=replace(given.header, players=("ann", "bo")))
    page = share(given, "html", language=language).decode()
    data = json.loads(re.search(r'type="application/json">(.*?)</script>', page)[1])
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
    names = {node["name"] for node in model["nodes"]}
    *_, last = replay.trusted(TABLE)
    assert {body.id for body in bodies(last.after)} <= names
    moving = {model["nodes"][channel["target"]["node"]]["name"] for channel in model["animations"][0]["channels"]}
    assert {"A-R0", "B-R0", "A-R1"} <= moving
    for accessor in model["accessors"]:
        view = model["bufferViews"][accessor["bufferView"]]
        assert view["byteOffset"] + view["byteLength"] <= model["buffers"][0]["byteLength"]


def test_films_say_which_plies_physics_does_not_do_again_and_refuse_to_pass_a_blend_for_physics():
    foreign = replace(replay.branch(TABLE, 1), header=replace(TABLE.header, physics={"engine": "havok"}))
    told = []
    blended = share(foreign, "glb", tell=told.append)
    assert told == ["ply 0: the record's engine havok is not installed: the film blends the poses before and after"]
    assert share(foreign, "glb", film="blend", tell=told.append) == blended
    assert len(told) == 1
    with pytest.raises(InputError, match="ply 0: the record's engine havok"):
        share(foreign, "glb", film="physics")


def test_a_game_of_pieces_without_a_referee_is_filmed_by_a_blend_and_told_move_by_move(monkeypatch):
    class Tower:
        """A disc more at each ply; a position is how many there are."""

        name, seats, options = "tower", 1, {}

        def view(self, state, before=None, last=None):
            return SceneView(tuple(replace(BODY, id=f"A-P{n}.1", pose=Pose((0.0, 0.0, 5.0 + 10 * n))) for n in range(state)))

    given = Record(Header("tower", ("Ann",))).plus(Entry(0, 0, "up")).plus(Entry(1, 0, "up"))
    steps = [Step(entry, "up", n, n + 1, None, ("Ann",)) for n, entry in enumerate(given.entries)]
    monkeypatch.setattr("shutoko.export.share.begin", lambda record: (Tower(), 0))
    monkeypatch.setattr("shutoko.export.share.replay", lambda record: iter(steps))
    page = share(given, "html").decode()
    data = json.loads(re.search(r'type="application/json">(.*?)</script>', page)[1])
    assert [leaf[0] for leaf in data["leaves"]] == ["0. Ann: up", "1. Ann: up"]
    assert [len(keys) for keys, _ in data["tables"]] == [0, 1, 2]
    assert all(keys for keys, *_ in data["films"])
    assert share(given, "glb")[:4] == b"glTF"
    with pytest.raises(InputError, match="take png for tower"):
        share(given, "svg")


def test_what_a_game_has_not_is_refused_by_name():
    for given, kind in ((BOARD, "glb"), (TABLE, "svg"), (BOARD, "exe")):
        with pytest.raises(InputError):
            share(given, kind)
    with pytest.raises(InputError, match="no ply 99"):
        share(BOARD, "png", 99)


@pytest.mark.slow
def test_the_command_writes_what_the_suffix_says(shutoko, tmp_path):
    given = asset("records", "boards", "thruway-opening.jsonl")
    done = shutoko("export", given, "a.svg", "a.jsonl")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "a.jsonl").read_bytes() == given.read_bytes()
    for arguments, told in (
        ((given, "a.exe"), "choose from"),
        ((given, given), "the record"),
        ((given, "no/a.svg"), "no/a.svg"),
    ):
        done = shutoko("export", *arguments)
        assert (done.returncode, told in done.stderr) == (2, True)
    assert set(KINDS) == {"jsonl", "png", "svg", "gif", "html", "glb"}


def test_packed_poses_are_true_to_hundredths_of_a_millimetre_and_of_a_degree():
    *_, last = replay.trusted(TABLE)
    every = bodies(last.after)
    numbers = np.frombuffer(base64.b64decode(packed.packed_poses([body.pose for body in every])), "<i2").reshape(-1, 6)
    for body, (x, y, z, a, b, c) in zip(every, numbers.tolist(), strict=True):
        at = tuple(value * packed.UNIT for value in (x, y, z))
        assert at == pytest.approx(body.pose.at, abs=packed.UNIT / 2 + 1e-9)
        i, j, k = a / 32767, b / 32767, c / 32767
        turned = body.pose._replace(quat=(i, j, k, max(0.0, 1 - i * i - j * j - k * k) ** 0.5))
        assert turn_between(turned, body.pose) < 0.05


def test_a_film_holds_only_what_moves_and_says_when_a_piece_is_not_there_yet():
    *_, last = replay.trusted(TABLE)
    before, after = bodies(last.before), bodies(last.after)
    made = packed.film([before, before, after])
    numbers = np.frombuffer(base64.b64decode(made.poses), "<i2").reshape(3, len(made.keys), 6)
    new = [n for n, name in enumerate(made.keys) if name not in {body.id for body in before}]
    assert len(new) == len(after) - len(before)
    assert (numbers[:2, new, 0] == packed.ABSENT).all()
    assert (numbers[2, :, 0] != packed.ABSENT).all()


def test_sixty_frames_of_a_full_table_in_motion_stay_under_two_hundred_kibibytes():
    body, frames = BODY, []
    for n in range(60):
        pose = body.pose._replace(at=(n * 0.5, 1.0, 5.0))
        frames.append([type(body)(f"A-P{i}.1", body.kind, body.shape, pose, 1.0, 0.3, 0) for i in range(168)])
    made = packed.film(frames)
    assert (len(made.keys), made.count, made.seconds) == (168, 60, pytest.approx(3.0))
    assert len(made.poses) + len(json.dumps(made.keys)) < 200 * 1024


def test_a_long_film_keeps_its_length_and_loses_frames():
    frames = [[BODY.at(BODY.pose._replace(at=(float(n), 1.0, 5.0)))] for n in range(301)]
    made = packed.film(frames, fps=20)
    assert made.count == 90
    assert made.dt * (made.count - 1) == pytest.approx(300 / 20)
    assert packed.film([frames[0]] * 5) is None
