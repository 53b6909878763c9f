#if Metrics
internal import CoreMetrics
internal import IdleLoop

/// The timers of turns, and of the runs of jobs by their queues' names.
struct WorkTimers {
    private let loop: String
    private let factory: any MetricsFactory
    private let turns: Timer
    private var runs: [String: Timer] = [:]

    init(of loop: String, in factory: any MetricsFactory) {
        self.loop = loop
        self.factory = factory
        turns = Timer(label: "lull_loop_turn", dimensions: [("loop", loop)], factory: factory)
    }

    mutating func tell(_ turn: Turn) {
        if let time = turn.timeAwake { turns.recordNanoseconds(time.wholeNanoseconds) }
        for span in turn.spans {
            guard case .job(let queue, _) = span.work else { continue }
            timer(of: queue).recordNanoseconds(span.duration.wholeNanoseconds)
        }
    }

    private mutating func timer(of queue: String) -> Timer {
        if let timer = runs[queue] { return timer }
        let timer = Timer(
            label: "lull_queue_run", dimensions: [("loop", loop), ("queue", queue)],
            factory: factory)
        runs[queue] = timer
        return timer
    }
}
#endif
