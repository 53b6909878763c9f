import CSandbox
import Glibc

/// One end of the connection between the one who wants pictures and a helper.
struct Channel: ~Copyable {
    /// What was there to receive.
    enum Received: ~Copyable {
        /// Nothing so far.
        case nothing
        /// The other side is gone.
        case closed
        /// A message, and the descriptor that came with it.
        case message(Message, Descriptor?)
        /// What is no message, or has more than one descriptor.
        case garbage
        /// This process can't have the descriptor that came: it has too many.
        case noRoom
    }

    private let socket: Descriptor

    init(_ socket: consuming Descriptor) { self.socket = socket }

    /// A new connection, of which `far` is the other end.
    init(to far: inout Descriptor?) throws(SystemError) {
        var one: Int32 = -1
        var other: Int32 = -1
        guard unsafe sandbox_socket_pair(&one, &other) == 0 else {
            throw SystemError(call: "socketpair")
        }
        socket = Descriptor(owning: one)
        far = Descriptor(owning: other)
    }

    var number: Int32 { socket.number }

    /// Sends a message, with a file's descriptor if there is one.
    func send(_ message: Message, file: Int32 = -1, waits: Bool) throws(SystemError) {
        let bytes = message.bytes
        guard unsafe sandbox_send(number, bytes, bytes.count, file, waits) else {
            throw SystemError(call: "sendmsg")
        }
    }

    /// Takes the next message; what comes with something wrong is closed.
    func receive(waits: Bool) -> Received {
        var bytes = [UInt8](repeating: 0, count: Message.length)
        let got = unsafe sandbox_receive(number, &bytes, bytes.count, waits)
        if got.count < 0 { return errno == EAGAIN ? .nothing : .closed }
        let descriptors = got.descriptors
        let all = [descriptors.0, descriptors.1, descriptors.2, descriptors.3]
        let came = all.prefix(Int(got.descriptor_count))
        guard let message = Message(bytes: bytes.prefix(got.count)), !got.is_cut, came.count < 2,
            !got.lost_descriptors || came.isEmpty
        else {
            for number in came { close(number) }
            return got.count == 0 ? .closed : .garbage
        }
        if got.lost_descriptors { return .noRoom }
        return .message(message, came.first.map { Descriptor(owning: $0) })
    }
}
