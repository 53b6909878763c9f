import Foundation
@testable import HTTPLoading
import IdleLoop
import ImageLoading
import TestServer
import TestSupport
import Testing

/// Responses on disk, with a wall clock that the tests move.
@Suite(.serialized)
struct CacheTests {
    /// A loader with a cache in a folder of its own.
    private final class Shop {
        let bench: LoaderBench
        let folder = makeTemporaryFolder("http-cache")
        let time = TestTime(1_795_521_600)
        private let workers: WorkerPool?
        /// What the server says of a thing beside its length, and how often it was asked.
        var headers = ["Cache-Control: max-age=60", "ETag: \"1\""]
        var text = "first"
        var server: TestServer { bench.server }
        var asked: Int { bench.server.requests.count }
        var statistics: HTTPLoaderStatistics { bench.loader.statistics }

        init(hasWorkers: Bool = false) throws {
            bench = try LoaderBench()
            workers = hasWorkers ? try WorkerPool(width: 1, on: bench.loop) : nil
            restart()
            server.answer = { [unowned self] request in
                let tag = headers.first { $0.hasPrefix("ETag: ") }?.dropFirst(6)
                return if let tag, request.head.contains("If-None-Match: \(tag)\r\n") {
                    TestServer.reply("", status: "304 Not Modified", headers: headers)
                } else {
                    TestServer.reply(text, headers: headers)
                }
            }
        }

        deinit {
            try? FileManager.default.removeItem(atPath: folder)
        }

        func restart(
            in folder: String? = nil, limit: Int = 1 << 20,
            _ change: (inout HTTPLoaderConfiguration) -> Void = { _ in }
        ) {
            let cache = HTTPCache(
                in: folder ?? self.folder, limit: limit, now: { [time] in time.now })
            bench.restart(cache: cache, workers: workers, change)
        }

        /// What a transfer brings, once the disk has it.
        func text(
            of path: String = "/", _ change: (inout HTTPLoadRequest) -> Void = { _ in }
        ) throws -> String {
            let body = try bench.body(of: path, change)
            try settle()
            return body.text
        }

        /// Waits until nothing is left to be written.
        func settle() throws {
            try bench.loop.run(until: bench.loop.clock.now.advanced(by: .milliseconds(1)))
            try bench.run { [bench] in bench.loader.store?.isIdle ?? true }
        }

        var files: [String] {
            (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted() ?? []
        }

        func overwrite(_ change: (inout Data) -> Void) throws {
            for name in files {
                let file = URL(filePath: folder).appending(path: name)
                var data = try Data(contentsOf: file)
                change(&data)
                try data.write(to: file)
            }
        }
    }

    @Test(arguments: [false, true])
    func `what is fresh needs no connection, what isn't is confirmed, what has changed comes anew`(
        hasWorkers: Bool
    ) throws {
        let shop = try Shop(hasWorkers: hasWorkers)
        shop.headers.append("Content-Type: image/png")
        #expect(try shop.text() == "first")
        #expect(shop.asked == 1 && shop.files.count == 1)
        shop.time.advance(by: 59)
        let fresh = try shop.bench.body(of: "/")
        #expect(fresh.text == "first" && fresh.status == 200 && fresh.contentType == "image/png")
        #expect(fresh.version?.etag == "\"1\"" && fresh.url == shop.server.url("/"))
        #expect(shop.asked == 1 && shop.statistics.cacheHits == 1)
        // The server says that it's still right, and from now on it's fresh again.
        shop.time.advance(by: 1)
        let confirmed = try shop.bench.body(of: "/")
        #expect(confirmed.text == "first" && confirmed.status == 200)
        #expect(shop.asked == 2 && shop.statistics.confirmed == 1)
        try shop.settle()
        shop.time.advance(by: 59)
        #expect(try shop.text() == "first")
        #expect(shop.asked == 2 && shop.statistics.cacheHits == 2)
        shop.time.advance(by: 1)
        shop.headers[1] = "ETag: \"2\""
        shop.text = "second"
        #expect(try shop.text() == "second")
        #expect(try shop.text() == "second")
        #expect(shop.asked == 3 && shop.statistics.done == 6 && shop.files.count == 1)
        // Another process finds it, too, and bytes that came from the disk aren't counted.
        shop.restart()
        #expect(try shop.text() == "second")
        #expect(shop.asked == 3 && shop.statistics.bytes == 0)
    }

