"""What travels away from a table: clips of plies, and the pictures that messengers show beside a
link. Plain functions for worker processes, and a bounded store, so that each is made once.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from hashlib import blake2b
from importlib import import_module
from io import BytesIO
from typing import Any

from rules import defaults
from rules.errors import Refusal
from rules.game import Game
from rules.record import Record, dumps, loads
from rules.record.replay import begin, replay
from rules.view import SceneView
from shutoko.web.work.jobs import named
from shutoko.web.work.kinds import Kind

CLIP = Kind(Refusal("the clip", "what-clip"), 60.0)
"""A clip of a ply."""

PREVIEW = Kind(Refusal("the picture", "what-preview"), 30.0)
"""The picture beside a link."""

CLIPS: dict[str, str] = {"gif": "image/gif", "mp4": "video/mp4"}
"""The media types of clips, by their suffix."""

SIZE = (600, 315)
"""Width and height in pixels of the picture beside a link, as messengers show them."""

_GROUND = (239, 234, 222)
_EDGE = 10  # px around a board


def clipped(data: bytes, kind: str, ply: int, language: str) -> bytes:
    """The clip of a ply of a record. Raises what `shutoko.export.clip.clip` raises."""
    from shutoko.export.clip import clip

    return clip(loads(data), kind, ply, language=language)


def pictured(data: bytes) -> bytes:
    """The last position of a record as JPEG. Raises what replaying and drawing raise."""
    record = loads(data)
    made, state = begin(record)
    last = None
    for step in replay(record):
        if not step.entry.taken_back:
            state, last = step.after, str(step.entry.do)
    return _jpeg(made, state, last)


def problem_pictured(name: str) -> bytes:
    """The position of the problem with that id as JPEG."""
    problem = named(name)
    assert problem is not None, "the page has looked it up"
    made, _, state = problem.begin()
    return _jpeg(made, state, problem.moves[-1] if problem.moves else None)


def _jpeg(made: Game[Any], state: Any, last: str | None) -> bytes:
    seen = defaults.view(made, state)
    if isinstance(seen, SceneView):
        from shutoko.export.picture import picture

        image = picture(seen.bodies, size=SIZE, samples=1)
    else:
        from shutoko.export.board import raster
        from shutoko.export.share import drawing

        pil = import_module("PIL.Image")
        board = pil.open(BytesIO(raster(drawing(made, state, "", last)))).convert("RGB")
        board.thumbnail((SIZE[0] - 2 * _EDGE, SIZE[1] - 2 * _EDGE))
        image = pil.new("RGB", SIZE, _GROUND)
        image.paste(board, ((SIZE[0] - board.width) // 2, (SIZE[1] - board.height) // 2))
    out = BytesIO()
    image.save(out, "JPEG", quality=86)
    return out.getvalue()


def until(record: Record, ply: int | None) -> tuple[bytes, str]:
    """The record up to a ply as bytes, and what they are known by."""
    if ply is not None:
        entries = tuple(entry for entry in record.entries if entry.ply <= ply)
        if len(entries) < len(record.entries):
            record = Record(record.header, entries)
    data = dumps(record)
    return data, blake2b(data, digest_size=16).hexdigest()


class Made:
    """Files that were made, `limit` bytes of them in all; what was asked for last is kept. Whoever
    asks for one that is being made waits for it. Use from one event loop.
    """

    def __init__(self, limit: int) -> None:
        self._limit, self._size = limit, 0
        self._files: OrderedDict[str, bytes] = OrderedDict()
        self._making: dict[str, asyncio.Task[bytes]] = {}

    @property
    def size(self) -> int:
        """Bytes that are kept."""
        return self._size

    async def of(self, key: str, make: Callable[[], Coroutine[Any, Any, bytes]]) -> bytes:
        """The file of that key; `make` makes it if it is not there. Raises what `make` raises."""
        if key in self._files:
            self._files.move_to_end(key)
            return self._files[key]
        task = self._making.get(key)
        if task is None:
            self._making[key] = task = asyncio.get_running_loop().create_task(make())
            task.add_done_callback(lambda done: self._made(key, done))
        return await asyncio.shield(task)

    def _made(self, key: str, task: asyncio.Task[bytes]) -> None:
        self._making.pop(key, None)
        if task.cancelled() or task.exception() is not None:
            return
        data = task.result()
        if len(data) > self._limit:
            return
        self._files[key], self._size = data, self._size + len(data)
        while self._size > self._limit:
            self._size -= len(self._files.popitem(last=False)[1])
