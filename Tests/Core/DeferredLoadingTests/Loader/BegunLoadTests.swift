import DeferredLoading
import IdleLoop
import Testing

/// Loads that have begun, and more urgent ones that come later.
struct BegunLoadTests {
    /// A bench whose loads take 20 slices of 1 ms, and the order in which they are finished.
    private final class Bench {
        let bench: LoaderBench
        var finished: [Int] = []
        var mostBytes = 0
        var mostBegun = 0

        init(byteLimit: Int? = nil) throws {
            bench = try LoaderBench { $0.byteLimit = byteLimit }
            bench.source.slices = 20
            bench.loader.onDecision = { [unowned self] decision in
                if case .finished = decision.kind { finished.append(decision.key) }
            }
            bench.source.onCall = { [unowned self] _ in
                mostBytes = max(mostBytes, bench.loader.byteCount)
                let begun = (0..<200).count {
                    if case .begun = bench.loader.progress(of: $0) { true } else { false }
                }
                mostBegun = max(mostBegun, begun)
            }
        }

        func want(at time: Int, _ wanted: [Wanted<Int>]) {
            bench.at(time) { [unowned self] in
                bench.list.reconcile(with: wanted)
                bench.check()
            }
        }
    }

    @Test func `a visible row doesn't wait for a speculative one that has begun`() throws {
        let loads = try Bench()
        let bench = loads.bench
        loads.want(at: 0, bench.wish([1], .speculative))
        loads.want(at: 5, bench.wish([2]) + bench.wish([1], .speculative))
        bench.at(26) { #expect(loads.finished == [2]) }
        try bench.run()
        #expect(loads.finished == [2, 1])
        #expect(bench.source.begun == [1, 2])  // neither was started over
    }

    @Test func `of one urgency the one that has begun goes on, whatever its rank`() throws {
        let loads = try Bench()
        let bench = loads.bench
        loads.want(at: 0, bench.wish([1], .near))
        loads.want(at: 5, bench.wish([3, 2, 1], .near))
        loads.want(at: 10, bench.wish([2, 3, 1], .near))
        try bench.run()
        #expect(loads.finished == [1, 2, 3])
        #expect(loads.mostBegun == 1)
    }

    @Test func `at most four loads are begun at once, and the least urgent is started over`() throws
    {
        let loads = try Bench()
        let bench = loads.bench
        for last in Urgency.allCases.indices {
            let wanted = Urgency.allCases[...last].enumerated().map {
                Wanted($0.offset, urgency: $0.element, rank: 0)
            }
            loads.want(at: 3 * last, wanted)
        }
        try bench.run()
        #expect(loads.finished == [4, 3, 2, 1, 0])
        #expect(bench.source.begun == [0, 1, 2, 3, 4, 0])
        #expect(loads.mostBegun == 4)
    }

    @Test func `a load too large for its part of the limit waits until it's in view`() throws {
        let loads = try Bench(byteLimit: 1000)
        let bench = loads.bench
        bench.source.size = 80
        bench.source.loadSize = { $0 == 100 ? 2000 : 40 }
        bench.want(0..<8, .near)
        try bench.run()
        bench.want([100] + Array(0..<11), .near)
        try bench.run()
        #expect(bench.loaded == Array(0..<11))
        #expect(bench.source.begun == Array(0..<8) + [100] + Array(8..<11))  // nothing was evicted
        #expect(loads.mostBytes <= 1000)
        bench.list.subscribe(to: 100)
        bench.list.reconcile(with: bench.wish([100]) + bench.wish(0..<11, .near))
        try bench.run()
        #expect(bench.loaded == Array(0..<11) + [100])
        #expect(loads.mostBytes <= 500 + 2000)
    }

    @Test func `a load in progress gives its memory to a more urgent one, and comes after it`()
        throws
    {
        let loads = try Bench(byteLimit: 1000)
        let bench = loads.bench
        bench.source.size = 80
        bench.source.loadSize = { _ in 400 }
        loads.want(at: 0, bench.wish([1], .near))
        loads.want(at: 5, bench.wish([2], .approach) + bench.wish([1, 3], .near))
        try bench.run()
        #expect(bench.source.begun == [1, 2, 1, 3])
        #expect(loads.finished == [2, 1, 3])
        #expect(loads.mostBytes <= 500 + 160)
    }

    @Test func `loads that wait for something don't start each other over`() throws {
        let bench = try LoaderBench()
        var isThere = false
        bench.source.waits = { _ in !isThere }
        bench.want(1...9, .near)
        bench.at(1000) {
            isThere = true
            for key in 1...9 { #expect(bench.loader.resume(key)) }
        }
        try bench.run()
        #expect(bench.source.begun == Array(1...9))
        #expect(bench.loaded == Array(1...9))
    }
}
