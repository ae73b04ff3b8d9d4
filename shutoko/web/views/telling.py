"""What pages say of a game in the visitor's language: its guide, a turn in the words that players
use, what the referee says, why a move is refused, and how a game went.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

from rules import defaults
from rules.errors import RecordError, Refusal, ShutokoError, located, why
from rules.game import Game, Guide, Setting
from rules.record.replay import Step
from rules.record.verify import Divergence, Mismatch
from rules.view import BoardView
from shutoko.web.rooms.chat import Trouble
from shutoko.web.rooms.seats import RefusedError
from shutoko.web.views.aiming import Aimed, place_of
from sim.game import JudgedStep
from sim.languages import Sentence, reason_in
from sim.problems import Judgement
from sim.referee import (
    Adjust,
    Build,
    Exit,
    Fault,
    IllegalPlacementError,
    Names,
    Placement,
    Reason,
    Resign,
    Table,
    Verdict,
)
from sim.referee.explain import close_line, gifts_of
from sim.referee.standing import in_short as faults_in_short

# --- the guide to a game --------------------------------------------------------------------------

_SETTINGS = frozenset(
    ("players", "ruleset", "components", "size", "pie", "trade", "ko", "repetition")
)
"""The settings that the catalogues have a word for, by that name."""


def guide(made: Game[Any], text: Any) -> Guide:
    """The guide of a game.

    Where the catalogues have NAME_about, they also have the title (NAME) and the colours (NAME_1,
    NAME_2), and these count instead of the guide's.
    """
    found = defaults.guide(made).told(text.language)
    about = worded(text, f"{made.name}_about", "")
    if not about:
        return found
    sides = tuple(worded(text, f"{made.name}_{n}", side) for n, side in enumerate(found.sides, 1))
    return replace(found, title=worded(text, made.name, found.title), about=about, sides=sides)


def how_to(made: Game[Any], text: Any, pointing: str = "") -> str:
    """How to play a game on a page: what the catalogues have for it (NAME_how), else its rules and
    notation, and the message `pointing`, which says how to point at any game of its kind.
    """
    found = defaults.guide(made).told(text.language)
    own = "\n".join((found.rules, found.notation, *([text(pointing)] if pointing else [])))
    return worded(text, f"{made.name}_how", own)


def setting_name(setting: Setting, text: Any) -> str:
    """What a setting is called."""
    plain = setting.name.replace("_", " ").capitalize()
    return worded(text, setting.name, plain) if setting.name in _SETTINGS else plain


def setting_about(made: Game[Any], setting: Setting, text: Any) -> str:
    """What a setting decides: what the catalogues have for it (NAME_about_SETTING), else the game's
    own translation.
    """
    said = defaults.guide(made).translations.get(text.language, {})
    return worded(text, f"{made.name}_about_{setting.name}", said.get(setting.about, setting.about))


def value_name(made: Game[Any], value: Any, text: Any) -> str:
    """What a value of a setting is called: in words where the catalogues have them
    (NAME_value_VALUE), else as it is written.
    """
    return worded(text, f"{made.name}_value_{value}", "-" if value is None else str(value))


def ended(made: Game[Any], reason: str, text: Any) -> str:
    """Why a game ended, in the visitor's words: those of the catalogues, else the game's own."""
    return worded(text, f"reason_{reason}", guide(made, text).reasons.get(reason, reason))


def worded(text: Any, key: str, otherwise: str, **values: object) -> str:
    """The text of a key of the catalogues; `otherwise` where they do not have it."""
    told = str(text(key, **values))
    return otherwise if told == key else told


# --- a turn at the table: pieces and millimetres are for those who ask why ------------------------

Place = tuple[float, float, float]


def in_short(step: JudgedStep[Any], text: Any, you: int | None = None) -> str:
    """What a turn came to, such as `You: +1 car, over west`; what people claimed and what the
    referee said of it, where the two differ. `you` is the seat of the visitor.
    """
    seat = step.entry.by
    names = [text("you") if other == you else name for other, name in enumerate(step.players)]
    who = text("you_name") if seat == you else names[seat]
    if not step.verdict.legal:
        return str(text("in_short", who=who, what=text("what_illegal", why=_against(step, text))))
    deed = _deed(step.placement, step.verdict, names, text)
    return str(text("in_short", who=who, what=", ".join((*deed, *_follows(step, names, text)))))


def _against(step: JudgedStep[Any], text: Any) -> str:
    """What is against the rules: the first fault, and how many more there are."""
    faults = [fault.sentence for fault in step.verdict.faults]
    return faults_in_short(faults, text.language, Names(tuple(step.players)))


def judged_in_short(step: JudgedStep[Any], text: Any, you: int | None) -> tuple[str, list[str]]:
    """The verdict on one's own turn: what it came to, in a few words, and a line each for tries
    that failed, what fell, who is paid, and a win.
    """
    names = [text("you") if other == you else name for other, name in enumerate(step.players)]
    deed = [*_deed(step.placement, step.verdict, names, text)]
    failed = len(step.entry.tries or ())
    tries = [text("what_tries", n=failed)] if failed else []
    return ", ".join(deed), [*tries, *_follows(step, names, text)]


def _follows(step: JudgedStep[Any], names: Sequence[str], text: Any) -> Iterator[str]:
    """What fell in a turn, whether that is a close call, who is paid for it, what people claimed
    and the referee does not find, what they let stand against the rules, and whether it won.
    """
    verdict, claimed = step.verdict, (step.entry.claim or {}).get("cars", step.verdict.earned)
    if verdict.fallen:
        yield text("what_fell", n=len(verdict.fallen))
    if verdict.close is not None:
        kind = "".join(verdict.close.pieces).partition("-")[2][:1]  # of the first: C, P or R
        yield text("what_close", **close_line(verdict.close, verdict).sentence.values, what=kind)
    for payment in verdict.paid:
        yield text("what_pays", to=names[payment.to], gifts=gifts_of(payment))
    if claimed != verdict.earned:
        yield text("what_claimed", n=claimed, counted=verdict.earned)
    if verdict.faults:
        yield text("what_let_stand", why=_against(step, text))
    before, after = step.before.table.turns.finished, step.after.table.turns.finished
    if not before and after and step.entry.by in after[0]:
        yield text("what_wins")


def _deed(placement: Placement, verdict: Verdict, names: Sequence[str], text: Any) -> Iterator[str]:
    if isinstance(placement, Build | Exit) and verdict.built is False:
        yield text("what_undone")
        return
    if not isinstance(placement, Build):
        yield text(f"what_{placement.kind}")
    if isinstance(placement, Build | Exit | Adjust):
        yield from _earned(verdict, names, text)


def _earned(verdict: Verdict, names: Sequence[str], text: Any) -> Iterator[str]:
    """How many cars, and over and under whose roads; nothing after an exit that earned none."""
    if verdict.between is not None:
        yield text("note-verdict-close", least=verdict.between[0], most=verdict.between[1])
        return
    if not verdict.earned:
        if isinstance(verdict.asked.placement if verdict.asked else None, Exit):
            return
        yield text("what_no_car")
        return
    yield text("what_cars", n=verdict.earned)
    crossed = [
        (crossing.side, crossing.road.owner) for crossing in verdict.crossings if crossing.scores
    ]
    yield from (text(f"what_{side}", owner=names[owner]) for side, owner in dict.fromkeys(crossed))


def aimed_in_short(aimed: Aimed, table: Table, text: Any, names: Sequence[str]) -> str:
    """What an aimed placement would come to, or what to do about it where it is illegal; or what
    errors of measuring leave open.
    """
    verdict = aimed.verdict
    if verdict is None:
        return advice(aimed.faults[0], table, text) if aimed.faults else str(text("advice"))
    if not isinstance(aimed.placement, Build | Exit):
        said = str(text("what_allowed"))
    elif verdict.between is None and not verdict.earned and isinstance(aimed.placement, Build):
        said = str(text("aim_no_car"))
    else:
        said = ", ".join(_earned(verdict, names, text)) or str(text("what_exit"))
    if verdict.remarks:
        said = said if said.endswith(".") else f"{said}."
        said = str(text("aim_remark", said=said, within=table.tolerance))
    return said


def mood_of(aimed: Aimed) -> str:
    """How a page shows an aimed placement: good, bad, or doubtful where errors of measuring leave
    something open.
    """
    verdict = aimed.verdict
    if verdict is None:
        return "bad"
    return "doubtful" if verdict.remarks or verdict.between is not None else "good"


def advice(fault: Fault, table: Table, text: Any) -> str:
    """What to do about a fault, with the colour of whoever owns the piece that is in the way."""
    owner = _owner(fault.pieces[-1], table) if fault.pieces else None
    colour = text("colour_nobody") if owner is None else colour_name(owner, text)
    plain = worded(text, f"advice_{fault.code}", worded(text, "advice", ""), colour=colour)
    return worded(text, f"advice_{fault.code}_{fault.form}", plain, colour=colour)


def colour_name(seat: int, text: Any) -> str:
    """What a seat's colour is called."""
    return str(text(f"colour_{seat + 1}"))


