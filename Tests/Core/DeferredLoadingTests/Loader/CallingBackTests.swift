import DeferredLoading
import IdleLoop
import Testing

/// What is told and begun when a call from inside a call changes it.
struct CallingBackTests {
    @Test func `a value that is replaced as it's told is told to no further list`() throws {
        let bench = try LoaderBench()
        var told: [Int?] = []
        let lists = (0..<3).map { _ in
            bench.loader.list { [unowned bench] _, state in
                told.append(state.value?.version)
                guard state.value?.version == 1 else { return }
                bench.loader.settle(1, .success(Text(key: 1, version: 2)))
            }
        }
        for list in lists { list.subscribe(to: 1) }
        bench.want([1])
        try bench.run()
        #expect(told == [1, 2, 2, 2])
    }

    @Test func `a list that unsubscribes as another is told something is told no more of it`()
        throws
    {
        let bench = try LoaderBench()
        var told: [String] = []
        let leaves = bench.loader.list { _, _ in told.append("leaves") }
        let returns = bench.loader.list { _, _ in told.append("returns") }
        let first = bench.loader.list { _, _ in
            leaves.unsubscribe(from: 1)
            returns.unsubscribe(from: 1)
            returns.subscribe(to: 1)  // which tells it what is there
        }
        for list in [first, leaves, returns] { list.subscribe(to: 1) }
        bench.want([1])
        try bench.run()
        #expect(told == ["returns"])
    }

    @Test func `a list that subscribes just before all are told is told once`() throws {
        let bench = try LoaderBench()
        bench.loader.onDecision = { [unowned bench] decision in
            if case .finished = decision.kind { bench.list.subscribe(to: 1) }
        }
        let other = bench.loader.list { _, _ in }
        other.subscribe(to: 1)
        bench.want([1])
        try bench.run()
        #expect(bench.commits.map(word) == ["loaded"])
        withExtendedLifetime(other) {}
    }

    @Test func `what is more urgent since its kind was asked is begun first`() throws {
        let bench = try LoaderBench(limit: 1)
        var isAsked = false
        bench.source.kind = { [unowned bench] key in
            guard key == 1, !isAsked else { return nil }
            isAsked = true
            bench.list.reconcile(with: bench.wish([2]) + bench.wish([1], .near))
            return nil
        }
        bench.want([1])
        try bench.run()
        #expect(bench.source.begun == [2, 1])
    }

    @Test func `a list wants nothing any more once it's being closed, whatever is asked then`()
        throws
    {
        let bench = try LoaderBench(limit: 1)
        bench.source.fetchCost = .milliseconds(20)
        let list = bench.loader.list(named: "other") { _, _ in }
        list.reconcile(with: bench.wish([3]))
        bench.want([5])
        try bench.run(until: 1)
        var asked = 0
        bench.source.kind = { [unowned bench] _ in
            asked += 1
            list.reconcile(with: bench.wish([4]))
            list.subscribe(to: 4)
            return nil
        }
        list.close()
        bench.source.kind = { _ in nil }
        #expect(asked > 0)
        try bench.run()
        #expect(bench.source.fetches == [3, 5])
    }

    @Test func `what is called from inside the source is done when the change is complete`() throws
    {
        let bench = try LoaderBench()
        bench.list.subscribe(to: 1)
        bench.source.versions[1] = 1
        bench.source.onCall = { [unowned bench] _ in
            bench.source.onCall = { _ in }
            bench.loader.settle(1, .success(Text(key: 1, version: 7)))
            #expect(word(bench.loader.state(of: 1)) == "queued")
        }
        bench.want([1])
        try bench.run()
        #expect(bench.commits.map(\.value?.version) == [7])
        #expect(bench.queue.isEmpty)
    }

    @Test func `a load that fails when its content has changed meanwhile has not failed`() throws {
        let bench = try LoaderBench()
        bench.list.subscribe(to: 1)
        var slices = 0
        bench.source.failing = { [unowned bench] _ in
            slices += 1
            if slices == 1 { bench.loader.invalidate(1) }
            return slices == 1
        }
        bench.want([1])
        try bench.run()
        #expect(bench.commits.map(word) == ["loaded"])
    }

    @Test func `what a callback changes is told after it has returned, in the order of changes`()
        throws
    {
        let bench = try LoaderBench()
        var told: [String] = []
        var list: LoadList<Int, Text>?
        list = bench.loader.list { [unowned bench] key, _ in
            told.append("\(key) begins")
            if key == 1 {
                for next in 2...3 {
                    bench.loader.settle(next, .success(Text(key: next, version: 1)))
                    list?.subscribe(to: next)
                    #expect(bench.loader.state(of: next).value != nil)
                }
            }
            told.append("\(key) ends")
        }
        list?.subscribe(to: 1)
        bench.loader.settle(1, .success(Text(key: 1, version: 1)))
        #expect(told == (1...3).flatMap { ["\($0) begins", "\($0) ends"] })
        list = nil
    }
}
