"""Would the tests notice a wrong operator? Changes the code in one place at a time and runs the
tests of that module.

    python tools/mutants.py [--module rules/turns.py ...] [--sample 30] [--seed 1] [--seconds
    120] [--all]

The changes ("mutants") are other comparisons and operators, `and` for `or`, negated conditions,
slightly larger numbers, and statements left out. A mutant that no test notices has survived: read
it, and write the test, or say why the change makes no difference. `--sample` takes that many
mutants of each module; 0 takes all. Messages, assertions and annotations are left alone. Everything
happens in a copy of the checkout. The kernels of the grid games run as plain Python.

First the tests of a module run once without a change, which tells the lines that each of them
reaches. A mutant then meets only those that reach its line, the quickest first, until one fails.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import os
import random  # noqa: TID251 - a sample of mutants, of no game
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import defaultdict
from collections.abc import Generator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import coverage
import pytest

CHECKOUT = Path(__file__).resolve().parents[1]
PARTS = (
    "rules",
    "sim",
    "shutoko",
    "assets",
    "tests",
    "docs",
    "examples",
    "benchmarks",
    "pyproject.toml",
    "README.md",
)

_REFEREE = "tests/sim/referee"
_QUICK = ("-m", "not slow")
_PLAIN = ("-p", "tests.pure_python", *_QUICK)
_ENDANGERED = "tests/rules/grid/test_search.py::test_endangered_groups_are_those_without_a_path"
TESTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("rules/turns.py", ("tests/rules/test_turns.py",)),
    (
        "rules/record/disk.py",
        ("tests/rules/record/test_disk.py", "tests/rules/record/test_holding.py"),
    ),
    (
        "rules/record/holding.py",
        ("tests/rules/record/test_holding.py", "tests/rules/record/test_disk.py"),
    ),
    ("rules/record/foreign.py", ("tests/shutoko/cli/test_import.py",)),
    ("rules/record/", ("tests/rules/record", "tests/bad_input/test_bad_input.py", *_QUICK)),
    (
        "rules/grid/kernels/meridians",
        (
            "tests/rules/grid/test_meridians_kernels.py",
            "tests/rules/grid/test_views.py",
            _ENDANGERED,
            *_PLAIN,
        ),
    ),
    (
        "rules/grid/kernels/thruway",
        ("tests/rules/grid/test_thruway_kernels.py", "tests/rules/grid/test_views.py", *_PLAIN),
    ),
    (
        "rules/grid/kernels/games.py",
        (
            "tests/rules/grid/test_thruway_kernels.py",
            "tests/rules/grid/test_meridians_kernels.py",
            *_PLAIN,
        ),
    ),
    # what people put elsewhere is known to plies of a real table alone
    ("sim/referee/putting.py", ("tests/sim/game/test_real_table.py", "tests/shutoko/diary")),
    ("sim/referee/", (_REFEREE, *_QUICK)),
)
"""The tests of the modules whose path begins like this, with options of pytest; the first line that
fits counts.
"""

_COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


class Mutant(NamedTuple):
    """One change: the bytes from `start` to `end` of a module, which begin in that line, become
    `new`.
    """

    line: int
    start: int
    end: int
    old: str
    new: str

    def __str__(self) -> str:
        return f"{' '.join(self.old.split())}  ->  {' '.join(self.new.split())}"


def mutants(source: bytes) -> list[Mutant]:
    """Every mutant of a module, in the order of its lines."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = []
    for node, new in _changes(ast.parse(source)):
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
        text = ast.unparse(new)
        text = f"({text})" if isinstance(new, ast.expr) else text
        found.append(Mutant(node.lineno, start, end, source[start:end].decode(), text))
    return sorted(found)


def _changes(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, ast.expr | ast.stmt]]:
    """Pairs of a node within `node` and its replacement."""
    yield from _own_changes(node)
    for name, field in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for child in field if isinstance(field, list) else [field]:
            if isinstance(child, ast.AST) and not _is_left_alone(child):
                yield from _changes(child)


