import CLullLibevent
import Foundation
import IdleLoop
import TestSupport
import Testing

/// An adopted loop beside libevent 2.2, which tells when a base is about to sleep.
///
/// The library that stands in for it is opened in processes of their own, or every other test would
/// find it too.
struct PrepareTests {
    /// What the stand-in can be told, apart from what the loop calls.
    struct StandIn {
        private let prepareFunction: @convention(c) (Int) -> Int32
        private let countFunction: @convention(c) () -> Int32
        private let freedFunction: @convention(c) () -> Int32

        init() throws {
            let folder = Command.project.appending(path: "Tests/Support/CPrepareStandIn").path
            let path = FileManager.default.temporaryDirectory
                .appending(path: "lull-stand-in-\(ProcessInfo.processInfo.processIdentifier).so")
                .path
            let compiler = try Command([
                "/usr/bin/env", "clang", "-shared", "-fPIC", "-I", folder + "/include", "-o", path,
                folder + "/stand-in.c",
            ])
            try #require(compiler.status == 0, "\(compiler.errors)")
            defer { unsafe unlink(path) }
            let library = unsafe try #require(unsafe dlopen(path, RTLD_NOW | RTLD_GLOBAL))
            let prepare = unsafe try #require(unsafe dlsym(library, "lull_prepare"))
            let count = unsafe try #require(unsafe dlsym(library, "lull_prepare_count"))
            let freed = unsafe try #require(unsafe dlsym(library, "lull_prepare_freed_inside"))
            freedFunction = unsafe unsafeBitCast(
                freed, to: (@convention(c) () -> Int32).self)
            prepareFunction = unsafe unsafeBitCast(
                prepare, to: (@convention(c) (Int) -> Int32).self)
            countFunction = unsafe unsafeBitCast(
                count, to: (@convention(c) () -> Int32).self)
        }

        /// Has the host be about to sleep; false if nobody wants to know.
        @discardableResult
        func prepare(microseconds: Int = -1) -> Bool { prepareFunction(microseconds) != 0 }

        var watches: Int32 { countFunction() }

        /// How many were freed inside their own call.
        var freedInside: Int32 { freedFunction() }
    }

    @Test(arguments: [false, true])
    func `a loop that is closed or let go of in it leaves with the next pass`(
        isLetGo: Bool
    ) async {
        await #expect(processExitsWith: .success) { [isLetGo] in
            let standIn = try StandIn()
            let host = HostBase()
            defer { withExtendedLifetime(host) {} }
            var loop: MainLoop? = try host.adopt()
            loop?.observe(.beforeIdle) { _ in
                let gone = loop
                loop = nil
                if !isLetGo { gone?.close() }
            }
            standIn.prepare()
            #expect(loop == nil)
            #expect(standIn.freedInside == 0)
            standIn.prepare()
            host.loop(.nonblockingOnce)
            #expect(standIn.watches == 0)
            #expect(standIn.freedInside == 0)
            #expect(host.all == 0)
        }
    }

    @Test func `observers are told of each sleep, and of its end`() async {
        await #expect(processExitsWith: .success) {
            let standIn = try StandIn()
            let host = HostBase()
            defer { withExtendedLifetime(host) {} }  // a base outlives its guests
            let loop = try host.adopt()
            var log: [String] = []
            loop.observe([.beforeIdle, .afterIdle]) {
                log.append($0 == .beforeIdle ? "idle" : "woke")
            }
            standIn.prepare(microseconds: 0)  // a poll
            #expect(log.isEmpty)
            standIn.prepare(microseconds: 1)
            #expect(log == ["idle"])
            standIn.prepare()
            standIn.prepare(microseconds: 3_000_000)
            #expect(log == ["idle", "woke", "idle", "woke", "idle"])
            #expect(loop.statistics.sleeps == 3)
            loop.close()
        }
    }

    @Test func `work that an observer makes keeps the host awake`() async {
        await #expect(processExitsWith: .success) {
            let standIn = try StandIn()
            let guest = try Guest()
            let pipe = NonblockingPipe()
            let holding = HostEvent(on: guest.host, pipe.reading, EV_READ) { _ in }
            // What the loop wanted so far is over.
            for _ in 0..<5 { guest.host.loop(.nonblockingOnce) }
            let pending = guest.host.pending
            guest.loop.observe(.afterIdle, repeats: false) { _ in }
            for _ in 0..<5 { guest.host.loop(.nonblockingOnce) }
            var isNew = true
            guest.loop.observe(.beforeIdle) { _ in
                if isNew { guest.submit(1) }
                isNew = false
            }
            isNew = false
            for _ in 0..<5 { guest.host.loop(.nonblockingOnce) }
            isNew = true
            let dispatched = guest.loop.statistics.dispatched
            standIn.prepare()
            #expect(guest.ran.isEmpty)
            for _ in 0..<5 { guest.host.loop(.nonblockingOnce) }
            #expect(guest.ran == [1])
            // As libevent had computed its wait, a descriptor has ended it.
            #expect(guest.loop.statistics.dispatched == dispatched + 1)
            #expect(guest.host.pending == pending)
            guest.close()
            withExtendedLifetime(holding) {}
        }
    }
}
