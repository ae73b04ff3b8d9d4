"""The referee on the pages, in every language: all that shipped games and faults say, with the same
numbers and names.
"""

from __future__ import annotations

import asyncio
import errno
import json
import os
import pickle
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import rules
from rules import defaults, record
from rules.errors import (
    IllegalMoveError,
    InputError,
    NotationError,
    RecordError,
    Refusal,
    ShutokoError,
    why,
)
from rules.record.replay import replay
from rules.record.verify import Divergence, Mismatch
from shutoko.web.library import Library
from shutoko.web.limits import MAX_LINES, MAX_UPLOAD, Rate
from shutoko.web.rooms.chat import Trouble
from shutoko.web.rooms.seats import RefusedError
from shutoko.web.site import Site
from shutoko.web.views.table import reasons
from shutoko.web.views.telling import found_wrong, reason_in, refused, refused_file, told, trouble
from shutoko.web.wording import LANGUAGES, words
from shutoko.web.work import kinds as kinds_of_jobs
from shutoko.web.work.jobs import taken_in
from shutoko.web.work.kinds import UPLOAD, Kind
from shutoko.web.work.workers import StoppedError, Workers
from sim import referee
from sim.assets import asset
from sim.languages import Sentence, catalogue
from sim.photo.following import follow, joined
from sim.photo.marks import Marks, marks_of, read_marks
from sim.photo.reading import read_photo
from sim.referee.explain import Reason, fault_line
from sim.referee.standing import IllegalPlacementError, Names
from sim.referee.table import Table
from tests.sim.referee.test_legality import CASES
from tests.tables import build, exit_to, lay_out
from tools.staging import to_json

OTHERS = [language for language in LANGUAGES if language != "en"]


@cache
def recorded() -> tuple[Reason, ...]:
    """All reasons of every shipped game and scenario of Tokyo Highway."""
    found: list[Reason] = []
    for path in sorted(asset("records").rglob("*.jsonl")):
        given = record.read(path)
        found += [line for step in replay(given) for line in reasons(step)]
    return tuple(found)


def faults() -> Iterator[Reason]:
    """Every fault, and forms of `reach` and `stock-cars` that the cases of their codes do not
    have.
    """
    for case in CASES:
        yield from map(fault_line, referee.before(case.table, case.illegal))
    start = Table.start(2)
    poor = replace(start, stocks=tuple(replace(stock, cars=0) for stock in start.stocks))
    high = lay_out({"A-P0": (0, 0, 11), "B-P0": (0, 500, 1)})
    for table, move in (
        (poor, start.default_entrance(0)),
        (high, exit_to("A-P0", 90, 0)),
        (high, build("A-P0", 1, 0, 12)),
    ):
        yield from map(fault_line, referee.before(table, move))


@pytest.mark.slow
@pytest.mark.parametrize("language", OTHERS)
def test_all_that_the_shipped_records_say_is_said_in_other_words_with_the_same_numbers(
    language: str,
) -> None:
    lines = recorded()
    assert {
        "built",
        "crossing",
        "no-crossing",
        "exit-bonus",
        "cars",
        "fall",
        "payment",
        "over",
    } <= {x.data["kind"] for x in lines}
    for line in lines:
        text = line.told(language)
        assert text.lower() != line.text.lower()
        assert not set("{}$") & set(text)
        if line.data["kind"] == "crossing":
            assert (
                f"{line.data['mm']:.1f}".replace(".", catalogue(language).text("decimal")) in text
            )
            assert line.data["road"] in text


@pytest.mark.parametrize("language", OTHERS)
def test_every_fault_is_told_in_other_words_with_its_pieces(language: str) -> None:
    for line in faults():
        text = line.told(language)
        assert text.lower() != line.text.lower()
        assert not set("{}$") & set(text)
        assert all(piece in text for piece in line.data["pieces"] if piece in line.text)


@pytest.mark.parametrize("language", OTHERS)
def test_a_players_name_stays_as_it_is_where_a_sentence_begins_with_it(language: str) -> None:
    goes_on = Reason(
        Sentence("reason-goes-on", {"seat": 1}),
        {"kind": "goes-on", "seat": 1},
        Names(("ann", "bo")),
    )
    assert told(language, [goes_on])[0].startswith("bo")
    assert told(language, [replace(goes_on, names=Names())])[0].startswith("B")


