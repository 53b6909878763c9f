import Foundation
import TestSupport
import Testing

struct ExplainTests {
    private static let trace = Command.trace("fling-down-5000")

    @Test func `a row's story has its facts and its decisions`() throws {
        let command = try Command(
            "scroll-replay",
            ["explain", ExplainTests.trace, "--policy", "within3", "--row", "520"])
        #expect(command.status == 0)
        #expect(
            command.output == """
                chromium-fling-down-5000: within3/E6, default
                row 520
                  in view   0.051 to 0.234 s (11 frames)
                  loaded    at 0.0704 s, 19.4 ms after it first came into view; useful: seen on 9 frames
                     0.0527  wanted       visible, rank 5: on screen
                     0.0528  begun
                     0.0704  loaded       cost 15.82 ms
                     0.1095  released     no longer wanted; it's there: the list will rest more than 3 rows from it

                """)
    }

    @Test func `a scroll to the top says why the top was loaded, and rows on the way were not`()
        throws
    {
        let trace = Command.trace("scroll-to-top-smooth")
        let told = try Command(
            "scroll-replay",
            ["explain", trace, "--policy", "within3", "--row", "0", "--row", "400"]
        ).output.split(separator: "\n")
        let reason = "the list will rest within 3 rows of it"
        #expect(told.contains { $0.contains("wanted") && $0.hasSuffix(reason) })
        #expect(told.contains { $0.contains("loaded    at") && $0.contains("before it came") })
        let skipped = "the list will rest more than 3 rows from it"
        #expect(told.contains { $0.contains("skipped") && $0.hasSuffix(skipped) })
    }

    @Test func `the heading says how many lanes there are`() throws {
        let arguments = ["explain", ExplainTests.trace, "--row", "520", "--lanes", "2"]
        let told = try Command("scroll-replay", arguments)
        #expect(told.output.hasPrefix("chromium-fling-down-5000: value/E6, default, 2 lanes\n"))
        #expect(try told.output == Command("scroll-replay", arguments).output)
    }

    @Test func `several rows are told one after the other, and those of nobody too`() throws {
        let command = try Command(
            "scroll-replay",
            [
                "explain", ExplainTests.trace, "--policy", "within3", "--row", "9", "--row",
                "524-525",
            ])
        let lines = command.output.split(separator: "\n").map(String.init)
        #expect(lines.filter { $0.hasPrefix("row ") } == ["row 9", "row 524", "row 525"])
        #expect(command.output.contains("never wanted: it was never in view"))
        #expect(command.output.contains("skipped"))
    }

    @Test func `the log is JSON lines with the same members in each`() throws {
        let command = try Command(
            "scroll-replay", ["explain", ExplainTests.trace, "--format", "json"])
        let keys = "time_ns row kind urgency from rank since_ns cost_ns reason"
            .split(separator: " ").map(String.init).sorted()
        var last = 0
        for line in command.output.split(separator: "\n") {
            let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
            let object = try #require(value as? [String: Any])
            #expect(object.keys.sorted() == keys)
            let time = try #require(object["time_ns"] as? Int)
            #expect(time >= last)
            last = time
        }
        #expect(last > 0)
    }

    @Test func `a run tells a row's story after its figures`() throws {
        let plain = try Command("scroll-replay", ["run", ExplainTests.trace])
        let told = try Command("scroll-replay", ["run", ExplainTests.trace, "--explain", "520"])
        #expect(told.output.hasPrefix(plain.output))
        #expect(told.output.contains("\nrow 520\n"))
    }

    @Test func `a row that the list doesn't have is a wrong option`() throws {
        for wrong in [["--row", "5000"], ["--row", "3-1"], ["--row", "x"], ["--row=-1"]] {
            let command = try Command("scroll-replay", ["explain", ExplainTests.trace] + wrong)
            #expect(command.status == 64, "\(wrong)")
        }
    }
}
