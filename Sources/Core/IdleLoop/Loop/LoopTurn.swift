internal import LullLibC

/// The turn of a loop, which is the same on an engine of its own and on a host's.
///
/// 1. A pass polls, and dispatches what is ready: descriptors, signals and posts, then due timers.
/// 2. When a pass finds nothing ready, the loop is about to sleep: observers are told, and one
///    worker works. If one did, the next turn begins.
/// 3. Otherwise the loop rests until something is ready or due.
///
/// A loop on its own engine takes these steps in `run`. On a guest, its host takes them: it calls
/// `serve` when something is ready, and `idle` when it would sleep.
final class LoopTurn {
    let context: LoopContext
    let observers: Observers
    let workers: IdleWorkers
    let dispatcher: InboxDispatcher
    let engine: LoopEngine
    private let inbox: Inbox
    /// The watches of the inbox and of the alarm.
    private var ownWatches: [Watch] = []
    /// The time at which the current sleep began.
    private var asleepSince: Instant?

    init(_ base: consuming EventBase, _ context: LoopContext, _ inbox: Inbox) {
        self.context = context
        self.inbox = inbox
        observers = Observers(on: context)
        workers = IdleWorkers(on: context)
        dispatcher = InboxDispatcher(from: inbox, on: context)
        engine = LoopEngine(base, context)
        unsafe engine.turn = self
        let posts = Watch(on: engine, isInternal: true, isReentrant: true) { [unowned self] _ in
            dispatcher.deliver()
        }
        let timers = Watch(on: engine, isInternal: true, isReentrant: true) { _ in
            context.alarm.value?.read()
            context.state.housekeeping += 1  // its timers are counted on their own
        }
        ownWatches = [posts, timers]
    }

    // MARK: - On its own engine

    /// Takes turns until the loop is stopped.
    func run() throws(LoopError) {
        while context.mayWork {
            context.state.counts.turns += 1
            while try pass(), context.mayWork {}
            if context.mayWork, !workBeforeIdle(), context.mayWork { try rest() }
        }
    }

    /// Polls once; returns whether anything was dispatched.
    private func pass() throws(LoopError) -> Bool {
        context.state.counts.polls += 1
        let before = context.state.counts.dispatched
        try engine.poll()
        let fired = context.fireTimers()
        guard context.state.counts.dispatched != before || fired else { return false }
        context.state.lull = LullState()
        return true
    }

    /// Tells observers that the loop would sleep, and lets one worker work; returns false if none
    /// had anything to do.
    private func workBeforeIdle() -> Bool {
        context.state.counts.idlePasses += 1
        observers.notify(.beforeIdle)
        guard context.mayWork else { return false }
        context.state.lull.start = context.state.lull.fresh
        context.state.lull.fresh = nil
        guard workers.work() else { return false }
        context.state.worked &+= 1
        return true
    }

    /// Sleeps until something is ready, and dispatches it; on virtual time, moves to the next due
    /// time instead, or ends the run if there is none.
    private func rest() throws(LoopError) {
        context.state.lull = LullState()
        switch context.clock {
        case .monotonic:
            fallAsleep()
            try engine.sleep()
        case .virtual(let time):
            // An observer has posted, or resumed a task.
            guard !inbox.hasSignaled, !dispatcher.hasLaneWork else { return }
            let next = min(context.nextTimer, time.nextHappening)
            guard next < .distantFuture else {
                context.state.mayWork = false
                return
            }
            fallAsleep()
            time.advance(to: next)
        }
        wakeUp()
    }

    private func fallAsleep() {
        asleepSince = context.clock.now
        context.state.counts.sleeps += 1
    }

    /// Notifies observers, once, that the sleep is over, before anything is dispatched.
    private func wakeUp() {
        guard let start = asleepSince else { return }
        asleepSince = nil
        let now = context.clock.now
        context.state.lastWake = now
        context.state.counts.timeAsleep += start.duration(to: now)
        observers.notify(.afterIdle)
    }

    /// Calls a handler for what is ready.
    func dispatch(_ body: () -> Void) {
        wakeUp()
        context.state.counts.dispatched += 1
        context.state.lull = LullState()
        body()
    }

