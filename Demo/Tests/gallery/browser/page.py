"""Uses a gallery's page as people do, in a browser, and checks what it does.

    python3 page.py --program gallery --artifacts DIR [--photos DIR]
        [--browser chromium|firefox] [--times] [TRIAL...]

Keys, many tabs and windows, pictures that come and go above the window, at rest and in mid-fling,
previews on a slow link, a server that crashes or hangs, the pages without a script, and small
screens with large letters. What must come is waited for; how long that takes is judged with
--times alone, on a machine with nothing else to do. Exit status 77 without a browser.
"""

import argparse
import json
import os
import re
import shutil
import signal
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from driver import NAMES, BrowserError, Page, Screen, driver_of
from gallery import Gallery, make_photos

ROWS = 990
# What a page may say of itself: rows that it asks for while the list changes are asked for again.
ASKED_AGAIN = re.compile(r"\b409\b.*/rows\?")

# Runs in the page: where rows stand on the screen in each frame, by the address of their picture.
STEADY = """
window.steady = {
    frames: [], isOn: false,
    frame() {
        requestAnimationFrame(() => this.frame());
        if (!this.isOn) return;
        const tops = {};
        for (const row of document.querySelectorAll("#list .row")) {
            const top = row.getBoundingClientRect().top;
            const key = row.querySelector("a").getAttribute("href");
            if (key && top > -100 && top < innerHeight) tops[key] = Math.round(top);
        }
        this.frames.push(tops);
    },
    begin() { this.frames = []; this.isOn = true; },
    // How far what is on the screen moved from each frame to the next: the row that moved least
    // downwards, and the one that moved most.
    end() {
        this.isOn = false;
        return this.frames.slice(1).map((tops, index) => {
            const steps = Object.entries(tops)
                .filter(([key]) => key in this.frames[index])
                .map(([key, top]) => top - this.frames[index][key]);
            return steps.length ? [Math.min(...steps), Math.max(...steps)] : [0, 0];
        });
    },
};
requestAnimationFrame(() => steady.frame());
"""

TOP = """(() => {
    const bar = document.getElementById("bar").getBoundingClientRect().bottom;
    const rows = [...document.querySelectorAll("#list .row")]
        .map((row) => [row.getBoundingClientRect(), row.querySelector("b").textContent])
        .filter(([box]) => box.bottom > bar + 1).sort(([one], [other]) => one.top - other.top);
    return rows.length ? [rows[0][1], Math.round(rows[0][0].top)] : null;
})()"""

WHOLE = """(() => {
    const rows = [...document.querySelectorAll("#list .row")].filter((row) => {
        const box = row.getBoundingClientRect();
        return box.bottom > 60 && box.top < innerHeight;
    });
    return rows.length > 2 && rows.every((row) => row.querySelector("img")?.naturalWidth > 0);
})()"""

# The shape and the accessible name of each row in view whose name is known, and whether it has a
# preview. A list that has just been scrolled has none, until its next frame.
SHAPES = """Object.fromEntries(
    [...document.querySelectorAll("#list .row:not(.unnamed)")].filter((row) => {
        const box = row.getBoundingClientRect();
        return box.bottom > 60 && box.top < innerHeight;
    }).map((row) => {
        const shape = row.querySelector(".shape");
        const name = row.querySelector("a").getAttribute("aria-label");
        return [row.dataset.row,
            [`${shape.offsetWidth} x ${shape.offsetHeight}, ${name}`, shape.matches(".previewed")]];
    }))"""

PLAIN = """(() => {
    const image = document.querySelector("#plain img");
    return image?.getClientRects().length === 1 && image.naturalWidth > 0;
})()"""

