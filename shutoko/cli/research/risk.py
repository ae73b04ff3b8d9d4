"""`shutoko risk`: how likely a move of a record is to stand, and what falls, for a hand of a given
skill.
"""

from __future__ import annotations

import argparse
import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rules.errors import InputError, RecordError
from shutoko.cli.common import (
    SEED,
    check_place,
    command,
    components,
    emit,
    option,
    progress,
)
from shutoko.cli.common.records import PHYSICS, read_record
from shutoko.cli.common.workers import workers

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from rules.arena.rating import Interval
    from rules.record import Record
    from sim.game.risk import Job, Risk
    from sim.game.uncertain import Uncertain
    from sim.referee import Placement, Table

_ENDANGERED = 8  # pieces listed, at most
_SAMPLES, _MOST = 1000, 10_000
_WIDTH = 48  # characters in the longest bar


@command(
    "risk",
    [
        option("file", metavar="FILE", type=Path, help="a record (.jsonl)"),
        option(
            "--ply",
            type=int,
            required=True,
            metavar="N",
            help="the ply of the move, counted from 0",
        ),
        option(
            "--hand",
            default="normal",
            metavar="NAME",
            help="expert, normal or clumsy (default: normal)",
        ),
        option("--skill", dest="hand", help=argparse.SUPPRESS),  # its first name
        option(
            "--tool",
            choices=("finger", "tweezers"),
            default="finger",
            help="what places the pieces (default: finger)",
        ),
        option(
            "--samples",
            type=int,
            metavar="N",
            help=f"the number of tries (default: {_SAMPLES}), with --width at most (default: "
            f"{_MOST})",
        ),
        option(
            "--width",
            type=float,
            metavar="W",
            help="stop when both rates are known within +- W, such as 0.02",
        ),
        option(
            "--uncertain",
            action="store_true",
            help="also draw sizes, weights and friction of each try from plausible ranges: "
            "does the outcome depend on them?",
        ),
        SEED,
        option(
            "--engine",
            choices=PHYSICS,
            help="the physics engine (default: bullet if it is installed)",
        ),
        components(", for records that name none"),
        [
            option(
                "--workers",
                type=int,
                metavar="N",
                help="the number of processes (default: one for each core)",
            ),
            # its first name
            option("--processes", dest="workers", type=int, help=argparse.SUPPRESS),
            option(
                "--dask",
                metavar="ADDRESS",
                help="compute on this Dask cluster, such as tcp://HOST:PORT",
            ),
        ],
        option(
            "--png",
            type=Path,
            metavar="PATH",
            help="draw the table, each piece coloured by how often it fell",
        ),
        option(
            "--histogram",
            type=Path,
            metavar="PATH",
            help="draw a histogram of how many pieces fell in a try",
        ),
        option(
            "--map",
            type=Path,
            metavar="PATH",
            help="draw a map of the risk over places for the new pillar",
        ),
        option(
            "--map-step",
            type=float,
            default=10.0,
            metavar="MM",
            help="the distance between places (default: 10)",
        ),
        option(
            "--map-samples",
            type=int,
            default=4,
            metavar="N",
            help="tries at each place (default: 4)",
        ),
    ],
    help="how likely a move is to stand, and what falls (Tokyo Highway)",
    description="Make one move of a record many times with a hand that errs: how often it "
    "stands, what falls, and "
    "what that costs, with 95 % confidence intervals. Each sample is one try on the table "
    "before that ply.",
    epilog="The same seed gives the same answer in one process, in many and on a cluster.",
)
def run(args: argparse.Namespace) -> int:
    """Sample, print and draw; raises the errors of `sim.game.risk.risk` and
    `sim.game.replay.steps`.
    """
    from sim.game.attempts.hand import skill
    from sim.game.risk import Job, sample, sample_until, summarise
    from sim.game.uncertain import uncertain
    from sim.physics import engines
    from sim.referee import Build

    for path in (args.png, args.histogram, args.map):
        if path is not None:
            if path.suffix.lower() != ".png":
                raise InputError(f"{path}: pictures are .png files; give the file that suffix")
            check_place(path)
    if args.histogram:
        from shutoko.export.charts.plot import check_installed

        check_installed()  # before the work, not after it
    if args.workers is not None and args.workers < 1:
        raise InputError(f"--workers {args.workers}: at least 1 worker is needed")
    engine = args.engine or engines.default()
    by = skill(args.hand)
    table, placement = _before(read_record(args.file, args.components), args.ply, engine)
    if args.map and not isinstance(placement, Build):
        raise InputError(
            f"{args.file}: ply {args.ply} builds no pillar, so it has no map of places; leave "
            "--map out"
        )
    job = Job(table, placement, by, args.seed, engine, args.tool)
    most = _SAMPLES if args.width is None else _MOST
    samples = most if args.samples is None else args.samples
    # a quarter of the tries is too little for another process
    processes = min(args.workers or os.cpu_count() or 1, max(min(samples, 10_000) // 4, 1))
    with workers(processes, args.dask) as executor:
        tries = (
            sample(job, samples, executor)
            if args.width is None
            else sample_until(job, args.width, samples, executor)
        )
        shown = partial(progress, quiet=args.json)
        found = summarise(job, shown(tries, f"ply {args.ply}", total=samples), args.width)
        doubt = None
        if args.uncertain:
            drawn_boxes = partial(shown, label="drawn boxes")
            doubt = uncertain(job, found.samples, executor, drawn_boxes)
        if args.map:
            _draw_map(job, args, executor)
    if args.png:
        _draw_table(job, found, args.png)
    if args.histogram:
        from shutoko.export.charts.plot import histogram

        histogram(found, args.histogram)
    if args.json:
        known = {"file": str(args.file), "ply": args.ply, "by": table.to_move}
        more = {} if doubt is None else {"uncertain": doubt.to_json()}
        emit({**known, "do": placement.to_json(), **found.to_json(), **more})
        return 0
    _tell(args.file, args.ply, found)
    if doubt is not None:
        _tell_doubt(doubt)
    for path in filter(None, (args.map, args.png, args.histogram)):
        print(f"wrote {path}")
    return 0


def _before(record: Record, ply: int, engine: str) -> tuple[Table, Placement]:
    """The table before a ply, and its placement. Pieces lie where the record says; a record without
    poses is simulated.
    """
    from sim.game import replay
    from sim.referee import Pass, Resign, SetBuilding, placement_of, resolved

    entry = next(
        (entry for entry in record.entries if entry.ply == ply and not entry.taken_back), None
    )
    if entry is None:
        plies = f"has plies 0 to {record.next_ply - 1}" if record.next_ply else "is empty"
        raise InputError(f"{record.path}: the record has no ply {ply}; it {plies}")
    earlier = replay.branch(record, ply)
    judged = all(entry.got is not None for entry in earlier.entries)
    played = replay.trusted(earlier) if judged else replay.steps(earlier, engine)
    table = replay.begin(record)
    for step in progress(played, "the plies before", total=len(earlier.entries)):
        table = step.before if step.entry.taken_back else step.after
    try:
        table, placement = resolved(table, placement_of(entry.do, entry.by))
    except InputError as error:
        raise RecordError(
            getattr(error, "reason", str(error)), record.path, entry.line, ply
        ) from error
    if entry.by != table.to_move:
        raise RecordError(
            f"seat {entry.by} moves out of turn; seat {table.to_move} is to move",
            record.path,
            entry.line,
            ply,
        )
    if isinstance(placement, (Pass, Resign, SetBuilding)):
        raise RecordError(
            f"a {placement.kind} lays no road, so nothing can fall", record.path, entry.line, ply
        )
    return table, placement


# --- telling --------------------------------------------------------------------------------------


def _tell(path: Path, ply: int, found: Risk) -> None:
    hand = f"{found.skill} hand, {found.tool}, engine {found.engine}"
    print(f"{path}: ply {ply}, {found.samples} tries, {hand}, seed {found.seed}")
    print(f"stands              {_percent(found.stands_rate)}")
    for why in found.why[:_ENDANGERED]:
        print(f"  {why}")
    print(f"others' pieces fall {_percent(found.others_fall_rate)}")
    value, low, high = found.expected_penalty
    print(f"expected penalty    {value:.3f} discs ({low:.3f} to {high:.3f})")
    if found.width is not None and None in found.narrow:
        print(
            f"the {found.samples} tries did not reach +- {found.width:g}; the intervals are those "
            "of as many tries"
        )
    if found.falls:
        print("most endangered:")
        for piece in list(found.falls)[:_ENDANGERED]:
            print(f"  {piece:<9} {_percent(found.fall_rate(piece))}")
        if len(found.falls) > _ENDANGERED:
            print(f"  and {len(found.falls) - _ENDANGERED} more")
    if found.touches:
        print(
            "touched by the hand: "
            + ", ".join(f"{piece} {count}x" for piece, count in list(found.touches.items())[:6])
        )
    print("pieces fallen in a try:")
    most = max(found.fallen_counts)
    for fallen, count in enumerate(found.fallen_counts):
        if count:
            print(f"  {fallen:>3}  {'#' * max(1, round(_WIDTH * count / most)):<{_WIDTH}} {count}")


def _tell_doubt(doubt: Uncertain) -> None:
    print(f"with sizes, weights and friction drawn for each of {doubt.samples} tries:")
    print(f"nothing falls       {_percent(doubt.rate)}")
    print(f"  with the box as it is {_percent(doubt.rate_as_is)}")
    if doubt.fixed:
        print(
            f"  in {doubt.fixed} tries the table could not stand with drawn sizes; they have those "
            "of the box"
        )
    for cause in doubt.causes:
        print(
            f"  {cause.key} below {cause.median:.3g}: {_percent(cause.below)}; above: "
            f"{_percent(cause.above)}"
        )
    found = (
        "the outcome depends on them"
        if doubt.hangs
        else "the tries do not show that the outcome depends on them"
    )
    print(found)


def _percent(rate: Interval) -> str:
    return f"{rate.value:>6.1%} ({rate.low:.1%} to {rate.high:.1%})"


# --- drawing --------------------------------------------------------------------------------------


def _draw_table(job: Job, found: Risk, path: Path) -> None:
    from shutoko.export.charts.plot import heat_colours, legend
    from shutoko.export.picture import picture
    from sim.game import bodies, play

    # the new pieces and cars at their intended places
    pieces = bodies(play(job.table, job.placement, "none")[1])
    image = picture(pieces, colours=heat_colours(found, pieces))
    new = job.table.with_pieces(job.placement).roads[-1].id
    told = f"{found.samples} tries, {found.skill} hand"
    legend(image, f"how often each piece fell while {new} was laid: {told}").save(path)


def _draw_map(job: Job, args: argparse.Namespace, executor: Executor | None) -> None:
    from shutoko.export.charts.plot import map_picture
    from sim.game.risk import risk_map
    from sim.referee import Build

    build = job.placement
    assert isinstance(build, Build)
    found = risk_map(
        job.table,
        build.base,
        build.discs,
        junction=build.junction,
        skill=job.skill,
        samples=args.map_samples,
        step=args.map_step,
        seed=job.seed,
        engine=job.engine,
        tool=job.tool,
        executor=executor,
        progress=lambda spots, total: progress(spots, "map", total=total),
    )
    map_picture(job.table, found, args.map, chosen=build.at)
