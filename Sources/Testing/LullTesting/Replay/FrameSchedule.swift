public import ScrollModel

/// The frames of a replay, with the times at which they are due.
///
/// ```swift
/// let schedule = FrameSchedule(along: path, options: options)
/// // The first frame after 100 ms:
/// schedule.due(schedule.next(after: 3, at: .zero + .milliseconds(100)))
/// ```
public struct FrameSchedule: Sendable {
    /// The number of frames a second.
    public let hz: Int
    /// The time at which the first frame is due.
    public let start: Instant
    /// The end of the trace, its tail of 1.5 s included.
    public let end: Instant

    /// The frames of a replay along a path.
    public init(along path: OffsetPath, options: ReplayOptions) {
        hz = options.hz
        start = .zero + options.phase
        end = path.end + .milliseconds(1500)
    }

    /// Returns the time at which a frame is due: the phase, and k·10⁹/hz rounded down.
    public func due(_ number: Int) -> Instant {
        start.later(by: Int64(number) * 1_000_000_000 / Int64(hz))
    }

    /// The last frame that is due within the trace; −1 if none is.
    public var last: Int {
        end < start ? -1 : Int(((end.since(start) + 1) * Int64(hz) - 1) / 1_000_000_000)
    }

    /// Returns the first frame after `number` that is due at `time` or later, or the one after the
    /// last.
    public func next(after number: Int, at time: Instant) -> Int {
        var next = number + 1
        while next <= last, due(next) < time { next += 1 }
        return next
    }

    /// Returns the number of frames, a tenth of a second's, for which a row must be visible for its
    /// load to be useful.
    public static func framesToBeUseful(hz: Int) -> Int { (hz + 5) / 10 }

    /// Returns the rests among some frames, as ranges of their indices: frames at one offset of
    /// which the last is due at least 100 ms after the first.
    ///
    /// O(n).
    public static func rests(
        among count: Int, offset: (Int) -> Double, due: (Int) -> Instant
    ) -> [Range<Int>] {
        var rests: [Range<Int>] = []
        var first = 0
        while first < count {
            let next = (first + 1..<count).first { offset($0) != offset(first) } ?? count
            if due(next - 1) - due(first) >= .milliseconds(100) { rests.append(first..<next) }
            first = next
        }
        return rests
    }
}
