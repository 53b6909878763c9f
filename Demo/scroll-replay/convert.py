#!/usr/bin/env python3
"""Makes a trace, which scroll-replay plays, of another tool's recording.

It reads what evemu-record, libinput record and Android's getevent -t or -lt print, sessions of
rrweb (an array, or one or more events a line) and Chrome traces with the category input: chrome
--trace-startup=input --trace-startup-format=json --trace-startup-file=FILE. The format is detected
by the content, which may be compressed by gzip. Memory grows only with what is kept.

Exit status: 0; 64 for wrong options; 65 for what is no recording; 66 for what can't be read; 73 for
a file that can't be made; 74 when the output can't be written.
"""

import argparse
import gzip
import itertools
import json
import math
import re
import sys
import unicodedata
import zlib
from collections import defaultdict

CHUNK = LONGEST_LINE = 64 * 1024
LONGEST_EVENT = 16 << 20  # in JSON
LIMIT = 4_000_000  # inputs and offsets: nine hours at 120 Hz
DAY = 86_400 * 10**9
KNOWN = "what evemu, libinput record, getevent -t, rrweb or Chrome's tracing gives"
sys.setrecursionlimit(5000)  # the pages in rrweb's snapshots are deep


class Refusal(Exception):
    """What was found in place of what was expected; `place` is `:line` or `: byte offset`."""

    def __init__(self, found, expected, place=""):
        super().__init__(f"found {found}, expected {expected}")
        self.place = place


def printable(text):
    kinds = ("Cc", "Cf", "Zl", "Zp")
    return "".join("?" if unicodedata.category(each) in kinds else each for each in text)


def quoted(line):
    return f'"{printable(line[:40].decode("utf-8", "replace"))}{"…" * (len(line) > 40)}"'


def plain(number):
    """A number in as few digits as represent it exactly."""
    return repr(float(number)).removesuffix(".0")


def counted(count, noun):
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


class Source:
    """The bytes of a file or of standard input in chunks, decompressed if they are gzip."""

    def __init__(self, file):
        self.is_packed = file.peek(2)[:2] == b"\x1f\x8b"
        self.file = gzip.GzipFile(fileobj=file) if self.is_packed else file
        self.start = self.read().removeprefix(b"\xef\xbb\xbf")

    def read(self):
        try:
            return self.file.read(CHUNK)
        except EOFError:
            found = "the end of the file inside its gzip data"
        except (gzip.BadGzipFile, zlib.error):
            found = "damaged gzip data"
        raise Refusal(found, "a whole gzip file")

    def chunks(self):
        return itertools.chain([self.start], iter(self.read, b""))

    def lines(self, expected):
        """The lines with their numbers, in constant memory."""
        count, rest = 1, b""
        for chunk in itertools.chain(self.chunks(), [None]):
            *lines, rest = (rest + chunk).split(b"\n") if chunk is not None else [rest, b""]
            for index, line in enumerate(lines + [rest]):
                if len(line) > LONGEST_LINE:
                    raise Refusal("a line of more than 64 KiB", expected, f":{count}")
                if index < len(lines) and (line or chunk):
                    yield count, line
                    count += 1


class Recording:
    """Inputs and offsets with their original times, in nanoseconds."""

    def __init__(self):
        self.kept, self.notes = [], []  # (time, phase, y or dy)
        self.height, self.hz, self.start, self.first = None, None, None, None

    def check(self, time, number=0.0, count=0):
        """Refuses a time, a number of px, or more than are kept; returns the time."""
        self.first = time if self.first is None else self.first
        if abs(time - self.first) > DAY:
            found = f"time {time / 1e9} in a recording with {self.first / 1e9}"
            raise Refusal(found, "a recording of a day at most")
        if not -1e12 <= number <= 1e12:
            raise Refusal(f"{number!r} px", "px from -1e+12 to 1e+12")
        if count > LIMIT:
            raise Refusal(f"more than {LIMIT} inputs and offsets", "a shorter recording")
        self.first = min(self.first, time)
        return time

    def add(self, time, phase, number=0.0):
        self.kept.append((self.check(time, number, len(self.kept) + 1), phase, number))

    def finish(self):
        """Puts all in the order of time, offsets first; it starts with the first at the latest."""
        self.kept.sort(key=lambda each: (each[0], each[1] != "scroll"))
        self.start = min(self.kept[0][0], self.kept[0][0] if self.start is None else self.start)

    def statement(self, title):
        phases = [phase for _, phase, _ in self.kept]
        counts = {
            "stroke": phases.count("down"),
            "sample": sum(phase in ("down", "move", "up", "cancel") for phase in phases),
            "wheel turn": phases.count("wheel"), "key": phases.count("key"),
            "offset": phases.count("scroll")}
        words = [counted(count, noun) for noun, count in counts.items() if count > 0]
        hundredths = (self.kept[-1][0] - self.start + 5_000_000) // 10_000_000
        words.append(f"{hundredths // 100}.{hundredths % 100:02} s")
        return f"{title}: {', '.join(words)}" + (f" ({'; '.join(self.notes)})" if self.notes else "")

    def lines(self):
        """The lines of the trace; the first has the facts about the screen."""
        facts = f',"viewport":{plain(self.height)}' if self.height is not None else ""
        facts += f',"hz":{self.hz}' if self.hz is not None else ""
        for time, phase, number in self.kept:
            whole, part = divmod(time - self.start, 10**9)
            seconds = f"{whole}.{part:09}".rstrip("0").rstrip(".")
            name = "dy" if phase == "wheel" else "y"
            member = "" if phase == "key" else f'"{name}":{plain(number)},'
            yield f'{{"t":{seconds},{member}"phase":"{phase}"{facts}}}\n'
            facts = ""


