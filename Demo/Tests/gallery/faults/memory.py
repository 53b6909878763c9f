"""Faults of memory and processors: rows 11 to 16."""

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from case import ROOT, hold, row
from gallery import Skipped, make_photos
from pages import Pages
from reading import ask_all
from watch import Watch


def aftermath(case, gallery, keys):
    """What has become of it: it goes on, or has ended at once; not something between."""
    for _, key in keys:
        if gallery.ask(f"/thumbnails/{key}", timeout=3)[0] == 0:
            break
    end = time.monotonic() + 3
    while time.monotonic() < end:
        if not gallery.is_alive():
            return "ended"
        if gallery.ask("/healthz", timeout=1)[0] == 200:
            return "went on"
        time.sleep(0.02)
    return "hung"


def restarts(case, gallery, photos, cache, count):
    """A supervisor starts it anew; all is there."""
    again = case.gallery(photos, cache=cache)
    again.wait(count)
    answers = ask_all(again, again.keys())
    hold(all(status == 200 for status, _ in answers.values()), "not all was there after a restart")
    again.close()


def sweep(case, faults, workers=3):
    """Has a gallery suffer each of these faults; gives how many ended, went on, hung and were hit."""
    photos = case.photos(24)

    def one(numbered):
        number, (before, environment, said) = numbered
        cache, when = case.folder / f"cache-{number}", case.folder / f"when-{number}"
        environment = {k: str(when) if v == "WHEN" else v for k, v in environment.items()}
        gallery = case.gallery(photos, cache=cache, before=before, env=environment)
        keys = []
        if gallery.is_alive() and gallery.port:
            try:
                gallery.wait(24, timeout=5)
                keys = gallery.keys()
            except Exception:
                pass
        when.touch()
        outcome = aftermath(case, gallery, keys)
        hit = said in gallery.log() if said else outcome == "ended"
        gallery.kill()
        if outcome == "ended":
            restarts(case, gallery, photos, cache, 24)
        return outcome, hit

    with ThreadPoolExecutor(workers) as some:
        found = list(some.map(one, enumerate(faults)))
    counts = {name: sum(outcome == name for outcome, _ in found) for name in ("ended", "went on", "hung")}
    return counts, sum(hit for _, hit in found), len(found)


@row(11, "a small allocation fails")
def small_allocations(case):
    library = case.failing_memory
    faults = [([], {"LD_PRELOAD": str(library), "FAIL_WHEN": "WHEN", "FAIL_FIRST": str(n)},
               "ALLOCATION FAILED")
              for n in (1, 3, 7, 12, 20, 33, 54, 88, 143, 232, 376, 609)]
    counts, hit, total = sweep(case, faults)
    hold(hit >= total - 2, f"hit {hit} of {total}")
    hold(not counts["hung"], f"{counts}")
    return (f"{hit} of {total} single failures hit",
            f"{counts['ended']} ended it at once and a restart had all there, {counts['went on']} went on")


@row(12, "a large allocation fails")
def large_allocations(case):
    library = case.failing_memory
    faults = [([], {"LD_PRELOAD": str(library), "FAIL_WHEN": "WHEN", "FAIL_FIRST": str(n),
                    "FAIL_BYTES": str(64 << 10)}, "ALLOCATION FAILED")
              for n in (1, 2, 3, 4, 5, 7, 9, 12, 16, 23, 31, 40)]
    counts, hit, total = sweep(case, faults)
    hold(hit >= total - 2, f"hit {hit} of {total}")
    hold(not counts["hung"], f"{counts}")
    # A codec's own memory fails softly; that of an array of Swift's ends any program.
    hold(counts["went on"] > 0, f"{counts}")
    return (f"{hit} of {total} failures of 64 KB or more hit",
            f"{counts['went on']} went on (a codec's), {counts['ended']} ended it at once (an array's, which "
            "in Swift can't fail softly) and a restart had all there")


@row(13, "allocations fail at random")
def random_allocations(case):
    case.need("fiu-run")
    faults = [(["fiu-run", "-x", "-c", f"enable_random name=libc/mm/*,probability={p}"], {}, "")
              for p in (0.00002, 0.0001, 0.0005, 0.002)]
    counts, hit, total = sweep(case, faults)
    hold(hit >= 1, "none was hit")
    hold(not counts["hung"], f"{counts}")
    return (f"libfiu, {total} probabilities: {hit} ended it",
            f"each time at once, and a restart had all there; {counts['went on']} went on")


