"""What is looked at during every fault: health, jobs, descriptors, memory."""

import json
import subprocess
import sys
import time
from pathlib import Path

from case import hold_time
from gallery import Failure
from pages import Pages

HERE = Path(__file__).resolve().parent


def share(times, part):
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else float("inf")


class Probe:
    """/healthz, every ten milliseconds, from a process of its own."""

    def __init__(self, port):
        self.process = subprocess.Popen(
            [sys.executable, str(HERE / "probe.py"), str(port)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)
        self.process.stdout.readline()

    def close(self):
        self.process.stdin.close()
        figures = json.loads(self.process.stdout.read())
        self.process.wait()
        return figures


class Watch:
    """Watches a gallery while something is done to it.

    with Watch(gallery, pages=4) as watch:
        …
    watch.text has the figures; what doesn't hold is a Failure.
    """

    def __init__(self, gallery, pages=4, p99=0.05, probes=True, memory=24 << 10, new=True,
                 settles=True, patience=600):
        self.gallery, self.count, self.p99, self.probes = gallery, pages, p99, probes
        self.allowed, self.new, self.must_settle = memory, new, settles
        self.pages, self.patience = None, patience

    def __enter__(self):
        self.gallery.ask("/healthz")
        self.pages = Pages(self.gallery, self.count) if self.count else None
        if self.pages and self.pages.settles() is None:
            raise Failure("pages didn't come to rest before anything was done")
        self.before = self.level()
        self.ticks, self.began = self.gallery.spent(), time.monotonic()
        self.lines = len(self.gallery.log().splitlines())
        self.probe = Probe(self.gallery.port) if self.probes else None
        return self

    def level(self):
        kept = self.gallery.metrics().get("gallery_kept_bytes", 0) / 1024
        return self.gallery.descriptors(), self.gallery.memory() - kept

    def __exit__(self, kind, error, trace):
        figures = self.probe.close() if self.probe else None
        took = time.monotonic() - self.began
        if kind:
            if self.pages:
                self.pages.close()
            return False
        self.gallery.check_alive()
        notes = []
        if figures:
            notes.append(self.judge(figures))
        self.load = (self.gallery.spent() - self.ticks) / took
        self.logged = len(self.gallery.log().splitlines()) - self.lines
        if self.logged > took * 6 + 6:
            raise Failure(f"{self.logged} log lines in {took:.1f} s")
        if self.pages:
            ended = time.monotonic()
            self.recovered = self.pages.settles(since=ended)
            if self.must_settle and self.recovered is None:
                missing = [page.missing()[:5] for page in self.pages.pages]
                raise Failure(f"pages didn't come to rest afterwards: missing {missing}")
            if self.pages.broken:
                raise Failure(f"{self.pages.broken} pictures weren't whole")
            notes.append(f"all {self.count} pages full again after {self.recovered:.1f} s, "
                         f"{self.pages.fetched} pictures fetched")
            self.pages.close()
        notes += self.rest()
        self.text = ", ".join(notes)
        return False

    def judge(self, figures):
        opened, new = share(figures["open"], 0.99), share(figures["new"], 0.99)
        text = f"healthz p99 {opened * 1000:.1f} ms open, {new * 1000:.1f} ms new"
        if figures["open_failed"] > (figures["reopened"] > 1) + 1:
            raise Failure(f"{text}; {figures['open_failed']} unanswered on the open connection")
        if self.new and figures["new_failed"]:
            raise Failure(f"{text}; {figures['new_failed']} unanswered on new connections")
        worst = max(opened, new if self.new else 0)
        hold_time(worst <= self.p99, f"{text}: more than {self.p99 * 1000:.0f} ms")
        return text

    def rest(self):
        """Every job has ended, and descriptors and memory are what they were."""
        end = time.monotonic() + self.patience
        while True:
            descriptors, memory = self.level()
            open_jobs = {
                name: queue for name, queue in self.gallery.jobs().items()
                if queue["accepted"] != queue["ended"] or queue["waiting"]}
            grown = memory - self.before[1]
            if not open_jobs and descriptors <= self.before[0] + 2 and grown <= self.allowed:
                break
            if time.monotonic() > end:
                raise Failure(
                    f"{self.patience} s after: descriptors {self.before[0]} to {descriptors}, memory "
                    f"{grown / 1024:+.0f} MiB, jobs that never ended {open_jobs}")
            time.sleep(0.1)
        outcomes = self.gallery.jobs()["pictures"]["outcomes"]
        jobs = ", ".join(f"{count} {name}" for name, count in outcomes.items() if count)
        return [f"jobs {jobs or 'none'}", f"descriptors {descriptors}",
                f"memory {grown / 1024:+.0f} MiB"]
