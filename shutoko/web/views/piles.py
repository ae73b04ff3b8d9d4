"""What each player still has, as piles on a tray beside the table: discs in stacks, roads and cars in rows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from shutoko.export.rendering.scene import PLAYER_COLOURS
from sim.bodies import Body
from sim.game.attempts.posing import bodies
from sim.pieces import Components
from sim.poses import Pose, from_axes
from sim.referee.table import Table

__all__ = ["Tray", "piles"]

Tray = tuple[float, float, float, float, str]
"""The middle of a tray (x, y in mm), its width and depth, and its colour."""

_HIGH = 8  # discs of a stack
_BESIDE = 5  # roads beside each other
_GAP, _RIM = 3.0, 9.0  # mm between pieces, and around them
_AWAY = 18.0  # mm from what stands on the table to a tray
_GRID = 40.0  # mm: trays make room in steps, so that they seldom move
_LEAST = 130.0  # mm from the middle of the table that are kept free


def piles(table: Table) -> tuple[tuple[Body, ...], tuple[Tray, ...]]:
    """The pieces in stock, lying on trays to the left and to the right of what stands, and the trays; by seat."""
    box, found, trays = table.components, list[Body](), list[Tray]()
    left, right = _sides(bodies(table))
    rows = math.ceil(len(table.stocks) / 2)
    for seat, stock in enumerate(table.stocks):
        pieces = [*_stock(box, seat, stock.grey, stock.yellow, stock.roads, stock.cars)]
        wide, deep = _size(box)
        x = left - _AWAY - wide / 2 if seat % 2 == 0 else right + _AWAY + wide / 2
        y = (seat // 2 - (rows - 1) / 2) * (deep + 2 * _AWAY)
        trays.append((x, y, wide, deep, "#" + "".join(f"{part:02x}" for part in PLAYER_COLOURS[seat % len(PLAYER_COLOURS)])))
        for body in pieces:
            px, py, pz = body.pose.at
            found.append(body.at(Pose((px + x, py + y, pz), body.pose.quat)))
    return tuple(found), tuple(trays)


def _sides(standing: Sequence[Body]) -> tuple[float, float]:
    """How far the table reaches to the left and to the right."""
    places = [body.pose.at[0] for body in standing if abs(body.pose.at[0]) < 700]
    low, high = min([-_LEAST, *places]), max([_LEAST, *places])
    return _GRID * math.floor(low / _GRID), _GRID * math.ceil(high / _GRID)


def _size(box: Components) -> tuple[float, float]:
    wide = max(2 * (2 * box.disc_radius + _GAP), _BESIDE * (box.road_width + _GAP))
    deep = 3 * (2 * box.disc_radius + _GAP) + box.road_length + _GAP + 5 * (box.car_width + _GAP)
    return wide + 2 * _RIM, deep + 2 * _RIM


def _stock(box: Components, seat: int, grey: int, yellow: int, roads: int, cars: int) -> Iterator[Body]:
    """The pieces around the middle of a tray: discs at the back, then roads, cars in front."""
    wide, deep = _size(box)
    pitch, back, half = 2 * box.disc_radius + _GAP, deep / 2 - _RIM, (wide - 2 * _RIM) / 2
    columns = 2 * math.ceil(grey / _HIGH / 2)  # the yellow ones begin a row
    for n in range(grey + yellow):
        junction = n >= grey
        column, level = (columns + (n - grey) // _HIGH, (n - grey) % _HIGH) if junction else (n // _HIGH, n % _HIGH)
        at = (-half + box.disc_radius + pitch * (column % 2), back - box.disc_radius - pitch * (column // 2))
        yield box.body(f"stock {seat} disc {n}", "disc", Pose((*at, (level + 0.5) * box.disc_height)), seat, junction)
    front = back - 3 * pitch
    for n in range(roads):
        x = -half + (n % _BESIDE + 0.5) * 2 * half / _BESIDE
        at = (x, front - box.road_length / 2)
        z = (n // _BESIDE + 0.5) * box.road_thickness
        yield box.body(f"stock {seat} road {n}", "road", Pose((*at, z), from_axes(90.0, 0.0)), seat)
    front -= box.road_length + _GAP
    for n in range(cars):
        x = -half + (n % 2 + 0.5) * half
        at = (x, front - (n // 2 + 0.5) * (box.car_width + _GAP))
        yield box.body(f"stock {seat} car {n}", "car", Pose((*at, box.car_height / 2), from_axes(0.0, 0.0)), seat)
