#!/usr/bin/env bash
# In MuJoCo 4.0.0 a cylinder that turns about its own axis gets other contacts, though its shape stays
# the same. One cylinder lies on another, tilted by 0.02 radians, its lowest point 2.29 mm deep in the
# lower one. By default (multiccd) there are four contacts, at points that turn with the cylinder:
# the deepest is 2.05 to 2.26 mm deep, as the cylinder happens to lie, and never the lowest point. With
# multiccd off there is one contact, at the lowest point, 2.29 mm deep however the cylinder lies.
# It matters where somebody judges by the deepest contact, or expects a round body to rest alike however
# it is turned.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check mujoco==4.0.0
"$folder/venv/bin/python" - <<'PROGRAM'
import math
import sys

import mujoco

TILT = 0.02  # radians, about the x axis


def depths(spin: float, multiccd: str) -> list[float]:
    """The depths (mm) of the contacts when the upper cylinder is turned by `spin` degrees."""
    scene = f"""
<mujoco>
  <compiler angle="radian" eulerseq="xyz"/>
  <option><flag multiccd="{multiccd}"/></option>
  <worldbody>
    <geom type="cylinder" size="0.1 0.05"/>
    <body pos="0.03 0.02 0.0997" euler="{TILT} 0 {math.radians(spin)}">
      <freejoint/><geom type="cylinder" size="0.1 0.05"/>
    </body>
  </worldbody>
</mujoco>"""
    model = mujoco.MjModel.from_xml_string(scene)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return [-1000 * float(contact.dist) for contact in data.contact]


print("mujoco", mujoco.__version__, "- contacts, and the deepest (mm), as a cylinder turns")
found = {}
for multiccd in ("enable", "disable"):
    every = [depths(spin, multiccd) for spin in range(0, 180, 5)]
    deepest = [max(one) for one in every]
    found[multiccd] = {len(one) for one in every}, min(deepest), max(deepest)
    print(f"multiccd {multiccd}d:", found[multiccd])
(many, least, most), (one, always, same) = found["enable"], found["disable"]
as_seen = (
    many == {4} and one == {1} and same - always < 1e-6 and most < always and most - least > 0.1
)
sys.exit(0 if as_seen else "this has changed: look again")
PROGRAM
