#!/usr/bin/env python3
"""Makes the pictures of the demo: 24 photograph-like scenes, the same bytes each time.

    pip install numpy pillow
    python3 make-photos.py [DIRECTORY]      # default: photos, beside this script

Each scene is painted from noise with a natural spectrum, overlapping shapes and soft light, at a
seed of its own. Sizes and formats are mixed as in a camera's folder: mostly small and baseline
JPEG, some progressive, some PNG with and without alpha, one of 12 megapixels. The same versions
of numpy and Pillow give the same bytes.
"""

import sys
from pathlib import Path

import numpy as np
from PIL import Image

# What to make: name, width, height, format. Formats: jpg, progressive, png, alpha.
PHOTOS = [
    ("dunes", 1600, 1200, "jpg"),
    ("lagoon", 1200, 800, "jpg"),
    ("forest-path", 900, 1350, "progressive"),
    ("ridges-at-dawn", 4000, 3000, "jpg"),
    ("pebbles", 1280, 960, "jpg"),
    ("northern-lights", 1000, 1500, "jpg"),
    ("poppy-field", 2400, 1600, "jpg"),
    ("soap-bubbles", 800, 800, "alpha"),
    ("harbour-at-night", 1600, 1067, "jpg"),
    ("thunderhead", 1200, 1600, "jpg"),
    ("glacier", 3264, 2448, "progressive"),
    ("sweets", 1080, 1080, "jpg"),
    ("moonrise", 960, 1280, "png"),
    ("tulips", 1600, 900, "jpg"),
    ("coral", 2272, 1704, "jpg"),
    ("desert-sunset", 1350, 900, "progressive"),
    ("paper-hills", 1200, 900, "png"),
    ("meadow", 3456, 2304, "jpg"),
    ("rain-on-window", 900, 1200, "jpg"),
    ("lanterns", 800, 1000, "progressive"),
    ("marble", 2048, 2048, "progressive"),
    ("feather", 720, 960, "alpha"),
    ("windows-at-dusk", 1024, 1365, "jpg"),
    ("color-wheel", 900, 720, "png"),
]


# MARK: Paint. A canvas is an array of rows of red, green and blue, from 0 to 1.


