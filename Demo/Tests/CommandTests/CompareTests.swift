import Foundation
import TestSupport
import Testing

struct CompareTests {
    private static let traces = ["fling-down-5000", "wheel-notches", "fling-catch-tap"]
        .map { Command.trace($0) }

    @Test func `in parallel prints the same bytes as one after the other`() throws {
        let all = ["compare", "--policies", "all"] + CompareTests.traces.suffix(2)
        let serial = try Command("scroll-replay", all + ["--jobs", "1"])
        let parallel = try Command("scroll-replay", all + ["--jobs", "4"])
        #expect(serial.status == 0)
        #expect(!serial.output.isEmpty)
        #expect(parallel.output == serial.output)
        #expect(parallel.errors == serial.errors)
    }

    @Test func `many ways are a row each, the least blank first, and a verdict`() throws {
        let command = try Command(
            "scroll-replay",
            [
                "compare", "--policies", "visible,within3,everything", "--engines", "E0,E6",
            ] + CompareTests.traces)
        let lines = command.output.split(separator: "\n").map(String.init)
        #expect(lines[0] == "3 traces, sums over all, least blank first")
        #expect(lines[1].hasPrefix("way"))
        let rows = lines[3..<9]
        let blanks = rows.compactMap { row in
            Double(row.split(separator: " ", omittingEmptySubsequences: true)[2])
        }
        #expect(blanks.count == 6)
        #expect(blanks == blanks.sorted())
        #expect(Set(lines[1...8].map(\.count)).count == 1, "all rows are as wide as the title")
        #expect(lines[9].contains(" blank"))
        #expect(lines.last?.contains("within3/E6 loads") == true)
    }

    @Test func `each setting has its table, and its runs in the array`() throws {
        let arguments =
            ["compare", "--policies", "visible", "--settings", "default,heavy"]
            + CompareTests.traces
        let text = try Command("scroll-replay", arguments)
        #expect(text.output.hasPrefix("default:\n"))
        #expect(text.output.contains("\n\nheavy:\n"))
        let array = try Command("scroll-replay", arguments + ["--format", "json"])
        let value = try JSONSerialization.jsonObject(with: Data(array.output.utf8))
        let runs = try #require(value as? [[String: Any]])
        #expect(
            runs.compactMap { $0["setting"] as? String }
                == Array(repeating: "default", count: 3) + Array(repeating: "heavy", count: 3))
    }

    @Test func `an unknown name in a list is a wrong option`() throws {
        for wrong in [
            ["--policies", "visible,magic"], ["--engines", "E9"], ["--settings", ""],
            ["--jobs", "0"], ["--settings", "all", "--cost", "3"], ["--way", "visible"],
        ] {
            let command = try Command("scroll-replay", ["compare", CompareTests.traces[0]] + wrong)
            #expect(command.status == 64, "\(wrong)")
        }
    }

    @Test func `the first bad trace is told, however many run at once`() throws {
        let bad = try Folder().write("bad.jsonl", "x")
        let command = try Command(
            "scroll-replay", ["compare", CompareTests.traces[0], bad, "--jobs", "4"])
        #expect(command.status == 66 || command.status == 65)
        #expect(command.output.isEmpty)
    }

    @Test func `shells complete the names of rules, engines and settings`() throws {
        for shell in ["bash", "zsh", "fish"] {
            let script = try Command("scroll-replay", ["--generate-completion-script", shell])
            #expect(script.status == 0)
            for name in ["within3", "E6", "latency", "explain"] {
                #expect(script.output.contains(name), "\(shell): \(name)")
            }
        }
    }
}
