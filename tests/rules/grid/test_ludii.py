"""Games of Meridians from and for Ludii. The moves of TRIAL are facts of a random game that comes
with Ludii (Player/res/random_trials/board/space/group/Meridians/RandomTrial_0.txt, Ludii 1.3.3):
each site, and the sites it emptied.
"""

from __future__ import annotations

import pytest

from rules.errors import InputError, RecordError
from rules.grid.ludii import dumps, loads
from rules.record import Entry, Header, Record
from rules.record.verify import verify
from tests.boards import random_game, recorded

TRIAL = """
3 48 49 10 67 90 70 61 14:67 78 96 22 88 83 20:96 67 \
95 44 11 25 18:14,20 73 55 89 1 13 38 59:13,25 31 65 28 45 82 72
58 15 64 84 19 98 30 96:44 56 36 43 80 74 62 34 37 29 46 104 86 13 106 23 16 17 14 47 81 39:74 \
21:14 69 97 \
105 53 108
107 57 87 63 40:37 2 33 75 77 54 41 5 92 20 100 4 27 93 74 113 6 12 112 60 71 35 \
52:6,10,15,16,21,22 42
103:27,33,36,40,45,46,52,53,59,65,71,72,77,78,83,84,89,90,92,96,97,98,103,106,107,112 7 94 52
68:41,48,61,62,67,68,73,74,80,81,86,87,94,100
"""


def trial(moves: str, *end: str, options: tuple[str, ...] = ()) -> str:
    lines = [
        "game=../Common/res/lud/board/space/group/Meridians.lud",
        "START GAME OPTIONS",
        *options,
        "END GAME OPTIONS",
    ]
    lines.append("RNG internal state=-126,90,-125,-115,18,13,104,101")
    for ply, word in enumerate(moves.split()):
        site, _, gone = word.partition(":")
        player = ply % 2 + 1
        removed = "".join(f",[Remove:type=Vertex,to={one}]" for one in gone.split(",") if one)
        added = f"[Add:type=Vertex,to={site},what={player},decision=true]"
        lines.append(f"Move=[Move:mover={player},from={site},to={site},actions={added}{removed}]")
    return "\n".join([*lines, *end])


def of_moves(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("Move=")]


def played_out(seed: int, **options: object) -> Record:
    return recorded("meridians", random_game("meridians", seed, **options), **options)


def test_a_game_of_ludii_has_the_same_captures_and_the_same_winner_here() -> None:
    record = loads(
        trial(
            TRIAL,
            "LEGAL MOVES LIST SIZE = 114",
            "numInitialPlacementMoves=0",
            "winner=1",
            "endtype=NaturalEnd",
        )
    )
    assert (len(record.entries), record.warnings) == (102, ())
    assert record.end is not None
    assert record.end.ranks == ((0,), (1,))
    assert verify(record).ok


def test_what_is_written_is_what_ludii_wrote() -> None:
    text = trial(TRIAL, "winner=1")
    again = dumps(loads(text))
    assert of_moves(again) == of_moves(text)
    assert again.splitlines()[-5:-2] == ["winner=1", "endtype=NaturalEnd", "rankings=0.0,1.0,2.0"]


@pytest.mark.parametrize(("size", "seed"), [(6, 1), (7, 2), (8, 3)])
def test_every_size_that_ludii_has_comes_back(size: int, seed: int) -> None:
    record = played_out(seed, size=size)
    again = loads(dumps(record))
    assert (again.header.options, again.end) == (record.header.options, record.end)
    assert [entry.do for entry in again.entries] == [entry.do for entry in record.entries]
    assert again.warnings == ()


def test_the_pair_of_a_pie_is_written_as_two_moves() -> None:
    record = played_out(4, size=6, pie=True)
    again = loads(dumps(record))
    light, dark = str(record.entries[0].do).split(",")
    assert [entry.do for entry in again.entries] == [
        light,
        dark,
        *(entry.do for entry in record.entries[2:]),
    ]
    assert (again.warnings, again.end and again.end.reason) == ((), "annihilated")


def test_a_resignation_is_written_as_an_unfinished_game() -> None:
    record = Record(Header("meridians", ("a", "b"), options={"size": 7}))
    record = record.plus(Entry(0, 0, "d4")).plus(Entry(1, 1, "resign"))
    text = dumps(record)
    assert (len(of_moves(text)), text.count("winner="), loads(text).end) == (1, 0, None)


def test_where_ludii_differs_the_record_warns() -> None:
    wrong = trial(TRIAL.replace("14:67", "14"), "winner=2")
    assert loads(wrong).warnings == (
        "ply 8: by the rulebook these stones come off: l5; in the trial: none",
        "Ludii gives this game to dark, the rulebook to light",
    )
    assert loads(trial("3 48", "winner=1")).warnings == (
        "Ludii gives this game to light, by the rulebook it goes on",
    )
    assert loads(trial("3 48", "winner=0")).warnings == ()
    longer, told = loads(trial(TRIAL + " 0")), "the game ends after ply 101; Ludii went on for 1"
    assert longer.warnings == (f"ply 102: by the rulebook {told} plies",)
    assert longer.end is not None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not a trial of Ludii: its first line must begin with game="),
        (
            "game=/lud/board/space/line/Hex.lud",
            "this trial of Ludii is of the game '/lud/board/space/line/Hex.lud'; only",
        ),
        ("game=Meridians.lud\n" + "x" * (1 << 20), "a trial has at most 1048576"),
        (
            trial("3", options=("Board Size/9 9",)),
            "the option 'Board Size/9 9' of Ludii's Meridians is not known; options: Bo",
        ),
    ],
)
def test_what_is_no_trial_of_meridians_is_refused(text: str, says: str) -> None:
    with pytest.raises(InputError) as caught:
        loads(text)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (trial("3 114"), "ply 1: site 114 is not on Ludii's board of 114 points"),
        (trial("3 3"), "ply 1: 'i1' is illegal: i1 is taken; position: "),
        (trial("3").replace("mover=1", "mover=2"), "ply 0: Ludii's player 2 moves out of turn"),
        (
            trial("3").replace("[Add:", "[Swap:"),
            "ply 0: Ludii's Meridians has no action '[Swap:type=Vertex",
        ),
        (
            trial("3").replace("Move=[Move:", "Move=[Jump:"),
            "ply 0: not a move of Ludii's Meridians, which adds one",
        ),
        (
            trial("3").replace("to=3,what", "to=99999,what"),
            "ply 0: Ludii's Meridians has no action",
        ),
    ],
)
def test_a_bad_move_is_refused_with_its_ply(text: str, says: str) -> None:
    with pytest.raises(RecordError) as caught:
        loads(text)
    assert str(caught.value).startswith(says)


@pytest.mark.parametrize(
    ("header", "says"),
    [
        (Header("thruway", ("a", "b")), "Ludii's Meridians cannot hold a game of 'thruway'"),
        (
            Header("meridians", ("a", "b"), options={"size": 5}),
            "Ludii's Meridians has boards of size 6, 7 and 8, not 5",
        ),
        (
            Header("meridians", ("a", "b"), options={"ko": 1}),
            "meridians: there is no option 'ko'; options: size, pie",
        ),
    ],
)
def test_what_ludii_cannot_hold_is_refused(header: Header, says: str) -> None:
    with pytest.raises(InputError) as caught:
        dumps(Record(header))
    assert str(caught.value) == says