def _is_left_alone(node: ast.AST) -> bool:
    match node:
        case ast.Raise() | ast.Assert() | ast.JoinedStr() | ast.Import() | ast.ImportFrom():
            return True
        case (
            ast.If(test=ast.Name(id="TYPE_CHECKING")) | ast.Assign(targets=[ast.Name(id="__all__")])
        ):
            return True
        case ast.Call(func=ast.Name(id="_option")):
            return True
    return False


def _own_changes(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, ast.expr | ast.stmt]]:
    match node:
        case ast.Compare():
            for place, op in enumerate(node.ops):
                new = copy.deepcopy(node)
                new.ops[place] = _COMPARED[type(op)]()
                yield node, new
        case ast.BinOp() if type(node.op) in _COMPUTED and not _is_text(node):
            new_sum = copy.deepcopy(node)
            new_sum.op = _COMPUTED[type(node.op)]()
            yield node, new_sum
        case ast.BoolOp():
            other = ast.And() if isinstance(node.op, ast.Or) else ast.Or()
            yield node, ast.BoolOp(other, node.values)
        case ast.UnaryOp(op=ast.Not() | ast.USub() | ast.Invert(), operand=operand):
            yield node, operand
        case ast.Constant(value=bool(value)):
            yield node, ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield node, ast.Constant(value + 1)
        case ast.Constant(value=float(value)):
            yield node, ast.Constant(value * 1.1 if value else 1.0)
        case ast.AugAssign() if type(node.op) in _COMPUTED:
            changed = copy.deepcopy(node)
            changed.op = _COMPUTED[type(node.op)]()
            yield node, changed
            yield node, ast.Pass()
        case ast.Expr(value=ast.Call()):
            yield node, ast.Pass()
        case ast.Break():
            yield node, ast.Continue()
        case ast.Continue():
            yield node, ast.Break()
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            if isinstance(test, (ast.Name, ast.Call, ast.Attribute, ast.Subscript)):
                yield test, ast.UnaryOp(ast.Not(), test)


def _is_text(node: ast.BinOp) -> bool:
    return any(
        isinstance(side, ast.JoinedStr)
        or (isinstance(side, ast.Constant) and isinstance(side.value, (str, bytes)))
        for side in (node.left, node.right)
    )


# --- running the tests ----------------------------------------------------------------------------


class _Reached:
    """A plugin of pytest that notes which tests reach which line of some modules, and how long each
    takes.
    """

    def __init__(self, modules: Sequence[Path], told: Path) -> None:
        self._modules, self._told = [*map(str, modules)], told
        self._coverage = coverage.Coverage(data_file=None, include=self._modules, config_file=False)
        self._took: defaultdict[str, float] = defaultdict(float)

    def pytest_sessionstart(self) -> None:
        """Before our own modules are loaded."""
        self._coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """One test; those of a function count as one."""
        test, begin = item.nodeid.partition("[")[0], time.process_time()
        self._coverage.switch_context(test)
        done = yield
        self._took[test] += time.process_time() - begin
        return done

    def pytest_sessionfinish(self) -> None:
        """Tells by module and line the tests, the quickest first; a line that runs while modules
        are loaded belongs to none.
        """
        self._coverage.stop()
        data, found = self._coverage.get_data(), []
        for module in self._modules:
            lines = data.contexts_by_lineno(module).items()
            found.append(
                {
                    line: sorted(tests, key=lambda test: self._took[test])
                    for line, tests in lines
                    if "" not in tests
                }
            )
        self._told.write_text(json.dumps(found), encoding="utf-8")


Reached = Mapping[str, Mapping[int, Sequence[str]]]
"""By module and line the tests that reach it."""


def reached(copied: Path, modules: Sequence[str], tests: Sequence[str], seconds: float) -> Reached:
    """Which tests reach what. Ends the program if a test fails."""
    told = copied / "reached.json"
    if noticed(copied, tests, seconds, _Reached([copied / module for module in modules], told)):
        log = (copied / "last.log").read_text(encoding="utf-8")
        sys.exit(f"{' '.join(tests)}: a test fails without a mutant as well:\n{log[-2000:]}")
    lines = json.loads(told.read_text(encoding="utf-8"))
    return {
        module: {int(line): found for line, found in each.items()}
        for module, each in zip(modules, lines, strict=True)
    }


