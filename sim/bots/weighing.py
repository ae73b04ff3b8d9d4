"""Advice and the weighing of placements: what speaks for each, what physics says of the promising
ones, and which to choose.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sim.bodies import Floats
from sim.bots.outlook import Outlook, look_ahead, way_to_earn
from sim.bots.proposals import Proposals, Sampling, grey, propose, set_up, stuck, without
from sim.bots.trials import Trial, Trials, Tried, first_that_stands, several
from sim.game import Position, Skill
from sim.referee import Build, Exit, Placement, Table, counted


@dataclass(frozen=True, slots=True)
class Hint:
    """A placement with what a player knows of it: a `rules.game.Advice`.

    `cars` are those it earns, at most as many as are left; `wins` says that they are the last.
    `grey` and `yellow` are the discs it spends. `replies` are the most cars that each opponent
    could earn next, clockwise; `mine` are those that the seat itself could earn at its next turn.
    `blocks` are the seats that could earn fewer then than after the middle move of all;
    `room` is the least distance in mm to what the move is not meant to touch. These are estimates,
    None or empty if the player does not look so far. `tried` is what physics said, None if it was
    not asked; `skill` is the hand that tried. `note` replaces all this where there is nothing to
    weigh, and `reason` is its name in the catalogues of languages, after `why_`.
    `chance` is the chance to win, 0 to 1, None if the player does not search for it. `declines`
    says that the build earns cars and places none.
    """

    move: Placement
    cars: int = 0
    wins: bool = False
    grey: int = 0
    yellow: int = 0
    replies: tuple[int, ...] | None = None
    mine: int | None = None
    blocks: tuple[int, ...] = ()
    room: float | None = None
    tried: Tried | None = None
    skill: Skill | None = None
    note: str = ""
    chance: float | None = None
    reason: str = ""
    declines: bool = False

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
            counted(number, name)
            for number, name in ((self.grey, "grey disc"), (self.yellow, "yellow disc"))
            if number
        )
        cars = counted(self.cars, "car") if self.cars else "no car"
        earns = "declines its cars" if self.declines else cars
        return f"{'wins: ' if self.wins else ''}{earns}, spends {discs or 'no disc'}"

    def _next(self) -> str:
        if self.wins or self.replies is None or self.mine is None:
            return ""
        who = "the opponent" if len(self.replies) == 1 else "an opponent"
        return f"{who} could earn {max(self.replies, default=0)} next, you {self.mine} then"

    def _physics(self) -> str:
        hand = self.skill.name if self.skill else "steady"
        match self.tried:
            case None:
                return ""
            case Tried(fallen=fallen) if fallen:
                return f"{' and '.join(fallen)} fell when physics tried it"
            case Tried(lost=lost) if lost and self.skill is not None:
                return f"stands, but a {hand} hand may miss it"
            case Tried(margin=None, lost=lost):
                some = "not all its cars stay on the road"
                return some if lost else f"stands in physics, by a {hand} hand"
            case Tried(margin=margin, lost=lost):
                how = "stands, but barely:" if lost else "stands in physics,"
                return f"{how} margin {margin:.2f} g"


# --- choosing -------------------------------------------------------------------------------------
# What all players of Tokyo Highway share: the set-up, the choice among weighed proposals, and
# advice on them.


def chosen(
    state: Position,
    found: Proposals,
    worth: Floats,
    trials: Trials,
    rng: np.random.Generator,
    others: Sequence[Trial] = (),
) -> Placement:
    """The placement that physics lets stand among the proposals worth most (in cars) and `others`
    beside them (a pass, a build without its cars), or a missed turn if there are none.
    """
    table = state.table
    if not len(found):
        return without(table)
    order = np.argsort(-worth, kind="stable")[: 12 * trials.most].tolist()
    ranked = _merged((_trial(found, worth, row) for row in order), others)
    return first_that_stands(table, ranked, state.engine, trials, rng)


def _trial(found: Proposals, worth: Floats, row: int) -> Trial:
    return Trial(found.placement(row), int(found.cars[row]), float(worth[row]))


def _merged(ranked: Iterable[Trial], others: Sequence[Trial]) -> list[Trial]:
    """All of them by worth, the ranked ones first where two are worth the same."""
    return sorted((*ranked, *others), key=lambda trial: -trial.worth)


def hints(
    state: Position,
    found: Proposals,
    worth: Floats,
    seen: Outlook | None,
    trials: Trials,
    rng: np.random.Generator,
    most: int,
    others: Sequence[Trial] = (),
) -> list[Hint]:
    """The best proposals and `others` that do not resemble each other, at most `most`, each tried
    by physics.
    """
    table = state.table
    if not len(found):
        return [Hint(without(table), note="nothing else was found", reason="pass")]
    order = np.argsort(-worth, kind="stable").tolist()
    ranked = [_trial(found, worth, row) for row in order]
    rows = {one.placement: row for one, row in zip(ranked, order, strict=True)}
    told = []
    for tried in several(table, _merged(ranked, others), state.engine, trials, rng, most):
        move, hint = tried.trial.placement, hint_of(state, tried, trials.skill)
        if seen is not None and isinstance(move, (Build, Exit)):
            row = rows[replace(move, cars=None)]  # with all the cars that it earns
            hint = replace(
                hint,
                replies=tuple(seen.replies[row].tolist()),
                mine=int(seen.mine[row]),
                blocks=_blocked(table, seen, row),
                room=float(seen.room[row]),
            )
        told.append(hint)
    return told


def _blocked(table: Table, seen: Outlook, row: int) -> tuple[int, ...]:
    fewer = seen.replies[row] < np.median(seen.replies, axis=0)
    return tuple(np.array(table.turns.clockwise(table.to_move))[fewer].tolist())


def hint_of(state: Position, tried: Tried, skill: Skill | None) -> Hint:
    """What there is to say of a build, an exit or a pass after its trial by a hand."""
    table, move = state.table, tried.trial.placement
    if not isinstance(move, (Build, Exit)):
        return Hint(move, note="waits for others to build", reason="waits")
    stock, yellow = table.stocks[table.to_move].cars, isinstance(move, Build) and move.junction
    return Hint(
        move,
        cars=min(tried.trial.cars, stock),
        wins=tried.trial.cars >= stock,
        grey=move.discs - yellow if isinstance(move, Build) else 0,
        yellow=int(yellow),
        tried=None if state.engine == "none" else tried,
        skill=skill,
        declines=move.cars == (),
    )


def set_up_hint(table: Table, move: Placement, chance: float | None = None) -> Hint:
    """What there is to say of an entrance or a building."""
    if table.phase == "buildings":
        return Hint(move, note="off the middle of the table", chance=chance, reason="building")
    if move == table.default_entrance(table.to_move):
        return Hint(move, note="the usual entrance", chance=chance, reason="entrance")
    return Hint(move, note="another entrance", chance=chance, reason="entrance_other")


def middle_of_others(table: Table) -> Floats | None:
    """The middle of the open ends of the other players, where roads to cross will be."""
    ends = [
        point.pillar.at
        for other in table.turns.clockwise(table.to_move)
        for point in table.base_points(other)
    ]
    return np.mean(ends, axis=0) if ends else None


# --- weighing -------------------------------------------------------------------------------------
# The planner: weighs the cars of this turn against the opponents' best replies and its own next
# turn.


_TRIALS = Trials()
_WIN = 10.0  # cars: more than anything else can be worth


@dataclass(frozen=True, slots=True)
class Weights:
    """What things are worth to the planner, in cars.

    `ahead`: a car that it could earn next turn. `denied`: a car that an opponent could earn next.
    `opened`: a free side of the new road that an opponent can reach. `discs`: all grey discs left,
    spent at once. `yellow`: a yellow disc. `open_end`: a second base point. `near`: being 100 mm
    closer to the open ends of others. `way`: used instead of `near` if a turn goes on until a car
    was placed; being 100 mm closer to a road that would earn one. `tight`: no room at all; `room`
    mm are enough for a hand that never errs.
    """

    ahead: float = 0.6
    denied: float = 0.5
    opened: float = 0.05
    discs: float = 1.5
    yellow: float = 0.2
    open_end: float = 0.3
    near: float = 0.25
    way: float = 0.5
    tight: float = 0.3
    room: float = 1.5


class Weigher(ABC):
    """What players share that weigh proposals: `weighed` says what each is worth in cars, and its
    outlook if the player looks so far.
    """

    __slots__ = ()
    trials: Trials

    @property
    def skill(self) -> Skill | None:
        """The hand it plays with, and tries placements with."""
        return self.trials.skill

    @abstractmethod
    def weighed(
        self, table: Table, rng: np.random.Generator
    ) -> tuple[Proposals, Floats, Outlook | None]:
        """Proposals, what each is worth, and its outlook; all chance comes from `rng`."""

    def choose(self, state: Position, rng: np.random.Generator) -> Placement:
        """The placement that looks best; all chance comes from `rng`."""
        if state.table.phase != "play":
            return set_up(state.table, rng)
        return chosen(state, *self.weighed(state.table, rng)[:2], self.trials, rng)

    def analyse(self, state: Position, rng: np.random.Generator, most: int = 5) -> list[Hint]:
        """The best placements that do not resemble each other, at most `most`, each tried by
        physics.
        """
        if state.table.phase != "play":
            return [set_up_hint(state.table, set_up(state.table, rng))]
        return hints(state, *self.weighed(state.table, rng), self.trials, rng, most)


@dataclass(frozen=True, slots=True)
class Planner(Weigher):
    """Weighs the cars of this turn against the opponents' best replies and its own next turn
    (`sim.bots.outlook`); the players that search or see less begin with it. It examines at most
    `width` placements closely.
    """

    trials: Trials = _TRIALS
    weights: Weights = Weights()
    width: int = 400

    def weighed(self, table: Table, rng: np.random.Generator) -> tuple[Proposals, Floats, Outlook]:
        """The proposals that are examined closely, what each is worth in cars, and its outlook."""
        found = propose(table, Sampling(72, 3, float(rng.random())))
        quick = self.at_once(table, found) + 0.01 * rng.random(len(found))
        kept = np.argsort(-quick, kind="stable")[: self.width]
        found, seen = found.take(kept), look_ahead(table, found.take(kept))
        return found, quick[kept] + self.prospect(table, found, seen), seen

    def at_once(self, table: Table, found: Proposals) -> Floats:
        """What is earned and spent at once."""
        w, stock = self.weights, table.stocks[table.to_move]
        worth = (
            np.minimum(found.cars, stock.cars)
            - w.discs * grey(found) / (stock.grey + 1)
            - w.yellow * found.junction
        )
        worth = worth - stuck(table, found)
        # a turn that earns nothing goes on and spends road after road
        if table.ruleset.resolved.until_car and (way := way_to_earn(table, found.at)) is not None:
            return worth - w.way * way / 100.0
        goal = middle_of_others(table)
        return worth if goal is None else worth - w.near * np.hypot(*(found.at - goal).T) / 100.0

    def prospect(self, table: Table, found: Proposals, seen: Outlook) -> Floats:
        """What the next turns bring to all."""
        w, seat = self.weights, table.to_move
        left = table.stocks[seat].cars - found.cars
        theirs = np.zeros(len(found))
        others = table.turns.clockwise(seat)
        for reply, other in zip(seen.replies.T, others, strict=True):
            wins = reply >= table.stocks[other].cars
            theirs = np.maximum(theirs, w.denied * reply + np.where(wins, _WIN / 2, 0.0))
        ends = (
            len(table.base_points(seat)) - 1 + np.where(found.discs > 0, 1 + found.junction, 0) - 1
        )
        worth = (
            w.ahead * seen.mine
            - theirs
            - w.opened * seen.opened
            + w.open_end * np.clip(ends, 0, 2)
            - self.tight(seen)
        )
        return np.where(left <= 0, _WIN, worth)

    def tight(self, seen: Outlook) -> Floats:
        """What it costs, in cars, to have little room for the hand."""
        room = self.weights.room + (2.0 * self.skill.shift if self.skill else 0.0)
        return np.asarray(self.weights.tight * np.clip(1.0 - seen.room / room, 0.0, 1.0))
