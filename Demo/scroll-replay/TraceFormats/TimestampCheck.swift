/// A check of a recording's times: they never decrease, and span at most a day.
struct TimestampCheck {
    /// The longest duration of a recording, in nanoseconds.
    static let longest: UInt64 = 86_400_000_000_000

    /// The first time, in nanoseconds of the recording's own clock.
    private(set) var first: Int64?
    /// The last time.
    private(set) var last: Int64?

    /// Creates the check, optionally with a time that may be anywhere in the recording.
    init(with time: Int64? = nil) {
        first = time
    }

    /// Takes the next time, which isn't before the last.
    mutating func advance(to time: Int64) throws(FormatError) {
        if let last, time < last {
            throw FormatError(
                found: "time \(seconds(time)) after \(seconds(last))",
                expected: "times that never go back")
        }
        try take(time)
        last = time
    }

    /// Takes a time that may be anywhere in the recording.
    mutating func take(_ time: Int64) throws(FormatError) {
        guard let start = first else {
            first = time
            return
        }
        let (span, isTooLong) = time.subtractingReportingOverflow(start)
        guard !isTooLong, span.magnitude <= Self.longest else {
            throw FormatError(
                found: "time \(seconds(time)) in a recording with \(seconds(start))",
                expected: "a recording of a day at most")
        }
        first = min(start, time)
    }

    private func seconds(_ time: Int64) -> Double { Double(time) / 1e9 }
}
