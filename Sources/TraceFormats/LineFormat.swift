import LullTesting

/// A recording of one thing a line, being read.
protocol LineFormat {
    /// What it is.
    var dialect: TraceDialect { get }
    /// The time at which the recording begins, once it is known.
    var start: Int64? { get }
    /// What else is worth a word.
    var notes: [String] { get }

    /// What happened by a line, at times of the recording's own clock.
    mutating func read(_ line: [UInt8]) throws(Complaint) -> [Trace.Event]
}
