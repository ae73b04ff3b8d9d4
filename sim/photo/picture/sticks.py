"""Where a road lies in the picture: first its two long sides together, then each of its ends on the
line between them.

The sides say how far the road lies aside, which the taps at an open end leave to chance. The half
circle of an end says how far it reaches, and so does the length of the road.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from sim.photo.picture.flat import STEP, Flat
from sim.photo.solution.scene import Floats

__all__ = ["REACH", "Seen", "reach_of", "seen_road"]

REACH = 12.0
"""How far from where the marks give it an end is looked for, in mm along and aside."""

_TURN = 0.5  # mm aside at one end against the other, from one direction tried to the next
_APART = 1.0  # mm between the samples of an edge
_RIM = 6.0  # mm round all that is compared
# levels a mm: edges of so much count half, the one to find them, the other to place them
_FAINT, _CLEAR = (
    15.0,
    60.0,
)
_ROUNDED = 0.3  # mm by which the edges of a stick are rounded: its top face ends so much before it
_SHOWN = 0.3  # mm by which the under face must show for its outline to count
_INSIDE = 8.0  # mm of the sides that must be there before an end, and must not go on beyond it
_OTHER_SIDES, _OTHER_END = 4.0, 2.0  # mm; a fit further off than this is another one
_FAR = 0.08  # what a fit at the end of reach must have more
_LENGTH_OFF = 0.8  # mm, 1 sigma of the length of a road as the picture is flattened


@dataclass(frozen=True, slots=True)
class Seen:
    """A road as the picture shows it: its two ends (2, 2), mm along and aside of the middle that
    the marks give it.

    `sides` is how well both sides fit, from 0 to 1, `sides_lead` how much better than anywhere
    else; the same for the two `ends`, which go to 1.5.
    """

    at: Floats
    sides: float
    sides_lead: float
    ends: tuple[float, float]
    ends_lead: tuple[float, float]


def reach_of(length: float, width: float, under: float) -> tuple[float, float]:
    """How much of the picture must be flattened, in mm along and aside of a road's middle."""
    return length / 2 + REACH + _INSIDE + under, REACH + width / 2 + _RIM + under


def seen_road(flat: Flat, length: float, width: float) -> Seen:
    """Where the road of that length and width in mm lies in a flattened picture."""
    shift, turn, sides, lead = _sides(flat, length, width / 2)
    slope = turn / length
    ends = [_ends(flat, length, width / 2, shift, slope, sign) for sign in (-1.0, 1.0)]
    (first, second), scores, leads = _together(ends)
    along = np.array([-length / 2 - first, length / 2 + second])
    at = np.stack([along, shift + slope * along], axis=1)
    return Seen(at, sides, lead, scores, leads)


def _evidence(steep: Floats) -> Floats:
    """From how steep the picture is at an edge to how much it counts, 0 to 1."""
    square = steep**2
    return np.asarray(0.5 * square / (square + _FAINT**2) + 0.5 * square / (square + _CLEAR**2))


# --- sides ----------------------------------------------------------------------------------------


def _sides(flat: Flat, length: float, radius: float) -> tuple[float, float, float, float]:
    """By how much the road lies aside at its middle, by how much more at its second end than at its
    first, how well the sides fit there, and how much better than elsewhere.
    """
    along = np.arange(-length / 2 + radius, length / 2 - radius + 1e-9, _APART)
    shifts = np.arange(-REACH, REACH + 1e-9, STEP)
    turns = np.arange(-REACH, REACH + 1e-9, _TURN)
    lines = turns[:, None] / length * along  # aside of each sample (turns, samples)
    fit = np.minimum(*(_side(flat, along, lines, shifts, sign * radius) for sign in (-1.0, 1.0)))
    away = np.maximum(np.abs(shifts + turns[:, None] / 2), np.abs(shifts - turns[:, None] / 2))
    fit = fit - _FAR * (away / REACH) ** 2
    t, s = np.unravel_index(fit.argmax(), fit.shape)
    other = np.maximum(
        np.abs(shifts - shifts[s] + (turns[:, None] - turns[t]) / 2),
        np.abs(shifts - shifts[s] - (turns[:, None] - turns[t]) / 2),
    )
    best = float(fit[t, s])
    lead = best - float(fit[other > _OTHER_SIDES].max())
    return shifts[s] + STEP * _peak(fit[t], s), turns[t] + _TURN * _peak(fit[:, s], t), best, lead


