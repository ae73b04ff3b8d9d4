"""Names that earlier programs, files and people may still use, and what serves instead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Kind = Literal["option of a player", "player"]
"""What a name can stand for."""

_INSTEAD: Mapping[tuple[Kind, str], str] = {
    ("option of a player", "mcts:rave"): "rave is gone: mcts alone searches as well as it can",
    ("player", "meridians.rave"): "rave is gone: use mcts",
    ("player", "meridians.uct"): "uct is gone: use mcts",
    ("player", "thruway.rave"): "rave is gone: use mcts",
    ("player", "thruway.uct"): "uct is gone: use mcts",
}


def gone(kind: Kind, name: str) -> str:
    """The end of a message about an unknown name that was once known: `; NAME is gone: use OTHER`;
    empty for every other name. The name of
    a player is GAME.PLAYER, that of its option PLAYER:OPTION.
    """
    said = _INSTEAD.get((kind, name))
    return "" if said is None else f"; {said}"
