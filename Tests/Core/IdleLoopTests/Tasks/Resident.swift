import Foundation
import IdleLoop
import Testing

/// An actor that lives on a loop, and notes who came.
actor Resident {
    private nonisolated let executor: LoopExecutor
    private(set) var visits: [Int] = []
    private(set) var isEverElsewhere = false

    init(on executor: LoopExecutor) {
        self.executor = executor
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    func note(_ line: String, in log: SharedLog) {
        log.add(line)
    }

    func visit(_ number: Int) {
        visits.append(number)
        if executor.loop() == nil { isEverElsewhere = true }
    }

    /// The way in for posts.
    var inbox: Inbox? { executor.loop()?.inbox }

    /// Visits from where the caller says that it's isolated to this actor.
    nonisolated func visitAssuming(_ number: Int) {
        assumeIsolated { $0.visit(number) }
    }

    func stopLoop() {
        executor.loop()?.stop()
    }
}

/// Lines that tasks and threads note together.
final class SharedLog: Sendable {
    private let state = Guarded<[String]>([])

    var lines: [String] { state.withLock { $0 } }

    func add(_ line: String) {
        state.withLock { $0.append(line) }
    }
}

/// Runs a loop on the machine's clock on a thread of its own, until it's told to stop.
func startLoop(
    serving executor: LoopExecutor, _ prepare: @escaping @Sendable (MainLoop) -> Void = { _ in }
) {
    Thread.detachNewThread {
        do {
            let loop = try MainLoop()
            defer { loop.close() }
            try loop.serve(executor)
            prepare(loop)
            try loop.run()
        } catch {
            Issue.record(error)
        }
    }
}
