internal import CLullLibevent

/// A registration for the readiness of a descriptor, a signal or the end of a child process.
///
/// The loop keeps it until `cancel()`, so it needn't be kept if it's never cancelled.
public final class Watch {
    /// The conditions for which a descriptor is ready.
    public struct Readiness: OptionSet, Sendable {
        /// The bits of the set.
        public let rawValue: UInt8

        /// Creates a set of these bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// There is data to read, or the other side has closed.
        public static let readable = Readiness(rawValue: UInt8(EV_READ))
        /// There is room to write.
        public static let writable = Readiness(rawValue: UInt8(EV_WRITE))
        /// The other side of a socket has closed, or will write no more; reported even while data
        /// that it wrote before is still unread.
        public static let closed = Readiness(rawValue: UInt8(EV_CLOSED))
        /// A signal has arrived.
        static let signal = Readiness(rawValue: UInt8(EV_SIGNAL))
        /// Only changes are reported.
        static let edge = Readiness(rawValue: UInt8(EV_ET))
    }

    // Nil after it's cancelled or the loop is closed; the loop is closed before it is deallocated.
    private unowned(unsafe) var engine: LoopEngine?
    private let handle = ConfinedBox<EventHandle?>(nil)
    private var handler: ((Readiness) -> Void)?
    /// Whether it's the loop's own business, and doesn't keep a host's dispatch from ending.
    private let isInternal: Bool
    /// Whether its handler goes on inside itself, when it runs the host's loop.
    private let isReentrant: Bool
    /// The file behind the descriptor when it was first attached.
    let file: WatchedFile?
    /// The descriptor and the kind of event to which it was attached last.
    private var source: (descriptor: Int32, kind: Readiness)?
    private var isCalling = false
    /// Whether it became ready inside its own handler, when that ran the host's loop: it's called
    /// again afterwards.
    private var isPostponed = false
    /// Whether it is counted among what keeps a host's loop from ending.
    private var isCounted = false

    init(
        on engine: LoopEngine, file: WatchedFile? = nil, isInternal: Bool = false,
        isReentrant: Bool = false, _ handler: @escaping (Readiness) -> Void
    ) {
        unsafe self.engine = engine
        self.file = file
        self.isInternal = isInternal
        self.isReentrant = isReentrant
        self.handler = handler
    }

    /// Whether the loop still watches for the event.
    package var isActive: Bool { isAttached || isPostponed }

    var isAttached: Bool {
        switch handle.value {
        case .none: false
        case .some: true
        }
    }

    /// Cancels the watch; no callback is called after this returns.
    ///
    /// A second call does nothing.
    public func cancel() {
        unsafe engine?.forget(self)
        detach()
    }

    /// Registers with libevent for a descriptor, or for a signal by its number.
    func attach(
        to descriptor: Int32, _ kind: Readiness, on base: borrowing EventBase
    ) throws(LoopError) {
        source = (descriptor, kind)
        handle.value = try unsafe EventHandle(
            on: base, descriptor, Int16(kind.rawValue), isInternal: isInternal && !base.isOwn,
            context: Unmanaged.passUnretained(self).toOpaque()
        ) { _, what, context in
            guard let context = unsafe context else { return }
            let watch = unsafe Unmanaged<Watch>.fromOpaque(context).takeUnretainedValue()
            unsafe watch.engine?.isReady(
                watch, Readiness(rawValue: UInt8(truncatingIfNeeded: what)))
        }
        if !isInternal, base.isOwn { count(true) }
    }

    /// Counts it among what keeps a host's loop from ending, which doesn't see it.
    private func count(_ isCounted: Bool) {
        guard isCounted != self.isCounted else { return }
        self.isCounted = isCounted
        unsafe engine?.context.countOutstanding(isCounted ? 1 : -1)
    }

    func detach() {
        pause()
        unsafe engine = nil
        _ = handler.take()  // after the change: a `deinit` of what it captures may call back
    }

    /// The key of the watch in its engine.
    var place: Int32 {
        guard let source else { return -1 }
        return isSignal ? ~source.descriptor : source.descriptor
    }

    private var isSignal: Bool { source?.kind.contains(.signal) ?? false }

    /// Releases the event for a moment, and restores it.
    func release() { handle.value = nil }

    func restore() throws(LoopError) {
        guard let engine = unsafe engine, let source, !isAttached else { return }
        try engine.attach(self, to: source.descriptor, source.kind)
    }

    /// Releases the event, but not the handler.
    func pause() {
        handle.value = nil
        isPostponed = false
        count(false)
    }

    /// Whether its handler can be called now, as it isn't inside that.
    ///
    /// Otherwise what is ready is left to a later call; a signal stays caught meanwhile.
    func canBeCalled() -> Bool {
        guard isAttached, isCalling else { return isAttached }
        isPostponed = true
        if !isSignal { handle.value = nil }
        return false
    }

    /// Calls the handler.
    func call(_ readiness: Readiness) {
        // An observer of `afterIdle` may have cancelled it, or closed the loop.
        guard let handler else { return }
        guard !isReentrant else { return handler(readiness) }
        isCalling = true
        handler(readiness)
        isCalling = false
        if isPostponed { resume(readiness) }
    }

    private func resume(_ readiness: Readiness) {
        isPostponed = false
        if isSignal {
            handler?(readiness)
        } else {
            try? restore()
        }
    }
}
