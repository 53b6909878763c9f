/// The frames of a replay, in whole nanoseconds from the start of the trace.
///
/// ```swift
/// let schedule = FrameSchedule(along: path, options: options)
/// schedule.due(schedule.next(after: 3, at: 100_000_000))  // the first frame after 100 ms
/// ```
public struct FrameSchedule: Sendable {
    /// The number of frames a second.
    public let hz: Int
    /// The time at which the first frame is due.
    public let phase: Int64
    /// The end of the trace, its tail of 1.5 s included.
    public let end: Int64

    /// The frames of a replay along a path.
    public init(along path: OffsetPath, options: ReplayOptions) {
        hz = options.hz
        phase = options.phase.nanoseconds
        end = path.end + 1_500_000_000
    }

    /// Returns the time at which a frame is due: the phase, and k·10⁹/hz rounded down.
    public func due(_ number: Int) -> Int64 {
        phase + Int64(number) * 1_000_000_000 / Int64(hz)
    }

    /// The last frame that is due within the trace; −1 if none is.
    public var last: Int {
        end < phase ? -1 : Int(((end - phase + 1) * Int64(hz) - 1) / 1_000_000_000)
    }

    /// Returns the first frame after `number` that is due at `time` or later, or the one after the last.
    public func next(after number: Int, at time: Int64) -> Int {
        var next = number + 1
        while next <= last, due(next) < time { next += 1 }
        return next
    }

    /// The number of frames, a tenth of a second's, for which a row must be visible for its load to
    /// be useful.
    var framesToBeUseful: Int { (hz + 5) / 10 }
}
