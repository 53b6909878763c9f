import DeferredLoading
import IdleLoop
import Testing

/// Several lists on one loop.
struct SharingTests {
    /// What each of several lists has had of the loop, as time goes by.
    private func shares(
        of weights: [Int], costs: [Duration], wishes: [Int], until milliseconds: Int,
        limit: Int = 30, urgencies: [Urgency] = []
    ) throws -> [Duration] {
        let bench = try LoaderBench(limit: limit) { $0.capacity = .max }
        bench.source.sliceCost = { costs[$0 / 100_000] }
        var had = Array(repeating: Duration.zero, count: weights.count)
        bench.loader.onDecision = { decision in
            if case .finished(let cost) = decision.kind { had[decision.key / 100_000] += cost }
        }
        let lists = weights.enumerated().map { index, weight in
            bench.loader.list(named: "list \(index)", weight: weight) { _, _ in }
        }
        for (index, list) in lists.enumerated() {
            let keys = (0..<wishes[index]).map { 100_000 * index + $0 }
            let urgency = index < urgencies.count ? urgencies[index] : .visible
            list.reconcile(with: bench.wish(keys, urgency))
        }
        bench.check()
        try bench.run(until: milliseconds)
        withExtendedLifetime(lists) {}
        return had
    }

    @Test(arguments: [[1, 1], [1, 3], [4, 1], [1, 2, 3]], [1, 30, Int.max])
    func `lists share the work by weight and cost, not by count`(weights: [Int], limit: Int) throws
    {
        let costs: [Duration] = [.milliseconds(1), .milliseconds(7), .milliseconds(2)]
        let had = try shares(
            of: weights, costs: costs, wishes: [2000, 2000, 2000], until: 1500, limit: limit)
        let parts = zip(had, weights).map { $0 / Double($1) }
        let (least, most) = (parts.min() ?? .zero, parts.max() ?? .zero)
        #expect(most - least <= .milliseconds(60))
        #expect(had.reduce(.zero, +) > .milliseconds(1450))
    }

    @Test func `ten thousand wishes of one list don't keep the other's rows waiting`() throws {
        for limit in [1, 30, Int.max] {
            let bench = try LoaderBench(limit: limit) { $0.capacity = .max }
            var shown: [Int: Text] = [:]
            let other = bench.loader.list(named: "other") { key, state in
                #expect(bench.time.now < .zero.advanced(by: .milliseconds(100 + 2 * 10 + 5)))
                shown[key] = state.value
            }
            bench.want(0..<10_000)
            bench.at(100) {
                for key in 20_000..<20_010 { other.subscribe(to: key) }
                other.reconcile(with: bench.wish(20_000..<20_010))
            }
            try bench.run(until: 300)
            #expect(shown.count == 10)
        }
    }

    @Test func `a load that has begun is finished first, however often lists change their wishes`()
        throws
    {
        // A full queue would drop the job that comes back for its next slice, if one more were offered.
        let bench = try LoaderBench(limit: 30) { $0.capacity = .max }
        bench.source.slices = 8
        var (finished, unfinished) = (0, 0)
        bench.loader.onDecision = { if case .finished = $0.kind { finished += 1 } }
        let lists = (0..<20).map { _ in bench.loader.list { _, _ in } }
        for change in 0..<60 {
            bench.at(5 * change) {
                unfinished = max(unfinished, bench.source.begun.count - finished)
                for (index, list) in lists.enumerated() {
                    let keys = (0..<4).map { 100 * index + ($0 + change) % 4 }
                    list.reconcile(with: bench.wish(keys))
                }
                bench.check()
            }
        }
        try bench.run(until: 300)
        #expect(unfinished <= 3, "\(unfinished)")
        #expect(finished >= 300 / 8 - 3, "\(finished)")
        withExtendedLifetime(lists) {}
    }

    @Test func `what is on screen in one list comes before what is near in another`() throws {
        let had = try shares(
            of: [1, 1], costs: [.milliseconds(1), .milliseconds(1)], wishes: [10_000, 50],
            until: 50, urgencies: [.near, .visible])
        #expect(had == [.zero, .milliseconds(50)])
    }

    @Test func `two lists that want the same share one load, as urgent as the more urgent`() throws
    {
        let bench = try LoaderBench()
        var shown: [String] = []
        let first = bench.loader.list(named: "first") { key, _ in shown.append("first \(key)") }
        let second = bench.loader.list(named: "second") { key, _ in shown.append("second \(key)") }
        first.subscribe(to: 1)
        second.subscribe(to: 1)
        first.reconcile(with: bench.wish([5, 1], .speculative))
        second.reconcile(with: bench.wish([1]))
        bench.check()
        #expect(bench.queue.priority(of: 1) == .highest)
        second.reconcile(with: [])
        #expect(bench.queue.priority(of: 1) == .lowest)
        second.reconcile(with: bench.wish([1]))
        try bench.run()
        #expect(bench.source.begun == [1, 5])
        #expect(shown == ["first 1", "second 1"])
    }

