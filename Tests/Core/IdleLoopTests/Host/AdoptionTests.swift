import CLullLibevent
import CLoopHelpers
import Foundation
import IdleLoop
import TestSupport
import Testing

/// Loops that come onto a host's base, and leave it.
struct AdoptionTests {
    @Test(arguments: [1, 2, 3, 5])
    func `a host may give its base priorities after the adoption`(priorities: Int32) throws {
        let host = HostBase()
        let guest = try Guest(on: host)
        defer { guest.close() }
        host.setPriorities(priorities)
        let pipe = NonblockingPipe()
        var reads = 0
        let event = HostEvent(on: host, pipe.reading, EV_READ | EV_PERSIST) { event in
            reads += pipe.drain()
            #expect(reads == guest.ran.count)
            if reads == 50 { event.remove() }
        }
        for key in 0..<50 {
            guest.queue.submit(key) { _ in
                pipe.put()
                guest.ran.append(key)
                return .done
            }
        }
        #expect(host.run() == 1)
        #expect(reads == 50)
        guest.loop.schedule(after: .microseconds(200)) { guest.submit(50) }
        #expect(host.run() == 1)
        #expect(guest.ran.count == 51)
        withExtendedLifetime(event) {}
    }

    @Test(arguments: [false, true])
    func `a host may have libevent lock its bases`(before: Bool) async {
        // For the whole process, and for good.
        await #expect(processExitsWith: .success) { [before] in
            if before { #expect(lull_use_locks() == 0) }
            let host = HostBase(.libevent2, hasLocks: true)
            let all = host.all  // one of libevent's own if it has locks
            let guest = try Guest(on: host)
            if !before { #expect(lull_use_locks() == 0) }
            let port = guest.loop.port { guest.submit($0) }
            let pipe = NonblockingPipe()
            var reads = 0
            let event = HostEvent(on: guest.host, pipe.reading, EV_READ | EV_PERSIST) { event in
                reads += pipe.drain()
                event.remove()
            }
            Thread.detachNewThread {
                for number in 0..<100 { port.send(number) }
                pipe.put()
            }
            guest.loop.schedule(after: .microseconds(100)) { guest.submit(1000) }
            #expect(guest.host.run() == 1)
            guest.host.run(.nonblocking)
            while guest.ran.count < 101 { guest.host.loop(.nonblockingOnce) }
            #expect(reads == 1)
            #expect(guest.ran.filter { $0 < 1000 } == Array(0..<100))
            guest.close()
            #expect(host.all == all)
            withExtendedLifetime(event) {}
        }
    }

    // MARK: - Misuse

    @Test func `there must be a base`() {
        #expect(throws: LoopError.noBase) { try unsafe MainLoop(adopting: nil) }
    }

    @Test(arguments: HostKind.allCases)
    func `an adopted loop is run and stopped by its host`(kind: HostKind) throws {
        let guest = try Guest(on: HostBase(kind))
        defer { guest.close() }
        #expect(throws: LoopError.adopted) { try guest.loop.run() }
        #expect(throws: LoopError.adopted) { try guest.loop.run(until: .zero) }
        guest.queue.submit(1) { _ in
            guest.loop.stop()
            #expect(throws: LoopError.insideCallback) { try guest.loop.reinitAfterFork() }
            return .done
        }
        guest.submit(2)
        #expect(guest.host.run() == 1)
        #expect(guest.ran == [2])
    }
}
