import IdleLoop
import Testing

/// The orderly end of a queue, and of all queues of a loop.
struct ShutdownTests {
    typealias Report = ShutdownReport<String>

    /// Shuts the bench's queue down, and notes each report.
    private func shutDown(_ bench: QueueBench, within time: Duration) {
        bench.queue.shutDown(within: time) { report in
            bench.note(
                "report \(report.finished) \(report.failed) \(report.returned) at "
                    + "\(bench.time.now.nanoseconds / 1_000_000)")
        }
    }

    @Test func `what can be finished in time is, and the rest is given back`() throws {
        let bench = try QueueBench()
        for key in ["a", "b", "c", "d"] { bench.submit(key, taking: .milliseconds(4)) }
        shutDown(bench, within: .milliseconds(6))
        #expect(bench.submit("e") == .dropped)
        #expect(!bench.queue.hasRoom(for: .highest))
        try bench.run()
        #expect(
            bench.log == [
                "e came late", "a runs", "a done", "b runs", "b done", "c cancelled", "d cancelled",
                #"report ["a", "b"] [] ["c", "d"] at 8"#,
            ])
        #expect(bench.submit("f") == .dropped)
        #expect(bench.queue.statistics.isConserved)
        #expect(bench.loop.statistics.sleeps == 0)
    }

    @Test func `when all is finished it's over, and no timer is left`() throws {
        let bench = try QueueBench()
        struct Trouble: Error {}
        bench.submit("a", slices: 3)
        bench.submit("b") { throw Trouble() }
        bench.submit("c") { .skipped }
        shutDown(bench, within: .seconds(3600))
        try bench.run()
        #expect(bench.log.last == #"report ["a", "c"] ["b"] [] at 6"#)
        #expect(bench.loop.statistics.timersFired == 0)
        #expect(bench.time.now == .milliseconds(6))
    }

    @Test func `without time everything is given back at once, the oldest first`() throws {
        let bench = try QueueBench()
        bench.submit("a", .lowest)
        bench.submit("b", .highest)
        bench.afterEnd["a"] = { #expect(bench.submit("a") == .dropped) }
        shutDown(bench, within: .zero)
        #expect(
            bench.log == [
                "a cancelled", "a came late", "b cancelled", #"report [] [] ["a", "b"] at 0"#,
            ])
        try bench.run()
        #expect(bench.runs.isEmpty)
    }

    @Test func `its deadline passes once, though an end is still to be noted`() throws {
        let bench = try QueueBench()
        bench.submit("a") { .waiting }
        bench.submit("b") { .waiting }
        bench.afterEnd["a"] = { #expect(throws: Never.self) { try bench.run() } }
        shutDown(bench, within: .milliseconds(6))
        bench.queue.cancel("a")
        #expect(bench.log.last == #"report [] [] ["b", "a"] at 6"#)
        #expect(bench.loop.statistics.timersFired == 1)
    }

    @Test func `a request for a key that is here is dropped, too`() throws {
        let bench = try QueueBench()
        bench.submit("a") {
            #expect(bench.submit("a") == .dropped)
            return .done
        }
        bench.submit("b")
        shutDown(bench, within: .seconds(1))
        #expect(bench.submit("b", .highest) == .dropped)
        #expect(bench.queue.priority(of: "b") == .normal)
        try bench.run()
        #expect(
            bench.log == [
                "b came late", "a runs", "a came late", "a done", "b runs", "b done",
                #"report ["a", "b"] [] [] at 0"#,
            ])
        #expect(bench.queue.statistics.accepted == 4)
    }

    @Test func `what follows a job of a queue that shuts down is taken back`() throws {
        let bench = try QueueBench()
        bench.submit("a") {
            bench.submit("a")
            bench.queue.shutDown(within: .seconds(1))
            return .done
        }
        try bench.run()
        #expect(bench.log == ["a runs", "a done", "a cancelled"])
        #expect(bench.queue.statistics.isConserved)
    }

    @Test(arguments: [JobProgress.done, .again])
    func `a job that shuts its queue down ends its run`(progress: JobProgress) throws {
        let bench = try QueueBench()
        bench.submit("a") {
            shutDown(bench, within: .zero)
            bench.note("goes on")
            return progress
        }
        bench.submit("b")
        try bench.run()
        let end = progress == .done ? "done" : "cancelled"
        let report = progress == .done ? #"["a"] [] ["b"]"# : #"[] [] ["b", "a"]"#
        #expect(
            bench.log == ["a runs", "b cancelled", "goes on", "a \(end)", "report \(report) at 0"])
    }

    @Test func `a job that shuts its queue down with time has its other slices`() throws {
        let bench = try QueueBench()
        bench.submit("a") {
            if bench.runs.count == 1 { shutDown(bench, within: .milliseconds(1)) }
            return bench.runs.count < 3 ? .again : .done
        }
        bench.submit("b")
        try bench.run()
        #expect(bench.runs == ["a", "a", "a", "b"])
        #expect(bench.log.last == #"report ["a", "b"] [] [] at 0"#)
    }

    @Test func `a second call may bring the end forward, and both get the report`() throws {
        let bench = try QueueBench { $0.modes = .tracking }
        bench.submit("a")
        shutDown(bench, within: .seconds(2))
        bench.loop.schedule(at: .milliseconds(500)) {
            self.shutDown(bench, within: .milliseconds(300))
            self.shutDown(bench, within: .seconds(9))
        }
        try bench.run()
        let report = #"report [] [] ["a"] at 800"#
        #expect(bench.log == ["a cancelled", report, report, report])
        #expect(bench.time.now == .milliseconds(800))
        shutDown(bench, within: .seconds(1))
        #expect(bench.log.last == "report [] [] [] at 800")  // told, and let go of
    }

    @Test func `to close a queue that shuts down is its end`() throws {
        let bench = try QueueBench()
        bench.submit("a")
        shutDown(bench, within: .seconds(1))
        bench.queue.close()
        #expect(bench.log == ["a cancelled", #"report [] [] ["a"] at 0"#])
        try bench.run()
        #expect(bench.time.now == .zero)
    }

    @Test func `with all the time there is, what rests is waited for`() throws {
        let bench = try QueueBench { $0.modes = .tracking }
        bench.submit("a")
        shutDown(bench, within: .seconds(Int64.max))
        try bench.run()
        #expect(bench.log.isEmpty)
        bench.loop.mode = .tracking
        try bench.run()
        #expect(bench.log.last == #"report ["a"] [] [] at 0"#)
    }

    // MARK: - Off the loop

    @Test func `work off the loop is waited for until the deadline only`() throws {
        let (loop, time) = try virtualLoop()
        let queue = IdleQueue<Int>(on: loop, configuration: .roomy)
        let pool = try WorkerPool(width: 3, on: loop)
        for key in 1...3 {
            queue.submit(key, on: pool, cost: .milliseconds(10 * key), work: { key }) { _ in
                { _ in .done }
            }
        }
        var reports: [ShutdownReport<Int>] = []
        queue.shutDown(within: .milliseconds(20)) { report in
            #expect(time.now == .milliseconds(20))
            reports.append(report)
        }
        try loop.run()
        #expect(reports.count == 1)
        #expect(reports.first?.finished == [1])
        #expect(reports.first?.returned == [2, 3])
        #expect(queue.statistics.isConserved)
    }

    // MARK: - A loop's queues

    @Test func `a loop shuts all its queues down, and says so once`() throws {
        let (loop, time) = try virtualLoop()
        func queue(_ name: String) -> IdleQueue<Int> {
            var configuration = QueueConfiguration()
            configuration.name = name
            configuration.batch = .zero
            return IdleQueue(on: loop, configuration: configuration)
        }
        let (first, second, third) = (queue("first"), queue("second"), queue("third"))
        for key in 1...3 {
            for queue in [first, third] {
                queue.submit(key, cost: queue === first ? nil : .zero) { _ in
                    time.charge(.milliseconds(2))
                    return .done
                }
            }
        }
        var reports: [ShutdownReport<String>] = []
        loop.shutDown(within: .milliseconds(7)) { reports += $0 }
        #expect(second.submit(1) { _ in .done }.submission == .dropped)
        try loop.run()
        #expect(reports.map(\.queue) == ["first", "second", "third"])
        #expect(reports.map(\.finished) == [["1", "2"], [], ["1", "2"]])
        #expect(reports.map(\.returned) == [["3"], [], ["3"]])
        reports = []
        var isTold = false
        loop.shutDown(within: .seconds(1)) { isTold = $0.isEmpty }
        #expect(isTold)
        #expect(loop.statistics.jobs.isConserved)
        third.close()
    }

    @Test func `on a host's base it ends too, and the dispatch after it`() throws {
        let guest = try Guest { $0.modes = .tracking }
        defer { guest.close() }
        for key in 0..<3 { guest.submit(key) }
        var returned: [Int] = []
        guest.queue.shutDown(within: .microseconds(200)) { returned = $0.returned }
        #expect(guest.host.run() == 1)
        #expect(returned == [0, 1, 2])
        #expect(guest.ran.isEmpty)
    }
}
