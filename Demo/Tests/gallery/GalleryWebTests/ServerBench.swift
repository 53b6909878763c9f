import CGallery
import GalleryTestSupport
import Glibc
import Testing

@testable import GalleryWeb

/// A server on a base that the test dispatches, and its clients, all on one thread.
///
/// Its time stands still until the test moves it.
@safe final class ServerBench {
    let base: OpaquePointer
    let time: TestTime
    private(set) var server: WebServer!
    private(set) var address = WebAddress.tcp(host: "", port: 0)
    /// What it does with a request, after taking it down.
    var handler: (WebExchange) -> Void = { $0.reply(200, [], Array($0.path.utf8)) }
    private(set) var exchanges: [WebExchange] = []
    private(set) var issues: [WebIssue] = []
    var clients: [TestClient] = []
    private let heartbeat: OpaquePointer

    init(
        on address: WebAddress = .tcp(host: "127.0.0.1", port: 0), hosts: [String] = [],
        _ change: (inout WebLimits) -> Void = { _ in }
    ) throws {
        // Libevent writes to clients that have left.
        signal(SIGPIPE, SIG_IGN)
        guard let base = unsafe event_base_new() else { preconditionFailure("a base can be made") }
        unsafe self.base = unsafe base
        // So that a pass in which nothing happens ends, too.
        guard let heartbeat = unsafe event_new(base, -1, Int16(EV_PERSIST), { _, _, _ in }, nil)
        else { preconditionFailure("an event can be made") }
        unsafe self.heartbeat = unsafe heartbeat
        var beat = timeval(tv_sec: 0, tv_usec: 1000)
        unsafe event_add(heartbeat, &beat)
        time = TestTime()
        var limits = WebLimits()
        change(&limits)
        server = try unsafe WebServer(
            on: base, limits: limits, hosts: hosts,
            time: { [time] in time.now }
        ) { [unowned self] exchange in
            exchanges.append(exchange)
            handler(exchange)
        }
        server.onIssue = { [unowned self] in issues.append($0) }
        self.address = try server.listen(on: address)
    }

    deinit {
        server.close()
        clients = []
        unsafe event_free(heartbeat)
        unsafe event_base_free(base)
    }

    var paths: [String] { exchanges.map(\.path) }

    var port: Int {
        guard case .tcp(_, let port) = address else { return 0 }
        return port
    }

    /// The events of the base, but for the one that keeps a test going.
    var eventCount: Int {
        Int(unsafe event_base_get_num_events(base, UInt32(EVENT_BASE_COUNT_ADDED))) - 1
    }

    // MARK: - Passes

    /// One turn of the base, then one look of each client.
    func pass(isWaiting: Bool = true) {
        unsafe event_base_loop(base, EVLOOP_ONCE | (isWaiting ? 0 : EVLOOP_NONBLOCK))
        for client in clients { client.look() }
    }

    /// So many turns that all that can happen has.
    func passes() {
        for _ in 0..<10 { pass() }
    }

    /// Turns until something holds; false if it doesn't in a great many.
    func turns(until isDone: () -> Bool) -> Bool {
        for _ in 0..<10_000 {
            if isDone() { return true }
            pass()
        }
        return isDone()
    }

    // MARK: - Clients

    /// A client that is connected, whether or not it was accepted.
    func client(from own: WebAddress? = nil, receiveBuffer: Int? = nil) -> TestClient {
        let client = TestClient(to: address, from: own, receiveBuffer: receiveBuffer)
        clients.append(client)
        return client
    }

    /// A client that has sent something.
    func client(sending text: String) -> TestClient {
        let client = client()
        client.send(text)
        return client
    }

    /// What a request is answered with, the whole of it; the connection stays.
    func ask(_ request: String) -> TestClient {
        let client = client(sending: request)
        #expect(turns { client.isAnswered || client.isOver })
        return client
    }
}

/// A time that stands still until it's told to go on.
final class TestTime {
    var now: Duration = .zero
}

/// A plain request, whose connection may be kept.
func get(_ path: String, _ headers: String...) -> String {
    request("GET", path, headers)
}

func post(_ path: String, _ headers: String...) -> String {
    request("POST", path, headers)
}

func request(_ method: String, _ path: String, _ headers: [String]) -> String {
    (["\(method) \(path) HTTP/1.1", "Host: localhost"] + headers).map { $0 + "\r\n" }.joined()
        + "\r\n"
}
