import CLullLibevent
import CLull
import Glibc
import IdleLoop
import Testing

@testable import LullC

/// A budget for outsiders: what is posted in C keeps nobody waiting, however much it is.
struct PostTests {
    /// What posts are handed.
    private final class Log {
        let loop: MainLoop
        var calls = 0
        /// How many there had been when the host last called what is ready, and the most between.
        private(set) var callsAtReady = 0
        private(set) var most = 0

        func noteReady() {
            most = max(most, calls - callsAtReady)
            callsAtReady = calls
        }

        init(of host: CHost) throws {
            loop = unsafe try CLoop.named(host.loop).loop
        }

        /// Posts what takes a loop's whole 50 µs.
        func post(on host: CHost) -> lull_status {
            unsafe lull_post(
                host.loop,
                { _, context in
                    guard let context = unsafe context else { return }
                    let log = unsafe Unmanaged<Log>.fromOpaque(context).takeUnretainedValue()
                    log.calls += 1
                    let end = log.loop.clock.now.advanced(by: .microseconds(50))
                    while log.loop.clock.now < end {}
                }, Unmanaged.passUnretained(self).toOpaque())
        }
    }

    /// Has the host poll once, and call what is ready.
    private func poll(_ host: CHost) {
        let flags = EVLOOP_ONCE | EVLOOP_NONBLOCK | EVLOOP_NO_EXIT_ON_EMPTY
        unsafe event_base_loop(host.base, flags)
    }

    @Test func `the host polls after 50 µs of posts`() throws {
        let host = try CHost()
        let log = try Log(of: host)
        for _ in 0..<50 { #expect(log.post(on: host) == LULL_OK) }
        var ends: [Int32] = [0, 0]
        try #require(unsafe pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        // A pipe that may be written to is always ready.
        let ready = unsafe event_new(
            host.base, ends[1], Int16(EV_WRITE | EV_PERSIST),
            { _, _, context in
                guard let context = unsafe context else { return }
                unsafe Unmanaged<Log>.fromOpaque(context).takeUnretainedValue().noteReady()
            }, Unmanaged.passUnretained(log).toOpaque())
        unsafe event_add(ready, nil)
        for _ in 0..<100_000 where log.callsAtReady < 50 { poll(host) }
        unsafe event_free(ready)
        #expect(log.most == 1)
        #expect(log.calls == 50)
        for _ in 0..<3 { #expect(log.post(on: host) == LULL_OK) }
        host.close()
        #expect(log.calls == 53)
    }

    @Test func `a post is taken while the loop's inbox is full of others`() throws {
        let host = try CHost()
        let log = try Log(of: host)
        while log.loop.inbox.post({ _ in }) {}
        #expect(log.post(on: host) == LULL_OK)
        for _ in 0..<100_000 where log.calls == 0 { poll(host) }
        #expect(log.calls == 1)
        host.close()
    }
}
