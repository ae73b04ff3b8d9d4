"""What the environments share: a game in play as a learner sees it, whatever the game; `make`
begins one. Games on boards stand on `rules.grid.Batch`; `Shower` renders
any.
"""

import sys
import tempfile
from base64 import b64encode
from collections.abc import Callable
from html import escape
from importlib.metadata import entry_points
from inspect import signature
from io import BytesIO
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Dict, Discrete, Space

from rules import defaults
from rules.errors import InputError
from rules.game import Game, State, game as game_of
from rules.grid import Batch
from rules.view import BoardView
from shutoko.envs import GROUP

MODES = ("human", "ansi", "rgb_array")
"""How environments are rendered: as a page to be opened in a browser, as text, as pixels."""

_SIZE = (640, 430)  # pixels of a table; a board is as large as its drawing


class EnvTable(Protocol):
    """A game in play. `seats` play it; `observations` and `actions` are the spaces of each of
    them.

    A class of tables may have `batch(game, n, seed, cap, **options)` and `spaces(batch)`, for many
    games at once.
    """

    game: Any
    seats: int
    observations: Space[Any]
    actions: Space[Any]

    def begin(self, rng: np.random.Generator) -> None:
        """A new game; all chance of it comes from `rng`."""

    @property
    def state(self) -> State[Any]:
        """The position, for players and pictures."""

    @property
    def to_move(self) -> int:
        """The seat whose action is due."""

    @property
    def rewards(self) -> tuple[float, ...]:
        """What the last action brought each seat."""

    @property
    def ended(self) -> bool:
        """Whether the rules have ended the game."""

    @property
    def truncated(self) -> bool:
        """Whether the cap has stopped the game."""

    def observe(self, seat: int) -> Any:
        """What a seat sees, of the space `observations`."""

    def mask(self) -> npt.NDArray[np.int8] | None:
        """int8: which actions are legal, for spaces of numbered actions; None where every action
        is.
        """

    def act(self, action: Any) -> None:
        """One action of the seat to move. Raises IllegalMoveError."""

    def move(self, move: Any) -> None:
        """One move that a player chose, which may be several actions. Raises IllegalMoveError."""


def make(name: str, cap: int, options: dict[str, Any]) -> EnvTable:
    """A table for that game: the one that a package brings for it, else the one for games on
    boards.

    `options` are those of the game and those of the table. Raises InputError for an unknown game or
    option, and for a game without environment.
    """
    factory, made, chosen = _asked(name, options)
    table: EnvTable = factory(made, cap, **chosen)
    return table


def many(
    name: str, n: int, cap: int, options: dict[str, Any]
) -> tuple[Callable[[int], Any], Callable[[Any], tuple[Space[Any], Space[Any]]]]:
    """What makes a batch of `n` games from a seed, and what gives its spaces; raises as `make`, and
    InputError where the table that a package brings has no `batch`.
    """
    factory, made, chosen = _asked(name, options)
    if not hasattr(factory, "batch"):
        raise InputError(f"{name}: its environment has no batch, so it plays one game at a time")
    return lambda seed: factory.batch(made, n, seed, cap, **chosen), factory.spaces


def _asked(name: str, options: dict[str, Any]) -> tuple[Any, Any, dict[str, Any]]:
    """The factory, the game and the options of the table."""
    factory = _factory(name)
    own = [key for key in list(signature(factory).parameters)[2:] if key in options]
    of_game = {key: value for key, value in options.items() if key not in own}
    made = game_of(name, **{**getattr(factory, "usual", {}), **of_game})
    return factory, made, {key: options[key] for key in own}


def _factory(name: str) -> Any:
    for point in entry_points(group=GROUP):
        if point.name == name:
            return point.load()
    return BoardTable


# --- games on boards ------------------------------------------------------------------------------


def spaces(batch: Batch) -> tuple[Dict, Discrete]:
    """The spaces of one seat: `observation` and `action_mask` as in `rules.grid.Batch`, and the
    numbered actions.
    """
    seen: dict[str, Space[Any]] = {
        "observation": Box(0, 1, batch.shape, np.int8),
        "action_mask": Box(0, 1, (batch.actions,), np.int8),
    }
    return Dict(seen), Discrete(batch.actions)


