import Foundation
import IdleLoop
import TestSupport
import Testing

/// What a loop does once it's closed, and who may close it.
struct ClosedLoopTests {
    // MARK: - What is asked of a closed loop

    @Test func `what can throw says that the loop is closed`() throws {
        let (loop, _) = try virtualLoop()
        loop.close()
        loop.close()
        let pipe = NonblockingPipe()
        #expect(throws: LoopError.closed) { try loop.run() }
        #expect(throws: LoopError.closed) { try loop.run(until: .zero) }
        #expect(throws: LoopError.closed) { try loop.reinitAfterFork() }
        #expect(throws: LoopError.closed) { try loop.watch(pipe.reading, for: .readable) { _ in } }
        #expect(throws: LoopError.closed) { try loop.watch(signal: SIGUSR2) {} }
        #expect(throws: LoopError.closed) { try loop.watch(child: getpid()) { _ in } }
    }

    @Test func `the rest does nothing, and keeps nothing`() throws {
        let live = LiveObjects()
        let (loop, _) = try virtualLoop()
        loop.close()
        let timer = loop.schedule(after: .zero) { [o = live.make()] in _ = o }
        #expect(!timer.cancel())
        let observer = loop.observe(.beforeIdle) { [o = live.make()] _ in _ = o }
        #expect(!observer.isActive)
        let worker = loop.beforeIdle { [o = live.make()] _ in
            _ = o
            return .nothing
        }
        #expect(!worker.isActive)
        let port = loop.port(of: Int.self) { [o = live.make()] _ in _ = o }
        #expect(!port.send(1))
        loop.close(port)
        #expect(!loop.inbox.post { _ in })
        let turns = loop.observeTurns { [o = live.make()] _ in _ = o }
        #expect(!turns.isActive)
        #expect(live.count == 0)
        let frames = loop.frames(every: .milliseconds(16)) { _ in Issue.record("a frame") }
        frames.pause()
        frames.resume()
        #expect(!frames.isActive)
        loop.expectFrame(at: .zero)
        let pressure = MemoryPressure(on: loop) {}
        pressure.isNeeded = true
        loop.mode = .tracking
        loop.poke()
        loop.stop()
        var reports: [ShutdownReport<String>]?
        loop.shutDown(within: .seconds(1)) { reports = $0 }
        #expect(reports?.isEmpty == true)
        #expect(!loop.isRunning)
    }

