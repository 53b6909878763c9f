import NIOCore

/// A workload under way.
///
/// Only the loop's thread knows whether it is over; others wait.
final class Run: @unchecked Sendable {
    let over: EventLoopPromise<Void>
    private(set) var isOver = false

    init(over: EventLoopPromise<Void>) {
        self.over = over
    }

    func end() {
        guard !isOver else { return }
        isOver = true
        over.succeed()
    }
}
