import NIOCore

/// A workload under way.
///
/// Only the loop's thread knows whether it is over; others wait.
final class Run: Sendable {
    let over: EventLoopPromise<Void>
    nonisolated(unsafe) private(set) var isOver = false  // the loop's thread's alone

    init(over: EventLoopPromise<Void>) {
        self.over = over
    }

    func end() {
        guard unsafe !isOver else { return }
        unsafe isOver = true
        over.succeed()
    }
}
