"""What programs that watch the server are told: /healthz with everything well, a dead and a stopped
worker, a full disk.
"""

from __future__ import annotations

import os
import signal
import sys
from types import SimpleNamespace

import pytest

pytest.importorskip("nicegui", reason="the pages need the extra web")

import httpx
from fastapi import FastAPI

from shutoko import __version__
from shutoko.web import health
from shutoko.web.health import Health, Watch
from shutoko.web.work.workers import Workers

pytestmark = pytest.mark.anyio


@pytest.fixture
def site(tmp_path, monkeypatch):
    monkeypatch.setattr(health, "_FRESH", 0.0)
    made = SimpleNamespace(data=tmp_path, workers=Workers(1), rooms=SimpleNamespace(in_memory=3))
    yield made
    made.workers.close()


async def test_all_is_well_and_a_killed_worker_is_replaced_before_it_is_missed(site):
    watch, well = Watch(site), Health(3, 1, True, True)
    assert await watch.health() == well
    os.kill(site.workers.pids[0], signal.SIGKILL)
    assert await watch.health() == well


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot stop a process")
async def test_a_stopped_worker_is_noticed(site, monkeypatch):
    watch = Watch(site)
    assert (await watch.health()).ok
    monkeypatch.setattr(health, "_PATIENCE", 0.3)
    os.kill(site.workers.pids[0], signal.SIGSTOP)
    found = await watch.health()
    assert (found.workers_answer, found.ok) == (False, False)


def test_a_disk_on_which_nothing_reaches_its_place_is_noticed(tmp_path, monkeypatch):
    assert health._writable(tmp_path)
    assert not health._writable(tmp_path / "gone")

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert not health._writable(tmp_path)


@pytest.mark.parametrize(
    ("found", "code"), [(Health(3, 2, True, True), 200), (Health(0, 0, False, True), 503)]
)
async def test_programs_get_a_code_and_json_by_get_and_head_and_metrics_only_on_a_switch(
    monkeypatch, site, found, code
):
    async def told(_):
        return found

    monkeypatch.setattr(Watch, "health", told)
    answers = []
    for metrics in (True, False):
        monkeypatch.setattr(health, "app", app := FastAPI())
        health.register(site, metrics=metrics)
        through = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=through, base_url="http://here") as client:
            for method, path in (("GET", "/healthz"), ("HEAD", "/healthz"), ("GET", "/metrics")):
                answers.append(await client.request(method, path))
    got, head, metrics, *_, without = answers
    assert (got.status_code, head.status_code, head.content) == (code, code, b"")
    assert (got.json()["version"], got.json()["ok"]) == (__version__, code == 200)
    assert f"shutoko_ok {int(code == 200)}\n" in metrics.text
    assert metrics.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert without.status_code == 404
