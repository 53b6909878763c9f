"""Compares pages of photos in a real browser: the gallery, and plain pages with lazy loading.

    python3 w1.py --program GALLERY [--quick] [--rounds N] [--contenders gallery,lazy]
        [--load GALLERY-LOAD --visitors 10,100,300] [--network LATENCY_MS,KBIT]
        [--json FILE [--add]] [--svg FILE]

One person scrolls a list of 2,000 photos in Chromium: flings, then a mouse's wheel and page keys. All
contenders show the same photos at the same places, have the same gestures at the same times, and
start with empty caches; they take turns in each round. Every frame of the page is checked for rows
in view whose picture isn't painted. With --visitors, so many simulated visitors scroll beside the
person. With --network, the person has a slow link; rows that show only a tiny preview are counted
apart from blank ones. With --rounds 0 --add, the figures in FILE are only drawn again.
"""

import argparse
import json
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import servers
from cdp import BrowserError, Chromium, Screen, find_chromium
from scroll import TOLD

SCREEN = Screen(412, 915)
ROWS = 2000
SEED = 7

# Runs in each page. A frame is looked at in a task right after it, when all scripts of the page have
# had their turn.
PROBE = """
window.probe = {
    tops: [], bar: 0, isOn: false, now: 0, last: 0, moved: -1e9, shown: null, began: 0,
    flight: 0, rest: 0, previewed: 0, frames: 0, longest: 0, seen: new Set(),
    begin() { this.moved = -1e9; this.shown = null; this.began = performance.now(); },
    inView() {
        const top = scrollY, bottom = top + innerHeight - this.bar, rows = [];
        let low = 0, high = this.tops.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.tops[middle][1] <= top) low = middle + 1; else high = middle;
        }
        for (; low < this.tops.length && this.tops[low][0] < bottom; low += 1) rows.push(low);
        return rows;
    },
    // What a row shows: "whole", "preview" (only a tiny picture in its place), or "blank".
    shows(row) {
        const node = document.querySelector(`[data-row="${row}"]`);
        const place = this.bar + this.tops[row][0] - scrollY;
        if (!node || Math.abs(node.getBoundingClientRect().top - place) > 1.5) return "blank";
        const image = node.querySelector("img");
        if (image?.complete && image.naturalWidth && image.checkVisibility()) return "whole";
        return node.querySelector(".previewed")?.checkVisibility() ? "preview" : "blank";
    },
    look() {
        const span = this.now - this.before;
        this.before = this.now;
        if (scrollY !== this.last) {
            this.last = scrollY;
            this.moved = this.now;
            this.shown = null;
        }
        if (!this.isOn) return;
        const rows = this.inView();
        const shown = rows.map((row) => this.shows(row));
        const blank = shown.filter((what) => what === "blank").length;
        const previewed = shown.filter((what) => what === "preview").length;
        for (const row of rows) this.seen.add(row);
        if (this.now - this.moved < 100) this.flight += blank * span;
        else this.rest += blank * span;
        this.previewed += previewed * span;
        if (this.shown === null && blank + previewed === 0) this.shown = this.now;
        this.frames += 1;
        this.longest = Math.max(this.longest, span);
    },
    state() {
        const { moved, shown, began, flight, rest, previewed, frames, longest } = this;
        return { moved: moved > began, whole: shown === null ? null : Math.max(0, shown - moved),
            since: performance.now() - moved, flight, rest, previewed, frames, longest,
            offset: scrollY };
    },
};
{
    const channel = new MessageChannel();
    channel.port1.onmessage = () => probe.look();
    const frame = (time) => {
        probe.now = time;
        channel.port2.postMessage(0);
        requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
}
""" + TOLD


