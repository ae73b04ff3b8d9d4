"""The common names of all games' kernels, so that each search is written once for all games.

Compiled code calls `play(tables, ...)`. When numba compiles such a call, the type of `tables`
decides which game's kernel it becomes. So the choice costs nothing at run time. A game calls
`register(Tables, play=..., ...)` before anything over it is compiled.

Sides are 0 and 1 in every game. Results are 0 while the game goes on, side + 1 for the side that
has won, and 3 for a draw. The functions below are for compiled code only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from numba.core.typing.templates import AbstractTemplate, infer_global

from rules.grid.kernels.jit import njit_linked

_KERNELS: dict[type, dict[str, Callable[..., Any]]] = {}


def register(tables: type, **kernels: Callable[..., Any]) -> None:
    """Registers kernels, by the names below, of the game whose geometry has the type `tables`, a
    NamedTuple class.

    Several calls add up: a game's rules register what they are, a search what it adds to them. By
    default `start_rollout`, `begin` and `prepare_plain` do nothing, and `priors` and `evaluate`
    give even chances. Each search and each of the shared games needs some of the others.
    """
    _KERNELS.setdefault(tables, dict(_USUAL)).update(kernels)


def side(tables: Any, info: Any) -> int:
    """The side to move, 0 or 1."""
    _compiled_only(tables, info)


def legal(tables: Any, board: Any, info: Any, out: Any) -> int:
    """Fills `out` with the legal actions in rising order and returns how many there are; for a game
    that goes on.
    """
    _compiled_only(tables, board, info, out)


def begin(tables: Any, board: Any, info: Any, work: Any) -> None:
    """Called once before a position is searched."""
    _compiled_only(tables, board, info, work)


def play(tables: Any, board: Any, info: Any, work: Any, action: int) -> int:
    """Plays a legal action in place, with all its consequences, and returns the result."""
    _compiled_only(tables, board, info, work, action)


def start_rollout(tables: Any, board: Any, info: Any, work: Any) -> None:
    """Called once before a series of `pick` and `play` with the same `work`."""
    _compiled_only(tables, board, info, work)


def pick(tables: Any, board: Any, info: Any, work: Any, chance: Any) -> int:
    """A random legal action of a game that goes on."""
    _compiled_only(tables, board, info, work, chance)


def play_plain(tables: Any, board: Any, info: Any, work: Any, action: int) -> int:
    """`play`, merged into its caller, with the `work` of the rules alone."""
    _compiled_only(tables, board, info, work, action)


def pick_plain(tables: Any, board: Any, info: Any, work: Any, chance: Any) -> int:
    """`pick`, merged into its caller, with the `work` of the rules alone."""
    _compiled_only(tables, board, info, work, chance)


def prepare_plain(tables: Any, work: Any) -> None:
    """`start_rollout` for `pick_plain` and `play_plain`."""
    _compiled_only(tables, work)


def same(tables: Any, board: Any, info: Any, other_board: Any, other_info: Any) -> bool:
    """Whether two positions of one game are equal in everything that matters for its
    continuation.
    """
    _compiled_only(tables, board, info, other_board, other_info)


def priors(
    tables: Any, board: Any, info: Any, work: Any, actions: Any, count: int, out: Any
) -> None:
    """Fills out[:count] with an estimate of how often each of actions[:count] wins for the side to
    move, from 0 to 1.
    """
    _compiled_only(tables, board, info, work, actions, count, out)


def evaluate(tables: Any, board: Any, info: Any, work: Any) -> float:
    """An estimate of how often side 0 wins from here, 0 to 1, for a game that goes on."""
    _compiled_only(tables, board, info, work)


def key(tables: Any, info: Any) -> int:
    """A hash of 64 bits. Different positions of one game, after its opening, hardly ever
    share one.
    """
    _compiled_only(tables, info)


def refresh(tables: Any, board: Any, info: Any, weights: Any, notes: Any) -> None:
    """Computes an evaluation's `notes` of a position from scratch."""
    _compiled_only(tables, board, info, weights, notes)


def update(
    tables: Any,
    before: Any,
    info: Any,
    weights: Any,
    old: Any,
    board: Any,
    after: Any,
    notes: Any,
    action: int,
) -> None:
    """Computes `notes` of the position `board`, `after` from the notes `old` of `before`, `info`,
    where `action` was played.
    """
    _compiled_only(tables, before, info, weights, old, board, after, notes, action)


def score(tables: Any, board: Any, info: Any, weights: Any, notes: Any) -> int:
    """The value of a position for the side to move, in units of the evaluation."""
    _compiled_only(tables, board, info, weights, notes)


def is_noisy(tables: Any, board: Any, info: Any, work: Any) -> bool:
    """Whether the side to move must answer a threat, so that `score` says little."""
    _compiled_only(tables, board, info, work)


def _compiled_only(*_: Any) -> NoReturn:
    raise NotImplementedError("for compiled code only")


@njit_linked
def _nothing(tables: Any, board: Any, info: Any, work: Any) -> None:
    pass


@njit_linked
def _nothing_plain(tables: Any, work: Any) -> None:
    pass


@njit_linked
def _even_priors(
    tables: Any,  # noqa: ARG001 - the common form
    board: Any,  # noqa: ARG001
    info: Any,  # noqa: ARG001
    work: Any,  # noqa: ARG001
    actions: Any,  # noqa: ARG001
    count: int,
    out: Any,
) -> None:
    for i in range(count):
        out[i] = 0.5


@njit_linked
def _even(tables: Any, board: Any, info: Any, work: Any) -> float:  # noqa: ARG001 - the common form
    return 0.5


_USUAL: dict[str, Callable[..., Any]] = {
    "start_rollout": _nothing,
    "begin": _nothing,
    "prepare_plain": _nothing_plain,
    "priors": _even_priors,
    "evaluate": _even,
}


# --- for numba: the type of the first argument decides which kernel a call means ------------------


def _template(function: Callable[..., Any]) -> type[AbstractTemplate]:
    """The answers to what numba asks when it compiles a call of `function`."""

    class Template(AbstractTemplate):
        key = function

        def generic(self, args: Any, kws: Any) -> Any:
            """The signature of the call. Compiles the kernel for it if that has not been done."""
            kernel: Any = _KERNELS[args[0].instance_class][function.__name__]
            self._kernel = kernel
            template, _, folded, named = kernel.get_call_template(args, kws)
            return template(self.context).apply(folded, named)

        def get_impl_key(self, sig: Any) -> Any:
            """The compiled kernel that the call becomes."""
            return self._kernel.get_overload(sig.args)

    return Template


for _function in (
    *(side, legal, begin, play, start_rollout, pick, same, priors, evaluate, key, refresh, update),
    *(score, is_noisy, play_plain, pick_plain, prepare_plain),
):
    infer_global(_function)(_template(_function))