    @Test func `a date of change is as good as a tag`() throws {
        let shop = try Shop()
        let date = "Sat, 21 Nov 2026 00:00:00 GMT"
        shop.server.answer = { request in
            request.head.contains("If-Modified-Since: \(date)\r\n")
                ? TestServer.reply("", status: "304 Not Modified")
                : TestServer.reply(
                    "dated", headers: ["Last-Modified: \(date)", "Cache-Control: no-cache"])
        }
        for _ in 0..<3 { #expect(try shop.text() == "dated") }
        #expect(shop.asked == 3 && shop.statistics.confirmed == 2)
    }

    @Test(arguments: [
        ["Cache-Control: no-store, max-age=60"], ["Cache-Control: max-age=60", "Vary: *"],
        ["Expires: 0"], [],
    ]) func `what mustn't be stored or would be of no use isn't`(headers: [String]) throws {
        let shop = try Shop()
        shop.headers = headers
        #expect(try shop.text() == "first")
        #expect(shop.files.isEmpty)
        #expect(try shop.text() == "first")
        #expect(shop.asked == 2)
    }

    @Test func `what may no longer be stored is removed`() throws {
        let shop = try Shop()
        #expect(try shop.text() == "first")
        shop.time.advance(by: 60)
        shop.headers = ["Cache-Control: no-store"]
        #expect(try shop.text() == "first")
        #expect(shop.files.isEmpty)
    }

    @Test func `only whole bodies of 200 at the address that was asked for are stored`() throws {
        let shop = try Shop()
        let fresh = "Cache-Control: max-age=60"
        shop.server.answer = { request in
            switch request.path {
            case "/cut":
                [
                    .send(
                        TestServer.text("HTTP/1.1 200 OK", "Content-Length: 9", fresh, "", "cut")),
                    .close,
                ]
            case "/until-closed":
                [.send(TestServer.text("HTTP/1.1 200 OK", fresh, "", "x")), .close]
            case "/part": TestServer.reply("x", status: "206 Partial Content", headers: [fresh])
            case "/error": TestServer.reply("x", status: "404 Not Found", headers: [fresh])
            case "/away":
                TestServer.reply("", status: "302 Found", headers: ["Location: /here", fresh])
            default: TestServer.reply("here", headers: [fresh])
            }
        }
        for path in ["/cut", "/until-closed", "/part", "/error", "/away"] {
            for _ in 0..<2 { _ = try shop.bench.outcome(of: path) }
            try shop.settle()
            #expect(shop.files.isEmpty, "\(path)")
        }
        #expect(shop.statistics.cacheHits == 0)
        _ = try shop.text(of: "/here#one")
        _ = try shop.text(of: "/here#other")
        #expect(shop.statistics.cacheHits == 1 && shop.files.count == 1)
        // That one is stored says nothing of the other.
        _ = try shop.text(of: "/away")
        #expect(shop.statistics.cacheHits == 1)
    }

    @Test func `a chunked body is stored as one with a length is`() throws {
        let shop = try Shop()
        shop.server.answer = { request in
            [
                .dribble(
                    TestServer.text(
                        "HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "Cache-Control: max-age=9",
                        "", "3", "abc", request.path == "/" ? "0" : "nonsense", "", ""))
            ]
        }
        for _ in 0..<2 { #expect(try shop.text() == "abc") }
        #expect(shop.statistics.cacheHits == 1)
        _ = try shop.bench.outcome(of: "/lies")
        try shop.settle()
        #expect(shop.files.count == 1)
    }

    @Test(arguments: [true, false])
    func `a compressed body is stored decompressed, and confirmed as such`(isWhole: Bool) throws {
        let shop = try Shop()
        let body = CodedBody.gzip((0..<5000).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) })
        shop.server.answer = { request in
            let headers = shop.headers + ["Content-Encoding: gzip", "Vary: Accept-Encoding"]
            if request.head.contains("If-None-Match: \"1\"\r\n") {
                return TestServer.reply("", status: "304 Not Modified", headers: headers)
            }
            let all = TestServer.reply(body, headers: headers)
            guard case .send(let bytes)? = all.first, !isWhole else { return all }
            return [.send(bytes.dropLast(9)), .close]
        }
        guard isWhole else {
            for _ in 0..<2 { _ = try shop.bench.outcome(of: "/") }
            try shop.settle()
            return #expect(shop.asked == 2 && shop.files.isEmpty)
        }
        let first = try shop.bench.body(of: "/")
        try shop.settle()
        for _ in 1...3 {
            let stored = try shop.bench.body(of: "/")
            try shop.settle()
            #expect(stored.bytes == first.bytes && stored.length == 5000 && stored.status == 200)
            shop.time.advance(by: 30)
        }
        #expect(first.length == nil && shop.asked == 2)
        #expect(shop.statistics.cacheHits == 2 && shop.statistics.confirmed == 1)
    }

