"""Environments for learning: PettingZoo, Gymnasium and OpenSpiel (docs/environments.md).

    from shutoko.envs import meridians_v0, thruway_v0, tokyo_highway_v0
    env = meridians_v0.env(size=5)  # PettingZoo, all seats
    env = gymnasium.make("shutoko/Meridians-v0", opponent="uct:simulations=200")  # Gymnasium, one seat

Importing this package registers the ids with Gymnasium if that is installed; nothing else is loaded before it is used. Without
the extra `rl` its environments raise UnavailableError, which names it; `openspiel` needs the extra of that name alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.lazy import loader

if TYPE_CHECKING:
    from shutoko.envs import meridians_v0, openspiel, thruway_v0, tokyo_highway_v0

__all__ = ["GYMNASIUM_IDS", "SELF_PLAY_IDS", "meridians_v0", "openspiel", "thruway_v0", "tokyo_highway_v0"]

GYMNASIUM_IDS = {
    "meridians": "shutoko/Meridians-v0",
    "thruway": "shutoko/Thruway-v0",
    "tokyo-highway": "shutoko/TokyoHighway-v0",
}
"""The ids of the environments with one seat for the agent, by game."""

SELF_PLAY_IDS = {"meridians": "shutoko/MeridiansSelfPlay-v0", "thruway": "shutoko/ThruwaySelfPlay-v0"}
"""The ids of the environments with many games, in which the agent plays both seats, by game: for `gymnasium.make_vec`."""


def _register() -> None:
    try:
        from gymnasium.envs.registration import register
    except ImportError:
        return
    for game, name in GYMNASIUM_IDS.items():
        register(name, "shutoko.envs.single:SingleEnv", kwargs={"game": game}, order_enforce=True)
    for game, name in SELF_PLAY_IDS.items():
        register(name, vector_entry_point="shutoko.envs.vector:SelfPlayVectorEnv", kwargs={"game": game})


_register()

__getattr__, __dir__ = loader(
    __name__, {}, [f"{__name__}.{module}" for module in ("meridians_v0", "openspiel", "thruway_v0", "tokyo_highway_v0")]
)
