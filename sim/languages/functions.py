"""What a message may call, and how values look to it: numbers, points, lists, pieces and verbs, as
the language writes them.

ROUND($mm, 2)              a number with so many decimals, one if none are asked for
NUM($limit)                a number with no more decimals than it needs
POINT($at)                 a point on the table, by the message `point`
PIECE($road)               a piece with the noun of what it is, by the message `piece`
PIECES($roads)             several of them
LIST($pieces)              all of them, by the message `list-two`; LIST($why, join: "; ") joins them
                           otherwise
FIRST($pieces)             all up to three; of more the first two and how many more, by the message
                           `list-more`
VERB($seat, "builds", you: "build")   the verb for a player, the second form for one who is called
                                      `you`
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fluent.runtime.types import FluentFloat, FluentInt, FluentType, NumberFormatOptions

if TYPE_CHECKING:
    from sim.languages import Catalogue


class Whole(FluentInt):
    """A whole number; a message can select its plural form. Its digits are never grouped."""

    # Fluent keeps these when it makes a FluentInt of it
    default_number_format_options = NumberFormatOptions(useGrouping=False)


class Fraction(FluentFloat):
    """A number with decimals, which ROUND or NUM write as the language does."""

    def format(self, locale: object) -> str:  # noqa: ARG002 - the interface of FluentType
        """The digits, with a point."""
        return f"{float(self):g}"


class Point(FluentType):
    """A point on the table in mm."""

    def __init__(self, x: float, y: float) -> None:
        self.x, self.y = x, y

    def format(self, locale: object) -> str:  # noqa: ARG002 - the interface of FluentType
        """The numbers, with points."""
        return f"({self.x:.1f}, {self.y:.1f})"


class Several(FluentType):
    """Several things by name; `whole` says that a sentence leaves none of them out, however many
    they are.
    """

    def __init__(self, names: Sequence[str], *, whole: bool = False) -> None:
        self.names, self.whole = tuple(names), whole

    def format(self, locale: object) -> str:  # noqa: ARG002 - the interface of FluentType
        """All of them."""
        return ", ".join(self.names)


def value(given: Any) -> Any:
    """A plain value as messages take it: `true`, `false` and `none` can be selected, a whole float
    is a whole number.
    """
    match given:
        case bool():
            return str(given).lower()
        case None:
            return "none"
        case int():
            return Whole(given)
        case float():
            return Whole(int(given)) if given.is_integer() else Fraction(given)
        case str() | FluentType():
            return given
    return str(given)


def functions(catalogue: Catalogue) -> Mapping[str, Callable[..., Any]]:
    """The functions by name, for the messages of a catalogue."""

    def round_(number: float, digits: int = 1) -> str:
        return _decimal(f"{round(number, digits) + 0.0:.{int(digits)}f}")  # -0.0 reads like a slip

    def num(number: float) -> str:
        return _decimal(f"{round(number, 9) + 0.0:g}")

    def _decimal(digits: str) -> str:
        return digits.replace(".", catalogue.text("decimal"))

    def point(at: Point) -> str:
        return catalogue.text("point", {"x": round_(at.x), "y": round_(at.y)})

    def piece(name: str) -> str:
        return catalogue.text("piece", {"kind": _kind(name), "id": name})

    def pieces(several: Several) -> Several:
        return Several([piece(name) for name in several.names], whole=several.whole)

    def list_(several: Several, join: str = "") -> str:
        if join:
            return join.join(several.names)
        *most, last = several.names
        return catalogue.text("list-two", {"most": ", ".join(most), "last": last}) if most else last

    def first(several: Several, most: int = 3, shown: int = 2, join: str = "") -> str:
        if not several.names:
            return catalogue.text("list-none")
        left = len(several.names) - shown
        if several.whole or len(several.names) <= most:
            return list_(several, join)
        return catalogue.text(
            "list-more", {"first": ", ".join(several.names[:shown]), "more": Whole(left)}
        )

    def verb(player: str, others: str, you: str) -> str:
        return you if player == "you" else others

    return {
        "ROUND": round_,
        "NUM": num,
        "POINT": point,
        "PIECE": piece,
        "PIECES": pieces,
        "LIST": list_,
        "FIRST": first,
        "VERB": verb,
    }


def _kind(piece: str) -> str:
    """What a piece is, by its id: `A-P3` a pillar, `A-P3.1` a disc of it."""
    if piece.startswith("X"):
        return "building"
    kind = {"R": "road", "C": "car"}.get(piece[2:3], "pillar")
    return "disc" if kind == "pillar" and "." in piece else kind