def fell(piece: str) -> Sentence:
    facts = {"piece": piece, "measured": 7.25, "allowed": 5.0, "digits": 1, "own": False}
    return Sentence("reason-fall", {**facts, "why": Sentence("fall-shifted", facts)})


PUSHED = {"sideways": 0.125, "push": None, "piece": "A-R1", "way": "tips", "other": "A-P1.2"}
BEARS = Sentence("statics-bears", PUSHED)
SHARES = {"stands": 91.7, "low": 74.0, "high": 97.7, "others": 4.2, "penalty": 0.25}
RISK = Sentence("risk-told", {"skill": "clumsy", "samples": 24, **SHARES})
GIFTS = [Sentence("gift-grey", {"count": 1}), Sentence("gift-yellow", {"count": 2})]


@pytest.mark.parametrize(
    ("sentence", "language", "said"),
    [
        (fell("B-R1"), "ko", "B-R1 도로가 무너짐"),
        (fell("B-P0.1"), "ko", "B-P0.1 기둥 조각이 무너짐"),
        (fell("B-R1"), "fr", "a route B-R1 tombe\u00a0: déplacement de 7,2 mm"),
        (BEARS, "en", "bears 0.12 g sideways; first A-R1 tips on A-P1.2"),
        (BEARS, "ko", "옆으로 0.12 g까지 버팀. 먼저 A-P1.2 기둥 조각에서 A-R1 도로가 기욺"),
        (
            RISK,
            "en",
            (
                "clumsy hand, 24 tries: stands 92% (74% to 98%), fells others 4%, expected penalty "
                "0.25 discs"
            ),
        ),
        (RISK, "fr", "main maladroite, 24 essais\u00a0: tient 92\u00a0% (74 à 98\u00a0%)"),
    ],
)
def test_particles_follow_the_sound_before_them_and_numbers_have_the_sign_of_their_language(
    sentence: Sentence, language: str, said: str
) -> None:
    assert said in sentence.told(language)


@pytest.mark.parametrize(
    ("language", "key", "values", "said"),
    [
        (
            "fr",
            "statics",
            {"said": BEARS},
            (
                "Statique\u00a0: supporte 0,12 g de côté\u00a0; "
                "d'abord la route A-R1 bascule sur le disque A-P1.2"
            ),
        ),
        ("en", "what_pays", {"to": "bo", "gifts": GIFTS}, "1 grey disc"),
        ("fr", "what_pays", {"to": "bo", "gifts": GIFTS}, "1 pilier gris"),
        ("ko", "what_pays", {"to": "bo", "gifts": GIFTS}, "회색 기둥 1개"),
    ],
)
def test_a_sentence_stands_in_a_sentence_of_the_page(
    language: str, key: str, values: dict[str, Any], said: str
) -> None:
    text = words(language)(key, **values)
    assert said in text
    assert values.get("to", "") in text


def test_a_placement_that_a_worker_refused_is_told_in_the_visitors_language() -> None:
    table, placement = lay_out({"A-P0": (0, 0, 1), "B-P0": (0, 500, 1)}), build("A-P0", 105, 0, 1)
    made = IllegalPlacementError(placement, table.digest(), referee.before(table, placement))
    error = pickle.loads(pickle.dumps(made))  # noqa: S301 - our own bytes
    assert refused("en", error) == "a grey pillar from A-P0 (1 disc) has 2 discs, not 1"
    assert (
        refused("fr", error)
        == "depuis le pilier A-P0 (hauteur 1), un pilier gris a 2 disques, pas 1"
    )
    assert refused("fr", InputError("anything else")) == "anything else"


@pytest.mark.parametrize("language", OTHERS)
def test_what_a_verification_finds_is_told_with_its_numbers(language: str) -> None:
    away = found_wrong(language, Divergence(3, 5, "A-R1", 12.5, 3.25)).replace(",", ".")
    assert all(said in away for said in ("A-R1", "12.50"))
    other = Mismatch(3, 5, "cars", 2, 1, "in English")
    assert "2" in found_wrong(language, other)
    assert found_wrong("en", other) == "in English"


