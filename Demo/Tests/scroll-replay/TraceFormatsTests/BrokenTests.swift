import LullTesting
import Testing
import TraceFormats

/// The errors for files that aren't what they seem to be.
struct BrokenTests {
    private let down = "E: 1.000000 0003 0039 1\nE: 1.000000 0003 0036 9\nE: 1.000000 0000 0000 0\n"

    @Test func `a line cut in the middle is named, with what a whole one looks like`() {
        let whole = TraceDialect.evemu.example
        #expect(
            refusal(of: down + "E: 1.0001 0003")
                == Place(
                    line: 4, found: "\"E: 1.0001 0003\"", expected: whole))
        #expect(refusal(of: down + "E: 1.0001\n" + down)?.line == 4)
        #expect(refusal(of: down + "hello\n")?.line == 4)
        let start = "[   1.000001] 0003 0036 00000174\n"
        #expect(refusal(of: start + "[   1.0000")?.line == 2)
        #expect(refusal(of: start + "[   1.000001] 0003 0036 000001")?.line == 2)
        #expect(refusal(of: "# libinput record\n    - [ 0, 1,\n")?.line == 2)
    }

    @Test func `time that goes back stops the reading`() {
        #expect(
            refusal(of: down + "E: 0.999999 0000 0000 0\n")
                == Place(
                    line: 4, found: "time 0.999999 after 1.0", expected: "times that never go back")
        )
        #expect(refusal(of: down + down) == nil)
    }

    @Test func `a recording of more than a day is refused`() {
        #expect(refusal(of: down + "E: 99999.0 0000 0000 0\n")?.line == 4)
    }

    @Test(arguments: [
        "/dev/input/event5: 0003 0036 00000174\n", "0003 0036 00000174\n",
        "add device 1: /dev/input/event5\n  name: \"a\"\n"
            + "/dev/input/event5: EV_ABS       ABS_MT_POSITION_Y    00000174\n",
    ]) func `getevent without -t is told of -t`(text: String) throws {
        let place = try #require(refusal(of: text))
        #expect(place.found == "an event without a time")
        #expect(place.expected.contains("getevent -t"))
    }

    @Test func `what is empty or nothing known is refused at its first line`() {
        #expect(refusal(of: "")?.found == "nothing")
        #expect(refusal(of: "\n \r\n")?.found == "nothing")
        #expect(refusal(of: "hello\n")?.line == 1)
        #expect(refusal(of: "[1, 2, 3]")?.line == 1)
        #expect(refusal(of: "Event: time 1.0, type 3 (EV_ABS), code 54 (?), value 1")?.line == 1)
        #expect(refusal(of: "[1.1]  wl_touch@3.motion(1, 0, 2, 3)")?.line == 1)
        #expect(refusal(of: "# EVEMU 1.3\n")?.found == "no finger, no wheel and no key")
    }

    @Test func `binary data and UTF-16 are called by their names`() {
        #expect(
            refusal(of: [0x7F, 0x45, 0x4C, 0x46, 0, 1])
                == Place(
                    byte: 4, found: "binary data", expected: "UTF-8 text"))
        #expect(refusal(of: [0xFF, 0xFE, 0x45, 0])?.found == "UTF-16 text")
    }

    @Test func `a line of more than 64 KiB is refused without being kept`() {
        let long = down + String(repeating: "E: 0 ", count: 50_000)
        #expect(refusal(of: long)?.found == "a line of more than 64 KiB")
        #expect(refusal(of: long)?.line == 4)
        #expect(refusal(of: String(repeating: "x", count: 200_000))?.line == 1)
    }

    @Test(arguments: [
        "E: 99999999999999999999 0003 0036 1\n", "E: 1.0 0003 0036 99999999999\n",
        "E: nan 0003 0036 1\n", "E: -1e999 0003 0036 1\n", "E: 1.0 ffffffffffffffffffff 0 1\n",
        "E: 9223372036.9 0003 0036 1\n", "A: 36 0 99999999999999999999\nE: 0 0 0 0\n",
    ]) func `numbers beyond any sense are an error with its line`(line: String) throws {
        let place = try #require(refusal(of: down + line))
        #expect((4...5).contains(place.line ?? 0))
    }

    @Test func `more inputs than are to be kept are an error`() {
        let frames = (0..<20).map { "E: \($0).0 0002 0008 1\nE: \($0).0 0000 0000 0\n" }
        #expect(refusal(of: frames.joined(), options: .init(limit: 20)) == nil)
        #expect(
            refusal(of: frames.joined(), options: .init(limit: 10))
                == Place(
                    line: 22, found: "more than 10 inputs and offsets",
                    expected: "a shorter recording"))
    }

    @Test func `gzip that ends too soon or is damaged is refused`() throws {
        let packed = try Recorded.packed(Array(String(repeating: down, count: 20).utf8))
        #expect(refusal(of: packed) == nil)
        #expect(
            refusal(of: packed.dropLast(9))?.found == "the end of the file inside its gzip data")
        var damaged = packed
        for index in 12..<24 { damaged[index] ^= 0xFF }
        #expect(refusal(of: damaged) != nil)
    }

    @Test func `a file that isn't there, and a folder, can't be opened`() {
        for path in ["/nowhere/at/all", "/", "a\0b"] {
            #expect { try TraceFile(path) } throws: { ($0 as? TraceError)?.kind == .unreadable }
        }
    }

    @Test func `own lines keep their messages`() {
        #expect(
            refusal(of: "{\"t\":1,\"y\":0,\"phase\":\"scroll\"}\n{\"t\":0}\n")
                == Place(
                    line: 2, found: "no \"phase\"",
                    expected: "\"phase\" to be down, move, up, cancel, scroll, wheel or key"))
        #expect(refusal(of: "{\"t\":1,\"y\"")?.expected == "a JSON object")
    }
}
