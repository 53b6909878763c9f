import IdleLoop
import TestSupport

/// A loop on which everything is made, cancelled, closed and let go of at random, from inside
/// whatever it calls.
final class LifeWorld {
    struct Trouble: Error {}

    private let time: VirtualTime?
    private let live: LiveObjects
    private var random: SplitMix64
    private var loop: MainLoop?
    /// Told whether the loop is closed when the world has let go of it.
    private weak var anyLoop: MainLoop?
    private let executor: LoopExecutor
    private var queues: [IdleQueue<Int>] = []
    private var pools: [WorkerPool] = []
    private var operations: [OperationPool] = []
    private var pending: [OperationCompletion<Int>] = []
    private var observers: [Observer] = []
    private var watches: [Watch] = []
    private var timers: [LoopTimer] = []
    private var tokens: [IdleJob] = []
    private var ports: [InboxPort<Int>] = []
    private var frames: [FrameSource] = []
    private var tasks: [Task<Void, any Error>] = []
    private var pressures: [MemoryPressure] = []
    private let pipes = [NonblockingPipe(), NonblockingPipe()]
    /// How many objects callbacks hold, by the lines that have made them.
    private var held: [Int: Int] = [:]
    /// How many actions are left.
    private var left: Int
    /// How often each request was told of its end, and how often it should be.
    private var ends: [(told: Int, due: Int)] = []
    /// How many reports of shutdowns are to come.
    private var reports = 0
    /// What didn't hold.
    private(set) var faults: [String] = []

    init(on loop: MainLoop, time: VirtualTime?, _ live: LiveObjects, seed: UInt64) {
        self.loop = loop
        anyLoop = loop
        executor = loop.executor
        self.time = time
        self.live = live
        random = SplitMix64(seed: seed)
        left = Int.random(in: 5...120, using: &random)
        for _ in 0..<number(8) { add() }
        for _ in 0..<number(4) { act() }
    }

    /// The loop, unless the world has let go of it.
    func takeLoop() -> MainLoop? { loop }

    /// Lets go of all that is left, in any order, and says what didn't hold.
    func end() -> [String] {
        left = min(left, 10)
        let last: [() -> Void] = [
            { self.letGo(of: \.queues) }, { self.letGo(of: \.pools) },
            { self.letGo(of: \.operations) }, { self.letGo(of: \.observers) },
            { self.letGo(of: \.watches) }, { self.letGo(of: \.ports) },
            { self.letGo(of: \.frames) }, { self.letGo(of: \.pressures) },
            { self.letGo(of: \.pending) }, { self.letGo(of: \.tokens) }, { self.loop?.close() },
            { self.letGoOfLoop() },
        ]
        for step in last.shuffled(using: &random) { step() }
        left = 0
        // What was made meanwhile.
        anyLoop?.close()
        for step in last { step() }
        tasks = []
        finishTasks()
        for (number, end) in ends.enumerated() where end.told != end.due {
            faults.append("request \(number) ended \(end.told) times")
        }
        for (line, count) in held where count > 0 {
            faults.append("\(count) callbacks made in line \(line) are still there")
        }
        if reports != 0 { faults.append("\(reports) reports are missing") }
        return faults
    }

    /// Has tasks do on another loop what they have left to do; on the machine's clock some of them come
    /// there by way of the global pool.
    private func finishTasks() {
        guard let loop = time == nil ? try? MainLoop() : try? virtualLoop().loop else { return }
        try? loop.serve(executor)
        if time == nil {
            var ticks = 0
            loop.schedule(after: .zero, every: .milliseconds(1)) {
                ticks += 1
                if self.live.count == 0 || ticks == 5000 { loop.stop() }
            }
        }
        try? loop.run()
        loop.close()
    }

    /// Lets go of what is in a list, and not while that is being changed: it may call as it goes.
    private func letGo<Element>(of list: ReferenceWritableKeyPath<LifeWorld, [Element]>) {
        let gone = self[keyPath: list]
        self[keyPath: list] = []
        withExtendedLifetime(gone) {}
    }

    private func letGoOfLoop() {
        let gone = loop
        loop = nil
        withExtendedLifetime(gone) {}
    }

    // MARK: - What is called

    /// A callback that isn't called once the loop is closed.
    private func callback(_ line: Int = #line) -> () -> Void {
        { [object = make(line)] in
            _ = object
            self.check(self.anyLoop?.isClosed != true, "a closed loop calls")
            self.act()
        }
    }

    /// One that may be called as the loop is closed.
    private func lastWord(_ line: Int = #line) -> () -> Void {
        { [object = make(line)] in
            _ = object
            self.act()
        }
    }

