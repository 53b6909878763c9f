import Testing

@testable import GalleryWeb

struct DeadlineTests {
    /// Lets a time pass, and has the server look whenever its timer would have it look.
    private func wait(_ time: Duration, in bench: ServerBench) {
        let end = bench.time.now + time
        while let next = bench.server.deadlines.next, next <= end {
            bench.time.now = max(bench.time.now, next)
            bench.server.sweep()
            for _ in 0..<3 { bench.pass() }
        }
        bench.time.now = end
        for _ in 0..<3 { bench.pass() }
    }

    @Test func `a byte a second doesn't keep a request going`() throws {
        let bench = try ServerBench()
        let client = bench.client()
        #expect(bench.turns { bench.server.statistics.connections == 1 })
        let request = Array(get("/slow").utf8)
        for second in 0..<9 {
            client.send([request[second]])
            wait(.seconds(1), in: bench)
        }
        #expect(!client.isOver)
        client.send([request[9]])
        wait(.milliseconds(1001), in: bench)
        #expect(bench.turns { client.isOver })
        #expect(client.bytes.isEmpty)
        #expect(bench.server.statistics.timedOut == [.request: 1])
        #expect(bench.issues.map(\.kind) == [.timedOut(.request)])
    }

    @Test func `a body a byte a second is timed out as well`() throws {
        let bench = try ServerBench()
        let client = bench.client(sending: post("/", "Content-Length: 100"))
        #expect(bench.turns { bench.server.statistics.connections == 1 })
        for _ in 0..<11 {
            client.send("x")
            wait(.seconds(1), in: bench)
        }
        #expect(bench.turns { client.isOver })
        #expect(bench.server.statistics.timedOut == [.request: 1])
    }

    @Test func `a connection between two requests is kept for as long, and then closed quietly`()
        throws
    {
        let bench = try ServerBench()
        let client = bench.ask(get("/"))
        wait(.seconds(9), in: bench)
        client.send(get("/second"))
        #expect(bench.turns { client.statuses == [200, 200] })
        wait(.seconds(9), in: bench)
        #expect(!client.isOver)
        wait(.milliseconds(1001), in: bench)
        #expect(bench.turns { client.isOver })
        #expect(bench.issues.isEmpty)
    }

    @Test func `a request that the program doesn't answer is answered with 503`() throws {
        let bench = try ServerBench()
        var ends = 0
        bench.handler = { $0.onEnd = { ends += 1 } }
        let client = bench.client(sending: get("/"))
        #expect(bench.turns { bench.exchanges.count == 1 })
        wait(.seconds(29), in: bench)
        #expect(client.bytes.isEmpty)
        wait(.milliseconds(1001), in: bench)
        #expect(bench.turns { client.isOver })
        #expect(client.statuses == [503])
        #expect(client.header("retry-after") == "5")
        #expect(ends == 1)
        bench.exchanges[0].reply(200)
        #expect(bench.server.statistics.timedOut == [.answer: 1])
    }

    @Test func `a reply that isn't taken in time closes the connection`() throws {
        let bench = try ServerBench()
        bench.handler = { $0.reply(200) { $0([UInt8](repeating: 0, count: 100_000)) } }
        let client = bench.client(receiveBuffer: 4096)
        client.isReading = false
        client.send(get("/"))
        #expect(bench.turns { bench.exchanges.count == 1 })
        for _ in 0..<59 { wait(.seconds(1), in: bench) }
        #expect(bench.server.statistics.connections == 1)
        // The system takes some parts for a while.
        for _ in 0..<61 { wait(.seconds(1), in: bench) }
        #expect(bench.turns { bench.server.statistics.connections == 0 })
        #expect(bench.server.statistics.timedOut == [.reply: 1])
    }

    @Test func `a stream of which nothing is taken is closed in time, and one that is taken stays`()
        throws
    {
        let bench = try ServerBench { $0.beatTime = .seconds(1000) }
        var streams: [String: EventStream] = [:]
        bench.handler = { streams[$0.path] = $0.stream() }
        let deaf = bench.client(receiveBuffer: 4096)
        let keen = bench.client(sending: get("/keen"))
        deaf.isReading = false
        deaf.send(get("/deaf"))
        #expect(bench.turns { streams.count == 2 })
        let data = String(repeating: "x", count: 10_000)
        // The system takes some of it for a while.
        for _ in 0..<1000 where streams["/deaf"]?.isOpen == true {
            while let stream = streams["/deaf"], stream.isOpen, stream.unsentBytes < 100_000 {
                stream.send("e", data)
            }
            streams["/keen"]?.send("e", data)
            wait(.seconds(1), in: bench)
        }
        #expect(bench.turns { bench.server.statistics.connections == 1 })
        #expect(!keen.isOver)
        #expect(streams["/keen"]?.isOpen == true)
        #expect(bench.server.statistics.timedOut == [.reply: 1])
    }

    @Test func `a silent stream gets a beat`() throws {
        let bench = try ServerBench()
        bench.handler = { _ = $0.stream() }
        let client = bench.client(sending: get("/"))
        #expect(bench.turns { client.statuses == [200] })
        wait(.seconds(9), in: bench)
        #expect(client.body.isEmpty)
        for beats in 1...3 {
            wait(.seconds(beats == 1 ? 1 : 10), in: bench)
            #expect(
                bench.turns {
                    client.body.ranges(of: "event: beat\ndata: {}\n\n").count == beats
                })
        }
    }

    @Test func `who was stopped for half a minute times nobody out for it`() throws {
        let bench = try ServerBench()
        bench.handler = { _ in }
        let clients = [bench.client(sending: "GET /"), bench.client(sending: get("/"))]
        #expect(
            bench.turns {
                bench.exchanges.count == 1 && bench.server.connections.admittedCount == 2
            })
        bench.time.now += .seconds(40)
        bench.server.sweep()
        for _ in 0..<5 { bench.pass() }
        #expect(!clients.contains { $0.isOver })
        #expect(bench.server.statistics.timedOut.isEmpty)
    }

    @Test func `a timer of the base keeps the deadlines`() throws {
        let bench = try ServerBench { $0.requestTime = .milliseconds(20) }
        let client = bench.client(sending: "GET /")
        let isOver = bench.turns {
            bench.time.now += .milliseconds(1)
            return client.isOver
        }
        #expect(isOver)
        #expect(bench.server.statistics.timedOut == [.request: 1])
    }

    @Test func `a server without connections has no timer`() throws {
        let bench = try ServerBench()
        // Its listener alone.
        #expect(bench.eventCount == 1)
        let client = bench.ask(get("/"))
        #expect(bench.eventCount > 2)
        #expect(bench.server.deadlines.next != nil)
        client.leave()
        #expect(bench.turns { bench.server.statistics.connections == 0 })
        #expect(bench.server.deadlines.next == nil)
        #expect(bench.turns { bench.eventCount == 1 })
    }

    @Test func `trouble of a kind is told once a second, with how often there was some`() throws {
        let bench = try ServerBench()
        for _ in 0..<5 { bench.server.report(.unsent) }
        bench.server.report(.replyTooLarge)
        bench.time.now += .seconds(1)
        bench.server.report(.unsent)
        #expect(
            bench.issues == [
                WebIssue(kind: .unsent, count: 1), WebIssue(kind: .replyTooLarge, count: 1),
                WebIssue(kind: .unsent, count: 5),
            ])
    }
}
