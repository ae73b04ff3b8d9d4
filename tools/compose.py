"""Makes the shipped records anew: deterministic, and each checked for what it is shipped to show.

    python tools/compose.py [NAME ...] [--jobs N] [--into DIR]

Names: two-cars, knock, junction-exit, three-players, four-players, scenarios; none means all. Run
it after a change to the physics or to the way pieces are laid: both change settled poses and
digests. Every ply is certain (see `sound`): both engines agree on it, by statics it stands with a
margin, and no car is near sliding. The table at the end lies still in both.
`tools/composer.py` plays the games. It is steered to what a record should show and tries one
seed after another until a game shows it. The scenarios are the test vectors of
tests/data/crossings.json.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import count, pairwise
from pathlib import Path
from typing import Any

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.shipped import MOST, ways
from rules.errors import InputError
from rules.record import Entry, Header, Record, canonical_json, write
from sim.bodies import rotate
from sim.bots.proposals import Kind, kinds
from sim.game import replay
from sim.game.attempts.attempt import Attempt
from sim.game.attempts.posing import bodies
from sim.game.highway import Position
from sim.game.ply import judge
from sim.game.sources import Nominal, pose_source
from sim.game.verify import verify as verify_table
from sim.physics.contacts import contacts
from sim.physics.neighbours import overlaps
from sim.physics.statics import equilibrium, loaded
from sim.referee.judgement import next_table
from sim.referee.placement import Build, Entrance, Exit, Pass, Placement
from sim.referee.standing import Pillar, letter
from sim.referee.table import Table
from sim.referee.verdict import Verdict
from tools.composer import Composer, Proposal, Weights, propose

ENGINE, OTHER = "bullet", "mujoco"
DATE = "2026-11-22"
CHECKS = (("rules", None), ("exact", ENGINE), ("physics", OTHER))
ROOT = Path(__file__).resolve().parents[1]
RECORDS = ROOT / "assets" / "records"
VECTORS = ROOT / "tests" / "data" / "crossings.json"
_FIRM = 0.01  # g sideways that a new road and its cars bear at least, by statics
_STEEP = 2.0  # degrees that a car stands less steep than friction holds, at least
_SEEDS = 40  # tried for one game before giving up
_BOX = "estimate-2018"
_SPELLED = ("ruleset",)  # header keys written though they have their defaults
_PLIES = 120  # of one game, at most

_GENEROUS = Weights(ahead=0.2, denied=-0.6)  # a beginner: lays roads that others can earn cars with
_ALONE = Weights(near=-0.5)  # keeps away from the others' roads

Hand = Sequence[Mapping[str, Any]]
Pay = Sequence[Mapping[str, Any]] | None


# --- a game in the making -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Step:
    """One ply that was played: the table it was played on, the move and the verdict."""

    before: Table
    placement: Placement
    verdict: Verdict

    @property
    def seat(self) -> int:
        """Whose ply it was."""
        return self.before.to_move

    @property
    def branch(self) -> bool:
        """Whether it used the branch of a junction."""
        if not isinstance(self.placement, (Build, Exit)):
            return False
        return self.before.leaving(self.before.pillar_by_id[self.placement.base]) == 1

    def scores(self, side: str) -> int:
        """How many crossings on that side (`over`, `under`) it scored."""
        return sum(crossing.scores and crossing.side == side for crossing in self.verdict.crossings)


class Play:
    """A game in progress: the table, the plies that led to it, and the entries of its record
    (without `got`).

    `plain` is the same game on geometry alone, where nothing falls; None once that game differs.
    Placements that keep both games equal are chosen if there are any, so that a record can be
    replayed without an engine, too. `sound` says whether every ply so far was sound (see the
    function of that name).
    """

    def __init__(self, players: Sequence[str], seed: int) -> None:
        self.players, self.seed = tuple(players), seed
        self.table = Table.start(len(players))
        self.plain: Table | None = self.table
        self.sound = True
        self.steps: list[Step] = []
        self._entries: list[Entry] = []

    def rng(self, stream: int = 0) -> np.random.Generator:
        """The generator of this ply."""
        return np.random.default_rng([self.seed, len(self._entries), stream])

    def choose(
        self,
        wanted: Collection[Kind] | None = None,
        weights: Weights | None = None,
        fit: Callable[[Proposal], bool] | None = None,
    ) -> Placement:
        """What the bot would play: a placement of the wanted kinds that fits, if there is one."""
        table, bot = self.table, Composer(weights=weights or Weights())
        if table.phase == "play":
            found = propose(table, self.rng(), bot.width, bot.weights, wanted or None)
            fitting = [
                one for one in found if (fit is None or fit(one)) and self._holds_plainly(one)
            ]
            if fitting:
                return bot.tested(Position(table, ENGINE), fitting, self._sound)
        return bot.choose(Position(table, ENGINE), self.rng())

    def _sound(self, placement: Placement, verdict: Verdict, after: Table) -> bool:
        return sound(self.table, placement, verdict, after)

    def _holds_plainly(self, proposal: Proposal) -> bool:
        """Whether the plain game, if it is still equal, allows a proposal and gives the same
        cars.
        """
        if self.plain is None:
            return True
        verdict, _, _ = judge(self.plain, proposal.placement, [Attempt(Nominal())])
        return verdict.legal and verdict.earned == proposal.cars

    def judged(
        self, placement: Placement, hand: Hand = (), tries: Sequence[Hand] = (), pay: Pay = None
    ) -> tuple[Verdict, Table]:
        """The outcome of a placement."""
        ground = pose_source(ENGINE)
        verdict, after, _ = judge(
            self.table,
            placement,
            [*(Attempt(ground, one) for one in tries), Attempt(ground, hand)],
            pay,
        )
        assert verdict.legal, [fault.text for fault in verdict.faults]
        return verdict, after

    def play(
        self,
        placement: Placement,
        hand: Hand = (),
        tries: Sequence[Hand] = (),
        pay: Pay = None,
        note: str | None = None,
    ) -> Step:
        """Plays a placement and writes it down, with a note on anything remarkable."""
        verdict, after = self.judged(placement, hand, tries, pay)
        self.sound &= sound(self.table, placement, verdict, after, hand, tries, pay)
        step = Step(self.table, placement, verdict)
        texts = [text for text in (note, _remark(step, after, self.players)) if text]
        entry = Entry(
            ply=len(self._entries),
            by=self.table.to_move,
            do=json.loads(str(placement)),
            hand=list(hand) or None,
            tries=[{"hand": list(one)} for one in tries] or None,
            pay=pay,
            note=" ".join(texts) or None,
        )
        self._entries.append(entry)
        self.steps.append(step)
        self.table = after
        if self.plain is not None:
            alone, plain, _ = judge(self.plain, placement, [Attempt(Nominal())])
            together = (
                alone.legal
                and len(alone.spots) == len(verdict.spots)
                and plain.to_move == after.to_move
            )
            self.plain = plain if together else None
        return step

    def record(self, source: str) -> Record:
        """The finished record, judged once more from the lines of the record."""
        players, seed = self.players, self.seed
        header = Header(
            "tokyo-highway",
            players,
            components=_BOX,
            seed=seed,
            date=DATE,
            source=source,
            spelled=_SPELLED,
        )
        return replay.fill(Record(header, tuple(self._entries)), ENGINE)


def sound(
    table: Table,
    placement: Placement,
    verdict: Verdict,
    after: Table,
    hand: Hand = (),
    tries: Sequence[Hand] = (),
    pay: Pay = None,
) -> bool:
    """Whether a verdict is beyond doubt: all at rest, in balance with a margin, no car near
    sliding, nothing inside anything else, and the other engine agrees.
    """
    if not isinstance(placement, (Build, Exit, Entrance)):
        return True
    if (
        verdict.restless
        or verdict.put_back
        or not verdict.built
        or not _firm(table, after)
        or _near_sliding(after)
    ):
        return False
    if overlaps(bodies(after), MOST):
        return False
    ground = pose_source(OTHER)
    try:
        other, _, _ = judge(
            table, placement, [*(Attempt(ground, one) for one in tries), Attempt(ground, hand)], pay
        )
    except InputError:  # the payment is not what the other engine makes due
        return False
    return _outcome(other) == _outcome(verdict) and not other.restless


def _outcome(verdict: Verdict) -> object:
    crossings = [
        (crossing.road.id, crossing.side, crossing.scores) for crossing in verdict.crossings
    ]
    tried = [sorted(fall.piece for fall in one.falls) for one in verdict.failed]
    return (
        verdict.built,
        verdict.spots,
        verdict.cars,
        verdict.put_back,
        crossings,
        verdict.fallen,
        verdict.owed,
        tried,
    )


def _firm(table: Table, after: Table) -> bool:
    there = bodies(after)
    touching = contacts(there)
    answer = equilibrium(
        there, loaded(there, after.piece_ids - table.piece_ids, touching), touching
    )
    return answer.stands and answer.margin().sideways >= _FIRM


def _near_sliding(after: Table) -> bool:
    """Whether a car stands so steep, as it lies, that little more would set it off."""
    least = math.cos(math.atan(after.components.friction_of("car", "road")) - math.radians(_STEEP))
    return any(
        rotate(body.pose.quat, (0.0, 0.0, 1.0))[2] < least
        for body in bodies(after)
        if body.kind == "car"
    )


def lies_still(table: Table) -> bool:
    """Whether each engine leaves a table as it is, however often it is settled again."""
    return all(max(ways(bodies(table), engine)[0])[0] <= MOST for engine in (ENGINE, OTHER))


def _remark(step: Step, after: Table, players: Sequence[str]) -> str:
    """A sentence on what is remarkable about a ply."""
    verdict, seat, said = step.verdict, letter(step.seat), []
    if not isinstance(step.placement, (Build, Exit)):
        return (
            f"{players[step.seat]} has to miss a turn." if isinstance(step.placement, Pass) else ""
        )
    if not verdict.built:
        return "It does not stand, and the turn is lost."
    scored = [
        f"{crossing.side} {crossing.road.id}" for crossing in verdict.crossings if crossing.scores
    ]
    if len(scored) > 1:
        said.append(f"{len(scored)} crossings with one road: {' and '.join(scored)}.")
    if isinstance(step.placement, Build) and step.placement.junction:
        said.append(f"A junction, {step.placement.discs} discs high.")
    if step.branch:
        said.append(f"The branch of {step.placement.base}.")
    if isinstance(step.placement, Exit):
        said.append("An exit" + (f", and {scored[0]} on its way out." if len(scored) == 1 else "."))
    slid = len([piece for piece in verdict.fallen if piece.startswith(f"{seat}-C")])
    if slid:
        said.append(f"{'A car slides' if slid == 1 else f'{slid} cars slide'} off.")
    if after.stocks[step.seat].cars == 0 and verdict.spots:
        said.append(f"{players[step.seat]} has placed all cars.")
    return " ".join(said)


# --- scripted moments -----------------------------------------------------------------------------


def slipped(play: Play, placement: Placement) -> bool:
    """Plays the ply after a failed try whose road slips off, if a slip is found that fells nothing
    else.
    """
    road = play.table.with_pieces(placement).roads[-1]
    rng = play.rng(1)
    for _ in range(12):
        side, turn = (
            float(rng.choice([-1.0, 1.0])) * float(rng.uniform(8.0, 13.0)),
            float(rng.normal(0.0, 4.0)),
        )
        ux, uy = _direction(road.start, road.end)
        hand = [{"piece": road.id, "shift": [-uy * side, ux * side, 2.0], "turn": [0.0, 0.0, turn]}]
        first, _ = play.judged(placement, hand)
        own = {road.id} | {
            disc
            for pillar in play.table.with_pieces(placement).pillars[-1:]
            for disc in pillar.disc_ids
        }
        if first.built or road.id not in first.fallen or not set(first.fallen) <= own:
            continue
        verdict, after = play.judged(placement, tries=[hand])
        if (
            verdict.built
            and not verdict.paid
            and sound(play.table, placement, verdict, after, tries=[hand])
        ):
            play.play(placement, tries=[hand], note="The road slipped at the first try.")
            return True
    return False


def knocked(
    play: Play,
    placement: Placement,
    victims: Collection[int],
    least: int,
    most: int = 9,
    yellow: int = 0,
) -> bool:
    """Plays the ply with a finger that brushes a pillar of one of the victims on its way back.

    Returns False and plays nothing if no path is found that knocks over `least` to `most` of their
    pieces and nobody else's. The payer gives `yellow` of its yellow discs.
    """
    table, seat, rng = play.table, play.table.to_move, play.rng(2)
    grown = table.with_pieces(placement)
    hand_at = grown.roads[-1].end
    near = sorted(
        (p for p in table.pillars if p.owner in victims),
        key=lambda p: (math.dist(p.at, hand_at), p.id),
    )
    for pillar in near[:8]:
        for _ in range(6):
            hand = [{"path": _brush(table, pillar, hand_at, rng)}]
            verdict, after = play.judged(placement, hand)
            fell = [piece for piece in verdict.fallen if "ABCD".index(piece[0]) in victims]
            if (
                not verdict.built
                or len(fell) != len(verdict.fallen)
                or not least <= len(fell) <= most
            ):
                continue
            if not sound(table, placement, verdict, after, hand):
                continue
            names = " and ".join(play.players[to] for to in sorted({to for to, _ in verdict.owed}))
            note = (
                f"On the way back the finger brushes {pillar.id}: {len(fell)} pieces of {names} "
                "fall."
            )
            play.play(
                placement,
                hand,
                pay=_with_yellow(verdict, grown.stocks[seat].yellow, yellow),
                note=note,
            )
            return True
    return False


def _brush(
    table: Table, pillar: Pillar, hand_at: tuple[float, float], rng: np.random.Generator
) -> dict[str, Any]:
    """A finger that comes down past the rim of a pillar's upper discs and goes up again."""
    box = table.components
    ux, uy = _direction(hand_at, pillar.at)
    angle = float(rng.uniform(-0.6, 0.6))
    ux, uy = (
        ux * math.cos(angle) - uy * math.sin(angle),
        ux * math.sin(angle) + uy * math.cos(angle),
    )
    aside = float(rng.uniform(-11.0, 11.0))
    height = max(pillar.discs - float(rng.uniform(0.4, 1.6)), 0.3) * box.disc_height
    x, y = pillar.at[0] - uy * aside, pillar.at[1] + ux * aside

    def at(along: float, z: float) -> list[float]:
        return [round(x + ux * along, 2), round(y + uy * along, 2), round(z, 2)]

    high = 10 * box.disc_height
    points = [
        at(-45.0, high),
        at(-24.0, height),
        at(float(rng.uniform(8.0, 22.0)), height),
        at(45.0, high),
    ]
    return {"points": points, "speed": round(float(rng.uniform(120.0, 260.0)), 1), "tool": "finger"}