    /// What a callback holds, by the line that has made it.
    private final class Held {
        let object: LiveObjects.Object
        let onEnd: () -> Void

        init(_ object: LiveObjects.Object, _ onEnd: @escaping () -> Void) {
            self.object = object
            self.onEnd = onEnd
        }

        deinit { onEnd() }
    }

    private func make(_ line: Int) -> Held {
        held[line, default: 0] += 1
        return Held(live.make()) { [weak self] in self?.held[line, default: 0] -= 1 }
    }

    private func act() {
        for _ in 0..<number(4) where left > 0 {
            left -= 1
            switch number(24) {
            case 0..<6: add()
            case 6..<12: submit()
            case 12..<15: change()
            case 15..<22: take()
            case 22: end(queue())
            default: endLoop()
            }
            for queue in queues { queue.checkInvariants() }
        }
    }

    private func check(_ holds: Bool, _ law: String) {
        if !holds { faults.append(law) }
    }

    // MARK: - Adding

    private func add() {
        guard let loop else { return }
        let call = callback()
        switch number(14) {
        case 0: observers.append(loop.observe(activity(), repeats: number(2) == 0) { _ in call() })
        case 1, 2:
            observers.append(
                loop.beforeIdle(modes: mode(), weight: 1 + number(2)) { _ in
                    call()
                    return self.left > 0 && self.number(2) == 0 ? .worked : .nothing
                })
        case 3: timers.append(loop.schedule(after: span(), call))
        case 4: timers.append(loop.schedule(after: span(), every: .microseconds(500), call))
        case 5: addWatch(on: loop, call)
        case 6:
            ports.append(loop.port(of: Int.self) { _ in call() })
            ports.randomElement(using: &random)?.send(1)
        case 7:
            frames.append(loop.frames(every: .microseconds(700)) { _ in call() })
        case 8: observers.append(loop.observeTurns { _ in call() })
        case 9: if let pool = try? WorkerPool(width: 1 + number(2), on: loop) { pools.append(pool) }
        case 10: operations.append(OperationPool(width: 1, on: loop))
        case 11:
            let word = lastWord()  // on another loop, if this one is closed
            tasks.append(
                loop.task {
                    _ = await loop.idle()
                    word()
                    if self.number(2) == 0 {
                        try await loop.taskClock.sleep(for: .seconds(1))
                    }
                })
        case 12: pressures.append(MemoryPressure(on: loop) { call() })
        default: addQueue(on: loop)
        }
    }

    private func addQueue(on loop: MainLoop) {
        var configuration = QueueConfiguration()
        configuration.limit = 1 + number(4)
        configuration.batch = .microseconds(number(2) * 50)
        configuration.modes = mode()
        if number(3) == 0 { configuration.maxDeferral = .microseconds(1 + number(800)) }
        configuration.overflow =
            [.dropLeastUrgent, .dropOldest, .dropNewest, .reject].randomElement(using: &random)
            ?? .reject
        queues.append(IdleQueue(on: loop, configuration: configuration))
    }

    private func addWatch(on loop: MainLoop, _ call: @escaping () -> Void) {
        guard let pipe = pipes.randomElement(using: &random) else { return }
        pipe.put()
        let trigger: Watch.Trigger = number(2) == 0 ? .level : .edge
        let watch = try? loop.watch(pipe.reading, for: .readable, trigger: trigger) { _ in
            pipe.drain()
            call()
        }
        if let watch { watches.append(watch) }
    }

    // MARK: - Jobs

    private func submit() {
        if queues.isEmpty, let loop { addQueue(on: loop) }
        guard let queue = queue() else { return }
        let (key, id) = (number(4), ends.count)
        ends.append((0, 1))
        let word = lastWord()
        let onEnd: (JobEnd) -> Void = { _ in
            self.ends[id].told += 1
            word()
        }
        let token: IdleJob
        switch number(7) {
        case 0 where !pools.isEmpty:
            let then = lastWord()
            token = queue.submit(
                key, on: pools[number(pools.count)], cost: span(), onEnd: onEnd, work: { 1 }
            ) { _ in
                then()
                return self.body()
            }
        case 1 where !operations.isEmpty:
            token = submitOperation(key, to: queue, onEnd)
        default:
            token = queue.submit(
                key, priority: priority(), cost: number(3) == 0 ? span() : nil,
                kind: number(4) == 0 ? "kind" : nil, timeout: number(3) == 0 ? span() : nil,
                onEnd: onEnd, body())
        }
        tokens.append(token)
        if case .rejected = token.submission { ends[id].due = 0 }
    }

