internal import CLibevent
internal import Glibc

/// How an adopted loop stands with its host, and what it has on the host's base besides its
/// descriptors.
struct Host: ~Copyable {
    /// Fires, once armed, after the next poll, when nothing more urgent is active.
    private var idle: EventHandle?
    /// Never fires; while it's armed the host's dispatch doesn't end.
    private var holder: EventHandle?
    /// Sees all idle passes, with libevent 2.2 or later.
    private(set) var prepare: PrepareWatch?

    /// How deep the thread is inside this loop's callbacks.
    var depth = 0
    /// Whether the loop has something to do in the next lull.
    var wantsIdle = false
    /// How many pieces of work are off the loop.
    var errands = 0
    private var isArmed = false
    /// Whether it's armed again by the callback of the last time.
    private var isRepeating = false
    private var isHeld = false

    /// A loop that has no host.
    init() {}

    init(of loop: MainLoop) throws(LoopError) {
        idle = try EventHandle(idleOn: loop.base, loop: loop)
        holder = try EventHandle(idleOn: loop.base, loop: loop)
        prepare = try PrepareWatch(on: loop.base, loop: loop)
    }

    /// Has the host's loop call at its next idle pass, in the least of its priorities.
    ///
    /// The host may have changed their number, but not from one such pass to the next.
    mutating func arm(on base: borrowing EventBase) throws(LoopError) {
        guard !isArmed else { return }
        if !isRepeating { idle?.setPriority(base.leastPriority) }
        try idle?.arm()
        isArmed = true
        isRepeating = false
    }

    mutating func hasFired() {
        isArmed = false
        isRepeating = true
    }

    /// Notes that the host's loop goes its own way until it's armed again.
    mutating func rests() {
        isRepeating = false
    }

    /// Keeps the host's dispatch from ending, or lets it.
    mutating func hold(_ isNeeded: Bool) throws(LoopError) {
        guard isNeeded != isHeld else { return }
        if isNeeded {
            try holder?.arm(after: 1_000_000_000)
        } else {
            holder?.disarm()
        }
        isHeld = isNeeded
    }

    mutating func detach() {
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
        guard isAdopted, !isClosed else { return }
        host.wantsIdle = true
        settle()
    }

    /// Begins a callback from the host's loop.
    func enter() {
        host.depth += 1
    }

    /// Ends a callback from the host's loop.
    func leave() {
        host.depth -= 1
        settle()
    }

    /// Counts a piece of work that is off the loop, or is no more.
    func countErrands(_ difference: Int) {
        host.errands += difference
        settle()
    }

    /// Brings the host's base up to date with what was said to the loop.
    @inline(__always)
    func settle() {
        guard isAdopted, host.depth == 0 else { return }
        settleNow()
    }

    private func settleNow() {
        guard !isClosed else { return }
        do {
            try setAlarm()
            try host.hold(
                timers.next < .distantFuture || host.errands > 0 || !backlog.isEmpty)
            guard host.wantsIdle else { return }
            if let prepare = host.prepare, prepare.isPreparing {
                inbox.ring()  // the wait is computed already: only a descriptor can cut it short
                return
            }
            try host.arm(on: base)
            host.wantsIdle = false
        } catch {
            inbox.ring()  // out of memory: try again in the next pass, rather than sleep over it
        }
    }

    /// Called when nothing more urgent is active on the host's base.
    func hostIsIdle() {
        guard !isClosed else { return }
        host.hasFired()
        host.depth += 1
        wakeUp()
        counts.polls += 1
        if base.hasOthersActive() {
            counts.busyPasses += 1
            lull.isOver()
            host.wantsIdle = true
            if status.isRecording { endRecord() }
        } else {
            counts.turns += 1
            let worked = workBeforeIdle()
            if status.isRecording { endRecord() }
            if worked {
                host.wantsIdle = true
                if hasTakenTime { base.updateTime() }
            } else {
                lull.isOver()
                host.rests()
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
