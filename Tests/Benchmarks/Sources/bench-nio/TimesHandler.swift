import NIOCore

/// Reads times off a pipe.
final class TimesHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let receive: ([UInt64]) -> Void

    init(receive: @escaping ([UInt64]) -> Void) {
        self.receive = receive
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        var times: [UInt64] = []
        while let time = buffer.readInteger(endianness: .host, as: UInt64.self) {
            times.append(time)
        }
        receive(times)
    }
}
