"""The result of settling pieces after a hand let go of them, from an engine, a record, or geometry
alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from sim.bodies import Pose
from sim.trajectory import SettlingTake


@dataclass(frozen=True, slots=True)
class SettleResult:
    """The poses of the new pieces and of all that moved, the buildings and pieces that the hand
    `touched`, and those that were still `restless` at the end of the time limit.

    What fell is in `moved` as it fell. `restored` has the poses in which pieces that fell came
    to rest once they were put back, where these are not the poses from which they fell. `mended`
    are the pieces that had to be set right before all stood again.

    `takes` have the paths to rest, if they were watched. `work` is the cost of the runs: simulated
    seconds times the number of free pieces. Comparisons ignore both.
    """

    moved: Mapping[str, Pose]
    touched: tuple[str, ...] = ()
    restless: tuple[str, ...] = ()
    restored: Mapping[str, Pose] = field(default_factory=dict)
    mended: tuple[str, ...] = ()
    takes: tuple[SettlingTake, ...] = field(default=(), compare=False)
    work: float = field(default=0.0, compare=False)

    def without(self, piece: str) -> SettleResult:
        """As if that piece had never been put down."""
        return replace(
            self, moved={name: pose for name, pose in self.moved.items() if name != piece}
        )
