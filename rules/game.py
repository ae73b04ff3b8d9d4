"""What a game, a state, a move and a player are, and `game(name)`, which finds the games that are
installed.

Everything here is structure: no game is imported. A package offers a game by an entry point in the
group `shutoko.games` whose object is a factory, called with the options as keywords: `thruway =
"rules.grid.thruway:game"`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar, runtime_checkable

from rules.errors import InputError, UnavailableError
from rules.near import meant

if TYPE_CHECKING:
    import numpy as np


GROUP = "shutoko.games"
"""The entry point group in which games are found."""


class Reason(StrEnum):
    """Why a game ended; the values are the words of a record's last line.

    A game with other reasons has an enum of its own and registers its words with its record format
    (`rules.record.schema.RecordFormat`).
    """

    RESIGNED = "resigned"
    """All others gave up."""
    CONNECTED = "connected"
    """Thruway: a path of indestructible tiles joins the winner's two sides."""
    ANNIHILATED = "annihilated"
    """Meridians: the loser has no stone left."""
    DRAWN = "drawn"
    """Nobody won: a repetition, or two passes in a row."""
    PLY_CAP = "ply-cap"
    """The program that ran the game stopped it; the rules had not ended it."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended.

    `winners` are seats in rising order, empty for a draw. `reason` is a `Reason` or one of the
    game's own enum. `ranks` are all seats, best first, ties together.
    """

    winners: tuple[int, ...]
    reason: StrEnum
    ranks: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Setting:
    """A choice before a game begins: `game(made.name, **{setting.name: value})` takes each of
    `values`.

    `usual` is the value where nobody chooses, `about` what it decides, for people.
    """

    name: str
    values: tuple[Any, ...]
    usual: Any
    about: str


@dataclass(frozen=True, slots=True)
class Guide:
    """The words for people about a game, in English: its title, one sentence about it, its rules,
    how moves are written, and the names of its colours (`sides`, the first colour first; empty
    where a seat is its colour). `reasons` has words for the game's own reasons of an end, as they
    follow "NAME wins: ".

    `translations` has the texts in other languages: by the code of a language (`fr`) the texts by
    `title`, `about`, `rules`, `notation`, by the English name of each colour, by the English
    `about` of each setting, and by the English words of each reason. What a language leaves out
    stays English.
    """

    title: str
    about: str
    rules: str
    notation: str
    sides: tuple[str, ...] = ()
    translations: Mapping[str, Mapping[str, str]] = field(default_factory=dict, hash=False)
    reasons: Mapping[str, str] = field(default_factory=dict, hash=False)

    def told(self, language: str) -> Guide:
        """The guide in that language, as far as it is translated."""
        said = self.translations.get(language, {})
        return replace(
            self,
            title=said.get("title", self.title),
            about=said.get("about", self.about),
            rules=said.get("rules", self.rules),
            notation=said.get("notation", self.notation),
            sides=tuple(said.get(side, side) for side in self.sides),
            reasons={key: said.get(words, words) for key, words in self.reasons.items()},
        )


class Move(Protocol):
    """What a player decides: an immutable value whose `str` is the canonical text, equal and hashed
    by what it says.
    """

    def __str__(self) -> str:
        """The canonical text; `state.parse` of it gives an equal move."""

    def __hash__(self) -> int:
        """Equal moves have equal hashes."""


MoveT = TypeVar("MoveT", bound=Move)


