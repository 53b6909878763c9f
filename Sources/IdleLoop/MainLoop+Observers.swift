// Who is told of what the loop is doing, and who works before idle.
extension MainLoop {
    /// Calls `body` at the moments of `activities`, in the given order among other observers.
    ///
    /// Costs nothing while the loop sleeps. Observers may be added and cancelled from inside one.
    @discardableResult
    public func observe(
        _ activities: Activity, order: Int = 0, repeats: Bool = true,
        _ body: @escaping (Activity) -> Void
    ) -> Observer {
        add(activities, order: order, repeats: repeats, .note(body))
    }

    /// Calls `body` each time the loop is about to sleep, so that it can do some work instead.
    ///
    /// Of several, one works between two polls, in turn, so that a ready event waits for one only.
    @discardableResult
    public func beforeIdle(
        order: Int = 0, _ body: @escaping (borrowing IdleSlot) -> IdleResult
    ) -> Observer {
        add(.beforeIdle, order: order, repeats: true, .work(body))
    }

    private func add(
        _ activities: Activity, order: Int, repeats: Bool, _ body: Observer.Body
    ) -> Observer {
        precondition(!isClosed, "a closed loop is not observed")
        let observer = Observer(
            loop: self, activities: activities, order: order, repeats: repeats, body: body)
        observers.add(observer)
        return observer
    }

    func forget(_ observer: Observer) {
        observers.remove(observer)
    }

    func notify(_ activity: Activity) {
        for observer in observers.list(for: activity) where observer.isActive {
            guard case .note(let body)? = observer.body else { continue }
            if !observer.repeats { observer.cancel() }
            body(activity)
        }
    }

    /// Calls observers in order, then lets one of those with work do some.
    func notifyBeforeIdle() -> Bool {
        statistics.idlePasses += 1
        notify(.beforeIdle)
        let workers = observers.workers
        guard !workers.isEmpty, isRunning else { return false }
        let slot = IdleSlot(clock: clock, start: clock.now, due: nextDue)
        for step in 0..<workers.count {
            let index = (observers.turn + step) % workers.count
            guard case .work(let body)? = workers[index].body else {
                continue
            }
            if body(slot) == .worked {
                observers.turn = index + 1
                return true
            }
        }
        return false
    }
}