REFUSED = {
    "game-over": ("meridians", {"size": 3}, "a1 c1 resign", "b2"),
    "square-no-cell": ("thruway", {}, "", "a01-b1"),
    "square-off-board": ("thruway", {"size": 5}, "", "f1-f2"),
    "thruway-no-move": ("thruway", {}, "", "hello"),
    "thruway-apart": ("thruway", {}, "", "a1-c1"),
    "thruway-no-trade": ("thruway", {"trade": False}, "", "trade"),
    "thruway-trade-late": ("thruway", {}, "", "trade"),
    "thruway-pass": ("thruway", {}, "", "pass"),
    "thruway-unpaved": ("thruway", {}, "", "a1/b1"),
    "thruway-paved": ("thruway", {}, "a1-b1", "a1-b1"),
    "thruway-ko": (
        "thruway",
        {"size": 4, "trade": False, "ko": "undo"},
        "c2-d2 c3-d3 b3-b4 b1-c1 b1-b2 a2-b2 c2/c3",
        "c2/c3",
    ),
    "thruway-no-dispute": ("thruway", {}, "a1-b1", "a1/b1"),
    "thruway-own-tile": ("thruway", {}, "a1-b1 e5-f5", "b1-c1"),
    "thruway-reserve": ("thruway", {"reserve": 2}, "a1-b1 e5-f5", "c1-d1"),
    "meridians-no-point": ("meridians", {}, "", "z9"),
    "meridians-pie-choice": ("meridians", {"pie": True}, "d4,e5", "d5"),
    "meridians-pie-pair": ("meridians", {"pie": True}, "", "d4"),
    "meridians-pie-apart": ("meridians", {"pie": True}, "", "d4,d4"),
    "meridians-pie-over": ("meridians", {}, "", "swap"),
    "meridians-pass": ("meridians", {}, "", "pass"),
    "meridians-taken": ("meridians", {}, "d4", "d4"),
    "meridians-touches": ("meridians", {}, "d4 f6", "d5"),
    "meridians-unseen": ("meridians", {"size": 4}, "d1 d4 d3 d6", "d5"),
}
"""A game, its options, moves, and a move that is then refused for the reason with that code."""


def grid_refusal(code: str) -> IllegalMoveError | NotationError:
    name, options, moves, text = REFUSED[code]
    state = rules.game(name, **options).start()
    for move in moves.split():
        state = state.after(move)
    with pytest.raises((IllegalMoveError, NotationError)) as caught:
        state.parse(text)
    return pickle.loads(pickle.dumps(caught.value))  # noqa: S301 - our own bytes


@pytest.mark.parametrize("code", REFUSED)
def test_a_refused_move_on_a_board_is_told_in_the_visitors_language(code: str) -> None:
    error = grid_refusal(code)
    assert isinstance(error.reason, Refusal)
    assert error.reason.code == code
    assert refused("en", error) == error.reason
    told = {language: refused(language, error) for language in LANGUAGES}
    assert len(set(told.values())) == len(told), f"two languages say the same: {told}"


def test_every_reason_that_the_catalogues_have_for_a_refused_move_on_a_board_occurs() -> None:
    codes = {
        message.removeprefix("refused-")
        for message in catalogue("en").messages
        if message.startswith("refused-")
    }
    assert {
        code for code in codes if code.split("-")[0] in ("square", "thruway", "meridians")
    } <= set(REFUSED)


@pytest.mark.parametrize(
    "error",
    [
        IllegalMoveError("up", "here", "not today"),
        IllegalMoveError("up", "here", Refusal("not today", "nim-not-today")),
    ],
)
def test_the_reason_of_a_game_whose_codes_nobody_knows_stays_english(error: ShutokoError) -> None:
    assert refused("fr", error) == reason_in("fr", "not today") == "not today"


@pytest.mark.parametrize("language", OTHERS)
def test_what_a_person_may_not_do_in_a_room_is_told_in_their_language(language: str) -> None:
    error = RefusedError("turn", name="Ann")
    said = refused(language, error)
    assert str(error) == refused("en", error) == "it is the turn of Ann"
    assert "Ann" in said != str(error), f"{language}: refused-turn is still in English"


