"""What a page shows of a board beyond its stones: the moves on offer, what each would do, and the marks on cells.

Everything is read off `board_text()` and the legal moves, so it is the rules' engine that decides; only what the marks mean
(an indestructible tile, a dispute, a group without a path) is worked out here, from the rules' words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rules.grid.boards import HexBoard, SquareBoard
from shutoko.export.board import Offer, Sign, cells, named

__all__ = ["PLAIN", "label_of", "offers", "partners", "plain_moves", "shown", "signs"]

PLAIN = ("trade", "keep", "swap", "pass")
"""Moves that are no place on the board; a page gives them buttons."""

_COLOURS = ("1", "2")

Text = Callable[..., str]


def plain_moves(state: Any) -> list[str]:
    """The legal moves that are no place on the board."""
    if _is_pairing(state):
        return []
    return [str(move) for move in state.legal_moves() if str(move) in PLAIN]


def offers(state: Any, text: Text, picked: str | None = None, chosen: str | None = None) -> list[Offer]:
    """The legal moves that are places on the board, with what the cells would hold.

    In the opening of the pie option each stone of the pair is picked by itself: `picked` is light's point, once there is one.
    `chosen` is the move that is shown without being pointed at. `text` gives the words.
    """
    if _is_pairing(state):
        free = [cell.name for cell in cells(state.board_text()) if cell.holds == "." and cell.name != picked]
        colour = "1" if picked is None else "2"
        pairs = [(name if picked is None else f"{picked},{name}", name) for name in free]
        halves = [
            Offer(move, text("put", cell=name, colour=text(f"meridians_{colour}")), {name: colour}) for move, name in pairs
        ]
        return halves if chosen is None else [*halves, _of_stones(chosen, text)]
    made = _of_pair if state.game.name == "thruway" else _of_point
    moves = [str(move) for move in state.legal_moves() if str(move) not in PLAIN]
    held = {cell.name: cell.holds for cell in cells(state.board_text())}
    return [made(state, move, held, text)._replace(chosen=move == chosen) for move in moves]


def shown(state: Any, move: str, text: Text) -> list[Offer]:
    """A legal move drawn as if it were pointed at; nothing for what is no place on the board."""
    if move in PLAIN or not named(move):
        return []
    if _is_pairing(state):
        return [_of_stones(move, text)]
    made = _of_pair if state.game.name == "thruway" else _of_point
    held = {cell.name: cell.holds for cell in cells(state.board_text())}
    return [made(state, move, held, text)._replace(chosen=True)]


def partners(state: Any, cell: str) -> list[str]:
    """The moves of pairs that `cell` is one half of."""
    return [str(move) for move in state.legal_moves() if cell in named(str(move))]


def signs(state: Any, before: Any = None) -> dict[str, Sign]:
    """The marks on cells; `before` is the position before the last ply, whose stones that are gone are marked."""
    found: dict[str, Sign] = {}
    now = [cell.holds for cell in cells(state.board_text())]
    if state.game.name == "thruway":
        board = SquareBoard.of(state.game.size)
        disputed = {cell for square in _disputes(now, board.size) for cell in square}
        for cell, holds in enumerate(now):
            around = [n for n in board.neighbours[cell].tolist() if n >= 0]
            if cell in disputed:
                found[board.names[cell]] = "dispute"
            elif holds in _COLOURS and all(now[n] in _COLOURS for n in around):
                found[board.names[cell]] = "solid"
        return found
    points = HexBoard.of(state.game.size)
    for cell in _pathless(now, points):
        found[points.names[cell]] = "dead"
    if before is not None:
        was = [cell.holds for cell in cells(before.board_text())]
        for cell, (old, new) in enumerate(zip(was, now, strict=True)):
            if old in _COLOURS and new == ".":
                found[points.names[cell]] = "gone"
    return found


def label_of(name: str, holds: str, sign: Sign | None, game: str, text: Text) -> str:
    """What a screen reader says of a cell."""
    what = text("empty") if holds == "." else text(f"{game}_{holds}")
    return f"{name}, {what}" + (f", {text(f'sign_{sign}')}" if sign else "")


def _is_pairing(state: Any) -> bool:
    """Whether the move is the pair of stones that the pie option of Meridians begins with."""
    return bool(state.game.name == "meridians" and state.game.pie and state.turns.ply == 0)


def _of_stones(move: str, text: Text) -> Offer:
    """Both stones of the pie option's opening."""
    light, dark = named(move)
    return Offer(move, text("put_pair", a=light, b=dark), {light: "1", dark: "2"}, chosen=True)


def _of_pair(state: Any, move: str, held: Mapping[str, str], text: Text) -> Offer:
    one, other = named(move)
    own = _COLOURS[state.side]
    if "/" in move:
        return Offer(move, text("swap_pair", a=one, b=other), {one: held[other], other: held[one]})
    word = "replace" if held[one] != "." or held[other] != "." else "pave"
    return Offer(move, text(word, a=one, b=other), {one: own, other: own})


def _of_point(state: Any, move: str, held: Mapping[str, str], text: Text) -> Offer:
    own = _COLOURS[state.side]
    seen = [(move, other) for other in _seen(move, held, HexBoard.of(state.game.size)) if held[other] == own]
    return Offer(move, text("put", cell=move, colour=text(f"meridians_{own}")), {move: own}, seen)


def _seen(move: str, held: Mapping[str, str], board: HexBoard) -> Iterator[str]:
    """The first stone in each of the six directions."""
    for direction in range(6):
        at = int(board.neighbours[board.index[move], direction])
        while at >= 0 and held[board.names[at]] == ".":
            at = int(board.neighbours[at, direction])
        if at >= 0:
            yield board.names[at]


def _disputes(now: Sequence[str], size: int) -> Iterator[tuple[int, int, int, int]]:
    """Squares of four tiles, each diagonal in one colour (Thruway, rule 2 c)."""
    for row in range(size - 1):
        for column in range(size - 1):
            a = row * size + column
            b, c, d = a + 1, a + size, a + size + 1
            if now[a] == now[d] != now[b] == now[c] and "." not in (now[a], now[b]):
                yield a, b, c, d


def _pathless(now: Sequence[str], board: HexBoard) -> Iterator[int]:
    """Stones of groups that see no other group of their colour: dead unless that changes (Meridians)."""
    group = [-1] * board.points
    groups: list[list[int]] = []
    for first in range(board.points):
        if now[first] == "." or group[first] >= 0:
            continue
        group[first], members = len(groups), [first]
        for cell in members:
            for other in board.neighbours[cell].tolist():
                if other >= 0 and now[other] == now[first] and group[other] < 0:
                    group[other] = len(groups)
                    members.append(other)
        groups.append(members)
    for number, members in enumerate(groups):
        colour = now[members[0]]
        if sum(now[other[0]] == colour for other in groups) == 1 and sum(holds == colour for holds in now) == 1:
            continue  # a side's first stone is alone by rule
        if not any(_reaches(cell, number, group, now, board) for cell in members):
            yield from members


def _reaches(cell: int, number: int, group: Sequence[int], now: Sequence[str], board: HexBoard) -> bool:
    for direction in range(6):
        at = int(board.neighbours[cell, direction])
        gap = 0
        while at >= 0 and now[at] == ".":
            at, gap = int(board.neighbours[at, direction]), gap + 1
        if at >= 0 and gap and now[at] == now[cell] and group[at] != number:
            return True
    return False