# The kernel's input events

SYN, KEY, REL, ABS = range(4)
REPORT, CONTACT_END, DROPPED = 0, 2, 3
TOUCH = 0x14A
FINGERS = {0x145: 1, 0x14D: 2, 0x14E: 3, 0x14F: 4, 0x148: 5}  # BTN_TOOL_FINGER to QUINTTAP
SCROLL_KEYS = {104, 109, 102, 107, 103, 108, 57}  # page up and down, home, end, up, down, space
WHEEL, FINE_WHEEL = 8, 11
Y, SLOT, CONTACT, MT_Y, TOOL, TRACKING, PALM = 1, 0x2F, 0x30, 0x36, 0x37, 0x39, 2

# The names that getevent -l prints, of types, and of codes as far as they are used.
TYPES = dict(EV_SYN=0, EV_KEY=1, EV_REL=2, EV_ABS=3, EV_MSC=4, EV_SW=5, EV_LED=17, EV_SND=18,
             EV_REP=20, EV_FF=21, EV_PWR=22, EV_FF_STATUS=23)
CODES = dict(
    SYN_REPORT=REPORT, SYN_MT_REPORT=CONTACT_END, SYN_DROPPED=DROPPED, BTN_TOUCH=TOUCH,
    KEY_PAGEUP=104, KEY_PAGEDOWN=109, KEY_HOME=102, KEY_END=107, KEY_UP=103, KEY_DOWN=108,
    KEY_SPACE=57, BTN_TOOL_FINGER=0x145, BTN_TOOL_DOUBLETAP=0x14D, BTN_TOOL_TRIPLETAP=0x14E,
    BTN_TOOL_QUADTAP=0x14F, BTN_TOOL_QUINTTAP=0x148, REL_WHEEL=WHEEL, REL_WHEEL_HI_RES=FINE_WHEEL,
    ABS_Y=Y, ABS_MT_SLOT=SLOT, ABS_MT_POSITION_Y=MT_Y, ABS_MT_TOOL_TYPE=TOOL,
    ABS_MT_TRACKING_ID=TRACKING)
VALUES = dict(DOWN=1, UP=0, REPEAT=2, MT_TOOL_PALM=PALM)


class Contact:
    """A finger on a touch panel, as the kernel reports it in one slot."""

    def __init__(self):
        self.y, self.is_down, self.is_palm, self.identity, self.stroke = None, False, False, -1, 0
        self.end_frame()

    def identify(self, identity):
        """Sets the tracking identity; a negative one means that the finger has lifted."""
        if identity >= 0 and (not self.is_down or identity != self.identity):
            self.stroke, self.is_palm = self.stroke + 1, False
        self.is_down, self.identity, self.is_mentioned = identity >= 0, identity, True

    @property
    def change(self):
        """What has happened in the frame."""
        if self.is_down != self.was_down:
            return "landed" if self.is_down else "lifted"
        return "replaced" if self.is_down and self.stroke != self.old_stroke else None

    def end_frame(self):
        self.was_down, self.old_stroke, self.is_mentioned = self.is_down, self.stroke, False


