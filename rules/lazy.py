"""Names of a package that are loaded when they are first asked for, so that importing it stays
quick and free of circles.

The front of such a package imports its public names under `if TYPE_CHECKING:`, where only type
checkers look; `front` reads them there. So each stands once:

    if TYPE_CHECKING:
        from sim.referee.table import Table as Table

    __getattr__, __dir__, __all__ = front(__name__, __file__)
"""

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path


def front(
    package: str, file: str
) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """The `__getattr__`, `__dir__` and `__all__` of a package whose `__init__` is that file:
    what it imports for type checkers, each name from its module, or a module from its package.
    """
    homes = {
        alias.name: str(node.module)
        for block in ast.parse(Path(file).read_text(encoding="utf-8")).body
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }

    def get(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        there = None if homes[name] == package else import_module(homes[name])
        found = getattr(there, name, None) or import_module(f"{homes[name]}.{name}")
        return vars(sys.modules[package]).setdefault(name, found)

    return get, lambda: sorted(homes), sorted(homes)
