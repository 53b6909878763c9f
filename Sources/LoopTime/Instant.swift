/// A moment on a loop's clock, in nanoseconds since that clock's origin.
///
/// On the monotonic clock the origin is the machine's start, on virtual time it is zero. Arithmetic
/// saturates: `distantFuture` plus anything is `distantFuture`, and nothing overflows.
@frozen
public struct Instant: Hashable, Sendable {
    /// The nanoseconds since the clock's origin.
    public let nanoseconds: Int64

    /// The moment this many nanoseconds after the clock's origin.
    @inlinable
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// A clock's origin.
    @inlinable public static var zero: Instant { Instant(nanoseconds: 0) }

    /// Later than everything that will ever be due.
    @inlinable public static var distantFuture: Instant { Instant(nanoseconds: .max) }
}

extension Instant: InstantProtocol {
    /// Whether one moment comes before the other.
    @inlinable
    public static func < (lhs: Instant, rhs: Instant) -> Bool {
        lhs.nanoseconds < rhs.nanoseconds
    }

    /// The moment `duration` later, at most `distantFuture`.
    @inlinable
    public func advanced(by duration: Duration) -> Instant {
        Instant(nanoseconds: Int64(clamping: Int128(nanoseconds) + duration.allNanoseconds))
    }

    /// How long it is from here to `other`; negative if `other` came first.
    @inlinable
    public func duration(to other: Instant) -> Duration {
        .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
    }

    /// The moment `duration` later, at most `distantFuture`.
    @inlinable
    public static func + (moment: Instant, duration: Duration) -> Instant {
        moment.advanced(by: duration)
    }

    /// How long it is from the second moment to the first; negative if the first came first.
    @inlinable
    public static func - (later: Instant, earlier: Instant) -> Duration {
        earlier.duration(to: later)
    }
}

// Plain numbers, for what is done in each pass: a `Duration` has 128 bits.
extension Instant {
    /// The moment so many nanoseconds later, at most `distantFuture`.
    @inlinable
    package func later(by nanoseconds: Int64) -> Instant {
        let (sum, overflow) = self.nanoseconds.addingReportingOverflow(nanoseconds)
        return Instant(nanoseconds: overflow ? (nanoseconds < 0 ? .min : .max) : sum)
    }

    /// The nanoseconds from `earlier` to here, at most 292 years of them.
    @inlinable
    package func since(_ earlier: Instant) -> Int64 {
        let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
        return overflow ? (nanoseconds < 0 ? .min : .max) : difference
    }
}

extension Duration {
    /// This duration in whole nanoseconds, rounded towards zero, at the limits of 292 years.
    @inlinable package var wholeNanoseconds: Int64 { Int64(clamping: allNanoseconds) }

    @inlinable var allNanoseconds: Int128 { attoseconds / 1_000_000_000 }
}
