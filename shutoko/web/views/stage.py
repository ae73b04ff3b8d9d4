"""The table's scene in the browser: one NiceGUI object for all pieces, driven by
`static/bodies.js`.

A call to a scene that the browser has not set up yet is lost, and a browser that drops its drawing
context loses the scene. So the last layout is kept here and sent again whenever the scene begins
anew.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nicegui import events, ui
from nicegui.elements.scene import Object3D

from shutoko.export import packed
from shutoko.export.rendering.camera import Camera
from shutoko.web import STATIC
from shutoko.web.views.table import Tray
from sim.bodies import Body, Cylinder

LOOK: dict[str, Any] = {"plain": None, "nearest": 650.0}
"""Whether shadows are left out (slow machines; None: the browser decides), and how near the camera
goes by itself (mm): the first pieces should not fill the screen.
"""

_FOV = 30.0
_NEAR = 430.0  # mm: how near the camera goes by itself where the table fills the window
_SLOW, _SLOWED = 2.0, 0.4  # times slower than films show a fall anyway, for its first seconds
_ROAMING = 1.1  # seconds for which the computer's build looks for its place
_SLOWLY = 3.0  # times slower when somebody would like to see it again
_LIFT = (
    20.0  # mm from the top disc of an advised move to its number, and from one number to the next
)


@dataclass(frozen=True, slots=True)
class Sign:
    """The number of discs that stands on a ghost, at the top of its pillar (mm); `more` and `less`
    say whether it may be higher or lower.
    """

    discs: int
    at: tuple[float, float, float]
    more: bool
    less: bool


class _Scene(ui.scene, esm={"shutoko-look": str(STATIC / "look")}):
    """NiceGUI's scene; `bodies.js` imports the module of the looks by its name."""


class Bodies(Object3D, component=STATIC / "bodies.js"):
    """All pieces of a table as one object of a scene."""

    def call(self, name: str, *arguments: Any) -> None:
        """Calls a method of the component."""
        _ = self.scene.run_method("run_method_on_component", self.id, name, *arguments)


