// Who is told of what the loop is doing, and who works before idle.
extension MainLoop {
    /// Calls `body` at the moments of `activities`, in the given order among other observers, while
    /// the loop is in one of `modes`.
    ///
    /// Costs nothing while the loop sleeps. Observers may be added and cancelled from inside one.
    @discardableResult
    public func observe(
        _ activities: Activity, order: Int = 0, modes: LoopMode = .all, repeats: Bool = true,
        _ body: @escaping (Activity) -> Void
    ) -> Observer {
        let observer = add(
            activities, order: order, modes: modes, repeats: repeats, weight: 1, .note(body))
        wantIdle()
        return observer
    }

    /// Calls `body` each time the loop is about to sleep, so that it can do some work instead.
    ///
    /// Of several workers, queues among them, one works between two polls, so that a ready event
    /// waits for one only: the one that has had the least time for its weight. On an adopted base,
    /// work that comes from nowhere the loop can see needs a `poke()`.
    @discardableResult
    public func beforeIdle(
        order: Int = 0, modes: LoopMode = .all, weight: Int = 1,
        _ body: @escaping (borrowing IdleSlot) -> IdleResult
    ) -> Observer {
        let observer = add(
            .beforeIdle, order: order, modes: modes, repeats: true, weight: weight,
            .work(body))
        wantIdle()
        return observer
    }

    func add(_ queue: JobQueue, order: Int) -> Observer {
        add(
            .beforeIdle, order: order, modes: queue.configuration.modes, repeats: true,
            weight: queue.configuration.weight, .queue(.init(queue)))
    }

    private func add(
        _ activities: Activity, order: Int, modes: LoopMode, repeats: Bool, weight: Int,
        _ body: Observer.Body
    ) -> Observer {
        precondition(!modes.isEmpty, "an observer has a mode in which it's called")
        precondition(weight > 0, "a weight is one or more")
        let observer = Observer(
            loop: self, activities: activities, order: order, modes: modes, repeats: repeats,
            weight: weight, body: body)
        if isClosed { observer.detach() } else { observers.add(observer) }
        return observer
    }

    func forget(_ observer: Observer) {
        if let queue = observer.queue {
            counts.jobs.add(queue.statistics)
            goneQueues?[queue.configuration.name, default: .init()].add(queue.statistics)
        }
        observers.remove(observer)
    }

    func notify(_ activity: Activity) {
        guard observers.noted.contains(activity) else { return }
        for observer in observers.list(for: activity)
        where observer.isActive && observer.modes.contains(status.mode) {
            guard case .note(let body)? = observer.body else { continue }
            if !observer.repeats { observer.cancel() }
            body(activity)
        }
        lull.fresh = nil  // they may have taken their time
    }

    /// Calls observers in order, then lets one of those with work do some.
    func workBeforeIdle() -> Bool {
        counts.idlePasses += 1
        notify(.beforeIdle)
        guard mayWork else { return false }
        lull.start = lull.fresh
        lull.fresh = nil
        guard letOneWork() else { return false }
        lull.worked &+= 1
        return true
    }

    private func letOneWork() -> Bool {
        if let only = observers.onlyQueue {
            return only.modes.contains(status.mode) && only.work() == .worked
        }
        let slot = IdleSlot(on: self)
        if let only = observers.onlyWork {
            return only.modes.contains(status.mode) && only.body(slot) == .worked
        }
        while let worker = observers.nextWorker(in: status.mode, pass: counts.idlePasses), mayWork {
            worker.triedIn = counts.idlePasses
            if work(worker, in: slot) { return true }
        }
        return false
    }

    /// Lets one of several workers work, and counts the time it had.
    private func work(_ worker: Observer, in slot: borrowing IdleSlot) -> Bool {
        let start = lullStart
        guard worker.work(in: slot) == .worked else {
            worker.isResting = true
            if worker.queue == nil { lull.start = nil }  // it may have taken its time all the same
            return false
        }
        // Who rested doesn't get that time back.
        if worker.isResting { worker.share = max(worker.share, observers.present) }
        worker.isResting = false
        observers.present = worker.share
        let now = lull.fresh ?? clock.now
        lull.fresh = now
        let used = max(1000, start.duration(to: now).wholeNanoseconds)
        worker.share &+= used / Int64(worker.weight)
        return true
    }

    /// When the present pass before idle began.
    var lullStart: Instant {
        if let start = lull.start { return start }
        let now = clock.now
        lull.start = now
        return now
    }
}
