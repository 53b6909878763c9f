import Foundation
import TestSupport
import Testing

/// The commands of `scroll-replay` on recordings of other tools.
struct RecordingCommandTests {
    private let evemu = """
        # EVEMU 1.3
        E: 0.000001 0003 0039 0001
        E: 0.000001 0003 0036 0700
        E: 0.000001 0000 0000 0000
        E: 0.008001 0003 0036 0650
        E: 0.008001 0000 0000 0000
        E: 0.016001 0003 0036 0600
        E: 0.016001 0000 0000 0000
        E: 0.024001 0003 0039 -001
        E: 0.024001 0000 0000 0000

        """
    private let said = "evemu: 1 stroke, 4 samples, 0.02 s (a unit of the panel taken for a px)"

    @Test func `a recording of another tool is replayed, and what it was taken for is said`() throws
    {
        let folder = try Folder()
        let file = try folder.write("fling.txt", evemu)
        let run = try Command("scroll-replay", ["run", file])
        #expect(run.status == 0)
        #expect(run.errors == "\(file): \(said)\n")
        #expect(run.output.hasPrefix("fling: value, E6"))
        let compare = try Command("scroll-replay", ["compare", file, "--slop", "15"])
        #expect(compare.status == 0)
        #expect(compare.errors.contains(said))
        let wrong = try Command("scroll-replay", ["run", file, "--touch-range", "0"])
        #expect(wrong.status == 64)
    }

    @Test func `convert writes any format that can be read again`() throws {
        let folder = try Folder()
        let file = try folder.write("fling.txt", evemu)
        let own = try Command("scroll-replay", ["convert", file])
        #expect(own.status == 0)
        #expect(own.errors == "\(file): \(said)\n")
        #expect(
            own.output == """
                {"t":0,"y":700,"phase":"down"}
                {"t":0.008,"y":650,"phase":"move"}
                {"t":0.016,"y":600,"phase":"move"}
                {"t":0.024,"y":600,"phase":"up"}

                """)
        let again = folder.path + "/again"
        for format in ["own", "chrome"] {
            let out = try Command(
                "scroll-replay",
                ["convert", Command.trace("fling-catch-tap"), "--to", format, "-o", again])
            #expect(out.status == 0)
            #expect(out.output.isEmpty)
            let check = try Command("scroll-replay", ["check", again])
            #expect(check.status == 0)
            #expect(check.output.contains("2 strokes"))
        }
        #expect(try Command("scroll-replay", ["convert", file, "--to", "evemu"]).status == 64)
        #expect(try Command("scroll-replay", ["convert", file, "-o", "/no/where"]).status == 73)
    }

    @Test func `check warns of what is odd, and fails for what can't be read`() throws {
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
            {"t":0.2,"y":5,"phase":"down"}
            """)
        let broken = try folder.write("broken.txt", evemu + "E: 0.02")
        let check = try Command("scroll-replay", ["check", odd, broken])
        #expect(check.status == 65)
        for warning in [
            "a finger moves or lifts that hasn't landed, at 0.0330 s",
            "the trace ends with a finger down", "1 gaps between frames in motion",
            "2 jumps of more than a viewport", "1 offsets beyond the content",
        ] { #expect(check.output.contains(warning)) }
        #expect(check.errors.contains("\(broken):11: found \"E: 0.02\""))
        let json = try Command(
            "scroll-replay", ["check", Command.trace("fling-down-5000"), "--format", "json"])
        let list =
            try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]]
        let report = try #require(list?.first)
        #expect(report["strokes"] as? Int == 1)
        #expect((report["flings"] as? [Any])?.count == 1)
        #expect((report["warnings"] as? [Any])?.isEmpty == true)
    }

    @Test func `record writes what a device tells, from its first event on`() throws {
        func bytes(_ value: Int64, _ width: Int) -> [UInt8] {
            (0..<width).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        var events: [UInt8] = []
        for (micros, type, code, value) in [
            (500, 3, 57, 1), (500, 3, 54, 700), (500, 0, 0, 0), (8500, 3, 54, 650), (8500, 0, 0, 0),
            (16_500, 3, 57, -1), (16_500, 0, 0, 0),
        ] as [(Int64, Int64, Int64, Int64)] {
            events += bytes(77, 8) + bytes(micros, 8) + bytes(type, 2) + bytes(code, 2)
            events += bytes(value, 4)
        }
        let folder = try Folder()
        let device = try folder.write("event5", Data(events))
        let record = try Command("scroll-replay", ["record", device, "--for", "60"])
        #expect(record.status == 0)
        #expect(
            record.output == """
                {"t":0,"y":700,"phase":"down"}
                {"t":0.008,"y":650,"phase":"move"}
                {"t":0.016,"y":650,"phase":"up"}

                """)
        #expect(record.errors.contains("input device: 1 stroke, 3 samples, 0.02 s"))
        let cut = try folder.write("cut", Data(events.dropLast(30)))
        let short = try Command("scroll-replay", ["record", cut])
        #expect(short.status == 65)
        #expect(short.output.contains("\"move\""))
        #expect(try Command("scroll-replay", ["record", "/no/where"]).status == 66)
        #expect(try Command("scroll-replay", ["record", "-"]).status == 65)
    }
}
