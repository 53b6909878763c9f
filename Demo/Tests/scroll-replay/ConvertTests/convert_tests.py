#!/usr/bin/env python3
"""The tests of Demo/scroll-replay/convert.py; `recordings` has files that the tools have written."""

import gzip
import importlib.util
import io
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import unittest
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest import mock

HERE = Path(__file__).parent
SCRIPT = HERE.parents[2] / "scroll-replay/convert.py"
sys.dont_write_bytecode = True
spec = importlib.util.spec_from_file_location("convert", SCRIPT)
convert = importlib.util.module_from_spec(spec)
spec.loader.exec_module(convert)

PANELS = ["panel.evemu", "panel.yml", "panel-lt.getevent", "panel-t.getevent"]
DENSITY = ["--density", str(63 * 25.4 / 160)]  # of the recorded panel, in units of a px


def run(content, *words):
    """What the script does with a recording: its status, the trace and what it tells."""
    content = content.encode() if isinstance(content, str) else content
    output, errors = io.StringIO(), io.StringIO()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "recording")
        path.write_bytes(content)
        with redirect_stdout(output), redirect_stderr(errors):
            status = convert.main([str(path), *words])
        return status, output.getvalue(), errors.getvalue().replace(str(path), "FILE")


def recorded(name):
    return (HERE / "recordings" / name).read_bytes()


class Tests(unittest.TestCase):
    maxDiff = None

    def trace(self, content, *words):
        status, trace, told = run(content, *words)
        self.assertEqual(status, 0, told)
        return [json.loads(line) for line in trace.splitlines()]

    def events(self, content, *words):
        """Each event such as "0.008 move 90"."""
        return [
            " ".join(str(each[name]) for name in ("t", "phase", "y", "dy") if name in each)
            for each in self.trace(content, *words)]

    def statement(self, content, *words):
        return run(content, *words)[2].strip().removeprefix("FILE: ")

    def refused(self, content, told, *words):
        """Expects a refusal: the place, what was found and what was expected, or their beginning."""
        status, trace, errors = run(content, *words)
        self.assertEqual((status, trace), (65, ""), errors)
        self.assertEqual(errors.count("\n"), 1)
        self.assertTrue(errors.startswith(f"convert.py: FILE{told}"), errors)


