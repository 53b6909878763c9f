import HTTPLoading
import IdleLoop
import TestServer
import Testing

/// Headers that change what a body means.
struct CodingTests {
    private static let bodies: [(codings: [String], bytes: [UInt8])] = [
        (["gzip"], CodedBody.gzip(CodedBody.hello)), (["X-GZIP"], CodedBody.gzip(CodedBody.hello)),
        (["deflate"], CodedBody.deflate(CodedBody.hello)), (["br"], CodedBody.brotliHello),
        (["zstd"], CodedBody.zstandardHello), (["identity"], CodedBody.hello),
        (["deflate, gzip"], CodedBody.gzip(CodedBody.deflate(CodedBody.hello))),
        (["deflate", "identity, gzip"], CodedBody.gzip(CodedBody.deflate(CodedBody.hello))),
    ]

    @Test(arguments: 0..<bodies.count)
    func `a compressed body arrives decompressed, and its length isn't known before`(
        index: Int
    ) throws {
        let bench = try LoaderBench()
        let (codings, bytes) = Self.bodies[index]
        bench.server.answer = { request in
            let headers = codings.map { "Content-Encoding: \($0)" }
            guard request.path == "/chunked" else {
                return TestServer.reply(bytes, headers: headers)
            }
            let lines = ["HTTP/1.1 200 OK", "Transfer-Encoding: chunked"] + headers
            return [.send(Array((lines + ["", ""]).joined(separator: "\r\n").utf8))]
                + bytes.flatMap { [.send(TestServer.text("1", "") + [$0, 13, 10])] }
                + [.send(TestServer.text("0", "", ""))]
        }
        let length = codings == ["identity"] ? 5 : nil
        for (path, length) in [("/", length), ("/chunked", nil)] {
            let response = try bench.body(of: path)
            #expect(response.text == "hello" && response.length == length, "\(path)")
        }
        let transfer = bench.fetch("/")
        try bench.run(ends: 3)
        #expect(transfer.received == 5 && transfer.share == length.map { _ in 1 })
        #expect(bench.loader.statistics.bytes == 15)
    }

    @Test func `a request asks for the codings that are decoded, unless it asks for a part`() throws
    {
        let bench = try LoaderBench()
        _ = try bench.body(of: "/")
        _ = try bench.body(of: "/") { $0.headers = ["accept-encoding": "gzip;q=0.5"] }
        _ = try bench.body(of: "/") { $0.headers = ["range": "bytes=0-"] }
        let lines = bench.server.requests.map { request in
            request.head.split(separator: "\r\n").map { $0.lowercased() }
                .filter { $0.hasPrefix("accept-encoding: ") }
        }
        let names = lines[0][0].dropFirst(17).split(separator: ", ")
        #expect(lines[0].count == 1 && Set(names).isSuperset(of: ["deflate", "gzip"]))
        #expect(lines[1] == ["accept-encoding: gzip;q=0.5"])
        #expect(lines[2] == ["accept-encoding: identity"])
    }

    @Test(arguments: [
        "Content-Encoding: compress", "Content-Encoding: gzip, utf-8",
        "Content-Encoding: gzip, gzip, gzip", "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: compress",
    ])
    func `a body that can't be decoded is refused by the name of its coding, and none of it told`(
        line: String
    ) throws {
        let bench = try LoaderBench()
        bench.server.answer = { _ in TestServer.reply("hello", headers: [line]) }
        var (events, end) = (0, LoaderBench.Outcome?.none)
        bench.loader.fetch(
            HTTPLoadRequest(bench.server.url("/")), onHead: { _ in events += 1 },
            onBytes: { _ in events += 1 }
        ) { end = $0 }
        try bench.run { end != nil }
        let name = String(line[line.firstIndex(of: " ")!...].dropFirst())
        #expect(events == 0 && end == .failure(.unsupportedCoding(name)))
    }

