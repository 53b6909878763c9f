import DeferredLoading
import IdleLoop
import TestSupport
import Testing

/// What loaders let go of, and what may call them back as it goes.
struct CallingBackTests {
    /// A value that says when it's let go of.
    private final class Witness {
        let name: String
        let onEnd: (String) -> Void

        init(_ name: String, _ onEnd: @escaping (String) -> Void) {
            self.name = name
            self.onEnd = onEnd
        }

        deinit { onEnd(name) }
    }

    /// A source of nothing.
    private struct Nothing: LoadSource {
        var object: LiveObjects.Object?

        func load(_ key: Int, fetched: (any Sendable)?) throws -> any Load<Witness> {
            throw Trouble()
        }
    }

    private typealias Loader = DeferredLoader<Int, Witness>

    private func queue() throws -> IdleQueue<Int> {
        IdleQueue(on: try MainLoop(clock: .virtual(VirtualTime())))
    }

    @Test func `a loader that is closed holds nothing that it was given`() throws {
        let live = LiveObjects()
        let queue = try queue()
        func callback() -> (Any) -> Void { { [object = live.make()] _ in _ = object } }
        let loader = Loader(
            queue: queue, source: Nothing(object: live.make()), commit: callback())
        loader.onDecision = callback()
        loader.onProgress = callback()
        let list = loader.list(named: "list", commit: callback())
        list.onProgress = callback()
        list.bind(cell: 0, to: 1)
        list.reconcile(with: [Wanted(2, urgency: .near, rank: 0)])
        loader.settle(1, .success(Witness("1", callback())))
        #expect(live.count == 7)
        loader.close()
        #expect(live.count == 0)
        loader.onDecision = callback()
        loader.onProgress = callback()
        list.onProgress = callback()
        let late = loader.list(named: "late", commit: callback())
        #expect(live.count == 0)
        #expect(loader.costHint(of: 1) == nil)
        withExtendedLifetime((list, late)) {}
    }

    @Test func `a list that is closed holds nothing that it was given`() throws {
        let live = LiveObjects()
        let loader = Loader(queue: try queue(), source: Nothing()) { _ in }
        func callback() -> (Any) -> Void { { [object = live.make()] _ in _ = object } }
        let list = loader.list(named: "list", commit: callback())
        list.onProgress = callback()
        list.bind(cell: 0, to: 1)
        list.close()
        list.onProgress = callback()
        #expect(live.count == 0)
        list.close()
        #expect(list.bind(cell: 0, to: 1) == 0)
        loader.checkInvariants()
    }

    @Test func `what is invalidated, trimmed, forgotten or replaced is let go of at once`() throws {
        let loader = Loader(queue: try queue(), source: Nothing()) { _ in }
        var gone: [String] = []
        func settle(_ key: Int, _ name: String) {
            loader.settle(key, .success(Witness(name) { gone.append($0) }))
        }
        settle(1, "first")
        settle(1, "second")
        #expect(gone == ["first"])
        #expect(loader.showOnce(1)?.name == "second")
        loader.invalidate(1)
        settle(2, "trimmed")
        loader.trim(to: 0)
        loader.bind(cell: 0, to: 3)
        settle(3, "shown")
        loader.settle(3, .failure(Trouble()))
        #expect(gone == ["first", "second", "trimmed", "shown"])
        loader.checkInvariants()
    }

    @Test func `a value that calls back as it goes finds all of its change done`() throws {
        let queue = try queue()
        var shown: [String] = []
        var loader: Loader?
        loader = Loader(queue: queue, source: Nothing()) { shown.append($0.value.name) }
        loader?.bind(cell: 0, to: 1)
        loader?.settle(
            1,
            .success(
                Witness("old") { [weak loader] _ in
                    loader?.bind(cell: 1, to: 1)
                    loader?.settle(1, .success(Witness("new") { _ in }))
                    loader?.checkInvariants()
                }))
        loader?.invalidate(1)
        loader?.checkInvariants()
        #expect(shown == ["old", "new", "new"])
        loader = nil
        queue.checkInvariants()
    }

    @Test func `a mind changed while its reason is asked is what counts`() throws {
        let bench = try LoaderBench()
        bench.loader.onDecision = { _ in }
        bench.loader.bind(cell: 0, to: 1)
        bench.loader.reconcile(with: bench.wish([1])) { _ in
            bench.loader.reconcile(with: [])
            return nil
        }
        bench.check()
        try bench.run()
        #expect(bench.source.begun.isEmpty)
    }

