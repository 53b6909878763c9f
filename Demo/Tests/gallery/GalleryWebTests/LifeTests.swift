import CGallery
import Glibc
import TestSupport
import Testing

@testable import GalleryWeb

struct LifeTests {
    @Test func `a request is answered with what the program says`() throws {
        let bench = try ServerBench()
        bench.handler = {
            $0.reply(201, [("Content-Type", "text/plain"), ("X-Own", "a")], Array("made".utf8))
        }
        let client = bench.ask(post("/things?name=a+b&name=c&empty", "X-Asked: yes"))
        #expect(client.text.hasPrefix("HTTP/1.1 201 Created\r\n"))
        #expect(client.header("content-type") == "text/plain")
        #expect(client.header("x-own") == "a")
        #expect(client.body == "made")
        let exchange = bench.exchanges[0]
        #expect(exchange.method == .post)
        #expect(exchange.path == "/things")
        #expect(exchange.query == ["name": "a b", "empty": ""])
        #expect(exchange.header("x-ASKED") == "yes")
        #expect(exchange.address == "127.0.0.1")
        #expect(!client.isOver)
    }

    @Test func `a HEAD gets the head alone`() throws {
        let bench = try ServerBench()
        let client = bench.client(sending: request("HEAD", "/a", []) + get("/bc"))
        #expect(bench.turns { client.statuses == [200, 200] && client.text.hasSuffix("/bc") })
        #expect(client.header("content-length") == "2")
        #expect(client.body.hasPrefix("HTTP/1.1 200"))
    }

    @Test(arguments: [7, nil])
    func `a HEAD for a reply in parts gets its head alone, with the length if it's known`(
        length: Int?
    ) throws {
        let bench = try ServerBench()
        bench.handler = {
            guard $0.path == "/parts" else { return $0.reply(200, [], Array("next".utf8)) }
            $0.reply(200, [("X-Own", "a")], length: length) { _ in Issue.record("a part") }
        }
        let client = bench.client(sending: request("HEAD", "/parts", []))
        #expect(bench.turns { client.statuses == [200] })
        #expect(client.header("content-length") == length.map(String.init))
        #expect(client.header("transfer-encoding") == nil && client.header("x-own") == "a")
        client.send(get("/next"))
        #expect(bench.turns { client.text.hasSuffix("next") })
    }

    @Test(arguments: [204, 304])
    func `a status without a body has none`(status: Int) throws {
        let bench = try ServerBench()
        bench.handler = { $0.reply(status, [], Array("nothing".utf8)) }
        let client = bench.client(sending: get("/") + get("/"))
        #expect(bench.turns { client.statuses == [status, status] })
        #expect(client.header("content-length") == nil)
        #expect(!client.text.contains("nothing"))
    }

    @Test(arguments: [86, 500])
    func `any number of pipelined requests is answered, however many lines they have`(
        count: Int
    ) throws {
        let bench = try ServerBench()
        let client = bench.client(sending: (0..<count).map { get("/\($0)") }.joined())
        #expect(bench.turns { client.statuses.count == count || client.isOver })
        #expect(client.statuses.count { $0 == 200 } == count)
        #expect(bench.paths == (0..<count).map { "/\($0)" })
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
        let bench = try ServerBench()
        let client = bench.client(sending: get("/a") + get("/b") + text + get("/smuggled"))
        #expect(bench.turns { client.isOver })
        #expect(client.statuses == [200, 200, status])
        #expect(bench.paths == ["/a", "/b"])
    }

    @Test func `a pipelined request waits for the answer to the one before`() throws {
        let bench = try ServerBench()
        bench.handler = { _ in }
        let client = bench.client(sending: get("/a") + get("/b"))
        #expect(bench.turns { bench.paths == ["/a"] })
        for _ in 0..<10 { bench.pass() }
        #expect(bench.paths == ["/a"])
        bench.exchanges[0].reply(200)
        #expect(bench.turns { bench.paths == ["/a", "/b"] })
        bench.exchanges[1].reply(200)
        #expect(bench.turns { client.statuses == [200, 200] })
    }

