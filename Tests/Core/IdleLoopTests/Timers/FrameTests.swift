import IdleLoop
import TestSupport
import Testing

/// Rhythms that lulls fit into.
struct FrameTests {
    // MARK: - By the loop's timers

    @Test(arguments: [
        Duration.milliseconds(16), .seconds(1) / 60, .seconds(1) / 144, .seconds(1001) / 30_000,
        .microseconds(1),
    ])
    func `frames come at exact multiples of the period`(period: Duration) throws {
        let (loop, time) = try virtualLoop()
        let origin = Instant.milliseconds(3)
        var frames: [Frame] = []
        let source = loop.frames(every: period, from: origin) { frame in
            #expect(time.now == frame.start)
            frames.append(frame)
            if frames.count == 1000 { loop.stop() }
        }
        try loop.run()
        for (number, frame) in frames.enumerated() {
            let due = origin.advanced(by: period * number)
            #expect(frame.number == number)
            #expect(frame.due == due)
            #expect(frame.start == due)
            #expect(frame.end == origin.advanced(by: period * (number + 1)))
            #expect(frame.missed == 0)
        }
        #expect(loop.statistics.frames == 1000)
        source.cancel()
    }

    @Test func `a rhythm that begins now has missed nothing, on a clock that goes by itself too`()
        throws
    {
        let loop = try MainLoop()
        defer { loop.close() }
        var first: Frame?
        let source = loop.frames(every: .seconds(1000)) { frame in
            first = frame
            loop.stop()
        }
        try loop.run()
        #expect(first?.number == 0)
        #expect(first?.missed == 0)
        source.cancel()
    }

    /// What a source shows, as text: number, due, start, missed; times in milliseconds.
    private func text(_ frame: Frame) -> String {
        let (due, start) = (frame.due.nanoseconds, frame.start.nanoseconds)
        return "\(frame.number): \(due / 1_000_000) \(start / 1_000_000) -\(frame.missed)"
    }

