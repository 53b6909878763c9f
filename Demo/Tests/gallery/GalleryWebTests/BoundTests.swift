import CGallery
import GalleryTestSupport
import Glibc
import Testing

@testable import GalleryWeb

/// What a client can make the server keep has an end.
struct BoundTests {
    @Test func `a first line that is too long is refused`() throws {
        let bench = try ServerBench()
        let client = bench.client(sending: "GET /" + String(repeating: "a", count: 70_000))
        #expect(bench.turns { client.isOver })
        #expect(client.statuses == [400])
        #expect(bench.server.statistics.refused == [.unreadable: 1])
        #expect(bench.paths.isEmpty)
    }

    @Test func `headers that are too long together are refused`() throws {
        let bench = try ServerBench()
        let long = String(repeating: "a", count: 3000)
        let client = bench.client(sending: get("/", "A: \(long)", "B: \(long)", "C: \(long)"))
        #expect(bench.turns { client.isOver })
        #expect(client.statuses == [400])
        #expect(bench.paths.isEmpty)
    }

    @Test func `a head of just the bytes there may be is taken`() throws {
        let bench = try ServerBench()
        let client = bench.ask(get("/", "A: " + String(repeating: "a", count: 8000)))
        #expect(client.statuses == [200])
    }

    @Test func `a body that is too long is refused before it came`() throws {
        let bench = try ServerBench()
        let client = bench.client(sending: post("/", "Content-Length: 1000000000000") + "begin")
        #expect(bench.turns { client.isOver })
        #expect(client.statuses == [413])
        #expect(bench.paths.isEmpty)
        #expect(bench.server.statistics.refused == [.unreadable: 1])
    }

    @Test func `more lines than there may be are refused, however short`() throws {
        let bench = try ServerBench()
        let client = bench.client(
            sending: "GET / HTTP/1.1\r\n" + String(repeating: "a:\n", count: 300))
        #expect(bench.turns { client.isOver })
        #expect(client.statuses == [431])
        #expect(bench.server.statistics.refused == [.lines: 1])
    }

    @Test func `what is sent ahead of an answer isn't taken in beyond a bound`() throws {
        let bench = try ServerBench()
        bench.handler = { _ in }
        let client = bench.client(sending: get("/"))
        #expect(bench.turns { bench.exchanges.count == 1 })
        // A stream's connection is read from all the time.
        let stream = bench.exchanges[0].stream()
        client.send([UInt8](repeating: UInt8(ascii: "x"), count: 8 << 20))
        for _ in 0..<300 { bench.pass() }
        let connection = try #require(bench.server.connections.all.first)
        #expect(connection.buffer.inputLength <= bench.server.limits.inputBytes)
        #expect(!client.hasSentAll)
        #expect(stream?.isOpen == true)
    }

    @Test func `a connection beyond the bound takes the place of the idlest`() throws {
        let bench = try ServerBench { $0.connections = 3 }
        bench.handler = { if $0.path != "/busy" { $0.reply(200) } }
        let first = (0..<3).map { _ in
            bench.time.now += .seconds(1)
            let client = bench.client()
            bench.passes()
            return client
        }
        // The first of them is busy, and the second not quite as idle as the third from here on.
        bench.time.now += .seconds(1)
        first[0].send(get("/busy"))
        first[1].send(get("/"))
        #expect(bench.turns { bench.exchanges.count == 2 && first[1].isAnswered })
        bench.time.now += .seconds(1)
        #expect(bench.ask(get("/")).statuses == [200])
        #expect(bench.turns { first[2].isOver })
        #expect(!first[0].isOver && !first[1].isOver)
        #expect(bench.server.statistics.refused == [.connections: 1])
        #expect(bench.server.statistics.connections == 3)
    }