class Device:
    """One device's events converted to touches, wheel turns and keys, frame by frame.

    On a touchscreen, the first finger that lands is followed; others are ignored until it has
    lifted. On a touchpad, two or more fingers are followed as one, and a single one is no input. A
    device that hasn't reported which it is is a touchpad if it has keys that count fingers; some
    touchscreens have the key of one finger, beside that of a touch. After the kernel has dropped
    events, everything up to the next frame is ignored.
    """

    def __init__(self, options):
        # An axis is its minimum, maximum and units in a mm: that of slots, and of a single touch.
        self.options, self.axes, self.surface = options, {MT_Y: (0, 0, 0), Y: (0, 0, 0)}, None
        self.contacts, self.slot, self.followed, self.present = [], 0, None, None
        # Where the followed finger was last, and how far that is from the contact's place: when
        # another finger of a touchpad takes over, the place stays.
        self.place, self.shift = 0, 0
        self.fingers, self.most_fingers, self.gaps = 0, 0, 0
        self.has_touch_key = self.has_slots = self.has_fine_wheel = self.is_discarding = False
        self.reset_frame()

    @property
    def is_touchpad(self):
        least = 1 if self.has_slots and self.has_touch_key else 0
        return self.surface == "touchpad" or not self.surface and self.most_fingers > least

    @property
    def has_fingers(self):
        return any(contact.y is not None for contact in self.contacts)

    @property
    def axis(self):
        return self.axes[MT_Y if self.has_slots else Y]

    @property
    def note(self):
        """Which unit was taken for a px, if one had to be."""
        _, maximum, resolution = self.axis
        has_unit = self.options.density or self.options.touch_range or resolution > 0
        span = f" (0 to {maximum})" if maximum > 0 else ""
        is_taken = self.has_fingers and not has_unit
        return [f"a unit of the panel{span} taken for a px"] if is_taken else []

    def take(self, type, code, value):
        """Takes an event; at the end of a frame, returns the frame's inputs."""
        inputs = []
        if (type, code) == (SYN, REPORT):
            inputs = [] if self.is_discarding else self.end_frame()
            self.is_discarding = False
            self.reset_frame()
        elif (type, code) == (SYN, DROPPED):
            self.gaps, self.is_discarding = self.gaps + 1, True
            self.reset_frame()
        elif self.is_discarding:
            pass
        elif (type, code) == (SYN, CONTACT_END):
            self.end_contact()
        elif (type, code) == (ABS, SLOT):
            self.has_slots, self.slot = True, value
        elif type == ABS and CONTACT <= code <= 0x3E:
            self.has_slots = True
            self.change(self.slot, code, value)
        elif type == ABS and code in (0, Y) and not self.has_slots:
            self.change(0, MT_Y if code == Y else CONTACT, value)
        elif (type, code) == (KEY, TOUCH):
            self.has_touch_key = True
            if not self.has_slots:
                self.change(0, TRACKING, 0 if value else -1)
        elif type == KEY and code in FINGERS:
            self.most_fingers = max(self.most_fingers, FINGERS[code])
            if value > 0 or self.fingers == FINGERS[code]:
                self.fingers = FINGERS[code] if value > 0 else 0
        elif type == KEY and value > 0 and code in SCROLL_KEYS:
            self.keys += 1
        elif (type, code) == (REL, WHEEL):
            self.wheel += value
        elif (type, code) == (REL, FINE_WHEEL):
            self.has_fine_wheel, self.fine_wheel = True, self.fine_wheel + value
        return inputs

    def change(self, slot, code, value):
        """Changes a contact; slots beyond those of any panel are ignored."""
        if not 0 <= slot < 256:
            return
        self.contacts += [Contact() for _ in range(slot + 1 - len(self.contacts))]
        contact = self.contacts[slot]
        contact.is_mentioned = True
        if code == MT_Y:
            contact.y = value
        elif code == TOOL:
            contact.is_palm = value == PALM
        elif code == TRACKING:
            contact.identify(value)

    def end_contact(self):
        """Ends a contact of a panel without slots, which tells of all contacts in each frame."""
        self.has_slots, self.present = True, self.present or set()
        if 0 <= self.slot < len(self.contacts) and self.contacts[self.slot].is_mentioned:
            if not self.contacts[self.slot].is_down:
                self.contacts[self.slot].identify(0)
            self.present.add(self.slot)
            self.slot += 1

    def end_frame(self):
        for index, contact in enumerate(self.contacts if self.present is not None else []):
            if index not in self.present:
                contact.identify(-1)
        inputs = self.scroll() if self.is_touchpad else self.touch()
        turn = self.fine_wheel / 120 if self.has_fine_wheel else float(self.wheel)
        inputs += [("wheel", -turn * self.options.notch)] if turn else []
        return inputs + [("key", 0.0)] * min(self.keys, 16)

    def touch(self):
        """The inputs of the finger that is followed, or of one that is from now on."""
        inputs, finger = [], self.followed
        if finger and finger.y is not None:
            self.place = finger.y
            if finger.change in ("lifted", "replaced"):
                inputs.append(self.lift(finger.change == "replaced" or finger.is_palm))
            elif finger.change is None and finger.is_mentioned:
                inputs.append(("move", self.pixels()))
        landed = [contact for contact in self.contacts
                  if contact.change in ("landed", "replaced") and contact.y is not None]
        if landed and not self.followed:
            self.followed, self.place = landed[0], landed[0].y
            inputs.append(("down", self.pixels()))
        return inputs

    def scroll(self):
        """The inputs of two or more fingers on a touchpad: the movement of one of them."""
        down = [contact for contact in self.contacts if contact.is_down]
        known = [contact for contact in down if not contact.is_palm and contact.y is not None]
        palms, finger = sum(contact.is_palm for contact in down), self.followed
        if not known or max(len(down), self.fingers) - palms < 2:
            return [self.lift(finger.is_palm)] if finger else []
        if not finger:
            self.followed, self.shift, self.place = known[0], 0, known[0].y
            return [("down", self.pixels())]
        if finger not in known or finger.change:
            self.followed, self.shift = known[0], self.place - known[0].y
        elif finger.is_mentioned:
            self.place = finger.y + self.shift
            return [("move", self.pixels())]
        return []

    def lift(self, is_palm):
        self.followed = None
        return ("cancel" if is_palm else "up", self.pixels())

    def pixels(self):
        """The place in px, to a thousandth, which is finer than any panel."""
        minimum, _, resolution = self.axis
        units, options = float(self.place) - float(minimum), self.options
        if options.density:
            units /= options.density
        elif options.touch_range:
            units = units / options.touch_range * options.viewport
        elif resolution > 0:  # units in a mm; an inch has 160 px
            units = units / float(resolution) * (160 / 25.4)
        return int(units * 1000 + math.copysign(0.5, units)) / 1000

    def reset_frame(self):
        for contact in self.contacts:
            contact.end_frame()
        self.fine_wheel = self.wheel = self.keys = 0
        self.slot = self.slot if self.present is None else 0
        self.present = None


