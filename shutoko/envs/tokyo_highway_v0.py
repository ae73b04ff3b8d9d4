"""Tokyo Highway for PettingZoo: `env(**options)`, `raw_env` without wrappers, `parallel_env` with all seats in one step."""

from __future__ import annotations

from typing import Any

from shutoko.envs import aec


def raw_env(render_mode: str | None = None, **options: Any) -> aec.TableEnv:
    """The environment without wrappers: an illegal action raises IllegalMoveError. See `shutoko.envs.aec.TableEnv`."""
    return aec.TableEnv("tokyo-highway", render_mode, **options)


def env(render_mode: str | None = None, **options: Any) -> Any:
    """The environment in the wrappers of PettingZoo's classic games: an illegal action ends the game with a reward of -1."""
    return aec.wrapped(raw_env(render_mode, **options))


def parallel_env(render_mode: str | None = None, **options: Any) -> Any:
    """PettingZoo's parallel form: every seat gives an action, and only that of the seat to move counts."""
    return aec.parallel(env(render_mode, **options))
