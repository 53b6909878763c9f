import ArgumentParser
import LullTesting
import ReplayReport
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

    @Option(help: "The viewport's height in px (default: the trace's index or itself, else 800).")
    var viewport: Double?

    @Option(help: "A file of row heights, one a line (default: the trace's neighbour).")
    var rowHeights: String?

    @Option(help: "How to print the report.")
    var format = Format.text

    @OptionGroup var arguments: TraceArguments

    func validate() throws {
        guard (1...1e6).contains(viewport ?? 800) else {
            throw ValidationError("--viewport is from 1 to 1000000")
        }
    }

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
        let file = try TraceFile(path, options: arguments.options(viewport: viewport))
        let beside = Neighbours(of: file.trace.name, besides: path)
        let height = viewport ?? beside.viewport ?? file.trace.viewportHeight ?? 800
        var offsets: ClosedRange<Double>?
        if let heights = rowHeights ?? beside.rowHeights {
            let list = Viewport(rows: try RowHeights(contentsOf: heights), height: height)
            offsets = list.minimumOffset...list.maximumOffset
        }
        let report = TraceReport(of: file.trace, offsets: offsets, viewportHeight: height)
        switch format {
        case .text: return report.text(path, file.statement)
        case .json: return report.json(path, file.dialect.rawValue, file.statement).rendered
        }
    }
}
