@testable import DeferredLoading
import IdleLoop
import Testing

struct RetryTests {
    private func bench(
        _ change: (inout LoaderConfiguration) -> Void = { _ in }
    ) throws -> LoaderBench {
        let bench = try LoaderBench(limit: 30, workers: 2, change)
        bench.source.retries = .later
        return bench
    }

    @Test func `what fails for a reason that passes is tried again, later each time, five times`()
        throws
    {
        let bench = try bench()
        bench.source.failing = { _ in true }
        var bounds: [Duration] = []
        bench.loader.onDecision = { decision in
            if case .retrying(let next, let failures) = decision.kind {
                bounds.append(decision.time.duration(to: next))
                #expect(failures == bounds.count)
            }
        }
        bench.want([1])
        try bench.run()
        #expect(bench.source.begun.count == 5)
        #expect(bounds.count == 4)
        for (place, wait) in bounds.enumerated() {
            #expect(wait < .seconds(1 << place))
        }
        guard case .failed(is Trouble, nextTry: nil) = bench.loader.state(of: 1) else {
            Issue.record("it has failed for good")
            return
        }
        bench.list.subscribe(to: 1)
        #expect(bench.commits.map(word) == ["failed"])
        bounds = []
        bench.loader.retry(1)  // as if for the first time
        try bench.run()
        #expect(bench.source.begun.count == 10)
    }

    @Test func `what failed for good is loaded anew when it comes into view again, after a while`()
        throws
    {
        let bench = try bench()
        bench.source.retries = .never
        bench.source.failing = { _ in true }
        /// Brings the key into view, and returns how often it was begun.
        func look(after wait: Duration) throws -> Int {
            bench.list.unsubscribe(from: 1)
            try bench.loop.run(until: bench.loop.clock.now + wait)
            bench.source.forget()
            bench.list.subscribe(to: 1)
            try bench.run()
            return bench.source.begun.count
        }
        bench.want([1])
        bench.list.subscribe(to: 1)
        try bench.run()
        #expect(bench.source.begun == [1])
        try bench.loop.run(until: bench.loop.clock.now + .seconds(100))
        #expect(bench.source.begun == [1], "as long as it stays in view, nothing is tried")
        #expect(try look(after: .zero) == 1)
        // Waits double with each failure, up to a minute.
        for (failures, wait) in [(2, 2), (3, 4), (4, 8), (5, 16), (6, 32), (7, 60), (8, 60)] {
            #expect(try look(after: .seconds(wait) - .milliseconds(100)) == 0, "\(failures)")
            #expect(try look(after: .seconds(1)) == 1)
        }
        bench.source.failing = { _ in false }
        #expect(try look(after: .seconds(60)) == 1)
        #expect(bench.shown[1] == Text(key: 1, version: 1))
    }

    @Test func `what comes right is loaded, and its failures are forgotten`() throws {
        let bench = try bench()
        var tries = 0
        bench.source.failing = { _ in
            tries += 1
            return tries < 4
        }
        bench.list.subscribe(to: 1)
        bench.want([1])
        try bench.run()
        #expect(bench.commits.map(word) == ["failing", "failing", "failing", "loaded"])
        #expect(bench.shown[1] == Text(key: 1, version: 1))
        #expect(tries == 4)
    }

    @Test func `what failed together doesn't come back together, and one timer serves all`() throws
    {
        let bench = try bench()
        bench.source.sliceCost = { _ in .zero }
        bench.source.failing = { _ in true }
        bench.want(0..<100)
        try bench.run(until: 1)
        var times: Set<Int64> = []
        for key in 0..<100 {
            guard case .failed(_, let next?) = bench.loader.state(of: key) else { continue }
            times.insert(next.nanoseconds)
        }
        #expect(times.count == 100)
        #expect((times.max() ?? 0) - (times.min() ?? 0) > 800_000_000)
        let fired = bench.loop.statistics.timersFired
        try bench.run()
        // Each of 400 further tries has a moment of its own, and its timer; nothing else has.
        #expect(bench.source.begun.count == 500)
        #expect(bench.loop.statistics.timersFired - fired <= 400)
    }

    @Test func `what nobody wants isn't tried, and waits for its time when it's wanted again`()
        throws
    {
        let bench = try bench()
        bench.source.retries = .after(.seconds(10))
        bench.source.failing = { _ in bench.source.begun.count == 1 }
        bench.want([1])
        bench.at(100) { bench.want([]) }
        try bench.run()
        #expect(bench.time.now == .zero.advanced(by: .milliseconds(100)))  // no timer is left
        bench.want([1])
        #expect(word(bench.loader.state(of: 1)) == "failing")
        try bench.run()
        #expect(bench.loader.state(of: 1).value != nil)
        #expect(bench.time.now == .zero.advanced(by: .milliseconds(10_002)))
        bench.source.forget()
        bench.source.failing = { _ in bench.source.begun.count == 1 }
        bench.want([2])
        bench.at(10_100) { bench.want([]) }
        bench.at(60_000) { bench.want([2]) }  // long after its next try: at once
        try bench.run()
        #expect(bench.time.now == .zero.advanced(by: .milliseconds(60_001)))
        #expect(bench.loader.state(of: 2).value != nil)
    }

    @Test func `want of descriptors passes, a damaged file doesn't`() {
        #expect(LoadRetry.usual(after: LoopError.system(call: "open", errno: 24)) == .later)
        #expect(LoadRetry.usual(after: LoopError.system(call: "open", errno: 2)) == .never)
        #expect(LoadRetry.usual(after: Trouble()) == .never)
        #expect(LoadRetry.usual(after: LoadError.timedOut(limit: .seconds(1))) == .later)
    }

    @Test func `a fetch that hangs fails in its time, and the others don't wait for it`() throws {
        let bench = try bench { $0.fetchTimeout = .seconds(3) }
        bench.source.retries = .never
        bench.source.fetchCost = .seconds(1000)
        bench.want([1])
        bench.at(100) {
            bench.source.fetchCost = .milliseconds(50)
            bench.want([1, 2])
        }
        try bench.run()
        guard case .failed(LoadError.timedOut, nextTry: nil) = bench.loader.state(of: 1) else {
            Issue.record("it has failed")
            return
        }
        #expect(bench.loader.state(of: 2).value != nil)
    }
}
