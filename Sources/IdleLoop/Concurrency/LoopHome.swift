/// Where tasks begin that live on a loop: an actor on its executor.
actor LoopHome {
    private nonisolated let executor: LoopExecutor
    /// Whether its tasks stay here where they would take to the global pool.
    private nonisolated let keepsTasks: Bool

    init(on executor: LoopExecutor, keepsTasks: Bool) {
        self.executor = executor
        self.keepsTasks = keepsTasks
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    /// What a task does that never leaves the loop's thread.
    typealias Body = nonisolated(nonsending) () async throws -> Void

    /// Begins a task on the loop, from the loop's own thread.
    nonisolated func begin(_ body: @escaping Body) -> Task<Void, any Error> {
        let work = LoopWork(body)
        guard keepsTasks else { return assumeIsolated { $0.begin(work) } }
        return Task(executorPreference: executor) { try await self.run(work) }
    }

    private func begin(_ work: LoopWork) -> Task<Void, any Error> {
        Task {
            _ = self  // isolated to this actor from its beginning
            try await run(work)
        }
    }

    private func run(_ work: LoopWork) async throws {
        try await work.take().body()
    }
}

/// What a task does, on its way from the loop's thread to the same thread, by the executor.
///
/// It's named by a number, as nothing may be sent that isn't `Sendable`, though this goes nowhere.
private struct LoopWork: Sendable {
    /// A closure of its own type: as a generic one it would leave the loop to be called.
    final class Box {
        let body: LoopHome.Body

        init(_ body: @escaping LoopHome.Body) {
            self.body = body
        }
    }

    private let number: UInt

    init(_ body: @escaping LoopHome.Body) {
        unsafe number = UInt(bitPattern: Unmanaged.passRetained(Box(body)).toOpaque())
    }

    /// Takes it out, once.
    func take() -> Box {
        guard let pointer = unsafe UnsafeRawPointer(bitPattern: number) else {
            preconditionFailure("a task's work is there")
        }
        return unsafe Unmanaged<Box>.fromOpaque(pointer).takeRetainedValue()
    }
}
