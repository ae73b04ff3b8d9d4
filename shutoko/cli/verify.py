"""`shutoko verify`: compares what a record asserts, and what its players claimed, with a fresh
judgement.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from rules.errors import InputError
from shutoko.cli.common import (
    answer,
    command,
    components,
    counting,
    option,
    same_file,
    waiting,
    with_suffix,
)
from shutoko.cli.common.records import FILES, PHYSICS, each_file, engine, read_record
from shutoko.plain import plain_line, plain_record

if TYPE_CHECKING:
    from rules.record.verify import Report

_MODES = ("rules", "physics", "exact")


@command(
    "verify",
    [
        FILES,
        option(
            "--mode", choices=_MODES, default="physics", help="what is trusted (default: physics)"
        ),
        engine(PHYSICS),
        components(", for records that name none"),
        option(
            "--fill",
            action="store_true",
            help="write FILE.filled.jsonl, with a fresh judgement for every ply",
        ),
        option(
            "--out",
            type=Path,
            metavar="PATH",
            help="the file that --fill writes, instead of FILE.filled.jsonl",
        ),
    ],
    help="check what a record asserts and what its players claimed",
    description="Check a record by the rules of its game. If the game has physics, the mode "
    "says what is trusted. rules: the "
    "recorded poses, no engine runs; physics: every ply is simulated again, and falls, "
    "events and poses must agree "
    "within 0.5 mm and 1 degree; exact: every bit must agree, on the same engine and "
    "platform.",
)
def run(args: argparse.Namespace) -> int:
    """Verify each record: 0 if the referee agrees with everything recorded, 1 if not, 2 if a record
    cannot be used.
    """
    if args.out is not None and not args.fill:
        raise InputError("--out goes with --fill; add --fill, or leave --out out")
    if args.out is not None and len(args.files) > 1:
        raise InputError("--out is one file; fill one record at a time")
    return each_file(
        args.files, lambda path: _fill(path, args) if args.fill else _verify(path, args)
    )


def _verify(path: Path, args: argparse.Namespace) -> int:
    from rules.record.verify import verify

    record = read_record(path, args.components)
    how = {"engine": args.engine} if args.engine else {}
    record = plain_record(record)
    with counting(f"verifying {path.name}", quiet=args.json) as judged:
        report = verify(
            record, args.mode, on_ply=lambda done: judged(done, len(record.entries)), **how
        )
    answer(args, _plain(path, report), *_told(path, report))
    return 0 if report.ok else 1


def _fill(path: Path, args: argparse.Namespace) -> int:
    from rules.record import write
    from rules.record.disk import hold
    from rules.record.replay import fill
    from shutoko.own_box import keep_beside_record

    record = read_record(path, args.components)
    target = args.out or with_suffix(path, ".filled.jsonl")
    if same_file(target, path):
        raise InputError(
            f"{path}: --fill never overwrites its own record; name another file with --out"
        )
    with waiting(f"judging {path.name}", quiet=args.json):
        filled = fill(record, "none" if args.mode == "rules" else args.engine)
    with hold(target):
        write(keep_beside_record(filled, target.parent), target)
    answer(args, {"file": str(path), "filled": str(target)}, f"wrote {target}")
    return 0


def _told(file: Path, report: Report) -> Iterator[str]:
    path = plain_line(str(file))
    for line, ply, text in _findings(report):
        where = f"{path}:{line}:" if line is not None else f"{path}:"
        yield f"{where} {f'ply {ply}: ' if ply is not None else ''}{plain_line(text)}"
    for remark in report.remarks:
        yield f"{path}:{remark.line}: ply {remark.ply}: {plain_line(remark.text)}"
    if report.compared and report.plies:
        yield f"{path}: compared: {report.compared}"
    count = len(_findings(report))
    told = (
        f"{count} disagreement{'s' * (count > 1)}"
        if count
        else "the referee agrees with everything recorded"
    )
    judged = f"{report.plies} {'ply' if report.plies == 1 else 'plies'}"
    if back := report.taken_back:
        judged += f", and {back} that {'was' if back == 1 else 'were'} taken back"
    yield f"{path}: {judged}{'' if report.mode is None else f', {report.mode}'}: {told}"


def _findings(report: Report) -> list[tuple[int | None, int | None, str]]:
    found: list[tuple[int | None, int | None, str]] = [
        (m.line, m.ply, m.text) for m in (*report.mismatches, *report.claims)
    ]
    found += [(d.line, d.ply, d.text) for d in report.divergences]
    return sorted(found, key=lambda item: (item[0] is None, item[0] or 0))


def _plain(path: Path, report: Report) -> dict[str, object]:
    said = {
        name: [
            {
                "ply": m.ply,
                "line": m.line,
                "what": m.what,
                "expected": m.expected,
                "found": m.found,
                "text": m.text,
            }
            for m in items
        ]
        for name, items in (("mismatches", report.mismatches), ("claims", report.claims))
    }
    moved = [
        {
            "ply": d.ply,
            "line": d.line,
            "piece": d.piece,
            "mm": d.mm,
            "degrees": d.degrees,
            "try": d.attempt,
        }
        for d in report.divergences
    ]
    remarks = [{"ply": r.ply, "line": r.line, "text": r.text} for r in report.remarks]
    judged = {
        "file": str(path),
        "mode": report.mode,
        "ok": report.ok,
        "plies": report.plies,
        "taken_back": report.taken_back,
        "compared": report.compared,
    }
    return {**judged, **said, "divergences": moved, "remarks": remarks}
