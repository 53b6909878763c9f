import IdleLoop
import TestSupport
import Testing

/// Callbacks that run their host's loop, as a dialog does: on GLib, whose loop allows it.
struct NestedRunTests {
    /// A guest on GLib, and what happened on it, in order.
    private final class World {
        let guest: Guest
        let pipe = NonblockingPipe()
        var log: [String] = []
        /// The note for which a callback runs the host's loop inside itself.
        private var awaited = ""

        init() throws {
            guest = try Guest(on: HostBase(.glib))
            guest.loop.schedule(after: .seconds(3600)) {}  // a host without anything ends
        }

        func note(_ text: String) { log.append(text) }

        /// Runs GLib's loop, as a main loop inside a callback would, until this was noted.
        func run(until text: String) {
            var passes = 0
            while !log.contains(text), passes < 1000 {
                passes += 1
                guest.host.loop(.once)
            }
            #expect(passes < 1000, "it waits for what comes, and comes")
        }

        /// Starts one of each on the loop: a timer, a watch, a post, a task and a job.
        func startAll() throws {
            let loop = guest.loop
            loop.schedule(after: .milliseconds(1)) { self.note("timer") }
            let pipe = NonblockingPipe()
            pipe.put()
            try loop.watch(pipe.reading, for: .readable) { _ in
                pipe.drain()
                self.note("read")
            }
            loop.inbox.post { [port = loop.port { self.note($0) }] _ in port.send("post") }
            let world = self
            loop.task {
                try await loop.taskClock.sleep(for: .milliseconds(1))
                world.note("task")
            }
            guest.queue.submit(7) { _ in
                self.note("job")
                return .done
            }
            loop.task { world.note("lull \(await loop.idle().isOver)") }
        }

        static let all = ["job", "lull false", "post", "read", "task", "timer"]
    }

    @Test(arguments: ["timer", "repeating timer", "watch", "post"])
    func `all of the loop's goes on while a callback runs the host's loop`(_ place: String) throws {
        let world = try World()
        let loop = world.guest.loop
        defer { world.guest.close() }
        var hasRun = false
        func runNested() {
            guard !hasRun else { return }
            hasRun = true
            world.note("begin")
            loop.schedule(after: .milliseconds(20)) { world.note("over") }
            #expect(throws: Never.self) { try world.startAll() }
            world.run(until: "over")
            for text in World.all { world.run(until: text) }
            world.note("end")
        }
        var token: (() -> Void)?
        switch place {
        case "timer": loop.schedule(after: .zero, runNested)
        case "repeating timer":
            let timer = loop.schedule(after: .zero, every: .milliseconds(1), runNested)
            token = { _ = timer.cancel() }
        case "watch":
            world.pipe.put()
            try loop.watch(world.pipe.reading, for: .readable) { _ in
                runNested()
                world.pipe.drain()
            }
        default: loop.port { (_: Int) in runNested() }.send(1)
        }
        world.run(until: "end")
        token?()
        let nested = world.log.drop { $0 != "begin" }.prefix { $0 != "end" }
        #expect(Set(nested).isSuperset(of: World.all))
        #expect(world.log.count(where: { $0 == "begin" }) == 1)
    }

    @Test
    func `a handler isn't called inside itself, and a descriptor that stays ready costs nothing`()
        throws
    {
        let world = try World()
        let loop = world.guest.loop
        defer { world.guest.close() }
        var depth = 0
        var calls = 0
        world.pipe.put()
        try loop.watch(world.pipe.reading, for: .readable) { _ in
            depth += 1
            defer { depth -= 1 }
            #expect(depth == 1)
            calls += 1
            guard calls == 1 else {
                world.pipe.drain()
                return
            }
            loop.schedule(after: .milliseconds(30)) { world.note("over") }
            let polls = loop.statistics.polls
            world.run(until: "over")
            #expect(loop.statistics.polls - polls < 20)
            world.note("end")
        }
        world.run(until: "end")
        while calls < 2 { world.guest.host.loop(.once) }
    }

    @Test func `while a task runs it other tasks wait, and all else goes on`() throws {
        let world = try World()
        let loop = world.guest.loop
        defer { world.guest.close() }
        loop.task {
            world.note("begin")
            try world.startAll()
            for text in ["timer", "read", "post", "job"] { world.run(until: text) }
            world.note("end")
        }
        for text in ["end"] + World.all { world.run(until: text) }
        #expect(world.log.drop { $0 != "end" }.contains("task"))
        #expect(world.log.drop { $0 != "end" }.contains("lull false"))
    }

    @Test func `while a job runs it other jobs wait, without a spin, and all else goes on`() throws
    {
        let world = try World()
        let loop = world.guest.loop
        defer { world.guest.close() }
        world.guest.queue.submit(1) { _ in
            #expect(throws: Never.self) { try world.startAll() }
            world.guest.queue.submit(9, timeout: .milliseconds(1)) { _ in
                world.note("late")
                return .done
            }
            loop.schedule(after: .milliseconds(30)) { world.note("over") }
            let polls = loop.statistics.polls
            for text in ["over", "timer", "read", "post", "task"] { world.run(until: text) }
            #expect(loop.statistics.polls - polls < 40)
            world.note("end")
            return .done
        }
        for text in ["end", "late"] + World.all { world.run(until: text) }
        let after = world.log.drop { $0 != "end" }
        #expect(after.contains("job") && after.contains("late"))
        #expect(after.contains("lull false"))
    }

    @Test func `the loop is closed inside a nested run`() throws {
        let world = try World()
        let loop = world.guest.loop
        world.pipe.put()
        try loop.watch(world.pipe.reading, for: .readable) { _ in
            loop.schedule(after: .zero) {
                world.guest.close()
                world.note("closed")
            }
            world.run(until: "closed")
            world.note("end")
        }
        try world.startAll()
        world.run(until: "end")
        for _ in 0..<10 { world.guest.host.loop(.nonblockingOnce) }
        #expect(world.log.last == "end")
    }
}
