internal import Glibc

@testable package import GalleryWeb

/// A client at a bare socket, that waits for nothing.
package final class TestClient {
    package let descriptor: Int32
    package private(set) var bytes: [UInt8] = []
    /// Whether the server has closed.
    package private(set) var isOver = false
    /// A client that doesn't read leaves everything to the server.
    package var isReading = true
    private var unsent: [UInt8] = []

    /// A client that is connected, from an address of its own if it's given one.
    package convenience init(
        to address: WebAddress, from own: WebAddress? = nil, receiveBuffer: Int? = nil
    ) {
        self.init(family: Self.name(address).family)
        if var size = receiveBuffer.map(Int32.init) {
            unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(4))
        }
        if let own {
            let status = unsafe Self.name(own).withPointer { unsafe bind(descriptor, $0, $1) }
            precondition(status == 0, "an address of its own can be had")
        }
        connect(to: address)
    }

    private init(family: Int32) {
        descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        precondition(descriptor >= 0, "a socket can be made")
    }

    /// One that has its descriptor, and no more.
    package static func unconnected() -> TestClient {
        TestClient(family: AF_INET)
    }

    package func connect(to address: WebAddress) {
        let status = unsafe Self.name(address).withPointer {
            unsafe Glibc.connect(descriptor, $0, $1)
        }
        precondition(status == 0, "somebody listens")
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    private static func name(_ address: WebAddress) -> SocketName {
        let name =
            switch address {
            case .tcp(let host, let port): SocketName(host: host, port: port)
            case .unix(let path): SocketName(path: path)
            case .descriptor: nil as SocketName?
            }
        guard let name else { preconditionFailure("an address to connect to") }
        return name
    }

    deinit {
        leave()
    }

    private var hasLeft = false

    package func leave() {
        guard !hasLeft else { return }
        hasLeft = true
        close(descriptor)
    }

    package func send(_ text: String) {
        send(Array(text.utf8))
    }

    package func send(_ bytes: [UInt8]) {
        unsent += bytes
        sendMore()
    }

    /// Whether the system has taken all that was sent.
    package var hasSentAll: Bool { unsent.isEmpty }

    package func look() {
        guard !hasLeft else { return }
        sendMore()
        guard isReading else { return }
        var room = [UInt8](repeating: 0, count: 65_536)
        while !isOver {
            let count = unsafe recv(descriptor, &room, room.count, 0)
            if count > 0 {
                bytes += room[..<count]
            } else {
                guard count == 0 || errno != EAGAIN else { return }
                isOver = true
            }
        }
    }

    private func sendMore() {
        while !unsent.isEmpty {
            let count = unsafe Glibc.send(descriptor, unsent, unsent.count, Int32(MSG_NOSIGNAL))
            guard count > 0 else { return }
            unsent.removeFirst(count)
        }
    }

    // MARK: - What came

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The statuses of the replies.
    package var statuses: [Int] {
        text.components(from: "HTTP/1.").compactMap { Int($0.dropFirst(2).prefix(3)) }
    }

    /// Whether one reply is there with its length.
    package var isAnswered: Bool {
        guard let end = text.firstRange(of: "\r\n\r\n") else { return false }
        guard let length = header("content-length").flatMap({ Int($0) }) else { return true }
        return text[end.upperBound...].utf8.count >= length
    }

    /// The first value of a header of the first reply.
    package func header(_ name: String) -> String? {
        headers.first { $0.name == name.lowercased() }?.value
    }

    /// The headers of the first reply, their names in lower case.
    package var headers: [(name: String, value: String)] {
        guard let end = text.firstRange(of: "\r\n\r\n") else { return [] }
        return text[..<end.lowerBound].split(separator: "\r\n").dropFirst().compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (line[..<colon].lowercased(), String(line[colon...].dropFirst(2)))
        }
    }

    /// What comes after the first reply's head.
    package var body: String { String(decoding: bodyBytes, as: UTF8.self) }

    package var bodyBytes: [UInt8] {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return [] }
        return Array(bytes[end.upperBound...])
    }
}

extension String {
    /// What follows each place where a text is.
    fileprivate func components(from mark: String) -> [Substring] {
        ranges(of: mark).map { self[$0.upperBound...] }
    }
}
