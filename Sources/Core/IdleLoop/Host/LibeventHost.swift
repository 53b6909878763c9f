internal import CLullLibevent

/// A host that runs a libevent base, on which its guest has its own events.
final class LibeventHost: LoopHost {
    private let base: EventBase
    private var guest: LoopGuest?
    /// An event that fires, once armed, after the next poll when nothing more urgent is active.
    private let idle = ConfinedBox<EventHandle?>(nil)
    /// An event that never fires; while it's armed, the host's dispatch doesn't end.
    private let holder = ConfinedBox<EventHandle?>(nil)
    /// Whether the host is inside the idle event's callback.
    private var isRepeating = false

    init(of base: OpaquePointer) {
        unsafe self.base = EventBase(adopting: base)
    }

    func begin(_ guest: LoopGuest) throws(LoopError) {
        idle.value = try event()
        holder.value = try event()
        self.guest = guest
    }

    private func event() throws(LoopError) -> EventHandle {
        try unsafe EventHandle(
            idleOn: base, context: Unmanaged.passUnretained(self).toOpaque()
        ) { _, _, context in
            guard let context = unsafe context else { return }
            // Retained: the callback may release the loop.
            let host = unsafe Unmanaged<LibeventHost>.fromOpaque(context).takeUnretainedValue()
            host.isRepeating = true
            host.guest?.idle(isBusy: host.base.hasOthersActive())
            host.isRepeating = false
        }
    }

    /// Arms the idle event, with the lowest of the host's priorities.
    ///
    /// The host may have changed their number, but not from one idle callback to the next.
    func requestIdle() throws(LoopError) {
        if !isRepeating { idle.value?.setPriority(base.leastPriority) }
        try idle.value?.arm()
    }

    /// `EVLOOP_ONCE` goes on after a pass that had internal events alone, as the loop's own watches are.
    var ignoresOwnPasses: Bool { true }

    func keepRunning(_ isNeeded: Bool) throws(LoopError) {
        if isNeeded {
            try holder.value?.arm(after: .seconds(1_000_000_000))
        } else {
            holder.value?.disarm()
        }
    }

    func updateTime() {
        base.updateTime()
    }

    func end() {
        idle.value = nil
        holder.value = nil
        guest = nil
    }
}
