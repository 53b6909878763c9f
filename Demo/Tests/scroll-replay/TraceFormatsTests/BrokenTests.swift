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

    @Test(arguments: [
        "# EVEMU 1.3\nP: 02 00 00 00 00 00 00 00\n",
        "add device 1: /dev/input/event0\n  name:     \"ts_panel\"\n",
        "# libinput record\ndevices:\n- node: /dev/input/event5\n",
        "E: 0 0003 0036 9\nE: 0 0000 0000 0\nE: 1 0003 0036 8\nE: 1 0000 0000 0\n",
        #"{"traceEvents":[]}"#, #"{"traceEvents":[{"name":"a","ph":"X","ts":1,"args":{}}]}"#,
        #"[{"type":4,"data":{"height":9},"timestamp":1}]"#,
        #"[{"type":2,"data":{"initialOffset":{"top":5}},"timestamp":1},"#
            + #"{"type":3,"data":{"source":2,"type":9,"y":1},"timestamp":2}]"#,
    ]) func `a recording without inputs is refused, whatever tool has made it`(text: String) {
        #expect(refusal(of: text) != nil)
    }

    @Test(arguments: [
        (
            "{\n  \"a\": {\"x\": 1},\n  \"b\": [\n    2\n  ]\n}\n",
            #"document over several lines with the members "a", "b""#
        ),
        (
            "\n[\n  {\n    \"id\": 1\n  },\n  {\"id\": 2}\n]",
            #"array over several lines with the members "id""#
        ),
        ("[\n  1,\n  2\n]\n", "array over several lines"),
        (
            "{\"apiVersion\": 1,\n \"metadata\": {}}",
            #"document over several lines with the members "apiVersion", "metadata""#
        ),
        (
            "{\"a\":1,\n\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":{}}",
            #"document over several lines with the members "a", "b", "c", "d", "e", "f" and others"#
        ),
        (
            "{\n\"timestamp\": 1,\n\"big\": \"" + String(repeating: "x", count: 100_000) + "\"}",
            #"document over several lines with the members "timestamp", "big""#
        ),
    ]) func `a JSON document that is no recording is named by its members`(
        text: String, found: String
    ) throws {
        let place = try #require(refusal(of: text))
        #expect(place.line == 1)
        #expect(place.found == "a JSON " + found)
        #expect(place.expected.contains("a JSON object such as"))
    }

    @Test func `a trace that was printed for people says how to undo it`() {
        let objects = (0..<3).map { "{\n  \"t\": \($0),\n  \"y\": 1,\n  \"phase\": \"scroll\"\n}" }
        #expect(
            refusal(of: objects.joined(separator: "\n") + "\n")
                == Place(
                    line: 1, found: "a scroll trace over several lines",
                    expected: "one object a line, as jq -c '.' prints it"))
        let array = "[\n" + objects.joined(separator: ",\n") + "\n]\n"
        for text in [array, array.replacing("\n", with: "")] {
            #expect(
                refusal(of: text)
                    == Place(
                        line: 1, found: "a scroll trace as an array",
                        expected: "one object a line, as jq -c '.[]' prints it"))
        }
        // Text that breaks off in its first line is no document.
        #expect(refusal(of: "{\"t\":1,\"y\"\n{\"t\":2}\n")?.expected == "a JSON object")
    }

    @Test func `recordings of other tools may be printed for people`() throws {
        let session = """
            [
              {
                "type": 4,
                "data": { "height": 900 },
                "timestamp": 1000
              },
              {
                "type": 3,
                "data": { "source": 3, "id": 1, "x": 0, "y": 7 },
                "timestamp": 2000
              }
            ]
            """
        #expect(try Recorded(session).dialect == .rrweb)
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