    @Test func `requests that say more of themselves have nothing to do with the cache`() throws {
        let shop = try Shop()
        let withUser = "http://me:secret@127.0.0.1:\(shop.server.port)/"
        _ = try shop.text { $0.headers = ["Authorization": "Bearer x"] }
        _ = try shop.text(of: withUser)
        #expect(shop.files.isEmpty)
        _ = try shop.text()
        let count = shop.asked
        #expect(try shop.text { $0.headers = ["Cookie": "a=b"] } == "first")
        #expect(try shop.text(of: withUser) == "first")
        let known = try shop.bench.body(of: "/") { $0.validators = .init(etag: "\"1\"") }
        #expect(known.status == 304, "who knows it himself is told")
        #expect(shop.asked == count + 3)
        // Nor is what was sent to a loader that says something else of itself.
        shop.restart { $0.accept = "text/html" }
        #expect(try shop.text() == "first")
        #expect(shop.asked == count + 4)
    }

    @Test func `whoever takes pieces gets those of the disk, and what he takes is stored`() throws {
        let shop = try Shop()
        let large = String(repeating: "0123456789", count: 50_000)
        shop.text = large
        func fetch(asked: Int) throws {
            var (heads, text) = ([HTTPLoadResponse](), "")
            var end: LoaderBench.Outcome?
            shop.bench.loader.fetch(
                HTTPLoadRequest(shop.server.url("/")), onHead: { heads.append($0) },
                onBytes: { text += String(decoding: $0, as: UTF8.self) }
            ) { end = $0 }
            try shop.bench.run { end != nil }
            try shop.settle()
            #expect(heads.count == 1 && heads[0].status == 200 && heads[0].length == 500_000)
            #expect(text == large)
            #expect(try end?.get() == heads[0])
            #expect(shop.asked == asked)
        }
        try fetch(asked: 1)
        try fetch(asked: 1)
        shop.time.advance(by: 60)
        try fetch(asked: 2)
    }

    @Test func `a confirmation may say more than was known, and counts only if it was asked for`()
        throws
    {
        let shop = try Shop()
        #expect(try shop.text() == "first")
        let answer = shop.server.answer
        shop.server.answer = { [unowned shop] request in
            shop.headers.append("Last-Modified: Sat, 21 Nov 2026 00:00:00 GMT")
            return answer(request)
        }
        for round in 1...3 {
            shop.time.advance(by: 60)
            #expect(try shop.text() == "first")
            #expect(shop.asked == 1 + round && shop.statistics.confirmed == round)
        }
        shop.headers = ["Cache-Control: max-age=1"]
        shop.server.answer = answer
        #expect(try shop.text(of: "/nameless") == "first")
        shop.time.advance(by: 1)
        shop.server.answer = { _ in TestServer.reply("", status: "304 Not Modified") }
        #expect(try shop.bench.error(of: "/nameless") == .status(304, retryAfter: nil))
    }