    @Test func `a connection beyond its address's bound takes the place of its idlest`() throws {
        let bench = try ServerBench { $0.connectionsPerAddress = 2 }
        let other = bench.client(from: .tcp(host: "127.0.0.9", port: 0))
        let first = (0..<2).map { _ in bench.client() }
        #expect(bench.turns { bench.server.statistics.connections == 3 })
        #expect(bench.ask(get("/")).statuses == [200])
        #expect(bench.turns { first[0].isOver })
        #expect(!first[1].isOver && !other.isOver)
        #expect(bench.server.statistics.refused == [.connectionsPerAddress: 1])
        for client in bench.clients { client.leave() }
        #expect(bench.turns { bench.server.statistics.connections == 0 })
        #expect(bench.server.connections.clientCounts.isEmpty)
    }

    @Test func `whoever connects is let in though eight addresses hold all there are`() throws {
        let bench = try ServerBench {
            $0.connections = 64
            $0.connectionsPerAddress = 8
        }
        // Somebody has a page open, and says nothing for the while.
        bench.handler = { if $0.path == "/events" { _ = $0.stream() } else { $0.reply(200) } }
        let page = bench.client(from: .tcp(host: "127.0.0.200", port: 0))
        page.send(get("/events"))
        #expect(bench.turns { bench.exchanges.count == 1 })
        for address in 1...8 {
            for _ in 0..<8 { _ = bench.client(from: .tcp(host: "127.0.0.\(address)", port: 0)) }
        }
        #expect(bench.turns { bench.server.statistics.accepted == 65 })
        for address in 101...140 {
            let client = bench.client(from: .tcp(host: "127.0.0.\(address)", port: 0))
            client.send(get("/"))
            #expect(bench.turns { client.isAnswered || client.isOver })
            #expect(client.statuses == [200])
        }
        bench.passes()
        #expect(!page.isOver)
        #expect(bench.server.statistics.connections == 64)
        // As many of each have gone: no address has two more than another of those that filled it.
        let counts = bench.server.connections.clientCounts.values
        #expect(counts.max() == 3 && counts.count { $0 >= 2 } == 8)
        // Each time only those were looked at of the address that had most.
        #expect(bench.server.statistics.comparedConnections <= 41 * 8)
    }

    @Test func `no more than 64 connections are accepted in a turn`() throws {
        let bench = try ServerBench()
        for _ in 0..<100 { _ = bench.client() }
        bench.pass(isWaiting: false)
        #expect(bench.server.statistics.accepted == 64)
        #expect(bench.turns { bench.server.statistics.accepted == 100 })
    }

    @Test func `an IPv6 network of 64 bits is one client, and a mapped address its IPv4 one`() {
        let key = { SocketName(host: $0, port: 1)?.key }
        #expect(key("2001:db8:1:2::1") == key("2001:db8:1:2:ffff::9"))
        #expect(key("2001:db8:1:2::1") != key("2001:db8:1:3::1"))
        #expect(key("::ffff:10.1.2.3") == key("10.1.2.3"))
        #expect(key("10.1.2.3") != key("10.1.2.4"))
    }

    // MARK: - Clients that don't read

    @Test func `a stream whose client doesn't read is closed before it's owed too much`() throws {
        let bench = try ServerBench { $0.unsentBytes = 32 << 10 }
        var stream: EventStream?
        var closes = 0
        bench.handler = {
            stream = $0.stream()
            stream?.onClose = { closes += 1 }
        }
        let client = bench.client(receiveBuffer: 4096)
        client.isReading = false
        client.send(get("/"))
        #expect(bench.turns { stream != nil })
        let data = String(repeating: "x", count: 1000)
        var most = 0
        var isSent = true
        for _ in 0..<20_000 where isSent {
            isSent = stream?.send("event", data) ?? false
            most = max(most, stream?.unsentBytes ?? 0)
            bench.pass(isWaiting: false)
        }
        #expect(!isSent)
        #expect(most > 30 << 10 && most <= 32 << 10)
        #expect(stream?.isOpen == false)
        #expect(bench.turns { bench.server.statistics.connections == 0 })
        #expect(closes == 1)
        #expect(bench.server.statistics.unreadClosed == 1)
        #expect(bench.server.statistics.unsentBytes == 0)
        #expect(bench.issues.map(\.kind) == [.unsent])
    }

