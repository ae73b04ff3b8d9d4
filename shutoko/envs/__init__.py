"""Environments for learning: PettingZoo, Gymnasium and OpenSpiel (docs/environments.md).

    from shutoko.envs import meridians_v0, thruway_v0, tokyo_highway_v0
    env = meridians_v0.env(size=5)  # PettingZoo, all seats
    env = gymnasium.make("shutoko/Meridians-v0", opponent="mcts:simulations=200")  # Gymnasium,
                                                                          # one seat

Every installed game has such a module, NAME_v0, and such an id. Importing this package registers
the ids with Gymnasium if that is installed; nothing else is loaded before it is used. Without the
extra `rl` its environments raise UnavailableError, which names it; `openspiel` needs the extra of
that name alone.

Any game for two on a board of cells has an environment (`rules.grid.Batch`). A package can bring
another one for its game, by an entry point in the group `shutoko.environments` under the game's
name: called with the game, the cap and options of its own, it makes a
`shutoko.envs.tables.EnvTable`.
"""

import sys
from importlib import import_module
from importlib.metadata import entry_points
from types import ModuleType
from typing import Any

from rules.errors import InputError
from rules.game import known_games
from rules.near import meant

GROUP = "shutoko.environments"
"""The entry point group of environments that packages bring for their games."""


def _id(game: str, form: str) -> str:
    return f"shutoko/{''.join(part.capitalize() for part in game.split('-'))}{form}-v0"


_MODULES = {f"{game.replace('-', '_')}_v0": game for game in known_games()}

GYMNASIUM_IDS = {game: _id(game, "") for game in known_games()}
"""The ids of the environments with one seat for the agent, by game."""

SELF_PLAY_IDS = {game: _id(game, "SelfPlay") for game in known_games()}
"""The ids of the environments with many games, in which the agent plays both seats, by game: for
`gymnasium.make_vec`.
"""

BOARDS = tuple(game for game in known_games() if game not in entry_points(group=GROUP).names)
"""The games for which no package brings an environment: those on boards of cells, which OpenSpiel
plays, too.
"""

__all__ = ["BOARDS", "GROUP", "GYMNASIUM_IDS", "SELF_PLAY_IDS", "openspiel"]
__all__ += list(_MODULES)


class _Environments(ModuleType):
    """The module of a game for PettingZoo. Its functions are made when they are first asked for."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        from shutoko.envs import aec

        game = _MODULES[self.__name__.rpartition(".")[2]]
        vars(self).update(aec.functions(self.__name__, game))
        return object.__getattribute__(self, name)


def _made(name: str, game: str) -> ModuleType:
    title = game.replace("-", " ").title()
    return _Environments(
        f"{__name__}.{name}",
        (
            f"{title} for PettingZoo: `env(**options)`, `raw_env` without wrappers, `parallel_env` "
            "with all seats in one step."
        ),
    )


# They are among the loaded modules from the start, so that `import` finds them, also in a worker.
sys.modules.update({f"{__name__}.{name}": _made(name, game) for name, game in _MODULES.items()})


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        module = sys.modules[f"{__name__}.{name}"]
        assert module.env  # says at once if the extra is missing
        return module
    if name == "openspiel":
        return import_module(f"{__name__}.{name}")
    if name.rpartition("_v")[2].isdecimal():  # of an AttributeError `from ... import` shows no word
        raise InputError(f"{__name__} has no {name}{meant(name, _MODULES)}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__


def _register() -> None:
    try:
        from gymnasium.envs.registration import register
    except ImportError:
        return
    for game, name in GYMNASIUM_IDS.items():
        register(name, "shutoko.envs.single:SingleEnv", kwargs={"game": game}, order_enforce=True)
    many = "shutoko.envs.single:SelfPlayVectorEnv"
    for game, name in SELF_PLAY_IDS.items():
        register(name, vector_entry_point=many, kwargs={"game": game})


_register()
