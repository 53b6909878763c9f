import Testing

@testable import GalleryWeb

struct HostTests {
    private func statuses(_ lines: [String], hosts: [String] = []) throws -> [Int] {
        let bench = try ServerBench(hosts: hosts)
        let lines = lines.map { $0.replacing("PORT", with: String(bench.port)) }
        let client = bench.client(
            sending: lines.map { $0 + "\r\n" }.joined() + "\r\n")
        #expect(bench.turns { !client.statuses.isEmpty })
        if client.statuses[0] != 200 {
            #expect(bench.turns { client.isOver })
            #expect(bench.paths.isEmpty)
        }
        return client.statuses
    }

    @Test(arguments: [
        "localhost", "LOCALHOST:PORT", "127.0.0.1:PORT", "[::1]:PORT", "127.0.0.1", "localhost:9",
        "gallery.example", "Gallery.Example:443",
    ])
    func `a host by which the server is known is served`(host: String) throws {
        #expect(
            try statuses(["GET / HTTP/1.1", "Host: \(host)"], hosts: ["gallery.example"]) == [200])
    }

    @Test(arguments: ["evil.example", "localhost.evil.example", "10.0.0.1", "[::2]", "localhost."])
    func `a foreign host is refused, as a name may have been led here`(host: String) throws {
        #expect(try statuses(["GET / HTTP/1.1", "Host: \(host)"]) == [421])
    }

    @Test func `who asks for a foreign host is told why, and so is the log`() throws {
        let bench = try ServerBench()
        let client = bench.ask("GET / HTTP/1.1\r\nHost: pictures.example:81\r\n\r\n")
        #expect(client.statuses == [421])
        #expect(client.header("content-type") == "text/plain; charset=utf-8")
        #expect(client.body.contains("known"))
        #expect(
            bench.issues == [
                WebIssue(kind: .refused(.foreignHost), count: 1, host: "pictures.example:81")
            ])
        let long = String(repeating: "h", count: 4000)
        #expect(bench.ask("GET / HTTP/1.1\r\nHost: \(long)\r\n\r\n").statuses == [421])
        bench.time.now += .seconds(1)
        #expect(bench.ask("GET / HTTP/1.1\r\nHost: \(long)\r\n\r\n").statuses == [421])
        #expect(bench.issues.last?.host?.count == 255)
    }

    @Test(arguments: [
        "", "a b", "localhost:x", "localhost:", "user@localhost", "[::1", "a,b", ":80",
    ])
    func `a host that isn't one is refused`(host: String) throws {
        #expect(try statuses(["GET / HTTP/1.1", "Host: \(host)"]) == [400])
    }

    @Test func `a request without a host is refused`() throws {
        #expect(try statuses(["GET / HTTP/1.1"]) == [400])
        #expect(try statuses(["GET / HTTP/1.0", "X: y"]) == [400])
    }

    @Test func `a request with two hosts is refused`() throws {
        #expect(try statuses(["GET / HTTP/1.1", "Host: localhost", "Host: localhost"]) == [400])
    }

    @Test func `a request that names another server in its first line is refused`() throws {
        let line = "GET http://evil.example/ HTTP/1.1"
        #expect(try statuses([line, "Host: localhost"]) == [400])
    }

    @Test(arguments: [
        "Origin: http://evil.example", "Origin: null", "Origin: http://localhost:1",
        "Origin: http://localhost.evil.example", "Sec-Fetch-Site: cross-site",
    ])
    func `a POST from a page of another origin is refused`(header: String) throws {
        #expect(try statuses(["POST / HTTP/1.1", "Host: localhost", header]) == [403])
    }

    @Test(arguments: [
        "Origin: http://localhost", "Origin: https://localhost", "Sec-Fetch-Site: same-origin",
    ])
    func `a POST from a page of ours is served`(header: String) throws {
        #expect(try statuses(["POST / HTTP/1.1", "Host: localhost", header]) == [200])
    }

    @Test func `what a client says of proxies changes nothing`() throws {
        let bench = try ServerBench()
        for header in [
            "X-Forwarded-For: 1.2.3.4", "Forwarded: for=1.2.3.4;host=evil.example",
            "X-Forwarded-Host: evil.example",
        ] { #expect(bench.ask(get("/", header)).statuses == [200]) }
        #expect(bench.exchanges.allSatisfy { $0.address == "127.0.0.1" })
        let foreign = "GET / HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: localhost\r\n\r\n"
        #expect(bench.ask(foreign).statuses == [421])
    }

    @Test func `a link from elsewhere may be followed`() throws {
        let lines = ["GET / HTTP/1.1", "Host: localhost", "Sec-Fetch-Site: cross-site"]
        #expect(try statuses(lines) == [200])
    }
}
