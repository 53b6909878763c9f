internal import IdleLoop

// Times that programs choose, the odd ones among them.
extension Choices {
    private static let durations: [Duration] = [
        .zero, .nanoseconds(1), .microseconds(60), .milliseconds(1), .milliseconds(60), .seconds(1),
        .seconds(3600),
    ]
    private static let longDurations: [Duration] =
        durations + [.nanoseconds(1 << 62), .nanoseconds(Int64.max), .seconds(Int64.max)]

    /// A time that may pass.
    func duration() -> Duration { one(of: Self.durations) }

    /// A time that may be longer than any clock runs.
    func longDuration() -> Duration { one(of: Self.longDurations) }

    /// The same, longer than zero.
    func period() -> Duration { max(.nanoseconds(1), longDuration()) }

    /// The same for frames, a microsecond at least.
    func framePeriod() -> Duration { max(.microseconds(1), longDuration()) }

    /// A value, or none.
    func maybe<Value>(_ value: @autoclosure () -> Value) -> Value? { flag() ? value() : nil }

    /// A moment before or after `now`, or far from it.
    func instant(from now: Instant) -> Instant {
        switch number(below: 8) {
        case 0: now
        case 1: .distantFuture
        case 2: .zero
        case 3: Instant(nanoseconds: .min)
        case 4: Instant(nanoseconds: .min + 1)
        case 5: now - duration()
        default: now.advanced(by: duration())
        }
    }
}
