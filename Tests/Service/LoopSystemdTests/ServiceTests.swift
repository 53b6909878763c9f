import Glibc
import Testing

/// What a service does under its manager, seen from there.
struct ServiceTests {
    @Test func `it's ready, answers, gives memory back, reloads, and returns all jobs at its end`()
        throws
    {
        let manager = try StandInManager()
        let ready = try manager.wait(for: "READY")
        #expect(ready["STATUS"] == "1000 jobs wait, 262144 bytes are kept")
        #expect(try manager.answer() == "1000 jobs wait\n")
        manager.tellPressure()
        _ = try manager.wait(for: "STATUS", "gave back 262144 bytes, 0 are kept")
        manager.send(SIGHUP)
        #expect(try manager.wait(for: "RELOADING")["MONOTONIC_USEC"] != nil)
        _ = try manager.wait(for: "READY")
        _ = try manager.wait(for: "STATUS", "reloaded 1 times")
        manager.send(SIGTERM)
        _ = try manager.wait(for: "STOPPING")
        _ = try manager.wait(for: "STATUS", "returned 1000 jobs, 0 wait")
        #expect(manager.end() == 0)
        #expect(manager.output.hasSuffix("reloaded 1 times\nreturned 1000 jobs, 0 wait\n"))
    }

    @Test func `it feeds the watchdog, which ends it when a job hangs`() throws {
        let manager = try StandInManager()
        for _ in 1...4 { _ = try manager.wait(for: "WATCHDOG", "1") }
        manager.send(SIGUSR1)
        _ = try manager.wait(for: "STATUS", "a job hangs")
        #expect(manager.barkIfSilent())
        #expect(manager.end() == -SIGABRT)
    }
}
