/// An activity of a loop, as reported to its observers.
///
/// The names are CFRunLoop's, with these differences: ``beforeIdle`` is its `beforeWaiting`, but is
/// repeated after each piece of work that is done in it, whether or not the loop then sleeps. There
/// are no activities before timers and before sources. Runs don't nest, so `entry` and `exit` occur
/// once for each call of `run`; an adopted loop, which its host runs, has neither.
public enum Activity: Sendable {
    /// The activity when `run` was called.
    case entry
    /// The activity when the loop has polled, found nothing ready, and would now sleep.
    case beforeIdle
    /// The activity after the loop has slept, before the events that woke it are dispatched.
    case afterIdle
    /// The activity when `run` is about to return.
    case exit

    /// The activity as one of four bits.
    var bit: UInt8 {
        switch self {
        case .entry: 1
        case .beforeIdle: 2
        case .afterIdle: 4
        case .exit: 8
        }
    }
}

/// A callback on what a loop is doing.
///
/// The loop keeps it until `cancel()`, or, if it doesn't repeat, until it was called once.
public final class Observer {
    let activity: Activity
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
        among others: Observers, _ activity: Activity, order: Int, modes: LoopMode,
        repeats: Bool, _ body: @escaping (Activity) -> Void
    ) {
        self.others = others
        self.activity = activity
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
