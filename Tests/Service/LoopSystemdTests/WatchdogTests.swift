import Glibc
import IdleLoop
import Testing

@testable import LoopSystemd

struct WatchdogTests {
    private let folder = ManagerFolder()
    private let manager: DatagramSocket
    private let notifier: ServiceNotifier
    private let time = VirtualTime()
    private let loop: MainLoop

    init() throws {
        manager = try DatagramSocket(folder.socket)
        notifier = try ServiceNotifier(socket: folder.socket)
        loop = try MainLoop(clock: .virtual(time))
    }

    private func second(_ number: Int64) -> Instant { Instant(nanoseconds: number * 1_000_000_000) }

    @Test func `it feeds at once and then each half period`() throws {
        defer { loop.close() }
        let watchdog = Watchdog(on: loop, notifier: notifier, period: .seconds(2))
        try loop.run(until: second(10))
        #expect(manager.receiveAll() == Array(repeating: "WATCHDOG=1\n", count: 11))
        watchdog.stop()
        #expect(!watchdog.isActive)
        try loop.run(until: second(20))
        #expect(manager.receiveAll() == [])
    }

    @Test func `who stood still for half a minute feeds once, and goes on in the rhythm`() throws {
        defer { loop.close() }
        let watchdog = Watchdog(on: loop, notifier: notifier, period: .seconds(2))
        var times: [Instant] = []
        watchdog.isHealthy = { [loop] in
            times.append(loop.clock.now)
            return true
        }
        loop.schedule(at: Instant(nanoseconds: 2_500_000_000)) { [time] in
            time.charge(.seconds(30))
        }
        try loop.run(until: second(34))
        let halves: [Int64] = [0, 2, 4, 65, 66, 68]
        #expect(times == halves.map { Instant(nanoseconds: $0 * 500_000_000) })
    }

    @Test func `a service that isn't well isn't fed`() throws {
        defer { loop.close() }
        let watchdog = Watchdog(on: loop, notifier: notifier, period: .seconds(2))
        var isWell = true
        watchdog.isHealthy = { isWell }
        loop.schedule(at: Instant(nanoseconds: 2_500_000_000)) { isWell = false }
        loop.schedule(at: Instant(nanoseconds: 5_500_000_000)) { isWell = true }
        try loop.run(until: second(8))
        #expect(manager.receiveAll().count == 6)
    }

    @Test func `a feed that can't be sent is told, and the next one tried`() throws {
        defer { loop.close() }
        let gone = try ServiceNotifier(socket: folder.path + "/nobody")
        let watchdog = Watchdog(on: loop, notifier: gone, period: .seconds(2))
        var failures: [SystemdError] = []
        watchdog.onFailure = { failures.append($0) }
        try loop.run(until: second(2))
        #expect(failures == [.gone, .gone, .gone])
    }

    @Test func `one that is let go of feeds no more`() throws {
        defer { loop.close() }
        var watchdog: Watchdog? = Watchdog(on: loop, notifier: notifier, period: .seconds(2))
        #expect(watchdog?.isActive == true)
        watchdog = nil
        try loop.run()
        #expect(loop.statistics.timersFired == 0)
        #expect(manager.receiveAll() == [])
    }

    @Test func `the environment says how often, and to whom`() throws {
        let me = "\(getpid())"
        #expect(try Watchdog.period(in: Variables([:])) == nil)
        #expect(try Watchdog.period(in: Variables(["WATCHDOG_USEC": ""])) == nil)
        let mine = ["WATCHDOG_USEC": "1500000", "WATCHDOG_PID": me]
        #expect(try Watchdog.period(in: Variables(mine)) == .milliseconds(1500))
        let anybodys = ["WATCHDOG_USEC": "3"]
        #expect(try Watchdog.period(in: Variables(anybodys)) == .microseconds(3))
        let others = ["WATCHDOG_USEC": "1500000", "WATCHDOG_PID": "1"]
        #expect(try Watchdog.period(in: Variables(others)) == nil)
    }

    @Test(arguments: ["0", "-1", "1.5", "abc", " 7", "+7", "18446744073709551615"])
    func `a period that makes no sense is told`(text: String) {
        #expect(throws: SystemdError.malformed(variable: "WATCHDOG_USEC", value: text)) {
            try Watchdog.period(in: Variables(["WATCHDOG_USEC": text]))
        }
        let variables = Variables(["WATCHDOG_USEC": "7", "WATCHDOG_PID": "me"])
        #expect(throws: SystemdError.malformed(variable: "WATCHDOG_PID", value: "me")) {
            try Watchdog.period(in: variables)
        }
    }
}
