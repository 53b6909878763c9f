import IdleLoop
import TestSupport
import Testing

struct TimerTests {
    @Test func `equal deadlines fire in the order they were armed`() throws {
        let (loop, _) = try virtualLoop()
        var fired: [Int] = []
        for index in 0..<100 { loop.schedule(at: .milliseconds(5)) { fired.append(index) } }
        try loop.run()
        #expect(fired == Array(0..<100))
    }

    @Test func `a timer armed for the past comes after all that is due, and after a poll`() throws {
        let (loop, time) = try virtualLoop()
        defer { loop.close() }
        let pipe = NonblockingPipe()
        var log: [String] = []
        try loop.watch(pipe.reading, for: .readable) { _ in
            pipe.drain()
            log.append("read")
        }
        loop.schedule(at: .milliseconds(1)) {
            log.append("first")
            time.charge(.milliseconds(9))
            loop.schedule(at: .zero) { log.append("armed for the past") }
            pipe.put()
        }
        loop.schedule(at: .milliseconds(1)) { log.append("second") }
        try loop.run()
        #expect(log == ["first", "second", "read", "armed for the past"])
    }

    @Test func `a timer that rearms itself for now doesn't starve a descriptor`() throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let pipe = NonblockingPipe()
        var rounds = 0
        try loop.watch(pipe.reading, for: .readable) { _ in loop.stop() }
        func again() {
            rounds += 1
            if rounds == 10 { pipe.put() }
            loop.schedule(at: .zero, again)
        }
        again()
        try loop.run()
        #expect(rounds == 11)
    }

    @Test func `a cancelled timer doesn't fire, and is cancelled once`() throws {
        let (loop, _) = try virtualLoop()
        var fired: [String] = []
        let first = loop.schedule(at: .milliseconds(1)) { fired.append("first") }
        let second = loop.schedule(at: .milliseconds(2)) { fired.append("second") }
        #expect(first.cancel())
        #expect(!first.cancel())
        // The slot is used again; the old name doesn't reach the new timer.
        loop.schedule(at: .milliseconds(3)) { fired.append("third") }
        #expect(!first.cancel())
        try loop.run()
        #expect(fired == ["second", "third"])
        #expect(!second.cancel())
    }

    @Test func `a repeating timer keeps its rhythm and skips what it missed`() throws {
        let (loop, time) = try virtualLoop()
        defer { loop.close() }
        var beats: [Int64] = []
        let timer = loop.schedule(at: .milliseconds(10), every: .milliseconds(10)) {
            beats.append(time.now.nanoseconds / 1_000_000)
            if beats.count == 2 { time.charge(.milliseconds(25)) }
        }
        loop.schedule(at: .milliseconds(75)) { timer.cancel() }
        try loop.run()
        // The third is due at 30 and late by the long callback; 40 is skipped, 50 is in time.
        #expect(beats == [10, 20, 45, 50, 60, 70])
    }

    @Test func `a timer is late by the length of a job, not more`() throws {
        let (loop, time) = try virtualLoop()
        let queue = IdleQueue<Int>(on: loop)
        var lateness: Duration?
        loop.schedule(at: .milliseconds(10)) {
            lateness = Instant.milliseconds(10).duration(to: time.now)
        }
        queue.submit(1) { _ in
            time.charge(.milliseconds(6))
            return .done
        }
        queue.submit(2) { _ in
            time.charge(.milliseconds(6))
            return .done
        }
        try loop.run()
        #expect(lateness == .milliseconds(2))
    }

    @Test func `on the machine's clock timers fire in order`() throws {
        let loop = try MainLoop()
        defer { loop.close() }
        var fired: [Int] = []
        let start = loop.clock.now
        for index in [3, 1, 2, 0] {
            loop.schedule(at: start.advanced(by: .microseconds(300 * index))) {
                fired.append(index)
            }
        }
        loop.schedule(at: start.advanced(by: .milliseconds(2))) { loop.stop() }
        try loop.run()
        #expect(fired == [0, 1, 2, 3])
    }

    @Test(arguments: seeds(0..<50))
    func `timers agree with a sorted list`(seed: UInt64) throws {
        let (loop, _) = try virtualLoop()
        var random = SplitMix64(seed: seed)
        var armed: [(deadline: Int, index: Int, id: LoopTimer)] = []
        var fired: [Int] = []
        for index in 0..<200 {
            let deadline = Int.random(in: 0..<50, using: &random)
            let id = loop.schedule(at: .milliseconds(deadline)) { fired.append(index) }
            armed.append((deadline, index, id))
            if index % 3 == 0, let victim = armed.indices.randomElement(using: &random) {
                #expect(armed[victim].id.cancel())
                armed.remove(at: victim)
            }
        }
        try loop.run()
        let expected = armed.sorted { ($0.deadline, $0.index) < ($1.deadline, $1.index) }
        #expect(fired == expected.map(\.index))
    }

    @Test func `what cancels a timer keeps no loop alive, and may be used when that is gone`()
        throws
    {
        var loop: MainLoop? = try MainLoop(clock: .virtual(VirtualTime()))
        weak let gone = loop
        let timers = [nil, Duration.milliseconds(1)].compactMap { period in
            loop?.schedule(at: .milliseconds(1), every: period) {}
        }
        loop = nil
        #expect(gone == nil)
        for timer in timers { #expect(!timer.cancel()) }
    }

    // MARK: - Far away

    private static let moments = [
        Instant(nanoseconds: .min), Instant(nanoseconds: -1), .zero, .milliseconds(1),
        .distantFuture,
    ]
    private static let spans: [Duration] = [
        .nanoseconds(1), .milliseconds(1), .nanoseconds(Int64.max), .seconds(Int64.max),
        .seconds(Int64.max) * 18,
    ]

    @Test(arguments: moments, spans)
    func `a timer may be as far away, and repeat as seldom, as can be said`(
        moment: Instant, span: Duration
    ) throws {
        for start in Self.moments {
            let time = VirtualTime(start: start)
            let loop = try MainLoop(clock: .virtual(time))
            defer { loop.close() }
            var beats = 0
            loop.schedule(at: moment, every: span, tolerance: span) {
                beats += 1
                if beats == 3 { loop.stop() }
            }
            loop.schedule(at: start, every: .nanoseconds(Int64.max)) {}
            let queue = IdleQueue<Int>(on: loop)
            for key in 0..<3 {
                queue.submit(key, cost: span, timeout: span) { slot in
                    _ = (slot.timeRemaining, slot.due, slot.isOver)
                    return .done
                }
            }
            #expect(queue.hasRoom(for: .normal, cost: span))
            loop.schedule(after: span) { time.charge(span) }
            loop.schedule(after: .zero - span) {}
            try loop.run()
            #expect(start == .distantFuture || queue.isEmpty)
            queue.shutDown(within: span)
        }
    }

    @Test func `one in the far past that hardly repeats fires once, and keeps its rhythm`() throws {
        let (loop, time) = try virtualLoop()
        defer { loop.close() }
        var beats: [Instant] = []
        let period = Int64.max / 4
        loop.schedule(at: Instant(nanoseconds: -5), every: .nanoseconds(period)) {
            beats.append(time.now)
            if beats.count == 3 { loop.stop() }
        }
        try loop.run()
        #expect(beats.map(\.nanoseconds) == [0, period - 5, 2 * period - 5])
    }

    @Test(arguments: moments, spans)
    func `a rhythm of frames may begin whenever, and have any period`(
        start: Instant, period: Duration
    ) throws {
        for now in Self.moments {
            let time = VirtualTime(start: now)
            let loop = try MainLoop(clock: .virtual(time))
            defer { loop.close() }
            var frames: FrameSource?
            defer { frames?.cancel() }
            let period = max(period, .microseconds(1))
            var shown: [Frame] = []
            frames = loop.frames(every: period, from: start, tolerance: period) { frame in
                shown.append(frame)
                if shown.count == 3 { loop.stop() }
            }
            try loop.run()
            for frame in shown { #expect(frame.due <= frame.start) }
        }
    }

    @Test func `moments and spans saturate, and are exact where they needn't`() {
        let (past, future) = (Instant(nanoseconds: .min), Instant.distantFuture)
        #expect(past.advanced(by: past.duration(to: future)) == future)
        #expect(future.advanced(by: future.duration(to: past)) == past)
        #expect(future.advanced(by: .seconds(Int64.max) * 18) == future)
        #expect(past.advanced(by: .seconds(Int64.min) * 18) == past)
        #expect(Duration.seconds(Int64.max).wholeNanoseconds == .max)
        #expect(Duration.seconds(Int64.min).wholeNanoseconds == .min)
        #expect((Duration.nanoseconds(-3) / 2).wholeNanoseconds == -1)
        #expect(Duration.nanoseconds(Int64.min).wholeNanoseconds == .min)
    }
}
