internal import Glibc
internal import Synchronization

/// Has actors live on a loop's thread.
///
/// Whatever is isolated to such an actor runs on the loop, between its other callbacks; a call from
/// elsewhere costs one post to the loop's inbox, which has room for it however full it is.
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
/// What is isolated so is on the loop's thread, and checked to be: `assumeIsolated` and
/// `preconditionIsolated` hold there, in any callback of the loop, and nowhere else. An executor
/// that no loop serves, not yet or no more, keeps what it's given for the next one that does.
public final class LoopExecutor: SerialExecutor, TaskExecutor {
    /// The way to the loop that serves an executor.
    struct Service: Sendable {
        /// What tells it from others as long as it's held.
        let owner: ObjectIdentifier
        /// The loop, to be used on its thread only.
        let loop: UInt
        /// Has the loop run a piece of a task, its own or a guest's; false if the loop is gone.
        let add: @Sendable (_ job: UnownedJob, _ isGuest: Bool) -> Bool
        let thread = pthread_self()

        /// Whether the caller is on the loop's thread.
        var isOnOwnThread: Bool { thread == pthread_self() }
    }

    private struct State: Sendable {
        var service: Service?
        var waiting: [UnownedJob] = []
        var capture = Capture.off
    }

    private enum Capture {
        case off
        case awaited
        case caught(UnownedJob)
    }

    private let state = Guarded(State())
    /// The thread on which a piece of a task that lives here is being run; 0 if none is.
    private let runner = Atomic<UInt>(0)

    /// An executor that no loop serves yet.
    public init() {}

    /// Has the loop run a piece of a task, soon.
    public func enqueue(_ job: consuming ExecutorJob) {
        add(UnownedJob(job))
    }

    /// Has the loop run a piece of a task; that of a guest, which belongs to another executor and has
    /// waited for the loop, goes there by itself when there's no loop.
    func add(_ job: UnownedJob, isGuest: Bool = false) {
        if isGuest {
            if let service, service.add(job, true) { return }
            globalConcurrentExecutor.enqueue(ExecutorJob(job))
        } else {
            while !keep(job) {
                guard let service else { continue }  // its loop was closed just now
                if service.add(job, false) { return }
                leave(service.owner)
            }
        }
    }

    /// Keeps a job for a loop to come, or for who has asked for it; false if it's for the inbox.
    private func keep(_ job: UnownedJob) -> Bool {
        state.withLock { state in
            guard let service = state.service else {
                state.waiting.append(job)
                return true
            }
            guard case .awaited = state.capture, service.isOnOwnThread else { return false }
            state.capture = .caught(job)
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

    /// Whether the caller is inside a piece of a task that lives here, also when that has closed the
    /// loop.
    var isInTask: Bool { runner.load(ordering: .relaxed) == pthread_self() }

    /// Calls what runs a piece of a task.
    func runTask(_ body: () -> Void) {
        let thread = pthread_self()
        let outer = runner.exchange(thread, ordering: .relaxed)
        body()
        // By then another thread's loop may serve it, if the piece has closed this one.
        guard outer != thread else { return }
        _ = runner.compareExchange(expected: thread, desired: 0, ordering: .relaxed)
    }

    /// The loop that serves it, if the caller is on its thread; else 0.
    var servingLoopNumber: UInt {
        state.withLock { state in
            guard let service = state.service, service.isOnOwnThread else { return 0 }
            return service.loop
        }
    }

    // MARK: - For the loop

    /// Has a loop serve it, which first gets all that waits; false if another does.
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

    /// Notes that a loop, by its owner, serves it no more.
    func leave(_ owner: ObjectIdentifier) {
        let gone: Service? = state.withLock { state in
            state.service?.owner == owner ? state.service.take() : nil
        }
        withExtendedLifetime(gone) {}  // let go of outside the lock
    }

    /// Begins a task on this executor, and gives what is to be run for it to begin.
    func begin<Handle>(_ make: () -> Handle) -> (task: Handle, job: UnownedJob) {
        state.withLock { $0.capture = .awaited }
        let task = make()
        let capture = state.withLock { state in
            defer { state.capture = .off }
            return state.capture
        }
        guard case .caught(let job) = capture else {
            preconditionFailure("a task begins on the executor that it's isolated to")
        }
        return (task, job)
    }
}