def _with_yellow(verdict: Verdict, have: int, yellow: int) -> list[dict[str, int]] | None:
    """The payment of the debts with that number of yellow discs."""
    given = min(have, yellow, sum(payment.total for payment in verdict.paid))
    if not given:
        return None
    first, *rest = verdict.paid
    return [
        {"to": first.to, "grey": first.total - given, "yellow": given},
        *({"to": other.to, "grey": other.grey, "yellow": other.yellow} for other in rest),
    ]


def _direction(start: tuple[float, float], end: tuple[float, float]) -> tuple[float, float]:
    span = math.dist(start, end) or 1.0
    return ((end[0] - start[0]) / span, (end[1] - start[1]) / span)


# --- the games ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Game:
    """A shipped game: who plays, the seed to begin with, how it is steered, what it must show, and
    what its header says.
    """

    players: tuple[str, ...]
    seed: int
    steer: Callable[[Play], bool]
    shows: Callable[[Sequence[Step]], bool]
    source: str
    plainly: bool = (
        True  # whether it can be replayed on geometry alone; a rescue by a penalty cannot
    )


def usual(play: Play) -> bool:
    """One ply as the bot plays it. Returns False if the game can no longer show what it should."""
    play.play(play.choose())
    return True


def _steer_two_cars(play: Play) -> bool:
    """A player who looks ahead against one who lays roads where they are easily crossed twice."""
    play.play(play.choose(weights=Weights(ahead=0.8) if play.table.to_move == 0 else _GENEROUS))
    return not play.steps[-1].verdict.falls


