import CGallery
import Glibc
import TestSupport
import Testing

@testable import GalleryWeb

struct LifeTests {
    @Test func `a request is answered with what the program says`() throws {
        let house = try TestHouse()
        house.handler = {
            $0.reply(201, [("Content-Type", "text/plain"), ("X-Own", "a")], Array("made".utf8))
        }
        let client = house.ask(post("/things?name=a+b&name=c&empty", "X-Asked: yes"))
        #expect(client.text.hasPrefix("HTTP/1.1 201 Created\r\n"))
        #expect(client.header("content-type") == "text/plain")
        #expect(client.header("x-own") == "a")
        #expect(client.body == "made")
        let exchange = house.exchanges[0]
        #expect(exchange.method == .post)
        #expect(exchange.path == "/things")
        #expect(exchange.query == ["name": "a b", "empty": ""])
        #expect(exchange.header("x-ASKED") == "yes")
        #expect(exchange.address == "127.0.0.1")
        #expect(!client.isOver)
    }

    @Test func `a HEAD gets the head alone`() throws {
        let house = try TestHouse()
        let client = house.client(sending: request("HEAD", "/a", []) + get("/bc"))
        #expect(house.turns { client.statuses == [200, 200] && client.text.hasSuffix("/bc") })
        #expect(client.header("content-length") == "2")
        #expect(client.body.hasPrefix("HTTP/1.1 200"))
    }

    @Test(arguments: [204, 304])
    func `a status without a body has none`(status: Int) throws {
        let house = try TestHouse()
        house.handler = { $0.reply(status, [], Array("nothing".utf8)) }
        let client = house.client(sending: get("/") + get("/"))
        #expect(house.turns { client.statuses == [status, status] })
        #expect(client.header("content-length") == nil)
        #expect(!client.text.contains("nothing"))
    }

    @Test func `pipelined requests are answered in their order`() throws {
        let house = try TestHouse()
        let count = 20
        let client = house.client(sending: (0..<count).map { get("/\($0)") }.joined())
        #expect(house.turns { client.statuses.count == count })
        #expect(house.paths == (0..<count).map { "/\($0)" })
        #expect(!client.isOver)
    }

