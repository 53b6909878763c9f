import LullTesting
import Testing
import TraceFormats

/// One stroke, as each tool would print it.
struct DialectTests {
    /// Down at 100, a move to 90, one in which only x changes, up; a unit is a px.
    private let stroke: [Trace.Event] = [
        .init(nanoseconds: 0, .down(y: 100)), .init(nanoseconds: 8_000_000, .move(y: 90)),
        .init(nanoseconds: 16_000_000, .move(y: 90)), .init(nanoseconds: 24_000_000, .up(y: 90)),
    ]

    private func expect(
        _ text: String, _ dialect: TraceDialect, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let read = try Recorded(text)
        #expect(read.dialect == dialect, sourceLocation: sourceLocation)
        #expect(read.trace.events == stroke, sourceLocation: sourceLocation)
    }

    private let evemu = """
        E: 1358916661.266155 0003 0039 0007
        E: 1358916661.266155 0003 0035 0050
        E: 1358916661.266155 0003 0036 0100\t# EV_ABS / ABS_MT_POSITION_Y    100
        E: 1358916661.266155 0001 014a 0001
        E: 1358916661.266155 0000 0000 0000\t# ------------ SYN_REPORT (0) ----------
        E: 1358916661.274155 0003 0036 0090
        E: 1358916661.274155 0000 0000 0000
        E: 1358916661.282155 0003 0035 0051
        E: 1358916661.282155 0000 0000 0000
        E: 1358916661.290155 0003 0039 -001
        E: 1358916661.290155 0000 0000 0000
        """

    @Test func `evemu, without its header or with it`() throws {
        try expect(evemu, .evemu)
        try expect(
            "# EVEMU 1.3\n# Kernel: 6.1\nN: A panel\nI: 0018 0000 0000 0000\nB: 00 0b\n"
                + "A: 36 0 479 0 0\n" + evemu + "\n", .evemu)
    }

    @Test func `lines that end in CRLF and blanks`() throws {
        try expect(evemu.split(separator: "\n").joined(separator: " \t\r\n"), .evemu)
        try expect(getevent.split(separator: "\n").joined(separator: "   \r\n") + "\r\n", .getevent)
    }

    @Test func `libinput record, with keys that nobody knows`() throws {
        let events = evemu.split(separator: "\n").map { line in
            let words = line.split { $0 == " " || $0 == "\t" || $0 == "." }
            let (type, code) = (Int(words[3], radix: 16) ?? 0, Int(words[4], radix: 16) ?? 0)
            return "  - evdev:\n    - [\(words[1]), \(words[2]), \(type), \(code), "
                + "\(Int(words[5]) ?? 0)] # a name"
        }
        let text = """
            # libinput record
            version: 1
            devices:
            - node: /dev/input/event5
              something: [1, 2]
              evdev:
                absinfo:
                  54: [0, 479, 0, 0, 0]
              events:
            """
        try expect(text + "\n" + events.joined(separator: "\n"), .libinputRecord)
    }

