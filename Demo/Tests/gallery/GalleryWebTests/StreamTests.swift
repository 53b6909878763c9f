import GalleryTestSupport
import Testing

@testable import GalleryWeb

struct StreamTests {
    @Test func `events go out as they're sent`() throws {
        let bench = try ServerBench()
        var stream: EventStream?
        bench.handler = { stream = $0.stream() }
        let client = bench.client(sending: get("/"))
        #expect(bench.turns { client.statuses == [200] })
        #expect(client.header("content-type") == "text/event-stream")
        #expect(client.header("transfer-encoding") == "chunked")
        #expect(stream?.send("hello", "{}") == true)
        #expect(bench.turns { client.body.contains("event: hello\ndata: {}\n\n") })
        #expect(stream?.send("two\nlines", "a\nb\r\nc") == true)
        #expect(
            bench.turns { client.body.contains("event: twolines\ndata: a\ndata: b\ndata: c\n\n") })
        #expect(stream?.unsentBytes == 0)
    }

    @Test func `a stream to a client of HTTP 1.0 isn't cut into chunks`() throws {
        let bench = try ServerBench()
        var stream: EventStream?
        bench.handler = { stream = $0.stream() }
        let client = bench.client(sending: "GET / HTTP/1.0\r\nHost: localhost\r\n\r\n")
        #expect(bench.turns { client.statuses == [200] })
        stream?.send("a", "b")
        #expect(bench.turns { client.body == "event: a\ndata: b\n\n" })
        #expect(client.header("connection") == "close")
        stream?.close()
        #expect(bench.turns { client.isOver })
    }

    @Test func `a closed stream's connection takes another request`() throws {
        let bench = try ServerBench()
        var closes = 0
        bench.handler = {
            guard $0.path == "/stream" else { return $0.reply(200, [], Array("next".utf8)) }
            let stream = $0.stream()
            stream?.onClose = { closes += 1 }
            stream?.send("a", "b")
            stream?.close()
            #expect(stream?.send("c", "d") == false)
            #expect(stream?.isOpen == false)
        }
        let client = bench.client(sending: get("/stream") + get("/after"))
        #expect(bench.turns { client.text.hasSuffix("next") })
        #expect(client.statuses == [200, 200])
        #expect(closes == 1)
    }

    @Test func `a stream whose client has left tells so`() throws {
        let bench = try ServerBench()
        var stream: EventStream?
        var ends: [String] = []
        bench.handler = {
            $0.onEnd = { ends.append("end") }
            stream = $0.stream()
            stream?.onClose = { ends.append("close") }
        }
        let client = bench.client(sending: get("/"))
        #expect(bench.turns { client.statuses == [200] })
        client.leave()
        #expect(bench.turns { ends.count == 2 })
        #expect(stream?.isOpen == false)
        #expect(stream?.send("a", "b") == false)
        stream?.close()
        #expect(ends == ["end", "close"])
    }

    @Test func `a HEAD for a stream gets its head`() throws {
        let bench = try ServerBench()
        bench.handler = { #expect($0.stream() == nil) }
        let client = bench.ask(request("HEAD", "/", []))
        #expect(client.statuses == [200])
        #expect(client.header("content-type") == "text/event-stream")
        #expect(client.header("content-length") == nil)
    }
}
