import TestSupport
import Testing

/// The main actor on each kind of host, whose loop the main thread of a program runs.
struct MainActorHostTests {
    /// The kinds of hosts, by the program's names.
    static let hosts = ["own", "libevent", "glib", "sdEvent", "uv", "descriptor"] + nio

    #if NIO
    private static let nio = ["nio"]
    #else
    private static let nio: [String] = []
    #endif

    private func run(_ scene: String, on host: String) throws -> [String] {
        let command = try Command("host-program", [scene, host])
        #expect(command.errors == "")
        #expect(command.status == 0)
        return command.output.split(separator: "\n").map(String.init)
    }

    @Test(arguments: hosts)
    func `the loop runs what anybody asks of the main actor`(host: String) throws {
        #expect(
            try run("work", on: host) == [
                "a task from before", "a block from before", "a task from another thread",
                "a run of the main actor", "a block to wait for", "a block for later",
                "an operation of Foundation's", "a task after its sleep", "closed",
            ])
    }

    @Test(arguments: hosts)
    func `beside endless jobs it runs before the next slice`(host: String) throws {
        #expect(try run("busy", on: host) == ["60 ran, 0 after another slice"])
    }

    @Test(arguments: hosts)
    func `at rest nothing wakes the loop`(host: String) throws {
        let lines = try run("rest", on: host)
        // The timer that ends the rest is a poll or two.
        let counts = lines.compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
        #expect(lines.count == 3 && counts.count == 3)
        #expect(counts.allSatisfy { $0 <= 2 }, "\(lines)")
    }

    @Test(arguments: hosts)
    func `a closed loop runs nothing of it, and the next one what waits`(host: String) throws {
        #expect(
            try run("close", on: host) == ["the next loop", "a task after the next loop is there"])
    }

    @Test(arguments: [
        ("dispatch", "it serves the main actor"),
        (
            "other-executor",
            "the main actor is run by host_program.OtherMainExecutor, not by Dispatch's main queue"
        ),
        (
            "other-hook",
            "the main actor is run by swift_task_enqueueMainExecutor_hook, "
                + "not by Dispatch's main queue"
        ),
    ])
    func `where something else runs the main actor, this is an error`(
        scene: String, line: String
    ) throws {
        #expect(try run(scene, on: "own") == [line])
    }

    @Test(arguments: ["glib", "descriptor"])
    func `a task that runs the host's loop has the main actor to itself`(host: String) throws {
        let lines = try run("nested", on: host)
        #expect(lines.count == 3)
        let passes = lines.first?.split(separator: " ").compactMap { Int($0) }.first ?? .max
        #expect(passes <= 3, "it sleeps until the timer")
        #expect(lines.dropFirst() == ["another task", "the end"])
    }
}
