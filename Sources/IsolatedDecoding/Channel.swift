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
        /// This process can't have the file that came: it has too many.
        case noRoom
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
        let descriptors = got.descriptors
        let all = [descriptors.0, descriptors.1, descriptors.2, descriptors.3]
        let files = all.prefix(Int(got.descriptor_count)).map { OpenedFile(owning: $0) }
        guard let message = Message(bytes: bytes.prefix(got.count)), !got.is_cut, files.count < 2,
            !got.lost_descriptors || files.isEmpty
        else { return got.count == 0 ? .closed : .garbage }
        return got.lost_descriptors ? .noRoom : .message(message, files.first)
    }
}
