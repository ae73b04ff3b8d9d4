"""How kernels are compiled: to fast code, in a short time, with a cache that notices every change
of the rules.

There are three decorators:

    njit_entry   may be called from Python; the machine code is cached on disk
    njit_linked  for compiled callers only
    njit_inline  for compiled callers only, and merged into each of them

Compiled functions must not make arrays: they are compiled without numba's reference counts, which
are atomic and cost more than the work of a small function. So the Python caller of an entry makes
all arrays. Inlining a function saves passing a handful of arrays to it. Without a word about
inlining numba treats a function as its first caller was treated, so each decorator says it.

Numba alone compiles every function by itself: it optimises it, emits machine code and a wrapper for
Python, and optimises it again in each caller. Here only entries become machine code. What they call
is kept as LLVM code, linked into the entry and optimised once, there. An entry that compiled code
calls is linked in the same way. With `optimised=True` a function is also optimised before it is
linked: that makes rollouts a few percent faster and costs about a second of compilation.

Numba also compiles a function once for each combination of argument types, literals and integers of
all widths among them. Here integers of less than 64 bits become int64, and literals lose their
values.

Numba's own cache notices changes in a function's source file only, not in those of the functions
that it calls. And two processes that save at once can overwrite each other's code. `_Cache` keeps
each piece of code in a file of its own, named after the sources of all kernels and searches, and
where another package compiles one, of the folders of all that it calls. It is a pickle, so it is
read only where nobody else can write (`rules.grid.kernels.private`).

All this uses internals of numba, so pyproject.toml admits only the versions that were tested. With
any other version, or with SHUTOKO_JIT=plain in the environment, plain `numba.njit` compiles the
kernels: slowly, and anew in every process.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import pickle
from collections.abc import Callable, Collection
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeVar, cast, overload

import numba as nb
import numpy as np
from numba.core import cgutils, compiler, lowering, types
from numba.core.caching import FunctionCache, NullCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.datamodel import models
from numba.core.extending import lower_cast, lower_getattr_generic, register_model
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import NativeLowering
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr

from rules.grid.kernels import private

TESTED = ("0.68",)
"""The versions of numba whose internals this module was tested with."""

LINKS = nb.__version__.rpartition(".")[0] in TESTED and os.environ.get("SHUTOKO_JIT") != "plain"
"""Whether helpers are linked into entries; otherwise `numba.njit` compiles everything by itself."""

u64 = np.uint64
"""Makes an index unsigned, for the hottest loops. The index must not be negative.

