"""What kernels and searches are made of: the common names of all games' kernels, so that each
search is written once for all games; bits of a word, copies of arrays, random numbers.

Compiled code calls `play(tables, ...)`. When numba compiles such a call, the type of `tables`
decides which game's kernel it becomes. So the choice costs nothing at run time. A game calls
`register(Tables, play=..., ...)` before anything over it is compiled.

Sides are 0 and 1 in every game. Results are 0 while the game goes on, side + 1 for the side that
has won, and 3 for a draw. The functions below are for compiled code only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, cast

import numpy as np
import numpy.typing as npt
from numba.core import cgutils, types
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import intrinsic

from rules.grid.kernels.jit import njit_inline, njit_linked

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


# --- bits of a word, copies of arrays -------------------------------------------------------------
# Each is an instruction of the machine or a call of `memcpy`. Numba's own array assignment needs
# reference counts, which kernels are compiled without.


def _of_a_word(build: Callable[[Any, Any, Any], Any]) -> Callable[[int], int]:
    """A function of compiled code from int64 to int64; `build` gives its value in LLVM."""

    def typed(typingctx: Any, word: Any) -> Any:  # noqa: ARG001 - numba calls all of these by their names
        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001
            return build(context, builder, args[0])

        return types.int64(types.int64), code

    return cast("Callable[[int], int]", intrinsic(typed))


def _highest(context: Any, builder: Any, word: Any) -> Any:
    zeros = builder.ctlz(word, context.get_constant(types.boolean, 1))
    return builder.xor(zeros, context.get_constant(types.int64, 63))


lowest = _of_a_word(
    lambda context, builder, word: builder.cttz(word, context.get_constant(types.boolean, 1))
)
"""The number of the lowest bit set in an int64 that is not 0; for compiled code only."""

highest = _of_a_word(_highest)
"""The number of the highest bit set in an int64 that is not 0; for compiled code only."""

count = _of_a_word(lambda _, builder, word: builder.ctpop(word))
"""How many bits of an int64 are set; for compiled code only."""


def _copy(typingctx: Any, source: Any, target: Any) -> Any:  # noqa: ARG001 - as above
    if not (source.layout == target.layout == "C" and source.dtype == target.dtype):
        return None

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        one, other = (
            context.make_array(t)(context, builder, value=v)
            for t, v in zip(signature.args, args, strict=True)
        )
        memcpy: Any = cgutils.raw_memcpy
        memcpy(builder, other.data, one.data, one.nitems, one.itemsize)
        return context.get_dummy_value()

    return types.void(source, target), code


copy = cast("Callable[[Any, Any], None]", intrinsic(_copy))
"""`copy(source, target)` copies a contiguous array into another of the same size and type; for
compiled code only.
"""


# --- random numbers -------------------------------------------------------------------------------
# Those of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
# 2014). The state is a `uint64[1]` that the caller owns. So every stream is an argument, and the
# same seed gives the same results.

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1, _MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


def stream(seed: int) -> npt.NDArray[np.uint64]:
    """A new stream for this seed (0 <= seed < 2**64): the state that `draw` and `below` advance."""
    return np.array([seed], np.uint64)


@njit_inline
def draw(state: npt.NDArray[np.uint64]) -> np.uint64:
    """The next 64 random bits."""
    state[0] += _GAMMA
    z: np.uint64 = state[0]
    z = (z ^ (z >> _S30)) * _MIX_1
    z = (z ^ (z >> _S27)) * _MIX_2
    return np.uint64(z ^ (z >> _S31))


@njit_inline
def below(state: npt.NDArray[np.uint64], count: int) -> int:
    """A number from 0 to `count` - 1 (0 < count < 2**31), by Lemire's multiply-shift (2019). The
    bias is below 2**-20 here.
    """
    return int(((draw(state) >> _S32) * np.uint64(count)) >> _S32)
