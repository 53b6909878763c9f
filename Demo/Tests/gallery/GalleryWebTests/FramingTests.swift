import Testing

@testable import GalleryWeb

/// A request whose length could be read in two ways is the way to smuggle another one in.
struct FramingTests {
    /// Sends a request and another behind it: one is refused, and the other isn't seen.
    private func isRefused(_ text: String, _ reason: WebRefusal, _ status: Int = 400) throws {
        let bench = try ServerBench()
        let client = bench.client(sending: text + get("/smuggled"))
        #expect(bench.turns { client.isOver })
        #expect(client.statuses == [status])
        #expect(bench.paths.isEmpty)
        #expect(bench.server.statistics.refused == [reason: 1])
    }

    @Test func `two different lengths are refused`() throws {
        try isRefused(post("/", "Content-Length: 0", "Content-Length: 44"), .length)
    }

    @Test func `two equal lengths are refused`() throws {
        try isRefused(post("/", "Content-Length: 0", "Content-Length: 0"), .length)
    }

    @Test(arguments: ["identity", "gzip", "chunked, identity", "\u{b}chunked", "x"])
    func `an unknown transfer encoding is refused`(coding: String) throws {
        let bench = try ServerBench()
        let client = bench.client(
            sending: post("/", "Transfer-Encoding: \(coding)") + get("/smuggled"))
        #expect(bench.turns { client.isOver })
        #expect(client.statuses == [400])
        #expect(bench.paths.isEmpty)
    }

    @Test(arguments: ["0", "0x0", "+0"])
    func `a chunked request is refused, whatever its chunks' sizes are written like`(
        size: String
    ) throws {
        let bench = try ServerBench()
        let client = bench.client(
            sending: post("/", "Transfer-Encoding: chunked") + "\(size)\r\n\r\n" + get("/smuggled"))
        #expect(bench.turns { client.isOver })
        #expect(client.statuses == [400])
        #expect(bench.paths.isEmpty)
    }

    @Test func `a transfer encoding beside a length is refused`() throws {
        try isRefused(
            post("/", "Content-Length: 4", "Transfer-Encoding: chunked") + "0\r\n\r\n",
            .transferEncoding)
    }

    @Test func `a HEAD with a body is refused`() throws {
        try isRefused(request("HEAD", "/", ["Content-Length: 4"]) + "body", .unexpectedBody)
    }

    @Test func `a GET with a body is refused`() throws {
        try isRefused(get("/", "Content-Length: 4") + "body", .unexpectedBody)
    }

    @Test func `a HEAD with a transfer encoding is refused`() throws {
        try isRefused(
            request("HEAD", "/", ["Transfer-Encoding: chunked"]) + "0\r\n\r\n", .transferEncoding)
    }

    @Test func `a chunked request of HTTP 1.0 that would keep its connection is refused`() throws {
        try isRefused(
            "POST / HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", .transferEncoding)
    }

    @Test(arguments: ["Transfer-Encoding : chunked", ": x", "a b: c", "Content-Length : 5", "é: 1"])
    func `a header whose name isn't a name is refused`(header: String) throws {
        try isRefused(post("/", header), .header)
    }

    @Test(arguments: ["\u{1}", "a\u{8}b", "\u{7f}"])
    func `a header with a control byte in its value is refused`(value: String) throws {
        try isRefused(get("/", "X: a\(value)b"), .header)
    }

    @Test(arguments: ["+2", "0x2", "2 ", "2,2", "-0", ""])
    func `a length that isn't digits alone is refused`(length: String) throws {
        let bench = try ServerBench()
        let client = bench.client(
            sending: post("/", "Content-Length: \(length)") + "ab" + get("/smuggled"))
        #expect(bench.turns { client.isOver })
        #expect(client.statuses.first ?? 400 >= 400 || length == "2 ")
        #expect(!bench.paths.contains("/smuggled"))
    }

    @Test(arguments: ["Content-Length: 0\0NN", "Accept-Encoding: gzip\0x", "X: \0", "\0: x"])
    func `a zero byte, at which libevent would cut a line short, is refused before it reads it`(
        header: String
    ) throws {
        try isRefused(post("/", header), .zeroByte)
    }

    @Test func `a zero byte in a body is a byte`() throws {
        let bench = try ServerBench()
        let client = bench.client(
            sending: post("/a", "Content-Length: 4") + "ab\0c" + get("/smuggled"))
        #expect(bench.turns { client.isOver })
        #expect(client.statuses == [200])
        #expect(bench.paths == ["/a"])
    }

    @Test func `a zero byte in the first line is refused`() throws {
        try isRefused("GET /\0 HTTP/1.1\r\nHost: localhost\r\n\r\n", .zeroByte)
    }

    @Test func `a request with a body costs its connection`() throws {
        let bench = try ServerBench()
        let client = bench.client(
            sending: post("/a", "Content-Length: 4") + "body" + get("/smuggled"))
        #expect(bench.turns { client.isOver })
        #expect(client.statuses == [200])
        #expect(bench.paths == ["/a"])
        #expect(client.header("connection") == "close")
    }

    @Test func `a POST with a length of zero keeps its connection`() throws {
        let bench = try ServerBench()
        let client = bench.client(
            sending: post("/a", "Content-Length: 0") + post("/b", "Content-Length: 0"))
        #expect(bench.turns { client.statuses == [200, 200] })
        #expect(!client.isOver)
        #expect(bench.paths == ["/a", "/b"])
    }

    @Test func `HTTP 1.0 with keep-alive closes after the answer`() throws {
        let bench = try ServerBench()
        let client = bench.client(
            sending: "GET /a HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n"
                + get("/second"))
        #expect(bench.turns { client.isOver })
        #expect(client.statuses == [200])
        #expect(bench.paths == ["/a"])
        #expect(client.headers.filter { $0.name == "connection" }.map(\.value) == ["close"])
    }

    @Test(arguments: ["HTTP/1.2", "HTTP/1.9", "HTTP/0.9"])
    func `another version than 1.0 and 1.1 is refused`(version: String) throws {
        try isRefused("GET / \(version)\r\nHost: localhost\r\n\r\n", .version, 505)
    }

    @Test(arguments: ["PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "BREW", "get"])
    func `another method than GET, HEAD and POST is told which there are`(method: String) throws {
        let bench = try ServerBench()
        let client = bench.client(
            sending: request(method, method == "CONNECT" ? "localhost:80" : "/", [])
                + get("/smuggled"))
        #expect(bench.turns { client.isOver })
        #expect(client.statuses == [405])
        #expect(client.header("allow") == "GET, HEAD, POST")
        #expect(bench.paths.isEmpty)
    }

    @Test func `a connection whose client wants it closed is closed`() throws {
        let bench = try ServerBench()
        let client = bench.client(sending: get("/a", "Connection: TE, Close") + get("/b"))
        #expect(bench.turns { client.isOver })
        #expect(bench.paths == ["/a"])
    }
}
