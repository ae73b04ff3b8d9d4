"""What is fuzzed: targets, each with inputs that look almost right, and a run that only errors of
ours may end.

`test_fuzz.py` runs each for a moment, or for as long as `tools/fuzz.py` is told. What either
ever found lies in `corpus/`, a JSON file an input, and is run again by every test run.
"""

from __future__ import annotations

import copy
import json
import math
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from rules.errors import ShutokoError
from rules.game import game
from rules.grid import abstractplay, ludii
from rules.record import dumps, loads
from rules.record.replay import replay
from rules.record.verify import verify
from shutoko.cli.common import options_of
from sim.game.replay import steps
from sim.pieces import _load
from sim.referee.placement import Placement
from sim.referee.table import Table
from tests.bad_input.web_fuzzing import events, requests, run_events, run_requests, run_upload

CHECKOUT = Path(__file__).resolve().parents[2]
CORPUS = Path(__file__).resolve().parent / "corpus"
_PLIES = 6  # of a record: judging more takes longer and finds no more


@dataclass(frozen=True, slots=True)
class Target:
    """Something that reads input: texts that look almost right, and the run of one text.

    A run may raise no error but AssertionError for a promise that was broken, and whatever else is
    a bug. One that is not `quick` is only for `tools/fuzz.py`.
    """

    name: str
    texts: st.SearchStrategy[str]
    run: Callable[[str], None]
    quick: bool = True


# --- almost right ---------------------------------------------------------------------------------

