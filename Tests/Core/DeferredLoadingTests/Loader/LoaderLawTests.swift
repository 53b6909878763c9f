import DeferredLoading
import IdleLoop
import TestSupport
import Testing

/// What holds whatever is done to a loader, from wherever: checked against plain dictionaries.
struct LoaderLawTests {
    /// A loader to which anything may happen at any moment, and what should be true of it.
    private final class Chaos {
        /// The facts of rows, whose keys change at times; let go of before the bench, whose loader it
        /// holds.
        private lazy var facts: any LoadStatus = bench.loader.facts { [unowned self] row in
            row == 7 ? nil : (row + checks / 5) % 25
        }
        let bench: LoaderBench
        var random: SplitMix64
        private(set) var lists: [LoadList<Int, Text>]
        /// What each list has subscribed to, the earliest first, and wants.
        private(set) var subscribed: [[Int]] = [[], []]
        private var wanted: [[Int]] = [[], []]
        var isReentrant = true
        var isClosed = false
        private var depth = 0
        private var checks = 0

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
            bench.source.retries = Bool.random(using: &random) ? .later : .never
            lists = [bench.list]
            self.random = random
            if Bool.random(using: &self.random) {
                lists.append(
                    bench.loader.list(named: "other", weight: 2) { [unowned self] key, state in
                        take(state, of: key, for: 1)
                    })
            }
            listen()
        }

        private func listen() {
            bench.source.failing = { [unowned self] _ in
                Int.random(in: 0..<10, using: &random) == 0
            }
            bench.source.onCall = { [unowned self] _ in reenter() }
            bench.onCommit = { [unowned self] key, state in take(state, of: key, for: 0) }
            bench.loader.onDecision = { [unowned self] _ in reenter() }
        }

        private func take(_ state: LoadState<Text>, of key: Int, for list: Int) {
            check(state, of: key, for: list)
            if let text = state.shown {
                let version = bench.source.version(of: key)
                #expect(text == Text(key: key, version: version, isWhole: state.value != nil))
            } else {
                #expect(state.isSettled)
            }
            reenter()
        }

        /// Whoever is told something has subscribed to it, and it's so.
        private func check(_ state: LoadState<Text>, of key: Int, for list: Int) {
            #expect(!isClosed)
            #expect(subscribed[list].contains(key))
            if let loader = bench.loader { #expect(word(loader.state(of: key)) == word(state)) }
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
            let list = lists.indices.randomElement(using: &random) ?? 0
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<3: want(in: 0)
            case 3: want(in: lists.count - 1)
            case 4..<6:
                if subscribed[list].count > 4 { unsubscribe(list) }
                if !subscribed[list].contains(key) { subscribed[list].append(key) }
                lists[list].subscribe(to: key)
            case 6: unsubscribe(list)
            case 7:
                bench.source.versions[key, default: 1] += 1
                loader.invalidate(key)
            case 8: loader.retry(key)
            case 9:
                if loader.configuration.byteLimit == nil || Bool.random(using: &random) {
                    loader.trim(to: Double.random(in: 0...1, using: &random))
                } else {
                    loader.limitBytes(to: Int.random(in: 50...2000, using: &random))
                }
            case 10:
                loader.settle(
                    key, .success(Text(key: key, version: bench.source.version(of: key))))
            default: bench.time.charge(.milliseconds(Int.random(in: 0..<3, using: &random)))
            }
        }

        private func unsubscribe(_ list: Int) {
            guard let place = subscribed[list].indices.randomElement(using: &random) else { return }
            lists[list].unsubscribe(from: subscribed[list].remove(at: place))
        }

        private func want(in list: Int) {
            let count = Int.random(in: 0..<15, using: &random)
            let keys = (0..<count).map { _ in Int.random(in: 0..<25, using: &random) }
            let wishes = keys.enumerated().map { rank, key in
                Wanted(
                    key, urgency: Urgency.allCases.randomElement(using: &random) ?? .near,
                    rank: rank)
            }
            wanted[list] = keys
            lists[list].reconcile(with: wishes)
        }

        /// Lists have what they were given, and agree with themselves.
        func check() {
            bench.check()
            for (place, list) in lists.enumerated() {
                #expect(list.subscriptions == subscribed[place])
                #expect(list.wanted.map(\.key) == wanted[place])
            }
            checkFacts()
        }

