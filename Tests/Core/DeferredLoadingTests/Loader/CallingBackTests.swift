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

        func load(_ key: Int, fetched: Never?) throws -> any Load<Witness> {
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
        func commit() -> (Any, Any) -> Void { { [object = live.make()] _, _ in _ = object } }
        let loader = Loader(queue: queue, source: Nothing(object: live.make()))
        loader.onDecision = callback()
        let list = loader.list(commit: commit())
        list.subscribe(to: 1)
        list.reconcile(with: [Wanted(2, urgency: .near, rank: 0)])
        loader.settle(1, .success(Witness("1", callback())))
        let facts = loader.facts { $0 }
        #expect(facts.progress(ofRow: 1) == .settled)
        #expect(live.count == 4)
        loader.close()
        #expect(live.count == 0)
        loader.onDecision = callback()
        let late = loader.list(named: "late", commit: commit())
        #expect(live.count == 0)
        #expect(facts.costHint(ofRow: 1) == nil)
        withExtendedLifetime((list, late, facts)) {}
    }

    @Test func `a list that is closed holds nothing that it was given`() throws {
        let live = LiveObjects()
        let loader = Loader(queue: try queue(), source: Nothing())
        func commit() -> (Any, Any) -> Void { { [object = live.make()] _, _ in _ = object } }
        let list = loader.list(commit: commit())
        list.subscribe(to: 1)
        list.close()
        #expect(live.count == 0)
        list.close()
        list.subscribe(to: 1)
        #expect(!list.isSubscribed(to: 1))
        loader.checkInvariants()
    }

    @Test func `what is invalidated, trimmed, forgotten or replaced is let go of at once`() throws {
        let loader = Loader(queue: try queue(), source: Nothing())
        let list = loader.list { _, _ in }
        var gone: [String] = []
        func settle(_ key: Int, _ name: String) {
            loader.settle(key, .success(Witness(name) { gone.append($0) }))
        }
        settle(1, "first")
        settle(1, "second")
        #expect(gone == ["first"])
        #expect(loader.value(of: 1)?.name == "second")
        loader.invalidate(1)
        settle(2, "trimmed")
        loader.trim(to: 0)
        list.subscribe(to: 3)
        settle(3, "told")
        loader.settle(3, .failure(Trouble()))
        #expect(gone == ["first", "second", "trimmed", "told"])
        loader.checkInvariants()
        withExtendedLifetime(list) {}
    }

    @Test func `a value that calls back as it goes finds all of its change done`() throws {
        let queue = try queue()
        var told: [String] = []
        var loader: Loader? = Loader(queue: queue, source: Nothing())
        let lists = (0..<2).map { number in
            loader?.list { _, state in told.append("\(number) \(state.shown?.name ?? "-")") }
        }
        lists[0]?.subscribe(to: 1)
        loader?.settle(
            1,
            .success(
                Witness("old") { [weak loader] _ in
                    lists[1]?.subscribe(to: 1)
                    loader?.settle(1, .success(Witness("new") { _ in }))
                    loader?.checkInvariants()
                }))
        loader?.invalidate(1)
        loader?.checkInvariants()
        #expect(told == ["0 old", "0 new", "1 new"])
        loader = nil
        queue.checkInvariants()
        withExtendedLifetime(lists) {}
    }

    @Test func `a mind changed while its reason is asked is what counts`() throws {
        let bench = try LoaderBench()
        bench.loader.onDecision = { _ in }
        bench.list.subscribe(to: 1)
        bench.list.reconcile(with: bench.wish([1])) { _ in
            bench.list.reconcile(with: [])
            return nil
        }
        bench.check()
        try bench.run()
        #expect(bench.source.begun.isEmpty)
    }

    @Test func `a mind changed while a cost is asked is what counts`() throws {
        let bench = try LoaderBench()
        let other = bench.loader.list(named: "other") { _, _ in }
        other.reconcile(with: bench.wish([9]))
        bench.list.subscribe(to: 1)
        var wishes = bench.wish([2])
        bench.source.onAsk = { _ in
            let now = wishes
            wishes = []
            if !now.isEmpty { bench.list.reconcile(with: now) }
        }
        bench.list.reconcile(with: bench.wish([1]))
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
        let list = bench.loader.list(named: "other") { _, _ in }
        list.reconcile(with: bench.wish([3]))
        try bench.run(until: 1)
        var asked = 0
        bench.source.onAsk = { _ in
            asked += 1
            list.reconcile(with: bench.wish([4]))
            list.subscribe(to: 4)
        }
        list.close()
        bench.source.onAsk = { _ in }
        #expect(asked > 0)
        bench.check()
        try bench.run()
        #expect(bench.source.begun == [3])
    }

    @Test func `what is fetched is nobody's if its job is taken back while its size is asked`()
        throws
    {
        let bench = try LoaderBench(costLimit: .milliseconds(6))
        bench.source.fetchCost = .milliseconds(1)
        bench.source.onArrival = {
            bench.source.onArrival = {}
            bench.source.fetchCost = .milliseconds(20)  // more than the queue ever takes
            bench.queue.cancel(1)
        }
        bench.list.subscribe(to: 1)
        bench.list.reconcile(with: bench.wish([1]))
        try bench.run(until: 30)
        bench.check()
        guard case .failed(LoadError.tooCostly, _) = bench.loader.state(of: 1) else {
            Issue.record("\(bench.loader.state(of: 1))")
            return
        }
    }

    @Test func `a result from elsewhere is dropped if its key changes while its size is asked`()
        throws
    {
        let bench = try LoaderBench()
        bench.source.onSize = {
            bench.source.onSize = {}
            bench.loader.invalidate(1)
        }
        bench.loader.settle(1, .success(Text(key: 1, version: 1)))
        #expect(bench.loader.state(of: 1).value == nil)
        bench.check()
    }

    @Test func `a key that changes while its kind is asked is fetched as it is now`() throws {
        let bench = try LoaderBench()
        bench.source.fetchCost = .milliseconds(20)
        bench.source.kind = { [unowned bench] key in
            guard bench.source.versions[key] == nil else { return nil }
            bench.source.versions[key] = 2
            bench.loader.invalidate(key)
            return nil
        }
        var fetched: [Int] = []
        bench.source.onCall = { [unowned bench] key in
            guard bench.source.begun.isEmpty else { return }
            fetched.append(bench.source.version(of: key))
        }
        bench.want([1])
        try bench.run()
        #expect(fetched == [2])
        #expect(bench.loader.state(of: 1).value?.version == 2)
    }

    @Test func `what fails without a job makes room like any other`() throws {
        let bench = try LoaderBench(costLimit: .milliseconds(10)) { $0.capacity = 2 }
        bench.source.fetchCost = .milliseconds(20)
        bench.want([1, 2])
        #expect(bench.loader.count == 2)
        bench.want([3])
        #expect(bench.loader.count == 2)
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

    @Test func `a preview of what was changed as it was told is told to no further list`() throws {
        let bench = try LoaderBench()
        bench.source.slices = 2
        bench.source.refines = true
        bench.onCommit = { [unowned bench] _, _ in
            guard bench.commits.count == 1 else { return }
            bench.source.versions[1] = 2
            bench.loader.invalidate(1)
        }
        let others = (0..<2).map { _ in bench.loader.list(commit: bench.take) }
        bench.list.subscribe(to: 1)
        for list in others { list.subscribe(to: 1) }
        bench.want([1])
        try bench.run()
        #expect(bench.commits.map(\.shown?.version) == [1, 2, 2, 2, 2, 2, 2])
        #expect(bench.commits.map(\.value?.version) == [nil, nil, nil, nil, 2, 2, 2])
        withExtendedLifetime(others) {}
    }

    @Test func `a list that closes as another is told something keeps it from no third`() throws {
        let bench = try LoaderBench()
        var told: [String] = []
        let goes = bench.loader.list { _, _ in told.append("goes") }
        let stays = bench.loader.list { _, _ in told.append("stays") }
        bench.onCommit = { _, _ in goes.close() }
        bench.list.subscribe(to: 1)
        goes.subscribe(to: 1)
        stays.subscribe(to: 1)
        bench.want([1])
        try bench.run()
        #expect(bench.shown[1] != nil)
        #expect(told == ["stays"])
        withExtendedLifetime(stays) {}
    }

    @Test func `a list that unsubscribes as another is told something is told no more of it`()
        throws
    {
        let bench = try LoaderBench()
        var told: [String] = []
        let leaves = bench.loader.list { _, _ in told.append("leaves") }
        let returns = bench.loader.list { _, _ in told.append("returns") }
        bench.onCommit = { _, _ in
            leaves.unsubscribe(from: 1)
            returns.unsubscribe(from: 1)
            returns.subscribe(to: 1)  // which tells it what is there
        }
        for list in [bench.list, leaves, returns] { list?.subscribe(to: 1) }
        bench.want([1])
        try bench.run()
        #expect(told == ["returns"])
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
        bench.list.reconcile(with: bench.wish([3]))  // for which that one's worker is freed
        #expect(bench.source.fetches == [1, 2, 3])
        #expect(!bench.loader.isOpen)
        #expect(bench.queue.isEmpty)
    }
}
