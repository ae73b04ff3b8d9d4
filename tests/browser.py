"""A real server and a real browser for the tests of the pages."""

from __future__ import annotations

import http.client
import itertools
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")

NO_BROWSER = (
    "NO BROWSER: the pages are not tested; install Debian's packages chromium and chromium-driver"
)

_FLAGS = (
    "--headless=new --no-sandbox --disable-dev-shm-usage --use-gl=angle --use-angle=swiftshader "
    "--enable-unsafe-swiftshader "
    "--force-prefers-reduced-motion --disable-background-networking --disable-component-update "
    "--disable-sync "
    "--no-first-run --disable-quic --lang=en"
)
# Pages are put together by plain code and not by an imitated graphics card, and scenes have coarse
# dots and no smooth edges: a picture of a table costs a fifth of the time.
_COARSE = "--disable-gpu-compositing --webgl-antialiasing-mode=none"
_FEW_DOTS = "Object.defineProperty(window, 'devicePixelRatio', { get: () => 0.2 })"
_PATIENCE = 240.0  # on a machine with too much to do; whatever is waited for comes sooner elsewhere
_FIRST_PORT, _PORTS = 20000, 12000
_asked = itertools.count()  # no port is given twice


def free_port() -> int:
    """A port on which nobody listens, below those that systems give to connections: no connection
    of another test may take it before a server does, or while a server is away. Each process begins
    its search elsewhere.
    """
    for step in range(_PORTS):
        port = _FIRST_PORT + (os.getpid() * 37 + next(_asked) + step) % _PORTS
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("no port is free")