    @Test func `a request that comes byte by byte is one request`() throws {
        let bench = try ServerBench()
        let client = bench.client()
        for byte in get("/slowly", "X-Long: value").utf8 {
            client.send([byte])
            bench.pass()
        }
        #expect(bench.turns { client.statuses == [200] })
        #expect(bench.paths == ["/slowly"])
    }

    @Test func `a reply may come in a later turn`() throws {
        let bench = try ServerBench()
        bench.handler = { _ in }
        let client = bench.client(sending: get("/"))
        #expect(bench.turns { bench.exchanges.count == 1 })
        for _ in 0..<10 { bench.pass() }
        #expect(client.bytes.isEmpty)
        #expect(bench.exchanges[0].isOpen)
        bench.exchanges[0].reply(200, [], Array("late".utf8))
        #expect(!bench.exchanges[0].isOpen)
        #expect(bench.turns { client.body == "late" })
    }

    @Test func `only the first reply counts`() throws {
        let bench = try ServerBench()
        bench.handler = {
            $0.reply(200, [], Array("first".utf8))
            $0.reply(500, [], Array("second".utf8))
            #expect($0.stream() == nil)
        }
        let client = bench.client(sending: get("/") + get("/"))
        #expect(bench.turns { client.statuses.count == 2 && client.text.hasSuffix("first") })
        #expect(client.statuses == [200, 200])
    }

    @Test func `the end of an exchange is told once its reply is taken`() throws {
        let bench = try ServerBench()
        var ends = 0
        bench.handler = {
            $0.onEnd = { ends += 1 }
            $0.reply(200)
            #expect(ends == 0)
        }
        let client = bench.ask(get("/"))
        #expect(bench.turns { ends == 1 })
        client.leave()
        #expect(bench.turns { bench.server.statistics.connections == 0 })
        #expect(ends == 1)
    }

    @Test func `a reply to a client that has left is nothing`() throws {
        let bench = try ServerBench()
        var ends = 0
        bench.handler = { $0.onEnd = { ends += 1 } }
        let client = bench.client(sending: get("/"))
        #expect(bench.turns { bench.exchanges.count == 1 })
        client.leave()
        for _ in 0..<5 { bench.pass() }
        bench.exchanges[0].reply(200, [], [UInt8](repeating: 1, count: 200_000))
        #expect(bench.turns { bench.server.statistics.connections == 0 })
        #expect(ends == 1)
        bench.exchanges[0].reply(200)
        #expect(!bench.exchanges[0].isOpen)
        #expect(bench.server.statistics.unsentBytes == 0)
    }

    @Test func `a client that leaves in the middle of its request leaves nothing`() throws {
        let bench = try ServerBench()
        let client = bench.client(sending: "GET / HTTP/1.1\r\nHos")
        #expect(bench.turns { bench.server.statistics.connections == 1 })
        for _ in 0..<5 { bench.pass() }
        client.leave()
        #expect(bench.turns { bench.server.statistics.connections == 0 })
        #expect(bench.exchanges.isEmpty)
    }

    /// Where the program is called from.
    enum Callback: CaseIterable {
        case handler, issue, part, exchangeEnd, streamEnd, leaving
    }

