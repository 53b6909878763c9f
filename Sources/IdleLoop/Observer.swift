/// What a loop is doing, as its observers are told.
///
/// The words are CFRunLoop's, with these differences: ``beforeIdle`` is its `beforeWaiting`, but
/// comes again after each piece of work that is done in it, whether or not the loop then sleeps.
/// There are no moments before timers and before sources. Runs don't nest, so that `entry` and
/// `exit` come once for each call of `run`; an adopted loop, which its host runs, has neither.
public struct Activity: OptionSet, Sendable {
    /// The bits of the set.
    public let rawValue: UInt8

    /// A set of these bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// `run` was called.
    public static let entry = Activity(rawValue: 1)
    /// The loop has polled, found nothing ready, and would now sleep.
    public static let beforeIdle = Activity(rawValue: 2)
    /// The loop has slept; what woke it is not dispatched yet.
    public static let afterIdle = Activity(rawValue: 4)
    /// `run` is about to return.
    public static let exit = Activity(rawValue: 8)
}

/// A callback on what a loop is doing.
///
/// The loop keeps it until `cancel()`, or until it was called once if it doesn't repeat.
public final class Observer {
    enum Body {
        case note((Activity) -> Void)
        case work(Work)
        case queue(UnownedQueue)
    }

    /// What a worker does.
    typealias Work = (borrowing IdleSlot) -> IdleResult

    /// A queue, which holds its observer and cancels it before it goes.
    @safe struct UnownedQueue {
        private let reference: Unmanaged<JobQueue>
        let modes: LoopMode

        init(_ queue: JobQueue) {
            unsafe reference = .passUnretained(queue)
            modes = queue.configuration.modes
        }

        var queue: JobQueue { unsafe reference.takeUnretainedValue() }

        /// Has it work, without counting a reference: it keeps itself alive while it runs a job.
        @inline(__always)
        func work() -> IdleResult {
            unsafe reference._withUnsafeGuaranteedRef { $0.work() }
        }
    }

    /// The place in the row: lower ones are called first, equal ones in the order they came.
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
    private var others: Observers?

    /// The time it has worked, in nanoseconds, for its weight.
    var share: Int64 = 0
    /// The last pass before idle in which it was asked to work.
    var triedIn = -1
    /// Whether it had nothing to do when it was asked last.
    var isResting = true

    init(
        of others: Observers, activities: Activity, order: Int, modes: LoopMode, repeats: Bool,
        weight: Int, body: Body
    ) {
        self.others = others
        self.activities = activities
        self.order = order
        self.modes = modes
        self.repeats = repeats
        self.weight = weight
        self.body = body
    }

    /// The queue behind it, if there's one.
    var queue: JobQueue? {
        guard case .queue(let unowned)? = body else { return nil }
        return unowned.queue
    }

    var isWorker: Bool {
        if case .note? = body { return false }
        return true
    }

    /// Has a worker do some work.
    func work(in slot: borrowing IdleSlot) -> IdleResult {
        switch body {
        case .work(let work): work(slot)
        case .queue(let queue): queue.work()
        case .note, .none: .nothing
        }
    }

    /// Takes it off the loop; it isn't called after this returns.
    ///
    /// A second call does nothing.
    public func cancel() {
        guard isActive else { return }
        isActive = false
        others?.remove(self)
        detach()
    }

    /// Leaves the others, and lets go of what it was to call.
    func detach() {
        let body = body
        isActive = false
        self.body = nil
        others = nil
        withExtendedLifetime(body) {}  // until here: what it holds may call as it goes
    }
}
