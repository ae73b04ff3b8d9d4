"""Names of a package that are loaded when they are first asked for, so that importing it stays
quick and free of circles.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module


def loader(
    package: str, homes: Mapping[str, Iterable[str]], modules: Iterable[str] = ()
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """The `__getattr__` and `__dir__` of a package: `homes` are the names by the module that has
    them, `modules` whole modules.

    A module is named by its full path; it is known under its last part.
    """
    where = {name: module for module, names in homes.items() for name in names}
    whole = {module.rpartition(".")[2]: module for module in modules}

    def get(name: str) -> object:
        if name in whole:
            found: object = import_module(whole[name])
        elif name in where:
            found = getattr(import_module(where[name]), name)
        else:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return vars(sys.modules[package]).setdefault(name, found)

    return get, lambda: sorted({*where, *whole})
