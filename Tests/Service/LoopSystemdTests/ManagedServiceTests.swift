import IdleLoop
import Testing

@testable import LoopSystemd

struct ManagedServiceTests {
    private struct Mistake: Error {}

    private let folder = ManagerFolder()
    private let manager: DatagramSocket
    private let loop: MainLoop
    private let service: ManagedService

    init() throws {
        manager = try DatagramSocket(folder.socket)
        loop = try MainLoop(clock: .virtual(VirtualTime()))
        service = ManagedService(
            on: loop, notifier: try ServiceNotifier(socket: folder.socket),
            watchdogPeriod: .seconds(2))
    }

    /// Sends until the manager has no room.
    private func fill() throws -> Int {
        var sent = 0
        let other = try ServiceNotifier(socket: folder.socket)
        #expect(throws: SystemdError.full) {
            while sent < 100_000 {
                try other.notify(ServiceState("X", "1"))
                sent += 1
            }
        }
        return sent
    }

    @Test func `a life is told from start to end, and the watchdog ends with stopping`() throws {
        defer { loop.close() }
        try service.ready("serves")
        try service.reload {}
        try service.status("busy")
        #expect(throws: Mistake.self) { try service.reload { throw Mistake() } }
        try loop.run(until: Instant(nanoseconds: 1_000_000_000))
        try service.stopping()
        #expect(service.watchdog?.isActive == false)
        try loop.run()
        let told = manager.receiveAll().map { $0.prefix { $0 != "\n" } }
        #expect(
            told == [
                "READY=1", "RELOADING=1", "READY=1", "STATUS=busy", "RELOADING=1", "READY=1",
                "WATCHDOG=1", "WATCHDOG=1", "STOPPING=1",
            ])
    }

    @Test func `what there's no room for waits in order, and the last status counts`() throws {
        defer { loop.close() }
        service.watchdog?.stop()
        let sent = try fill()
        try service.reloading()
        try service.status("one")
        try service.ready()
        try service.status("two")
        try service.status("three")
        #expect(service.isBehind)
        try loop.run(until: Instant(nanoseconds: 1_000_000_000))
        #expect(service.isBehind)
        #expect(manager.receiveAll().count == sent)
        try service.stopping()
        #expect(manager.receiveAll() == [])
        try loop.run()
        #expect(!service.isBehind)
        let told = manager.receiveAll().map { $0.prefix { $0 != "\n" } }
        #expect(told == ["RELOADING=1", "READY=1", "STATUS=three", "STOPPING=1"])
        try service.status("at once")
        #expect(manager.receiveAll() == ["STATUS=at once\n"])
    }

    @Test func `a mistake is told at once, even when there's no room`() throws {
        defer { loop.close() }
        _ = try fill()
        try service.ready()
        #expect(throws: SystemdError.unsendable(field: "STATUS")) { try service.status("a\nb") }
    }

    @Test func `a manager that never reads costs no memory, and the oldest is given up`() throws {
        defer { loop.close() }
        service.watchdog?.stop()
        let sent = try fill()
        var failures: [SystemdError] = []
        service.onFailure = { failures.append($0) }
        for number in 1...66 { try service.tell(ServiceState("MAINPID", "\(number)")) }
        #expect(failures == [.full, .full])
        #expect(manager.receiveAll().count == sent)
        var told: [String] = []
        for second in 1...64 where service.isBehind {
            try loop.run(until: Instant(nanoseconds: Int64(second) * 1_000_000_000))
            told += manager.receiveAll()
        }
        #expect(told == (3...66).map { "MAINPID=\($0)\n" })
    }

    @Test func `who is told of trouble may tell the manager something`() throws {
        defer { loop.close() }
        service.watchdog?.stop()
        _ = try fill()
        var failures = 0
        service.onFailure = { [service] _ in
            failures += 1
            try? service.status("trouble \(failures)")
            try? service.tell(ServiceState("MAINPID", "0"))
        }
        for number in 1...65 { try service.tell(ServiceState("MAINPID", "\(number)")) }
        #expect(failures == 1)
        var told: [String] = []
        for second in 1...64 where service.isBehind {
            told += manager.receiveAll().filter { $0 != "X=1\n" }
            try loop.run(until: Instant(nanoseconds: Int64(second) * 1_000_000_000))
        }
        told += manager.receiveAll()
        // What it said itself pushed two more out, of which it wasn't told again.
        let numbers = (4...65).map { "MAINPID=\($0)\n" }
        #expect(told == numbers + ["STATUS=trouble 1\n", "MAINPID=0\n"])
        service.onFailure = nil
    }

    @Test func `a manager that is gone is told of once a message, whatever is said of it`() throws {
        defer { loop.close() }
        service.watchdog?.stop()
        let other = ManagerFolder()
        var manager: DatagramSocket? = try DatagramSocket(other.socket)
        let notifier = try ServiceNotifier(socket: other.socket)
        let service = ManagedService(on: loop, notifier: notifier, watchdogPeriod: nil)
        #expect(throws: SystemdError.full) { while true { try notifier.notify(.watchdog) } }
        var failures: [SystemdError] = []
        service.onFailure = { [unowned service] in
            failures.append($0)
            if failures.count < 10 { try? service.status("\(failures.count)") }
        }
        try service.status("first")
        try service.ready()
        try service.reloading()
        #expect(manager?.receive() != nil)
        manager = nil
        try loop.run()
        // The first line, READY, RELOADING, and the line that came for the one before.
        #expect(failures == [.gone, .gone, .gone, .gone])
        #expect(!service.isBehind)
    }

    @Test func `when the loop is closed, what there's no room for is told`() throws {
        _ = try fill()
        try service.ready()
        loop.close()
        #expect(throws: SystemdError.full) { try service.stopping() }
        #expect(manager.receive() != nil)
        try service.stopping()
    }
}