    @Test(arguments: ["Cache-Control: no-store", "Vary: *"])
    func `a confirmation that forbids storing removes what is stored`(line: String) throws {
        let shop = try Shop()
        #expect(try shop.text() == "first")
        shop.time.advance(by: 60)
        shop.headers = ["ETag: \"1\"", line]
        #expect(try shop.text() == "first")
        #expect(shop.statistics.confirmed == 1 && shop.files.isEmpty)
    }

    @Test(arguments: [("\"1\"", "first"), ("W/\"1\"", "first"), ("\"2\"", "second")])
    func `a confirmation of another state doesn't confirm what is stored`(
        tag: String, text: String
    ) throws {
        let shop = try Shop()
        #expect(try shop.text() == "first")
        shop.time.advance(by: 60)
        shop.server.answer = { request in
            request.head.contains("If-None-Match")
                ? TestServer.reply("", status: "304 Not Modified", headers: ["ETag: \(tag)"])
                : TestServer.reply("second", headers: ["ETag: \"2\""])
        }
        #expect(try shop.text() == text)
        #expect(shop.statistics.confirmed == (text == "first" ? 1 : 0))
        #expect(shop.statistics.done == 2)
    }

    @Test func `a redirect doesn't confirm what is stored`() throws {
        let shop = try Shop()
        #expect(try shop.text() == "first")
        shop.time.advance(by: 60)
        shop.server.answer = { request in
            switch request.path {
            case "/":
                TestServer.reply("", status: "302 Found", headers: ["Location: /other"])
            default:
                request.head.contains("If-None-Match")
                    ? TestServer.reply("", status: "304 Not Modified") : TestServer.reply("other")
            }
        }
        #expect(try shop.text() == "other")
        #expect(shop.statistics.done == 2 && shop.statistics.confirmed == 0)
    }

    @Test func `what was confirmed and has gone meanwhile is asked for again`() throws {
        let shop = try Shop()
        #expect(try shop.text() == "first")
        shop.time.advance(by: 60)
        let answer = shop.server.answer
        shop.server.answer = { [unowned shop] request in
            for name in shop.files {
                try? FileManager.default.removeItem(atPath: "\(shop.folder)/\(name)")
            }
            return answer(request)
        }
        #expect(try shop.text() == "first")
        #expect(shop.asked == 3)
        #expect(try shop.text() == "first")
        #expect(shop.asked == 3)
    }

    @Test(arguments: ["file", "gone"]) func `a disk that can't be written fails no transfer`(
        kind: String
    ) throws {
        let shop = try Shop()
        let path = shop.folder + "/place"
        if kind == "file" { try Data().write(to: URL(filePath: path)) }
        shop.restart(in: kind == "file" ? path + "/below" : "/proc/none/of/it")
        for _ in 0..<3 { #expect(try shop.text() == "first") }
        #expect(shop.asked == 3 && shop.statistics.failed == 0)
    }

    @Test func `a body that is larger than the cache takes isn't stored`() throws {
        let shop = try Shop()
        shop.restart(limit: 1000)
        shop.text = String(repeating: "a", count: 990)
        _ = try shop.text(of: "/small")
        shop.text += String(repeating: "a", count: 11)
        _ = try shop.text(of: "/large")
        #expect(shop.files.count <= 1)
        let count = shop.asked
        _ = try shop.text(of: "/large")
        #expect(shop.asked == count + 1)
        // Nor if it is told in pieces.
        for _ in 0..<2 {
            var end: LoaderBench.Outcome?
            shop.bench.loader.fetch(
                HTTPLoadRequest(shop.server.url("/large")), onHead: nil, onBytes: { _ in }
            ) { end = $0 }
            try shop.bench.run { end != nil }
            try shop.settle()
        }
        #expect(shop.asked == count + 3)
    }
}
