"""`shutoko plot`: charts of many games, or of one."""

import argparse
from pathlib import Path

from shutoko.cli.common import answer, check_place, command, option, waiting

_KINDS = ("length", "balance", "elo", "race")


@command(
    "plot",
    [
        option("kind", metavar="KIND", choices=_KINDS, help=", ".join(_KINDS)),
        option("source", metavar="DIR", type=Path, help="a folder of records; for race one record"),
        option(
            "--to",
            metavar="FILE",
            type=Path,
            help="the chart: .png, .svg or .pdf (default: KIND.png)",
        ),
    ],
    help="draw charts of games: length, balance, ratings, the race of the cars",
    description="Draw a chart. Of a folder of records: `length` of the games, `balance` of the "
    "seats, `elo` of the players "
    "with 95 % bars. Of one record: `race`, the cars that each player has left after each ply.",
    epilog="`shutoko risk FILE --ply N --map MAP.png` draws the map of a risk.",
)
def run(args: argparse.Namespace) -> int:
    """Draws the chart; raises InputError and UnavailableError before anything is read."""
    from shutoko.export.charts import plot

    out: Path = args.to or Path(f"{args.kind}.png")
    check_place(out, plot.SUFFIXES)
    plot.check_installed()
    with waiting(f"drawing {out.name}", quiet=args.json):
        if args.kind == "race":
            from rules.record import read

            plot.race(read(args.source), out)
        else:
            from rules.arena.rating import read_results

            results, _ = read_results(args.source)
            {"length": plot.length, "balance": plot.balance, "elo": plot.elo}[args.kind](
                results, out
            )
    answer(args, {"kind": args.kind, "wrote": str(out)}, f"wrote {out}")
    return 0
