internal import CLullLibevent
internal import LullLibC
internal import Synchronization

/// An executor that runs actors on a loop's thread.
///
/// Code that is isolated to such an actor runs on the loop, between its other callbacks. A call
/// from another thread costs one post to the loop's inbox, which always has room for it, even when
/// it's full.
///
/// ```swift
/// actor Player {
///     let executor: LoopExecutor
///     nonisolated var unownedExecutor: UnownedSerialExecutor {
///         unsafe executor.asUnownedSerialExecutor()
///     }
///
///     init(on executor: LoopExecutor) { self.executor = executor }
/// }
/// let player = Player(on: loop.executor)
/// ```
///
/// Such code runs on the loop's thread, and this is checked: `assumeIsolated` and
/// `preconditionIsolated` hold in any callback of the loop, and nowhere else. An executor that no
/// loop serves, not yet or no longer, keeps its jobs for the next loop that does.
public final class LoopExecutor: SerialExecutor, TaskExecutor {
    /// The connection to the loop that serves an executor.
    @safe struct Service: Sendable {
        /// The identity of the service, unique while it exists.
        let owner: ObjectIdentifier
        /// The loop.
        ///
        /// Not checked, as a service is looked up on any thread: it's used on the loop's own.
        nonisolated(unsafe) let loop: Unmanaged<AnyObject>
        /// A closure that runs a job on the loop, whether it belongs to this executor or to
        /// another; it returns false if the loop is closed.
        let add: @Sendable (_ job: UnownedJob, _ isForeign: Bool) -> Bool
        let thread = lull_current_thread()

        /// Whether the caller is on the loop's thread.
        var isOnOwnThread: Bool { thread == lull_current_thread() }
    }

    private struct State: Sendable {
        var service: Service?
        var waiting: [UnownedJob] = []
    }

    private let state = Guarded(State())
    /// The thread that currently runs a job of this executor; 0 if none does.
    private let runner = Atomic<UInt>(0)

    /// Creates an executor that no loop serves yet.
    public init() {}

    /// Enqueues a job, which runs in one of the loop's next passes.
    public func enqueue(_ job: consuming ExecutorJob) {
        add(UnownedJob(job))
    }

    /// Enqueues a job; without a loop, one of another executor (`isForeign`) is resumed on the global
    /// executor.
    func add(_ job: UnownedJob, isForeign: Bool = false) {
        if isForeign {
            if let service, service.add(job, true) { return }
            globalConcurrentExecutor.enqueue(ExecutorJob(job))
        } else {
            while !keep(job) {
                guard let service else { continue }  // the loop was closed just now
                if service.add(job, false) { return }
                leave(service.owner)
            }
        }
    }

    /// Keeps a job for a later loop; returns false if a loop serves the executor.
    private func keep(_ job: UnownedJob) -> Bool {
        state.withLock { state in
            guard state.service == nil else { return false }
            state.waiting.append(job)
            return true
        }
    }

    private var service: Service? { state.withLock { $0.service } }

    /// Whether the calling code runs on the loop's thread.
    public func isIsolatingCurrentContext() -> Bool? {
        isOnLoop
    }

    /// Traps unless the calling code runs on the loop's thread.
    public func checkIsolated() {
        precondition(isOnLoop, "this runs on the loop's thread only")
    }

    var isOnLoop: Bool { isInTask || service?.isOnOwnThread ?? false }

    /// Whether the caller runs inside a job of this executor, also after that job has closed the
    /// loop.
    var isInTask: Bool { runner.load(ordering: .relaxed) == lull_current_thread() }

    /// Calls `body`, which runs a job of this executor.
    func runTask(_ body: () -> Void) {
        let thread = lull_current_thread()
        let outer = runner.exchange(thread, ordering: .relaxed)
        body()
        // If the job has closed this loop, a loop on another thread may serve the executor by now.
        guard outer != thread else { return }
        _ = runner.compareExchange(expected: thread, desired: 0, ordering: .relaxed)
    }

    /// The loop that serves the executor, if the caller is on its thread.
    var servingOwner: AnyObject? {
        let service = state.withLock { $0.service }
        guard let service, service.isOnOwnThread else { return nil }
        return unsafe service.loop.takeUnretainedValue()
    }

    // MARK: - Used by the loop

    /// Connects the executor to a loop, which first receives all waiting jobs; returns false if
    /// another loop serves it.
    func begin(_ service: Service) -> Bool {
        let waiting: [UnownedJob]? = state.withLock { state in
            guard state.service == nil else { return nil }
            state.service = service
            defer { state.waiting = [] }
            return state.waiting
        }
        guard let waiting else { return false }
        for job in waiting { add(job) }
        return true
    }

    /// Disconnects the executor from the loop with this owner.
    func leave(_ owner: ObjectIdentifier) {
        let gone: Service? = state.withLock { state in
            state.service?.owner == owner ? state.service.take() : nil
        }
        _ = consume gone  // outside the lock
    }
}