@pytest.mark.parametrize("language", OTHERS)
def test_why_a_computers_move_was_not_made_is_told_in_the_visitors_language(language: str) -> None:
    error = grid_refusal("meridians-taken")
    said = trouble(language, Trouble("best", error))
    assert (said[:4], said.endswith(refused(language, error))) == ("best", True)
    for who, wrong, line in (
        ("best", ZeroDivisionError("oh"), "best: ZeroDivisionError: oh"),
        ("", InputError("the disk is full"), "the disk is full"),
    ):
        assert trouble(language, Trouble(who, wrong)) == line


# --- limits, stopped jobs, and the system ---------------------------------------------------------


def told_by(action: Callable[[], object]) -> ShutokoError:
    with pytest.raises(ShutokoError) as caught:
        action()
    return caught.value


def beyond_a_limit(tmp_path: Path, rates: tuple[Rate, ...]) -> Iterator[ShutokoError]:
    site = Site("127.0.0.1", 1, tmp_path / "data")
    for counts in (site.opened, site.uploaded):
        counts._rates = rates
        counts.count("one")
        yield told_by(lambda counts=counts: counts.count("one"))
    site.close()


def stopped() -> Iterator[ShutokoError]:
    kinds = [value for value in vars(kinds_of_jobs).values() if isinstance(value, Kind)]
    assert len(kinds) >= 12

    async def run(kind: Kind) -> ShutokoError:
        pool = Workers(1)
        waiting = asyncio.create_task(pool.run(abs, -1, kind=kind))
        await asyncio.sleep(0)
        pool.close()
        with pytest.raises(StoppedError) as caught:
            await waiting
        return caught.value

    for kind in kinds:
        yield asyncio.run(run(kind))


def of_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ShutokoError]:
    header = defaults.header(rules.game("meridians", size=4), ("a", "b"))
    for number in (
        "ENOSPC",
        "EDQUOT",
        "EROFS",
        "EACCES",
        "EPERM",
        "ENOENT",
        "EIO",
        "EFBIG",
        "EMFILE",
    ):
        code = getattr(errno, number)

        def fails(*_: object, code: int = code, **__: object) -> None:
            raise OSError(code, os.strerror(code))

        with monkeypatch.context() as broken:
            for name in ("put", "extend"):
                broken.setattr(record.disk, name, fails)
            yield told_by(lambda: record.write(record.Record(header), tmp_path / "a.jsonl"))
            yield told_by(lambda: Library(tmp_path / "records").save(b"", "up.jsonl"))
    yield told_by(lambda: record.read(tmp_path / "none.jsonl"))
    yield told_by(lambda: taken_in(b"\n" * MAX_LINES, "up.jsonl"))
    yield told_by(lambda: taken_in(b" " * (MAX_UPLOAD + 1), "up.jsonl"))


