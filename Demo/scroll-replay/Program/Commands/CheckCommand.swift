import ArgumentParser
import LullTesting
import ReplayText
import ScrollModel
import TraceFormats

/// `scroll-replay check`: reports the formats of recordings and whether they are plausible.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Says what recordings are and whether they make sense.",
        discussion: """
            What is odd is a warning; a recording that can't be read ends it with status 65.

            Examples:
              scroll-replay check Demo/traces/*.jsonl
              scroll-replay check session.json.gz --format json
            """)

    @Argument(help: "The recordings; - is standard input.")
    var files: [String]

    @OptionGroup var list: ListArguments

    @Option(help: "How to print the report.")
    var format = Format.text

    @OptionGroup var arguments: TraceArguments

    func run() throws {
        var worst: ExitCode?
        var reports: [String] = []
        for file in files {
            do {
                try orExit { reports.append(try report(on: file)) }
            } catch let code as ExitCode {
                worst = worst ?? code
            }
        }
        switch format {
        case .text: if !reports.isEmpty { try emit(reports.joined(separator: "\n\n")) }
        case .json: try emit("[" + reports.joined(separator: ",\n") + "]")
        }
        if let worst { throw worst }
    }

    private func report(on path: String) throws -> String {
        let file = try TraceFile(path, options: arguments.options(viewport: list.viewport))
        let beside = SidecarFacts(of: file.trace.name, besides: path)
        let height = list.viewport ?? beside.viewport ?? file.trace.viewportHeight ?? 800
        var offsets: ClosedRange<Double>?
        if let heights = list.rowHeights ?? beside.rowHeights {
            let viewport = Viewport(rows: try RowHeights(contentsOf: heights), height: height)
            offsets = viewport.minimumOffset...viewport.maximumOffset
        }
        let report = TraceReport(of: file.trace, offsets: offsets, viewportHeight: height)
        switch format {
        case .text: return report.text(path, file.statement)
        case .json: return report.json(path, file.dialect.rawValue, file.statement).rendered
        }
    }
}