    @Test func `of those that don't read together, the one that is owed most goes first`() throws {
        let bench = try ServerBench { $0.unsentBytesInAll = 100_000 }
        bench.handler = { _ in }
        for place in 0..<3 {
            let client = bench.client(receiveBuffer: 4096)
            client.isReading = false
            client.send(get("/\(place)"))
            #expect(bench.turns { bench.exchanges.count == place + 1 })
        }
        // Nothing of these goes to the system before the base turns.
        bench.exchanges[0].reply(200, [], [UInt8](repeating: 0, count: 30_000))
        bench.exchanges[1].reply(200, [], [UInt8](repeating: 0, count: 50_000))
        #expect(bench.server.statistics.unreadClosed == 0)
        #expect(bench.server.statistics.unsentBytes > 80_000)
        bench.exchanges[2].reply(200, [], [UInt8](repeating: 0, count: 40_000))
        #expect(bench.server.statistics.unreadClosed == 1)
        #expect(bench.server.statistics.unsentBytes < 100_000)
        #expect(
            bench.turns {
                bench.clients[1].bytes.isEmpty && bench.server.statistics.connections == 2
            })
        for client in bench.clients { client.isReading = true }
        #expect(bench.turns { bench.clients[0].isAnswered && bench.clients[2].isAnswered })
        #expect(bench.turns { bench.clients[1].isOver })
        #expect(bench.issues.map(\.kind) == [.unsentInAll])
    }

    @Test func `a reply larger than what may be kept for a client is an error of the program's`()
        throws
    {
        let bench = try ServerBench { $0.unsentBytes = 1000 }
        bench.handler = { $0.reply(200, [], [UInt8](repeating: 0, count: 1001)) }
        #expect(bench.ask(get("/")).statuses == [500])
        #expect(bench.issues.map(\.kind) == [.replyTooLarge])
    }

    @Test func `a body in parts is asked for as the client takes it`() throws {
        let bench = try ServerBench { $0.unsentBytes = 20_000 }
        var parts = 0
        bench.handler = {
            $0.reply(200) { give in
                parts += 1
                give(parts > 1000 ? nil : [UInt8](repeating: UInt8(ascii: "p"), count: 10_000))
            }
        }
        let client = bench.client(receiveBuffer: 4096)
        client.isReading = false
        client.send(get("/"))
        for _ in 0..<300 { bench.pass(isWaiting: false) }
        #expect(parts > 0 && parts < 1000)
        #expect(bench.server.statistics.unsentBytes < 20_000)
        client.isReading = true
        #expect(bench.turns { client.text.hasSuffix("0\r\n\r\n") })
        #expect(client.bytes.count { $0 == UInt8(ascii: "p") } >= 10_000_000)
        client.send(get("/again", "Connection: close"))
        #expect(bench.turns { client.isOver })
    }

    @Test func `parts may be given later, and a client has replyTime for each of them`() throws {
        let bench = try ServerBench()
        var give: (([UInt8]?) -> Void)?
        bench.handler = { $0.reply(200, [], length: 9) { give = $0 } }
        let client = bench.client(sending: get("/"))
        for part in ["one", "", "two", "six"] {
            #expect(bench.turns { give != nil })
            bench.time.now += .seconds(50)
            bench.server.sweep()
            let next = give
            give = nil
            next?(Array(part.utf8))
        }
        #expect(bench.turns { give != nil })
        give?(nil)
        #expect(bench.turns { client.body == "onetwosix" })
        #expect(client.header("content-length") == "9" && !client.isOver)
        client.send(get("/again"))
        #expect(bench.turns { client.statuses == [200, 200] })
    }

    @Test func `a client knows that a reply was abandoned`() throws {
        let bench = try ServerBench()
        bench.handler = { exchange in
            var parts = 0
            exchange.reply(200, [], length: 9) { give in
                parts += 1
                if parts < 3 { give(Array("one".utf8)) } else { exchange.abandon() }
            }
        }
        let client = bench.client(sending: get("/"))
        #expect(bench.turns { client.isOver })
        #expect(client.body == "oneone")
    }
}
