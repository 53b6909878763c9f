import IdleLoop
import TestSupport
import Testing

struct ObserverTests {
    @Test func `observers are told of entry, lulls, waking and exit, in their order`() throws {
        let (loop, _) = try virtualLoop()
        var log: [String] = []
        let names: [(Activity, String)] = [
            (.entry, "entry"), (.beforeIdle, "idle"), (.afterIdle, "woke"), (.exit, "exit"),
        ]
        func name(_ activity: Activity) -> String {
            names.first { $0.0 == activity }?.1 ?? "?"
        }
        for (activity, _) in names {
            loop.observe(activity, order: 2) { log.append("b \(name($0))") }
            loop.observe(activity, order: 1) { log.append("a \(name($0))") }
        }
        loop.schedule(at: .milliseconds(1)) { log.append("timer") }
        try loop.run(until: .milliseconds(1))
        #expect(
            log == [
                "a entry", "b entry", "a idle", "b idle", "a woke", "b woke", "timer", "a exit",
                "b exit",
            ])
    }

    @Test func `waking is told before what woke the loop is dispatched`() throws {
        let loop = try MainLoop()
        defer { loop.close() }
        let pipe = NonblockingPipe()
        var log: [String] = []
        loop.observe(.afterIdle) { _ in log.append("woke") }
        loop.observe(.beforeIdle, repeats: false) { _ in loop.schedule(after: .zero) { pipe.put() }
        }
        try loop.watch(pipe.reading, for: .readable) { _ in
            log.append("read")
            loop.stop()
        }
        try loop.run()
        #expect(log == ["woke", "read"])
    }

    @Test func `several who work before idle take turns, one between two polls`() throws {
        let (loop, _) = try virtualLoop()
        var log = ""
        for name in ["a", "b", "c"] {
            var left = 3
            loop.beforeIdle { _ in
                guard left > 0 else { return .nothing }
                left -= 1
                log += name
                return .worked
            }
        }
        try loop.run()
        #expect(log == "abcabcabc")
    }

    @Test func `a lull ends at the next timer, and after 50 ms at the latest`() throws {
        let (loop, time) = try virtualLoop()
        var remaining: [Duration] = []
        loop.beforeIdle { slot in
            remaining.append(slot.timeRemaining)
            #expect(slot.start == time.now)
            return .nothing
        }
        loop.schedule(at: .milliseconds(20)) {}
        loop.schedule(at: .milliseconds(200)) {}
        try loop.run()
        #expect(remaining == [.milliseconds(20), .milliseconds(50), .milliseconds(50)])
    }
}
