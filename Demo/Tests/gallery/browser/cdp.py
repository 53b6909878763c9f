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
import queue
import shutil
import signal
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path


class BrowserError(Exception):
    """What the browser refused, or that it ended."""


@dataclass
class Screen:
    """What a page is shown on, in CSS pixels."""

    width: int = 412
    height: int = 800
    scale: float = 1
    is_touch: bool = True
    is_dark: bool = False
    is_still: bool = False  # the person asked for little motion


def find_chromium():
    """The path of a Chromium, or None."""
    for name in ("chromium", "chromium-browser", "google-chrome", "chrome"):
        if path := shutil.which(name):
            return path
    return None


class Chromium:
    """A browser of its own, in a profile that is gone with it."""

    def __init__(self, path=None, arguments=()):
        path = path or find_chromium()
        if not path:
            raise BrowserError("there is no Chromium")
        self.folder = Path(tempfile.mkdtemp(prefix="browser-"))
        arguments = [
            path,
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
        log = str(self.folder / "log")
        self.pid = os.posix_spawn(
            arguments[0],
            arguments,
            os.environ,
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
                (os.POSIX_SPAWN_OPEN, 1, log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600),
                (os.POSIX_SPAWN_DUP2, 1, 2),
                (os.POSIX_SPAWN_DUP2, ends[0], 3),
                (os.POSIX_SPAWN_DUP2, ends[1], 4),
            ],
            setpgroup=0,
        )
        for end in (to_browser, from_browser, *ends):
            os.close(end)
        self.lock = threading.Lock()
        self.number = 0
        self.waiting = {}
        self.pages = {}
        self.has_ended = False
        threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def call(self, method, session=None, timeout=30, **parameters):
        """The browser's answer to one call; a BrowserError says what it refused."""
        return self.answer(self.begin(method, session, **parameters), timeout)

    def begin(self, method, session=None, **parameters):
        """Makes a call whose answer is waited for later, by `answer`."""
        answer = queue.SimpleQueue()
        with self.lock:
            if self.has_ended:
                raise BrowserError("the browser has ended")
            self.number += 1
            self.waiting[self.number] = answer
            message = {"id": self.number, "method": method, "params": parameters}
            if session:
                message["sessionId"] = session
            self._write(json.dumps(message).encode() + b"\0")
            return method, self.number, answer

    def answer(self, call, timeout=30):
        method, number, answer = call
        try:
            result = answer.get(timeout=timeout)
        except queue.Empty:
            raise BrowserError(f"{method}: no answer in {timeout} s") from None
        finally:
            self.waiting.pop(number, None)
        if "error" in result:
            raise BrowserError(f"{method}: {result['error'].get('message')}")
        return result.get("result", {})

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
        try:
            self.call("Browser.close", timeout=5)
        except BrowserError:
            pass
        for end, wait in ((None, 5), (signal.SIGTERM, 2), (signal.SIGKILL, 5)):
            if end:
                try:
                    os.killpg(self.pid, end)
                except ProcessLookupError:
                    pass
            if self._is_gone(wait):
                break
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
        os.close(self.writing)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _is_gone(self, seconds):
        end = time.monotonic() + seconds
        while True:
            try:
                if os.waitpid(self.pid, os.WNOHANG)[0]:
                    return True
            except ChildProcessError:
                return True
            if time.monotonic() > end:
                return False
            time.sleep(0.02)

    def _write(self, data):
        while data:
            data = data[os.write(self.writing, data) :]

    def _read(self):
        rest = b""
        while True:
            try:
                data = os.read(self.reading, 1 << 20)
            except OSError:
                data = b""
            if not data:
                break
            *messages, rest = (rest + data).split(b"\0")
            for message in messages:
                self._receive(json.loads(message))
        with self.lock:
            self.has_ended = True
        for answer in list(self.waiting.values()):
            answer.put({"error": {"message": "the browser has ended"}})
        os.close(self.reading)

    def _receive(self, message):
        if "id" in message:
            if answer := self.waiting.get(message["id"]):
                answer.put(message)
        elif page := self.pages.get(message.get("sessionId")):
            page.receive(message["method"], message.get("params", {}))


class Page:
    """One page: what it shows, what it says when something is wrong, and a finger on it."""

    def __init__(self, browser, target, session, screen):
        self.browser = browser
        self.target = target
        self.session = session
        self.screen = screen
        self.faults = []  # of scripts, of what couldn't be loaded, of the policy
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

    def wait(self, expression, timeout=10, every=0.05):
        """Waits until the expression is true; its value, or None when it's too late."""
        end = time.monotonic() + timeout
        while True:
            if value := self.evaluate(expression):
                return value
            if time.monotonic() > end:
                return None
            time.sleep(every)

    def screenshot(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        Path(path).write_bytes(base64.b64decode(data))

    def fling(self, speed, samples=None, x=None):
        """A finger's flick, in px a second: more than 0 shows what is further down.

        Fingers touch for 40 to 180 ms, 120 times a second; each event bears its time, without which
        flings of the same finger come to rest in different places. It returns as the finger lifts.
        """
        reach = self.screen.height * 0.7
        samples = samples or max(5, min(14, int(reach / abs(speed) * 120)))
        x = x or self.screen.width * 0.6
        start = self.screen.height * (0.85 if speed > 0 else 0.15)
        path = [(i / 120, start - speed * i / 120) for i in range(samples + 1)]
        self.stroke(path, x)

    def stroke(self, path, x):
        """A finger that goes from place to place: (seconds, y) of each."""
        begun = time.monotonic()
        clock = time.time()
        calls = []
        # The browser answers an event with its next frame; a finger doesn't wait for that.
        for index, (seconds, y) in enumerate(path):
            time.sleep(max(0, begun + seconds - time.monotonic()))
            kind = "touchStart" if index == 0 else "touchMove"
            calls.append(self._touch(kind, clock + seconds, [{"x": x, "y": y, "id": 1}]))
        calls.append(self._touch("touchEnd", clock + path[-1][0] + 1 / 120, []))
        for call in calls:
            self.browser.answer(call)

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
        for index, (seconds, places) in enumerate(moments):
            time.sleep(max(0, begun + seconds - time.monotonic()))
            kind = "touchStart" if index == 0 else "touchMove"
            points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(places)]
            calls.append(self._touch(kind if points else "touchEnd", clock + seconds, points))
        for call in calls:
            self.browser.answer(call)

    def swipe(self, way):
        """A finger that goes across the screen, to the left if `way` is 1."""
        x, y = self.screen.width / 2, self.screen.height * 0.4
        path = [(step / 60, [(x - way * (step - 4) * 20, y)]) for step in range(9)]
        self.touch(*path, (10 / 60, []))

    def tap(self, x, y):
        self.touch((0, [(x, y)]), (0.03, []))

    def pinch(self, scale):
        """Two fingers whose distance becomes so many times as large."""
        x, y = self.screen.width / 2, self.screen.height * 0.4
        near, far = (60, 60 * scale) if scale > 1 else (60 / scale, 60)
        path = [(step / 60, near + (far - near) * step / 15) for step in range(16)]
        fingers = [(seconds, [(x, y - reach), (x, y + reach)]) for seconds, reach in path]
        self.touch(*fingers, (16 / 60, []))

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
