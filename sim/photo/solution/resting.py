"""How high the tips of roads lie: sticks are let down, in building order, on their discs and on own
roads that lie there.

The discs under a road give the heights of its tips only roughly. A stick that slopes rests on the
near rim of the upper disc, so its upper tip is lifted; and the second road on a pillar often lies
on the end of the first.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sim.bodies import Body
from sim.photo.solution.scene import Bools, Floats, Scene
from sim.physics.drop import rest_disc, rest_road
from sim.poses import rotate

__all__ = ["at_rest"]

_LEAST, _MOST = -0.5, 6.0  # mm; what lies elsewhere did not land on its discs
_BESIDE = 0.5  # 1 sigma, as a share of how much higher a tip lies on another road than on its disc
# mm, 1 sigma of a tip that seems to lie beside another road, on whose end it may lie as well
_PERHAPS_ON = 0.7


def at_rest(scene: Scene, vector: Floats) -> Scene:
    """The scene with what letting the sticks down says of their tips, where `vector` has them in
    plan.

    A tip that seems to lie on another road may lie beside it as well: two roads share a disc either
    way.
    """
    rest = _lifts(scene, vector)
    on_others = np.maximum(rest - replace(scene, rest=None).lifts(vector), 0.0)
    return replace(
        scene, rest=rest, rest_off=np.maximum(_BESIDE * on_others, _PERHAPS_ON * _later(scene))
    )


def _later(scene: Scene) -> Bools:
    """Which tips (n, 2) came to a pillar on which a road ended before."""
    found, borne = np.zeros((scene.roads, 2), dtype=np.bool_), set[int]()
    for index, pillars in enumerate(scene.pillar.tolist()):
        found[index] = [pillar in borne for pillar in pillars]
        borne.update(pillar for pillar in pillars if pillar >= 0)
    return found


def _lifts(scene: Scene, vector: Floats) -> Floats:
    """By how much each tip (n, 2) lies higher than its discs say, in mm."""
    marks, box = scene.marks, scene.marks.box
    pillars, tips = scene.pillars_in(vector), scene.tips(vector)
    discs = [
        box.body(one.id, "disc", rest_disc((x, y), (one.discs - 1) * box.disc_height, box))
        for one, (x, y) in zip(marks.pillars, pillars.tolist(), strict=True)
    ]
    found, ends_on = np.zeros((scene.roads, 2)), [list[Body]() for _ in discs]
    for index, road in enumerate(marks.roads):
        on = [int(pillar) for pillar in scene.pillar[index] if pillar >= 0]
        beneath = [
            *(discs[pillar] for pillar in on),
            *(body for pillar in on for body in ends_on[pillar]),
        ]
        body = _let_down(scene, road.id, tips[index], beneath)
        for pillar in on:
            ends_on[pillar].append(body)
        half = (box.road_length / 2, box.road_thickness / 2)
        lies = [
            body.pose.at[2] + rotate(body.pose.quat, (side * half[0], 0.0, half[1]))[2]
            for side in (-1.0, 1.0)
        ]
        found[index] = np.clip(np.array(lies) - scene.heights[index], _LEAST, _MOST)
    return found


def _let_down(scene: Scene, name: str, tips: Floats, beneath: Sequence[Body]) -> Body:
    box = scene.marks.box
    (ax, ay, _), (bx, by, _) = tips.tolist()
    yaw = math.degrees(math.atan2(by - ay, bx - ax))
    return box.body(name, "road", rest_road(((ax + bx) / 2, (ay + by) / 2), yaw, beneath, box))
