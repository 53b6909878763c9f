import GalleryMetrics
import IdleLoop
import LoopMetrics
import Testing

/// A loop's own metrics, as Prometheus gets them.
struct LoopMetricsTests {
    @Test func `all that is counted of a loop is told, and what it means`() throws {
        let time = VirtualTime()
        let loop = try MainLoop(clock: .virtual(time))
        defer { loop.close() }
        let metrics = PrometheusMetrics()
        var configuration = LoopMetrics.Configuration()
        configuration.timesWork = true
        let loopMetrics = LoopMetrics(of: loop, configuration: configuration, factory: metrics)
        let queue = IdleQueue<Int>(on: loop)
        for key in 0..<5 {
            queue.submit(key) { _ in
                time.charge(.milliseconds(3))
                return .done
            }
        }
        loop.schedule(after: .seconds(30)) {}
        try loop.run()
        loopMetrics.report()
        let told = try ExpositionParser.parse(metrics.text())
        let names = told.families.map(\.name)
        #expect(names == names.sorted())
        #expect(told.families.filter { $0.help == nil }.map(\.name) == [])
        #expect(told.value("metrics_refused_total") == 0)
        let build = ["version": LullBuild.version, "commit": LullBuild.commit]
            .compactMapValues(\.self)
        #expect(told.value("lull_build_info", build) == 1)
        #expect(
            told.value("lull_loop_turns_total", ["loop": "main"]) == Double(loop.statistics.turns))
        let labels = ["loop": "main", "queue": "idle queue"]
        let jobs = labels.merging(["outcome": "done"]) { $1 }
        #expect(told.value("lull_queue_jobs_total", jobs) == 5)
        #expect(told.value("lull_queue_waiting", labels) == 0)
        #expect(told.value("lull_queue_run_seconds_count", labels) == 5)
        #expect(told.value("lull_queue_run_seconds_sum", labels) == 0.015)
        let asleep = try #require(told.value("lull_loop_asleep_seconds_total", ["loop": "main"]))
        #expect(abs(asleep - loop.statistics.timeAsleep / .seconds(1)) < 1e-9)
    }
}
