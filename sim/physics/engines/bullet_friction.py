"""Before a piece falls asleep in Bullet: may friction hold it there?

Bullet bounds friction by a square whose first axis follows the slip. On a piece that slides, this
axis points downhill, and the limit is mu N, as it should be. On a piece that rests upon free
pieces, the slip is chatter of 0.01 mm per second: the axis may point in any direction, and in the
corners of the square friction reaches 1.4 mu N. So a car stays for ever on a slope that is a degree
too steep, though it would go on sliding once it had begun. The audit adds up the friction that
holds a piece over one look and compares it with the cone. A piece with too much gets a nudge
downhill, too small to move what friction really holds.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt

from sim.physics.engines.bullet_pieces import Pieces

_Array = npt.NDArray[np.float64]

_Loads = dict[int, _Array]
"""By the number of what bears a piece: the friction on it (x, y, z) and the normal force."""

_SUSPECT = 0.97  # of mu N at one step: then a whole look is summed
_TOO_MUCH = 1.001  # of mu N over a look
_NUDGE = 1.0  # mm/s
_MOST_NUDGES = 8
# mm: a piece that went less far since its last nudge is wedged, or friction holds it after all
_WENT = 0.1
_LEVEL = 0.1  # friction that is flatter than this share holds nothing up
_ONE_NORMAL = 0.9998  # cosine: contact points whose normals are further apart wedge the piece


class FrictionAudit:
    """Which pieces friction may hold, which are being examined, and how often each was nudged."""

    def __init__(self, pieces: Pieces) -> None:
        self._pieces = pieces
        self._open: dict[int, _Loads] = {}
        self._cleared: set[int] = set()
        self._nudges: dict[int, int] = {}
        self._nudged_at: dict[int, _Array] = {}

    @property
    def busy(self) -> bool:
        """Is a look being summed?"""
        return bool(self._open)

    def may_sleep(self, numbers: Iterable[int]) -> bool:
        """Whether these pieces can be held still; if not, the steps of the next look are to be
        summed.
        """
        for number in numbers:
            if (
                number not in self._cleared
                and _slides(self._pieces, number, _loads(self._pieces, number), _SUSPECT)
                is not None
            ):
                self._open[number] = {}
        return not self._open

    def sum_step(self) -> None:
        """Add the forces of the step that was just made."""
        for number, sums in self._open.items():
            for other, load in _loads(self._pieces, number).items():
                sums[other] = sums[other] + load if other in sums else load

    def nudge(self) -> set[int]:
        """After the steps of a look: nudge the pieces held by too much friction and return their
        numbers; clear the others.
        """
        nudged = set()
        for number, sums in self._open.items():
            way = _slides(self._pieces, number, sums, _TOO_MUCH)
            here = self._pieces.states([number])[0, :3]
            wedged = number in self._nudged_at and math.dist(here, self._nudged_at[number]) < _WENT
            if way is None or wedged or self._nudges.get(number, 0) == _MOST_NUDGES:
                self._cleared.add(number)
                continue
            linear, angular = self._pieces.velocity(number)
            self._pieces.drive(number, linear + _NUDGE * way, angular)
            self._nudges[number] = self._nudges.get(number, 0) + 1
            self._nudged_at[number] = here
            nudged.add(number)
        self._open = {}
        return nudged

    def forget(self, numbers: Iterable[int]) -> None:
        """Forgets what was found about these pieces, which have woken."""
        self._cleared.difference_update(numbers)


def _loads(pieces: Pieces, number: int) -> _Loads:
    """The loads of what bears a piece; none if the contact points of a pair have several
    normals.
    """
    height = pieces.states([number])[0, 2] * pieces.units_per_mm
    pairs: dict[int, list[tuple[float, ...]]] = {}
    normals: dict[int, tuple[float, float, float]] = {}
    for contact in pieces.contacts(number):
        other, place, normal, force = contact[2], contact[5], contact[7], contact[9]
        if force <= 0 or place[2] >= height:
            continue
        first = normals.setdefault(other, normal)
        if sum(a * b for a, b in zip(first, normal, strict=True)) < _ONE_NORMAL:
            return {}
        one, two = contact[10], contact[12]
        friction = (one * a + two * b for a, b in zip(contact[11], contact[13], strict=True))
        pairs.setdefault(other, []).append((*friction, force))
    return {other: np.array(rows).sum(axis=0) for other, rows in pairs.items()}


def _slides(
    pieces: Pieces, number: int, loads: Mapping[int, _Array], share: float
) -> _Array | None:
    """The way a piece would slide if friction exceeds that share of mu N wherever it is borne; else
    None.
    """
    worst, way = 0.0, None
    for other, (x, y, z, normal) in loads.items():
        limit, friction = (
            share * pieces.friction(number, other) * normal,
            math.sqrt(x * x + y * y + z * z),
        )
        if friction <= limit or limit <= 0 or abs(z) < _LEVEL * friction:
            return None  # this support can take over friction that is too much elsewhere
        if friction / limit > worst:
            worst, way = friction / limit, np.array((x, y, z)) * -math.copysign(1.0, z) / friction
    return way
