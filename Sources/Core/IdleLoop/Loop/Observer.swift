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

/// The observers that a cancelled one leaves.
protocol ObserverList: AnyObject {
    func remove(_ observer: Observer)
}

/// A callback on what a loop is doing.
///
/// The loop keeps it until `cancel()`, or, if it doesn't repeat, until it was called once.
public final class Observer {
    enum Body {
        case note((Activity) -> Void)
        case work(Work)
        case turn((Turn) -> Void)
        case queue(UnownedQueue)
    }

    /// The work of a worker.
    typealias Work = (borrowing IdleSlot) -> IdleResult

    /// An unowned reference to a queue, which owns its observer and cancels it before it is
    /// deallocated.
    @safe struct UnownedQueue {
        private let reference: Unmanaged<JobQueue>
        let modes: LoopMode

        init(_ queue: JobQueue) {
            unsafe reference = .passUnretained(queue)
            modes = queue.configuration.modes
        }

        var queue: JobQueue { unsafe reference.takeUnretainedValue() }

        /// Lets the queue work, without counting a reference: it keeps itself alive while it runs a
        /// job.
        @inline(__always)
        func work() -> IdleResult {
            unsafe reference._withUnsafeGuaranteedRef { $0.work() }
        }
    }

    /// The order among observers: lower ones are called first, equal ones in the order in which
    /// they were added.
    package let order: Int
    /// The modes of the loop in which it's called.
    package let modes: LoopMode
    let activities: Activity
    let repeats: Bool
    let weight: Int
    private(set) var body: Body?
    /// Whether the loop will call it again.
    public private(set) var isActive = true
    /// Those among whom it is; nil once it's cancelled, or the loop is closed.
    private var others: (any ObserverList)?

    /// The time it has worked, in nanoseconds, divided by its weight.
    var share: Int64 = 0
    /// The last pass before idle in which it was asked to work.
    var triedIn = -1
    /// Whether it had nothing to do when it was last asked.
    var isResting = true

    init(
        of others: any ObserverList, activities: Activity = [], order: Int = 0,
        modes: LoopMode = .all, repeats: Bool = true, weight: Int = 1, body: Body
    ) {
        self.others = others
        self.activities = activities
        self.order = order
        self.modes = modes
        self.repeats = repeats
        self.weight = weight
        self.body = body
    }

    /// The queue that it calls, if any.
    var queue: JobQueue? {
        guard case .queue(let unowned)? = body else { return nil }
        return unowned.queue
    }

    var isWorker: Bool {
        switch body {
        case .work, .queue: true
        case .note, .turn, .none: false
        }
    }

    /// Lets a worker do some work.
    func work(in slot: borrowing IdleSlot) -> IdleResult {
        switch body {
        case .work(let work): work(slot)
        case .queue(let queue): queue.work()
        case .note, .turn, .none: .nothing
        }
    }

    /// Removes the observer from the loop; it isn't called after this returns.
    ///
    /// A second call does nothing.
    public func cancel() {
        guard isActive else { return }
        isActive = false
        others?.remove(self)
        detach()
    }

    /// Detaches from the loop's observers, and releases the callback.
    func detach() {
        let body = body
        isActive = false
        self.body = nil
        others = nil
        withExtendedLifetime(body) {}  // outlives the change: a `deinit` may call back
    }
}
