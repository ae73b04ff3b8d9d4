#!/usr/bin/env bash
# glTF allows vertex colours of three numbers. trimesh reads them, but where the primitive has a
# material it writes them again as if each colour had four: eight colours come back as six, of other
# numbers, and a count that does not divide (six colours, 18 numbers) is an error. Colours of four
# numbers come back whole.
# It matters where a model is read, changed and saved: colours move from vertex to vertex, and the
# saved file has fewer colours than corners, which other programs refuse.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check \
  trimesh==5.2.0 numpy==2.4.6
"$folder/venv/bin/python" - <<'PROGRAM'
import io
import json
import struct
import sys

import numpy as np
import trimesh


def written(corners, width):
    """A model of triangles with a material, and colours of that many numbers, as .glb."""
    rng = np.random.default_rng(0)
    places = rng.random((corners, 3), dtype=np.float32)
    colours = np.ones((corners, width), np.float32)
    colours[:, :3] = rng.random((corners, 3), dtype=np.float32)
    faces = np.array([[n, (n + 1) % corners, (n + 2) % corners] for n in range(corners)], np.uint32)
    views, accessors, blob = [], [], b""
    for array, kind, component in (
        (places, "VEC3", 5126),
        (colours, f"VEC{width}", 5126),
        (faces.reshape(-1), "SCALAR", 5125),
    ):
        data = array.tobytes()
        views.append({"buffer": 0, "byteOffset": len(blob), "byteLength": len(data)})
        accessors.append(
            {
                "bufferView": len(views) - 1,
                "componentType": component,
                "count": len(array),
                "type": kind,
            }
        )
        blob += data
    accessors[0] |= {"min": places.min(axis=0).tolist(), "max": places.max(axis=0).tolist()}
    part = {"attributes": {"POSITION": 0, "COLOR_0": 1}, "indices": 2, "material": 0}
    model = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [part]}],
        "materials": [{"pbrMetallicRoughness": {"baseColorFactor": [1, 1, 1, 1]}}],
        "buffers": [{"byteLength": len(blob)}],
        "bufferViews": views,
        "accessors": accessors,
    }
    text = json.dumps(model).encode()
    text += b" " * (-len(text) % 4)
    head = struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(blob))
    return (
        head
        + struct.pack("<I4s", len(text), b"JSON")
        + text
        + struct.pack("<I4s", len(blob), b"BIN\0")
        + blob
    )


def again(data):
    """How many corners and colours the model has after trimesh has read and written it."""
    scene = trimesh.load_scene(io.BytesIO(data), file_type="glb", process=False)
    try:
        data = scene.export(file_type="glb")
    except ValueError as error:
        return f"not written ({error})"
    (length,) = struct.unpack("<I", data[12:16])
    model = json.loads(data[20 : 20 + length])
    used = model["meshes"][0]["primitives"][0]["attributes"]
    corners, colours = (model["accessors"][used[key]] for key in ("POSITION", "COLOR_0"))
    return f"{corners['count']} corners, {colours['count']} colours {colours['type']}"


CASES = (
    (8, 3, "8 corners, 6 colours VEC4"),
    (6, 3, "not written (cannot reshape array of size 18 into shape (4))"),
    (8, 4, "8 corners, 8 colours VEC4"),
)
print("trimesh", trimesh.__version__)
changed = False
for corners, width, expected in CASES:
    found = again(written(corners, width))
    changed |= found != expected
    print(f"{corners} corners, {corners} colours VEC{width}: written again as {found}")
sys.exit(changed)
PROGRAM
