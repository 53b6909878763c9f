// Tests take seeded numbers from there, too.
@_exported public import ScrollModel

// Moments of a clock that begins with the test.
extension Instant {
    /// So many milliseconds after the beginning.
    public static func milliseconds(_ count: Int) -> Instant {
        .zero.advanced(by: .milliseconds(count))
    }

    /// So many milliseconds after the beginning, to the nanosecond.
    public static func milliseconds(_ count: Double) -> Instant {
        .zero.advanced(by: .milliseconds(count))
    }

    /// So many seconds after the beginning.
    public static func seconds(_ count: Int) -> Instant { .zero.advanced(by: .seconds(count)) }
}