def _steer_knock(play: Play) -> bool:
    ply = len(play.steps)
    if ply == 7:
        return slipped(play, play.choose())
    if ply in (10, 11, 12) and not any(step.verdict.paid for step in play.steps):
        seat = play.table.to_move
        if play.table.stocks[seat].yellow and knocked(
            play, play.choose(), {1 - seat}, least=3, most=8, yellow=1
        ):
            return True
        return ply < 12 and usual(play)
    return usual(play)


def _steer_junction_exit(play: Play) -> bool:
    """The first player sets a junction early, uses its branch soon after, and leaves by an exit
    with the last car.
    """
    table = play.table
    if table.phase != "play":
        return usual(play)
    if table.to_move != 0:
        play.play(play.choose(weights=_GENEROUS))
        return play.table.outcome() is None
    own = [step for step in play.steps if step.seat == 0]
    possible = kinds(table)
    junctions = [pillar.id for pillar in table.pillars if pillar.owner == 0 and pillar.junction]
    left, branched, wanted = table.stocks[0].cars, any(step.branch for step in own), list[Kind]()
    if not junctions and len(own) >= 2:
        wanted = [kind for kind in possible if kind.junction and kind.discs <= 4]
    elif junctions and not branched and len(own) >= 5:
        wanted = [
            kind
            for kind in possible
            if kind.base in junctions and table.leaving(table.pillar_by_id[kind.base]) == 1
        ]
    elif left == 1:
        wanted = [kind for kind in possible if kind.discs == 0] or [
            kind for kind in possible if kind.discs == 1
        ]
    # the last car is for an exit, and the junction's branch comes first
    step = play.play(
        play.choose(
            wanted,
            fit=lambda one: one.cars < left or (branched and isinstance(one.placement, Exit)),
        )
    )
    return not step.verdict.owed and (
        play.table.outcome() is not None or bool(play.table.base_points(0))
    )


