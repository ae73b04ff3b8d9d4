"""Games of Meridians from and for AbstractPlay, in the shapes that its library and its reports
have.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, strategies as st

from rules.errors import InputError, RecordError, ShutokoError
from rules.grid.abstractplay import dumps, from_abstractplay, loads, split, to_abstractplay
from rules.record import Entry, Header, Record, dumps as as_bytes, loads as from_bytes
from rules.record.replay import IllegalPlyError
from rules.record.verify import verify
from tests.boards import random_game, recorded

WON = ["d1,d4", "pass", "d3", "d6", "D2"]
"""Size 4: light joins its last two groups."""


def report(
    moves: list[Any], results: tuple[int, int] | None = None, size: int = 4, **header: Any
) -> dict[str, Any]:
    players = [{"name": "ann", "userid": "1"}, {"name": "bob", "userid": "2"}]
    for player, result in zip(players, results or (), strict=False):
        player["result"] = result  # type: ignore[assignment]
    head = {
        "game": {"name": "Meridians", "variants": [f"size-{size}"]},
        "site": {"name": "Abstract Play", "gameid": "0-1"},
        "date-start": "2024-01-05T10:00:00.000Z",
        "players": players,
    }
    return {"header": head | header, "moves": [moves[i : i + 2] for i in range(0, len(moves), 2)]}


def of_variants(variants: Any) -> dict[str, Any]:
    return report(["d1,d4", "pass"], game={"name": "Meridians", "variants": variants})


def texts(record: Record) -> list[Any]:
    return [entry.do for entry in record.entries]


def random_moves(seed: int, pie: bool = True) -> list[str]:
    return random_game("meridians", seed, size=4, pie=pie)


def end_of(record: Record) -> Any:
    return record.end and (record.end.ranks, record.end.reason)


def test_a_report_becomes_a_record_that_verifies() -> None:
    record = from_abstractplay(report(WON, (0, 1)))
    assert record.header.players == ("ann", "bob")
    assert record.header.options == {"size": 4, "pie": True}
    assert (record.header.date, record.header.source) == ("2024-01-05", "Abstract Play 0-1")
    assert texts(record) == ["d1,d4", "keep", "d3", "d6", "d2"]
    assert end_of(record) == (((1,), (0,)), "annihilated")
    assert verify(from_bytes(as_bytes(record))).ok


@pytest.mark.parametrize("flag", ["pie-invoked", "pied"])
def test_a_pie_that_was_taken_gives_the_first_player_back_the_first_seat(flag: str) -> None:
    """AbstractPlay reverses its list of players, so its first one is light; here the seats stay and
    the sides change.
    """
    record = from_abstractplay(report(WON, (0, 1), **{flag: True}))
    assert record.header.players == ("bob", "ann")
    assert ([entry.by for entry in record.entries], texts(record)[1]) == ([0, 1, 1, 0, 1], "swap")
    assert (end_of(record), record.warnings) == ((((0,), (1,)), "annihilated"), ())


@pytest.mark.parametrize(
    "data",
    [
        WON,
        [["d1,d4", "pass"], ["d3", "d6"], ["d2"]],
        [["d1,d4", "pass"], ["d3", {"move": "d6"}], ["d2", None]],
    ],
)
def test_bare_lists_of_moves_and_of_rounds_are_read(data: list[Any]) -> None:
    record = from_abstractplay(data, size=4)
    assert texts(record) == ["d1,d4", "keep", "d3", "d6", "d2"]
    assert from_abstractplay(data, size=4, swapped=True).entries[1].do == "swap"
    assert loads(json.dumps(data), size=4) == record


def test_a_list_is_of_the_regular_board_unless_told() -> None:
    assert from_abstractplay(["g1,g12", "pass"]).header.options == {"pie": True}


@pytest.mark.parametrize(
    ("variants", "size"),
    [
        (["size-4"], 4),
        (["Size 4: 30 points"], 4),
        (["Smaller board (base 6)"], 6),
        (["Default board (base 7)"], 7),
        (["Größeres Brett (Basis 8)"], 8),
        (["Plateau plus petit (base 6)"], 6),
        (["Більша дошка (база 8)"], 8),
        (["சிறிய பலகை (அடிப்படை 6)"], 6),
        (["size-6", "Smaller board (base 6)"], 6),
        ([], 7),
        (None, 7),
    ],
)
def test_the_only_number_in_a_variant_is_the_size_in_any_language(
    variants: list[str] | None, size: int
) -> None:
    assert from_abstractplay(of_variants(variants)).header.options.get("size", 7) == size


def test_a_list_of_reports_is_taken_apart_into_one_game_each() -> None:
    one, other = report(WON, (0, 1)), report(WON[:4])
    texts = split(json.dumps([one, other]))
    assert [loads(text) for text in texts] == [from_abstractplay(one), from_abstractplay(other)]
    for alone in (json.dumps(one), json.dumps(WON), "[]"):
        assert split(alone) == [alone]
    with pytest.raises(InputError, match=r"list of reports of AbstractPlay \(2\)"):
        loads(json.dumps([one, other]))


@pytest.mark.parametrize("players", [[{"name": None}, {}], [{"name": ""}, {"name": None}]])
def test_a_player_without_a_name_is_called_by_the_colour(players: list[Any]) -> None:
    assert from_abstractplay(report(WON, players=players)).header.players == ("light", "dark")


def test_moves_behind_the_rulebooks_end_are_kept_in_a_note_and_told() -> None:
    record = from_abstractplay(report([*WON, "d5", "a1"], (0, 1)))
    assert len(record.entries) == 5
    assert "AbstractPlay went on: d5 a1" in record.warnings[0]
    assert record.notes[0].extra == {"x-abstractplay": ["d5", "a1"]}
    assert verify(from_bytes(as_bytes(record))).ok


def test_a_passers_dead_stones_that_abstractplay_keeps_warn_of_another_winner() -> None:
    moves = random_moves(234)
    assert moves[-1] == "pass"
    loser = (len(moves) - 1) % 2  # light has the even plies
    ours = ["pass" if text in ("keep", "swap") else text for text in moves]
    agreed = from_abstractplay(report(ours, (loser, 1 - loser)), swapped=False)
    assert agreed.warnings == ()
    record = from_abstractplay(report([*ours, "a1"], (1 - loser, loser)))
    assert end_of(record)[0][0] == (1 - loser,)
    assert (
        f"gives this game to {('ann', 'bob')[loser]}, the rulebook to {('ann', 'bob')[1 - loser]}"
        in record.warnings[1]
    )


@pytest.mark.parametrize("word", ["timeout", "draw", "abandoned"])
def test_ends_that_the_rules_do_not_know_leave_the_game_unfinished(word: str) -> None:
    record = from_abstractplay(report([*WON[:4], word]))
    assert (record.end, len(record.entries)) == (None, 4)
    assert word in str(record.notes[0].note)


@pytest.mark.parametrize(
    ("word", "extra", "said"),
    [
        ("resign", {}, "the side not to move resigned"),
        ("timeout", {"x-time": True}, "the side not to move ran out of time"),
    ],
)
def test_who_gives_up_in_turn_makes_a_ply_and_out_of_turn_a_note_with_the_winner_kept(
    word: str, extra: dict[str, Any], said: str
) -> None:
    in_turn = from_abstractplay(report([*WON[:4], word], (0, 1)))
    assert (in_turn.entries[-1].do, in_turn.entries[-1].extra) == ("resign", extra)
    out_of_turn = from_abstractplay(report([*WON[:4], word], (1, 0)))
    assert len(out_of_turn.entries) == 4
    assert said in str(out_of_turn.notes[0].note)
    for record, ranks in ((in_turn, ((1,), (0,))), (out_of_turn, ((0,), (1,)))):
        assert end_of(record) == (ranks, "resigned")
        assert verify(from_bytes(as_bytes(record))).ok
        assert to_abstractplay(record)["moves"][-1] == [word]
        assert loads(dumps(record)).header.players == ("ann", "bob")


THREE = [
    report(WON, (0, 1), game={"name": "Meridians", "variants": ["size-4"]}),
    report(
        ["d4,g7", "pass", "f4", "i7", "timeout"],
        (1, 0),
        game={"name": "Meridians", "variants": ["Smaller board (base 6)"]},
        **{"pie-invoked": True},
    ),
    report(
        ["d4,g7", "pass", "f4", "i7", "a1", "resign"],
        (0, 1),
        game={"name": "Meridians", "variants": ["Plateau par défaut (base 7)"]},
    ),
]


@pytest.mark.parametrize("data", THREE, ids=["played out", "timeout, pie taken", "resigned"])
def test_a_game_of_the_site_comes_back_the_same_through_a_record(data: dict[str, Any]) -> None:
    record = from_abstractplay(data)
    written = to_abstractplay(record)
    assert written["moves"] == [[move.lower() for move in pair] for pair in data["moves"]]
    assert [(player["name"], player["result"]) for player in written["header"]["players"]] == [
        (player["name"], player["result"]) for player in data["header"]["players"]
    ]
    again = loads(dumps(record))
    assert replace(again, header=replace(again.header, source=None)) == replace(
        record, header=replace(record.header, source=None)
    )
    assert again.end is not None


@pytest.mark.parametrize(
    ("size", "shown"),
    [
        (6, "Smaller board (base 6)"),
        (7, "Default board (base 7)"),
        (8, "Larger board (base 8)"),
        (5, "size-5"),
    ],
)
def test_exports_name_the_variant_as_the_site_shows_it(size: int, shown: str) -> None:
    record = from_abstractplay(["d1,d4", "pass"], size)
    assert to_abstractplay(record)["header"]["game"]["variants"] == [shown]


UNKNOWN = "the variant '{}' of AbstractPlay's Meridians is not known"


@pytest.mark.parametrize(
    ("data", "given", "message"),
    [
        (17, {}, "a list of moves is needed"),
        ({"moves": ["a1"]}, {}, "a list of moves is needed"),
        ({"header": {"game": {"name": "Hex"}}, "moves": []}, {}, "the game 'Hex'; only Meridians"),
        ([["d1,d4", "pass", "d3"]], {"size": 4}, "round 1 has 3 moves"),
        ([["d1,d4"], ["d3", "d6"]], {"size": 4}, "round 1 has 1 moves"),
        (report(WON, players=["ann"]), {}, "players of AbstractPlay's report"),
        (report(WON, players=[{"name": "ann"}]), {}, "players of AbstractPlay's report"),
        (report(WON, players=[{"name": 7}, {"name": "bob"}]), {}, "must be a text"),
        *(
            (of_variants([text]), {}, UNKNOWN.format(text))
            for text in ("misère", "board 6 of 8", "base 99")
        ),
        (
            of_variants(["size-6", "Larger board (base 8)"]),
            {},
            "contradict each other: sizes 6 and 8; leave one",
        ),
        (of_variants("size-6"), {}, "game.variants of AbstractPlay's report must be a list of"),
        (
            report(WON),
            {"size": 5},
            "size = 5 was asked for, but AbstractPlay's report says 4",
        ),
        (report(WON), {"swapped": True}, "swapped = True was asked for"),
    ],
)
def test_what_is_no_game_of_abstractplay_is_refused(
    data: Any, given: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        from_abstractplay(data, **given)


@pytest.mark.parametrize(
    ("moves", "ply", "message"),
    [
        (["d1"], 0, "begins with two points"),
        (["d1,d4", "d3"], 1, "where AbstractPlay's second player passes"),
        (["d1,d4", "pass", "d2"], 2, "may not touch"),
        (["d1,d4", "pass", "z9"], 2, "no point of the board"),
        (["d1,d4", "pass", 7], 2, "a move of AbstractPlay is a text"),
        (["d1,d4", "pass", "draw", "d3"], 2, "moves follow 'draw'"),
        (["d1,d4", "pass", "resign", "d3"], 2, "moves follow 'resign'"),
    ],
)
def test_a_move_that_cannot_be_names_its_ply(moves: list[Any], ply: int, message: str) -> None:
    with pytest.raises(RecordError, match=message) as caught:
        from_abstractplay(moves, 4)
    assert caught.value.ply == ply


@pytest.mark.parametrize("text", ["", "{", "[1", "nul", "[" * 100_000])
def test_text_that_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="not JSON"):
        loads(text)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=5)
    | st.sampled_from([*WON, "resign", "header", "moves"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["header", "moves", "game", "players"]), inner)
    ),
)


@given(JSON)
def test_garbage_raises_only_the_projects_errors(data: Any) -> None:
    with suppress(ShutokoError):
        from_abstractplay(data)


@given(st.integers(0, 2**32), st.booleans(), st.integers(0, 40))
def test_a_record_comes_back_from_abstractplay_the_same(seed: int, pie: bool, plies: int) -> None:
    """Without the pie option the same moves come back as a game whose pie was not taken."""
    record = recorded("meridians", random_moves(seed, pie)[: max(plies, 2)], size=4, pie=pie)
    record = replace(record, header=replace(record.header, source="Abstract Play"))
    written = to_abstractplay(record)
    assert [len(each) for each in written["moves"][:-1]] == [2] * (len(written["moves"]) - 1)
    again = loads(dumps(record))
    assert again.header.players == record.header.players
    assert (to_abstractplay(again), end_of(again)) == (written, end_of(record))
    first, second, *rest = texts(record)
    assert texts(again) == ([first, second, *rest] if pie else [f"{first},{second}", "keep", *rest])


@pytest.mark.parametrize(
    ("header", "moves", "message"),
    [
        (Header("thruway", ("a", "b")), [], "cannot hold a game of 'thruway'"),
        (Header("meridians", ("a", "b", "c")), [], "has 2 seats, but players names 3"),
        (Header("meridians", ("a", "b"), options={"ko": 1}), [], "no option 'ko'"),
        (Header("meridians", ("a", "b")), ["d1"], "a stone of each colour"),
        (Header("meridians", ("a", "b")), ["d1", "d1"], "ply 1: illegal: d1 is taken"),
    ],
)
def test_what_abstractplay_cannot_hold_is_not_written(
    header: Header, moves: list[str], message: str
) -> None:
    record = Record(header, tuple(Entry(ply, ply, text) for ply, text in enumerate(moves)))
    with pytest.raises((InputError, IllegalPlyError), match=message):
        to_abstractplay(record)
