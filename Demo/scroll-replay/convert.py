#!/usr/bin/env python3
"""Makes a trace, which scroll-replay plays, of another tool's recording.

It reads what evemu-record, libinput record and Android's getevent -t or -lt print, sessions of
rrweb (an array, or one or more events a line) and Chrome traces with the category input: chrome
--trace-startup=input --trace-startup-format=json --trace-startup-file=FILE. The format is detected
by the content, which may be compressed by gzip. Memory grows only with what is kept.

The trace is written to standard output. Exit status: 0; 64 for wrong options; 65 for what is no
recording; 66 for what can't be read; 74 when the output can't be written.
"""

import argparse
import gzip
import io
import itertools
import json
import math
import re
import sys
import zlib
from collections import Counter, defaultdict

CHUNK = LONGEST_LINE = 64 * 1024
LONGEST_EVENT = 8 << 20  # in JSON
LIMIT = 4_000_000  # inputs and offsets: nine hours at 120 Hz
DAY = 86_400 * 10**9
sys.setrecursionlimit(5000)  # the pages in rrweb's snapshots are deep


class Refusal(Exception):
    """What was found in place of what was expected; `place` is `:line` or `: byte offset`."""

    def __init__(self, found, expected, place=""):
        super().__init__(f"found {found}, expected {expected}")
        self.place = place


def printable(text):
    return "".join(each if each.isprintable() else "?" for each in text)


def quoted(line):
    return f'"{printable(line[:40].decode("utf-8", "replace"))}{"…" * (len(line) > 40)}"'


def plain(number):
    """A number in as few digits as represent it exactly."""
    return repr(float(number)).removesuffix(".0")


def counted(count, noun):
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


class Source:
    """A file or standard input, decompressed if it is gzip: its lines, or its JSON's objects."""

    streams = ("data", "events", "traceEvents")  # arrays in an object at the top
    cut = ("the end in the middle", "the rest of the JSON")

    def __init__(self, file):
        self.is_packed = file.peek(2)[:2] == b"\x1f\x8b"
        self.file = gzip.GzipFile(fileobj=file) if self.is_packed else file
        # Whole lines, unless one is too long.
        self.start = self.file.read(CHUNK) + self.file.readline(LONGEST_LINE + 1)
        self.start = self.start.removeprefix(b"\xef\xbb\xbf")
        # Bytes are read as Latin-1, in which each is a character, so that indexes are offsets.
        self.text, self.index, self.passed = self.start.decode("latin-1"), 0, 0
        self.is_end, self.line = False, 0
        self.decoder = json.JSONDecoder(parse_int=float)

    def lines(self, expected):
        rest = iter(lambda: self.file.readline(LONGEST_LINE + 1), b"")
        for line in itertools.chain(io.BytesIO(self.start), rest):
            self.line += 1
            if len(line) > LONGEST_LINE:
                raise Refusal("a line of more than 64 KiB", expected)
            yield line.rstrip(b"\n")

    def events(self, may_stay_open=False):
        """The objects at the top of a JSON text, and those in its streams, one after the other."""
        brackets, item, name = "", {}, None  # those that are open
        while sign := self.sign():
            start, self.index = self.index, self.index + 1
            if sign == "[" and (not brackets or brackets == "{" and name in self.streams):
                brackets += sign
            elif sign == "{" and not brackets:
                brackets, item, name = sign, {}, None
            elif sign in "]}" and brackets[-1:] == {"]": "[", "}": "{"}[sign]:
                brackets = brackets[:-1]
                if sign == "}":
                    yield item
            elif sign in ",:" and brackets:
                name = name if sign == ":" else None
            else:
                self.index = start
                value = self.value()
                if brackets.endswith("[") and isinstance(value, dict):
                    yield value
                elif brackets == "{" and name is None and isinstance(value, str):
                    name = value
                elif brackets == "{":
                    item[name] = value
        if brackets and not (may_stay_open and brackets.endswith("[")):
            raise Refusal(*self.cut)

    def sign(self):
        """The next character that isn't blank; none at the end."""
        while True:
            self.read_on()
            self.index = re.compile(r"\s*").match(self.text, self.index).end()
            if self.index < len(self.text) or self.is_end:
                return self.text[self.index:self.index + 1]

    def value(self):
        try:
            value, self.index = self.decoder.raw_decode(self.text, self.index)
            return value
        except RecursionError:
            raise Refusal("too many values inside each other", "events") from None
        except json.JSONDecodeError as error:
            is_cut = error.msg.startswith("Unterminated") or error.pos == len(self.text)
            self.index = len(self.text) if is_cut else error.pos
            found, expected = self.cut if is_cut else (error.msg, "JSON")
            found = "an event of more than 8 MiB" if is_cut and not self.is_end else found
            raise Refusal(found, expected) from None

    def read_on(self):
        """Reads on if a whole event may not be there; far, so that little is moved twice."""
        if len(self.text) - self.index < LONGEST_EVENT and not self.is_end:
            more = self.file.read(LONGEST_EVENT).decode("latin-1")
            self.passed, self.is_end = self.passed + self.index, not more
            self.text, self.index = self.text[self.index:] + more, 0


