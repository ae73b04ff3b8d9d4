"""Why a build does not stand, and in how many of several tries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from sim.languages import Sentence
from sim.referee.judgement import hand_undoes
from sim.referee.verdict import AttemptResult, Checked

Failing = tuple[str, tuple[str, ...]]
"""What is wrong with a try: a code and the pieces, see `Why`."""


@dataclass(frozen=True, slots=True)
class Why:
    """One reason why a build does not stand, in `count` of so many `tries`.

    `code` is `fell` (a pillar, road or car falls), `touches` (a new piece touches another),
    `hangs` (the lower end of a ramp is off the table), `not-borne` (a road does not lie on a
    pillar), `falls-again` or `never-rests` (what was put back beside it), or `hand` (it touched a
    building, with `hand_on_building = redo`). `pieces` are the one it is about and the other one.
    """

    code: str
    pieces: tuple[str, ...]
    count: int
    tries: int

    @property
    def share(self) -> float:
        """The share of the tries."""
        return self.count / self.tries

    @property
    def what(self) -> Sentence:
        """What is wrong, without how often."""
        return Sentence(f"why-{self.code}", {"piece": self.pieces[0], "other": self.pieces[-1]})

    @property
    def sentence(self) -> Sentence:
        """What is wrong in how many tries: `A-R2 touches B-R1 in 7 of 8 tries`."""
        values = {"why": self.what, "count": self.count, "tries": self.tries}
        return Sentence("why-in-tries", values)

    def __str__(self) -> str:
        return str(self.sentence)

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        return {"code": self.code, "pieces": list(self.pieces), "share": self.share}


def failings(checked: Checked, made: AttemptResult) -> tuple[Failing, ...]:
    """What is wrong with an attempt, each once. Of a pillar any disc may have fallen. Of one that
    was built these are the pieces that fell nevertheless.
    """
    assert checked.grown is not None
    new = checked.grown.piece_ids - checked.table.piece_ids
    fell = sorted({name.partition(".")[0] for name in made.fallen if made.built or name in new})
    found: list[Failing] = [("fell", (piece,)) for piece in fell]
    found += [
        (breach.code, (breach.piece,) if breach.other is None else (breach.piece, breach.other))
        for breach in made.breaches
    ]
    found += [("hand", (piece,)) for piece in hand_undoes(checked.grown, made.touched)]
    return tuple(dict.fromkeys(found))


def told(found: Iterable[Collection[Failing]], tries: int) -> tuple[Why, ...]:
    """What is wrong with the tries that do not stand, out of so many `tries`: most often first."""
    counts = Counter(failing for one in found for failing in one)
    order = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Why(*failing, count, tries) for failing, count in order)