def gestures(is_quick):
    """Each kind's gestures: functions of a page, and the seconds until the next one."""
    chosen = random.Random(SEED)
    flings = []
    for number in range(12):
        speed = chosen.uniform(2500, 14000)
        way = -1 if number > 1 and chosen.random() < 0.25 else 1
        flings.append((lambda page, speed=way * speed: page.fling(speed), chosen.uniform(2.5, 3.2)))

    def wheel(page, turns, delta, pause):
        for _ in range(turns):
            page.wheel(delta)
            time.sleep(pause)

    def press(page, key, times, pause):
        for _ in range(times):
            page.press(key)
            time.sleep(pause)

    others = []
    for number in range(4):
        way = -1 if number == 2 else 1
        burst = (chosen.randint(8, 16), way * 120, chosen.uniform(0.03, 0.06))
        others.append((lambda page, burst=burst: wheel(page, *burst), 2.5))
    for number in range(4):
        key = "PageUp" if number == 2 else "PageDown"
        burst = (key, chosen.randint(2, 5), chosen.uniform(0.12, 0.25))
        others.append((lambda page, burst=burst: press(page, *burst), 2.5))
    if is_quick:
        flings, others = flings[:5], [others[0], others[4]]
    return {"flings": flings, "wheel and keys": others}


class Bytes:
    """Counts the bytes that a page receives."""

    def __init__(self, page):
        self.open, self.ended = {}, 0
        self.next = page.receive
        page.receive = self.receive

    def receive(self, method, parameters):
        if method == "Network.dataReceived":
            size = parameters["encodedDataLength"] or parameters["dataLength"]
            name = parameters["requestId"]
            self.open[name] = self.open.get(name, 0) + size
        elif method in ("Network.loadingFinished", "Network.loadingFailed"):
            received = self.open.pop(parameters["requestId"], 0)
            self.ended += parameters.get("encodedDataLength", received)
        self.next(method, parameters)

    @property
    def count(self):
        return self.ended + sum(self.open.values())


class Load:
    """Simulated visitors beside the person."""

    def __init__(self, program, server, visitors, seconds):
        arguments = [
            program, "scroll", f"127.0.0.1:{server.port}", "--clients", str(visitors),
            "--seconds", str(round(seconds)), "--spread", "--plain",
        ]  # fmt: skip
        if server.reach is not None:
            arguments += ["--plain-page", "/thumbs/", "--reach", str(server.reach)]
        self.process = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
        time.sleep(visitors * 0.002 + 1.2)  # until all have come

    def figures(self):
        text, _ = self.process.communicate()
        if self.process.returncode:
            raise SystemExit(f"{self.process.args[0]} ended with {self.process.returncode}")
        lines = (line.split("=", 1) for line in text.splitlines() if "=" in line)
        return {name: float(value) for name, value in lines}

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def scroll(page, steps):
    """Has the person make gestures at their times; the figures of what was seen."""
    before = page.evaluate("probe.state()")
    wholes, blanks, late, still, last = [], [], 0, 0, before
    for move, seconds in steps:
        end = time.monotonic() + seconds
        page.evaluate("probe.begin()")
        move(page)
        time.sleep(max(0, end - time.monotonic()))
        state = page.evaluate("probe.state()")
        blank = sum(state[part] - last[part] for part in ("flight", "rest"))
        blanks.append(round(blank))
        last = state
        if not state["moved"]:
            still += 1
        elif state["whole"] is None:
            late += 1
            wholes.append(state["since"])
        else:
            wholes.append(state["whole"])
    return {
        "flight": (state["flight"] - before["flight"]) / 1000,
        "rest": (state["rest"] - before["rest"]) / 1000,
        "previewed": (state["previewed"] - before["previewed"]) / 1000,
        "frames": state["frames"] - before["frames"],
        "whole": [round(whole) for whole in wholes],
        "blanks": blanks,
        "late": late,
        "still": still,
    }


