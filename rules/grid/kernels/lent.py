"""Named tuples are passed between compiled functions by their address.

Numba passes a tuple of arrays by value: each array is seven arguments, and a table of sixteen
arrays over a hundred, at every call. Each look at a field of it names the type of them all in the
code that LLVM reads. `rules.grid.kernels.jit` passes the address of the tuple instead, which the
caller keeps on its stack: most of the time of compiling went into those arguments.

A function that gets such a tuple may read its fields and pass it on, and nothing else: it cannot
return it, count it or make another of it. Its fields never change, while their arrays may, and no
array lies in the same memory. LLVM is told so (`noalias`), or it would read the fields again after
every number that is written.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from numba.core import cgutils, lowering, types
from numba.core.datamodel import models
from numba.core.extending import lower_cast, lower_getattr_generic, register_model
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr

_TYPES: Any = types  # the stubs leave out some of them
_LOWER: Any = lower_cast
_GETTERS: Any = lower_getattr_generic


class Lent(types.Type):
    """The type of a named tuple of type `kept` that is passed by its address."""

    def __init__(self, kept: Any) -> None:
        self.kept = kept
        super().__init__(name=f"lent({kept.name})")

    @property
    def key(self) -> Any:
        """Numba asks what sets types apart."""
        return self.kept

    @property
    def instance_class(self) -> Any:
        """The class of the tuple, as numba names it."""
        return self.kept.instance_class


def lent(one: Any) -> Any:
    """The type that an argument of type `one` is passed as."""
    return Lent(one) if isinstance(one, _TYPES.BaseNamedTuple) else one


@register_model(Lent)
class _Address(models.PrimitiveModel):
    """In LLVM it is an address."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, cgutils.voidptr_t)


@infer_getattr
class _Fields(AttributeTemplate):
    """The types of its fields."""

    key = Lent

    def generic_resolve(self, one: Lent, name: str) -> Any:
        """Numba asks for the type of a field; None if there is no such field."""
        fields = one.kept.fields
        return one.kept[fields.index(name)] if name in fields else None


@cache
def _extent(context: Any, made: Any) -> tuple[int, int]:
    """The size and the alignment of an LLVM type in bytes; LLVM takes its time to tell."""
    return context.get_abi_sizeof(made), context.get_abi_alignment(made)


@cache
def _places(context: Any, kept: Any) -> tuple[list[int], int]:
    """The place of each field in bytes, and the size of them all."""
    places, end = list[int](), 0
    for field in kept.types:
        size, step = _extent(context, context.get_value_type(field))
        end = -(-end // step) * step
        places.append(end)
        end += size
    return places, end


def _at(context: Any, builder: Any, address: Any, place: int, field: Any) -> Any:
    """The address of a field."""
    there = cgutils.gep(builder, address, place)
    return builder.bitcast(there, context.get_value_type(field).as_pointer())


def _field(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    """Reads a field."""
    row = kind.kept.fields.index(name)
    places, _ = _places(context, kind.kept)
    return builder.load(_at(context, builder, value, places[row], kind.kept.types[row]))


def _lend(context: Any, builder: Any, kind: Any, to: Any, value: Any) -> Any:
    """Keeps a tuple on the stack, and gives its address."""
    del to
    places, size = _places(context, kind)
    with builder.goto_entry_block():
        words = cgutils.intp_t(-(-size // (cgutils.intp_t.width // 8)))
        room = builder.alloca(cgutils.intp_t, size=words)
        address = builder.bitcast(room, cgutils.voidptr_t)
    for row, (place, field) in enumerate(zip(places, kind.types, strict=True)):
        one = builder.extract_value(value, row)
        builder.store(one, _at(context, builder, address, place, field))
    return address


_GETTERS(Lent)(_field)
_LOWER(_TYPES.BaseNamedTuple, Lent)(_lend)


class Lowering(lowering.Lower):
    """Numba's step to LLVM, which says of lent tuples that they do not change."""

    def setup_function(self, fndesc: Any) -> None:
        """Numba asks for an empty function."""
        super().setup_function(fndesc)
        named = zip(fndesc.args, fndesc.argtypes, strict=True)
        known = {f"arg.{name}" for name, kind in named if isinstance(kind, Lent)}
        for one in self.function.args:
            if one.name in known:
                for told in ("noalias", "captures(none)", "nonnull"):
                    one.add_attribute(told)
