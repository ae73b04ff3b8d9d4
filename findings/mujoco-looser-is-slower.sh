#!/usr/bin/env bash
# In MuJoCo a looser tolerance of the Newton solver can cost more time. Five towers of boxes with
# planks across them stand still on stiff contacts (elliptic cones, impratio 10): at a tolerance of
# 1e-6 a step takes 26 iterations, at the usual 1e-8 it takes 17, at 1e-12 five. Each search begins
# where the last one ended. What a loose one leaves over moves the pieces by a hair, and stiff contacts
# answer that with other forces, which the next search has to find. With MuJoCo's own soft contacts
# every tolerance takes one iteration.
# It matters where somebody loosens the tolerance to make a scene at rest cheaper: the same pieces
# then cost several times as many iterations, and a multiple of the time.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check mujoco==4.0.0
"$folder/venv/bin/python" - <<'PROGRAM'
import sys

import mujoco

TOLERANCES = (1e-6, 1e-8, 1e-10, 1e-12)
STIFF = 'solref="0.004 4" solimp="0.999 0.9999 0.001 0.5 2"'


def scene(contacts: str) -> str:
    """Five towers of four boxes, each box turned otherwise, and a plank from each to the next."""
    bodies = []
    for tower in range(5):
        for level in range(4):
            place = f'pos="{0.5 * tower} 0 {0.05 + 0.1 * level}" euler="0 0 {37 * (4 * tower + level)}"'
            shape = '<geom type="box" size="0.1 0.1 0.05" mass="1"/>'
            bodies.append(f"<body {place}><freejoint/>{shape}</body>")
        if tower:
            place = f'pos="{0.5 * tower - 0.25} 0 0.41"'
            shape = '<geom type="box" size="0.33 0.03 0.01" mass="0.5"/>'
            bodies.append(f"<body {place}><freejoint/>{shape}</body>")
    return f"""
<mujoco>
  <option timestep="0.002" cone="elliptic" integrator="implicitfast" impratio="10"/>
  <default><geom condim="3" friction="0.5 0 0" {contacts}/></default>
  <worldbody><geom type="plane" size="9 9 1"/>{"".join(bodies)}</worldbody>
</mujoco>"""


def iterations(contacts: str, tolerance: float) -> float:
    """Iterations a step once all stands still, on average."""
    model = mujoco.MjModel.from_xml_string(scene(contacts))
    model.opt.tolerance = tolerance
    data = mujoco.MjData(model)
    taken = []
    for _ in range(500):
        mujoco.mj_step(model, data)
        taken.append(int(data.solver_niter.sum()))
    return sum(taken[100:]) / 400


print("mujoco", mujoco.__version__, "- iterations a step at tolerances", *TOLERANCES)
stiff = [iterations(STIFF, tolerance) for tolerance in TOLERANCES]
soft = [iterations("", tolerance) for tolerance in TOLERANCES]
print("stiff contacts:", *(f"{mean:.1f}" for mean in stiff))
print("soft contacts: ", *(f"{mean:.1f}" for mean in soft))
sys.exit(stiff[1] < 2 * stiff[3] or stiff[0] < stiff[1] or max(soft) > 2)
PROGRAM