# What of a page is cut off or covers something else.
CUT_OFF = """(() => {
    const faults = [];
    const shown = (node) => node.checkVisibility() && !node.closest(".unseen");
    const facts = "h1, #place, .row small, #view-name, #view-facts, button, a.tool, a[download]";
    const boxes = [];
    const root = document.querySelector("dialog[open]") ?? document.body;
    if (document.documentElement.scrollWidth > innerWidth) faults.push("the page is too wide");
    for (const node of root.querySelectorAll(facts)) {
        if (!shown(node)) continue;
        const box = node.getBoundingClientRect();
        if (!box.width || box.bottom < 0 || box.top > innerHeight) continue;
        const name = node.id || node.textContent.slice(0, 30) || node.localName;
        if (box.left < -0.5 || box.right > innerWidth + 0.5) faults.push(`${name} is outside`);
        const isInline = getComputedStyle(node).display === "inline";
        const isText = node.matches("#place, small, #view-facts, #view-name") && !isInline;
        if (isText && node.scrollWidth > node.clientWidth + 1) faults.push(`${name} is cut off`);
        const above = node.closest(".caption, #bar, figcaption");
        const frame = above?.getBoundingClientRect();
        if (frame && (box.bottom > frame.bottom + 1 || box.top < frame.top - 1)) {
            faults.push(`${name} is cut off above or below`);
        }
        if (!node.matches("small")) boxes.push([name, box]);
    }
    boxes.forEach(([name, one], index) => {
        for (const [other, two] of boxes.slice(index + 1)) {
            const across = Math.min(one.right, two.right) - Math.max(one.left, two.left);
            const down = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
            if (across > 1 && down > 1) faults.push(`${name} and ${other} overlap`);
        }
    });
    return faults;
})()"""

FOCUS = "Number(document.activeElement.closest('.row')?.dataset.row ?? -1)"
IS_OPEN = "document.getElementById('view').open"
NAME = "document.getElementById('view-name').textContent"
ROW_COUNT = "document.getElementById('status').textContent"


class Trial:
    """A page that is used, and what was found wrong with it."""

    def __init__(self, gallery, browser, artifacts, is_timed=False):
        self.gallery = gallery
        self.browser = browser
        self.artifacts = artifacts
        self.is_timed = is_timed
        self.faults = []

    def check(self, is_so, what):
        print(f"{'ok   ' if is_so else 'WRONG'} {what}")
        if not is_so:
            self.faults.append(what)

    def open(self, screen, query="", is_tab=False):
        address = self.gallery.address + query
        return self.browser.open(address, screen, before=STEADY, is_tab=is_tab)

    def open_list(self, screen):
        page = self.open(screen)
        self.check(page.wait(WHOLE, 15), f"a page {screen.width} px wide is whole")
        return page

    def seconds_until(self, page, expression, timeout=10):
        """The seconds until an expression is true; None if it never is."""
        begun = time.monotonic()
        return time.monotonic() - begun if page.wait(expression, timeout, 0.02) else None

    def check_time(self, seconds, most, what):
        """What must come, and in so many seconds if times are judged."""
        is_so = seconds is not None and (seconds < most or not self.is_timed)
        self.check(is_so, f"{what} ({'never' if seconds is None else f'{seconds:.2f} s'})")

    def finish(self, page, allowed=()):
        rest = [
            fault for fault in page.faults
            if not ASKED_AGAIN.search(fault) and not any(word in fault for word in allowed)
        ]  # fmt: skip
        self.check(not rest, f"the browser has nothing to complain of {rest or ''}".rstrip())
        page.close()


