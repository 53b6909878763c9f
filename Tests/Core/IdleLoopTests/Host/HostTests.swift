import CHostLoops
import CLullLibevent
import Foundation
import IdleLoop
import TestSupport
import Testing

/// Hosts that aren't libevent's.
struct HostTests {
    // MARK: - A loop that polls a descriptor

    /// A program with a loop of its own, reduced to what it has to do for its guest.
    private final class Program {
        let host: DescriptorHost
        let loop: MainLoop
        let queue: IdleQueue<Int>
        var log: [String] = []

        init() throws {
            host = try DescriptorHost()
            loop = try MainLoop(on: host)
            var configuration = QueueConfiguration.roomy
            configuration.batch = .zero
            queue = IdleQueue(on: loop, configuration: configuration)
        }

        func submit(_ key: Int) {
            queue.submit(key) { [unowned self] _ in
                log.append("job \(key)")
                return .done
            }
        }

        /// Whether a program that waits for the descriptor would be woken.
        var isReady: Bool {
            var ready = pollfd(fd: host.descriptor, events: Int16(POLLIN), revents: 0)
            return unsafe poll(&ready, 1, 0) == 1
        }
    }

    @Test func `each call runs one job, and the descriptor is readable until none is left`() throws
    {
        let program = try Program()
        while program.isReady { program.host.process() }
        for key in 1...3 { program.submit(key) }
        for count in 1...3 {
            #expect(program.isReady)
            program.host.process()
            #expect(program.log.count == count)
        }
        while program.isReady { program.host.process() }
        let statistics = program.loop.statistics
        for _ in 0..<3 { program.host.process() }
        #expect(program.loop.statistics.idlePasses == statistics.idlePasses)
        program.loop.close()
        #expect(!program.isReady)
        program.host.process()
    }

    @Test func `no job runs in a pass that has served events, the program's or the loop's`() throws
    {
        let program = try Program()
        while program.isReady { program.host.process() }
        program.submit(1)
        for _ in 0..<5 {
            program.host.process(wasBusy: true)
            #expect(program.isReady)
        }
        program.loop.inbox.post { _ in }
        program.host.process()
        #expect(program.log == [])
        program.host.process()
        #expect(program.log == ["job 1"])
        #expect(program.loop.statistics.busyPasses == 6)
        program.loop.close()
    }

