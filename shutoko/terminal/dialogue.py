"""The conversation: shows the position, asks persons for moves, lets programs play, until the game or the input ends."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from rich.text import Text

from rules.errors import IllegalMoveError, InputError, NotationError
from rules.game import Advice, Adviser
from shutoko.terminal.session import Session, Turn
from shutoko.terminal.view import View
from shutoko.terminal.voice import Voice

__all__ = ["Dialogue"]

_HINTS = 5
_MOST = 20


class Dialogue:
    """A conversation about a session. `adviser` makes the player that gives hints, when the first is asked for."""

    def __init__(self, session: Session, view: View, voice: Voice, adviser: Callable[[], Adviser[Any]]) -> None:
        self._session, self._view, self._voice = session, view, voice
        self._make_adviser = adviser
        self._adviser: Adviser[Any] | None = None
        self._hints: Sequence[Advice] = ()
        self._commands: dict[str, tuple[str, Callable[[str], None]]] = {
            "?": ("the best moves and why; a number then plays one; ? 9 shows more of them", self._advise),
            "why": ("why MOVE: all that the rules say of a move, without playing it", self._why),
            "moves": ("what may be played", lambda _: self._say(self._view.moves(self._session.state))),
            "board": ("the position once more", lambda _: self._show()),
            "undo": ("take your last move back, with the answers to it", lambda _: self._undo()),
            "save": ("save FILE writes the game so far to a file of that name", self._save),
            "rules": ("the rules in a few lines", lambda _: self._say(self._view.rules)),
            "help": ("this", lambda _: self._help()),
        }
        for name, (what, show) in view.commands.items():
            self._commands[name] = (what, partial(self._print, show))

    def open(self) -> None:
        """Says what is played, by whom, and where it is kept."""
        session, header = self._session, self._session.record.header
        given = {"ruleset": header.ruleset} if header.ruleset != "standard" else {}
        options = "".join(f", {name} = {json.dumps(value)}" for name, value in {**given, **header.options}.items())
        persons = [seat for seat, sits in enumerate(session.seats) if sits.player is None]
        data: dict[str, Any] = {"game": header.game, "options": {**given, **header.options}, "seed": header.seed}
        data |= {"players": list(header.players), "persons": persons, "file": str(session.path)}
        self._voice.say("begin", data, f"{header.game}{options}; help tells what can be typed. Kept in {session.path}")

    def run(self) -> None:
        """Plays until the game is over, or until somebody quits. Raises what a program's player raises."""
        session = self._session
        if session.is_over:
            self._show()
            self._say("the game is over; undo takes the last move of a person back")
            if not self._is_reopened():
                return
        shown = False
        while not session.is_over:
            if session.seat.player is not None:
                self._answer()
                shown = False
                continue
            if not shown:
                self._show()
            shown = True
            before = len(session.positions)
            if not self._listen():
                return
            shown = len(session.positions) == before
        if session.record.entries:
            self._show()

    def close(self) -> None:
        """Tells where the game is."""
        session = self._session
        path, plies = session.path, len(session.positions) - 1
        there = session.is_kept or path == session.record.path
        data = {"file": str(path) if there else None, "plies": plies, "over": session.is_over}
        if not there:
            self._voice.say("kept", data, "nothing was played, so nothing is kept")
        elif session.is_over:
            self._voice.say("kept", data, f"the game is in {path}; shutoko replay shows it again")
        else:
            self._voice.say("kept", data, f"the game is in {path}; shutoko play --resume {path} goes on with it")

    # --- turns ---------------------------------------------------------------------------------------------------------------

    def _answer(self) -> None:
        session = self._session
        with self._voice.waiting(f"{session.seat.name} is thinking"):
            move = session.chosen()
            try:
                turn = session.play(move)
            except IllegalMoveError as error:
                reason = f"{error.reason} (ply {session.record.next_ply}, played by {session.seat.name})"
                raise IllegalMoveError(error.text, error.position, reason) from error
        self._tell(turn)

    def _listen(self) -> bool:
        """One line of a person; False if that ends the conversation."""
        session, state = self._session, self._session.state
        asks = self._view.asks(state)
        seat = state.to_move
        data = {"ply": session.record.next_ply, "by": seat, "name": session.seat.name, "asks": asks}
        self._voice.say("ask", data, asks)
        line = self._voice.ask(f"{session.seat.name} ({self._view.who(state, seat)})> ")
        if line is None or line.lower() in ("quit", "q", "exit"):
            return False
        name, _, rest = line.partition(" ")
        if line.startswith("?"):
            name, rest = "?", line[1:]
        name = name.lower()
        try:
            if not line:
                self._say("type a move, ? for hints, or help")
            elif name in self._commands:
                self._commands[name][1](rest.strip())
            else:
                self._move(line)
        except NotationError as error:
            self._refuse(f"{error.text} is not a move: {error.reason}")
        except IllegalMoveError as error:
            self._refuse(f"illegal: {error.reason}", error.faults)
        except InputError as error:
            self._refuse(str(error))
        return True

    def _move(self, line: str) -> None:
        session, view = self._session, self._view
        move = (
            self._numbered(int(line)) if line.isascii() and line.isdigit() and len(line) < 3 else view.read(session.state, line)
        )
        self._tell(session.play(move))

    def _numbered(self, number: int) -> Any:
        if not self._hints:
            raise InputError("numbers are for the moves that ? shows; ask for them first")
        if not 1 <= number <= len(self._hints):
            raise InputError(f"? showed the moves 1 to {len(self._hints)}, {number} is none of them")
        return self._hints[number - 1].move

    def _is_reopened(self) -> bool:
        """A game that had ended when it was opened: whether a person takes a move back."""
        while self._session.is_over:
            line = self._voice.ask("over> ")
            match line:
                case None | "" | "quit" | "q" | "exit":
                    return False
                case "undo":
                    try:
                        self._undo()
                    except InputError as error:
                        self._refuse(str(error))
                case _:
                    self._say("the game is over: undo or quit")
        return True

    def _tell(self, turn: Turn) -> None:
        self._hints = ()
        entry, told = turn.entry, self._view.told(turn, self._session.record)
        data = {"ply": entry.ply, "by": entry.by, "do": entry.do, "got": entry.got, "told": told}
        self._voice.say("turn", data, "\n        ".join((f"ply {entry.ply:>2}  {told[0]}", *told[1:])))

    # --- commands ------------------------------------------------------------------------------------------------------------

    def _advise(self, text: str) -> None:
        most = int(text) if text.isascii() and text.isdigit() and len(text) < 3 else _HINTS if not text else 0
        if not 1 <= most <= _MOST:
            raise InputError(f"? shows {_HINTS} moves, ? N shows N of them, {_MOST} at most")
        session, view = self._session, self._view
        with self._voice.waiting("looking for good moves"):
            self._adviser = self._adviser or self._make_adviser()
            self._hints = session.advice(self._adviser, most)
        shown = [(n, view.short(hint.move), hint) for n, hint in enumerate(self._hints, 1)]
        wide = max(len(move) for _, move, _ in shown)
        said = [{"n": n, "move": move, "do": str(hint.move), "why": hint.why, "chance": hint.chance} for n, move, hint in shown]
        sketch = view.sketch(session.state, [hint.move for hint in self._hints]) or Text()
        sketch.append("\n" * bool(sketch) + "\n".join(f"{n:>3}  {move:<{wide}}  {hint.why}" for n, move, hint in shown))
        self._voice.say("hints", {"by": self._adviser.name, "hints": said}, sketch)

    def _why(self, text: str) -> None:
        if not text:
            raise InputError("why needs a move: why MOVE")
        state = self._session.state
        try:
            self._say("\n".join(self._view.why(state, text)))
        except IllegalMoveError as error:
            self._say("\n".join(["it is illegal:", *error.faults]))

    def _undo(self) -> None:
        plies = self._session.undo()
        self._hints = ()
        what = f"{plies} plies are" if plies > 1 else "1 ply is"
        self._voice.say("undo", {"plies": plies, "ply": self._session.record.next_ply}, f"{what} taken back")

    def _save(self, text: str) -> None:
        if not text:
            raise InputError("save needs the name of a file: save FILE")
        self._session.save(Path(text).expanduser())
        self._say(f"saved to {text}")

    def _help(self) -> None:
        lines = [f"  {name:<8}{what}" for name, (what, _) in self._commands.items()]
        lines += ["  resign  give up", "  quit    leave; the game is kept and can be gone on with"]
        self._say("\n".join((*self._view.guide.split("\n"), "", *lines)))

    def _print(self, show: Callable[[Any], str], text: str) -> None:  # noqa: ARG002 - these take nothing
        self._say(show(self._session.state))

    # --- saying --------------------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        session = self._session
        state, names = session.state, session.record.header.players
        board = self._view.board(state, session.last)
        data = {"board": state.board_text()} if hasattr(state, "board_text") else {}
        seats = " against ".join(f"{name} ({self._view.who(state, seat)})" for seat, name in enumerate(names))
        self._voice.say("position", {"ply": session.record.next_ply, **data}, Text(f"\n{seats}\n").append_text(board))

    def _say(self, text: str) -> None:
        self._voice.say("text", {"text": text}, text)

    def _refuse(self, reason: str, faults: Sequence[str] = ()) -> None:
        data = {"faults": list(faults)} if faults else {}
        more = "\n(why MOVE tells them all)" if len(faults) > 1 else ""
        self._voice.say("refused", {"reason": reason, **data}, reason + more)