class PageTrial(Trial):
    """What is tried of the list."""

    names = [
        "plain", "missing_script", "keys", "changes", "slow_link", "tabs", "windows",
        "small_screens", "hung_server", "crash",
    ]  # fmt: skip

    def keys(self):
        page = self.open_list(Screen(1000, 800, is_touch=False))
        page.press("ArrowDown")
        page.press("ArrowRight")
        self.check(page.wait(f"{FOCUS} === 1", 2), "the arrows go from picture to picture")
        page.press("PageDown")
        self.check(page.wait("scrollY > 400", 3), "a page down moves the list")
        self.check(page.wait(f"{FOCUS} > 1", 3), "after it the keys act on what is in view")
        page.rest()
        page.press("End")
        self.check(page.wait(f"{FOCUS} === {ROWS - 1}", 4), "End goes to the last row")
        page.press("ArrowLeft")
        self.check(page.wait(f"{FOCUS} === {ROWS - 2}", 2), "an arrow to the one before it")
        self.check(page.wait(WHOLE, 5), "the end is whole")
        page.press("Home")
        self.check(page.wait(f"scrollY === 0 && {FOCUS} === 0", 4), "Home goes to the top")
        self.finish(page)

    def tabs(self):
        """More tabs than a browser opens connections."""
        pages = [self.open(Screen(800, 800, is_touch=False), is_tab=True) for _ in range(8)]
        self.use_all(pages, "tab")
        for page in pages:
            self.finish(page)

    def windows(self):
        """More windows than that, all in view."""
        pages = [self.open(Screen(800, 800, is_touch=False)) for _ in range(8)]
        whole = [page.wait(WHOLE, 8) for page in pages]
        self.check(all(whole), "all of 8 windows are whole, without being used")
        self.use_all(pages, "window")
        for page in pages[3:]:
            page.close()
        # Firefox loses some goodbyes, and a page that is closed while it opens can't say any: the
        # server forgets such pages after 30 s.
        end = time.monotonic() + 35 * Page.patience
        while self.gallery.metric("gallery_clients") != 3 and time.monotonic() < end:
            time.sleep(0.25)
        counts = set()
        for _ in range(30):
            time.sleep(0.25)
            counts.add(self.gallery.metric("gallery_clients"))
        self.check(counts == {3}, f"when all but 3 are closed, these have streams {counts}")
        for page in pages[:3]:
            self.finish(page)

    def use_all(self, pages, kind):
        """In each, a part of the list is there soon where no other page has been."""
        times = []
        for turn in range(2):
            for number, page in enumerate(pages):
                page.bring_to_front()
                page.evaluate(f"scrollTo(0, {(turn * len(pages) + number) * 1500})")
                page.wheel(100)
                times.append(self.seconds_until(page, WHOLE))
        slowest = None if None in times else max(times)
        self.check_time(slowest, 2, f"each {kind} is whole soon when it's shown")
        streams = self.gallery.metric("gallery_clients")
        self.check(streams <= 6, f"of {len(pages)}, so many have streams: {streams:.0f}")

    def small_screens(self):
        """Nothing is cut off or covered, however small the window and large the letters."""
        sizes = ((280, 653, 16), (320, 568, 32), (640, 512, 32), (280, 653, 32))
        for width, height, letters in sizes:
            kinds = (("grid", ""), ("list", ""), ("view", f"?p={self.gallery.first()}"))
            for kind, query in kinds:
                page = self.browser.open("about:blank", Screen(width, height))
                page.set_letters(letters)
                page.go(self.gallery.address + query)
                if kind == "list":
                    page.evaluate("document.getElementById('as-list').click()")
                page.wait(f"{IS_OPEN} && {NAME}" if query else WHOLE, 10)
                time.sleep(0.5)
                page.screenshot(self.artifacts / f"small-{width}-{letters}-{kind}.png")
                faults = page.evaluate(CUT_OFF)
                what = f"{kind}, {width} px wide, letters of {letters} px {faults or ''}"
                self.check(not faults, what)
                page.evaluate("localStorage.clear()")
                self.finish(page)

    def hung_server(self):
        """The server stops, and says nothing, not even that it's gone."""
        page = self.open_list(Screen(412, 915))
        page.press("ArrowDown")
        page.press("Enter")
        self.check(page.wait(f"{IS_OPEN} && {NAME}", 3), "a picture is open")
        time.sleep(12)
        offline = "document.getElementById('offline')"
        self.check(page.evaluate(f"{offline}.hidden"), "who says little is not taken for gone")
        os.kill(self.gallery.process.pid, signal.SIGSTOP)
        seconds = self.seconds_until(page, f"!{offline}.hidden", 40)
        os.kill(self.gallery.process.pid, signal.SIGCONT)
        self.check_time(seconds, 21, "a page whose server hangs says so")
        on_top = f"""(({{left, top}}) => document.elementFromPoint(left + 9, top + 9))(
            {offline}.getBoundingClientRect()) === {offline}"""
        self.check(page.evaluate(on_top), "above the large view, too")
        page.screenshot(self.artifacts / "offline-view.png")
        self.check(page.wait(f"{offline}.hidden", 15), "and finds it again")
        page.press("Escape")
        self.check(page.wait(WHOLE, 5), "the list is whole again")
        self.finish(page, allowed=("ERR_", "Failed to load resource"))

    def changes(self):
        """Pictures come and go above the window: what is in it stays where it is."""
        photos = self.gallery.photos
        folder = sorted(p for p in photos.iterdir() if not p.name.startswith("."))[0]
        picture = next(folder.iterdir())
        # A link to the file of other rows would change these, too.
        fresh = shutil.copy2(picture, photos / ".originals" / f"new{picture.suffix}")
        page = self.open_list(Screen(412, 915))
        page.evaluate("scrollTo(0, 20000)")
        self.check(page.wait(WHOLE, 5), "the middle of the list is whole")
        page.rest()
        page.evaluate("steady.begin()")
        for number in range(5):
            os.link(fresh, folder / f"0000{number} new{picture.suffix}")
        come = f"{ROW_COUNT}.startsWith('{ROWS + 5} ')"
        self.check(page.wait(come, 10), "pictures that have come are told of")
        time.sleep(1.5)
        steps = [step for step in page.evaluate("steady.end()") if any(step)]
        what = f"nothing moves on the screen when rows come in above it {steps or ''}".rstrip()
        self.check(not steps, what)
        page.evaluate("steady.begin()")
        page.fling(6000)
        for number in range(5):
            (folder / f"0000{number} new{picture.suffix}").unlink()
        gone = f"{ROW_COUNT}.startsWith('{ROWS} ')"
        self.check(page.wait(gone, 10), "pictures that have gone are told of")
        page.rest()
        steps = page.evaluate("steady.end()")
        way = -sum(least for least, _ in steps)
        self.check(way > 1500, f"a fling goes on while they go ({way} px)")
        self.check(max(most for _, most in steps) <= 0, "nothing jumps back in it")
        self.check(page.wait(WHOLE, 5), "the list is whole where it rests")
        self.finish(page)

    def slow_link(self):
        page = self.open_list(Screen(412, 915))
        page.emulate_network(150, 500)
        for _ in range(2):
            page.fling(9000)
            page.rest()
        self.check(page.wait(WHOLE, 20), "on a slow link a page is whole after a while")
        page.evaluate("scrollTo(0, 30000)")
        few = f"Object.values({SHAPES}).filter(([, isPreview]) => isPreview).length > 2"
        self.check(page.wait(few, 10), "rows in view whose pictures come late show previews")
        page.screenshot(self.artifacts / "slow-link.png")
        before = page.evaluate(SHAPES)
        self.check(page.wait(WHOLE, 20), "their pictures come")
        after = page.evaluate(SHAPES)
        rows = [row for row in before if before[row][1] and row in after and not after[row][1]]
        same = all(before[row][0] == after[row][0] for row in rows)
        self.check(rows and same, "and replace them in the same place, under the same name")
        self.finish(page)

    def crash(self):
        """The server is killed and begins anew."""
        page = self.open_list(Screen(412, 915))
        page.evaluate("scrollTo(0, 30000)")
        self.check(page.wait(WHOLE, 5), "the middle of the list is whole")
        time.sleep(0.5)
        page.press("ArrowDown")
        focused = "document.activeElement.closest('.row')?.querySelector('b').textContent"
        name = page.evaluate(focused)
        before = page.evaluate(TOP)
        self.gallery.kill()
        offline = "document.getElementById('offline').hidden"
        self.check(page.wait(f"!{offline}", 5), "a page whose server is gone says so")
        page.screenshot(self.artifacts / "offline.png")
        self.check(page.evaluate(TOP) == before, "and goes on showing what it has")
        self.gallery.start()
        self.gallery.wait(ROWS)
        self.check(page.wait(offline, 20), "it finds the server again")
        self.check(page.wait(WHOLE, 5), "the list is whole again")
        same = f"JSON.stringify({TOP}) === {json.dumps(json.dumps(before, separators=(',', ':')))}"
        self.check(page.wait(same, 5), "at the same place")
        same = f"{focused} === {json.dumps(name)}"
        self.check(name and page.wait(same, 5), f"and the focus is on the same row ({name})")
        page.fling(5000)
        page.rest()
        self.check(page.wait(WHOLE, 3), "and is whole after a fling")
        page.go(self.gallery.address)
        self.check(page.wait(WHOLE, 5), "a page that is loaded again is whole")
        self.check(page.wait("scrollY > 30000", 5), "and where it was")
        self.finish(page, allowed=("ERR_", "Failed to load resource"))

    def plain(self):
        """Without a script."""
        page = self.browser.open("about:blank", Screen(412, 915))
        page.disable_scripts()
        page.go(f"{self.gallery.address}?page=2")
        page.screenshot(self.artifacts / "plain.png")
        html = self.gallery.read("/?page=2").decode()
        self.check(html.count('src="thumbnails/') == 60, "a page without a script has 60 rows")
        self.check('href="?page=3"' in html, "and leads to the next")
        self.check("{{" not in html, "and is filled in")
        text = page.evaluate("document.querySelector('#plain li').innerText")
        is_apart = re.search(r"(jpg|png)\s+\d+ × \d+$", text)
        self.check(is_apart, f"it tells names and sizes: {text!r}")
        page.go(page.evaluate("document.querySelector('#plain li a').href"))
        page.screenshot(self.artifacts / "plain-picture.png")
        box = "document.querySelector('#plain img').getBoundingClientRect()"
        sides = page.evaluate(f"(({{left, right}}) => [left, innerWidth - right])({box})")
        is_central = abs(sides[0] - sides[1]) <= 1
        self.check(is_central, f"a picture has a page, in whose middle it is {sides}")
        name = page.evaluate("document.querySelector('#plain b').innerText")
        self.check(page.evaluate("document.title").startswith(name), "and whose title is its name")
        original = page.evaluate("document.querySelector('#plain a[download]').href")
        with urllib.request.urlopen(original, timeout=30) as answer:
            disposition = answer.headers["Content-Disposition"]
            is_named = f"UTF-8''{name.replace(' ', '%20')}" in disposition
            self.check(is_named, f"it is downloaded as {disposition}")
            file = next(self.gallery.photos.glob(f"*/{name}")).read_bytes()
            self.check(answer.read() == file, "and is the file itself")
        page.go(page.evaluate("document.querySelector('#plain [rel=next]').href"))
        other = page.evaluate("document.querySelector('#plain b').innerText")
        self.check(other > name, "it leads to the next one")
        page.go(page.evaluate("document.querySelector('#plain nav a[href*=page]').href"))
        self.check(page.evaluate("location.search") == "?page=2", "and back to the list")
        self.finish(page)

    def missing_script(self):
        """One of the scripts doesn't come."""
        page = self.browser.open("about:blank", Screen(412, 915))
        page.block("/scripts/view.js")
        page.go(self.gallery.address)
        self.check(page.wait(PLAIN, 10), "where a script doesn't come, the plain page is there")
        self.finish(page, allowed=("view.js", "ERR_BLOCKED"))


