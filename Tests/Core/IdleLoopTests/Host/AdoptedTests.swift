import CLullLibevent
import IdleLoop
import TestSupport
import Testing

/// Loops on a base that somebody else dispatches.
struct AdoptedTests {
    /// A loop as a host may have made it, and how it runs.
    struct Setting: CustomTestStringConvertible {
        let kind: HostKind
        let hasLocks: Bool
        let way: HostBase.Way

        static let all = HostKind.allCases.flatMap { kind in
            (kind.isLibevent ? [false, true] : [false]).flatMap { hasLocks in
                HostBase.Way.allCases.map { Setting(kind: kind, hasLocks: hasLocks, way: $0) }
            }
        }

        var testDescription: String { "\(way), \(kind)\(hasLocks ? ", locks" : "")" }

        func makeBase() -> HostBase { HostBase(kind, hasLocks: hasLocks) }
    }

    @Test(arguments: Setting.all)
    func `what a job makes ready is served before the next job`(setting: Setting) throws {
        let host = setting.makeBase()
        let guest = try Guest(on: host)
        defer { guest.close() }
        let (theirs, ours) = (NonblockingPipe(), NonblockingPipe())
        var log: [Set<String>] = []
        let event = HostEvent(on: host, theirs.reading, EV_READ | EV_PERSIST) { event in
            theirs.drain()
            log[log.count - 1].insert("theirs")
            if log.count == 200 { event.remove() }
        }
        var watch: Watch?
        watch = try guest.loop.watch(ours.reading, for: .readable) { _ in
            ours.drain()
            log[log.count - 1].insert("ours")
            if log.count == 200 { watch?.cancel() }
        }
        for job in 0..<200 {
            guest.queue.submit(job) { _ in
                theirs.put()
                ours.put()
                log.append(["job \(job)"])
                return .done
            }
        }
        // Nothing is armed when all is done, so that it ends by itself.
        #expect(host.run(setting.way) == 1)
        #expect(log == (0..<200).map { ["job \($0)", "theirs", "ours"] })
        let before = guest.loop.statistics
        for _ in 0..<10 { #expect(host.run(setting.way) == 1) }
        #expect(guest.loop.statistics == before)
        #expect(host.pending == 0)
        withExtendedLifetime(event) {}
    }

    // MARK: - The host's clock

    /// Works until the base's clock, which ticks every few milliseconds, has ticked.
    private func work(until host: HostBase) {
        var (first, time) = (timespec(), timespec())
        unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &first)
        repeat {
            unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        } while time.tv_nsec
            == first.tv_nsec
    }

    @Test(arguments: [true, false])
    func `after a long job the host knows what time it is`(isIdle: Bool) throws {
        let host = HostBase()
        let guest = try Guest(on: host)
        defer { guest.close() }
        let pipe = NonblockingPipe()
        var before: Int?
        var after: Int?
        // Runs right after the callback that the job runs in, without a poll between.
        let next = HostEvent(on: host) { _ in
            after = host.cachedTime
            host.breakLoop()
        }
        // Keeps the host from being idle, so that the job runs by its timeout.
        let busy = isIdle ? nil : HostEvent(on: host, pipe.writing, EV_WRITE | EV_PERSIST) { _ in }
        guest.queue.submit(1, timeout: isIdle ? nil : .microseconds(1)) { slot in
            let didTimeout = slot.didTimeout
            #expect(didTimeout != isIdle)
            before = host.cachedTime
            work(until: host)
            next.activate()
            return .done
        }
        host.run()
        #expect(try #require(after) > #require(before))
        withExtendedLifetime(busy) {}
    }

    // MARK: - Break and exit

    @Test(arguments: Setting.all)
    func `a break or exit loses nothing`(setting: Setting) throws {
        let host = setting.makeBase()
        let guest = try Guest(on: host)
        defer { guest.close() }
        for key in 0..<5 { guest.submit(key) }
        host.breakLoop()  // libevent forgets a break between two calls
        #expect(host.run(setting.way) == 1)
        #expect(guest.ran == Array(0..<5))

        guest.ran = []
        for key in 0..<5 { guest.submit(key) }
        host.exitLoop()
        #expect(host.run(setting.way) == 0)
        #expect(guest.ran.count < 5)
        #expect(host.run(setting.way) == 1)
        #expect(guest.ran == Array(0..<5))
    }

