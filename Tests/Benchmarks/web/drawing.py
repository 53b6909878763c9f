"""Draws the figures of W1: a block of bars for the person alone, and one for the most visitors."""

from html import escape

WIDTH = 880
NAMES = 120  # the width of the contenders' names
ROW = 22
HEAD = 52
GAP = 18
FONT = 'font-family="system-ui, -apple-system, \'Segoe UI\', Roboto, \'DejaVu Sans\', sans-serif"'

# Each column: its title, the figure, the part of it that is marked, and what the marked part is.
COLUMNS = [
    ("Blank row·s", "blank", "rest", "at rest", 1),
    ("Thumbnails made", "made", "never seen", "never seen", 0),
    ("Server's CPU s", "cpu", None, None, 1),
]
OWN, OTHER, MARK = "#14619e", "#a9b4bd", "#c9542c"


def text(x, y, what, size=12, color="#39434b", weight=400):
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{color}"'
        f' font-weight="{weight}">{escape(what)}</text>'
    )


def bar(x, y, width, color):
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="12" rx="2" fill="{color}"/>'


def block(figures, top):
    """The bars for one number of visitors."""
    others = figures[0]["visitors"] - 1
    title = f"One person beside {others} simulated visitors" if others else "One person alone"
    parts = [text(16, top + 18, title, 14, "#1d2226", 600)]
    for row, figure in enumerate(figures):
        is_own = figure["contender"] == "gallery"
        y = top + HEAD + row * ROW + 10
        weight, color = (600, "#1d2226") if is_own else (400, "#39434b")
        parts.append(text(16, y, figure["contender"], 12, color, weight))
    width = (WIDTH - NAMES - 16) / len(COLUMNS)
    for index, (title, name, marked, _, digits) in enumerate(COLUMNS):
        left = NAMES + index * width
        parts.append(text(left, top + 40, title, 12, "#5c666e"))
        scale = (width - 100) / max(max(figure[name] for figure in figures), 1e-9)
        for row, figure in enumerate(figures):
            y = top + HEAD + row * ROW
            # What was made for others, they may have seen.
            is_marked = marked and (name != "made" or not others)
            whole, part = figure[name], figure[marked] if is_marked else 0
            color = OWN if figure["contender"] == "gallery" else OTHER
            parts.append(bar(left, y, max(1, whole * scale), color))
            label = f"{whole:.{digits}f}"
            if part >= 0.5 * 10**-digits:
                parts.append(bar(left, y, max(1.5, part * scale), MARK))
                label += f" ({part:.{digits}f})"
            parts.append(text(left + max(1, whole * scale) + 6, y + 10, label, 11))
    return parts


def draw(figures):
    """A picture of the summary, as SVG."""
    counts = sorted({figure["visitors"] for figure in figures})
    chosen = counts[:1] + counts[1:][-1:]
    parts = []
    top = 10
    for count in chosen:
        group = [figure for figure in figures if figure["visitors"] == count]
        parts += block(group, top)
        top += HEAD + len(group) * ROW + GAP
    x = 16
    for title, _, marked, meaning, _ in COLUMNS:
        if marked:
            parts += [bar(x, top, 12, MARK), text(x + 18, top + 10, f"{title}: {meaning}", 11)]
            x += 220
    height = top + 26
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}"'
        f' height="{height}" {FONT}>\n<rect width="{WIDTH}" height="{height}" rx="8"'
        ' fill="#ffffff"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )
