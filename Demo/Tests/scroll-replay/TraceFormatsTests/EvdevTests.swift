import LullTesting
import TestSupport
import Testing
import TraceFormats

/// The meaning of the kernel's events, whoever printed them.
struct EvdevTests {
    /// Reads frames such as "39:1 36:100 | 36:90": contacts by code, "w" wheel, "h" fine wheel,
    /// "k" key, "s" slot, "!" events dropped, "m" the end of a contact, "f", "d" and "q" one, two
    /// and three fingers on a touchpad; a frame each 8 ms.
    private func events(
        _ frames: String, after header: String = "", options: TraceFileOptions = .init()
    ) throws -> [String] {
        var text = header
        for (index, frame) in frames.split(separator: "|").enumerated() {
            let time = "0.\(String(1_000_000 + index * 8000).dropFirst())"
            for word in frame.split(whereSeparator: \.isWhitespace) {
                let parts = word.split(separator: ":")
                let value = parts.count > 1 ? parts[1] : "0"
                let code =
                    switch parts[0] {
                    case "w": "0002 0008"
                    case "h": "0002 000b"
                    case "k": "0001 006d"
                    case "t": "0001 014a"
                    case "f": "0001 0145"
                    case "d": "0001 014d"
                    case "q": "0001 014e"
                    case "y": "0003 0001"
                    case "s": "0003 002f"
                    case "!": "0000 0003"
                    case "m": "0000 0002"
                    default: "0003 00\(parts[0])"
                    }
                text += "E: \(time) \(code) \(value)\n"
            }
            text += "E: \(time) 0000 0000 0000\n"
        }
        return try Recorded(text, options: options).trace.events.map { event in
            let time = event.nanoseconds / 8_000_000
            switch event.input {
            case .down(let y): return "\(time) down \(Int(y))"
            case .move(let y): return "\(time) move \(Int(y))"
            case .up(let y): return "\(time) up \(Int(y))"
            case .cancel(let y): return "\(time) cancel \(Int(y))"
            case .wheel(let dy): return "\(time) wheel \(Int(dy))"
            case .key: return "\(time) key"
            }
        }
    }

