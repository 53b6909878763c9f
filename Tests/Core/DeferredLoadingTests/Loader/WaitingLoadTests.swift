import DeferredLoading
import IdleLoop
import Testing

/// Loads that wait for something other than a lull, until they are resumed.
struct WaitingLoadTests {
    @Test func `one that waits costs nothing until it is resumed, and others go on`() throws {
        let bench = try LoaderBench()
        var isThere = false
        bench.source.waits = { $0 == 1 && !isThere }
        bench.want(1...3)
        bench.at(3_600_000) {
            #expect(bench.loaded == [2, 3])
            #expect(bench.queue.statistics.slices == 3)
            isThere = true
            #expect(bench.loader.resume(1))
        }
        try bench.run()
        #expect(bench.loaded == [1, 2, 3])
        #expect(bench.queue.statistics.slices == 4)
        #expect(!bench.loader.resume(1) && !bench.loader.resume(7))
    }

    @Test func `one that is resumed goes on before what is less urgent`() throws {
        let bench = try LoaderBench()
        var isThere = false
        bench.source.waits = { $0 == 1 && !isThere }
        bench.want([1])
        bench.at(10) {
            bench.list.reconcile(
                with: bench.wish([1]) + bench.wish(2...9, .speculative))
        }
        bench.at(12) {
            isThere = true
            bench.loader.resume(1)
        }
        var calls: [Int] = []  // of the source, for one that begins and for its slice
        bench.source.onCall = { calls.append($0) }
        try bench.run()
        bench.source.onCall = { _ in }
        #expect(calls == [1, 1, 2, 2, 3, 3, 1] + (4...9).flatMap { [$0, $0] })
        #expect(bench.loaded == Array(1...9))
    }

    @Test(arguments: ["unwanted", "invalidated", "closed"])
    func `one that waits is let go of`(_ way: String) throws {
        let bench = try LoaderBench()
        bench.source.waits = { _ in bench.source.begun.count == 1 }
        bench.want([1])
        bench.at(5) {
            switch way {
            case "unwanted": bench.want([Int]())
            case "invalidated": bench.loader.invalidate(1)
            default: bench.loader.close()
            }
        }
        try bench.run()
        #expect(bench.queue.isEmpty)
        #expect(bench.loaded == (way == "invalidated" ? [1] : []))
        bench.source.waits = { _ in false }
    }
}
