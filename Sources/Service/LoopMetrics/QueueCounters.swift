#if Metrics
internal import CoreMetrics
internal import IdleLoop

/// The metrics of the queues with one name.
struct QueueCounters {
    private typealias Count = @Sendable (QueueStatistics) -> Int

    private static let sums: [(label: String, count: Count)] = [
        ("lull_queue_accepted", \.accepted), ("lull_queue_joined", \.joined),
        ("lull_queue_slices", \.slices), ("lull_queue_overruns", \.overruns),
        ("lull_queue_held_back", \.heldBack), ("lull_queue_timed_out", \.timedOut),
    ]

    private static let outcomes: [(name: String, count: Count)] = [
        ("done", \.done), ("skipped", \.skipped), ("failed", \.failed),
        ("cancelled", \.cancelled), ("dropped", \.dropped),
    ]

    private static let levels: [(label: String, level: @Sendable (QueueStatistics) -> Double)] = [
        ("lull_queue_waiting", { Double($0.waiting) }),
        ("lull_queue_waiting_most", { Double($0.longest) }),
        ("lull_queue_wait_longest_seconds", { $0.longestWait / .seconds(1) }),
        ("lull_queue_run_longest_seconds", { $0.longestJob / .seconds(1) }),
    ]

    private var tallies: [(count: Count, tally: Tally)]
    private let gauges: [Gauge]

    init(of queue: String, on loop: String, in factory: any MetricsFactory) {
        let dimensions = [("loop", loop), ("queue", queue)]
        tallies = Self.sums.map { sum in
            (sum.count, Tally(Counter(label: sum.label, dimensions: dimensions, factory: factory)))
        }
        tallies += Self.outcomes.map { outcome in
            let dimensions = dimensions + [("outcome", outcome.name)]
            let counter = Counter(
                label: "lull_queue_jobs", dimensions: dimensions, factory: factory)
            return (outcome.count, Tally(counter))
        }
        gauges = Self.levels.map { level in
            Gauge(label: level.label, dimensions: dimensions, factory: factory)
        }
    }

    mutating func tell(_ statistics: QueueStatistics) {
        for index in tallies.indices {
            tallies[index].tally.tell(tallies[index].count(statistics))
        }
        for (gauge, level) in zip(gauges, Self.levels) { gauge.record(level.level(statistics)) }
    }
}
#endif
