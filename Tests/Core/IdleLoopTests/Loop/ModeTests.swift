import IdleLoop
import Testing

/// Who is called in which mode.
struct ModeTests {
    /// Turns through lulls at 0, 1, 2, … ms, in tracking mode from 2 ms to 4 ms, and says what was
    /// called in the lull after which moment.
    private func log(
        _ set: (MainLoop, @escaping (String) -> Void) -> Void
    ) throws -> [String] {
        let (loop, time) = try virtualLoop()
        var log: [String] = []
        set(loop) { log.append("\($0)\(time.now.nanoseconds / 1_000_000)") }
        for moment in 1...5 {
            loop.schedule(at: .milliseconds(moment)) {
                if moment == 2 { loop.mode = .tracking }
                if moment == 4 { loop.mode = .default }
            }
        }
        try loop.run(until: .milliseconds(6))
        return log
    }

    @Test func `observers are called in their modes only`() throws {
        let log = try log { loop, note in
            loop.observe(.beforeIdle, modes: .default) { _ in note("d") }
            loop.observe(.beforeIdle, modes: .tracking) { _ in note("t") }
            loop.observe(.beforeIdle) { _ in note("a") }
        }
        #expect(
            log == ["d0", "a0", "d1", "a1", "t2", "a2", "t3", "a3", "d4", "a4", "d5", "a5"])
    }

    @Test func `waking, entry and exit have modes, too`() throws {
        let log = try log { loop, note in
            for activity in [Activity.entry, .exit] {
                loop.observe(activity, modes: .tracking) { _ in note("x") }
                loop.observe(activity, modes: .default) { _ in note("e") }
            }
            // Told before the timer that changes the mode.
            loop.observe(.afterIdle, modes: .tracking) { _ in note("w") }
        }
        #expect(log == ["e0", "w3", "w4", "e6"])
    }

    @Test func `an observer that doesn't repeat waits for its mode`() throws {
        let log = try log { loop, note in
            loop.observe(.beforeIdle, modes: .tracking, repeats: false) { _ in note("t") }
        }
        #expect(log == ["t2"])
    }

    @Test func `of several who work before idle each has its modes`() throws {
        let log = try log { loop, note in
            for (name, modes) in [("d", LoopMode.default), ("t", .tracking), ("a", .all)] {
                loop.beforeIdle(modes: modes) { _ in
                    note(name)
                    return .nothing
                }
            }
        }
        #expect(
            Set(log) == ["d0", "a0", "d1", "a1", "t2", "a2", "t3", "a3", "d4", "a4", "d5", "a5"])
        #expect(log.count == 12)
    }

    @Test func `a queue rests in another mode and goes on by itself`() throws {
        let (loop, time) = try virtualLoop()
        var configuration = QueueConfiguration()
        configuration.modes = .default
        let queue = IdleQueue<Int>(on: loop, configuration: configuration)
        var log: [Int64] = []
        loop.mode = .tracking
        for key in 0..<3 {
            queue.submit(key) { _ in
                time.charge(.milliseconds(1))
                log.append(time.now.nanoseconds / 1_000_000)
                if key == 1 { loop.mode = .tracking }
                return .done
            }
        }
        loop.schedule(at: .milliseconds(10)) { loop.mode = .default }
        loop.schedule(at: .milliseconds(20)) { loop.mode = .default }
        try loop.run()
        #expect(log == [11, 12, 21])
        // Slept until the first, till the second, and no more.
        #expect(loop.statistics.sleeps == 2)
    }

    @Test func `a job that is past its timeout runs in any mode, one put off only in its own`()
        throws
    {
        let (loop, time) = try virtualLoop()
        var configuration = QueueConfiguration()
        configuration.modes = .default
        configuration.maxDeferral = .milliseconds(3)
        let queue = IdleQueue<Int>(on: loop, configuration: configuration)
        var log: [String] = []
        loop.mode = .tracking
        queue.submit(1) { _ in
            log.append("1 at \(time.now.nanoseconds / 1_000_000)")
            return .done
        }
        queue.submit(2, timeout: .milliseconds(5)) { _ in
            log.append("2 at \(time.now.nanoseconds / 1_000_000)")
            return .done
        }
        loop.schedule(at: .milliseconds(50)) { loop.mode = .default }
        try loop.run()
        #expect(log == ["2 at 5", "1 at 50"])
    }
}