class Recording:
    """Inputs and offsets with their original times, in nanoseconds."""

    def __init__(self):
        self.kept, self.notes, self.count = [], [], 0  # time, y or dy, phase, hand
        self.height = self.hz = self.first = None
        self.lack = "nothing", "inputs"  # what was found and expected, if nothing is kept

    def check(self, time):
        """Refuses a time that is far from others; returns it."""
        self.first = time if self.first is None else self.first
        if abs(time - self.first) > DAY:
            found = f"time {time / 1e9} in a recording with {self.first / 1e9}"
            raise Refusal(found, "a recording of a day at most")
        self.first = min(self.first, time)
        return time

    def measured(self, time, number):
        """A number of px with its time; refuses those out of range, and more than are kept."""
        self.count += 1
        if number is None:
            expected = '"y", "id" of a scroll and "target" of a jump to be numbers'
            raise Refusal("an event without a place", expected)
        if not -1e12 <= number <= 1e12:
            raise Refusal(f"{number!r} px", "px from -1e+12 to 1e+12")
        if self.count > LIMIT:
            raise Refusal(f"more than {LIMIT} inputs and offsets", "a shorter recording")
        return self.check(time), number

    def add(self, time, phase, number=0.0, hand=None):
        self.kept.append((*self.measured(time, number), phase, hand))

    def settle(self):
        """Puts all in the order of time; while a hand's finger is down, others are ignored."""
        events, self.kept, holder = self.kept, [], None
        # At the same time, the list is where it was before it was touched.
        for event in sorted(events, key=lambda each: (each[0], each[2] != "scroll")):
            phase, hand = event[2:]
            if hand is not None and (holder is not None if phase == "down" else hand != holder):
                continue
            if hand is not None:
                holder = hand if phase in ("down", "move") else None
            self.kept.append(event)
        if not self.kept:
            raise Refusal(*self.lack)

    def statement(self, title):
        phases = Counter(phase for _, _, phase, _ in self.kept)
        counts = {
            "stroke": phases["down"],
            "sample": sum(phases[each] for each in ("down", "move", "up", "cancel")),
            "wheel turn": phases["wheel"], "key": phases["key"], "jump": phases["jump"],
            "offset": phases["scroll"]}
        words = [counted(count, noun) for noun, count in counts.items() if count > 0]
        words.append(f"{(self.kept[-1][0] - self.first) / 1e9:.2f} s")
        notes = f" ({'; '.join(self.notes)})" if self.notes else ""
        return f"{title}: {', '.join(words)}{notes}"

    def lines(self):
        """The lines of the trace; the first has the facts about the screen."""
        facts = f',"viewport":{plain(self.height)}' if self.height is not None else ""
        facts += f',"hz":{self.hz}' if self.hz is not None else ""
        for time, number, phase, _ in self.kept:
            whole, part = divmod(time - self.first, 10**9)
            seconds = f"{whole}.{part:09}".rstrip("0").rstrip(".")
            name = {"wheel": "dy", "jump": "target"}.get(phase, "y")
            member = "" if phase == "key" else f'"{name}":{plain(number)},'
            yield f'{{"t":{seconds},{member}"phase":"{phase}"{facts}}}\n'
            facts = ""


