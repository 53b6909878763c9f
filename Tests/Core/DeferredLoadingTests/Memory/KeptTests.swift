import DeferredLoading
import IdleLoop
import ScrollModel
import Testing

struct KeptTests {
    /// A bench that knows what a load usually takes: four slices of 1 ms, after 20 ms of fetching.
    private func bench(fetches: Bool = false, workers: Int = 2, finishes: Bool = true) throws
        -> LoaderBench
    {
        let bench = try LoaderBench(workers: workers) { $0.finishesFetches = finishes }
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

    @Test func `a fetch under way goes on, and its result waits to be wanted again`() throws {
        for (time, finishes) in [(5, true), (20, true), (5, false)] {
            let bench = try bench(fetches: true, finishes: finishes)
            bench.want([1])
            later(bench, time) { bench.want([]) }
            try bench.run()
            #expect(bench.loader.progress(of: 1) == (finishes ? .fetched : .none))
            #expect(bench.source.begun.isEmpty)
            bench.want([1])
            try bench.run()
            #expect(bench.source.fetches.count == (finishes ? 1 : 2))
            #expect(bench.loaded.contains(1))
        }
    }

    @Test func `a row that returns is shown what was fetched when it left`() throws {
        let bench = try bench(fetches: true)
        let heights = try RowHeights(count: 100, height: 100)
        var shown: [Int] = []
        let list = DeferredList(
            sharing: bench.loader, Viewport(rows: heights, height: 100),
            options: .init(rule: .visible), key: { $0 },
            show: { row, state in if state.value != nil { shown.append(row) } })
        later(bench, 15) { list.scrolled(to: 5_000) }
        later(bench, 60) { list.scrolled(to: 0) }
        try bench.run()
        #expect(bench.source.fetches.count { $0 == 0 } == 1)
        #expect(shown == [50, 0])
        list.close()
    }

    @Test func `nothing goes on for a list that has closed`() throws {
        let bench = try bench(fetches: true)
        let other = bench.loader.list { _, _ in }
        defer { other.close() }
        bench.want([1])
        later(bench, 15) { bench.want([]) }
        later(bench, 16) { bench.list.close() }
        try bench.run()
        #expect(bench.loader.progress(of: 1) == .none)
        #expect(bench.queue.isEmpty)
    }

    @Test func `few fetches are kept that nobody wants, and those given up last`() throws {
        let bench = try bench(fetches: true, workers: 20)
        for first in [0, 12] {
            bench.want(first..<first + 12)
            for left in 1...12 {
                later(bench, 10 + left / 2) { bench.want(first + left..<first + 12) }
            }
            try bench.run()
        }
        let kept = (0..<24).filter { bench.loader.progress(of: $0) == .fetched }
        #expect(kept == Array(4..<24))
        bench.loader.trim(to: 0)
        bench.check()
        #expect(bench.queue.isEmpty)
    }

    @Test func `what has begun on the loop and is wanted no more is let go of`() throws {
        let bench = try bench()
        bench.want([1])
        later(bench, 3) { bench.want([]) }
        try bench.run()
        #expect(bench.loader.progress(of: 1) == .none && bench.queue.isEmpty)
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
