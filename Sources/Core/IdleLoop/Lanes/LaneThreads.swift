internal import CLullLibevent
internal import LullLibC
internal import Synchronization

/// The threads of a loop's lanes, or of a pool's workers: they take runs from a tray, and return them.
///
/// They share no lock with the loop. A thread starts when a run waits and no other sleeps, sleeps on
/// one eventfd, and ends when it has had nothing to do for ten seconds.
final class LaneThreads: Sendable {
    /// The state of a lane's thread that the loop reads.
    final class Lane: Sendable {
        /// The number of the thread; 0 before it has begun.
        let thread = Atomic<Int32>(0)
        /// The place of the run that it has in the order of work; the maximum if it has none.
        let order = Atomic<UInt64>(.max)
        let hasEnded = Atomic(false)
        /// Whether the loop has raised its priority for the current slice.
        let isRaised = Atomic(false)
    }

    /// The time after which a thread without work ends, in milliseconds.
    let patience = Atomic<Int32>(10_000)

    let tray = LaneTray()
    let returned = ReturnedRuns()
    private let areWorkers: Bool
    private let wake: @Sendable () -> Void
    private let eventFD: EventFD
    private let sleeping = Atomic(0)
    private let isDismissed = Atomic(false)

    /// Creates lanes that wake the loop by `wake` when they have returned a run.
    init(areWorkers: Bool, wake: @escaping @Sendable () -> Void) throws(LoopError) {
        self.areWorkers = areWorkers
        self.wake = wake
        eventFD = try EventFD(semaphore: true)
    }

    /// The number of threads that have nothing to do.
    var sleepingCount: Int { sleeping.load(ordering: .sequentiallyConsistent) }

    /// Wakes a thread that sleeps.
    func signal() { eventFD.signal() }

    /// Starts a thread; returns nil if there can't be another.
    func start() -> Lane? {
        let lane = Lane()
        let code = startThread { [self] in
            if areWorkers { lull_thread_steps_back() } else { lull_lane_steps_back() }
            lane.thread.store(lull_thread_number(), ordering: .relaxed)
            work(lane)
            lane.hasEnded.store(true, ordering: .sequentiallyConsistent)
            // The loop may have taken it for one that sleeps.
            if tray.mostUrgent < .max { ask() }
        }
        return code == 0 ? lane : nil
    }

    private func ask() {
        tray.ask()
        wake()
    }

    /// Ends the threads, each after its current slice.
    func dismiss(_ count: Int) {
        isDismissed.store(true, ordering: .sequentiallyConsistent)
        eventFD.signal(times: UInt64(count))
    }

    private func work(_ lane: Lane) {
        while !isDismissed.load(ordering: .relaxed) {
            if let run = tray.take() {
                pass(.taken)
                if tray.ranOut { ask() }
                execute(run, lane)
            } else if !sleep() {
                return
            }
        }
    }

    /// Waits for a run; returns false if none came for long.
    private func sleep() -> Bool {
        sleeping.add(1, ordering: .sequentiallyConsistent)
        defer { sleeping.subtract(1, ordering: .sequentiallyConsistent) }
        guard tray.mostUrgent == .max, !isDismissed.load(ordering: .sequentiallyConsistent) else {
            return true
        }
        var signal = pollfd(fd: eventFD.descriptor, events: Int16(POLLIN), revents: 0)
        let isSignaled = unsafe poll(&signal, 1, patience.load(ordering: .relaxed)) > 0
        eventFD.clear()
        return isSignaled
    }

    /// Runs slices of a job until it's done or waits, is to be returned, or a more urgent one waits.
    private func execute(_ run: LaneRun, _ lane: Lane) {
        lane.order.store(run.order, ordering: .relaxed)
        var goesOn = true
        pass(.begun)
        while goesOn {
            goesOn =
                run.runSlice(at: LoopClock.monotonic.now)
                && tray.mostUrgent >= run.order && !isDismissed.load(ordering: .relaxed)
            if lane.isRaised.exchange(false, ordering: .relaxed) { lull_lane_steps_back() }
            pass(.run)
        }
        pass(.returning)
        lane.order.store(.max, ordering: .relaxed)
        if returned.push(run) {
            pass(.waking)
            wake()
        }
    }

    // MARK: - Stopping, in tests

    /// The steps of a lane's hand-over.
    enum Step: Int, CaseIterable {
        case taken = 1
        case begun
        case run
        case returning
        case waking
    }

    #if DEBUG
    /// The number of the step at which lanes stop; 0 for none.
    let stop = Atomic(0)
    #endif

    @inline(__always)
    private func pass(_ step: Step) {
        #if DEBUG
        while stop.load(ordering: .relaxed) == step.rawValue { usleep(500) }
        #endif
    }
}