class BoardTable:
    """An `EnvTable` of a game on a board; it shows the final position until
    `begin`.
    """

    batch = staticmethod(Batch)
    spaces = staticmethod(spaces)

    def __init__(self, game: Game[Any], cap: int) -> None:
        self.game = game
        self.seats = game.seats
        self._batch = Batch(game, 1, cap=cap)
        self._actions: list[int] = []
        self._last: Any = None
        self.rewards: tuple[float, ...] = (0.0, 0.0)
        self.ended = self.truncated = False
        self.observations: Space[Any]
        self.actions: Space[Any]
        self.observations, self.actions = spaces(self._batch)

    def begin(self, rng: np.random.Generator) -> None:  # noqa: ARG002 - these games have no chance
        """See `EnvTable`."""
        self._batch.reset()
        self._actions.clear()
        self._last, self.rewards = None, (0.0, 0.0)
        self.ended = self.truncated = False

    @property
    def state(self) -> Any:
        """See `EnvTable`."""
        return self._batch.state(0) if self._last is None else self._last

    @property
    def to_move(self) -> int:
        """See `EnvTable`."""
        return int(self._batch.to_move[0]) if self._last is None else self._last.to_move

    def observe(self, seat: int) -> dict[str, npt.NDArray[np.int8]]:
        """See `EnvTable`."""
        planes = self._batch.observe()[0].astype(np.int8)
        if seat != self.to_move:
            planes[[0, 1]] = planes[[1, 0]]
        due = seat == self.to_move and self._last is None
        return {
            "observation": planes,
            "action_mask": self.mask() if due else np.zeros(self._batch.actions, np.int8),
        }

    def mask(self) -> npt.NDArray[np.int8]:
        """See `EnvTable`."""
        return np.asarray(self._batch.masks()[0], dtype=np.int8)

    def act(self, action: Any) -> None:
        """See `EnvTable`."""
        number = int(action)
        self._batch.step([number])
        self._actions.append(number)
        self.rewards = tuple(self._batch.rewards[0].tolist())
        self.ended, self.truncated = bool(self._batch.ended[0]), bool(self._batch.truncated[0])
        if self.ended or self.truncated:
            self._keep_the_end()

    def move(self, move: Any) -> None:
        """See `EnvTable`."""
        before = self.state
        if str(move) == "resign":
            loser = before.to_move
            self._last, self.ended = before.after(move), True
            self.rewards = tuple(-1.0 if seat == loser else 1.0 for seat in range(self.seats))
            return
        for action in self._batch.actions_of(0, move):
            self.act(action)

    def _keep_the_end(self) -> None:
        """Restores the final position, because the batch has begun a new game in the same step:
        replays the game that ended.
        """
        *before, last = self._actions
        self._batch.reset()
        twin = Batch(self.game, 1)
        for action in before:
            twin.step([action])
        final = twin.state(0)
        if not twin.is_halfway(0):
            final = final.after(twin.text(0, last))
        self._last = final
        self._batch.place(0, final)


# --- rendering ------------------------------------------------------------------------------------


class Shower:
    """Renders the states of a game in one mode, None for not at all. Raises InputError for an
    unknown mode.

    `human` writes a page into the folder for temporary files, says once on standard error where it
    is, and overwrites it at every call; an open page reloads itself every second.
    """

    def __init__(self, game: Any, mode: str | None) -> None:
        if mode is not None and mode not in MODES:
            raise InputError(
                f"render_mode = {mode!r} is not valid; choose from {', '.join(MODES)}, or None"
            )
        self._game, self._mode = game, mode
        self._page: Path | None = None

    def show(self, state: Any) -> str | npt.NDArray[np.uint8] | None:
        """The text, the pixels (height, width, 3), or None. Raises UnavailableError if the extra
        for pictures is missing.
        """
        match self._mode:
            case "ansi":
                return str(state)
            case "rgb_array":
                return np.asarray(_picture(self._game, state))
            case "human":
                self._write(state)
        return None

    def close(self) -> None:
        """Deletes the page."""
        if self._page is not None:
            self._page.unlink(missing_ok=True)
            self._page = None

    def _write(self, state: Any) -> None:
        if self._page is None:
            with tempfile.NamedTemporaryFile(
                prefix="shutoko-", suffix=".html", delete=False
            ) as file:
                self._page = Path(file.name)
            if sys.stderr is not None:
                sys.stderr.write(f"shutoko: open {self._page.as_uri()} in a browser to watch\n")
        picture = _drawn(self._game, state)
        self._page.write_text(
            '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" '
            'content="1"><title>shutoko</title>\n'
            f"{picture}\n<pre>{escape(str(state))}</pre>\n",
            encoding="utf-8",
        )


def _drawn(game: Any, state: Any) -> str:
    """The picture as part of a page."""
    view = defaults.view(game, state)
    if isinstance(view, BoardView):
        from shutoko.export.board import svg

        return svg(view, marks=True)
    stream = BytesIO()
    _picture(game, state).save(stream, "png")
    return (
        f'<img alt="the table" src="data:image/png;base64,{b64encode(stream.getvalue()).decode()}">'
    )


def _picture(game: Any, state: Any) -> Any:
    """The picture of a state as an RGB image."""
    view = defaults.view(game, state)
    if isinstance(view, BoardView):
        from PIL import Image

        from shutoko.export.board import raster, svg

        return Image.open(BytesIO(raster(svg(view, marks=True)))).convert("RGB")
    from shutoko.export.picture import picture

    return picture(view.bodies, size=_SIZE, samples=1)
