"""Drives a headless Chromium over its DevTools protocol, with Python's own library alone.

    with Chromium("chromium") as browser:
        page = browser.open("http://127.0.0.1:8080/", Screen(width=412, height=800))
        page.fling(speed=5000)
        page.screenshot("after.png")

The browser is spoken to through a pair of pipes, its descriptors 3 and 4, in JSON with a NUL after
each message: no port is opened, and no library for WebSocket is needed.
"""

import base64
import fcntl
import json
import os
import threading
import time
from pathlib import Path

import driver
from driver import BrowserError, Screen


def find_chromium():
    """The path of a Chromium, or None."""
    return Chromium.find()


class Chromium(driver.Browser):
    """A browser of its own, in a profile that is gone with it."""

    programs = ("chromium", "chromium-browser", "google-chrome", "chrome")

    def __init__(self, path=None, arguments=()):
        super().__init__(path)
        arguments = [
            "--headless=new",
            "--remote-debugging-pipe",
            f"--user-data-dir={self.folder / 'profile'}",
            "--no-first-run",
            "--disable-gpu",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-default-apps",
            "--disable-extensions",
            "--disable-sync",
            "--hide-scrollbars",
            "--mute-audio",
            "--disable-backgrounding-occluded-windows",
            "--disable-renderer-backgrounding",
            # Its sandbox refuses to be started by root.
            *(["--no-sandbox"] if os.getuid() == 0 else []),
            *arguments,
            "about:blank",
        ]
        to_browser, self.writing = os.pipe()
        self.reading, from_browser = os.pipe()
        # Above 9, so that neither end stands where the other shall be.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (to_browser, from_browser)]
        copies = [(os.POSIX_SPAWN_DUP2, end, 3 + number) for number, end in enumerate(ends)]
        self.start(arguments, file_actions=copies)
        for end in (to_browser, from_browser, *ends):
            os.close(end)
        self.listen()

    def open(self, address, screen=Screen(), before=None, is_tab=False):
        """A page of its own, loaded; the script `before` runs in it before its own.

        It has a window of its own, as what is behind another tab draws no frames, or is a tab in
        front of those there are.
        """
        made = self.call("Target.createTarget", url="about:blank", newWindow=not is_tab)
        target = made["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, target, session, screen)
        self.pages[session] = page
        page.prepare(before)
        page.go(address)
        return page

    def close(self):
        """Ends the browser and what it started, and removes its profile."""
        self.end("Browser.close")
        os.close(self.writing)

    def send(self, message):
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.writing, data) :]

    def messages(self):
        rest = b""
        while True:
            try:
                data = os.read(self.reading, 1 << 20)
            except OSError:
                data = b""
            if not data:
                break
            *messages, rest = (rest + data).split(b"\0")
            yield from map(json.loads, messages)
        os.close(self.reading)

    def receive(self, message):
        if page := self.pages.get(message.get("sessionId")):
            page.receive(message["method"], message.get("params", {}))


