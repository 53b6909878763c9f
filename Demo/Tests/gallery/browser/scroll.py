"""Flings a gallery of 10,000 pictures in a browser, and checks what is seen and what it cost.

    python3 scroll.py --program gallery --artifacts DIR [--flings N] [--photos DIR] [--rows N]
        [--browser chromium|firefox] [--times]

For every fling: each row in view at rest shows its picture. With --times, on a machine with nothing
else to do, there are more flings, and it does so within a second in 95 of 100 and never later
than three; of the rows that were made for all of them, at most a tenth was never in view. What was
made the server tells the page. Then the list scrolls on at some speeds, by a held key and by a
wheel, and rows in view without a picture or a preview are counted in each frame. Exit status 77
without a browser.
"""

import argparse
import bisect
import json
import shutil
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from driver import NAMES, BrowserError, Page, Screen, driver_of
from gallery import Gallery, make_photos

SPEEDS = [1500, 3500, 9000, 2500, 6000, 14000, 4200, 7500, 5000, 11000, 3000, 8000]  # px a second
# Several flicks in a row, which a browser makes faster and faster: (px a second, flicks). Each of
# them but the last is caught.
TRAINS = [(6000, 3), (12000, 4)]

# Where each half of the flings is: the screen, how far down the list, and which way.
SCREENS = [(Screen(412, 915), 0.1, 1), (Screen(1440, 900), 0.9, -1)]

# Where the list scrolls on, and for how many seconds at each speed, in px a second.
WINDOWS = [Screen(412, 915), Screen(1440, 900, is_touch=False)]
STEADY_SPEEDS = [500, 1000, 1500, 3000, 6000]
STEADY_SECONDS = 3

# Runs in the page before its scripts: keeps the rows of pictures that the server tells it of.
TOLD = """
window.told = [];
window.EventSource = class extends EventSource {
    constructor(address) {
        super(address);
        this.addEventListener("thumbs", ({ data }) => {
            told.push(...JSON.parse(data).t.map(([row]) => row));
        });
    }
};
"""

# Runs in the page: keeps the frames of a fling, and when all in view was shown.
PROBE = """
window.probe = {
    rows: [], bar: 0, frames: [], moved: 0, shown: null, isOn: false, last: -1,
    grey: null, speed: 0, time: 0,
    begin() { this.frames = []; this.moved = 0; this.shown = null; this.isOn = true; },
    // The rows in view: those whose lines end below the window's top.
    inView() {
        const top = scrollY, bottom = top + innerHeight - this.bar, rows = [];
        let low = 0, high = this.rows.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.rows[middle][1] <= top) low = middle + 1; else high = middle;
        }
        for (; low < this.rows.length && this.rows[low][0] < bottom; low += 1) rows.push(low);
        return rows;
    },
    node(row) {
        const node = document.querySelector(`[data-row="${row}"]`);
        const box = node?.getBoundingClientRect();
        const [top, , left] = this.rows[row];
        const isThere = box && Math.abs(box.top - this.bar - (top - scrollY)) < 1.5
            && Math.abs(box.left - this.left - left) < 1.5;
        return isThere ? node : null;
    },
    isShown(node) {
        const image = node?.querySelector("img");
        return image?.complete && image.naturalWidth > 0 && image.checkVisibility();
    },
    missing() { return this.inView().filter((row) => !this.isShown(this.node(row))); },
    // Counts rows in view in each frame, and those of them without a picture or a preview.
    count(time) {
        const inView = this.inView();
        const rows = inView.map((row) => this.node(row));
        const isGrey = (node) => !this.isShown(node) && !node?.querySelector(".previewed");
        this.grey.frames += 1;
        this.grey.rows += rows.length;
        inView.forEach((row) => this.passed.add(row));
        this.grey.grey += rows.filter(isGrey).length;
        if (this.speed) scrollBy(0, (this.speed * (time - this.time)) / 1000);
        this.time = time;
    },
    countFrom(speed) {
        this.speed = speed;
        this.time = performance.now();
        this.grey = { frames: 0, rows: 0, grey: 0 };
        this.passed = new Set();
    },
    frame(time) {
        requestAnimationFrame((next) => this.frame(next));
        if (this.grey) this.count(time);
        if (!this.isOn) { this.last = scrollY; return; }
        if (scrollY !== this.last) {
            this.last = scrollY;
            this.moved = time;
            this.shown = null;
            this.frames.push([time, scrollY]);
        } else if (this.shown === null && this.missing().length === 0) this.shown = time;
    },
};
requestAnimationFrame((time) => probe.frame(time));
""" + TOLD