For a signed index numba first tests whether it counts from the end. In a short sum that test takes
as long as all the rest.
"""

F = TypeVar("F", bound=Callable[..., Any])

_TYPES: Any = types  # the stubs leave out some of them
_LOWER: Any = lower_cast
_GETTERS: Any = lower_getattr_generic
_OPTIONS = {"nopython": True, "_nrt": False, "no_cfunc_wrapper": True}
_COMPILED = (Path(__file__).parent, Path(__file__).parents[1] / "search")


@overload
def njit_entry(function: F) -> F: ...
@overload
def njit_entry(*, optimised: bool = False, inline: bool = False) -> Callable[[F], F]: ...
def njit_entry(function: Any = None, *, optimised: bool = False, inline: bool = False) -> Any:
    """A function that may be called from Python and from compiled code.

    For compiled callers it can be `optimised` before it is linked, and merged into them (`inline`).
    """
    return _decorated(function, lambda made: _entry(made, optimised, inline))


@overload
def njit_linked(function: F) -> F: ...
@overload
def njit_linked(*, optimised: bool) -> Callable[[F], F]: ...
def njit_linked(function: Any = None, *, optimised: bool = False) -> Any:
    """A function for compiled callers; `optimised` before it is linked into them."""
    return _decorated(function, lambda made: _linked(made, optimised, inline=False))


def njit_inline(function: F) -> F:
    """A function for compiled callers, merged into each of them."""
    return cast("F", _linked(function, optimised=False, inline=True))


def twin(module: ModuleType, inline: Collection[str] = ()) -> ModuleType:
    """The same module with its functions compiled for compiled callers; those named are merged into
    them. So what plain Python runs and what is compiled are one source.
    """
    _TWINS.append(Path(str(module.__file__)))
    made = ModuleType(f"{module.__name__} (compiled)")
    made.__dict__.update(module.__dict__)
    for name, value in module.__dict__.items():
        if isinstance(value, FunctionType) and value.__module__ == module.__name__:
            own = FunctionType(value.__code__, made.__dict__, name, value.__defaults__)
            made.__dict__[name] = (njit_inline if name in inline else njit_linked)(own)
    return made


_TWINS: list[Path] = []


@cache
def digest() -> str:
    """64 hexadecimal digits that change with the sources of compiled code: results of other sources
    may be wrong.
    """
    found = hashlib.sha256()
    for folder in _COMPILED:
        for source in sorted(folder.rglob("*.py")):
            found.update(
                source.relative_to(folder).as_posix().encode() + b"\0" + source.read_bytes()
            )
    return found.hexdigest()


def is_kept() -> bool:
    """Whether compiled code outlives this process."""
    return LINKS and _marks() is not None


def mark(*what: str) -> None:
    """Notes beside the cached code that all of this is compiled. Does nothing if compiled code is
    not kept.
    """
    marks = _marks()
    if marks is not None:
        with suppress(OSError):
            marks.save((what,), True)


def is_marked(*what: str) -> bool:
    """Whether `mark` was called with that, for these sources and this version of numba."""
    marks = _marks()
    return marks is not None and marks.load((what,)) is not None


@cache
def _marks() -> _Files | None:
    folder = private.folder_for(Path(__file__).parent)
    return None if folder is None else _Files(str(folder), "jit.marks")


def _decorated(function: Any, make: Callable[[Any], Any]) -> Any:
    return make if function is None else make(function)


def _entry(function: Any, optimised: bool, inline: bool) -> Any:
    made = _linked(function, optimised, inline)
    return _Entry(function, made) if LINKS else made


def _linked(function: Any, optimised: bool, inline: bool) -> Any:
    if not LINKS:
        return nb.njit(_nrt=False, forceinline=inline)(function)
    return _Linked(
        function,
        targetoptions={**_OPTIONS, "no_cpython_wrapper": True, "forceinline": inline},
        pipeline_class=_Optimised if optimised else _Unoptimised,
    )


# --- named tuples, passed by their address --------------------------------------------------------
# Numba passes a tuple of arrays by value: each array is seven arguments, and a table of sixteen
# arrays over a hundred, at every call. Each look at a field of it names the type of them all in the
# code that LLVM reads. Here the address of the tuple is passed instead, which the caller keeps on
# its stack: most of the time of compiling went into those arguments.
#
# A function that gets such a tuple may read its fields and pass it on, and nothing else: it cannot
# return it, count it or make another of it. Its fields never change, while their arrays may, and no
# array lies in the same memory. The code says so to LLVM (`noalias`), which would otherwise read
# the fields again after every number that is written.


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


def _lend(context: Any, builder: Any, kind: Any, _to: Any, value: Any) -> Any:
    """Keeps a tuple on the stack, and gives its address."""
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


class _Lowering(lowering.Lower):
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


# --- dispatchers: what is compiled for which types ------------------------------------------------


def _widened(one: Any) -> Any:
    """The type that an argument of type `one` is passed as."""
    plain = _TYPES.unliteral(one)
    if isinstance(plain, _TYPES.Integer) and plain.bitwidth < 64:
        return types.int64
    return Lent(plain) if isinstance(plain, _TYPES.BaseNamedTuple) else plain


class _Linked(CPUDispatcher):
    """A function that is compiled for linking only."""

    def __call__(self, *_: object) -> Any:
        raise TypeError(f"{self.__name__} is for compiled code only")

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Numba asks for the signature of a call."""
        _, folded = self.fold_argument_types(args, kws)
        return super().get_call_template(folded, {})

    def fold_argument_types(self, args: Any, kws: Any) -> Any:
        """Numba asks for the types of the arguments in order."""
        signature, folded = super().fold_argument_types(args, kws)
        return signature, tuple(map(_widened, folded))


