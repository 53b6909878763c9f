internal import CLibevent
internal import Glibc

/// How an adopted loop stands with its host, and what it has on the host's base besides its
/// descriptors.
final class Host {
    private let base: EventBase
    /// Fires, once armed, after the next poll, when nothing more urgent is active.
    private let idle = Cell<EventHandle?>(nil)
    /// Never fires; while it's armed the host's dispatch doesn't end.
    private let holder = Cell<EventHandle?>(nil)
    /// Sees all idle passes, with libevent 2.2 or later.
    private var prepare: PrepareWatch?
    private let isIdle: () -> Void
    /// Cuts the host's sleep short, whatever was computed for it.
    let wake: () -> Void

    /// How deep the thread is inside the loop's callbacks.
    private var depth = 0
    /// Whether the loop has something to do in the next lull.
    var wantsIdle = false
    /// How many pieces of work are off the loop, or wait for it in a bundle of posts.
    var errands = 0
    private var isArmed = false
    /// Whether it's armed again by the callback of the last time.
    private var isRepeating = false
    private var isHeld = false

    /// Has the host of a base call `isIdle` in an idle pass, each time that one is wanted, and
    /// `willSleep` before each sleep where libevent tells of that.
    init(
        of base: borrowing EventBase, wake: @escaping () -> Void, isIdle: @escaping () -> Void,
        willSleep: @escaping () -> Void
    ) throws(LoopError) {
        self.base = EventBase(guestOn: base)
        self.wake = wake
        self.isIdle = isIdle
        idle.value = try event()
        holder.value = try event()
        prepare = try PrepareWatch(on: base, willSleep)
    }

    private func event() throws(LoopError) -> EventHandle {
        try unsafe EventHandle(
            idleOn: base, context: Unmanaged.passUnretained(self).toOpaque()
        ) { _, _, context in
            guard let context = unsafe context else { return }
            // Not counted: what is called there may let go of the loop, and holds the host till then.
            unsafe Unmanaged<Host>.fromOpaque(context)._withUnsafeGuaranteedRef { host in
                host.isArmed = false
                host.isRepeating = true
                host.isIdle()
            }
        }
    }

    /// Whether the thread is inside one of the loop's callbacks.
    var isInside: Bool { depth > 0 }

    /// Notes that a callback of the loop's begins.
    func enter() { depth += 1 }

    /// Notes that a callback of the loop's has ended.
    func leave() { depth -= 1 }

    /// Whether, in the pass that called, something else of the host's is active too.
    var isBusy: Bool { base.hasOthersActive() }

    /// Has the host look at the time again, after work that may make its next timer late.
    func updateTime() {
        base.updateTime()
    }

    /// The same, if the work was long enough for that.
    func hasWorked(from start: Instant?, to end: Instant?) {
        if let start, let end, end.since(start) <= 20_000 { return }
        updateTime()
    }

    /// Notes that the host's loop goes its own way until it's armed again.
    func rests() {
        isRepeating = false
    }

    /// Has the host's loop stay, and call in its next idle pass, if there is anything to come.
    func settle(hasTimer: Bool) throws(LoopError) {
        try hold(hasTimer || errands > 0)
        guard wantsIdle else { return }
        if let prepare, prepare.isPreparing {
            wake()  // the wait is computed already: only a descriptor can cut it short
            return
        }
        try arm()
        wantsIdle = false
    }

    /// Has the host's loop call at its next idle pass, in the least of its priorities.
    ///
    /// The host may have changed their number, but not from one such pass to the next.
    private func arm() throws(LoopError) {
        guard !isArmed else { return }
        if !isRepeating { idle.value?.setPriority(base.leastPriority) }
        try idle.value?.arm()
        isArmed = true
        isRepeating = false
    }

    /// Keeps the host's dispatch from ending, or lets it.
    private func hold(_ isNeeded: Bool) throws(LoopError) {
        guard isNeeded != isHeld else { return }
        if isNeeded {
            try holder.value?.arm(after: 1_000_000_000)
        } else {
            holder.value?.disarm()
        }
        isHeld = isNeeded
    }

    /// Leaves the host's base.
    func detach() {
        idle.value = nil
        holder.value = nil
        prepare = nil
    }
}