    @Test func `the first finger is followed, others are ignored until it lifts`() throws {
        #expect(
            try events(
                """
                s:0 39:1 36:100|36:90|s:1 39:2 36:500|36:480|s:0 36:80|s:1 36:400|s:0 39:-1|
                s:1 36:300|s:0 39:3 36:700|39:-1|s:1 39:-1|39:4 36:50|39:-1
                """) == [
                    "0 down 100", "1 move 90", "4 move 80", "6 up 80", "8 down 700", "9 up 700",
                    "11 down 50", "12 up 50",
                ])
    }

    @Test func `a finger that lands where the last was is where the last was`() throws {
        #expect(
            try events("39:1 36:100|39:-1|39:2 35:7|39:-1") == [
                "0 down 100", "1 up 100", "2 down 100", "3 up 100",
            ])
    }

    @Test func `a finger that was there before the recording is not followed`() throws {
        #expect(try events("36:90|36:80|39:-1|39:5 36:70|39:-1") == ["3 down 70", "4 up 70"])
    }

    @Test func `what the kernel dropped is left out up to the next frame`() throws {
        #expect(
            try events("39:1 36:100|36:90|36:80 ! 36:70|36:60|39:-1") == [
                "0 down 100", "1 move 90", "3 move 60", "4 up 60",
            ])
        // The lift was lost, and another finger came: no fling is made up.
        #expect(
            try events("39:1 36:100|36:90|! 39:-1|39:2 36:300|39:-1") == [
                "0 down 100", "1 move 90", "3 cancel 300", "3 down 300", "4 up 300",
            ])
        let text = "E: 0 0003 0039 1\nE: 0 0003 0036 9\nE: 0 0000 0000 0\nE: 1 0000 0003 0\n"
        #expect(try Recorded(text).statement.contains("the kernel dropped events 1 time"))
    }

    @Test func `a palm is taken away, not lifted`() throws {
        #expect(try events("39:1 36:9|37:2|39:-1") == ["0 down 9", "1 move 9", "2 cancel 9"])
    }

    @Test func `one finger on a touchpad is no input, two scroll until one lifts`() throws {
        let frames = """
            s:0 39:1 36:100 f:1 t:1|36:90|s:1 39:2 36:500 f:0 d:1|s:0 36:80 s:1 36:490|s:1 36:480|
            s:0 36:70|s:1 39:-1 f:1 d:0|s:0 36:60|39:-1 f:0 t:0
            """
        let scroll = ["2 down 90", "3 move 80", "5 move 70", "6 up 70"]
        let touchpad = "P: 05 00 00 00 00 00 00 00\n"
        #expect(try events(frames, after: touchpad) == scroll)
        // A recording may lack the keys.
        let bare = frames.replacing(/[fdt]:[01]/, with: "")
        #expect(try events(bare, after: touchpad) == scroll)
        // Without properties the first finger touches, until the keys tell of a second.
        #expect(
            try events(frames) == ["0 down 100", "1 move 90", "3 move 80", "5 move 70", "6 up 70"])
        // A panel that is touched directly has touches, whatever its keys are.
        #expect(
            try events(frames, after: "P: 02 00 00 00 00 00 00 00\n") == [
                "0 down 100", "1 move 90", "3 move 80", "5 move 70", "7 move 60", "8 up 60",
            ])
    }

    @Test(arguments: ["", "P: 02 00 00 00 00 00 00 00\n"])
    func `a touchscreen stays one if it has the key of one finger, too`(header: String) throws {
        for keys in ["t:1 f:1", "f:1 t:1"] {
            let lifted = keys.replacing(":1", with: ":0")
            #expect(
                try events("39:1 36:100 \(keys)|36:90|39:-1 \(lifted)", after: header) == [
                    "0 down 100", "1 move 90", "2 up 90",
                ])
        }
    }

    @Test func `another finger of a touchpad takes over without a jump`() throws {
        #expect(
            try events(
                """
                s:0 39:1 36:100 s:1 39:2 36:500 s:2 39:3 36:900 q:1|s:0 36:90|
                s:0 39:-1 q:0 d:1|s:1 36:480|s:1 37:2|s:2 36:880
                """) == ["0 down 100", "1 move 90", "3 move 70", "4 cancel 70"])
        // After a frame that was lost, another finger is in the same slot.
        #expect(
            try events(
                "s:0 39:1 36:100 s:1 39:2 36:500 d:1|s:0 36:90|! s:0 39:-1|s:0 39:3 36:300|36:310")
                == ["0 down 100", "1 move 90", "4 move 100"])
    }

    @Test func `a touchpad without slots counts its fingers by its keys`() throws {
        #expect(
            try events("y:100 t:1 f:1|y:90|f:0 d:1 y:80|y:70|d:0 f:1 y:60|y:50 f:0 t:0") == [
                "2 down 80", "3 move 70", "4 up 70",
            ])
        #expect(
            try events("y:100 t:1 f:1|f:0 d:1|y:9|t:0 d:0") == ["1 down 100", "2 move 9", "3 up 9"])
    }

    @Test(arguments: 0..<90 as Range<UInt64>)
    func `whatever fingers do, strokes land before they move, and lift before they land`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let words = [
            "s:0", "s:1", "s:2", "39:1", "39:2", "39:-1", "36:5", "36:900", "37:2", "37:0", "y:7",
            "t:1", "t:0", "f:1", "f:0", "d:1", "d:0", "q:1", "q:0", "!", "m", "w:1",
        ]
        // A wheel at the start, so that the recording isn't empty.
        let frames = (0..<120).map { index in
            let count = Int.random(in: 0..<6, using: &random)
            return (index == 0 ? "w:1 " : "")
                + (0..<count).compactMap { _ in words.randomElement(using: &random) }
                .joined(separator: " ")
        }
        let header = ["", "P: 01\n", "P: 02\n"][Int(seed % 3)]
        var isDown = false
        for event in try events(frames.joined(separator: " |"), after: header) {
            switch event.split(separator: " ")[1] {
            case "down":
                #expect(!isDown)
                isDown = true
            case "move": #expect(isDown)
            case "up", "cancel":
                #expect(isDown)
                isDown = false
            default: break
            }
        }
    }

    @Test func `a recording of one finger on a touchpad says that it has no scroll`() throws {
        let finger = "E: 0 0001 0145 1\nE: 0 0003 0039 1\nE: 0 0003 0036 9\nE: 0 0000 0000 0\n"
        #expect(
            refusal(of: finger)
                == Place(
                    line: 4, found: "a touchpad, on which one finger only moves the pointer",
                    expected: "two fingers, which scroll, a wheel or a key"))
        let wheel = "E: 1 0002 0008 1\nE: 1 0000 0000 0\n"
        #expect(try Recorded(finger + wheel).statement.contains("a touchpad, on which two fingers"))
    }

    @Test func `a panel without slots tells of all its contacts each frame`() throws {
        #expect(
            try events("35:1 36:100 m 35:9 36:900 m|36:90 m 36:890 m|36:80 m|m|36:50 m|m") == [
                "0 down 100", "1 move 90", "2 move 80", "3 up 80", "4 down 50", "5 up 50",
            ])
    }

    @Test func `a panel of one touch`() throws {
        #expect(
            try events("y:100 t:1|y:90|t:0|y:70|y:60 t:1|t:0") == [
                "0 down 100", "1 move 90", "2 up 90", "4 down 60", "5 up 60",
            ])
    }

    @Test func `a notch away from the hand scrolls up, finer ones count if there are any`() throws {
        #expect(try events("w:1|w:-2") == ["0 wheel -120", "1 wheel 240"])
        #expect(try events("w:1", options: .init(notch: 53)) == ["0 wheel -53"])
        #expect(
            try events("w:1 h:120|h:-30|h:-30 w:-1|w:-1") == [
                "0 wheel -120", "1 wheel 30", "2 wheel 30",
            ])
    }

    @Test func `keys that scroll count as they go down`() throws {
        #expect(try events("k:1|k:2|k:0") == ["0 key", "1 key"])
    }

    @Test func `numbers at the ends of their range are nothing to trip over`() throws {
        #expect(
            try events("s:2147483647 39:1 36:5|s:-2147483648 36:5|s:0 39:1 36:2147483647|39:-1")
                .count == 2)
        #expect(try events("w:2147483647 w:2147483647|h:-2147483648 h:-2147483648").count == 2)
    }

    @Test func `units become px by resolution, range or density`() throws {
        func first(_ axis: String, _ options: TraceFileOptions = .init()) throws -> Double? {
            let text = axis + "E: 0 0003 0039 1\nE: 0 0003 0036 2048\nE: 0 0000 0000 0\n"
            guard
                case .down(let y)? = try Recorded(text, options: options).trace.events.first?.input
            else { return nil }
            return y
        }
        #expect(try first("") == 2048)
        #expect(try first("A: 36 0 4095 0 0 0\n") == 2048)
        #expect(try first("A: 36 1048 4095 0 0 100\n") == 62.992)
        #expect(try first("", .init(touchRange: 4096, viewportHeight: 900)) == 450)
        #expect(try first("A: 36 0 4095 0 0 100\n", .init(density: 2.5)) == 819.2)
    }

    @Test func `what one device tells a little after another is no step back`() throws {
        let read = try Recorded(
            """
            [   1.000020] /dev/input/event1: 0002 0008 00000001
            [   1.000020] /dev/input/event1: 0000 0000 00000000
            [   1.000010] /dev/input/event2: 0002 0008 ffffffff
            [   1.000010] /dev/input/event2: 0000 0000 00000000
            """)
        #expect(
            read.trace.events
                == [
                    .init(nanoseconds: 0, .wheel(dy: 120)),
                    .init(nanoseconds: 10_000, .wheel(dy: -120)),
                ])
    }

    @Test func `devices that one recording holds one after the other are merged`() throws {
        func device(_ time: Int, _ y: Int) -> String {
            """
            - node: /dev/input/event\(y)
              events:
              - evdev:
                - [\(time), 0, 3, 57, 1]
                - [\(time), 0, 3, 54, \(y)]
                - [\(time), 0, 0, 0, 0]
              - evdev:
                - [\(time + 1), 0, 3, 57, -1]
                - [\(time + 1), 0, 0, 0, 0]

            """
        }
        let read = try Recorded("# libinput record\n" + device(5, 50) + device(2, 70))
        #expect(
            read.trace.events == [
                .init(nanoseconds: 0, .down(y: 70)), .init(nanoseconds: 1_000_000_000, .up(y: 70)),
                .init(nanoseconds: 3_000_000_000, .down(y: 50)),
                .init(nanoseconds: 4_000_000_000, .up(y: 50)),
            ])
    }
}