    @Test(arguments: Setting.all)
    func `a break or exit in a job ends the host's loop after it`(setting: Setting) throws {
        let host = setting.makeBase()
        let guest = try Guest(on: host)
        defer { guest.close() }
        for key in 0..<6 {
            guest.queue.submit(key) { _ in
                guest.ran.append(key)
                if key % 2 == 0 { host.breakLoop() } else { host.exitLoop() }
                return .done
            }
        }
        var seen: [Int] = []
        while guest.ran.count < 6, seen.count < 100 {
            let result = host.run(setting.way)
            #expect(result == 0 || guest.ran.count == 6)
            seen.append(guest.ran.count)
        }
        // A break counts at once; an exit is a timer, beside which one more job may run.
        #expect(guest.ran == Array(0..<6))
        #expect(seen.count >= 3)
        #expect(seen[0] == 1)
        #expect(guest.queue.statistics.done == 6)
        host.run(setting.way)
        #expect(host.run(setting.way) == 1)
    }

    // MARK: - Timers

    @Test(arguments: Setting.all)
    func `timers keep the host's loop from ending and fire in order`(setting: Setting) throws {
        let host = setting.makeBase()
        let guest = try Guest(on: host)
        defer { guest.close() }
        var fired: [Int] = []
        let now = guest.loop.clock.now
        for index in [3, 1, 2, 0] {
            guest.loop.schedule(at: now.advanced(by: .microseconds(200 * index))) {
                fired.append(index)
                guest.submit(index)
            }
        }
        let never = guest.loop.schedule(after: .seconds(1000)) { fired.append(-1) }
        guest.loop.schedule(at: now.advanced(by: .milliseconds(1))) { never.cancel() }
        #expect(host.run(setting.way) == 1)
        #expect(fired == [0, 1, 2, 3])
        #expect(guest.ran == [0, 1, 2, 3])
        #expect(guest.loop.statistics.timersFired == 5)
        #expect(host.pending == 0)
    }

    @Test(arguments: HostKind.allCases)
    func `a single pass that waits returns once the loop's own has run`(kind: HostKind) throws {
        let guest = try Guest(on: HostBase(kind))
        defer { guest.close() }
        #expect(guest.host.run() == 1)
        let other = HostEvent(on: guest.host) { _ in Issue.record("a pass went on waiting") }
        other.add(after: 20_000_000)
        defer { other.remove() }
        var calls = 0
        guest.loop.port { calls += $0 }.send(1)
        while calls < 1 { guest.host.loop(.once) }
        guest.loop.schedule(after: .microseconds(1)) { calls += 1 }
        while calls < 2 { guest.host.loop(.once) }
    }

    // MARK: - Idle, seen from outside

    @Test(arguments: HostKind.allCases)
    func `observers are told of an idle pass after a poke, and of its end`(kind: HostKind) throws {
        let guest = try Guest(on: HostBase(kind))
        defer { guest.close() }
        var log: [String] = []
        guest.loop.observe(.beforeIdle) { _ in log.append("idle") }
        guest.loop.observe(.afterIdle) { _ in log.append("woke") }
        #expect(guest.host.run() == 1)
        #expect(log == ["idle"])
        #expect(guest.host.run() == 1)
        #expect(log == ["idle"])
        guest.loop.poke()
        guest.loop.poke()
        #expect(guest.host.run() == 1)
        #expect(log == ["idle", "woke", "idle"])
        guest.loop.schedule(after: .zero) { log.append("timer") }
        #expect(guest.host.run() == 1)
        #expect(log == ["idle", "woke", "idle", "woke", "timer", "idle"])
        #expect(guest.loop.statistics.sleeps == 3)
    }

    @Test(arguments: HostKind.allCases)
    func `jobs rest in another mode and go on by themselves`(kind: HostKind) throws {
        let host = HostBase(kind)
        let guest = try Guest(on: host) { $0.modes = .default }
        defer { guest.close() }
        guest.loop.mode = .tracking
        for key in 0..<3 { guest.submit(key) }
        let lifted = HostEvent(on: host) { _ in
            #expect(guest.ran.isEmpty)
            guest.loop.mode = .default
        }
        // Not before the loop has found that there's nothing to do in this mode.
        let waiting = HostEvent(on: host) { event in
            if guest.loop.statistics.idlePasses < 2 {
                guest.loop.poke()
                event.add(after: 200)
            } else if host.pending == 0 {
                lifted.add(after: 0)
            } else {
                event.add(after: 200)
            }
        }
        waiting.add(after: 0)
        #expect(host.run() == 1)
        #expect(guest.ran == [0, 1, 2])
    }
}
