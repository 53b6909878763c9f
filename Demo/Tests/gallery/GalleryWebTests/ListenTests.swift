import CGallery
import GalleryTestSupport
import Glibc
import Testing

@testable import GalleryWeb

struct ListenTests {
    @Test func `an address is read as it's written`() {
        #expect(WebAddress("127.0.0.1:8080") == .tcp(host: "127.0.0.1", port: 8080))
        #expect(WebAddress("[::1]:0") == .tcp(host: "::1", port: 0))
        #expect(WebAddress("localhost:80") == .tcp(host: "localhost", port: 80))
        #expect(WebAddress("unix:/run/g.sock") == .unix(path: "/run/g.sock"))
        for text in ["", ":80", "127.0.0.1", "a:b", "::1:80", "a:65536", "a:+1", "unix:", "[]:1"] {
            #expect(WebAddress(text) == nil)
        }
    }

    @Test func `an address by name isn't looked up`() throws {
        #expect(throws: WebError.notAnAddress("example.org:80")) {
            try ServerBench(on: .tcp(host: "example.org", port: 80))
        }
    }

    @Test func `a server listens on IPv6`() throws {
        let bench = try ServerBench(on: .tcp(host: "::1", port: 0))
        let client = bench.ask("GET / HTTP/1.1\r\nHost: [::1]:\(bench.port)\r\n\r\n")
        #expect(client.statuses == [200])
        #expect(bench.exchanges.first?.address == "::1")
    }

    @Test func `a port that is taken says so`() throws {
        let bench = try ServerBench()
        #expect(throws: WebError.system(call: "bind", errno: EADDRINUSE)) {
            try bench.server.listen(on: bench.address)
        }
    }

    @Test func `a unix socket is for its owner and group, and is gone afterwards`() throws {
        let folder = TemporaryFolder()
        let path = folder.file("g.sock")
        let bench = try ServerBench(on: .unix(path: path))
        #expect(mode(of: path) == S_IFSOCK | 0o660)
        let client = bench.ask(get("/"))
        #expect(client.statuses == [200])
        #expect(bench.exchanges.first?.address == "unix")
        bench.server.close()
        #expect(mode(of: path) == nil)
    }

    @Test func `a unix socket knows no addresses, and only the bound of all holds`() throws {
        let folder = TemporaryFolder()
        let bench = try ServerBench(on: .unix(path: folder.file("g.sock"))) {
            $0.connectionsPerAddress = 1
            $0.connections = 2
        }
        let clients = (0..<3).map { _ in bench.client() }
        #expect(bench.turns { clients.contains { $0.isOver } })
        #expect(bench.server.statistics.connections == 2)
        #expect(bench.server.statistics.refused == [.connections: 1])
        bench.server.close()
    }

    @Test func `a unix socket that somebody left behind is replaced`() throws {
        let folder = TemporaryFolder()
        let path = folder.file("g.sock")
        _ = try ListeningSocket(.unix(path: path))
        #expect(mode(of: path) != nil)
        let bench = try ServerBench(on: .unix(path: path))
        #expect(bench.ask(get("/")).statuses == [200])
        bench.server.close()
    }

    @Test func `a unix socket at which somebody answers isn't replaced`() throws {
        let folder = TemporaryFolder()
        let path = folder.file("g.sock")
        let bench = try ServerBench(on: .unix(path: path))
        #expect(throws: WebError.inUse(path: path)) { try ServerBench(on: .unix(path: path)) }
        #expect(bench.ask(get("/")).statuses == [200])
        bench.server.close()
    }

    @Test func `a file that isn't a socket is left alone`() throws {
        let folder = TemporaryFolder()
        let path = folder.file("precious")
        close(unsafe open(path, O_CREAT | O_WRONLY, 0o600))
        #expect(throws: WebError.notASocket(path: path)) { try ServerBench(on: .unix(path: path)) }
        #expect(mode(of: path) == S_IFREG | 0o600)
    }

    @Test func `a unix socket that is another's by now isn't removed`() throws {
        let folder = TemporaryFolder()
        let path = folder.file("g.sock")
        let bench = try ServerBench(on: .unix(path: path))
        unsafe unlink(path)
        let other = try ListeningSocket(.unix(path: path))
        bench.server.close()
        #expect(mode(of: path) != nil)
        other.file?.remove()
    }

    @Test(arguments: [0, 108, 4000])
    func `a path that libevent and the system have no room for is refused`(count: Int) throws {
        let path = String(repeating: "p", count: count)
        #expect(throws: WebError.unusablePath(bytes: count, limit: 107)) {
            try ServerBench(on: .unix(path: path))
        }
    }

    @Test func `a client with a long address of its own is served`() throws {
        let folder = TemporaryFolder()
        let path = folder.file(String(repeating: "c", count: 107 - folder.path.utf8.count - 1))
        let bench = try ServerBench(on: .unix(path: folder.file("g.sock")))
        let client = bench.client(from: .unix(path: path))
        client.send(get("/"))
        #expect(bench.turns { client.statuses == [200] })
        bench.server.close()
    }

    @Test(arguments: [
        WebAddress.tcp(host: "127.0.0.1", port: 0), .tcp(host: "::1", port: 0),
    ])
    func `a socket that was passed is served and closed`(address: WebAddress) throws {
        let socket = try ListeningSocket(address)
        let bound = socket.address
        let passed = socket.take()
        let bench = try ServerBench(on: .descriptor(passed))
        #expect(bench.address == bound)
        #expect(bench.ask(get("/")).statuses == [200])
        bench.server.close()
        #expect(SocketName.local(of: passed)?.port != bench.port)
    }

    @Test(arguments: [
        WebAddress.tcp(host: "127.0.0.1", port: 0), .tcp(host: "::1", port: 0),
    ])
    func `no connection waits for acknowledgements, on a socket of its own or a passed one`(
        address: WebAddress
    ) throws {
        let passed = try ListeningSocket(address).take()
        // As a service manager's socket is.
        var off: Int32 = 0
        _ = unsafe setsockopt(
            passed, Int32(IPPROTO_TCP), TCP_NODELAY, &off, socklen_t(4))
        for bench in [
            try ServerBench(on: address), try ServerBench(on: .descriptor(passed)),
        ] {
            _ = bench.client()
            #expect(bench.turns { bench.server.statistics.connections == 1 })
            let connection = try #require(bench.server.connections.all.first)
            var value: Int32 = 0
            var size = socklen_t(4)
            let status = unsafe getsockopt(
                connection.buffer.descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &value, &size)
            #expect(status == 0 && value == 1)
        }
    }

    @Test func `a unix socket that was passed is served, and its file isn't ours to remove`() throws
    {
        let folder = TemporaryFolder()
        let path = folder.file("g.sock")
        let passed = try ListeningSocket(.unix(path: path)).take()
        let bench = try ServerBench(on: .descriptor(passed))
        #expect(bench.address == .unix(path: path))
        #expect(bench.ask(get("/")).statuses == [200])
        bench.server.close()
        #expect(mode(of: path) != nil)
    }

    @Test func `a descriptor that doesn't listen is refused`() throws {
        let idle = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(idle) }
        #expect(throws: WebError.notListening(descriptor: idle)) {
            try ServerBench(on: .descriptor(idle))
        }
        #expect(throws: WebError.notListening(descriptor: -1)) {
            try ServerBench(on: .descriptor(-1))
        }
    }

    @Test func `without descriptors accepting rests`() async {
        await #expect(processExitsWith: .success) {
            let bench = try ServerBench { $0.acceptPause = .seconds(100) }
            let first = bench.ask(get("/"))
            bench.crowdWithoutDescriptors()
            guard bench.turns(until: { bench.server.statistics.acceptFailures == 1 }) else {
                exit(1)
            }
            // The socket is ready all the while, and nobody asks it.
            for _ in 0..<100 { bench.pass(isWaiting: false) }
            guard bench.server.statistics.acceptFailures == 1 else { exit(2) }
            guard bench.issues == [WebIssue(kind: .accept(errno: EMFILE), count: 1)] else {
                exit(3)
            }
            // Who is in already is served.
            first.send(get("/healthz"))
            guard bench.turns(until: { first.statuses == [200, 200] }) else { exit(4) }
        }
    }

    private func mode(of path: String) -> mode_t? {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status.st_mode : nil
    }
}

extension ServerBench {
    /// Some that connect where there's no descriptor left: more than others in this process, which had
    /// one for a moment, may give back meanwhile.
    fileprivate func crowdWithoutDescriptors() {
        let crowd = (0..<8).map { _ in TestClient.unconnected() }
        guard let last = crowd.map(\.descriptor).max() else { return }
        limitDescriptors(to: last + 1)
        while dup(last) >= 0 {}
        for client in crowd { client.connect(to: address) }
        clients += crowd
    }
}

/// Has this process open no descriptor from this number on.
private func limitDescriptors(to count: Int32) {
    var limit = rlimit(rlim_cur: rlim_t(count), rlim_max: 1024)
    unsafe setrlimit(__rlimit_resource_t(7), &limit)
}