    @Test func `beats that are past have no frame and are counted`() throws {
        let (loop, time) = try virtualLoop()
        var log: [String] = []
        let source = loop.frames(every: .milliseconds(10)) { frame in
            log.append(text(frame))
            if frame.number == 2 { time.charge(.milliseconds(25)) }
        }
        loop.schedule(at: .milliseconds(61)) { time.charge(.milliseconds(25)) }
        try loop.run(until: .milliseconds(100))
        // The third takes until 45; what runs from 61 to 86 makes the seventh beat miss its turn.
        #expect(
            log == [
                "0: 0 0 -0", "1: 10 10 -0", "2: 20 20 -0", "5: 50 50 -2", "6: 60 60 -0",
                "8: 80 86 -1", "9: 90 90 -0", "10: 100 100 -0",
            ])
        source.cancel()
    }

    @Test func `a callback that takes almost a period misses nothing`() throws {
        let (loop, time) = try virtualLoop()
        var log: [String] = []
        let source = loop.frames(every: .milliseconds(10)) { frame in
            log.append(text(frame))
            time.charge(.nanoseconds(9_999_999))
            if frame.number == 3 { loop.stop() }
        }
        try loop.run()
        #expect(log == ["0: 0 0 -0", "1: 10 10 -0", "2: 20 20 -0", "3: 30 30 -0"])
        source.cancel()
    }

    @Test func `a frame may come at the end of time, for which no timer waits`() throws {
        let end = Instant.distantFuture
        let time = VirtualTime(start: end - .milliseconds(50))
        let loop = try MainLoop(clock: .virtual(time))
        defer { loop.close() }
        loop.schedule(at: end - .milliseconds(45)) { time.charge(.seconds(1)) }
        loop.schedule(at: end) { Issue.record("the end of time has come") }
        var starts: [Instant] = []
        let source = loop.frames(every: .milliseconds(16), from: end - .milliseconds(40)) {
            starts.append($0.start)
        }
        try loop.run()
        #expect(starts == [end])
        source.cancel()
    }

    @Test func `a pause costs nothing, and the rhythm is the same afterwards`() throws {
        let (loop, time) = try virtualLoop()
        var log: [String] = []
        let source = loop.frames(every: .milliseconds(10), from: .milliseconds(5)) { frame in
            log.append(text(frame))
        }
        loop.schedule(at: .milliseconds(17)) {
            source.pause()
            source.pause()
            #expect(!source.isActive)
        }
        try loop.run()
        // Nothing is armed: on virtual time the run ends where the pause began.
        #expect(time.now == .milliseconds(17))
        #expect(log == ["0: 5 5 -0", "1: 15 15 -0"])
        loop.schedule(at: .milliseconds(48)) {
            source.resume()
            source.resume()
        }
        try loop.run(until: .milliseconds(60))
        #expect(log.dropFirst(2) == ["5: 55 55 -3"])
        source.cancel()
        source.resume()
        try loop.run()
        #expect(time.now == .milliseconds(60))
        #expect(log.count == 3)
    }

    @Test func `a beat is shown once, though its source is resumed at that moment`() throws {
        let (loop, _) = try virtualLoop()
        var log: [String] = []
        var source: FrameSource?
        source = loop.frames(every: .milliseconds(10)) { frame in
            log.append(text(frame))
            source?.pause()
            if log.count < 4 { source?.resume() }
        }
        try loop.run()
        source?.resume()
        try loop.run()
        #expect(
            log == ["0: 0 0 -0", "1: 10 10 -0", "2: 20 20 -0", "3: 30 30 -0", "4: 40 40 -0"])
        source?.cancel()
    }

    @Test func `a source that is let go or cancelled in its frame shows no other`() throws {
        let (loop, time) = try virtualLoop()
        var shown = 0
        var source: FrameSource? = loop.frames(every: .milliseconds(10)) { _ in shown += 1 }
        loop.schedule(at: .milliseconds(25)) { source = nil }
        try loop.run()
        #expect(shown == 3)
        #expect(time.now == .milliseconds(25))
        source = loop.frames(every: .milliseconds(10)) { _ in
            shown += 1
            source?.cancel()
        }
        try loop.run()
        #expect(shown == 4)
        #expect(source?.isActive == false)
    }

    @Test func `frames of two sources keep each their own rhythm`() throws {
        let (loop, _) = try virtualLoop()
        var log = ""
        let sources = [
            loop.frames(every: .milliseconds(4), from: .milliseconds(4)) { _ in log += "a" },
            loop.frames(every: .milliseconds(6), from: .milliseconds(6)) { _ in log += "b" },
        ]
        try loop.run(until: .milliseconds(24))
        // 4 6 8 12 12 16 18 20 24 24; of equal moments the one armed first, which is the slower.
        #expect(log == "abab" + "aaba" + "ba")
        for source in sources { source.cancel() }
    }

    // MARK: - Tolerance

    @Test func `a frame may be as late as its handler's expected cost allows`() throws {
        let (loop, time) = try virtualLoop()
        let costs: [Duration] = [.milliseconds(2), .milliseconds(3), .milliseconds(40)]
        var tolerances: [Duration] = []
        let source = loop.frames(every: .milliseconds(10)) { frame in
            time.charge(costs[min(frame.number, 2)])
        }
        #expect(source.tolerance == .zero)
        for _ in 0..<3 {
            loop.schedule(after: .milliseconds(9)) {
                tolerances.append(source.tolerance)
                loop.stop()
            }
            try loop.run()
        }
        // The mean and two and a half deviations: 2 and 0; 2.5 and half of it; more than the period.
        #expect(tolerances == [.milliseconds(8), .microseconds(4375), .zero])
        source.cancel()
        let given = loop.frames(every: .milliseconds(10), tolerance: .milliseconds(3)) { _ in }
        #expect(given.tolerance == .milliseconds(3))
        given.cancel()
    }

    // MARK: - The host's

    /// A host that draws at some times, and expects the next frame 10 ms later.
    private final class Display {
        let loop: MainLoop
        let time: VirtualTime
        let queue: IdleQueue<Int>
        private let pipe = NonblockingPipe()
        private(set) var delays: [Duration] = []

        init(at moments: [Int]) throws {
            (loop, time) = try virtualLoop()
            queue = IdleQueue(on: loop)
            var left = moments
            try loop.watch(pipe.reading, for: .readable) { [unowned self] _ in
                pipe.drain()
                delays.append(Instant.milliseconds(left.removeFirst()).duration(to: time.now))
                loop.expectFrame(at: time.now.advanced(by: .milliseconds(10)))
            }
            for moment in moments { time.at(.milliseconds(moment)) { [pipe] in pipe.put() } }
        }
    }

    @Test func `lulls end, and jobs are held back, before the frame that a host expects`() throws {
        let display = try Display(at: [10, 20, 30])
        var dues: [Instant] = []
        display.loop.beforeIdle { slot in
            dues.append(slot.due)
            return .nothing
        }
        var start: Instant?
        display.loop.schedule(at: .milliseconds(17)) {
            display.queue.submit(1, cost: .milliseconds(4)) { slot in
                start = slot.now
                display.time.charge(.milliseconds(4))
                return .done
            }
        }
        try display.loop.run()
        #expect(start == .milliseconds(20))
        #expect(dues.contains(.milliseconds(20)))
        #expect(dues.contains(.milliseconds(30)))
        #expect(display.queue.statistics.overruns == 0)
        #expect(display.delays == [.zero, .zero, .zero])
    }

    @Test func `a frame that doesn't come is expected no more`() throws {
        let display = try Display(at: [10])
        var log: [Instant] = []
        display.loop.schedule(at: .milliseconds(17)) {
            for key in 0..<3 {
                display.queue.submit(key, cost: .milliseconds(7)) { slot in
                    log.append(slot.now)
                    display.time.charge(.milliseconds(7))
                    return .done
                }
            }
        }
        try display.loop.run()
        // Held back until the frame should have begun, then all three at once.
        let lapse = Instant.milliseconds(20).advanced(by: .nanoseconds(1))
        #expect(log == (0..<3).map { lapse.advanced(by: .milliseconds(7 * $0)) })
        // Slept until the frame, the timer and the lapse; after that there is nothing to wait for.
        #expect(display.loop.statistics.sleeps == 3)
        #expect(display.time.now == lapse.advanced(by: .milliseconds(21)))
        let before = display.loop.statistics.turns
        try display.loop.run()
        #expect(display.loop.statistics.turns == before + 1)
    }

    @Test func `slices go on while a host's frame is late`() throws {
        let display = try Display(at: [10, 25])
        var slices: [Duration] = []
        display.loop.schedule(at: .milliseconds(19)) {
            display.queue.submit(1) { slot in
                let slice = slot.now.duration(to: slot.sliceEnd)
                slices.append(slice)
                display.time.charge(max(.zero, slice))
                return slices.count < 5 ? .again : .done
            }
        }
        try display.loop.run()
        // Until it's due, then as if there were none; the frame waits for one slice.
        #expect(
            slices == [
                .milliseconds(1), .milliseconds(2), .milliseconds(2), .milliseconds(2),
                .milliseconds(2),
            ])
        #expect(display.delays == [.zero, .milliseconds(1)])
    }
}
