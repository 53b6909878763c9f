import Glibc

/// What comes back on a connection of its own, read as it comes.
final class WebAnswer {
    private let descriptor: Int32
    private var bytes: [UInt8] = []
    private var hasEnded = false

    init(of request: String, port: UInt16) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = unsafe withUnsafeBytes(of: &address) { name in
            unsafe connect(
                descriptor, name.baseAddress!.assumingMemoryBound(to: sockaddr.self),
                socklen_t(name.count))
        }
        precondition(status == 0, "somebody listens")
        let sent = unsafe send(
            descriptor, Array(request.utf8), request.utf8.count, Int32(MSG_NOSIGNAL))
        precondition(sent == request.utf8.count, "a request is short")
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    deinit {
        close(descriptor)
    }

    /// Whether the server has closed.
    var isOver: Bool {
        look()
        return hasEnded
    }

    private func look() {
        var room = [UInt8](repeating: 0, count: 65_536)
        while !hasEnded {
            let count = unsafe recv(descriptor, &room, room.count, 0)
            if count > 0 {
                bytes += room[..<count]
            } else {
                guard count == 0 || errno != EAGAIN else { return }
                hasEnded = true
            }
        }
    }

    /// All that has come.
    var text: String {
        look()
        return String(decoding: bytes, as: UTF8.self)
    }

    var status: Int { Int(text.dropFirst(9).prefix(3)) ?? 0 }

    func header(_ name: String) -> String? {
        for line in head.split(separator: "\r\n") {
            guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name else {
                continue
            }
            return String(line[colon...].dropFirst(2))
        }
        return nil
    }

    private var head: Substring {
        let text = text[...]
        return text[..<(text.firstRange(of: "\r\n\r\n")?.lowerBound ?? text.endIndex)]
    }

    /// What comes after the head, in bytes; parts are as they came.
    var body: [UInt8] {
        look()
        return Array(bytes.dropFirst(head.utf8.count + 4))
    }

    var bodyText: String { String(decoding: body, as: UTF8.self) }
}
