#if Metrics
internal import CoreMetrics
internal import IdleLoop

/// The metrics of a loop's own counts.
struct LoopCounters {
    private static let sums: [(label: String, count: @Sendable (Statistics) -> Int)] = [
        ("lull_loop_turns", \.turns), ("lull_loop_polls", \.polls),
        ("lull_loop_idle_passes", \.idlePasses), ("lull_loop_busy_passes", \.busyPasses),
        ("lull_loop_sleeps", \.sleeps), ("lull_loop_dispatched", \.dispatched),
        ("lull_loop_timers_fired", \.timersFired), ("lull_loop_frames", \.frames),
    ]

    private var tallies: [Tally]
    private let asleep: FloatingPointCounter
    private var toldAsleep = Duration.zero

    init(of loop: String, in factory: any MetricsFactory) {
        let dimensions = [("loop", loop)]
        tallies = Self.sums.map { sum in
            Tally(Counter(label: sum.label, dimensions: dimensions, factory: factory))
        }
        asleep = FloatingPointCounter(
            label: "lull_loop_asleep_seconds", dimensions: dimensions, factory: factory)
    }

    mutating func tell(_ statistics: Statistics) {
        for (index, sum) in Self.sums.enumerated() {
            tallies[index].tell(sum.count(statistics))
        }
        guard statistics.timeAsleep > toldAsleep else { return }
        asleep.increment(by: (statistics.timeAsleep - toldAsleep) / .seconds(1))
        toldAsleep = statistics.timeAsleep
    }
}
#endif
