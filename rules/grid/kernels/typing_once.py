"""Numba's type inference, which remembers what it found for operators and built-in functions.

For every `a + b` numba tries dozens of templates, texts and sets among them, until one fits. What
fits follows from the types alone, so it is looked for once, not once for each line: a quarter of
the time of compiling went into that. `rules.grid.kernels.jit` uses this pass for the functions that
it links; nothing else that numba compiles is touched.
"""

from __future__ import annotations

from typing import Any

from numba.core import types
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NopythonTypeInference

_TYPES: Any = types  # the stubs leave out some of them
_PLAIN = (types.Number, types.Boolean, types.Array, _TYPES.Tuple, _TYPES.UniTuple, types.Literal)
_NUMBERS = (types.Number, types.Boolean, types.IntegerLiteral, types.BooleanLiteral)

_found: dict[Any, Any] = {}


class _Remembering:
    """Numba's typing context, with a memory for calls whose arguments are numbers, arrays and
    tuples of them.
    """

    def __init__(self, context: Any) -> None:
        self._context = context

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        """Numba asks for the signature of a call, `a + b` and `a[b]` among them."""
        known = isinstance(func, types.Function) or getattr(func, "__module__", "") == "_operator"
        if kws or not known or not all(isinstance(one, _PLAIN) for one in args):
            return self._context.resolve_function_type(func, args, kws)
        if all(isinstance(one, _NUMBERS) for one in args):  # no operator minds which number it is
            args = [_TYPES.unliteral(one) for one in args]
        key = func, tuple(args)
        if key not in _found:
            sig = self._context.resolve_function_type(func, tuple(args), kws)
            if sig is None:
                return None
            _found[key] = sig
        return _found[key]


@register_pass(mutates_CFG=True, analysis_only=False)
class RememberingTypes(NopythonTypeInference):
    """Numba's pass, with a context that remembers."""

    _name = "remembering_type_inference"

    def run_pass(self, state: Any) -> bool:
        """Numba asks for the types of a function's variables."""
        usual = state.typingctx
        state.typingctx = _Remembering(usual)
        try:
            return bool(super().run_pass(state))
        finally:
            state.typingctx = usual
