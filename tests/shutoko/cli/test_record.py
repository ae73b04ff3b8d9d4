"""`shutoko record`: a real game noted in questions, by its documentation alone."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import rules.record as records
from rules.errors import InputError
from shutoko.diary.turn import Turn, counts_cars
from shutoko.web.library import Diaries
from sim.assets import asset
from sim.game import replay
from sim.game.verify import verify
from sim.physics import engines
from sim.referee.table import Table

SETTING = ["Aiko, Ben", "", "3", "", "", "", ""]
BEFORE = [
    *("build", "2", "9.2 cm at 12:53", "", ""),
    *("build 2 12.4 cm at 4:45", "", ""),
    *("build 3 12.4 cm at 10:54", "", ""),
    *("build 3 9.2 cm at 10:24", "", ""),
    *("build 2 12.4 cm at 3:58", "", ""),
    *("build 4 10.8 cm at 1:10", "", ""),
    *("build 1 12.4 cm at 6:37", "", ""),
    *("junction 2 9.0 cm at 4:05", "", ""),
]
AFTER = [
    *("build 2 12.4 cm at 1:48", "", "fell B-P4 B-R4", "B-P4 at 146,60", ""),
    *("build 1 9.2 cm at 4:59", "", ""),
    *("build 1 10.8 cm at 11:05", "", ""),
    *("exit from B-P5 11.0 cm at 9:06", "3", "accept", "note Ben insists", ""),
    *("build 2 9.2 cm at 4:06", "", ""),
]
"""A game of 15 plies: a collapse with a pillar that is put back elsewhere, and an argument over the
cars of an exit.
"""


BUILD = ["build 2 9.2 cm at 12:53", "", ""]


def entries(file: str = "g.jsonl") -> tuple[records.Entry, ...]:
    return records.read(file).entries


def events_of(told: str) -> list[dict[str, Any]]:
    """What programs are told, an object a line."""
    return [json.loads(line) for line in told.splitlines()]


# --- files and options ----------------------------------------------------------------------------


def test_a_file_cut_off_in_its_last_line_goes_on_before_it_and_needs_no_engine(note, monkeypatch):
    monkeypatch.setattr(engines, "_installed", lambda name: False)
    note([*SETTING, *BUILD])
    path = Path("g.jsonl")
    path.write_bytes(path.read_bytes()[:-20])
    note(BUILD)
    assert len(entries()) == 3


def test_input_that_ends_before_the_game_begins_leaves_no_file(note):
    note(["Aiko, Ben"])
    assert not Path("g.jsonl").exists()


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("--tolerance 50", "--tolerance: that is a number of mm from 0 to 20, not 50"),
        ("--option foo=1", "there is no rule option 'foo'"),
        ("--option may_pass=perhaps", "may_pass"),
        ("--option players=2", "--option players: write --players instead"),
        ("--option foo", "write NAME=VALUE"),
        ("--components none.toml", "none.toml"),
        ("--ruleset fx", "--ruleset: there are no rules called fx"),
        ("--players A,B,C --ruleset en2", "the rule set en2 is for 2 players"),
        ("--players Aiko", "two to four different names"),
        ("--language tlh", "no catalogue for the language 'tlh'"),
        ("nowhere/g.jsonl", "there is no folder nowhere"),
        ("begun.jsonl --ruleset fr", "leave --ruleset out"),
        ("thruway.jsonl", "only tokyo-highway is noted by hand"),
        ("played.jsonl", "this game was not noted by hand"),
    ],
)
def test_what_cannot_be_right_is_refused_before_the_first_question(run, note, given, why):
    note(SETTING, file="begun.jsonl")
    for name, game in (("thruway", "thruway"), ("played", "tokyo-highway")):
        text = f'{{"record":"shutoko","version":[1,0],"game":"{game}","players":["a","b"]}}\n'
        Path(f"{name}.jsonl").write_text(text)
    before = {path: path.read_bytes() for path in Path().iterdir()}
    words = f"record {'g.jsonl ' * given.startswith('-')}{given}"
    out, err = run(words, typed="Aiko, Ben\n\n3\n", code=2)
    assert (why in err, out) == (True, "")
    assert {path: path.read_bytes() for path in Path().iterdir()} == before


def a_box_for_three_or_four() -> None:
    """Writes three.toml."""
    text = asset("components", "estimate-2018.toml").read_text(encoding="utf-8")
    two, three = text.index("[supplies.2]"), text.index("[supplies.3]")
    Path("three.toml").write_text(text[:two] + text[three:], encoding="utf-8")


def test_an_option_is_right_if_an_answer_may_still_make_it_so(run, note):
    a_box_for_three_or_four()
    given = ("--components", "three.toml", "--option", "hand_on_building=redo")
    note(["Aiko, Ben, Cleo", "", ""], *given)
    header = records.read("g.jsonl").header
    assert (header.components, header.options) == ("three.toml", {"hand_on_building": "redo"})
    told = run("record h.jsonl --players", "Aiko, Ben", *given, code=2).err
    assert "has 2, 3 or 4 players, not 2" in told


EN2 = "the rule set en2 is for 2 players, not 3; 3 may take standard, fr, kr, rainbow"


@pytest.mark.parametrize(
    ("answers", "given", "asked", "why"),
    [
        (
            ["Aiko, Ben, Cleo", "en2", "fr", "3"],
            (),
            ["players", "ruleset", "refused", "ruleset", "tolerance"],
            EN2,
        ),
        (
            ["Aiko, Ben, Cleo", "Aiko, Ben", "3"],
            ("--ruleset", "en2"),
            ["players", "refused", "players", "tolerance"],
            EN2,
        ),
        (
            ["Aiko, Ben", "Aiko, Ben, Cleo", "", "3"],
            ("--components", "three.toml"),
            ["players", "refused", "players", "ruleset", "tolerance"],
            "3 or 4 players, not 2",
        ),
    ],
    ids=["rules not for so many", "too many for the rules", "too few for the box"],
)
def test_players_rules_and_box_that_do_not_go_together_are_refused_and_asked_for_again(
    note, answers, given, asked, why
):
    a_box_for_three_or_four()
    told = events_of(note(answers, *given, "--json"))
    said = [one for one in told if one["event"] in ("ask", "refused")]
    assert [one.get("asks", "refused") for one in said][: len(asked)] == asked
    assert why in next(one["reason"] for one in said if one["event"] == "refused")
    assert len(records.read("g.jsonl").header.players) == (2 if "--ruleset" in given else 3)


TWO_ENDS = [
    *SETTING,
    *("build 2 9.2 cm at 12:53", "", ""),
    *("junction 2 12.4 cm at 4:45", "", ""),
    *("build 3 12.4 cm at 10:54", "", ""),
    *("build 1 9.2 cm at 6:24", "", ""),
    *("build 2 12.4 cm at 10:24", "", ""),
]
"""Ben may build from B-P1, a junction at (75.5, -43.4), or from B-P2 at (56.4, -133.4)."""


NORTH = [56.4, -33.4]  # 10 cm at 12 o'clock from B-P2
LINES = [
    ("build from B-P2 1 10,-95", "B-P2", [10, -95]),
    ("build B-P2 1 10,-95", "B-P2", [10, -95]),
    ("build 1 from B-P2 10,-95", "B-P2", [10, -95]),
    ("build 1 10,-95 from B-P2", "B-P2", [10, -95]),
    ("build 1 10,-95 from p2", "B-P2", [10, -95]),
    ("junction 1 10,-95 from B-P1", "B-P1", [10, -95]),
    ("build 1 10 cm at 12 o'clock from B-P2", "B-P2", NORTH),
    ("build 1 from B-P2 10 cm at 12 o'clock", "B-P2", NORTH),
    ("build 1 10 cm from bp2 at 12 o'clock", "B-P2", NORTH),
    # the road leaves one pillar, and the place is measured from another
    ("build from B-P1 1 10 cm at 12 o'clock from B-P2", "B-P1", NORTH),
    ("build 1 from B-P1 10 cm at 12 o'clock from B-P2", "B-P1", NORTH),
    ("build 1 10 cm at 12 o'clock from A-P0 from B-P1", "B-P1", [0, 45]),
    ("build 1 10 cm from A-P0 at 12 o'clock from B-P1", "B-P1", [0, 45]),
    ("build 1 10 cm from A-P0 and 10 cm from B-P0 at 3 o'clock from B-P1", "B-P1", [83.52, 0]),
    ("exit 8 o'clock from B-P2", "B-P2", [-38.51, -188.14]),
    ("exit from B-P2 8 o'clock", "B-P2", [-38.51, -188.14]),
    ("pilier 1 10 cm à 12 heures de B-P2", "B-P2", NORTH),
    ("기둥 1 B-P2에서 12시 방향 10 cm", "B-P2", NORTH),
]
NO_PILLAR = [
    ("build 1 10,-95", [10, -95]),
    ("build 1 10 cm at 12 o'clock", NORTH),
    ("build 1 10 cm at 12 o'clock from A-P0", [0, 45]),
    ("build 1 10 cm from B-P1 and 10 cm from B-P2 at 3 o'clock", [152.8, -106.8]),
    ("build 1 10 cm from B-P2 at 12 o'clock from B-P1", NORTH),
    ("build from B-P9 1 10,-95", [10, -95]),
    ("build 1 10,-95 from B-P9", [10, -95]),
    ("exit 8 o'clock", [-38.51, -188.14]),
]


@pytest.mark.parametrize(
    ("lines", "base", "at"),
    [
        *LINES,
        *(
            (f"{line}\n{answer}", "B-P2", at)
            for line, at in NO_PILLAR
            for answer in ("B-P2", "from p2")
        ),
        ("build 1\nB-P2\n10,-95", "B-P2", [10, -95]),
    ],
)
def test_a_line_says_all_with_the_pillar_anywhere_and_keeps_it_while_the_pillar_is_asked_for(
    note, lines, base, at
):
    language = {"pil": "fr", "기둥 ": "ko"}.get(lines[:3], "en")
    words = [*TWO_ENDS, *lines.split("\n")]
    told = events_of(note(words, "--json", "--language", language))
    (placed,) = [one["do"] for one in told if one["event"] == "judged"][-1].values()
    assert (placed["from"], placed.get("discs", 1)) == (base, 1)
    assert placed.get("pillar", placed.get("to")) == pytest.approx(at, abs=0.1)
    asked = [one["asks"] for one in told if one["event"] == "ask" and one.get("ply") == 7][1:]
    assert (asked[0] == "from") == ("\n" in lines)


def test_with_one_end_another_pillar_is_one_to_measure_from(note):
    for n, line in enumerate(["build 2 12.4 cm at 4:45 from A-P0", "build 2 41,27 from B-P0"]):
        told = note([*SETTING, *BUILD, line], "--json", file=f"{n}.jsonl")
        judged = [one["do"] for one in events_of(told) if one["event"] == "judged"]
        assert judged[-1]["build"]["from"] == "B-P0"


# --- what the referee says ------------------------------------------------------------------------

ILLEGAL = "build 3 9.2 cm at 12:53"


def test_a_disk_that_keeps_nothing_is_told_and_the_ply_asked_again(note, monkeypatch):
    from rules.record.writing import Kept

    add, calls = Kept.add, []

    def fails_once(self, *given):
        calls.append(given)
        if len(calls) == 3:
            raise InputError("g.jsonl: cannot be written: no space left")
        add(self, *given)

    monkeypatch.setattr(Kept, "add", fails_once)
    told = note([*SETTING, *BUILD, *BUILD])
    assert "no space left" in told
    assert len(entries()) == 3


def test_the_end_tells_plies_and_those_taken_back_as_verify_counts_them(run, note):
    told = note([*SETTING, ILLEGAL, "taken back"])
    assert "2 plies are in g.jsonl, and 1 that was taken back; go on with" in told
    said = run("verify --mode rules g.jsonl").out
    assert "2 plies, and 1 that was taken back, rules: the referee agrees" in said


# --- why ------------------------------------------------------------------------------------------


def whys(told: str) -> list[str]:
    """The lines after each `why`, up to the next question."""
    found, isin = [], False
    for line in told.splitlines():
        if isin and "> " not in line and not line.endswith(">"):
            found.append(line.strip())
        if "> " in line or line.endswith(">"):
            isin = line.partition("> ")[2].startswith("why")
    return found


CROSSES = "build 2 12.4 cm at 4:45"


@pytest.mark.parametrize(
    ("answers", "told"),
    [
        (
            [*BUILD, CROSSES, "2", "why", "why 2"],
            [
                "Ply 3, Ben, as it is told now:",
                "Ben: illegal: 2 cars are put down, but 1 is earned",
                "Ply 2, Aiko:",
            ],
        ),
        ([*BUILD, "why", CROSSES, "back", "why"], ["Ply 2, Aiko:"] * 2),
        (
            [ILLEGAL, "taken back", ILLEGAL, "accept", "", "", "why 2"],
            ["Ply 2, Aiko, taken back:", "Ply 2, Aiko, accepted by the table:"],
        ),
    ],
    ids=["of the turn that is argued", "of the last kept ply", "of the tries of one ply, apart"],
)
def test_why_explains_under_its_heading(note, answers, told):
    said = whys(note([*SETTING, *answers]))
    assert [one for one in said if one.startswith("Ply") or one in told][: len(told)] == told


# --- what fell ------------------------------------------------------------------------------------

BACK, WITH = "Counted as put back where it was: ", "Counted as fallen with it: "


@pytest.mark.parametrize(
    ("lines", "start", "told"),
    [
        ("fell B-C0", BACK, "B-C0. If not, say where it stands now, or gone B-C0."),
        (
            "fell B-P0 A-C0",
            BACK,
            "B-P0, A-C0 and 2 more. If not, say where it stands now, or gone B-P0.",
        ),
        ("fell B-C0; fell B-C0", BACK, "B-C0. If not, say where it stands now, or gone B-C0."),
        ("B-C0 on B-R0 at 0.3; fell B-C0", BACK, None),
        ("fell A-P1", BACK, None),  # it is new: it does not stand
        ("fell B-R0;", WITH, "B-C0. If not, say stayed B-C0."),
        ("fell B-P0;", WITH, "B-R0 and B-C0. If not, say stayed B-R0 B-C0."),
        ("fell B-P0.1;", WITH, "B-R0 and B-C0. If not, say stayed B-R0 B-C0."),
        ("fell B-R0 B-C0;", WITH, None),
        ("gone B-C0; fell B-R0;", WITH, None),
        ("fell B-C0;", WITH, None),
    ],
)
def test_a_fallen_piece_counts_as_put_back_and_what_lay_on_it_as_fallen_unless_that_is_denied(
    note, lines, start, told
):
    said = note([*SETTING, *BUILD[:2], *(one.strip() for one in lines.split(";"))])
    found = [line.removeprefix(start) for line in said.splitlines() if line.startswith(start)]
    assert found == ([] if told is None else [told])


CROSSING = ["build 2 9.2 cm at 12:53", "", "", "build 2 12.4 cm at 4:45", ""]
"""Ben's road crosses Aiko's: one car, B-C1."""


def table() -> Table:
    """The table after the last ply of the file."""
    *_, last = replay.steps(records.read("g.jsonl"), "none")
    return last.after


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "A-P1 at 20,-10",
            [
                "A-R1 sticks out past the rim of A-P0 by 20.00 mm",
                "A-R1 sticks out past the rim of A-P1 by 20.29 mm",
            ],
        ),
        (
            "A-P1 at 65,57",
            ["remark: A-R1 ends 0.1 mm short of", "remark: A-R1 rests on only 0.12 mm of A-P1"],
        ),
        ("A-P1 at 43,29", []),
        ("fell A-C0", []),
    ],
)
def test_a_road_that_lies_badly_after_a_pillar_moved_is_told_as_a_build_is(note, line, said):
    told = note([*SETTING, *CROSSING, line, ""])
    words = ("sticks out", "rests on", "short of")
    found = [one for one in told.splitlines() if any(word in one for word in words)]
    assert [one[: len(start)] for one, start in zip(found, said, strict=True)] == said
    assert all("read the place again" in one or "an error of measuring" in one for one in found)
    assert len(entries()) == 4


# --- any turn -------------------------------------------------------------------------------------


@pytest.mark.rule("FR 9", "KR 9")
def test_what_fell_is_asked_for_in_every_turn(note):
    plies = ["", "", "", "fell A-C0", "", "build 2 9.2 cm at 12:53", "", "", "resign", "fell A-R1"]
    told = note(["Aiko, Ben", "", "3", *plies, ""], "--json")
    asked = [json.loads(line) for line in told.splitlines()]
    questions = {event["text"] for event in asked if event.get("asks") == "else"}
    assert len(questions) == 1, "in the same words"
    assert {event["ply"] for event in asked if event.get("asks") == "else"} == {0, 1, 2, 3}
    owed = [step.verdict.owed for step in replay.steps(records.read("g.jsonl"), "none")]
    assert owed == [(), ((0, 1),), (), ((0, 1),)]


def test_the_table_is_drawn_as_text_and_as_svg(note):
    import xml.etree.ElementTree as ET

    answers = [*SETTING, "build 2 9.2 cm at 12:53", "", "", "draw", "draw t.svg", "pieces"]
    told = note(answers)
    assert "A1" in told
    assert "A-P1: 2 discs at (41.0, 27.3)" in told
    assert "A-C0: on A-R0, 0.50 of the way along it" in told
    root = ET.parse("t.svg").getroot()  # noqa: S314 - our own file
    texts = {"".join(node.itertext()) for node in root}
    assert {"A-P1", "A-R1", "10 cm", "The table of Aiko and Ben"} <= texts


def test_the_end_of_a_game_is_kept_and_undo_opens_it_again(note):
    assert "The game is over" in note([*SETTING, "resign", "", ""])
    assert records.read("g.jsonl").end == records.End(((1,), (0,)), "resigned")
    note(["undo"])
    record = records.read("g.jsonl")
    assert (record.end, len(record.entries)) == (None, 2)


# --- what is answered, said and kept ------------------------------------------------------------


class Talk(NamedTuple):
    """Answers, what is said to them and what never, each as often as `times` has it; how many plies
    are kept (None says nothing), what the last ones do, what the very last one and the header have.
    """

    answers: Sequence[str]
    says: Sequence[str] = ()
    times: Mapping[str, int] = {}
    plies: int | None = None
    last: Mapping[str, Any] = {}
    options: Sequence[str] = ()
    never: Sequence[str] = ()
    do: Sequence[Any] = ()
    header: Mapping[str, Any] = {}


PLY = "Ply 2: what did Aiko do?"
MIDDLE = "Where does it stand from the middle of A-P0?"
FELL = "Did anything fall, move or get touched?"
ENTER = "Enter alone is no answer here"
DISCS = "How many discs has the new pillar"

SLIPS = {
    "buidl 2": "buidl 2 is no move; type build, junction, exit, pass, no room, adjust",
    "build two": "two names no place",
    "build 2 9 cm": "9 cm names no place: give a distance and a direction",
    "build 2 9.2 cm at 30 o'clock": "30 o'clock is no time on a clock",
    "build 2 9.2": "9.2 names no place",
    "build 2 9.2 cm at 1": "9.2 cm at 1: 1 alone is no direction: add o'clock or degrees",
    "build 2 9.2 cm from A-P0 at 120": "120 alone is no direction",
    "build 2 9 cm from A-P0 and 9 cm from B-P0 at 2": "2 alone is no direction",
    "exit 4": "4: 4 alone is no direction",
    '{"build":{}}': "build.discs is missing",
    "photo nothing.json": "nothing.json",
    "draw table.png": "the drawing is an SVG",
    "adjust": "there is no build that may still be adjusted",
    "resing": "resing is no move",
    "no": "no is no move",
    "build 0 11 cm at 2 o'clock": "0 is no number of discs",
    "junction 0 11 cm at 2 o'clock": "0 is no number of discs",
    "build 2 -9.2 cm at 2 o'clock": "-9.2 cm at 2 o'clock: a distance is longer than 0",
    "build 2 9.2 cm at 2 o'clock turned 1e9": "what is 1e9? A place is a distance and a dir",
}
HAPPENINGS = {
    "touched": "touched what? Name the building, as touched X0",
    "under": "under what? Name the older road, as under A-R3",
    "paid": "as paid B 2 1",
    "note": "note what? Say what people said",
    "fell ,": "fell what? Name the pieces, as fell B-C1",
    "B-C0 on B-R0 at 0.4 turned 1e9": "B-C0 on B-R0 at 0.4 turned 1e9 is not understood",
    "B-P0 at 0,-50": "A-P0 and B-P0 would stand in one place",
    "fell A-C9": "on the table (type pieces to see them all); did you mean A-C",
    "fel A-P1": "fel A-P1 is not understood; did you mean fell? (for example fell B-C1",
}
BEGINNINGS = {
    ("Aiko",): "two to four different names are needed",
    ("Aiko, Aiko",): "two to four different names are needed",
    ("Aiko, Ben", "standart"): "there are no rules called standart; did you mean standard?",
    ("Aiko, Ben", "", "a lot"): "that is a number of mm from 0 to 20, not a lot",
    ("Aiko, Ben", "", "3", "here"): "here names no place",
    ("Aiko, Ben", "", "3", "1,-60", "here"): "here is no direction: give one of the clock",
    ("Aiko, Ben, Cleo",): "or fr, kr and rainbow>",
    ("Aiko, Ben",): "or en2, fr, kr and rainbow>",
    ("Aiko, Ben", "", "", "undo"): "nothing is noted yet",
}
OFFERS = {
    (): "Ply 7: what did Ben do?",
    ("build",): "From which pillar of Ben? B-P1 or B-P2>",
    ("build 1",): "From which pillar of Ben? B-P1 or B-P2>",
    ("build from B-P1",): f"{DISCS}? B-P1 has 2, so 1 / 3>",
    ("junction from B-P1",): f"{DISCS}, the yellow one counted?",
    ("exit from B-P1",): "In which direction from B-P1",
}
IN_OTHER_WORDS = {
    "fr": "les règles en2 sont pour 2 joueurs, pas 3\u00a0;",
    "ko": "en2 규칙은 2명이 하는",
}
HELP = ("fell", "gone", "touched", "under", "paid", "note", "photo", "draw", "undo")
SIDES = ((-55, 270), (55, 90))
FOUR = [
    *("Aiko, Ben, Cleo, Dan", "", "", *[""] * 8),
    *("cylinder 200,-100 turned 30", "", "tower -200,100", "", "slab 0,200", ""),
    *("", "200,150 turned 5", ""),
]
PLACES = {
    ("build 2",): MIDDLE,
    ("exit",): "In which direction from A-P0",
    (*BUILD, "adjust"): "Where does A-P1 stand now",
}
ADJUST = "or adjust, if A-P1 was put right first"
TALKS = {
    **{
        f"the slip {slip} is explained and asked again": Talk(
            [*SETTING, slip], (said, PLY), plies=2
        )
        for slip, said in SLIPS.items()
    },
    **{
        f"the happening {line} says too little or too much": Talk(
            [*SETTING, *BUILD[:2], line], (said,), {FELL: 4, "observed.put": 0}
        )
        for line, said in HAPPENINGS.items()
    },
    **{
        f"at the beginning {answers} is explained": Talk(answers, (said,))
        for answers, said in BEGINNINGS.items()
    },
    **{
        f"after {before} enter takes nothing that is not offered": Talk(
            [*TWO_ENDS, *before, "", ""], times={ENTER: 2, asked: 3}, plies=7
        )
        for before, asked in OFFERS.items()
    },
    **{
        f"in {language} rules are not for so many": Talk(
            ["Aiko, Ben, Cleo", "en2"], (said,), options=("--language", language)
        )
        for language, said in IN_OTHER_WORDS.items()
    },
    "enter without an offer says how to go on": Talk(
        [*SETTING, "build 2", ""], (ENTER,), {MIDDLE: 2}
    ),
    "a command mistyped says how to go on": Talk(
        [*SETTING, "build 2", "bakc"], ("If you mean back, type it alone.",), {MIDDLE: 2}
    ),
    "help tells every command and every happening": Talk([*SETTING, "help"], HELP),
    "a refused ply is told again": Talk(
        [*SETTING, ILLEGAL, "", *BUILD], ("illegal",), plies=3, last={"accepted": None}
    ),
    "a refused ply stands if the table accepted it": Talk(
        [*SETTING, ILLEGAL, "accept", "", ""],
        ("against the rules, but noticed too late",),
        plies=3,
        last={"accepted": True},
    ),
    "a refused ply is kept as taken back": Talk(
        [*SETTING, ILLEGAL, "taken back", *BUILD],
        ("Ply 2 is kept in g.jsonl as taken back",),
        plies=4,
        last={"ply": 2, "taken_back": False},
    ),
    "what cannot stand is not accepted": Talk(
        [*SETTING, "build 90 9.2 cm at 12:53", "accept"],
        ("This cannot stand even if everybody agrees",),
        plies=2,
    ),
    "fewer cars are kept as seen": Talk(
        [*SETTING, *CROSSING[:4], "0", ""], plies=4, last={"observed": {"cars": 0}}
    ),
    "a happening that cannot be is not kept": Talk(
        [*SETTING, *BUILD[:2], "B-P0 at 0,-50", "fell B-C0", ""],
        ("A-P0 and B-P0 would stand in one place",),
        plies=3,
        last={"observed": {"fallen": ["B-C0"]}},
    ),
    "undo takes the last ply back from the file at once": Talk(
        [*SETTING, *BUILD, "undo"], ("Ply 2 is taken back.",), plies=2
    ),
    **{
        f"{word} within a ply tells it from its start": Talk(
            [*SETTING, BUILD[0], word], ("From the start of this ply",), plies=2
        )
        for word in ("undo", "back")
    },
    "an adjustment is noted as one": Talk(
        [*SETTING, *BUILD, "adjust 43,27", "", ""],
        plies=4,
        last={"by": 0, "do": {"adjust": {"pillar": [43, 27]}}},
    ),
    "a new car that fell is put back": Talk(
        [*SETTING, *CROSSING, "fell B-C1", "B-C1 on B-R1 at 0.4", ""],
        ("or off B-C1 if it went back to the stock.",),
        last={
            "observed": {
                "fallen": ["B-C1"],
                "put": [{"car": "B-C1", "on": "B-R1", "along": 0.4}],
            }
        },
    ),
    "a new car that fell goes off": Talk(
        [*SETTING, *CROSSING, "off B-C1", ""],
        ("B-C1 did not stay on B-R1 and goes back to Ben's stock",),
    ),
    "what moved at a real table is noted": Talk(
        [
            *(*SETTING, *BUILD[:2], "gone B-C0", ""),
            # more cars than were earned, a road, a pillar and a car put elsewhere
            *("build 2 12.4 cm at 4:45", "2", "accept"),
            *("A-P1 at 42,28", "B-R1 from 1,54 to 76,-43", "B-C1 on B-R1 at 0.4 turned 180", ""),
        ],
        ("illegal",),
        last={
            "accepted": True,
            "observed": {
                "cars": 2,
                "put": [
                    {"pillar": "A-P1", "at": [42, 28]},
                    {"road": "B-R1", "start": [1, 54], "end": [76, -43]},
                    {"car": "B-C1", "on": "B-R1", "along": 0.4, "turn": 180},
                ],
            },
        },
        header={"version": (1, 1)},
    ),
    "an end slid under the older one on its pillar, and a collapse": Talk(
        [
            *SETTING,
            *CROSSING,
            "",
            "build 3 12.4 cm at 10:54",
            "",
            "under A-R1",
            "fell A-P2 A-R2",
            "",
        ],
        last={"observed": {"fallen": ["A-P2.1", "A-P2.2", "A-P2.3", "A-R2"]}},
        plies=5,
    ),
    "what stayed is not paid": Talk(
        [*SETTING, *BUILD[:2], "fell B-P0", "stayed B-R0", "stayed B-R0", ""],
        (
            "Aiko owes Ben 3 discs for 3 fallen pieces",
            "Aiko owes Ben 1 disc for 1 fallen piece",
            "stayed B-R0: that is noted already",
        ),
        last={"observed": {"fallen": ["B-P0.1"]}},
    ),
    "a payment that cannot be is left out": Talk(
        [*SETTING, *CROSSING, "fell A-R1", "paid Aiko 0 9", "accept", ""],
        ("This cannot stand even if everybody agrees",),
        plies=4,
        last={"accepted": None, "pay": None},
    ),
    "enter takes what is usual": Talk(
        SETTING,
        ("2 plies are in g.jsonl; go on with shutoko record g.jsonl",),
        do=[{"entrance": {"pillar": [0, y], "toward": t}, "car": 0.5} for y, t in SIDES],
        header={
            "players": ("Aiko", "Ben"),
            "ruleset": "standard",
            "observed": True,
            "version": (1, 0),
        },
    ),
    "what is given is not asked": Talk(
        [],
        never=("Who plays?",),
        options=("--players", "Aiko,Ben,Cleo", "--ruleset", "fr", "--tolerance", "5"),
        header={"players": ("Aiko", "Ben", "Cleo"), "ruleset": "fr", "tolerance": 5},
    ),
    "buildings are asked for where there are three": Talk(
        [
            *("Aiko, Ben, Cleo", "", "", "", "", "-60,40", "10 o'clock", "", "", ""),
            *("tower", "20 cm at 3 o'clock from A-P0", "", "slab", "20,200", ""),
            *("block", "-150,-150", "", "pass"),
        ],
        (
            "Which building does Cleo set",
            "block, 50 x 45 mm, 45 mm high",
            "cylinder, round, 35 mm across, 80 mm high",
        ),
        plies=6,
        last={"do": {"building": {"kind": "block", "at": [-150, -150], "turn": 0}}},
    ),
    "a building is told in one line and the last one by enter": Talk(
        FOUR,
        ("Enter: the block; or its place",),
        do=[
            {"building": {"kind": "cylinder", "at": [200, -100], "turn": 30}},
            {"building": {"kind": "tower", "at": [-200, 100], "turn": 0}},
            {"building": {"kind": "slab", "at": [0, 200], "turn": 0}},
            {"building": {"kind": "block", "at": [200, 150], "turn": 5}},
        ],
    ),
    "the last building by enter is taken back and set anew": Talk(
        [*FOUR, "undo", "200,150", ""],
        last={"do": {"building": {"kind": "block", "at": [200, 150], "turn": 0}}},
    ),
    "a building is put elsewhere with its turn": Talk(
        [
            *("Aiko, Ben, Cleo", "", "", *[""] * 6),
            *(
                "tower",
                "20 cm at 3 o'clock from A-P0 turned 30",
                "",
                "slab",
                "20,200",
                "",
                "block",
                "200,9",
                "",
            ),
            *(*BUILD[:2], "X0 at 190,-50 turned -15 degrees", "", "pieces"),
        ],
        (
            "X0 now stands at (190.0, -50.0), turned by -15 degrees",
            "X0: tower at (190.0, -50.0), turned by -15 degrees",
        ),
        last={"observed": {"put": [{"building": "X0", "at": [190, -50], "turn": -15}]}},
    ),
    "a hand on a building and a pushed one are noted": Talk(
        [
            *("Aiko, Ben, Cleo", "", "", *[""] * 6),
            *("tower 200,0", "", "slab 20,200", "", "block -150,-150", ""),
            *("pass", "accept", "touched X0", "X1 at 22,201", ""),
        ],
        last={"observed": {"touched": ["X0"], "put": [{"building": "X1", "at": [22, 201]}]}},
    ),
    **{
        f"after {before} coordinates count from the middle of the table": Talk(
            [*SETTING, *before], (f"{asks}", "or x,y", "in mm from the middle of the table>")
        )
        for before, asks in PLACES.items()
    },
    "enter takes the only number of discs, which is shown": Talk(
        [*SETTING, "build", "", "9.2 cm at 12:53", "", ""],
        ("How many discs has the new pillar? A-P0 has 1. Enter: 2>",),
        plies=3,
    ),
    "undo of several plies is refused with what is understood": Talk(
        [*SETTING, *BUILD, "undo 2"],
        ("undo takes back one ply at a time, not 2: type undo alone, and again for one",),
        plies=3,
    ),
    "undo 1 is undo": Talk([*SETTING, *BUILD, "undo 1"], plies=2),
    "a payment that differs is left out or accepted": Talk(
        [
            *(*SETTING, *CROSSING, "fell A-R1", "paid Aiko 2", ""),
            *("paid Aiko 2", "what", "accept", ""),
        ],
        ("what? Press Enter, or type accept",),
        {
            "Enter: leave that out; accept: the table let it stand": 3,
            "Ben pays Aiko 2 pieces, but 1 is due": 3,
        },
        last={"accepted": True, "pay": [{"to": 0, "grey": 2, "yellow": 0}]},
    ),
    "a build that may still be adjusted is offered": Talk([*SETTING, *BUILD], (ADJUST,)),
    "without a build nothing is offered to adjust": Talk(SETTING, never=(ADJUST,)),
}


@pytest.mark.parametrize("talk", TALKS.values(), ids=TALKS)
def test_what_is_answered_is_understood_and_kept(note, talk):
    told = note(list(talk.answers), *talk.options)
    begun = Path("g.jsonl").exists()
    header, kept = (records.read("g.jsonl").header, entries()) if begun else (None, ())
    assert [text for text in talk.says if text not in told] == []
    assert [text for text in talk.never if text in told] == []
    assert {text: told.count(text) for text in talk.times} == talk.times
    assert talk.plies in (None, len(kept))
    assert {key: getattr(kept[-1], key) for key in talk.last} == talk.last
    assert [entry.do for entry in kept[len(kept) - len(talk.do) :]] == [*talk.do]
    assert {key: getattr(header, key) for key in talk.header} == talk.header
    assert not begun or not verify(records.read("g.jsonl"), "rules").mismatches


# --- programs, languages --------------------------------------------------------------------------


def test_programs_get_one_object_a_line(note):
    told = note([*SETTING, ILLEGAL], "--json")
    events = [json.loads(line) for line in told.splitlines()]
    asked = [event["asks"] for event in events if event["event"] == "ask"]
    begins = ["players", "ruleset", "tolerance", "entrance", "else", "entrance", "else", "move"]
    assert asked[:8] == begins
    judged = [event for event in events if event["event"] == "judged"]
    assert judged[-1]["got"]["legal"] is False


@pytest.mark.parametrize(
    ("language", "answers"),
    [
        ("fr", ["pilier 2 9,2 cm à 12h53", "", "tombé B-C0", "B-C0 sur B-R0 à 0.3", ""]),
        ("ko", ["기둥 2 9.2 cm 12시 53분", "", "무너짐 B-C0", "B-C0 : B-R0 0.3", ""]),
    ],
)
def test_the_whole_conversation_is_had_in_other_languages(note, language, answers):
    told = note([*SETTING, *answers], "--language", language)
    entry = entries()[2]
    assert entry.do["build"]["pillar"] == pytest.approx([41.0, 27.4], abs=0.2)
    assert entry.observed["fallen"] == ["B-C0"]
    assert entry.observed["put"] == [{"car": "B-C0", "on": "B-R0", "along": 0.3}]
    assert "what did" not in told


# --- what a real table does -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "slip"),
    [
        (asked, slip)
        for asked in ("entrance", "toward", "move", "at", "discs", "cars", "else", "refused")
        for slip in ("\x00\x1b[2J", "9" * 400, "-1", "1e999 cm", "日本", "' ; --", "{")
    ],
)
def test_any_slip_at_any_question_is_told_in_one_line_and_asked_again(note, asked, slip):
    build = ["build 2 9.2 cm at 12:53"]
    before = {
        "entrance": SETTING[:3],
        "toward": [*SETTING[:3], "0,-60"],
        "move": SETTING,
        "at": [*SETTING, "build", "2"],
        "discs": [*SETTING, "build"],
        "cars": [*SETTING, *build],
        "else": [*SETTING, *build, ""],
        "refused": [*SETTING, "build 2 30 cm at 12:53"],
    }[asked]
    told = note(before)
    asks = told.splitlines()[-2]
    again = note([*before, slip], file="again.jsonl")
    said = again.splitlines()[len(told.splitlines()) - 1 : -2]
    assert len(said) == 1, said
    assert 3 < len(said[0]) < 900
    assert again.splitlines()[-2] == asks
    kept = Path("g.jsonl"), Path("again.jsonl")
    assert kept[0].read_bytes() == kept[1].read_bytes()


# --- the same game at the terminal and on the page ------------------------------------------------

MOVES = [
    *("build 2 9.2 cm at 12:53", "build 2 12.4 cm at 4:45", "build 3 12.4 cm at 10:54"),
    *("build 3 9.2 cm at 10:24", "build 2 12.4 cm at 3:58", "build 4 10.8 cm at 1:10"),
    *("build 1 12.4 cm at 6:37", "junction 2 9.0 cm at 4:05", "pass"),
]
TOLD = {
    1: [("A-C0", "fell", "fell A-C0")],
    3: [("B-C1", "fell", "fell B-C1"), ("B-C1", "put", "B-C1 on B-R1 at 0.40 turned 0")],
    5: [("B-C2", "fell", "off B-C2")],
    8: [
        ("B-P2", "fell", "fell B-P2.3"),
        ("B-R3", "fell", "stayed B-R3"),
        ("paid Ben 1", "more", "paid Ben 1"),
    ],
    10: [("B-R0", "fell", "fell B-R0")],
    11: [("A-P1", "fell", "fell A-P1.2")],
}
"""What is told after a ply: of which piece, what kind of thing, and in which words."""


def at_the_terminal(note) -> bytes:
    answers = ["Aiko, Ben", "", "3"]
    for ply, move in enumerate(["", "", *MOVES, "build 4 9 cm at 1 o'clock from B-P4", "resign"]):
        last = ply == 12
        answers.append(move)
        if ply == 11:  # an argument, and the move was undone
            answers.append("taken back")
            continue
        answers += ["accept"] * (move == "pass")
        if move.startswith(("build", "junction")):
            answers += ["3", "accept"] if ply == 7 else [""]
        for _, _, line in TOLD.get(ply - last, ()):
            answers += [line, *["accept"] * line.startswith("paid")]
        answers.append("")
    note(answers)
    return Path("g.jsonl").read_bytes()


def on_the_page(folder: Path, entries: tuple[records.Entry, ...]) -> bytes:
    """The bytes of the diary of the page, in which somebody sets down these moves."""
    noted = Diaries(folder).begin(("Aiko", "Ben"), "standard", "estimate-2018", 3.0)
    for entry in entries:
        turn = Turn(noted.diary, noted.diary.entry(entry.do))
        if turn.refusal is not None and not entry.taken_back:
            assert turn.accept()
        if counts_cars(turn.step) and turn.refusal is None:
            turn.count(3 if entry.ply == 7 else len(turn.step.verdict.spots))
            assert turn.refusal is None or turn.accept()
        for piece, fate, line in () if entry.taken_back else TOLD.get(entry.ply, ()):
            turn.tell(piece, fate, line)
            assert turn.refusal is None or turn.accept()
        turn.keep()
    (path,) = folder.glob("*.jsonl")
    return path.read_bytes()


@pytest.mark.rule("FR 9", "KR 9")
def test_a_game_noted_at_the_terminal_and_on_the_page_is_the_same_to_the_byte(note, tmp_path):
    terminal = at_the_terminal(note)
    assert len([entry for entry in entries() if not entry.taken_back]) == 12
    assert on_the_page(tmp_path / "page", entries()) == terminal
    assert verify(records.read("g.jsonl"), "rules").ok
    steps = list(replay.steps(records.read("g.jsonl"), "none"))
    placed = [len(step.verdict.cars) for step in steps if step.verdict.built]
    assert placed == [1, 1, 0, 1, 1, 0, 0, 3, 1, 0]
    owed = {step.ply: step.verdict.owed for step in steps if step.verdict.owed}
    assert owed == {1: ((0, 1),), 8: ((1, 2),), 10: ((1, 2),), 11: ((0, 4),)}
    assert [payment.total for payment in steps[8].verdict.paid] == [1]