def main(kind, description):
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    root = Path(__file__).resolve().parents[4]
    parser.add_argument("--program", required=True, help="a built gallery")
    parser.add_argument("--artifacts", required=True, type=Path, help="for screenshots")
    parser.add_argument("--photos", type=Path, default=root / "Demo/photos")
    parser.add_argument("--browser", choices=NAMES, default=NAMES[0])
    parser.add_argument("--times", action="store_true", help="judge how long things take")
    parser.add_argument("trials", nargs="*", help="only these")
    options = parser.parse_args()
    Page.patience = 1 if options.times else 10
    driver = driver_of(options.browser)
    if not driver.find():
        print(f"Skipped: there is no {driver.__name__}", file=sys.stderr)
        return 77
    options.artifacts.mkdir(parents=True, exist_ok=True)
    photos = Path(tempfile.mkdtemp(prefix="gallery-"))
    gallery = None
    try:
        make_photos(options.photos, photos, ROWS, folders=8)
        # Below a path, as a proxy shows it.
        log = options.artifacts / "gallery-page.log"
        gallery = Gallery(options.program, photos, log, "/my/photos/")
        gallery.wait(ROWS)
        with driver() as browser:
            trial = kind(gallery, browser, options.artifacts, options.times)
            for name in options.trials or kind.names:
                print(f"{name.replace('_', ' ')}:")
                getattr(trial, name)()
    finally:
        if gallery:
            gallery.close()
        shutil.rmtree(photos, ignore_errors=True)
    if trial.faults:
        print(f"{len(trial.faults)} WRONG", file=sys.stderr)
    return 1 if trial.faults else 0


def run(kind, description):
    try:
        sys.exit(main(kind, description))
    except BrowserError as error:
        sys.exit(f"the browser: {error}")


if __name__ == "__main__":
    run(PageTrial, __doc__)
