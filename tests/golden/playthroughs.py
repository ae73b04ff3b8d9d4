"""Golden playthroughs: a whole game of each kind as text, every position with its digest and every
move.

Write them anew with `python tests/golden/playthroughs.py`; the seed then chooses the moves. The
test plays the moves that the files hold and compares line by line, so a better player changes
nothing. Read what changed before you keep it: a changed line is a changed rule.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import rules
from rules.arena.match import generators
from rules.arena.players import player
from rules.game import Game
from sim.referee.table import Table

FOLDER = Path(__file__).resolve().parent / "playthroughs"
LONGEST = 200
"""A game that goes on for more plies is not worth keeping."""
SHOWN = 100
"""More legal moves than these are counted only."""

Choose = Callable[[Any, int], Any]
"""Gives the move in a state at a ply."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A playthrough: its file, the game with its options, and who chooses the moves by which
    seed.
    """

    file: str
    game: str
    options: dict[str, Any] = field(default_factory=dict)
    player: str = "random"
    seed: int = 1

    @property
    def path(self) -> Path:
        """The file."""
        return FOLDER / f"{self.file}.txt"

    def made(self) -> Game[Any]:
        """The game."""
        return rules.game(self.game, **self.options)


PLANS = (
    Plan("thruway", "thruway", {"size": 5}),
    Plan("meridians", "meridians", {"size": 5}),
    Plan("meridians-pie", "meridians", {"size": 5, "pie": True}, seed=1),
    Plan("tokyo-highway-2", "tokyo-highway", {"players": 2, "engine": "none"}, "greedy", 3),
    Plan("tokyo-highway-3", "tokyo-highway", {"players": 3, "engine": "none"}, "greedy", 1),
)


def lines(plan: Plan, choose: Choose) -> Iterator[str]:
    """The text of a playthrough, line by line. Raises IllegalMoveError if `choose` gives a move
    that the rules refuse.
    """
    made = plan.made()
    state, seen = made.start(), list[str]()
    yield f"game: {plan.game}"
    yield from (f"option: {name} = {value}" for name, value in plan.options.items())
    yield f"moves: {plan.player}, seed {plan.seed}"
    for ply in range(LONGEST):
        yield from ("", f"ply: {ply}")
        found = list(picture(state))
        yield from (
            changes(seen, found) if isinstance(getattr(state, "table", None), Table) else found
        )
        seen = found
        yield f"digest: {state.digest()}"
        if (outcome := state.outcome()) is not None:
            yield (
                f"end: {outcome.reason}, ranks "
                f"{' > '.join(' = '.join(map(str, rank)) for rank in outcome.ranks)}"
            )
            return
        move = choose(state, ply)
        yield f"seat: {state.to_move}"
        yield f"move: {move}"
        state = state.after(move)


def picture(state: Any) -> Iterator[str]:
    """What lies on the board or on the table, and what the seat to move may do where that can be
    listed.
    """
    if isinstance(table := getattr(state, "table", None), Table):
        yield from str(table).splitlines()
        return
    yield from state.board_text().split("/")
    yield f"side: {state.side}"
    legal = state.legal_moves()
    yield f"legal: {len(legal)}" + (
        f": {' '.join(map(str, legal))}" if 0 < len(legal) <= SHOWN else ""
    )


def changes(before: list[str], after: list[str]) -> Iterator[str]:
    """The lines that are gone and those that are new."""
    yield from (f"- {line}" for line in before if line not in after)
    yield from (f"+ {line}" for line in after if line not in before)


def by_seed(plan: Plan) -> Choose:
    """Chooses as the player of a plan does."""
    made = plan.made()
    who = player(plan.player, made)
    return lambda state, ply: who.choose(state, generators(plan.seed, ply)[0])


def as_kept(kept: list[str]) -> Choose:
    """Chooses the moves of a file."""
    moves = [line.removeprefix("move: ") for line in kept if line.startswith("move: ")]
    return lambda state, ply: state.parse(moves[ply])


def main() -> None:
    """Write every file."""
    FOLDER.mkdir(exist_ok=True)
    for plan in PLANS:
        plan.path.write_text("\n".join(lines(plan, by_seed(plan))) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
