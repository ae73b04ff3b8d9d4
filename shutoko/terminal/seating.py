"""Who sits where: persons and programs by what was asked for, by a record that is gone on with, and who gives hints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rules.arena.players import Code, known_players, parse_spec, player, split_specs
from rules.errors import InputError
from rules.game import Adviser, Game
from rules.record import Note, Record
from shutoko.terminal.session import TABLE, Seat

__all__ = ["ADVISERS", "OPPONENTS", "PERSON", "SeatingRequest", "adviser", "handed_over", "seated", "seated_again"]

PERSON = "you"
"""The spec of a person at this terminal."""

OPPONENTS = ("best:level=medium", "greedy")
"""The opponents where none is asked for: the first that a game has."""

ADVISERS = ("best", "planner")
"""Who gives hints where nobody is asked for: the first that a game has."""


@dataclass(frozen=True, slots=True)
class SeatingRequest:
    """What was asked for: all players by seat, or those on the other seats (lists of specs) and the own seat (a number or
    `random`); the hand of the persons, by the name of a skill or `none`; a file with players of one's own.
    """

    players: str | None = None
    against: str | None = None
    seat: str | None = None
    hand: str = "none"
    code: Code | None = None


def seated(request: SeatingRequest, made: Game[Any], seed: int) -> list[Seat]:
    """Who sits where in a game that begins; `seed` decides a random seat. Raises InputError for what cannot be."""
    known, hand = known_players(made.name, request.code), _hand(request.hand, made)
    specs = [parse_spec(text) for text in _lineup(request, made, seed)]
    persons = sum(spec.name == PERSON for spec in specs)
    seats = []
    for n, spec in enumerate(specs, 1):
        if spec.name != PERSON:
            if spec.name not in known:
                there = ", ".join(known) or "none"
                raise InputError(f"there is no player {spec.name!r} of {made.name}; there are: {there}; {PERSON} is a person")
            seats.append(Seat(str(spec), player(spec, made, request.code)))
            continue
        options = dict(spec.options)
        name = options.pop("name", PERSON if persons == 1 else f"player {n}")
        if options:
            raise InputError(f"{str(spec)!r}: a person has a name and no other option, as {PERSON}:name=Ann")
        if name.partition(":")[0] in known:
            raise InputError(f"{name!r} is a player of {made.name}; a person needs another name")
        seats.append(Seat(name, None, hand))
    return seats


def seated_again(request: SeatingRequest, made: Game[Any], names: Sequence[str]) -> list[Seat]:
    """Who goes on with a record of players of these names: those that are players of the game are programs, all others are
    persons, apart from what is asked for. Raises InputError for what cannot be.
    """
    known, hand = known_players(made.name, request.code), _hand(request.hand, made)
    persons = [name.partition(":")[0] not in known for name in names]
    if request.against is not None or request.players is not None:
        seats = seated(request, made, 0)
        again = [seat.player is None and person for seat, person in zip(seats, persons, strict=True)]
        return [Seat(names[n], None, hand) if again[n] and seat.name == PERSON else seat for n, seat in enumerate(seats)]
    seats = []
    for name, person in zip(names, persons, strict=True):
        seats.append(Seat(name, None, hand) if person else Seat(name, player(name, made, request.code)))
    if request.seat is not None:
        mine = _mine(request.seat, made.seats, 0)
        seats[mine] = Seat(names[mine] if persons[mine] else PERSON, None, hand)
    return seats


def handed_over(record: Record, names: Sequence[str]) -> Record:
    """The record with the players who go on with it; a note says whose places they take."""
    was = record.header.players
    changes = [f"seat {n}: {new} goes on for {old}" for n, (old, new) in enumerate(zip(was, names, strict=True)) if old != new]
    if not changes:
        return record
    note = Note("; ".join(changes), after=len(record.entries))
    return replace(record, header=replace(record.header, players=tuple(names)), notes=(*record.notes, note))


def adviser(spec: str | None, made: Game[Any], seats: Sequence[Seat], code: Code | None) -> Adviser[Any]:
    """Who gives hints: the player asked for, else the strongest there is, else an opponent that gives advice.

    Raises InputError if nobody does.
    """
    known = known_players(made.name, code)
    specs = [spec] if spec is not None else [name for name in ADVISERS if name in known]
    specs += [seat.name for seat in seats if seat.player is not None and spec is None]
    for one in specs:
        found: Any = player(one, made, code)
        if hasattr(found, "analyse"):
            advises: Adviser[Any] = found
            return advises
    raise InputError(f"{' and '.join(specs) or 'nobody'} gives no advice; --hints SPEC names a player that does")


def _lineup(request: SeatingRequest, made: Game[Any], seed: int) -> list[str]:
    """The specs by seat."""
    if request.players is not None:
        if request.seat is not None:
            raise InputError("--seat goes with --against; --players says who sits where")
        lineup = [str(spec) for spec in split_specs(request.players)]
        if len(lineup) != made.seats:
            raise InputError(f"--players names {len(lineup)} for {made.seats} seats")
        return lineup
    known = known_players(made.name, request.code)
    if request.against is not None:
        others = [str(spec) for spec in split_specs(request.against)]
    else:
        others = [spec for spec in (*OPPONENTS, *known) if spec.partition(":")[0] in known][:1]
    if not others:
        raise InputError(f"there is no player of {made.name} to play against; bring one with --code, or give --players")
    free = made.seats - 1
    if free < len(others):
        raise InputError(f"--against names {len(others)} players for {free} other seat{'s' * (free != 1)}")
    mine = _mine(request.seat, made.seats, seed)
    lineup = [others[n % len(others)] for n in range(free)]
    return [*lineup[:mine], PERSON, *lineup[mine:]]


def _mine(text: str | None, seats: int, seed: int) -> int:
    if text == "random":
        return int(np.random.default_rng(seed).integers(seats))
    if text is not None and not (text.isascii() and text.isdigit() and int(text) < seats):
        raise InputError(f"--seat {text}: the seats are 0 to {seats - 1}, or random")
    return int(text or 0)


def _hand(name: str, made: Game[Any]) -> Any:
    if name == "none":
        return None
    if made.name != TABLE:
        raise InputError(f"--hand {name}: pieces of {made.name} do not fall; leave it out")
    from sim.game.hand import skill

    return skill(name)
