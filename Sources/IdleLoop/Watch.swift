/// A standing request to be told when a descriptor is ready, a signal has come or a child has ended.
///
/// The loop keeps it until `cancel()`, so it may be dropped when it's never to be cancelled.
public final class Watch {
    /// What a descriptor is ready for.
    public struct Readiness: OptionSet, Sendable {
        /// The bits of the set.
        public let rawValue: UInt8

        /// A set of these bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// There is something to read, or the other side has closed.
        public static let readable = Readiness(rawValue: 1)
        /// There is room to write.
        public static let writable = Readiness(rawValue: 2)
        /// The other side of a socket has closed, or will write no more; told even while what it
        /// wrote before is still unread.
        public static let closed = Readiness(rawValue: 4)
    }

    /// How often a descriptor that stays ready is told of.
    public enum Trigger: Sendable {
        /// In each pass.
        case level
        /// Once each time that it gets ready, or more of it comes.
        case edge
    }

    // Nil once it's cancelled, or the loop is closed, which it is before it goes.
    private unowned(unsafe) var loop: MainLoop?
    private var handle: EventHandle?
    private var handler: ((Readiness) -> Void)?
    private let work: Turn.Work

    init(loop: MainLoop, _ work: Turn.Work, handler: @escaping (Readiness) -> Void) {
        unsafe self.loop = loop
        self.work = work
        self.handler = handler
    }

    /// Whether the loop still watches for it.
    public var isActive: Bool {
        switch handle {
        case .none: false
        case .some: true
        }
    }

    /// Stops watching; nothing is called after this returns.
    ///
    /// A second call does nothing.
    public func cancel() {
        unsafe loop?.forget(self)
        detach()
    }

    /// Has libevent tell it of a descriptor, or of a signal by its number.
    func attach(
        to descriptor: Int32, _ kind: EventHandle.Kind, on base: borrowing EventBase,
        isInternal: Bool = false
    ) throws(LoopError) {
        handle = try unsafe EventHandle(
            on: base, descriptor, kind, isInternal: isInternal,
            context: Unmanaged.passUnretained(self).toOpaque()
        ) { _, what, context in
            guard let context = unsafe context else { return }
            let watch = unsafe Unmanaged<Watch>.fromOpaque(context).takeUnretainedValue()
            watch.fire(EventHandle.Kind(rawValue: what))
        }
    }

    func detach() {
        let handler = handler
        handle = nil
        self.handler = nil
        unsafe loop = nil
        withExtendedLifetime(handler) {}  // until here: what it holds may call as it goes
    }

    /// Lets go of the event, and not of the handler.
    func pause() {
        handle = nil
    }

    private func fire(_ kind: EventHandle.Kind) {
        guard let loop = unsafe loop else { return }
        var readiness: Readiness = []
        if kind.contains(.readable) { readiness.insert(.readable) }
        if kind.contains(.writable) { readiness.insert(.writable) }
        if kind.contains(.closed) { readiness.insert(.closed) }
        loop.dispatch(work) {
            // An observer of the sleep's end may have cancelled it, or closed the loop.
            if let handler { handler(readiness) }
        }
    }
}

extension Watch.Readiness {
    var kind: EventHandle.Kind {
        var kind: EventHandle.Kind = []
        if contains(.readable) { kind.insert(.readable) }
        if contains(.writable) { kind.insert(.writable) }
        if contains(.closed) { kind.insert(.closed) }
        return kind
    }
}
