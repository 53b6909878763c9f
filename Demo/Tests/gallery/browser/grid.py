"""Uses the grid of a gallery's page as people do, in a browser, and checks what it does.

    python3 grid.py --program gallery --artifacts DIR [--photos DIR] [--times] [TRIAL...]

Lines, keys in two dimensions, the switches of layout and order, windows that change, the scrubber,
lists higher than a document, and what those need who use a keyboard or a screen reader, or see
little. Exit status 77 without a browser.
"""

import json
import re
import time
import zlib
from dataclasses import replace
from pathlib import Path

from driver import Screen
from page import FOCUS, IS_OPEN, NAME, ROWS, WHOLE, Trial, run

VECTORS = Path(__file__).with_name("lines.json")
PHONE = Screen(390, 844)
WIDE = Screen(1440, 900, is_touch=False)

# Runs in the page: the lists of lines.json whose lines are others there, or whose rows are shown
# beyond the edges or not from edge to edge.
LINES = """(async () => {
    const { List } = await import("./scripts/list.js");
    const wrong = [];
    for (const known of VECTORS) {
        const { name, width, header, sections } = known;
        const ratios = Uint16Array.from(known.ratios);
        const named = sections.map((section) => ["", ...section]);
        const list = new List({ header, ratios, sections: named }, { width, isGrid: true });
        const tops = Array.from(list.tops, (top) => top * 1024);
        const rows = Array.from(list.firsts.slice(1), (end, line) => end - list.firsts[line]);
        const height = list.height * 1024;
        const lines = JSON.stringify([tops, rows, height]);
        if (lines !== JSON.stringify([known.tops, known.rows, known.height])) wrong.push(name);
        const ends = new Set(sections.map(([first, count]) => first + count));
        for (let line = 0; line < rows.length; line += 1) {
            let left = 0;
            for (let row = list.firsts[line]; row < list.firsts[line + 1]; row += 1) {
                const box = list.box(row);
                if (box.left !== left || box.width < 1) wrong.push(`${name}: row ${row}`);
                left += box.width + 4;
                // A picture that is hardly a pixel wide is shown all the same.
                if (box.width === 1) left = list.box(row + 1).left;
            }
            const isFull = left - 4 === width || (ends.has(list.firsts[line + 1]) && left < width);
            if (!isFull) wrong.push(`${name}: line ${line} ends at ${left - 4}`);
        }
    }
    return wrong;
})()""".replace("VECTORS", VECTORS.read_text())

# The place of the row with the focus: its top in the list's lines, and its middle.
PLACE = """(() => {
    const box = document.activeElement.closest(".row")?.getBoundingClientRect();
    return box ? [Math.round(box.top + scrollY), box.left + box.width / 2] : null;
})()"""

# The first picture that is at least partly in view, below the header.
FIRST = """(() => {
    const bar = document.getElementById("bar").getBoundingClientRect().bottom;
    const rows = [...document.querySelectorAll("#list .row")]
        .map((row) => [row, row.getBoundingClientRect()])
        .filter(([, box]) => box.bottom > bar + 45)
        .sort(([, one], [, other]) => one.top - other.top || one.left - other.left);
    return rows.map(([row]) => Number(row.dataset.row))[0];
})()"""

IS_IN_VIEW = """((row) => {
    const box = document.querySelector(`[data-row="${row}"]`)?.getBoundingClientRect();
    return box && box.bottom > 52 && box.top < innerHeight;
})"""

HANDLE = """(({ left, top, width, height }) => [left + width / 2, top + height / 2, width])(
    document.getElementById("scrubber-handle").getBoundingClientRect())"""
BUBBLE = "document.getElementById('scrubber-bubble').textContent"
VALUE = "document.getElementById('scrubber-handle').getAttribute('aria-valuetext')"
LIST_OF = "document.getElementById('list').className"

