/// The actor on a loop's executor on which the loop's tasks begin.
actor LoopIsolation {
    private nonisolated let executor: LoopExecutor
    /// Whether its tasks stay on the loop where they would otherwise use the global pool.
    private nonisolated let keepsTasks: Bool

    init(on executor: LoopExecutor, keepsTasks: Bool) {
        self.executor = executor
        self.keepsTasks = keepsTasks
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    /// The body of a task that never leaves the loop's thread.
    typealias Body = nonisolated(nonsending) () async throws -> Void

    /// Begins a task on the loop, from the loop's own thread.
    nonisolated func begin(_ body: @escaping Body) -> Task<Void, any Error> {
        let work = TaskBody(body: body)
        guard keepsTasks else { return assumeIsolated { $0.begin(work) } }
        return Task(executorPreference: executor) { try await self.run(work) }
    }

    private func begin(_ work: TaskBody) -> Task<Void, any Error> {
        Task {
            _ = self  // makes the task isolated to this actor from its beginning
            try await run(work)
        }
    }

    private func run(_ work: TaskBody) async throws {
        try await unsafe work.body()
    }
}

/// The body of a task, passed by way of the executor from the loop's thread to the same thread.
private struct TaskBody: Sendable {
    /// Not checked, as only `Sendable` values can be passed: it's made, called and released on the
    /// loop's thread.
    nonisolated(unsafe) let body: LoopIsolation.Body
}