class _Entry(CPUDispatcher):
    """A function with machine code for callers in Python; compiled callers link `linked`, the same
    function.
    """

    def __init__(self, function: Any, linked: _Linked) -> None:
        super().__init__(function, targetoptions=dict(_OPTIONS))
        self._linked = linked
        folder = private.folder_for(_source(function).parent)
        self._cache = NullCache() if folder is None else _Cache(function, folder)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Numba asks for the signature of a call in compiled code."""
        return self._linked.get_call_template(args, kws)

    def get_overload(self, sig: Any) -> Any:
        """Numba asks for what compiled code is to call."""
        return self._linked.get_overload(sig)

    def fold_argument_types(self, args: Any, kws: Any) -> Any:
        """Numba asks for the types of the arguments of a recursive call."""
        return self._linked.fold_argument_types(args, kws)

    @property
    def is_compiling(self) -> bool:
        """Numba asks whether a call is recursive."""
        return bool(self._compiling_counter) or bool(self._linked.is_compiling)


# --- the compiler pipeline ------------------------------------------------------------------------


class _Library(JITCodeLibrary):
    """LLVM code that is never made machine code by itself, only linked into what calls it."""

    optimised = False

    def _optimize_final_module(self) -> None:
        if self.optimised:
            super()._optimize_final_module()

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


def _nothing() -> None:
    """Does nothing."""


@register_pass(mutates_CFG=True, analysis_only=False)
class _LoweringForLinking(NativeLowering):
    """Numba's last pass, with a `_Library` for a result."""

    _name = "lowering_for_linking"

    @property
    def lowering_class(self) -> Any:
        """Numba asks for its step to LLVM."""
        return _Lowering

    def run_pass(self, state: Any) -> bool:
        state.library = _Library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.optimised = isinstance(state.pipeline, _Optimised)
        state.flags.no_compile = True
        # where numba does not find a declaration at once, over a thousand times here, it looks for
        # new ones; what this function needs has been declared by now
        state.targetctx.refresh()
        state.targetctx.refresh = _nothing
        try:
            super().run_pass(state)
        finally:
            del state.targetctx.refresh
        state.library._ensure_finalized()  # noqa: SLF001 - numba's own, as all below
        # Numba identifies compiled code by the address of a built-in function. Any will do, if it
        # is used for nothing else; `_Linked` makes sure that it is never called.
        address = [].clear
        state["cr"] = state["cr"]._replace(cfunc=address)
        state.targetctx.insert_user_function(address, state["cr"].fndesc, [state.library])
        state.reload_init.extend(state.library._reload_init)  # noqa: SLF001
        return True


# passes for what kernels do not use: closures, `with`, array expressions, messages of errors
_LEFT_OUT = {
    "with_lifting",
    "inline_closure_likes",
    "rewrite_dynamic_raises",
    "make_function_op_code_to_jit_function",
    "inline_inlinables",
    "literal_unroll",
    "inline_overloads",
    "nopython_rewrites",
    "annotate_types",
    "dump_parfor_diagnostics",
}


class _Unoptimised(compiler.Compiler):
    """Compiles a function for linking."""

    def define_pipelines(self) -> list[PassManager]:
        """Numba asks for the passes."""
        (usual,) = super().define_pipelines()
        made = PassManager(usual.pipeline_name)
        for one, why in usual.passes:
            if one._name not in _LEFT_OUT:  # noqa: SLF001
                made.add_pass(_LoweringForLinking if one is NativeLowering else one, why)
        made.finalize()
        return [made]


