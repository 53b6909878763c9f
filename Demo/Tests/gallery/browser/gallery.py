"""A gallery to be looked at: its pictures, and the server on a port of its own."""

import http.client
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

import lines


def make_photos(source, folder, rows, folders=40, copies=4):
    """As many pictures as asked for, in folders, under names of their own: links to some copies of
    each of a few, which were taken in some months."""
    sources = sorted(p for p in source.iterdir() if p.suffix in (".jpg", ".png"))
    if not sources:
        raise SystemExit(f"no pictures in {source}")
    originals = folder / ".originals"
    originals.mkdir()
    # Copied first, as links don't reach into another file system; several times, each for a month
    # of its own, so that a month has several pictures.
    made = []
    for number, path in enumerate(copies * sources):
        month = (number + 6 * (number // len(sources))) % len(sources)
        made.append(Path(shutil.copy2(path, originals / f"{number}-{path.name}")))
        os.utime(made[-1], (0, 1_000_000_000 + month * 20_000_000))
    chosen = random.Random(1)
    for number in range(rows):
        year, quarter = divmod(number * folders // rows, 4)
        place = folder / f"{2000 + year} {quarter + 1}"
        place.mkdir(exist_ok=True)
        copy = chosen.choice(made)
        name = copy.stem.split("-", 2)[-1].rsplit("-", 1)[0]
        os.link(copy, place / f"{number:05} {name}{copy.suffix}")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Gallery:
    """The server, on a port of its own."""

    def __init__(self, program, photos, log, base="/"):
        self.program = program
        self.photos = photos
        self.port = free_port()
        self.base = base
        self.address = f"http://127.0.0.1:{self.port}{base}"
        self.log = open(log, "wb")
        # What it keeps of pictures is its own, so that each is made in this run.
        self.cache = Path(tempfile.mkdtemp(prefix="gallery-cache-"))
        self.start()

    def start(self):
        cache = str(self.cache)
        self.process = subprocess.Popen(
            [
                self.program, str(self.photos), "--listen", f"127.0.0.1:{self.port}",
                "--metrics", "same", "--base-path", self.base,
            ],
            stdin=subprocess.DEVNULL,
            stdout=self.log,
            stderr=self.log,
            env=dict(os.environ, XDG_CACHE_HOME=cache, CACHE_DIRECTORY=cache),
        )

    def kill(self):
        """Ends it as a crash would."""
        self.process.kill()
        self.process.wait()

    def read(self, path):
        with urllib.request.urlopen(self.address + path.lstrip("/"), timeout=30) as answer:
            return answer.read()

    def get(self, path):
        return json.loads(self.read(path))

    def metric(self, name):
        """The value of a metric without labels."""
        lines = self.read("/metrics").decode().splitlines()
        return next(float(line.split()[1]) for line in lines if line.startswith(f"{name} "))

    def spent(self):
        """The CPU time in s that it has taken, and the number of thumbnails that it has made."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        ticks = int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK"), self.metric("gallery_pictures_made_total")

    def rows(self, first, end):
        """The key and the name of some rows."""
        version = self.get("/list?from=0")["version"]
        rows = self.get(f"/rows?v={version}&from={first}&to={end}")["rows"]
        return [(key, name) for key, name, *_ in rows]

    def first(self):
        """The identity of the first picture."""
        return self.rows(0, 1)[0][0][:16]

    def wait(self, rows, timeout=120):
        """Waits until it lists all rows and knows their sizes: the version rests."""
        end = time.monotonic() + timeout
        before = None
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise SystemExit(f"the gallery ended with {self.process.returncode}")
            try:
                part = self.get("/list?from=0")
                now = (part["version"], part["rows"])
                if part["rows"] == rows and now == before:
                    return
                before = now
            except (OSError, ValueError, http.client.HTTPException):
                pass
            time.sleep(1.5)
        raise SystemExit(f"the gallery didn't list {rows} rows in {timeout} s: {before}")

    def list(self, width, order="name"):
        """The version, and where each row is in lines of a width (`lines.boxes`)."""
        parts = []
        following = 0
        while following is not None:
            part = self.get(f"/list?o={order}&from={following}")
            parts.append(part)
            following = part["next"]
        if len({part["version"] for part in parts}) != 1:
            return self.list(width, order)
        ratios = [ratio for part in parts for ratio in part["ratios"]]
        sections = [section[1:3] for part in parts for section in part["sections"]]
        return parts[0]["version"], lines.boxes(ratios, sections, width, parts[0]["header"])

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()
        shutil.rmtree(self.cache, ignore_errors=True)
