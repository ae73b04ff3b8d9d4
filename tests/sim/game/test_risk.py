"""The risk of a move: what is counted, the same answer on every executor, a worker that dies, the
command and its pictures.
"""

from __future__ import annotations

import json
import math
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from rules.arena.match import computed
from rules.arena.rating import LOOK, wilson
from rules.errors import IllegalMoveError, InputError
from rules.record import Entry, Header, Record, read, write
from shutoko.cli import main
from sim import referee
from sim.bodies import Pose
from sim.game import replay
from sim.game.attempts.hand import SKILLS, Skill, draw
from sim.game.ply import Attempt, judge_checked
from sim.game.risk import SETTLE, Job, Sample, risk, risk_map, sample, summarise
from sim.game.sources import Simulated, shortened
from sim.physics import engines
from sim.physics.engine import HandPath
from sim.pieces import Components
from sim.referee.placement import Build, Exit, Pass
from sim.referee.table import Table
from tests.sim.game.test_touching import LOW_BRIDGE, ROADS
from tests.tables import lay_out

ENGINE = (
    pytest.importorskip("mujoco", reason="the risk is tested with the engine that is cheaper here")
    and "mujoco"
)
WILD = Skill("wild", 3.0, 2.0, 2.0, 1.0, 30.0, 500.0)
EXIT = Exit("A-P0", (109.5, 0.0))
TRIES = 16


@pytest.fixture(scope="module")
def crowded() -> Table:
    """A base of A from which an exit leads out between two pillars of B, which a wild hand knocks
    now and then.
    """
    return lay_out({"A-P0": (0, 0, 1), "B-P0": (55, 21, 2), "B-P1": (55, -21, 2)})


def job(table: Table, placement=EXIT, seed: int = 3) -> Job:
    return Job(table, placement, WILD, seed, ENGINE)


@pytest.fixture(scope="module")
def expected(crowded) -> list[Sample]:
    """What one process says, in the order of the numbers."""
    return list(sample(job(crowded), TRIES))


# --- what is counted ------------------------------------------------------------------------------


def test_samples_add_up_whatever_their_order(crowded):
    tries = [
        Sample(0, True, (), (), 0),
        Sample(1, True, ("B-C0",), ("B-R0", "B-C0"), 1),
        Sample(2, False, ("A-P1.2", "A-R0", "B-C0", "B-R0"), ("B-R0",), 2),
        Sample(3, False, ("A-R0",), (), 0),
    ]
    found = summarise(job(crowded), tries)
    assert summarise(job(crowded), reversed(tries)) == found
    assert (found.samples, found.stands, found.others_fall) == (4, 2, 2)
    assert (found.penalty, found.penalty_squares, found.fallen_counts) == (3, 5, (1, 2, 0, 0, 1))
    assert list(found.falls.items()) == [("A-R0", 2), ("B-C0", 2), ("A-P1.2", 1), ("B-R0", 1)]
    assert found.touches == {"B-R0": 2, "B-C0": 1}
    high = pytest.approx(0.75 + 1.96 * math.sqrt((5 - 4 * 0.75**2) / 3 / 4), rel=1e-4)
    assert (found.expected_penalty.value, found.expected_penalty.high) == (0.75, high)
    assert (found.fall_rate("B-C0").value, found.fall_rate("B-P0.1")) == (0.5, wilson(0, 4))


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (5, 10, 0.2366, 0.7634),
        (1, 1000, 0.0002, 0.0056),
    ],
)
def test_wilsons_interval_is_the_published_one(successes, trials, low, high):
    value, found_low, found_high = wilson(successes, trials)
    assert value == successes / trials
    assert (found_low, found_high) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


def test_each_sample_comes_once_and_is_its_own_draw(crowded, expected):
    assert [one.number for one in expected] == list(range(TRIES))
    assert len({one.touched for one in expected}) > 1
    assert len({one.fallen for one in expected}) > 1
    # more samples leave the first as they were
    assert list(sample(job(crowded), 3)) == expected[:3]
    assert list(sample(job(crowded, seed=4), 3)) != expected[:3]


ILLEGAL = Build("A-P0", (-105.0, 0.0), 3)