class Scroll:
    """A page of the gallery under a finger."""

    def __init__(self, gallery, page, artifacts):
        self.gallery = gallery
        self.page = page
        self.artifacts = artifacts
        if not page.wait("document.querySelector('.row img')?.naturalWidth > 0", 30):
            raise SystemExit("no picture in 30 s")
        self.measure()

    def measure(self):
        """Tells the page where rows stand."""
        width = self.page.evaluate("document.getElementById('list').offsetWidth")
        self.version, self.rows = self.gallery.list(width)
        self.tops = [row[0] for row in self.rows]
        self.bottoms = [row[1] for row in self.rows]
        self.page.evaluate(f"probe.rows = {json.dumps(self.rows)}; 0")
        box = "document.getElementById('list').getBoundingClientRect()"
        self.bar = self.page.evaluate(f"probe.left = {box}.left, probe.bar = {box}.top + scrollY")
        self.height = self.page.evaluate("innerHeight") - self.bar

    def in_view(self, offset):
        """The rows that show at an offset."""
        first = bisect.bisect_right(self.bottoms, offset)
        return range(first, bisect.bisect_left(self.tops, offset + self.height))

    def rest(self, timeout=3):
        """Waits for the list to rest and to be whole: seconds from landing, None if never."""
        timeout *= Page.patience
        end = time.monotonic() + 15 * Page.patience
        while time.monotonic() < end:
            time.sleep(0.05)
            moved, shown, now = self.page.evaluate(
                "[probe.moved, probe.shown, performance.now()]"
            )
            if shown is not None and now - moved > 400:
                return max(0, shown - moved) / 1000
            if shown is None and now - moved > timeout * 1000:
                return None
        return None

    def begin(self):
        self.page.evaluate("probe.begin()")

    def jump(self, share):
        """Goes where nothing was made yet. The first fling there isn't counted: where a page has
        just been loaded its frames are slower."""
        self.begin()
        self.page.evaluate(f"scrollTo(0, {self.rows[int(len(self.rows) * share)][0]})")
        if self.rest() is None:
            self.show("jump")
            missing = self.page.evaluate("probe.missing()")
            raise SystemExit(f"not whole after a jump: {missing}")
        self.page.fling(2000)
        self.rest()

    def steady(self):
        """How many of the rows in view are grey as the list scrolls on, by ways to scroll."""
        parts = {}
        for speed in STEADY_SPEEDS:
            parts[f"{speed} px/s"] = self.count(speed, lambda: time.sleep(STEADY_SECONDS))
        self.page.press("ArrowDown")
        parts["held arrow"] = self.count(0, self.hold_arrow)
        parts["wheel"] = self.count(0, self.turn_wheel)
        return parts

    def hold_arrow(self):
        self.page.hold("ArrowDown", 30 * STEADY_SECONDS)

    def turn_wheel(self):
        """Twelve notches a second."""
        begun = time.monotonic()
        for number in range(12 * STEADY_SECONDS):
            time.sleep(max(0, begun + number / 12 - time.monotonic()))
            self.page.wheel(120)

    def count(self, speed, move):
        self.page.evaluate(f"probe.countFrom({speed}); 0")
        since, before = time.monotonic(), self.gallery.spent()
        move()
        after, seconds = self.gallery.spent(), time.monotonic() - since
        cpu, made = (now - then for now, then in zip(after, before))
        counted = self.page.evaluate(
            "(({ grey, passed }) => { probe.grey = null; return { ...grey, passed: passed.size }; })(probe)"
        )
        # What it leaves behind must not be seen in the next one.
        self.page.evaluate("scrollBy(0, 5000)")
        self.begin()
        self.rest()
        counted |= {
            "made": made, "unmade": round(max(0, 1 - made / max(1, counted["passed"])), 4),
            "busy": round(cpu / seconds, 3),
        }
        return {**counted, "share": round(counted["grey"] / max(1, counted["rows"]), 4)}

    def show(self, name):
        self.page.screenshot(self.artifacts / f"{name}.png")

    def fling(self, number, speed, flicks, is_kept):
        """One fling, or several flicks that add up; the facts of it."""
        start = self.in_view(self.page.evaluate("scrollY"))
        told_before = self.page.evaluate("told.length")
        if is_kept:
            self.show(f"{number:02}-before")
        self.begin()
        for flick in range(flicks):
            if flick:
                time.sleep(0.1)
            self.page.fling(speed)
        if is_kept:
            time.sleep(0.2)
            self.show(f"{number:02}-in")
        seconds = self.rest()
        if is_kept:
            self.show(f"{number:02}-after")
        missing = self.page.evaluate("probe.missing()")
        frames = self.page.evaluate("probe.frames")
        gaps = [after[0] - before[0] for before, after in zip(frames, frames[1:])]
        time.sleep(0.4)  # what was made until now is told by now
        end = self.in_view(frames[-1][1] if frames else 0)
        seen = set(start).union(end, *(self.in_view(y) for _, y in frames))
        made = set(self.page.evaluate(f"told.slice({told_before})"))
        return {
            "speed": speed,
            "flicks": flicks,
            "distance": round(frames[-1][1] - frames[0][1]) if frames else 0,
            "frames": len(frames),
            "longest frame ms": round(max(gaps, default=0), 1),
            "seconds": None if seconds is None else round(seconds, 3),
            "missing": missing,
            "made": sorted(made),
            "seen": sorted(seen),
            "start": [start[0], start[-1]],
            "end": [end[0], end[-1]],
        }


