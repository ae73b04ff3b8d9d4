"""What runs in worker processes, called here."""

import rules
from shutoko.web.work import jobs
from sim.assets import asset


def test_steps_of_a_record_explain_every_ply():
    record = rules.record.read(asset("records", "two-cars.jsonl"))
    told = list(jobs.steps(record))
    assert len(told) == record.next_ply
    assert all(step.lines for step in told)
