import DeferredLoading
import IdleLoop
import TestSupport
import Testing

struct LoaderTests {
    struct Trouble: Error {}

    /// A source whose values are texts, loaded in slices of 1 ms; version by version.
    final class Texts: LoadSource {
        var slices = 1
        var fetchCost: Duration?
        var version = 1
        var failing: Set<Int> = []
        var onStep: ((Int) -> Void)?
        var begun: [Int] = []
        var time: VirtualTime

        init(_ time: VirtualTime) {
            self.time = time
        }

        final class Text: Load {
            let key: Int
            let source: Texts
            let version: Int
            var left: Int

            init(_ key: Int, _ source: Texts) {
                self.key = key
                self.source = source
                version = source.version
                left = source.slices
            }

            func step(in slot: borrowing IdleSlot) throws -> LoadStep<String> {
                source.time.charge(.milliseconds(1))
                source.onStep?(key)
                if source.failing.contains(key) { throw Trouble() }
                left -= 1
                return left == 0 ? .done("\(key) v\(version)") : .more
            }
        }

        func fetch(_ key: Int) -> Fetch<Bool>? {
            fetchCost.map { Fetch(cost: $0) { true } }
        }

        func load(_ key: Int, fetched: Bool?) -> any Load<String> {
            begun.append(key)
            return Text(key, self)
        }
    }

    /// A loader on virtual time, and what a list of it was told.
    final class Bench {
        let time = VirtualTime()
        let loop: MainLoop
        let queue: IdleQueue<Int>
        let source: Texts
        private(set) var loader: DeferredLoader<Int, String>!
        private(set) var list: LoadList<Int, String>!
        var shown: [Int: String] = [:]

        init(
            limit: Int = 30, _ configuration: LoaderConfiguration = .init()
        ) throws {
            loop = try MainLoop(clock: .virtual(time))
            var settings = QueueConfiguration()
            settings.limit = limit
            settings.batch = .zero
            queue = IdleQueue(on: loop, configuration: settings)
            source = Texts(time)
            loader = DeferredLoader(
                queue: queue, pool: try WorkerPool(width: 2, on: loop), source: source,
                configuration: configuration)
            list = loader.list { [unowned self] key, state in shown[key] = state.shown }
        }

        func want(_ keys: some Sequence<Int>, _ urgency: Urgency = .visible) {
            list.reconcile(
                with: keys.enumerated().map { Wanted($1, urgency: urgency, rank: $0) })
            queue.checkInvariants()
            loader.checkInvariants()
        }

        func run(until milliseconds: Int? = nil) throws {
            if let milliseconds {
                try loop.run(until: .zero.advanced(by: .milliseconds(milliseconds)))
            } else {
                try loop.run()
            }
            queue.checkInvariants()
            loader.checkInvariants()
        }
    }

    @Test func `what is wanted is loaded, and told to lists that have subscribed to it`() throws {
        let bench = try Bench()
        bench.list.subscribe(to: 7)
        bench.list.subscribe(to: 8)
        bench.want([7, 8, 9])
        try bench.run()
        #expect(bench.shown == [7: "7 v1", 8: "8 v1"])
        var late: [Int: String] = [:]
        let other = bench.loader.list { late[$0] = $1.shown }
        other.subscribe(to: 7)
        #expect(late == [7: "7 v1"])
    }

    @Test func `what is unsubscribed from in the middle of its load is told no more`() throws {
        let bench = try Bench()
        bench.list.subscribe(to: 1)
        bench.want([1])
        defer { bench.source.onStep = nil }
        bench.source.onStep = { key in
            // In the middle of row 1's load row 2 takes its place on screen.
            if key == 1 {
                bench.list.unsubscribe(from: 1)
                bench.list.subscribe(to: 2)
                bench.want([1, 2])
            }
        }
        try bench.run()
        #expect(bench.shown == [2: "2 v1"])
    }

    @Test func `a list that subscribes to a key again is told of it once`() throws {
        let bench = try Bench()
        var told: [Int] = []
        let list = bench.loader.list { key, _ in told.append(key) }
        for key in [1, 2, 1] { list.subscribe(to: key) }
        #expect(list.subscriptions == [1, 2])
        bench.want([1, 2])
        try bench.run()
        list.subscribe(to: 1)
        #expect(told == [1, 2])
    }

