"""Players by name: a spec string such as `greedy` or `mcts:seconds=2,seed=1` becomes a player of a
game.

A package offers a player by an entry point in the group `shutoko.players`, named GAME.PLAYER:
`"nim.greedy" = "nim.players:greedy"`. The entry point names a factory: called with the game and the
options of the spec, it returns a `rules.game.Player`. The annotations of its keywords (bool, int,
float, str, a Literal of texts) say how to read the text of an option. A file of your own (`Code`)
offers every public function and class that it defines, or those in its `__all__`, in the same way:

    class Mine:
        def __init__(self, game, depth: int = 2): ...
        def choose(self, state, rng): ...

Every game whose moves can be listed has the player `random`, unless a package offers another one of
that name.

The levels of players that suit people (`LEVELS`) have the same names at every game.
"""

from __future__ import annotations

import hashlib
import inspect
import math
import sys
import traceback
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib.abc import InspectLoader
from importlib.metadata import EntryPoint, entry_points
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any, Literal

from rules.errors import InputError, ShutokoError, UnavailableError
from rules.files import os_reason, read_regular
from rules.game import Game, Move, MoveT, Player, State, loaded
from rules.near import gone, meant

if TYPE_CHECKING:
    import numpy as np

_MOST_CODE = 2**24  # bytes of a file with players

GROUP = "shutoko.players"
"""The entry point group of players."""

Factory = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Spec:
    """The name of a player and the texts of its options; `str` of it is `name` or
    `name:option=value,option=value`.
    """

    name: str
    options: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return (
            self.name
            + (":" if self.options else "")
            + ",".join(f"{key}={value}" for key, value in self.options)
        )


@dataclass(frozen=True, slots=True)
class Code:
    """A Python file with your own players. `source` is its text, so that a worker on another
    machine does not need the file.
    """

    path: str
    source: str


def read_code(path: Path | str) -> Code:
    """Reads a file with players. Raises InputError if it cannot be read."""
    try:
        return Code(str(path), read_regular(path, _MOST_CODE).decode("utf-8"))
    except OSError as error:
        raise InputError(
            f"{path}: the file with players cannot be read: {os_reason(error)}"
        ) from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: the file with players cannot be read: {error}") from error


def parse_spec(text: str) -> Spec:
    """Reads a spec. Raises InputError, which shows how to write one."""
    name, colon, rest = text.strip().partition(":")
    pairs = [part.partition("=") for part in rest.split(",")] if colon else []
    options = tuple((key.strip(), value.strip()) for key, _, value in pairs)
    names = [key for key, _ in options]
    if (
        not name
        or any(not (key and mark and value.strip()) for key, mark, value in pairs)
        or len(set(names)) < len(names)
    ):
        raise InputError(
            f"{text!r} is not a player; write NAME or NAME:OPTION=VALUE,OPTION=VALUE, each option "
            "once"
        )
    return Spec(name.strip(), options)


def split_specs(text: str) -> tuple[Spec, ...]:
    """Reads a list of specs separated by commas: `mcts:seconds=2,clock=cpu,greedy` are two
    players.

    A part OPTION=VALUE (without a colon) belongs to the player before it. Raises InputError as
    `parse_spec` does.
    """
    parts: list[str] = []
    for part in text.split(","):
        if parts and ":" in parts[-1] and "=" in part and ":" not in part.partition("=")[0]:
            parts[-1] += f",{part}"
        else:
            parts.append(part)
    return tuple(parse_spec(part) for part in parts)


def known_players(game: str, code: Code | None = None) -> tuple[str, ...]:
    """The names of all players of a game, sorted: the installed ones, those in `code`, and
    `random`.
    """
    own = _defined(code) if code is not None else {}
    return tuple(sorted({RandomPlayer.name, *_points(game), *own}))


def player(spec: Spec | str, game: Game[Any], code: Code | None = None) -> Player[Any]:
    """Makes the player that a spec names, for this game.

    Raises InputError for an unknown player (the message lists the players of the game), for an
    unknown option or a value that cannot be read (the message lists the options), for a file
    without players, and for a player of `code` that cannot be made. Raises UnavailableError for a
    player whose module cannot be imported.
    """
    asked = parse_spec(spec) if isinstance(spec, str) else spec
    factory = _factory(asked.name, game.name, code)
    options = _options(asked, factory)
    own = code if code is not None and asked.name in _defined(code) else None
    try:
        made = factory(game, **options)
    except InputError as error:
        raise InputError(f"the player {str(asked)!r}: {error}") from error
    except ShutokoError:
        raise
    except Exception as error:
        if own is None:
            raise
        raise _blamed(str(asked), own, error) from error
    if not callable(getattr(made, "choose", None)):
        raise InputError(f"{asked.name!r} is not a player: what it makes has no choose(state, rng)")
    found: Player[Any] = made
    return found if own is None else _Own(str(asked), found, own)


def options_of(name: str, game: str, code: Code | None = None) -> tuple[str, ...]:
    """The options that a player of a game takes. Raises what `player` raises for an unknown one."""
    return tuple(_parameters(name, _factory(name, game, code)))