class Stage:
    """A scene that shows bodies, ghosts and films. `on_hand` is called with where the pointer is on
    the table (mm). `plain` leaves shadows and textures out; None leaves them out where a browser
    draws without a graphics card. If the table `fills` the window, the camera keeps the pieces
    clear of what floats over it, and goes closer.
    """

    def __init__(
        self,
        bodies: Sequence[Body],
        on_hand: Callable[[dict[str, Any]], Any] | None = None,
        *,
        plain: bool | None = None,
        fills: bool = False,
    ) -> None:
        self._shapes: dict[str, packed.Shape] = {}
        self._extras: dict[str, tuple[Any, ...]] = {}
        self._stock: tuple[list[Body], list[Tray]] = ([], [])
        camera = _camera(bodies)
        made = ui.scene.perspective_camera(fov=_FOV, near=5, far=6000)
        self.scene = _Scene(
            900, 640, grid=False, camera=made, click_events=[], fps=60, background_color="#2e2419"
        )
        self.scene.move_camera(*camera.eye, *camera.target, duration=0)
        look = {"nearest": _NEAR, "fills": True} if fills else {}
        self._bodies, self._look = tuple(bodies), {**LOOK, "plain": plain, **look}
        self._shapes.update(packed.shapes(bodies))
        with self.scene:
            self._object = Bodies(*self._arguments())
        self.scene.on("init", self._again)
        self._on_hand = on_hand
        if on_hand is not None:
            self.scene.on("hand", lambda event: on_hand(_detail(event)), ["detail"])

    def show(self, bodies: Sequence[Body], ms: int = 250) -> None:
        """Shows these pieces; those that were there before glide to where they are."""
        self._send(bodies)
        self._bodies = tuple(bodies)
        self._object.args = self._arguments()
        self._object.call("show", packed.shown(bodies), packed.UNIT, ms)

    def play(
        self,
        film: packed.Film,
        bodies: Sequence[Body],
        *,
        slowly: bool = False,
        watched: Sequence[str] = (),
        roams: tuple[Sequence[Body], str] | None = None,
    ) -> float:
        """Plays a film that ends with these pieces; returns the seconds that it takes. When pieces
        begin to fall, time slows down for a moment; `slowly`, all of it takes longer. If nothing
        else falls, the camera goes to those `watched`. `roams` is a build that looks for its place
        before, see-through in a colour.
        """
        self._send([*film.looks, *bodies, *(() if roams is None else roams[0])])
        self._bodies = tuple(bodies)
        self._object.args = self._arguments()
        falls, rate = packed.falls(film), _SLOWLY if slowly else 1.0
        slowed = [[begin, begin + _SLOWED, _SLOW] for begin in falls[:1]] if not slowly else []
        looks_for = None if roams is None else [packed.shown(roams[0]), roams[1], 1000 * _ROAMING]
        self._object.call(
            "play",
            film.keys,
            film.poses,
            packed.UNIT,
            film.dt * rate,
            0,
            slowed,
            list(watched),
            looks_for,
        )
        longer = sum((end - begin) * (by - 1) for begin, end, by in slowed)
        return film.seconds * rate + longer + (_ROAMING if roams is not None else 0.0)

    def poses(self, bodies: Sequence[Body], ms: int = 0) -> None:
        """Moves all pieces that are shown, in one message; the same pieces in the same order as
        were shown last.
        """
        self._object.call(
            "set_poses", packed.packed_poses([body.pose for body in bodies]), packed.UNIT, ms
        )

    def ghost(self, bodies: Sequence[Body], colour: str, sign: Sign | None = None) -> None:
        """Shows pieces see-through in a colour, in place of those before, with the height on
        top.
        """
        self._send(bodies)
        told = None if sign is None else [sign.discs, *sign.at, sign.more, sign.less]
        self._keep("ghost", packed.shown(bodies), packed.UNIT, colour, told)

    def bases(
        self,
        places: Sequence[tuple[str, float, float, float]],
        used: str,
        colour: str = "",
    ) -> None:
        """Has pillars glow from which a road may leave: name, x, y, z (mm); the one that is used
        glows most.
        """
        self._keep("bases", [list(place) for place in places], used, colour)

    def pay(
        self, pieces: Sequence[Body], payer: tuple[float, float], to: tuple[float, float]
    ) -> None:
        """Has pieces fly from one place on the table to another (mm), one after the other."""
        self._send(pieces)
        self._object.call("pay", packed.shown(pieces), packed.UNIT, list(payer), list(to))

    def advise(self, moves: Sequence[tuple[int, Sequence[Body]]], colour: str) -> None:
        """Shows moves that are advised by their numbers: the pieces of each see-through, its number
        above them.
        """
        self._send([body for _, pieces in moves for body in pieces])
        shown: list[list[Any]] = []
        for number, pieces in moves:
            x, y, z = _above(pieces)
            while any(math.dist((x, y, z), at) < _LIFT for _, _, at in shown):
                z += _LIFT  # moves that are much alike: the numbers stand one above the other
            shown.append([number, packed.shown(pieces), (x, y, z)])
        self._keep("advise", shown, packed.UNIT, colour)

    def pulse(
        self, places: Sequence[tuple[float, float, float, str]], seconds: float | None = 4.0
    ) -> None:
        """Rings that pulse at places (mm) in colours; without an end (None) they stay lit."""
        self._keep("pulse", [list(place) for place in places], seconds)
        if seconds is not None:
            del self._extras["pulse"]  # by the time the scene begins anew it is over

    def mark(self, bars: Sequence[tuple[float, float, float, float, float, str]]) -> None:
        """Bars along roads: x, y, z (mm), yaw (radians), length (mm), colour."""
        self._keep("mark", [list(bar) for bar in bars])

    def hatch(self, names: Sequence[str], after: float = 0.0, until: float | None = None) -> None:
        """Covers pieces with stripes, `after` seconds and `until` a time or for good; all others
        look as they do.
        """
        self._object.call(
            "hatch",
            list(names),
            max(1000 * after, 0.0),
            None if until is None else max(1000 * until, 0.0),
        )

    def supplies(self, pieces: Sequence[Body], trays: Sequence[Tray]) -> None:
        """Shows what is in stock beside the table, on trays, in place of what was there."""
        if not self._look["plain"] and (list(pieces), list(trays)) != self._stock:
            self._stock = (list(pieces), list(trays))
            self._send(pieces)
            self._keep(
                "supplies", packed.shown(pieces), packed.UNIT, [list(tray) for tray in trays]
            )

    def light(self, seat: int, chosen: str = "") -> None:
        """Lights the tray of a seat, that of nobody for -1, and lifts what is chosen there."""
        self._keep("light", seat, chosen)

    def orbit(self) -> None:
        """Has the camera go once around what stands, slowly."""
        self._object.call("orbit")

    def ring(
        self,
        place: tuple[float, float, float, float] | None,
        share: float = 0.0,
        colour: str = "",
        word: str = "",
    ) -> None:
        """A ring around a place (x, y, z and its radius in mm) that is filled by a share of 0 to 1,
        with a word beside it; None takes it away.
        """
        self._object.call("ring", place, share, colour, word)

    def hold(
        self,
        parts: Sequence[tuple[Sequence[Body], Mapping[str, Any]]],
        tray: tuple[float, float],
    ) -> None:
        """Puts pieces into the visitor's hand, one part after the other: the pieces where they are
        meant to lie, and the numbers of the hand; each comes from the tray (mm). The callback of
        the stage hears of type `next`, then `placed` with the traces, or `put-back`.
        """
        self._send([body for pieces, _ in parts for body in pieces])
        self._object.call(
            "hold",
            [_carried(pieces, numbers) for pieces, numbers in parts],
            packed.UNIT,
            list(tray),
        )

    def put_back(self) -> None:
        """Takes everything out of the visitor's hand."""
        self._object.call("put_back")

    def look(self, elevation: float | None = 41.0, seconds: float = 0.6) -> None:
        """Moves the camera to where it sees all pieces, at an elevation (degrees); None: from the
        side that it sees now.
        """
        self._object.call("look", elevation, 1000 * seconds)

    def _send(self, bodies: Sequence[Body]) -> None:
        new = [body for body in bodies if packed.key_of(body) not in self._shapes]
        if new:
            made = packed.shapes(new)
            self._shapes.update(made)
            self._object.call("shapes", made)

    def _keep(self, name: str, *arguments: Any) -> None:
        """Calls a method, and repeats its last call when the scene begins anew."""
        self._extras[name] = arguments
        self._object.call(name, *arguments)

    def _again(self) -> None:
        if self._on_hand is not None:
            self._on_hand({"type": "put-back"})  # a scene that begins anew holds nothing
        for name, arguments in self._extras.items():
            self._object.call(name, *arguments)

    def _arguments(self) -> list[Any]:
        """What the component starts with, each time that it starts."""
        return [self._shapes, packed.shown(self._bodies), packed.UNIT, self._look]


