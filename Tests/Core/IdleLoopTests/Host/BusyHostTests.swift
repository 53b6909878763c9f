import CLullLibevent
import IdleLoop
import TestSupport
import Testing

/// Loops on a base whose host is never idle.
struct BusyHostTests {
    /// A host with a descriptor that is always ready.
    private func busyHost(
        _ kind: HostKind, calls limit: Int = 10_000_000
    ) -> (host: HostBase, event: HostEvent) {
        let host = HostBase(kind)
        let pipe = NonblockingPipe()
        var calls = 0
        let event = HostEvent(on: host, pipe.writing, EV_WRITE | EV_PERSIST) { _ in
            calls += 1
            if calls == limit { host.breakLoop() }
            withExtendedLifetime(pipe) {}
        }
        return (host, event)
    }

    @Test(arguments: HostKind.allCases.filter(\.tellsBusy))
    func `a host that is never idle has no job run`(kind: HostKind) throws {
        let (host, event) = busyHost(kind, calls: 300)
        let guest = try Guest(on: host)
        defer { guest.close() }
        for key in 0..<100 { guest.submit(key) }
        host.run()
        #expect(guest.ran.isEmpty)
        #expect(guest.loop.statistics.idlePasses == 0)
        // Where the host has priorities, it doesn't even ask.
        #expect(
            guest.loop.statistics.busyPasses >= ([.libevent, .uv, .poll].contains(kind) ? 299 : 0))
        event.remove()
        #expect(host.run() == 1)
        #expect(guest.ran == Array(0..<100))
    }

    @Test(arguments: HostKind.allCases.filter(\.tellsBusy))
    func `a host that is never idle has jobs run that were put off for too long`(
        kind: HostKind
    ) throws {
        let (host, event) = busyHost(kind)
        let guest = try Guest(on: host) {
            $0.maxDeferral = .microseconds(300)
            $0.batch = .zero
        }
        defer { guest.close() }
        guest.submit(1)
        guest.queue.submit(2) { slot in
            let didTimeout = slot.didTimeout
            #expect(!didTimeout)
            guest.ran.append(2)
            host.breakLoop()
            return .done
        }
        guest.submit(3)
        host.run()
        #expect(guest.ran == [1, 2])
        #expect(guest.queue.statistics.timedOut == 2)
        withExtendedLifetime(event) {}
    }

    @Test(arguments: HostKind.allCases.filter(\.tellsBusy))
    func `a host that is never idle has jobs run that are past their timeout`(
        kind: HostKind
    ) throws {
        let (host, event) = busyHost(kind)
        let guest = try Guest(on: host)
        defer { guest.close() }
        guest.submit(1)
        guest.submit(2, timeout: .microseconds(200))
        guest.queue.submit(3, timeout: .microseconds(300)) { slot in
            let didTimeout = slot.didTimeout
            #expect(didTimeout)
            guest.ran.append(3)
            host.breakLoop()
            return .done
        }
        host.run()
        #expect(guest.ran == [2, 3])
        #expect(guest.queue.statistics.timedOut == 2)
        withExtendedLifetime(event) {}
    }
}
