import Synchronization

/// The time by which a disk cache dates its files, which stands still between changes.
public final class TestTime: Sendable {
    private let nanoseconds: Atomic<Int>

    /// A time in whole seconds since 1970.
    public init(_ seconds: Int) { nanoseconds = Atomic(seconds * 1_000_000_000) }

    /// The time since 1970.
    public var now: Duration {
        get { .nanoseconds(nanoseconds.load(ordering: .relaxed)) }
        set {
            let (seconds, attoseconds) = newValue.components
            nanoseconds.store(
                Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000),
                ordering: .relaxed)
        }
    }

    /// Moves on by a number of seconds.
    public func advance(by count: Int) { now += .seconds(count) }
}
