#if NIO
internal import LullLibC
internal import IdleLoop
internal import NIOCore

/// An event loop of SwiftNIO as a host.
///
/// Whatever the guest needs, a post of another thread, a timer or an idle moment, ends in one
/// call of `pass`, after NIO has polled its selector. A task of NIO's would do without the poll:
/// NIO runs tasks until none is left, so that one which hands in the next keeps it from its
/// channels for ever.
final class NIOHost: LoopHost {
    private let eventLoop: any EventLoop
    private let signal: PassSignal
    private var guest: LoopGuest?
    private var isIdleRequested = false
    /// The end of the last pass.
    private var lastPass = Instant.zero
    private var rounds = RoundTimes()
    private var due = Instant.distantFuture
    private var timer: NIOScheduledCallback?
    private(set) var thread: DescriptorThread?

    init(on eventLoop: any EventLoop) throws(LoopError) {
        self.eventLoop = eventLoop
        signal = try PassSignal(on: eventLoop)
    }

    func begin(_ guest: LoopGuest) throws(LoopError) {
        try signal.begin(self)
        self.guest = guest
    }

    /// Serves the guest, after NIO has polled, and lets it be idle if it has requested this.
    func pass() {
        guard let guest else { return }
        let isQuiet = rounds.add(from: lastPass, to: LoopClock.monotonic.now)
        defer { lastPass = LoopClock.monotonic.now }
        let thread = thread  // of this pass: the guest may begin its first watch
        let isReady = thread?.isReady ?? false
        let hasServed = guest.serve()
        if isReady { thread?.resume() }
        guard isIdleRequested else { return }
        isIdleRequested = false
        guard !hasServed, !signal.hasSelector || isQuiet else {
            return guest.idle(isBusy: true)
        }
        // After tasks that the same poll has made: the rest of a request, for example.
        eventLoop.execute { [signal] in signal.withHost { $0.beIdle() } }
    }

    /// Gives the guest the idle moment that it has requested.
    private func beIdle() {
        guest?.idle()
        lastPass = LoopClock.monotonic.now
    }

    func requestIdle() {
        isIdleRequested = true
        signal.send()
    }

    var wake: (@Sendable () -> Void)? {
        { [signal] in signal.send() }
    }

    func wake(at instant: Instant?) {
        timer?.cancel()
        timer = nil
        due = instant ?? .distantFuture
        if instant != nil { arm() }
    }

    private func arm() {
        // The clock of the loop: an embedded one isn't the machine's.
        let delay = due.since(LoopClock.monotonic.now)
        guard delay > 0 else { return signal.send() }
        // An event loop that is being shut down accepts no timer.
        timer = try? eventLoop.scheduleCallback(
            at: eventLoop.now + .nanoseconds(delay), handler: DueHandler(signal: signal))
    }

    /// Handles the end of a timer of NIO's.
    func isDue() {
        timer = nil
        if due < .distantFuture { arm() }
    }

    func watchDescriptor() throws(LoopError) {
        guard thread == nil, let guest else { return }
        thread = try DescriptorThread(watching: guest.descriptor) { [signal] in signal.send() }
    }

    /// Throws: a forked child has none of NIO's threads.
    func renewAfterFork(_ guest: LoopGuest) throws(LoopError) {
        throw .system(call: "fork", errno: EOPNOTSUPP)
    }

    func end() {
        wake(at: nil)
        thread?.end()
        thread = nil
        signal.end()
        guest = nil
        isIdleRequested = false
    }
}

/// A timer of NIO's that is due.
private struct DueHandler: NIOScheduledCallbackHandler, Sendable {
    let signal: PassSignal

    func handleScheduledCallback(eventLoop: some EventLoop) {
        signal.withHost { $0.isDue() }
    }
}
#endif