@pytest.mark.parametrize("language", OTHERS)
def test_limits_stopped_jobs_and_errors_of_the_system_are_told_in_the_visitors_language(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spans = (Rate(1, 5.0), Rate(1, 3000.0), Rate(1, 86400.0))
    errors = [*of_the_system(tmp_path, monkeypatch), *stopped()]
    errors += [
        error
        for n, span in enumerate(spans)
        for error in beyond_a_limit(tmp_path / str(n), (span,))
    ]
    english = catalogue("en")
    for error in errors:
        said = refused(language, error)
        assert not set("{}$") & set(said), said
        assert refused("en", error) == str(why(error)), "the catalogue says what the message says"
        assert said != refused("en", error), f"{language}: still in English"
        for key in english.messages:  # no part of it has stayed English
            if key.startswith(("refused-what-", "refused-os-")):
                assert str(english.text(key)) not in said, said


@pytest.mark.anyio
async def test_what_a_worker_refuses_is_told_in_the_visitors_language_too() -> None:
    pool = Workers(1)
    with pytest.raises(InputError) as caught:
        await pool.run(taken_in, b"\n" * MAX_LINES, "up.jsonl", kind=UPLOAD)
    pool.close()
    assert refused("fr", caught.value) == (
        "up.jsonl\u00a0: 2001 lignes, c'est trop\u00a0; on lit des parties de 2000 lignes au plus"
    )


def test_what_is_read_from_a_file_is_told_with_its_place() -> None:
    error = RecordError(Refusal("cannot be read: oh", "not-read", why="oh"), "up.jsonl", 3, 1)
    assert str(error) == "up.jsonl:3: ply 1: cannot be read: oh"
    assert refused_file("fr", error) == "up.jsonl:3: ply 1: lecture impossible\u00a0: oh"
    assert refused_file("en", InputError("oh")) == "oh"


@pytest.mark.parametrize("language", OTHERS)
def test_a_file_that_is_no_picture_is_refused_in_the_language_of_the_page(language):
    pytest.importorskip("PIL", reason="photos need Pillow")
    from shutoko.export.photograph import photo_of

    with pytest.raises(InputError) as error:
        photo_of(b"no picture")
    said = refused(language, error.value)
    assert "WebP" in said
    assert said != str(error.value), f"{language}: still in English"


def marked_wrong() -> Iterator[ShutokoError]:
    """What is refused of marks on photos."""
    earlier = read_marks(asset("photos", "earlier.json"))
    first, since = to_json(earlier), to_json(read_marks(asset("photos", "since.json")))

    def of(value: dict[str, Any]) -> Marks:
        return marks_of(json.dumps(value).encode())

    def changed(key: str, piece: str, **fields: Any) -> dict[str, Any]:
        return since | {key: [one | (fields if one["id"] == piece else {}) for one in since[key]]}

    fresh, own = since["roads"][0], [one["id"] for one in since["pillars"] if one["owner"] == 1]
    foreign = next(one["id"] for one in since["pillars"] if one["owner"] != fresh["owner"])
    height = changed("pillars", own[0], discs=1, junction=True)
    alone = {"id": "A-P50", "owner": 0, "discs": 1}
    crossed = {"size": [297, 210], "corners": [[10, 10], [90, 90], [90, 10], [10, 90]]}
    for wrong in (
        changed("roads", fresh["id"], ends=[[1, 2], [90000, 2]]),
        changed("roads", fresh["id"], ends=[[1, 2], [2, 3]]),
        changed("roads", fresh["id"], to=foreign),
        changed("roads", fresh["id"], to=None, **{"from": None}),
        changed("roads", fresh["id"], to=fresh["from"]),
        height,
        since | {"pillars": [*since["pillars"], alone]},
        since | {"sheet": crossed},
    ):
        yield told_by(lambda wrong=wrong: of(wrong))
    yield told_by(lambda: joined(earlier, of(since | {"image": since["image"] | {"width": 6000}})))
    yield told_by(lambda: joined(earlier, of(since | {"players": 3})))
    before = read_photo(earlier).record
    again = changed("pillars", "B-P5", discs=2, junction=False)
    standing = {one["id"] for one in first["pillars"]}
    other = next(
        one["id"]
        for one in since["pillars"]
        if one["owner"] == fresh["owner"] and one["id"] in standing and one["id"] != fresh["from"]
    )
    for wrong in (
        again,
        since | {"roads": since["roads"][1:]},
        changed("roads", fresh["id"], id=f"{fresh['id'][:3]}15"),
        changed("roads", fresh["id"], **{"from": fresh["to"], "to": fresh["from"]}),
        changed("roads", fresh["id"], to=other),
    ):
        yield told_by(lambda wrong=wrong: follow(before, joined(earlier, of(wrong))))
    yield told_by(lambda: follow(before, earlier))


@pytest.mark.slow
def test_what_is_wrong_with_marks_on_a_photo_is_told_in_the_visitors_language() -> None:
    errors = list(marked_wrong())
    assert len({error.args[0].code for error in errors}) == len(errors), "each is another one"
    for error in errors:
        assert refused("en", error) == str(error), "the catalogue says what the message says"
        for language in OTHERS:
            said = refused(language, error)
            assert said != str(error), f"{language}: still in English"
            assert not set("{}$") & set(said), said
