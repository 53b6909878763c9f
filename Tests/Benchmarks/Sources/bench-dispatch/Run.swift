import Dispatch

/// A workload under way.
///
/// Only the main queue knows whether it is over; another thread waits.
final class Run: Sendable {
    private let over = DispatchSemaphore(value: 0)
    // Both are the main queue's alone.
    nonisolated(unsafe) private(set) var isOver = false
    /// What calls the run's handler; is cancelled at its end.
    nonisolated(unsafe) private var source: (any DispatchSourceProtocol)?

    /// Calls `start` on the main queue and waits until the run is over.
    static func run(_ start: @escaping @Sendable (Run) -> Void) {
        let run = Run()
        DispatchQueue.main.async { start(run) }
        run.over.wait()
    }

    func end() {
        guard unsafe !isOver else { return }
        unsafe isOver = true
        guard let source = unsafe source else {
            over.signal()
            return
        }
        // Its descriptor may be closed only after the source has let it go.
        source.setCancelHandler { [over] in over.signal() }
        source.cancel()
    }

    /// Makes the main queue call `handler` whenever `source` has something, until it returns false,
    /// which ends the run.
    func add(_ source: any DispatchSourceProtocol, handler: @escaping @Sendable () -> Bool) {
        unsafe self.source = source
        source.setEventHandler { [self] in
            if unsafe !isOver, !handler() { end() }
        }
        source.activate()
    }

    /// Makes the main queue call `pass` again and again until the run is over, which it is when
    /// that returns false.
    func addIdle(pass: @escaping @Sendable () -> Bool) {
        DispatchQueue.main.async { [self] in
            guard unsafe !isOver else { return }
            if pass() { addIdle(pass: pass) } else { end() }
        }
    }
}
