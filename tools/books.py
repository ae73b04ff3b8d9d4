"""Makes the opening book of a grid game: searches the position after each first move, once for all
its mirror images.

    python tools/books.py meridians --size 7 --depth 13
    python tools/books.py thruway --size 11 --simulations 1000000

Meridians is searched to a depth by alpha-beta, Thruway by so many simulations of the tree search
with a seed, as `best` plays them. So the same command makes the same book. It prints each first
move with its chance and the best reply, and writes rules/grid/search/book-GAME-SIZE.json after
each; begun again with the same numbers, it goes on where it stopped.

    python tools/books.py meridians --size 7 --ask best:seconds=1,clock=cpu,book=false

How often does a player find the reply of the shipped book, or a mirror image of it?
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

import rules
from rules.arena.players import player
from rules.grid.search import players
from rules.grid.search.adapters import images, load_book as load

FOLDER = Path(__file__).resolve().parents[1] / "rules" / "grid" / "search"


def main() -> None:
    """Makes a book, or asks a player about one."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=("meridians", "thruway"))
    parser.add_argument("--size", type=int, required=True)
    how = parser.add_mutually_exclusive_group(required=True)
    how.add_argument("--depth", type=int, default=0, help="plies, for alpha-beta")
    how.add_argument("--simulations", type=int, default=0, help="for the tree search")
    how.add_argument(
        "--ask", metavar="PLAYER", help="make nothing; ask a player for its replies instead"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="default: the file that the players read")
    asked = parser.parse_args()
    game: Any = rules.game(
        asked.game, size=asked.size, **({"trade": False} if asked.game == "thruway" else {})
    )
    if asked.ask:
        ask(game, asked.ask, asked.seed)
    else:
        make(game, asked)


def ask(game: Any, spec: str, seed: int) -> None:
    """Prints how often a player finds the book's reply."""
    told = load(game.name, game.size)
    if told is None:
        sys.exit(f"there is no book for {game.name} of size {game.size}")
    asked, start = player(spec, game), game.start()
    found = [
        str(asked.choose(start.after(first), np.random.default_rng([seed, n])))
        in images(game, reply)
        for n, (first, (reply, _)) in enumerate(told.items())
    ]
    print(f"{spec} finds the reply to {sum(found)} of {len(found)} first moves")


def make(game: Any, asked: argparse.Namespace) -> None:
    """Searches what is not in the file yet."""
    out = asked.out or FOLDER / f"book-{asked.game}-{asked.size}.json"
    effort = (
        f"--depth {asked.depth}"
        if asked.depth
        else f"--simulations {asked.simulations} --seed {asked.seed}"
    )
    made = f"python tools/books.py {asked.game} --size {asked.size} {effort}"
    replies: dict[str, tuple[str, float]] = {}
    if out.is_file() and (before := json.loads(out.read_text(encoding="utf-8")))["made"] == made:
        replies = before["replies"]
    start = game.start()
    for first in _classes(game):
        if first in replies:
            continue
        begun = time.process_time()
        # a new one, as what it remembers would change the result
        searcher = (
            players.alphabeta(game, depth=asked.depth)
            if asked.depth
            else players.mcts(game, simulations=asked.simulations)
        )
        reply = searcher.analyse(start.after(first), np.random.default_rng(asked.seed), 1)[0]
        replies[first] = (str(reply.move), round(reply.chance, 4))
        lines = ",\n".join(
            f"  {json.dumps(one)}: {json.dumps(replies[one])}" for one in sorted(replies)
        )
        text = f'{{"made": {json.dumps(made)},\n "replies": {{\n{lines}\n}}}}'
        half = out.with_suffix(".part")
        half.write_text(f"{text}\n", encoding="utf-8")
        half.replace(out)
        print(
            (
                f"{first:8} {1 - reply.chance:6.1%}  {reply.move}  "
                f"{time.process_time() - begun:.1f} s "
                "CPU"
            ),
            flush=True,
        )
    ranked = sorted(replies.items(), key=lambda item: item[1][1])
    sys.stdout.write(
        "".join(
            f"{first:8} {1 - chance:6.1%}  answered by {reply}\n"
            for first, (reply, chance) in ranked
        )
    )


def _classes(game: Any) -> list[str]:
    """One first move for all its mirror images."""
    return [
        text for text in map(str, game.start().legal_moves()) if text == min(images(game, text))
    ]


if __name__ == "__main__":
    main()
