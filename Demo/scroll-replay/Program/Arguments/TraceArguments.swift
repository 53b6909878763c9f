public import ArgumentParser
import LullTesting
public import TraceFormats

/// The options for facts that a recording doesn't contain.
struct TraceArguments: ParsableArguments {
    @Option(help: "How many units of the touch panel make the viewport's height.")
    var touchRange: Double?

    @Option(help: "How many units of the touch panel make a px.")
    var density: Double?

    @Option(help: "How far a notch of a wheel moves the list, in px.")
    var notch = 120.0

    @Option(help: "Which node of an rrweb recording scrolls (default: that with most events).")
    var node: Int?

    func validate() throws {
        for (name, value) in [
            ("--touch-range", touchRange ?? 1), ("--density", density ?? 1), ("--notch", notch),
        ] {
            try check(name, value, 0.001...1e6)
        }
        if touchRange != nil, density != nil {
            throw ValidationError("--density says all that --touch-range does")
        }
    }

    /// Returns the known facts about a recording with a viewport of some height.
    func options(viewport: Double?) -> TraceFileOptions {
        TraceFileOptions(
            touchRange: touchRange, density: density, viewportHeight: viewport ?? 800,
            notch: notch, node: node)
    }

    /// Reads a recording and prints the detected format, unless it is this package's own.
    func read(_ file: String, viewport: Double?) throws -> Trace {
        let read = try TraceFile(file, options: options(viewport: viewport))
        if read.dialect != .own { say("\(file): \(read.statement)") }
        return read.trace
    }
}

extension TraceDialect: ExpressibleByArgument {
    /// The formats that are written, since no option takes one that is only read.
    public static var allValueStrings: [String] {
        allCases.filter(\.isWritable).map(\.rawValue)
    }
}
