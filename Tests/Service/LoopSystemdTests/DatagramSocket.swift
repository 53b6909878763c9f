import Glibc

/// A local socket that receives datagrams, as a manager's does.
final class DatagramSocket {
    struct Trouble: Error {
        let call: String
        let code = errno
    }

    /// What came at once.
    struct Message {
        let text: String

        /// The values of its fields, a line each.
        var fields: [String: String] {
            let pairs = text.split(separator: "\n").compactMap { line -> (String, String)? in
                let parts = line.split(separator: "=", maxSplits: 1)
                return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
            }
            return Dictionary(pairs) { $1 }
        }
    }

    let number: Int32

    /// Binds the socket to a path, or to `@` and an abstract name.
    init(_ name: String) throws {
        number = socket(
            AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) {
            unsafe $0.copyBytes(from: name.utf8)
            if name.hasPrefix("@") { unsafe $0[0] = 0 }
        }
        let length = socklen_t(2 + name.utf8.count + (name.hasPrefix("@") ? 0 : 1))
        let isBound = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(number, $0, length) == 0
            }
        }
        guard isBound else { throw Trouble(call: "bind") }
    }

    deinit { close(number) }

    /// The next message, waiting for it as long as is said; nil if there was none.
    func receive(within milliseconds: Int32 = 0) -> Message? {
        var ready = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&ready, 1, milliseconds) == 1 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = unsafe recv(number, &bytes, bytes.count, 0)
        guard count >= 0 else { return nil }
        return Message(text: String(decoding: bytes[..<count], as: UTF8.self))
    }

    /// All messages that are there.
    func receiveAll() -> [String] {
        var all: [String] = []
        while let message = receive() { all.append(message.text) }
        return all
    }
}
