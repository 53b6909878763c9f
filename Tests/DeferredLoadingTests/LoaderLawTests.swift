import DeferredLoading
import IdleLoop
import TestSupport
import Testing

/// What holds whatever is done to a loader, from wherever: checked against plain dictionaries.
struct LoaderLawTests {
    /// A loader to which anything may happen at any moment, and what should be true of it.
    private final class Chaos {
        let bench: LoaderBench
        let other: LoadList<Int, Text>?
        var random: SplitMix64
        var bound: [Int: (key: Int, generation: UInt64)] = [:]
        var wanted: [[Int]] = [[], []]
        var isReentrant = true
        var isClosed = false
        private var depth = 0
        private var settled: [Int: Int] = [:]

        init(seed: UInt64, byThemselves: Bool = false) throws {
            var random = SplitMix64(seed: seed)
            let hasBytes = Bool.random(using: &random)
            bench = try LoaderBench(
                limit: [1, 2, 5, 30].randomElement(using: &random) ?? 1,
                workers: Int.random(in: 1...3, using: &random), byThemselves: byThemselves
            ) { configuration in
                configuration.capacity = Int.random(in: 1...40, using: &random)
                if hasBytes { configuration.byteLimit = Int.random(in: 50...2000, using: &random) }
                configuration.suspended = Int.random(in: 0...3, using: &random)
                configuration.nearlyDone = Bool.random(using: &random) ? 0.5 : nil
                configuration.backoff.seed = seed
                configuration.backoff.first = .milliseconds(20)
                if Bool.random(using: &random) { configuration.fetchTimeout = .milliseconds(15) }
            }
            bench.source.size = Int.random(in: 0...150, using: &random)
            bench.source.slices = Int.random(in: 1...4, using: &random)
            bench.source.refines = Bool.random(using: &random)
            if Bool.random(using: &random) { bench.source.fetchCost = .milliseconds(6) }
            other =
                Bool.random(using: &random)
                ? bench.loader.list(named: "other", weight: 2) { _ in } : nil
            self.random = random
            bench.source.retries = Bool.random(using: &self.random) ? .later : .never
            listen()
        }

        private func listen() {
            bench.source.failing = { [unowned self] _ in
                Int.random(in: 0..<10, using: &random) == 0
            }
            bench.source.onCall = { [unowned self] _ in reenter() }
            bench.onCommit = { [unowned self] commit in
                #expect(commit.value.version == bench.source.version(of: commit.key))
                #expect(commit.value.key == commit.key)
                #expect(!isClosed)
                if let (key, generation) = bound[commit.cell], generation != 0 {
                    #expect(key == commit.key)
                    #expect(generation == commit.generation)
                }
                // After the whole value of a version no part of it comes.
                if commit.isFinal { settled[commit.key] = commit.value.version }
                if !commit.isFinal, commit.value.version > 1 {
                    #expect(settled[commit.key, default: 0] <= commit.value.version)
                }
                reenter()
            }
            bench.loader.onDecision = { [unowned self] _ in reenter() }
            bench.loader.onProgress = { [unowned self] _ in reenter() }
        }

        private func reenter() {
            guard isReentrant, depth == 0, Int.random(in: 0..<12, using: &random) == 0 else {
                return
            }
            depth += 1
            act()
            depth -= 1
        }

        /// Does anything that may be done.
        func act() {
            guard let loader = bench.loader, !isClosed else { return }
            let key = Int.random(in: 0..<25, using: &random)
            let cell = Int.random(in: 0..<5, using: &random)
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<3: want(in: 0)
            case 3: want(in: 1)
            case 4..<6:
                bound[cell] = (key, 0)  // its value may be shown before we know the generation
                let generation = loader.bind(cell: cell, to: key)
                if bound[cell]?.key == key, bound[cell]?.generation == 0 {
                    bound[cell]?.generation = generation
                }
            case 6:
                bound[cell] = nil
                loader.unbind(cell: cell)
            case 7:
                bench.source.versions[key, default: 1] += 1
                loader.invalidate(key)
            case 8: loader.retry(key)
            case 9: loader.trim(to: Double.random(in: 0...1, using: &random))
            case 10:
                loader.settle(
                    key, .success(Text(key: key, version: bench.source.version(of: key))))
            default: bench.time.charge(.milliseconds(Int.random(in: 0..<3, using: &random)))
            }
        }

