import ArgumentParser
import ReplayText

/// The options for facts about the list in which a trace was recorded.
struct ListArguments: ParsableArguments {
    @Option(help: "The viewport's height in px (default: the trace's index or itself, else 800).")
    var viewport: Double?

    @Option(
        help: "A file of row heights, one a line (default: the trace's neighbour).",
        completion: .file())
    var rowHeights: String?

    func validate() throws { try check("--viewport", viewport ?? 800, 1...1e6) }
}

extension ParsableArguments {
    /// Throws if the value of an option is out of its range.
    func check(_ name: String, _ value: Double, _ range: ClosedRange<Double>) throws {
        guard range.contains(value) else {
            throw ValidationError(
                "\(name) is from \(brief(range.lowerBound)) to \(brief(range.upperBound))")
        }
    }
}
