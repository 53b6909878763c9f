/// The times of a recording as they come: never back, and not beyond a day.
struct TimeLine {
    /// The longest recording, in nanoseconds.
    static let longest: UInt64 = 86_400_000_000_000

    /// The first time, in nanoseconds of whatever clock it was.
    private(set) var first: Int64?
    /// The last time.
    private(set) var last: Int64?

    /// The times of a recording, in which there is one already that may be anywhere in it.
    init(with time: Int64? = nil) {
        first = time
    }

    /// Takes the next time.
    mutating func advance(to time: Int64) throws(Complaint) {
        if let last, time < last {
            throw Complaint(
                found: "time \(seconds(time)) after \(seconds(last))",
                expected: "times that never go back")
        }
        try take(time)
        last = time
    }

    /// Takes a time that may be anywhere in the recording.
    mutating func take(_ time: Int64) throws(Complaint) {
        guard let start = first else {
            first = time
            return
        }
        let (span, isTooLong) = time.subtractingReportingOverflow(start)
        guard !isTooLong, span.magnitude <= Self.longest else {
            throw Complaint(
                found: "time \(seconds(time)) in a recording with \(seconds(start))",
                expected: "a recording of a day at most")
        }
        first = min(start, time)
    }

    private func seconds(_ time: Int64) -> Double { Double(time) / 1e9 }
}
