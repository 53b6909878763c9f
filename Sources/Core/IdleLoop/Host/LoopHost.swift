/// An event loop that somebody else runs, and on which a ``MainLoop`` is a guest.
///
/// A host needs few abilities: it watches one descriptor, and it has idle moments, or at least
/// passes. Everything else that a loop has, its timers, watches, signals and posts of other threads,
/// is behind the descriptor. ``DescriptorHost`` is for any loop that has no host of its own.
///
/// All requirements are called on the loop's thread, also from inside calls of the guest. A host
/// calls its guest from its own passes only, never from inside one of these calls.
package protocol LoopHost: AnyObject {
    /// Begins to call a guest: ``LoopGuest/serve()`` whenever its descriptor is readable.
    ///
    /// Throws if the host is out of memory or descriptors; then it keeps nothing of the guest.
    func begin(_ guest: LoopGuest) throws(LoopError)

    /// Requests one call of ``LoopGuest/idle(isBusy:)``, in the next pass of the host that finds
    /// nothing ready.
    ///
    /// The host doesn't sleep before that call. It polls at least once, because what the guest does
    /// in that call takes as long as an event should wait. Throws if the host is out of memory; the
    /// guest requests it again at its next activity.
    func requestIdle() throws(LoopError)

    /// Whether the host, when its loop is run for one pass, goes on to the next if the pass served
    /// nothing but the guest's own descriptors.
    ///
    /// Then each pass that serves the guest requests a lull, with which it counts.
    var ignoresOwnPasses: Bool { get }

    /// Keeps the host's loop from ending by itself while the guest has pending work, or allows it
    /// to end.
    func keepRunning(_ isNeeded: Bool) throws(LoopError)

    /// Updates the time that the host has cached, after the guest has worked for some time.
    func updateTime()

    /// The time at which the host's next own timer is due, as far as the host can tell in O(1).
    ///
    /// Slices of work end then.
    var nextDue: Instant { get }

    /// Renews what `begin` began in a forked child, in which the guest has another descriptor.
    ///
    /// It doesn't change what the parent's host shares with it. By default, it ends and begins.
    func renewAfterFork(_ guest: LoopGuest) throws(LoopError)

    /// Ends what `begin` began: afterwards the host doesn't call the guest, and keeps nothing of it.
    func end()

    /// A closure that has the host call ``LoopGuest/serve()`` soon, from any thread; nil for a host
    /// that is woken by the guest's descriptor.
    ///
    /// A host that has it must have `wake(at:)`, too, and is asked to watch the descriptor only once
    /// it's needed.
    var wake: (@Sendable () -> Void)? { get }

    /// Requests one call of ``LoopGuest/serve()`` at a time, in place of the one requested before;
    /// nil cancels that.
    func wake(at instant: Instant?)

    /// Watches the guest's descriptor, for a host that can be woken without it.
    func watchDescriptor() throws(LoopError)
}

extension LoopHost {
    /// Ends and begins.
    package func renewAfterFork(_ guest: LoopGuest) throws(LoopError) {
        end()
        try begin(guest)
    }

    // The defaults are for a host whose loop returns after any pass and doesn't end by itself, which
    // caches no time, whose timers aren't known, and which watches the descriptor from the beginning.

    package var ignoresOwnPasses: Bool { false }
    package func keepRunning(_ isNeeded: Bool) throws(LoopError) {}
    package func updateTime() {}
    package var nextDue: Instant { .distantFuture }
    package var wake: (@Sendable () -> Void)? { nil }
    package func wake(at instant: Instant?) {}
    package func watchDescriptor() throws(LoopError) {}
}