# The kernel's input events that are used, by their names: types and codes.
EVENTS = dict(
    SYN_REPORT=(0, 0), SYN_MT_REPORT=(0, 2), SYN_DROPPED=(0, 3), REL_WHEEL=(2, 8),
    REL_WHEEL_HI_RES=(2, 11), KEY_PAGEUP=(1, 104), KEY_PAGEDOWN=(1, 109), KEY_HOME=(1, 102),
    KEY_END=(1, 107), KEY_UP=(1, 103), KEY_DOWN=(1, 108), KEY_SPACE=(1, 57), BTN_TOUCH=(1, 0x14A),
    BTN_TOOL_FINGER=(1, 0x145), BTN_TOOL_DOUBLETAP=(1, 0x14D), BTN_TOOL_TRIPLETAP=(1, 0x14E),
    BTN_TOOL_QUADTAP=(1, 0x14F), BTN_TOOL_QUINTTAP=(1, 0x148), ABS_X=(3, 0), ABS_Y=(3, 1),
    ABS_MT_SLOT=(3, 0x2F), ABS_MT_POSITION_Y=(3, 0x36), ABS_MT_TOOL_TYPE=(3, 0x37),
    ABS_MT_TRACKING_ID=(3, 0x39))
NAMES = {event: name for name, event in EVENTS.items()}
FINGERS = [name for name in EVENTS if name.startswith("BTN_TOOL_")]  # that count one to five
VALUES = dict(UP=0, DOWN=1, REPEAT=2, MT_TOOL_PALM=2, INPUT_PROP_POINTER=0, INPUT_PROP_DIRECT=1)
TOUCHPAD = "a touchpad, on which two fingers scroll"


class Contact:
    """A finger on a touch panel, as the kernel reports it in one slot."""

    y, identity, is_palm = None, -1, False
    is_new = is_mentioned = False  # in this frame

    def identify(self, identity):
        """Sets the tracking identity; a negative one means that the finger has lifted."""
        if identity >= 0 and identity != self.identity:
            self.is_new, self.is_palm = True, False
        self.identity = identity


