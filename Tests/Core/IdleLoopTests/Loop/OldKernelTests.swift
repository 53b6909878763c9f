import COldKernel
import Glibc
import IdleLoop
import TestSupport
import Testing

/// A loop on a kernel that has no call newer than Linux 5.0.
struct OldKernelTests {
    @Test func `descriptors, timers, jobs and workers need no newer call`() async {
        await #expect(processExitsWith: .success) {
            precondition(lull_enter_old_kernel() == 0, "the calls are missing")
            let loop = try MainLoop()
            let queue = IdleQueue<Int>(on: loop)
            let pool = try WorkerPool(width: 2, on: loop)
            let port = loop.port(of: Int.self) { number in
                queue.submit(number, on: pool, work: { number * 2 }) { result in
                    { _ in
                        #expect(result == 10)
                        loop.schedule(after: .milliseconds(1)) { loop.stop() }
                        return .done
                    }
                }
            }
            port.send(5)
            try loop.run()
            #expect(queue.statistics.done == 1)
        }
    }

    @Test func `a child can't be watched, and the error says which call is missing`() async {
        await #expect(processExitsWith: .success) {
            precondition(lull_enter_old_kernel() == 0, "the calls are missing")
            let loop = try MainLoop()
            do throws(LoopError) {
                try loop.watch(child: getppid()) { _ in }
                Issue.record("there is no such call")
            } catch {
                #expect("\(error)" == "pidfd_open: Function not implemented (38)")
            }
        }
    }
}
