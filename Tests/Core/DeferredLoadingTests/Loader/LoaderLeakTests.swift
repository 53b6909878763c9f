import DeferredLoading
import IdleLoop
import TestSupport
import Testing

/// What nobody wants any more is let go of, wherever it has come to.
struct LoaderLeakTests {
    /// An object that a worker may hold.
    private final class Held: Sendable {}

    private struct Weak {
        weak var object: Held?
    }

    /// Fetches that take a second, and loads of two slices, all of which hold something.
    private final class Source: LoadSource {
        let live: LiveObjects
        let isOperation: Bool
        /// What workers, and what came of fetches, hold.
        var held: [Weak] = []
        /// The operations, which their owner keeps.
        var owned: [Operation] = []

        init(_ live: LiveObjects, isOperation: Bool) {
            self.live = live
            self.isOperation = isOperation
        }

        private func hold() -> Held {
            let object = Held()
            held.append(Weak(object: object))
            return object
        }

        func fetch(_ key: Int) -> Fetch<Held>? {
            let (work, result) = (hold(), hold())
            guard isOperation else {
                return Fetch(cost: .seconds(1)) {
                    _ = work
                    return result
                }
            }
            return Fetch(cost: .seconds(1)) { [unowned self, object = live.make()] completion in
                _ = (object, work)
                let operation = Operation(completion, result)
                owned.append(operation)
                return operation
            }
        }

        func load(_ key: Int, fetched: Held?) throws -> any Load<LiveObjects.Object> {
            Slices(live)
        }
    }

    private final class Operation: PendingOperation {
        private let completion: OperationCompletion<Held>
        private var result: Held?

        init(_ completion: OperationCompletion<Held>, _ result: Held) {
            self.completion = completion
            self.result = result
        }

        func cancel() { result = nil }

        func end() {
            guard let result else { return }
            self.result = nil
            completion(.success(result))
        }
    }

    private final class Slices: Load {
        let live: LiveObjects
        let object: LiveObjects.Object
        var isBegun = false

        init(_ live: LiveObjects) {
            self.live = live
            object = live.make()
        }

        func step(in slot: borrowing IdleSlot) throws -> LoadStep<LiveObjects.Object> {
            defer { isBegun = true }
            return isBegun ? .done(live.make()) : .refined(live.make())
        }
    }

    private typealias Loader = DeferredLoader<Int, LiveObjects.Object>

    /// A loader and a list of it, of whose three fetches one has a place.
    private final class Bench {
        let live = LiveObjects()
        let loop: MainLoop
        var source: Source?
        var queue: IdleQueue<Int>?
        var loader: Loader?
        var list: LoadList<Int, LiveObjects.Object>?

        init(isOperation: Bool) throws {
            let loop = try MainLoop(clock: .virtual(VirtualTime()))
            self.loop = loop
            var settings = QueueConfiguration()
            settings.batch = .zero
            let queue = IdleQueue<Int>(on: loop, configuration: settings)
            var configuration = LoaderConfiguration()
            (configuration.operations, configuration.suspended) = (1, 0)
            configuration.nearlyDone = nil
            let source = Source(live, isOperation: isOperation)
            (self.queue, self.source) = (queue, source)
            let loader = Loader(
                queue: queue, pool: isOperation ? nil : try WorkerPool(width: 1, on: loop),
                source: source, configuration: configuration)
            self.loader = loader
            list = loader.list { [object = live.make()] _, _ in _ = object }
        }

        /// Subscribes to three keys and wants them.
        func want() {
            for key in 0..<3 { list?.subscribe(to: key) }
            list?.reconcile(with: (0..<3).map { Wanted($0, urgency: .visible, rank: $0) })
        }

        /// Ends all operations, of which one more may begin then.
        func endOperations() {
            for operation in source?.owned ?? [] { operation.end() }
        }

        var heldElsewhere: Int { source?.held.count { $0.object != nil } ?? 0 }
    }

    /// How far the first key has come.
    enum Stage: CaseIterable {
        case asked, fetching, fetched, begun, loaded
    }

    private func bring(_ bench: Bench, to stage: Stage) throws {
        bench.want()
        guard stage != .asked else { return }
        try bench.loop.run(until: .zero.advanced(by: .milliseconds(500)))
        guard stage != .fetching else { return }
        if stage != .loaded {
            // Stopped by the callback that the stage has, which comes once.
            bench.loader?.onDecision = { [unowned bench] decision in
                switch (decision.kind, stage) {
                case (.fetched, .fetched), (.refined, .begun): bench.loop.stop()
                default: break
                }
            }
        }
        bench.endOperations()
        try bench.loop.run(until: .zero.advanced(by: .milliseconds(1500)))
        bench.loader?.onDecision = nil
    }

    @Test(arguments: Stage.allCases, [false, true])
    func `what no list wants or has subscribed to is let go of`(
        _ stage: Stage, isOperation: Bool
    ) throws {
        let bench = try Bench(isOperation: isOperation)
        defer { bench.loop.close() }
        let callbacks = bench.live.count
        try bring(bench, to: stage)
        #expect(bench.live.count + bench.heldElsewhere > callbacks)
        for key in 0..<3 { bench.list?.unsubscribe(from: key) }
        bench.list?.reconcile(with: [])
        bench.loader?.trim(to: 0)
        // A worker's task that has begun goes on to its end.
        try bench.loop.run(until: .zero.advanced(by: .seconds(60)))
        #expect(bench.live.count == callbacks)
        #expect(bench.heldElsewhere == 0)
        #expect(bench.queue?.isEmpty == true)
        #expect(bench.loader?.count == 0)
        bench.loader?.checkInvariants()
    }

    @Test(arguments: Stage.allCases, [false, true])
    func `a loader, its list and its queue go in any order`(
        _ stage: Stage, isOperation: Bool
    ) throws {
        let parts: [(Bench) -> Void] = [
            { $0.loader = nil }, { $0.list = nil }, { $0.queue = nil },
        ]
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let bench = try Bench(isOperation: isOperation)
            defer { bench.loop.close() }
            try bring(bench, to: stage)
            for part in order { parts[part](bench) }
            #expect(bench.live.count == 0, "\(order)")
            try bench.loop.run(until: .zero.advanced(by: .seconds(60)))
            #expect(bench.heldElsewhere == 0, "\(order)")
        }
    }
}
