"""`shutoko play`: a game at the terminal, against a program or among persons, with hints, taking back, and a record."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rules.errors import InputError
from shutoko.cli.common import Commands, add_json, add_option, data_folder, emit, options_of
from shutoko.cli.records import ENGINES, warn

if TYPE_CHECKING:
    from rules.game import Adviser, Game
    from rules.players import Code
    from shutoko.terminal.session import Seat, Session

__all__ = ["add", "run"]

_PERSON = "you"
_OPPONENTS = ("best:level=medium", "greedy")  # the first that a game has, where none is asked for
_ADVISERS = ("best", "planner")
_HANDS = ("none", "expert", "normal", "clumsy")


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "play",
        help="play at the terminal, against a program or among yourselves",
        description="Play a game at the terminal. `help` there tells what can be typed: moves, ? for the best moves and why, "
        "undo, save, quit and more. Every ply is kept as it is played.",
        epilog="A player is NAME or NAME:OPTION=VALUE,OPTION=VALUE, as for `shutoko simulate`.",
    )
    parser.add_argument("game", nargs="?", metavar="GAME", help="tokyo-highway, thruway, meridians; left out with --resume")
    who = parser.add_mutually_exclusive_group()
    who.add_argument(
        "--against", metavar="A,B,...", help=f"the players on the other seats (default: {' or '.join(_OPPONENTS)})"
    )
    who.add_argument(
        "--players", metavar="A,B,...", help="who sits on each seat; you is a person here, you:name=Ann one with a name"
    )
    parser.add_argument("--seat", metavar="N", help="yours, counted from 0, or random (default: 0)")
    parser.add_argument("--seats", type=int, metavar="N", help="persons at the table, where a game leaves a choice")
    parser.add_argument("--size", type=int, metavar="N", help="of the board, where a game has one")
    parser.add_argument("--ruleset", metavar="NAME", help="the rule set, where a game has several")
    parser.add_argument("--engine", choices=ENGINES, help="the physics, where a game has any; none trusts geometry")
    add_option(parser)
    parser.add_argument("--hand", choices=_HANDS, default="none", help="how well you place pieces (default: none, steadily)")
    parser.add_argument("--hints", metavar="SPEC", help=f"whose advice ? gives (default: {' or '.join(_ADVISERS)})")
    parser.add_argument("--seed", type=int, metavar="N", help="of all chance in the game (default: another one each time)")
    parser.add_argument("--code", type=Path, metavar="FILE", help="a Python file with players of your own")
    parser.add_argument("--out", type=Path, metavar="FILE", help="the record (default: one in the user's data folder)")
    parser.add_argument(
        "--resume", type=Path, metavar="FILE", help="go on with a record, in the same file unless --out names one"
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play until the game or the input ends; what was played is kept whatever happens."""
    from rules.players import read_code
    from shutoko.terminal.dialogue import Dialogue
    from shutoko.terminal.view import view_of
    from shutoko.terminal.voice import Voice

    code = None if args.code is None else read_code(args.code)
    session = _resumed(args, code) if args.resume is not None else _begun(args, code)
    view = view_of(session.made)
    if args.hints is not None:
        chosen = _adviser(session, args.hints, code)  # what is wrong with it is told at once
    dialogue = Dialogue(
        session,
        view,
        Voice(emit if args.json else None),
        lambda: chosen if args.hints is not None else _adviser(session, None, code),
    )
    dialogue.open()
    try:
        dialogue.run()
    finally:
        dialogue.close()
    return 0


# --- the game ----------------------------------------------------------------------------------------------------------------


def _begun(args: argparse.Namespace, code: Code | None) -> Session:
    import secrets

    from rules.game import game
    from shutoko.terminal.session import begun

    if args.game is None:
        raise InputError("name a game, as in `shutoko play meridians`, or a record with --resume FILE")
    options = {"players": args.seats, "size": args.size, "ruleset": args.ruleset, "engine": args.engine}
    made = game(args.game, **{key: value for key, value in options.items() if value is not None} | options_of(args.option))
    seed = secrets.randbits(32) if args.seed is None else args.seed
    if seed < 0:
        raise InputError(f"a seed is a whole number of 0 or more, not {seed}")
    seats = _seats(args, made, _lineup(args, made, seed, code), code)
    return begun(made, seats, _fresh(args.out) if args.out else _unused(args.game), seed)


