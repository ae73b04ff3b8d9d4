"""What kernels and searches are made of: the common names of all games' kernels, so that each
search is written once for all games; bits of a word, copies of arrays, random numbers.

Compiled code calls `play(tables, ...)`. When numba compiles such a call, the type of `tables`
decides which game's kernel it becomes. So the choice costs nothing at run time. A game calls
`register(Tables, play=..., ...)` before anything over it is compiled.

Sides are 0 and 1 in every game. Results are 0 while the game goes on, side + 1 for the side that
has won, and DRAWN for a draw. `info` begins alike in every game: SIDE, the side to move; PLIES,
decisions made, as far as the game counts them; SWAPPED, 1 when the seats have exchanged their
sides, so that seat 0 plays side 1; WON, the result. The functions below are for compiled code only.
"""
# a game's own kernel stands in for the body of a function
# mypy: disable-error-code="empty-body"

from collections.abc import Callable
from functools import wraps
from typing import Any, NoReturn, TypeVar, cast

import numpy as np
import numpy.typing as npt
from numba.core import cgutils, types
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import intrinsic

from rules.grid.kernels.jit import njit_inline

SIDE, PLIES, SWAPPED, WON = range(4)
DRAWN = 3

F = TypeVar("F", bound=Callable[..., Any])

_KERNELS: dict[type, dict[str, Callable[..., Any]]] = {}
_USUAL: dict[str, Callable[..., Any]] = {}


def register(tables: type, **kernels: Callable[..., Any]) -> None:
    """Registers kernels, by the names below, of the game whose geometry has the type `tables`, a
    NamedTuple class.

    Several calls add up: a game's rules register what they are, a search what it adds to them. A
    kernel below that is decorated as usual is that of a game which registers none. Of the others
    each search, and each way to play games, needs some.
    """
    _KERNELS.setdefault(tables, dict(_USUAL)).update(kernels)


def _kernel(function: F) -> F:
    """What compiled code calls by the name of `function`: when numba compiles the call, the type of
    the first argument decides which game's kernel it becomes.
    """

    @wraps(function)
    def compiled_only(*_: Any) -> NoReturn:
        raise NotImplementedError("for compiled code only")

    class Template(AbstractTemplate):
        key = compiled_only

        def generic(self, args: Any, kws: Any) -> Any:
            """The signature of the call. Compiles the kernel for it if that has not been done."""
            kernel: Any = _KERNELS[args[0].instance_class][function.__name__]
            self._kernel = kernel
            template, _, folded, named = kernel.get_call_template(args, kws)
            return template(self.context).apply(folded, named)

        def get_impl_key(self, sig: Any) -> Any:
            """The compiled kernel that the call becomes."""
            return self._kernel.get_overload(sig.args)

    infer_global(compiled_only, types.Function(Template))
    return cast("F", compiled_only)


def _usual(function: F) -> F:
    """The same; `function` is the kernel of a game that registers none."""
    _USUAL[function.__name__] = njit_inline(function)
    return _kernel(function)


# --- a game's kernels -----------------------------------------------------------------------------


@_usual
def side(tables: Any, info: Any) -> int:  # noqa: ARG001 - the common form, as for all below
    """The side to move, 0 or 1."""
    return int(info[SIDE])


@_kernel
def reset(tables: Any, board: Any, info: Any) -> None:
    """The first position of a game."""


@_kernel
def legal(tables: Any, board: Any, info: Any, out: Any) -> int:
    """Fills `out` with the legal actions in rising order and returns how many there are; for a game
    that goes on.
    """


@_usual
def begin(tables: Any, board: Any, info: Any, work: Any) -> None:
    """Called once before a position is searched."""


@_kernel
def play(tables: Any, board: Any, info: Any, work: Any, action: int) -> int:
    """Plays a legal action in place, with all its consequences, and returns the result."""


@_usual
def start_rollout(tables: Any, board: Any, info: Any, work: Any) -> None:
    """Called once before a series of `pick` and `play` with the same `work`."""


@_kernel
def pick(tables: Any, board: Any, info: Any, work: Any, chance: Any) -> int:
    """A random legal action of a game that goes on."""


@_kernel
def play_plain(tables: Any, board: Any, info: Any, work: Any, action: int) -> int:
    """`play`, merged into its caller, with the `work` of the rules alone."""


@_kernel
def pick_plain(tables: Any, board: Any, info: Any, work: Any, chance: Any) -> int:
    """`pick`, merged into its caller, with the `work` of the rules alone."""


@_usual
def prepare_plain(tables: Any, work: Any) -> None:
    """`start_rollout` for `pick_plain` and `play_plain`."""


@_kernel
def same(tables: Any, board: Any, info: Any, other_board: Any, other_info: Any) -> bool:
    """Whether two positions of one game are equal in everything that matters for its
    continuation.
    """


@_usual
def priors(
    tables: Any,  # noqa: ARG001
    board: Any,  # noqa: ARG001
    info: Any,  # noqa: ARG001
    work: Any,  # noqa: ARG001
    actions: Any,  # noqa: ARG001
    count: int,
    out: Any,
) -> None:
    """Fills out[:count] with an estimate of how often each of actions[:count] wins for the side to
    move, from 0 to 1.
    """
    for i in range(count):
        out[i] = 0.5


@_usual
def evaluate(tables: Any, board: Any, info: Any, work: Any) -> float:  # noqa: ARG001
    """An estimate of how often side 0 wins from here, 0 to 1, for a game that goes on."""
    return 0.5


@_kernel
def key(tables: Any, info: Any) -> int:
    """A hash of 64 bits. Different positions of one game, after its opening, hardly ever
    share one.
    """


@_kernel
def refresh(tables: Any, board: Any, info: Any, weights: Any, notes: Any) -> None:
    """Computes an evaluation's `notes` of a position from scratch."""


@_usual
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


@_kernel
def score(tables: Any, board: Any, info: Any, weights: Any, notes: Any) -> int:
    """The value of a position for the side to move, in units of the evaluation."""


@_usual
def is_noisy(tables: Any, board: Any, info: Any, work: Any) -> bool:  # noqa: ARG001
    """Whether the side to move must answer a threat, so that `score` says little."""
    return False


@_usual
def whole(tables: Any, info: Any, first: int, action: int) -> int:  # noqa: ARG001
    """The action that a step of a batch makes; -1 if it is only the first half of one. `first` is
    the half that was chosen a step before, -1 for none.
    """
    return action


@_kernel
def mark(tables: Any, info: Any, work: Any, first: int, mask: Any) -> None:
    """Fills `mask` uint8[actions] with what a step of a batch may do; `first` as in `whole`."""


@_kernel
def show(tables: Any, board: Any, info: Any, first: int, planes: Any) -> None:
    """Fills the planes of an observation that change, uint8[planes, rows, columns]; `first` as in
    `whole`.
    """


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
