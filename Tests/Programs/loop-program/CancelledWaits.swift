import CLoopHelpers
import Glibc
import IdleLoop

/// Tasks that wait on a loop for what doesn't come, and are cancelled, a hundred at a time.
///
/// Prints how many bytes the process has after the first ten thousand and at the end.
final class CancelledWaits {
    /// What they wait for.
    enum Wait: String, CaseIterable {
        case lull, sleep
    }

    private let wait: Wait
    private let count: Int
    private let loop: MainLoop
    private var waiting: [Task<Void, any Error>] = []
    private var ended = 0

    init(for wait: Wait, count: Int) throws {
        self.wait = wait
        self.count = count
        loop = try MainLoop()
    }

    func run() throws {
        // Before the lulls that tasks wait for: none of them comes.
        loop.observe(.beforeIdle, order: -1) { [unowned self] _ in goOn() }
        begin()
        try loop.run()
        loop.close()
    }

    private func goOn() {
        if !waiting.isEmpty {
            precondition(ended % 100 == 0, "all wait that have begun")
            for task in waiting { task.cancel() }
            waiting = []
        } else if ended % 100 == 0 {
            if ended == 10_000 || ended == count {
                print(wait.rawValue, ended, lull_allocated_bytes())
            }
            if ended < count { begin() } else { loop.stop() }
        }
    }

    private func begin() {
        let waits = self  // a closure that captures `self` would leave the loop
        for _ in 0..<100 {
            let task = loop.task {
                try? await waits.waitForNothing()
                waits.ended += 1
            }
            waiting.append(task)
        }
    }

    private func waitForNothing() async throws {
        switch wait {
        case .lull: _ = await loop.idle()
        case .sleep: try await loop.taskClock.sleep(for: .seconds(3600))
        }
        precondition(Task.isCancelled, "nothing has come")
    }
}