class Device:
    """One device's events converted to touches, wheel turns and keys, frame by frame.

    On a touchscreen, the first finger that lands is followed; others are ignored until it has
    lifted. On a touchpad, two or more fingers are followed as one, and a single one is no input. A
    device without the property of either is a touchpad if it has keys that count fingers; some
    touchscreens have the key of one finger, beside that of a touch. After the kernel has dropped
    events, everything up to the next frame is ignored.
    """

    def __init__(self, options):
        # An axis is its minimum, maximum and units in a mm: that of slots, and of a single touch.
        self.options, self.axes, self.properties = options, defaultdict(lambda: (0, 0, 0)), set()
        self.contacts, self.last = defaultdict(Contact), None
        # The finger that is followed. When another of a touchpad takes over, the place stays, and
        # `shift` is how far it is from that finger's own.
        self.finger, self.identity, self.place, self.shift = None, -1, 0, 0
        self.slot = self.most_fingers = self.gaps = 0
        self.has_touch_key = self.has_slots = self.has_fine_wheel = self.is_discarding = False
        self.begin_frame()

    @property
    def is_touchpad(self):
        least = 1 if self.has_slots and self.has_touch_key else 0
        return 1 not in self.properties if self.properties else self.most_fingers > least

    @property
    def axis(self):
        return self.axes["ABS_MT_POSITION_Y" if self.has_slots else "ABS_Y"]

    def take(self, name, value):
        """Takes an event; at the end of a frame, returns the frame's inputs."""
        inputs = []
        if name == "SYN_REPORT":
            inputs = [] if self.is_discarding else self.end_frame()
            self.is_discarding = False
            self.begin_frame()
        elif name == "SYN_DROPPED":
            self.gaps, self.is_discarding = self.gaps + 1, True
            self.begin_frame()
        elif self.is_discarding:
            pass
        elif name == "SYN_MT_REPORT":
            raise Refusal("a panel that tells of all fingers in each frame", "one that has slots")
        elif name == "ABS_MT_SLOT":
            self.has_slots, self.slot = True, value
        elif name.startswith("ABS_MT_"):
            self.has_slots = True
            self.change(self.slot, name, value)
        elif name in ("ABS_X", "ABS_Y") and not self.has_slots:
            self.change(0, name, value)
        elif name == "BTN_TOUCH":
            self.has_touch_key = True
            if not self.has_slots:
                self.change(0, "ABS_MT_TRACKING_ID", 0 if value else -1)
        elif name in FINGERS:
            self.most_fingers = max(self.most_fingers, FINGERS.index(name) + 1)
        elif name.startswith("KEY_") and name in EVENTS:
            self.keys += value > 0
        elif name in ("REL_WHEEL", "REL_WHEEL_HI_RES"):
            self.turns[name] += value
            self.has_fine_wheel = self.has_fine_wheel or name == "REL_WHEEL_HI_RES"
        return inputs

    def change(self, slot, name, value):
        """Changes a contact; slots beyond those of any panel are ignored."""
        if not 0 <= slot < 256:
            return
        contact = self.contacts[slot]
        contact.is_mentioned = True
        if name in ("ABS_MT_POSITION_Y", "ABS_Y"):
            contact.y = value
        elif name == "ABS_MT_TOOL_TYPE":
            contact.is_palm = value == VALUES["MT_TOOL_PALM"]
        elif name == "ABS_MT_TRACKING_ID":
            contact.identify(value)

    def begin_frame(self):
        for contact in self.contacts.values():
            contact.is_new = contact.is_mentioned = False
        self.turns, self.keys = Counter(), 0

    def end_frame(self):
        wheel, fine = self.turns["REL_WHEEL"], self.turns["REL_WHEEL_HI_RES"] / 120
        turn = fine if self.has_fine_wheel else wheel
        wheels = [("wheel", -turn * self.options.notch)] if turn else []
        return self.follow(self.candidates()) + wheels + [("key", 0.0)] * min(self.keys, 16)

    def candidates(self):
        """The fingers that may be followed: any that lands, or those that scroll on a touchpad."""
        down = [each for _, each in sorted(self.contacts.items()) if each.identity >= 0]
        if not self.is_touchpad:
            return [each for each in down if each.is_new and each.y is not None]
        fingers = [each for each in down if not each.is_palm]
        return [each for each in fingers if each.y is not None] if len(fingers) > 1 else []

    def follow(self, candidates):
        """The inputs of the finger that is followed, or of one that is from now on."""
        inputs, finger, is_touchpad = [], self.finger, self.is_touchpad
        is_gone = finger and (finger.is_new or finger.identity != self.identity)
        if finger and is_touchpad and candidates and (is_gone or finger not in candidates):
            self.finger, self.identity = candidates[0], candidates[0].identity
            self.shift = self.place - candidates[0].y
        elif finger and (not candidates if is_touchpad else is_gone):
            self.finger, self.place = None, self.place if is_touchpad else finger.y
            is_taken = finger.is_palm or is_gone and finger.identity >= 0
            inputs.append(("cancel" if is_taken else "up", self.pixels()))
        elif finger and finger.is_mentioned:
            self.place = finger.y + self.shift
            inputs.append(("move", self.pixels()))
        if candidates and not self.finger:
            self.finger, self.identity = candidates[0], candidates[0].identity
            self.shift, self.place = 0, candidates[0].y
            inputs.append(("down", self.pixels()))
        return inputs

    def pixels(self):
        """The place in px, to a thousandth, which is finer than any panel."""
        minimum, _, resolution = self.axis
        # The resolution is units in a mm; an inch has 160 px.
        density = self.options.density or max(0, resolution) * 25.4 / 160 or 1
        return round((self.place - minimum) / density, 3)

    def notes(self):
        """What was found and assumed."""
        _, most, resolution = self.axis
        has_fingers = any(each.y is not None for each in self.contacts.values())
        if has_fingers and not self.options.density and resolution <= 0:
            yield f"a unit of the panel{f' (0 to {most})' if most > 0 else ''} taken for a px"
        if has_fingers and self.is_touchpad:
            yield TOUCHPAD
        if self.gaps:
            yield f"the kernel dropped events {counted(self.gaps, 'time')}"