# The tools. `read` returns what a line says, without blanks at its start: None, if that is nothing
# that the tool prints, or a tuple of "event", device, time, type, code and value; of "axis", device,
# code and three numbers; of "surface", device and what it is; or of "devices", after which another
# device's times begin anew.

TIME = rb"([+-]?\d{1,10})(?:\.(\d*))?"
NUMBER = rb"[ \t\r]*([+-]?\d{1,18})(?!\d)"
HEX = rb"[ \t\r]*([+-]?[0-9a-fA-F]{1,15})(?![0-9a-fA-F])"


def event(device, whole, part, type, code, value):
    """An event at so many seconds; None if its value is none of the kernel's."""
    time = abs(int(whole)) * 10**9 + int((part or b"")[:9].ljust(9, b"0"))
    time = -time if whole.startswith(b"-") else time
    return ("event", device, time, type, code, value) if -1 << 31 <= value < 1 << 31 else None


def surface(properties):
    """The meaning of fingers on a device with some of the kernel's properties, if they tell."""
    return "touchscreen" if 1 in properties else "touchpad" if 0 in properties else None


class Evemu:
    title, example = "evemu", 'a line such as "E: 0.000001 0003 0036 0379"'
    start = re.compile(rb"# EVEMU|E: ")
    event = re.compile(rb"E:[ \t\r]*" + TIME + HEX + HEX + NUMBER + rb"[ \t\r]*(?:#|$)")
    axis = re.compile(rb"A:" + HEX + NUMBER + NUMBER + rb"(?:" + 3 * NUMBER + rb")?(?![ \t\r]*\d)")
    others = re.compile(rb"#|$|P:|[NIBLSX].*:")

    def read(self, text, line):
        if match := self.event.match(text):
            return event(0, match[1], match[2], int(match[3], 16), int(match[4], 16), int(match[5]))
        if match := self.axis.match(text):
            return ("axis", 0, int(match[1], 16), *map(int, match.group(2, 3)), int(match[6] or 0))
        if match := re.match(rb"P:" + HEX, text):
            return ("surface", 0, surface([n for n in (0, 1) if int(match[1], 16) >> n & 1]))
        return () if self.others.match(text) else None


class LibinputRecord:
    title = "libinput record"
    example = 'a line such as "- [  0,  81209,   3,  54,     368]"'
    start = re.compile(rb"# libinput record|- evdev:|ndevices:|- \[")
    form = re.compile(rb"(- |properties: |[+-]?\d+: )\[((?:" + NUMBER + rb"[ \t\r]*,)*"
                      + NUMBER + rb"[ \t\r]*)\]")

    def __init__(self):
        self.device = -1

    def read(self, text, line):
        device, match = max(self.device, 0), self.form.match(text)
        values = [int(each) for each in match[2].split(b",")] if match else []
        if text.startswith(b"- ["):
            is_event = len(values) == 5 and 0 <= values[0] <= 9 * 10**9 and 0 <= values[1] < 10**6
            return event(device, b"%d" % values[0], b"%06d" % values[1], *values[2:]) if is_event else None
        if text.startswith(b"- node:"):
            self.device += 1
            return ("devices",)
        if match and match[1] == b"properties: ":
            return ("surface", device, surface(values))
        if len(values) == 5:
            return ("axis", device, int(match[1][:-2]), values[0], values[1], values[4])
        return ()