def _side(flat: Flat, along: Floats, lines: Floats, shifts: Floats, off: float) -> Floats:
    """How well one side fits, (turns, shifts): the edges of the top face and, if it shows, of the
    under face.
    """
    found = np.zeros((len(lines), len(shifts)))
    edges = [(0.0, off - math.copysign(_ROUNDED, off))] + (
        [(flat.under[0], off + flat.under[1])] if np.sign(off) * flat.under[1] > _SHOWN else []
    )
    for ahead, beside in edges:
        # aside of the middle is a whole number of steps, so that every shift is a slice
        rows = np.clip(
            np.round((along + ahead) / STEP).astype(np.int64) + flat.zero[0],
            0,
            flat.aside.shape[0] - 1,
        )
        columns = np.round((lines + beside) / STEP).astype(np.int64) + flat.zero[1]
        index = columns[:, :, None] + np.round(shifts / STEP).astype(np.int64)
        index = np.clip(index, 0, flat.aside.shape[1] - 1)
        steep = np.sqrt(flat.aside[rows[None, :, None], index])
        found += _evidence(steep).mean(axis=1) / len(edges)
    return found


def _peak(values: Floats, index: int | np.intp) -> float:
    """How far from a highest value the parabola through it and its neighbours has its top, in
    steps.
    """
    if not 0 < index < len(values) - 1:
        return 0.0
    before, here, after = (float(values[index + k]) for k in (-1, 0, 1))
    bend = before - 2 * here + after
    return 0.0 if bend > -1e-9 else min(max((before - after) / (2 * bend), -0.5), 0.5)


# --- ends -----------------------------------------------------------------------------------------


def _ends(
    flat: Flat, length: float, radius: float, shift: float, slope: float, sign: float
) -> Floats:
    """How well an end fits (k,) at each distance outwards from where its length has it; `sign` is
    -1 for the first end.
    """
    angles = np.linspace(-math.pi / 2, math.pi / 2, max(round(math.pi * radius / _APART), 5) + 1)
    normals = np.stack([sign * np.cos(angles), np.sin(angles)], axis=1)
    cap = normals * radius - np.array([sign * radius, 0.0])
    under = np.array(flat.under)
    shown = normals @ under > _SHOWN
    places = np.concatenate([cap - _ROUNDED * normals, cap[shown] + under])
    normals = np.concatenate([normals, normals[shown]])
    c, s = 1.0 / math.hypot(1.0, slope), slope / math.hypot(1.0, slope)
    spin = np.array([[c, s], [-s, c]])
    out = np.arange(-REACH, REACH + 1e-9, STEP)
    along = sign * (length / 2 + out)
    tips = np.stack([along, shift + slope * along], axis=1)
    steep = flat.across(
        tips[:, None, :] + places @ spin,
        np.broadcast_to(normals @ spin, (len(out), *normals.shape)),
    )
    round_ = _evidence(steep).mean(axis=1)
    return np.asarray(round_ + 0.5 * _stops(flat, tips, spin, sign, radius))


def _stops(flat: Flat, tips: Floats, spin: Floats, sign: float, radius: float) -> Floats:
    """By how much more the sides are there before each of these tips (k, 2) than beyond it (k,)."""
    run = np.arange(0.0, _INSIDE, _APART)
    found = np.zeros(len(tips))
    for start, counts in ((-radius - run, 1.0), (run, -1.0)):
        lines = []
        for side in (-radius, radius):
            places = np.stack([sign * start, np.full_like(start, side)], axis=1) @ spin
            normals = np.broadcast_to(np.array([0.0, 1.0]) @ spin, (len(tips), len(run), 2))
            lines.append(_evidence(flat.across(tips[:, None, :] + places, normals)).mean(axis=1))
        found += counts * np.minimum(*lines)
    return found


def _together(
    ends: list[Floats],
) -> tuple[tuple[float, float], tuple[float, float], tuple[float, float]]:
    """How far outwards both ends lie, given that the length of the road is known; how well they
    fit, and by how much better than anywhere else.
    """
    out = np.arange(-REACH, REACH + 1e-9, STEP)
    long = out[:, None] + out
    both = ends[0][:, None] + ends[1] - 0.5 * np.minimum((long / _LENGTH_OFF) ** 2, 9.0) * 0.1
    i, j = (int(n) for n in np.unravel_index(both.argmax(), both.shape))
    elsewhere = [
        float(both[np.abs(out - out[i]) > _OTHER_END].max()),
        float(both[:, np.abs(out - out[j]) > _OTHER_END].max()),
    ]
    best = float(both[i, j])
    at = (out[i] + STEP * _peak(ends[0], i), out[j] + STEP * _peak(ends[1], j))
    return at, (float(ends[0][i]), float(ends[1][j])), (best - elsewhere[0], best - elsewhere[1])
