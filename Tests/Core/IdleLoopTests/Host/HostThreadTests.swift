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

    @Test(arguments: HostKind.allCases)
    func `a storm of posts from eight threads loses none`(kind: HostKind) throws {
        let host = HostBase(kind)
        let guest = try Guest(on: host)
        defer { guest.close() }
        let pipe = NonblockingPipe()
        let holding = HostEvent(on: host, pipe.reading, EV_READ | EV_PERSIST) { _ in }
        var last = [Int](repeating: -1, count: 8)
        var count = 0
        let port = guest.loop.port(of: (thread: Int, number: Int).self) { message in
            #expect(message.number == last[message.thread] + 1)
            last[message.thread] = message.number
            guest.submit(count)
            count += 1
            if count == 8 * 1000 { holding.remove() }
        }
        for thread in 0..<8 {
            Thread.detachNewThread {
                for number in 0..<1000 { port.send((thread, number)) }
            }
        }
        #expect(host.run() == 1)
        #expect(last == Array(repeating: 999, count: 8))
        #expect(guest.ran == Array(0..<8000))
    }

    @Test(arguments: HostKind.allCases)
    func `work on a worker keeps the host's loop from ending`(kind: HostKind) throws {
        let host = HostBase(kind)
        let guest = try Guest(on: host)
        defer { guest.close() }
        let pool = try WorkerPool(width: 2, on: guest.loop)
        var outputs: Set<Int> = []
        for key in 0..<20 {
            guest.queue.submit(key, on: pool, work: { (0...1000).reduce(key, +) }) { output in
                { _ in
                    outputs.insert(output)
                    return .done
                }
            }
        }
        #expect(host.run() == 1)
        #expect(outputs == Set((0..<20).map { $0 + 500_500 }))
        guest.queue.submit(1, on: pool, work: { 1 }) { _ in { _ in .done } }
        guest.queue.cancel(1)
        #expect(host.run() == 1)
        #expect(guest.queue.statistics.isConserved)
    }
}
