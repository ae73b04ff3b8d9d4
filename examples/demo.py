"""The demo: replays a shipped two-player game with physics, draws the table at the end, films the turn that earned most.

    python examples/demo.py [FOLDER]

leaves `table.png` and `turn.gif` in FOLDER (default: out).
"""

from __future__ import annotations

import sys
from pathlib import Path

import rules
import sim
from shutoko.export.film import film, ply_frames
from shutoko.export.picture import picture
from sim.assets import asset
from sim.game.attempts.posing import bodies
from sim.referee.reasons.explain import explain


def main(folder: Path) -> None:
    """Replays, draws, films, and says where the results are."""
    folder.mkdir(parents=True, exist_ok=True)
    record = rules.record.read(asset("records", "two-cars.jsonl"))
    steps = []
    for step in sim.replay.steps(record, watched=True):
        deed, *reasons = explain(step.before, step.placement, step.verdict, record.header.players)
        print(f"ply {step.entry.ply:>2}  {deed.text}")
        for reason in reasons:
            print(f"        {reason.text}")
        steps.append(step)
    outcome = steps[-1].after.outcome()
    if outcome is not None:
        print(f"{record.header.players[outcome.winners[0]]} wins: {outcome.reason}")
    best = max(steps, key=lambda step: len(step.verdict.spots))
    picture(bodies(steps[-1].after), folder / "table.png")
    film(ply_frames(best.before, best.placement, best.verdict, best.after, best.attempts), folder / "turn.gif")
    print(f"\nthe table at the end:         {folder / 'table.png'}")
    print(f"the turn of ply {best.entry.ply:>2} as a film: {folder / 'turn.gif'}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("out"))
