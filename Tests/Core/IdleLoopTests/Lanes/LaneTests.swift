@testable import IdleLoop
import Synchronization
import TestSupport
import Testing

struct LaneTests {
    @Test func `as many jobs run at once as there are lanes, the most urgent first`() throws {
        let bench = try LaneBench(lanes: .atMost(2))
        bench.submit("a", .low, slices: 2)
        bench.submit("b", slices: 3)
        bench.submit("c", slices: 1)
        bench.submit("d", .high, slices: 1)
        try bench.run()
        #expect(bench.notes.words == ["d 0", "b 0", "b 2", "c 2", "b 4", "a 4", "a 6"])
        #expect(bench.ends == ["d done 2", "c done 4", "b done 6", "a done 8"])
        #expect(bench.queue.statistics.slices == 7)
        #expect(bench.queue.statistics.timeRunning == .milliseconds(14))
    }

    @Test func `a more urgent job takes a lane at the end of a slice, and the other goes on later`()
        throws
    {
        let bench = try LaneBench(lanes: .atMost(1))
        bench.submit("long", slices: 4)
        bench.at(3) { bench.submit("urgent", .highest, slices: 2) }
        bench.at(3) { bench.submit("equal", rank: -1) }  // what has begun goes on
        try bench.run()
        #expect(
            bench.notes.words == [
                "long 0", "long 2", "urgent 4", "urgent 6", "long 8", "long 10", "equal 12",
            ])
    }

    @Test func `the loop's lulls are left to jobs that are its own`() throws {
        let bench = try LaneBench(lanes: .atMost(1))
        bench.submit("anywhere", .highest, slices: 3)
        bench.submit("next", .highest)
        bench.submitOwn("own", slices: 3)
        try bench.run()
        #expect(
            bench.notes.words.sorted() == [
                "anywhere 0", "anywhere 2", "anywhere 4", "next 6", "own 0", "own 2", "own 4",
            ])
        #expect(bench.ends.sorted() == ["anywhere done 6", "next done 8", "own done 6"])
    }

    @Test(arguments: [LaneLimit.none, .automatic])
    func `without lanes the loop runs what may run anywhere`(_ lanes: LaneLimit) throws {
        let bench = try LaneBench(lanes: lanes)
        bench.submit("a", slices: 2)
        bench.submitOwn("b")
        try bench.run()
        #expect(bench.notes.words == ["a 0", "a 2", "b 4"])
    }

    @Test func `what is cancelled has no further slice, and ends at once`() throws {
        let bench = try LaneBench(lanes: .atMost(1))
        bench.submit("on the lane", slices: 9)
        bench.submit("waiting")
        bench.submit("last")
        bench.at(3) {
            bench.queue.cancel("on the lane")
            bench.queue.cancel("waiting")
            #expect(bench.ends == ["on the lane cancelled 3", "waiting cancelled 3"])
            bench.submit("on the lane")  // the key is free again
        }
        try bench.run()
        #expect(
            bench.notes.words == ["on the lane 0", "on the lane 2", "last 4", "on the lane 6"])
        #expect(bench.queue.statistics.cancelled == 2)
    }

    @Test func `a job that waits for a lane, or has one, moves in the order`() throws {
        let bench = try LaneBench(lanes: .atMost(1))
        bench.submit("first", slices: 3)
        for name in ["a", "b", "c"] { bench.submit(name) }
        bench.at(1) { bench.queue.reprioritize("c", priority: .high) }
        bench.at(1) { bench.queue.reprioritize("first", priority: .low) }
        try bench.run()
        #expect(bench.notes.names == ["first", "c", "a", "b", "first", "first"])
    }

    @Test func `a full queue drops the least urgent, wherever it is`() throws {
        let bench = try LaneBench(lanes: .atMost(1)) { $0.limit = 2 }
        bench.submit("on the lane", .low, slices: 5)
        bench.at(1) {
            bench.submit("a")
            bench.submit("b")
            #expect(bench.ends == ["on the lane dropped 1"])
            #expect(!bench.queue.hasRoom(for: .normal))
        }
        try bench.run()
        #expect(bench.notes.names == ["on the lane", "a", "b"])
    }

    @Test func `in another mode jobs leave their lanes after a slice, and return`() throws {
        let bench = try LaneBench(lanes: .atMost(1)) { $0.modes = .default }
        bench.submit("a", slices: 3)
        bench.submit("b")
        bench.at(1) { bench.loop.mode = .tracking }
        bench.at(9) { bench.loop.mode = .default }
        try bench.run()
        #expect(bench.notes.words == ["a 0", "a 9", "a 11", "b 13"])
    }

    @Test(arguments: [1, 7])
    func `a job that waits goes on when it's resumed, on its lane too`(_ moment: Int) throws {
        let bench = try LaneBench(lanes: .atMost(1))
        bench.submit("a", last: .waiting)
        bench.at(moment) { bench.queue.resume("a") }
        bench.at(20) { bench.queue.cancel("a") }
        try bench.run()
        #expect(bench.notes.words == ["a 0", "a \(max(2, moment))"])
    }

    @Test func `a job that waits for a lane past its timeout runs on the loop`() throws {
        let bench = try LaneBench(lanes: .atMost(1))
        bench.submit("long", slices: 20)
        bench.submit("patient")
        bench.submit("impatient", .low, timeout: .milliseconds(5))
        try bench.run()
        #expect(bench.ends.first == "impatient done 7")
        #expect(bench.queue.statistics.timedOut == 1)
    }

    @Test func `queues have their parts of the lanes by their weights`() throws {
        let bench = try LaneBench(lanes: .atMost(1)) { $0.weight = 2 }
        var configuration = QueueConfiguration()
        configuration.lanes = .atMost(1)
        let other = IdleQueue<Int>(on: bench.loop, configuration: configuration)
        let notes = bench.notes
        for number in 0..<30 {
            bench.submit("\(number)")
            other.submit(
                number,
                anywhere: { slot in
                    notes.note("other", slot.now)
                    slot.charge(.milliseconds(2))
                    return .done
                })
        }
        try bench.run()
        #expect((9...11).contains(notes.names.prefix(30).count { $0 == "other" }))
    }

    @Test func `there are 64 lanes at most`() throws {
        let bench = try LaneBench(lanes: .atMost(.max))
        for number in 0..<100 { bench.submit("\(number)") }
        bench.at(1) { #expect(bench.notes.names.count == 64) }
        try bench.run()
        #expect(bench.ends.count { $0.hasSuffix("done 2") } == 64)
        #expect(bench.ends.count { $0.hasSuffix("done 4") } == 36)
    }

    @Test func `an error is a failure, and what is stale costs nothing`() throws {
        struct Trouble: Error {}
        let bench = try LaneBench(lanes: .atMost(1))
        bench.queue.submit("fails", anywhere: { _ in throw Trouble() })
        bench.queue.submit("stale", anywhere: { _ in .skipped })
        try bench.run()
        #expect(bench.queue.statistics.failed == 1)
        #expect(bench.queue.statistics.skipped == 1)
    }

    @Test func `a queue shuts down when its jobs on lanes have ended, or its time is over`() throws
    {
        for (slices, finished) in [(2, 1), (20, 0)] {
            let bench = try LaneBench(lanes: .atMost(2))
            bench.submit("a", slices: slices)
            var report: ShutdownReport<String>?
            bench.at(1) { bench.queue.shutDown(within: .milliseconds(9)) { report = $0 } }
            try bench.run()
            #expect(report?.finished.count == finished)
            #expect(bench.ends.count == 1)
        }
    }

    @Test func `closing the loop in the end of a job lets go of all others`() throws {
        let bench = try LaneBench(lanes: .atMost(2))
        let live = LiveObjects()
        for key in ["a", "b", "c", "d", "e"] {
            nonisolated(unsafe) let object = live.make()  // nobody else has it
            bench.queue.submit(
                key, onEnd: { _ in bench.loop.close() },
                anywhere: { slot in
                    unsafe withExtendedLifetime(object) {}
                    slot.charge(.milliseconds(2))
                    return .done
                })
        }
        try bench.run()
        #expect(bench.queue.statistics.done == 2 || bench.queue.statistics.done == 1)
        #expect(bench.queue.statistics.isConserved)
        bench.loop.close()
        #expect(live.count == 0)
    }

    // MARK: - Threads

    @Test func `threads run jobs, whose ends are told on the loop`() throws {
        let loop = try MainLoop()
        var configuration = QueueConfiguration()
        configuration.lanes = .atMost(4)
        let queue = IdleQueue<Int>(on: loop, configuration: configuration)
        let sum = Total()
        var left = 1000
        for key in 0..<1000 {
            var slices = key % 3
            queue.submit(
                key, priority: key % 2 == 0 ? .low : .normal,
                onEnd: { end in
                    if case .done = end {} else { Issue.record("\(end)") }
                    left -= 1
                    if left == 0 { loop.stop() }
                },
                anywhere: { _ in
                    sum.add(1)
                    slices -= 1
                    return slices >= 0 ? .again : .done
                })
        }
        try loop.run()
        queue.checkInvariants()
        #expect(sum.value == 333 * 6 + 1)
        #expect(queue.statistics.done == 1000)
    }

    @Test func `a loop that is closed or released waits for no thread`() throws {
        for isClosed in [false, true] {
            let loop = try MainLoop()
            let queue = IdleQueue<Int>(on: loop)
            let begun = Total()
            for key in 0..<8 {
                queue.submit(
                    key,
                    anywhere: { _ in
                        begun.add(1)
                        return .again
                    })
            }
            loop.observe(.beforeIdle) { _ in
                if begun.value > 0 { loop.stop() } else { loop.inbox.post { _ in } }
            }
            try loop.run()
            if isClosed { loop.close() }
        }
    }

    #if DEBUG
    @Test(arguments: LaneThreads.Step.allCases)
    func `lanes that stop at any step keep neither the loop nor other jobs waiting`(
        _ step: LaneThreads.Step
    ) throws {
        let loop = try MainLoop()
        let queue = IdleQueue<Int>(on: loop)
        var left = 0
        func submit(_ key: Int, isOwn: Bool) {
            left += 1
            let onEnd: (JobEnd) -> Void = { _ in
                left -= 1
                // Each lane may have stopped with a job.
                if left <= Processors.usable { loop.stop() }
            }
            if isOwn {
                queue.submit(key, onEnd: onEnd) { _ in .done }
            } else {
                queue.submit(key, onEnd: onEnd, anywhere: { _ in .done })
            }
        }
        submit(0, isOwn: false)
        let lanes = loop.context.lanes.first as? Lanes
        let threads = lanes?.threads
        threads?.stop.store(step.rawValue, ordering: .relaxed)
        for key in 1...100 { submit(key, isOwn: key % 2 == 0) }
        try loop.run()
        #expect(left <= Processors.usable)
        // With the most urgent job in its hands, a lane has the loop's priority until it goes on.
        if Processors.usable > 1, [.begun, .run, .returning].contains(step) {
            #expect(lanes?.raised ?? 0 > 0)
        }
        threads?.stop.store(0, ordering: .relaxed)
        // The results of the lanes arrive now.
        submit(101, isOwn: false)
        while left > 0 { try loop.run() }
        queue.checkInvariants()
        #expect(queue.statistics.done == 102)
    }
    #endif

    // MARK: - Processors

    @Test func `quotas are those of all groups above, in both versions of control groups`() {
        let files = [
            "/cpu.max": "max 100000\n", "/a/cpu.max": "250000 100000\n",
            "/a/b/cpu.max": "max 100000\n", "/cpu/x/cpu.cfs_quota_us": "50000\n",
            "/cpu/x/cpu.cfs_period_us": "100000\n", "/cpu/cpu.cfs_quota_us": "-1\n",
            "/cpu/cpu.cfs_period_us": "100000\n",
        ]
        #expect(Processors.quotas(of: "0::/a/b\n") { files[$0] } == [2.5])
        #expect(Processors.quotas(of: "3:cpu,cpuacct:/x\n1:memory:/a\n") { files[$0] } == [0.5])
        #expect(Processors.quotas(of: "nonsense\n::\n") { files[$0] } == [])
        #expect(Processors.usable >= 1)
    }
}

/// A sum that threads add to.
private final class Total: Sendable {
    private let sum = Atomic(0)

    func add(_ number: Int) { sum.add(number, ordering: .relaxed) }

    var value: Int { sum.load(ordering: .relaxed) }
}