        private func want(in list: Int) {
            let count = Int.random(in: 0..<15, using: &random)
            let keys = (0..<count).map { _ in Int.random(in: 0..<25, using: &random) }
            let wishes = keys.enumerated().map { rank, key in
                Wanted(
                    key, urgency: Urgency.allCases.randomElement(using: &random) ?? .near,
                    rank: rank)
            }
            if list == 0 {
                wanted[0] = keys
                bench.loader.reconcile(with: wishes)
            } else if let other {
                wanted[1] = keys
                other.reconcile(with: wishes)
            }
        }
    }

    @Test(arguments: 400..<600 as Range<UInt64>)
    func `whatever happens, nothing old is shown and all that is visible settles`(seed: UInt64)
        throws
    {
        try checkRest(of: Chaos(seed: seed))
    }

    @Test(arguments: 0..<120 as Range<UInt64>)
    func `the same with fetches that go on by themselves, and without workers`(seed: UInt64) throws
    {
        try checkRest(of: Chaos(seed: seed, byThemselves: true))
    }

    private func checkRest(of chaos: Chaos) throws {
        let bench = chaos.bench
        for step in 1...60 {
            bench.at(4 * step) {
                chaos.act()
                bench.queue.checkInvariants()
                bench.loader.checkInvariants()
            }
        }
        try bench.run(until: 300)
        #expect(bench.queue.statistics.isConserved)
        // The list rests: what it shows and wants is there, or has failed, in bounded time.
        chaos.isReentrant = false
        let visible = chaos.bound.values.map(\.key)
        bench.want(Set(visible).sorted())
        try bench.run(until: 60_000)
        for key in visible { #expect(bench.loader.state(of: key).isSettled) }
        #expect(bench.queue.statistics.waiting == 0)
        bench.source.operations?.checkAllEnded()
        #expect(
            bench.loader.count <= max(bench.loader.configuration.capacity, Set(visible).count))
        // With nothing wanted, nothing is done and no timer is left.
        chaos.other?.close()
        bench.want([])
        try bench.run()
        let now = bench.time.now
        let turns = bench.loop.statistics.turns
        try bench.run()
        #expect(bench.time.now == now)
        #expect(bench.loop.statistics.turns - turns <= 1)
    }

    @Test(arguments: 0..<100 as Range<UInt64>, [false, true])
    func `closed or let go of in the middle, it ends all it had`(
        seed: UInt64, isClosed: Bool
    ) throws {
        let chaos = try Chaos(seed: seed, byThemselves: seed % 4 < 2)
        let bench = chaos.bench
        weak let loader = bench.loader
        for step in 1...20 { bench.at(4 * step) { chaos.act() } }
        let end = Int(seed % 80)
        let calls = Int(seed % 7)
        var left = calls
        let finish = {
            chaos.isClosed = true
            if isClosed { bench.loader?.close() } else { bench.release() }
        }
        if seed.isMultiple(of: 2) {
            bench.at(end, finish)
        } else {
            // From inside a call of its own.
            let commit = bench.onCommit
            bench.onCommit = { value in
                commit(value)
                left -= 1
                if left == 0 { finish() }
            }
            bench.at(end, finish)
        }
        try bench.loop.run()
        bench.queue.checkInvariants()
        #expect(bench.queue.isEmpty)
        #expect(bench.queue.statistics.isConserved)
        bench.source.operations?.checkAllEnded()
        if !isClosed { #expect(loader == nil) }
    }

    @Test(arguments: [Overflow.dropLeastUrgent, .dropOldest, .dropNewest, .reject])
    func `whatever a full queue does, all is loaded in the end`(overflow: Overflow) throws {
        let bench = try LoaderBench(limit: 2, overflow: overflow)
        bench.source.fetchCost = .milliseconds(3)
        bench.want(0..<20, .near)
        bench.at(5) { bench.loader.reconcile(with: bench.wish([50]) + bench.wish(0..<20, .near)) }
        try bench.run()
        #expect(bench.loaded == Array(0..<20) + [50])
        #expect(bench.queue.statistics.isConserved)
    }

    @Test func `work that the queue never has room for has failed, and the rest comes`() throws {
        let bench = try LoaderBench(costLimit: .milliseconds(10))
        bench.source.fetchCost = .milliseconds(20)
        bench.want([1])
        bench.at(5) {
            bench.source.fetchCost = .milliseconds(4)
            bench.want(0..<10)
        }
        try bench.run()
        guard case .failed(is LoadTooCostly, nextTry: nil) = bench.loader.state(of: 1) else {
            Issue.record("it has failed: \(bench.loader.state(of: 1))")
            return
        }
        #expect(bench.loader.count == 10)
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
            guard case .failed(is LoadNeedsPool, nextTry: nil) = bench.loader.state(of: key)
            else {
                Issue.record("it has failed: \(bench.loader.state(of: key))")
                continue
            }
        }
        #expect(bench.loaded == [0] + Array(3..<10))
    }

    @Test func `a closed loader does nothing and traps nothing`() throws {
        let bench = try LoaderBench()
        bench.loader.bind(cell: 0, to: 1)
        bench.want([1, 2])
        bench.loader.close()
        bench.loader.close()
        bench.loader.bind(cell: 0, to: 2)
        bench.loader.unbind(cell: 0)
        bench.loader.reconcile(with: bench.wish([3]))
        bench.loader.invalidate(1)
        bench.loader.retry(1)
        bench.loader.trim(to: 0)
        bench.loader.settle(1, .failure(Trouble()))
        let list = bench.loader.list(named: "late") { _ in }
        list.reconcile(with: bench.wish([4]))
        try bench.loop.run()
        #expect(bench.commits.isEmpty)
        #expect(bench.queue.isEmpty)
        #expect(bench.source.begun.isEmpty)
    }

    @Test func `a closed loop traps nothing`() throws {
        let bench = try LoaderBench()
        bench.source.retries = .later
        bench.source.failing = { _ in true }
        bench.loader.onProgress = { _ in }
        bench.loader.bind(cell: 0, to: 1)
        bench.want([1])
        try bench.run(until: 1)
        bench.loop.close()
        bench.loader.bind(cell: 0, to: 2)
        bench.loader.reconcile(with: bench.wish([1, 2]))
        bench.loader.retry(1)
        bench.loader.close()
        #expect(bench.queue.isEmpty)
    }

    @Test func `an empty loader costs no wake-up`() throws {
        let bench = try LoaderBench()
        bench.loader.onProgress = { _ in }
        bench.want([1, 2, 3])
        try bench.run()
        bench.want([])
        try bench.run()
        let turns = bench.loop.statistics.turns
        try bench.run(until: 1_000_000)
        #expect(bench.loop.statistics.turns - turns <= 3)
    }
}
