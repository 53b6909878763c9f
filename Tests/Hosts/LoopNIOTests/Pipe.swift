#if NIO
import Glibc
import NIOCore
import NIOPosix

/// A pipe that doesn't block, closed with its owner.
final class Pipe: Sendable {
    let reading: Int32
    let writing: Int32

    init() {
        var ends: [Int32] = [0, 0]
        precondition(unsafe pipe(&ends) == 0, "a pipe can be made")
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        reading = ends[0]
        writing = ends[1]
    }

    deinit {
        close(reading)
        close(writing)
    }

    func put() {
        let byte: UInt8 = 1
        _ = unsafe withUnsafeBytes(of: byte) { unsafe write(writing, $0.baseAddress, 1) }
    }

    func drain() {
        var room: [UInt8] = Array(repeating: 0, count: 64)
        while unsafe read(reading, &room, 64) > 0 {}
    }

    /// Has NIO read the pipe, and call `body` with its channel each time it has.
    func watch(on eventLoop: any EventLoop, _ body: @escaping @Sendable (any Channel) -> Void) {
        _ = NIOPipeBootstrap(group: eventLoop)
            .channelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Reader(of: self, body))
                }
            }
            .takingOwnershipOfDescriptor(input: dup(reading))
    }

    private final class Reader: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer

        private let pipe: Pipe
        private let body: @Sendable (any Channel) -> Void

        init(of pipe: Pipe, _ body: @escaping @Sendable (any Channel) -> Void) {
            self.pipe = pipe
            self.body = body
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            body(context.channel)
        }
    }
}
#endif
