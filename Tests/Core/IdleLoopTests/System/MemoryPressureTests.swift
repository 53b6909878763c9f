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

    var sources: PressureSources {
        var sources = PressureSources()
        sources.watch = nil
        sources.write = nil
        sources.root = path
        return sources
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
        let pressure = MemoryPressure(on: loop, sources: root.sources) {}
        #expect(pressure.path == own)
        #expect(pressure.isPolled)
        unsafe unlink(own)
        let other = MemoryPressure(on: loop, sources: root.sources) {}
        #expect(other.path == "\(root.path)/proc/pressure/memory")
    }

    @Test(arguments: ["", "full avg10=1", "some avg60=3", "some avg10=x", "\u{0}"])
    func `what says no figures is no source`(text: String) throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let root = FakeRoot(["proc/pressure/memory": text])
        let pressure = MemoryPressure(on: loop, sources: root.sources) {}
        #expect(pressure.path == nil)
        pressure.isNeeded = true
        try loop.run()
        #expect(loop.statistics.timersFired == 0)
    }

    @Test func `figures are read only while there is something to give back`() throws {
        let (loop, time) = try virtualLoop()
        defer { loop.close() }
        let root = FakeRoot(["proc/pressure/memory": figures(3)])
        var times: [Int64] = []
        let pressure = MemoryPressure(on: loop, sources: root.sources) {
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

    @Test func `a service that isn't there leaves it to the kernel, and nobody's file is written`()
        throws
    {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let root = FakeRoot(["proc/pressure/memory": figures(0), "file": "mine"])
        #expect(unsafe mkfifo("\(root.path)/pipe", 0o600) == 0)
        defer { unsafe unlink("\(root.path)/pipe") }
        for name in ["nothing", "file", "proc", "pipe"] {
            var sources = root.sources
            sources.watch = "\(root.path)/\(name)"
            let pressure = MemoryPressure(on: loop, sources: sources) {}
            #expect(pressure.path == "\(root.path)/proc/pressure/memory")
        }
        #expect(root.text(of: "file") == "mine")
        var sources = root.sources
        sources.watch = "/dev/null"
        #expect(MemoryPressure(on: loop, sources: sources) {}.path == nil)
    }

    @Test func `the kernel's own file is watched without a wake-up`() throws {
        let loop = try MainLoop()
        defer { loop.close() }
        var sources = PressureSources()
        sources.watch = nil
        let pressure = MemoryPressure(on: loop, sources: sources) {}
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
        let pressure = MemoryPressure(on: loop, sources: root.sources) {}
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
        pressure = .init(on: loop, sources: root.sources) { [object = live.make()] in
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
}