    @Test func `what was changed while it loaded is loaded anew and never told old`() throws {
        let bench = try Bench()
        bench.source.slices = 3
        bench.list.subscribe(to: 1)
        bench.want([1])
        var steps = 0
        defer { bench.source.onStep = nil }
        bench.source.onStep = { _ in
            steps += 1
            if steps == 3 {  // inside the slice that would finish it
                bench.source.version = 2
                bench.loader.invalidate(1)
            }
        }
        try bench.run()
        #expect(bench.shown == [1: "1 v2"])
        #expect(steps == 6)
    }

    @Test func `what failed after it was changed has not failed`() throws {
        let bench = try Bench()
        bench.source.failing = [1]
        bench.want([1])
        defer { bench.source.onStep = nil }
        bench.source.onStep = { _ in
            guard bench.source.version == 1 else { return bench.source.failing = [] }
            bench.source.version = 2
            bench.loader.invalidate(1)
        }
        try bench.run()
        #expect(bench.loader.state(of: 1).value == "1 v2")
    }

    @Test func `a fetch of what has changed is thrown away`() throws {
        let bench = try Bench()
        bench.source.fetchCost = .milliseconds(10)
        bench.list.subscribe(to: 1)
        bench.want([1])
        bench.loop.schedule(after: .milliseconds(5)) {
            bench.time.charge(.milliseconds(10))  // fetched, and not yet arrived
            bench.source.version = 2
            bench.loader.invalidate(1)
        }
        try bench.run()
        #expect(bench.shown == [1: "1 v2"])
        // Fetched again from 15 to 25, then loaded.
        #expect(bench.time.now == .zero.advanced(by: .milliseconds(26)))
    }

    @Test func `what the queue has no room for comes later, most urgent first`() throws {
        let bench = try Bench(limit: 4)
        bench.want(0..<100)
        #expect(bench.queue.count == 4)
        try bench.run()
        #expect(bench.source.begun == Array(0..<100))
        #expect(bench.queue.statistics.dropped == 0)
    }

    @Test func `a key that is named twice counts as named first`() throws {
        for (first, second) in [(Urgency.visible, Urgency.near), (.near, .visible)] {
            let bench = try Bench()
            var told: [String] = []
            bench.loader.onDecision = { told.append("\($0.key): \($0.kind)") }
            bench.list.reconcile(
                with: [Wanted(1, urgency: first, rank: 4), Wanted(1, urgency: second, rank: 2)])
            #expect(told == ["1: \(LoadDecisionKind.wanted(first, rank: 4))"])
            #expect(bench.queue.priority(of: 1) == first.priority)
            bench.loader.checkInvariants()
        }
    }

    @Test func `a more urgent wish takes the place of a lesser one, which comes later`() throws {
        let bench = try Bench(limit: 2)
        bench.want([1, 2, 3], .speculative)
        bench.list.reconcile(
            with: bench.list.wanted + [Wanted(9, urgency: .visible, rank: 0)])
        #expect(bench.queue.contains(9))
        try bench.run()
        #expect(bench.source.begun.first == 9)
        #expect(bench.source.begun.sorted() == [1, 2, 3, 9])
    }

    @Test func `what is begun and no longer wanted is kept, and goes on when wanted again`() throws
    {
        let bench = try Bench()
        bench.source.slices = 4
        bench.want([1])
        bench.loop.schedule(after: .milliseconds(2)) { bench.want([]) }
        bench.loop.schedule(after: .milliseconds(50)) { bench.want([1]) }
        try bench.run()
        #expect(bench.source.begun == [1])
        #expect(bench.loader.state(of: 1).value == "1 v1")
        #expect(bench.queue.statistics.slices == 4)
    }

    @Test func `only so many loads that were begun are kept`() throws {
        var configuration = LoaderConfiguration()
        configuration.suspended = 2
        let bench = try Bench(limit: 30, configuration)
        bench.source.slices = 2
        for key in 0..<4 {
            bench.want([key])
            bench.loop.schedule(after: .microseconds(500)) { bench.loop.stop() }
            try bench.run()
        }
        bench.want([])
        bench.source.begun = []
        bench.want(0..<4)
        try bench.run()
        #expect(bench.source.begun == [0, 1])
    }

    @Test func `values that no list has subscribed to go, the one used longest ago first`() throws {
        var configuration = LoaderConfiguration()
        configuration.capacity = 3
        let bench = try Bench(limit: 30, configuration)
        for key in 0..<6 {
            bench.list.unsubscribe(from: key - 1)
            bench.list.subscribe(to: key)
            bench.want([key])
            try bench.run()
        }
        let kept = (0..<6).filter { bench.loader.state(of: $0).value != nil }
        #expect(kept == [3, 4, 5])
    }

