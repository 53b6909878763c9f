#!/usr/bin/env python3
"""W2: a very long list in a gallery: how soon its first pictures are there after a start, how soon
those of random places are to which the scrubber jumps, and what memory that takes.

    python3 w2.py --program GALLERY [--rows N] [--jumps N] [--out FILE]

The pictures are those of Demo/photos, a few hundred copies with dates of their own, under as many
names as asked for. The gallery starts without thumbnails, and then with those that it has kept; as
root, also with nothing of its files in the system's cache. Needs Chromium.
"""

import argparse
import json
import os
import random
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "Demo/Tests/gallery/browser"))
from cdp import Chromium, Screen  # noqa: E402
from gallery import Gallery, make_photos  # noqa: E402
from page import WHOLE  # noqa: E402

WIDE = Screen(1440, 900, is_touch=False)

# Notes when all pictures in view are there, first and after each release of the pointer; `whole`
# has the times in ms.
WATCH = """
window.whole = [];
let since = 0;
let isWaiting = true;
const isWhole = () => WHOLE;
const isBegun = () => {
    const boxes = [...document.querySelectorAll("#list .row")];
    const top = Math.min(...boxes.map((row) => row.getBoundingClientRect().top));
    const first = boxes.filter((row) => row.getBoundingClientRect().top < top + 1);
    return first.length > 0 && first.every((row) => row.querySelector("img")?.naturalWidth > 0);
};
const look = (time) => {
    if (!window.firstLine && isBegun()) window.firstLine = Date.now();
    if (isWaiting && isWhole()) {
        isWaiting = false;
        whole.push(since ? time - since : Date.now());
    }
    requestAnimationFrame(look);
};
requestAnimationFrame(look);
addEventListener("pointerup", (event) => {
    since = event.timeStamp;
    // The pictures at this place, not those before.
    requestAnimationFrame(() => (isWaiting = true));
}, true);
""".replace("WHOLE", WHOLE)

# The middle of the scrubber's handle.
HANDLE = """(({ top, height }) => top + height / 2)(
    document.getElementById("scrubber-handle").getBoundingClientRect())"""


def memory(gallery):
    """Its resident memory in MB: now, and at most so far."""
    status = Path(f"/proc/{gallery.process.pid}/status").read_text().splitlines()
    fields = {line.split()[0]: int(line.split()[1]) for line in status if line.startswith("Vm")}
    return {"now": fields["VmRSS:"] / 1024, "most": fields["VmHWM:"] / 1024}


def start(browser, gallery, query=""):
    """Starts the gallery, opens its page as soon as it listens, and waits for its pictures."""
    begun = time.time()
    gallery.start()
    while True:
        try:
            gallery.read("/healthz")
            break
        except OSError:
            time.sleep(0.005)
    page = browser.open(gallery.address + query, WIDE, before=WATCH)
    if not page.wait("whole.length > 0", 60):
        raise SystemExit("the page never had its pictures")
    first, whole = page.evaluate("firstLine"), page.evaluate("whole[0]")
    return page, {"first line": first / 1000 - begun, "whole": whole / 1000 - begun}


def jump(page, count):
    """Jumps to random places by the scrubber; returns the times in s until all was there."""
    chosen = random.Random(2)
    times = []
    for _ in range(count):
        x, y = WIDE.width - 8, page.evaluate(HANDLE)
        target = chosen.uniform(80, WIDE.height - 40)
        known = page.evaluate("whole.length")
        page.drag((x, y), (x, (y + target) / 2), (x, target))
        if not page.wait(f"whole.length > {known}", 20, every=0.02):
            raise SystemExit("a place never had its pictures")
        times.append(page.evaluate("whole.at(-1)") / 1000)
        time.sleep(0.5)
    return times


def measure(browser, gallery, options, figures):
    page, figures["without thumbnails"] = start(browser, gallery)
    gallery.wait(options.rows, 300)
    figures["memory at first"] = memory(gallery)
    before = gallery.spent()
    times = jump(page, options.jumps)
    cpu, made = (after - then for after, then in zip(gallery.spent(), before))
    figures["jumps"] = {
        "median": statistics.median(times), "p95": quantile(times, 0.95), "most": max(times),
        "thumbnails": made / options.jumps, "CPU": cpu / options.jumps}
    figures["memory after jumps"] = memory(gallery)
    page.close()
    gallery.kill()
    page, figures["with thumbnails"] = start(browser, gallery)
    page.close()
    gallery.kill()
    try:
        os.sync()
        Path("/proc/sys/vm/drop_caches").write_text("3")
    except OSError as error:
        print(f"not measured: a start without the system's cache ({error})")
        return
    page, figures["with thumbnails, from the disk"] = start(browser, gallery)
    page.close()


def quantile(values, share):
    return sorted(values)[min(len(values) - 1, round(share * (len(values) - 1)))]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--jumps", type=int, default=20)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="gallery-many-"))
    figures = {"rows": options.rows}
    try:
        folders = max(1, options.rows // 500)
        make_photos(ROOT / "Demo/photos", folder, options.rows, folders, copies=13)
        gallery = Gallery(options.program, folder, folder / ".log")
        gallery.kill()
        try:
            with Chromium() as browser:
                measure(browser, gallery, options, figures)
        finally:
            gallery.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for name, value in figures.items():
        if isinstance(value, dict):
            value = ", ".join(f"{key} {number:.2f}" for key, number in value.items())
        print(f"{name}: {value}")
    if options.out:
        options.out.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
