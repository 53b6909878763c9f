import DeferredLoading
import IdleLoop
import Testing

struct KeptTests {
    /// A bench that knows what a load usually takes: four slices of 1 ms, after 20 ms of fetching.
    private func bench(fetches: Bool = false, workers: Int = 2) throws -> LoaderBench {
        let bench = try LoaderBench(workers: workers)
        bench.source.slices = 4
        if fetches { bench.source.fetchCost = .milliseconds(20) }
        bench.want([100])
        try bench.run()
        bench.want([])
        bench.source.forget()
        return bench
    }

    private func later(_ bench: LoaderBench, _ milliseconds: Int, _ body: @escaping () -> Void) {
        bench.loop.schedule(after: .milliseconds(milliseconds), body)
    }

    @Test func `a fetch that is nearly there goes on, and is loaded; one that isn't is cancelled`()
        throws
    {
        for (time, goesOn) in [(5, false), (15, true), (20, true)] {
            let bench = try bench(fetches: true)
            bench.want([1])
            later(bench, time) { bench.want([]) }
            try bench.run()
            #expect((bench.loader.state(of: 1).value != nil) == goesOn)
            #expect(bench.loader.progress(of: 1) == (goesOn ? .settled : .none))
        }
    }

    @Test func `what has begun on the loop and is wanted no more is let go of`() throws {
        let bench = try bench()
        bench.want([1])
        later(bench, 3) { bench.want([]) }
        try bench.run()
        #expect(bench.loader.progress(of: 1) == .none && bench.queue.isEmpty)
    }

    @Test func `what goes on although nobody wants it lets all that is wanted go first`() throws {
        let bench = try bench(fetches: true)
        bench.want([1])
        later(bench, 15) {
            bench.source.fetchCost = nil
            bench.want([2, 3], .speculative)
        }
        var order: [Int] = []
        bench.loader.onDecision = { decision in
            if case .finished = decision.kind { order.append(decision.key) }
        }
        try bench.run()
        #expect(order == [2, 3, 1])
    }

    @Test func `a fetch that nobody wants holds up none that somebody does`() throws {
        let bench = try bench(fetches: true, workers: 1)
        bench.want([1])
        let start = bench.time.now
        later(bench, 15) { bench.want([2]) }
        try bench.run()
        #expect(bench.loader.state(of: 2).value != nil)
        #expect(start.duration(to: bench.time.now) == .milliseconds(15 + 20 + 4))
    }

    @Test func `raising and lowering a key moves its fetch among the workers`() throws {
        let bench = try LoaderBench(workers: 1)
        bench.source.fetchCost = .milliseconds(10)
        bench.want([1, 2, 3, 4])
        bench.at(5) { bench.want([1, 4, 3, 2]) }
        bench.at(15) { bench.want([1, 4, 2]) }
        var order: [Int] = []
        bench.loader.onDecision = { decision in
            if case .fetched = decision.kind { order.append(decision.key) }
        }
        try bench.run()
        #expect(order == [1, 4, 2])
    }
}