def _resumed(args: argparse.Namespace, code: Code | None) -> Session:
    from rules.record import read
    from shutoko.terminal.session import Session, reopened

    given = {
        "--seats": args.seats,
        "--size": args.size,
        "--ruleset": args.ruleset,
        "--engine": args.engine,
        "--seed": args.seed,
    }
    for name, value in given.items():
        if value is not None:
            raise InputError(f"{name}: the record says that already; leave it out with --resume")
    if args.option:
        raise InputError("--option: the record says the options of its game; leave it out with --resume")
    record = read(args.resume)
    warn(record.warnings)
    if args.game not in (None, record.header.game):
        raise InputError(f"{args.resume} is a game of {record.header.game}, not of {args.game}")
    made, positions = reopened(record)
    names = record.header.players
    lineup = list(names) if args.against is args.players is args.seat is None else _lineup(args, made, 0, code)
    seats = _seats(args, made, lineup, code, names)
    return Session(made, seats, record, positions, _fresh(args.out) if args.out else args.resume)


def _fresh(path: Path) -> Path:
    if path.exists():
        raise InputError(f"{path} exists already; --resume {path} goes on with it, or name another file")
    if not path.parent.is_dir():
        raise InputError(f"{path}: there is no folder {path.parent}")
    return path


def _unused(game: str) -> Path:
    """A name for a record that no file has, in the user's data folder."""
    folder = data_folder() / "games"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be made ({error.strerror}); name a file for the record with --out") from error
    number = 1
    while (path := folder / f"{game}-{number:04d}.jsonl").exists():
        number += 1
    return path


# --- who plays ---------------------------------------------------------------------------------------------------------------


def _lineup(args: argparse.Namespace, made: Game[Any], seed: int, code: Code | None) -> list[str]:
    """The specs by seat."""
    from rules.players import known_players, split_specs

    seats = made.seats
    if args.players is not None:
        if args.seat is not None:
            raise InputError("--seat goes with --against; --players says who sits where")
        lineup = [str(spec) for spec in split_specs(args.players)]
        if len(lineup) != seats:
            raise InputError(f"--players names {len(lineup)} for {seats} seats")
        return lineup
    known = known_players(made.name, code)
    if args.against is not None:
        others = [str(spec) for spec in split_specs(args.against)]
    else:
        others = [spec for spec in (*_OPPONENTS, *known) if spec.partition(":")[0] in known][:1]
    if not others:
        raise InputError(f"there is no player of {made.name} to play against; bring one with --code, or give --players")
    if seats - 1 < len(others):
        raise InputError(f"--against names {len(others)} players for {seats - 1} seats")
    mine = _mine(args.seat, seats, seed)
    lineup = [others[n % len(others)] for n in range(seats - 1)]
    return [*lineup[:mine], _PERSON, *lineup[mine:]]


def _mine(text: str | None, seats: int, seed: int) -> int:
    import numpy as np

    if text == "random":
        return int(np.random.default_rng(seed).integers(seats))
    if text is not None and not (text.isascii() and text.isdigit() and int(text) < seats):
        raise InputError(f"--seat {text}: the seats are 0 to {seats - 1}, or random")
    return int(text or 0)


def _seats(
    args: argparse.Namespace, made: Game[Any], lineup: list[str], code: Code | None, names: tuple[str, ...] | None = None
) -> list[Seat]:
    """Who sits where; `names` are those of a record, of which only those that name a player are programs."""
    from rules.players import known_players, parse_spec, player
    from shutoko.terminal.session import TABLE, Seat

    if args.hand != "none" and made.name != TABLE:
        raise InputError(f"--hand {args.hand}: pieces of {made.name} do not fall; leave it out")
    known, hand = known_players(made.name, code), _hand(args.hand)
    persons = sum(text.partition(":")[0] == _PERSON for text in lineup)
    seats = []
    for n, text in enumerate(lineup):
        if names is not None and text == names[n] and text.partition(":")[0] not in known:
            seats.append(Seat(text, None, hand))
        elif text.partition(":")[0] == _PERSON:
            spec = dict(parse_spec(text).options)
            name = spec.pop("name", _PERSON if persons == 1 else f"player {n + 1}")
            if spec:
                raise InputError(f"{text!r}: a person has a name and no other option, as you:name=Ann")
            if name.partition(":")[0] in known:
                raise InputError(f"{name!r} is the name of a player of {made.name}; a person needs another")
            seats.append(Seat(name if names is None else names[n], None, hand))
        else:
            seats.append(Seat(text, player(text, made, code)))
    return seats


def _hand(name: str) -> Any:
    if name == "none":
        return None
    from sim.hand import skill

    return skill(name)


def _adviser(session: Session, spec: str | None, code: Code | None) -> Adviser[Any]:
    """Who gives hints: the player asked for, else the strongest there is, else an opponent that gives advice."""
    from rules.players import known_players, player

    if spec is None:
        known = known_players(session.made.name, code)
        specs = [name for name in _ADVISERS if name in known] + [seat.name for seat in session.seats if seat.player is not None]
    else:
        specs = [spec]
    for one in specs:
        found: Any = player(one, session.made, code)
        if hasattr(found, "analyse"):
            adviser: Adviser[Any] = found
            return adviser
    raise InputError(f"{', '.join(specs) or 'nobody'} gives no advice; --hints SPEC names a player that does")
