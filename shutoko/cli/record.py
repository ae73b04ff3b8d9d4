"""`shutoko record`: a real game noted at the terminal, ply by ply, in questions."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rules.errors import InputError
from shutoko.cli.common import OPTION, command, components, emit, option, options_of
from shutoko.cli.common.records import warn

if TYPE_CHECKING:
    from rules.game import Game
    from shutoko.diary.diary import Diary
    from shutoko.terminal.voice import Voice


@command(
    "record",
    [
        option("file", type=Path, metavar="FILE", help="the record to write, or to go on with"),
        option(
            "--players",
            metavar="A,B,...",
            help="the names from the starting player clockwise (default: asked)",
        ),
        option("--ruleset", metavar="NAME", help="the rule set (default: asked)"),
        option(
            "--tolerance",
            metavar="MM",
            help="by how many mm your ruler may be off, 0 to 20 (default: asked)",
        ),
        components(),
        OPTION,
        option(
            "--language",
            metavar="CODE",
            default="en",
            help="the language of questions and reasons, such as en, fr or ko (default: en)",
        ),
    ],
    help="note a real game of Tokyo Highway, in questions instead of JSON",
    description="Note a real game of Tokyo Highway ply by ply: answer a few questions a turn, "
    "and the referee says at once what it makes of it. Every ply is on the disk when it is "
    "confirmed; call the command with the same file again to go on. Type `help` there for all "
    "answers and commands.",
    epilog="Games on boards are noted with `shutoko play GAME --players you:name=A,you:name=B`.",
)
def run(args: argparse.Namespace) -> int:
    """Note a game until the input ends; every confirmed ply is kept, whatever happens."""
    from rules.record.disk import hold
    from shutoko.terminal.noting import Noting
    from shutoko.terminal.voice import Voice
    from sim.languages import catalogue

    catalogue(args.language)  # refuses an unknown language before the first question
    path, voice = args.file, Voice(emit if args.json else None)
    if not path.parent.is_dir():
        raise InputError(f"{path}: there is no folder {path.parent}; make it first")
    with ExitStack() as held:
        held.enter_context(hold(path))
        diary = _resumed(args) if path.exists() else _begun(args, voice)
        if diary is None:
            return 0
        noting = Noting(diary, voice, args.language)
        noting.open()
        try:
            noting.run()
        finally:
            noting.close()
    return 0


def _resumed(args: argparse.Namespace) -> Diary:
    from shutoko.diary.diary import reopened

    for name in ("players", "ruleset", "tolerance", "components", "option"):
        if getattr(args, name) not in (None, []):
            raise InputError(
                f"--{name}: {args.file} is there already and has its own; leave --{name} out, or "
                "name a new file"
            )
    diary = reopened(args.file)
    warn(diary.record.warnings)
    return diary


def _begun(args: argparse.Namespace, voice: Voice) -> Diary | None:
    """A new diary; None if the input ends before everything is known."""
    from rules.game import game
    from shutoko.diary.diary import begun, header_of
    from shutoko.own_box import keep_beside
    from shutoko.terminal.opening import opening_of
    from sim.game.highway import NAME

    options = options_of(args.option)
    for name in ("players", "ruleset", "components"):
        if name in options:
            raise InputError(f"--option {name}: write --{name} instead")
    if args.components is not None:
        options["components"] = args.components

    def made(players: int, ruleset: str) -> Game[Any]:
        # people see what falls, so nobody has to install an engine
        return game(NAME, players=players, ruleset=ruleset, **{**options, "engine": "none"})

    def check(players: int | None, ruleset: str | None) -> None:
        """Raises InputError if no answers make a game with the options."""
        wrong = []
        for seats in (2, 3, 4) if players is None else (players,):
            try:
                made(seats, ruleset or "standard")
            except InputError as error:
                wrong.append(error)
            else:
                return
        raise wrong[0]

    given = opening_of(voice, args.language, args.players, args.ruleset, args.tolerance, check)
    if given is None:
        return None
    chosen = made(len(given.players), given.ruleset)
    keep_beside(chosen, args.file.parent)
    return begun(header_of(chosen, given.players, given.tolerance), args.file)