    @Test func `a row that can't be loaded has failed, and the others come`() throws {
        let bench = try Bench()
        bench.source.failing = [1]
        bench.want(0..<3)
        try bench.run()
        guard case .failed(is Trouble, nextTry: nil) = bench.loader.state(of: 1) else {
            Issue.record("row 1 has failed")
            return
        }
        #expect(bench.loader.state(of: 2).value == "2 v1")
        // Wanting it again doesn't try again; a change of it does.
        bench.source.begun = []
        bench.want([1])
        try bench.run()
        #expect(bench.source.begun.isEmpty)
        bench.source.failing = []
        bench.loader.invalidate(1)
        try bench.run()
        #expect(bench.loader.state(of: 1).value == "1 v1")
    }

    @Test func `states say how far a value has come`() throws {
        let bench = try Bench()
        bench.source.slices = 3
        func name(_ key: Int) -> String {
            switch bench.loader.state(of: key) {
            case .placeholder: "placeholder"
            case .queued: "queued"
            case .fetching: "fetching"
            case .refined: "refined"
            case .loading: "loading"
            case .loaded: "loaded"
            case .failed: "failed"
            }
        }
        var names = [name(1)]
        bench.want([1])
        names.append(name(1))
        bench.loop.schedule(after: .milliseconds(1)) { names.append(name(1)) }
        try bench.run()
        names.append(name(1))
        #expect(names == ["placeholder", "queued", "loading", "loaded"])
    }

    @Test func `closing the queue ends all and traps nothing`() throws {
        let bench = try Bench(limit: 2)
        bench.want(0..<10)
        bench.queue.close()
        bench.want(5..<15)
        try bench.run()
        #expect(bench.source.begun.isEmpty)
        #expect(bench.queue.statistics.isConserved)
    }

    @Test(arguments: [0, 3])
    func `shutting the queue down finishes what there is time for`(milliseconds: Int) throws {
        let bench = try Bench(limit: 4)
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

    @Test(arguments: seeds(0..<60))
    func `whatever is asked, what stays wanted is loaded in the end`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var configuration = LoaderConfiguration()
        configuration.capacity = 17  // 12 that are wanted, and 5 that are subscribed to
        configuration.suspended = Int.random(in: 0...3, using: &random)
        let bench = try Bench(limit: Int.random(in: 1...6, using: &random), configuration)
        bench.source.slices = Int.random(in: 1...3, using: &random)
        if Bool.random(using: &random) { bench.source.fetchCost = .milliseconds(3) }
        var last: [Int] = []
        for step in 1...40 {
            let keys = Array(Set((0..<12).map { _ in Int.random(in: 0..<30, using: &random) }))
                .sorted().shuffled(using: &random)
            let urgencies = keys.map { _ in Urgency.allCases.randomElement(using: &random) ?? .near
            }
            let changed = Int.random(in: 0..<30, using: &random)
            last = keys
            bench.loop.schedule(at: .zero.advanced(by: .milliseconds(7 * step))) {
                if step % 5 == 0 { bench.loader.invalidate(changed) }
                for key in bench.list.subscriptions.dropLast(4) {
                    bench.list.unsubscribe(from: key)
                }
                if let key = keys.first { bench.list.subscribe(to: key) }
                bench.list.reconcile(
                    with: zip(keys, urgencies).enumerated().map {
                        Wanted($1.0, urgency: $1.1, rank: $0)
                    })
                bench.queue.checkInvariants()
            }
        }
        try bench.run()
        for key in last { #expect(bench.loader.state(of: key).value == "\(key) v1") }
        #expect(bench.queue.statistics.waiting == 0)
    }

    @Test func `a job that is taken back while it is handed in is handed in again`() throws {
        let bench = try LoaderBench(limit: 1, overflow: .dropOldest)
        // Whoever is dropped for it has the queue emptied, so that no job is left whose end would
        // tell of room.
        bench.queue.submit(-1, onEnd: { _ in bench.queue.cancelAll() }) { _ in .done }
        bench.want([1])
        try bench.run()
        #expect(bench.loaded == [1])
    }

    @Test(arguments: [Overflow.reject, .dropNewest, .dropLeastUrgent, .dropOldest])
    func `the end of somebody else's job makes room too`(overflow: Overflow) throws {
        let bench = try LoaderBench(limit: 1, overflow: overflow)
        bench.queue.submit(-1, priority: .highest) { _ in .done }
        bench.want([1], .near)
        try bench.run()
        #expect(bench.loaded == [1])
    }
}
