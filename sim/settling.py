"""What came to rest after a hand let go of pieces, whoever says so: an engine, a record, or nobody."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from sim.poses import Pose
from sim.trajectory import Trajectory

__all__ = ["SettleResult"]


@dataclass(frozen=True, slots=True)
class SettleResult:
    """The poses of the new pieces and of all that moved, the buildings and pieces that the hand `touched`, and those that were
    still `restless` when time was up.

    `track` is the way there, if it was watched; `work` is what it took: simulated seconds times the pieces that were free.
    Neither counts in comparisons.
    """

    moved: Mapping[str, Pose]
    touched: tuple[str, ...] = ()
    restless: tuple[str, ...] = ()
    track: Trajectory | None = field(default=None, compare=False)
    work: float = field(default=0.0, compare=False)

    def without(self, piece: str) -> SettleResult:
        """As if that piece had never been put down."""
        return replace(self, moved={name: pose for name, pose in self.moved.items() if name != piece})
