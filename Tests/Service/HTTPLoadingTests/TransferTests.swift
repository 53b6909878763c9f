import HTTPLoading
import IdleLoop
import TestServer
import Testing

/// What transfers bring, and how they fail.
struct TransferTests {
    @Test func `a transfer brings the bytes and what the server says of them`() throws {
        let bench = try LoaderBench()
        bench.server.answer = { _ in
            TestServer.reply(
                "hello",
                headers: [
                    "Content-Type: text/plain ", "ETag: \"7\"",
                    "Last-Modified: Sat, 21 Nov 2026 00:00:00 GMT",
                ])
        }
        let body = try bench.body(of: "/a?b")
        #expect(body.text == "hello")
        #expect(body.status == 200)
        #expect(body.contentType == "text/plain")
        #expect(
            body.version
                == HTTPLoadResponse.Version(
                    etag: "\"7\"", lastModified: "Sat, 21 Nov 2026 00:00:00 GMT"))
        #expect(body.url == bench.server.url("/a?b"))
        #expect(bench.server.requests.map(\.path) == ["/a?b"])
    }

    @Test func `nothing is said that wasn't asked for`() throws {
        let bench = try LoaderBench { $0.userAgent = "tester" }
        bench.server.answer = { _ in TestServer.reply("", headers: ["Set-Cookie: a=b"]) }
        _ = try bench.body(of: "/") {
            $0.headers = ["Authorization": "Bearer x", "Split": "a\r\nInjected: b"]
            $0.validators = HTTPLoadResponse.Version(etag: "\"1\"\r\nInjected: c")
        }
        _ = try bench.body(of: "/")
        let lines = bench.server.requests.map {
            $0.head.split(separator: "\r\n").dropFirst().map { $0.lowercased() }
                .filter { !$0.hasPrefix("accept-encoding: ") }.sorted()
        }
        let accept = "accept: image/webp,image/png,image/jpeg,image/gif,*/*;q=0.5"
        let host = "host: 127.0.0.1:\(bench.server.port)"
        #expect(lines[0] == [accept, "authorization: bearer x", host, "user-agent: tester"])
        #expect(lines[1] == [accept, host, "user-agent: tester"])
    }

    @Test func `what is known and still right isn't sent again`() throws {
        let bench = try LoaderBench()
        bench.server.answer = { request in
            request.head.contains("If-None-Match: \"7\"")
                ? TestServer.reply("", status: "304 Not Modified", headers: ["ETag: \"7\""])
                : TestServer.reply("new", headers: ["ETag: \"7\""])
        }
        let first = try bench.body(of: "/")
        let second = try bench.body(of: "/") { $0.validators = first.version }
        #expect(second.status == 304 && second.bytes.isEmpty)
        #expect(first.status == 200)
        // Who knows nothing has no use for such an answer.
        bench.server.answer = { _ in TestServer.reply("", status: "304 Not Modified") }
        #expect(try bench.error(of: "/") == .status(304, retryAfter: nil))
    }

    @Test func `a body comes in whatever pieces`() throws {
        let bench = try LoaderBench()
        let large = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        bench.server.answer = { request in
            switch request.path {
            case "/chunked":
                [
                    .dribble(
                        TestServer.text(
                            "HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "", "3", "abc",
                            "A;x=y", "0123456789", "0", "ETag: b", "Content-Length: 99999", "",
                            ""))
                ]
            case "/large": TestServer.reply(large)
            case "/until-closed": [.send(TestServer.text("HTTP/1.1 200 OK", "", "rest")), .close]
            default: TestServer.reply("").map { $0 }
            }
        }
        let chunked = try bench.body(of: "/chunked")
        #expect(chunked.text == "abc0123456789")
        #expect(chunked.version == nil, "what follows the body says nothing of it")
        #expect(try bench.body(of: "/large").bytes == large)
        #expect(try bench.body(of: "/until-closed").text == "rest")
        #expect(try bench.body(of: "/empty").bytes.isEmpty)
    }

    @Test func `redirects are followed within reason`() throws {
        let bench = try LoaderBench()
        bench.server.answer = { request in
            let left = Int(request.path.dropFirst()) ?? 0
            return left == 0
                ? TestServer.reply("here")
                : TestServer.reply(
                    "away", status: "302 Found",
                    headers: ["Location: /\(left - 1)", "ETag: old", "Content-Type: old/type"])
        }
        let body = try bench.body(of: "/5")
        #expect(body.text == "here")
        #expect(body.url == bench.server.url("/0"))
        #expect(body.version == nil && body.contentType == nil, "the last head counts")
        #expect(try bench.error(of: "/6") == .tooManyRedirects(limit: 5))
        bench.server.answer = { _ in
            TestServer.reply("", status: "301 Moved", headers: ["Location: /round"])
        }
        let count = bench.server.requests.count
        #expect(try bench.error(of: "/round") == .tooManyRedirects(limit: 5))
        #expect(bench.server.requests.count - count == 6)
        bench.server.answer = { _ in TestServer.reply("", status: "302 Found") }
        #expect(try bench.error(of: "/nowhere") == .status(302, retryAfter: nil))
    }

    @Test(arguments: [
        ("file:///etc/passwd", "file"), ("ftp://127.0.0.1/x", "ftp"),
        ("gopher://127.0.0.1/x", "gopher"), ("FILE:///etc/passwd", "file"), ("xyz://a/", "xyz"),
    ])
    func `other schemes are refused, asked for or redirected to`(url: String, scheme: String) throws
    {
        let bench = try LoaderBench()
        bench.server.answer = { _ in
            TestServer.reply("", status: "302 Found", headers: ["Location: \(url)"])
        }
        #expect(try bench.error(of: "/") == .refusedScheme(scheme))
        #expect(try bench.error(of: url) == .refusedScheme(scheme))
        #expect(bench.server.requests.count == 1)
    }

    @Test(arguments: [
        "", "http://", "http://a b/", "http://127.0.0.1:99999/", "http://[::1", "http://a\0b/",
        "x//", "http://127.0.0.1:1:2/",
    ])
    func `what isn't an address has failed`(url: String) throws {
        let bench = try LoaderBench()
        switch try bench.error(of: url) {
        case .badURL(url)?: break
        case let error: Issue.record("\(url): \(String(describing: error))")
        }
    }

    @Test func `a body that is too large has failed, promised or come`() throws {
        let bench = try LoaderBench { $0.byteLimit = 10_000 }
        let many = [UInt8](repeating: 65, count: 4096)
        bench.server.answer = { request in
            switch request.path {
            case "/promised":
                [.send(TestServer.text("HTTP/1.1 200 OK", "Content-Length: 10001", "", "a"))]
            case "/huge":
                [
                    .send(
                        TestServer.text(
                            "HTTP/1.1 200 OK", "Content-Length: 9223372036854775807", "", "a"))
                ]
            case "/forever":
                [.send(TestServer.text("HTTP/1.1 200 OK", "", "")), .sendForever(many)]
            default: TestServer.reply([UInt8](repeating: 65, count: 10_000))
            }
        }
        #expect(try bench.error(of: "/promised") == .tooLarge(found: 10_001, limit: 10_000))
        #expect(try bench.error(of: "/huge") == .tooLarge(found: .max, limit: 10_000))
        guard case .tooLarge(let found, 10_000)? = try bench.error(of: "/forever") else {
            Issue.record("it's too large")
            return
        }
        #expect(found > 10_000 && found < 40_000)
        #expect(try bench.body(of: "/just-right").bytes.count == 10_000)
        #expect(bench.server.walkouts == 1)
    }

    @Test func `a head, an error or a redirect without end has failed`() throws {
        let bench = try LoaderBench()
        let hasty = try LoaderBench { $0.timeLimit = .milliseconds(200) }
        let many = [UInt8](repeating: 65, count: 4096)
        bench.server.answer = { request in
            switch request.path {
            case "/head":
                [
                    .send(TestServer.text("HTTP/1.1 200 OK", "")),
                    .sendForever(
                        Array(("A: " + String(repeating: "b", count: 9000) + "\r\n").utf8)),
                ]
            case "/lines":
                [
                    .send(TestServer.text("HTTP/1.1 200 OK", "")),
                    .sendForever(
                        Array([[UInt8]](repeating: Array("Vary:a\r\n".utf8), count: 500).joined())),
                ]
            case "/error":
                [
                    .send(TestServer.text("HTTP/1.1 500 Trouble", "", "")), .sendForever(many),
                ]
            default:
                [
                    .send(
                        TestServer.text(
                            "HTTP/1.1 302 Found", "Location: /x", "Transfer-Encoding: chunked", "",
                            "")),
                    .sendForever(
                        TestServer.text("1000", String(decoding: many, as: UTF8.self), "")),
                ]
            }
        }
        for path in ["/head", "/lines"] {
            guard case .badReply? = try bench.error(of: path) else {
                Issue.record("a head has an end: \(bench.outcomes)")
                return
            }
        }
        #expect(try bench.error(of: "/error") == .status(500, retryAfter: nil))
        hasty.server.answer = bench.server.answer
        guard case .timedOut? = try hasty.error(of: "/redirect") else {
            Issue.record("what belongs to a redirect isn't waited for without end")
            return
        }
    }

    @Test func `who lies about the length is found out`() throws {
        let bench = try LoaderBench()
        bench.server.answer = { request in
            let length = Int(request.path.dropFirst()) ?? 0
            return [
                .send(TestServer.text("HTTP/1.1 200 OK", "Content-Length: \(length)", "", "12345")),
                .close,
            ]
        }
        #expect(try bench.error(of: "/100") == .incomplete(received: 5))
        #expect(try bench.body(of: "/3").text == "123")
    }

    @Test func `a server that says nothing, or goes, has failed`() throws {
        let hasty = try LoaderBench { $0.timeLimit = .milliseconds(200) }
        let bench = try LoaderBench()
        hasty.server.answer = { _ in [] }
        bench.server.answer = { request in
            switch request.path {
            case "/gone": [.close]
            case "/nonsense": [.send(Array("nonsense".utf8)), .close]
            case "/half": [.send(TestServer.text("HTTP/1.1 200 OK", "Content-Le")), .close]
            default: []
            }
        }
        guard case .timedOut(let time)? = try hasty.error(of: "/silent") else {
            Issue.record("it takes too long")
            return
        }
        #expect(time >= .milliseconds(200))
        for path in ["/gone", "/nonsense", "/half"] {
            let error = try bench.error(of: path)
            switch error {
            case .connection?, .badReply?, .incomplete?: break
            default: Issue.record("\(path): \(String(describing: error))")
            }
        }
        bench.server.close()
        let closed = try TestServer(on: bench.loop)
        let url = closed.url("/")
        closed.close()
        _ = consume closed
        guard case .connection? = try bench.error(of: url) else {
            Issue.record("nobody is there")
            return
        }
    }

    @Test func `a status that is no success has failed, and its connection is used again`() throws {
        let bench = try LoaderBench()
        bench.server.answer = { request in
            let status = request.path.dropFirst()
            let headers = status == "429" ? ["Retry-After: 7"] : []
            return TestServer.reply("sorry", status: "\(status) No", headers: headers)
        }
        #expect(try bench.error(of: "/404") == .status(404, retryAfter: nil))
        #expect(try bench.error(of: "/500") == .status(500, retryAfter: nil))
        #expect(try bench.error(of: "/429") == .status(429, retryAfter: .seconds(7)))
        #expect(bench.server.accepted == 1)
    }
}
