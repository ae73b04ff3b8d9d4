"""The challenge of the day at a terminal: somebody names a placement, a hand like most people's
makes it, and physics says what stands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rich.text import Text

from rules.errors import IllegalMoveError, InputError, NotationError, ShutokoError, cut
from shutoko.terminal.table import TableDisplay
from shutoko.terminal.voice import Voice
from sim.game.ply import JudgedStep
from sim.problems.daily import CAR, FALLEN, STANDS, TRIES, Challenge, Try, drawn
from sim.referee.explain import explain
from sim.referee.placement import Build, Exit
from sim.referee.standing import letter
from sim.referee.table import Table

_LEAVE = ("quit", "q", "exit")
_COMMANDS = "why PLACEMENT, sides, pieces, board, help, or quit"


class Trying:
    """A conversation about the challenge of a day; `tries` is what was tried so far."""

    def __init__(self, challenge: Challenge, voice: Voice) -> None:
        self._challenge, self._voice = challenge, voice
        self._state = challenge.position
        self._display = TableDisplay()
        self.tries: list[Try] = []

    @property
    def best(self) -> int:
        """The points of the best try; 0 before the first."""
        return max((one.points for one in self.tries), default=0)

    def run(self) -> None:
        """Asks until the tries or the input end, and says what the best try is worth."""
        self._begin()
        while len(self.tries) < TRIES:
            number, who = len(self.tries) + 1, letter(self._state.to_move)
            self._voice.say("ask", {"try": number, "by": self._state.to_move})
            line = self._voice.ask(f"try {number} of {TRIES} ({who})> ")
            if line is None or line.lower() in _LEAVE:
                break
            if line:
                self._heard(line)
            else:
                self._say(f"type a placement, {_COMMANDS}")
        tried = len(self.tries)
        told = f"your best try on {self._challenge.day}: {self.best} points" if tried else ""
        data = {"day": str(self._challenge.day), "tries": tried, "best": self.best}
        self._voice.say("over", data, told or "nothing was tried")

    def _begin(self) -> None:
        day, seat = self._challenge.day, self._state.to_move
        rule = {"stands": STANDS, "car": CAR, "fallen": FALLEN, "tries": TRIES}
        self._voice.say(
            "begin",
            {"day": str(day), "by": seat, "points": rule},
            f"challenge of {day}: place once as {letter(seat)}. A build that stands is worth "
            f"{STANDS} points, each car that it earns {CAR} more, each piece that falls "
            f"{-FALLEN} less; the best of {TRIES} tries counts. Type help for how to write a "
            "placement.",
        )
        self._show()

    def _heard(self, line: str) -> None:
        """Acts on a line: a command, or a placement to try."""
        name, _, rest = line.partition(" ")
        shows: dict[str, Callable[[], None]] = {
            "board": self._show,
            "help": self._help,
            "why": lambda: self._why(rest.strip()),
            **{name: self._printer(show) for name, (_, show) in self._display.commands.items()},
        }
        try:
            if name.lower() in shows:
                shows[name.lower()]()
            else:
                self._try(line)
        except NotationError as error:
            self._refuse(f"{cut(error.text)} is not a placement: {error.reason}")
        except IllegalMoveError as error:
            self._refuse(f"illegal: {error.reason}")
        except ShutokoError as error:
            self._refuse(str(error))

    def _printer(self, show: Callable[[Any], str]) -> Callable[[], None]:
        return lambda: self._say(show(self._state))

    def _try(self, line: str) -> None:
        placement, number = self._display.read(self._state, line), len(self.tries)
        if not isinstance(placement, Build | Exit):
            raise InputError("the challenge is a build or an exit; `help` shows how to write one")
        with self._voice.waiting("the pieces come to rest"):
            step = drawn(self._challenge, placement, number)
        one = Try.of(step.verdict)
        self.tries.append(one)
        told = [line.text for line in _told(step)]
        data: dict[str, Any] = {"try": number + 1, "do": step.entry.do, "points": one.points}
        data |= {"built": one.built, "earned": one.earned, "fallen": one.fallen, "told": told}
        points = "1 point" if one.points == 1 else f"{one.points} points"
        self._voice.say("try", data, "\n        ".join((f"try {number + 1}   {points}", *told)))

    def _why(self, text: str) -> None:
        if not text:
            raise InputError("why needs a placement; type why PLACEMENT")
        self._say("\n".join(self._display.why(self._state, text)))

    def _help(self) -> None:
        lines = [line for line in self._display.notation.split("\n") if _is_placed(line)]
        self._say("\n".join(("a placement is:", *lines, f"or type {_COMMANDS}")))

    def _show(self) -> None:
        board = self._display.board(self._state, None)
        self._voice.say("position", {"by": self._state.to_move}, Text("\n").append_text(board))

    def _say(self, text: str) -> None:
        self._voice.say("text", {"text": text}, text)

    def _refuse(self, reason: str) -> None:
        self._voice.say("refused", {"reason": reason}, reason)


def _is_placed(line: str) -> bool:
    """Whether a line of the notation is about what the challenge takes."""
    return line.strip().startswith(("build ", "exit", "...", "{"))


def _told(step: JudgedStep[Table]) -> Any:
    """What the referee says of a try."""
    return explain(step.before, step.placement, step.verdict, ())
