import IdleLoop
import Synchronization

/// A queue on virtual time with simulated lanes, and what its jobs did.
final class LaneBench {
    /// The names and the times of slices, as jobs note them wherever they run.
    final class Notes: Sendable {
        private let slices = Mutex<[(name: String, time: Instant)]>([])

        func note(_ name: String, _ time: Instant) { slices.withLock { $0.append((name, time)) } }

        var names: [String] { slices.withLock { $0.map(\.name) } }
        var words: [String] { slices.withLock { $0.map { "\($0.name) \(milliseconds($0.time))" } } }
    }

    let time = VirtualTime()
    let loop: MainLoop
    let queue: IdleQueue<String>
    let notes = Notes()
    private(set) var ends: [String] = []

    init(lanes: LaneLimit, _ change: (inout QueueConfiguration) -> Void = { _ in }) throws {
        loop = try MainLoop(clock: .virtual(time))
        var configuration = QueueConfiguration()
        configuration.lanes = lanes
        change(&configuration)
        queue = IdleQueue(on: loop, configuration: configuration)
    }

    /// Submits a job that may run anywhere, of slices of 2 ms, and returns its end in `ends`.
    @discardableResult
    func submit(
        _ name: String, _ priority: Priority = .normal, rank: Int = 0, slices: Int = 1,
        timeout: Duration? = nil, last: JobProgress = .done
    ) -> IdleJob {
        let notes = notes
        var left = slices
        return queue.submit(
            name, priority: priority, rank: rank, timeout: timeout, onEnd: noteEnd(of: name),
            anywhere: { slot in
                notes.note(name, slot.now)
                slot.charge(.milliseconds(2))
                left -= 1
                return left > 0 ? .again : last
            })
    }

    /// Submits a job of the loop's own.
    func submitOwn(_ name: String, slices: Int = 1) {
        var left = slices
        queue.submit(name, onEnd: noteEnd(of: name)) { [notes] slot in
            notes.note(name, slot.now)
            slot.charge(.milliseconds(2))
            left -= 1
            return left > 0 ? .again : .done
        }
    }

    private func noteEnd(of name: String) -> (JobEnd) -> Void {
        { [unowned self] end in ends.append("\(name) \(word(end)) \(milliseconds(time.now))") }
    }

    private func word(_ end: JobEnd) -> String {
        switch end {
        case .done: "done"
        case .skipped: "skipped"
        case .failed: "failed"
        case .cancelled: "cancelled"
        case .dropped: "dropped"
        }
    }

    func at(_ milliseconds: Int, _ body: @escaping () -> Void) {
        loop.schedule(at: .milliseconds(milliseconds), body)
    }

    func run() throws {
        try loop.run()
        queue.checkInvariants()
    }
}

private func milliseconds(_ time: Instant) -> Int64 { time.nanoseconds / 1_000_000 }