    @Test func `a host has one loop at a time`() throws {
        let host = try DescriptorHost()
        let loop = try MainLoop(on: host)
        #expect(throws: LoopError.system(call: "begin", errno: EBUSY)) {
            try MainLoop(on: host)
        }
        var fired = 0
        loop.port { fired += $0 }.send(1)
        host.process()
        #expect(fired == 1)
        loop.close()
    }

    @Test func `a guest is told of signals`() async {
        await #expect(processExitsWith: .success) {
            for kind in [HostKind.poll, .glib, .sdEvent, .uv] {
                let host = HostBase(kind)
                let loop = try host.adopt()
                var count = 0
                var watch: Watch?
                watch = try loop.watch(signal: SIGUSR1) {
                    count += 1
                    if count == 2 { watch?.cancel() } else { kill(getpid(), SIGUSR1) }
                }
                kill(getpid(), SIGUSR1)
                #expect(host.run() == 1)
                #expect(count == 2)
                loop.close()
            }
        }
    }

    @Test func `a call from inside a job serves no other, and one from inside a timer does`() throws
    {
        let program = try Program()
        while program.isReady { program.host.process() }
        program.queue.submit(1) { _ in
            program.log.append("begin 1")
            for _ in 0..<3 { program.host.process() }
            program.log.append("end 1")
            return .done
        }
        program.submit(2)
        program.loop.schedule(after: .zero) {
            program.log.append("begin timer")
            for _ in 0..<3 { program.host.process() }
            program.log.append("end timer")
        }
        while program.isReady { program.host.process() }
        #expect(
            program.log == ["begin timer", "begin 1", "end 1", "job 2", "end timer"])
        program.loop.close()
    }

    @Test func `a loop's queue is found among many descriptors, and with many watches`() throws {
        var pipes = (0..<200).map { _ in NonblockingPipe() }
        let first = try Program()
        pipes += (0..<100).map { _ in NonblockingPipe() }
        var reads = 0
        for pipe in pipes {
            try first.loop.watch(pipe.reading, for: .readable) { _ in
                pipe.drain()
                reads += 1
            }
        }
        let second = try Program()
        for pipe in pipes { pipe.put() }
        while reads < pipes.count {
            #expect(first.isReady)
            first.host.process()
        }
        second.submit(1)
        while second.log.isEmpty { second.host.process() }
        second.loop.close()
        first.loop.close()
    }

    // MARK: - Others

    @Test(arguments: [HostKind.glib, .poll])
    func `a callback that runs the host's loop has its events, but no job beside its own`(
        kind: HostKind
    ) throws {
        let guest = try Guest(on: HostBase(kind))
        defer { guest.close() }
        var log: [String] = []
        let pipe = NonblockingPipe()
        try guest.loop.watch(pipe.reading, for: .readable) { _ in
            pipe.drain()
            log.append("read")
        }
        guest.queue.submit(1) { _ in
            log.append("begin")
            pipe.put()
            for _ in 0..<5 { guest.host.loop(.nonblockingOnce) }
            log.append("end")
            return .done
        }
        guest.queue.submit(2) { _ in
            log.append("next")
            return .done
        }
        for _ in 0..<10 { guest.host.loop(.nonblockingOnce) }
        #expect(log == ["begin", "read", "end", "next"])
    }

    @Test func `work takes turns with another idle handle of libuv's`() throws {
        let guest = try Guest(on: HostBase(.uv))
        defer { guest.close() }
        var spins = 0
        unsafe withUnsafeMutablePointer(to: &spins) { spins in
            unsafe host_loop_uv_spin(
                UnsafeMutableRawPointer(guest.host.base),
                { context in
                    guard let spins = unsafe context?.assumingMemoryBound(to: Int.self) else {
                        return 0
                    }
                    unsafe spins.pointee += 1
                    return unsafe spins.pointee < 1000 ? 1 : 0
                }, spins)
            for key in 0..<10 { guest.submit(key) }
            while guest.ran.count < 10 { guest.host.loop(.nonblockingOnce) }
            #expect(unsafe 10...20 ~= spins.pointee)
            while unsafe spins.pointee < 1000 { guest.host.loop(.nonblockingOnce) }
        }
    }

    @Test func `a slice ends when libuv's next timer is due`() throws {
        let guest = try Guest(on: HostBase(.uv)) { $0.slice = .seconds(60) }
        defer { guest.close() }
        let start = guest.loop.clock.now
        var due: [Instant] = []
        let timer = HostEvent(on: guest.host) { _ in }
        guest.queue.submit(1) { slot in
            due.append(slot.sliceEnd)
            return .done
        }
        #expect(guest.host.run() == 1)
        timer.add(after: 30_000_000)  // long enough for it to be ahead on any machine
        guest.queue.submit(2) { slot in
            due.append(slot.sliceEnd)
            return .done
        }
        while guest.queue.statistics.done < 2 { guest.host.loop(.nonblockingOnce) }
        timer.remove()
        #expect(due[0] >= start.advanced(by: .seconds(60)))
        #expect(due[1] < due[0])
    }

    @Test func `what is due on libuv's loop is forgotten with the lull`() throws {
        let guest = try Guest(on: HostBase(.uv))
        defer { guest.close() }
        var due: [Instant] = []
        let timer = HostEvent(on: guest.host) { _ in }
        timer.add(after: 30_000_000)
        guest.queue.submit(1) { slot in
            due.append(slot.due)
            return .done
        }
        while due.isEmpty { guest.host.loop(.nonblockingOnce) }
        // Not idle from now on: the next job runs by its timeout.
        let pipe = NonblockingPipe()
        let busy = HostEvent(on: guest.host, pipe.writing, EV_WRITE | EV_PERSIST) { _ in }
        guest.queue.submit(2, timeout: .milliseconds(5)) { slot in
            due.append(slot.due)
            return .done
        }
        while due.count < 2 { guest.host.loop(.nonblockingOnce) }
        timer.remove()
        busy.remove()
        #expect(due[0] < .distantFuture)
        #expect(due[1] == .distantFuture)
    }
}