class State(Protocol[MoveT]):
    """A position with everything that is needed to go on; immutable."""

    @property
    def to_move(self) -> int:
        """The seat whose move it is, counted from 0: the person, not the colour."""

    def parse(self, text: str, /) -> MoveT:
        """The move that `text` means here.

        Raises NotationError if it cannot be read and IllegalMoveError if the rules refuse it. A
        game whose legality is only known with physics may leave the second to its own referee.
        """

    def after(self, move: MoveT | str, /) -> Self:
        """The state after that move, or after the move that a text means; this one is unchanged.

        Raises IllegalMoveError, and NotationError for a text that cannot be read.
        """

    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on; derived, never stored."""

    def digest(self) -> str:
        """16 hexadecimal digits, equal iff everything needed to go on is equal."""


class GridState(State[MoveT], Protocol[MoveT]):
    """A position of a game on a board of cells, whose moves can be listed: Thruway, Meridians."""

    @property
    def side(self) -> int:
        """The colour of the seat to move: 0 the first (light, concrete), 1 the second; a pie rule
        lets seats exchange them.
        """

    def legal_moves(self) -> tuple[MoveT, ...]:
        """All legal moves sorted by their text, empty after the end; resigning is never among them,
        a pass only when forced.
        """

    def board_text(self) -> str:
        """Rows from top to bottom joined with `/`: `.` empty, `1` the first colour, `2` the second.
        A game with a view of its own may write its cells in other signs.
        """


StateT_co = TypeVar("StateT_co", bound=State[Any], covariant=True)


@runtime_checkable
class Game(Protocol[StateT_co]):
    """A set of rules with its options chosen.

    Every game needs the members below. It may also have the following ones. All programs ask for
    those through `rules.defaults`, which gives the usual answer if a game leaves one out:

    - for people: `guide` (a Guide), `settings` (the choices before a game begins), `asks(state)`,
      `describe(step)`;
    - for screens: `view(state, before, last)`, `cells_of(text)`, `offer(state, move)`,
      `offers(state, picked)`, `table(state)`;
    - for playing: `header(players, **given)`, if a header needs more than the options;
      `perform(state, move, player, rng, ply)`, if more than the rules decides the result of a move
      (a hand that errs, physics); `mover(state, move)`, if other seats than the one to move may
      make a move; `is_slow`; `hands`;
    - for players: `advisers`, the names of those that give advice, the strongest first, the
      quickest last; `reviewer`, the spec of the one that judges whole games;
    - for learners: `actions`, every text that a move can have, and `batched()`, its compiled kind
      of `rules.grid.Batch`;
    - for records: `begin(record)`, `replay(record)`, `fill(record, engine)` and `verify(record, *,
      mode, **how)`, if they hold more than moves.
    """

    @property
    def name(self) -> str:
        """The name in a record's header."""

    @property
    def seats(self) -> int:
        """How many persons play."""

    @property
    def options(self) -> Mapping[str, Any]:
        """The options that differ from the defaults, as in a record's header: `game(name,
        **options)` is an equal game.
        """

    def start(self) -> StateT_co:
        """The position before ply 0."""


StateT_contra = TypeVar("StateT_contra", bound=State[Any], contravariant=True)


class Player(Protocol[StateT_contra]):
    """Whoever chooses moves: a program or a person."""

    @property
    def name(self) -> str:
        """The name in a record's header."""

    def choose(self, state: StateT_contra, rng: np.random.Generator) -> Move:
        """A legal move of `state`; all chance comes from `rng`."""


class Advice(Protocol):
    """A move that an adviser considers. What else it knows of the move is up to the game."""

    @property
    def move(self) -> Any:
        """The move."""

    @property
    def chance(self) -> float | None:
        """The chance from 0 to 1 that whoever makes the move wins; None where the adviser has no
        idea of it.
        """

    @property
    def why(self) -> str:
        """What speaks for the move, or against it: a fragment of a sentence for people."""


class Adviser(Player[StateT_contra], Protocol[StateT_contra]):
    """A player that also tells what it thinks of a position. Not every player does:
    `hasattr(player, "analyse")`.
    """

    def analyse(
        self, state: StateT_contra, rng: np.random.Generator, most: int = 5
    ) -> Sequence[Advice]:
        """The best moves of a game that goes on, best first, one at least and at most so many; all
        chance comes from `rng`.
        """


def known_games() -> tuple[str, ...]:
    """The names of the games that are installed, sorted."""
    return tuple(sorted({point.name for point in entry_points(group=GROUP)}))


def factory_of(name: str) -> Callable[..., Game[Any]]:
    """What makes the game of that name, called with its options.

    Raises InputError for an unknown game, whose message lists the known ones, and UnavailableError
    if the game is installed but its module cannot be imported.
    """
    factory: Callable[..., Game[Any]] = loaded(
        _entry_point(name), f"the game {name!r} is installed"
    )
    return factory


def loaded(point: EntryPoint, what: str) -> Any:
    """What an entry point names. Raises UnavailableError, which begins with `what`, if it cannot be
    imported.
    """
    try:
        return point.load()
    except (ImportError, AttributeError) as error:
        raise UnavailableError(f"{what} but cannot be loaded ({point.value}): {error}") from error


def game(name: str, /, **options: Any) -> Game[Any]:
    """The game of that name with these options, for example `game("meridians", size=7, pie=True)`.

    Raises InputError for an unknown game or option; the message lists the known ones. Raises
    UnavailableError if the game is installed but its module cannot be imported.
    """
    factory = factory_of(name)
    try:
        signature = inspect.signature(factory)
        signature.bind(**options)
    except TypeError as error:
        known = signature.parameters
        wrong = next((option for option in options if option not in known), "")
        what = f"there is no option {wrong!r}" if wrong else error
        raise InputError(
            f"{name}: {what}; options: {', '.join(known) or 'none'}{meant(wrong, known)}"
        ) from error
    return factory(**options)


def _entry_point(name: str) -> EntryPoint:
    for point in entry_points(group=GROUP):
        if point.name == name:
            return point
    known = known_games()
    if not known:
        raise InputError(
            f"the game {name!r} cannot be found: no game is installed. Games are found through the "
            "installed distribution, "
            "so a checkout needs `pip install -e .` in its virtual environment once"
        )
    raise InputError(f"{name!r} is not a game; known games: {', '.join(known)}{meant(name, known)}")
