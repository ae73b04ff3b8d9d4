"""`shutoko components`: the shipped boxes of Tokyo Highway, and `components new`, which makes the file of one's own box."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rules.errors import InputError
from shutoko.cli.common import Commands, add_json, emit

if TYPE_CHECKING:
    from sim.plausible import Range

__all__ = ["add", "run"]

_USUAL = "estimate-2018"
_STEEPEST = 60.0  # degrees: a friction of 1.7


@dataclass(frozen=True, slots=True)
class _Question:
    """What is asked for a key of the file; an `angle` in degrees becomes the friction of that pair."""

    key: str
    text: str
    angle: bool = False


_QUESTIONS = (
    _Question("road.length", "length of a road in mm"),
    _Question("road.width", "width of a road in mm"),
    _Question("road.thickness", "thickness of a road in mm"),
    _Question("road.weight", "weight of a road in grams"),
    _Question("disc.diameter", "diameter of a disc in mm"),
    _Question("disc.height", "height of a disc in mm"),
    _Question("disc.weight", "weight of a disc in grams"),
    _Question("car.length", "length of a car in mm"),
    _Question("car.width", "width of a car in mm"),
    _Question("car.height", "height of a car in mm"),
    _Question("car.weight", "weight of a car in grams"),
    _Question("friction.road-disc", "angle in degrees at which a road slips on a disc", angle=True),
    _Question("friction.car-road", "angle in degrees at which a car slips on a road", angle=True),
    _Question("friction.disc-disc", "angle in degrees at which a disc slips on a disc", angle=True),
    _Question("friction.disc-table", "angle in degrees at which a disc slips on the table", angle=True),
)


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "components",
        help="list the shipped boxes of Tokyo Highway, or write the file of your own",
        description="List the shipped boxes: sizes, weights and friction. `shutoko components new FILE` asks for those of your "
        "own box and writes a file for --components.",
    )
    add_json(parser)
    parser.set_defaults(run=run)
    more = parser.add_subparsers(title="commands", metavar="COMMAND")
    new = more.add_parser(
        "new",
        help="ask for sizes, weights and angles, and write a file",
        description="Ask for the sizes, weights and slip angles of your box, and write them to a file. An answer may be a "
        "division: 17/15 where 15 roads weigh 17 g. Enter takes the estimate in brackets, `back` asks the last question again. "
        "Answers may come from a file, one a line: shutoko components new my-box.toml < answers.txt",
        epilog="docs/measure-your-box.md tells how to measure each of them.",
    )
    new.add_argument("file", metavar="FILE", type=Path, help="the file to write (.toml); it is never overwritten")
    new.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=ANSWER",
        help="answer a question here, such as road.weight=17/15 or friction.car-road=19; repeatable",
    )
    new.add_argument("--estimates", action="store_true", help="ask nothing: take the estimates for what is not set")
    add_json(new)
    new.set_defaults(run=_new)


def run(args: argparse.Namespace) -> int:
    """List what is shipped."""
    from sim.assets import names

    for name in names("components"):
        values = _usual(name)
        if args.json:
            emit({"components": name, "values": values})
        else:
            told = ", ".join(f"{key} {value:g}" for key, value in values.items())
            print(f"{name}: {told}")
    return 0


def _new(args: argparse.Namespace) -> int:
    """Ask, and write the file; raises InputError for an answer that makes no sense, and a file that is there already."""
    path: Path = args.file
    if path.suffix != ".toml":
        raise InputError(f"{path}: a components file ends in .toml; give it that suffix")
    if path.exists():
        raise InputError(f"{path} exists already and is not overwritten; name another file")
    if not path.parent.is_dir():
        raise InputError(f"{path}: the folder {path.parent} does not exist; make it, or name another file")
    given = _given(args.set)
    asking = _Asking(given, estimates=args.estimates, quiet=args.json)
    values = asking.all()
    _write(path, values)
    from sim.plausible import examine

    found = examine(str(path))
    if args.json:
        emit({"wrote": str(path), "values": values, "findings": [str(one) for one in found]})
        return 0
    for one in found:
        print(f"implausible: {one}")
    print(f"wrote {path}; play with it by --components {path}")
    return 0


def _given(options: list[str]) -> dict[str, str]:
    given: dict[str, str] = {}
    known = [question.key for question in _QUESTIONS]
    for option in options:
        key, equals, answer = option.partition("=")
        if not equals or key not in known:
            raise InputError(f"--set {option[:60]}: write KEY=ANSWER; the keys are {', '.join(known)}")
        given[key] = answer
    return given


def _usual(name: str) -> dict[str, float]:
    """What a box says to each question: mm, grams and coefficients of friction."""
    from sim.pieces import Components

    box = Components.named(name)
    sizes = {
        question.key: float(getattr(box, question.key.replace(".", "_").replace("weight", "mass")))
        for question in _QUESTIONS
        if not question.angle
    }
    frictions = {
        "road-disc": box.friction_of("road", "disc"),
        "car-road": box.friction_of("car", "road"),
        "disc-disc": box.friction_of("disc", "disc"),
        "disc-table": box.friction_of("disc", "table"),
    }
    return sizes | {f"friction.{pair}": mu for pair, mu in frictions.items()}


class _Asking:
    """Asks the questions that no option answers. Answers are read from standard input, a line each."""

    def __init__(self, given: Mapping[str, str], *, estimates: bool, quiet: bool) -> None:
        self._given, self._estimates = given, estimates
        self._told = sys.stderr if quiet else sys.stdout
        self._usual = _usual(_USUAL)

    def all(self) -> dict[str, float]:
        """The values by key, friction as coefficients."""
        answers: dict[str, float] = {}
        for question in _QUESTIONS:
            if question.key in self._given:
                answers[question.key] = _read(question, self._given[question.key], self._estimate(question, answers))
                self._warn(question, answers)
            elif self._estimates:
                answers[question.key] = self._estimate(question, answers)
        asked = [question for question in _QUESTIONS if question.key not in answers]
        number = 0
        while number < len(asked):
            number = max(number + self._ask(asked[number], answers), 0)
        return {question.key: _as_kept(question, answers[question.key]) for question in _QUESTIONS}

    def _ask(self, question: _Question, answers: dict[str, float]) -> int:
        """Asks one question; how many questions to go on by."""
        estimate = self._estimate(question, answers)
        print(f"{question.text} [{estimate:.3g}]: ", end="", file=self._told, flush=True)
        line = sys.stdin.readline()
        if not sys.stdin.isatty():
            print(file=self._told)
        if not line:
            raise InputError(f"the answers end before: {question.text}; give it, or --set {question.key}=ANSWER")
        if line.strip().lower() == "back":
            return -1
        try:
            answers[question.key] = _read(question, line.strip(), estimate)
        except InputError as error:
            if not sys.stdin.isatty():
                raise
            print(f"  {error}", file=self._told)
            return 0
        self._warn(question, answers)
        return 1

    def _estimate(self, question: _Question, answers: Mapping[str, float]) -> float:
        """What Enter stands for, in the unit of the question; for a weight the usual density of a piece of the given size."""
        usual = self._usual[question.key]
        if question.angle:
            return _degrees(usual)
        piece, what = question.key.split(".")
        if what != "weight":
            return usual
        from sim.plausible import volume

        return usual * volume(piece, _sizes(piece, {**self._usual, **answers})) / volume(piece, _sizes(piece, self._usual))

    def _warn(self, question: _Question, answers: Mapping[str, float]) -> None:
        """Says at once if an answer is not plausible."""
        plausible, value = _plausible(question, {**self._usual, **answers}), answers[question.key]
        if not plausible.holds(value):
            told = f"implausible: {question.key} = {value:.4g}; {plausible} is plausible"
            print(f"  {told}" + ("; `back` asks again" if sys.stdin.isatty() else ""), file=self._told)


def _read(question: _Question, answer: str, estimate: float) -> float:
    """The number in an answer, which may be a division. Raises InputError."""
    if not answer:
        return estimate
    above, slash, below = answer.replace(",", ".").partition("/")
    try:
        value = float(above) / (float(below) if slash else 1.0)
    except (ValueError, ZeroDivisionError):
        value = math.nan
    most = _STEEPEST if question.angle else 1e6
    if not 0 < value <= most:
        wanted = f"a number above 0 and up to {most:g}, or a division as 17/15"
        raise InputError(f"{question.text}: {answer[:40]!r} is not {wanted}")
    return value


def _plausible(question: _Question, answers: Mapping[str, float]) -> Range:
    """The plausible answers, in the unit of the question; `answers` hold the sizes of the piece."""
    from sim.plausible import RANGES, Range, weight_range

    if question.angle:
        found = RANGES[question.key]
        return Range(round(_degrees(found.low), 1), round(_degrees(found.high), 1), "degrees")
    piece, what = question.key.split(".")
    if what != "weight":
        return RANGES[question.key]
    return weight_range(piece, _sizes(piece, answers))


def _sizes(piece: str, answers: Mapping[str, float]) -> dict[str, float]:
    """The answers of one piece by the last part of their keys."""
    return {key.partition(".")[2]: value for key, value in answers.items() if key.startswith(f"{piece}.")}


def _as_kept(question: _Question, answer: float) -> float:
    return round(math.tan(math.radians(answer)), 4) if question.angle else round(answer, 4)


def _degrees(mu: float) -> float:
    return math.degrees(math.atan(mu))


def _write(path: Path, values: Mapping[str, float]) -> None:
    from rules.files import os_reason
    from rules.record import disk

    try:
        disk.put(path, "".join(_lines(path, values)).encode(), fresh=True)
    except FileExistsError:
        raise InputError(f"{path} exists already and is not overwritten; name another file") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {os_reason(error)}") from error


def _lines(path: Path, values: Mapping[str, float]) -> Iterator[str]:
    """The file: what was measured, then buildings and supplies of the usual box."""
    from sim.assets import asset

    usual = asset("components", f"{_USUAL}.toml").read_text(encoding="utf-8")
    yield "# A box of the game, measured by its owner. Lengths in mm, weights in grams, friction as tan(slip angle).\n"
    yield f'name = "{_plain(path.stem)}"\nsource = "measured"\n'
    table = ""
    for question in _QUESTIONS:
        own, key = question.key.split(".")
        if own != table:
            table = own
            yield f"\n[{table}]\n"
        value = values[question.key]
        yield f"{key} = {value}" + (f"  # slips at {_degrees(value):.1f} degrees\n" if question.angle else "\n")
    yield "\n# Buildings and supplies are those of the shipped estimate: put in your own.\n"
    yield usual[usual.index("[building.") : usual.index("[friction]")]
    yield usual[usual.index("# What each player gets") :]


def _plain(name: str) -> str:
    """A name without what a TOML text cannot hold as it is."""
    return "".join(mark if mark.isprintable() and mark not in '"\\' else "-" for mark in name)[:80]