def thinks_for(name: str, game: str) -> float:
    """The seconds that a player of a game thinks unless its option `seconds` says otherwise; 0 for
    one that goes by something else. Raises what `player` raises for an unknown one.
    """
    option = _parameters(name, _factory(name, game, None)).get("seconds")
    return (
        float(option.default) if option is not None and option.default is not option.empty else 0.0
    )


def advisers(game: Game[Any]) -> tuple[str, ...]:
    """The names of the players of a game that give advice (`rules.game.Adviser`), the strongest
    first.

    They are the game's own `advisers`. A game that does not tell has every player that gives
    advice, by name.
    """
    own: Sequence[str] | None = getattr(game, "advisers", None)
    if own is not None:
        return tuple(own)
    known = known_players(game.name)
    return tuple(name for name in known if hasattr(_tried(name, game), "analyse"))


def levelled(game: str) -> str | None:
    """The name of the player of a game that plays at the levels of `LEVELS`: whose option `level`
    names each of them. None if no player does.
    """
    for name in known_players(game):
        hint = _hints(_factory(name, game, None)).get("level")
        if set(LEVELS) <= {*typing.get_args(hint)}:
            return name
    return None


def guests(game: str) -> tuple[str, ...]:
    """The names of the players of a game that another package brings than the one whose player
    plays at levels; none if no player does.
    """
    named, points = levelled(game), _points(game)
    if named is None:
        return ()
    return tuple(
        name for name in sorted(points) if _package(points[name]) != _package(points[named])
    )


class RandomPlayer:
    """Plays any legal move, each with the same chance. Raises InputError for a game whose moves
    cannot be listed.
    """

    name = "random"

    def __init__(self, game: Game[Any]) -> None:
        if not hasattr(game.start(), "legal_moves"):
            raise InputError(
                f"the moves of {game.name} cannot be listed, so none can be drawn by lot"
            )

    def choose(self, state: Any, rng: np.random.Generator) -> Move:
        """A move drawn by lot."""
        moves: Sequence[Move] = state.legal_moves()
        return by_lot(moves, rng)


def by_lot(moves: Sequence[MoveT], rng: np.random.Generator) -> MoveT:
    """One of the moves, each with the same chance."""
    return moves[int(rng.integers(len(moves)))]


@dataclass(frozen=True, slots=True)
class _Own:
    """A player from your own file. Its errors become InputErrors that name the line of the file."""

    name: str
    player: Player[Any]
    code: Code

    def choose(self, state: State[Any], rng: np.random.Generator) -> Move:
        """The player's choice."""
        move: Move = self._asked(self.player.choose, state, rng)
        if type(move).__module__ == "builtins" and not _is_move(move, state):
            raise InputError(
                f"{self.code.path}: the player {self.name} fails: choose returns {move!r:.100}, "
                "which is no move of this game"
            )
        return move

    def __getattr__(self, name: str) -> Any:
        # what some players have beyond the protocol, such as the skill of a hand
        try:
            found = getattr(self.player, name)
        except (AttributeError, ShutokoError):
            raise
        except Exception as error:
            raise _blamed(self.name, self.code, error) from error
        return partial(self._asked, found) if name == "analyse" else found

    def _asked(self, method: Callable[..., Any], *args: Any, **named: Any) -> Any:
        try:
            return method(*args, **named)
        except ShutokoError:
            raise
        except Exception as error:
            raise _blamed(self.name, self.code, error) from error


def _is_move(thing: Any, state: State[Any]) -> bool:
    """Whether the moves of a game are of that type, as its text is read."""
    try:
        return type(state.parse(str(thing))) is type(thing)
    except ShutokoError:
        return False


def _blamed(name: str, code: Code, error: Exception) -> InputError:
    """An error of a player from your own file, with the line of the file."""
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == code.path
    ]
    where = f"{code.path}:{lines[-1]}" if lines else code.path
    return InputError(f"{where}: the player {name} fails: {type(error).__name__}: {error}")


# --- finding --------------------------------------------------------------------------------------


def _factory(name: str, game: str, code: Code | None) -> Factory:
    own, points = _defined(code) if code is not None else {}, _points(game)
    if name in own and name in points:
        assert code is not None
        raise InputError(
            f"{code.path} defines a player {name!r}, but {game} already has a player of that name; "
            "rename yours"
        )
    if name in own:
        return own[name]
    if name not in points and name == RandomPlayer.name:
        return RandomPlayer
    if name not in points:
        known = known_players(game, code)
        hint = gone("player", f"{game}.{name}") or meant(name, known)
        raise InputError(
            f"unknown player {name!r} of {game}; choose from {', '.join(known) or 'none'}{hint}"
        )
    factory: Factory = loaded(points[name], f"the player {name!r} is installed")
    return factory


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else ""


def _points(game: str) -> Mapping[str, EntryPoint]:
    found = {}
    for point in entry_points(group=GROUP):
        owner, _, name = point.name.rpartition(".")
        if owner == game:
            found[name] = point
    return found