class ToolTests(Tests):
    """Recordings that the tools themselves have written."""

    def test_all_tools_say_of_one_panel_what_it_did(self):
        truth = [json.loads(line) for line in recorded("panel.jsonl").splitlines()]
        traces = set()
        for name in PANELS:
            words = DENSITY if name == "panel-t.getevent" else []
            said = self.statement(recorded(name), *words)
            self.assertTrue(said.endswith(
                ": 3 strokes, 20 samples, 5 wheel turns, 1 key, 1.17 s"), said)
            traces.add(run(recorded(name), *words)[1])
            trace = self.trace(recorded(name), *words)
            self.assertEqual(len(trace), len(truth))
            for one, other in zip(trace, truth):
                self.assertEqual(one["t"], other["t"])
                self.assertEqual(one["phase"], other["phase"])
                self.assertEqual(one.get("dy"), other.get("dy"))
                self.assertLessEqual(abs(one.get("y", 0) - other.get("y", 0)), 0.051)
        self.assertEqual(len(traces), 1)

    def test_a_session_of_rrweb_and_the_trace_of_chrome_are_of_one_fling(self):
        session = self.trace(recorded("session.json"))
        self.assertEqual(
            self.statement(recorded("session.json")),
            "rrweb: 1 stroke, 4 samples, 51 offsets, 1.19 s (9 recorded offsets, smooth between "
            "them)")
        chrome = self.trace(recorded("trace.json.gz"))
        self.assertEqual(
            self.statement(recorded("trace.json.gz")), "Chrome trace: 47 offsets, 0.77 s (gzip)")
        self.assertEqual((session[0]["viewport"], chrome[0]["hz"]), (800, 60))
        offsets = [each for each in session if each["phase"] == "scroll"]
        self.assertEqual((offsets[0]["y"], offsets[-1]["y"]), (20_000, chrome[-1]["y"]))

        def y(time):
            for before, after in zip(offsets, offsets[1:]):
                if before["t"] <= time <= after["t"]:
                    part = (time - before["t"]) / (after["t"] - before["t"])
                    return before["y"] + part * (after["y"] - before["y"])
            return offsets[0 if time < offsets[0]["t"] else -1]["y"]

        # The two clocks differ by an unknown time: that which fits best.
        errors = min((sorted(abs(y(each["t"] + shift / 1000) - each["y"]) for each in chrome)
                      for shift in range(600)), key=lambda errors: errors[len(errors) // 2])
        self.assertLess(errors[len(errors) * 9 // 10], 10)


FRAMES = {
    "w": "0002 0008", "h": "0002 000b", "k": "0001 006d", "t": "0001 014a", "f": "0001 0145",
    "d": "0001 014d", "q": "0001 014e", "y": "0003 0001", "s": "0003 002f", "!": "0000 0003",
    "m": "0000 0002"}


def evemu(frames, header=""):
    """Frames such as "39:1 36:100|36:90", one each 8 ms: contacts by code, and what FRAMES names."""
    for index, frame in enumerate(frames.split("|")):
        time = f"0.{index * 8000:06}"
        for word in frame.split():
            name, _, value = word.partition(":")
            header += f"E: {time} {FRAMES.get(name, '0003 00' + name)} {value or 0}\n"
        header += f"E: {time} 0000 0000 0\n"
    return header


class EventTests(Tests):
    """What the kernel's events mean, whoever has printed them."""

    def says(self, frames, expected, *words, header=""):
        found = []
        for event in self.trace(evemu(frames, header), *words):
            number = event.get("y", event.get("dy"))
            found.append(f"{event['t'] / 0.008:.0f} {event['phase']}"
                         + (f" {number}" if number is not None else ""))
        self.assertEqual(found, expected.split(", "))

    def test_on_a_touchscreen_the_first_finger_is_followed(self):
        self.says(
            "s:0 39:1 36:100|36:90|s:1 39:2 36:500|36:480|s:0 36:80|s:1 36:400|s:0 39:-1|"
            "s:1 36:300|s:0 39:3 36:700|39:-1|s:1 39:-1|39:4 36:50|39:-1",
            "0 down 100, 1 move 90, 4 move 80, 6 up 80, 8 down 700, 9 up 700, 11 down 50, 12 up 50")
        self.says("39:1 36:100|39:-1|39:2 35:7|39:-1", "0 down 100, 1 up 100, 2 down 100, 3 up 100")
        # One that was there before the recording isn't.
        self.says("36:90|36:80|39:-1|39:5 36:70|39:-1", "3 down 70, 4 up 70")
        self.says("39:1 36:9|37:2|39:-1", "0 down 9, 1 move 9, 2 cancel 9")

    def test_what_the_kernel_dropped_is_left_out_up_to_the_next_frame(self):
        self.says("39:1 36:100|36:90|36:80 ! 36:70|36:60|39:-1",
                  "0 down 100, 1 move 90, 3 move 60, 4 up 60")
        # The lift was lost, and another finger came: no fling is made up.
        self.says("39:1 36:100|36:90|! 39:-1|39:2 36:300|39:-1",
                  "0 down 100, 1 move 90, 3 cancel 300, 3 down 300, 4 up 300")
        said = self.statement("E: 0 0003 0039 1\nE: 0 0003 0036 9\nE: 0 0 0 0\nE: 1 0 0003 0\n")
        self.assertIn("the kernel dropped events 1 time", said)

    def test_one_finger_on_a_touchpad_is_no_input_and_two_scroll(self):
        frames = ("s:0 39:1 36:100 f:1 t:1|36:90|s:1 39:2 36:500 f:0 d:1|s:0 36:80 s:1 36:490|"
                  "s:1 36:480|s:0 36:70|s:1 39:-1 f:1 d:0|s:0 36:60|39:-1 f:0 t:0")
        scroll = "2 down 90, 3 move 80, 5 move 70, 6 up 70"
        self.says(frames, scroll, header="P: 05 00 00 00 00 00 00 00\n")
        # Without properties the first finger touches, until the keys tell of a second.
        self.says(frames, "0 down 100, 1 move 90, 3 move 80, 5 move 70, 6 up 70")
        # A panel that is touched directly has touches, whatever its keys are.
        self.says(
            frames, "0 down 100, 1 move 90, 3 move 80, 5 move 70, 7 move 60, 8 up 60",
            header="P: 02 00 00 00 00 00 00 00\n")
        # Another finger takes over without a jump; a palm isn't one.
        self.says(
            "s:0 39:1 36:100 s:1 39:2 36:500 s:2 39:3 36:900 q:1|s:0 36:90|"
            "s:0 39:-1 q:0 d:1|s:1 36:480|s:1 37:2|s:2 36:880",
            "0 down 100, 1 move 90, 3 move 70, 4 cancel 70")

    def test_a_touchscreen_may_have_the_key_of_one_finger(self):
        for header in ("", "P: 02 00 00 00 00 00 00 00\n"):
            for keys in ("t:1 f:1", "f:1 t:1"):
                lifted = keys.replace(":1", ":0")
                self.says(f"39:1 36:100 {keys}|36:90|39:-1 {lifted}",
                          "0 down 100, 1 move 90, 2 up 90", header=header)

    def test_panels_without_slots(self):
        self.says("y:100 t:1|y:90|t:0|y:70|y:60 t:1|t:0",
                  "0 down 100, 1 move 90, 2 up 90, 4 down 60, 5 up 60")
        self.refused(evemu("39:1 36:100 m"), ":3: found a panel that tells of all fingers in each ")

    def test_wheels_and_keys(self):
        self.says("w:1|w:-2", "0 wheel -120, 1 wheel 240")
        self.says("w:1", "0 wheel -53", "--notch", "53")
        self.says("w:1 h:120|h:-30|h:-30 w:-1|w:-1", "0 wheel -120, 1 wheel 30, 2 wheel 30")
        self.says("k:1|k:2|k:0", "0 key, 1 key")

    def test_units_become_px_by_resolution_or_density(self):
        for axis, words, expected in (
            ("", (), 2048), ("A: 36 0 4095 0 0 0\n", (), 2048),
            ("A: 36 1048 4095 0 0 100\n", (), 62.992),
            ("A: 36 0 4095 0 0 100\n", ("--density", "2.5"), 819.2),
            ("", ("--density", "16384"), 0.125),
        ):
            self.assertEqual(
                self.trace(evemu("39:1 36:2048", axis), *words)[0]["y"], expected)

    def test_whatever_fingers_do_strokes_land_before_they_move_and_lift_before_they_land(self):
        words = ("s:0 s:1 s:2 39:1 39:2 39:-1 36:5 36:900 37:2 37:0 y:7 t:1 t:0 f:1 f:0 d:1 d:0 "
                 "q:1 q:0 ! w:1").split()
        for seed in range(60):
            numbers = random.Random(seed)
            frames = " |".join(
                ["w:1"] + [" ".join(numbers.choices(words, k=numbers.randrange(6)))
                           for _ in range(120)])
            is_down = False
            for event in self.trace(evemu(frames, ["", "P: 01\n", "P: 02\n"][seed % 3])):
                if event["phase"] in ("wheel", "key"):
                    continue
                self.assertEqual(is_down, event["phase"] != "down")
                is_down = event["phase"] in ("down", "move")

    def test_a_recording_without_inputs_is_refused(self):
        self.refused("E: 0 0001 0145 1\nE: 0 0003 0039 1\nE: 0 0003 0036 9\nE: 0 0 0 0\n",
                     ":4: found a touchpad, on which one finger only moves the pointer, expected two")
        for text in (
            "# EVEMU 1.3\n", "add device 1: /dev/input/event0\n  name:     \"ts_panel\"\n",
            "# libinput record\ndevices:\n- node: /dev/input/event5\n",
            "E: 0 0003 0036 9\nE: 0 0 0 0\nE: 1 0003 0036 8\nE: 1 0 0 0\n",
        ):
            self.refused(text, f":{text.count(chr(10))}: found no finger, no wheel and no key")
        for text in (
            '{"traceEvents":[]}', '[{"type":4,"data":{"height":9},"timestamp":1}]',
            '[{"type":2,"data":{"initialOffset":{"top":5}},"timestamp":1},'
            '{"type":3,"data":{"source":2,"type":9,"y":1},"timestamp":2}]',
        ):
            self.refused(text, f": byte {len(text)}: found ")


STROKE = ["0 down 100", "0.008 move 90", "0.016 move 90", "0.024 up 90"]
GETEVENT = """\
[   53890.000001] 0003 0039 00000007
[   53890.000001] 0003 0036 00000064
[   53890.000001] 0000 0000 00000000
[   53890.008001] 0003 0036 0000005a
[   53890.008001] 0000 0000 00000000
[   53890.016001] 0003 0035 00000007
[   53890.016001] 0000 0000 00000000
[   53890.024001] 0003 0039 ffffffff
[   53890.024001] 0000 0000 00000000
"""
LABELLED = """\
add device 2: /dev/input/event5
  bus:      001c
  name:     "fts_ts"
  events:
    KEY (0001): KEY_POWER             BTN_TOUCH
                KEY_HOME              KEY_BACK             KEY_MENU
    ABS (0003): ABS_MT_SLOT           : value 0, min 0, max 9, fuzz 0, flat 0, resolution 0
                ABS_MT_POSITION_Y     : value 0, min 0, max 2399, fuzz 0, flat 0, resolution 0
  input props:
    INPUT_PROP_DIRECT
[   53890.000001] /dev/input/event5: EV_ABS       ABS_MT_TRACKING_ID   00000006
[   53890.000001] /dev/input/event5: EV_ABS       ABS_MT_TOOL_TYPE     MT_TOOL_FINGER
[   53890.000001] /dev/input/event5: EV_ABS       ABS_MT_POSITION_Y    00000064
[   53890.000001] /dev/input/event5: EV_KEY       BTN_TOUCH            DOWN
[   53890.000001] /dev/input/event5: EV_SYN       SYN_REPORT           00000000
[   53890.008001] /dev/input/event5: EV_ABS       ABS_MT_POSITION_Y    0000005a
[   53890.008001] /dev/input/event5: EV_MSC       MSC_TIMESTAMP        00004e20
[   53890.008001] /dev/input/event5: EV_SYN       SYN_REPORT           00000000
[   53890.016001] /dev/input/event5: EV_ABS       ABS_MT_POSITION_X    00000064
[   53890.016001] /dev/input/event5: EV_SYN       SYN_REPORT           00000000
[   53890.024001] /dev/input/event5: EV_ABS       ABS_MT_TRACKING_ID   ffffffff
[   53890.024001] /dev/input/event5: EV_KEY       BTN_TOUCH            UP
[   53890.024001] /dev/input/event5: EV_SYN       SYN_REPORT           00000000
^C
"""
DOWN = "E: 1.000000 0003 0039 1\nE: 1.000000 0003 0036 9\nE: 1.000000 0000 0000 0\n"


class LineTests(Tests):
    """The lines of the tools, and what isn't one."""

    def test_getevent_of_one_device_of_all_and_with_labels(self):
        self.assertEqual(self.events(GETEVENT), STROKE)
        header = ("add device 1: /dev/input/event5\n  name:     \"fts_ts\"\n"
                  "could not get driver version for /dev/input/mouse0, Not a typewriter\n")
        self.assertEqual(
            self.events(header + GETEVENT.replace("] ", "] /dev/input/event5: ")), STROKE)
        self.assertEqual(self.events(LABELLED), STROKE)
        self.assertEqual(
            self.statement(LABELLED), "getevent: 1 stroke, 4 samples, 0.02 s (a unit of the panel "
            "(0 to 2399) taken for a px)")

    def test_devices_may_be_told_one_a_little_after_the_other_or_one_by_one(self):
        self.assertEqual(self.events(
            "[   1.000020] /dev/input/event1: 0002 0008 00000001\n"
            "[   1.000020] /dev/input/event1: 0000 0000 00000000\n"
            "[   1.000010] /dev/input/event2: 0002 0008 ffffffff\n"
            "[   1.000010] /dev/input/event2: 0000 0000 00000000\n"),
            ["0 wheel 120", "1e-05 wheel -120"])

        def device(time, y):
            return (
                f"- node: /dev/input/event{y}\n  events:\n  - evdev:\n    - [{time}, 0, 3, 57, 1]\n"
                f"    - [{time}, 0, 3, 54, {y}]\n    - [{time}, 0, 0, 0, 0]\n  - evdev:\n"
                f"    - [{time + 1}, 0, 3, 57, -1]\n    - [{time + 1}, 0, 0, 0, 0]\n")
        self.assertEqual(
            self.events("# libinput record\n" + device(5, 50) + device(2, 70)),
            ["0 down 70", "1 up 70", "3 down 50", "4 up 50"])

    def test_while_one_devices_finger_is_down_those_of_others_are_ignored(self):
        text = ""
        for time, device, events in (
            (1, 1, ("0003 0039 00000001", "0003 0036 00000064")),
            (2, 2, ("0003 0039 00000001", "0003 0036 00000009")), (3, 2, ("0003 0036 00000008",)),
            (4, 1, ("0003 0039 ffffffff",)), (5, 2, ("0003 0036 00000007",)),
        ):
            for each in (*events, "0000 0000 00000000"):
                text += f"[   {time}.000000] /dev/input/event{device}: {each}\n"
        self.assertEqual(self.events(text), ["0 down 100", "3 up 100"])

    def test_libinput_tells_a_touchpad_by_its_properties(self):
        for properties, last in (("0, 2", "up 90"), ("1", "move 80"), ("0, 1", "move 80")):
            text = (f"# libinput record\n- node: /dev/input/event5\n  evdev:\n    absinfo:\n"
                    f"      54: [0, 479, 0, 0, 0]\n    properties: [{properties}]\n  events:\n")
            for event in (
                "0, 3, 47, 0", "0, 3, 57, 1", "0, 3, 54, 100", "0, 3, 47, 1", "0, 3, 57, 2",
                "0, 3, 54, 200", "0, 0, 0, 0", "8000, 3, 47, 0", "8000, 3, 54, 90", "8000, 0, 0, 0",
                "16000, 3, 47, 1", "16000, 3, 57, -1", "16000, 0, 0, 0", "24000, 3, 47, 0",
                "24000, 3, 54, 80", "24000, 0, 0, 0",
            ):
                text += f"    - [0, {event}]\n"
            self.assertTrue(self.events(text)[-1].endswith(last))

    def test_a_line_that_is_none_is_named_with_what_one_looks_like(self):
        self.refused(
            DOWN + "E: 1.0001 0003",
            ':4: found "E: 1.0001 0003", expected a line such as "E: 0.000001 0003 0036 0379"\n')
        for text in (
            DOWN + "hello\n", DOWN + "E: 99999999999999999999 0003 0036 1\n",
            DOWN + "E: 1.0 0003 0036 99999999999\n", DOWN + "E: nan 0003 0036 1\n",
            DOWN + "E: 1.0 ffffffffffffffffffff 0 1\n", DOWN + "A: 36 0 99999999999999999999\n",
        ):
            self.refused(text, ":4: found ")
        start = "[   1.000001] 0003 0036 00000174\n"
        self.refused(start + "[   1.000001] 0003 0036 000001", ":2: found ")
        self.refused("# libinput record\n    - [ 0, 1,\n", ":2: found ")
        self.refused(DOWN + "E: 0 " * 50_000, ":4: found a line of more than 64 KiB")

    def test_times_never_go_back_and_span_a_day_at_most(self):
        self.refused(DOWN + "E: 0.999999 0000 0000 0\n", ":4: found time 0.999999 after 1.0, expected "
                     "times that never go back\n")
        self.refused(DOWN + "E: 99999.0 0000 0000 0\n", ":4: found time 99999.0 in a recording with")

    def test_getevent_without_times_is_told_of_the_option(self):
        for text in ("/dev/input/event5: 0003 0036 00000174\n", "0003 0036 00000174\n"):
            self.refused(text, ":1: found an event without a time, expected what getevent -t or ")
        self.refused("add device 1: /dev/input/event5\n  name: \"a\"\n/dev/input/event5: EV_ABS  "
                     "     ABS_MT_POSITION_Y    00000174\n", ":3: found an event without a time")

    def test_what_is_unknown_is_refused_at_its_first_line(self):
        for text in ("", "\n \r\n"):
            self.refused(text, ":1: found nothing, expected what evemu, libinput record, getevent")
        for text in ("hello\n", "[1, 2, 3]", "[1.1]  wl_touch@3.motion(1, 0, 2, 3)",
                     "Event: time 1.0, type 3 (EV_ABS), code 54 (?), value 1"):
            self.refused(text, ":1: found ")
        self.refused(b"\x7fELF\0\1", ": byte 4: found binary data, expected UTF-8 text")
        self.refused(b"\xff\xfeE\0", ": byte 0: found UTF-16 text")
        self.refused('{"t":0,"y":0,"phase":"scroll"}\n', ":1: found a trace, expected a recording")

    def test_more_than_is_kept_is_refused(self):
        frames = "".join(f"E: {second}.0 0002 0008 1\nE: {second}.0 0 0 0\n" for second in range(20))
        with mock.patch.object(convert, "LIMIT", 20):
            self.assertEqual(len(self.trace(frames)), 20)
        with mock.patch.object(convert, "LIMIT", 10):
            self.refused(frames, ":22: found more than 10 inputs and offsets, expected a shorter")

    def test_gzip_may_have_parts_and_damage_is_named(self):
        text = (DOWN * 9).encode()
        parts = gzip.compress(text[:100]) + gzip.compress(text[100:])
        self.assertEqual(self.events(parts), self.events(text))
        self.assertEqual(self.events(b"\xef\xbb\xbf" + text), self.events(text))
        packed = bytearray(gzip.compress(text))
        self.refused(bytes(packed[:-9]), ": found the end of the file inside its gzip data")
        packed[12:24] = bytes(each ^ 0xFF for each in packed[12:24])
        self.refused(bytes(packed), ": found damaged gzip data, expected a whole gzip file")


META = '{"type":4,"data":{"href":"x","width":412,"height":915},"timestamp":1000}'
SNAPSHOT = ('{"type":2,"data":{"node":{"type":0,"childNodes":[{"id":5,"attributes":{"y":[1,{"x":2}]}'
            '}],"id":1},"initialOffset":{"left":0,"top":500}},"timestamp":1001}')


def scroll(time, y, node=1):
    return f'{{"type":3,"data":{{"source":3,"id":{node},"x":0,"y":{y}}},"timestamp":{time}}}'


def array(*events):
    return f"[{(',' + chr(10)).join(events)}]"


def event(name, time, args, category="input"):
    args = args if isinstance(args, str) else json.dumps(args)
    return (f'{{"name":"{name}","cat":"{category}","ph":"X","ts":{time},"dur":1,"args":{args}}}')


def update(time, y):
    return event(convert.UPDATE, time, {"scroll_deltas": {"visual_offset_y": y}})


class JSONTests(Tests):
    """rrweb's sessions and Chrome's traces."""

    def test_a_session_has_its_viewport_its_first_offset_and_a_smooth_way_between_offsets(self):
        text = array(META, SNAPSHOT, scroll(2000, 500), scroll(2100, 600), scroll(2200, 800),
                     scroll(4000, 900))
        trace = self.trace(text)
        self.assertEqual(trace[0], {"t": 0.001, "y": 500, "phase": "scroll", "viewport": 915})
        self.assertEqual(trace[-1], {"t": 3, "y": 900, "phase": "scroll"})
        self.assertEqual(len(trace), 1 + 1 + 5 + 1 + 5 + 1 + 1)
        offsets = [each["y"] for each in trace]
        self.assertEqual(offsets, sorted(offsets))
        turn = self.trace(array(META, *(scroll(2000 + 100 * index, y) for index, y in enumerate(
            (500, 600, 550, 550, 800)))))
        self.assertEqual(max(each["y"] for each in turn if each["t"] < 1.3), 600)
        self.assertAlmostEqual(min(each["y"] for each in turn if each["t"] > 1.1), 550)
        # Nothing between the motions: it rested.
        self.assertFalse([each for each in trace if 1.2 < each["t"] < 3])
        self.assertIn("4 recorded offsets, smooth between them", self.statement(text))

    def test_a_line_an_event_or_a_batch_a_line_is_read_alike(self):
        events = [META, SNAPSHOT, scroll(2000, 1), scroll(2100, 9)]
        expected = self.trace(array(*events))
        for text in (
            "\n".join(events) + "\n", f'{{"events":{array(*events)},"version":2}}',
            "\n".join(f'{{"window_id":"7","data":[{each}]}}' for each in events),
            json.dumps(json.loads(array(*events)), indent=2),
        ):
            self.assertEqual(self.trace(text), expected)

    def test_of_nested_scrollers_that_with_most_events_is_taken(self):
        text = array(META, SNAPSHOT, scroll(2000, 1), scroll(2000, 7, 40), scroll(2100, 8, 40))
        self.assertEqual(self.trace(text)[0]["y"], 7)
        self.assertIn("node 40 of 2 that scroll", self.statement(text))

    def test_touches_come_in_the_order_of_time_whenever_they_were_sent(self):
        def touch(kind, time, y):
            return (f'{{"type":3,"data":{{"source":2,"type":{kind},"id":5,"x":2,"y":{y}}},'
                    f'"timestamp":{time}}}')
        def moves(*places):
            positions = ",".join(f'{{"y":{y},"timeOffset":{time - 2150}}}' for time, y in places)
            return f'{{"type":3,"data":{{"source":6,"positions":[{positions}]}},"timestamp":2150}}'
        # At the same time a finger lands, then moves, then lifts.
        self.assertEqual(
            self.events(array(
                META, moves((2000, 95), (2050, 90)), touch(7, 2000, 100), touch(9, 2120, 70),
                moves((2100, 80), (2120, 75)), touch(5, 2200, 1))),
            ["1 down 100", "1 move 95", "1.05 move 90", "1.1 move 80", "1.12 move 75", "1.12 up 70"])

    def test_a_page_of_a_session_names_its_own_scrolls(self):
        def custom(time, payload, tag="jump"):
            return f'{{"type":5,"data":{{"tag":"{tag}","payload":{payload}}},"timestamp":{time}}}'
        text = array(META, SNAPSHOT, scroll(2000, 500), custom(2040, '{"target":0}'),
                     custom(2050, '{"target":9}', "click"), scroll(2500, 0))
        jumps = [each for each in self.trace(text) if each["phase"] != "scroll"]
        self.assertEqual(jumps, [{"t": 1.04, "target": 0, "phase": "jump"}])
        self.assertIn("1 jump, ", self.statement(text))
        for payload in ("{}", "null", '{"target":"top"}'):
            self.refused(array(META, custom(2040, payload)), ": byte")
        self.refused(array(META, custom(2040, '{"target":1e13}')), ": byte")

    def test_a_chrome_trace_is_in_no_order_may_lack_its_end_and_may_be_packed(self):
        jank = event("ScrollJankV4", 1, {"scroll_jank_v4": {"vsync_interval_us": 8333000}})
        bare = array(jank, update(30_000.5, 30), update(10_000, 10), update(20_000, 20))[:-1]
        for text in (bare, bare + "]", bare + ",\n", f'{{"displayTimeUnit":"ms","traceEvents":{bare}]}}',
                     f'{{"metadata":{{"source":[1]}},"traceEvents":{bare}]}}'):
            trace = self.trace(gzip.compress(text.encode()))
            self.assertEqual([(each["t"], each["y"]) for each in trace],
                             [(0, 10), (0.01, 20), (0.0200005, 30)])
            self.assertEqual(trace[0]["hz"], 120)

    def test_a_trace_without_offsets_is_told_what_it_lacks_and_how_to_record_it(self):
        paint = f'{{"traceEvents":[{event("Paint", 1, "{}", "devtools.timeline")}]}}'
        self.refused(paint, f": byte {len(paint)}: found no offset of a scroll, expected the category "
                     '"input"')
        profile = ('{"metadata": {\n  "source": "DevTools"\n},\n"traceEvents": ' + array(
            event("EventTiming", 2, {"data": {"type": "pointerdown"}}, "devtools.timeline"),
            event(convert.UPDATE, 3, {"scroll_deltas": {"provided_to_compositor_delta_y": 9}})) + "}\n")
        self.refused(
            profile, f": byte {len(profile)}: found no offset of a scroll in a profile of DevTools' "
            "Performance panel, expected ")
        inputs = array(*(event("EventDispatch", time, {"data": data}) for time, data in (
            (1000, {"type": "wheel", "deltaY": 53}), (2000, {"type": "keydown", "code": "PageDown"}),
            (3000, {"type": "keydown", "code": ["A"]}), (4000, {"type": "wheel", "deltaY": -53}))))
        self.assertEqual(self.events(inputs), ["0 wheel 53", "0.001 key", "0.003 wheel -53"])

    def test_a_time_before_1970_is_named_as_one_and_none_as_none(self):
        for time in ("-1", "-0.5", "-62135596800000", "-1e300"):
            text = array(META, f'{{"type":3,"data":{{"source":3}},"timestamp":{time}}}')
            self.refused(text, f": byte {len(text) - 1}: found time {convert.plain(float(time))}, before "
                         '1970, expected "timestamp" to be ms since 1970\n')
        for time, told in (("null", "an event without a time"), ("1e300", "time 1e+300")):
            text = array(META, f'{{"type":3,"data":{{"source":3}},"timestamp":{time}}}')
            self.refused(text, f": byte {len(text) - 1}: found {told}, expected ")

    def test_what_is_wrong_with_json_is_said_with_its_byte(self):
        text = array(META, scroll(2000, 1), scroll(2100, 9))
        self.refused(text[:-40], f": byte {len(text) - 40}: found the end in the middle, expected the ")
        self.refused(f"[{META},{{]", f": byte {len(META) + 3}: found ")
        self.refused(text.replace(":9}", ":1e999}"), f": byte {len(text) + 3}: found inf px")
        self.refused(array(META, '{"type":3,"data":{"source":3}}'), ": byte ")
        self.refused(array(META, scroll(200_000_000, 1)), ": byte ")
        self.refused(f"[{META},{'[' * 9000}", f": byte {len(META) + 2}: found too many values inside")

    def test_broken_bytes_are_an_error_with_a_place_or_a_trace(self):
        for name in PANELS + ["session.json"]:
            whole = recorded(name)
            for seed in range(60):
                numbers = random.Random(seed)
                content = bytearray(whole[:numbers.randint(1, len(whole))])
                for _ in range(numbers.randrange(12)):
                    place = numbers.randrange(len(content) or 1)
                    piece = numbers.choice([b"", b"9" * 20, bytes([numbers.randrange(256)]),
                                            b'{', b'"', b"-", b"\n"])
                    content[place:place + numbers.choice([0, 1, 40])] = piece
                status, trace, told = run(bytes(content))
                self.assertIn(status, (0, 65), told)
                self.assertEqual(bool(trace), status == 0)


class ProgramTests(unittest.TestCase):
    """The script as a program."""

    def script(self, *words, input=b"", **options):
        return subprocess.run([sys.executable, SCRIPT, *words], input=input, capture_output=True,
                              **options)

    def test_its_statuses(self):
        panel = str(HERE / "recordings/panel.evemu")
        piped = self.script("-", input=recorded("panel.evemu"))
        self.assertEqual((piped.returncode, piped.stdout), (0, self.script(panel).stdout))
        self.assertEqual(self.script("-", input=b"hello").returncode, 65)
        for missing in ("/nowhere", "/"):
            self.assertEqual(self.script(missing).returncode, 66)
        for wrong in ([], [panel, "--notch", "0"], [panel, "--density", "x"], [panel, "--no-such"]):
            self.assertEqual(self.script(*wrong).returncode, 64)

    def test_an_output_that_is_full_or_that_nobody_reads_is_told_in_a_line(self):
        reader, writer = os.pipe()
        os.close(reader)
        for output in (os.open("/dev/full", os.O_WRONLY), writer):
            program = subprocess.run([sys.executable, SCRIPT, HERE / "recordings/panel.evemu"],
                                     stdout=output, stderr=subprocess.PIPE)
            os.close(output)
            self.assertEqual(program.returncode, 74)
            self.assertEqual(program.stderr.count(b"\n"), 2, program.stderr)

    def test_a_recording_of_any_size_is_read_in_memory_that_does_not_grow_with_it(self):
        snapshot = b'{"type":2,"data":{"node":{"text":"%s"}},"timestamp":1000},' % (b"text " * 200_000)
        last = b'{"type":3,"data":{"source":3,"id":1,"x":0,"y":7},"timestamp":2000}]'
        wheel = b"E: 0.000001 0002 0008 1\nE: 0.000001 0000 0000 0\n"
        comment = b"# " + b"x" * 60_000 + b"\n"
        for pieces in ([b"["] + [snapshot] * 180 + [last], [wheel] + [comment] * 3000):
            program = subprocess.Popen(
                [sys.executable, SCRIPT, "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (120 << 20,) * 2))
            for piece in pieces:
                program.stdin.write(piece)
            trace, told = program.communicate()
            self.assertEqual((program.returncode, trace.count(b"\n")), (0, 1), told)


if __name__ == "__main__":
    unittest.main()
