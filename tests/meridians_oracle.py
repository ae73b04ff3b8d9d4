"""A second engine for Meridians, slow and plain: the turn as the rulebook tells it, over a
dictionary of axial coordinates.

It removes dead groups where the rulebook does, at the start of the other side's turn, finds groups
anew each time and walks along lines point by point.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy

STEPS = ((1, 0), (-1, 0), (1, -1), (0, -1), (0, 1), (-1, 1))
Point = tuple[int, int]


class Oracle:
    """A game in progress; `play` changes it, `after` is another one."""

    def __init__(self, size: int, pie: bool = False) -> None:
        m = size - 1
        self.m, self.pie = m, pie
        self.points = [
            (q, r) for r in range(-m, m + 1) for q in range(-m, m) if -(m - 1) <= -q - r <= m
        ]
        self.named = {self.name(point): point for point in self.points}
        self.stones: dict[Point, int] = dict.fromkeys(self.points, 0)  # 0 empty, 1 light, 2 dark
        self.taken = {1: 0, 2: 0}
        self.colour = 1
        self.seat, self.seats = 0, {1: 0, 2: 1}
        self.asked = pie  # the pie's choice is to be made after the first ply
        self.winner = 0

    def after(self, text: str) -> Oracle:
        other = deepcopy(self)
        other.play(text)
        return other

    def name(self, point: Point) -> str:
        q, r = point
        y = r + self.m
        return "abcdefghijklmnopqrstuvwxyz"[2 * self.m - y] + str(q + min(y, self.m) + 1)

    def board_text(self) -> str:
        rows = [[p for p in self.points if p[1] == r] for r in range(-self.m, self.m + 1)]
        return "/".join("".join(".12"[self.stones[p]] for p in sorted(row)) for row in rows)

    def moves(self) -> list[str]:
        """The texts of the legal moves, sorted."""
        if self.winner:
            return []
        if self.pie and not any(self.stones.values()):
            return sorted(f"{a},{b}" for a in self.named for b in self.named if a != b)
        if self.asked:
            return ["keep", "swap"]
        return sorted(self.name(p) for p in self.points if self.may_place(p)) or ["pass"]

    @property
    def turn(self) -> tuple[int, int]:
        """The seat and the side to move."""
        return self.seat, int(self.seats[2] == self.seat)

    def end(self) -> tuple[tuple[int, ...], str] | None:
        """The seats that have won, and why."""
        return ((self.seats[self.winner],), "annihilated") if self.winner else None

    def may_place(self, point: Point) -> bool:
        if self.stones[point]:
            return False
        if self.taken[self.colour] == 0:
            return True
        if self.taken[self.colour] == 1 and any(
            self.stones[p] == self.colour for p in self.around(point)
        ):
            return False
        return any(
            seen is not None and self.stones[seen] == self.colour for seen, _ in self.sights(point)
        )

    def play(self, text: str) -> None:
        if "," in text:
            light, dark = text.split(",")
            self.stones[self.named[light]], self.stones[self.named[dark]] = 1, 2
            self.taken = {1: 1, 2: 1}
            self.seat = 1
            return
        if text in ("keep", "swap"):
            self.asked = False
            if text == "swap":
                self.seats = {1: 1, 2: 0}
            self.seat = self.seats[1]
            return
        if text != "pass":
            self.stones[self.named[text]] = self.colour
        self.end_turn()
        while not self.winner and self.begin_turn():
            self.end_turn()

    def end_turn(self) -> None:
        self.taken[self.colour] += 1
        self.colour = 3 - self.colour
        self.seat = self.seats[self.colour]

    def begin_turn(self) -> bool:
        """Steps 1 and 2; whether step 3 is skipped as the other side has nothing left."""
        other = 3 - self.colour
        if self.taken[self.colour] and self.colour not in self.stones.values():
            self.winner = other
            return False
        if self.taken[other] < 2:
            return False
        for group in [g for g in self.groups(other) if not self.has_path(g)]:
            for point in group:
                self.stones[point] = 0
        return other not in self.stones.values()

    def around(self, point: Point) -> Iterator[Point]:
        for dq, dr in STEPS:
            if (point[0] + dq, point[1] + dr) in self.stones:
                yield (point[0] + dq, point[1] + dr)

    def sights(self, point: Point) -> Iterator[tuple[Point | None, int]]:
        """For each direction the first stone met, None for the rim, and how many empty points come
        before it.
        """
        for dq, dr in STEPS:
            q, r, empty = point[0] + dq, point[1] + dr, 0
            while self.stones.get((q, r)) == 0:
                q, r, empty = q + dq, r + dr, empty + 1
            yield ((q, r) if (q, r) in self.stones else None), empty

    def groups(self, colour: int) -> list[set[Point]]:
        found: list[set[Point]] = []
        for point, stone in self.stones.items():
            if stone != colour or any(point in group for group in found):
                continue
            group, edge = {point}, [point]
            while edge:
                for p in self.around(edge.pop()):
                    if self.stones[p] == colour and p not in group:
                        group.add(p)
                        edge.append(p)
            found.append(group)
        return found

    def has_path(self, group: set[Point]) -> bool:
        colour = self.stones[next(iter(group))]
        return any(
            seen is not None and empty > 0 and self.stones[seen] == colour and seen not in group
            for point in group
            for seen, empty in self.sights(point)
        )  # fmt: skip

    def perft(self, depth: int) -> int:
        if depth == 0:
            return 1
        moves = self.moves()
        if depth == 1:
            return len(moves)
        return sum(self.after(move).perft(depth - 1) for move in moves)
