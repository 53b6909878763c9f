@testable import DeferredLoading
import IdleLoop
import Testing

/// Fetches that go on by themselves, in a loader without workers.
struct OperationFetchTests {
    private func bench(
        places: Int = 2, _ change: (inout LoaderConfiguration) -> Void = { _ in }
    ) throws -> (bench: LoaderBench, operations: Operations) {
        let bench = try LoaderBench(workers: places, byThemselves: true, change)
        bench.source.fetchCost = .milliseconds(20)
        let operations = try #require(bench.source.operations)
        return (bench, operations)
    }

    @Test func `no more go on at once than have a place, the most urgent first`() throws {
        let (bench, operations) = try bench()
        bench.list.reconcile(with: bench.wish(0..<5, .near) + bench.wish([9], .visible))
        try bench.run()
        #expect(bench.loaded == [0, 1, 2, 3, 4, 9])
        #expect(operations.all.map(\.key) == [9, 0, 1, 2, 3, 4])
        #expect(operations.most == 2)
        #expect(bench.loader.usualFetch?.mean == .milliseconds(20))
    }

    @Test func `what leaves is cancelled, and its place is taken at once`() throws {
        let (bench, operations) = try bench()
        bench.want(0..<4)
        bench.at(5) { bench.want([3]) }
        try bench.run()
        #expect(operations.cancelled == [0, 1])
        #expect(operations.all.map(\.key) == [0, 1, 3])  // 2 was never begun
        #expect(bench.loaded == [3])
        #expect(bench.time.now == .zero.advanced(by: .milliseconds(5 + 20 + 1)))
    }

    @Test(arguments: [true, false])
    func `one under way goes on, if it may`(_ finishes: Bool) throws {
        let (bench, operations) = try bench { $0.finishesFetches = finishes }
        bench.want([1])
        bench.at(1) { bench.want([]) }
        try bench.run()
        #expect((bench.loader.progress(of: 1) == .fetched) == finishes)
        #expect(operations.cancelled == (finishes ? [] : [1]))
    }

    @Test func `one that is kept makes room for what somebody wants`() throws {
        let (bench, operations) = try bench(places: 1)
        bench.want([1])
        bench.at(1) { bench.want([]) }
        bench.at(2) { bench.want([2]) }
        try bench.run()
        #expect(operations.cancelled == [1])
        #expect(bench.loaded == [2])
        #expect(bench.time.now == .zero.advanced(by: .milliseconds(2 + 20 + 1)))
    }

    @Test func `one that hangs fails in its time and leaves its place to the next`() throws {
        let (bench, operations) = try bench(places: 1) { $0.fetchTimeout = .seconds(3) }
        bench.source.fetchCost = .seconds(1000)
        bench.want([1, 2, 3])
        bench.at(100) { bench.source.fetchCost = .milliseconds(50) }
        try bench.run()
        for key in 1...3 { #expect(word(bench.loader.state(of: key)) == "failed") }
        #expect(operations.cancelled == [1, 2, 3])
        #expect(bench.time.now == .zero.advanced(by: .seconds(9)))
    }

    @Test func `a preview of what changes as the preview is made is not kept`() throws {
        let (bench, operations) = try bench { $0.finishesFetches = false }
        bench.source.preview = { [unowned bench] key in
            bench.loader.invalidate(key)
            return Text(key: key, version: 1, isWhole: false)
        }
        bench.want([1])
        bench.at(5) {
            operations.all[0].completion.show(true)
            #expect(bench.loader.state(of: 1).shown == nil)
        }
        try bench.run()
        #expect(bench.loaded == [1])
    }

    @Test func `the preview of a cancelled fetch is released, whoever holds the key's entry`()
        throws
    {
        let (bench, operations) = try bench { $0.finishesFetches = false }
        bench.source.preview = { Text(key: $0, version: 1, isWhole: false) }
        bench.want([1])
        bench.at(5) {
            let entry = bench.loader.entries[1]  // as a rule's status may
            operations.all[0].completion.show(true)
            #expect(entry?.canBeShown == true)
            bench.want([])
            #expect(entry?.canBeShown == false)
            #expect(bench.loader.entries.isEmpty)
        }
        try bench.run()
    }
}