        /// Rows have the progress of the keys that they have now.
        private func checkFacts() {
            checks += 1
            let rows = Array(0..<25)
            let progress = rows.map { row in
                row == 7 ? .settled : bench.loader.progress(of: (row + checks / 5) % 25)
            }
            var told: [LoadProgress] = []
            facts.forEachLoad(ofRows: rows) { progress, hint in
                told.append(progress)
                #expect(progress != .settled || hint == nil)
            }
            #expect(told == progress)
            #expect(rows.map { facts.progress(ofRow: $0) } == progress)
        }
    }

    @Test(arguments: seeds(400..<600))
    func `whatever happens, nothing old is told and all that is visible settles`(seed: UInt64)
        throws
    {
        try checkRest(of: Chaos(seed: seed))
    }

    @Test(arguments: seeds(0..<120))
    func `the same with fetches that go on by themselves, and without workers`(seed: UInt64) throws
    {
        try checkRest(of: Chaos(seed: seed, byThemselves: true))
    }

    private func checkRest(of chaos: Chaos) throws {
        let bench = chaos.bench
        for step in 1...60 {
            bench.at(4 * step) {
                chaos.act()
                chaos.check()
            }
        }
        try bench.run(until: 300)
        #expect(bench.queue.statistics.isConserved)
        // The list rests: what it shows and wants is there, or has failed, in bounded time.
        chaos.isReentrant = false
        let visible = Set(chaos.subscribed.joined()).sorted()
        bench.want(visible)
        try bench.run(until: 60_000)
        for key in visible { #expect(bench.loader.state(of: key).isSettled) }
        for key in chaos.subscribed[0] {
            #expect(bench.shown[key] == bench.loader.state(of: key).value)
        }
        #expect(bench.queue.statistics.waiting == 0)
        bench.source.operations?.checkAllEnded()
        #expect(bench.loader.count <= max(bench.loader.configuration.capacity, visible.count))
        // With nothing wanted, nothing is done and no timer is left.
        for list in chaos.lists.dropFirst() { list.close() }
        bench.want([])
        try bench.run()
        let now = bench.time.now
        let turns = bench.loop.statistics.turns
        try bench.run()
        #expect(bench.time.now == now)
        #expect(bench.loop.statistics.turns - turns <= 1)
    }

    @Test(arguments: seeds(0..<100), [false, true])
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
        // One that is let go of inside its own call comes to the end of that.
        func finish(isInside: Bool) {
            chaos.isClosed = isClosed || !isInside
            if isClosed { bench.loader?.close() } else { bench.release() }
        }
        bench.at(end) { finish(isInside: false) }
        if !seed.isMultiple(of: 2) {
            // From inside a call of its own.
            let commit = bench.onCommit
            bench.onCommit = { key, state in
                commit(key, state)
                left -= 1
                if left == 0 { finish(isInside: true) }
            }
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
        bench.at(5) { bench.list.reconcile(with: bench.wish([50]) + bench.wish(0..<20, .near)) }
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
        guard case .failed(LoadError.tooCostly, nextTry: nil) = bench.loader.state(of: 1) else {
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
            guard case .failed(LoadError.needsPool, nextTry: nil) = bench.loader.state(of: key)
            else {
                Issue.record("it has failed: \(bench.loader.state(of: key))")
                continue
            }
        }
        #expect(bench.loaded == [0] + Array(3..<10))
    }

    @Test func `a closed loader does nothing and traps nothing`() throws {
        let bench = try LoaderBench()
        bench.list.subscribe(to: 1)
        bench.want([1, 2])
        bench.loader.close()
        bench.loader.close()
        bench.list.subscribe(to: 2)
        bench.list.unsubscribe(from: 1)
        bench.list.reconcile(with: bench.wish([3]))
        bench.loader.invalidate(1)
        bench.loader.retry(1)
        bench.loader.trim(to: 0)
        bench.loader.settle(1, .failure(Trouble()))
        let list = bench.loader.list(named: "late") { _, _ in }
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
        bench.list.subscribe(to: 1)
        bench.want([1])
        try bench.run(until: 1)
        bench.loop.close()
        bench.list.subscribe(to: 2)
        bench.list.reconcile(with: bench.wish([1, 2]))
        bench.loader.retry(1)
        bench.loader.close()
        #expect(bench.queue.isEmpty)
    }

    @Test func `an empty loader costs no wake-up`() throws {
        let bench = try LoaderBench()
        bench.want([1, 2, 3])
        try bench.run()
        bench.want([])
        try bench.run()
        let turns = bench.loop.statistics.turns
        try bench.run(until: 1_000_000)
        #expect(bench.loop.statistics.turns - turns <= 3)
    }
}
