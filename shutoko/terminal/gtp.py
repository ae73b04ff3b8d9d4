"""A player that speaks the Go Text Protocol, version 2 (Farnebäck, 2002), for match runners and
front ends.

Black is the first colour (light, concrete), white the second. A vertex is any move of the game as
text, such as `d4`, `e5-f5`, `swap` or `pass`. Colours alternate: `play` for the colour that is not
to move is an illegal move. After `trade` or `swap` of a pie rule the colours stay what they are,
and another person plays them.
"""

import re
from collections.abc import Callable, Iterable
from inspect import signature
from typing import Any, TextIO

import numpy as np

from rules.arena.players import Spec, parse_spec, player
from rules.errors import IllegalMoveError, InputError, NotationError
from rules.game import Game, Player, game as game_of
from shutoko import __version__

_COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}
_LETTERS = "BW"
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_SHARE = 25.0  # a move gets this part of the main time that is left


class Failure(Exception):  # noqa: N818 - the protocol's own word
    """A command that cannot be carried out; the text is the answer after `?`."""


class _Clock:
    """The times of a game: main time, then `stones` moves in each period of byo-yomi."""

    def __init__(self, main: float, period: float, stones: int) -> None:
        self.main, self.period, self.stones = main, period, stones
        self.left: dict[int, tuple[float, int]] = {}

    def seconds(self, side: int) -> float:
        """How long a move of that side may take."""
        left, stones = self.left.get(side, (self.main, 0))
        if stones:
            return max(0.01, left / stones)
        if left > 0:
            return max(0.01, left / _SHARE)
        return max(0.01, self.period / self.stones) if self.stones else 0.01