    @Test(arguments: Callback.allCases)
    func `a server that is closed from any callback is gone, and all of its connections`(
        callback: Callback
    ) throws {
        let bench = try ServerBench()
        let idle = bench.client()
        #expect(bench.turns { bench.server.statistics.connections == 1 })
        let close = { [unowned bench] in bench.server.close() }
        if callback == .issue { bench.server.onIssue = { _ in close() } }
        bench.handler = { exchange in
            switch callback {
            case .handler:
                close()
                exchange.reply(200)
            case .exchangeEnd, .leaving:
                exchange.onEnd = close
                if callback == .exchangeEnd { exchange.reply(200) }
            case .part:
                exchange.reply(200) { give in
                    close()
                    give([1])
                }
            case .streamEnd:
                let stream = exchange.stream()
                stream?.onClose = close
                stream?.close()
            case .issue: exchange.reply(200)
            }
        }
        let client = bench.client(
            sending: callback == .issue ? request("PUT", "/", []) : get("/"))
        if callback == .leaving {
            // The last connection of all.
            #expect(bench.turns { bench.exchanges.count == 1 })
            idle.leave()
            #expect(bench.turns { bench.server.statistics.connections == 1 })
            client.leave()
            bench.exchanges[0].reply(200, [], [UInt8](repeating: 0, count: 200_000))
        } else {
            #expect(bench.turns { client.isOver && idle.isOver })
        }
        #expect(bench.turns { bench.server.hasEnded })
        #expect(bench.server.statistics.connections == 0)
        #expect(bench.turns { bench.eventCount == 0 })
        #expect(throws: WebError.closed) { try bench.server.listen(on: bench.address) }
    }

    @Test func `closing ends unanswered exchanges and open streams`() throws {
        let bench = try ServerBench()
        var ends: [String] = []
        var streams: [EventStream] = []
        bench.handler = { exchange in
            let path = exchange.path
            exchange.onEnd = { ends.append(path) }
            if path == "/stream", let stream = exchange.stream() {
                stream.onClose = { ends.append("closed") }
                streams.append(stream)
            }
        }
        let clients = [bench.client(sending: get("/stream")), bench.client(sending: get("/wait"))]
        #expect(bench.turns { bench.exchanges.count == 2 && !clients[0].bytes.isEmpty })
        bench.server.close()
        #expect(ends.sorted() == ["/stream", "/wait", "closed"])
        #expect(!streams[0].send("a", "b"))
        #expect(bench.turns { clients.allSatisfy(\.isOver) })
        #expect(bench.server.statistics.connections == 0)
    }

    @Test func `a server that stops listening answers what is asked, and then closes`() throws {
        let bench = try ServerBench()
        bench.handler = { _ in }
        let idle = bench.client()
        let busy = bench.client(sending: get("/") + get("/never"))
        #expect(
            bench.turns { bench.exchanges.count == 1 && bench.server.statistics.connections == 2 })
        bench.server.stopListening()
        #expect(bench.turns { idle.isOver })
        bench.exchanges[0].reply(200)
        #expect(bench.turns { busy.isOver })
        #expect(busy.statuses == [200])
        #expect(busy.header("connection") == "close")
        #expect(bench.paths == ["/"])
    }

    @Test func `two thousand connections leave no descriptor and no memory of them`() throws {
        let bench = try ServerBench { $0.connectionsPerAddress = 4096 }
        for round in 0..<20 {
            bench.clients = []
            let clients = (0..<100).map { place in
                switch place % 4 {
                case 0: bench.client()
                case 1: bench.client(sending: "GET /")
                case 2: bench.client(sending: get("/a"))
                default: bench.client(sending: get("/b", "Connection: close"))
                }
            }
            #expect(bench.turns { bench.server.statistics.accepted == 100 * (round + 1) })
            #expect(bench.turns { clients.count { $0.statuses == [200] } == 50 })
            for client in clients { client.leave() }
            #expect(bench.turns { bench.server.statistics.connections == 0 })
        }
        #expect(bench.server.statistics.accepted == 2000)
        #expect(bench.server.connections.count == 0)
        #expect(bench.server.connections.clientCounts.isEmpty)
        #expect(bench.server.connections.admittedCount == 0)
        #expect(bench.server.statistics.unsentBytes == 0)
        // The listener alone is left, as before the first.
        #expect(bench.turns { bench.eventCount == 1 })
        #expect(connectedSockets(toPort: bench.port) == 0)
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