    @Test(arguments: [false, true])
    func `a queue of a closed loop drops what it's handed`(isOlder: Bool) throws {
        let (loop, _) = try virtualLoop()
        var configuration = QueueConfiguration()
        configuration.maxDeferral = .milliseconds(1)
        var queue: IdleQueue<Int>?
        if isOlder { queue = IdleQueue(on: loop, configuration: configuration) }
        let workers = isOlder ? try WorkerPool(width: 1, on: loop) : nil
        loop.close()
        #expect(throws: LoopError.closed) { try WorkerPool(width: 1, on: loop) }
        let operations = OperationPool(width: 1, on: loop)
        let late = queue ?? IdleQueue(on: loop, configuration: configuration)
        var ends: [String] = []
        let onEnd: (JobEnd) -> Void = { ends.append($0.word) }
        #expect(!late.isAccepting)
        #expect(late.submit(1, onEnd: onEnd) { _ in .done }.submission == .dropped)
        #expect(
            late.submit(2, timeout: .seconds(1), onEnd: onEnd) { _ in .done }.submission == .dropped
        )
        if let workers {
            let job = late.submit(4, on: workers, onEnd: onEnd, work: { 1 }) { _ in
                { _ in .done }
            }
            #expect(job.submission == .dropped)
        }
        let job = late.submit(
            5, on: operations, onEnd: onEnd,
            start: { (_: OperationCompletion<Int>) in NoOperation() }
        ) { _ in { _ in .done } }
        #expect(job.submission == .dropped)
        #expect(Set(ends) == ["came late"])
        #expect(late.statistics.isConserved && late.isEmpty)
        late.checkInvariants()
        late.close()
    }

    private final class NoOperation: PendingOperation {
        func cancel() {}
    }

    @Test func `tasks that ask a closed loop aren't kept waiting`() async throws {
        let (loop, _) = try virtualLoop()
        loop.close()
        let task = loop.task { Issue.record("it runs") }
        await #expect(throws: LoopError.closed) { try await task.value }
        let slot = await loop.idle()
        #expect(slot.isOver)
        await #expect(throws: LoopError.closed) {
            try await loop.taskClock.sleep(for: .seconds(1))
        }
    }

    // MARK: - What waits when a loop is closed

    @Test func `jobs that wait end as cancelled, and their queues are closed`() throws {
        let bench = try QueueBench { $0.maxDeferral = .milliseconds(1) }
        let live = LiveObjects()
        bench.submit("a") { [o = live.make()] in
            _ = o
            return .done
        }
        bench.submit("b")
        bench.afterEnd["a"] = {
            #expect(bench.submit("a") == .dropped)
            bench.loop.close()
        }
        bench.loop.close()
        #expect(bench.log == ["a cancelled", "a came late", "b cancelled"])
        #expect(live.count == 0)
        #expect(!bench.queue.isAccepting)
        let jobs = bench.loop.statistics.jobs
        #expect((jobs.accepted, jobs.cancelled, jobs.dropped) == (3, 2, 1))
    }

    @Test(arguments: HostKind.allCases)
    func `whoever is told of an end may have the host dispatch, and nothing comes`(
        kind: HostKind
    ) throws {
        let host = HostBase(kind)
        let loop = try host.adopt()
        let queue = IdleQueue<Int>(on: loop)
        let pipe = NonblockingPipe()
        var log: [String] = []
        queue.submit(
            1,
            onEnd: { end in
                log.append("job \(end.word)")
                for _ in 0..<3 { host.loop(.nonblockingOnce) }
            },
            { _ in .done })
        loop.schedule(after: .zero) { log.append("timer") }
        pipe.put()
        try loop.watch(pipe.reading, for: .readable) { _ in log.append("watch") }
        loop.observe(.beforeIdle) { _ in log.append("observer") }
        loop.inbox.post { _ in Issue.record("a post") }
        loop.close()
        #expect(log == ["job cancelled"])
        #expect(host.pending == 0)
    }

    @Test(arguments: [false, true])
    func `what ends a sleep isn't called if it was cancelled as the sleep ended`(
        closes: Bool
    ) throws {
        let loop = try MainLoop()
        let pipe = NonblockingPipe()
        let watch = try loop.watch(pipe.reading, for: .readable) { _ in
            Issue.record("called, though it was cancelled")
            loop.stop()
        }
        // Readable once the loop has polled: only its sleep finds that out.
        loop.observe(.beforeIdle, repeats: false) { _ in pipe.put() }
        loop.observe(.afterIdle, repeats: false) { _ in
            if closes {
                loop.close()
            } else {
                watch.cancel()
                loop.stop()
            }
        }
        try loop.run()
        #expect(loop.statistics.sleeps == 1)
        loop.close()
    }

    // MARK: - Closed from inside

    /// A way in which a loop calls.
    enum Callback: CaseIterable {
        case timer, periodicTimer, watch, edge, entry, beforeIdle, afterIdle, work, twoWorkers, job
        case jobsEnd, timeout, deferral, task, lull, post, port, frame, turn, exit, child
        case worker, operation
    }

    @Test(arguments: Callback.allCases)
    func `a loop is closed by any of its callbacks, and calls nobody any more`(
        callback: Callback
    ) throws {
        guard callback != .child else { return }  // virtual time doesn't wait for it
        let live = LiveObjects()
        let (loop, _) = try virtualLoop()
        do {
            let closing = try Closing(loop, live, callback)
            var polls: Int?
            closing.close = { [weak loop] in
                loop?.close()
                polls = loop?.statistics.polls
            }
            try loop.run()
            #expect(closing.calls == 1)
            // `run` returns when that has.
            #expect(loop.statistics.polls == polls)
            #expect(closing.later == 0)
            #expect(loop.isClosed && !loop.isRunning)
            #expect(throws: LoopError.closed) { try loop.run() }
            closing.letGo()
        }
        // Tasks do on another loop what they have left to do.
        let (next, _) = try virtualLoop()
        try next.serve(loop.executor)
        try next.run()
        next.close()
        #expect(live.count == 0)
    }

    @Test(arguments: HostKind.allCases, Callback.allCases)
    func `so is one on a host's loop, and it may be let go of there`(
        kind: HostKind, callback: Callback
    ) throws {
        guard ![.entry, .exit, .afterIdle].contains(callback) else { return }
        try closes(in: callback, on: HostBase(kind), isLetGo: false)
        try closes(in: callback, on: HostBase(kind), isLetGo: true)
    }

    private func closes(in callback: Callback, on host: HostBase, isLetGo: Bool) throws {
        let live = LiveObjects()
        let keeping = HostEvent(on: host) { event in event.add(after: 1000) }
        keeping.add(after: 1000)
        var executor: LoopExecutor?
        do {
            var loop: MainLoop? = try host.adopt()
            executor = loop?.executor
            let closing = try loop.map { try Closing($0, live, callback) }
            closing?.close = {
                if isLetGo {
                    closing?.letGo()
                } else {
                    loop?.close()
                }
                loop = nil
            }
            for _ in 0..<500 where closing?.calls == 0 { host.loop(.once) }
            for _ in 0..<10 { host.loop(.nonblockingOnce) }
            #expect(closing?.calls == 1)
            if !isLetGo { #expect(closing?.later == 0) }
            closing?.letGo()
            closing?.close = nil
        }
        for _ in 0..<10 { host.loop(.nonblockingOnce) }
        let (next, _) = try virtualLoop()
        if let executor { try next.serve(executor) }
        try next.run()
        next.close()
        #expect(live.count == 0)
        #expect(host.pending == 1)
        keeping.remove()
    }

    /// A loop with something of each kind on it, of which one closes it.
    private final class Closing {
        var calls = 0
        /// How often something else was called afterwards; what is told inside the close doesn't count.
        var later = 0
        var close: (() -> Void)?
        private var isOver = false
        private let pipe = NonblockingPipe()
        private var kept: [AnyObject] = []
        private var children: [pid_t] = []

        deinit {
            // What a closed loop doesn't reap is left to whoever started it.
            for child in children { waitpid(child, nil, 0) }
        }

        init(_ loop: MainLoop, _ live: LiveObjects, _ callback: Callback) throws {
            close = { [weak loop] in loop?.close() }
            for _ in 0..<2 { try add(callback, to: loop, live) }
        }

        func letGo() { kept = [] }

        private func called() {
            guard calls == 0 else {
                if isOver { later += 1 }
                return
            }
            calls += 1
            close?()
            isOver = true
        }

        private func add(_ callback: Callback, to loop: MainLoop, _ live: LiveObjects) throws {
            let call = { [weak self, object = live.make()] in
                _ = object
                self?.called()
            }
            let worked: () -> IdleResult = {
                call()
                return .worked
            }
            let done: () -> JobProgress = {
                call()
                return .done
            }
            func queue(_ change: (inout QueueConfiguration) -> Void = { _ in }) -> IdleQueue<Int> {
                var configuration = QueueConfiguration()
                change(&configuration)
                let queue = IdleQueue<Int>(on: loop, configuration: configuration)
                kept.append(queue)
                return queue
            }
            switch callback {
            case .timer: loop.schedule(after: .zero, call)
            case .periodicTimer: loop.schedule(after: .zero, every: .nanoseconds(1), call)
            case .watch, .edge:
                pipe.put()
                try loop.watch(
                    pipe.reading, for: .readable, trigger: callback == .edge ? .edge : .level
                ) { _ in call() }
            case .entry: loop.observe(.entry) { _ in call() }
            case .exit:
                loop.observe(.exit) { _ in call() }
            case .beforeIdle: loop.observe(.beforeIdle) { _ in call() }
            case .afterIdle:
                loop.observe(.afterIdle) { _ in call() }
                loop.schedule(after: .microseconds(1)) {}
            case .work where kept.isEmpty:
                kept.append(loop.beforeIdle { _ in worked() })
            case .work: break
            case .twoWorkers: loop.beforeIdle { _ in worked() }
            case .job: queue().submit(1) { _ in done() }
            case .jobsEnd: queue().submit(1, onEnd: { _ in call() }) { _ in .done }
            case .timeout: queue().submit(1, timeout: .zero) { _ in done() }
            case .deferral:
                queue { $0.maxDeferral = .nanoseconds(1) }.submit(1) { _ in done() }
            case .task: loop.task { call() }
            case .lull:
                loop.task {
                    _ = await loop.idle()
                    call()
                }
            case .post:
                let port = loop.port(of: Int.self) { _ in call() }
                loop.inbox.post { loop in _ = port.send(1) }
            case .port:
                let port = loop.port(of: Int.self) { _ in call() }
                port.send(1)
                port.send(2)
            case .frame:
                kept.append(loop.frames(every: .microseconds(1)) { _ in call() })
            case .turn:
                loop.observeTurns { _ in call() }
                loop.schedule(after: .zero) {}
            case .child:
                children.append(try ChildTests.start("exit 0"))
                try loop.watch(child: children[children.count - 1]) { _ in call() }
            case .worker:
                let pool = try WorkerPool(width: 1, on: loop)
                queue().submit(1, on: pool, work: { 1 }) { _ in
                    call()
                    return { _ in .done }
                }
            case .operation:
                let pool = OperationPool(width: 2, on: loop)
                queue().submit(1, on: pool) { completion in
                    call()
                    completion(.success(1))
                    return NoOperation()
                } then: { _ in
                    { _ in .done }
                }
            }
        }
    }
}
