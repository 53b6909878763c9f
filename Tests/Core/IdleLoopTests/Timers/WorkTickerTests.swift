import IdleLoop
import TestSupport
import Testing

/// A timer that runs only while its loop does something.
struct WorkTickerTests {
    /// A loop with a pulse of a second, and the times at which that came, in milliseconds.
    private final class Patient {
        let loop: MainLoop
        let time: VirtualTime
        var beats: [Int64] = []
        private(set) var pulse: WorkTicker?

        init() throws {
            (loop, time) = try virtualLoop()
            pulse = WorkTicker(of: loop, every: .seconds(1)) { [unowned self] in
                beats.append(time.now.nanoseconds / 1_000_000)
            }
        }

        func letGo() { pulse = nil }
    }

    @Test func `a loop with nothing to do isn't woken`() throws {
        let patient = try Patient()
        let pipe = NonblockingPipe()
        try patient.loop.watch(pipe.reading, for: .readable) { _ in pipe.drain() }
        try patient.loop.run()
        #expect(patient.time.now == .zero)
        #expect(patient.loop.statistics.sleeps == 0)
        #expect(patient.beats == [0])  // the run's end
    }

    @Test func `after some work it is woken once`() throws {
        let patient = try Patient()
        let pipe = NonblockingPipe()
        try patient.loop.watch(pipe.reading, for: .readable) { _ in pipe.drain() }
        for second in [10, 20, 100_000] {
            patient.time.at(.milliseconds(second * 1000)) { pipe.put() }
        }
        try patient.loop.run()
        #expect(patient.beats == [11_000, 21_000, 100_001_000, 100_001_000])
        #expect(patient.loop.statistics.sleeps == 6)
        #expect(patient.loop.statistics.timersFired == 3)
    }

    @Test func `while work goes on it comes again and again, without a sleep between`() throws {
        let patient = try Patient()
        let queue = IdleQueue<Int>(on: patient.loop)
        queue.submit(1) { _ in
            patient.time.charge(.milliseconds(300))
            return patient.time.now < .milliseconds(3500) ? .again : .done
        }
        try patient.loop.run()
        // What it sees only in the second pass after the one before.
        #expect(patient.beats == [1500, 3000, 4300, 4300])
        #expect(patient.loop.statistics.sleeps == 1)
    }

    @Test func `let go of, it comes no more`() throws {
        let patient = try Patient()
        patient.loop.schedule(at: .milliseconds(500)) { patient.letGo() }
        patient.loop.schedule(at: .milliseconds(5000)) {}
        try patient.loop.run()
        #expect(patient.beats.isEmpty)
        #expect(patient.loop.statistics.timersFired == 2)
    }

    @Test func `cancelled, it lets go of what it was to call, also inside that`() throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let live = LiveObjects()
        let first = WorkTicker(of: loop, every: .seconds(1)) { [object = live.make()] in _ = object
        }
        var second: WorkTicker?
        second = WorkTicker(of: loop, every: .seconds(1)) { [object = live.make()] in
            second?.cancel()
            #expect(live.count == 1)
            _ = object
        }
        first.cancel()
        #expect(live.count == 1)
        try loop.run()
        #expect(live.count == 0)
    }

    @Test(arguments: HostKind.allCases)
    func `an adopted loop has one, too`(kind: HostKind) throws {
        let guest = try Guest(on: HostBase(kind))
        defer { guest.close() }
        var beats = 0
        let pulse = WorkTicker(of: guest.loop, every: .microseconds(100)) { beats += 1 }
        #expect(guest.host.run() == 1)
        #expect(beats == 0)
        guest.loop.schedule(after: .microseconds(50)) {}
        #expect(guest.host.run() == 1)
        #expect(beats == 1)
        pulse.cancel()
    }

    @Test func `two of one loop don't keep each other going`() throws {
        let (loop, time) = try virtualLoop()
        defer { loop.close() }
        var beats = ["a": 0, "b": 0, "c": 0]
        let pulses = [("a", 1), ("b", 10), ("c", 1)].map { name, seconds in
            WorkTicker(of: loop, every: .seconds(seconds)) { beats[name, default: 0] += 1 }
        }
        loop.schedule(at: .milliseconds(500)) {}
        try loop.run(until: .milliseconds(3_600_000))
        #expect(beats == ["a": 2, "b": 2, "c": 2])  // with the run's end
        let before = loop.statistics
        try loop.run(until: .milliseconds(2 * 3_600_000))
        #expect(loop.statistics.sleeps - before.sleeps == 1)
        #expect(loop.statistics.timersFired - before.timersFired == 1)
        #expect(time.now == .milliseconds(2 * 3_600_000))
        withExtendedLifetime(pulses) {}
    }

    @Test func `figures that are read in vain are no work`() throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        var beats = 0
        let pulse = WorkTicker(of: loop, every: .seconds(1)) { beats += 1 }
        loop.schedule(at: .zero, every: .seconds(10)) { loop.countHousekeeping() }
        try loop.run(until: .milliseconds(3_600_000))
        #expect(beats == 1)
        pulse.cancel()
    }
}
