import Synchronization
@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

/// Executors as a program may have them: the main actor's is its own.
struct OtherExecutors: ExecutorFactory {
    static let mainExecutor: any MainExecutor = OtherMainExecutor()
    static let defaultExecutor = PlatformExecutorFactory.defaultExecutor

    static func install() { _createExecutors(factory: Self.self) }
}

/// An executor that keeps jobs until it's run.
final class OtherMainExecutor: MainExecutor {
    private let jobs = Mutex<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    func run() {
        while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            unsafe job.runSynchronously(on: asUnownedSerialExecutor())
        }
    }

    func stop() {}
    func checkIsolated() {}
}