class Getevent:
    title = "getevent"
    example = 'a line such as "[   53890.000001] /dev/input/event5: 0003 0036 0000017b"'
    stamp = rb"\[[ \t\r]*" + TIME + rb"\][ \t\r]*"
    start = re.compile(rb"add device |" + stamp + rb"(?:/dev/|EV_|[0-9a-fA-F])")
    form = re.compile(rb"(?:" + stamp + rb")?(?:(/[^ \t\r:]*):)?" + 3 * rb"[ \t\r]*([^ \t\r]+)(?![^ \t\r])"
                      + rb"[ \t\r]*$")
    axis = re.compile(rb"(?:ABS \(0003\): )?[ \t\r]*(\w+)[ \t\r]*: value .*?min" + NUMBER
                      + rb".*?max" + NUMBER + rb"(?:.*?resolution" + NUMBER + rb")?")
    others = re.compile(rb"[ \t\r]|$|[$#^]|remove device |could not ")

    def __init__(self):
        self.devices, self.listed = {}, None

    def read(self, text, line):
        event = self.event(text)
        if text.startswith(b"["):
            return event
        if match := re.match(rb"add device (?:.*?: )?([^ \t\r]*)", line):
            self.listed = match[1]
        elif match := re.match(rb"INPUT_PROP_(POINTER|DIRECT)", text):
            return ("surface", self.number(self.listed), surface([match[1] == b"DIRECT"]))
        elif match := self.axis.match(text):
            numbers = int(match[2]), int(match[3]), int(match[4] or 0)
            return ("axis", self.number(self.listed), self.named(match[1], CODES), *numbers)
        elif event:
            expected = "what getevent -t or getevent -lt prints; record again with -t"
            raise Refusal("an event without a time", expected)
        elif not self.others.match(line):
            return None
        return ()

    def event(self, text):
        if not (match := self.form.match(text)):
            return None
        type, code = self.named(match[4], TYPES), self.named(match[5], CODES)
        name = match[6].decode("utf-8", "replace")
        value = VALUES.get(name, 0 if name.startswith("MT_TOOL_") else None)
        if re.fullmatch(r"[0-9a-fA-F]{8}", name):
            value = int(name, 16) - (int(name, 16) >> 31 << 32)
        if None in (type, code, value):
            return None
        return event(self.number(match[3]), match[1] or b"0", match[2], type, code, value)

    def number(self, path):
        """The number of a device: further ones than most machines have share the last."""
        if path and len(self.devices) < 64:
            self.devices.setdefault(path, len(self.devices) + 1)
        return self.devices.get(path, 64) if path else 0

    @staticmethod
    def named(word, names):
        """A number of four hexadecimal digits, or that for which a name stands."""
        if re.fullmatch(rb"[0-9a-fA-F]{4}", word):
            return int(word, 16)
        name = word.decode("utf-8", "replace")
        match = re.match(r"(ABS_MT_)|ABS_|KEY_|BTN_|REL_|SYN_|MSC_|SW_|LED_|SND_", name)
        if name in names or names is TYPES or not match:
            return names.get(name)
        return CONTACT if match[1] else -1  # what else a contact has; no device's code


def read_events(source, tool, options):
    """Reads a recording of the kernel's events, of one or more devices."""
    recording, lasts, holder, count = Recording(), {}, None, 1
    devices = defaultdict(lambda: Device(options))
    for count, line in source.lines(tool.example):
        try:
            said = tool.read(line.lstrip(b" \t\r"), line)
            if said is None:
                raise Refusal(quoted(line), tool.example)
            kind, *rest = said or ("nothing",)
            if kind == "devices":
                holder = None
            elif kind == "axis" and rest[1] in (MT_Y, Y):
                devices[rest[0]].axes[rest[1]] = rest[2:]
            elif kind == "surface" and rest[1] and devices[rest[0]].surface != "touchscreen":
                devices[rest[0]].surface = rest[1]
            elif kind == "event":
                key, time, *event = rest
                # Each device's times are in order by themselves.
                if time < lasts.get(key, time):
                    found = f"time {time / 1e9} after {lasts[key] / 1e9}"
                    raise Refusal(found, "times that never go back")
                lasts[key] = recording.check(time)
                for phase, place in devices[key].take(*event):
                    # While one device's finger is down, other devices' fingers are ignored.
                    holder = key if phase == "down" and holder is None else holder
                    if phase in ("wheel", "key") or holder == key:
                        recording.add(time, phase, place)
                        holder = None if phase in ("up", "cancel") else holder
        except Refusal as refusal:
            refusal.place = f":{count}"
            raise
    known = [devices[key] for key in sorted(devices)]
    has_touchpad = any(device.is_touchpad and device.has_fingers for device in known)
    if not recording.kept and has_touchpad:
        raise Refusal("a touchpad, on which one finger only moves the pointer",
                      "two fingers, which scroll, a wheel or a key", f":{count}")
    if not recording.kept:
        raise Refusal("no finger, no wheel and no key", "at least one", f":{count}")
    recording.notes += sum((device.note for device in known), [])[:1]
    recording.notes += ["a touchpad, on which two fingers scroll"] if has_touchpad else []
    if gaps := sum(device.gaps for device in known):
        recording.notes.append(f"the kernel dropped events {counted(gaps, 'time')}")
    recording.start = recording.first
    return recording


# JSON


