/// A standing request to be told when a descriptor is ready or a signal has come.
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
    }

    private weak var loop: MainLoop?
    private var handle: EventHandle?
    private var handler: ((Readiness) -> Void)?

    init(loop: MainLoop, handler: @escaping (Readiness) -> Void) {
        self.loop = loop
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
        loop?.forget(self)
        detach()
    }

    func attach(_ handle: consuming EventHandle) {
        self.handle = consume handle
    }

    func detach() {
        handle = nil
        handler = nil
    }

    func fire(readable: Bool, writable: Bool) {
        guard let loop, let handler else { return }
        loop.willDispatch()
        var readiness: Readiness = []
        if readable { readiness.insert(.readable) }
        if writable { readiness.insert(.writable) }
        handler(readiness)
    }
}