def _steer_four(play: Play) -> bool:
    """The third player builds towers until no disc is left, is rescued by a penalty, and runs out
    again.
    """
    table, tall = play.table, 2
    if table.phase != "play":
        return usual(play)
    missed = table.turns.misses[tall] > 0
    if table.to_move == tall and not table.unable(tall):
        grey = table.stocks[tall].grey
        plan = sorted(
            (kind for kind in kinds(table) if kind.discs and kind.discs - kind.junction <= grey),
            key=lambda kind: (-kind.junction, -kind.discs),
        )
        turn = sum(step.seat == tall and isinstance(step.placement, Build) for step in play.steps)
        wished = [(2, False), (3, False), (4, True), (5, True), (6, False)]
        wanted = [
            kind
            for kind in plan
            if turn < len(wished) and (kind.discs, kind.junction) == wished[turn]
        ] or plan
        play.play(play.choose(wanted, weights=_ALONE))
        return True
    if (
        missed
        and table.unable(tall)
        and table.to_move != tall
        and not any(step.verdict.paid for step in play.steps)
    ):
        if knocked(play, play.choose(), {tall}, least=3, most=8):
            return True
        return table.to_move != (tall - 1) % 4 and usual(play)
    return usual(play)


def _end(steps: Sequence[Step], reason: str = "all-cars-placed") -> bool:
    last = steps[-1]
    outcome = judged_after(last).outcome()
    return outcome is not None and outcome.reason == reason


