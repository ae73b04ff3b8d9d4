"""The shape of the code: no import circles between files, who may import whom outside the packages,
no module too long to read in one go, and lists of public names only in the fronts of packages.
"""

from __future__ import annotations

import ast
import re
from graphlib import TopologicalSorter
from importlib.metadata import entry_points
from pathlib import Path

import grimp

CHECKOUT = Path(__file__).resolve().parents[1]
LONGEST = 600
REASON = "One module: "
"""Starts the line in the docstring of a longer module that says why it stays in one piece."""


def modules() -> dict[str, Path]:
    """The file of each module of the three packages."""
    found = {}
    for package in ("rules", "sim", "shutoko"):
        for path in sorted((CHECKOUT / package).rglob("*.py")):
            parts = path.relative_to(CHECKOUT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


# --- circles --------------------------------------------------------------------------------------


def test_files_import_each_other_in_no_circle():
    """Whether at the top of a file or in a function; what is imported for types alone never runs.
    The front of a package may gather what lies inside it: that is no circle.
    """
    graph = grimp.build_graph(
        "rules", "sim", "shutoko", exclude_type_checking_imports=True, cache_dir=None
    )
    imported = {
        module: {
            other
            for other in graph.find_modules_directly_imported_by(module)
            if not other.startswith(f"{module}.")
        }
        for module in graph.modules
    }
    assert set(MODULES) == graph.modules
    TopologicalSorter(imported).prepare()  # else it names the circle: move what both sides need


# --- outside the packages -------------------------------------------------------------------------


FORBIDDEN = {
    "tests": {"benchmarks"},
    "tools": {"tests", "benchmarks"},
    "benchmarks": {"tests"},
    "examples": {"tests", "benchmarks"},
}
"""What the code of a folder does not import: what they share stands in tools/."""


def test_tests_import_no_benchmark_and_only_tests_import_tests():
    found = {
        (str(path.relative_to(CHECKOUT)), name)
        for folder, others in FORBIDDEN.items()
        for path in (CHECKOUT / folder).rglob("*.py")
        for name in re.findall(r"^ *(?:from|import) (\w+)", path.read_text("utf-8"), re.MULTILINE)
        if name in others
    }
    assert sorted(found) == [], "move what both sides need to tools/"


# --- length ---------------------------------------------------------------------------------------


def is_excused(source: str) -> bool:
    """Whether the docstring has the line that says why the module is so long."""
    lines = (ast.get_docstring(ast.parse(source)) or "").splitlines()
    return any(line.startswith(REASON) and line.removeprefix(REASON).strip() for line in lines)


def test_only_a_reason_in_the_docstring_excuses_a_long_module():
    assert is_excused('"""A solver.\n\nOne module: its parts share one compiled loop.\n"""')
    assert not is_excused('"""A solver.\n\nOne module: \n"""')
    assert not is_excused("# One module: a comment is no docstring")


def test_a_module_over_600_lines_says_why():
    sources = {module: path.read_text(encoding="utf-8") for module, path in MODULES.items()}
    found = {
        module
        for module, source in sources.items()
        if len(source.splitlines()) > LONGEST and not is_excused(source)
    }
    assert sorted(found) == [], (
        f"over {LONGEST} lines: split it, or say why not ({REASON!r} in its docstring)"
    )


# --- how much there is ----------------------------------------------------------------------------

BUDGET = {
    "rules": (6_631, 53),
    "sim": (15_948, 103),
    "shutoko": (17_323, 161),
    "tests": (22_486, 202),
    "benchmarks": (3_253, 12),
    "tools": (2_564, 21),
}
"""At most so many statements and files in each folder; `make test` takes at most 450 s of CPU. Who
needs more writes it here in the same commit, and says there why; who needs less takes it down.
"""


def statements(source: str) -> int:
    """The statements of a module without its docstrings."""
    nodes = list(ast.walk(ast.parse(source)))
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docs = sum(
        ast.get_docstring(node, clean=False) is not None
        for node in nodes
        if isinstance(node, documented)
    )
    return sum(isinstance(node, ast.stmt) for node in nodes) - docs


def test_statements_are_counted_without_docstrings():
    assert statements('"""One."""\nx = 1\ndef f():\n    """Two."""\n    return x\n') == 3


def test_no_folder_outgrows_its_budget():
    sources = {
        folder: [path.read_text(encoding="utf-8") for path in (CHECKOUT / folder).rglob("*.py")]
        for folder in BUDGET
    }
    there = {name: (sum(map(statements, texts)), len(texts)) for name, texts in sources.items()}
    over = {
        name: there[name]
        for name, most in BUDGET.items()
        if there[name][0] > most[0] or there[name][1] > most[1]
    }
    assert over == {}, f"more statements or files than BUDGET allows; it allows {BUDGET}"


# --- public names ---------------------------------------------------------------------------------


def test_only_the_front_of_a_package_lists_its_public_names():
    """Elsewhere an underscore says what is private, and nothing is imported from where it was not
    defined: a list would say it twice.
    """
    listed = {
        module
        for module, path in MODULES.items()
        if path.name != "__init__.py" and "\n__all__" in path.read_text(encoding="utf-8")
    }
    assert sorted(listed) == []


# --- games ----------------------------------------------------------------------------------------


GAMES = {point.name for point in entry_points(group="shutoko.games")}


def texts(tree: ast.AST) -> set[str]:
    """Every text in a module."""
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def test_commands_pages_environments_and_the_arena_know_no_game_by_its_name():
    """They ask `rules.defaults`, so that a game of another distribution is as good as one that is
    shipped.

    Only a game's own modules, which bear its name, know what it is called.
    """
    ask = [n for n in MODULES if n.startswith(("shutoko.", "rules."))]
    own = {name: {game for game in GAMES if game in name.rpartition(".")[2]} for name in ask}
    named = {
        name: GAMES & texts(ast.parse(MODULES[name].read_text(encoding="utf-8"))) - own[name]
        for name in ask
    }
    assert len(GAMES) >= 3
    assert {name: games for name, games in named.items() if games} == {}
