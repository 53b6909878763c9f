import Glibc
public import IdleLoop

/// A server of HTTP/1.1 on 127.0.0.1, on the loop of its loaders, which does as it's told.
public final class TestServer {
    /// What it does in answer to a request.
    public enum Step {
        /// All of these bytes.
        case send([UInt8])
        /// A byte each time the loop comes round.
        case dribble([UInt8])
        /// These again and again, as fast as they're taken.
        case sendForever([UInt8])
        /// It closes the connection.
        case close
        /// It calls this.
        case call(() -> Void)
    }

    /// The head of a request.
    public struct Request {
        /// The path of its URL.
        public let path: String
        /// All of its lines.
        public let head: String
    }

    /// The port on which it listens.
    public let port: Int
    /// What it does for each request.
    public var answer: (Request) -> [Step] = { _ in TestServer.reply("") }
    /// The requests so far.
    public private(set) var requests: [Request] = []
    /// The number of connections that were opened.
    public private(set) var accepted = 0
    /// The most connections that were open at once.
    public private(set) var mostConnections = 0
    /// The number of times the other side has closed.
    public private(set) var departures = 0
    /// The number of times it has closed while it was being answered.
    public private(set) var walkouts = 0

    private let loop: MainLoop
    private let listener: Int32
    private var watch: Watch?
    private var connections: [ObjectIdentifier: Connection] = [:]

    /// A server on any free port.
    public init(on loop: MainLoop) throws {
        self.loop = loop
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port: UInt16? = unsafe withUnsafeMutablePointer(to: &address) { [listener] pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                guard unsafe bind(listener, pointer, size) == 0, listen(listener, 100) == 0,
                    unsafe getsockname(listener, pointer, &size) == 0
                else { return nil }
                return 0
            }
        }
        precondition(port != nil, "a port can be had")
        self.port = Int(UInt16(bigEndian: address.sin_port))
        watch = try loop.watch(listener, for: .readable) { [unowned self] _ in accept() }
    }

    deinit {
        close()
        Glibc.close(listener)
    }

    /// Takes no more connections, and closes those it has.
    public func close() {
        watch?.cancel()
        for connection in connections.values { connection.close() }
        connections = [:]
    }

    /// The number of open connections.
    public var connectionCount: Int { connections.count }

    /// Returns the URL of a path here.
    public func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    private func accept() {
        while true {
            let descriptor = Glibc.accept(listener, nil, nil)
            guard descriptor >= 0 else { return }
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            accepted += 1
            let connection = Connection(descriptor, loop, self)
            connections[ObjectIdentifier(connection)] = connection
            mostConnections = max(mostConnections, connections.count)
        }
    }

    /// Returns an answer of a text with its length.
    public static func reply(
        _ text: String, status: String = "200 OK", headers: [String] = []
    ) -> [Step] {
        reply(Array(text.utf8), status: status, headers: headers)
    }

    /// Returns an answer of bytes with its length.
    public static func reply(
        _ bytes: [UInt8], status: String = "200 OK", headers: [String] = []
    ) -> [Step] {
        let lines = ["HTTP/1.1 \(status)", "Content-Length: \(bytes.count)"] + headers + ["", ""]
        return [.send(Array(lines.joined(separator: "\r\n").utf8) + bytes)]
    }

    /// Returns the bytes of some lines.
    public static func text(_ lines: String...) -> [UInt8] {
        Array(lines.joined(separator: "\r\n").utf8)
    }

    /// One connection: reads requests, and does what is to be done for each in turn.
    private final class Connection {
        private let descriptor: Int32
        private let loop: MainLoop
        private unowned let server: TestServer
        private var reading: Watch?
        private var writing: Watch?
        private var buffer: [UInt8] = []
        private var steps: [Step] = []
        private var timer: LoopTimer?
        private var isOpen = true

        init(_ descriptor: Int32, _ loop: MainLoop, _ server: TestServer) {
            self.descriptor = descriptor
            self.loop = loop
            self.server = server
            reading = try? loop.watch(descriptor, for: .readable) { [weak self] _ in self?.read() }
        }

        func close() {
            guard isOpen else { return }
            isOpen = false
            reading?.cancel()
            writing?.cancel()
            timer?.cancel()
            Glibc.close(descriptor)
        }

        private func read() {
            var bytes = [UInt8](repeating: 0, count: 16_384)
            let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
            guard count > 0 else { return count == 0 || errno != EAGAIN ? depart() : () }
            buffer += bytes[..<count]
            while let end = endOfHead() {
                let head = String(decoding: buffer[..<end], as: UTF8.self)
                buffer.removeFirst(end)
                let words = head.split(separator: " ")
                let request = Request(path: words.count > 1 ? String(words[1]) : "", head: head)
                server.requests.append(request)
                steps += server.answer(request)
            }
            goOn()
        }

        private func endOfHead() -> Int? {
            let end: [UInt8] = [13, 10, 13, 10]
            guard buffer.count >= 4 else { return nil }
            return (0...buffer.count - 4).first { Array(buffer[$0..<$0 + 4]) == end }.map { $0 + 4 }
        }

        private func depart() {
            let wasBusy = !steps.isEmpty
            leave()
            server.departures += 1
            if wasBusy { server.walkouts += 1 }
        }

        private func leave() {
            close()
            server.connections[ObjectIdentifier(self)] = nil
        }

        private func goOn() {
            writing?.cancel()
            writing = nil
            while isOpen, let step = steps.first {
                switch step {
                case .send(let bytes):
                    let sent = send(bytes)
                    guard sent == bytes.count else {
                        steps[0] = .send(Array(bytes[sent...]))
                        return waitForRoom()
                    }
                case .dribble(let bytes):
                    guard bytes.isEmpty else {
                        steps[0] = .dribble(Array(bytes[send([bytes[0]])...]))
                        timer = loop.schedule(after: .zero) { [weak self] in self?.goOn() }
                        return
                    }
                case .sendForever(let bytes):
                    _ = send(bytes)
                    return waitForRoom()
                case .call(let body): body()
                case .close:
                    leave()
                    return
                }
                steps.removeFirst()
            }
        }

        private func waitForRoom() {
            guard isOpen else { return }
            writing = try? loop.watch(descriptor, for: .writable) { [weak self] _ in self?.goOn() }
        }

        private func send(_ bytes: [UInt8]) -> Int {
            guard !bytes.isEmpty else { return 0 }
            let count = unsafe Glibc.send(
                descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            if count < 0, errno != EAGAIN { depart() }
            return max(0, count)
        }
    }
}
