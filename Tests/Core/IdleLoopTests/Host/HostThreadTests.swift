import CLullLibevent
import Foundation
import IdleLoop
import TestSupport
import Testing

/// Posts and work of other threads, for a loop on a base that somebody else dispatches.
struct HostThreadTests {
    @Test(arguments: HostKind.allCases, [false, true])
    func `a post wakes a host that sleeps`(kind: HostKind, hasLocks: Bool) throws {
        let host = HostBase(kind, hasLocks: hasLocks)
        let guest = try Guest(on: host)
        defer { guest.close() }
        let pipe = NonblockingPipe()
        let holding = HostEvent(on: host, pipe.reading, EV_READ | EV_PERSIST) { _ in }
        let inbox = guest.loop.inbox
        var port: InboxPort<Int>?
        var received: [Int] = []
        /// Posts from a thread when the host is about to sleep.
        func post(_ number: Int) {
            guest.loop.observe(.beforeIdle, repeats: false) { [port] _ in
                Thread.detachNewThread { port?.send(number) }
            }
        }
        port = guest.loop.port { number in
            received.append(number)
            guest.submit(number)
            if number == 3 { holding.remove() } else { post(number + 1) }
        }
        post(1)
        #expect(host.run() == 1)
        #expect(received == [1, 2, 3])
        #expect(guest.ran == [1, 2, 3])
        guest.close()
        #expect(!inbox.post { _ in })
    }
}
