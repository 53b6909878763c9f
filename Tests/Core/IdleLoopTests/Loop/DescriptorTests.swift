import CLullLibevent
import Foundation
import IdleLoop
import TestSupport
import Testing

/// How descriptors are told of: edges, early ends, and many of them.
struct DescriptorTests {
    /// Two sockets that are connected, closed with their owner.
    private final class Sockets {
        let mine: Int32
        let theirs: Int32

        init() {
            var ends: [Int32] = [0, 0]
            let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue)
            precondition(unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0, "sockets can be made")
            mine = ends[0]
            theirs = ends[1]
        }

        deinit {
            close(mine)
            close(theirs)
        }

        func theyWrite(_ text: String) {
            _ = unsafe text.withCString { unsafe write(theirs, $0, text.utf8.count) }
        }

        func theyEnd() {
            shutdown(theirs, Int32(SHUT_WR))
        }

        func read() -> String {
            var bytes = [UInt8](repeating: 0, count: 100)
            let count = unsafe Glibc.read(mine, &bytes, bytes.count)
            return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }
    }

    @Test(arguments: ["/dev/null", "/dev/zero", "/etc/passwd", "/"])
    func `what is always ready isn't watched`(_ path: String) throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let descriptor = unsafe open(path, O_RDONLY)
        defer { close(descriptor) }
        #expect(throws: LoopError.notPollable(descriptor)) {
            try loop.watch(descriptor, for: .readable) { _ in }
        }
    }

    @Test func `a number that stands for another file is watched anew, and the old watch ends`()
        throws
    {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let second = NonblockingPipe()
        var ends: [Int32] = [0, 0]
        precondition(unsafe pipe(&ends) == 0, "a pipe can be made")
        let number = ends[0]
        defer { for end in ends { close(end) } }
        var log: [String] = []
        let old = try loop.watch(number, for: .readable) { _ in log.append("old") }
        #expect(dup2(second.reading, number) == number)  // closes the first
        let new = try loop.watch(number, for: .readable) { _ in
            second.drain()
            log.append("new")
        }
        #expect(!old.isActive && new.isActive)
        second.put()
        try loop.run()
        #expect(log == ["new"])
        new.cancel()
    }

    @Test func `of files that can't be told apart both watches go on`() throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let number = eventfd(0, Int32(EFD_NONBLOCK))
        var log: [String] = []
        let old = try loop.watch(number, for: .readable) { _ in log.append("old") }
        let other = eventfd(1, Int32(EFD_NONBLOCK))
        #expect(dup2(other, number) == number)  // closes the first
        defer { for descriptor in [other, number] { close(descriptor) } }
        try loop.watch(number, for: .readable) { _ in
            var count: eventfd_t = 0
            _ = unsafe eventfd_read(number, &count)
            log.append("new")
        }
        try loop.run()
        #expect(log.contains("new"))
        old.cancel()
    }

    @Test func `two watches of one descriptor are both called`() throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let sockets = Sockets()
        var log: [String] = []
        let reader = try loop.watch(sockets.mine, for: .readable) { _ in
            log.append(sockets.read())
        }
        var writer: Watch?
        writer = try loop.watch(sockets.mine, for: .writable) { _ in
            log.append("writable")
            writer?.cancel()
        }
        sockets.theyWrite("text")
        try loop.run()
        #expect(log.sorted() == ["text", "writable"] && reader.isActive)
    }

    @Test func `a descriptor that stays ready is told in each pass`() throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let pipe = NonblockingPipe()
        var calls = 0
        try loop.watch(pipe.reading, for: .readable) { _ in
            calls += 1
            if calls == 10 { loop.stop() }
        }
        pipe.put()
        try loop.run()
        #expect(calls == 10 && loop.statistics.polls == 10)
    }

    @Test func `an early end is told before what came is read`() throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let sockets = Sockets()
        var seen: [Watch.Readiness] = []
        let watch = try loop.watch(sockets.mine, for: .closed) { readiness in
            seen.append(readiness)
            loop.stop()
        }
        sockets.theyWrite("last words")
        try loop.run()
        #expect(seen.isEmpty)
        sockets.theyEnd()
        try loop.run()
        #expect(seen == [.closed])
        #expect(sockets.read() == "last words")
        try loop.run()  // as any level, again as long as it is so
        #expect(seen == [.closed, .closed])
        watch.cancel()
        try loop.run()
        #expect(seen.count == 2)
    }

    @Test func `an end can be waited for together with what comes`() throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let sockets = Sockets()
        var seen: [Watch.Readiness] = []
        let watch = try loop.watch(sockets.mine, for: [.readable, .closed]) { readiness in
            seen.append(readiness)
            if readiness.contains(.closed) { loop.stop() } else { _ = sockets.read() }
        }
        sockets.theyWrite("words")
        try loop.run()
        sockets.theyEnd()
        try loop.run()
        #expect(seen == [.readable, [.readable, .closed]])
        watch.cancel()
    }

    @Test func `of a thousand descriptors the ready ones are told of`() async {
        await #expect(processExitsWith: .success) {
            var limit = rlimit()
            unsafe getrlimit(Int32(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 4096))
            unsafe setrlimit(Int32(RLIMIT_NOFILE.rawValue), &limit)
            let (loop, _) = try virtualLoop()
            let bells = (0..<1000).map { _ in eventfd(0, Int32(EFD_NONBLOCK)) }
            var told: Set<Int> = []
            for (index, eventFD) in bells.enumerated() {
                try loop.watch(eventFD, for: .readable) { _ in
                    var count: eventfd_t = 0
                    unsafe eventfd_read(eventFD, &count)
                    #expect(told.insert(index).inserted)
                }
            }
            let ringing = Set(stride(from: 3, to: 1000, by: 7))
            for index in ringing { eventfd_write(bells[index], 1) }
            try loop.run()
            #expect(told == ringing)
            #expect(loop.statistics.dispatched == ringing.count)
            told = []
            for eventFD in bells { eventfd_write(eventFD, 1) }
            try loop.run()
            #expect(told.count == 1000)
            loop.close()
        }
    }
}
