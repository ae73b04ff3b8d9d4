from __future__ import annotations

from dataclasses import replace

import pytest

from rules.errors import InputError
from sim.assets import asset
from sim.photo.drafting import MOST_DISCS, Draft, offered
from sim.photo.marks import ImageSize, read_marks

EMPTY = Draft(ImageSize(1600, 1200))
RAMP = EMPTY.tapped((400.0, 900.0)).tapped((400.0, 600.0))
"""Red's entrance, tapped from the table up."""


def feet(draft: Draft, road: int = -1) -> tuple[int, int]:
    """How many discs are under the two ends of a road."""
    index = road % len(draft.roads)
    return draft.discs(index, 0), draft.discs(index, 1)


def test_the_first_road_of_a_colour_is_its_entrance_to_a_pillar_of_one_disc() -> None:
    assert feet(RAMP) == (0, 1)
    blue = RAMP.of_colour(1).tapped((900.0, 900.0)).tapped((900.0, 600.0))
    assert feet(blue) == (0, 1)
    assert [road["id"] for road in blue.to_json()["roads"]] == ["A-R0", "B-R0"]


def test_an_end_near_an_own_end_is_on_the_same_pillar_and_the_other_end_on_a_new_one() -> None:
    draft = RAMP.tapped((600.0, 400.0)).tapped((405.0, 590.0))
    assert feet(draft) == (2, 1)
    road = draft.to_json()["roads"][1]
    assert (road["from"], road["to"]) == ("A-P0", "A-P1")
    assert road["ends"] == [[405.0, 590.0], [600.0, 400.0]], (
        "a road is built from the pillar that stood before"
    )


def test_an_end_near_a_road_of_another_colour_is_on_a_pillar_of_its_own() -> None:
    draft = RAMP.of_colour(1).tapped((410.0, 900.0)).tapped((405.0, 600.0))
    assert {pillar["id"] for pillar in draft.to_json()["pillars"]} == {"A-P0", "B-P0"}


def test_an_end_on_no_disc_is_on_the_table_and_its_pillar_goes() -> None:
    draft = RAMP.tapped((405.0, 590.0)).tapped((600.0, 400.0)).counted(1, 1, 0)
    assert len(draft.pillars) == 1
    road = draft.to_json()["roads"][1]
    assert (road["from"], road["to"]) == ("A-P0", None), "an exit"
    with pytest.raises(InputError, match="both ends would be on the table"):
        draft.counted(1, 0, 0)


def test_counting_discs_changes_them_for_all_roads_on_that_pillar() -> None:
    draft = RAMP.tapped((405.0, 590.0)).tapped((600.0, 400.0)).counted(1, 0, 3)
    assert feet(draft, 0) == (0, 3)
    assert draft.shared(1, 0)
    assert not draft.shared(1, 1)
    with pytest.raises(InputError, match="a junction has a grey disc under its yellow one"):
        draft.yellowed(1, 1, junction=True).counted(1, 1, 1)


@pytest.mark.parametrize("discs", [0, 1, 2, 3, 17, MOST_DISCS - 1, MOST_DISCS])
def test_five_counts_are_offered_that_a_pillar_can_have(discs: int) -> None:
    counts = offered(discs)
    assert discs in counts
    assert (len(counts), counts[0] >= 0, counts[-1] <= MOST_DISCS) == (5, True, True)


def test_an_end_can_leave_the_pillar_that_it_shares_and_come_back() -> None:
    draft = RAMP.tapped((405.0, 590.0)).tapped((600.0, 400.0))
    apart = draft.parted(1, 0)
    assert len(apart.pillars) == 3
    assert apart.parted(1, 0) == draft


def test_a_road_of_another_colour_takes_pillars_of_that_colour() -> None:
    draft = RAMP.tapped((405.0, 590.0)).tapped((600.0, 400.0)).coloured(1, 1)
    assert [pillar.owner for pillar in draft.pillars] == [0, 1]
    assert [road["id"] for road in draft.to_json()["roads"]] == ["A-R0", "B-R0"]
    with pytest.raises(InputError, match="more than 1 colours"):
        draft.seated(1)


CHAIN = RAMP.tapped((405.0, 590.0)).tapped((600.0, 400.0))


def test_a_whole_chain_goes_to_another_player_on_its_pillars() -> None:
    draft = CHAIN.tapped((605.0, 395.0)).tapped((800.0, 500.0))
    assert draft.chain(1) == (0, 1, 2)
    other = draft.recoloured(1, 1)
    assert other.picked == 1
    assert {road.owner for road in other.roads} == {pillar.owner for pillar in other.pillars} == {1}
    assert [road.feet for road in other.roads] == [road.feet for road in draft.roads]
    assert [pillar.discs for pillar in other.pillars] == [pillar.discs for pillar in draft.pillars]
    assert other.recoloured(1, 1) == other
    assert other.recoloured(0, 0).roads == draft.roads


def test_a_chain_takes_the_pillar_that_it_shares_with_another_of_its_new_player() -> None:
    """One chain that was taken for two, of two players."""
    apart = CHAIN.of_colour(1).tapped((605.0, 395.0)).tapped((800.0, 500.0)).counted(2, 0, 2)
    assert apart.chain(2) == (2,)
    assert len(apart.pillars) == 4
    one = apart.recoloured(2, 0)
    assert one.chain(2) == (0, 1, 2)
    assert len(one.pillars) == 3
    assert one.roads[2].feet[0] == one.roads[1].feet[1]
    assert one.discs(2, 0) == CHAIN.discs(1, 1), "as counted on the chain that stays"


