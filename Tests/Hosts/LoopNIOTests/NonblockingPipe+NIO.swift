#if NIO
import Glibc
import NIOCore
import NIOPosix
import TestSupport

extension NonblockingPipe {
    /// Makes NIO read the pipe, and call `body` with its channel each time it has.
    func watch(on eventLoop: any EventLoop, _ body: @escaping @Sendable (any Channel) -> Void) {
        _ = NIOPipeBootstrap(group: eventLoop)
            .channelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Reader(of: self, body))
                }
            }
            .takingOwnershipOfDescriptor(input: dup(reading))
    }
}

/// A handler of a channel that reads a pipe, which it keeps open.
private final class Reader: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let pipe: NonblockingPipe
    private let body: @Sendable (any Channel) -> Void

    init(of pipe: NonblockingPipe, _ body: @escaping @Sendable (any Channel) -> Void) {
        self.pipe = pipe
        self.body = body
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        body(context.channel)
    }
}
#endif