def judged_after(step: Step) -> Table:
    """The table after a step."""
    return next_table(step.before, step.placement, step.verdict)


def _two_cars(steps: Sequence[Step]) -> bool:
    two = [
        step for step in steps if isinstance(step.placement, Build) and len(step.verdict.spots) == 2
    ]
    clean = not any(step.verdict.falls for step in steps)
    return _end(steps) and clean and bool(two)


def _knock(steps: Sequence[Step]) -> bool:
    knocks = [step for step in steps if step.verdict.paid]
    if not _end(steps) or len(knocks) != 1:
        return False
    (step,) = knocks
    theirs = [piece for piece in step.verdict.fallen if piece[0] == letter(1 - step.seat)]
    return len(theirs) >= 3 and any(payment.yellow for payment in step.verdict.paid)


def _junction_exit(steps: Sequence[Step]) -> bool:
    winner = steps[-1].seat
    own = [step for step in steps if step.seat == winner]
    return (
        _end(steps)
        and isinstance(steps[-1].placement, Exit)
        and any(isinstance(step.placement, Build) and step.placement.junction for step in own)
        and any(step.branch for step in own)
        and any(step.scores("under") for step in own)
        and not any(step.verdict.owed for step in steps)
    )


def _three(steps: Sequence[Step]) -> bool:
    crossing_exit = any(
        isinstance(step.placement, Exit) and step.scores("over") + step.scores("under")
        for step in steps
    )
    return (
        _end(steps)
        and len(steps[-1].before.buildings) == 3
        and any(step.branch for step in steps)
        and crossing_exit
    )


