import ArgumentParser
import Foundation
import IdleLoop
import LullTesting
import ReplayReport

/// The options for drawings of replays.
struct OutputArguments: ParsableArguments {
    @Option(help: "Write a page for a browser, which needs no network: rows over time, and why.")
    var report: String?

    @Option(help: "Write a trace for ui.perfetto.dev or chrome://tracing.")
    var traceOut: String?

    /// Whether any output is requested, for which replays must be logged.
    var isAskedFor: Bool { report != nil || traceOut != nil }

    /// Writes the requested output; throws an `ExitCode` of 73 or 74 if it can't be written.
    func write(_ logs: [ReplayLog?], verdict: String = "") throws {
        guard isAskedFor else { return }
        var facts = Report.Facts()
        facts.verdict = verdict
        facts.command = commandLine
        facts.version = "scroll-replay \(LullBuild.version)"
        let drawn = Report(logs.compactMap(\.self), facts: facts)
        if let report { try OutputFile(report).write(drawn.html) }
        if let traceOut { try OutputFile(traceOut).write(drawn.chromeTrace) }
    }

    /// The command line, quoted for a shell.
    private var commandLine: String {
        let words = ["scroll-replay"] + CommandLine.arguments.dropFirst()
        return words.map { word in
            let isPlain = !word.isEmpty && word.utf8.allSatisfy { isPlainByte($0) }
            return isPlain ? word : "'" + word.replacing("'", with: #"'\''"#) + "'"
        }.joined(separator: " ")
    }

    private func isPlainByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-_./=,:+@%".utf8.contains(byte)
        }
    }
}