class _Optimised(_Unoptimised):
    """The same, with optimised code."""


# --- the cache ------------------------------------------------------------------------------------


class _Files:
    """The files of one function's cache. They replace numba's index file with its numbered data
    files.

    A file's name is made of the function, the sources and the types. The file holds its whole key,
    so two keys that happen to get the same name are not mixed up. Files are replaced as a whole, so
    two processes may compile the same code at once.
    """

    def __init__(self, folder: str, name: str, sources: str | None = None) -> None:
        self._folder, self._name = Path(folder), name
        self._stamp = hashlib.sha256(
            f"{sources or digest()} numba {nb.__version__}".encode()
        ).hexdigest()[:16]

    def load(self, key: Any) -> Any:
        """The data kept under that key, None if there are none or if another user could have
        written them.
        """
        try:
            kept, data = pickle.loads(private.read(self._path(key)))  # noqa: S301 - this user wrote it, and nobody else could
        except (OSError, EOFError, pickle.UnpicklingError):
            return None
        return data if kept == key else None

    def save(self, key: Any, data: Any) -> None:
        """Keeps data, and deletes what this function kept under other sources."""
        from numba.core.serialize import dumps

        path = self._path(key)
        private.write(path, dumps((key, data)))
        for other in path.parent.glob(f"{self._name}.*.nbc"):
            if not other.name.startswith(f"{self._name}.{self._stamp}."):
                with suppress(OSError):
                    other.unlink()

    def _path(self, key: Any) -> Path:
        signature, *machine = key
        text = repr(([(str(one), _classes(one)) for one in signature], machine))
        return (
            self._folder
            / f"{self._name}.{self._stamp}.{hashlib.sha256(text.encode()).hexdigest()[:16]}.nbc"
        )


def _classes(one: Any) -> str:
    """The class of a NamedTuple type: two games' tables may have the same name and fields."""
    made = getattr(one, "instance_class", None)
    return "" if made is None else f"{made.__module__}.{made.__qualname__}"


def _source(function: Any) -> Path:
    return Path(inspect.getfile(function)).resolve()


def _sources(function: Any) -> str:
    """What changes with the sources of all kernels and searches, and, for a function of another
    package, with every module of its folder, of the folders of the compiled functions that its
    module names, and with every module that has a twin.
    """
    if any(_source(function).is_relative_to(folder) for folder in _COMPILED):
        return digest()
    found: dict[Path, None] = {}
    waiting = [function]
    while waiting:
        one = waiting.pop()
        if _source(one) not in found:
            found[_source(one)] = None
            named = one.__globals__.values()
            waiting += [other.py_func for other in named if isinstance(other, CPUDispatcher)]
    files = {file for source in found for file in source.parent.glob("*.py")}
    beside = b"".join(file.read_bytes() for file in sorted({*files, *_TWINS}))
    return hashlib.sha256(digest().encode() + beside).hexdigest()


class _Cache(FunctionCache):
    """Numba's cache of a function, with `_Files` for its files."""

    def __init__(self, function: Any, folder: Path) -> None:
        self._name, self._py_func, self._cache_path = repr(function), function, str(folder)
        name = f"{function.__module__.rpartition('.')[2]}.{function.__name__}"
        self._files = _Files(self._cache_path, name, _sources(function))

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        data = self._files.load(self._index_key(sig, target_context.codegen()))
        if data is None:
            return None
        return compiler.CompileResult._rebuild(target_context, *data)  # noqa: SLF001

    def save_overload(self, sig: Any, data: Any) -> None:
        """Numba asks to keep code. Where that fails, as on a full disk, the next process compiles
        it again.
        """
        if not data.library.has_dynamic_globals:  # addresses of this process
            with suppress(OSError):
                self._files.save(self._index_key(sig, data.codegen), data._reduce())  # noqa: SLF001
