import ArgumentParser
import TraceFormats

/// `scroll-replay convert`: reads a recording of any tool and writes it in this program's own
/// format, or in Chrome's.
struct ConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert", abstract: "Writes a recording in another format.",
        discussion: """
            Reads, by content: this program's own lines, evemu, libinput record, getevent -t and \
            -lt, rrweb, Chrome traces; also as gzip. A Chrome trace needs the category input: chrome \
            --trace-startup=input --trace-startup-format=json --trace-startup-file=FILE

            Examples:
              scroll-replay convert fling.evemu -o fling.jsonl
              adb shell getevent -lt | scroll-replay convert - --density 2.625
              scroll-replay convert fling.jsonl --to chrome -o fling.json
            """)

    @Argument(help: "The recording; - is standard input.")
    var input: String

    @Option(help: "The format.")
    var to = TraceDialect.own

    @OptionGroup var arguments: ConversionArguments

    func validate() throws {
        guard to.isWritable else { throw ValidationError("\(to.rawValue) is only read") }
    }

    func run() throws {
        try orExit {
            let file = try TraceFile(input, options: arguments.options)
            say("\(input): \(file.statement)")
            guard let writer = TraceWriter(to) else { return }
            var out = try Output(arguments.output)
            try writer.write(file.trace) { try out.write($0) }
            try out.flush()
        }
    }
}
