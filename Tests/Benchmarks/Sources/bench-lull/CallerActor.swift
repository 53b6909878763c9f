import Dispatch
import Synchronization

/// Where a task lives that calls the loop from another thread: it runs on whichever thread asks.
@globalActor
actor CallerActor {
    static let shared = CallerActor()
    static let executor = Executor()
    /// Something to do there, or the way back would be left out.
    @CallerActor static var trips = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe CallerActor.executor.asUnownedSerialExecutor()
    }

    /// Keeps one job at a time until a thread runs it.
    final class Executor: SerialExecutor {
        private let job = Mutex<UnownedJob?>(nil)
        private let semaphore = DispatchSemaphore(value: 0)

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            self.job.withLock { $0 = job }
            semaphore.signal()
        }

        /// Waits for the next job, and runs it.
        func runNext() {
            semaphore.wait()
            guard let job = job.withLock({ $0.take() }) else { return }
            unsafe job.runSynchronously(on: asUnownedSerialExecutor())
        }
    }
}
