import Glibc
import IdleLoop

/// Runs jobs of two slices of 2 ms on simulated lanes, and prints what the order costs.
func measureScale() throws {
    print("lanes  jobs run  microseconds a job  jobs a second  lanes busy with jobs of 4 ms")
    for lanes in [1, 2, 4, 8, 16, 32, 64] {
        let loop = try MainLoop(clock: .virtual(VirtualTime()))
        var configuration = QueueConfiguration()
        configuration.lanes = .atMost(lanes)
        configuration.limit = 256
        let queue = IdleQueue<Int>(on: loop, configuration: configuration)
        let count = 40_000
        var next = 0
        func submit() {
            guard next < count else { return }
            next += 1
            var slices = 2
            queue.submit(
                next, priority: next % 3 == 0 ? .high : .normal, onEnd: { _ in submit() },
                anywhere: { slot in
                    slot.charge(.milliseconds(2))
                    slices -= 1
                    return slices > 0 ? .again : .done
                })
        }
        for _ in 0..<200 { submit() }
        let start = clock()
        try loop.run()
        let time = Double(clock() - start) / Double(CLOCKS_PER_SEC) / Double(count)
        print(
            lanes, queue.statistics.done, (time * 1e7).rounded() / 10, Int(1 / time),
            Int(0.004 / time))
    }
}