def spots_of(faults: Sequence[Fault], table: Table, placement: Placement) -> list[Place]:
    """Where on the table the trouble is (mm): the pieces in the way, else the place itself."""
    names = [fault.pieces[-1] for fault in faults if fault.pieces]
    found = [spot for name in dict.fromkeys(names) if (spot := _spot(name, table)) is not None]
    at = place_of(placement)
    return found or ([(*at, 12.0)] if at is not None else [])


def _owner(piece: str, table: Table) -> int | None:
    owners = {pillar.id: pillar.owner for pillar in table.pillars}
    owners |= {road.id: road.owner for road in table.roads}
    owners |= {car.id: car.owner for car in table.cars}
    return owners.get(piece)


def _spot(piece: str, table: Table) -> Place | None:
    height = table.components.disc_height
    if piece in table.pillar_by_id:
        pillar = table.pillar_by_id[piece]
        return (*table.top(pillar), pillar.discs * height + 2.0)
    line = next((line for line in table.lines if line.id == piece), None)
    if line is not None:
        (ax, ay), (bx, by) = line.start, line.end
        return ((ax + bx) / 2, (ay + by) / 2, sum(line.levels) / 2 * height + 4.0)
    building = next((one for one in table.buildings if one.id == piece), None)
    return None if building is None else (*building.at, 12.0)


