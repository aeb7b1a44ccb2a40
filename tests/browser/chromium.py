"""A headless Chromium driven through its own protocol (CDP) over a pipe: no driver program, no port, no library.

https://chromedevtools.github.io/devtools-protocol/; `--remote-debugging-pipe` reads JSON messages from file descriptor
3 and writes them to 4, each ended by a zero byte. Everything that a page asks for and complains of is kept, so that a
test can say that it was nothing.
"""

from __future__ import annotations

import base64
import contextlib
import itertools
import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "chrome")
PATIENCE_S = 30.0

_FLAGS = (
    "--headless",
    "--remote-debugging-pipe",
    "--no-sandbox",  # it cannot make one as root or in a container
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
)


def program() -> str | None:
    """Return the path of an installed Chromium; None where there is none."""
    return next((found for name in PROGRAMS if (found := shutil.which(name))), None)


class Chromium:
    """One browser with one page.

    `requests` holds the URLs that the page asked for, `complaints` what it wrote to the console, its errors, and what
    its content security policy refused.
    """

    def __init__(self, profile: Path, width: int = 1440, height: int = 900) -> None:
        """Start it with an empty profile in the folder `profile`."""
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self._numbers = itertools.count(1)
        self._answers: dict[int, dict[str, Any]] = {}
        self._buffer = b""
        self._loads = 0
        self._start(profile)
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "DOM"):
            self._call(f"{domain}.enable")
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.prefer("light")

    def _start(self, profile: Path) -> None:
        found = program()
        assert found is not None, "no Chromium is installed"
        read_by_browser, self._write = os.pipe()
        self._read, written_by_browser = os.pipe()
        # The browser wants its ends as 3 and 4; a shell gives them these numbers, whatever they are here.
        command = f'exec "$0" "$@" 3<&{read_by_browser} 4>&{written_by_browser}'
        self._process = subprocess.Popen(
            ["bash", "-c", command, found, *_FLAGS, f"--user-data-dir={profile}"],
            pass_fds=(read_by_browser, written_by_browser),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(read_by_browser)
        os.close(written_by_browser)
        self._session = ""

    def __enter__(self) -> Chromium:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._session = ""
        self._send("Browser.close", {})
        try:
            self._process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._write)
        os.close(self._read)

    # --- what tests do -----------------------------------------------------------------------------------------------

    def open(self, url: str) -> None:
        """Load a page and wait until it has."""
        loads = self._loads
        self._call("Page.navigate", url=url)
        deadline = time.monotonic() + PATIENCE_S
        while self._loads == loads:
            self._receive(deadline)

    @contextlib.contextmanager
    def before_pages(self, script: str) -> Iterator[None]:
        """Have pages that are opened meanwhile find what `script` prepares."""
        number = self._call("Page.addScriptToEvaluateOnNewDocument", source=script)["identifier"]
        try:
            yield
        finally:
            self._call("Page.removeScriptToEvaluateOnNewDocument", identifier=number)

    def prefer(self, scheme: Literal["light", "dark"]) -> None:
        """Say what the person prefers."""
        wanted = {"prefers-color-scheme": scheme, "prefers-reduced-motion": "reduce"}
        features = [{"name": name, "value": value} for name, value in wanted.items()]
        self._call("Emulation.setEmulatedMedia", features=features)

    def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression, awaited where it is a promise."""
        found = self._call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            raise AssertionError(found["exceptionDetails"])
        return found["result"].get("value")

    def settle(self) -> None:
        """Wait until the page has drawn what it was told."""
        self.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() => 0)")

    def click(self, selector: str) -> None:
        """Click into the middle of the first element that a selector finds, as a person would."""
        x, y = self._middle(selector)
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            pressed = {} if kind == "mouseMoved" else {"button": "left", "clickCount": 1}
            self._call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **pressed)
        self.settle()

    def point(self, selector: str) -> None:
        """Move the pointer onto an element."""
        x, y = self._middle(selector)
        self._call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        self.settle()

    def type(self, text: str) -> None:
        """Enter text where the focus is."""
        self._call("Input.insertText", text=text)
        self.settle()

    def press(self, key: str) -> None:
        """Press one key: `Enter`, `Escape`, `ArrowDown`, or a character."""
        code = {"Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}.get(
            key, 0
        )
        text = {"text": "\r"} if key == "Enter" else {"text": key} if len(key) == 1 else {}
        self._call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **text)
        self._call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)
        self.settle()

    def picture(self, target: Path) -> None:
        """Write what the page shows as PNG."""
        self.settle()
        target.write_bytes(base64.b64decode(self._call("Page.captureScreenshot", format="png")["data"]))

    def _middle(self, selector: str) -> tuple[float, float]:
        place = self.evaluate(
            f"(() => {{ const found = document.querySelector({json.dumps(selector)}); if (!found) return null;"
            "found.scrollIntoView({block: 'nearest'}); const box = found.getBoundingClientRect();"
            "return [box.x + box.width / 2, box.y + box.height / 2]; })()"
        )
        assert place is not None, f"nothing matches {selector}"
        return place[0], place[1]

    # --- the protocol ------------------------------------------------------------------------------------------------

    def _call(self, method: str, **parameters: Any) -> dict[str, Any]:
        number = self._send(method, parameters)
        deadline = time.monotonic() + PATIENCE_S
        while number not in self._answers:
            self._receive(deadline)
        answer = self._answers.pop(number)
        if "error" in answer:
            raise AssertionError(f"{method}: {answer['error']}")
        result: dict[str, Any] = answer["result"]
        return result

    def _send(self, method: str, parameters: dict[str, Any]) -> int:
        number = next(self._numbers)
        message: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        return number

    def _receive(self, deadline: float) -> None:
        """Read what the browser says next."""
        ready, _, _ = select.select([self._read], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            raise TimeoutError("the browser says nothing")
        chunk = os.read(self._read, 1 << 20)
        if not chunk:
            raise AssertionError("the browser has ended")
        *messages, self._buffer = (self._buffer + chunk).split(b"\0")
        for message in messages:
            self._take(json.loads(message))

    def _take(self, message: dict[str, Any]) -> None:
        if "id" in message:
            self._answers[message["id"]] = message
            return
        parameters = message.get("params", {})
        match message["method"]:
            case "Page.loadEventFired":
                self._loads += 1
            case "Network.requestWillBeSent":
                self.requests.append(parameters["request"]["url"])
            case "Runtime.consoleAPICalled" | "Runtime.exceptionThrown":
                self.complaints.append(json.dumps(parameters))
            case "Log.entryAdded":
                self.complaints.append(parameters["entry"]["text"])