    private let getevent = """
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

    @Test func `getevent -t, of one device and of all`() throws {
        try expect(getevent, .getevent)
        let all = getevent.replacing("] ", with: "] /dev/input/event5: ")
        try expect(
            "add device 1: /dev/input/event5\n  name:     \"fts_ts\"\n"
                + "could not get driver version for /dev/input/mouse0, Not a typewriter\n" + all,
            .getevent)
    }

    @Test func `getevent -lt, with what -lp printed before it`() throws {
        let labelled = """
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
        try expect(labelled, .getevent)
        #expect(
            try Recorded(labelled).statement
                == "getevent: 1 stroke, 4 samples, 0.02 s (a unit of the panel (0 to 2399) "
                + "taken for a px)")
    }

    /// The stroke above by two fingers on a touchpad.
    private func isScroll(_ text: String) throws -> Bool {
        let read = try Recorded(text)
        return read.trace.events == [
            .init(nanoseconds: 0, .down(y: 100)), .init(nanoseconds: 8_000_000, .move(y: 90)),
            .init(nanoseconds: 16_000_000, .up(y: 90)),
        ]
    }

    @Test func `libinput record tells of a touchpad by its properties`() throws {
        func text(_ properties: String) -> String {
            """
            # libinput record
            devices:
            - node: /dev/input/event5
              evdev:
                absinfo:
                  54: [0, 479, 0, 0, 0]
                properties: [\(properties)]
              events:
                - [0, 0, 3, 47, 0]
                - [0, 0, 3, 57, 1]
                - [0, 0, 3, 54, 100]
                - [0, 0, 3, 47, 1]
                - [0, 0, 3, 57, 2]
                - [0, 0, 3, 54, 200]
                - [0, 0, 0, 0, 0]
                - [0, 8000, 3, 47, 0]
                - [0, 8000, 3, 54, 90]
                - [0, 8000, 0, 0, 0]
                - [0, 16000, 3, 47, 1]
                - [0, 16000, 3, 57, -1]
                - [0, 16000, 0, 0, 0]
                - [0, 24000, 3, 47, 0]
                - [0, 24000, 3, 54, 80]
                - [0, 24000, 0, 0, 0]
            """
        }
        #expect(try isScroll(text("0, 2")))
        for properties in ["1", "0, 1", "", "2"] {
            #expect(try Recorded(text(properties)).trace.events.last?.input == .move(y: 80))
        }
    }

    @Test(arguments: [true, false])
    func `getevent tells of a touchpad by its properties and keys`(hasHeader: Bool) throws {
        let header = """
            add device 1: /dev/input/event5
              name:     "pad"
              input props:
                INPUT_PROP_POINTER
                INPUT_PROP_BUTTONPAD

            """
        let events = """
            [       0.000000] /dev/input/event5: EV_ABS       ABS_MT_TRACKING_ID   00000001
            [       0.000000] /dev/input/event5: EV_ABS       ABS_MT_POSITION_Y    00000064
            [       0.000000] /dev/input/event5: EV_ABS       ABS_MT_SLOT          00000001
            [       0.000000] /dev/input/event5: EV_ABS       ABS_MT_TRACKING_ID   00000002
            [       0.000000] /dev/input/event5: EV_ABS       ABS_MT_POSITION_Y    000000c8
            [       0.000000] /dev/input/event5: EV_KEY       BTN_TOOL_DOUBLETAP   DOWN
            [       0.000000] /dev/input/event5: EV_SYN       SYN_REPORT           00000000
            [       0.008000] /dev/input/event5: EV_ABS       ABS_MT_SLOT          00000000
            [       0.008000] /dev/input/event5: EV_ABS       ABS_MT_POSITION_Y    0000005a
            [       0.008000] /dev/input/event5: EV_SYN       SYN_REPORT           00000000
            [       0.016000] /dev/input/event5: EV_ABS       ABS_MT_TRACKING_ID   ffffffff
            [       0.016000] /dev/input/event5: EV_KEY       BTN_TOOL_DOUBLETAP   UP
            [       0.016000] /dev/input/event5: EV_KEY       BTN_TOOL_FINGER      DOWN
            [       0.016000] /dev/input/event5: EV_SYN       SYN_REPORT           00000000

            """
        let bare = events.split(separator: "\n").filter { !$0.contains("BTN_TOOL") }
        #expect(try isScroll(hasHeader ? header + bare.joined(separator: "\n") : events))
    }

    @Test func `getevent's touchscreen without properties is told by its positions and its key`()
        throws
    {
        func line(_ number: Int, _ event: String) -> String {
            "[    1200.\(250_000 + 8300 * number)] /dev/input/event0: \(event)\n"
        }
        func frame(_ number: Int, _ events: String...) -> String {
            (events + ["EV_SYN       SYN_REPORT           00000000"])
                .map { line(number, $0) }.joined()
        }
        let text =
            """
            add device 1: /dev/input/event3
              name:     "gpio-keys"
            add device 2: /dev/input/event0
              name:     "ts_panel"

            """
            + frame(
                0, "EV_ABS       ABS_MT_TRACKING_ID   00000051",
                "EV_KEY       BTN_TOUCH            DOWN", "EV_KEY       BTN_TOOL_FINGER      DOWN",
                "EV_ABS       ABS_MT_POSITION_Y    000005dc")
            + frame(1, "EV_ABS       ABS_MT_POSITION_Y    000005b4")
            + frame(
                2, "EV_ABS       ABS_MT_TRACKING_ID   ffffffff",
                "EV_KEY       BTN_TOUCH            UP", "EV_KEY       BTN_TOOL_FINGER      UP")
        #expect(
            try Recorded(text).trace.events == [
                .init(nanoseconds: 0, .down(y: 1500)),
                .init(nanoseconds: 8_300_000, .move(y: 1460)),
                .init(nanoseconds: 16_600_000, .up(y: 1460)),
            ])
    }

    @Test func `a byte order mark is passed over, and what is packed is unpacked`() throws {
        let bytes = Array(evemu.utf8)
        #expect(try Recorded(bytes: [0xEF, 0xBB, 0xBF] + bytes).trace.events == stroke)
        let packed = try Recorded(bytes: Recorded.packed(bytes))
        #expect(packed.trace.events == stroke)
        #expect(packed.statement.hasSuffix("(a unit of the panel taken for a px; gzip)"))
        let (one, two) = (bytes.prefix(100), bytes.dropFirst(100))
        let pieces = try Recorded.packed(Array(one)) + Recorded.packed(Array(two))
        #expect(try Recorded(bytes: pieces).trace.events == stroke)
    }
}
