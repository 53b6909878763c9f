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

/// Who is told of what a loop is doing.
final class Observers {
    private struct List {
        /// The observers in the order of calls.
        var all: [Observer] = []
        /// The bits of the activities that have observers.
        var noted: UInt8 = 0
    }

    private let loop: LoopContext
    private let list = ConfinedBox(List())

    init(on loop: LoopContext) {
        self.loop = loop
    }

    /// Whether somebody is told when the loop is about to sleep.
    var areToldOfIdle: Bool { list.value.noted & Activity.beforeIdle.bit != 0 }

    func add(_ observer: Observer) {
        let index = list.value.all.firstIndex { $0.order > observer.order }
        list.value.all.insert(observer, at: index ?? list.value.all.endIndex)
        list.value.noted |= observer.activity.bit
    }

    func remove(_ observer: Observer) {
        list.value.all.removeAll { $0 === observer }
        list.value.noted = list.value.all.reduce(0) { $0 | $1.activity.bit }
    }

    /// Cancels all observers.
    func close() {
        for observer in list.value.all { observer.cancel() }
    }

    func notify(_ activity: Activity) {
        guard list.value.noted & activity.bit != 0 else { return }
        for observer in list.value.all where observer.activity == activity {
            guard observer.modes.contains(loop.state.mode), let body = observer.body else {
                continue
            }
            if !observer.repeats { observer.cancel() }
            body(activity)
        }
        loop.state.lull.fresh = nil  // observers may have taken time
    }
}