# The tools that print them. Forms of lines have groups with names: an event has whole (seconds),
# part (their decimals) or micro, device, type, code and value; an axis code, least, most and
# resolution; other lines listed (a device, whose facts follow), properties, bits or untimed.
PARTS = {
    b"TIME": rb"(?P<whole>\d{1,10})(?:\.(?P<part>\d*))?",
    b"HEX": rb"[0-9a-fA-F]{1,8}\b", b"INT": rb"[+-]?\d{1,10}\b",
    b"WORD": rb"(?:[0-9a-fA-F]{4}|[A-Z]+_\w+)(?!\S)",
    b"VALUE": rb"(?:[0-9a-fA-F]{8}|DOWN|UP|REPEAT|MT_TOOL_\w+)(?!\S)",
    b"DEVICE": rb"/[^\s:]*",
    b"UNTIMED": rb"\s*(?:[0-9a-fA-F]{4}|EV_[A-Z]+)\s+\w{4,}\s+(?P<untimed>[0-9a-fA-F]{8})\s*$"}


class Tool:
    """A tool: a line that it prints, its numbers' bases, the start of some lines, forms of all."""

    def __init__(self, title, example, bases, *forms):
        self.title, self.example, self.bases = title, f'a line such as "{example}"', bases
        forms = (re.sub(rb"<([A-Z]+)>", lambda part: PARTS[part[1]], form) for form in forms)
        self.start, *self.forms = (re.compile(rb"\s*(?:" + form + rb")") for form in forms)

    def read(self, line):
        """What a line says, by the names of its form's groups."""
        for form in self.forms:
            if match := form.match(line):
                return match.groupdict()
        raise Refusal(quoted(line), self.example)

    def number(self, word, base=None):
        """A number, which has a sign if it is 32 bits, or that for which a name stands."""
        try:
            number = int(word, base or self.bases[0])
            return number - (number >> 31 << 32) if base == 16 else number
        except ValueError:
            return VALUES.get(word.decode("utf-8", "replace"), -1)

    def name(self, type, code):
        """The name of an event, or of none that is used."""
        if b"_" in code:
            return code.decode("utf-8", "replace")
        type, code = self.number(type), self.number(code)
        return NAMES.get((type, code), "ABS_MT_" if type == 3 and 0x30 <= code < 0x3F else "")

    def event(self, said, line):
        """The time in ns, the name and the value of an event."""
        part = said.get("part") or said.get("micro", b"").rjust(6, b"0")
        time = int(said["whole"]) * 10**9 + int(part[:9].ljust(9, b"0"))
        value = self.number(said["value"], self.bases[1])
        if not -1 << 31 <= value < 1 << 31:
            raise Refusal(quoted(line), self.example)
        return time, self.name(said["type"], said["code"]), value

    def properties(self, said):
        if "bits" in said:
            return {each for each in (0, 1) if int(said["bits"], 16) >> each & 1}
        return {self.number(each) for each in re.findall(rb"\w+", said.get("properties", b""))}


