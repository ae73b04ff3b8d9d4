"""The demo: replays a shipped two-player game with physics, draws the table at the end, films the
turn that earned most.

    python examples/demo.py [FOLDER]

leaves `table.png` and `turn.gif` in FOLDER (default: out). All cores draw the film.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import rules
import sim
from sim.assets import asset
from sim.referee.explain import explain

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from sim.game.replay import Step
    from sim.referee.table import Table

FILM = (480, 322)
PICTURE = (960, 645)
FPS = 15


def main(folder: Path) -> None:
    """Replays, draws, films, and says where the results are."""
    folder.mkdir(parents=True, exist_ok=True)
    record = rules.record.read(asset("records", "two-cars.jsonl"))
    best = max(record.entries, key=lambda entry: (entry.got or {}).get("cars", 0))
    filmed = last = None
    for step in sim.replay.steps(record, watched=True):
        deed, *reasons = explain(step.before, step.placement, step.verdict, record.header.players)
        print(f"ply {step.entry.ply:>2}  {deed.text}", flush=True)
        for reason in reasons:
            print(f"        {reason.text}", flush=True)
        last = step
        filmed = step if step.entry == best else filmed
    assert last is not None
    assert filmed is not None
    outcome = last.after.outcome()
    if outcome is not None:
        print(f"{record.header.players[outcome.winners[0]]} wins: {outcome.reason}")
    print(f"\ndrawing the table, and filming ply {best.ply} ...", flush=True)
    from shutoko.cli.common.workers import workers

    with workers(os.cpu_count() or 1) as executor:
        drawn = executor.submit(draw, last.after, folder / "table.png") if executor else None
        film_of(filmed, folder / "turn.gif", executor)
        if drawn is None:
            draw(last.after, folder / "table.png")
        else:
            drawn.result()
    print(f"the table at the end:         {folder / 'table.png'}")
    print(f"the turn of ply {best.ply:>2} as a film: {folder / 'turn.gif'}")


def draw(table: Table, path: Path) -> None:
    """A picture of the table. What draws is loaded here: the first ply is printed before."""
    from shutoko.export.picture import picture
    from sim.game.attempts.posing import bodies

    picture(bodies(table), path, PICTURE)


def film_of(step: Step, path: Path, executor: Executor | None) -> None:
    """A film of one turn."""
    from shutoko.export.film import film, ply_frames

    frames = ply_frames(step.before, step.placement, step.verdict, step.after, step.attempts, FPS)
    film(frames, path, FPS, FILM, executor=executor)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("out"))
