import IdleLoop
import TestSupport
import Testing

struct TimerTests {
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

    @Test func `a timer for a moment at which one has fired before fires too`() throws {
        let loop = try MainLoop()
        defer { loop.close() }
        let pipe = NonblockingPipe()
        pipe.put()
        var rounds = 0
        try loop.watch(pipe.reading, for: .readable) { _ in
            rounds += 1
            if rounds == 10_000 { loop.stop() }  // it would never fire
        }
        let moment = loop.clock.now
        for _ in 0..<2 {
            var hasFired = false
            loop.schedule(at: moment) {
                hasFired = true
                loop.stop()
            }
            try loop.run()
            #expect(hasFired)
        }
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

    // MARK: - Far away

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
