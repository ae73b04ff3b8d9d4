"""What `shutoko components new` asks, and how answers become numbers."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rules.errors import InputError

if TYPE_CHECKING:
    from sim.plausible import Range

USUAL = "estimate-2018"
"""The box whose values are offered."""

_STEEPEST = 60.0  # degrees: a friction of 1.7


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked for a key of the file; an `angle` in degrees becomes the friction of that
    pair.
    """

    key: str
    text: str
    angle: bool = False


QUESTIONS: tuple[Question, ...] = (
    Question("road.length", "length of a road in mm"),
    Question("road.width", "width of a road in mm"),
    Question("road.thickness", "thickness of a road in mm"),
    Question("road.weight", "weight of a road in grams"),
    Question("disc.diameter", "diameter of a disc in mm"),
    Question("disc.height", "height of a disc in mm"),
    Question("disc.weight", "weight of a disc in grams"),
    Question("car.length", "length of a car in mm"),
    Question("car.width", "width of a car in mm"),
    Question("car.height", "height of a car in mm"),
    Question("car.weight", "weight of a car in grams"),
    Question("friction.road-disc", "angle in degrees at which a road slips on a disc", angle=True),
    Question("friction.car-road", "angle in degrees at which a car slips on a road", angle=True),
    Question("friction.disc-disc", "angle in degrees at which a disc slips on a disc", angle=True),
    Question(
        "friction.disc-table", "angle in degrees at which a disc slips on the table", angle=True
    ),
)
"""What is asked, in that order."""


def values_of(name: str) -> dict[str, float]:
    """What a box says to each question: mm, grams and coefficients of friction."""
    from sim.pieces import Components

    box = Components.named(name)
    sizes = {
        question.key: float(getattr(box, question.key.replace(".", "_").replace("weight", "mass")))
        for question in QUESTIONS
        if not question.angle
    }
    frictions = {
        question.key: box.pairs[question.key.partition(".")[2]]
        for question in QUESTIONS
        if question.angle
    }
    return sizes | frictions


class Asking:
    """Asks the questions that no option answers. Answers are read from standard input, a line
    each.
    """

    def __init__(self, given: Mapping[str, str], *, estimates: bool, quiet: bool) -> None:
        self._given, self._estimates = given, estimates
        self._told = sys.stderr if quiet else sys.stdout
        self._usual = values_of(USUAL)

    def all(self) -> dict[str, float]:
        """The values by key, friction as coefficients."""
        answers: dict[str, float] = {}
        for question in QUESTIONS:
            if question.key in self._given:
                answers[question.key] = _read(
                    question, self._given[question.key], self._estimate(question, answers)
                )
                self._warn(question, answers)
            elif self._estimates:
                answers[question.key] = self._estimate(question, answers)
        asked = [question for question in QUESTIONS if question.key not in answers]
        number = 0
        while number < len(asked):
            number = max(number + self._ask(asked[number], answers), 0)
        return {question.key: _as_kept(question, answers[question.key]) for question in QUESTIONS}

    def _ask(self, question: Question, answers: dict[str, float]) -> int:
        """Asks one question; returns the step to the next one: 1, 0 to ask again, -1 for `back`."""
        estimate = self._estimate(question, answers)
        print(f"{question.text} [{estimate:.3g}]: ", end="", file=self._told, flush=True)
        line = sys.stdin.readline()
        if not sys.stdin.isatty():
            print(file=self._told)
        if not line:
            raise InputError(
                f"the answers end before: {question.text}; give it, or --set {question.key}=ANSWER"
            )
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

    def _estimate(self, question: Question, answers: Mapping[str, float]) -> float:
        """What Enter stands for, in the unit of the question; for a weight the usual density of a
        piece of the given size.
        """
        usual = self._usual[question.key]
        if question.angle:
            return degrees(usual)
        piece, what = question.key.split(".")
        if what != "weight":
            return usual
        from sim.plausible import volume

        return (
            usual
            * volume(piece, _sizes(piece, {**self._usual, **answers}))
            / volume(piece, _sizes(piece, self._usual))
        )

    def _warn(self, question: Question, answers: Mapping[str, float]) -> None:
        """Says at once if an answer is not plausible."""
        plausible, value = _plausible(question, {**self._usual, **answers}), answers[question.key]
        if not plausible.holds(value):
            told = f"implausible: {question.key} = {value:.4g}; {plausible} is plausible"
            print(
                f"  {told}" + ("; `back` asks again" if sys.stdin.isatty() else ""), file=self._told
            )


def _read(question: Question, answer: str, estimate: float) -> float:
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


def _plausible(question: Question, answers: Mapping[str, float]) -> Range:
    """The plausible answers, in the unit of the question; `answers` hold the sizes of the piece."""
    from sim.plausible import RANGES, Range, weight_range

    if question.angle:
        found = RANGES[question.key]
        return Range(round(degrees(found.low), 1), round(degrees(found.high), 1), "degrees")
    piece, what = question.key.split(".")
    if what != "weight":
        return RANGES[question.key]
    return weight_range(piece, _sizes(piece, answers))


def _sizes(piece: str, answers: Mapping[str, float]) -> dict[str, float]:
    """The answers of one piece by the last part of their keys."""
    return {
        key.partition(".")[2]: value
        for key, value in answers.items()
        if key.startswith(f"{piece}.")
    }


def _as_kept(question: Question, answer: float) -> float:
    return round(math.tan(math.radians(answer)), 4) if question.angle else round(answer, 4)


def degrees(mu: float) -> float:
    """The slip angle in degrees that belongs to a friction coefficient."""
    return math.degrees(math.atan(mu))
