"""Tokyo Highway for learners: actions are rows of a list of candidates, observations are
relative to the seat that looks, on the compiled table of `sim.Batch`.

The actions are those of `sim.Batch`: action k takes candidate k, candidates + k takes it without a
car, the last one misses the turn; entrances and buildings are chosen, too. On geometry alone (the
engine `none`, which is the usual one here) a step takes compiled code alone. With an engine,
physics settles every placement, `hand` may err, and the list is made where the pieces then lie.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Dict, Discrete, Space

from rules.errors import IllegalMoveError, InputError
from sim.batch.batch import Batch
from sim.game import SKILLS, Highway, Position, Skill
from sim.referee import Build, Exit, Placement

MOST = 16.0
"""The bound of all numbers in an observation."""

CAR = 0.1
"""What `reward="cars"` gives for a car more than the others placed."""

_VIEWS = ("flat", "parts", "graph")
_EDGES = 8  # of a graph, for each piece that it has room for


@dataclass(frozen=True, slots=True)
class _Hand:
    """The player that a placement is made by: only the skill of its hand matters."""

    skill: Skill | None


def spaces(batch: Batch) -> tuple[Dict, Discrete]:
    """The spaces of one seat in the view `flat`."""
    seen: dict[str, Space[Any]] = {
        "observation": Box(-MOST, MOST, batch.shape, np.float32),
        "action_mask": Box(0, 1, (batch.actions,), np.int8),
    }
    return Dict(seen), Discrete(batch.actions)


class CandidateTable:
    """A `shutoko.envs.tables.EnvTable` of Tokyo Highway over `sim.Batch`.

    `view` is that of an observation, each with `action_mask` int8[actions]: `flat` has
    `observation` float32[size], all in one row; `parts` has `stocks`, `candidates` and `pieces`
    float32 as `sim.Batch.parts` cuts it; `graph` has `nodes` float32[rows, 15] and `edges`
    int64[e, 3] (from, to, kind; -1 below the last) as `sim.Batch.graph`, and `stocks` and
    `candidates`. A seat that is not to move sees no candidates.

    `reward` is `win` (1 and -1 at the end) or `cars`: besides, each action gives a seat CAR for
    every car by which it placed more than the others on the average.
    """

    usual: ClassVar[dict[str, Any]] = {"engine": "none"}
    spaces = staticmethod(spaces)

    def __init__(
        self,
        game: Highway,
        cap: int,
        candidates: int = 64,
        view: Literal["flat", "parts", "graph"] = "flat",
        reward: Literal["win", "cars"] = "win",
        hand: str | None = None,
    ) -> None:
        for what, value, known in (("view", view, _VIEWS), ("reward", reward, ("win", "cars"))):
            if value not in known:
                raise InputError(
                    f"tokyo-highway: {what} = {value!r} is not valid; choose from "
                    f"{', '.join(known)}"
                )
        if hand is not None and hand not in SKILLS:
            raise InputError(
                f"tokyo-highway: hand = {hand!r} is not valid; choose from {', '.join(SKILLS)}"
            )
        self.game, self.seats = game, game.seats
        self._batch = Batch(game, 1, candidates=candidates, renew=False)
        self._cap, self._view, self._shaped = cap, view, reward == "cars"
        self._hand = _Hand(None if hand is None else SKILLS[hand])
        self._exact = game.engine == "none"
        self._state: Position | None = game.start()
        self._rng = np.random.default_rng(0)
        self._plies = 0
        self.rewards: tuple[float, ...] = (0.0,) * self.seats
        self.ended = self.truncated = False
        self.actions: Space[Any] = Discrete(self._batch.actions)
        self.observations: Space[Any] = self._space()

    @staticmethod
    def batch(
        game: Highway,
        n: int,
        seed: int,
        cap: int,
        candidates: int = 64,
        view: str = "flat",
        reward: str = "win",
        hand: str | None = None,
    ) -> Batch:
        """Many games for self-play, on geometry alone, in the view `flat` and with rewards at the
        end. Raises InputError for anything else.
        """
        if game.engine != "none" or view != "flat" or reward != "win" or hand is not None:
            raise InputError(
                "tokyo-highway: many games at once are played with engine = none, view = flat, "
                "reward = win and without a hand"
            )
        return Batch(game, n, seed, cap, candidates=candidates)

    def begin(self, rng: np.random.Generator) -> None:
        """See `EnvTable`."""
        self._rng, self._state, self._plies = rng, self.game.start(), 0
        self.rewards, self.ended, self.truncated = (0.0,) * self.seats, False, False
        self._batch.reset()

    @property
    def state(self) -> Position:
        """See `EnvTable`."""
        if self._state is None:
            self._state = Position(self._batch.state(0), self.game.engine)
        return self._state

    @property
    def to_move(self) -> int:
        """See `EnvTable`."""
        return int(self._batch.to_move[0])

    def observe(self, seat: int) -> dict[str, npt.NDArray[Any]]:
        """See `EnvTable`."""
        due = seat == self.to_move and not self.ended
        row = np.clip(self._batch.observe(seat)[0], -MOST, MOST)
        mask = self.mask() if due else np.zeros(self._batch.actions, np.int8)
        if self._view == "flat":
            return {"observation": row, "action_mask": mask}
        parts = {name: part.copy() for name, part in self._batch.parts(row).items()}
        if self._view == "graph":
            parts["nodes"], graph = parts.pop("pieces"), self._batch.graph(0)
            edges = np.full((_EDGES * len(parts["nodes"]), 3), -1, np.int64)
            found = np.column_stack([graph["edges"].T, graph["kinds"]])[: len(edges)]
            edges[: len(found)] = found
            return {**parts, "edges": edges, "action_mask": mask}
        return {**parts, "action_mask": mask}

    def mask(self) -> npt.NDArray[np.int8]:
        """See `EnvTable`."""
        return np.asarray(self._batch.masks()[0], dtype=np.int8)

    def act(self, action: Any) -> None:
        """See `EnvTable`."""
        number = int(action)
        if self._exact:
            self._batch.step([number])
            self._state = None
            self._close(self._batch.gained[0], self._batch.rewards[0], bool(self._batch.ended[0]))
        else:
            if not (0 <= number < self._batch.actions and self._batch.masks()[0, number]):
                why = "the action is not on the list"
                raise IllegalMoveError(str(number), self.state.table.digest(), why)
            self.move(self._batch.move(0, number))

    def move(self, move: Placement) -> None:
        """See `EnvTable`."""
        if self._exact and (number := self._number(move)) is not None:
            self.act(number)
            return
        before = self.state
        ply = before.table.turns.ply
        self._state, _ = self.game.perform(before, move, self._hand, self._rng, ply)
        self._batch.place(0, self._state)
        outcome = self._state.outcome()
        had, have = (
            np.array([stock.cars for stock in one.table.stocks]) for one in (before, self._state)
        )
        winners = () if outcome is None else outcome.winners
        won = np.array([1.0 if seat in winners else -1.0 for seat in range(self.seats)])
        self._close(had - have, won if winners else np.zeros(self.seats), outcome is not None)

    def _number(self, move: Placement) -> int | None:
        """The action that makes a move, if the compiled table has one."""
        if isinstance(move, (Build, Exit)):
            return self._batch.offer(0, move)
        usual, masks = (0, self._batch.actions - 1), self._batch.masks()[0]
        return next((k for k in usual if masks[k] and self._batch.move(0, k) == move), None)

    def _close(self, gained: npt.NDArray[Any], won: npt.NDArray[Any], ended: bool) -> None:
        """What an action brought, and whether the game is over."""
        self._plies += 1
        self.ended = ended
        self.truncated = not ended and 0 < self._cap <= self._plies
        total = np.asarray(won, np.float64)
        if self._shaped:
            cars = np.asarray(gained, np.float64)
            total = total + CAR * (cars - (cars.sum() - cars) / (self.seats - 1))
        self.rewards = tuple(total.tolist())

    def _space(self) -> Space[Any]:
        seen, batch = self.observe(0), self._batch
        kinds: dict[str, Space[Any]] = {}
        for name, part in seen.items():
            if name == "edges":
                kinds[name] = Box(-1, len(seen["nodes"]), part.shape, np.int64)
            elif name == "action_mask":
                kinds[name] = Box(0, 1, (batch.actions,), np.int8)
            else:
                kinds[name] = Box(-MOST, MOST, part.shape, np.float32)
        return Dict(kinds)
