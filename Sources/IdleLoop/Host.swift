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

    init(of loop: MainLoop) throws(LoopError) {
        idle = try EventHandle(idleOn: loop.base, loop: loop)
        holder = try EventHandle(idleOn: loop.base, loop: loop)
        prepare = try PrepareWatch(on: loop.base, loop: loop)
    }

    /// Has the host's loop call at its next idle pass, in the least of its priorities.
    func arm() throws(LoopError) {
        try idle?.arm()
    }

    func setPriority(_ priority: Int32) {
        idle?.setPriority(priority)
    }

    /// Keeps the host's dispatch from ending, or lets it.
    func hold(_ isNeeded: Bool) throws(LoopError) {
        if isNeeded {
            try holder?.arm(after: 1_000_000_000)
        } else {
            holder?.disarm()
        }
    }

    func detach() {
        idle = nil
        holder = nil
        prepare = nil
    }
}

/// How an adopted loop stands with its host.
struct HostState {
    /// How deep the thread is inside this loop's callbacks.
    var depth = 0
    /// Whether the host's loop will call when it's idle.
    var isArmed = false
    /// Whether the loop has something to do in the next lull.
    var wantsIdle = false
    /// Whether the host's dispatch is kept from ending.
    var isHeld = false
    /// How many pieces of work are off the loop.
    var errands = 0
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
        guard isAdopted, !isClosed else { return }
        hosted.wantsIdle = true
        settle()
    }

    /// Begins a callback from the host's loop.
    func enter() {
        hosted.depth += 1
    }

    /// Ends a callback from the host's loop.
    func leave() {
        hosted.depth -= 1
        settle()
    }

    /// Counts a piece of work that is off the loop, or is no more.
    func countErrands(_ difference: Int) {
        hosted.errands += difference
        settle()
    }

    /// Brings the host's base up to date with what was said to the loop.
    @inline(__always)
    func settle() {
        guard isAdopted, hosted.depth == 0 else { return }
        settleNow()
    }

    private func settleNow() {
        guard !isClosed, let host else { return }
        do {
            try setAlarm()
            let isNeeded = timers.next < .distantFuture || hosted.errands > 0
            if isNeeded != hosted.isHeld {
                try host.hold(isNeeded)
                hosted.isHeld = isNeeded
            }
            guard hosted.wantsIdle, !hosted.isArmed else { return }
            if let prepare = host.prepare, prepare.isPreparing {
                inbox.ring()  // the wait is computed already: only a descriptor can cut it short
                return
            }
            host.setPriority(base.leastPriority)
            try host.arm()
            hosted.isArmed = true
            hosted.wantsIdle = false
        } catch {
            inbox.ring()  // out of memory: try again in the next pass, rather than sleep over it
        }
    }

    /// Called when nothing more urgent is active on the host's base.
    func hostIsIdle() {
        guard !isClosed else { return }
        hosted.isArmed = false
        hosted.depth += 1
        counts.polls += 1
        if base.hasOthersActive() {
            counts.busyPasses += 1
            lull.isOver()
            hosted.wantsIdle = true
        } else {
            counts.turns += 1
            let worked = workBeforeIdle()
            if isRecording { endRecord() }
            if worked {
                hosted.wantsIdle = true
                if hasTakenTime { base.updateTime() }
            } else {
                lull.isOver()
                fallAsleep()
            }
        }
        leave()
    }

    /// Whether the pass was long enough to make the host's next timer late.
    private var hasTakenTime: Bool {
        guard let start = lull.start, let now = lull.fresh else { return true }
        return now.since(start) > 20_000
    }
}