@pytest.mark.parametrize(
    ("ask", "why"),
    [
        (partial(risk, samples=0, placement=EXIT), "at least one sample"),
        (partial(risk, samples=1, placement=Pass()), "lays no road"),
        (partial(risk, samples=1, placement=EXIT, seed=-1), "a seed is"),
        (partial(risk, samples=1, placement=EXIT, engine="none"), "no engine 'none'"),
        (partial(risk, samples=1, placement=ILLEGAL), "has 2 discs, not 3"),
        *((partial(risk, samples=1, placement=EXIT, width=width), r"a width is a share between 0")
          for width in (0.0, -0.1, 0.5, math.nan)),
        (partial(risk_map, base="A-P9", discs=2), "there is no pillar A-P9; available: A-P0"),
        (partial(risk_map, base="A-P0", discs=2, step=0.0), "a map needs"),
    ],
)  # fmt: skip
def test_what_cannot_be_sampled_is_refused_before_any_work(ask, why, crowded):
    with pytest.raises((InputError, IllegalMoveError), match=why):
        ask(crowded, skill=WILD)


def test_a_map_shows_the_legal_places_and_each_place_is_its_own_risk(crowded):
    found = risk_map(crowded, "A-P0", 2, skill=WILD, samples=1, step=75.0, seed=3, engine=ENGINE)
    spots = {spot.at: spot for spot in found.spots}
    assert sorted(spots) == [(-75.0, -75.0), (-75.0, 75.0), (75.0, -75.0), (75.0, 75.0)]
    one = risk(
        crowded, Build("A-P0", (75.0, 75.0), 2), skill=WILD, samples=1, seed=3, engine=ENGINE
    )
    assert spots[75.0, 75.0].risk == one


def test_the_reasons_why_it_does_not_stand_are_told_with_their_share_of_the_tries(crowded):
    touches, fell = ("touches", ("A-R1", "B-R1")), ("fell", ("A-R1",))
    tries = [
        Sample(0, True, (), (), 0),
        *(Sample(n, False, ("A-R1",), (), 0, (touches, fell)) for n in range(1, 3)),
        Sample(3, False, (), (), 0, (touches,)),
    ]
    found = summarise(job(crowded), tries)
    assert found.to_json()["why"] == [
        {"code": "touches", "pieces": ["A-R1", "B-R1"], "share": 0.75},
        {"code": "fell", "pieces": ["A-R1"], "share": 0.5},
    ]
    assert [str(why) for why in found.why] == [
        "A-R1 touches B-R1 in 3 of 4 tries",
        "A-R1 falls in 2 of 4 tries",
    ]
    assert "<td>A-R1 touches B-R1</td><td>75.0%</td>" in found._repr_html_()


def test_a_road_that_comes_to_rest_on_another_players_road_is_why_no_try_stands():
    table = lay_out(LOW_BRIDGE, ROADS)
    found = risk(
        table, Build("A-P1", (100.0, 0.0), 3), skill=SKILLS["expert"], samples=3, engine=ENGINE
    )
    assert (found.stands, [str(why) for why in found.why]) == (
        0,
        ["A-R1 touches B-R0 in 3 of 3 tries"],
    )


# --- executors ------------------------------------------------------------------------------------


def by_number(one: Sample) -> int:
    return one.number


class Flaky(ThreadPoolExecutor):
    """Loses the answer to every other task, or to each one; or is broken."""

    def __init__(self, error: BaseException, *, always: bool = False) -> None:
        super().__init__(1)
        self.error, self.always, self.calls = error, always, 0

    def submit(self, fn, /, *args, **kwargs):
        self.calls += 1
        if isinstance(self.error, BrokenExecutor):
            raise self.error
        if self.calls % 2 or self.always:
            lost: Future = Future()
            lost.set_exception(self.error)
            return lost
        return super().submit(fn, *args, **kwargs)


def test_a_lost_answer_is_computed_again_and_counted_once(crowded, expected):
    with Flaky(ConnectionError("gone")) as executor:
        found = list(sample(job(crowded), 6, executor))
    assert sorted(found, key=by_number) == expected[:6]


def test_a_task_lost_three_times_raises_its_error_and_one_of_ours_comes_through_at_once():
    for error, calls in ((ConnectionError("always"), 3), (InputError("no"), 1)):
        with Flaky(error, always=True) as executor, pytest.raises(type(error), match=str(error)):
            list(computed(len, ["abc"], executor))
        assert executor.calls == calls


