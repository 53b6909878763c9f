import IdleLoop
import TestSupport
import Testing

/// What a loop counts, and what it tells of its turns.
struct StatisticsTests {
    @Test func `the time asleep is all that no work takes`() throws {
        let (loop, time) = try virtualLoop()
        let pipe = NonblockingPipe()
        try loop.watch(pipe.reading, for: .readable) { _ in
            pipe.drain()
            time.charge(.milliseconds(1))
        }
        for moment in [10, 20, 30] {
            loop.schedule(at: .milliseconds(moment)) { time.charge(.milliseconds(3)) }
        }
        time.at(.milliseconds(15)) { pipe.put() }
        time.at(.milliseconds(21)) { pipe.put() }  // while it's awake
        try loop.run()
        #expect(time.now == .milliseconds(33))
        let statistics = loop.statistics
        #expect(statistics.timeAsleep == .milliseconds(33 - 3 * 3 - 2))
        #expect(statistics.sleeps == 4)
        #expect(statistics.timersFired == 3)
        #expect(statistics.dispatched == 2)
        #expect(statistics.busyPasses == 0)
        #expect(statistics.polls >= statistics.turns)
        #expect(statistics.turns == statistics.sleeps + 1)
        #expect(statistics.idlePasses == statistics.turns)
    }