class Events:
    """The objects of a JSON text, one after the other: those at the top, and those in an array there.

    Such an array may also be a member of an object at the top, with one of the names `streams`.
    """

    streams = ("data", "events", "traceEvents")

    def __init__(self, source, may_stay_open):
        self.chunks, self.may_stay_open = source.chunks(), may_stay_open
        # Bytes are read as Latin-1, in which each is a character, so that places are bytes.
        self.text, self.place, self.passed, self.is_end = "", 0, 0, False
        self.decoder = json.JSONDecoder(parse_int=float)

    @property
    def byte(self):
        return self.passed + self.place

    def more(self):
        """Reads on, as much as there is already, so that little is looked at twice."""
        self.passed, pieces, count = self.byte, [self.text[self.place:]], 0
        while not self.is_end and count <= len(pieces[0]):
            pieces.append(next(self.chunks, b"").decode("latin-1"))
            self.is_end, count = not pieces[-1], count + len(pieces[-1])
        self.text, self.place = "".join(pieces), 0

    def peek(self):
        """The next character that isn't blank; none at the end."""
        while True:
            self.place = re.compile(r"\s*").match(self.text, self.place).end()
            if self.place < len(self.text) or self.is_end:
                return self.text[self.place:self.place + 1]
            self.more()

    def value(self):
        while True:
            try:
                value, end = self.decoder.raw_decode(self.text, self.place)
                if end < len(self.text) or self.is_end:
                    self.place = end
                    return value
            except RecursionError:
                raise Refusal("too many values inside each other", "events of a recording") from None
            except json.JSONDecodeError as error:
                left = 0 if error.msg.startswith("Unterminated") else len(self.text) - error.pos
                if left > 9 or self.is_end:  # It isn't that the rest hasn't been read.
                    self.place = len(self.text) - left
                    raise Refusal(*((error.msg, "JSON") if left else self.cut)) from None
            if len(self.text) - self.place > LONGEST_EVENT:
                raise Refusal("an event of more than 16 MiB", "events of a recording")
            self.more()

    cut = ("the end in the middle", "the rest of the JSON")

    def __iter__(self):
        brackets, item, name = "", {}, None  # those that are open
        while sign := self.peek():
            if sign == "[" and (not brackets or brackets == "{" and name in self.streams):
                brackets, self.place = brackets + sign, self.place + 1
            elif sign == "{" and not brackets:
                brackets, self.place, item, name = sign, self.place + 1, {}, None
            elif sign in "]}" and brackets[-1:] == {"]": "[", "}": "{"}[sign]:
                brackets, self.place = brackets[:-1], self.place + 1
                if sign == "}":
                    yield item
            elif sign in ",:" and brackets:
                name, self.place = name if sign == ":" else None, self.place + 1
            else:
                value = self.value()
                if brackets.endswith("[") and isinstance(value, dict):
                    yield value
                elif brackets == "{" and name is None and isinstance(value, str):
                    name = value
                elif brackets == "{":
                    item[name] = value
        if brackets and not (self.may_stay_open and brackets.endswith("[")):
            raise Refusal(*self.cut)


def of(item, *names):
    """A member of a member, and so on; None if there is none."""
    for name in names:
        item = item.get(name) if isinstance(item, dict) else None
    return item


def number(item, *names):
    value = of(item, *names)
    return value if isinstance(value, float) else None


def scaled(value, unit):
    """A number of units of so many ns in ns; None if that is out of range."""
    if value is None or not abs(value) < 2.0**63:
        return None
    rest = (value - int(value)) * unit
    ns = int(value) * unit + int(rest + math.copysign(0.5, rest))
    return ns if abs(ns) <= 4 * 10**18 else None


def time_of(item, name, unit, meaning):
    value, expected = number(item, name), f'"{name}" to be {meaning}'
    if value is None:
        raise Refusal("an event without a time", expected)
    if scaled(value, unit) is None:
        raise Refusal(f"time {plain(value)}", expected)
    return scaled(value, unit)


def read_rrweb(events, options):
    """Reads a session of rrweb: the offsets of its scrollers, ten times a second, and touches."""
    recording, first, touches, scrolls = Recording(), None, [], defaultdict(list)
    counter, meaning = itertools.count(1), "ms since 1970"

    def touch(time, phase, data):
        y = number(data, "y")
        if y is None:
            raise Refusal("a touch without a place", '"y" to be a number')
        touches.append((recording.check(time, y, next(counter)), phase, y))

    for item in events:
        kind, stamp, data = number(item, "type"), number(item, "timestamp"), of(item, "data")
        if kind is None:
            continue
        if stamp is not None and stamp < 0:
            raise Refusal(f"time {plain(stamp)}, before 1970", f'"timestamp" to be {meaning}')
        time = recording.check(time_of(item, "timestamp", 10**6, meaning))
        action, top = (kind, number(data, "source")), number(data, "initialOffset", "top")
        if kind == 4 and recording.height is None and 1 <= (number(data, "height") or 0) <= 1e6:
            recording.height = number(data, "height")
        elif kind == 2 and first is None and top is not None:
            first = (recording.check(time, top), top)
        elif action == (3, 2):
            phase = {7: "down", 9: "up", 10: "cancel"}.get(number(data, "type"))
            if phase:
                touch(time, phase, data)
        elif action == (3, 3):
            node, y = scaled(number(data, "id"), 1), number(data, "y")
            if node is None or y is None:
                raise Refusal("a scroll without a place", '"id" and "y" to be numbers')
            scrolls[node].append((recording.check(time, y, next(counter)), y))
        elif action == (3, 6) and isinstance(of(data, "positions"), list):
            for each in of(data, "positions"):
                touch(time + (scaled(number(each, "timeOffset"), 10**6) or 0), "move", each)

    recording.start, is_down = recording.first, False
    # At the same time a finger lands, then moves, then lifts.
    ranks = {"down": 0, "move": 1}
    for each in sorted(touches, key=lambda each: (each[0], ranks.get(each[1], 2))):
        if is_down != (each[1] == "down"):
            is_down = each[1] in ("down", "move")
            recording.add(*each)
    add_scrolls(recording, scrolls, first, options.node)
    if not recording.kept:
        raise Refusal("no scroll and no touch", "events of type 3 and source 3")
    return recording


