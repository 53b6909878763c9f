import IdleLoop
import Workloads

/// C1: what a checkpoint costs in a job that is a task, beside a slice of one that isn't.
///
/// Both do the same: jobs of a hundred steps follow each other, and after each step they look
/// whether their slice is over. It always is, so that a checkpoint waits and the other job says
/// `again`, save in the last variant, where it never is. It's CPU time, in nanoseconds for a step;
/// the jobs' own beginning and end are a hundredth of theirs.
func checkpoints() throws {
    for variant in Variant.allCases {
        try reportInTurns("C1", variant.rawValue, "ns_per_step", difference: "more_ns") { side in
            try time(of: variant, side)
        }
    }
}

/// How long slices are, and how often the loop polls between them.
private enum Variant: String, CaseIterable {
    case onePerPass = "1 per pass"
    case budget = "50 us budget"
    case atOnce = "at once"

    var configuration: QueueConfiguration {
        var configuration = QueueConfiguration()
        configuration.slice = self == .atOnce ? nil : .nanoseconds(1)
        if self == .onePerPass { configuration.batch = .zero }
        return configuration
    }
}

private func time(of variant: Variant, _ side: Side) throws -> Double {
    let loop = try MainLoop()
    defer { loop.close() }
    try loop.watch(TinyJobs.quietDescriptor(), for: .readable) { _ in }
    let jobs = SteppedJobs(on: IdleQueue(on: loop, configuration: variant.configuration))
    let start = cpuTime()
    jobs.start(side) { loop.stop() }
    try loop.run()
    return Double(cpuTime() - start) / Double(jobs.count * jobs.steps)
}

/// Jobs that follow each other, with so many steps each.
private final class SteppedJobs {
    let count = isQuick ? 1000 : 5000
    let steps = 100
    private let queue: IdleQueue<Int>
    private var done = 0

    init(on queue: IdleQueue<Int>) {
        self.queue = queue
    }

    /// Hands in the first, each of which hands in the next.
    func start(_ side: Side, then end: @escaping () -> Void) {
        let steps = steps
        func onEnd(_: JobEnd) {
            done += 1
            if done < count { submit() } else { end() }
        }
        func submit() {
            switch side {
            case .plain:
                var left = steps
                queue.submit(done, onEnd: onEnd) { slot in
                    while left > 0 {
                        left -= 1
                        if slot.isOver { return .again }
                    }
                    return .done
                }
            case .task:
                queue.submit(done, onEnd: onEnd) { slot in
                    for _ in 0..<steps { try await slot.checkpoint() }
                }
            }
        }
        submit()
    }
}
