import CLoopHelpers
import IdleLoop
import TestSupport
import Testing

/// What was cancelled is let go of at once, whatever else there is.
struct ReleaseTests {
    private let live = LiveObjects()

    // MARK: - Observers

    /// What else wants to work before idle.
    enum Company: CaseIterable {
        case none, queue, restingWorker, busyWorker, two
    }

    private func surround(
        _ loop: MainLoop, by company: Company, _ work: @escaping () -> Void
    ) -> IdleQueue<Int> {
        let busy: (borrowing IdleSlot) -> IdleResult = { _ in
            work()
            return .worked
        }
        let queue = IdleQueue<Int>(on: loop)
        if company != .queue { queue.close() }
        switch company {
        case .none, .queue: break
        case .restingWorker: loop.beforeIdle { _ in .nothing }
        case .busyWorker: loop.beforeIdle(busy)
        case .two:
            loop.beforeIdle { _ in .nothing }
            loop.beforeIdle(busy)
        }
        return queue
    }

    @Test(arguments: Company.allCases)
    func `a callback before idle is let go of when it's cancelled`(_ company: Company) throws {
        let (loop, time) = try virtualLoop()
        defer { loop.close() }
        let queue = surround(loop, by: company) { time.charge(.microseconds(100)) }
        let calm = loop.beforeIdle { [object = live.make()] _ in
            _ = object
            return .nothing
        }
        #expect(live.count == 1)
        calm.cancel()
        #expect(live.count == 0)  // no lull has to come
        var inside: Observer?
        inside = loop.beforeIdle { [live, object = live.make()] _ in
            _ = object
            inside?.cancel()
            #expect(live.count == 3)  // with the two below
            time.charge(.milliseconds(1))
            return .worked
        }
        let other = loop.beforeIdle { [object = live.make()] _ in
            _ = object
            time.charge(.microseconds(100))
            return .worked
        }
        let note = loop.observe(.beforeIdle) { [object = live.make()] _ in _ = object }
        loop.schedule(at: .milliseconds(5)) { [live] in
            #expect(live.count == 2)  // not the one that cancelled itself
            other.cancel()
            note.cancel()
            #expect(live.count == 0)
        }
        try loop.run(until: .milliseconds(10))
        #expect(live.count == 0)
        withExtendedLifetime(queue) {}
    }

    @Test(arguments: HostKind.allCases)
    func `on a host's base, too, where no lull comes for it`(kind: HostKind) throws {
        let guest = try Guest(on: HostBase(kind))
        defer { guest.close() }
        let calm = guest.loop.beforeIdle { [object = live.make()] _ in
            _ = object
            return .nothing
        }
        guest.host.run()
        calm.cancel()
        #expect(live.count == 0)
    }

