import Foundation
import SourceChecks
import Testing

/// The figures that the README quotes.
struct FigureTests {
    /// A line of what `Tests/Benchmarks/run --json` writes.
    private struct Figure: Decodable {
        let workload: String
        let contender: String
        let variant: String
        let unit: String
        let value: Double
    }

    private func figures() throws -> [Figure] {
        try Project.lines(of: "Tests/Benchmarks/figures.jsonl").filter { !$0.isEmpty }.map {
            try JSONDecoder().decode(Figure.self, from: Data($0.utf8))
        }
    }

    private func value(_ contender: String, _ unit: String) throws -> Double {
        let found = try figures().filter {
            $0.workload == "M7" && $0.variant == "60 Hz" && $0.contender == contender
                && $0.unit == unit
        }
        try #require(found.count == 1, "\(contender) \(unit)")
        return found[0].value
    }

    @Test(arguments: [
        ("its own", "lull-drive", "epoll"), ("libevent", "lull-adopt", "libevent-zt"),
        ("GLib", "lull-glib", "glib"), ("sd-event", "lull-sd-event", "sd-event"),
        ("libuv", "lull-uv", "libuv"), ("SwiftNIO", "lull-nio", "nio-schedule"),
    ])
    func `late frames are those of the last benchmark`(
        host: String, guest: String, own: String
    ) throws {
        let cells = try [guest, own].map { contender in
            let late = try value(contender, "frames_late")
            let delay = try value(contender, "p99_delay_ms")
            return "\(Int(late)) | \(delay.formatted(.number.precision(.fractionLength(2)))) ms"
        }
        let row = "| \(host) | \(cells.joined(separator: " | ")) |"
        #expect(try Project.lines(of: "README.md").contains { $0.hasPrefix(row) }, "\(row)")
        #expect(try value(guest, "frames") == 1200)
    }

    @Test func `what the rule value gains is what the replays of Demo/run say`() throws {
        let lines = try Project.lines(of: "Demo/run.txt")
        let gain = /value\/E6 blanks least: .*, (\d+ %) less than visible\/E6 .*, at (\d+ %) waste/
        let most = try #require(lines.lazy.compactMap { $0.firstMatch(of: gain) }.first)
        let all = try #require(lines.firstIndex { $0.hasPrefix("all ") })
        let visible = try #require(lines[all...].first { $0.contains("visible/E6") })
        let wasted = try #require(visible.matches(of: /\d+ %/).last)
        let text = try Project.lines(of: "README.md").joined(separator: " ")
        let claim = """
            leaves \(most.output.1) fewer rows blank than loading what is visible, wastes \
            \(most.output.2) of its loading where that wastes \(wasted.output), and makes no frame late.
            """
        #expect(text.contains(claim), "\(claim)")
    }

    @Test func `the README is short`() throws {
        let lines = try Project.lines(of: "README.md")
        #expect(lines.reduce(0) { $0 + $1.utf8.count + 1 } <= 12 * 1024)
    }

    @Test func `a version is the same everywhere`() throws {
        let swift = try Project.lines(of: "Sources/Core/IdleLoop/System/LullBuild.swift")
        let header = try Project.lines(of: "Sources/C/CLull/include/lull.h")
        let versions = swift.compactMap { $0.firstMatch(of: /version = "(.*)"/)?.1 }
        let version = try #require(versions.first)
        #expect(header.contains("#define LULL_VERSION_TEXT \"\(version)\""))
        #expect(try Project.lines(of: "CHANGELOG.md").contains { $0.hasPrefix("## [\(version)]") })
        #expect(try Project.lines(of: "README.md").contains { $0.contains("from: \"\(version)\"") })
    }
}
