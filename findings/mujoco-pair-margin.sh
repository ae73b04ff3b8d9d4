#!/usr/bin/env bash
# MuJoCo adds the margins of two geoms up; an explicit <pair> has its own alone, 0 if it names none.
# A box on a floor, both with a margin of 2 mm, rests 4 mm above it. A pair that names 2 mm lets it
# down to 2 mm, a pair that names only friction to 0 mm. Up to 3.4.0 the larger margin counted, so a
# pair with the same margin changed nothing.
# It matters where pairs give surfaces their friction: bodies silently rest lower, and shapes that
# are smaller by their margins sink into each other.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check mujoco==4.0.0
"$folder/venv/bin/python" - <<'PROGRAM'
import sys

import mujoco

MODEL = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 0.01" margin="0.002"/>
    <body pos="0 0 0.013">
      <freejoint/>
      <geom name="box" type="box" size="0.01 0.01 0.01" mass="0.01" margin="0.002"/>
    </body>
  </worldbody>
  <contact>{}</contact>
</mujoco>
"""
CASES = {
    "no pair": ("", 4.0),
    "a pair with the same margin": ('<pair geom1="floor" geom2="box" margin="0.002"/>', 2.0),
    "a pair without a margin": ('<pair geom1="floor" geom2="box" friction="0.5 0.5"/>', 0.0),
}

print("mujoco", mujoco.__version__)
changed = False
for name, (pair, expected) in CASES.items():
    model = mujoco.MjModel.from_xml_string(MODEL.format(pair))
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 3000)  # 6 s
    above = 1000 * float(data.qpos[2]) - 10  # mm from the floor to the box
    changed |= abs(above - expected) > 0.2
    print(f"{name}: the box rests {above:.2f} mm above the floor (expected {expected:.0f})")
sys.exit(changed)
PROGRAM