    @Test func `queues without a name are listed one by one, those of one name together`() throws {
        let (loop, _) = try virtualLoop()
        let queues = (0..<3).map { _ in IdleQueue<Int>(on: loop) }
        var configuration = QueueConfiguration()
        configuration.name = "named"
        let named = (0..<2).map { _ in IdleQueue<Int>(on: loop, configuration: configuration) }
        for (index, queue) in (queues + named).enumerated() {
            for key in 0...index { queue.submit(key) { _ in .done } }
        }
        try loop.run()
        #expect(
            loop.queueStatistics.mapValues(\.done)
                == ["idle queue": 1, "idle queue 2": 2, "idle queue 3": 3, "named": 9])
        // A name that is free is used again, so that there are no more names than queues.
        queues[1].close()
        let next = IdleQueue<Int>(on: loop)
        next.submit(1) { _ in .done }
        try loop.run()
        #expect(loop.queueStatistics.mapValues(\.done)["idle queue 2"] == 3)
        #expect(loop.queueStatistics.count == 4)
    }

    @Test func `jobs are summed over queues, of those too that are gone`() throws {
        let (loop, time) = try virtualLoop()
        struct Trouble: Error {}
        let first = IdleQueue<Int>(on: loop)
        let second = IdleQueue<String>(on: loop)
        for key in 0..<5 {
            first.submit(key) { _ in
                if key < 4 { time.charge(.milliseconds(key)) }
                if key == 3 { throw Trouble() }
                return key == 4 ? .skipped : .done
            }
        }
        for key in ["a", "b", "c"] { second.submit(key) { _ in .done } }
        second.submit("a") { _ in .done }
        second.cancel("b")
        #expect(loop.statistics.jobs.waiting == 7)
        #expect(loop.statistics.jobs.accepted == 8)
        try loop.run()
        var jobs = loop.statistics.jobs
        #expect(jobs.done == 5)
        #expect(jobs.failed == 1)
        #expect(jobs.skipped == 1)
        #expect(jobs.cancelled == 1)
        #expect(jobs.joined == 1)
        #expect(jobs.slices == 7)
        #expect(jobs.longest == 5)
        #expect(jobs.longestJob == .milliseconds(3))
        #expect(jobs.isConserved)
        first.close()
        #expect(loop.statistics.jobs == jobs)
        second.submit("d") { _ in .done }
        second.close()
        jobs = loop.statistics.jobs
        #expect(jobs.accepted == 9)
        #expect(jobs.cancelled == 2)
        #expect(jobs.isConserved)
    }

    @Test func `the longest wait is the longest from being handed in to the first run`() throws {
        let bench = try QueueBench()
        for key in ["a", "b", "c"] { bench.submit(key, taking: .milliseconds(3)) }
        try bench.loop.run()
        #expect(bench.queue.statistics.longestWait == .milliseconds(6))
    }

    @Test(arguments: [(nil, 7), (Duration.seconds(1), 3)])
    func `a job's job waits from the beginning of the run, and with a timeout from where it was`(
        timeout: Duration?, wait: Int
    ) throws {
        let bench = try QueueBench()
        bench.submit("outer") {
            bench.time.charge(.milliseconds(4))
            bench.submit("inner", timeout: timeout)
            bench.time.charge(.milliseconds(3))
            return .done
        }
        try bench.loop.run()
        #expect(bench.queue.statistics.longestWait == .milliseconds(wait))
    }

    /// The spans of each turn, as text: what, from, to, in milliseconds.
    private final class Diary {
        var turns: [String] = []
        var numbers: [Int] = []

        @discardableResult
        func keep(of loop: MainLoop) -> Observer {
            loop.observeTurns { [unowned self] turn in
                numbers.append(turn.number)
                turns.append(turn.spans.map(text).joined(separator: ", "))
            }
        }

        private func text(_ span: Turn.Span) -> String {
            let name =
                switch span.work {
                case .descriptor: "descriptor"
                case .signal(let number): "signal \(number)"
                case .child: "child"
                case .inbox: "inbox"
                case .timers: "timers"
                case .timer: "timer"
                case .frame(let name): name
                case .job(let queue, let key): "\(queue) \(key)"
                case .sleep: "sleep"
                }
            let (start, end) = (span.start.nanoseconds, span.end.nanoseconds)
            #expect(span.duration == .nanoseconds(end - start))
            return "\(name) \(start / 1_000_000)-\(end / 1_000_000)"
        }
    }

    @Test func `a turn tells what ran, from when to when`() throws {
        let (loop, time) = try virtualLoop()
        var configuration = QueueConfiguration()
        configuration.name = "queue"
        let queue = IdleQueue<Int>(on: loop, configuration: configuration)
        let pipe = NonblockingPipe()
        try loop.watch(pipe.reading, for: .readable) { _ in
            pipe.drain()
            time.charge(.milliseconds(2))
        }
        queue.submit(1) { _ in
            time.charge(.milliseconds(3))
            return .done
        }
        loop.schedule(at: .milliseconds(5)) { time.charge(.milliseconds(1)) }
        time.at(.milliseconds(5)) { pipe.put() }
        let frames = loop.frames(every: .milliseconds(100), from: .milliseconds(10), name: "show") {
            _ in time.charge(.milliseconds(4))
        }
        let diary = Diary()
        diary.keep(of: loop)
        try loop.run(until: .milliseconds(14))
        #expect(
            diary.turns == [
                "queue 1 0-3", "sleep 3-5, descriptor 5-7, timer 7-8",
                "sleep 8-10, timer 10-14, show 10-14, timer 14-14",
            ])
        #expect(diary.numbers == [1, 3, 4])
        frames.cancel()
    }

    @Test func `of what began at one moment the outer comes first`() throws {
        let (loop, _) = try virtualLoop()
        var configuration = QueueConfiguration()
        configuration.name = "queue"
        let queue = IdleQueue<Int>(on: loop, configuration: configuration)
        let diary = Diary()
        diary.keep(of: loop)
        loop.schedule(at: .milliseconds(1)) {
            queue.submit(1, timeout: .zero) { _ in .done }
            loop.stop()
        }
        try loop.run()
        loop.schedule(at: .milliseconds(1)) { loop.stop() }
        try loop.run()
        #expect(diary.turns.last == "timer 1-1, queue 1 1-1, timer 1-1")
    }

    @Test func `nothing is told of turns in which nothing ran`() throws {
        let (loop, _) = try virtualLoop()
        let diary = Diary()
        diary.keep(of: loop)
        for _ in 0..<5 { try loop.run() }
        #expect(loop.statistics.turns == 5)
        #expect(diary.turns.isEmpty)
    }

    @Test func `several observe turns, each until it is cancelled`() throws {
        let (loop, _) = try virtualLoop()
        var calls: [[String]] = []
        func note(_ name: String, _ turn: Turn) {
            if turn.spans.contains(where: { $0.work == .timer }) {
                calls[calls.count - 1] += [name]
            }
        }
        let zeroth = loop.observeTurns { note("zeroth", $0) }
        let first = loop.observeTurns { note("first", $0) }
        let second = loop.observeTurns { turn in
            note("second", turn)
            if calls.count == 2 { first.cancel() }
        }
        let third = loop.observeTurns { note("third", $0) }
        for moment in 1...4 {
            loop.schedule(at: .milliseconds(moment)) {
                calls.append([])
                if moment == 2 { zeroth.cancel() }
                if moment == 4 { second.cancel() }
            }
        }
        try loop.run()
        #expect(
            calls == [
                ["zeroth", "first", "second", "third"], ["first", "second", "third"],
                ["second", "third"], ["third"],
            ])
        loop.close()
        #expect(!third.isActive && !loop.observeTurns { _ in }.isActive)
    }

    @Test func `the handler that stops the loop is told of, too`() throws {
        let loop = try MainLoop()
        defer { loop.close() }
        var work: [Turn.Work] = []
        let pipe = NonblockingPipe()
        try loop.watch(pipe.reading, for: .readable) { _ in loop.stop() }
        loop.observe(.beforeIdle, repeats: false) { _ in pipe.put() }
        loop.observeTurns { turn in work += turn.spans.map(\.work) }
        try loop.run()
        #expect(work == [.sleep, .descriptor(pipe.reading)])
    }

    @Test(arguments: HostKind.allCases)
    func `an adopted loop tells of its turns too`(kind: HostKind) throws {
        let guest = try Guest(on: HostBase(kind))
        defer { guest.close() }
        var work: [Turn.Work] = []
        guest.loop.observeTurns { turn in
            work += turn.spans.map(\.work).filter { $0 != .sleep }
        }
        guest.submit(1)
        #expect(guest.host.run() == 1)
        guest.loop.schedule(after: .microseconds(100)) { guest.submit(2) }
        #expect(guest.host.run() == 1)
        let name = guest.queue.configuration.name
        #expect(
            work == [
                .job(queue: name, key: "1"), .timers, .timer, .job(queue: name, key: "2"),
            ])
    }
}
