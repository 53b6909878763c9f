import class Foundation.Thread
import CoreMetrics
import GalleryMetrics
import Synchronization
import Testing

/// What is counted, and how it's told.
struct PrometheusMetricsTests {
    private let metrics = PrometheusMetrics()

    /// What a strict reader makes of the text.
    private func told() throws -> Exposition {
        try ExpositionParser.parse(metrics.text())
    }

    private func families(_ metrics: PrometheusMetrics) throws -> [String] {
        try ExpositionParser.parse(metrics.text()).families.map(\.name)
    }

    @Test func `the text is this one`() {
        var configuration = PrometheusMetrics.Configuration()
        configuration.help["pictures"] = "Pictures made,\nby \\ outcome."
        configuration.times = [.milliseconds(1), .seconds(2)]
        let metrics = PrometheusMetrics(configuration)
        for (outcome, count) in [("seen", 3), ("never \"seen\"", 1)] {
            Counter(label: "pictures", dimensions: [("outcome", outcome)], factory: metrics)
                .increment(by: count)
        }
        Gauge(label: "clients", factory: metrics).record(2.5)
        let timer = Timer(label: "reply", factory: metrics)
        for milliseconds in [1, 2, 2500] { timer.recordMilliseconds(milliseconds) }
        #expect(
            metrics.text() == #"""
                # TYPE clients gauge
                clients 2.5
                # HELP metrics_refused_total Metrics that aren't told: too many series, or another kind's name.
                # TYPE metrics_refused_total counter
                metrics_refused_total 0
                # HELP pictures_total Pictures made,\nby \\ outcome.
                # TYPE pictures_total counter
                pictures_total{outcome="never \"seen\""} 1
                pictures_total{outcome="seen"} 3
                # TYPE reply_seconds histogram
                reply_seconds_bucket{le="0.001"} 1
                reply_seconds_bucket{le="2"} 2
                reply_seconds_bucket{le="+Inf"} 3
                reply_seconds_sum 2.503
                reply_seconds_count 3

                """#)
    }

    @Test func `families and series come in order`() throws {
        for number in (10..<40).reversed() {
            Gauge(label: "g\(number)", factory: metrics).record(number)
            Gauge(label: "h", dimensions: [("n", "\(number)")], factory: metrics).record(number)
        }
        let told = try told()
        #expect(told.families.map(\.name) == told.families.map(\.name).sorted())
        #expect(told["h"]?.samples.map(\.value) == (10..<40).map(Double.init))
    }

    @Test func `whoever asks for a metric again counts in the same one`() throws {
        for _ in 0..<3 {
            let dimensions = [("b", "2"), ("a", "1")]
            Counter(label: "c", dimensions: dimensions, factory: metrics).increment()
            FloatingPointCounter(label: "c", dimensions: dimensions.reversed(), factory: metrics)
                .increment(by: 0.5)
        }
        #expect(try told().value("c_total", ["a": "1", "b": "2"]) == 4.5)
    }

    @Test func `counters only grow, and can begin anew`() throws {
        let counter = FloatingPointCounter(label: "c", factory: metrics)
        for amount in [2, -1, .nan, .infinity, 0.25] { counter.increment(by: amount) }
        Counter(label: "c", factory: metrics).increment(by: -5)
        #expect(try told().value("c_total") == 2.25)
        counter.reset()
        #expect(try told().value("c_total") == 0)
    }

    @Test func `gauges stand where they were set, and meters rise and fall`() throws {
        Gauge(label: "g", factory: metrics).record(7)
        let meter = Meter(label: "m", factory: metrics)
        meter.set(10)
        meter.increment(by: 2.5)
        meter.decrement()
        #expect(try told().value("g") == 7)
        #expect(try told().value("m") == 11.5)
        for (value, text) in [(Double.infinity, "+Inf"), (-.infinity, "-Inf"), (.nan, "NaN")] {
            meter.set(value)
            #expect(metrics.text().contains("\nm \(text)\n"))
        }
    }

    @Test func `values are counted into the buckets that reach as far`() throws {
        let sizes = Recorder(label: "sizes", factory: metrics)
        for value in [1, 1.5, 4, 5_000_000, .nan, .infinity] { sizes.record(value) }
        sizes.record(2)
        let told = try told()
        #expect(told.value("sizes_bucket", ["le": "1"]) == 1)
        #expect(told.value("sizes_bucket", ["le": "4"]) == 4)
        #expect(told.value("sizes_bucket", ["le": "4194304"]) == 4)
        #expect(told.value("sizes_count") == 5)
        #expect(told.value("sizes_sum") == 5_000_008.5)
    }

    @Test func `a time that went backwards took none`() throws {
        Timer(label: "t", factory: metrics).recordNanoseconds(-1)
        #expect(try told().value("t_seconds_bucket", ["le": "5e-05"]) == 1)
        #expect(try told().value("t_seconds_sum") == 0)
    }

    @Test(arguments: [
        ("http.requests", "http_requests_total"), ("1st", "_1st_total"), ("", "__total"),
        ("größe µ", "gr__e___total"), ("a:b", "a:b_total"), ("done_total", "done_total"),
        ("a\nb 1", "a_b_1_total"),
    ])
    func `names are made legal, and counters' say what they are`(label: String, name: String) throws
    {
        Counter(label: label, factory: metrics).increment()
        #expect(try told().value(name) == 1)
    }

    @Test func `a timer's name says that it's in seconds, once`() throws {
        Timer(label: "reply.time", factory: metrics).recordSeconds(1)
        Timer(label: "wait_seconds", factory: metrics).recordSeconds(1)
        #expect(try told().families.map(\.kind) == ["counter", "histogram", "histogram"])
        #expect(
            try families(metrics)
                == ["metrics_refused_total", "reply_time_seconds", "wait_seconds"])
    }

    @Test func `names of labels are made legal, values may be anything`() throws {
        let value = "\\ \" \n \r \0 é 🙂 \u{2028} {},="
        let dimensions = [
            ("le", "1"), ("__name__", "2"), ("a:b", "3"), ("0", "4"), ("", value), ("none", ""),
            ("a-b", "no"),
        ]
        Gauge(label: "g", dimensions: dimensions, factory: metrics).record(1)
        #expect(
            try told()["g"]?.samples.first?.labels
                == ["exported_le": "1", "_name__": "2", "a_b": "3", "_0": "4", "_": value])
    }

    @Test func `long values of labels are told in part, and are one series if alike so far`() throws
    {
        for end in ["1", "2"] {
            let value = String(repeating: "é", count: 120) + end
            Counter(label: "c", dimensions: [("path", value)], factory: metrics).increment()
        }
        #expect(try told().value("c_total", ["path": String(repeating: "é", count: 120)]) == 2)
    }

    @Test func `labels from outside don't fill the memory`() throws {
        var configuration = PrometheusMetrics.Configuration()
        configuration.series = 10
        let metrics = PrometheusMetrics(configuration)
        for number in 0..<1000 {
            let dimensions = [("path", "/\(number)")]
            Counter(label: "requests", dimensions: dimensions, factory: metrics).increment()
            Timer(label: "family \(number)", factory: metrics).recordSeconds(1)
        }
        let told = try ExpositionParser.parse(metrics.text())
        #expect(told.value("metrics_refused_total") == 1991)
        #expect(told.families.count == 1 + 1 + 4)
        #expect(told["requests_total"]?.samples.count == 5)
        Counter(label: "requests", dimensions: [("path", "/0")], factory: metrics).increment()
        let again = try ExpositionParser.parse(metrics.text())
        #expect(again.value("requests_total", ["path": "/0"]) == 2)
    }

    @Test func `one kind doesn't take another's name`() throws {
        Timer(label: "t", factory: metrics).recordSeconds(1)
        Gauge(label: "t_seconds", factory: metrics).record(5)
        Gauge(label: "t_seconds_sum", factory: metrics).record(5)
        Recorder(label: "t_seconds", factory: metrics).record(5)
        Gauge(label: "x_count", factory: metrics).record(5)
        Recorder(label: "x", factory: metrics).record(5)
        Gauge(label: "metrics_refused_total", factory: metrics).record(5)
        let told = try told()
        #expect(
            told.families.map(\.name) == ["metrics_refused_total", "t_seconds", "x_count"])
        #expect(told.value("t_seconds_count") == 1)
        #expect(told.value("metrics_refused_total") == 5)
    }

    @Test func `what is destroyed is told no more, and leaves room`() throws {
        var configuration = PrometheusMetrics.Configuration()
        configuration.series = 2
        let metrics = PrometheusMetrics(configuration)
        let timer = Timer(label: "x", factory: metrics)
        let refused = Counter(label: "c", factory: metrics)
        refused.destroy()
        timer.destroy()
        timer.destroy()
        timer.recordSeconds(1)
        Gauge(label: "x_seconds_sum", factory: metrics).record(1)
        #expect(try families(metrics) == ["metrics_refused_total", "x_seconds_sum"])
        Counter(label: "metrics_refused", factory: metrics).destroy()
        Counter(label: "c", factory: metrics).increment()
        let told = try ExpositionParser.parse(metrics.text())
        #expect(told.value("metrics_refused_total") == 2)
    }

    @Test func `buckets ascend, and there is room for a series`() async {
        await #expect(processExitsWith: .failure) {
            var configuration = PrometheusMetrics.Configuration()
            configuration.sizes = [1, 1]
            _ = PrometheusMetrics(configuration)
        }
        await #expect(processExitsWith: .failure) {
            var configuration = PrometheusMetrics.Configuration()
            configuration.series = 0
            _ = PrometheusMetrics(configuration)
        }
    }

    @Test func `threads count at once, and each text makes sense`() throws {
        final class Running: Sendable {
            let count = Atomic(4)
        }
        let running = Running()
        for thread in 0..<4 {
            Thread.detachNewThread { [metrics] in
                let dimensions = [("thread", "\(thread)")]
                for round in 0..<2000 {
                    Counter(label: "all", factory: metrics).increment()
                    Counter(label: "each", dimensions: dimensions, factory: metrics).increment()
                    Timer(label: "t", factory: metrics).recordSeconds(round)
                    Gauge(label: "g\(round)", factory: metrics).destroy()
                }
                running.count.subtract(1, ordering: .releasing)
            }
        }
        var counts = [0.0]
        while running.count.load(ordering: .acquiring) > 0 {
            counts.append(try told().value("t_seconds_count") ?? 0)
        }
        #expect(zip(counts, counts.dropFirst()).allSatisfy(<=))
        let told = try told()
        #expect(told.value("all_total") == 8000)
        for thread in 0..<4 {
            #expect(told.value("each_total", ["thread": "\(thread)"]) == 2000)
        }
        #expect(told.value("t_seconds_count") == 8000)
        #expect(told.value("t_seconds_sum") == 7_996_000)
    }
}
