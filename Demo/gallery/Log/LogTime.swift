internal import Glibc

/// A time of the system clock.
struct LogTime: Sendable {
    /// The seconds since 1970.
    let seconds: Int
    /// The milliseconds of the second.
    let milliseconds: Int

    /// The current time.
    static var now: LogTime {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return LogTime(seconds: time.tv_sec, milliseconds: time.tv_nsec / 1_000_000)
    }

    /// The time in UTC, in the format of ISO 8601.
    var text: String { "\(text(as: "%FT%T")).\(String(1000 + milliseconds).dropFirst())Z" }

    /// The time in UTC, in the format of request logs.
    var commonText: String { text(as: "%d/%b/%Y:%T +0000") }

    private func text(as format: String) -> String {
        var (time, parts) = (seconds, unsafe tm())
        unsafe gmtime_r(&time, &parts)
        return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { room in
            unsafe strftime(room.baseAddress!, room.count, format, &parts)
            return unsafe String(cString: room.baseAddress!)
        }
    }
}