def add_scrolls(recording, scrolls, first, node):
    """Adds the offsets of a node, by default that with the most events, of equals the lowest.

    Those within a motion are joined by a smooth curve; an offset after a pause stands alone.
    """
    document, pause = 1, 200_000_000  # while it moves, offsets come every 100 ms
    if node is not None and node not in scrolls:
        known = ", ".join(map(str, sorted(scrolls)[:8]))
        raise Refusal(f"no scroll of node {node}", f"one of {known}" if known else "a node that scrolls")
    if node is None and scrolls:
        node = min(scrolls, key=lambda each: (-len(scrolls[each]), each))
    # Of several at one time, the last.
    points = list(dict(sorted(scrolls.get(node, ()), key=lambda each: each[0])).items())
    # The list rests at its first offset until it moves, so nothing joins that to the next.
    is_before = node == document and first and first[0] < points[0][0] if points else recording.kept
    if first and is_before:
        recording.add(first[0], "scroll", first[1])
    if not points:
        return
    if node != document or len(scrolls) > 1:
        others = f" of {len(scrolls)} that scroll" if len(scrolls) > 1 else ""
        recording.notes.append(f"node {node}{others}")
    recording.notes.append(f"{counted(len(points), 'recorded offset')}, smooth between them")
    start = 0
    for index, (time, _) in enumerate(points, 1):
        if index == len(points) or points[index][0] - time > pause:
            for moment, y in smooth(points[start:index]):
                recording.add(moment, "scroll", y)
            start = index


def smooth(points, frame=16_666_667):
    """The points, and those of a monotone cubic between them (Fritsch and Carlson, 1980)."""
    spans = [float(after[0] - before[0]) for before, after in zip(points, points[1:])]
    steps = [after[1] - before[1] for before, after in zip(points, points[1:])]
    chords = [step / span for step, span in zip(steps, spans)]
    slopes = chords[:1]
    for before, after, first, second in zip(chords, chords[1:], spans, spans[1:]):
        weight = (first + 2 * second) / (3 * (first + second))
        slopes.append(before * after / (weight * after + (1 - weight) * before)
                      if before * after > 0 else 0.0)
    slopes += chords[-1:]
    for index, (time, y) in enumerate(points):
        yield time, y
        moment = time + frame
        while index < len(spans) and moment + frame // 2 < points[index + 1][0]:
            span, end = spans[index], points[index + 1][1]
            t = float(moment - time) / span
            u = 1 - t
            yield moment, (u * u * (1 + 2 * t) * y + t * t * (1 + 2 * u) * end
                           + span * t * u * (u * slopes[index] - t * slopes[index + 1]))
            moment += frame


REQUEST = "InputHandlerProxy::HandleGestureScrollUpdate"
UPDATE = REQUEST + "_Result"
OLD_WHEEL = "InputHandlerProxy::handle_input wheel scroll"
# The names of events that are about scrolls and don't have their distances.
WITHOUT_OFFSET = {
    "EventDispatch", "EventTiming", "EventLatency", "InputLatency::GestureScrollUpdate",
    "InputLatency::MouseWheel", "LatencyInfo.Flow", "ScrollLayer",
    "InputHandlerProxy::HandleGestureFling::started", "InputHandlerProxy::scrollBy"}
PAGE_KEYS = {"ArrowDown", "ArrowUp", "End", "Home", "PageDown", "PageUp", "Space"}


def read_chrome(events, options):
    """Reads a Chrome trace: the offset after each scroll update, one for each frame, in no order.

    Where it has only the distances of the updates, as that of an older Chrome, they are summed.
    Wheel turns and key presses are in a trace with disabled-by-default-devtools.timeline.inputs.
    """
    recording, count, seen, distances = Recording(), 0, set(), defaultdict(list)
    has_category = is_profile = has_offsets = False
    for item in events:
        is_profile = is_profile or of(item, "metadata", "source") == "DevTools"
        name, args, distance = of(item, "name"), of(item, "args"), None
        data, deltas = of(args, "data"), of(args, "scroll_deltas")
        offset = number(deltas, "visual_offset_y")
        if not isinstance(name, str):
            continue
        count += 1
        # An event with several categories is recorded with any of them.
        has_category = has_category or of(item, "cat") == "input"
        seen |= {name} & WITHOUT_OFFSET
        kept = None
        if name == UPDATE and offset is not None:
            kept, has_offsets = ("scroll", offset), True
        elif name == UPDATE and number(deltas, "provided_to_compositor_delta_y") is not None:
            distance = -number(deltas, "provided_to_compositor_delta_y")
        elif name in (REQUEST, OLD_WHEEL):
            distance = number(args, "dy" if name == REQUEST else "deltaY")
        elif name == "EventDispatch" and of(data, "type") == "wheel":
            kept = number(data, "deltaY") is not None and ("wheel", number(data, "deltaY"))
        elif name == "EventDispatch" and of(data, "type") == "keydown":
            kept = of(data, "code") in PAGE_KEYS and ("key",)
        elif name == "ScrollJankV4" and recording.hz is None:
            span = number(args, "scroll_jank_v4", "vsync_interval_us") or math.inf
            # The units say µs, but files with nanoseconds have been seen.
            rate = (1e9 if span > 1e6 else 1e6) / span
            recording.hz = int(rate + 0.5) if 1 <= rate <= 1000 else None
        # The distances aren't needed where the offsets are.
        if kept or distance is not None and not has_offsets:
            time = time_of(item, "ts", 1000, "µs")
            if kept:
                recording.add(time, *kept)
            else:
                recording.check(time, distance, len(distances[name]) + 1)
                distances[name].append((time, distance))

    updates = sorted(distances[UPDATE] or distances[REQUEST], key=lambda each: each[0])
    if updates and not has_offsets:
        sums = list(itertools.accumulate(distance for _, distance in updates))
        # The start isn't recorded; the highest place is taken for the top of the list.
        for (time, _), place in zip(updates, sums):
            recording.add(time, "scroll", place - min(0.0, *sums))
        recording.notes.append("distances summed, as the offset isn't recorded")
    for time, distance in distances[OLD_WHEEL] if not recording.kept else ():
        recording.add(time, "wheel", distance)
    if not recording.kept:
        found = "a profile of DevTools' Performance panel: " if is_profile else ""
        found += counted(count, "event") + " and no offset of a scroll"
        found += ", only events without it: " + ", ".join(sorted(seen)) if seen else ""
        raise Refusal(found, (
            f"at least one {UPDATE}, as a current Chrome records for a list that scrolls"
            if has_category else
            'the category "input", which has them: record again with it, by Tracing.start of the '
            "DevTools protocol, or by chrome --trace-startup=input --trace-startup-format=json "
            "--trace-startup-file=FILE"))
    return recording


