/// Something that works in a loop's lulls: a closure of ``MainLoop/beforeIdle(order:modes:_:)``,
/// or a queue.
///
/// Unlike an observer, which is told what the loop does, it's asked to work when the loop would
/// sleep, and may ask for more. The loop keeps a closure until `cancel()`.
public class IdleWorker {
    /// The loop's workers while it is among them; set by these.
    final var others: IdleWorkers?
    /// What it has had of the lulls, where there are several.
    final var account: FairOrder.Account
    /// The last pass before idle in which it was asked to work.
    final var triedIn = -1

    init(weight: Int) {
        account = FairOrder.Account(weight: weight)
    }

    /// Whether the loop will call it again.
    package final var isActive: Bool { others != nil }

    /// Removes the worker from the loop; it isn't called after this returns.
    ///
    /// A second call does nothing.
    public func cancel() {
        others?.remove(self)
    }

    /// Does some work, between two polls.
    func work() -> IdleResult { .nothing }

    /// Whether it may have something to do; one that hasn't requests a lull itself when that changes.
    var mayWork: Bool { true }

    /// Notes that the loop is in another mode.
    func modeChanged() {}

    /// The name and the counts of a queue.
    var queueStatistics: (name: String, counts: QueueStatistics)? { nil }
}

/// A closure that works in lulls.
final class ClosureWorker: IdleWorker {
    private let loop: LoopContext
    private var body: ((borrowing IdleSlot) -> IdleResult)?

    init(on loop: LoopContext, _ body: @escaping (borrowing IdleSlot) -> IdleResult) {
        self.loop = loop
        self.body = body
        super.init(weight: 1)
    }

    override func cancel() {
        super.cancel()
        _ = body.take()  // after the change: a `deinit` of what it captures may call back
    }

    override func work() -> IdleResult {
        guard let body else { return .nothing }
        let loop = loop  // the closure may cancel its worker
        let result = body(IdleSlot(on: loop))
        // It may have taken time all the same.
        if result == .nothing { loop.state.lull.start = nil }
        return result
    }
}
