"""The format of Tokyo Highway's records, as the entry point gives it to `rules.record`."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace

import pytest

from rules.errors import RecordError
from rules.game import Reason
from rules.record import canonical_json, dumps, loads
from rules.record.schema import format_of, reasons_of
from rules.turns import TurnManager
from sim.records import (
    FAR,
    FORMAT,
    MAX_POINTS,
    MAX_SHIFT,
    MAX_SPEED,
    MAX_SWEEP,
    MAX_SWEEP_TIME,
    MAX_TURN,
    MIN_SPEED,
    EndReason,
    checked_hand,
    loads_from_outside,
)
from sim.referee.table import Table

HEADER = '{"record":"shutoko","version":[1,0],"game":"tokyo-highway","players":["north","south"]}'


def test_the_format_is_found_by_its_entry_point():
    assert format_of("tokyo-highway") is FORMAT


def test_reading_a_record_imports_neither_geometry_nor_an_engine():
    code = (
        "import sys; from rules.record import loads\n"
        f"loads({HEADER.encode()!r})\n"
        "print(sorted({'numpy', 'shapely', 'highspy', 'pybullet', 'mujoco', 'sim.referee', "
        "'sim.records'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "['sim.records']\n"


def test_the_keys_of_a_move_are_ordered():
    move = {
        "cars": [{"side": 1, "along": 0.5}],
        "build": {"road": {"end": [0, 1], "start": [0, 0]}, "pillar": [1, 2], "from": "A-P0"},
    }
    ordered = (
        '{"build":{"from":"A-P0","pillar":[1,2],"road":{"start":[0,0],"end":[0,1]}},'
        '"cars":[{"along":0.5,"side":1}]}'
    )
    assert canonical_json(move, "do", "tokyo-highway") == ordered


@pytest.mark.parametrize("reason", [*EndReason, *Reason])
def test_a_game_ends_for_its_own_reasons_and_for_those_of_every_game(reason):
    raw = f'{HEADER}\n{{"end":{{"ranks":[[0],[1]],"reason":"{reason}"}}}}\n'.encode()
    assert dumps(loads(raw)) == raw
    assert reason in reasons_of("tokyo-highway")


@pytest.mark.parametrize(
    ("change", "reason", "word"),
    [
        ({"turns": TurnManager(2, finished=((0,),))}, EndReason.ALL_CARS_PLACED, "all-cars-placed"),
        ({"turns": TurnManager(2, out=((0,),))}, EndReason.LAST_STANDING, "last-standing"),
        ({"turns": TurnManager(2, out=((0,),)), "resigned": (0,)}, Reason.RESIGNED, "resigned"),
    ],
)
def test_the_reason_of_an_outcome_is_an_enum_whose_text_is_the_word_of_the_record(
    change, reason, word
):
    outcome = replace(Table.start(2), **change).outcome()
    assert outcome.reason is reason
    assert str(outcome.reason) == outcome.reason == word


# --- limits ---------------------------------------------------------------------------------------

AT_THE_LIMITS = [
    {
        "piece": "A-P0.1",
        "shift": [MAX_SHIFT, -MAX_SHIFT, MAX_SHIFT],
        "turn": [MAX_TURN, -MAX_TURN, 0],
    },
    {"path": {"points": [[FAR, -FAR, 0.0]] * MAX_POINTS, "speed": MIN_SPEED, "tool": "tweezers"}},
    {"path": {"points": [[0, 0, 0], [MAX_SWEEP, 0, 0]], "speed": MAX_SWEEP / MAX_SWEEP_TIME}},
    {"path": {"points": [[0, 0, 0], [0, 0, MAX_SWEEP]], "speed": MAX_SPEED}},
]


def test_a_hand_may_go_as_far_as_the_limits():
    assert checked_hand(AT_THE_LIMITS) == AT_THE_LIMITS
    line = json.dumps({"ply": 0, "by": 0, "do": "a", "hand": AT_THE_LIMITS})
    assert loads(f"{HEADER}\n{line}\n".encode()).entries[0].hand == AT_THE_LIMITS


# --- records from outside -------------------------------------------------------------------------


@pytest.mark.parametrize("key", ['"components":%s', '"options":{"components":%s}'])
@pytest.mark.parametrize(
    "named",
    ["/etc/box.toml", "box.toml", "../components/estimate-2018", "estimate-2018.toml", "\0"],
)
def test_a_record_from_outside_names_no_file_of_this_machine(key, named):
    header = f"{HEADER[:-1]},{key % json.dumps(named)}}}\n"
    with pytest.raises(
        RecordError,
        match=(
            r"^g\.jsonl:1: (options\.)?components is .*(may name: estimate-2018, "
            r"estimate-rubber|without a folder)$"
        ),
    ):
        loads_from_outside(header.encode(), "g.jsonl")


@pytest.mark.parametrize("more", ["", ',"components":"estimate-rubber"'])
def test_a_record_from_outside_may_use_what_is_shipped(more):
    raw = f"{HEADER[:-1]}{more}}}\n".encode()
    assert loads_from_outside(raw) == loads(raw)