class Server:
    """`shutoko serve` in a process of its own, which can be killed and started again on the same
    port and folder.
    """

    def __init__(self, data: Path, *options: str) -> None:
        self.data, self._options = data, options
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.said: list[str] = []
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "shutoko", "serve", "--no-browser", "--workers", "1"]
        command += ["--port", str(self.port), "--data", str(self.data), *self._options]
        ours = {
            key: value
            for key, value in os.environ.items()
            if not key.startswith(("PYTEST", "NICEGUI"))
        }
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=ours
        )
        listening = threading.Event()

        def listen() -> None:
            assert self.process.stdout is not None
            with self.process.stdout as lines:
                for line in lines:
                    self.said.append(line)
                    if "open http" in line:
                        listening.set()
            listening.set()

        self._ear = threading.Thread(target=listen, daemon=True)
        self._ear.start()
        assert listening.wait(_PATIENCE), self.said
        until(self._answers, "the server answers")

    def kill(self) -> None:
        """As a power cut would."""
        os.kill(self.process.pid, signal.SIGKILL)
        self._gone()

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self._gone()

    def _gone(self) -> None:
        self.process.wait()
        self._ear.join(20)

    def _answers(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0


class Browser:
    """Chromium without a screen; `asked` are all addresses that its pages asked for.

    The processor draws what a graphics card would, so a page has half a dot for a pixel, and a
    scene fewer. That is no picture to look at: `fine` draws all as it is, in dots of a screen.
    """

    def __init__(self, *, fine: bool = False) -> None:
        os.environ.update(SE_OFFLINE="true", SE_AVOID_STATS="true")
        options = webdriver.ChromeOptions()
        options.binary_location = str(CHROMIUM)
        drawing = (
            ["--force-device-scale-factor=1"]
            if fine
            else ["--force-device-scale-factor=0.5", *_COARSE.split()]
        )
        for flag in (*_FLAGS.split(), "--window-size=1280,860", *drawing):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service(DRIVER), options=options)
        self.driver.set_page_load_timeout(_PATIENCE)
        # selenium itself would give up after two minutes, before the browser does
        self.driver.command_executor.client_config.timeout = int(_PATIENCE) + 60
        if not fine:
            self.driver.execute_cdp_cmd(
                "Page.addScriptToEvaluateOnNewDocument", {"source": _FEW_DOTS}
            )
        self.asked: list[str] = []

    def open(self, url: str) -> None:
        self.driver.get(url)

    def js(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def find(self, css: str) -> Any:
        """The first element that is there and can be seen, as soon as it is."""

        def shown() -> Any:
            return next(
                (e for e in self.driver.find_elements(By.CSS_SELECTOR, css) if e.is_displayed()),
                None,
            )

        return until(shown, css)

    def click(self, css: str) -> None:
        def clicked() -> bool:
            try:
                found = self.find(css)
                if found.get_attribute("data-part") == "act":
                    # on a busy machine a mouse may hold it for so long that it is a long press
                    self.js("arguments[0].click()", found)
                else:
                    found.click()
            except (
                # it was drawn anew in between, or something lies above it for a moment
                WebDriverException
            ):
                return False
            return True

        until(clicked, f"click {css}")

    def text(self, css: str = "body") -> str:
        return str(self.js("return document.querySelector(arguments[0])?.innerText ?? ''", css))

    def sees(self, words: str, css: str = "body", patience: float = _PATIENCE) -> None:
        try:
            until(lambda: words in self.text(css), f"{words!r} in {css}", patience)
        except AssertionError as vain:
            raise AssertionError(f"{vain}, which says {self.text(css)!r}") from None

    def choose(self, css: str, option: str) -> None:
        """An option of a drop-down list.

        A page that is slow to draw may leave an unfolded list without a place, so that nobody sees
        it (Quasar looks for one for 50 ms only); folding it up and out again helps, as a person
        would.
        """
        clicked = 0.0

        def chosen() -> bool:
            nonlocal clicked
            script = (
                "const all = [...document.querySelectorAll('.q-menu .q-item')].filter((e) => "
                "e.checkVisibility("
                "{visibilityProperty: true})); const i = all.find((e) => e.innerText.trim() === "
                "arguments[0]);"
                "if (i) i.click(); return [all.length, !!i]"
            )
            count, found = self.js(script, option)
            # a second click too early would fold the list up again
            if not count and time.monotonic() > clicked + 3:
                self.click(css)
                clicked = time.monotonic()
            return bool(found)

        until(chosen, f"option {option} of {css}")

    def settle(self) -> None:
        """The addresses asked for, and no script has failed."""
        for entry in self.driver.get_log("performance"):  # type: ignore[no-untyped-call]  # selenium has no types there
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                self.asked.append(message["params"]["request"]["url"])
            if message["method"] == "Network.webSocketCreated":
                self.asked.append(message["params"]["url"])

    def errors(self) -> list[str]:
        """What the console complained about, but for a server that was away and refused photos."""
        return [
            entry["message"]
            for entry in self.driver.get_log("browser")  # type: ignore[no-untyped-call]  # selenium has no types there
            if entry["level"] == "SEVERE"
            and "ERR_CONNECTION" not in entry["message"]
            and "404" not in entry["message"]
            and "/photo/take" not in entry["message"]
        ]


def until(what: Callable[[], Any], told: str, patience: float = _PATIENCE) -> Any:
    """What a question answers as soon as the answer is not empty. It is asked less often the longer
    it takes: each time costs the browser some work, which it is then late with.
    """
    begin = time.monotonic()
    while (waited := time.monotonic() - begin) < patience:
        found = what()
        if found:
            return found
        time.sleep(min(0.03 + 0.1 * waited, 0.2))
    raise AssertionError(f"waited {patience:.0f} s in vain: {told}")


@contextmanager
def serving(data: Path, *options: str) -> Iterator[Server]:
    """A server for a while."""
    server = Server(data, *options)
    try:
        yield server
    finally:
        server.stop()


def fetched(
    server: Server, path: str = "/", method: str = "GET", body: bytes | None = None, **headers: str
) -> tuple[int, bytes, http.client.HTTPResponse]:
    """What a server answers: the code, the body, and the answer with its headers."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=300)
    with closing(connection):
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, sent)
        answer = connection.getresponse()
        return answer.status, answer.read(), answer


def opens(browser: Browser, part: str) -> None:
    """Opens a sheet of a room, or *Exact* in the menu, if it is not open."""
    shown = "return document.querySelector(arguments[0]).checkVisibility()"
    sheet = "log" if part == "log" else "menu"
    if not browser.js(shown, f"#sheet-{sheet}"):
        browser.click(f"[data-part={sheet}]")
    if part == "exact" and not browser.js("return document.querySelector('.exact').open"):
        browser.click("[data-part=exact] summary")


def closes(browser: Browser) -> None:
    """Closes the sheets of a room; what lies under them can be pointed at then."""
    browser.js("for (const name of ['menu', 'log']) shutokoRoom.sheet(name, false)")
    slides = "document.getAnimations().some(one => one instanceof CSSTransition)"
    until(lambda: browser.js(f"return !{slides}"), "nothing slides")
