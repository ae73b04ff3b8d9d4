"""Names that somebody writes: the known name that is nearest to an unknown one, and what serves
instead of what is gone.
"""

import difflib
from collections.abc import Iterable, Mapping

_LIKENESS = 0.7  # of difflib: one slip in a short name, two in a long one


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that is most like this one; None if none is, and for a number. Capitals do not
    count.
    """
    if name.lstrip("-").isdigit():  # 0 is not a slip for 10
        return None
    names = {one.lower(): one for one in known}
    found = difflib.get_close_matches(name[:100].lower(), names, n=1, cutoff=_LIKENESS)
    return names[found[0]] if found else None


def meant(name: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: `; did you mean NAME?`, or nothing if no known
    name is near.
    """
    found = nearest(name, known)
    return "" if found is None else f"; did you mean {found}?"


_INSTEAD: Mapping[tuple[str, str], str] = {
    ("command", "challenge"): "challenge is gone: play it in the browser, at /challenge of "
    "`shutoko serve`",
    ("command", "learn meridians"): "learning Meridians is gone: train it on "
    "shutoko/Meridians-v0, as examples/maskable_ppo.py does",
    ("export", ".stl"): ".stl is gone: a record as .glb has its pieces as models",
    ("export", ".urdf"): ".urdf is gone: .xml (MJCF) is the table for simulators",
    ("export", ".sgf"): ".sgf is gone: a record (.jsonl) keeps a game, .trl one of Meridians",
    ("format", "sgf"): "sgf is gone: a record (.jsonl) keeps a game, .trl one of Meridians",
    ("kind", "learning"): "learning is gone: examples/maskable_ppo.py draws its own curve",
    ("option", "components new --estimates"): "--estimates is gone: the file has the estimates",
    ("option", "components new --set"): "--set is gone: put the value into the file",
    ("option", "export --piece"): "--piece is gone: a record as .glb has its pieces as models",
    ("option of a player", "mcts:rave"): "rave is gone: mcts alone searches as well as it can",
    ("option of a player", "planner:version"): "version is gone: planner always searches",
    ("option of a player", "policy:clock"): "clock is gone: policy looks once; planner searches",
    ("option of a player", "policy:playouts"): "playouts is gone: policy looks once; planner "
    "searches",
    ("option of a player", "policy:seconds"): "seconds is gone: policy looks once; planner "
    "searches",
    ("player", "meridians.net"): "net is gone: use mcts",
    ("player", "meridians.rave"): "rave is gone: use mcts",
    ("player", "meridians.uct"): "uct is gone: use mcts",
    ("player", "thruway.rave"): "rave is gone: use mcts",
    ("player", "thruway.uct"): "uct is gone: use mcts",
    ("shell", "fish"): "fish is gone: bash, zsh and tcsh are completed",
    ("shell", "powershell"): "powershell is gone: bash, zsh and tcsh are completed",
}


def gone(kind: str, name: str) -> str:
    """The end of a message about an unknown name that was once known: `; NAME is gone: use OTHER`;
    empty for every other name. `kind` is what the name stands for, and `name` how the table writes
    it: a command by its words after `shutoko`, a player as GAME.PLAYER, its option PLAYER:OPTION.
    """
    said = _INSTEAD.get((kind, name))
    return "" if said is None else f"; {said}"