# --- verdicts and refusals ------------------------------------------------------------------------


def told(language: str, lines: Iterable[Reason]) -> tuple[str, ...]:
    """The sentences of some reasons in a language."""
    return tuple(line.told(language) for line in lines)


def refused(language: str, error: ShutokoError) -> str:
    """Why something was refused, in the language as far as the catalogues have it, else in
    English.
    """
    if isinstance(error, (IllegalPlacementError, RefusedError)):
        return error.told(language)
    return reason_in(language, why(error))


def refused_file(language: str, error: ShutokoError) -> str:
    """The same for what was read from a file: with the place in it."""
    if isinstance(error, RecordError):
        return located(reason_in(language, error.reason), error.path, error.line, error.ply)
    return refused(language, error)


def judged_in(language: str, found: Judgement) -> str:
    """What an answer to a problem is worth, in a language, with the reason of one that the rules do
    not allow.
    """
    values = {
        name: reason_in(language, value) if isinstance(value, Refusal) else value
        for name, value in found.said.values.items()
    }
    return Sentence(found.said.message, values).told(language)


def trouble(language: str, wrong: Trouble) -> str:
    """What went wrong with a move that nobody at a screen made."""
    if not isinstance(wrong.error, ShutokoError):
        told = f"{type(wrong.error).__name__}: {wrong.error}"
        return f"{wrong.who}: {told}" if wrong.who else told
    said = refused(language, wrong.error)
    return (
        Sentence("trouble", {"who": wrong.who, "why": said}).told(language) if wrong.who else said
    )


