"""Opening books: what they hold is legal and whole, they say the same of mirror images, and `best`
plays by them.
"""

from __future__ import annotations

import json
from importlib.resources import files

import numpy as np
import pytest

import rules
from rules.arena.players import player
from rules.grid.base import GridMove
from rules.grid.search.adapters import Book, images, load_book as load

SHIPPED = (
    ("meridians", 5),
    ("meridians", 6),
    ("meridians", 7),
    ("thruway", 9),
    ("thruway", 11),
    ("thruway", 13),
)
RNG = np.random.default_rng(1)


def started(name, size, **options):
    return rules.game(name, size=size, **({"trade": False} if name == "thruway" else {}) | options)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "size"), SHIPPED)
def test_a_shipped_book_answers_each_first_move_and_its_mirror_images(name, size):
    game = started(name, size)
    book, start = Book(game, load(name, size)), game.start()
    assert book.choose(start, RNG) in start.legal_moves()
    for first in start.legal_moves():
        state = start.after(first)
        reply = book.choose(state, RNG)
        assert reply in state.legal_moves()
        assert book.choose(state.after(reply), RNG) is None
        alike = [start.after(start.parse(image)) for image in images(game, str(first))]
        # a first move that is its own mirror image has replies that are mirror images of each other
        known = {str(book.choose(other, RNG)) for other in alike}
        assert known <= set(images(game, str(reply)))


@pytest.mark.parametrize(("name", "size"), SHIPPED)
def test_a_shipped_book_says_how_it_was_made(name, size):
    told = json.loads(
        files("rules.grid.search").joinpath(f"book-{name}-{size}.json").read_text(encoding="utf-8")
    )
    assert told["made"].startswith(f"python tools/books.py {name} --size {size} --")
    assert all(0.0 < chance < 1.0 for _, chance in told["replies"].values())


def test_the_first_move_is_one_of_the_best_by_lot():
    game = started("meridians", 4)
    told = {"a1": ("d4", 0.6), "a2": ("d4", 0.3), "b2": ("d4", 0.305), "c1": ("d4", 0.5)}
    chosen = {
        str(Book(game, told).choose(game.start(), np.random.default_rng(seed)))
        for seed in range(40)
    }
    assert chosen == {*images(game, "a2"), *images(game, "b2")}


def test_with_a_trade_the_opening_is_even_and_the_better_colour_is_taken():
    game = started("thruway", 4, trade=True)
    told = {"a1-a2": ("b2-b3", 0.8), "b2-c2": ("a1-b1", 0.49), "a1-b1": ("b2-b3", 0.3)}
    book = Book(game, told, even=True, exchange=GridMove("trade"))
    start = game.start()
    first = book.choose(start, RNG)
    assert str(first) in images(game, "b2-c2")
    assert str(book.choose(start.after(first), RNG)) == "trade"
    traded = start.after(first).after("trade")
    assert book.choose(traded, RNG) in traded.legal_moves()  # the same reply, of the other player
    assert str(book.choose(start.after("a1-a2"), RNG)) == "b2-b3"


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("meridians", {"size": 7, "pie": True}),
        ("thruway", {"size": 11, "ko": "any"}),
        ("meridians", {"size": 12}),
    ],
)
def test_other_rules_and_sizes_have_no_book(name, options):
    from rules.grid.search.adapters import adapter_for

    assert adapter_for(rules.game(name, **options)).book() is None


def test_best_plays_by_the_book_unless_it_is_told_not_to():
    game = rules.game("meridians", size=5)
    state = game.start().after("e4")
    known = player("best:seconds=0.01", game).choose(state, RNG)
    assert known == Book(game, load("meridians", 5)).choose(state, RNG)
    asked = []
    searching = player("best:seconds=0.01,book=false", game)
    searching.analyse = lambda *given: (
        asked.append(given) or [rules.grid.search.players.Choice(known, 0.5, 1, "depth")]
    )
    searching.choose(state, RNG)
    assert asked
