internal import Glibc

/// A moment as the wall clock has it.
struct LogTime: Sendable {
    /// Seconds since 1970.
    let seconds: Int
    /// What is beyond them.
    let milliseconds: Int

    /// This moment.
    static var now: LogTime {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return LogTime(seconds: time.tv_sec, milliseconds: time.tv_nsec / 1_000_000)
    }

    /// The moment in world time, as ISO 8601 has it.
    var text: String {
        var (time, parts) = (seconds, unsafe tm())
        unsafe gmtime_r(&time, &parts)
        let second = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { room in
            unsafe strftime(room.baseAddress, room.count, "%FT%T", &parts)
            return unsafe String(cString: room.baseAddress!)
        }
        return "\(second).\(String(1000 + milliseconds).dropFirst())Z"
    }
}