class Engine:
    """Answers commands, one line each, for a game of two seats whose moves can be listed, as one
    player by spec string.

    `seed` decides the player's chance. Raises InputError for another game, and for an unknown
    player.
    """

    def __init__(self, game: Game[Any], spec: str, seed: int) -> None:
        if game.seats != 2 or not hasattr(game.start(), "legal_moves"):
            raise InputError(
                f"gtp: {game.name} cannot be played by this protocol, which is for two players on "
                "a board"
            )
        self._spec = parse_spec(spec)
        self._rng = np.random.default_rng(seed)
        self._clock: _Clock | None = None
        self.is_over = False
        self._new(game)
        self._commands: dict[str, Callable[..., str | None]] = {
            name.removeprefix("_do_"): getattr(self, name)
            for name in sorted(dir(self))
            if name.startswith("_do_")
        }

    @property
    def commands(self) -> tuple[str, ...]:
        """The names of the commands, sorted."""
        return tuple(self._commands)

    def run(self, source: Iterable[str], out: TextIO) -> None:
        """Answers line by line until `quit` or the end of the source."""
        for line in source:
            answer = self.answer(line)
            if answer:
                out.write(answer)
                out.flush()
            if self.is_over:
                return

    def answer(self, line: str) -> str:
        """The answer to a line, with the empty line that ends it; "" for a line without a
        command.
        """
        words = _CONTROL.sub("", line).partition("#")[0].split()
        if not words:
            return ""
        number = words.pop(0) if words[0].isascii() and words[0].isdigit() else ""
        name, *rest = words or [""]
        command = self._commands.get(name)
        if command is None:
            return f"?{number} unknown command\n\n"
        takes = len(signature(command).parameters)  # what is said beyond these is not looked at
        if len(rest) < takes:
            return f"?{number} syntax error\n\n"
        try:
            told = command(*rest[:takes])
        except Failure as failure:
            return f"?{number} {failure}\n\n"
        return f"={number} {told or ''}".rstrip() + "\n\n"

    # --- administration ---------------------------------------------------------------------------

    def _do_protocol_version(self) -> str:
        return "2"

    def _do_name(self) -> str:
        return f"Shutoko {self._game.name} {self._spec}"

    def _do_version(self) -> str:
        return __version__

    def _do_known_command(self, name: str) -> str:
        return "true" if name in self._commands else "false"

    def _do_list_commands(self) -> str:
        return "\n".join(self._commands)

    def _do_quit(self) -> None:
        self.is_over = True

    # --- set-up -----------------------------------------------------------------------------------

    def _do_boardsize(self, size: str) -> None:
        chosen = {**self._game.options, "size": _number(size, int)}
        try:
            self._new(game_of(self._game.name, **chosen))
        except InputError as error:
            raise Failure("unacceptable size") from error

    def _do_clear_board(self) -> None:
        self._new(self._game)

    def _do_komi(self, komi: str) -> None:
        _number(komi, float)  # these games have none; front ends send it all the same

    # --- play -------------------------------------------------------------------------------------

    def _do_play(self, colour: str, vertex: str) -> None:
        side, state = _side(colour), self._states[-1]
        if state.outcome() is not None or (side != state.side and vertex.lower() != "resign"):
            raise Failure("illegal move")
        try:
            move = state.parse(vertex)
        except NotationError as error:
            raise Failure("syntax error") from error
        except IllegalMoveError as error:
            raise Failure("illegal move") from error
        if str(move) == "resign" and side != state.side:
            raise Failure("illegal move")
        self._states.append(state.after(move))

    def _do_genmove(self, colour: str) -> str:
        side, state = _side(colour), self._states[-1]
        if state.outcome() is not None:
            raise Failure("the game is over")
        if side != state.side:
            raise Failure(f"{'black' if state.side == 0 else 'white'} is to move")
        move = self._player_for(side).choose(state, self._rng)
        self._states.append(state.after(move))
        return str(move)

    def _do_undo(self) -> None:
        if len(self._states) == 1:
            raise Failure("cannot undo")
        self._states.pop()

    def _do_time_settings(self, main: str, period: str, stones: str) -> None:
        times = [_number(word, int) for word in (main, period, stones)]
        if min(times) < 0:
            raise Failure("syntax error")
        # by the protocol a period without moves in it means no limit
        self._clock = None if times[1] > 0 and times[2] == 0 else _Clock(*times)

    def _do_time_left(self, colour: str, left: str, stones: str) -> None:
        side, seconds, moves = _side(colour), _number(left, int), _number(stones, int)
        if moves < 0:
            raise Failure("syntax error")
        if self._clock is not None:
            self._clock.left[side] = (max(0, seconds), moves)

    def _do_final_score(self) -> str:
        outcome = self._states[-1].outcome()
        if outcome is None:
            raise Failure("cannot score: the game goes on")
        if not outcome.winners:
            return "0"
        letter = _LETTERS[self._states[-1].turns.sides[outcome.winners[0]]]
        return f"{letter}+{'R' if outcome.reason == 'resigned' else '1'}"

    def _do_showboard(self) -> str:
        return "\n" + "\n".join(line for line in str(self._states[-1]).splitlines() if line.strip())

    # --- helpers ----------------------------------------------------------------------------------

    def _new(self, game: Game[Any]) -> None:
        self._game = game
        self._states: list[Any] = [game.start()]
        self._player: Player[Any] = player(self._spec, game)
        if self._clock is not None:
            self._clock.left.clear()

    def _player_for(self, side: int) -> Player[Any]:
        """The player, with the time of the clock if it thinks by the clock."""
        if self._clock is None or any(
            key in ("simulations", "depth") for key, _ in self._spec.options
        ):
            return self._player
        kept = tuple((key, value) for key, value in self._spec.options if key != "seconds")
        timed = Spec(self._spec.name, (*kept, ("seconds", f"{self._clock.seconds(side):.3f}")))
        try:
            return player(timed, self._game)
        except InputError:  # it does not think by the clock
            return self._player


def _side(word: str) -> int:
    if word.lower() not in _COLOURS:
        raise Failure("syntax error")
    return _COLOURS[word.lower()]


def _number(word: str, kind: Callable[[str], Any]) -> Any:
    try:
        found = kind(word)
    except ValueError as error:
        raise Failure("syntax error") from error
    if not abs(found) < 1e9:
        raise Failure("syntax error")
    return found
