"""What programs that watch the server are told: /healthz with everything well, a dead and a stopped
worker, a full disk.
"""

from __future__ import annotations

import asyncio
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


@pytest.fixture
def site(tmp_path, monkeypatch):
    monkeypatch.setattr(health, "_FRESH", 0.0)
    made = SimpleNamespace(data=tmp_path, workers=Workers(1), rooms=SimpleNamespace(in_memory=3))
    yield made
    made.workers.close()


def test_all_is_well_and_a_killed_worker_is_replaced_before_it_is_missed(site):
    async def watched():
        watch = Watch(site)
        first = await watch.health()
        os.kill(site.workers.pids[0], signal.SIGKILL)
        return first, await watch.health()

    assert asyncio.run(watched()) == (Health(3, 1, True, True), Health(3, 1, True, True))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot stop a process")
def test_a_stopped_worker_is_noticed(site, monkeypatch):
    async def watched():
        watch = Watch(site)
        assert (await watch.health()).ok
        monkeypatch.setattr(health, "_PATIENCE", 0.3)
        os.kill(site.workers.pids[0], signal.SIGSTOP)
        return await watch.health()

    found = asyncio.run(watched())
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
def test_programs_get_a_code_and_json_by_get_and_head_and_metrics_only_on_a_switch(
    monkeypatch, site, found, code
):
    async def told(self):
        return found

    async def answers(metrics):
        app = FastAPI()
        monkeypatch.setattr(health, "app", app)
        health.register(site, metrics=metrics)
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(app), base_url="http://here"
        ) as client:
            return [
                await client.request(*one)
                for one in (("GET", "/healthz"), ("HEAD", "/healthz"), ("GET", "/metrics"))
            ]

    monkeypatch.setattr(Watch, "health", told)
    got, head, metrics = asyncio.run(answers(True))
    assert (got.status_code, head.status_code, head.content) == (code, code, b"")
    assert got.json()["version"] == __version__
    assert got.json()["ok"] is (code == 200)
    assert f"shutoko_ok {int(code == 200)}\n" in metrics.text
    assert metrics.headers["content-type"].startswith("text/plain; version=0.0.4")
    *_, without = asyncio.run(answers(False))
    assert without.status_code == 404
