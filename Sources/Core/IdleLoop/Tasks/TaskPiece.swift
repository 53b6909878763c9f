internal import Synchronization

/// A task from one suspension to the next, which runs once.
final class TaskPiece: Sendable {
    private let job: UnownedJob
    private let executor: any TaskExecutor
    private let hasBegun = Atomic(false)

    init(_ job: UnownedJob, of executor: any TaskExecutor) {
        self.job = job
        self.executor = executor
    }

    var priority: Priority { Priority(job.priority) }

    /// Runs it, unless it has begun.
    func run() {
        guard begin() else { return }
        unsafe job.runSynchronously(on: executor.asUnownedTaskExecutor())
    }

    /// Gives it to the global executor, unless it has begun.
    func runElsewhere() {
        if begin() { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
    }

    private func begin() -> Bool { !hasBegun.exchange(true, ordering: .relaxed) }
}

/// The pieces of a loop's tasks that may run anywhere, as the loop sees them.
protocol TaskPieces: AnyObject {
    func submit(_ piece: TaskPiece)
}

extension Priority {
    /// The place of a task's priority among jobs.
    fileprivate init(_ priority: JobPriority) {
        switch priority {
        case JobPriority(.high)...: self = .high
        case JobPriority(.medium)...: self = .normal
        case JobPriority(.low)...: self = .low
        default: self = .lowest
        }
    }
}