    @Test func `what a callback held may cancel others as it goes`() throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        var calls = 0
        var all: [Observer] = []
        for _ in 0..<3 {
            let last = Last { for observer in all { observer.cancel() } }
            all.append(
                loop.beforeIdle { _ in
                    calls += 1
                    all.first?.cancel()
                    withExtendedLifetime(last) {}
                    return .nothing
                })
        }
        try loop.run()
        #expect(calls == 1)
        #expect(all.allSatisfy { !$0.isActive })
    }

    /// Calls back when it's let go of.
    private final class Last {
        private let body: () -> Void
        init(_ body: @escaping () -> Void) { self.body = body }
        deinit { body() }
    }

    @Test func `a task that waits for lulls for ever takes no more memory`() async {
        await #expect(processExitsWith: .success) {
            let (loop, _) = try virtualLoop()
            let queue = IdleQueue<Int>(on: loop)
            var used: [Int] = []
            let clock = loop.taskClock
            let task = loop.task {
                for round in 1...3000 {
                    _ = await loop.idle()
                    try await clock.sleep(for: .milliseconds(1))
                    if round % 1000 == 0 { used.append(lull_allocated_bytes()) }
                }
                loop.stop()
            }
            try loop.run()
            queue.close()
            _ = task
            try #require(used.count == 3)
            // A round kept 88 bytes once.
            #expect(used[2] - used[1] < 16_000, "\(used)")
        }
    }

    // MARK: - Sources

    @Test func `sources let go of what they were to call`() throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let pipe = NonblockingPipe()
        let object = { [live] in live.make() }
        let timer = loop.schedule(after: .seconds(1)) { [object = object()] in _ = object }
        let watch = try loop.watch(pipe.reading, for: .readable) { [object = object()] _ in
            _ = object
        }
        let port = loop.port(of: Int.self) { [object = object()] _ in _ = object }
        let pulse = WorkTicker(of: loop, every: .seconds(1)) { [object = object()] in _ = object }
        let frames = loop.frames(every: .seconds(1)) { [object = object()] _ in _ = object }
        var left = 5
        for cancel: () -> Void in [
            { timer.cancel() }, watch.cancel, { loop.close(port) }, pulse.cancel,
            frames.cancel,
        ] {
            #expect(live.count == left)
            left -= 1
            for _ in 0..<2 {
                cancel()
                #expect(live.count == left)
            }
        }
        #expect(live.count == 0)
    }

    @Test func `a source that is cancelled in its own call is let go of after it`() throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        var (frames, pulse): (FrameSource?, WorkTicker?)
        var calls = 0
        frames = loop.frames(every: .seconds(1)) { [live, object = live.make()] _ in
            frames?.cancel()
            #expect(live.count >= 1)
            calls += 1
            _ = object
        }
        pulse = WorkTicker(of: loop, every: .seconds(1)) { [live, object = live.make()] in
            pulse?.cancel()
            #expect(live.count >= 1)
            calls += 1
            _ = object
        }
        try loop.run()
        #expect(calls == 2)
        #expect(live.count == 0)
    }

    // MARK: - Work

    /// An object that any thread may hold.
    private final class Held: Sendable {}

    @Test func `work that is taken back is let go of, begun or not`() throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let queue = IdleQueue<Int>(on: loop)
        let pool = try WorkerPool(width: 1, on: loop)
        weak var begun: Held?
        weak var waiting: Held?
        weak var result: Held?
        func submit(_ key: Int, _ held: Held) {
            queue.submit(
                key, rank: key, on: pool, cost: .seconds(1),
                onEnd: { [object = live.make()] _ in _ = object },
                work: {
                    _ = held
                    return Held()
                }
            ) { [live, object = live.make()] output in
                _ = object
                result = output
                _ = live
                return { _ in .done }
            }
        }
        do {
            let (first, second) = (Held(), Held())
            (begun, waiting) = (first, second)
            submit(1, first)
            submit(2, second)
        }
        #expect(live.count == 4)
        loop.schedule(at: .milliseconds(500)) { [live] in
            #expect(queue.workStart(of: 1) != nil)
            #expect(queue.workStart(of: 2) == nil)
            queue.cancelAll()
            #expect(live.count == 0)
            #expect(begun == nil)
            #expect(waiting == nil)
        }
        try loop.run()
        #expect(result == nil)
        #expect(queue.statistics.cancelled == 2)
    }

    private final class Operation: PendingOperation {
        let object: LiveObjects.Object
        let body: () -> Void
        init(_ object: LiveObjects.Object, _ body: @escaping () -> Void) {
            self.object = object
            self.body = body
        }
        deinit { body() }
        func cancel() {}
    }

    @Test(arguments: [false, true])
    func `an operation that is taken back is let go of, and may take others with it`(
        hasBegun: Bool
    ) throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let queue = IdleQueue<Int>(on: loop)
        let pool = OperationPool(width: 2, on: loop)
        for key in 0..<6 {
            let last = Last { queue.cancel(key + 1) }
            queue.submit(
                key, rank: key, on: pool,
                start: { [live, object = live.make()] _ in
                    _ = object
                    return Operation(live.make()) { withExtendedLifetime(last) {} }
                },
                then: { [object = live.make()] (_: Int) in
                    _ = object
                    return { _ in .done }
                })
        }
        if hasBegun { try loop.run() }
        #expect(pool.counts.running == (hasBegun ? 2 : 0))
        queue.cancel(0)
        #expect(queue.isEmpty)
        #expect(live.count == 0)
        try loop.run()
        #expect(pool.counts == (0, 0))
        queue.checkInvariants()
    }

    @Test func `an operation that ends lets go of what it was, which may take back another`()
        throws
    {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let queue = IdleQueue<Int>(on: loop)
        let pool = OperationPool(width: 1, on: loop)
        var ends: [String] = []
        for key in 0..<2 {
            queue.submit(
                key, rank: key, on: pool, onEnd: { ends.append("\(key) \($0.word)") },
                start: { [live] completion in
                    loop.schedule(after: .seconds(1)) { completion(.success(key)) }
                    return Operation(live.make()) { queue.cancel(1) }
                }, then: { (_: Int) in { _ in .done } })
        }
        try loop.run()
        #expect(ends == ["1 cancelled", "0 done"])
        #expect(live.count == 0)
    }

    /// An operation that says what it has come to when it's asked to.
    private final class Owned: PendingOperation {
        let completion: OperationCompletion<Int>
        init(_ completion: OperationCompletion<Int>) { self.completion = completion }
        func cancel() {}
    }

    @Test(arguments: [false, true])
    func `an operation that its owner keeps holds nothing of the job that it was for`(
        ends: Bool
    ) throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let queue = IdleQueue<Int>(on: loop)
        let pool = OperationPool(width: 1, on: loop)
        var owned: Owned?
        queue.submit(
            1, on: pool, onEnd: { [object = live.make()] _ in _ = object },
            start: { [object = live.make()] completion in
                _ = object
                let operation = Owned(completion)
                owned = operation
                return operation
            },
            then: { [object = live.make()] (_: Int) in
                _ = object
                return { _ in .done }
            })
        try loop.run()
        #expect(live.count == 3)
        if ends { owned?.completion(.success(1)) } else { queue.cancel(1) }
        try loop.run()
        #expect(live.count == 0)
        #expect(queue.isEmpty)
        owned?.completion(.success(2))  // which nobody hears
        try loop.run()
        #expect(pool.counts == (0, 0))
    }

    @Test(arguments: [0, 3, 50])
    func `a queue that has shut down holds no key`(milliseconds: Int) throws {
        let (loop, time) = try virtualLoop()
        defer { loop.close() }
        let queue = IdleQueue<CountedKey>(on: loop)
        for number in 0..<10 {
            queue.submit(CountedKey(number, live), cost: .milliseconds(1)) { _ in
                time.charge(.milliseconds(1))
                return .done
            }
        }
        var told = 0
        for _ in 0..<2 {
            queue.shutDown(within: .milliseconds(milliseconds)) { report in
                told += report.finished.count + report.returned.count
            }
        }
        try loop.run()
        #expect(told == (milliseconds == 0 ? 10 : 20))  // the first has ended when it returns
        #expect(live.count == 0)
        queue.checkInvariants()
    }

    // MARK: - Tasks

    @Test func `a task that is cancelled lets go of what it held`() throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let clock = loop.taskClock
        func begin() -> Task<Void, any Error> {
            let object = live.make()
            return loop.task {
                try await clock.sleep(for: .seconds(1000))
                withExtendedLifetime(object) {}
            }
        }
        let task = begin()
        loop.schedule(at: .milliseconds(1000)) { [live] in
            #expect(live.count == 1)
            task.cancel()
        }
        loop.schedule(at: .milliseconds(1001)) { [live] in
            #expect(live.count == 0)
            loop.stop()
        }
        try loop.run()
    }
}
