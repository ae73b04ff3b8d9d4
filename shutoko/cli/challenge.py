"""`shutoko challenge`: the dexterity challenge of the day at the terminal, the same table for
everybody.
"""

from __future__ import annotations

import argparse
from datetime import UTC, date, datetime

from rules.errors import InputError
from shutoko.cli.common import Commands, add_json, emit


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "challenge",
        help="the challenge of the day: one table, one placement, three tries (Tokyo Highway)",
        description="Place once on the table of the day, in three tries. Each try is made by a "
        "hand like most people's, and physics settles it. Table, rules and score are those of "
        "`/challenge` in the browser, where you lead the hand yourself. Type `help` there for "
        "how to write a placement.",
        epilog="The day alone chooses the table and how the hand errs at each try, so the same "
        "placement has the same result on every machine with the same physics engine.",
    )
    parser.add_argument(
        "--day",
        metavar="YYYY-MM-DD",
        help="the challenge of another day (default: today, UTC)",
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Plays the challenge until the tries or the input end."""
    day = datetime.now(UTC).date() if args.day is None else _day(args.day)
    from shutoko.terminal.daily import Trying
    from shutoko.terminal.voice import Voice
    from sim.problems.daily import of_day

    voice = Voice(emit if args.json else None)
    with voice.waiting("laying the table of the day"):
        challenge = of_day(day)
    Trying(challenge, voice).run()
    return 0


def _day(text: str) -> date:
    """A day as it is written. Raises InputError."""
    try:
        day = date.fromisoformat(text)
    except ValueError as error:
        raise InputError(
            f"--day {text}: no day; write year, month and day, such as 2026-11-29"
        ) from error
    from sim.problems.daily import FIRST

    if day < FIRST:
        raise InputError(f"--day {text}: the first challenge was that of {FIRST}")
    return day