def found_wrong(language: str, wrong: Divergence | Mismatch) -> str:
    """What a verification found, in a language; for English it has put a mismatch into words
    itself.
    """
    if isinstance(wrong, Divergence):
        values = {"piece": wrong.piece, "mm": wrong.mm, "degrees": wrong.degrees}
        return Reason(Sentence("reason-divergence", values)).told(language)
    if language == "en":
        return wrong.text
    said, found = (json.dumps(value, ensure_ascii=False) for value in (wrong.expected, wrong.found))
    return Reason(
        Sentence("reason-mismatch", {"what": wrong.what, "said": said, "found": found})
    ).told(language)


# --- how a game went ------------------------------------------------------------------------------

_WIDTH, _HEIGHT, _EDGE = 300, 120, 16  # pixels


@dataclass(frozen=True, slots=True)
class Tally:
    """What one player did at a table: turns, cars earned, the most of one turn, pieces knocked
    over, pieces paid.
    """

    turns: int
    cars: int
    best: int
    fallen: int
    paid: int


def series(made: Game[Any], steps: Sequence[Step], seats: int) -> list[list[int]]:
    """For each seat the cars that it has placed, or its pieces on the board, before the first ply
    and after each.
    """
    states = [steps[0].before, *(step.after for step in steps)] if steps else []
    return [[_count(made, state, seat) for state in states] for seat in range(seats)]


def _count(made: Game[Any], state: Any, seat: int) -> int:
    laid = defaults.table(made, state)
    if laid is not None:
        return sum(car.owner == seat for car in laid.cars)
    seen = defaults.view(made, state)
    colour = defaults.side_of(state, seat)
    return sum(cell.holds == colour for cell in seen.cells) if isinstance(seen, BoardView) else 0


def tallies(steps: Sequence[Step], seats: int) -> list[Tally]:
    """What each seat did, by the plies that a referee judged."""
    found = []
    for seat in range(seats):
        judged = [step for step in steps if isinstance(step, JudgedStep) and step.entry.by == seat]
        own = [step.verdict for step in judged if not isinstance(step.placement, Resign)]
        earned = [verdict.earned for verdict in own]
        paid = sum(payment.total for verdict in own for payment in verdict.paid)
        found.append(
            Tally(
                len(own),
                sum(earned),
                max(earned, default=0),
                sum(len(verdict.fallen) for verdict in own),
                paid,
            )
        )
    return found


def graph(lines: Sequence[Sequence[int]], colours: Sequence[str], title: str) -> str:
    """The series as one drawing (SVG): plies to the right, cars or pieces upwards."""
    plies = max((len(line) for line in lines), default=1) - 1
    most = max((value for line in lines for value in line), default=0)

    def at(n: int, value: int) -> str:
        x = _EDGE + (_WIDTH - 2 * _EDGE) * n / max(plies, 1)
        return f"{x:.1f},{_HEIGHT - _EDGE - (_HEIGHT - 2 * _EDGE) * value / max(most, 1):.1f}"

    drawn = ""
    for line, colour in zip(lines, colours, strict=False):
        points = " ".join(at(n, value) for n, value in enumerate(line))
        # with a rim, as a board's colours are those of the pages
        for stroke, width in (
            ("#8d8d8d", 4.5),
            (colour, 2.5),
        ):
            drawn += f'<polyline points="{points}" fill="none" stroke="{escape(stroke)}" '
            drawn += f'stroke-width="{width}"/>'
    corner = f"M{at(0, most)}L{at(0, 0)}L{at(plies, 0)}"
    axis = f'<path d="{corner}" fill="none" stroke="currentColor" opacity=".45"/>'
    words = (
        f'<text x="{_EDGE - 4}" y="{_EDGE + 4}" text-anchor="end">{most}</text>'
        f'<text x="{_WIDTH - _EDGE}" y="{_HEIGHT - 2}" text-anchor="end">{plies}</text>'
    )
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(title)}" '
        f'class="graph" font-size="10" fill="currentColor">{axis}{drawn}{words}</svg>'
    )
