import ArgumentParser
import TraceFormats

/// The options of commands that write a recording as a trace.
struct ConversionArguments: ParsableArguments {
    @Option(name: .shortAndLong, help: "The file to write (default: standard output).")
    var output: String?

    @Option(help: "The viewport's height in px, for --touch-range (default 800).")
    var viewport: Double?

    @OptionGroup var reading: TraceArguments

    func validate() throws { try check("--viewport", viewport ?? 800, 1...1e6) }

    /// The known facts about the recording.
    var options: TraceFileOptions { reading.options(viewport: viewport) }
}
