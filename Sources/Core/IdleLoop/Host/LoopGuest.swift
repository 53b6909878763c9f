internal import LullLibC

/// The turn of a guest, as its host's passes call its steps.
protocol GuestTurn: AnyObject {
    /// Dispatches what is ready; returns whether anything was.
    func serve(_ guest: LoopGuest) -> Bool
    /// Works before idle, unless the host is busy.
    func idle(_ guest: LoopGuest, isBusy: Bool)
    /// Passes on what a callback, which now runs the host's loop, has requested so far.
    func prepare(_ guest: LoopGuest)
    /// Ends the host's sleep early.
    func wake()
}

/// A loop as its host sees it: what the host watches and calls.
///
/// It is made by ``MainLoop/init(on:inboxCapacity:)`` and given to ``LoopHost/begin(_:)``. After
/// the loop is closed, calls do nothing.
package final class LoopGuest {
    /// The descriptor that is readable while the loop has something to serve; -1 if the loop shares
    /// its host's event base.
    package internal(set) var descriptor: Int32 = -1

    let host: any LoopHost
    // Nil after the loop is closed, which it is before it is deallocated.
    private unowned(unsafe) var turn: (any GuestTurn)?

    /// The nesting depth of the loop's callbacks on the thread.
    var depth = 0
    /// Whether the loop is inside an idle moment.
    var isIdling = false
    /// Whether the loop has something to do in the next lull.
    var wantsIdle = false
    /// The number of pieces of work that are off the loop, are waiting posts of a batch, or are
    /// watches that the host doesn't see.
    var outstanding = 0
    /// Whether the host was asked for an idle moment that it hasn't given yet.
    private var isRequested = false
    private var isHeld = false
    /// Whether the host wakes the loop by its own means.
    let isWokenByHost: Bool

    init(of turn: any GuestTurn, on host: any LoopHost) {
        unsafe self.turn = turn
        self.host = host
        isWokenByHost = host.wake != nil
    }

    // MARK: - Called by the host

    /// Dispatches what is ready on the loop, without blocking; returns whether anything was.
    ///
    /// It may be called at any time, also if nothing is ready, and from inside the loop's callbacks
    /// when one of them runs the host's loop: then everything is served but the callback itself.
    @discardableResult
    package func serve() -> Bool { unsafe turn?.serve(self) ?? false }

    /// Requests from the host what the loop needs while one of its callbacks runs the host's loop.
    ///
    /// A host that can be run from inside its callbacks calls it then before each poll. Otherwise it
    /// does nothing: what the loop needs is requested at the end of a callback.
    package func prepare() {
        if isInside { unsafe turn?.prepare(self) }
    }

    /// Gives the loop an idle moment: observers are called, and one job, one slice, or 50 µs of tiny
    /// jobs runs.
    ///
    /// It's called once for each ``LoopHost/requestIdle()``, after a poll that found nothing ready.
    /// If the host did find something, it passes `isBusy`: then nothing runs, and the loop requests
    /// the next moment. A host that can't tell passes false. Nothing runs inside another idle moment
    /// either, when a job runs the host's loop.
    package func idle(isBusy: Bool = false) {
        guard let turn = unsafe turn else { return }
        isRequested = false
        guard !isIdling else {
            wantsIdle = true  // a job runs the host's loop: after it
            return
        }
        turn.idle(self, isBusy: isBusy)
    }

    /// Ends the host's sleep early, whatever timeout was computed.
    func wake() {
        unsafe turn?.wake()
    }

    // MARK: - Called by the loop

    /// Whether the thread is inside one of the loop's callbacks.
    var isInside: Bool { depth > 0 }

    /// Whether the loop has pending work, for which the host's loop doesn't end.
    var isPending: Bool { isHeld || isRequested || wantsIdle }

    /// Updates the host's cached time if the work took longer than 20 µs.
    func hasWorked(in lull: LullState) {
        if let start = lull.start, let end = lull.fresh, end.since(start) <= 20_000 { return }
        host.updateTime()
    }

    /// Keeps the host's loop running, and requests a call in its next idle pass, as far as either
    /// is needed.
    func update(hasTimer: Bool) throws(LoopError) {
        let isNeeded = hasTimer || outstanding > 0
        if isNeeded != isHeld {
            try host.keepRunning(isNeeded)
            isHeld = isNeeded
        }
        guard wantsIdle, !isIdling else { return }
        if !isRequested { try host.requestIdle() }
        isRequested = true
        wantsIdle = false
    }

    /// Begins anew, in a forked child, with the host's loop there.
    func renew(_ descriptor: Int32) throws(LoopError) {
        self.descriptor = descriptor
        wantsIdle = wantsIdle || isRequested
        (isRequested, isHeld) = (false, false)
        try host.renewAfterFork(self)
    }

    /// Leaves the host.
    func end() {
        unsafe turn = nil
        host.end()
    }
}
