import CLullSandbox
import LullLibC
import IdleLoop
import ImageLoading

/// One end of the socket between a program and its helper process.
struct Channel {
    /// The result of receiving from the socket.
    enum Received {
        /// No message has arrived.
        case nothing
        /// The other side has closed the socket.
        case closed
        /// A message, and the file descriptor that came with it.
        case message(Message, OpenedFile?)
        /// A malformed message, or one with more than one descriptor.
        case garbage
    }

    private let socket: OpenedFile

    init(_ socket: OpenedFile) { self.socket = socket }

    /// Creates a pair of connected sockets.
    static func pair() throws(LoopError) -> (near: Channel, far: OpenedFile) {
        var one: Int32 = -1
        var other: Int32 = -1
        guard unsafe sandbox_socket_pair(&one, &other) == 0 else {
            throw .system(call: "socketpair", errno: errno)
        }
        return (Channel(OpenedFile(owning: one)), OpenedFile(owning: other))
    }

    var number: Int32 { socket.number }

    /// Sends a message, with a file descriptor if there is one.
    func send(_ message: Message, _ file: OpenedFile? = nil, waits: Bool) throws(LoopError) {
        let bytes = message.bytes
        guard unsafe sandbox_send(number, bytes, bytes.count, file?.number ?? -1, waits) else {
            throw .system(call: "sendmsg", errno: errno)
        }
    }

    /// Receives the next message; descriptors that come with a malformed one are closed.
    func receive(waits: Bool) -> Received {
        var bytes = [UInt8](repeating: 0, count: Message.length)
        let got = unsafe sandbox_receive(number, &bytes, bytes.count, waits)
        if got.count < 0 { return errno == EAGAIN ? .nothing : .closed }
        let file = got.descriptor < 0 ? nil : OpenedFile(owning: got.descriptor)
        guard let message = Message(bytes: bytes.prefix(got.count)), got.is_whole
        else { return got.count == 0 ? .closed : .garbage }
        return .message(message, file)
    }
}
