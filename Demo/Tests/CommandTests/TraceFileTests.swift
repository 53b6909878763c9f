import Foundation
import LullTesting
import TestSupport
import Testing

@testable import scroll_replay

/// Traces in files, and what isn't one.
struct TraceFileTests {
    private static let trace = Command.trace("fling-catch-tap")
    private static let scroll = #"{"t":1,"y":0,"phase":"scroll"}"#

    private func bytes() throws -> [UInt8] {
        Array(try #require(FileManager.default.contents(atPath: Self.trace)))
    }

    /// The bytes of a file as gzip.
    private func packed(_ bytes: [UInt8]) throws -> [UInt8] {
        let folder = try Folder()
        let file = try folder.write("file", Data(bytes))
        try #require(try Command(["/bin/gzip", "-n", file]).status == 0)
        return Array(try #require(FileManager.default.contents(atPath: file + ".gz")))
    }

    private func read(_ bytes: [UInt8]) throws -> Trace {
        let folder = try Folder()
        return try TraceFile.read(folder.write("trace.jsonl.gz", Data(bytes)))
    }

    @Test func `a trace may be packed, in parts, and begin with a byte order mark`() throws {
        let plain = try bytes()
        let trace = try read(plain)
        #expect(trace.events.count > 10 && trace.samples.count > 10)
        let parts = try packed(Array(plain.prefix(100))) + packed(Array(plain.dropFirst(100)))
        for file in [[0xEF, 0xBB, 0xBF] + plain, try packed(plain), parts] {
            let read = try read(file)
            #expect(read.events == trace.events && read.samples == trace.samples)
        }
        #expect(try read(packed(plain)).name == "trace")
    }

    private static let bad: [(text: String, place: String)] = [
        ("", ":1: found nothing"),
        ("\n \r\n", ":1: found nothing"),
        ("hello\n", ":1: found \"hello\", expected a JSON object such as "),
        ("# EVEMU 1.3\n", ":1: found \"# EVEMU 1.3\", expected a JSON object such as "),
        ("{\"t\":1,\"y\"", ":1: found \"{\"t\":1,\"y\"\", expected a JSON object"),
        ("{\"t\":1,\"y\"\n{\"t\":2}\n", ":1: found \"{\"t\":1,\"y\"\", expected a JSON object"),
        (#"{"t":"x","y":0,"phase":"scroll"}"#, ":1: found \"t\" to be a string"),
        (scroll + "\n{\"t\":0,\"y\":0,\"phase\":\"scroll\"}", ":2: found time 0.0 after"),
        (scroll + "\n{\"t\":2,\"y\":0,\"phase\":\"fly\"}", ":2: found phase \"fly\""),
        (scroll + "\n{\"t\":0}\n", ":2: found no \"phase\", expected \"phase\" to be down, "),
        (scroll + "\n" + String(repeating: "x", count: 70_000), ":2: found a line of more than"),
        (String(repeating: "x", count: 200_000), ":1: found a line of more than 64 KiB"),
        ("\u{7F}ELF\u{1}\u{0}", ": byte 5: found binary data, expected UTF-8 text"),
        // The error for a file that was printed over several lines says how to undo that.
        (
            "{\n\"t\": 0,\n\"y\": 1,\n\"phase\": \"scroll\"\n}\n",
            ":1: found a scroll trace over several lines, expected one object a line, as jq -c '.' "
        ),
        (
            "[\(scroll),\n\(scroll)]\n",
            ":1: found a scroll trace as an array, expected one object a line, as jq -c '.[]' "
        ),
        // Other JSON is named by its members.
        (
            "{\n  \"a\": {\"x\": 1},\n  \"b\": [\n    2\n  ]\n}\n",
            ":1: found a JSON document over several lines with the members \"a\", \"b\", expected a "
        ),
        (
            "\n[\n  {\n    \"id\": 1\n  },\n  {\"id\": 2}\n]",
            ":1: found a JSON array over several lines with the members \"id\", expected a JSON "
        ),
        ("[\n  1,\n  2\n]\n", ":1: found a JSON array over several lines, expected a JSON object"),
        (
            "{\"a\":1,\n\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":{}}",
            ":1: found a JSON document over several lines with the members \"a\", \"b\", \"c\", "
                + "\"d\", \"e\", \"f\" and others, expected"
        ),
        (
            "{\n\"timestamp\": 1,\n\"big\": \"" + String(repeating: "x", count: 100_000) + "\"}",
            ":1: found a JSON document over several lines with the members \"timestamp\", \"big\""
        ),
        // As are the recordings of browsers.
        (
            #"[{"type":4,"data":{"height":9},"timestamp":1}]"#,
            ":1: found a JSON array with the members \"type\", \"data\", \"timestamp\", expected "
        ),
        (
            #"{"traceEvents":[{"name":"a","ph":"X"}]}"#,
            ":1: found a JSON document with the members \"traceEvents\", expected a JSON object"
        ),
    ]

    @Test(arguments: bad.indices)
    func `a bad trace is one line on standard error and its status`(index: Int) throws {
        let (text, place) = Self.bad[index]
        let folder = try Folder()
        let file = try folder.write("bad.jsonl", text)
        let command = try Command("scroll-replay", ["run", file, "--format", "json"])
        #expect(command.status == 65)
        #expect(command.output.isEmpty)
        #expect(command.errors.hasPrefix("scroll-replay: \(file)\(place)"), "\(command.errors)")
        #expect(command.errors.split(separator: "\n").count == 1)
    }

    @Test func `UTF-16, and gzip that is cut or damaged, are called by their names`() throws {
        let whole = try packed(bytes())
        var damaged = whole
        for index in 12..<24 { damaged[index] ^= 0xFF }
        for (bytes, found) in [
            ([0xFF, 0xFE, 0x7B, 0] as [UInt8], "UTF-16 text"), (damaged, "damaged gzip data"),
            (Array(whole.dropLast(9)), "the end of the file inside its gzip data"),
        ] {
            #expect { try read(bytes) } throws: { ($0 as? TraceError)?.found == found }
        }
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `broken gzip is an error or a trace, never a trap`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let whole = try packed(bytes())
        for _ in 0..<20 {
            var bytes = Array(whole.prefix(.random(in: 3...whole.count, using: &random)))
            for _ in 0..<Int.random(in: 0..<6, using: &random) {
                bytes[.random(in: 2..<bytes.count, using: &random)] = .random(
                    in: 0...255, using: &random)
            }
            do { _ = try read(bytes) } catch {
                #expect((error as? TraceError)?.kind == .malformed)
            }
        }
    }

    @Test func `a file that isn't there, and a folder, can't be opened`() {
        for path in ["/nowhere/at/all", "/", "a\0b"] {
            #expect { try TraceFile.read(path) } throws: {
                ($0 as? TraceError)?.kind == .unreadable
            }
        }
    }

    @Test func `a file of any size is read in memory that doesn't grow with it`() throws {
        let folder = try Folder()
        let path = folder.path + "/trace"
        try #require(unsafe mkfifo(path, 0o600) == 0)
        Thread.detachNewThread {
            let file = unsafe open(path, O_WRONLY)
            let text = String(repeating: "x", count: 60_000)
            let bytes = Array("{\"t\":1,\"y\":0,\"phase\":\"scroll\",\"x\":\"\(text)\"}\n".utf8)
            for _ in 0..<3000 { _ = unsafe write(file, bytes, bytes.count) }
            close(file)
        }
        let command = try Command("scroll-replay", ["run", path], limits: "ulimit -v 160000")
        #expect(command.status == 0, "\(command.errors)")
    }

    @Test func `what is odd in a trace is told, and it's played`() throws {
        let folder = try Folder()
        let odd = try folder.write(
            "odd.jsonl",
            """
            {"t":0,"y":0,"phase":"scroll"}
            {"t":0.016,"y":40,"phase":"scroll"}
            {"t":0.033,"y":80,"phase":"scroll"}
            {"t":0.033,"y":80,"phase":"move"}
            {"t":0.1,"y":2000,"phase":"scroll"}
            {"t":0.116,"y":-5,"phase":"scroll"}
            {"t":0.116,"y":-5,"phase":"scroll"}
            {"t":0.2,"y":5,"phase":"down"}
            {"t":0.21,"y":9,"phase":"down"}
            {"t":0.22,"y":9,"phase":"move"}
            {"t":0.32,"y":9,"phase":"move"}
            """)
        let fingers = try folder.write(
            "fingers.jsonl",
            "{\"t\":0,\"y\":9,\"phase\":\"down\"}\n{\"t\":1,\"y\":9,\"phase\":\"up\"}\n")
        let nowhere = try folder.write(
            "nowhere.jsonl",
            "{\"t\":0,\"y\":900,\"phase\":\"scroll\"}\n{\"t\":1,\"target\":0,\"phase\":\"jump\"}\n")
        for (file, warnings) in [
            (nowhere, ["a jump whose target isn't reached, at 1.0000 s"]),
            (
                odd,
                [
                    "a finger moves or lifts that hasn't landed, at 0.0330 s",
                    "a finger lands that hasn't lifted, at 0.2100 s",
                    "the trace ends with a finger down",
                    "a gap of 100.0 ms in a stroke: its start counts for no velocity",
                    "1 gap between frames in motion, the longest 67.0 ms",
                    "2 steps of more than a viewport", "2 offsets beyond the content",
                    "1 time occurs twice",
                ]
            ),
            (fingers, ["fingers without offsets: the list is moved by a model"]),
            (Self.trace, []),
        ] {
            let command = try Command("scroll-replay", ["run", file])
            #expect(command.status == 0)
            let told = command.errors.split(separator: "\n").map(String.init)
                .filter { !$0.contains("as recorded beside it") }
            #expect(told == warnings.map { "\(file): \($0)" })
        }
    }
}