# What a recording is


def detect(start):
    """The reader of a recording that begins so, and the name of its format."""
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Refusal("UTF-16 text", "UTF-8 text", ": byte 0")
    if b"\0" in start:
        raise Refusal("binary data", "UTF-8 text", f": byte {start.index(0)}")
    if start.lstrip().startswith((b"{", b"[")):
        names = re.findall(rb'"([^"\\]*)"\s*:', start)
        if b"phase" in names and b"t" in names:
            raise Refusal("a trace", "a recording of another tool; scroll-replay plays this", ":1")
        if {b"traceEvents", b"ph", b"displayTimeUnit"} & set(names) or names[:1] == [b"metadata"]:
            return read_chrome, "Chrome trace"
        if b"window_id" in names or b"type" in names and {b"timestamp", b"data"} & set(names):
            return read_rrweb, "rrweb"
    for line in start.split(b"\n"):
        text = line.lstrip(b" \t\r")
        for tool in (Evemu, LibinputRecord, Getevent):
            if tool.start.match(text) or tool is Getevent and tool().event(text):
                return tool(), tool.title
    found = quoted(start.split(b"\n")[0]) if start.strip() else "nothing"
    raise Refusal(found, KNOWN, ":1")


def read(path, options):
    """Reads a recording; returns it with the name of its format."""
    with open(0 if path == "-" else path, "rb") as file:
        source = Source(file)
        reader, title = detect(source.start)
        if hasattr(reader, "read"):
            recording = read_events(source, reader, options)
        else:
            events = Events(source, may_stay_open=reader is read_chrome)
            try:
                recording = reader(events, options)
            except Refusal as refusal:
                refusal.place = refusal.place or f": byte {events.byte}"
                raise
    recording.finish()
    recording.notes += ["gzip"] if source.is_packed else []
    return recording, title


def arguments(words):
    parser = argparse.ArgumentParser(
        prog="convert.py", formatter_class=argparse.RawDescriptionHelpFormatter,
        description=__doc__)
    parser.error = lambda message: parser.exit(64, f"convert.py: {message}\n")
    add = parser.add_argument
    add("recording", help="the recording; - is standard input")
    add("-o", "--output", help="the file to write (default: standard output)")
    number = dict(type=float, metavar="N")
    add("--viewport", default=800.0, help="its height in px, for --touch-range (default 800)", **number)
    add("--touch-range", help="how many units of the panel make the viewport's height", **number)
    add("--density", help="how many units of the touch panel make a px", **number)
    add("--notch", default=120.0, help="how many px a wheel's notch is (default 120)", **number)
    add("--node", type=int, metavar="N", help="which node of an rrweb recording scrolls (default: that "
        "with most events)")
    options = parser.parse_args(words)
    for name in ("viewport", "touch_range", "density", "notch"):
        if not 0.001 <= (1 if getattr(options, name) is None else getattr(options, name)) <= 1e6:
            parser.error(f"--{name.replace('_', '-')} is from 0.001 to 1000000")
    if options.touch_range and options.density:
        parser.error("--density says all that --touch-range does")
    return options


def main(words):
    options = arguments(words)
    status, place = 66, options.recording
    try:
        recording, title = read(options.recording, options)
        print(printable(f"{place}: {recording.statement(title)}"), file=sys.stderr)
        status, place = 73, options.output
        output = open(options.output, "w") if options.output else sys.stdout
        status, place = 74, options.output or "standard output"
        output.writelines(recording.lines())
        output.flush()
        return 0
    except Refusal as refusal:
        status, text = 65, f"{options.recording}{refusal.place}: {refusal}"
    except (OSError, ValueError) as error:
        text = f"{place}: {getattr(error, 'strerror', None) or error}"
    if status == 74:
        sys.stdout = None  # Python would try again at its end, and fail with another status.
    print(printable(f"convert.py: {text}"), file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
