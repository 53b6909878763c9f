import HTTPLoading
import IdleLoop
import TestServer
import TestSupport
import Testing

/// Heads and pieces of bodies that are told when they come.
struct StreamingTests {
    /// A record of a streamed transfer.
    private final class Story {
        var heads: [HTTPLoadResponse] = []
        var bytes: [UInt8] = []
        var pieces = 0
        var ends: [LoaderBench.Outcome] = []
        var onHead: () -> Void = {}
        var onPiece: () -> Void = {}

        @discardableResult
        func fetch(_ path: String, _ bench: LoaderBench) -> HTTPTransfer {
            bench.loader.fetch(
                HTTPLoadRequest(bench.server.url(path)),
                onHead: { [self] head in
                    #expect(pieces == 0 && ends.isEmpty)
                    heads.append(head)
                    onHead()
                },
                onBytes: { [self] piece in
                    #expect(!piece.isEmpty && heads.count == 1 && ends.isEmpty)
                    bytes += piece
                    pieces += 1
                    onPiece()
                }
            ) { [self] in ends.append($0) }
        }
    }

    private func started(_ headers: String...) -> TestServer.Step {
        .send(Array((["HTTP/1.1 200 OK"] + headers + ["", ""]).joined(separator: "\r\n").utf8))
    }

    @Test func `a body is told in pieces as it comes, after its head, and not kept`() throws {
        let bench = try LoaderBench()
        let large = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        bench.server.answer = { request in
            request.path == "/away"
                ? TestServer.reply("gone", status: "302 Found", headers: ["Location: /large"])
                : TestServer.reply(large, headers: ["Content-Type: image/png", "ETag: \"7\""])
        }
        let story = Story()
        let transfer = story.fetch("/away", bench)
        try bench.run { story.ends.count == 1 }
        let head = try #require(story.heads.first)
        #expect(head.status == 200 && head.contentType == "image/png" && head.length == 3_000_000)
        #expect(head.version == HTTPLoadResponse.Version(etag: "\"7\""))
        #expect(head.url == bench.server.url("/large"))
        #expect(story.bytes == large)
        #expect(story.pieces > 1)
        #expect(story.ends == [.success(head)], "the end brings no bytes again")
        #expect(transfer.received == large.count && transfer.share == 1)
        #expect(bench.loader.statistics.bytes == large.count)
    }

    @Test func `whoever wants only the head early has the whole body at the end`() throws {
        let bench = try LoaderBench()
        bench.server.answer = { _ in
            [.dribble(Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello".utf8))]
        }
        var story: [String] = []
        bench.loader.fetch(HTTPLoadRequest(bench.server.url("/"))) { response in
            story.append("head \(response.length ?? 0) \(response.text)")
        } completion: { result in
            story.append("end \((try? result.get())?.text ?? "")")
        }
        try bench.run { story.count == 2 }
        #expect(story == ["head 5 ", "end hello"])
    }

    @Test func `pieces come while the server still sends`() throws {
        let bench = try LoaderBench()
        let story = Story()
        var hasGoneOn = false
        bench.server.answer = { [self] _ in
            [started("Content-Length: 6"), .send(Array("abc".utf8))]
        }
        let transfer = story.fetch("/", bench)
        try bench.run(whileBusy: true) { story.bytes.count == 3 }
        #expect(story.ends.isEmpty && transfer.share == 0.5)
        hasGoneOn = true
        transfer.cancel()
        #expect(hasGoneOn && story.ends == [.failure(.cancelled)])
        #expect(bench.loader.statistics.cancelled == 1)
    }

    @Test func `errors and what is not there tell no head, and limits hold for pieces, too`() throws
    {
        let bench = try LoaderBench { $0.byteLimit = 10_000 }
        bench.server.answer = { [self] request in
            switch request.path {
            case "/error": TestServer.reply("trouble", status: "500 Trouble")
            case "/cut": [started("Content-Length: 9"), .send([1, 2, 3]), .close]
            case "/promised": [started("Content-Length: 10001")]
            default: [started(), .sendForever([UInt8](repeating: 1, count: 1000))]
            }
        }
        func story(of path: String) throws -> Story {
            let story = Story()
            story.fetch(path, bench)
            try bench.run { story.ends.count == 1 }
            return story
        }
        let error = try story(of: "/error")
        #expect(error.heads.isEmpty && error.bytes.isEmpty)
        #expect(error.ends == [.failure(.status(500, retryAfter: nil))])
        #expect(try story(of: "/cut").ends == [.failure(.incomplete(received: 3))])
        let promised = try story(of: "/promised")
        #expect(promised.ends == [.failure(.tooLarge(found: 10_001, limit: 10_000))])
        #expect(promised.bytes.isEmpty)
        let endless = try story(of: "/endless")
        guard case .failure(.tooLarge(_, 10_000))? = endless.ends.first else {
            Issue.record("it has no end: \(endless.ends)")
            return
        }
        #expect(endless.bytes.count <= 10_000)
    }

    @Test(arguments: ["head", "piece"], ["cancel", "close", "let go"])
    func `a transfer is cancelled and a loader closed from inside what is told`(
        place: String, act: String
    ) throws {
        let bench = try LoaderBench()
        bench.server.answer = { _ in TestServer.reply("hello") }
        let story = Story()
        var transfer: HTTPTransfer?
        let end: () -> Void = { [unowned bench] in
            switch act {
            case "cancel": transfer?.cancel()
            case "close": bench.loader.close()
            default: bench.release()
            }
        }
        if place == "head" { story.onHead = end } else { story.onPiece = end }
        transfer = story.fetch("/", bench)
        weak let loader = bench.loader
        try bench.run { story.heads.count == 1 && bench.server.requests.count == 1 }
        #expect(story.bytes == (place == "head" && act == "cancel" ? [] : Array("hello".utf8)))
        // All of it had come when the loader was closed.
        #expect(story.ends.count == 1)
        #expect((story.ends == [.failure(.cancelled)]) == (act == "cancel"))
        #expect((loader == nil) == (act == "let go"))
        if act == "cancel" { #expect(bench.loader.statistics.cancelled == 1) }
    }
}
