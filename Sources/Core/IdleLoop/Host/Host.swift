internal import CLibevent
internal import Glibc

/// The connection of an adopted loop to its host: its state, and its events on the host's base
/// besides its descriptors.
final class Host {
    private let base: EventBase
    /// An event that fires, once armed, after the next poll when nothing more urgent is active.
    private let idle = ConfinedBox<EventHandle?>(nil)
    /// An event that never fires; while it's armed, the host's dispatch doesn't end.
    private let holder = ConfinedBox<EventHandle?>(nil)
    /// The watch of all idle passes, with libevent 2.2 or later.
    private var prepare: PrepareWatch?
    private let isIdle: () -> Void
    /// A closure that ends the host's sleep early, whatever timeout was computed.
    let wake: () -> Void

    /// The nesting depth of the loop's callbacks on the thread.
    private var depth = 0
    /// Whether the loop has something to do in the next lull.
    var wantsIdle = false
    /// The number of pieces of work that are off the loop, or are waiting posts of a batch.
    var outstanding = 0
    private var isArmed = false
    /// Whether it's being armed again from its last callback.
    private var isRepeating = false
    private var isHeld = false

    /// Attaches to a host's base, which calls `isIdle` in each idle pass for which it is armed, and
    /// `willSleep` before each sleep if libevent supports that.
    init(
        of base: borrowing EventBase, wake: @escaping () -> Void, isIdle: @escaping () -> Void,
        willSleep: @escaping () -> Void
    ) throws(LoopError) {
        self.base = unsafe EventBase(adopting: base.base)
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
            // Not retained: the callback may release the loop, and then keeps the host alive
            // itself.
            unsafe Unmanaged<Host>.fromOpaque(context)._withUnsafeGuaranteedRef { host in
                host.isArmed = false
                host.isRepeating = true
                host.isIdle()
            }
        }
    }

    /// Whether the thread is inside one of the loop's callbacks.
    var isInside: Bool { depth > 0 }

    /// Counts the beginning of one of the loop's callbacks.
    func enter() { depth += 1 }

    /// Counts the end of one of the loop's callbacks.
    func leave() { depth -= 1 }

    /// Whether, in the current pass, another of the host's events is active too.
    var isBusy: Bool { base.hasOthersActive() }

    /// Updates the host's cached time, after work that may delay its next timer.
    func updateTime() {
        base.updateTime()
    }

    /// Updates the host's cached time if the work took longer than 20 µs.
    func hasWorked(from start: Instant?, to end: Instant?) {
        if let start, let end, start.duration(to: end) <= .microseconds(20) { return }
        updateTime()
    }

    /// Ends the repetition: the next arming comes from outside the idle callback.
    func rests() {
        isRepeating = false
    }

    /// Keeps the host's loop running, and requests a call in its next idle pass, as far as either
    /// is needed.
    func update(hasTimer: Bool) throws(LoopError) {
        try hold(hasTimer || outstanding > 0)
        guard wantsIdle else { return }
        if let prepare, prepare.isPreparing {
            wake()  // the wait is already computed: only a descriptor can end it early
            return
        }
        try arm()
        wantsIdle = false
    }

    /// Arms the idle event, with the lowest of the host's priorities.
    ///
    /// The host may have changed their number, but not from one idle callback to the next.
    private func arm() throws(LoopError) {
        guard !isArmed else { return }
        if !isRepeating { idle.value?.setPriority(base.leastPriority) }
        try idle.value?.arm()
        isArmed = true
        isRepeating = false
    }

    /// Keeps the host's dispatch from ending, or allows it to end.
    private func hold(_ isNeeded: Bool) throws(LoopError) {
        guard isNeeded != isHeld else { return }
        if isNeeded {
            try holder.value?.arm(after: .seconds(1_000_000_000))
        } else {
            holder.value?.disarm()
        }
        isHeld = isNeeded
    }

    /// Detaches from the host's base.
    func detach() {
        idle.value = nil
        holder.value = nil
        prepare = nil
    }
}
