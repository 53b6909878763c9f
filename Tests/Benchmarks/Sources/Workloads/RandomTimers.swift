import CWorkloads
import Glibc

/// M4: a million timers added, then cancelled in another order.
@safe public final class RandomTimers: Sendable {
    // One thread at a time has it.
    nonisolated(unsafe) private let timers = UnsafeMutablePointer<CWorkloads.timers>.allocate(
        capacity: 1)

    /// In how many milliseconds each timer is due.
    public let dueMilliseconds: [UInt32]
    /// In which order they are cancelled.
    public let order: [Int]

    /// The timers that all contenders have.
    public init() {
        unsafe timers_open(timers, strdup("random durations"))
        let count = unsafe Int(timers.pointee.count)
        let due = unsafe UnsafeBufferPointer(start: timers.pointee.due_ms, count: count)
        dueMilliseconds = unsafe Array(due)
        let order = unsafe UnsafeBufferPointer(start: timers.pointee.order, count: count)
        self.order = unsafe order.map { Int($0) }
    }

    deinit { unsafe timers.deallocate() }

    /// The time counts from here.
    public func start() { unsafe timers_start(timers) }

    /// To be called between adding and cancelling.
    public func added() { unsafe timers_added(timers) }

    /// To be called after the last was cancelled.
    public func cancelled() { unsafe timers_cancelled(timers) }

    /// Prints the figures.
    public func report() { unsafe timers_report(timers) }
}
