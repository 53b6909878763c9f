import CSandbox
import Glibc
import IdleLoop
import ImageLoading

/// One end of the connection between a program that wants pictures and a helper.
struct Channel {
    /// The result of a look at the connection.
    enum Received {
        /// Nothing so far.
        case nothing
        /// The other side is gone.
        case closed
        /// A message, and the file that came with it.
        case message(Message, OpenedFile?)
        /// No message, or one with more than one file.
        case garbage
    }

    private let socket: OpenedFile

    init(_ socket: OpenedFile) { self.socket = socket }

    /// Creates a connection.
    static func pair() throws(LoopError) -> (near: Channel, far: OpenedFile) {
        var one: Int32 = -1
        var other: Int32 = -1
        guard unsafe sandbox_socket_pair(&one, &other) == 0 else {
            throw .system(call: "socketpair", errno: errno)
        }
        return (Channel(OpenedFile(owning: one)), OpenedFile(owning: other))
    }

    var number: Int32 { socket.number }

    /// Sends a message, with a file if there is one.
    func send(_ message: Message, _ file: OpenedFile? = nil, waits: Bool) throws(LoopError) {
        let bytes = message.bytes
        guard unsafe sandbox_send(number, bytes, bytes.count, file?.number ?? -1, waits) else {
            throw .system(call: "sendmsg", errno: errno)
        }
    }

    /// Takes the next message; what comes with something wrong is closed.
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
