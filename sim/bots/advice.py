"""Advice about a placement of Tokyo Highway in words: what it brings and costs, what comes next,
whether it stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sim.bots.trials import Tried
from sim.game.attempts.hand import Skill
from sim.referee.placement import Placement

__all__ = ["Hint"]


@dataclass(frozen=True, slots=True)
class Hint:
    """A placement with what a player knows of it: a `rules.game.Advice`.

    `cars` are those it earns, at most as many as are left; `wins` says that they are the last.
    `grey` and `yellow` are the discs it spends. `replies` are the most cars that each opponent
    could earn next, clockwise; `mine` are those that the seat itself could earn at its next turn.
    Both are estimates, None if the player does not look so far. `tried` is what physics said, None
    if it was not asked; `skill` is the hand that tried. `note` replaces all this where there is
    nothing to weigh. `chance` is the chance to win, 0 to 1, None if the player does not search for
    it.
    """

    move: Placement
    cars: int = 0
    wins: bool = False
    grey: int = 0
    yellow: int = 0
    replies: tuple[int, ...] | None = None
    mine: int | None = None
    tried: Tried | None = None
    skill: Skill | None = None
    note: str = ""
    chance: float | None = None

    @property
    def why(self) -> str:
        """As `2 cars, spends 4 grey discs; the opponent could earn 1 next, you 2 then; stands in
        physics, margin 0.21 g`.
        """
        return self.note or "; ".join(
            part for part in (self._now(), self._next(), self._physics()) if part
        )

    def _now(self) -> str:
        discs = " and ".join(
            _count(number, name)
            for number, name in ((self.grey, "grey disc"), (self.yellow, "yellow disc"))
            if number
        )
        earns = _count(self.cars, "car") if self.cars else "no car"
        return f"{'wins: ' if self.wins else ''}{earns}, spends {discs or 'no disc'}"

    def _next(self) -> str:
        if self.wins or self.replies is None or self.mine is None:
            return ""
        who = "the opponent" if len(self.replies) == 1 else "an opponent"
        return f"{who} could earn {max(self.replies, default=0)} next, you {self.mine} then"

    def _physics(self) -> str:
        return "; ".join(self._said()) if self.tried is not None else ""

    def _said(self) -> Iterator[str]:
        tried = self.tried
        assert tried is not None
        if tried.fallen:
            yield f"{' and '.join(tried.fallen)} fell when physics tried it"
        elif tried.lost and self.skill is not None:
            yield f"stands, but a {self.skill.name} hand may miss it"
        elif tried.lost and tried.margin is None:
            yield "not all its cars stay on the road"
        elif tried.lost:
            yield f"stands, but barely: margin {tried.margin:.2f} g"
        elif tried.margin is not None:
            yield f"stands in physics, margin {tried.margin:.2f} g"
        else:
            yield f"stands in physics, by a {self.skill.name if self.skill else 'steady'} hand"


def _count(number: int, name: str) -> str:
    return f"{number} {name}{'' if number == 1 else 's'}"
