internal import CLibevent
internal import Glibc

/// What an adopted loop has on its host's base, besides its descriptors.
final class Host {
    /// Fires, once armed, after the next poll, when nothing more urgent is active.
    private var idle: EventHandle?
    /// Never fires; while it's armed the host's dispatch doesn't end.
    private var holder: EventHandle?
    /// Sees all idle passes, with libevent 2.2 or later.
    private(set) var prepare: PrepareWatch?

    private(set) var isArmed = false
    private(set) var isHeld = false
    /// How deep the thread is inside this loop's callbacks.
    var depth = 0
    /// Whether the loop has something to do in the next lull.
    var wantsIdle = false
    /// How many pieces of work are off the loop.
    var errands = 0

    init(of loop: MainLoop) throws(LoopError) {
        idle = try EventHandle(idleOn: loop.base, loop: loop)
        holder = try EventHandle(idleOn: loop.base, loop: loop)
        prepare = try PrepareWatch(on: loop.base, loop: loop)
    }

    /// Has the host's loop call at its next idle pass.
    func arm(on base: borrowing EventBase) throws(LoopError) {
        guard !isArmed else { return }
        idle?.setPriority(base.leastPriority)
        try idle?.arm()
        isArmed = true
    }

    func hasFired() {
        isArmed = false
    }

    /// Keeps the host's dispatch from ending, or lets it.
    func hold(_ isNeeded: Bool) throws(LoopError) {
        guard isNeeded != isHeld else { return }
        if isNeeded {
            try holder?.arm(after: 1_000_000_000)
        } else {
            holder?.disarm()
        }
        isHeld = isNeeded
    }

    func detach() {
        idle = nil
        holder = nil
        prepare = nil
    }
}

// Life on a base that a host dispatches.
extension MainLoop {
    /// Has an adopted loop call its observers and workers in the host's next idle pass.
    ///
    /// For work that comes up where the loop can't see it. Any other loop needs no poking.
    public func poke() {
        wantIdle()
    }

    /// Notes that there is something to do in the next lull.
    func wantIdle() {
        guard let host, !isClosed else { return }
        host.wantsIdle = true
        if host.depth == 0 { settle() }
    }

    /// Begins a callback from the host's loop.
    func enter() {
        host?.depth += 1
    }

    /// Ends a callback from the host's loop.
    func leave() {
        guard let host else { return }
        host.depth -= 1
        if host.depth == 0, !isClosed { settle() }
    }

    /// Brings the host's base up to date with what was said to the loop.
    func settle() {
        guard let host, host.depth == 0 else { return }
        do {
            try setAlarm()
            try host.hold(timers.next < .distantFuture || host.errands > 0)
            guard host.wantsIdle else { return }
            if host.prepare?.isPreparing ?? false {
                inbox.ring()  // the wait is computed already: only a descriptor can cut it short
            } else {
                try host.arm(on: base)
                host.wantsIdle = false
            }
        } catch {
            inbox.ring()  // out of memory: try again in the next pass, rather than sleep over it
        }
    }

    /// Called when nothing more urgent is active on the host's base.
    func hostIsIdle() {
        guard let host, !isClosed else { return }
        host.hasFired()
        enter()
        defer { leave() }
        counts.polls += 1
        guard !base.hasOthersActive() else {
            counts.busyPasses += 1
            lull.isOver()
            host.wantsIdle = true
            return
        }
        counts.turns += 1
        let worked = workBeforeIdle()
        if isRecording { endRecord() }
        if worked {
            host.wantsIdle = true
            if hasTakenTime { base.updateTime() }
        } else if host.prepare == nil {
            fallAsleep()
        }
    }

    /// Whether the pass was long enough to make the host's next timer late.
    private var hasTakenTime: Bool {
        guard let start = lull.start, let now = lull.fresh else { return true }
        return start.duration(to: now) > .microseconds(20)
    }
}