    @Test func `a mind changed while a cost is asked is what counts`() throws {
        let bench = try LoaderBench()
        let other = bench.loader.list(named: "other") { _ in }
        other.reconcile(with: bench.wish([9]))
        bench.loader.bind(cell: 0, to: 1)
        var wishes = bench.wish([2])
        bench.source.onAsk = { _ in
            let now = wishes
            wishes = []
            if !now.isEmpty { bench.loader.reconcile(with: now) }
        }
        bench.loader.reconcile(with: bench.wish([1]))
        bench.check()
        try bench.run()
        #expect(bench.source.begun.sorted() == [2, 9])
        bench.source.onAsk = { _ in }
        withExtendedLifetime(other) {}
    }

    @Test func `a list wants nothing any more once it's being closed, whatever is asked then`()
        throws
    {
        let bench = try LoaderBench { $0.nearlyDone = 0.5 }
        bench.source.slices = 10
        let list = bench.loader.list(named: "other") { _ in }
        list.reconcile(with: bench.wish([3]))
        try bench.run(until: 1)
        var asked = 0
        bench.source.onAsk = { _ in
            asked += 1
            list.reconcile(with: bench.wish([4]))
            list.bind(cell: 0, to: 4)
        }
        list.close()
        bench.source.onAsk = { _ in }
        #expect(asked > 0)
        bench.check()
        try bench.run()
        #expect(bench.source.begun == [3])
    }

    @Test func `what fails without a job makes room like any other`() throws {
        for eviction in [LoaderConfiguration.Eviction.unwantedFirst, .longestUnseen] {
            let bench = try LoaderBench(costLimit: .milliseconds(10)) {
                $0.capacity = 2
                $0.eviction = eviction
            }
            bench.source.fetchCost = .milliseconds(20)
            bench.want([1, 2])
            #expect(bench.loader.count == 2)
            bench.want([3])
            #expect(bench.loader.count == 2)
        }
    }

    @Test func `a closed loop leaves a loader that agrees with itself`() throws {
        let bench = try LoaderBench()
        bench.source.retries = .later
        bench.source.failing = { _ in true }
        bench.want([1])
        try bench.run(until: 1)
        bench.loop.close()
        bench.loader.retry(1)
        bench.loader.checkInvariants()
    }

    @Test func `a preview of what was changed as it was shown is shown in no further cell`() throws
    {
        let bench = try LoaderBench()
        bench.source.slices = 2
        bench.source.refines = true
        bench.onCommit = { [unowned bench] commit in
            guard bench.commits.count == 1 else { return }
            bench.source.versions[1] = 2
            bench.loader.invalidate(1)
        }
        for cell in 0..<3 { bench.loader.bind(cell: cell, to: 1) }
        bench.want([1])
        try bench.run()
        #expect(bench.commits.map(\.value.version) == [1] + Array(repeating: 2, count: 6))
        #expect(bench.commits.map(\.isFinal) == [false, false, false, false, true, true, true])
    }

    @Test func `a list that closes as its cell is shown something keeps it from no other's`() throws
    {
        let bench = try LoaderBench()
        let list = bench.loader.list(named: "goes") { _ in }
        bench.onCommit = { _ in list.close() }
        bench.loader.bind(cell: 0, to: 1)
        list.bind(cell: 0, to: 1)
        bench.loader.bind(cell: 1, to: 1)
        bench.want([1])
        try bench.run()
        #expect(bench.cells.keys.sorted() == [0, 1])
    }

    @Test func `a loader that closes as a worker is freed hands in nothing more`() throws {
        let bench = try LoaderBench(workers: 1)
        bench.source.fetchCost = .milliseconds(4)
        bench.want([1])
        try bench.run()  // so that it's known what a fetch takes
        bench.want([2])
        let now = bench.time.now
        try bench.loop.run(until: now.advanced(by: .milliseconds(3)))
        bench.time.charge(.milliseconds(2))  // in which the fetch of 2 ends, and isn't told of
        bench.source.onArrival = { [unowned bench] in bench.loader.close() }
        bench.loader.reconcile(with: bench.wish([3]))  // for which that one's worker is freed
        #expect(bench.source.fetches == [1, 2, 3])
        #expect(!bench.loader.isOpen)
        #expect(bench.queue.isEmpty)
    }
}