    // MARK: - Its life

    /// Watches the loop's own descriptors, which don't keep a host's dispatch from ending.
    func watchOwnDescriptors() throws(LoopError) {
        let descriptors = [inbox.descriptor, context.alarm.value?.descriptor ?? -1]
        for (watch, descriptor) in zip(ownWatches, descriptors) {
            try engine.attach(watch, to: descriptor, .readable)
        }
    }

    /// Begins to be a guest.
    func begin(on host: any LoopHost) throws(LoopError) {
        let guest = LoopGuest(of: self, on: host)
        guest.descriptor = try engine.descriptor(besides: inbox.descriptor)
        try host.begin(guest)
        context.guest = guest
        context.state.mayWork = true
    }

    /// Begins anew in a forked child.
    func renew() throws(LoopError) {
        try engine.renew()
        // The events first: the kernel's queue identifies descriptors by their open files.
        for watch in ownWatches { watch.pause() }
        try inbox.renew()
        dispatcher.forget()
        try context.alarm.value?.renew()
        try watchOwnDescriptors()
        if let guest = context.guest {
            let descriptor = try engine.descriptor(besides: inbox.descriptor)
            if descriptor >= 0 { try guest.renew(descriptor) }
        }
    }

    /// Detaches everything from the base.
    func detach() {
        for watch in ownWatches { watch.detach() }
        context.guest?.end()
        context.guest = nil
        engine.pause()
    }
}

// The same steps in a host's passes.
extension LoopTurn: GuestTurn {
    /// Dispatches what is ready, when the host calls.
    func serve(_ guest: LoopGuest) -> Bool {
        context.state.counts.polls += 1
        let before = context.state.counts.dispatched
        visit(guest) {
            try? engine.poll()
            guard guest.isWokenByHost, !context.isClosed else { return }
            if inbox.hasSignaled || !dispatcher.isEmpty || dispatcher.hasLaneWork {
                dispatch { dispatcher.deliver() }
            }
            if context.checkAlarm() { dispatch { context.state.housekeeping += 1 } }
        }
        return context.state.counts.dispatched != before
    }

    /// Works, when the host has nothing more urgent to do, or else rests.
    func idle(_ guest: LoopGuest, isBusy: Bool) {
        guest.isIdling = true
        guest.depth += 1
        wakeUp()
        context.state.counts.polls += 1
        if isBusy {
            context.state.counts.busyPasses += 1
            context.state.lull = LullState()
            guest.wantsIdle = true
        } else {
            context.state.counts.turns += 1
            context.state.lull.hostDue = guest.host.nextDue
            let hasWorked = workBeforeIdle()
            if hasWorked { guest.hasWorked(in: context.state.lull) }
            if hasWorked, isNeededBeforeIdle {
                guest.wantsIdle = true
            } else {
                context.state.lull = LullState()
                fallAsleep()
            }
        }
        guest.isIdling = false
        leave(guest)
    }

    /// Runs `body`, which dispatches what is ready, then fires due timers, and requests from the host
    /// what the loop needs next.
    func visit(_ guest: LoopGuest, _ body: () -> Void) {
        guest.depth += 1
        let before = context.state.counts.dispatched
        body()
        if context.fireTimers() { guest.host.updateTime() }  // jobs past their timeout may have run
        if context.state.counts.dispatched != before,
            guest.host.ignoresOwnPasses || isNeededBeforeIdle
        {
            guest.wantsIdle = true
        }
        leave(guest)
    }

    /// Whether somebody has something to do before idle.
    private var isNeededBeforeIdle: Bool { observers.areToldOfIdle || workers.mayWork }

    private func leave(_ guest: LoopGuest) {
        guest.depth -= 1
        if !guest.isInside, !context.isClosed { context.updateHost(guest) }
    }

    /// Passes on what a callback, which now runs the host's loop, has requested so far.
    func prepare(_ guest: LoopGuest) {
        if engine.hasReady || !dispatcher.isEmpty { inbox.signal() }
        context.updateHost(guest)
    }

    func wake() { inbox.signal() }
}
