import Foundation
import IdleLoop
import TestSupport
import Testing

/// Descriptors, signals, and what comes from other threads.
struct SourceTests {
    @Test func `a watch tells what a descriptor is ready for`() throws {
        let loop = try MainLoop()
        defer { loop.close() }
        let pipe = NonblockingPipe()
        var seen: [Watch.Readiness] = []
        let writable = try loop.watch(pipe.writing, for: .writable) { readiness in
            seen.append(readiness)
            pipe.put()
            loop.stop()
        }
        try loop.run()
        writable.cancel()
        try loop.watch(pipe.reading, for: [.readable, .writable]) { readiness in
            seen.append(readiness)
            loop.stop()
        }
        try loop.run()
        #expect(seen == [.writable, .readable])
    }

    @Test func `a cancelled watch isn't called, nor one that cancels itself a second time`() throws
    {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        let pipe = NonblockingPipe()
        var calls = 0
        var watch: Watch?
        watch = try loop.watch(pipe.reading, for: .readable) { _ in
            calls += 1
            watch?.cancel()
            watch?.cancel()
        }
        pipe.put()
        try loop.run()
        #expect(calls == 1)
        #expect(watch?.isActive == false)
    }

    @Test func `a signal is dispatched like any event`() throws {
        let loop = try MainLoop()
        defer { loop.close() }
        var signals = 0
        try loop.watch(signal: SIGUSR1) {
            signals += 1
            if signals == 2 { loop.stop() } else { kill(getpid(), SIGUSR1) }
        }
        kill(getpid(), SIGUSR1)
        try loop.run()
        #expect(signals == 2)
        #expect(throws: LoopError.badSignal(SIGKILL)) { try loop.watch(signal: SIGKILL) {} }
        #expect(throws: LoopError.badSignal(0)) { try loop.watch(signal: 0) {} }
    }

    @Test func `a storm of posts from eight threads arrives whole and in order`() throws {
        let loop = try MainLoop()
        defer { loop.close() }
        var last = [Int](repeating: -1, count: 8)
        var count = 0
        let port = loop.port(of: (thread: Int, number: Int).self) { message in
            #expect(message.number == last[message.thread] + 1)
            last[message.thread] = message.number
            count += 1
            if count == 8 * 2000 { loop.stop() }
        }
        for thread in 0..<8 {
            Thread.detachNewThread {
                for number in 0..<2000 { port.send((thread, number)) }
            }
        }
        try loop.run()
        #expect(last == Array(repeating: 1999, count: 8))
    }

    @Test func `a full inbox refuses, and so does one whose loop is gone`() throws {
        var loop: MainLoop? = try MainLoop(clock: .virtual(VirtualTime()), inboxCapacity: 2)
        let inbox = try #require(loop?.inbox)
        #expect(inbox.post { _ in })
        #expect(inbox.post { _ in })
        #expect(!inbox.post { _ in })
        try loop?.run()
        #expect(inbox.post { _ in })
        loop = nil
        #expect(!inbox.post { _ in })
    }

    @Test func `what was sent to a closed port is thrown away`() throws {
        let (loop, _) = try virtualLoop()
        var received: [Int] = []
        let port = loop.port(of: Int.self) { received.append($0) }
        port.send(1)
        try loop.run()
        port.send(2)
        loop.close(port)
        loop.close(port)
        let other = loop.port(of: Int.self) { received.append($0 + 100) }
        port.send(3)
        other.send(4)
        try loop.run()
        #expect(received == [1, 104])
    }

    @Test func `a loop leaves no descriptor behind`() throws {
        let before = openDescriptors()
        for _ in 0..<50 {
            let loop = try MainLoop()
            let pipe = NonblockingPipe()
            try loop.watch(pipe.reading, for: .readable) { _ in }
            loop.close()
        }
        // Other tests run beside this one and have some of their own open.
        #expect(openDescriptors() < before + 100)
    }

    private func openDescriptors() -> Int {
        (0..<4096).count { fcntl(Int32($0), F_GETFD) != -1 }
    }
}
