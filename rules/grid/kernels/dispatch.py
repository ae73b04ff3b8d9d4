"""One name for what every grid game's kernels do, so that a search is written once.

Compiled code calls `play(tables, ...)`; which game's kernel that is, numba decides by the type of `tables` when it compiles
the caller. So the choice costs nothing when the code runs, and callers are cached on disk like any other: one cache entry for
each game. A game takes part by `register(Tables, play=..., ...)`, before anything is compiled for it.

Sides are 0 and 1, whatever a game's own arrays say, and results are the kernels': 0 goes on, 1 and 2 that side + 1 has won, 3
drawn. The functions below are for compiled code only.
"""

# ruff: noqa: ARG001, PLW0108 - numba calls by name, and takes functions only

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeVar, cast

from numba import extending

from rules.grid.kernels.jit import rule

__all__ = [
    "begin",
    "evaluate",
    "follow",
    "key",
    "legal",
    "pick",
    "play",
    "priors",
    "register",
    "same",
    "score",
    "side",
    "start_rollout",
    "urgent",
    "watch",
]

F = TypeVar("F", bound=Callable[..., Any])

_KERNELS: dict[type, dict[str, Callable[..., Any]]] = {}


def register(
    tables: type,
    *,
    side: Callable[..., Any],
    legal: Callable[..., Any],
    play: Callable[..., Any],
    pick: Callable[..., Any],
    same: Callable[..., Any],
    start_rollout: Callable[..., Any] | None = None,
    priors: Callable[..., Any] | None = None,
    evaluate: Callable[..., Any] | None = None,
    begin: Callable[..., Any] | None = None,
    **others: Callable[..., Any],
) -> None:
    """The compiled kernels of the game whose geometry is in `tables`, a NamedTuple class.

    Those that may be missing get a neutral one. `others` are what alpha-beta asks for: key, watch, follow, score, urgent.
    """
    named = {"side": side, "legal": legal, "play": play, "pick": pick, "same": same}
    named |= {"start_rollout": start_rollout or _nothing, "priors": priors or _even_priors, "evaluate": evaluate or _even}
    named["begin"] = begin or _nothing
    _KERNELS[tables] = named | others


def side(tables: Any, info: Any) -> int:
    """The side to move, 0 or 1."""
    _compiled_only(tables, info)


def legal(tables: Any, board: Any, info: Any, out: Any) -> int:
    """Fills `out` with the legal actions in rising order and returns how many there are; for a game that goes on."""
    _compiled_only(tables, board, info, out)


def begin(tables: Any, board: Any, info: Any, work: Any) -> None:
    """To be called once before a search of that position."""
    _compiled_only(tables, board, info, work)


def play(tables: Any, board: Any, info: Any, work: Any, action: int) -> int:
    """Makes a legal action in place with all that follows; the result."""
    _compiled_only(tables, board, info, work, action)


def start_rollout(tables: Any, board: Any, info: Any, work: Any) -> None:
    """To be called once before a series of `pick` and `play` with the same `work`."""
    _compiled_only(tables, board, info, work)


def pick(tables: Any, board: Any, info: Any, work: Any, chance: Any) -> int:
    """A random legal action of a game that goes on."""
    _compiled_only(tables, board, info, work, chance)


def same(tables: Any, board: Any, info: Any, other_board: Any, other_info: Any) -> bool:
    """Whether two positions of one game are equal in all that matters for going on."""
    _compiled_only(tables, board, info, other_board, other_info)


def priors(tables: Any, board: Any, info: Any, work: Any, actions: Any, count: int, out: Any) -> None:
    """Fills out[:count] with a guess at how often each of actions[:count] wins for the side to move, from 0 to 1."""
    _compiled_only(tables, board, info, work, actions, count, out)


def evaluate(tables: Any, board: Any, info: Any, work: Any) -> float:
    """A guess at how often side 0 wins a game that goes on, from 0 to 1."""
    _compiled_only(tables, board, info, work)


def key(tables: Any, info: Any) -> int:
    """64 bits that equal positions share, and different ones of one game after its opening hardly ever."""
    _compiled_only(tables, info)


def watch(tables: Any, board: Any, info: Any, weights: Any, notes: Any) -> None:
    """Fills an evaluation's `notes` on any position."""
    _compiled_only(tables, board, info, weights, notes)


def follow(
    tables: Any, before: Any, info: Any, weights: Any, old: Any, board: Any, after: Any, notes: Any, action: int
) -> None:
    """Fills `notes` on the position `board`, `after` that `action` made out of `before`, `info` with the notes `old`."""
    _compiled_only(tables, before, info, weights, old, board, after, notes, action)


def score(tables: Any, board: Any, info: Any, weights: Any, notes: Any) -> int:
    """The value of a position for the side to move, in units of the evaluation."""
    _compiled_only(tables, board, info, weights, notes)


