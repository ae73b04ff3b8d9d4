"""Who sits where, in a new game and in one that goes on from a record, and who gives hints."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rules import defaults
from rules.arena.players import (
    Code,
    advisers,
    known_players,
    levelled,
    parse_spec,
    player,
    split_specs,
)
from rules.errors import InputError
from rules.game import Adviser, Game
from rules.near import gone, meant
from rules.record import Note, Record
from shutoko.terminal.session import Seat

_QUOTED = 60  # characters of a wish that a message quotes at most

PERSON = "you"
"""The spec of a person at this terminal."""

USUAL_LEVEL = "medium"
"""The level of the usual opponent, at a game that has levels."""


@dataclass(frozen=True, slots=True)
class SeatingRequest:
    """The wishes of whoever starts the game; None is no wish.

    `players` is a list of specs, one for each seat. Without it, `against` is a list of specs for
    the other seats, and `seat` is your own, a number or `random`. `hand` is the skill of the
    persons, or `none`. `code` is a file with your own players.
    """

    players: str | None = None
    against: str | None = None
    seat: str | None = None
    hand: str = "none"
    code: Code | None = None


def seated(request: SeatingRequest, made: Game[Any], seed: int) -> list[Seat]:
    """The seats of a new game; `seed` decides a random seat. Raises InputError for a wish that
    cannot be met.
    """
    known, hand = known_players(made.name, request.code), _hand(request.hand, made)
    specs = [parse_spec(text) for text in _lineup(request, made, seed)]
    persons = sum(spec.name == PERSON for spec in specs)
    seats = []
    for n, spec in enumerate(specs, 1):
        if spec.name != PERSON:
            if spec.name not in known:
                there = ", ".join(known)
                near = gone("player", f"{made.name}.{spec.name}") or meant(spec.name, known)
                raise InputError(
                    f"unknown player {spec.name!r} of {made.name}; choose from {there}; {PERSON} "
                    f"is a person{near}"
                )
            seats.append(Seat(str(spec), player(spec, made, request.code)))
            continue
        options = dict(spec.options)
        name = options.pop("name", PERSON if persons == 1 else f"player {n}")
        if options:
            raise InputError(
                f"{str(spec)!r}: a person has a name and no other option; write {PERSON}:name=Ann"
            )
        if name.partition(":")[0] in known:
            raise InputError(
                f"{name!r} is the name of a program that plays {made.name}; a person needs another "
                "name"
            )
        seats.append(Seat(name, None, hand))
    return seats


def seated_again(request: SeatingRequest, made: Game[Any], names: Sequence[str]) -> list[Seat]:
    """The seats of a game that goes on, from the names in its record: names of programs are
    programs, all others are persons.

    The wishes come first. Raises InputError for a wish that cannot be met.
    """
    known, hand = known_players(made.name, request.code), _hand(request.hand, made)
    persons = [name.partition(":")[0] not in known for name in names]
    if request.against is not None or request.players is not None:
        seats = seated(request, made, 0)
        again = [
            seat.player is None and person for seat, person in zip(seats, persons, strict=True)
        ]
        return [
            Seat(names[n], None, hand) if again[n] and seat.name == PERSON else seat
            for n, seat in enumerate(seats)
        ]
    seats = []
    for name, person in zip(names, persons, strict=True):
        seats.append(
            Seat(name, None, hand) if person else Seat(name, player(name, made, request.code))
        )
    if request.seat is not None:
        mine = _mine(request.seat, made.seats, 0)
        seats[mine] = Seat(names[mine] if persons[mine] else PERSON, None, hand)
    return seats


def handed_over(record: Record, names: Sequence[str]) -> Record:
    """The record with the players who go on with the game; a note names those that they replace."""
    was = record.header.players
    changes = [
        f"seat {n}: {new} goes on for {old}"
        for n, (old, new) in enumerate(zip(was, names, strict=True))
        if old != new
    ]
    if not changes:
        return record
    note = Note("; ".join(changes), after=len(record.entries))
    return replace(
        record, header=replace(record.header, players=tuple(names)), notes=(*record.notes, note)
    )


def adviser(
    spec: str | None, made: Game[Any], seats: Sequence[Seat], code: Code | None
) -> Adviser[Any]:
    """Who gives hints: the player that `spec` names; else the usual one; else an opponent that
    gives advice.

    Raises InputError if none of them gives advice.
    """
    specs = [spec] if spec is not None else [*advisers(made)]
    specs += [seat.name for seat in seats if seat.player is not None and spec is None]
    for one in specs:
        found: Any = player(one, made, code)
        if hasattr(found, "analyse"):
            advises: Adviser[Any] = found
            return advises
    raise InputError(
        f"{' and '.join(specs) or 'nobody'} gives no advice; name a player that does with --hints "
        "SPEC"
    )


def _lineup(request: SeatingRequest, made: Game[Any], seed: int) -> list[str]:
    """The specs by seat."""
    if request.players is not None:
        if request.seat is not None:
            raise InputError(
                "--seat goes with --against; --players says who sits where, so leave --seat out"
            )
        lineup = [str(spec) for spec in split_specs(request.players)]
        if len(lineup) != made.seats:
            raise InputError(
                f"--players names {len(lineup)} for {made.seats} seats; name one player for each "
                "seat"
            )
        return lineup
    known = known_players(made.name, request.code)
    if request.against is not None:
        others = [str(spec) for spec in split_specs(request.against)]
    else:
        named = levelled(made.name)
        others = [f"{named}:level={USUAL_LEVEL}"] if named is not None else [*known[:1]]
    free = made.seats - 1
    if free < len(others):
        raise InputError(
            f"--against names {len(others)} players for {free} other seat{'s' * (free != 1)}"
        )
    mine = _mine(request.seat, made.seats, seed)
    lineup = [others[n % len(others)] for n in range(free)]
    return [*lineup[:mine], PERSON, *lineup[mine:]]


def _mine(text: str | None, seats: int, seed: int) -> int:
    if text == "random":
        return int(np.random.default_rng(seed).integers(seats))
    if text is not None and text not in map(str, range(seats)):
        raise InputError(f"--seat {text[:_QUOTED]}: choose a seat from 0 to {seats - 1}, or random")
    return int(text or 0)


def _hand(name: str, made: Game[Any]) -> Any:
    """The skill of that name, None for a steady hand."""
    if name == "none":
        return None
    hands = defaults.hands(made)
    if not hands:
        raise InputError(f"--hand {name}: the pieces of {made.name} cannot fall; leave --hand out")
    if name not in hands:
        raise InputError(
            f"--hand {name}: unknown hand; choose from none, {', '.join(hands)}{meant(name, hands)}"
        )
    return hands[name]