def _four(steps: Sequence[Step]) -> bool:
    rescued = False
    for step, following in pairwise(steps):
        for payment in step.verdict.paid:
            rescued |= step.before.unable(payment.to) and not following.before.unable(payment.to)
    after = judged_after(steps[-1])
    return _end(steps) and rescued and bool(after.turns.out) and len(after.turns.finished) >= 2


GAMES: Mapping[str, Game] = {
    "two-cars": Game(
        ("north", "south"), 1, _steer_two_cars, _two_cars, "clean win; a turn earns two cars"
    ),
    "knock": Game(
        ("east", "west"),
        1,
        _steer_knock,
        _knock,
        "a slip, a knock, a yellow disc paid, all put back",
    ),
    "junction-exit": Game(
        ("hana", "ryo"),
        1,
        _steer_junction_exit,
        _junction_exit,
        "a junction, its branch, a crossing under, an exit that wins",
    ),
    "three-players": Game(
        ("aoi", "ben", "chie"),
        1,
        usual,
        _three,
        "buildings, a branch, an exit that crosses a road",
    ),
    "four-players": Game(
        ("ann", "bo", "cleo", "dan"),
        2,
        _steer_four,
        _four,
        "out of discs, rescued by a penalty, out; play for ranks",
        plainly=False,
    ),
}
"""The shipped games by the name of their file."""


def shows(name: str, steps: Sequence[Step]) -> bool:
    """Whether a played game shows what the record of that name is shipped to show."""
    return GAMES[name].shows(steps)


def compose(name: str) -> Record:
    """The record of a shipped game, made anew. Raises RuntimeError if no seed leads to a game that
    shows what it should.
    """
    game = GAMES[name]
    for seed in range(game.seed, game.seed + _SEEDS):
        play = Play(game.players, seed)
        going = True
        while going and play.table.outcome() is None and len(play.steps) < _PLIES:
            going = game.steer(play) and play.sound and (play.plain is not None or not game.plainly)
        if going and play.table.outcome() is not None and game.shows(play.steps):
            record = play.record(f"played by the computer: {game.source}")
            if lies_still(play.table) and all(
                verify_table(record, mode, engine).ok for mode, engine in CHECKS
            ):
                return record
        most = max((step.verdict.earned for step in play.steps), default=0)
        print(
            (
                f"{name}: seed {seed} does not show it ({len(play.steps)} plies, at most {most} "
                "cars a "
                "turn)"
            ),
            file=sys.stderr,
        )
    raise RuntimeError(f"none of {_SEEDS} seeds leads to a game that shows what {name} should")


# --- scenarios ------------------------------------------------------------------------------------


def scenarios() -> Iterator[tuple[str, Record]]:
    """A record for every vector of the crossing rule: its file name without suffix, and the record,
    judged on geometry.
    """
    for vector in json.loads(VECTORS.read_text(encoding="utf-8"))["vectors"]:
        name = vector["name"].split()[0]
        yield name, replay.fill(_scenario(vector), "none")


