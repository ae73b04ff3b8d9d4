"""What runs in worker processes, called here."""

import pytest

import rules
from rules.errors import IllegalMoveError, InputError
from shutoko.web.work import jobs
from shutoko.web.work.jobs import MoveJob

NAMES = ("Ann", "Bo")


def test_a_move_on_a_board_is_made_with_its_entry_and_what_the_room_adds_to_it():
    made = rules.game("meridians", size=3)
    step = jobs.made_move(
        made,
        MoveJob("meridians", made.options, made.start(), "b2", 0, NAMES, extra={"x-clock": [1, 2]}),
    )
    assert str(step) == "ply  0  Ann: b2"
    assert step.after == step.before.after("b2")
    assert step.entry.got == step.got()
    assert step.entry.extra == {"x-clock": [1, 2]}


def test_a_placement_is_settled_by_the_engine_of_its_position_and_filmed():
    made = rules.game("tokyo-highway", engine="none")
    state = made.start()
    text = str(state.table.default_entrance(0))
    step, film = jobs.performed(
        MoveJob("tokyo-highway", made.options, state, text, 0, NAMES, extra={"x-clock": [3]})
    )
    assert step.verdict.legal
    assert step.after.digest() == step.entry.got["digest"] == state.after(text).digest()
    assert step.entry.extra == {"x-clock": [3]}
    assert film.seconds > 0
    assert "Ann" in str(step)


def test_an_illegal_placement_is_refused_with_its_faults():
    made = rules.game("tokyo-highway", engine="none")
    with pytest.raises(IllegalMoveError):
        jobs.performed(MoveJob("tokyo-highway", made.options, made.start(), "pass", 0, NAMES))


def test_a_player_of_a_visitor_reads_no_file_of_the_server(tmp_path):
    for path in (tmp_path / "none.npz", "/etc/hostname"):
        with pytest.raises(InputError, match="read no files; leave file out") as error:
            jobs.checked(f"policy:file={path}", "tokyo-highway", {})
        assert "policy:file=" in str(error.value)