# Instead of a server: a list of a million pictures that never come.
MILLION = """
window.asked = [];
window.fetch = async (path) => {
    asked.push(path);
    const rows = 1_000_000;
    const from = Number(/from=(\\d+)/.exec(path)?.[1] ?? 0);
    let answer = {};
    if (path.startsWith("clients?")) answer = { client: "c" };
    if (path.startsWith("list")) {
        const end = Math.min(rows, from + 100_000);
        const sections = Array.from({ length: 10 }, (_, index) => index * 100_000)
            .filter((first) => first >= from && first < end)
            .map((first) => [`Folder ${first / 100_000}`, first, 100_000]);
        const ratios = Array.from({ length: end - from }, (_, row) => 48 + ((from + row) % 5) * 24);
        answer = { version: 1, epoch: "e", rows, header: 40, from, next: end < rows ? end : null,
            sections, ratios, complete: true };
    }
    if (path.startsWith("rows")) answer = { version: 1, from, rows: [] };
    return new Response(JSON.stringify(answer));
};
window.EventSource = class {
    listeners = {};
    constructor() {
        const say = () => this.listeners.hello({ data: '{"epoch": "e", "version": 1}' });
        setTimeout(say, 50);
        setInterval(() => this.listeners.beat({ data: "{}" }), 5000);
    }
    addEventListener(name, handler) { this.listeners[name] = handler; }
    close() {}
};
"""

# The contrast of each text with what is behind it, where it's less than 4.5, and controls without
# a name.
FAINT = """(() => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const parse = (color) => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = color;
        canvas.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
        return [r, g, b, a / 255];
    };
    const over = ([r, g, b, a], under) =>
        [r, g, b].map((value, index) => value * a + under[index] * (1 - a));
    const ground = (node) => {
        // Behind a name in the grid there may be any picture: the worst is a white one.
        const layers = [];
        for (let other = node; other; other = other.parentElement) {
            layers.push(parse(getComputedStyle(other).backgroundColor));
            if (other.matches(".grid .caption")) return over(layers.pop(), [255, 255, 255]);
        }
        return layers.reverse().reduce((under, layer) => over(layer, under), [255, 255, 255]);
    };
    const light = (rgb) => {
        const [r, g, b] = rgb.map((value) => {
            const part = value / 255;
            return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const faults = [];
    for (const node of document.querySelectorAll("body *")) {
        const isText = [...node.childNodes].some(
            (child) => child.nodeType === Node.TEXT_NODE && child.data.trim());
        if (!isText || !node.checkVisibility()) continue;
        const under = ground(node);
        const own = over(parse(getComputedStyle(node).color), under);
        const [high, low] = [light(own), light(under)].sort((one, other) => other - one);
        const contrast = (high + 0.05) / (low + 0.05);
        const name = node.id || node.className || node.localName;
        if (contrast < 4.5) faults.push(`${name}: ${contrast.toFixed(2)}`);
    }
    for (const node of document.querySelectorAll("button, a, [role=slider], [tabindex]")) {
        if (!node.checkVisibility()) continue;
        const name = node.getAttribute("aria-label") || node.innerText.trim();
        if (!name) faults.push(`${node.id || node.localName} has no name`);
    }
    return [...new Set(faults)];
})()"""

SHIFTS = """
window.shifts = [];
new PerformanceObserver((entries) => {
    const name = ({ node }) => node?.id || node?.className || node?.localName;
    for (const entry of entries.getEntries()) shifts.push(...entry.sources.map(name));
}).observe({ type: "layout-shift", buffered: true });
"""


def sheets(pdf):
    """The number of a PDF's sheets, whose descriptions Firefox compresses."""
    packed = re.findall(rb"/ObjStm\b.*?stream\r?\n(.*?)endstream", pdf, re.DOTALL)
    texts = [pdf] + [zlib.decompressobj().decompress(part) for part in packed]
    return sum(len(re.findall(rb"/Type\s*/Page\b", text)) for text in texts)


