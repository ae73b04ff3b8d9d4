#!/usr/bin/env bash
# In PyBullet a disc that is put down flat on a box stands on two contact points for its first steps,
# and has four only after some tens of them; a box put down alike has four as soon as it touches. For
# round shapes Bullet finds at most one point in a step and keeps those that it found before. A disc
# that is let go turns meanwhile. To tilt it by a tenth of a degree to four sides, with
# `performCollisionDetection` each time, and back, gives it all four before the first step.
# It matters where somebody judges whether a stack of discs is at rest: the first steps turn it, in
# every run anew.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check pybullet==3.2.7 \
  numpy==2.4.6  # it imports NumPy and asks for none
"$folder/venv/bin/python" - <<'PROGRAM'
import math
import sys
from importlib.metadata import version

import pybullet

STEPS = (1, 2, 8, 120)
EXPECTED = {
    "a disc": [1, 2, 2, 4],
    "a disc, tilted to four sides before": [4, 4, 4, 4],
    "a box": [0, 4, 4, 4],
}


def contacts(name: str) -> list[int]:
    """How many points a shape that is put down flat has with the box below after some steps."""
    pybullet.resetSimulation()
    pybullet.setGravity(0, 0, -9.8)
    slab = pybullet.createCollisionShape(pybullet.GEOM_BOX, halfExtents=[1, 1, 0.1])
    if name == "a box":
        shape = pybullet.createCollisionShape(pybullet.GEOM_BOX, halfExtents=[0.1, 0.1, 0.05])
    else:
        shape = pybullet.createCollisionShape(pybullet.GEOM_CYLINDER, radius=0.1, height=0.1)
    floor = pybullet.createMultiBody(0, slab, basePosition=[0, 0, -0.1])
    piece = pybullet.createMultiBody(1, shape, basePosition=[0, 0, 0.05])
    if "tilted" in name:
        for side in range(4):
            x, y = (math.radians(0.1) * turn(side * math.pi / 2) for turn in (math.cos, math.sin))
            tilted = pybullet.getQuaternionFromEuler([x, y, 0])
            pybullet.resetBasePositionAndOrientation(piece, [0, 0, 0.05], tilted)
            pybullet.performCollisionDetection()
        pybullet.resetBasePositionAndOrientation(piece, [0, 0, 0.05], [0, 0, 0, 1])
    found = []
    for _ in range(max(STEPS)):
        pybullet.stepSimulation()
        found.append(len(pybullet.getContactPoints(piece, floor)))
    return [found[step - 1] for step in STEPS]


pybullet.connect(pybullet.DIRECT)
print("pybullet", version("pybullet"), "contact points after", STEPS, "steps")
changed = False
for name, expected in EXPECTED.items():
    found = contacts(name)
    changed |= found != expected
    print(f"{name}: {found} (expected {expected})")
sys.exit(changed)
PROGRAM