class Canvas:
    """A picture being painted, with its own random numbers and coordinates from 0 to 1."""

    def __init__(self, width, height, seed):
        self.random = np.random.default_rng(seed)
        self.width, self.height = width, height
        self.x = ((np.arange(width, dtype=np.float32) + 0.5) / width)[None, :]
        self.y = ((np.arange(height, dtype=np.float32) + 0.5) / height)[:, None]
        self.aspect = width / height
        self.pixels = np.zeros((height, width, 3), np.float32)

    def noise(self, slope=1.6, stretch=1.0, detail=512):
        """Clouds: noise whose strength falls with frequency, about -2.5 to 2.5, grown to size.

        They are as much wider than high as `stretch` says. They are made `detail` points high and
        grown, for photos are soft at their finest scale.
        """
        rows = min(self.height, detail)
        columns = max(2, round(rows * self.aspect))
        fy = np.fft.fftfreq(rows)[:, None]
        fx = np.fft.rfftfreq(columns)[None, :] * stretch
        frequency = np.sqrt(fy * fy + fx * fx)
        frequency[0, 0] = 1
        spectrum = self.random.normal(size=frequency.shape) + 1j * self.random.normal(
            size=frequency.shape
        )
        spectrum /= frequency**slope
        spectrum[0, 0] = 0
        field = np.fft.irfft2(spectrum, s=(rows, columns)).astype(np.float32)
        return self.grow(field / field.std())

    def grow(self, field):
        """A field at the size of the canvas."""
        if field.shape == (self.height, self.width):
            return field
        image = Image.fromarray(field)
        return np.asarray(image.resize((self.width, self.height), Image.BICUBIC))

    def line(self, slope=1.5, columns=256):
        """A ridge: one value for each column, about -2.5 to 2.5."""
        frequency = np.fft.rfftfreq(columns * 2)
        frequency[0] = 1
        spectrum = self.random.normal(size=frequency.shape) + 1j * self.random.normal(
            size=frequency.shape
        )
        spectrum /= frequency**slope
        spectrum[0] = 0
        field = np.fft.irfft(spectrum)[:columns]
        at = np.linspace(0, columns - 1, self.width)
        values = np.interp(at, np.arange(columns), field / field.std())
        return values.astype(np.float32)[None, :]

    def fill(self, *stops):
        """Paints a vertical run of colours: (height, color), from the top."""
        at = [stop[0] for stop in stops]
        colors = np.array([hexadecimal(stop[1]) for stop in stops])
        for channel in range(3):
            self.pixels[:, :, channel] = np.interp(self.y[:, 0], at, colors[:, channel])[:, None]

    def blend(self, color, amount):
        """Lays a colour over the canvas, as thick as `amount` tells from 0 to 1."""
        amount = np.clip(amount, 0, 1)[..., None]
        self.pixels += (as_color(color) - self.pixels) * amount

    def shade(self, factor):
        """Makes the canvas darker below 1 and brighter above."""
        self.pixels *= np.asarray(factor, np.float32)[..., None]

    def glow(self, x, y, radius, color, strength=1.0):
        """Adds light around a point."""
        distance = self.distance(x, y) / radius
        self.pixels += as_color(color) * (strength * np.exp(-distance * distance))[..., None]

    def distance(self, x, y):
        """How far each pixel is from a point, where the height of the canvas is 1."""
        return np.sqrt(((self.x - x) * self.aspect) ** 2 + (self.y - y) ** 2)

    def edge(self, field, softness=1.5):
        """From 0 to 1 where the field, in heights of the canvas, passes 0; smooth over pixels."""
        return np.clip(field * self.height / softness + 0.5, 0, 1)

    def spot(self, x, y, radius, paint):
        """Calls `paint` with the part of the canvas around a point, and coordinates in it.

        The coordinates go from -1 to 1 over the radius, which is in heights of the canvas.
        """
        reach = radius * self.height
        cx, cy = x * self.width, y * self.height
        left, right = int(max(0, cx - reach - 2)), int(min(self.width, cx + reach + 3))
        top, bottom = int(max(0, cy - reach - 2)), int(min(self.height, cy + reach + 3))
        if left >= right or top >= bottom:
            return
        dx = ((np.arange(left, right, dtype=np.float32) + 0.5 - cx) / reach)[None, :]
        dy = ((np.arange(top, bottom, dtype=np.float32) + 0.5 - cy) / reach)[:, None]
        paint(self.pixels[top:bottom, left:right], dx, dy, 1 / reach)

    def grain(self, amount):
        """Adds the noise of a sensor, soft as after a camera's own smoothing."""
        rough = self.random.normal(0, amount, (self.height // 2 + 1, self.width // 2 + 1))
        image = Image.fromarray(rough.astype(np.float32))
        self.pixels += np.asarray(
            image.resize((self.width, self.height), Image.BILINEAR)
        )[..., None]

    def image(self):
        """The canvas in 8 bits."""
        return Image.fromarray((np.clip(self.pixels, 0, 1) * 255 + 0.5).astype(np.uint8))


def hexadecimal(color):
    return np.array([int(color[i : i + 2], 16) for i in (0, 2, 4)], np.float32) / 255


def as_color(color):
    return hexadecimal(color) if isinstance(color, str) else np.asarray(color, np.float32)


def lay(part, color, amount):
    part += (as_color(color) - part) * np.clip(amount, 0, 1)[..., None]


# MARK: Things that several scenes have


def ridges(c, layers, top, bottom, far, near, height=0.05, slope=1.4):
    """Ranges of hills, one before the other, from the far colour to the near one."""
    for layer in range(layers):
        t = layer / max(1, layers - 1)
        crest = top + (bottom - top) * t + height * (0.5 + t) * c.line(slope)
        color = hexadecimal(far) * (1 - t) + hexadecimal(near) * t
        below = c.y - crest
        c.blend(color, c.edge(below))
        haze = hexadecimal(far) * 0.6 + color * 0.4
        c.blend(haze, c.edge(below) * np.clip(below * 4, 0, 0.55) * (1 - t))


def clouds(c, color, amount, low=0.0, high=1.0, slope=1.7, stretch=2.5, where=None):
    """Clouds of a colour between two levels of noise."""
    field = np.clip((c.noise(slope, stretch) - low) / (high - low), 0, 1)
    c.blend(color, amount * field * (1 if where is None else where))


def discs(c, count, smallest, largest, colors, light=0.35, texture=0.0):
    """Dead leaves: discs of all sizes over each other, lit from the upper left."""
    u = c.random.random(count)
    radii = np.sort(1 / np.sqrt(u / smallest**2 + (1 - u) / largest**2))[::-1]
    for radius in radii:
        color = hexadecimal(colors[c.random.integers(len(colors))])
        color = color * c.random.uniform(0.8, 1.15) + c.random.normal(0, 0.02, 3)
        bend = c.random.uniform(0.75, 1.0)
        angle = c.random.uniform(0, np.pi)

        def paint(part, dx, dy, pixel):
            u = dx * np.cos(angle) + dy * np.sin(angle)
            v = (dy * np.cos(angle) - dx * np.sin(angle)) / bend
            d = np.sqrt(u * u + v * v)
            shadow = np.clip((1.12 - np.sqrt((dx - 0.06) ** 2 + (dy - 0.1) ** 2)) * 4, 0, 0.45)
            lay(part, "000000", shadow)
            lit = 1 - light * (0.6 * dx + 0.8 * dy) - 0.25 * d * d
            lay(part, color.astype(np.float32) * lit[..., None], (1 - d) / pixel / 1.5)

        c.spot(c.random.uniform(-0.05, 1.05), c.random.uniform(-0.05, 1.05), radius, paint)
    if texture:
        c.shade(1 + texture * c.noise(1.2))


def flowers(c, count, low, high, colors, petals, smallest, largest):
    """Blossoms on a field, small at the horizon and large before it."""
    for depth in np.sort(c.random.random(count) ** 1.6):
        y = low + (high - low) * depth
        radius = smallest + (largest - smallest) * depth**1.5
        color = hexadecimal(colors[c.random.integers(len(colors))])
        color = np.clip(color * c.random.uniform(0.75, 1.15), 0, 1)
        turn = c.random.uniform(0, 2 * np.pi)
        flat = c.random.uniform(0.55, 0.9)

        def paint(part, dx, dy, pixel):
            v = dy / flat
            d = np.sqrt(dx * dx + v * v)
            outline = 0.72 + 0.22 * np.cos(petals * (np.arctan2(v, dx) + turn))
            lit = np.float32(1.08) - 0.35 * dy - 0.3 * np.exp(-d * d * 14)
            lay(part, color.astype(np.float32) * lit[..., None], (outline - d) / pixel / 2)
            lay(part, color * 0.25, (0.16 - d) / pixel / 2)

        c.spot(c.random.uniform(-0.03, 1.03), y, radius, paint)


# MARK: Scenes


def dunes(c):
    c.fill((0, "5b8fc4"), (0.42, "e9d9c0"), (1, "e9d9c0"))
    clouds(c, "ffffff", 0.5, 0.2, 2.2, stretch=5)
    for crest, color, dark in [
        (0.40, "d9ab72", "b98a5a"), (0.52, "d89a58", "9c6238"), (0.70, "c97f3d", "7f4523"),
    ]:
        ridge = crest + 0.06 * c.line(2.0)
        below = c.y - ridge
        c.blend(color, c.edge(below))
        lee = c.edge(below) * np.clip(1 - below / (0.10 + 0.03 * c.line(1.8)), 0, 1)
        c.blend(dark, lee * 0.75)
        ripple = np.sin((c.y * 260 + 10 * c.noise(2.2)) / (0.6 + c.y)) * c.edge(below - 0.02)
        c.shade(1 + 0.035 * ripple)


def lagoon(c):
    c.fill((0, "3a86d1"), (0.38, "c3e4f2"), (0.385, "0e6f8f"), (0.62, "1fb5b0"),
           (0.80, "8fe3cf"), (0.86, "f4e6c5"), (1, "e6cf9c"))
    clouds(c, "ffffff", 0.95, 0.3, 1.6, stretch=3.5, where=np.clip((0.36 - c.y) * 8, 0, 1))
    sea = np.clip((c.y - 0.385) * 20, 0, 1) * np.clip((0.84 - c.y) * 12, 0, 1)
    c.shade(1 + 0.07 * sea * c.noise(1.3, 5))
    c.blend("0d5a57", sea * np.clip(c.noise(1.9, 2) - 0.7, 0, 1) * 0.7)
    island = 0.385 - np.clip(0.055 - 0.9 * (c.x - 0.72) ** 2 + 0.01 * c.line(1.2), 0, 1)
    c.blend("2d5f3a", c.edge(c.y - island) * c.edge(0.386 - c.y))
    foam = np.abs(c.y - 0.845 - 0.008 * c.line(1.6))
    c.blend("ffffff", np.clip(1 - foam * 90, 0, 0.9))


def forest_path(c):
    c.fill((0, "e8f0b0"), (0.5, "b5cf6b"), (1, "4d6a2c"))
    clouds(c, "f8fbe0", 0.8, 0, 2)
    c.glow(0.5, 0.36, 0.25, "fff3b0", 0.5)
    ground = 0.55 + 0.02 * c.line()
    c.blend("56702f", c.edge(c.y - ground, 30) * 0.9)
    width = 0.04 + 0.75 * np.clip(c.y - 0.52, 0, 1) ** 1.3
    bend = 0.5 + 0.08 * np.sin(6 * c.y)
    c.blend("c9a877", np.clip((width - np.abs(c.x - bend)) * 12, 0, 1) * c.edge(c.y - ground, 40))
    c.shade(1 + 0.10 * c.noise(1.3))
    for depth in np.sort(c.random.random(34)):
        x = c.random.uniform(-0.02, 1.02)
        if abs(x - 0.5) < 0.05 + 0.22 * depth:
            continue
        wide = 0.006 + 0.035 * depth**2
        foot = 0.56 + 0.42 * depth**1.5
        color = hexadecimal("9aa868") * (1 - depth) + hexadecimal("2a2216") * depth
        trunk = np.abs(c.x - x - 0.012 * depth * np.sin(5 * c.y + 9 * x)) * c.aspect
        mask = c.edge(wide - trunk, 2) * c.edge(foot - c.y, 6)
        c.blend(color, mask * 0.95)
    leaves = np.clip(c.noise(1.25) + 1.6 - 4.2 * c.y + 3 * np.abs(c.x - 0.5), 0, 1)
    c.blend("3f6b25", leaves * 0.85)
    c.blend("a9cf4f", np.clip(c.noise(1.2) - 0.6, 0, 1) * leaves * 0.8)


def ridges_at_dawn(c):
    c.fill((0, "2c4a7c"), (0.3, "c98fa0"), (0.5, "ffd9a0"), (1, "ffd9a0"))
    clouds(c, "ffe3cf", 0.5, 0.2, 2, stretch=6)
    c.glow(0.66, 0.44, 0.16, "ffcf80", 0.6)
    c.glow(0.66, 0.44, 0.03, "ffffff", 0.9)
    ridges(c, 8, 0.46, 0.93, "dfa79a", "1c2338", height=0.035)


def pebbles(c):
    c.fill((0, "5c554c"), (1, "4a443c"))
    discs(c, 900, 0.025, 0.16,
          ["8d8a83", "b6afa2", "6f6a66", "c9b79c", "7b5f4b", "9aa3a6", "54504d", "d9d2c5"],
          texture=0.035)


def northern_lights(c):
    c.fill((0, "050a1f"), (0.6, "0d2a3d"), (0.8, "17404a"), (1, "0a1420"))
    stars(c, 420, 0.7)
    curtains = [(0.58, "39ff9c", 0.75), (0.50, "5affc0", 0.5), (0.44, "b05cff", 0.4)]
    for base, color, strength in curtains:
        hem = base + 0.05 * c.line(2.0) + 0.05 * np.sin(7 * c.x + 20 * base)
        height = hem - c.y
        rays = 0.65 + 0.35 * c.line(1.0, 120)
        light = np.exp(-np.clip(height, 0, 1) * 6) * np.clip(height * 30 + 1, 0, 1)
        c.pixels += hexadecimal(color) * (strength * light * np.clip(rays, 0, 2))[..., None]
    ridges(c, 2, 0.74, 0.80, "0c2230", "060d14", height=0.03)
    below = np.clip((c.y - 0.86) * 30, 0, 1)
    c.blend("0f3b40", below * (0.7 + 0.15 * c.noise(1.4, 6)))


def stars(c, count, low):
    for _ in range(count):
        size = c.random.uniform(0.0008, 0.0022)
        shine = c.random.uniform(0.3, 1)

        def paint(part, dx, dy, pixel):
            part += (shine * np.exp(-3 * (dx * dx + dy * dy)))[..., None]

        c.spot(c.random.random(), c.random.random() * low, size, paint)


def poppy_field(c):
    c.fill((0, "4f95d8"), (0.36, "d4e8f2"), (0.37, "6d8f3f"), (1, "3b5a1e"))
    clouds(c, "ffffff", 0.95, 0.3, 1.7, stretch=3, where=np.clip((0.37 - c.y) * 9, 0, 1))
    ridges(c, 2, 0.345, 0.37, "8fa7a0", "4d6e3d", height=0.012)
    field = np.clip((c.y - 0.38) * 10, 0, 1)
    c.blend("54772b", field)
    c.shade(1 + 0.12 * field * c.noise(1.1, 1.4))
    c.blend("c2302a", field * np.clip(1 - (c.y - 0.38) * 3.5, 0, 1) * 0.5
            * np.clip(0.5 + c.noise(1.0, 3), 0, 1))
    flowers(c, 420, 0.42, 1.02, ["d8281e", "e8402c", "c51d1d"], 4, 0.004, 0.055)


def soap_bubbles(c):
    """With alpha: the bubbles float over nothing."""
    alpha = np.zeros((c.height, c.width), np.float32)
    c.fill((0, "bfe8ff"), (1, "ffe0f5"))
    for _ in range(17):
        x, y = c.random.uniform(0.08, 0.92, 2)
        radius = c.random.uniform(0.05, 0.19)
        distance = c.distance(x, y) / radius
        inside = c.edge((1 - distance) * radius)
        rim = inside * (0.12 + 0.75 * np.clip(distance, 0, 1) ** 5)
        hue = 7 * distance + 5 * (c.x - x) + 3 * y
        for channel in range(3):
            sheen = 0.72 + 0.28 * np.sin(hue + 2.1 * channel)
            plane = c.pixels[:, :, channel]
            plane += (sheen - plane) * np.clip(rim * 1.2, 0, 1)
        shine = np.exp(-((c.distance(x - 0.4 * radius, y - 0.4 * radius) / (0.16 * radius)) ** 2))
        c.blend("ffffff", shine * inside)
        alpha = 1 - (1 - alpha) * (1 - np.clip(rim + shine * inside, 0, 1))
    return alpha


def harbour_at_night(c):
    c.fill((0, "070b1d"), (0.45, "2a2a55"), (0.52, "6b4660"), (0.53, "14182c"), (1, "080b18"))
    x = -0.01
    while x < 1.01:
        wide = c.random.uniform(0.012, 0.05)
        top = 0.50 - abs(c.random.normal(0.06, 0.07))
        house = c.edge(np.minimum(c.x - x, x + wide - c.x) * c.aspect) * c.edge(c.y - top)
        c.blend("0b0f1e", house * c.edge(0.53 - c.y))
        for _ in range(int(c.random.integers(3, 12))):
            lamp(c, c.random.uniform(x, x + wide), c.random.uniform(top + 0.01, 0.52), 0.0022)
        x += wide * c.random.uniform(0.8, 1.2)
    for _ in range(46):
        lamp(c, c.random.random(), c.random.uniform(0.505, 0.53), 0.006, mirrored=True)
    water = np.clip((c.y - 0.53) * 40, 0, 1)
    c.shade(1 + 0.25 * water * c.noise(1.0, 8))
    c.glow(0.8, 0.13, 0.022, "fff6dc", 1.2)
    c.glow(0.8, 0.13, 0.12, "8a86a8", 0.3)


def lamp(c, x, y, radius, mirrored=False):
    colors = ["ffd27a", "ffb347", "fff1c9", "9fd0ff", "ff7a5c"]
    color = hexadecimal(colors[c.random.integers(len(colors))])

    def paint(part, dx, dy, pixel):
        part += color * np.exp(-5 * (dx * dx + dy * dy))[..., None]

    c.spot(x, y, radius * 2, paint)
    if mirrored:
        length = c.random.uniform(0.1, 0.3)
        across = np.exp(-(((c.x - x) * c.aspect) / 0.006) ** 2)
        down = np.clip(1 - (c.y - 0.53) / length, 0, 1) * (c.y > 0.53)
        left = max(0, int((x - 0.03) * c.width))
        right = min(c.width, int((x + 0.03) * c.width) + 1)
        light = (across[:, left:right] * down)[..., None]
        c.pixels[:, left:right] += color * light * 0.6


def thunderhead(c):
    c.fill((0, "23344d"), (0.55, "6f8299"), (0.78, "d9b48c"), (0.80, "3d4a35"), (1, "232b1d"))
    height = np.clip((0.74 - c.y) * 3, 0, 1)
    heap = c.noise(1.55) + 1.3 - 2.6 * np.abs(c.x - 0.45) - 0.9 * np.abs(c.y - 0.35)
    c.blend("5c6675", np.clip(heap, 0, 1) * height)
    c.blend("f3ead9", np.clip(heap - 0.8 + 0.6 * c.noise(1.5), 0, 1) * height * 0.9)
    c.blend("2a3342", np.clip((c.y - 0.45) * 3, 0, 0.8) * np.clip(heap, 0, 1) * height)
    x, y = 0.47, 0.60
    while y < 0.79:
        nx, ny = x + c.random.normal(0, 0.018), y + c.random.uniform(0.008, 0.02)
        for k in range(12):
            c.glow(x + (nx - x) * k / 12, y + (ny - y) * k / 12, 0.0022, "fff4ff", 0.55)
        x, y = nx, ny
    c.glow(x, 0.78, 0.10, "c8b8ff", 0.35)
    ridges(c, 2, 0.79, 0.84, "46503f", "20281a", height=0.008)
    c.shade(1 + 0.06 * c.noise(1.2))


def glacier(c):
    c.fill((0, "3f7fbe"), (0.4, "bcdcf0"), (1, "bcdcf0"))
    clouds(c, "ffffff", 0.6, 0.4, 2, stretch=4)
    crest = 0.30 + 0.10 * c.line(1.5)
    rock = c.edge(c.y - crest)
    c.blend("59626e", rock)
    c.blend("f2f7fb", rock * np.clip(1.1 * c.noise(1.35) + 1.3 - 3.5 * (c.y - crest), 0, 1))
    ice = c.edge(c.y - 0.52 - 0.03 * c.line(1.6))
    c.blend("dceef7", ice)
    cracks = np.abs(c.noise(1.5, 3))
    c.blend("3d93c4", ice * np.clip(0.22 - cracks, 0, 1) * 4)
    c.blend("8fc8e4", ice * np.clip(c.y - 0.6, 0, 1) * 1.2)
    lake = c.edge(c.y - 0.88 - 0.006 * c.line(1.3))
    c.blend("2c7f96", lake)
    c.shade(1 + 0.05 * lake * c.noise(1.2, 6))


def sweets(c):
    c.fill((0, "3a2414"), (1, "2b1a0e"))
    discs(c, 520, 0.035, 0.15,
          ["c2451a", "e07b1f", "f0a830", "8f2d16", "b8902b", "6b3a1c", "d95d22"],
          light=0.25, texture=0.05)
    c.blend("fff0c0", np.clip(c.noise(2.2) - 0.8, 0, 1) * 0.3)


def moonrise(c):
    c.fill((0, "0a1030"), (0.6, "3b3f78"), (0.8, "c07a84"), (1, "e8b08a"))
    moon = c.edge(0.13 - c.distance(0.56, 0.40), 2)
    c.glow(0.56, 0.40, 0.30, "6070a8", 0.45)
    c.blend("f7f0dc", moon)
    c.blend("cfc6b4", moon * np.clip(c.noise(2.0), 0, 1) * 0.6)
    ridges(c, 4, 0.74, 0.94, "6a4f78", "120f22", height=0.025, slope=1.9)


def tulips(c):
    c.fill((0, "7fb4e6"), (0.24, "e7f1f5"), (0.25, "5d8a3a"), (1, "41702a"))
    clouds(c, "ffffff", 0.9, 0.3, 1.8, stretch=4, where=np.clip((0.24 - c.y) * 9, 0, 1))
    hills = 0.235 + 0.008 * c.line(1.6)
    c.blend("6f9086", c.edge(c.y - hills) * c.edge(0.252 - c.y))
    rows = ["e3342f", "f6c53a", "ef6ea8", "ffffff", "7b3fa0", "f08030"]
    depth = 1 / np.clip(c.y - 0.235, 0.012, 1)
    track = (c.x - 0.5) * depth * 0.9 + 40
    index = np.floor(track).astype(int) % len(rows)
    within = np.abs(track % 1 - 0.5)
    field = np.clip((c.y - 0.25) * 25, 0, 1)
    speckle = np.clip(0.85 + 0.35 * c.noise(0.7, 1.2), 0.3, 1.25)
    for number, color in enumerate(rows):
        mask = (index == number) * np.clip((0.40 - within) * 12, 0, 1) * field
        c.blend(color, mask)
    c.shade(1 + (speckle - 1) * field * 0.8)


def coral(c):
    c.fill((0, "0b6fa4"), (0.5, "0a4f84"), (1, "072c52"))
    for _ in range(9):
        x = c.random.random()
        beam = np.exp(-(((c.x - x - 0.25 * (c.y - 0.2)) / 0.03) ** 2))
        c.pixels += hexadecimal("60c8e0") * (beam * np.clip(0.7 - c.y, 0, 1) * 0.35)[..., None]
    reef = 0.58 + 0.06 * c.line(1.3)
    c.blend("31415e", c.edge(c.y - reef))
    colors = ["ff6f61", "f7a072", "e84a8a", "ffd166", "9b5de5", "f15bb5", "c9ada7"]
    for depth in np.sort(c.random.random(150)):
        color = hexadecimal(colors[c.random.integers(len(colors))]) * (0.45 + 0.55 * depth)
        lobes = int(c.random.integers(5, 12))
        turn = c.random.uniform(0, 6)

        def paint(part, dx, dy, pixel):
            d = np.sqrt(dx * dx + dy * dy)
            angle = np.arctan2(dy, dx) + turn
            outline = 0.75 + 0.2 * np.cos(lobes * angle)
            rings = 1 + 0.16 * np.cos(18 * d) - 0.4 * d - 0.25 * dy
            lay(part, color * rings[..., None], (outline - d) / pixel / 2)

        x = c.random.random()
        radius = 0.02 + 0.10 * depth * c.random.random()
        c.spot(x, 0.60 + 0.45 * depth, radius, paint)
    for _ in range(26):
        x, y, size = c.random.random(), c.random.uniform(0.12, 0.6), c.random.uniform(0.008, 0.02)
        body = ((c.x - x) * c.aspect / size) ** 2 + ((c.y - y) / (0.45 * size)) ** 2
        c.blend("ffe27a", np.clip((1 - body) * 3, 0, 1))


def desert_sunset(c):
    c.fill((0, "3b1f5b"), (0.3, "b3395b"), (0.52, "ff8a3c"), (0.62, "ffd27a"), (1, "ffd27a"))
    clouds(c, "ffb27a", 0.7, 0.2, 1.8, stretch=7, where=np.clip((0.5 - c.y) * 4, 0, 1))
    sun = c.edge(0.085 - c.distance(0.36, 0.56), 3)
    c.blend("fff1c0", sun)
    c.glow(0.36, 0.56, 0.25, "ff9040", 0.35)
    mesa = 0.62 - 0.16 * np.clip(np.round(1.2 + 1.1 * c.line(1.6)) / 3, 0, 1)
    c.blend("6d2140", c.edge(c.y - mesa) * 0.95)
    c.blend("3a1022", c.edge(c.y - 0.66 - 0.012 * c.line(1.3)))
    for x, tall in [(0.72, 0.3), (0.86, 0.2), (0.12, 0.16)]:
        foot = 0.72 + 0.4 * (tall - 0.15)
        arm = tall * 0.055
        stem = np.maximum(np.abs(c.x - x) * c.aspect - arm, foot - tall - c.y)
        side = np.maximum(np.abs(c.x - x - 0.035 * tall / 0.2 / c.aspect) * c.aspect - arm * 0.6,
                          np.abs(c.y - foot + tall * 0.65) - tall * 0.18)
        body = np.minimum(stem, side)
        c.blend("1d0a16", c.edge(-body) * c.edge(foot - c.y))


def paper_hills(c):
    c.fill((0, "fdf3e3"), (1, "f6d9c2"))
    c.blend("f4a261", c.edge(0.11 - c.distance(0.3, 0.27), 2))
    colors = ["e9c8a7", "e4a585", "d07a6c", "9c5b6b", "5e4b6e", "33395d", "1d2845"]
    for number, color in enumerate(colors):
        crest = 0.36 + 0.09 * number + 0.045 * c.line(2.3)
        below = c.y - crest
        c.blend("2a1a30", np.clip(1 + below * 60, 0, 1) * (below < 0) * 0.18)
        c.blend(color, c.edge(below))


def meadow(c):
    c.fill((0, "3e8ddd"), (0.5, "cfe6f4"), (0.51, "8fbf4d"), (1, "3c7a26"))
    clouds(c, "ffffff", 0.97, 0.25, 1.5, stretch=3, where=np.clip((0.50 - c.y) * 6, 0, 1))
    ridges(c, 3, 0.47, 0.56, "9dbbb8", "6d9c4a", height=0.02, slope=1.7)
    hill = c.edge(c.y - 0.60 - 0.03 * c.line(2.2))
    c.blend("5fa036", hill)
    c.shade(1 + 0.06 * hill * c.noise(1.2, 1.6))
    trees = [(0.23, 0.57, 0.075), (0.30, 0.60, 0.05), (0.78, 0.58, 0.09), (0.90, 0.60, 0.05)]
    for x, y, size in trees:
        trunk = np.maximum(np.abs(c.x - x) * c.aspect - size * 0.08, y - c.y)
        c.blend("4a3521", c.edge(-trunk) * c.edge(y + size * 1.1 - c.y))
        for _ in range(24):
            ox, oy = c.random.normal(0, size * 0.42, 2)
            tone = c.random.uniform(0.7, 1.2)

            def paint(part, dx, dy, pixel):
                d = np.sqrt(dx * dx + dy * dy)
                lit = tone * (1 - 0.35 * (dx + dy) / 1.4)
                lay(part, hexadecimal("3f7a2b") * lit[..., None], (1 - d) / pixel / 2)

            c.spot(x + ox / c.aspect, y + oy * 0.8, size * 0.38, paint)
    flowers(c, 160, 0.68, 1.0, ["ffffff", "ffe36a", "ffd0e6"], 6, 0.003, 0.014)


def rain_on_window(c):
    c.fill((0, "5d7486"), (0.5, "8c97a0"), (1, "3f4a55"))
    for _ in range(40):
        color = ["ffb35c", "ff6f5c", "ffe0a0", "7fd0ff", "8fe8b0"][c.random.integers(5)]
        x, y, r = c.random.random(), c.random.uniform(0.3, 1), c.random.uniform(0.02, 0.07)
        c.blend(color, np.clip((r - c.distance(x, y)) / r * 5, 0, 1) * 0.4)
    scene = np.asarray(c.image().resize((c.width // 8, c.height // 8), Image.BOX))
    scene = scene.astype(np.float32) / 255
    for radius in np.sort(0.004 + 0.022 * c.random.random(420) ** 3):
        x, y = c.random.random(2)

        def paint(part, dx, dy, pixel):
            # A drop shows what is behind it upside down.
            rows = np.clip((y - dy * 0.3) * scene.shape[0], 0, scene.shape[0] - 1)
            columns = np.clip((x - dx * 0.3) * scene.shape[1], 0, scene.shape[1] - 1)
            behind = scene[rows.astype(int), columns.astype(int)]
            d = np.sqrt(dx * dx + (dy * 0.85) ** 2)
            shine = 0.9 * np.exp(-((dx + 0.3) ** 2 + (dy + 0.4) ** 2) * 25)
            lit = 0.75 + 0.45 * dy - 0.35 * d**4 + shine
            lay(part, behind * lit[..., None], (1 - d) / pixel / 2)

        c.spot(x, y, radius, paint)


def lanterns(c):
    c.fill((0, "140a24"), (1, "3a1630"))
    for depth in np.sort(c.random.random(38)):
        x, y = c.random.random(), c.random.uniform(0.02, 0.95)
        size = 0.012 + 0.075 * depth**2
        color = hexadecimal(["ff5a36", "ff8c42", "ffd166", "f94f6d"][c.random.integers(4)])
        c.glow(x, y, size * 2.2, color, 0.22)

        def paint(part, dx, dy, pixel):
            wide = np.sqrt(np.clip(1 - dy * dy, 0, 1)) * 0.8
            ribs = 1 - 0.12 * np.cos(14 * dy) ** 8
            lit = (1.15 - 0.6 * np.abs(dx) / 0.8 - 0.15 * dy) * ribs
            lay(part, color * lit[..., None], (wide - np.abs(dx)) / pixel / 2)
            lay(part, color * 0.3, (0.04 - np.abs(np.abs(dy) - 0.97)) / pixel * (np.abs(dx) < 0.3))

        c.spot(x, y, size, paint)


def marble(c):
    c.fill((0, "ece9e4"), (1, "dcd8d2"))
    warp = c.noise(2.0)
    for frequency, color, width in [(5, "6d7480", 0.10), (9, "9a8f82", 0.06), (3, "c9a24b", 0.035)]:
        vein = np.abs(np.sin(frequency * (c.x * 0.8 + c.y * 1.3) + 1.3 * warp + c.noise(1.7)))
        c.blend(color, np.clip(1 - vein / width, 0, 1) * 0.75)
        c.blend(color, np.clip(1 - vein / (width * 5), 0, 1) * 0.18)
    c.shade(1 + 0.03 * c.noise(1.3))


def feather(c):
    """With alpha: the feather lies on nothing."""
    c.fill((0, "0fa3b1"), (0.45, "2a6fdb"), (0.8, "6a4c93"), (1, "c9ada7"))
    spine = 0.5 + 0.10 * np.sin(2.4 * c.y - 0.6)
    across = (c.x - spine) * c.aspect
    shape = 0.20 * np.clip(np.sin(np.pi * np.clip(c.y * 1.25 - 0.06, 0, 1)), 0, 1) ** 0.7
    inside = c.edge(shape - np.abs(across), 3)
    barbs = np.sin((c.y * 1.0 + np.abs(across) * 0.9) * 420)
    c.shade(1 + 0.12 * barbs * np.clip(np.abs(across) * 30, 0, 1))
    eye = ((c.x - 0.56) * c.aspect / 0.09) ** 2 + ((c.y - 0.25) / 0.12) ** 2
    c.blend("e9c46a", np.clip((1 - eye) * 5, 0, 1) * 0.9)
    c.blend("14213d", np.clip((0.45 - eye) * 6, 0, 1))
    quill = c.edge(0.006 - np.abs(across), 2) * c.edge(c.y - 0.08) * c.edge(0.97 - c.y)
    c.blend("f2ead8", quill)
    return np.maximum(inside * (0.94 + 0.06 * barbs), quill)


def windows_at_dusk(c):
    c.fill((0, "26304f"), (1, "6a4a52"))
    c.shade(1 + 0.04 * c.noise(1.4))
    rows, columns = 9, 6
    for row in range(rows):
        for column in range(columns):
            x0, y0 = (column + 0.2) / columns, (row + 0.18) / rows
            x1, y1 = (column + 0.8) / columns, (row + 0.84) / rows
            lit = c.random.random() < 0.5
            warm = ["ffcf73", "ffb14d", "ffe6b0", "e98a4a"]
            color = warm[c.random.integers(4)] if lit else "1b2236"
            across = np.minimum(c.x - x0, x1 - c.x) * c.aspect
            box = np.minimum(across, np.minimum(c.y - y0, y1 - c.y))
            c.blend("171a2b", c.edge(box + 0.006))
            c.blend(color, c.edge(box) * (0.9 - 0.35 * (c.y - y0) * rows * lit))
            if lit and c.random.random() < 0.6:
                drape = c.random.uniform(0.2, 0.45) / columns
                c.blend("8f2f3a", c.edge(np.minimum(box, (x0 + drape - c.x) * c.aspect)) * 0.75)
            cross = np.minimum(np.abs(c.x - (x0 + x1) / 2) * c.aspect, np.abs(c.y - (y0 + y1) / 2))
            c.blend("20243a", c.edge(0.0035 - cross) * c.edge(box))


def color_wheel(c):
    c.fill((0, "f5f1ea"), (1, "e6dfd3"))
    distance = c.distance(0.5, 0.5)
    angle = np.arctan2(c.y - 0.5, (c.x - 0.5) * c.aspect)
    disc = c.edge(0.42 - distance, 2)
    for channel in range(3):
        hue = 0.5 + 0.5 * np.cos(angle - channel * 2 * np.pi / 3)
        plane = c.pixels[:, :, channel]
        plane += (1 - (1 - hue) * np.clip(distance / 0.42, 0, 1) - plane) * disc
    c.blend("f5f1ea", c.edge(0.10 - distance, 2))


# MARK: Files


def make(number, name, width, height, kind, directory):
    canvas = Canvas(width, height, seed=1000 + number)
    alpha = globals()[name.replace("-", "_")](canvas)
    suffix = "png" if kind in ("png", "alpha") else "jpg"
    path = directory / f"{number:02}-{name}-{width}x{height}.{suffix}"
    if suffix == "jpg":
        canvas.grain(0.009)
        image = canvas.image()
        # Large pictures are seen small: their finest detail may be coarse.
        quality = 82 if width * height < 2_100_000 else 77
        image.save(path, quality=quality, subsampling=2, optimize=True,
                   progressive=kind == "progressive")
    else:
        image = canvas.image()
        if kind == "alpha":
            image.putalpha(Image.fromarray((np.clip(alpha, 0, 1) * 255 + 0.5).astype(np.uint8)))
        image.save(path, optimize=True)
    return path


def main():
    here = Path(__file__).resolve().parent
    directory = Path(sys.argv[1]) if len(sys.argv) > 1 else here / "photos"
    directory.mkdir(parents=True, exist_ok=True)
    total = 0
    for number, photo in enumerate(PHOTOS, start=1):
        path = make(number, *photo, directory)
        total += path.stat().st_size
        print(f"{path.stat().st_size:9}  {path.name}")
    print(f"{total:9}  in all")


if __name__ == "__main__":
    main()