def table(facts):
    lines = ["fling   px/s  flicks  distance px  landing to whole  made"]
    for number, fact in enumerate(facts, 1):
        seconds = "never" if fact["seconds"] is None else f"{fact['seconds'] * 1000:.0f} ms"
        lines.append(
            f"{number:5} {fact['speed']:6} {fact['flicks']:7} {fact['distance']:12} {seconds:>17}"
            f" {len(fact['made']):5}"
        )
    return "\n".join(lines)


def waste(facts):
    """How many rows were made, and how many of them were never seen."""
    made = set().union(*(fact["made"] for fact in facts))
    return len(made), len(made - set().union(*(fact["seen"] for fact in facts)))


def judge(facts):
    """What isn't as it must be."""
    faults = []
    for number, fact in enumerate(facts, 1):
        if fact["seconds"] is None:
            faults.append(f"fling {number}: not whole at rest, rows {fact['missing']}")
        elif fact["missing"]:
            faults.append(f"fling {number}: rows {fact['missing']} lost their pictures at rest")
        if abs(fact["distance"]) < 100:
            faults.append(f"fling {number}: the list hardly moved")
    if (made := waste(facts)[0]) < 40:
        faults.append(f"only {made} rows were made: that proves nothing")
    return faults


def judge_times(facts):
    """What takes too long, or is made too early to be seen."""
    faults = []
    for number, fact in enumerate(facts, 1):
        if fact["seconds"] is not None and fact["seconds"] > 3:
            faults.append(f"fling {number}: whole {fact['seconds']} s after landing")
    quick = sum(1 for fact in facts if fact["seconds"] is not None and fact["seconds"] <= 1)
    if quick < 0.95 * len(facts):
        faults.append(f"only {quick} of {len(facts)} flings were whole within a second")
    made, wasted = waste(facts)
    if wasted > made / 10:
        faults.append(f"{wasted} of {made} rows that were made were never seen")
    return faults


