package import CLull
internal import LullLibC
package import IdleLoop

/// A host whose functions are in C.
@safe
package final class ForeignHost: LoopHost {
    private let functions: lull_host
    private var guest: LoopGuest?

    /// Takes over a host of C, with what it has to release.
    package init(_ functions: lull_host) {
        unsafe self.functions = unsafe functions
    }

    deinit {
        unsafe functions.release?(functions.context)
    }

    /// Begins to serve a loop.
    package func begin(_ guest: LoopGuest) throws(LoopError) {
        // The host keeps a copy. This object outlives it, and is retained in each call.
        var inC = unsafe lull_guest(
            descriptor: guest.descriptor,
            serve: { context in
                guard let context = unsafe context else { return 0 }
                let host = unsafe Unmanaged<ForeignHost>.fromOpaque(context).takeUnretainedValue()
                return host.guest?.serve() == true ? 1 : 0
            },
            idle: { isBusy, context in
                guard let context = unsafe context else { return }
                let host = unsafe Unmanaged<ForeignHost>.fromOpaque(context).takeUnretainedValue()
                host.guest?.idle(isBusy: isBusy != 0)
            }, context: Unmanaged.passUnretained(self).toOpaque(),
            prepare: { context in
                guard let context = unsafe context else { return }
                let host = unsafe Unmanaged<ForeignHost>.fromOpaque(context).takeUnretainedValue()
                host.guest?.prepare()
            })
        try check(unsafe functions.begin?(&inC, functions.context) ?? ENOMEM, "begin")
        self.guest = guest
    }

    /// Requests an idle moment.
    package func requestIdle() throws(LoopError) {
        try check(unsafe functions.request_idle(functions.context), "request_idle")
    }

    private func check(_ code: Int32, _ call: String) throws(LoopError) {
        guard code == 0 else { throw .system(call: call, errno: code) }
    }

    /// Keeps the host's loop from ending, or allows it to end.
    package func keepRunning(_ isNeeded: Bool) {
        unsafe functions.keep_running?(isNeeded ? 1 : 0, functions.context)
    }

    /// Updates the host's cached time.
    package func updateTime() {
        unsafe functions.update_time?(functions.context)
    }

    /// The time at which the host's next timer is due.
    package var nextDue: Instant {
        let due = unsafe functions.next_due?(functions.context) ?? Int64(LULL_NONE)
        return due < 0 ? .distantFuture : Instant(nanoseconds: due)
    }

    /// Ends serving the loop.
    package func end() {
        guard guest != nil else { return }
        guest = nil
        unsafe functions.end(functions.context)
    }
}