TOOLS = (
    Tool(
        "evemu", "E: 0.000001 0003 0036 0379", (16, 10), rb"# EVEMU|E: ",
        rb"E:\s*<TIME>\s+(?P<type><HEX>)\s+(?P<code><HEX>)\s+(?P<value><INT>)\s*(?:#|$)",
        rb"A:\s*(?P<code><HEX>)\s+(?P<least><INT>)\s+(?P<most><INT>)(?:\s+<INT>){0,2}"
        rb"(?:\s+(?P<resolution><INT>))?\s*$",
        rb"P:\s*(?P<bits><HEX>)", rb"#|$|P:|[NIBLSX].*:"),
    Tool(
        "libinput record", "- [  0,  81209,   3,  54,     368]", (10, 10),
        rb"# libinput record|- evdev:|ndevices:|- \[",
        rb"- \[\s*(?P<whole>\d{1,10})\s*,\s*(?P<micro>\d{1,6})\s*,"
        rb"\s*(?P<type><INT>)\s*,\s*(?P<code><INT>)\s*,\s*(?P<value><INT>)\s*\]",
        rb"- node:\s*(?P<listed>.*)",
        rb"(?P<code><INT>): \[\s*(?P<least><INT>)\s*,\s*(?P<most><INT>)\s*,(?:\s*<INT>\s*,){2}"
        rb"\s*(?P<resolution><INT>)\s*\]",
        rb"properties: \[(?P<properties>[\d,\s]*)\]", rb"(?!\s|- \[)|$"),
    Tool(
        "getevent", "[   53890.000001] /dev/input/event5: 0003 0036 0000017b", (16, 16),
        rb"add device |\[\s*\d+\.\d+\]\s*(?:/dev/|EV_|[0-9a-fA-F])|(?:<DEVICE>:)?<UNTIMED>",
        rb"\[\s*<TIME>\]\s*(?:(?P<device><DEVICE>):)?\s*(?P<type><WORD>)\s+(?P<code><WORD>)"
        rb"\s+(?P<value><VALUE>)\s*$",
        rb"(?:<DEVICE>:)?<UNTIMED>", rb"add device (?:.*?: )?(?P<listed>\S*)",
        rb"(?P<properties>INPUT_PROP_\w+)",
        rb"(?:ABS \(0003\): )?\s*(?P<code>\w+)\s*: value [^,]*, min (?P<least><INT>), "
        rb"max (?P<most><INT>)(?:,.*resolution (?P<resolution><INT>))?",
        rb"(?<=\s)[^\s\[]|$|[$#^]|remove device |could not "))


def read_input(tool, source, options):
    """Reads a recording of the kernel's events, of one or more devices."""
    recording, listed = Recording(), None
    devices = defaultdict(lambda: Device(options))
    for line in source.lines(tool.example):
        said = tool.read(line)
        if "untimed" in said:
            expected = "what getevent -t or getevent -lt prints; record again with -t"
            raise Refusal("an event without a time", expected)
        listed = said.get("listed", listed)
        path = said.get("device", listed)
        # Further devices than most machines have share the last.
        device = devices[path if path in devices or len(devices) < 64 else "others"]
        device.properties |= tool.properties(said) & {0, 1}  # a pointer, or touched directly
        if "least" in said and (name := tool.name(b"3", said["code"])) in EVENTS:
            device.axes[name] = [int(said[key] or 0) for key in ("least", "most", "resolution")]
        if "value" in said:
            time, *event = tool.event(said, line)
            # Each device's times are in order by themselves.
            if device.last is not None and time < device.last:
                found = f"time {time / 1e9} after {device.last / 1e9}"
                raise Refusal(found, "times that never go back")
            device.last = recording.check(time)
            for phase, number in device.take(*event):
                recording.add(time, phase, number, None if phase in ("wheel", "key") else device)
    recording.notes = sorted({note for each in devices.values() for note in each.notes()})
    recording.lack = ("no finger, no wheel and no key", "at least one")
    if TOUCHPAD in recording.notes:
        recording.lack = ("a touchpad, on which one finger only moves the pointer",
                          "two fingers, which scroll, a wheel or a key")
    return recording


def of(item, *names):
    """A member of a member, and so on; None if there is none."""
    for name in names:
        item = item.get(name) if isinstance(item, dict) else None
    return item


def number(item, *names):
    value = of(item, *names)
    return value if isinstance(value, float) else None


def nanoseconds(value, unit, expected):
    """A time in units of so many ns; as exact as it can be."""
    if value is None or not abs(value) * unit < 4e18:
        found = "an event without a time" if value is None else f"time {plain(value)}"
        raise Refusal(found, expected)
    return math.floor(value) * unit + round(value % 1 * unit)