_NUMBERS = (
    0,
    -1,
    1,
    2,
    3,
    7,
    0.5,
    -0.0,
    99,
    1001,
    1e5,
    2e5,
    1e9,
    1e300,
    1e308,
    -1e308,
    5e-324,
    2**63,
    10**300,
)
_WORDS = (
    "",
    "pass",
    "resign",
    "A-P0",
    "A-P1",
    "A-R1",
    "B-R0",
    "X0",
    "A-C0",
    "A-P0.1",
    "tower",
    "d4",
    "a1-b1",
    "\0",
    "é",
    "x" * 300,
)
_ODD = st.one_of(
    st.sampled_from(_NUMBERS),
    st.sampled_from(_WORDS),
    st.sampled_from(
        (
            None,
            True,
            False,
            [],
            {},
            [[]],
            [0, 0],
            [0, 0, 0],
            {"table": [0, 0]},
            [0, 0, 0, 0, 0, 0, 1],
        )
    ),
    st.floats(-200, 200),
    st.integers(-3, 40),
    st.text(max_size=4),
)


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a JSON value: the list or object and the index or key."""
    found = []
    keys = (
        list(value)
        if isinstance(value, dict)
        else range(len(value))
        if isinstance(value, list)
        else ()
    )
    for key in keys:
        found += [(value, key), *_places(value[key])]
    return found


@st.composite
def _mutated(draw: st.DrawFn, seeds: list[Any]) -> Any:
    """A JSON value in which up to three places were changed, dropped, doubled or exchanged."""
    value = copy.deepcopy(draw(st.sampled_from(seeds)))
    for _ in range(draw(st.integers(1, 3))):
        places = _places(value)
        if not places:
            break
        inside, key = places[draw(st.integers(0, len(places) - 1))]
        match draw(st.integers(0, 5)):
            case 0:
                del inside[key]
            case 1 if isinstance(inside, list):
                inside.insert(key, copy.deepcopy(inside[key]))
            case 1 | 2:
                other, there = places[draw(st.integers(0, len(places) - 1))]
                inside[key] = copy.deepcopy(other[there])
            case 3 if isinstance(inside[key], int | float) and not isinstance(inside[key], bool):
                inside[key] = inside[key] * draw(
                    st.sampled_from((-1, 0, 0.5, 10, 1.01, 1e9, 1e300))
                )
            case _:
                inside[key] = copy.deepcopy(draw(_ODD))
    return value


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


_SPLINTERS = ("", "[" * 70, "9" * 400, "NaN", "\n", "\r\n", "\0", '"', "{}", "1e999")


@st.composite
def _spoilt(draw: st.DrawFn, texts: st.SearchStrategy[str]) -> str:
    """A text, now and then with a piece cut out, doubled or put in."""
    text = draw(texts)
    if not text or draw(st.integers(0, 3)):
        return text
    at, long = draw(st.integers(0, len(text))), draw(st.integers(0, 12))
    put = draw(st.sampled_from((*_SPLINTERS, text[at : at + long] * 2)))
    return text[:at] + put + text[at + long :]


# --- records --------------------------------------------------------------------------------------


def _records() -> list[Any]:
    folder = CHECKOUT / "assets/records"
    names = (
        "knock",
        "two-cars",
        "three-players",
        "noted-by-hand",
        "boards/thruway-opening",
        "scenarios/V3",
        "scenarios/V9",
    )
    found = []
    for name in names:
        lines = (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        found.append([json.loads(line) for line in lines[: _PLIES + 1]])
    path = {"points": [[0, 0, 60], [10, 0, 30], [30, 0, 60]], "speed": 200, "tool": "finger"}
    hand = [{"piece": "A-P0.1", "shift": [1, 2, 3], "turn": [0, 0, 5]}, {"path": path}]
    found[0][1] |= {"hand": hand, "note": "n", "x-clock": [300, 299.5], "claim": {"cars": 1}}
    found[0][1]["got"] |= {"x-cars": [0.5], "x-touched": ["X0"], "restless": ["A-C0"], "out": []}
    return found


def _run_record(text: str) -> None:
    with suppress(ShutokoError):
        record = loads(text.encode("utf-8", "surrogatepass"), "fuzzed.jsonl")
        again = dumps(record)
        assert loads(again) == record, "what was read and written reads back equal"
        assert dumps(loads(again)) == again, "what was written is canonical"
        with suppress(ShutokoError):
            for _ in islice(replay(record), _PLIES):
                pass
        with suppress(ShutokoError):
            verify(record, "rules")
        if record.header.game == "tokyo-highway":
            for step in islice(steps(record, "none"), _PLIES):
                _json(step.got())


# --- one change in a shipped game -----------------------------------------------------------------

_SHIPPED = ("four-players", "junction-exit", "knock", "three-players", "two-cars")
_FIRST, _MORE = 16, 2  # lines of a game, and after the change, that an engine settles again
_NONE: Mapping[str, Any] = {"cars": 0, "placed": 0, "fallen": [], "paid": [], "out": []}


def _shipped(game: str) -> list[bytes]:
    return (CHECKOUT / f"assets/records/{game}.jsonl").read_bytes().splitlines(keepends=True)


@st.composite
def _changes(draw: st.DrawFn, modes: tuple[str, ...]) -> str:
    """A line of a shipped game, a mode of `verify`, and one key of the line with another value: a
    pose (up to 30 mm off), a car, a payment or a claim.
    """
    game, mode = draw(st.sampled_from(_SHIPPED)), draw(st.sampled_from(modes))
    plies = [n for n, line in enumerate(_shipped(game)) if b'"ply"' in line]
    number = draw(st.sampled_from(plies if mode == "rules" else plies[:_FIRST]))
    line = json.loads(_shipped(game)[number])
    got, do = line["got"], line["do"]
    other = draw(st.sampled_from([seat for seat in (0, 1) if seat != line["by"]]))
    paid = [{"to": other, "grey": draw(st.integers(0, 3)), "yellow": draw(st.integers(0, 2))}]
    counts = {key: draw(st.integers(0, 3)) for key in ("cars", "placed")}
    choices: list[tuple[list[Any], Any]] = [
        *((["got", key], count) for key, count in counts.items() if count != got.get(key)),
        *((["claim", key], count) for key, count in counts.items()),
        (["claim", "fallen"], draw(st.sampled_from([[], ["A-R0"], got.get("fallen", [])]))),
        (["got", "paid"], paid),
        (["claim", "paid"], paid),
        (["pay"], paid),
    ]
    place = draw(st.integers(50, 950)) / 1000
    if isinstance(do, dict):
        choices += [(["do", "cars", n], place) for n in range(len(do.get("cars", ())))]
        choices += [(["do", "car"], place)] if "car" in do else []
    piece = draw(st.sampled_from(sorted(got.get("moved", {})) or [""]))
    if piece:
        x, y, z, *turn = got["moved"][piece]
        far, around = draw(st.floats(0.001, 30)), draw(st.floats(0, 2 * math.pi))
        up = draw(st.floats(-1, 1))
        flat = far * math.sqrt(1 - up**2)
        at = [x + flat * math.cos(around), y + flat * math.sin(around), max(0.0, z + far * up)]
        choices += [(["got", "moved", piece], [*at, *turn])] * 8
    keys, value = draw(st.sampled_from(choices))
    return _json({"game": game, "mode": mode, "line": number, "keys": keys, "value": value})


def _run_change(text: str) -> None:
    told = json.loads(text)
    lines, number, mode, keys = _shipped(told["game"]), told["line"], told["mode"], told["keys"]
    place = line = json.loads(lines[number])
    for key in keys[:-1]:
        place = place.setdefault(key, {}) if isinstance(place, dict) else place[key]
    was = place[keys[-1]] if isinstance(place, list) else place.get(keys[-1])
    place[keys[-1]] = told["value"]
    lines[number] = _json(line).encode() + b"\n"
    if mode != "rules":
        del lines[number + _MORE + 1 :]
    report = verify(loads(b"".join(lines), f"{told['game']}.jsonl"), mode)
    found = [*report.mismatches, *report.divergences, *report.claims]
    first = min((one.ply for one in found if one.ply is not None), default=None)
    if _is_judged(line, keys, was, told["value"], mode):
        assert first == line["ply"], f"ply {line['ply']} changed, ply {first} is told first"
    else:
        # a pose that is hardly off passes; what is built on it then may come to rest elsewhere
        assert first in (None, line["ply"]) or (
            keys[:2] == ["got", "moved"] and first > line["ply"]
        ), f"ply {line['ply']} changed, ply {first} is told first"
        assert keys[:2] == ["got", "moved"] or report.ok, found
    assert report.ok is (not found)


def _is_judged(line: dict[str, Any], keys: list[Any], was: Any, value: Any, mode: str) -> bool:
    """Whether the change is one of something that `verify` judges in that mode."""
    got = line["got"]
    fallen, built = got.get("fallen", []), got.get("built", True)
    match keys:
        case ["got", "moved", piece]:
            kept = piece not in fallen and built
            return mode == "exact" or (
                kept and (mode == "rules" or math.dist(was[:3], value[:3]) > 0.5)
            )
        case ["do", *_]:
            return mode != "rules" or "x-cars" not in got
        case ["claim", key]:
            return value != got.get(key, _NONE[key])
        case ["pay"]:
            value = [one for one in value if one["grey"] or one["yellow"]]
            return value != got.get("paid", [])
    return bool(value != (_NONE[keys[-1]] if was is None else was))


# --- layouts --------------------------------------------------------------------------------------

_START = {
    "to_move": 1,
    "pillars": [
        {"id": "A-P1", "at": [0, -55], "discs": 2},
        {"id": "A-P2", "at": [0, 55], "discs": 2, "junction": True},
        {"id": "B-P1", "at": [-55, 0], "discs": 3},
    ],
    "roads": [
        {"id": "A-R1", "from": "A-P1", "to": "A-P2"},
        {"id": "B-R1", "from": "B-P1", "to": {"table": [-163, 0]}},
    ],
    "cars": [{"id": "A-C1", "on": "A-R1", "along": 0.25, "side": 1}],
    "buildings": [{"id": "X0", "kind": "tower", "at": [150, 90], "turn": 15}],
    "stocks": [
        {"cars": 9, "grey": 20, "yellow": 2, "roads": 10},
        {"cars": 9, "grey": 20, "yellow": 2, "roads": 10},
    ],
}


def _run_layout(text: str) -> None:
    with suppress(ShutokoError, json.JSONDecodeError):
        start = json.loads(text)
        table = Table.from_layout(start, 2)
        assert len(str(table)) > 0
        table.digest()
        header = {
            "record": "shutoko",
            "version": [1, 0],
            "game": "tokyo-highway",
            "players": ["a", "b"],
            "start": start,
        }
        build = {"build": {"from": "B-P1", "pillar": [49, 0], "discs": 2, "junction": False}}
        lines = f"{_json(header)}\n{_json({'ply': 0, 'by': table.to_move, 'do': build})}\n"
        for step in steps(loads(lines.encode()), "none"):
            _json(step.got())


# --- components -----------------------------------------------------------------------------------

_BOX = (CHECKOUT / "assets/components/estimate-2018.toml").read_text(encoding="utf-8")
_TOML = (
    "0",
    "-1",
    "1e-300",
    "1e308",
    "inf",
    "nan",
    "true",
    '"a"',
    "[]",
    "{}",
    "[1, 2]",
    "9" * 400,
    "0x" + "F" * 5000,
    "1979-05-27",
    "'''",
)


_LINES = ("building = 1", "supplies = [1]", "[road]", "[[car]]", "a.b.c = 1")


@st.composite
def _boxes(draw: st.DrawFn) -> str:
    lines = _BOX.splitlines()
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(lines) - 1))
        key, equals, _ = lines[at].partition(" = ")
        if equals and draw(st.booleans()):
            lines[at] = f"{key} = {draw(st.sampled_from(_TOML))}"
        elif draw(st.booleans()):
            lines[at] = draw(st.sampled_from(("", lines[at], *_LINES)))
        else:
            del lines[at]
    return "\n".join(lines)


def _run_components(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder, suppress(ShutokoError):
        path = Path(folder) / "box.toml"
        path.write_text(text, encoding="utf-8", errors="surrogatepass")
        box = _load.__wrapped__(str(path))
        masses = (box.road_mass, box.disc_mass, box.car_mass)
        assert all(math.isfinite(mass) and mass > 1e-9 for mass in masses), (
            f"masses that physics can handle, not {masses}"
        )
        if 2 in box.supplies:
            str(Table.start(2, "standard", box))


# --- moves ----------------------------------------------------------------------------------------

_GAMES = {
    name: game(name, **options).start()
    for name, options in (("thruway", {"size": 5}), ("meridians", {"size": 4}))
}
_TEXTS = (
    "a1-b1",
    "a1/b1",
    "trade",
    "pass",
    "swap",
    "keep",
    "resign",
    "a1",
    "d4",
    "a1,b2",
    " A1 ",
    "a01",
    "a1-",
    "-",
    "",
    "a1-b1-c1",
)
_MOVES: list[Any] = [
    {"entrance": {"pillar": [0, -55], "toward": 270}, "car": 0.5},
    {"building": {"kind": "tower", "at": [120, 80], "turn": 15}},
    {
        "build": {
            "from": "A-P0",
            "pillar": [28, 36],
            "discs": 2,
            "junction": False,
            "road": {"start": [1, 0], "slide": 1},
        },
        "cars": [0.4],
    },
    {"exit": {"from": "A-P0", "to": [90, -140]}, "cars": [{"along": 0.5, "side": 1.5}]},
    {"adjust": {"pillar": [96, 21], "cars": [0.3]}},
    {"pass": "no room"},
    "resign",
]


def _run_grid_move(text: str) -> None:
    for state in _GAMES.values():
        with suppress(ShutokoError):
            move = state.parse(text)
            assert state.parse(str(move)) == move, "the text of a move reads back to an equal move"
            state.after(move)


def _run_placement(text: str) -> None:
    with suppress(ShutokoError):
        move = Placement.parse(text)
        assert Placement.parse(str(move)) == move, (
            "the text of a placement reads back to an equal one"
        )
        lines = [
            '{"record":"shutoko","version":[1,0],"game":"tokyo-highway","players":["a","b"]}',
            '{"ply":0,"by":0,"do":{"entrance":{"pillar":[0,-55],"toward":270},"car":0.5}}',
            '{"ply":1,"by":1,"do":{"entrance":{"pillar":[0,55],"toward":90},"car":0.5}}',
            _json({"ply": 2, "by": 0, "do": text}),
        ]
        for step in steps(loads("\n".join(lines).encode()), "none"):
            _json(step.got())


# --- AbstractPlay and options ---------------------------------------------------------------------

_REPORTS = [
    ["a1,b2", "pass", "c3", "d4"],
    [["a1,b2", "pass"], ["c3", {"move": "d4"}], ["resign"]],
    {
        "header": {
            "game": {"name": "Meridians", "variants": ["size-6"]},
            "site": {"name": "Abstract Play", "gameid": "x"},
            "date-start": "2024-01-01T00:00:00Z",
            "pied": True,
            "players": [{"name": "a", "result": 1}, {"name": "b", "result": 0}],
        },
        "moves": [["a1,b2", "pass"], ["c3", "timeout"]],
    },
]


def _run_abstractplay(text: str) -> None:
    with suppress(ShutokoError):
        record = abstractplay.loads(text)
        with suppress(ShutokoError):
            abstractplay.dumps(record)
            assert loads(dumps(record)) == record


def _line_of_trial(side: int, site: int, gone: str = "") -> str:
    return (
        f"Move=[Move:mover={side},from={site},to={site},"
        f"actions=[Add:type=Vertex,to={site},what={side},decision=true]{gone}]"
    )


_TRIAL = "\n".join(
    [
        "game=Meridians.lud",
        "START GAME OPTIONS",
        "Board Size/5 6",
        "END GAME OPTIONS",
        *(
            _line_of_trial(1 + n % 2, site)
            for n, site in enumerate((4, 45, 16, 15, 64, 63, 38, 37, 13, 76, 70, 0, 24, 60))
        ),
        _line_of_trial(1, 73, ",[Remove:type=Vertex,to=70]"),
        "winner=1\n",
    ]
)


def _run_ludii(text: str) -> None:
    try:
        record = ludii.loads(text)
    except ShutokoError:
        return
    assert ludii.loads(ludii.dumps(record)).entries == record.entries


_NAMES = (
    "size",
    "pie",
    "players",
    "ruleset",
    "components",
    "engine",
    "redo",
    "self",
    "cls",
    "name",
    "",
    "ko",
    "trade",
    "repetition",
)
_VALUES = (
    "true",
    "null",
    "7",
    "-1",
    "1e999",
    "9" * 5000,
    "[" * 5000,
    '{"a":1}',
    "NaN",
    "",
    "fr",
    "a=b",
    "../x.toml",
    "\0.toml",
    "x" * 300,
)


@st.composite
def _options(draw: st.DrawFn) -> str:
    return f"{draw(st.sampled_from(_NAMES))}={draw(st.sampled_from(_VALUES) | st.text(max_size=5))}"


def _run_options(text: str) -> None:
    for name in ("thruway", "meridians", "tokyo-highway"):
        with suppress(ShutokoError):
            game(
                name, **options_of([text, "engine=none"] if name == "tokyo-highway" else [text])
            ).start()


_JSON_MOVES = _mutated([[move] for move in _MOVES]).map(
    lambda moves: _json(moves[0] if moves else None)
)

TARGETS = {
    target.name: target
    for target in (
        Target(
            "records",
            _spoilt(_mutated(_records()).map(lambda lines: "\n".join(map(_json, lines)) + "\n")),
            _run_record,
        ),
        Target("changes", _changes(("rules",)), _run_change),
        Target("settled changes", _changes(("physics", "exact")), _run_change, quick=False),
        Target("layouts", _mutated([_START]).map(_json), _run_layout),
        Target("components", _spoilt(_boxes()), _run_components),
        Target(
            "grid moves", _spoilt(st.sampled_from(_TEXTS)) | st.text(max_size=8), _run_grid_move
        ),
        Target("placements", _spoilt(_JSON_MOVES), _run_placement),
        Target("abstractplay", _spoilt(_mutated(_REPORTS).map(_json)), _run_abstractplay),
        Target("ludii", _spoilt(st.sampled_from([_TRIAL])), _run_ludii),
        Target("options", _options(), _run_options),
        Target(
            "uploads",
            _spoilt(_mutated(_records()).map(lambda lines: "\n".join(map(_json, lines)) + "\n")),
            run_upload,
        ),
        Target("web requests", requests(), run_requests),
        Target("web events", events(), run_events),
    )
}
"""By name."""


def corpus() -> Iterator[tuple[str, str, str]]:
    """Name, target and text of everything that was ever found."""
    for path in sorted(CORPUS.glob("*.json")):
        found = json.loads(path.read_text(encoding="utf-8"))
        yield path.stem, found["target"], found["text"]
