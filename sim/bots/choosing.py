"""What all players of Tokyo Highway share: the set-up, the choice among weighed proposals, and
advice on them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from rules.errors import InputError
from sim.bots import ranking
from sim.bots.advice import Hint
from sim.bots.outlook import Outlook
from sim.bots.proposals import Proposals, without
from sim.bots.ranking import grey
from sim.bots.trials import Trial, Trials, first_that_stands, several
from sim.game.highway import Position
from sim.referee.placement import Placement
from sim.referee.table import Table

__all__ = ["chosen", "goes_on", "hints", "middle_of_others", "set_up", "set_up_hints"]

Floats = npt.NDArray[np.float64]


def chosen(
    state: Position, found: Proposals, worth: Floats, trials: Trials, rng: np.random.Generator
) -> Placement:
    """The placement that physics lets stand among the proposals worth most (in cars), or a missed
    turn if there are none.
    """
    table = state.table
    if not len(found):
        return without(table)
    order = np.argsort(-worth, kind="stable")[: 12 * trials.most].tolist()
    ranked = [_trial(found, worth, row) for row in order]
    return first_that_stands(table, ranked, state.engine, trials, rng)


def _trial(found: Proposals, worth: Floats, row: int) -> Trial:
    return Trial(found.placement(row), int(found.cars[row]), float(worth[row]))


def hints(
    state: Position,
    found: Proposals,
    worth: Floats,
    seen: Outlook | None,
    trials: Trials,
    rng: np.random.Generator,
    most: int,
) -> list[Hint]:
    """The best proposals that do not resemble each other, at most `most`, each tried by physics."""
    table = state.table
    if not len(found):
        return [Hint(without(table), note="nothing else was found")]
    rows: dict[Placement, int] = {}

    def ranked() -> Iterator[Trial]:
        for row in np.argsort(-worth, kind="stable").tolist():
            trial = _trial(found, worth, row)
            rows[trial.placement] = row
            yield trial

    hints = []
    for tried in several(table, ranked(), state.engine, trials, rng, most):
        row, stock = rows[tried.trial.placement], table.stocks[table.to_move].cars
        hints.append(
            Hint(
                tried.trial.placement,
                cars=min(tried.trial.cars, stock),
                wins=tried.trial.cars >= stock,
                grey=int(grey(found)[row]),
                yellow=int(found.junction[row]),
                replies=None if seen is None else tuple(seen.replies[row].tolist()),
                mine=None if seen is None else int(seen.mine[row]),
                tried=None if state.engine == "none" else tried,
                skill=trials.skill,
            )
        )
    return hints


def set_up_hints(table: Table, rng: np.random.Generator) -> list[Hint]:
    """The one move that players make in the set-up."""
    placement = set_up(table, rng)
    return [
        Hint(
            placement,
            note="the usual entrance"
            if table.phase == "entrances"
            else "off the middle of the table",
        )
    ]


def set_up(table: Table, rng: np.random.Generator) -> Placement:
    """The usual entrance, or a building off the middle of the table. Raises InputError after the
    end.
    """
    if table.phase == "over":
        raise InputError("the game is over, nobody is to move")
    return ranking.set_up(table, rng)


def goes_on(table: Table) -> bool:
    """Whether a turn that earns nothing goes on and spends road after road."""
    return table.ruleset.turn_end == "until_car"


def middle_of_others(table: Table) -> npt.NDArray[np.float64] | None:
    """The middle of the open ends of the other players, where roads to cross will be."""
    ends = [
        point.pillar.at
        for other in table.turns.clockwise(table.to_move)
        for point in table.base_points(other)
    ]
    return np.mean(ends, axis=0) if ends else None