def steady_table(steady):
    lines = [
        "",
        "rows in view without a picture or a preview, of all in all frames; in parentheses, of the rows"
        " that passed, those more than were made, and the gallery's share of a processor:",
    ]
    for window, parts in steady.items():
        shares = ", ".join(
            f"{way} {part['share']:.1%} ({part['unmade']:.0%}, {part['busy']:.0%})"
            for way, part in parts.items())
        lines.append(f"  {window}: {shares}")
    return "\n".join(lines)


def judge_steady(steady):
    """What is grey though the list goes slowly."""
    return [
        f"{window}: {parts['500 px/s']['share']:.1%} of the rows are grey at 500 px/s"
        for window, parts in steady.items()
        if parts["500 px/s"]["share"] > 0.2
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    root = Path(__file__).resolve().parents[4]
    parser.add_argument("--program", required=True, help="a built gallery")
    parser.add_argument("--artifacts", required=True, type=Path, help="for screenshots and figures")
    parser.add_argument("--photos", type=Path, default=root / "Demo/photos")
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--browser", choices=NAMES, default=NAMES[0])
    parser.add_argument("--times", action="store_true", help="judge how long things take")
    parser.add_argument("--flings", type=int, help="24 with --times, else 8")
    options = parser.parse_args()
    Page.patience = 1 if options.times else 10
    flings = options.flings or (24 if options.times else 8)
    driver = driver_of(options.browser)
    if not driver.find():
        print(f"Skipped: there is no {driver.__name__}", file=sys.stderr)
        return 77
    artifacts = options.artifacts
    artifacts.mkdir(parents=True, exist_ok=True)
    photos = Path(tempfile.mkdtemp(prefix="gallery-"))
    gallery = None
    try:
        make_photos(options.photos, photos, options.rows)
        gallery = Gallery(options.program, photos, artifacts / "gallery.log")
        gallery.wait(options.rows)
        with driver() as browser:
            facts, faults = [], []
            for screen, share, way in SCREENS:
                page = browser.open(gallery.address, screen, before=PROBE)
                scroll = Scroll(gallery, page, artifacts)
                scroll.jump(share)
                for number in range(flings // 2):
                    speed = way * SPEEDS[number % len(SPEEDS)]
                    facts.append(scroll.fling(len(facts) + 1, speed, 1, number in (0, 2)))
                for speed, flicks in TRAINS:
                    facts.append(scroll.fling(len(facts) + 1, way * speed, flicks, True))
                page.show_on(replace(screen, is_dark=True))
                scroll.show(f"dark-{screen.width}")
                faults += [f"the page says: {fault}" for fault in page.faults]
                if gallery.get("/list?from=0")["version"] != scroll.version:
                    faults.append("the list has changed meanwhile: these figures tell nothing")
                page.close()
            faults += judge(facts)
            steady = {}
            if options.times:
                faults += judge_times(facts)
            for screen in WINDOWS if options.times else ():
                page = browser.open(gallery.address, screen, before=PROBE)
                scroll = Scroll(gallery, page, artifacts)
                scroll.jump(0.4)
                steady[f"{screen.width} px"] = scroll.steady()
                page.close()
            faults += judge_steady(steady)
    finally:
        if gallery:
            gallery.close()
        shutil.rmtree(photos, ignore_errors=True)
    text = table(facts)
    text += f"\n{len(facts)} flings:"
    if all(fact["seconds"] is not None for fact in facts):
        text += f" whole after {max(fact['seconds'] for fact in facts):.2f} s at the latest;"
    made, wasted = waste(facts)
    text += f" of {made} rows that were made {wasted} were never seen ({wasted / made:.1%})"
    if steady:
        text += steady_table(steady)
    print(text)
    (artifacts / "figures.txt").write_text(text + "\n")
    figures = {"flings": facts, "steady": steady}
    (artifacts / "figures.json").write_text(json.dumps(figures, indent=1) + "\n")
    for fault in faults:
        print(f"WRONG: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrowserError as error:
        sys.exit(f"the browser: {error}")
