import Testing

@testable import GalleryWeb

struct DeadlineTests {
    /// Lets a time pass, and has the server look whenever its timer would have it look.
    private func wait(_ time: Duration, in house: TestHouse) {
        let end = house.time.now + time
        while let next = house.server.sweepTime, next <= end {
            house.time.now = max(house.time.now, next)
            house.server.sweep()
            for _ in 0..<3 { house.pass() }
        }
        house.time.now = end
        for _ in 0..<3 { house.pass() }
    }

    @Test func `a byte a second doesn't keep a request going`() throws {
        let house = try TestHouse(isVirtual: true)
        let client = house.client()
        #expect(house.turns { house.server.statistics.connections == 1 })
        let request = Array(get("/slow").utf8)
        for second in 0..<9 {
            client.send([request[second]])
            wait(.seconds(1), in: house)
        }
        #expect(!client.isOver)
        client.send([request[9]])
        wait(.milliseconds(1001), in: house)
        #expect(house.turns { client.isOver })
        #expect(client.bytes.isEmpty)
        #expect(house.server.statistics.timedOut == [.request: 1])
        #expect(house.troubles.map(\.kind) == [.timedOut(.request)])
    }

    @Test func `a body a byte a second is timed out as well`() throws {
        let house = try TestHouse(isVirtual: true)
        let client = house.client(sending: post("/", "Content-Length: 100"))
        #expect(house.turns { house.server.statistics.connections == 1 })
        for _ in 0..<11 {
            client.send("x")
            wait(.seconds(1), in: house)
        }
        #expect(house.turns { client.isOver })
        #expect(house.server.statistics.timedOut == [.request: 1])
    }

    @Test func `a connection between two requests is kept for as long, and then closed quietly`()
        throws
    {
        let house = try TestHouse(isVirtual: true)
        let client = house.ask(get("/"))
        wait(.seconds(9), in: house)
        client.send(get("/second"))
        #expect(house.turns { client.statuses == [200, 200] })
        wait(.seconds(9), in: house)
        #expect(!client.isOver)
        wait(.milliseconds(1001), in: house)
        #expect(house.turns { client.isOver })
        #expect(house.troubles.isEmpty)
    }

    @Test func `a request that the program doesn't answer is answered with 503`() throws {
        let house = try TestHouse(isVirtual: true)
        var ends = 0
        house.handler = { $0.onEnd = { ends += 1 } }
        let client = house.client(sending: get("/"))
        #expect(house.turns { house.exchanges.count == 1 })
        wait(.seconds(29), in: house)
        #expect(client.bytes.isEmpty)
        wait(.milliseconds(1001), in: house)
        #expect(house.turns { client.isOver })
        #expect(client.statuses == [503])
        #expect(client.header("retry-after") == "5")
        #expect(ends == 1)
        house.exchanges[0].reply(200)
        #expect(house.server.statistics.timedOut == [.answer: 1])
    }

    @Test func `a reply that isn't taken in time closes the connection`() throws {
        let house = try TestHouse(isVirtual: true)
        house.handler = { $0.reply(200) { [UInt8](repeating: 0, count: 100_000) } }
        let client = house.client(receiveBuffer: 4096)
        client.isReading = false
        client.send(get("/"))
        #expect(house.turns { house.exchanges.count == 1 })
        for _ in 0..<59 { wait(.seconds(1), in: house) }
        #expect(house.server.statistics.connections == 1)
        wait(.milliseconds(1001), in: house)
        #expect(house.turns { house.server.statistics.connections == 0 })
        #expect(house.server.statistics.timedOut == [.reply: 1])
    }

    @Test func `a page of libevent's own that isn't taken in time closes the connection, too`()
        throws
    {
        let house = try TestHouse(isVirtual: true)
        let client = house.client(sending: "nonsense that is no request\r\n")
        #expect(house.turns { client.statuses == [400] && client.isOver })
        #expect(house.server.statistics.connections == 0)
    }

    @Test func `a stream of which nothing is taken is closed in time, and one that is taken stays`()
        throws
    {
        let house = try TestHouse(isVirtual: true) { $0.commentTime = .seconds(1000) }
        var streams: [String: EventStream] = [:]
        house.handler = { streams[$0.path] = $0.stream() }
        let deaf = house.client(receiveBuffer: 4096)
        let keen = house.client(sending: get("/keen"))
        deaf.isReading = false
        deaf.send(get("/deaf"))
        #expect(house.turns { streams.count == 2 })
        let data = String(repeating: "x", count: 10_000)
        // The system takes some of it for a while.
        for _ in 0..<1000 where streams["/deaf"]?.isOpen == true {
            while let stream = streams["/deaf"], stream.isOpen, stream.unsentBytes < 100_000 {
                stream.send("e", data)
            }
            streams["/keen"]?.send("e", data)
            wait(.seconds(1), in: house)
        }
        #expect(house.turns { house.server.statistics.connections == 1 })
        #expect(!keen.isOver)
        #expect(streams["/keen"]?.isOpen == true)
        #expect(house.server.statistics.timedOut == [.reply: 1])
    }

    @Test func `a silent stream gets a comment`() throws {
        let house = try TestHouse(isVirtual: true)
        house.handler = { _ = $0.stream() }
        let client = house.client(sending: get("/"))
        #expect(house.turns { client.statuses == [200] })
        wait(.seconds(14), in: house)
        #expect(!client.body.contains(":"))
        wait(.seconds(1), in: house)
        #expect(house.turns { client.body.contains(":\n\n") })
    }

    @Test func `who was stopped for half a minute times nobody out for it`() throws {
        let house = try TestHouse(isVirtual: true)
        house.handler = { _ in }
        let clients = [house.client(sending: "GET /"), house.client(sending: get("/"))]
        #expect(house.turns { house.exchanges.count == 1 && house.server.welcomed == 2 })
        house.time.now += .seconds(40)
        house.server.sweep()
        for _ in 0..<5 { house.pass() }
        #expect(!clients.contains { $0.isOver })
        #expect(house.server.statistics.timedOut.isEmpty)
    }

    @Test func `a timer of the base keeps the deadlines`() throws {
        let house = try TestHouse { $0.requestTime = .milliseconds(20) }
        let client = house.client(sending: "GET /")
        #expect(house.turns { client.isOver })
        #expect(house.server.statistics.timedOut == [.request: 1])
    }

    @Test func `a server without connections has no timer`() throws {
        let house = try TestHouse()
        // Its listener alone.
        #expect(house.eventCount == 1)
        let client = house.ask(get("/"))
        #expect(house.eventCount > 2)
        #expect(house.server.sweepTime != nil)
        client.leave()
        #expect(house.turns { house.server.statistics.connections == 0 })
        #expect(house.server.sweepTime == nil)
        #expect(house.turns { house.eventCount == 1 })
    }

    @Test func `trouble of a kind is told once a second, with how often there was some`() throws {
        let house = try TestHouse(isVirtual: true)
        for _ in 0..<5 { house.server.trouble(.unsent) }
        house.server.trouble(.replyTooLarge)
        house.time.now += .seconds(1)
        house.server.trouble(.unsent)
        #expect(
            house.troubles == [
                WebTrouble(kind: .unsent, count: 1), WebTrouble(kind: .replyTooLarge, count: 1),
                WebTrouble(kind: .unsent, count: 5),
            ])
    }
}
