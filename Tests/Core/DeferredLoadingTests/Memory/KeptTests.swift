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

    @Test func `what is nearly done is finished, what isn't is put by`() throws {
        for (begun, isFinished) in [(1, false), (2, true), (3, true)] {
            let bench = try bench()
            bench.want([1])
            later(bench, begun) { bench.want([]) }
            try bench.run()
            #expect((bench.loader.state(of: 1).value != nil) == isFinished)
            #expect(bench.loader.progress(of: 1) != .none)
        }
    }

    @Test func `what is nearly done lets all that is wanted go first`() throws {
        let bench = try bench()
        bench.want([1])
        later(bench, 3) { bench.want([2, 3], .speculative) }
        var order: [Int] = []
        bench.loader.onDecision = { decision in
            if case .finished = decision.kind { order.append(decision.key) }
        }
        try bench.run()
        #expect(order == [2, 3, 1])
    }

    @Test func `a fetch that is nearly there is kept, and what it gave is put by`() throws {
        for (time, isKept) in [(5, false), (15, true)] {
            let bench = try bench(fetches: true)
            bench.want([1])
            later(bench, time) { bench.want([]) }
            try bench.run()
            #expect((bench.loader.progress(of: 1) == .fetched) == isKept)
            bench.want([1])
            try bench.run()
            #expect(bench.source.fetches.count == (isKept ? 1 : 2))
        }
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
