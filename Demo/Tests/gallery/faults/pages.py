"""Pages that people look at: they scroll, hear of thumbnails and fetch them, and come back when the
server has gone."""

import asyncio
import json
import random
import re
import sys
import threading
import time
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "browser"))
import lines  # noqa: E402  where rows are in lines

HEIGHT = 800
# The widths of pages' grids, one after the other; None is a list of one picture a line.
WIDTHS = (None, 352, 1152)


class Page:
    """One page, which does what the gallery's own script does."""

    def __init__(self, pages, number):
        self.pages, self.random = pages, random.Random(number)
        self.width = WIDTHS[number % len(WIDTHS)]
        self.order = ("name", "date")[number % 2]
        self.address = ("127.0.0.1", 0)
        self.id = self.version = None
        self.rows = []          # where each row begins and ends
        self.shown, self.failed, self.keys = set(), {}, {}
        self.offset = 0.0
        self.began = time.monotonic()

    async def live(self):
        while not self.pages.is_over:
            try:
                await self.come()
                tasks = [
                    asyncio.ensure_future(t) for t in (self.hear(), self.scroll(), self.pages.ends())]
                done, rest = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                for task in rest:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
                if self.pages.is_over:
                    await self.ask("POST", f"/clients/{self.id}/leave")
            except (OSError, EOFError, ValueError, asyncio.TimeoutError):
                pass
            if self.pages.is_over:
                return
            self.pages.lost += 1
            await asyncio.sleep(0.2)

    async def come(self):
        status, body = await self.ask("POST", f"/clients?o={self.order}")
        if status != 201:
            raise OSError(status)
        self.id = json.loads(body)["client"]
        self.shown, self.failed, self.keys = set(), {}, {}
        await self.learn()
        self.pages.came += 1

    async def learn(self):
        """Learns of the list."""
        self.ratios, self.sections, first, version = [], [], 0, None
        while first is not None:
            status, body = await self.ask("GET", f"/list?o={self.order}&from={first}")
            if status != 200:
                raise OSError(status)
            part = json.loads(body)
            if version not in (None, part["version"]):
                self.ratios, self.sections, first, version = [], [], 0, None
                continue
            version, self.header = part["version"], part["header"]
            self.ratios += part["ratios"]
            self.sections += part["sections"]
            self.row = part["row"]
            first = part["next"]
        self.version = version
        self.arrange()

    def arrange(self):
        """Works out where each row begins and ends."""
        sections = [section[1:3] for section in self.sections]
        boxes = lines.boxes(self.ratios, sections, self.width, self.header, self.row)
        self.rows = [box[:2] for box in boxes]
        self.total = self.rows[-1][1] if self.rows else 0

    def change(self, change):
        """Takes a change into the list: what is shown goes with its row."""
        if change["to"] <= self.version:
            return
        if change["from"] != self.version:
            raise EOFError
        rows = list(range(len(self.ratios)))
        for first, count in reversed(change["removed"]):
            del rows[first:first + count]
        ratios = [self.ratios[row] for row in rows]
        for first, new in change["inserted"]:
            rows[first:first] = [None] * len(new)
            ratios[first:first] = new
        for row, ratio in change["measured"]:
            ratios[row] = ratio
        place = {old: new for new, old in enumerate(rows) if old is not None}
        self.shown = {place[row] for row in self.shown if row in place}
        self.keys = {place[row]: key for row, key in self.keys.items() if row in place}
        self.failed = {place[row]: why for row, why in self.failed.items() if row in place}
        self.ratios, self.version = ratios, change["to"]
        self.sections = change.get("sections") or self.sections
        self.arrange()

    # Hearing.

    async def hear(self):
        reader, writer = await asyncio.open_connection(
            *self.pages.server, limit=1 << 20, local_addr=self.address)
        try:
            writer.write(
                f"GET /clients/{self.id}/events HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n".encode())
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 600)
            if b" 200 " not in head[:20]:
                raise OSError("no stream")
            event = ""
            while line := await reader.readline():
                if line.startswith(b"event:"):
                    event = line[6:].strip().decode()
                elif line.startswith(b"data:"):
                    await self.take(event, json.loads(line[5:]))
        finally:
            writer.close()

    async def take(self, event, data):
        if event == "hello" and data["version"] != self.version:
            raise EOFError
        elif event == "thumbs" and data["v"] == self.version:
            for row, key, *_ in data["t"]:
                self.keys[row] = key
                asyncio.ensure_future(self.fetch(key))
        elif event == "failed" and data["v"] == self.version:
            for row, reason in data["f"]:
                self.failed[row] = reason
        elif event == "changed":
            self.pages.changes += 1
            self.change(data)
        elif event in ("bye", "reload"):
            raise EOFError

    async def fetch(self, key):
        try:
            status, body = await self.ask("GET", f"/thumbnails/{key}")
        except (OSError, asyncio.TimeoutError, EOFError):
            status, body = 0, b""
        self.pages.statuses[status] = self.pages.statuses.get(status, 0) + 1
        if status == 200:
            whole = body.endswith(b"\xff\xd9") if body.startswith(b"\xff\xd8") else (
                body.startswith(b"\x89PNG") and body.endswith(b"IEND\xaeB`\x82"))
            self.pages.fetched += 1
            self.pages.broken += not whole
        for row in [row for row, other in self.keys.items() if other == key]:
            if status == 200:
                self.shown.add(row)
            else:
                self.failed[row] = str(status)

    # Scrolling.

    async def scroll(self):
        await self.report([f"f,{self.now():.1f},{self.offset:.1f}"])
        while not self.pages.is_over:
            await self.rest()
            await self.fling()

    def now(self):
        return (time.monotonic() - self.began) * 1000

    async def fling(self):
        speed = self.random.uniform(1500, 6000)
        if self.offset > self.total / 2 and self.random.random() < 0.7:
            speed = -speed
        most = max(0, self.total - HEIGHT)
        await self.report([
            f"d,{self.now():.1f},600,{self.offset:.1f}", f"u,{self.now() + 0.1:.1f},500"])
        while abs(speed) > 60:
            events = []
            for _ in range(3):
                self.offset = min(max(0, self.offset + speed / 60), most)
                events.append(f"f,{self.now():.1f},{self.offset:.1f}")
                speed *= 0.95
                await asyncio.sleep(1 / 60)
            await self.report(events)
        await asyncio.sleep(0.12)
        await self.report([f"f,{self.now():.1f},{self.offset:.1f}"])

    async def report(self, events):
        status, _ = await self.ask(
            "POST", f"/clients/{self.id}/reports?v={self.version}"
            f"&f={self.width or 'list'}&h={HEIGHT}&e={';'.join(events)}")
        if status not in (204, 429):
            raise OSError(status)

    def missing(self):
        """The rows in view of which neither a picture nor a failure is known."""
        low, high = self.offset, self.offset + HEIGHT
        return [
            row for row, (top, end) in enumerate(self.rows)
            if top < high and end > low and row not in self.shown and row not in self.failed]

    async def rest(self):
        """Looks at what's in view until it's all there, and a moment longer."""
        began = time.monotonic()
        while self.missing() and not self.pages.is_over:
            await asyncio.sleep(0.01)
        self.pages.settled.append((began, time.monotonic() - began))
        await asyncio.sleep(self.random.uniform(0.1, 0.4))

    # Asking.

    async def ask(self, method, path):
        async with self.pages.room:
            return await asyncio.wait_for(self._ask(method, path), 600)

    async def _ask(self, method, path):
        reader, writer = await asyncio.open_connection(
            *self.pages.server, local_addr=self.address)
        try:
            writer.write(
                f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
            head = await reader.readuntil(b"\r\n\r\n")
            body = await reader.read()
            length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
            if length and len(body) < int(length[1]):
                raise EOFError  # whoever answered has gone meanwhile
            return int(head.split(b" ", 2)[1]), body
        finally:
            writer.close()


class Pages:
    """Some pages in a thread of their own."""

    def __init__(self, gallery, count=4):
        self.server = ("127.0.0.1", gallery.port)
        self.is_over = False
        self.came = self.lost = self.changes = self.fetched = self.broken = 0
        self.statuses, self.settled, self.pages = {}, [], []
        self.count = count
        self.thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)
        self.thread.start()

    async def _run(self):
        self.room = asyncio.Semaphore(48)
        asyncio.get_running_loop().set_exception_handler(lambda *_: None)
        self.pages = [Page(self, number) for number in range(self.count)]
        tasks = [asyncio.ensure_future(page.live()) for page in self.pages]
        while not self.is_over:
            await asyncio.sleep(0.05)
        await asyncio.wait(tasks, timeout=2)

    async def ends(self):
        while not self.is_over:
            await asyncio.sleep(0.05)

    def settles(self, since=0.0, timeout=600):
        """Waits until each page has come to rest and had all in view, once more each; gives how long."""
        began = time.monotonic()
        goal = len([1 for start, _ in self.settled if start >= since]) + self.count
        while time.monotonic() < began + timeout:
            if len([1 for start, _ in self.settled if start >= since]) >= goal:
                return time.monotonic() - began
            time.sleep(0.02)
        return None

    def close(self):
        self.is_over = True
        self.thread.join(5)
