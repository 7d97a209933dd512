"""Chromium as a reader of pages: it is led through a pipe, so that no port is open."""

import base64
import fcntl
import json
import os
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

FINDER: Final = Path(__file__).parents[2] / "scripts" / "chromium.sh"

OPTIONS: Final = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--disable-dev-shm-usage", "--force-color-profile=srgb", "--lang=en"),
)

AXE: Final = FINDER.parents[1] / "tests" / "axe" / "node_modules" / "axe-core" / "axe.min.js"

LIMIT: Final = 60
"""Seconds within which an answer must come."""


class BrowserError(RuntimeError):
    """The browser is missing, or refuses what it was asked for."""


def find_chromium() -> str:
    """The Chromium that ``make test`` uses; BrowserError says what to run if there is none."""
    found = subprocess.run([FINDER, "--find"], capture_output=True, text=True, check=False)
    if found.returncode:
        raise BrowserError(found.stderr.strip())
    return found.stdout.strip()


class Browser:
    """A browser with one page."""

    def __init__(self, program: str, home: Path) -> None:
        there, self._out = os.pipe()
        self._in, back = os.pipe()
        # the protocol's pipes are what the browser has as its files 3 and 4, so these make way
        far = [fcntl.fcntl(one, fcntl.F_DUPFD, 10) for one in (there, back)]
        os.close(there)
        os.close(back)
        wrapper = f'exec "$@" 3<&{far[0]} 4>&{far[1]}'
        command = ["bash", "-c", wrapper, "bash", program, *OPTIONS]
        command += ["--remote-debugging-pipe", f"--user-data-dir={home}"]
        self._log = open(home.with_suffix(".log"), "wb")  # noqa: SIM115
        self._process = subprocess.Popen(
            command, pass_fds=far, stdin=subprocess.DEVNULL, stdout=self._log,
            stderr=self._log,
        )  # fmt: skip
        for one in far:
            os.close(one)
        os.set_blocking(self._in, False)
        self._read, self._number, self._session = b"", 0, ""
        self.events: list[dict[str, Any]] = []
        """what the browser has told of the page since it was opened"""

    def __enter__(self) -> Self:
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        attached = self.ask("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.ask(f"{domain}.enable")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._session = ""
        try:
            self.ask("Browser.close")
            self._process.wait(LIMIT)
        finally:
            if self._process.poll() is None:
                self._process.kill()
                self._process.wait()
            os.close(self._in)
            os.close(self._out)
            self._log.close()

    def ask(self, method: str, **given: object) -> dict[str, Any]:
        """Ask for something, and wait for the answer."""
        self._number += 1
        message: dict[str, object] = {"id": self._number, "method": method, "params": given}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']['message']}")
                result: dict[str, Any] = answer["result"]
                return result
            if "method" in answer:
                self.events.append(answer)

    def _next(self) -> dict[str, Any]:
        until = time.monotonic() + LIMIT
        while b"\0" not in self._read:
            try:
                more = os.read(self._in, 1 << 20)
            except BlockingIOError:
                if time.monotonic() > until:
                    raise BrowserError(f"no answer in {LIMIT} seconds") from None
                time.sleep(0.005)
                continue
            if not more:
                raise BrowserError("the browser has ended")
            self._read += more
        message, _, self._read = self._read.partition(b"\0")
        read: dict[str, Any] = json.loads(message)
        return read

    def open(self, page: Path | str, *, scripts: bool = True) -> None:
        """Open a file, or an address, and wait until it is there."""
        self.ask("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.events.clear()
        self.ask("Page.navigate", url=page if isinstance(page, str) else page.as_uri())
        until = time.monotonic() + LIMIT
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            if time.monotonic() > until:
                raise BrowserError(f"{page} was not loaded in {LIMIT} seconds")
            self.ask("Page.getFrameTree")

    def run(self, script: str) -> Any:
        """What a line of JavaScript gives, which runs beside the page's own policy."""
        answer = self.ask("Runtime.evaluate", expression=script, returnByValue=True,
                          awaitPromise=True)  # fmt: skip
        if "exceptionDetails" in answer:
            raise BrowserError(answer["exceptionDetails"]["exception"]["description"])
        return answer["result"].get("value")

    def barriers(self) -> list[list[str]]:
        """What axe-core, which nobody here wrote, finds to keep people from reading the page: its
        rules, and the places where they are broken."""
        if not AXE.is_file():
            raise BrowserError(f"{AXE} is missing. Run: make chromium")
        self.run(AXE.read_text(encoding="utf-8"))
        found: list[list[str]] = self.run(
            "axe.run().then(all => all.violations.map(v => [v.id, ...v.nodes.map(n => n.html)]))"
        )
        return found

    def click(self, selector: str) -> None:
        """Click in the middle of an element with the mouse."""
        # a page may scroll smoothly, but the mouse does not wait
        where = "{behavior: 'instant', block: 'center', inline: 'center'}"
        box = self.run(
            f"(e => {{ e.scrollIntoView({where});"
            " const r = e.getBoundingClientRect();"
            " return [r.x + r.width / 2, r.y + r.height / 2] })"
            f"(document.querySelector({json.dumps(selector)}))"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left",
                     clickCount=1)  # fmt: skip

    def press(self, key: str, code: int) -> None:
        """Press a key, such as Enter, 13."""
        text = {"text": "\r"} if key == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                     windowsVirtualKeyCode=code, **(text if kind == "keyDown" else {}))  # fmt: skip

    def type(self, text: str) -> None:
        """Type a text where the cursor is."""
        self.ask("Input.insertText", text=text)

    def screen(self, width: int, height: int, *, dark: bool = False) -> None:
        """Make the screen as large as this; below 600 pixels it is a phone's."""
        phone = width < 600
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=1, mobile=phone)  # fmt: skip
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.ask("Emulation.setEmulatedMedia", features=[scheme])

    def picture(self) -> bytes:
        """The screen as PNG."""
        return base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"])

    def requests(self) -> list[str]:
        """The addresses that the page has asked for."""
        return [
            event["params"]["request"]["url"]
            for event in self.events
            if event["method"] == "Network.requestWillBeSent"
        ]

    def complaints(self) -> list[str]:
        """Errors and warnings of the page: of its script, and what its policy has refused."""
        found = []
        for event in self.events:
            match event["method"]:
                case "Runtime.exceptionThrown":
                    found.append(str(event["params"]["exceptionDetails"]))
                case "Log.entryAdded":
                    found.append(event["params"]["entry"]["text"])
                case "Runtime.consoleAPICalled":
                    found.append(str(event["params"]["args"]))
        return found
