import ArgumentParser
import TraceFormats

/// `scroll-replay convert`: reads a recording of any tool and writes it in this program's own
/// format, or in Chrome's.
struct ConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert", abstract: "Writes a recording in another format.",
        discussion: """
            Reads, by content: this program's own lines, evemu, libinput record, getevent -t and \
            -lt, rrweb, Chrome traces; also as gzip.

            Examples:
              scroll-replay convert fling.evemu -o fling.jsonl
              adb shell getevent -lt | scroll-replay convert - --density 2.625
              scroll-replay convert fling.jsonl --to chrome -o fling.json
            """)

    @Argument(help: "The recording; - is standard input.")
    var input: String

    @Option(
        help: ArgumentHelp(
            "The format: "
                + TraceDialect.allCases.filter(\.isWritable).map(\.rawValue)
                .joined(separator: ", ") + "."))
    var to = TraceDialect.own

    @Option(name: .shortAndLong, help: "The file to write (default: standard output).")
    var output: String?

    @Option(help: "The viewport's height in px, for --touch-range (default 800).")
    var viewport: Double?

    @OptionGroup var arguments: TraceArguments

    func validate() throws {
        guard to.isWritable else { throw ValidationError("\(to.rawValue) is only read") }
        guard (1...1e6).contains(viewport ?? 800) else {
            throw ValidationError("--viewport is from 1 to 1000000")
        }
    }

    func run() throws {
        try orExit {
            let file = try TraceFile(input, options: arguments.options(viewport: viewport))
            say("\(input): \(file.statement)")
            guard let writer = TraceWriter(to) else { return }
            var out = try Output(output)
            try writer.write(file.trace) { try out.write($0) }
            try out.flush()
        }
    }
}
