"""Output and questions at a terminal: coloured text for people, one JSON object per line for
programs.
"""

import io
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from rich.console import Console
from rich.text import Text

from shutoko.plain import plain, plain_rich


class Voice:
    """Says and asks. With `emit`, which prints one JSON value, it speaks to programs: each message
    is one object.
    """

    def __init__(self, emit: Callable[[Any], None] | None = None) -> None:
        self._emit = emit
        self._console = Console(highlight=False, emoji=False, markup=False)
        self._typed = emit is None and sys.stdin is not None and sys.stdin.isatty()
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        if self._typed:
            with suppress(ImportError):
                import readline  # noqa: F401 - with it, input() lets people edit lines and recall old ones

    def say(self, event: str, data: Mapping[str, Any], text: str | Text = "") -> None:
        """One message: programs get the data, people the text. A terminal wraps a `str`, but not a
        `Text` (a board).
        """
        if self._emit is not None:
            self._emit({"event": event, **data})
            sys.stdout.flush()
        elif text:
            wrap = isinstance(text, str) and self._console.is_terminal
            shown = Text(plain(text)) if isinstance(text, str) else plain_rich(text)
            self._console.print(shown, soft_wrap=not wrap)
            self._console.file.flush()

    def ask(self, prompt: str) -> str | None:
        """The next line of the input, stripped of blanks; None at its end.

        A line from a pipe is printed after its prompt, so that the output reads like a
        conversation.
        """
        if self._typed:
            try:
                return input(plain(prompt)).strip()
            except EOFError:
                self._console.print()
                return None
            except KeyboardInterrupt:
                self._console.print()
                raise
        line = sys.stdin.readline() if sys.stdin is not None else ""
        if self._emit is None:
            self._console.print(Text(plain(f"{prompt}{line.strip()}")), soft_wrap=True)
        return line.strip() if line else None

    @contextmanager
    def waiting(self, what: str) -> Iterator[None]:
        """Shows `what` on a terminal while the block runs."""
        if self._emit is not None or not self._console.is_terminal:
            yield
            return
        with self._console.status(plain(what), spinner="line"):
            yield