    private func body() -> (borrowing IdleSlot) throws -> JobProgress {
        let call = callback()
        return { _ in
            call()
            self.time?.charge(.microseconds(self.number(300)))
            switch self.number(8) {
            case 0..<3: return .again
            case 3: return .skipped
            case 4: throw Trouble()
            default: return .done
            }
        }
    }

    private final class Operation: PendingOperation {
        let onCancel: () -> Void

        init(_ onCancel: @escaping () -> Void) { self.onCancel = onCancel }

        func cancel() { onCancel() }
    }

    private func submitOperation(
        _ key: Int, to queue: IdleQueue<Int>, _ onEnd: @escaping (JobEnd) -> Void
    ) -> IdleJob {
        let (begin, cancel, then) = (callback(), lastWord(), lastWord())
        return queue.submit(key, on: operations[number(operations.count)], onEnd: onEnd) {
            completion in
            if self.number(2) == 0 {
                self.pending.append(completion)
                if self.number(2) == 0 { completion.process(self.body()) }
            } else {
                completion(.success(1))
            }
            begin()
            return Operation(cancel)
        } then: { (_: Int) in
            then()
            return self.body()
        }
    }

    // MARK: - Changing

    private func change() {
        switch number(10) {
        case 0: loop?.mode = number(2) == 0 ? .tracking : .default
        case 1: queue()?.reprioritize(number(4), priority: priority())
        case 2: frames.randomElement(using: &random)?.pause()
        case 3: frames.randomElement(using: &random)?.resume()
        case 4: ports.randomElement(using: &random)?.send(2)
        case 5: loop?.poke()
        case 6:
            if let loop, loop.isRunning || time == nil {
                check((try? loop.run()) == nil, "a loop is run from inside itself, or by its guest")
            }
        case 7: if !pending.isEmpty { pending.remove(at: number(pending.count))(.success(2)) }
        case 8: pressures.randomElement(using: &random)?.isNeeded.toggle()
        default: tasks.randomElement(using: &random)?.cancel()
        }
    }

    private func take() {
        switch number(12) {
        case 0: observers.randomElement(using: &random)?.cancel()
        case 1: watches.randomElement(using: &random)?.cancel()
        case 2: if let timer = timers.randomElement(using: &random) { timer.cancel() }
        case 3: if let port = ports.randomElement(using: &random) { loop?.close(port) }
        case 4: frames.randomElement(using: &random)?.cancel()
        case 5: if !frames.isEmpty { _ = frames.remove(at: number(frames.count)) }
        case 6 where number(2) == 0: tokens.randomElement(using: &random)?.cancel()
        case 6: queue()?.cancel(number(4))
        case 7:
            let other = number(4)
            queue()?.cancel { key in
                if key == other { self.act() }
                return key != other
            }
        case 8: queue()?.cancelAll()
        case 9: if !queues.isEmpty { _ = queues.remove(at: number(queues.count)) }
        case 10: if !pools.isEmpty { _ = pools.remove(at: number(pools.count)) }
        default: if !operations.isEmpty { _ = operations.remove(at: number(operations.count)) }
        }
    }

    private func end(_ queue: IdleQueue<Int>?) {
        guard number(3) > 0 else { return queue?.close() ?? () }
        guard let queue else { return }
        let word = lastWord()
        reports += 1
        queue.shutDown(within: .microseconds(number(3) * 500)) { _ in
            self.reports -= 1
            word()
        }
    }

    private func endLoop() {
        switch number(6) {
        case 0: loop?.close()
        case 1: letGoOfLoop()
        case 2: loop?.stop()
        case 3:
            guard let loop else { return }
            let word = lastWord()
            reports += 1
            loop.shutDown(within: .microseconds(number(3) * 500)) { _ in
                self.reports -= 1
                word()
            }
        default: break
        }
    }

    // MARK: - Anything

    private func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    private func queue() -> IdleQueue<Int>? { queues.randomElement(using: &random) }

    /// No time at all where the clock is the machine's.
    private func span() -> Duration { .microseconds(time == nil ? 0 : number(4) * 400) }

    private func mode() -> LoopMode {
        [.all, .default, .tracking].randomElement(using: &random) ?? .all
    }

    private func activity() -> Activity {
        [.entry, .beforeIdle, .afterIdle, .exit, [.beforeIdle, .exit]]
            .randomElement(using: &random) ?? .exit
    }

    private func priority() -> Priority {
        [.highest, .normal, .lowest].randomElement(using: &random) ?? .normal
    }
}
