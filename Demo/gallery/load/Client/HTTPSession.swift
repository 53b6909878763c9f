internal import IdleLoop

/// A client that sends requests one after the other on a persistent connection, which is reopened
/// when the server has closed it.
final class HTTPSession {
    typealias Completion = (HTTPReader.Answer?) -> Void

    private let server: ServerAddress
    private let number: Int
    private let loop: MainLoop
    private var connection: Connection?
    private var reader = HTTPReader()
    private var waiting: [(text: String, then: Completion)] = []
    private var current: (text: String, then: Completion)?
    /// Whether the current request is the first of its connection.
    private var isFresh = false

    init(_ server: ServerAddress, from number: Int, on loop: MainLoop) {
        self.server = server
        self.number = number
        self.loop = loop
    }

    /// The number of requests that wait or are in progress.
    var count: Int { waiting.count + (current == nil ? 0 : 1) }

    /// Sends a request; the answer is nil if there was none.
    func send(_ method: String = "GET", _ path: String, then: @escaping Completion) {
        let length = method == "POST" ? "Content-Length: 0\r\n" : ""
        let text = "\(method) \(path) HTTP/1.1\r\nHost: \(server.name)\r\n\(length)\r\n"
        waiting.append((text, then))
        sendNext()
    }

    func close() {
        waiting = []
        current = nil
        connection?.close()
        connection = nil
    }

    private func sendNext() {
        guard current == nil, !waiting.isEmpty else { return }
        current = waiting.removeFirst()
        isFresh = connection == nil
        send()
    }

    private func send() {
        guard let current else { return }
        if connection == nil {
            reader = HTTPReader()
            connection = Connection(
                to: server, from: number, on: loop,
                onBytes: { [weak self] in self?.take($0) }, onEnd: { [weak self] in self?.end() })
        }
        guard let connection else { return answer(nil) }
        connection.send(current.text)
    }

    private func take(_ bytes: ArraySlice<UInt8>) {
        reader.take(bytes)
        do throws(HTTPReader.Malformed) {
            while let answer = try reader.next() {
                if answer.isLast {
                    connection?.close()
                    connection = nil
                }
                self.answer(answer)
            }
        } catch {
            connection?.close()
            connection = nil
            answer(nil)
        }
    }

    private func end() {
        connection = nil
        guard current != nil else { return }
        // The server may have closed the connection just as the request was sent.
        if isFresh { return answer(nil) }
        isFresh = true
        send()
    }

    private func answer(_ answer: HTTPReader.Answer?) {
        guard let then = current?.then else { return }
        current = nil
        then(answer)
        sendNext()
    }
}