    @Test(arguments: [86, 500])
    func `any number of pipelined requests is answered, however many lines they have`(
        count: Int
    ) throws {
        let house = try TestHouse()
        let client = house.client(sending: (0..<count).map { get("/\($0)") }.joined())
        #expect(house.turns { client.statuses.count == count || client.isOver })
        #expect(client.statuses.count { $0 == 200 } == count)
        #expect(house.paths == (0..<count).map { "/\($0)" })
        #expect(!client.isOver)
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\n" + String(repeating: "a:\n", count: 300), 431),
        (get("/", "A: \0"), 400), (post("/", "Transfer-Encoding: chunked") + "0\r\n\r\n", 400),
        (get("/", "A B: c"), 400), ("GET /\r\n\r\n", 400),
    ])
    func `what is wrong is refused after the answers to what came before it`(
        text: String, status: Int
    ) throws {
        let house = try TestHouse()
        let client = house.client(sending: get("/a") + get("/b") + text + get("/smuggled"))
        #expect(house.turns { client.isOver })
        #expect(client.statuses == [200, 200, status])
        #expect(house.paths == ["/a", "/b"])
    }

    @Test func `a pipelined request waits for the answer to the one before`() throws {
        let house = try TestHouse()
        house.handler = { _ in }
        let client = house.client(sending: get("/a") + get("/b"))
        #expect(house.turns { house.paths == ["/a"] })
        for _ in 0..<10 { house.pass() }
        #expect(house.paths == ["/a"])
        house.exchanges[0].reply(200)
        #expect(house.turns { house.paths == ["/a", "/b"] })
        house.exchanges[1].reply(200)
        #expect(house.turns { client.statuses == [200, 200] })
    }

    @Test func `a request that comes byte by byte is one request`() throws {
        let house = try TestHouse()
        let client = house.client()
        for byte in get("/slowly", "X-Long: value").utf8 {
            client.send([byte])
            house.pass()
        }
        #expect(house.turns { client.statuses == [200] })
        #expect(house.paths == ["/slowly"])
    }

    @Test func `a reply may come in a later turn`() throws {
        let house = try TestHouse()
        house.handler = { _ in }
        let client = house.client(sending: get("/"))
        #expect(house.turns { house.exchanges.count == 1 })
        for _ in 0..<10 { house.pass() }
        #expect(client.bytes.isEmpty)
        #expect(house.exchanges[0].isOpen)
        house.exchanges[0].reply(200, [], Array("late".utf8))
        #expect(!house.exchanges[0].isOpen)
        #expect(house.turns { client.body == "late" })
    }

    @Test func `only the first reply counts`() throws {
        let house = try TestHouse()
        house.handler = {
            $0.reply(200, [], Array("first".utf8))
            $0.reply(500, [], Array("second".utf8))
            #expect($0.stream() == nil)
        }
        let client = house.client(sending: get("/") + get("/"))
        #expect(house.turns { client.statuses.count == 2 && client.text.hasSuffix("first") })
        #expect(client.statuses == [200, 200])
    }

    @Test func `the end of an exchange is told once its reply is taken`() throws {
        let house = try TestHouse()
        var ends = 0
        house.handler = {
            $0.onEnd = { ends += 1 }
            $0.reply(200)
            #expect(ends == 0)
        }
        let client = house.ask(get("/"))
        #expect(house.turns { ends == 1 })
        client.leave()
        #expect(house.turns { house.server.statistics.connections == 0 })
        #expect(ends == 1)
    }

    @Test func `a reply to a client that has left is nothing`() throws {
        let house = try TestHouse()
        var ends = 0
        house.handler = { $0.onEnd = { ends += 1 } }
        let client = house.client(sending: get("/"))
        #expect(house.turns { house.exchanges.count == 1 })
        client.leave()
        for _ in 0..<5 { house.pass() }
        house.exchanges[0].reply(200, [], [UInt8](repeating: 1, count: 200_000))
        #expect(house.turns { house.server.statistics.connections == 0 })
        #expect(ends == 1)
        house.exchanges[0].reply(200)
        #expect(!house.exchanges[0].isOpen)
        #expect(house.server.statistics.unsentBytes == 0)
    }

    @Test func `a client that leaves in the middle of its request leaves nothing`() throws {
        let house = try TestHouse()
        let client = house.client(sending: "GET / HTTP/1.1\r\nHos")
        #expect(house.turns { house.server.statistics.connections == 1 })
        for _ in 0..<5 { house.pass() }
        client.leave()
        #expect(house.turns { house.server.statistics.connections == 0 })
        #expect(house.exchanges.isEmpty)
    }

    @Test func `a server may be closed from a handler`() throws {
        let house = try TestHouse()
        let idle = house.client()
        #expect(house.turns { house.server.statistics.connections == 1 })
        house.handler = { [unowned house] in
            house.server.close()
            $0.reply(200)
        }
        let client = house.client(sending: get("/"))
        #expect(house.turns { client.isOver && idle.isOver })
        #expect(client.statuses.isEmpty)
        #expect(house.server.statistics.connections == 0)
    }

    /// Where the program is called from.
    enum Callback: CaseIterable {
        case handler, request, trouble, part, exchangeEnd, streamEnd, leaving
    }

    @Test(arguments: Callback.allCases)
    func `a server that is closed from any callback is gone, and all of its connections`(
        callback: Callback
    ) throws {
        let house = try TestHouse()
        let idle = house.client()
        #expect(house.turns { house.server.statistics.connections == 1 })
        let close = { [unowned house] in house.server.close() }
        if callback == .request { house.server.onRequest = { _, _, _, _, _ in close() } }
        if callback == .trouble { house.server.onTrouble = { _ in close() } }
        house.handler = { exchange in
            switch callback {
            case .handler:
                close()
                exchange.reply(200)
            case .exchangeEnd, .leaving:
                exchange.onEnd = close
                if callback == .exchangeEnd { exchange.reply(200) }
            case .part:
                exchange.reply(200) {
                    close()
                    return [1]
                }
            case .streamEnd:
                let stream = exchange.stream()
                stream?.onClose = close
                stream?.close()
            case .request, .trouble: exchange.reply(200)
            }
        }
        let client = house.client(
            sending: callback == .trouble ? request("PUT", "/", []) : get("/"))
        if callback == .leaving {
            // The last connection of all.
            #expect(house.turns { house.exchanges.count == 1 })
            idle.leave()
            #expect(house.turns { house.server.statistics.connections == 1 })
            client.leave()
            house.exchanges[0].reply(200, [], [UInt8](repeating: 0, count: 200_000))
        } else {
            #expect(house.turns { client.isOver && idle.isOver })
        }
        #expect(house.turns { house.server.hasEnded })
        #expect(house.server.statistics.connections == 0)
        #expect(house.turns { house.eventCount == 0 })
    }

    @Test func `a server may be closed from an exchange's end`() throws {
        let house = try TestHouse()
        house.handler = { [unowned house] exchange in
            exchange.onEnd = { house.server.close() }
            exchange.reply(200)
        }
        let client = house.client(sending: get("/", "Connection: close"))
        #expect(house.turns { client.isOver })
        #expect(client.statuses == [200])
        #expect(throws: WebError.closed) {
            try house.server.listen(on: .tcp(host: "127.0.0.1", port: 0))
        }
    }

    @Test func `closing ends unanswered exchanges and open streams`() throws {
        let house = try TestHouse()
        var ends: [String] = []
        var streams: [EventStream] = []
        house.handler = { exchange in
            let path = exchange.path
            exchange.onEnd = { ends.append(path) }
            if path == "/stream", let stream = exchange.stream() {
                stream.onClose = { ends.append("closed") }
                streams.append(stream)
            }
        }
        let clients = [house.client(sending: get("/stream")), house.client(sending: get("/wait"))]
        #expect(house.turns { house.exchanges.count == 2 && !clients[0].bytes.isEmpty })
        house.server.close()
        #expect(ends.sorted() == ["/stream", "/wait", "closed"])
        #expect(!streams[0].send("a", "b"))
        #expect(house.turns { clients.allSatisfy(\.isOver) })
        #expect(house.server.statistics.connections == 0)
    }

    @Test func `a server that stops listening answers what is asked, and then closes`() throws {
        let house = try TestHouse()
        house.handler = { _ in }
        let idle = house.client()
        let busy = house.client(sending: get("/") + get("/never"))
        #expect(
            house.turns { house.exchanges.count == 1 && house.server.statistics.connections == 2 })
        house.server.stopListening()
        #expect(house.turns { idle.isOver })
        house.exchanges[0].reply(200)
        #expect(house.turns { busy.isOver })
        #expect(busy.statuses == [200])
        #expect(busy.header("connection") == "close")
        #expect(house.paths == ["/"])
    }

    @Test func `two thousand connections leave no descriptor and no memory of them`() throws {
        let house = try TestHouse { $0.connectionsPerAddress = 4096 }
        for round in 0..<20 {
            house.clients = []
            let clients = (0..<100).map { place in
                switch place % 4 {
                case 0: house.client()
                case 1: house.client(sending: "GET /")
                case 2: house.client(sending: get("/a"))
                default: house.client(sending: get("/b", "Connection: close"))
                }
            }
            #expect(house.turns { house.server.statistics.accepted == 100 * (round + 1) })
            #expect(house.turns { clients.count { $0.statuses == [200] } == 50 })
            for client in clients { client.leave() }
            #expect(house.turns { house.server.statistics.connections == 0 })
        }
        #expect(house.server.statistics.accepted == 2000)
        #expect(house.server.connections.isEmpty)
        #expect(house.server.clients.isEmpty)
        #expect(house.server.welcomed == 0)
        #expect(house.server.statistics.unsentBytes == 0)
        // The listener alone is left, as before the first.
        #expect(house.turns { house.eventCount == 1 })
        #expect(connectedSockets(toPort: house.port) == 0)
    }

    /// The sockets of this process that are the server's ends of connections.
    private func connectedSockets(toPort port: Int) -> Int {
        (Int32(0)..<4096).count { descriptor in
            guard let local = SocketName.local(of: descriptor), local.port == port else {
                return false
            }
            return SocketName.peer(of: descriptor) != nil
        }
    }
}