def visit(contender, server, rows, options, visitors):
    """One person's visit; its figures."""
    kinds = gestures(options.quick)
    cpu_before = server.cpu()
    load = None
    with Chromium() as browser:
        try:
            page = browser.open("about:blank", SCREEN, before=PROBE)
            if options.network:
                latency, speed = map(float, options.network.split(","))
                page.emulate_network(latency, speed)
            received = Bytes(page)
            page.go(server.address)
            page.wait("document.querySelector('[data-row] img')?.naturalWidth > 0", 30)
            bar = "document.getElementById('list').getBoundingClientRect().top + scrollY"
            page.evaluate(f"probe.tops = {json.dumps(rows)}; probe.bar = {bar}; probe.isOn = true")
            if not page.wait("probe.shown !== null", 20):
                raise SystemExit(f"{contender}: the first page isn't whole after 20 s")
            if visitors:
                seconds = sum(pause for steps in kinds.values() for _, pause in steps) + 3
                load = Load(options.load, server, visitors, seconds)
            if options.artifacts:
                page.screenshot(options.artifacts / f"w1-{contender.replace(' ', '-')}.png")
            parts = {kind: scroll(page, steps) for kind, steps in kinds.items()}
            if options.artifacts:
                page.screenshot(options.artifacts / f"w1-{contender.replace(' ', '-')}-end.png")
            visitors_figures = load.figures() if load else {}
            cpu = server.cpu() - cpu_before
            made, own = server.made(page)
            seen = set(page.evaluate("[...probe.seen]"))
            faults = page.faults
        finally:
            if load:
                load.close()
    if not own:
        raise SystemExit(f"{contender}: nothing was made for the person's page")
    for fault in faults:
        print(f"{contender}: the page says: {fault}", file=sys.stderr)
    whole = [time for part in parts.values() for time in part["whole"]]
    return {
        "contender": contender,
        "visitors": 1 + visitors,
        "quick": options.quick,
        "network": options.network,
        "blank": sum(part["flight"] + part["rest"] for part in parts.values()),
        "flight": sum(part["flight"] for part in parts.values()),
        "rest": sum(part["rest"] for part in parts.values()),
        "previewed": sum(part["previewed"] for part in parts.values()),
        "whole": whole,
        "late": sum(part["late"] for part in parts.values()),
        "still": sum(part["still"] for part in parts.values()),
        "seen": len(seen),
        "made": made,
        "never seen": len(own - seen),
        "cpu": cpu,
        "cpu before": cpu_before,
        "bytes": received.count,
        "kinds": parts,
        "load": visitors_figures,
    }


def summary(runs):
    """The medians over rounds of each contender, by the number of visitors."""
    groups = {}
    for run in runs:
        groups.setdefault((run["visitors"], run["contender"]), []).append(run)
    order = list(servers.CONTENDERS)
    result = []
    for (visitors, contender), group in sorted(
        groups.items(), key=lambda item: (item[0][0], order.index(item[0][1]))
    ):
        whole = [time for run in group for time in run["whole"]]
        figures = {
            name: statistics.median(run[name] for run in group)
            for name in ("blank", "flight", "rest", "made", "never seen", "cpu", "bytes")
        }
        # Figures of earlier runs have no previews.
        figures["previewed"] = statistics.median(run.get("previewed", 0) for run in group)
        figures |= {
            "flings": statistics.median(
                run["kinds"]["flings"]["flight"] + run["kinds"]["flings"]["rest"] for run in group
            ),
            "contender": contender, "visitors": visitors, "rounds": len(group),
            "whole p50": statistics.median(whole), "whole worst": max(whole),
            "late": sum(run["late"] for run in group),
        }  # fmt: skip
        for name in ("settle_p50_ms", "settle_worst_ms", "scrolls", "starving_worst_ms"):
            if all(name in run["load"] for run in group):
                figures[name] = statistics.median(run["load"][name] for run in group)
        result.append(figures)
    return result