@lru_cache(maxsize=8)
def _defined(code: Code) -> Mapping[str, Factory]:
    """The factories that a file defines, by name."""
    # the module's name comes from its text: two files of the same name are two modules, and pickle
    # finds the module again
    name = f"shutoko_players_{hashlib.blake2b(code.source.encode(), digest_size=6).hexdigest()}"
    loader = _Source(code)
    spec = spec_from_loader(name, loader, origin=code.path)
    assert spec is not None
    module = module_from_spec(spec)
    module.__file__ = code.path
    sys.modules[name] = module
    try:
        loader.exec_module(module)
    except ShutokoError:
        raise
    except Exception as error:
        raise InputError(
            f"{code.path}: the file with players fails when it is loaded: {type(error).__name__}: "
            f"{error}"
        ) from error
    public = getattr(module, "__all__", None)
    found = {
        key: value
        for key, value in vars(module).items()
        if callable(value)
        and (
            key in public
            if public is not None
            else not key.startswith("_") and getattr(value, "__module__", None) == name
        )
    }
    if not found:
        raise InputError(
            f"{code.path}: defines no player; a player is a public class or function whose first "
            "argument is the game"
        )
    return found


class _Source(InspectLoader):
    """Loads a module from its text, which may come from another machine."""

    def __init__(self, code: Code) -> None:
        self._code = code

    def get_source(self, fullname: str) -> str:  # noqa: ARG002 - the loader's protocol
        """The text."""
        return self._code.source

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002 - as above
        """The compiled text; tracebacks show the name of its file."""
        return self.source_to_code(self._code.source, self._code.path)


# --- options --------------------------------------------------------------------------------------


def _tried(name: str, game: Game[Any]) -> Player[Any] | None:
    """The player of that name as it is without options; None if it needs some or cannot play."""
    try:
        return player(name, game)
    except (InputError, UnavailableError):
        return None


def _parameters(name: str, factory: Factory) -> dict[str, inspect.Parameter]:
    """The options that a factory takes. Raises InputError for one that makes no player."""
    try:
        _, *parameters = inspect.signature(factory).parameters.values()
    except (TypeError, ValueError) as error:
        raise InputError(
            f"{name!r} is not a player: it cannot be called with the game as its first argument"
        ) from error
    return {p.name: p for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}


def _options(spec: Spec, factory: Factory) -> dict[str, Any]:
    known, hints = _parameters(spec.name, factory), _hints(factory)
    found = {}
    for key, text in spec.options:
        if key not in known:
            there = ", ".join(_described(known[name], hints) for name in known) or "none"
            hint = gone("option of a player", f"{spec.name}:{key}") or meant(key, known)
            raise InputError(
                f"the player {spec.name!r} has no option {key!r}; options: {there}{hint}"
            )
        try:
            found[key] = _value(text, hints.get(key, str))
        except ValueError:
            raise InputError(
                f"the player {spec.name!r}: {key}={text} is not {_described(known[key], hints)}"
            ) from None
    missing = [name for name, p in known.items() if p.default is p.empty and name not in found]
    if missing:
        raise InputError(
            f"the player {spec.name!r} needs {', '.join(f'{name}=...' for name in missing)}"
        )
    return found


def _hints(factory: Factory) -> Mapping[str, Any]:
    """The annotations as types, one by one: those that only a type checker can resolve are left
    out.
    """
    of: Any = factory.__init__ if inspect.isclass(factory) else factory
    found: dict[str, Any] = {}
    for name, annotation in getattr(of, "__annotations__", {}).items():
        alone = type("Alone", (), {"__annotations__": {name: annotation}})
        try:
            found |= typing.get_type_hints(alone, getattr(of, "__globals__", {}))
        except (NameError, TypeError, AttributeError):
            continue
    return found


def _value(text: str, hint: Any) -> Any:
    """The text read as the hint says; raises ValueError."""
    found: Any = text
    if hint in (int, float):
        found = hint(text)
        is_one = -math.inf < found < math.inf
    elif hint is bool:
        found, is_one = text == "true", text in ("true", "false")
    else:
        is_one = typing.get_origin(hint) is not Literal or text in typing.get_args(hint)
    if not is_one:
        raise ValueError(text)
    return found


def _described(parameter: inspect.Parameter, hints: Mapping[str, Any]) -> str:
    hint = hints.get(parameter.name, str)
    if typing.get_origin(hint) is Literal:
        what = "|".join(typing.get_args(hint))
    else:
        what = {bool: "true|false", int: "WHOLE", float: "NUMBER"}.get(hint, "TEXT")
    default = (
        ""
        if parameter.default is parameter.empty
        else f" (default {str(parameter.default).lower()})"
    )
    return f"{parameter.name}={what}{default}"


# --- levels ---------------------------------------------------------------------------------------

Level = Literal["first", "beginner", "easy", "medium", "hard", "full", "1", "2", "3", "4", "5", "6"]
"""What `level=` of a player may say: a name or its number."""

LEVELS = ("first", "beginner", "easy", "medium", "hard", "full")
"""From somebody's first game to the full strength of the program."""


def level_name(level: Level) -> str:
    """The name of a level."""
    return LEVELS[int(level) - 1] if level.isdecimal() else level
