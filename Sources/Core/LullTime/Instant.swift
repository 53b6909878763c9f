/// A point in time on a loop's clock, in nanoseconds since that clock's origin.
///
/// On the monotonic clock the origin is the machine's start, on virtual time it is zero. Arithmetic
/// saturates: `distantFuture` plus anything is `distantFuture`, and nothing overflows.
@frozen
public struct Instant: Hashable, Sendable {
    /// The nanoseconds since the clock's origin.
    public let nanoseconds: Int64

    /// Creates the instant this many nanoseconds after the clock's origin.
    @inlinable
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// A clock's origin.
    @inlinable public static var zero: Instant { Instant(nanoseconds: 0) }

    /// An instant after everything that will ever be due.
    @inlinable package static var distantFuture: Instant { Instant(nanoseconds: .max) }
}

extension Instant: InstantProtocol {
    /// Returns whether the first instant comes before the second.
    @inlinable
    public static func < (lhs: Instant, rhs: Instant) -> Bool {
        lhs.nanoseconds < rhs.nanoseconds
    }

    /// Returns the instant `duration` later, at most `distantFuture`.
    @inlinable
    public func advanced(by duration: Duration) -> Instant {
        Instant(nanoseconds: Int64(clamping: Int128(nanoseconds) + duration.allNanoseconds))
    }

    /// Returns the duration from this instant to `other`; negative if `other` is earlier.
    @inlinable
    public func duration(to other: Instant) -> Duration {
        .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
    }

    /// Returns the instant `duration` later, at most `distantFuture`.
    @inlinable
    public static func + (moment: Instant, duration: Duration) -> Instant {
        moment.advanced(by: duration)
    }

    /// Returns the instant `duration` earlier, not before the clock's least.
    @inlinable
    package static func - (moment: Instant, duration: Duration) -> Instant {
        moment.advanced(by: .zero - duration)
    }

    /// Moves the instant by `duration`, at most to `distantFuture`.
    @inlinable
    package static func += (moment: inout Instant, duration: Duration) {
        moment = moment + duration
    }

    /// Returns the duration from the second instant to the first; negative if the first is earlier.
    @inlinable
    public static func - (later: Instant, earlier: Instant) -> Duration {
        earlier.duration(to: later)
    }
}

// Plain numbers, for operations in each pass: a `Duration` has 128 bits.
extension Instant {
    /// Returns the instant `nanoseconds` later, at most `distantFuture`.
    @inlinable
    package func later(by nanoseconds: Int64) -> Instant {
        let (sum, overflow) = self.nanoseconds.addingReportingOverflow(nanoseconds)
        return Instant(nanoseconds: overflow ? (nanoseconds < 0 ? .min : .max) : sum)
    }

    /// Returns the nanoseconds from `earlier` to this instant, clamped to 292 years.
    @inlinable
    package func since(_ earlier: Instant) -> Int64 {
        let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
        return overflow ? (nanoseconds < 0 ? .min : .max) : difference
    }
}

extension Duration {
    /// The duration in whole nanoseconds, rounded towards zero and clamped to 292 years.
    @inlinable package var wholeNanoseconds: Int64 { Int64(clamping: allNanoseconds) }

    @inlinable var allNanoseconds: Int128 { attoseconds / 1_000_000_000 }
}
