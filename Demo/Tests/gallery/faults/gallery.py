"""A gallery to be hurt: its folder, its process, what it says of itself."""

import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def make_photos(source, folder, rows, most=400_000):
    """So many pictures under names of their own: links to a few that aren't large."""
    originals = folder / ".originals"
    originals.mkdir(parents=True)
    copies = [
        Path(shutil.copy2(path, originals))
        for path in sorted(source.iterdir())
        if path.suffix in (".jpg", ".png") and path.stat().st_size < most
    ]
    for number in range(rows):
        place = folder / f"folder {number // 100}"
        place.mkdir(exist_ok=True)
        copy = copies[number % len(copies)]
        os.link(copy, place / f"{number:05}{copy.suffix}")
    return folder


class Gallery:
    """The program over a folder, at a port that it's given by the system."""

    def __init__(self, program, photos, *options, before=(), env=None, cache=None, listen=None):
        self.program, self.photos, self.options = program, photos, options
        self.before, self.env, self.cache = list(before), env or {}, cache
        self.listen = listen or "127.0.0.1:0"
        self.log_path = Path(tempfile.mktemp(prefix="gallery-", suffix=".log"))
        self.port = 0
        self.start()

    def start(self, wait=600):
        """Starts it (again), and waits until it listens; gives how long that took."""
        began = time.monotonic()
        past = self.log_path.stat().st_size if self.log_path.exists() else 0
        environment = {k: v for k, v in os.environ.items() if k != "CACHE_DIRECTORY"}
        # A crash is over at once then, and what's told of it doesn't fill the log.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen(
                [*self.before, self.program, str(self.photos), "--listen", self.listen, "--metrics", "same"]
                + (["--cache", str(self.cache)] if self.cache else [])
                + [str(option) for option in self.options],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment | self.env,
            )
        while time.monotonic() < began + wait:
            text = self.log_path.read_text(errors="replace")[past:]
            if found := re.search(r"listening address=127\.0\.0\.1:(\d+)", text):
                self.port = int(found[1])
                self.listen = f"127.0.0.1:{self.port}"
                break
            if "listening address=" in text or self.process.poll() is not None:
                break
            time.sleep(0.005)
        self.pid = self._find_pid()
        return time.monotonic() - began

    def _find_pid(self):
        """The program's own number, where something else has started it."""
        pid = self.process.pid
        for _ in range(6):
            try:
                if os.readlink(f"/proc/{pid}/exe") == os.path.realpath(self.program):
                    return pid
                children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
            except OSError:
                return pid
            if not children:
                return pid
            pid = int(children[0])
        return pid

    # Asking.

    def ask(self, path, method="GET", timeout=600):
        """The status and the body of an answer; 0 if there was none."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request(method, path)
            answer = connection.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException):
            return 0, b""
        finally:
            connection.close()

    def get(self, path):
        status, body = self.ask(path)
        if status != 200:
            raise Failure(f"{path} was answered {status}")
        return json.loads(body)

    def wait(self, rows=None, timeout=600):
        """Waits until it lists all rows, and so many, and rests; gives how long that took."""
        began = time.monotonic()
        part = None
        while time.monotonic() < began + timeout:
            self.check_alive()
            status, body = self.ask("/list", timeout=timeout)
            if status == 200:
                part = json.loads(body)
                if part["rows"] == (part["rows"] if rows is None else rows) and part["complete"]:
                    return time.monotonic() - began
            time.sleep(0.05)
        raise Failure(f"{part and part['rows']} rows instead of {rows} after {timeout} s")

    def keys(self):
        """The names and keys of all rows."""
        while True:
            part = self.get("/list")
            rows = []
            for first in range(0, part["rows"], 256):
                end = min(first + 256, part["rows"])
                status, body = self.ask(f"/rows?v={part['version']}&from={first}&to={end}")
                if status != 200:
                    break
                rows += json.loads(body)["rows"]
            if len(rows) == part["rows"]:
                return [(row[1], row[0]) for row in rows]

    def metrics(self):
        """All that it counts."""
        status, body = self.ask("/metrics")
        values = {}
        for line in body.decode().splitlines():
            if not line.startswith("#") and " " in line:
                name, value = line.rsplit(" ", 1)
                values[name] = float(value)
        return values

    def jobs(self):
        """What has become of each queue's jobs: accepted, ended in all, waiting, by outcome."""
        queues = {}
        for name, value in self.metrics().items():
            found = re.match(r'lull_queue_(accepted_total|jobs_total|waiting)\{(.*)\}', name)
            if not found:
                continue
            labels = dict(re.findall(r'(\w+)="([^"]*)"', found[2]))
            queue = queues.setdefault(
                labels["queue"], {"accepted": 0, "ended": 0, "waiting": 0, "outcomes": {}})
            if found[1] == "jobs_total":
                queue["ended"] += value
                queue["outcomes"][labels["outcome"]] = int(value)
            else:
                queue[found[1].removesuffix("_total")] = value
        return queues

    # Looking at the process.

    def is_alive(self):
        return self.process.poll() is None

    def check_alive(self):
        if not self.is_alive():
            raise Failure(f"it has ended with {self.process.returncode}: {self.log()[:400]}")

    def log(self):
        return self.log_path.read_text(errors="replace")

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def memory(self):
        """What it holds in RAM, in KiB."""
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1])
        return 0

    def spent(self):
        """The seconds of CPU that it has taken."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    # Ending it.

    def kill(self):
        """Ends it as a crash would."""
        try:
            os.kill(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()

    def close(self, timeout=600):
        """Asks it to end; gives its status and how long it took, None if it had to be killed."""
        began = time.monotonic()
        if self.is_alive():
            try:
                os.kill(self.pid, signal.SIGTERM)
                os.kill(self.pid, signal.SIGCONT)
            except ProcessLookupError:
                pass
        try:
            status = self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.kill()
            status = None
        self.log_path.unlink(missing_ok=True)
        return status, time.monotonic() - began


class Failure(Exception):
    """Something didn't hold."""


class Skipped(Exception):
    """Something that's needed isn't there."""
