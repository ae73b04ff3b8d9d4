"""One question about a placement, three independent answers."""

from __future__ import annotations

import pytest

from rules.errors import IllegalMoveError, InputError, UnavailableError
from sim.game.stability import stability
from sim.physics import engines
from sim.referee.placement import Placement
from sim.referee.table import Table
from tests import tables
from tests.sim.game.test_touching import LOW_BRIDGE, ROADS
from tests.tables import lay_out


@pytest.fixture(scope="module")
def table() -> Table:
    return tables.entrances()


def build(table: Table, reach: float) -> Placement:
    """A pillar of two discs from the entrance of the seat to move, `reach` mm away from it across
    the table.
    """
    base = table.pillars[table.to_move]
    return Placement.parse(
        {"build": {"from": base.id, "pillar": [base.at[0] + reach, base.at[1]], "discs": 2}}
    )


def test_all_methods_share_that_an_ordinary_build_stands(table: Table) -> None:
    answer = stability(table, build(table, 112.0))
    assert tuple(answer.stands) == engines.available()
    assert answer.shared is True
    assert answer.asked == engines.available()[0]
    assert not any(answer.falls.values())
    assert 0.05 < answer.margin.sideways < 0.5
    assert answer.margin.push > 0.1
    assert answer.failure is not None


def test_what_touches_another_players_road_where_it_comes_to_rest_is_why_it_does_not_stand() -> (
    None
):
    answer = stability(lay_out(LOW_BRIDGE, ROADS), tables.build("A-P1", 100, 0, 3))
    assert not any(answer.stands.values())
    assert [why.to_json() for why in answer.why] == [
        {"code": "touches", "pieces": ["A-R1", "B-R0"], "share": 1.0}
    ]
    engines_asked = len(answer.stands)
    assert str(answer.why[0]) == f"A-R1 touches B-R0 in {engines_asked} of {engines_asked} tries"


def test_what_falls_is_why_it_does_not_stand_a_pillar_by_its_own_name(table: Table) -> None:
    placement = build(table, 112.0)
    road, pillar = table.next_id(table.to_move, "R"), table.next_id(table.to_move, "P")
    still = {"turn": [0.0, 0.0, 0.0]}
    slid = [
        {"piece": road, "shift": [40.0, 0.0, 0.0], **still},
        {"piece": f"{pillar}.2", "shift": [12.0, 0.0, 0.0], **still},
    ]
    answer = stability(table, placement, hand=slid)
    assert (any(answer.stands.values()), answer.asked) == (False, None)
    assert all(road in {fall.piece for fall in fell} for fell in answer.falls.values())
    assert {(why.code, why.pieces, why.share) for why in answer.why} == {
        ("fell", (pillar,), 1.0),
        ("fell", (road,), 1.0),
    }
    assert stability(table, placement).why == ()


@pytest.mark.parametrize(
    ("reach", "asked", "error", "why"),
    [
        pytest.param(112.0, ["havok"], InputError, "no engine 'havok'", id="no such engine"),
        pytest.param(112.0, ["mujoco"], UnavailableError, "mujoco", id="one not installed"),
        pytest.param(300.0, None, IllegalMoveError, "rim", id="an illegal placement"),
        pytest.param(None, None, InputError, "nothing is put down", id="a pass"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    reach: float | None,
    asked: list[str] | None,
    error: type[Exception],
    why: str,
    table: Table,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if error is UnavailableError:
        monkeypatch.setattr(engines, "_installed", lambda _: False)
    placement = Placement.parse("pass") if reach is None else build(table, reach)
    with pytest.raises(error, match=f"(?i){why}"):
        stability(table, placement, asked)
