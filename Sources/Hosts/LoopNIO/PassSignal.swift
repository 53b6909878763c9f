#if NIO
internal import LullLibC
internal import IdleLoop
internal import NIOCore
internal import NIOPosix

/// A signal of any thread for a pass of a host, which begins after NIO's next poll.
///
/// It is an eventfd that NIO's selector watches as the input of a channel. It is also what
/// closures of other threads have of the host: after its end they find nothing.
final class PassSignal: Sendable {
    private let eventLoop: any EventLoop
    private let eventFD: EventFD
    /// Whether the event loop has a selector; one that is embedded has not.
    let hasSelector: Bool
    /// The host, until its end.
    ///
    /// Not checked, as any thread may hold the signal: it's used on the event loop's thread.
    private nonisolated(unsafe) var host: NIOHost?
    /// The channel, until NIO or the host closes it; used on the event loop's thread.
    private nonisolated(unsafe) var channel: (any Channel)?

    init(on eventLoop: any EventLoop) throws(LoopError) {
        self.eventLoop = eventLoop
        hasSelector = NIOPipeBootstrap(validatingGroup: eventLoop) != nil
        eventFD = try EventFD()
    }

    /// Requests a pass, from any thread; those that are requested before it begins are one.
    func send() {
        if hasSelector { eventFD.signal() } else { hasPolled() }
    }

    /// Begins the pass, after what the same poll has made ready.
    fileprivate func hasPolled() {
        eventLoop.execute { self.withHost { $0.pass() } }
    }

    /// Calls `body` with the host, on the event loop's thread, unless it has ended.
    func withHost(_ body: (NIOHost) -> Void) {
        if let host = unsafe host { body(host) }
    }

    // MARK: - Called by the host

    func begin(_ host: NIOHost) throws(LoopError) {
        if hasSelector { try register() }
        unsafe self.host = host
    }

    private func register() throws(LoopError) {
        guard let bootstrap = NIOPipeBootstrap(validatingGroup: eventLoop) else { return }
        let input = fcntl(eventFD.descriptor, F_DUPFD_CLOEXEC, 0)
        guard input >= 0 else { throw .system(call: "fcntl", errno: errno) }
        var failure: (any Error)?
        // Registered before this returns, since it's called on the event loop's thread.
        bootstrap.channelOption(.maxMessagesPerRead, value: 1)
            .channelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(SignalHandler(signal: self))
                }
            }
            .takingOwnershipOfDescriptor(input: input)
            .assumeIsolated()
            .whenComplete { result in
                switch result {
                case .success(let channel): unsafe self.channel = channel
                case .failure(let error):
                    failure = error
                    close(input)
                }
            }
        if let failure {
            let code = (failure as? IOError)?.errnoCode ?? ENOMEM
            throw .system(call: "NIOPipeBootstrap", errno: code)
        }
    }

    func end() {
        unsafe host = nil
        unsafe channel?.close(promise: nil)
        unsafe channel = nil
    }

    /// Handles the end of the channel: the event loop is being shut down, or the host has ended.
    fileprivate func hasClosed() {
        unsafe channel = nil
    }
}

/// The handler of a signal's channel.
private final class SignalHandler: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let signal: PassSignal

    init(signal: PassSignal) {
        self.signal = signal
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        signal.hasPolled()
    }

    func channelInactive(context: ChannelHandlerContext) {
        signal.hasClosed()
    }
}
#endif