def test_a_pool_that_broke_is_done_without():
    with Flaky(BrokenExecutor()) as executor:
        assert sorted(computed(len, ["abc", "de"], executor)) == [2, 3]


@contextmanager
def two_processes(_: Path) -> Iterator[tuple[Executor, Callable[[], Iterable[int]]]]:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as executor:
        yield executor, lambda: executor._processes


@contextmanager
def dask(folder: Path) -> Iterator[tuple[Executor, Callable[[], Iterable[int]]]]:
    distributed = pytest.importorskip("distributed", reason="the extra shutoko[dask]")
    with (
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
            local_directory=str(folder),
        ) as cluster,
        distributed.Client(cluster) as client,
        client.get_executor(pure=False) as executor,
    ):
        yield executor, lambda: client.run(os.getpid).values()


@pytest.mark.slow
@pytest.mark.parametrize("pool", [two_processes, dask])
def test_workers_give_what_one_process_gives_even_if_one_of_two_dies(
    pool, crowded, expected, tmp_path
):
    """Killed with most of the work undone: the pool breaks, and every sample still comes once."""
    with pool(tmp_path) as (executor, workers):
        tries = sample(job(crowded), TRIES, executor)
        found = [next(tries)]
        os.kill(next(iter(workers())), signal.SIGKILL)
        found += tries
    assert sorted(found, key=by_number) == expected
    assert summarise(job(crowded), found) == summarise(job(crowded), expected)


# --- the command ----------------------------------------------------------------------------------


@pytest.fixture
def record(tmp_path):
    pillars = [{"id": f"{who}-P0", "at": [x, 0], "discs": 1} for who, x in (("A", -55), ("B", 300))]
    header = Header("tokyo-highway", ("north", "south"), start={"to_move": 0, "pillars": pillars})
    built = Entry(0, 0, Build("A-P0", (55.0, 0.0), 2).to_json())
    write(Record(header, (built, Entry(1, 1, "resign"))), tmp_path / "game.jsonl")
    return tmp_path / "game.jsonl"


def test_the_command_tells_and_draws(record, tmp_path, capsys):
    pytest.importorskip("matplotlib", reason="charts are drawn with shutoko[data]")
    pictures = {option: tmp_path / f"{option}.png" for option in ("png", "histogram", "map")}
    asked = f"--ply 0 --samples 2 --hand clumsy --engine {ENGINE} --map-step 75 --map-samples 1"
    drawn = [word for option, path in pictures.items() for word in (f"--{option}", str(path))]
    assert main(["risk", str(record), *asked.split(), *drawn]) == 0
    told, errors = capsys.readouterr()
    assert errors == ""
    assert f"ply 0, 2 tries, clumsy hand, finger, engine {ENGINE}, seed 0" in told
    for said in ("stands ", "expected penalty ", "pieces fallen in a try:"):
        assert said in told
    for path in pictures.values():
        assert f"wrote {path}" in told
        assert path.read_bytes().startswith(b"\x89PNG")


