import DeferredLoading
import IdleLoop
import Testing

/// Keys that lists want, from the request to the value.
struct LoaderTests {
    @Test func `what is wanted is loaded, and told to lists that have subscribed to it`() throws {
        let bench = try LoaderBench()
        bench.list.subscribe(to: 7)
        bench.list.subscribe(to: 8)
        bench.want([7, 8, 9])
        try bench.run()
        #expect(bench.shown == [7: Text(key: 7, version: 1), 8: Text(key: 8, version: 1)])
        var late: [Int: Text] = [:]
        let other = bench.loader.list { late[$0] = $1.shown }
        other.subscribe(to: 7)
        #expect(late == [7: Text(key: 7, version: 1)])
    }

    @Test func `a list that subscribes to a key again is told of it once`() throws {
        let bench = try LoaderBench()
        var told: [Int] = []
        let list = bench.loader.list { key, _ in told.append(key) }
        for key in [1, 2, 1] { list.subscribe(to: key) }
        #expect(list.subscriptions == [1, 2])
        bench.want([1, 2])
        try bench.run()
        list.subscribe(to: 1)
        #expect(told == [1, 2])
    }

    @Test func `a preview is told, and the value after it`() throws {
        let bench = try LoaderBench()
        bench.source.slices = 3
        bench.source.refines = true
        var told: [String] = []
        let late = bench.loader.list { _, state in told.append(word(state)) }
        bench.list.subscribe(to: 1)
        bench.want([1])
        bench.at(2) {
            #expect(word(bench.loader.state(of: 1)) == "refined")
            #expect(bench.loader.state(of: 1).shown?.isWhole == false)
            late.subscribe(to: 1)
            #expect(told == ["refined"])
        }
        try bench.run()
        #expect(bench.commits.map(word) == ["refined", "refined", "loaded"])
        #expect(bench.shown[1]?.isWhole == true)
        #expect(told == ["refined", "loaded"])
        withExtendedLifetime(late) {}
    }

    @Test func `states say how far a value has come`() throws {
        let bench = try LoaderBench()
        bench.source.slices = 3
        var words = [word(bench.loader.state(of: 1))]
        bench.want([1])
        words.append(word(bench.loader.state(of: 1)))
        bench.at(1) { words.append(word(bench.loader.state(of: 1))) }
        try bench.run()
        words.append(word(bench.loader.state(of: 1)))
        #expect(words == ["placeholder", "queued", "loading", "loaded"])
    }

    @Test func `a row that can't be loaded has failed, and the others come`() throws {
        let bench = try LoaderBench()
        bench.source.failing = { $0 == 1 }
        bench.want(0..<3)
        try bench.run()
        guard case .failed(is Trouble, nextTry: nil) = bench.loader.state(of: 1) else {
            Issue.record("row 1 has failed")
            return
        }
        #expect(bench.loader.state(of: 2).value == Text(key: 2, version: 1))
        // Wanting it again doesn't try again; a change of it does.
        bench.source.forget()
        bench.want([1])
        try bench.run()
        #expect(bench.source.begun.isEmpty)
        bench.source.failing = { _ in false }
        bench.loader.invalidate(1)
        try bench.run()
        #expect(bench.loader.state(of: 1).value == Text(key: 1, version: 1))
    }

    @Test func `work for a worker that there is none of has failed, and the rest comes`() throws {
        let bench = try LoaderBench(byThemselves: true)
        let operations = bench.source.operations
        bench.source.fetchCost = .milliseconds(20)
        bench.source.operations = nil
        bench.want([1, 2])
        bench.at(5) {
            bench.source.operations = operations
            bench.want(0..<10)
        }
        try bench.run()
        for key in 1...2 {
            guard case .failed(LoadError.needsPool, nextTry: nil) = bench.loader.state(of: key)
            else {
                Issue.record("it has failed: \(bench.loader.state(of: key))")
                continue
            }
        }
        #expect(bench.loaded == [0] + Array(3..<10))
    }

    // MARK: - The queue

    @Test func `what the queue has no room for comes later, most urgent first`() throws {
        let bench = try LoaderBench(limit: 4)
        bench.want(0..<100)
        #expect(bench.queue.count == 4)
        try bench.run()
        #expect(bench.source.begun == Array(0..<100))
        #expect(bench.queue.statistics.dropped == 0)
    }

    @Test func `a key that is named twice counts as named first`() throws {
        for (first, second) in [(Urgency.visible, Urgency.near), (.near, .visible)] {
            let bench = try LoaderBench()
            var told: [String] = []
            bench.loader.onDecision = { told.append("\($0.key): \($0.kind)") }
            bench.list.reconcile(
                with: [Wanted(1, urgency: first, rank: 4), Wanted(1, urgency: second, rank: 2)])
            #expect(told == ["1: \(LoadDecisionKind.wanted(first, rank: 4))"])
            #expect(bench.queue.priority(of: 1) == first.priority)
        }
    }

    @Test func `a more urgent wish takes the place of a lesser one, which comes later`() throws {
        let bench = try LoaderBench(limit: 2)
        bench.want([1, 2, 3], .speculative)
        bench.list.reconcile(
            with: bench.list.wanted + [Wanted(9, urgency: .visible, rank: 0)])
        #expect(bench.queue.contains(9))
        try bench.run()
        #expect(bench.source.begun.first == 9)
        #expect(bench.source.begun.sorted() == [1, 2, 3, 9])
    }

    @Test(arguments: [0, 3])
    func `shutting the queue down finishes what there is time for`(milliseconds: Int) throws {
        let bench = try LoaderBench(limit: 4)
        bench.source.fetchCost = .milliseconds(2)
        bench.want(0..<10)
        var report: ShutdownReport<Int>?
        bench.queue.shutDown(within: .milliseconds(milliseconds)) { report = $0 }
        bench.want(0..<15)
        try bench.run()
        #expect(report?.finished.isEmpty == (milliseconds == 0))
        #expect(report?.returned.isEmpty == false)
        #expect(bench.queue.statistics.dropped == 0)
        #expect(bench.queue.statistics.isConserved)
    }
}
