import ScrollModel

/// A check of a recording's times: they never decrease, and span at most a day.
struct TimestampCheck {
    /// The longest duration of a recording.
    private static let longest = Duration.seconds(86_400)

    /// The first time, on the recording's own clock.
    private(set) var first: Instant?
    private var last: Instant?

    /// Creates the check, optionally with a time that may be anywhere in the recording.
    init(with time: Instant? = nil) {
        first = time
    }

    /// Takes the next time, which isn't before the last.
    mutating func advance(to time: Instant) throws(FormatError) {
        if let last, time < last {
            throw FormatError(
                found: "time \(seconds(time)) after \(seconds(last))",
                expected: "times that never go back")
        }
        try take(time)
        last = time
    }

    /// Takes a time that may be anywhere in the recording.
    mutating func take(_ time: Instant) throws(FormatError) {
        let start = first ?? time
        guard (.zero - Self.longest...Self.longest).contains(time - start) else {
            throw FormatError(
                found: "time \(seconds(time)) in a recording with \(seconds(start))",
                expected: "a recording of a day at most")
        }
        first = min(start, time)
    }

    private func seconds(_ time: Instant) -> Double { Double(time.nanoseconds) / 1e9 }
}