    @Test(arguments: ["gzip", "deflate", "gzip, gzip"])
    func `a small body that becomes a large one is refused at the limit of what comes out`(
        coding: String
    ) throws {
        let bench = try LoaderBench { $0.byteLimit = 100_000 }
        let zeros = [UInt8](repeating: 0, count: 10_000_000)
        let once = coding == "deflate" ? CodedBody.deflate(zeros) : CodedBody.gzip(zeros)
        let bytes = coding == "gzip, gzip" ? CodedBody.gzip(once) : once
        #expect(bytes.count < 50_000)
        bench.server.answer = { _ in
            TestServer.reply(bytes, headers: ["Content-Encoding: \(coding)"])
        }
        guard case .tooLarge(let found, 100_000)? = try bench.error(of: "/") else {
            Issue.record("\(bench.outcomes)")
            return
        }
        #expect(found > 100_000 && found < 140_000)
    }

    @Test func `a compressed body that is damaged or cut is an error`() throws {
        let bench = try LoaderBench()
        let whole = CodedBody.gzip((0..<5000).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) })
        bench.server.answer = { request in
            let headers = ["Content-Encoding: gzip"]
            var bytes = whole
            if request.path == "/damaged" { bytes[bytes.count - 6] ^= 1 }
            let all = TestServer.reply(bytes, headers: headers)
            guard case .send(let sent)? = all.first, request.path == "/cut" else { return all }
            return [.send(sent.dropLast(9)), .close]
        }
        guard case .badReply? = try bench.error(of: "/damaged") else {
            Issue.record("\(bench.outcomes)")
            return
        }
        guard case .incomplete? = try bench.error(of: "/cut") else {
            Issue.record("\(bench.outcomes)")
            return
        }
    }

    @Test(arguments: [
        (["5", "6"], false), (["5, 6"], false), (["5", "5"], true), (["5, 5"], true),
        (["05,5,"], true), (["-5"], false), ([""], false), (["5x"], false), (["+5"], false),
        (["5, x"], false),
    ])
    func `a length is one number, however often it is said`(
        lengths: [String], isRight: Bool
    ) throws {
        let bench = try LoaderBench()
        bench.server.answer = { _ in
            let lines = ["HTTP/1.1 200 OK"] + lengths.map { "Content-Length: \($0)" }
            return [.send(Array((lines + ["", "hello!"]).joined(separator: "\r\n").utf8)), .close]
        }
        if isRight {
            let response = try bench.body(of: "/")
            #expect(response.text == "hello" && response.length == 5)
            return
        }
        // Some of them are an error of the library's, in its own words.
        guard case .badReply? = try bench.error(of: "/") else {
            Issue.record("\(bench.outcomes)")
            return
        }
    }

    @Test func `a part that wasn't asked for is an error, and one that was says where it belongs`()
        throws
    {
        let bench = try LoaderBench()
        bench.server.answer = { request in
            TestServer.reply(
                "ell", status: request.path == "/delta" ? "226 IM Used" : "206 Partial Content",
                headers: ["Content-Range: bytes 1-3/5"])
        }
        #expect(try bench.error(of: "/") == .status(206, retryAfter: nil))
        #expect(try bench.error(of: "/delta") == .status(226, retryAfter: nil))
        let part = try bench.body(of: "/") { $0.headers = ["Range": "bytes=1-3"] }
        #expect(part.status == 206 && part.text == "ell" && part.contentRange == "bytes 1-3/5")
        // In other responses the header has no meaning.
        bench.server.answer = { _ in
            TestServer.reply("hello", headers: ["Content-Range: bytes 1-3/5"])
        }
        let whole = try bench.body(of: "/")
        #expect(whole.text == "hello" && whole.contentRange == nil)
    }

    @Test func `a response without a body has no length and no codings, whatever it says`() throws {
        let bench = try LoaderBench { $0.byteLimit = 100 }
        bench.server.answer = { request in
            let status = request.path == "/none" ? "204 No Content" : "304 Not Modified"
            let lines = ["HTTP/1.1 \(status)", "Content-Length: 5000", "Content-Encoding: gzip"]
            return [.send(Array((lines + ["", ""]).joined(separator: "\r\n").utf8))]
        }
        let none = try bench.body(of: "/none")
        #expect(none.status == 204 && none.length == 0 && none.bytes.isEmpty)
        let same = try bench.body(of: "/same") { $0.validators = .init(etag: "\"1\"") }
        #expect(same.status == 304 && same.length == 0 && same.bytes.isEmpty)
        #expect(bench.server.accepted == 1)
    }
}