def test_the_command_gives_one_json_object_equal_to_the_librarys_answer(record, capsys):
    """On any number of workers."""
    found = risk(
        replay.begin(read(record)),
        Build("A-P0", (55.0, 0.0), 2),
        skill=SKILLS["normal"],
        samples=2,
        seed=5,
        engine=ENGINE,
    )
    for workers in ("1", "2"):
        asked = f"--ply 0 --samples 2 --engine {ENGINE} --seed 5 --json --workers {workers}"
        assert main(["risk", str(record), *asked.split()]) == 0
        (line,) = capsys.readouterr().out.splitlines()
        said = json.loads(line)
        assert said == said | json.loads(json.dumps(found.to_json()))
        assert (said["ply"], said["by"], list(said["do"])) == (0, 0, ["build"])


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("--ply 7", "the record has no ply 7; it has plies 0 to 1"),
        ("--ply -1", "the record has no ply -1"),
        ("--ply 1", "ply 1: a resign lays no road, so nothing can fall"),
        ("--hand drunk", "there is no hand 'drunk' that errs; choose from expert, normal, clumsy"),
        ("--hand none", "there is no hand 'none' that errs; choose from expert, normal, clumsy"),
        ("--samples 0", "at least one sample"),
        ("--width 2", "a width is a share between 0 and 0.5, such as 0.02, not 2"),
        ("--workers 0", "at least 1 worker is needed"),
        ("--png risk.xyz", "risk.xyz: pictures are .png files"),
        ("--map nowhere/map.png", "the folder nowhere does not exist"),
        ("--dask tcp://127.0.0.1:9", "no Dask scheduler answers at tcp://127.0.0.1:9"),
        ("--dask nonsense://x", "no Dask scheduler answers at nonsense://x"),
    ],
)
def test_what_cannot_be_used_is_told_in_one_line(asked, said, record, capsys):
    if "--dask" in asked:
        pytest.importorskip("distributed", reason="the extra shutoko[dask]")
    assert main(["risk", str(record), "--ply", "0", *asked.split()]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1


def test_an_illegal_move_ends_with_1(record, capsys):
    record.write_text(
        record.read_text(encoding="utf-8").replace('"discs":2', '"discs":5'), encoding="utf-8"
    )
    assert main(["risk", str(record), "--ply", "0"]) == 1
    assert capsys.readouterr().err.count("\n") == 1


# --- a wanted width -------------------------------------------------------------------------------


def test_it_stops_at_the_look_at_which_both_rates_are_narrow_enough(crowded):
    narrow = risk(
        crowded, EXIT, skill=SKILLS["expert"], samples=500, seed=3, engine=ENGINE, width=0.1
    )
    assert narrow.samples == LOOK * 3  # nothing fell
    assert narrow.narrow == ((narrow.stands, narrow.samples), (narrow.others_fall, narrow.samples))
    assert narrow.stands_rate.low == pytest.approx(narrow.stands_rate.value - 0.1)
    assert narrow.to_json()["width"] == 0.1


def test_a_rate_has_the_interval_of_its_own_last_look(crowded):
    """The tries after that were made for the other rate; to count them in would spoil the
    interval.
    """
    tries = [Sample(k, k % 2 == 0, (), (), 0) for k in range(112)]
    found = summarise(job(crowded), tries, 0.1)
    assert found.narrow == ((56, 112), (0, 48))
    assert found.others_fall_rate == (0.0, 0.0, 0.1)
    assert found.stands_rate == (0.5, 0.4, 0.6)
    short = summarise(job(crowded), tries[:96], 0.1)
    assert short.narrow == (None, (0, 48))
    assert short.stands_rate == wilson(48, 96)


# --- what a try leaves out ------------------------------------------------------------------------


@pytest.mark.slow
def test_tries_that_skip_the_way_through_the_air_fell_what_whole_ones_fell(crowded):
    checked, engine = referee.check(crowded, EXIT), engines.engine(ENGINE)
    hands = [draw(np.random.default_rng(number), checked, WILD) for number in range(12)]
    brief, whole = (
        [
            judge_checked(checked, [Attempt(Simulated(engine, SETTLE, brief=brief), hand)])[
                0
            ].fallen
            for hand in hands
        ]
        for brief in (True, False)
    )
    assert len(set(whole)) > 1
    assert sum(a == b for a, b in zip(brief, whole, strict=True)) >= 11


def test_a_path_is_left_out_only_where_it_is_clear_of_everything():
    box = Components.named("estimate-2018")
    disc = box.body("B-P0.1", "disc", Pose((50.0, 0.0, 5.0)))
    over = HandPath(((0.0, 0.0, 60.0), (0.0, 0.0, 11.0), (0.0, 0.0, 60.0)))
    assert shortened(over, [disc]) is None
    through = HandPath(((0.0, 0.0, 5.0), (100.0, 0.0, 5.0)))
    cut = shortened(through, [disc])
    legs = [cut.points[k : k + 2] for k in range(len(cut.points) - 1)]
    kept = [leg for k, leg in enumerate(legs) if k not in cut.skipped]
    assert 30.0 <= kept[0][0][0] < 33.0  # the finger meets the disc at 50 - 10 - 7 mm
    assert 67.0 < kept[-1][1][0] < 73.0
    assert cut.points[-1] == through.points[-1]