    @Test func `what lists want of a key is told of the key, with the list that changed its mind`()
        throws
    {
        let bench = try LoaderBench()
        var told: [String] = []
        bench.loader.onDecision = { decision in
            let change: String? =
                switch decision.kind {
                case .wanted(let urgency, let rank): "wanted \(urgency) \(rank)"
                case .moved(let from, let to, let rank): "moved \(from) \(to) \(rank)"
                case .unwanted: "unwanted"
                default: nil
                }
            if let change { told.append("\(decision.list ?? "nobody"): \(change)") }
        }
        func changes(_ body: () -> Void) -> [String] {
            told = []
            body()
            return told
        }
        let near = bench.loader.list(named: "near") { _, _ in }
        let far = bench.loader.list(named: "far") { _, _ in }
        let wish = Wanted(7, urgency: .speculative, rank: 3)
        #expect(changes { far.reconcile(with: [wish]) } == ["far: wanted speculative 3"])
        #expect(
            changes { near.reconcile(with: bench.wish([7])) }
                == ["near: moved speculative visible 0"])
        #expect(changes { bench.list.reconcile(with: [wish]) } == [])
        #expect(changes { bench.list.reconcile(with: bench.wish([7], .near)) } == [])
        #expect(
            changes { near.close() } == ["near: moved visible near 0"])
        #expect(
            changes { bench.list.reconcile(with: []) }
                == [": moved near speculative 3"])
        #expect(changes { far.reconcile(with: []) } == ["far: unwanted"])
    }

    @Test func `what a list wanted last counts, as it was before or not`() throws {
        for last in [[], [9]] {
            let bench = try LoaderBench()
            let other = bench.loader.list { _, _ in }
            bench.source.kind = { [unowned bench] key in
                // While 7 is submitted.
                if key == 7 { bench.list.reconcile(with: bench.wish(last)) }
                return nil
            }
            bench.want([7])
            #expect(bench.list.wanted.map(\.key) == last)
            try bench.run()
            #expect(bench.source.begun == last)
            withExtendedLifetime(other) {}
        }
    }

    @Test func `loaders with queues of their own share the lulls by the queues' weights`() throws {
        let time = VirtualTime()
        let loop = try MainLoop(clock: .virtual(time))
        let costs: [Duration] = [.milliseconds(1), .milliseconds(3)]
        var had: [Duration] = [.zero, .zero]
        var lists: [(DeferredLoader<Int, Text>, LoadList<Int, Text>)] = []
        for (index, weight) in [1, 3].enumerated() {
            var configuration = QueueConfiguration()
            configuration.weight = weight
            configuration.batch = .zero
            let source = TextSource(time)
            source.sliceCost = { _ in costs[index] }
            let loader = DeferredLoader(
                queue: IdleQueue<Int>(on: loop, configuration: configuration), source: source)
            loader.onDecision = { if case .finished(let cost) = $0.kind { had[index] += cost } }
            let list = loader.list { _, _ in }
            list.reconcile(
                with: (0..<5000).map { Wanted($0, urgency: .visible, rank: $0) })
            lists.append((loader, list))
        }
        try loop.run(until: .zero.advanced(by: .seconds(1)))
        #expect(abs(had[1] / had[0] - 3) < 0.1)
        withExtendedLifetime(lists) {}
    }

    // MARK: - Work that is given up

    @Test func `a list that gives up its fetches for others pays for them`() throws {
        let bench = try LoaderBench(workers: 1) { $0.capacity = .max }
        bench.source.fetchCost = .milliseconds(20)
        let fickle = bench.loader.list(named: "fickle") { _, _ in }
        let other = bench.loader.list(named: "other") { _, _ in }
        other.reconcile(with: bench.wish(1000..<1020))
        // Another row each time, before anything can come of the last.
        for step in 0..<200 {
            bench.at(5 * step) { fickle.reconcile(with: bench.wish([step])) }
        }
        try bench.run(until: 1000)
        let fetched = bench.source.fetches.filter { $0 < 1000 }
        #expect(bench.loaded(from: 1000..<1020).count == 20)
        #expect(fetched.count > 20)
        // Half of the worker's time is the other's until it has all, in the first 840 ms.
        #expect(bench.source.fetches.lastIndex { $0 >= 1000 }! < bench.source.fetches.count - 3)
        withExtendedLifetime((fickle, other)) {}
    }
}