def _camera(bodies: Sequence[Body]) -> Camera:
    """The first camera: it sees all pieces, and around them some of the table where the next ones
    will stand.
    """
    camera = Camera.fitting(
        bodies, (900, 640), azimuth=-90.0, elevation=41.0, fov=_FOV, margin=0.08
    )
    eye, target = camera.eye, camera.target
    scale = max(LOOK["nearest"] / max(math.dist(eye, target), 1.0), 1.0)
    x, y, z = (t + (e - t) * scale for e, t in zip(eye, target, strict=True))
    return Camera((x, y, z), target, _FOV)


def _above(pieces: Sequence[Body]) -> tuple[float, float, float]:
    """A place above the pillar of a move, or above whatever it lays."""
    discs = [body.pose.at for body in pieces if body.kind == "disc"] or [
        body.pose.at for body in pieces
    ]
    x, y, z = max(discs, key=lambda at: at[2])
    return (x, y, z + _LIFT)


def _carried(pieces: Sequence[Body], numbers: Mapping[str, Any]) -> dict[str, Any]:
    top = pieces[-1]
    wide = 2 * top.shape.radius if isinstance(top.shape, Cylinder) else top.shape.size[1]
    return {"pieces": packed.shown(pieces), "tremble": numbers, "at": top.pose.at, "wide": wide}


def _detail(event: events.GenericEventArguments) -> dict[str, Any]:
    detail = event.args.get("detail") if isinstance(event.args, dict) else None
    return detail if isinstance(detail, dict) else {}
