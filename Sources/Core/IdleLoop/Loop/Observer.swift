internal import LullLibC

/// An activity of a loop, as reported to its observers.
///
/// The names are CFRunLoop's, with these differences: ``beforeIdle`` is its `beforeWaiting`, but is
/// repeated after each piece of work that is done in it, whether or not the loop then sleeps. There
/// are no activities before timers and before sources. Runs don't nest, so `entry` and `exit` occur
/// once for each call of `run`; an adopted loop, which its host runs, has neither.
public struct Activity: OptionSet, Sendable {
    /// The bits of the set.
    public let rawValue: UInt8

    /// Creates a set of these bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The activity when `run` was called.
    public static let entry = Activity(rawValue: 1)
    /// The activity when the loop has polled, found nothing ready, and would now sleep.
    public static let beforeIdle = Activity(rawValue: 2)
    /// The activity after the loop has slept, before the events that woke it are dispatched.
    public static let afterIdle = Activity(rawValue: 4)
    /// The activity when `run` is about to return.
    public static let exit = Activity(rawValue: 8)
}

/// A callback on what a loop is doing.
///
/// The loop keeps it until `cancel()`, or, if it doesn't repeat, until it was called once.
public final class Observer {
    let activities: Activity
    /// The order among observers: lower ones are called first, equal ones in the order in which
    /// they were added.
    let order: Int
    /// The modes of the loop in which it's called.
    let modes: LoopMode
    let repeats: Bool
    private let others: Observers
    /// The callback; nil once it's cancelled, or the loop is closed.
    private(set) var body: ((Activity) -> Void)?

    init(
        among others: Observers, _ activities: Activity, order: Int, modes: LoopMode,
        repeats: Bool, _ body: @escaping (Activity) -> Void
    ) {
        precondition(!modes.isEmpty, "an observer has a mode in which it's called")
        self.others = others
        self.activities = activities
        self.order = order
        self.modes = modes
        self.repeats = repeats
        self.body = body
    }

    /// Whether the loop will call it again.
    package var isActive: Bool { body != nil }

    /// Removes the observer from the loop; it isn't called after this returns.
    ///
    /// A second call does nothing.
    public func cancel() {
        others.remove(self)
        _ = body.take()  // after the change: a `deinit` of what it captures may call back
    }
}
