#!/usr/bin/env bash
# In PyBullet `createMultiBody` with `batchPositions` makes a body at each place in one call and gives
# all their ids. Each of them can be moved, weighed and asked for its contacts. But `getNumBodies` and
# `getBodyUniqueId` know only one body of a batch, the last; with `useMaximalCoordinates` or without.
# It matters where somebody goes through all bodies of a world by these two calls, or checks by them
# that nothing was left behind: bodies of a batch are passed over.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check pybullet==3.2.7 \
  numpy==2.4.6  # it imports NumPy and asks for none
"$folder/venv/bin/python" - <<'PROGRAM'
import sys
from importlib.metadata import version

import pybullet

PLACES = [[2.0 * k, 0.0, 0.0] for k in range(100)]


def counts(batched: bool, maximal: int) -> tuple[int, int, list[int], int]:
    """How many ids 100 boxes have, how many boxes lie where they were put, which ids the world
    knows, and how many bodies it has without the first box.
    """
    pybullet.resetSimulation()
    box = pybullet.createCollisionShape(pybullet.GEOM_BOX, halfExtents=[0.5, 0.5, 0.5])
    if batched:
        ids = pybullet.createMultiBody(
            1, box, batchPositions=PLACES, useMaximalCoordinates=maximal
        )
    else:
        ids = [
            pybullet.createMultiBody(1, box, basePosition=place, useMaximalCoordinates=maximal)
            for place in PLACES
        ]
    there = [list(pybullet.getBasePositionAndOrientation(one)[0]) for one in ids]
    known = [pybullet.getBodyUniqueId(k) for k in range(pybullet.getNumBodies())]
    pybullet.removeBody(ids[0])
    return len(ids), sum(a == b for a, b in zip(there, PLACES)), known, pybullet.getNumBodies()


pybullet.connect(pybullet.DIRECT)
print("pybullet", version("pybullet"))
print("ids, boxes in place, ids that getBodyUniqueId knows, getNumBodies after removeBody(first)")
changed = False
for batched in (False, True):
    for maximal in (0, 1):
        ids, there, known, left = counts(batched, maximal)
        print(f"batch {batched}, useMaximalCoordinates {maximal}: {ids}, {there}, "
              f"{len(known)} ({known[0]} to {known[-1]}), {left}")
        expected = ([99], 1) if batched else (list(range(100)), 99)
        changed |= (ids, there) != (100, 100) or (known, left) != expected
sys.exit("PyBullet counts otherwise now" if changed else 0)
PROGRAM