def test_a_chain_leaves_the_roads_of_the_photo_before_on_their_pillars() -> None:
    since = RAMP.since(ImageSize(1600, 1200)).of_colour(0)
    grown = since.tapped((405.0, 590.0)).tapped((600.0, 400.0))
    other = grown.recoloured(1, 1)
    assert [road.owner for road in other.roads] == [0, 1]
    assert other.roads[0].feet == grown.roads[0].feet
    assert set(other.roads[1].feet).isdisjoint(other.roads[0].feet)
    assert [other.discs(1, end) for end in (0, 1)] == [grown.discs(1, end) for end in (0, 1)]
    with pytest.raises(InputError, match="stays as it was"):
        grown.recoloured(0, 1)


def test_roads_tapped_in_turn_stand_in_that_order() -> None:
    draft = (
        RAMP.tapped((405.0, 590.0))
        .tapped((600.0, 400.0))
        .tapped((610.0, 390.0))
        .tapped((800.0, 500.0))
    )
    turned = draft.placed(2, 0)
    assert [road.ends for road in turned.roads] == [draft.roads[n].ends for n in (2, 0, 1)]


def test_a_removed_road_takes_along_the_pillars_that_nothing_else_ends_on() -> None:
    draft = RAMP.tapped((405.0, 590.0)).tapped((600.0, 400.0)).without(1)
    assert (len(draft.roads), len(draft.pillars)) == (1, 1)


@pytest.mark.parametrize("at", [(-1.0, 5.0), (1601.0, 5.0), (5.0, 1200.5)])
def test_a_mark_outside_the_photo_is_refused(at: tuple[float, float]) -> None:
    for deed in (EMPTY.tapped, EMPTY.cornered, lambda at: RAMP.moved(0, 1, at)):
        with pytest.raises(InputError, match="outside the photo"):
            deed(at)


def test_four_corners_make_a_sheet_and_a_fifth_begins_anew() -> None:
    draft = RAMP
    for corner in ((100.0, 100.0), (400.0, 100.0), (400.0, 300.0), (100.0, 300.0)):
        assert "sheet" not in draft.to_json()
        draft = draft.cornered(corner)
    assert draft.to_json()["sheet"]["size"] == [297.0, 210.0]
    assert draft.on_gauge("card").to_json()["sheet"]["size"] == [85.6, 54.0]
    assert "components" not in draft.to_json()
    assert replace(draft, components="x").to_json()["components"] == "x"
    assert draft.cornered((50.0, 50.0)).sheet == ((50.0, 50.0),)


def test_tapping_the_example_gives_its_marks_although_nothing_is_named() -> None:
    known = read_marks(asset("photos", "table.json"))
    draft, pillars = (
        Draft(known.image, known.players),
        {pillar.id: pillar for pillar in known.pillars},
    )
    for index, road in enumerate(known.roads):
        draft = draft.of_colour(road.owner).tapped(road.ends[0]).tapped(road.ends[1])
        for end, foot in enumerate((road.base, road.target)):
            draft = draft.counted(index, end, 0 if foot is None else pillars[foot].discs)
            if foot is not None and pillars[foot].junction:
                draft = draft.yellowed(index, end, junction=True)
    marks = draft.marks()
    assert {(road.id, frozenset(road.pillars)) for road in marks.roads} == {
        (road.id, frozenset(road.pillars)) for road in known.roads
    }
    assert {replace(one, top=None) for one in marks.pillars} == {
        replace(one, top=None) for one in known.pillars
    }


def test_old_roads_keep_their_marks_on_the_next_photo_until_one_is_moved() -> None:
    first = RAMP.tapped((405.0, 590.0)).tapped((600.0, 400.0))
    since = (
        first.since(ImageSize(1600, 1200, 1500.0))
        .of_colour(0)
        .tapped((605.0, 395.0))
        .tapped((900.0, 300.0))
    )

    def counting(draft: Draft) -> list[str]:
        return [road["id"] for road in draft.to_json()["roads"]]

    assert counting(since) == ["A-R0", "A-R1", "A-R2"]
    turned = since.moved(1, 0, (440.0, 600.0))
    assert counting(turned) == ["A-R2"]
    assert counting(turned.moved(1, 1, (640.0, 410.0))) == ["A-R1", "A-R2"]
    assert {pillar["id"] for pillar in turned.to_json()["pillars"]} == {"A-P1", "A-P2"}


def test_what_was_there_on_the_photo_before_stays_as_it_was() -> None:
    since = RAMP.since(ImageSize(1600, 1200)).tapped((405.0, 590.0)).tapped((600.0, 400.0))
    for deed in (
        lambda: since.without(0),
        lambda: since.coloured(0, 1),
        lambda: since.placed(1, 0),
    ):
        with pytest.raises(InputError, match="stays as it was"):
            deed()
    with pytest.raises(InputError, match="different sizes"):
        RAMP.since(ImageSize(1200, 1600))