def table(figures):
    lines = [
        "visitors  contender     blank row·s  of flings  in flight  at rest  previewed  whole p50"
        "   worst  late   made"
        "  never seen   CPU s      MB  their settle p50    worst  scrolls  starving"
    ]
    for f in figures:
        line = (
            f"{f['visitors']:8}  {f['contender']:12} {f['blank']:12.2f} {f['flings']:10.2f}"
            f" {f['flight']:10.2f}"
            f" {f['rest']:8.2f} {f['previewed']:10.2f} {f['whole p50']:7.0f} ms {f['whole worst']:4.0f} ms {f['late']:5}"
            f" {f['made']:6.0f} {f['never seen']:11.0f} {f['cpu']:7.2f} {f['bytes'] / 1e6:7.2f}"
        )
        if "scrolls" in f:
            line += (
                f" {f['settle_p50_ms']:14.0f} ms {f['settle_worst_ms']:5.0f} ms"
                f" {f['scrolls']:8.0f} {f['starving_worst_ms']:6.0f} ms"
            )
        lines.append(line)
    return "\n".join(lines)


def measure(options):
    """The figures of all runs: in each round each contender in turn, in another order than before."""
    contenders = []
    for contender in options.contenders.split(","):
        if contender not in servers.CONTENDERS:
            raise SystemExit(f"{contender}: not one of {', '.join(servers.CONTENDERS)}")
        if contender.startswith("thumbor") and not servers.has_thumbor():
            print(f"{contender}: skipped, this Python has no thumbor", file=sys.stderr)
        else:
            contenders.append(contender)
    folder = Path(tempfile.mkdtemp(prefix="w1-"))
    try:
        photos = servers.Photos(options.photos, folder, ROWS)
        first = servers.start("gallery", options.program, photos, "list", None)
        try:
            rows = first.list()
        finally:
            first.close()
        for number in range(options.rounds):
            for visitors in [int(count) for count in options.visitors.split(",")]:
                turn = (number + visitors) % len(contenders)
                for contender in contenders[turn:] + contenders[:turn]:
                    name = f"{contender.replace(' ', '-')}-{number}-{visitors}"
                    server = servers.start(contender, options.program, photos, name, rows)
                    try:
                        figures = visit(contender, server, rows[1], options, visitors)
                    finally:
                        server.close()
                    if figures["still"]:
                        raise SystemExit(f"{contender}: a gesture moved nothing")
                    yield figures
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", help="a built gallery")
    parser.add_argument("--photos", type=Path, default=servers.ROOT / "Demo/photos")
    parser.add_argument("--quick", action="store_true", help="one short round")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--contenders", default=",".join(servers.CONTENDERS))
    parser.add_argument("--load", help="a built gallery-load")
    parser.add_argument("--visitors", default="0", help="how many beside the person: 0,10,100")
    parser.add_argument("--network", help="the person's link: LATENCY_MS,KBIT a second")
    parser.add_argument("--json", type=Path, help="where the figures are written")
    parser.add_argument("--add", action="store_true", help="add to the figures that are there")
    parser.add_argument("--svg", type=Path, help="where they are drawn")
    parser.add_argument("--artifacts", type=Path, help="where screenshots are written")
    options = parser.parse_args()
    if options.rounds is None:
        options.rounds = 1 if options.quick else 3
    if options.rounds and not options.program:
        parser.error("--program: a built gallery")
    if options.visitors != "0" and not options.load:
        parser.error("--load: a built gallery-load, for visitors")
    if options.artifacts:
        options.artifacts.mkdir(parents=True, exist_ok=True)
    runs = []
    if options.add and options.json and options.json.exists():
        runs = json.loads(options.json.read_text())
    if options.rounds:
        needed = [("Chromium", find_chromium())]
        if options.contenders != "gallery":
            needed += [("nginx", servers.nginx()), ("image_filter for nginx", servers.module())]
        for what, place in needed:
            if not place:
                print(f"Skipped: there is no {what}", file=sys.stderr)
                return 77
        # Servers and browser end with it, too.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
        for figures in measure(options):
            runs.append(figures)
            print(table(summary([figures])).splitlines()[1], file=sys.stderr)
            if options.json:
                options.json.write_text(json.dumps(runs, indent=1) + "\n")
    print(table(summary(runs)))
    if options.svg:
        import drawing

        options.svg.write_text(drawing.draw(summary(runs)))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrowserError as error:
        sys.exit(f"the browser: {error}")