def read_rrweb(source, _):
    """Reads a session of rrweb: the offsets of its scrollers, ten times a second, and touches.

    Pages name their own scrolls: rrweb.record.addCustomEvent("jump", {target: 0}).
    """
    recording, first, scrolls = Recording(), None, defaultdict(list)
    # At the same time a finger lands, then moves, then lifts.
    phases, ranks = {7: "down", 9: "up", 10: "cancel"}, {"down": 0, "move": 1}
    for item in source.events():
        kind, stamp, data = number(item, "type"), number(item, "timestamp"), of(item, "data")
        if kind is None:
            continue
        expected, news = '"timestamp" to be ms since 1970', []
        if stamp is not None and stamp < 0:
            raise Refusal(f"time {plain(stamp)}, before 1970", expected)
        time = recording.check(nanoseconds(stamp, 10**6, expected))
        action, top = (kind, number(data, "source")), number(data, "initialOffset", "top")
        if kind == 4 and recording.height is None and 1 <= (number(data, "height") or 0) <= 1e6:
            recording.height = number(data, "height")
        elif kind == 2 and first is None and top is not None:
            first = recording.measured(time, top)
        elif action == (3, 2) and number(data, "type") in phases:
            news = [(time, data, phases[number(data, "type")])]
        elif action == (3, 3):
            y, node = number(data, "y"), number(data, "id")
            scrolls[node].append(recording.measured(time, y if node is not None else None))
        elif action == (3, 6) and isinstance(of(data, "positions"), list):
            for each in of(data, "positions"):
                delay = nanoseconds(number(each, "timeOffset") or 0.0, 10**6, '"timeOffset" in ms')
                news.append((time + delay, each, "move"))
        elif kind == 5 and of(data, "tag") == "jump":
            recording.add(time, "jump", number(data, "payload", "target"))
        for moment, place, phase in news:
            recording.add(moment, phase, number(place, "y"), "hand")

    recording.kept.sort(key=lambda each: (each[0], ranks.get(each[2], 2)))
    add_scrolls(recording, scrolls, first)
    recording.lack = ("no scroll and no touch", "events of type 3 and source 3")
    return recording


def add_scrolls(recording, scrolls, first):
    """Adds the offsets of the node that scrolled most often, of equals the lowest."""
    document, node = 1, min(scrolls, key=lambda each: (-len(scrolls[each]), each), default=None)
    # Of several at one time, the last.
    points = list(dict(sorted(scrolls.get(node, ()), key=lambda each: each[0])).items())
    # The list rests at its first offset until it moves, so nothing joins that to the next.
    is_touched = any(phase == "down" for _, _, phase, _ in recording.kept)
    if first and (node == document and first[0] < points[0][0] if points else is_touched):
        recording.add(first[0], "scroll", first[1])
    for time, y in smooth(points) if points else ():
        recording.add(time, "scroll", y)
    if len(scrolls) > 1:
        recording.notes.append(f"node {plain(node)} of {len(scrolls)} that scroll")
    if points:
        recording.notes.append(f"{counted(len(points), 'recorded offset')}, smooth between them")


def smooth(points, frame=16_666_667, pause=200_000_000):
    """The points, and those of a monotone cubic between them (Fritsch and Butland, 1984).

    While a list moves, offsets come every 100 ms; after a pause, nothing is between two.
    """
    pairs = zip(points, points[1:])
    spans = [(float(after[0] - before[0]), after[1] - before[1]) for before, after in pairs]
    chords = [step / span if span <= pause else 0.0 for span, step in spans]
    slopes = chords[:1] + [
        2 * before * after / (before + after) if before * after > 0 else 0.0
        for before, after in zip(chords, chords[1:])] + chords[-1:]
    for index, (time, y) in enumerate(points):
        yield time, y
        span = spans[index][0] if index < len(spans) else 0
        moment, end = time + frame, y + (spans[index][1] if span else 0)
        while span <= pause and moment + frame // 2 < time + span:
            t = float(moment - time) / span
            u = 1 - t
            yield moment, (u * u * (1 + 2 * t) * y + t * t * (1 + 2 * u) * end
                           + span * t * u * (u * slopes[index] - t * slopes[index + 1]))
            moment += frame


