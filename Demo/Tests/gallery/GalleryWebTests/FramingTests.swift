import Testing

@testable import GalleryWeb

/// A request whose length could be read in two ways is the way to smuggle another one in.
struct FramingTests {
    @Test(
        arguments: [
            (post("/", "Content-Length: 0", "Content-Length: 44"), .length),
            (post("/", "Content-Length: 0", "Content-Length: 0"), .length),
            (
                post("/", "Content-Length: 4", "Transfer-Encoding: chunked") + "0\r\n\r\n",
                .transferEncoding
            ),
            (request("HEAD", "/", ["Content-Length: 4"]) + "body", .unexpectedBody),
            (get("/", "Content-Length: 4") + "body", .unexpectedBody),
            (
                request("HEAD", "/", ["Transfer-Encoding: chunked"]) + "0\r\n\r\n",
                .transferEncoding
            ),
            (
                "POST / HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", .transferEncoding
            ),
            (post("/", "Transfer-Encoding : chunked"), .header), (post("/", ": x"), .header),
            (post("/", "a b: c"), .header), (post("/", "Content-Length : 5"), .header),
            (post("/", "é: 1"), .header), (get("/", "X: a\u{1}b"), .header),
            (get("/", "X: a\u{8}b"), .header), (get("/", "X: a\u{7f}b"), .header),
            // Libevent would cut a line short at a zero byte.
            (post("/", "Content-Length: 0\0NN"), .zeroByte), (post("/", "X: \0"), .zeroByte),
            (post("/", "Accept-Encoding: gzip\0x"), .zeroByte), (post("/", "\0: x"), .zeroByte),
            ("GET /\0 HTTP/1.1\r\nHost: localhost\r\n\r\n", .zeroByte),
            ("GET / HTTP/1.2\r\nHost: localhost\r\n\r\n", .version),
            ("GET / HTTP/0.9\r\nHost: localhost\r\n\r\n", .version),
        ] as [(String, WebRefusal)])
    func `a head that could be read in two ways is refused, and nothing behind it is read`(
        text: String, reason: WebRefusal
    ) throws {
        let bench = try ServerBench()
        let client = bench.client(sending: text + get("/smuggled"))
        #expect(bench.turns { client.isOver })
        #expect(client.statuses == [reason.status])
        #expect(bench.paths.isEmpty)
        #expect(bench.server.statistics.refused == [reason: 1])
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

    @Test(arguments: ["+2", "0x2", "2 ", "2,2", "-0", ""])
    func `a length that isn't digits alone is refused`(length: String) throws {
        let bench = try ServerBench()
        let client = bench.client(
            sending: post("/", "Content-Length: \(length)") + "ab" + get("/smuggled"))
        #expect(bench.turns { client.isOver })
        #expect(client.statuses.first ?? 400 >= 400 || length == "2 ")
        #expect(!bench.paths.contains("/smuggled"))
    }

    @Test func `a zero byte in a body is a byte`() throws {
        let bench = try ServerBench()
        let client = bench.client(
            sending: post("/a", "Content-Length: 4") + "ab\0c" + get("/smuggled"))
        #expect(bench.turns { client.isOver })
        #expect(client.statuses == [200])
        #expect(bench.paths == ["/a"])
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
