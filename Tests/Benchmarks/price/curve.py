#!/usr/bin/env python3
"""Draws what `value` leaves blank at each price of work, over what it wastes, and all other rules.

    python3 Tests/Benchmarks/price/curve.py [SCROLL-REPLAY [SVG]]

The recordings are the shipped ones, with whole jobs, in three settings. SCROLL-REPLAY is a built
program, else it is built here; the picture is written to price.svg beside this file. Exit status 1
if a rule lies below the curve: less blank than `value` at a price with no more waste.
"""

import json
import math
import subprocess
import sys
from html import escape
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PRICES = [0, 0.3, 1, 2.7, 5, 8, 15, 27, 50, 108]
SETTINGS = {"default": "loads of 1 to 16 ms", "heavy": "4 to 64 ms", "latency": "a fetch of 80 ms"}
# Those that know what comes are no peers.
KNOWING = {"value", "oracle"}
NAMED = {"everything", "visible", "p7", "p8", "p11", "p21"}
FONT = "font-family=\"system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif\""
SIZE, GAP, LEFT, TOP = 250, 40, 46, 40


def built():
    options = ["-c", "release", "--package-path", str(ROOT / "Demo")]
    subprocess.run(["swift", "build", *options, "--product", "scroll-replay"], check=True, stdout=2)
    shown = subprocess.run(
        ["swift", "build", *options, "--show-bin-path"], check=True, capture_output=True, text=True
    )
    return Path(shown.stdout.strip()) / "scroll-replay"


def sums(program, rules, *options):
    """Each rule's blank row·s and share of waste, over all shipped traces."""
    traces = sorted(str(path) for path in (ROOT / "Demo/traces").glob("*.jsonl"))
    command = [
        program,
        "compare",
        *traces,
        "--policies",
        rules,
        "--engines",
        "E0",
        "--format",
        "json",
        *options,
    ]
    figures = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    by = {}
    for figure in figures:
        total = by.setdefault(figure["policy"], [0, 0, 0])
        for place, name in enumerate(("blank_ns", "wasted_cost_ns", "load_cost_ns")):
            total[place] += figure[name]
    return {
        rule: (blank / 1e9, wasted / max(1, cost)) for rule, (blank, wasted, cost) in by.items()
    }


def below(curve, point):
    """Whether a rule leaves less blank than the curve does with no more waste."""
    rivals = [blank for blank, waste in curve if waste <= point[1]]
    return bool(rivals) and point[0] < min(rivals)


def panel(left, title, curve, others, floor):
    most = 2 * max(blank for blank, _ in curve) * 1.5
    least = max(floor[0], 1e-3) * 0.8

    def x(waste):
        return left + min(waste, 0.7) / 0.7 * SIZE

    def y(blank):
        return (
            TOP
            + SIZE
            - math.log(min(max(blank, least), most) / least) / math.log(most / least) * SIZE
        )

    def label(x, y, text, color="#5c666e", size=11, anchor="start"):
        return (
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{color}"'
            f' text-anchor="{anchor}">{escape(text)}</text>'
        )

    parts = [label(left, TOP - 16, title, "#1d2226", 13)]
    parts.append(f'<path d="M{left} {TOP}v{SIZE}h{SIZE}" fill="none" stroke="#a9b4bd"/>')
    for percent in (0, 20, 40, 60):
        parts.append(label(x(percent / 100), TOP + SIZE + 16, f"{percent} %", anchor="middle"))
    for blank in (2, 5, 10, 20, 50, 100):
        if least <= blank <= most:
            parts.append(label(left - 6, y(blank) + 4, str(blank), anchor="end"))
            parts.append(f'<path d="M{left} {y(blank):.1f}h{SIZE}" stroke="#e6eaed"/>')
    for rule, (blank, waste) in others.items():
        if blank <= most:
            parts.append(
                f'<circle cx="{x(waste):.1f}" cy="{y(blank):.1f}" r="3.5" fill="#a9b4bd"/>'
            )
            if rule in NAMED:
                parts.append(label(x(waste) + 6, y(blank) + 4, rule))
    parts.append(
        f'<path d="M{left} {y(floor[0]):.1f}h{SIZE}" stroke="#c9542c" stroke-dasharray="4 3"/>'
    )
    parts.append(label(left + SIZE, y(floor[0]) - 5, "clairvoyant", "#c9542c", anchor="end"))
    way = "L".join(f"{x(waste):.1f} {y(blank):.1f}" for blank, waste in curve)
    parts.append(f'<path d="M{way}" fill="none" stroke="#14619e" stroke-width="2"/>')
    for price, (blank, waste) in zip(PRICES, curve):
        parts.append(f'<circle cx="{x(waste):.1f}" cy="{y(blank):.1f}" r="3" fill="#14619e"/>')
        if price in (0, 2.7, 108):
            parts.append(label(x(waste), y(blank) - 8, f"{price:g}", "#14619e", anchor="middle"))
    return parts


def main():
    program = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else built()
    target = Path(sys.argv[2]) if len(sys.argv) > 2 else HERE / "price.svg"
    parts, status = [], 0
    for place, (setting, title) in enumerate(SETTINGS.items()):
        rules = sums(program, "all", "--setting", setting)
        others = {rule: point for rule, point in rules.items() if rule not in KNOWING}
        curve = [
            sums(program, "value", "--setting", setting, "--price", str(price))["value"]
            for price in PRICES
        ]
        print(
            setting
            + ": "
            + ", ".join(f"{p:g}: {b:.2f}/{w * 100:.0f} %" for p, (b, w) in zip(PRICES, curve))
        )
        for rule, point in others.items():
            if below(curve, point):
                print(f"{rule} lies below the curve: {point[0]:.2f}/{point[1] * 100:.0f} %")
                status = 1
        parts += panel(LEFT + place * (SIZE + GAP + LEFT), title, curve, others, rules["oracle"])
    width, height = LEFT + 3 * (SIZE + GAP + LEFT), TOP + SIZE + 44
    note = (
        "Blank row·s (logarithmic) over the share of loading that is wasted."
        " Blue: value, by the price of work; grey: other rules."
    )
    parts.append(
        f'<text x="{LEFT}" y="{height - 8}" font-size="11" fill="#5c666e">{escape(note)}</text>'
    )
    target.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        f' width="{width}" height="{height}" {FONT}>'
        f'<rect width="{width}" height="{height}" fill="#fff"/>' + "".join(parts) + "</svg>\n"
    )
    return status


if __name__ == "__main__":
    sys.exit(main())
