import Glibc
import TestSupport
import Testing

@testable import IdleLoop

/// A folder that stands in for the kernel's files.
private final class FakeRoot {
    let path: String
    private var made: [String] = []

    init(_ files: [String: String] = [:]) {
        path = makeTemporaryFolder("pressure")
        for (name, text) in files { put(text, in: name) }
    }

    deinit {
        for name in ["pipe", "socket"] { unsafe unlink("\(path)/\(name)") }
        for made in made.reversed() { _ = unsafe remove(made) }
        unsafe rmdir(path)
    }

    func put(_ text: String, in name: String) {
        var folder = path
        for part in name.split(separator: "/").dropLast() {
            folder += "/\(part)"
            if unsafe mkdir(folder, 0o700) == 0 { made.append(folder) }
        }
        if unsafe access("\(path)/\(name)", F_OK) != 0 { made.append("\(path)/\(name)") }
        let file = unsafe fopen("\(path)/\(name)", "w")!
        unsafe fputs(text, file)
        unsafe fclose(file)
    }

    func text(of name: String) -> String? { fileText("\(path)/\(name)") }

    var configuration: MemoryPressureConfiguration {
        var configuration = MemoryPressureConfiguration()
        configuration.watch = nil
        configuration.write = nil
        configuration.root = path
        return configuration
    }
}

private func figures(_ share: Double, total: Int = 0) -> String {
    "some avg10=\(share) avg60=0.00 avg300=0.00 total=\(total)\n"
        + "full avg10=99.00 avg60=0.00 avg300=0.00 total=0\n"
}

