"""A turn that is being told: the move, what the table made of it, how many cars were put down, and
what happened to each piece. Nothing of it is kept before somebody says that it is whole.

The terminal asks for these things in a fixed order; a page lets people tap them in any.
"""

from dataclasses import replace
from typing import Literal

from rules.record import Entry
from shutoko.diary.diary import Diary
from shutoko.diary.happenings import happened
from shutoko.diary.places import discs_of
from sim.game.replay import Step

Fate = Literal["fell", "put", "touched", "under", "more"]
"""What may have happened to a piece, or was said in a line of words (`more`): at most one of each
kind for a piece.
"""


def counts_cars(step: Step) -> bool:
    """Whether cars go down with a ply: it lays a road that stands."""
    do = step.entry.do
    return bool(
        step.verdict.built and not isinstance(do, str) and {"build", "exit", "adjust"} & set(do)
    )


def with_cars(step: Step, count: int) -> Entry:
    """The ply with the number of cars that people put down; unchanged if the referee counts as
    many. A number that errors of measuring leave open is a claim, any other is what was seen.
    """
    entry, between = step.entry, step.verdict.between
    if count == len(step.verdict.spots):
        return entry
    if between is not None and between[0] <= count <= between[1]:
        return replace(entry, claim={"cars": count})
    return replace(entry, observed={**(entry.observed or {}), "cars": count})


class Turn:
    """A turn of a diary. `first` is the move as it was judged before anything else was told, with
    all of its new pieces; `step` is the whole turn so far. `cars` is the number of cars that were
    put down, None for the referee's.

    Every change judges the turn anew, and leaves it as it was if it cannot be used: then it raises
    PlaceError or InputError that says why.
    """

    def __init__(self, diary: Diary, entry: Entry) -> None:
        self._diary = diary
        self._move = entry
        self.cars: int | None = None
        self._told: dict[tuple[str, Fate], str] = {}
        self._doubted: tuple[str, Fate] | None = None  # what a refusal is about
        self.first = self.step = diary.judge(entry)

    @property
    def refusal(self) -> str | None:
        """Why the turn is against the rules, None if it is not."""
        return self.step.refusal

    @property
    def accepted(self) -> bool:
        """Whether the table let stand what is against the rules."""
        return bool(self._move.accepted)

    @property
    def told(self) -> tuple[tuple[str, Fate], ...]:
        """What was told of pieces, in that order."""
        return tuple(self._told)

    @property
    def said(self) -> str:
        """All lines that told what fell, in one."""
        return " ".join(text for (_, fate), text in self._told.items() if fate == "fell")

    def accept(self) -> bool:
        """Notes that the table let the turn stand although it is against the rules; whether it can
        stand.
        """
        move = replace(self._move, accepted=True)
        first, step = self._judged(move, self.cars, self._told)
        if step.refusal is not None:
            return False
        self._move, self.first, self.step, self._doubted = move, first, step, None
        return True

    def count(self, cars: int | None) -> None:
        """Notes how many cars were put down. A number that the rules do not allow leaves a
        `refusal`, which the table may accept.
        """
        self._changed(self._move, cars, self._told)

    def tell(self, piece: str, fate: Fate, text: str) -> None:
        """Notes what happened to a piece, as `happenings` reads it; it takes the place of what was
        told of the same kind before. What is against the rules leaves a `refusal`, which the table
        may accept or `leave_out`.
        """
        told = {**self._told, (piece, fate): text}
        if fate == "put" and self.is_off(piece):  # it went back after all
            told[piece, "fell"] = f"fell {piece}"
        self._changed(self._move, self.cars, told)
        self._doubted = None if self.refusal is None else (piece, fate)

    def leave_out(self) -> bool:
        """Takes back what was told last if the turn is refused for it; whether it was."""
        if self._doubted is None:
            return False
        self.forget(*self._doubted)
        return True

    def forget(self, piece: str, fate: Fate | None = None) -> None:
        """Takes back what was told of a piece: one kind of it, or all."""
        left = {
            key: text
            for key, text in self._told.items()
            if key[0] != piece or fate not in (None, key[1])
        }
        self._changed(self._move, self.cars, left)
        self._doubted = None

    def deny(self, piece: str) -> None:
        """Takes back that a piece fell; if it lay on what fell, it is noted that it stayed."""
        self.forget(piece, "fell")
        if self.fell(piece):
            self.tell(piece, "fell", f"stayed {piece}")

    @property
    def doubted(self) -> bool:
        """Whether the turn is refused for what was told last, and not for its move."""
        return self._doubted is not None

    def fell(self, piece: str) -> bool:
        """Whether a piece fell, by itself or with what it lay on; of a pillar, one of its discs."""
        discs = discs_of(self.first.after, piece)
        return not set(discs).isdisjoint((self.step.entry.observed or {}).get("fallen", ()))

    def is_gone(self, piece: str) -> bool:
        """Whether a piece was told to be gone for good."""
        return self._told.get((piece, "put"), "").startswith("gone ")

    def is_off(self, piece: str) -> bool:
        """Whether a new car was told to have gone back to the stock."""
        return self._told.get((piece, "fell"), "").startswith("off ")

    def before_falling(self) -> Step:
        """The turn without what fell or is gone: every piece is there and may still be pointed
        at.
        """
        told = {
            key: text
            for key, text in self._told.items()
            if key[1] != "fell" and not self.is_gone(key[0])
        }
        return self._judged(self._move, self.cars, told)[1]

    def missing(self) -> tuple[str, ...]:
        """The pieces that were told to have fallen or to be gone; of a pillar its discs."""
        fell = (self.step.entry.observed or {}).get("fallen", ())
        gone = [piece for piece, kind in self._told if kind == "put" and self.is_gone(piece)]
        discs = [disc for piece in gone for disc in discs_of(self.first.after, piece)]
        return tuple(dict.fromkeys([*fell, *discs]))

    def keep(self) -> None:
        """Has the diary keep the turn; one that is refused is kept as taken back. Raises InputError
        if it cannot be written.
        """
        self._diary.keep(self.step)

    def _changed(
        self,
        move: Entry,
        cars: int | None,
        told: dict[tuple[str, Fate], str],
    ) -> None:
        first, step = self._judged(move, cars, told)
        self._move, self.cars, self._told = move, cars, told
        self.first, self.step = first, step

    def _judged(
        self, move: Entry, cars: int | None, told: dict[tuple[str, Fate], str]
    ) -> tuple[Step, Step]:
        """The move alone with its cars, and with all that was told of pieces."""
        first = self._diary.judge(move)
        if cars is not None and counts_cars(first):
            first = self._diary.judge(with_cars(first, cars))
        entry = first.entry
        for text in told.values():
            entry = happened(first, entry, text)
        return first, self._diary.judge(entry) if told else first
