import LullTesting

/// A reader of a recording with one event a line.
protocol LineFormat {
    /// The format that is read.
    var dialect: TraceDialect { get }
    /// The time at which the recording begins, once it is known.
    var start: Int64? { get }
    /// Remarks for the user, such as assumptions.
    var notes: [String] { get }

    /// Returns the inputs and offsets of a line, with times of the recording's own clock.
    mutating func read(_ line: [UInt8]) throws(Complaint) -> [Trace.Event]
}