struct MemoryPressureTests {
    @Test func `the own control group is asked before the machine`() throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let root = FakeRoot([
            "proc/self/cgroup": "4:memory:/old\n0::/user.slice/app:1.scope\n",
            "sys/fs/cgroup/user.slice/app:1.scope/memory.pressure": figures(0),
            "proc/pressure/memory": figures(0),
        ])
        let own = "\(root.path)/sys/fs/cgroup/user.slice/app:1.scope/memory.pressure"
        let pressure = MemoryPressure(on: loop, configuration: root.configuration) {}
        #expect(pressure.source == .controlGroup(own))
        #expect(pressure.isPolled)
        unsafe unlink(own)
        let other = MemoryPressure(on: loop, configuration: root.configuration) {}
        #expect(other.source == .machine("\(root.path)/proc/pressure/memory"))
    }

    @Test(arguments: ["", "full avg10=1", "some avg60=3", "some avg10=x", "\u{0}"])
    func `what says no figures is no source`(text: String) throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let root = FakeRoot(["proc/pressure/memory": text])
        let pressure = MemoryPressure(on: loop, configuration: root.configuration) {}
        #expect(pressure.source == .none)
        pressure.isNeeded = true
        try loop.run()
        #expect(loop.statistics.timersFired == 0)
    }

    @Test func `figures are read only while there is something to give back`() throws {
        let (loop, time) = try virtualLoop()
        defer { loop.close() }
        let root = FakeRoot(["proc/pressure/memory": figures(3)])
        var times: [Int64] = []
        let pressure = MemoryPressure(on: loop, configuration: root.configuration) {
            times.append(time.now.nanoseconds / 1_000_000_000)
        }
        try loop.run()
        #expect(loop.statistics.timersFired == 0 && loop.statistics.sleeps == 0)
        loop.schedule(at: .milliseconds(5000)) { pressure.isNeeded = true }
        loop.schedule(at: .milliseconds(20_000)) {
            root.put(figures(10), in: "proc/pressure/memory")
        }
        loop.schedule(at: .milliseconds(40_000)) {
            root.put(figures(9.9), in: "proc/pressure/memory")
        }
        loop.schedule(at: .milliseconds(60_000)) { pressure.isNeeded = false }
        try loop.run()
        #expect(times == [25, 35])
        #expect(pressure.events == 2)
        // Four of the test's, and those at 15, 25, 35, 45 and 55 s.
        #expect(loop.statistics.timersFired == 9)
        #expect(root.text(of: "proc/pressure/memory") == figures(9.9))
    }

    @Test func `a service's pipe tells, is emptied, and lets the loop sleep in between`() throws {
        let loop = try MainLoop()
        defer { loop.close() }
        let root = FakeRoot()
        let path = "\(root.path)/pipe"
        #expect(unsafe mkfifo(path, 0o600) == 0)
        var configuration = root.configuration
        configuration.watch = path
        configuration.write = "c29tZSAyMDAwMDAgMjAwMDAwMAA="
        var events = 0
        var wanted = 1
        let pressure = MemoryPressure(on: loop, configuration: configuration) {
            events += 1
            if events == wanted { loop.stop() }
        }
        #expect(pressure.source == .service(path))
        #expect(!pressure.isPolled)
        for round in 1...3 {
            let writer = unsafe open(path, O_WRONLY | O_NONBLOCK)
            #expect(unsafe write(writer, "pressure", 8) == 8)
            close(writer)  // which is no end, and no event
            wanted = round
            try loop.run()
        }
        #expect(events == 3)
        let before = loop.statistics.dispatched
        loop.schedule(after: .milliseconds(20)) { loop.stop() }
        try loop.run()
        #expect(loop.statistics.dispatched - before <= 1)  // the timerfd
        withExtendedLifetime(pressure) {}
    }

    @Test func `a service's socket is greeted as is said, and its end is no event again`() throws {
        let loop = try MainLoop()
        defer { loop.close() }
        let root = FakeRoot()
        let path = "\(root.path)/socket"
        let server = try Server(path)
        var configuration = root.configuration
        configuration.watch = path
        configuration.write = "aGVsbG8="
        let pressure = MemoryPressure(on: loop, configuration: configuration) { loop.stop() }
        #expect(pressure.source == .service(path))
        #expect(server.accept() == "hello")
        server.send("x")
        try loop.run()
        #expect(pressure.events == 1)
        server.closeConnection()
        try loop.run()
        #expect(pressure.events == 2)
        let before = loop.statistics.dispatched
        loop.schedule(after: .milliseconds(5)) { loop.stop() }
        try loop.run()
        #expect(loop.statistics.dispatched - before <= 1)
    }

    @Test func `a service that isn't there leaves it to the kernel, and nobody's file is written`()
        throws
    {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let root = FakeRoot(["proc/pressure/memory": figures(0), "file": "mine"])
        for name in ["nothing", "file", "proc"] {
            var configuration = root.configuration
            configuration.watch = "\(root.path)/\(name)"
            let pressure = MemoryPressure(on: loop, configuration: configuration) {}
            #expect(pressure.source == .machine("\(root.path)/proc/pressure/memory"))
        }
        #expect(root.text(of: "file") == "mine")
        var configuration = root.configuration
        configuration.watch = "/dev/null"
        #expect(MemoryPressure(on: loop, configuration: configuration) {}.source == .off)
    }

    @Test func `the kernel's own file is watched without a wake-up`() throws {
        let loop = try MainLoop()
        defer { loop.close() }
        var configuration = MemoryPressureConfiguration()
        configuration.watch = nil
        let pressure = MemoryPressure(on: loop, configuration: configuration) {}
        pressure.isNeeded = true
        loop.schedule(after: .milliseconds(20)) { loop.stop() }
        try loop.run()
        // The timerfd and its timer; what the kernel tells without pressure is no work.
        #expect(loop.work <= 2 + pressure.events)
        #expect(loop.statistics.turns < 10 + pressure.events)
    }

    @Test func `a trigger without a moment in which a task stood still is no pressure`() throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let name = "proc/pressure/memory"
        let root = FakeRoot([name: figures(50, total: 7)])
        let pressure = MemoryPressure(on: loop, configuration: root.configuration) {}
        for (total, events) in [(7, 0), (7, 0), (8, 1), (8, 1), (900, 2)] {
            root.put(figures(50, total: total), in: name)
            pressure.triggered()
            #expect(pressure.events == events)
        }
        #expect(loop.work == -3)  // those that were none, which a watch would have counted
    }

    @Test func `cancelled, it closes its file and lets go of what it was to call`() throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let root = FakeRoot(["proc/pressure/memory": figures(90)])
        let live = LiveObjects()
        var pressure: MemoryPressure?
        pressure = .init(on: loop, configuration: root.configuration) { [object = live.make()] in
            pressure?.cancel()
            pressure?.cancel()
            #expect(live.count == 1)
            _ = object
        }
        pressure?.isNeeded = true
        try loop.run()
        #expect(pressure?.events == 1)
        #expect(live.count == 0)
        #expect(openDescriptors(of: "\(root.path)/proc/pressure/memory") == 0)
        pressure?.isNeeded = false
        pressure?.isNeeded = true
        try loop.run()
        #expect(loop.clock.now == .milliseconds(10_000))
    }

    @Test func `of what is sent, as much is read at once as a pipe holds`() throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let root = FakeRoot()
        let path = "\(root.path)/pipe"
        #expect(unsafe mkfifo(path, 0o600) == 0)
        var configuration = root.configuration
        configuration.watch = path
        let pressure = MemoryPressure(on: loop, configuration: configuration) {}
        let writer = unsafe open(path, O_WRONLY | O_NONBLOCK)
        defer { close(writer) }
        let setPipeSize: Int32 = 1031  // which the module for C has not
        #expect(fcntl(writer, setPipeSize, 1 << 18) >= 1 << 18)
        let bytes = [UInt8](repeating: 1, count: 1 << 18)
        #expect(unsafe write(writer, bytes, bytes.count) == bytes.count)
        try loop.run()
        #expect(pressure.events == 4)
    }
}

/// The other end of a socket under a path.
private final class Server {
    struct Trouble: Error {}
    private let listener: Int32
    private var connection: Int32 = -1

    init(_ path: String) throws {
        listener = socket(AF_UNIX, 1 /* a stream */, 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) {
            unsafe $0.copyBytes(from: path.utf8)
        }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isBound = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(listener, address, length) == 0
            }
        }
        guard isBound, listen(listener, 4) == 0 else { throw Trouble() }
    }

    deinit {
        close(listener)
        closeConnection()
    }

    /// Takes the connection that is there, and says what came by it.
    func accept() -> String {
        connection = Glibc.accept(listener, nil, nil)
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = unsafe read(connection, &bytes, bytes.count)
        return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    }

    func send(_ text: String) {
        _ = unsafe write(connection, text, text.utf8.count)
    }

    func closeConnection() {
        if connection >= 0 { close(connection) }
        connection = -1
    }
}
