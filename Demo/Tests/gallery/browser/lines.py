"""The lines of a gallery's list, computed anew from the rule alone.

    python3 lines.py > lines.json

writes the vectors that the page's list.js and the server's lines are compared with: the width, the
aspect ratios in 1/64ths and the sections (first row, number of rows) of lists, the tops of their
lines in steps of 1/1024 px, and the number of rows in each.
"""

import json
import random

STEPS = 1024
SPACING = 4
HEADER = 40
ENTRY = 72  # the height of a row in a list of one picture a line


def target(width):
    """The height in px that lines should have."""
    return min(220, max(108, 4 * ((width + 13) // 26)))


def lines(ratios, width):
    """The lines of one section, filled from edge to edge: (height in steps, number of rows)."""
    wanted = target(width) * STEPS

    def height(some):
        """The height, to the nearest step, at which rows fill a line."""
        total = sum(some) * STEPS // 64
        room = max(STEPS, (width - SPACING * (len(some) - 1)) * STEPS)
        return (2 * STEPS * room + total) // (2 * total)

    made, begun = [], []
    for ratio in ratios:
        begun.append(min(max(ratio, 4), 1024))
        while begun and height(begun) <= wanted:
            # With the last row the line is too low, without it too high: the nearer one is taken.
            rows = len(begun)
            if rows > 1 and height(begun[:-1]) - wanted < wanted - height(begun):
                rows -= 1
            made.append((height(begun[:rows]), rows))
            begun = begun[rows:]
    if begun:
        made.append((min(wanted, height(begun)), len(begun)))
    return made


def grid(ratios, sections, width, header=HEADER):
    """The lines of a list: (top in steps, height in steps with the space after it, rows)."""
    result = []
    top = 0
    for first, count in sections:
        top += header * STEPS
        for height, rows in lines(ratios[first : first + count], width):
            result.append((top, height + SPACING * STEPS, rows))
            top += height + SPACING * STEPS
    return result


def boxes(ratios, sections, width, header=HEADER, entry=ENTRY):
    """Where rows are shown: (top, bottom, left, width) of each in px, top and bottom those of its
    line without the space after it. Without a width they are in a list of one picture a line."""
    result = []
    if not width:
        for index, (first, count) in enumerate(sections):
            for row in range(first, first + count):
                top = header * (index + 1) + entry * row
                result.append((top, top + entry, 0, None))
        return result
    for top, height, rows in grid(ratios, sections, width, header):
        some = ratios[len(result) : len(result) + rows]
        room = width - SPACING * (rows - 1)
        across = [ratio / 64 * (height / STEPS - SPACING) for ratio in some]
        if sum(across) > room - 1:
            across = [size * room / sum(across) for size in across]
        for row in range(rows):
            left = sum(across[:row]) + SPACING * row
            bottom = (top + height) / STEPS - SPACING
            result.append((top / STEPS, bottom, left, across[row]))
    return result


def cases():
    """Lists with what may go wrong."""
    chosen = random.Random(1)

    def some(number):
        return [chosen.choice((48, 64, 85, 96, 114)) for _ in range(number)]

    def any_of(number):
        return [round(4 * 256 ** chosen.random()) for _ in range(number)]

    alone = [4, 17, 64, 96, 1000, 1024]
    lists = {
        "one row": [[96]],
        "nothing but extremes": [[4] * 40 + [1024] * 5 + [4, 1024] * 10],
        "single rows": [[ratio] for ratio in alone],
        "two rows": [[one, other] for one in alone for other in alone],
        "equal rows": [[96] * 300, [64] * 100, [48] * 7],
        "rows of unknown sizes": [[96] * 50 + some(50) + [96] * 50],
        "photos": [some(200), some(3), some(60), some(1)],
        "any": [any_of(150), any_of(10), any_of(40)],
    }
    for name, parts in lists.items():
        ratios = [ratio for part in parts for ratio in part]
        sections, first = [], 0
        for part in parts:
            sections.append([first, len(part)])
            first += len(part)
        widths = (160, 384, 1408, 4096) if len(ratios) > 12 else (160, 4096)
        for width in widths:
            made = grid(ratios, sections, width)
            top, height, _ = made[-1]
            yield {
                "name": f"{name}, {width} px",
                "width": width,
                "header": HEADER,
                "ratios": ratios,
                "sections": sections,
                "tops": [top for top, _, _ in made],
                "rows": [rows for _, _, rows in made],
                "height": top + height,
            }


if __name__ == "__main__":
    print("[\n" + ",\n".join(json.dumps(case) for case in cases()) + "\n]")
