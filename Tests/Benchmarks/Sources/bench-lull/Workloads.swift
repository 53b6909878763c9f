import Glibc
import IdleLoop
import Synchronization
import Workloads

// MARK: - M2

func foreground(_ fore: Foreground, _ mode: Mode) throws(LoopError) {
    let stage = try Stage(mode)
    try stage.watch(fore.descriptor) { fore.read() }
    var queues: [IdleQueue<Int>] = []
    for source in 0..<fore.sources {
        let queue = stage.queue(batch: .microseconds(50), name: "source \(source)")
        queue.submit(0) { _ in
            if !fore.job() { stage.stop() }
            return .again
        }
        queues.append(queue)
    }
    fore.start()
    try stage.run()
    for queue in queues { queue.close() }
    stage.loop.close()
    fore.report()
}

// MARK: - M3

func chain(_ chain: Chain) throws(LoopError) {
    let loop = try MainLoop()
    for (index, descriptor) in chain.descriptors.enumerated() {
        try loop.watch(descriptor, for: .readable) { _ in chain.receive(at: index) }
    }
    // As the others do: one turn that doesn't block at a time.
    loop.beforeIdle { _ in
        if !chain.isRunning, !chain.nextRun() { loop.stop() }
        return .worked
    }
    _ = chain.nextRun()
    try loop.run()
    loop.close()
    chain.report()
}

// MARK: - M4

func timers(_ timers: RandomTimers) throws(LoopError) {
    let loop = try MainLoop()
    let due = timers.dueMilliseconds
    let order = timers.order
    var ids: [LoopTimer] = []
    ids.reserveCapacity(due.count)
    timers.start()
    let now = loop.clock.now
    for milliseconds in due {
        let delay = Int64(milliseconds) * 1_000_000
        ids.append(loop.schedule(at: Instant(nanoseconds: now.nanoseconds + delay)) {})
    }
    timers.added()
    for index in order { ids[index].cancel() }
    timers.cancelled()
    timers.report()
}

// MARK: - M7

func frames(_ frames: Frames, _ mode: Mode) throws(LoopError) {
    let stage = try Stage(mode)
    let queue = IdleQueue<Int>(on: stage.loop)
    var key = 0
    func fill() {
        while queue.count < 30 {
            key += 1
            let job = frames.takeJob()
            let cost = Duration.nanoseconds(Int64(job.costHint))
            queue.submit(key, cost: cost) { _ in
                if !frames.run(job) { stage.stop() }
                return .done
            }
        }
    }
    frames.start()
    let source = stage.loop.frames(
        every: .nanoseconds(Int64(frames.period)),
        from: Instant(nanoseconds: Int64(frames.nextDue)), tolerance: .microseconds(500)
    ) { _ in
        if !frames.handle() { stage.stop() }
        fill()
    }
    // Endless supply: what has run is replaced in the lull, too.
    let supply = stage.loop.observe(.beforeIdle) { _ in fill() }
    try stage.run()
    source.cancel()
    supply.cancel()
    queue.close()
    stage.loop.close()
    frames.report()
}

/// The frames of M7, while a thread for each processor runs such jobs without end.
func framesBesidePool(_ frames: Frames, _ mode: Mode) throws(LoopError) {
    let stage = try Stage(mode)
    let isOver = Flag()
    let threads = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    for _ in 0..<threads {
        _ = startThread {
            var random = SystemRandomNumberGenerator()
            while !isOver.value.load(ordering: .relaxed) {
                let share = Double.random(in: 0..<1, using: &random)
                let end = LoopClock.monotonic.now + .microseconds(Int(200 * pow(30, share)))
                while LoopClock.monotonic.now < end {}
            }
        }
    }
    frames.start()
    let source = stage.loop.frames(
        every: .nanoseconds(Int64(frames.period)),
        from: Instant(nanoseconds: Int64(frames.nextDue))
    ) { _ in
        if !frames.handle() { stage.stop() }
    }
    try stage.run()
    isOver.value.store(true, ordering: .relaxed)
    source.cancel()
    stage.loop.close()
    frames.report()
}

private final class Flag: Sendable {
    let value = Atomic(false)
}