class Page(driver.Page):
    """One page: what it shows, what it says when something is wrong, and a finger on it."""

    def __init__(self, browser, target, session, screen):
        super().__init__(browser, screen)
        self.target = target
        self.session = session
        self.loaded = threading.Event()

    def call(self, method, **parameters):
        return self.browser.call(method, session=self.session, **parameters)

    def prepare(self, before=None):
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.show_on(self.screen)
        if before:
            self.call("Page.addScriptToEvaluateOnNewDocument", source=before)

    def show_on(self, screen):
        """Another screen, or the same with other wishes."""
        self.screen = screen
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=screen.width,
            height=screen.height,
            deviceScaleFactor=screen.scale,
            mobile=screen.is_touch,
        )
        self.call(
            "Emulation.setTouchEmulationEnabled", enabled=screen.is_touch, maxTouchPoints=5
        )
        self.call(
            "Emulation.setEmulatedMedia",
            features=[
                {"name": "prefers-color-scheme", "value": "dark" if screen.is_dark else "light"},
                {
                    "name": "prefers-reduced-motion",
                    "value": "reduce" if screen.is_still else "no-preference",
                },
            ],
        )

    def emulate_network(self, latency, speed):
        """A slow link: the latency of each response in ms, and its throughput in kbit/s."""
        self.call(
            "Network.emulateNetworkConditions",
            offline=False,
            latency=latency,
            downloadThroughput=speed * 125,
            uploadThroughput=speed * 125,
        )

    def set_letters(self, size):
        """The size of letters that the person has chosen, in px."""
        self.call("Page.setFontSizes", fontSizes={"standard": size, "fixed": size})

    def disable_scripts(self):
        self.call("Emulation.setScriptExecutionDisabled", value=True)

    def block(self, path):
        """From now on what has a path with this end doesn't come."""
        self.call("Network.setBlockedURLs", urls=[f"*{path}"])

    def go(self, address):
        self.loaded.clear()
        answer = self.call("Page.navigate", url=address)
        if text := answer.get("errorText"):
            raise BrowserError(f"{address}: {text}")
        if not self.loaded.wait(30):
            raise BrowserError(f"{address}: not loaded in 30 s")

    def receive(self, method, parameters):
        """An event, on the browser's thread."""
        if method == "Page.loadEventFired":
            self.loaded.set()
        elif method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            text = details.get("exception", {}).get("description") or details.get("text")
            self.faults.append(f"exception: {text}")
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning"):
            words = [str(a.get("value", a.get("description"))) for a in parameters["args"]]
            self.faults.append(f"{parameters['type']}: {' '.join(words)}")
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            entry = parameters["entry"]
            where = entry.get("url", "")
            self.faults.append(f"{entry['source']}: {entry['text']} {where}".strip())

    def evaluate(self, expression):
        """The value of an expression, waited for if it's a promise."""
        answer = self.call(
            "Runtime.evaluate",
            expression=expression,
            awaitPromise=True,
            returnByValue=True,
            userGesture=True,
        )
        if details := answer.get("exceptionDetails"):
            text = details.get("exception", {}).get("description") or details.get("text")
            raise BrowserError(f"{expression[:80]}: {text}")
        return answer["result"].get("value")

    def screenshot(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        Path(path).write_bytes(base64.b64decode(data))

    def print(self, path):
        """Prints it to a PDF."""
        data = self.call("Page.printToPDF", printBackground=True)["data"]
        Path(path).write_bytes(base64.b64decode(data))

    def _touch(self, kind, timestamp, points):
        return self.browser.begin(
            "Input.dispatchTouchEvent",
            self.session,
            type=kind,
            touchPoints=points,
            timestamp=timestamp,
        )

    def touch(self, *moments):
        """Fingers that go from places to places: each moment is (seconds, [(x, y) of each])."""
        begun, clock = time.monotonic(), time.time()
        calls = []
        # The browser answers an event with its next frame; a finger doesn't wait for that.
        for index, (seconds, places) in enumerate(moments):
            time.sleep(max(0, begun + seconds - time.monotonic()))
            kind = "touchStart" if index == 0 else "touchMove"
            points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(places)]
            calls.append(self._touch(kind if points else "touchEnd", clock + seconds, points))
        for call in calls:
            self.browser.answer(call)

    def bring_to_front(self):
        self.call("Page.bringToFront")

    def hold(self, key, times, every=1 / 30):
        """A key that is held, and repeats until it is released."""
        names = {"key": key, "code": key, "windowsVirtualKeyCode": self.KEYS[key]}
        begun = time.monotonic()
        calls = []
        for number in range(times):
            time.sleep(max(0, begun + number * every - time.monotonic()))
            down = {"type": "rawKeyDown", "autoRepeat": number > 0, **names}
            calls.append(self.browser.begin("Input.dispatchKeyEvent", self.session, **down))
        for call in calls:
            self.browser.answer(call)
        self.call("Input.dispatchKeyEvent", type="keyUp", **names)

    def wheel(self, delta, x=None, y=None):
        """One turn of a mouse's wheel."""
        self.call(
            "Input.dispatchMouseEvent",
            type="mouseWheel",
            x=x or self.screen.width / 2,
            y=y or self.screen.height / 2,
            deltaX=0,
            deltaY=delta,
        )

    KEYS = {
        "Enter": 13, "Escape": 27, "Space": 32, "PageUp": 33, "PageDown": 34, "End": 35,
        "Home": 36, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Tab": 9,
    }  # fmt: skip

    def press(self, key):
        """A key, down and up; one of `KEYS`."""
        code = self.KEYS[key]
        text = {"Enter": "\r", "Space": " "}.get(key)
        names = {
            "key": " " if key == "Space" else key,
            "code": key,
            "windowsVirtualKeyCode": code,
            "nativeVirtualKeyCode": code,
        }
        down = {"type": "keyDown", "text": text} if text else {"type": "rawKeyDown"}
        self.call("Input.dispatchKeyEvent", **down, **names)
        self.call("Input.dispatchKeyEvent", type="keyUp", **names)

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.call(
                "Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1
            )

    def drag(self, *places):
        """A mouse whose button is held, from place to place: (x, y) of each."""
        kinds = ["mousePressed", *["mouseMoved"] * (len(places) - 1), "mouseReleased"]
        for kind, (x, y) in zip(kinds, [*places, places[-1]]):
            options = {"x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1}
            self.call("Input.dispatchMouseEvent", type=kind, **options)

    def close(self):
        self.browser.pages.pop(self.session, None)
        self.browser.call("Target.closeTarget", targetId=self.target)
