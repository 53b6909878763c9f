import DeferredLoading
import IdleLoop
import Testing

struct LaneLoadTests {
    /// A bench whose loads take 4 ms a slice, and the milliseconds at which they end.
    private static func bench(
        lanes: Int, slices: Int = 1
    ) throws -> (LoaderBench, ends: () -> [String]) {
        let bench = try LoaderBench(lanes: lanes)
        bench.source.slices = slices
        bench.source.sliceCost = { _ in .milliseconds(4) }
        var ends: [String] = []
        bench.source.onFinish = { [unowned bench] key, result in
            let word = if case .success = result { "done" } else { "failed" }
            ends.append("\(key) \(word) \(bench.time.now.nanoseconds / 1_000_000)")
        }
        return (bench, { ends })
    }

    @Test func `as many keys are loaded at once as there are lanes, the most urgent first`() throws
    {
        let (bench, ends) = try Self.bench(lanes: 2, slices: 2)
        bench.list.reconcile(
            with: bench.wish([5, 6], .near) + bench.wish([1, 2, 3], .visible))
        try bench.run()
        #expect(ends() == ["1 done 8", "2 done 8", "3 done 16", "5 done 16", "6 done 24"])
        #expect(bench.loaded == [1, 2, 3, 5, 6])
    }

    @Test func `what becomes urgent takes a lane at the end of a slice`() throws {
        let (bench, ends) = try Self.bench(lanes: 1, slices: 4)
        bench.want([1], .near)
        bench.at(5) { bench.list.reconcile(with: bench.wish([1], .near) + bench.wish([2])) }
        try bench.run()
        #expect(ends() == ["2 done 24", "1 done 32"])
    }

    @Test func `the loop is free while a lane loads, and commits in a lull`() throws {
        let (bench, ends) = try Self.bench(lanes: 1, slices: 1)
        bench.source.sliceCost = { _ in .milliseconds(10) }
        var late: [Int64] = []
        for moment in 1...20 {
            bench.loop.schedule(at: .zero.advanced(by: .milliseconds(moment))) {
                late.append(bench.time.now.nanoseconds - Int64(moment) * 1_000_000)
            }
        }
        bench.want([1, 2])
        try bench.run()
        #expect(late == Array(repeating: 0, count: 20))
        #expect(ends() == ["1 done 10", "2 done 20"])
    }

    @Test func `a load for which a lane is free has one lull before it, and one after`() throws {
        let (bench, ends) = try Self.bench(lanes: 2)
        let before = bench.loop.statistics.idlePasses
        bench.want([1])
        try bench.run()
        #expect(ends() == ["1 done 4"])
        #expect(bench.loop.statistics.idlePasses - before == 5)  // three before sleep and the end
    }

    @Test func `previews are shown between slices`() throws {
        let (bench, _) = try Self.bench(lanes: 1, slices: 3)
        bench.source.refines = true
        bench.list.subscribe(to: 1)
        bench.want([1])
        try bench.run()
        #expect(bench.commits.map(word) == ["refined", "refined", "loaded"])
    }

    @Test func `what fails on a lane is retried`() throws {
        let (bench, ends) = try Self.bench(lanes: 1)
        bench.source.failing = { [unowned bench] _ in
            bench.time.now < .zero.advanced(by: .milliseconds(10))
        }
        bench.source.retries = .after(.milliseconds(20))
        bench.want([1])
        try bench.run()
        #expect(ends() == ["1 failed 4", "1 done 28"])
    }

    @Test func `what nobody wants any more is neither finished nor committed`() throws {
        let (bench, ends) = try Self.bench(lanes: 1, slices: 3)
        bench.list.subscribe(to: 1)
        bench.want([1, 2])
        bench.at(5) { bench.want([2]) }
        try bench.run()
        #expect(ends() == ["2 done 20"])
        #expect(bench.commits.isEmpty)
    }

    @Test(arguments: [2, 5, 30])
    func `a load that waits goes on when it's resumed, however early that is`(
        _ moment: Int
    ) throws {
        let (bench, ends) = try Self.bench(lanes: 1)
        bench.source.waits = { [unowned bench] _ in
            bench.time.now < .zero.advanced(by: .milliseconds(6))
        }
        bench.want([1])
        bench.at(moment) { bench.loader.resume(1) }
        bench.at(60) { bench.want([]) }
        try bench.run()
        // The slice that waits ends after 4 ms; resumed in it, or afterwards, it has another.
        #expect(ends() == ["1 done \(moment == 2 ? 8 : moment + 4)"])
    }

    @Test func `a load that takes much memory is a matter of the loader's limit first`() throws {
        let bench = try LoaderBench(lanes: 4) { $0.byteLimit = 16 << 20 }
        bench.source.slices = 4
        bench.source.size = 1 << 20
        var held: [Int] = []
        bench.source.loadSize = { [unowned bench] _ in bench.time.now > .zero ? 4 << 20 : 0 }
        bench.source.onFinish = { [unowned bench] _, _ in held.append(bench.loader.byteCount) }
        bench.want(0..<6, .near)
        try bench.run()
        #expect(bench.loaded == [0, 1, 2, 3, 4, 5])
        #expect(held.allSatisfy { $0 <= 16 << 20 })
    }

    @Test func `a loop, loader and lists may end while lanes load`() throws {
        for order in 0..<3 {
            let (bench, ends) = try Self.bench(lanes: 3, slices: 3)
            bench.want(0..<8)
            bench.at(5) {
                switch order {
                case 0: bench.loader.close()
                case 1: bench.queue.close()
                default: bench.loop.close()
                }
            }
            try bench.loop.run()
            #expect(ends().isEmpty)
        }
    }
}
