"""The conversation: shows the position, asks persons for their moves, and has programs play, until
the game or input ends.
"""

import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from rich.text import Text

from rules import defaults
from rules.errors import IllegalMoveError, InputError, NotationError, Refusal, cut
from rules.game import Advice, Adviser
from rules.record.replay import Step
from shutoko.plain import plain_line, plain_record
from shutoko.scenes import told_with_scene
from shutoko.terminal.board import Display
from shutoko.terminal.session import Session
from shutoko.terminal.voice import Voice

_LEAVE = ("quit", "q", "exit")
_HINTS = 5
_MOST = 20


class Dialogue:
    """A conversation about a session. `adviser` makes the player that gives hints; it is called for
    the first hint.
    """

    def __init__(
        self, session: Session, display: Display, voice: Voice, adviser: Callable[[], Adviser[Any]]
    ) -> None:
        self._session, self._display, self._voice = session, display, voice
        self._make_adviser = adviser
        self._adviser: Adviser[Any] | None = None
        self._hints: Sequence[Advice] = ()
        self._commands: dict[str, tuple[str, Callable[[str], None]]] = {
            "?": (
                "the best five moves and why; then type a number to play one; ? 9 shows nine",
                self._advise,
            ),
            "why": (
                "why MOVE explains what the rules say of a move, without playing it",
                self._why,
            ),
            "moves": (
                "the moves that are possible",
                lambda _: self._say(self._display.moves(self._session.state)),
            ),
            "board": ("the position again", lambda _: self._show()),
            "undo": ("takes back your last move and the answers to it", lambda _: self._undo()),
            "save": ("save FILE writes the game so far to a new file", self._save),
            "rules": (
                "the rules in a few lines",
                lambda _: self._say(defaults.guide(session.made).rules),
            ),
            "help": ("this text", lambda _: self._help()),
        }
        for name, (what, show) in display.commands.items():
            self._commands[name] = (what, partial(self._print, show))

    def open(self) -> None:
        """Says which game begins, and in which file it is kept."""
        session, header = self._session, self._session.record.header
        given = {"ruleset": header.ruleset} if header.ruleset != "standard" else {}
        options = "".join(
            f", {name} = {json.dumps(value)}" for name, value in {**given, **header.options}.items()
        )
        persons = [seat for seat, sits in enumerate(session.seats) if sits.player is None]
        data: dict[str, Any] = {
            "game": header.game,
            "options": {**given, **header.options},
            "seed": header.seed,
        }
        data |= {"players": list(header.players), "persons": persons, "file": str(session.path)}
        self._voice.say(
            "begin",
            data,
            f"{header.game}{options}; type help for all commands. Kept in {session.path}",
        )

    def run(self) -> None:
        """Plays until the game ends or somebody quits. Raises the errors of the programs that
        play.
        """
        session = self._session
        if session.is_over:
            self._show()
            self._say("the game is over; undo takes back the last move of a person")
            if not self._is_reopened():
                return
        shown = False
        while not session.is_over:
            if session.seat.player is not None:
                if not self._answer():
                    return
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
        """Says where the record of the game is."""
        session = self._session
        path, plies = session.path, len(session.positions) - 1
        data = {
            "file": str(path) if session.is_kept else None,
            "plies": plies,
            "over": session.is_over,
        }
        if not session.is_kept:
            self._voice.say("kept", data, "no move was made, so no file was written")
        elif session.is_over:
            self._voice.say(
                "kept", data, f"the game is in {path}; watch it again with shutoko replay {path}"
            )
        else:
            self._voice.say(
                "kept",
                data,
                f"the game is in {path}; continue it with shutoko play --resume {path}",
            )

    # --- turns ------------------------------------------------------------------------------------

    def _answer(self) -> bool:
        """The move of a program. False if a disk cannot keep it, and the person leaves instead of
        trying again.
        """
        session = self._session
        with self._voice.waiting(f"{self._name} is thinking"):
            move = session.chosen()
        while True:
            try:
                with self._voice.waiting(f"{self._name} is thinking"):
                    step = session.play(move)
            except IllegalMoveError as error:
                reason = f"{error.reason} (ply {session.record.next_ply}, played by {self._name})"
                raise IllegalMoveError(error.text, error.position, reason) from error
            except InputError as error:
                self._refuse(told_with_scene(error, session.path))
                self._ask_event("Enter tries again, undo, or quit")
                line = self._voice.ask(
                    f"{self._name}'s move is not made: Enter tries again, undo, or quit> "
                )
                if line is None:
                    raise
                if line.lower() in _LEAVE:
                    return False
                if line.lower() == "undo":
                    self._undo_if_any()
                    return True
            else:
                self._tell(step)
                return True

    @property
    def _name(self) -> str:
        """The player to move."""
        return plain_line(self._session.seat.name)

    def _ask_event(self, asks: str, text: str = "") -> None:
        """Tells programs which input is expected, and people the text. An untold program would wait
        for us, and we for it.
        """
        session = self._session
        data = {
            "ply": session.record.next_ply,
            "by": session.state.to_move,
            "name": session.seat.name,
            "asks": asks,
        }
        self._voice.say("ask", data, text)

    def _listen(self) -> bool:
        """Reads a line of a person and acts on it; False if the conversation ends with it."""
        state = self._session.state
        asks = self._display.asks(state)
        self._ask_event(asks, asks)
        line = self._voice.ask(f"{self._name} ({self._display.who(state, state.to_move)})> ")
        if line is None or line.lower() in _LEAVE:
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
            self._refuse(f"{cut(error.text)} is not a move: {error.reason}", why=error.reason)
        except IllegalMoveError as error:
            self._refuse(f"illegal: {error.reason}", error.faults, error.reason)
        except InputError as error:
            self._refuse(told_with_scene(error, self._session.path))
        return True

    def _move(self, line: str) -> None:
        state, display = self._session.state, self._display
        try:
            move = display.read(state, line)
        except NotationError:
            if not (line.isascii() and line.isdigit() and len(line) < 3):
                raise
            move = self._numbered(int(line))
        self._tell(self._session.play(move))

    def _numbered(self, number: int) -> Any:
        if not self._hints:
            raise InputError("a number plays a move that ? has shown; type ? first")
        if not 1 <= number <= len(self._hints):
            raise InputError(
                f"? has shown moves 1 to {len(self._hints)}; choose one of these, not {number}"
            )
        return self._hints[number - 1].move

    def _is_reopened(self) -> bool:
        """Asks at a finished game whether to undo; True if a move is taken back."""
        while self._session.is_over:
            line = self._voice.ask("over> ")
            match line:
                case None | "" | "quit" | "q" | "exit":
                    return False
                case "undo":
                    self._undo_if_any()
                case _:
                    self._say("the game is over; type undo or quit")
        return True

    def _tell(self, step: Step) -> None:
        self._hints = ()
        entry, told = step.entry, self._display.told(step, plain_record(self._session.record))
        data = {"ply": entry.ply, "by": entry.by, "do": entry.do, "got": entry.got, "told": told}
        self._voice.say(
            "turn", data, "\n        ".join((f"ply {entry.ply:>2}  {told[0]}", *told[1:]))
        )

    # --- commands ---------------------------------------------------------------------------------

    def _advise(self, text: str) -> None:
        most = (
            int(text)
            if text.isascii() and text.isdigit() and len(text) < 3
            else _HINTS
            if not text
            else 0
        )
        if not 1 <= most <= _MOST:
            raise InputError(f"? shows {_HINTS} moves; ? N shows N moves, 1 to {_MOST}")
        session, display = self._session, self._display
        with self._voice.waiting("looking for good moves"):
            self._adviser = self._adviser or self._make_adviser()
            self._hints = session.advice(self._adviser, most)
        shown = [(n, display.short(hint.move), hint) for n, hint in enumerate(self._hints, 1)]
        wide = max(len(move) for _, move, _ in shown)
        said = [
            {"n": n, "move": move, "do": str(hint.move), "why": hint.why, "chance": hint.chance}
            for n, move, hint in shown
        ]
        sketch = display.sketch(session.state, [hint.move for hint in self._hints]) or Text()
        sketch.append(
            "\n" * bool(sketch)
            + "\n".join(f"{n:>3}  {move:<{wide}}  {hint.why}" for n, move, hint in shown)
        )
        self._voice.say("hints", {"by": self._adviser.name, "hints": said}, sketch)

    def _why(self, text: str) -> None:
        if not text:
            raise InputError("why needs a move; type why MOVE")
        state = self._session.state
        try:
            self._say("\n".join(self._display.why(state, text)))
        except IllegalMoveError as error:
            self._say("\n".join(["it is illegal:", *error.faults]))

    def _undo(self) -> None:
        plies = self._session.undo()
        self._hints = ()
        what = f"{plies} plies" if plies > 1 else "1 ply"
        self._voice.say(
            "undo", {"plies": plies, "ply": self._session.record.next_ply}, f"took back {what}"
        )

    def _undo_if_any(self) -> None:
        try:
            self._undo()
        except InputError as error:
            self._refuse(str(error))

    def _save(self, text: str) -> None:
        if not text:
            raise InputError("save needs the name of a file; type save FILE")
        self._session.save(Path(text).expanduser())
        self._say(f"saved to {text}")

    def _help(self) -> None:
        lines = [f"  {name:<8}{what}" for name, (what, _) in self._commands.items()]
        lines += [
            "  resign  gives up the game",
            "  quit    leaves; the game is kept, and you can continue it later",
        ]
        self._say("\n".join((*self._display.notation.split("\n"), "", *lines)))

    def _print(self, show: Callable[[Any], str], text: str) -> None:  # noqa: ARG002 - these commands take no argument
        self._say(show(self._session.state))

    # --- saying -----------------------------------------------------------------------------------

    def _show(self) -> None:
        session = self._session
        state, names = session.state, plain_record(session.record).header.players
        board = self._display.board(state, session.last)
        data = {"board": state.board_text()} if hasattr(state, "board_text") else {}
        seats = " against ".join(
            f"{name} ({self._display.who(state, seat)})" for seat, name in enumerate(names)
        )
        self._voice.say(
            "position",
            {"ply": session.record.next_ply, **data},
            Text(f"\n{seats}\n").append_text(board),
        )

    def _say(self, text: str) -> None:
        self._voice.say("text", {"text": text}, text)

    def _refuse(self, reason: str, faults: Sequence[str] = (), why: str = "") -> None:
        """Says why something is not done; for programs also as the code and the values of `why`,
        where the game gives them.
        """
        data: dict[str, Any] = {"faults": list(faults)} if faults else {}
        if isinstance(why, Refusal):
            data |= {"code": why.code, "values": why.values}
        more = "\n(why MOVE lists all of them)" if len(faults) > 1 else ""
        self._voice.say("refused", {"reason": reason, **data}, reason + more)
