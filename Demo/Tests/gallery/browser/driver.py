"""What the drivers of browsers have in common: the process, its calls, and a person's gestures.

    with driver_of("firefox")() as browser:
        page = browser.open("http://127.0.0.1:8080/", Screen(width=412, height=800))
        page.fling(speed=5000)
        page.screenshot("after.png")

Drivers need Python's own library alone. cdp.py drives Chromium, bidi.py Firefox.
"""

import os
import queue
import shutil
import signal
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

NAMES = ("chromium", "firefox")


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


def driver_of(name):
    """The class of a browser, one of `NAMES`."""
    if name == "firefox":
        from bidi import Firefox as kind
    else:
        from cdp import Chromium as kind
    return kind


def end_orderly():
    """Lets SIGTERM and SIGHUP end this process as an error does, so that no browser stays."""

    def leave(number, _):
        signal.signal(number, signal.SIG_IGN)
        sys.exit(128 + number)

    if threading.current_thread() is not threading.main_thread():
        return
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, leave)


class Browser:
    """A browser of its own, in a profile that is gone with it.

    A subclass tells its `programs`, sends and receives messages, and opens pages.
    """

    programs = ()

    @classmethod
    def find(cls):
        """The path of such a browser, or None."""
        paths = (shutil.which(name) for name in cls.programs)
        return next((path for path in paths if path), None)

    def __init__(self, path=None):
        self.path = path or self.find()
        if not self.path:
            raise BrowserError(f"there is no {type(self).__name__}")
        end_orderly()
        self.folder = Path(tempfile.mkdtemp(prefix="browser-"))
        self.log = self.folder / "log"
        self.pid = None
        self.lock = threading.Lock()
        self.number = 0
        self.waiting = {}
        self.pages = {}
        self.has_ended = False

    def start(self, arguments, environment=(), file_actions=()):
        """Starts the browser; what it says is in its log."""
        self.pid = os.posix_spawn(
            self.path,
            [self.path, *arguments],
            {**os.environ, **dict(environment)},
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
                (
                    os.POSIX_SPAWN_OPEN, 1, str(self.log),
                    os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600,
                ),
                (os.POSIX_SPAWN_DUP2, 1, 2),
                *file_actions,
            ],
            setpgroup=0,
        )  # fmt: skip

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def call(self, method, session=None, timeout=300, **parameters):
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
            self.send(message)
            return method, self.number, answer

    def answer(self, call, timeout=300):
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

    def listen(self):
        """Reads messages until there are no more, on a thread of its own."""
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        try:
            for message in self.messages():
                if answer := self.waiting.get(message.get("id")):
                    answer.put(message)
                elif "method" in message:
                    self.receive(message)
        finally:
            with self.lock:
                self.has_ended = True
            for answer in list(self.waiting.values()):
                answer.put({"error": {"message": "the browser has ended"}})

    def end(self, method):
        """Ends the browser, by a call if it answers, and what it started; removes its profile."""
        try:
            if self.number:
                self.call(method, timeout=5)
        except (BrowserError, OSError):
            pass
        for number, wait in ((None, 5), (signal.SIGTERM, 2), (signal.SIGKILL, 5)):
            if self.pid is None:
                break
            if number:
                self._kill(number)
            if self._is_gone(wait):
                break
        if self.pid is not None:
            self._kill(signal.SIGKILL)
        # What is being ended may still write there.
        for _ in range(20):
            shutil.rmtree(self.folder, ignore_errors=True)
            if not self.folder.exists():
                break
            time.sleep(0.1)

    def _kill(self, number):
        try:
            os.killpg(self.pid, number)
        except (ProcessLookupError, PermissionError):
            pass

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


class Page:
    """One page: what it shows, what it says when something is wrong, and a finger on it.

    A subclass has `evaluate` and `touch`, and the rest that the browser has its own calls for.
    """

    # How many times as long as on a machine with nothing else to do is waited.
    patience = 1

    def __init__(self, browser, screen):
        self.browser = browser
        self.screen = screen
        self.faults = []  # of scripts, of what couldn't be loaded, of the policy

    def wait(self, expression, timeout=10, every=0.05):
        """Waits until the expression is true; its value, or None when it's too late."""
        end = time.monotonic() + timeout * self.patience
        while True:
            if value := self.evaluate(expression):
                return value
            if time.monotonic() > end:
                return None
            time.sleep(every)

    def rest(self):
        """Waits until nothing has scrolled for half a second."""
        end = time.monotonic() + 15 * self.patience
        last = None
        while (place := self.evaluate("scrollY")) != last and time.monotonic() < end:
            last = place
            time.sleep(0.5)

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
        fingers = [(seconds, [(x, y)]) for seconds, y in path]
        self.touch(*fingers, (path[-1][0] + 1 / 120, []))

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