def noticed(copied: Path, tests: Sequence[str], seconds: float, *plugins: object) -> bool:
    """Whether a test fails in the copy within that many seconds of CPU. A hang counts as noticed.

    The tests run in a fork of this process, which has loaded the heavy packages.
    """
    child = os.fork()
    if not child:
        _run(copied, tests, seconds, plugins)
    until = time.monotonic() + 20 * seconds  # for what waits and takes no CPU, on a busy machine
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return bool(status)
        if time.monotonic() > until:
            os.killpg(child, signal.SIGKILL)
            return bool(os.waitpid(child, 0)[1])
        time.sleep(0.05)


def _run(copied: Path, tests: Sequence[str], seconds: float, plugins: Sequence[object]) -> None:
    os.setsid()
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 5))
    os.chdir(copied)
    sys.path.insert(0, str(copied))
    sys.dont_write_bytecode = True
    quiet = os.open(copied / "last.log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    code = 70
    try:
        code = int(
            pytest.main(
                ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *tests],
                plugins=list(plugins),
            )
        )
    except Exception:  # noqa: BLE001 - a fork must not go on as its parent would
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _loaded() -> None:
    """Imports the slow packages once for all forks: none of our own, and none that pytest
    rewrites.
    """
    import numba
    import numpy as np
    import shapely

    assert all((numba, np, shapely))


def _copied(to: Path) -> Path:
    for name in PARTS:
        if (CHECKOUT / name).is_dir():
            # with __pycache__: the compiled kernels save minutes
            shutil.copytree(CHECKOUT / name, to / name)
        else:
            shutil.copy(CHECKOUT / name, to / name)
    return to


def _modules(asked: Sequence[str]) -> list[str]:
    """The modules that are asked for; a folder stands for all in it."""
    found = []
    for name in asked or sorted({begins for begins, _ in TESTS}):
        path = CHECKOUT / name
        paths = sorted(path.rglob("*.py")) if path.is_dir() else [path]
        found += [str(one.relative_to(CHECKOUT)) for one in paths]
    return list(dict.fromkeys(found))


def main() -> None:
    """Prints every survivor, with `--all` every mutant, and the counts of each module."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--module",
        action="append",
        default=[],
        metavar="PATH",
        help="a module or folder; all if left out",
    )
    parser.add_argument(
        "--sample", type=int, default=10, metavar="N", help="mutants of each module; 0 for all"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--seconds", type=float, default=120.0, help="CPU time of one run of the tests"
    )
    parser.add_argument("--all", action="store_true", help="print those that were noticed, too")
    args = parser.parse_args()
    _loaded()
    chance, made, survived = random.Random(args.seed), 0, 0  # noqa: S311 - no secret
    with tempfile.TemporaryDirectory() as folder:
        copied = _copied(Path(folder))
        groups: dict[tuple[str, ...], list[str]] = {}
        for module in _modules(args.module):
            groups.setdefault(
                next(tests for begins, tests in TESTS if module.startswith(begins)), []
            ).append(module)
        lines: dict[str, Mapping[int, Sequence[str]]] = {}
        for tests, modules in groups.items():
            lines |= reached(copied, modules, tests, 10 * args.seconds)
        for module, tests in (
            (module, tests) for tests, modules in groups.items() for module in modules
        ):
            source = (copied / module).read_bytes()
            every = mutants(source)
            chosen = (
                sorted(chance.sample(every, min(args.sample, len(every)))) if args.sample else every
            )
            left, options = 0, [one for one in tests if "/" not in one]
            for mutant in chosen:
                (copied / module).write_bytes(
                    source[: mutant.start] + mutant.new.encode() + source[mutant.end :]
                )
                those = lines[module].get(mutant.line)
                lives = not noticed(
                    copied, tests if those is None else [*those, *options], args.seconds
                )
                left += lives
                if lives or args.all:
                    print(
                        f"{'survived' if lives else 'killed  '} {module}:{mutant.line}: {mutant}",
                        flush=True,
                    )
            (copied / module).write_bytes(source)
            print(f"{module}: {len(chosen)} of {len(every)} mutants, {left} survived", flush=True)
            made, survived = made + len(chosen), survived + left
    print(f"{made} mutants, {made - survived} killed, {survived} survived")


if __name__ == "__main__":
    main()
