import CLullLibevent
import IdleLoop
import TestSupport
import Testing

/// A budget for outsiders: what others post keeps nobody waiting, however much it is.
struct PostBudgetTests {
    /// What came in which order: posts by their numbers, and what was ready all the while.
    private enum Event: Equatable {
        case post(Int)
        case ready
    }

    /// How many posts came before each event of another kind.
    private func runs(of events: [Event]) -> [Int] {
        events.split(separator: .ready, omittingEmptySubsequences: false).map(\.count)
    }

    /// Posts a thousand numbers, each of which takes its time, beside a descriptor that is always
    /// ready, and checks that they keep their order.
    private func events(taking cost: @escaping (Int) -> Duration) throws -> [Event] {
        let (loop, time) = try virtualLoop()
        defer { loop.close() }
        let pipe = NonblockingPipe()
        pipe.put()
        var events: [Event] = []
        try loop.watch(pipe.reading, for: .readable) { _ in events.append(.ready) }
        let port = loop.port(of: Int.self) { number in
            events.append(.post(number))
            time.charge(cost(number))
            if number == 999 { loop.stop() }
        }
        for number in 0..<1000 { port.send(number) }
        try loop.run()
        #expect(events.filter { $0 != .ready } == (0..<1000).map { .post($0) })
        return events
    }

    @Test func `what is ready waits for 50 µs of posts, which keep their order`() throws {
        let events = try events { _ in .microseconds(10) }
        #expect(runs(of: events).max() == 5)
    }

    @Test func `one long post is one piece, and tiny ones go on`() throws {
        let events = try events { $0 % 100 == 0 ? .milliseconds(3) : .zero }
        #expect(runs(of: events).filter { $0 > 0 } == [1] + Array(repeating: 100, count: 9) + [99])
    }

    @Test func `what is posted meanwhile comes after all that waits`() throws {
        let (loop, time) = try virtualLoop()
        defer { loop.close() }
        var log: [Int] = []
        var port: InboxPort<Int>?
        port = loop.port { number in
            log.append(number)
            time.charge(.microseconds(30))
            if number < 10 { port?.send(number + 10) }
        }
        for number in 0..<10 { port?.send(number) }
        try loop.run()
        #expect(log == Array(0..<20))
        #expect(loop.statistics.sleeps == 0)
    }

    @Test func `a timer is late by 50 µs of posts`() throws {
        let (loop, time) = try virtualLoop()
        defer { loop.close() }
        let port = loop.port(of: Int.self) { _ in time.charge(.microseconds(10)) }
        var fired: Instant?
        loop.schedule(at: .microseconds(1)) { fired = time.now }
        for number in 0..<1000 { port.send(number) }
        try loop.run()
        #expect(fired == .microseconds(50))
        #expect(time.now == .milliseconds(10))
    }

    @Test func `stopped, the loop goes on with the rest in its next run`() throws {
        let (loop, time) = try virtualLoop()
        defer { loop.close() }
        var log: [Int] = []
        let port = loop.port(of: Int.self) { number in
            log.append(number)
            time.charge(.milliseconds(1))
            loop.stop()
        }
        for number in 0..<3 { port.send(number) }
        try loop.run()
        port.send(3)
        #expect(log == [0])
        for _ in 0..<3 { try loop.run() }
        #expect(log == [0, 1, 2, 3])
    }

    @Test(arguments: HostKind.allCases)
    func `a host's events have their turn, and its dispatch goes on to the last post`(
        kind: HostKind
    ) throws {
        let host = HostBase(kind)
        let loop = try host.adopt()
        defer { loop.close() }
        let pipe = NonblockingPipe()
        pipe.put()
        var events: [Event] = []
        let ready = HostEvent(on: host, pipe.reading, EV_READ | EV_PERSIST) { _ in
            events.append(.ready)
        }
        let port = loop.port(of: Int.self) { number in
            events.append(.post(number))
            // Each has its 50 µs.
            let end = loop.clock.now.advanced(by: .microseconds(50))
            while loop.clock.now < end {}
            if number == 10 { ready.remove() }
        }
        for number in 0..<20 { port.send(number) }
        host.run()
        #expect(events.filter { $0 != .ready } == (0..<20).map { .post($0) })
        #expect(runs(of: Array(events.prefix { $0 != .post(10) })).max() == 1)
    }

    @Test func `what waits when the loop is closed is let go of`() throws {
        let (loop, time) = try virtualLoop()
        let live = LiveObjects()
        let port = loop.port(of: Int.self) { [object = live.make()] _ in
            _ = object
            time.charge(.milliseconds(1))
            loop.stop()
        }
        var posted: [Weak] = []
        for number in 0..<10 {
            port.send(number)
            let object = Held()
            posted.append(Weak(object: object))
            loop.inbox.post { _ in _ = object }
        }
        try loop.run()
        #expect(posted.count { $0.object != nil } == 10)
        loop.close()
        #expect(live.count == 0)
        #expect(posted.count { $0.object != nil } == 0)
    }

    /// An object that any thread may hold.
    private final class Held: Sendable {}

    private struct Weak {
        weak var object: Held?
    }
}