UPDATE = "InputHandlerProxy::HandleGestureScrollUpdate_Result"
PAGE_KEYS = ("ArrowDown", "ArrowUp", "End", "Home", "PageDown", "PageUp", "Space")


def read_chrome(source, _):
    """Reads a Chrome trace: the offset after each scroll update, one for each frame, in no order.

    Wheel turns and key presses are in a trace with disabled-by-default-devtools.timeline.inputs.
    """
    recording, is_profile = Recording(), False
    for item in source.events(may_stay_open=True):
        is_profile = is_profile or of(item, "metadata", "source") == "DevTools"
        name, data, phase, y = of(item, "name"), of(item, "args", "data"), None, 0.0
        if name == UPDATE:
            phase, y = "scroll", number(item, "args", "scroll_deltas", "visual_offset_y")
        elif (name, of(data, "type")) == ("EventDispatch", "wheel"):
            phase, y = "wheel", number(data, "deltaY")
        elif (name, of(data, "type")) == ("EventDispatch", "keydown"):
            phase = "key" if of(data, "code") in PAGE_KEYS else None
        elif name == "ScrollJankV4" and recording.hz is None:
            span = number(item, "args", "scroll_jank_v4", "vsync_interval_us") or math.inf
            # The units say µs, but files with nanoseconds have been seen.
            rate = (1e9 if span > 1e6 else 1e6) / span
            recording.hz = int(rate + 0.5) if 1 <= rate <= 1000 else None
        if phase and y is not None:
            recording.add(nanoseconds(number(item, "ts"), 1000, '"ts" to be µs'), phase, y)
    found = " in a profile of DevTools' Performance panel" if is_profile else ""
    recording.lack = ("no offset of a scroll" + found, (
        f'the category "input" with {UPDATE}, as a current Chrome records it by Tracing.start of '
        "DevTools' protocol, or by chrome --trace-startup=input --trace-startup-format=json "
        "--trace-startup-file=FILE"))
    return recording


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
        for tool in TOOLS:
            if tool.start.match(line):
                return lambda *rest: read_input(tool, *rest), tool.title
    found = quoted(start.split(b"\n")[0]) if start.strip() else "nothing"
    expected = "what evemu, libinput record, getevent -t, rrweb or Chrome's tracing gives"
    raise Refusal(found, expected, ":1")


def read(path, options):
    """Reads a recording; returns it with the name of its format."""
    with open(0 if path == "-" else path, "rb") as file:
        try:
            source = Source(file)
            reader, title = detect(source.start)
            recording = reader(source, options)
            recording.settle()
            recording.notes += ["gzip"] if source.is_packed else []
            return recording, title
        except Refusal as refusal:
            byte = source.passed + source.index
            refusal.place = refusal.place or source.line and f":{source.line}" or f": byte {byte}"
            raise
        except EOFError:
            found = "the end of the file inside its gzip data"
        except (gzip.BadGzipFile, zlib.error):
            found = "damaged gzip data"
    raise Refusal(found, "a whole gzip file")


def ratio(word):
    if not 0.001 <= float(word) <= 1e6:
        raise argparse.ArgumentTypeError("it is from 0.001 to 1000000")
    return float(word)


def arguments(words):
    parser = argparse.ArgumentParser(
        prog="convert.py", formatter_class=argparse.RawDescriptionHelpFormatter,
        description=__doc__)
    parser.error = lambda message: parser.exit(64, f"convert.py: {message}\n")
    add = parser.add_argument
    add("recording", help="the recording; - is standard input")
    add("--density", type=ratio, metavar="N", help="how many units of the touch panel make a px")
    add("--notch", type=ratio, metavar="N", default=120.0, help="px of a wheel's notch (or 120)")
    return parser.parse_args(words)


def main(words):
    options = arguments(words)
    status, place = 66, options.recording
    try:
        recording, title = read(options.recording, options)
        print(printable(f"{place}: {recording.statement(title)}"), file=sys.stderr)
        status, place = 74, "standard output"
        sys.stdout.writelines(recording.lines())
        sys.stdout.flush()
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