def _scenario(vector: Mapping[str, Any]) -> Record:
    existing, new, out = (
        vector["existing"],
        vector["new"],
        [owner - 1 for owner in vector.get("out", ())],
    )
    seats = max(2 + bool(out), *(road["owner"] for road in existing))
    pillars: list[dict[str, Any]] = []
    counts = [count() for _ in range(seats)]

    def pillar(seat: int, at: Sequence[float], discs: int) -> str:
        known = next(
            (p["id"] for p in pillars if p["at"] == list(at) and p["id"][0] == letter(seat)), None
        )
        if known is None:
            known = f"{letter(seat)}-P{next(counts[seat])}"
            pillars.append({"id": known, "at": list(at), "discs": discs})
        return str(known)

    def foot(road: Mapping[str, Any], end: int) -> object:
        at, discs = road["pq"[end]], road["n"][end]
        return pillar(road["owner"] - 1, at, discs) if discs else {"table": list(at)}

    roads, numbers = [], [count() for _ in range(seats)]
    for road in existing:
        seat = road["owner"] - 1
        roads.append(
            {
                "id": f"{letter(seat)}-R{next(numbers[seat])}",
                "from": foot(road, 0),
                "to": foot(road, 1),
            }
        )
    base, (discs, to) = pillar(0, new["p"], new["n"][0]), (new["n"][1], new["q"])
    do = (
        {"exit": {"from": base, "to": to}}
        if vector.get("exit")
        else {"build": {"from": base, "pillar": to, "discs": discs}}
    )
    moves: list[tuple[int, Any]] = [(seat, "resign") for seat in out]
    if out:  # whoever stays in builds far away, so that the new road's seat is to move
        base_far = pillar(seats - 1, [300, 0], 1)
        moves.append((seats - 1, {"build": {"from": base_far, "pillar": [400, 0], "discs": 2}}))
    entries = tuple(Entry(ply, seat, what) for ply, (seat, what) in enumerate(moves))
    legal = vector["legal"]
    cars = sum(case["cars"] for case in vector.get("cars", ()) if not case["options"])
    claim = {"cars": cars + bool(vector.get("exit"))} if legal else None
    got = None if legal else {"legal": False}
    note = ": ".join(
        part for part in (vector["name"], vector.get("why") or vector.get("note")) if part
    )
    last = Entry(
        len(moves),
        0,
        json.loads(canonical_json(do, "do", "tokyo-highway")),
        got=got,
        claim=claim,
        note=note,
    )
    header = Header(
        "tokyo-highway",
        ("north", "east", "west")[:seats] if seats > 2 else ("north", "south"),
        components=_BOX,
        date=DATE,
        source=f"crossing rule, vector {vector['name']}",
        start={"to_move": moves[0][0] if moves else 0, "pillars": pillars, "roads": roads},
        spelled=_SPELLED,
    )
    return Record(header, (*entries, last))


# --- the command ----------------------------------------------------------------------------------


def _make(name: str, into: Path) -> str:
    begun = time.perf_counter()
    if name == "scenarios":
        (into / "scenarios").mkdir(parents=True, exist_ok=True)
        made = list(scenarios())
        for file, record in made:
            write(record, into / "scenarios" / f"{file}.jsonl")
        what = f"{len(made)} records"
    else:
        into.mkdir(parents=True, exist_ok=True)
        record = compose(name)
        write(record, into / f"{name}.jsonl")
        what = (
            f"seed {record.header.seed}, {len(record.entries)} plies, ranks "
            f"{record.end.ranks if record.end else None}"
        )
    return f"{name}: {what}, {time.perf_counter() - begun:.0f} s"


def main(argv: Sequence[str] | None = None) -> int:
    """Composes the records asked for and prints one line for each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    names = [*GAMES, "scenarios"]
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"one or more of {', '.join(names)}; default: all"
    )
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time")
    parser.add_argument("--into", type=Path, default=RECORDS, help="the folder to write to")
    given = parser.parse_args(argv)
    unknown = [name for name in given.names if name not in names]
    if unknown:
        parser.error(f"there is no record {unknown[0]!r}; available: {', '.join(names)}")
    wanted = given.names or names
    with ProcessPoolExecutor(max(1, given.jobs)) as pool:
        for line in pool.map(_make, wanted, [given.into] * len(wanted)):
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