def ballast(group, folder, size, passes=1):
    """Reads a file without end into the cache of a group, so that it's at its limit."""
    file = folder / "ballast"
    with open(file, "wb") as made:
        made.truncate(size)
    code = """
import sys
group, file, passes = sys.argv[1:]
open(group + "/cgroup.procs", "w").write("0")
for _ in range(int(passes)):
    with open(file, "rb", 0) as ballast:
        while ballast.read(1 << 20): pass
"""
    return subprocess.Popen([sys.executable, "-c", code, str(group), str(file), str(passes)])


@row(14, "a control group's memory is at its limit", alone=True)
def memory_group(case):
    limit = 960 << 20
    group = case.group("memory", memory__limit_in_bytes=limit)
    photos = make_large(case)
    gallery = case.gallery(photos)
    (group / "cgroup.procs").write_text(str(gallery.pid))
    count = len(list(photos.glob("folder*/*")))
    gallery.wait(count)
    with Watch(gallery, pages=2, memory=200 << 10) as watch:
        reader = ballast(group, case.folder, limit + (200 << 20), 2)
        pages = Pages(gallery, 24)
        keys = gallery.keys()
        with ThreadPoolExecutor(16) as some:
            statuses = list(some.map(lambda p: gallery.ask(f"/pictures/{p[1]}")[0], keys[:200]))
        reader.wait()
        pages.close()
    failures = int((group / "memory.failcnt").read_text())
    most = int((group / "memory.max_usage_in_bytes").read_text()) >> 20
    kills = [line for line in (group / "memory.oom_control").read_text().splitlines()
             if line.startswith("oom_kill ")]
    gallery.close()
    hold(failures > 0, "the limit wasn't reached")
    hold(kills in ([], ["oom_kill 0"]), f"killed: {kills}")
    hold(set(statuses) <= {200, 503}, f"statuses {set(statuses)}")
    return (f"960 MiB with the page cache: reached {failures} times, {most} MiB at most",
            f"never killed, {statuses.count(200)} large views, {watch.text}")


def make_large(case):
    """Pictures that are large, too."""
    return make_photos(ROOT / "Demo/photos", case.folder / "photos", 200, most=1 << 30)


@row(15, "the kernel tells of memory pressure", alone=True)
def memory_pressure(case):
    if not os.access("/proc/pressure/memory", os.R_OK):
        raise Skipped("the kernel tells of none")
    gallery = case.start(300)
    for _, key in gallery.keys():
        gallery.ask(f"/thumbnails/{key}")
    before = gallery.metrics()["gallery_kept_bytes"]
    group = case.group("memory", memory__limit_in_bytes=12 << 20)
    stalled = total_stall()
    readers = [ballast(group, case.folder, 64 << 20, 4000) for _ in range(4)]
    began, after, told = time.monotonic(), before, None
    try:
        with Watch(gallery, pages=0) as watch:
            while time.monotonic() < began + 12:
                after = gallery.metrics()["gallery_kept_bytes"]
                if after < before / 2:
                    told = time.monotonic() - began
                    break
                time.sleep(0.1)
    finally:
        for reader in readers:
            reader.kill()
            reader.wait()
    stalled = total_stall() - stalled
    if told is None and stalled < 1_000_000:
        raise Skipped(f"no pressure could be made: {stalled / 1000:.0f} ms stalled in 12 s")
    hold(told is not None, f"{stalled / 1000:.0f} ms stalled, {after / 1024:.0f} of {before / 1024:.0f} KB stay")
    status, _ = gallery.ask(f"/thumbnails/{gallery.keys()[0][1]}")
    hold(status == 200, f"a picture afterwards was answered {status}")
    return (f"four readers in a group of 12 MiB: stalled for {stalled / 1000:.0f} ms",
            f"{before / 1024:.0f} KB kept became {after / 1024:.0f} after {told:.1f} s, {watch.text}")


def total_stall():
    """The microseconds that some task has waited for memory."""
    return int(Path("/proc/pressure/memory").read_text().split("total=")[1].split()[0])


@row(16, "a control group's share of the processor is small", alone=True)
def processor_quota(case):
    group = case.group("cpu", cpu__cfs_period_us=100_000, cpu__cfs_quota_us=30_000)
    gallery = case.start(600)
    (group / "cgroup.procs").write_text(str(gallery.pid))
    # It may not run for 70 ms of each 100, so that no answer can be had sooner.
    with Watch(gallery, pages=6, p99=0.25) as watch:
        time.sleep(6)
        facts = dict(line.split() for line in (group / "cpu.stat").read_text().splitlines())
        (group.parent / "cgroup.procs").write_text(str(gallery.pid))
    hold(int(facts["nr_throttled"]) > 3, f"throttled {facts['nr_throttled']} times")
    return f"30 ms of each 100: throttled {facts['nr_throttled']} times", watch.text