class GridTrial(Trial):
    """What is tried of the grid, and of the list that it can be."""

    names = [
        "lines", "keys", "layouts", "forbidden_storage", "orders", "scrubber", "finger", "million",
        "access",
    ]  # fmt: skip

    def click(self, page, name):
        page.evaluate(f"document.getElementById('{name}').click()")

    def finish(self, page, allowed=()):
        page.evaluate("localStorage.clear()")
        super().finish(page, allowed)

    def lines(self):
        page = self.open(PHONE)
        wrong = page.evaluate(LINES)
        self.check(not wrong, f"lists are in the lines of lines.json, from edge to edge {wrong}")
        self.finish(page)

    def keys(self):
        page = self.open_list(WIDE)
        page.press("ArrowDown")
        self.check(page.wait(f"{FOCUS} === 0", 2), "the first arrow focuses the first picture")
        for _ in range(2):
            page.press("ArrowRight")
        self.check(page.wait(f"{FOCUS} === 2", 2), "right is the next picture")
        page.press("ArrowLeft")
        self.check(page.wait(f"{FOCUS} === 1", 2), "left is the one before")
        top, middle = page.evaluate(PLACE)
        tops, middles = [top], []
        for _ in range(12):
            page.press("ArrowDown")
            place = page.evaluate(PLACE)
            tops.append(place[0])
            middles.append(place[1])
        self.check(tops == sorted(set(tops)), "down is a line below")
        far = max(abs(place - middle) for place in middles)
        self.check(far < 200, f"in the same column ({far:.0f} px aside at most)")
        for _ in range(12):
            page.press("ArrowUp")
        self.check(page.wait(f"{FOCUS} === 1", 2), "so many times up leads back")
        page.press("End")
        self.check(page.wait(f"{FOCUS} === {ROWS - 1}", 3), "End goes to the last picture")
        page.press("ArrowDown")
        self.check(page.evaluate(FOCUS) == ROWS - 1, "below which there is nothing")
        tabs = "[...document.querySelectorAll('.row a')].filter((a) => a.tabIndex === 0).length"
        self.check(page.evaluate(tabs) == 1, "one picture is in the order of tabs")
        place = """((row) => [row.ariaPosInSet, row.ariaSetSize, row.parentNode.role,
            row.role])(document.activeElement.closest(".row"))"""
        told = page.evaluate(place)
        self.check(told[0] == told[1] and told[2:] == ["list", "listitem"], f"it is told as {told}")
        page.press("Home")
        self.check(page.wait(f"{FOCUS} === 0 && scrollY === 0", 3), "Home goes to the first")
        self.finish(page)

    def layouts(self):
        """Windows and layouts change: the picture at the top stays there."""
        page = self.open_list(WIDE)
        fits = """(() => {
            const { left, right } = document.getElementById("list").getBoundingClientRect();
            return Math.abs(left - (innerWidth - right)) <= 1 && left < 64 && left >= 20;
        })()"""
        self.check(page.evaluate(fits), "a wide window is filled")
        page.evaluate("scrollTo(0, 6000)")
        row = page.wait(f"{WHOLE} && {FIRST}", 5)
        for screen in (PHONE, replace(PHONE, width=844, height=390), WIDE):
            page.show_on(screen)
            time.sleep(0.6)
            # Others may be before it in its line.
            before = 0 if screen == WIDE else 7
            is_there = page.wait(f"{FIRST} <= {row} && {FIRST} >= {row - before}", 2)
            what = f"in a window of {screen.width} px picture {row} is still at the top"
            self.check(is_there, f"{what}: {page.evaluate(FIRST)}")
            self.check(page.wait(WHOLE, 5), "and all in view is there")
        self.click(page, "as-list")
        self.check(page.wait(f"{LIST_OF} === 'entries' && {FIRST} === {row}", 3), "in a list, too")
        self.check(page.wait(WHOLE, 5), "which is whole")
        facts = f"document.querySelector('[data-row=\"{row + 2}\"]').innerText"
        text = page.evaluate(facts)
        self.check("×" in text and "KB" in text and "20" in text, f"it tells facts: {text!r}")
        heights = "[...document.querySelectorAll('.row')].every((row) => row.offsetHeight === 72)"
        self.check(page.evaluate(heights), "its rows are of one height")
        self.click(page, "as-list")
        self.check(page.wait(f"{LIST_OF} === 'grid' && {FIRST} === {row}", 3), "and back")
        self.click(page, "as-list")
        page.go(self.gallery.address)
        self.check(page.wait(f"{LIST_OF} === 'entries'", 3), "the layout is remembered")
        pressed = "document.getElementById('as-list').getAttribute('aria-pressed') === 'true'"
        self.check(page.evaluate(pressed), "and told by its button")
        self.finish(page)

    def forbidden_storage(self):
        forbid = """Object.defineProperty(window, "localStorage",
            { get() { throw new DOMException("forbidden", "SecurityError"); } });"""
        page = self.browser.open(self.gallery.address, PHONE, before=forbid)
        self.check(page.wait(WHOLE, 10), "where storage is forbidden the list is there")
        self.click(page, "as-list")
        self.check(page.wait(f"{LIST_OF} === 'entries' && {WHOLE}", 5), "and can be switched")
        Trial.finish(self, page)

    def orders(self):
        page = self.open_list(PHONE)
        self.click(page, "by-date")
        heading = "document.querySelector('#list h2')?.textContent"
        self.check(page.wait(f"/^[A-Z][a-z]+ 20\\d\\d$/.test({heading})", 5), "by date, in months")
        newest = page.evaluate(heading)
        self.check(page.wait(WHOLE, 5), f"the newest are whole ({newest})")
        offline = "document.getElementById('offline').hidden"
        self.check(page.evaluate(offline), "which isn't taken for a lost server")
        page.evaluate("scrollTo(0, 1e6)")
        last = "[...document.querySelectorAll('#list h2')].at(-1).textContent"
        oldest = page.wait(f"{WHOLE} && {last}", 5) or "never"
        self.check(newest[-4:] > oldest[-4:], f"from the newest to the oldest ({oldest})")
        page.evaluate("scrollTo(0, 5000)")
        self.check(page.wait(WHOLE, 5), "the middle is whole")
        self.open_by_date(page)
        page.go(self.gallery.address)
        self.check(page.wait(f"/ 20\\d\\d$/.test({heading})", 5), "the order is remembered")
        row = page.wait(f"{WHOLE} && {FIRST}", 5)
        name = f"document.querySelector('[data-row=\"{row}\"] b').textContent"
        before = page.evaluate(name)
        self.click(page, "by-date")
        self.check(page.wait(f"!/ 20\\d\\d$/.test({heading})", 5), "by name again")
        there = f"[...document.querySelectorAll('.row b')].map((b) => b.textContent).includes"
        self.check(page.wait(f"{there}({json.dumps(before)})", 3), "at the same picture")
        self.finish(page)

    def open_by_date(self, page):
        """The large view goes through the list's order."""
        version = self.gallery.get("/list?from=0")["version"]
        row = page.evaluate(FIRST) + 3
        names = [
            name
            for _, name, *_ in self.gallery.get(
                f"/rows?o=date&v={version}&from={row}&to={row + 2}"
            )["rows"]
        ]
        page.evaluate(f"document.querySelector('[data-row=\"{row}\"] a').click()")
        self.check(page.wait(f"{NAME} === {json.dumps(names[0])}", 3), "a picture is open")
        page.press("ArrowRight")
        self.check(page.wait(f"{NAME} === {json.dumps(names[1])}", 3), "its next is by date, too")
        page.press("Escape")
        closed = f"!{IS_OPEN} && {FOCUS} === {row + 1} && location.search === ''"
        self.check(page.wait(closed, 3), "closed, the focus is on the one that was shown")
        self.check(page.evaluate(f"{IS_IN_VIEW}({row + 1})"), "which is in view")

    def scrubber(self):
        page = self.open_list(WIDE)
        x, y = WIDE.width - 8, page.evaluate(HANDLE)[1]
        page.drag((x, y), (x, 300), (x, 500))
        time.sleep(0.1)
        self.check(page.wait("scrollY > 3000", 2), "a mouse drags the list to another place")
        self.check_time(self.seconds_until(page, WHOLE), 1, "which is whole at once")
        value = page.evaluate(VALUE)
        self.check("picture" in value and f"of {ROWS}" in value, f"which is told: {value}")
        page.click(x, 880)
        self.check(page.wait("scrollY > 5000", 2), "a click jumps")
        self.check(page.wait(WHOLE, 2), "which is whole")
        labels = page.evaluate("""[...document.querySelectorAll("#scrubber-labels span")]
            .map((label) => [label.textContent, label.getBoundingClientRect()])
            .map(([text, { top, bottom }]) => [text, top, bottom])""")
        apart = all(one[2] <= other[1] for one, other in zip(labels, labels[1:]))
        self.check(len(labels) > 4 and apart, f"labels stand apart: {[l[0] for l in labels]}")
        page.evaluate("document.getElementById('scrubber-handle').focus()")
        page.press("Home")
        self.check(page.wait("scrollY === 0", 2), "Home on it goes to the top")
        page.press("PageDown")
        self.check(page.wait("scrollY > 800", 2), "a page down far down")
        before = page.evaluate("scrollY")
        page.press("ArrowDown")
        self.check(page.wait(f"scrollY > {before} && {WHOLE}", 2), "an arrow a bit")
        page.press("End")
        end = "scrollY > document.documentElement.scrollHeight - innerHeight - 2"
        self.check(page.wait(f"{end} && {WHOLE}", 3), "End to the end")
        focus = page.evaluate("document.activeElement.id")
        self.check(focus == "scrubber-handle", "and the focus stays on it")
        page.screenshot(self.artifacts / "scrubber.png")
        self.finish(page)

    def finger(self):
        page = self.open_list(PHONE)
        page.fling(3000, x=PHONE.width - 5)
        self.check(page.wait("scrollY > 300", 2), "a finger at the edge scrolls the list")
        page.rest()
        x, y, width = page.evaluate(HANDLE)
        self.check(width >= 44, f"the handle is {width} px wide")
        page.evaluate("""{
            window.reports = 0;
            const { fetch } = window;
            window.fetch = (path, ...rest) => {
                if (String(path).includes("/reports")) window.reports += 1;
                return fetch(path, ...rest);
            };
        }""")
        steps = [(step / 60, [(x - step, y + step * 8)]) for step in range(40)]
        page.touch(*steps)
        bubble = page.wait(BUBBLE, 2)
        page.screenshot(self.artifacts / "scrubber-finger.png")
        heading = page.evaluate("document.getElementById('place').textContent")
        self.check(bubble and bubble in heading, f"a finger drags it, beside which is {bubble!r}")
        page.touch((0, []))
        self.check_time(self.seconds_until(page, WHOLE), 1, "all is there after it is let go")
        self.check(page.wait("reports >= 2", 2), "its way is reported")
        hidden = "getComputedStyle(document.getElementById('scrubber-handle')).opacity === '0'"
        self.check(page.wait(hidden, 4), "it goes when nothing moves")
        row = page.evaluate(FIRST)
        page.tap(x, y + 300)
        self.check(page.wait(IS_OPEN, 3), "then a tap there opens a picture")
        self.check(row > 200, f"far down the list (picture {row})")
        self.finish(page)

    def million(self):
        """A list higher than browsers lay out."""
        page = self.browser.open(self.gallery.address, PHONE, before=MILLION)
        rows = "document.querySelectorAll('.row').length"
        self.check(page.wait(f"{rows} > 10", 10), "a list of a million pictures is there")
        height = page.evaluate("document.documentElement.scrollHeight")
        self.check(height <= 8_001_000, f"its document is {height} px high")
        page.press("End")
        self.check(page.wait(f"{FOCUS} === 999999", 3), "its end can be reached")
        bottom = """document.activeElement.closest(".row").getBoundingClientRect().bottom"""
        bottom = page.evaluate(bottom)
        self.check(abs(bottom - PHONE.height) < 6, f"and is at the window's bottom ({bottom})")
        heading = "[...document.querySelectorAll('#list h2')].at(-1).getBoundingClientRect().top"
        self.check(page.evaluate(heading) == 52, "under its section's header")
        for _ in range(3):
            page.fling(-9000)
            time.sleep(0.3)
        page.rest()
        row = page.evaluate(FIRST)
        self.check(999_000 < row < 999_950, f"from there it can be flung (to {row})")
        x, y, _ = page.evaluate(HANDLE)
        page.fling(300)
        page.touch((0, [(x, y)]), (0.1, [(x, 500)]), (0.2, [(x, 450)]), (0.3, []))
        page.rest()
        row = page.evaluate(FIRST)
        self.check(400_000 < row < 600_000, f"the scrubber leads to the middle ({row})")
        y = page.evaluate("scrollY")
        self.check(1e6 < y < 7e6, f"from which the document reaches far both ways ({y:.0f})")
        page.wheel(600)
        page.rest()
        moved = page.evaluate(FIRST) - row
        self.check(10 < moved < 40, f"where a wheel scrolls ({moved} pictures)")
        page.press("Home")
        home = f"{FOCUS} === 0 && scrollY === 0"
        self.check(page.wait(home, 3), "and from which Home goes to the top")
        asked = "asked.filter((path) => path.includes('reports')).at(-1)"
        is_told = page.wait(f"{asked}.includes(',0')", 2)
        self.check(is_told, f"as is reported: {page.evaluate(asked)[-30:]}")
        self.finish(page)

    def access(self):
        """Contrast, names, the order of the focus, and nothing that jumps while it loads."""
        for screen in (PHONE, WIDE, replace(PHONE, is_dark=True), replace(WIDE, is_dark=True)):
            kind = f"{screen.width} px{', dark' if screen.is_dark else ''}"
            page = self.browser.open(self.gallery.address, screen, before=SHIFTS)
            self.check(page.wait(WHOLE, 10), f"{kind}: whole")
            time.sleep(0.5)
            shifts = page.evaluate("shifts")
            self.check(not shifts, f"nothing has jumped while it loaded {shifts}")
            faults = page.evaluate(FAINT)
            self.click(page, "as-list")
            page.wait(f"{LIST_OF} === 'entries' && {WHOLE}", 5)
            faults += page.evaluate(FAINT)
            self.check(not faults, f"all texts stand out, all controls have names {faults or ''}")
            self.finish(page)
        page = self.open_list(WIDE)
        order = []
        focused = "document.activeElement.id || document.activeElement.localName"
        for _ in range(5):
            page.press("Tab")
            order.append(page.evaluate(focused))
        wanted = ["as-list", "by-date", "top", "a", "scrubber-handle"]
        self.check(order == wanted, f"the focus goes as it is seen {order}")
        page.evaluate("document.querySelector('[data-row=\"3\"] a').focus()")
        row = "getComputedStyle(document.querySelector('[data-row=\"3\"] .caption')).opacity"
        page.press("ArrowLeft")
        page.press("ArrowRight")
        self.check(page.wait(f"{row} === '1'", 2), "the name of what has the focus is shown")
        self.finish(page)
        self.paper()

    def paper(self):
        """What is in view is printed, and no blank pages for all the rest."""
        page = self.open_list(WIDE)
        page.evaluate("scrollTo(0, 4000)")
        self.check(page.wait(WHOLE, 5), "further down it is whole")
        path = self.artifacts / "paper.pdf"
        page.print(path)
        count = sheets(path.read_bytes())
        self.check(1 <= count <= 8, f"{count} sheets are printed")
        self.finish(page)


if __name__ == "__main__":
    run(GridTrial, __doc__)