def urgent(tables: Any, board: Any, info: Any, work: Any) -> bool:
    """Whether the side to move must answer something, so that `score` says little."""
    _compiled_only(tables, board, info, work)


def _compiled_only(*_: Any) -> NoReturn:
    raise NotImplementedError("for compiled code only")


@rule
def _nothing(tables: Any, board: Any, info: Any, work: Any) -> None:
    pass


@rule
def _even_priors(tables: Any, board: Any, info: Any, work: Any, actions: Any, count: int, out: Any) -> None:
    for i in range(count):
        out[i] = 0.5


@rule
def _even(tables: Any, board: Any, info: Any, work: Any) -> float:
    return 0.5


# --- numba's side: an overload gives, for the types of a call, the Python function to compile there --------------------


_OPTIONS: Any = {"_nrt": False, "forceinline": True}

overload = cast("Callable[..., Callable[[F], F]]", extending.overload)


def _kernel(tables: Any, name: str) -> Any:
    return _KERNELS[tables.instance_class][name]


@overload(side, strict=False, jit_options=_OPTIONS)
def _side(tables: Any, info: Any) -> Any:
    kernel = _kernel(tables, "side")
    return lambda tables, info: kernel(tables, info)


@overload(legal, strict=False, jit_options=_OPTIONS)
def _legal(tables: Any, board: Any, info: Any, out: Any) -> Any:
    kernel = _kernel(tables, "legal")
    return lambda tables, board, info, out: kernel(tables, board, info, out)


@overload(begin, strict=False, jit_options=_OPTIONS)
def _begin(tables: Any, board: Any, info: Any, work: Any) -> Any:
    kernel = _kernel(tables, "begin")
    return lambda tables, board, info, work: kernel(tables, board, info, work)


@overload(play, strict=False, jit_options=_OPTIONS)
def _play(tables: Any, board: Any, info: Any, work: Any, action: Any) -> Any:
    kernel = _kernel(tables, "play")
    return lambda tables, board, info, work, action: kernel(tables, board, info, work, action)


@overload(start_rollout, strict=False, jit_options=_OPTIONS)
def _start_rollout(tables: Any, board: Any, info: Any, work: Any) -> Any:
    kernel = _kernel(tables, "start_rollout")
    return lambda tables, board, info, work: kernel(tables, board, info, work)


@overload(pick, strict=False, jit_options=_OPTIONS)
def _pick(tables: Any, board: Any, info: Any, work: Any, chance: Any) -> Any:
    kernel = _kernel(tables, "pick")
    return lambda tables, board, info, work, chance: kernel(tables, board, info, work, chance)


@overload(same, strict=False, jit_options=_OPTIONS)
def _same(tables: Any, board: Any, info: Any, other_board: Any, other_info: Any) -> Any:
    kernel = _kernel(tables, "same")
    return lambda tables, board, info, other_board, other_info: kernel(tables, board, info, other_board, other_info)


@overload(priors, strict=False, jit_options=_OPTIONS)
def _priors(tables: Any, board: Any, info: Any, work: Any, actions: Any, count: Any, out: Any) -> Any:
    kernel = _kernel(tables, "priors")
    return lambda tables, board, info, work, actions, count, out: kernel(tables, board, info, work, actions, count, out)


@overload(evaluate, strict=False, jit_options=_OPTIONS)
def _evaluate(tables: Any, board: Any, info: Any, work: Any) -> Any:
    kernel = _kernel(tables, "evaluate")
    return lambda tables, board, info, work: kernel(tables, board, info, work)


@overload(key, strict=False, jit_options=_OPTIONS)
def _key(tables: Any, info: Any) -> Any:
    kernel = _kernel(tables, "key")
    return lambda tables, info: kernel(tables, info)


@overload(watch, strict=False, jit_options=_OPTIONS)
def _watch(tables: Any, board: Any, info: Any, weights: Any, notes: Any) -> Any:
    kernel = _kernel(tables, "watch")
    return lambda tables, board, info, weights, notes: kernel(tables, board, info, weights, notes)


@overload(follow, strict=False, jit_options=_OPTIONS)
def _follow(
    tables: Any, before: Any, info: Any, weights: Any, old: Any, board: Any, after: Any, notes: Any, action: Any
) -> Any:
    kernel = _kernel(tables, "follow")
    return lambda tables, before, info, weights, old, board, after, notes, action: kernel(
        tables, before, info, weights, old, board, after, notes, action
    )


@overload(score, strict=False, jit_options=_OPTIONS)
def _score(tables: Any, board: Any, info: Any, weights: Any, notes: Any) -> Any:
    kernel = _kernel(tables, "score")
    return lambda tables, board, info, weights, notes: kernel(tables, board, info, weights, notes)


@overload(urgent, strict=False, jit_options=_OPTIONS)
def _urgent(tables: Any, board: Any, info: Any, work: Any) -> Any:
    kernel = _kernel(tables, "urgent")
    return lambda tables, board, info, work: kernel(tables, board, info, work)
